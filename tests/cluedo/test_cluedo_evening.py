"""A person among programs: whole games, what the person sees, saving, watching."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import deduce as toolkit
from deduce.errors import BadInput
from deduce.game import RECORD
from deduce.show.table import Table as TextTable
from games.cluedo import DECKS, Accusation, Cluedo, Suggestion
from games.cluedo.cli.play import PlayDialogue, WatchDialogue
from games.cluedo.evidence import seen_log
from games.cluedo.names import quote
from games.cluedo.players.evening import Evening, save_path
from games.cluedo.players.simple import Sheet
from games.cluedo.players.table import (
    Table,
    ToAccuse,
    ToShow,
    ToSuggest,
    check_record,
    with_hand_sizes,
)
from tests.cluedo.conftest import Run

NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")


def evening_of(seed: int, path: Path | None = None) -> Evening:
    """Return a game: number of players, deck, seat of the person and programs vary."""
    random = Random(seed)
    count = 2 + seed % 9
    deck = DECKS[random.choice(list(DECKS))]
    me = random.choice(NAMES[:count])
    game = Cluedo(NAMES[:count], deck, me=me)
    bots = ("console", "most-no", "random", "reasoner" if seed % 10 == 0 else "not-placed")
    return Evening.new(
        game,
        {name: random.choice(bots) for name in game.players if name != me},
        seed,
        rooms=random.choice(("any", "circle")),
        turns=60,
        path=path,
    )


class Person:
    """A person who types lines: suggests what is not known, shows at random, accuses when certain.

    Now and then they type nonsense, ask for something, or accuse too early.
    """

    def __init__(self, evening: Evening, seed: int) -> None:
        self.evening = evening
        self.random = Random(f"person {seed}")
        self.output: list[str] = []

    def play(self, dialogue: PlayDialogue) -> None:
        self.hear(dialogue.opening())
        while not dialogue.is_over:
            if self.random.random() < 0.1:
                self.hear(dialogue.answer(self.random.choice(("help", "log", ":hand"))))
            if self.random.random() < 0.05:
                before = len(self.evening.table.answers)
                with pytest.raises(BadInput):
                    self.hear(dialogue.answer("xyzzy"))
                assert len(self.evening.table.answers) == before
            self.hear(dialogue.answer(self.line()))

    def hear(self, parts: Any) -> None:
        for part in parts:
            assert isinstance(part, str | TextTable)
            self.output.append(str(part))

    def line(self) -> str:
        game = self.evening.game
        sheet = Sheet(game)
        for event in self.evening.events():
            sheet.tell(event)
        match self.evening.question:
            case ToSuggest(_, rooms):
                *others, _ = game.deck.values()
                cards = []
                for category in (*others, rooms):
                    left = [card for card in category if not sheet.is_placed(card)]
                    cards.append(self.random.choice(left or category))
                typed = ", ".join(map(quote, cards))
                return self.random.choice((typed, f"me: {typed}", f"I suggest {typed}"))
            case ToShow(_, _, cards):
                return self.random.choice(("", "show ", "I show ")) + quote(
                    self.random.choice(cards)
                )
            case ToAccuse():
                solution = sheet.solution()
                if solution is None and self.random.random() < 0.01:
                    solution = [self.random.choice(c) for c in game.groups().values()]
                return f"accuse {', '.join(map(quote, solution))}" if solution else ""
        raise AssertionError


def check_game(evening: Evening) -> None:
    """Check a game that is over: the log, and what every viewer can infer from the record."""
    game, deal, me = evening.game, evening.deal, evening.me
    check_record(evening.table)
    log = toolkit.read(evening.log(), Cluedo)
    assert (log.game, log.log) == (game, evening.events())
    assert log.problem.holds(deal)
    record = toolkit.read(evening.table.game.format_log(evening.table.events), Cluedo)
    assert record.problem.holds(deal)
    for viewer in (*game.players, None):
        assert record.seen_by(viewer).problem.holds(deal)
    assert evening.events() == tuple(seen_log(evening.table.game, record.log, me))
    if len(game.cards) <= 21:
        known = log.possible()
        assert all(deal[str(card)] in values for card, values in known.items())
        posterior = log.posterior()
        assert all(posterior[card][holder] > 0 for card, holder in deal.items())
        for card, holder in record.seen_by(None).certain().items():
            assert deal[str(card)] == holder


@pytest.mark.parametrize("seed", range(0, 10, 2))
def test_a_person_plays_a_whole_game(seed: int, tmp_path: Path) -> None:
    play_and_check(seed, tmp_path)


def play_and_check(seed: int, folder: Path) -> Evening:
    evening = evening_of(seed, folder / "evening.cluedo")
    person = Person(evening, seed)
    person.play(PlayDialogue(evening))
    assert evening.question is None
    check_game(evening)
    assert evening.path is not None
    assert evening.path.read_text() == evening.log()
    again = Evening.resume(evening.path)
    assert (again.events(), again.table.end) == (evening.events(), evening.table.end)
    assert (again.game, again.bots, again.deal) == (evening.game, evening.bots, evening.deal)
    for hidden in evening.deal.items():  # no card of another player before the end
        assert f"hand {hidden[1]}: {hidden[0]}" not in "\n".join(person.output) or (
            hidden[1] == evening.me
        )
    return evening


# What the person sees


def dialogue(hands: tuple[int, ...] | None = None, **options: Any) -> PlayDialogue:
    game = Cluedo(("Ann", "Ben", "Cid"), hands=hands, me="Ann")
    evening = Evening.new(game, dict.fromkeys(("Ben", "Cid"), "console"), 5, **options)
    playing = PlayDialogue(evening)
    list(playing.opening())
    return playing


def test_the_person_is_asked_which_card_to_show() -> None:
    for seed in range(40):
        game = Cluedo(("Ann", "Ben"), me="Ann")
        playing = PlayDialogue(Evening.new(game, {"Ben": "random"}, seed))
        said = [*playing.opening(), *playing.answer("plum rope hall"), *playing.answer("")]
        if isinstance(playing.evening.question, ToShow):
            break
    assert isinstance(playing.evening.question, ToShow)
    cards = playing.evening.question.cards
    assert said[-1] == f"Which card do you show, {' or '.join(cards)}?" or len(cards) == 3
    assert playing.prompt == "show> "
    with pytest.raises(BadInput, match="no card that you can show is called 'xyz'"):
        list(playing.answer("xyz"))
    list(playing.answer(f"show {cards[1]}"))
    shown = [event.shows for event in playing.evening.table.events if isinstance(event, Suggestion)]
    assert shown[1][0].card == cards[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plum rope", "column 1: "),
        ("plum rope ropp", "column 11: "),
        ("Ben: plum rope hall", "it is your turn to suggest"),
        ("plum rope hall; Ben -", "the others answer by themselves"),
        ("accuse plum rope hall", "suggest first"),
        ("Ben has rope", ""),
        (":xyzzy", "xyzzy"),
    ],
)
def test_a_wrong_line_changes_nothing(line: str, message: str) -> None:
    playing = dialogue()
    with pytest.raises(BadInput) as caught:
        list(playing.answer(line))
    assert message in str(caught.value)
    assert isinstance(playing.evening.question, ToSuggest)
    assert len(playing.evening.events()) == 1


def test_a_wrong_accusation_ends_the_turns_but_not_the_game() -> None:
    playing = dialogue()
    wrong = [c for c, holder in playing.evening.deal.items() if holder == "Ann"]
    suspect = next(c for c in DECKS["classic"]["suspect"] if c not in wrong)
    named = [suspect, "Rope", next(c for c in wrong if c in DECKS["classic"]["room"])]
    list(playing.answer("plum rope hall"))
    list(playing.answer(f"accuse {', '.join(named)}"))
    assert playing.evening.table.wrong == ["Ann"]
    while not playing.is_over:
        question = playing.evening.question
        assert isinstance(question, ToShow)
        list(playing.answer(question.cards[0]))
    assert playing.evening.table.winner in ("Ben", "Cid")


def test_hints_are_about_what_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    playing = dialogue((16, 1, 1), rooms="circle")
    question = playing.evening.question
    assert isinstance(question, ToSuggest)
    list(playing.answer("hint"))
    assert "Ann may suggest" in capsys.readouterr().out
    away = next(room for room in DECKS["classic"]["room"] if room not in question.rooms)
    with pytest.raises(BadInput, match="cannot be reached now"):
        list(playing.answer(f"plum rope {away}"))
    list(playing.answer(f"plum, rope, {question.rooms[0]}"))
    list(playing.answer("hint"))
    assert "accuse" in capsys.readouterr().out
    [table] = playing.answer("sheet")
    assert "Ann's sheet" in str(table)


# Saving


def test_an_interrupted_game_goes_on_in_the_same_way(tmp_path: Path) -> None:
    whole = play_and_check(11, tmp_path)
    path = tmp_path / "parts.cluedo"
    evening = evening_of(11, path)
    answers = list(whole.table.answers)
    while evening.question is not None:
        list(evening.proceed())
        evening.save()
        if evening.question is not None:
            evening.table.answer(answers[len(evening.table.answers)])
            evening.save()
            evening = Evening.resume(path)
    assert evening.table.events == whole.table.events


def test_the_save_file_does_not_show_a_card(tmp_path: Path) -> None:
    evening = evening_of(2, tmp_path / "evening.cluedo")
    list(evening.proceed())
    evening.save()
    text = save_path(tmp_path / "evening.cluedo").read_text()
    assert not any(card in text for card in evening.game.cards)
    assert json.loads(text)["schema"] == "deduce/cluedo-play/1"


def test_a_log_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evening.cluedo"
    evening = evening_of(2, path)
    list(evening.proceed())
    evening.save()
    text = path.read_text()
    path.write_text(text[:-10])  # killed while writing
    assert Evening.resume(path).events() == evening.events()
    path.write_text(text + "Ann has rope\n")
    with pytest.raises(BadInput, match="not that of the saved game"):
        Evening.resume(path)


def test_a_save_file_cannot_run_another_module(tmp_path: Path) -> None:
    path = tmp_path / "evening.cluedo"
    bot = "games.cluedo.players.best:Best"
    game = Cluedo(("Ann", "Ben"), me="Ann")
    Evening.new(game, {"Ben": bot}, 1, path=path).save()
    with pytest.raises(BadInput, match="--bots"):
        Evening.resume(path)
    assert Evening.resume(path, [bot]).me == "Ann"


# The command


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put lines into standard input."""
    import io

    def put(*lines: str) -> None:
        data = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data))

    return put


def test_a_game_is_saved_and_continued(deduce: Run, typed: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "evening.cluedo")
    typed("plum rope hall", "quit")
    code, _, err = deduce("play", path, "--players", "3", "--seed", "1", "--deck", "classic")
    assert (code, f"continue with: deduce cluedo play {path}" in err) == (0, True)
    code, out, _ = deduce("check", path)
    assert code == 0
    typed("nonsense", "")
    code, out, err = deduce("play", path)
    assert code == 3
    assert "<stdin>:1: " in err
    assert "2. Ann: Professor Plum, Rope, Hall" in out
    code, _, err = deduce("play", path, "--players", "4")
    assert (code, "leave out --players" in err) == (2, True)
    save_path(Path(path)).unlink()
    code, _, err = deduce("play", path)
    assert (code, "deduce cluedo track" in err) == (3, True)


def test_a_game_that_is_interrupted_ends_with_130(
    deduce: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Evening, "proceed", interrupt)
    code, _, err = deduce("play", "--players", "3", "--seed", "1")
    assert (code, err) == (130, "interrupted\n")


def test_programs_play_alone_before_a_watcher(deduce: Run, typed: Any, tmp_path: Path) -> None:
    path = tmp_path / "watched.cluedo"
    typed()
    code, out, err = deduce("play", str(path), "--watch", "--players", "3", "--seed", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("players in seat order: Ann (console, 6 cards)")
    assert "wins after" in lines[-2]
    knowledge = toolkit.read(path)
    assert knowledge.viewer is RECORD
    assert isinstance(knowledge.log[-1], Accusation)
    assert f"{len(knowledge.log)}. {lines[-3].partition(' ')[2]}" == lines[-3]


# The table


def test_the_table_asks_again_after_a_wrong_answer() -> None:
    game = with_hand_sizes(Cluedo(("Ann", "Ben")))
    table = Table(game, game.deal(Random(1)), turns=1)
    for wrong in (("Rope",), ("Rope", "Hall", "Nonsense"), ("Rope", "Rope", "Hall")):
        with pytest.raises(BadInput, match="not one card of each category"):
            table.answer(wrong)
    table.answer(("Hall", "Rope", "Professor Plum"))
    asked = table.events[-1]
    assert isinstance(asked, Suggestion)
    assert asked.cards == ("Professor Plum", "Rope", "Hall")
    table.answer(None)
    with pytest.raises(BadInput, match="the game has ended"):
        table.answer(None)


def test_a_watcher_can_go_turn_by_turn() -> None:
    game = Cluedo(("Ann", "Ben", "Cid"))
    evening = Evening.new(game, dict.fromkeys(game.players, "most-no"), 1)
    watching = WatchDialogue(evening)
    list(watching.opening())
    [first] = watching.answer("")
    assert str(first).startswith("4. Ann: ")
    [table] = watching.answer("sheet ben")
    assert "Ben's sheet" in str(table)
    with pytest.raises(BadInput, match="Enter plays a turn"):
        list(watching.answer("plum"))
    list(watching.answer("run"))
    assert (watching.is_over, evening.table.end) == (True, "solved")
