"""Proof-number search: whether a claim about the value is true.

Victor Allis, Maarten van der Meulen and Jaap van den Herik, *Proof-number search* (1994): always
expand the leaf that could settle the claim with the fewest further leaves.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf, isnan

from deduce.errors import BadProblem
from deduce.search.errors import ActionsDisagree, check_mover, check_utilities, diagnose
from deduce.search.game import Action, AnyGame, Extra, Game, State, Utilities, hook, outcomes_of
from deduce.search.limits import Limits
from deduce.search.result import AnyResult, Result
from deduce.search.solvers.shared import Search, takes_graphs, utilities_of, utility_bounds
from deduce.search.space import CHANCE, OVER

__all__ = ["proof_number"]


@takes_graphs
def proof_number(
    game: Game[State, Action],
    state: State | None = None,
    *,
    goal: float,
    player: int | None = None,
    limits: Limits | None = None,
) -> Result[State, Action]:
    """Return whether a player can force at least ``goal``, whatever all others do.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state. Any number of players, with or
        without chance: all others, chance included, count as opponents.
    goal
        The claim is that the player gets this utility or more.
    player
        Whose claim; by default that of the player to move, or player 0 where no player is.
    limits
        ``nodes`` counts the nodes of the tree, about 0.4 KiB each.

    Returns
    -------
    Result
        ``holds`` is the answer, ``None`` if a limit or Ctrl-C ended the search. If the claim holds,
        ``best_actions`` has the first step of a proof and ``principal_variation`` its longest
        line. ``value`` is set only where the answer settles it: the claim holds, the game is
        declared ``zero_sum`` for two players, and the goal is the best of ``utility_bounds``.

    Notes
    -----
    States that are settled are remembered under the game's ``key``; open ones are not merged, so
    cycles are harmless, but a claim that only endless play refutes remains undecided.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> proof_number(Nim((1, 3, 5), misere=True), goal=1).holds
    True
    >>> proof_number(Nim((1, 2, 3), misere=True), goal=1).holds
    False
    """
    if isnan(goal):
        raise BadProblem("the goal is not a number")
    root = game.initial_state() if state is None else state
    if player is None:
        is_open = game.utility(root) is None and outcomes_of(game, root) is None
        player = game.to_move(root) if is_open else 0
    elif not 0 <= player < game.players:
        raise BadProblem(f"there is no player {player}; players are 0 to {game.players - 1}")
    return _Tree(game, root, limits, goal, player).run()


class _Node:
    """A node with the least numbers of leaves that would prove and disprove the claim."""

    __slots__ = ("children", "disproof", "mine", "mover", "parent", "proof", "size", "state")

    def __init__(self, state: Hashable, parent: _Node | None) -> None:
        self.state = state
        self.parent = parent
        self.mover = OVER
        self.mine = False
        self.proof: float = 1
        self.disproof: float = 1
        self.children: list[tuple[Hashable, _Node]] = []
        self.size = 1


class _Tree(Search):
    """One run of best-first proof-number search."""

    def __init__(
        self, game: AnyGame, root: Hashable, limits: Limits | None, goal: float, player: int
    ) -> None:
        super().__init__("proof-number search", game, root, limits)
        self.goal = goal
        self.player = player
        self.settled: dict[Hashable, bool] = {}
        self.check_at = 2  # the root is always made

    def run(self) -> AnyResult:
        """Expand the most-proving leaf until the root is settled or a limit is reached."""
        root = self.make(self.root, None)
        with self.meter.until_stopped():
            while root.proof and root.disproof:
                leaf = self.most_proving(root)
                self.expand(leaf)
                self.update(leaf)
        return self._result(root)

    def make(self, state: Hashable, parent: _Node | None) -> _Node:
        """Return a new leaf, settled if the game is over or the state is known."""
        self.nodes += 1
        if self.nodes >= self.check_at:
            self.check_at = self.meter.check(self.nodes)
        game, node = self.game, _Node(state, parent)
        try:
            known = self.settled.get(self.key(state))
            if known is None:
                final = game.utility(state)
                if final is not None:
                    known = check_utilities(game, state, final)[self.player] >= self.goal
                elif self.outcomes is not None and self.outcomes(state) is not None:
                    node.mover = CHANCE
                else:
                    node.mover = check_mover(game, state, game.to_move(state))
                    node.mine = node.mover == self.player
        except Exception as error:
            raise diagnose(game, state, error) from error
        if known is not None:
            node.proof, node.disproof = (0, inf) if known else (inf, 0)
        return node

    def most_proving(self, node: _Node) -> _Node:
        """Return the leaf that counts for the proof number and the disproof number of the root."""
        while node.children:
            if node.mine:
                node = next(c for _, c in node.children if c.proof == node.proof)
            else:
                node = next(c for _, c in node.children if c.disproof == node.disproof)
        return node

    def expand(self, node: _Node) -> None:
        """Add all children of a leaf."""
        game, state = self.game, node.state
        try:
            if node.mover == CHANCE:
                after = [(None, child) for child, _ in outcomes_of(game, state) or ()]
            else:
                after = [(action, game.result(state, action)) for action in game.actions(state)]
        except Exception as error:
            raise diagnose(game, state, error) from error
        if not after:
            raise ActionsDisagree("the game is not over but has no action", game, state)
        node.children = [(action, self.make(child, node)) for action, child in after]

    def update(self, leaf: _Node) -> None:
        """Recompute the numbers from an expanded leaf up to the root."""
        node: _Node | None = leaf
        while node is not None:
            if node.mine:
                node.proof = min(child.proof for _, child in node.children)
                node.disproof = sum(child.disproof for _, child in node.children)
            else:
                node.proof = sum(child.proof for _, child in node.children)
                node.disproof = min(child.disproof for _, child in node.children)
            if not node.proof or not node.disproof:
                self.settle(node)
            node = node.parent

    def settle(self, node: _Node) -> None:
        """Remember a settled state, and drop what its answer does not need."""
        holds = not node.proof
        self.settled[self.key(node.state)] = holds
        if node.mine == holds:
            node.children = [
                (action, child)
                for action, child in node.children
                if not (child.proof if holds else child.disproof)
            ][:1]
        node.size = 1 + max((child.size for _, child in node.children), default=0)

    def _result(self, root: _Node) -> AnyResult:
        holds = None if root.proof and root.disproof else not root.proof
        best: tuple[Hashable, ...] = ()
        if root.mover >= 0 and root.mine and root.children and holds is not False:
            best = (min(root.children, key=lambda pair: pair[1].proof)[0],)
        return self.result(
            root.mover if root.mover >= 0 else None,
            value=self._value(root),
            best_actions=best,
            principal_variation=_line(root) if holds is not None else (),
            holds=holds,
            stopped=self.meter.stopped if holds is None else None,
        )

    def _value(self, root: _Node) -> Utilities | None:
        """Return the utilities if the claim settles them."""
        final = self.game.utility(root.state)
        if final is not None:
            return final
        zero_sum = self.game.players == 2 and hook(self.game, Extra.zero_sum, default=False)
        if root.proof or not (zero_sum and self.goal == utility_bounds(self.game)[1]):
            return None
        return utilities_of(self.goal, self.player)


def _line(root: _Node) -> tuple[Hashable, ...]:
    """Return the longest line of the proof, until chance moves or a remembered state."""
    line, node = [], root
    while node.children and node.mover != CHANCE:
        action, node = max(node.children, key=lambda pair: pair[1].size)
        line.append(action)
    return tuple(line)
