"""What to suggest, from the probabilities of single cards: a first estimate, in some milliseconds.

The cards of different categories are taken as independent of each other, which they are not, quite;
so what it says is only a beginning. The exact advice replaces it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import log2, prod
from typing import TypeAlias

from deduce.knowledge import Knowledge
from deduce.policy.advice import UNKNOWN, Advice, Ranking, RatedInquiry
from deduce.policy.inquiries import format_inquiry
from games.cluedo.events import Suggestion
from games.cluedo.game import game_of
from games.cluedo.setup import ENVELOPE

__all__ = ["guess"]

DIGITS = 4
"""Probabilities that are equal to so many digits are taken as equal, so that they count once."""

MAX_RATED = 500
"""More suggestions are not rated, nor their probabilities asked for: it would not be at once."""

Row: TypeAlias = "tuple[float, ...]"
"""The probabilities that a card is in the solution, and that each player has it who may answer."""


def guess(knowledge: Knowledge) -> Advice | None:
    """Return the allowed suggestions, ranked by about what their answers tell about the solution.

    There is no advice where too many could be made.

    Parameters
    ----------
    knowledge
        What the suggesting player knows.

    Raises
    ------
    BadInput
        The viewer is not a player.
    Contradiction
        No deal is possible.
    Undecided
        The probabilities take longer than the budget.
    """
    game = game_of(knowledge)
    if prod(map(len, game.deck.values())) > MAX_RATED:
        return None
    posterior = knowledge.posterior()
    by = game.acting(knowledge.viewer, "suggest")
    holders = (ENVELOPE, *game.after(by))
    rows = {
        card: tuple(round(float(row.get(holder, 0)), DIGITS) for holder in holders)
        for card, row in posterior.items()
    }
    nowhere = (0.0,) * len(holders)
    inquiries = list(game.inquiries(knowledge.log, knowledge.viewer))
    information = cache(_information)
    gains = [
        information(tuple(sorted(rows.get(card, nowhere) for card in each.cards)))
        for each in inquiries
    ]

    def rated(number: int) -> RatedInquiry:
        inquiry: Suggestion = inquiries[number]
        return RatedInquiry(inquiry, format_inquiry(game, inquiry), gains[number], 0.0, ())

    ranking = Ranking([(gain, 0.0) for gain in gains], rated)
    return Advice(knowledge.viewer, UNKNOWN, ranking, "information", "marginals", None)


def _information(rows: Sequence[Row]) -> float:
    """Return what the answer tells in bits about which of the cards are in the solution."""
    mean = 0.0
    total: dict[tuple[int, int], float] = {}
    for inside in product((False, True), repeat=len(rows)):
        weight = prod(row[0] if one else 1 - row[0] for row, one in zip(rows, inside, strict=True))
        if not weight:
            continue
        outside = [
            [share / (1 - row[0]) for share in row[1:]]
            for row, one in zip(rows, inside, strict=True)
            if not one
        ]
        answers = dict(_answers(outside, [at for at, one in enumerate(inside) if not one]))
        answers[-1, -1] = max(0.0, 1 - sum(answers.values()))
        mean += weight * _entropy(answers.values())
        for answer, chance in answers.items():
            total[answer] = total.get(answer, 0.0) + weight * chance
    return max(0.0, _entropy(total.values()) - mean)


def _answers(
    rows: Sequence[Sequence[float]], cards: Sequence[int]
) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield who shows first and which card, with the probability; of several cards any is shown."""
    for seat in range(len(rows[0]) if rows else 0):
        at = [row[seat] for row in rows]
        later = [max(0.0, 1 - sum(row[: seat + 1])) for row in rows]
        for shown, card in enumerate(cards):
            others = [each for each in range(len(rows)) if each != shown]
            chance = 0.0
            for held in product((False, True), repeat=len(others)):
                share = prod(
                    at[each] if one else later[each] for each, one in zip(others, held, strict=True)
                )
                chance += share / (1 + sum(held))
            yield (seat, card), at[shown] * chance


def _entropy(chances: Iterable[float]) -> float:
    return -sum(chance * log2(chance) for chance in chances if chance > 0)
