"""Playing a game to its end: `PublicState` makes every decision, and each effect is a method here.

The methods follow docs/games/pigs.md, sections 3 to 6; a variant of the game (or a deliberate
mistake, for tests) overrides some of them: `LiteralPlay` is the original text read literally.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ParamSpec, Protocol

from attrs import field, frozen

from deduce.system.display import Displayed
from deduce.system.renamed import Renamed
from games.pigs.events import (
    ANSWER,
    At,
    Declare,
    Die,
    Draw,
    End,
    EndTurn,
    Event,
    Hit,
    LiteralState,
    LoseAll,
    Nullify,
    PublicState,
    Reply,
    Reward,
    Save,
    Suspect,
    Turn,
    Use,
)
from games.pigs.setup import (
    CROSSBOW,
    DUEL,
    INVASION,
    MASTER,
    NULLIFY,
    OTHER_SIDE,
    PEACH,
    REBEL,
    RULE_SETS,
    SIDE_OF,
    SLASH,
    VOLLEY,
    Deal,
    Role,
    RuleSet,
    Side,
)

__all__ = ["TURN_LIMIT", "LiteralPlay", "Outcome", "Play", "format_outcome", "simulate"]

P = ParamSpec("P")

TURN_LIMIT = 100_000
"""Some games never end, such as those in which every card left is a dodge; recorded games take up
to 1137 turns."""


REWARD = 3
"""The number of cards that the killer of a rebel draws."""


@frozen
class Outcome(Displayed):
    """How a game ended, or its state when it was stopped."""

    winner: Role | None
    """``"MP"``, ``"FP"``, or ``None`` if the turn limit was reached first."""
    hands: tuple[str | None, ...]
    """The cards of each seat, from left to right; ``None`` for a dead seat."""
    turns: int
    drawn: int
    """The number of cards drawn from the pile; under the contest's rules, with the copies of its
    last card."""
    longest_chain: int
    """The maximum number of nullify cards used on one question."""
    trace: tuple[Event, ...] = field(default=(), repr=False)
    """All events, if a trace was requested."""


class Record(Protocol):
    """Takes every event as its class and its fields, so that ignored events are never built."""

    def __call__(self, kind: Callable[P, Event], /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Record an event."""


class Play(PublicState):
    """One game in progress."""

    def __init__(self, deal: Deal, record: Record) -> None:
        super().__init__(deal.seats)
        self.roles: list[Role] = [MASTER, *deal.roles]
        self.hands = ["", *deal.hands]
        """As text, which is fast to search and cut; long games have hands of hundreds of cards."""
        self.pile = deal.pile
        self.record = record
        self.rebels = deal.roles.count(REBEL)
        self.winner: Role | None = None
        self.turns = self.drawn = self.longest_chain = 0
        self.effects: dict[str, Callable[[int], None]] = {
            PEACH: self.heal,
            CROSSBOW: self.equip,
            SLASH: self.slash,
            DUEL: self.duel,
            INVASION: lambda user: self.trick(user, INVASION),
            VOLLEY: lambda user: self.trick(user, VOLLEY),
        }

    def run(self, limit: int) -> None:
        """Play turns until a side has won or ``limit`` turns have been played."""
        seat = 1
        while self.winner is None and self.turns < limit:
            self.turns += 1
            self.turn(seat)
            seat = self.next[seat]

    # Section 3: a turn.

    def turn(self, seat: int) -> None:
        """Draw two cards, then use the leftmost usable card repeatedly."""
        self.begin(seat)
        while (card := self.leftmost_usable(seat)) is not None:
            self.use(seat, card)
            if self.winner is not None or not self.alive[seat]:
                return
        self.record(EndTurn, seat)

    def begin(self, seat: int) -> None:
        """Begin a turn: no slash used yet, two cards drawn."""
        self.record(Turn, seat)
        self.slashes = 0
        self.draw(seat, 2)

    def leftmost_usable(self, seat: int) -> str | None:
        """Return the first card of the hand that is usable now, or ``None``."""
        hand = self.hands[seat]
        usable = self.usable(seat, self.roles[seat])
        indices = [index for card in usable if (index := hand.find(card)) >= 0]
        return hand[min(indices)] if indices else None

    def use(self, seat: int, card: str) -> None:
        """Remove the card from the hand and apply it completely."""
        self.discard(seat, card)
        self.effects[card](seat)

    def discard(self, seat: int, card: str) -> None:
        """Remove the leftmost such card from the hand."""
        self.hands[seat] = self.hands[seat].replace(card, "", 1)

    def draw(self, seat: int, number: int) -> None:
        """Draw from the pile, whose last card is never removed."""
        number = self.available(number)
        last = len(self.pile) - 1
        cards = "".join([self.pile[min(self.drawn + k, last)] for k in range(number)])
        self.drawn += number
        self.hands[seat] += cards
        self.record(Draw, seat, cards)

    def available(self, number: int) -> int:
        """Return how many of a number of cards the pile gives: all of them."""
        return number

    # Section 4: effects.

    def heal(self, user: int) -> None:
        """Use a peach in the seat's own turn."""
        self.record(Use, user, PEACH)
        self.hp[user] += 1

    def equip(self, user: int) -> None:
        """Equip a crossbow; an old one is dropped."""
        self.record(Use, user, CROSSBOW)
        self.crossbow[user] = True

    def slash(self, user: int) -> None:
        """Slash the next seat, which dodges if it can."""
        target = self.slash_target(user, self.roles[user])
        assert target is not None, "a slash without an enemy is not usable"
        self.slashes += 1
        self.record(Use, user, SLASH, target)
        self.show_side(user)
        if not self.answer(target, ANSWER[SLASH]):
            self.damage(target, user)

    def duel(self, user: int) -> None:
        """Duel: after the nullify question both seats discard slashes in turn, the target first."""
        target = self.duel_target(user, self.roles[user])
        assert target is not None, "a duel without an enemy is not usable"
        self.record(Use, user, DUEL, target)
        self.show_side(user)
        if self.is_nullified(user, target):
            return
        seat, opponent = target, user
        while self.fights(seat, self.roles[seat], opponent) and self.answer(seat, ANSWER[DUEL]):
            seat, opponent = opponent, seat
        self.damage(seat, opponent)

    def trick(self, user: int, card: str) -> None:
        """Invasion or volley: reach the other living seats one by one, from the next upwards."""
        self.record(Use, user, card)
        target = self.next[user]
        while target != user and self.winner is None:
            self.strike(user, target, card)
            target = self.next[target]

    def strike(self, user: int, target: int, card: str) -> None:
        """Apply an invasion or volley to one seat."""
        self.record(At, target)
        if self.is_nullified(user, target) or self.answer(target, ANSWER[card]):
            return
        if target == 1 and self.suspect(user):  # it damaged the Master
            self.record(Suspect, user)
        self.damage(target, user)

    def answer(self, seat: int, card: str) -> bool:
        """Discard the leftmost such card if there is one; return whether there was."""
        if card not in self.hands[seat]:
            return False
        self.discard(seat, card)
        self.record(Reply, seat, card)
        return True

    def damage(self, victim: int, source: int) -> None:
        """Take one damage; at 0 hp the victim's own peach saves it, else it dies."""
        self.record(Hit, victim, source)
        self.hp[victim] -= 1
        if self.hp[victim] == 0 and not self.is_rescued(victim):
            self.die(victim, source)

    def is_rescued(self, victim: int) -> bool:
        """Discard a peach at 0 hp, also in the seat's own turn; return whether there was one."""
        if PEACH not in self.hands[victim]:
            return False
        self.discard(victim, PEACH)
        self.hp[victim] = 1
        self.record(Save, victim)
        return True

    def die(self, victim: int, source: int) -> None:
        """Remove a dead seat; then the game ends, or reward or penalty follows."""
        role = self.roles[victim]
        self.record(Die, victim, role, self.hands[victim])
        self.leave(victim)
        self.hands[victim] = ""
        if role == MASTER:
            self.end(REBEL)
        elif role == REBEL:
            self.rebels -= 1
            if self.rebels == 0:
                self.end(MASTER)
            else:
                self.reward(source)
        elif source == 1:
            self.penalty()

    def end(self, winner: Role) -> None:
        """End the game at once."""
        self.winner = winner
        self.record(End, winner)

    def reward(self, killer: int) -> None:
        """Draw three cards for the seat that killed a rebel."""
        self.record(Reward, killer, self.available(REWARD))
        self.draw(killer, REWARD)

    def penalty(self) -> None:
        """Remove the hand and the crossbow of the Master, who has killed a loyal."""
        self.record(LoseAll, 1, self.hands[1])
        self.hands[1] = ""
        self.crossbow[1] = False

    # Section 5: nullify.

    def is_nullified(self, user: int, target: int) -> bool:
        """Ask the seats in order for nullifies, each of which may itself be nullified."""
        side = self.shielding_side(target)
        if side is None:
            return False
        asked_from, level = user, 0
        while (seat := self.nullifier(asked_from, side, level + 1)) is not None:
            level += 1
            self.discard(seat, NULLIFY)
            self.record(Nullify, seat, level)
            self.show_side(seat)
            asked_from, side = seat, OTHER_SIDE[side]
        self.longest_chain = max(self.longest_chain, level)
        return level % 2 == 1

    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        """Return the first seat asked that is on the side and holds a nullify, at any level."""
        for seat in self.seats_from(asked_from):
            if NULLIFY in self.hands[seat] and self.is_asked(self.roles[seat], side):
                return seat
        return None

    # Section 6: declaring and suspicion.

    def show_side(self, seat: int) -> None:
        """Declare the seat's true side, if it has not yet."""
        side = SIDE_OF[self.roles[seat]]
        if self.declare(seat, side):
            self.record(Declare, seat, side)


class LiteralPlay(LiteralState, Play):
    """One game in progress, by the literal reading of the original text (section 10)."""

    def turn(self, seat: int) -> None:
        """Draw two cards, then look at each card once, from left to right, and use it if usable.

        The card that leaves the hand is the leftmost of its kind, which may be one that was passed.
        """
        self.begin(seat)
        self.position = 0
        while self.position < len(self.hands[seat]):
            card = self.hands[seat][self.position]
            if card not in self.usable(seat, self.roles[seat]):
                self.position += 1
                continue
            # The next card to look at is the one behind this card, whichever one leaves the hand.
            self.position += 1
            self.use(seat, card)
            if self.winner is not None or not self.alive[seat]:
                return
        self.record(EndTurn, seat)

    def begin(self, seat: int) -> None:
        """Begin a turn: no slash used yet, two cards drawn, as far as there are any."""
        self.current = seat
        super().begin(seat)

    def discard(self, seat: int, card: str) -> None:
        """Remove the leftmost such card from the hand."""
        if seat == self.current and self.hands[seat].index(card) < self.position:
            self.position -= 1
        super().discard(seat, card)

    def penalty(self) -> None:
        """Remove the hand and the crossbow of the Master; cards drawn later are looked at."""
        super().penalty()
        self.position = 0

    def available(self, number: int) -> int:
        """Return how many of a number of cards the pile gives: those that it still has."""
        return max(0, min(number, len(self.pile) - self.drawn))


PLAYS: Mapping[str, type[Play]] = Renamed(
    {"contest": Play, "literal": LiteralPlay}, RULE_SETS.former
)


def simulate(
    deal: Deal,
    *,
    limit: int = TURN_LIMIT,
    trace: bool = False,
    rule_set: RuleSet = "contest",
    play: type[Play] | None = None,
) -> Outcome:
    """Return the outcome of the game that begins with ``deal``.

    Parameters
    ----------
    deal
        Roles, hands and pile.
    limit
        Stop after this number of turns, without a winner.
    trace
        Whether the outcome contains every event.
    rule_set
        ``"contest"``, or ``"literal"`` for the literal reading of the original text.
    play
        The class that plays, instead of the one for the rules; a variant overrides single rules of
        `Play`.

    Notes
    -----
    Source: docs/games/pigs.md, sections 1 to 6. About 0.3 ms for ten seats.

    Examples
    --------
    >>> deal = Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF")
    >>> simulate(deal)
    Outcome(winner='MP', hands=('D', None), turns=3, drawn=6, longest_chain=0)
    """
    events: list[Event] = []

    def record(kind: Callable[P, Event], /, *args: P.args, **kwargs: P.kwargs) -> None:
        events.append(kind(*args, **kwargs))

    game = (play or PLAYS[rule_set])(deal, record if trace else _ignore)
    game.run(limit)
    hands = tuple(
        game.hands[seat] if game.alive[seat] else None for seat in range(1, deal.seats + 1)
    )
    return Outcome(game.winner, hands, game.turns, game.drawn, game.longest_chain, tuple(events))


def _ignore(kind: Callable[P, Event], /, *args: P.args, **kwargs: P.kwargs) -> None:
    """Ignore an event."""


def format_outcome(outcome: Outcome) -> str:
    """Return the output that the contest expects: the winner, then each hand or ``DEAD``."""
    rows: list[str] = [outcome.winner or "UNDECIDED"]
    rows += ["DEAD" if hand is None else " ".join(hand) for hand in outcome.hands]
    return "\n".join(rows) + "\n"
