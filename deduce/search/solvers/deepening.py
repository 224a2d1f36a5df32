"""Alpha-beta with a horizon, deepened ply by ply until a limit or a proof ends it.

Iterative deepening after David Slate and Lawrence Atkin, *Chess 4.5* (1977); killer moves after
Selim Akl and Monroe Newborn, *The principal continuation and the killer heuristic* (1977).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from enum import Enum
from functools import partial
from math import inf, nextafter
from typing import NamedTuple

from deduce.errors import BadProblem, Unsupported
from deduce.search.errors import ActionsDisagree, BadGame, InfinitePlay, check_mover, diagnose
from deduce.search.game import (
    Action,
    AnyGame,
    Extra,
    Game,
    State,
    Utilities,
    hook,
    ordered_actions,
)
from deduce.search.limits import Limits, Stop
from deduce.search.result import ActionValue, AnyResult, Result
from deduce.search.solvers.shared import (
    Search,
    Step,
    deep_recursion,
    final_value,
    require_two_players,
    same,
    takes_graphs,
    utilities_of,
    value_bounds,
)

__all__ = ["MAX_DEPTH", "Entry", "Flag", "TranspositionTable", "deepening"]


MAX_DEPTH = 1_000
"""The last depth if there is no other limit."""

Child = tuple[Hashable, Hashable, Hashable, int | None]
"""Action, state, name, and who moves next (``None``: the game is over)."""


@takes_graphs
def deepening(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    all_values: bool = False,
    full_width: int | None = None,
    table: TranspositionTable | None = None,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return the best action of a two-player zero-sum game without chance, within the limits.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state.
    depth
        The last depth in plies; without it the search deepens until the value is proved or a
        limit is reached. Unfinished states at the horizon count as the game's ``estimate``, or 0
        where it has none.
    all_values
        Whether to give every root action its own value; otherwise the rest only come with the
        bound that ruled them out.
    full_width
        How many actions of a state below the root, in the game's order, are searched to the full
        depth. Those after them that the game calls quiet (all, if it has no ``quiet``) are first
        searched one ply less deep, from twice as many on two, and again in full only if they turn
        out better than the best so far (late move reductions). Without it all are searched in
        full. What is called proved is proved with it too, but an estimate may rest on fewer plies
        than ``depth``.
    table
        The results of earlier searches of the same game; this search adds to it.
    limits
        ``nodes`` counts states whose actions were listed. When a limit or Ctrl-C ends the
        search, the actions that the unfinished depth has completed come first, by their new values
        and unless all are lost; it begins with the best of the previous depth. The others keep the
        values of the last complete depth.

    Raises
    ------
    NotZeroSum, Unsupported
        The game is not of this kind; the errors name the state.
    BadProblem
        The depth or the width is not positive, or the table is that of another game.
    InfinitePlay
        There is neither a depth nor a limit, and play can repeat a state or go on for more than
        `MAX_DEPTH` plies.

    Notes
    -----
    Where the game has ``quiet``, an action that refuted a state is tried early
    in the others of the same ply (killer heuristic).

    The value is proved when no estimate was needed for it: then ``value`` is set, otherwise
    ``estimate``. With a depth or a limit, games with cycles are fine: every line is cut at the
    horizon.

    Examples
    --------
    >>> from games.classics.connect_four import ConnectFour
    >>> game = ConnectFour()
    >>> early = deepening(game, game.parse_state("//OO/XXX/O//"), depth=5)
    >>> early.value, early.best_actions, early.depth
    ((1, -1), (4,), 1)
    """
    require_two_players(game, "alpha-beta")
    if depth is not None and depth < 1:
        raise BadProblem(f"a depth is at least 1 ply, not {depth}")
    if full_width is not None and full_width < 1:
        raise BadProblem(f"at least 1 action is searched to the full depth, not {full_width}")
    known = TranspositionTable() if table is None else table
    known.keep_to(game)
    return _Deepening(game, state, limits, known, full_width, all_values=all_values).run(depth)


class _Deepening(Search):
    """One run: the tables, the meter, and the recursion."""

    def __init__(
        self,
        game: AnyGame,
        root: Hashable,
        limits: Limits | None,
        table: TranspositionTable,
        full_width: int | None,
        *,
        all_values: bool,
    ) -> None:
        super().__init__("alpha-beta with iterative deepening", game, root, limits)
        self.all_values = all_values
        self.final = final_value(game, "alpha-beta")
        self.is_symmetric = self.key is not same
        self.choices = ordered_actions(game)
        self.estimate = hook(game, Extra.estimate)
        self.low, self.high = value_bounds(game)
        quiet = hook(game, Extra.quiet)
        self.quiet: Callable[[Hashable, Hashable], bool] = quiet or (lambda *_: True)
        self.keeps_killers = quiet is not None and not self.is_symmetric
        self.full_width = sys.maxsize if full_width is None else full_width
        self.proved, self.guessed = table.proved, table.guessed
        self.killers: dict[
            int, tuple[Hashable, ...]
        ] = {}  # per ply the last two that refuted a state
        self.path: set[Hashable] | None = None

    def run(self, last: int | None) -> AnyResult:
        """Deepen until a proof, the last depth, or a limit."""
        final = self.final(self.root)
        if final is not None:
            return self.result(None, value=(final, -final))
        mover = check_mover(self.game, self.root, self.game.to_move(self.root))
        values: dict[Hashable, ActionValue] = {}
        if last is None and self.meter.is_endless:
            last = MAX_DEPTH
            self.path = {self.key(self.root)}
        done = 0
        stopped: Stop | None = None
        with deep_recursion(self.game, self.root):
            while not _is_proved(values, mover, self.high):
                if done == last:
                    if self.path is not None:
                        raise InfinitePlay(
                            f"nothing is proved in {last} plies; give a depth or a limit",
                            self.game,
                            self.root,
                        )
                    stopped = "depth"
                    break
                with self.meter.until_stopped():
                    values = self._search_root(mover, done + 1, values)
                if self.meter.stopped is not None:
                    stopped = None if _is_proved(values, mover, self.high) else self.meter.stopped
                    break
                done += 1
        return self._result(mover, values, done, stopped)

    def _search_root(
        self, mover: int, depth: int, before: dict[Hashable, ActionValue]
    ) -> dict[Hashable, ActionValue]:
        """Return the values of one more depth, the best action first.

        If it was cut short before an action was finished, the values of the previous depth remain.
        """
        after = list(self._children(self.root, None, 0))
        if before:
            rank = {action: index for index, action in enumerate(before)}
            after.sort(key=lambda child: rank.get(child[0], len(rank)))
        values: dict[Hashable, ActionValue] = {}
        best, below_high = -inf, max(self.low, nextafter(self.high, -inf))
        with self.meter.until_stopped():
            for action, child, name, next_mover in after:
                # below high: an empty window cannot tell a lower bound from an upper one
                floor = self.low if self.all_values else min(max(self.low, best), below_high)
                got, sure = self._child(
                    child, name, next_mover, mover, depth - 1, floor, self.high, 1
                )
                values[action] = ActionValue(
                    utilities_of(got, mover),
                    sure,
                    "at most" if self.low < floor >= got else "exact",
                )
                best = max(best, got)
                if got >= self.high and sure and not self.all_values:
                    break
        ranked = sorted(
            values, key=lambda a: (-values[a].utilities[mover], values[a].bound != "exact")
        )
        now = {action: values[action] for action in ranked}
        if self.meter.stopped is None:
            return now
        # The best action of the previous depth was searched first, so the finished actions of this
        # depth come before the others, unless all of them are lost.
        rest = {action: value for action, value in before.items() if action not in values}
        return now | rest if best > self.low else rest | now

    def _children(self, state: Hashable, hint: Hashable, ply: int) -> Iterator[Child]:
        """Yield the children of a state: the hinted one, those of the ply's killers, the rest.

        Without a symmetric key they are made one by one: after a cut-off the rest is not needed.
        """
        try:
            actions = self.choices(state)
        except Exception as error:
            raise diagnose(self.game, state, error) from error
        if not actions:
            raise ActionsDisagree("the game is not over but has no action", self.game, state)
        if self.is_symmetric:
            children = [self._made(state, action) for action in actions]
            yield from sorted(children, key=lambda child: child[2] != hint)
            return
        early = self.killers.get(ply, ())
        if hint is not None:
            early = (hint, *(action for action in early if action != hint))
        early = tuple(action for action in early if action in actions)
        for action in early:
            yield self._made(state, action)
        for action in actions:
            if action not in early:
                yield self._made(state, action)

    def _made(self, state: Hashable, action: Hashable) -> Child:
        game = self.game
        try:
            child = game.result(state, action)
            name = self.key(child) if self.is_symmetric else child
            if game.utility(child) is not None:
                return action, child, name, None
            if self.outcomes is not None and self.outcomes(child) is not None:
                self.final(child)  # refuses the game
            return action, child, name, check_mover(game, child, game.to_move(child))
        except (BadGame, Unsupported):
            raise
        except Exception as error:
            raise diagnose(game, state, error) from error

    def _child(
        self,
        child: Hashable,
        name: Hashable,
        next_mover: int | None,
        mover: int,
        depth: int,
        alpha: float,
        beta: float,
        ply: int,
    ) -> tuple[float, bool]:
        """Return a child's value for ``mover``, and whether it is proved."""
        if next_mover is None:
            final = self.final(child)
            assert final is not None
            return (final if mover == 0 else -final), True
        if next_mover == mover:
            return self._value(child, name, mover, depth, alpha, beta, ply)
        got, sure = self._value(child, name, next_mover, depth, -beta, -alpha, ply)
        return -got, sure

    def _value(
        self,
        state: Hashable,
        name: Hashable,
        mover: int,
        depth: int,
        alpha: float,
        beta: float,
        ply: int,
    ) -> tuple[float, bool]:
        """Return the value for ``mover``: exact inside the window, a bound outside it."""
        try:
            sure = self.proved.get(name) if self.proved else None
            guess = self.guessed.get(name) if depth else None  # hashing is expensive at the horizon
            repeats = self.path is not None and name in self.path
        except TypeError as error:
            raise diagnose(self.game, state, error) from error
        if sure is not None and sure.settles(alpha, beta):
            return sure.value, True
        if repeats:
            raise InfinitePlay(
                "play can return to a state; give a depth or a limit", self.game, state
            )
        if depth == 0:
            return (self.estimate(state)[mover] if self.estimate else 0), False
        if guess is not None and guess.depth >= depth and guess.settles(alpha, beta):
            return guess.value, False
        self.nodes += 1
        if self.nodes >= self.check_at:
            self.check_at = self.meter.check(self.nodes)
        if self.path is not None:
            self.path.add(name)
        known = guess or sure
        best, best_sure, all_sure, choice, reach = -inf, False, True, None, alpha
        children = self._children(state, known.best if known else None, ply)
        for index, (action, child, child_name, next_mover) in enumerate(children):
            reduction = 0
            if index >= self.full_width and depth > 2 and self.quiet(state, action):
                reduction = min(index // self.full_width, 2, depth - 2)
            got, got_sure = self._child(
                child, child_name, next_mover, mover, depth - 1 - reduction, reach, beta, ply + 1
            )
            if reduction and got > reach and not got_sure:
                got, got_sure = self._child(
                    child, child_name, next_mover, mover, depth - 1, reach, beta, ply + 1
                )
            all_sure = all_sure and got_sure
            if got > best or (got == best and got_sure > best_sure):
                best, best_sure = got, got_sure
                choice = child_name if self.is_symmetric else action
                reach = max(reach, got)
                if got >= beta:
                    if self.keeps_killers and action not in self.killers.get(ply, ()):
                        self.killers[ply] = (action, *self.killers.get(ply, ())[:1])
                    break
        if self.path is not None:
            self.path.discard(name)
        if best >= beta:
            flag, is_proved = Flag.LOWER, best_sure
        elif best <= alpha:
            flag, is_proved = Flag.UPPER, all_sure
        else:
            flag, is_proved = Flag.EXACT, all_sure
        if is_proved:
            self.proved[name] = Entry(best, flag, depth, choice)
        else:
            self.guessed[name] = Entry(best, flag, depth, choice)
        return best, is_proved

    def _result(
        self, mover: int, values: dict[Hashable, ActionValue], done: int, stopped: Stop | None
    ) -> AnyResult:
        best = next(iter(values), None)
        value = values[best].utilities if best is not None else None
        is_proved = _is_proved(values, mover, self.high)
        line = () if value is None else self.line(best, partial(self._next, value, is_proved))
        return self.result(
            mover,
            value=value if is_proved else None,
            estimate=None if is_proved else value,
            best_actions=() if best is None else (best,),
            root_values=values,
            principal_variation=line,
            depth=done,
            stopped=stopped,
        )

    def _next(self, value: Utilities, proved: bool, state: Hashable) -> Step | None:  # noqa: FBT001
        """Return the best action as far as the tables know it; of a proved value, a proved one."""
        name, least = self.key(state), value[self.game.to_move(state)]
        entry = self.proved.get(name)
        if not proved and (entry is None or not entry.settles(-inf, least)):
            entry = self.guessed.get(name)
        if entry is None or not entry.settles(-inf, least):
            return None
        return next(self._children(state, entry.best, -1))[:2]


def _is_proved(values: dict[Hashable, ActionValue], mover: int, high: float) -> bool:
    """Return whether the first action is proved best: unbeatable, or every action is proved."""
    if not values:
        return False
    first, *others = values.values()
    own = first.utilities[mover]
    if not first.proved or first.bound != "exact":
        return False
    return own >= high or all(v.proved and v.utilities[mover] <= own for v in others)


class Flag(Enum):
    """How a value in the table compares with the true value at its depth."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


class Entry(NamedTuple):
    """A value for the player to move, and what leads to it; made once a node, so a plain tuple."""

    value: float
    flag: Flag
    depth: int
    best: Hashable
    """The best action; under a symmetric key the name of the best child, because the action
    would belong to another representative."""

    def settles(self, alpha: float, beta: float) -> bool:
        """Return whether the entry answers a search with this window."""
        return (
            self.flag is Flag.EXACT
            or (self.flag is Flag.LOWER and self.value >= beta)
            or (self.flag is Flag.UPPER and self.value <= alpha)
        )


class TranspositionTable:
    """The results of searches of one game, with which the next search can begin.

    Proved bounds are kept apart from estimates: a proved bound holds at every depth. Estimates of a
    selective search (``full_width``) rest on fewer plies than those of a full search, which uses
    them nevertheless. The table grows without limit, by one entry per state; discard it when it is
    too large.

    Examples
    --------
    >>> from deduce.search.solvers.deepening import deepening
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> game, table = TicTacToe(), TranspositionTable()
    >>> first = deepening(game, depth=5, table=table)
    >>> again = deepening(game, depth=5, table=table)
    >>> again.estimate == first.estimate, len(table) > 0, again.nodes < first.nodes
    (True, True, True)
    """

    def __init__(self) -> None:
        self.proved: dict[Hashable, Entry] = {}
        self.guessed: dict[Hashable, Entry] = {}
        self._game: object = None

    def keep_to(self, game: AnyGame) -> None:
        """Accept only results of ``game`` from now on: equal states of another game differ.

        Raises
        ------
        BadProblem
            The table is that of another game, which is neither this object nor equal to it.
        """
        if self._game is None:
            self._game = game
        elif self._game is not game and self._game != game:
            raise BadProblem(
                "the transposition table is that of another game; "
                "make one table for each game, and give all its searches the same game object"
            )

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self.proved) + len(self.guessed)
