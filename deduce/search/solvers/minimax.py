"""Full-width search from one state: minimax, expectiminimax and max^n.

One recursion in three uses. *Minimax* (Claude Shannon, 1950) is for two players whose utilities
sum to 0; *expectiminimax* (Donald Michie, 1966) adds chance; *max^n* (Carol Luckhardt and Keki
Irani, 1986) is for any number of players; each maximises their own utility.

Nothing is pruned, so these are the slow and simple counterparts of the other solvers.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from math import inf

from deduce.errors import BadProblem, Unsupported
from deduce.search.errors import (
    ActionsDisagree,
    InfinitePlay,
    NotZeroSum,
    check_mover,
    check_shares,
    check_utilities,
    diagnose,
)
from deduce.search.game import Action, AnyGame, Extra, Game, State, Utilities, hook, outcomes_of
from deduce.search.limits import Limits
from deduce.search.result import ActionValue, AnyResult, Result
from deduce.search.solvers.shared import (
    Search,
    Step,
    deep_recursion,
    require_two_players,
    takes_graphs,
    utility_bounds,
)

__all__ = ["expectiminimax", "maxn", "minimax"]


@takes_graphs
def minimax(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return the value of a two-player zero-sum game without chance, and all best actions.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state.
    depth
        How many plies to look ahead; without it, to the end. Unfinished states at the horizon
        count as the game's ``estimate``, or 0 for each player where it has none.
    limits
        ``nodes`` counts expanded states. When a limit or Ctrl-C ends the search, the result
        holds the root actions that were finished.

    Raises
    ------
    NotZeroSum, InfinitePlay, Unsupported
        The game is not of this kind; the errors name the state.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> minimax(TicTacToe()).best_actions
    (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """
    require_two_players(game, "minimax")
    return _FullWidth(game, state, "minimax", depth, limits, zero_sum=True, chance=False).run()


@takes_graphs
def expectiminimax(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return the expected value of a two-player zero-sum game with chance, and all best actions.

    Chance nodes count as a ply. Parameters, limits and errors are those of `minimax`; with
    probabilities given as `fractions.Fraction` the value is exact.

    Examples
    --------
    >>> from games.classics.nim import DiceNim
    >>> expectiminimax(DiceNim(pieces=3, faces=3)).value
    (Fraction(1, 9), Fraction(-1, 9))
    """
    require_two_players(game, "expectiminimax")
    return _FullWidth(game, state, "expectiminimax", depth, limits, zero_sum=True).run()


@takes_graphs
def maxn(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return an equilibrium value of a game of any number of players, with or without chance.

    An indifferent mover chooses the first of their best actions in the game's order; what the other
    players get can depend on that. Parameters, limits and errors are those of `minimax`.

    Examples
    --------
    >>> from games.classics.nim import ThreePlayerNim
    >>> maxn(ThreePlayerNim((1, 1, 1))).value
    (-1, 0, 1)
    """
    return _FullWidth(game, state, "max^n", depth, limits, zero_sum=False).run()


class _FullWidth(Search):
    """One run of the recursion."""

    def __init__(
        self,
        game: AnyGame,
        root: Hashable,
        solver: str,
        depth: int | None,
        limits: Limits | None,
        *,
        zero_sum: bool,
        chance: bool = True,
    ) -> None:
        if depth is not None and depth < 1:
            raise BadProblem(f"a depth is at least 1 ply, not {depth}")
        super().__init__(solver, game, root, limits)
        self.depth = depth
        self.left = self._less(depth)  # where the line of best actions has come to
        self.zero_sum = zero_sum
        self.chance = chance
        self.estimate = hook(game, Extra.estimate) or (lambda state: (0,) * game.players)
        self.most = utility_bounds(game)[1]
        self.solved: dict[Hashable, Utilities] = {}
        self.guessed: dict[tuple[Hashable, int], Utilities] = {}
        self.path: set[Hashable] = set()

    def run(self) -> AnyResult:
        """Search every root action, keeping those that are finished when a limit is reached."""
        root, known = self.root, {}
        mover: int | None = None
        whole: tuple[Utilities, bool] | None = None
        with deep_recursion(self.game, root), self.meter.until_stopped():
            final = self.final(root)
            if final is not None:
                whole = final, True
            elif outcomes_of(self.game, root) is not None:
                whole = self.value(root, self.depth)
            else:
                mover = check_mover(self.game, root, self.game.to_move(root))
                self.path.add(self.key(root))
                for action, child in self.after(root):
                    utilities, proved = self.value(child, self._less(self.depth))
                    known[action] = ActionValue(utilities, proved)
                whole = self.best([(v.utilities, v.proved) for v in known.values()], mover)
        return self._result(mover, known, whole)

    def value(self, state: Hashable, depth: int | None) -> tuple[Utilities, bool]:
        """Return the utilities under best play, and whether they are proved."""
        final = self.final(state)
        if final is not None:
            return final, True
        name = self.key(state)
        if name in self.solved:
            return self.solved[name], True
        if depth == 0:
            return self.estimate(state), False
        if depth is not None and (name, depth) in self.guessed:
            return self.guessed[name, depth], False
        if depth is None and name in self.path:
            raise InfinitePlay("play can return to a state; give a depth", self.game, state)
        self.nodes += 1
        if self.nodes >= self.check_at:
            self.check_at = self.meter.check(self.nodes)
        self.path.add(name)
        below = self._less(depth)
        random = self.outcomes(state) if self.outcomes else None
        if random is not None:
            if not self.chance:
                raise Unsupported(f"{self.solver} is for games without chance; see expectiminimax")
            check_shares(self.game, state, [share for _, share in random])
            known = [(share, *self.value(child, below)) for child, share in random]
            value = tuple(
                sum(share * utilities[player] for share, utilities, _ in known)
                for player in range(self.game.players)
            )
            proved = all(sure for _, _, sure in known)
        else:
            children = [self.value(child, below) for _, child in self.after(state)]
            mover = check_mover(self.game, state, self.game.to_move(state))
            value, proved = self.best(children, mover)
        self.path.discard(name)
        if proved:
            self.solved[name] = value
        elif depth is not None:
            self.guessed[name, depth] = value
        return value, proved

    def best(self, children: list[tuple[Utilities, bool]], mover: int) -> tuple[Utilities, bool]:
        """Return the child that is best for the mover, and whether that is proved."""
        value, proved = max(children, key=lambda child: child[0][mover])
        unbeatable = proved and value[mover] >= self.most
        return value, unbeatable or all(sure for _, sure in children)

    def after(self, state: Hashable) -> list[tuple[Hashable, Hashable]]:
        """Return the actions with the states after them."""
        try:
            pairs = [
                (action, self.game.result(state, action)) for action in self.game.actions(state)
            ]
            for _, child in pairs:
                hash(self.key(child))
        except Exception as error:
            raise diagnose(self.game, state, error) from error
        if not pairs:
            raise ActionsDisagree("the game is not over but has no action", self.game, state)
        return pairs

    def final(self, state: Hashable) -> Utilities | None:
        """Return the utilities of a finished state, checked."""
        try:
            final = self.game.utility(state)
        except Exception as error:
            raise diagnose(self.game, state, error) from error
        if final is None:
            return None
        check_utilities(self.game, state, final)
        if self.zero_sum and final[0] != -final[1]:
            raise NotZeroSum(f"{self.solver} needs utilities that sum to 0", self.game, state)
        return final

    @staticmethod
    def _less(depth: int | None) -> int | None:
        return None if depth is None else depth - 1

    def _result(
        self,
        mover: int | None,
        known: dict[Hashable, ActionValue],
        whole: tuple[Utilities, bool] | None,
    ) -> AnyResult:
        stopped = self.meter.stopped
        best: tuple[Hashable, ...] = ()
        if mover is not None and known:
            own = max(value.utilities[mover] for value in known.values())
            best = tuple(a for a, value in known.items() if value.utilities[mover] == own)
            if whole is None:  # a limit ended the search
                first = known[best[0]]
                whole = first.utilities, first.proved and own >= self.most
        utilities, proved = whole or (None, False)
        if proved:  # no action whose estimate is as high as what others are proved to have
            best = tuple(action for action in best if known[action].proved)
        if whole is not None:
            stopped = None if proved else stopped or "depth"
        follow = partial(self._next, is_proved=proved)
        return self.result(
            mover,
            value=utilities if proved else None,
            estimate=None if proved else utilities,
            best_actions=best,
            root_values=known,
            principal_variation=self.line(best[0], follow) if best else (),
            depth=self.depth,
            stopped=stopped,
        )

    def _next(self, state: Hashable, *, is_proved: bool) -> Step | None:
        """Return the first best action and what follows, if all values were kept, or proved."""
        if outcomes_of(self.game, state):
            return None
        self.left = None if is_proved else self._less(self.left)
        mover, after = self.game.to_move(state), self.after(state)
        kept = [self._kept(child, self.left) for _, child in after]
        if not any(kept) or (None in kept and not is_proved):
            return None
        values = [-inf if utilities is None else utilities[mover] for utilities in kept]
        return after[values.index(max(values))]

    def _kept(self, state: Hashable, depth: int | None) -> Utilities | None:
        final = self.game.utility(state)
        if final is not None:
            return final
        name = self.key(state)
        if name in self.solved:
            return self.solved[name]
        return None if depth is None else self.guessed.get((name, depth))
