"""Cultist Wars as a game for searches: `CultistWars`, with its rules, notation and evaluations.

An evaluation estimates how an unfinished game will end, positive in favour of side 0. Most turns
leave hit points and owners unchanged, so the parts that depend on these are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import sqrt
from typing import ClassVar

from attrs import field, frozen

from deduce.errors import BadInput, Unsupported
from deduce.search.digits import Digits
from games.cultist import events, notation, rules
from games.cultist.rules import DAMAGE, next_rng
from games.cultist.setup import (
    DISTANCE,
    FULL_HP,
    LAST_TURN,
    LEADERS,
    NEUTRAL,
    NOWHERE,
    OWNER_NAMES,
    RANGE,
    TILES,
    UNITS,
    Action,
    Neutrals,
    State,
    new_state,
    sides,
)
from games.cultist.wording import action_words

__all__ = [
    "CultistWars",
    "EndgameCode",
    "Evaluation",
    "default_evaluation",
    "hit_point_sum",
    "square_roots",
]


Evaluation = Callable[[State], float]
"""Positive if side 0 has the better position; always far below the value of a won game."""

_FAR = 99  # the distance to a tile that cannot be reached, in the tables of `board`
_ROOTS = [sqrt(hp) for hp in range(FULL_HP + 1)]
_PULL = [60 * 0.8**steps for steps in range(_FAR)] + [0.0]


def _health(turn: int) -> float:
    """Return the share of a unit's worth that depends on its hit points.

    The rest is for being alive. The share falls from 1 in the first turn to about 0.1 in the
    last, because only living units count in the end.
    """
    return 1 - 0.006 * turn


def _fire(turn: int) -> list[list[float]]:
    """Return the loss by a hit, indexed by the hit points of its victim and the distance."""
    health = _health(turn)
    unit = [0.0] + [100 * (1 - health) + 10 * health * hp for hp in range(1, FULL_HP + 1)]
    return [
        [unit[hp] - unit[max(0, hp - DAMAGE + reach)] for reach in range(RANGE + 1)]
        for hp in range(FULL_HP + 1)
    ]


_FIRE = [_fire(turn) for turn in range(LAST_TURN + 2)]


def default_evaluation(state: State) -> float:
    """Return the default bot's evaluation: units, their health, near neutrals, firepower.

    - A unit with all its hit points counts 100. In the first turn a wounded one counts in
      proportion to its hit points; the part for being alive grows to 90 in the last turn.
    - Each neutral counts for both leaders, less the longer the leader's walk to it. A search of a
      few turns therefore walks towards the best group of neutrals, not just to the nearest one.
    - Each side has one action per turn, so its firepower is its best single shot: what the target
      would lose by it.

    Notes
    -----
    About 3 microseconds.
    """
    tiles = state.tiles
    first, second, neutrals = sides(state.owners)
    units, points = _leads(state.hp, state.owners)
    health = _health(state.turn)
    value = 100 * (1 - health) * units + 10 * health * points + _firepower(state, first, second)
    walks = state.board.walks
    walk, other_walk = walks[tiles[0]], walks[tiles[1]]
    for unit in neutrals:
        tile = tiles[unit]
        value += _PULL[walk[tile]] - _PULL[other_walk[tile]]
    return value


def _firepower(state: State, first: tuple[int, ...], second: tuple[int, ...]) -> float:
    """Return the loss by the best shot of side 0 minus the loss by the best shot of side 1.

    A line is the same in both directions, so each pair of enemies is examined once for both.
    """
    tiles, hp, lines, fire = state.tiles, state.hp, state.board.lines, _FIRE[state.turn]
    best = other_best = 0.0
    targets = [(unit, tiles[unit]) for unit in second if hp[unit]]
    for unit in first:
        tile = tiles[unit]
        distance = DISTANCE[tile]
        for target, aim in targets:
            reach = distance[aim]
            if reach > RANGE:
                continue
            gain = fire[hp[target]][reach] if unit else 0.0  # leaders, units 0 and 1, do not shoot
            loss = fire[hp[unit]][reach] if target != 1 else 0.0
            if gain > best or loss > other_best:
                passed, obstacle = lines[tile][aim]
                if obstacle is None and not any(between in tiles for between in passed):
                    best = max(best, gain)
                    other_best = max(other_best, loss)
    return best - other_best


@lru_cache(maxsize=1 << 16)
def _leads(hp: bytes, owners: bytes) -> tuple[int, int]:
    """Return the lead of side 0 in living units and in hit points."""
    first, second, _ = sides(owners)
    own, other = ([hp[unit] for unit in ids if hp[unit]] for ids in (first, second))
    return len(own) - len(other), sum(own) - sum(other)


def square_roots(state: State) -> float:
    """Return the evaluation that the author of a strong bot described, made symmetric.

    It is 100 times the sum of the square roots of the own hit points minus that of the enemy's,
    plus half the sum for the neutrals if the own leader lives; minus the distance from the leader
    to the nearest neutral.

    Notes
    -----
    From a post in the platform's forum about the community event, in which the bot came 7th.
    """
    hp, owners, tiles = state.hp, state.owners, state.tiles
    neutrals = sides(owners)[2]
    value = 100 * _root_sums(hp, owners)
    for leader, sign in ((0, -1), (1, 1)):
        distance = DISTANCE[tiles[leader]]
        nearest = min((distance[tiles[unit]] for unit in neutrals), default=_FAR)
        if nearest != _FAR:
            value += sign * nearest
    return value


@lru_cache(maxsize=1 << 16)
def _root_sums(hp: bytes, owners: bytes) -> float:
    first, second, neutrals = (sum(_ROOTS[hp[unit]] for unit in ids) for ids in sides(owners))
    return first - second + neutrals / 2 * ((hp[0] > 0) - (hp[1] > 0))


def hit_point_sum(state: State) -> float:
    """Return the lead of side 0 in points: 20 per hit point of a leader, hp + 1 for a cultist.

    Notes
    -----
    The evaluation of a public bot in C (thibaud-heub/cultist-wars-ai).
    """
    return _hit_point_sum(state.hp, state.owners)


@lru_cache(maxsize=1 << 16)
def _hit_point_sum(hp: bytes, owners: bytes) -> float:
    first, second, _ = sides(owners)
    return sum(_points(hp, unit) for unit in first) - sum(_points(hp, unit) for unit in second)


def _points(hp: bytes, unit: int) -> int:
    return 20 * hp[unit] if unit in LEADERS else hp[unit] + (hp[unit] > 0)


BITS = 64
DRAWS = 2
"""How often the generator is used in a turn at most."""


@frozen(slots=False)
class CultistWars:
    """Cultist Wars as a game with perfect information for `deduce.search`.

    Parameters
    ----------
    start
        The first state; by default that of seed 0.
    neutrals
        How neutrals move. ``"referee"``: as the state says, which is by its generator, as on the
        platform, unless the state was made for another variant; the game is then deterministic.
        ``"slots"`` and ``"statement"``: by chance; see `State`. Searches average over all steps
        and do not use the generator.
    all_shots
        Include shots at own units and at neutrals in the actions.

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

    @property
    def has_chance(self) -> bool:
        """Whether neutrals move at random: in a variant, as it is set up or as it begins."""
        return not {self.neutrals, self.start.neutrals} <= {"referee"}

    def initial_state(self) -> State:
        """Return the first state."""
        return self._as_set_up(self.start)

    def to_move(self, state: State) -> int:
        """Return the side whose turn it is, 0 or 1."""
        return state.turn & 1

    def player_name(self, player: int) -> str:
        """Return the letter of a side: ``"A"`` for side 0, ``"B"`` for side 1."""
        return OWNER_NAMES[player]

    def actions(self, state: State) -> list[Action]:
        """Return the canonical actions of the side to move; see `rules.actions`."""
        return rules.actions(state, all_shots=self.all_shots)

    def result(self, state: State, action: Action) -> State:
        """Return the state after the turn; in a variant with chance, before a neutral moves."""
        state = self._as_set_up(state)
        if state.neutrals == "referee":
            return rules.result(state, action)
        return rules.after_action(state, action)[0]._replace(chance=True)

    def outcomes(self, state: State) -> list[tuple[State, Fraction]] | None:
        """Return where chance may lead, with the probabilities; ``None`` where a side moves."""
        return rules.chance_outcomes(self._as_set_up(state)) if state.chance else None

    def utility(self, state: State) -> tuple[float, float] | None:
        """Return each side's lead in living units once the game is over, else ``None``.

        The side with more units wins, and equal counts are a draw. Here a greater lead is better
        than a smaller one, as in the recorded endgames.
        """
        if state.chance or not rules.is_over(state):
            return None
        first, second = state.counts
        return first - second, second - first

    def estimate(self, state: State) -> tuple[float, float]:
        """Return the lead that the default bot expects, in units; see `default_evaluation`."""
        lead = max(-UNITS, min(UNITS, default_evaluation(state) / 100))
        return lead, -lead

    def tier(self, state: State) -> int:
        """Return the number of turns that were played."""
        return state.turn

    def pack(self, state: State) -> int:
        """Return the number of a state that can follow the first one; see `EndgameCode`.

        Raises
        ------
        Unsupported
            Neutrals move by chance, or there are too many units, tiles and turns for 64 bits.
        BadInput
            The state cannot follow the first one.
        """
        return self._code.pack(state)

    def unpack(self, code: int) -> State:
        """Return the state of a number that `pack` gives."""
        return self._code.unpack(code)

    @cached_property
    def _code(self) -> EndgameCode:
        return EndgameCode(self.initial_state())

    def svg(self, state: State) -> str:
        """Return the board as an SVG element, on which a page makes the actions."""
        from games.cultist.show import board_svg

        return board_svg(state, tapped=True)

    def show(self, state: State) -> str:
        """Return the board as text."""
        return str(state)

    def format_action(self, state: State, action: Action) -> str:
        """Return the text that the referee reads."""
        return str(action)

    def say_action(self, state: State, action: Action) -> str:
        """Return the action in words, with the columns and rows of the picture."""
        return action_words(action)

    def parse_action(self, state: State, text: str) -> Action:
        """Return the action that the referee carries out for a text; see `events.resolve`."""
        return events.resolve(state, text)

    def format_state(self, state: State) -> str:
        """Return the state as one line of text."""
        return notation.format_state(state)

    def parse_state(self, text: str) -> State:
        """Return the state that a text describes; see `notation.parse_state`.

        Its neutrals move as in this game if the game is a variant.
        """
        return self._as_set_up(notation.parse_state(text))

    def _as_set_up(self, state: State) -> State:
        """Return the state with the neutrals of this game."""
        if self.neutrals in ("referee", state.neutrals):
            return state
        return state._replace(neutrals=self.neutrals)


class EndgameCode:
    """The numbers of 64 bits of all states that can follow a state: what can change, nothing else.

    Each unit that lives at the start takes a tile and hit points, or none of them, and an owner.
    Hit points never grow, and no unit becomes neutral. The generator is stored as the number of its
    draws since the start, at most two in a turn.

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
    >>> from games.cultist.setup import Board
    >>> from games.cultist.setup import Unit, state_of
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
        self._owners = [_owners(start, unit) for unit in self._units]
        self._turns = LAST_TURN + 2 - start.turn
        draws = DRAWS * (self._turns - 1) + 1 if NEUTRAL in start.owners else 1
        self._rngs = [start.rng]
        for _ in range(1, draws):
            self._rngs.append(next_rng(self._rngs[-1]))
        self._draws = {rng: index for index, rng in enumerate(self._rngs)}
        radices = [
            radix
            for unit, owners in zip(self._units, self._owners, strict=True)
            for radix in (len(self._floor) * start.hp[unit] + 1, len(owners))
        ]
        self._digits = Digits([*radices, draws, self._turns])
        if self._digits.size > 1 << BITS:
            raise Unsupported(
                f"{len(self._units)} units on {len(self._floor)} tiles for {self._turns - 1} turns "
                f"need {self._digits.size.bit_length()} bits, more than {BITS}"
            )

    def pack(self, state: State) -> int:
        """Return the number of a state.

        Raises
        ------
        BadInput
            The state cannot follow the first one.
        """
        try:
            return self._digits.pack(self._digits_of(state))
        except (LookupError, ValueError):
            raise BadInput("the state cannot follow from the start of the game") from None

    def _digits_of(self, state: State) -> list[int]:
        start, digits = self.start, []
        if state.board is not start.board:
            raise ValueError
        for unit, owners in zip(self._units, self._owners, strict=True):
            tile, hp, most = state.tiles[unit], state.hp[unit], start.hp[unit]
            if hp > most or (tile == NOWHERE) != (hp == 0):
                raise ValueError
            digits.append(self._place[tile] * most + hp if hp else 0)
            digits.append(owners.index(state.owners[unit]))
        if self._units_of(digits) != (state.tiles, state.hp, state.owners):
            raise ValueError  # a unit lives that was dead at the start
        return [*digits, self._draws[state.rng], state.turn - start.turn]

    def unpack(self, code: int) -> State:
        """Return the state of a number that `pack` gives."""
        *units, draws, turn = self._digits.unpack(code)
        start = self.start
        return State(start.board, start.turn + turn, self._rngs[draws], *self._units_of(units))

    def _units_of(self, digits: Sequence[int]) -> tuple[bytes, bytes, bytes]:
        """Return tiles, hit points and owners of all units."""
        start = self.start
        tiles, hps, all_owners = map(bytearray, (start.tiles, start.hp, start.owners))
        parts = zip(self._units, self._owners, digits[::2], digits[1::2], strict=True)
        for unit, owners, place, owner in parts:
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
