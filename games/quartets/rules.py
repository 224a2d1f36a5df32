"""The set-up of one game: players, groups, hands, and the readings of what the rules leave open.

Source: docs/games/quartets.md, sections 1 and 4. The set-up is also the hidden-information game:
the variables are the cards, the values are the players who were dealt them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import ClassVar, Literal

from attrs import field, frozen

from deduce.constraints import Fact, at_most, exactly, is_
from deduce.errors import BadInput
from deduce.game import Viewer
from deduce.problem import Evidence, Rule
from deduce.text import listing, nearest
from games.quartets.deal import DealForm, start_form
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.flow import Layout, layout

__all__ = [
    "MOST_PLAYERS",
    "PRESETS",
    "UNNAMED",
    "Quartets",
    "check_name",
    "group_lists",
    "named_groups",
    "readings",
]

PRESETS: Mapping[str, Mapping[str, bool]] = {
    "seed": {"ask_own": True, "silence": False, "deal_quartet": True},
    "recommended": {"ask_own": False, "silence": False, "deal_quartet": False},
    "strict": {"ask_own": False, "silence": True, "deal_quartet": False},
}
"""Sets of readings: the seed text to the letter; the usual game; declaring is mandatory."""

MOST_PLAYERS = 10
UNNAMED = "?"
"""A name with this mark stands for a group or card that nobody has named yet."""


def named_groups(sizes: Iterable[int], *, invented: bool = False) -> dict[str, tuple[str, ...]]:
    """Return groups called a, b, c ... with cards a1, a2 ..., or groups that nobody has named yet.

    >>> named_groups([2, 3])
    {'a': ('a1', 'a2'), 'b': ('b1', 'b2', 'b3')}
    >>> named_groups([2], invented=True)
    {'?1': ('?1.1', '?1.2')}
    """
    if invented:
        return {
            f"{UNNAMED}{g}": tuple(f"{UNNAMED}{g}.{c}" for c in range(1, size + 1))
            for g, size in enumerate(sizes, start=1)
        }
    return {
        name: tuple(f"{name}{c}" for c in range(1, size + 1))
        for name, size in ((_letters(g), size) for g, size in enumerate(sizes))
    }


def _letters(number: int) -> str:
    more, last = divmod(number, 26)
    return (_letters(more - 1) if more else "") + chr(ord("a") + last)


def group_lists(groups: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return the groups with their cards as tuples."""
    return {name: tuple(cards) for name, cards in groups.items()}


@frozen(hash=False, slots=False)
class Quartets:
    """One game's set-up.

    Parameters
    ----------
    players
        Two to ten names, clockwise.
    groups
        Group -> cards. `named_groups` makes plain names.
    hands
        How many cards each player is dealt; left out: as equally as possible, the first players
        one more.
    start
        The player with the first turn; left out: the first.
    ask_own
        Whether a player may ask for a card that she may hold herself (reading 1).
    deal_quartet
        Whether somebody may hold a complete group at the deal (reading 2).
    silence
        Whether declaring is mandatory, so that asking says "I hold no complete group" (reading 3).
    house
        Who has the turn when the player with the turn has no cards and the player asked last has
        none either (reading 9): ``"x"`` the first with cards clockwise, ``"y"`` the one with
        fewest, ``"z"`` the one with most.
    stop
        Whether the game ends at the first losing statement; else it is undone and its speaker
        takes no more turns (reading 11).
    repetition
        How many times the same position must occur for a draw; ``None``: never (reading 13).
    limit
        After how many statements the game is a draw; ``None``: never.
    invented
        Whether groups and cards get their names when they are first named.

    Raises
    ------
    BadInput
        A set-up that cannot be, with the sum where numbers do not add up.

    Examples
    --------
    >>> game = Quartets.preset("recommended", ("Ann", "Ben", "Cid"), named_groups([4, 4, 4]))
    >>> game.hands
    (4, 4, 4)
    >>> Quartets(("Ann", "Ben"), named_groups([4, 4]), hands=(4, 5))
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: the hands hold 9 cards, but there are 8
    """

    name: ClassVar[str] = "quartets"
    events: ClassVar[tuple[type, ...]] = (Ask, Answer, Quartet)

    players: tuple[str, ...]
    groups: dict[str, tuple[str, ...]] = field(converter=group_lists)
    hands: tuple[int, ...] = ()
    start: str = ""
    ask_own: bool = field(default=True, kw_only=True)
    silence: bool = field(default=False, kw_only=True)
    deal_quartet: bool = field(default=True, kw_only=True)
    house: Literal["x", "y", "z"] = field(default="x", kw_only=True)
    stop: bool = field(default=False, kw_only=True)
    repetition: int | None = field(default=3, kw_only=True)
    limit: int | None = field(default=None, kw_only=True)
    invented: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not self.hands and self.players:
            share, more = divmod(sum(map(len, self.groups.values())), len(self.players))
            hands = tuple(share + (p < more) for p in range(len(self.players)))
            object.__setattr__(self, "hands", hands)
        if not self.start and self.players:
            object.__setattr__(self, "start", self.players[0])
        self._check_names()
        self._check_numbers()

    @classmethod
    def preset(
        cls, preset: str, players: Iterable[str], groups: Mapping[str, Iterable[str]]
    ) -> Quartets:
        """Return a set-up with the readings of a preset and the cards dealt equally."""
        chosen = readings(preset)
        return cls(
            tuple(players),
            group_lists(groups),
            ask_own=chosen["ask_own"],
            silence=chosen["silence"],
            deal_quartet=chosen["deal_quartet"],
        )

    # Names and numbers

    @cached_property
    def table(self) -> Layout:
        """Players and groups as numbers."""
        return layout(len(self.players), tuple(map(len, self.groups.values())))

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards, in the order of their numbers."""
        return tuple(card for cards in self.groups.values() for card in cards)

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """All groups, in the order of their numbers."""
        return tuple(self.groups)

    @cached_property
    def _player_number(self) -> dict[str, int]:
        return {name: p for p, name in enumerate(self.players)}

    @cached_property
    def _card_number(self) -> dict[str, int]:
        return {name: c for c, name in enumerate(self.cards)}

    @cached_property
    def _group_number(self) -> dict[str, int]:
        return {name: g for g, name in enumerate(self.groups)}

    def player(self, name: str) -> int:
        """Return the number of a player.

        Raises
        ------
        BadInput
            Nobody is called that; the message names the nearest.
        """
        return _number(self._player_number, name, "player")

    def card(self, name: str) -> int:
        """Return the number of a card; raises `BadInput` like `player`."""
        return _number(self._card_number, name, "card")

    def group(self, name: str) -> int:
        """Return the number of a group; raises `BadInput` like `player`."""
        return _number(self._group_number, name, "group")

    def names_of(self, cards: int) -> list[str]:
        """Return the names of a bitmask of cards."""
        return [name for c, name in enumerate(self.cards) if cards >> c & 1]

    def start_form(self) -> DealForm:
        """Return what is known before anybody has said a word."""
        sizes = self.table.sizes
        return start_form(len(self.players), sizes, self.hands, deal_quartet=self.deal_quartet)

    def naming(self, group: str, card: str | None = None) -> Quartets:
        """Return the set-up in which a group and one of its cards are named; see `names.naming`."""
        from games.quartets.names import naming

        return naming(self, group, card)

    # The hidden game

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        """Return every card with the players who may have been dealt it."""
        return dict.fromkeys(self.cards, self.players)

    def rules(self) -> Iterator[Rule]:
        """Return: the sizes of the hands; nobody holds a complete group, where that is so."""
        for player, number in zip(self.players, self.hands, strict=True):
            facts = [is_(card, player) for card in self.cards]
            yield Rule(exactly(number, facts), f"{player} is dealt {_cards(number)}")
        if not self.deal_quartet:
            for group, cards in self.groups.items():
                for player in self.players:
                    facts = [is_(card, player) for card in cards]
                    yield Rule(at_most(len(cards) - 1, facts), f"nobody is dealt all of {group}")

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        """Return what the log says about the deal; all viewers see the same."""
        from games.quartets.knowledge import evidence

        return evidence(self, log)

    def deal(self, random: Random) -> dict[str, str]:
        """Return a random deal; see `games.quartets.simulate`."""
        from games.quartets.simulate import deal

        return deal(self, random)

    def record(self, world: Mapping[str, str], random: Random) -> Iterator[Event]:
        """Return the statements of a true game with a deal; see `games.quartets.simulate`."""
        from games.quartets.simulate import record

        return record(self, world, random)

    def say(self, fact: Fact) -> str:
        """Return a fact as a player says it."""
        names = " or ".join(sorted(str(value) for value in fact.values))
        return f"{names} was {'not ' if fact.negated else ''}dealt {fact.variable}"

    def check(self, event: Event) -> None:
        """Raise `BadInput` for an event that names what does not exist."""
        self.player(event.by)
        match event:
            case Ask(by, to, card):
                self.player(to)
                self.card(card)
                if by == to:
                    raise BadInput(f"{by} cannot ask {by}; another player is asked")
            case Quartet(_, group):
                self.group(group)

    def parse_event(self, text: str) -> Event:
        """Return the event that a line of the notation describes."""
        from games.quartets.notation import parse_event

        return parse_event(text, self)

    def format_event(self, event: Event) -> str:
        """Return the event as a line of the notation."""
        from games.quartets.notation import format_event

        return format_event(event, self)

    @classmethod
    def parse_log(cls, text: str) -> tuple[Quartets, list[Event]]:
        """Return the set-up and the events of a transcript."""
        from games.quartets.notation import parse_log

        return parse_log(text)

    def format_log(self, log: Sequence[Event]) -> str:
        """Return set-up and events as a transcript."""
        from games.quartets.notation import format_log

        return format_log(self, log)

    # What can be

    def _check_names(self) -> None:
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise BadInput(f"{len(self.players)} players; 2 to {MOST_PLAYERS} can play")
        for names, what in (
            (self.players, "player"),
            (self.group_names, "group"),
            (self.cards, "card"),
        ):
            for name in names:
                check_name(name, what, unnamed=self.invented)
                if names.count(name) > 1:
                    raise BadInput(f"two {what}s are called {name!r}")
        self.player(self.start)

    def _check_numbers(self) -> None:
        sizes = [len(cards) for cards in self.groups.values()]
        if not sizes:
            raise BadInput("there are no groups")
        if 0 in sizes:
            raise BadInput(f"the group {self.group_names[sizes.index(0)]!r} has no cards")
        if self.invented and len(set(sizes)) > 1:
            raise BadInput("groups that are named as they come must all have the same size")
        if len(self.hands) != len(self.players):
            raise BadInput(
                f"there are {len(self.players)} players but {len(self.hands)} hand sizes"
            )
        if min(self.hands) < 0:
            raise BadInput("a hand cannot have a negative number of cards")
        if sum(self.hands) != sum(sizes):
            raise BadInput(f"the hands hold {sum(self.hands)} cards, but there are {sum(sizes)}")
        if self.house not in ("x", "y", "z"):
            raise BadInput(f"there is no house rule {self.house!r}; there are x, y and z")
        if self.repetition is not None and self.repetition < 2:
            raise BadInput("a position is repeated when it occurs at least twice")
        if self.limit is not None and self.limit < 0:
            raise BadInput("the limit of statements cannot be negative")


def readings(preset: str) -> dict[str, bool]:
    """Return the readings of a preset.

    Raises
    ------
    BadInput
        There is no such preset.
    """
    try:
        return dict(PRESETS[preset])
    except KeyError:
        known = ", ".join(PRESETS)
        raise BadInput(
            f"no preset is called {preset!r}{nearest(preset, PRESETS)} ({known})"
        ) from None


def _number(numbers: Mapping[str, int], name: str, what: str) -> int:
    try:
        return numbers[name]
    except KeyError:
        known = [known for known in numbers if UNNAMED not in known]
        near = nearest(name, known)
        raise BadInput(f"no {what} is called {name!r}{near}{listing(known, near)}") from None


def check_name(name: str, what: str, *, unnamed: bool = False) -> None:
    """Raise `BadInput` for a name that could not be read back from a transcript."""
    if not name.strip() or name != name.strip():
        raise BadInput(f"a {what} has an empty name, or one with blanks around it: {name!r}")
    bad = [mark for mark in ":;,#=\n" + ("" if unnamed else UNNAMED) if mark in name]
    if bad:
        raise BadInput(f"the {what} {name!r} has {bad[0]!r} in its name")


def _cards(number: int) -> str:
    return f"{number} card{'s'[: number != 1]}"
