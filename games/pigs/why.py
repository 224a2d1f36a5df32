"""Why a seat has a role, or why a log is impossible: the smallest set of events that shows it.

What everybody sees (who lives, who has declared, hit points) counts as known; an event outside the
set keeps its public effect, but says nothing about roles and hands: a card that it played may have
been any card. The search for a smallest set is the implicit hitting set algorithm (Ignatiev et al.,
"Smallest MUS extraction with minimal hitting set dualization", CP 2015), over exact filters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import attrs
from attrs import frozen

from deduce.display import Displayed
from deduce.errors import BadInput, Contradiction
from games.pigs.cards import MASTER, REBEL, Role
from games.pigs.census import vectors
from games.pigs.facts import Facts, Kind, roles_of
from games.pigs.follow import follow
from games.pigs.infer import Seats, apply, infer
from games.pigs.log import Log
from games.pigs.reasons import Part, Reason, give_reasons
from games.pigs.timeline import steps

__all__ = ["Why", "smallest", "why", "why_impossible"]


@frozen
class Why(Displayed):
    """An explanation: these events force the claim, and no smaller set of events does."""

    seat: int | None
    """The seat whose role is explained; None: why the log is impossible."""
    role: Role | None
    events: tuple[int, ...]
    """Numbers of the events, counted from 1."""
    reasons: tuple[Reason, ...]
    """One for each seat that the events are about, then what follows by counting rebels."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the inference rules that apply (docs/games/pigs.md, 9.2), each once."""
        return tuple(dict.fromkeys(reason.rule for reason in self.reasons if reason.rule))

    def __str__(self) -> str:
        return "\n".join(reason.sentence for reason in self.reasons)

    def _repr_html_(self) -> str:
        from deduce.show.cells import lines_html

        return lines_html(reason.sentence for reason in self.reasons)


def why(log: Log, seat: int, role: Role) -> Why:
    r"""Return the smallest set of events that forces the seat's role, with sentences.

    Raises
    ------
    BadInput
        There is no such seat, the role is not certain (the message gives its probability), or the
        log cannot be read by the rules.
    Contradiction
        The log is impossible; the ``why`` of the error tells which events clash.

    Notes
    -----
    Every candidate set is checked with the exact hand filters. Worst case exponential in the size
    of the answer, which is small: milliseconds for most roles, a second for the hardest recorded.

    Examples
    --------
    >>> from games.pigs.logtext import parse_log
    >>> log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends"
    >>> print(why(parse_log(log), 2, "FP"))
    Seat 2 used a duel on the Master (event 4): only a rebel does that. (P1)
    """
    if not 1 <= seat <= log.players:
        raise BadInput(f"there is no seat {seat}, only 1 to {log.players}")
    facts = follow(log)
    checker = _Checker(log, facts)
    if not checker.fits(checker.all):
        raise Contradiction("no roles and cards fit this log", why=why_impossible(log))
    if checker.fits(checker.all, seat=seat, unlike=role):
        probability = infer(log).probability(seat, role)
        raise BadInput(f"seat {seat} need not be {role}: its probability is {probability}")
    if len(checker.roles_before(seat)) == 1:
        text = f"Seat {seat} is {role}: the log is told by this seat itself."
        if role == MASTER:
            text = "Seat 1 is the Master: everybody knows."
        return Why(seat, role, (), (Reason(seat, None, text),))
    events = smallest(checker.all, lambda kept: not checker.fits(kept, seat=seat, unlike=role))
    return _explain(log, facts, checker, events, seat, role)


def why_impossible(log: Log) -> Why:
    """Return the smallest set of events that cannot all have happened.

    Raises
    ------
    BadInput
        The log cannot be read by the rules, or it is possible.
    """
    facts = follow(log)
    first = _first_impossible(log, facts)
    if first is None:
        raise BadInput("the log is possible: there is nothing to explain")
    # What comes later is not needed; fewer events make the search fast.
    facts = attrs.evolve(
        facts,
        observations=tuple(o for o in facts.observations if o.event <= first),
        standings=tuple(s for s in facts.standings if s.event <= first),
    )
    checker = _Checker(log, facts)
    events = smallest(checker.all, lambda kept: not checker.fits(kept))
    return _explain(log, facts, checker, events, None, None)


def _first_impossible(log: Log, facts: Facts) -> int | None:
    """Return the index of the event after which no world is left, or None."""
    for number, factors, standing in steps(log, facts):
        if not any(vectors(factors, standing, log.rebels)):
            return number - 1
    return None


class _Checker:
    """Answers whether some world fits part of the evidence; remembers what it has computed."""

    def __init__(self, log: Log, facts: Facts) -> None:
        self.log = log
        self.standing = facts.standings[-1]
        self.observations = [
            [o for o in facts.observations if o.seat == seat] for seat in range(log.players + 1)
        ]
        self.events_of = [frozenset(o.event for o in seen) for seen in self.observations]
        self.possible: dict[tuple[int, frozenset[int]], tuple[Role, ...]] = {}
        speaking = {o.event for o in facts.observations if o.kind is not Kind.DRAW}
        if self.standing.rebel_lives is False:
            speaking.add(self.standing.event)
        self.all = sorted(speaking)

    def roles(self, seat: int, kept: Collection[int]) -> tuple[Role, ...]:
        """Return the roles that the seat's own part of the kept events leaves possible."""
        key = (seat, self.events_of[seat].intersection(kept))
        if key not in self.possible:
            seats = Seats(self.log)
            filters = seats.filters[seat - 1]
            steps = [(o, seats.slots(seat, o.number)) for o in self.observations[seat]]
            found = []
            for role, hands in filters.items():
                for o, slots in steps:
                    if o.kind is Kind.DRAW or o.event in kept:
                        apply(hands, o.kind, o.by_role[role == REBEL], o.card, slots)
                    elif o.kind is Kind.PLAY:
                        hands.shed()
                    elif o.kind is Kind.LOSE:
                        hands.lose(None)
                    if not hands.states:
                        break
                else:
                    found.append(role)
            self.possible[key] = tuple(found)
        return self.possible[key]

    def roles_before(self, seat: int) -> tuple[Role, ...]:
        """Return the roles that the seat may have before anything has happened."""
        view = self.log.viewpoint
        return (view.role,) if view and view.seat == seat else roles_of(seat)

    def fits(
        self, kept: Collection[int], *, seat: int | None = None, unlike: Role | None = None
    ) -> bool:
        """Return whether some world fits the kept events in which ``seat`` is not ``unlike``."""
        seats = range(1, self.log.players + 1)
        out = {(k, r) for k in seats for r in set(roles_of(k)).difference(self.roles(k, kept))}
        return self.fits_roles(kept, out, seat=seat, unlike=unlike)

    def fits_roles(
        self,
        kept: Collection[int],
        out: Collection[tuple[int, Role]],
        *,
        seat: int | None,
        unlike: Role | None,
    ) -> bool:
        """Return whether the number of rebels allows roles that leave these (seat, role) out."""
        factors = [
            {r: 1 for r in self.roles_before(k) if (k, r) not in out and (k != seat or r != unlike)}
            for k in range(1, self.log.players + 1)
        ]
        standing = self.standing
        if standing.rebel_lives is False and standing.event not in kept:
            standing = standing._replace(rebel_lives=None)
        return any(True for _ in vectors(factors, standing, self.log.rebels))


def smallest(
    candidates: Sequence[int], is_enough: Callable[[Collection[int]], bool]
) -> tuple[int, ...]:
    """Return a smallest set of candidates that is enough, in ascending order.

    Parameters
    ----------
    candidates
        All of them together have to be enough.
    is_enough
        A monotone test: more candidates never hurt.

    Examples
    --------
    >>> smallest(range(10), lambda kept: {2, 7} <= set(kept) or {1, 3, 4} <= set(kept))
    (2, 7)
    """
    everything = frozenset(candidates)
    to_hit: list[frozenset[int]] = []
    while True:
        chosen = _hitting_set(to_hit)
        if is_enough(chosen):
            return tuple(sorted(chosen))
        # Whatever is enough has to contain something outside this largest insufficient set.
        kept = set(chosen)
        chunks = [sorted(everything - kept)]
        while chunks:
            chunk = chunks.pop()
            if not is_enough(kept.union(chunk)):
                kept.update(chunk)
            elif len(chunk) > 1:
                middle = len(chunk) // 2
                chunks += [chunk[:middle], chunk[middle:]]
        to_hit.append(everything - kept)


def _hitting_set(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """Return a smallest set that meets all the sets, by depth-first search of growing depth."""

    def search(chosen: frozenset[int], depth: int) -> frozenset[int] | None:
        open_sets = sorted((s for s in sets if not s & chosen), key=len)
        if not open_sets:
            return chosen
        apart: set[int] = set()
        needed = 0
        for candidate in open_sets:
            if not candidate & apart:
                apart |= candidate
                needed += 1
        if needed > depth:
            return None
        for item in sorted(open_sets[0]):
            found = search(chosen | {item}, depth - 1)
            if found is not None:
                return found
        return None

    depth = 0
    while (found := search(frozenset(), depth)) is None:
        depth += 1
    return found


def _explain(
    log: Log,
    facts: Facts,
    checker: _Checker,
    events: Sequence[int],
    seat: int | None,
    role: Role | None,
) -> Why:
    """Return the explanation that these events make: seat by seat, then by counting."""
    parts = []
    for other in range(1, log.players + 1):
        own = sorted(checker.events_of[other].intersection(events))
        left = checker.roles(other, events)
        for out in checker.roles_before(other):
            if out not in left:

                def rules_out(kept: Collection[int], k: int = other, r: Role = out) -> bool:
                    return r not in checker.roles(k, kept)

                parts.append(Part(other, out, smallest(own, rules_out)))
    for part in tuple(parts):
        # One event may say something about several seats; tell only what the claim needs.
        others = [other for other in parts if other is not part]
        ruled_out = {(other.seat, other.out) for other in others}
        if not checker.fits_roles(events, ruled_out, seat=seat, unlike=role):
            parts = others
    reasons = give_reasons(log, facts, parts, seat, role)
    return Why(seat, role, tuple(event + 1 for event in events), reasons)
