"""Reading a public log by the rules: the order of its events, and what each of them states.

`read_events` checks that the events come in an order that the rules allow, and translates them into
observations. Which deals remain possible is the concern of other modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from attrs import frozen

from deduce.errors import BadInput
from deduce.logs.events import Log
from games.pigs.events import (
    ANSWER,
    At,
    Declare,
    Die,
    End,
    EndTurn,
    Hit,
    LiteralState,
    LoseAll,
    Nullify,
    PublicEvent,
    PublicState,
    Reply,
    Reward,
    Save,
    Turn,
    Use,
)
from games.pigs.hands import bits
from games.pigs.notation import format_event
from games.pigs.setup import (
    CARD_NAMES,
    CROSSBOW,
    DODGE,
    DUEL,
    MASTER,
    NULLIFY,
    OTHER_SIDE,
    PEACH,
    REBEL,
    SIDE_OF,
    SLASH,
    Role,
    Setup,
    Side,
    roles_of,
)

__all__ = ["ByRole", "Kind", "Observation", "Reading", "Survivors", "read_events", "read_turns"]


ByRole = tuple[int | None, int | None]
"""A set of card types for a seat that is not a rebel, and one for a rebel."""


class Kind(Enum):
    """The kinds of observation."""

    DRAW = auto()
    """The seat gets ``number`` unknown cards."""
    LACK = auto()
    """Under each role it holds none of the types ``by_role``."""
    PLAY = auto()
    """It plays ``card``; under each role no slot to the left is of the types ``by_role``."""
    REACH = auto()
    """It uses ``card`` (the leftmost one of its hand leaves it) because it has reached such a card
    in its one look through the hand; under each role no slot passed since the last one reached is
    of the types ``by_role``."""
    STOP = auto()
    """Its look through the hand ends; no slot behind the last one reached is of ``by_role``."""
    LOSE = auto()
    """It gives up its hand, whose cards are ``card`` if they are shown."""
    ROLE = auto()
    """Roles for which ``by_role`` is ``None`` are ruled out."""


class Observation(NamedTuple):
    """What one event states about a seat; ``None`` in ``by_role``: impossible under that role."""

    event: int
    """Index of the event that showed it."""
    seat: int
    kind: Kind
    by_role: ByRole = (0, 0)
    card: str | None = None
    number: int = 0


class Survivors(NamedTuple):
    """Which seats are alive from an event on, and whether a rebel is among them."""

    event: int
    living: tuple[int, ...]
    rebel_lives: bool | None
    """``True`` while the game goes on or the rebels have won; ``False`` when the Master has won;
    ``None`` between the death of a rebel and the reward or the end that follows."""


@frozen
class Reading:
    """Everything that the events of a log state, as the rules order them."""

    observations: tuple[Observation, ...]
    survivors: tuple[Survivors, ...]
    """In the order of the log; the last is current."""
    boundaries: tuple[int, ...]
    """The numbers of events after which a turn or the game is complete, beginning with 0."""
    shown: dict[int, int]
    """Seat -> index of the event by which it declared its side or showed its role in death."""
    winner: Role | None
    is_complete: bool
    """Whether the last turn of the log is complete."""


def read_turns(log: Log) -> Reading:
    r"""Return what the events of a log of complete turns state.

    Parameters
    ----------
    log
        The public log: a whole game, or its first turns.

    Raises
    ------
    BadInput
        An event cannot come where it is, whatever the roles and cards are, or the log stops inside
        a turn. The message names what could come; the line is given if the log was read from text.

    Examples
    --------
    >>> from games.pigs import Pigs
    >>> reading = read_turns(Pigs.parse_log("pigs 2\nturn 1\n1 ends"))
    >>> reading.observations[-1]  # no invasion, volley or crossbow is left
    Observation(event=1, seat=1, kind=<Kind.LACK: 2>, by_role=(176, 176), card=None, number=0)
    """
    reading = read_events(log.game, log.events, lines=log.lines)
    if not reading.is_complete:
        raise BadInput(
            f"the log stops inside a turn, after event {len(log.events)}: give it up to the end of "
            f"a turn (the last complete one ends with event {reading.boundaries[-1]})",
            line=log.lines[-1] if log.lines else None,
        )
    return reading


def read_events(
    setup: Setup, events: Sequence[PublicEvent], *, lines: Sequence[int] = ()
) -> Reading:
    """Return what the events of a log state; the log may stop inside a turn.

    What a seat did not do counts as soon as the next event shows it.

    Parameters
    ----------
    setup
        The set-up of the table.
    events
        The events, from the beginning of the game.
    lines
        The line of each event, for messages.

    Raises
    ------
    BadInput
        An event cannot come where it is, whatever the roles and cards are.

    Notes
    -----
    Source: docs/games/pigs.md, sections 3 to 6 and 9.1. Time linear in events x seats.

    Examples
    --------
    >>> read_events(Setup(2), (Turn(1), EndTurn(1), Turn(2))).boundaries
    (0, 2)
    """
    reader = (_Reader if setup.rule_set == "contest" else _LiteralReader)(setup, events, lines)
    is_complete = True
    try:
        reader.read()
    except _Unfinished:
        is_complete = False
    return Reading(
        tuple(reader.observations),
        tuple(reader.survivors),
        tuple(reader.boundaries),
        reader.shown,
        reader.winner,
        is_complete,
    )


class _Unfinished(Exception):
    """The log stops where the rules demand another event."""


class _Reader(PublicState):
    """The public state, changed event by event; one method for each part of a turn."""

    use_kind = Kind.PLAY
    """What the use of a card in the own turn states of the hand."""

    def __init__(self, setup: Setup, events: Sequence[PublicEvent], lines: Sequence[int]) -> None:
        super().__init__(setup.seats)
        self.discards_shown = setup.discards_shown
        self.rule_set = setup.rule_set
        self.pile = setup.pile
        self.events = events
        self.lines = lines
        self.position = 0
        self.sizes = [0] + [setup.hand] * setup.seats
        self.observations = [
            Observation(-1, seat, Kind.DRAW, number=setup.hand) for seat in setup.players
        ]
        self.survivors: list[Survivors] = []
        self.boundaries = [0]
        self.shown: dict[int, int] = {}
        self.winner: Role | None = None
        self.note_survivors(rebel_lives=True)

    # Reading.

    def peek(self) -> PublicEvent:
        if self.position == len(self.events):
            raise _Unfinished
        return self.events[self.position]

    def refuse(self, reason: str) -> BadInput:
        event = self.events[self.position]
        return BadInput(
            f"event {self.position + 1} ({format_event(event)}): {reason}",
            line=self.lines[self.position] if self.lines else None,
            text=format_event(event),
        )

    def expect(self, event: PublicEvent, why: str) -> None:
        """Take exactly this event."""
        if self.peek() != event:
            raise self.refuse(f"{why}, so this has to be '{format_event(event)}'")
        self.position += 1

    def read(self) -> None:
        seat = 1
        while self.winner is None and self.position < len(self.events):
            self.expect(Turn(seat), f"it is the turn of seat {seat}")
            self.turn(seat)
            seat = self.next[seat]
            self.boundaries.append(self.position)
        if self.position < len(self.events):
            raise self.refuse("the game is over")

    # Recording. What a seat did not do is shown by the event that comes instead: at `position`.

    def draw(self, seat: int, number: int) -> None:
        if self.pile is not None:
            self.pile -= number
        self.sizes[seat] += number
        self.observations.append(Observation(self.position - 1, seat, Kind.DRAW, number=number))

    def lack(self, seat: int, by_role: ByRole) -> None:
        if by_role != (0, 0):
            self.observations.append(Observation(self.position, seat, Kind.LACK, by_role))

    def available(self, number: int) -> int:
        """Return how many of a number of cards the pile gives."""
        return number if self.pile is None else min(number, self.pile)

    def play(self, seat: int, card: str, by_role: ByRole, kind: Kind = Kind.PLAY) -> None:
        """Record a card played by the next event, and take that event."""
        if self.sizes[seat] == 0:
            raise self.refuse(f"seat {seat} has no cards left")
        self.sizes[seat] -= 1
        self.observations.append(Observation(self.position, seat, kind, by_role, card))
        self.position += 1

    def lose(self, seat: int, cards: str | None) -> None:
        if cards is None and self.discards_shown:
            raise self.refuse("the table shows lost cards: name them, or write '-' for none")
        if cards is not None and not self.discards_shown:
            raise self.refuse(
                "the table does not show lost cards (unless the log has 'discards shown')"
            )
        if cards is not None and len(cards) != self.sizes[seat]:
            raise self.refuse(
                f"seat {seat} lost {self.sizes[seat]} cards, but {len(cards)} are shown"
            )
        self.sizes[seat] = 0
        self.observations.append(Observation(self.position, seat, Kind.LOSE, card=cards))

    def note_survivors(self, *, rebel_lives: bool | None) -> None:
        living = tuple(seat for seat in range(1, self.seats + 1) if self.alive[seat])
        self.survivors.append(Survivors(self.position - 1, living, rebel_lives))

    def show_side(self, seat: int, side: Side) -> None:
        if self.declare(seat, side):
            self.shown[seat] = self.position - 1

    # Section 3: a turn.

    def turn(self, seat: int) -> None:
        self.slashes = 0
        self.draw(seat, self.available(2))
        while self.winner is None and self.alive[seat]:
            event = self.peek()
            if isinstance(event, EndTurn) and event.seat == seat:
                usable = [bits(self.usable(seat, role)) for role in roles_of(seat)]
                self.stop(seat, (usable[0], usable[-1]))
                self.position += 1
                return
            if not isinstance(event, Use) or event.seat != seat:
                if isinstance(event, Declare) and self.rule_set == "contest":
                    raise self.refuse("declarations are events only under the literal rules")
                raise self.refuse(f"it is the turn of seat {seat}: it uses a card or ends its turn")
            self.use(event)

    def stop(self, seat: int, usable: ByRole) -> None:
        """Record the end of a turn: the seat holds nothing usable."""
        self.lack(seat, usable)

    def use(self, event: Use) -> None:
        user, card, target = event.seat, event.card, event.target
        left: dict[Role, int | None] = {}
        for role in roles_of(user):
            usable = self.usable(user, role)
            fits = card in usable and target == self.target(user, role, card)
            left[role] = bits(usable) if fits else None
        by_role = tuple(left.values())
        if all(types is None for types in by_role):
            raise self.refuse(self.why_not(event))
        self.play(user, card, (by_role[0], by_role[-1]), self.use_kind)
        if card == PEACH:
            self.hp[user] += 1
        elif card == CROSSBOW:
            self.crossbow[user] = True
        elif target is None:
            self.trick(user, card)
        else:
            self.show_sides(user, [r for r, types in left.items() if types is not None])
            if card == SLASH:
                self.slashes += 1
                if not self.answer(target, DODGE):
                    self.damage(target, user)
            else:
                self.duel(user, target)

    def show_sides(self, user: int, roles: Sequence[Role]) -> None:
        """Record the side that the use of a slash or duel, or of a nullify, has shown."""
        # Only one role of a seat can see the target as an enemy: the card declares it.
        self.show_side(user, SIDE_OF[roles[0]])

    def target(self, user: int, role: Role, card: str) -> int | None:
        if card == SLASH:
            return self.slash_target(user, role)
        return self.duel_target(user, role) if card == DUEL else None

    def why_not(self, event: Use) -> str:
        """Return why no role of the user allows this use."""
        user, card, target = event.seat, event.card, event.target
        if card in (DODGE, NULLIFY):
            return "dodge and nullify are never used actively"
        if card == PEACH and target is None:
            return f"seat {user} has full hp"
        if card not in (SLASH, DUEL):
            return "only slash and duel have a target"
        if target is None:
            return "a slash or duel names its target ('on SEAT')"
        if not (1 <= target <= self.seats and self.alive[target]):
            return f"there is no living seat {target}"
        if card == SLASH and not self.may_slash(user):
            return f"seat {user} has used its slash of this turn and has no crossbow"
        if card == SLASH and self.rule_set == "contest" and target != self.next[user]:
            return f"a slash reaches only the next living seat, {self.next[user]}"
        wanted = {self.target(user, role, card) for role in roles_of(user)} - {None}
        names = " or ".join(f"seat {seat}" for seat in sorted(filter(None, wanted)))
        return f"seat {user} would aim at {names or 'no seat'}, whatever its role"

    # Section 4: effects.

    def trick(self, user: int, card: str) -> None:
        target = self.next[user]
        while target != user and self.winner is None:
            self.expect(At(target), f"the {CARD_NAMES[card]} reaches seat {target} now")
            if not self.is_nullified(user, target) and not self.answer(target, ANSWER[card]):
                if target == 1:
                    self.suspect(user)
                self.damage(target, user)
            target = self.next[target]

    def duel(self, user: int, target: int) -> None:
        if self.is_nullified(user, target):
            return
        seat, opponent = target, user
        while self.answer(seat, SLASH, opponent=opponent):
            seat, opponent = opponent, seat
        self.damage(seat, opponent)

    def answer(self, seat: int, card: str, *, opponent: int | None = None) -> bool:
        """Record whether the seat answered; in a duel its role may forbid that."""
        answered = self.peek() == Reply(seat, card)
        refused: int | None = None if answered else 0
        types = [
            bits(card) if opponent is None or self.fights(seat, role, opponent) else refused
            for role in roles_of(seat)
        ]
        by_role = (types[0], types[-1])
        if answered:
            self.play(seat, card, by_role)
        else:
            self.lack(seat, by_role)
        return answered

    def damage(self, victim: int, source: int) -> None:
        self.expect(Hit(victim, source), f"seat {victim} has not answered")
        self.hp[victim] -= 1
        if self.hp[victim]:
            return
        event = self.peek()
        peach = bits(PEACH)
        if event == Save(victim):
            self.play(victim, PEACH, (peach, peach))
            self.hp[victim] = 1
            return
        if not isinstance(event, Die) or event.seat != victim:
            raise self.refuse(f"seat {victim} has 0 hp: it is saved or it dies")
        if event.role not in roles_of(victim):
            names = " or ".join(roles_of(victim))
            raise self.refuse(f"seat {victim} is {names}, not {event.role}")
        self.lack(victim, (peach, peach))
        self.die(event, source)

    def die(self, event: Die, source: int) -> None:
        victim, role = event.seat, event.role
        self.lose(victim, event.cards)
        by_role: ByRole = (None, 0) if role == REBEL else (0, None)
        self.observations.append(Observation(self.position, victim, Kind.ROLE, by_role))
        self.shown.setdefault(victim, self.position)
        self.position += 1
        self.leave(victim)
        if role == MASTER:
            self.note_survivors(rebel_lives=True)
            self.end(REBEL)
        elif role == REBEL:
            self.note_survivors(rebel_lives=None)
            if self.peek() == End(MASTER):
                self.end(MASTER)
            else:
                number = self.available(3)
                why = f"the killer of a rebel draws {number}, or the game ends"
                self.expect(Reward(source, number), why)
                self.draw(source, number)
                self.note_survivors(rebel_lives=True)
        else:
            self.note_survivors(rebel_lives=True)
            if source == 1:
                self.penalty()

    def penalty(self) -> None:
        event = self.peek()
        if not isinstance(event, LoseAll) or event.seat != 1:
            raise self.refuse("the Master has killed a loyal: they lose all their cards")
        self.lose(1, event.cards)
        self.crossbow[1] = False
        self.position += 1

    def end(self, winner: Role) -> None:
        self.expect(End(winner), "the game is over")
        self.winner = winner
        self.note_survivors(rebel_lives=winner == REBEL)

    # Section 5: nullify.

    def is_nullified(self, user: int, target: int) -> bool:
        side = self.shielding_side(target)
        if side is None:
            return False
        asked_from, level = user, 0
        while True:
            event = self.peek()
            used_by = event.seat if isinstance(event, Nullify) else None
            if used_by is not None and not (1 <= used_by <= self.seats and self.alive[used_by]):
                raise self.refuse(f"there is no living seat {used_by}")
            nullify = bits(NULLIFY)
            for seat in self.seats_from(asked_from):
                asked = [self.is_asked(role, side) for role in roles_of(seat)]
                if seat == used_by:
                    break
                self.lack(seat, (nullify * asked[0], nullify * asked[-1]))
            if not isinstance(event, Nullify):
                return level % 2 == 1
            level += 1
            if event.level != level:
                raise self.refuse(f"this is level {level} of the question")
            by_role = (nullify if asked[0] else None, nullify if asked[-1] else None)
            self.play(seat, NULLIFY, by_role)
            self.show_sides(seat, [r for r in roles_of(seat) if SIDE_OF[r] == side])
            asked_from, side = seat, OTHER_SIDE[side]


class _LiteralReader(LiteralState, _Reader):
    """The same under the literal reading of the original text (docs/games/pigs.md, section 10)."""

    use_kind = Kind.REACH

    def stop(self, seat: int, usable: ByRole) -> None:
        """Record the end of a turn: nothing usable is behind the last card that was reached."""
        self.observations.append(Observation(self.position, seat, Kind.STOP, usable))

    def show_sides(self, user: int, roles: Sequence[Role]) -> None:
        """Take the declaration that follows the first slash, duel or nullify of a seat."""
        if self.side[user] is not None:
            return
        event = self.peek()
        sides = {SIDE_OF[role]: role for role in roles}
        if not isinstance(event, Declare) or event.seat != user or event.side not in sides:
            lines = " or ".join(f"'{format_event(Declare(user, side))}'" for side in sides)
            raise self.refuse(f"seat {user} declares its side now, so this has to be {lines}")
        is_rebel = sides[event.side] == REBEL
        by_role: ByRole = (None, 0) if is_rebel else (0, None)
        self.observations.append(Observation(self.position, user, Kind.ROLE, by_role))
        self.position += 1
        self.show_side(user, event.side)
