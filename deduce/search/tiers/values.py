"""Backwards: the values of a tier, from those of the tiers after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deduce.search.game import Packed, hook
from deduce.search.tiers.cyclic import solve_cyclic, solve_guaranteed
from deduce.search.tiers.exploring import Piece
from deduce.search.tiers.packing import Expansion, expander
from deduce.search.tiers.store import ENDLESS, Tier, TierFiles, too_long

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes, Indices

__all__ = ["add_counts", "value_part"]

CHUNKS_MAPPED = 32
"""After how many chunks the files of later tiers are unmapped, so that they leave the memory."""


class _Later:
    """Values of states in later tiers."""

    def __init__(self, folder: Path, tiers: Sequence[Tier], columns: int = 1) -> None:
        self._shape = () if columns == 1 else (columns,)
        self._tiers = {
            tier.tier: TierFiles(
                folder, tier.splits, [part.name for part in tier.parts or ()], columns
            )
            for tier in tiers
        }

    def look_up(
        self, codes: Codes, tiers: Indices | int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """Return the values and plies of packed states."""
        import numpy as np

        if isinstance(tiers, int):
            return self._tiers[tiers].look_up(codes)
        values = np.empty(len(codes), np.uint8)
        plies = np.empty((len(codes), *self._shape), np.uint16)
        for number in np.unique(tiers).tolist():
            chosen = np.flatnonzero(tiers == number)
            values[chosen], plies[chosen] = self._tiers[number].look_up(codes[chosen])
        return values, plies

    def close(self) -> None:
        """Give back the memory."""
        for files in self._tiers.values():
            files.close()


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
            place = expansion, codes, tier.tier, later.look_up, utilities
            if is_secured:
                values, plies = solve_guaranteed(*place)
            elif tier.cyclic:
                values, plies = solve_cyclic(game, *place)
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
) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
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
