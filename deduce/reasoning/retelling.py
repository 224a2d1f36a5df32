"""Why, where players state what they know: the same log told again with fewer events.

What a statement about knowledge excludes depends on the events before it. So an explanation is a
log of some of the events, in their order, in which each statement is judged again. It proves a
claim if the claim holds in all worlds that it leaves, and if it leaves all worlds that the whole
log does: the rest of the log then changes nothing about the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from itertools import combinations, groupby
from math import comb, prod
from typing import TypeVar

from attrs import frozen

from deduce.budget import Budget
from deduce.constraints import Claim
from deduce.engines.core.worlds import MAX_PRODUCT, Mask
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.problem import Evidence, Problem, Sees
from deduce.reasoning.explain import Step, Why
from deduce.reasoning.knowing import Judge, first_statement

__all__ = ["Retold", "explain_again"]

T = TypeVar("T")

MAX_LOGS = 3000
"""Up to this number of shorter logs are tried, to prove that none of them is a proof."""

STEPS = 3_000_000
"""Steps for listing the worlds of the rules alone, so that every event can be left out."""

Unit = tuple[int, int]
"""What is told or left out as a whole: an event's ``(number, 0)``; an assumption's ``(0, place)``.
"""


@frozen(eq=False)
class Retold:
    """A log as one viewer has it, to be told again.

    Parameters
    ----------
    rules
        The problem without the log.
    public, private
        The evidence that all players have, and that only the viewer has.
    assumed
        What is assumed.
    sees_at
        Returns what each player has seen before an event of this number.
    size
        How many events the log has.
    """

    rules: Problem
    public: Sequence[Evidence]
    private: Sequence[Evidence]
    assumed: Sequence[Claim]
    sees_at: Callable[[int], Sees]
    size: int

    def units(self) -> dict[Unit, list[str]]:
        """Return the events and assumptions in order, with their sentences."""
        units: dict[Unit, list[str]] = {}
        for piece in sorted((*self.public, *self.private), key=lambda piece: piece.event or 0):
            if piece.doubt is None:
                units.setdefault((piece.event or 0, 0), []).append(str(piece))
        return units | {(0, i): [str(claim)] for i, claim in enumerate(self.assumed, 1)}


class _Retelling:
    """A log that is told again, with some of its events and rules."""

    def __init__(self, log: Retold, claim: Claim | None, budget: Budget) -> None:
        self.log, self.claim, self.budget = log, claim, budget
        self.sentences = log.units()
        self.units = list(self.sentences)
        self.fixed: set[Unit] = set()
        """The units that cannot be left out, since too many worlds are possible without them."""
        rules = log.rules
        self.rules = range(len(rules.rules))
        """The rules that can be left out."""
        if prod(map(len, rules.domains.values())) <= MAX_PRODUCT:
            self.judge = Judge(Problem(rules.domains, sees=rules.sees), budget.meter())
        else:
            self.rules = range(0)
            try:
                self.judge = Judge(rules, budget.meter().share(STEPS))
            except Undecided:
                before = log.public[: first_statement(log.public)]
                self.judge = Judge(rules.with_evidence(*before), budget.meter())
                self.fixed = {(piece.event or 0, 0) for piece in before}
        self.wanted = False
        """Whether the claim is to be proved; else that it is impossible."""
        self.whole, _ = self.told(self.units)

    def told(self, units: Iterable[Unit], rules: Iterable[int] | None = None) -> tuple[Mask, Mask]:
        """Return what some events leave to the viewer, and where the claim holds among that."""
        log, judge, told = self.log, self.judge, set(units)
        all_rules = log.rules.rules
        constraints = [all_rules[i].constraint for i in (self.rules if rules is None else rules)]
        left = judge.left({}, constraints, judge.worlds.all)
        certain = (piece for piece in log.public if piece.doubt is None)
        for event, group in groupby(certain, lambda piece: piece.event or 0):
            claims = [piece.constraint for piece in group]
            if (event, 0) in told:
                left = judge.left(log.sees_at(event), claims, left)
        now = log.sees_at(log.size + 1)
        mine: list[Claim] = [
            p.constraint for p in log.private if p.doubt is None and (p.event or 0, 0) in told
        ]
        mine += [claim for i, claim in enumerate(log.assumed, 1) if (0, i) in told]
        own = judge.left(now, mine, left)
        return own, own if self.claim is None else own & judge.holding(self.claim, now, left)

    def proves(self, units: Iterable[Unit], rules: Iterable[int] | None = None) -> bool:
        """Return whether some events prove the claim, and leave all that the whole log does."""
        left, holds = self.told(units, rules)
        number = self.judge.worlds.number
        if number(left & self.whole) < number(self.whole):
            return False
        if self.claim is None:
            return not number(left)
        return number(holds) == (number(left) if self.wanted else 0)

    def shortest(self) -> tuple[list[Unit], bool]:
        """Return the events of a proof, and whether it is proved that no proof has fewer."""
        best, smallest = list(self.units), False
        with suppress(Undecided):
            best = self._without(best, lambda kept: self.proves([*kept, *self.fixed]), self.fixed)
            tried = 0
            free = [unit for unit in self.units if unit not in self.fixed]
            for size in range(len(best) - len(self.fixed)):
                tried += comb(len(free), size)
                if tried > MAX_LOGS:
                    return best, False
                for units in combinations(free, size):
                    if self.proves([*units, *self.fixed]):
                        return [u for u in self.units if u in {*units, *self.fixed}], not self.fixed
            smallest = not self.fixed
        return best, smallest

    def needed_rules(self, units: Sequence[Unit]) -> list[int]:
        """Return the rules that a proof needs, none of which can be left out."""
        kept = list(self.rules)
        with suppress(Undecided):
            kept = self._without(kept, lambda rules: self.proves(units, rules))
        return kept if self.rules else list(range(len(self.log.rules.rules)))

    @staticmethod
    def _without(
        parts: Sequence[T], proves: Callable[[Sequence[T]], bool], fixed: Collection[T] = ()
    ) -> list[T]:
        """Return parts of a proof none of which can be left out, the earlier ones preferred."""
        kept, before = list(parts), -1
        while before != len(kept):
            before = len(kept)
            for part in reversed(list(kept)):
                fewer = [each for each in kept if each != part]
                if part not in fixed and proves(fewer):
                    kept = fewer
        return kept


def explain_again(log: Retold, claim: Claim | None, sentence: str, budget: Budget) -> Why:
    """Return why a claim holds in every world of a viewer, or in none; ``None``: why no world.

    Raises
    ------
    BadInput
        There is no claim, and a world is possible.
    Contradiction
        There is a claim, and no world is possible.
    Undecided
        The worlds are too many for the budget.
    """
    again = _Retelling(log, claim, budget.begun())
    worlds = again.judge.worlds
    left, holds = again.told(again.units)
    fails = left & (holds ^ worlds.all)
    if claim is None:
        if worlds.number(left):
            raise BadInput("the log is consistent: there is no contradiction to explain")
        verdict = "contradiction"
    elif not worlds.number(left):
        raise Contradiction
    elif worlds.number(holds) and worlds.number(fails):
        first, second = (again.judge.model.world(next(worlds.states(m))) for m in (holds, fails))
        return Why(sentence, "open", holds=first, fails=second)
    else:
        again.wanted = worlds.number(holds) > 0
        verdict = "certain" if again.wanted else "impossible"
    units, smallest = again.shortest()
    steps = [
        Step(unit[0] or None, tuple(dict.fromkeys(again.sentences[unit])))
        for unit in sorted(units, key=lambda unit: (not unit[0], unit))
    ]
    rules = [str(log.rules.rules[i]) for i in again.needed_rules(units)]
    repairs = [
        unit[0]
        for unit in units
        if claim is None
        and unit[0]
        and worlds.number(again.told(u for u in again.units if u != unit)[0])
    ]
    return Why(
        sentence, verdict, tuple(steps), tuple(dict.fromkeys(rules)), smallest,
        repairs=tuple(repairs),
    )  # fmt: skip
