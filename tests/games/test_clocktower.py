"""Trouble Brewing against every deal of roles replayed night by night, logs read as lines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, factorial
from random import Random
from typing import Any

import pytest

from deduce import Budget, Knowledge
from deduce.logs.events import write_text
from games.clocktower import Clocktower
from tests.games.clocktower_brute import worlds

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gil", "Hal")


def compare(game: Clocktower, lines: Sequence[str]) -> Knowledge:
    """Return what is known after some lines, which is what all deals show."""
    left = worlds(game.players, lines, story=game.story)
    k = Knowledge(game).tell(*lines)
    assert k.is_consistent() == bool(left), (game, lines)
    if left:
        assert k.count() == len(left), (game, lines)
        total = sum(weight for _, weight in left)
        shares: dict[Any, dict[Any, Fraction]] = {}
        for world, weight in left:
            for variable, value in world.items():
                row = shares.setdefault(variable, {})
                row[value] = row.get(value, Fraction(0)) + weight / total
        found = {v: {x: p for x, p in row.items() if p} for v, row in k.posterior().items()}
        assert found == shares, (game, lines)
    return k


def test_probabilities_are_those_of_all_deals() -> None:
    """A fixed sample of 200 logs that were compared; `deduce soak` plays more."""
    random = Random(1)
    for _ in range(4):
        game = Clocktower.random_setup(random)
        log = list(game.record(game.deal(random), random))
        compare(game, write_text(game, log).splitlines()[-len(log) :])


def test_a_game_without_claims_is_counted_in_few_steps() -> None:
    """The sum over minions: seats, outsiders, the fortune teller with a herring, and poison."""
    roles = 0
    for minion, outsiders in (("baron", 2), ("poisoner", 0), ("spy", 0), ("scarlet woman", 0)):
        townsfolk = 5 - outsiders
        tellers = comb(12, townsfolk - 1) * 5 + comb(12, townsfolk)
        poisoned = 7 if minion == "poisoner" else 1
        roles += factorial(7) * comb(4, outsiders) * tellers * poisoned
    k = Knowledge(Clocktower(), engine="components", budget=Budget(steps=3_000_000))
    assert k.count() == roles


@pytest.mark.parametrize(
    ("players", "lines", "roles"),
    [
        (
            "You Aoife Tom Sula Matthew Oscar Josh",
            [
                *("You is good", "You shoots Tom, dies: yes", "Aoife counts 0 pairs"),
                *("Tom claims recluse", "Sula learns that You or Aoife is baron"),
                "Matthew learns that Aoife or Oscar is librarian",
                *("Oscar learns that there is no outsider", "Josh senses 0 evil in night 1"),
            ],
            "slayer baron recluse investigator imp drunk empath",
        ),
        (
            "You Tim Sarah Hannah Dan Anna Matt Fraser",
            [
                *("You is good", "You shoots Anna, dies: yes", "Hannah claims saint"),
                "Tim learns that You or Hannah is drunk",
                "Sarah learns that Tim or Fraser is scarlet woman",
                *("Dan counts 0 pairs", "Anna claims recluse", "Fraser senses 0 evil in night 1"),
                "Matt learns that Tim or Dan is librarian",
            ],
            "slayer librarian imp spy chef recluse washerwoman empath",
        ),
    ],
)
def test_puzzles_of_the_community_have_their_published_answers(
    players: str, lines: list[str], roles: str
) -> None:
    """Weekly puzzles 3a and 3b of u/Not_Quite_Vertical (2024)."""
    names = tuple(players.split())
    known = Knowledge(Clocktower(names)).tell(*lines).certain()
    assert " ".join(str(known.get(name)) for name in names) == roles


@pytest.mark.parametrize(
    "lines",
    [
        # The spy may register as one of the townsfolk to the virgin.
        ["Ann nominates Ben, executed: yes", "Ben claims virgin", "Ann claims chef"],
        # The imp passes itself on; with five alive, a scarlet woman must succeed.
        ["executed: nobody", "died: Ann", "Ann claims soldier", "Ben senses 1 evil in night 2"],
        # With four alive there is no scarlet woman any more: an imp is not executed by day.
        ["executed: Ann", "died: nobody", "executed: Ben", "Ann claims chef", "Ben claims monk"],
        # Poisoned in the second night only.
        ["executed: nobody", "died: Eli", "Ann senses 2 evil in night 1",
         "Ann senses 0 evil in night 2"],
    ],
)  # fmt: skip
def test_edges_of_the_rules(lines: list[str]) -> None:
    rest = [f"{p} claims {r}" for p, r in zip(NAMES, ("mayor", "monk", "chef", "slayer", "butler"),
                                              strict=False)]  # fmt: skip
    told = [line for line in rest if not any(f"{line.split()[0]} " in said for said in lines)]
    compare(Clocktower(NAMES[:5]), [*lines, *told])
