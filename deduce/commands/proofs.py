"""The commands about proofs, of every hidden game: ordered steps, hints, the judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from deduce.commands.ask import Ask

__all__ = ["steps"]


@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="FACT",
    help="Show only what this fact, or 'FACT or FACT', needs. May be repeated.",
)
def steps(ask: Ask, claims: tuple[str, ...]) -> bool:
    r"""Show how everything that is certain follows, one small step after the other.

    \b
    Example:  deduce GAME steps LOGFILE
              deduce GAME steps --claim EXAMPLE LOGFILE

    Each step has its cheapest justification: few rules, few events, few earlier facts. A step that
    combines several rules is explained by a supposition that leads to a contradiction.

    Exit code 1: a --claim is not certain.
    """
    from deduce.steps.jsonable import proof_json
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.show import proof_text

    knowledge = ask.knowledge
    wanted = [ask.claim(claim) for claim in claims]
    for claim in wanted:
        if not knowledge.is_certain(claim):
            ask.answer(
                {"steps": [], "open": knowledge.say(claim)}, f"{knowledge.say(claim)}: not certain"
            )
            return False
    proof = steps_of(knowledge, claims=wanted)
    if wanted:
        proof = proof.needed_for(wanted)
    ask.answer(proof_json(proof), proof_text(proof))
    return True
