"""The inference as a constraint problem on the core: roles and card slots are variables.

Nothing here is factorised by hand: this is the policy as a modeller would state it, for any engine
of the toolkit. `games.pigs.infer` gives the same answers from much longer logs; the two check each
other. For each seat the slots are numbered in the order of drawing. Variables:

``role 3``
    the role of seat 3;
``card 3.2``
    what the second card is that seat 3 drew;
``fate 3.2``
    the number of the event by which that card left the hand, or ``"kept"``. Fates follow from the
    cards and the roles, so that worlds of the problem and worlds of the game are as many.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from attrs import define, field

from deduce.constraints import (
    Constraint,
    Fact,
    Weigh,
    at_least,
    at_most,
    exactly,
    is_,
    is_not,
)
from deduce.errors import BadInput
from deduce.problem import Evidence, Problem, Rule
from games.pigs.cards import CARDS, REBEL, Role
from games.pigs.facts import Facts, Kind, Observation, roles_of
from games.pigs.follow import follow
from games.pigs.log import Log
from games.pigs.notation import format_event

__all__ = ["role_problem", "role_variable"]

KEPT = "kept"
Fate = Hashable


def role_variable(seat: int) -> str:
    """Return the name of the variable that is the seat's role.

    >>> role_variable(3)
    'role 3'
    """
    return f"role {seat}"


def role_problem(log: Log) -> Problem:
    r"""Return what a log says about roles and cards as a problem of the core.

    The number of variables grows with the cards drawn, so a problem belongs to one log, not to the
    game.

    Raises
    ------
    BadInput
        The log cannot be read by the rules.

    Notes
    -----
    Source: docs/games/pigs.md, sections 3 to 6. Two variables a card and, for each
    observation of a seat, one clause a card in its hand and role.

    Examples
    --------
    >>> from deduce.knowledge import Knowledge
    >>> from games.pigs.logtext import parse_log
    >>> log = parse_log("pigs 3\nhand 0\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends")
    >>> Knowledge(role_problem(log)).certain()["role 2"]
    'FP'
    """
    facts = follow(log)
    seats = [_Seat(log, facts, seat) for seat in range(1, log.players + 1)]
    domains: dict[Hashable, Sequence[Hashable]] = {}
    rules: list[Rule] = []
    evidence: list[Evidence] = []
    for seat in seats:
        domains |= seat.domains()
        rules += seat.rules()
        evidence += seat.evidence()
    evidence.sort(key=lambda piece: piece.event or 0)
    return Problem(domains, [*rules, *_census(log, facts)], evidence)


def _census(log: Log, facts: Facts) -> Iterator[Rule]:
    everybody = [is_(role_variable(seat), REBEL) for seat in range(2, log.players + 1)]
    if log.rebels is not None:
        yield Rule(exactly(log.rebels, everybody), f"there are {log.rebels} rebels")
    else:
        yield Rule(at_least(1, everybody), "there is a rebel")
    standing = facts.standings[-1]
    living = [is_(role_variable(seat), REBEL) for seat in standing.living if seat > 1]
    if standing.rebel_lives:
        yield Rule(at_least(1, living), "a rebel lives")
    elif standing.rebel_lives is False:
        yield Rule(exactly(0, living), "no rebel lives")


@define
class _Slot:
    """One card of a seat: when it was drawn, and (filled in event by event) how it may leave."""

    card: str
    fate: str
    drawn: int
    """Index of the event; -1: dealt."""
    types: Sequence[str]
    fates: list[Fate] = field(factory=list)

    def gone_before(self, event: int) -> Fact:
        """Return the fact that the card has left the hand before the event."""
        return is_(self.fate, *(fate for fate in self.fates if _when(fate) < event + 1))

    def left_by(self, event: int) -> Fact:
        """Return the fact that the card leaves the hand by the event, or has left before."""
        return is_(self.fate, *(fate for fate in self.fates if _when(fate) <= event + 1))

    def is_a(self, card: str) -> Fact:
        """Return the fact that the card is this one."""
        return is_(self.card, *(known for known in self.types if known == card))

    def is_none_of(self, types: str) -> Fact:
        """Return the fact that the card is none of these types."""
        return is_(self.card, *(card for card in self.types if card not in types))


def _when(fate: Fate) -> int:
    """Return the number of the event by which a card left the hand (never: a large one)."""
    if isinstance(fate, tuple):
        return int(fate[0])
    return fate if isinstance(fate, int) else 1 << 30


class _Seat:
    """The variables and constraints of one seat."""

    def __init__(self, log: Log, facts: Facts, seat: int) -> None:
        self.log, self.seat = log, seat
        self.seen = [o for o in facts.observations if o.seat == seat]
        view = log.viewpoint
        self.known = log.open_hands[seat - 1] if log.open_hands else None
        self.roles = roles_of(seat)
        self.known_role: Role | None = None
        if view is not None and view.seat == seat:
            self.known, self.known_role = view.cards, view.role
        self.slots: list[_Slot] = []
        hand: list[_Slot] = []
        for o in self.seen:
            if o.kind is Kind.DRAW:
                drawn = [self._slot(len(self.slots) + k, o.event) for k in range(o.number)]
                self.slots += drawn
                hand += drawn
            elif o.kind is Kind.PLAY:
                for slot in hand:
                    slot.fates.append(o.event + 1)
            elif o.kind is Kind.LOSE:
                for slot in hand:
                    slot.fates.extend(_places(o))
                hand = []
        for slot in hand:
            slot.fates.append(KEPT)

    def _slot(self, number: int, event: int) -> _Slot:
        types = [card for card in CARDS if self.log.weights[card]]
        if self.known is not None:
            if number >= len(self.known):
                raise BadInput(f"the known cards of seat {self.seat} end too early")
            types = [self.known[number]]
        name = f"{self.seat}.{number + 1}"
        return _Slot(f"card {name}", f"fate {name}", event, types)

    def domains(self) -> Mapping[Hashable, Sequence[Hashable]]:
        domains: dict[Hashable, Sequence[Hashable]] = {role_variable(self.seat): self.roles}
        for slot in self.slots:
            domains[slot.card] = slot.types
            domains[slot.fate] = slot.fates
        return domains

    def rules(self) -> Iterator[Rule]:
        """Yield the role that the viewpoint knows, and prior weights that are not 1."""
        if self.known_role is not None:
            sentence = f"seat {self.seat} knows its own role"
            yield Rule(is_(role_variable(self.seat), self.known_role), sentence)
        if self.known is None:
            for slot in self.slots:
                for card, weight in self.log.weights.items():
                    if weight > 1:
                        yield Rule(Weigh([is_(slot.card, card)], [1, weight]))

    def evidence(self) -> Iterator[Evidence]:
        """Yield what each event says about the seat."""
        for o in self.seen:
            if o.kind is Kind.DRAW:
                continue
            sentence = format_event(self.log.events[o.event])
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
            # Whatever stays in the hand and could have been played lies right of what was played.
            for unless, types in self._by_role(o):
                for k, slot in enumerate(hand):
                    stays = (slot.left_by(o.event), slot.is_none_of(types))
                    yield _clause(*stays, *unless, *played[:k])
        elif o.kind is Kind.LOSE and o.card:
            yield from _shown(hand, o)

    def _by_role(self, o: Observation) -> Iterator[tuple[list[Fact], str]]:
        """Yield the types by role, each with the facts under which they do not matter."""
        types = {role: _letters(o.by_role[role == REBEL]) for role in self.roles}
        for same in dict.fromkeys(filter(None, types.values())):
            others = [role for role in self.roles if types[role] != same]
            yield ([is_(role_variable(self.seat), *others)] if others else []), same


def _letters(types: int | None) -> str:
    return "".join(card for k, card in enumerate(CARDS) if (types or 0) >> k & 1)


def _lasts(slot: _Slot, event: int) -> bool:
    return any(_when(fate) > event for fate in slot.fates)


def _places(o: Observation) -> list[Fate]:
    """Return the fates of a lost hand: one, or one for each place if its cards are shown."""
    if o.card is None:
        return [o.event + 1]
    return [(o.event + 1, place) for place in range(len(o.card))]


def _shown(hand: Sequence[_Slot], o: Observation) -> Iterator[Constraint]:
    """Yield that the cards of a lost hand are, from left to right, the shown ones."""
    places = _places(o)
    for place, (fate, card) in enumerate(zip(places, o.card or "", strict=True)):
        yield exactly(1, [is_(slot.fate, fate) for slot in hand])
        for k, slot in enumerate(hand):
            yield _clause(is_not(slot.fate, fate), slot.is_a(card))
            if places[place + 1 :]:
                for other in hand[:k]:
                    later = is_(other.fate, *places[place + 1 :])
                    yield at_most(1, [is_(slot.fate, fate), later])


def _clause(*facts: Fact) -> Constraint:
    """Return that one of the facts holds; facts that cannot hold are left out."""
    return at_least(1, [fact for fact in facts if fact.values])
