"""Puzzles are what they promise, and repeatable."""

from __future__ import annotations

import json
from random import Random

import pytest

from deduce.cli.main import main
from deduce.errors import BadInput, Contradiction, Unsupported
from deduce.logs.events import Log
from games.pigs import puzzle as puzzles
from games.pigs.inference import infer
from games.pigs.puzzle import is_puzzle, make_puzzle
from games.pigs.setup import Deal
from tests.pigs.strategies import parse_log


@pytest.mark.parametrize(("players", "rebels"), [(3, None), (4, 1), (5, 2), (7, None)])
def test_puzzles_have_one_solution_that_needs_cards(players: int, rebels: int | None) -> None:
    puzzle = make_puzzle(players, seed=3, rebels=rebels, effort=120)
    assert is_puzzle(puzzle.log)
    assert set(infer(puzzle.log).vectors) == {puzzle.roles}
    assert puzzle.log.game.rebels == rebels
    assert [proof.seat for proof in puzzle.proofs] == list(range(2, players + 1))
    assert all(proof.reasons for proof in puzzle.proofs)


@pytest.mark.parametrize("seed", [1, 8, 16])
def test_no_event_of_a_puzzle_can_be_dropped(seed: int) -> None:
    puzzle = make_puzzle(4, seed=seed, effort=60)
    events = puzzle.log.events
    for index in range(len(events)):
        shorter = Log(puzzle.log.game, (*events[:index], *events[index + 1 :]))
        try:
            assert not is_puzzle(shorter) or set(infer(shorter).vectors) != {puzzle.roles}
        except (BadInput, Contradiction):  # not a log that the rules allow
            continue


def test_the_same_seed_gives_the_same_puzzle() -> None:
    assert make_puzzle(4, seed=8, effort=60) == make_puzzle(4, seed=8, effort=60)


def test_more_effort_never_gives_a_longer_puzzle() -> None:
    short = make_puzzle(4, seed=2, effort=400)
    assert len(short.log.events) <= 30


def test_declarations_alone_make_no_puzzle() -> None:
    declared = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n3 nullifies 1\n2 ends"
    assert len(infer(parse_log(declared)).vectors) == 1
    assert not is_puzzle(parse_log(declared))


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(BadInput, match="at least 3"):
        make_puzzle(2, seed=0)
    with pytest.raises(BadInput, match="effort of 0"):
        make_puzzle(4, seed=0, effort=0)
    with pytest.raises(Unsupported, match="another seed"):
        make_puzzle(10, seed=0, effort=1)


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_ctrl_c_prints_the_best_puzzle_and_exits_with_130(
    option: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = make_puzzle(4, seed=8, effort=60)
    change, changed = puzzles._change_one_card, 0

    def interrupted(deal: Deal, rng: Random) -> Deal:
        nonlocal changed
        changed += 1
        if changed > 30:
            raise KeyboardInterrupt
        return change(deal, rng)

    monkeypatch.setattr(puzzles, "_change_one_card", interrupted)
    with pytest.raises(SystemExit) as exit_:
        main(["pigs", "puzzle", "--seed", "8", "--effort", "61", *option])
    out, err = capsys.readouterr()
    assert exit_.value.code == 130
    assert "interrupted" in err
    if option:
        assert json.loads(out)["solution"] == list(whole.roles)
    else:
        assert set(infer(parse_log(out)).vectors) == {whole.roles}
