from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from deduce.budget import Budget
from deduce.cli.tracking import Tracking, open_log
from deduce.errors import BadInput
from deduce.logs.events import Log, read_log, write_log
from deduce.pages.transports.kept import KeptLog
from deduce.system.language import Message
from games.cluedo import Cluedo
from games.cluedo.cli import cluedo
from games.cluedo.events import Event, Has
from tests.cluedo.strategies import events

LOG = """\
# our game
players: Ann, Ben, Cid

Ann: plum rope hall; Ben -   # he hesitated
# break
Ben has dagger
"""
GAME = Cluedo(("Ann", "Ben", "Cid"))
QUICK = 200_000
"""Steps of an answer; which event is wrong takes more."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.write_text(LOG)
    return path


def kept(path: Path, *lines: str) -> Tracking:
    """Return the dialogue that keeps a log, after some lines."""
    file, document, _ = open_log(path, Cluedo)
    tracking = Tracking(cluedo, file, document, {"budget": Budget(QUICK)})
    for line in lines:
        list(tracking.answer(line))
    return tracking


def test_comments_and_blank_lines_stay_where_they_are(path: Path) -> None:
    edited = LOG.replace("Ben has dagger", "Ben has Spanner  # really\nCid has not Hall")
    tracking = kept(path, "edit 2 ben has spanner # really", "Cid no hall")
    assert path.read_text() == edited
    list(tracking.answer("drop 1"))
    assert path.read_text() == edited.replace("Ann: plum rope hall; Ben -   # he hesitated\n", "")


def test_a_log_in_json_stays_in_json(path: Path) -> None:
    path.write_text(write_log(GAME, read_log(LOG, Cluedo).events) + '{"eve')  # as if power was lost
    tracking = kept(path, "cid has rope", "edit 1 Ann: plum rope hall")
    assert read_log(path.read_text(), Cluedo) == Log(GAME, tracking.log.events)
    assert '# unfinished: {"eve\n' in path.read_text()
    last = path.read_text().splitlines()[-1]
    assert last == '{"event": "has", "holder": "Cid", "card": "Rope"}'


def test_what_if_is_no_part_of_the_log_but_a_step(path: Path) -> None:
    assert kept(path, "what-if rope=ann").knowledge.certain()["Rope"] == "Ann"
    assert path.read_text() == LOG
    list((tracking := kept(path, "Cid has hall", "what-if rope=ann", "undo")).answer("redo"))
    assert tracking.document.assumed == ("rope=ann",)
    assert "Rope" not in kept(path, "Ann has study").knowledge.certain()


def test_a_log_has_one_history_for_the_terminal_and_the_page(path: Path) -> None:
    kept(path, "Cid has hall", "what-if rope=ann", "Cid has study")
    log = KeptLog.open("cluedo", path)
    assert log.document is not None
    assert log.document.assumed == log.document.undo().assumed == ()
    log.keep(log.document.undo().undo().redo(), log.document)
    assert path.read_text() == LOG + "Cid has Hall\n"
    step = Message("step.add", {"line": "Ben has Study"})
    text = f"{LOG}Cid has Hall\nBen has Study\n"
    log.keep(log.document.to(text, ("0.0",), step=step), log.document)
    lines = ("undo", "redo", "undo", "undo", "redo")
    assert [next(kept(path).answer(line)) for line in lines] == [
        "undone: adding Ben has Study",
        "done again: adding Ben has Study",
        "undone: adding Ben has Study",
        "undone: adding Cid has Hall",
        "done again: adding Cid has Hall",
    ]
    assert sorted(os.listdir(path.parent)) == [".log.steps", "log"]


def test_what_another_program_changed_can_be_undone_too(path: Path) -> None:
    kept(path, "Cid has hall")
    path.write_text(LOG + "Cid has Hall\nCid has Study\n# a break\n")
    tracking = kept(path, "undo")
    assert path.read_text() == LOG + "Cid has Hall\n"
    list(tracking.answer("undo"))
    assert path.read_text() == LOG


def test_steps_of_version_0_2_are_read_or_left_alone(path: Path) -> None:
    history = path.with_name(".log.history")
    history.write_text('{"log": "8f43", "past": [], "future": []}')
    added = ["step.add", {"line": "Ben has dagger"}]
    past = [[5, 1, [], [], None]]
    steps = {"schema": "deduce/document/1", "game": "cluedo", "text": LOG, "assumed": ["3.1"],
             "step": added, "past": past, "future": []}  # fmt: skip
    path.with_name(".log.steps").write_text(json.dumps(steps))
    document = KeptLog.open("cluedo", path).document
    assert document is not None
    assert document.assumed == ("3.1",)
    assert next(kept(path).answer("undo")) == "undone: adding Ben has dagger"
    assert path.read_text() == LOG.replace("Ben has dagger\n", "")
    assert history.read_text() == '{"log": "8f43", "past": [], "future": []}'


class Sessions(RuleBasedStateMachine):
    """Any sequence of steps: the file always holds exactly the events, and undo goes back."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "log.cluedo"
        self.path.write_text(LOG)
        self.tracking = kept(self.path)
        self.states: list[tuple[Event, ...]] = [self.tracking.log.events]
        self.at = 0

    def teardown(self) -> None:
        assert {*os.listdir(self.folder.name)} <= {"log.cluedo", ".log.cluedo.steps"}
        self.folder.cleanup()

    def take(self, line: str, expected: list[Event]) -> None:
        list(self.tracking.answer(line))
        del self.states[self.at + 1 :]
        self.states.append(tuple(expected))
        self.at += 1

    @rule(event=events(GAME), comment=st.sampled_from(["", "  # so\u2028 it\ud800 was"]))
    def add(self, event: Event, comment: str) -> None:
        self.take(GAME.format_event(event) + comment, [*self.states[self.at], event])

    @rule(event=events(GAME), kind=st.sampled_from(["edit", "insert", "drop"]), data=st.data())
    def change(self, event: Event, kind: str, data: st.DataObject) -> None:
        if log := list(self.states[self.at]):
            number = data.draw(st.integers(1, len(log)))
            log[number - 1 : number - (kind == "insert")] = [event] * (kind != "drop")
            line = GAME.format_event(event) * (kind != "drop")
            self.take(f":{kind} {number} {line}", log)

    @precondition(lambda self: self.at > 0)
    @rule()
    def undo(self) -> None:
        list(self.tracking.answer("undo"))
        self.at -= 1

    @precondition(lambda self: self.at + 1 < len(self.states))
    @rule()
    def redo(self) -> None:
        list(self.tracking.answer("redo"))
        self.at += 1

    @rule()
    def resume(self) -> None:
        document = self.tracking.document
        self.tracking = kept(self.path)
        assert self.tracking.document.text == document.text

    @invariant()
    def the_file_holds_the_events(self) -> None:
        assert self.tracking.log.events == self.states[self.at]
        text = self.path.read_text(encoding="utf-8")
        assert read_log(text, Cluedo) == Log(GAME, self.states[self.at])


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    max_examples=5, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)


# The file


def test_a_change_by_another_program_is_not_overwritten(path: Path) -> None:
    tracking = kept(path)
    path.write_text(LOG + "Cid has hall\n")
    with pytest.raises(BadInput, match="another program changed the log"):
        list(tracking.answer("Ben has rope"))
    assert path.read_text() == LOG + "Cid has hall\n"


def test_a_failed_append_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    tracking = kept(path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for step in ("Ben has rope", "drop 1"):
            with pytest.raises(BadInput, match="cannot be written: No space left on device"):
                list(tracking.answer(step))
            assert path.read_text() == LOG
    assert os.listdir(path.parent) == ["log"]
    list(tracking.answer("Ben has rope"))
    assert path.read_text() == LOG + "Ben has Rope\n"


def test_a_link_and_the_rights_of_the_file_stay(path: Path) -> None:
    path.chmod(0o640)
    link = path.with_name("link")
    link.symlink_to(path)
    kept(link, "drop 1")
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert "hesitated" not in path.read_text()


@pytest.mark.parametrize("name", ["Ann", "Zoë"])
def test_a_log_cut_at_any_byte_can_be_gone_on_with(path: Path, name: str) -> None:
    head = LOG.replace("Ann", name).encode()
    data = head + f"{name} has rope\n".encode()
    for end in range(len(head), len(data)):
        path.write_bytes(data[:end])
        file, document, remark = open_log(path, Cluedo)
        assert bool(remark) == (end > len(head))
        tracking = Tracking(cluedo, file, document)
        assert len(tracking.log.events) in (2, 3)
        list(tracking.answer("Cid has hall"))
        assert read_log(path.read_text("utf-8"), Cluedo).events[-1] == Has("Cid", "Hall")


def test_steps_that_a_full_disk_loses_are_named_and_leave_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, *text: str, **options: str) -> int:
        file.touch()
        raise OSError(28, "No space left on device")

    tracking = kept(path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        lines = [[str(part) for part in tracking.answer(line)] for line in ("Cid has hall", "undo")]
    warning = "warning: the steps cannot be kept, and undone later: No space left on device"
    assert [warning in shown for shown in lines] == [True, True]
    assert [each.name for each in path.parent.iterdir()] == ["log"]
    list(tracking.answer("Cid has hall"))
    assert sorted(each.name for each in path.parent.iterdir()) == [".log.steps", "log"]
