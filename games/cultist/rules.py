"""The rules as functions: the actions of a state, their results, and the end of the game.

They follow the platform's referee; section numbers are those of ``docs/games/cultist.md``.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from games.cultist.setup import (
    CONVERT,
    DISTANCE,
    LAST_TURN,
    LEADERS,
    MOVE,
    NOWHERE,
    RANGE,
    SHOOT,
    TILES,
    UNITS,
    WAIT,
    Action,
    Board,
    State,
    sides,
)

__all__ = [
    "DAMAGE",
    "SLOTS",
    "actions",
    "after_action",
    "at_rest",
    "bullet",
    "chance_outcomes",
    "is_over",
    "neutral_step",
    "next_rng",
    "result",
]

DAMAGE = 7
"""A hit takes 7 hit points minus the distance from the shooter to the unit that is hit."""
SLOTS = 12
"""The referee draws one of twelve positions in the list of neutrals, whatever its length."""

_MOVES = tuple(tuple(Action(MOVE, unit, tile) for tile in range(TILES)) for unit in range(UNITS))
_SHOTS = tuple(tuple(Action(SHOOT, a, b) for b in range(UNITS)) for a in range(UNITS))
_CONVERSIONS = tuple(tuple(Action(CONVERT, a, b) for b in range(UNITS)) for a in LEADERS)
_BYTE = tuple(bytes([value]) for value in range(TILES + 1))


def next_rng(rng: int) -> int:
    """Return the generator's next state; a draw below ``n`` is this state modulo ``n``.

    >>> next_rng(42), next_rng(42) % 12
    (1250496027, 3)
    """
    return (1103515245 * rng + 12345) & 0x7FFFFFFF


def actions(state: State, *, all_shots: bool = False) -> list[Action]:
    """Return the canonical actions of the side to move: one action for each effect.

    WAIT comes first, then for each unit its steps to free neighbours (up, right, down, left),
    conversions of adjacent units, and shots at living enemies within range, blocked or not.

    Parameters
    ----------
    state
        A state in which a side is to move; whether the game is over is not checked.
    all_shots
        Include shots at own units and at neutrals. They are legal and rarely useful: the enemy's
        leader cannot convert a neutral that was killed.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> [str(action) for action in actions(new_state(0))]
    ['WAIT', '0 MOVE 0 2', '0 MOVE 1 3', '0 MOVE 0 4']

    Notes
    -----
    Rules document, section 9. About 3 microseconds in the middle of a game.
    """
    board, turn, _, tiles, _, owners, _, _ = state
    player = turn & 1
    own, enemies, neutrals = sides(owners)
    if player:
        own, enemies = enemies, own
    offered = [WAIT]
    add = offered.append
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
            for target, aim in targets:
                if distance[aim] <= RANGE and target != unit:
                    add(shots[target])
        else:
            conversions = _CONVERSIONS[unit]
            for target in enemies + neutrals:
                if distance[tiles[target]] == 1 and target not in LEADERS:
                    add(conversions[target])
    return offered


def bullet(state: State, shooter: int, target: int) -> tuple[int, int | None]:
    """Return the tile that a shot hits and the unit on it, ``None`` for an obstacle.

    Of the tiles strictly between the two, the one nearest to the shooter that is an obstacle or
    holds a unit of any owner is hit instead of the target.

    Parameters
    ----------
    state
        A state in which both units are alive and at most 6 tiles apart.
    shooter, target
        Ids of units.

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

    The tile is `NOWHERE` if no unit was killed; a killed unit has 0 hit points in that state and
    is still on its tile.

    Parameters
    ----------
    state
        The state before the action.
    action
        One of ``actions(state, all_shots=True)``. **This is not checked.**
    """
    tiles, hp, owners, vacated = _act(state, action)
    return state._replace(tiles=tiles, hp=hp, owners=owners), vacated


def _act(state: State, action: Action) -> tuple[bytes, bytes, bytes, int]:
    """Return tiles, hit points and owners after an action, and the tile of a unit it killed."""
    verb, unit, target = action
    _, _, _, tiles, hp, owners, _, _ = state
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

    A unit killed in this turn must still be on its tile.

    Notes
    -----
    Rules document, section 6: one of twelve slots is drawn. No unit moves if the slot is beyond
    the end of the list of neutrals, which includes the dead ones, or belongs to a dead one.
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

    In the variants with chance the step is drawn at random, with the generator of the state as the
    seed, so that a game can be replayed.

    Parameters
    ----------
    state
        The state before the turn.
    action
        One of ``actions(state, all_shots=True)``. **This is not checked.**

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> after = result(new_state(0), WAIT)
    >>> after.turn, after.rng, after.units[5]
    (1, 1116302264, Unit(id=5, hp=10, x=3, y=3, owner=2))

    Notes
    -----
    Rules document, section 2. About 3 microseconds.
    """
    if state.neutrals != "referee":
        random = Random(state.rng)
        outcomes = chance_outcomes(after_action(state, action)[0])
        after, _ = random.choices(outcomes, [share for _, share in outcomes])[0]
        return after._replace(rng=random.getrandbits(31))
    tiles, hp, owners, vacated = _act(state, action)
    rng, tiles = neutral_step(state.board, state.rng, tiles, hp, owners)
    if vacated != NOWHERE:
        tiles = tiles.replace(_BYTE[vacated], _BYTE[NOWHERE])
    return State(state.board, state.turn + 1, rng, tiles, hp, owners)


def at_rest(state: State) -> State:
    """Return the state after the turn of a side if no neutral moves: the dead are removed.

    Parameters
    ----------
    state
        The state after the action of the side.
    """
    alive = bytes(t if hp else NOWHERE for t, hp in zip(state.tiles, state.hp, strict=True))
    return state._replace(turn=state.turn + 1, tiles=alive, chance=False)


def chance_outcomes(state: State) -> list[tuple[State, Fraction]]:
    """Return the states after a neutral's random move, with their probabilities.

    Parameters
    ----------
    state
        The state after the action of a side, in a variant with chance.
    """
    tiles, hp = state.tiles, state.hp
    unmoved = at_rest(state)
    alive = unmoved.tiles
    free = {
        unit: [near for near in state.board.neighbours[tiles[unit]] if near not in tiles]
        for unit in sides(state.owners)[2]
        if hp[unit]
    }
    movers = {unit: steps for unit, steps in free.items() if steps}
    share = Fraction(1, SLOTS if state.neutrals == "slots" else max(1, len(movers)))
    outcomes = [
        (unmoved._replace(tiles=alive.replace(_BYTE[tiles[unit]], _BYTE[step])), share / len(steps))
        for unit, steps in movers.items()
        for step in steps
    ]
    rest = 1 - share * len(movers)
    return [(unmoved, rest), *outcomes] if rest else outcomes


def is_over(state: State) -> bool:
    """Return whether the game is over: 150 turns were played or a side has no living unit.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> is_over(new_state(0))
    False
    """
    if state.turn > LAST_TURN:
        return True
    tiles = state.tiles
    if tiles[0] != NOWHERE and tiles[1] != NOWHERE:  # leaders never change sides
        return False
    return 0 in state.counts
