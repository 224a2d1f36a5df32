"""What a player may suggest, and how it is answered: Cluedo's questions for `deduce.policy`.

Players answer in seat order from the suggester's left, and the first who can show a card does,
choosing among the fitting cards with equal probability (docs/games/cluedo.md, section 10). An
inquiry is a `games.cluedo.events.Suggestion` without answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from deduce.errors import BadInput
from deduce.game import RECORD, Viewer
from games.cluedo.events import Event, Show, Suggestion
from games.cluedo.setup import SetUp

__all__ = ["Shown", "answer", "event_of", "inquiries"]

Shown: TypeAlias = tuple[str, int] | None
"""An answer: who shows which of the named cards (by its index), or ``None``: no player shows."""


def inquiries(game: SetUp, log: Sequence[Event], viewer: Viewer) -> Iterator[Suggestion]:
    """Yield every suggestion of one card of each category, in deck order.

    Raises
    ------
    BadInput
        The viewer is the bystander or a referee, who cannot suggest.
    """
    by = game.me if viewer is RECORD else viewer
    if by is None:
        hint = "name the player by --as PLAYER, or by 'me:' in the log"
        raise BadInput(f"a bystander cannot suggest; {hint}")
    return (Suggestion(str(by), cards) for cards in product(*game.deck.values()))


def answer(
    game: SetUp, inquiry: Suggestion, world: Mapping[str, str]
) -> Shown | dict[Shown, Fraction]:
    """Return who shows which card; with probabilities if the player can choose."""
    for player in game.after(inquiry.by):
        held = [i for i, card in enumerate(inquiry.cards) if world.get(card) == player]
        if len(held) == 1:
            return player, held[0]
        if held:
            return {(player, i): Fraction(1, len(held)) for i in held}
    return None


def event_of(game: SetUp, inquiry: Suggestion, answer: Shown) -> Suggestion:
    """Return the suggestion with its answer.

    >>> from games.cluedo import Cluedo
    >>> game = Cluedo(("Ann", "Ben", "Cid"))
    >>> event_of(game, Suggestion("Ann", ("Professor Plum", "Rope", "Hall")), ("Cid", 1)).passes
    ('Ben',)
    """
    order = game.after(inquiry.by)
    if answer is None:
        return Suggestion(inquiry.by, inquiry.cards, order)
    player, index = answer
    passes = order[: order.index(player)]
    return Suggestion(inquiry.by, inquiry.cards, passes, (Show(player, inquiry.cards[index]),))
