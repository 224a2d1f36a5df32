"""Battleship against all layouts, which are listed as sets of coordinates and shot at as told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import log2
from random import Random

import pytest

from deduce import BadInput, Knowledge, Unsupported
from deduce.policy import best_plan
from deduce.show.sheet import grid_of, knowledge_sheet
from games.battleship import Battleship, Shoot, Shot

Cell = tuple[int, int]
Layout = Mapping[str, frozenset[Cell]]


def too_near(a: Cell, b: Cell, touching: str) -> bool:
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    if touching == "anywhere":
        return dx + dy == 0
    return dx + dy <= 1 if touching == "corners" else max(dx, dy) <= 1


def named(cell: Cell) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[cell[0]] + str(cell[1] + 1)


def layouts(game: Battleship, names: list[str]) -> Iterator[Layout]:
    """Yield every layout."""
    boards = []
    for length in game.fleet:
        every = set()
        for x, y in product(range(game.width), range(game.height)):
            for line in ([(x + i, y) for i in range(length)], [(x, y + i) for i in range(length)]):
                if line[-1][0] < game.width and line[-1][1] < game.height:
                    every.add(frozenset(line))
        boards.append(sorted(every, key=sorted))
    for chosen in product(*boards):
        if not any(
            too_near(a, b, game.touching)
            for i, one in enumerate(chosen)
            for other in chosen[:i]
            for a in one
            for b in other
        ):
            yield dict(zip(names, chosen, strict=True))


def told(game: Battleship, layout: Layout, shots: list[str]) -> list[str]:
    """Play the shots against a layout, ticking off cells, and return what is announced."""
    afloat = {ship: set(map(named, cells)) for ship, cells in layout.items()}
    answers = []
    for shot in shots:
        answer = "miss"
        for ship, cells in afloat.items():
            if shot in cells:
                cells.remove(shot)
                said = ship if game.announced == "name" else str(len(layout[ship]))
                quiet = cells or game.announced == "nothing"
                answer = "hit" if quiet else f"sunk {said}"
        answers.append(answer)
    return answers


def place(cells: frozenset[Cell]) -> str:
    ends = [named(min(cells)), named(max(cells))]
    return ends[0] if ends[0] == ends[1] else "-".join(ends)


def test_answers_are_those_of_all_layouts() -> None:
    random, kinds = Random(5), Counter[str]()
    for _ in range(36):
        if len(kinds) == 9:
            break
        game = Battleship.random_setup(random)
        names = list(game.variables())
        everything = list(layouts(game, names))
        if not everything:
            assert Knowledge(game).count() == 0
            continue
        layout = random.choice(everything)
        cells = [named(cell) for cell in product(range(game.width), range(game.height))]
        shots = random.sample(cells, random.randint(0, min(8, len(cells) - 1)))
        answers = told(game, layout, shots)
        k = Knowledge(game).tell(*(f"{c}: {a}" for c, a in zip(shots, answers, strict=True)))
        left = [other for other in everything if told(game, other, shots) == answers]
        kinds[f"{game.touching} {game.announced}"] += 1
        assert k.count() == len(left)
        for ship, row in k.posterior().items():
            counts = Counter(place(other[str(ship)]) for other in left)
            assert {p: s for p, s in row.items() if s} == {
                p: Fraction(n, len(left)) for p, n in counts.items()
            }
        sheet = knowledge_sheet(k, grid_of(k))
        covered = [{named(c) for ship in other.values() for c in ship} for other in left]
        for row_ in sheet.rows:
            for column, cell in zip(sheet.head[1:], row_.cells, strict=True):
                number = sum(column + row_.head in cells for cells in covered)
                share = Fraction(number, len(left))
                assert cell.certain == (share == 1), (game, k.log, column, row_.head)
                assert (cell.text == "no") == (share == 0)
                assert cell.strength is None or cell.strength == share
        for rated in k.advise().ranking[::8]:
            inquiry = rated.inquiry
            assert isinstance(inquiry, Shoot)
            after = Counter(told(game, other, [*shots, inquiry.cell])[-1] for other in left)
            assert {o.answer: o.probability for o in rated.outcomes} == {
                answer: Fraction(n, len(left)) for answer, n in after.items()
            }
            assert {o.answer: o.worlds for o in rated.outcomes} == after
            bits = -sum(n / len(left) * log2(n / len(left)) for n in after.values())
            assert rated.gain_bits == pytest.approx(bits, abs=1e-6)
    assert len(kinds) == 9


@pytest.mark.parametrize(
    ("touching", "layouts_"),
    [("nowhere", 3_851_502_784)],
)
def test_layouts_of_the_standard_fleet(touching: str, layouts_: int) -> None:
    """The numbers of two other programs (tests/benchmarks/walls_of_choices.py)."""
    pytest.importorskip("numpy")
    assert Knowledge(Battleship(touching=touching)).count() == layouts_


def test_many_hits_of_ships_of_different_lengths_are_counted() -> None:
    """Ships of lengths that differ are an order to the sweep, in which they took 20 s."""
    pytest.importorskip("numpy")
    k = Knowledge(Battleship()).tell(
        *("e5: miss", "f6: hit", "g6: miss", "f5: hit", "f7: sunk submarine", "d4: miss"),
        *("h4: miss", "d8: miss", "e9: miss", "c6: miss", "b7: hit"),
    )
    assert k.count() == 8_721_635
    assert k.advise().method == "joint"


def test_a_name_and_a_length_are_understood_whatever_is_announced() -> None:
    k = Knowledge(Battleship(3, 1, (2, 1))).tell("a1: hit")
    assert k.tell("b1: sunk 2").certain() == {"destroyer": "a1-b1", "boat": "c1"}
    assert k.tell("b1: sunk destroyer").log[-1] == Shot("b1", "sunk destroyer")


def test_a_wrong_record_is_any_other_answer() -> None:
    """It tells something with 19/20, and with 1/20, that of one of two wrong answers, nothing."""
    k = Knowledge(Battleship(3, 1, (2,)), doubts=Fraction(1, 10)).tell("a1: hit")
    assert [slip.probability for slip in k.slips()] == [Fraction(2, 21)]


@pytest.mark.parametrize(
    "settings", [{"width": 0}, {"width": 27}, {"fleet": ()}, {"fleet": (11,)}, {"touching": "yes"}]
)
def test_boards_that_cannot_be_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Battleship(**settings)  # type: ignore[arg-type]


def test_random_boards_have_room_for_their_ships() -> None:
    boards = [Battleship.random_setup(Random(seed)) for seed in range(200)]
    assert all(Knowledge(board).is_consistent() for board in boards)


def test_a_plan_is_refused_where_answers_depend_on_earlier_ones() -> None:
    with pytest.raises(Unsupported, match="could be asked from the start"):
        best_plan(Knowledge(Battleship(3, 2, (2,))))
