"""What follows from silence in Cluedo, compared with all deals and all cards that may be shown."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from deduce.errors import BadProblem, Contradiction, Undecided
from deduce.knowledge import Knowledge
from games.cluedo.events import Accusation, Hand, Show, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.opponents import silence as module
from games.cluedo.opponents.silence import silence, silent_after
from games.cluedo.setup import ENVELOPE
from tests.cluedo.conftest import Run

DECK = {"who": ("w1", "w2", "w3"), "what": ("x1", "x2"), "where": ("y1", "y2", "y3")}
LOG = """
suspect: Plum, White, Green
weapon: Rope, Dagger, Spanner
room: Hall, Attic, Study
players: Ann 2, Ben 2, Cid 2
me: Ann
hand: Plum, Hall
Ben: green rope attic; Cid -; Ann -
Cid: plum rope hall; Ann shows plum
"""
PLAYERS = ("Ann", "Ben", "Cid")
Deal = dict[str, str]


def deals() -> list[Deal]:
    """Return all deals: one card of each kind in the envelope, and 2, 2 and 1 in the hands."""
    cards = [card for kind in DECK.values() for card in kind]
    found = []
    for row in product((*PLAYERS, ENVELOPE), repeat=len(cards)):
        deal = dict(zip(cards, row, strict=True))
        sizes = [row.count(player) for player in PLAYERS]
        if sizes == [2, 2, 1] and all(
            sum(deal[card] == ENVELOPE for card in kind) == 1 for kind in DECK.values()
        ):
            found.append(deal)
    return found


ALL = deals()


def fits(deal: Deal, event: Suggestion, shown: str | None, viewer: str) -> bool:
    """Return whether an event can happen in a deal; ``shown`` is the card that was shown."""
    if any(deal[card] == player for player in event.passes for card in event.cards):
        return False
    for show in event.shows:
        if viewer in (event.by, show.by):
            return shown is not None and deal[shown] == show.by
        return any(deal[card] == show.by for card in event.cards)
    return True


def record(random: Random) -> tuple[Deal, list[tuple[Suggestion, str | None]]]:
    """Return a deal and some suggestions with the cards that are shown."""
    deal = random.choice(ALL)
    log = []
    for turn in range(random.randint(2, 7)):
        by = PLAYERS[turn % 3]
        cards = tuple(random.choice(kind) for kind in DECK.values())
        passes, shows, shown = [], [], None
        for player in (PLAYERS * 2)[turn % 3 + 1 : turn % 3 + 3]:
            held = [card for card in cards if deal[card] == player]
            if held:
                shown = random.choice(held)
                shows.append(Show(player, shown if "Ann" in (by, player) else None))
                break
            passes.append(player)
        log.append((Suggestion(by, cards, passes, shows), shown))
    return deal, log


def choices(deal: Deal, event: Suggestion) -> list[str | None]:
    """Return the cards that may have been shown in a deal."""
    for show in event.shows:
        return [card for card in event.cards if deal[card] == show.by]
    return [None]


def certain(player: str, mine: Deal, log: list[Suggestion], shown: tuple[str | None, ...]) -> bool:
    """Return whether a player who has seen these cards knows the solution."""
    hand = {card for card, holder in mine.items() if holder == player}
    solutions = {
        tuple(card for card in deal if deal[card] == ENVELOPE)
        for deal in ALL
        if {card for card in deal if deal[card] == player} == hand
        and all(fits(deal, e, s, player) for e, s in zip(log, shown, strict=True))
    }
    return len(solutions) == 1


def expected(
    own: Deal, log: list[tuple[Suggestion, str | None]], asleep: Fraction
) -> dict[tuple[str, ...], Fraction]:
    """Return the probabilities of the solutions for Ann, over all deals and shown cards."""
    events = [event for event, _ in log]
    hand = {card for card, holder in own.items() if holder == "Ann"}
    turns = {event.by: number for number, event in enumerate(events[:-1])}
    table: dict[tuple[str, ...], Fraction] = {}
    for deal in ALL:
        passes = [deal[card] != p for event in events for p in event.passes for card in event.cards]
        if not all(passes) or {card for card in deal if deal[card] == "Ann"} != hand:
            continue
        for shown in product(*(choices(deal, event) for event in events)):
            weight = Fraction(1)
            for (event, true), card in zip(log, shown, strict=True):
                by = {event.by, *(show.by for show in event.shows)} if event.shows else set()
                if "Ann" in by and card != true:
                    weight = Fraction(0)
                elif event.shows and event.shows[0].by != "Ann":
                    weight /= len(choices(deal, event))
            for player in ("Ben", "Cid") if weight else ():
                moment = turns.get(player)
                if moment is not None and certain(
                    player, deal, events[: moment + 1], shown[: moment + 1]
                ):
                    weight *= asleep
            if weight:
                solution = tuple(card for card in deal if deal[card] == ENVELOPE)
                table[solution] = table.get(solution, Fraction(0)) + weight
    total = sum(table.values())
    return {solution: weight / total for solution, weight in table.items()}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("asleep", [Fraction(0), Fraction(1, 10)])
def test_silence_is_exact(seed: int, asleep: Fraction) -> None:
    deal, log = record(Random(f"silence {seed}"))
    game = Cluedo(PLAYERS, DECK, hands=(2, 2, 1), me="Ann")
    hand = Hand("Ann", [card for card in deal if deal[card] == "Ann"])
    k = Knowledge(game, [hand, *(event for event, _ in log)])
    table = expected(deal, log, asleep)
    if not table:
        with pytest.raises(Contradiction):
            silence(k, asleep=asleep)
    else:
        assert silence(k, asleep=asleep).solutions == table


def test_only_players_who_end_a_turn_are_silent() -> None:
    cards = ("w1", "x1", "y1")
    ann, ben = Suggestion("Ann", cards), Suggestion("Ben", cards)
    assert silent_after([ann]) == {}
    assert silent_after([ann, ben]) == {"Ann": 1}
    assert silent_after([ann, Accusation("Ann", cards, False), ben]) == {}
    assert silent_after([ann, ben, Accusation("Ben", cards, False), ann]) == {"Ann": 1}


def test_what_cannot_be_examined_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    k = Knowledge(Cluedo(PLAYERS, DECK, hands=(2, 2, 1), me="Ann"))
    monkeypatch.setattr(module, "MAX_DEALS", 3)
    with pytest.raises(Undecided, match="more than 3 deals"):
        silence(k)
    with pytest.raises(BadProblem, match="a probability"):
        silence(k, asleep=2)


def test_the_command(deduce: Run, tmp_path: Path) -> None:
    log = tmp_path / "game.cluedo"
    log.write_text(LOG, encoding="utf-8")
    code, out, _ = deduce("minds", "--rational", "--json", str(log))
    told = json.loads(out)["rational"]
    assert (code, told["deals"], told["of"]) == (0, 15, 23)
    assert told["silent"] == [{"player": "Ben", "event": 2, "names": "8/23"}]
    assert sum(Fraction(row["probability"]) for row in told["solutions"]) == 1
    code, out, _ = deduce("minds", "--rational", "--asleep", "0.1", str(log))
    assert "If players accuse when they are certain, 23 of 23 deals remain possible" in out
    code, _, err = deduce("minds", "--asleep", "0.1", str(log))
    assert code == 2
    assert "needs --rational" in err
