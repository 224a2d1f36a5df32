"""How many shots players of Battleship need until the fleet is sunk.

``python -m tests.benchmarks.bench_battleship 200 /tmp/shots.jsonl`` plays the standard fleet on
10 by 10 cells and prints the mean of each player with its 95 % interval. Games that the file has
are not played again. Further words name the players; by default all play.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from time import process_time

from deduce import Knowledge
from games.battleship import Battleship, Shoot, Shot

Player = Callable[[Battleship, Sequence[Shot], Random], Shoot]


def at_random(game: Battleship, log: Sequence[Shot], random: Random) -> Shoot:
    """Shoot at any cell."""
    return random.choice(list(game.inquiries(log, None)))


def by_parity(game: Battleship, log: Sequence[Shot], random: Random) -> Shoot:
    """Shoot next to a hit of a ship that may be afloat, else at the cells of one colour."""
    cells = {inquiry.cell: inquiry for inquiry in game.inquiries(log, None)}
    afloat: list[str] = []
    for shot in log:
        if shot.answer == "hit":
            afloat.append(shot.cell)
        elif shot.answer.startswith("sunk"):
            afloat = _without_line(afloat, shot.cell, game, shot.answer.removeprefix("sunk "))
    near = [c for hit in afloat for c in _around(hit) if c in cells]
    if near:
        return cells[random.choice(near)]
    dark = [c for c in cells if (ord(c[0]) + int(c[1:])) % 2]
    return cells[random.choice(dark or list(cells))]


def _around(cell: str) -> list[str]:
    x, y = cell[0], int(cell[1:])
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return [f"{chr(ord(x) + a)}{y + b}" for a, b in steps]


def _without_line(hits: list[str], last: str, game: Battleship, ship: str) -> list[str]:
    """Return the hits without those of a ship that was sunk, where it can be only one line."""
    lines = [cells for cells in game.places()[ship].values() if last in cells]
    fits = [cells for cells in lines if cells <= {*hits, last}]
    return [hit for hit in hits if len(fits) != 1 or hit not in fits[0]]


def by_density(game: Battleship, log: Sequence[Shot], random: Random) -> Shoot:
    """Shoot where the most places of single ships are, each ship by itself; near hits first."""
    misses = {shot.cell for shot in log if shot.answer == "miss"}
    sunk = {shot.answer.removeprefix("sunk ") for shot in log if shot.answer.startswith("sunk")}
    hits = {shot.cell for shot in log if shot.answer == "hit"}
    score: dict[str, float] = {}
    for ship, places in game.places().items():
        for cells in places.values() if ship not in sunk else ():
            if not cells & misses:
                for cell in cells:
                    score[cell] = score.get(cell, 0) + 100 ** len(cells & hits)
    return max(game.inquiries(log, None), key=lambda i: (score.get(i.cell, 0), random.random()))


def by_information(game: Battleship, log: Sequence[Shot], random: Random) -> Shoot:
    """Follow the advice."""
    inquiry = Knowledge(game, tuple(log)).advise().ranking[0].inquiry
    assert isinstance(inquiry, Shoot)
    return inquiry


@cache
def by_chance(game: Battleship, log: Sequence[Shot]) -> Shoot:
    """Shoot where a ship is most probable, exactly; games that begin alike are computed once."""
    return game.favourite(Knowledge(game, tuple(log)))


PLAYERS: dict[str, Player] = {
    "at random": at_random,
    "by parity": by_parity,
    "by density": by_density,
    "by information": by_information,
    "by probability": lambda game, log, random: by_chance(game, tuple(log)),
}


def play(player: Player, seed: int) -> dict[str, object]:
    """Return the number of shots, and the longest CPU seconds before and from the fifth shot."""
    game, random = Battleship(), Random(seed)
    world, chooser = game.deal(random), Random(seed)
    log: list[Shot] = []
    seconds = []
    sunk = 0
    while sunk < len(game.fleet):
        began = process_time()
        inquiry = player(game, log, chooser)
        seconds.append(process_time() - began)
        log.append(game.event_of(inquiry, game.answer(inquiry, world)))
        sunk += log[-1].answer.startswith("sunk")
    return {"shots": len(log), "first": max(seconds[:5]), "later": max(seconds[5:])}


def main(games: int, file: Path, *names: str) -> None:
    """Play, append each game to the file, and print the means."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    done = {(row["player"], row["seed"]): row for row in map(json.loads, lines)}
    for seed in range(games):
        for name in names or PLAYERS:
            if (name, seed) not in done:
                row = {"player": name, "seed": seed, **play(PLAYERS[name], seed)}
                done[name, seed] = row
                with file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")
    for name in names or PLAYERS:
        rows = [row for (player, seed), row in done.items() if player == name and seed < games]
        shots = [row["shots"] for row in rows]
        margin = 1.96 * stdev(shots) / sqrt(len(shots))
        slowest = [max(row[key] for row in rows) for key in ("first", "later")]
        print(f"{name}: {mean(shots):.1f} +- {margin:.1f} shots; slowest {slowest[0]:.2f} s, then "
              f"{slowest[1]:.2f} s")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
