"""What an answer would say of the envelope: weights of every outcome with every solution.

Two exact ways to the same table: over a list of worlds, where each card and holder is one long int
with a bit a world; and by a joint distribution of the solution and the holders of the named cards,
where cards that are alike go together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, log2
from typing import TypeAlias

from attrs import frozen

from deduce.constraints import Weigh
from deduce.engines.base import Weight
from deduce.knowledge import Knowledge
from deduce.problem import World, is_true
from games.cluedo.rules import ENVELOPE, Cluedo

__all__ = ["Answer", "Columns", "Table", "by_joint", "entropy", "information"]

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
    after = 0.0
    for row in table.values():
        for solution, weight in row.items():
            before[solution] = before.get(solution, 0) + weight
    total = sum(before.values())
    for row in table.values():
        after += float(sum(row.values()) / total) * entropy(row, sizes)
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
        The worlds; their order does not matter.
    weights
        A whole number for each.
    parts
        The number of the part that each belongs to: each part gets a table of its own.
    """

    def __init__(
        self,
        game: Cluedo,
        worlds: Sequence[World],
        weights: Sequence[int],
        parts: Sequence[int] | None = None,
    ) -> None:
        keys = [
            (part, weight, tuple(card for card, holder in world.items() if holder == ENVELOPE))
            for world, weight, part in zip(
                worlds, weights, parts or [0] * len(worlds), strict=True
            )
        ]
        together: dict[tuple[int, int, Solution], list[World]] = {}
        for key, world in zip(keys, worlds, strict=True):
            together.setdefault(key, []).append(world)
        self.parts = 1 + max(parts or [0])
        self.runs: list[_Run] = []
        rows: list[World | None] = []
        for (part, weight, solution), members in together.items():
            start = len(rows) // 8
            rows += members
            rows += [None] * (-len(rows) % 8)  # so that each run is whole bytes
            self.runs.append(_Run(part, weight, solution, start, len(rows) // 8))
        self.bytes = len(rows) // 8
        number = {holder: i for i, holder in enumerate(game.holders)}
        self._number = number
        self._columns = {
            card: bytes(NO_WORLD if row is None else number[row[card]] for row in rows)
            for card in game.dealt
        }
        self._masks: dict[tuple[str, str], int] = {}
        self.all = int(bytes(48 + (row is not None) for row in rows), 2)

    def mask(self, card: str, holder: str) -> int:
        """Return the worlds in which the holder has the card."""
        mask = self._masks.get((card, holder))
        if mask is None:
            column = self._columns.get(card, b"0")  # a card that lies face up: in no world
            digits = bytearray(b"0" * 256)
            digits[self._number[holder]] = ord("1")
            mask = int(column.translate(digits), 2) if card in self._columns else 0
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
"""A row that fills up a byte."""


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


def whole_weights(knowledge: Knowledge, worlds: Sequence[World]) -> list[int]:
    """Return the weight of each world as a whole number, all on one scale."""
    weighs = [c for c in knowledge.problem.constraints() if isinstance(c, Weigh)]
    result = [1] * len(worlds)
    for weigh in weighs:
        scale = lcm(*(weight.denominator for weight in weigh.weights))
        scaled = [int(weight * scale) for weight in weigh.weights]
        for i, world in enumerate(worlds):
            result[i] *= scaled[sum(is_true(fact, world) for fact in weigh.facts)]
    return result


# By a joint distribution


def by_joint(
    knowledge: Knowledge,
    cards: Sequence[str],
    order: Sequence[str],
    marks: Mapping[str, Hashable],
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
    questions = []
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
        size = 1
        for mark, lump in zip(solution, lumps, strict=True):
            size *= len(lump[mark])
        sizes[solution] = size
        for answer, part in _answers(holders, order):
            row = table.setdefault(answer, {})
            row[solution] = row.get(solution, 0) + share * part
    return table, sizes


ASKED = object()
"""Stands for an answer that is not known beforehand."""


def _lumps(
    cards: Sequence[str], named: Sequence[str], marks: Mapping[str, Hashable]
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
