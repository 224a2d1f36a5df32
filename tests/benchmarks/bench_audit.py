"""Audits of puzzles with planted faults, and their throughput.

    python -m tests.benchmarks.bench_audit faults ITEMS [FIRST]
    python -m tests.benchmarks.bench_audit speed ITEMS
    python -m tests.benchmarks.bench_audit suppositions ITEMS
    python -m tests.benchmarks.bench_audit sets

Each puzzle has a hidden world and clues of which none can be dropped. Then it gets one of eight
faults, or none. It is audited from its JSON, and every certificate is verified by the checker.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from time import process_time
from typing import Any

from attrs import evolve

from deduce import BadInput, Evidence, Knowledge, Problem, Where, at_least, exactly, is_
from deduce.audit import Item, audit, checker, sudoku
from deduce.audit.items import items_of, read_items
from deduce.audit.sets import read_set
from deduce.constraints import Constraint, Fact
from deduce.logic import all_of, any_of, iff, implies, negation
from deduce.problem import World
from deduce.steps import steps
from games.zebra import Zebra

FAULTS = ("none", "clue dropped", "clue changed", "clue doubled", "contradictory pair",
          "answer changed", "second answer", "impossible value", "superfluous clue")  # fmt: skip

Puzzle = tuple[Problem, Iterator[Constraint], list[Constraint]]
"""A problem without clues, clues that are true in a hidden world, and the answer."""


def facts(world: World) -> list[Constraint]:
    return [is_(name, value) for name, value in world.items()]


def sudokus(random: Random, size: int = 0) -> Puzzle:
    size = size or random.choice([4, 4, 4, 4, 4, 9])
    box = {4: 2, 9: 3}[size]
    order = [random.sample(range(box), box) for _ in range(2 * box + 2)]
    places = [[b * box + n for b in order[k] for n in order[k + 1 + b]] for k in (0, box + 1)]
    digits = random.sample(range(1, size + 1), size)
    problem = sudoku("." * size**2)
    world = {
        f"r{i + 1}c{j + 1}": digits[(r % box * box + r // box + c) % size]
        for i, r in enumerate(places[0])
        for j, c in enumerate(places[1])
    }
    clues = facts(world)
    random.shuffle(clues)
    return problem, iter(clues), facts(world)


def zebras(random: Random, houses: int = 0, kinds: int = 3) -> Puzzle:
    game = Zebra(houses or random.choice([3, 4]), kinds)
    world = game.deal(random)
    events = list(game.clues(world))
    random.shuffle(events)
    clues = (piece.constraint for event in events for piece in game.evidence([event], None))
    return Problem(game.variables(), tuple(game.rules())), clues, facts(world)


def claims(random: Random, literals: Sequence[Fact], depth: int = 2) -> Constraint:
    if not depth or random.random() < 0.3:
        fact = random.choice(literals)
        return fact if random.random() < 0.5 else negation(fact)
    a, b = (claims(random, literals, depth - 1) for _ in range(2))
    return random.choice([all_of, any_of])([a, b]) if random.random() < 0.6 else implies(a, b)


def knights(random: Random) -> Puzzle:
    names = ("Ann", "Ben", "Cid", "Dot", "Eli")[: random.randint(3, 5)]
    world = {name: random.choice(["knight", "knave"]) for name in names}
    problem = Problem(dict.fromkeys(names, ("knight", "knave")))
    literals = [is_(name, "knight") for name in names]

    def clues() -> Iterator[Constraint]:
        while True:
            said = iff(random.choice(literals), claims(random, literals))
            if problem.satisfied(said, world):
                yield said

    return problem, clues(), facts(world)


def formulas(random: Random) -> Puzzle:
    names = tuple("pqrst")
    world = {name: random.random() < 0.5 for name in names}
    problem = Problem(dict.fromkeys(names, (False, True)))
    literals = [is_(name, True) for name in names]

    def true() -> Iterator[Constraint]:
        while True:
            formula = claims(random, literals)
            if problem.satisfied(formula, world):
                yield formula

    conclusion = next(c for c in true() if not Knowledge(problem).is_certain(c))
    return problem, true(), [conclusion]


def cluedos(random: Random) -> Puzzle:
    kinds = [[f"{kind}{n}" for n in range(4)] for kind in ("who", "what", "where")]
    cards = [*kinds[0], *kinds[1], *kinds[2]]
    envelope = [random.choice(kind) for kind in kinds]
    rest = [card for card in cards if card not in envelope]
    random.shuffle(rest)
    players = ("Ann", "Ben", "Cid")
    world = dict.fromkeys(envelope, "envelope")
    world |= {card: players[n % 3] for n, card in enumerate(rest)}
    rules = [exactly(1, [is_(card, "envelope") for card in kind]) for kind in kinds]
    rules += [exactly(3, [is_(card, player) for card in cards]) for player in players]
    problem = Problem(dict.fromkeys(cards, (*players, "envelope")), rules)

    def clues() -> Iterator[Constraint]:
        while True:
            asked, player = [random.choice(kind) for kind in kinds], random.choice(players)
            shown = [is_(card, player) for card in asked]
            has = [card for card in asked if world[card] == player]
            if has and random.random() < 0.4:
                yield is_(has[0], player)
            else:
                yield at_least(1, shown) if has else exactly(0, shown)

    return problem, clues(), [is_(card, "envelope") for card in envelope]


def masterminds(random: Random) -> Puzzle:
    slots, colours = range(3), tuple("ABCDE")
    world = {slot: random.choice(colours) for slot in slots}

    def pegs(guess: Sequence[str], code: Sequence[str]) -> tuple[int, int]:
        black = sum(a == b for a, b in zip(guess, code, strict=True))
        return black, sum((Counter(guess) & Counter(code)).values()) - black

    def clues() -> Iterator[Constraint]:
        while True:
            guess = [random.choice(colours) for _ in slots]
            answer = pegs(guess, [*world.values()])
            yield Where(slots, lambda *code, g=guess, a=answer: pegs(g, code) == a)

    return Problem(dict.fromkeys(slots, colours)), clues(), facts(world)


FAMILIES: dict[str, Callable[[Random], Puzzle]] = {
    "sudoku": sudokus, "zebra": zebras, "knights": knights, "Cluedo": cluedos,
    "Mastermind": masterminds, "propositional": formulas,
}  # fmt: skip


def with_clues(problem: Problem, clues: Sequence[Constraint]) -> Problem:
    return evolve(problem, evidence=[Evidence(clue, n) for n, clue in enumerate(clues, 1)])


def minimal(puzzle: Puzzle) -> Item:
    """Return the puzzle with clues of which none can be dropped."""
    problem, clues, answer = puzzle

    def proves(chosen: Sequence[Constraint]) -> bool:
        known = Knowledge(with_clues(problem, chosen))
        return all(map(known.is_certain, answer))

    kept: list[Constraint] = []
    step = 8 if len(problem.domains) > 50 else 1
    while not proves(kept):
        kept += islice(clues, step)
    at = 0
    while at < len(kept):  # a clue may be there twice
        fewer = kept[:at] + kept[at + 1 :]
        if proves(fewer):
            kept = fewer
        else:
            at += 1
    return Item("item", with_clues(problem, kept), tuple(answer), (tuple(answer),))


def planted(item: Item, fault: str, random: Random) -> str:
    """Return the JSON of a puzzle with a fault."""
    clues = [piece.constraint for piece in item.problem.evidence]
    at = random.randrange(len(clues))
    first = item.answer[0]
    other = negation(first)
    if isinstance(first, Fact) and not first.negated:
        domain = item.problem.domains[first.variable]
        other = is_(first.variable, random.choice([v for v in domain if v not in first.values]))
    match fault:
        case "clue dropped":
            del clues[at]
        case "clue changed":
            clues[at] = negation(clues[at])
        case "clue doubled":
            clues.append(clues[at])
        case "contradictory pair":
            clues.append(negation(clues[at]))
        case "superfluous clue":
            clues.append(first)
        case "answer changed":
            item = evolve(item, answer=(other, *item.answer[1:]), accepted=())
        case "second answer":
            item = evolve(item, accepted=(*item.accepted, (other, *item.answer[1:])))
    document = evolve(item, problem=with_clues(item.problem, clues)).to_json()
    if fault == "impossible value":
        spoil(document["problem"]["evidence"][at]["constraint"])
    return json.dumps(document)


def spoil(constraint: Any) -> None:
    """Put a value into a constraint that the variable does not have."""
    while "parts" in constraint:
        constraint = constraint["parts"][0]
    if "rows" in constraint:
        constraint["rows"][0][0] = "impossible"
    elif "left" in constraint:
        constraint["order"] = ["impossible"]
    else:
        constraint.get("facts", [constraint])[0]["values"] = ["impossible"]


def expected(fault: str, item: Item, clues: int) -> Callable[[Any], bool]:
    """Return what tells whether an audit shows the fault, and no other."""
    return {
        "none": lambda a: not (a.is_faulty or a.redundant),
        "clue dropped": lambda a: a.answer == "not unique",
        "clue changed": lambda a: a.answer in ("wrong", "not unique", "contradiction"),
        "clue doubled": lambda a: not a.is_faulty and clues + 1 in a.redundant,
        "contradictory pair": lambda a: a.answer == "contradiction",
        "answer changed": lambda a: a.answer == "wrong",
        "second answer": lambda a: a.answer == "right" and a.paid == (2,),
        "superfluous clue": lambda a: not a.is_faulty and clues + 1 in a.redundant,
    }[fault]


def faults(number: int, first: int = 0) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    began = process_time()
    for seed in range(first, first + number):
        random = Random(seed)
        family = [*FAMILIES][seed % 6]
        fault = FAULTS[seed // 6 % 9]
        item = minimal(FAMILIES[family](random))
        text = planted(item, fault, random)
        seen[family, fault] += 1
        try:
            (read,) = items_of(text, "item")
        except BadInput:
            totals["found" if fault == "impossible value" else "WRONG"] += 1
            continue
        found = audit(read)
        is_right = fault != "impossible value" and expected(
            fault, item, len(item.problem.evidence)
        )(found)
        totals["clean" if is_right and fault == "none" else "found" if is_right else "WRONG"] += 1
        if not is_right:
            print(seed, family, fault, found.answer, found.redundant, found.paid, flush=True)
        certificate = {**read.to_json(), "found": found.to_json(), "proof": found.proof}
        line = json.loads(json.dumps(certificate))
        complaint = checker.verify(line) if found.proof is not None else "no proof"
        totals["refused" if complaint else "verified"] += 1
        if complaint:
            print(seed, family, fault, complaint, flush=True)
    print(f"{number} items, {dict(totals)}, {process_time() - began:.0f} s of CPU")
    print(f"{len(seen)} pairs of a family and a fault, each {min(seen.values())} times or more")


SHAPES: dict[str, Callable[[Random], Puzzle]] = {
    **FAMILIES,
    "zebra 4x4": lambda random: zebras(random, 4, 4),
    "sudoku 9x9": lambda random: sudokus(random, 9),
}


def suppositions(number: int) -> None:
    """Count the steps of the suppositions in proofs of puzzles."""
    for name, make in [*SHAPES.items()][1:-1]:
        lengths: Counter[int] = Counter()
        for seed in range(number):
            proof = steps(Knowledge(minimal(make(Random(seed))).problem))
            lengths.update(step.suppose.length for step in proof if step.suppose is not None)
        print(f"{name:14} {dict(sorted(lengths.items()))}", flush=True)


def speed(number: int) -> None:
    for name, make in SHAPES.items():
        size = number if name != "sudoku 9x9" else max(1, number // 5)
        texts = [json.dumps(minimal(make(Random(seed))).to_json()) for seed in range(size)]
        for deep in (False, True):
            began = process_time()
            for text in texts:
                (item,) = items_of(text, "item")
                audit(item, deep=deep)
            spent = (process_time() - began) / size
            kind = "everything" if deep else "fast"
            print(f"{name:14} {kind:10} {spent * 1000:7.1f} ms an item", flush=True)


SIZES = {"propositional_logic": 1000, "survo": 300, "knights_knaves": 300, "kakurasu": 200,
         "mini_sudoku": 200, "cryptarithm": 200, "n_queens": 100, "sudoku": 40, "futoshiki": 40,
         "zebra_puzzles": 40}  # fmt: skip


TABLES = "tests/data/textarena-hard.jsonl"
"""Puzzles of TextArena 0.7.4 (MIT licence), encoded by hand: their clues as conditions."""


def sets(first: int = 0) -> None:
    """Print the table of docs/audits.md."""
    specs = [f"reasoning-gym:{name}:{size}:1" for name, size in SIZES.items()]
    for spec in [*specs, TABLES][first:]:
        items = list(read_items(spec) if spec == TABLES else read_set(spec))
        began = process_time()
        kinds = Counter(audit(item, deep=False).answer for item in items)
        spent = process_time() - began
        shown = ", ".join(f"{n} {kind}" for kind, n in kinds.items() if kind != "right") or "clean"
        print(f"| `{spec}` | {len(items)} | {shown} | {spent:.1f} |", flush=True)


if __name__ == "__main__":
    modes: dict[str, Callable[..., None]] = {
        "faults": faults,
        "speed": speed,
        "sets": sets,
        "suppositions": suppositions,
    }
    modes[sys.argv[1]](*map(int, sys.argv[2:]))
