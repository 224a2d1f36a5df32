"""Laws: what holds between the answers about any problem, whichever engine gives them.

A law is a function of a problem, of how knowledge of a problem is made, and of random numbers. It
returns what is wrong, or an empty text. `difference` runs one of them along one way of
`deduce.testing.paths`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import comb
from random import Random
from typing import Any

from attrs import evolve

from deduce.budget import Budget
from deduce.constraints import (
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Logic,
    Number,
    Rows,
    Sum,
    Variable,
    Weigh,
    Where,
    is_,
)
from deduce.errors import Contradiction, Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Instead, Problem, Rule, World, is_true
from deduce.reasoning.distribution import Distribution
from deduce.reasoning.likelihoods import MAX_CODES, Codes
from deduce.reasoning.queries import negations
from deduce.testing import enumeration
from deduce.testing.conclusions import (
    ERROR,
    Ask,
    advice,
    estimates,
    plans,
    proofs,
    two_ahead,
    unless,
)
from deduce.testing.frequencies import MAX_DEVIATION, deviation
from deduce.testing.paths import forced
from deduce.testing.problems import claim_about, names_of

__all__ = ["LAWS", "answers", "difference", "enumerated", "renamed", "renaming"]

MAX_LISTED = 150
"""Up to this number of worlds all of them are listed, and each of them drawn."""

DRAWS = 12
"""How often each world is drawn on average."""

STEPS = Budget(steps=300_000)
"""What each query may spend."""

Law = Callable[[Problem, Ask, Random], str]


def answers(knowledge: Knowledge, names: Sequence[Variable], random: Random) -> dict[str, Any]:
    """Return the answers to all queries, asked in any order; a ``None``: there is no world.

    Answers that the engine does not give, or not within its budget, are left out.
    """
    asked: dict[str, Callable[[], object]] = {
        "count": knowledge.count,
        "is_consistent": knowledge.is_consistent,
        "possible": knowledge.possible,
        "shares": knowledge.shares,
        "posterior": knowledge.posterior,
        "joint": partial(knowledge.joint, *names),
        "joint shares": partial(knowledge.joint, *names, weighted=False),
        "slips": lambda: {slip.event: slip.probability for slip in knowledge.slips()},
    }
    found = {}
    for name in random.sample(list(asked), len(asked)):
        try:
            found[name] = asked[name]()
        except Contradiction:
            found[name] = None
        except (Undecided, Unsupported):
            continue
    return found


def enumerated(
    problem: Problem, worlds: Sequence[World], names: Sequence[Variable]
) -> dict[str, object]:
    """Return what `answers` should give, from the list of all worlds."""
    found: dict[str, object] = {"count": len(worlds), "is_consistent": bool(worlds)}
    found["possible"] = enumeration.possible(worlds) if worlds else None
    questions = [{x: [(name, frozenset([x]))] for x in problem.domains[name]} for name in names]
    for marginal, joint, weighted in (
        ("posterior", "joint", True),
        ("shares", "joint shares", False),
    ):
        rows = enumeration.marginals(problem, worlds, weighted=weighted)
        total = sum(next(iter(rows.values()), {}).values())
        found[marginal] = found[joint] = None
        if total:
            table = enumeration.joint(problem, worlds, questions, weighted=weighted)
            found[joint] = Distribution(table)
            found[marginal] = {
                name: {value: weight / total for value, weight in row.items()}
                for name, row in rows.items()
            }
    found["slips"] = found["posterior"] and enumeration.wrong(problem, worlds)
    return found


@lru_cache(maxsize=1)
def _expected(problem: Problem, names: tuple[Variable, ...]) -> Mapping[str, object]:
    return enumerated(problem, enumeration.listed(problem), names)


def _compared(expected: Mapping[str, object], found: Mapping[str, object], problem: Problem) -> str:
    """Return the first difference between answers that both have."""
    error = _error(problem)
    for name in expected.keys() & found.keys():
        if not _is_same(expected[name], found[name], error):
            return f"{name}: {expected[name]} is right, {found[name]} is answered"
    return ""


def _error(problem: Problem) -> Fraction:
    doubted = any(piece.doubt for piece in problem.evidence)
    weighs = (c for c in problem.constraints() if isinstance(c, Weigh))
    return ERROR if doubted or any(weigh.estimated for weigh in weighs) else Fraction(0)


def _is_same(first: object, second: object, error: Fraction) -> bool:
    """Return whether two answers are the same, values of the same type included."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        rows = [{repr(k): v for k, v in row.items() if v != 0} for row in (first, second)]
        return rows[0].keys() == rows[1].keys() and all(
            _is_same(value, rows[1][key], error) for key, value in rows[0].items()
        )
    if isinstance(first, frozenset):
        return isinstance(second, frozenset) and set(map(repr, first)) == set(map(repr, second))
    if isinstance(first, Fraction) and isinstance(second, Fraction | int):
        return abs(first - second) <= error
    return bool(first == second)


# All queries agree


def listed(problem: Problem, asked: Ask, random: Random) -> str:
    """All answers are those of the list of all worlds."""
    worlds = enumeration.listed(problem)
    names, knowledge = names_of(problem, random), asked(problem)
    expected = _expected(problem, tuple(names))
    fault = _compared(expected, answers(knowledge, names, random), problem)
    if fault or not expected["posterior"] or knowledge.engine not in ("auto", "counting", "bits"):
        return fault
    weights = sorted(enumeration.weights(problem, worlds, weighted=True), reverse=True)
    ranked = knowledge.probable_worlds(3)
    right = [weight / sum(weights) for weight in weights[: len(ranked)]]
    if not all(_is_same(w, r[1], _error(problem)) for w, r in zip(right, ranked, strict=True)):
        return f"probable_worlds: the most probable have {right}, answered is {ranked}"
    for world, share in ranked:
        exact = enumeration.weight(problem, world, weighted=True) / sum(weights)
        if not _is_same(exact, share, _error(problem)):
            return f"probable_worlds: {world} has {exact}, answered is {share}"
    return ""


def marginals(problem: Problem, asked: Ask, random: Random) -> str:
    """The marginals of a joint distribution are the posterior; without weights, the shares.

    It has only what occurs.
    """
    knowledge, names = asked(problem), names_of(problem, random)
    for weighted in (True, False):
        joint = knowledge.joint(*names, weighted=weighted)
        rows = knowledge.posterior() if weighted else knowledge.shares()
        if not all(joint.values()):
            return f"joint{tuple(names)} has what is impossible: {dict(joint)}"
        for number, name in enumerate(names):
            row: dict[object, Fraction] = {}
            for values, share in joint.items():
                row[values[number]] = row.get(values[number], Fraction(0)) + share
            if not _is_same(rows[name], row, _error(problem)):
                return f"{name!r} has {dict(rows[name])}, and {row} in joint{tuple(names)}"
    return ""


def questions(problem: Problem, asked: Ask, random: Random) -> str:
    """Numbers, claims, variables and choices are answered together as by the list of all worlds."""
    worlds, knowledge, error = enumeration.listed(problem), asked(problem), _error(problem)
    facts = [
        is_(name, *random.sample(problem.domains[name], 1)) for name in names_of(problem, random)
    ]
    facts += random.sample(facts, random.randint(0, 1))  # which then counts twice
    number = Number([(fact, random.choice([1, 1, 2, -3])) for fact in facts])
    claim, name = _claim(problem, random), names_of(problem, random)[0]
    choices = enumeration.choices(problem) if random.random() < 0.5 else []
    kinds: list[tuple[object, Callable[[World], object]]] = [
        (number, lambda world: sum(a for fact, a in number.terms if is_true(fact, world))),
        (claim, lambda world: Problem.satisfied(claim, world)),
        (name, lambda world: world[name]),
    ]
    chosen = random.sample(kinds, random.randint(1, 3 if not choices else 1))
    for of in random.sample(choices, min(len(choices), 2)):
        chosen.append((of, partial(_holding, of)))
    for weighted in (True, False):
        table: dict[tuple[object, ...], Fraction] = {}
        weights = enumeration.weights(problem, worlds, weighted=weighted)
        for world, weight in zip(worlds, weights, strict=True):
            key = tuple(value(world) for _, value in chosen)
            table[key] = table.get(key, Fraction(0)) + weight
        joint = knowledge.joint(*(question for question, _ in chosen), weighted=weighted)
        if not _is_same(Distribution(table), joint, error):
            return f"joint of {chosen}: {table} is right, {dict(joint)} is answered"
    weights = enumeration.weights(problem, worlds, weighted=True)
    pairs = zip(worlds, weights, strict=True)
    right = sum(weight for world, weight in pairs if Problem.satisfied(claim, world)) / sum(weights)
    if not _is_same(right, found := knowledge.probability(claim), 2 * error):
        return f"{claim}: {right} is right, {found} is answered"
    return ""


def _holding(facts: Mapping[int, Fact], world: World) -> int:
    """Return which of some facts holds, where exactly one does."""
    return next(number for number, fact in facts.items() if is_true(fact, world))


def _claim(problem: Problem, random: Random) -> Constraint:
    """Return a claim of any kind; a table is about up to two variables."""
    if random.random() < 0.7:
        return claim_about(problem, random)
    names = names_of(problem, random)[:2]
    rows = product(*(problem.domains[name] for name in names))
    return Where(names, Rows(row for row in rows if random.random() < 0.5))


def cases(problem: Problem, asked: Ask, random: Random) -> str:
    """The count is the sum over the cases; the shares are the counts of each assumption."""
    knowledge, (name, *others) = asked(problem), names_of(problem, random)
    assumed = {x: knowledge.assume(is_(name, x)) for x in problem.domains[name]}
    counts = {value: case.count() for value, case in assumed.items()}
    if knowledge.count() != sum(counts.values()):
        return f"{knowledge.count()} worlds, by the value of {name!r} {counts}"
    shares, posterior = knowledge.shares()[name], knowledge.posterior()
    if {value: share * knowledge.count() for value, share in shares.items() if share} != {
        value: count for value, count in counts.items() if count
    }:
        return f"the shares of {name!r} are {dict(shares)}, the worlds {counts}"
    for other in others:
        mixed: dict[object, Fraction] = {}
        for value, share in posterior[name].items():
            for x, inner in assumed[value].posterior()[other].items() if share else ():
                mixed[x] = mixed.get(x, Fraction(0)) + share * inner
        if not _is_same(posterior[other], mixed, 2 * _error(problem)):
            return f"the posterior of {other!r} is not that of its cases by {name!r}"
    return ""


def claims(problem: Problem, asked: Ask, random: Random) -> str:
    """A claim is certain if its negation has no world, and possible if it has one itself."""
    knowledge = asked(problem)
    for _ in range(3):
        claim = claim_about(problem, random)
        against = sum(knowledge.assume(no).count() for no in negations(claim))
        for_it = knowledge.assume(claim).count()
        verdict = "open" if against and for_it else "certain" if for_it else "impossible"
        if knowledge.count() != against + for_it:
            return f"{for_it} worlds with and {against} without {claim}, of {knowledge.count()}"
        if knowledge.is_possible(claim) != (for_it > 0):
            return f"{claim}: possible in {for_it} worlds, denied"
        if knowledge.is_certain(claim) != (not against):
            return f"{claim}: false in {against} worlds, is_certain() differs"
        if knowledge.why(claim).verdict != verdict:
            return f"{claim}: {verdict}, but why() says {knowledge.why(claim).verdict}"
    return ""


def draws(problem: Problem, asked: Ask, random: Random) -> str:
    """Every world is drawn, and as often as it weighs."""
    knowledge, seed = asked(problem), random.randrange(1 << 30)
    if not _is_same(knowledge.sample(0, seed=seed), [], Fraction(0)):
        return "sample(0) is not empty"
    try:
        worlds = enumeration.listed(problem)
    except Undecided:
        worlds = []
    for weighted in (True, False):
        number = DRAWS * min(max(len(worlds), 8), MAX_LISTED)
        few, again = (knowledge.sample(DRAWS, seed=seed, weighted=weighted) for _ in range(2))
        if few != again:
            return f"sample({DRAWS}, seed={seed}) is not repeated"
        drawn = knowledge.sample(number, seed=seed, weighted=weighted)
        expected: Mapping[object, Fraction]
        pairs: list[tuple[Sequence[object], Mapping[object, Fraction]]] = []
        if 0 < len(worlds) <= MAX_LISTED:
            weights = enumeration.weights(problem, worlds, weighted=weighted)
            shares = (weight / sum(weights) for weight in weights)
            keys = map(enumeration.frozen_world, worlds)
            expected = {k: share for k, share in zip(keys, shares, strict=True) if share}
            pairs.append((list(map(enumeration.frozen_world, drawn)), expected))
        else:
            rows = knowledge.posterior() if weighted else knowledge.shares()
            for name in names_of(problem, random):
                expected = {value: share for value, share in rows[name].items() if share}
                pairs.append(([world[name] for world in drawn], expected))
        for found, expected in pairs:
            if deviation(Counter(found), expected, number) > MAX_DEVIATION:
                return f"{number} draws, weighted={weighted}: {Counter(found)} for {expected}"
    return ""


def members(problem: Problem, asked: Ask, random: Random) -> str:
    """The list of worlds has as many members as are counted, each of which holds."""
    knowledge = asked(problem)
    if knowledge.count() > 10 * MAX_LISTED:
        return ""
    worlds = list(knowledge.worlds())
    different = len(set(map(enumeration.frozen_world, worlds)))
    if not different == len(worlds) == knowledge.count():
        return f"{knowledge.count()} worlds, {len(worlds)} listed, {different} different ones"
    wrong = [world for world in worlds if not knowledge.problem.holds(world)]
    return f"listed, but not a world: {wrong[0]}" if wrong else ""


# What changes nothing


def renaming(problem: Problem, asked: Ask, random: Random) -> str:
    """Other names in another order change nothing."""
    other, variables, values = renamed(problem, random)
    before, after = asked(problem), asked(other)
    names = names_of(problem, random)
    moved = answers(before, names, random)
    again = answers(after, [variables[name] for name in names], random)
    for name in ("possible", "shares", "posterior"):
        if moved.get(name):
            moved[name] = {
                variables[v]: {values[x]: row[x] for x in row} if isinstance(row, Mapping)
                else frozenset(values[x] for x in row)
                for v, row in moved[name].items()
            }  # fmt: skip
    for name in ("joint", "joint shares"):
        if moved.get(name):
            moved[name] = {tuple(values[x] for x in key): p for key, p in moved[name].items()}
    return _compared(moved, again, problem)


def renamed(
    problem: Problem, random: Random
) -> tuple[Problem, Mapping[object, object], Mapping[object, object]]:
    """Return a problem with other names in another order, and the new name of each old one.

    Examples
    --------
    >>> from deduce import is_
    >>> other, names, values = renamed(Problem({"a": (1, 2)}, [is_("a", 1)]), Random(0))
    >>> other.rules[0].constraint == is_(names["a"], values[1])
    True
    """
    variables = list(problem.domains)
    all_values = list(dict.fromkeys(x for domain in problem.domains.values() for x in domain))
    names = {v: f"v{i}" for i, v in enumerate(_shuffled(variables, random))}
    values = {x: f"x{i}" for i, x in enumerate(_shuffled(all_values, random))}
    back = {new: old for old, new in values.items()}

    def fact(old: Fact) -> Fact:
        new = frozenset(values.get(value, value) for value in old.values)
        return evolve(old, variable=names[old.variable], values=new)

    def side(old: Variable) -> Variable:
        if isinstance(old, Number):
            return Number([(fact(each), amount) for each, amount in old.terms])
        return names[old]

    def constraint(old: Constraint) -> Constraint:
        match old:
            case Fact():
                return fact(old)
            case Count(facts, low, high):
                return Count(_shuffled([fact(each) for each in facts], random), low, high)
            case Sum(terms, low, high):
                return Sum([(fact(each), amount) for each, amount in terms], low, high)
            case Weigh():
                complete = tuple(map(fact, old.complete))
                return evolve(old, facts=[fact(each) for each in old.facts], complete=complete)
            case Logic(word, parts, low, high):
                return Logic(word, list(map(constraint, parts)), low, high)
            case Difference():
                given = old.order or range(
                    1 + max((v for v in values if type(v) is int), default=0)
                )
                order = [values.get(value, value) for value in given]
                return evolve(old, left=side(old.left), right=side(old.right), order=order)
            case Disjoint(variables=of, key=key):
                return Disjoint([names[v] for v in of], lambda value: key(back[value]))
            case Where(variables=of, predicate=predicate):
                return Where(
                    [names[v] for v in of],
                    lambda *given: predicate(*(back[value] for value in given)),
                )

    domains = {
        names[v]: _shuffled([values[x] for x in problem.domains[v]], random)
        for v in _shuffled(variables, random)
    }
    rules = [Rule(constraint(rule.constraint)) for rule in problem.rules]
    pieces = [
        evolve(
            piece,
            constraint=constraint(piece.constraint),
            instead=[
                evolve(one, constraints=tuple(map(constraint, one.constraints)))
                for one in piece.instead
            ],
        )
        for piece in problem.evidence
    ]
    moved = Problem(domains, _shuffled(rules, random), _shuffled(pieces, random))
    return moved, names, values


def _shuffled(items: Sequence[object], random: Random) -> list[Any]:
    return random.sample(list(items), len(items))


def always_true(problem: Problem, asked: Ask, random: Random) -> str:
    """A constraint that always holds changes nothing."""
    names = names_of(problem, random)
    facts = [is_(name, *problem.domains[name][:1]) for name in names]
    rules: list[Constraint] = [
        is_(names[0], *problem.domains[names[0]]),
        Count(facts),
        Sum([(fact, -2) for fact in facts], -2 * len(facts), 0),
        Where(names, lambda *values: True),
        Count([is_(names[0], x) for x in problem.domains[names[0]]], 1, 1),
        Weigh(facts, [2] * (len(facts) + 1)),
    ]
    rule = random.choice(rules)
    return _same(problem, evolve(problem, rules=[*problem.rules, rule]), asked, random)


def twice(problem: Problem, asked: Ask, random: Random) -> str:
    """A constraint that is given twice changes nothing, unless it weighs worlds."""
    hard = [c for c in enumeration.hard(problem) if not isinstance(c, Weigh)]
    again = random.sample(hard, min(len(hard), 2))
    return _same(problem, evolve(problem, rules=[*again, *problem.rules]), asked, random)


def _same(problem: Problem, other: Problem, asked: Ask, random: Random) -> str:
    names = names_of(problem, random)
    before, after = (answers(asked(one), names, random) for one in (problem, other))
    return _compared(before, after, problem)


def told(problem: Problem, asked: Ask, random: Random) -> str:
    """Events that are told one by one, in any order, with anything in between, equal the whole."""
    hard = enumeration.hard(problem)
    cut = random.randint(0, len(hard))
    rules, events = hard[:cut], random.sample(hard[cut:], len(hard) - cut)
    names = names_of(problem, random)
    knowledge = asked(Problem(problem.domains, rules))
    often = min(1.0, 6 / max(len(events), 1))
    for event in events:
        if random.random() < 0.5 * often:
            answers(knowledge, names, random)
        if random.random() < 0.3 * often:
            aside = knowledge.assume(claim_about(problem, random))
            answers(aside, names, random)
            knowledge = aside.undo() if random.random() < 0.5 else knowledge
        if random.random() < 0.2 * often:
            answers(knowledge.tell(claim_about(problem, random)).undo(), names, random)
        knowledge = knowledge.tell(event)
    whole = asked(Problem(problem.domains, [*rules, *random.sample(events, len(events))]))
    right, found = (answers(each, names, random) for each in (whole, knowledge))
    return _compared(right, found, evolve(problem, evidence=()))


def side_by_side(problem: Problem, asked: Ask, random: Random) -> str:
    """A problem next to another one that has nothing to do with it has the same answers."""
    number, least = random.choice([(3, 1), (3, 1), (66, 31), (72, 2)])
    ways = sum(comb(number, k) for k in range(least, number - least + 1))
    others = [("other", i) for i in range(number)]
    other = Problem(dict.fromkeys(others, (0, 1)),
                    [Count([is_(name, 1) for name in others], least, number - least)])  # fmt: skip
    names = names_of(problem, random)
    both = evolve(
        problem,
        domains={**other.domains, **problem.domains},
        rules=[*other.rules, *problem.rules],
    )
    alone, next_to = asked(problem), asked(both)
    if alone.count() * ways != next_to.count():
        return f"{alone.count()} worlds, next to {ways} others {next_to.count()}"
    joint, wide = alone.joint(*names), next_to.joint(("other", 0), *names)
    expected = {(x, *key): share / 2 for key, share in joint.items() for x in (0, 1)}
    if not _is_same(expected, wide, _error(problem)):
        return f"joint{tuple(names)} is {joint}, next to another problem {wide}"
    rows = alone.posterior(), {v: next_to.posterior()[v] for v in problem.domains}
    return "" if _is_same(*rows, _error(problem)) else "the posterior changes next to another one"


def doubts(problem: Problem, asked: Ask, random: Random) -> str:
    """Doubts of 0 are none; evidence that is certainly wrong is as good as its alternative."""
    pieces = [Evidence(c, n) for n, c in enumerate(enumeration.hard(problem), 1)]
    bare = Problem(problem.domains, (), pieces)
    some = [piece for piece in pieces if random.random() < 0.5]
    instead = {piece.event: claim_about(problem, random) for piece in some}
    chosen = {p.event for p in some if _few_codes(bare, [p.constraint, instead[p.event]])}
    sides = []
    for doubt in (Fraction(0), Fraction(1)):
        doubted = [
            evolve(piece, doubt=doubt, instead=[Instead(instead[piece.event])], answer="x")
            if piece.event in chosen
            else piece
            for piece in pieces
        ]
        plain = [
            evolve(piece, constraint=instead[piece.event])
            if doubt and piece.event in chosen
            else piece
            for piece in pieces
        ]
        sides.append([evolve(bare, evidence=each) for each in (plain, doubted)])
    fault = _same(sides[0][0], sides[0][1], asked, random)
    if fault:
        return f"with doubts of 0: {fault}"
    names = names_of(problem, random)
    right, found = (answers(asked(one), names, random) for one in sides[1])
    found = {name: found[name] for name in found if name in ("posterior", "joint")}
    fault = _compared(right, found, sides[1][1])  # what is doubted excludes no world
    return f"with doubts of 1: {fault}" if fault else ""


def _few_codes(problem: Problem, constraints: Sequence[Constraint]) -> bool:
    """Return whether an answer that states this, or this instead, may be doubted."""
    codes = Codes(problem)
    codes.all_of(constraints)
    return codes.size <= MAX_CODES


LAWS: Mapping[str, Law] = {
    law.__name__: law
    for law in (
        listed, marginals, questions, cases, claims, draws, members,
        proofs, unless, estimates, advice, two_ahead, plans,
        renaming, always_true, twice, told, side_by_side, doubts,
    )
}  # fmt: skip
"""All laws, by name."""


def difference(problem: Problem, law: str, path: str, seed: str, budget: Budget = STEPS) -> str:
    """Return what is wrong with a problem by a law, along one way; empty: nothing.

    What cannot be answered, or not within the budget, is not a difference; nor is a contradiction
    where there is no world.
    """
    with forced(path) as engine:
        asked = partial(Knowledge, engine=engine, budget=budget)
        try:
            return LAWS[law](problem, asked, Random(f"{seed} {law}"))
        except Contradiction:
            with suppress(Undecided):
                if any(enumeration.weights(problem, enumeration.listed(problem), weighted=True)):
                    return "there are worlds, but they are called a contradiction"
            return ""
        except (Undecided, Unsupported):
            return ""
        except Exception as error:
            return f"{type(error).__name__}: {error}"
