"""What each player can force from the states of a tier, cycles included, by arrays.

The same as `deduce.search.solvers.guarantees` in memory, which is the oracle of its tests: for
each player attractors in layers of plies, the greatest utility first. A move into a later tier
arrives in the layer after as many plies as that state needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from deduce.search.tiers.packing import Expansion
from deduce.search.tiers.store import ENDLESS, too_long

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes, Indices

    LookUp = Callable[[Codes, Indices | int], tuple[NDArray[np.uint8], NDArray[np.uint16]]]

__all__ = ["BYTES_PER_STATE", "solve_guaranteed"]

BYTES_PER_STATE = 500
"""Memory for each state of a tier while it is solved, its moves as arrays."""


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
