"""Verify the certificates that ``deduce audit --results FILE`` writes.

    python checker.py FILE

This file needs nothing but Python, and imports nothing of deduce, so that what verifies a
certificate shares no code with what has made it. A certificate is a line of JSON with the problem,
the stated answers, what the audit found about them, and the proof:

* a *world* gives a value to every variable; it is checked against every constraint;
* a *step* ``3`` excludes the values with which constraint 3 cannot hold;
* a step ``{"if": [0, 1], "then": [3, 5]}`` supposes that variable 0 has its value 1; the steps 3
  and 5 then leave a variable without a value, so variable 0 does not have its value 1.

The grade of an item, its number of steps and the texts of its conflict are not verified.

Constraints are numbered from 1, the rules before the clues; a supposition that a proof begins with
is the last. Variables and values are numbered from 0, in the order of the problem.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf, prod
from typing import Any, TypeAlias

__all__ = ["Refused", "main", "verify"]

Domains = list[set[int]]
"""The values that each variable may still have."""

Truths = set[bool]
"""Whether a condition may be true and may be false; at least what worlds of the domains have."""

NOTHING: Truths = set()

Json: TypeAlias = Any
"""A part of a line of JSON that is not checked yet."""


class Refused(Exception):
    """What a certificate claims and does not prove."""


class Condition:
    """A constraint: the variables that it is about, and its possible truths in some domains."""

    def __init__(self, variables: Sequence[int], truths: Callable[[Domains], Truths]) -> None:
        self.variables = variables
        self.truths = truths

    def narrow(self, domains: Domains) -> None:
        """Exclude the values with which it cannot hold, until none is left to exclude."""
        before = None
        while before != domains:
            before = domains.copy()
            for x in self.variables:
                kept = set()
                for value in before[x]:
                    domains[x] = {value}
                    if True in self.truths(domains):
                        kept.add(value)
                domains[x] = kept
                if not kept:
                    return
        if True not in self.truths(domains):
            domains[:] = [set() for _ in domains]


def linear(amounts: Mapping[int, Sequence[int]], allowed: Callable[[int], bool]) -> Condition:
    """Return that the amounts of the values of all variables add up to an allowed total."""

    def truths(domains: Domains) -> Truths:
        totals = {0}
        for x, of in amounts.items():
            added = {of[value] for value in domains[x]}
            totals = {total + amount for total in totals for amount in added}
        return set(map(allowed, totals))

    return Condition(list(amounts), truths)


def table(variables: Sequence[int], rows: set[tuple[int, ...]]) -> Condition:
    """Return that the values of some variables are one of the rows."""

    def truths(domains: Domains) -> Truths:
        own = [domains[x] for x in variables]
        number = sum(all(v in of for v, of in zip(row, own, strict=True)) for row in rows)
        possible = {True} if number else NOTHING
        return possible | ({False} if number < prod(map(len, own)) else NOTHING)

    if len(set(variables)) < len(variables):
        raise Refused("a table names a variable twice")
    return Condition(variables, truths)


def logic(parts: Sequence[tuple[Condition, bool]], low: float, high: float) -> Condition:
    """Return that between low and high of the parts are as their signs say."""

    def truths(domains: Domains) -> Truths:
        known = [(part.truths(domains), sign) for part, sign in parts]
        sure = sum(truth == {sign} for truth, sign in known)
        most = sum(sign in truth for truth, sign in known)
        possible = {True} if max(sure, low) <= min(most, high) else NOTHING
        return possible | ({False} if sure < low or most > high else NOTHING)

    names = dict.fromkeys(x for part, _ in parts for x in part.variables)
    return Condition(list(names), truths)


def disjoint(items: Mapping[int, Sequence[frozenset[Hashable]]]) -> Condition:
    """Return that no two variables have values with a common item."""

    def truths(domains: Domains) -> Truths:
        found = {True}
        for x, y in combinations(items, 2):
            pairs = {not items[x][v] & items[y][w] for v in domains[x] for w in domains[y]}
            found |= pairs - {True}
            if True not in pairs:
                return {False}
        return found

    return Condition(list(items), truths)


def value_of(value: Json) -> Hashable:
    """Return a name or a value that JSON has; equal ones are equal in Python."""
    if isinstance(value, dict):
        ((tag, inner),) = value.items()
        if tag in ("tuple", "set"):
            return (tuple if tag == "tuple" else frozenset)(map(value_of, inner))
        return float(inner) if tag == "float" else Fraction(inner)
    plain: Hashable = value
    return plain


class Problem:
    """A problem as JSON states it: its variables, and its constraints as conditions."""

    def __init__(self, document: Json) -> None:
        pairs = [(value_of(x), list(map(value_of, of))) for x, of in document["variables"]]
        self.index = {x: number for number, (x, _) in enumerate(pairs)}
        self.values = [values for _, values in pairs]
        self.rules = [rule["constraint"] for rule in document.get("rules", [])]
        evidence = document.get("evidence", [])
        if any(piece.get("doubt") is not None for piece in evidence):
            raise Refused("a clue is doubtful, so nothing is certain")
        self.clues = [piece["constraint"] for piece in evidence]
        self.conditions = [self.condition(each) for each in [*self.rules, *self.clues]]

    def amounts(self, terms: Sequence[tuple[Json, int]], sign: int = 1) -> dict[int, list[int]]:
        """Return what each value of a variable adds, by terms of a fact and an amount."""
        found: dict[int, list[int]] = {}
        for fact, amount in terms:
            x = self.index[value_of(fact["variable"])]
            named = set(map(value_of, fact["values"]))
            of = found.setdefault(x, [0] * len(self.values[x]))
            for number, value in enumerate(self.values[x]):
                of[number] += sign * amount * ((value in named) != fact.get("negated", False))
        return found

    def difference(self, of: Json) -> Condition:
        """Return that right minus left is within bounds."""
        found: dict[int, list[int]] = {}
        for side, sign in ((of["left"], -1), (of["right"], 1)):
            if "terms" in side:
                added = self.amounts(side["terms"], sign)
            else:
                x = self.index[value_of(side["variable"])]
                values: list[Json] = self.values[x]
                if of.get("order") is not None:
                    order = list(map(value_of, of["order"]))
                    values = [order.index(value) for value in values]
                added = {x: [sign * value for value in values]}
            for x, amounts in added.items():
                before = found.get(x, [0] * len(amounts))
                found[x] = [a + b for a, b in zip(before, amounts, strict=True)]
        low, high = bounds(of, -inf)
        size: Callable[[int], int] = abs if of.get("absolute") else int
        return linear(found, lambda total: low <= size(total) <= high)

    def condition(self, of: Json) -> Condition:
        """Return a constraint as a condition."""
        kind = of["kind"]
        if kind == "fact":
            return linear(self.amounts([(of, 1)]), lambda total: total == 1)
        if kind in ("count", "sum"):
            terms = of["terms"] if kind == "sum" else [(fact, 1) for fact in of["facts"]]
            low, high = bounds(of, -inf)
            return linear(self.amounts(terms), lambda total: low <= total <= high)
        if kind == "where":
            names = [self.index[value_of(x)] for x in of["variables"]]
            rows = {
                tuple(self.values[x].index(value_of(v)) for x, v in zip(names, row, strict=True))
                for row in of["rows"]
            }
            return table(names, rows)
        if kind == "weigh":
            weights = list(map(Fraction, of["weights"]))
            amounts = of.get("amounts") or [1] * len(of["facts"])
            terms = list(zip(of["facts"], amounts, strict=True))
            return linear(self.amounts(terms), lambda total: weights[total] != 0)
        if kind == "logic":
            parts = list(map(self.condition, of["parts"]))
            word, size = of["word"], len(parts)
            signs = {"if": [False, True], "iff": [True, False]}.get(word, [True] * size)
            ends = {"all": (size, size), "any": (1, size), "none": (0, 0), "if": (1, 2),
                    "iff": (1, 1)}  # fmt: skip
            return logic(list(zip(parts, signs, strict=True)), *ends.get(word) or bounds(of, 0))
        if kind == "difference":
            return self.difference(of)
        if kind == "disjoint":
            items = {value_of(v): frozenset(map(value_of, own)) for v, own in of["items"]}
            names = [self.index[value_of(x)] for x in of["variables"]]
            return disjoint({x: [items[value] for value in self.values[x]] for x in names})
        raise Refused(f"a constraint of the unknown kind {kind!r}")

    def world(self, pairs: Json) -> Domains:
        """Return a world, which must satisfy all constraints."""
        domains: Domains = [set() for _ in self.values]
        for x, value in pairs:
            number = self.index[value_of(x)]
            domains[number] = {self.values[number].index(value_of(value))}
        if not all(domains):
            raise Refused("a world lacks a value of a variable")
        if not self.holds(domains, self.rules + self.clues):
            raise Refused("a world violates a constraint")
        return domains

    def holds(self, world: Domains, constraints: Sequence[Json]) -> bool:
        """Return whether a world satisfies some constraints."""
        return all(self.condition(each).truths(world) == {True} for each in constraints)

    def replay(self, steps: Json, without: int = 0, suppose: Json = None) -> Domains | None:
        """Return what the steps of a proof leave possible; ``None``: they lead to a contradiction.

        The clue with the number ``without`` may not be used; what is supposed may.
        """
        usable = dict(enumerate(self.conditions, 1))
        if suppose is not None:
            usable[len(usable) + 1] = self.condition(suppose)
        if without:
            del usable[len(self.rules) + without]
        return followed(steps, usable, [set(range(len(values))) for values in self.values])


def followed(steps: Json, usable: Mapping[int, Condition], domains: Domains) -> Domains | None:
    """Return what steps leave of some domains; ``None``: they lead to a contradiction."""
    domains = domains.copy()
    for step in steps:
        if isinstance(step, int):
            if step not in usable:
                raise Refused(f"a step cites {step}, which it may not use")
            usable[step].narrow(domains)
        else:
            x, value = step["if"]
            supposed = domains.copy()
            supposed[x] = domains[x] & {value}
            if followed(step["then"], usable, supposed) is not None:
                raise Refused(f"the steps do not refute that variable {x} has its value {value}")
            domains[x] = domains[x] - {value}
        if not all(domains):
            return None
    return domains if all(domains) else None


def bounds(of: Json, least: float) -> tuple[float, float]:
    """Return the bounds of a constraint; a bound that is missing bounds nothing."""
    low, high = of.get("low"), of.get("high")
    return least if low is None else low, inf if high is None else high


def claims(line: Json) -> Iterator[tuple[str, Callable[[], bool]]]:
    """Yield what a certificate claims, and what returns whether that is proved."""
    problem, found, proof = Problem(line["problem"]), line["found"], line["proof"]
    stated = line.get("stated", [])
    worlds = [problem.world(pairs) for pairs in found["worlds"]]
    solutions, answer = found["solutions"], found["answer"]
    all_stated = {"kind": "logic", "word": "all", "parts": stated}
    if solutions == 0:
        yield "no solution", lambda: problem.replay(proof["steps"]) is None
    elif solutions == 1:
        yield "one solution", lambda: problem.replay(proof["steps"]) in worlds
    else:
        yield "two solutions", lambda: solutions == "2+" and worlds[0] != worlds[1]
    if solutions == 0 or answer == "contradiction":
        yield answer, lambda: (solutions, answer) == (0, "contradiction")
    elif not stated or answer == "none":
        yield answer, lambda: (stated, answer) == ([], "none")
    elif answer == "not unique":
        yield answer, lambda: [problem.holds(world, stated) for world in worlds] == [True, False]
    elif solutions == 1:
        right = {"right": True, "wrong": False}[answer]
        yield answer, lambda: problem.holds(worlds[0], stated) == right
    else:
        word = {"right": "none", "wrong": "all"}[answer]
        refuted = {"kind": "logic", "word": word, "parts": [all_stated]}
        yield answer, lambda: problem.replay(proof["answer"], suppose=refuted) is None
    right = solutions == 1 if answer == "none" else answer == "right"
    yield "whether it is faulty", lambda: found["faulty"] == (not right or bool(found.get("paid")))
    if min([*found["redundant"], *found.get("paid", ())], default=1) < 1:
        raise Refused("clues and accepted answers are numbered from 1")
    for number, steps in zip(found["redundant"], proof.get("redundant", ()), strict=True):
        opposite = {"kind": "logic", "word": "none", "parts": [problem.clues[number - 1]]}
        yield (
            f"clue {number} is redundant",
            lambda: problem.replay(steps, number, opposite) is None,  # noqa: B023 (called at once)
        )
    for number, pairs in zip(found.get("paid", ()), proof.get("paid", ()), strict=True):
        paid = line["accepted"][number - 1]
        yield (
            f"accepted answer {number} is false in a solution",
            lambda: not problem.holds(problem.world(pairs), paid),  # noqa: B023 (called at once)
        )


def verify(line: Json) -> str:
    """Return what is wrong with a certificate; empty: all that it claims is proved."""
    try:
        for claim, is_proved in claims(line):
            if not is_proved():
                return f"not proved: {claim}"
    except Refused as error:
        return str(error)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
            ValueError) as error:  # fmt: skip
        return f"not a certificate: {type(error).__name__}: {error}"
    return ""


def main(files: Sequence[str]) -> int:
    """Print how many certificates of some files are verified, and what is wrong with others."""
    verified = wrong = missing = 0
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                if "found" not in line:
                    continue  # the first line of a file of results
                if line.get("proof") is None:
                    missing += 1
                elif complaint := verify(line):
                    wrong += 1
                    print(f"{line['found'].get('item')}: {complaint}")
                else:
                    verified += 1
    print(f"{verified} verified, {wrong} refused, {missing} without a proof")
    return 1 if wrong else 4 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
