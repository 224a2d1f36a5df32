"""Hall sets: why a problem of the matching engine has no world, in one sentence.

Every circulation that fails has a violated cut (Hoffman 1960; for one place per value it is Hall's
theorem of 1935). Here a cut says one of two things: some variables can only have a few values,
which too few variables may have; or some values must be taken more often than there are variables
that could take them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from attrs import field, frozen

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.matching import Place, Placing, places_of
from deduce.engines.model import Model, Statement
from deduce.errors import Unsupported
from deduce.text import join

__all__ = ["HallSet", "violator"]


@frozen
class HallSet:
    """Variables and values that cannot go together, and by how many.

    Attributes
    ----------
    variables
        Those that have no other values than these; or, when it is the values that go short, all
        that could take them.
    values
        The values that are meant.
    needed, room
        How many must go together at least, and how many can; ``needed > room``. Units: variables.
    statements
        The positions of the Counts that it takes to see it; the rest are facts.
    sentence
        The same in words.
    """

    variables: frozenset[Variable]
    values: frozenset[Value]
    needed: int
    room: int
    statements: frozenset[int]
    sentence: str = field(eq=False)

    def __str__(self) -> str:
        return self.sentence


def violator(
    model: Model, meter: Meter, selection: Sequence[Statement] | None = None
) -> HallSet | None:
    """Return why the selected statements have no world, or ``None`` if they have one.

    It is minimal in this sense: if one of the variables did not need a value, or one of the bounds
    were not there, the others would fit. Cost: one flow for each variable and bound in the first
    cut found.

    Raises
    ------
    Unsupported
        A statement is not of the kind that the matching engine is for.

    Examples
    --------
    >>> from deduce.budget import Budget
    >>> from deduce.constraints import at_most, is_
    >>> from deduce.problem import Problem
    >>> slots = {slot: ("red", "blue", "green") for slot in "abcd"}
    >>> once = [at_most(1, [is_(slot, colour) for slot in slots]) for colour in ("red", "blue")]
    >>> facts = [is_(slot, "red", "blue") for slot in "abc"]
    >>> print(violator(Model(Problem(slots, [*once, *facts])), Budget().meter()))
    a, b and c can only be red or blue, but at most 2 of them can
    """
    statements = model.statements if selection is None else selection
    places = places_of(statements)
    if places is None:
        raise Unsupported("Hall sets are for Counts about single values that are nested or apart")
    possible = model.facts_only(statements)
    everything = frozenset(
        [("needed", i) for i in range(len(model.variables))]
        + [(kind, p) for p in range(len(places)) for kind in ("low", "high")]
    )
    cut = _cut(model, possible, places, everything, meter)
    if cut is None:
        return None
    for demand in sorted(cut.demands):
        if demand in cut.demands:
            cut = _cut(model, possible, places, cut.demands - {demand}, meter) or cut
    return cut.told(model, possible, places)


_Demand: TypeAlias = tuple[str, int]
"""``needed`` and a variable, or ``low`` or ``high`` and a place."""


@frozen(eq=False)
class _Cut:
    """The demands that a violated cut is made of, and the variables that can serve (or none)."""

    demands: frozenset[_Demand]
    able: tuple[int, ...] | None

    def of(self, kind: str) -> list[int]:
        return sorted(number for found, number in self.demands if found == kind)

    def told(self, model: Model, possible: int, places: Sequence[Place]) -> HallSet:
        low = [places[p] for p in self.of("low")]
        high = [places[p] for p in self.of("high")]
        crowd = self.of("needed") if self.able is None else list(self.able)
        needed = sum(place.low for place in low)
        room = sum(place.high for place in high)
        mask = 0
        if self.able is None:
            needed += len(crowd)
            for i in crowd:
                mask |= model.domain(possible, i)
        else:
            room += len(crowd)
        for place in low if self.able is not None or not crowd else ():
            mask |= place.bit
        values = model.values_in(mask)
        if self.able is None:
            sentence = _crowded(model, crowd, values, low, high, room)
        else:
            sentence = _wanting(model, crowd, values, high, needed)
        return HallSet(
            variables=frozenset(model.variables[i] for i in crowd),
            values=frozenset(values),
            needed=needed,
            room=room,
            statements=frozenset(place.statement for place in low + high),
            sentence=sentence,
        )


def _cut(
    model: Model,
    possible: int,
    places: Sequence[Place],
    demands: frozenset[_Demand],
    meter: Meter,
) -> _Cut | None:
    """Return what of the demands already makes a violated cut, or ``None`` if all can be met."""
    placing = Placing(
        model,
        possible,
        places,
        needed=sum(1 << i for kind, i in demands if kind == "needed"),
        lows=frozenset(p for kind, p in demands if kind == "low"),
        highs=frozenset(p for kind, p in demands if kind == "high"),
    )
    if placing.network.circulate(meter):
        return None
    full = placing.network.reached()
    short = 0 in full
    found: list[_Demand] = []
    for p, place in enumerate(places):
        inside = 1 + p in full
        # A value's own node takes any number on, so it is on the side of node 0.
        around = short if place.parent is None else 1 + place.parent in full
        if inside != around:
            found.append(("low" if around else "high", p))
    members = [i for group in placing.alike for i in group.members if short != (group.node in full)]
    if not short:
        found += [("needed", i) for i in members]
    return _Cut(demands.intersection(found), tuple(members) if short else None)


def _crowded(
    model: Model,
    crowd: Sequence[int],
    values: Sequence[Value],
    low: Sequence[Place],
    high: Sequence[Place],
    room: int,
) -> str:
    names = [str(model.variables[i]) for i in crowd]
    if not values:
        return f"{join(names)} {'has' if len(names) == 1 else 'have'} no value left"
    parts = [f"{join(names)} can only be {_listed(values)}"] if names else []
    parts += [f"at least {place.low} of {_names(model, place)} must be so" for place in low]
    can = f"at most {room} of them" if room else "none of them"
    return f"{' and '.join(parts)}, but {can} can"


def _wanting(
    model: Model,
    able: Sequence[int],
    values: Sequence[Value],
    high: Sequence[Place],
    needed: int,
) -> str:
    names = [str(model.variables[i]) for i in able]
    parts = [join(names)] if names else []
    parts += [f"at most {place.high} of {_names(model, place)}" for place in high]
    can = " and ".join(parts) if parts else "nothing"
    return f"at least {needed} must be {_listed(values)}, but only {can} can"


def _listed(values: Sequence[Value]) -> str:
    return join([str(value) for value in values], "or")


def _names(model: Model, place: Place) -> str:
    return join([str(model.variables[i]) for i in _bits(place.members)])


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
