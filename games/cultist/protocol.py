"""The platform's protocol for bots: the referee's input, reading it, and answering it.

A bot gets its side and the size and rows of the board once. Then it gets for each of its turns the
number of living units and a line ``id type hp x y owner`` for each, and answers with one order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import perf_counter
from typing import TextIO

from deduce.errors import BadInput
from deduce.search.limits import collector_paused
from deduce.system.guarded import GuardedProcess, ProcessEnded, ProcessLate
from deduce.system.text import plural, whole_number
from games.cultist.events import resolve
from games.cultist.players import Bot, BotFailed, TimeLimits, too_late
from games.cultist.rules import neutral_step, next_rng, result
from games.cultist.setup import (
    FIRST_RNG,
    HEIGHT,
    LAST_TURN,
    LEADERS,
    NEUTRAL,
    NOWHERE,
    UNITS,
    WAIT,
    WIDTH,
    Action,
    Board,
    Neutrals,
    State,
    Unit,
    state_of,
)

__all__ = ["Program", "Reader", "Tracker", "first_input", "serve", "turn_input"]


def first_input(state: State, player: int) -> str:
    """Return the lines that the bot of a side gets before its first turn."""
    return "\n".join([str(player), f"{WIDTH} {HEIGHT}", *state.board.grid]) + "\n"


def turn_input(state: State) -> str:
    """Return the lines that a bot gets for its turn."""
    rows = [
        f"{unit.id} {int(unit.is_leader)} {unit.hp} {unit.x} {unit.y} {unit.owner}"
        for unit in state.units
        if unit.is_alive
    ]
    return "\n".join([str(len(rows)), *rows]) + "\n"


class Reader:
    """Reads the protocol line by line; errors have the number of the line.

    Examples
    --------
    >>> from io import StringIO
    >>> from games.cultist.setup import new_state
    >>> reader = Reader(StringIO(first_input(new_state(0), 1) + turn_input(new_state(0))))
    >>> player, board = reader.read_start()
    >>> player, len(reader.read_units())
    (1, 14)
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = 0
        self._pushed_back: str | None = None
        self._skips_units = False

    def _next(self) -> str | None:
        if self._pushed_back is not None:
            text, self._pushed_back = self._pushed_back, None
            return text
        text = self._stream.readline()
        self._line += 1
        return text.strip() if text else None

    def _integers(self, text: str | None, names: str) -> list[int]:
        count = len(names.split())
        if text is None:
            raise self._bad(f"the input ends where {names!r} is expected")
        values = [whole_number(word, signed=True) for word in text.split()]
        numbers = [value for value in values if value is not None]
        if len(values) != count or len(numbers) != count:
            wanted = plural(count, "whole number")
            raise self._bad(f"{wanted} expected ({names}), not {text[:80]!r}")
        return numbers

    def _bad(self, message: str) -> BadInput:
        return BadInput(message, line=self._line)

    def read_start(self) -> tuple[int, Board]:
        """Return the bot's side and the board.

        Raises
        ------
        BadInput
            The lines are not those of the start of a game.
        """
        (player,) = self._integers(self._next(), "myId")
        if player not in (0, 1):
            raise self._bad(f"myId is 0 or 1, not {player}")
        width, height = self._integers(self._next(), "width height")
        if (width, height) != (WIDTH, HEIGHT):
            raise self._bad(f"boards are {WIDTH} {HEIGHT}, not {width} {height}")
        rows = []
        for _ in range(HEIGHT):
            row = self._next()
            if row is None:
                raise self._bad("the input ends in the middle of the board")
            rows.append(row)
        try:
            return player, Board.of(rows)
        except BadInput as error:
            row_number = self._line - HEIGHT + (error.line or HEIGHT)
            raise BadInput(error.message, line=row_number, column=error.column) from None

    def read_units(self) -> list[Unit] | None:
        """Return the living units of the next turn, ``None`` at the end of the input.

        If the number of units could not be read, lines that look like units are skipped, so that
        the next turn is read from its own first line.

        Raises
        ------
        BadInput
            The turn cannot be read. The reader continues with the next turn.
        """
        text = self._next()
        while self._skips_units and text is not None and len(text.split()) != 1:
            text = self._next()
        if text is None:
            return None
        self._skips_units = True
        (count,) = self._integers(text, "numOfUnits")
        if not 0 <= count <= UNITS:
            raise self._bad(f"there are at most {UNITS} units, not {count}")
        self._skips_units = False
        return self._read_rows(count)

    def _read_rows(self, count: int) -> list[Unit]:
        units: list[Unit] = []
        problem: BadInput | None = None
        for _ in range(count):
            text = self._next()
            if text is not None and len(text.split()) == 1:  # the next turn has begun
                self._pushed_back = text
                announced = plural(count, "unit")
                raise problem or self._bad(f"{announced} announced, but {len(units)} listed")
            try:
                units.append(self._unit(text))
            except BadInput as error:
                problem = problem or error
                if text is None:
                    break
        if problem is not None:
            raise problem
        return units

    def _unit(self, text: str | None) -> Unit:
        identity, kind, hp, x, y, owner = self._integers(text, "id type hp x y owner")
        if kind != int(identity in LEADERS):
            raise self._bad(
                f"unit {identity} has type {kind}, but 0 and 1 are the leaders (type 1)"
            )
        if hp < 1:
            raise self._bad(f"unit {identity} has {hp} hp, but only living units are listed")
        return Unit(identity, hp, x, y, owner)


class Tracker:
    """Makes full states of what a bot sees, by following the neutrals' generator.

    Every draw follows from public facts, so from the first turn on only one state of the generator
    is possible. After a turn that could not be read several may be possible, until the neutrals'
    steps exclude the wrong ones; the first of them is used. Where neutrals move at random there is
    nothing to follow: the generator's state is 0.

    Parameters
    ----------
    player
        The side of the bot, 0 or 1.
    board
        The obstacles.
    neutrals
        How neutrals move; see `State`.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> from games.cultist.setup import WAIT
    >>> state = new_state(0)
    >>> tracker = Tracker(0, state.board)
    >>> tracker.see(state.units) == state
    True
    >>> tracker.act(WAIT)
    >>> state = result(result(state, WAIT), WAIT)
    >>> tracker.see([unit for unit in state.units if unit.is_alive]) == state, tracker.candidates
    (True, 1)
    """

    def __init__(self, player: int, board: Board, neutrals: Neutrals = "referee") -> None:
        self._board = board
        self._neutrals = neutrals
        self._turn = player
        self._states: Sequence[State] = ()  # before the opponent's turn, or now
        self._owners = bytes([0, 1] + [NEUTRAL] * (UNITS - 2))

    @property
    def candidates(self) -> int:
        """How many states of the generator are possible; 1 if it is known."""
        return len(self._states)

    def see(self, units: Sequence[Unit]) -> State:
        """Return the state in which the bot is to move.

        If the neutrals' steps exclude every candidate, all states that the generator may have
        reached become candidates.

        Raises
        ------
        BadInput
            The units are impossible (see `state_of`), or the game is over.
        """
        if self._turn > LAST_TURN:
            raise BadInput(f"the game has only {LAST_TURN + 1} turns")
        seen = state_of(self._board, units, turn=self._turn, rng=0, neutrals=self._neutrals)
        owners = bytes(
            owner if hp else known
            for owner, hp, known in zip(seen.owners, seen.hp, self._owners, strict=True)
        )
        seen = seen._replace(owners=owners)
        self._owners = owners
        if self._neutrals != "referee":
            self._states = [seen]
            return seen
        candidates = {
            seen._replace(rng=rng): None
            for state in self._states
            if (rng := _rng_after(state, seen)) is not None
        }
        reachable = (seen._replace(rng=rng) for rng in _reachable(self._turn))
        self._states = list(candidates or reachable)
        return self._states[0]

    def act(self, action: Action) -> None:
        """Apply the bot's own action, as the referee carries it out."""
        self._states = [result(state, action) for state in self._states]
        self._owners = self._states[0].owners  # a unit may change sides and die before it is seen
        self._turn += 2

    def miss(self) -> None:
        """Skip a turn that could not be read."""
        self._states = ()
        self._turn += 2


def _rng_after(before: State, seen: State) -> int | None:
    """Return the generator after the opponent's turn, ``None`` if this state is impossible."""
    tiles = bytearray(seen.tiles)
    for unit in range(UNITS):
        died = before.hp[unit] and not seen.hp[unit]
        if died or seen.owners[unit] == NEUTRAL:  # it was on this tile until the neutrals' step
            tiles[unit] = before.tiles[unit]
    rng, after = neutral_step(seen.board, before.rng, bytes(tiles), seen.hp, seen.owners)
    alive = bytes(t if hp else NOWHERE for t, hp in zip(after, seen.hp, strict=True))
    return rng if alive == seen.tiles else None


def _reachable(turn: int) -> Iterator[int]:
    """Yield the generator states that a game may have before a turn.

    The first turn always has two draws: no unit can be dead, and the first slot is 3.
    """
    rng = FIRST_RNG
    draws = range(2 * turn, 2 * turn + 1) if turn < 2 else range(2 * turn + 1)
    for count in range(draws.stop):
        if count in draws:
            yield rng
        rng = next_rng(rng)


class Program(Bot):
    """A bot in a process of its own that uses the platform's protocol.

    Parameters
    ----------
    command
        The command line. It is split as a shell would split it, but no shell runs it.

    Raises
    ------
    BadInput
        The program cannot be run.
    """

    clock = staticmethod(perf_counter)

    def __init__(self, command: str) -> None:
        self._process = GuardedProcess(command)
        self._started = False

    def order(self, state: State, seconds: float) -> str:
        """Return the line that the program writes after the input of its turn.

        Raises
        ------
        BotFailed
            The program writes no line within the time limit, or it has ended.
        """
        text = turn_input(state)
        if not self._started:
            text = first_input(state, state.player) + text
            self._started = True
        try:
            return self._process.ask(text, seconds=seconds)
        except ProcessLate:
            raise too_late(seconds) from None
        except ProcessEnded as error:
            raise BotFailed(str(error)) from None

    def close(self) -> None:
        """End the program and its children."""
        self._process.close()


def serve(
    bot: Bot,
    requests: TextIO,
    answers: TextIO,
    log: TextIO,
    *,
    limits: TimeLimits | None = None,
    neutrals: Neutrals = "referee",
) -> None:
    """Play one game over the protocol: read the start, then answer each turn with an order.

    The bot uses the wall clock, as the platform does. A turn that cannot be read is answered with
    WAIT.

    Parameters
    ----------
    bot
        The bot; its clock is replaced.
    requests, answers
        The referee's input to the bot, and the bot's orders.
    log
        Gets a line for each turn that cannot be read, or in which the state of the neutrals'
        generator is not known for certain.
    limits
        The time limits; by default those of the platform.
    neutrals
        How neutrals move, which the protocol does not state.

    Raises
    ------
    BadInput
        The lines of the start cannot be read.
    """
    limits = limits or TimeLimits()
    bot.clock = perf_counter
    reader = Reader(requests)
    player, board = reader.read_start()
    tracker = Tracker(player, board, neutrals)
    seconds = limits.first / 2  # starting Python has used a part of the first turn
    while True:
        try:
            units = reader.read_units()
            if units is None:
                return
            state = tracker.see(units)
        except BadInput as error:
            tracker.miss()
            lost = "; the neutrals' generator is now uncertain" if neutrals == "referee" else ""
            _log(log, f"{error}; answering WAIT{lost}")
            _write(answers, str(WAIT))
        else:
            if tracker.candidates > 1:
                _log(
                    log,
                    f"turn {state.turn}: {tracker.candidates} states of the neutrals' generator "
                    "are possible; assuming one of them",
                )
            with collector_paused():  # until the answer is written
                order = bot.order(state, seconds)
                _write(answers, order)
            tracker.act(resolve(state, order))
        seconds = limits.turn


def _log(log: TextIO, text: str) -> None:
    with suppress(OSError):  # without a reader of the log the game goes on
        _write(log, f"deduce cultist bot: {text}")


def _write(stream: TextIO, line: str) -> None:
    stream.write(line + "\n")
    stream.flush()
