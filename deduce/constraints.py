"""Facts and the kinds of constraint, as plain data.

A *variable* and a *value* are any hashables (a card and its holder, a seat and its role). A
*fact* says that a variable has one of some values. Everything that a game's rules or its log say
about the hidden variables is one of

``Fact``
    it holds;
``Count(facts, low, high)``
    between ``low`` and ``high`` of the facts hold: hand sizes, "showed one of these three",
    "could not show", "each value once", mine counts;
``Sum(terms, low, high)``
    the amounts of the facts that hold add up to between ``low`` and ``high``: points of a hand,
    prices, dice, Kakuro;
``Where(variables, predicate)``
    the way out for odd rules about few variables;
``Weigh(facts, weights)``
    a likelihood: a world counts ``weights[how many of the facts hold]`` times;
``Logic``, ``Difference``, ``Disjoint``
    conditions about conditions, about ordered values, and about values that share nothing; they
    are made with the words of `deduce.logic`;
``Knows``
    what players can tell from what they see and from what was stated before; made with ``knows``,
    ``does_not_know`` and ``common_knowledge`` of `deduce.logic`. Only `deduce.knowledge` judges it,
    among all worlds that are possible by then.

Nothing here is ever evaluated from text, and no operator is overloaded.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partialmethod
from math import isfinite
from numbers import Rational
from typing import Any, ClassVar, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from deduce.errors import BadProblem
from deduce.system.text import join, name_of

__all__ = [
    "Claim",
    "Constraint",
    "Count",
    "Difference",
    "Disjoint",
    "Fact",
    "Items",
    "Knows",
    "Logic",
    "Number",
    "Rows",
    "Sum",
    "Tabulated",
    "Value",
    "Variable",
    "Weigh",
    "Where",
    "at_least",
    "at_most",
    "exact_weight",
    "exactly",
    "is_",
    "is_epistemic",
    "is_not",
    "never",
    "opposite",
    "variables_of",
]

T = TypeVar("T")

Variable: TypeAlias = Hashable
Value: TypeAlias = Hashable


def _hashable(variable: Variable) -> Variable:
    try:
        hash(variable)
    except TypeError:
        raise BadProblem(f"a variable must be hashable, not {variable!r}") from None
    return variable


def _values(values: Iterable[Value]) -> frozenset[Value]:
    if isinstance(values, str):
        raise BadProblem(f"the values of a fact are a set, not the text {values!r}")
    try:
        return frozenset(values)
    except TypeError:
        raise BadProblem(f"the values of a fact are hashable, in a set; not {values!r}") from None


@frozen(str=False)
class Fact:
    """The statement that ``variable`` has one of ``values`` (or, negated, none of them).

    A value that the variable cannot have is an error, since it is mostly a typing mistake; in a
    ``lenient`` fact it is a value that the variable does not have.

    Examples
    --------
    >>> print(is_("Rope", "Ann"), "/", is_not("Rope", "Ann", "Ben"))
    Rope is Ann / Rope is not Ann or Ben
    """

    variable: Variable = field(converter=_hashable)
    values: frozenset[Value] = field(converter=_values)
    negated: bool = field(default=False, kw_only=True)
    lenient: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.negated not in (True, False):
            raise BadProblem(f"whether a fact is negated is True or False, not {self.negated!r}")
        if self.lenient not in (True, False):
            raise BadProblem(f"whether a fact is lenient is True or False, not {self.lenient!r}")

    def __str__(self) -> str:
        if not self.values:
            return f"{name_of(self.variable)} has {'some' if self.negated else 'no'} value"
        names = join(list(map(name_of, sorted(self.values, key=_by_number))), "or")
        return f"{name_of(self.variable)} is {'not ' if self.negated else ''}{names}"


def _by_number(value: Value) -> tuple[int, str]:
    return value if isinstance(value, int) else 0, name_of(value)


def listed(what: str, items: Iterable[T]) -> tuple[T, ...]:
    """Return the items of a list, such as ``"facts"``; raises `BadProblem` for something else."""
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise BadProblem(f"expected a list of {what}, not {items!r}")
    return tuple(items)


def _facts(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    kept = listed("facts", facts)
    for fact in kept:
        if not isinstance(fact, Fact):
            raise BadProblem(f"not a fact: {fact!r}; make one with is_() or is_not()")
    return kept


Term: TypeAlias = tuple[Fact, int]
"""A fact and the amount that it adds to a `Sum` where it holds."""


@frozen(str=False)
class Count:
    """Between ``low`` and ``high`` of the facts hold; ``high=None`` means all of them may.

    Two facts about one variable must exclude each other, so that a variable adds 0 or 1.

    Examples
    --------
    >>> print(Count([is_("Rope", "Ann"), is_("Hall", "Ann")], 1))
    at least 1 of: Rope is Ann, Hall is Ann
    """

    facts: tuple[Fact, ...] = field(converter=_facts)
    low: int = 0
    high: int | None = None

    def __attrs_post_init__(self) -> None:
        for bound in (self.low, 0 if self.high is None else self.high):
            if type(bound) is not int:
                raise BadProblem(f"the bounds of a Count are whole numbers, not {bound!r}: {self}")
        if self.low < 0 or (self.high is not None and self.high < self.low):
            raise BadProblem(f"a Count from {self.low} to {self.high} can never hold: {self}")

    def __str__(self) -> str:
        low = None if self.low == 0 and self.high else self.low
        return f"{_range(low, self.high)} of: {', '.join(map(str, self.facts))}"


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return "any number" if low is None else f"at least {low}"
    if low == high:
        return f"exactly {low}"
    return f"at most {high}" if low is None else f"{low} to {high}"


def _amounts(terms: Mapping[Fact, int] | Iterable[tuple[Fact, int]]) -> tuple[Term, ...]:
    pairs = terms.items() if isinstance(terms, Mapping) else terms
    return tuple(map(_term, listed("terms", pairs)))


def _term(term: tuple[Fact, int]) -> Term:
    if not isinstance(term, tuple | list) or len(term) != 2:
        raise BadProblem(f"a term of a Sum is a fact with its amount, not {term!r}")
    (fact,) = _facts(term[:1])
    if type(term[1]) is not int:
        raise BadProblem(f"the amounts of a Sum are whole numbers, not {term[1]!r}: {fact}")
    return fact, term[1]


@frozen(str=False)
class Sum:
    """The amounts of the facts that hold add up to between ``low`` and ``high``.

    A `Count` in which each fact has an amount, which may be negative; a Sum whose amounts are all
    1 takes an engine as long as a Count does.

    Parameters
    ----------
    terms
        Pairs of a fact and its amount, or a mapping from facts to amounts. Two facts about one
        variable must exclude each other, so that each of its values has one amount; a value that
        no fact names has the amount 0.
    low, high
        The bounds; ``None`` where a side is not bounded.

    Raises
    ------
    BadProblem
        An amount or a bound is not a whole number, or ``high`` is less than ``low``.

    Examples
    --------
    >>> print(Sum([(is_("Ace", "Ann"), 4), (is_("King", "Ann"), 3)], 4))
    these add up to at least 4: 4 if Ace is Ann, 3 if King is Ann
    >>> print(Sum([(is_(name, n), n) for name in ("gold", "silver") for n in range(1, 6)], 7, 7))
    gold and silver (1 to 5 each) add up to exactly 7
    """

    terms: tuple[Term, ...] = field(converter=_amounts)
    low: int | None = None
    high: int | None = None

    def __attrs_post_init__(self) -> None:
        for bound in (self.low, self.high):
            if bound is not None and type(bound) is not int:
                raise BadProblem(f"the bounds of a Sum are whole numbers, not {bound!r}: {self}")
        if self.low is not None and self.high is not None and self.high < self.low:
            raise BadProblem(f"a Sum from {self.low} to {self.high} can never hold: {self}")

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts without their amounts."""
        return tuple(fact for fact, _ in self.terms)

    def __str__(self) -> str:
        total = _range(self.low, self.high)
        if numbers := _numbers(self.terms):
            return f"{numbers} add up to {total}"
        return f"these add up to {total}: {', '.join(_amount(*term) for term in self.terms)}"


def _amount(fact: Fact, amount: int) -> str:
    return f"{amount} if {fact}"


def _numbers(terms: Iterable[Term]) -> str:
    """Return the variables if all of them add their own values, perhaps some times; else ``""``."""
    added: dict[Variable, dict[Any, int]] = {}
    for fact, amount in terms:
        if fact.negated or {*map(type, fact.values)} != {int}:
            return ""
        added.setdefault(fact.variable, {}).update(dict.fromkeys(fact.values, amount))
    said: dict[str, str] = {}
    for variable, amounts in added.items():
        largest = max(amounts, key=abs, default=0)
        times = amounts[largest] // largest if largest else 1
        if any(value * times != amount for value, amount in amounts.items()):
            return ""
        name = name_of(variable) if times == 1 else f"{times} times {name_of(variable)}"
        said[name] = _listed_values(sorted(amounts))
    if len(added) < 2 or max(map(len, added.values())) < 2:
        return ""
    if len({*said.values()}) == 1:
        return f"{join([*said])} ({next(iter(said.values()))} each)"
    return join([f"{name} ({values})" for name, values in said.items()])


def _listed_values(values: Sequence[int]) -> str:
    """Return increasing numbers as text; three or more in a row as a range."""
    first, last = values[0], values[-1]
    if len(values) == last - first + 1 > 2:
        return f"{first} to {last}"
    return join(list(map(str, values)), "or")


def _variables(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    return tuple(map(_hashable, listed("variables", variables)))


@frozen
class _Repeated:
    """A predicate that is called with some of its values more than once."""

    predicate: Callable[..., bool]
    places: tuple[int, ...]

    def __call__(self, *values: Value) -> bool:
        return self.predicate(*(values[place] for place in self.places))


@frozen(str=False)
class Where:
    """The values of a few variables satisfy a predicate, which is called with them in order.

    A variable may be named more than once.

    Engines tabulate the predicate over all combinations of the domains, so keep the variables
    few. It must be a pure function that returns True or False, which the problem tries with one
    combination. If it raises an exception or returns something else for another one, the question
    that needs it raises `BadProblem` with the constraint, the values and the reason.

    Examples
    --------
    >>> Where(("x", "y"), lambda x, y: x < y, "x < y").name
    'x < y'
    """

    variables: tuple[Variable, ...] = field(converter=_variables)
    predicate: Callable[..., bool]
    name: str = ""

    def __attrs_post_init__(self) -> None:
        if not callable(self.predicate):
            raise BadProblem(f"the predicate of a Where must be callable, not {self.predicate!r}")
        if not isinstance(self.name, str):
            raise BadProblem(f"the name of a Where must be text, not {self.name!r}")
        number = len(self.variables)
        if isinstance(self.predicate, Rows) and not self.predicate.lengths <= {number}:
            row = next(row for row in self.predicate.rows if len(row) != number)
            named = join([*map(name_of, self.variables)])
            raise BadProblem(f"a row about {named} has {number} values, not {row}")
        different = tuple(dict.fromkeys(self.variables))
        if len(different) != len(self.variables):
            places = tuple(map(different.index, self.variables))
            object.__setattr__(self, "predicate", _Repeated(self.predicate, places))
            object.__setattr__(self, "variables", different)

    def __deepcopy__(self, memo: object) -> Where:
        return self

    __copy__ = partialmethod(__deepcopy__, None)

    def __reduce__(self) -> tuple[type[Where], tuple[object, ...]]:
        try:
            pickle.dumps(self.predicate)
        except Exception as error:
            raise BadProblem(
                f"the predicate of {str(self)!r} cannot be pickled; define it with def at the top "
                f"of a module: {error}"
            ) from None
        return Where, (self.variables, self.predicate, self.name)

    def __str__(self) -> str:
        return self.name or f"the rule about {join([*map(name_of, self.variables)])}"

    def allows(self, values: Sequence[Value]) -> bool:
        """Return whether the predicate holds for these values of the variables, in their order.

        Raises
        ------
        BadProblem
            The predicate raised an exception, or returned something else than True or False.
        """
        try:
            result = self.predicate(*values)
            is_truth = result in (True, False)  # those of numpy are equal to them
        except Exception as error:
            did = f"raised {type(error).__name__} for {_row(values)}: {error}"
            raise BadProblem(f"the predicate of {str(self)!r} {did}") from error
        if not is_truth:
            did = f"returned {result!r} for {_row(values)}; expected True or False"
            raise BadProblem(f"the predicate of {str(self)!r} {did}")
        return bool(result)


def _rows(rows: Iterable[tuple[Value, ...]]) -> frozenset[tuple[Value, ...]]:
    return frozenset(
        row if type(row) is tuple else listed("values", row) for row in listed("rows", rows)
    )


class Tabulated:
    """A predicate of a `Where` that knows the rows which it allows, so that none is tried."""

    is_complete: ClassVar[bool] = False
    """Whether its rows are of all variables, and chosen from a list of all worlds."""

    @property
    def rows(self) -> Iterable[tuple[Value, ...]]:
        """The allowed rows."""
        raise NotImplementedError

    def __call__(self, *values: Value) -> bool:
        """Return whether some values are an allowed row."""
        raise NotImplementedError

    def opposite(self) -> Tabulated:
        """Return the predicate that the world is another one of the list, where there is one."""
        raise NotImplementedError


@frozen
class Rows(Tabulated):
    """The predicate that some values are one of these rows.

    Examples
    --------
    >>> differ = Where(("x", "y"), Rows([(0, 1), (1, 0)]))
    >>> differ.allows((0, 1)), differ.allows((1, 1))
    (True, False)
    """

    rows: frozenset[tuple[Value, ...]] = field(converter=_rows)
    lengths: frozenset[int] = field(init=False, eq=False, repr=False)
    """How many values the rows have."""

    @lengths.default
    def _lengths(self) -> frozenset[int]:
        return frozenset(map(len, self.rows))

    def __call__(self, *values: Value) -> bool:
        """Return whether the values are a row."""
        return values in self.rows


def _row(values: Sequence[Value]) -> str:
    return f"({', '.join(map(repr, values))})"


def _weights(weights: Iterable[Fraction | int]) -> tuple[Fraction, ...]:
    return tuple(map(exact_weight, listed("weights", weights)))


def exact_weight(weight: Fraction | int) -> Fraction:
    """Return a weight as a fraction, or raise `BadProblem` if it is not exact."""
    if type(weight) is Fraction:
        return weight
    if isinstance(weight, Rational) and not isinstance(weight, bool):
        return Fraction(weight)
    hint = ""
    if isinstance(weight, float) and isfinite(weight):
        near = Fraction(weight).limit_denominator(1000)
        hint = f"; for {weight} use Fraction({near.numerator}, {near.denominator})"
    raise BadProblem(f"weights are exact, an int or a Fraction, not {weight!r}{hint}")


def _positive(amounts: Iterable[int] | None) -> tuple[int, ...] | None:
    if amounts is None:
        return None
    kept = listed("amounts", amounts)
    for amount in kept:
        if type(amount) is not int or amount < 1:
            raise BadProblem(f"the amounts of a Weigh are whole numbers from 1 on, not {amount!r}")
    return kept


@frozen(str=False)
class Weigh:
    """A world counts ``weights[k]`` times, where ``k`` of the facts hold.

    A weight of 0 excludes the world from every answer, as a `Count` does. Other weights are read
    by what is weighed only, such as ``posterior``: ``count``, ``shares`` and ``possible`` ignore
    them.

    Examples
    --------
    A player who held both cards had one chance in two to show the one that was seen:

    >>> Weigh([is_("Rope", "Ann"), is_("Hall", "Ann")], [1, 1, Fraction(1, 2)]).weights[2]
    Fraction(1, 2)

    With ``amounts``, ``k`` is the sum of the amounts of the facts that hold, so that the weight can
    depend on which of them hold; a weight is needed for every number up to the sum of all amounts:

    >>> str(Weigh([is_("Rope", "Ann"), is_("Hall", "Ann")], [1, 2, 3, 1], amounts=(1, 2)))
    'weights 1, 2, 3, 1 for: 1 if Rope is Ann, 2 if Hall is Ann'
    """

    facts: tuple[Fact, ...] = field(converter=_facts)
    weights: tuple[Fraction, ...] = field(converter=_weights)
    amounts: tuple[int, ...] | None = field(default=None, converter=_positive, kw_only=True)
    complete: tuple[Fact, ...] = field(default=(), eq=False, repr=False, kw_only=True)
    """Facts that hold in every world; a problem in which one may fail refuses the likelihood."""

    def __attrs_post_init__(self) -> None:
        if self.amounts is not None and len(self.amounts) != len(self.facts):
            raise BadProblem(
                f"{len(self.facts)} facts need {len(self.facts)} amounts, one each; "
                f"there are {len(self.amounts)}"
            )
        needed = sum(self.steps) + 1
        if len(self.weights) != needed:
            raise BadProblem(
                f"{len(self.facts)} facts need {needed} weights, for none of them "
                f"up to all of them; there are {len(self.weights)}"
            )
        if any(weight < 0 for weight in self.weights):
            raise BadProblem(f"weights are 0 or more: {self}")

    excludes: ClassVar[bool] = True
    """Whether a weight of 0 excludes worlds also where worlds are not weighed."""

    estimated: ClassVar[bool] = False
    """Whether its weights are estimates, so that probabilities may be rounded far beyond them."""

    @property
    def steps(self) -> tuple[int, ...]:
        """What each fact adds to the number, where it holds."""
        return self.amounts or (1,) * len(self.facts)

    @property
    def kinds(self) -> tuple[int, ...]:
        """For each number its kind: numbers of one kind need not be told apart."""
        kinds: dict[Hashable, int] = {}
        return tuple(kinds.setdefault(weight, len(kinds)) for weight in self.weights)

    def __str__(self) -> str:
        facts = list(map(str, self.facts))
        if self.amounts is not None:
            facts = [f"{n} if {fact}" for n, fact in zip(self.amounts, facts, strict=True)]
        return f"weights {', '.join(map(str, self.weights))} for: {', '.join(facts)}"


MAX_DEPTH = 100
"""How deep conditions may be inside conditions."""

WORDS = ("all", "any", "none", "if", "iff", "count")
"""The words of a `Logic`."""


def _conditions(parts: Iterable[Claim]) -> tuple[Constraint, ...]:
    kept: tuple[Any, ...] = listed("conditions", parts)
    for part in kept:
        if isinstance(part, Weigh):
            raise BadProblem(f"a Weigh is neither true nor false, so it is not a condition: {part}")
        if not isinstance(part, Claim):
            raise BadProblem(f"not a condition: {part!r}; make one with is_(), Count() or Where()")
    return kept


@frozen(str=False)
class Logic:
    """A condition about whether other conditions hold; made with the words of `deduce.logic`.

    Parameters
    ----------
    word
        ``"all"``, ``"any"`` or ``"none"`` of the parts hold; ``"if"`` the first of two holds, so
        does the second; ``"iff"`` both of two hold or neither does; or ``"count"``.
    parts
        The conditions: any constraints except a `Weigh`; also what players know (`Knows`).
    low, high
        For ``"count"``, how many of the parts hold; ``high=None``: all of them may.

    Examples
    --------
    >>> print(Logic("if", [is_("Ann", "seer"), exactly(0, [is_("Ben", "wolf")])]))
    if Ann is seer, then exactly 0 of: Ben is wolf
    """

    word: str
    parts: tuple[Constraint, ...] = field(converter=_conditions)
    low: int = 0
    high: int | None = None
    depth: int = field(init=False, eq=False, repr=False)
    """How deep conditions are inside it; 1: none of the parts is a `Logic`."""

    def __attrs_post_init__(self) -> None:
        inside = (part.depth for part in self.parts if isinstance(part, Logic))
        object.__setattr__(self, "depth", 1 + max(inside, default=0))
        if self.depth > MAX_DEPTH + self.is_negation:
            raise BadProblem(f"conditions are nested more than {MAX_DEPTH} deep")
        if self.word not in WORDS:
            raise BadProblem(f"the word of a Logic is one of {', '.join(WORDS)}, not {self.word!r}")
        if self.word in ("if", "iff") and len(self.parts) != 2:
            raise BadProblem(f"expected two conditions, got {len(self.parts)}")
        low, high = self.low, self.low if self.high is None else self.high
        if type(low) is not int or type(high) is not int or not 0 <= low <= high:
            raise BadProblem(f"bounds are whole numbers from 0 on, not {low!r} to {high!r}: {self}")

    @property
    def is_negation(self) -> bool:
        """Whether it is that a single condition does not hold."""
        return self.word == "none" and len(self.parts) == 1

    @property
    def counted(self) -> tuple[tuple[tuple[Constraint, bool], ...], int, int]:
        """The parts, each with whether it is meant as it is, and how many of them are to hold."""
        size = len(self.parts)
        signs = {"if": (False, True), "iff": (True, False)}.get(self.word, (True,) * size)
        low, high = {
            "all": (size, size), "any": (1, size), "none": (0, 0), "if": (1, 2), "iff": (1, 1),
        }.get(self.word, (self.low, size if self.high is None else self.high))  # fmt: skip
        return tuple(zip(self.parts, signs, strict=True)), low, high

    def text(self, say: Callable[[Constraint], str] = str) -> str:
        """Return it as a sentence, in which ``say`` states the conditions that are no `Logic`."""
        if not self.parts and self.word != "count":
            return "never" if self.word == "any" else "always"
        said = [part.text(say) if isinstance(part, Logic) else say(part) for part in self.parts]
        if self.word == "if":
            return f"if {said[0]}, then {said[1]}"
        if self.is_negation:
            part = self.parts[0]
            if isinstance(part, Fact):
                return say(opposite(part))
            return f"it is not true that {said[0]}"
        several = [
            text if isinstance(part, Fact) or len(said) == 1 else f"({text})"
            for part, text in zip(self.parts, said, strict=True)
        ]
        if self.word == "count":
            return f"{_range(self.low or None, self.high)} of: {', '.join(several)}"
        if self.word == "none":
            return f"none of: {', '.join(several)}"
        return {"all": " and ", "any": " or ", "iff": " if and only if "}[self.word].join(several)

    def __str__(self) -> str:
        return self.text()


@frozen(str=False)
class Number:
    """What the amounts of the facts that hold add up to, as a side of a `Difference`.

    Examples
    --------
    >>> print(Number([(is_("Rope", "Ann"), 1), (is_("Hall", "Ann"), 1)]))
    the number of: Rope is Ann, Hall is Ann
    """

    terms: tuple[Term, ...] = field(converter=_amounts)

    def __str__(self) -> str:
        if all(amount == 1 for _, amount in self.terms):
            return f"the number of: {', '.join(str(fact) for fact, _ in self.terms)}"
        return f"the sum of: {', '.join(_amount(*term) for term in self.terms)}"


def _order(order: Iterable[Value] | None) -> tuple[Value, ...] | None:
    if order is None:
        return None
    kept = listed("values of an order", order)
    if len(set(kept)) != len(kept):
        raise BadProblem("the order names a value twice")
    return kept


@frozen(str=False)
class Difference:
    """``right`` minus ``left`` is between ``low`` and ``high``.

    Parameters
    ----------
    left, right
        A variable, whose values count as their places in the order; or a `Number`.
    low, high
        The bounds; ``None`` where a side is not bounded.
    order
        The values of the variables from the first to the last; left out: they are whole numbers.
    absolute
        Whether only the distance counts, whichever comes first.

    Examples
    --------
    >>> print(Difference("Ann", "Ben", 1))
    Ann is before Ben
    """

    left: Variable = field(converter=_hashable)
    right: Variable = field(converter=_hashable)
    low: int | None = None
    high: int | None = None
    order: tuple[Value, ...] | None = field(default=None, kw_only=True, converter=_order)
    absolute: bool = field(default=False, kw_only=True)
    _places: Mapping[Value, int] = field(init=False, eq=False, repr=False)
    _terms: Mapping[Variable, list[Term]] = field(init=False, eq=False, repr=False)
    """By variable the facts about it, each with what it adds."""

    def __attrs_post_init__(self) -> None:
        places = {value: place for place, value in enumerate(self.order or ())}
        object.__setattr__(self, "_places", places)
        terms: dict[Variable, list[Term]] = {}
        for side, sign in ((self.left, -1), (self.right, 1)):
            for fact, amount in side.terms if isinstance(side, Number) else ():
                terms.setdefault(fact.variable, []).append((fact, sign * amount))
        object.__setattr__(self, "_terms", terms)
        for bound in (self.low, self.high):
            if bound is not None and type(bound) is not int:
                raise BadProblem(f"the bounds of a difference are whole numbers, not {bound!r}")
        if self.low is not None and self.high is not None and self.high < self.low:
            raise BadProblem(f"a difference from {self.low} to {self.high} can never hold: {self}")

    @property
    def ranges(self) -> list[tuple[int | None, int | None]]:
        """The ranges of which one has the difference."""
        if not self.absolute:
            return [(self.low, self.high)]
        low, high = max(self.low or 0, 0), self.high
        back = None if high is None else -high
        return [(back, high)] if low == 0 else [(back, -low), (low, high)]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of the numbers on its sides."""
        sides = [side.terms for side in (self.left, self.right) if isinstance(side, Number)]
        return tuple(fact for terms in sides for fact, _ in terms)

    def added(self, variable: Variable, value: Value) -> int:
        """Return what a variable with this value adds to the difference.

        Raises
        ------
        BadProblem
            The value is not in the order, or, without one, not a whole number.
        """
        added = sum(
            amount
            for fact, amount in self._terms.get(variable, ())
            if (value in fact.values) != fact.negated
        )
        if variable in (self.left, self.right):
            sides = (self.right == variable) - (self.left == variable)
            added += sides * self._place(variable, value)
        return added

    def _place(self, variable: Variable, value: Value) -> int:
        if self.order is not None:
            if value not in self._places:
                raise BadProblem(f"the order does not name {value!r}, a value of {variable!r}")
            return self._places[value]
        if type(value) is not int:
            raise BadProblem(
                f"{value!r}, a value of {variable!r}, is not a whole number; give all values from "
                "the first to the last as order=[...]"
            )
        return value

    def __str__(self) -> str:
        if not self.absolute and self.high is None and self.low == 1:
            return f"{self.left} is before {self.right}"
        if self.low == self.high == 0:
            return f"{self.left} and {self.right} are the same"
        if self.absolute and self.low == self.high == 1:
            return f"{self.left} is next to {self.right}"
        how_far = _range(self.low, self.high)
        if self.absolute:
            return f"{self.left} and {self.right} are {how_far} apart"
        if self.low is not None and self.low > 0:
            return f"{self.left} is {how_far} before {self.right}"
        return f"{self.right} minus {self.left} is {how_far}"


def _items(
    key: Callable[[Any], Iterable[Any]] | Mapping[Any, Iterable[Any]] | None,
) -> Callable[[Any], Iterable[Any]]:
    if key is None:
        return Items()
    if isinstance(key, Mapping):
        return Items(key.items())
    if not callable(key):
        raise BadProblem(f"the key of a Disjoint is a function or a mapping, not {key!r}")
    return key


def _pairs(
    pairs: Iterable[tuple[Value, Iterable[Any]]] | None,
) -> frozenset[tuple[Value, frozenset[Any]]] | None:
    return None if pairs is None else frozenset((value, frozenset(of)) for value, of in pairs)


@frozen
class Items:
    """What some values consist of, as a function; without any, a value is a set itself."""

    pairs: frozenset[tuple[Value, frozenset[Any]]] | None = field(default=None, converter=_pairs)
    _of: Mapping[Value, frozenset[Any]] = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_of", dict(self.pairs or ()))

    def __call__(self, value: Any) -> Iterable[Any]:
        """Return the items of a value."""
        return value if self.pairs is None else self._of[value]


@frozen(str=False)
class Disjoint:
    """No two of the variables have values with a common item, such as hands with a common card.

    Engines have it as one condition: for each item, at most one variable has a value with it
    (`deduce.engines.core.lowering` gives engines that count these Counts, one for each item that
    is in values of several variables). It is never a table of pairs of values.

    Parameters
    ----------
    variables
        The variables.
    key
        Returns the items of a value, or a mapping from values to their items; left out: values are
        collections themselves.

    Examples
    --------
    >>> str(Disjoint(["Ann", "Ben"], {"pair": ("2C", "2D"), "aces": ("AC", "AD")}))
    'Ann and Ben have nothing in common'
    """

    variables: tuple[Variable, ...] = field(converter=_variables)
    key: Callable[[Any], Iterable[Any]] = field(default=None, converter=_items)

    def __attrs_post_init__(self) -> None:
        if len(set(self.variables)) != len(self.variables):
            raise BadProblem(f"{self}: a variable is named twice")

    def items(self, value: Value) -> frozenset[Any]:
        """Return the items of a value.

        Raises
        ------
        BadProblem
            They are not a collection of hashables.
        """
        try:
            return frozenset(self.key(value))
        except Exception as error:
            raise BadProblem(f"{self}: the items of {value!r} cannot be read: {error}") from None

    def __str__(self) -> str:
        return f"{join([*map(name_of, self.variables)])} have nothing in common"


Constraint: TypeAlias = Fact | Count | Sum | Where | Weigh | Logic | Difference | Disjoint


def _what(what: object) -> object:
    if isinstance(what, Weigh):
        raise BadProblem(f"a Weigh is neither true nor false, so no player knows it: {what}")
    if isinstance(what, list):
        if not what or any(isinstance(part, Claim | list) for part in what):
            raise BadProblem(f"a list of what is known has variables and questions, not {what!r}")
        return list(map(_what, what))
    if isinstance(what, Mapping):
        return dict(what)
    return what if isinstance(what, Claim) else _hashable(what)


@frozen(str=False)
class Knows:
    """Players know something; make it with ``knows``, ``does_not_know`` or ``common_knowledge``.

    Parameters
    ----------
    players
        One player knows it; of several, and of none, which means all, it is common knowledge.
    what
        A variable, whose value is known; a question, which is a mapping from answers to facts; a
        list of these; or a claim, which is known to be true.
    negated
        Whether it is not so.

    Examples
    --------
    >>> print(Knows(["Ann", "Ben"], is_("Rope", "Cid")))
    it is common knowledge of Ann and Ben that Rope is Cid
    """

    players: tuple[Hashable, ...] = field(converter=_variables)
    what: Any = field(converter=_what, hash=False)
    negated: bool = field(default=False, kw_only=True)

    @property
    def claim(self) -> Claim | None:
        """The claim that is known; ``None`` if it is the answer of questions."""
        return self.what if isinstance(self.what, Claim) else None

    @property
    def asked(self) -> Sequence[Any]:
        """The variables and questions of which the answer is known."""
        return self.what if isinstance(self.what, list) else [self.what]

    def __str__(self) -> str:
        if self.claim is not None:
            what = f"that {self.claim}"
        else:
            what = join([
                f"which of {join(list(map(name_of, one)), 'or')} it is"
                if isinstance(one, Mapping)
                else name_of(one)
                for one in self.asked
            ])  # fmt: skip
        if len(self.players) == 1:
            verb = "does not know" if self.negated else "knows"
            return f"{self.players[0]} {verb} {what}"
        of = f" of {join(list(map(str, self.players)))}" if self.players else ""
        return f"it is {'not ' if self.negated else ''}common knowledge{of} {what}"


def is_epistemic(claim: Claim) -> bool:
    """Return whether a claim, or a part of it, is about what players know."""
    if isinstance(claim, Logic):
        return any(map(is_epistemic, claim.parts))
    return isinstance(claim, Knows)


Claim: TypeAlias = Constraint | Knows
"""What can be claimed of the hidden variables, or of what players know of them."""


def variables_of(constraint: Constraint) -> tuple[Variable, ...]:
    """Return the variables that a constraint is about, each once.

    Examples
    --------
    >>> variables_of(Logic("if", [is_("Ann", 1), Difference("Ann", "Ben", 1)]))
    ('Ann', 'Ben')
    """
    found: Iterable[Variable]
    if isinstance(constraint, Fact):
        found = (constraint.variable,)
    elif isinstance(constraint, Where | Disjoint):
        found = constraint.variables
    elif isinstance(constraint, Logic):
        found = (variable for part in constraint.parts for variable in variables_of(part))
    else:
        found = (fact.variable for fact in constraint.facts)
        if isinstance(constraint, Difference):
            sides = (constraint.left, constraint.right)
            found = (*(side for side in sides if not isinstance(side, Number)), *found)
    return tuple(dict.fromkeys(found))


def is_(variable: Variable, *values: Value, lenient: bool = False) -> Fact:
    """Return the fact that the variable has this value (or one of these values).

    Parameters
    ----------
    variable, values
        The variable, and one or more of its values.
    lenient
        Whether a value that the variable cannot have is one that it does not have, not an error.

    Raises
    ------
    BadProblem
        No value is given. `Fact` takes values that are computed, of which there may be none, and
        `never` returns the fact that holds in no world.

    Examples
    --------
    >>> print(is_("Rope", "Ann", "Ben"))
    Rope is Ann or Ben
    """
    if not values:
        raise BadProblem(
            f"a fact about {variable!r} needs a value, as in is_({variable!r}, value); "
            f"never({variable!r}) is the fact that holds in no world"
        )
    return Fact(variable, values, lenient=lenient)


def never(variable: Variable) -> Fact:
    """Return the fact that holds in no world: the variable has one of no values.

    Examples
    --------
    >>> print(never("Rope"))
    Rope has no value
    """
    return Fact(variable, ())


def is_not(variable: Variable, *values: Value, lenient: bool = False) -> Fact:
    """Return the fact that the variable has none of these values; ``lenient`` as for `is_`.

    Examples
    --------
    >>> print(is_not("Rope", "Ann", "Ben"))
    Rope is not Ann or Ben
    """
    return Fact(variable, values, negated=True, lenient=lenient)


def opposite(fact: Fact) -> Fact:
    """Return the fact that holds exactly when this one does not.

    Raises
    ------
    BadProblem
        It is not a fact.

    Examples
    --------
    >>> print(opposite(is_("Rope", "Ann")))
    Rope is not Ann
    """
    if not isinstance(fact, Fact):
        raise BadProblem(f"not a fact: {fact!r}; make one with is_() or is_not()")
    return evolve(fact, negated=not fact.negated)


def exactly(number: int, facts: Iterable[Fact]) -> Count:
    """Return the constraint that exactly ``number`` of the facts hold.

    Examples
    --------
    >>> print(exactly(1, [is_("Rope", "Ann"), is_("Hall", "Ann")]))
    exactly 1 of: Rope is Ann, Hall is Ann
    """
    return Count(facts, number, number)


def at_least(number: int, facts: Iterable[Fact]) -> Count:
    """Return the constraint that at least ``number`` of the facts hold.

    Examples
    --------
    >>> print(at_least(1, [is_("Rope", "Ann"), is_("Hall", "Ann")]))
    at least 1 of: Rope is Ann, Hall is Ann
    """
    return Count(facts, number)


def at_most(number: int, facts: Iterable[Fact]) -> Count:
    """Return the constraint that at most ``number`` of the facts hold.

    Examples
    --------
    >>> print(at_most(1, [is_("Rope", "Ann"), is_("Hall", "Ann")]))
    at most 1 of: Rope is Ann, Hall is Ann
    """
    return Count(facts, 0, number)
