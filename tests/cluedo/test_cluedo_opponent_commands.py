"""The commands minds, show-card, accuse, and sheet --mind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deduce.errors import Undecided
from games.cluedo import examples
from games.cluedo.opponents.minds import mind_steps
from tests.cluedo.conftest import Run

EVENING = str(Path(examples.__path__[0]) / "evening.cluedo")


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
