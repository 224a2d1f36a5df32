"""The commands of Cluedo: those of every hidden game, with a detective's sheet for the grid."""

from __future__ import annotations

from typing import Any

import click

from deduce.commands import Ask, GameCommands, Look
from deduce.show.jsonable import possible_json, shares_json
from games.cluedo import REGISTRATION
from games.cluedo.show import deal_text, found, game_of, sheet_table, solution_table, solutions
from games.cluedo.track import new, track

__all__ = ["cluedo"]

LOOK = Look(
    variable="CARD",
    value="HOLDER",
    example="rope=Ann",
    log="game.cluedo",
    grid=sheet_table,
    world=deal_text,
)

cluedo = GameCommands(REGISTRATION, LOOK)
cluedo.commands.pop("grid")
cluedo.add_command(new)
cluedo.add_command(track)


@cluedo.on_log("sheet")
@click.option("--shares", is_flag=True, help="Show shares of deals instead of the posterior.")
def sheet(ask: Ask, *, shares: bool) -> None:
    r"""Show the detective's sheet: every card against every holder.

    \b
    Example:  deduce cluedo sheet LOGFILE
              deduce cluedo sheet --as public --upto 12 LOGFILE

    A cell says yes, - (no), or how probable it is that the holder has the card: by the posterior,
    in which a player who could have shown several cards showed each with the same probability;
    with --shares, by the share of the worlds (deals) that still fit. Below: how many cards of each
    holder are found, and the most probable solutions.
    """
    knowledge = ask.knowledge
    grid, undecided = ask.grid(shares=shares)
    if undecided:
        if not ask.json:
            ask.print(sheet_table(knowledge, grid))
        raise undecided
    document: dict[str, Any] = {}
    if ask.json:
        document = {
            "deals": str(knowledge.count()),
            "possible": possible_json(grid.possible),
            "found": found(game_of(knowledge), grid.possible),
            "shares": shares_json(knowledge.shares()),
            "posterior": shares_json(knowledge.posterior()),
            "solutions": _ranked(ask, None),
        }
    ask.answer(document, sheet_table(knowledge, grid))


@cluedo.on_log("solution")
@click.option(
    "--limit", type=click.IntRange(min=1), default=10, show_default=True, help="At most so many."
)
def solution(ask: Ask, *, limit: int) -> bool:
    r"""Rank the whole solutions, by posterior and by share of deals.

    \b
    Example:  deduce cluedo solution --limit 5 LOGFILE

    Exit code 0: the solution is certain. 1: several are possible.
    """
    posterior, shares = solutions(ask.knowledge)
    document: dict[str, Any] = {}
    if ask.json:
        document = {
            "solutions": _ranked(ask, limit),
            "possible": len(posterior),
            "entropy_bits": posterior.entropy(),
        }
    ask.answer(document, solution_table(posterior, shares, limit))
    return len(posterior) == 1


def _ranked(ask: Ask, limit: int | None) -> list[dict[str, Any]]:
    posterior, shares = solutions(ask.knowledge)
    return [
        {"cards": list(triple), "posterior": str(share), "share": str(shares[triple])}
        for triple, share in list(posterior.items())[:limit]
    ]
