"""The commands minds, show-card, accuse, and sheet --mind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deduce.errors import Undecided
from games.cluedo import examples
from games.cluedo.opponents.minds import mind_steps
from tests.cluedo.conftest import Run

EVENING = str(Path(examples.__path__[0]) / "evening.cluedo")


def test_show_card(deduce: Run) -> None:
    code, out, err = deduce("show-card", "Dora: plum lead hall", "--upto", "12", EVENING)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "What Dora would know after Professor Plum, Lead Piping, Hall"
    assert lines[2].startswith("Lead Piping")
    assert lines[3].startswith("Professor Plum")
    assert "best: Lead Piping; it gives Dora the least information" in lines
    assert "Lead Piping: shown to Dora before, in event 5" in lines


def test_accuse_when_no_turn_comes_and_when_it_is_certain(deduce: Run) -> None:
    code, out, _ = deduce("accuse", "--turns", "0", "--samples", "5", "--upto", "16", EVENING)
    assert code == 0
    assert "accuse: there is no other turn, and " in out
    code, out, _ = deduce("accuse", "--upto", "20", EVENING)
    assert code == 0
    assert "accuse: the solution is certain" in out


def test_accuse_as_json(deduce: Run) -> None:
    code, out, _ = deduce(
        "accuse", "--json", "--samples", "8", "--out", "cid", "--upto", "16", EVENING
    )
    document = json.loads(out)
    assert document["schema"] == "deduce/accuse/1"
    assert code == (not document["accuse"])
    assert [rival["player"] for rival in document["rivals"]] == ["Ben", "Dora"]
    assert (document["draws"], len(document["waits"]), document["complete"]) == (8, 3, True)
    assert 0 < Fraction(document["now"]) < 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("minds", "--mind", "zoe"), "no player is called 'zoe'"),
        (("minds", "--mind", "ann"), "Ann is the viewer of the log"),
        (("sheet", "--mind", "ann"), "Ann is the viewer of the log"),
        (("sheet", "--mind", "ben", "--shares"), "leave out --shares and --plot"),
        (("show-card", "Ben: plumm rope hall"), "no card is called 'plumm'"),
        (("show-card", "Ben has plum"), "this is not a suggestion"),
        (("show-card", "Ben: white rope hall"), "Ann has none of these cards"),
        (("show-card", "Ann: plum rope hall"), "Ann suggests and cannot answer"),
        (("accuse",), "the game is over"),
        (("accuse", "--as", "public", "--upto", "5"), "a bystander cannot accuse"),
        (("accuse", "--out", "zoe", "--upto", "5"), "no player is called 'zoe'"),
    ],
)
def test_wrong_usage_is_told(deduce: Run, args: tuple[str, ...], said: str) -> None:
    code, out, err = deduce(*args, EVENING)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("stop", "exit_code"),
    [(KeyboardInterrupt(), 130), (Undecided("not decided within the time"), 4)],
)
def test_what_is_stopped_shows_what_is_known(
    deduce: Run, monkeypatch: pytest.MonkeyPatch, stop: BaseException, exit_code: int
) -> None:
    def some(*args: Any, **options: Any) -> Iterator[Any]:
        for done, step in enumerate(mind_steps(*args, **options)):
            yield step
            if done == 10:
                raise stop

    monkeypatch.setattr("games.cluedo.cli.opponents.mind_steps", some)
    code, out, err = deduce("minds", "--upto", "12", EVENING)
    assert code == exit_code
    assert "stopped early; in parentheses, the values that the remaining cases allow" in out
    assert "Revolver" in out
    assert err.startswith("undecided: ")
    code, out, _ = deduce("minds", "--json", "--upto", "12", EVENING)
    assert code == exit_code
    assert json.loads(out)["complete"] is False
