"""Zebra puzzles: people in a row of houses, each with a drink, a pet and a colour."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random

from attrs import frozen

from deduce import BadInput, Evidence, Fact, Knowledge, is_
from deduce.logic import adjacent, before
from deduce.problem import Problem, Rule, World, permutation
from deduce.steps.grading import grade
from deduce.system.text import check_known

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
"""How hard the puzzles of each level are, by `deduce.steps.grading`: no clue counts, so none has
grade 3."""


@frozen
class Clue:
    """How the houses of two things compare: ``same``, ``next``, ``before`` or ``not``."""

    template = "{first} {relation} {second}"

    first: str
    relation: str
    second: str


@frozen
class House:
    """The house of a thing, from 1."""

    template = "{first}: {number}"

    first: str
    number: int


@frozen
class Zebra:
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

    def check(self, event: Clue | House) -> None:
        """Refuse things, relations and houses that there are not."""
        check_known("thing", event.first, self.variables())
        if isinstance(event, House):
            if not 1 <= event.number <= self.houses:
                raise BadInput(f"the houses are 1 to {self.houses}, not {event.number}")
            return
        check_known("thing", event.second, self.variables())
        check_known("relation", event.relation, RELATIONS)
        if event.first == event.second:
            raise BadInput("a clue is about two things")

    def evidence(self, log: Sequence[Clue | House], viewer: object) -> Iterator[Evidence]:
        """Yield what each clue states."""
        from deduce.constraints import Where

        for number, event in enumerate(log, start=1):
            a = event.first
            if isinstance(event, House):
                yield Evidence(is_(a, event.number), number, f"{a} is in house {event.number}")
                continue
            b = event.second
            sentence = SAYS[event.relation].format(a=a, b=b)
            if event.relation in ("same", "not"):
                same = event.relation == "same"
                yield Evidence(Where((a, b), _Same(same)), number, sentence)
            else:
                rule = before(a, b) if event.relation == "before" else adjacent(a, b)
                yield Evidence(rule, number, sentence)

    def records(self, event: Clue | House) -> int:
        """Return how many houses or relations could have been recorded."""
        return self.houses if isinstance(event, House) else len(RELATIONS)

    def deal(self, random: Random) -> World:
        """Return random houses."""
        houses = range(1, self.houses + 1)
        rows = [dict(zip(names, random.sample(houses, self.houses), strict=True))
                for names in self.groups().values()]  # fmt: skip
        return {name: house for row in rows for name, house in row.items()}

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
