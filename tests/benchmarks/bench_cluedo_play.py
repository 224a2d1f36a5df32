"""Cluedo between players: the cost of a decision, of processes, and of many games in one process.

python -m pytest tests/benchmarks/bench_cluedo_play.py    the belief and a suggestion, repeated
python -m tests.benchmarks.bench_cluedo_play --inference  hands by arrays against Knowledge
python tests/benchmarks/bench_cluedo_play.py --memory     resident memory over 10 000 games
python tests/benchmarks/bench_cluedo_play.py --jobs       games a second, one process against two
python tests/benchmarks/bench_cluedo_play.py --duel A.jsonl
                                                          a sign test on a file of results
python -m tests.benchmarks.bench_cluedo_play --evenings   100 games of a scripted person, checked
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from deduce.batch.statistics import sign_test
from deduce.knowledge import Knowledge
from deduce.reasoning.hands import Hands
from deduce.system.clock import cpu_seconds
from games.cluedo.events import Hand
from games.cluedo.evidence import seen_log
from games.cluedo.game import game_of
from games.cluedo.players.belief import Belief
from games.cluedo.players.catalogue import find_player
from games.cluedo.players.information import Information
from games.cluedo.players.referee import play
from games.cluedo.players.seat import Seat
from games.cluedo.players.tournament import Standing, Tournament, contradictions, play_tournament
from tests.benchmarks.bench_cluedo_opponents import middle
from tests.cluedo.test_cluedo_evening import play_and_check

FAST = ("random", "not-placed", "most-no", "most-no+least-shown")
SLOW = ("information", "random", "not-placed", "most-no")
PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20


def midgame(upto: int) -> tuple[Seat, list[Any]]:
    """Return a seat of a four-player game, and what it has seen after some events."""
    names = ("A", "B", "C", "D")
    played = play({name: find_player("most-no") for name in names}, Random(3))
    events = list(seen_log(played.game, played.events[: 4 + upto], "A"))
    hand = next(event.cards for event in events if isinstance(event, Hand))
    return Seat(played.game, hand, Random(0)), events


def test_belief_of_a_midgame(benchmark: Any) -> None:
    seat, events = midgame(8)

    def posterior() -> Any:
        belief = Belief(seat.game, "A", seat.hand)
        for event in events:
            belief.tell(event)
        return belief.posterior()

    assert abs(benchmark(posterior).sum() - 1) < 1e-9


def test_suggestion_of_a_midgame(benchmark: Any) -> None:
    seat, events = midgame(8)
    player = Information(Seat(seat.game.__class__(("A", "B", "C", "D"), hands=seat.game.hands,
                                                  me="A"), seat.hand, Random(0)))  # fmt: skip
    for event in events:
        player.see(event)
    assert len(benchmark(player.suggest, seat.game.deck["room"])) == 3


def inference(positions: int) -> None:
    """Print the CPU time of posterior, certain cards and 4000 deals, by `Hands` and `Knowledge`."""
    Hands("ab", {"Ann": 1}, [("a",)]).posterior()  # so that numpy is imported
    fast = slow = 0.0
    for knowledge in middle(positions):
        game, log = game_of(knowledge), knowledge.log
        start = cpu_seconds()
        belief = Belief(game, str(game.me), log[0].cards)
        for event in log:
            belief.tell(event)
        _ = belief.posterior(), belief.placed(), belief.deals(0, 4000, 1)
        fast += cpu_seconds() - start
        start = cpu_seconds()
        same = Knowledge(game, log)
        _ = same.joint(*game.questions()), same.certain(), same.sample(4000, seed=1)
        slow += cpu_seconds() - start
    fast, slow = 1000 * fast / positions, 1000 * slow / positions
    print(f"Hands {fast:.1f} ms, Knowledge {slow:.1f} ms: {slow / fast:.1f} times")


def memory(games: int) -> None:
    standing = Standing(Tournament(FAST, seed=1))
    for finished in play_tournament(standing.tournament, games):
        standing.add(finished)
        if standing.games % 1000 == 0:
            resident = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE
            print(f"{standing.games:6} games  {resident:6.1f} MiB", flush=True)


def jobs(games: int) -> None:
    """Print games a second, and CPU seconds a game with all that processes cost.

    On a busy machine the first says little. By the second, two processors that do nothing else
    would give twice its ratio.
    """
    from joblib.externals.loky import get_reusable_executor

    tournament = Tournament(SLOW, seed=2)
    wall, cpu = {}, {}
    for number in (1, 2):
        start, spent = time.perf_counter(), _cpu()
        played = sum(1 for _ in play_tournament(tournament, games, jobs=number))
        wall[number] = played / (time.perf_counter() - start)
        if number > 1:
            get_reusable_executor().shutdown(wait=True)  # so that its CPU time is known
        cpu[number] = (_cpu() - spent) / played
        print(f"{number} process(es): {wall[number]:.2f} games/s, {cpu[number]:.3f} CPU s a game")
    print(f"games/s: {wall[2] / wall[1]:.2f} times; by CPU time: {2 * cpu[1] / cpu[2]:.2f} times")


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def duel(path: Path) -> None:
    header, *rows = map(json.loads, path.read_text().splitlines())
    wins = Counter(header["players"][row["winner"]] for row in rows if row["winner"] is not None)
    (one, more), (other, fewer) = wins.most_common(2)
    print(f"{len(rows)} games: {one} {more}, {other} {fewer}; p = {sign_test(more, fewer):.2g}")


def evenings(games: int) -> None:
    """Play whole games of `deduce cluedo play`; after every event, check what each player knows."""
    ends: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    events = followed = 0
    start = time.perf_counter()
    for seed in range(games):
        with TemporaryDirectory() as folder:
            evening = play_and_check(seed, Path(folder))
        table = evening.table
        won = "the person won" if table.winner == evening.me else str(table.end)
        ends[won] += 1
        sizes[len(table.game.players)] += 1
        events += len(table.events)
        if len(table.game.cards) <= 21:
            followed += 1
            for what in contradictions(evening.played()):
                raise AssertionError(f"seed {seed}: {what}")
        print(f"{seed + 1} games, {time.perf_counter() - start:.0f} s", flush=True)
    print(f"{events} events; ends: {dict(ends)}; players: {dict(sorted(sizes.items()))}")
    print(f"every player's knowledge followed event by event in {followed} games: no fault")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inference", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--jobs", action="store_true")
    parser.add_argument("--evenings", action="store_true")
    parser.add_argument("--games", type=int)
    parser.add_argument("--duel", type=Path)
    options = parser.parse_args()
    if options.inference:
        inference(options.games or 20)
    if options.memory:
        memory(options.games or 10_000)
    if options.jobs:
        jobs(options.games or 200)
    if options.evenings:
        evenings(options.games or 100)
    if options.duel:
        duel(options.duel)


if __name__ == "__main__":
    main()
