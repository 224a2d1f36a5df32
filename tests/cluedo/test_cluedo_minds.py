"""What others know, against the plain definition: all deals, all cards that were shown unseen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import log2
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from deduce.budget import Budget
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from games.cluedo import Cluedo
from games.cluedo.events import Event, Has, Show, Suggestion
from games.cluedo.opponents.minds import minds
from games.cluedo.opponents.opponent import (
    Average,
    Estimate,
    knowledge_of,
)
from games.cluedo.opponents.showing import show_card
from games.cluedo.simulation import deal, record
from tests.cluedo.brute import Deal, cases, deals, left, position, solution

DECK = {"who": ("Plum", "White"), "what": ("Rope", "Dagger"), "where": ("Hall", "Attic", "Study")}
LARGER = {"who": ("Plum", "White", "Green"), "what": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
SETUPS = [
    Cluedo(("Ann", "Ben", "Cid"), DECK, (2, 1, 1), me="Ann"),
    Cluedo(("Ann", "Ben", "Cid"), LARGER, (1, 1, 2), me="Cid"),
    Cluedo(("Ann", "Ben"), DECK, (2, 1), face_up=("Hall",), me="Ben"),
    Cluedo(("Ann", "Ben", "Cid"), DECK, (1, None, None), undealt=1, me="Ann"),
    Cluedo(("Ann", "Ben", "Cid"), DECK, (1, 2, 1)),
]


def deals_of(game: Cluedo, whole: Sequence[Event], player: str) -> list[Deal]:
    return [deals(game)[number] for number in left(game, whole, player)]


def placed(theirs: Sequence[Deal], player: str) -> set[tuple[str, str]]:
    first = theirs[0]
    return {
        (card, holder)
        for card, holder in first.items()
        if holder != player and all(world[card] == holder for world in theirs)
    }


@st.composite
def logs(draw: st.DrawFn) -> tuple[Cluedo, list[Event]]:
    game = draw(st.sampled_from(SETUPS))
    random = Random(draw(st.integers(0, 10**6)))
    return game, record(game, deal(game, random), random)[:7]


VIEWERS = st.sampled_from([RECORD, "Ann", "Ben", "Cid"])


# Minds


@given(logs(), VIEWERS)
def test_minds_are_those_of_all_deals_and_all_cards_shown_unseen(
    drawn: tuple[Cluedo, list[Event]], viewer: Viewer
) -> None:
    game, log = drawn
    assume(viewer is RECORD or viewer in game.players)
    found = minds(Knowledge(game, log, viewer=viewer), samples=0)
    assert found.complete
    assert [m.player for m in found.of] != []
    for his_mind in found.of:
        player = his_mind.player
        solutions = names = Fraction(0)
        known: dict[tuple[str, str], Fraction] = {}
        for share, whole in cases(game, log, viewer, player):
            theirs = deals_of(game, whole, player)
            number = len({*map(solution, theirs)})
            solutions += share * number
            names += share * (number == 1)
            for place in placed(theirs, player):
                known[place] = known.get(place, Fraction(0)) + share
        assert (his_mind.solutions.value, his_mind.names.value) == (solutions, names)
        assert his_mind.solutions.exact
        assert his_mind.names.exact
        assert dict(his_mind.sure) == {card: h for (card, h), share in known.items() if share == 1}
        may = {place: chance.value for place, chance in his_mind.may.items()}
        assert may == {place: share for place, share in known.items() if share < 1}


def test_the_intervals_of_drawn_minds_cover_the_exact_numbers() -> None:
    covered = []
    for seed in range(2):
        knowledge = position(seed, turns=15)
        exact = minds(knowledge, samples=0)
        for again in range(3):
            drawn = minds(knowledge, samples=60, seed=again)
            for one, other in zip(exact.of, drawn.of, strict=True):
                assert other.drawn
                assert other.cases == 60
                pairs = [(one.solutions, other.solutions), (one.names, other.names)]
                pairs += [
                    (p, other.may[place]) for place, p in one.may.items() if place in other.may
                ]
                covered += [e.low - 1e-9 <= float(x.value) <= e.high + 1e-9 for x, e in pairs]
    assert len(covered) > 30
    assert 0.88 < sum(covered) / len(covered) <= 1


def test_draws_repeat_with_their_seed_and_change_with_another() -> None:
    knowledge = position(1)
    first, again, other = (minds(knowledge, samples=20, seed=seed) for seed in (1, 1, 2))
    assert first.of == again.of
    assert first.of != other.of
    alone = minds(knowledge, ["Cid"], samples=20, seed=1)
    assert alone["Cid"] == first["Cid"]


def test_a_world_says_which_cards_can_have_been_shown() -> None:
    game, log = Cluedo.parse_log("""
    suspect: Plum, White
    weapon: Rope, Dagger
    room: Hall, Attic
    players: Ann 1, Ben 1, Cid 1
    me: Ann
    hand: Plum
    Ben: plum rope hall; Cid shows
    """)
    knowledge = Knowledge(game, log)
    world = next(world for world in knowledge.worlds() if world["Rope"] == "Cid")
    assert knowledge_of(knowledge, "Ben", world, ["Rope"]).certain()["Rope"] == "Cid"
    with pytest.raises(BadInput, match="Cid cannot have shown Hall to Ben"):
        knowledge_of(knowledge, "Ben", world, ["Hall"])
    with pytest.raises(BadInput, match="Ben was shown 1 card that the viewer did not see"):
        knowledge_of(knowledge, "Ben", world)


def test_minds_of_a_contradictory_log_are_none_and_limits_hold() -> None:
    knowledge = position(0, turns=15)
    with pytest.raises(Contradiction):
        minds(knowledge.tell(Has("Ben", "Rope"), Has("Cid", "Rope")))
    with pytest.raises(Undecided):
        minds(position(0).using(budget=Budget(steps=3)), samples=0)


# Which card to show


def shows_of(game: Cluedo, seed: int) -> tuple[list[Event], Suggestion] | None:
    """Return a log of Ann's and a suggestion to which Ann can show several cards."""
    random = Random(seed)
    places = deal(game, random)
    log = record(game, places, random)[:6]
    mine = [card for card in places if places[card] == "Ann"]
    asker = random.choice(("Ben", "Cid"))
    cards = tuple(
        next((c for c in mine if c in kind), random.choice(kind)) for kind in game.deck.values()
    )
    if sum(card in mine for card in cards) < 2:
        return None
    between = {"Ben": "Cid", "Cid": None}[asker]
    passes = (between,) if between and not any(places.get(c) == between for c in cards) else ()
    return log, Suggestion(asker, cards, passes)


def entropy(weights: dict[Any, Fraction]) -> float:
    total = sum(weights.values())
    return -sum(float(w / total) * log2(w / total) for w in weights.values() if w)


@given(st.integers(0, 10**6))
def test_each_card_leaves_the_asker_what_the_definition_says(seed: int) -> None:
    game = Cluedo(("Ann", "Ben", "Cid"), DECK, (2, 1, 1), me="Ann")
    made = shows_of(game, seed)
    assume(made is not None)
    assert made is not None
    log, asked = made
    showing = show_card(Knowledge(game, log), asked, samples=0)
    assert showing.complete
    assert not showing.drawn
    for choice in showing.ranking:
        bits = tells = 0.0
        solutions = names = known = Fraction(0)
        for share, whole in cases(game, [*log, asked], "Ann", asked.by):
            before = deals_of(game, whole, asked.by)
            known += share * ((choice.card, "Ann") in placed(before, asked.by))
            place = len(log)
            told = [*whole[:place], evolve(asked, shows=(Show("Ann", choice.card),))]
            told += whole[place + 1 :]
            then: list[dict[Any, Fraction]] = [{}, {}]
            for weights, their_log in zip(then, (whole, told), strict=True):
                for world, weight in left(game, their_log, asked.by).items():
                    guilty = solution(deals(game)[world])
                    weights[guilty] = weights.get(guilty, Fraction(0)) + weight
            bits += float(share) * entropy(then[1])
            tells += float(share) * (entropy(then[0]) - entropy(then[1]))
            solutions += share * len(then[1])
            names += share * (len(then[1]) == 1)
        assert float(choice.bits_left.value) == pytest.approx(bits, abs=1e-9)
        assert float(choice.tells_bits.value) == pytest.approx(tells, abs=1e-9)
        assert (choice.solutions.value, choice.names.value) == (solutions, names)
        assert choice.known.value == known
    left_bits = [float(choice.bits_left.value) for choice in showing.ranking]
    assert all(a >= b - 1e-8 for a, b in pairwise(left_bits))


def test_the_card_that_was_shown_before_tells_least() -> None:
    game, log = Cluedo.parse_log("""
    players: Ann 6, Ben 6, Cid 6
    me: Ann
    hand: plum rope hall study mustard dagger
    Ben: plum dagger study; Cid -; Ann shows plum
    """)
    asked = game.parse_event("Ben: plum rope hall; Cid -; Ann shows rope")
    assert isinstance(asked, Suggestion)
    showing = show_card(Knowledge(game, log), asked, samples=15)
    first = showing.ranking[0]
    assert (first.card, first.shown_before, first.known) == ("Professor Plum", 2, Estimate.of(1))
    assert {choice.card for choice in showing.ranking} == {"Professor Plum", "Rope", "Hall"}
    assert showing.best() == [first]
    assert (showing.drawn, showing.cases) == (True, 15)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Suggestion("Ann", ("Plum", "Rope")), "Ann suggests and cannot answer"),
        (Suggestion("Ben", ("Plum", "Rope"), ("Ann",)), "Ann passes, and shows no card"),
        (Suggestion("Ben", ("White", "Dagger")), "Ann has none of these cards"),
        (Suggestion("Ben", ("Plum", "Hope")), "no card is called 'Hope'"),
        (Suggestion("Ben", ("White", "Plum"), ("Cid",)), "contradict the log"),
    ],
)
def test_what_cannot_be_asked_to_show_is_told(asked: Suggestion, said: str) -> None:
    game, log = Cluedo.parse_log("""
    suspect: Plum, White, Green
    weapon: Rope, Dagger
    players: Ann 1, Ben 1, Cid 1
    me: Ann
    suggestions: free
    hand: plum
    Cid has white
    """)
    with pytest.raises(BadInput, match=said):
        show_card(Knowledge(game, log), asked)


def test_who_shows_must_be_known() -> None:
    game, log = Cluedo.parse_log("players: Ann 6, Ben 6, Cid 6\nCid has rope\n")
    asked = Suggestion("Ben", ("Professor Plum", "Rope", "Hall"))
    with pytest.raises(BadInput, match="a bystander cannot show a card"):
        show_card(Knowledge(game, log, viewer=None), asked)
    with pytest.raises(BadInput, match="does not show whether Ann has Professor Plum or Hall"):
        show_card(Knowledge(game, log, viewer="Ann"), asked)


# Averages


def test_an_average_of_all_cases_is_exact_and_of_some_is_bounded() -> None:
    average = Average(drawn=False)
    average.add(Fraction(1), Fraction(1, 4))
    half = average.estimate()
    assert (half.low, half.high, half.exact) == (0.25, 1.0, False)
    average.add(Fraction(0), Fraction(3, 4))
    assert average.estimate() == Estimate.of(Fraction(1, 4))
