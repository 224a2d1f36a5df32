"""Advice: what a suggestion is expected to tell, against the plain definition over all worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import log2
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.budget import Budget
from deduce.constraints import Weigh
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.policy import advise as advice_module
from deduce.policy.joint import interchangeable
from deduce.problem import World, is_true
from games.cluedo import Cluedo
from games.cluedo.advice import RatedSuggestion, advise, shown_in
from games.cluedo.events import Hand
from games.cluedo.simulation import deal, record
from tests.cluedo.brute import position, solution

DECK = {
    "who": ("Plum", "White", "Green"),
    "what": ("Rope", "Dagger", "Spanner"),
    "where": ("Hall", "Attic", "Cellar", "Study"),
}
SETUPS = [
    Cluedo(("Ann", "Ben", "Cid"), DECK, (3, 2, 2), me="Ann"),
    Cluedo(("Ann", "Ben", "Cid", "Dan"), DECK, me="Cid"),
    Cluedo(("Ann", "Ben"), DECK, (3, 3), face_up=("Hall",), me="Ben"),
    Cluedo(("Ann", "Ben", "Cid"), DECK, (2, 2, None), undealt=1, me="Ann"),
    Cluedo(("Ann", "Ben", "Cid"), DECK | {"why": ("Love", "Money")}, (3, 3, 2), me="Cid"),
]


@st.composite
def knowledges(draw: st.DrawFn) -> Knowledge:
    game = draw(st.sampled_from(SETUPS))
    random = Random(draw(st.integers(0, 10**6)))
    return Knowledge(game, record(game, deal(game, random), random))


def weight(knowledge: Knowledge, world: World) -> Fraction:
    result = Fraction(1)
    for constraint in knowledge.problem.constraints():
        if isinstance(constraint, Weigh):
            result *= constraint.weights[sum(is_true(fact, world) for fact in constraint.facts)]
    return result


def heard(game: Cluedo, by: str, cards: Sequence[str], world: World) -> str | None:
    """Return who shows one of the cards."""
    seat = game.players.index(by)
    order = game.players[seat + 1 :] + game.players[:seat]
    return next((p for p in order if any(world.get(card) == p for card in cards)), None)


def plain(
    knowledge: Knowledge, *, weighted: bool
) -> Mapping[tuple[str, ...], tuple[float, Mapping[Any, Fraction]]]:
    """Return for each suggestion its gain and the probabilities of its answers, by definition."""
    game = knowledge.game
    assert isinstance(game, Cluedo)
    assert game.me is not None
    worlds = [(w, weight(knowledge, w) if weighted else Fraction(1)) for w in knowledge.worlds()]
    total = sum(share for _, share in worlds)
    found = {}
    for cards in product(*game.deck.values()):
        together: dict[tuple[Any, Any], Fraction] = {}
        for world, share in worlds:
            guilty = solution(world)
            who = heard(game, game.me, cards, world)
            fitting = [card for card in cards if world.get(card) == who] if who else [""]
            for card in fitting:
                key = ((who, card or None), guilty)
                together[key] = together.get(key, Fraction(0)) + share / total / len(fitting)
        answers: dict[Any, Fraction] = {}
        solutions: dict[Any, Fraction] = {}
        for (answer, guilty), share in together.items():
            answers[answer] = answers.get(answer, Fraction(0)) + share
            solutions[guilty] = solutions.get(guilty, Fraction(0)) + share
        gain = sum(
            float(share) * log2(share / (answers[answer] * solutions[guilty]))
            for (answer, guilty), share in together.items()
        )
        found[cards] = gain, answers
    return found


def agrees(prospect: RatedSuggestion, gain: float, answers: Mapping[Any, Fraction]) -> bool:
    told = {}
    for outcome in prospect.outcomes:
        player, index = shown_in(outcome)
        told[player, None if player is None else prospect.cards[index]] = outcome.probability
    return told == answers and abs(prospect.gain_bits - gain) < 1e-9 and not prospect.error


@given(knowledge=knowledges(), weighted=st.booleans(), listed=st.booleans())
def test_every_suggestion_tells_what_the_definition_says(
    knowledge: Knowledge, weighted: bool, listed: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice_module, "MAX_WORLDS", 10**9 if listed else 0)
        patch.setattr(advice_module, "WORLDS_PER_JOINT", 10**9)
        advice = advise(knowledge, weighted=weighted, samples=0)
    assert advice.method == ("worlds" if listed else "joint")
    expected = plain(knowledge, weighted=weighted)
    assert {prospect.cards for prospect in advice.ranking} == expected.keys()
    assert [p.cards for p in advice.ranking if not agrees(p, *expected[p.cards])] == []
    gains = [prospect.gain_bits for prospect in advice.ranking]
    assert all(first >= second - 1e-8 for first, second in pairwise(gains))


def entropies(
    knowledge: Knowledge, cards: Sequence[str], *, weighted: bool
) -> Mapping[Any, tuple[Fraction, float]]:
    """Return the probability of each public answer, and the bits it leaves; ``"now"``: none."""
    game = knowledge.game
    assert isinstance(game, Cluedo)
    assert game.me is not None
    tables: dict[Any, dict[tuple[str, ...], Fraction]] = {}
    for world in knowledge.worlds():
        guilty = solution(world)
        share = weight(knowledge, world) if weighted else Fraction(1)
        for answer in ("now", heard(game, game.me, cards, world)):
            row = tables.setdefault(answer, {})
            row[guilty] = row.get(guilty, Fraction(0)) + share
    total = sum(tables["now"].values())
    found = {}
    for answer, row in tables.items():
        size = sum(row.values())
        bits = -sum(float(w / size) * log2(w / size) for w in row.values() if w)
        found[answer] = Fraction(size / total), bits
    return found


TINY = {"who": ("Plum", "White"), "what": ("Rope", "Dagger"), "where": ("Hall", "Attic", "Study")}


def small(seed: int) -> Knowledge:
    """Return a position of which even a bystander has few deals."""
    game = Cluedo(("Ann", "Ben", "Cid"), TINY, (2, 1, 1), me="Ann")
    random = Random(seed)
    log = list(record(game, deal(game, random), random))
    return Knowledge(game, log[: 1 + seed % 3])


@settings(max_examples=10)
@given(knowledge=st.builds(small, st.integers(0, 10**6)), weighted=st.booleans())
def test_what_others_are_told_is_what_the_definition_says(
    knowledge: Knowledge, weighted: bool
) -> None:
    advice = advise(knowledge, weighted=weighted, samples=0, penalty=2)
    for rated in advice.ranking:
        mine = entropies(knowledge, rated.cards, weighted=weighted)
        public = entropies(knowledge.seen_by(None), rated.cards, weighted=weighted)
        fall = public["now"][1] - sum(
            float(share) * public[answer][1]
            for answer, (share, _) in mine.items()
            if answer != "now"
        )
        assert rated.told is not None
        assert rated.told.bits == pytest.approx(fall, abs=1e-8)
        assert rated.told.error == 0
    scores = [r.gain_bits - 2 * r.told.bits for r in advice.ranking if r.told]
    assert len(scores) == len(advice.ranking)
    assert all(first >= second - 1e-8 for first, second in pairwise(scores))


@given(knowledge=knowledges())
def test_cards_that_are_alike_may_change_places_in_every_world(knowledge: Knowledge) -> None:
    marks = interchangeable(knowledge)
    worlds = {
        tuple(sorted(world.items())): weight(knowledge, world) for world in knowledge.worlds()
    }
    for one, other in product(marks, marks):
        if str(one) < str(other) and marks[one] == marks[other]:
            swap = {one: other, other: one}
            swapped = {
                tuple(sorted((swap.get(card, card), holder) for card, holder in world)): share
                for world, share in worlds.items()
            }
            assert swapped == worlds


def middle() -> Knowledge:
    """Return a position with some thousand deals, in which shows were seen."""
    return position(35, (5, 5, 4, 4), turns=8)


def test_the_stated_error_of_an_estimate_is_what_it_errs_by() -> None:
    knowledge = middle()
    exact = {p.cards: p.gain_bits for p in advise(knowledge, samples=0).ranking}
    estimate = advise(knowledge, samples=3000, seed=5)
    assert estimate.method == "samples"
    assert not estimate.is_exact
    assert estimate.worlds == 3000
    off = [(p.gain_bits - exact[p.cards]) / p.error for p in estimate.ranking if p.error > 1e-6]
    assert len(off) > 200
    assert 0.6 < (sum(z * z for z in off) / len(off)) ** 0.5 < 1.5


def test_what_takes_too_long_is_estimated_unless_that_is_forbidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advice_module, "MAX_WORLDS", 0)
    monkeypatch.setattr(advice_module, "MAX_STEPS", 20_000)
    assert advise(middle(), rooms=("Hall",)).method == "samples"
    monkeypatch.undo()
    monkeypatch.setattr(advice_module, "MAX_WORLDS", 0)
    assert advise(middle(), rooms=("Hall",), samples=0).method == "joint"
    small = middle().using(budget=Budget(steps=200))
    with pytest.raises(Undecided):
        advise(small, rooms=("Hall",), samples=0)


def test_the_opening_of_six_players_is_exact() -> None:
    game = Cluedo(tuple("ABCDEF"), hands=(3,) * 6, me="A")
    knowledge = Knowledge(game, [Hand("A", ("Rope", "Hall", "Miss Scarlett"))])
    advice = advise(knowledge)
    assert advice.method == "joint"
    assert advice.entropy_bits == pytest.approx(log2(5 * 5 * 8))
    best = advice.best()
    assert len(best) == 10  # two own cards, and one suspect or weapon that is open
    assert all(len({"Rope", "Hall", "Miss Scarlett"} & set(p.cards)) == 2 for p in best)
    assert advice.ranking[0].gain_bits == pytest.approx(-(0.2 * log2(0.2) + 0.8 * log2(0.8)))
    own = next(p for p in advice.ranking if set(p.cards) == {"Rope", "Hall", "Miss Scarlett"})
    assert own.gain_bits == 0
    assert own.none_shows == 1


def test_rooms_limit_what_may_be_named() -> None:
    knowledge = middle()
    whole = [p for p in advise(knowledge).ranking if p.cards[2] in {"Study", "Hall"}]
    limited = advise(knowledge, rooms=("Study", "Hall")).ranking
    assert [p.cards for p in limited] == [p.cards for p in whole]
    assert [p.gain_bits for p in limited] == pytest.approx([p.gain_bits for p in whole])
    with pytest.raises(BadInput, match="no room is called 'Rope'"):
        advise(knowledge, rooms=("Rope",))


# On the command line
