"""Names and claims as people type them, tables and numbers as they read them."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.constraints import at_least, is_, is_not
from deduce.errors import BadInput
from deduce.logs.claims import format_claim, parse_claim, parse_variable
from deduce.problem import Problem
from deduce.show.table import Table, percent
from deduce.system.text import aligned, by_name, pick

CARDS = ["Professor Plum", "Rope", "Lead Piping", "Ballroom", "Billiard Room", "Dining Room"]
CELLS = Problem({(1, 12): (0, 1), (11, 2): (0, 1), "this or that": ("a=b", "c")})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Rope", "Rope"),
        ("rope", "Rope"),
        ("professor-plum", "Professor Plum"),
        ("plum", "Professor Plum"),
        ("PIP", "Lead Piping"),
        ("ball", "Ballroom"),
        ("billiardroom", "Billiard Room"),
    ],
)
def test_a_word_means_the_one_name_that_it_fits(typed: str, meant: str) -> None:
    assert pick(typed, CARDS) == meant


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("ropp", "did you mean 'Rope'?"),
        ("b", "may mean Ballroom or Billiard Room"),
        ("room", "may mean Billiard Room or Dining Room"),
        ("", "no card is called ''"),
        ("?", "no card is called '?'"),
    ],
)
def test_a_word_that_means_none_or_several_is_told(typed: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        pick(typed, CARDS, "card")
    assert told in str(caught.value)


@given(st.lists(st.text(min_size=1), min_size=1, unique=True), st.data())
def test_a_whole_name_always_means_itself(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    assert pick(name, names) == name


@given(st.lists(st.one_of(st.integers(), st.text(), st.tuples(st.integers())), unique=True))
def test_no_two_things_share_a_name(things: list[object]) -> None:
    named = by_name(things)
    assert sorted(map(repr, named.values())) == sorted(map(repr, things))


@pytest.mark.parametrize(
    "typed", ["n=1", "n=-2", "n=0.5", "n<=2", "n>=2", "!n=2", "n=~2", "1,1=1", "plum<=ann"]
)
def test_no_number_and_no_comparison_is_taken_for_another(typed: str) -> None:
    problem = Problem({"n": (-1, 2, 12, 5), (1, 12): (0, 1), "plum": ("ann", "ben")})
    with pytest.raises(BadInput):
        parse_claim(problem, typed)


def test_claims_about_any_variables() -> None:
    assert parse_claim(CELLS, "1,12=1") == is_((1, 12), 1)
    assert parse_claim(CELLS, "11, 2 != 0") == is_not((11, 2), 0)
    assert parse_claim(CELLS, "this or that=c") == is_("this or that", "c")
    assert parse_claim(CELLS, "this or that=a=b") == is_("this or that", "a=b")
    either = at_least(1, [is_((1, 12), 1), is_((11, 2), 1)])
    assert parse_claim(CELLS, "1,12=1 or 11,2=1") == either
    assert parse_variable(CELLS, " 11,2 ") == (11, 2)
    empty = Problem({"x": ((), (1,), " ")})
    for value in empty.domains["x"]:
        assert parse_claim(empty, format_claim(empty, is_("x", value))) == is_("x", value)


@given(st.text())
def test_any_text_is_a_claim_or_a_clear_error(text: str) -> None:
    with suppress(BadInput):
        parse_claim(CELLS, text)


@given(st.fractions(0, 1))
def test_no_percentage_claims_a_certainty_that_is_not_there(share: Fraction) -> None:
    assert (percent(share) == "0%") == (share == 0)
    assert (percent(share) == "100%") == (share == 1)


def test_plain_tables_are_aligned_and_end_without_blanks() -> None:
    table = Table(("", "x"), [("long name", "1"), ("b", "")], title="t", notes=("n",))
    assert str(table) == "t\n           x\nlong name  1\nb\nn"
    assert str(Table((), ())) == ""


def test_columns_stand_below_each_other_whatever_the_script() -> None:
    plain, wide = aligned([("Rope", "yes"), ("綱", "no")])
    assert (plain, wide) == ("Rope  yes", "綱     no")
    assert aligned([("e\N{COMBINING ACUTE ACCENT}té", "1"), ("hiver", "2")])[0].endswith("  1")
    assert aligned([]) == []
