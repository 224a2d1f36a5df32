"""Perfect-information Monte Carlo over a stub of what is known, and over the real thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from attrs import frozen

from deduce.constraints import Weigh, at_most, is_, is_not
from deduce.errors import BadProblem, Contradiction
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.search import BadGame, Limits, minimax
from deduce.search.solvers.pimc import as_table, pimc, value_actions
from games.classics.nim import Nim


@frozen
class Known:
    """Some worlds, equally likely: the smallest thing that worlds can be drawn from."""

    worlds: Sequence[Mapping[str, Any]]

    def sample(self, n: int, *, seed: int, weighted: bool = False) -> Sequence[Mapping[str, Any]]:
        if weighted:
            return [self.worlds[0]] * n
        return Random(seed).choices(self.worlds, k=n)


class Guess:
    """Player 0 names the hidden side of a coin, or passes; then the game is over.

    The state is ``(coin, action)``. Naming wins or loses 1, passing wins 1/4 for sure.
    """

    players = 2
    utility_bounds = (-1, 1)
    sure = 0.25

    def initial_state(self) -> tuple[str, str]:
        return "heads", ""

    def to_move(self, state: tuple[str, str]) -> int:
        return 0

    def actions(self, state: tuple[str, str]) -> Sequence[str]:
        return ("heads", "tails", "pass") if state[0] != "edge" else ("pass",)

    def result(self, state: tuple[str, str], action: str) -> tuple[str, str]:
        return state[0], action

    def utility(self, state: tuple[str, str]) -> tuple[float, float] | None:
        coin, action = state
        if not action:
            return None
        gain = self.sure if action == "pass" else 1 if action == coin else -1
        return gain, -gain


COIN = Known([{"coin": "heads"}, {"coin": "tails"}])


def start(world: Mapping[str, Any]) -> tuple[str, str]:
    return world["coin"], ""


def test_votes_means_and_spread_count_the_worlds() -> None:
    found = pimc(COIN, start, Guess(), n=40, seed=3, weighted=False, solver=minimax)
    heads = sum(world["coin"] == "heads" for world in COIN.sample(40, seed=3))
    ballots = found.ballots
    assert found.worlds == found.proved_worlds == 40
    assert ballots["heads"].votes == heads
    assert ballots["tails"].votes == 40 - heads
    assert ballots["pass"].votes == 0
    assert ballots["heads"].mean[0] == pytest.approx((2 * heads - 40) / 40)
    assert ballots["pass"].spread == 0
    assert ballots["heads"].spread == pytest.approx((1 - ((2 * heads - 40) / 40) ** 2) ** 0.5)
    assert (ballots["heads"].least, ballots["heads"].most) == (-1, 1)
    assert found.result.best_actions == ("pass",)
    assert found.result.value is None
    assert found.result.estimate == (0.25, -0.25)


def test_posterior_worlds_are_asked_for_by_name() -> None:
    found = pimc(COIN, start, Guess(), n=5)
    assert found.result.best_actions == ("heads",)
    assert found.ballots["heads"].votes == 5


def test_ties_share_a_vote() -> None:
    piles = Known([{"heaps": (1, 1)}])
    found = pimc(piles, lambda world: (world["heaps"], 0), Nim((1, 1)), n=3)
    assert {ballot.votes for ballot in found.ballots.values()} == {Fraction(3, 2)}
    assert "votes" in str(as_table(Nim((1, 1)), found))


def test_worlds_that_the_mover_can_tell_apart_are_an_error() -> None:
    with pytest.raises(BadGame, match="differ between worlds"):
        pimc(Known([{"coin": "heads"}, {"coin": "edge"}]), start, Guess(), n=20, weighted=False)
    with pytest.raises(BadProblem, match="no world"):
        pimc(Known([{"coin": "heads"}]), start, Guess(), n=0)


def test_limits_answer_from_the_worlds_so_far() -> None:
    found = pimc(COIN, start, Guess(), n=40, limits=Limits(nodes=7))
    assert (found.worlds, found.result.stopped) == (7, "nodes")


def test_every_action_is_valued_alike() -> None:
    game = Nim((1, 3, 5), misere=True)
    found = value_actions(game, game.initial_state(), simulations=2000)
    assert found.best_actions == ((2, 3),)
    assert len(found.root_values) == 9


@pytest.mark.parametrize("calls", [1, 2, 40])
def test_ctrl_c_within_a_world_answers_from_the_worlds_before(calls: int) -> None:
    class Interrupted(Nim):
        worlds = 0
        left = calls

        def begin(self, world: Mapping[str, Any]) -> Any:
            self.worlds += 1
            return world["heaps"], 0

        def result(self, state: Any, action: Any) -> Any:
            self.left -= self.worlds == 2
            if not self.left:
                raise KeyboardInterrupt
            return super().result(state, action)

    game = Interrupted()
    worlds = Known([{"heaps": (3, 4)}, {"heaps": (4, 5)}])
    solver = partial(value_actions, simulations=200)
    found = pimc(worlds, game.begin, game, n=9, weighted=False, seed=1, solver=solver)
    assert found.result.stopped == "interrupt"
    assert found.proved_worlds <= found.worlds < 9


class Cups(Guess):
    """Player 0 lifts a cup and wins if the coin is there, or passes for a half."""

    zero_sum = True
    sure = 0.5

    def initial_state(self) -> tuple[str, str]:
        return "A", ""

    def actions(self, state: tuple[str, str]) -> Sequence[str]:
        return "A", "B", "C", "pass"


def cups(world: Mapping[Any, Any]) -> tuple[str, str]:
    return world["coin"], ""


def test_worlds_come_from_a_real_knowledge() -> None:
    """A coin and a bean are under different cups; the coin is nine times as often under C."""
    problem = Problem(
        {"coin": ("A", "B", "C"), "bean": ("A", "B", "C")},
        [at_most(1, [is_("coin", cup), is_("bean", cup)]) for cup in "ABC"]
        + [Weigh((is_("coin", "C"),), (1, 9))],
    )
    known = Knowledge(problem).tell(is_not("coin", "A"))

    by_posterior = pimc(known, cups, Cups(), n=200, seed=5, solver=minimax)
    assert known.posterior()["coin"]["C"] == Fraction(9, 10)
    assert by_posterior.worlds == by_posterior.proved_worlds == 200
    drawn = [world["coin"] for world in known.sample(200, seed=5)]
    for cup in "ABC":
        assert by_posterior.ballots[cup].votes == drawn.count(cup)
    assert by_posterior.ballots["A"].votes == 0
    assert by_posterior.result.best_actions == ("C",)
    assert by_posterior.ballots["C"].mean[0] == pytest.approx(0.8, abs=0.15)

    by_count = pimc(known, cups, Cups(), n=200, seed=5, weighted=False, solver=minimax)
    assert by_count.result.best_actions == ("pass",)
    assert by_count.ballots["C"].mean[0] == pytest.approx(0, abs=0.2)

    certain = pimc(known.tell(is_("bean", "C")), cups, Cups(), n=10, solver=minimax)
    assert certain.ballots["B"].votes == 10
    assert certain.ballots["B"].spread == 0


def test_no_world_is_drawn_from_a_contradiction() -> None:
    known = Knowledge(Problem({"coin": ("A", "B")}, [])).tell(
        is_not("coin", "A"), is_not("coin", "B")
    )
    with pytest.raises(Contradiction):
        pimc(known, cups, Cups())
