"""Fuzz every parser and reader: no exception outside the error family, none slow or large.

Mutations of the example files and of the texts that the games write, seeded. Run it as

    python -m tests.benchmarks.fuzz_readers --executions 100000 --seed 1 [--only NAME]

It prints one line for each reader: executions, how many were refused, the slowest, the memory.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from deduce import registry
from deduce.claims import parse_claim
from deduce.errors import DeduceError
from deduce.events import parse_event, read_log
from deduce.jsontext import parse_json
from deduce.problem import Problem
from deduce.text import whole_number

PIECES = (
    *"\0\n\t ,:;|/-+=?#{}[]01\"", "", "-1", "²", "１", "9" * 20, "1e400", "NaN", "null", "true",
    "\ud83d", "\u202e", "é", "日本", "none", "envelope", "players", "turn", "hands", "x" * 200,
    "[" * 300,
)  # fmt: skip

Reader = Callable[[str], Any]


def readers() -> Iterator[tuple[str, Reader, list[str]]]:
    """Yield the name of each reader, the reader, and texts that it reads."""
    samples: dict[str, list[str]] = {}
    for path in [*registry.examples(), *Path("tests/data/v0.1").iterdir()]:
        with suppress(UnicodeDecodeError, OSError):
            samples.setdefault("all", []).append(path.read_text(encoding="utf-8")[:3000])
    everything = samples["all"]
    yield "parse_json", parse_json, ['{"a": [1, 2.5, null, "x"]}', *everything]
    yield "whole_number", lambda text: whole_number(text, signed=True), ["12", "-3"]
    problem = Problem({"Rope": ("Ann", "Ben"), (1, 2): ("x", "y")})
    yield "parse_claim", lambda text: parse_claim(problem, text), ["rope=Ann", "1,2!=x", "rope=a|b"]
    for entry in registry.games():
        if entry.hidden:
            game_class = registry.load(entry.hidden)
            yield f"{entry.name} log", partial(_log, game_class), everything
            with suppress(Exception):
                make = getattr(game_class, "random_setup", None)
                game = make(Random(1)) if make else game_class()
                lines = [line for text in everything for line in text.splitlines() if line.strip()]
                yield f"{entry.name} event", partial(parse_event, game), lines
        if entry.search:
            game = registry.load(entry.search)()
            state = game.initial_state()
            if hasattr(game, "parse_state"):
                texts = [game.format_state(state), *everything]
                yield f"{entry.name} state", game.parse_state, texts
            if hasattr(game, "parse_action") and hasattr(game, "actions"):
                texts = ["1", "3 from 2", "Ann asks Ben for a1", "5 SHOOT 2", "WAIT"]
                yield f"{entry.name} action", partial(game.parse_action, state), texts
    from games.quartets import parse_state

    yield "quartets form", parse_state, everything
    from games.pigs.deals import parse_deal

    yield "pigs deal", parse_deal, everything
    from games.cultist.replay import parse_replay

    yield "cultist replay", parse_replay, everything


def _log(game_class: Any, text: str) -> Any:
    return read_log(text, game_class)


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


def main() -> None:
    """Fuzz all readers and print the table."""
    options = argparse.ArgumentParser()
    options.add_argument("--executions", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    for name, read, texts in readers():
        if chosen.only not in name:
            continue
        random = Random(f"{chosen.seed} {name}")
        refused, slowest = 0, 0.0
        failures: dict[str, str] = {}
        for _ in range(chosen.executions):
            text = mutated(random.choice(texts), random)
            start = time.process_time()
            try:
                read(text)
            except DeduceError:
                refused += 1
            except Exception as error:
                failures.setdefault(f"{type(error).__name__}: {error}"[:80], text)
            slowest = max(slowest, time.process_time() - start)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{name}: {chosen.executions} executions, {refused} refused, slowest {slowest:.3f} s, "
            f"{memory} MiB, {len(failures)} kinds of failure",
            flush=True,
        )
        for failure, text in failures.items():
            print(f"    {failure}: {text[:200]!r}", flush=True)


if __name__ == "__main__":
    main()
