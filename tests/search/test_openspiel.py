"""OpenSpiel's games, solved here and there; beliefs against lists of all histories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from deduce.errors import BadInput, Undecided, Unsupported
from deduce.gym.openspiel import SpielGame, belief
from deduce.search import solve
from deduce.search.testing import check_game

pyspiel = pytest.importorskip("pyspiel")

BY_TEXT = """
tic_tac_toe; connect_four(rows=3,columns=3,x_in_row=3); connect_four(rows=4,columns=3,x_in_row=3);
nim; nim(is_misere=false); breakthrough(rows=3,columns=2);
breakthrough(rows=4,columns=2); breakthrough(rows=3,columns=3); hex(board_size=2);
hex(board_size=3); y(board_size=2); y(board_size=3); clobber(rows=2,columns=3);
clobber(rows=3,columns=3); catch(rows=4,columns=3); go(board_size=2); havannah(board_size=2);
checkers(rows=4,columns=4)
"""
"""Games whose text shows the whole position."""

BY_HISTORY = """
pig(winscore=3,horizon=5,diceoutcomes=3); pig(winscore=4,horizon=4,diceoutcomes=4);
cliff_walking(height=2,width=3,horizon=5); kuhn_poker; kuhn_poker(players=3); tiny_hanabi;
deep_sea(size=3); lewis_signaling
"""
"""Games of which the text does not tell everything; some of them with open hands."""


def games(text: str) -> list[str]:
    return [name.strip() for name in text.split(";")]


def value(state: Any, *, by_text: bool) -> tuple[float, ...]:
    """The value by the plain definition, on OpenSpiel's own states."""
    table: dict[object, tuple[float, ...]] = {}

    def visit(state: Any) -> tuple[float, ...]:
        if state.is_terminal():
            return tuple(state.returns())
        key = (state.current_player(), str(state)) if by_text else tuple(state.history())
        if key not in table:
            children = [(visit(state.child(a)), a) for a in state.legal_actions()]
            if state.is_chance_node():
                chances = dict(state.chance_outcomes())
                totals = zip(
                    *([chances[a] * x for x in worth] for worth, a in children), strict=True
                )
                table[key] = tuple(map(sum, totals))
            else:
                mover = state.current_player()
                table[key] = max((worth for worth, _ in children), key=lambda worth: worth[mover])
        return table[key]

    return visit(state)


@pytest.mark.parametrize("name", games(BY_TEXT))
def test_a_game_is_worth_the_same_here_and_there(name: str) -> None:
    game = SpielGame(name, merged=True)
    assert solve(game, symmetric=True).result().value == pytest.approx(
        value(game.initial_state().spiel, by_text=True)
    )


@pytest.mark.parametrize("name", games(BY_HISTORY))
def test_a_game_is_worth_the_same_by_its_histories(name: str) -> None:
    game = SpielGame(name, is_open=True)
    assert solve(game).result().value == pytest.approx(
        value(game.initial_state().spiel, by_text=False)
    )


@pytest.mark.parametrize("name", ["tic_tac_toe", "hex(board_size=3)", "pig(winscore=5,horizon=9)"])
def test_the_adapter_keeps_the_protocol(name: str) -> None:
    assert check_game(SpielGame(name), playthroughs=3) > 3


def test_what_is_hidden_or_simultaneous_is_refused() -> None:
    with pytest.raises(Unsupported, match="hidden information"):
        SpielGame("kuhn_poker")
    with pytest.raises(Unsupported, match="at the same time"):
        SpielGame("matrix_rps")
    with pytest.raises(BadInput, match="cannot load 'no_such_game'"):
        SpielGame("no_such_game")
    with pytest.raises(BadInput, match="not legal after 'start'"):
        SpielGame("tic_tac_toe").parse_state("17")


HIDDEN = ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice(dice_sides=3)"]


def states(name: str, number: int) -> Iterator[Any]:
    """Random states of a game in which a player moves."""
    game, random = pyspiel.load_game(name), Random(name)
    while number:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() >= 0 and random.random() < 0.3:
                yield state
                number -= 1
                break
            state.apply_action(random.choice(state.legal_actions()))


def all_histories(name: str, player: int, seen: str, policy: Any) -> dict[Any, float]:
    """Every history with an information state, and its probability, from the whole tree."""
    found: dict[tuple[int, ...], float] = {}

    def visit(state: Any, weight: float) -> None:
        if state.is_terminal() or not weight:
            return
        mover = state.current_player()
        if mover == player and state.information_state_string(player) == seen:
            found[tuple(state.history())] = weight
        chances = dict(state.chance_outcomes()) if state.is_chance_node() else {}
        chosen = {} if mover in (player, pyspiel.PlayerId.CHANCE) else policy(state)
        for action in state.legal_actions():
            visit(state.child(action), weight * chances.get(action, chosen.get(action, 1)))

    visit(pyspiel.load_game(name).new_initial_state(), 1)
    total = sum(found.values())
    return {history: weight / total for history, weight in found.items()}


def flat(state: Any) -> dict[int, Fraction]:
    return dict.fromkeys(state.legal_actions(), Fraction(1))


def bold(state: Any) -> dict[int, Fraction]:
    """A policy that depends on the mover's own hand: the last action, the higher the card."""
    legal, card = (
        state.legal_actions(),
        len(state.information_state_string()) + sum(state.history()),
    )
    return {a: Fraction(1 + (n + card) % 3, 4) for n, a in enumerate(legal)}


@pytest.mark.parametrize("policy", [None, bold], ids=["none", "bold"])
@pytest.mark.parametrize("name", HIDDEN)
def test_a_belief_is_that_of_the_list_of_all_histories(name: str, policy: Any) -> None:
    for state in states(name, 6):
        player = state.current_player()
        seen = state.information_state_string(player)
        assert {
            history: float(p) for history, p in belief(state, policy=policy).probabilities().items()
        } == pytest.approx(all_histories(name, player, seen, policy or flat))


@pytest.mark.parametrize("name", HIDDEN)
def test_two_states_that_look_alike_have_one_belief(name: str) -> None:
    """Noninterference: what is hidden in the true state does not change what is believed."""
    for state in states(name, 6):
        held = belief(state)
        for other in held.sample(3, seed=1):
            assert other.information_state_string() == state.information_state_string()
            assert belief(other).probabilities() == held.probabilities()


@pytest.mark.parametrize("name", HIDDEN)
def test_samples_follow_the_belief(name: str) -> None:
    """Chi-square with at most one false alarm in a million tests."""
    for state in states(name, 4):
        held, number = belief(state, policy=bold), 5000
        drawn = Counter(tuple(sample.history()) for sample in held.sample(number, seed=7))
        expected = {history: float(p) * number for history, p in held.probabilities().items()}
        assert set(drawn) <= set(expected)
        square = sum((drawn[h] - e) ** 2 / e for h, e in expected.items())
        free = len(expected) - 1
        assert square <= free + 4.9 * (2 * free) ** 0.5 + 16


def test_a_belief_is_that_of_a_player_who_moves_and_has_a_limit() -> None:
    game = pyspiel.load_game("leduc_poker")
    with pytest.raises(Unsupported, match="no player is to move"):
        belief(game.new_initial_state())
    state = next(states("leduc_poker", 1))
    with pytest.raises(Undecided, match="more than 3 states"):
        belief(state, limit=3)
