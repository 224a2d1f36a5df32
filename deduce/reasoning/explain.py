"""Why: the smallest set of events that proves a claim, in sentences.

A claim is certain when the rules, the events and the opposite of the claim fit no world together;
an explanation is a set of events that already suffices for that and from which no event can be
left out (a minimal unsatisfiable subset, MUS). Two steps find it:

* QuickXplain gives a minimal set that prefers early events, with few checks. A check of hundreds of
  events can be much harder than the conflict itself: where one takes long, only the events of the
  smallest conflict found so far are looked at further;
* implicit hitting sets look for a set with fewer events, and prove that there is none, within a
  limit of checks (`deduce.reasoning.conflicts`). ``smallest`` records whether the proof was
  finished.

Of proofs with equally few events one with fewer rules is preferred, then one whose events are about
fewer variables, such as the event that states the claim itself. They are found by exchanging one
event of a short proof, with few more checks.

A check answers from what earlier checks have shown where it can, and searches otherwise
(`deduce.reasoning.conflicts`). Once the claim is known to be certain, the budget ends the search
with the best proof so far, and ``smallest`` is ``False``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Constraint, Variable, variables_of
from deduce.engines.core.model import Statement
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.problem import Evidence, World
from deduce.reasoning.conflicts import Check, Checks, Effort, quickxplain, smallest_conflict
from deduce.reasoning.queries import Asker, negations
from deduce.system.display import Displayed
from deduce.system.language import Texts
from deduce.system.text import visible, world_line

__all__ = [
    "Step",
    "Why",
    "explain",
]

MANY = 100
"""With more rules and sentences than this, only those that one refutation needs are looked at."""

MAX_KEPT = 3
"""Up to this number of checks may be undecided before the best proof so far is taken."""

MAX_EXCHANGED = 3
"""In a proof of up to this number of events one is exchanged, to find a proof with fewer rules."""

MAX_OTHERS = 16
"""With more events than this, only some that are about the variable of the claim are tried."""

_say = Texts()

Unit = tuple[int, int]
"""What is taken or left as a whole: an event's ``(number, 0)``; an assumption's ``(0, place)``."""


@frozen
class Step:
    """One event of an explanation, with its sentences; ``event`` is ``None`` for an assumption."""

    event: int | None
    sentences: tuple[str, ...]

    @property
    def place(self) -> str:
        """``"event 3"``, or ``"assumed"``."""
        if self.event is None:
            return _say("proof.assumed")
        return _say("proof.event", number=str(self.event))

    def __str__(self) -> str:
        return f"{self.place}: {'; '.join(self.sentences)}"


@frozen
class Why(Displayed):
    """Why a claim is certain, impossible, possible or open, or why no world is possible at all.

    Parameters
    ----------
    claim
        What was asked, as a sentence.
    verdict
        ``"certain"``, ``"impossible"``, ``"open"`` or ``"contradiction"``; or ``"possible"``, which
        only asks for a world in which the claim holds.
    steps
        The events that prove the verdict, none of which can be left out; empty when open.
    rules
        The sentences of the rules that the proof uses; none of them can be left out either.
    smallest
        Whether it is proved that no proof uses fewer events.
    holds, fails
        For an open claim: a world in which it holds, and one in which it does not. For a possible
        one: a world in which it holds.
    repairs
        For a contradiction: each event whose removal alone resolves the contradiction.
    """

    claim: str
    verdict: str
    steps: tuple[Step, ...] = ()
    rules: tuple[str, ...] = ()
    smallest: bool = True
    holds: World | None = None
    fails: World | None = None
    repairs: tuple[int, ...] = ()

    @property
    def events(self) -> tuple[int, ...]:
        """The numbers of the events, without the assumptions."""
        return tuple(step.event for step in self.steps if step.event is not None)

    @property
    def headline(self) -> str:
        """The claim and its verdict in a line."""
        if self.verdict == "contradiction":
            return _say("proof.contradiction")
        return _say(f"proof.is.{self.verdict}", claim=self.claim)

    @property
    def repair(self) -> str:
        """The repairs of a contradiction in a line; empty for everything else."""
        if self.verdict != "contradiction":
            return ""
        if not self.repairs:
            return _say("proof.no_repair")
        numbers = ", ".join(map(str, self.repairs))
        return _say("proof.repair", n=len(self.repairs), numbers=numbers)

    @property
    def examples(self) -> dict[str, World]:
        """The worlds of an open or possible claim, by what they are."""
        pairs = {"with it": self.holds, "without it": self.fails}
        return {name: world for name, world in pairs.items() if world is not None}

    @property
    def proof(self) -> str:
        """The claim, its verdict and what proves it, in lines, without the worlds."""
        lines = [f"  {step}" for step in self.steps]
        lines += [f"  {_say('proof.rule', rule=rule)}" for rule in self.rules]
        lines += [f"  {self.repair}"] if self.repair else []
        return visible("\n".join([self.headline, *lines]))

    def __str__(self) -> str:
        worlds = [f"  {name}: {world_line(world)}" for name, world in self.examples.items()]
        return "\n".join([self.proof, *map(visible, worlds)])


def explain(asker: Asker, claim: Constraint | None, sentence: str = "") -> Why:
    """Return why the claim holds in every world, or in none, or in some; ``None``: why no world.

    Parameters
    ----------
    asker
        The model, with the engine and the budget of the checks.
    claim
        A fact, a disjunction or any other Count.
    sentence
        The claim as a player would say it.

    Raises
    ------
    Contradiction
        There is a claim but no world: ask why there is none first.
    Undecided
        A check ran out of budget.
    """
    asker = evolve(asker, budget=asker.budget.begun())
    if claim is None:
        return _contradiction(asker)
    sentence = sentence or str(claim)
    asker.model.problem.check(claim)
    against = [claim, *negations(claim)]
    pieces = _Pieces(asker, [asker.model.compile(constraint) for constraint in against])
    pieces.claimed = set(variables_of(claim))
    fails = pieces.any_world(range(1, len(against)))
    holds = pieces.any_world([0])
    if holds is None and fails is None:
        raise Contradiction
    if holds is not None and fails is not None:
        return Why(sentence, "open", holds=holds, fails=fails)
    pieces.sides = range(1, len(against)) if fails is None else [0]
    steps, rules, smallest = _prove(pieces)
    verdict = "certain" if fails is None else "impossible"
    return Why(sentence, verdict, steps, rules, smallest)


def _contradiction(asker: Asker) -> Why:
    if asker.is_consistent().value:
        raise BadInput("the log is consistent: there is no contradiction to explain")
    pieces = _Pieces(asker, [Statement(-1, None)])
    steps, rules, smallest = _prove(pieces)
    repairs = []
    for event in (step.event for step in steps):
        if event is not None:
            kept = [unit for unit in pieces.units if unit != (event, 0)]
            if pieces.world(kept, effort="thorough") is not None:
                repairs.append(event)
    return Why("", "contradiction", steps, rules, smallest, repairs=tuple(repairs))


def _prove(pieces: _Pieces) -> tuple[tuple[Step, ...], tuple[str, ...], bool]:
    """Return the events and rules that are in conflict with what the pieces are checked against.

    All events together are, which was found out before.
    """
    quick = _Proof(partial(pieces.world, effort="quick"), pieces.needs, pieces.units)
    found = None
    with suppress(Undecided):
        found = quickxplain(quick.check, pieces.units)
    proof = _Proof(pieces.world, pieces.needs, pieces.units)
    proof.best = quick.best if found is None else found
    smallest = False
    with suppress(Undecided):
        if found is None:
            proof.best = quickxplain(proof.check_or_keep, proof.best)
        proof.best, smallest = smallest_conflict(
            proof.check, pieces.units, proof.best, pieces.fitting
        )
    parts, is_minimal = _fewest_parts(pieces, proof.best)
    best = proof.best, parts
    if smallest and is_minimal:
        best = min([best, *_as_small(pieces, proof.best)], key=pieces.preference)
    return (*pieces.steps_and_rules(*best), smallest and is_minimal)


def _fewest_parts(pieces: _Pieces, units: Sequence[Hashable]) -> tuple[list[Hashable], bool]:
    """Return the rules and sentences of a conflict that it needs, and whether that is minimal."""
    parts = _Proof(pieces.world_of_parts, pieces.needs, pieces.parts(units))
    with suppress(Undecided):  # the proof is valid; only its sentences could have been fewer
        if len(parts.best) > MANY:
            parts.check(parts.best)
        parts.best = quickxplain(parts.check_or_keep, parts.best)
        return parts.best, not parts.kept
    return parts.best, False


def _as_small(
    pieces: _Pieces, units: Sequence[Hashable]
) -> Iterator[tuple[list[Hashable], list[Hashable]]]:
    """Yield other proofs of as many events, in which one is exchanged, with their parts."""
    if not 0 < len(units) <= MAX_EXCHANGED or len(pieces.rules) > MANY:
        return
    others = [unit for unit in pieces.units if unit not in units]
    if len(others) > MAX_OTHERS:
        others = [unit for unit in others if pieces.about(unit) & pieces.claimed][:MAX_OTHERS]
    for left_out in units:
        for other in others:
            exchanged = [*(unit for unit in units if unit != left_out), other]
            with suppress(Undecided):
                if pieces.world(exchanged, effort="quick") is None:
                    parts, is_minimal = _fewest_parts(pieces, exchanged)
                    if is_minimal:
                        yield exchanged, parts


class _Proof:
    """The smallest conflict that any check has found so far, in order; at first, everything."""

    def __init__(
        self, check: Check, needs: Callable[[Hashable], bool], units: Sequence[Hashable]
    ) -> None:
        self._check = check
        self._needs = needs
        self._place = {unit: i for i, unit in enumerate(units)}
        self.best = list(units)
        self.kept = 0
        """The checks that were not decided."""

    def check_or_keep(self, units: Sequence[Hashable]) -> Any:
        """Return the same; something where it takes too long, so that units are kept."""
        try:
            return self.check(units)
        except Undecided:
            self.kept += 1
            if self.kept > MAX_KEPT:
                raise
            return True

    def check(self, units: Sequence[Hashable]) -> Any:
        """Return a world, or ``None`` for a conflict."""
        world = self._check(units)
        if world is None:
            needed = sorted(filter(self._needs, units), key=self._place.__getitem__)
            if len(needed) < len(self.best):
                self.best = needed
        return world


class _Pieces:
    """The statements of a model by unit (event or assumption) and by sentence."""

    def __init__(self, asker: Asker, against: Sequence[Statement]) -> None:
        self.checks = Checks(asker, against)
        self.sides: Sequence[int] | None = None
        """Of which of ``against`` one is to hold; ``None``: of all."""
        self.claimed: set[Variable] = set()
        """The variables of the claim."""
        problem = asker.model.problem
        self.rules = list(enumerate(problem.rules))
        self.evidence = list(enumerate(problem.evidence, start=len(self.rules)))
        self.all_rules = (1 << len(self.rules)) - 1
        self.mask_of: dict[Hashable, int] = {}
        """For each unit, and for each rule and sentence of a unit, its statements, a bit each."""
        self.by_unit: dict[Hashable, list[tuple[int, Evidence]]] = {}
        meter = asker.budget.meter()
        for number, rule in self.rules:
            meter.check()  # one sentence may name thousands of values
            self._add(("rule", str(rule)), number)
        for place, (number, piece) in enumerate(self.evidence):
            meter.check()
            unit = (0, place) if piece.event is None else (piece.event, 0)
            self.by_unit.setdefault(unit, []).append((number, piece))
            self._add(unit, number)
            self._add((unit, str(piece)), number)
        self.units: list[Hashable] = sorted(self.by_unit, key=_in_order)

    def _add(self, name: Hashable, number: int) -> None:
        self.mask_of[name] = self.mask_of.get(name, 0) | 1 << number

    def any_world(self, sides: Sequence[int]) -> World | None:
        """Return a world that fits everything and one of these of ``against``."""
        self.sides = sides
        state = self.world(self.units, effort="thorough")
        return None if state is None else self.checks.model.world(state)

    def world(self, units: Sequence[Hashable], *, effort: Effort = "usual") -> int | None:
        """Return a world that fits all rules and these units, as a state."""
        chosen = self.all_rules | self._mask(units)
        return self.checks.world(chosen, self.sides, effort=effort)

    def world_of_parts(self, parts: Sequence[Hashable]) -> int | None:
        """Return a world that fits these rules and sentences, as a state."""
        return self.checks.world(self._mask(parts), self.sides)

    def _mask(self, names: Iterable[Hashable]) -> int:
        mask = 0
        for name in names:
            mask |= self.mask_of[name]
        return mask

    def needs(self, name: Hashable) -> bool:
        """Return whether the conflict found last needs a unit, a rule or a sentence."""
        return self.checks.needed & self.mask_of[name] != 0

    def fitting(self, world: int) -> set[Hashable]:
        """Return the units that a world satisfies."""
        fits = self.checks.fitting(world)
        return {unit for unit in self.units if not self.mask_of[unit] & ~fits}

    def parts(self, units: Iterable[Hashable]) -> list[Hashable]:
        """Return the rules and the single sentences of the units, as smaller units."""
        rules: list[Hashable] = [("rule", str(rule)) for _, rule in self.rules]
        sentences: list[Hashable] = [
            (unit, str(piece)) for unit in units for _, piece in self.by_unit[unit]
        ]
        return list(dict.fromkeys(rules + sentences))

    def about(self, unit: Hashable) -> set[Variable]:
        """Return the variables about which an event states something."""
        return {v for _, piece in self.by_unit[unit] for v in variables_of(piece.constraint)}

    def preference(self, proof: tuple[Sequence[Hashable], Sequence[Hashable]]) -> tuple[int, int]:
        """Return what is less for a better proof: fewer rules, then events about fewer variables.

        An event that states the claim itself is about one variable.
        """
        units, parts = proof
        rules = sum(isinstance(part, tuple) and part[0] == "rule" for part in parts)
        return rules, sum(len(self.about(unit)) for unit in units)

    def steps_and_rules(
        self, units: Sequence[Hashable], parts: Sequence[Hashable]
    ) -> tuple[tuple[Step, ...], tuple[str, ...]]:
        wanted = set(parts)
        steps = []
        for unit in sorted(units, key=_in_order):
            pieces = [piece for _, piece in self.by_unit[unit]]
            sentences = dict.fromkeys(str(p) for p in pieces if (unit, str(p)) in wanted)
            steps.append(Step(pieces[0].event, tuple(sentences)))
        rules = dict.fromkeys(str(rule) for _, rule in self.rules if ("rule", str(rule)) in wanted)
        return tuple(steps), tuple(rules)


def _in_order(unit: Hashable) -> tuple[bool, Unit]:
    assert isinstance(unit, tuple)
    return unit[0] == 0, unit
