"""Planet X against all skies, which are listed object by object, and logs read as lines of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from deduce import BadInput, Knowledge
from deduce.logs.events import write_text
from games.planet_x import PlanetX

Sky = tuple[str, ...]


def is_prime(number: int) -> bool:
    return number in (2, 3, 5, 7, 11, 13, 17, 19, 23)


@cache
def skies(game: PlanetX) -> Sequence[Sky]:
    return [tuple(name for _, name in sorted(sky.items())) for sky in placed(game)]


def placed(game: PlanetX) -> Iterator[dict[int, str]]:
    """Yield every sky, from the sector with number 0 on: what is there, by number."""
    n, everywhere = game.sectors, set(range(game.sectors))
    for dwarfs in combinations(range(n), game.dwarf_planets):
        spans = [max((d - s) % n for d in dwarfs) + 1 for s in dwarfs]
        if game.band and min(spans) != game.band:
            continue
        for comets in combinations(sorted(everywhere - {*dwarfs}), game.comets):
            if not all(is_prime(c + 1) for c in comets):
                continue
            free = everywhere - {*dwarfs, *comets}
            for asteroids in combinations(sorted(free), game.asteroids):
                if any({(a + 1) % n, (a - 1) % n}.isdisjoint(asteroids) for a in asteroids):
                    continue
                left = free - {*asteroids}
                for x in left:
                    if {(x + 1) % n, (x - 1) % n}.intersection(dwarfs):
                        continue
                    for clouds in combinations(sorted(left - {x}), game.gas_clouds):
                        empty = left - {x, *clouds}
                        if any({(g + 1) % n, (g - 1) % n}.isdisjoint(empty) for g in clouds):
                            continue
                        yield {
                            **dict.fromkeys(dwarfs, "dwarf planet"),
                            **dict.fromkeys(comets, "comet"),
                            **dict.fromkeys(asteroids, "asteroid"),
                            **dict.fromkeys(clouds, "gas cloud"),
                            **dict.fromkeys(empty, "empty"),
                            x: "Planet X",
                        }


def looks(kind: str) -> str:
    return "empty" if kind == "Planet X" else kind


def agrees(sky: Sky, line: str) -> bool:
    """Return whether a line of a log is true of a sky."""
    n = len(sky)
    if found := re.fullmatch(r"survey (\d+)-(\d+) for (.+): (\d+)", line):
        sector, last = int(found[1]) - 1, int(found[2]) - 1
        seen = [looks(sky[sector])]
        while sector != last:
            sector = (sector + 1) % n
            seen.append(looks(sky[sector]))
        return seen.count(found[3]) == int(found[4])
    if found := re.fullmatch(r"target (\d+): (.+)", line):
        return looks(sky[int(found[1]) - 1]) == found[2]
    if found := re.fullmatch(r"(\d+) is not (.+)", line):
        return sky[int(found[1]) - 1] != found[2]
    if found := re.fullmatch(r"locate (\d+) between (.+) and (.+): (yes|no)", line):
        middle = int(found[1]) - 1
        around = (sky[middle - 1], sky[middle], sky[(middle + 1) % n])
        return (around == (found[2], "Planet X", found[3])) == (found[4] == "yes")
    if found := re.fullmatch(r"research: all (.+) in a band of (\d+)", line):
        where = [s for s in range(n) if sky[s] == found[1]]
        return not where or min(max((d - s) % n for d in where) for s in where) < int(found[2])
    found = re.fullmatch(r"research: (every|some|no) (.+) (?:within (\d+) of|opposite) (.+)", line)
    assert found, line
    has = []
    for one in (s for s in range(n) if sky[s] == found[2]):
        apart = {other: min((one - other) % n, (other - one) % n) for other in range(n)}
        if found[3]:
            near = [other for other in range(n) if 0 < apart[other] <= int(found[3])]
        else:
            near = [other for other in range(n) if 2 * apart[other] == n]
        has.append(any(sky[other] == found[4] for other in near))
    return {"every": all(has), "some": any(has), "no": not any(has)}[found[1]]


def expected(game: PlanetX, log: Any) -> tuple[int, dict[str, dict[str, Fraction]]]:
    """Return the number of skies that agree with a log, and the share of each value."""
    lines = write_text(game, log).splitlines()[-len(log) :] if log else []
    left = [sky for sky in skies(game) if all(agrees(sky, line) for line in lines)]
    return len(left), {
        str(number): {k: Fraction(times, len(left)) for k, times in Counter(kinds).items()}
        for number, kinds in enumerate(zip(*left, strict=True), start=1)
    }


def test_the_numbers_of_set_ups() -> None:
    assert len(skies(PlanetX())) == Knowledge(PlanetX()).count() == 4446


def test_probabilities_are_those_of_all_skies() -> None:
    random = Random(5)
    for number in range(9):
        game = PlanetX() if number % 4 == 0 else PlanetX.random_setup(random)
        log = tuple(game.record(game.deal(random), random))
        log = log[: random.randint(1, len(log))]
        k = Knowledge(game, log)
        count, shares = expected(game, log)
        assert k.count() == count, log
        posterior = k.posterior()
        for sector in game.sky:
            row = {kind: p for kind, p in posterior[sector].items() if p}
            assert row == shares[sector], (log, sector)


@pytest.mark.parametrize(
    "line",
    [
        "research: all asteroid in a band of 5",
        "research: every gas cloud within 2 of comet",
        "research: no comet opposite asteroid",
        "research: some asteroid within 1 of dwarf planet",
        "locate 12 between asteroid and empty: no",
        "locate 1 between comet and gas cloud: yes",
        "survey 10-2 for empty: 2",
    ],
)
def test_each_kind_of_line_leaves_the_skies_of_which_it_is_true(line: str) -> None:
    k = Knowledge(PlanetX()).tell(line)
    assert k.count() == sum(agrees(sky, line) for sky in skies(PlanetX()))


def test_planet_x_appears_empty() -> None:
    k = Knowledge(PlanetX()).tell("target 1: empty")
    assert "Planet X" in k.possible()["1"]
    assert PlanetX().answer(("?", "1"), dict.fromkeys("1", "Planet X")) == "empty"


@pytest.mark.parametrize(
    "setup",
    [
        {"sectors": 5},
        {"asteroids": 9},
        {"comets": -1},
        {"band": 3},
        {"dwarf_planets": 3, "band": 5},
    ],
)
def test_a_sky_that_cannot_be_is_refused(setup: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        PlanetX(**setup)


def test_what_is_told_at_first_is_equally_likely_in_all_skies() -> None:
    """Otherwise the posterior of an episode would have to weigh skies by it."""
    game, random = PlanetX(6, 2, 1, 0, 1), Random(3)
    world = game.deal(random)
    told = Counter(clue for _ in range(3000) for clue in game.opening(world, random))
    true = [(s, k) for s in game.sky for k in ("asteroid", "comet", "dwarf planet", "gas cloud")
            if world[s] != k]  # fmt: skip
    assert {(clue.sector, clue.kind) for clue in told} == set(true)
    expected = 3000 / len(true)
    assert sum((n - expected) ** 2 / expected for n in told.values()) < 2.2 * len(true)
