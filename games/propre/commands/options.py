"""The commands ``options`` and ``unseen``: what may be played, and where the other cards may be."""

from __future__ import annotations

import click

from deduce.commands.output import end_with, json_option, print_answer, print_json
from deduce.errors import BadInput
from deduce.exits import EXIT_NO
from deduce.show.jsonable import shares_json
from deduce.text import plural
from games.propre.cards import HIDDEN, parse_cards
from games.propre.commands.arguments import AS_SEAT, EPILOG, SET, STATE, position
from games.propre.explain import explain_card
from games.propre.notation import state_to_json
from games.propre.rules import Rules
from games.propre.show import refusals, table_text, unseen_table
from games.propre.state import State

__all__ = ["options", "unseen"]


@click.command("options", epilog=EPILOG)
@STATE
@click.option("--why", metavar="CARD", help="Explain why a card may or may not be played.")
@SET
@json_option
def options(state: str, *, why: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """List the options of the player at turn, and why the other cards are refused.

    \b
    Example:  deduce propre options 'hands 2H 6H / 6S AH; pile 9S AS; FC false'
              deduce propre options STATE --why 6H

    With --why the exit code is 0 if the card may be played, else 1.
    """  # noqa: D301
    known = position(state, settings)
    rules, here = known.rules, known.state
    if HIDDEN in here.hand:
        raise BadInput(f"the hand of seat {here.active}, who is at turn, must be known")
    legal = rules.options(here)
    playable = {option.card for option in legal if option.kind != "try"}
    cards = parse_cards(why) if why is not None else ()
    if why is not None and len(cards) != 1:
        raise click.UsageError("--why takes one card, such as 7D")
    refused = [card for card in dict.fromkeys(here.hand) if card not in playable]
    if as_json:
        reasons = {
            card: {
                option.kind: [{"paragraph": n.paragraph, "sentence": n.sentence} for n in failed]
                for option, failed in explain_card(rules, here, card).items()
                if failed
            }
            for card in (cards or refused)
        }
        print_json(
            {
                "schema": "deduce/propre-options/1",
                "state": state_to_json(here),
                "options": [option._asdict() for option in legal],
                "refused": reasons,
            }
        )
    elif why is not None:
        click.echo("\n".join(refusals(rules, here, cards[0])))
    else:
        click.echo(table_text(here))
        for option in legal:
            click.echo(f"  {option}")
        for card in refused:
            click.echo(f"  {card} is refused: {'; '.join(_reasons(rules, here, card))}")
        if not legal:
            click.echo(f"  no option: {_no_option(here)}")
    if why is not None and cards[0] not in playable:
        end_with(EXIT_NO)


def _reasons(rules: Rules, state: State, card: str) -> list[str]:
    """Return the reasons against a card by any option, each once."""
    failed = explain_card(rules, state, card).values()
    return list(dict.fromkeys(str(need) for needs in failed for need in needs))


def _no_option(state: State) -> str:
    if state.winner >= 0:
        return f"the game is over, seat {state.winner} has won"
    return f"seat {state.active} must still draw {plural(state.due, 'card')}"


@click.command(epilog=EPILOG)
@STATE
@AS_SEAT
@SET
@json_option
def unseen(state: str, *, seat: int | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Show where the unseen cards may be, and how probably.

    \b
    Example:  deduce propre unseen 'hands 2H 5D 7C 9S TS JD KC / 7 / 3; pile 4H'
              deduce propre unseen game.jsonl --as 0

    A saved game includes its history: after a reshuffle, which cards were in hands and which were
    not. A bare state does not.
    """  # noqa: D301
    seen = position(state, settings).seen_from(seat)
    known = seen.knowledge if seen.groups else None
    document = {
        "schema": "deduce/propre-unseen/1",
        "seat": seen.me,
        "deals": str(known.count() if known else 1),
        "shares": shares_json(known.shares()) if known else {},
    }
    print_answer(document, [unseen_table(seen)], as_json=as_json)
