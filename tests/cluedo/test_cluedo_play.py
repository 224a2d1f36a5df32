"""Whole games: what the table tells whom, what the players do, and what they may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from games.cluedo import Cluedo
from games.cluedo.events import Accusation, Event, Hand, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.players.information import Belief
from games.cluedo.players.referee import Player, PlayerError, Seat, play
from games.cluedo.players.simple import Sheet
from games.cluedo.players.table import Table
from games.cluedo.players.tournament import PLAYERS, contradictions, find_player

SEED_PLAYERS = ("random", "not-placed", "most-no", "most-no+least-shown", "random+most-shown")


def played(*names: str, seed: Any = 0, **options: Any) -> Table:
    makers = {f"{name}-{seat}": find_player(name) for seat, name in enumerate(names)}
    return play(makers, Random(seed), **options)


def view(game: Table, name: str, upto: int | None = None) -> list[Event]:
    return list(seen_log(game.game, game.events[:upto], name))


class NotComparable:
    """What a broken player may answer."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("not to be compared")


class Spy:
    """Asks and accuses as told, and remembers all that it sees."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.seen: list[Event] = []

    def see(self, event: Event) -> None:
        self.seen.append(event)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        suspects, weapons, _ = self.seat.game.deck.values()
        return [suspects[0], weapons[0], rooms[0]]

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        return cards[0]

    def accuse(self) -> Sequence[str] | None:
        return None

    def certain(self) -> Mapping[str, str]:
        return {}


# The table


@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=15)
def test_a_player_sees_his_hand_and_of_the_others_cards_only_what_concerns_him(
    seed: int, number: int
) -> None:
    spies: list[Spy] = []

    def spy(seat: Seat) -> Spy:
        spies.append(Spy(seat))
        return spies[-1]

    names = ["spy", *(f"p{seat}" for seat in range(1, number))]
    makers = {name: find_player("most-no") for name in names} | {"spy": spy}
    game = play(makers, Random(seed), turns=30)
    [watcher] = spies
    hands = [event for event in watcher.seen if isinstance(event, Hand)]
    assert hands == [Hand("spy", watcher.seat.hand)]
    for event in watcher.seen:
        if isinstance(event, Suggestion):
            for show in event.shows:
                assert (show.card is not None) == ("spy" in (event.by, show.by))
    everything = [event for event in game.events if not isinstance(event, Hand)]
    assert len(watcher.seen) == 1 + len(everything)
    assert watcher.seat.game.me == "spy"
    assert sum(size or 0 for size in watcher.seat.game.hands or ()) == 18


def test_answers_go_round_from_the_left_and_end_with_the_first_show() -> None:
    game = played(*SEED_PLAYERS[:4], seed=3)
    names = game.game.players
    for event in game.events:
        if isinstance(event, Suggestion):
            seat = names.index(event.by)
            order = names[seat + 1 :] + names[:seat]
            answered = (*event.passes, *(show.by for show in event.shows))
            assert answered == order[: len(answered)]
            assert event.shows or len(answered) == len(order)
            for name in event.passes:
                assert not any(game.deal[card] == name for card in event.cards)
            for show in event.shows:
                assert show.card in event.cards
                assert game.deal[str(show.card)] == show.by


def test_a_wrong_accuser_is_out_but_answers_and_the_game_ends_when_all_are() -> None:
    class Rash(Spy):
        def accuse(self) -> Sequence[str] | None:
            suspects, weapons, rooms = self.seat.game.deck.values()
            return [rooms[-1], weapons[-1], suspects[-1]]  # in any order

    makers = dict.fromkeys(("A", "B", "C"), Rash)
    game = play(makers, Random(2))
    assert (game.end, game.winner, game.turns) == ("all out", None, 3)
    assert game.wrong == ["A", "B", "C"]
    later = game.events[-2]
    assert isinstance(later, Suggestion)
    assert {"A", "B"} >= {*later.passes, *(show.by for show in later.shows)}
    accused = [event for event in game.events if isinstance(event, Accusation)]
    assert accused[0].cards == ("Professor Plum", "Spanner", "Study")


@pytest.mark.parametrize(
    ("method", "answer", "said"),
    [
        ("suggest", ["Rope", "Dagger", "Hall"], "suggests .* not one card of each category"),
        (
            "suggest",
            ["Professor Plum", "Ropp", "Hall"],
            "suggests .*'Ropp'.* not one card of each category",
        ),
        ("show", "Study", "shows 'Study', which is not one of"),
        ("accuse", ["Rope"], "accuses .* not one card of each category"),
        ("accuse", 7, "failed: TypeError: 'int' object is not iterable"),
        ("suggest", [[], NotComparable(), {}], "suggests .* not one card of each category"),
        ("show", NotComparable(), "shows .*, which is not one of"),
        ("certain", None, "failed: TypeError: 'NoneType' object is not iterable"),
        ("certain", {"Rope": "nobody"}, "is certain that 'nobody' has 'Rope', which is false"),
    ],
)
def test_what_is_no_move_ends_the_game_and_names_the_player(
    method: str, answer: Any, said: str
) -> None:
    def make(seat: Seat) -> Player:
        player = Spy(seat)
        setattr(player, method, lambda *_: answer)
        return player

    makers = {"bad": make, "B": find_player("random"), "C": find_player("random")}
    with pytest.raises(PlayerError, match=f"the player 'bad' {said}"):
        play(makers, Random(4))


def test_an_error_of_a_player_is_told_with_his_name() -> None:
    def make(seat: Seat) -> Player:
        raise ZeroDivisionError("by zero")

    with pytest.raises(PlayerError, match="the player 'A' failed: ZeroDivisionError: by zero"):
        play({"A": make, "B": Spy}, Random(0))


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit("gone")])
def test_no_player_ends_the_program(error: BaseException) -> None:
    class Ends(Spy):
        def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
            raise error

    with pytest.raises(PlayerError, match=f"the player 'A' failed: {type(error).__name__}: "):
        play({"A": Ends, "B": Spy}, Random(0))


@pytest.mark.parametrize("made", [None, 7])
def test_what_is_no_player_is_told(made: Any) -> None:
    with pytest.raises(PlayerError, match=r"the player 'A' failed: AttributeError: .*'see'"):
        play({"A": lambda _: made, "B": Spy}, Random(0))


def test_only_rooms_that_can_be_reached_are_named() -> None:
    class Far(Spy):
        def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
            suspects, weapons, all_rooms = self.seat.game.deck.values()
            away = [room for room in all_rooms if room not in rooms]
            return [suspects[0], weapons[0], away[0] if away else rooms[0]]

    with pytest.raises(PlayerError, match="which cannot be reached now"):
        play({"A": Far, "B": Spy}, Random(0), rooms="circle")
    assert played(*SEED_PLAYERS[:3], seed=1, rooms="circle").winner is not None


# The players


@pytest.mark.parametrize("name", [*PLAYERS, *SEED_PLAYERS[3:]])
def test_every_player_plays_whole_games_the_same_each_time(name: str) -> None:
    rivals = ("most-no", "not-placed")
    once, again = (played(name, *rivals, seed=f"same {name}") for _ in range(2))
    assert (once.deal, once.events) == (again.deal, again.events)
    assert once.end == "solved"


@given(st.integers(0, 10**6))
@settings(max_examples=4)
def test_nothing_anybody_knows_contradicts_the_deal(seed: int) -> None:
    game = played(*SEED_PLAYERS[:4], seed=seed)
    assert list(contradictions(game)) == []


def test_a_log_reads_back_and_convicts_the_envelope() -> None:
    game = played(*SEED_PLAYERS[:4], seed=8)
    log = read_log(game.log(), Cluedo)
    read, events = log.game, log.events
    assert (read, list(events)) == (game.game, game.events)
    certain = Knowledge(read, events).certain()
    assert certain == game.deal


@given(st.integers(0, 10**6), st.integers(3, 5))
@settings(max_examples=10)
def test_the_sheet_says_nothing_that_does_not_follow(seed: int, number: int) -> None:
    game = played(*SEED_PLAYERS[:number], seed=seed)
    name = game.game.players[0]
    sheet = Sheet(game.game)
    own = evolve(game.game, me=name)
    for upto, event in enumerate(view(game, name), start=1):
        sheet.tell(event)
        if upto % 6 == 0:
            certain = Knowledge(own, view(game, name)[:upto]).certain()
            assert sheet.placed.items() <= certain.items()


# The quick belief


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 30))
@settings(max_examples=6)
def test_the_belief_is_the_posterior_of_the_knowledge(seed: int, number: int, upto: int) -> None:
    game = played(*(["random"] * number), seed=seed)
    name = game.game.players[seed % number]
    seen = view(game, name, number + upto)
    belief = Belief(game.game, name, next(e.cards for e in seen if isinstance(e, Hand)))
    for event in seen:
        belief.tell(event)
    knowledge = Knowledge(evolve(game.game, me=name), seen)
    joint = knowledge.joint(*game.game.questions())
    found = dict(zip(belief.rests, belief.posterior().tolist(), strict=True))
    assert {cards: chance for cards, chance in found.items() if chance} == pytest.approx(
        {tuple(map(str, cards)): float(share) for cards, share in joint.items()}
    )
    mine = {card: name for card, holder in game.deal.items() if holder == name}
    assert belief.placed() | mine == knowledge.certain()
    worlds = belief.deals(20_000, 500, 1)
    assert worlds.exact == (knowledge.count() <= 20_000)
    assert len(worlds.weights) == (knowledge.count() if worlds.exact else 500)
    for solution, *hands in zip(worlds.rests, *worlds.hands, strict=True):
        envelope = belief.bits(belief.rests[solution])
        assert sum(map(int, hands), envelope) == belief.all  # each card is in one place


# Finding players


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("most-yes", "did you mean 'most-no'"),
        ("x", r"no player is called 'x' \(random, "),
        ("most-no+most-show", "did you mean 'most-shown'"),
        ("best+random", "has its own way to show"),
        ("nowhere:Player", "cannot be loaded: No module named 'nowhere'"),
        ("games.cluedo.players.referee:Nobody", "cannot be loaded: .* no attribute 'Nobody'"),
        ("games.cluedo.players.simple:__all__", "is not a class or function"),
        (":", "cannot be loaded"),
    ],
)
def test_a_name_that_is_nobodys_says_what_would_be_right(name: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        find_player(name)


# Habits, and the best player
