"""The platform's protocol for bots: what the referee writes, and how a bot reads it.

A bot gets its side, the board's size and rows once, and then, turn by turn, the number of living
units and a line ``id type hp x y owner`` for each. It answers with one order a turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from deduce.errors import BadInput
from games.cultist.board import HEIGHT, NOWHERE, WIDTH, Board
from games.cultist.maps import FIRST_RNG
from games.cultist.rules import neutral_step, next_rng, result
from games.cultist.state import LAST_TURN, LEADERS, NEUTRAL, UNITS, Action, State, Unit, state_of

__all__ = ["Reader", "Tracker", "first_input", "turn_input"]


def first_input(state: State, player: int) -> str:
    """Return the lines that a bot gets before its first turn."""
    return "\n".join([str(player), f"{WIDTH} {HEIGHT}", *state.board.grid]) + "\n"


def turn_input(state: State) -> str:
    """Return the lines that a bot gets in its turn."""
    rows = [
        f"{unit.id} {int(unit.is_leader)} {unit.hp} {unit.x} {unit.y} {unit.owner}"
        for unit in state.units
        if unit.is_alive
    ]
    return "\n".join([str(len(rows)), *rows]) + "\n"


class Reader:
    """Reads the protocol line by line and says in which line something is wrong.

    Examples
    --------
    >>> from io import StringIO
    >>> from games.cultist.maps import new_state
    >>> reader = Reader(StringIO(first_input(new_state(0), 1) + turn_input(new_state(0))))
    >>> player, board = reader.read_start()
    >>> player, len(reader.read_units())
    (1, 14)
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = 0
        self._again: str | None = None
        self._skips = False

    def _next(self) -> str | None:
        if self._again is not None:
            text, self._again = self._again, None
            return text
        text = self._stream.readline()
        self._line += 1
        return text.strip() if text else None

    def _numbers(self, text: str | None, names: str) -> list[int]:
        expected = names.split()
        if text is None:
            raise self._bad(f"the input ends where {names!r} should stand")
        try:
            numbers = [int(word) for word in text.split()]
        except ValueError:
            numbers = []
        if len(numbers) != len(expected):
            raise self._bad(f"{len(expected)} whole numbers ({names}) should stand here: {text!r}")
        return numbers

    def _bad(self, message: str) -> BadInput:
        return BadInput(message, line=self._line)

    def read_start(self) -> tuple[int, Board]:
        """Return the bot's side and the board.

        Raises
        ------
        BadInput
            The lines are not those of a game's start.
        """
        (player,) = self._numbers(self._next(), "myId")
        if player not in (0, 1):
            raise self._bad(f"myId is 0 or 1, not {player}")
        width, height = self._numbers(self._next(), "width height")
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

        After an odd number of units the lines that look like units are passed over, so that the
        next turn is read from its own first line.

        Raises
        ------
        BadInput
            The turn's lines are odd. The reader stands at the next turn then.
        """
        text = self._next()
        while self._skips and text is not None and len(text.split()) != 1:
            text = self._next()
        if text is None:
            return None
        self._skips = True
        (count,) = self._numbers(text, "numOfUnits")
        if not 0 <= count <= UNITS:
            raise self._bad(f"there are at most {UNITS} units, not {count}")
        self._skips = False
        return self._read_rows(count)

    def _read_rows(self, count: int) -> list[Unit]:
        units: list[Unit] = []
        problem: BadInput | None = None
        for _ in range(count):
            text = self._next()
            if text is not None and len(text.split()) == 1:  # the next turn has begun
                self._again = text
                raise problem or self._bad(f"{count} units were announced, {len(units)} came")
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
        number, kind, hp, x, y, owner = self._numbers(text, "id type hp x y owner")
        if kind != int(number in LEADERS):
            raise self._bad(f"unit {number} has type {kind}, but 0 and 1 are the leaders (type 1)")
        if hp < 1:
            raise self._bad(f"unit {number} is listed with {hp} hp; only living units are")
        return Unit(number, hp, x, y, owner)


class Tracker:
    """Turns what a bot sees into full states: it follows the neutrals' generator by itself.

    Every draw follows from public facts, so one generator state is left from the first turn on.
    After a turn that could not be read there may be several, until the neutrals' steps rule the
    wrong ones out; the first that fits is used.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> from games.cultist.state import WAIT
    >>> state = new_state(0)
    >>> tracker = Tracker(0, state.board)
    >>> tracker.see(state.units) == state
    True
    >>> tracker.act(WAIT)
    >>> state = result(result(state, WAIT), WAIT)
    >>> tracker.see([unit for unit in state.units if unit.is_alive]) == state, tracker.candidates
    (True, 1)
    """

    def __init__(self, player: int, board: Board) -> None:
        self._board = board
        self._turn = player
        self._states: Sequence[State] = ()  # before the opponent's turn, or what is seen now
        self._owners = bytes([0, 1] + [NEUTRAL] * (UNITS - 2))

    @property
    def candidates(self) -> int:
        """How many states of the generator fit what was seen; 1 is certainty."""
        return len(self._states)

    def see(self, units: Sequence[Unit]) -> State:
        """Return the state in which the bot is to move.

        If no generator state fits the neutrals' steps, all that may have been reached are
        candidates again.

        Raises
        ------
        BadInput
            Units off the board, two on a tile, an id twice and the like, or the game is over.
        """
        if self._turn > LAST_TURN:
            raise BadInput(f"the game has only {LAST_TURN + 1} turns")
        seen = state_of(self._board, units, turn=self._turn, rng=0)
        owners = bytes(
            owner if hp else known
            for owner, hp, known in zip(seen.owners, seen.hp, self._owners, strict=True)
        )
        seen = seen._replace(owners=owners)
        self._owners = owners
        fitting = {
            seen._replace(rng=rng): None
            for state in self._states
            if (rng := _rng_after(state, seen)) is not None
        }
        self._states = list(fitting) or [seen._replace(rng=rng) for rng in _reachable(self._turn)]
        return self._states[0]

    def act(self, action: Action) -> None:
        """Take in what the referee makes of the bot's own order."""
        self._states = [result(state, action) for state in self._states]
        self._owners = self._states[0].owners  # a unit may change sides and die before it is seen
        self._turn += 2

    def miss(self) -> None:
        """Take in that a turn could not be read, so that nothing is known of it."""
        self._states = ()
        self._turn += 2


def _rng_after(before: State, seen: State) -> int | None:
    """Return the generator after the opponent's turn, ``None`` if the neutrals moved otherwise."""
    tiles = bytearray(seen.tiles)
    for unit in range(UNITS):
        died = before.hp[unit] and not seen.hp[unit]
        if died or seen.owners[unit] == NEUTRAL:  # stood where it was until the neutrals' step
            tiles[unit] = before.tiles[unit]
    rng, after = neutral_step(seen.board, before.rng, bytes(tiles), seen.hp, seen.owners)
    alive = bytes(t if hp else NOWHERE for t, hp in zip(after, seen.hp, strict=True))
    return rng if alive == seen.tiles else None


def _reachable(turn: int) -> Iterator[int]:
    """Yield the generator states that a game may have before a turn.

    In the first turn there are always two draws: nobody can have died, and the first slot is 3.
    """
    rng = FIRST_RNG
    draws = range(2 * turn, 2 * turn + 1) if turn < 2 else range(2 * turn + 1)
    for number in range(draws.stop):
        if number in draws:
            yield rng
        rng = next_rng(rng)
