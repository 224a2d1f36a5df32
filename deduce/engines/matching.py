"""Hands, bijections and capacities as a flow, in polynomial time however large they are.

The engine is for problems in which every Count is about one single value, and in which the Counts
about a value are *laminar*: of two sets of variables one contains the other, or they share none.
Hand sizes, "each identity once", a bound per suit within a hand, "at least one of these three"
are; two overlapping "one of these three" about one player are not.

Then the worlds are exactly the flows of whole units through this network::

    variable -> innermost Count about the value -> ... -> outermost Count -> value
    (1 unit)    (low to high units)                       (low to high)      (any number)

Variables with the same domain and the same Counts go together as one node with several units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, NoReturn

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Joint, Numbers, Question, Ranked, Tally, Weight
from deduce.engines.flow import Network
from deduce.engines.masks import positions
from deduce.engines.model import (
    CompiledCount,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.errors import Unsupported
from deduce.problem import World

__all__ = ["Alike", "Matching", "Place", "Placing", "places_of"]


EDGES = 8
"""Edges of a variable that cost a step."""


@frozen(eq=False)
class Place:
    """A Count about one value: ``low`` to ``high`` of the ``members`` (a bit each) have it.

    ``parent`` is the position of the smallest place around this one, or ``None``.
    """

    bit: int
    members: int
    low: int
    high: int
    parent: int | None


def places_of(statements: Sequence[Statement]) -> list[Place] | None:
    """Return the places, outer before inner, or ``None`` if the statements are not of the kind.

    Cost: one pass over the facts.
    """
    counts: list[tuple[int, int, CompiledCount]] = []
    for statement in statements:
        form = statement.form
        if isinstance(form, CompiledSum | CompiledWhere):
            return None
        if isinstance(form, CompiledCount):
            bits = {mask for _, mask in form.terms if mask}
            if len(bits) > 1 or any(bit & (bit - 1) for bit in bits):
                return None
            members = sum(1 << i for i, mask in form.terms if mask)
            counts.append((members, next(iter(bits), 1), form))
    counts.sort(key=lambda count: -count[0].bit_count())
    places: list[Place] = []
    innermost: dict[tuple[int, int], int] = {}
    """For a value and a variable the smallest place so far."""
    for members, bit, form in counts:
        around = {innermost.get((bit, i)) for i, mask in form.terms if mask}
        if len(around) > 1:
            return None
        parent = around.pop() if around else None
        innermost.update(((bit, i), len(places)) for i, mask in form.terms if mask)
        places.append(Place(bit, members, form.low, max(form.low, form.high), parent))
    return places


@frozen(eq=False)
class Alike:
    """Variables with the same domain in the same places, and their edges: value, edge, head.

    A value is its position in a field.
    """

    members: tuple[int, ...]
    node: int
    ways: tuple[tuple[int, int, int], ...]


class Placing:
    """The network of a problem.

    Parameters
    ----------
    model, possible, places
        The problem: its layout, what its facts leave possible, its places.
    meter
        What pays: a step for some edges.

    Attributes
    ----------
    network : Network
        Node 0 is the way back from the values to the variables, node ``1 + p`` is place ``p``.
    alike : list of Alike
        The groups of variables; each is a node too.
    """

    def __init__(self, model: Model, possible: int, places: Sequence[Place], meter: Meter) -> None:
        groups = self._grouped(model, possible, places, meter)
        first = 1 + len(places) + model.width
        self.network = network = Network(first + len(groups))
        for p, place in enumerate(places):
            root = _root(places, place.bit.bit_length() - 1)
            parent = root if place.parent is None else 1 + place.parent
            network.edge(1 + p, parent, place.low, place.high)
        most = len(model.variables)
        for j in range(model.width):
            network.edge(_root(places, j), 0, 0, most)
        self.alike: list[Alike] = []
        for node, (ways, members) in enumerate(groups.items(), first):
            size = len(members)
            network.edge(0, node, size, size)
            meter.spend(1 + len(ways) // EDGES)
            edges = [(j, network.edge(node, head, 0, size), head) for j, head in ways]
            self.alike.append(Alike(tuple(members), node, tuple(edges)))

    @staticmethod
    def _grouped(
        model: Model, possible: int, places: Sequence[Place], meter: Meter
    ) -> dict[tuple[tuple[int, int], ...], list[int]]:
        """Return the variables by their values' first nodes."""
        inner: dict[int, list[tuple[int, int]]] = {}
        for p, place in reversed(list(enumerate(places))):
            at = inner.setdefault(place.bit.bit_length() - 1, [])
            at.append((place.members, 1 + p))
        groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for i in range(len(model.variables)):
            ways = []
            for j in positions(model.domain(possible, i)):
                around = (node for members, node in inner.get(j, ()) if members >> i & 1)
                ways.append((j, next(around, _root(places, j))))
            meter.spend(1 + len(ways) // EDGES)
            groups.setdefault(tuple(ways), []).append(i)
        return groups


class Matching:
    """The engine of flows: a world, and which values are possible.

    Its other queries raise `Unsupported`; counting matchings is as hard as computing permanents.

    Examples
    --------
    >>> from deduce.budget import Budget
    >>> from deduce.constraints import exactly, is_
    >>> from deduce.problem import Problem
    >>> slots = {slot: ("red", "blue", "green") for slot in "abc"}
    >>> once = [exactly(1, [is_(slot, colour) for slot in slots]) for colour in slots["a"]]
    >>> pair = [is_("a", "red", "blue"), is_("b", "red", "blue")]
    >>> model = Model(Problem(slots, [*once, *pair]))
    >>> Matching().possible(model, Budget().meter())["c"]
    frozenset({'green'})
    """

    name: ClassVar[str] = "matching"

    def supports(self, model: Model, query: str) -> bool:
        """Return whether the query is about one world and the Counts are laminar."""
        return query in {"solve", "possible"} and places_of(model.statements) is not None

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``.

        Raises
        ------
        Unsupported
            A statement is not of the kind that the engine is for.
        """
        placing = _placed(model, meter, model.statements if selection is None else selection)
        if placing is None:
            return None
        state = 0
        for group in placing.alike:
            members = iter(group.members)
            for j, edge, _ in group.ways:
                for _ in range(placing.network.flow(edge)):
                    state |= 1 << (next(members) * model.stride + j)
        return model.world(state)

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world; an empty mapping: no world.

        One flow answers for all. An edge that carries nothing in this flow carries something in
        another one exactly if it is on a cycle of the residual network, that is, if both its
        ends are in one strongly connected component: the difference of two flows is a sum of such
        cycles (Berge 1957 for matchings; Régin, "A filtering algorithm for constraints of
        difference in CSPs", AAAI 1994, and for bounds on values AAAI 1996).
        """
        placing = _placed(model, meter, model.statements)
        if placing is None:
            return {}
        component = placing.network.components()
        found: dict[Variable, frozenset[Value]] = {}
        for group in placing.alike:
            mask = sum(
                1 << j
                for j, edge, head in group.ways
                if placing.network.flow(edge) or component[group.node] == component[head]
            )
            found.update(
                (model.variables[i], frozenset(model.values_in(i, mask))) for i in group.members
            )
        return found

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Raise `Unsupported`: a flow finds worlds and does not count them."""
        self._refuse("count worlds")

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Raise `Unsupported`: a flow finds worlds and does not count them."""
        self._refuse("count worlds")

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Raise `Unsupported`: a flow finds worlds and does not count them."""
        self._refuse("count worlds")

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Raise `Unsupported`: flows are not found with equal chances."""
        self._refuse("draw samples")

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Raise `Unsupported`: a flow finds worlds and does not weigh them."""
        self._refuse("weigh worlds")

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Raise `Unsupported`: a flow finds worlds and does not weigh them."""
        self._refuse("weigh worlds")

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Raise `Unsupported`: a flow is one world."""
        self._refuse("list worlds")

    def _refuse(self, what: str) -> NoReturn:
        raise Unsupported(f"the engine 'matching' does not {what}; 'counting' and 'bits' answer")


def _placed(model: Model, meter: Meter, statements: Sequence[Statement]) -> Placing | None:
    """Return the network with a flow in it, or ``None`` if there is none."""
    places = places_of(statements)
    if places is None:
        raise Unsupported(
            "the engine 'matching' is for Counts about single values that are nested or apart; "
            "'bits' takes all kinds"
        )
    placing = Placing(model, model.facts_only(statements), places, meter)
    return placing if placing.network.circulate(meter) else None


def _root(places: Sequence[Place], position: int) -> int:
    """Return the node of a value: it follows the nodes of the places."""
    return 1 + len(places) + position
