"""A hidden walk: where can the hidden player be now, and where were they? Scotland Yard and kin."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, ClassVar, NamedTuple, TypeAlias

from attrs import frozen

from deduce import BadInput, Constraint, at_least, exactly, is_, move
from deduce.line_game import Line, LineGame
from deduce.problem import World
from deduce.system.registry import Registration
from deduce.system.text import check_known
from deduce.timeline import chances

Streets: TypeAlias = tuple[tuple[str, ...], ...]
AT = "place"
ANY = "any"
FOUND = "found"


class Place(NamedTuple):
    """The variable of where the hidden player is after a number of moves."""

    what: str
    step: int

    def __str__(self) -> str:
        """Return what claims and tables call it.

        >>> str(Place(AT, 3))
        'place 3'
        """
        return f"{self.what} {self.step}"


def streets_of(text: str) -> Streets:
    r"""Return the streets that a text lists, one per line: two places, and perhaps a ticket.

    Raises
    ------
    BadInput
        A line is not such a street.

    Examples
    --------
    >>> streets_of("1 8 taxi\n8 > 9")
    (('1', '8', 'taxi'), ('8', '1', 'taxi'), ('8', '9', 'any'))
    """
    streets: list[tuple[str, str, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word for word in line.split() if word != ">"]
        if not 2 <= len(words) <= 3:
            raise BadInput("a street is written as 'A B' or 'A > B', then a ticket", line=number)
        start, end, ticket = (*words, ANY)[:3]
        streets.append((start, end, ticket))
        streets += [] if ">" in line else [(end, start, ticket)]
    return tuple(dict.fromkeys(streets))


TOWN = streets_of("""\
park port walk
port zoo walk
bank port bus
port > isle boat
isle > zoo boat""")


class Moved(Line, template="moves by {ticket}"):
    """A move, with its ticket; ``any`` for one that does not tell."""

    ticket: str


class Searched(Line, template="at {place}? {found}"):
    """Whether the hidden player is at a place now."""

    place: str
    found: bool


class Visited(Line, template="was at {place} after {move}? {found}"):
    """Whether they were there after a move, ``start`` and ``any`` included."""

    place: str
    move: str
    found: bool


Event: TypeAlias = Moved | Searched | Visited


@frozen
class HiddenWalk(LineGame):
    """A player walks unseen along the streets of a map; tickets, searches and traces give clues.

    The start is one of ``starts``, each with the same probability (by default any place), and each
    move goes along a street to its end; a player may stay only where a street leads back to its
    start. All walks are equally likely, or, with ``equal_moves``, all streets from a place, where
    each ticket between two places counts as a street.

    A line of a log is a move, ``moves by taxi``, where ``any`` is a ticket that reveals nothing; a
    search, ``at port? no``; or a trace, ``was at port after 3? yes``, where ``start`` is before the
    first move and ``any`` stands for the start and all moves so far. Later lines can reveal more
    about earlier moves. ``deduce hidden-walk new --streets FILE`` begins a log with your own map,
    one street per line: ``8 9 taxi``, or ``8 > 9 taxi`` for a one-way street.

    Not checked against a rule book: these are the rules that hidden walks have in common. In
    Scotland Yard the tickets are seen, black ones are ``any``, and a place is seen after some
    moves; a place with a detective is searched without success.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(HiddenWalk(starts=("bank",))).tell("moves by bus", "moves by boat")
    >>> {str(place): value for place, value in k.certain().items()}
    {'place 0': 'bank', 'place 1': 'port', 'place 2': 'isle'}
    """

    name = "hidden-walk"
    summary = "A hidden walk on a map of your own: where the hidden player is, and where they were"
    column_width = 60
    events = (Moved, Searched, Visited)
    setup_files: ClassVar = {"streets": streets_of}

    streets: Streets = TOWN
    starts: tuple[str, ...] = ()
    equal_moves: bool = False

    def __attrs_post_init__(self) -> None:
        """Refuse a map without streets, and starts that are not on it."""
        if not self.streets or {len(street) for street in self.streets} != {3}:
            raise BadInput("a map has streets, each with its two ends and its ticket")
        for start in self.starts:
            check_known("place", start, self.places)

    @cached_property
    def places(self) -> tuple[str, ...]:
        """All places."""
        return tuple(dict.fromkeys(place for street in self.streets for place in street[:2]))

    @cached_property
    def graphs(self) -> Mapping[str, Mapping[str, Mapping[str, Fraction]]]:
        """For each ticket the places that follow each place, with the share of its streets."""
        graphs: Any = defaultdict(lambda: defaultdict(lambda: defaultdict(Fraction)))
        ways = Counter(street[0] for street in self.streets)
        for start, end, ticket in self.streets:
            for kind in dict.fromkeys((ticket, ANY)):
                graphs[kind][start][end] += Fraction(1, ways[start])
        return dict(graphs)

    def variables(self) -> Mapping[Place, Sequence[str]]:
        """Return what is hidden from the start: the place before the first move."""
        return {Place(AT, 0): self.starts or self.places}

    def drawn(self, log: Sequence[Event]) -> Mapping[Place, Sequence[str]]:
        """Return the place after each move."""
        moves = sum(isinstance(event, Moved) for event in log)
        return {Place(AT, step): self.places for step in range(1, moves + 1)}

    def fields(self, kind: type) -> Mapping[str, Collection[str]]:
        """Return the tickets and the places of the map."""
        return {"ticket": self.graphs, "place": self.places}

    def check(self, event: Event) -> None:
        """Refuse what the map does not have."""
        super().check(event)
        if isinstance(event, Visited) and not re.fullmatch(f"start|{ANY}|[0-9]{{1,9}}", event.move):
            raise BadInput(f"the number of a move, 'start' or 'any', not {event.move!r}")

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield the streets of a move, or what a search or a trace shows."""
        now = sum(isinstance(earlier, Moved) for earlier in log)
        if isinstance(event, Moved):
            yield move(AT, now, now + 1, graph := self.graphs[event.ticket])
            if self.equal_moves:
                here = self.starts if self.starts and not now else graph
                yield from chances(AT, now, now + 1, {p: graph[p] for p in here if p in graph})
            return
        there = [is_((AT, step), event.place, lenient=True) for step in _steps(event, now)]
        yield at_least(1, there) if event.found else exactly(0, there)

    def records(self, event: Event) -> int:
        """Return how many tickets, or results of a search, could have been recorded."""
        return max(2, len(self.graphs) * isinstance(event, Moved))

    def inquiries(self, log: Sequence[Event], viewer: object) -> Iterator[tuple[str, int]]:
        """Yield the places that can be searched, with the number of moves."""
        now = sum(isinstance(event, Moved) for event in log)
        yield from ((place, now) for place in self.places)

    def answer(self, inquiry: tuple[str, int], world: World) -> str:
        """Return whether the hidden player is there."""
        return FOUND if world[AT, inquiry[1]] == inquiry[0] else "not there"

    def scope(self, inquiry: tuple[str, int]) -> tuple[Place]:
        """Return where the hidden player is now."""
        return (Place(AT, inquiry[1]),)

    def ends(self, inquiry: tuple[str, int], answer: str) -> bool:
        """Return whether the hidden player is found."""
        return answer == FOUND

    def event_of(self, inquiry: tuple[str, int], answer: str) -> Searched:
        """Return a search with its result."""
        return Searched(inquiry[0], answer == FOUND)

    def format_inquiry(self, inquiry: tuple[str, int]) -> str:
        """Return a search as a question."""
        return f"search {inquiry[0]}"

    @classmethod
    def random_setup(cls, random: Random) -> "HiddenWalk":
        """Return a small map on which every move is possible."""
        places = "ABCDEF"[: random.randint(3, 6)]
        ring = [(a, b, "walk") for a, b in zip(places, places[1:] + places[0], strict=True)]
        more = [(*random.sample(places, 2), random.choice(["walk", "bus"])) for _ in range(4)]
        return cls(tuple(dict.fromkeys(ring + more)), (), random.random() < 0.5)

    def deal(self, random: Random) -> World:
        """Return a random walk of up to four moves."""
        walk = [random.choice(self.starts or self.places)]
        for _ in range(4):
            ends = list(self.graphs[ANY].get(walk[-1], ()))
            walk += random.sample(ends, min(1, len(ends)))
        return {Place(AT, step): place for step, place in enumerate(walk)}

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield the moves of a walk, with searches and traces between them."""
        for step, here in enumerate(world.values()):
            if step:
                kinds = [t for *ends, t in self.streets if ends == [world[AT, step - 1], here]]
                yield Moved(random.choice([*kinds, ANY]))
            place, when = random.choice(self.places), random.randint(0, step)
            yield Searched(place, here == place)
            if random.random() < 0.5:
                yield Visited(place, str(when) if when else "start", world[AT, when] == place)
            else:
                been = [world[AT, earlier] for earlier in range(step + 1)]
                yield Visited(place, ANY, place in been)


def _steps(event: Searched | Visited, now: int) -> Sequence[int]:
    """Return the steps that a search or trace is about."""
    if isinstance(event, Searched):
        return [now]
    if event.move == ANY:
        return range(now + 1)
    step = 0 if event.move == "start" else int(event.move)
    if step > now:
        raise BadInput(f"there are {now} moves so far, not {step}")
    return [step]


REGISTRATION = Registration.of(HiddenWalk, "games.examples", suffix=".walk", fact="place3=zoo")
