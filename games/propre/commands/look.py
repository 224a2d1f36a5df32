"""The commands ``options`` and ``unseen``: what is there."""

from __future__ import annotations

import json
import sys

import click

from deduce.errors import BadInput
from deduce.exits import EXIT_NO
from games.propre.commands.common import (
    AS_JSON,
    EPILOG,
    SET,
    STATE,
    position,
)
from games.propre.rules import Rules
from games.propre.state import State

__all__ = ["options", "unseen"]


@click.command("options", epilog=EPILOG)
@STATE
@click.option("--why", metavar="CARD", help="Say why a card may or may not be played.")
@SET
@AS_JSON
def options(state: str, *, why: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """List the options of the player at turn, and why the other cards are refused.

    \b
    Example:  deduce propre options 'hands 2H 6H / 6S AH; pile 9S AS; FC false'
              deduce propre options STATE --why 6H

    With --why the exit code is 0 if the card may be played, else 1.
    """  # noqa: D301
    from games.propre.cards import parse_cards
    from games.propre.explain import explain_card
    from games.propre.notation import HIDDEN, state_to_json
    from games.propre.show import refusals, table_text

    found = position(state, settings)
    rules, here = found.rules, found.state
    if HIDDEN in here.hand:
        raise BadInput(f"the hand of seat {here.active}, who is at turn, must be known")
    legal_options = rules.options(here)
    legal = {option.card for option in legal_options}
    asked = parse_cards(why) if why is not None else ()
    if why is not None and len(asked) != 1:
        raise click.UsageError("--why takes one card, such as 7D")
    refused = [card for card in dict.fromkeys(here.hand) if card not in legal]
    if as_json:
        reasons = {
            card: {
                option.kind: [{"paragraph": n.paragraph, "sentence": n.sentence} for n in failed]
                for option, failed in explain_card(rules, here, card).items()
                if failed
            }
            for card in (asked or refused)
        }
        told = {
            "schema": "deduce/propre-options/1",
            "state": state_to_json(here),
            "options": [option._asdict() for option in legal_options],
            "refused": reasons,
        }
        click.echo(json.dumps(told))
    elif why is not None:
        click.echo("\n".join(refusals(rules, here, asked[0])))
    else:
        click.echo(table_text(here))
        for option in legal_options:
            click.echo(f"  {option}")
        for card in refused:
            click.echo(f"  {card} is refused: {'; '.join(_merged(rules, here, card))}")
        if not legal_options:
            click.echo("  no option: " + _no_option(here))
    if why is not None and asked[0] not in legal:
        sys.exit(EXIT_NO)


def _merged(rules: Rules, state: State, card: str) -> list[str]:
    """Return the reasons against a card by any option, each once."""
    from games.propre.explain import explain_card

    every = explain_card(rules, state, card).values()
    return list(dict.fromkeys(str(need) for failed in every for need in failed))


def _no_option(state: State) -> str:
    if state.winner >= 0:
        return f"the game is over, seat {state.winner} has won"
    return f"seat {state.active} has {state.due} cards to draw"


@click.command(epilog=EPILOG)
@STATE
@click.option("--as", "seat", type=int, metavar="SEAT", help="Whose eyes  [default: at turn]")
@SET
@AS_JSON
def unseen(state: str, *, seat: int | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Show where the cards that a player does not see may lie, and how probably.

    \b
    Example:  deduce propre unseen 'hands 2H 5D 7C 9S TS JD KC / 7 / 3; pile 4H'
              deduce propre unseen game.jsonl --as 0

    A saved game knows its history: after a reshuffle, which cards were in hands and which were
    not. A bare state does not.
    """  # noqa: D301
    from deduce.show.jsonable import shares_json
    from deduce.show.table import print_table
    from games.propre.show import unseen_table

    view = position(state, settings).view(seat)
    if as_json:
        known = view.knowledge if view.groups else None
        told = {
            "schema": "deduce/propre-unseen/1",
            "seat": view.me,
            "deals": str(known.count() if known else 1),
            "shares": shares_json(known.shares()) if known else {},
        }
        click.echo(json.dumps(told))
        return
    print_table(unseen_table(view))
