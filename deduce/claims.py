"""Claims as people type them: ``rope=Ann``, ``rope!=Ann``, ``plum=Ben or knife=Ben``."""

from __future__ import annotations

import re

from deduce.constraints import Constraint, Fact, Variable, at_least, is_, is_not
from deduce.errors import BadInput
from deduce.problem import Problem
from deduce.text import by_name, pick

__all__ = ["parse_claim", "parse_variable"]


def parse_claim(
    problem: Problem, text: str, *, words: tuple[str, str] = ("variable", "value")
) -> Constraint:
    """Return the fact, or the disjunction of facts, that a text states about a problem.

    ``words`` are what messages call a variable and a value, such as "card" and "holder".

    Names are forgiving (see `deduce.text.pick`): case, blanks and punctuation do not count, and
    the beginning of a name or of a word in it will do while only one name fits.

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
    facts = [_fact(problem, part, *words) for part in parts]
    return facts[0] if len(facts) == 1 else at_least(1, facts)


def parse_variable(problem: Problem, text: str, word: str = "variable") -> Variable:
    """Return the variable that a text names; ``word`` is what messages call it.

    Raises
    ------
    BadInput
        The name means no variable, or several.
    """
    variables = by_name(problem.domains)
    chosen: Variable = variables[pick(text.strip(), variables, word)]
    return chosen


def _fact(problem: Problem, text: str, word: str, value_word: str) -> Fact:
    left, sign, right = text.partition("!=")
    if not sign:
        left, sign, right = text.partition("=")
    if not sign or not left.strip() or not right.strip():
        left, right = word.upper(), value_word.upper()
        raise BadInput(f"{text.strip()!r} is not of the form {left}={right} (or {left}!={right})")
    variable = parse_variable(problem, left, word)
    values = by_name(problem.domains[variable])
    value = values[pick(right.strip(), values, f"{value_word} of {left.strip()}")]
    return is_(variable, value) if sign == "=" else is_not(variable, value)
