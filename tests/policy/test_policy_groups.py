"""Advice for games that consist of independent groups, compared with the list of all worlds."""

from __future__ import annotations

from random import Random

import pytest
from attrs import frozen

from deduce import Knowledge, exactly, is_
from deduce.policy.advice import RANKINGS, UNKNOWN
from deduce.testing import check_hidden_game
from games.wordle import Wordle


@frozen
class Whole(Wordle):
    """The same game that does not state that its boards are independent."""

    def independent(self) -> list[tuple[str]]:
        return []


def positions() -> list[tuple[Wordle, list[str]]]:
    found = []
    for seed in range(6):
        random = Random(seed)
        words = tuple(sorted({"".join(random.choices("abcd", k=3)) for _ in range(9)}))
        game = Wordle(words, boards=2 + seed % 2)
        world = game.deal(random)
        guesses = random.sample(words, seed % 3)
        found.append((game, [f"{guess}: {game.answer(guess, world)}" for guess in guesses]))
    return found


@pytest.mark.parametrize(
    ("game", "log", "by"),
    [(*position, RANKINGS[n % 4]) for n, position in enumerate(2 * positions())],
)
def test_groups_are_rated_as_by_the_list_of_all_worlds(
    game: Wordle, log: list[str], by: str
) -> None:
    whole = Whole(game.words, boards=game.boards)
    found, right = (Knowledge(one).tell(*log).advise(by=by) for one in (game, whole))
    assert found.is_exact
    assert found.worlds == right.worlds
    assert found.entropy_bits == pytest.approx(right.entropy_bits)
    best = {rated.inquiry for rated in right.ranking[: right.ranking.ties]}
    assert {rated.inquiry for rated in found.ranking[: found.ranking.ties]} == best
    of = {rated.inquiry: rated for rated in found.ranking}
    assert len(of) == len(right.ranking)
    for rated in right.ranking:
        mine = of[rated.inquiry]
        assert mine.gain_bits == pytest.approx(rated.gain_bits, abs=1e-9)
        if mine.expected_worlds is UNKNOWN:
            assert sum(o.probability for o in mine.outcomes) < 1
        else:
            assert mine.expected_worlds == pytest.approx(rated.expected_worlds)
            assert (mine.worst_worlds, mine.done) == (rated.worst_worlds, rated.done)
        assert mine.ends == rated.ends
        left = {o.answer: (o.probability, o.worlds, o.ends) for o in rated.outcomes}
        assert all(left[o.answer] == (o.probability, o.worlds, o.ends) for o in mine.outcomes)


def test_boards_that_depend_on_each_other_are_not_taken_for_groups() -> None:
    game = Wordle(("abc", "bca", "cab", "aab"), boards=2)
    one_each = exactly(1, [is_("word 1", "abc"), is_("word 2", "abc")])
    found, right = (
        Knowledge(one).assume(one_each).advise() for one in (game, Whole(game.words, boards=2))
    )
    assert found.worlds == 6
    assert found == right


def test_many_boards_are_advised_exactly() -> None:
    words = tuple(sorted({"".join(Random(n).choices("abcdef", k=5)) for n in range(30)}))
    one, many = (Knowledge(Wordle(words, boards=n)).advise() for n in (1, 20))
    assert many.is_exact
    assert many.worlds == len(words) ** 20
    assert many.ranking[0].inquiry == one.ranking[0].inquiry
    assert many.ranking[0].gain_bits == pytest.approx(20 * one.ranking[0].gain_bits)
    assert many.ranking[0].expected_worlds is UNKNOWN
    assert many.ranking[0].worst_worlds is UNKNOWN
    assert float(many.ranking[0].ends) == pytest.approx(float(one.ranking[0].ends) ** 20)


def test_boards_keep_their_promises() -> None:
    assert check_hidden_game(Wordle(boards=2), deals=2).left_out == ()
