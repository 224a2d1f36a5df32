from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from deduce.errors import Unsupported
from deduce.search import Limits, check_game, explore, solve
from games.quartets.events import Ask, Event, Quartet
from games.quartets.game import Quartets
from games.quartets.search import QuartetsGame, force, forced_groups, standard
from games.quartets.setup import PRESETS, Readings, named_groups

NAMES = ("Ann", "Ben", "Cid")
OWN = Readings(ask_own=True, silence=False, deal_quartet=False)

# docs/games/quartets.md, section 5: players, groups, size, readings, groups each can force.
SOLVED = [
    (2, 2, 2, PRESETS["strict"], (2, 0)),
    (2, 3, 2, PRESETS["strict"], (3, 0)),
    (2, 2, 3, PRESETS["strict"], (2, 0)),
    (2, 2, 4, PRESETS["strict"], (2, 0)),
    (2, 2, 2, OWN, (0, 2)),
    (2, 3, 2, OWN, (0, 3)),
    (2, 2, 3, OWN, (0, 1)),
    (2, 2, 2, PRESETS["literal"], (1, 1)),
    (2, 3, 2, PRESETS["literal"], (1, 2)),
    (3, 2, 2, PRESETS["literal"], (1, 0, 0)),
    (3, 2, 2, PRESETS["recommended"], (0, 0, 0)),
    (3, 3, 2, PRESETS["recommended"], (0, 0, 0)),
    (3, 2, 2, OWN, (0, 0, 0)),
    (3, 2, 3, PRESETS["strict"], (0, 0, 0)),
    (2, 3, 4, PRESETS["strict"], (3, 0)),
    (2, 3, 4, PRESETS["recommended"], (3, 0)),
    (3, 4, 2, PRESETS["strict"], (0, 0, 0)),
]


def setup(players: int, groups: int, size: int, readings: Readings) -> Quartets:
    return Quartets(NAMES[:players], named_groups([size] * groups), repetition=None, **readings)


@pytest.mark.parametrize(("players", "groups", "size", "readings", "values"), SOLVED)
def test_solved_values(
    players: int, groups: int, size: int, readings: Readings, values: tuple[int, ...]
) -> None:
    assert force(setup(players, groups, size, readings))[0] == values


def test_the_key_changes_no_value() -> None:
    for readings in (*PRESETS.values(), OWN):
        game = QuartetsGame(setup(2, 2, 2, readings))
        plain, merged = explore(game), explore(game, symmetric=True)
        assert len(merged) < len(plain)
        assert forced_groups(plain) == forced_groups(merged)


def renamed(game: Quartets, event: Event, groups: list[int], inside: list[list[int]]) -> Event:
    """Return a statement with its group, and its card within the group of three, renamed."""
    if isinstance(event, Ask):
        g, c = divmod(game.card(event.card), 3)
        return evolve(event, card=game.cards[3 * groups[g] + inside[g][c]])
    if isinstance(event, Quartet):
        return evolve(event, group=game.group_names[groups[game.group(event.group)]])
    return event


def test_the_key_is_blind_to_the_names_of_cards_and_groups() -> None:
    random = Random(5)
    for _ in range(20):
        game = QuartetsGame(setup(3, 3, 3, random.choice(list(PRESETS.values()))))
        groups = random.sample(range(3), 3)
        inside = [random.sample(range(3), 3) for _ in range(3)]

        state = other = game.initial_state()
        for _ in range(25):
            if state.over:
                break
            action = random.choice(game.actions(state))
            state = game.result(state, action)
            other = game.result(other, renamed(game.setup, action, groups, inside))
            assert game.key(state) == game.key(other)
            if not state.over:
                assert len(game.actions(state)) == len(game.actions(other))


def test_the_game_keeps_the_protocol() -> None:
    assert check_game(QuartetsGame(setup(2, 2, 2, PRESETS["strict"])), playthroughs=2) > 5
    assert check_game(standard(size=3), playthroughs=1, max_plies=8) > 5
    assert check_game(standard(), playthroughs=1, max_plies=6) > 3
    seed = evolve(setup(2, 2, 2, PRESETS["literal"]), limit=30)
    assert check_game(QuartetsGame(seed, goal="win"), playthroughs=2) > 5


def test_a_two_player_game_of_winning_is_solved_by_the_shared_solver() -> None:
    game = QuartetsGame(setup(2, 2, 2, PRESETS["strict"]), goal="groups")
    assert solve(game, symmetric=True).values[0] == (2, 0)


def test_what_can_be_forced_needs_all_positions() -> None:
    with pytest.raises(Unsupported, match="needs all positions"):
        force(setup(3, 2, 3, PRESETS["strict"]), limits=Limits(nodes=50))


def test_actions_are_written_as_in_a_transcript() -> None:
    game = standard()
    state = game.initial_state()
    for action in game.actions(state):
        assert game.parse_action(state, game.format_action(state, action)) == action
    assert "Ann has the turn" in game.show(state)
    assert game.order(state, game.actions(state))
