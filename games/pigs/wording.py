"""Facts and steps of a proof in the words of Pig-slaying."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import reduce
from operator import or_

from attrs import frozen

from deduce.constraints import Count, Fact
from deduce.logs.events import Log
from deduce.problem import Evidence, Rule
from deduce.system.text import join, plural
from games.pigs.events import At, Declare, Die, EndTurn, Nullify, Use
from games.pigs.evidence import KEPT
from games.pigs.hands import ANY, bits
from games.pigs.inference import SeatFilters, vectors
from games.pigs.reading import Kind, Observation, Reading
from games.pigs.setup import (
    CARD_NAMES,
    CARDS,
    CROSSBOW,
    LOYAL,
    MASTER,
    NULLIFY,
    REBEL,
    ROLE_NAMES,
    SIDE_OF,
    SLASH,
    Role,
    Setup,
    roles_of,
)

__all__ = ["Exclusion", "Reason", "give_reasons", "pattern", "say", "say_all"]


A_ROLE = {MASTER: "the Master", LOYAL: "a loyal", REBEL: "a rebel"}
AS = {**A_ROLE, LOYAL: "loyal"}
A_CARD = {
    card: f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for card, name in CARD_NAMES.items()
}


def say(fact: Fact) -> str:
    """Return a fact as a player would say it.

    >>> from deduce import is_, is_not
    >>> say(is_(("role", 3), "FP")), say(is_(("card", 3, 2), "K"))
    ('seat 3 is a rebel', 'card 2 of seat 3 is a slash')
    >>> say(is_(("fate", 3, 2), 6)), say(is_not(("fate", 3, 2), KEPT))
    ('card 2 of seat 3 leaves the hand at event 6', 'card 2 of seat 3 does not stay in the hand')
    """
    match fact.variable:
        case ("role", seat) if fact.values <= set(A_ROLE):
            return f"seat {seat} is {_listed(A_ROLE, fact)}"
        case ("card", seat, index) if fact.values <= set(A_CARD):
            return f"card {index} of seat {seat} is {_listed(A_CARD, fact)}"
        case ("fate", seat, index):
            fates = [_fate(fate, negated=fact.negated) for fate in sorted(fact.values, key=str)]
            return f"card {index} of seat {seat} {join(fates, 'and' if fact.negated else 'or')}"
        case ("reached", seat, event):
            positions = join(sorted(map(str, fact.values)), "or")
            verb = "had not" if fact.negated else "had"
            return f"at event {event} the look of seat {seat} {verb} reached card {positions}"
    return str(fact)


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same value as clauses, the cards of a seat taken together.

    >>> from deduce import is_not
    >>> cards = [("card", 1, 1), ("card", 1, 3), ("card", 2, 1)]
    >>> say_all([is_not(card, "N") for card in cards])
    'cards 1 and 3 of seat 1 are not an invasion and card 1 of seat 2 is not an invasion'
    """
    clauses: dict[Hashable, tuple[Fact, list[str]]] = {}
    for fact in facts:
        match fact.variable:
            case ("card", seat, index) if fact.values <= set(A_CARD):
                clauses.setdefault(seat, (fact, []))[1].append(str(index))
            case _:
                clauses[fact] = (fact, [])
    return join(
        [
            f"cards {join(cards)} of seat {seat} are {_listed(A_CARD, fact)}"
            if len(cards) > 1
            else say(fact)
            for seat, (fact, cards) in clauses.items()
        ]
    )


def _listed(names: Mapping[str, str], fact: Fact) -> str:
    chosen = join([name for value, name in names.items() if value in fact.values], "or")
    return f"not {chosen}" if fact.negated else chosen


def _is_about_roles(piece: Rule | Evidence) -> bool:
    constraint = piece.constraint
    facts = constraint.facts if isinstance(constraint, Count) else (constraint,)
    variables = (one.variable for one in facts if isinstance(one, Fact))
    return any(isinstance(variable, tuple) and variable[0] == "role" for variable in variables)


def _fate(fate: Hashable, *, negated: bool) -> str:
    """Return what a card does, or does not do."""
    stays, leaves = ("does not stay", "does not leave") if negated else ("stays", "leaves")
    if fate == KEPT:
        return f"{stays} in the hand"
    if isinstance(fate, tuple):
        return f"{leaves} the hand at event {fate[0]} as card {fate[1] + 1} of those shown"
    return f"{leaves} the hand at event {fate}"


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default (`deduce.game.Said.pattern`)."""
    names = {
        "given": "declared",
        "last value": "nothing else left",
        "combination": "both behaviours compared",
        "case": "case distinction",
    }
    if kind == "given" and not any(map(_is_about_roles, pieces)):
        return "cards played or kept"
    if kind in ("enough", "needed"):
        return "rebels counted" if all(isinstance(p, Rule) for p in pieces) else "policy of a seat"
    return names.get(kind)


OTHER_ROLE: Mapping[Role, Role] = {LOYAL: REBEL, REBEL: LOYAL}


@frozen
class Exclusion:
    """A role that some events rule out for a seat."""

    seat: int
    out: Role
    events: tuple[int, ...]
    """The indices of the events; no subset of them suffices."""


@frozen
class Reason:
    """One step of an explanation."""

    seat: int | None
    """The seat that it concerns; ``None``: all seats."""
    rule: str | None
    """The rule's name in docs/games/pigs.md, 9.2; ``None``: no single rule suffices."""
    text: str

    @property
    def sentence(self) -> str:
        """The text, followed by the name of the rule."""
        return f"{self.text} ({self.rule})" if self.rule else self.text


def give_reasons(
    log: Log, reading: Reading, exclusions: Sequence[Exclusion], seat: int | None, role: Role | None
) -> tuple[Reason, ...]:
    """Return a reason for each exclusion, then what follows for the claim by counting rebels.

    Parameters
    ----------
    log, reading
        The log, and what its events state.
    exclusions
        What the events of the proof rule out, seat by seat.
    seat, role
        The claim that follows; ``None``: that the log is impossible.
    """
    writer = _Writer(log, reading)
    reasons = [writer.rule_out(exclusion) for exclusion in exclusions]
    out = {(exclusion.seat, exclusion.out) for exclusion in exclusions}
    if (1, MASTER) in out:
        return tuple(reasons)
    for other in log.game.players[1:]:
        if all((other, r) in out for r in roles_of(other)):
            reasons.append(Reason(other, None, f"So no role is left for seat {other}."))
            return tuple(reasons)
    if seat is None or role is None:
        premise = writer.premise(out, None, None)
        reasons.append(Reason(None, "P6", f"But {premise}: no roles agree with that."))
    elif (seat, OTHER_ROLE[role]) not in out:
        premise = writer.premise(out, seat, role)
        text = f"{premise[0].upper()}{premise[1:]}: seat {seat} must be {AS[role]}."
        reasons.append(Reason(seat, "P6", text))
    return tuple(reasons)


class _Writer:
    """Makes sentences of observations."""

    def __init__(self, log: Log, reading: Reading) -> None:
        self.log = log
        self.reading = reading

    def rule_out(self, part: Exclusion) -> Reason:
        """Return why the seat cannot have the role that is out."""
        seen = [
            observation
            for observation in self.reading.observations
            if observation.seat == part.seat
            and observation.event in part.events
            and observation.kind is not Kind.DRAW
        ]
        if part.out == MASTER:
            return self.by_all(part, seen)
        for observation in seen:
            if observation.by_role[part.out == REBEL] is None:
                return self.by_action(part, observation)
        for kept in seen:
            if kept.kind is not Kind.LACK:
                continue
            for shown in seen:
                card = self.card_that_clashes(part, kept, shown)
                if card is not None:
                    return self.by_kept_card(part, kept, card, shown)
            for card in CARDS if self.log.game.open_hands else ():
                if self.separates_roles(part, kept, card) and self.held(part, kept, card):
                    return self.by_kept_card(part, kept, card, None)
        return self.by_all(part, seen)

    def held(self, part: Exclusion, kept: Observation, card: str) -> bool:
        """Return whether the seat certainly held the card, its cards being known."""
        filters = SeatFilters(self.log.game)
        for observation in self.reading.observations:
            if observation.seat == part.seat and observation.event < kept.event:
                filters.add(observation)
        hands = filters.filters[part.seat - 1][OTHER_ROLE[part.out]]
        return hands.is_possible and hands.weight_without(bits(card)) == 0

    # Certain from the action itself.

    def by_action(self, part: Exclusion, observation: Observation) -> Reason:
        seat, role = part.seat, OTHER_ROLE[part.out]
        name, out = ROLE_NAMES[role], ROLE_NAMES[part.out]
        number = observation.event + 1
        rule: str | None
        match self.log.events[observation.event]:
            case Use(_, card, target):
                aim = "the Master" if target == 1 else f"seat {target}"
                used = f"Seat {seat} used {A_CARD[card]} on {aim}"
                if self.log.game.rule_set == "literal":
                    rule, does = None, f"which a {out} would not have done, so it is {AS[role]}"
                    text = f"{used} (event {number}), {does}."
                else:
                    rule = "P1" if target == 1 else "P2"
                    enemy = "" if target == 1 else f", a declared {out}"
                    text = f"{used}{enemy} (event {number}): only a {name} does that."
            case Declare():
                rule, text = "P3", f"Seat {seat} declared itself {name} (event {number})."
            case Nullify(_, level):
                rule = "P4"
                deed = "shielded" if level % 2 else "helped to strike at"
                text = (
                    f"Seat {seat} used a nullify at level {level} (event {number}), which {deed} "
                    f"{self.shielded(observation.event)}: only the {SIDE_OF[role]} side does that, "
                    f"so it is {AS[role]}."
                )
            case Die():
                rule, text = "P5", f"Seat {seat} died as {AS[role]} (event {number})."
            case _:
                rule = "P7"
                text = (
                    f"Seat {seat} discarded a slash against the Master in a duel (event {number}): "
                    f"a loyal never does that, so it is {AS[role]}."
                )
        return Reason(seat, rule, text)

    def shielded(self, event: int) -> str:
        """Return the target of the trick that a nullify is about."""
        for earlier in reversed(self.log.events[:event]):
            match earlier:
                case At(target) | Use(_, _, int(target)):
                    return "the Master" if target == 1 else f"seat {target}"
        raise AssertionError("a nullify is about a trick")

    # Certain through cards seen later, or known.

    def separates_roles(self, part: Exclusion, kept: Observation, card: str) -> bool:
        """Return whether only the role that is out would not have kept the card."""
        out, other = kept.by_role[part.out == REBEL], kept.by_role[part.out != REBEL]
        return bool((out or 0) & bits(card) and not (other or 0) & bits(card))

    def card_that_clashes(
        self, part: Exclusion, kept: Observation, shown: Observation
    ) -> str | None:
        """Return a card shown later that the role that is out would not have kept."""
        if shown.event <= kept.event or shown.kind not in (Kind.PLAY, Kind.REACH, Kind.LOSE):
            return None
        cards = shown.card or ""
        return next((card for card in cards if self.separates_roles(part, kept, card)), None)

    def by_kept_card(
        self, part: Exclusion, kept: Observation, card: str, shown: Observation | None
    ) -> Reason:
        seat, role, out = part.seat, OTHER_ROLE[part.out], ROLE_NAMES[part.out]
        name, number = CARD_NAMES[card], kept.event + 1
        if self.is_end_of_turn(kept):
            rule = "N1" if part.out == REBEL else "N2"
            where = f" next to {self.neighbour(kept)}" if card == SLASH else ""
            when = f"when it ended its turn{where} (event {number})"
            reason = f"a {out} would have used it"
        elif card == NULLIFY:
            rule = "N3"
            when = (
                f"when the {SIDE_OF[part.out]} side was asked for a nullify (before event {number})"
            )
            reason = f"a {out} would have used it"
        else:
            rule = "N4"
            when = f"when it gave up the Master's duel (event {number})"
            reason = f"a {out} would have discarded it"
        if shown is None:
            text = f"Seat {seat} held a {name} {when}, as its known cards show: {reason}"
        else:
            text = (
                f"Seat {seat} showed a {name} (event {shown.event + 1}) that it must have held "
                f"{when}: {reason}"
            )
        named = {kept.event, shown.event if shown else kept.event}
        others = [str(event + 1) for event in part.events if event not in named]
        if others:
            noun = "events" if len(others) > 1 else "event"
            text += f" (together with {noun} {join(others)})"
        return Reason(seat, rule, f"{text}, so it is {AS[role]}.")

    def is_end_of_turn(self, observation: Observation) -> bool:
        """Return whether the seat showed this by ending its turn, not by its silence before."""
        event = self.log.events[observation.event]
        no_more = any((types or 0) & bits(CROSSBOW) for types in observation.by_role)
        return isinstance(event, EndTurn) and event.seat == observation.seat and no_more

    def neighbour(self, observation: Observation) -> str:
        """Return the next living seat after the observed one, in words."""
        survivors = [s for s in self.reading.survivors if s.event <= observation.event][-1]
        living = survivors.living
        after = living[(living.index(observation.seat) + 1) % len(living)]
        if after == 1:
            return "the Master"
        side = "rebel" if (observation.by_role[0] or 0) & bits(SLASH) else "loyal"
        return f"seat {after}, a declared {side}"

    # Everything else.

    def by_all(self, part: Exclusion, seen: Sequence[Observation]) -> Reason:
        relevant = [
            o for o in seen if o.kind is not Kind.ROLE and o.by_role[part.out == REBEL] != 0
        ]
        steps = [self.step(o, part.out) for o in relevant]
        head = f"Seat {part.seat} cannot be {AS[part.out]}; no hand fits all of this: "
        if part.out == MASTER:
            head = "No hand of the Master fits all of this: "
        lacked = reduce(or_, (o.by_role[part.out == REBEL] or 0 for o in seen), 0)
        if all(o.kind is Kind.LACK for o in seen) and lacked == ANY:
            head = f"Were seat {part.seat} {AS[part.out]}, a card in its hand would be of no type: "
        return Reason(part.seat, None, head + "; ".join(steps) + ".")

    def step(self, observation: Observation, role: Role) -> str:
        """Return what the observation implies about the hand of a seat with the role."""
        number, types = observation.event + 1, observation.by_role[role == REBEL]
        if observation.kind is Kind.LOSE:
            return f"it lost {_cards(observation.card or '')} (event {number})"
        if observation.kind is Kind.REACH:
            name = A_CARD[observation.card or ""]
            return (
                f"it used {name}, and nothing that it had just passed was usable (event {number})"
            )
        if observation.kind is Kind.PLAY and observation.card:
            name = A_CARD[observation.card]
            if isinstance(self.log.events[observation.event], Use):
                return f"it used {name}, and nothing left of it was usable (event {number})"
            return f"it showed {name} (event {number})"
        holder = "the Master" if role == MASTER else f"a {ROLE_NAMES[role]}"
        lacked = _cards("".join(card for card in CARDS if (types or 0) & bits(card)))
        if observation.kind is Kind.STOP:
            return (
                f"it ended its turn, so {holder} held no {lacked} behind the card it used last "
                f"(event {number})"
            )
        if self.is_end_of_turn(observation):
            return f"it ended its turn, so {holder} held no {lacked} (event {number})"
        return f"{holder} would have shown a {lacked} before event {number}"

    def premise(
        self, out: Collection[tuple[int, Role]], seat: int | None, role: Role | None
    ) -> str:
        """Return what about the number of rebels the proof needs, given some excluded roles."""
        setup: Setup = self.log.game
        impossible = {*out, *([(seat, role)] if seat and role else [])}
        factors = [
            {r: 1 for r in setup.possible_roles(k) if (k, r) not in impossible}
            for k in setup.players
        ]
        survivors = self.reading.survivors[-1]
        if survivors.rebel_lives is False:
            state = "the Master has won, so no living seat is a rebel"
        elif self.reading.winner == REBEL:
            state = "the rebels have won, so one of them is alive"
        else:
            state = "the game goes on, so a rebel is alive"
        if setup.rebels is None or not any(vectors(factors, survivors, None)):
            return state
        verb = "is" if setup.rebels == 1 else "are"
        known = f"the table knows that there {verb} exactly {plural(setup.rebels, 'rebel')}"
        if not any(vectors(factors, survivors._replace(rebel_lives=None), setup.rebels)):
            return known
        return f"{known}, and {state}"


def _cards(cards: str) -> str:
    return join([CARD_NAMES[card] for card in cards], "or") or "nothing"
