"""A base class for games whose log consists of lines: what such games have in common.

Inheriting from `LineGame` is optional. A game that does states what is hidden, what the fields of
its events may be, and what each line means; the class makes of that the checks of a log, the
evidence, each player's view of it, a picture, and random games.

>>> from attrs import frozen
>>> from deduce.constraints import is_
>>> class Weighed(Line, template="coin {coin} is light: {light}"):
...     coin: str
...     light: bool
>>> @frozen
... class Coins(LineGame):
...     events = (Weighed,)
...     def variables(self):
...         return {"light coin": ("A", "B", "C")}
...     def fields(self, kind):
...         return {"coin": ("A", "B", "C")}
...     def means(self, event, log):
...         yield (is_ if event.light else is_not)("light coin", event.coin)
>>> from deduce.constraints import is_not
>>> Knowledge(Coins()).tell("coin A is light: no").count()
2
>>> world = {"light coin": "C"}
>>> [line.coin for line in Coins().true_lines(world, Random(1), Weighed, light=True)]
['C']
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from random import Random
from types import GenericAlias
from typing import Any, ClassVar, Self, dataclass_transform

from attrs import asdict, field, frozen

from deduce.constraints import Constraint, Fact
from deduce.errors import BadInput
from deduce.game import RECORD, Event, Questions, Staged, Viewer, hook
from deduce.knowledge import Knowledge
from deduce.logs.json_values import TypedFields, check_type
from deduce.logs.templates import check_fields, line_of_fields, types_of
from deduce.problem import Evidence, Problem, Rule, World
from deduce.system.text import check_names

__all__ = ["NO_PLAYER", "Dealt", "Line", "LineGame", "SharedLog", "percents", "seats"]

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gil")
"""The players of a game where none are named."""

NO_PLAYER = "nobody"
"""What a line has in place of a player, or of a list of players, where there is none."""

MAX_TRIES = 1000
"""How many random lines are tried until one is true and new."""

MAX_QUESTIONS = 9
"""How many questions a random log has at most."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@frozen(slots=False)  # whose pickles would leave out the fields of subclasses
class Line:
    """An event that is written as a line: a subclass states its template and its fields.

    The subclass becomes a frozen attrs class without a decorator, and a decorator such as
    ``@frozen`` is refused. See `deduce.logs.templates`.

    >>> class Peeked(Line, template="{player} peeks: {card}"):
    ...     player: str
    ...     card: str
    >>> Peeked("Ann", "ace")
    Peeked(player='Ann', card='ace')
    """

    template: ClassVar[str]
    is_made: ClassVar[bool]

    def __init_subclass__(cls, template: str = "") -> None:
        """Make a frozen attrs class of a subclass; without a template it is a base of others."""
        cls.__attrs_init_subclass__()
        if template:
            cls.template = template
        frozen(slots=False)(cls)
        for name in ("__setattr__", "__delattr__"):  # those of `Line` serve, and are not its own
            delattr(cls, name)
        cls.is_made = True

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        """Refuse a class that is decorated again: its defaults would be lost."""
        if "is_made" in vars(cls):
            raise BadInput(f"{cls.__name__} is frozen, as every Line: leave out its decorator")


class Dealt(Line, template="{player} is dealt: {role}"):
    """The role that a player was dealt, seen by this player: an event of games with roles."""

    player: str
    role: str


class LineGame(TypedFields):
    """A game whose log consists of lines with templates; each member may be overridden.

    The methods are those of the protocols in `deduce.game`; `fields` and `means` are called by the
    others. See also `SharedLog`.
    """

    private: ClassVar[tuple[type, ...]] = ()
    """Classes of events of which only their ``player`` learns."""

    setup_files: ClassVar[Mapping[str, Callable[[str], Any]]] = {}
    """See `deduce.game.Written`."""

    column_width: ClassVar[float] = 36
    """The width of a column of the picture, in pixels."""

    def rules(self) -> Iterable[Rule | Constraint]:
        """Return what always holds; by default nothing."""
        return ()

    def fields(self, kind: type) -> Mapping[str, Collection[Any]]:
        """Return what the fields of a class of events may be: names, or a range of numbers.

        A mapping, from names to how many there are, says that a list may repeat them, in order.
        """
        return {}

    def means(self, event: Any, log: Sequence[Event]) -> Iterable[Constraint]:
        """Return what an event means after the events of a log, all as the viewer sees them."""
        return ()

    def check(self, event: Any) -> None:
        """Refuse what `fields` does not allow."""
        check_fields(event, **self.fields(type(event)))

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        """Yield what each event means that the viewer sees, with its `sentence`."""
        seen: tuple[Event, ...] = ()
        for number, whole in enumerate(log, start=1):
            event = self.seen_event(whole, viewer)
            if event is not None:
                sentence = self.sentence(event)
                for constraint in self.means(event, seen):
                    yield Evidence(constraint, number, sentence)
                seen += (event,)

    def sentence(self, event: Any) -> str:
        """Return what proofs call an event; by default its line."""
        return line_of_fields(type(event), asdict(event, recurse=False))

    def seen_event(self, event: Any, viewer: Viewer) -> Event | None:
        """Return the event, unless it is `private` to another player."""
        if isinstance(event, self.private) and viewer is not RECORD:
            return event if event.player == viewer else None  # type: ignore[attr-defined]
        return event

    def pictured(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]] | None:
        """Return the cells of the picture, as ``shown_cells``; ``None``: those of the grid."""
        return None

    def svg(self, knowledge: Knowledge) -> str:
        """Return the cells with their probabilities as a picture."""
        from deduce.show.sheet import cells_picture

        cells = self.pictured(knowledge.log)
        return cells_picture(knowledge, cells, width=self.column_width)

    def deal(self, random: Random) -> World:
        """Return a random world that fits the rules, as probable as the rules say."""
        try:
            hash(self)
        except TypeError:  # a field is a dict, for example: nothing is kept
            beginning = Knowledge(self)  # type: ignore[arg-type]
        else:
            beginning = _beginning(self)
        return beginning.sample(1, seed=random.getrandbits(32))[0]

    def record(self: Any, world: World, random: Random) -> Iterable[Event]:
        """Yield the opening, if there is one, and the answers to some random questions.

        It ends early where nothing is left to ask.
        """
        opening, ends = hook(self, Staged.opening), hook(self, Questions.ends)
        log = list(opening(world, random)) if opening else []
        yield from log
        for _ in range(random.randint(1, MAX_QUESTIONS)):
            inquiries = list(self.inquiries(log, RECORD))
            if not inquiries:
                return
            inquiry = random.choice(inquiries)
            answer = self.answer(inquiry, world)
            log.append(self.event_of(inquiry, answer))
            yield log[-1]
            if ends and ends(inquiry, answer):
                return

    def true_lines(
        self, world: World, random: Random, *kinds: type, log: Sequence[Event] = (), **given: Any
    ) -> Iterator[Any]:
        """Yield different random events that hold in a world, until many in a row are no such.

        Parameters
        ----------
        world, random
            The world, and the source of random numbers.
        kinds
            The classes of the events.
        log
            The events before.
        given
            The values of some fields; the others are drawn from what `fields` allows.
        """
        failed, tried = 0, set[Event]()
        while kinds and failed < MAX_TRIES:
            failed += 1
            with suppress(BadInput):
                event = _random_event(self, random.choice(kinds), random, given)
                if event not in tried:
                    tried.add(event)
                    self.check(event)
                    if all(Problem.satisfied(part, world) for part in self.means(event, log)):
                        yield event
                        failed = 0


class SharedLog(LineGame):
    """A game whose ``players`` share a log and all know the whole set-up."""

    def seen_by(self, viewer: Viewer) -> Self:
        """Return the game itself."""
        return self


def seats(low: int, high: int, *, default: int = 0, taken: Collection[str] = ()) -> Any:
    """Return the field of the names of ``low`` to ``high`` players, by default Ann, Ben, ...

    Parameters
    ----------
    low, high
        How many players there may be.
    default
        How many there are where none are named, at most seven; 0 is the least number.
    taken
        Names that no player may have.

    Examples
    --------
    >>> @frozen
    ... class Pairs:
    ...     players: tuple[str, ...] = seats(2, 4)
    >>> Pairs()
    Pairs(players=('Ann', 'Ben'))
    >>> Pairs(("Ann",))
    Traceback (most recent call last):
    deduce.errors.BadInput: 2 to 4 players, not 1
    """

    def check(_game: object, field: Any, names: Any) -> None:
        check_type(field.name, names, tuple[str, ...])
        check_names("player", names, low, high, taken=taken)

    return field(default=NAMES[: default or low], validator=check)


def percents(*default: int) -> Any:
    """Return the field of a probability in per cent, or of several, with these by default.

    Examples
    --------
    >>> @frozen
    ... class Habits:
    ...     lies: int = percents(60)
    >>> Habits(101)
    Traceback (most recent call last):
    deduce.errors.BadInput: lies: expected 0 to 100 per cent, not 101
    """
    wanted = GenericAlias(tuple, (float,) * len(default)) if len(default) > 1 else float

    def check(_game: object, field: Any, value: Any) -> None:
        check_type(field.name, value, wanted)
        if any(not 0 <= number <= 100 for number in (value if len(default) > 1 else (value,))):
            raise BadInput(f"{field.name}: expected 0 to 100 per cent, not {value!r}")

    return field(default=default if len(default) > 1 else default[0], validator=check)


@lru_cache(maxsize=8)
def _beginning(game: Any) -> Knowledge:
    return Knowledge(game)


def _random_event(game: LineGame, kind: type, random: Random, given: Mapping[str, Any]) -> Event:
    """Return an event whose fields are drawn from what the game allows; of a list, up to three.

    Where nothing is allowed, a list is empty, and one name or number is refused by `BadInput`.
    """
    allowed, fields = game.fields(kind), dict[str, Any]()
    for name, wanted in types_of(kind).items():
        names = list(allowed.get(name, (False, True)))
        several = wanted not in (str, int, bool)
        size = random.randint(min(1, len(names)), min(3, len(names)))
        if not names and not several:
            raise BadInput(f"no {name} is allowed")
        drawn = tuple(random.sample(names, size)) if several else random.choice(names)
        fields[name] = given.get(name, drawn)
    return kind(**fields)
