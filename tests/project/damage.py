"""Damaged and forged files: never a failure of the program, never a wrong answer called proved.

Each kind of saved file is changed at random in six ways: a bit is flipped, the end is cut off, a
number is changed and the JSON written again, two parts are exchanged, a number is changed and all
digests are computed again, and digests are removed besides, as if an older version had written the
file. Then the command that reads it runs. It has to end with exit code 3, or with 0 and the right
answer.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from attrs import frozen

from deduce.search.tiers import solve as solving
from deduce.search.tiers import values
from deduce.search.tiers.store import digest_of_file
from deduce.system.saved import digest_of
from tests.programs import deduce

SIZE = ("--set", "width=4", "--set", "height=3")
CODES = ("--slots", "3", "--colours", "4")


@frozen
class Kind:
    """A kind of saved file: how it is made, and the commands that read it.

    A ``{}`` in an argument is the path of the file or folder.
    """

    make: Callable[[Path], Any]
    commands: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()
    """The fields of a JSON answer that have to be those of the whole file, if there are any."""
    is_believed: bool = False
    """Whether numbers with new digests are believed, since nothing is proved with them."""


def filled(command: tuple[str, ...], path: Path) -> list[str]:
    return [word.replace("{}", str(path)) for word in command]


def making(*command: str) -> Callable[[Path], Any]:
    return lambda path: deduce(*filled(command, path))


def unfinished(folder: Path) -> None:
    """Solve a game up to its sixth tier."""
    original = values.do_once

    def stop(errand: tuple[str, Any, values.Piece]) -> Any:
        if errand[2].tier.tier == 6:
            raise KeyboardInterrupt
        return original(errand)

    with patch.object(solving, "do_once", stop):
        making("connect-four", "solve", *SIZE, "--to", "{}")(folder)


SEARCH = ("mastermind", "solve", *CODES, "--results", "{}", "--json")
SOLVE = ("connect-four", "solve", *SIZE, "--to", "{}", "--json")
PROBES = tuple(
    ("connect-four", "probe", state, *SIZE, "--from", "{}", "--json")
    for state in ("///", "X/O//", "XO/XO//", "XOX/O/XO/", "XO/XO/X/O")
)
TOURNAMENT = ("cluedo", "tournament", "not-placed", "random", "--games", "3", "--json", "--out")
MATCHES = ("minesweeper", "play", "--board", "5x5:4", "--games", "4", "--json", "--results")
VALUES = ("value", "distance", "best_actions", "root_values")
KINDS = {
    "results": Kind(making(*SEARCH), (SEARCH,), ("total", "proved")),
    "plan": Kind(
        making("mastermind", "solve", *CODES, "--save", "{}"),
        (("mastermind", "play", *CODES, "--plan", "{}", "--code", "341", "--json"),),
    ),
    "solution": Kind(making(*SOLVE), (SOLVE, *PROBES), VALUES),
    "export": Kind(
        making(*SOLVE),
        (("connect-four", "export", "{}.parquet", *SIZE, "--from", "{}"),),
    ),
    "unfinished": Kind(unfinished, (SOLVE, *PROBES), VALUES),
    "tournament": Kind(making(*TOURNAMENT, "{}"), ((*TOURNAMENT, "{}"),), ("turns",), True),
    "matches": Kind(making(*MATCHES, "{}"), ((*MATCHES, "{}"),), ("won", "guesses"), True),
    "replay": Kind(
        making("cultist", "match", "random", "random", "--games", "1", "--save", "{}"),
        (("cultist", "replay", "{}/game0000-seed0.json"),),
    ),
}
WAYS = ("flip", "cut", "number", "swap", "forge", "strip")


def damage(path: Path, way: str, random: Random) -> None:
    """Change a file, or one file of a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    file = random.choice([each for each in files if each.stat().st_size])
    data = bytearray(file.read_bytes())
    if way in ("forge", "strip") and file.suffix in (".codes", ".values", ".plies"):
        change_array(data, random)
        file.write_bytes(data)
    elif way == "flip" or (way == "number" and file.suffix not in (".json", ".jsonl", "")):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        file.write_bytes(data)
    elif way == "cut":
        file.write_bytes(data[: random.randrange(len(data))])
    elif way == "swap":
        swap(file, files, random)
    else:
        documents = read(file)
        change(documents, random)
        write(file, documents)
    if way in ("forge", "strip"):
        forge(path, is_old=way == "strip")


def change_array(data: bytearray, random: Random) -> None:
    """Change some numbers of an array, or all of them in the same way."""
    if random.random() < 0.5:
        data[random.randrange(len(data))] = random.randrange(4)
    else:
        data[:] = bytes(2 - value if value <= 2 else value for value in data)


def change(value: Any, random: Random) -> None:
    """Change a number or a truth value somewhere in a JSON value."""
    found: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        for key, each in list(node.items() if isinstance(node, dict) else enumerate(node)):
            if isinstance(each, dict | list):
                collect(each)
            elif isinstance(each, int | float):
                found.append((node, key))

    collect(value)
    if found:
        node, key = random.choice(found)
        other = random.choice((-1, 1, 2, 10**6))
        node[key] = not node[key] if isinstance(node[key], bool) else node[key] + other


def swap(file: Path, files: list[Path], random: Random) -> None:
    """Exchange two lines or fields of a file, or the content of two files."""
    data = file.read_bytes()
    if file.suffix in (".codes", ".values", ".plies"):
        other = random.choice([each for each in files if each.suffix == file.suffix])
        file.write_bytes(other.read_bytes())
        other.write_bytes(data)
        return
    lines = data.decode().splitlines()
    if len(lines) > 2 and file.suffix != ".json":
        one, other_line = random.sample(range(len(lines)), 2)
        lines[one], lines[other_line] = lines[other_line], lines[one]
        file.write_text("\n".join(lines) + "\n")
        return
    document = json.loads(data)
    names = random.sample(sorted(document), 2)
    document[names[0]], document[names[1]] = document[names[1]], document[names[0]]
    write(file, [document])


def read(file: Path) -> list[Any]:
    """Return the JSON values of a file: one, or one in each line."""
    text = file.read_text()
    return [json.loads(part) for part in ([text] if file.suffix == ".json" else text.splitlines())]


def write(file: Path, documents: list[Any]) -> None:
    file.write_text("".join(json.dumps(each) + "\n" for each in documents))


def forge(path: Path, *, is_old: bool) -> None:
    """Compute all digests of a file or folder again, or remove them."""
    file = path / "solution.json" if path.is_dir() else path
    if not file.exists():
        return
    lines = read(file)
    if "digests" in lines[0]:
        [document] = lines
        del document["digests"]
        if "contents" in document:
            names = [name for name in document["contents"] if (path / name).exists()]
            document["contents"] = {name: digest_of_file(path / name) for name in names}
        if is_old:
            document.pop("contents", None)
        else:
            signed = document.pop("signature", None)
            digests = {name: digest_of(part) for name, part in document.items()}
            document |= {"digests": digests}
            document |= {} if signed is None else {"signature": signed}
    elif "digest" in lines[0]:
        before = ""
        for line in lines:
            line.pop("digest", None)
            if is_old:
                line.pop("format", None)
            else:
                before = line["digest"] = digest_of(line, before)
    write(file, lines)


def answer(kind: Kind, command: tuple[str, ...], path: Path) -> tuple[int, Any]:
    """Return the exit code of a command and what matters of its answer."""
    done = deduce(*filled(command, path))
    if done.returncode == 70:
        return 70, done.stdout or done.stderr
    document = json.loads(done.stdout) if done.returncode == 0 and kind.right else {}
    return done.returncode, {name: document.get(name) for name in kind.right}


def damaged(name: str, times: int, seed: int) -> Counter[str]:
    """Damage a kind of file some times; return how often which exit code came.

    Raises
    ------
    AssertionError
        A command failed, or gave a wrong answer.
    """
    kind, random, counts = KINDS[name], Random(f"{name} {seed}"), Counter[str]()
    with TemporaryDirectory() as folder:
        whole, copy = Path(folder, "whole"), Path(folder, "copy")
        kind.make(whole)
        copy_of(whole, copy)
        right = {command: answer(kind, command, copy) for command in kind.commands}
        assert all(code == 0 for code, _ in right.values()), right
        for number in range(times):
            way = WAYS[number % len(WAYS)]
            copy_of(whole, copy)
            damage(copy, way, random)
            command = random.choice(kind.commands) if name != "unfinished" else kind.commands[0]
            code, found = answer(kind, command, copy)
            counts[f"{way} {code}"] += 1
            assert code in (0, 3), f"{name} {number} {way}: exit {code}: {found}"
            forged = kind.is_believed and way in ("forge", "strip")
            assert code or forged or found == right[command][1], f"{name} {number} {way}: {found}"
    return counts


def copy_of(whole: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    copy.unlink(missing_ok=True)
    if whole.is_dir():
        shutil.copytree(whole, copy)
    else:
        shutil.copy(whole, copy)
