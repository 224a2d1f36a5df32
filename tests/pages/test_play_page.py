"""The page on which a game is explored and played against the engine, without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deduce.errors import BadInput
from deduce.pages.features.board import best_marked, board_html, board_of, worth_of
from deduce.pages.features.play import play_page
from deduce.pages.features.playthrough import Playthrough
from deduce.pages.messages import Door
from deduce.pages.sentences import texts_of
from deduce.search.limits import Limits
from deduce.search.load import action_texts
from deduce.search.solvers.mcts import mcts
from tests.pages.asking import Page


def begun(game: str, **form: str) -> Page:
    page = Page(game)
    notices = page.do("begin", form)
    assert notices == []
    return page


def test_moves_are_made_taken_back_and_valued() -> None:
    page = begun("nim", **{"set-heaps": "1,2"})
    assert page.log == "set heaps=1,2\nmoves\n"
    assert 'data-move="2 from 2"' in page.html
    values = page.work("colours")
    assert re.search(r'class="move win best"[^>]*data-move="1 from 2"[^>]*best: wins in 3', values)
    assert values.count('class="move loss"') == 2
    assert '<p data-advice="exact"><strong>Best: 1 from 2, wins in 3.</strong>' in values
    assert page.do("take", move="1 from 2", ply="0") == ["note: Player 1: 1 from 2"]
    assert page.do("take", move="1 from 2", ply="0") == [], "a double tap makes one move"
    assert page.do("take", move="2 from 2", ply="0") == [
        "bad: This move belongs to an earlier position"
    ]
    assert page.log == "set heaps=1,2\nmoves\n1 from 2\n"
    page.do("typed", {"move": "1 from 1"})
    assert page.do("take", move="1 from 2", ply="2")[-1].startswith("good: The game is over")
    assert "Player 1 wins" in page.text
    page.do("undo")
    assert page.log.endswith("moves\n1 from 2\n1 from 1\n")
    page.do("back", ply="0")
    assert page.log == "set heaps=1,2\nmoves\n"


def test_a_move_of_two_parts_is_tapped_on_the_board_and_has_the_words_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deduce.pages.features.play.SEARCH", Limits(nodes=100))
    page = begun("cultist-play")
    leader = re.search(r'data-do="pick" data-move="0"[^>]*aria-label="([^"]*)"', page.html)
    assert leader
    assert leader[1] == "Leader 0 moves to column …"
    assert ">Wait<" in page.html  # the one move that no tile makes
    assert 'data-do="take" data-move="0 MOVE 1 3"' not in page.html
    assert "Tap a piece, then where it goes" in page.text
    page.do("pick", move="0", ply="0")
    assert re.search(r'data-do="pick" data-move="0"[^>]*aria-pressed="true"', page.html)
    for html in (page.html, page.work("colours")):
        assert set(re.findall(r'data-do="take" data-move="(0 [^"]*)"', html)) == {
            "0 MOVE 0 2", "0 MOVE 1 3", "0 MOVE 0 4",
        }  # fmt: skip
    move = "Leader 0 moves to column 1, row 3"
    assert page.do("take", move="0 MOVE 1 3", ply="0") == [f"note: A: {move}"]
    assert 'data-do="take" data-move="1 ' not in page.html, "the other side picks anew"
    page.do("pick", move="1", ply="1")
    page.do("pick", move="1", ply="1")
    assert not re.search(r'data-do="pick"[^>]*aria-pressed="true"', page.html)
    page.do("view", view="moves")
    assert move in page.text


def test_a_unit_on_the_board_shoots_and_converts() -> None:
    board = "............./" * 6 + "............."
    state = f"{board} 140 7 0=0:9@3,3 2=0:9@3,4 5=n:9@4,3 8=1:4@5,4"
    page = begun("cultist-play", **{"from": state})
    page.do("pick", move="2", ply="0")
    assert 'data-do="take" data-move="2 SHOOT 8"' in page.html
    page.do("pick", move="0", ply="0")
    assert 'data-do="take" data-move="0 CONVERT 5"' in page.html


def test_of_three_players_the_one_who_wins_is_named() -> None:
    page = begun("three-player-nim")
    assert "Best: 1 from 2, Player 2 wins." in page.work("colours")
    run = Playthrough.read("three-player-nim", "moves\n")
    guessed = mcts(run.game, run.state, simulations=200, seed=1)
    worth = worth_of(texts_of("three-player-nim"), run, guessed, lambda _: None)
    guesses = [words for look, words in worth.values() if look.endswith("guess")]
    assert guesses  # they do not promise that anyone wins
    assert all("gets" in words and "wins" not in words for words in guesses)


def test_where_no_board_makes_the_moves_their_buttons_say_what_they_are_worth() -> None:
    run = Playthrough.read("propre", "moves\n")
    [move, *_] = action_texts(run.game, run.state)
    shown = board_html(texts_of("propre"), run, board_of(run), {move: ("win", "wins in 3")})
    assert re.search(r'class="button move win"[^>]*>.*?<small>wins in 3</small>', shown)
    assert shown.count("<small>") == 1


def test_the_best_moves_are_marked_unless_all_are() -> None:
    say, run = texts_of("propre"), Playthrough.read("propre", "moves\n")
    one, other, *rest = action_texts(run.game, run.state)
    worth = dict.fromkeys((one, other), ("win", "wins"))
    shown = board_html(say, run, board_of(run), best_marked(say, run, worth, [one]))
    assert shown.count('"button move win best"') == shown.count("<small>best: wins") == 2
    worth |= dict.fromkeys(rest, ("win", "wins"))
    assert best_marked(say, run, worth, [one]) == worth


def test_the_engine_answers_and_undo_goes_back_to_the_person() -> None:
    page = begun("tic-tac-toe")
    page.do("engine", {"engine": ["1"]})
    page.do("take", move="1", ply="0")
    assert "The engine is looking for its move" in page.text
    reply = page.work("reply")
    assert "data-auto" in reply
    move = re.search(r'data-move="(\d)"', reply)
    assert move
    assert move[1] == "5"  # only the centre holds a corner
    page.do("take", move=move[1], ply="1")
    assert page.log == "engine 1\nmoves\n1\n5\n"
    page.do("undo")
    assert page.log == "engine 1\nmoves\n"
    page.do("redo")
    assert page.log == "engine 1\nmoves\n1\n5\n"
    page.do("back", ply="1")
    assert page.log == "moves\n1\n"


def test_chance_is_drawn_and_can_be_chosen() -> None:
    page = begun("dice-nim", **{"set-pieces": "5"})
    assert re.match(r"set pieces=5\nseed \d+\nmoves\n", page.log)
    assert "Chance moves" in page.text
    page.do("take", move="chance 3", ply="0")
    page.do("take", move="1", ply="1")
    [notice] = page.do("roll", ply="2")
    assert page.do("roll", ply="2") == []
    page.do("undo")
    assert page.do("roll", ply="2") == [notice], "undoing does not change the draw"
    page.do("engine", {"engine": ["0", "1"]})
    for _ in range(20):
        jobs = [job for job in page.response["jobs"] if job["name"] == "reply"]
        if not jobs:
            break
        move = re.search(r'data-move="([^"]*)" data-ply="(\d+)"', page.work("reply"))
        assert move
        page.do("take", move=move[1], ply=move[2])
    assert "The game is over" in page.text


@pytest.mark.parametrize("form", [{"set-heaps": "x"}, {"set-heaps": "1" * 900}, {"from": "<b>"}])
def test_wrong_settings_are_refused(form: dict[str, str]) -> None:
    page = Page("nim")
    [notice] = page.do("begin", form)
    assert notice.startswith("bad: ")
    assert page.document is None


def test_a_setting_that_is_on_or_off_is_a_chip() -> None:
    page = Page("propre")
    assert 'value="known_order" checked' in page.html
    page.do("begin", {"on": ["swap", "nothing"]})
    assert page.log.startswith("set known_order=no\nset block_everything=no\nset swap=yes\n")


@pytest.mark.parametrize(
    "text",
    ["hello", "engine 7\nmoves\n", "moves\n9 from 9\n", "set a=b\nmoves\n", "from x\nmoves\n"],
)
def test_a_text_that_is_wrong_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(BadInput):
        Playthrough.read("nim", text)
    page = Page("nim", text=text)
    assert "callout bad" in page.html


def test_hostile_input_changes_nothing() -> None:
    page = begun("connect-four")
    for intent in ("take", "roll", "back", "typed", "nothing", "_run", "screen"):
        notices = page.do(intent, {"move": "<script>"}, move="<img>", ply="0")
        assert notices[0].startswith("bad: ")
    assert page.log == "moves\n"
    assert "<script" not in page.html


def test_a_picture_has_no_inline_style() -> None:
    for game in ("tic-tac-toe", "connect-four", "cultist-play", "propre", "quartets-play"):
        page = begun(game)
        assert "<svg" in page.html
        assert not re.search(r"<[^>]*\sstyle=", page.html), game


def test_a_solution_on_disk_is_used(tmp_path: Path) -> None:
    from deduce.search.tiers.solve import solve_on_disk
    from deduce.search.tiers.table import Tablebase
    from games.classics.tic_tac_toe import TicTacToe

    pytest.importorskip("numpy")
    solve_on_disk(TicTacToe(), tmp_path, name="tic-tac-toe")
    table = Tablebase(TicTacToe(), tmp_path, name="tic-tac-toe")
    door = Door({"tic-tac-toe": play_page("tic-tac-toe", table=table)})
    page = Page("tic-tac-toe", door)
    page.do("begin")
    assert "from the solution on disk" in page.work("colours")
