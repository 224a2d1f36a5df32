"""Names that the players invent: given when a statement needs one, removed by an undo.

In such a game (``Setup.invented``) a group or card without a name has a placeholder that contains
`games.quartets.setup.UNNAMED`, which cannot be written in a statement.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from attrs import evolve

from deduce.errors import BadInput
from games.quartets.events import Ask, Event, Quartet
from games.quartets.setup import UNNAMED, Setup, check_name, named_groups

__all__ = ["named_by", "naming", "spoken_name", "with_names"]

S = TypeVar("S", bound=Setup)


def naming(game: S, group: str, card: str | None = None) -> S:
    """Return the set-up in which a group, and one of its cards, are named.

    Names that are known already remain; a new one replaces the placeholder of a group or card.

    Raises
    ------
    BadInput
        Every group, or every card of the group, has another name already.
    """
    check_name(group, "group")
    groups = dict(game.groups)
    if group not in groups:
        unnamed = next((name for name in groups if name.startswith(UNNAMED)), None)
        if unnamed is None:
            raise BadInput(
                f"all groups are named already: {', '.join(groups)}; none is called {group!r}"
            )
        groups = {group if name == unnamed else name: cards for name, cards in groups.items()}
        groups[group] = tuple(f"{group} {UNNAMED}{c}" for c in range(1, len(groups[group]) + 1))
    if card is not None and card not in groups[group]:
        check_name(card, "card")
        if card in game.cards:
            raise BadInput(f"{card!r} is a card of another group")
        cards = list(groups[group])
        unnamed = next((name for name in cards if UNNAMED in name), None)
        if unnamed is None:
            raise BadInput(
                f"all cards of {group!r} are named already: {', '.join(cards)}; "
                f"none is called {card!r}"
            )
        cards[cards.index(unnamed)] = card
        groups[group] = tuple(cards)
    return evolve(game, groups=groups)


def with_names(game: S, event: Event) -> tuple[S, Event]:
    """Return a statement in which placeholders are replaced by plain names, and the game with them.

    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> with_names(game, Ask("Ann", "Ben", "?2.1"))[1]
    Ask(by='Ann', to='Ben', card='b1')
    """
    if isinstance(event, Quartet) and UNNAMED in event.group:
        game, group = _with_group(game, game.group(event.group))
        return game, evolve(event, group=group)
    if isinstance(event, Ask) and UNNAMED in event.card:
        card = game.card(event.card)
        group_number = game.table.group_of[card]
        index = card - game.table.group_of.index(group_number)
        game, group = _with_group(game, group_number)
        cards = list(game.groups[group])
        cards[index] = _free(f"{group}{index + 1}", game.cards)
        game = evolve(game, groups={**game.groups, group: cards})
        return game, evolve(event, card=cards[index])
    return game, event


def _with_group(game: S, number: int) -> tuple[S, str]:
    """Return the game in which a group has a name, and that name."""
    old = game.group_names[number]
    if UNNAMED not in old:
        return game, old
    new = _free(list(named_groups(game.table.sizes))[number], game.group_names)
    unnamed = tuple(f"{new} {UNNAMED}{k}" for k in range(1, len(game.groups[old]) + 1))
    named = [
        (new, unnamed) if name == old else (name, cards) for name, cards in game.groups.items()
    ]
    return evolve(game, groups=dict(named)), new


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "x"
    return name


def named_by(game: S, log: Sequence[Event]) -> S:
    """Return the game in which only the groups and cards that a log names have a name.

    >>> blank = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> named_by(naming(blank, "fish", "cod"), []) == blank
    True
    """
    if not game.invented:
        return game
    asked = {event.card for event in log if isinstance(event, Ask)}
    declared = {event.group for event in log if isinstance(event, Quartet)}
    groups = {}
    for number, (name, cards) in enumerate(game.groups.items(), start=1):
        if name in declared or asked.intersection(cards):
            groups[name] = tuple(
                card if card in asked else f"{name} {UNNAMED}{k}"
                for k, card in enumerate(cards, start=1)
            )
        else:
            groups[f"{UNNAMED}{number}"] = tuple(
                f"{UNNAMED}{number}.{k}" for k in range(1, len(cards) + 1)
            )
    return evolve(game, groups=groups)


def spoken_name(game: Setup, name: str) -> str:
    """Return the name of a card or group, or words for one that has no name yet.

    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> game = naming(game, "fish", "cod")
    >>> [spoken_name(game, name) for name in ("cod", "fish ?2", "?2.1", "?2")]
    ['cod', 'another card of fish', 'a card of a new group', 'a new group']
    """
    if UNNAMED not in name:
        return name
    if name in game.groups:
        return "a new group"
    group = game.group_names[game.table.group_of[game.card(name)]]
    return "a card of a new group" if UNNAMED in group else f"another card of {group}"
