"""Mastermind: answers, what they leave, text, commands; against the plain definition."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce import BadInput, Contradiction, Knowledge, read, write
from deduce.budget import Budget
from deduce.constraints import Count
from deduce.errors import Undecided
from deduce.policy.solver import Solver
from deduce.testing import check_hidden_game
from games.mastermind import PLAYERS, Guess, Mastermind, examples, pegs, play_game, static_guesses
from games.mastermind import game as game_module
from games.mastermind.events import answer_table
from games.mastermind.notation import parse_pegs
from tests.mastermind.brute import answer, codes
from tests.programs import deduce

SETUPS = [
    Mastermind(slots=3, colours=4),
    Mastermind(slots=4, colours=3),
    Mastermind(slots=3, colours=5, repeat=False),
    Mastermind(slots=2, colours=("red", "green", "blue")),
]


@given(
    st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.text("1234", min_size=n, max_size=n)] * 2))
)
def test_pegs_are_counted_as_by_crossing_off(pair: tuple[str, str]) -> None:
    assert pegs(*pair) == answer(*pair) == pegs(*pair[::-1])


@pytest.mark.parametrize("repeat", [True, False])
def test_the_table_has_every_answer(repeat: bool) -> None:
    names = tuple("1234")
    listed = tuple(tuple(code) for code in codes(3, "1234", repeat=repeat))
    answers, table = answer_table(listed, listed, names)
    assert answers[-1] == (3, 0)
    for i, guess in enumerate(listed):
        for j, code in enumerate(listed):
            assert answers[table[i, j]] == answer(code, guess)


@given(
    setup=st.sampled_from(SETUPS[:3]),
    seed=st.integers(0, 10**6),
    counted=st.booleans(),
    count=st.integers(0, 4),
)
def test_codes_left_are_those_that_give_all_answers(
    setup: Mastermind, seed: int, counted: bool, count: int
) -> None:
    random = Random(seed)
    secret = setup.random_code(random)
    guesses = [setup.random_code(random) for _ in range(count)]
    log = [Guess(guess, *answer(secret, guess)) for guess in guesses]
    with pytest.MonkeyPatch.context() as patch:
        if counted:
            patch.setattr(game_module, "MAX_TABLE", 0)
        knowledge = Knowledge(setup, log)
        left = {"".join(setup.code_of(world)) for world in knowledge.worlds()}
        total = knowledge.count()
    assert left == {
        code
        for code in codes(setup.slots, "".join(setup.colours), repeat=setup.repeat)
        if all(answer(code, g.code) == (g.black, g.white) for g in log)
    }
    assert total == len(left)


@pytest.mark.parametrize("setup", SETUPS)
def test_mastermind_keeps_its_promises(setup: Mastermind) -> None:
    assert check_hidden_game(setup, deals=2, draws=500).undecided == 0


def test_large_boards_are_counted_and_advised_upon(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Mastermind(slots=5, colours=8)
    guesses = ("11223: 2 1", "45667: 1 1")
    left = [c for c in codes(5, "12345678", repeat=True) if answer(c, "11223") == (2, 1)]
    expected = sum(answer(code, "45667") == (1, 1) for code in left)
    assert Knowledge(game).tell(*guesses).count() == expected
    monkeypatch.setattr(game_module, "MAX_TABLE", 0)
    knowledge = Knowledge(game).tell(*guesses)
    assert knowledge.count() == expected
    offered = game.inquiries(knowledge.log, None)
    assert 50 < len(offered) <= expected
    assert all(answer("".join(c), "11223") == (2, 1) for c in offered)


def test_advice_ranks_all_codes_and_prefers_a_possible_one() -> None:
    knowledge = Knowledge(SETUPS[0]).tell("112: 0 2")
    advice = knowledge.advise(by="worst")
    possible = {knowledge.game.code_of(world) for world in knowledge.worlds()}  # type: ignore[attr-defined]
    ties = advice.best()
    assert len(advice.ranking) == 64
    assert ties[0].inquiry in possible or not possible & {rated.inquiry for rated in ties}
    for rated in advice.ranking[:5]:
        for outcome in rated.outcomes:
            event = SETUPS[0].event_of(rated.inquiry, outcome.answer)  # type: ignore[arg-type]
            assert knowledge.tell(event).count() == outcome.worlds


@pytest.mark.parametrize("name", PLAYERS)
def test_players_find_every_code(name: str) -> None:
    game = SETUPS[0]
    for code in codes(3, "1234", repeat=True)[::7]:
        played = play_game(game, code, PLAYERS[name])
        assert played.guesses[-1].code == tuple(code)
        assert len(played.guesses) <= 7


@pytest.mark.parametrize(("slots", "colours"), [(2, 3), (2, 4), (3, 3)])
def test_static_guesses_are_as_few_as_possible(slots: int, colours: int) -> None:
    game = Mastermind(slots, colours)
    listed = codes(slots, "".join(game.colours), repeat=True)

    def identifies(guesses: tuple[str, ...]) -> bool:
        return len({tuple(answer(c, g) for g in guesses) for c in listed}) == len(listed)

    found = static_guesses(game)
    assert identifies(tuple("".join(guess) for guess in found.guesses))
    least = next(n for n in range(9) if any(map(identifies, combinations(listed, n))))
    assert found.proved
    assert len(found.guesses) == least


# Text


def test_logs_are_read_back(tmp_path: Path) -> None:
    for setup in SETUPS:
        random = Random(3)
        knowledge = Knowledge(setup, list(setup.record(setup.deal(random), random)))
        for form in ("text", "json"):
            path = tmp_path / "game.mastermind"
            write(knowledge, path, form=form)
            assert read(path, Mastermind) == knowledge
    for path in Path(examples.__path__[0]).glob("*.mastermind"):
        assert read(path).is_consistent()


@pytest.mark.parametrize(
    "text", ["1123: 1 2", "1123: 1b2w", "1123 -> 1 black, 2 white", "1123 1 2", "1 1 2 3: 12"]
)
def test_a_guess_can_be_written_in_several_ways(text: str) -> None:
    assert Mastermind().parse_event(text) == Guess(tuple("1123"), 1, 2)


def test_wrong_set_ups_are_refused() -> None:
    for arguments, message in (
        ((0, 6), "from 1 to 20"),
        ((4, 0), "from 1 to 61"),
        ((4, ("red", "red")), "same name"),
        ((4, ("a b",)), "one word"),
        ((4, 3, False), "4 slots need as many colours"),
        ((4, "rgb"), "a number or a list"),
        ((4, 6, 1), "true or false"),
    ):
        with pytest.raises(BadInput, match=message):
            Mastermind(*arguments)
    with pytest.raises(BadInput, match="no colour may be repeated"):
        Mastermind(3, 4, repeat=False).parse_event("113: 0 0")
    with pytest.raises(BadInput, match="not an answer"):
        parse_pegs("")


# Commands


def run(*args: str, typed: str = "") -> tuple[int, str]:
    ran = deduce("mastermind", *args, stdin=typed)
    return ran.returncode, ran.stdout


@pytest.mark.parametrize("reason", [Undecided, KeyboardInterrupt])
def test_static_guesses_are_the_best_so_far_when_the_time_is_up(
    reason: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Mastermind(slots=3, colours=4)
    whole = static_guesses(game)
    assert whole.finished
    for steps in (0, 10, 100, 1000):
        part = static_guesses(game, budget=Budget(steps=steps))
        assert part.bound <= whole.bound <= len(whole.guesses) <= len(part.guesses)
        secrets = map(game.code_of, Knowledge(game).worlds())
        answers = {tuple(pegs(code, guess) for guess in part.guesses) for code in secrets}
        assert len(answers) == game.codes
        assert not part.finished

    def stopped(*_: Any) -> NoReturn:
        raise reason("now")

    monkeypatch.setattr("games.mastermind.players._exhausted", stopped)
    size = ["solve", "--static", "--slots", "3", "--colours", "4", "--time-limit", "1000"]
    code, out = run(*size, "--json")
    assert code == (4 if reason is Undecided else 130)
    document = json.loads(out)
    assert len(document["guesses"]) >= len(whole.guesses) >= document["bound"]
    assert not document["proved"]
    assert "are needed" in run(*size)[1]


def test_solve_gives_what_is_found_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    size = ["solve", "--slots", "4", "--colours", "5"]
    assert run(*size, "--time-limit", "0.000001") == (4, "")
    unlimited = Solver.plan_quickly

    def then_time_is_up(solver: Solver, *args: Any) -> int:
        total = unlimited(solver, *args)
        monkeypatch.setattr(Solver, "bound_ahead", out_of_time)
        return total

    def out_of_time(*_: Any) -> NoReturn:
        raise Undecided("not decided within the time limit")

    monkeypatch.setattr(Solver, "plan_quickly", then_time_is_up)
    code, out = run(*size, "--time-limit", "1000", "--json")
    document = json.loads(out)
    assert code == 4
    assert document["proved"] is False
    assert document["bound"] < document["total"]
    assert document["found"] == 625


@pytest.mark.parametrize("number", ["9" * 5000, "1234567890", "６"])
def test_the_number_of_colours_is_written_in_few_ascii_digits(number: str) -> None:
    ran = deduce("mastermind", "new", "--colours", number)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--colours is a number or a list of names" in ran.stderr


def test_answers_that_no_code_gives_are_a_contradiction() -> None:
    knowledge = Knowledge(SETUPS[0]).tell("111: 0 0", "222: 0 0", "333: 0 0", "444: 0 0")
    assert knowledge.contradiction().events == (1, 2, 3, 4)
    with pytest.raises(Contradiction):
        knowledge.advise()


def test_the_board_is_drawn() -> None:
    html = Knowledge(Mastermind(2, ("<b>", "blue"))).tell("<b> blue: 0 2")._repr_html_()
    assert "<svg" in html
    assert "<b>" not in html


def test_a_single_colour_is_enough_and_six_are_usual() -> None:
    assert Mastermind().codes == 6**4
    assert Mastermind(slots=2, colours=1).codes == 1
    with pytest.raises(BadInput, match="from 1 to 61, not 0"):
        Mastermind(slots=2, colours=0)


def test_codes_of_mastermind_at_the_limits_of_their_colours() -> None:
    assert Mastermind(colours=9).colours == tuple("123456789")
    assert Mastermind(colours=10).colours == tuple("0123456789")
    assert Mastermind(slots=3, colours=3, repeat=False).codes == 6
    with pytest.raises(BadInput, match="need as many colours"):
        Mastermind(slots=3, colours=2, repeat=False)
    one = Mastermind(slots=2, colours=2)
    [_, both] = one.evidence([Guess(("1", "1"), 1, 0)], None)
    assert isinstance(both.constraint, Count)
