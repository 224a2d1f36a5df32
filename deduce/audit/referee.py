r"""A referee of chains of reasoning: the first step that does not follow from what it cites.

A chain is a sequence of claims. Each cites clues by the numbers of their events, and claims of
earlier steps; the rules may always be used, unless a step lists the rules that it uses. The form is
that of ``deduce steps --json``, so a proof of deduce is a chain, and a program can write one.

>>> from deduce.logs.problem_text import parse_problem
>>> clues = "clues\n  Ann is red\n  Ann is red iff Ben is blue\n"
>>> hats = parse_problem(f"domains\n  Ann, Ben: red, blue\n{clues}")
>>> judge_steps(Knowledge(hats), [Link("Ben=blue", events=(2,))])
Ruling(step=1, verdict='does not follow', truth='certain', missing=(1,))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Constraint
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.claims import format_claim
from deduce.problem import Problem, Rule
from deduce.reasoning.queries import negations
from deduce.steps.proof import Proof

__all__ = ["FAULTS", "Link", "Ruling", "corrupted", "judge_steps", "links_of", "read_link"]


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
        Whether the claim follows from the whole problem: ``"certain"``, ``"impossible"`` or
        ``"open"``.
    missing
        The fewest further events from which the claim would follow, where it is certain.
    """

    step: int | None
    verdict: str
    truth: str = "certain"
    missing: tuple[int, ...] = ()


def judge_steps(knowledge: Knowledge, chain: Sequence[Link]) -> Ruling:
    """Return what is wrong with the first step of a chain that does not follow.

    Raises
    ------
    BadInput
        A claim cannot be read, or the problem contradicts itself: everything follows then.
    """
    if not knowledge.is_consistent():
        raise BadInput("the problem contradicts itself, so every claim follows from it")
    problem = knowledge.problem
    numbers = {piece.event for piece in problem.evidence}
    sentences = {str(rule) for rule in problem.rules}
    stated: dict[str, Constraint] = {}
    for number, link in enumerate(chain, start=1):
        claim = knowledge.claim(link.claim)
        cited = [format_claim(problem, knowledge.claim(text)) for text in link.earlier]
        verdict = "right"
        if not numbers.issuperset(link.events) or not sentences.issuperset(link.rules or ()):
            verdict = "unknown citation"
        elif not stated.keys() >= {*cited}:
            verdict = "not yet stated"
        else:
            known = [stated[text] for text in cited]
            if not _follows(knowledge, link, known, claim):
                verdict = "does not follow"
        if verdict != "right":
            truth = knowledge.why(claim).verdict
            known = [stated[text] for text in cited if text in stated]
            needed = _missing(knowledge, link, known, claim) if truth == "certain" else ()
            return Ruling(number, verdict, truth, needed)
        stated[format_claim(problem, claim)] = claim
    return Ruling(None, "right")


def _cited(problem: Problem, link: Link, known: Sequence[Constraint]) -> Iterator[Rule]:
    """Yield what a link may use, as rules."""
    yield from (rule for rule in problem.rules if link.rules is None or str(rule) in link.rules)
    for piece in problem.evidence:
        if piece.event in link.events or piece.event is None:
            yield Rule(piece.constraint)
    yield from map(Rule, known)


def _follows(
    knowledge: Knowledge, link: Link, known: Sequence[Constraint], claim: Constraint
) -> bool:
    """Return whether no world of what a link cites lacks its claim."""
    cited = Problem(knowledge.problem.domains, tuple(_cited(knowledge.problem, link, known)))
    alone = Knowledge(cited, budget=knowledge.budget)
    return not any(alone.is_possible(opposite) for opposite in negations(claim))


def _missing(
    knowledge: Knowledge, link: Link, known: Sequence[Constraint], claim: Constraint
) -> tuple[int, ...]:
    """Return the fewest further events that a certain claim needs, with all rules."""
    problem = knowledge.problem
    rules = tuple(_cited(problem, evolve(link, rules=None), known))
    others = [piece for piece in problem.evidence if piece.event not in (*link.events, None)]
    return Knowledge(Problem(problem.domains, rules, others)).why(claim).events


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
    match document:
        case {"claim": str(claim), **others} if isinstance(others, Mapping):
            lists: dict[str, Any] = {
                name: others.get(name) for name in ("events", "from", "rules") if name in others
            }
            events, earlier, rules = (lists.get(name) for name in ("events", "from", "rules"))
            for words, kind in ((events, int), (earlier, str), (rules, str)):
                if words is not None and not (
                    isinstance(words, list) and all(type(word) is kind for word in words)
                ):
                    raise BadInput(
                        "events is a list of whole numbers; from and rules are lists of texts"
                    )
            return Link(
                claim,
                tuple(events or ()),
                tuple(earlier or ()),
                None if rules is None else tuple(rules),
            )
    raise BadInput('expected {"claim": "Ann=red", "events": [1], "from": ["Ben=blue"]}')


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
    places = list(range(len(chain)))
    random.shuffle(places)
    events = sorted({p.event for p in knowledge.problem.evidence if p.event is not None})
    for place in places:
        link = chain[place]
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
            case "negated" if "!=" in link.claim:
                changed = evolve(link, claim=link.claim.replace("!=", "=", 1))
            case "negated" if " or " not in link.claim:
                changed = evolve(link, claim=link.claim.replace("=", "!=", 1))
            case "early" if place:
                first = random.randrange(place)
                trial = [*chain[:first], link, *chain[first:]]
                if judge_steps(knowledge, trial).step == first + 1:
                    return trial, first + 1
        if changed is not None:
            trial = [*chain[:place], changed, *chain[place + 1 :]]
            if judge_steps(knowledge, trial).step == place + 1:
                return trial, place + 1
    return None
