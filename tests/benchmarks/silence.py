"""What silence is worth in Cluedo: bits about the solution, and how often it misleads.

``python -m tests.benchmarks.silence FIRST LAST OUT ASLEEP`` plays the games of these seeds. Three
players name cards at random and accuse when they are certain; each of them is asleep, and never
accuses, with the probability ASLEEP. In each game one of the players who do not win looks at the
log before the first accusation. One line of JSON for each game is added to OUT; games in it are not
played again. Without ASLEEP a summary is printed.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from math import log2
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from attrs import evolve

from deduce.errors import Contradiction, Undecided
from deduce.knowledge import Knowledge
from games.cluedo.events import Accusation
from games.cluedo.evidence import seen_log
from games.cluedo.opponents.silence import silence
from games.cluedo.players.referee import play
from games.cluedo.players.simple import Reasoner
from games.cluedo.setup import ENVELOPE

DOUBT = Fraction(1, 10)


class Sleeper(Reasoner):
    """Never accuses."""

    def accuse(self) -> None:
        """Return ``None``."""
        return


def game(seed: int, asleep: float) -> dict[str, Any]:
    """Return what silence is worth in one game."""
    random = Random(f"silence {seed}")
    makers = {n: Sleeper if random.random() < asleep else Reasoner for n in ("Ann", "Ben", "Cid")}
    played = play(makers, random, turns=120)
    log = list(played.events)
    last = next((i for i, event in enumerate(log) if isinstance(event, Accusation)), len(log) - 1)
    viewer = random.choice([name for name in makers if name != played.winner])
    setup = evolve(played.game, me=viewer)
    began = process_time()
    k = Knowledge(setup, seen_log(played.game, log[:last], viewer))
    groups = played.game.groups().values()
    truth = tuple(next(c for c in cards if played.deal[c] == ENVELOPE) for cards in groups)
    result: dict[str, Any] = {"seed": seed, "deals": k.count(), "end": played.end}
    for name, doubt in (("sure", Fraction(0)), ("doubt", DOUBT)):
        try:
            told = silence(k, asleep=doubt)
        except Undecided:
            result[name] = "undecided"
        except Contradiction:
            result[name] = "contradiction"
        else:
            before, after = told.before[truth], told.solutions.get(truth, Fraction(0))
            result[name] = log2(after / before) if after else "excluded"
    return result | {"seconds": process_time() - began}


def summary(rows: list[dict[str, Any]]) -> None:
    """Print what the games show."""
    print(f"{len(rows)} games, CPU {sum(row['seconds'] for row in rows):.0f} s")
    for name in ("sure", "doubt"):
        bits = [row[name] for row in rows if isinstance(row[name], float)]
        changed = [bit for bit in bits if abs(bit) > 1e-12]
        mean = sum(bits) / max(1, len(bits))
        print(f"{name}: {mean:.4f} bits on average in {len(bits)} games that are decided")
        print(f"  changed in {len(changed)}: {sum(changed) / max(1, len(changed)):.3f} bits")
        for word in ("undecided", "contradiction", "excluded"):
            print(f"  {word}: {sum(row[name] == word for row in rows)}")


if __name__ == "__main__":
    out = Path(sys.argv[3])
    rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {row["seed"] for row in rows}
    if len(sys.argv) > 4:
        for seed in range(int(sys.argv[1]), int(sys.argv[2])):
            if seed not in done:
                with out.open("a") as file:
                    file.write(json.dumps(game(seed, float(sys.argv[4]))) + "\n")
    else:
        summary(rows)
