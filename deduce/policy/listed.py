"""Rating questions over worlds side by side: all worlds, or worlds that were drawn.

The cells of `deduce.policy.rating` are dictionaries; `deduce.policy.arrays` does the same faster. A
game whose answers are determined by the world may have ``answer_table(inquiries, worlds)``, which
returns the answers that occur and an array of their indices: then `AnswerTable` rates all at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from math import log2, prod
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, evolve, frozen

from deduce.budget import UNLIMITED, Budget, Meter
from deduce.constraints import Fact, Number, Value, Variable
from deduce.errors import Undecided
from deduce.game import HiddenGame, Questions, Rated, hook
from deduce.policy.advice import UNKNOWN, computed
from deduce.policy.inquiries import Answer, Inquiry, answers_to, ends, reads_of, variables_read
from deduce.policy.joint import Target
from deduce.policy.rating import (
    Cell,
    Given,
    InquirySet,
    Left,
    OneByOne,
    Rating,
    Ratings,
    Weight,
    beyond_chance,
    entropy,
    in_units,
    information_without,
    jackknife,
    rate_cells,
)
from deduce.problem import World
from deduce.reasoning.estimating import Estimates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.reasoning.queries import Asker, Queries

__all__ = ["AnswerTable", "ListedWorlds", "drawn_in_runs", "drawn_worlds"]

FEW_STEPS = 800_000
"""What exact draws may spend before worlds are drawn in runs: about a third of a second."""

MANY_STEPS = 3_000_000
"""What draws in runs may spend before exact draws may spend everything."""

MAX_STATES = 2.0**32
"""Up to this estimate of the states of a sweep of hands, it alone is asked for draws."""

MAX_OUTCOMES = 200
"""Of how many answers it is stated what they leave, the most probable ones."""

Drawn: TypeAlias = tuple[Sequence[World], int]
"""Worlds, and the number of independent draws that they are worth."""


def drawn_worlds(
    knowledge: Queries, number: int, *, enough: int, seed: int, weighted: bool, is_large: bool
) -> Drawn:
    """Return worlds that are drawn by a sweep, or in runs where that would take too long.

    Parameters
    ----------
    knowledge
        What is known. Only the engine that it names is used, if it names one.
    number
        How many worlds.
    enough
        How many independent draws those in runs are worth at least, if exact draws are possible.
    seed
        The same seed gives the same draws.
    weighted
        Whether worlds count by the posterior.
    is_large
        Whether a short sweep is known to be undecided.

    Raises
    ------
    Undecided
        In no way worlds can be drawn within the budget.
    """
    budget = knowledge.budget

    def swept(within: Budget, engine: str = knowledge.engine) -> Drawn:
        asker = evolve(knowledge.asker, engine=engine, budget=within)
        return asker.sample(number, seed=seed, weighted=weighted).value, number

    def in_runs(within: Budget) -> Drawn:
        asker = evolve(knowledge.asker, budget=within)
        worlds, worth = drawn_in_runs(asker, number, seed=seed, weighted=weighted)
        if worth < enough:
            raise Undecided("too few worlds were drawn")
        return worlds, worth

    if knowledge.engine != "auto":
        return swept(budget)
    ways = [
        (swept, budget.at_most(FEW_STEPS)),
        (in_runs, budget.at_most(MANY_STEPS)),
        (swept, budget),
    ]
    if is_large and 0 < knowledge.asker.states_of_hands() < MAX_STATES:
        ways = ways[2:]
    elif is_large and knowledge.asker.lists_soon():
        ways = [(partial(swept, engine="auto:branches"), budget), *ways[2:]]
    elif is_large:
        ways = ways[1:]
    for way, within in ways:
        with suppress(Undecided):
            return way(within)
    return in_runs(budget)


def drawn_in_runs(asker: Asker, number: int, *, seed: int, weighted: bool) -> Drawn:
    """Return worlds that are drawn without a sweep, those of one run together.

    They are neighbours, so that parts of the worlds that are left out in turn are independent of
    each other. Raises `Undecided` where no world was found within the budget.
    """
    drawn = Estimates(asker, weighted=weighted, seed=seed).drawn(number)
    return drawn.in_runs(number, Random(seed)), max(1, int(min(drawn.draws, number)))


@define(slots=False, eq=False)
class ListedWorlds(OneByOne):
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
    drawn, drawn_from
        How many draws they are worth, if they are drawn; and from how many worlds, if it is known.
    meter
        Is looked at before each question.
    """

    game: HiddenGame
    domains: Mapping[Variable, Sequence[Value]]
    worlds: Sequence[World]
    weights: Sequence[int]
    targets: Sequence[Target]
    parts: int = 1
    drawn: int | None = None
    drawn_from: int | None = None
    meter: Meter = UNLIMITED

    @property
    def method(self) -> str:
        """Whether these are all worlds, or some that were drawn."""
        return "worlds" if self.drawn is None else "samples"

    @property
    def number(self) -> int:
        """How many worlds were listed or drawn."""
        return len(self.worlds) if self.drawn is None else self.drawn

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question; questions of one form share their answers."""
        gain, error, left = self._rated(inquiry, form, reads_of(self.game, inquiry))
        if self.parts > 1:
            total = sum(item.weight for item in left.values())
            left = {answer: self._estimated(item, total) for answer, item in left.items()}
        return Rating(gain, error, left)

    def entropy(self) -> tuple[float, float]:
        """Return the entropy of what is asked about, and its error if the worlds are drawn."""
        if self.parts == 1:
            total = sum(self.weights)
            return log2(total) - sum(w / total * log2(w) for w in self.weights), 0.0
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
        return Left(left.weight, log2(self.drawn_from) + log2(share), UNKNOWN, UNKNOWN)

    def _rated(
        self, inquiry: Inquiry, form: Hashable, reads: Sequence[Variable | Number] | None
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        """Return the information in bits, its error, and what each answer leaves."""
        size = len(self.worlds)
        scope = None if reads is None else variables_read(reads)
        given: dict[Hashable, Given] = {}
        keys: list[Hashable] = []
        for world in self.worlds:
            key: Hashable = len(keys) if scope is None else tuple(world[v] for v in scope)
            if key not in given:
                given[key] = answers_to(self.game, inquiry, world)
            keys.append(key)

        # Errors need no fractions, whose sums would take most of the time.
        rounded: dict[Hashable, Any] = {
            key: [(answer, float(share)) for answer, share in answers]
            for key, answers in given.items()
        }

        def rated(of: Mapping[Hashable, Given], leave_out: int | None = None) -> Any:
            cells: dict[Hashable, Cell] = {}
            for i, key in enumerate(keys):
                if leave_out is None or i * self.parts // size != leave_out:
                    self._count(cells.setdefault(key, Cell()), i)
            return rate_cells([(of[key], cell) for key, cell in cells.items()])

        def gains(labels: Sequence[Hashable]) -> list[float]:
            parts: list[dict[tuple[Answer, Hashable], float]] = [{} for _ in range(self.parts)]
            for i, (key, label) in enumerate(zip(keys, labels, strict=True)):
                part = parts[i * self.parts // size]
                for answer, share in rounded[key]:
                    cell = answer, label
                    part[cell] = part.get(cell, 0.0) + self.weights[i] * share
            return information_without(parts)

        gain, left = rated(given)
        if self.parts == 1:
            return gain, 0.0, left
        if not self.targets:
            return *jackknife(gain, [rated(rounded, part)[0] for part in range(self.parts)]), left
        solutions = self.solutions
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

    def _count(self, cell: Cell, i: int) -> None:
        weight = self.weights[i]
        cell.weight += weight
        cell.worlds = computed(cell.worlds) + 1
        if weight != 1:
            cell.log += weight * in_units(weight)
        if self.targets:
            row = cell.solutions = cell.solutions or {}
            row[self.solutions[i]] = row.get(self.solutions[i], 0) + weight


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


@frozen
class AnswerTable:
    """Worlds of equal weight, of which it is asked which one is true, in a game with a table.

    Parameters
    ----------
    groups
        The worlds; or, of a game that consists of independent groups of variables, those of each
        group: every combination of them is a world.
    """

    groups: Sequence[Sequence[World]]
    method = "worlds"

    @property
    def number(self) -> int:
        """How many worlds there are."""
        return prod(map(len, self.groups))

    def ratings(self, asked: InquirySet) -> Ratings:
        """Return the ratings of all questions at once."""
        made: dict[Hashable, _TableRatings] = {}
        tables = []
        for number, worlds in enumerate(self.groups):
            # What is known may be over, or not yet said, and then is answered in two ways.
            key: Hashable = frozenset(tuple(world.values()) for world in worlds)
            key = number if len(worlds) == 1 else key
            if key not in made:
                made[key] = _TableRatings(asked.game, asked.inquiries, worlds)
            tables.append(made[key])
        return tables[0] if len(tables) == 1 else _JoinedRatings(asked.game, tables)


@frozen
class _JoinedRatings:
    """The ratings of questions that ask independent groups of variables side by side."""

    game: HiddenGame
    tables: Sequence[_TableRatings]

    def values(self, by: str) -> list[tuple[float, float]]:
        """Return for each question its value and the probability that the answer ends the game.

        Bits add up, and so do the logarithms of expected and greatest numbers of worlds;
        probabilities are multiplied.
        """
        join = prod if by == "done" else sum
        each = zip(*(table.values(by) for table in self.tables), strict=True)
        return [(join(v for v, _ in row), prod(end for _, end in row)) for row in each]

    def rating(self, index: int) -> Rating:
        """Return the rating of a question; of very many answers, the most probable ones."""
        ratings = [table.rating(index) for table in self.tables]
        joined = hook(self.game, Rated.joined)
        assert joined is not None
        left: dict[tuple[Answer, ...], Left] = {(): Left(1, 0.0, 1, 1)}
        for rating in ratings:
            left = {
                (*answers, answer): Left(
                    mine.weight * other.weight,
                    computed(mine.bits) + computed(other.bits),
                    computed(mine.solutions) * computed(other.solutions),
                    computed(mine.worlds) * computed(other.worlds),
                )
                for answers, mine in left.items()
                for answer, other in rating.left.items()
            }
            order = sorted(left, key=lambda answers: -left[answers].weight)
            kept = order[:MAX_OUTCOMES] + [a for a in order[MAX_OUTCOMES:] if self._ends(index, a)]
            left = {answers: left[answers] for answers in kept}
        return Rating(
            sum(rating.gain for rating in ratings),
            0.0,
            {joined(answers): item for answers, item in left.items()},
            prod(table.total for table in self.tables),
        )

    def _ends(self, index: int, answers: Sequence[Answer]) -> bool:
        inquiry = self.tables[0].inquiries[index]
        return all(ends(self.game, inquiry, answer) for answer in answers)


class _TableRatings:
    def __init__(
        self, game: HiddenGame, inquiries: Sequence[Inquiry], worlds: Sequence[World]
    ) -> None:
        import numpy as np

        self.np = np
        self.game, self.inquiries = game, inquiries
        answer_table = hook(game, Rated.answer_table)
        assert answer_table is not None
        self.answers, codes = answer_table(inquiries, worlds)
        self.total = len(worlds)
        kinds = len(self.answers)
        rows = np.arange(len(inquiries))[:, None] * kinds + codes
        self.counts = np.bincount(
            np.asarray(rows.ravel(), np.intp), minlength=len(inquiries) * kinds
        ).reshape(len(inquiries), kinds)

    def values(self, by: str) -> list[tuple[float, float]]:
        """Return for each question its value and the probability that the answer ends the game."""
        np = self.np
        share = self.counts / self.total
        safe = np.where(self.counts > 0, self.counts, 1)
        if by == "information":
            value = -(share * np.log2(safe / self.total)).sum(axis=1)
        elif by == "expected":
            value = -np.log2((share * self.counts).sum(axis=1))
        elif by == "worst":
            value = -np.log2(self.counts.max(axis=1))
        else:
            value = (self.counts == 1).sum(axis=1) / self.total
        return list(zip((value + 0.0).tolist(), self._ends().tolist(), strict=True))

    def _ends(self) -> NDArray[np.float64]:
        chances = self.np.zeros(len(self.inquiries))
        if (is_end := hook(self.game, Questions.ends)) is not None:
            for i, inquiry in enumerate(self.inquiries):
                for code in self.np.nonzero(self.counts[i])[0].tolist():
                    if is_end(inquiry, self.answers[code]):
                        chances[i] += self.counts[i, code] / self.total
        return chances

    def rating(self, index: int) -> Rating:
        """Return the rating of a question by its index."""
        left = {
            answer: Left(int(count), log2(count), int(count), int(count))
            for answer, count in zip(self.answers, self.counts[index].tolist(), strict=True)
            if count
        }
        gain = sum(count.weight * log2(self.total / count.weight) for count in left.values())
        return Rating(gain / self.total, 0.0, left)
