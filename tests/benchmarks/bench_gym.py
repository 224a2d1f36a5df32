"""The table of docs/benchmarks/gym.md, and the long checks of the gym.

``python -m tests.benchmarks.bench_gym table [FILE [LEVEL...]]`` plays the reference players, keeps
each episode in a file from which it goes on, and prints the table; ``rows`` prints that of the
file as it is;
``levels`` prints how hard the levels are, for docs/gym.md;
``rewards TURNS [FILE]``, ``pairs PAIRS [START]`` and ``broken TEXTS`` repeat the checks of
tests/gym at length, and ``cards POSITIONS`` those of OpenSpiel's cards; ``speed`` prints turns a
second of CPU time. All but ``speed`` give the same again.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from deduce import gym
from deduce.batch.results import ResultsFile
from deduce.game import Staged, hook
from deduce.gym.episode import VERSION
from deduce.gym.players import episode_row, summary
from deduce.policy.inquiries import format_inquiry
from tests.gym import levels as hard
from tests.gym.brute import GAMES, runs, small
from tests.gym.pairs import compared
from tests.gym.test_gym import hostile

TURNS = 200
"""Questions in an episode."""

KEYS = ("won", "questions", "bits", "regret", "log_score")
"""What the table has of an episode."""


def cell(row: dict[str, Any], key: str) -> str:
    value, half = row[key], row[f"{key}_95"]
    if value is None:
        return "-"
    return f"{value:.3f}" if half is None else f"{value:.3f} ± {half:.3f}"


def table(kept: str = "gym.jsonl", *levels: str, play: bool = True) -> None:
    """Play what a file of episodes lacks, the first episode of every row first; print the rows.

    With levels, only episodes of these are played.
    """
    places = [
        (level, name, player)
        for level, name, player in product(gym.LEVELS, gym.names(), gym.PLAYERS)
        if player != "best" or hook(type(gym.make(name).game), Staged.favourite)
    ]
    header = {"gym": VERSION, "turns": TURNS, "places": places}
    with ResultsFile(Path(kept), header) as results:
        rows = {row["trial"]: row for row in results.rows()}
        for number in range(max(hard.EPISODES.values())):
            for place, (level, name, player) in enumerate(places):
                trial = 1000 * place + number
                wanted = number < hard.EPISODES[level] and (not levels or str(level) in levels)
                if play and wanted and trial not in rows:
                    began = process_time()
                    episode = gym.make(name, seed=7 + number, level=level, turns=TURNS)
                    row = episode_row(episode, player) | {"trial": trial}
                    results.add(row | {"seconds": process_time() - began})
                    rows[trial] = row
    head = ("game", "level", "player", "won", "questions", "bits", "regret", "log score")
    print("|", " | ".join(head), "|")
    print("|" + "---|" * len(head))
    for name, (place, (level, own, player)) in product(gym.names(), enumerate(places)):
        played = [rows[trial] for trial in sorted(rows) if trial // 1000 == place]
        if own == name and played:
            row = summary([{k: v for k, v in r.items() if k in KEYS} for r in played])
            low, high = row["won_95"]
            cells = [name, level, player, f"{row['won']}/{len(played)} ({low:.0%}-{high:.0%})"]
            cells += [cell(row, key) for key in KEYS[1:]]
            print("|", " | ".join(map(str, cells)), "|")


def levels(names: list[str]) -> None:
    """Print the rows of the table of levels."""
    for name in names or gym.names():
        for level in gym.LEVELS:
            print(hard.row(name, level), flush=True)


def rewards(total: int, kept: str = "") -> None:
    """Compare what is paid with a list of all worlds; goes on from a file of figures."""
    path = Path(kept) if kept else None
    rows: dict[str, Any] = json.loads(path.read_text()) if path and path.exists() else {}
    start = {name: (row["turns"], row["episodes"]) for name, row in rows.items()}
    for name, number, wrong in runs([*GAMES], -(-total // len(GAMES)), start):
        row = rows.setdefault(name, {"turns": 0, "episodes": 0, "differences": []})
        row["turns"] += number
        row["episodes"] += 1
        row["differences"] += wrong
        if path and row["episodes"] % 20 == 0:
            path.write_text(json.dumps(rows, indent=1))
    if path:
        path.write_text(json.dumps(rows, indent=1))
    for name, row in rows.items():
        print(f"{name}: {row['turns']} turns, {len(row['differences'])} differences")
        print(*row["differences"], sep="\n", end="")


def pairs(total: int, start: int = 0) -> None:
    """Compare what agents read of two secrets that look alike; goes on from pair ``start``."""
    texts = 0
    for number in range(start, total):
        name = gym.names()[number % len(gym.names())]
        texts += compared(name, number)
        if number % 500 == 499:
            print(f"{number + 1} pairs, {texts} texts equal", flush=True)


def broken(total: int) -> None:
    """Give broken texts to episodes; one that ends is begun anew."""
    random, slowest, refused = Random(1), 0.0, 0
    episodes: dict[str, gym.Episode] = {}
    for number in range(total):
        name = [*GAMES][number % len(GAMES)]
        if name not in episodes or episodes[name].done:
            episodes[name] = small(name, number)
            episodes[name].reset()
        text = hostile(random, episodes[name])
        began = process_time()
        refused += not episodes[name].step(text).rewards["legal"]
        slowest = max(slowest, process_time() - began)
    print(f"{total} texts, {refused} refused, the slowest {slowest:.3f} s of CPU time")


def speed() -> None:
    """Print the median turns a second of random questions."""
    for name, level in (("mastermind", 2), ("guess-who", 2), ("minesweeper", 3), ("cluedo", 1),
        ("battleship", 3)):  # fmt: skip
        for regret in (False, True):
            times: list[float] = []
            for seed in range(3):
                episode = gym.make(name, level=level, seed=seed, regret=regret)
                episode.reset()
                random = Random(seed)
                while not episode.done and len(times) < 40 * (seed + 1):
                    began = process_time()
                    inquiries = list(episode.inquiries())
                    asked = format_inquiry(episode.game, random.choice(inquiries))
                    episode.step(f"ask {asked}")
                    times.append(process_time() - began)
            print(f"{name} level {level} regret={regret}: {1 / median(times):.0f} turns a second")


def cards(number: int) -> None:
    """Compare beliefs about OpenSpiel's cards with what OpenSpiel accepts."""
    from tests.gym import test_cards as checks

    for name in checks.SMALL:
        checks.check_small(name, number)
        print(f"{name}: {number} positions equal", flush=True)
    checks.check_spades(number)
    print(f"spades: {number} positions equal", flush=True)
    off = checks.check_crazy_eights(number, 6_000)
    far = sum(abs(each) > 2 for each in off)
    print(f"crazy_eights: {number} positions, {far} of them more than 2 standard deviations off")


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command in ("table", "rows"):
        table(*rest, play=command == "table")
    elif command == "levels":
        levels(rest)
    elif command == "speed":
        speed()
    else:
        check: Any = {"rewards": rewards, "pairs": pairs, "broken": broken, "cards": cards}[command]
        check(*(int(word) if word.isdigit() else word for word in rest))
