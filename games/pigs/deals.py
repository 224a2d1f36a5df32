"""Random deals, repeatable by a seed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from deduce.errors import BadInput
from games.pigs.cards import CARDS, LOYAL, MASTER, PLAIN_WEIGHTS, REBEL, STARTING_HAND, Role
from games.pigs.rules import MOST_SEATS
from games.pigs.simulate import Deal

__all__ = ["random_deal"]

MOST_PILED = 2000
"""The contest's limit."""


def random_deal(
    players: int,
    *,
    rebels: int | None = None,
    pile: int = 200,
    weights: Mapping[str, int] = PLAIN_WEIGHTS,
    rng: Random,
) -> Deal:
    """Return a deal with random seats for the rebels and independent random cards.

    Parameters
    ----------
    players
        2 to 10 seats.
    rebels
        How many of them are rebels; None: any number from 1 up, each equally likely.
    pile
        Cards in the pile, 1 to 2000.
    weights
        How likely each card type is.
    rng
        Where the randomness comes from.

    Raises
    ------
    BadInput
        A number is out of its range.

    Examples
    --------
    >>> random_deal(3, rebels=1, pile=5, rng=Random(1))
    Deal(roles=('MP', 'ZP', 'FP'), hands=('...', '...', '...'), pile='...')
    """
    if not 2 <= players <= MOST_SEATS:
        raise BadInput(f"{players} seats: a game has 2 to {MOST_SEATS}")
    if rebels is not None and not 1 <= rebels < players:
        raise BadInput(f"{rebels} rebels: with {players} seats there are 1 to {players - 1}")
    if not 1 <= pile <= MOST_PILED:
        raise BadInput(f"a pile of {pile} cards: there have to be 1 to {MOST_PILED}")
    if not any(weights.values()):
        raise BadInput("card weights: one must be positive")
    if rebels is None:
        rebels = rng.randint(1, players - 1)
    others: list[Role] = [REBEL if seat < rebels else LOYAL for seat in range(players - 1)]
    rng.shuffle(others)
    odds = [weights[card] for card in CARDS]

    def draw(number: int) -> str:
        return "".join(rng.choices(CARDS, odds, k=number))

    hands = tuple(draw(STARTING_HAND) for _ in range(players))
    return Deal((MASTER, *others), hands, draw(pile))
