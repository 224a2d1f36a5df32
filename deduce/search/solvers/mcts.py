"""Monte-Carlo tree search: UCT for any number of players, with chance and with proofs.

Levente Kocsis and Csaba Szepesvari, *Bandit based Monte-Carlo planning* (2006); proven values
after Mark Winands and others, *Monte-Carlo tree search solver* (2008), here for all utilities and
any number of players; shared states after Benjamin Childs and others, *Transpositions and move
groups in Monte Carlo tree search* (2008).
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf, log, sqrt
from random import Random

from deduce.errors import BadProblem
from deduce.search.errors import (
    ActionsDisagree,
    InfinitePlay,
    check_mover,
    check_shares,
    check_utilities,
    diagnose,
)
from deduce.search.game import Action, AnyGame, Extra, Game, State, Utilities, hook, outcomes_of
from deduce.search.limits import Limits
from deduce.search.playouts import MAX_PLIES, sampler
from deduce.search.result import ActionValue, AnyResult, Result
from deduce.search.solvers.shared import Search, takes_graphs, utility_bounds
from deduce.search.space import CHANCE, OVER

__all__ = ["mcts"]


@takes_graphs
def mcts(
    game: Game[State, Action],
    state: State | None = None,
    *,
    simulations: int | None = 10_000,
    seed: int = 0,
    exploration: float = 0.7,
    share: bool = False,
    horizon: int | None = None,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return the best action after many simulated playthroughs, and a proof where they yield one.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state.
    simulations
        How many simulations; ``None``: as many as ``limits`` allow.
    seed
        The same seed gives the same result.
    exploration
        The weight of the confidence term, in units of the range of utilities (that of
        ``utility_bounds``, or of the utilities met so far).
    share
        Whether a state reached in different ways is one node. Symmetric states never do.
    horizon
        Playouts stop after this number of plies and count as the game's ``estimate``.
    limits
        ``nodes`` counts simulations. Limits and Ctrl-C return the best so far.

    Returns
    -------
    Result
        ``root_values`` has the mean utilities and visits of every action tried. The root's
        ``estimate`` is that of the best action: the one with the most visits, unless an action
        is proved to be better than its mean. A state is proved once its mover has a proved
        action that cannot be beaten, or all of its actions are proved.

    Raises
    ------
    InfinitePlay
        A playout goes on for thousands of plies; a ``horizon`` cuts it.

    Examples
    --------
    >>> from games.classics.connect_four import ConnectFour
    >>> game = ConnectFour()
    >>> result = mcts(game, game.parse_state("//OO/XXX/O//"), simulations=500)
    >>> result.value, result.best_actions
    ((1, -1), (4,))
    """
    if simulations is None and (limits is None or limits.nodes is limits.seconds is None):
        raise BadProblem("give a number of simulations or a limit")
    if simulations is not None and simulations < 1:
        raise BadProblem(f"at least 1 simulation is needed, not {simulations}")
    tree = _Tree(game, state, limits, seed, exploration, horizon, share=share)
    return tree.run(simulations)


class _Node:
    """A state in the tree with its statistics."""

    __slots__ = ("actions", "children", "mover", "proven", "shares", "state", "total", "visits")

    def __init__(self, state: Hashable, mover: int, players: int) -> None:
        self.state = state
        self.mover = mover
        self.actions: list[Hashable] | None = None
        """Those not tried yet, the next one last; ``None`` before the first visit."""
        self.children: dict[Hashable, _Node] = {}
        self.shares: list[float] = []
        """The probabilities of chance, rounded, by which a child is drawn."""
        self.visits = 0
        self.total = [0.0] * players
        self.proven: Utilities | None = None


class _Tree(Search):
    """One run: the tree, the random numbers, and the four steps of a simulation."""

    def __init__(
        self,
        game: AnyGame,
        root: Hashable,
        limits: Limits | None,
        seed: int,
        exploration: float,
        horizon: int | None,
        *,
        share: bool,
    ) -> None:
        super().__init__("Monte-Carlo tree search", game, root, limits)
        self.random = Random(seed)
        self.exploration = exploration
        self.order = hook(game, Extra.order)
        self.low, self.high = utility_bounds(game)
        known = self.low > -inf and self.high < inf
        self.met = (self.low, self.high) if known else (inf, -inf)
        self.play = sampler(game, self.random)
        if horizon is not None:
            estimate = hook(game, Extra.estimate)
            if estimate is None:
                raise BadProblem("a horizon needs a game with an estimate")
            self.play = sampler(game, self.random, max_plies=horizon, estimate=estimate)
        self.table: dict[Hashable, _Node] | None = {} if share else None

    def run(self, simulations: int | None) -> AnyResult:
        """Simulate until enough, until proved, or until a limit."""
        root = self.node(self.root)
        with self.meter.until_stopped():
            while root.proven is None and self.nodes != simulations:
                if self.nodes >= self.check_at:
                    self.check_at = self.meter.check(self.nodes)
                path = self.descend(root)
                utilities = path[-1].proven
                if utilities is None:
                    utilities = self.play(path[-1].state)
                self.back_up(path, utilities)
                self.nodes += 1
        return self._result(root)

    def node(self, state: Hashable) -> _Node:
        """Return the node of a state, a new one unless states are shared."""
        table = self.table
        try:
            if table is not None and state in table:
                return table[state]
            final = self.game.utility(state)
            if final is not None:
                mover = OVER
            elif self.outcomes is not None and self.outcomes(state) is not None:
                mover = CHANCE
            else:
                mover = check_mover(self.game, state, self.game.to_move(state))
            node = _Node(state, mover, self.game.players)
            if table is not None:
                table[state] = node
        except Exception as error:
            raise diagnose(self.game, state, error) from error
        if final is not None:
            node.proven = check_utilities(self.game, state, final)
        return node

    def descend(self, root: _Node) -> list[_Node]:
        """Return the path from the root to a new node, or to one whose value is proven."""
        node, path = root, [root]
        while node.proven is None:
            if node.actions is None:
                self.open(node)
            if node.actions:
                node = self.expand(node)
                path.append(node)
                break
            node = self.select(node, at_root=node is root)
            if self.table is not None and node in path:
                break  # shared states can form a cycle; play on from here at random
            path.append(node)
            if len(path) > MAX_PLIES:
                raise InfinitePlay("chance alone can go on forever", self.game, root.state)
        return path

    def open(self, node: _Node) -> None:
        """List a node's actions; the children of chance come all at once."""
        state = node.state
        try:
            if node.mover == CHANCE:
                node.actions = []
                random = outcomes_of(self.game, state) or ()
                check_shares(self.game, state, [share for _, share in random])
                for child, share in random:
                    node.children[len(node.shares)] = self.node(child)
                    node.shares.append(float(share))
                return
            actions = list(self.game.actions(state))
            if self.order is not None:
                actions = list(self.order(state, actions))[::-1]
            else:
                self.random.shuffle(actions)
        except Exception as error:
            raise diagnose(self.game, state, error) from error
        if not actions:
            raise ActionsDisagree("the game is not over but has no action", self.game, state)
        node.actions = actions

    def expand(self, node: _Node) -> _Node:
        """Return the node of the next untried action."""
        assert node.actions
        action = node.actions.pop()
        try:
            state = self.game.result(node.state, action)
        except Exception as error:
            raise diagnose(self.game, node.state, error) from error
        child = node.children[action] = self.node(state)
        return child

    def select(self, node: _Node, *, at_root: bool) -> _Node:
        """Return the child with the greatest upper confidence bound, or one drawn by chance.

        The value of a proven child is known, so it gets no bonus for being uncertain; at the
        root, where no mean has to come out right, it is not visited at all.
        """
        mover = node.mover
        if mover == CHANCE:
            return self.random.choices(list(node.children.values()), node.shares)[0]
        low, high = self.met
        log_visits = log(node.visits) * (self.exploration * (high - low or 1)) ** 2
        best = -inf
        choice: _Node | None = None
        for child in node.children.values():
            proven = child.proven
            if proven is not None:
                if at_root:
                    continue
                bound = proven[mover]
            else:
                visits = child.visits
                bound = child.total[mover] / visits + sqrt(log_visits / visits)
            if choice is None or bound > best:
                best, choice = bound, child
        return choice or node

    def back_up(self, path: list[_Node], utilities: Utilities) -> None:
        """Add the utilities to every node of the path, and prove what can be proved."""
        low, high = self.met
        if min(utilities) < low or max(utilities) > high:
            self.met = min(low, *utilities), max(high, *utilities)
        proving = path[-1].proven is not None
        players = range(len(utilities))
        for node in reversed(path):
            node.visits += 1
            total = node.total
            for player in players:
                total[player] += utilities[player]
            if proving and node.proven is None:
                node.proven = self.prove(node)
                proving = node.proven is not None

    def prove(self, node: _Node) -> Utilities | None:
        """Return the value of a node if its children prove it."""
        mover = node.mover
        if mover == CHANCE:
            values = [child.proven for child in node.children.values()]
            if None in values or not values:
                return None
            shares = [share for _, share in outcomes_of(self.game, node.state) or ()]
            return tuple(
                sum(s * v[player] for s, v in zip(shares, values, strict=True) if v)
                for player in range(self.game.players)
            )
        best: Utilities | None = None
        complete = not node.actions
        for child in node.children.values():
            value = child.proven
            if value is None:
                complete = False
            elif best is None or value[mover] > best[mover]:
                best = value
        if best is not None and (complete or best[mover] >= self.high):
            return best
        return None

    def _result(self, root: _Node) -> AnyResult:
        known: dict[Hashable, ActionValue] = {}
        if root.mover >= 0:
            for action, child in root.children.items():
                visits = child.visits
                mean = child.proven or tuple(total / max(visits, 1) for total in child.total)
                known[action] = ActionValue(mean, child.proven is not None, visits=visits)
        best = _best_action(root)
        value = root.proven
        if value is not None or not root.visits:
            estimate = None
        elif best is not None:
            estimate = known[best].utilities
        else:
            estimate = tuple(total / root.visits for total in root.total)
        return self.result(
            root.mover if root.mover >= 0 else None,
            value=value,
            estimate=estimate,
            best_actions=() if best is None else (best,),
            root_values=dict(sorted(known.items(), key=lambda item: -item[1].visits)),
            principal_variation=_line(root),
            stopped=self.meter.stopped if value is None else None,
        )


def _best_action(node: _Node) -> Hashable:
    """Return the most visited action, or a proved one if its value is as good as that mean."""
    mover = node.mover
    if mover < 0 or not node.children:
        return None
    best, value = None, -inf
    open_children = [(action, c) for action, c in node.children.items() if c.proven is None]
    if open_children and node.proven is None:
        best, child = max(open_children, key=lambda item: item[1].visits)
        value = child.total[mover] / max(child.visits, 1)
    for action, child in node.children.items():
        known = child.proven
        if known is not None and (known[mover] > value or (known[mover] == value and best is None)):
            best, value = action, known[mover]
    return best


def _line(root: _Node) -> tuple[Hashable, ...]:
    """Return the best actions from the root down, as long as there are visits behind them."""
    line: list[Hashable] = []
    node, met = root, {id(root)}
    while (action := _best_action(node)) is not None:
        line.append(action)
        node = node.children[action]
        if id(node) in met:
            break
        met.add(id(node))
    return tuple(line)
