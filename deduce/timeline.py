"""Hidden states that change: a value per step, moves, exchanges, and what happens at some step.

Everything here is plain data, made of ordinary variables and constraints, so every question, engine
and view knows it. What moves has a variable ``(name, step)`` for each step (`moves`). What lies at
places and is exchanged has the place itself as the variable of the start, and ``(place, step)``
after a step that may have changed it (`Timeline`).

A path that is only known in part is a *hidden Markov model*: what is known about now is filtering,
about an earlier step smoothing, and the most probable path that of Viterbi (Rabiner, *A tutorial on
hidden Markov models*, 1989). All of it is exact, and told at any time: evidence about one step
changes what is known about every other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, islice, pairwise
from operator import eq
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from deduce.constraints import (
    Constraint,
    Rows,
    Value,
    Variable,
    Weigh,
    Where,
    at_least,
    exact_weight,
    is_,
    is_not,
    listed,
)
from deduce.errors import BadProblem
from deduce.logic import implies, likelihood
from deduce.problem import Problem, Rule
from deduce.system.text import listing

__all__ = [
    "Exchange",
    "Graph",
    "Timeline",
    "alone_with",
    "chances",
    "happens",
    "keeps",
    "move",
    "moves",
    "seen",
    "swap",
    "together",
]

Node = TypeVar("Node", bound=Value)

Graph: TypeAlias = Mapping[Node, Collection[Node] | Mapping[Node, Fraction | int]]
"""For each value those that may follow it, or these with the probability of each."""

Exchange: TypeAlias = tuple[tuple[Variable, ...], ...]
"""Cycles of places, as permutations are written: each place gets what the next one has."""

MAX_WEIGHTS = 32
"""Different weights of one `Weigh`, whose numbers grow with the square of this."""


def moves(names: Iterable[Variable], graph: Graph[Node], steps: Iterable[Value]) -> Problem:
    """Return the problem of what moves along a graph: the value of ``(name, step)`` is where it is.

    Parameters
    ----------
    names
        What moves, each on its own.
    graph
        For each node those that may be next, itself where staying is possible. All paths are
        equally likely. If the next nodes have weights, a path is weighed by their product, so that
        the probability of each move may be given.
    steps
        The steps in their order.

    Raises
    ------
    BadProblem
        The graph is not such a mapping, or a weight is not exact, or below 0.

    Notes
    -----
    Counting takes time linear in the number of steps and of edges. If the weights of the moves from
    one node differ, ``(name, step, "move")`` is the move as a pair of nodes.

    Examples
    --------
    A fox visits one of five holes each day, each time next to the one of the day before:

    >>> from deduce import Knowledge, is_not
    >>> holes = {hole: [h for h in (hole - 1, hole + 1) if 1 <= h <= 5] for hole in range(1, 6)}
    >>> not_seen = [is_not(("fox", day), 2) for day in range(3)]
    >>> k = Knowledge(moves(["fox"], holes, range(6)), not_seen)
    >>> k.count(), k.posterior()["fox", 1]
    (30, {3: Fraction(1, 5), 4: Fraction(3, 5), 5: Fraction(1, 5)})
    """
    if not isinstance(graph, Mapping):
        raise BadProblem(f"a graph is a mapping from nodes to the next nodes, not {graph!r}")
    order, who = _once("step ", listed("steps", steps)), _once("", listed("names", names))
    edges = dict(_edges(graph))
    if not graph:
        raise BadProblem("a graph has at least one node")
    nodes = tuple(dict.fromkeys((*graph, *(after for _, after in edges))))
    rows = Rows(edges)
    out: dict[Value, set[Fraction | int]] = {}
    for (before, _), weight in edges.items():
        out.setdefault(before, set()).add(weight)
    by_node = {node: weights.pop() for node, weights in out.items() if len(weights) == 1}
    by_edge = len(by_node) < len(out)
    tail = Rows((edge, edge[0]) for edge in edges)
    head = Rows((edge, edge[1]) for edge in edges)
    domains: dict[Variable, tuple[Value, ...]] = {}
    rules: list[Rule] = []
    for name in who:
        domains |= {(name, step): nodes for step in order}
        for before, after in pairwise(order):
            sentence = f"{name} moves along the graph from {before} to {after}"
            if by_edge:
                edge = (name, before, "move")
                domains[edge] = tuple(edges)
                rules.append(Rule(Where((edge, (name, before)), tail), sentence))
                rules.append(Rule(Where((edge, (name, after)), head), sentence))
                weighed = _weighed(edge, edges)
            else:
                rules.append(Rule(Where(((name, before), (name, after)), rows), sentence))
                weighed = _weighed((name, before), by_node)
            rules += [Rule(weigh, f"how probable it is that {sentence}") for weigh in weighed]
    return Problem(domains, rules)


def _once(what: str, items: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return items that are all different."""
    try:
        repeated = [item for item, number in Counter(items).items() if number > 1]
    except TypeError:
        raise BadProblem(f"names and steps must be hashable: {items!r}") from None
    if repeated:
        raise BadProblem(f"the {what}{repeated[0]!r} is given twice")
    return items


def _edges(graph: Graph[Node]) -> Iterator[tuple[tuple[Value, Value], Fraction | int]]:
    for node, others in graph.items():
        if isinstance(others, str) or not isinstance(others, Iterable):
            raise BadProblem(f"the nodes after {node!r} are a list or a mapping, not {others!r}")
        weights = others if isinstance(others, Mapping) else dict.fromkeys(others, 1)
        for other, weight in weights.items():
            yield (node, other), weight


def move(name: Variable, before: Value, after: Value, graph: Graph[Node]) -> Where:
    """Return that something has moved along this graph from one step to another.

    It is for what is seen of a move, such as that it was made by boat.

    Examples
    --------
    >>> print(move("thief", 3, 4, {"quay": ["island"]}))
    thief moves from 3 to 4 along: quay to island
    """
    edges = dict(_edges(graph))
    shown = ", ".join(f"{a} to {b}" for a, b in edges) if len(edges) < 5 else "certain edges"
    name_ = f"{name} moves from {before} to {after} along: {shown}"
    return Where(((name, before), (name, after)), Rows(edges), name_)


def chances(name: Variable, before: Value, after: Value, graph: Graph[Node]) -> Iterator[Weigh]:
    """Yield the likelihoods of a move along a graph whose next nodes have weights.

    They are for a move of its own, as `move` is; a node that is not in the graph has weight 1.

    Raises
    ------
    BadProblem
        The graph is not such a mapping, or a weight is not exact or below 0.

    Examples
    --------
    >>> from deduce import Knowledge, Problem
    >>> graph = {"quay": {"island": 2, "town": 1}}
    >>> places = {("thief", step): ("quay", "island", "town") for step in (0, 1)}
    >>> told = [move("thief", 0, 1, graph), *chances("thief", 0, 1, graph)]
    >>> Knowledge(Problem(places, told)).posterior()["thief", 1]["island"]
    Fraction(2, 3)
    """
    edges = {edge: exact_weight(weight) for edge, weight in _edges(graph)}
    weights: dict[object, list[Fraction]] = {}
    for (start, _), weight in edges.items():
        weights.setdefault(start, []).append(weight)
    least = {start: min(filter(None, of), default=Fraction()) for start, of in weights.items()}
    yield from _weighed((name, before), least)
    more = {edge: weight / (least[edge[0]] or 1) for edge, weight in edges.items()}
    more = {edge: times for edge, times in more.items() if times != 1}
    if more:
        other: object = object()  # any other node
        starts, ends = (dict.fromkeys((other, *nodes)) for nodes in zip(*more, strict=True))
        domains = {(name, before): [*starts], (name, after): [*ends]}
        yield evolve(likelihood(domains, lambda *edge: more.get(edge, 1)), complete=())


def seen(variable: Variable, weights: Mapping[Value, Fraction | int]) -> Weigh:
    """Return the likelihood of what was seen, by the value of a variable; 1 for other values.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> weather = moves(["sky"], {"dry": {"dry": 3, "wet": 1}, "wet": {"dry": 2, "wet": 2}}, (1, 2))
    >>> umbrella = seen(("sky", 2), {"wet": 9, "dry": 2})
    >>> Knowledge(weather, [umbrella]).posterior()["sky", 1]["wet"]
    Fraction(22, 37)
    """
    if not isinstance(weights, Mapping):
        raise BadProblem(f"expected the weight of each value in a mapping, not {weights!r}")
    values_of: dict[Fraction | int, list[Value]] = {}
    for value, weight in weights.items():
        values_of.setdefault(weight, []).append(value)
    numbers: list[Fraction | int] = [1] * (1 + sum(range(len(values_of) + 1)))
    numbers[1 : len(values_of) + 1] = values_of
    facts = [is_(variable, *values) for values in values_of.values()]
    return Weigh(facts, numbers, amounts=range(1, len(facts) + 1))


def _weighed(variable: Variable, weights: Mapping[Any, Fraction | int]) -> Iterator[Weigh]:
    """Yield likelihoods of which a value has one of the weights; they have few weights each."""
    different = iter(dict.fromkeys(weight for weight in weights.values() if weight != 1))
    while some := set(islice(different, MAX_WEIGHTS)):
        yield seen(variable, {value: w for value, w in weights.items() if w in some})


def together(names: Iterable[Variable], step: Value) -> list[Where]:
    """Return the rules that some things are at the same place at a step.

    Examples
    --------
    >>> [str(rule) for rule in together(["Ann", "Ben"], 3)]
    ['Ann and Ben are at the same place at 3']
    """
    return [
        Where(((a, step), (b, step)), eq, f"{a} and {b} are at the same place at {step}")
        for a, b in pairwise(listed("names", names))
    ]


@frozen
class _Alone:
    """At a step, one is with another just if they are the one who is alone with them."""

    step: Value
    name: Variable

    def __call__(self, when: Value, who: Value, own: Value, other: Value) -> bool:
        return when != self.step or (own == other) == (who == self.name)


def alone_with(
    whom: Variable,
    others: Iterable[Variable],
    *,
    who: Variable,
    when: Variable,
    steps: Iterable[Value],
) -> list[Where]:
    """Return the rules that at the step ``when`` exactly the one who is ``who`` is with ``whom``.

    Parameters
    ----------
    whom
        Who is met.
    others
        All others who move; the values of ``who`` are some of them.
    who, when
        The variables of the one, and of the step.
    steps
        The steps, such as `moves` was given.

    Examples
    --------
    >>> rules = alone_with("Dot", ["Ann", "Ben"], who="thief", when="time", steps=(1, 2))
    >>> print(rules[0])
    at 1, if that is time, Ann is with Dot just if thief is Ann
    """
    names = listed("others", others)
    return [
        Where(
            (when, who, (name, step), (whom, step)),
            _Alone(step, name),
            f"at {step}, if that is {when}, {name} is with {whom} just if {who} is {name}",
        )
        for step in listed("steps", steps)
        for name in names
    ]


@frozen
class _Happens:
    """A value is that of a certain step, if that is the step."""

    step: Value

    def __call__(self, when: Value, what: Value, own: Value) -> bool:
        return when != self.step or what == own


def happens(
    what: Variable, name: Variable, *, when: Variable, steps: Iterable[Value]
) -> list[Where]:
    """Return the rules that ``what`` is where something is at the step ``when``, a variable.

    Examples
    --------
    >>> print(happens("scene", "Dot", when="time", steps=(1, 2))[0])
    scene is the place of Dot at 1, if that is time
    """
    return [
        Where(
            (when, what, (name, step)),
            _Happens(step),
            f"{what} is the place of {name} at {step}, if that is {when}",
        )
        for step in listed("steps", steps)
    ]


def swap(first: Variable, second: Variable) -> Exchange:
    """Return the exchange of two places.

    Examples
    --------
    >>> swap("Ann", "Ben")
    (('Ann', 'Ben'),)
    """
    return ((first, second),)


def keeps(hand: Collection[Variable], drawn: Collection[Variable]) -> list[Exchange]:
    """Return all ways to keep as many cards of a hand and of those drawn as the hand has.

    Examples
    --------
    >>> keeps(["hand"], ["top", "next"])
    [(), (('hand', 'top'),), (('hand', 'next'),)]
    """
    return [
        tuple(zip(given, taken, strict=True))
        for number in range(min(len(hand), len(drawn)) + 1)
        for given in combinations(hand, number)
        for taken in combinations(drawn, number)
    ]


def _sources(exchange: Exchange) -> dict[Variable, Variable]:
    """Return for each place the one that it gets something from."""
    pairs = [
        (a, b) for cycle in exchange for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True)
    ]
    sources = dict(pairs)
    if len(sources) < len(pairs):
        raise BadProblem(f"a place is named twice in the exchange {exchange!r}")
    return sources


def _different(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    some = listed("exchanges", exchanges)
    if not some:
        raise BadProblem("there is no exchange to choose from; () stands for no exchange")
    for each in some:
        if not isinstance(each, tuple) or not all(isinstance(cycle, tuple) for cycle in each):
            raise BadProblem(
                f"an exchange is a tuple of cycles of places, not {each!r}; see swap()"
            )
    if len(set(some)) < len(some):
        raise BadProblem(f"an exchange is given twice: {some!r}")
    return some


@frozen
class Timeline:
    """Things at places, some of which are exchanged step by step.

    Parameters
    ----------
    problem
        What is where at the start: its variables are the places. Later it has the steps too.
    changed
        For each step so far the places that it may have changed.

    Examples
    --------
    Ann and Ben have a card each and a third one is hidden; whoever has the ace takes it.

    >>> from deduce import Knowledge, copies, is_
    >>> line = Timeline(copies(["Ann", "Ben", "hidden"], {"ace": 1, "king": 2}))
    >>> line = line.exchange("deal", {p: [swap(p, "hidden")] for p in ("Ann", "Ben")}, holder="ace")
    >>> Knowledge(line.problem).posterior()[line.now("Ann")]
    {'king': Fraction(1, 1)}
    """

    problem: Problem
    changed: tuple[frozenset[Variable], ...] = field(default=(), repr=False)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise BadProblem(f"a Timeline begins with a Problem, not {self.problem!r}")

    @property
    def step(self) -> int:
        """The number of exchanges so far."""
        return len(self.changed)

    def at(self, place: Variable, step: int) -> Variable:
        """Return the variable of what is at a place after a step; 0 is the start.

        Raises
        ------
        BadProblem
            There is no such place or step.
        """
        if place not in self.problem.domains or not 0 <= step <= self.step:
            places = listing(map(str, self.problem.domains))
            raise BadProblem(f"there is no place {place!r} after step {step!r}{places}")
        last = max((n for n in range(1, step + 1) if place in self.changed[n - 1]), default=0)
        return (place, last) if last else place

    def now(self, place: Variable) -> Variable:
        """Return the variable of what is at a place after all exchanges."""
        return self.at(place, self.step)

    def exchange(
        self,
        event: Variable,
        options: Iterable[Exchange] | Mapping[Any, Iterable[Exchange]],
        *,
        holder: Value = None,
        step: int = 0,
    ) -> Timeline:
        """Return the timeline with one more step: one of some exchanges, each equally likely.

        Parameters
        ----------
        event
            The variable of the exchange that is made.
        options
            The exchanges, from `swap` and `keeps`, ``()`` for none; or these for each place that
            may be the ``holder``.
        holder
            What the place has that acts. The values of the event are then pairs of this place and
            an exchange, or ``None``: no place that could act has it. If several have it, the first
            of ``options`` acts.
        step
            The step after which it is looked at who has it.

        Raises
        ------
        BadProblem
            An exchange is none, or the event is already a variable.
        """
        if isinstance(options, Mapping) and holder is None:
            raise BadProblem("if the options depend on who acts, name the holder")
        if holder is not None and not isinstance(options, Mapping):
            raise BadProblem(f"with a holder, expected options for each place, not {options!r}")
        cases = options if isinstance(options, Mapping) else {None: options}
        exchanges = {place: _different(some) for place, some in cases.items()}
        values: dict[Value, Exchange] = {
            (each if holder is None else (place, each)): each
            for place, some in exchanges.items()
            for each in some
        }
        rules: list[Rule | Constraint] = []
        if holder is not None:
            values[None] = ()
            rules += self._acts(
                event, {p: [(p, e) for e in some] for p, some in exchanges.items()}, holder, step
            )
        came: dict[Variable, dict[Variable, set[Value]]] = {}
        sources = {value: _sources(each) for value, each in values.items()}
        places = dict.fromkeys(place for of in sources.values() for place in of)
        for value, of in sources.items():
            for place in places:
                came.setdefault(place, {}).setdefault(of.get(place, place), set()).add(value)
        number = self.step + 1
        for name in (event, *((place, number) for place in places)):
            if name in self.problem.domains:
                raise BadProblem(f"{name!r} is a variable already")
        domains = {**self.problem.domains, event: tuple(values)}
        for place, by_source in came.items():
            domains[place, number] = tuple(
                dict.fromkeys(
                    v for source in by_source for v in self.problem.domains[self.now(source)]
                )
            )
            for source, some in by_source.items():
                sentence = f"what {place} has after step {number}, if it comes from {source}"
                same = Where((self.now(source), (place, number)), eq)
                rules.append(Rule(implies(is_(event, *some), same), sentence))
        problem = Problem(domains, [*self.problem.rules, *rules], self.problem.evidence)
        return Timeline(problem, (*self.changed, frozenset(places)))

    def _acts(
        self, event: Variable, options: Mapping[Variable, list[Value]], holder: Value, step: int
    ) -> Iterator[Rule]:
        """Yield who acts: the first place that has what its ``holder`` has."""
        earlier: list[Value] = []
        for place, values in options.items():
            has = self.at(place, step)
            earlier += values
            acts = [is_not(event, *values), is_(has, holder)]
            yield Rule(at_least(1, acts), f"{event}: {place} acts only with {holder}")
            acts = [is_(event, *earlier), is_not(has, holder)]
            yield Rule(at_least(1, acts), f"{event}: with {holder}, {place} acts")
            if len(values) > 1:
                weigh = Weigh([is_(event, *values)], [1, Fraction(1, len(values))])
                yield Rule(weigh, f"{event}: what {place} does is equally likely")
