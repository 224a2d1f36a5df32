"""What happens in a game, one value for each event; and the policy that every seat follows.

The *public log* of a game consists of the events `Turn` to `End`. A *trace* also has what the log
leaves out: `Draw` is secret; `Declare` and `Suspect` follow from the public events. Under the rules
of the original text `Declare` does not follow and is part of the public log.

`PublicState` is the public state (docs/games/pigs.md, section 2) and decides the questions of
sections 3 to 6: which cards are usable, which seats are enemies, which seat a duel hits, which
seats are asked for a nullify and which fight back. The simulator plays by it and the inference
reads logs by it, so that each rule is written once. `LiteralState` decides the same questions
by the original text read literally (section 10). Seats count from 1; index 0 of every list is
unused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, get_args

from deduce.line_game import Line
from games.pigs.setup import (
    CROSSBOW,
    DODGE,
    DUEL,
    FULL_HP,
    INVASION,
    LOYAL,
    MASTER,
    PEACH,
    REBEL,
    SIDE_OF,
    SLASH,
    VOLLEY,
    Role,
    RuleSet,
    Side,
)

__all__ = [
    "ANSWER",
    "PUBLIC_EVENTS",
    "At",
    "Declare",
    "Die",
    "Draw",
    "End",
    "EndTurn",
    "Event",
    "Hit",
    "LiteralState",
    "LoseAll",
    "Nullify",
    "PublicEvent",
    "PublicState",
    "Reply",
    "Reward",
    "Save",
    "Suspect",
    "Turn",
    "Use",
    "public_events",
]


class Turn(Line, template="turn {seat}"):
    """The seat begins its turn and draws two cards, which no other seat sees."""

    seat: int


class EndTurn(Line, template="{seat} ends"):
    """The seat ends its turn, since none of its cards is usable now."""

    seat: int


class Use(Line, template="{seat} uses {card}[ on {target}]"):
    """The seat uses a card in its own turn; slash and duel name their target."""

    seat: int
    card: str
    target: int | None = None


class At(Line, template="at {seat}"):
    """The invasion or volley in progress reaches this seat."""

    seat: int


class Nullify(Line, template="{seat} nullifies {level}"):
    """The seat uses a nullify; level 1 shields the target, level 2 counters level 1, and so on."""

    seat: int
    level: int


class Reply(Line, template="{seat} answers {card}"):
    """The seat answers with a card: dodge to a slash or volley, slash to an invasion or duel."""

    seat: int
    card: str


class Hit(Line, template="{seat} hit by {source}"):
    """The seat takes one damage from the source."""

    seat: int
    source: int


class Save(Line, template="{seat} saved"):
    """The seat discards a peach instead of dying and has one hp."""

    seat: int


class Die(Line, template="{seat} dies {role}[ {cards}]"):
    """The seat dies and shows its role, and its cards if the table shows lost cards."""

    seat: int
    role: Role
    cards: str | None = None


class Reward(Line, template="{seat} draws {number}"):
    """The seat draws cards for a rebel that it killed."""

    seat: int
    number: int = 3


class LoseAll(Line, template="{seat} loses all[ {cards}]"):
    """The Master has killed a loyal and loses their hand and crossbow."""

    seat: int
    cards: str | None = None


class End(Line, template="{winner} wins"):
    """The game is over; the winning side is ``"MP"`` or ``"FP"``."""

    winner: Role


class Draw(Line):
    """The seat draws these cards (only in a trace)."""

    seat: int
    cards: str


class Declare(Line, template="{seat} declares {side}"):
    """An action has shown the seat's side (in a trace, and in a log under the literal rules)."""

    seat: int
    side: Side


class Suspect(Line):
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
        if isinstance(event, Die) and not discards_shown:
            event = Die(event.seat, event.role)
        elif isinstance(event, LoseAll) and not discards_shown:
            event = LoseAll(event.seat)
        events.append(event)
    return tuple(events)


ANSWER = {INVASION: SLASH, VOLLEY: DODGE, SLASH: DODGE, DUEL: SLASH}
"""The card that answers a card (section 4)."""

ALWAYS_USABLE = CROSSBOW + INVASION + VOLLEY


class PublicState:
    """What every seat sees while a game runs; the code that plays or reads a game changes it."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.hp = [FULL_HP] * (seats + 1)
        self.crossbow = [False] * (seats + 1)
        self.alive = [False] + [True] * seats
        self.side: list[Side | None] = [None] * (seats + 1)
        self.side[1] = "loyal"
        """The side a seat has declared. The Master counts as declared from the start."""
        self.suspicious = [False] * (seats + 1)
        """Only undeclared seats are ever suspicious (section 6)."""
        self.next: list[int] = [1, *range(2, seats + 1), 1]
        """The next living seat upwards, cyclic; for a dead seat, counted from where it was."""
        self.slashes = 0
        """The number of slashes used in the current turn."""

    def seats_from(self, seat: int) -> Iterator[int]:
        """Yield the living seats upwards, beginning with ``seat`` itself (the order of asking)."""
        yield seat
        other = self.next[seat]
        while other != seat:
            yield other
            other = self.next[other]

    # Section 3: what a seat may use, and against which target.

    def is_enemy(self, role: Role, other: int) -> bool:
        """Return whether a seat of this role sees ``other`` as an enemy."""
        if role == REBEL:
            return self.side[other] == "loyal"
        return self.side[other] == "rebel" or (role == MASTER and self.suspicious[other])

    def may_slash(self, seat: int) -> bool:
        """Return whether the turn allows one more slash."""
        return not self.slashes or self.crossbow[seat]

    def slash_target(self, seat: int, role: Role) -> int | None:
        """Return the target of a slash: the next living seat if it is an enemy, else ``None``."""
        target = self.next[seat]
        return target if self.is_enemy(role, target) else None

    def duel_target(self, seat: int, role: Role) -> int | None:
        """Return the target of a duel: the Master for rebels, else the first enemy upwards."""
        if role == REBEL:
            return 1
        return self.first_enemy(seat, role)

    def first_enemy(self, seat: int, role: Role) -> int | None:
        """Return the first enemy upwards, at any distance, or ``None``."""
        other = self.next[seat]
        while other != seat:
            if self.is_enemy(role, other):
                return other
            other = self.next[other]
        return None

    def usable(self, seat: int, role: Role) -> str:
        """Return the card types that the seat could use now in its own turn, unordered.

        >>> PublicState(3).usable(3, "FP"), PublicState(3).usable(3, "ZP")
        ('ZNWKF', 'ZNW')
        """
        cards = ALWAYS_USABLE
        if self.hp[seat] < FULL_HP:
            cards += PEACH
        if self.may_slash(seat) and self.slash_target(seat, role):
            cards += SLASH
        if self.duel_target(seat, role):
            cards += DUEL
        return cards

    # Section 4: the one exception to discarding slashes in a duel as long as possible.

    def fights(self, seat: int, role: Role, opponent: int) -> bool:
        """Return whether a seat of this role discards slashes in a duel with ``opponent``."""
        return not (role == LOYAL and opponent == 1)

    # Section 5: which seats use a nullify.

    def shielding_side(self, target: int) -> Side | None:
        """Return the side that shields the target from a trick; ``None`` until it has declared."""
        return self.side[target]

    def is_asked(self, role: Role, side: Side) -> bool:
        """Return whether a seat of this role uses its nullify when ``side`` is asked."""
        return SIDE_OF[role] == side

    # Section 6: declaring and suspicion.

    def declare(self, seat: int, side: Side) -> bool:
        """Set the side a seat has shown, which ends all suspicion; return whether that is new."""
        if self.side[seat] is not None:
            return False
        self.side[seat] = side
        self.suspicious[seat] = False
        return True

    def suspect(self, seat: int) -> bool:
        """Record that a trick of the seat has damaged the Master; return whether that is new."""
        if self.side[seat] is not None or self.suspicious[seat]:
            return False
        self.suspicious[seat] = True
        return True

    # Section 2: dead seats are skipped.

    def leave(self, seat: int) -> None:
        """Remove a dead seat, with its crossbow, from the order of the seats."""
        self.alive[seat] = self.crossbow[seat] = False
        following = self.next[seat]
        self.next = [following if other == seat else other for other in self.next]


class LiteralState(PublicState):
    """The public state under the literal reading of the original text (section 10)."""

    def slash_target(self, seat: int, role: Role) -> int:
        """Return the target of a slash: the first enemy upwards, else the next living seat."""
        return self.first_enemy(seat, role) or self.next[seat]

    def duel_target(self, seat: int, role: Role) -> int | None:
        """Return the target of a duel: the first enemy upwards, for rebels too."""
        return self.first_enemy(seat, role)

    def fights(self, seat: int, role: Role, opponent: int) -> bool:
        """Return whether the seat discards slashes: all do but an undeclared loyal (see base)."""
        return self.side[seat] is not None or super().fights(seat, role, opponent)

    def declare(self, seat: int, side: Side) -> bool:
        """Set the side a seat has shown, which ends no suspicion; return whether that is new."""
        suspicious = self.suspicious[seat]
        is_new = super().declare(seat, side)
        self.suspicious[seat] = suspicious
        return is_new

    def suspect(self, seat: int) -> bool:
        """Record that a trick of the seat, declared or not, has damaged the Master."""
        is_new = not self.suspicious[seat]
        self.suspicious[seat] = True
        return is_new
