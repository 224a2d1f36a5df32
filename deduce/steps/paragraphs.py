"""The steps of a proof as paragraphs: neighbours with the same reason are taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from deduce.constraints import Fact
from deduce.knowledge import Knowledge
from deduce.steps.proof import Proof, ProofStep
from deduce.steps.words import say_facts
from deduce.text import join

__all__ = ["facts_of", "paragraphs"]


def paragraphs(proof: Proof) -> Iterator[tuple[str, tuple[ProofStep, ...]]]:
    """Yield the steps in a few sentences each; neighbours with the same reason are taken together.

    What one event states is one paragraph; neighbouring events that state the same about different
    variables are taken together as well.
    """
    groups = [tuple(group) for _, group in groupby(proof, key=_group_key)]
    for alike, neighbours in groupby(groups, key=_stated_alike):
        several = list(neighbours)
        if alike is not None and len(several) >= MANY:
            taken = tuple(step for group in several for step in group)
            events = _ranges(list(dict.fromkeys(step.events[0] for step in taken)))
            yield f"Events {events}: {say_facts(proof.knowledge, facts_of(taken))}.", taken
        else:
            for group in several:
                yield _sentence(proof.knowledge, group), group


MANY = 3
"""From this number of neighbouring events on, what they state alike is one paragraph."""


def _stated_alike(group: Sequence[ProofStep]) -> object:
    """Return what an event states about all its variables alike; ``None``: different things."""
    kinds = {(fact.negated, fact.values) for fact in facts_of(group)}
    return kinds.pop() if group[0].given and group[0].events and len(kinds) == 1 else None


def _ranges(numbers: Sequence[int]) -> str:
    """Return increasing numbers as text, three or more in a row as a range.

    >>> _ranges([1, 2, 3, 5, 6, 9])
    '1 to 3, 5, 6 and 9'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return join(parts)


def _group_key(step: ProofStep) -> tuple[object, ...]:
    if step.given:
        return (True, step.events, step.rules)
    if step.suppose is not None:
        return (False, step.claim)
    return (False, step.because, step.events, step.earlier)


def _sentence(knowledge: Knowledge, group: Sequence[ProofStep]) -> str:
    first = group[0]
    facts = facts_of(group)
    if first.given:
        where = f" (event {first.events[0]})" if first.events else ""
        said = list(dict.fromkeys(step.because.removesuffix(where) for step in group))
        start = f"Event {first.events[0]}: " if first.events else ""
        if len(group) > 1 and len(said) == len(group):
            return f"{start}{'; '.join(said)}."
        claims = say_facts(knowledge, facts)
        stated = "; ".join(said)
        return f"{start}{stated}." if stated == claims else f"{start}{stated}: {claims}."
    if len(group) == 1:
        return first.text
    return f"{first.because}; so {say_facts(knowledge, facts)}."


def facts_of(group: Sequence[ProofStep]) -> list[Fact]:
    """Return what a paragraph claims, as far as these are facts and not disjunctions."""
    return [step.claim for step in group if isinstance(step.claim, Fact)]
