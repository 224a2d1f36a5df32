"""Why a state is invalid: the smallest set of earlier statements that a statement contradicts.

Two kinds of reason. What lies open on the table (a card that was handed over, a group laid aside)
needs no proof: the statement that put it there is named. Everything else is proved by the core
(`deduce.explain`): a set of statements from which none can be left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from deduce.explain import Step, Why, quickxplain
from deduce.knowledge import Knowledge
from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.flow import find_deal
from games.quartets.position import Fault, Position, start_position, tell
from games.quartets.rules import Quartets
from games.quartets.slots import hand_cards

__all__ = ["Conflict", "conflict", "fits", "on_the_table", "spoken", "told", "why_invalid"]


@frozen
class Conflict:
    """A set of bare claims about open cards that no deal meets; none of them can be left out.

    Parameters
    ----------
    no
        ``(player, card)``: she does not hold it.
    has
        ``(player, group, number)``: she holds at least so many open cards of the group.
    most
        ``(player, group, number)``: she holds at most so many.
    """

    no: tuple[tuple[int, int], ...] = ()
    has: tuple[tuple[int, int, int], ...] = ()
    most: tuple[tuple[int, int, int], ...] = ()


def why_invalid(game: Quartets, log: Sequence[Event]) -> Why:
    """Return why the last statement of a log is a losing one.

    Parameters
    ----------
    game, log
        A transcript that ends with a losing statement; earlier ones were undone and say nothing.

    Raises
    ------
    ValueError
        The last statement leaves a deal.
    """
    positions = [start_position(game)]
    for event in log:
        positions.append(tell(game, positions[-1], event))
    fault = positions[-1].fault
    if fault is None:
        raise ValueError("the last statement leaves a deal: there is nothing to explain")
    seen = tuple(on_the_table(game, log, positions))
    if seen:
        last = Step(len(log), (spoken(game, positions[-2], log[-1]),))
        repairs = tuple(n for n in (*(s.event for s in seen), len(log)) if n is not None)
        return Why("", "contradiction", (*seen, last), repairs=repairs)
    return Knowledge(game, log).contradiction()


def on_the_table(
    game: Quartets, log: Sequence[Event], positions: Sequence[Position]
) -> Iterator[Step]:
    """Yield the statements that put on the table what the last statement denies.

    Nothing is yielded when the last statement is refuted by what was claimed, not by what lies
    open. ``positions`` are those before, between and after the statements.
    """
    before, event = positions[-2], log[-1]
    form, table = before.form, game.table
    by = game.player(event.by)
    others = [p for p in range(len(game.players)) if p != by]
    if isinstance(event, Answer):
        assert before.question is not None
        card = before.question[1]
        if not form.open >> card & 1:
            yield _moved(game, log, positions, card)
        return
    group = game.group(event.group) if isinstance(event, Quartet) else None
    if isinstance(event, Ask):
        card = game.card(event.card)
        group = table.group_of[card]
        if not game.ask_own and form.located[by] >> card & 1:
            yield _moved(game, log, positions, card)
            return
    assert group is not None
    if form.aside >> group & 1:
        number = next(n for n, position in enumerate(positions) if position.form.aside >> group & 1)
        yield Step(number, (spoken(game, positions[number - 1], log[number - 1]),))
        return
    if isinstance(event, Quartet):
        elsewhere = [p for p in others if form.located[p] & table.masks[group]]
        if elsewhere:
            held = form.located[elsewhere[0]] & table.masks[group]
            yield _moved(game, log, positions, (held & -held).bit_length() - 1)
        return
    mask = table.masks[group]
    if not (form.open | form.located[by]) & mask:
        # Every card of the group is known to be with others.
        yield from _all_moved(game, log, positions, mask)
        return
    for g in form.groups() if game.silence else ():
        if form.located[by] & table.masks[g] == table.masks[g]:
            yield from _all_moved(game, log, positions, table.masks[g])
            return


def _all_moved(
    game: Quartets, log: Sequence[Event], positions: Sequence[Position], cards: int
) -> list[Step]:
    """Return the statements that put these cards where they are, in order."""
    steps = {_moved(game, log, positions, card) for card in hand_cards(cards)}
    return sorted(steps, key=lambda step: step.event or 0)


def _moved(game: Quartets, log: Sequence[Event], positions: Sequence[Position], card: int) -> Step:
    """Return the statement that last put the card where it is, or out of the game."""
    for number in range(len(log) - 1, 0, -1):
        before, after = positions[number - 1].form, positions[number].form
        moved = any((a ^ b) >> card & 1 for a, b in zip(before.located, after.located, strict=True))
        if moved or (before.open ^ after.open) >> card & 1:
            return Step(number, (spoken(game, positions[number - 1], log[number - 1]),))
    raise AssertionError("a located card has been located by a statement")


def spoken(game: Quartets, position: Position, event: Event) -> str:
    """Return a statement as a sentence.

    >>> from games.quartets.rules import named_groups
    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> spoken(game, start_position(game), Ask("Ann", "Ben", "a1"))
    'Ann asked Ben for a1'
    """
    if isinstance(event, Ask):
        return f"{event.by} asked {event.to} for {event.card}"
    if isinstance(event, Quartet):
        return f"{event.by} declared {event.group}"
    card = "the card" if position.question is None else game.cards[position.question[1]]
    asker = "" if position.turn is None else f" to {game.players[position.turn]}"
    if event.yes:
        return f"{event.by} gave {card}{asker}"
    return f"{event.by} said no to {card}"


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
    """Return a minimal set of bare claims in an invalid state that no deal meets.

    The hand sizes and what lies on the table are taken as given. Cost: some tens of validity
    checks (QuickXplain).

    Raises
    ------
    ValueError
        The state is valid, or impossible at sight (its ``clash`` says why).
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
        excluded = form.open & ~form.may[p]
        for card in range(excluded.bit_length()):
            if excluded >> card & 1:
                yield "no", (p, card)
        for g, mask in enumerate(table.masks):
            if form.low[p][g]:
                yield "has", (p, g, form.low[p][g])
            if form.high[p][g] < (form.open & mask).bit_count():
                yield "most", (p, g, form.high[p][g])


def _gather(claims: Sequence[object]) -> Conflict:
    found: dict[str, list[tuple[int, ...]]] = {"no": [], "has": [], "most": []}
    for claim in claims:
        assert isinstance(claim, tuple)
        found[claim[0]].append(claim[1])
    return Conflict(**{kind: tuple(listed) for kind, listed in found.items()})  # type: ignore[arg-type]


def told(
    players: Sequence[str], cards: Sequence[str], groups: Sequence[str], claims: Conflict
) -> list[str]:
    """Return the claims as sentences.

    >>> told(["Ann"], ["a1"], ["a"], Conflict(no=((0, 0),), has=((0, 0, 1),)))
    ['Ann does not have a1', 'Ann has at least 1 open card of a']
    """

    def number(n: int) -> str:
        return f"{n} open card{'s'[: n != 1]}"

    return [
        *(f"{players[p]} does not have {cards[c]}" for p, c in claims.no),
        *(f"{players[p]} has at least {number(n)} of {groups[g]}" for p, g, n in claims.has),
        *(f"{players[p]} has at most {number(n)} of {groups[g]}" for p, g, n in claims.most),
    ]
