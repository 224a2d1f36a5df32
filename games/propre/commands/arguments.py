"""What the commands share: STATE arguments, the set-up, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import click
from attrs import frozen

from deduce.errors import BadInput
from deduce.events import read_text
from games.propre.rules import Rules
from games.propre.state import State

__all__ = [
    "AS_JSON",
    "EPILOG",
    "SEED",
    "SET",
    "SETTINGS",
    "STATE",
    "Position",
    "position",
    "progress",
    "set_up",
]


SETTINGS = """Set-up (--set NAME=VALUE, repeatable): players, hand, deck='AS 2S ...',
block_everything, literal_run, swap, swap_order=hand|sorted|choice, reshuffle, announce, endless,
ace_suits."""

STATE_HELP = """STATE is a file, - for standard input, or the state itself, in a line or in JSON:

\b
    'hands 2H 6H / 7; pile 9S AS; active 0; AV 2; FC false'

A number in the place of a hand is so many unseen cards; what is not said is usual, and the cards
that are not seen are there to be drawn. A saved game is a state too, with all its history."""
EPILOG = f"{STATE_HELP}\n\n{SETTINGS}"


@frozen
class Position:
    """The position that a command is about."""

    rules: Rules
    state: State
    session: Any = None
    """The saved game that it is the end of, if it is one."""

    def view(self, seat: int | None) -> Any:
        """Return what a seat sees, by default the one at turn."""
        from games.propre.hidden import View

        me = self.state.active if seat is None else seat
        if self.session is not None and 0 <= me < self.rules.players:
            return self.session.views[me]
        return View.of(self.rules, self.state, me)


def position(text: str, settings: Sequence[str]) -> Position:
    """Return the position of a STATE argument."""
    from games.propre.notation import parse_position
    from games.propre.session import Session
    from games.propre.setup import parse_settings

    source = None
    if not text.lstrip().startswith(("{", "hands")):
        text, source = read_text(text)
    if '"deduce/propre-game/1"' in text.partition("\n")[0]:
        session = Session.parse(text, source)
        return Position(session.rules, session.state, session)
    wanted = _settings(settings, parse_settings)
    try:
        rules, state = parse_position(text, wanted)
    except BadInput as error:
        raise error.at(source=source) from error
    return Position(rules, state)


def _settings(settings: Sequence[str], parse: Callable[[Sequence[str]], dict[str, Any]]) -> Any:
    try:
        return parse(settings)
    except BadInput as error:
        raise click.UsageError(str(error)) from error


def set_up(settings: Sequence[str], **usual: Any) -> Rules:
    """Return the set-up of --set alone; a mistake in it is one of usage."""
    from games.propre.setup import parse_rules, parse_settings

    try:
        return parse_rules({**usual, **parse_settings(settings)})
    except BadInput as error:
        raise click.UsageError(str(error)) from error


def progress(what: str) -> Callable[[int, float], None] | None:
    """Return what shows the progress on a terminal; nothing, where nobody looks."""
    if not sys.stderr.isatty():
        return None
    return lambda number, seconds: click.echo(
        f"\r{number} {what}, {seconds:.0f} s \r", nl=False, err=True
    )


SET = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="The set-up.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
STATE = click.argument("state", metavar="STATE", type=click.Path())
SEED = click.option("--seed", default=0, show_default=True, help="For everything random.")
