"""A game that states its questions wrongly is found by the conformance check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from deduce import number_of
from deduce.constraints import Number
from deduce.testing import ConformanceError, check_hidden_game
from games.minesweeper import Minesweeper, Open


class Recorded(Minesweeper):
    """Its logs are right, whatever it states about questions."""

    def record(self, world: Mapping[str, str], random: Random) -> Iterator[Open]:
        return Minesweeper(self.columns, self.rows, self.mines).record(world, random)


class Lying(Recorded):
    def answer(self, inquiry: str, world: Mapping[str, str]) -> int | str:
        honest = super().answer(inquiry, world)
        return honest + 1 if isinstance(honest, int) else honest


class Fickle(Recorded):
    random = Random(0)

    def answer(self, inquiry: str, world: Mapping[str, str]) -> int | str:
        return self.random.randint(0, 99)


class Narrow(Minesweeper):
    def scope(self, inquiry: str) -> tuple[str, Number]:
        return inquiry, number_of([])


class Telling(Recorded):
    """Whether the first neighbour is a mine is told, too."""

    def answer(self, inquiry: str, world: Mapping[str, str]) -> Any:
        first: Any = self.scope(inquiry)[1].terms[0][0].variable
        return super().answer(inquiry, world), world[first]

    def ends(self, inquiry: str, answer: Any) -> bool:
        return super().ends(inquiry, answer[0])

    def event_of(self, inquiry: str, answer: Any) -> Open:
        return super().event_of(inquiry, answer[0])


class Unfair(Recorded):
    def answer(self, inquiry: str, world: Mapping[str, str]) -> Any:
        return {super().answer(inquiry, world): Fraction(1, 2)}


class Elsewhere(Minesweeper):
    def event_of(self, inquiry: str, answer: int | str) -> Open:
        return super().event_of("A1", answer)


class Tabular(Minesweeper):
    def answer_table(
        self, inquiries: Sequence[str], worlds: Sequence[Mapping[str, str]]
    ) -> tuple[list[int], list[list[int]]]:
        return [7], [[0] * len(worlds) for _ in inquiries]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Lying, "the event of the question .* excludes a world"),
        (Fickle, "is answered differently in the same world"),
        (Narrow, "depends on more than its scope"),
        (Telling, "depends on more than how many of its facts hold"),
        (Unfair, "must be positive and sum to 1"),
        (Elsewhere, "the event of the question"),
        (Tabular, "answer_table\\(\\) and answer\\(\\) differ"),
    ],
)
def test_questions_that_are_stated_wrongly_are_found(kind: type[Minesweeper], message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        check_hidden_game(kind(3, 3, 3), deals=5, draws=0)
