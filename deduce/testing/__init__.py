"""Conformance checks: a game, built in or from another package, keeps the promises of the protocol.

`check_hidden_game` plays random deals, writes logs of them, and looks at everything that is
inferred from these logs. What it finds is a mistake in the game's rules, evidence or notation (or
in an engine), reported with the seed that repeats it. `check_game` does the same for a game that is
searched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily

if TYPE_CHECKING:
    from deduce.search.testing import check_game
    from deduce.testing.frequencies import ConformanceError
    from deduce.testing.hidden import Checked, check_hidden_game

__all__ = ["Checked", "ConformanceError", "check_game", "check_hidden_game"]

__getattr__, __dir__ = lazily(__name__)
