"""Quartets as a game of perfect information: no cards are seen, so the statements are the state.

The search protocol of `deduce.search`. States are `Position` values, actions are statements. What
a player can force against all others together is an attractor over the state graph: play that goes
round in a circle makes no progress and gains nothing (docs/games/quartets.md, section 6).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

from attrs import evolve, field, frozen

from deduce.errors import BadInput, Unsupported
from deduce.search import Limits, StateSpace, attractor, explore
from games.quartets.deal import DealForm
from games.quartets.events import Ask, Event, Quartet
from games.quartets.game import Quartets
from games.quartets.moves import actions
from games.quartets.notation import parse_statement
from games.quartets.position import Position, start_position, tell
from games.quartets.position_notation import format_position, parse_position
from games.quartets.setup import MAX_PLAYERS, named_groups

__all__ = ["QuartetsGame", "force", "forced_groups", "standard"]

PLAYERS = ("Ann", "Ben", "Cid", "Dot", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon")


def _endless(setup: Quartets) -> Quartets:
    return evolve(setup, repetition=None)


@frozen
class QuartetsGame:
    """The game for the solvers.

    Parameters
    ----------
    setup
        Players, groups, hands and readings. A repetition does not end the game here: positions
        that come again are equal, so that the solvers find the cycles themselves.
    goal
        What the utilities are: ``"groups"``, the number of groups laid aside; or ``"win"``: 1 for
        the winner, 0 for the others, equal parts for a draw.

    Examples
    --------
    >>> setup = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> game = QuartetsGame(setup)
    >>> game.actions(game.initial_state())[:2]
    [Quartet(by='Ann', group='a'), Quartet(by='Ann', group='b')]
    """

    setup: Quartets = field(converter=_endless)
    goal: Literal["groups", "win"] = "groups"

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.setup.players)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The least and the greatest utility."""
        return (0, 1) if self.goal == "win" else (0, len(self.setup.groups))

    def player_name(self, player: int) -> str:
        """Return a player's name."""
        return self.setup.players[player]

    def initial_state(self) -> Position:
        """Return the position before the first statement."""
        return start_position(self.setup)

    def to_move(self, state: Position) -> int:
        """Return the player who has to speak."""
        return state.speaker()

    def actions(self, state: Position) -> Sequence[Event]:
        """Return every statement that leaves a deal."""
        return actions(self.setup, state)

    def result(self, state: Position, action: Event) -> Position:
        """Return the position after a statement."""
        return tell(self.setup, state, action)

    def utility(self, state: Position) -> tuple[float, ...] | None:
        """Return each player's groups, or who won, once the game is over."""
        if not state.over:
            return None
        if self.goal == "groups":
            return tuple(map(float, state.quartets()))
        winner = state.winner()
        if winner is None:
            return (1 / self.players,) * self.players
        return tuple(float(p == winner) for p in range(self.players))

    def key(self, state: Position) -> Hashable:
        """Return what is equal for positions that differ only by the names of cards and groups.

        Players keep their names, since the utilities are theirs. A card that must be with one
        player counts as located there, and a redundant bound is left out.
        """
        form = state.form
        asked = None if state.question is None else state.question[1]
        groups = sorted(_group_key(form, group, asked) for group in form.groups())
        if self.goal == "groups":
            won: Hashable = state.quartets()
        else:
            won = tuple(player for player, _ in state.won)
        to = None if state.question is None else state.question[0]
        where = form.hands(), tuple(groups), state.turn, to, state.last, won, state.out
        return where, state.number, state.over

    def order(self, state: Position, actions: Sequence[Event]) -> Sequence[Event]:
        """Return the actions: declarations first, then questions and yes."""
        return sorted(actions, key=_promise)

    def format_action(self, state: Position, action: Event) -> str:
        """Return a statement as a line of a transcript."""
        return self.setup.format_event(action)

    def parse_action(self, state: Position, text: str) -> Event:
        """Return the statement of a line of a transcript, such as ``ask Ben a1``."""
        setup = self.setup
        named, event = parse_statement(text, setup, lambda: setup.players[state.speaker()])
        if named != setup:
            raise BadInput(f"a name in {text.strip()!r} was not introduced before")
        return event

    def format_state(self, state: Position) -> str:
        """Return a position as one line; see `games.quartets.position_notation`."""
        return format_position(self.setup, state)

    def parse_state(self, text: str) -> Position:
        """Return the position that a line describes."""
        return parse_position(self.setup, text)

    def svg(self, state: Position) -> str:
        """Return the position as a picture: every hand against every card."""
        from games.quartets.show.picture import position_svg

        return position_svg(self.setup, state)

    def show(self, state: Position) -> str:
        """Return the position as text for people."""
        from games.quartets.show.text import position_text

        return position_text(self.setup, state)


def _promise(action: Event) -> int:
    if isinstance(action, Quartet):
        return 0
    return 1 if isinstance(action, Ask) or action.yes else 2


def _group_key(form: DealForm, group: int, asked: int | None) -> tuple[object, ...]:
    table = form.table
    mask = table.masks[group]
    cards: list[int] = []
    """For each card, the players who may hold it, and whether it is the card asked for."""
    sure = [0] * table.players
    unsure = [0] * table.players
    for card in range(mask.bit_length()):
        if not mask >> card & 1:
            continue
        holders = sum(
            1 << p for p in range(table.players) if (form.can[p] | form.located[p]) >> card & 1
        )
        lone = holders & (holders - 1) == 0
        for p in range(table.players):
            if holders >> p & 1:
                if not lone:
                    unsure[p] += 1
                elif form.open >> card & 1:
                    sure[p] += 1
        cards.append(holders << 1 | (card == asked))
    bounds = []
    for p in range(table.players):
        low = max(0, form.low[p][group] - sure[p])
        high = min(form.high[p][group] - sure[p], unsure[p])
        bounds.append((low, high - unsure[p]))
    return table.sizes[group], tuple(sorted(cards)), tuple(bounds)


def forced_groups(
    space: StateSpace[Position, Event], player: int, *, state: Position | None = None
) -> int:
    """Return how many groups a player can force against all others together.

    Parameters
    ----------
    space
        The complete space of a `QuartetsGame` that counts groups.
    player
        The player who forces.
    state
        The state to start from; left out: the root.

    Raises
    ------
    Unsupported
        The space is not complete.

    Examples
    --------
    >>> setup = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> space = explore(QuartetsGame(setup), symmetric=True)
    >>> [forced_groups(space, player) for player in range(2)]
    [1, 1]
    """
    if space.frontier:
        raise Unsupported(
            f"what a player can force needs all positions; {len(space.frontier)} of {len(space)} "
            f"are not expanded (stopped by {space.stopped or 'the caller'})"
        )
    root = 0 if state is None else space.number(state)
    won = [position.quartets()[player] for position in space.states]
    for groups in range(max(won), 0, -1):
        targets = [number for number, n in enumerate(won) if n >= groups]
        if root in attractor(space, {player}, targets).plies:
            return groups
    return 0


def force(setup: Quartets, *, limits: Limits | None = None) -> tuple[tuple[int, ...], int]:
    """Return the groups that each player can force from the start, and the number of positions.

    Raises
    ------
    Unsupported
        The limits ended the exploration.
    """
    game = QuartetsGame(evolve(setup, limit=None))
    space = explore(game, symmetric=True, limits=limits)
    return tuple(forced_groups(space, p) for p in range(game.players)), len(space)


def standard(
    players: int = 3,
    groups: int = 3,
    size: int = 4,
    preset: str = "recommended",
    goal: Literal["groups", "win"] = "win",
) -> QuartetsGame:
    """Return the game of some players with equal groups of ``size`` cards.

    >>> len(standard(players=2, groups=2, size=2).setup.cards)
    4
    """
    if not 2 <= players <= MAX_PLAYERS:
        raise BadInput(f"2 to {MAX_PLAYERS} players can play, not {players}")
    setup = Quartets.preset(preset, PLAYERS[:players], named_groups([size] * groups))
    return QuartetsGame(setup, goal)
