"""Steps (`ProofStep`) in words: the pattern by name, and one or two sentences.

A game may bring its own words by two methods, both optional:

``say_all(facts)``
    several facts about the same value, all with ``negated`` alike, as one clause; a single fact may
    exclude several values;
``pattern(kind, pieces)``
    the name of a kind of step that rests on these rules and pieces of evidence, or ``None`` for the
    default. The kinds are those of `PATTERNS`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from attrs import frozen

from deduce.constraints import Constraint, Fact, Value, is_, is_not
from deduce.engines.core.masks import bits_of
from deduce.game import Said, hook
from deduce.problem import Evidence, Rule
from deduce.steps.facts import Inference, Literal, Refutation, Source
from deduce.system.language import Texts, listed
from deduce.system.text import capital

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from deduce.steps.derive import Derivation

__all__ = ["PATTERNS", "ProofStep", "Suppose", "Writer", "conclusion", "say_all", "say_facts"]

PATTERNS = ("given", "last value", "needed", "enough", "table", "single", "follows", "combination",
            "case")  # fmt: skip
"""The kinds of steps."""

_say = Texts()


@frozen
class Suppose:
    """The explanation of a large step: a supposition that leads to a contradiction.

    Parameters
    ----------
    claims
        What is supposed.
    steps
        What follows from it, in small steps.
    contradiction
        The step that cannot be: its ``claim`` is ``None``.
    """

    claims: tuple[Fact, ...]
    steps: tuple[ProofStep, ...]
    contradiction: ProofStep

    @property
    def depth(self) -> int:
        """How deeply suppositions are nested: 1 if there is none within this one."""
        return 1 + max((step.suppose.depth for step in self.steps if step.suppose), default=0)

    @property
    def length(self) -> int:
        """The number of small steps, those of inner suppositions included.

        Neighbours that follow for the same reason are one step.
        """
        inner = [step.suppose for step in self.steps if step.suppose is not None]
        small = groupby(self.steps, key=lambda step: (step.suppose is None, step.reason))
        return 1 + sum(is_small for (is_small, _), _ in small) + sum(one.length for one in inner)


@frozen
class ProofStep:
    """One step: a claim, and what it follows from.

    Parameters
    ----------
    claim
        The fact (or disjunction) that follows; ``None`` for a contradiction.
    events
        The numbers of the events that are used.
    earlier
        The earlier claims that are used, marks included.
    rules
        The sentences of the rules and of the assumptions that are used.
    pattern
        The name of the kind of step.
    because
        What it follows from, as clauses.
    text
        The whole step in one or two sentences.
    cost
        How hard it is to see; see `deduce.steps.board`.
    cheapest
        Whether it is proved that no justification of any missing fact is cheaper.
    given
        Whether an event or a rule states the claim itself.
    combined
        The number of constraints that the step combines.
    suppose
        The explanation of a large step in small ones.
    """

    claim: Constraint | None
    events: tuple[int, ...]
    earlier: tuple[Fact, ...]
    rules: tuple[str, ...]
    pattern: str
    because: str
    text: str
    cost: int
    cheapest: bool = True
    given: bool = False
    combined: int = 1
    suppose: Suppose | None = None

    @property
    def reason(self) -> tuple[object, ...]:
        """What is equal for claims that follow in the same way from the same."""
        return self.because, self.events, self.earlier

    def __str__(self) -> str:
        return self.text


def say_all(game: object, say: Callable[[Fact], str], facts: Sequence[Fact]) -> str:
    """Return several facts about the same value, all negated or none, as one clause.

    Parameters
    ----------
    game
        Whose words are used, if it has a method ``say_all``.
    say
        Returns one fact as a sentence.
    facts
        The facts.
    """
    words = hook(game, Said.say_all)
    return listed([say(fact) for fact in facts]) if words is None else words(facts)


def conclusion(because: str, claims: str) -> str:
    """Return what a step claims as a sentence; what has no reason has had only one value."""
    if not because:
        return capital(_say("steps.only", claims=claims))
    return _say("steps.so", because=because, claims=claims)


def say_facts(knowledge: Knowledge, facts: Sequence[Fact]) -> str:
    """Return several facts as one clause; those about the same value are taken together.

    So are those that exclude several values of the same variable. Clauses with commas are separated
    by semicolons.
    """
    groups: dict[tuple[bool, frozenset[object]], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((fact.negated, fact.values), []).append(fact)
    joined = _joined(knowledge, groups.values())
    said = [say_all(knowledge.game, knowledge.say, group) for group in joined]
    return "; ".join(said) if any(", " in clause for clause in said) else listed(said)


def _joined(knowledge: Knowledge, groups: Iterable[list[Fact]]) -> list[list[Fact]]:
    """Return the groups; single facts that exclude values of one variable become one fact.

    Where the game has no words for a group, all its facts are single.
    """
    if hook(knowledge.game, Said.say_all) is None:
        groups = [[fact] for group in groups for fact in group]
    result: list[list[Fact]] = []
    excluding: dict[Hashable, int] = {}
    for group in groups:
        fact = group[0]
        if len(group) == 1 and fact.negated:
            index = excluding.setdefault(fact.variable, len(result))
            if index < len(result):
                values = result[index][0].values | fact.values
                result[index] = [Fact(fact.variable, values, negated=True)]
                continue
        result.append(group)
    return [_shorter(knowledge, group) for group in result]


def _shorter(knowledge: Knowledge, group: list[Fact]) -> list[Fact]:
    """Return a fact that excludes most values of its variable as the fact that it has the others.

    Not in a game that has words for facts of its own, such as that a player has not a card.
    """
    fact = group[0]
    if not fact.negated or len(group) > 1 or hook(knowledge.game, Said.say) is not None:
        return group
    left = {*knowledge.problem.domains[fact.variable]} - fact.values
    return [Fact(fact.variable, left)] if 1 < len(left) < len(fact.values) else group


class Writer:
    """Writes the steps of a derivation in the words of its game."""

    def __init__(self, derivation: Derivation) -> None:
        self.knowledge = derivation.knowledge
        self.board = derivation.board
        self.model = derivation.model
        self.sources = derivation.sources
        problem = self.knowledge.problem
        self.pieces: list[Rule | Evidence] = [*problem.rules, *problem.evidence]
        self._inner: dict[str, list[Literal]] = {}

    def value(self, literal: Literal) -> Value:
        """Return the value that a literal is about."""
        return self.model.values[literal.variable][literal.bit.bit_length() - 1]

    def fact(self, literal: Literal) -> Fact:
        """Return a literal as a fact."""
        variable = self.model.variables[literal.variable]
        return (is_ if literal.positive else is_not)(variable, self.value(literal))

    def step(self, inference: Inference, claim: Constraint | None = None) -> ProofStep:
        """Return a step as people see it.

        Parameters
        ----------
        inference
            What follows, and from what.
        claim
            What it concludes, if that is not a fact of its own; ``None``: a contradiction.
        """
        reason = inference.reason
        claim = self.fact(inference.facts[0]) if inference.facts else claim
        suppose = None if inference.refutation is None else self._suppose(inference.refutation)
        used = [self.sources[index] for index in reason.sources]
        stating = [self.sources[i] for kind, i in reason.cited if kind == "source"]
        events = {source.event for source in used if source.event > 0}
        events |= {number for kind, number in reason.cited if kind == "event"}
        rules = dict.fromkeys(s.sentence for s in (*used, *stating) if s.event <= 0)
        earlier = [
            self.fact(literal)
            for kind, number in reason.cited
            if (literal := self._claimed(kind, number)) is not None
        ]
        stated = [] if reason.stated is None else [reason.stated]
        pieces = [self.pieces[index] for index in stated or reason.sources]
        end = _say("steps.impossible") if claim is None else self.knowledge.say(claim)
        because = self._because(inference, used)
        return ProofStep(
            claim,
            tuple(sorted(events)),
            tuple(dict.fromkeys(earlier)),
            tuple(rules),
            self._pattern(inference, pieces),
            because,
            self._text(inference, because, end),
            inference.cost,
            inference.cheapest,
            inference.kind == "given",
            len(reason.sources),
            suppose,
        )

    def _suppose(self, refutation: Refutation) -> Suppose:
        level, steps = refutation.level, []
        self._inner[level] = [*refutation.supposed]
        for step in refutation.steps:
            steps.append(self.step(step))
            self._inner[level] += step.facts
        contradiction = self.step(refutation.contradiction)
        del self._inner[level]
        return Suppose(tuple(map(self.fact, refutation.supposed)), tuple(steps), contradiction)

    def _claimed(self, kind: str, number: int) -> Literal | None:
        """Return the claim that a step cites; ``None``: it cites an event or a rule."""
        if kind in ("event", "source"):
            return None
        return self.board.claims[number] if kind == "claim" else self._inner[kind][number]

    def _pattern(self, inference: Inference, pieces: Sequence[Rule | Evidence]) -> str:
        named = hook(self.knowledge.game, Said.pattern)
        name = None if named is None else named(inference.kind, pieces)
        return name or _say(f"pattern.{inference.kind}")

    def _because(self, inference: Inference, used: Sequence[Source]) -> str:
        """Return a sentence for each constraint that a step rests on, and one for the facts.

        The last sentence has no full stop: a conclusion is added to it.
        """
        if inference.kind == "given":
            return self._sentences([self.sources[inference.reason.stated or 0]])[0]
        sentences = [*self._sentences(used), listed(self._cited_clauses(inference))]
        return ". ".join(capital(sentence) for sentence in sentences if sentence)

    def _text(self, inference: Inference, because: str, end: str) -> str:
        if inference.kind == "given":
            said = self.sources[inference.reason.stated or 0].sentence
            return capital(f"{because}." if said == end else f"{because}: {end}.")
        if inference.refutation is not None:
            refutation = inference.refutation
            supposed = listed([self.knowledge.say(self.fact(f)) for f in refutation.supposed])
            return _say("steps.refuted", because=because, supposed=supposed, claims=end,
                        n=refutation.length)  # fmt: skip
        return conclusion(because, end)

    def _sentences(self, used: Sequence[Source]) -> list[str]:
        """Return the sentences of the constraints, each with its event."""
        clauses = [_at(s.sentence, s.event) if s.event > 0 else s.sentence for s in used]
        return list(dict.fromkeys(clauses))

    def _cited_clauses(self, inference: Inference) -> list[str]:
        """Return the facts that a step cites as clauses, those about one value together."""
        reason, model = inference.reason, self.model
        cited = set(reason.cited)
        cited |= {
            ("event", self.sources[i].event) for i in reason.sources if self.sources[i].event > 0
        }
        groups: dict[tuple[bool, int, tuple[int, ...]], dict[int, None]] = {}
        for kind, number in reason.cited:
            literal = self._claimed(kind, number)
            if literal is not None:
                group = groups.setdefault((literal.positive, literal.bit, ()), {})
                group[literal.variable] = None
        for bit in bits_of(reason.needs):  # excluded values that an event or a rule states
            units = self.board.units.get(bit, [])
            if any(u in cited and u[0] not in ("event", "source") for u in units):
                continue  # a claim says so
            events = tuple(sorted(u[1] for u in units if u in cited and u[0] == "event"))[:1]
            if not events and not any(u in cited for u in units):
                continue
            i = (bit.bit_length() - 1) // model.stride
            positive, value = self._as_stated(i, bit >> (i * model.stride), events)
            groups.setdefault((positive, value, events), {})[i] = None
        by_events: dict[tuple[int, ...], list[list[Fact]]] = {}
        for (positive, value, events), variables in groups.items():
            facts = [self.fact(Literal(i, value, positive=positive)) for i in variables]
            by_events.setdefault(events, []).append(facts)
        return [
            clause
            for events, lists in by_events.items()
            for facts in _joined(self.knowledge, lists)
            for clause in self._clauses(facts, events)
        ]

    def _as_stated(self, i: int, value: int, events: tuple[int, ...]) -> tuple[bool, int]:
        """Return how an event states that a value is excluded: the other value, or just that."""
        model = self.model
        left = model.domains[i]
        for source in self.sources:
            if source.event in events and source.statement.form is None:
                left &= (source.statement.keep >> (i * model.stride)) & model.field
        if left and left & (left - 1) == 0:
            return True, left
        return False, value

    def _clauses(self, facts: Sequence[Fact], events: tuple[int, ...]) -> list[str]:
        knowledge = self.knowledge
        if not events and hook(knowledge.game, Said.say_all) is None:
            return [knowledge.say(fact) for fact in facts]
        said = say_all(knowledge.game, knowledge.say, facts)
        return [_at(said, events[0]) if events else said]


def _at(said: str, event: int) -> str:
    return said + _say("steps.at", number=str(event))
