"""Positions of a small game as numbers of 64 bits, and the moves of many of them.

A number states what is known and who speaks. All that can be known after statements that leave a
deal is: for each card the players who may hold it; for each player and group whether they are
known to hold at least one of the cards that are not certain, and whether they are known not to hold
all of them (docs/games/quartets.md, section 6). Cards and groups are sorted, so that their names
make no difference. The player asked last is part of it only where that can still matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Literal

from attrs import frozen

from deduce.errors import BadInput
from deduce.search.digits import Digits
from games.quartets.deal import Claim, claimed_form
from games.quartets.known import Known, Worlds, following, known_of, worlds_of
from games.quartets.position import Position, start_position, winner_of
from games.quartets.setup import Setup

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
    return packing if packing.form.size * packing.rest.size <= 2**64 else None


class Packing:
    """The numbers of the positions of one game, which is itself a game whose states are `Known`.

    Parameters
    ----------
    setup, goal
        The game, and what counts in it; see `games.quartets.search.QuartetsGame`.
    worlds
        Its sets of deals.
    """

    def __init__(self, setup: Setup, goal: Literal["groups", "win"], worlds: Worlds) -> None:
        self.setup, self.goal, self.worlds = setup, goal, worlds
        table = worlds.table
        self.players, self.sizes, cards = table.players, table.sizes, len(table.group_of)
        # Groups of equal size can change places.
        self.order = sorted(range(len(self.sizes)), key=lambda group: self.sizes[group])
        masks = range(1, 1 << self.players)
        self.suits = {
            size: list(combinations_with_replacement(masks, size)) for size in set(self.sizes)
        }
        """For each size of group, all sorted lists of who may hold its cards, as bitmasks."""
        self.indices = {suit: n for suits in self.suits.values() for n, suit in enumerate(suits)}
        # Of a group its suit and two bits of bounds for each player, or 0 where it is laid aside.
        groups = (len(self.suits[self.sizes[g]]) * 4**self.players + 1 for g in self.order)
        self.form = Digits((*groups, *(cards + 1,) * (self.players - 1)))
        """The canonical groups in their order, and all sizes of hands but the last."""
        said = self.players + 1 + self.players * cards  # the player asked last or none; a question
        if goal == "win":
            won = (self.players,) * len(self.sizes)
        else:
            won = (len(self.sizes) + 1,) * (self.players - 1)
        self.rest = Digits((self.players, said, *won))
        """The turn, what was said last, and who laid groups aside."""
        self._forms: dict[tuple[int, int], _Form] = {}
        self._groups: dict[tuple[int, int], int] = {}

    # From what is known to numbers

    def pack(self, known: Known) -> int:
        """Return the number of what is known."""
        form = self._forms.get((known.deals, known.aside))
        if form is None:
            if len(self._forms) * (self.worlds.all.bit_length() // 8 + 1000) > MEMORY:
                self._forms.clear()
            form = self._forms[known.deals, known.aside] = self._form(known)
        if known.question is not None:
            to, card = known.question
            cards = len(self.worlds.table.group_of)
            said = self.players + 1 + to * cards + form.slots[card]
        else:
            said = self.players if known.last is None else known.last
        if self.goal == "win":
            won = [0] * (len(self.sizes) - len(known.won)) + list(known.won)
        else:
            won = [known.won.count(player) for player in range(self.players - 1)]
        return form.number * self.rest.size + self.rest.pack((known.turn, said, *won))

    def _form(self, known: Known) -> _Form:
        """Return the canonical form of what is known about the cards."""
        numbers, slots, first = [], {}, 0
        groups = sorted((size, *self._group(known, g)) for g, size in enumerate(self.sizes))
        for index, (size, own, cards) in enumerate(groups):
            numbers.append(own)
            if index and groups[index - 1][:2] != (size, own):
                first = sum(each[0] for each in groups[:index])
            suit = [holders for holders, _ in cards]
            for holders, card in cards:
                slots[card] = first + suit.index(holders)
        return _Form(self.form.pack((*numbers, *known.hands[:-1])), slots)

    def _group(self, known: Known, group: int) -> tuple[int, list[tuple[int, int]]]:
        """Return the number of a group, and its cards in order with their possible holders."""
        if known.aside >> group & 1:
            return 0, []
        deals, holds, bounds = known.deals, self.worlds.holds, 0
        cards = sorted(
            (sum(1 << p for p in range(self.players) if deals & holds[p][card]), card)
            for card in self.worlds.cards[group]
        )
        for player in range(self.players):
            unsure = _unsure(cards, player)
            if unsure:
                bounds |= (not deals & ~self.worlds.union(player, unsure)) << 2 * player
                every = deals
                for card in unsure:
                    every &= holds[player][card]
                bounds |= (not every) << 2 * player + 1
        suit = self.indices[tuple(holders for holders, _ in cards)]
        return suit * 4**self.players + bounds + 1, cards

    # From numbers to what is known

    def unpack(self, code: int) -> Known:
        """Return what is known by a number."""
        form, rest = divmod(code, self.rest.size)
        numbers, hands, aside = self._parts(form)
        turn, said, *won = self.rest.unpack(rest)
        laid_aside = aside.bit_count()
        if self.goal == "win":
            won = won[len(won) - laid_aside :]
        else:
            won = [player for player, count in enumerate(won) for _ in range(count)]
            won += [self.players - 1] * (laid_aside - len(won))
        question, last = None, said if said < self.players else None
        if said > self.players:
            last, slot = divmod(said - self.players - 1, len(self.worlds.table.group_of))
            question = last, [card for g in self.order for card in self.worlds.cards[g]][slot]
        deals = self.worlds.dealt(hands, aside)
        for group, own in numbers.items():
            if own:
                deals &= self._deals(group, own)
        return Known(deals, hands, aside, turn, question, last, tuple(won))

    def _parts(self, form: int) -> tuple[dict[int, int], tuple[int, ...], int]:
        """Return the number of each group, the sizes of the hands, and the groups laid aside."""
        digits = self.form.unpack(form)
        numbers = dict(zip(self.order, digits, strict=False))
        hands = digits[len(numbers) :]
        left = sum(self.sizes[group] for group, own in numbers.items() if own)
        aside = sum(1 << group for group, own in numbers.items() if not own)
        return numbers, (*hands, left - sum(hands)), aside

    def _deals(self, group: int, own: int) -> int:
        """Return the deals that the number of a group leaves."""
        if (group, own) not in self._groups:
            claims = list(self._claims(group, own))
            certain = sum(1 << card for kind, _, card, _ in claims if kind == "has")
            self._groups[group, own] = self.worlds.met(claims, ~certain)
        return self._groups[group, own]

    def _claims(self, group: int, own: int) -> Iterator[Claim]:
        """Yield what the number of a group states."""
        suit, bounds = divmod(own - 1, 4**self.players)
        holders = self.suits[self.sizes[group]][suit]
        cards = list(zip(holders, self.worlds.cards[group], strict=True))
        for player in range(self.players):
            for holders_of, card in cards:
                if holders_of == 1 << player:
                    yield "has", player, card, 1
                elif not holders_of >> player & 1:
                    yield "not", player, card, 1
            if bounds >> 2 * player & 1:
                yield "least", player, group, 1
            if bounds >> 2 * player + 1 & 1:
                yield "most", player, group, len(_unsure(cards, player)) - 1

    # Positions

    def number(self, position: Position) -> int:
        """Return the number of a position.

        Raises
        ------
        BadInput
            Statements that leave a deal do not lead to the position.
        """
        known = known_of(self.worlds, position)
        code = self.pack(known)
        if self.unpack(code).deals.bit_count() != known.deals.bit_count():
            raise BadInput("what is known about the cards cannot follow from statements")
        return code

    def position(self, code: int) -> Position:
        """Return a position of a number."""
        known = self.unpack(code)
        numbers, hands, _ = self._parts(code // self.rest.size)
        claims: list[Claim] = []
        for group, own in numbers.items():
            if own:
                claims += self._claims(group, own)
        form = claimed_form(self.worlds.table, hands, claims, known.aside)
        over = known.is_over(self.worlds)
        aside = [group for group, own in numbers.items() if not own]
        return Position(
            form,
            None if over else known.turn,
            known.question,
            known.last,
            tuple(zip(known.won, aside, strict=True)),
            over="complete" if over else "",
        )

    # The game whose states are `Known`

    def to_move(self, known: Known) -> int:
        """Return the player who has to speak."""
        return known.turn if known.question is None else known.question[0]

    def actions(self, known: Known) -> Sequence[Known]:
        """Return what is known after each statement that leaves a deal."""
        return list(following(self.setup, self.worlds, known))

    def result(self, known: Known, action: Known) -> Known:
        """Return what is known after a statement, which is the statement here."""
        return action

    def utility(self, known: Known) -> tuple[float, ...] | None:
        """Return what each player has, once all groups are laid aside."""
        return self.secured(known) if known.is_over(self.worlds) else None

    def secured(self, known: Known) -> tuple[float, ...]:
        """Return what each player has already, however the game goes on."""
        players = range(self.players)
        if self.goal == "groups":
            return tuple(float(known.won.count(player)) for player in players)
        winner = winner_of(known.won) if known.is_over(self.worlds) else None
        return tuple(float(player == winner) for player in players)

    def tier(self, known: Known) -> int:
        """Return a number that grows with what is known and with the groups laid aside."""
        deals: int = self.worlds.all.bit_length() ** STEPS
        left: int = known.deals.bit_count() ** STEPS
        steps = deals.bit_length() - left.bit_length()
        return steps * (len(self.sizes) + 1) + known.aside.bit_count()

    def initial_state(self) -> Known:
        """Return what is known before the first statement."""
        return known_of(self.worlds, start_position(self.setup))


def _unsure(cards: list[tuple[int, int]], player: int) -> list[int]:
    """Return the cards that a player may hold but does not hold for certain."""
    own = 1 << player
    return [card for holders, card in cards if holders & own and holders != own]
