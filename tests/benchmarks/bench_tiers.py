"""Solutions on disk: time and memory, each in a process of its own.

python -m tests.benchmarks.bench_tiers                  # 4x4, 5x4, 5x5; one and two processes
python -m tests.benchmarks.bench_tiers --size 6x5       # one size (hours, 20 GB of disk)
python -m tests.benchmarks.bench_tiers --kill 200       # a 4x4 solution, killed at random moments
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


def command(size: str, folder: str, *options: str) -> list[str]:
    width, height = size.split("x")
    game = ["connect-four", "--set", f"width={width}", "--set", f"height={height}"]
    main = "from deduce.cli import main; main()"
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", action="append")
    parser.add_argument("--kill", type=int)
    options = parser.parse_args()
    if options.kill:
        kill(options.kill)
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
