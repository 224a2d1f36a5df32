"""The two passes over the tiers: forwards for the states, backwards for their values.

Backwards, the values of a tier come from those of the tiers after it.

A tier with moves within it, cycles included, is solved in memory: `solve_cyclic` puts it into the
lists of a `StateSpace`, and `solve_guaranteed` what each player can force, as
`deduce.search.solvers.retrograde.guarantees` does for a whole game.

Forwards, the states of a tier come from sorted runs, and give the runs of the tiers after it. The
work comes in pieces, one for each part of a tier, for any process that sees the folder.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.errors import Undecided
from deduce.search.game import AnyGame, Packed, hook
from deduce.search.solvers.retrograde import backward_induction, forced, retrograde
from deduce.search.space import OVER, AnySpace, StateSpace
from deduce.search.tiers.store import (
    ENDLESS,
    Tier,
    mapped,
    part_name,
    receipt,
    run_name,
    too_long,
    write_array,
)
from deduce.search.tiers.table import Expansion, expander
from deduce.system.text import plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.table import Codes, Indices

    Known = tuple[NDArray[np.uint8], NDArray[np.uint16]]
    """The values and the plies of states."""
    LookUp = Callable[[Codes, Indices | int], Known]
    Outside = list[tuple[Indices, NDArray[np.uint8], NDArray[np.uint16]]]
    """Moves into later tiers: from which states, and the values and plies of those they lead to."""

__all__ = [
    "BASE_MEMORY",
    "CHUNK",
    "MIN_ROOM",
    "Piece",
    "add_counts",
    "children_by_tier",
    "close",
    "collect",
    "do_once",
    "expand",
    "room_for",
    "solve_cyclic",
    "solve_guaranteed",
    "value_part",
]


BASE_MEMORY = 70_000_000
"""What Python and numpy take before anything is computed, in bytes."""
MIN_ROOM = 20_000_000
"""What is left for the work at least, in bytes."""
CHUNK = 1 << 15
"""How many states are expanded at a time: arrays that fit into the processor's cache."""
BYTES_PER_STATE = 1000
"""Memory for each state of a tier with moves within it while it is solved, its moves as lists."""


@frozen
class Piece:
    """One part of one tier, and what is known of the tiers after it."""

    game: AnyGame
    folder: Path
    memory: int
    tier: Tier
    part: int
    later: Sequence[Tier] = ()
    utilities: Sequence[tuple[float, ...]] = ()
    made: dict[str, str] = field(factory=dict)
    """The files that were written, with their digests."""

    @property
    def name(self) -> str:
        """The beginning of the names of the part's files."""
        return part_name(self.tier.tier, self.part)

    @property
    def room(self) -> int:
        """The bytes that the work itself may use."""
        return room_for(self.memory)

    def chunks(self) -> Iterator[Codes]:
        """Yield the states, a chunk at a time."""
        import numpy as np

        with (self.folder / f"{self.name}.codes").open("rb") as file:
            while len(codes := np.fromfile(file, "<u8", CHUNK)):
                yield codes

    def writing(self, name: str) -> AbstractContextManager[Callable[[NDArray[Any]], None]]:
        """Give a function that appends arrays to a file of the folder, see `write_array`."""
        return write_array(self.folder / name, self.made)


def room_for(memory: int) -> int:
    """Return the bytes of a limit that are left for the work itself."""
    return max(memory - BASE_MEMORY, MIN_ROOM)


def do_once(
    errand: tuple[str, Callable[[Piece], object], Piece],
) -> tuple[int, object, dict[str, str]]:
    """Return the part, what a stage returns for it, and the digests of the files it has written.

    What was done before a stop is not done again.
    """
    stage, work, piece = errand
    path = piece.folder / f"{stage}-{piece.tier.tier:05}-{piece.part:05}.json"
    return piece.part, *receipt(path, lambda: work(piece), piece.made)


def children_by_tier(expansion: Expansion) -> Iterator[tuple[int, int, Codes]]:
    """Yield the children of an expansion, by move and tier: index of the move, tier, codes."""
    import numpy as np

    for slot, moves in enumerate(expansion.moves):
        if isinstance(moves.tiers, int):
            yield slot, moves.tiers, moves.codes
            continue
        for number in np.unique(moves.tiers).tolist():
            yield slot, number, moves.codes[moves.tiers == number]


def expand(piece: Piece) -> dict[str, object] | None:
    """Write the children of a part as sorted runs, one for each part of the tiers that follow.

    The result is ``None`` if a move stays in the tier.
    """
    import numpy as np

    moves_of = expander(piece.game)
    splits = {tier.tier: np.array(tier.splits, np.uint64) for tier in piece.later}
    utilities: set[tuple[float, ...]] = set()
    tiers: set[int] = set()
    with contextlib.ExitStack() as files:
        runs: dict[tuple[int, int], Callable[[NDArray[Any]], None]] = {}

        def flush() -> None:
            """Write the children that are collected, each tier divided into its parts."""
            for number, slots in following.items():
                tiers.add(number)
                # Each move keeps the order of the states as a rule, so that runs are sorted here.
                children = _unique(np.concatenate([each for slot in slots for each in slots[slot]]))
                cuts = np.searchsorted(children, splits.get(number, np.zeros(0, np.uint64)))
                for part, share in enumerate(np.split(children, cuts)):
                    if len(share) and (number, part) not in runs:
                        name = run_name(number, part, piece.tier.tier, piece.part)
                        runs[number, part] = files.enter_context(piece.writing(f"{name}.codes"))
                    if len(share):
                        runs[number, part](share)
            following.clear()

        following: dict[int, dict[int, list[Codes]]] = {}
        size = 0
        for codes in piece.chunks():
            expansion = moves_of(codes)
            utilities.update(tuple(map(float, each)) for each in expansion.utilities)
            for slot, number, children in children_by_tier(expansion):
                following.setdefault(number, {}).setdefault(slot, []).append(children)
                size += children.nbytes
            if piece.tier.tier in following:
                return None
            if 3 * size > piece.room:
                flush()
                size = 0
        flush()
    return {"utilities": sorted(utilities), "tiers": sorted(tiers)}


def _unique(codes: Codes) -> Codes:
    """Return the sorted codes without repeats; the array itself is sorted."""
    import numpy as np

    codes.sort(kind="stable")  # which merges the sorted runs that it meets
    keep = np.empty(len(codes), bool)
    keep[:1] = True
    np.not_equal(codes[1:], codes[:-1], out=keep[1:])
    return codes[keep]


def collect(piece: Piece) -> int:
    """Merge the runs of a part into its sorted states; return how many there are."""
    import numpy as np

    paths = sorted(piece.folder.glob(f"{run_name(piece.tier.tier, piece.part)}*.codes"))
    runs = [np.fromfile(path, "<u8") for path in paths]
    codes = _unique(np.concatenate(runs)) if runs else np.zeros(0, np.uint64)
    with piece.writing(f"{piece.name}.codes") as write:
        write(codes)
    return len(codes)


def close(piece: Piece) -> dict[str, object]:
    """Collect all states of a tier with moves within it, and write the runs of later tiers.

    Raises
    ------
    Undecided
        The tier needs more memory than there is.
    """
    import numpy as np

    tier, moves_of = piece.tier.tier, expander(piece.game)
    nothing = np.zeros(0, np.uint64)
    following: dict[int, Codes] = {}
    utilities: set[tuple[float, ...]] = set()
    paths = [piece.folder / f"{part.name}.codes" for part in piece.tier.parts or ()]
    known = frontier = np.unique(np.concatenate([np.fromfile(path, "<u8") for path in paths]))
    while len(frontier):
        if len(known) * BYTES_PER_STATE > piece.room:
            raise Undecided(
                f"tier {tier} has moves within it and more than {plural(len(known), 'state')}, "
                f"which need {len(known) * BYTES_PER_STATE / 1e6:,.0f} MB of memory; raise the "
                "limit, or give the game more tiers"
            )
        expansion, inside = moves_of(frontier), nothing
        utilities.update(tuple(map(float, each)) for each in expansion.utilities)
        for _, number, children in children_by_tier(expansion):
            if number == tier:
                inside = np.union1d(inside, children)
            else:
                following[number] = np.union1d(following.get(number, nothing), children)
        frontier = np.setdiff1d(inside, known, assume_unique=True)
        known = np.union1d(known, frontier)
    for number, children in following.items():
        # Parts of a tier after a cyclic one: whatever was planned; else a single one.
        splits = next((later.splits for later in piece.later if later.tier == number), [])
        cuts = np.searchsorted(children, np.array(splits, np.uint64))
        for part, share in enumerate(np.split(children, cuts)):
            with piece.writing(f"{run_name(number, part, tier, 0)}.codes") as write:
                write(share)
    with piece.writing(f"{part_name(tier, 0)}.codes") as write:
        write(known)
    return {"utilities": sorted(utilities), "tiers": sorted(following), "states": len(known)}


CHUNKS_MAPPED = 32
"""After how many chunks the files of later tiers are unmapped, so that they leave the memory."""


def _groups(numbers: Indices | int) -> Iterator[tuple[int, Indices | slice]]:
    """Yield the different numbers, each with its places: all or some."""
    import numpy as np

    if isinstance(numbers, int) or numbers.min() == numbers.max():
        yield numbers if isinstance(numbers, int) else int(numbers[0]), slice(None)
        return
    for number in np.unique(numbers).tolist():
        yield number, np.flatnonzero(numbers == number)


class _Later:
    """The states of later tiers with their values, mapped from the disk while they are looked up.

    Files are opened when first needed; `close` gives back their memory.
    """

    def __init__(self, folder: Path, tiers: Sequence[Tier], columns: int = 1) -> None:
        import numpy as np

        self._folder = folder
        self._shape = () if columns == 1 else (columns,)
        self._splits = {tier.tier: np.array(tier.splits, np.uint64) for tier in tiers}
        self._open: dict[str, tuple[Codes, NDArray[np.uint8], NDArray[np.uint16]]] = {}

    def look_up(self, codes: Codes, tiers: Indices | int) -> Known:
        """Return the values and the plies of packed states.

        Where each player has plies of their own, a state has a row of them.
        """
        import numpy as np

        if len(codes) and isinstance(tiers, int) and not len(self._splits[tiers]):
            return self._within(part_name(tiers, 0), codes)  # as nearly always
        values = np.empty(len(codes), np.uint8)
        plies = np.empty((len(codes), *self._shape), np.uint16)
        for tier, of_tier in _groups(tiers) if len(codes) else ():
            own, splits = codes[of_tier], self._splits[tier]
            parts = np.searchsorted(splits, own, side="right") if len(splits) else 0
            for part, chosen in _groups(parts):
                index = chosen if isinstance(of_tier, slice) else of_tier[chosen]
                values[index], plies[index] = self._within(part_name(tier, part), own[chosen])
        return values, plies

    def _within(self, name: str, codes: Codes) -> Known:
        """Return what is known of states, all of which are in one part."""
        import numpy as np

        if name not in self._open:
            self._open[name] = (
                mapped(self._folder / f"{name}.codes", "<u8"),
                mapped(self._folder / f"{name}.values", "<u1"),
                mapped(self._folder / f"{name}.plies", "<u2").reshape(-1, *self._shape),
            )
        known, values, plies = self._open[name]
        low, high = np.searchsorted(known, np.array((codes.min(), codes.max()))).tolist()
        # The piece of the file that is needed stays in the processor's cache.
        indices = np.searchsorted(known[low : high + 1], codes)
        return values[low : high + 1][indices], plies[low : high + 1][indices]

    def close(self) -> None:
        """Unmap the files."""
        self._open.clear()


def _scores(utilities: Sequence[tuple[float, ...]], players: int) -> NDArray[np.int32]:
    """Return, for each player and value, a number that orders values; its sign is the utility's.

    The distance of a value from the next is more than any number of plies, so that plies can be
    added: the mover prefers short wins, and everything else to be long.
    """
    import numpy as np

    scores = np.zeros((players, len(utilities)), np.int32)
    for player in range(players):
        own = [each[player] for each in utilities]
        above = sorted({each for each in own if each > 0})
        below = sorted({each for each in own if each < 0}, reverse=True)
        for index, each in enumerate(own):
            place = above.index(each) + 1 if each > 0 else -1 - below.index(each) if each else 0
            scores[player, index] = place * 4 * (ENDLESS + 1)
    return scores


def value_part(piece: Piece) -> dict[str, int]:
    """Write the values of a part of a tier; return counts.

    A tier with moves within it has one part, which is solved at once; others by chunks.
    """
    import numpy as np

    game, tier, utilities = piece.game, piece.tier, piece.utilities
    is_secured = hook(game, Packed.secured) is not None
    expand = expander(game)
    later = _Later(piece.folder, piece.later, game.players if is_secured else 1)
    whole = [np.fromfile(piece.folder / f"{piece.name}.codes", "<u8")] if tier.cyclic else None
    scores = _scores(utilities, game.players)
    counts: dict[str, int] = {}
    with (
        piece.writing(f"{piece.name}.values") as write_values,
        piece.writing(f"{piece.name}.plies") as write_plies,
    ):
        for index, codes in enumerate(whole or piece.chunks()):
            expansion = expand(codes)
            if expansion.secured is not None:
                place = _within(game, expansion, codes, tier.tier, later.look_up)
                secured = [expansion.utilities[own] for own in expansion.secured]
                values, plies = solve_guaranteed(game, *place, utilities, secured)
            elif tier.cyclic:
                place = _within(game, expansion, codes, tier.tier, later.look_up)
                values, plies = solve_cyclic(game, *place, utilities)
            else:
                values, plies = _solve_acyclic(expansion, later, utilities, scores)
            write_values(values)
            write_plies(plies)
            if index % CHUNKS_MAPPED == 0:
                later.close()
            first = plies[:, 0] if is_secured else plies
            add_counts(counts, _count(values, first, expansion.ends >= 0, utilities))
    later.close()
    return counts


def _solve_acyclic(
    expansion: Expansion,
    later: _Later,
    utilities: Sequence[tuple[float, ...]],
    scores: NDArray[np.int32],
) -> Known:
    """Return the values and plies of states whose moves all lead to later tiers."""
    import numpy as np

    size = len(expansion.ends)
    values, plies = np.zeros(size, np.uint8), np.zeros(size, np.uint16)
    own = [utilities.index(tuple(map(float, each))) for each in expansion.utilities]
    over = expansion.ends >= 0
    if own:
        values[over] = np.array(own, np.uint8)[expansion.ends[over]]
    best = np.full(size, np.iinfo(np.int32).min, np.int32)
    for moves in expansion.moves:
        theirs, distances = later.look_up(moves.codes, moves.tiers)
        if (distances == ENDLESS - 1).any():
            raise too_long()
        movers = expansion.movers
        mover = movers if isinstance(movers, int) else movers[moves.sources]
        score = scores[mover, theirs]
        far = distances.astype(np.int32)
        score += np.where(score > 0, -far, far)
        better = score > best[moves.sources]
        chosen = moves.sources[better]
        best[chosen] = score[better]
        values[chosen] = theirs[better]
        plies[chosen] = np.where(
            distances[better] == ENDLESS, ENDLESS, distances[better] + np.uint16(1)
        )
    return values, plies


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add counts of more states."""
    for key, count in more.items():
        merge = max if key == "longest_win" else int.__add__
        counts[key] = merge(counts.get(key, 0), count)


def _count(
    values: NDArray[np.uint8],
    plies: NDArray[np.uint16],
    over: NDArray[np.bool_],
    utilities: Sequence[tuple[float, ...]],
) -> dict[str, int]:
    """Return counts of solved states; wins and losses are those of the first player."""
    import numpy as np

    first = np.array([each[0] for each in utilities])[values]
    won = plies[(first > 0) & (plies != ENDLESS)]
    return {
        "positions": len(values),
        "finished": int(np.count_nonzero(over)),
        "wins": int(np.count_nonzero(first > 0)),
        "draws": int(np.count_nonzero(first == 0)),
        "losses": int(np.count_nonzero(first < 0)),
        "longest_win": int(won.max()) if len(won) else 0,
    }


def _within(
    game: AnyGame, expansion: Expansion, codes: Codes, tier: int, look_up: LookUp
) -> tuple[AnySpace, Outside]:
    """Return a tier's states with the moves that stay in the tier, and the other moves.

    Parameters
    ----------
    game
        The game.
    expansion, codes, tier
        The moves of the states, the states in order, and the number of their tier. The moves that
        stay in the tier lead to these states.
    look_up
        Gives values and plies of states in later tiers.
    """
    import numpy as np

    space: AnySpace = StateSpace(game)
    space.states.extend(range(len(codes)))
    movers = np.broadcast_to(expansion.movers, codes.shape)
    space.movers = np.where(expansion.ends >= 0, OVER, movers).tolist()
    space.utilities = [expansion.utilities[end] if end >= 0 else None for end in expansion.ends]
    space.children = [[] for _ in codes]
    outside: Outside = []
    for moves in expansion.moves:
        tiers = np.broadcast_to(moves.tiers, moves.codes.shape)
        inside = tiers == tier
        local = np.searchsorted(codes, moves.codes[inside])
        for source, child in zip(moves.sources[inside].tolist(), local.tolist(), strict=True):
            space.children[source].append(child)
        theirs = look_up(moves.codes[~inside], tiers[~inside].copy())
        outside.append((moves.sources[~inside], *theirs))
    return space, outside


def solve_cyclic(
    game: AnyGame, space: AnySpace, outside: Outside, utilities: Sequence[tuple[float, ...]]
) -> Known:
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
        The game is not a two-player zero-sum game, and play can go on forever.
    """
    import numpy as np

    count, chains = len(space), _Chains(space)
    for ends in outside:
        for source, value, plies in zip(*(each.tolist() for each in ends), strict=True):
            space.children[source].append(chains.of(utilities[value], plies))
    space.actions = [()] * len(space)
    # Chains are in the lists too; the solvers do not ask for actions.
    is_zero_sum = game.players == 2 and all(sum(each) == 0 for each in utilities)
    solution = retrograde(space) if is_zero_sum else backward_induction(space)
    number_of = {each: index for index, each in enumerate(utilities)}
    values = [number_of[tuple(map(float, each or ()))] for each in solution.values[:count]]
    if max((each or 0 for each in solution.distances[:count]), default=0) >= ENDLESS:
        raise too_long()
    distances = [ENDLESS if each is None else each for each in solution.distances[:count]]
    return np.array(values, np.uint8), np.array(distances, np.uint16)


class _Chains:
    """States that are added to a space: each has a value after a number of single moves."""

    def __init__(self, space: AnySpace) -> None:
        self._space = space
        self._known: dict[tuple[tuple[float, ...], int], int] = {}

    def of(self, utilities: tuple[float, ...], distance: int) -> int:
        """Return the state that has this value after this number of moves; new ones are added."""
        space, known = self._space, self._known
        if distance == ENDLESS:
            if (utilities, ENDLESS) not in known:
                index = known[utilities, ENDLESS] = self._append(mover=0)
                space.children[index].append(index)
            return known[utilities, ENDLESS]
        for plies in range(distance + 1):
            if (utilities, plies) not in known:
                index = known[utilities, plies] = self._append(mover=0 if plies else OVER)
                if plies:
                    space.children[index].append(known[utilities, plies - 1])
                else:
                    space.utilities[index] = utilities
        return known[utilities, distance]

    def _append(self, mover: int) -> int:
        space = self._space
        space.states.append(len(space.states))
        space.movers.append(mover)
        space.utilities.append(None)
        space.children.append([])
        return len(space.states) - 1


def solve_guaranteed(
    game: AnyGame,
    space: AnySpace,
    outside: Outside,
    utilities: Sequence[tuple[float, ...]],
    secured: Sequence[Sequence[float]],
) -> Known:
    """Return the values of a tier's states, and for each player the plies until they have theirs.

    Parameters
    ----------
    game, space, outside
        The game, the tier's states, and the moves into later tiers.
    utilities
        What values are indices into: every combination of what players can have.
    secured
        For each state what each player has already.

    Raises
    ------
    Unsupported
        Something is more plies away than can be stored.
    """
    import numpy as np

    count, moves = len(space), [list(children) for children in space.children]
    values, distances = [], []
    for player in range(game.players):
        chains = _Chains(space)
        for sources, theirs, plies in outside:
            ends = sources.tolist(), theirs.tolist(), plies[:, player].tolist()
            for source, value, distance in zip(*ends, strict=True):
                space.children[source].append(chains.of((utilities[value][player],), distance))
        has = [float(own[player]) for own in secured]
        has += [-inf if own is None else own[0] for own in space.utilities[count:]]
        own_values, own_plies = forced(space, space.predecessors(), player, has)
        values.append(own_values[:count])
        distances.append(own_plies[:count])
        if max(distances[-1], default=0) >= ENDLESS:
            raise too_long()
        for states in (space.states, space.movers, space.utilities, space.children):
            del states[count:]
        space.children[:] = [list(children) for children in moves]
    number_of = {each: index for index, each in enumerate(utilities)}
    numbers = [number_of[own] for own in zip(*values, strict=True)]
    return np.array(numbers, np.uint8), np.array(distances, np.uint16).T.copy()
