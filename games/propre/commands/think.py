"""The commands ``solve`` and ``advise``: what is best."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from deduce.errors import BadInput
from deduce.exits import EXIT_UNDECIDED
from games.propre.commands.common import (
    AS_JSON,
    EPILOG,
    SEED,
    SET,
    STATE,
    position,
    progress,
    set_up,
)
from games.propre.rules import Rules
from games.propre.state import State

MOST_STATES = 500_000
"""States of a game that are solved at most: about a gigabyte."""
USUAL_DEPTH = 6
"""Plies that `solve` looks ahead where chance comes in or more than two play."""

__all__ = ["advise", "solve"]


@click.command(epilog=EPILOG)
@click.argument("state", metavar="[STATE]", required=False, type=click.Path())
@click.option("--deal", metavar="CARDS", help="Deal these cards in this order instead.")
@click.option("--depth", type=click.IntRange(1), metavar="D", help="Plies, where chance comes in.")
@click.option(
    "--max-states",
    type=click.IntRange(1),
    default=MOST_STATES,
    show_default=True,
    help="Give up after so many.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Give up after this time, with exit code 4.",
)
@SET
@AS_JSON
def solve(
    state: str | None,
    *,
    deal: str | None,
    depth: int | None,
    max_states: int,
    time_limit: float | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Solve a position with open hands.

    \b
    Example:  deduce propre solve --deal '6H 2H 6S AH AS 2S' --set hand=2
              deduce propre solve 'hands 2H / 6S AH; pile AS; deck 2S; active 0'

    Two players and a known order of the deck: every state is solved by retrograde analysis, and a
    game that never ends is a draw. The pile is not reshuffled unless --set reshuffle=yes. Where
    cards are drawn by chance, or more than two play, the options are searched --depth plies deep.

    Exit code 0: the value is proved; 4: it is not.
    """  # noqa: D301
    from deduce.search import Limits
    from games.propre.game import OpenGame, game_from

    rules, here = _open_position(state, deal, settings)
    game = game_from(rules, here)
    limits = Limits(max_states, time_limit, progress("states"))
    if type(game) is OpenGame and rules.players == 2:
        _solve_all(game, limits, as_json=as_json)
    else:
        _look_ahead(game, depth or USUAL_DEPTH, limits, as_json=as_json)


def _open_position(
    state: str | None, deal: str | None, settings: Sequence[str]
) -> tuple[Rules, State]:
    from games.propre.cards import parse_cards
    from games.propre.notation import HIDDEN

    kept = ["reshuffle=no", *settings]
    if (state is None) == (deal is None):
        raise click.UsageError("give a STATE or --deal CARDS, one of them")
    if state is None:
        cards = parse_cards(deal or "")
        rules = set_up(kept, deck=" ".join(cards))
        return rules, rules.deal(cards)
    found = position(state, kept)
    hidden = [seat for seat, hand in enumerate(found.state.hands) if HIDDEN in hand]
    if hidden:
        raise BadInput(
            f"the hand of seat {hidden[0]} is not known; solve needs open hands, advise does not"
        )
    return found.rules, found.state


def _solve_all(game: Any, limits: Any, *, as_json: bool) -> None:
    from deduce.search import result as forms
    from deduce.search.solvers.choose import solve as solve_all

    solution = solve_all(game, symmetric=True, limits=limits)
    result = solution.result()
    won = [sum(v is not None and v[0] == worth for v in solution.values) for worth in (1, -1, 0)]
    if as_json:
        told = forms.as_json(game, result)
        told["schema"] = "deduce/propre-solution/1"
        told |= {"states": len(solution.space), "won": won[:2], "drawn": won[2]}
        click.echo(json.dumps(told))
    else:
        click.echo(forms.as_text(game, result))
        click.echo(
            f"states     {len(solution.space)}: seat 0 wins {won[0]}, seat 1 wins {won[1]}, "
            f"{won[2]} drawn"
        )
    if not result.proved:
        sys.exit(EXIT_UNDECIDED)


def _look_ahead(game: Any, depth: int, limits: Any, *, as_json: bool) -> None:
    from deduce.search import expectiminimax, maxn
    from deduce.search import result as forms

    search = expectiminimax if game.players == 2 else maxn
    result = search(game, depth=depth, limits=limits)
    if as_json:
        click.echo(json.dumps(forms.as_json(game, result)))
    else:
        click.echo(forms.as_text(game, result))
    if not result.proved:
        sys.exit(EXIT_UNDECIDED)


@click.command(epilog=EPILOG)
@STATE
@click.option("--as", "seat", type=int, metavar="SEAT", help="Whose eyes  [default: at turn]")
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=4.0,
    show_default=True,
    help="Seconds of sampling.",
)
@click.option("--worlds", type=click.IntRange(1), metavar="N", help="At most so many deals.")
@SEED
@SET
@AS_JSON
def advise(
    state: str,
    *,
    seat: int | None,
    time_limit: float,
    worlds: int | None,
    seed: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Advise a player who does not see the other hands.

    \b
    Example:  deduce propre advise 'hands 2H 5D 7C 9S TS JD KC / 7; pile 4H'
              deduce propre advise game.jsonl --as 0

    Deals of the unseen cards are drawn exactly, each is searched as if it lay open, and the deals
    vote. The spread says how much they disagree. Below: for each option that leaves an attack, how
    probable it is that the next player can answer it (exact). Ctrl-C answers from what is there.
    """  # noqa: D301
    from games.propre.players import WORLDS
    from games.propre.players import advise as ask
    from games.propre.show import advice_text, answer_table

    view = position(state, settings).view(seat)
    found = ask(
        view,
        seconds=time_limit,
        worlds=worlds or WORLDS,
        seed=seed,
        progress=progress("deals"),
    )
    answers = view.answers()
    if as_json:
        click.echo(json.dumps(_advice_json(view, found, answers)))
        return
    click.echo(advice_text(view, found))
    best = found.result.best_action
    click.echo(f"best: {best}")
    if answers:
        click.echo()
        click.echo(str(answer_table(answers)))


def _advice_json(view: Any, found: Any, answers: Any) -> dict[str, Any]:
    mover = view.me
    return {
        "schema": "deduce/propre-advice/1",
        "seat": view.me,
        "worlds": found.worlds,
        "stopped": found.result.stopped,
        "best": [str(option) for option in found.result.best_actions],
        "options": [
            {
                "option": str(option),
                "votes": str(ballot.votes),
                "mean": float(ballot.mean[mover]),
                "spread": float(ballot.spread),
                "least": float(ballot.least),
                "most": float(ballot.most),
            }
            for option, ballot in found.ballots.items()
        ],
        "answers": [
            {
                "after": name,
                "seat": answer.seat,
                "AV": answer.attack_value,
                "can_answer": str(answer.any_card),
                "block": str(answer.block),
                "attack": str(answer.attack),
                "pass_on": str(answer.pass_on),
            }
            for name, answer in answers
        ],
    }
