"""Rating questions by a whole table of answers, one row for each question, one column a world.

A game whose answers are determined by the world may have ``answer_table(inquiries, worlds)``, which
returns the answers that occur, and an array of their indices. It needs numpy; without it the game
is asked for every answer by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import log2
from typing import TYPE_CHECKING, Any

from deduce.game import Questions, Rated, hook
from deduce.policy.inquiries import Answer, Inquiry, ends
from deduce.policy.rating import Left, Rating
from deduce.problem import World

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TableRatings", "has_table"]


def has_table(game: Any) -> bool:
    """Return whether a game answers many questions at once here."""
    return hook(game, Rated.answer_table) is not None and find_spec("numpy") is not None


class TableRatings:
    """The ratings of questions over worlds of equal weight, where it is asked which world it is."""

    def __init__(self, game: Any, inquiries: Sequence[Inquiry], worlds: Sequence[World]) -> None:
        import numpy as np

        self.np = np
        self.game, self.inquiries = game, inquiries
        self.answers: Sequence[Answer]
        codes: NDArray[np.integer[Any]]
        self.answers, codes = game.answer_table(inquiries, worlds)
        self.total = len(worlds)
        kinds = len(self.answers)
        rows = np.arange(len(inquiries))[:, None] * kinds + codes
        self.counts = np.bincount(rows.ravel(), minlength=len(inquiries) * kinds).reshape(
            len(inquiries), kinds
        )

    def values(self, by: str) -> list[tuple[float, float]]:
        """Return for each question its value and the probability that the answer ends the game."""
        np = self.np
        share = self.counts / self.total
        safe = np.where(self.counts > 0, self.counts, 1)
        if by == "information":
            value = -(share * np.log2(safe / self.total)).sum(axis=1)
        elif by == "expected":
            value = -np.log2((share * self.counts).sum(axis=1))
        elif by == "worst":
            value = -np.log2(self.counts.max(axis=1))
        else:
            value = (self.counts == 1).sum(axis=1) / self.total
        return list(zip((value + 0.0).tolist(), self._ends().tolist(), strict=True))

    def _ends(self) -> NDArray[np.float64]:
        chances = self.np.zeros(len(self.inquiries))
        if hook(self.game, Questions.ends):
            for i, inquiry in enumerate(self.inquiries):
                for code in self.np.nonzero(self.counts[i])[0].tolist():
                    if ends(self.game, inquiry, self.answers[code]):
                        chances[i] += self.counts[i, code] / self.total
        return chances

    def rating(self, index: int) -> Rating:
        """Return the rating of a question by its index."""
        left = {
            answer: Left(int(count), log2(count), int(count), int(count))
            for answer, count in zip(self.answers, self.counts[index].tolist(), strict=True)
            if count
        }
        gain = sum(count.weight * log2(self.total / count.weight) for count in left.values())
        return Rating(gain / self.total, 0.0, left)
