"""The options of every command that advises what to ask, and looking two turns ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from deduce.commands.numbers import MAX_SAMPLES, Whole

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from deduce.policy.inquiries import Inquiry
    from deduce.show.table import Table

__all__ = ["advice_options", "turns_ahead"]

F = TypeVar("F", bound=Callable[..., Any])

MAX_AHEAD = 5
"""How many questions are looked at two turns ahead."""


def advice_options(worlds: str) -> Callable[[F], F]:
    """Return a decorator with the options that all such commands have.

    Parameters
    ----------
    worlds
        What the worlds of the game are called: worlds, deals.
    """
    options = [
        click.option("--uniform", is_flag=True, help=f"Give all {worlds} the same weight."),
        click.option(
            "--samples",
            type=Whole(0, MAX_SAMPLES),
            metavar="N",
            help=f"Estimate from N random {worlds}; 0: exact, however long it takes. "
            "[default: exact, unless that takes more than a few seconds]",
        ),
        click.option(
            "--seed",
            type=Whole(),
            default=0,
            show_default=True,
            help="The same seed, the same estimate.",
        ),
        click.option(
            "--limit", type=Whole(1), default=10, show_default=True, help="How many to show."
        ),
        click.option(
            "--turns",
            type=Whole(1, 2),
            default=1,
            show_default=True,
            help=f"2: also look at the best next question after each answer to the best "
            f"{MAX_AHEAD}, and state the reason in words.",
        ),
    ]

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def turns_ahead(
    knowledge: Knowledge, ranking: Iterable[tuple[Inquiry, float]], turns: int, **options: Any
) -> tuple[dict[str, Any], list[Table | str]]:
    """Return the field of the JSON document and the lines for two turns; nothing for one.

    Parameters
    ----------
    knowledge
        What the player who asks knows.
    ranking
        The questions with their expected information, the best first.
    turns
        1 or 2.
    options
        As of `deduce.policy.ahead.two_turns`.
    """
    if turns < 2:
        return {}, []
    from deduce.policy.ahead import different, two_turns
    from deduce.show.table import Table

    looked = two_turns(knowledge, different(ranking, MAX_AHEAD), **options)
    if not looked or not looked[0].rated.outcomes:
        return {"ahead": []}, []
    rows = [
        [each.rated.text, f"{each.rated.gain_bits:.3f} bits", f"{each.both_bits:.3f} bits"]
        for each in looked
    ]
    head = ("question", "information", "with the next")
    document = [
        {
            "question": each.rated.text,
            "gain_bits": each.rated.gain_bits,
            "two_turns_bits": each.both_bits,
            "after": {
                outcome.text: text or None
                for outcome, text in zip(each.rated.outcomes, each.after, strict=True)
            },
        }
        for each in looked
    ]
    reason = looked[0].reason()
    return {"ahead": document, "reason": reason}, [
        Table(head, rows, "\nTwo turns ahead"),
        f"{reason}.",
    ]
