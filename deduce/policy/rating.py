"""Rating one question: what its answers reveal, from the worlds sorted by what the answer reads.

The worlds come as *cells*: for each combination of the values that the answer depends on (a *key*)
and each solution, the weight and the number of the worlds. `rate_cells` rates them in plain Python,
with exact weights of any size. `deduce.policy.arrays` does the same with arrays.

A `Rater` is one way to rate the questions of a game; `deduce.policy.advise` chooses among them. It
makes the `Ratings` of all questions at once; a `Rating` is that of one, without words, and its `of`
makes the `deduce.policy.advice.RatedInquiry` that users get, with ``gain_bits``.

What an answer is expected to reveal is measured in bits. The measure is mutual information (Cover
and Thomas, *Elements of Information Theory*, 2006, ch. 2): the entropy of the solution now, minus
its expected entropy once the answer is known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import hypot, lcm, log2, prod, sqrt
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from attrs import define, frozen

from deduce.budget import UNLIMITED, Meter
from deduce.constraints import Variable, Weigh
from deduce.errors import Undecided
from deduce.game import HiddenGame, Questions, hook
from deduce.policy.advice import UNKNOWN, Outcome, RatedInquiry, Unknown, all_known
from deduce.policy.inquiries import Answer, Inquiry, ends, format_answer, format_inquiry
from deduce.problem import World, number_of

if TYPE_CHECKING:
    from deduce.reasoning.queries import Queries

__all__ = [
    "NOISE",
    "Cell",
    "Given",
    "InquirySet",
    "Left",
    "OneByOne",
    "Rater",
    "Rating",
    "Ratings",
    "Sizes",
    "SolutionTable",
    "Weight",
    "beyond_chance",
    "entropy",
    "in_units",
    "information",
    "information_without",
    "integer_weight",
    "jackknife",
    "rate_cells",
]


Weight: TypeAlias = Fraction | int

SolutionTable: TypeAlias = Mapping[Hashable, Mapping[Hashable, Weight]]
"""For each answer, the weight of each solution."""

Sizes: TypeAlias = Mapping[Hashable, int]
"""How many equally probable solutions a label represents; by default one."""

NOISE = 1e-12
"""A smaller gain is a rounding error."""


def entropy(row: Mapping[Hashable, Weight], sizes: Sizes | None = None) -> float:
    """Return the entropy in bits of what has these weights.

    >>> entropy({"Plum": 1, "Green": 1, "White": 2})
    1.5
    """
    total = sum(row.values()) or 1
    sizes = sizes or {}
    bits = 0.0
    for solution, weight in row.items():
        share = float(weight / total)
        if share:  # a positive one may be below all floats
            bits -= share * log2(share / sizes.get(solution, 1))
    return bits + 0.0


def information(table: SolutionTable, sizes: Sizes | None = None) -> float:
    """Return the bits of information that the answer is expected to give about the solution.

    >>> information({"yes": {"Plum": 1}, "no": {"Green": 1}})
    1.0
    """
    before: dict[Hashable, Weight] = {}
    for row in table.values():
        for solution, weight in row.items():
            before[solution] = before.get(solution, 0) + weight
    total = sum(before.values())
    after = sum(float(sum(r.values()) / total) * entropy(r, sizes) for r in table.values())
    gain = entropy(before, sizes) - after
    return gain if gain > NOISE else 0.0


def information_without(parts: Sequence[Mapping[tuple[Hashable, Hashable], float]]) -> list[float]:
    """Return the information in all parts of a table together, and leaving out each of them.

    A part has weights by answer and solution. Only what a part has is looked at again, so all takes
    little more time than one.

    >>> parts = [{("yes", "Plum"): 1.0}, {("no", "Green"): 1.0}, {("no", "Green"): 1.0}]
    >>> [round(bits, 3) for bits in information_without(parts)]
    [0.918, 0.0, 1.0, 1.0]
    """
    sides: list[list[dict[Hashable, float]]] = [[], []]
    for part in parts:
        for side, tables in enumerate(sides):
            table: dict[Hashable, float] = {}
            for cell, weight in part.items():
                table[cell[side]] = table.get(cell[side], 0.0) + weight
            tables.append(table)
    both, answers, solutions = _logs_without(parts), *map(_logs_without, sides)
    weights = [sum(part.values()) for part in parts]
    totals = [sum(weights), *(sum(weights) - weight for weight in weights)]
    return [
        (cells - rows - columns) / total + log2(total)
        for cells, rows, columns, total in zip(both, answers, solutions, totals, strict=True)
    ]


def _logs_without(parts: Sequence[Mapping[Any, float]]) -> list[float]:
    """Return the sum of ``w * log2(w)`` over the weights of all parts, and without each part."""
    whole: dict[Any, float] = {}
    for part in parts:
        for cell, weight in part.items():
            whole[cell] = whole.get(cell, 0.0) + weight
    logs = {cell: weight * log2(weight) for cell, weight in whole.items()}
    total = sum(logs.values())
    result = [total]
    for part in parts:
        changes = 0.0
        for cell, weight in part.items():
            rest = whole[cell] - weight
            changes += logs[cell] - (rest * log2(rest) if rest > NOISE else 0.0)
        result.append(total - changes)
    return result


def jackknife(whole: float, without: Sequence[float]) -> tuple[float, float]:
    """Return an estimate without its bias, and its standard error.

    Parameters
    ----------
    whole
        The estimate from all draws.
    without
        The estimates that leave out one part of the draws each, all parts of one size.

    Notes
    -----
    Source: Efron and Tibshirani, *An Introduction to the Bootstrap* (1993), ch. 11.
    """
    count = len(without)
    mean = sum(without) / count
    error = sqrt((count - 1) / count * sum((gain - mean) ** 2 for gain in without))
    return max(0.0, count * whole - (count - 1) * mean), error


def beyond_chance(
    gains: Sequence[float], chance: Sequence[float], named: Sequence[float], answer_bits: float
) -> tuple[float, float]:
    """Return the information of an answer about a solution from draws, and its standard error.

    Few draws of many solutions suggest information where there is none. How much is measured: the
    solutions are shuffled among the draws that agree in what the question names, so that the answer
    depends on that alone. Where the answer in truth depends on more, the shuffled draws suggest too
    much; that share of the difference to the jackknife, and half of it as an error, is added.

    Parameters
    ----------
    gains
        The information in the draws, from all of them and leaving out one part each.
    chance
        The same with the solutions shuffled.
    named
        The same about that part of the solution which the question names.
    answer_bits
        The entropy of the answer.

    Notes
    -----
    Source of the shuffling: Panzeri, Senatore, Montemurro and Petersen, *Correcting for the
    sampling bias problem in spike train information measures* (J. Neurophysiology 98, 2007).

    Examples
    --------
    An answer that depends on nothing but chance, in draws that suggest 0.3 bits:

    >>> beyond_chance([0.3, 0.32, 0.28], [0.3, 0.32, 0.28], [0, 0, 0], 1.0)
    (0.0, 0.0)
    """
    combined = [g - c + n for g, c, n in zip(gains, chance, named, strict=True)]
    _, error = jackknife(combined[0], combined[1:])
    about_named, _ = jackknife(named[0], named[1:])
    gain = gains[0] - chance[0] + about_named
    extrapolated, _ = jackknife(gains[0], gains[1:])
    unexplained = answer_bits - named[0]
    dependent = 0.0
    if unexplained > NOISE:
        dependent = min(1.0, max(0.0, (gains[0] - chance[0]) / unexplained))
    shift = dependent * (extrapolated - gain)
    return max(0.0, gain + shift), hypot(error, shift / 2)


def integer_weight(knowledge: Queries) -> Callable[[World], int]:
    """Return a function that gives the weight of a world as a whole number, all on one scale."""
    scaled = []
    for constraint in knowledge.problem.constraints():
        if isinstance(constraint, Weigh):
            scale = lcm(*(weight.denominator for weight in constraint.weights))
            numbers = [int(weight * scale) for weight in constraint.weights]
            scaled.append((constraint, numbers))

    def weight(world: World) -> int:
        return prod(numbers[number_of(weigh, world)] for weigh, numbers in scaled)

    return weight


Given = Sequence[tuple[Answer, Fraction]]
"""The answers that a question may get, with their probabilities."""


LOG = 1 << 44
"""The parts of a bit in which logarithms are added."""


def in_units(weight: Weight) -> int:
    """Return the binary logarithm of a weight, in units of 1 / `LOG`.

    >>> in_units(10**400) / LOG, in_units(Fraction(1, 8)) / LOG
    (1328.771237954945, -3.0)
    """
    if isinstance(weight, float):
        return round(log2(weight) * LOG)
    return round((log2(weight.numerator) - log2(weight.denominator)) * LOG)


@define
class Cell:
    """The worlds with one key.

    Parameters
    ----------
    weight, worlds
        Their weight, and their number.
    log
        The sum of ``w * log2(w)`` over their weights, in units of 1 / `LOG`: weights may be beyond
        all floats.
    solutions
        The weight of each solution; empty where it is asked which world it is.
    """

    weight: Weight = 0
    worlds: int | Unknown = 0
    log: Weight = 0
    solutions: dict[Hashable, Weight] | None = None


@frozen
class Left:
    """What one answer leaves: its weight, bits, solutions and worlds, as in `Outcome`."""

    weight: Weight
    bits: float | Unknown
    solutions: int | Unknown
    worlds: int | Unknown


def rate_cells(
    cells: Iterable[tuple[Given, Cell]],
    *,
    sizes: Sizes | None = None,
    knows_bits: bool = True,
) -> tuple[float, Mapping[Answer, Left]]:
    """Return the expected information in bits, and what each answer leaves.

    Parameters
    ----------
    cells
        The answers of each key, and its worlds.
    sizes
        How many equally probable solutions a label of the cells represents.
    knows_bits
        Whether the cells contain every world by itself, or its solution; else the entropy after an
        answer is not known, except where every world has the same weight.
    """
    pairs = [(given, cell) for given, cell in cells if cell.weight]
    weights: dict[Answer, Weight] = {}
    counts: dict[Answer, int | Unknown] = {}
    logs: dict[Answer, Weight] = {}
    table: dict[Answer, dict[Hashable, Weight]] = {}
    chosen: Weight = 0
    """How many bits of the answers are not determined by the world, but chosen by a player."""
    for given, cell in pairs:
        for answer, share in given:
            part = cell.weight if share == 1 else cell.weight * share
            weights[answer] = weights.get(answer, 0) + part
            added = all_known((counts.get(answer, 0), cell.worlds))
            counts[answer] = UNKNOWN if isinstance(added, Unknown) else sum(added)
            if cell.solutions is not None:
                row = table.setdefault(answer, {})
                for solution, weight in cell.solutions.items():
                    row[solution] = row.get(solution, 0) + (
                        weight if share == 1 else weight * share
                    )
            log = cell.log
            if share != 1:
                bits = part * in_units(share)
                log, chosen = log * share + bits, chosen - bits
            logs[answer] = logs.get(answer, 0) + log
    total = sum(weights.values())
    left = {}
    for answer, weight in weights.items():
        if table:
            row = table[answer]
            known = sum((sizes or {}).get(solution, 1) for solution in row)
            left[answer] = Left(weight, entropy(row, sizes), known, counts[answer])
        else:
            rest = float(in_units(weight) - logs[answer] / weight) / LOG
            bits_left = (rest if rest > 1e-9 else 0.0) if knows_bits else UNKNOWN
            left[answer] = Left(weight, bits_left, counts[answer], counts[answer])
    if table:
        return information(table, sizes), left
    gain = entropy(weights) - float(chosen / total) / LOG if total else 0.0
    return (gain if gain > NOISE else 0.0), left


@frozen
class Rating:
    """What a question is expected to give: the information in bits, and what each answer leaves.

    ``total`` is the weight of all answers where some are left out.
    """

    gain: float
    error: float
    left: Mapping[Answer, Left]
    total: Weight | None = None

    def value(self, by: str) -> float:
        """Return by how much a question is good, by one of `deduce.policy.advice.RANKINGS`."""
        if by == "information":
            return self.gain
        items = self.left.values()
        counts = all_known(item.solutions if by == "done" else item.worlds for item in items)
        if isinstance(counts, Unknown):
            what = "solutions" if by == "done" else "worlds"
            raise Undecided(
                f"how many {what} each answer leaves was not counted; rank by the information"
            )
        total = sum(item.weight for item in items)
        shares = [Fraction(item.weight) / total for item in items]
        if by == "done":
            return float(sum(share for share, n in zip(shares, counts, strict=True) if n == 1))
        # In bits, since numbers of worlds may be large and a tie is an absolute difference.
        if by == "worst":
            return -log2(max(counts))
        return -in_units(sum(share * n for share, n in zip(shares, counts, strict=True))) / LOG

    def ends(self, game: HiddenGame, inquiry: Inquiry) -> float:
        """Return the probability that the answer ends the game."""
        if hook(game, Questions.ends) is None:
            return 0.0
        total = sum(item.weight for item in self.left.values())
        over = [i.weight for answer, i in self.left.items() if ends(game, inquiry, answer)]
        return float(Fraction(sum(over)) / total)

    def of(self, game: HiddenGame, inquiry: Inquiry) -> RatedInquiry:
        """Return the question with this rating, its answers in words, the most probable first."""
        total = self.total or sum(item.weight for item in self.left.values())
        outcomes = [
            Outcome(
                answer,
                format_answer(game, inquiry, answer),
                Fraction(item.weight) / total,
                item.bits,
                item.solutions,
                item.worlds,
                ends(game, inquiry, answer),
            )
            for answer, item in self.left.items()
        ]
        outcomes.sort(key=lambda outcome: (-outcome.probability, outcome.text))
        text = format_inquiry(game, inquiry)
        return RatedInquiry(inquiry, text, self.gain, self.error, tuple(outcomes))


@frozen
class InquirySet:
    """The questions that are rated, of which some are alike and get the same rating.

    Parameters
    ----------
    game, inquiries
        The game, and its questions.
    forms
        The form of each question (`deduce.policy.inquiries.form_of`).
    kinds, first
        The kind of each question, as a number, and the index of the first question of each kind.
    numbers
        Those of `deduce.policy.joint.interchangeable`.
    """

    game: HiddenGame
    inquiries: Sequence[Inquiry]
    forms: Sequence[Hashable]
    kinds: Sequence[int]
    first: Sequence[int]
    numbers: Mapping[Variable, int]


class Ratings(Protocol):
    """The ratings of questions, which are named by their index."""

    def values(self, by: str) -> list[tuple[float, float]]:
        """Return for each question its value and the probability that the answer ends the game."""

    def rating(self, index: int) -> Rating:
        """Return the rating of a question."""


class Rater(Protocol):
    """One way to rate questions."""

    @property
    def method(self) -> str:
        """What the ratings rest on: worlds, samples or joint distributions, as `Advice` says."""

    @property
    def number(self) -> int | None:
        """How many worlds were listed or drawn."""

    def ratings(self, asked: InquirySet) -> Ratings:
        """Return the ratings of questions; raises `Undecided` where the budget runs out."""


class OneByOne(ABC):
    """A rater that looks at one question of each kind after the other."""

    meter: Meter = UNLIMITED

    @abstractmethod
    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question; questions of one form share their answers."""

    def ratings(self, asked: InquirySet) -> Ratings:
        """Return the ratings of questions; raises `Undecided` where the budget runs out."""
        rated = []
        for i in asked.first:
            self.meter.spend()
            self.meter.check()  # one takes milliseconds where many worlds were drawn
            rated.append(self.rate(asked.inquiries[i], asked.forms[i]))
        return _RatedKinds(asked, rated)


@frozen
class _RatedKinds:
    """The ratings of questions by their kind."""

    asked: InquirySet
    rated: Sequence[Rating]

    def values(self, by: str) -> list[tuple[float, float]]:
        """Return for each question its value and the probability that the answer ends the game."""
        asked = self.asked
        of_kind = [
            (rating.value(by), rating.ends(asked.game, asked.inquiries[first]))
            for rating, first in zip(self.rated, asked.first, strict=True)
        ]
        return [of_kind[kind] for kind in asked.kinds]

    def rating(self, index: int) -> Rating:
        """Return the rating of a question."""
        return self.rated[self.asked.kinds[index]]
