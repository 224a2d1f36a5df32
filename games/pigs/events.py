"""What happens in a game, one frozen value an event.

The *public log* of a game is made of `Turn` to `End`. A *trace* also holds what the log leaves out:
`Draw` is secret; `Declare` and `Suspect` are consequences that everybody can work out.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from games.pigs.cards import Role, Side

__all__ = [
    "Answer",
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
    "Reward",
    "Save",
    "Suspect",
    "Turn",
    "Use",
]


@frozen
class Turn:
    """The seat begins its turn and draws two cards that nobody else sees."""

    seat: int


@frozen
class EndTurn:
    """The seat has nothing more that it could use."""

    seat: int


@frozen
class Use:
    """The seat plays a card in its own turn; slash and duel name their target."""

    seat: int
    card: str
    target: int | None = None


@frozen
class At:
    """The invasion or volley that is being played now concerns this seat."""

    seat: int


@frozen
class Nullify:
    """The seat uses a nullify; level 1 shields the target, level 2 counters level 1, and so on."""

    seat: int
    level: int


@frozen
class Answer:
    """The seat answers: dodge to a slash or volley, slash to an invasion or in a duel."""

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
    """The seat dies and shows its role; the lost cards too where the table plays so."""

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
    """The Master has killed a loyal and loses his hand and crossbow."""

    seat: int
    cards: str | None = None


@frozen
class End:
    """The game is over; the winning side is written ``"MP"`` or ``"FP"``."""

    winner: Role


@frozen
class Draw:
    """The seat draws these cards (only in a trace)."""

    seat: int
    cards: str


@frozen
class Declare:
    """An action has shown the seat's side (only in a trace)."""

    seat: int
    side: Side


@frozen
class Suspect:
    """An undeclared seat has damaged the Master by invasion or volley (only in a trace)."""

    seat: int


PublicEvent: TypeAlias = (
    Turn | EndTurn | Use | At | Nullify | Answer | Hit | Save | Die | Reward | LoseAll | End
)
Event: TypeAlias = PublicEvent | Draw | Declare | Suspect
