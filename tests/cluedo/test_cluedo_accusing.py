"""Accuse or wait: what must come out in clear positions, and the model step by step."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from games.cluedo import ENVELOPE, Cluedo
from games.cluedo.events import Accusation, Event, Hand, Has, Show, Suggestion
from games.cluedo.opponents.accusing import (
    accuse_or_wait,
    can_name,
    decision_steps,
    simple_suggestion,
)
from games.cluedo.opponents.opponent import Observation, Opponent, finished

SETUP = """
suspect: Plum, White, Green
weapon: Rope, Dagger
room: Hall, Attic
players: Ann 2, Ben 1, Cid 1
me: Ann
hand: Plum, Rope
"""


def knowledge(*lines: str) -> Knowledge:
    return Knowledge(*Cluedo.parse_log(SETUP + "\n".join(lines)))


def test_what_is_certain_is_accused_without_playing_on() -> None:
    decision = accuse_or_wait(knowledge("Ben has White", "Cid has Hall"))
    assert decision.best == (("Green", "Dagger", "Attic"),)
    assert decision.now == 1
    assert decision.accuse
    assert decision.is_clear
    assert (decision.draws, decision.waits, decision.complete) == (0, (), True)


def test_without_another_turn_the_best_solution_is_accused_whatever_its_probability() -> None:
    decision = accuse_or_wait(knowledge(), turns=0, samples=10)
    assert decision.now == Fraction(1, 4)
    assert len(decision.best) == 4
    assert (decision.accuse, decision.waits, decision.turns) == (True, (), 0)
    assert decision.wait.value == 0
    assert [rival.player for rival in decision.rivals] == ["Ben", "Cid"]


def test_who_can_be_sure_of_another_turn_waits() -> None:
    """Nobody else may accuse: asking on costs nothing, and in the end it is certain."""
    decision = accuse_or_wait(knowledge(), out=("Ben", "Cid"), turns=4, samples=40)
    assert decision.rivals == ()
    assert decision.solved.value == 0
    assert not decision.accuse
    assert decision.is_clear
    values = [float(wait.value) for wait in decision.waits]
    assert values == sorted(values)
    assert values[-1] > 0.9


def test_who_will_certainly_be_beaten_accuses_now() -> None:
    """Ben has seen all but one card, so Ben can name the solution at the next turn."""
    lines = [f"Ann has {card} (seen by Ben)" for card in ("Plum", "Rope")]
    told = knowledge(*lines)
    for world in told.worlds():
        [card] = [card for card, holder in world.items() if holder == "Cid"]
        all_told = told.tell(*(Has("Cid", card, ("Ben",)),))
        ben = Opponent.of(all_told, "Ben")
        assert can_name(ben.knowledge_with(Observation(ben.hand(world))), world)
        break
    decision = accuse_or_wait(
        told.tell(Suggestion("Ben", ("White", "Rope", "Hall"), (), (Show("Cid"),)))
    )
    assert decision.rivals[0].now.value == 1
    assert decision.solved.value == 1
    assert [wait.value for wait in decision.waits] == [0, 0, 0]
    assert decision.accuse
    assert decision.is_clear


def test_who_has_accused_wrongly_plays_no_more() -> None:
    wrong = Accusation("Ben", ("White", "Dagger", "Hall"))
    decision = accuse_or_wait(knowledge().tell(wrong), samples=5)
    assert [rival.player for rival in decision.rivals] == ["Cid"]
    with pytest.raises(BadInput, match="Ann has accused wrongly"):
        accuse_or_wait(knowledge().tell(Accusation("Ann", ("White", "Dagger", "Hall"))))
    with pytest.raises(BadInput, match="the game is over"):
        accuse_or_wait(
            knowledge().tell(Accusation("Ben", ("White", "Dagger", "Hall"), correct=True))
        )


def test_what_cannot_be_asked_is_told() -> None:
    with pytest.raises(BadInput, match="a bystander cannot accuse"):
        accuse_or_wait(knowledge().seen_by(None))
    with pytest.raises(BadInput, match="no player is called 'Zoe'"):
        accuse_or_wait(knowledge(), out=("Zoe",))
    with pytest.raises(BadInput, match="0 or more, not -1"):
        accuse_or_wait(knowledge(), turns=-1)
    with pytest.raises(BadInput, match="0 samples are too few"):
        accuse_or_wait(knowledge(), samples=0)
    with pytest.raises(Contradiction):
        accuse_or_wait(knowledge("Ben has Plum"))


def test_a_decision_that_is_stopped_says_what_is_known_by_then() -> None:
    steps = decision_steps(knowledge(), samples=10)
    assert "nothing is known about waiting" in str(next(steps)[2]())
    *_, (done, total, result) = [next(steps) for _ in range(4)]
    part = result()
    assert (done, total, part.draws, part.complete) == (4, 10, 4, False)
    whole = finished(steps)
    assert whole.complete
    assert whole.waits == accuse_or_wait(knowledge(), samples=10).waits


# One round against the sum over everything that can happen in it


def test_one_round_is_worth_what_adding_up_all_its_courses_says() -> None:
    """Ben knows nothing that could help before I ask again, so only my suggestion counts."""
    told = knowledge()
    game = told.game
    assert isinstance(game, Cluedo)
    decision = accuse_or_wait(told, out=("Ben", "Cid"), turns=1, samples=400)
    worth = Fraction(0)
    worlds = list(told.worlds())
    for world in worlds:
        for suspect in ("White", "Green"):
            for room in ("Hall", "Attic"):
                event = answered(game, world, "Ann", (suspect, "Dagger", room))
                number = len(event.shows) and sum(
                    world[card] == event.shows[0].by for card in event.cards
                )
                assert number < 2  # nobody has two cards, so there is no choice of what to show
                after = told.tell(event).joint(*game.questions())
                worth += max(after.values()) / (len(worlds) * 4)
    [wait] = decision.waits
    assert wait.low <= worth <= wait.high
    assert wait.high - wait.low < 0.1


def test_the_simple_player_names_what_he_cannot_rule_out_and_is_answered_truly() -> None:
    told = knowledge("Ben has White")
    game = told.game
    assert isinstance(game, Cluedo)
    world = next(iter(told.worlds()))
    for seed in range(10):
        event = simple_suggestion(told, "Ann", world, Random(seed))
        assert event.cards[:2] == ("Green", "Dagger")
        for show in event.shows:
            assert show.card is not None
            assert world[show.card] == show.by
        for player in event.passes:
            assert not [card for card in event.cards if world[card] == player]


def answered(game: Cluedo, deal: Mapping[Any, Any], by: str, cards: tuple[str, ...]) -> Suggestion:
    """Return a suggestion with its true answers; of several cards the first is shown."""
    suggestion = Suggestion(by, cards)
    given = game.answer(suggestion, deal)
    return game.event_of(suggestion, next(iter(given)) if isinstance(given, dict) else given)


def test_answers_come_in_seat_order_and_end_with_the_first_card() -> None:
    game = Cluedo(("Ann", "Ben", "Cid"), {"who": ("Plum", "White", "Green", "Mustard")})
    world = {"Plum": "Ben", "White": "Cid", "Green": "Ann", "Mustard": ENVELOPE}
    ask: list[Event] = [
        answered(game, world, "Ann", ("Plum",)),
        answered(game, world, "Ann", ("White",)),
        answered(game, world, "Cid", ("Mustard",)),
        answered(game, world, "Ann", ("Green",)),
    ]
    assert ask == [
        Suggestion("Ann", ("Plum",), (), (Show("Ben", "Plum"),)),
        Suggestion("Ann", ("White",), ("Ben",), (Show("Cid", "White"),)),
        Suggestion("Cid", ("Mustard",), ("Ann", "Ben")),
        Suggestion("Ann", ("Green",), ("Ben", "Cid")),
    ]
    assert Knowledge(game, [Hand("Ann", ("Green",)), *ask]).is_consistent()
