"""What happens in a game, one frozen value for each event.

The *public log* of a game consists of the events `Turn` to `End`. A *trace* also has what the log
leaves out: `Draw` is secret; `Declare` and `Suspect` follow from the public events. Under the rules
of the original text `Declare` does not follow and is part of the public log.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, get_args

import attrs
from attrs import frozen

from games.pigs.setup import Role, RuleSet, Side

__all__ = [
    "PUBLIC_EVENTS",
    "At",
    "Declare",
    "Die",
    "Draw",
    "End",
    "EndTurn",
    "Event",
    "Hit",
    "LoseAll",
    "Nullify",
    "PublicEvent",
    "Reply",
    "Reward",
    "Save",
    "Suspect",
    "Turn",
    "Use",
    "public_events",
]


@frozen
class Turn:
    """The seat begins its turn and draws two cards, which no other seat sees."""

    seat: int


@frozen
class EndTurn:
    """The seat ends its turn, since none of its cards is usable now."""

    seat: int


@frozen
class Use:
    """The seat uses a card in its own turn; slash and duel name their target."""

    seat: int
    card: str
    target: int | None = None


@frozen
class At:
    """The invasion or volley in progress reaches this seat."""

    seat: int


@frozen
class Nullify:
    """The seat uses a nullify; level 1 shields the target, level 2 counters level 1, and so on."""

    seat: int
    level: int


@frozen
class Reply:
    """The seat answers with a card: dodge to a slash or volley, slash to an invasion or duel."""

    seat: int
    card: str


@frozen
class Hit:
    """The seat takes one damage from the source."""

    seat: int
    source: int


@frozen
class Save:
    """The seat discards a peach instead of dying and has one hp."""

    seat: int


@frozen
class Die:
    """The seat dies and shows its role, and its cards if the table shows lost cards."""

    seat: int
    role: Role
    cards: str | None = None


@frozen
class Reward:
    """The seat draws cards for a rebel that it killed."""

    seat: int
    number: int = 3


@frozen
class LoseAll:
    """The Master has killed a loyal and loses their hand and crossbow."""

    seat: int
    cards: str | None = None


@frozen
class End:
    """The game is over; the winning side is ``"MP"`` or ``"FP"``."""

    winner: Role


@frozen
class Draw:
    """The seat draws these cards (only in a trace)."""

    seat: int
    cards: str


@frozen
class Declare:
    """An action has shown the seat's side (in a trace, and in a log under the literal rules)."""

    seat: int
    side: Side


@frozen
class Suspect:
    """An undeclared seat has damaged the Master by invasion or volley (only in a trace)."""

    seat: int


PublicEvent: TypeAlias = (
    Turn
    | EndTurn
    | Use
    | At
    | Nullify
    | Reply
    | Hit
    | Save
    | Die
    | Reward
    | LoseAll
    | End
    | Declare
)
Event: TypeAlias = PublicEvent | Draw | Suspect

PUBLIC_EVENTS: tuple[type[PublicEvent], ...] = get_args(PublicEvent)


def public_events(
    trace: Iterable[Event], *, discards_shown: bool = False, rule_set: RuleSet = "contest"
) -> tuple[PublicEvent, ...]:
    """Return the events of a game that everyone at the table sees.

    Parameters
    ----------
    trace
        All events of the game, as `games.pigs.simulation.simulate` returns them.
    discards_shown
        Whether cards lost by death or by the Master's penalty are shown.
    rule_set
        The rules of the game; under ``"literal"`` declarations are public events.

    Examples
    --------
    >>> public_events([Turn(1), Draw(1, "DF"), EndTurn(1)])
    (Turn(seat=1), EndTurn(seat=1))
    """
    events: list[PublicEvent] = []
    for event in trace:
        if isinstance(event, Draw | Suspect) or (
            rule_set == "contest" and isinstance(event, Declare)
        ):
            continue
        if isinstance(event, Die | LoseAll) and not discards_shown:
            event = attrs.evolve(event, cards=None)
        events.append(event)
    return tuple(events)
