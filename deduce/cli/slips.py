"""The commands that doubt the log: whether it clashes, and what in it is probably wrong."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

from deduce.cli.ask import Ask, check_slips
from deduce.cli.numbers import whole_option
from deduce.errors import DeduceError, Undecided
from deduce.game import Slip, Slips, hook
from deduce.reasoning.doubts import with_doubts
from deduce.show.jsonable import why_json
from deduce.show.sheet import ESTIMATED
from deduce.show.table import Table, percent
from deduce.system.text import plural

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["check", "slips"]


def check(ask: Ask, *, consistent: bool | None = None) -> bool:
    r"""Check whether the log is consistent; if not, show which events clash and what resolves it.

    \b
    Example:  deduce GAME check LOGFILE

    Exit code 0: consistent. 1: a contradiction; the events shown cannot all be true, and leaving
    out any one of them resolves this clash. The log is checked as it is; --slips only sets the
    rates by which events that are probably wrong are ranked.
    """
    doubting = ask.knowledge
    knowledge = doubting.doubting(None)
    ask.warn()
    if consistent is None:  # a game may have decided it by a method of its own
        consistent = knowledge.is_consistent()
    document: dict[str, object] = {"consistent": consistent, "events": len(knowledge.log)}
    if consistent:
        number = len(knowledge.log)
        ask.answer(document, f"consistent: {plural(number, 'event')}")
        return True
    try:
        why = knowledge.contradiction()
    except (Undecided, KeyboardInterrupt):
        message = "contradiction; which events clash is not known within the limit"
        ask.answer(document | {"why": None}, message)
        return False
    parts: list[str | Table] = [ask.look.why(knowledge, why)]
    document["why"] = why_json(why)
    try:
        suspects = [s for s in with_doubts(doubting).slips() if s.probability >= SUSPECT]
    except (DeduceError, KeyboardInterrupt):
        suspects = []  # they are an addition: the contradiction is answered without them
    if suspects:
        document["slips"] = [slip_json(doubting, slip) for slip in suspects]
        parts.append(slips_table(doubting, suspects))
    ask.answer(document, *parts)
    return False


SUSPECT = Fraction(1, 20)
"""From which probability on a slip is named as the repair of a contradiction."""


def slip_json(knowledge: Knowledge, slip: Slip) -> dict[str, object]:
    """Return a slip as JSON data; probabilities are numbers."""
    return {
        "event": slip.event,
        "answer": slip.answer,
        "probability": float(slip.probability),
        **({} if slip.estimate is None else {"error": slip.estimate.error}),
        "instead": [
            {"says": says, "probability": float(share)}
            for says, share in alternatives(knowledge, slip)
        ],
    }


def alternatives(knowledge: Knowledge, slip: Slip) -> Sequence[tuple[str, Fraction]]:
    """Return what may be right instead, in the game's own words where it has them."""
    instead = hook(knowledge.game, Slips.instead)
    if instead is not None and slip.exact:  # else the posterior that it asks for takes long, too
        with suppress(Undecided):
            return tuple(instead(with_doubts(knowledge), slip))
    return [(says or "it is not so", share) for says, share in slip.instead if share]


def slips_table(knowledge: Knowledge, slips: Sequence[Slip]) -> Table:
    """Return answers that may be wrong, with what may be right instead, one below the other."""
    rows = []
    overlap = False
    for slip in slips:
        named = alternatives(knowledge, slip)[:NAMED]
        overlap = overlap or sum(share for _, share in named) > slip.probability
        first, *rest = [f"{percent(share)} {says}" for says, share in named] or [""]
        wrong = percent(slip.estimate or slip.probability)
        rows.append((str(slip.event), slip.answer, wrong, first))
        rows += [("", "", "", other) for other in rest]
    head = ("event", "answer", "wrong", "what may be right")
    return Table(head, rows, notes=(OVERLAP,) if overlap else (), left=(0, 1, 3))


OVERLAP = "Several of these may be true together, so they can sum to more than the whole."
NAMED = 3
"""How many alternatives of one answer the table names."""


@whole_option("--limit", low=1, default=10, help="How many answers to show.")
def slips(ask: Ask, *, limit: int) -> bool:
    r"""Rank the events by the probability that they are wrong, with alternatives that may be right.

    \b
    Example:  deduce GAME slips LOGFILE
              deduce GAME slips --slips 0.02 --limit 3 LOGFILE

    People overlook things, mishear and mistype. Each answer in the log is wrong at the rate that
    the game declares (1 % if it declares none), or at that of --slips; slips are independent of
    each other.

    Exit code 0: no event is more probably wrong than right. 1: some event is.
    """
    knowledge = with_doubts(ask.knowledge)
    check_slips(knowledge)
    ranked = ask.number(knowledge.slips)
    shown = ranked[:limit]
    document: dict[str, object] = {}
    exact = all(slip.exact for slip in ranked)
    if ask.json:
        document = {"slips": [slip_json(knowledge, slip) for slip in shown]}
        document |= {} if exact else {"exact": False}
    table = slips_table(knowledge, shown) if not ask.json else ""
    rest = f"{len(ranked) - limit} more; --limit shows them" if len(ranked) > limit else ""
    ask.answer(document, table, *([rest] if rest else []), *([] if exact else [ESTIMATED]))
    return not ranked or ranked[0].probability <= Fraction(1, 2)
