"""Forwards: the states of a tier from sorted runs, and the runs of the tiers after it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from deduce.search.tiers.cyclic import close_tier
from deduce.search.tiers.packing import Expansion, expander
from deduce.search.tiers.pieces import Piece
from deduce.search.tiers.store import part_name, run_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes

__all__ = ["children_by_tier", "close", "collect", "expand"]


def children_by_tier(expansion: Expansion) -> Iterator[tuple[int, int, Codes]]:
    """Yield the children of an expansion, by move and tier: index of the move, tier, codes."""
    import numpy as np

    for slot, moves in enumerate(expansion.moves):
        if isinstance(moves.tiers, int):
            yield slot, moves.tiers, moves.codes
            continue
        for number in np.unique(moves.tiers).tolist():
            yield slot, number, moves.codes[moves.tiers == number]


def expand(piece: Piece) -> dict[str, Any] | None:
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


def close(piece: Piece) -> dict[str, Any]:
    """Collect all states of a tier with moves within it, and write the runs of later tiers."""
    import numpy as np

    parts = piece.tier.parts or []
    codes = np.concatenate(
        [np.fromfile(piece.folder / f"{part.name}.codes", "<u8") for part in parts]
    )
    closed, outside = close_tier(piece.game, codes, piece.tier.tier, piece.room)
    for number, found in outside.codes.items():
        # Parts of a tier after a cyclic one: whatever was planned; else a single one.
        splits = next((tier.splits for tier in piece.later if tier.tier == number), [])
        children = _unique(found)
        cuts = np.searchsorted(children, np.array(splits, np.uint64))
        for part, share in enumerate(np.split(children, cuts)):
            name = run_name(number, part, piece.tier.tier, 0)
            with piece.writing(f"{name}.codes") as write:
                write(share)
    with piece.writing(f"{part_name(piece.tier.tier, 0)}.codes") as write:
        write(closed)
    return {
        "utilities": sorted(outside.utilities),
        "tiers": sorted(outside.codes),
        "states": len(closed),
    }
