"""The words for hidden states that change, against worlds that are listed by hand."""

from __future__ import annotations

import pickle
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from deduce import (
    BadProblem,
    Constraint,
    Knowledge,
    Problem,
    Timeline,
    alone_with,
    copies,
    happens,
    keeps,
    move,
    moves,
    seen,
    swap,
    together,
)
from deduce.logs.problem_json import read_problem, write_problem
from deduce.timeline import chances

ENGINES = ("auto", "counting", "components", "bits", "cpsat")
LINE = Timeline(copies(["a", "b"], {"x": 1, "y": 1}))

NO_CYCLES: Any = ("a", "b")
NO_GRAPH: Any = ["p"]
NO_STEPS: Any = [[0]]

Options = Mapping[Any, list[Any]]


def exchanged(state: dict[str, str], cycles: Any) -> dict[str, str]:
    """Return what lies where after an exchange."""
    after = dict(state)
    for cycle in cycles:
        for place, source in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            after[place] = state[source]
    return after


def played(
    start: dict[str, str], steps: list[tuple[Options, str | None, int]]
) -> Iterator[tuple[Fraction, list[dict[str, str]]]]:
    """Yield what can happen from a start, with its probability: the states after each step."""
    ways = [(Fraction(1), [start])]
    for options, holder, when in steps:
        following = []
        for chance, states in ways:
            some: list[Any] = options.get(None, [])
            if holder is not None:
                holders = [p for p in options if states[when][p] == holder]
                some = options[holders[0]] if holders else [()]
            for each in some:
                after = exchanged(states[-1], each)
                following.append((chance / len(some), [*states, after]))
        ways = following
    yield from ways


def drawn(random: Random) -> tuple[Problem, Timeline, list[tuple[Options, str | None, int]]]:
    """Return a deal, what happens after it, and the same for `played`."""
    places = list("abcd")[: random.randint(3, 4)]
    kinds = {kind: random.randint(1, 2) for kind in "xyz"}
    kinds["z"] += max(0, len(places) - sum(kinds.values()))
    deal = copies(places, kinds)
    line = Timeline(deal)
    steps: list[tuple[Options, str | None, int]] = []
    every = [(), *(swap(p, q) for p in places for q in places if p < q), (tuple(places),)]
    for number in range(random.randint(1, 2)):
        actors = random.sample(places, random.randint(1, len(places)))
        options: Options = {p: random.sample(every, random.randint(1, 3)) for p in actors}
        holder, when = random.choice(["x", "y", None]), random.randint(0, number)
        if holder is None:
            options = {None: options[actors[0]]}
            line = line.exchange(f"event {number}", options[None])
        else:
            line = line.exchange(f"event {number}", options, holder=holder, step=when)
        steps.append((options, holder, when))
    return deal, line, steps


def test_timelines_have_the_probabilities_of_all_that_can_happen() -> None:
    random = Random(7)
    for number in range(20):
        deal, line, steps = drawn(random)
        places = list(deal.domains)
        expected: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
        for row, share in Knowledge(deal).joint(*places).items():
            start: dict[Any, Any] = dict(zip(places, row, strict=True))
            for chance, states in played(start, steps):
                expected[states[0]["a"], *(states[-1][str(p)] for p in places)] += share * chance
        names = list(dict.fromkeys(["a", *map(line.now, places)]))
        k = Knowledge(line.problem, engine=random.choice(["auto", "counting", "components"]))
        found: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
        for row, share in k.joint(*names).items():
            at: dict[Any, Any] = dict(zip(names, row, strict=True))
            found[at["a"], *(at[line.now(p)] for p in places)] += share
        assert (number, found) == (number, expected)


def test_worlds_of_paths_are_those_that_meet_every_word() -> None:
    random = Random(8)
    for number in range(15):
        nodes = "pqr"[: random.randint(2, 3)]
        graph: Any = {n: random.sample(nodes, random.randint(0, len(nodes))) for n in nodes}
        seen_graph: Any = {n: random.sample(nodes, random.randint(1, 2)) for n in nodes[:2]}
        who, steps = ["Ann", "Ben", "Dot"], [3, 5, 9][len(nodes) - 2 :]
        first, second = steps[:2]
        house = moves(who, graph, steps)
        domains = {
            **house.domains,
            "who": ("Ann", "Ben"),
            "when": (first, 9),
            "scene": tuple(nodes),
        }
        rules = [
            *alone_with("Dot", ["Ann", "Ben"], who="who", when="when", steps=steps),
            *happens("scene", "Dot", when="when", steps=steps),
            *(together(["Ann", "Ben"], second) if number % 3 == 0 else ()),
            move("Dot", first, second, seen_graph),
        ]
        k = Knowledge(Problem(domains, [*house.rules, *rules]), engine=random.choice(ENGINES))
        expected = []
        for row in product(*domains.values()):
            world: dict[Any, Any] = dict(zip(domains, row, strict=True))
            at: dict[Any, Any] = {(name, step): world[name, step] for name in who for step in steps}
            dot = at["Dot", world["when"]]
            if (
                all(at[n, b] in graph[at[n, a]] for n in who for a, b in pairwise(steps))
                and all((at[n, world["when"]] == dot) == (world["who"] == n) for n in who[:2])
                and world["scene"] == dot
                and (number % 3 or at["Ann", second] == at["Ben", second])
                and at["Dot", second] in seen_graph.get(at["Dot", first], ())
            ):
                expected.append(world)
        assert k.count() == len(expected)
        shares = k.shares() if expected else {}
        for variable, row_of in shares.items():
            for value, share in row_of.items():
                assert share == Fraction(sum(w[variable] == value for w in expected), len(expected))


def test_weights_of_moves_multiply_and_many_of_them_take_several_likelihoods() -> None:
    size = 9
    graph = {a: {b: 1 + a * size + b for b in range(size)} for a in range(size)}
    k = Knowledge(moves(["x"], graph, (0, 1, 2)))
    joint = k.joint(("x", 0), ("x", 1), ("x", 2))
    weights = {(a, b, c): graph[a][b] * graph[b][c] for a, b, c in product(range(size), repeat=3)}
    total = sum(weights.values())
    assert dict(joint) == {row: Fraction(weight, total) for row, weight in weights.items()}
    expected = Fraction(sum(w for row, w in weights.items() if row[1:] == (3, 4)), total)
    assert k.posterior()["x", 1, "move"][3, 4] == expected


def test_the_likelihoods_of_a_move_of_its_own_are_its_weights() -> None:
    random = Random(7)
    for _ in range(30):
        nodes = list("pqrs"[: random.randint(2, 4)])
        weights = [Fraction(each) for each in (0, 0, 1, 2, 3, "1/2")]
        graph = {
            node: {other: random.choice(weights) for other in random.sample(nodes, 2)}
            for node in nodes
        }
        edges = {(a, b): weight for a in graph for b, weight in graph[a].items()}
        if not (total := sum(edges.values())):
            continue
        told: list[Constraint] = [move("x", 0, 1, graph), *chances("x", 0, 1, graph)]
        joint = Knowledge(Problem({("x", 0): nodes, ("x", 1): nodes}, told)).joint(
            ("x", 0), ("x", 1)
        )
        expected = {edge: weight / total for edge, weight in edges.items() if weight}
        assert {edge: share for edge, share in joint.items() if share} == expected


def test_all_words_are_plain_data() -> None:
    line = Timeline(copies(["a", "b"], {"x": 1, "y": 1})).exchange("e", keeps(["a"], ["b"]))
    house = moves(["Ann", "Dot"], {1: [1, 2], 2: [1]}, range(3))
    crime = alone_with("Dot", ["Ann"], who="w", when="t", steps=range(3))
    scene = happens("s", "Dot", when="t", steps=range(3))
    domains = {**house.domains, "w": ("Ann",), "t": range(3), "s": (1, 2)}
    case = Problem(domains, [*house.rules, *crime, *scene, *together(["Ann", "Dot"], 1)])
    for problem in (line.problem, house, case):
        assert pickle.loads(pickle.dumps(problem)) == problem  # noqa: S301
        again = read_problem(write_problem(problem))
        assert Knowledge(again).posterior() == Knowledge(problem).posterior()
    assert pickle.loads(pickle.dumps(line)) == line  # noqa: S301
    assert line.at("a", 0) == "a"
    assert line.at("a", 1) == line.now("a") == ("a", 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: moves(["x"], NO_GRAPH, range(2)), "a graph is a mapping from nodes"),
        (lambda: moves(["x"], {"p": "pq"}, range(2)), "the nodes after 'p' are a list"),
        (lambda: moves(["x"], {"p": {"p": 0.5}}, range(2)), "for 0.5 use Fraction(1, 2)"),
        (lambda: moves("fox", {"p": ["p"]}, range(2)), "expected a list of names"),
        (lambda: moves(["x"], {}, range(2)), "a graph has at least one node"),
        (lambda: moves(["x"], {1: [1]}, [0, 1, 0]), "the step 0 is given twice"),
        (lambda: moves(["x", "x"], {1: [1]}, [0, 1]), "'x' is given twice"),
        (lambda: moves(["x"], {1: [1]}, NO_STEPS), "must be hashable"),
        (lambda: [*chances("x", 0, 1, {"p": {"p": 0.5, "q": 1}})], "for 0.5 use Fraction(1, 2)"),
        (lambda: [*chances("x", 0, 1, {"p": {"p": -1, "q": 1}})], "weights are 0 or more"),
        (lambda: seen("x", NO_GRAPH), "expected the weight of each value"),
        (lambda: LINE.exchange("a", [()]), "'a' is a variable already"),
        (lambda: LINE.exchange("e", [swap("a", "c")]), "there is no place 'c'"),
        (lambda: LINE.exchange("e", [swap("a", "a")]), "a place is named twice"),
        (lambda: LINE.exchange("e", [(("a",), ("b", "a"))]), "a place is named twice"),
        (lambda: LINE.exchange("e", [swap("a", "b")] * 2), "an exchange is given twice"),
        (lambda: LINE.exchange("e", [NO_CYCLES]), "cycles of places"),
        (lambda: LINE.exchange("e", []), "no exchange"),
        (lambda: LINE.exchange("e", {"a": [()]}), "who acts, name the holder"),
        (lambda: LINE.exchange("e", [()], holder="x"), "options for each place"),
        (lambda: LINE.exchange("e", {"a": [()]}, holder="z"), "can never be 'z'"),
        (lambda: LINE.exchange("e", {"a": [()]}, holder="x", step=1), "after step 1"),
        (lambda: LINE.at("a", 1), "after step 1"),
    ],
)
def test_what_is_wrong_is_named(make: Callable[[], object], message: str) -> None:
    with pytest.raises(BadProblem, match=re.escape(message)):
        make()
