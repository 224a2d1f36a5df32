"""Values in notebooks: escaped, readable on any page, and the same as their plain text."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from deduce.budget import Budget
from deduce.constraints import exactly, is_
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem
from deduce.show.sheet import MAX_ROWS
from deduce.show.table import Table
from deduce.system.display import Displayed
from games.cluedo import Cluedo
from tests.project.pages import EVIL, QUOTE

LOG = """\
players: Ann 6, Ben 6, Cid 6
me: Ann
hand: white, peacock, rope, spanner, hall, kitchen
Ann: scarlett dagger lounge; Ben -; Cid + dagger
Ben: scarlett revolver study; nobody
Cid: mustard candlestick study; Ann -; Ben +
"""

VOID = {"br", "hr", "img"}


class Page(HTMLParser):
    """Reads HTML strictly: what is open must be closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def cluedo() -> Knowledge:
    game, log = Cluedo.parse_log(LOG)
    return Knowledge(game, log)


def evil_cluedo() -> Knowledge:
    deck = {EVIL: (EVIL, "Plum"), "weapon": (QUOTE, "Rope"), "room": ("Hall", "<b>Attic", "Cellar")}
    game = Cluedo(players=(EVIL, QUOTE), deck=deck, hands=(2, 2))
    return Knowledge(game)


def evil_values() -> Iterator[Displayed]:
    k = evil_cluedo()
    yield k
    yield k.seen_by(EVIL)
    yield k.assume(is_(EVIL, QUOTE))
    yield k.joint(*k.game.questions())  # type: ignore[attr-defined]
    yield k.joint(EVIL)
    yield k.why(is_(EVIL, EVIL))
    certain = k.assume(is_("Hall", EVIL), is_("<b>Attic", QUOTE))
    yield certain.why(is_("Cellar", "envelope"))
    yield certain.assume(is_("Cellar", EVIL))
    yield certain.assume(is_("Cellar", EVIL)).contradiction()
    told = Evidence(is_("a", 1), 1, EVIL)
    yield Knowledge(Problem({"a": (1, 2)}, evidence=[told])).why(is_("a", 1))
    yield Table((EVIL, QUOTE), ((EVIL, QUOTE),), EVIL, (QUOTE, EVIL))


@pytest.mark.parametrize("value", list(evil_values()), ids=lambda value: type(value).__name__)
def test_every_name_is_escaped(value: Displayed) -> None:
    page = Page(value._repr_html_())
    assert page.tags <= {
        *("div", "table", "caption", "thead", "tbody", "tr", "th", "td"),
        *("strong", "ul", "li", "details", "summary"),
    }
    assert {name for name, _ in page.attributes} <= {"style", "title", "scope", "colspan"}
    assert "alert" in " ".join(page.words)


def test_html_says_what_the_text_says() -> None:
    k = cluedo()
    values = [
        k,
        k.assume(is_("Lounge", "Cid")),
        k.assume(is_("Lounge", "Ann")),
        k.seen_by(None),
        k.why(is_("Revolver", "Cid")),
        k.why(is_("Lounge", "Cid")),
        k.joint(*k.game.questions()),  # type: ignore[attr-defined]
        Table(("card", "Ann"), (("Rope", "yes"),), "A title", ("a note",)),
    ]
    for value in values:
        words = Page(value._repr_html_()).words
        told = str(value).replace("-- ", "").split()
        assert "".join(words) == "".join(told)


def test_a_cell_says_its_number_as_text_and_exactly_on_hover() -> None:
    k = cluedo()
    number, share = k.posterior()["Lounge"]["Cid"], k.shares()["Lounge"]["Cid"]
    assert number != share
    exact = f"Lounge, Cid: probability {number}, share of worlds {share}"
    hover = f'title="{exact}">{float(number):.0%}</td>'
    assert hover in k._repr_html_()


def test_over_budget_the_grid_says_what_is_known() -> None:
    k = cluedo().using(budget=Budget(steps=1))
    assert "? = the number is not known" in k._repr_html_()
    assert "?" in str(k)


def test_a_long_grid_is_cut_and_says_so() -> None:
    many = Problem(dict.fromkeys(range(MAX_ROWS + 5), ("a", "b")), [exactly(1, [is_(0, "a")])])
    text = Knowledge(many)._repr_html_()
    assert text.count("<tr>") == MAX_ROWS + 1
    assert f"the first {MAX_ROWS} of {MAX_ROWS + 5} variables are shown" in text
