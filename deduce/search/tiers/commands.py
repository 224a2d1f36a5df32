"""What ``deduce search GAME solve --to DIR`` does."""

from __future__ import annotations

import re
from typing import Any

from deduce.commands.output import print_answer, progress_bar
from deduce.errors import BadInput
from deduce.search.game import Game, text_of_action, text_of_state
from deduce.search.result import utilities_text
from deduce.search.tiers.solve import MIN_MEMORY, solve_on_disk
from deduce.search.tiers.table import Tablebase
from deduce.show.table import Table
from deduce.text import plural

__all__ = ["print_tablebase", "read_size", "solve"]

UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
COUNTS = ("tier", "positions", "finished", "wins", "draws", "losses", "longest_win")


def solve(
    game: Game[Any, Any],
    *,
    folder: str,
    name: str,
    state: Any,
    memory: str,
    jobs: int,
    scheduler: str | None,
    json: bool,
) -> None:
    """Solve a game on disk, or continue, and print the counts of its tiers."""
    size = read_size(memory)
    if size < MIN_MEMORY:
        raise BadInput(f"--memory: at least {MIN_MEMORY // 10**6} MB are needed, not {memory}")
    with progress_bar("states") as advance:
        done = 0

        def progress(states: int) -> None:
            nonlocal done
            done += states
            advance(done)

        table = solve_on_disk(
            game,
            folder,
            state=state,
            name=name,
            memory=size,
            jobs=jobs,
            scheduler=scheduler,
            progress=progress,
        )
    print_tablebase(table, json=json)


def print_tablebase(table: Tablebase, *, json: bool) -> None:
    """Print what a solution contains: the value of the root and the counts of every tier."""
    game, root = table.game, table.root
    result = table.result(root)
    value = result.value or ()
    best = [text_of_action(game, root, action) for action in result.best_actions]
    seconds = table.manifest.seconds
    document = {
        "schema": "deduce/search-tablebase/1",
        "game": table.manifest.game,
        "folder": str(table.folder),
        "state": text_of_state(game, root),
        "value": list(value),
        "distance": result.distance,
        "secured_in": list(result.secured_in) or None,
        "best_actions": best,
        "positions": len(table),
        "finished": sum(tier["finished"] for tier in table.tiers),
        "tiers": table.tiers,
        "seconds": round(seconds, 3),
    }
    end = "play goes on for ever" if result.distance is None else f"in {result.distance} plies"
    about = "Wins, draws and losses are those of the first player."
    if result.secured_in:
        plies = ", ".join(map(str, result.secured_in))
        end = f"what each player can force, after {plies} plies"
        about = "Wins: positions in which the first player can force a utility above 0."
    lines = [
        f"{table.folder}: {plural(len(table), 'position')}, solved in {seconds:.1f} s",
        f"value  {utilities_text(game, value)}",
        f"end    {end}",
        *([f"best   {'; '.join(best)}"] if best else []),
        "",
        str(
            Table(
                tuple(key.replace("_", " ") for key in COUNTS),
                tuple(tuple(f"{tier[key]:,}" for key in COUNTS) for tier in table.tiers),
                notes=(about,),
            )
        ),
    ]
    print_answer(document, lines, as_json=json)


def read_size(text: str) -> int:
    """Return a number of bytes.

    Raises
    ------
    BadInput
        It is not written as in ``200MB`` or ``1.5 GiB``.

    Examples
    --------
    >>> read_size("200MB"), read_size("1.5 GiB")
    (200000000, 1610612736)
    """
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) *([kKMG]i?B)", text.strip())
    if match is None or match[2] not in UNITS:
        raise BadInput(f"a size is written as 200MB or 1.5GiB, not {text!r}")
    return round(float(match[1]) * UNITS[match[2]])
