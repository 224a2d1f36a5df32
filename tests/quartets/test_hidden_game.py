from __future__ import annotations

from random import Random

import pytest

from deduce.knowledge import Knowledge
from deduce.testing import check_hidden_game
from games.quartets.counting import count_deals
from games.quartets.events import Answer, Ask, Event
from games.quartets.game import Quartets
from games.quartets.position import position_after, start_position
from games.quartets.setup import PRESETS, named_groups


@pytest.mark.parametrize("preset", list(PRESETS)[1:])
def test_the_hidden_game_keeps_the_protocol(preset: str) -> None:
    game = Quartets.preset(preset, ("Ann", "Ben", "Cid"), named_groups([3, 3, 3]))
    assert check_hidden_game(game, deals=1, seed=3, worlds=50, draws=100).views > 20


def test_a_true_game_leaves_a_deal_after_every_statement() -> None:
    for seed in range(10):
        random = Random(seed)
        preset = random.choice(list(PRESETS))
        game = Quartets.preset(preset, ("Ann", "Ben", "Cid", "Dot"), named_groups([4] * 5))
        world = game.deal(random)
        position = start_position(game)
        for event in game.record(world, random):
            position = position_after(game, position, event)
            assert position.fault is None


def test_a_deal_without_complete_groups_is_found_even_when_they_are_common() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2] * 12), deal_quartet=False)
    world = game.deal(Random(0))
    assert all(len({world[card] for card in cards}) == 2 for cards in game.groups.values())


def test_the_log_and_the_state_count_the_same_deals() -> None:
    for seed in range(12):
        random = Random(seed)
        preset = random.choice(list(PRESETS))
        game = Quartets.preset(preset, ("Ann", "Ben", "Cid"), named_groups([3, 4, 3]))
        log: list[Event] = []
        position = start_position(game)
        for event in game.record(game.deal(random), random):
            log.append(event)
            position = position_after(game, position, event)
            if len(log) % 4 == 0:
                total = count_deals(position.form).total
                assert Knowledge(game, log).count() == total


def test_a_losing_statement_that_was_undone_says_nothing() -> None:
    game = Quartets(("Ann", "Ben", "Cid"), named_groups([3, 3, 3]), ask_own=False)
    log: list[Event] = [
        Ask("Ann", "Ben", "a1"),
        Answer("Ben", False),
        Ask("Ben", "Cid", "a1"),
        Answer("Cid", False),
        Ask("Ben", "Ann", "a2"),
    ]
    position = start_position(game)
    for event in log:
        position = position_after(game, position, event)
    assert position.out == (2,)
    knowledge = Knowledge(game, log)
    assert knowledge.count() == count_deals(position.form).total
    assert knowledge.certain()["a1"] == "Cid"
    assert not Knowledge(game, log[:4]).is_consistent()
