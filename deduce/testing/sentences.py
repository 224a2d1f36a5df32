"""Whether the sentence of evidence names the players whom it concerns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from attrs import fields, has

from deduce.constraints import Constraint, Count, Fact, Logic, Sum, Weigh, variables_of
from deduce.game import Event, HiddenGame, SeenInParts, Witnessed, hook
from deduce.problem import Evidence
from deduce.system.text import fold, name_of

__all__ = ["sentence_fault"]

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


def _leaves(value: Any) -> Iterator[Any]:
    if has(type(value)):
        for attribute in fields(type(value)):
            yield from _leaves(getattr(value, attribute.name))
    elif isinstance(value, tuple | list | frozenset | set):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _of_constraint(constraint: Constraint) -> Iterator[Any]:
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
