"""Checks against an independent statement of what a viewer sees, which the game supplies.

`Evidence` cannot be checked against itself. A game can state twice more, in other words, what its
events show: ``seen(log, viewer)``, what a viewer notices of a log; and ``likelihood(world, log,
viewer)``, how probable that would be in a world. From the first follows *noninterference* (Goguen
and Meseguer, *Security policies and security models*, 1982): logs that look equal give equal
evidence. From the second follow completeness (no possible world is excluded), soundness (every
excluded world is impossible) and the weights.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from random import Random
from typing import Any, NoReturn

from attrs import evolve, fields, has

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Fact, Logic, Sum, Weigh, Where, variables_of
from deduce.errors import BadInput, Undecided
from deduce.game import RECORD, Event, HiddenGame, Recorded, SeenInParts, Viewer, Witnessed, hook
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, World, number_of
from deduce.system.text import fold, name_of
from deduce.testing.frequencies import ConformanceError, how_to_repeat

__all__ = [
    "check_independently",
    "check_kinds_of_events",
    "sentence_fault",
    "variants",
    "viewer_name",
]

MAX_VARIANTS = 60
"""Up to this number of changed events are examined for whether they look the same."""

RECORDS = 60
"""The number of further logs from which events are taken to be examined alone."""

EACH_KIND = 5
"""So many events of each class are examined alone, and some changes of each."""


def check_independently(
    game: object,
    log: Sequence[object],
    truth: World,
    viewers: Sequence[Viewer],
    *,
    seed: int,
    worlds: int = 300,
    steps: int = 100_000,
) -> None:
    """Check a log, and each of its events alone, against what the game states independently.

    Parameters
    ----------
    game
        The game; what it does not state (``seen``, ``likelihood``, ``actor``) is not checked.
    log, truth
        A log, and the world in which it was recorded.
    viewers
        The viewers whose evidence is examined.
    seed
        The seed of the deal, which also selects what is changed.
    worlds
        All worlds are compared if the rules allow up to this number; otherwise the true one, those
        that differ from it by an exchange of two values, and random ones.
    steps
        The budget of the question which worlds the rules allow.

    Raises
    ------
    ConformanceError
        Evidence does not agree with the statement.
    """
    rules = _Rules(game, seed, worlds, steps)
    _Independent(rules, log, truth, viewers).check()


def check_kinds_of_events(game: Any, viewers: Sequence[Viewer], *, seed: int, steps: int) -> None:
    """Check some events of each class alone, rare ones too, and changed ones.

    Whether an event is true of some deal does not matter here: evidence and ``likelihood`` must
    agree about every event that the game accepts.
    """
    random = Random(f"events {seed}")
    if not _is_stated(game):
        return
    rules = _Rules(game, seed, 60, steps)
    of_class: dict[type, list[tuple[World, object]]] = {}
    for _ in range(RECORDS):
        world = game.deal(random)
        for event in game.record(world, random):
            of_class.setdefault(type(event), []).append((world, event))
    for events in of_class.values():
        for world, event in random.sample(events, min(EACH_KIND, len(events))):
            one = _Independent(rules, [event], world, viewers)
            one.check()
            one.check_changed(event)


def viewer_name(viewer: Viewer) -> str:
    """Return what a message calls a viewer.

    >>> viewer_name(None), viewer_name("Ann")
    ('the bystander', 'Ann')
    """
    if viewer is None:
        return "the bystander"
    return "the record" if viewer is RECORD else name_of(viewer)


def _is_stated(game: object) -> bool:
    """Return whether the game states what is seen, so that events are examined alone."""
    has_seen = hook(game, Witnessed.seen) is not None
    return has_seen or hook(game, Witnessed.likelihood) is not None


class _Rules:
    """The worlds that the rules allow before any event, which all logs of a deal share."""

    def __init__(self, game: Any, seed: int, most_worlds: int, steps: int) -> None:
        self.game, self.seed, self.most_worlds = game, seed, most_worlds
        self.budget = Budget(steps)

    @cached_property
    def problem(self) -> Problem:
        return Problem(self.game.variables(), tuple(self.game.rules()))

    @cached_property
    def worlds(self) -> tuple[list[World], bool]:
        """All worlds and ``True``; random ones and ``False`` if there are too many."""
        everything = Knowledge(self.problem, budget=self.budget)
        try:
            if everything.count() <= self.most_worlds:
                return list(everything.worlds()), True
            return list(everything.sample(self.most_worlds // 4, seed=self.seed)), False
        except Undecided:
            return [], False


class _Independent:
    """One log and everything that is compared about it."""

    def __init__(
        self, rules: _Rules, log: Sequence[object], truth: World, viewers: Sequence[Viewer]
    ) -> None:
        self.rules, self.game, self.seed = rules, rules.game, rules.seed
        self.log, self.truth, self.viewers = log, truth, viewers
        self.random = Random(self.seed)
        self.where = ""

    def check(self) -> None:
        self.check_log(self.log, "the whole log")
        if not _is_stated(self.game):
            return
        for number, event in enumerate(self.log, start=1):
            self.check_log([event], f"event {number} alone, {event!r}")
            if hook(self.game, Witnessed.seen):
                self.check_noninterference(event)

    def check_changed(self, event: object) -> None:
        """Check some events that differ from one in one name."""
        changed = [other for other in self.changed(event) if self.is_accepted(other)]
        flags = [other for other in changed if _differs_in_a_flag(event, other)]
        for other in [*flags, *changed[:2]]:
            self.check_log([other], f"{other!r} alone")

    def check_log(self, log: Sequence[object], what: str) -> None:
        """Check the evidence of a log for every viewer."""
        for viewer in self.viewers:
            self.where = f"for {viewer_name(viewer)} from {what}"
            pieces = tuple(self.game.evidence(log, viewer))
            if self.compared:
                self.check_likelihood(log, viewer, pieces, self.compared)
            if hook(self.game, SeenInParts.players, ()):
                self.check_sentences(log, pieces)

    def fail(self, what: str) -> NoReturn:
        again = how_to_repeat(self.game, self.seed)
        raise ConformanceError(f"{what}\n  {self.where}\n  again: {again}")

    # Which worlds are compared

    @cached_property
    def compared(self) -> list[World]:
        return self.worlds() if hook(self.game, Witnessed.likelihood) else []

    def worlds(self) -> list[World]:
        """Return the worlds in which evidence is compared with the likelihood."""
        problem = self.rules.problem
        if set(problem.domains) != set(self.truth):
            return []  # something is drawn later; the likelihood is about complete worlds
        worlds, are_all = self.rules.worlds
        if are_all:
            return worlds
        pairs = list(combinations(problem.domains, 2))
        self.random.shuffle(pairs)
        swapped = (self.swapped(one, other) for one, other in pairs)
        near = (world for world in swapped if problem.holds(world))
        return [self.truth, *islice(near, self.rules.most_worlds), *worlds]

    def swapped(self, one: object, other: object) -> World:
        return {**self.truth, one: self.truth[other], other: self.truth[one]}

    # Completeness, soundness, weights

    def check_likelihood(
        self,
        log: Sequence[object],
        viewer: Viewer,
        pieces: Sequence[Evidence],
        worlds: Iterable[World],
    ) -> None:
        evidence = Problem(self.game.variables(), (), pieces)
        first: tuple[Fraction | int, Fraction | int] | None = None
        for world in worlds:
            likelihood = self.game.likelihood(world, log, viewer)
            weight = _weight(evidence, world)
            if weight and not likelihood:
                self.fail(
                    f"evidence leaves a world possible that what was seen excludes: {_text(world)}"
                )
            if likelihood and not weight:
                self.fail(f"evidence excludes a world in which this could be seen: {_text(world)}")
            if not weight:
                continue
            first = first or (weight, likelihood)
            if weight * first[1] != likelihood * first[0]:
                ratio = Fraction(weight) / likelihood * first[1] / first[0]
                self.fail(
                    f"evidence weighs a world {ratio} times as much as it is likely, compared with "
                    f"the first world: {_text(world)}"
                )

    # Sentences

    def check_sentences(self, log: Sequence[object], pieces: Sequence[Evidence]) -> None:
        for piece in pieces:
            if piece.event is None:
                continue
            if not 1 <= piece.event <= len(log):
                self.fail(f"evidence of an event {piece.event} that is not in the log: {piece}")
            fault = sentence_fault(self.game, log[piece.event - 1], piece)
            if fault:
                self.fail(fault)

    # Noninterference

    def check_noninterference(self, event: object) -> None:
        """Compare the evidence of an event and of changed ones that look the same to a viewer."""
        accepted = (other for other in self.changed(event) if self.is_accepted(other))
        for other in islice(accepted, MAX_VARIANTS):
            for viewer in self.viewers:
                if self.game.seen([event], viewer) != self.game.seen([other], viewer):
                    continue
                first = _comparable(self.game.evidence([event], viewer))
                second = _comparable(self.game.evidence([other], viewer))
                if first != second:
                    self.where = f"for {viewer_name(viewer)}"
                    self.fail(
                        f"two events look the same but are different evidence: {event!r} and "
                        f"{other!r}: {_difference(first, second)}"
                    )

    def changed(self, event: object) -> list[object]:
        """Return the event with one name changed, in every way, in random order."""
        changed = list(variants(event, [None, *self.names()]))
        self.random.shuffle(changed)
        return changed

    def is_accepted(self, event: object) -> bool:
        check = hook(self.game, Recorded.check)
        try:
            if check is not None:
                check(event)
        except BadInput:
            return False
        return True

    def names(self) -> Iterator[object]:
        domains: Mapping[object, Iterable[object]] = self.game.variables()
        values = (value for domain in domains.values() for value in domain)
        yield from dict.fromkeys([*domains, *values, *hook(self.game, SeenInParts.players, ())])


def _text(world: World) -> str:
    return ", ".join(f"{name_of(variable)}={name_of(world[variable])}" for variable in world)


def _differs_in_a_flag(event: Any, other: object) -> bool:
    if not has(type(event)):
        return False
    pairs = ((getattr(event, a.name), getattr(other, a.name)) for a in fields(type(event)))
    return any(isinstance(one, bool) and one != two for one, two in pairs)


def _weight(evidence: Problem, world: World) -> Fraction | int:
    """Return the weight that evidence gives a world; 0 where it excludes the world."""
    if not evidence.holds(world):
        return 0
    weight: Fraction | int = 1
    for constraint in evidence.constraints():
        if isinstance(constraint, Weigh):
            weight *= constraint.weights[number_of(constraint, world)]
    return weight


def _comparable(pieces: Iterable[Evidence]) -> set[tuple[object, ...]]:
    """Return evidence so that equal evidence is equal; predicates are compared by variables."""
    return {
        (
            piece.constraint.variables if isinstance(piece.constraint, Where) else piece.constraint,
            piece.event,
            piece.sentence,
        )
        for piece in pieces
    }


def _difference(first: set[tuple[object, ...]], second: set[tuple[object, ...]]) -> str:
    only = sorted(str(parts[2] or parts[0]) for parts in first ^ second)
    return "; ".join(only[:3])


def variants(value: Any, names: Sequence[object]) -> Iterator[object]:
    """Yield the value with one of its leaves changed, as far as its class accepts that.

    Parameters
    ----------
    value
        An attrs object, tuple, Boolean, or anything hashable.
    names
        What a leaf may become: a leaf that is not one of these is left as it is.

    Examples
    --------
    >>> list(variants(("Ann", True), ["Ann", "Ben"]))
    [('Ben', True), ('Ann', False)]
    """
    if has(type(value)):
        for attribute in fields(type(value)):
            if not attribute.init:
                continue
            for changed in variants(getattr(value, attribute.name), names):
                try:
                    yield evolve(value, **{attribute.alias: changed})
                except (BadInput, ValueError, TypeError):
                    continue
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            for changed in variants(item, names):
                yield (*value[:index], changed, *value[index + 1 :])
    elif isinstance(value, bool):
        yield not value
    elif value in names:
        yield from (name for name in names if name != value)


_ORDINARY = "a an at by card cards has holds i in is it none not of on one or the to was"


def sentence_fault(game: HiddenGame, event: Event, piece: Evidence) -> str:
    """Return what is wrong with the players that a sentence names, or an empty string.

    Where an event names players, its sentences name no others except those in the constraint. A
    sentence of a constraint about one player only names that player. If the game has
    ``actor(event, evidence)``, which returns who acted or ``None``, that player is named first.
    """
    players = _distinct_names(game)
    named = _named(piece.sentence, players)
    if not named:
        return ""
    concerned = {name for name in map(name_of, _of_constraint(piece.constraint)) if name in players}
    in_event = {name_of(leaf) for leaf in _leaves(event)} & set(players)
    others = [name for name in named if name not in concerned | in_event]
    if in_event and others:
        return f"the sentence {piece.sentence!r} names {others[0]}, who is not part of {event!r}"
    if len(concerned) == 1 and not concerned & set(named):
        return f"the sentence {piece.sentence!r} does not name {min(concerned)}, whom it is about"
    acting = hook(game, Witnessed.actor)
    actor = None if acting is None else acting(event, piece)
    if actor is not None and name_of(actor) in players and named[0] != name_of(actor):
        return f"the sentence {piece.sentence!r} begins with {named[0]}, but {actor} acted"
    return ""


def _distinct_names(game: HiddenGame) -> list[str]:
    """Return the players' names that cannot be mistaken for another word of a sentence."""
    variables = game.variables()
    values = {value for domain in variables.values() for value in domain}
    players = list(map(name_of, hook(game, SeenInParts.players, ())))
    things = [name_of(thing) for thing in {*variables, *values}]
    text = " ".join(thing for thing in things if thing not in players)
    return [
        name
        for name in players
        if fold(name) not in _ORDINARY.split() and not _named(text, [name]) and name.strip()
    ]


def _named(sentence: str, players: Collection[str]) -> list[str]:
    """Return the players that a sentence names, in the order of their first mention."""
    if not players:
        return []
    longest_first = sorted(players, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return list(dict.fromkeys(re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", sentence)))


def _leaves(value: Any) -> Iterator[object]:
    if has(type(value)):
        for attribute in fields(type(value)):
            yield from _leaves(getattr(value, attribute.name))
    elif isinstance(value, tuple | list | frozenset | set):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _of_constraint(constraint: Constraint) -> Iterator[object]:
    """Yield the variables and values that a constraint is about."""
    match constraint:
        case Fact() as fact:
            facts: tuple[Fact, ...] = (fact,)
        case Count(facts=of_count) | Weigh(facts=of_count):
            facts = of_count
        case Sum() as weighted:
            facts = tuple(weighted.facts)
        case Logic(parts=parts):
            for part in parts:
                yield from _of_constraint(part)
            return
        case other:
            yield from variables_of(other)
            return
    for fact in facts:
        yield fact.variable
        yield from fact.values
