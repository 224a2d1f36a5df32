"""Problems as text that a person writes: domains, rules, clues and the answer that is stated.

The form is described in docs/problems.md. What has no words in it, such as a table, is written
in JSON (`deduce.logs.problem_json`), so every problem that has a form in JSON has one as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, TypeVar

from attrs import evolve, frozen

from deduce.constraints import (
    Constraint,
    Count,
    Difference,
    Fact,
    Logic,
    Number,
    Value,
    Variable,
    is_,
    is_not,
)
from deduce.errors import BadInput, BadProblem, Unsupported
from deduce.logic import all_of, any_of, count_of, iff, implies, negation, none_of
from deduce.logs.json_values import parse_json
from deduce.logs.problem_json import read_constraint, read_problem, read_value, write_problem
from deduce.logs.problem_json import write_value as json_value
from deduce.problem import Evidence, Problem, Rule, all_different
from deduce.system.text import listing

__all__ = ["Stated", "parse_condition", "parse_problem", "parse_stated", "write_text"]

MAX_DIGITS = 1000
"""How many digits a number may have in a text."""

MAX_NESTED = 40
"""How deep conditions may be inside one another in a text."""

T = TypeVar("T")

SECTIONS = ("domains", "rules", "clues", "answer")

WORDS = frozenset(
    {"if", "then", "iff", "and", "or", "not", "is", "before", "next", "to", "all", "any", "none"}
    | {"of", "exactly", "at", "least", "most", "different", "true", "false", "null"}
)
"""Words of the language: a name that is one of them is written in quotes."""

_TOKEN = re.compile(
    r'(?P<blank>[ \t\r]+|\#[^\n]*)|(?P<line>\n)|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<json>\{)'
    r"|(?P<number>-?[0-9]+(?![\w]))|(?P<word>[^\W\d][\w'-]*)|(?P<sign>!=|[=:,()])"
)

_NAME = re.compile(r"[^\W\d][\w'-]*")


@frozen
class Stated:
    """A problem, and the facts that its author states as the answer."""

    problem: Problem
    answer: tuple[Fact, ...] = ()


@frozen
class _Token:
    kind: str
    value: Any
    place: int

    @property
    def is_atom(self) -> bool:
        return self.kind in ("text", "number", "json") or (
            self.kind == "word" and (self.value not in WORDS or self.value in _CONSTANTS)
        )


_COMPARED: Mapping[str, tuple[int | None, int | None, bool]] = {
    "before": (1, None, False), "next to": (1, 1, True), "with": (0, 0, False)
}  # fmt: skip
"""By the words between two variables the bounds of a difference, and whether it is a distance."""

_CONSTANTS = {"true": True, "false": False, "null": None}


def parse_problem(text: str) -> Problem:
    r"""Return the problem that a text states.

    Raises
    ------
    BadInput
        The text is not of this form; with the line, the column and what is expected there.

    Examples
    --------
    >>> hats = parse_problem('''
    ... domains
    ...   Ann, Ben: red, blue
    ... rules
    ...   exactly 1 of: Ann is red, Ben is red
    ... clues
    ...   if Ann is blue then Ben is blue
    ... ''')
    >>> from deduce import Knowledge
    >>> Knowledge(hats).certain()
    {'Ann': 'red', 'Ben': 'blue'}
    >>> parse_problem("domains\n  Ann: red\nclues\n  Ann is rad")
    Traceback (most recent call last):
    deduce.errors.BadInput: line 4, column 3: Ann cannot be 'rad'...
    """
    return parse_stated(text).problem


def parse_stated(text: str) -> Stated:
    """Return the problem that a text states, with the answer that it gives; see `parse_problem`."""
    return _Parser(text).stated()


def parse_condition(problem: Problem, text: str) -> Constraint:
    """Return the condition about the variables of a problem that a line of the text form states.

    Raises
    ------
    BadInput
        The text is not one condition about this problem.
    """
    parser = _Parser(text)
    parser.domains, parser.bare = dict(problem.domains), problem
    made = parser.checked()
    parser.expect("\n")
    if parser.token.kind != "end":
        parser.unexpected("one condition")
    return made


class _Parser:
    """Recursive descent over the tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.at = 0
        self.depth = 0
        self.domains: dict[Variable, tuple[Value, ...]] = {}
        self.bare: Problem

    def fail(self, message: str, place: int) -> NoReturn:
        line = self.text.count("\n", 0, place) + 1
        column = place - self.text.rfind("\n", 0, place)
        raise BadInput(message, line=line, column=column)

    def _tokens(self) -> Iterator[_Token]:
        at, open_, last = 0, 0, "\n"
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                write = "names with it in quotes, a range as 1 to 4, a distance as A 2 before B"
                self.fail(f"{self.text[at]!r} is not expected here; write {write}", at)
            kind, start = str(match.lastgroup), at
            value: Any = match[0]
            at = match.end()
            if kind == "json":
                value, at = self._json(start)
            elif kind == "text":
                value = self._value(partial(parse_json, match[0]), start)
            elif kind == "number":
                if len(value) > MAX_DIGITS:
                    self.fail(f"a number of more than {MAX_DIGITS} digits", start)
                value = self._value(partial(int, match[0]), start)
            open_ += (match[0] == "(") - (match[0] == ")")
            if kind == "blank" or (kind == "line" and (open_ > 0 or last in (",", "\n"))):
                continue
            last = match[0]
            yield _Token(kind, value, start)
        if last != "\n":
            yield _Token("line", "\n", at)
        yield _Token("end", "the end", at)

    def _json(self, start: int) -> tuple[Any, int]:
        try:
            _, end = json.JSONDecoder().raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            self.fail(f"not JSON: {error.msg}", error.pos)
        except (ValueError, RecursionError):
            self.fail("this JSON is nested too deeply, or has a number of too many digits", start)
        return self._value(partial(parse_json, self.text[start:end]), start), end

    def _value(self, make: Callable[[], T], place: int) -> T:
        try:
            return make()
        except (BadInput, BadProblem, Unsupported) as error:
            if isinstance(error, BadInput) and error.line is not None:
                raise  # from within, where the place is known better
            self.fail(str(error), place)

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def sees(self, *words: str) -> bool:
        found = self.tokens[self.at : self.at + len(words)]
        kinds = ("word", "sign", "line")
        return [t.value if t.kind in kinds else None for t in found] == [*words]

    def takes(self, *words: str) -> bool:
        if seen := self.sees(*words):
            self.at += len(words)
        return seen

    def expect(self, word: str, what: str = "") -> None:
        if not self.takes(word):
            shown = "the end of the line" if word == "\n" else repr(word)
            self.unexpected(what or shown)

    def unexpected(self, wanted: str) -> NoReturn:
        found = self.token
        shown = {"line": "the end of the line", "end": "the end"}.get(found.kind, repr(found.value))
        self.fail(f"expected {wanted}, found {shown}", found.place)

    def stated(self) -> Stated:
        rules: list[Rule] = []
        clues: list[Evidence] = []
        answer: list[Fact] = []
        section = ""
        while self.token.kind != "end":
            ahead = self.tokens[self.at + 1]
            if ahead.kind == "line" and self.token.value in SECTIONS:
                section, self.at = self.token.value, self.at + 2
                if section != "domains":
                    if not self.domains:
                        self.unexpected("the domains first")
                    self.bare = Problem(self.domains)
            elif section == "domains":
                self.domain()
            elif section == "rules":
                rules += self.rules()
            elif section == "clues":
                clues.append(self.clue(len(clues) + 1))
            elif section == "answer":
                answer += self.facts()
            else:
                self.unexpected("one of the lines domains, rules, clues, answer")
        if not self.domains:
            self.unexpected("domains: a line domains, and below it such as Ann, Ben: red, blue")
        problem = Problem(self.domains, rules, clues)
        return Stated(problem, tuple(answer))

    def atom(self, what: str) -> Value:
        token = self.token
        if not token.is_atom:
            hint = "; a word of the language is written in quotes" * (token.kind == "word")
            self.unexpected(what + hint)
        self.at += 1
        if token.kind == "json":
            return self._value(lambda: read_value(token.value), token.place)
        is_constant = token.kind == "word" and token.value in _CONSTANTS
        return _CONSTANTS[token.value] if is_constant else token.value

    def listed(self, item: Callable[[], Any]) -> list[Any]:
        items = [item()]
        while self.takes(","):
            items.append(item())
        return items

    def domain(self) -> None:
        place = self.token.place
        names = self.listed(lambda: self.atom("the name of a variable"))
        self.expect(":", "':' and the values (a name of several words is written in quotes)")
        values: list[Value] = []
        while True:
            first = self.atom("a value")
            if type(first) is int and self.takes("to"):
                last = self.atom("a whole number")
                if type(last) is not int or not first <= last < first + 10_000:
                    self.fail(f"{first} to {last!r} is not a range, such as 1 to 4", place)
                values += range(first, last + 1)
            else:
                values.append(first)
            if not self.takes(","):
                break
        self.expect("\n", "',' or the end of the line")
        for name in names:
            if name in self.domains:
                self.fail(f"the variable {name!r} is given twice", place)
            self.domains[name] = tuple(values)
        self._value(lambda: Problem(dict.fromkeys(names, values)), place)

    def sentence(self) -> str:
        sentence = ""
        if self.token.kind == "text":
            sentence, self.at = self.token.value, self.at + 1
        self.expect("\n")
        return sentence

    def rules(self) -> list[Rule]:
        if self.takes("all", "different", ":"):
            several: list[Constraint] = [*self.different()]
        else:
            several = [self.checked()]
        sentence = self.sentence()
        return [Rule(one, sentence) for one in several]

    def clue(self, number: int) -> Evidence:
        token = self.token
        if token.kind == "json" and "constraint" in token.value:
            self.at += 1
            self.expect("\n")
            domains = write_problem(self.bare)["variables"]
            made = {"variables": domains, "evidence": [token.value]}
            return self._value(lambda: read_problem(made).evidence[0], token.place)
        event: int | None = number
        is_label = token.kind == "number" or token.value == "null"
        if is_label and self.tokens[self.at + 1].value == ":":
            event = None if token.value == "null" else token.value
            self.at += 2
        constraint, sentence = self.checked(), self.sentence()
        return self._value(lambda: Evidence(constraint, event, sentence), token.place)

    def facts(self) -> list[Fact]:
        place = self.token.place
        given = self.listed(self.checked)
        self.expect("\n", "',' or the end of the line")
        for fact in given:
            if not isinstance(fact, Fact):
                self.fail("an answer consists of facts, such as Ann is red", place)
        return given

    def checked(self) -> Constraint:
        place = self.token.place
        made = self.condition()

        def check() -> Constraint:
            self.bare.check(made)
            return made

        return self._value(check, place)

    def condition(self) -> Constraint:
        self.depth += 1
        if self.depth > MAX_NESTED:
            self.fail("conditions are nested too deeply", self.token.place)
        place = self.token.place
        made = self._value(self._condition, place)
        self.depth -= 1
        return made

    def _condition(self) -> Constraint:
        if self.takes("if"):
            first = self.condition()
            self.takes(",")
            self.expect("then")
            return implies(first, self.condition())
        made = self.joined("or", lambda: self.joined("and", self.single, all_of), self.either)
        return iff(made, self.condition()) if self.takes("iff") else made

    def either(self, parts: Sequence[Constraint]) -> Constraint:
        """Return that one of these holds; of facts about one variable, as one fact."""
        facts = [part for part in parts if isinstance(part, Fact)]
        if len(facts) < len(parts) or len({fact.variable for fact in facts}) > 1:
            return any_of(parts)
        allowed = frozenset[Value]().union(*map(self.bare.values_of, facts))
        return Fact(facts[0].variable, [v for v in self.domains[facts[0].variable] if v in allowed])

    def joined(
        self, word: str, part: Callable[[], Constraint], join: Callable[..., Constraint]
    ) -> Constraint:
        parts = [part()]
        while self.takes(word):
            parts.append(part())
        return join(parts) if len(parts) > 1 else parts[0]

    def single(self) -> Constraint:
        if self.takes("not"):
            self.depth += 1
            if self.depth > MAX_NESTED:
                self.fail("conditions are nested too deeply", self.token.place)
            return negation(self.single())
        if self.takes("("):
            made = self.condition()
            self.expect(")")
            return made
        if self.takes("all", "different", ":"):
            return all_of(self.different())
        for word, join in (("all", all_of), ("any", any_of), ("none", none_of)):
            if self.takes(word, "of", ":"):
                return join(self.listed(self.condition))
        if self.sees("exactly") or self.sees("at") or self.tokens[self.at + 1].value == "to":
            return self.counted()
        token = self.token
        if token.kind == "json" and "kind" in token.value:
            self.at += 1
            return read_constraint(self.bare, token.value)
        return self.relation()

    def counted(self) -> Constraint:
        least, most = self.takes("at", "least"), self.takes("at", "most")
        ranged = not (least or most or self.takes("exactly"))
        low = self.number()
        high: int | None = low
        if ranged:
            self.expect("to")
            high = self.number()
        self.expect("of")
        self.expect(":")
        parts = self.listed(self.condition)
        low, high = 0 if most else low, None if least else high
        facts = [part for part in parts if isinstance(part, Fact)]
        if len(facts) == len(parts) == len({fact.variable for fact in facts}):
            return Count(facts, low, high)
        return count_of(parts, low, high)

    def number(self) -> int:
        if self.token.kind != "number":
            self.unexpected("a whole number")
        self.at += 1
        return int(self.tokens[self.at - 1].value)

    def variable(self) -> Variable:
        place = self.token.place
        name = self.atom("a condition, such as Ann is red")
        if name not in self.domains:
            hint = listing(map(str, self.domains), name)
            self.fail(f"there is no variable {name!r}{hint}", place)
        return name

    def different(self) -> list[Count]:
        names = self.listed(self.variable)
        return all_different({name: self.domains[name] for name in names})

    def relation(self) -> Constraint:
        place = self.token.place
        name = self.variable()
        if (compared := self.compared()) is not None:
            low, high, absolute = compared
            order = _order(self.domains[name])
            return Difference(name, self.variable(), low, high, order=order, absolute=absolute)
        negated = self.takes("!=")
        if not negated and not self.takes("=") and not self.takes("is"):
            self.unexpected("is, before, next to, with, 2 before or 2 from")
        negated = negated or self.takes("not")
        values = [self.atom("a value")]
        while self.sees("or") and self._is_value(self.at + 1):
            self.at += 1
            values.append(self.atom("a value"))
        for value in values:
            if value not in self.domains[name]:
                alike = f"; the same value as {value}: {name} with {value}"
                near = (
                    alike if value in self.domains else listing(map(str, self.domains[name]), value)
                )
                self.fail(f"{name} cannot be {value!r}{near}", place)
        return is_not(name, *values) if negated else is_(name, *values)

    def compared(self) -> tuple[int | None, int | None, bool] | None:
        """Return the bounds of a difference, and whether it is a distance, if one is stated."""
        for words, bounds in _COMPARED.items():
            if self.takes(*words.split()):
                return bounds
        if self.token.kind != "number":
            return None
        place, gap = self.token.place, self.number()
        if gap < 0:
            self.fail(f"expected a distance of at least 0, found {gap}", place)
        if self.takes("before"):
            return gap, gap, False
        self.expect("from", "before or from")
        return gap, gap, True

    def _is_value(self, at: int) -> bool:
        """Return whether here is one more value of a fact, and not the next condition."""
        token, after = self.tokens[at], self.tokens[at + 1]
        is_kind = token.kind == "json" and "kind" in token.value
        relations = ("is", "=", "!=", "before", "next", "with", "to", "different")
        starts = after.kind in ("word", "sign") and after.value in relations
        return token.is_atom and not is_kind and not starts and after.kind != "number"


def _order(domain: Sequence[Value]) -> tuple[Value, ...] | None:
    """Return the order of the values of a domain: as listed, unless they are numbers."""
    return None if all(type(value) is int for value in domain) else tuple(domain)


def write_text(problem: Problem, answer: Iterable[Fact] = ()) -> str:
    """Return a problem as text, from which `parse_problem` makes an equal one.

    A `deduce.Where` becomes the table of what it allows, as in JSON.

    Raises
    ------
    Unsupported
        A variable or value has no form in JSON, or the problem states what players see.

    Examples
    --------
    >>> print(write_text(Problem({"Ann": (1, 2), "Ben": (1, 2)}, [is_("Ann", 1)])))
    domains
      Ann, Ben: 1, 2
    rules
      Ann is 1
    <BLANKLINE>
    """
    document = write_problem(problem)
    writer = _Writer(problem)
    groups: list[tuple[list[str], str]] = []
    for name, values in problem.domains.items():
        of = ", ".join(map(_name, values))
        if groups and groups[-1][1] == of:
            groups[-1][0].append(_name(name))
        else:
            groups.append(([_name(name)], of))
    lines = ["domains"]
    lines += [f"{', '.join(names)}: {of}" for names, of in groups]
    if problem.rules:
        lines.append("rules")
    for rule, written in zip(problem.rules, document["rules"], strict=True):
        lines.append(writer.stated(rule.constraint, written["constraint"], rule.sentence))
    if problem.evidence:
        lines.append("clues")
    for number, (piece, written) in enumerate(
        zip(problem.evidence, document["evidence"], strict=True), 1
    ):
        if piece != evolve(piece, doubt=None, instead=(), answer=""):
            lines.append(json.dumps(written))
            continue
        label = "" if piece.event == number else f"{json.dumps(piece.event)}: "
        lines.append(label + writer.stated(piece.constraint, written["constraint"], piece.sentence))
    stated = list(answer)
    if stated:
        lines += ["answer", *(writer.fact(fact) or str(fact) for fact in stated)]
    return "".join(line + "\n" if line in SECTIONS else f"  {line}\n" for line in lines)


def _name(value: Value) -> str:
    if isinstance(value, str):
        plain = _NAME.fullmatch(value) and value not in WORDS and value not in SECTIONS
        return value if plain else json.dumps(value)
    return json.dumps(json_value(value))


class _Writer:
    """Writes the constraints of a problem in words; what has no words is ``""``."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def stated(self, constraint: Constraint, document: object, sentence: str) -> str:
        words = self.words(constraint) or json.dumps(document)
        return f"{words} {json.dumps(sentence)}" if sentence else words

    def words(self, of: Constraint) -> str:
        match of:
            case Fact():
                return self.fact(of)
            case Count(facts, low, high) if len({f.variable for f in facts}) == len(facts):
                return self.counted(facts, low, high)
            case Logic("count", parts, low, high) if not all(isinstance(p, Fact) for p in parts):
                return self.counted(parts, low, high)
            case Logic("if", (first, then)):
                return self.between("if ", [first, then], " then ")
            case Logic("iff", parts):
                return self.between("", parts, " iff ")
            case Logic(("all" | "any" | "none") as several, parts):
                return self.between(f"{several} of: ", parts, ", ")
            case Difference(left, right) if not {type(left), type(right)} & {Number}:
                return self.compared(of)
        return ""

    def compared(self, of: Difference) -> str:
        words = {bounds: words for words, bounds in _COMPARED.items()}
        said = words.get((of.low, of.high, of.absolute), "")
        if not said and of.low is not None and of.low == of.high and of.low >= 0:
            said = f"{of.low} {'from' if of.absolute else 'before'}"
        if not said or of.order != _order(self.problem.domains[of.left]):
            return ""
        return f"{_name(of.left)} {said} {_name(of.right)}"

    def fact(self, of: Fact) -> str:
        if not of.values or of.lenient:
            return ""
        values = [_name(v) for v in self.problem.domains[of.variable] if v in of.values]
        return f"{_name(of.variable)} is {'not ' * of.negated}{' or '.join(values)}"

    def counted(self, parts: Sequence[Constraint], low: int, high: int | None) -> str:
        if low == high:
            word = f"exactly {low}"
        elif high is None:
            word = f"at least {low}"
        else:
            word = f"{low} to {high}" if low else f"at most {high}"
        return self.between(f"{word} of: ", parts, ", ")

    def between(self, head: str, parts: Sequence[Constraint], mark: str) -> str:
        said = [self.words(part) for part in parts]
        if not said or not all(said):
            return ""
        return head + mark.join(
            text if isinstance(part, Fact) else f"({text})"
            for part, text in zip(parts, said, strict=True)
        )
