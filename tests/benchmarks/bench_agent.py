"""The tool for agents: problems in words by a client, and hostile requests.

    python -m tests.benchmarks.bench_agent problems 50
    python -m tests.benchmarks.bench_agent hostile 250 [SEED]

``problems``: a client of the official package starts ``deduce mcp`` and solves problems of five
families with at most five calls each; the answers are those of the worlds that they were made from.
``hostile``: every tenth request is answered as always, by a process that is started; for the others
this process is copied, which has the same limits and is faster, as it has read the games before.
It stops at the first fault.
"""

from __future__ import annotations

import io
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from deduce.audit import tools
from deduce.audit.server import Desk
from deduce.knowledge import Knowledge
from deduce.logs.problem_text import write_text
from deduce.logs.reading import write
from deduce.system import registry
from tests.benchmarks.bench_referee import cluedo, knights, mastermind, minesweeper, zebra

SECONDS, MEMORY = 1.0, 1 << 30

HATS = "domains\n  Ann, Ben: red, blue\nclues\n  exactly 1 of: Ann is red, Ben is red\n"
LOG = "players: Ann, Ben, Cid\nme: Ann\nAnn: plum rope hall; Ben -; Cid shows rope\n"
PATHS = (
    "../secret", "..", ".", "", "link", "loop", "folder", "pipe", "/etc/passwd", "a/../../secret",
    "./folder/../../secret", "~/secret", "a\0b", "\ud800", "n" * 5000, "folder/" * 900, "con:",
    "link/x", "http://localhost/", "%2e%2e/secret", "\u2024\u2024/secret", "absent",
)  # fmt: skip
TEXTS = (
    "", "[" * 50_000, "(" * 9000, "not " * 9000, "{" * 9000, '{"a":' * 9000, "9" * 6000, "\0",
    "domains\n  x: 1 to 99999999999999999999\n", "domains\n  x: 1 to 9999\n" * 50,
    "domains\n  Ann: red\nclues\n  " + "not " * 500 + "Ann is red\n", "\u202eAnn is red", "\ud83d",
    "domains\n" + "".join(f"  v{n}: 1 to 99\n" for n in range(400)) + "clues\n  all different: "
    + ", ".join(f"v{n}" for n in range(400)), "1" * 81, "." * 80, "players: " + "A, " * 5000,
    '{"variables": [["a", [1]]], "rules": [{"constraint": ' + '{"kind": "logic", "parts": [' * 300,
    '{"variables": [["a", [' + "1," * 50_000 + "1]]]}", "domains\n  a: 1\nclues\n  a is 1e999\n",
    "import os\nos.system('touch ../secret2')\n", "domains\n  __import__: a\nclues\n  eval is a\n",
)  # fmt: skip
NAMES = ("", "d9", "d1", "\0", "Ann=red", "Ann", "=", "Ann=red or " * 3000, "knows(Ann, Ben)",
         "exactly 999999 of Ann=red, Ben=red", "{" * 5000, "../d1", "\ud800", "public", "nim",
         "cluedo", "./evil.py", "evil:Game", "os.system", "solution=1")  # fmt: skip


def requests(random: Random) -> Iterator[Callable[[Desk], Any]]:
    """Yield calls that a host of good will would not make."""
    while True:
        text, name, path = random.choice(TEXTS), random.choice(NAMES), random.choice(PATHS)
        if random.random() < 0.5:
            line = list(random.choice((HATS, LOG)))
            for _ in range(random.randint(1, 4)):
                place = random.randrange(len(line))
                line[place] = random.choice(
                    (chr(random.randrange(0x11000)), "", "(", '"', "9" * 50)
                )
            text = "".join(line)
        yield random.choice((
            lambda desk, text=text: desk.start(text),
            lambda desk, text=text, name=name: desk.start(text, game=name),
            lambda desk, path=path: desk.start(file=path),
            lambda desk, path=path, name=name: desk.save("d1", path),
            lambda desk, text=text: desk.tell("d1", text),
            lambda desk, text=text: desk.tell("d2", text[:2000]),
            lambda desk, name=name: desk.certain(name, name),
            lambda desk, name=name: desk.why("d1", name, viewer=random.choice(NAMES)),
            lambda desk, name=name: desk.probability("d2", name),
            lambda desk, name=name: desk.advise(name),
            lambda desk, text=text: desk.audit(text),
            lambda desk, name=name: desk.puzzle(
                name, random.choice((None, 0, -1, 9, 10**30)), random.choice((-1, 10**4400, 2**64))
            ),
        ))  # fmt: skip


def copied(args: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    """Answer as `subprocess.run` of `deduce.audit.tools` does, in a copy of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        code = 70
        try:
            os.close(reading)
            sys.stdin = io.StringIO(options["input"])
            with os.fdopen(writing, "w") as sys.stdout:
                tools.main()
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    end, answer = time.monotonic() + options["timeout"], b""
    with os.fdopen(reading, "rb") as pipe:
        while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            chunk = os.read(pipe.fileno(), 1 << 16)
            answer += chunk
            if not chunk:
                break
        else:
            os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGKILL:
        raise subprocess.TimeoutExpired(args, options["timeout"])
    return subprocess.CompletedProcess(args, code, answer.decode(), "a fault in a copy")


def hostile(number: int, seed: int = 1) -> None:
    """Send requests; each answer is an error with its reason, or right for a harmless request."""
    kinds: Counter[str] = Counter()
    slowest, original = 0.0, subprocess.run
    for entry in registry.games():
        if entry.hidden:
            registry.load(entry.hidden)
    with tempfile.TemporaryDirectory() as name:
        outside = Path(name)
        folder = outside / "puzzles"
        (folder / "folder").mkdir(parents=True)
        (outside / "secret").write_text(HATS)
        (folder / "link").symlink_to(outside / "secret")
        (folder / "loop").symlink_to(folder / "loop")
        os.mkfifo(folder / "pipe")
        before = snapshot(outside)
        desk = Desk(folder, seconds=SECONDS, memory=MEMORY)
        desk.start(HATS)
        desk.start(LOG, game="cluedo")
        kept = dict(desk._documents)
        for turn, request in zip(range(number), requests(Random(seed)), strict=False):
            desk._documents = dict(kept)
            subprocess.run = original if turn % 10 == 0 else copied  # type: ignore[assignment]
            began = time.monotonic()
            found = request(desk)
            seconds = time.monotonic() - began
            slowest = max(slowest, seconds)
            assert seconds < SECONDS + 5 + 5, (turn, seconds)
            assert len(json.dumps(found)) < 2 * tools.MAX_ANSWER
            if "error" in found:
                assert found["error"], (turn, found)
                assert "Traceback" not in found["error"], (turn, found)
                assert found.get("kind") != "Failure", (turn, found)
                if "id" not in found:
                    assert desk._documents == kept, turn
            kinds[found.get("kind", "refused") if "error" in found else "answered"] += 1
            if turn % 100 == 99:
                print(f"{turn + 1} requests: {dict(kinds)}, slowest {slowest:.1f} s", flush=True)
        subprocess.run = original
        assert snapshot(outside) == before


def snapshot(outside: Path) -> list[tuple[str, bytes]]:
    """Return the files outside of the folder, with their content."""
    files = [path for path in outside.rglob("*") if path.is_file() and "puzzles" not in path.parts]
    return sorted((str(path), path.read_bytes()) for path in files)


def problem(number: int) -> tuple[str, str, str, str]:
    """Return a problem: its text, its game or "", a claim, and the probability of the claim."""
    family = (cluedo, mastermind, minesweeper, knights, zebra)[number % 5]
    random = Random(f"agent {number}")
    k = family(random)
    while not k.is_consistent():
        k = family(random)
    if family is cluedo:
        k = Knowledge(k.game, k.log)  # as the keeper of the log sees it
    name = random.choice([*k.problem.domains])
    value = random.choice(k.problem.domains[name])
    worlds = list(k.worlds())
    share = Fraction(sum(world[name] == value for world in worlds), len(worlds))
    if family in (knights, zebra):
        return write_text(k.problem), "", f"{name}={value}", str(share)
    return write(k), type(k.game).__name__.lower(), f"{name}={value}", str(share)


def problems(number: int) -> None:
    """Solve problems by a client that knows the tools, and compare with all worlds."""
    import anyio
    import mcp

    async def talk() -> None:
        how = mcp.StdioServerParameters(command=sys.executable, args=["-m", "deduce", "mcp"])
        async with mcp.stdio_client(how) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            calls = Counter[int]()
            for turn in range(number):
                text, game, claim, share = problem(turn)

                async def call(tool: str, turn: int = turn, **given: str) -> dict[str, Any]:
                    calls[turn] += 1
                    answer = await session.call_tool(tool, given)
                    return dict(json.loads(answer.content[0].text))  # type: ignore[union-attr]

                begun = await call("start", text=text, game=game)
                name, _, value = claim.partition("=")
                found = await call("probability", id=begun["id"], claim=claim)
                if game != "cluedo" or share in ("0", "1"):  # worlds are not alike there
                    assert found["probability"] == share, (turn, text, claim, found, share)
                if share in ("0", "1"):
                    why = await call("why", id=begun["id"], claim=claim)
                    assert why["verdict"] == ("certain" if share == "1" else "impossible")
                    assert share == "0" or begun["certain"][name] == value, (turn, begun)
                else:
                    assert value in begun["possible"][name], (turn, begun)
            print(f"{number} problems right, at most {max(calls.values())} calls each")

    anyio.run(talk)


if __name__ == "__main__":
    {"problems": problems, "hostile": hostile}[sys.argv[1]](*map(int, sys.argv[2:]))
