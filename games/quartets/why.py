"""Why a state is invalid: the smallest set of earlier statements that a statement contradicts.

Commands and pages ask `games.quartets.verdict.reason`.

There are two kinds of reasons. What is public (a card that was handed over, a group laid aside)
needs no proof: the statement that caused it is named. Everything else in a log is proved by the
core (`deduce.reasoning.explain`): a set of statements from which none can be left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from deduce.knowledge import Knowledge
from deduce.reasoning.conflicts import quickxplain
from deduce.reasoning.explain import Step, Why
from deduce.system.text import plural
from games.quartets.deal import DealForm
from games.quartets.events import Event
from games.quartets.evidence import Names, log_problem, public_reasons
from games.quartets.flow import find_deal
from games.quartets.position import Fault, Position
from games.quartets.setup import Setup
from games.quartets.slots import hand_cards
from games.quartets.wording import sentence

__all__ = ["Conflict", "claim_lines", "conflict", "fits", "why_invalid"]


@frozen
class Conflict:
    """A set of claims about open cards that no deal meets; none of them can be left out.

    Parameters
    ----------
    no
        ``(player, card)``: the player does not hold it.
    has
        ``(player, group, number)``: the player holds at least this number of its open cards.
    most
        ``(player, group, number)``: the player holds at most this number of them.
    """

    no: tuple[tuple[int, int], ...] = ()
    has: tuple[tuple[int, int, int], ...] = ()
    most: tuple[tuple[int, int, int], ...] = ()


def why_invalid(game: Setup, log: Sequence[Event], positions: Sequence[Position]) -> Why:
    """Return why the last statement of a log is a losing one.

    Parameters
    ----------
    game, log
        A transcript that ends with a losing statement; earlier ones were undone and say nothing.
    positions
        The positions before, between and after the statements.

    Raises
    ------
    ValueError
        The last statement leaves a deal.
    """
    if positions[-1].fault is None:
        raise ValueError("the last statement leaves a deal: there is nothing to explain")
    reasons = tuple(public_reasons(game, log, positions))
    if reasons:
        last = Step(len(log), (sentence(game, positions[-2], log[-1]),))
        repairs = tuple(n for n in (*(s.event for s in reasons), len(log)) if n is not None)
        return Why("", "contradiction", (*reasons, last), repairs=repairs)
    return Knowledge(log_problem(game, log, positions)).contradiction()


def fits(form: DealForm, claims: Conflict) -> bool:
    """Return whether some deal of the open cards meets the claims, with the hands as they are."""
    table = form.table
    may = [form.open] * table.players
    low = [[0] * len(table.sizes) for _ in may]
    high = [list(table.sizes) for _ in may]
    for player, card in claims.no:
        may[player] &= ~(1 << card)
    for player, group, number in claims.has:
        low[player][group] = max(low[player][group], number)
    for player, group, number in claims.most:
        high[player][group] = min(high[player][group], number)
    for lows, highs in zip(low, high, strict=True):
        if any(a > b for a, b in zip(lows, highs, strict=True)):
            return False
    deal = find_deal(
        table,
        tuple(may),
        form.places,
        tuple(map(tuple, low)),
        tuple(map(tuple, high)),
        (0,) * table.players,
    )
    return deal is not None


def conflict(fault: Fault | DealForm) -> Conflict:
    """Return a minimal set of claims in an invalid state that no deal meets.

    The hand sizes and what is public are taken as given. Cost: some tens of validity checks
    (QuickXplain).

    Raises
    ------
    ValueError
        The state is valid, or its ``clash`` already names the reason.
    """
    form = fault.form if isinstance(fault, Fault) else fault
    claims = list(_claims(form))
    if form.clash or fits(form, _gather(claims)):
        raise ValueError(form.clash or "the state is valid")

    def check(chosen: Sequence[object]) -> dict[object, object] | None:
        return {} if fits(form, _gather(chosen)) else None

    return _gather(quickxplain(check, claims))


def _claims(form: DealForm) -> Iterator[tuple[str, tuple[int, ...]]]:
    table = form.table
    for p in range(table.players):
        for card in hand_cards(form.open & ~form.may[p]):
            yield "no", (p, card)
        for g, mask in enumerate(table.masks):
            if form.low[p][g]:
                yield "has", (p, g, form.low[p][g])
            if form.high[p][g] < (form.open & mask).bit_count():
                yield "most", (p, g, form.high[p][g])


def _gather(claims: Sequence[object]) -> Conflict:
    kinds: dict[str, list[tuple[int, ...]]] = {"no": [], "has": [], "most": []}
    for claim in claims:
        assert isinstance(claim, tuple)
        kinds[claim[0]].append(claim[1])
    return Conflict(**{kind: tuple(listed) for kind, listed in kinds.items()})  # type: ignore[arg-type]


def claim_lines(names: Names, claims: Conflict) -> list[str]:
    """Return the claims as sentences.

    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([1, 1]))
    >>> claim_lines(game, Conflict(no=((0, 0),), has=((0, 0, 1),)))
    ['Ann does not have a1', 'Ann has at least 1 open card of a']
    """
    lines = [f"{names.players[p]} does not have {names.cards[c]}" for p, c in claims.no]
    for word, bounds in (("least", claims.has), ("most", claims.most)):
        for p, g, number in bounds:
            cards = f"{plural(number, 'open card')} of {names.group_names[g]}"
            lines.append(f"{names.players[p]} has at {word} {cards}")
    return lines
