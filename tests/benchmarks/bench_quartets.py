"""What quartets cost: ``python -m tests.benchmarks.bench_quartets`` prints the tables of the docs
(or only the parts named: validity, places, matchings, moves, counting, other).

Times are those of the processor; ratios say more than milliseconds.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from deduce.budget import Budget
from deduce.engines.choose import engine
from deduce.engines.core.model import Model
from deduce.errors import Contradiction, Undecided, Unsupported
from deduce.knowledge import Knowledge
from games.quartets.counting import count_deals
from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.evidence import form_problem, slot_problem
from games.quartets.game import Quartets
from games.quartets.matching import collapse, count_matchings, match
from games.quartets.position import (
    Position,
    declarable,
    form_after,
    positions_of,
    questions,
    start_position,
    tell,
)
from games.quartets.search import force
from games.quartets.setup import PRESETS, named_groups
from games.quartets.slots import slot_form
from games.quartets.why import why_invalid

DATA = Path(__file__).parents[1] / "data"
SEED_LIMIT = Budget(30_000)
"""The collapse is given up after this number of steps."""


@cache
def cases(kind: str) -> list[dict[str, Any]]:
    document: dict[str, list[dict[str, Any]]]
    document = json.loads((DATA / f"quartets_{kind}.json").read_text())
    return document["cases"]


def playthrough(case: Mapping[str, Any]) -> Iterator[tuple[Quartets, Position, Event]]:
    """Yield every position of a transcript with the statement that follows."""
    names = tuple(f"p{p}" for p in range(case["players"]))
    groups = named_groups(case["groups"])
    game = Quartets(
        names, groups, tuple(case["hands"]), names[case["start"]],
        **case["rules"], house=case["house"], stop=True, repetition=None,
    )  # fmt: skip
    position = start_position(game)
    for record in case["events"]:
        by = names[record["p"]]
        event: Event
        if record["t"] == "ask":
            event = Ask(by, names[record["to"]], game.cards[record["c"]])
        elif record["t"] == "answer":
            event = Answer(by, record["yes"])
        else:
            event = Quartet(by, game.group_names[record["g"]])
        yield game, position, event
        position = tell(game, position, event)


def of_size(players: int, cards: int) -> Iterator[tuple[Quartets, Position, Event]]:
    for case in cases("transcripts"):
        if case["players"] == players and sum(case["groups"]) == cards:
            yield from playthrough(case)


def seconds(run: Callable[[], object], repeat: int = 5) -> float:
    """Return the processor time of one call, the least of a few."""
    best = float("inf")
    for _ in range(repeat):
        started = time.process_time()
        run()
        best = min(best, time.process_time() - started)
    return best


def line(name: str, times: Sequence[float]) -> None:
    middle, worst = statistics.median(times) * 1e3, max(times) * 1e3
    mean = statistics.mean(times) * 1e3
    print(
        f"{name:<58} {len(times):>5} times, median {middle:9.4f}, mean {mean:9.4f}, "
        f"max {worst:9.3f} ms",
        flush=True,
    )


def core_seconds(name: str, game: Quartets, form: DealForm) -> tuple[float, bool]:
    """Return the time that an engine of the core takes, its model made before, and its verdict."""
    try:
        model = Model(form_problem(game, form))
    except Contradiction:
        return 0.0, False
    solver = engine(name)
    found: list[Any] = []
    time_taken = seconds(lambda: found.append(solver.solve(model, Budget().meter())), 2)
    return time_taken, found[0] is not None


def opening(players: int, preset: str) -> Iterator[tuple[Quartets, Position]]:
    """Yield the first positions of a game with 13 groups of four."""
    names = tuple(f"p{p}" for p in range(players))
    game = Quartets.preset(preset, names, named_groups([4] * 13))
    position = start_position(game)
    yield game, position
    for text in ["p1 a1", "no", "p0 b1", "yes", "p2 c1", "no", "p3 d1", "no"]:
        yes_no = {"yes": True, "no": False}
        name = names[position.speaker()]
        asked = text.split()
        event = Answer(name, yes_no[text]) if text in yes_no else Ask(name, asked[0], asked[1])
        position = tell(game, position, event)
        yield game, position


def validity() -> None:
    for players, cards in [(4, 32), (4, 52), (6, 52)]:
        ours: list[float] = []
        theirs: dict[str, list[tuple[float, float]]] = {"cpsat": [], "matching": []}
        for number, (game, position, event) in enumerate(of_size(players, cards)):
            ours.append(seconds(lambda: form_after(game, position, event)))  # noqa: B023
            form = form_after(game, position, event)
            for name in theirs if number % 8 == 0 and form.open else ():
                taken, valid = core_seconds(name, game, form)
                assert valid == form.is_valid
                if taken:
                    theirs[name].append((taken, taken / ours[-1]))
        line(f"validity after a statement, {cards} cards, {players} players", ours)
        for name, found in theirs.items():
            times, ratios = zip(*found, strict=True)
            line(f"  the core's {name} on every eighth of these states", times)
            print(f"  median ratio {statistics.median(ratios):.0f}, least {min(ratios):.0f}")


def places() -> None:
    potentials = [case["slots"] for case in cases("potentials")]
    line("validity of places, all recorded", [seconds(lambda: match(p)) for p in potentials])  # noqa: B023
    for sort in (False, True):
        for bound in (False, True):
            times = []
            for slots in potentials:
                started = time.process_time()
                with suppress(Undecided):
                    collapse(slots, sort=sort, bound=bound, budget=SEED_LIMIT)
                    times.append(time.process_time() - started)
            line(f"collapse, sort {sort}, bound {bound}, decided", times)


def matchings() -> None:
    """Print the times of counting the ways to give every place a card, here and in the core."""
    own, core, undecided = [], [], 0
    for _, position, _ in list(of_size(4, 52))[::10]:
        try:
            form = slot_form(position.form)
        except Unsupported:
            continue
        own.append(seconds(lambda: count_matchings(form.potentials), 1))  # noqa: B023
        knowledge = Knowledge(slot_problem(form), budget=Budget(3_000_000))
        try:
            core.append(seconds(knowledge.count, 1) / own[-1])
        except Undecided:
            undecided += 1
    line("ways to give every place a card, every tenth, 52 cards", own)
    print(f"  core: median ratio {statistics.median(core):.0f}, undecided {undecided}")


def moves() -> None:
    for players, cards in [(4, 52), (6, 52)]:
        times = [
            seconds(lambda: (questions(game, position), declarable(position)), 2)  # noqa: B023
            for game, position, event in of_size(players, cards)
            if position.question is None
        ]
        line(f"all questions and answers, {cards} cards, {players} players", times)


def counting() -> None:
    for players in (4, 6):
        positions = [p for _, p, _ in of_size(players, 52)]
        times = [seconds(lambda: count_deals(p.form), 1) for p in positions]  # noqa: B023
        line(f"count and all holders, 52 cards, {players} players", times)
    sampled = [(game, p) for game, p, _ in of_size(4, 52)][::10]
    core, own = [], []
    for game, position in sampled:
        knowledge = Knowledge(form_problem(game, position.form))
        core.append(seconds(knowledge.count, 1))
        own.append(seconds(lambda: count_deals(position.form), 1))  # noqa: B023
        assert knowledge.count() == count_deals(position.form).total
    line("  the core's counting, every tenth, 52 cards, 4 players", core)
    line("  the sweep over groups on the same", own)
    for preset in PRESETS:
        for players in (4, 6):
            times = [seconds(lambda: count_deals(p.form), 1) for _, p in opening(players, preset)]  # noqa: B023
            line(f"opening, 13 groups, {players} players, {preset}", times)


def other() -> None:
    times = []
    for case in cases("transcripts"):
        if case["result"]["type"] == "contradiction":
            played = list(playthrough(case))
            game, log = played[0][0], [event for _, _, event in played]
            positions = positions_of(game, log)
            times.append(seconds(lambda: why_invalid(game, log, positions), 1))  # noqa: B023
    line("why a statement loses, all recorded", times)
    for players, groups, size, preset in [(3, 3, 2, "literal"), (3, 2, 3, "strict")]:
        names = ("Ann", "Ben", "Cid")[:players]
        game = Quartets.preset(preset, names, named_groups([size] * groups))
        started = time.process_time()
        values, count = force(game)
        taken = time.process_time() - started
        what = f"{players} players, {groups} x {size}, {preset}"
        print(f"{what}: {values}, {count} positions, {taken:.1f} s")


if __name__ == "__main__":
    parts = {part.__name__: part for part in (validity, places, matchings, moves, counting, other)}
    for name in sys.argv[1:] or parts:
        parts[name]()
