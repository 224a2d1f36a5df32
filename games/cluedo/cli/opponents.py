"""Commands about opponents: what they know, which card to show them, accuse or wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from deduce.cli import Ask, complete
from deduce.cli.numbers import MAX_SAMPLES, whole_option
from deduce.cli.output import end_undecided, progress_bar, usage
from deduce.errors import BadInput, Interrupted, Undecided
from deduce.knowledge import Knowledge
from deduce.problem import rate_of
from games.cluedo.events import Suggestion
from games.cluedo.game import game_of
from games.cluedo.names import Names, tokens
from games.cluedo.opponents import opponent, showing
from games.cluedo.opponents.accusing import (
    DRAWN,
    TURNS,
    decision_json,
    decision_steps,
    decision_tables,
)
from games.cluedo.opponents.minds import (
    ROWS,
    mind_steps,
    minds_json,
    minds_tables,
    silence,
    silence_json,
    silence_table,
)
from games.cluedo.opponents.opponent import Steps
from games.cluedo.opponents.showing import showing_json, showing_steps, showing_table

__all__ = ["accuse", "minds", "player_named", "show_card"]


T = TypeVar("T")
Command = Callable[..., bool | None]

SEED = whole_option("--seed", default=0, help="The same seed repeats the draws.")


def _samples(default: int) -> Callable[[Command], Command]:
    return whole_option(
        "--samples",
        low=0,
        high=MAX_SAMPLES,
        metavar="N",
        help="Draw N deals; 0: exact, however long it takes. "
        f"[default: exact if there are few deals, else {default}]",
    )


@click.option(
    "--mind",
    "players",
    multiple=True,
    metavar="PLAYER",
    shell_complete=complete.players,
    help="Only this opponent; can be repeated.",
)
@_samples(opponent.DRAWN)
@SEED
@whole_option("--limit", low=1, default=ROWS, help="Show up to this number of cards for each.")
@click.option(
    "--rational",
    is_flag=True,
    help="Assume that a player who could have accused and did not does not know the solution.",
)
@click.option(
    "--asleep",
    metavar="RATE",
    help="With --rational: the probability that players overlook that they are certain.",
)
def minds(
    ask: Ask,
    *,
    players: Sequence[str],
    samples: int | None,
    seed: int,
    limit: int,
    rational: bool,
    asleep: str | None,
) -> None:
    r"""Show what each opponent knows, certainly and possibly.

    \b
    Example:  deduce cluedo minds LOGFILE
              deduce cluedo minds --mind ben --limit 20 LOGFILE

    In each of my deals an opponent has a hand and has seen certain cards, and reasons exactly from
    these and from what is public. The table shows, over all my deals and by the posterior, how many
    solutions are possible for the opponent on average; how probable it is that only one is, so that
    the opponent can name it; and which holders of cards the opponent knows, certainly or possibly.
    Cards in the opponent's own hand are left out.

    With --rational, it also shows how probable each solution is for me, assuming that players
    accuse at the end of a turn as soon as they are certain. Suggestions are not used as evidence.
    This is exact, and undecided (exit code 4) while very many deals are possible.
    """
    if asleep is not None and not rational:
        raise click.BadParameter("needs --rational", param_hint="'--asleep'")
    with usage("--asleep"):
        rate = rate_of(asleep or 0)
    named = dict.fromkeys(player_named(ask.knowledge, name, "--mind") for name in players)
    steps = mind_steps(ask.knowledge, list(named) or None, samples=samples, seed=seed)
    result, stopped = _run(steps)
    document = minds_json(result) | {"seed": seed}
    parts = minds_tables(result, limit)
    if rational and stopped is None:
        try:
            told = silence(ask.knowledge, asleep=rate)
        except Undecided as error:
            stopped = error
        else:
            document["rational"] = silence_json(told)
            parts.append(silence_table(told, limit))
    ask.answer(document, *parts)
    end_undecided(stopped)


@click.argument("suggestion", metavar="SUGGESTION")
@_samples(showing.DRAWN)
@SEED
def show_card(ask: Ask, *, suggestion: str, samples: int | None, seed: int) -> None:
    r"""Rank the cards that I may show after a suggestion, the least informative first.

    \b
    Example:  deduce cluedo show-card 'Ben: plum rope hall; Cid -' LOGFILE
              deduce cluedo show-card 'Ben: plum rope hall -> me' LOGFILE

    SUGGESTION is written as in the log, with the answers before mine; it is not in the log yet.
    The best card gives the suggester the least information. In each of my deals, and with the cards
    that the suggester may have seen in it (those that I showed included), the entropy of the
    solution is computed as the suggester would see it after this card; the table has the average,
    in bits.
    """
    try:
        event = game_of(ask.knowledge).parse_event(suggestion)
    except BadInput as error:
        raise click.BadParameter(str(error), param_hint="'SUGGESTION'") from None
    if not isinstance(event, Suggestion):
        expected = "this is not a suggestion; for example 'Ben: plum rope hall; Cid -'"
        raise click.BadParameter(expected, param_hint="'SUGGESTION'")
    result, stopped = _run(showing_steps(ask.knowledge, event, samples=samples, seed=seed))
    document = showing_json(result) | {"seed": seed}
    ask.answer(document, showing_table(result))
    end_undecided(stopped)


@whole_option(
    "--turns",
    low=0,
    default=TURNS,
    metavar="N",
    help="How many more turns I may have, and thus how far to look ahead; 0: this is the last.",
)
@click.option(
    "--out",
    multiple=True,
    metavar="PLAYER",
    shell_complete=complete.players,
    help="A player who can no longer accuse; may be repeated.",
)
@whole_option(
    "--samples",
    low=1,
    high=MAX_SAMPLES,
    metavar="N",
    help=f"Play on from N deals. [default: {DRAWN}]",
)
@SEED
def accuse(ask: Ask, *, turns: int, out: Sequence[str], samples: int | None, seed: int) -> bool:
    r"""Show whether to accuse now or to wait, and how often each wins.

    \b
    Example:  deduce cluedo accuse LOGFILE
              deduce cluedo accuse --turns 0 LOGFILE

    It is my turn, and I have suggested. Accusing now wins with the probability of the best
    solution. How often waiting wins is estimated by playing on from my deals: all players name
    cards that they cannot rule out, answer truthfully, and accuse when they are certain; I name the
    most probable solution at my next turn, or the one after, and so on. A player whose wrong
    accusation is in the log does not accuse again.

    Exit code 0: accuse. 1: wait.
    """
    gone = [player_named(ask.knowledge, name, "--out") for name in out]
    steps = decision_steps(ask.knowledge, turns=turns, out=gone, samples=samples, seed=seed)
    result, stopped = _run(steps)
    document = decision_json(result) | {"seed": seed}
    ask.answer(document, *decision_tables(result))
    end_undecided(stopped)
    return result.accuse


def player_named(knowledge: Knowledge, typed: str, option: str) -> str:
    """Return the player that was typed; an unknown name is wrong usage of the option."""
    with usage(option):
        return Names("player", game_of(knowledge).players).find(tokens(typed))


def _run(steps: Steps[T]) -> tuple[T, Undecided | None]:
    """Return the result, and why the work was stopped if it did not reach its end."""
    with usage():
        _, _, result = next(steps)
    stopped: Undecided | None = None
    with progress_bar("steps") as advance:
        try:
            for done, total, result in steps:  # noqa: B007 (the last one)
                advance(done, total=total)
        except KeyboardInterrupt:
            stopped = Interrupted("interrupted; the output is what was known by then")
        except Undecided as error:
            stopped = Undecided(f"{error}; the output is what was known by then")
    return result(), stopped
