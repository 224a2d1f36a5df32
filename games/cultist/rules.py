"""The rules: which actions there are, what they do, and when the game is over.

Everything here works on immutable states and follows the platform's referee; section numbers are
those of the rules document in ``docs/games/cultist.md``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal

from attrs import field, frozen

from games.cultist.board import DISTANCE, NOWHERE, RANGE, TILES, Board
from games.cultist.maps import new_state
from games.cultist.state import (
    CONVERT,
    LAST_TURN,
    LEADERS,
    MOVE,
    SHOOT,
    UNITS,
    WAIT,
    Action,
    State,
    sides,
)

__all__ = [
    "DAMAGE",
    "SLOTS",
    "CultistWars",
    "Neutrals",
    "actions",
    "after_action",
    "bullet",
    "is_over",
    "neutral_step",
    "next_rng",
    "result",
]

Neutrals = Literal["referee", "slots", "statement"]
"""How neutrals move: by the referee's generator, or by chance in one of two ways."""

DAMAGE = 7
"""A hit costs 7 hit points less the distance from the shooter to the unit that is hit."""
SLOTS = 12
"""The referee draws one of twelve places in the list of neutrals, however long the list is."""

_MOVES = tuple(tuple(Action(MOVE, unit, tile) for tile in range(TILES)) for unit in range(UNITS))
_SHOTS = tuple(tuple(Action(SHOOT, a, b) for b in range(UNITS)) for a in range(UNITS))
_CONVERSIONS = tuple(tuple(Action(CONVERT, a, b) for b in range(UNITS)) for a in LEADERS)
_BYTE = tuple(bytes([number]) for number in range(TILES + 1))
_AWAY = _BYTE[NOWHERE]


def next_rng(rng: int) -> int:
    """Return the generator's next state; the number drawn from ``n`` is that state modulo ``n``.

    >>> next_rng(42), next_rng(42) % 12
    (1250496027, 3)
    """
    return (1103515245 * rng + 12345) & 0x7FFFFFFF


def actions(state: State, *, all_shots: bool = False) -> list[Action]:
    """Return the canonical actions of the side to move: every effect under one name.

    WAIT first, then unit by unit: steps to free neighbours (up, right, down, left), conversions
    of adjacent units, shots at living enemies within range, also those that something blocks.

    Parameters
    ----------
    all_shots
        Offer shots at own units and at neutrals too; they are legal and seldom useful (a neutral
        killed is one that the enemy's leader cannot convert).

    Examples
    --------
    >>> [str(action) for action in actions(new_state(0))]
    ['WAIT', '0 MOVE 0 2', '0 MOVE 1 3', '0 MOVE 0 4']

    Notes
    -----
    Rules document, section 9. About 3 microseconds in an opened game.
    """
    board, turn, _, tiles, _, owners, _ = state
    player = turn & 1
    own, enemies, neutrals = sides(owners)
    if player:
        own, enemies = enemies, own
    found = [WAIT]
    add = found.append
    targets = [(unit, tiles[unit]) for unit in enemies if tiles[unit] != NOWHERE]
    if all_shots:
        targets = [(u, tile) for u, tile in enumerate(tiles) if tile != NOWHERE]
    neighbours = board.neighbours
    for unit in own:
        tile = tiles[unit]
        if tile == NOWHERE:
            continue
        moves = _MOVES[unit]
        for near in neighbours[tile]:
            if near not in tiles:
                add(moves[near])
        distance = DISTANCE[tile]
        if unit != player:
            shots = _SHOTS[unit]
            for target, place in targets:
                if distance[place] <= RANGE and target != unit:
                    add(shots[target])
        else:
            conversions = _CONVERSIONS[unit]
            for target in enemies + neutrals:
                if distance[tiles[target]] == 1 and target not in LEADERS:
                    add(conversions[target])
    return found


def bullet(state: State, shooter: int, target: int) -> tuple[int, int | None]:
    """Return the tile that a shot hits and the unit on it, ``None`` for an obstacle.

    Of the tiles between the two, the first from the shooter on that is an obstacle or holds a
    unit, whoever owns it, is hit instead of the target. Both must be alive and within range.

    Notes
    -----
    Rules document, section 5.
    """
    tiles = state.tiles
    passed, obstacle = state.board.lines[tiles[shooter]][tiles[target]]
    for tile in passed:
        if tile in tiles:
            return tile, tiles.index(tile)
    if obstacle is not None:
        return obstacle, None
    return tiles[target], target


def after_action(state: State, action: Action) -> tuple[State, int]:
    """Return the state between an action and the neutrals' step, and the tile of a unit it killed.

    The tile is `NOWHERE` if nobody was killed; a killed unit has 0 hit points in that state and
    still stands on its tile.

    Parameters
    ----------
    action
        One that `actions` gives for the state, ``all_shots`` included. **This is not checked.**
    """
    tiles, hp, owners, fallen = _act(state, action)
    return state._replace(tiles=tiles, hp=hp, owners=owners), fallen


def _act(state: State, action: Action) -> tuple[bytes, bytes, bytes, int]:
    """Return tiles, hit points and owners after an action, and the tile of a unit it killed."""
    verb, unit, target = action
    _, _, _, tiles, hp, owners, _ = state
    if verb == MOVE:
        return tiles.replace(_BYTE[tiles[unit]], _BYTE[target]), hp, owners, NOWHERE
    if verb == SHOOT:
        tile, hit = bullet(state, unit, target)
        if hit is not None:
            left = hp[hit] - DAMAGE + DISTANCE[tiles[unit]][tile]
            if left <= 0:
                return tiles, hp[:hit] + _BYTE[0] + hp[hit + 1 :], owners, tile
            hp = hp[:hit] + _BYTE[left] + hp[hit + 1 :]
    elif verb == CONVERT:
        owners = owners[:target] + _BYTE[unit] + owners[target + 1 :]
    return tiles, hp, owners, NOWHERE


def neutral_step(
    board: Board, rng: int, tiles: bytes, hp: bytes, owners: bytes
) -> tuple[int, bytes]:
    """Return the generator and the tiles after the referee's step for the neutrals.

    A unit killed in this turn must still stand on its tile.

    Notes
    -----
    Rules document, section 6: one of twelve slots is drawn; behind the end of the list of neutrals
    (the dead ones are in it) and at a dead one nobody moves.
    """
    neutrals = sides(owners)[2]
    if not neutrals:
        return rng, tiles
    rng = (1103515245 * rng + 12345) & 0x7FFFFFFF  # next_rng, without the cost of a call
    slot = rng % SLOTS
    if slot >= len(neutrals) or not hp[neutrals[slot]]:
        return rng, tiles
    tile = tiles[neutrals[slot]]
    rng = (1103515245 * rng + 12345) & 0x7FFFFFFF
    free = [near for near in board.neighbours[tile] if near not in tiles]
    if not free:
        return rng, tiles
    return rng, tiles.replace(_BYTE[tile], _BYTE[free[rng % len(free)]])


def result(state: State, action: Action) -> State:
    """Return the state after a whole turn: the action, the neutrals' step, the dead removed.

    Parameters
    ----------
    action
        One that `actions` gives for the state, ``all_shots`` included. **This is not checked.**

    Examples
    --------
    >>> after = result(new_state(0), WAIT)
    >>> after.turn, after.rng, after.units[5]
    (1, 1116302264, Unit(id=5, hp=10, x=3, y=3, owner=2))

    Notes
    -----
    Rules document, section 2. About 3 microseconds.
    """
    tiles, hp, owners, fallen = _act(state, action)
    rng, tiles = neutral_step(state.board, state.rng, tiles, hp, owners)
    if fallen != NOWHERE:
        tiles = tiles.replace(_BYTE[fallen], _AWAY)
    return State(state.board, state.turn + 1, rng, tiles, hp, owners)


def is_over(state: State) -> bool:
    """Return whether the game is over: 150 turns were played or a side has no unit left."""
    if state.turn > LAST_TURN:
        return True
    tiles = state.tiles
    if tiles[0] != NOWHERE and tiles[1] != NOWHERE:  # leaders never change sides
        return False
    return 0 in state.counts


@frozen
class CultistWars:
    """Cultist Wars as a game for the search layer.

    Parameters
    ----------
    start
        The first state; by default that of seed 0.
    neutrals
        ``"referee"``: by the generator in the state, as on the platform, so that the game is
        deterministic with perfect information. ``"slots"``: chance draws one of twelve slots, then
        a direction. ``"statement"``: chance draws a neutral among those that can move, then a
        direction, as the platform's statement says. The last two leave the generator untouched.
    all_shots
        Offer shots at own units and neutrals as well.

    Examples
    --------
    >>> game = CultistWars()
    >>> state = game.result(game.initial_state(), game.actions(game.initial_state())[1])
    >>> game.to_move(state), game.utility(state)
    (1, None)
    """

    start: State = field(factory=lambda: new_state(0))
    neutrals: Neutrals = "referee"
    all_shots: bool = field(default=False, kw_only=True)
    players: ClassVar[int] = 2
    zero_sum: ClassVar[bool] = True
    utility_bounds: ClassVar[tuple[float, float]] = (-UNITS, UNITS)

    def initial_state(self) -> State:
        """Return the state the game starts from."""
        return self.start

    def to_move(self, state: State) -> int:
        """Return the side whose turn it is."""
        return state.turn & 1

    def actions(self, state: State) -> list[Action]:
        """Return the canonical actions of the side to move; see `actions`."""
        return actions(state, all_shots=self.all_shots)

    def result(self, state: State, action: Action) -> State:
        """Return the state after the turn; in a variant with chance, before a neutral moves."""
        if self.neutrals == "referee":
            return result(state, action)
        return after_action(state, action)[0]._replace(chance=True)

    def outcomes(self, state: State) -> list[tuple[State, Fraction]] | None:
        """Return the states that chance may lead to with their probabilities, or ``None``."""
        if not state.chance:
            return None
        return _outcomes(state, self.neutrals)

    def utility(self, state: State) -> tuple[float, float] | None:
        """Return each side's lead in living units once the game is over, else ``None``.

        The side with more units wins, equal numbers are a draw; a greater lead is better here too,
        as in the recorded endgames.
        """
        if state.chance or not is_over(state):
            return None
        first, second = state.counts
        return first - second, second - first

    def svg(self, state: State) -> str:
        """Return the board as a picture for notebooks."""
        from games.cultist.page import board_svg

        return board_svg(state)

    def show(self, state: State) -> str:
        """Return the board as a picture in text."""
        return str(state)

    def format_action(self, state: State, action: Action) -> str:
        """Return the text that the referee reads."""
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        """Return the action that the referee carries out for a text; see `orders.resolve`."""
        from games.cultist.orders import resolve

        return resolve(state, text)

    def format_state(self, state: State) -> str:
        """Return the state as one line of text."""
        from games.cultist.notation import format_state

        return format_state(state)

    def parse_state(self, text: str) -> State:
        """Return the state of a text that `format_state` wrote."""
        from games.cultist.notation import parse_state

        return parse_state(text)


def _outcomes(state: State, neutrals: Neutrals) -> list[tuple[State, Fraction]]:
    tiles, hp = state.tiles, state.hp
    gone = bytes(NOWHERE if not left else tile for tile, left in zip(tiles, hp, strict=True))
    stays = state._replace(turn=state.turn + 1, tiles=gone, chance=False)
    listed = sides(state.owners)[2]
    steps = {
        unit: [near for near in state.board.neighbours[tiles[unit]] if near not in tiles]
        for unit in listed
        if hp[unit]
    }
    movers = {unit: free for unit, free in steps.items() if free}
    share = Fraction(1, SLOTS if neutrals == "slots" else max(1, len(movers)))
    found = [
        (stays._replace(tiles=gone.replace(_BYTE[tiles[unit]], _BYTE[near])), share / len(free))
        for unit, free in movers.items()
        for near in free
    ]
    nobody = 1 - share * len(movers)
    return [(stays, nobody), *found] if nobody else found
