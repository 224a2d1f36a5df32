"""The replay page in a browser; skipped if there is no browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deduce.system.text import plural
from games.cultist.match import play
from games.cultist.players import Careful, Greedy, TimeLimits
from games.cultist.replay import Replay
from games.cultist.setup import new_state
from games.cultist.show import replay_page
from tests.browser import NASTY, opened


@pytest.fixture(scope="module")
def replay() -> Replay:
    bots = (Careful(), Greedy())
    limits = TimeLimits(30.0, 30.0)
    return play(new_state(3), bots, names=("careful", NASTY[0]), limits=limits, seed=3).replay


@pytest.fixture(scope="module")
def page(replay: Replay, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file: Path = tmp_path_factory.mktemp("page") / "replay.html"
    file.write_text(replay_page(replay), encoding="utf-8")
    with opened(viewport={"width": 1000, "height": 760}) as browser_page:
        browser_page.goto(file.as_uri())
        yield browser_page


def units_shown(page: Any) -> list[str]:
    """Return the titles of the visible units."""
    titles: list[str] = page.eval_on_selector_all(
        ".cw-unit",
        "all => all.filter(u => u.getAttribute('visibility') !== 'hidden')"
        ".map(u => u.querySelector('title').textContent)",
    )
    return titles


def test_the_page_steps_by_keys_buttons_list_and_slider(page: Any, replay: Replay) -> None:
    page.keyboard.press("Home")
    assert page.inner_text("#turn") == "before the first turn"
    page.keyboard.press("ArrowRight")
    page.click("#next")
    assert page.inner_text("#turn") == "after turn 1"
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#turn") == "after turn 0"
    page.click("#turns li:nth-child(5) button")
    assert page.inner_text("#turn") == "after turn 4"
    page.keyboard.press("End")
    assert page.inner_text("#turn") == f"after turn {len(replay.turns) - 1}"
    page.fill("#slider", "3")
    assert page.inner_text("#turn") == "after turn 2"
    assert page.troubles == []


def test_the_page_shows_every_state_as_it_was(page: Any, replay: Replay) -> None:
    page.keyboard.press("Home")
    for turn in replay.turns:
        page.keyboard.press("ArrowRight")
        owners = ("side A", "side B", "neutral")
        expected = [
            f"{'leader' if u.is_leader else 'cultist'} {u.id}, {owners[u.owner]}, {u.hp} hp"
            for u in turn.after.units
            if u.is_alive
        ]
        assert units_shown(page) == expected
        first, second = turn.after.counts
        assert page.inner_text("#score") == f"A {first} : {second} B"
        label = f"turn {turn.after.turn}, {plural(first, 'unit')} against {second}"
        assert label in page.get_attribute(".cw-board", "aria-label")
        assert label in page.text_content(".cw-board > title")
        is_shot = page.get_attribute(".cw-shot", "visibility") == "visible"
        assert is_shot == (turn.hit is not None)


def test_the_page_plays_and_stops(page: Any, replay: Replay) -> None:
    page.keyboard.press("Home")
    page.select_option("#speed", "150")
    page.click("#score")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    page.wait_for_function("document.getElementById('slider').value > 2")
    page.keyboard.press(" ")
    assert page.inner_text("#play") == "play"
    where = page.inner_text("#turn")
    page.wait_for_timeout(500)
    assert page.inner_text("#turn") == where


def test_names_are_text_and_not_markup(page: Any) -> None:
    assert page.inner_text(".side-1") == f"B: {NASTY[0]}"
    assert page.query_selector("img") is None
    assert page.troubles == []
