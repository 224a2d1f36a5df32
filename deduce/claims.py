"""Claims as people type them: ``rope=Ann``, ``rope!=Ann``, ``plum=Ben or knife=Ben``."""

from __future__ import annotations

import re

from deduce.constraints import Constraint, Fact, Value, Variable, at_least, is_, is_not
from deduce.errors import BadInput
from deduce.problem import Problem
from deduce.text import by_name, pick

__all__ = ["parse_claim", "parse_variable"]


def parse_claim(
    problem: Problem, text: str, *, variable: str = "variable", value: str = "value"
) -> Constraint:
    """Return the fact, or the disjunction of facts, that a text states about a problem.

    Names are forgiving (see `deduce.text.pick`): case, blanks and punctuation do not count, and
    the beginning of a name or of a word in it will do while only one name fits.

    Parameters
    ----------
    problem
        Whose variables and values are named.
    text
        What was typed.
    variable, value
        How messages call them, such as ``"card"`` and ``"holder"``.

    Raises
    ------
    BadInput
        Not of the form ``VARIABLE=VALUE``, or a name that means none or several.

    Examples
    --------
    >>> problem = Problem({"Professor Plum": ("Ann", "Ben"), "Rope": ("Ann", "Ben")})
    >>> print(parse_claim(problem, "plum=b"))
    Professor Plum is Ben
    >>> print(parse_claim(problem, "plum=ben or rope!=ben"))
    at least 1 of: Professor Plum is Ben, Rope is not Ben
    """
    parts = re.split(r"\s+or\s+", text.strip())
    if not all("=" in part for part in parts):
        parts = [text]
    facts = _apart(problem, [_fact(problem, part, variable, value) for part in parts])
    return facts[0] if len(facts) == 1 else at_least(1, facts)


def parse_variable(problem: Problem, text: str, what: str = "variable") -> object:
    """Return the variable that a text names; ``what`` is how messages call it.

    Raises
    ------
    BadInput
        The name means no variable, or several.
    """
    variables = by_name(problem.domains)
    return variables[pick(text.strip(), variables, what)]


def _apart(problem: Problem, facts: list[Fact]) -> list[Fact]:
    """Return facts of which one holds if one of these does, no two of them about a same value."""
    about: dict[Variable, list[Fact]] = {}
    for fact in facts:
        about.setdefault(fact.variable, []).append(fact)
    apart: list[Fact] = []
    for variable, mine in about.items():
        sets = [problem.values_of(fact) for fact in mine]
        union = frozenset[Value]().union(*sets)
        apart += mine if len(union) == sum(map(len, sets)) else [is_(variable, *union)]
    return apart


def _fact(problem: Problem, text: str, variable: str, value: str) -> Fact:
    left, sign, right = text.partition("!=")
    if not sign:
        left, sign, right = text.partition("=")
    if not sign or not left.strip() or not right.strip():
        form = f"{variable.upper()}={value.upper()}"
        raise BadInput(f"{text.strip()!r} is not of the form {form} (or {form.replace('=', '!=')})")
    named = parse_variable(problem, left, variable)
    values = by_name(problem.domains[named])
    meant = values[pick(right.strip(), values, f"{value} of {left.strip()}")]
    return is_(named, meant) if sign == "=" else is_not(named, meant)
