"""The commands about the others: what they know, which card to show them, accuse or wait."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from deduce.commands import Ask, complete
from deduce.errors import BadInput, Undecided
from deduce.exits import EXIT_UNDECIDED
from deduce.knowledge import Knowledge
from games.cluedo.events import Suggestion
from games.cluedo.knowledge import game_of
from games.cluedo.notation.names import Names
from games.cluedo.notation.tokens import tokens
from games.cluedo.opponents import showing, views
from games.cluedo.opponents.accusing import TURNS, DecisionWork
from games.cluedo.opponents.minds import MindsWork
from games.cluedo.opponents.show import (
    ROWS,
    decision_json,
    decision_tables,
    minds_json,
    minds_tables,
    showing_json,
    showing_table,
)
from games.cluedo.opponents.showing import ShowingWork
from games.cluedo.opponents.views import Work

__all__ = ["COMMANDS", "player_named"]

T = TypeVar("T")
Command = Callable[..., bool | None]

SEED = click.option("--seed", type=int, default=0, show_default=True, help="Repeats the draws.")


def _samples(usual: int) -> Callable[[Command], Command]:
    return click.option(
        "--samples",
        type=click.IntRange(min=0),
        metavar="N",
        help="Draw N deals; 0: exact, however long it takes. "
        f"[default: exact while that is small, else {usual}]",
    )


@click.option(
    "--mind",
    "players",
    multiple=True,
    metavar="PLAYER",
    shell_complete=complete.players,
    help="Only this one; repeats.",
)
@_samples(views.DRAWN)
@SEED
@click.option(
    "--limit", type=click.IntRange(min=1), default=ROWS, show_default=True, help="Cards of each."
)
def minds(ask: Ask, *, players: Sequence[str], samples: int | None, seed: int, limit: int) -> None:
    r"""Say what each opponent knows: certainly, perhaps, and how far he has come.

    \b
    Example:  deduce cluedo minds LOGFILE
              deduce cluedo minds --mind ben --limit 20 LOGFILE

    In each of my deals an opponent has a hand and has seen certain cards; with these and with what
    is public he reasons exactly. Over all my deals, by the posterior: how many solutions are
    possible to him on average; how probable it is that only one is, so that he can name it; which
    cards he has certainly placed, and which perhaps. His own hand is left out.
    """
    typed = dict.fromkeys(player_named(ask.knowledge, name, "--mind") for name in players)
    chosen = list(typed) or None
    work = _usage(lambda: MindsWork(ask.knowledge, chosen, samples=samples, seed=seed))
    found, stopped = _worked(work)
    document = minds_json(found) | {"seed": seed}
    ask.answer(document, *minds_tables(found, limit))
    _stop(stopped)


@click.argument("suggestion", metavar="SUGGESTION")
@_samples(showing.DRAWN)
@SEED
def show_card(ask: Ask, *, suggestion: str, samples: int | None, seed: int) -> None:
    r"""Rank the cards that I may show to a suggestion: the one that tells least first.

    \b
    Example:  deduce cluedo show-card 'Ben: plum rope hall; Cid -' LOGFILE
              deduce cluedo show-card 'Ben: plum rope hall -> me' LOGFILE

    SUGGESTION is written as in the log, with the answers before mine; it is not in the log yet.
    The best card leaves the asker most open: in each of my deals, and with the cards that he may
    have seen in it (those that I showed him too), the entropy of the solution that is left to him
    after he sees the card, on average in bits.
    """
    try:
        event = game_of(ask.knowledge).parse_event(suggestion)
    except BadInput as error:
        raise click.BadParameter(str(error), param_hint="'SUGGESTION'") from None
    if not isinstance(event, Suggestion):
        wanted = "a suggestion is wanted, such as 'Ben: plum rope hall; Cid -'"
        raise click.BadParameter(wanted, param_hint="'SUGGESTION'")
    work = _usage(lambda: ShowingWork(ask.knowledge, event, samples=samples, seed=seed))
    found, stopped = _worked(work)
    document = showing_json(found) | {"seed": seed}
    ask.answer(document, showing_table(found))
    _stop(stopped)


@click.option(
    "--turns",
    type=click.IntRange(min=0),
    default=TURNS,
    show_default=True,
    metavar="N",
    help="How many more turns may come to me, and how far to look; 0: this is the last.",
)
@click.option(
    "--out",
    multiple=True,
    metavar="PLAYER",
    shell_complete=complete.players,
    help="Who may not accuse any more; repeats.",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play on from N deals. [default: 100]",
)
@SEED
def accuse(ask: Ask, *, turns: int, out: Sequence[str], samples: int | None, seed: int) -> bool:
    r"""Say whether to accuse now or to wait, and what wins how often.

    \b
    Example:  deduce cluedo accuse LOGFILE
              deduce cluedo accuse --turns 0 LOGFILE

    It is my turn, and I have suggested. Accusing now wins as often as the best solution is true.
    What waiting wins is reckoned by playing on from my deals: everybody names cards that he cannot
    rule out, is answered truly, and accuses when he is certain; I accuse what is most probable at
    my next turn, or the one after, and so on. Whose wrong accusation is in the log plays no more.

    Exit code 0: accuse. 1: wait.
    """
    gone = [player_named(ask.knowledge, typed, "--out") for typed in out]
    work = _usage(
        lambda: DecisionWork(ask.knowledge, turns=turns, out=gone, samples=samples, seed=seed)
    )
    found, stopped = _worked(work)
    document = decision_json(found) | {"seed": seed}
    ask.answer(document, *decision_tables(found))
    _stop(stopped)
    return found.accuse


COMMANDS: dict[str, Command] = {
    "minds": minds,
    "show-card": show_card,
    "accuse": accuse,
}
"""The commands by name, for the group of Cluedo."""


def player_named(knowledge: Knowledge, typed: str, option: str) -> str:
    """Return the player that is typed; who does not exist is wrong usage of the option."""
    try:
        return Names("player", game_of(knowledge).players).find(tokens(typed))
    except BadInput as error:
        raise click.BadParameter(error.message, param_hint=f"'{option}'") from None


def _usage(begin: Callable[[], T]) -> T:
    """Return the work that is begun; what cannot be asked is wrong usage."""
    try:
        return begin()
    except BadInput as error:
        raise click.UsageError(error.message) from None


def _worked(work: Work[T]) -> tuple[T, str | None]:
    """Return what is known in the end, or when it was stopped, and then why."""
    shown = sys.stderr.isatty()
    began = told = time.monotonic()
    stopped = None
    try:
        for done, total in work.steps():
            now = time.monotonic()
            if shown and now - began > 1 and now - told > 0.2:
                told = now
                click.echo(
                    f"\r{done} of {total} (Ctrl-C: what is known so far) ", nl=False, err=True
                )
    except KeyboardInterrupt:
        stopped = "interrupted"
    except Undecided as error:
        stopped = str(error)
    if told > began:
        click.echo("\r\x1b[K", nl=False, err=True)
    return work.result(), stopped


def _stop(reason: str | None) -> None:
    """End with the exit code for what was stopped, if it was."""
    if reason is not None:
        click.echo(f"undecided: {reason}; this is what was known by then", err=True)
        click.get_current_context().exit(EXIT_UNDECIDED)
