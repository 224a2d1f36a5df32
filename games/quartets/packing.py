"""Positions of a small game as numbers of 64 bits, and the moves of many of them.

A number states what is known and who speaks. All that can be known after statements that leave a
deal is: for each card the players who may hold it; for each player and group whether they are
known to hold at least one of the cards that are not certain, and whether they are known not to hold
all of them (docs/games/quartets.md, section 6). Cards and groups are sorted, so that their names
make no difference. The player asked last is part of it only where that can still matter.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import prod
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from deduce.errors import BadInput
from games.quartets.deal import stated_form
from games.quartets.known import Known, Worlds, following, known_of, worlds_of
from games.quartets.position import Position, winner_of
from games.quartets.setup import Setup

if TYPE_CHECKING:
    from deduce.search.tiers.table import Codes, Expansion

__all__ = ["Packing", "packing_of"]

STEPS = 4
"""How many tiers a halving of the number of deals is divided into."""
MEMORY = 100_000_000
"""How many bytes the forms that are kept may take, about."""


@frozen
class _Form:
    """The canonical form of a set of deals: its number, and where the cards are in it."""

    number: int
    slots: dict[int, int]
    """Card -> the first place in the canonical order that is equal to its place."""


@cache
def packing_of(setup: Setup, goal: Literal["groups", "win"]) -> Packing | None:
    """Return how the positions of a game are packed; ``None`` if it is too large."""
    worlds = worlds_of(setup.table)
    if worlds is None or setup.limit is not None:
        return None
    packing = Packing(setup, goal, worlds)
    return packing if packing.states <= 2**64 else None


@frozen(slots=False, eq=False)
class Packing:
    """The numbers of the positions of one game."""

    setup: Setup
    goal: Literal["groups", "win"]
    worlds: Worlds
    _forms: dict[tuple[int, int], _Form] = field(factory=dict, init=False)
    _groups: dict[tuple[int, int], int] = field(factory=dict, init=False)

    @cached_property
    def _players(self) -> int:
        return self.worlds.table.players

    @cached_property
    def _cards(self) -> int:
        return len(self.worlds.table.group_of)

    # How a number is made up

    @cached_property
    def _order(self) -> list[int]:
        """The groups by size: those of equal size can change places."""
        sizes = self.worlds.table.sizes
        return sorted(range(len(sizes)), key=lambda group: sizes[group])

    @cached_property
    def _suits(self) -> dict[int, list[tuple[int, ...]]]:
        """For each size of group, all sorted lists of who may hold its cards, as bitmasks."""
        masks = range(1, 1 << self._players)
        return {
            size: list(combinations_with_replacement(masks, size))
            for size in set(self.worlds.table.sizes)
        }

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        """The index of each list of `_suits` in its list."""
        return {suit: n for suits in self._suits.values() for n, suit in enumerate(suits)}

    @cached_property
    def _bounds(self) -> int:
        """How many combinations of bounds a group can have: two bits for each player."""
        count: int = 4**self._players
        return count

    @cached_property
    def _radices(self) -> list[int]:
        """How many numbers a group can have, in their order; 0 is: laid aside."""
        sizes = self.worlds.table.sizes
        return [len(self._suits[sizes[group]]) * self._bounds + 1 for group in self._order]

    @cached_property
    def _turns(self) -> int:
        """How many turns there are: with a question, or else with the player asked last or none."""
        return self._players * (self._players + 1 + self._players * self._cards)

    @cached_property
    def _results(self) -> int:
        """How many ways there are in which groups can have been laid aside, at most."""
        groups = len(self.worlds.cards)
        if self.goal == "win":
            count: int = self._players**groups
        else:
            count = (groups + 1) ** (self._players - 1)
        return count

    @cached_property
    def states(self) -> int:
        """More than the largest number of a position."""
        hands: int = (self._cards + 1) ** (self._players - 1)
        return hands * self._turns * self._results * prod(self._radices)

    # From what is known to numbers

    def number(self, known: Known) -> int:
        """Return the number of what is known."""
        form = self._form(known)
        if known.question is not None:
            to, card = known.question
            said = self._players + 1 + to * self._cards + form.slots[card]
        else:
            said = self._players if known.last is None else known.last
        turn = known.turn * (self._turns // self._players) + said
        return (form.number * self._turns + turn) * self._results + self._result(known.won)

    def tier(self, known: Known) -> int:
        """Return a number that grows with what is known and with the groups laid aside."""
        deals: int = self.worlds.all.bit_length() ** STEPS
        left: int = known.deals.bit_count() ** STEPS
        steps = deals.bit_length() - left.bit_length()
        return steps * (len(self.worlds.cards) + 1) + known.aside.bit_count()

    def _result(self, won: tuple[int, ...]) -> int:
        number = 0
        if self.goal == "win":
            for player in won:
                number = number * self._players + player
        else:
            for player in range(self._players - 1):
                number = number * (len(self.worlds.cards) + 1) + won.count(player)
        return number

    def _form(self, known: Known) -> _Form:
        """Return the canonical form of what is known about the cards."""
        form = self._forms.get((known.deals, known.aside))
        if form is None:
            if len(self._forms) * (self.worlds.all.bit_length() // 8 + 1000) > MEMORY:
                self._forms.clear()
            form = self._forms[known.deals, known.aside] = self._new_form(known)
        return form

    def _new_form(self, known: Known) -> _Form:
        number, slots = 0, {}
        sizes = self.worlds.table.sizes
        groups = sorted((sizes[group], *self._group(known, group)) for group in range(len(sizes)))
        for radix, (size, own, cards) in zip(self._radices, groups, strict=True):
            number = number * radix + own
            same = next(index for index, each in enumerate(groups) if each[:2] == (size, own))
            first = sum(each[0] for each in groups[:same])
            suit = [holders for holders, _ in cards]
            for holders, card in cards:
                slots[card] = first + suit.index(holders)
        for hand in known.hands[:-1]:
            number = number * (self._cards + 1) + hand
        return _Form(number, slots)

    def _group(self, known: Known, group: int) -> tuple[int, list[tuple[int, int]]]:
        """Return the number of a group, and its cards in order with their possible holders."""
        if known.aside >> group & 1:
            return 0, []
        deals, holds, bounds = known.deals, self.worlds.holds, 0
        cards = sorted(
            (sum(1 << p for p in range(self._players) if deals & holds[p][card]), card)
            for card in self.worlds.cards[group]
        )
        for player in range(self._players):
            unsure = _unsure(cards, player)
            if unsure:
                bounds |= (not deals & ~self.worlds.union(player, unsure)) << 2 * player
                every = deals
                for card in unsure:
                    every &= holds[player][card]
                bounds |= (not every) << 2 * player + 1
        suit = self._numbers[tuple(holders for holders, _ in cards)]
        return suit * self._bounds + bounds + 1, cards

    # From numbers to what is known

    def known(self, code: int) -> Known:
        """Return what is known by a number."""
        form, turn, result = self._parts(code)
        numbers, hands = self._form_parts(form)
        aside = 0
        for group, own in zip(self._order, numbers, strict=True):
            aside |= (not own) << group
        deals = self.worlds.dealt(hands, aside)
        for group, own in zip(self._order, numbers, strict=True):
            if own:
                deals &= self._deals(group, own)
        turn, said = divmod(turn, self._turns // self._players)
        question = last = None
        if said < self._players:
            last = said
        elif said > self._players:
            last, slot = divmod(said - self._players - 1, self._cards)
            question = last, [card for g in self._order for card in self.worlds.cards[g]][slot]
        won = self._won(result, aside.bit_count())
        return Known(deals, hands, aside, turn, question, last, won)

    def _parts(self, code: int) -> tuple[int, int, int]:
        rest, result = divmod(code, self._results)
        return *divmod(rest, self._turns), result

    def _form_parts(self, form: int) -> tuple[list[int], tuple[int, ...]]:
        """Return the numbers of the groups, in their order, and the sizes of the hands."""
        hands: list[int] = []
        numbers: list[int] = []
        for _ in range(self._players - 1):
            form, hand = divmod(form, self._cards + 1)
            hands.insert(0, hand)
        for radix in reversed(self._radices):
            form, own = divmod(form, radix)
            numbers.insert(0, own)
        sizes = self.worlds.table.sizes
        left = sum(sizes[g] for g, own in zip(self._order, numbers, strict=True) if own)
        return numbers, (*hands, left - sum(hands))

    def _suit(self, group: int, own: int) -> tuple[list[tuple[int, int]], int]:
        """Return the cards of a group with their possible holders, and its bounds."""
        suit, bounds = divmod(own - 1, self._bounds)
        suits = self._suits[self.worlds.table.sizes[group]]
        return list(zip(suits[suit], self.worlds.cards[group], strict=True)), bounds

    def _deals(self, group: int, own: int) -> int:
        """Return the deals that the number of a group leaves."""
        if (group, own) not in self._groups:
            cards, bounds = self._suit(group, own)
            deals = self.worlds.all
            for holders, card in cards:
                deals &= self.worlds.held(card, holders)
            for player in range(self._players):
                unsure = _unsure(cards, player)
                low, high = bounds >> 2 * player & 1, len(unsure) - (bounds >> 2 * player + 1 & 1)
                if low or high < len(unsure):
                    deals &= self.worlds.counted(player, unsure, low, high)
            self._groups[group, own] = deals
        return self._groups[group, own]

    def _won(self, result: int, aside: int) -> tuple[int, ...]:
        won: list[int] = []
        if self.goal == "win":
            for _ in range(aside):
                result, player = divmod(result, self._players)
                won.insert(0, player)
            return tuple(won)
        for player in reversed(range(self._players - 1)):
            result, count = divmod(result, len(self.worlds.cards) + 1)
            won = [player] * count + won
        return (*won, *[self._players - 1] * (aside - len(won)))

    # Positions

    def pack(self, position: Position) -> int:
        """Return the number of a position.

        Raises
        ------
        BadInput
            Statements that leave a deal do not lead to the position.
        """
        known = known_of(self.worlds, position)
        code = self.number(known)
        if self.known(code).deals.bit_count() != known.deals.bit_count():
            raise BadInput("what is known about the cards cannot follow from statements")
        return code

    def unpack(self, code: int) -> Position:
        """Return a position of a number."""
        known = self.known(code)
        numbers, hands = self._form_parts(self._parts(code)[0])
        table = self.worlds.table
        may, located = [0] * self._players, [0] * self._players
        low = [[0] * len(table.sizes) for _ in may]
        high = [list(table.sizes) for _ in may]
        aside = []
        for group, own in zip(self._order, numbers, strict=True):
            if not own:
                aside.append(group)
                continue
            cards, bounds = self._suit(group, own)
            for holders, card in cards:
                for player in range(self._players):
                    where = located if holders == 1 << player else may
                    where[player] |= (holders >> player & 1) << card
            for player in range(self._players):
                low[player][group] = bounds >> 2 * player & 1
                if bounds >> 2 * player + 1 & 1:
                    high[player][group] = len(_unsure(cards, player)) - 1
        form = stated_form(
            table, hands, located=located, may=may, low=low, high=high, aside=known.aside
        )
        over = known.is_over(self.worlds)
        return Position(
            form,
            None if over else known.turn,
            known.question,
            known.last,
            tuple(zip(known.won, aside, strict=True)),
            over="complete" if over else "",
        )

    # Many positions at once

    def expand(self, codes: Codes) -> Expansion:
        """Return the moves of an array of numbers; see `deduce.search.tiers.table`."""
        import numpy as np

        from deduce.search.tiers.table import OPEN, Expansion, Moves

        table: dict[tuple[float, ...], int] = {}
        movers, ends, secured = [], [], []
        slots: list[tuple[list[int], list[int], list[int]]] = []
        for index, code in enumerate(codes.tolist()):
            known = self.known(code)
            own = table.setdefault(self.secured(known), len(table))
            secured.append(own)
            ends.append(own if known.is_over(self.worlds) else OPEN)
            movers.append(known.turn if known.question is None else known.question[0])
            after: dict[int, int] = {}
            for child in following(self.setup, self.worlds, known):
                after[self.number(child)] = self.tier(child)
            while len(slots) < len(after):
                slots.append(([], [], []))
            for (sources, numbers, tiers), (number, tier) in zip(
                slots, after.items(), strict=False
            ):
                sources.append(index)
                numbers.append(number)
                tiers.append(tier)
        return Expansion(
            np.array(movers, np.int8),
            np.array(ends, np.int16),
            list(table),
            [
                Moves(np.array(each, np.int64), np.array(after, np.uint64), np.array(tiers))
                for each, after, tiers in slots
            ],
            np.array(secured, np.int16),
        )

    def secured(self, known: Known) -> tuple[float, ...]:
        """Return what each player has already, however the game goes on."""
        players = range(self._players)
        if self.goal == "groups":
            return tuple(float(known.won.count(player)) for player in players)
        winner = winner_of(known.won) if known.is_over(self.worlds) else None
        return tuple(float(player == winner) for player in players)


def _unsure(cards: list[tuple[int, int]], player: int) -> list[int]:
    """Return the cards that a player may hold but does not hold for certain."""
    own = 1 << player
    return [card for holders, card in cards if holders & own and holders != own]
