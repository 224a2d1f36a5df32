"""What each answer to a suggestion would reveal: the weight of every answer with every solution.

There are two exact ways to the same table: over a list of deals, where each card and holder is one
long int with one bit for each deal; and by a joint distribution of the solution and the holders of
the named cards, where interchangeable cards are taken together. For deals that are drawn there is
an estimate of the information, with its bias removed and its standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, log2, prod, sqrt
from typing import Any, TypeAlias

from attrs import frozen

from deduce.constraints import Fact, Weigh, is_
from deduce.knowledge import Knowledge
from deduce.problem import World, number_of
from games.cluedo import ENVELOPE, Cluedo
from games.cluedo.knowledge import game_of

__all__ = [
    "AnswerTable",
    "Columns",
    "Shown",
    "Sizes",
    "entropy",
    "fits_columns",
    "information",
    "integer_weight",
    "jackknife",
    "summed",
    "table_by_joint",
]

Weight: TypeAlias = Fraction | int

Shown: TypeAlias = tuple[str, int] | None
"""An answer: who shows which of the named cards (by its index), or ``None``: no player shows."""

Solution: TypeAlias = tuple[Hashable, ...]
"""One card for each category, or one label for each category that represents several solutions."""

AnswerTable: TypeAlias = dict[Shown, dict[Solution, Weight]]
"""For each answer, the weight of each solution."""

Sizes: TypeAlias = Mapping[Solution, int]
"""How many equally probable solutions a label represents; by default one."""


# Bits of information


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


def information(table: AnswerTable, sizes: Sizes | None = None) -> float:
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
"""A smaller gain is a rounding error."""


def jackknife(tables: Sequence[AnswerTable]) -> tuple[float, float]:
    """Return the information in drawn deals without its bias, and its standard error.

    Each table is of one part of the draws. Source: Efron & Tibshirani, *An Introduction to the
    Bootstrap* (1993), ch. 11, leaving out one part of the sample at a time.
    """
    count = len(tables)
    whole = summed(tables)
    without = [information(_difference(whole, table)) for table in tables]
    mean = sum(without) / count
    error = sqrt((count - 1) / count * sum((gain - mean) ** 2 for gain in without))
    return max(0.0, count * information(whole) - (count - 1) * mean), error


def summed(tables: Sequence[AnswerTable]) -> AnswerTable:
    """Return the table of all deals of several tables."""
    whole: AnswerTable = {}
    for table in tables:
        for shown, row in table.items():
            total = whole.setdefault(shown, {})
            for solution, weight in row.items():
                total[solution] = total.get(solution, 0) + weight
    return whole


def _difference(whole: AnswerTable, part: AnswerTable) -> AnswerTable:
    rest = {shown: dict(row) for shown, row in whole.items()}
    for shown, row in part.items():
        for solution, weight in row.items():
            rest[shown][solution] -= weight
    return {shown: row for shown, row in rest.items() if any(row.values())}


# Over a list of deals


class Columns:
    """Deals side by side: for each card and holder one int, with one bit for every deal.

    Parameters
    ----------
    game
        Whose cards.
    deals
        Each with its weight, a whole number, and the number of the part to which it belongs: each
        part has its own table. The order does not matter.
    """

    def __init__(self, game: Cluedo, deals: Iterable[tuple[World, int, int]]) -> None:
        cards = game.dealt
        self._number = {holder: i for i, holder in enumerate(game.holders)}
        self._index = {card: i for i, card in enumerate(cards)}
        envelope = self._number[ENVELOPE]
        groups: dict[tuple[int, int, bytes], list[bytes]] = {}
        for deal, weight, part in deals:
            row = bytes([self._number[deal[card]] for card in cards])
            in_envelope = bytes(i for i, holder in enumerate(row) if holder == envelope)
            groups.setdefault((part, weight, in_envelope), []).append(row)
        self.runs: list[_Run] = []
        rows: list[bytes] = []
        padding = bytes([NO_DEAL]) * len(cards)
        for (part, weight, in_envelope), members in groups.items():
            start = len(rows) // 8
            rows += members
            rows += [padding] * (-len(rows) % 8)  # so that each run is whole bytes
            solution = tuple(cards[i] for i in in_envelope)
            self.runs.append(_Run(part, weight, solution, start, len(rows) // 8))
        self.parts = 1 + max((run.part for run in self.runs), default=0)
        self.bytes = len(rows) // 8
        self._rows = b"".join(rows)
        self._masks: dict[tuple[str, str], int] = {}
        self.all = int(bytes(ONE - (row is padding) for row in rows), 2)

    def mask(self, card: str, holder: str) -> int:
        """Return the deals in which the holder has the card."""
        mask = self._masks.get((card, holder))
        if mask is None:
            mask = 0  # for a card that is face up
            if card in self._index:
                digits = bytearray([ONE - 1]) * 256
                digits[self._number[holder]] = ONE
                mask = int(self._rows[self._index[card] :: len(self._index)].translate(digits), 2)
            self._masks[card, holder] = mask
        return mask

    def tables(self, cards: Sequence[str], order: Sequence[str]) -> list[AnswerTable]:
        """Return the table of each part, for these named cards and this order of answering."""
        whole = lcm(*range(1, len(cards) + 1))
        tables: list[AnswerTable] = [{} for _ in range(self.parts)]
        left = self.all
        for player in order:
            masks = [self.mask(card, player) & left for card in cards]
            for indices, deals in _combinations(masks):
                for run, count in self._by_run(deals):
                    share = count * run.weight * (whole // len(indices))
                    table = tables[run.part]
                    for index in indices:
                        row = table.setdefault((player, index), {})
                        row[run.solution] = row.get(run.solution, 0) + share
                left &= ~deals
        for run, count in self._by_run(left):
            row = tables[run.part].setdefault(None, {})
            row[run.solution] = row.get(run.solution, 0) + count * run.weight * whole
        return tables

    def _by_run(self, deals: int) -> Iterator[tuple[_Run, int]]:
        data = deals.to_bytes(self.bytes, "big")
        for run in self.runs:
            count = int.from_bytes(data[run.start : run.end], "big").bit_count()
            if count:
                yield run, count


NO_DEAL = 255
"""The holder in a row that only fills a byte."""

ONE = ord("1")


def fits_columns(game: Cluedo) -> bool:
    """Return whether cards and holders can be numbered by bytes."""
    return len(game.dealt) < NO_DEAL and len(game.holders) < NO_DEAL


@frozen
class _Run:
    """Deals with the same part, weight and solution: bytes from start to end."""

    part: int
    weight: int
    solution: Solution
    start: int
    end: int


def _combinations(masks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each set of indices, not empty, with the deals in which exactly these are held."""
    held = 0
    for mask in masks:
        held |= mask
    combinations: list[tuple[tuple[int, ...], int]] = [((), held)] if held else []
    for index, mask in enumerate(masks):
        combinations = [
            (extended, deals)
            for indices, before in combinations
            for extended, deals in (((*indices, index), before & mask), (indices, before & ~mask))
            if deals
        ]
    yield from combinations


def integer_weight(knowledge: Knowledge) -> Callable[[World], int]:
    """Return a function that gives the weight of a deal as a whole number, all on one scale."""
    scaled = []
    for constraint in knowledge.problem.constraints():
        if isinstance(constraint, Weigh):
            scale = lcm(*(weight.denominator for weight in constraint.weights))
            numbers = [int(weight * scale) for weight in constraint.weights]
            scaled.append((constraint, numbers))

    def weight(deal: World) -> int:
        return prod(numbers[number_of(weigh, deal)] for weigh, numbers in scaled)

    return weight


# By a joint distribution


def table_by_joint(
    knowledge: Knowledge,
    cards: Sequence[str],
    order: Sequence[str],
    numbers: Mapping[str, int],
    *,
    weighted: bool,
) -> tuple[AnswerTable, Sizes]:
    """Return the table for these named cards, and how many solutions each label represents.

    ``numbers`` are those of `games.cluedo.advice.interchangeable.interchangeable`.

    Raises
    ------
    Undecided
        The budget runs out.
    """
    possible = knowledge.possible()
    labels = [
        _labels([c for c in kind if c in possible and ENVELOPE in possible[c]], cards, numbers)
        for kind in game_of(knowledge).deck.values()
    ]
    roles = [
        {**dict.fromkeys(possible[card], ""), **{p: p for p in order if p in possible[card]}}
        if card in possible
        else {"": ""}
        for card in cards
    ]
    questions: list[Mapping[Any, list[Fact]]] = []
    known: list[Hashable] = []
    for label in labels:
        known.append(next(iter(label)) if len(label) == 1 else ASKED)
        if len(label) > 1:
            questions.append(
                {mark: [is_(card, ENVELOPE) for card in members] for mark, members in label.items()}
            )
    for card, role in zip(cards, roles, strict=True):
        known.append(next(iter(role.values())) if len(role) == 1 else ASKED)
        if len(role) > 1:
            domain = frozenset(knowledge.problem.domains[card])
            players = [player for player in order if player in domain]
            rest = domain.difference(players)
            questions.append(
                {player: [is_(card, player)] for player in players}
                | ({"": [is_(card, *rest)]} if rest else {})
            )
    joint = knowledge.joint(*questions, weighted=weighted)
    table: AnswerTable = {}
    sizes: dict[Solution, int] = {}
    for answers, share in joint.items():
        given = iter(answers)
        full = [next(given) if answer is ASKED else answer for answer in known]
        solution, holders = tuple(full[: len(labels)]), full[len(labels) :]
        sizes[solution] = prod(len(of[mark]) for mark, of in zip(solution, labels, strict=True))
        for shown, part in _answers(holders, order):
            row = table.setdefault(shown, {})
            row[solution] = row.get(solution, 0) + share * part
    return table, sizes


ASKED = object()
"""Stands for an answer that is not known beforehand."""


def _labels(
    cards: Sequence[str], named: Sequence[str], numbers: Mapping[str, int]
) -> dict[Hashable, list[str]]:
    """Return the cards that may be in the envelope by label.

    Cards that are interchangeable and not named have one label together.
    """
    labels: dict[Hashable, list[str]] = {}
    for card in cards:
        labels.setdefault(card if card in named else ("like", numbers[card]), []).append(card)
    return labels


def _answers(holders: Sequence[Hashable], order: Sequence[str]) -> Iterator[tuple[Shown, Fraction]]:
    for player in order:
        indices = [index for index, holder in enumerate(holders) if holder == player]
        if indices:
            for index in indices:
                yield (player, index), Fraction(1, len(indices))
            return
    yield None, Fraction(1)
