"""Values of a game as JSON: variables and values by name, exact numbers as text.

World counts and shares are strings (``"35315280000"``, ``"1/3"``), because many readers of JSON
round numbers above 2**53.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import AttrsInstance, asdict, evolve

from deduce.constraints import Value, Variable
from deduce.estimates import Estimate
from deduce.problem import World
from deduce.reasoning.explain import Why
from deduce.system.text import by_name, name_of

__all__ = [
    "number_json",
    "possible_json",
    "record_json",
    "shares_json",
    "why_json",
    "world_json",
]


def world_json(world: World | None) -> dict[str, str] | None:
    """Return a world as an object from variable to value, or ``None`` for none."""
    if world is None:
        return None
    return {name: name_of(world[variable]) for name, variable in by_name(world).items()}


def possible_json(possible: Mapping[Variable, Iterable[Value]]) -> dict[str, list[str]]:
    """Return the possible values of each variable, sorted by name."""
    return {
        name: sorted(by_name(possible[variable])) for name, variable in by_name(possible).items()
    }


def number_json(number: Fraction | int | Estimate) -> object:
    """Return an exact number as text, and an estimate as an object with its error and interval.

    >>> number_json(Estimate(0.25, 0.01, 0.23, 0.27))
    {'value': 0.25, 'error': 0.01, 'low': 0.23, 'high': 0.27, 'exact': False}
    """
    if not isinstance(number, Estimate):
        return str(number)
    if number.exact:
        return str(number.value)
    ends = (number.value, number.low, number.high)
    value, low, high = (str(end) if number.counts else float(end) for end in ends)
    return {"value": value, "error": number.error, "low": low, "high": high, "exact": False}


def shares_json(
    shares: Mapping[Variable, Mapping[Value, Fraction | Estimate]],
) -> dict[str, dict[str, object]]:
    """Return the numbers of each variable as exact fractions; what is impossible is left out.

    An estimate is an object with its error.
    """
    return {name: _row_json(shares[variable]) for name, variable in by_name(shares).items()}


def _row_json(row: Mapping[Value, Fraction | Estimate]) -> dict[str, object]:
    return {name: number_json(row[value]) for name, value in by_name(row).items()}


def why_json(why: Why) -> dict[str, object]:
    """Return an explanation with all its fields; see `deduce.reasoning.explain.Why`."""
    worlds = {"holds": world_json(why.holds), "fails": world_json(why.fails)}
    return record_json(evolve(why, holds=None, fails=None)) | worlds


def record_json(record: AttrsInstance) -> dict[str, object]:
    """Return the fields of a record by their names, of records within it too; fractions as text.

    >>> record_json(Estimate(Fraction(1, 4), 0.01, 0.23, 0.27))["value"]
    '1/4'
    """
    return asdict(record, value_serializer=_exact)


def _exact(record: object, field: object, value: object) -> object:
    return str(value) if isinstance(value, Fraction) else value
