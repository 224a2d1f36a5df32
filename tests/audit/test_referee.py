"""Chains of reasoning: right ones are right, and planted faults are found where they are."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest

from deduce import Knowledge, Problem, Where, exactly, is_
from deduce.audit.referee import FAULTS, Link, corrupted, judge_steps, links_of
from deduce.errors import BadInput
from deduce.problem import Evidence
from deduce.steps import make_puzzle, steps
from games.mastermind import Mastermind
from tests.programs import deduce

HATS = """domains
  Ann, Ben, Cid: red, blue
rules
  exactly 1 of: Ann is red, Ben is red, Cid is red
clues
  Ann is not red
  if Ben is red then Ann is red
"""


def seats(random: Random) -> Knowledge:
    """Return a small problem whose clues leave something certain."""
    people = ("Ann", "Ben", "Cid", "Dot")
    world = dict(zip(people, random.sample(range(4), 4), strict=True))
    rules = [exactly(1, [is_(name, seat) for name in people]) for seat in range(4)]
    clues = []
    for number in range(1, 6):
        one, two = random.sample(people, 2)
        gap = abs(world[one] - world[two])
        if random.random() < 0.3:
            clues.append(Evidence(is_(one, world[one], (world[one] + 1) % 4), number))
        else:
            near = Where((one, two), lambda a, b, gap=gap: abs(a - b) == gap)
            clues.append(Evidence(near, number))
    return Knowledge(Problem(dict.fromkeys(people, range(4)), rules, clues))


def follows(k: Knowledge, link: Link, earlier: list[str]) -> bool:
    """Decide by listing all worlds of what a link cites."""
    problem = k.problem
    pieces = [p.constraint for p in problem.evidence if p.event in link.events]
    if not set(link.earlier) <= set(earlier):
        return False
    known = [k.claim(text) for text in link.earlier]
    chosen = [rule for rule in problem.rules if link.rules is None or str(rule) in link.rules]
    cited = Knowledge(Problem(problem.domains, [*chosen, *pieces, *known]))
    (variable, value), holds = link.claim.replace("!=", "=").split("="), "!=" not in link.claim
    worlds = list(cited.worlds())
    assert len(worlds) <= 4**4
    return all((world[variable] == int(value)) == holds for world in worlds)


def test_right_chains_are_right_and_faults_are_found_where_they_are() -> None:
    random, seen = Random(5), dict.fromkeys(FAULTS, 0)
    for _ in range(14):
        k = seats(random)
        chain = links_of(steps(k))
        assert judge_steps(k, chain).verdict == "right"
        for fault in FAULTS:
            made = corrupted(k, chain, fault, random)
            if made is None:
                continue
            wrong, place = made
            seen[fault] += 1
            earlier = [link.claim for link in wrong[: place - 1]]
            assert all(follows(k, link, earlier[:n]) for n, link in enumerate(wrong[: place - 1]))
            assert not follows(k, wrong[place - 1], earlier)
    assert all(number > 3 for number in seen.values()), seen


def test_proofs_of_games_are_right_chains() -> None:
    made = make_puzzle(Mastermind, seed=2)
    chain = links_of(made.proof)
    assert judge_steps(made.knowledge, chain).step is None
    wrong = corrupted(made.knowledge, chain, "circular", Random(1))
    assert wrong is not None
    assert judge_steps(made.knowledge, wrong[0]).verdict == "not yet stated"


def test_what_is_missing_is_named() -> None:
    from deduce.logs.problem_text import parse_problem

    k = Knowledge(parse_problem(HATS))
    ruling = judge_steps(k, [Link("Ben=blue", (2,)), Link("Cid=red", (1,))])
    assert (ruling.step, ruling.verdict, ruling.missing) == (2, "does not follow", (2,))
    ruling = judge_steps(k, [Link("Ben=red", (2,))])
    assert (ruling.truth, ruling.missing) == ("impossible", ())
    assert judge_steps(k, [Link("Ben=blue", (1, 9))]).verdict == "unknown citation"
    assert judge_steps(k, [Link("Ben=blue", (1, 2)), Link("Cid=red", (1,), ("Ben=blue",))]) == (
        judge_steps(k, [])
    )


def test_missing_rules_are_named() -> None:
    from deduce.logs.problem_text import parse_problem

    k = Knowledge(parse_problem(HATS.replace("Cid is red\n", 'Cid is red "one hat is red"\n')))
    chain = [Link("Ann=blue", (1,)), Link("Ben=blue", (2,), ("Ann=blue",), rules=())]
    assert judge_steps(k, chain).verdict == "right"
    lacking = judge_steps(k, [*chain, Link("Cid=red", (1,), ("Ben=blue",), rules=())])
    assert (lacking.verdict, lacking.missing) == ("does not follow", ())
    assert lacking.rules == ("one hat is red",)


def test_facts_that_state_the_same_are_the_same_claim() -> None:
    from deduce.logs.problem_text import parse_problem

    k = Knowledge(parse_problem(HATS))
    chain = [Link("Ann!=red", (1,)), Link("Ben=blue", (2,), ("Ann=blue",))]
    assert judge_steps(k, chain).step is None


def test_claims_of_every_kind_are_judged() -> None:
    from deduce.logs.problem_text import parse_problem

    k = Knowledge(parse_problem(HATS))
    chain = [Link("Ann=blue and Ben=blue", (1, 2)), Link("exactly 1 of Ben=red, Cid=red", (1,))]
    assert judge_steps(k, chain).step is None
    assert judge_steps(k, [Link("Ann=blue and Cid=red", (1,))]).missing == (2,)


def test_marks_count_as_stated_if_they_are_certain() -> None:
    from deduce.logs.problem_text import parse_problem

    k = Knowledge(parse_problem(HATS))
    chain = [Link("Cid=red", (1,), ("Ben=blue",))]
    assert judge_steps(k, chain, marks=["Ben=blue"]).step is None
    with pytest.raises(BadInput, match="the mark is not certain"):
        judge_steps(k, chain, marks=["Ben=red"])


def test_a_proof_of_a_game_is_a_chain_as_it_is_written(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("players: Ann, Ben, Cid\nme: Ann\nAnn: plum rope hall; Ben -; Cid shows rope\n")
    chain = tmp_path / "chain.json"
    chain.write_text(deduce("cluedo", "steps", "--assume", "study=ben", "--json", str(log)).stdout)
    assert deduce("judge-steps", str(chain)).stdout == "every step follows\n"


def test_the_command_reads_what_steps_writes(tmp_path: Path) -> None:
    problem = tmp_path / "hats.deduce"
    problem.write_text(HATS)
    found = json.loads(deduce("steps", str(problem), "--json").stdout)
    chain = tmp_path / "chain.jsonl"
    chain.write_text(json.dumps(found))  # the output itself is a chain
    assert deduce("judge-steps", str(chain)).stdout == "every step follows\n"
    lines = [json.dumps({"problem": HATS}), *map(json.dumps, found["steps"])]
    chain.write_text("\n".join(lines))
    done = deduce("judge-steps", str(chain), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["verdict"] == "right"
    lines[-1] = json.dumps({"claim": "Cid=red", "events": []})
    chain.write_text("\n".join(lines))
    done = deduce("judge-steps", str(chain))
    assert done.returncode == 1
    assert done.stdout.startswith(
        f"step {len(found['steps'])}: does not follow; the claim is certain"
    )


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ([], ""),
        (["{}"], ":1"),
        (['{"problem": "nonsense"}'], ":1"),
        (['{"game": "./evil.py", "log": ""}'], ":1"),
        (['{"game": "nim", "log": ""}'], ":1"),
        ([json.dumps({"problem": HATS}), '{"claim": "Ann=red", "from": ["Dan=red"]}'], ":2"),
        ([json.dumps({"problem": HATS}), '{"claim": "Ann=red", "events": [' + "9" * 5000], ":2"),
        ([json.dumps({"problem": HATS, "steps": [1]})], ":1"),
        ([json.dumps({"problem": HATS, "steps": 1})], ":1"),
        ([json.dumps({"problem": HATS}), '{"claim": "Dan=red"}'], ":2"),
        ([json.dumps({"problem": HATS}), '{"claim": "Ann=red", "events": ["1"]}'], ":2"),
        ([json.dumps({"problem": HATS}), "[1]"], ":2"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(
    lines: list[str], place: str, tmp_path: Path
) -> None:
    chain = tmp_path / "chain.jsonl"
    chain.write_text("\n".join(lines))
    done = deduce("judge-steps", str(chain), mixed=True)
    assert done.returncode == 3
    assert f"chain.jsonl{place}" in done.stdout


def test_all_small_claims_agree_with_a_list_of_all_worlds() -> None:
    random = Random(9)
    for _ in range(6):
        k = seats(random)
        for name, seat, holds in product(k.problem.domains, range(4), ("=", "!=")):
            events = tuple(random.sample(range(1, 6), random.randint(0, 3)))
            link = Link(f"{name}{holds}{seat}", events)
            right = judge_steps(k, [link]).verdict == "right"
            assert right == follows(k, link, [])


def test_the_opposite_of_all_values_is_impossible() -> None:
    knowledge = Knowledge(Problem({"Ann": ("red",)}))
    ruling = judge_steps(knowledge, [Link("Ann!=red")])
    assert (ruling.verdict, ruling.truth) == ("does not follow", "impossible")
