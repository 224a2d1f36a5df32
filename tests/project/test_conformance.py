"""`check_hidden_game` passes honest games and finds every kind of broken promise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Any, ClassVar

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from deduce.constraints import Fact, Weigh, Where, is_not
from deduce.engines.count import Counting
from deduce.errors import Unsupported
from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, World, copies
from deduce.reasoning.explain import Why
from deduce.testing import Checked, ConformanceError, check_hidden_game
from games.cluedo import Cluedo
from games.cluedo.events import Suggestion
from tests.project.hats import Hats, Sees

SMALL = {
    "suspect": ("Plum", "Rose", "Gray"),
    "weapon": ("Rope", "Knife", "Axe"),
    "room": ("Hall", "Attic", "Bath"),
}
HATS = Hats(("Ann", "Ben", "Cid", "Dan"), red=2)

TABLES = {
    "the log of a player": Cluedo(players=("Ann", "Ben", "Cid"), deck=SMALL, me="Ben"),
    "two players, cards left over": Cluedo(
        players=("Ann", "Ben"), deck=SMALL, undealt=1, face_up=("Axe",)
    ),
    "hands of unknown size": Cluedo(
        players=("Ann", "Ben", "Cid"), deck=SMALL, hands=(None, 2, None)
    ),
    "more players than cards": Cluedo(
        players=tuple("ABCD"), deck={"who": ("Plum", "Rose"), "what": ("Rope", "Axe", "Knife")}
    ),
}


@pytest.mark.parametrize("table", ["hands of unknown size", "more players than cards"])
def test_cluedo_keeps_its_promises(table: str) -> None:
    checked = check_hidden_game(TABLES[table], deals=1, steps=1_000_000, draws=100)
    assert checked.views > 2
    assert checked.undecided == 0


@given(
    players=st.integers(2, 6),
    undealt=st.integers(0, 2),
    face_up=st.sets(st.sampled_from(("Plum", "Rope", "Hall"))),
    sizes=st.booleans(),
    seed=st.integers(0, 10_000),
)
def test_deals_of_cluedo_fit_the_rules_of_any_table(
    players: int, undealt: int, face_up: set[str], *, sizes: bool, seed: int
) -> None:
    names = tuple("ABCDEF"[:players])
    hands = (None,) * players if sizes else None
    game = Cluedo(names, SMALL, hands, tuple(sorted(face_up)), undealt)
    world: dict[Any, Any] = dict(game.deal(Random(seed)))
    assert Problem(game.variables(), tuple(game.rules())).holds(world)


def test_the_log_of_a_player_tells_nothing_that_others_saw_alone() -> None:
    game = TABLES["the log of a player"]
    for seed in range(30):
        random = Random(seed)
        for event in game.record(game.deal(random), random):
            if isinstance(event, Suggestion):
                seen = [show for show in event.shows if show.card is not None]
                assert all(game.me in (event.by, show.by) for show in seen)


def test_a_strangers_game_keeps_its_promises() -> None:
    checked = check_hidden_game(HATS, deals=4, seed=1)
    assert checked == Checked(4, checked.views, 0)


class Lies(Hats):
    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        for number, event in enumerate(log, start=1):
            yield Evidence(is_not(event.who, event.colour), number, "the opposite")


class Secretive(Hats):
    """The bystander learns what the players do not."""

    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        if viewer is None:
            yield from super().evidence(log, RECORD)


class Loose(Hats):
    """Players learn what is not in the record."""

    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        if viewer is not RECORD:
            yield from super().evidence(log, viewer)


class Forgetful(Hats):
    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        yield from list(super().evidence(log, viewer))[-1:]


class Miscounting(Hats):
    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        for piece in super().evidence(log, viewer):
            yield Evidence(piece.constraint, len(log) + 1)


class Cheating(Hats):
    def deal(self, random: Random) -> World:
        return dict.fromkeys(self.players, "red")


class Colourless(Hats):
    def deal(self, random: Random) -> World:
        return {**super().deal(random), self.players[0]: "green"}


class Strict(Hats):
    def check(self, event: Sees) -> None:
        super().check(Sees(event.by, event.by, event.colour))


class Mumbling(Hats):
    def format_event(self, event: Sees) -> str:
        return f"{event.who} sees {event.by} {event.colour}"


class Stammering(Hats):
    def format_event(self, event: Sees) -> str:
        return f"{super().format_event(event)}\nAnn sees Ben red"


class Gibberish(Hats):
    def format_event(self, event: Sees) -> str:
        return "?"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Lies, "not true of the deal: the opposite"),
        (Secretive, "is excluded by what the bystander sees"),
        (Loose, "is excluded, but not by the record"),
        (Forgetful, "becomes possible again"),
        (Miscounting, "that is not in the log"),
        (Cheating, "not true of the deal: exactly 2 of"),
        (Colourless, "the value 'green'"),
        (Strict, "check\\(\\) refuses Sees"),
        (Mumbling, "comes back from the text notation as"),
        (Stammering, "come(s)? back from the text notation as"),
        (Gibberish, "the text notation cannot be read back"),
    ],
)
def test_a_broken_promise_is_found_and_can_be_repeated(kind: type[Hats], message: str) -> None:
    game = kind(HATS.players, red=2)
    with pytest.raises(ConformanceError, match=message) as first:
        check_hidden_game(game, deals=20)
    told = str(first.value)
    assert "again: check_hidden_game(" in told
    seed = int(told.rpartition("seed=")[2].rstrip(")"))
    with pytest.raises(ConformanceError) as again:
        check_hidden_game(game, deals=1, seed=seed)
    assert str(again.value) == told


def test_an_engine_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Counting.possible

    def short(self: Counting, *args: Any) -> Mapping[Any, frozenset[Any]]:
        return {variable: frozenset(list(v)[:1]) for variable, v in honest(self, *args).items()}

    monkeypatch.setattr(Counting, "possible", short)
    with pytest.raises(ConformanceError):
        check_hidden_game(HATS, deals=3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda why: Why(why.claim, why.verdict), "not proved by the events"),
        (lambda why: Why(why.claim, "open"), "does not show it"),
    ],
)
def test_a_wrong_explanation_is_found(
    change: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Knowledge.why

    def why(self: Knowledge, claim: Fact) -> Why:
        found = honest(self, claim)
        return change(found) if found.steps else found

    monkeypatch.setattr(Knowledge, "why", why)
    with pytest.raises(ConformanceError, match=message):
        check_hidden_game(HATS, deals=20)


def test_an_explanation_with_an_event_too_many_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from deduce.reasoning import explain

    def all_units(check: Any, units: Sequence[Any]) -> list[Any]:
        return list(units)

    monkeypatch.setattr(explain, "quickxplain", all_units)
    monkeypatch.setattr(explain, "smallest_conflict", lambda c, u, found, f: (found, True))
    with pytest.raises(ConformanceError, match="proved without event"):
        check_hidden_game(HATS, deals=20)


def test_a_game_that_cannot_be_played_at_random_is_told_what_it_lacks() -> None:
    with pytest.raises(Unsupported, match="'deal'"):
        check_hidden_game(Problem({"a": (1, 2)}))


def test_a_crash_in_a_game_names_the_seed() -> None:
    class Crashing(Hats):
        def record(self, world: World, random: Random) -> Iterator[Sees]:
            raise KeyError("oops")

    with pytest.raises(KeyError) as caught:
        check_hidden_game(Crashing(HATS.players), seed=7)
    assert "seed=7" in caught.value.__notes__[0]


def test_what_the_budget_does_not_reach_is_counted() -> None:
    game = Cluedo(players=("Ann", "Ben", "Cid"), deck=SMALL)
    checked = check_hidden_game(game, deals=1, steps=5)
    assert checked.undecided == len(checked.left_out) > 0
    first = next(line for line in checked.left_out if line.startswith("the posterior for"))
    assert "for the bystander after 0 of" in first
    assert "not decided within 5 steps" in first
    assert first in str(checked)


# Chances


@frozen
class Draw:
    """Two cards from a deck with several copies, seen by no player."""

    weighed: bool
    name = "draw"
    kinds: ClassVar = {"guard": 5, "priest": 2, "princess": 1}

    @property
    def problem(self) -> Problem:
        return copies(("Ann", "Ben"), self.kinds)

    def variables(self) -> Mapping[Any, Any]:
        return self.problem.domains

    def rules(self) -> Sequence[Any]:
        return [
            rule
            for rule in self.problem.rules
            if self.weighed or not isinstance(rule.constraint, Weigh)
        ]

    def evidence(self, log: Sequence[Any], viewer: Viewer) -> Sequence[Evidence]:
        return ()

    def deal(self, random: Random) -> World:
        deck = [kind for kind, number in self.kinds.items() for _ in range(number)]
        return dict(zip(("Ann", "Ben"), random.sample(deck, 2), strict=True))

    def record(self, world: World, random: Random) -> Sequence[Any]:
        return ()


def test_a_deck_with_copies_needs_weights() -> None:
    assert check_hidden_game(Draw(weighed=True), deals=1).undecided == 0
    with pytest.raises(ConformanceError, match="not dealt as often as they are probable"):
        check_hidden_game(Draw(weighed=False), deals=1)
    assert check_hidden_game(Draw(weighed=False), deals=1, draws=0).deals == 1


# A game of many questions


@frozen
class Heard:
    """How far away something is from a place on a grid, and roughly how deep."""

    row: int
    column: int
    deep: bool
    answer: int


@frozen
class Sonar:
    """Something is on a grid of 13 times 12, at a depth: 4,446 worlds, 312 questions."""

    name = "sonar"
    events = (Heard,)
    players = ("Ann", "Ben")

    def variables(self) -> dict[str, range]:
        return {"row": range(13), "column": range(12), "depth": range(29)}

    def rules(self) -> list[Where]:
        return [Where(("column", "depth"), lambda column, depth: column % 2 == 0 or depth < 28)]

    def evidence(self, log: Sequence[Heard], viewer: object) -> Iterator[Evidence]:
        for number, event in enumerate(log, 1):
            asked = event.row, event.column, event.deep
            fits = partial(self._fits, asked, event.answer)
            yield Evidence(Where(("row", "column", "depth"), fits, str(event)), number)

    def _fits(self, asked: tuple[int, int, bool], answer: int, *world: int) -> bool:
        return self._heard(asked, *world) == answer

    def _heard(self, asked: tuple[int, int, bool], row: int, column: int, depth: int) -> int:
        return abs(row - asked[0]) + abs(column - asked[1]) + (depth // 8 if asked[2] else 0)

    def inquiries(self, log: Sequence[Heard], viewer: object) -> list[tuple[int, int, bool]]:
        return list(product(range(13), range(12), (False, True)))

    def answer(self, inquiry: tuple[int, int, bool], world: World) -> int:
        row, column, depth = (int(str(world[name])) for name in ("row", "column", "depth"))
        return self._heard(inquiry, row, column, depth)

    def event_of(self, inquiry: tuple[int, int, bool], answer: int) -> Heard:
        return Heard(*inquiry, answer)

    def deal(self, random: Random) -> World:
        row, column = random.randrange(13), random.randrange(12)
        return {"row": row, "column": column, "depth": random.randrange(29 - column % 2)}

    def record(self, world: World, random: Random) -> list[Heard]:
        asked = random.sample(self.inquiries((), None), 3)
        return [Heard(*one, self.answer(one, world)) for one in asked]


def test_a_game_of_4446_worlds_and_312_questions_is_checked_almost_wholly() -> None:
    assert Knowledge(Sonar()).count() == 4446
    assert len(Sonar().inquiries((), None)) == 312
    checked = check_hidden_game(Sonar(), deals=1)
    slow = (" by cpsat ", " by reference ")
    assert [line for line in checked.left_out if not any(name in line for name in slow)] == []
