"""Certificates: verified where they are true, and never where they are not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from deduce import Budget, Evidence, Problem, Weigh, Where, is_
from deduce.audit import Item, audit, checker
from deduce.constraints import Logic
from deduce.errors import Unsupported
from deduce.problem import World
from deduce.testing.problems import claim_about, generated
from tests.programs import deduce

SMALL = 500
"""Problems with up to this number of combinations are compared with the list of all worlds."""
MANY = 100
"""Those with more constraints take seconds, though they have few worlds."""

BOARDS = "1..43..22..3....\n11..............\n1...............\n"


def drawn(seed: int) -> Item | None:
    """Return a random problem with random answers, if it has a form in JSON."""
    random = Random(seed)
    problem = generated(random)
    pieces = [evolve(piece, doubt=None, instead=()) for piece in problem.evidence]
    problem = evolve(problem, evidence=pieces)
    stated = tuple(claim_about(problem, random) for _ in range(random.randint(0, 2)))
    item = Item("drawn", problem, stated, ((claim_about(problem, random),),))
    try:
        item.to_json()
    except Unsupported:
        return None
    return item


def certificate(item: Item) -> Any:
    found = audit(item, budget=Budget(steps=200_000))
    return json.loads(
        json.dumps({**item.to_json(), "found": found.to_json(), "proof": found.proof})
    )


def test_every_certificate_of_random_problems_is_verified() -> None:
    seen: Counter[str] = Counter()
    for seed in range(70):
        item = drawn(seed)
        if item is not None and (line := certificate(item))["proof"] is not None:
            assert checker.verify(line) == "", seed
            seen[line["found"]["answer"]] += 1
            seen["redundant"] += len(line["found"]["redundant"])
            seen["paid"] += len(line["found"]["paid"])
    answers = ("contradiction", "none", "not unique", "right", "wrong", "redundant", "paid")
    assert min(seen[name] for name in answers) > 3, seen


def test_no_certificate_of_something_false_is_verified() -> None:
    accepted = refused = 0
    for seed in range(60):
        item, random = drawn(seed), Random(seed)
        if item is None:
            continue
        size = 1
        for values in item.problem.domains.values():
            size *= len(values)
        many = len(list(item.problem.constraints())) > MANY
        if size > SMALL or many or (line := certificate(item))["proof"] is None:
            continue
        names = [*item.problem.domains]
        every: list[World] = [dict(zip(names, row, strict=True))
                 for row in product(*item.problem.domains.values())]  # fmt: skip
        for _ in range(12):
            changed = json.loads(json.dumps(line))
            damage(changed, random)
            if checker.verify(changed):
                refused += 1
            else:
                accepted += 1
                assert is_true(changed["found"], item, every), (seed, changed["found"])
    assert accepted > 20
    assert refused > 60


def damage(line: Any, random: Random) -> None:
    """Change what is claimed, or the proof."""
    found, proof = line["found"], line["proof"]
    match random.randrange(7):
        case 0:
            found["answer"] = random.choice(["right", "wrong", "not unique", "contradiction"])
            proof.setdefault("answer", [])
        case 1:
            found["solutions"] = random.choice([0, 1, "2+"])
            proof.setdefault("steps", [])
        case 2:
            found["redundant"].append(random.randint(-1, 4))
            proof.setdefault("redundant", []).append(random.choice([[], proof.get("steps", [])]))
        case 3 if found["worlds"]:
            found["worlds"] = [random.choice(found["worlds"]) for _ in found["worlds"]]
            random.choice(found["worlds"][0])[1] = random.choice(found["worlds"][-1])[1]
        case 4 if proof.get("steps"):
            del proof["steps"][random.randrange(len(proof["steps"]))]
        case 5:
            found["faulty"] = random.choice([True, False])
        case _:
            found["solutions"], found["answer"] = 0, "contradiction"
            steps = [{"if": [0, n], "then": proof.get("steps", [])} for n in range(3)]
            proof["steps"] = steps


def is_true(found: Mapping[str, Any], item: Item, every: list[World]) -> bool:
    """Return whether a claim is true, by the list of all assignments."""

    def those(problem: Problem, *claims: Any) -> list[World]:
        known = [*problem.constraints(), *claims]
        return [world for world in every if all(problem.satisfied(c, world) for c in known)]

    stated = Logic("all", item.answer)
    solutions, held = those(item.problem), those(item.problem, stated)
    number = found["solutions"]
    if (len(solutions) > 1) != (number == "2+") or (number != "2+" and number != len(solutions)):
        return False
    answer = "wrong" if not held else "right" if held == solutions else "not unique"
    if not item.answer:
        answer = "none"
    if found["answer"] != ("contradiction" if not solutions else answer):
        return False
    right = ("right",) if item.answer else ("none",) * (number == 1)
    if found["faulty"] != (found["answer"] not in right or bool(found["paid"])):
        return False
    for number in found["redundant"]:
        if number < 1:
            return False
        pieces = list(item.problem.evidence)
        clue = pieces.pop(number - 1).constraint
        others = those(evolve(item.problem, evidence=pieces))
        if not all(item.problem.satisfied(clue, world) for world in others):
            return False
    return True


def test_the_checker_is_a_program_of_its_own(tmp_path: Path) -> None:
    boards, results = tmp_path / "boards", tmp_path / "found.jsonl"
    boards.write_text(BOARDS)
    assert deduce("audit", "--results", str(results), str(boards)).returncode == 1
    program = [sys.executable, "-I", "-S", checker.__file__, str(results)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("3 verified, 0 refused, 0 without a proof\n", 0)
    results.write_text(results.read_text().replace('"solutions": 1', '"solutions": 0'))
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, "not proved: no solution" in done.stdout) == (1, True)


def test_results_are_continued_and_may_come_from_several_processes(tmp_path: Path) -> None:
    boards, results = tmp_path / "boards", tmp_path / "found.jsonl"
    boards.write_text(BOARDS)
    arguments = ("audit", "--json", "--jobs", "2", "--results", str(results), str(boards))
    first = deduce(*arguments)
    lines = [json.loads(line) for line in first.stdout.splitlines()]
    assert [line["item"] for line in lines[:-1]] == [f"{boards}:{n}" for n in (1, 2, 3)]
    assert [line["solutions"] for line in lines[:-1]] == [1, 0, "2+"]
    kept = results.read_text().splitlines()[:3]
    results.write_text("\n".join(kept) + "\n")
    assert deduce(*arguments).stdout == first.stdout
    assert len(results.read_text().splitlines()) == 4
    boards.write_text("4" + BOARDS[1:])
    other = deduce(*arguments)
    assert (other.returncode, "name another file" in other.stderr) == (3, True)


@pytest.mark.parametrize(
    "line",
    [
        {}, {"problem": 3}, {"problem": {"variables": []}, "found": {}, "proof": {}},
        {"problem": {"variables": [["a", [1]]]}, "proof": {"steps": [9]},
         "found": {"solutions": 0, "answer": "contradiction", "worlds": []}},
    ],
)  # fmt: skip
def test_what_is_not_a_certificate_is_refused(line: Any) -> None:
    assert checker.verify(line)


def test_an_answer_that_is_accepted_and_does_not_follow_is_a_fault() -> None:
    hats = Problem({"Ann": ("red", "blue")}, evidence=[Evidence(is_("Ann", "red"), 1)])
    item = Item("hats", hats, (is_("Ann", "red"),), ((is_("Ann", "red"),), (is_("Ann", "blue"),)))
    found = audit(item)
    assert (found.answer, found.paid, found.is_faulty) == ("right", (2,), True)
    assert not audit(evolve(item, accepted=item.accepted[:1])).is_faulty


def test_a_clue_that_weighs_worlds_is_not_called_redundant() -> None:
    pieces = [Evidence(Weigh([is_("a", 1)], [0, 1]), 1), Evidence(Where(["a"], bool), 2)]
    assert audit(Item("weighed", Problem({"a": (0, 1)}, evidence=pieces))).redundant == (2,)
