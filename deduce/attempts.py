"""The attempts at a question that ran out of budget, and what is known in spite of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import log10

from deduce.constraints import Value, Variable
from deduce.errors import Undecided

__all__ = ["Attempts"]


class Attempts:
    """The attempts at a question that ran out of budget, and what they found out."""

    def __init__(self) -> None:
        self.attempts: list[str] = []
        self.at_least: int | None = None
        self.at_most: int | None = None

    def __bool__(self) -> bool:
        return bool(self.attempts)

    @contextmanager
    def noted(self, name: str) -> Iterator[None]:
        """Note that an attempt ran out of budget."""
        try:
            yield
        except Undecided as error:
            if name != "auto" or not self.attempts:
                self.attempts.append(f"{name}: {error}")
            bounds = [b for b in (self.at_least, error.at_least) if b is not None]
            self.at_least = max(bounds, default=None)
            bounds = [b for b in (self.at_most, error.at_most) if b is not None]
            self.at_most = min(bounds, default=None)

    def undecided(self, known: Mapping[Variable, frozenset[Value]]) -> Undecided:
        """Return the error with all attempts and with the bounds on the number of worlds."""
        message = "; ".join(self.attempts)
        if self.at_least is not None and self.at_most is not None:
            message += f"; from {_magnitude(self.at_least)} to {_magnitude(self.at_most)} worlds"
        return Undecided(message, known=known, at_least=self.at_least, at_most=self.at_most)


def _magnitude(number: int) -> str:
    """Return a number, or the power of ten below it where it is long."""
    return f"{number:,}" if number < 10**9 else f"10^{int((number.bit_length() - 1) * log10(2))}"
