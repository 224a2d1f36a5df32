"""Data sets of reasoning-gym: what their own answers and scores say agrees with the audit."""

from __future__ import annotations

import pytest

from deduce import BadInput, Knowledge
from deduce.audit import audit, checker
from deduce.audit.sets import SETS, read_set


def test_a_set_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadInput, match="survo"):
        list(read_set("reasoning-gym:poker"))


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
