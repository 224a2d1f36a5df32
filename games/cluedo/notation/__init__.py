"""The text notation of Cluedo: a log that is typed at the table, one event per line.

A log begins with the set-up, and the events follow; ``#`` begins a comment::

    deck: classic                      # one of `games.cluedo.DECKS`; left out: classic
    players: Ann 6, Ben 6, Cid ?       # in seat order; no numbers: dealt evenly; ?: not known
    me: Ann                            # who keeps the log; left out: a bystander
    face up: Rope, Hall
    undealt: 2
    suggestions: free                  # they may name any cards; left out: one of each category

A deck of one's own comes before the players, one category per line: ``suspect: Plum, White``. Then

======================================  =========================================================
``hand Ann: rope, hall, plum``          Ann's complete hand (``hand:`` is that of ``me``); ``-`` if
                                        it is empty
``Ann: plum rope hall; Ben -; Cid +``   a suggestion; Ben passes; Cid shows a card, not seen
``...; Ben, Cid -; Dan + rope``         Ben and Cid pass; Dan shows Rope
``... -> Cid + rope``                   all between Ann and Cid in seat order pass
``...; nobody``                         no player shows: all that are not named pass
``Ann: plum rope hall``                 the answers were not recorded: nothing follows
``Ann accuses plum rope hall: wrong``   an accusation; or ``: right``
``Ben has rope``                        also of the ``envelope``, and of the ``undealt`` pile
``Ben has not rope``                    also ``hasn't``, ``no``
``Ben has one of rope, hall``           also ``has rope or hall``
``Ben has rope (seen by Ann, Cid)``     who learned it; left out: all players
======================================  =========================================================

``-`` may be written ``passes``, ``+`` ``shows``, ``->`` ``clockwise to``, ``+ ?`` and a bare ``+``
``shows``; ``me`` and ``I`` are the keeper of the log. How names are abbreviated and quoted:
`games.cluedo.notation.names`; in a suggestion and an accusation, an abbreviation that fits several
cards means the one of the category that is still missing. Passes are never derived from the seating
unless ``->`` or ``nobody`` is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from deduce.errors import BadInput
from games.cluedo.events import (
    ENVELOPE,
    UNDEALT,
    Accusation,
    Event,
    Hand,
    Has,
    HasNot,
    OneOf,
    Suggestion,
    check_event,
)
from games.cluedo.notation.names import Token, quote, tokens
from games.cluedo.notation.reading import Reader
from games.cluedo.setup import SetUp

__all__ = ["format_event", "parse_event", "read_event"]


def parse_event(game: SetUp, text: str) -> Event:
    """Return the event that a line of text states.

    Raises
    ------
    BadInput
        With the column, the word, and what would be right.

    Examples
    --------
    >>> game = SetUp(players=("Ann", "Ben", "Cid", "Dan"))
    >>> parse_event(game, "dan: plum rope br -> cid shows rope")
    Suggestion(by='Dan', cards=('Professor Plum', 'Rope', 'Billiard Room'),
        passes=('Ann', 'Ben'), shows=(Show(by='Cid', card='Rope'),))
    >>> parse_event(game, "dan: pe rev di; ann -").cards
    ('Mrs Peacock', 'Revolver', 'Dining Room')
    >>> parse_event(game, "Ben has ropp")
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: column 9: no card is called 'ropp'; did you mean 'Rope'?
    """
    return read_event(Reader(game), tokens(text))


def read_event(reader: Reader, line: Sequence[Token]) -> Event:
    """Return the event that the tokens of a line state; see `parse_event`."""
    event = reader.event(line)
    try:
        check_event(reader.game, event)
    except BadInput as error:
        token = next(
            (typed for name, typed in reversed(reader.typed_names) if name in error.message),
            line[0],
        )
        raise BadInput(error.message, column=token.column, text=token.text) from None
    return event


def format_event(game: SetUp, event: Event) -> str:
    """Return the event as a line that `parse_event` reads back to an equal event.

    >>> game = SetUp(players=("Ann", "Ben", "Cid"))
    >>> format_event(game, parse_event(game, "ann: plum rope hall -> cid + rope"))
    'Ann: Professor Plum, Rope, Hall; Ben -; Cid shows Rope'
    """
    match event:
        case Hand(player, cards):
            return f"hand {quote(player)}: {_list(cards) or '-'}"
        case Suggestion(by, cards, passes, shows):
            answers = [f"; {_list(passes)} -"] if passes else []
            answers += [
                f"; {quote(show.by)} shows{'' if show.card is None else ' ' + quote(show.card)}"
                for show in shows
            ]
            return f"{quote(by)}: {_list(cards)}{''.join(answers)}"
        case Accusation(by, cards, correct):
            return f"{quote(by)} accuses {_list(cards)}: {'right' if correct else 'wrong'}"
        case Has(holder, card, known_to):
            return f"{_holder(holder)} has {quote(card)}{_seen_by(known_to)}"
        case HasNot(holder, card, known_to):
            return f"{_holder(holder)} has not {quote(card)}{_seen_by(known_to)}"
        case OneOf(holder, cards, known_to):
            return f"{_holder(holder)} has one of {_list(cards)}{_seen_by(known_to)}"


def _holder(name: str) -> str:
    return name if name in {ENVELOPE, UNDEALT} else quote(name)


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))


def _seen_by(known_to: Sequence[str] | None) -> str:
    if known_to is None:
        return ""
    return f" (seen by {_list(known_to) or 'nobody'})"
