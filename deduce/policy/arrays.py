"""Rating questions over worlds side by side, with one number for each world in arrays.

What is counted are pairs of a world and an answer that it may give. All numbers stay below 2**53,
so that floats add them exactly. It is only imported where numpy is installed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import lcm, log2, prod

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray

from deduce.constraints import Number, Variable
from deduce.game import Rated, hook
from deduce.policy.inquiries import Answer, Inquiry, answers_to, variables_read
from deduce.policy.listed import ListedWorlds
from deduce.policy.rating import NOISE, Given, InquirySet, Left, Ratings, beyond_chance, jackknife
from deduce.problem import World

__all__ = ["WorldArrays", "log2_of", "sums_of", "x_log_x"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def sums_of(index: Ints, numbers: Floats, size: int) -> Floats:
    """Return the sum of the numbers with each index."""
    return np.bincount(np.asarray(index, np.intp), numbers, size).astype(np.float64, copy=False)


def x_log_x(numbers: Floats) -> Floats:
    """Return ``x * log2(x)`` of whole numbers, and 0 for 0."""
    return numbers * log2_of(numbers)


def log2_of(numbers: Floats) -> Floats:
    """Return the logarithm to the base 2 of each number, and 0 for 0."""
    return np.log2(numbers, where=numbers > 0, out=np.zeros(np.shape(numbers)))


MAX_KEYS = 1 << 16
"""Up to this number of combinations of values in a scope, each has a number of its own."""


MAX_CODES = 1 << 21
"""The number of answers that are asked for at once, where a game has a table of them."""


class Answers:
    """The answers of one form of question by its key: the values that the answer depends on.

    Parameters
    ----------
    size
        The number of keys.

    Attributes
    ----------
    numbers : dict
        The number of each answer.
    scale : int
        What the shares are multiplied by, to be whole numbers.
    """

    def __init__(self, size: int) -> None:
        self.known = np.zeros(size, np.bool_)
        self.answer = np.full((1, size), -1, np.int64)
        """The numbers of the first, second, ... answer of each key; -1: it has fewer."""
        self.share = np.zeros((1, size))
        """The probabilities of these answers, times the scale."""
        self.numbers: dict[Answer, int] = {}
        self.scale = 1

    def add(self, key: int, given: Given) -> None:
        """Add a key with its answers and their probabilities."""
        self.known[key] = True
        missing = len(given) - len(self.answer)
        if missing > 0:
            size = len(self.known)
            self.answer = np.concatenate([self.answer, np.full((missing, size), -1)])
            self.share = np.concatenate([self.share, np.zeros((missing, size))])
        scale = lcm(self.scale, *(share.denominator for _, share in given))
        if scale != self.scale:
            self.share *= scale // self.scale
            self.scale = scale
        for slot, (answer, share) in enumerate(given):
            self.answer[slot, key] = self.numbers.setdefault(answer, len(self.numbers))
            self.share[slot, key] = int(share * scale)


@frozen(eq=False)
class Pairs:
    """The pairs of a world and an answer that it may give.

    Parameters
    ----------
    world, answer
        The number of the world and that of the answer.
    share
        The probability of this answer in this world, times the scale.
    weight
        The weight of the world times the share.
    part
        The part that the world belongs to.
    """

    world: Ints
    answer: Ints
    share: Floats
    weight: Floats
    part: Ints


@frozen(eq=False)
class Labels:
    """What is asked about, in each world as a number.

    Parameters
    ----------
    label, kinds
        The number in each world, and how many there are.
    whole, without
        The sum of the weights, and that of ``x * log2(x)`` over the weight of each label: in all,
        and without each of the parts.
    """

    label: Ints
    kinds: int
    whole: tuple[float, float]
    without: list[tuple[float, float]]


@define(slots=False, eq=False)
class WorldArrays(ListedWorlds):
    """Worlds as arrays, over which questions are rated."""

    def __attrs_post_init__(self) -> None:
        self.size = len(self.worlds)
        self.floats = np.array(self.weights, np.float64)
        self.logs = self.floats * np.log2(self.floats)
        self.part = np.arange(self.size) * self.parts // max(self.size, 1)
        self._columns: dict[Variable, Ints] = {}
        self._answers: dict[Hashable, Answers] = {}
        self._given: dict[Hashable, Given] = {}
        self._table = hook(self.game, Rated.answer_table)
        self._coming: list[Inquiry] = []
        self._rows: dict[Inquiry, tuple[Ints, Answers]] = {}
        """The answers to some questions of a game with a table, by their numbers."""

    def ratings(self, asked: InquirySet) -> Ratings:
        """Return the ratings of questions; raises `Undecided` where the budget runs out."""
        self._coming = [asked.inquiries[i] for i in asked.first]
        return super().ratings(asked)

    def _rated(
        self, inquiry: Inquiry, form: Hashable, reads: Sequence[Variable | Number] | None
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        """Return the information in bits, its error, and what each answer leaves."""
        scope = None if reads is None else variables_read(reads)
        columns = [self._column(each) for each in reads or () if self._table is None]
        if self._table is not None:
            key, answers = self._by_table(inquiry)
        elif scope is None or prod(len(kinds) for _, kinds in columns) > MAX_KEYS:
            key, answers = self._by_world(inquiry, form, scope)
        else:
            key, answers = self._by_key(inquiry, form, scope, columns)
        return self._rate(key, answers, scope or ())

    def _by_table(self, inquiry: Inquiry) -> tuple[Ints, Answers]:
        """Return the answer in each world as a number, and the answers by number.

        The questions that follow are answered with it, as many as `MAX_CODES` allows.
        """
        if inquiry not in self._rows and self._table is not None:
            start = self._coming.index(inquiry) if inquiry in self._coming else None
            later = [inquiry] if start is None else self._coming[start:]
            part = later[: 1 + MAX_CODES // max(self.size, 1)]
            given, codes = self._table(part, self.worlds)
            answers = Answers(len(given))
            for number, answer in enumerate(given):
                answers.add(number, ((answer, Fraction(1)),))
            self._rows = {each: (row, answers) for each, row in zip(part, codes, strict=True)}
        return self._rows[inquiry]

    def _by_key(
        self,
        inquiry: Inquiry,
        form: Hashable,
        scope: tuple[Variable, ...],
        columns: Sequence[tuple[Ints, Sequence[Hashable]]],
    ) -> tuple[Ints, Answers]:
        """Return the key of each world, what is read as one number, and the answers by key."""
        key, size = np.zeros(self.size, np.int64), 1
        for column, kinds in columns:
            key, size = key * len(kinds) + column, size * len(kinds)
        same = (form, *(kinds for _, kinds in columns))
        if same not in self._answers:
            self._answers[same] = Answers(size)
        answers, example = self._answers[same], np.full(size, -1, np.int64)
        example[key] = np.arange(self.size)
        for number in np.flatnonzero((example >= 0) & ~answers.known).tolist():
            world = self.worlds[int(example[number])]
            answers.add(number, self._answers_to(inquiry, world, scope))
        return key, answers

    def _answers_to(
        self, inquiry: Inquiry, world: World, scope: tuple[Variable, ...]
    ) -> tuple[tuple[Answer, Fraction], ...]:
        """Return the answers where only the scope is seen; an answer that reads more fails."""
        return answers_to(self.game, inquiry, {variable: world[variable] for variable in scope})

    def _column(self, of: Variable | Number) -> tuple[Ints, Sequence[Hashable]]:
        """Return what is read in each world as a number, and what the numbers stand for."""
        if isinstance(of, Number):
            counted = np.zeros(self.size, np.int64)
            for fact, _ in of.terms:
                column, values = self._column(fact.variable)
                counted += np.array([(v in fact.values) != fact.negated for v in values])[column]
            return counted, range(len(of.terms) + 1)
        values = tuple(self.domains[of])
        if of not in self._columns:
            number = {value: i for i, value in enumerate(values)}
            self._columns[of] = np.array([number[world[of]] for world in self.worlds], np.int64)
        return self._columns[of], values

    def _by_world(
        self, inquiry: Inquiry, form: Hashable, scope: tuple[Variable, ...] | None
    ) -> tuple[Ints, Answers]:
        """Return the same where each world is asked by itself; equal answers have one key."""
        numbers: dict[Given, int] = {}
        key = []
        for world in self.worlds:
            given: Given
            if scope is None:
                given = answers_to(self.game, inquiry, world)
            else:
                seen = form, tuple(world[v] for v in scope)
                if seen not in self._given:
                    self._given[seen] = self._answers_to(inquiry, world, scope)
                given = self._given[seen]
            key.append(numbers.setdefault(tuple(given), len(numbers)))
        answers = Answers(len(numbers))
        for given, number in numbers.items():
            answers.add(number, given)
        return np.array(key, np.int64), answers

    def _pairs(self, key: Ints, answers: Answers) -> Pairs:
        numbers, which, shares = [], [], []
        for answer, share in zip(answers.answer, answers.share, strict=True):
            number = answer[key]
            some = np.flatnonzero(number >= 0)
            which.append(some)
            numbers.append(number[some])
            shares.append(share[key[some]])
        world, share = np.concatenate(which), np.concatenate(shares)
        weight = self.floats[world] * share
        return Pairs(world, np.concatenate(numbers), share, weight, self.part[world])

    def _rate(
        self, key: Ints, answers: Answers, scope: Sequence[Variable]
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        count = len(answers.numbers)
        if not count:
            return 0.0, 0.0, {}
        pairs = self._pairs(key, answers)
        totals = sums_of(pairs.answer, pairs.weight, count)
        worlds = solutions = np.bincount(np.asarray(pairs.answer, np.intp), minlength=count)
        error = 0.0
        if not self.targets:
            gains, bits = self._world_asked(pairs, totals, answers.scale)
            gain = gains[0]
            if self.parts > 1:
                gain, error = jackknife(gain, gains[1:])
        else:
            ends = [] if self.parts == 1 else self._without(totals, pairs.answer, pairs)
            ask = partial(self._asked, pairs, totals, ends, answers.scale)
            gains, bits, solutions = ask(self._solution)
            gain = gains[0]
            if self.parts > 1:
                named = self._named(scope)
                others = self._shuffled(named)
                chance, _, _ = ask(others)
                alone, _, _ = ask(named)
                total = totals.sum()
                answer_bits = log2(total) - x_log_x(totals).sum() / total
                gain, error = beyond_chance(gains, chance, alone, float(answer_bits))
        left = {
            answer: Left(
                int(totals[i]),
                float(bits[i]) if bits[i] > 1e-9 else 0.0,
                int(solutions[i]),
                int(worlds[i]),
            )
            for answer, i in answers.numbers.items()
            if totals[i]
        }
        return (gain if gain > NOISE else 0.0), error, left

    @cached_property
    def _labels(self) -> list[tuple[dict[Hashable, int], Ints]]:
        """For each target the numbers of its labels, and the one that is true in each world."""
        result = []
        for labels in zip(*self.solutions, strict=True):
            numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
            result.append((numbers, np.array([numbers[label] for label in labels], np.int64)))
        return result

    @cached_property
    def _solution(self) -> Labels:
        numbers = {label: i for i, label in enumerate(dict.fromkeys(self.solutions))}
        label = np.array([numbers[each] for each in self.solutions], np.int64)
        return self._labelled(label, len(numbers))

    def _named(self, scope: Sequence[Variable]) -> Labels:
        """Return the part of the solution that is about variables of a scope."""
        label, kinds = np.zeros(self.size, np.int64), 1
        for some, (numbers, column) in zip(self.named(scope), self._labels, strict=True):
            code = np.zeros(len(numbers), np.int64)
            named = [number for each, number in numbers.items() if each in some]
            code[named] = np.arange(1, len(named) + 1)
            label = label * (len(named) + 1) + code[column]
            kinds *= len(named) + 1
        if kinds > self.size:
            used, label = np.unique(label, return_inverse=True)
            kinds = len(used)
        return self._labelled(label, kinds)

    def _shuffled(self, named: Labels) -> Labels:
        """Return the solutions exchanged among the worlds in which a part of them is the same."""
        part = named.label
        if named.kinds < 1 << 15:  # sorted in linear time
            part = part.astype(np.int8 if named.kinds < 1 << 7 else np.int16)
        order = np.argsort(part, kind="stable")
        others = self._order[np.argsort(part[self._order], kind="stable")]
        label = np.empty_like(self._solution.label)
        label[order] = self._solution.label[others]
        return self._labelled(label, self._solution.kinds)

    @cached_property
    def _order(self) -> Ints:
        return np.array(self.shuffled, np.int64)

    def _labelled(self, label: Ints, kinds: int) -> Labels:
        table = sums_of(label, self.floats, kinds)
        whole = float(table.sum()), float(x_log_x(table).sum())
        if self.parts == 1:
            return Labels(label, kinds, whole, [])
        cell = self.part * kinds + label
        rows = table - sums_of(cell, self.floats, self.parts * kinds).reshape(self.parts, -1)
        sums, logs = rows.sum(axis=1).tolist(), x_log_x(rows).sum(axis=1).tolist()
        return Labels(label, kinds, whole, list(zip(sums, logs, strict=True)))

    def _asked(
        self, pairs: Pairs, totals: Floats, ends: Sequence[float], scale: int, labels: Labels
    ) -> tuple[list[float], Floats, Ints]:
        """Return the information in all, and without each part; bits and labels by answer.

        ``ends`` are the sums of ``x * log2(x)`` over the answers without each part.
        """
        count, kinds = len(totals), labels.kinds
        cell = pairs.answer * kinds + labels.label[pairs.world]
        table = sums_of(cell, pairs.weight, count * kinds)
        live = np.flatnonzero(table > 0)
        answer = live // kinds
        open_ = np.bincount(np.asarray(answer, np.intp), minlength=count)
        terms = x_log_x(table[live])
        sums = sums_of(answer, terms, count)
        bits = log2_of(totals) - np.divide(sums, totals, where=totals > 0, out=np.zeros(count))
        gains = [_gain(float(sums.sum()), float(x_log_x(totals).sum()), labels.whole, scale)]
        if self.parts > 1:
            number = np.empty(len(table), np.int64)
            number[live] = np.arange(len(live))
            rows = self._without(table[live], number[cell], pairs)
            for row, end, known in zip(rows, ends, labels.without, strict=True):
                gains.append(_gain(row, end, known, scale))
        return gains, bits, open_

    def _without(self, table: Floats, cell: Ints, pairs: Pairs) -> list[float]:
        """Return the sum of ``x * log2(x)`` of a table without each of the parts.

        ``cell`` is the place in the table of each pair.
        """
        size = len(table)
        by_part = sums_of(pairs.part * size + cell, pairs.weight, self.parts * size)
        left = table - by_part.reshape(self.parts, size)
        sums: list[float] = x_log_x(left).sum(axis=1).tolist()
        return sums

    def _world_asked(self, pairs: Pairs, totals: Floats, scale: int) -> tuple[list[float], Floats]:
        """Return the information and the bits where it is asked which world it is."""
        count = len(totals)
        share = pairs.share / scale
        log_share = np.log2(share)
        alone = totals / scale
        sums = sums_of(
            pairs.answer,
            share * (self.logs[pairs.world] + self.floats[pairs.world] * log_share),
            count,
        )
        bits = log2_of(alone) - np.divide(sums, alone, where=alone > 0, out=np.zeros(count))
        # The entropy of the answer, less what a player chooses in each world.
        chosen = pairs.weight * log_share
        total = totals.sum()
        gains = [float(log2(total) + (chosen.sum() - x_log_x(totals).sum()) / total)]
        if self.parts > 1:
            ends = self._without(totals, pairs.answer, pairs)
            sizes = total - sums_of(pairs.part, pairs.weight, self.parts)
            choices = chosen.sum() - sums_of(pairs.part, chosen, self.parts)
            for end, size, choice in zip(ends, sizes.tolist(), choices.tolist(), strict=True):
                gains.append(log2(size) + (choice - end) / size if size else 0.0)
        return gains, bits


def _gain(answers: float, ends: float, solution: tuple[float, float], scale: int) -> float:
    """Return the information that an answer gives about the solution.

    ``answers``, ``ends`` and the second number of ``solution`` are sums of ``x * log2(x)`` over the
    weights of pairs of answer and solution, of answers, and of solutions, the latter not scaled.
    """
    size, logs = solution
    if not size:
        return 0.0
    return log2(size) - logs / size + (answers - ends) / (size * scale)
