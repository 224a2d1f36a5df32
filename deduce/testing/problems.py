"""Problems drawn at random, in the shapes that engines treat in different ways.

Each shape is drawn in sizes on both sides of the thresholds in the engines, and three of four
problems have a world that was chosen first, so that all constraints can be met together.

>>> from random import Random
>>> drawn = generated(Random(1), "permutation")
>>> drawn == generated(Random(1), "permutation")
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, product
from math import prod
from random import Random
from typing import Any

from attrs import evolve

from deduce.constraints import (
    WORDS,
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Logic,
    Number,
    Rows,
    Sum,
    Value,
    Variable,
    Weigh,
    Where,
    at_least,
    at_most,
    exactly,
    is_,
    is_not,
    opposite,
)
from deduce.problem import Evidence, Instead, Problem, is_true, number_of

__all__ = ["LARGE", "SHAPES", "claim_about", "generated", "names_of"]

WEIGHTS = (Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(3), Fraction(2))

MAX_ROWS = 2000
"""Tables have up to this many rows to choose from."""

MAX_VALUES = 20
"""Joint distributions are of variables with up to this number of values."""

MAX_CELLS = 150
"""Joint distributions have up to this number of combinations."""

TYPES: Sequence[object] = (
    True, 0, 1.0, False, 1, None, (), (1,), (True, "a"), "1", "", "a b", Fraction(1, 2), -3,
)  # fmt: skip


def generated(random: Random, shape: str | None = None) -> Problem:
    """Return a random problem of a shape; left out: of any.

    Parameters
    ----------
    random
        Its state determines the problem.
    shape
        One of `SHAPES`.
    """
    drawn = _Draft(random)
    SHAPES[shape or random.choice(list(SHAPES))](drawn)
    return drawn.problem()


def names_of(problem: Problem, random: Random) -> list[Variable]:
    """Return one to three variables of few values, often such as a likelihood is about."""
    weighed = {f.variable for c in problem.constraints() if isinstance(c, Weigh) for f in c.facts}
    names = [v for v in problem.domains if v in weighed or random.random() < 0.5]
    narrow = [v for v in names or problem.domains if len(problem.domains[v]) <= MAX_VALUES]
    if not narrow:
        return [next(iter(problem.domains))]
    names = random.sample(narrow, random.randint(1, min(3, len(narrow))))
    while prod(len(problem.domains[name]) for name in names) > MAX_CELLS:
        names.pop()
    return names


def claim_about(problem: Problem, random: Random) -> Constraint:
    """Return a Fact, Count or Sum about a few variables."""
    facts = []
    for name in names_of(problem, random):
        values = problem.domains[name]
        meant = random.sample(values, random.randint(1, len(values)))
        facts.append((is_ if random.random() < 0.5 else is_not)(name, *meant))
    low = random.randint(0, len(facts))
    count = Count(facts, low, random.randint(low, len(facts)))
    terms = [(fact, random.choice([-2, 1, 3])) for fact in facts]
    least, most = sorted(random.choices(range(-2, 4), k=2))
    sums = [Sum(terms, None, most), Sum(terms, least), Sum(terms, least, most)]
    some: list[Constraint] = [facts[0], count, random.choice(sums), opposite(facts[-1])]
    logic = Logic(random.choice(["if", "iff", "any", "all", "none"]), random.sample(some, 2))
    kinds: list[Constraint] = [facts[0], count, random.choice(sums), logic]
    return random.choice(kinds)


class _Draft:
    """A problem that is being drawn: its domains, the world that was chosen, the constraints."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.planted = random.random() < 0.75
        self.domains: dict[Variable, tuple[Value, ...]] = {}
        self.world: dict[Variable, Value] = {}
        self.made: list[Constraint] = []
        self.rules: list[Constraint] = []
        """Constraints that have no doubt, if all others are evidence."""
        self.doubt = 0.0
        """The probability that a piece of evidence has a doubt."""
        self.doubts = [Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(0)]

    def add(self, names: Iterable[Variable], values: Iterable[Value]) -> list[Variable]:
        """Add variables with the same values."""
        added, domain = list(names), tuple(values)
        self.domains |= dict.fromkeys(added, domain)
        self.world |= {name: self.random.choice(domain) for name in added}
        return added

    def some(self, number: int, *kinds: Callable[[_Draft], Constraint]) -> None:
        """Add up to a number of constraints of some kinds."""
        for _ in range(self.random.randint(0, number)):
            self.made.append(self.random.choice(kinds)(self))

    def names(self, most: int = 99) -> list[Variable]:
        """Return some of the variables, at least one."""
        names = list(self.domains)
        return self.random.sample(names, self.random.randint(1, min(most, len(names))))

    def fact(self) -> Fact:
        """Return a fact that holds in the chosen world."""
        (name,) = self.names(1)
        values = self.domains[name]
        kept = self.random.sample(values, self.random.randint(1, len(values)))
        if self.planted and self.world[name] not in kept:
            kept.append(self.world[name])
        return self.said(name, kept)

    def said(self, name: Variable, meant: Sequence[Value]) -> Fact:
        """Return the fact that a variable has one of some values, in one of two ways."""
        others = [value for value in self.domains[name] if value not in meant]
        return is_not(name, *others) if others and self.random.random() < 0.3 else is_(name, *meant)

    def other(self, constraint: Constraint) -> Fact:
        """Return what may hold instead of a constraint: any fact, or the opposite of one of its."""
        facts = constraint.facts if isinstance(constraint, Count | Sum | Weigh) else ()
        stated = [constraint] if isinstance(constraint, Fact) else [*facts]
        return self.random.choice([self.fact(), *map(opposite, stated[:2])])

    def facts(self) -> list[Fact]:
        """Return facts about some variables; two about one variable exclude each other."""
        facts = []
        for name in self.names():
            values = self.random.sample(self.domains[name], len(self.domains[name]))
            ends = sorted(self.random.choices(range(1, len(values) + 1), k=2))
            facts.append(self.said(name, values[: ends[0]]))
            if ends[0] < ends[1] and self.random.random() < 0.3:
                facts.append(self.said(name, values[ends[0] : ends[1]]))
        return facts

    def bounds(self, least: int, most: int, number: int) -> tuple[int, int]:
        """Return bounds between two numbers around the one of the chosen world."""
        if not self.planted:
            number = self.random.randint(least, most)
        width = self.random.choice((0, 0, 1, 2, most - least))
        low = self.random.randint(max(least, number - width), number)
        return low, max(number, min(most, low + width))

    def count(self, facts: Sequence[Fact] | None = None) -> Constraint:
        """Return a Count; sometimes one whose bounds are never reached, or cannot be."""
        facts = self.facts() if facts is None else facts
        low, high = self.bounds(0, len(facts), sum(is_true(f, self.world) for f in facts))
        odd = self.random.random()
        if odd < 0.1:
            return Count(facts, low)
        if odd < 0.15:
            return Count(facts, low, high + 9)
        if odd < 0.17 and not self.planted:
            return Count(facts, len(facts) + 1)
        return Count(facts, low, high)

    def sum(self) -> Constraint:
        """Return a Sum, as a rule with negative amounts."""
        amounts = self.random.choice([(1, 2, 3), (2, 4), (-3, 0, 5), (-1, 1), (7, 1_000, -999)])
        terms = [(fact, self.random.choice(amounts)) for fact in self.facts()]
        least = sum(min(0, amount) for _, amount in terms)
        most = sum(max(0, amount) for _, amount in terms)
        number = sum(amount for fact, amount in terms if is_true(fact, self.world))
        low, high = self.bounds(least, most, number)
        return Sum(terms, *self.random.choice([(low, high), (low, None), (None, high)]))

    def table(self) -> Constraint:
        """Return a condition on up to three variables."""
        names = self.names(3)
        while len(rows := list(product(*(self.domains[v] for v in names)))) > MAX_ROWS:
            names.pop()
        share = self.random.choice([0.3, 0.6, 0.9, 1])
        kept = [row for row in rows if self.random.random() < share]
        return Where(names, Rows([*kept, *self.row(names)]))

    def row(self, names: Sequence[Variable]) -> list[tuple[Value, ...]]:
        """Return the values of the chosen world, if a world was chosen."""
        return [tuple(self.world[name] for name in names)] if self.planted else []

    def parity(self) -> Constraint:
        """Return a linear equation modulo 2 about whether variables have certain values."""
        names = self.names(5)
        while len(rows := list(product(*(self.domains[v] for v in names)))) > MAX_ROWS:
            names.pop()
        values = [self.random.choice(self.domains[name]) for name in names]

        def odd(row: Sequence[Value]) -> int:
            return sum(value == given for value, given in zip(values, row, strict=True)) % 2

        right = odd([self.world[name] for name in names])
        return Where(names, Rows([row for row in rows if odd(row) == right]))

    def condition(self, depth: int = 3) -> Constraint:
        """Return a condition about conditions that holds in the chosen world."""
        made = self.part(depth)
        if self.planted and not Problem.satisfied(made, self.world):
            return Logic("none", [made])
        return made

    def part(self, depth: int) -> Constraint:
        """Return any condition, nested as deep as given, that may be false in the chosen world."""
        if depth == 0 or self.random.random() < 0.2:
            kinds = (_Draft.fact, _Draft.fact, _Draft.count, _Draft.sum, _Draft.small, _Draft.apart)
            made = self.random.choice((*kinds, _Draft.order))(self)
            if self.random.random() < 0.4:
                return opposite(made) if isinstance(made, Fact) else Logic("none", [made])
            return made
        word = self.random.choice(WORDS)
        number = 2 if word in ("if", "iff") else self.random.choice((0, 1, 2, 2, 3, 3, 4))
        parts = [self.part(depth - 1) for _ in range(number)]
        if word != "count":
            return Logic(word, parts)
        low = self.random.randint(0, number + 1)
        return Logic(word, parts, low, self.random.choice((None, low, number + 1)))

    def small(self) -> Constraint:
        """Return a condition on up to two variables."""
        names = self.names(2)
        while len(rows := list(product(*(self.domains[v] for v in names)))) > MAX_ROWS:
            names.pop()
        return Where(names, Rows([row for row in rows if self.random.random() < 0.5]))

    def order(self) -> Constraint:
        """Return a condition on the places of values, or on numbers of facts."""
        names = self.names(2)
        values = dict.fromkeys(value for name in names for value in self.domains[name])
        order: Sequence[Value] | None = self.random.sample(list(values), len(values))
        if all(type(value) is int and value >= 0 for value in values):
            order = self.random.choice((None, order))
        sides: list[Variable] = [*names]
        if len(sides) < 2 or self.random.random() < 0.3:
            amounts = self.random.choice([(1,), (1, 2), (-1, 3)])
            terms = [(fact, self.random.choice(amounts)) for fact in self.facts()]
            sides = self.random.sample([names[0], Number(terms)], 2)
        low, high = sorted(self.random.choices(range(-2, 4), k=2))
        least, most = self.random.choice(
            [(1, None), (low, high), (low, None), (None, high), (1, 1), (None, None)]
        )
        absolute = self.random.random() < 0.4 and (most is None or most >= 0)
        return Difference(sides[0], sides[1], least, most, order=order, absolute=absolute)

    def apart(self) -> Constraint:
        """Return that values of some variables have nothing in common."""
        names = self.names(3)
        values = dict.fromkeys(value for name in names for value in self.domains[name])
        items = {v: self.random.sample("ABCD", self.random.choice((0, 1, 1, 2))) for v in values}
        return Disjoint(names, items)

    def weigh(self) -> Constraint:
        """Return a likelihood, often with amounts, or the same however many facts hold."""
        facts = self.facts()[:4]
        amounts = tuple(self.random.randint(1, 3) for _ in facts)
        used = amounts if self.random.random() < 0.5 else None
        weights = [self.random.choice(WEIGHTS) for _ in range(1 + sum(used or [1] * len(facts)))]
        if self.random.random() < 0.3:
            weights[1:] = weights[-1:] * (len(weights) - 1)
        return Weigh(facts, weights, amounts=used)

    def excluding(self) -> Constraint:
        """Return a likelihood some of whose weights are 0."""
        made = self.weigh()
        assert isinstance(made, Weigh)
        weights = [weight * self.random.randint(0, 1) for weight in made.weights]
        if self.planted:
            number = number_of(made, self.world)
            weights[number] = made.weights[number]
        return Weigh(made.facts, weights, amounts=made.amounts)

    def lenient(self) -> Constraint:
        """Return a fact that also names values which the variable cannot have."""
        fact = self.fact()
        return evolve(fact, values=[*fact.values, "other", 77], lenient=True)

    def problem(self) -> Problem:
        """Return the problem, some of the constraints as evidence, a few of it with doubts."""
        random = self.random
        made = random.sample(self.made, len(self.made))
        cut = random.randint(0, len(made))
        if self.rules:
            cut = 0
        evidence = []
        for number, constraint in enumerate(made[cut:], 1):
            doubted: dict[str, Any] = {}
            if random.random() < self.doubt:
                instead = [Instead(self.other(constraint), Fraction(random.randint(1, 2), 3))
                           for _ in range(random.randint(0, 2))]  # fmt: skip
                instead = instead if self.doubt < 1 else []
                doubted = {"doubt": random.choice(self.doubts), "instead": instead}
            evidence.append(Evidence(constraint, number, **doubted))
        return Problem(self.domains, [*self.rules, *made[:cut]], evidence)


KINDS = (
    _Draft.fact, _Draft.count, _Draft.count, _Draft.sum, _Draft.table, _Draft.parity, _Draft.weigh,
)  # fmt: skip


def _mixed(draft: _Draft) -> None:
    """All kinds of constraints about a few variables."""
    for i in range(draft.random.randint(1, 6)):
        draft.add([f"v{i}"], draft.random.sample("abcd", draft.random.choice([1, 2, 2, 3, 3, 4])))
    draft.some(7, *KINDS, _Draft.parity)


def _nested(draft: _Draft) -> None:
    """Conditions inside conditions, next to other constraints; sometimes with weights of 0."""
    values: Sequence[Value] = draft.random.choice(
        ["ab", "abc", "abcd", (0, 1), (0, 1, 2), (3, 1, 0, 2), (5,)]
    )
    for i in range(draft.random.randint(1, 6)):
        size = draft.random.randint(max(1, len(values) - 1), len(values))
        draft.add([f"v{i}"], draft.random.sample(values, size))
    for _ in range(draft.random.randint(1, 4)):
        draft.made.append(draft.condition(draft.random.randint(1, 3)))
    draft.some(3, *KINDS, _Draft.order, _Draft.apart, _Draft.excluding, _Draft.lenient)
    draft.doubt = draft.random.choice([0, 0, 0.5])


def _types(draft: _Draft) -> None:
    """Values of many types, some of them equal, and variables that are no text."""
    for name in draft.random.sample([("v", 1), 2, None, "2", frozenset("x"), 1.5], 4):
        values = draft.random.sample(TYPES, draft.random.randint(1, 5))
        draft.add([name], dict.fromkeys(values))
    draft.some(6, *KINDS)
    draft.doubt = draft.random.choice([0, 0, 0.5])


def _wide(draft: _Draft, sizes: Sequence[int]) -> None:
    """One variable of many values, next to some of two."""
    draft.add(["wide"], range(draft.random.choice(sizes)))
    draft.add([f"b{i}" for i in range(draft.random.randint(1, 3))], (False, True))
    draft.add(["t"], ("x", None, 1))
    draft.some(5, *KINDS)


def _parities(draft: _Draft) -> None:
    """Systems modulo 2, sometimes with a Sum with negative amounts or other constraints."""
    number = draft.random.choice([3, 4, 5, 7, 8, 9, 15, 16, 17])
    names = draft.add(range(number), (0, 1))
    for _ in range(number // 2 + draft.random.randint(0, number // 3)):
        draft.made.append(draft.parity())
    for a, b in pairwise(names):
        if draft.random.random() < 0.3:
            differ = not draft.planted or draft.world[a] != draft.world[b]
            draft.made.append(exactly(1, [is_(a, 1), is_(b, int(differ))]))
    draft.some(3, _Draft.sum, _Draft.sum, _Draft.count, _Draft.weigh)


def _half_settled(draft: _Draft, least: int = 4, most: int = 7) -> None:
    """Each value so and so often, and Counts that are settled before others are."""
    names = [f"c{i}" for i in range(draft.random.randint(least, most))]
    draft.add(names, "pqrs"[: draft.random.randint(2 if most < 12 else 4, 4)])
    for value in draft.domains[names[0]]:
        if draft.random.random() < 0.8:
            draft.made.append(draft.count([is_(name, value) for name in names]))
    draft.some(5, _Draft.count)
    draft.some(2, _Draft.fact, _Draft.weigh, _Draft.sum)
    zero = [fact for fact in draft.facts() if not draft.planted or not is_true(fact, draft.world)]
    if zero and draft.random.random() < 0.5:
        draft.made.append(exactly(0, zero[:2]))


def _weighed(draft: _Draft, most: int = 6, pairs: int = 3) -> None:
    """A likelihood with amounts about two variables of a component, next to other components."""
    number = draft.random.randint(most // 3, most)
    names = draft.add([("v", i) for i in range(number)], (0, 1))
    draft.world |= dict.fromkeys(draft.add("xy", (0, 1)), 0)
    for _ in range(draft.random.randint(number // 2, 3 * number // 2)):
        some = draft.random.sample(names, min(number, draft.random.choice([2, 3, 4, 4])))
        draft.made.append(draft.count([is_(name, 1) for name in some]))
    for name in "xy":
        some = draft.random.sample(names, draft.random.randint(1, 2))
        draft.made.append(at_least(1, [is_(name, 0), *(is_(v, 1) for v in some)]))
    for i in range(draft.random.randint(0, pairs)):
        p, q = draft.add([("p", i), ("q", i)], (0, 1))
        differ = draft.world[p] != draft.world[q]
        draft.made.append(exactly(1, [is_(p, 1), is_(q, int(differ))]))
    weights = [draft.random.choice([1, 7, 3, 5]) for _ in range(5)]
    draft.made.append(Weigh([is_("x", 1), is_("y", 1)], weights, amounts=(3, 1)))


def _alike(draft: _Draft) -> None:
    """Groups of variables that most constraints do not tell apart."""
    large = draft.random.choice([17, 18, 19, 24, 25])
    sizes = draft.random.choice([(6,), (5, 1), (4, 2), (3, 3), (2, 2, 2), (large,), (large, 2)])
    values = "abcd"[: draft.random.randint(2, 3) if sum(sizes) < 7 else 2]
    groups = [draft.add([f"{'xyz'[k]}{i}" for i in range(n)], values) for k, n in enumerate(sizes)]
    if large in sizes:  # few of them differ from the others
        others = draft.random.randint(0, 2)
        draft.world |= {name: values[i < others] for i, name in enumerate(groups[0])}
        draft.made.append(Count([is_(v, "b") for v in groups[0]], min(others, 1), max(others, 1)))
    for _ in range(draft.random.randint(1, 4)):
        chosen = draft.random.sample(groups, draft.random.randint(1, len(groups)))
        meant = draft.random.sample(values, draft.random.randint(1, len(values) - 1))
        facts = [is_(name, *meant) for group in chosen for name in group]
        if draft.random.random() < 0.75 or len(facts) > 6:
            draft.made.append(draft.count(facts))
        else:
            weights = [draft.random.choice(WEIGHTS) for _ in range(len(facts) + 1)]
            draft.made.append(Weigh(facts, weights))
    draft.some(1, _Draft.fact, _Draft.sum)


def _laminar(draft: _Draft) -> None:
    """Counts about single values over nested or separate sets."""
    number = draft.random.randint(1, 6)
    names = draft.add([f"v{i}" for i in range(number)], "abc"[: draft.random.randint(1, 3)])
    for value in draft.domains[names[0]]:
        family: list[frozenset[Variable]] = []
        for _ in range(draft.random.randint(0, 4)):
            scope = frozenset(draft.names())
            if all(scope <= other or other <= scope or not scope & other for other in family):
                family.append(scope)
                draft.made.append(draft.count([is_(v, value) for v in names if v in scope]))
    draft.some(3, _Draft.fact)


def _permutation(draft: _Draft) -> None:
    """Each value exactly once, in some order."""
    number = draft.random.randint(2, 5)
    names = draft.add([f"v{i}" for i in range(number)], range(number))
    draft.world |= zip(names, draft.random.sample(range(number), number), strict=True)
    draft.made += [exactly(1, [is_(name, value) for name in names]) for value in range(number)]
    draft.some(4, *KINDS)


def _order(draft: _Draft) -> None:
    """Variables with different values of as many or more, and predicates about two of them."""
    number = draft.random.randint(3, 5)
    spare = draft.random.choice([0, 0, 0, 1, 2])
    names = draft.add([f"v{i}" for i in range(number)], range(number + spare))
    places = draft.random.sample(range(number + spare), number)
    draft.world |= zip(names, places, strict=True)
    for value in range(number + spare):
        facts = [is_(name, value) for name in names]
        draft.made.append(at_most(1, facts) if spare else exactly(1, facts))
    kinds: list[Callable[..., bool]] = [
        *(lambda a, b: a < b,) * 2,
        lambda a, b: abs(a - b) == 1,
        lambda a, b: a - b < 2,
        lambda a, b: (a + b) % 3 > 0,
    ]
    for _ in range(draft.random.randint(1, 5)):
        pair = draft.random.sample(names, 2)
        kind = draft.random.choice(kinds)
        if draft.planted and not kind(*(draft.world[name] for name in pair)):
            pair.reverse()
        if not draft.planted or kind(*(draft.world[name] for name in pair)):
            draft.made.append(Where(pair, kind))
    for name in draft.random.sample(names, draft.random.choice([0, 0, 1])):
        draft.made.append(Weigh([draft.said(name, draft.random.sample(range(number), 2))], [2, 3]))
    draft.some(2, _Draft.fact, _Draft.count, _Draft.sum, _Draft.table)


def _cards(draft: _Draft) -> None:
    """Cards in hands of known sizes; answers about three of them, some shown by chance."""
    holders = ["Ann", "Ben", "Cid", "envelope"][-draft.random.randint(2, 4) :]
    cards = draft.add([f"card {i}" for i in range(draft.random.randint(4, 6))], holders)
    for holder in holders:
        size = sum(draft.world[card] == holder for card in cards)
        draft.made.append(exactly(size, [is_(card, holder) for card in cards]))
    for _ in range(draft.random.randint(1, 5)):
        holder, some = draft.random.choice(holders), draft.random.sample(cards, 3)
        facts = [is_(card, holder) for card in some]
        held = number_of(Weigh(facts, [1] * 4), draft.world)
        draft.made.append(at_least(1, facts) if held else exactly(0, facts))
        if held and draft.random.random() < 0.5:
            draft.made.append(Weigh(facts, [1, 1, Fraction(1, 2), Fraction(1, 3)]))
    if draft.random.random() < 0.5:  # points of a hand
        terms = [(is_(card, holder), draft.random.randint(1, 3)) for card in cards]
        number = sum(amount for fact, amount in terms if is_true(fact, draft.world))
        draft.made.append(Sum(terms, *draft.bounds(0, 3 * len(cards), number)))
    for card in draft.random.choice([[], cards[:2], cards]):  # each by itself, and alike
        draft.made.append(Weigh([is_(card, holders[0])], [2, 3]))
    draft.doubt = draft.random.choice([0, 0.5])


def _hands(draft: _Draft) -> None:
    """Hands of some least number of cards, often with one limit for all, and of least points."""
    random = draft.random
    holders = ["Ann", "Ben", "Cid"][: random.randint(2, 3)]
    cards = draft.add([f"card {i}" for i in range(random.randint(5, 7))], holders)
    points = [random.randint(1, 3) for _ in cards]
    alike, summed = random.choice([(True, False), (True, True), (False, True)])
    share = random.randint(len(cards) // 2, len(cards))
    for holder in holders:
        facts = [is_(card, holder) for card in cards]
        held = number_of(Weigh(facts, [1] * (len(cards) + 1)), draft.world)
        low = random.randint(max(0, held - 2), held) if alike else max(0, held - 1)
        most = min(len(cards), held + random.randint(0, 2))
        draft.made.append(Count(facts, low, max(low, share) if alike else most))
        if summed and random.random() < 0.7:
            terms = list(zip(facts, points, strict=True))
            number = sum(amount for fact, amount in terms if is_true(fact, draft.world))
            high = random.choice([None, number + random.randint(0, 4)])
            draft.made.append(Sum(terms, number - random.randint(0, 2), high))
    for card in random.sample(cards, random.randint(0, 3)):  # which tell cards apart
        draft.made.append(Weigh([is_(card, random.choice(holders))], [2, 3]))
    draft.some(1, _Draft.fact, _Draft.weigh)


def _apart(draft: _Draft) -> None:
    """Parts that nothing connects, each with a likelihood of its own."""
    for part in "xyz"[: draft.random.randint(2, 3)]:
        values = range(draft.random.randint(2, 3))
        names = draft.add([f"{part}{i}" for i in range(draft.random.randint(2, 3))], values)
        facts = [draft.said(name, [draft.random.choice(values)]) for name in names]
        draft.made.append(draft.count(facts))
        draft.made.append(Weigh(facts, draft.random.choices(WEIGHTS, k=len(facts) + 1)))


def _long_log(draft: _Draft) -> None:
    """Hands of the same size, and more answers with doubts than a float has bits."""
    holders = ["Ann", "Ben", "Cid"][: draft.random.randint(2, 3)]
    cards = draft.add([f"card {i}" for i in range(2 * len(holders))], holders)
    draft.world |= zip(cards, draft.random.sample(holders * 2, len(cards)), strict=True)
    draft.rules += [exactly(2, [is_(card, who) for card in cards]) for who in holders]
    for _ in range(draft.random.choice([4, 12, 16, 24])):
        holder, number = draft.random.choice(holders), draft.random.randint(1, 3)
        facts = [is_(card, holder) for card in draft.random.sample(cards, number)]
        held = any(is_true(fact, draft.world) for fact in facts)
        draft.made.append(at_least(1, facts) if held else exactly(0, facts))
    draft.doubt, draft.doubts = 1, [Fraction(1, 300), Fraction(1, 37)]


def _pairs(draft: _Draft) -> None:
    """Two to six variables of many values, of which only pairs are excluded; some weighed alone."""
    number = draft.random.choice([2, 3, 4, 4, 5, 5, 6])
    names = draft.add("abcdef"[:number], range(draft.random.randint(3, 9 if number < 5 else 4)))
    for a, b in combinations(names, 2):
        for _ in range(draft.random.randint(0, 4)):
            most = len(draft.domains[a]) - 1
            facts = [
                draft.said(v, draft.random.sample(draft.domains[v], draft.random.randint(1, most)))
                for v in (a, b)
            ]
            if not draft.planted or not all(is_true(fact, draft.world) for fact in facts):
                draft.made.append(at_most(1, facts))
    for name in names if draft.random.random() < 0.3 else ():
        chosen = draft.random.choice(draft.domains[name])
        draft.made.append(Weigh([draft.said(name, [chosen])], [2, 3]))
    draft.some(2, _Draft.table, _Draft.fact)


def _different(draft: _Draft) -> None:
    """A few variables with different values of many: more counters than are looked up at once."""
    number = draft.random.choice([4, 15, 16, 17, 18])
    names = draft.add("xyz"[: draft.random.randint(2, 3 if number < 15 else 2)], range(number))
    draft.world |= zip(names, draft.random.sample(range(number), len(names)), strict=True)
    draft.made += [at_most(1, [is_(name, value) for name in names]) for value in range(number)]
    draft.some(2, _Draft.fact, _Draft.count)


def _predicates(draft: _Draft) -> None:
    """Tables that say little, or the same as others: of gates, of cases, and always true."""
    random = draft.random
    values = (0, 1, 2)[: random.choice([2, 2, 3])]
    names = draft.add([f"v{i}" for i in range(random.randint(3, 5))], values)
    draft.add(["case"], range(random.randint(2, 3)))
    for number in range(random.randint(1, 5)):
        some = random.sample(names, random.randint(2, 3))
        of = {row: random.randint(0, 1) for row in product(*(draft.domains[v] for v in some[1:]))}
        kind = random.choice(["gate", "case", "idle", "twice"])
        scope = [*some, *draft.names(2)] if kind == "idle" else [*some]
        if kind == "gate":
            (fault,) = draft.add([("faulty", number)], (False, True))
            scope.append(fault)
            draft.made.append(Weigh([is_(fault, True)], [random.choice(WEIGHTS), Fraction(1, 9)]))
        elif kind == "case":
            scope.append("case")
        scope = list(dict.fromkeys(scope))
        case = random.choice(draft.domains["case"])
        rows = [
            row
            for row in product(*(draft.domains[name] for name in scope))
            if (kind == "idle" and number % 2)
            or (kind == "gate" and row[-1])
            or (kind == "case" and row[-1] != case)
            or of[row[1 : len(some)]] == bool(row[0])
        ]
        draft.made.append(Where(scope, Rows([*rows, *draft.row(scope)])))
        if random.random() < 0.5:
            draft.made.append(draft.count([is_(name, 1) for name in some]))
    draft.some(2, *KINDS)


def _doubted(draft: _Draft) -> None:
    """Evidence that may be wrong, or certainly is."""
    _mixed(draft)
    draft.doubt = 0.6


def _paths(draft: _Draft, steps: Sequence[int] = (2, 3, 4, 5), values: int = 4) -> None:
    """Steps of a path, or of a tree, of which some are weighed and one pair has two tables."""
    random = draft.random
    number = random.choice(steps)
    letters = [f"at {i}" for i in range(random.randint(2, values))]
    names = draft.add([("at", step) for step in range(number)], letters)
    for name in names:  # not each value at each step
        kept = {draft.world[name], *random.sample(letters, max(1, len(letters) - 1))}
        if random.random() < 0.3:
            draft.domains[name] = tuple(letter for letter in letters if letter in kept)
    before = [0] + [n if random.random() < 0.8 else random.randint(0, n) for n in range(number - 1)]
    moved = [(draft.world[names[before[n]]], draft.world[names[n]]) for n in range(1, number)]
    share = random.choice([0.5, 0.8])
    pairs = [pair for pair in product(letters, letters) if random.random() < share]
    usual = Rows([*pairs, *(moved if draft.planted else ())])
    for n in range(1, number):
        some = [names[before[n]], names[n]]
        if random.random() < 0.9:
            draft.made.append(Where(some, usual))
        if random.random() < 0.2:
            draft.made.append(
                Where(
                    some[::-1],
                    Rows([*product(letters[:-1], letters), *(pair[::-1] for pair in moved)]),
                )
            )
        if random.random() < 0.3:
            facts = [is_(name, random.choice(draft.domains[name])) for name in some]
            weights = random.choices(WEIGHTS, k=4)
            draft.made.append(Weigh(facts, weights, amounts=random.choice([(1, 2), (2, 1)])))
        if random.random() < 0.3:
            draft.made.append(Weigh([is_(names[n], draft.domains[names[n]][0])], [2, 3]))
    draft.some(1, _Draft.fact, _Draft.fact, _Draft.table, _Draft.count, _Draft.weigh)


def _many(draft: _Draft) -> None:
    """More constraints than an engine is asked about at once; most say nothing new."""
    draft.add([f"v{i}" for i in range(draft.random.randint(2, 3))], "ab")
    kinds = [draft.count() for _ in range(3)]
    draft.made += draft.random.choices(kinds, k=draft.random.choice([499, 500, 501]))


SHAPES: Mapping[str, Callable[[_Draft], None]] = {
    "mixed": _mixed,
    "nested": _nested,
    "types": _types,
    "wide": partial(_wide, sizes=(15, 16, 17, 48, 49, 63, 64, 65, 99, 100, 101, 129)),
    "wide, large": partial(_wide, sizes=(999, 1000, 1001)),
    "parity": _parities,
    "half settled": _half_settled,
    "half settled, large": partial(_half_settled, least=12, most=14),
    "weighed question": _weighed,
    "weighed question, large": partial(_weighed, most=20, pairs=30),
    "alike": _alike,
    "laminar": _laminar,
    "permutation": _permutation,
    "order": _order,
    "cards": _cards,
    "doubted": _doubted,
    "hands": _hands,
    "apart": _apart,
    "long log": _long_log,
    "pairs": _pairs,
    "predicates": _predicates,
    "different": _different,
    "paths": _paths,
    "paths, large": partial(_paths, steps=(8, 9), values=9),
    "many": _many,
}
"""What can be drawn, by name."""

LARGE = frozenset({"paths, large", "wide, large", "half settled, large", "weighed question, large"})
"""Shapes that are not listed, or that some of the forced ways take minutes for."""
