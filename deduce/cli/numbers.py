"""The types of options: numbers, and names out of a table some of whose names have changed.

Numbers have ASCII digits only, and an upper bound.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, nan
from typing import Any, TypeVar

import click

from deduce.system.renamed import Renamed
from deduce.system.text import whole_number

__all__ = [
    "MAX_COUNT",
    "MAX_GAMES",
    "MAX_JOBS",
    "MAX_SAMPLES",
    "Choice",
    "Real",
    "Seconds",
    "Whole",
    "jobs_option",
    "seconds_option",
    "whole_option",
]


F = TypeVar("F", bound=Callable[..., object])

MAX_COUNT = 10**9
"""The upper bound of counts that only limit what is shown or searched."""

MAX_GAMES = 10**6
"""The upper bound of the games of a match or tournament."""

MAX_SAMPLES = 10**7
"""The upper bound of random worlds."""

MAX_JOBS = 1024
"""The upper bound of processes."""

MAX_SEED_DIGITS = 4000
MAX_SECONDS = 10.0**7


class Whole(click.IntRange):
    """A whole number within bounds; without bounds, such as a seed, one of up to 4000 digits.

    Examples
    --------
    >>> Whole(1)("12"), Whole()("-3")
    (12, -3)
    >>> Whole(1, 10)("11")
    Traceback (most recent call last):
    ...
    click.exceptions.BadParameter: expected a whole number from 1 to 10, got '11'
    >>> Whole(1)("²")
    Traceback (most recent call last):
    ...
    click.exceptions.BadParameter: expected a whole number from 1 on, got '²'
    """

    name = "number"

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        if low is not None and high is None:
            high = MAX_COUNT
        super().__init__(low, high)

    def _describe_range(self) -> str:
        """Return the bounds for the help, without an upper bound that no use reaches."""
        return _bounds(self.min, None if self.max == MAX_COUNT else self.max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        low, high = self.min, self.max
        number = whole_number(str(value), digits=MAX_SEED_DIGITS, signed=True)
        if number is None or (low is not None and high is not None and not low <= number <= high):
            shown = None if high == MAX_COUNT and (number or 0) <= high else high
            self.fail(_expected("a whole number", low, shown, value), param, ctx)
        return number


class Real(click.FloatRange):
    """A finite number within bounds.

    Examples
    --------
    >>> Real(0, 1)("0.5"), Real()("-1e3")
    (0.5, -1000.0)
    >>> Real(0)("nan")
    Traceback (most recent call last):
    ...
    click.exceptions.BadParameter: expected a number from 0 on, got 'nan'
    """

    name = "number"

    @property
    def _low(self) -> float | str | None:
        return "above 0" if self.min == 0 and self.min_open else self.min

    def _describe_range(self) -> str:
        """Return the bounds for the help."""
        return _bounds(self._low, None if self.max == MAX_SECONDS else self.max)

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        given = str(value)
        try:
            number = float(given) if given.isascii() and "_" not in given else nan
            if not isfinite(number):
                raise ValueError(given)
            return float(super().convert(number, param, ctx))
        except (ValueError, click.BadParameter):
            self.fail(_expected("a number", self._low, self.max, value), param, ctx)


def _expected(kind: str, low: float | str | None, high: float | None, value: object) -> str:
    """Return what an option takes, and what was given."""
    given = str(value) if len(str(value)) <= 40 else str(value)[:39] + "…"
    return f"expected {' '.join(filter(None, (kind, _bounds(low, high))))}, got {given!r}"


def _bounds(low: float | str | None, high: float | None) -> str:
    """Return the bounds of a number in words, such as ``from 1 to 10``."""
    below = "" if low is None else low if isinstance(low, str) else f"from {low:.10g}"
    to = "and up to" if isinstance(low, str) else "to"
    above = f"{to} {high:.10g}" if high is not None else "on" if below.startswith("from") else ""
    return f"{below} {above}".strip()


class Seconds(Real):
    """A number of seconds (or milliseconds) above 0, up to ten million."""

    def __init__(self, low: float = 0, *, open_below: bool = True) -> None:
        super().__init__(low, MAX_SECONDS, min_open=open_below)


def whole_option(
    *names: str, low: int | None = None, high: int | None = None, **others: Any
) -> Callable[[F], F]:
    """Return an option that takes a `Whole`; its help shows the default, if there is one.

    Parameters
    ----------
    names, others
        As for `click.option`.
    low, high
        The bounds.
    """
    return click.option(
        *names, type=Whole(low, high), show_default=others.get("default") is not None, **others
    )


def jobs_option(text: str, metavar: str | None = None) -> Callable[[F], F]:
    """Return the option ``--jobs``: in how many processes; ``text`` is its help."""
    return whole_option("--jobs", low=1, high=MAX_JOBS, default=1, help=text, metavar=metavar)


def seconds_option(*names: str, **others: Any) -> Callable[[F], F]:
    """Return an option that takes `Seconds`; its help shows the default, if there is one."""
    shown = others.get("default") is not None
    return click.option(*names, type=Seconds(), metavar="SECONDS", show_default=shown, **others)


class Choice(click.Choice[str]):
    """A choice among the names of a table; former names are taken, and not shown in the help."""

    def __init__(self, table: Renamed[Any]) -> None:
        super().__init__(list(table))
        self.table = table

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the present name."""
        return super().convert(self.table.current(value), param, ctx)
