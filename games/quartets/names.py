"""Names that are invented as they come: given where a statement needs one, forgotten by an undo.

In such a game (``Quartets.invented``) a group or card that nobody has named yet has a name with
`games.quartets.rules.UNNAMED` in it, which no statement can say.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import evolve

from deduce.errors import BadInput
from games.quartets.events import Ask, Event, Quartet
from games.quartets.rules import UNNAMED, Quartets, check_name, named_groups

__all__ = ["named_by", "naming", "spoken_name", "with_names"]


def naming(game: Quartets, group: str, card: str | None = None) -> Quartets:
    """Return the set-up in which a group, and one of its cards, have been named.

    Names that are known already stay; a new one takes the place of an unnamed group or card.

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
            known = ", ".join(groups)
            raise BadInput(f"all groups are named already: {known}; none is called {group!r}")
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


def with_names(game: Quartets, event: Event) -> tuple[Quartets, Event]:
    """Return a statement with plain new names for what has none yet, and the game with them.

    >>> from games.quartets.rules import named_groups
    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> with_names(game, Ask("Ann", "Ben", "?2.1"))[1]
    Ask(by='Ann', to='Ben', card='b1')
    """
    if isinstance(event, Quartet) and UNNAMED in event.group:
        game, group = _with_group(game, game.group(event.group))
        return game, evolve(event, group=group)
    if isinstance(event, Ask) and UNNAMED in event.card:
        card = game.card(event.card)
        number = game.table.group_of[card]
        place = card - game.table.group_of.index(number)
        game, group = _with_group(game, number)
        held = list(game.groups[group])
        held[place] = _free(f"{group}{place + 1}", game.cards)
        game = evolve(game, groups={**game.groups, group: held})
        return game, evolve(event, card=held[place])
    return game, event


def _with_group(game: Quartets, number: int) -> tuple[Quartets, str]:
    """Return the game in which a group has a name, and that name."""
    old = game.group_names[number]
    if UNNAMED not in old:
        return game, old
    new = _free(list(named_groups(game.table.sizes))[number], game.group_names)
    unnamed = tuple(f"{new} {UNNAMED}{k}" for k in range(1, len(game.groups[old]) + 1))
    named = [(new, unnamed) if name == old else (name, held) for name, held in game.groups.items()]
    return evolve(game, groups=dict(named)), new


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "x"
    return name


def named_by(game: Quartets, log: Sequence[Event]) -> Quartets:
    """Return the game in which only what a log names has its name.

    >>> from games.quartets.rules import named_groups
    >>> blank = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> named_by(blank.naming("fish", "cod"), []) == blank
    True
    """
    if not game.invented:
        return game
    cards = {event.card for event in log if isinstance(event, Ask)}
    declared = {event.group for event in log if isinstance(event, Quartet)}
    groups = {}
    for number, (name, held) in enumerate(game.groups.items(), start=1):
        if name in declared or cards.intersection(held):
            groups[name] = tuple(
                card if card in cards else f"{name} {UNNAMED}{k}"
                for k, card in enumerate(held, start=1)
            )
        else:
            groups[f"{UNNAMED}{number}"] = tuple(
                f"{UNNAMED}{number}.{k}" for k in range(1, len(held) + 1)
            )
    return evolve(game, groups=groups)


def spoken_name(game: Quartets, name: str) -> str:
    """Return how people call a card or a group, which may have no name yet.

    >>> from games.quartets.rules import named_groups
    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> game = game.naming("fish", "cod")
    >>> [spoken_name(game, name) for name in ("cod", "fish ?2", "?2.1", "?2")]
    ['cod', 'another card of fish', 'a card of a new group', 'a new group']
    """
    if UNNAMED not in name:
        return name
    if name in game.groups:
        return "a new group"
    group = game.group_names[game.table.group_of[game.card(name)]]
    return "a card of a new group" if UNNAMED in group else f"another card of {group}"
