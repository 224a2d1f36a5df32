"""Soak: generated problems, and logs of every registered game, checked until the time is over.

A problem is checked by the laws of `deduce.testing.laws`, a hidden game by `hidden_fault`, a
searched one by `search_fault`. What differs is shrunk and written as a case file that
``deduce cases`` replays.

A game of another package takes part without any code if its class can be made without arguments;
the class methods ``random_setup(random)``, and for a hidden game ``random_log(random)``, which
returns a `deduce.logs.events.Log` and the true world or ``None``, make it more varied.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from attrs import define, evolve, field, frozen

from deduce.budget import Budget
from deduce.engines.choose import OF_AUTO
from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.game import RECORD, SeenInParts, Simulated, Viewer, hook
from deduce.logs.claims import parse_viewer
from deduce.logs.events import Log, read_log, write_log
from deduce.search.game import Extra
from deduce.system import registry
from deduce.system.files import replace_file
from deduce.system.text import name_of
from deduce.testing.agreement import hidden_fault
from deduce.testing.cases import Difference
from deduce.testing.laws import LAWS, difference
from deduce.testing.paths import PATHS
from deduce.testing.problemcases import problem_case
from deduce.testing.problems import LARGE, SHAPES, generated
from deduce.testing.searched import search_fault

__all__ = ["FORMAT", "PROBLEM", "Fault", "Soaked", "replay", "soak"]

FORMAT = "soak"
"""The kind of the case files: ``cluedo/soak`` and so on."""

PROBLEM = "problem"
"""What takes a turn as if it were a game: problems of `deduce.testing.problems`."""

SECONDS = 1.0
"""The limit of each question."""

PROBLEMS = 12
"""Problems of a round: many, with few looks at each, find more than the same looks at one."""

LOOKS = 12
"""How often each problem is looked at."""

OFTEN: Mapping[str, float] = {"listed": 18, "draws": 6, "proofs": 5, "questions": 4, "advice": 2}
"""How much more often than by the other laws: those that find most, or take least time."""

OF_AUTO_ITSELF = ("proofs", "estimates", "advice", "plans")
"""Laws of what the automatic choice does by itself, or what no choice of a way changes."""

SLOW = ("cpsat", "reference")
"""Ways that take as long as ten others."""

COSTLY = ("wide", "different")
"""Shapes whose answers take as long as those of five others."""

RARE = 10
"""One problem of this number may be large, or takes the slow ways."""


@frozen
class Fault:
    """What two answers disagree about, with the case that shows it."""

    game: str
    message: str
    case: Mapping[str, object]

    def write(self, folder: Path) -> Path:
        """Write a case file into a folder; return its path."""
        path = folder / f"soak-{self.game}-{self.case['id']}.json"
        document = {"format": f"{self.game}/{FORMAT}", "cases": [self.case]}
        replace_file(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return path


@define
class Soaked:
    """How much was checked."""

    rounds: dict[str, int] = field(factory=dict)
    """The number of generated logs or states of each game."""
    left_out: dict[str, str] = field(factory=dict)
    """Why a game took no part."""
    faults: list[Fault] = field(factory=list)


def soak(
    names: Sequence[str], *, seconds: float, seed: int = 0, soaked: Soaked | None = None
) -> Iterator[Soaked]:
    """Yield what was checked after each round, until the time is over.

    Parameters
    ----------
    names
        The games, which take turns; `PROBLEM` for generated problems, which take every other one.
    seconds
        How long, by the wall clock. The round that is running then is finished.
    seed
        The same seed repeats the same rounds.
    soaked
        What an interrupted run has checked; it is continued.
    """
    soaked = soaked or Soaked()
    end = monotonic() + seconds
    number = sum(soaked.rounds.values())
    active = [name for name in names if name not in soaked.left_out]
    while active and monotonic() < end:
        for name in _turns(active):
            number += 1
            try:
                fault = _round(name, f"{seed}-{number}")
            except Unsupported as error:
                soaked.left_out[name] = str(error)
                active.remove(name)
                continue
            soaked.rounds[name] = soaked.rounds.get(name, 0) + 1
            if fault is not None:
                soaked.faults.append(fault)
            yield soaked
            if monotonic() >= end:
                return


def _turns(names: Sequence[str]) -> list[str]:
    """Return the order of a round: generated problems, where wanted, before each game.

    What rests on the engines is found by problems, of which games make only a few kinds.
    """
    games = [name for name in names if name != PROBLEM]
    if not games or PROBLEM not in names:
        return list(names)
    return [name for game in games for name in (PROBLEM, game)]


def _round(name: str, seed: str) -> Fault | None:
    """Return the fault that one generated problem, log or state shows, if any."""
    random = Random(seed)
    if name == PROBLEM:
        return _problem_round(seed, random)
    entry = registry.find(name)
    kind = Random(f"kind {seed}").random()
    hidden = entry.hidden and (not entry.search or kind < 0.5)
    return _hidden_round(entry, seed, random) if hidden else _search_round(entry, seed, random)


# Problems


def _problem_round(seed: str, random: Random) -> Fault | None:
    faults = (_problem_fault(f"{seed}-{number}", random) for number in range(PROBLEMS))
    return next(filter(None, faults), None)


def _problem_fault(seed: str, random: Random) -> Fault | None:
    is_large, is_slow = (random.randrange(RARE) == 0 for _ in range(2))
    rare = {*LARGE, *COSTLY}
    shape = random.choice([shape for shape in SHAPES if is_large or shape not in rare])
    problem, budget = generated(random, shape), Budget(300_000, SECONDS)
    paths = [path for path in PATHS if is_slow or path not in SLOW]
    if shape in LARGE:
        paths = ["auto", *OF_AUTO]
    laws = random.choices(list(LAWS), [OFTEN.get(law, 1) for law in LAWS], k=LOOKS)
    checks = dict.fromkeys(
        (law, "auto" if law in OF_AUTO_ITSELF and random.random() < 0.6 else random.choice(paths))
        for law in laws
    )
    for law, path in checks:
        message = difference(problem, law, path, seed, budget)
        if message:
            break
    else:
        return None
    for piece in (*problem.evidence, *problem.rules):
        fewer = evolve(
            problem,
            evidence=[other for other in problem.evidence if other is not piece],
            rules=[other for other in problem.rules if other is not piece],
        )
        found = difference(fewer, law, path, seed, budget)
        problem, message = (fewer, found) if found else (problem, message)
    case = {"id": seed, "seed": seed, "law": law, "path": path, "message": message}
    return Fault(PROBLEM, message, {**case, **problem_case(problem)})


# Hidden games


def _hidden_round(entry: registry.Registration, seed: str, random: Random) -> Fault | None:
    log, world = _random_log(registry.load(entry.hidden), random)
    viewers: list[Viewer] = [RECORD, None, *hook(log.game, SeenInParts.players, ())]
    viewer = random.choice(viewers) if hook(log.game, Simulated.deal) else RECORD
    message = _hidden_message(entry, log, viewer, world, seed)
    if not message:
        return None
    events = list(log.events)
    for index in reversed(range(len(events))):
        shorter = [*events[:index], *events[index + 1 :]]
        if _hidden_message(entry, Log(log.game, shorter), viewer, world, seed):
            events = shorter
    case = {
        "id": seed,
        "seed": seed,
        "message": message,
        "log": write_log(log.game, events),
        "viewer": _viewer_text(viewer),
        "world": None if world is None else [[v, world[v]] for v in world],
    }
    return Fault(entry.name, message, case)


def _hidden_message(
    entry: registry.Registration, log: Log, viewer: Viewer, world: object, seed: str
) -> str:
    try:
        fault = hidden_fault(log, viewer, world, seed=seed, budget=Budget(100_000, SECONDS))
        if entry.law and world is not None and not fault:
            fault = registry.load(entry.law)(log, world, Random(seed))
        return fault
    except DeduceError as error:
        return "" if isinstance(error, BadInput) else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _random_log(game_class: Any, random: Random) -> tuple[Log, Any]:
    random_log = hook(game_class, Simulated.random_log)
    if random_log is not None:
        return random_log(random)
    if not hook(game_class, Simulated.deal) or not hook(game_class, Simulated.record):
        raise Unsupported(f"{game_class.__name__} has neither random_log nor deal and record")
    game = _made(game_class, random)
    world = game.deal(random)
    return Log(game, game.record(world, random)), world


def _made(made_by: Any, random: Random) -> Any:
    make = hook(made_by, Simulated.random_setup)
    try:
        return make(random) if make else made_by()
    except TypeError as error:
        raise Unsupported(f"it cannot be made without arguments: {error}") from error


def _viewer_text(viewer: Viewer) -> str | None:
    return viewer if viewer is None else "RECORD" if viewer is RECORD else name_of(viewer)


# Searched games


def _search_round(entry: registry.Registration, seed: str, random: Random) -> Fault | None:
    game = _made(registry.load(entry.search), random)
    message, state = _search_message(game, seed, None)
    if not message:
        return None
    write = hook(game, Extra.format_state)
    case = {
        "id": seed,
        "seed": seed,
        "message": message,
        "state": write(state) if write and state is not None else None,
    }
    return Fault(entry.name, message, case)


def _search_message(game: object, seed: str, state: object) -> tuple[str, object]:
    try:
        return search_fault(game, seed=seed, state=state)
    except Exception as error:
        return f"{type(error).__name__}: {error}", state


def replay(case: Mapping[str, Any], *, game: str) -> Iterator[Difference]:
    """Yield the difference that a case of a soak still shows.

    Parameters
    ----------
    case
        The case.
    game
        The name of the game, from the format of the file.

    Raises
    ------
    BadInput
        It is not a case of a soak.
    """
    entry = registry.find(game)
    seed = case["seed"]
    if not isinstance(seed, str):
        raise BadInput("the seed of a case is text")
    if "log" in case:
        if not isinstance(case["log"], str):
            raise BadInput("the log of a case is text")
        log = read_log(case["log"], registry.load(entry.hidden))
        viewer = case.get("viewer")
        viewer = viewer and parse_viewer(log.game, str(viewer))
        world = _world(log, case.get("world"))
        message = _hidden_message(entry, log, viewer, world, seed)
    else:
        subject = _made(registry.load(entry.search), Random(seed))
        read = hook(subject, Extra.parse_state)
        state = case.get("state")
        given = read(state) if read and isinstance(state, str) else None
        message, _ = _search_message(subject, seed, given)
    if message:
        yield Difference("agreement", "", message)


def _world(log: Log, pairs: object) -> object:
    """Return the world of a case, whose names JSON may have turned from tuples into lists."""
    if not isinstance(pairs, list):
        return None
    known = {json.dumps(v): v for v in log.game.variables()}
    values = {json.dumps(x): x for domain in log.game.variables().values() for x in domain}
    try:
        return {known[json.dumps(v)]: values[json.dumps(x)] for v, x in pairs}
    except (KeyError, TypeError, ValueError):
        raise BadInput("the world of a case is a list of variables with their values") from None
