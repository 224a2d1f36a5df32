from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from deduce.constraints import is_
from deduce.errors import BadInput
from deduce.logs.events import Log, read_log, write_log
from games.cluedo import Cluedo
from games.cluedo.cli.track import TrackDialogue
from games.cluedo.events import Event, Has
from games.cluedo.session import Session
from games.cluedo.tracking import LogFile, Tracking
from tests.cluedo.strategies import events

LOG = """\
# our game
players: Ann, Ben, Cid

Ann: plum rope hall; Ben -   # he hesitated
# break
Ben has dagger
"""
GAME = Cluedo(("Ann", "Ben", "Cid"))


def test_comments_and_blank_lines_stay_where_they_are() -> None:
    session = Session.read(LOG).edit(2, "ben has spanner # really").add("Cid no hall")
    assert session.text == LOG.replace(
        "Ben has dagger", "Ben has Spanner  # really\nCid has not Hall"
    )
    assert session.drop(1).text == LOG.replace(
        "Ann: plum rope hall; Ben -   # he hesitated\n", ""
    ).replace("dagger", "Spanner  # really\nCid has not Hall")


def test_every_step_has_a_name_and_can_be_undone_and_redone() -> None:
    start = Session.read(LOG)
    steps = [
        start.add("Ann accuses plum rope hall: wrong"),
        start.edit(1, "Ann: plum rope study"),
        start.drop(2),
        start.assume(is_("Rope", "Ann")),
        start.assume(is_("Rope", "Ann")).free(),
    ]
    assert [step.last_step for step in steps] == [
        "adding Ann's accusation",
        "changing event 1 to Ann's suggestion",
        "dropping event 2, that Ben has Dagger",
        "assuming that Ann has Rope",
        "giving up the assumptions",
    ]
    for step in steps:
        back = step.undo()
        again = back.redo()
        assert again == step
        assert back.undone_step == step.last_step
    assert steps[0].undo().add("Ben has rope").undone_step == ""


def test_wrong_steps_are_refused() -> None:
    session = Session.read(LOG)
    steps: list[Callable[[], Session]] = [
        session.undo,
        session.redo,
        lambda: session.drop(0),
        lambda: session.drop(3),
        lambda: session.edit(3, "Ben has rope"),
        lambda: session.edit(1, "Ben has ropp"),
        lambda: session.add(""),
    ]
    for step in steps:
        with pytest.raises(BadInput):
            step()


def test_a_log_in_json_stays_in_json() -> None:
    read = read_log(LOG, Cluedo)
    game, log = read.game, read.events
    session = Session.read(write_log(game, log)).add("cid has rope").edit(1, "Ann: plum rope hall")
    assert read_log(session.text, Cluedo) == Log(game, session.events)
    assert session.text.splitlines()[-1] == '{"event": "has", "holder": "Cid", "card": "Rope"}'


def test_what_if_is_no_part_of_the_log(tmp_path: Path) -> None:
    file = LogFile.create(tmp_path / "a", session := Session.new(GAME))
    session = session.assume(is_("Rope", "Ann"))
    file.save(session)
    assert session.knowledge().certain() == {"Rope": "Ann"}
    assert LogFile.open(tmp_path / "a")[1].assumed == ()


class Sessions(RuleBasedStateMachine):
    """Any sequence of steps: the file always holds exactly the events, and undo goes back."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "log.cluedo"
        self.session = Session.read(LOG)
        self.file = LogFile.create(self.path, self.session)
        self.states: list[tuple[Event, ...]] = [self.session.events]
        self.at = 0

    def teardown(self) -> None:
        assert {*os.listdir(self.folder.name)} <= {"log.cluedo", ".log.cluedo.history"}
        self.folder.cleanup()

    def take(self, session: Session, expected: list[Event]) -> None:
        self.file.save(session)
        self.session = session
        del self.states[self.at + 1 :]
        self.states.append(tuple(expected))
        self.at += 1

    @rule(event=events(GAME), comment=st.sampled_from(["", "  # so\u2028 it\ud800 was"]))
    def add(self, event: Event, comment: str) -> None:
        session = self.session.add(GAME.format_event(event) + comment)
        self.take(session, [*self.session.events, event])

    @rule(event=events(GAME), data=st.data())
    def edit(self, event: Event, data: st.DataObject) -> None:
        if log := list(self.session.events):
            number = data.draw(st.integers(1, len(log)))
            log[number - 1] = event
            self.take(self.session.edit(number, GAME.format_event(event)), log)

    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        if log := list(self.session.events):
            number = data.draw(st.integers(1, len(log)))
            del log[number - 1]
            self.take(self.session.drop(number), log)

    @precondition(lambda self: self.at > 0)
    @rule()
    def undo(self) -> None:
        self.session = self.session.undo()
        self.file.save(self.session)
        self.at -= 1

    @precondition(lambda self: self.at + 1 < len(self.states))
    @rule()
    def redo(self) -> None:
        self.session = self.session.redo()
        self.file.save(self.session)
        self.at += 1

    @rule()
    def resume(self) -> None:
        self.file, session, remark = LogFile.open(self.path)
        assert not remark
        assert session.lines == self.session.lines

    @invariant()
    def the_file_holds_the_events(self) -> None:
        assert self.session.events == self.states[self.at]
        text = self.path.read_text(encoding="utf-8")
        assert read_log(text, Cluedo) == Log(GAME, self.session.events)


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    max_examples=12, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)


# The file


def test_a_file_is_not_replaced_by_mistake(tmp_path: Path) -> None:
    path = tmp_path / "log"
    LogFile.create(path, Session.new(GAME))
    with pytest.raises(BadInput, match="the file already exists"):
        LogFile.create(path, Session.new(GAME))
    LogFile.create(path, Session.read(LOG), replace=True)
    assert path.read_text() == LOG


def test_a_change_by_another_program_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(LOG)
    file, session, _ = LogFile.open(path)
    path.write_text(LOG + "Cid has hall\n")
    with pytest.raises(BadInput, match="another program changed the log"):
        file.save(session.add("Ben has rope"))
    assert path.read_text() == LOG + "Cid has hall\n"


def test_a_failed_append_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_text(LOG)
    file, session, _ = LogFile.open(path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for step in (session.add("Ben has rope"), session.drop(1)):
            with pytest.raises(BadInput, match="cannot be written: No space left on device"):
                file.save(step)
            assert path.read_text() == LOG
    assert os.listdir(tmp_path) == ["log"]
    file.save(session.add("Ben has rope"))
    assert path.read_text() == LOG + "Ben has Rope\n"


def test_a_link_and_the_rights_of_the_file_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "log", tmp_path / "link"
    path.write_text(LOG)
    path.chmod(0o640)
    link.symlink_to(path)
    file, session, _ = LogFile.open(link)
    file.save(session.drop(1))
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert "hesitated" not in path.read_text()


@pytest.mark.parametrize("name", ["Ann", "Zoë"])
def test_a_log_cut_at_any_byte_can_be_gone_on_with(tmp_path: Path, name: str) -> None:
    text = LOG.replace("Ann", name) + f"{name} has rope\n"
    data, head = text.encode(), LOG.replace("Ann", name).encode()
    path = tmp_path / "log"
    for end in range(len(head), len(data)):
        path.write_bytes(data[:end])
        file, session, remark = LogFile.open(path)
        assert len(session.events) in (2, 3)
        assert bool(remark) == (end > len(head))
        file.save(session.add("Cid has hall"))
        assert Session.read(path.read_text("utf-8")).events[-1] == Has("Cid", "Hall")


def test_steps_that_a_full_disk_loses_are_named_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_text(LOG)
    file, session, _ = LogFile.open(path)
    dialogue = TrackDialogue(Tracking(session, file), follow=False)

    def full(file: Path, *text: str, **options: str) -> int:
        file.touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        lines = [[str(part) for part in dialogue.answer(line)] for line in ("Cid has hall", "undo")]
    warning = "warning: the steps cannot be kept, and undone later: No space left on device"
    assert [warning in shown for shown in lines] == [True, True]
    assert [each.name for each in tmp_path.iterdir()] == ["log"]
    list(dialogue.answer("Cid has hall"))
    assert sorted(each.name for each in tmp_path.iterdir()) == [".log.history", "log"]
