"""The Search for Planet X: what is in each sector of the sky, and what to survey next."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, ClassVar, TypeAlias

from attrs import evolve, frozen

from deduce import BadInput, Evidence, number_of
from deduce.constraints import Constraint, Count, Fact, Number, Where, exactly, is_, is_not
from deduce.line_game import Line, LineGame
from deduce.logic import all_of, any_of, implies, negation
from deduce.problem import Rule, World
from deduce.system.registry import Registration

X, EMPTY = "Planet X", "empty"
DWARF, BAND = "dwarf planet", "band"
QUANTITIES = ("every", "some", "no")


class Survey(Line, template="survey {first}-{last} for {kind}: {number}"):
    """How many objects of a kind are in the sectors from one to another, as numbers go up."""

    first: str
    last: str
    kind: str
    number: int


class Target(Line, template="target {sector}: {kind}"):
    """What one sector shows; a sector with Planet X appears empty."""

    sector: str
    kind: str


class Clue(Line, template="{sector} is not {kind}"):
    """What a sector has not, as each player learns when the game begins."""

    sector: str
    kind: str


class Research(Line, template="research: {quantity} {kind} within {distance} of {other}"):
    """Whether every, some or no object of a kind has one of another kind so near."""

    quantity: str
    kind: str
    distance: int
    other: str


class Opposite(Line, template="research: {quantity} {kind} opposite {other}"):
    """Whether every, some or no object of a kind has one of another kind opposite."""

    quantity: str
    kind: str
    other: str


class Band(Line, template="research: all {kind} in a band of {size}"):
    """All objects of a kind are in this number of consecutive sectors."""

    kind: str
    size: int


class Locate(Line, template="locate {sector} between {before} and {after}: {right}"):
    """An attempt to locate Planet X, with what is in the sectors before and after it."""

    sector: str
    before: str
    after: str
    right: bool


Event: TypeAlias = Survey | Target | Clue | Research | Opposite | Band | Locate


@frozen
class PlanetX(LineGame):
    """The Search for Planet X: one object or none in each sector of a circle, by rules of logic.

    Each asteroid is next to another one. Comets are in sectors whose number is prime. Each gas
    cloud is next to a sector that is empty, without Planet X. Planet X is not next to a dwarf
    planet. If ``band`` is not 0, the dwarf planets are in exactly this number of sectors in a row,
    with one at each end; ``band`` is the sector where it begins. All set-ups that obey these rules
    are equally likely. The standard game has 12 sectors; the expert game is ``PlanetX(18, 4, 2, 4,
    2, 6)``.

    Lines of a log: ``survey 3-8 for gas cloud: 1``, ``target 5: comet``, ``7 is not asteroid``;
    ``locate 4 between comet and empty: no``. To surveys and targets, Planet X appears ``empty``;
    elsewhere ``empty`` is a sector without anything. Research is written as ``research: no comet
    within 1 of gas cloud`` (1 is next to it; also with ``every`` or ``some``), ``research: some
    comet opposite empty`` or ``research: all gas cloud in a band of 5`` (or fewer). A log contains
    the knowledge of one player.

    ``advise`` ranks surveys of up to half of the sky and targets by the information they give, not
    by the time they take, and does not know which half is visible. Surveys for comets begin and end
    at prime numbers.

    The rules are those commonly known, without a source at hand. Not checked against the rule book:
    everything here, above all the rules for 18 sectors; what other players publish is left out.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(PlanetX())
    >>> k.count()
    4446
    >>> k = k.tell("survey 1-6 for asteroid: 2", "target 4: empty")
    >>> k.count(), str(k.posterior()["4"]["Planet X"])
    (526, '134/263')
    """

    name = "planet-x"
    summary = "The Search for Planet X: what is in each sector, and what to survey or target next"
    events = (Survey, Target, Clue, Research, Opposite, Band, Locate)
    column_width = 51
    slip_rates: ClassVar[Mapping[str, Fraction]] = {"survey": Fraction(1, 100)}

    sectors: int = 12
    asteroids: int = 4
    comets: int = 2
    dwarf_planets: int = 1
    gas_clouds: int = 2
    band: int = 0

    def __attrs_post_init__(self) -> None:
        """Refuse skies that are too small, and bands that cannot be."""
        if not 6 <= self.sectors <= 24:
            raise BadInput("the sky has 6 to 24 sectors")
        if min(self.numbers.values()) < 0:
            raise BadInput("numbers of objects are 0 or more, and fit into the sectors")
        if self.band and not 2 <= self.dwarf_planets <= self.band <= self.sectors // 3:
            raise BadInput("a band has two dwarf planets or more, in at most a third of the sky")

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """How many sectors have each kind of object."""
        named = {"asteroid": self.asteroids, "comet": self.comets, DWARF: self.dwarf_planets,
                 "gas cloud": self.gas_clouds, X: 1}  # fmt: skip
        return {**named, EMPTY: self.sectors - sum(named.values())}

    @cached_property
    def sky(self) -> Sequence[str]:
        """The names of the sectors."""
        return [str(number) for number in range(1, self.sectors + 1)]

    @cached_property
    def primes(self) -> Sequence[str]:
        """The sectors where comets can be."""
        return [s for s in self.sky if int(s) > 1 and all(int(s) % d for d in range(2, int(s)))]

    def row(self, first: str, size: int) -> Sequence[str]:
        """Return the sectors of a row that begins with a sector."""
        return [self.sky[(int(first) - 1 + n) % self.sectors] for n in range(size)]

    def near(self, sector: str, distance: int) -> Sequence[str]:
        """Return the other sectors that are at most so far away."""
        around = self.row(self.sky[(int(sector) - 1 - distance) % self.sectors], 2 * distance + 1)
        return [other for other in dict.fromkeys(around) if other != sector]

    def opposite(self, sector: str) -> Sequence[str]:
        """Return the sector on the other side of the sky, if there is one."""
        return [] if self.sectors % 2 else self.row(sector, self.sectors // 2 + 1)[-1:]

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return what each sector may have, and where the band may begin."""
        band = {BAND: self.sky} if self.band else {}
        return {**band, **dict.fromkeys(self.sky, tuple(self.numbers))}

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the sectors."""
        return {"": self.sky}

    def rules(self) -> Iterator[Rule]:
        """Yield the numbers of objects and where they may be."""
        for kind, number in self.numbers.items():
            yield Rule(
                exactly(number, self._all(self.sky, kind)),
                f"the number of sectors with {kind} is {number}",
            )
        for sector in self.sky:
            if sector not in self.primes:
                yield Rule(is_not(sector, "comet"), "comets are in sectors with prime numbers")
            row = self.row(self.near(sector, 1)[0], 3)
            for kind, wanted in (("asteroid", "asteroid"), ("gas cloud", EMPTY)):

                def beside(a: str, b: str, c: str, kind: str = kind, near: str = wanted) -> bool:
                    return b != kind or near in (a, c)

                yield Rule(Where(row, beside), f"each {kind} is next to {wanted}")
            apart = Where(row, lambda a, b, c: b != X or DWARF not in (a, c))
            yield Rule(apart, f"{X} is not next to a {DWARF}")
        for sector in self.sky if self.band else ():

            def in_band(kind: str, start: str, number: int = int(sector)) -> bool:
                place = (number - int(start)) % self.sectors
                return place < self.band if kind == DWARF else place not in (0, self.band - 1)

            reason = f"the {DWARF}s are in a band of {self.band}, with one at each end"
            yield Rule(Where((sector, BAND), in_band), reason)

    def _all(self, sectors: Sequence[str], *kinds: str) -> list[Fact]:
        return [is_(sector, *kinds) for sector in sectors]

    def fields(self, kind: type) -> Mapping[str, Collection[Any]]:
        """Return the sectors, kinds and numbers that there are."""
        seen = issubclass(kind, Survey | Target)
        kinds = [kind for kind in self.numbers if kind != X or not seen]
        names = dict.fromkeys(("kind", "other", "before", "after"), kinds)
        sectors = dict.fromkeys(("first", "last", "sector"), self.sky)
        sizes = {"number": range(self.sectors + 1), "size": range(1, self.sectors + 1)}
        distances = range(1, self.sectors // 2 + 1)
        return {"quantity": QUANTITIES, "distance": distances, **names, **sectors, **sizes}

    def surveyed(self, first: str, last: str) -> Sequence[str]:
        """Return the sectors of a survey."""
        return self.row(first, (int(last) - int(first)) % self.sectors + 1)

    def doubted(
        self, log: Sequence[Event], viewer: object, rates: Mapping[str, Fraction]
    ) -> Iterator[Evidence]:
        """Yield the same evidence, in which surveys and targets may be misread."""
        for event, piece in zip(log, self.evidence(log, viewer), strict=True):
            # How many other answers there could have been: numbers, or what a target shows.
            others = len(self.surveyed(event.first, event.last)) if isinstance(event, Survey) else 4
            unsure = isinstance(event, Survey | Target) and rates["survey"]
            yield evolve(piece, doubt=rates["survey"] / others) if unsure else piece

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield what an event states."""
        match event:
            case Survey(first, last, kind, number):
                yield exactly(number, self._all(self.surveyed(first, last), *_appears(kind)))
            case Target(sector, kind):
                yield is_(sector, *_appears(kind))
            case Clue(sector, kind):
                yield is_not(sector, kind)
            case Research(quantity, kind, distance, other):
                near = {sector: self.near(sector, distance) for sector in self.sky}
                yield self._related(quantity, kind, near, other)
            case Opposite(quantity, kind, other):
                yield self._related(quantity, kind, {s: self.opposite(s) for s in self.sky}, other)
            case Band(kind, size):
                rows = [self._all(self.row(sector, size), kind) for sector in self.sky]
                yield any_of([Count(row, self.numbers[kind], None) for row in rows])
            case Locate(sector, before, after, right):
                row = self.row(self.near(sector, 1)[0], 3)
                kinds = (before, X, after)
                found = all_of([is_(s, kind) for s, kind in zip(row, kinds, strict=True)])
                yield found if right else negation(found)

    def _related(
        self, quantity: str, kind: str, where: Mapping[str, Sequence[str]], other: str
    ) -> Constraint:
        """Return that every, some or no object of a kind has another one where it is looked for."""
        has = {sector: any_of(self._all(where[sector], other)) for sector in self.sky}
        if quantity == "some":
            return any_of([all_of([is_(s, kind), found]) for s, found in has.items()])
        then = {s: found if quantity == "every" else negation(found) for s, found in has.items()}
        return all_of([implies(is_(sector, kind), means) for sector, means in then.items()])

    def inquiries(self, log: Sequence[Event], viewer: object) -> Iterator[tuple[str, ...]]:
        """Yield targets and surveys: the kind, ``?`` for a target, and then the sectors."""
        yield from (("?", sector) for sector in self.sky)
        for kind in self.numbers:
            ends = self.primes if kind == "comet" else self.sky
            for first in ends if kind != X else ():
                rows = (self.row(first, size) for size in range(1, self.sectors // 2 + 1))
                yield from ((kind, *row) for row in rows if row[-1] in ends)

    def scope(self, inquiry: tuple[str, ...]) -> Sequence[str | Number]:
        """Return what determines the answer: the sector, or how many have such an object."""
        kind, *sectors = inquiry
        return sectors if kind == "?" else [number_of(self._all(sectors, *_appears(kind)))]

    def answer(self, inquiry: tuple[str, ...], world: World) -> int | str:
        """Return the number of objects, or what the target shows."""
        kind, *sectors = inquiry
        if kind == "?":
            return EMPTY if world[sectors[0]] == X else str(world[sectors[0]])
        return sum(world[sector] in _appears(kind) for sector in sectors)

    def event_of(self, inquiry: tuple[str, ...], answer: int | str) -> Event:
        """Return the survey or the target."""
        if inquiry[0] == "?":
            return Target(inquiry[1], str(answer))
        return Survey(inquiry[1], inquiry[-1], inquiry[0], int(answer))

    def format_inquiry(self, inquiry: tuple[str, ...]) -> str:
        """Return the survey or the target as a line begins with it."""
        kind, first, last = inquiry[0], inquiry[1], inquiry[-1]
        return f"target {first}" if kind == "?" else f"survey {first}-{last} for {kind}"

    def questions(self) -> Sequence[Mapping[str, Fact]]:
        """Return where Planet X is."""
        return [{sector: is_(sector, X) for sector in self.sky}]

    @classmethod
    def random_setup(cls, random: Random) -> "PlanetX":
        """Return a small sky."""
        return random.choice([cls(6, 2, 1, 0, 1), cls(7, 2, 1, 1, 1), cls(7, 2, 1, 2, 0, 2)])

    @classmethod
    def puzzle_setup(cls, random: Random) -> "PlanetX":
        """Return the standard sky."""
        return cls()

    @classmethod
    def staged(cls, level: int, random: Random) -> "PlanetX":
        """Return a sky of 8, 10 or 12 sectors."""
        return (cls(8, 2, 1, 1, 1), cls(10, 4, 1, 1, 1), cls())[level - 1]

    def opening(self, world: World, random: Random) -> Iterator[Clue]:
        """Return for some sectors what they have not.

        All that could be told of all sectors together is equally likely. A kind chosen for each
        sector from those that it has not would tell more: an empty sector has one more of these.
        """
        sectors, kinds = random.sample(self.sky, self.sectors // 4), [*self.numbers][:4]
        told = [Clue(sector, random.choice(kinds)) for sector in sectors]
        if any(world[clue.sector] == clue.kind for clue in told):
            return self.opening(world, random)
        return iter(told)

    def subjects(self) -> Mapping[str, Mapping[str, Fact]]:
        """Return where Planet X is."""
        return {X: self.questions()[0]}

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield what a player learns at first, and then by surveys, targets and research."""
        yield from super().record(world, random)
        kinds = Research, Opposite, Band, Locate
        yield from islice(self.true_lines(world, random, *kinds), random.randint(0, 3))


def _appears(kind: str) -> tuple[str, ...]:
    """Return the kinds that appear as one to surveys and targets."""
    return (EMPTY, X) if kind == EMPTY else (kind,)


REGISTRATION = Registration.of(PlanetX, "games.examples", fact="1=comet")
