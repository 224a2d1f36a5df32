"""States of an endgame as numbers of 64 bits: what can change since its start, and nothing else.

Each unit that lives at the start takes a tile and hit points, or none of them, and an owner. Hit
points never grow, and no unit becomes neutral. The generator is stored as the number of its
draws since the start, at most two in a turn.
"""

from __future__ import annotations

from deduce.errors import BadInput, Unsupported
from games.cultist.board import NOWHERE, TILES
from games.cultist.rules import next_rng
from games.cultist.state import LAST_TURN, LEADERS, NEUTRAL, UNITS, State

__all__ = ["EndgameCode"]

BITS = 64
DRAWS = 2
"""How often the generator is used in a turn at most."""


class EndgameCode:
    """The numbers of all states that can follow a state.

    Parameters
    ----------
    start
        The first state.

    Raises
    ------
    Unsupported
        Neutrals move by chance, or the numbers need more than 64 bits.

    Examples
    --------
    >>> from games.cultist.board import Board
    >>> from games.cultist.state import Unit, state_of
    >>> board = Board.of(["............."] * 7)
    >>> units = [Unit(0, 9, 3, 3, 0), Unit(5, 10, 6, 3, 0), Unit(8, 4, 8, 3, 1)]
    >>> state = state_of(board, units, turn=140, rng=7)
    >>> code = EndgameCode(state)
    >>> code.unpack(code.pack(state)) == state
    True
    """

    def __init__(self, start: State) -> None:
        if start.neutrals != "referee" or start.chance:
            raise Unsupported("neutrals move by chance; packed states are for games without chance")
        self.start = start
        self._floor = [tile for tile in range(TILES) if start.board.is_floor(tile)]
        self._place = {tile: index for index, tile in enumerate(self._floor)}
        self._units = [unit for unit in range(UNITS) if start.tiles[unit] != NOWHERE]
        self._owners = [
            [unit]
            if unit in LEADERS
            else [0, 1, NEUTRAL]
            if start.owners[unit] == NEUTRAL
            else [0, 1]
            for unit in self._units
        ]
        self._turns = LAST_TURN + 2 - start.turn
        draws = DRAWS * (self._turns - 1) + 1 if NEUTRAL in start.owners else 1
        self._rngs = [start.rng]
        for _ in range(1, draws):
            self._rngs.append(next_rng(self._rngs[-1]))
        self._draws = {rng: index for index, rng in enumerate(self._rngs)}
        most = self._turns * draws
        for unit, owners in zip(self._units, self._owners, strict=True):
            most *= (len(self._floor) * start.hp[unit] + 1) * len(owners)
        if most > 1 << BITS:
            raise Unsupported(
                f"{len(self._units)} units on {len(self._floor)} tiles for {self._turns - 1} turns "
                f"need {most.bit_length()} bits, more than {BITS}"
            )

    def pack(self, state: State) -> int:
        """Return the number of a state.

        Raises
        ------
        BadInput
            The state cannot follow the first one.
        """
        try:
            return self._packed(state)
        except (LookupError, ValueError):
            raise BadInput("the state cannot follow from the start of the game") from None

    def _packed(self, state: State) -> int:
        start = self.start
        turn = state.turn - start.turn
        if state.board is not start.board or not 0 <= turn < self._turns:
            raise ValueError
        code = 0
        for unit, owners in zip(self._units, self._owners, strict=True):
            tile, hp, most = state.tiles[unit], state.hp[unit], start.hp[unit]
            if hp > most or (tile == NOWHERE) != (hp == 0):
                raise ValueError
            place = self._place[tile] * most + hp if hp else 0
            code = code * (len(self._floor) * most + 1) + place
            code = code * len(owners) + owners.index(state.owners[unit])
        if self.unpack_units(code) != (state.tiles, state.hp, state.owners):
            raise ValueError  # a unit lives that was dead at the start
        code = code * len(self._rngs) + self._draws[state.rng]
        return code * self._turns + turn

    def unpack(self, code: int) -> State:
        """Return the state of a number that `pack` gives."""
        code, turn = divmod(code, self._turns)
        code, draws = divmod(code, len(self._rngs))
        tiles, hp, owners = self.unpack_units(code)
        start = self.start
        return State(start.board, start.turn + turn, self._rngs[draws], tiles, hp, owners)

    def unpack_units(self, code: int) -> tuple[bytes, bytes, bytes]:
        """Return tiles, hit points and owners of all units."""
        start = self.start
        tiles, hps, all_owners = map(bytearray, (start.tiles, start.hp, start.owners))
        pairs = list(zip(self._units, self._owners, strict=True))
        for unit, owners in reversed(pairs):
            code, owner = divmod(code, len(owners))
            code, place = divmod(code, len(self._floor) * start.hp[unit] + 1)
            index, hp = divmod(place - 1, start.hp[unit])
            all_owners[unit] = owners[owner]
            tiles[unit] = self._floor[index] if place else NOWHERE
            hps[unit] = hp + 1 if place else 0
        return bytes(tiles), bytes(hps), bytes(all_owners)


def _owners(start: State, unit: int) -> list[int]:
    """Return who may own a unit from now on: a leader keeps its side, and none becomes neutral."""
    if unit in LEADERS:
        return [unit]
    return [0, 1, NEUTRAL] if start.owners[unit] == NEUTRAL else [0, 1]
