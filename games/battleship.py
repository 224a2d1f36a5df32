"""Battleship: where are the ships, and where to shoot next; any board and fleet."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from random import Random

from attrs import frozen

from deduce import BadInput, Count, Fact, Knowledge
from deduce.constraints import Disjoint
from deduce.line_game import Line, LineGame
from deduce.logic import disjoint
from deduce.problem import World, straight_lines
from deduce.system.registry import Registration

NAMES = ("boat", "destroyer", "cruiser submarine", "battleship", "carrier")
"""The names of ships by length, as far as they go."""
TOUCHING = {
    "anywhere": ((0, 0),),
    "corners": ((-1, 0), (1, 0), (0, -1), (0, 1)),
    "nowhere": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
}
"""Where ships may touch, with the points of a cell, its centre being (0, 0), that they may not have
in common: the centre; the middles of the sides; the corners."""
ANNOUNCED = ("name", "length", "nothing")
"""What is announced of a ship that is sunk."""
SUNK = "sunk "


class Shot(Line, template="{cell}: {answer}"):
    """A shot: ``miss``, ``hit``, or ``sunk`` with the name or the length of the ship."""

    cell: str
    answer: str


@frozen
class Shoot:
    """A shot that can be fired, and the cells that were hit before."""

    cell: str
    hits: frozenset[str]


@frozen
class Battleship(LineGame):
    """Battleship: ships are hidden on a board, and found by shooting at cells.

    A ship covers cells in a row or in a column, and no two ships have a cell in common. Where they
    may touch is a setting: ``anywhere``; only at ``corners``; or ``nowhere``. A line of a log is a
    shot and its answer: ``b3: miss``, ``b3: hit``, or with the last cell of a ship ``b3: sunk``
    and its name or its length, as in ``b3: sunk cruiser`` or ``b3: sunk 3``. A hit means that the
    ship is not sunk yet, unless ``announced`` is ``nothing``.

    The ``fleet`` is the lengths of the ships, one word for each. Ships of equal length have
    different names and count as different: there are 30,093,975,536 layouts of the standard fleet,
    although two that only exchange its ships of length 3 look the same.

    Every layout is equally likely: how people like to place ships is not taken into account. With
    more than five ships on a large board, numbers may remain undecided.

    Not checked against a rule book: published editions differ in the fleet, in what is announced,
    and in whether ships may touch.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(Battleship(3, 3, (3, 2))).tell("b2: miss", "a1: hit", "c3: hit")
    >>> k.count()
    8
    """

    name = "battleship"
    summary = "Battleship: where are the ships, and where to shoot next; any board and fleet"
    events = (Shot,)

    width: int = 10
    height: int = 10
    fleet: tuple[int, ...] = (5, 4, 3, 3, 2)
    touching: str = "anywhere"
    announced: str = "name"

    def __attrs_post_init__(self) -> None:
        """Refuse boards and fleets that cannot be."""
        if not (1 <= self.width <= 26 and 1 <= self.height <= 99):
            raise BadInput("the board has 1 to 26 columns and 1 to 99 rows")
        if not self.fleet or {*self.fleet}.difference(range(1, max(self.width, self.height) + 1)):
            raise BadInput("each ship of the fleet has a length from 1 to that of the board")
        if self.touching not in TOUCHING:
            raise BadInput(f"ships may touch {', '.join(TOUCHING)}, not {self.touching!r}")
        if self.announced not in ANNOUNCED:
            raise BadInput(f"announced is name, length or nothing, not {self.announced!r}")

    def places(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """Return for each ship where it can be: the names of places, with their cells."""
        fleet = ships(self.fleet).items()
        return {ship: straight_lines(self.width, self.height, length) for ship, length in fleet}

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return what is hidden: the place of each ship, by its first and last cell."""
        return {ship: list(fits) for ship, fits in self.places().items()}

    def rules(self) -> Iterator[Disjoint]:
        """Yield that ships have no point in common that they may not touch at."""
        points = {
            place: {(2 * ord(c[0]) + x, 2 * int(c[1:]) + y) for c in cells for x, y in corners}
            for corners in [TOUCHING[self.touching]]
            for fits in self.places().values()
            for place, cells in fits.items()
        }
        yield disjoint(list(self.places()), points)

    def fields(self, kind: type) -> Mapping[str, Sequence[str]]:
        """Return the cells, and what a shot may be answered."""
        sunk = [SUNK + name for ship in ships(self.fleet).items() for name in map(str, ship)]
        board = list(straight_lines(self.width, self.height, 1))
        return {"cell": board, "answer": ["miss", "hit", *sunk]}

    def facts(self, cell: str, hits: frozenset[str], answer: str) -> list[Fact]:
        """Return the facts of which one holds if a shot after some hits is answered so.

        For a miss they are those of which none holds.
        """
        sunk = answer.removeprefix(SUNK) if answer.startswith(SUNK) else ""
        afloat = answer == "hit" and self.announced != "nothing"
        return [
            Fact(ship, where)
            for ship, fits in self.places().items()
            if sunk in ("", ship, str(ships(self.fleet)[ship]))
            if (where := [p for p, cells in fits.items() if cell in cells
                if not (sunk or afloat) or (hits | {cell} >= cells) == bool(sunk)])
        ]  # fmt: skip

    def means(self, event: Shot, log: Sequence[Shot]) -> Iterator[Count]:
        """Yield what an answer states."""
        low = int(event.answer != "miss")
        yield Count(self.facts(event.cell, hits_of(log), event.answer), low, low)

    def records(self, event: Shot) -> int:
        """Return how many answers could have been recorded."""
        return 2 + len({*self.sinks().values()})

    def inquiries(self, log: Sequence[Shot], viewer: object) -> Iterator[Shoot]:
        """Yield the cells that were not shot at."""
        hits, shot = hits_of(log), {event.cell for event in log}
        board = straight_lines(self.width, self.height, 1)
        yield from (Shoot(cell, hits) for cell in board if cell not in shot)

    def answer_facts(self, inquiry: Shoot) -> Mapping[str, Sequence[Fact] | None]:
        """Return for each answer the facts of which one then holds; a miss is what is left."""
        hit = ("hit", *self.sinks().values())
        return {"miss": None} | {a: self.facts(inquiry.cell, inquiry.hits, a) for a in hit}

    def sinks(self) -> Mapping[str, str]:
        """Return what is answered to the last hit of each ship, where that is announced."""
        said = ANNOUNCED.index(self.announced)
        return {s[0]: SUNK + str(s[said]) for s in ships(self.fleet).items() if said < len(s)}

    def answer(self, inquiry: Shoot, world: World) -> str:
        """Return what a shot is answered."""
        for ship, place in world.items():
            cells = self.places()[ship][place]
            if inquiry.cell in cells:
                sunk = cells <= inquiry.hits | {inquiry.cell}
                return self.sinks().get(ship, "hit") if sunk else "hit"
        return "miss"

    def ends(self, inquiry: Shoot, answer: str) -> bool:
        """Return whether the last ship was sunk."""
        return answer != "miss" and len(inquiry.hits | {inquiry.cell}) == sum(self.fleet)

    def event_of(self, inquiry: Shoot, answer: str) -> Shot:
        """Return the event of a shot and its answer."""
        return Shot(inquiry.cell, answer)

    def format_inquiry(self, inquiry: Shoot) -> str:
        """Return the cell."""
        return inquiry.cell

    def shown_cells(self, log: Sequence[Shot]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the board, each cell with the facts that a ship is on it."""
        board: dict[str, dict[str, Sequence[Fact]]] = {
            str(y): {} for y in range(1, self.height + 1)
        }
        for cell in straight_lines(self.width, self.height, 1):
            board[cell[1:]][cell[0]] = self.facts(cell, frozenset(), "miss")
        return board

    @classmethod
    def random_setup(cls, random: Random) -> "Battleship":
        """Return a small board with a few ships, for which there is always room."""
        fleet = tuple(random.randint(1, 3) for _ in range(random.randint(1, 3)))
        size = random.randint(3, 5), random.randint(2 * len(fleet) - 1, 5)
        return cls(*size, fleet, random.choice(list(TOUCHING)), random.choice(ANNOUNCED))

    @classmethod
    def puzzle_setup(cls, random: Random) -> "Battleship":
        """Return a small board: of larger ones few deals become a puzzle."""
        return cls(5, 5, (3, 2), random.choice(list(TOUCHING)))

    @classmethod
    def staged(cls, level: int, random: Random) -> "Battleship":
        """Return 5x5 cells with ships of 3 and 2, 6x6 with one more, or 8x8 with 2, 3, 4 and 5."""
        return cls(*((5, 5, (3, 2)), (6, 6, (3, 2, 2)), (8, 8, (5, 4, 3, 2)))[level - 1])

    def favourite(self, knowledge: Knowledge) -> Shoot:
        """Return the shot that hits most probably."""
        shares = knowledge.posterior()

        def hit(shot: Shoot) -> Fraction:
            hits = self.facts(shot.cell, frozenset(), "miss")
            places = [shares[fact.variable].get(place) for fact in hits for place in fact.values]
            return sum(filter(None, places), Fraction(0))

        return max(self.inquiries(knowledge.log, None), key=hit)


def hits_of(log: Sequence[Shot]) -> frozenset[str]:
    """Return the cells that were hit."""
    return frozenset(event.cell for event in log if event.answer != "miss")


@cache
def ships(fleet: tuple[int, ...]) -> Mapping[str, int]:
    """Return the ships of a fleet by name, with their lengths.

    >>> ships((5, 3, 3, 3))
    {'carrier': 5, 'cruiser': 3, 'submarine': 3, 'submarine 2': 3}
    """
    lengths: dict[str, int] = {}
    for length in fleet:
        known = NAMES[length - 1].split() if length <= len(NAMES) else [f"ship {length}"]
        names = (*known, *(f"{known[-1]} {n}" for n in range(2, len(fleet) + 1)))
        lengths[next(name for name in names if name not in lengths)] = length
    return lengths


REGISTRATION = Registration.of(Battleship, "games.examples", fact="submarine=f5-f7")
