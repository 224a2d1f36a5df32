"""What is certain as long as few answers of a log are wrong, and the events that this rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations

from attrs import evolve, frozen

from deduce.constraints import Value, Variable
from deduce.errors import Contradiction
from deduce.problem import Evidence, Problem
from deduce.text import join, plural, visible

__all__ = ["Unless", "certain_unless"]


@frozen(str=False)
class Unless:
    """What is certain as long as few answers of the log are wrong.

    Parameters
    ----------
    variable, value
        The claim.
    slips
        It holds in every world in which up to this number of answers are wrong.
    events
        The numbers of the events that it rests on: if an answer of one of them is wrong too, it is
        open. Empty where one more wrong answer was not looked at.
    """

    variable: Variable
    value: Value
    slips: int
    events: tuple[int, ...] = ()

    def __str__(self) -> str:
        claim = f"{self.variable}: {self.value}"
        if self.events:
            numbers = join([str(event) for event in self.events], "or")
            what = "event" if len(self.events) == 1 else "one of the events"
            also = f"{plural(self.slips, 'answer')} and " if self.slips else ""
            return visible(f"{claim}, unless {also}{what} {numbers} is wrong")
        return visible(f"{claim}, even if {plural(self.slips, 'answer')} may be wrong")


Possible = Mapping[Variable, frozenset[Value]]


def certain_unless(
    problem: Problem,
    evidence: Iterable[Evidence],
    slips: int,
    possible: Callable[[Problem], Possible],
) -> tuple[Unless, ...]:
    """Return what is certain as long as few answers are wrong.

    Parameters
    ----------
    problem
        Without the evidence of the log.
    evidence
        What the log states; pieces with a doubt belong to answers that may be wrong.
    slips
        Up to this number of answers may be wrong.
    possible
        Returns the possible values of a problem; raises `Contradiction` if it has no world.
    """
    undoubted = []
    by_answer: dict[tuple[int | None, str], list[Evidence]] = {}
    for piece in evidence:
        if piece.doubt is None:
            undoubted.append(piece)
        else:
            by_answer.setdefault((piece.event, piece.answer), []).append(piece)
    problem = problem.with_evidence(*undoubted)
    answers = list(by_answer.values())
    certain: dict[Variable, Value] | None = None
    claims: dict[Variable, Unless] = {}
    for number in range(slips + 1):
        breaks: dict[Variable, dict[int, None]] = {}
        for wrong in combinations(range(len(answers)), number):
            pieces = [
                evolve(piece, doubt=None, instead=())
                for index, answer in enumerate(answers)
                if index not in wrong
                for piece in answer
            ]
            try:
                left = possible(problem.with_evidence(*pieces))
            except Contradiction:
                continue
            settled = {v: next(iter(of)) for v, of in left.items() if len(of) == 1}
            if certain is None:
                certain = settled
            for variable, value in certain.items():
                if settled.get(variable) != value:
                    events = breaks.setdefault(variable, {})
                    events.update((answers[index][0].event or 0, None) for index in wrong)
        if certain is None:
            continue
        for variable, value in list(certain.items()):
            if variable not in breaks:
                claims[variable] = Unless(variable, value, number)
                continue
            certain.pop(variable)
            if variable in claims:
                rests_on = tuple(sorted(breaks[variable]))
                claims[variable] = evolve(claims[variable], events=rests_on)
    if certain is None:
        raise Contradiction
    return tuple(claims.values())
