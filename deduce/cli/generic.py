"""What the generic commands do, one function each; `GameCommands` makes click commands of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from deduce.cli import complete
from deduce.cli.ask import Ask
from deduce.cli.numbers import MAX_SAMPLES, whole_option
from deduce.cli.output import end_undecided, file_option, usage
from deduce.cli.overview import grid, progress
from deduce.cli.slips import check, slips
from deduce.errors import Interrupted, Undecided, Unsupported
from deduce.estimates import Estimate, EstimatedWorlds, significant_percent
from deduce.game import Staged, hook
from deduce.policy.advice import RANKINGS
from deduce.policy.inquiries import asker_of
from deduce.problem import World
from deduce.reasoning.explain import Why
from deduce.reasoning.formats import FORMATS, export
from deduce.show.jsonable import number_json, why_json, world_json
from deduce.show.sheet import ESTIMATED
from deduce.system.files import replace_file
from deduce.system.text import name_of, plural

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from deduce.policy.advice import Advice
    from deduce.policy.inquiries import Inquiry
    from deduce.show.table import Table

__all__ = ["COMMANDS", "advice_options", "turns_ahead"]

F = TypeVar("F", bound=Callable[..., object])

MAX_AHEAD = 5
"""How many questions are looked at two turns ahead."""


def advice_options(worlds: str) -> Callable[[F], F]:
    """Return a decorator with the options that all such commands have.

    Parameters
    ----------
    worlds
        What the worlds of the game are called: worlds, deals.
    """
    options = [
        click.option("--uniform", is_flag=True, help=f"Give all {worlds} the same weight."),
        whole_option(
            "--samples",
            low=0,
            high=MAX_SAMPLES,
            metavar="N",
            help=f"Estimate from N random {worlds}; 0: exact, however long it takes. "
            "[default: exact, unless that takes more than a few seconds]",
        ),
        whole_option("--seed", default=0, help="The same seed repeats the estimate."),
        whole_option("--limit", low=1, default=10, help="How many to show."),
        whole_option(
            "--turns",
            low=1,
            high=2,
            default=1,
            help=f"2: also look at the best next question after each answer to the best "
            f"{MAX_AHEAD}, and state the reason in words.",
        ),
    ]

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def turns_ahead(
    knowledge: Knowledge, ranking: Iterable[tuple[Inquiry, float]], turns: int, **options: Any
) -> tuple[dict[str, object], list[Table | str]]:
    """Return the field of the JSON document and the lines for two turns; nothing for one.

    Parameters
    ----------
    knowledge
        What the player who asks knows.
    ranking
        The questions with their expected information, the best first.
    turns
        1 or 2.
    options
        As of `deduce.policy.ahead.two_turns`.
    """
    if turns < 2:
        return {}, []
    from deduce.policy.ahead import different, two_turns
    from deduce.show.table import Table

    looked = two_turns(knowledge, different(ranking, MAX_AHEAD), **options)
    if not looked or not looked[0].rated.outcomes:
        return {"ahead": []}, []
    rows = [
        [each.rated.text, f"{each.rated.gain_bits:.3f} bits", f"{each.both_bits:.3f} bits"]
        for each in looked
    ]
    head = ("question", "information", "with the next")
    document = [
        {
            "question": each.rated.text,
            "gain_bits": each.rated.gain_bits,
            "two_turns_bits": each.both_bits,
            "after": {
                outcome.text: text or None
                for outcome, text in zip(each.rated.outcomes, each.after, strict=True)
            },
        }
        for each in looked
    ]
    reason = looked[0].reason()
    return {"ahead": document, "reason": reason}, [
        Table(head, rows, "\nTwo turns ahead"),
        f"{reason}.",
    ]


def certain(ask: Ask) -> None:
    r"""List what is certain about each VARIABLE.

    \b
    Example:  deduce GAME certain LOGFILE
              deduce GAME certain --slips 0.02 LOGFILE

    With --slips, only facts that do not depend on a doubtful event are certain; below them are the
    facts that are certain unless an event is wrong, with these events. If the events cannot all be
    true, the first line says so.
    """
    possible, undecided = ask.possible()
    known = {v: next(iter(values)) for v, values in possible.items() if len(values) == 1}
    if undecided is None or not ask.json:
        found = world_json(known) or {}
        width = max(map(len, found), default=0)
        lines = [f"{name + ':':<{width + 1}} {value}" for name, value in found.items()]
        document: dict[str, object] = {"certain": found}
        if ask.knowledge.doubts is not None:
            if _contradicts(ask.knowledge.doubting(None)):
                lines.insert(0, "the events cannot all be true (see check)")
                document["contradiction"] = True
            unless = ask.knowledge.certain_unless()
            lines += [str(claim) for claim in unless if claim.variable not in known]
            document["unless"] = [
                {
                    "variable": name_of(claim.variable),
                    "value": name_of(claim.value),
                    "slips": claim.slips,
                    "events": list(claim.events),
                }
                for claim in unless
                if claim.variable not in known
            ]
        if undecided is not None and not lines:
            lines = ["nothing is known to be certain yet"]
        ask.answer(document, *lines)
    if undecided:
        raise undecided


def _contradicts(knowledge: Knowledge) -> bool:
    """Return whether it is known that no world is possible."""
    try:
        return not knowledge.is_consistent()
    except Undecided:
        return False


@click.argument("variable", metavar="VARIABLE", shell_complete=complete.variables)
def possible(ask: Ask, variable: str) -> None:
    r"""List what is still possible for a VARIABLE, one per line.

    \b
    Example:  deduce GAME possible EXAMPLE_NAME LOGFILE
    """
    chosen = ask.variable(variable)
    left, undecided = ask.possible()
    if undecided is None or not ask.json:
        order = ask.knowledge.problem.domains[chosen]
        values = [name_of(value) for value in order if value in left.get(chosen, ())]
        ask.answer({"variable": name_of(chosen), "values": values}, *values)
    if undecided:
        raise undecided


def count(ask: Ask) -> bool:
    r"""Print the number of possible worlds.

    \b
    Example:  deduce GAME count LOGFILE

    Exit code 1 if there is none.
    """
    number = ask.number(ask.knowledge.count)
    if isinstance(number, Estimate) and not number.exact:
        ask.answer({"exact": False, "worlds": number_json(number)}, str(number), ESTIMATED)
        return True
    exact = number.value if isinstance(number, Estimate) else number
    ask.answer({"worlds": str(exact)}, str(exact))
    return bool(exact)


@click.argument("claim", metavar="CLAIM", shell_complete=complete.facts)
def probability(ask: Ask, claim: str) -> None:
    r"""Print how probable a CLAIM is, as an exact fraction.

    \b
    Example:  deduce GAME probability EXAMPLE LOGFILE

    A CLAIM is VARIABLE=VALUE or VARIABLE!=VALUE; several of them joined by 'or', or by 'and';
    'exactly N of', 'at least N of' or 'at most N of' some, with commas between them; or a
    constraint in JSON. Worlds are weighted by the evidence.
    """
    stated = ask.claim(claim)
    found: Fraction | Estimate = ask.number(ask.knowledge.probability, stated)
    value = found.value if isinstance(found, Estimate) else found
    text = str(found)
    if isinstance(value, Fraction):
        text = f"{value} ({significant_percent(value, 4)})"
    document = {"claim": ask.knowledge.say(stated), "probability": number_json(found)}
    is_estimated = isinstance(found, Estimate) and not found.exact
    exact, note = ({"exact": False}, [ESTIMATED]) if is_estimated else ({}, [])
    ask.answer({**exact, **document}, text, *note)


@click.argument("fact", metavar="VARIABLE=VALUE", shell_complete=complete.facts)
@click.option("--steps", "in_steps", is_flag=True, help="Also show how it follows, step by step.")
def why(ask: Ask, fact: str, *, in_steps: bool = False) -> bool:
    r"""Prove a fact by the fewest events, or show what contradicts it.

    \b
    Example:  deduce GAME why EXAMPLE LOGFILE
              deduce GAME why --steps EXAMPLE LOGFILE

    Exit code 0: certain, with the proof. 1: impossible, with the proof; or open, with one world in
    which it holds and one in which it does not. VARIABLE!=VALUE asks for the opposite;
    several facts may be joined by 'or'.
    """
    claim = ask.claim(fact)
    found = ask.knowledge.why(claim)
    document, parts = why_json(found), [ask.look.why(ask.knowledge, found), *_examples(ask, found)]
    if in_steps and found.verdict in ("certain", "impossible"):
        from deduce.steps.proof import proof_of
        from deduce.steps.show import proof_text, steps_json

        certain = found.verdict == "certain"
        proof = proof_of(ask.knowledge, ask.knowledge.claim(claim), certain=certain)
        document |= {"proof": steps_json(proof)}
        parts += ["step by step:", proof_text(proof)]
    ask.answer(document, *parts)
    return found.verdict == "certain"


@click.argument("fact", metavar="VARIABLE=VALUE", shell_complete=complete.facts)
def why_not(ask: Ask, fact: str) -> bool:
    r"""Prove that a fact cannot be true, or show a world in which it is.

    \b
    Example:  deduce GAME why-not EXAMPLE LOGFILE

    Exit code 0: VARIABLE=VALUE is impossible, with the proof. 1: possible, with a world in which it
    holds. Several facts may be joined by 'or'.
    """
    knowledge, claim = ask.knowledge, ask.claim(fact)
    world = knowledge.asker.solve(knowledge.claim(claim)).value
    if world is None:
        found = knowledge.why(claim)
        ask.answer(why_json(found), ask.look.why(knowledge, found))
        return True
    found = Why(knowledge.say(claim), "possible", holds=world)
    ask.answer(why_json(found), ask.look.why(knowledge, found), *_examples(ask, found))
    return False


@whole_option("--limit", low=1, default=10, help="How many to list.")
def worlds(ask: Ask, limit: int) -> bool:
    r"""List possible worlds.

    \b
    Example:  deduce GAME worlds --limit 3 LOGFILE

    Exit code 1 if there is none.
    """
    listed: list[World] = []
    complete = False
    undecided: Undecided | None = None
    drawn: Iterator[World] = ask.knowledge.worlds()
    try:
        for world in drawn:
            if len(listed) == limit:
                break
            listed.append(world)
            if not ask.json:
                ask.print(ask.look.world(ask.knowledge, world))
        else:
            complete = True
    except Undecided as error:
        undecided = error
    except KeyboardInterrupt:
        undecided = Interrupted("interrupted")
    if ask.json:
        document: dict[str, object] = {"worlds": [world_json(world) for world in listed]}
        document["complete"] = complete
        if undecided:
            document["undecided"] = str(undecided)
        ask.answer(document)
    end_undecided(undecided)
    return bool(listed)


@whole_option("--number", low=1, high=MAX_SAMPLES, default=1, help="How many.")
@whole_option("--seed", default=0, help="The same seed and engine draw the same worlds.")
@click.option(
    "--uniform", is_flag=True, help="Make all worlds equally likely, whatever the posterior."
)
def sample(ask: Ask, number: int, seed: int, *, uniform: bool) -> None:
    r"""Draw worlds at random.

    \b
    Example:  deduce GAME sample --number 3 --seed 7 LOGFILE
    """
    drawn = ask.number(ask.knowledge.sample, number, seed=seed, weighted=not uniform)
    lines = [ask.look.world(ask.knowledge, world) for world in drawn]
    document: dict[str, object] = {"seed": seed, "worlds": [world_json(world) for world in drawn]}
    if isinstance(drawn, EstimatedWorlds) and not drawn.exact:
        document |= {"exact": False, "effective": drawn.effective}
        lines.append(
            f"~ drawn about as often as they weigh; worth {drawn.effective:.0f} independent draws"
        )
    ask.answer(document, *lines)


@click.option(
    "--by",
    type=click.Choice(RANKINGS),
    default=RANKINGS[0],
    show_default=True,
    help="Rank by expected information, by the fewest worlds left on average or in the worst case, "
    "or by the probability of being done.",
)
@advice_options("worlds")
def advise(
    ask: Ask,
    *,
    by: str,
    uniform: bool,
    samples: int | None,
    seed: int,
    limit: int,
    turns: int,
) -> None:
    r"""Rank the questions that can be asked now by how much their answers are expected to reveal.

    \b
    Example:  deduce GAME advise LOGFILE
              deduce GAME advise --by worst --limit 5 LOGFILE

    Every answer counts with its probability. Below the ranking you see what each answer to the
    first question would leave. With --turns 2 the best questions are rated two turns ahead,
    together with the best next question. The last line is the question that the game itself
    recommends, if it has one: more information does not always end a game sooner. A game that does
    not state which questions can be asked has no advice.
    """
    from deduce.policy.show import advice_json, advice_tables

    knowledge = ask.knowledge
    samples = ask.samples(samples)
    options: dict[str, Any] = {"weighted": not uniform, "samples": samples, "seed": seed}
    with usage():
        advice = knowledge.advise(by=by, **options, estimate=samples != 0)
    ranking = ((rated.inquiry, rated.gain_bits) for rated in advice.ranking)
    ahead, lines = turns_ahead(knowledge, ranking, turns, **options)
    document = advice_json(advice, limit) | {"numbers": "shares" if uniform else "posterior"}
    if asker := not advice.ranking and asker_of(knowledge):
        lines = [*lines, f"--as {asker} ranks what {asker} can ask"]
    if recommended := _recommended(knowledge, advice):
        document["recommended"] = recommended
        lines = [*lines, f"The game recommends: {recommended}"]
    ask.answer(document | ahead, *advice_tables(advice, limit, options=True), *lines)


def _recommended(knowledge: Knowledge, advice: Advice[Any]) -> str | None:
    """Return the question that the game prefers, if it states one and it can be computed."""
    favourite = hook(knowledge.game, Staged.favourite)
    if favourite is None or not advice.ranking:
        return None
    try:
        inquiry = favourite(knowledge)
    except (Undecided, Unsupported):
        return None
    return next((r.text for r in advice.ranking if r.inquiry == inquiry), None)


@file_option("--to", "path", help="Write to this file. [default: standard output]")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="The format. [default: cpsat for a FILE ending in .txt or .pbtxt, else dimacs]",
)
def model(ask: Ask, path: Path | None, form: str | None) -> None:
    r"""Export the problem for another solver, as DIMACS CNF or in the text format of CP-SAT.

    \b
    Example:  deduce GAME model LOGFILE --to evening.cnf
              deduce GAME model LOGFILE --to evening.pbtxt

    Every possible world is one solution of the exported problem. The names are kept: in comments
    of DIMACS, as names of variables and constraints in CP-SAT.
    """
    ending = "" if path is None else path.suffix
    chosen = form or ("cpsat" if ending in (".txt", ".pbtxt", ".textproto") else "dimacs")
    text = export(ask.knowledge, chosen)
    document = {"format": chosen, "lines": text.count("\n")}
    if path is None:
        ask.answer(document | {"text": text}, text.rstrip("\n"))
    else:
        replace_file(path, text)
        ask.answer(document | {"file": str(path)}, f"{path}: {plural(text.count(chr(10)), 'line')}")


def _examples(ask: Ask, why: Why) -> list[str]:
    """Return the example worlds of an explanation as lines."""
    return [
        f"  {name}: {ask.look.world(ask.knowledge, world)}" for name, world in why.examples.items()
    ]


COMMANDS: Mapping[str, Callable[..., bool | None]] = {
    "check": check,
    "slips": slips,
    "grid": grid,
    "progress": progress,
    "certain": certain,
    "possible": possible,
    "count": count,
    "probability": probability,
    "why": why,
    "why-not": why_not,
    "worlds": worlds,
    "sample": sample,
    "advise": advise,
    "model": model,
}
"""The functions by the names of their commands."""
