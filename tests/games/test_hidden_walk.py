"""Hidden walks against all walks, listed by following the streets one move at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from random import Random

import pytest
from attrs import evolve

from deduce import BadInput, Knowledge
from deduce.logs.events import write_text
from games.hidden_walk import HiddenWalk, Moved, streets_of

Walk = tuple[str, ...]


def walks(game: HiddenWalk, lines: list[str]) -> dict[Walk, Fraction]:
    """Return all walks that fit the lines of a log, with their weights."""
    left: dict[Walk, Fraction] = {(place,): Fraction(1) for place in game.starts or game.places}
    ways = Counter(street[0] for street in game.streets)
    for line in lines:
        if line.startswith("moves by "):
            ticket, after = line.removeprefix("moves by "), dict[Walk, Fraction]()
            for walk, weight in left.items():
                for start, end, kind in game.streets:
                    if start == walk[-1] and ticket in (kind, "any"):
                        # Two streets to one place are one walk, and twice as probable.
                        before = after.get((*walk, end), Fraction(0))
                        share = before + weight / ways[start] if game.equal_moves else weight
                        after[*walk, end] = share
            left = after
            continue
        claim, _, said = line.partition("? ")
        place, _, when = claim.removeprefix("was ").removeprefix("at ").partition(" after ")
        fits = {}
        for walk, weight in left.items():
            index = len(walk) - 1 if not when else 0 if when in ("start", "any") else int(when)
            found = place in walk if when == "any" else walk[index] == place
            if found == (said == "yes"):
                fits[walk] = weight
        left = fits
    return left


def test_answers_are_those_of_all_walks() -> None:
    random = Random(0)
    for _ in range(80):
        game = HiddenWalk.random_setup(random)
        starts = tuple(random.sample(game.places, random.randint(0, len(game.places))))
        game = evolve(game, starts=starts)
        log = list(game.record(game.deal(random), random))[: random.randint(1, 12)]
        k = Knowledge(game, log)
        left = walks(game, write_text(game, log).splitlines()[1:])
        assert k.count() == len(left)
        total = sum(left.values())
        for step, row in enumerate(k.posterior().values()):
            shares: dict[str, Fraction] = defaultdict(Fraction)
            for walk, weight in left.items():
                shares[walk[step]] += weight
            assert {p: s for p, s in row.items() if s} == {p: s / total for p, s in shares.items()}


def test_a_trace_revises_what_was_known_of_earlier_moves() -> None:
    k = Knowledge(HiddenWalk()).tell("moves by any", "moves by any")
    later = k.tell("at isle? yes")
    assert set(later.possible()["place", 0]) < set(k.possible()["place", 0])


@pytest.mark.parametrize(
    "line",
    [
        "moves by train",
        "at moon? no",
        "was at bank after dusk? no",
        "was at bank after 1? no",
        f"was at bank after {'9' * 5000}? no",
    ],
)
def test_impossible_lines_are_refused(line: str) -> None:
    with pytest.raises(BadInput):
        Knowledge(HiddenWalk()).tell(line).count()


def test_a_wrong_record_is_any_other_ticket() -> None:
    """It tells something with 29/30, and with 1/30, that of one of three wrong ones, nothing."""
    game = HiddenWalk(starts=("bank",))
    k = Knowledge(game, doubts=Fraction(1, 10)).tell("moves by bus")
    assert [slip.probability for slip in k.slips()] == [Fraction(5, 34)]
    assert game.records(k.log[0]) == 4


def test_many_moves_on_a_large_map() -> None:
    random = Random(1)
    text = "\n".join(f"{n} {n + 1}" for n in range(198))
    text += "".join(f"\n{random.randrange(199)} {random.randrange(199)}" for _ in range(250))
    game = HiddenWalk(streets_of(text))
    k = Knowledge(game, [Moved("any")] * 24)
    assert k.count() > 10**12
    assert len(k.posterior()) == 25
