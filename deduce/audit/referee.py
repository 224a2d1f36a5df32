r"""A referee of chains of reasoning: the first step that does not follow from what it cites.

A chain is a sequence of claims. Each cites clues by the numbers of their events, and claims of
earlier steps; the rules may always be used, unless a step lists the rules that it uses. The form is
that of ``deduce steps --json``, so a proof of deduce is a chain, and a program can write one.

>>> from deduce.logs.problem_text import parse_problem
>>> clues = "clues\n  Ann is red\n  Ann is red iff Ben is blue\n"
>>> hats = parse_problem(f"domains\n  Ann, Ben: red, blue\n{clues}")
>>> judge_steps(Knowledge(hats), [Link("Ben=blue", events=(2,))])
Ruling(step=1, verdict='does not follow', truth='certain', missing=(1,), rules=())
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Constraint, Fact, Knows
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.logs.case_forms import check_form, maybe
from deduce.logs.claims import format_claim
from deduce.problem import Problem, Rule
from deduce.steps.proof import Proof, follows

__all__ = [
    "FAULTS",
    "Link",
    "Ruling",
    "corrupted",
    "judge_steps",
    "links_of",
    "read_link",
    "tampered",
]


LINK = {"claim": str, "events?": maybe([int]), "from?": maybe([str]), "rules?": maybe([str])}
"""The form of a step in a file."""


@frozen
class Link:
    """A step of a chain: a claim, and what it is said to follow from.

    Parameters
    ----------
    claim
        A claim as text, such as ``"Ann=red"``.
    events
        The numbers of the clues that it cites.
    earlier
        The claims of earlier steps that it cites.
    rules
        The sentences of the rules that it cites; ``None``: all rules may be used.
    """

    claim: str
    events: tuple[int, ...] = ()
    earlier: tuple[str, ...] = ()
    rules: tuple[str, ...] | None = None


@frozen
class Ruling:
    """What is wrong with the first step of a chain that is not right.

    Parameters
    ----------
    step
        Its number, from 1; ``None``: every step is right.
    verdict
        ``"right"``; ``"does not follow"``: not from what it cites; ``"unknown citation"``: an event
        or a rule that does not exist; ``"not yet stated"``: no earlier step has a cited claim.
    truth
        Whether the claim follows from the whole problem: ``"certain"``, ``"impossible"``,
        ``"open"``, or ``"undecided"`` where the budget did not suffice.
    missing
        The fewest further events from which the claim would follow with all rules, where it is
        certain; ``None``: not decided within the budget.
    rules
        The sentences of the rules that are missing too, where the step lists the ones it uses.
    """

    step: int | None
    verdict: str
    truth: str = "certain"
    missing: tuple[int, ...] | None = ()
    rules: tuple[str, ...] = ()


def judge_steps(
    knowledge: Knowledge, chain: Sequence[Link], *, marks: Sequence[str] = ()
) -> Ruling:
    """Return what is wrong with the first step of a chain that does not follow.

    Parameters
    ----------
    knowledge
        What the chain is about.
    chain
        The steps.
    marks
        Claims that count as stated before the first step.

    Raises
    ------
    BadInput
        A claim cannot be read, a mark is not certain, or the problem contradicts itself: everything
        follows then.
    Undecided
        The budget does not suffice for a step.

    Notes
    -----
    Cost: a question of consistency for each step, in small problems less than a millisecond.
    """
    if not knowledge.is_consistent():
        raise BadInput("the problem contradicts itself, so every claim follows from it")
    problem = knowledge.problem
    numbers = {piece.event for piece in problem.evidence} - {None}
    sentences = {str(rule) for rule in problem.rules}
    sentences |= {str(piece) for piece in problem.evidence if piece.event is None}
    stated = {_claim(knowledge, text) for text in marks}
    for mark in stated:
        if not knowledge.is_certain(mark):
            raise BadInput(f"the mark is not certain: {knowledge.say(mark)}")
    for number, link in enumerate(chain, start=1):
        claim = _claim(knowledge, link.claim)
        cited = [_claim(knowledge, text) for text in link.earlier]
        verdict = "right"
        if not numbers.issuperset(link.events) or not sentences.issuperset(link.rules or ()):
            verdict = "unknown citation"
        elif not stated.issuperset(cited):
            verdict = "not yet stated"
        elif not follows(knowledge, claim, link.events, cited, link.rules):
            verdict = "does not follow"
        if verdict != "right":
            known = [one for one in cited if one in stated]
            return Ruling(number, verdict, *_needed(knowledge, link, known, claim))
        stated.add(claim)
    return Ruling(None, "right")


def _claim(knowledge: Knowledge, text: str) -> Constraint:
    """Return a claim; facts that state the same are equal."""
    claim = knowledge.claim(text)
    if isinstance(claim, Knows):
        raise BadInput(f"a step states what is so, not what players know: {text.strip()!r}")
    if isinstance(claim, Fact):
        return Fact(claim.variable, knowledge.problem.values_of(claim))
    return claim


def _needed(
    knowledge: Knowledge, link: Link, known: Sequence[Constraint], claim: Constraint
) -> tuple[str, tuple[int, ...] | None, tuple[str, ...]]:
    """Return the truth of a claim, and the fewest events and the rules that a link lacks for it."""
    problem = knowledge.problem
    try:
        if not knowledge.is_certain(claim):
            return "open" if knowledge.is_possible(claim) else "impossible", (), ()
    except Undecided:
        return "undecided", None, ()
    given = [p for p in problem.evidence if p.event in (*link.events, None)]
    others = [p for p in problem.evidence if p.event not in (*link.events, None)]
    rules = (*problem.rules, *(Rule(p.constraint) for p in given), *map(Rule, known))
    try:
        whole = Knowledge(Problem(problem.domains, rules, others), budget=knowledge.budget)
        found = whole.why(claim)
    except Undecided:
        return "certain", None, ()
    listed = {str(rule) for rule in problem.rules} - {*(link.rules or ())}
    lacking = () if link.rules is None else tuple(r for r in found.rules if r in listed)
    return "certain", found.events, lacking


def links_of(proof: Proof) -> list[Link]:
    """Return a proof as a chain, which is right."""
    problem = proof.knowledge.problem
    return [
        Link(
            format_claim(problem, step.claim),
            step.events,
            tuple(format_claim(problem, claim) for claim in step.earlier),
            step.rules,
        )
        for step in proof
        if step.claim is not None
    ]


def read_link(document: object) -> Link:
    """Return the step that an object of a file states.

    Raises
    ------
    BadInput
        It has other fields, or values of other types.
    """
    check_form(document, LINK, "step")
    fields: dict[str, Any] = document  # type: ignore[assignment]
    events, earlier, rules = (fields.get(name) for name in ("events", "from", "rules"))
    used = None if rules is None else tuple(rules)
    return Link(fields["claim"], tuple(events or ()), tuple(earlier or ()), used)


FAULTS = ("conclusion", "dropped", "exchanged", "circular", "negated", "early")
"""Faults of `corrupted`: another claim, a citation dropped, another one in its place, a step
that cites itself, the opposite of the claim, a true claim before it can be proved."""


def corrupted(
    knowledge: Knowledge, chain: Sequence[Link], fault: str, random: Random
) -> tuple[list[Link], int] | None:
    """Return a right chain with a fault in it, and the number of the first step that is wrong.

    ``None``: no step of the chain can have this fault. Steps before the fault stay as they are, so
    they are right; that the faulty one is wrong has been checked by `judge_steps`.
    """
    for trial, number in tampered(knowledge, chain, fault, random):
        if judge_steps(knowledge, trial).step == number:
            return trial, number
    return None


def tampered(
    knowledge: Knowledge, chain: Sequence[Link], fault: str, random: Random
) -> Iterator[tuple[list[Link], int]]:
    """Yield chains in which a step is changed, and its number; some may be right all the same."""
    events = sorted({p.event for p in knowledge.problem.evidence if p.event is not None})
    for place in random.sample(range(len(chain)), len(chain)):
        link = chain[place]
        first, skipped = place, 1
        changed: Link | None = None
        match fault:
            case "conclusion" if place + 1 < len(chain):
                changed = evolve(link, claim=random.choice(chain[place + 1 :]).claim)
            case "dropped" if link.events or link.earlier:
                drop = random.randrange(len(link.events) + len(link.earlier))
                rest = [*link.events, *link.earlier]
                del rest[drop]
                changed = evolve(
                    link,
                    events=tuple(one for one in rest if isinstance(one, int)),
                    earlier=tuple(one for one in rest if isinstance(one, str)),
                )
            case "exchanged" if link.events and len(events) > len(link.events):
                other = random.choice([n for n in events if n not in link.events])
                changed = evolve(link, events=(*link.events[1:], other))
            case "circular":
                changed = evolve(link, earlier=(*link.earlier, link.claim), events=())
            case "negated" if " or " not in link.claim:
                old, new = ("!=", "=") if "!=" in link.claim else ("=", "!=")
                changed = evolve(link, claim=link.claim.replace(old, new, 1))
            case "early" if place:
                first, skipped, changed = random.randrange(place), 0, link
        if changed is not None:
            yield [*chain[:first], changed, *chain[first + skipped :]], first + 1
