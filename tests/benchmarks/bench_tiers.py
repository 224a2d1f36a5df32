"""Solutions on disk: time and memory, each in a process of its own.

python -m tests.benchmarks.bench_tiers                  # 4x4, 5x4, 5x5; one and two processes
python -m tests.benchmarks.bench_tiers --size 6x5       # one size (hours, 20 GB of disk)
python -m tests.benchmarks.bench_tiers --two            # 5x5: two processes against one
python -m tests.benchmarks.bench_tiers --dask           # 5x5: two Dask workers against one
python -m tests.benchmarks.bench_tiers --kill 200       # a 4x4 solution, killed at random moments
python -m tests.benchmarks.bench_tiers --peer PYTHON    # beside OpenSpiel, where that Python has it
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from tests.cluster import Cluster


def command(size: str, folder: str, *options: str) -> list[str]:
    width, height = size.split("x")
    game = ["connect-four", "--set", f"width={width}", "--set", f"height={height}"]
    main = "from deduce.cli.main import main; main()"
    return [sys.executable, "-c", main, "search", *game, "--solve", "--to", folder, *options]


def measured(size: str, folder: str, *options: str) -> dict[str, float]:
    """Return positions, seconds of the wall clock, CPU seconds and resident megabytes."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command(size, folder, *options), "--json"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    document = json.loads(process.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return {
        "positions": document["positions"],
        "wall": time.perf_counter() - started,
        "cpu": usage.ru_utime + usage.ru_stime,
        "MiB": usage.ru_maxrss / 1024,
    }


def digest(folder: Path) -> str:
    """Return a hash of all files of a solution, the time that it took left out."""
    hashed = sha256()
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        if path.name == "solution.json":
            manifest = json.loads(data)
            del manifest["seconds"]
            data = json.dumps(manifest).encode()
        hashed.update(path.name.encode() + data)
    return hashed.hexdigest()


def kill(times: int, seed: int = 1) -> None:
    """Solve 4x4 again and again, kill it at a random moment, continue, and compare all bytes."""
    generator = random.Random(seed)
    folder = Path(tempfile.mkdtemp())
    began = time.perf_counter()
    subprocess.run(command("4x4", str(folder)), check=True, stdout=subprocess.DEVNULL)
    whole, wanted = time.perf_counter() - began, digest(folder)
    kills = 0
    while kills < times:
        shutil.rmtree(folder)
        while True:
            process = subprocess.Popen(command("4x4", str(folder)), stdout=subprocess.DEVNULL)
            try:
                process.wait(generator.uniform(0.1, whole))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
        assert digest(folder) == wanted
    print(f"{kills} kills; every continued solution is the same to the byte")
    shutil.rmtree(folder)


def two(size: str, rounds: int) -> None:
    """Compare two processes with one, in turns."""
    runs: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs in runs:
            folder = tempfile.mkdtemp()
            options = ["--memory", "500MB", "--jobs", str(jobs)]
            runs[jobs].append(measured(size, folder, *options))
            shutil.rmtree(folder)
    one, both = (min(run["wall"] for run in runs[jobs]) for jobs in (1, 2))
    for jobs, each in runs.items():
        cpu = statistics.median(run["cpu"] for run in each)
        print(f"{jobs}: wall {min(run['wall'] for run in each):.1f} s, CPU {cpu:.1f} s in all")
    print(f"{size}: two processes are {one / both:.2f} times as fast as one")


def dask(size: str) -> None:
    """Compare a cluster of two workers with one of a single worker."""
    walls = {}
    for workers in (1, 2):
        folder = Path(tempfile.mkdtemp())
        cluster = Cluster(folder, workers)
        options = ["--memory", "500MB", "--scheduler", cluster.address]
        walls[workers] = measured(size, str(folder / "solved"), *options)["wall"]
        cluster.close()
        shutil.rmtree(folder)
        print(f"{workers}: wall {walls[workers]:.1f} s", flush=True)
    print(f"{size}: two Dask workers are {walls[1] / walls[2]:.2f} times as fast as one")


SPIEL = """
import json, sys, time
import pyspiel
from open_spiel.python.algorithms import value_iteration
started = time.process_time()
values = value_iteration.value_iteration(pyspiel.load_game(sys.argv[1]), -1, 0.01)
print(json.dumps({"states": len(values), "cpu": time.process_time() - started}))
"""
OURS = """
import json, sys, tempfile, time
from deduce.search.tiers.solve import solve_on_disk
from games.classics.connect_four import ConnectFour
from games.classics.tic_tac_toe import TicTacToe
game = ConnectFour(4, 4) if sys.argv[1].startswith("connect") else TicTacToe()
started = time.process_time()
with tempfile.TemporaryDirectory() as folder:
    states = len(solve_on_disk(game, folder))
print(json.dumps({"states": states, "cpu": time.process_time() - started}))
"""


def beside(python: str) -> None:
    """Solve the same games by OpenSpiel's value iteration; CPU seconds without imports."""
    for game in ("tic_tac_toe", "connect_four(rows=4,columns=4)"):
        for name, program, script in (("ours", sys.executable, OURS), ("OpenSpiel", python, SPIEL)):
            command = [program, "-c", script, game]
            found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            result = json.loads(found)
            print(f"{game} {name}: {result['states']:,} states, {result['cpu']:.2f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", action="append")
    parser.add_argument("--kill", type=int)
    parser.add_argument("--two", action="store_true")
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--peer", metavar="PYTHON")
    options = parser.parse_args()
    if options.kill:
        kill(options.kill)
    if options.two:
        two("5x5", rounds=2)
    if options.dask:
        dask("5x5")
    if options.peer:
        beside(options.peer)
    if options.kill or options.two or options.dask or options.peer:
        return
    for size in options.size or ["4x4", "5x4", "5x5"]:
        for extra in (["--memory", "500MB"], ["--memory", "500MB", "--jobs", "2"]):
            runs = []
            for _ in range(3 if size in ("4x4", "5x4") else 1):
                folder = tempfile.mkdtemp()
                runs.append(measured(size, folder, *extra))
                shutil.rmtree(folder)
            best = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            text = ", ".join(f"{key} {value:,.1f}" for key, value in best.items())
            print(size, " ".join(extra), text, flush=True)
    print("children, MiB:", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
