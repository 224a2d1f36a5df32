"""Claims as people type them: ``rope=Ann``, ``rope!=Ann``, ``plum=Ben or knife=Ben``.

Also ``plum=Ben and knife=Ben``, ``exactly 2 of plum=Ben, knife=Ben, rope=Ben`` (or ``at least``,
``at most``), and any other constraint in JSON, as a file of a problem has it
(`deduce.logs.problem_json`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

from deduce.constraints import (
    Claim,
    Constraint,
    Count,
    Fact,
    Knows,
    Value,
    Variable,
    Weigh,
    at_least,
    is_,
    is_not,
)
from deduce.errors import BadInput, BadProblem
from deduce.game import RECORD, HiddenGame, SeenInParts, Viewer, hook
from deduce.logic import all_of, count_of
from deduce.problem import Problem
from deduce.system.text import by_name, pick

__all__ = ["SOLUTION", "format_claim", "parse_claim", "parse_variable", "parse_viewer"]

SOLUTION = "solution"
"""The word for what the players of a game want to find out."""


_STATED = re.compile(r"\s*(knows|does[ _]not[ _]know|common[ _]knowledge)\s*\((.*)\)\s*", re.I)

COUNTED = r"(exactly|at least|at most)\s+([0-9]{1,6})\s+of:?\s+(.*=.*)"
"""How many of some facts hold."""


def parse_claim(
    problem: Problem, text: str, *, variable: str = "variable", value: str = "value"
) -> Claim:
    """Return the claim that a text states: a fact, several facts as one claim, or what is known.

    Names are forgiving (see `deduce.system.text.pick`): case, blanks and punctuation do not count,
    and the beginning of a name or of a word in it will do while only one name fits.

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
        Not of such a form, or a name that means none or several.

    Examples
    --------
    >>> problem = Problem({"Professor Plum": ("Ann", "Ben"), "Rope": ("Ann", "Ben")})
    >>> print(parse_claim(problem, "plum=b"))
    Professor Plum is Ben
    >>> print(parse_claim(problem, "plum=ben or rope!=ben"))
    at least 1 of: Professor Plum is Ben, Rope is not Ben
    >>> print(parse_claim(problem, "exactly 1 of plum=ben, rope=ben"))
    exactly 1 of: Professor Plum is Ben, Rope is Ben

    What players know, if the problem states what they see; the word ``solution`` means what the
    players of a game want to find out:

    >>> seen = Problem({"Rope": ("Ann", "Ben")}, sees={"Ann": ["Rope"], "Ben": []})
    >>> print(parse_claim(seen, "knows(ann, does_not_know(ben, rope))"))
    Ann knows that Ben does not know Rope
    """
    stated = _STATED.fullmatch(text)
    if stated is not None:
        word, inside = stated[1].replace(" ", "_").lower(), stated[2]
        if word == "common_knowledge":
            return Knows((), _what(problem, inside, variable, value))
        player, comma, what = inside.partition(",")
        if not comma or not problem.sees:
            hint = f"{word}(PLAYER, {variable.upper()})"
            reason = f"write {hint}" if problem.sees else "nothing states what players see"
            raise BadInput(f"{text.strip()!r} cannot be judged: {reason}")
        players = by_name(problem.sees)
        known = players[pick(player.strip(), players, "player")]
        asked = _what(problem, what, variable, value)
        return Knows((known,), asked, negated=word == "does_not_know")
    if text.lstrip().startswith("{"):
        return _from_json(problem, text)

    def facts_of(parts: Iterable[str]) -> list[Fact]:
        return [_fact(problem, part, variable, value) for part in parts]

    counted = re.fullmatch(COUNTED, text.strip(), re.IGNORECASE)
    if counted:
        word, number, rest = counted[1].lower(), int(counted[2]), counted[3]
        facts = facts_of(rest.split(","))
        low, high = 0 if word == "at most" else number, None if word == "at least" else number
        apart = len({fact.variable for fact in facts}) == len(facts)
        return Count(facts, low, high) if apart else count_of(facts, low, high)
    for word in ("or", "and"):
        parts = re.split(rf"\s+{word}\s+", text.strip())
        if len(parts) > 1 and all("=" in part for part in parts):
            if word == "and":
                return all_of(facts_of(parts))
            facts = _apart(problem, facts_of(parts))
            return facts[0] if len(facts) == 1 else at_least(1, facts)
    try:
        return _fact(problem, text, variable, value)
    except BadInput as error:
        several = "; write several facts as A=1 or B=2, A=1 and B=2, or exactly 2 of A=1, B=2, C=3"
        raise BadInput(f"{error}{several if len(re.findall('=+', text)) > 1 else ''}") from None


def _from_json(problem: Problem, text: str) -> Constraint:
    from deduce.logs.json_values import parse_json
    from deduce.logs.problem_json import read_constraint

    try:
        claim = read_constraint(problem, parse_json(text))
    except BadProblem as error:
        raise BadInput(f"not a claim about this problem: {error}") from None
    if isinstance(claim, Weigh):
        raise BadInput(f"a Weigh is neither true nor false, so it is not a claim: {claim}")
    return claim


def _what(problem: Problem, text: str, variable: str, value: str) -> object:
    """Return what is known: a claim, or the variable of which the value is known."""
    if "=" in text or _STATED.fullmatch(text):
        return parse_claim(problem, text, variable=variable, value=value)
    if text.strip().lower() == SOLUTION and SOLUTION not in by_name(problem.domains):
        return SOLUTION
    return parse_variable(problem, text, variable)


def format_claim(problem: Problem, claim: Constraint) -> str:
    """Return a fact or a disjunction of facts as text, with full names; `parse_claim` reads it.

    Raises
    ------
    BadInput
        The claim is of another kind, which has no text form.

    Examples
    --------
    >>> problem = Problem({"Rope": ("Ann", "Ben", "Cid")})
    >>> format_claim(problem, is_not("Rope", "Ben"))
    'Rope!=Ben'
    >>> format_claim(problem, is_("Rope", "Ann", "Ben"))
    'Rope=Ann or Rope=Ben'
    """
    if isinstance(claim, Count) and (claim.low, claim.high) == (1, None):
        return " or ".join(format_claim(problem, fact) for fact in claim.facts)
    if not isinstance(claim, Fact):
        raise BadInput(f"not a fact or a disjunction of facts: {claim}")
    names = {variable: name for name, variable in by_name(problem.domains).items()}
    domain = problem.domains[claim.variable]
    values = {value: name for name, value in by_name(domain).items()}
    name = names[claim.variable]
    if claim.negated and len(claim.values) == 1:
        return f"{name}!={values[next(iter(claim.values))]}"
    allowed = problem.values_of(claim)
    return " or ".join(f"{name}={values[value]}" for value in domain if value in allowed)


def parse_variable(problem: Problem, text: str, what: str = "variable") -> object:
    """Return the variable that a text names; ``what`` is how messages call it.

    Raises
    ------
    BadInput
        The name means no variable, or several.
    """
    variables = by_name(problem.domains)
    return variables[pick(text.strip(), variables, what)]


def parse_viewer(game: HiddenGame, text: str) -> Viewer:
    """Return the viewer that a typed name means: a player, ``public`` or ``record``.

    Raises `BadInput` if the name means none or several.
    """
    viewers = {"public": None, "record": RECORD} | by_name(hook(game, SeenInParts.players, ()))
    return viewers[pick(text, viewers, "player")]


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
        message = f"{text.strip()!r} is not of the form {form} (or {form.replace('=', '!=')})"
        raise BadInput(message + _meant(problem, text.split(), variable, value))
    try:
        named = parse_variable(problem, left, variable)
    except BadInput:
        if _is_fact(problem, right, left):
            swapped = f"{right.strip()}{sign}{left.strip()}"
            raise BadInput(f"the {variable} comes first: {swapped}, not {text.strip()}") from None
        raise
    values = by_name(problem.domains[named])
    meant = values[pick(right.strip(), values, f"{value} of {left.strip()}")]
    return is_(named, meant) if sign == "=" else is_not(named, meant)


def _is_fact(problem: Problem, variable: str, value: str) -> bool:
    """Return whether there is such a variable, and it may have such a value."""
    try:
        pick(value.strip(), by_name(problem.domains[parse_variable(problem, variable)]), "value")
    except BadInput:
        return False
    return True


def _meant(problem: Problem, words: list[str], variable: str, value: str) -> str:
    """Return a hint at the fact that words without a sign may mean, or an empty string."""
    for i in range(1, min(len(words), 6)):
        claim = f"{' '.join(words[:i])}={' '.join(words[i:])}"
        with suppress(BadInput):
            _fact(problem, claim, variable, value)
            return f"; did you mean {claim!r}?"
    return ""
