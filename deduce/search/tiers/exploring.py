"""Forwards: the states of a tier from sorted runs, and the runs of the tiers after it.

The work comes in pieces, one for each part of a tier, for any process that sees the folder.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.errors import Undecided
from deduce.search.game import AnyGame
from deduce.search.tiers.packing import Expansion, expander
from deduce.search.tiers.store import Tier, part_name, receipt, run_name, write_array
from deduce.system.text import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes


__all__ = [
    "BASE_MEMORY",
    "CHUNK",
    "MIN_ROOM",
    "Piece",
    "children_by_tier",
    "close",
    "collect",
    "do_once",
    "expand",
    "room_for",
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
    stage: str, work: Callable[[Piece], object], piece: Piece
) -> tuple[object, dict[str, str]]:
    """Return what a piece of work returns, and the digests of the files that it has written.

    What was done before a stop is not done again.
    """
    path = piece.folder / f"{stage}-{piece.tier.tier:05}-{piece.part:05}.json"
    return receipt(path, lambda: work(piece), piece.made)


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
