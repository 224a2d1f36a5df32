"""The inference as a constraint problem of the toolkit: what is hidden, and what a log states.

Nothing here is factorised by hand: this is the policy as a modeller would state it, for any engine.
`games.pigs.inference` computes the same answers from much longer logs; the tests compare the two.
For each seat the slots are numbered in the order of drawing. Variables:

``("role", 3)``
    the role of seat 3;
``("card", 3, 2)``
    the second card that seat 3 drew;
``("fate", 3, 2)``
    the number of the event by which that card left the hand, or ``"kept"``. Fates follow from the
    cards and the roles, so the problem has as many worlds as there are deals.
``("reached", 3, 17)``
    only under the literal rules, where a seat looks at each card once: the position (in the order
    of drawing) of the card that its look had reached when it used one by event 17. It
    follows from the cards and the roles too.

Prior weights of cards are a `Weigh` for each slot and card type: all slots are independent, so the
product of these weights is the probability of a deal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from deduce.constraints import Constraint, Fact, Weigh, at_least, at_most, exactly, is_, is_not
from deduce.errors import BadInput
from deduce.game import Viewer
from deduce.problem import Evidence, Rule
from deduce.system.text import plural
from games.pigs.events import PublicEvent
from games.pigs.notation import format_event
from games.pigs.reading import Kind, Observation, Reading, read_events
from games.pigs.setup import CARDS, REBEL, ROLE_NAMES, Setup, roles_of

__all__ = [
    "KEPT",
    "Variable",
    "card_variable",
    "dealt_cards",
    "drawn_cards",
    "evidence",
    "role_variable",
    "rules",
]

KEPT = "kept"
"""The fate of a card that is still in the hand."""
Fate = Hashable
Domains = Mapping[Hashable, Sequence[Hashable]]


class Variable(tuple[str | int, ...]):
    """A kind and numbers, such as ``("role", 3)`` or ``("card", 3, 2)``.

    >>> str(Variable(("role", 3))), str(Variable(("card", 3, 2)))
    ('role 3', 'card 3.2')
    """

    __slots__ = ()

    def __str__(self) -> str:
        kind, *numbers = self
        return f"{kind} {'.'.join(map(str, numbers))}"


def role_variable(seat: int) -> Variable:
    """Return the variable that is the seat's role."""
    return Variable(("role", seat))


def card_variable(seat: int, index: int) -> Variable:
    """Return the variable that is a card: the seat's ``index``-th, counted from 1."""
    return Variable(("card", seat, index))


def dealt_cards(setup: Setup) -> Domains:
    """Return the variables of the dealt cards, which are hidden from the start."""
    return {
        card_variable(seat, index): _types(setup, seat, index)
        for seat in setup.players
        for index in range(1, setup.hand + 1)
    }


def drawn_cards(setup: Setup, events: Sequence[PublicEvent]) -> Domains:
    """Return the variables that a log adds: the cards drawn later, and the fates of all cards.

    Raises
    ------
    BadInput
        The events cannot follow each other.
    """
    domains: dict[Hashable, Sequence[Hashable]] = {}
    for seat in _seats(setup, read_events(setup, events)):
        for slot in seat.slots:
            if slot.drawn >= 0:
                domains[slot.card] = slot.types
            domains[slot.fate] = slot.fates
        domains.update((reach.variable, reach.positions) for reach in seat.reaches.values())
    return domains


def rules(setup: Setup) -> Iterator[Rule]:
    """Yield the number of rebels, and the prior weights of the dealt cards."""
    everyone = [is_(role_variable(seat), REBEL) for seat in setup.players[1:]]
    if setup.rebels is None:
        yield Rule(at_least(1, everyone), "there is a rebel")
    else:
        verb = "is" if setup.rebels == 1 else "are"
        yield Rule(exactly(setup.rebels, everyone), f"there {verb} {plural(setup.rebels, 'rebel')}")
    for seat in setup.players:
        if setup.known_cards(seat) is None:
            for index in range(1, setup.hand + 1):
                yield from map(Rule, _prior(setup, card_variable(seat, index)))


def evidence(setup: Setup, events: Sequence[PublicEvent], viewer: Viewer) -> Iterator[Evidence]:
    """Yield what a log implies for a viewer, in the order of the events.

    The log may stop inside a turn. What the seat that keeps the log knows of itself is evidence
    without an event, or of the event by which it drew a card.

    Raises
    ------
    BadInput
        The events cannot follow each other, or fewer cards are known than a seat has drawn.

    Notes
    -----
    Source: docs/games/pigs.md, sections 3 to 6. For each observation of a seat, one clause for each
    card in its hand and each role.
    """
    reading = read_events(setup, events)
    seen = setup.seen_by(viewer)
    pieces = list(_survivors(reading))
    for seat in _seats(setup, reading):
        pieces += _priors(setup, seen, seat)
        pieces += _own_knowledge(seen, seat)
        pieces += seat.evidence(events)
    yield from sorted(pieces, key=lambda piece: piece.event or 0)


def _survivors(reading: Reading) -> Iterator[Evidence]:
    """Yield what the state of the game implies about the rebels among the living seats."""
    event, living, rebel_lives = reading.survivors[-1]
    facts = [is_(role_variable(seat), REBEL) for seat in living if seat > 1]
    if event < 0:
        return  # every seat is alive, and the rules state that there is a rebel
    if rebel_lives:
        yield Evidence(at_least(1, facts), event + 1, "a rebel is alive")
    elif rebel_lives is False:
        yield Evidence(exactly(0, facts), event + 1, "no rebel is alive")


def _own_knowledge(seen: Setup, seat: _Seat) -> Iterator[Evidence]:
    """Yield what the seat that keeps the log records of itself."""
    view = seen.viewpoint
    if view is None or view.seat != seat.seat:
        return
    sentence = f"the log is kept by seat {view.seat}, {ROLE_NAMES[view.role]}"
    yield Evidence(is_(role_variable(view.seat), view.role), None, sentence)
    if len(seat.slots) > len(view.cards):
        raise BadInput(f"the known cards of seat {view.seat} end too early")
    for slot, card in zip(seat.slots, view.cards, strict=False):
        yield Evidence(is_(slot.card, card), slot.event)


def _priors(setup: Setup, seen: Setup, seat: _Seat) -> Iterator[Evidence]:
    """Yield the prior weights of the cards that are hidden from the viewer, beyond the rules."""
    if seen.known_cards(seat.seat) is not None:
        return
    in_rules = setup.known_cards(seat.seat) is None
    for slot in seat.slots:
        if slot.drawn >= 0 or not in_rules:
            for constraint in _prior(setup, slot.card):
                yield Evidence(constraint, slot.event)


def _prior(setup: Setup, variable: Variable) -> Iterator[Constraint]:
    for card, weight in setup.weights.items():
        if weight > 1:
            yield Weigh([is_(variable, card)], [1, weight])


def _types(setup: Setup, seat: int, index: int) -> Sequence[str]:
    """Return what a card may be, as far as everyone knows."""
    if setup.open_hands is None:
        return [card for card in CARDS if setup.weights[card]]
    known = setup.open_hands[seat - 1]
    if index > len(known):
        raise BadInput(f"the known cards of seat {seat} end too early")
    return [known[index - 1]]


def _seats(setup: Setup, reading: Reading) -> list[_Seat]:
    return [_Seat(setup, reading, seat) for seat in setup.players]


@define
class _Slot:
    """One card of a seat: when it was drawn, and by which events it may leave the hand."""

    card: Variable
    fate: Variable
    drawn: int
    """The index of the event; -1: the card was dealt."""
    types: Sequence[str]
    fates: list[Fate] = field(factory=list)

    @property
    def event(self) -> int | None:
        """The number of the event by which the card was drawn; ``None``: it was dealt."""
        return self.drawn + 1 if self.drawn >= 0 else None

    def gone_before(self, event: int) -> Fact:
        """Return the fact that the card has left the hand before the event."""
        return Fact(self.fate, (fate for fate in self.fates if _when(fate) < event + 1))

    def not_gone_before(self, event: int) -> Fact:
        """Return the fact that the card is still in the hand before the event."""
        return Fact(self.fate, (fate for fate in self.fates if _when(fate) >= event + 1))

    def is_a(self, card: str) -> Fact:
        """Return the fact that the card is this one."""
        return Fact(self.card, (known for known in self.types if known == card))

    def is_none_of(self, types: str) -> Fact:
        """Return the fact that the card is none of these types."""
        return Fact(self.card, (card for card in self.types if card not in types))


@frozen
class _Reach:
    """Where a seat's look through its hand had got to when it used a card.

    Positions count from 1.
    """

    variable: Variable
    positions: Sequence[int]

    def before(self, position: int) -> Fact:
        """Return the fact that the look had not reached this position."""
        return Fact(self.variable, (p for p in self.positions if p < position))

    def not_before(self, position: int) -> Fact:
        """Return the fact that the look had reached this position, or a later one."""
        return Fact(self.variable, (p for p in self.positions if p >= position))


def _when(fate: Fate) -> int:
    """Return the number of the event by which a card left the hand (never: a large one)."""
    if isinstance(fate, tuple):
        return int(fate[0])
    return fate if isinstance(fate, int) else 1 << 30


class _Seat:
    """The variables and constraints of one seat."""

    def __init__(self, setup: Setup, reading: Reading, seat: int) -> None:
        self.seat = seat
        self.observations = [o for o in reading.observations if o.seat == seat]
        self.roles = roles_of(seat)
        self.slots: list[_Slot] = []
        self.reaches: dict[int, _Reach] = {}
        """By the index of the event."""
        self.earlier: dict[int, _Reach] = {}
        """The reach before, in the same turn, for the events that have one."""
        hand: list[_Slot] = []
        last: _Reach | None = None
        for o in self.observations:
            if o.kind is Kind.DRAW:
                first = len(self.slots) + 1
                drawn = [
                    _Slot(
                        card_variable(seat, index),
                        Variable(("fate", seat, index)),
                        o.event,
                        _types(setup, seat, index),
                    )
                    for index in range(first, first + o.number)
                ]
                self.slots += drawn
                hand += drawn
            elif o.kind is Kind.PLAY or o.kind is Kind.REACH:
                for slot in hand:
                    slot.fates.append(o.event + 1)
            if o.kind is Kind.REACH or o.kind is Kind.STOP:
                if last:
                    self.earlier[o.event] = last
                last = None
            if o.kind is Kind.REACH:
                positions = [k for k, slot in enumerate(self.slots, 1) if slot in hand]
                last = _Reach(Variable(("reached", seat, o.event + 1)), positions)
                self.reaches[o.event] = last
            if o.kind is Kind.LOSE:
                for slot in hand:
                    slot.fates.extend(_loss_fates(o))
                hand = []
        for slot in hand:
            slot.fates.append(KEPT)

    def evidence(self, events: Sequence[PublicEvent]) -> Iterator[Evidence]:
        """Yield what each event states about the seat."""
        for o in self.observations:
            if o.kind is Kind.DRAW:
                continue
            sentence = format_event(events[o.event])
            for constraint in self._constraints(o):
                yield Evidence(constraint, o.event + 1, sentence)

    def _constraints(self, o: Observation) -> Iterator[Constraint]:
        for role in self.roles:
            if o.by_role[role == REBEL] is None:
                yield is_not(role_variable(self.seat), role)
        hand = [slot for slot in self.slots if slot.drawn < o.event and _lasts(slot, o.event)]
        if o.kind is Kind.LACK:
            for unless, types in self._by_role(o):
                for slot in hand:
                    yield _clause(slot.gone_before(o.event), slot.is_none_of(types), *unless)
        elif o.kind is Kind.PLAY and o.card:
            played = [is_(slot.fate, o.event + 1) for slot in hand]
            yield exactly(1, played)
            for slot in hand:
                yield _clause(is_not(slot.fate, o.event + 1), slot.is_a(o.card))
            # A card that stays in the hand and could have been played is right of the played one.
            for unless, types in self._by_role(o):
                for k, slot in enumerate(hand):
                    stays = (slot.gone_before(o.event + 1), slot.is_none_of(types))
                    yield _clause(*stays, *unless, *played[:k])
        elif o.kind is Kind.REACH and o.card:
            yield from self._reached(o, o.card)
        elif o.kind is Kind.STOP:
            yield from self._passed(o, None)
        elif o.kind is Kind.LOSE and o.card:
            yield from _shown(hand, o)

    def _reached(self, o: Observation, card: str) -> Iterator[Constraint]:
        """Yield constraints: the look reached such a card, and the leftmost one left the hand."""
        reach, earlier = self.reaches[o.event], self.earlier.get(o.event)
        hand = [(k, self.slots[k - 1]) for k in reach.positions]
        played = [is_(slot.fate, o.event + 1) for _, slot in hand]
        yield exactly(1, played)
        for k, (position, slot) in enumerate(hand):
            yield _clause(is_not(slot.fate, o.event + 1), slot.is_a(card))
            yield _clause(slot.gone_before(o.event + 1), slot.is_none_of(card), *played[:k])
            yield _clause(is_not(reach.variable, position), slot.is_a(card))
            yield _clause(is_not(reach.variable, position), slot.not_gone_before(o.event))
            if earlier:
                yield _clause(is_not(reach.variable, position), earlier.before(position))
        yield from self._passed(o, reach)

    def _passed(self, o: Observation, reach: _Reach | None) -> Iterator[Constraint]:
        """Yield constraints: no card since the last one reached could have been used."""
        earlier = self.earlier.get(o.event)
        for unless, types in self._by_role(o):
            for position, slot in enumerate(self.slots, 1):
                if slot.drawn < o.event and _lasts(slot, o.event):
                    facts = [slot.gone_before(o.event), slot.is_none_of(types), *unless]
                    if reach:
                        facts.append(reach.before(position + 1))
                    if earlier:
                        facts.append(earlier.not_before(position))
                    yield _clause(*facts)

    def _by_role(self, o: Observation) -> Iterator[tuple[list[Fact], str]]:
        """Yield the types by role, each with the facts under which they are irrelevant."""
        types = {role: _letters(o.by_role[role == REBEL]) for role in self.roles}
        for same in dict.fromkeys(filter(None, types.values())):
            others = [role for role in self.roles if types[role] != same]
            yield ([is_(role_variable(self.seat), *others)] if others else []), same


def _letters(types: int | None) -> str:
    return "".join(card for k, card in enumerate(CARDS) if (types or 0) >> k & 1)


def _lasts(slot: _Slot, event: int) -> bool:
    return any(_when(fate) > event for fate in slot.fates)


def _loss_fates(o: Observation) -> list[Fate]:
    """Return the fates of a lost hand: one, or one for each position if its cards are shown."""
    if o.card is None:
        return [o.event + 1]
    return [(o.event + 1, position) for position in range(len(o.card))]


def _shown(hand: Sequence[_Slot], o: Observation) -> Iterator[Constraint]:
    """Yield constraints: the cards of a lost hand are, from left to right, the shown ones."""
    fates = _loss_fates(o)
    for index, (fate, card) in enumerate(zip(fates, o.card or "", strict=True)):
        yield exactly(1, [is_(slot.fate, fate) for slot in hand])
        for k, slot in enumerate(hand):
            yield _clause(is_not(slot.fate, fate), slot.is_a(card))
            if fates[index + 1 :]:
                for other in hand[:k]:
                    later = is_(other.fate, *fates[index + 1 :])
                    yield at_most(1, [is_(slot.fate, fate), later])


def _clause(*facts: Fact) -> Constraint:
    """Return the constraint that one of the facts holds; those that cannot are left out."""
    return at_least(1, [fact for fact in facts if fact.values])
