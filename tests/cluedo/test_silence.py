"""What follows from silence in Cluedo, compared with all deals and all cards that may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from attrs import evolve

from deduce.errors import BadProblem, Contradiction, Undecided
from deduce.knowledge import Knowledge
from games.cluedo.events import Accusation, Event, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.opponents import minds as module
from games.cluedo.opponents.minds import silence, silent_after
from tests.cluedo.brute import courses, deals, left, solution, visible

DECK = {"who": ("w1", "w2", "w3"), "what": ("x1", "x2"), "where": ("y1", "y2", "y3")}
PLAYERS = ("Ann", "Ben", "Cid")
GAME = Cluedo(PLAYERS, DECK, hands=(2, 2, 1), me="Ann")


def expected(log: Sequence[Event], asleep: Fraction) -> dict[tuple[str, ...], Fraction]:
    """Return the probabilities of the solutions for Ann, over all deals and shown cards."""
    turns = {e.by: n for n, e in enumerate(log[:-1], start=1) if isinstance(e, Suggestion)}
    table: dict[tuple[str, ...], Fraction] = {}
    for number, weight in left(GAME, log, "Ann").items():
        deal = deals(GAME)[number]
        for player, turn in turns.items():
            if player != "Ann":
                weight *= sum(
                    share * (asleep if certain(whole, player) else 1)
                    for share, whole in courses(log[:turn], player, deal)
                )
        if weight:
            table[solution(deal)] = table.get(solution(deal), Fraction(0)) + weight
    return {guilty: weight / sum(table.values()) for guilty, weight in table.items()}


def certain(log: Sequence[Event], player: str) -> bool:
    """Return whether a player who has seen this knows the solution."""
    return len({solution(deals(GAME)[n]) for n in left(GAME, log, player)}) == 1


@pytest.mark.parametrize("seed", [0, 1, 5, 6, 8, 15, 28])
@pytest.mark.parametrize("asleep", [Fraction(0), Fraction(1, 10)])
def test_silence_is_exact(seed: int, asleep: Fraction) -> None:
    random = Random(f"silence {seed}")
    deal = GAME.deal(random)
    log = GAME.opening(deal, random)
    for _ in range(4):
        event = GAME.meanwhile(log, deal, (), random)
        assert event is not None
        log.append(event)
    log = visible(evolve(GAME, me=None), log, "Ann")
    table = expected(log, asleep)
    if not table:
        with pytest.raises(Contradiction):
            silence(Knowledge(GAME, log), asleep=asleep)
    else:
        assert silence(Knowledge(GAME, log), asleep=asleep).solutions == table


def test_only_players_who_end_a_turn_are_silent() -> None:
    cards = ("w1", "x1", "y1")
    ann, ben = Suggestion("Ann", cards), Suggestion("Ben", cards)
    assert silent_after([ann]) == {}
    assert silent_after([ann, ben]) == {"Ann": 1}
    assert silent_after([ann, Accusation("Ann", cards, False), ben]) == {}
    assert silent_after([ann, ben, Accusation("Ben", cards, False), ann]) == {"Ann": 1}


def test_what_cannot_be_examined_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    k = Knowledge(GAME)
    monkeypatch.setattr(module, "MAX_DEALS", 3)
    with pytest.raises(Undecided, match="more than 3 deals"):
        silence(k)
    with pytest.raises(BadProblem, match="a probability"):
        silence(k, asleep=2)
