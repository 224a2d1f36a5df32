"""Tiers with moves that stay within them, cycles included: collected and solved in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from deduce.errors import Undecided
from deduce.search.game import Game, hook
from deduce.search.solvers.induction import backward_induction
from deduce.search.solvers.retrograde import retrograde
from deduce.search.space import OVER, StateSpace
from deduce.search.tiers import guaranteed
from deduce.search.tiers.packing import Expansion, expander
from deduce.search.tiers.store import ENDLESS, too_long
from deduce.text import plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes, Indices

    LookUp = Callable[[Codes, Indices | int], tuple[NDArray[np.uint8], NDArray[np.uint16]]]

__all__ = ["Outside", "close_tier", "solve_cyclic"]

BYTES_PER_STATE = 1000
"""Memory for each state of such a tier while it is solved, its moves as lists."""


@define
class Outside:
    """What lies outside a tier: the states in later tiers, and the utilities of its ends."""

    codes: dict[int, Codes] = field(factory=dict)
    utilities: set[tuple[float, ...]] = field(factory=set)

    def add(self, expansion: Expansion, tier: int) -> Codes:
        """Return the children that are in the tier, and keep the others."""
        import numpy as np

        self.utilities.update(tuple(map(float, each)) for each in expansion.utilities)
        inside = [np.zeros(0, np.uint64)]
        for moves in expansion.moves:
            tiers = moves.tiers
            for number in [tiers] if isinstance(tiers, int) else np.unique(tiers).tolist():
                codes = moves.codes if isinstance(tiers, int) else moves.codes[tiers == number]
                if number == tier:
                    inside.append(codes)
                else:
                    known = self.codes.get(number, np.zeros(0, np.uint64))
                    self.codes[number] = np.union1d(known, codes)
        return np.unique(np.concatenate(inside))


def close_tier(game: Game[Any, Any], codes: Codes, tier: int, room: int) -> tuple[Codes, Outside]:
    """Return all states that can be reached within a tier, sorted, and what lies outside it.

    Raises
    ------
    Undecided
        The tier needs more memory than ``room`` bytes.
    """
    import numpy as np

    expand, outside = expander(game), Outside()
    each = guaranteed.BYTES_PER_STATE if hook(game, "secured") else BYTES_PER_STATE
    known = frontier = np.unique(codes)
    while len(frontier):
        if len(known) * each > room:
            raise Undecided(
                f"tier {tier} has moves within it and more than {plural(len(known), 'state')}, "
                f"which need {len(known) * each / 1e6:,.0f} MB of memory; raise the "
                "limit, or give the game more tiers"
            )
        inside = outside.add(expand(frontier), tier)
        frontier = np.setdiff1d(inside, known, assume_unique=True)
        known = np.union1d(known, frontier)
    return known, outside


def solve_cyclic(
    game: Game[Any, Any],
    codes: Codes,
    tier: int,
    look_up: LookUp,
    utilities: Sequence[tuple[float, ...]],
) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.bool_]]:
    """Return the values and plies of a tier's states, and which of them are over.

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

    expansion = expander(game)(codes)
    space: StateSpace[Any, Any] = StateSpace(game)
    space.states.extend(range(len(codes)))
    over = expansion.ends >= 0
    movers = np.broadcast_to(expansion.movers, codes.shape)
    space.movers = np.where(over, OVER, movers).tolist()
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
    return np.array(values, np.uint8), np.array(distances, np.uint16), over


def _chain(
    space: StateSpace[Any, Any],
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


def _append(space: StateSpace[Any, Any], mover: int) -> int:
    space.states.append(len(space.states))
    space.movers.append(mover)
    space.utilities.append(None)
    space.children.append([])
    return len(space.states) - 1
