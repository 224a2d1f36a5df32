"""Fuzz every parser and reader: no exception outside the error family, none slow or large.

    python -m tests.benchmarks.fuzz_readers --executions 100000 --seed 1 [--only NAME]

Mutations of the example files and of the texts that the games write. With atheris, which need not
be installed, those that reach new code are mutated further; else the mutations are blind.

One line is printed for each reader: executions, how many were refused, the slowest, the memory of
the process. Finished readers are kept in a file, and the same command continues with the others.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from deduce.batch.results import ResultsFile
from deduce.errors import DeduceError
from deduce.logs.claims import parse_claim
from deduce.logs.events import parse_event, read_log
from deduce.logs.json_values import parse_json
from deduce.problem import Problem
from deduce.system import registry
from deduce.system.text import whole_number

PIECES = (
    *"\0\n\t ,:;|/-+=?#{}[]01\"", "", "-1", "²", "１", "9" * 20, "1e400", "NaN", "null", "true",
    "\ud83d", "\u202e", "é", "日本", "none", "envelope", "players", "turn", "hands", "x" * 200,
    "[" * 300,
)  # fmt: skip

Reader = Callable[[str], Any]
Row = dict[str, Any]


def readers() -> Iterator[tuple[str, Reader, list[str]]]:
    """Yield the name of each reader, the reader, and texts that it reads."""
    paths = [*registry.examples(), *sorted(Path("tests/data/v0.1").iterdir())]
    texts = {path: path.read_bytes().decode(errors="replace")[:3000] for path in paths}
    everything = list(texts.values())
    yield "parse_json", parse_json, ['{"a": [1, 2.5, null, "x"]}', *everything]
    yield "whole_number", lambda text: whole_number(text, signed=True), ["12", "-3"]
    problem = Problem({"Rope": ("Ann", "Ben"), (1, 2): ("x", "y")})
    yield "parse_claim", lambda text: parse_claim(problem, text), ["rope=Ann", "1,2!=x", "rope=a|b"]
    for entry in registry.games():
        own = [text for path, text in texts.items() if entry.name in path.parts] or everything
        if entry.hidden:
            game_class = registry.load(entry.hidden)
            yield f"{entry.name} log", partial(_log, game_class), own
            make = getattr(game_class, "random_setup", None)
            with suppress(TypeError):  # a game that cannot be set up without arguments
                game = make(Random(1)) if make else game_class()
                lines = [line for text in own for line in text.splitlines() if line.strip()]
                yield f"{entry.name} event", partial(parse_event, game), lines
        if entry.search:
            game = registry.load(entry.search)()
            states, actions = playout(game)
            if hasattr(game, "parse_state"):
                written = [game.format_state(state) for state in states]
                yield f"{entry.name} state", game.parse_state, written + own
            if hasattr(game, "parse_action"):
                yield f"{entry.name} action", partial(game.parse_action, states[0]), actions
    from games.quartets import parse_state

    yield "quartets form", parse_state, everything
    from games.pigs.setup import parse_deal

    yield "pigs deal", parse_deal, everything
    from games.cultist.replay import parse_replay

    yield "cultist replay", parse_replay, everything
    yield from _parts(problem)


def _parts(problem: Problem) -> Iterator[tuple[str, Reader, list[str]]]:
    """Yield the readers of links and messages of a page, and of parts of a line."""
    from deduce.logs.claims import parse_variable
    from deduce.pages.document import Document, pack
    from deduce.pages.messages import read_link, read_message
    from games.mastermind.notation import parse_pegs
    from games.minesweeper.setup import Board, read_cell
    from games.pigs.notation import parse_viewpoint, parse_weights
    from games.propre.notation import parse_position
    from games.propre.setup import parse_cards, parse_pile_card, parse_settings
    from games.quartets.cases import parse_suits
    from games.quartets.states import parse_masks

    links = [f"nim:{pack(text)}" for text in ("", "3, 4", "players: Ann, Ben\n")]
    yield "page link", read_link, [*links, "cluedo:", ":"]
    messages = ['{"game": "nim", "intent": {"kind": "tap", "form": {}}}', '{"document": "{}"}']
    yield "page message", read_message, messages
    documents = [Document("nim", "3, 4").to_json(), Document("cluedo", "players: Ann").to_json()]
    yield "page document", Document.from_json, documents
    yield "parse_variable", partial(parse_variable, problem), ["rope", "1,2", "1, 2"]
    yield "mastermind answer", parse_pegs, ["1 2", "1b2w", "1 bull, 2 cows"]
    yield "minesweeper cell", lambda text: read_cell(text, Board(30, 16, 99)), ["C4", "AD16"]
    yield "pigs viewpoint", lambda text: parse_viewpoint(text.split()), ["5 FP NDFK", "1 MP"]
    yield "pigs weights", lambda text: parse_weights(text.split()), ["K=14", "K=14 D=2"]
    yield "propre cards", parse_cards, ["AS, 10h 7d", "KD JC"]
    yield "propre pile card", parse_pile_card, ["TD=AD", "7H"]
    settings = ["announce=yes\nhand=3", "deck=AS 2S", "ace_suits=SH"]
    yield "propre settings", lambda text: parse_settings(text.split("\n")), settings
    positions = [
        "hands AS 2S / 3H; pile 7D; stock KC",
        '{"hands": [["AS"], ["2S"]], "pile": ["3H"]}',
    ]
    yield "propre position", parse_position, positions
    yield "quartets masks", parse_masks, ["3 3 / 5", "0x1f, 2 / 7"]
    yield "quartets suits", parse_suits, ["00??/01?x2/11???", "????/????"]


def _log(game_class: Any, text: str) -> Any:
    return read_log(text, game_class)


def playout(game: Any, length: int = 20) -> tuple[list[Any], list[str]]:
    """Return the states of a random beginning of a game in which a player moves, and actions."""
    random, state = Random(1), game.initial_state()
    states: list[Any] = []
    actions = ["1", "3 from 2", "Ann asks Ben for a1", "WAIT"]
    for _ in range(length):
        thrown = game.outcomes(state) if hasattr(game, "outcomes") else None
        if thrown is not None:
            state = random.choice(thrown)[0]
            continue
        if game.utility(state) is not None:
            break
        legal = list(game.actions(state))
        states.append(state)
        actions += [game.format_action(state, action) for action in legal[:20]]
        state = game.result(state, random.choice(legal))
    return states, actions


def mutated(text: str, random: Random) -> str:
    """Return a text with one to four changes."""
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 0, 1, 1, 2, 5, 20)))
        match random.randrange(4):
            case 0:
                text = text[:start] + random.choice(PIECES) + text[end:]
            case 1:
                text = text[:start] + text[end:]
            case 2:
                text = text[:end] + text[start:end] * random.randint(1, 3) + text[end:]
            case _:
                other = random.randrange(len(text) + 1)
                text = text[:start] + text[other : other + 20] + text[end:]
    return text[:5000]


class Tally:
    """What happened so far: executions, refusals, failures, the longest time.

    Parameters
    ----------
    name
        The reader's name.
    read
        The reader.
    """

    def __init__(self, name: str, read: Reader) -> None:
        self.name = name
        self.read = read
        self.executions = self.refused = 0
        self.slowest = 0.0
        self.failures: dict[str, str] = {}

    def run(self, text: str) -> None:
        """Read one text."""
        self.executions += 1
        start = time.process_time()
        try:
            self.read(text)
        except DeduceError:
            self.refused += 1
        except Exception as error:
            self.failures.setdefault(f"{type(error).__name__}: {error}"[:80], text[:200])
        self.slowest = max(self.slowest, time.process_time() - start)

    def row(self) -> Row:
        """Return what happened, for the file of results."""
        return {
            "name": self.name,
            "executions": self.executions,
            "refused": self.refused,
            "slowest": round(self.slowest, 3),
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "failures": self.failures,
        }


def blind(number: int, executions: int, seed: int) -> Row:
    """Return what happened to blind mutations."""
    name, read, texts = list(readers())[number]
    tally, random = Tally(name, read), Random(f"{seed} {name}")
    for _ in range(executions):
        tally.run(mutated(random.choice(texts), random))
    return tally.row()


GUIDED = """
import atheris, sys
with atheris.instrument_imports(include=["deduce", "games"]):
    from tests.benchmarks import fuzz_readers
    known = list(fuzz_readers.readers())
fuzz_readers.guided(atheris, known, *map(int, sys.argv[1:4]), sys.argv[4])
"""


def guided(
    atheris: Any, known: list[Any], number: int, executions: int, seed: int, out: str
) -> None:
    """Run mutations that are guided by coverage, write what happened, and end the process."""
    name, read, texts = known[number]
    tally = Tally(name, read)

    def target(data: bytes) -> None:
        tally.run(data.decode(errors="replace"))
        if tally.executions >= executions:
            Path(out, "row").write_text(json.dumps(tally.row()), encoding="utf-8")
            os._exit(0)

    def mutate(data: bytes, size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.3:
            return bytes(atheris.Mutate(data, size))
        return mutated(data.decode(errors="replace"), random).encode(errors="replace")[:size]

    corpus = Path(out, "corpus")
    corpus.mkdir()
    for n, text in enumerate(texts[:300]):
        (corpus / str(n)).write_bytes(text.encode(errors="replace"))
    options = [f"-seed={seed}", "-max_len=5000", "-len_control=0", "-rss_limit_mb=0", str(corpus)]
    atheris.Setup(["fuzz", *options], target, custom_mutator=mutate)
    atheris.Fuzz()


def fuzz(number: int, executions: int, seed: int) -> Row:
    """Return what happened to mutations, in a process of its own: guided where atheris is."""
    if find_spec("atheris") is None:
        with get_context("spawn").Pool(1) as pool:
            return pool.apply(blind, (number, executions, seed)) | {"guided": False}
    with TemporaryDirectory() as folder:
        arguments = [str(part) for part in (number, executions, seed, folder)]
        done = subprocess.run(
            [sys.executable, "-c", GUIDED, *arguments], capture_output=True, text=True
        )
        try:
            row: Row = json.loads(Path(folder, "row").read_text(encoding="utf-8"))
        except OSError:
            raise RuntimeError(f"reader {number} was not fuzzed: {done.stderr[-2000:]}") from None
    return row | {"guided": True}


def main() -> None:
    """Fuzz all readers and print the table."""
    options = argparse.ArgumentParser()
    options.add_argument("--executions", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    options.add_argument("--out", type=Path, default=Path("fuzz.jsonl"))
    chosen = options.parse_args()
    how = {"executions": chosen.executions, "seed": chosen.seed}
    with ResultsFile(chosen.out, {"of": "fuzzing", **how}, number="reader") as file:
        done = {row["reader"]: row for row in file.rows()}
        for number, (name, _, _) in enumerate(list(readers())):
            if chosen.only not in name:
                continue
            if number not in done:
                done[number] = {"reader": number, **fuzz(number, **how)}
                file.add(done[number])
            row = done[number]
            print(
                f"{name}: {row['executions']} executions{' guided' * row['guided']}, "
                f"{row['refused']} refused, slowest {row['slowest']:.3f} s, {row['memory']} MiB, "
                f"{len(row['failures'])} kinds of failure",
                flush=True,
            )
            for failure, text in row["failures"].items():
                print(f"    {failure}: {text!r}", flush=True)


if __name__ == "__main__":
    main()
