"""A person solves, the tutor judges: marks on a sheet, hints in three levels.

A *mark* is a fact that a player has written on their own sheet. `judge` states of each mark whether
it is proved, wrong or not yet provable, and what was missed; `hint` gives the easiest step that is
not on the sheet, without giving more away than was asked for.

>>> from deduce import Knowledge, Problem, exactly, is_
>>> hats = {name: ("red", "blue") for name in ("Ann", "Ben", "Cid")}
>>> k = Knowledge(Problem(hats, [exactly(1, [is_(name, "red") for name in hats])]))
>>> k = k.tell("Ann=red")
>>> result = judge(k, marks_of(k, "ann=red; ben=red"))
>>> [(str(mark.claim), mark.verdict) for mark in result.marks]
[('Ann is red', 'proved'), ('Ben is red', 'wrong')]
>>> for level in (1, 2, 3):
...     print(hint(k, marks_of(k, "ann=red")).text(level))
Look at this rule: exactly 1 of: Ann is red, Ben is red, Cid is red.
Event 1 (pattern: all of them known).
Exactly 1 of: Ann is red, Ben is red, Cid is red. Ann is red (event 1), so Ben is blue and Cid is \
blue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Literal as OneOf

from attrs import frozen

from deduce.constraints import Constraint, Fact
from deduce.errors import BadInput, placed
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.reasoning.explain import Why
from deduce.reasoning.queries import negations
from deduce.steps.derive import Derivation
from deduce.steps.facts import Literal
from deduce.steps.proof import Proof, ProofStep, claims_of, is_certain, literals_of, steps
from deduce.steps.words import Writer, conclusion, say_facts
from deduce.system.display import Displayed
from deduce.system.language import Texts, listed
from deduce.system.text import capital, name_of, plural

__all__ = ["LEVELS", "Hint", "Judgement", "MarkVerdict", "hint", "judge", "marks_of"]

_say = Texts()

LEVELS = (1, 2, 3)
"""How much a hint gives away: where to look; on what the step rests; the fact."""

MAX_NAMED = 4
"""How many variables a hint names; of more, it names the first."""

Verdict = OneOf["proved", "wrong", "open"]


def marks_of(knowledge: Knowledge, text: str, *, source: str = "") -> list[Constraint]:
    """Return the marks in a text: facts as ``why`` reads them, one per line or separated by ``;``.

    Parameters
    ----------
    knowledge
        Whose variables and values are named.
    text
        What was written; ``#`` begins a comment.
    source
        The name of the file, for messages.

    Raises
    ------
    BadInput
        A mark is not understood; with the line.

    Examples
    --------
    >>> from deduce import Problem
    >>> k = Knowledge(Problem({"Rope": ("Ann", "Ben"), "Hall": ("Ann", "Ben")}))
    >>> [str(mark) for mark in marks_of(k, "rope=ann; hall!=ann  # the hand of Ann")]
    ['Rope is Ann', 'Hall is not Ann']
    """
    marks: list[Constraint] = []
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.partition("#")[0].split(";"):
            if part.strip():
                with placed(source=source or None, line=number):
                    marks.append(knowledge.claim(part.strip()))
    return marks


@frozen
class MarkVerdict:
    """What can be said of one mark.

    Parameters
    ----------
    claim
        The mark.
    verdict
        ``"proved"``: it is certain. ``"wrong"``: the opposite is certain. ``"open"``: neither is.
    why
        For a wrong mark, the fewest events that prove the opposite.
    witness
        For an open mark, a world in which it does not hold.
    """

    claim: Constraint
    verdict: Verdict
    why: Why | None = None
    witness: World | None = None


@frozen
class Judgement(Displayed):
    """What can be said of a sheet.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        Each mark with its verdict, in the order in which they were given.
    missed
        The proof of everything that is not on the sheet, from the marks that are proved.
    """

    knowledge: Knowledge
    marks: tuple[MarkVerdict, ...]
    missed: Proof

    @property
    def is_sound(self) -> bool:
        """Whether every mark is proved."""
        return all(mark.verdict == "proved" for mark in self.marks)

    @property
    def is_complete(self) -> bool:
        """Whether nothing was missed."""
        return not self.missed.steps


@frozen
class Hint(Displayed):
    """The easiest step that is not on the sheet, with the facts that follow for the same reason.

    Printed, it gives away no more than where to look.

    Parameters
    ----------
    knowledge
        What is known.
    steps
        The step, and its neighbours with the same reason.
    unproved
        The number of marks that are wrong or not provable; they were ignored.
    """

    knowledge: Knowledge
    steps: tuple[ProofStep, ...]
    unproved: int = 0

    @property
    def where(self) -> str:
        """Level 1: where to look."""
        step = self.steps[0]
        if step.rules and not step.given:
            return _say("hint.rules", n=len(step.rules), rules="; ".join(step.rules))
        names = list(dict.fromkeys(name_of(fact.variable) for fact in self.facts))
        more = [_say("hint.others")] if len(names) > MAX_NAMED else []
        return _say("hint.look", names=listed(names[:MAX_NAMED] + more))

    @property
    def grounds(self) -> str:
        """Level 2: the events and the earlier facts on which the step rests, or else its rules."""
        step = self.steps[0]
        parts = [_events(step.events)] if step.events else []
        if step.earlier:
            parts.append(say_facts(self.knowledge, step.earlier))
        said = "; ".join(parts or step.rules or [_say("hint.only")])
        return _say("hint.grounds", said=capital(said), pattern=step.pattern)

    @property
    def conclusion(self) -> str:
        """Level 3: the whole step."""
        step = self.steps[0]
        if len(self.steps) == 1:
            return step.text
        claims = say_facts(self.knowledge, self.facts)
        return (
            capital(f"{step.because}: {claims}.")
            if step.given
            else conclusion(step.because, claims)
        )

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What follows."""
        return tuple(step.claim for step in self.steps if isinstance(step.claim, Fact))

    def text(self, level: int) -> str:
        """Return the hint of a level from `LEVELS`.

        Raises
        ------
        BadInput
            There is no such level.
        """
        if level not in LEVELS:
            raise BadInput(f"a hint has level 1, 2 or 3, not {level!r}")
        return (self.where, self.grounds, self.conclusion)[level - 1]


def _events(events: Sequence[int]) -> str:
    return _say("hint.events", n=len(events), numbers=listed(list(map(str, events))))


def judge(
    knowledge: Knowledge,
    marks: Sequence[Constraint | str],
    *,
    progress: Callable[[MarkVerdict], object] = lambda verdict: None,
) -> Judgement:
    """Return what can be said of each mark, and what was missed, the easiest first.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        The facts on the sheet.
    progress
        Is called with the verdict of each mark as soon as it is known.

    Raises
    ------
    BadInput
        A mark is not a claim about this problem.
    Contradiction
        There is no world.
    Undecided
        The budget is used up.

    Notes
    -----
    Cost: two questions of consistency for each different mark that is not a proved fact, the proof
    of the opposite of each that is wrong, and `steps`.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> [mark.verdict for mark in judge(k, ["Ben=blue", "Ann=blue"]).marks]
    ['proved', 'wrong']
    """
    known: dict[Constraint, MarkVerdict] = {}
    verdicts = []
    for claim in claims_of(knowledge, marks):
        if claim not in known:
            known[claim] = _verdict(knowledge, claim)
        verdicts.append(known[claim])
        progress(verdicts[-1])
    proved = [
        mark.claim for mark in verdicts if mark.verdict == "proved" and isinstance(mark.claim, Fact)
    ]
    return Judgement(knowledge, tuple(verdicts), steps(knowledge, marks=proved))


def hint(
    knowledge: Knowledge, marks: Sequence[Constraint | str] = (), *, skip_stated: bool = False
) -> Hint | None:
    """Return the easiest step that is not on the sheet; ``None``: nothing more follows.

    Marks that are wrong or cannot be proved are ignored.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        The facts on the sheet.
    skip_stated
        Whether what events state themselves counts as seen, and is not hinted at.

    Raises
    ------
    BadInput
        A mark is not a claim about this problem.
    Contradiction
        There is no world.
    Undecided
        The budget is used up.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> print(hint(k, ["Ann=red"]).text(3))
    Exactly 1 of: Ann is red, Ben is red. Ann is red (event 1), so Ben is blue.
    """
    _ = knowledge.possible()  # raises Contradiction if there is no world
    known: list[Literal] = []
    unproved = 0
    for claim, times in Counter(claims_of(knowledge, marks)).items():
        if is_certain(knowledge, claim):
            known += literals_of(knowledge, claim)
        else:
            unproved += times
    derivation = Derivation(knowledge, known)
    writer = Writer(derivation)
    found = (
        writer.step(inference)
        for inference in derivation
        if not (skip_stated and inference.kind == "given")
    )
    first = next(found, None)
    if first is None:
        return None
    same = takewhile(
        lambda step: (
            step.suppose is None and (step.given, step.reason) == (first.given, first.reason)
        ),
        found,
    )
    group = (first,) if first.suppose is not None else (first, *same)
    return Hint(knowledge, group, unproved)


def _verdict(knowledge: Knowledge, claim: Constraint) -> MarkVerdict:
    if is_certain(knowledge, claim):
        return MarkVerdict(claim, "proved")
    if knowledge.is_possible(claim):
        worlds = (knowledge.asker.solve(one).value for one in negations(claim))
        return MarkVerdict(claim, "open", witness=next(w for w in worlds if w is not None))
    return MarkVerdict(claim, "wrong", why=knowledge.why(claim))


def summary(judgement: Judgement) -> str:
    """Return how many marks are proved, wrong and open, and how much was missed."""
    verdicts = [mark.verdict for mark in judgement.marks]
    counts = [f"{verdicts.count(one)} {one}" for one in ("proved", "wrong", "open")]
    missed = plural(len(judgement.missed), "fact")
    return f"{plural(len(verdicts), 'mark')}: {', '.join(counts)}; {missed} missed"
