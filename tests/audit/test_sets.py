"""Data sets of reasoning-gym: what their own answers and scores say agrees with the audit."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from pathlib import Path

import pytest

from deduce import BadInput, Knowledge
from deduce.audit import audit, checker
from deduce.audit.items import read_items
from deduce.audit.sets import SETS, read_set

PUZZLES = Path(__file__).parents[1] / "data" / "textarena-hard.jsonl"


def test_a_set_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadInput, match="survo"):
        list(read_set("reasoning-gym:poker"))


def test_the_puzzles_of_textarena_have_the_faults_that_the_page_names() -> None:
    verdicts: Counter[str] = Counter()
    for item in read_items(str(PUZZLES)):
        things, people = [*item.problem.domains], ("Alice", "Bob", "Charlie")
        pairs = product(permutations(people), repeat=2)
        worlds = [dict(zip(things, (*one, *two), strict=True)) for one, two in pairs]
        clues = [piece.constraint for piece in item.problem.evidence]
        right = [w for w in worlds if all(item.problem.satisfied(c, w) for c in clues)]
        stated = [all(item.problem.satisfied(c, w) for c in item.answer) for w in right]
        verdicts["not unique" if any(stated) else "wrong"] += len(right) > 1
        assert audit(item, deep=False).answer == ("not unique" if any(stated) else "wrong")
    assert verdicts == {"not unique": 12, "wrong": 3}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in SETS if name != "sudoku"])
def test_items_of_each_set_are_read_and_their_certificates_verified(name: str) -> None:
    pytest.importorskip("reasoning_gym")
    for item in read_set(f"reasoning-gym:{name}:2:1"):
        found = audit(item)
        line = {**item.to_json(), "found": found.to_json(), "proof": found.proof}
        assert found.proof is None or not checker.verify(line), item.name
        if found.answer == "right":
            assert all(map(Knowledge(item.problem).is_certain, item.answer))


@pytest.mark.filterwarnings("ignore")
def test_contradictory_premises_pay_for_a_contradiction() -> None:
    gym = pytest.importorskip("reasoning_gym")
    entries = gym.create_dataset("propositional_logic", size=60, seed=1)
    for entry, item in zip(
        entries, read_set("reasoning-gym:propositional_logic:60:1"), strict=True
    ):
        name = entry["metadata"]["variables"][0]
        pays = entries.score_answer(f"({name} ∧ ¬{name})", entry) == 1.0
        assert pays == (audit(item, deep=False).answer == "contradiction")


@pytest.mark.filterwarnings("ignore")
def test_every_solution_of_a_cryptarithm_is_paid() -> None:
    gym = pytest.importorskip("reasoning_gym")
    entries = gym.create_dataset("cryptarithm", size=10, seed=1)
    for entry, item in zip(entries, read_set("reasoning-gym:cryptarithm:10:1"), strict=True):
        found = audit(item, deep=False)
        assert found.answer in ("right", "not unique")
        for world in found.worlds:
            given = ",".join(f"{letter}={digit}" for letter, digit in world.items())
            assert entries.score_answer(given, entry) == 1.0
