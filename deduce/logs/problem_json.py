"""Problems as JSON: every variable and value keeps its type, every condition is a table.

The form is described in docs/problems.md. `write_problem` and `read_problem` are inverse to
each other, except that the predicate of a `Where` becomes the table of what it allows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from typing import Any

from deduce.constraints import (
    MAX_DEPTH,
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Logic,
    Number,
    Rows,
    Sum,
    Term,
    Value,
    Variable,
    Weigh,
    Where,
)
from deduce.errors import BadInput, BadProblem, Unsupported
from deduce.logs.case_forms import below, check_form, read_forms
from deduce.problem import Evidence, Instead, Problem, Rule
from deduce.system.text import plural

__all__ = [
    "FORMS",
    "read_constraint",
    "read_problem",
    "read_value",
    "write_problem",
    "write_value",
]


MAX_NESTED = 50
"""How deep tuples and sets may be nested."""

FORMS = read_forms("deduce.logs")
"""The forms of a problem, its parts, and the recorded cases of any game."""
VALUE, FRACTION = FORMS["value"], FORMS["fraction"]

_TAGS: Mapping[str, tuple[type, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "tuple": (tuple, lambda value: list(map(write_value, value)), tuple),
    "set": (frozenset, lambda value: [write_value(v) for v in sorted(value, key=repr)], frozenset),
    "float": (float, repr, float),
    "fraction": (Fraction, str, Fraction),
}
"""By the field that tags a value in JSON: its type, and how it is written and read."""


def write_value(value: Value) -> Any:
    """Return a variable or value as JSON has it, from which `read_value` makes an equal one.

    Raises
    ------
    Unsupported
        It is not text, a number, a truth, ``None``, or a tuple or frozenset of these.

    Examples
    --------
    >>> write_value(("v", 1, None)), write_value(1.0)
    ({'tuple': ['v', 1, None]}, {'float': '1.0'})
    """
    if value is None or type(value) in (str, int, bool):
        return value
    for tag, (kind, write, _) in _TAGS.items():
        if type(value) is kind or (kind is tuple and isinstance(value, tuple)):
            return {tag: write(value)}
    raise Unsupported(f"a value of the type {type(value).__name__} has no form in JSON: {value!r}")


def read_value(value: Any, path: str = "") -> Value:
    """Return the variable or value that JSON gives.

    Raises
    ------
    BadInput
        It has no such form; ``path`` names where it is.

    Examples
    --------
    >>> read_value({"tuple": ["v", 1, None]})
    ('v', 1, None)
    """
    if value is None or type(value) in (str, int, bool):
        return value  # type: ignore[no-any-return]
    check_form(value, VALUE, path)
    tag, inner = next(iter(value.items()), ("", ()))
    of_list = tag in ("tuple", "set")
    if path.count("[") > MAX_NESTED:
        raise BadInput(f"{path[:40]}...: nested too deeply")
    if len(value) != 1 or tag not in _TAGS:
        raise BadInput(f"{path or 'value'}: an object with one of the fields {', '.join(_TAGS)} "
                       "is expected")  # fmt: skip
    form = [VALUE] if of_list else FRACTION if tag == "fraction" else str
    check_form(inner, form, below(path, tag))
    given = _values(inner, below(path, tag)) if of_list else inner
    try:
        return _TAGS[tag][2](given)  # type: ignore[no-any-return]
    except ValueError:
        raise BadInput(f"{below(path, tag)}: {inner!r} is not a {tag}") from None


def _values(values: Collection[object], path: str) -> list[Value]:
    return [read_value(value, below(path, number)) for number, value in enumerate(values)]


def write_problem(problem: Problem) -> dict[str, Any]:
    """Return a problem as JSON has it.

    Raises
    ------
    Unsupported
        A variable or value has no form in JSON, or the problem states what players see.

    Examples
    --------
    >>> from deduce import is_
    >>> hats = Problem({"Ann": ("red", "blue")}, [is_("Ann", "red")])
    >>> read_problem(write_problem(hats)) == hats
    True
    """
    if problem.sees:
        raise Unsupported("what players see has no form in JSON")

    def fact(of: Fact) -> dict[str, object]:
        domain = problem.domains[of.variable]
        names = [v for v in domain if v in of.values]
        names += sorted(of.values - set(domain), key=repr)  # of a lenient fact
        written = {"variable": write_value(of.variable), "values": list(map(write_value, names))}
        flags = {"negated": of.negated, "lenient": of.lenient}
        return written | {name: True for name, flag in flags.items() if flag}

    def terms(of: Iterable[Term]) -> list[list[object]]:
        return [[fact(each), amount] for each, amount in of]

    def side(of: Variable) -> dict[str, object]:
        if isinstance(of, Number):
            return {"terms": terms(of.terms)}
        return {"variable": write_value(of)}

    def constraint(of: Constraint) -> dict[str, object]:
        match of:
            case Fact():
                return {"kind": "fact", **fact(of)}
            case Count(facts, low, high):
                return {"kind": "count", "facts": list(map(fact, facts)), "low": low, "high": high}
            case Sum(added, low, high):
                return {"kind": "sum", "terms": terms(added), "low": low, "high": high}
            case Where(variables, _, name):
                rows = product(*(problem.domains[variable] for variable in variables))
                return {
                    "kind": "where",
                    "variables": list(map(write_value, variables)),
                    "rows": [list(map(write_value, row)) for row in rows if of.allows(row)],
                    "name": name,
                }
            case Logic(word, parts, low, high):
                written = list(map(constraint, parts))
                bounds = {"low": low, "high": high} if word == "count" else {}
                return {"kind": "logic", "word": word, "parts": written, **bounds}
            case Difference(left, right, low, high):
                order = None if of.order is None else list(map(write_value, of.order))
                ends = {"left": side(left), "right": side(right), "low": low, "high": high}
                return {"kind": "difference", **ends, "order": order, "absolute": of.absolute}
            case Disjoint(variables):
                items: dict[Value, frozenset[Any]] = {}
                for value in (v for name in variables for v in problem.domains[name]):
                    if items.setdefault(value, of.items(value)) != of.items(value):
                        raise Unsupported(f"{of}: equal values have other items: {value!r}")
                return {
                    "kind": "disjoint",
                    "variables": list(map(write_value, variables)),
                    "items": [
                        [write_value(v), [write_value(x) for x in sorted(those, key=repr)]]
                        for v, those in items.items()
                    ],
                }
        return {
            "kind": "weigh",
            "facts": list(map(fact, of.facts)),
            "weights": list(map(str, of.weights)),
            "amounts": of.amounts and list(of.amounts),
        }

    def instead(of: Instead) -> dict[str, object]:
        constraints = list(map(constraint, of.constraints))
        return {"constraints": constraints, "share": str(of.share), "sentence": of.sentence}

    return {
        "variables": [
            [write_value(name), list(map(write_value, values))]
            for name, values in problem.domains.items()
        ],
        "rules": [
            {"constraint": constraint(rule.constraint), "sentence": rule.sentence}
            for rule in problem.rules
        ],
        "evidence": [
            {
                "constraint": constraint(piece.constraint),
                "event": piece.event,
                "sentence": piece.sentence,
                "doubt": None if piece.doubt is None else str(piece.doubt),
                "instead": list(map(instead, piece.instead)),
                "answer": piece.answer,
            }
            for piece in problem.evidence
        ],
    }


def read_problem(document: Any, path: str = "") -> Problem:
    """Return the problem that JSON gives.

    Parameters
    ----------
    document
        A value from `deduce.logs.json_values.parse_json`.
    path
        What comes before the path of a field in a message.

    Raises
    ------
    BadInput
        It is not a problem; with the path of the field that is wrong, and what is expected there.

    Examples
    --------
    >>> read_problem({"variables": [["Ann", []]]})
    Traceback (most recent call last):
    deduce.errors.BadInput: variables[0]: 'Ann' has no possible value
    >>> read_problem({"variables": [["Ann", "red"]]})
    Traceback (most recent call last):
    deduce.errors.BadInput: variables[0][1]: expected a list of ..., not "red"
    """
    check_form(document, FORMS["problem"], path)
    domains: dict[Value, list[Value]] = {}
    for (name, values), at in _each(document, "variables", path):
        variable = read_value(name, below(at, 0))
        if variable in domains:
            raise BadInput(f"{below(at, 0)}: the variable {variable!r} is given twice")
        domains[variable] = _values(values, below(at, 1))
        with _located(at):
            Problem({variable: domains[variable]})
    with _located(below(path, "variables")):
        bare = Problem(domains)

    def checked(of: Any, path: str) -> Constraint:
        with _located(path):
            made = _constraint(of, path)
            bare.check(made)
        check_rows(made, of, path)
        return made

    def check_rows(made: Constraint, of: Any, path: str) -> None:
        if isinstance(made, Where):
            for row, at in _each(of, "rows", path):
                _check_row(_values(row, at), [domains[name] for name in made.variables], at)
        elif isinstance(made, Logic):
            for part, (one, at) in zip(made.parts, _each(of, "parts", path), strict=True):
                check_rows(part, one, at)

    def instead(of: Mapping[str, Any], path: str) -> Instead:
        constraints = [checked(one, at) for one, at in _each(of, "constraints", path)]
        with _located(path):
            return Instead(constraints, of.get("share", 1), of.get("sentence", ""))

    rules = [
        Rule(checked(rule["constraint"], below(at, "constraint")), rule.get("sentence", ""))
        for rule, at in _each(document, "rules", path)
    ]
    evidence = []
    for piece, at in _each(document, "evidence", path):
        with _located(at):
            evidence.append(
                Evidence(
                    checked(piece["constraint"], below(at, "constraint")),
                    piece["event"],
                    piece.get("sentence", ""),
                    doubt=piece.get("doubt"),
                    instead=[instead(*one) for one in _each(piece, "instead", at)],
                    answer=piece.get("answer", ""),
                )
            )
    return Problem(domains, rules, evidence)


def read_constraint(problem: Problem, document: Any, path: str = "") -> Constraint:
    """Return the constraint about a problem that JSON gives, as `read_problem` has constraints.

    Raises
    ------
    BadInput
        It is not a constraint about this problem; with the path of the field that is wrong.
    """
    check_form(document, FORMS["constraint"], path)
    with _located(path or "the claim"):
        made = _constraint(document, path)
        problem.check(made)
    return made


def _check_row(row: list[Value], columns: list[list[Value]], path: str) -> None:
    if len(row) != len(columns):
        raise BadInput(f"{path}: expected {plural(len(columns), 'value')}, got {len(row)}")
    for number, (value, domain) in enumerate(zip(row, columns, strict=True)):
        if value not in domain:
            raise BadInput(f"{below(path, number)}: {value!r} is not a value of the variable")


@contextmanager
def _located(path: str) -> Iterator[None]:
    """Add the path of a field to what is wrong with its value."""
    try:
        yield
    except BadProblem as error:
        raise BadInput(f"{path}: {error}") from None


def _each(of: Mapping[str, Any], name: str, path: str) -> Iterator[tuple[Any, str]]:
    """Yield the items of a list, which may be left out, with their paths."""
    for number, item in enumerate(of.get(name, ())):
        yield item, below(below(path, name), number)


def _fact(of: Mapping[str, Any], path: str) -> Fact:
    variable = read_value(of["variable"], below(path, "variable"))
    values = _values(of["values"], below(path, "values"))
    negated, lenient = of.get("negated", False), of.get("lenient", False)
    return Fact(variable, frozenset(values), negated=negated, lenient=lenient)


def _terms(of: Mapping[str, Any], path: str) -> list[Term]:
    terms = _each(of, "terms", path)
    return [(_fact(one, below(at, 0)), amount) for (one, amount), at in terms]


def _side(of: Mapping[str, Any], path: str) -> Variable:
    if ("variable" in of) == ("terms" in of):
        raise BadInput(f"{path}: one of the fields variable, terms is expected")
    if "terms" in of:
        return Number(_terms(of, path))
    return read_value(of["variable"], below(path, "variable"))


def _constraint(of: Mapping[str, Any], path: str) -> Constraint:
    low, high = of.get("low"), of.get("high")
    facts = [_fact(one, at) for one, at in _each(of, "facts", path)]
    match of["kind"]:
        case "fact":
            return _fact(of, path)
        case "count":
            return Count(facts, low or 0, high)
        case "sum":
            return Sum(_terms(of, path), low, high)
        case "where":
            names = _values(of["variables"], below(path, "variables"))
            rows = [tuple(_values(row, at)) for row, at in _each(of, "rows", path)]
            return Where(names, Rows(rows), of.get("name", ""))
        case "logic":
            parts = []
            for one, at in _each(of, "parts", path):
                if at.count(".parts") > MAX_DEPTH:
                    raise BadInput(f"{path[:40]}...: nested too deeply")
                check_form(one, FORMS["constraint"], at)  # deep ones are looked at one by one
                parts.append(_constraint(one, at))
            return Logic(of["word"], parts, low or 0, high)
        case "difference":
            left, right = (_side(of[side], below(path, side)) for side in ("left", "right"))
            order = of.get("order")
            return Difference(
                left, right, low, high, absolute=of.get("absolute", False),
                order=None if order is None else _values(order, below(path, "order")),
            )  # fmt: skip
        case "disjoint":
            pairs = [
                (read_value(value, below(at, 0)), _values(items, below(at, 1)))
                for (value, items), at in _each(of, "items", path)
            ]
            return Disjoint(_values(of["variables"], below(path, "variables")), dict(pairs))
    return Weigh(facts, map(Fraction, of["weights"]), amounts=of.get("amounts"))
