"""Ctrl-C at a random moment of every command: once is enough, soon, and without a traceback.

    python -m tests.benchmarks.interrupt --times 300 --seed 1 [--only soak] [--results FILE]

The commands are the examples in the help of every command, in a folder with the files that they
name, and some that take long. A command that was interrupted ends with 130, or as it would have
ended anyway, prints no traceback, and leaves no half of a JSON document. One line is printed for
each command that was slow or wrong, and one for all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from deduce.system import registry
from tests.commands import COMMANDS, context
from tests.programs import deduce

ROOT = Path(__file__).parents[2]
DEDUCE = [sys.executable, "-c", "from deduce.__main__ import main; main()"]
"""What the installed command runs."""
SECONDS = 1.0
"""How soon a command must have ended."""
ENDED = "it had ended before"
LONG = """
soak --minutes 5
app --no-open
app cluedo evening.cluedo --no-open
cluedo play --watch --bots best,information,seed
cluedo tournament best information random --games 1000
cluedo tournament information random --games 1000 --jobs 2
cluedo sheet --time-limit 60 --engine components game.cluedo
cluedo advise --turns 2 game.cluedo
cluedo minds game.cluedo
cluedo puzzle --grade 5
mastermind solve --slots 4 --colours 8 --time-limit 60
mastermind solve --slots 4 --colours 6 --objective worst --jobs 2
mastermind solve --static --time-limit 60
mastermind advise --engine cpsat game.log
minesweeper play --games 1000 --board expert
minesweeper grid --engine cpsat board.txt
propre simulate search greedy --open --games 1000
propre solve --deal random --set hand=5 --time-limit 60
cultist match uct alphabeta --games 100
cultist match greedy random --games 10000 --jobs 2
cultist analyse state.txt --time 60
connect-four solve --time-limit 60
connect-four solve --to tiers --set width=5 --set height=4
connect-four perft 12
nim perft 30
pigs puzzle --players 6 --seed 1
quartets puzzle --grade 5
"""


def commands() -> list[list[str]]:
    """Return the arguments of all commands: the examples of the help texts, and the long ones."""
    lines = LONG.strip().splitlines()
    for names in COMMANDS:
        for line in context(*names).get_help().splitlines():
            if example := re.match(r"\s*(?:Example:\s+)?deduce (.*)", line):
                lines.append(re.split(r" \||  | > ", example[1])[0])
    words = (shlex.split(line) for line in dict.fromkeys(lines))
    return [list(line) for line in words if line[0] not in ("site",)]


def prepare(folder: Path) -> None:
    """Put the files into a folder that examples name."""
    for path in registry.examples():
        shutil.copy(path, folder)
        for name in ("game", "evening"):
            shutil.copy(path, folder / f"{name}{path.suffix}")
    made = {
        "game.log": ["mastermind", "new"],
        "board.txt": ["minesweeper", "new", "--board", "beginner", "--seed", "3"],
        "state.txt": ["cultist", "new", "--seed", "3"],
        "game.txt": ["pigs", "deal", "--players", "6", "--seed", "3"],
    }
    for name, words in made.items():
        (folder / name).write_text(deduce(*words).stdout)
    (folder / "marks.txt").write_text("rope=Ann\n")


def interrupted(words: Sequence[str], folder: Path, after: float) -> tuple[float, str]:
    """Return how many seconds a command took to end after Ctrl-C, and what was wrong."""
    process = subprocess.Popen(
        [*DEDUCE, *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    waiting = process.stdin
    process.stdin = None  # it stays open: a command that reads lines waits for them
    try:
        out, error = process.communicate(timeout=after)
        waiting.close()
        return 0.0, ENDED
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    started = time.monotonic()
    try:
        out, error = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        waiting.close()
        return 20.0, "it goes on"
    seconds = time.monotonic() - started
    waiting.close()
    return seconds, fault(process.returncode, out, error, "--json" in words)


def fault(code: int, out: bytes, error: bytes, in_json: bool) -> str:
    """Return what is wrong with the end of an interrupted command."""
    text = error.decode("utf-8", "replace")
    # Before the command begins, Python itself may be interrupted, which has a function `main` too.
    begun = re.search(r'deduce\S*", line \d+, in main\n', text)
    if ("Traceback" in text and begun) or "Exception ignored" in text:
        return f"a traceback: {text[-600:]!r}"
    # Before the program begins and after it has ended, Python itself ends by the signal.
    if code not in (0, 1, 2, 3, 4, 130, -signal.SIGINT):
        return f"exit code {code}: {text[-300:]!r}"
    if in_json and out:
        try:
            json.loads(out)
        except ValueError:
            return f"half of a document: {out[-80:]!r}"
    return ""


def run(
    times: int, seed: int, only: Sequence[str] = (), latest: float = 4.0
) -> Iterator[tuple[list[str], float, float, str]]:
    """Yield for each interrupted command its words, the moment, the seconds and the fault.

    Every command has its turn before any has its next; half of the moments are within the first
    quarter of a second, while modules are imported.
    """
    random = Random(seed)
    chosen = [words for words in commands() if not only or set(only) & set(words)]
    with TemporaryDirectory() as name:
        prepare(Path(name))
        queue: list[list[str]] = []
        for _ in range(times):
            queue = queue or random.sample(chosen, len(chosen))
            words = queue.pop()
            after = random.uniform(0.05, random.choice([0.3, latest]))
            yield words, after, *interrupted(words, Path(name), after)


def main() -> None:
    """Interrupt commands and print what was slow or wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--latest", type=float, default=4.0, help="seconds")
    parser.add_argument("--only", action="append", default=[], help="commands with this word")
    options = parser.parse_args()
    slowest, slow, wrong, ended, count = 0.0, 0, 0, 0, 0
    for words, after, seconds, what in run(
        options.times, options.seed, options.only, options.latest
    ):
        if what == ENDED:
            ended += 1
            continue
        count += 1
        slowest = max(slowest, seconds)
        slow += seconds > SECONDS
        wrong += bool(what)
        if what or seconds > SECONDS:
            print(f"{shlex.join(words)} after {after:.2f} s: {seconds:.2f} s {what}", flush=True)
    print(
        f"{count} interrupted, {ended} had ended before, "
        f"{slow} slow (slowest {slowest:.2f} s), {wrong} wrong"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
