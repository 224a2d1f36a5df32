"""Packed states as digits: each part of a state is a digit of one number, with its own radix."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import prod

from attrs import field, frozen

from deduce.errors import BadInput

__all__ = ["Digits"]


def _radices(radices: Iterable[int]) -> tuple[int, ...]:
    return tuple(radices)


@frozen(slots=False)
class Digits:
    """Numbers whose digits have these radices, the most significant first.

    >>> clock = Digits((24, 60))
    >>> clock.size, clock.pack((1, 30)), clock.unpack(90)
    (1440, 90, [1, 30])
    """

    radices: tuple[int, ...] = field(converter=_radices)

    @cached_property
    def size(self) -> int:
        """How many numbers there are: they are 0 to ``size - 1``."""
        return prod(self.radices)

    def pack(self, digits: Iterable[int]) -> int:
        """Return the number with these digits.

        Raises
        ------
        BadInput
            A digit is not below its radix, so that the state is not one of those numbered.
        """
        code = 0
        for digit, radix in zip(digits, self.radices, strict=True):
            if not 0 <= digit < radix:
                raise BadInput("the position cannot follow from the start of the game")
            code = code * radix + digit
        return code

    def unpack(self, code: int) -> list[int]:
        """Return the digits of a number that `pack` gives."""
        digits = []
        for radix in reversed(self.radices):
            code, digit = divmod(code, radix)
            digits.append(digit)
        return digits[::-1]
