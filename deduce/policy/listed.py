"""Rating questions over worlds side by side: all worlds, or worlds that were drawn.

The cells of `deduce.policy.rating` are dictionaries; `deduce.policy.arrays` does the same faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from math import log2
from random import Random

from attrs import define, evolve

from deduce.constraints import Fact, Value, Variable
from deduce.game import HiddenGame
from deduce.policy.advice import UNKNOWN, computed
from deduce.policy.information import Weight, beyond_chance, entropy, jackknife
from deduce.policy.inquiries import Answer, Inquiry, answers_to, scope_of
from deduce.policy.joint import Target
from deduce.policy.rating import Cell, Given, Left, Rating, rate_cells
from deduce.problem import World

__all__ = ["ListedWorlds"]


@define(slots=False, eq=False)
class ListedWorlds:
    """Worlds with their weights, over which questions are rated.

    Parameters
    ----------
    game
        Answers the questions.
    domains
        The values that each variable may have.
    worlds
        The worlds.
    weights
        A whole number for each world.
    targets
        What is asked about; empty: which world it is.
    parts
        Of how many parts of equal size the worlds are drawn; 1: they are all worlds.
    drawn_from
        From how many worlds they are drawn, if they are and it is known.
    """

    game: HiddenGame
    domains: Mapping[Variable, Sequence[Value]]
    worlds: Sequence[World]
    weights: Sequence[int]
    targets: Sequence[Target]
    parts: int = 1
    drawn_from: int | None = None

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question; questions of one form share their answers."""
        gain, error, left = self._rated(inquiry, form, scope_of(self.game, inquiry))
        if self.parts > 1:
            total = sum(item.weight for item in left.values())
            left = {answer: self._estimated(item, total) for answer, item in left.items()}
        return Rating(gain, error, left)

    def entropy(self) -> tuple[float, float]:
        """Return the entropy of what is asked about, estimated from drawn worlds; its error."""
        size = len(self.worlds)
        parts: list[Counter[Hashable]] = [Counter() for _ in range(self.parts)]
        for i, solution in enumerate(self.solutions):
            parts[i * self.parts // size][solution] += self.weights[i]
        whole = sum(parts, Counter[Hashable]())
        return jackknife(entropy(whole), [entropy(whole - part) for part in parts])

    @cached_property
    def solutions(self) -> Sequence[tuple[Hashable, ...]]:
        """What is asked about, in each world: a label of each target."""
        labels = [
            [(label, fact) for label, facts in target.items() for fact in facts]
            for target in self.targets
        ]
        return list(zip(*(_true_labels(pairs, self.worlds) for pairs in labels), strict=True))

    def named(self, scope: Sequence[Variable]) -> list[set[Hashable]]:
        """Return the labels of each target that are about variables of a scope.

        Of a target that is about one variable, none: they would distinguish all its labels.
        """
        named = []
        for target in self.targets:
            about = {label: {fact.variable for fact in facts} for label, facts in target.items()}
            is_about_one = len(set[Variable]().union(*about.values())) == 1
            some = {label for label, variables in about.items() if variables.intersection(scope)}
            named.append(set() if is_about_one else some)
        return named

    @cached_property
    def shuffled(self) -> Sequence[int]:
        """The numbers of the worlds in a random order."""
        return Random(0).sample(range(len(self.worlds)), len(self.worlds))

    def _estimated(self, left: Left, total: Weight) -> Left:
        """Return what an answer leaves where the worlds are only a sample of all.

        ``total`` is the weight of all answers.
        """
        if self.targets:
            return evolve(left, worlds=UNKNOWN)
        if self.drawn_from is None:
            return Left(left.weight, UNKNOWN, UNKNOWN, UNKNOWN)
        share = float(left.weight) / float(total)
        return Left(left.weight, log2(self.drawn_from * share), UNKNOWN, UNKNOWN)

    def _rated(
        self, inquiry: Inquiry, form: Hashable, scope: tuple[Variable, ...] | None
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        """Return the information in bits, its error, and what each answer leaves."""
        size = len(self.worlds)
        given: dict[Hashable, Given] = {}
        keys: list[Hashable] = []
        for world in self.worlds:
            key: Hashable = len(keys) if scope is None else tuple(world[v] for v in scope)
            if key not in given:
                given[key] = answers_to(self.game, inquiry, world)
            keys.append(key)

        def rated(
            labels: Sequence[Hashable], leave_out: int | None = None
        ) -> tuple[float, Mapping[Answer, Left]]:
            cells: dict[Hashable, Cell] = {}
            for i, key in enumerate(keys):
                if leave_out is None or i * self.parts // size != leave_out:
                    self._count(cells.setdefault(key, Cell()), i, labels)
            return rate_cells([(given[key], cell) for key, cell in cells.items()])

        def gains(labels: Sequence[Hashable]) -> list[float]:
            return [rated(labels)[0], *(rated(labels, part)[0] for part in range(self.parts))]

        solutions = self.solutions
        gain, left = rated(solutions)
        if self.parts == 1:
            return gain, 0.0, left
        if not self.targets:
            return *jackknife(gain, gains(solutions)[1:]), left
        named = self.named(scope or ())
        part = [
            tuple(s if s in some else None for s, some in zip(solution, named, strict=True))
            for solution in solutions
        ]
        number = {label: i for i, label in enumerate(dict.fromkeys(part))}
        order = sorted(range(size), key=lambda i: number[part[i]])
        others = sorted(self.shuffled, key=lambda i: number[part[i]])
        swapped = dict(zip(order, others, strict=True))
        shuffled = [solutions[swapped[i]] for i in range(size)]
        bits = entropy({answer: item.weight for answer, item in left.items()})
        return *beyond_chance(gains(solutions), gains(shuffled), gains(part), bits), left

    def _count(self, cell: Cell, i: int, labels: Sequence[Hashable]) -> None:
        weight = self.weights[i]
        cell.weight += weight
        cell.worlds = computed(cell.worlds) + 1
        cell.log += weight * log2(weight)
        if self.targets:
            row = cell.solutions = cell.solutions or {}
            row[labels[i]] = row.get(labels[i], 0) + weight


def _true_labels(
    pairs: Sequence[tuple[Hashable, Fact]], worlds: Sequence[World]
) -> Iterator[Hashable]:
    """Yield for each world the first label whose fact holds; there is always one."""
    facts = [(label, fact.variable, fact.values, fact.negated) for label, fact in pairs]
    for world in worlds:
        for label, variable, values, negated in facts:  # `is_true`, but twice as fast
            if (world[variable] in values) != negated:
                yield label
                break
