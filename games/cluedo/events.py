"""What can happen in a game of Cluedo, as far as it is information about the cards.

Source: the rules document of this project, section 2 (docs/games/cluedo.md). ``passes`` are the
players who were *seen* to show nothing; they are never derived from the seating.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.system.text import join, listing, plural
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp, name_tuple

__all__ = [
    "ENVELOPE",
    "UNDEALT",
    "Accusation",
    "Event",
    "Hand",
    "Has",
    "HasNot",
    "OneOf",
    "Show",
    "Suggestion",
    "check_event",
    "incomplete",
]


def _known_to(names: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if names is None else name_tuple(names)


def _shows(shows: Iterable[Show]) -> tuple[Show, ...]:
    if not isinstance(shows, list | tuple):
        raise BadInput(f"shows: a list of Show is needed, not {shows!r}")
    for show in shows:
        if not isinstance(show, Show):
            raise BadInput(f"shows: {show!r} is not a Show; for example Show('Ben', 'Rope')")
    return tuple(shows)


@frozen
class Hand:
    """A player's complete hand, which only that player sees: they hold no other card."""

    player: str
    cards: tuple[str, ...] = field(converter=name_tuple)


@frozen
class Show:
    """A player showed the suggester a card; ``card`` is ``None`` where it was not seen."""

    by: str
    card: str | None = None


@frozen
class Suggestion:
    """A suggestion and the answers that were seen.

    Every player in ``passes`` holds none of the cards; every player in ``shows`` holds at least one
    of them, and the shown card if it is named. The suggester and the player who showed it know
    which card it was.
    """

    by: str
    cards: tuple[str, ...] = field(converter=name_tuple)
    passes: tuple[str, ...] = field(default=(), converter=name_tuple)
    shows: tuple[Show, ...] = field(default=(), converter=_shows)


@frozen
class Accusation:
    """An accusation. Right: exactly the envelope. Wrong: not all of the cards are in it."""

    by: str
    cards: tuple[str, ...] = field(converter=name_tuple)
    correct: bool = False


@frozen
class Has:
    """A holder has a card: it was seen, dropped, or revealed by a card effect.

    ``known_to`` lists the players who learned it; ``None`` means all players.
    """

    holder: str
    card: str
    known_to: tuple[str, ...] | None = field(default=None, converter=_known_to)


@frozen
class HasNot:
    """A holder does not have a card."""

    holder: str
    card: str
    known_to: tuple[str, ...] | None = field(default=None, converter=_known_to)


@frozen
class OneOf:
    """A holder has at least one of some cards."""

    holder: str
    cards: tuple[str, ...] = field(converter=name_tuple)
    known_to: tuple[str, ...] | None = field(default=None, converter=_known_to)


Event = Hand | Suggestion | Accusation | Has | HasNot | OneOf


def check_event(game: SetUp, event: Event) -> None:
    """Raise `BadInput` for an event that cannot happen in a game with this set-up.

    Whether it contradicts other events is not checked: that is what knowledge is for.
    """
    match event:
        case Hand(player, cards):
            game.check_player(player)
            if cards:
                game.check_cards(cards, hidden=True)
            low, high = game.hand_sizes()[player]
            if not low <= len(cards) <= high:
                size = plural(low, "card") if low == high else f"{low} to {high} cards"
                raise BadInput(f"{player} holds {size}, not {len(cards)}")
        case Suggestion():
            _check_suggestion(game, event)
        case Accusation(by, cards, correct):
            game.check_player(by)
            game.check_cards(cards, hidden=correct)
            _check_complete(game, cards, "an accusation")
        case Has(holder, card, known_to) | HasNot(holder, card, known_to):
            game.check_holder(holder)
            game.check_cards([card], hidden=True)
            for player in known_to or ():
                game.check_player(player)
        case OneOf(holder, cards, known_to):
            game.check_holder(holder)
            game.check_cards(cards, hidden=True)
            for player in known_to or ():
                game.check_player(player)
        case _:
            raise BadInput(f"not an event of Cluedo: {event!r}")


def _check_suggestion(game: SetUp, event: Suggestion) -> None:
    by, cards, shows = event.by, event.cards, {show.by: show.card for show in event.shows}
    game.check_player(by)
    game.check_cards(cards)
    _check_complete(game, cards, "a suggestion")
    for player in (*event.passes, *shows):
        game.check_player(player)
        if player == by:
            raise BadInput(f"{by} suggests and cannot answer")
    if len(set(event.passes)) < len(event.passes):
        raise BadInput("a player passes twice")
    if len(shows) < len(event.shows):
        raise BadInput("a player shows one card to a suggestion, not two")
    if shows and all(card in game.face_up for card in cards):
        raise BadInput("all cards that are named lie face up; no player can show one")
    for player, card in shows.items():
        if player in event.passes:
            raise BadInput(f"{player} cannot both pass and show a card")
        if card is not None:
            if card not in cards:
                raise BadInput(f"{player} shows {card}, which was not named{listing(cards)}")
            game.check_cards([card], hidden=True)


def _check_complete(game: SetUp, cards: Sequence[str], what: str) -> None:
    problem = "" if game.free_suggestions else incomplete(game, cards)
    if problem:
        wanted = join([f"one {category}" for category in game.deck])
        raise BadInput(
            f"{what} names {wanted}; here {problem} "
            "(`suggestions: free` in the set-up allows any cards)"
        )


def incomplete(game: SetUp, cards: Sequence[str]) -> str:
    """Return why the cards are not one of each category, or an empty string.

    >>> incomplete(SetUp(("Ann", "Ben")), ["Rope", "Dagger", "Hall"])
    'no suspect is named, and Rope and Dagger are of the same category (weapon)'
    """
    named = {kind: [card for card in cards if card in game.deck[kind]] for kind in game.deck}
    missing = [f"no {kind}" for kind in named if not named[kind]]
    reasons = [f"{join(missing)} is named"] if missing else []
    reasons += [
        f"{join(several)} are of the same category ({kind})"
        for kind, several in named.items()
        if len(several) > 1
    ]
    return ", and ".join(reasons)
