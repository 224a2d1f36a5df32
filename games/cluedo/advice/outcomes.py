"""What an answer would say of the envelope: weights of every outcome with every solution.

Two exact ways to the same table: over a list of worlds, where each card and holder is one long int
with a bit a world; and by a joint distribution of the solution and the holders of the named cards,
where cards that are alike go together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, log2, prod
from typing import TypeAlias

from attrs import frozen

from deduce.constraints import Weigh
from deduce.engines.base import Question, Weight
from deduce.knowledge import Knowledge
from deduce.problem import World, is_true
from games.cluedo.game import ENVELOPE, Cluedo

__all__ = [
    "Answer",
    "Columns",
    "Sizes",
    "Table",
    "by_joint",
    "entropy",
    "fits_columns",
    "information",
    "whole_weight",
]

Answer: TypeAlias = tuple[str, int] | None
"""Who shows which of the named cards (by its place among them), or ``None``: nobody."""

Solution: TypeAlias = tuple[Hashable, ...]
"""A card per category, or for several solutions alike a mark per category."""

Table: TypeAlias = dict[Answer, dict[Solution, Weight]]
"""For each answer, the weight of each solution."""

Sizes: TypeAlias = Mapping[Solution, int]
"""How many equally probable solutions go under one mark; what is missing stands for one."""


# Bits


def entropy(row: Mapping[Solution, Weight], sizes: Sizes | None = None) -> float:
    """Return the entropy of the solution in bits."""
    total = sum(row.values())
    sizes = sizes or {}
    bits = 0.0
    for solution, weight in row.items():
        if weight:
            share = float(weight / total)
            bits -= share * log2(share / sizes.get(solution, 1))
    return bits + 0.0


def information(table: Table, sizes: Sizes | None = None) -> float:
    """Return the bits of information that the answer is expected to give about the solution."""
    before: dict[Solution, Weight] = {}
    for row in table.values():
        for solution, weight in row.items():
            before[solution] = before.get(solution, 0) + weight
    total = sum(before.values())
    after = sum(float(sum(r.values()) / total) * entropy(r, sizes) for r in table.values())
    gain = entropy(before, sizes) - after
    return gain if gain > NOISE else 0.0


NOISE = 1e-12
"""Less is what rounding leaves of nothing."""


# Over a list of worlds


class Columns:
    """Worlds side by side: for each card and holder one int, with a bit for every world.

    Parameters
    ----------
    game
        Whose cards.
    worlds
        Each with its weight, a whole number, and the number of the part that it belongs to: each
        part gets a table of its own. The order does not matter.
    """

    def __init__(self, game: Cluedo, worlds: Iterable[tuple[World, int, int]]) -> None:
        cards = game.dealt
        self._number = {holder: i for i, holder in enumerate(game.holders)}
        self._place = {card: i for i, card in enumerate(cards)}
        envelope = self._number[ENVELOPE]
        together: dict[tuple[int, int, bytes], list[bytes]] = {}
        for world, weight, part in worlds:
            row = bytes([self._number[world[card]] for card in cards])
            found = bytes(i for i, holder in enumerate(row) if holder == envelope)
            together.setdefault((part, weight, found), []).append(row)
        self.runs: list[_Run] = []
        rows: list[bytes] = []
        nothing = bytes([NO_WORLD]) * len(cards)
        for (part, weight, found), members in together.items():
            start = len(rows) // 8
            rows += members
            rows += [nothing] * (-len(rows) % 8)  # so that each run is whole bytes
            solution = tuple(cards[i] for i in found)
            self.runs.append(_Run(part, weight, solution, start, len(rows) // 8))
        self.parts = 1 + max((run.part for run in self.runs), default=0)
        self.bytes = len(rows) // 8
        self._rows = b"".join(rows)
        self._masks: dict[tuple[str, str], int] = {}
        self.all = int(bytes(ONE - (row is nothing) for row in rows), 2)

    def mask(self, card: str, holder: str) -> int:
        """Return the worlds in which the holder has the card."""
        mask = self._masks.get((card, holder))
        if mask is None:
            mask = 0  # so it is for a card that lies face up
            if card in self._place:
                digits = bytearray([ONE - 1]) * 256
                digits[self._number[holder]] = ONE
                mask = int(self._rows[self._place[card] :: len(self._place)].translate(digits), 2)
            self._masks[card, holder] = mask
        return mask

    def tables(self, cards: Sequence[str], order: Sequence[str]) -> list[Table]:
        """Return the table of each part, for these named cards and who answers in which order."""
        whole = lcm(*range(1, len(cards) + 1))
        tables: list[Table] = [{} for _ in range(self.parts)]
        left = self.all
        for player in order:
            masks = [self.mask(card, player) & left for card in cards]
            for places, worlds in _combinations(masks):
                for run, number in self._by_run(worlds):
                    share = number * run.weight * (whole // len(places))
                    table = tables[run.part]
                    for place in places:
                        row = table.setdefault((player, place), {})
                        row[run.solution] = row.get(run.solution, 0) + share
                left &= ~worlds
        for run, number in self._by_run(left):
            row = tables[run.part].setdefault(None, {})
            row[run.solution] = row.get(run.solution, 0) + number * run.weight * whole
        return tables

    def _by_run(self, worlds: int) -> Iterator[tuple[_Run, int]]:
        data = worlds.to_bytes(self.bytes, "big")
        for run in self.runs:
            number = int.from_bytes(data[run.start : run.end], "big").bit_count()
            if number:
                yield run, number


NO_WORLD = 255
"""The holder in a row that fills up a byte."""

ONE = ord("1")


def fits_columns(game: Cluedo) -> bool:
    """Return whether cards and holders can be numbered by bytes."""
    return len(game.dealt) < NO_WORLD and len(game.holders) < NO_WORLD


@frozen
class _Run:
    """Worlds with the same part, weight and solution: bytes from start to end."""

    part: int
    weight: int
    solution: Solution
    start: int
    end: int


def _combinations(masks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each set of places, not empty, with the worlds in which exactly these are held."""
    held = 0
    for mask in masks:
        held |= mask
    found: list[tuple[tuple[int, ...], int]] = [((), held)] if held else []
    for place, mask in enumerate(masks):
        found = [
            (kept, worlds)
            for places, before in found
            for kept, worlds in (((*places, place), before & mask), (places, before & ~mask))
            if worlds
        ]
    yield from found


def whole_weight(knowledge: Knowledge) -> Callable[[World], int]:
    """Return what gives the weight of a world as a whole number, all on one scale."""
    scaled = []
    for constraint in knowledge.problem.constraints():
        if isinstance(constraint, Weigh):
            scale = lcm(*(weight.denominator for weight in constraint.weights))
            numbers = [int(weight * scale) for weight in constraint.weights]
            scaled.append((constraint.facts, numbers))

    def weight(world: World) -> int:
        return prod(
            numbers[sum(is_true(fact, world) for fact in facts)] for facts, numbers in scaled
        )

    return weight


# By a joint distribution


def by_joint(
    knowledge: Knowledge,
    cards: Sequence[str],
    order: Sequence[str],
    marks: Mapping[str, int],
    *,
    weighted: bool,
) -> tuple[Table, Sizes]:
    """Return the table for these named cards, and how many solutions stand behind each mark.

    Raises
    ------
    Undecided
        The budget does not reach.
    """
    game = knowledge.game
    assert isinstance(game, Cluedo)
    possible = knowledge.possible()
    lumps = [
        _lumps([c for c in kind if c in possible and ENVELOPE in possible[c]], cards, marks)
        for kind in game.deck.values()
    ]
    roles = [
        {**dict.fromkeys(possible[card], ""), **{p: p for p in order if p in possible[card]}}
        if card in possible
        else {"": ""}
        for card in cards
    ]
    questions: list[Question] = []
    known: list[Hashable] = []
    for lump in lumps:
        known.append(next(iter(lump)) if len(lump) == 1 else ASKED)
        if len(lump) > 1:
            questions.append(
                {
                    mark: [(card, frozenset([ENVELOPE])) for card in members]
                    for mark, members in lump.items()
                }
            )
    for card, role in zip(cards, roles, strict=True):
        known.append(next(iter(role.values())) if len(role) == 1 else ASKED)
        if len(role) > 1:
            domain = frozenset(knowledge.problem.domains[card])
            players = [player for player in order if player in domain]
            rest = domain.difference(players)
            questions.append(
                {player: [(card, frozenset([player]))] for player in players}
                | ({"": [(card, rest)]} if rest else {})
            )
    joint = knowledge.asker.joint(questions, weighted=weighted).value
    table: Table = {}
    sizes: dict[Solution, int] = {}
    for answers, share in joint.items():
        given = iter(answers)
        full = [next(given) if answer is ASKED else answer for answer in known]
        solution, holders = tuple(full[: len(lumps)]), full[len(lumps) :]
        sizes[solution] = prod(len(lump[mark]) for mark, lump in zip(solution, lumps, strict=True))
        for answer, part in _answers(holders, order):
            row = table.setdefault(answer, {})
            row[solution] = row.get(solution, 0) + share * part
    return table, sizes


ASKED = object()
"""Stands for an answer that is not known beforehand."""


def _lumps(
    cards: Sequence[str], named: Sequence[str], marks: Mapping[str, int]
) -> dict[Hashable, list[str]]:
    """Return the cards that may be in the envelope, those together that are alike and not named."""
    lumps: dict[Hashable, list[str]] = {}
    for card in cards:
        lumps.setdefault(card if card in named else ("like", marks[card]), []).append(card)
    return lumps


def _answers(
    holders: Sequence[Hashable], order: Sequence[str]
) -> Iterator[tuple[Answer, Fraction]]:
    for player in order:
        places = [place for place, holder in enumerate(holders) if holder == player]
        if places:
            for place in places:
                yield (player, place), Fraction(1, len(places))
            return
    yield None, Fraction(1)
