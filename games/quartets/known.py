"""Small positions for the search: what is known, as a set of deals, and who speaks.

The same moves as those of `games.quartets.position`, by sets of deals in place of deal forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from attrs import evolve, frozen

from deduce.errors import BadInput
from games.quartets.deal import Claim, DealForm, Layout
from games.quartets.position import Position, turn_after
from games.quartets.setup import Setup

__all__ = ["MAX_DEALS", "Known", "Worlds", "following", "known_of", "worlds_of"]


MAX_DEALS = 3**10
"""The most numbers of deals that a set has bits for: three players with ten cards."""


@cache
def worlds_of(table: Layout) -> Worlds | None:
    """Return the sets of deals of a game; ``None`` if there are too many deals.

    >>> from games.quartets.deal import layout
    >>> worlds_of(layout(4, (4,) * 13)) is None
    True
    """
    cards = len(table.group_of)
    fits = cards < 20 and table.players**cards <= MAX_DEALS
    return Worlds(table) if fits else None


@frozen(slots=False, eq=False)
class Worlds:
    """Sets of deals of one game, in which players, groups and cards are numbers.

    Examples
    --------
    >>> from games.quartets.deal import layout
    >>> worlds = Worlds(layout(2, (2, 2)))
    >>> start = worlds.dealt((2, 2), 0)
    >>> start.bit_count(), (start & worlds.holds[0][3]).bit_count()
    (6, 3)
    """

    table: Layout

    @cached_property
    def all(self) -> int:
        """Every way to give each card a holder, whatever the hands."""
        count: int = self.table.players ** len(self.table.group_of)
        return (1 << count) - 1

    @cached_property
    def holds(self) -> tuple[tuple[int, ...], ...]:
        """For each player and card, the deals in which the player holds the card."""
        players, cards = self.table.players, len(self.table.group_of)
        return tuple(
            tuple(_with_digit(players, cards, card, player) for card in range(cards))
            for player in range(players)
        )

    @cached_property
    def cards(self) -> tuple[range, ...]:
        """The cards of each group."""
        sizes = self.table.sizes
        return tuple(range(sum(sizes[:g]), sum(sizes[: g + 1])) for g in range(len(sizes)))

    @cached_property
    def some(self) -> tuple[tuple[int, ...], ...]:
        """For each player and group, the deals in which the player holds a card of the group."""
        return tuple(
            tuple(self.union(player, cards) for cards in self.cards)
            for player in range(self.table.players)
        )

    @cached_property
    def whole(self) -> tuple[tuple[int, ...], ...]:
        """For each player and group, the deals in which the player holds the whole group."""
        return tuple(
            tuple(self.counted(player, cards, len(cards), len(cards)) for cards in self.cards)
            for player in range(self.table.players)
        )

    def union(self, player: int, cards: range | list[int]) -> int:
        """Return the deals in which a player holds at least one of some cards."""
        deals = 0
        for card in cards:
            deals |= self.holds[player][card]
        return deals

    def counted(self, player: int, cards: range | list[int], low: int, high: int) -> int:
        """Return the deals in which a player holds from ``low`` to ``high`` of some cards."""
        exactly = [self.all] + [0] * len(cards)
        for card in cards:
            has = self.holds[player][card]
            exactly = [
                deals & ~has | (exactly[n - 1] & has if n else 0) for n, deals in enumerate(exactly)
            ]
        deals = 0
        for each in exactly[max(low, 0) : high + 1]:
            deals |= each
        return deals

    @cached_property
    def _dealt(self) -> dict[tuple[tuple[int, ...], int], int]:
        return {}

    def dealt(self, hands: tuple[int, ...], aside: int) -> int:
        """Return the deals with these hands, in which the groups of a bitmask are laid aside.

        Cards that are laid aside count for no hand; their digit is 0.
        """
        if (hands, aside) not in self._dealt:
            deals = self.all
            left: list[int] = []
            for group, cards in enumerate(self.cards):
                if aside >> group & 1:
                    deals &= self.whole[0][group]
                else:
                    left += cards
            for player, size in enumerate(hands):
                deals &= self.counted(player, left, size, size)
            self._dealt[hands, aside] = deals
        return self._dealt[hands, aside]

    def moved(self, deals: int, card: int, by: int, to: int) -> int:
        """Return the deals after a card went to another player, who had it in none of them."""
        shift: int = (to - by) * self.table.players**card
        return deals << shift if shift >= 0 else deals >> -shift

    def described(self, form: DealForm) -> int:
        """Return the deals that a deal form leaves."""
        return self.dealt(form.hands(), form.aside) & self.met(form.claims(), form.open)

    def met(self, claims: Iterable[Claim], unknown: int) -> int:
        """Return the deals that meet claims, in which the open cards are a bitmask."""
        deals = self.all
        for kind, player, thing, number in claims:
            if kind == "has":
                deals &= self.holds[player][thing]
            elif kind == "not":
                deals &= ~self.holds[player][thing]
            else:
                cards = [card for card in self.cards[thing] if unknown >> card & 1]
                low, high = (number, len(cards)) if kind == "least" else (0, number)
                deals &= self.counted(player, cards, low, high)
        return deals


def _with_digit(base: int, digits: int, place: int, value: int) -> int:
    """Return the set of all numbers of ``digits`` digits with a given digit at one place."""
    run: int = base**place
    size, found = run * base, ((1 << run) - 1) << (value * run)
    while size < base**digits:
        found = sum(found << (k * size) for k in range(base))
        size *= base
    return found


@frozen
class Known:
    """What is known about the cards, and who speaks."""

    deals: int
    """The deals that remain, as a set of `Worlds`."""
    hands: tuple[int, ...]
    aside: int
    """The groups laid aside, as a bitmask."""
    turn: int
    """The player with the turn; player 0 when all groups are laid aside."""
    question: tuple[int, int] | None
    last: int | None
    """The player asked last, where that can matter: if the player with the turn may come to have no
    cards before there is another question."""
    won: tuple[int, ...]
    """The players who laid a group aside, in order."""

    def is_over(self, worlds: Worlds) -> bool:
        """Return whether all groups are laid aside."""
        return self.aside == (1 << len(worlds.cards)) - 1


def known_of(worlds: Worlds, position: Position) -> Known:
    """Return what is known in a position.

    Raises
    ------
    BadInput
        A player has lost, or the game was ended by a rule about its length.
    """
    if position.out or position.over not in ("", "complete"):
        raise BadInput("positions in which a player has lost have no number")
    form = position.form
    known = Known(
        worlds.described(form),
        form.hands(),
        form.aside,
        position.turn or 0,
        position.question,
        position.last,
        tuple(player for player, _ in position.won),
    )
    return known if position.question else _settled(worlds, known)


def following(setup: Setup, worlds: Worlds, known: Known) -> Iterator[Known]:
    """Yield what is known after each statement that leaves a deal; none if the game is over."""
    if known.is_over(worlds):
        return
    if known.question is not None:
        yield from _answered(setup, worlds, known, *known.question)
        return
    by, hands = known.turn, known.hands
    groups = [group for group in range(len(worlds.cards)) if not known.aside >> group & 1]
    for group in groups:
        if known.deals & worlds.whole[by][group]:
            yield _declared(setup, worlds, known, group)
    others = [player for player, size in enumerate(hands) if size and player != by]
    deals = known.deals
    if setup.silence:
        for group in groups:
            deals &= ~worlds.whole[by][group]
    for group in groups:
        asked = deals & worlds.some[by][group]
        for card in worlds.cards[group]:
            left = asked if setup.ask_own else asked & ~worlds.holds[by][card]
            if left:
                for to in others:
                    yield evolve(known, deals=left, question=(to, card), last=to)


def _answered(setup: Setup, worlds: Worlds, known: Known, by: int, card: int) -> Iterator[Known]:
    to = known.turn
    yes = known.deals & worlds.holds[by][card]
    if yes:
        hands = list(known.hands)
        hands[by] -= 1
        hands[to] += 1
        deals = worlds.moved(yes, card, by, to)
        after = evolve(known, deals=deals, hands=tuple(hands), question=None)
        yield _passed(setup, worlds, after, to)
    no = known.deals & ~worlds.holds[by][card]
    if no:
        yield _passed(setup, worlds, evolve(known, deals=no, question=None), by)


def _declared(setup: Setup, worlds: Worlds, known: Known, group: int) -> Known:
    by, hands = known.turn, list(known.hands)
    deals = known.deals & worlds.whole[by][group]
    for card in worlds.cards[group]:
        deals = worlds.moved(deals, card, by, 0)
    hands[by] -= len(worlds.cards[group])
    after = evolve(
        known, deals=deals, hands=tuple(hands), aside=known.aside | 1 << group, won=(*known.won, by)
    )
    return _passed(setup, worlds, after, by)


def _passed(setup: Setup, worlds: Worlds, known: Known, to: int) -> Known:
    turn = turn_after(known.hands, to, known.last, setup.house)
    return _settled(worlds, evolve(known, turn=turn or 0))


def _settled(worlds: Worlds, known: Known) -> Known:
    """Return the same without the player asked last, if that cannot matter."""
    if known.last is None:
        return known
    emptied = {0}
    for group, cards in enumerate(worlds.cards):
        if not known.aside >> group & 1 and known.deals & worlds.whole[known.turn][group]:
            emptied |= {size + len(cards) for size in emptied}
    matters = not known.is_over(worlds) and known.hands[known.turn] in emptied
    return known if matters else evolve(known, last=None)
