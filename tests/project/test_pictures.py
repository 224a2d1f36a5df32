"""Boards as pictures: well formed, escaped, readable on every page, and the same as their text."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.search import BadGame, Board, StateGraph, check_game, graph_svg
from deduce.search.board import svg_of_state
from deduce.search.game import Game, text_of_action
from deduce.search.playouts import playthrough
from deduce.show.svg import SIDES, UNOWNED, group, legible, picture, text
from deduce.system.registry import games as registered
from deduce.system.registry import load
from games.classics.nim import Nim
from games.classics.tic_tac_toe import TicTacToe
from games.pigs.setup import Deal
from games.pigs.show import SeatView, deal_svg, outcome_svg, seats_svg
from games.pigs.simulation import simulate
from games.propre.game import open_game
from games.propre.show import table_svg as cards_svg
from games.quartets.game import Quartets
from games.quartets.position import start_position
from games.quartets.show import position_svg
from games.quartets.states import parse_masks
from tests.project import pages

WHITE, DARK = (255, 255, 255), (17, 17, 17)


def game_called(name: str) -> Game[Any, Any]:
    made: Game[Any, Any] = load(next(e for e in registered() if e.name == name).search)()
    return made


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "nim", "dice-nim"])
def test_what_can_be_clicked_is_what_can_be_done(name: str) -> None:
    game = game_called(name)
    played = playthrough(game, random=Random(2))
    for state in (game.initial_state(), *(after for _, after in islice(played, 7))):
        root = pages.picture(svg_of_state(game, state) or "")
        marked = {part.get("data-action") for part in root.iter()} - {None}
        plays = game.utility(state) is None and not (
            name == "dice-nim" and game.outcomes(state) is not None  # type: ignore[attr-defined]
        )
        legal = {text_of_action(game, state, a) for a in game.actions(state)} if plays else set()
        assert marked == legal


def test_a_game_without_a_picture_is_shown_as_text() -> None:
    class Plain(Nim):
        svg = None  # type: ignore[assignment]

        def show(self, state: Any) -> str:
            return f"{pages.EVIL}\x1b[31m"

    shown = Board(Plain((1, 2)))._repr_html_()
    assert "<pre" in shown
    assert "<script" not in shown
    assert "\x1b" not in shown + str(Board(Plain((1, 2))))


@given(pages.names, pages.names)
def test_words_in_pictures_are_escaped(name: str, other: str) -> None:
    drawn = picture(
        10, 10, group(text(1, 1, name, title=other), data_card=other), title=name, desc=other
    )
    root = pages.picture(drawn)
    assert pages.hovers(root) == [legible(name), legible(other)]
    assert root.findtext(f".//{pages.SVG}desc") == legible(other)


NAMES = st.lists(pages.names, min_size=3, max_size=3, unique_by=legible)


@given(NAMES)
def test_names_from_strangers_stay_names(three: list[str]) -> None:
    state = open_game().initial_state()
    root = pages.picture(cards_svg(state, names=three))
    assert {legible(name) for name in three[:2]} <= set(pages.hovers(root))
    pages.picture(seats_svg([SeatView(1, three[0])], title=three[1], desc=three[2]))
    plain = [name for name in three if name.strip() == name and not set(name) & set(":;,#=?\n")]
    if len(plain) == 3:
        setup = Quartets(tuple(plain), {name: (name, f"{name}'") for name in plain})
        drawn = pages.picture(position_svg(setup, start_position(setup)))
        assert f"{legible(plain[0])}, {legible(plain[0])}: possible" in pages.hovers(drawn)


def test_values_of_the_games_draw_themselves() -> None:
    deal = Deal(("MP", "ZP", "FP"), ("KKDP", "KPZ", "DDJJ"), "PKDFNWJZ")
    for drawn in (
        deal_svg(deal),
        outcome_svg(simulate(deal)),
    ):
        pages.picture(drawn)
    state = parse_masks("3 3 / 3")
    assert state is not None
    assert "Invalid: no deal is possible." in state._repr_html_()


def test_a_hidden_game_may_draw_itself_beside_the_grid() -> None:
    class Doors:
        def variables(self) -> dict[str, tuple[int, ...]]:
            return {"prize": (1, 2)}

        def rules(self) -> tuple[()]:
            return ()

        def evidence(self, log: Any, viewer: Any) -> tuple[()]:
            return ()

        def svg(self, knowledge: Knowledge) -> str:
            return picture(10, 10, title=f"{knowledge.count()} doors")

    shown = Knowledge(Doors())._repr_html_()
    assert "2 doors" in shown
    assert "50%" in shown
    assert "<svg" not in Knowledge(Problem({"prize": (1, 2)}))._repr_html_()


@pytest.mark.parametrize(
    ("drawn", "wrong"),
    [
        ("<svg>", "is not XML"),
        ("<p/>", "is an element p"),
        (7, "is not XML"),
        ('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "has a script"),
    ],
)
def test_a_broken_picture_is_a_broken_game(drawn: object, wrong: str) -> None:
    class Broken(TicTacToe):
        def svg(self, state: Any) -> Any:
            return drawn

    with pytest.raises(BadGame, match=wrong):
        check_game(Broken())


# Colours


def test_colours_of_sides_stand_out_with_white_text_and_on_every_page() -> None:
    for colour in (*SIDES, UNOWNED):
        assert pages.contrast(pages.rgb(colour), WHITE) >= 4.5
        assert pages.contrast(pages.rgb(colour), DARK) >= 3


# Graphs


def test_a_graph_shows_boards_values_and_best_lines() -> None:
    graph = StateGraph(Nim((1, 2))).build()
    unsolved = pages.picture(graph_svg(graph))
    assert "values are not known" in "".join(unsolved.itertext())
    graph.solve()
    told = "".join(pages.picture(graph_svg(graph, depth=9)).itertext())
    assert "won for player 0" in told
    assert "1,2 player 0: won for player 0 in 3 plies" in told
    assert "no game" in graph.copy()._repr_html_()


def test_a_graph_of_boards_too_large_to_read_is_text() -> None:
    graph = StateGraph(game_called("connect-four"))
    graph.expand(graph.root)
    root = pages.picture(graph_svg(graph, depth=1))
    assert len(list(root.iter(f"{pages.SVG}svg"))) == 1
    assert ". . . . . . ." in "".join(root.itertext())


# What shows itself
