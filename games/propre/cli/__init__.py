"""The commands of Propreantepenultimate Card, and the arguments and options that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click
from attrs import frozen

from deduce.cli.lazy import LazyGroup
from deduce.cli.numbers import seconds_option, whole_option
from deduce.cli.output import usage
from deduce.errors import placed
from deduce.system.files import read_text

if TYPE_CHECKING:
    from games.propre.evidence import Observation
    from games.propre.playthrough import Playthrough
    from games.propre.rules import Rules
    from games.propre.setup import State

__all__ = [
    "AS_SEAT",
    "EPILOG",
    "OPEN",
    "SEED",
    "SET",
    "SETTINGS",
    "STATE",
    "Position",
    "make_rules",
    "position",
    "propre",
    "require_computers",
    "think_option",
]


SETTINGS = """Set-up (--set NAME=VALUE, repeatable): players, hand, deck='AS 2S ...',
block_everything, literal_run, literal_rm2, swap, short_swap, swap_order=hand|sorted|choice,
reshuffle, announce, talk, endless, ace_suits."""

EPILOG = f"""STATE is a file, - for standard input, or the state itself, in one line or in JSON:

\b
    'hands 2H 6H / 7; pile 9S AS; active 0; AV 2; FC false'

A number in place of a hand means that many unseen cards. Names that are left out have their default
values, and the cards that are not seen are the cards to be drawn. A saved game is a state too, with
its whole history.

{SETTINGS}"""

AS_SEAT = whole_option(
    "--as", "seat", metavar="SEAT", help="The seat that observes  [default: at turn]"
)
OPEN = click.option("--open", "open_hands", is_flag=True, help="Play with open hands.")
SEED = whole_option("--seed", default=0, help="The seed of everything random.")
SET = click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="A value of the set-up."
)


def think_option(default: float) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return the option ``--think``, whose default is ``default`` seconds."""
    help_ = "The time for each option of search and sampling."
    return seconds_option("--think", default=default, help=help_)


STATE = click.argument("state", metavar="STATE", type=click.Path())


@frozen
class Position:
    """The position that a command is about."""

    rules: Rules
    state: State
    game: Playthrough | None = None
    """The saved game whose last state it is, if any."""

    def seen_from(self, seat: int | None) -> Observation:
        """Return what a seat sees, by default the one at turn."""
        from games.propre.evidence import Observation

        me = self.state.active if seat is None else seat
        if self.game is not None and 0 <= me < self.rules.players:
            return self.game.observations[me]
        return Observation.of(self.rules, self.state, me)


def position(text: str, settings: Sequence[str]) -> Position:
    """Return the position of a STATE argument.

    Raises
    ------
    BadInput
        The state cannot be read; with the file if it is in one.
    click.UsageError
        A setting cannot be read.
    """
    from games.propre.notation import parse_position
    from games.propre.playthrough import SCHEMA, Playthrough

    source = None
    if not text.lstrip().startswith(("{", "hands")):
        text, source = read_text(text)
    if f'"{SCHEMA}"' in text.partition("\n")[0]:
        game = Playthrough.parse(text, source)
        return Position(game.rules, game.state, game)
    values = _values(settings)
    with placed(source=source):
        return Position(*parse_position(text, values))


def make_rules(settings: Sequence[str], **defaults: object) -> Rules:
    """Return the rules of a set-up that only --set describes.

    Raises
    ------
    click.UsageError
        A setting cannot be read, or the settings do not fit together.
    """
    from games.propre.notation import parse_rules

    values = {**defaults, **_values(settings)}
    with usage():
        return parse_rules(values)


def _values(settings: Sequence[str]) -> dict[str, object]:
    from games.propre.setup import parse_settings

    with usage():
        return parse_settings(settings)


def require_computers(rules: Rules, names: Sequence[str], *, open_hands: bool) -> None:
    """Raise `click.UsageError` if these computers cannot play with these rules."""
    from games.propre.players import find_player

    with usage():
        for name in names:
            find_player(name)
    if "search" in names and not open_hands:
        raise click.UsageError("the player 'search' needs open hands: add --open")
    if rules.endless:
        raise click.UsageError("a game with an endless deck cannot be played")


@click.group("propre", cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"]})
def propre() -> None:
    """Propreantepenultimate Card: play, solve, and compare options.

    \b
    Examples:  deduce propre play
               deduce propre options 'hands 2H 6H / 6S AH; pile AS; FC false'
               deduce propre solve --deal '6H 2H 6S AH AS 2S' --set hand=2
               deduce propre advise 'hands 2H 5D 7C 9S TS JD KC / 7; pile 4H'
               deduce propre simulate greedy random --games 100

    `deduce search propre` has trees, graphs and every solver for open hands.
    Commands and logs count seats from 0; the page counts players from 1.
    """  # noqa: D301 (click reads the backspace)


for _name, _module, _summary in (
    ("play", "games", "Play against computers."),
    ("options", "positions", "List the options, and why the other cards are refused."),
    ("unseen", "positions", "Show where the unseen cards may be, and how probably."),
    ("steps", "positions", "Show how what is certain of the unseen cards follows."),
    ("solve", "positions", "Solve a position with open hands."),
    ("advise", "positions", "Compare the options of a player with hidden opponents."),
    ("simulate", "games", "Let computers play against each other."),
):
    propre.add_lazy(_name, f"games.propre.cli.{_module}:{_name}", _summary)
