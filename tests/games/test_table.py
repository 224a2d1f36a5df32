"""A table as a game, against the rows that fit by reading the log as text."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log2
from random import Random
from typing import Any

import pytest

from deduce import BadInput, Knowledge
from deduce.policy import best_plan
from games.table import Asked, Table, race, rows_of

CSV = "beast,legs,wings\nowl,2,yes\ncat,4,no\nbee,6,yes\n"


def fitting(table: Table, lines: list[str]) -> list[str]:
    """Return the names of the rows that fit the lines of a log, which are taken apart as text."""
    head, *rows = table.csv
    left = []
    for row in rows:
        known = dict(zip(head, row, strict=True))
        for line in lines:
            if "? " in line:
                claim, _, said = line.partition("? ")
                column, _, value = claim.partition("=")
                fits = (known[column] == value) == (said == "yes")
            else:
                column, _, value = line.partition(": ")
                fits = known[column] == value
            if not fits:
                break
        else:
            left.append(row[0])
    return left


def test_answers_are_those_of_the_rows_that_fit() -> None:
    random = Random(4)
    for _ in range(80):
        table = Table.random_setup(random)
        world = table.deal(random)
        k = Knowledge(table, tuple(table.record(world, random)))
        lines = [table_line(k, event) for event in k.log]
        left = fitting(table, lines)
        assert k.count() == len(left)
        (row,) = k.posterior().values()
        assert {name for name, share in row.items() if share} == set(left)
        assert {share for share in row.values() if share} == {Fraction(1, len(left))}
        for rated in k.advise().ranking if len(left) > 1 else ():
            inquiry: Any = rated.inquiry
            answers = Counter(table.answer(inquiry, {"it": name}) for name in left)
            bits = -sum(n / len(left) * log2(n / len(left)) for n in answers.values())
            assert rated.gain_bits == pytest.approx(bits, abs=1e-6)


def table_line(k: Knowledge, event: object) -> str:
    from deduce.logs.events import write_text

    return write_text(k.game, [event]).splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nx\n", "<line 2>: expected 2 cells as in the first row, got 1"),
        ("a,b\nx,\n", "<line 2>: cell 2 is empty"),
        ('a,b\n"x,1\n', "not CSV"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        rows_of(text)
    assert message.replace("<line 2>", "line 2") in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "a\nx\ny\n", "a,b\nx,1\n", "a,b\nx,1\nx,2\n", "a,a\nx,1\ny,1\n"]
)
def test_a_table_from_which_nothing_can_be_found_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        Table(rows_of(text))


def test_guess_who_is_won_by_the_first_player_in_five_of_nine_games() -> None:
    """Published: 55.56 % with 24 faces, where any set can be asked about and a wrong name loses."""
    assert race(24, 24) == Fraction(5, 9)
    assert race(1, 9) == 1
    assert race(2, 1) == Fraction(1, 2)


def test_the_best_plan_ends_with_a_name() -> None:
    k = Knowledge(Table(rows_of(CSV), naming=True))
    plan = best_plan(k)
    assert plan.proved
    assert plan.total == 6  # the number of legs, then the name: others are as good on average
    plan = best_plan(k, objective="worst")
    assert plan.proved
    assert (plan.total, plan.worst) == (6, 2)
    assert k.tell(Asked("beast", "owl", answer=True)).certain() == {"beast": "owl"}
