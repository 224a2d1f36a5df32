"""Why: the smallest set of events that proves a claim, in sentences.

A claim is certain when the rules, the events and the opposite of the claim fit no world together;
an explanation is a set of events that already suffices for that and from which no event can be
left out (a minimal unsatisfiable subset, MUS). Two steps find it:

* QuickXplain (Junker, *QuickXPlain: preferred explanations and relaxations*, AAAI 2004) gives a
  minimal set that prefers early events, with few checks;
* implicit hitting sets (Ignatiev et al., *Smallest MUS extraction with minimal hitting set
  dualization*, CP 2015) look for a set with fewer events, and prove that there is none, within a
  limit of checks. ``smallest`` records whether the proof was finished.

Every check is a plain question of consistency to the fastest engine. Once the claim is known to be
certain, the budget ends the search with the best proof so far, and ``smallest`` is ``False``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from deduce.budget import Budget, Meter
from deduce.constraints import Constraint
from deduce.display import Displayed
from deduce.engines.model import Statement
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.problem import World
from deduce.queries import Asker, negations
from deduce.text import visible

__all__ = [
    "Step",
    "Why",
    "explain",
    "quickxplain",
    "smallest_conflict",
    "smallest_hitting_set",
]

CHECKS = 400
"""How many consistency checks the search for a smaller explanation may take."""

SETS = Budget(steps=20_000)
"""How many partial hitting sets that search may try: some tenths of a second."""

Unit = tuple[int, int]
"""What is taken or left as a whole: an event's ``(number, 0)``; an assumption's ``(0, place)``."""

Check = Callable[[Sequence[Hashable]], Any]
"""Returns a world that fits these units (any object), or ``None`` when they are in conflict."""


@frozen
class Step:
    """One event of an explanation, with its sentences; ``event`` is ``None`` for an assumption."""

    event: int | None
    sentences: tuple[str, ...]

    @property
    def place(self) -> str:
        """``"event 3"``, or ``"assumed"``."""
        return "assumed" if self.event is None else f"event {self.event}"

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
        return {
            "possible": f"{self.claim}: possible",
            "certain": f"{self.claim}: certain, because",
            "impossible": f"{self.claim}: impossible, because",
            "open": f"{self.claim}: open, for there is a world with it and a world without it",
            "contradiction": "contradiction: these cannot all be true:",
        }[self.verdict]

    @property
    def repair(self) -> str:
        """The repairs of a contradiction in a line; empty for everything else."""
        if self.verdict != "contradiction":
            return ""
        if not self.repairs:
            return "leaving out a single event does not resolve it"
        if len(self.repairs) == 1:
            return f"leaving out event {self.repairs[0]} resolves it"
        numbers = ", ".join(map(str, self.repairs))
        return f"leaving out any one of these events resolves it: {numbers}"

    def __str__(self) -> str:
        lines = [f"  {step}" for step in self.steps]
        lines += [f"  rule: {rule}" for rule in self.rules]
        lines += [f"  {self.repair}"] if self.repair else []
        return visible("\n".join([self.headline, *lines]))


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
    opposites = negations(claim)
    fails = next((w for n in opposites if (w := asker.solve(n).value) is not None), None)
    holds = asker.solve(claim).value
    if holds is None and fails is None:
        raise Contradiction
    if holds is not None and fails is not None:
        return Why(sentence, "open", holds=holds, fails=fails)
    against = opposites if fails is None else [claim]
    steps, rules, smallest = _prove(asker, [asker.model.compile(c) for c in against])
    verdict = "certain" if fails is None else "impossible"
    return Why(sentence, verdict, steps, rules, smallest)


def _contradiction(asker: Asker) -> Why:
    if asker.is_consistent().value:
        raise BadInput("the log is consistent: there is no contradiction to explain")
    steps, rules, smallest = _prove(asker, [Statement(-1, None)])
    pieces = _Pieces(asker)
    repairs = []
    for event in (step.event for step in steps):
        if event is not None:
            kept = [unit for unit in pieces.units if unit != (event, 0)]
            if pieces.solve(kept, [Statement(-1, None)]) is not None:
                repairs.append(event)
    return Why("", "contradiction", steps, rules, smallest, repairs=tuple(repairs))


def _prove(
    asker: Asker, against: Sequence[Statement]
) -> tuple[tuple[Step, ...], tuple[str, ...], bool]:
    """Return the events and rules that are in conflict with each of ``against``.

    All events together are, which was found out before.
    """
    pieces = _Pieces(asker)
    proof = _Proof(lambda units: pieces.solve(units, against), pieces.units)
    smallest = False
    with suppress(Undecided):
        proof.keep(quickxplain(proof.check, pieces.units))
        conflict, smallest = smallest_conflict(
            proof.check, pieces.units, proof.best, pieces.fitting
        )
        proof.keep(conflict)
    parts = _Proof(lambda chosen: pieces.solve_parts(chosen, against), pieces.parts(proof.best))
    try:
        parts.keep(quickxplain(parts.check, parts.best))
    except Undecided:  # the proof is valid; only its sentences could have been fewer
        smallest = False
    return (*pieces.steps_and_rules(proof.best, parts.best), smallest)


class _Proof:
    """The smallest conflict that any check has found so far; at first, everything."""

    def __init__(self, check: Check, units: Sequence[Hashable]) -> None:
        self._check = check
        self.best = list(units)

    def check(self, units: Sequence[Hashable]) -> Any:
        """Return a world, or ``None`` for a conflict."""
        world = self._check(units)
        if world is None and len(units) < len(self.best):
            self.best = list(units)
        return world

    def keep(self, conflict: list[Hashable]) -> None:
        """Take a conflict that is as small as the best so far, or smaller."""
        self.best = conflict


class _Pieces:
    """The statements of a model by unit (event or assumption) and by sentence."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        problem, statements = asker.model.problem, asker.model.statements
        first = len(problem.rules)
        self.rules = list(zip(problem.rules, statements[:first], strict=True))
        self.evidence = list(zip(problem.evidence, statements[first:], strict=True))
        self.by_unit: dict[Hashable, list[int]] = {}
        for place, (piece, _) in enumerate(self.evidence):
            unit = (0, place) if piece.event is None else (piece.event, 0)
            self.by_unit.setdefault(unit, []).append(place)
        self.units: list[Hashable] = sorted(self.by_unit, key=_in_order)

    def solve(self, units: Sequence[Hashable], against: Sequence[Statement]) -> World | None:
        chosen = [self.evidence[place][1] for unit in units for place in self.by_unit[unit]]
        return self._solve([statement for _, statement in self.rules] + chosen, against)

    def fitting(self, world: World) -> set[Hashable]:
        """Return the units that a world satisfies."""
        model = self.asker.model
        state = model.state(world)
        return {
            unit
            for unit, places in self.by_unit.items()
            if all(model.satisfied(self.evidence[place][1], state) for place in places)
        }

    def parts(self, units: Iterable[Hashable]) -> list[Hashable]:
        """Return the rules and the single sentences of the units, as smaller units."""
        rules: list[Hashable] = [("rule", str(rule)) for rule, _ in self.rules]
        sentences: list[Hashable] = [
            (unit, str(self.evidence[place][0])) for unit in units for place in self.by_unit[unit]
        ]
        return list(dict.fromkeys(rules + sentences))

    def solve_parts(self, parts: Sequence[Hashable], against: Sequence[Statement]) -> World | None:
        wanted = set(parts)
        chosen = [s for rule, s in self.rules if ("rule", str(rule)) in wanted]
        for unit, places in self.by_unit.items():
            for piece, statement in (self.evidence[place] for place in places):
                if (unit, str(piece)) in wanted:
                    chosen.append(statement)
        return self._solve(chosen, against)

    def steps_and_rules(
        self, units: Sequence[Hashable], parts: Sequence[Hashable]
    ) -> tuple[tuple[Step, ...], tuple[str, ...]]:
        wanted = set(parts)
        steps = []
        for unit in sorted(units, key=_in_order):
            pieces = [self.evidence[place][0] for place in self.by_unit[unit]]
            sentences = dict.fromkeys(str(p) for p in pieces if (unit, str(p)) in wanted)
            steps.append(Step(pieces[0].event, tuple(sentences)))
        rules = dict.fromkeys(str(rule) for rule, _ in self.rules if ("rule", str(rule)) in wanted)
        return tuple(steps), tuple(rules)

    def _solve(self, chosen: list[Statement], against: Sequence[Statement]) -> World | None:
        for statement in against:
            world = self.asker.solve_selection([*chosen, statement]).value
            if world is not None:
                return world
        return None


def _in_order(unit: Hashable) -> tuple[bool, Unit]:
    assert isinstance(unit, tuple)
    return unit[0] == 0, unit


def quickxplain(check: Check, units: Sequence[Hashable]) -> list[Hashable]:
    """Return a minimal conflict among the units, preferring those that stand early.

    Parameters
    ----------
    check
        Returns a world for a selection of units, or ``None`` when they are in conflict.
    units
        All units, which are in conflict together.

    Examples
    --------
    >>> def check(units):
    ...     return None if {2, 5} <= set(units) else {"a": "world"}
    >>> quickxplain(check, range(8))
    [2, 5]
    """

    def shrink(
        background: list[Hashable], candidates: list[Hashable], *, changed: bool
    ) -> list[Hashable]:
        if changed and check(background) is None:
            return []
        if len(candidates) == 1:
            return candidates
        half = len(candidates) // 2
        early, late = candidates[:half], candidates[half:]
        needed_late = shrink(background + early, late, changed=bool(early))
        needed_early = shrink(background + needed_late, early, changed=bool(needed_late))
        return needed_early + needed_late

    listed = list(units)
    if not listed or check([]) is None:
        return []
    return shrink([], listed, changed=False)


def smallest_conflict(
    check: Check,
    units: Sequence[Hashable],
    conflict: list[Hashable],
    fitting: Callable[[Any], set[Hashable]],
    *,
    checks: int | None = None,
    sets: Budget | None = None,
) -> tuple[list[Hashable], bool]:
    """Return a conflict with as few units as possible, and whether that is proved.

    Every set of units that fits some world as a whole leaves a *correction set*: each conflict
    contains one of the others. So a smallest hitting set of the correction sets is never larger
    than a smallest conflict, and it is one as soon as it is itself in conflict. If the limits, or
    the budget of a check, do not suffice, ``conflict`` is returned as it was given.

    Parameters
    ----------
    check, units
        As for `quickxplain`.
    conflict
        A minimal conflict, the best so far.
    fitting
        Returns the units that a world satisfies.
    checks
        The maximum number of checks, not counting those that a check itself leads to; by default
        `CHECKS`.
    sets
        What the search for hitting sets may spend, in partial sets; by default `SETS`.
    """
    place = {unit: i for i, unit in enumerate(units)}
    corrections: list[frozenset[int]] = []
    meter = (sets or SETS).meter()
    left = CHECKS if checks is None else checks
    with suppress(Undecided):
        while left > 0:
            hitting = smallest_hitting_set(corrections, len(conflict) - 1, meter)
            if hitting is None:
                return conflict, True
            chosen = [units[i] for i in hitting]
            world = check(chosen)
            left -= 1
            if world is None:
                return chosen, True
            fits = fitting(world) | set(chosen)
            for unit in units:
                if unit not in fits:
                    world = check([*fits, unit])
                    left -= 1
                    if world is not None:
                        fits |= fitting(world) | {unit}
            corrections.append(frozenset(place[unit] for unit in units if unit not in fits))
    return conflict, False


def smallest_hitting_set(
    sets: Sequence[frozenset[int]], limit: int, meter: Meter
) -> list[int] | None:
    """Return a smallest set of at most ``limit`` ints that meets every set, the earliest of them.

    By trying sizes in turn, so the first that is found is a smallest. Sets that are apart need an
    int each, which bounds the size from below.
    """

    def hit(left: list[frozenset[int]], size: int) -> list[int] | None:
        if not left:
            return []
        if _apart(left) > size:
            return None
        meter.spend()
        fewest = min(left, key=len)
        for element in sorted(fewest):
            rest = hit([s for s in left if element not in s], size - 1)
            if rest is not None:
                return sorted([element, *rest])
        return None

    for size in range(limit + 1):
        found = hit(list(sets), size)
        if found is not None:
            return found
    return None


def _apart(sets: Sequence[frozenset[int]]) -> int:
    """Return how many sets without a common element are found by taking the smallest first."""
    union: set[int] = set()
    number = 0
    for one in sorted(sets, key=len):
        if union.isdisjoint(one):
            union |= one
            number += 1
    return number
