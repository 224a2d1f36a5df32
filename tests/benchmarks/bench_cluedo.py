"""What the core costs on Cluedo, beside a model counter and CP-SAT, in CPU seconds.

``python tests/benchmarks/bench_cluedo.py`` prints the table of docs/benchmarks/cluedo.md; Ganak
needs the extra ``peers``. ``--plot FILE`` draws the growth instead (extra ``plot``).
``pytest tests/benchmarks/bench_cluedo.py`` runs our own part under pytest-benchmark.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median
from time import process_time
from typing import Any

import pytest

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Fact, is_
from deduce.engines.base import Engine
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.choose import engine
from deduce.engines.counting.order import is_any
from deduce.engines.counting.residue import residue
from deduce.engines.model import Model
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from games.cluedo import Cluedo
from games.cluedo.advice import advise
from games.cluedo.events import Hand, Show, Suggestion
from games.cluedo.setup import DECKS, Deck
from games.cluedo.simulate import deal

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")
BIG_DECK: Deck = {
    name: tuple(f"{name}{i}" for i in range(size))
    for name, size in (("who", 12), ("what", 12), ("where", 16))
}
UNLIMITED = Budget(None, None)


def position(seed: int, players: int, suggestions: int, deck: Deck = DECKS["classic"]) -> Knowledge:
    """Return what the first player knows after some random suggestions, truly answered."""
    random = Random(seed)
    names = NAMES[:players]
    in_hands = sum(map(len, deck.values())) - len(deck)
    sizes = tuple(in_hands // players + (seat < in_hands % players) for seat in range(players))
    game = Cluedo(players=names, deck=deck, hands=sizes, me=names[0])
    places = deal(game, random)
    mine = tuple(card for card, holder in places.items() if holder == names[0])
    log: list[Any] = [Hand(names[0], mine)]
    for turn in range(suggestions):
        by = names[turn % players]
        cards = tuple(random.choice(choice) for choice in deck.values())
        passes: list[str] = []
        shows: tuple[Show, ...] = ()
        for step in range(1, players):
            other = names[(turn + step) % players]
            fitting = [card for card in cards if places[card] == other]
            if fitting:
                seen = names[0] in (by, other)
                shows = (Show(other, random.choice(fitting) if seen else None),)
                break
            passes.append(other)
        log.append(Suggestion(by, cards, tuple(passes), shows))
    return Knowledge(game, log)


def standard(number: int) -> Iterator[Knowledge]:
    """Yield random standard positions: 3 to 6 players, 0 to 30 suggestions."""
    random = Random(2026)
    for seed in range(number):
        yield position(seed, random.randint(3, 6), random.randint(0, 30))


def seconds(work: Callable[[], Any], repeat: int = 1) -> float:
    """Return the least CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeat):
        started = process_time()
        work()
        best = min(best, process_time() - started)
    return best


def marginals(knowledge: Knowledge) -> None:
    """Compile the problem and compute every marginal, from nothing."""
    meter = UNLIMITED.meter()
    engine("counting").tally(Model(knowledge.problem), meter, weighted=False)


def grid(knowledge: Knowledge, chosen: Engine) -> None:
    """Compute the yes/no grid with an engine, from nothing."""
    chosen.possible(Model(knowledge.problem), UNLIMITED.meter())


def explanations(positions: Sequence[Knowledge], each: int = 4) -> list[float]:
    """Return the CPU seconds of explaining some certain facts of each position."""
    times = []
    for number, knowledge in enumerate(positions):
        own = knowledge.log[0].cards
        facts = [(card, holder) for card, holder in knowledge.certain().items() if card not in own]
        for card, holder in Random(number).sample(facts, min(each, len(facts))):
            claim = is_(card, holder)
            times.append(seconds(lambda k=knowledge, c=claim: k.why(c)))  # type: ignore[misc]
    return times


# --- Ganak ---------------------------------------------------------------------------------


def clauses(problem: Any) -> tuple[list[list[int]], int]:
    """Return a CNF with as many models as the problem has worlds, and its number of variables.

    One variable per card and holder; a Count is a sequential counter whose auxiliary variables are
    determined by the others, so that they do not add models.
    """
    model = Model(problem)
    width = model.width
    cnf: list[list[int]] = []
    top = len(model.variables) * width

    def literals(fact: Fact) -> list[int]:
        i, mask = model.literal(fact)
        return [i * width + j + 1 for j in range(width) if mask >> j & 1]

    for i, domain in enumerate(model.domains):
        own = [i * width + j + 1 for j in range(width)]
        cnf.append([v for j, v in enumerate(own) if domain >> j & 1])
        cnf += [[-v] for j, v in enumerate(own) if not domain >> j & 1]
        cnf += [[-a, -b] for n, a in enumerate(own) for b in own[n + 1 :]]

    def add(constraint: Constraint) -> None:
        nonlocal top
        if isinstance(constraint, Fact):
            cnf.append(literals(constraint))
            return
        assert isinstance(constraint, Count)
        facts = [literals(fact) for fact in constraint.facts]
        assert all(len(fact) == 1 for fact in facts)
        low, high = constraint.low, min(constraint.high or len(facts), len(facts))
        if low == 1 and high == len(facts):
            cnf.append([fact[0] for fact in facts])
            return
        row: list[int | None] = [None] * (high + 2)  # row[j]: at least j of those so far
        for (x,) in facts:
            following: list[int | None] = [None] * (high + 2)
            for j in range(1, high + 2):
                before, less = row[j], (row[j - 1] if j > 1 else 0)
                if before is None and less is None:
                    continue
                top += 1
                s = following[j] = top
                # s <-> before or (x and less)
                both = [x] if less == 0 else [x, less]
                cnf.append([s, *(-v for v in both if v is not None)])
                if before is not None:
                    cnf.append([s, -before])
                for v in both:
                    cnf.append([-s, *([before] if before is not None else []), *([v] if v else [])])
            row = following
        if low:
            cnf.append([row[low]] if row[low] is not None else [])  # type: ignore[list-item]
        if row[high + 1] is not None:
            cnf.append([-row[high + 1]])  # type: ignore[operator]

    for constraint in problem.constraints():
        if isinstance(constraint, (Fact, Count)):
            add(constraint)
    return cnf, len(model.variables) * width


def _ganak(cnf: list[list[int]], variables: int, pipe: Any) -> None:
    from pyganak import Counter  # type: ignore[import-not-found,unused-ignore]

    counter = Counter()
    started = process_time()
    counter.add_clauses(cnf)
    counter.set_sampling_set(list(range(1, variables + 1)))
    number = int(counter.count())
    pipe.send((number, process_time() - started))


def ganak(knowledge: Knowledge, limit: float = 60.0) -> tuple[int, float] | None:
    """Return Ganak's count and its CPU seconds, or ``None`` when it takes longer than the limit."""
    cnf, variables = clauses(knowledge.problem)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_ganak, args=(cnf, variables, theirs))
    process.start()
    answer = ours.recv() if ours.poll(limit) else None
    process.kill()
    process.join()
    return answer


# --- the table -----------------------------------------------------------------------------


def rows(*, ganak_positions: int) -> Iterator[tuple[str, str]]:
    """Yield what was measured and the figure."""
    positions = list(standard(400))
    ours = [seconds(lambda k=k: marginals(k), 3) for k in positions]  # type: ignore[misc]
    yield "all marginals, 400 standard positions, median", f"{median(ours) * 1e3:.2f} ms"
    yield "the same, worst", f"{max(ours) * 1e3:.1f} ms"
    yield "the same, with Weigh (posterior), median", f"{_weighted(positions) * 1e3:.2f} ms"

    grids = [seconds(lambda k=k: grid(k, engine("cpsat"))) for k in positions[:60]]  # type: ignore[misc]
    ratio = median(theirs / mine for theirs, mine in zip(grids, ours, strict=False))
    yield "yes/no grid by cpsat, 60 of them, median", f"{median(grids) * 1e3:.0f} ms"
    yield "cpsat grid / our marginals, median ratio", f"{ratio:.0f}"

    times = explanations(positions[:150])
    yield f"explanations of {len(times)} certain facts, median", f"{median(times) * 1e3:.1f} ms"
    yield "the same, worst", f"{max(times) * 1e3:.0f} ms"

    opening = position(0, 6, 0)
    yield (
        f"opening of six players, {opening.count():,} deals",
        f"{seconds(lambda: marginals(opening), 5) * 1e3:.1f} ms",
    )
    large = [position(seed, 10, 26, BIG_DECK) for seed in range(9)]
    big = [seconds(lambda k=k: marginals(k)) for k in large]  # type: ignore[misc]
    yield "40 cards, 10 players, 26 suggestions, 9 positions, median", f"{median(big):.2f} s"
    yield "the same, worst", f"{max(big):.2f} s"

    yield from _advice()

    alone = _bound_alone(positions)
    yield "contradictory checks of explanations that the bound decides alone", alone

    yield from _beside_ganak(positions[:ganak_positions])
    yield "peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"


def _advice() -> Iterator[tuple[str, str]]:
    """Yield what advice on all 324 suggestions costs: in mid-game, and at the opening."""
    random = Random(7)
    setups = [(seed, random.randint(3, 6), random.randint(8, 16)) for seed in range(100)]
    taken: dict[str, list[float]] = {}
    for setup in setups:
        knowledge = position(*setup)
        started = process_time()
        method = advise(knowledge).method
        taken.setdefault(method, []).append(process_time() - started)
    times = [seconds for some in taken.values() for seconds in some]
    yield f"advice, {len(times)} positions, 8 to 16 suggestions, median", f"{median(times):.2f} s"
    yield "the same, worst", f"{max(times):.2f} s"
    exact = len(times) - len(taken.get("samples", ()))
    yield "the same, exact without asking for it", f"{exact} of {len(times)}"
    opening = position(0, 6, 0)
    cost = seconds(lambda: advise(opening))
    yield "advice at the opening of six players, exact", f"{cost:.2f} s"


def _beside_ganak(positions: Sequence[Knowledge]) -> Iterator[tuple[str, str]]:
    """Yield the ratios to one count of Ganak, each side from its own compiled form."""
    counting = engine("counting")
    ratios = {}
    for knowledge in positions:
        found = ganak(knowledge)
        if found is not None:
            assert found[0] == knowledge.count(), "the counters disagree"
            model = knowledge.asker.model
            mine = seconds(
                lambda m=model: counting.tally(m, UNLIMITED.meter(), weighted=False),  # type: ignore[misc]
                5,
            )
            ratios[knowledge] = found[1] / mine
    if not ratios:
        return
    yield f"Ganak finishes within 60 s, of {len(positions)}", str(len(ratios))
    yield "one Ganak count / all our marginals, median ratio", f"{median(ratios.values()):.0f}"
    for low, high in ((1, 99), (100, 999), (1000, 10**12)):
        some = [ratio for knowledge, ratio in ratios.items() if low <= knowledge.count() <= high]
        what = (
            f"the same, {low} to {high} deals" if high < 1000 else "the same, 1000 deals and more"
        )
        if some:
            yield f"{what} ({len(some)} positions)", f"{median(some):.0f}"


def _weighted(positions: Sequence[Knowledge]) -> float:
    counting = engine("counting")
    return median(
        seconds(
            lambda k=k: counting.tally(Model(k.problem), UNLIMITED.meter(), weighted=True)  # type: ignore[misc]
        )
        for k in positions
    )


def _bound_alone(positions: Sequence[Knowledge]) -> str:
    """Return how often propagation, and the Hamming bound on top, refute what is impossible."""
    impossible = propagated = bounded = 0
    for knowledge in positions[:150]:
        model = knowledge.asker.model
        possible = knowledge.possible()
        for card, values in possible.items():
            for holder in knowledge.problem.domains[card]:
                if holder not in values:
                    impossible += 1
                    claim = model.compile(is_(card, holder))
                    bounds = Bounds(model, [*model.statements, claim])
                    left = bounds.narrow(bounds.start)
                    propagated += left == IMPOSSIBLE
                    bounded += left != IMPOSSIBLE and bounds.refutes(left)
    return (
        f"{(propagated + bounded) / impossible:.1%} ({bounded} of {impossible} by the union bound)"
    )


# --- growth --------------------------------------------------------------------------------


Point = tuple[int, float | None]
"""A size, and CPU seconds; ``None``: over the standard budget."""


def timed(knowledge: Knowledge) -> float | None:
    """Return the CPU seconds of all marginals within the standard budget."""
    model = Model(knowledge.problem)
    started = process_time()
    try:
        engine("counting").tally(model, Budget().meter(), weighted=False)
    except Undecided:
        return None
    return process_time() - started


def deck_of(cards: int) -> Deck:
    """Return three categories, nearly alike in size."""
    sizes = (cards // 3, cards // 3, cards - 2 * (cards // 3))
    return {
        name: tuple(f"{name}{i}" for i in range(size))
        for name, size in zip(("who", "what", "where"), sizes, strict=True)
    }


def open_disjunctions(knowledge: Knowledge) -> int:
    """Return how many "showed one of these" are still open after propagation."""
    bounds = Bounds(knowledge.asker.model)
    left = residue(bounds, bounds.narrow(bounds.start))
    return sum(is_any(counter) for part in left.components for counter in part.counters)


def growth() -> dict[str, list[Point]]:
    """Return the CPU seconds of all marginals by cards, players, and open disjunctions."""
    seeds = range(3)
    cards = [(n, seed) for n in (12, 18, 24, 30, 36, 42, 48, 54, 60, 72, 84) for seed in seeds]
    seats = [(n, seed) for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) for seed in seeds]
    turns = [(n, seed) for n in (0, 2, 4, 6, 8, 10, 15, 20, 25, 30, 40, 50) for seed in seeds]
    by_shows = [position(seed, 8, n, deck_of(36)) for n, seed in turns]
    return {
        "cards (6 players, 20 suggestions)": [
            (n, timed(position(seed, 6, 20, deck_of(n)))) for n, seed in cards
        ],
        "players (36 cards, 20 suggestions)": [
            (n, timed(position(seed, n, 20, deck_of(36)))) for n, seed in seats
        ],
        "open disjunctions (36 cards, 8 players)": [
            (open_disjunctions(knowledge), timed(knowledge)) for knowledge in by_shows
        ],
    }


def plot(file: str) -> None:
    """Draw the growth; a cross marks what the standard budget stops."""
    from deduce.show.canvas import Figure, save

    figure = Figure(figsize=(12, 3.6))
    panels = figure.subplots(1, 3, sharey=True)
    for panel, (what, points) in zip(panels, growth().items(), strict=True):
        done = [(n, t) for n, t in points if t is not None]
        panel.plot(*zip(*done, strict=True), "o", color="#0072b2", alpha=0.7, label="exact")
        stopped = [n for n, t in points if t is None]
        if stopped:
            panel.plot(stopped, [10] * len(stopped), "x", color="#d55e00", label="over budget")
        panel.set(xlabel=what, yscale="log")
        panel.grid(alpha=0.3)
        panel.legend(loc="upper left")
    panels[0].set_ylabel("all marginals, CPU seconds")
    save(figure, file)


# --- pytest-benchmark ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["counting", "cpsat"])
def test_grid_of_standard_positions(benchmark: Any, name: str) -> None:
    benchmark.group = "grids of ten standard positions"
    positions = list(standard(10))
    chosen = engine(name)

    def work() -> None:
        for knowledge in positions:
            grid(knowledge, chosen)

    benchmark.pedantic(work, rounds=3)


def test_explanations_of_standard_positions(benchmark: Any) -> None:
    positions = list(standard(10))
    assert benchmark.pedantic(lambda: explanations(positions), rounds=2)


def test_opening_of_six_players(benchmark: Any) -> None:
    opening = position(0, 6, 0)
    benchmark(lambda: marginals(opening))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ganak", type=int, default=40, help="positions to count with Ganak")
    parser.add_argument("--plot", metavar="FILE", help="draw the growth and stop")
    given = parser.parse_args()
    if given.plot:
        plot(given.plot)
    else:
        for what, figure in rows(ganak_positions=given.ganak):
            print(f"{what:<72} {figure}", flush=True)
