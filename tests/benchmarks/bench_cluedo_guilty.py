"""Cluedo: how far the simple rules' probability of the guilty cards is from the exact one.

python -m tests.benchmarks.bench_cluedo_guilty            the table in docs/games/cluedo-players.md
python -m tests.benchmarks.bench_cluedo_guilty --games 5  fewer games
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from attrs import frozen

from games.cluedo import Hand, Suggestion
from games.cluedo.cases import recorded
from games.cluedo.evidence import seen_log
from games.cluedo.game import game_of
from games.cluedo.players.belief import Belief
from games.cluedo.players.catalogue import find_player
from games.cluedo.players.referee import Played, play
from games.cluedo.players.simple import Guilty, Sheet, simple_rules

CASES = Path(__file__).parents[1] / "data" / "cluedo_exact.json"
NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay")
GROUPS = ((1, 1), (2, 4), (5, 16), (17, 64), (65, 10**6))


@frozen
class Position:
    """What the simple rules and exact counting say at the end of one player's turn."""

    simple: int
    """How many solutions the simple rules leave."""
    exact: int
    best: float
    """The exact probability of the best solution."""
    hits: float
    """The share of the simple rules' solutions that are among the exact best."""
    impossible: float
    """The share of the simple rules' solutions that are impossible."""
    truth: float
    """The sum of the exact probabilities of the simple rules' solutions; 1 if they are sound."""

    @property
    def error(self) -> float:
        return abs(self.best - 1 / self.simple)

    @classmethod
    def of(cls, guilty: Guilty, exact: dict[tuple[str, ...], float]) -> Position:
        shares = [exact.get(solution, 0.0) for solution in guilty.solutions()]
        best = max(exact.values())
        return cls(
            len(shares),
            sum(share > 0 for share in exact.values()),
            best,
            sum(share > best - 1e-9 for share in shares) / len(shares),
            sum(share == 0 for share in shares) / len(shares),
            sum(shares),
        )


def positions(played: Played) -> Iterator[Position]:
    """Yield what each player knows after each of their own suggestions."""
    for name in played.game.players:
        sheet = Sheet(played.game)
        belief = None
        for event in seen_log(played.game, played.events, name):
            sheet.tell(event)
            if isinstance(event, Hand):
                belief = Belief(played.game, name, event.cards)
                continue
            assert belief is not None
            belief.tell(event)
            if isinstance(event, Suggestion) and event.by == name:
                exact = dict(zip(belief.rests, belief.posterior().tolist(), strict=True))
                yield Position.of(Guilty(sheet.candidates()), exact)


def recorded_positions() -> Iterator[Position]:
    """Yield the positions of the recorded cases."""
    for case in json.loads(CASES.read_text())["cases"]:
        knowledge = recorded(case)
        joint = knowledge.joint(*game_of(knowledge).questions())
        exact = {tuple(map(str, cards)): float(share) for cards, share in joint.items()}
        yield Position.of(simple_rules(knowledge), exact)


def row(name: str, found: Sequence[Position]) -> str:
    mean = {
        field: sum(getattr(position, field) for position in found) / len(found)
        for field in ("simple", "exact", "best", "error", "hits", "impossible")
    }
    score = sum(1 / position.simple for position in found) / len(found)
    worst = max(position.error for position in found)
    return (
        f"| {name} | {len(found):,} | {mean['simple']:.1f} | {mean['exact']:.1f} | {score:.1%} | "
        f"{mean['best']:.1%} | {mean['error']:.3f} | {worst:.3f} | {1 - mean['hits']:.1%} | "
        f"{mean['impossible']:.1%} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=25, help="For each number of players.")
    options = parser.parse_args()
    found: dict[int, list[Position]] = {}
    for count in (3, 4, 5, 6):
        makers = {name: find_player("console") for name in NAMES[:count]}
        found[count] = [
            position
            for seed in range(options.games)
            for position in positions(play(makers, Random(f"{count}:{seed}")))
        ]
    everything = [position for positions in found.values() for position in positions]
    for low, high in GROUPS:
        name = f"{low}" if low == high else f"{low} to {high}" if high < 10**6 else f"{low} or more"
        print(row(f"{name} left", [p for p in everything if low <= p.simple <= high]))
    for count, positions_ in found.items():
        print(row(f"{count} players", positions_))
    print(row("all", everything))
    print(row("recorded cases", list(recorded_positions())))
    late = [p for p in everything if p.exact == 1]
    missed = sum(p.simple > 1 for p in late)
    print(f"exactly certain: {len(late)} positions; the simple rules do not notice {missed}")
    print(f"sum of the exact probabilities: least {min(p.truth for p in everything):.6f}")


if __name__ == "__main__":
    main()
