"""Joint distributions: exact probabilities of combinations of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import log2, prod
from typing import TYPE_CHECKING, Any

from deduce.constraints import Value
from deduce.engines.base import Weight
from deduce.errors import BadInput, Unsupported, missing_package
from deduce.system.display import Displayed

if TYPE_CHECKING:
    import numpy as np
    import pandas
    from numpy.typing import NDArray

__all__ = ["Distribution"]

MAX_ENTRIES = 10_000_000
"""How large an array may become."""


class Distribution(Displayed, Mapping[tuple[Value, ...], Fraction]):
    """Exact probabilities of combinations of answers; they sum to 1.

    Examples
    --------
    >>> coin = Distribution({("heads",): Fraction(1, 2), ("tails",): Fraction(1, 2)})
    >>> coin.entropy()
    1.0
    """

    def __init__(self, weights: Mapping[tuple[Value, ...], Weight]) -> None:
        self.weights = weights
        """The weights of which the probabilities are the shares, in any order."""

    @cached_property
    def _shares(self) -> dict[tuple[Value, ...], Fraction]:
        """The probabilities, the greatest first."""
        total = Fraction(sum(self.weights.values()))
        ranked = sorted(self.weights.items(), key=lambda item: -item[1])
        return {answers: weight / total for answers, weight in ranked}

    def __getitem__(self, answers: tuple[Value, ...]) -> Fraction:
        if answers not in self._shares:
            one = next(iter(self._shares), ())
            raise KeyError(f"{answers!r} is not one of the combinations, such as {one!r}")
        return self._shares[answers]

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        """Return the combinations, the most likely first."""
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __repr__(self) -> str:
        return f"Distribution({self._shares!r})"

    def to_dict(self, number: Callable[[Fraction], Any] = Fraction) -> dict[tuple[Value, ...], Any]:
        """Return the combinations with their probabilities, each as a number such as ``float``.

        Examples
        --------
        >>> Distribution({("heads",): 3, ("tails",): 1}).to_dict(float)
        {('heads',): 0.75, ('tails',): 0.25}
        """
        return {answers: number(share) for answers, share in self._shares.items()}

    def to_json(self) -> str:
        """Return the distribution as JSON, with exact fractions as text.

        Raises
        ------
        Unsupported
            An answer has no form in JSON (see `deduce.logs.problem_json.write_value`).

        Examples
        --------
        >>> Distribution({("heads", True): 1}).to_json()
        '[{"answers": ["heads", true], "probability": "1"}]'
        """
        from deduce.logs.problem_json import write_value

        return json.dumps(
            [
                {"answers": list(map(write_value, answers)), "probability": str(share)}
                for answers, share in self._shares.items()
            ],
            ensure_ascii=False,
        )

    def to_array(self) -> tuple[list[list[Value]], NDArray[np.float64]]:
        """Return the answers to each question, and an array with an axis for each question.

        Entry ``[i, j]`` is the probability of the ``i``-th answer to the first question and the
        ``j``-th to the second one; it is 0 for what does not occur.

        Raises
        ------
        Unsupported
            numpy is not installed, or the array would have more than ten million entries.

        Examples
        --------
        >>> labels, array = Distribution({("a", 0): 1, ("a", 1): 2, ("b", 1): 1}).to_array()
        >>> labels, array.tolist()
        ([['a', 'b'], [1, 0]], [[0.5, 0.25], [0.25, 0.0]])
        """
        try:
            import numpy as np
        except ImportError:
            raise missing_package("to_array()", "numpy") from None
        places: list[dict[tuple[type, Value], int]] = [{} for _ in next(iter(self._shares), ())]
        spots = [
            tuple(of.setdefault((type(x), x), len(of)) for of, x in zip(places, key, strict=True))
            for key in self._shares
        ]
        if prod(map(len, places)) > MAX_ENTRIES:
            raise Unsupported(f"an array of {prod(map(len, places)):,} entries is too large")
        array = np.zeros([len(of) for of in places])
        for spot, share in zip(spots, self._shares.values(), strict=True):
            array[spot] = float(share)
        return [[value for _, value in of] for of in places], array

    def to_frame(self, names: Sequence[str] | None = None) -> pandas.DataFrame:
        """Return a pandas table with a column for each question and one of probabilities.

        Parameters
        ----------
        names
            What the columns of the questions are called; left out: 0, 1 and so on.

        Raises
        ------
        Unsupported
            pandas is not installed.
        BadInput
            There are not as many names as questions.
        """
        try:
            import pandas
        except ImportError:
            raise missing_package("to_frame()", "pandas") from None
        number = len(next(iter(self._shares), ()))
        columns = list(range(number)) if names is None else list(names)
        if len(columns) != number:
            raise BadInput(f"{len(columns)} names are given for {number} questions")
        rows = [[*answers, float(share)] for answers, share in self._shares.items()]
        return pandas.DataFrame(rows, columns=[*columns, "probability"])

    def entropy(self) -> float:
        """Return the entropy in bits: the information that learning the answers would give."""
        return sum(float(share) * _bits(share) for share in self._shares.values()) + 0.0

    def best(self) -> list[tuple[Value, ...]]:
        """Return the most likely combinations, all that tie."""
        top = next(iter(self._shares.values()), None)
        return [answers for answers, share in self._shares.items() if share == top]


def _bits(share: Fraction) -> float:
    """Return the information of an event with this probability, which a float may not hold."""
    return log2(share.denominator) - log2(share.numerator)
