"""Zebra puzzles: people in a row of houses, each with a drink, a pet and a colour."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Any

from attrs import frozen

from deduce import BadInput, Fact, Knowledge, is_
from deduce.constraints import Constraint, Where
from deduce.line_game import Line, LineGame
from deduce.logic import adjacent, before
from deduce.problem import Problem, Rule, World, permutation
from deduce.steps.puzzle import grade

THINGS = {
    "people": ("Ann", "Ben", "Cid", "Dot", "Eli"),
    "drink": ("tea", "milk", "juice", "coffee", "water"),
    "pet": ("zebra", "dog", "snail", "fox", "horse"),
    "colour": ("red", "green", "blue", "ivory", "yellow"),
}
"""What is in the houses, by kind."""
RELATIONS = ("same", "next", "before", "not")
SAYS = {
    "same": "{a} is in the house of {b}",
    "next": "{a} is next to {b}",
    "before": "{a} is somewhere to the left of {b}",
    "not": "{a} is not in the house of {b}",
}
GRADES = {1: (1, 2), 2: (2,), 3: (4, 5)}
"""How hard the puzzles of each level are, by `deduce.steps.puzzle`: no clue counts, so none has
grade 3."""


class Clue(Line, template="{first} {relation} {second}"):
    """How the houses of two things compare: ``same``, ``next``, ``before`` or ``not``."""

    first: str
    relation: str
    second: str


class House(Line, template="{first}: {number}"):
    """The house of a thing, from 1."""

    first: str
    number: int


@frozen
class Zebra(LineGame):
    """Zebra puzzles: in each house of a row is one thing of each kind; find all houses.

    The kinds are people, drinks, pets and colours. A line of a log is a clue: ``Ann same tea`` (in
    the same house), ``Ann next tea`` (side by side), ``Ann before tea`` (somewhere to the left),
    ``Ann not tea`` (in different houses), or ``Ann: 1``, counted from the left.

    The rules are those of this docstring.

    Examples
    --------
    >>> k = Knowledge(Zebra(3, 2)).tell("Ann before Ben", "Cid: 2", "Ben same milk")
    >>> k.certain()["milk"]
    3
    """

    name = "zebra"
    events = (Clue, House)

    houses: int = 4
    kinds: int = 3

    def __attrs_post_init__(self) -> None:
        """Refuse sizes for which there are no names."""
        if not (2 <= self.houses <= 5 and 1 <= self.kinds <= len(THINGS)):
            raise BadInput(f"a zebra puzzle has 2 to 5 houses and 1 to {len(THINGS)} kinds")

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the things by kind."""
        return {kind: THINGS[kind][: self.houses] for kind in [*THINGS][: self.kinds]}

    def _parts(self) -> Iterator[Problem]:
        return (permutation(names, range(1, self.houses + 1)) for names in self.groups().values())

    def variables(self) -> Mapping[str, Sequence[int]]:
        """Return the things, each with the houses where it can be."""
        houses = tuple(range(1, self.houses + 1))
        return {name: houses for names in self.groups().values() for name in names}

    def rules(self) -> Iterator[Rule]:
        """Yield that no two things of a kind are in one house."""
        for part in self._parts():
            yield from part.rules

    def fields(self, kind: type) -> Mapping[str, Collection[Any]]:
        """Return the things, relations and houses that there are."""
        things, houses = dict.fromkeys(("first", "second"), self.variables()), self.houses
        return {"relation": RELATIONS, "number": range(1, houses + 1), **things}

    def check(self, event: Clue | House) -> None:
        """Refuse what there is not, and a clue about one thing."""
        super().check(event)
        if isinstance(event, Clue) and event.first == event.second:
            raise BadInput("a clue is about two things")

    def sentence(self, event: Clue | House) -> str:
        """Return what an event states, in words."""
        if isinstance(event, House):
            return f"{event.first} is in house {event.number}"
        return SAYS[event.relation].format(a=event.first, b=event.second)

    def means(self, event: Clue | House, log: Sequence[Clue | House]) -> Iterator[Constraint]:
        """Yield what a clue states."""
        match event:
            case House(first, number):
                yield is_(first, number)
            case Clue(first, "before", second):
                yield before(first, second)
            case Clue(first, "next", second):
                yield adjacent(first, second)
            case Clue(first, relation, second):
                yield Where((first, second), _Same(relation == "same"))

    def records(self, event: Clue | House) -> int:
        """Return how many houses or relations could have been recorded."""
        return self.houses if isinstance(event, House) else len(RELATIONS)

    def clues(self, world: World) -> Iterator[Clue | House]:
        """Yield all clues that are true, but that things are in different houses."""
        for a, b in combinations(world, 2):
            if world[a] == world[b]:
                yield Clue(a, "same", b)
            if abs(world[a] - world[b]) == 1:
                yield Clue(a, "next", b)
        for a, b in permutations(world, 2):
            if world[a] < world[b]:
                yield Clue(a, "before", b)
        yield from (House(name, house) for name, house in world.items())

    def record(self, world: World, random: Random) -> list[Clue | House]:
        """Return some clues that are true."""
        clues = list(self.clues(world))
        return random.sample(clues, random.randint(1, min(8, len(clues))))

    @classmethod
    def staged(cls, level: int, random: Random) -> "Zebra":
        """Return three, four or five houses."""
        return cls(level + 2, 3)

    def opening(self, world: World, random: Random) -> Sequence[Clue | House]:
        """Return clues with one solution, of which none can be dropped, as hard as the level says.

        Of some puzzles for the same world the first of the right grade is taken, else the last.
        """
        for _ in range(30):
            clues = list(self.clues(world))
            random.shuffle(clues)
            clues.sort(key=lambda clue: isinstance(clue, House))
            known = Knowledge(self)
            for clue in clues:
                if known.count() == 1:
                    break
                if (more := known.tell(clue)).count() < known.count():
                    known = more
            kept = list(known.log)
            for clue in known.log:
                fewer = [each for each in kept if each is not clue]
                if Knowledge(self, fewer).count() == 1:
                    kept = fewer
            answers = [Fact(name, [house]) for name, house in world.items()]
            if grade(Knowledge(self, kept), answers).level in GRADES[self.houses - 2]:
                break
        return kept


@frozen
class _Same:
    """Whether two things are in the same house, or are not."""

    same: bool

    def __call__(self, a: int, b: int) -> bool:
        return (a == b) == self.same
