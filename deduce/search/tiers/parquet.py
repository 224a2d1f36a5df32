"""Solutions on disk as Parquet files, which DuckDB, pandas and polars read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from deduce.errors import BadInput, missing_extra
from deduce.search.game import text_of_state
from deduce.search.tiers.store import ENDLESS
from deduce.search.tiers.table import Tablebase

__all__ = ["write_parquet"]

ROWS = 1 << 20
"""Rows in a group of the file, and in memory at a time."""


def write_parquet(
    table: Tablebase, path: Path, *, progress: Callable[[int], None] | None = None
) -> None:
    """Write all states of a solution to a Parquet file.

    Its columns are ``tier`` (int32), ``code`` (uint64, the packed state), ``utility_0`` to
    ``utility_N`` (float64, one for each player) and ``plies`` (uint16; null where play goes on for
    ever); in a game with ``secured`` ``plies_0`` to ``plies_N``. Rows are in order of tier and
    code. Names of game and root are in the file's metadata.

    Raises
    ------
    Unsupported
        pyarrow (the extra ``tiers``) is not installed.
    BadInput
        The file cannot be written, or one of the solution is damaged.
    """
    try:
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise missing_extra("Parquet files need pyarrow", "tiers") from None
    manifest = table.manifest
    names = [f"utility_{player}" for player in range(manifest.players)]
    lengths = [f"plies_{player}" for player in range(manifest.players)]
    if not manifest.is_secured:
        lengths = ["plies"]
    schema = pa.schema(
        [
            ("tier", pa.int32()),
            ("code", pa.uint64()),
            *((name, pa.float64()) for name in names),
            *((name, pa.uint16()) for name in lengths),
        ],
        metadata={"game": manifest.game, "root": text_of_state(table.game, table.root)},
    )
    utilities = np.array(manifest.utilities)
    second = path.with_name(path.name + ".part")
    done = 0
    try:
        with pq.ParquetWriter(second, schema) as writer:
            for tier in manifest.tiers:
                for part in range(len(tier.parts or ())):
                    codes, values, plies = map(np.asarray, table.files(tier, part))
                    for first in range(0, len(codes), ROWS):
                        rows = slice(first, first + ROWS)
                        gains = utilities[values[rows]]
                        left = np.array(plies.reshape(-1, len(lengths))[rows])
                        columns = [
                            np.full(len(left), tier.tier, np.int32),
                            np.array(codes[rows]),
                            *(gains[:, player].copy() for player in range(manifest.players)),
                            *(pa.array(column, mask=column == ENDLESS) for column in left.T.copy()),
                        ]
                        writer.write_batch(pa.record_batch(columns, schema=schema))
                        done += len(left)
                        if progress:
                            progress(done)
        second.replace(path)
    except IndexError:
        raise BadInput(
            f"tier {tier.tier} has a value that is not a utility", source=str(table.folder)
        ) from None
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None
    finally:
        second.unlink(missing_ok=True)
