"""What is known so far: the values that are still possible, and by what the others are excluded.

For every excluded value there are the *units* by which it can be cited: the claim that excluded it,
or an event or rule that states it.

The fewest units that cite the facts of a step are a smallest hitting set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from deduce.budget import Budget
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import (
    CompiledCount,
    CompiledLogic,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.errors import Undecided
from deduce.problem import Problem
from deduce.reasoning.conflicts import smallest_hitting_set

__all__ = [
    "Facts",
    "Inference",
    "Literal",
    "Reason",
    "Refutation",
    "Source",
    "Unit",
    "cite",
    "literal_of",
    "open_bits",
    "reason_key",
    "sources_of",
    "variables_in",
]

Unit = tuple[str, int]
"""What is cited: ``("claim", index)``, ``("event", number)`` or ``("source", index)``; within a
supposition also one of its own claims, with its level in place of ``"claim"``."""

COVERS = Budget(steps=3_000)
"""What the search for the fewest citations of one reason may spend, in partial sets."""


def cite(
    demands: Iterable[frozenset[Unit]],
    *,
    free: set[Unit] = frozenset(),  # type: ignore[assignment]
) -> tuple[tuple[Unit, ...], bool]:
    """Return the fewest units of which each demand contains one, and whether that is proved.

    Parameters
    ----------
    demands
        For each fact that must be cited, the units that cite it.
    free
        Units that are cited anyway.

    Notes
    -----
    Of equally many, events are preferred to claims as long as there are at most three.

    Examples
    --------
    >>> cite([frozenset({("claim", 0), ("event", 2)}), frozenset({("claim", 1), ("event", 2)})])
    ((('event', 2),), True)
    """
    left = {demand for demand in demands if not demand & free}
    left = {demand for demand in left if not any(other < demand for other in left)}
    chosen: list[Unit] = []
    covers: dict[Unit, set[frozenset[Unit]]] = {}
    for demand in left:
        for unit in demand:
            covers.setdefault(unit, set()).add(demand)
    several = {unit for unit, covered in covers.items() if len(covered) > 1}
    alone = [demand for demand in left if not demand & several]
    rest = [frozenset(demand & several) for demand in left if demand & several]
    smallest = True
    if rest:
        units = sorted(several, key=lambda unit: (-len(covers[unit]), unit))
        number = {unit: i for i, unit in enumerate(units)}
        sets = [frozenset(number[unit] for unit in demand) for demand in rest]
        try:
            hitting = smallest_hitting_set(sets, len(sets), COVERS.meter())
        except Undecided:
            hitting, smallest = _greedy(sets), False
        chosen = [units[i] for i in hitting or ()]
    events = sum(unit[0] == "event" for unit in chosen)
    for demand in sorted(alone, key=sorted):
        stated = [unit for unit in demand if unit[0] != "claim"]
        if stated and (events < MAX_EVENTS or len(stated) == len(demand)):
            events += 1
            chosen.append(min(stated))
        else:
            chosen.append(min(unit for unit in demand if unit[0] == "claim"))
    return tuple(sorted(set(chosen))), smallest


MAX_EVENTS = 3
"""Up to this many events are preferred to claims when both cite a single fact."""


def _greedy(sets: Sequence[frozenset[int]]) -> list[int]:
    left, chosen = list(sets), []
    while left:
        best = max(sorted(set().union(*left)), key=lambda i: sum(i in one for one in left))
        chosen.append(best)
        left = [one for one in left if best not in one]
    return chosen


@frozen
class Literal:
    """The fact that a variable has one value, or that it does not.

    Parameters
    ----------
    variable
        Its index in the model.
    bit
        The bit of the value in the variable's field.
    positive
        Whether it has the value.
    """

    variable: int
    bit: int
    positive: bool


@frozen
class Source:
    """A rule or a piece of evidence: its statement, the event that caused it, its sentence.

    ``event`` is 0 for a rule and -1 for an assumption.
    """

    statement: Statement
    event: int
    sentence: str


@frozen
class Reason:
    """Why something follows: the constraints that are combined, and what is cited besides."""

    sources: tuple[int, ...]
    cited: tuple[Unit, ...]
    needs: int = 0
    """The excluded values that are cited, as bits of a state."""
    smallest: bool = True
    stated: int | None = None
    """The source that states the fact itself, if one does."""


@frozen
class Inference:
    """What follows, from what, and how.

    Parameters
    ----------
    facts
        The facts that follow; none: a contradiction.
    reason
        The constraints that are combined, and what is cited besides.
    kind
        The kind of step, from `deduce.steps.words.PATTERNS`.
    cost
        How hard it is to see; see `deduce.steps.board`.
    cheapest
        Whether it is proved that no justification of any missing fact is cheaper.
    refutation
        Why the opposite cannot be true, where several constraints are combined.
    """

    facts: tuple[Literal, ...]
    reason: Reason
    kind: str
    cost: int = 0
    cheapest: bool = True
    refutation: Refutation | None = None


@frozen
class Refutation:
    """A supposition, what follows from it, and the constraint that is then violated."""

    supposed: tuple[Literal, ...]
    level: str
    steps: tuple[Inference, ...]
    contradiction: Inference

    @property
    def length(self) -> int:
        """The number of steps, those of inner suppositions and the contradictions included.

        Facts that follow for the same reason are one step.
        """
        inner = [step.refutation for step in self.steps if step.refutation is not None]
        reasons = {reason_key(step) for step in self.steps if step.refutation is None}
        return 1 + len(reasons) + sum(each.length for each in inner)

    @property
    def cited(self) -> set[Unit]:
        """What it cites of what is known outside of it."""
        return {u for step in self._all for u in step.reason.cited if u[0] != self.level}

    @property
    def sources(self) -> set[int]:
        """The constraints that it uses."""
        return {index for step in self._all for index in step.reason.sources}

    @property
    def needs(self) -> int:
        """The excluded values that it uses, as bits; those that it derives itself included."""
        needs = 0
        for step in self._all:
            needs |= step.reason.needs | (step.refutation.needs if step.refutation else 0)
        return needs

    @property
    def _all(self) -> tuple[Inference, ...]:
        return (*self.steps, self.contradiction)


def reason_key(step: Inference) -> object:
    """Return what is equal for facts that follow within a supposition for the same reason."""
    return step.kind, step.reason.sources, step.reason.cited


def sources_of(model: Model) -> list[Source]:
    """Return the rules and the evidence of a compiled problem in the order of its statements."""
    problem: Problem = model.problem
    events = [0] * len(problem.rules) + [
        -1 if piece.event is None else piece.event for piece in problem.evidence
    ]
    sentences = [*map(str, problem.rules), *map(str, problem.evidence)]
    return [
        Source(statement, event, sentence)
        for statement, event, sentence in zip(model.statements, events, sentences, strict=True)
    ]


class Facts:
    """The facts known so far, with what cites them.

    Parameters
    ----------
    model
        The compiled problem.
    sources
        Its rules and evidence, from `sources_of`.
    level
        What the units of its own claims are called.
    """

    def __init__(self, model: Model, sources: Sequence[Source], level: str = "claim") -> None:
        self.model = model
        self.sources = sources
        self.level = level
        self.possible = model.start
        self.claims: list[Literal] = []
        self.units: dict[int, list[Unit]] = {}
        self.fixed = 0

    def add(self, literal: Literal) -> int:
        """Add a claim to the known facts, and return its index."""
        index = len(self.claims)
        self.claims.append(literal)
        unit = (self.level, index)
        for bit in bits_of(self.removed_by(literal)):
            self.units.setdefault(bit, []).append(unit)
            self.possible &= ~bit
        if literal.positive:
            self.fixed |= 1 << literal.variable
        return index

    def removed_by(self, literal: Literal) -> int:
        """Return the bits of the values that a fact excludes, before anything else is known."""
        model, i = self.model, literal.variable
        mask = model.domains[i] & ~literal.bit if literal.positive else literal.bit
        return mask << (i * model.stride)

    def is_known(self, literal: Literal) -> bool:
        """Return whether a fact is claimed, or follows from a claim about the same variable."""
        if literal.positive:
            return bool(self.fixed >> literal.variable & 1) and self.holds(literal)
        return self.holds(literal)

    def holds(self, literal: Literal) -> bool:
        """Return whether the values that are left make a fact true."""
        left = self.model.domain(self.possible, literal.variable)
        return left == literal.bit if literal.positive else not left & literal.bit

    def literals(self, i: int, excluded: int) -> list[Literal]:
        """Return the facts to claim when these values of a variable's field are excluded."""
        kept = self.model.domains[i] & ~excluded
        if kept & (kept - 1) == 0 and kept:
            return [Literal(i, kept, positive=True)]
        left = self.model.domain(self.possible, i) & excluded
        return [Literal(i, bit, positive=False) for bit in bits_of(left)]

    def variables_of(self, index: int) -> Sequence[int]:
        """Return the variables of a constraint."""
        form = self.sources[index].statement.form
        if isinstance(form, CompiledCount | CompiledSum):
            return [i for i, _ in form.terms]
        return form.variables if isinstance(form, CompiledWhere | CompiledLogic) else ()

    def unit(self, index: int) -> Unit:
        """Return how a source is cited: by its event, if it has one."""
        event = self.sources[index].event
        return ("event", event) if event > 0 else ("source", index)

    def free(self, sources: tuple[int, ...]) -> set[Unit]:
        """Return the events of some sources, which a step that uses these cites anyway."""
        return {unit for key in sources if (unit := self.unit(key))[0] == "event"}

    def settled_by_one_unit(self) -> int:
        """Return the variables of which one unit excludes all values but one, as bits."""
        settled = 0
        for i in range(len(self.model.variables)):
            left = self.model.domain(self.possible, i)
            if left & (left - 1) == 0:
                excluded = (self.model.domains[i] & ~left) << (i * self.model.stride)
                units = [set(self.units.get(bit, ())) for bit in bits_of(excluded)]
                settled |= (not units or bool(set.intersection(*units))) << i
        return settled

    def reason(self, sources: tuple[int, ...], excluded: int) -> Reason:
        """Return the reason of a step by some sources and these excluded values."""
        demands = [frozenset(self.units[bit]) for bit in bits_of(excluded)]
        units, smallest = cite(demands, free=self.free(sources))
        return Reason(sources, units, excluded, smallest)


def literal_of(model: Model, bit: int) -> Literal:
    """Return the fact that a variable has the value which is this bit of a state."""
    i = (bit.bit_length() - 1) // model.stride
    return Literal(i, bit >> (i * model.stride), positive=True)


def open_bits(model: Model, possible: int) -> Iterator[tuple[int, int]]:
    """Yield the values of the variables that have several left, each with what it leaves."""
    several = possible & (possible - model.ones)
    for bit in bits_of(possible):
        shift = (bit.bit_length() - 1) // model.stride * model.stride
        if several >> shift & model.field:
            yield bit, possible & ~(model.field << shift) | bit


def variables_in(model: Model, state: int) -> Iterator[int]:
    """Yield the variables of which a state has a value."""
    while state:
        i = ((state & -state).bit_length() - 1) // model.stride
        yield i
        state &= ~(model.field << (i * model.stride))
