"""Advice as a value: all questions that can be asked, ranked, with what each answer would leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from numbers import Number
from sys import float_info
from typing import TYPE_CHECKING, ClassVar, Final, Generic, NoReturn, TypeVar, overload

from attrs import field, frozen

from deduce.errors import Undecided
from deduce.estimates import share_estimate
from deduce.game import Viewer
from deduce.policy.inquiries import Answer, Inquiry
from deduce.system.display import Displayed

__all__ = [
    "RANKINGS",
    "TIE",
    "UNKNOWN",
    "Advice",
    "InquiryType",
    "Outcome",
    "Ranking",
    "RatedInquiry",
    "Unknown",
    "all_known",
    "bits_text",
    "computed",
    "known",
]

T = TypeVar("T")
R = TypeVar("R")

TIE = 1e-9
"""Figures that differ by less are equal: the difference is rounding."""


class Unknown(Enum):
    """The type of `UNKNOWN`: a number that was not computed, which takes the place of the number.

    Compared with a number, added to one or used as a truth value it raises `TypeError`, so that it
    is never mistaken for a number, such as 0; ``is UNKNOWN`` asks for it.
    """

    UNKNOWN = "unknown"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Number):
            raise TypeError(f"an unknown number cannot be compared with {other!r}")
        return self is other

    def __hash__(self) -> int:
        return hash(Unknown)

    def __bool__(self) -> NoReturn:
        raise TypeError("an unknown number is neither 0 nor another number")

    def __str__(self) -> str:
        return "?"

    __repr__ = Enum.__str__


UNKNOWN: Final = Unknown.UNKNOWN
"""A number that was not computed."""


def known(number: T | Unknown) -> T | None:
    """Return a number; ``None`` for an unknown one, as for JSON.

    >>> known(2), known(UNKNOWN)
    (2, None)
    """
    return None if isinstance(number, Unknown) else number


def computed(number: T | Unknown) -> T:
    """Return a number that was computed.

    Raises
    ------
    Undecided
        It was not.
    """
    if isinstance(number, Unknown):
        raise Undecided("a number that is needed here was not computed")
    return number


def all_known(numbers: Iterable[T | Unknown]) -> list[T] | Unknown:
    """Return the numbers, `UNKNOWN` if one of them is.

    >>> all_known([2, 3]), str(all_known([2, UNKNOWN]))
    ([2, 3], '?')
    """
    result = []
    for number in numbers:
        if isinstance(number, Unknown):
            return UNKNOWN
        result.append(number)
    return result


@frozen
class Outcome:
    """One answer to a question, and what would then remain open.

    Parameters
    ----------
    answer
        The answer, and its ``text``.
    probability
        Of this answer, under the posterior.
    bits_left
        The entropy in bits of what is asked about (the game's ``questions()``, or which world it
        is) after this answer; `UNKNOWN` where only the expected information is known.
    solutions
        How many combinations of answers to the game's ``questions()`` are possible after it (in
        drawn worlds: at least this many); if the game has none, the same as ``worlds``.
    worlds
        How many worlds remain; `UNKNOWN` where it was not counted.
    ends
        Whether the answer ends the game.
    """

    answer: Answer
    text: str
    probability: Fraction
    bits_left: float | Unknown = field(eq=known)
    solutions: int | Unknown = field(eq=known)
    worlds: int | Unknown = field(eq=known)
    ends: bool = False

    def __str__(self) -> str:
        return self.text


@frozen
class RatedInquiry:
    """A question, and what its answer is expected to give.

    Parameters
    ----------
    inquiry
        The question, and its ``text``.
    gain_bits
        The expected information about what is asked about, in bits.
    error
        The standard error of ``gain_bits``; 0 if it is exact.
    outcomes
        Every possible answer, the most probable first; of very many answers the most probable ones,
        and those that end the game, so that their probabilities do not add up to 1.
    """

    inquiry: Inquiry
    text: str
    gain_bits: float
    error: float
    outcomes: tuple[Outcome, ...]

    @property
    def expected_worlds(self) -> float | Unknown:
        """How many worlds remain on average; `UNKNOWN` where it was not counted.

        A whole number where it is beyond all floats.
        """
        counts = self._known("worlds")
        if isinstance(counts, Unknown):
            return UNKNOWN
        chances = (outcome.probability for outcome in self.outcomes)
        average = sum(p * n for p, n in zip(chances, counts, strict=True))
        return float(average) if average < float_info.max else round(average)

    @property
    def worst_worlds(self) -> int | Unknown:
        """How many worlds remain after the worst answer; `UNKNOWN` where it was not counted."""
        counts = self._known("worlds")
        return UNKNOWN if isinstance(counts, Unknown) else max(counts, default=0)

    @property
    def done(self) -> Fraction | Unknown:
        """The probability that what is asked about is certain after the answer.

        `UNKNOWN` where it was not counted how many solutions an answer leaves.
        """
        counts = self._known("solutions")
        if isinstance(counts, Unknown):
            return UNKNOWN
        chances = (outcome.probability for outcome in self.outcomes)
        return sum((p for p, n in zip(chances, counts, strict=True) if n == 1), Fraction(0))

    def _known(self, what: str) -> list[int] | Unknown:
        """Return a number of each outcome, `UNKNOWN` if one of them is or an outcome is missing."""
        if self.outcomes and sum(outcome.probability for outcome in self.outcomes) < 1:
            return UNKNOWN
        return all_known(getattr(outcome, what) for outcome in self.outcomes)

    @property
    def ends(self) -> Fraction:
        """The probability that the answer ends the game."""
        return sum((o.probability for o in self.outcomes if o.ends), Fraction(0))


RANKINGS = ("information", "expected", "worst", "done")
"""By what questions can be ranked: the expected information, the fewest worlds left on average or
after the worst answer, the greatest probability that what is asked about is certain."""


class Ranking(Sequence[T]):
    """Rated questions, the best first; those that tie in the order in which they were given.

    Among those that tie, a question that is more likely to end the game comes first. What each
    answer leaves is worked out when a question is first looked at.

    Parameters
    ----------
    values
        By what the questions are ranked, more is better; and the probability that the answer ends
        the game.
    rated
        Returns the question with an index.
    """

    def __init__(self, values: Sequence[tuple[float, float]], rated: Callable[[int], T]) -> None:
        order = sorted(range(len(values)), key=lambda i: -values[i][0])
        ranks: list[tuple[int, float, int]] = []
        tie = 0
        for rank, i in enumerate(order):
            if values[order[tie]][0] - values[i][0] > TIE:
                tie = rank
            ranks.append((tie, -values[i][1], i))
        ranks.sort()
        self.ties = sum(rank == 0 for rank, _, _ in ranks)
        """How many questions tie for the best."""
        self._order = [i for _, _, i in ranks]
        self._rated = rated
        self._made: dict[int, T] = {}

    def mapped(self, function: Callable[[T], R]) -> Ranking[R]:
        """Return the same ranking with a function applied to each question when it is needed."""
        mapped = object.__new__(Ranking)
        mapped.ties, mapped._order, mapped._made = self.ties, self._order, {}
        mapped._rated = lambda number: function(self._one(number))
        return mapped

    def __getstate__(self) -> tuple[int, list[int], dict[int, T]]:
        return self.ties, self._order, {number: self._one(number) for number in self._order}

    def __setstate__(self, state: tuple[int, list[int], dict[int, T]]) -> None:
        self.ties, self._order, self._made = state
        self._rated = self._made.__getitem__

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(map(self._one, self._order[index]))
        return self._one(self._order[index])

    def __iter__(self) -> Iterator[T]:
        return map(self._one, self._order)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranking) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self._order))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _one(self, number: int) -> T:
        if number not in self._made:
            self._made[number] = self._rated(number)
        return self._made[number]


def bits_text(bits: float, error: float) -> str:
    """Return a number of bits with its standard error, unless it is exact.

    >>> bits_text(2, 0), bits_text(10.5, 0.0124)
    ('2.00', '10.50 ± 0.01')
    """
    return f"{bits:.2f} ± {error:.2f}" if error else f"{bits:.2f}"


if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultedTypeVar

    InquiryType = DefaultedTypeVar("InquiryType", bound=RatedInquiry, default=RatedInquiry)
else:
    InquiryType = TypeVar("InquiryType")  # before Python 3.13 without a default


@frozen
class Advice(Displayed, Generic[InquiryType]):
    """All questions that can be asked, the best first; those that tie in the order of the game.

    Parameters
    ----------
    viewer
        Whose knowledge it is.
    entropy_bits
        The entropy of what is asked about now; `UNKNOWN` where it is not known.
    ranking
        The questions.
    by
        By what they are ranked, one of `RANKINGS`.
    method
        ``"worlds"``: over the list of all worlds; ``"joint"``: by joint distributions of the
        counting engine; ``"samples"``: over worlds drawn at random, an estimate.
    worlds
        How many worlds were listed or drawn; ``None`` for ``"joint"``.
    entropy_error
        The standard error of ``entropy_bits``; 0 if it is exact.
    """

    EXACT: ClassVar[frozenset[str]] = frozenset({"worlds", "joint"})

    viewer: Viewer
    entropy_bits: float | Unknown = field(eq=known)
    ranking: Ranking[InquiryType]
    by: str
    method: str
    worlds: int | None
    entropy_error: float = 0.0

    @property
    def bits_text(self) -> str:
        """The present entropy with its error, if it has one; ``"?"`` where it is not known."""
        bits = self.entropy_bits
        return str(bits) if isinstance(bits, Unknown) else bits_text(bits, self.entropy_error)

    @property
    def is_exact(self) -> bool:
        """Whether nothing is estimated."""
        return self.method in self.EXACT

    def open_share(self, share: Fraction) -> Fraction:
        """Return a probability to show: one that is estimated is never 0 or 1."""
        if self.is_exact or not self.worlds:
            return share
        least = Fraction(1, self.worlds + 1)
        return min(max(share, least), 1 - least)

    def probability_json(self, share: Fraction) -> dict[str, object]:
        """Return the fields of the probability of an answer, with its error if it is estimated.

        What none or all of the drawn worlds have still has an error.
        """
        probability: dict[str, object] = {"probability": str(share)}
        if self.is_exact or not self.worlds:
            return probability
        seen, draws = float(share), self.worlds
        error = share_estimate((seen, seen / draws, seen / draws), draws).error
        return {**probability, "error": error}

    def best(self) -> list[InquiryType]:
        """Return the best questions, all that tie; an empty list if nothing can be asked."""
        return list(self.ranking[: self.ranking.ties])
