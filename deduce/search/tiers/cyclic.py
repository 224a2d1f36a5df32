"""Tiers with moves that stay within them, cycles included, solved in memory.

`solve_cyclic` puts a tier into the lists of a `StateSpace`. `solve_guaranteed` finds by arrays what
each player can force, the same as `deduce.search.solvers.attractor.guarantees`, which is the oracle
of its tests: for each player attractors in layers of plies, the greatest utility first. A move into
a later tier arrives in the layer after as many plies as that state needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from deduce.search.game import AnyGame
from deduce.search.solvers.retrograde import backward_induction, retrograde
from deduce.search.space import OVER, AnySpace, StateSpace
from deduce.search.tiers.packing import Expansion
from deduce.search.tiers.store import ENDLESS, too_long

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes, Indices

    LookUp = Callable[[Codes, Indices | int], tuple[NDArray[np.uint8], NDArray[np.uint16]]]

__all__ = ["solve_cyclic", "solve_guaranteed"]


def solve_cyclic(
    game: AnyGame,
    expansion: Expansion,
    codes: Codes,
    tier: int,
    look_up: LookUp,
    utilities: Sequence[tuple[float, ...]],
) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return the values and plies of a tier's states.

    A state outside with a value that takes n plies is put in as the end of a chain of n single
    moves to a finished state, so that the solvers of state spaces apply as they are. Two-player
    zero-sum games are solved by `retrograde`, others by `backward_induction`, for which play has
    to end.

    Raises
    ------
    Unsupported
        The end may be more plies away than can be stored.
    InfinitePlay
        The game is not a two-player zero-sum game, and play can go on for ever.
    """
    import numpy as np

    space: AnySpace = StateSpace(game)
    space.states.extend(range(len(codes)))
    movers = np.broadcast_to(expansion.movers, codes.shape)
    space.movers = np.where(expansion.ends >= 0, OVER, movers).tolist()
    space.utilities = [expansion.utilities[end] if end >= 0 else None for end in expansion.ends]
    space.children = [[] for _ in codes]
    chains: dict[tuple[int, int], int] = {}
    for moves in expansion.moves:
        tiers = np.broadcast_to(moves.tiers, moves.codes.shape)
        inside = tiers == tier
        local = np.searchsorted(codes, moves.codes[inside])
        for source, child in zip(moves.sources[inside].tolist(), local.tolist(), strict=True):
            space.children[source].append(child)
        theirs, plies = look_up(moves.codes[~inside], tiers[~inside].copy())
        ends = zip(moves.sources[~inside].tolist(), theirs.tolist(), plies.tolist(), strict=True)
        for source, value, distance in ends:
            space.children[source].append(_chain(space, chains, utilities[value], value, distance))
    space.actions = [()] * len(space.states)
    # Chains are in the lists too; the solvers do not ask for actions.
    is_zero_sum = game.players == 2 and all(sum(each) == 0 for each in utilities)
    solution = retrograde(space) if is_zero_sum else backward_induction(space)
    number_of = {each: index for index, each in enumerate(utilities)}
    count = len(codes)
    values = [number_of[tuple(map(float, each or ()))] for each in solution.values[:count]]
    if max((each or 0 for each in solution.distances[:count]), default=0) >= ENDLESS:
        raise too_long()
    distances = [ENDLESS if each is None else each for each in solution.distances[:count]]
    return np.array(values, np.uint8), np.array(distances, np.uint16)


def _chain(
    space: AnySpace,
    chains: dict[tuple[int, int], int],
    utilities: tuple[float, ...],
    value: int,
    distance: int,
) -> int:
    """Return a state that has this value after this number of single moves; new ones are added."""
    if distance == ENDLESS:
        if (value, ENDLESS) not in chains:
            index = chains[value, ENDLESS] = _append(space, mover=0)
            space.children[index].append(index)
        return chains[value, ENDLESS]
    for plies in range(distance + 1):
        if (value, plies) not in chains:
            index = chains[value, plies] = _append(space, mover=0 if plies else OVER)
            if plies:
                space.children[index].append(chains[value, plies - 1])
            else:
                space.utilities[index] = utilities
    return chains[value, distance]


def _append(space: AnySpace, mover: int) -> int:
    space.states.append(len(space.states))
    space.movers.append(mover)
    space.utilities.append(None)
    space.children.append([])
    return len(space.states) - 1


@frozen(eq=False)
class _Outside:
    """The moves into later tiers: where from, and for each player what they have there."""

    sources: Indices
    values: NDArray[np.float64]
    plies: NDArray[np.int64]


@frozen(eq=False)
class _Before:
    """For each state of a tier the states of the tier with a move to it, once per move."""

    sources: Indices
    starts: Indices

    def of(self, states: Indices) -> Indices:
        """Return the states before some states, one after another."""
        import numpy as np

        counts = self.starts[states + 1] - self.starts[states]
        ends = np.cumsum(counts)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
        sources: Indices = self.sources[np.repeat(self.starts[states], counts) + within]
        return sources


def solve_guaranteed(
    expansion: Expansion,
    codes: Codes,
    tier: int,
    look_up: LookUp,
    utilities: Sequence[tuple[float, ...]],
) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return the values of a tier's states, and for each player the plies until they have theirs.

    Parameters
    ----------
    expansion, codes, tier
        The moves of the states, the states in order, and the number of their tier. The moves that
        stay in the tier lead to these states.
    look_up
        Gives values and plies of states in later tiers.
    utilities
        What values are indices into: every combination of what players can have.

    Raises
    ------
    Unsupported
        Something is more plies away than can be stored.
    """
    import numpy as np

    table = np.array(utilities, float)
    players, movers = table.shape[1], np.broadcast_to(expansion.movers, codes.shape)
    sources, children, far = [], [], []
    for moves in expansion.moves:
        tiers = np.broadcast_to(moves.tiers, moves.codes.shape)
        inside = tiers == tier
        sources.append(moves.sources[inside])
        children.append(np.searchsorted(codes, moves.codes[inside]))
        values, plies = look_up(moves.codes[~inside], tiers[~inside].copy())
        far.append((moves.sources[~inside], table[values], plies.astype(np.int64)))
    outside = _Outside(
        np.concatenate([np.zeros(0, np.int64), *(each for each, _, _ in far)]),
        np.concatenate([np.zeros((0, players)), *(each for _, each, _ in far)]),
        np.concatenate([np.zeros((0, players), np.int64), *(each for _, _, each in far)]),
    )
    source = np.concatenate([np.zeros(0, np.int64), *sources])
    child = np.concatenate([np.zeros(0, np.int64), *children])
    order = np.argsort(child, kind="stable")
    starts = np.searchsorted(child[order], np.arange(len(codes) + 1))
    before = _Before(source[order], starts)
    degrees = np.bincount(source, minlength=len(codes))
    degrees += np.bincount(outside.sources, minlength=len(codes))
    assert expansion.secured is not None
    has = np.array(expansion.utilities, float).reshape(-1, players)[expansion.secured]
    numbers = np.zeros(len(codes), np.int64)
    distances = np.zeros((len(codes), players), np.uint16)
    for player in range(players):
        levels = np.unique(table[:, player])
        own, far_off = _of_player(
            movers == player, has[:, player], before, degrees, outside, player
        )
        numbers = numbers * len(levels) + np.searchsorted(levels, own)
        if len(far_off) and far_off.max() >= ENDLESS:
            raise too_long()
        distances[:, player] = far_off
    return numbers.astype(np.uint8), distances


def _of_player(
    own: NDArray[np.bool_],
    secured: NDArray[np.float64],
    before: _Before,
    degrees: Indices,
    outside: _Outside,
    player: int,
) -> tuple[NDArray[np.float64], Indices]:
    """Return what one player can force from each state, and the plies until they have it.

    Parameters
    ----------
    own
        Where the player moves.
    secured
        What the player has already.
    before, degrees, outside
        The moves: within the tier backwards, how many each state has in all, into later tiers.
    player
        Their number.
    """
    import numpy as np

    values, plies = np.zeros(len(own)), np.zeros(len(own), np.int64)
    is_open, waiting = np.ones(len(own), bool), degrees.copy()
    reached, after = outside.values[:, player], outside.plies[:, player] + 1
    for level in np.unique(np.concatenate([secured, reached]))[::-1]:
        arriving = np.flatnonzero(reached == level)
        arriving = arriving[np.argsort(after[arriving], kind="stable")]
        moments, arrivals = after[arriving], outside.sources[arriving]
        layer, count, met = np.flatnonzero(is_open & (secured == level)), 0, 0
        while len(layer) or met < len(moments):
            values[layer], plies[layer], is_open[layer] = level, count, False
            count = count + 1 if len(layer) else int(moments[met])
            until = int(np.searchsorted(moments, count, side="right"))
            earlier = np.concatenate([before.of(layer), arrivals[met:until]])
            met = until
            earlier = earlier[is_open[earlier]]
            forced, moves = np.unique(earlier[~own[earlier]], return_counts=True)
            waiting[forced] -= moves
            layer = np.unique(np.concatenate([earlier[own[earlier]], forced[waiting[forced] == 0]]))
    return values, plies
