"""What a game states about the questions that can be asked, against its own evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from deduce.errors import BadInput
from deduce.game import Questions, Rated, hook
from deduce.knowledge import Knowledge
from deduce.policy.inquiries import (
    Inquiry,
    answers_to,
    can_ask,
    ends,
    event_of,
    format_answer,
    format_inquiry,
    inquiries_of,
    scope_of,
)
from deduce.problem import World, is_true

__all__ = ["check_asking"]

MAX_ASKED = 4
"""How many questions of each viewer are looked at."""

WORLDS = 6
"""In how many other worlds they are answered."""

Expect = Callable[[object, str], None]


def check_asking(knowledge: Knowledge, world: World, seed: int, expect: Expect) -> None:
    """Expect that questions are answered by the world, and that asking is an event that fits.

    Parameters
    ----------
    knowledge
        What a viewer knows; a viewer who cannot ask is left out.
    world
        The deal.
    seed
        Chooses the questions and the other worlds.
    expect
        Is called with each expectation and what is wrong if it does not hold.

    Raises
    ------
    Undecided
        The budget ran out.
    """
    game: Any = knowledge.game
    if not can_ask(game):
        return
    try:
        asked = inquiries_of(knowledge)
    except BadInput as error:
        expect("cannot" in error.message, f"inquiries(): {error}")
        return
    random = Random(seed)
    others = knowledge.sample(WORLDS, seed=seed)
    for inquiry in random.sample(asked, min(MAX_ASKED, len(asked))):
        name = f"the question {format_inquiry(game, inquiry)!r}"
        try:
            given = answers_to(game, inquiry, world)
        except BadInput as error:
            expect(not error, f"answer(): {error}")
            return
        same = dict(given) == dict(answers_to(game, inquiry, dict(world)))
        expect(same, f"{name} is answered differently in the same world")
        for answer, _ in given:
            expect(format_answer(game, inquiry, answer), f"an answer to {name} has no text")
        _check_scope(game, inquiry, world, others, name, expect)
        _check_table(game, inquiry, [world, *others], name, expect)
        _check_facts(game, inquiry, [world, *others], name, expect)
        if hook(game, Questions.event_of):
            answer = random.choice(given)[0]
            if not ends(game, inquiry, answer):
                _check_event(knowledge, inquiry, answer, [world, *others], name, expect)


def _check_scope(
    game: Any, inquiry: Inquiry, world: World, others: Sequence[World], name: str, expect: Expect
) -> None:
    """Expect that the answer depends on nothing but the variables of the scope."""
    scope = scope_of(game, inquiry)
    if scope is None:
        return
    missing = [variable for variable in scope if variable not in world]
    expect(not missing, f"the scope of {name} names variables that do not exist: {missing}")
    given = dict(answers_to(game, inquiry, world))
    for other in others:
        mixed = {**other, **{variable: world[variable] for variable in scope}}
        same = dict(answers_to(game, inquiry, mixed)) == given
        expect(same, f"the answer to {name} depends on more than its scope")


def _check_table(
    game: Any, inquiry: Inquiry, worlds: Sequence[World], name: str, expect: Expect
) -> None:
    """Expect that the table of answers has the single answers."""
    table = hook(game, Rated.answer_table)
    if table is None:
        return
    independent, joined = hook(game, Rated.independent), hook(game, Rated.joined)
    if independent is not None and joined is not None:
        for world in worlds:
            alone = [{v: world[v] for v in group} for group in independent()]
            tables: list[Any] = [table((inquiry,), [part]) for part in alone]
            answer = joined([answers[codes[0][0]] for answers, codes in tables])
            same = answers_to(game, inquiry, world)[0][0] == answer
            expect(same, f"the answers of independent groups and answer() differ on {name}")
    answers, codes = table((inquiry,), worlds)
    for world, code in zip(worlds, codes[0], strict=True):
        same = answers_to(game, inquiry, world)[0][0] == answers[code]
        expect(same, f"answer_table() and answer() differ on {name}")


def _check_facts(
    game: Any, inquiry: Inquiry, worlds: Sequence[World], name: str, expect: Expect
) -> None:
    """Expect that exactly one fact of the answer holds, and none of any other answer."""
    facts_of = hook(game, Rated.answer_facts)
    if facts_of is None:
        return
    for world in worlds:
        rest, given = [], []
        for answer, facts in facts_of(inquiry).items():
            if facts is None:
                rest.append(answer)
            else:
                given += [answer] * sum(is_true(fact, world) for fact in facts)
        said = answers_to(game, inquiry, world)
        right = len(said) == 1 and (given or rest) == [said[0][0]]
        expect(right, f"answer_facts() and answer() differ on {name}")


def _check_event(
    knowledge: Knowledge,
    inquiry: Inquiry,
    answer: Any,
    worlds: Sequence[World],
    name: str,
    expect: Expect,
) -> None:
    """Expect that the event of an answer leaves exactly the worlds with this answer."""
    game: Any = knowledge.game
    after = knowledge.tell(event_of(game, inquiry, answer))
    text = format_answer(game, inquiry, answer)
    for world in worlds:
        fits = answer in dict(answers_to(game, inquiry, world))
        expect(
            after.problem.holds(world) == fits,
            f"the event of {name}, answered {text!r}, {'excludes' if fits else 'allows'} a world "
            f"in which it {'can' if fits else 'cannot'} be the answer",
        )
