"""Problem: variables with their domains, the rules, and the evidence of a log. Frozen data.

At the end problems of common shapes: permutations, all-different variables, cards with copies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import perm
from numbers import Rational
from operator import ne
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, TypeVar

from attrs import Attribute, field, frozen

from deduce.constraints import (
    Claim,
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Knows,
    Logic,
    Sum,
    Tabulated,
    Value,
    Variable,
    Weigh,
    Where,
    at_most,
    exactly,
    is_,
    listed,
    variables_of,
)
from deduce.errors import BadProblem
from deduce.system.text import listing, nearest

__all__ = [
    "Evidence",
    "Instead",
    "Problem",
    "Rule",
    "Sees",
    "World",
    "all_different",
    "copies",
    "is_true",
    "number_of",
    "permutation",
    "rate_of",
    "straight_lines",
]

MAX_EVENT = 100_000_000
"""The highest number of an event."""

MAX_EXPONENT = 5
"""The characters that the exponent of a number may have, its sign included."""

World = Mapping[Any, Any]
"""One complete assignment: every variable with its value."""


def _claim(claim: Claim) -> Constraint:
    """Return a constraint; a claim about knowledge is one once `Knowledge` has judged it."""
    return claim if isinstance(claim, Fact | Knows) else _constraint(claim)  # type: ignore[return-value]


def _constraint(constraint: Constraint) -> Constraint:
    if not isinstance(constraint, Constraint):
        raise BadProblem(
            f"not a constraint: {constraint!r}; make one with is_(), exactly(), at_least(), "
            "at_most(), Sum(), Where() or Weigh()"
        )
    return constraint


@frozen
class Rule:
    """A constraint that always holds, and a sentence that states it.

    Examples
    --------
    >>> from deduce.constraints import exactly, is_
    >>> print(Rule(exactly(1, [is_("Rope", "envelope"), is_("Dagger", "envelope")]), "one weapon"))
    one weapon
    """

    constraint: Constraint = field(converter=_constraint)
    sentence: str = ""

    def __str__(self) -> str:
        return self.sentence or str(self.constraint)


def rate_of(value: Any) -> Fraction:
    """Return a probability as a fraction; a float as the decimal number that is typed for it.

    Raises
    ------
    BadProblem
        It is not a number from 0 to 1.

    Examples
    --------
    >>> rate_of(0.02), rate_of("1/3")
    (Fraction(1, 50), Fraction(1, 3))
    """
    if type(value) is Fraction and 0 <= value.numerator <= value.denominator:
        return value
    try:
        rate = _fraction(value)
    except (ValueError, ZeroDivisionError):
        raise BadProblem(f"a probability is a number from 0 to 1, not {value!r}") from None
    if not 0 <= rate <= 1:
        raise BadProblem(f"a probability is a number from 0 to 1, not {value!r}")
    return rate


def _fraction(value: object) -> Fraction:
    """Return a number as a fraction; raises `ValueError` or `ZeroDivisionError` for anything else.

    A float is the decimal number that is typed for it. A long exponent is refused, since a few
    characters could name a number that fills the memory.
    """
    if isinstance(value, bool) or not isinstance(value, Rational | float | str):
        raise ValueError
    if isinstance(value, str) and len(value.lower().partition("e")[2]) > MAX_EXPONENT:
        raise ValueError
    return Fraction(value if isinstance(value, Rational) else str(value))


def _none_or_some(constraints: object) -> tuple[Constraint, ...]:
    if constraints is None:
        return ()
    several = constraints if isinstance(constraints, list | tuple) else (constraints,)
    return tuple(map(_constraint, several))


def _share(share: object) -> Fraction:
    if type(share) is Fraction:
        return share
    try:
        return _fraction(share)
    except (ValueError, ZeroDivisionError):
        raise BadProblem(
            f"the share of an alternative is a number above 0, not {share!r}"
        ) from None


@frozen
class Instead:
    """What may hold if a piece of evidence is wrong.

    Parameters
    ----------
    constraints
        What holds then, a constraint or a list of them; ``None``: nothing is known.
    share
        How probable it is compared with the other alternatives of the same evidence, above 0.
    sentence
        What happened then, as a sentence.

    Examples
    --------
    >>> from deduce.constraints import is_
    >>> Instead(is_("Rope", "Ben"), Fraction(1, 3), "it was Ben's answer").share
    Fraction(1, 3)
    """

    constraints: tuple[Constraint, ...] = field(default=(), converter=_none_or_some)
    share: Fraction = field(default=Fraction(1), converter=_share)
    sentence: str = ""

    def __attrs_post_init__(self) -> None:
        if self.share.numerator <= 0:
            raise BadProblem(f"the share of an alternative is a number above 0, not {self.share}")


def _instead(alternatives: Iterable[Instead]) -> tuple[Instead, ...]:
    if alternatives == ():
        return ()
    kept = listed("alternatives", alternatives)
    for alternative in kept:
        if not isinstance(alternative, Instead):
            raise BadProblem(f"not an alternative: {alternative!r}; make it with Instead(...)")
    return kept


def _doubt(doubt: object) -> Fraction | None:
    return None if doubt is None else rate_of(doubt) or None


@frozen
class Evidence:
    """A constraint caused by an event.

    Parameters
    ----------
    constraint
        What the event states about the hidden variables, or about what a player knows of them
        (`deduce.logic.knows`).
    event
        The event's number in its log, from 1; ``None`` for an assumption (what-if).
    sentence
        What was seen, as a sentence for players.
    doubt
        The probability that it is wrong; left out: it is certainly true.
    instead
        What may hold if it is wrong; left out: then nothing is known. Only evidence with a doubt
        has it.
    answer
        What of the event it states, as a game writes it (``"Ben -"``). Pieces of evidence with a
        doubt that have the same event and answer are right or wrong together.

    Examples
    --------
    >>> from deduce.constraints import is_not
    >>> print(Evidence(is_not("Rope", "Ann"), 1, "Ann could not show Rope"))
    Ann could not show Rope
    """

    constraint: Constraint = field(converter=_claim)
    event: int | None = field()
    sentence: str = ""
    doubt: Fraction | None = field(default=None, converter=_doubt, kw_only=True)
    instead: tuple[Instead, ...] = field(default=(), converter=_instead, kw_only=True)
    answer: str = field(default="", kw_only=True)

    @event.validator
    def _check_event(self, attribute: Attribute[int | None], event: int | None) -> None:
        if event is not None and (type(event) is not int or not 0 < event <= MAX_EVENT):
            raise BadProblem(
                f"the event of evidence is a number from 1 to {MAX_EVENT}, or None, not {event!r}"
            )

    def __str__(self) -> str:
        return self.sentence or str(self.constraint)


def _domains(domains: Mapping[Any, Collection[Any]]) -> Mapping[Variable, tuple[Value, ...]]:
    # Any, since a Mapping does not vary with its keys: dict[str, ...] would not be accepted.
    if not isinstance(domains, Mapping):
        raise BadProblem(f"the domains are a mapping from variables to values, not {domains!r}")
    return MappingProxyType({name: _domain(name, values) for name, values in domains.items()})


def _domain(variable: Variable, values: Collection[Any]) -> tuple[Value, ...]:
    if isinstance(values, str | bytes):
        raise BadProblem(
            f"the values of {variable!r}: expected a list or tuple, got the text {values!r}; "
            f"write tuple({values!r}) if its letters are the values"
        )
    try:
        domain = tuple(values)
        set(domain)
    except TypeError:
        raise BadProblem(
            f"the values of {variable!r} must be hashable, in a list; not {values!r}"
        ) from None
    if any(map(ne, domain, domain)):
        raise BadProblem(
            f"the values of {variable!r}: NaN is not equal to itself, so it cannot be a value"
        )
    return domain


def _rules(rules: Iterable[Rule | Constraint]) -> tuple[Rule, ...]:
    return tuple(rule if isinstance(rule, Rule) else Rule(rule) for rule in listed("rules", rules))


def _evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    pieces = listed("pieces of evidence", evidence)
    for piece in pieces:
        if not isinstance(piece, Evidence):
            raise BadProblem(f"not evidence: {piece!r}; make it with Evidence(constraint, event)")
    return pieces


Sees = Mapping[Any, Sequence[Any]]
"""What each player sees: variables, questions and constraints."""


def _sees(sees: Mapping[Any, Iterable[Any]]) -> Sees:
    if not isinstance(sees, Mapping):
        raise BadProblem(f"what is seen is a mapping from players to lists, not {sees!r}")
    return MappingProxyType({
        player: listed(f"the things that {player!r} sees", things)
        for player, things in sees.items()
    })  # fmt: skip


@frozen(repr=False)
class Problem:
    """What is hidden, what always holds, and the evidence of a log.

    Parameters
    ----------
    domains
        Every variable with the values it may have.
    rules
        Constraints, bare or as `Rule` with a sentence.
    evidence
        What the events of a log state, in the order of the log.
    sees
        For each player what they see of the hidden variables: variables, whose values they see;
        questions (mappings from answers to facts), whose answers they see; and facts or other
        constraints, of which they see whether they hold. `deduce.logic.knows` is about that,
        and the problem and what each player sees are common knowledge.

    Raises
    ------
    BadProblem
        No variable at all, an empty domain or a value twice in it, a variable or value that does
        not exist, or two facts of one `Count` or `Sum` that one value of a variable satisfies both.

    Examples
    --------
    >>> from deduce.constraints import exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> problem = Problem(hats, [exactly(1, [is_(name, "red") for name in hats])])
    >>> print(problem.rules[0])
    exactly 1 of: Ann is red, Ben is red
    """

    domains: Mapping[Variable, tuple[Value, ...]] = field(converter=_domains, hash=False)
    rules: tuple[Rule, ...] = field(default=(), converter=_rules)
    evidence: tuple[Evidence, ...] = field(default=(), converter=_evidence)
    sees: Sees = field(factory=dict, converter=_sees, kw_only=True, hash=False)
    _values: Mapping[Variable, frozenset[Value]] = field(init=False, eq=False)
    """The domains as sets."""

    def __attrs_post_init__(self) -> None:
        if not self.domains:
            raise BadProblem("a problem needs at least one variable")
        sets = {variable: frozenset(values) for variable, values in self.domains.items()}
        object.__setattr__(self, "_values", sets)
        for variable, values in self.domains.items():
            if not values:
                raise BadProblem(f"{variable!r} has no possible value")
            if len(sets[variable]) != len(values):
                raise BadProblem(f"the domain of {variable!r} names a value twice")
        for rule in self.rules:
            self.check(rule.constraint)
        for things in self.sees.values():
            for thing in things:
                self._check_asked(thing)
        for piece in self.evidence:
            self._check_piece(piece)

    def __repr__(self) -> str:
        sees = f", sees={dict(self.sees)!r}" if self.sees else ""
        parts = f"domains={dict(self.domains)!r}, rules={self.rules!r}, evidence={self.evidence!r}"
        return f"Problem({parts}{sees})"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        parts = dict(self.domains), self.rules, self.evidence
        return partial(Problem, sees=dict(self.sees)) if self.sees else Problem, parts

    def constraints(self) -> Iterator[Constraint]:
        """Return all constraints: those of the rules, then those of the evidence."""
        yield from (rule.constraint for rule in self.rules)
        yield from (piece.constraint for piece in self.evidence)

    def with_evidence(self, *evidence: Evidence) -> Problem:
        """Return the problem with more evidence; only what is new is checked."""
        for piece in _evidence(evidence):
            self._check_piece(piece)
        grown = object.__new__(Problem)
        for name, value in (
            ("domains", self.domains),
            ("rules", self.rules),
            ("evidence", self.evidence + evidence),
            ("sees", self.sees),
            ("_values", self._values),
        ):
            object.__setattr__(grown, name, value)
        return grown

    def continued(self, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...] | None:
        """Return what follows this problem's evidence in a longer list that begins with it.

        ``None`` if the list begins with something else.

        >>> from deduce.constraints import is_not
        >>> told = tuple(Evidence(is_not("Ann", hat), 1) for hat in ("red", "blue"))
        >>> hats = Problem({"Ann": ("red", "blue", "green")}, (), told[:1])
        >>> [str(piece) for piece in hats.continued(told)], hats.continued(told[1:])
        (['Ann is not blue'], None)
        """
        number = len(self.evidence)
        return evidence[number:] if evidence[:number] == self.evidence else None

    def without(self, events: Collection[int | None]) -> Problem:
        """Return the problem as it would be without the evidence of these events."""
        kept = tuple(piece for piece in self.evidence if piece.event not in events)
        return Problem(self.domains, self.rules, kept, sees=self.sees)

    def holds(self, world: World) -> bool:
        """Return whether a complete world satisfies every rule and all evidence.

        This is the definition of each constraint, by which every engine is tested.
        """
        return all(self.satisfied(constraint, world) for constraint in self.constraints())

    @staticmethod
    def satisfied(constraint: Constraint, world: World) -> bool:
        """Return whether a world satisfies one constraint."""
        return _holds(constraint, world)

    def values_of(self, fact: Fact) -> frozenset[Value]:
        """Return the values in the variable's domain that make the fact true.

        Raises
        ------
        BadProblem
            The fact names a variable or a value that does not exist.
        """
        domain = self._domain_of(fact.variable)
        unknown = fact.values - domain
        if unknown and not fact.lenient:
            values = [str(value) for value in self.domains[fact.variable]]
            hint = listing(values, min(unknown, key=str))
            raise BadProblem(
                f"{fact.variable!r} can never be {min(unknown, key=str)!r}{hint}"
                if len(unknown) == 1
                else f"{fact.variable!r} can never be any of {sorted(map(str, unknown))}"
            )
        return domain - fact.values if fact.negated else fact.values - unknown

    def _domain_of(self, variable: Variable) -> frozenset[Value]:
        try:
            return self._values[variable]
        except KeyError:
            names = [str(name) for name in self.domains]
            message = f"there is no variable {variable!r}{listing(names, variable)}"
            raise BadProblem(message) from None

    def _check_fact(self, fact: Fact) -> None:
        domain = self._values.get(fact.variable)
        if domain is None or not fact.values <= domain:
            self.values_of(fact)  # raises, unless the fact is lenient

    def _check_piece(self, piece: Evidence) -> None:
        self.check(piece.constraint)
        if piece.instead:  # alternatives often share a constraint
            all_ = (one for alternative in piece.instead for one in alternative.constraints)
            for constraint in {id(one): one for one in all_}.values():
                self.check(constraint)

    def _check_asked(self, asked: object) -> None:
        """Raise `BadProblem` unless a variable, a question or a constraint is of this problem."""
        if isinstance(asked, Mapping):
            for answer in asked.values():
                for fact in answer if isinstance(answer, list | tuple) else [answer]:
                    if not isinstance(fact, Fact):
                        raise BadProblem(f"a question maps answers to facts, not to {fact!r}")
                    self.values_of(fact)
        elif isinstance(asked, Weigh):
            raise BadProblem(f"a Weigh is neither true nor false, so it is not seen: {asked}")
        elif isinstance(asked, Constraint):
            self.check(asked)
        else:
            try:
                self._domain_of(asked)
            except TypeError:
                raise BadProblem(f"not a variable, a question or a fact: {asked!r}") from None

    def check(self, constraint: Claim) -> None:
        """Raise `BadProblem` unless the constraint is about this problem, as `Problem` requires."""
        if isinstance(constraint, Fact):
            self._check_fact(constraint)
        elif isinstance(constraint, Knows):
            for player in constraint.players:
                if player not in self.sees:
                    hint = nearest(str(player), map(str, self.sees))
                    said = f"the problem does not say what {player!r} sees{hint}"
                    raise BadProblem(said if self.sees else f"{said}; give it as sees={{...}}")
            for asked in constraint.asked if constraint.claim is None else ():
                self._check_asked(asked)
            if constraint.claim is not None:
                self.check(constraint.claim)
        elif isinstance(constraint, Logic):
            for part in constraint.parts:
                self.check(part)
        elif isinstance(constraint, Difference | Disjoint):
            for variable in variables_of(constraint):
                self._domain_of(variable)
                for value in self.domains[variable]:
                    if isinstance(constraint, Disjoint):
                        constraint.items(value)
                    else:
                        constraint.added(variable, value)
            for fact in constraint.facts if isinstance(constraint, Difference) else ():
                self.values_of(fact)
        elif isinstance(constraint, Where):
            if not constraint.variables:
                raise BadProblem("a Where needs at least one variable")
            for variable in constraint.variables:
                self._domain_of(variable)
            if isinstance(constraint.predicate, Tabulated) and constraint.predicate.is_complete:
                return
            try:
                constraint.allows([self.domains[variable][0] for variable in constraint.variables])
            except BadProblem as error:
                if error.__cause__ is None:  # else the question that needs these values raises it
                    raise
        else:
            seen: dict[Variable, set[Value]] = {}
            several = len({fact.variable for fact in constraint.facts}) < len(constraint.facts)
            for fact in constraint.facts:
                if not several:
                    self._check_fact(fact)
                    continue
                values = self.values_of(fact)
                before = seen.setdefault(fact.variable, set())
                if not before.isdisjoint(values):
                    raise BadProblem(
                        f"two facts about {fact.variable!r} in one {type(constraint).__name__} "
                        "can both hold; name each value in one fact only"
                    )
                before |= values
            for fact in constraint.complete if isinstance(constraint, Weigh) else ():
                if missing := [v for v in self.domains[fact.variable] if v not in fact.values]:
                    raise BadProblem(
                        f"a likelihood names {len(fact.values)} values of {fact.variable!r}, "
                        f"and {missing[0]!r} is not one of them; name all of its domain"
                    )


def is_true(fact: Fact, world: World) -> bool:
    """Return whether a fact holds in a world."""
    return (world[fact.variable] in fact.values) != fact.negated


def number_of(weigh: Weigh, world: World) -> int:
    """Return the number by which a world is weighed: that of the facts that hold in it."""
    pairs = zip(weigh.facts, weigh.steps, strict=True)
    return sum(amount for fact, amount in pairs if is_true(fact, world))


def _holds(constraint: Constraint, world: World) -> bool:
    if isinstance(constraint, Fact):
        return is_true(constraint, world)
    if isinstance(constraint, Count):
        number = sum(is_true(fact, world) for fact in constraint.facts)
        return constraint.low <= number and (constraint.high is None or number <= constraint.high)
    if isinstance(constraint, Sum):
        amount = sum(amount for fact, amount in constraint.terms if is_true(fact, world))
        return (constraint.low is None or constraint.low <= amount) and (
            constraint.high is None or amount <= constraint.high
        )
    if isinstance(constraint, Where):
        return constraint.allows([world[v] for v in constraint.variables])
    if isinstance(constraint, Logic):
        parts, least, most = constraint.counted
        return least <= sum(_holds(part, world) == sign for part, sign in parts) <= most
    if isinstance(constraint, Difference):
        added = sum(constraint.added(v, world[v]) for v in variables_of(constraint))
        return any(
            (low is None or low <= added) and (high is None or added <= high)
            for low, high in constraint.ranges
        )
    if isinstance(constraint, Disjoint):
        items = [constraint.items(world[v]) for v in constraint.variables]
        return len(frozenset().union(*items)) == sum(map(len, items))
    return not constraint.excludes or constraint.weights[number_of(constraint, world)] > 0


# Problems and rules of common shapes

V = TypeVar("V", bound=Variable)


def all_different(domains: Mapping[V, Collection[Value]]) -> list[Count]:
    """Return the rules that no two of these variables have the same value.

    Parameters
    ----------
    domains
        The variables with the values that each may have.

    Raises
    ------
    BadProblem
        The domains are not a mapping.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> seats = {"Ann": (1, 2, 3), "Ben": (1, 2), "Cid": (1, 2)}
    >>> Knowledge(Problem(seats, all_different(seats))).certain()
    {'Ann': 3}
    """
    if not isinstance(domains, Mapping):
        raise BadProblem(f"the domains are a mapping from variables to values, not {domains!r}")
    with_value: dict[Value, list[Variable]] = {}
    for variable, values in domains.items():
        for value in values:
            with_value.setdefault(value, []).append(variable)
    return [
        at_most(1, [is_(variable, value) for variable in variables])
        for value, variables in with_value.items()
        if len(variables) > 1
    ]


def permutation(variables: Iterable[Variable], values: Iterable[Value] | None = None) -> Problem:
    """Return the problem in which each value belongs to exactly one of the variables.

    Parameters
    ----------
    variables
        The variables.
    values
        As many values; by default the variables themselves, as when each of some people draws
        the name of one of them.

    Raises
    ------
    BadProblem
        There are not as many values as variables.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> Knowledge(permutation(["Ann", "Ben", "Cid"])).count()
    6
    """
    names = listed("variables", variables)
    chosen = names if values is None else listed("values", values)
    if len(chosen) != len(names):
        raise BadProblem(
            f"a permutation needs as many values as variables: {len(names)} variables, "
            f"{len(chosen)} values"
        )
    rules = [exactly(1, [is_(name, value) for name in names]) for value in chosen]
    return Problem(dict.fromkeys(names, chosen), rules)


def copies(slots: Iterable[Variable], kinds: Mapping[V, int]) -> Problem:
    """Return the problem of dealing cards, some of them alike, one into each slot.

    The cards of a kind cannot be distinguished, so a world states only which kind is in which slot,
    and worlds are not equally likely: each is weighed by the number of ways in which the physical
    cards can be dealt like this. `Knowledge.posterior`, `Knowledge.sample` and `Knowledge.joint`
    are then the probabilities of a shuffled deck; `Knowledge.count` and ``shares`` still count the
    worlds that can be distinguished.

    Parameters
    ----------
    slots
        Where one card each is dealt.
    kinds
        The number of cards of each kind in the deck. If there are more cards than slots, the rest
        of the deck is not part of the problem.

    Raises
    ------
    BadProblem
        A number is not a whole number of at least 1, or there are fewer cards than slots.

    Examples
    --------
    Three aces and one king are shuffled; Ann and Ben get one card each:

    >>> from deduce import Knowledge
    >>> k = Knowledge(copies(["Ann", "Ben"], {"ace": 3, "king": 1}))
    >>> k.count(), k.shares()["Ann"]["king"], k.posterior()["Ann"]["king"]
    (3, Fraction(1, 3), Fraction(1, 4))
    """
    names = listed("slots", slots)
    if not isinstance(kinds, Mapping):
        raise BadProblem(f"expected a mapping from kinds to numbers of cards, not {kinds!r}")
    for kind, number in kinds.items():
        if type(number) is not int or number < 1:
            raise BadProblem(f"there must be at least 1 card of the kind {kind!r}, not {number!r}")
    total = sum(kinds.values())
    if total < len(names):
        raise BadProblem(f"{total} cards do not fill {len(names)} slots")
    rules: list[Constraint] = []
    for kind, number in kinds.items():
        facts = [is_(name, kind) for name in names]
        if total == len(names):
            rules.append(exactly(number, facts))
            continue
        if number < len(names):
            rules.append(at_most(number, facts))
        if number > 1:
            ways = [perm(number, min(k, number)) for k in range(len(names) + 1)]
            rules.append(Weigh(facts, ways))
    return Problem(dict.fromkeys(names, tuple(kinds)), rules)


@cache
def straight_lines(width: int, height: int, length: int) -> Mapping[str, frozenset[str]]:
    """Return the straight lines of adjacent cells on a board, by name, each with its cells.

    Parameters
    ----------
    width, height
        The number of columns, named ``a`` to ``z``, and of rows, named from 1.
    length
        The number of cells of a line in a row or column.

    Raises
    ------
    BadProblem
        There are more columns than letters.

    Examples
    --------
    >>> {name: sorted(cells) for name, cells in straight_lines(2, 2, 2).items()}
    {'a1-b1': ['a1', 'b1'], 'a1-a2': ['a1', 'a2'], 'a2-b2': ['a2', 'b2'], 'b1-b2': ['b1', 'b2']}
    """
    if not 0 <= width <= len(ascii_lowercase):
        raise BadProblem(f"columns are named by the {len(ascii_lowercase)} letters, not {width}")
    found = {}
    for x, y in product(range(width), range(1, height + 1)):
        for across, down in ((1, 0), (0, 1)):
            line = [(x + across * i, y + down * i) for i in range(length)]
            if line and line[-1][0] < width and line[-1][1] <= height:
                names = [f"{ascii_lowercase[a]}{b}" for a, b in line]
                found["-".join(dict.fromkeys((names[0], names[-1])))] = frozenset(names)
    return found
