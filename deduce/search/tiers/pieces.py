"""Pieces of work: one part of one tier, for any process that sees the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.search.game import Game
from deduce.search.tiers.store import Tier, part_name, receipt, write_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes

__all__ = ["BASE_MEMORY", "CHUNK", "MIN_ROOM", "Piece", "do_once", "room_for"]

BASE_MEMORY = 70_000_000
"""What Python and numpy take before anything is computed, in bytes."""
MIN_ROOM = 20_000_000
"""What is left for the work at least, in bytes."""
CHUNK = 1 << 15
"""How many states are expanded at a time: arrays that fit into the processor's cache."""


@frozen
class Piece:
    """One part of one tier, and what is known of the tiers after it."""

    game: Game[Any, Any]
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


def do_once(stage: str, work: Callable[[Piece], Any], piece: Piece) -> tuple[Any, dict[str, str]]:
    """Return what a piece of work returns, and the digests of the files that it has written.

    What was done before a stop is not done again.
    """
    path = piece.folder / f"{stage}-{piece.tier.tier:05}-{piece.part:05}.json"
    return receipt(path, lambda: work(piece), piece.made)
