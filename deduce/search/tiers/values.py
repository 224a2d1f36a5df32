"""Backwards: the values of a tier, from those of the tiers after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deduce.search.game import AnyGame, hook
from deduce.search.tiers.cyclic import solve_cyclic, solve_guaranteed
from deduce.search.tiers.exploring import Piece
from deduce.search.tiers.packing import expander
from deduce.search.tiers.store import ENDLESS, Tier, TierFiles, too_long

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes, Indices

__all__ = ["add_counts", "work_for"]

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


def work_for(game: AnyGame, tier: Tier) -> Callable[[Piece], dict[str, int]]:
    """Return the function that writes the values of a part of a tier and returns counts."""
    if hook(game, "secured"):
        return value_guaranteed
    return value_cyclic if tier.cyclic else value_part


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
    """Write the values of a part whose moves all lead to later tiers; return counts."""
    import numpy as np

    expand = expander(piece.game)
    later = _Later(piece.folder, piece.later)
    scores = _scores(piece.utilities, piece.game.players)
    number_of = {each: index for index, each in enumerate(piece.utilities)}
    counts: dict[str, int] = {}
    with (
        piece.writing(f"{piece.name}.values") as write_values,
        piece.writing(f"{piece.name}.plies") as write_plies,
    ):
        for index, codes in enumerate(piece.chunks()):
            expansion = expand(codes)
            values = np.zeros(len(codes), np.uint8)
            plies = np.zeros(len(codes), np.uint16)
            own = [number_of[tuple(map(float, each))] for each in expansion.utilities]
            over = expansion.ends >= 0
            if own:
                values[over] = np.array(own, np.uint8)[expansion.ends[over]]
            best = np.full(len(codes), np.iinfo(np.int32).min, np.int32)
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
            write_values(values)
            write_plies(plies)
            if index % CHUNKS_MAPPED == 0:
                later.close()
            add_counts(counts, _count(values, plies, over, piece.utilities))
    return counts


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


def value_guaranteed(piece: Piece) -> dict[str, int]:
    """Write what each player can force from the states of a part; return counts.

    A tier with moves within it has one part, which is solved at once; others by chunks.
    """
    import numpy as np

    expand = expander(piece.game)
    later = _Later(piece.folder, piece.later, piece.game.players)
    counts: dict[str, int] = {}
    path = piece.folder / piece.name
    with (
        piece.writing(f"{piece.name}.values") as write_values,
        piece.writing(f"{piece.name}.plies") as write_plies,
    ):
        whole = np.fromfile(path.with_suffix(".codes"), "<u8") if piece.tier.cyclic else None
        for codes in piece.chunks() if whole is None else [whole]:
            expansion = expand(codes)
            values, plies = solve_guaranteed(
                expansion, codes, piece.tier.tier, later.look_up, piece.utilities
            )
            write_values(values)
            write_plies(plies)
            over = expansion.ends >= 0
            add_counts(counts, _count(values, plies[:, 0], over, piece.utilities))
    later.close()
    return counts


def value_cyclic(piece: Piece) -> dict[str, int]:
    """Write the values of a tier with moves within it; return counts."""
    import numpy as np

    codes = np.fromfile(piece.folder / f"{piece.name}.codes", "<u8")
    later = _Later(piece.folder, piece.later)
    values, plies, over = solve_cyclic(
        piece.game, codes, piece.tier.tier, later.look_up, piece.utilities
    )
    later.close()
    with piece.writing(f"{piece.name}.values") as write:
        write(values)
    with piece.writing(f"{piece.name}.plies") as write:
        write(plies)
    return _count(values, plies, over, piece.utilities)
