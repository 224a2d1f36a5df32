"""Alpha-beta search to the end of the game, with a transposition table.

Donald Knuth and Ronald Moore, *An analysis of alpha-beta pruning* (1975), in the negamax form;
lower and upper bounds in the table after Dennis Breuker, *Memory versus search in games* (1998);
looking into the table at all children before searching the first (enhanced transposition
cut-off) after Aske Plaat and others, *Exploiting graph properties of game trees* (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf

from deduce.search.errors import ActionsDisagree, InfinitePlay, check_mover, diagnose
from deduce.search.game import Action, AnyGame, Game, State, ordered_actions
from deduce.search.limits import Limits
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

__all__ = ["alphabeta"]

Entry = tuple[float, float, Hashable]
"""Lower bound, upper bound (the value is exact where they meet), and the name of the best child.

The child is remembered, not the action: under a symmetric key the action would belong to
another representative. Numbers are those of the player to move.
"""

ON_PATH: Entry = (-inf, inf, "on the path that is being searched")


@takes_graphs
def alphabeta(
    game: Game[State, Action],
    state: State | None = None,
    *,
    all_values: bool = False,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return the proved value of a two-player zero-sum game without chance, and a best action.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state.
    all_values
        Whether to give the exact value of every action at the root, and so all best actions;
        otherwise the rest only come with the bound that ruled them out.
    limits
        ``nodes`` counts states whose actions were listed. When a limit or Ctrl-C ends the
        search, ``bounds`` is what the finished root actions prove; there is no estimate, since
        the search knows nothing about lines that it has not finished. For an estimate at any time
        see `deduce.search.deepening`.

    Raises
    ------
    NotZeroSum
        Utilities do not sum to 0; the error names the state.
    InfinitePlay
        Play can repeat a state; `deduce.search.retrograde` handles that.
    Unsupported
        There is chance, or there are not two players.

    Notes
    -----
    The game's ``order``, ``key`` and ``utility_bounds`` are used where it has them. The table
    keeps every state that was searched, about 0.3 KiB each.

    `deduce.search.deepening` without a depth or a limit proves the same values, but takes 4 to 19
    times as long (connect four 4x4 and 5x4, tic-tac-toe, nim with heaps 3, 4, 5, 6): it has no
    bounds from the table for all children before the first is searched. So both exist.

    Examples
    --------
    >>> from games.classics.connect_four import ConnectFour
    >>> alphabeta(ConnectFour(4, 4)).value
    (0, 0)
    """
    require_two_players(game, "alpha-beta")
    return _AlphaBeta("alpha-beta", game, state, limits).run(all_values=all_values)


class _AlphaBeta(Search):
    """One run: the table, the count of nodes, and the searching function over them."""

    def __init__(self, solver: str, game: AnyGame, root: Hashable, limits: Limits | None) -> None:
        super().__init__(solver, game, root, limits)
        self.table: dict[Hashable, Entry] = {}
        self.final = final_value(game, solver)
        self.value = self._searcher()

    def run(self, *, all_values: bool) -> AnyResult:
        """Search the root, and turn what is known then into the answer."""
        game, root = self.game, self.root
        try:
            final = self.final(root)
            mover = None if final is not None else check_mover(game, root, game.to_move(root))
        except Exception as error:
            raise diagnose(game, root, error) from error
        if mover is None:
            assert final is not None
            return self.result(None, value=(final, -final), bounds=(final, final))
        known: dict[Hashable, ActionValue] = {}
        with deep_recursion(game, root), self.meter.until_stopped():
            self._search_root(mover, known, all_values=all_values)
        return self._result(mover, known)

    def _search_root(
        self, mover: int, known: dict[Hashable, ActionValue], *, all_values: bool
    ) -> None:
        """Fill ``known`` action by action, so that what is finished survives a limit."""
        low, high = value_bounds(self.game)
        best = -inf
        try:
            actions = ordered_actions(self.game)(self.root)
            children = [self.game.result(self.root, action) for action in actions]
            names = [self.key(child) for child in (self.root, *children)]
            self.table[names[0]] = ON_PATH
        except Exception as error:
            raise diagnose(self.game, self.root, error) from error
        if not children:
            raise ActionsDisagree("the game is not over but has no action", self.game, self.root)
        for action, child, name in zip(actions, children, names[1:], strict=True):
            floor = low if all_values else max(low, best)
            got = self._child(mover, child, name, floor, high)
            known[action] = ActionValue(
                utilities_of(got, mover),
                proved=True,
                bound="at most" if got <= floor and floor > low else "exact",
            )
            best = max(best, got)
            if best >= high and not all_values:
                break

    def _child(
        self, mover: int, child: Hashable, name: Hashable, alpha: float, beta: float
    ) -> float:
        """Return the value of a root action for its mover."""
        final = self.final(child)
        if final is not None:
            return final if mover == 0 else -final
        next_mover = check_mover(self.game, child, self.game.to_move(child))
        if next_mover == mover:
            return self.value(child, name, next_mover, alpha, beta)
        return -self.value(child, name, next_mover, -beta, -alpha)

    def _result(self, mover: int, known: dict[Hashable, ActionValue]) -> AnyResult:
        (low, high), stopped = value_bounds(self.game), self.meter.stopped
        least = max((v.utilities[mover] for v in known.values()), default=low)
        most = high if stopped and least < high else least
        best = tuple(
            action
            for action, value in known.items()
            if value.bound == "exact" and value.utilities[mover] == least
        )
        value = None if least < most else utilities_of(least, mover)
        return self.result(
            mover,
            value=value,
            best_actions=best,
            root_values=known,
            principal_variation=self.line(best[0], self._next) if best else (),
            bounds=(least, most) if mover == 0 else (-most, -least),
            stopped=stopped if value is None else None,
        )

    def _next(self, state: Hashable) -> Step | None:
        """Return the best action as far as the table knows it, and what it leads to."""
        low, high, best = self.table.get(self.key(state), ON_PATH)
        if low != high:
            return None
        after = ((a, self.game.result(state, a)) for a in self.game.actions(state))
        return next((a, child) for a, child in after if self.key(child) == best)

    def _searcher(self) -> Callable[[object, Hashable, int, float, float], float]:
        """Return the recursive function, its names bound for speed."""
        game, table, final, meter = self.game, self.table, self.final, self.meter
        to_move, result, choices = game.to_move, game.result, ordered_actions(game)
        key = self.key if self.key is not same else None
        look_up = table.get
        lowest, highest = value_bounds(game)
        check_at = 0

        def value(state: Hashable, name: Hashable, mover: int, alpha: float, beta: float) -> float:
            """Return the value for ``mover``: exact inside the window, a bound outside it."""
            nonlocal check_at
            self.nodes += 1
            if self.nodes >= check_at:
                check_at = meter.check(self.nodes)
            low, high, hint = look_up(name, (lowest, highest, None))
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            floor, ceiling = max(alpha, low), min(beta, high)
            table[name] = ON_PATH
            best, choice = -inf, None
            open_children = []
            try:
                # First what costs no search: finished games, and bounds in the table.
                for action in choices(state):
                    child = result(state, action)
                    child_name = child if key is None else key(child)
                    end = final(child)
                    if end is not None:
                        got = end if mover == 0 else -end
                    else:
                        next_mover = to_move(child)
                        entry = look_up(child_name)
                        if entry is None:
                            open_children.append((child, child_name, next_mover))
                            continue
                        if entry is ON_PATH:
                            raise InfinitePlay(
                                "play can return to a state, so alpha-beta may never end",
                                game,
                                child,
                            )
                        least, most, _ = entry
                        if next_mover != mover:
                            least, most = -most, -least
                        if least < most and least < ceiling and most > floor:
                            if child_name == hint:
                                open_children.insert(0, (child, child_name, next_mover))
                            else:
                                open_children.append((child, child_name, next_mover))
                            continue
                        got = least if least >= ceiling else most
                    if got > best:
                        best, choice = got, child_name
                        if got >= ceiling:
                            break
            except Exception as error:
                raise diagnose(game, state, error) from error
            if best < ceiling:
                reach = max(floor, best)
                for child, child_name, next_mover in open_children:
                    if next_mover == mover:
                        got = value(child, child_name, next_mover, reach, ceiling)
                    else:
                        got = -value(child, child_name, next_mover, -ceiling, -reach)
                    if got > best:
                        best, choice = got, child_name
                        if got > reach:
                            reach = got
                            if got >= ceiling:
                                break
            if choice is None:
                raise ActionsDisagree("the game is not over but has no action", game, state)
            if best >= ceiling:
                low = max(low, best)
            elif best <= floor:
                high = min(high, best)
            else:
                low = high = best
            table[name] = (low, high, choice)
            return best

        return value
