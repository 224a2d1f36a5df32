"""Who knows what by the textbook: an independent oracle, and random problems for it.

A model is a list of worlds with what each player sees in each; a formula is a nested tuple. Truth
is defined as in van Ditmarsch, van der Hoek and Kooi, *Dynamic Epistemic Logic* (2007), sections
2.2 (knowledge), 2.3 (common knowledge) and 4.3 (announcements), world by world, and shares no code
with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from attrs import frozen

World = dict[str, Any]
Formula = tuple[Any, ...]
"""``("is", variable, values)``, ``("count", low, high, facts)``, ``("not", f)``, ``("and", fs)``,
``("or", fs)``, ``("value", player, variable)``, ``("answer", player, question)``,
``("knows", player, f)`` or ``("common", players, f)``."""

Seen = dict[str, list[tuple[str, Any]]]
"""For each player ``("variable", name)``, ``("formula", f)`` or ``("question", ...)``."""


@frozen
class Case:
    """A random problem: worlds, what is seen, a log of announcements, and a likelihood."""

    domains: dict[str, tuple[Any, ...]]
    allowed: frozenset[tuple[Any, ...]]
    sees: Seen
    log: list[Formula]
    weighed: tuple[str, Any, int]

    def worlds(self) -> list[World]:
        names = list(self.domains)
        rows = product(*self.domains.values())
        return [dict(zip(names, row, strict=True)) for row in rows if row in self.allowed]


class Model:
    """Worlds, and which of them a player cannot tell apart; truth is looked up once it is known."""

    def __init__(self, worlds: Sequence[World], sees: Seen) -> None:
        self.worlds = worlds
        self.same: dict[str, list[list[int]]] = {}
        for player, things in sees.items():
            looks = [look(world, things) for world in worlds]
            self.same[player] = [
                [j for j, other in enumerate(looks) if other == mine] for mine in looks
            ]
        self.known: dict[tuple[int, int], bool] = {}

    def holds(self, formula: Formula, at: int) -> bool:
        """Return whether a formula is true in a world of the model."""
        key = id(formula), at
        if key not in self.known:
            self.known[key] = self._holds(formula, at)
        return self.known[key]

    def _holds(self, formula: Formula, at: int) -> bool:
        kind, world = formula[0], self.worlds[at]
        if kind == "is":
            return world[formula[1]] in formula[2]
        if kind == "count":
            number = len([part for part in formula[3] if self.holds(part, at)])
            return bool(formula[1] <= number <= formula[2])
        if kind == "not":
            return not self.holds(formula[1], at)
        if kind == "and":
            return all(self.holds(part, at) for part in formula[1])
        if kind == "or":
            return any(self.holds(part, at) for part in formula[1])
        if kind == "value":
            others = [self.worlds[j] for j in self.same[formula[1]][at]]
            return all(other[formula[2]] == world[formula[2]] for other in others)
        if kind == "answer":
            others = [self.worlds[j] for j in self.same[formula[1]][at]]
            return len({answer(formula[2], other) for other in others}) == 1
        if kind == "knows":
            return all(self.holds(formula[2], j) for j in self.same[formula[1]][at])
        assert kind == "common"
        reached, todo = {at}, [at]
        while todo:
            place = todo.pop()
            new = {j for player in formula[1] for j in self.same[player][place]} - reached
            reached |= new
            todo += new
        return all(self.holds(formula[2], j) for j in reached)


def answer(question: tuple[str, tuple[Any, ...]], world: World) -> bool:
    """Return the answer of the question whether a variable has one of some values."""
    return world[question[0]] in question[1]


def look(world: World, things: list[tuple[str, Any]]) -> list[Any]:
    """Return what a player sees in a world."""
    seen: list[Any] = []
    for kind, thing in things:
        if kind == "variable":
            seen.append(world[thing])
        elif kind == "formula":
            seen.append(world[thing[1]] in thing[2])
        else:
            seen.append(answer(thing, world))
    return seen


def announced(formula: Formula, worlds: Sequence[World], sees: Seen) -> list[World]:
    """Return the worlds that an announcement leaves."""
    model = Model(worlds, sees)
    return [world for at, world in enumerate(worlds) if model.holds(formula, at)]


def random_case(seed: int) -> Case:
    """Return a random problem with up to 200 worlds and three players."""
    random = Random(f"kripke {seed}")
    shape = [random.randint(1, 4) for _ in range(random.randint(1, 5))]
    while len(list(product(*map(range, shape)))) > 1000:
        shape.pop()
    domains = {f"v{i}": tuple(f"x{j}" for j in range(n)) for i, n in enumerate(shape)}
    rows = list(product(*domains.values()))
    number = min(len(rows), 200, random.choice((3, 12, 40, 200)))
    allowed = rows if random.random() < 0.3 and len(rows) <= 200 else random.sample(rows, number)
    players = ["Ann", "Ben", "Cid"][: random.randint(1, 3)]
    sees: Seen = {player: [] for player in players}
    for player in players:
        for _ in range(random.randint(0, 3)):
            kind = random.choice(("variable", "variable", "formula", "question"))
            name = random.choice(list(domains))
            some = tuple(x for x in domains[name] if random.random() < 0.5)
            thing = {"variable": name, "formula": ("is", name, some), "question": (name, some)}
            sees[player].append((kind, thing[kind]))
    make = _Formulas(random, domains, players)
    log = [make.formula(random.randint(0, 3)) for _ in range(random.randint(1, 4))]
    name = random.choice(list(domains))
    weighed = (name, random.choice(domains[name]), random.randint(1, 5))
    return Case(domains, frozenset(allowed), sees, log, weighed)


class _Formulas:
    """Random formulas, most of them about what players do not know."""

    def __init__(self, random: Random, domains: dict[str, Any], players: list[str]) -> None:
        self.random, self.domains, self.players = random, domains, players

    def fact(self) -> Formula:
        name = self.random.choice(list(self.domains))
        values = self.domains[name]
        return ("is", name, tuple(self.random.sample(values, self.random.randint(1, len(values)))))

    def formula(self, depth: int) -> Formula:
        random = self.random
        player = random.choice(self.players)
        if depth == 0:
            name = random.choice(list(self.domains))
            some = tuple(x for x in self.domains[name] if random.random() < 0.5)
            made = random.choice((
                self.fact(), ("value", player, name), ("answer", player, (name, some)),
            ))  # fmt: skip
            return ("not", made) if made[0] != "is" and random.random() < 0.7 else made
        kind = random.choice(KINDS)
        if kind == "common":
            several = tuple(random.sample(self.players, random.randint(1, len(self.players))))
            return ("common", several, self.formula(depth - 1))
        if kind in ("and", "or"):
            return (kind, [self.formula(depth - 1) for _ in range(random.randint(1, 3))])
        if kind == "count":
            facts = [self.formula(depth - 1) for _ in range(random.randint(1, 3))]
            low = random.randint(0, len(facts))
            return ("count", low, random.randint(low, len(facts)), facts)
        made = ("knows", player, self.formula(depth - 1))
        return ("not", made) if random.random() < 0.6 else made


KINDS = ("knows", "knows", "common", "and", "or", "count")


# The same in the words of the package


def constraint(formula: Formula, *, negated: bool = False) -> Any:
    """Return a formula as a claim of the package."""
    from deduce.constraints import Fact, Knows
    from deduce.logic import all_of, any_of, count_of, negation

    kind = formula[0]
    if kind in ("and", "or", "count"):
        parts = list(map(constraint, formula[3 if kind == "count" else 1]))
        if kind == "count":
            made: Any = count_of(parts, formula[1], formula[2])
        else:
            made = (all_of if kind == "and" else any_of)(parts)
        return negation(made) if negated else made
    if kind == "not":
        return constraint(formula[1], negated=not negated)
    if kind == "is":
        return Fact(formula[1], formula[2], negated=negated)
    if kind == "value":
        return Knows([formula[1]], formula[2], negated=negated)
    if kind == "answer":
        return Knows([formula[1]], asked(formula[2]), negated=negated)
    if kind == "knows":
        return Knows([formula[1]], constraint(formula[2]), negated=negated)
    assert kind == "common"
    return Knows(formula[1], constraint(formula[2]), negated=negated)


def asked(question: tuple[str, tuple[Any, ...]]) -> dict[str, Any]:
    """Return a question as the package takes it."""
    from deduce.constraints import Fact

    name, some = question
    return {"yes": Fact(name, some), "no": Fact(name, some, negated=True)}


def problem_of(case: Case) -> Any:
    """Return the problem of a case."""
    from deduce.constraints import Where
    from deduce.problem import Problem

    form: dict[str, Callable[[Any], Any]] = {
        "variable": lambda thing: thing, "formula": constraint, "question": asked,
    }  # fmt: skip
    rule = Where(tuple(case.domains), lambda *row: row in case.allowed, "the rule")
    sees = {
        player: [form[kind](thing) for kind, thing in things]
        for player, things in case.sees.items()
    }
    return Problem(case.domains, [rule], sees=sees)


def check(case: Case, *, engine: str = "auto") -> int:
    """Compare all queries after each announcement with the oracle; return how many were compared.

    Raises
    ------
    AssertionError
        They differ.
    """
    from deduce.constraints import Weigh, is_
    from deduce.errors import Contradiction
    from deduce.knowledge import Knowledge

    name, value, factor = case.weighed
    weigh = Weigh([is_(name, value)], [1, factor])
    k = Knowledge(problem_of(case), engine=engine).tell(weigh)
    worlds, compared = case.worlds(), 0
    for formula in [None, *case.log]:
        if formula is not None:
            before = worlds
            worlds = announced(formula, worlds, case.sees)
            claim = constraint(formula)
            assert k.is_possible(claim) == bool(worlds), claim
            if before:
                assert k.is_certain(claim) == (worlds == before), claim
                _check_known(k, formula, before, worlds, case)
            k = k.tell(claim)
        assert k.count() == len(worlds)
        assert k.is_consistent() == bool(worlds)
        compared += 1
        listed = list(k.worlds())
        assert sorted(map(repr, map(dict, listed))) == sorted(map(repr, worlds))
        if not worlds:
            for query in (k.shares, k.posterior, k.possible, k.certain):
                try:
                    query()
                except Contradiction:
                    continue
                raise AssertionError("a query answered although no world is possible")
            assert k.contradiction().verdict == "contradiction"
            return compared
        weights = [factor if world[name] == value else 1 for world in worlds]
        total = sum(weights)
        for variable, domain in case.domains.items():
            row = {x: sum(w[variable] == x for w in worlds) for x in domain}
            assert k.shares()[variable] == {
                x: Fraction(n, len(worlds)) for x, n in row.items() if n
            }
            mass = {
                x: sum(m for w, m in zip(worlds, weights, strict=True) if w[variable] == x)
                for x in domain
            }
            assert k.posterior()[variable] == {x: Fraction(m, total) for x, m in mass.items() if m}
            assert k.possible()[variable] == {x for x, n in row.items() if n}
        (first, *_), (*_, last) = case.domains, case.domains
        joint: dict[Any, Fraction] = {}
        for world, weight in zip(worlds, weights, strict=True):
            key = (world[first], world[last])
            joint[key] = joint.get(key, Fraction(0)) + Fraction(weight, total)
        assert dict(k.joint(first, last)) == joint
        assert all(dict(world) in worlds for world in k.sample(5, seed=1))
        (best, probability), *_ = k.probable_worlds()
        assert dict(best) in worlds
        assert probability == Fraction(max(weights), total)
    return compared


def _check_known(
    k: Any, formula: Formula, before: list[World], after: list[World], case: Case
) -> None:
    """Compare the answer of `Knowledge.knows`, and the explanation of the claim."""
    name, value, factor = case.weighed

    def mass(worlds: list[World]) -> int:
        return sum(factor if world[name] == value else 1 for world in worlds)

    kind = formula[0]
    if kind in ("value", "knows"):
        what = formula[2] if kind == "value" else constraint(formula[2])
        known = k.knows(formula[1], what)
        assert known.number == len(after)
        assert known.of == len(before)
        assert known.probability == Fraction(mass(after), mass(before))
        assert sorted(map(repr, map(dict, known.worlds()))) == sorted(map(repr, after))
    why = k.why(constraint(formula))
    if len(after) in (0, len(before)):
        assert why.verdict == ("certain" if after else "impossible")
        again = case.worlds()
        for number in why.events:
            if number > 1:  # the first event is the likelihood
                again = announced(case.log[number - 2], again, case.sees)
        assert all(world in again for world in before)
        assert len(announced(formula, again, case.sees)) == (len(again) if after else 0)
    else:
        assert why.verdict == "open"
        assert dict(why.holds) in after
        assert dict(why.fails) in before
        assert dict(why.fails) not in after
