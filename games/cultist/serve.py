"""A bot on standard input and output, as the platform runs it; it answers whatever comes."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TextIO

from deduce.errors import BadInput
from deduce.search.memory import collector_paused
from games.cultist.bots import Bot
from games.cultist.orders import resolve
from games.cultist.protocol import Reader, Tracker
from games.cultist.referee import Clock
from games.cultist.state import WAIT, State

__all__ = ["serve"]


def serve(
    bot: Bot, requests: TextIO, answers: TextIO, log: TextIO, *, clock: Clock | None = None
) -> None:
    """Play one game: read the start and then turn after turn, and write an order for each.

    The bot thinks by the wall clock, as the platform does. A turn that cannot be read is answered
    with WAIT and told in ``log``, and so is every turn in which the neutrals' generator is not
    known for certain.

    Raises
    ------
    BadInput
        The lines of the start cannot be read.
    """
    clock = clock or Clock()
    bot.clock = perf_counter
    reader = Reader(requests)
    player, board = reader.read_start()
    tracker = Tracker(player, board)
    seconds = clock.first / 2  # starting Python took its part of the first turn
    while True:
        try:
            units = reader.read_units()
            if units is None:
                return
            state = tracker.see(units)
        except BadInput as error:
            tracker.miss()
            _tell(log, f"{error}; answering WAIT, and the neutrals' generator is lost for now")
            _write(answers, str(WAIT))
        else:
            _warn(log, tracker, state)
            with collector_paused():  # until the answer is out
                order = bot.order(state, seconds)
                _write(answers, order)
            tracker.act(resolve(state, order))
        seconds = clock.turn


def _warn(log: TextIO, tracker: Tracker, state: State) -> None:
    if tracker.candidates > 1:
        _tell(
            log,
            f"turn {state.turn}: {tracker.candidates} states of the neutrals' generator fit "
            "what was seen; going on with one of them",
        )


def _tell(log: TextIO, text: str) -> None:
    with suppress(OSError):  # nobody reads it any more, and the game goes on
        _write(log, f"deduce cultist bot: {text}")


def _write(stream: TextIO, line: str) -> None:
    stream.write(line + "\n")
    stream.flush()
