"""Cultist Wars as a game for searches: `CultistWars`, with its rules and its notation."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from attrs import field, frozen

from games.cultist import notation, orders, rules
from games.cultist.evaluation import default_evaluation
from games.cultist.maps import new_state
from games.cultist.packing import EndgameCode
from games.cultist.state import OWNER_NAMES, UNITS, Action, Neutrals, State

__all__ = ["CultistWars"]


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
        """Return the board as an SVG element."""
        from games.cultist.drawing import board_svg

        return board_svg(state)

    def show(self, state: State) -> str:
        """Return the board as text."""
        return str(state)

    def format_action(self, state: State, action: Action) -> str:
        """Return the text that the referee reads."""
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        """Return the action that the referee carries out for a text; see `orders.resolve`."""
        return orders.resolve(state, text)

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
