"""kill -9 at random moments: nothing lost, nothing half written, no litter after the next start.

    python -m tests.benchmarks.kill --times 200 --seed 1 [--only track]

Six commands that write files are killed: ``track``, the local page, a tournament, a match, the
search for a plan and a solution on disk. They run in forks of this process, in which each has run
once before, so that nothing is left to import and a kill costs little. One line is printed for each
command.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import IO, Any

from deduce.cli.main import main as deduce
from games.cultist.replay import parse_replay

SETUP = "deck: classic\nplayers: Ann 6, Ben 6, Cid 6\n\n"
PLAYERS = ("not-placed", "random")


class Command:
    """A command of deduce in a fork, with pipes to it."""

    def __init__(self, *arguments: str | Path) -> None:
        (self._in, self.to), (self.out, self._out) = os.pipe(), os.pipe()
        self.process = os.fork()
        if not self.process:
            self._become([str(argument) for argument in arguments])
        os.close(self._in)
        os.close(self._out)
        self.lines: IO[str] = os.fdopen(self.out, encoding="utf-8")

    def _become(self, arguments: list[str]) -> None:
        code = 70
        try:
            for number, end in enumerate((self._in, self._out, self._out)):
                os.dup2(end, number)
            os.closerange(3, 100)
            sys.stdin = os.fdopen(0)
            sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1) for n in (1, 2))
            sys.argv = ["deduce", *arguments]
            deduce()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:
            with suppress(OSError):
                sys.stdout.flush()
            os._exit(code)

    def send(self, line: str) -> None:
        os.write(self.to, f"{line}\n".encode())

    def end(self, *, kill: bool = False) -> int:
        """End the command, or wait for its end; return its exit code."""
        os.close(self.to)
        if kill:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
        else:
            self.lines.read()
        self.lines.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def import_all(*arguments: str | Path, typed: str = "") -> None:
    """Run a command in this process, so that its forks need not import anything."""
    stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    code: int | str | None = None
    try:
        with redirect_stdout(io.StringIO()):
            deduce([str(argument) for argument in arguments])
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdin = stdin
    assert not code, arguments


def suggestions() -> list[str]:
    """Return many suggestions that are true of one deal, in the words of the log."""
    suspects = ("Miss Scarlett", "Colonel Mustard", "Mrs White", "Reverend Green", "Mrs Peacock")
    weapons = ("Dagger", "Candlestick", "Revolver", "Rope", "Spanner", "Lead Piping")
    rooms = ("Hall", "Lounge", "Kitchen", "Study", "Library")
    return [f"Ann: {', '.join(cards)}; Ben shows" for cards in product(suspects, weapons, rooms)]


def events_in(log: Path) -> list[str]:
    """Return the events of a log; a line without an end is an error."""
    text = log.read_text(encoding="utf-8")
    assert text.endswith("\n"), f"half a line: {text[-80:]!r}"
    assert text.startswith(SETUP), f"another set-up: {text[:80]!r}"
    return text.removeprefix(SETUP).splitlines()


def litter(folder: Path) -> list[str]:
    """Return what a killed process left behind."""
    return [path.name for path in folder.rglob(".deduce-*")]


def track(folder: Path, random: Random, times: int) -> Iterator[int]:
    """Kill ``track`` while a step is made; yield the steps that were confirmed."""
    log = folder / "evening.cluedo"
    known: list[str] = []
    log.write_text(SETUP, encoding="utf-8")
    import_all("cluedo", "track", "--sheet", "never", log, typed=f"{suggestions()[0]}\nundo\n")
    for number in range(times):
        if not number % 20:
            log.write_text(SETUP, encoding="utf-8")
            known, left = [], suggestions()
            random.shuffle(left)
        command = Command("cluedo", "track", "--sheet", "never", log)
        for _ in range(random.randint(0, 4)):
            known = confirmed(command, known, left, random)
            yield 1
        after = step(command, known, left, random)
        time.sleep(random.random() * 0.01)
        command.end(kill=True)
        found = events_in(log)
        assert found in (known, after), f"lost: {known[-2:]}, {after[-2:]}, {found[-2:]}"
        known = found
        code = Command("cluedo", "track", "--sheet", "never", log).end()
        assert (code, litter(folder), events_in(log)) == (0, [], known)


def step(command: Command, known: list[str], left: list[str], random: Random) -> list[str]:
    """Send a step; return the events after it."""
    if known and random.random() < 0.3:
        command.send("undo")
        return known[:-1]
    event = left.pop()
    command.send(event)
    return [*known, event]


def confirmed(command: Command, known: list[str], left: list[str], random: Random) -> list[str]:
    """Make a step and wait until it is confirmed; what cannot be undone is added."""
    after = step(command, known, left, random)
    answer = next((line for line in command.lines if not line.startswith("warning")), "")
    if "nothing to undo" in answer or not answer:
        return known
    return after


class Client:
    """The requests of one page."""

    def __init__(self, address: str) -> None:
        self.base = address.partition("?")[0]
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.opener.open(address, timeout=30).close()

    def add(self, line: str) -> bool:
        """Type a line; return whether it was taken."""
        message = {"game": "cluedo", "intent": {"do": "type", "form": {"line": [line]}}}
        request = urllib.request.Request(
            f"{self.base}api/answer",
            json.dumps(message).encode(),
            {"Content-Type": "application/json"},
        )
        with self.opener.open(request, timeout=30) as response:
            notices = json.load(response)["notices"]
        return not any(notice["kind"] == "bad" for notice in notices)


def page(folder: Path, random: Random, times: int) -> Iterator[int]:
    """Kill the server of the local page while a step is saved; yield confirmed steps."""
    log = folder / "evening.cluedo"
    known: list[str] = []
    for number in range(times):
        if not number % 20:
            for path in folder.iterdir():
                path.unlink()
            log.write_text(SETUP, encoding="utf-8")
            known, left = [], suggestions()
            random.shuffle(left)
        command = Command("app", "cluedo", log, "--no-browser")
        client = Client(command.lines.readline().split(": ")[1].strip())
        assert litter(folder) == []
        for _ in range(random.randint(0, 2)):
            event = left.pop()
            assert client.add(event), event
            known = [*known, event]
            yield 1
        event = left.pop()
        killer = os.fork()
        if not killer:
            time.sleep(random.random() * 0.03)
            os.kill(command.process, signal.SIGKILL)
            os._exit(0)
        with suppress(OSError):
            client.add(event)
        os.waitpid(killer, 0)
        command.end(kill=True)
        found = events_in(log)
        assert found in (known, [*known, event]), (known[-2:], event, found[-2:])
        known = found


def tournament(folder: Path, random: Random, times: int) -> Iterator[int]:
    """Kill a tournament again and again until it ends; yield the games that were finished."""
    options = ("cluedo", "tournament", *PLAYERS, "--games", "8", "--seed", "3", "--out")
    import_all(*options, folder / "whole")
    expected = games_in((folder / "whole").read_bytes())
    number, kills, before = 0, 0, b""
    while kills < times:
        out = folder / f"{number}.jsonl"
        command = Command(*options, out)
        wait_for_lines(out, min(before.count(b"\n") + random.randrange(4), len(expected)))
        time.sleep(random.random() * 0.02)
        kills += 1
        code = command.end(kill=True)
        found = out.read_bytes() if out.exists() else b""
        assert found.startswith(before), "a finished game was lost or written again"
        games = games_in(found)
        assert games == expected[: len(games)], "a game came out differently"
        yield found.count(b"\n") - before.count(b"\n")
        before = found
        if code == 0 or len(games) == len(expected):
            assert games == expected
            number, before = number + 1, b""
        assert litter(folder) == []


def games_in(found: bytes) -> list[dict[str, Any]]:
    """Return the lines of results without the times they took; half a line is an error."""
    assert not found or found.endswith(b"\n"), f"half a line: {found[-80:]!r}"
    rows = [json.loads(line) for line in found.splitlines()]
    return [
        {name: v for name, v in row.items() if "seconds" not in name and name != "digest"}
        for row in rows
    ]


def wait_for_lines(file: Path, number: int) -> None:
    """Wait until a file has so many lines, at most 30 seconds."""
    late = time.monotonic() + 30
    while time.monotonic() < late:
        if (file.read_bytes() if file.exists() else b"").count(b"\n") >= number:
            return
        time.sleep(0.002)


def match(folder: Path, random: Random, times: int) -> Iterator[int]:
    """Kill a match that saves its replays again and again; yield the replays that are new."""
    options = ("cultist", "match", "random", "random", "--games", "6", "--save")
    import_all(*options, folder / "first")
    started = time.monotonic()
    Command(*options, folder / "whole").end()
    whole = time.monotonic() - started
    expected = replays_in(folder / "whole")
    assert len(expected) == 6
    saved = folder / "saved"
    for number in range(times):
        if not number % 10 and saved.exists():
            assert Command(*options, saved).end() == 0
            assert (litter(folder), replays_in(saved)) == ([], expected)
            for path in saved.iterdir():
                path.unlink()
        before = replays_in(saved)
        command = Command(*options, saved)
        time.sleep(random.random() * whole)
        command.end(kill=True)
        found = replays_in(saved)
        assert before.items() <= found.items() <= expected.items(), "a replay was lost or differs"
        yield len(found) - len(before)
    assert Command(*options, saved).end() == 0
    assert (litter(folder), replays_in(saved)) == ([], expected)


def replays_in(folder: Path) -> dict[str, str]:
    """Return the replays of a folder by their names; half a replay is an error."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    for name, text in texts.items():
        parse_replay(text, source=name)
    return texts


def search(folder: Path, random: Random, times: int) -> Iterator[int]:
    """Kill a search for a plan until it ends; yield the parts that are new."""
    codes = ("mastermind", "solve", "--slots", "3", "--colours", "6", "--json", "--results")
    yield from resumed(codes, folder, random, times, lambda path: path.read_bytes().count(b"\n"))


def tiers(folder: Path, random: Random, times: int) -> Iterator[int]:
    """Kill a solution on disk until it ends; yield the files that are new."""
    size = ("--set", "width=4", "--set", "height=4", "--json", "--to")
    game = ("connect-four", "solve", *size)
    yield from resumed(game, folder, random, times, lambda path: len(list(path.glob("tier-*s"))))


def resumed(
    options: tuple[str, ...],
    folder: Path,
    random: Random,
    times: int,
    size: Callable[[Path], int],
) -> Iterator[int]:
    """Kill a command until it ends, which is to give the answer of one that was not killed."""
    import_all(*options, folder / "first")
    started = time.monotonic()
    expected = answer_of(Command(*options, folder / "whole"))
    whole, number = time.monotonic() - started, 0
    for _ in range(times):
        path = folder / f"{number}"
        before = size(path) if path.exists() else 0
        command = Command(*options, path)
        time.sleep(random.random() * whole / 2)
        code = command.end(kill=True)
        after = size(path) if path.exists() else 0
        assert after >= before, "something finished was lost"
        yield after - before
        if code == 0 or not random.randrange(5):
            assert answer_of(Command(*options, path)) == expected
            assert litter(folder) == []
            number += 1


def answer_of(command: Command) -> dict[str, Any]:
    """Return the JSON answer of a command that is left to end, without what it took."""
    document = json.loads(command.lines.read())
    assert command.end() == 0
    return {name: v for name, v in document.items() if name not in ("seconds", "states", "folder")}


COMMANDS: dict[str, Callable[[Path, Random, int], Iterator[int]]] = {
    "track": track,
    "page": page,
    "tournament": tournament,
    "match": match,
    "search": search,
    "tiers": tiers,
}


def killed(name: str, times: int, seed: int) -> int:
    """Kill a command so many times; return how many steps or games were confirmed before."""
    with TemporaryDirectory() as folder:
        return sum(COMMANDS[name](Path(folder), Random(seed), times))


def main(arguments: Any = None) -> None:
    """Kill each command, and print what was confirmed, all of which was found."""
    options = argparse.ArgumentParser()
    options.add_argument("--times", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", choices=list(COMMANDS), action="append")
    chosen = options.parse_args(arguments)
    for name in chosen.only or COMMANDS:
        count = killed(name, chosen.times, chosen.seed)
        print(f"{name}: killed {chosen.times} times, {count} confirmed, none lost", flush=True)


if __name__ == "__main__":
    main()
