"""The set-up of one game: players, groups, hands, and the readings of what the rules leave open.

Source: docs/games/quartets.md, sections 1 and 4. `games.quartets.game.Quartets` is this set-up
together with everything that can be done with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, Self, TypedDict, TypeVar

from attrs import evolve, field, frozen

from deduce.errors import BadInput
from deduce.system.renamed import Renamed
from deduce.system.text import listing, plural
from games.quartets.deal import DealForm, Layout, layout, start_form
from games.quartets.events import Ask, Event, Quartet

__all__ = [
    "MAX_PLAYERS",
    "PRESETS",
    "UNNAMED",
    "Names",
    "Readings",
    "Setup",
    "check_name",
    "check_names",
    "group_lists",
    "named_by",
    "named_groups",
    "naming",
    "readings",
    "spoken_name",
    "with_names",
]


class Readings(TypedDict):
    """The readings that presets set: 1, 3 and 2; see `Setup`."""

    ask_own: bool
    silence: bool
    deal_quartet: bool


PRESETS: Renamed[Readings] = Renamed(
    {
        "literal": {"ask_own": True, "silence": False, "deal_quartet": True},
        "recommended": {"ask_own": False, "silence": False, "deal_quartet": False},
        "strict": {"ask_own": False, "silence": True, "deal_quartet": False},
    },
    {"seed": "literal"},
)
"""Sets of readings: the original text to the letter; the usual game; declaring is mandatory."""

MAX_PLAYERS = 10
UNNAMED = "?"
"""A name with this mark stands for a group or card that has not been named yet."""


def named_groups(sizes: Iterable[int], *, invented: bool = False) -> dict[str, tuple[str, ...]]:
    """Return groups called a, b, c ... with cards a1, a2 ..., or groups without names.

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
    if not isinstance(groups, Mapping):
        raise BadInput(f"groups are a mapping from names to lists of cards, not {groups!r}")
    return {name: _listed(cards) for name, cards in groups.items()}


def _listed(names: Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise BadInput(f"a list of names is needed, not {names!r}")
    return tuple(names)


def _hands(hands: Iterable[int]) -> tuple[int, ...]:
    listed = tuple(hands) if isinstance(hands, Iterable) else (hands,)
    wrong = next((size for size in listed if type(size) is not int), None)
    if wrong is not None:
        raise BadInput(f"hands are whole numbers of cards, not {wrong!r}")
    return listed


def _in_order(groups: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what makes groups equal: their order counts, since it numbers the cards."""
    return tuple(groups.items())


@frozen(slots=False)
class Names:
    """The names of players, groups and cards, which are numbered in this order.

    Parameters
    ----------
    players
        The players.
    groups
        Group -> cards.
    """

    players: tuple[str, ...] = field(converter=_listed)
    groups: dict[str, tuple[str, ...]] = field(converter=group_lists, eq=_in_order)

    @cached_property
    def table(self) -> Layout:
        """The layout of the cards: players and groups as numbers."""
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
    def _numbers(self) -> dict[str, dict[str, int]]:
        names = {"player": self.players, "card": self.cards, "group": self.group_names}
        return {what: {name: n for n, name in enumerate(each)} for what, each in names.items()}

    def player(self, name: str) -> int:
        """Return the number of a player.

        Raises
        ------
        BadInput
            No player has this name; the message names the nearest.
        """
        return self._number("player", name)

    def card(self, name: str) -> int:
        """Return the number of a card; raises `BadInput` like `player`."""
        return self._number("card", name)

    def group(self, name: str) -> int:
        """Return the number of a group; raises `BadInput` like `player`."""
        return self._number("group", name)

    def _number(self, what: str, name: str) -> int:
        try:
            return self._numbers[what][name]
        except (KeyError, TypeError):
            known = [known for known in self._numbers[what] if UNNAMED not in known]
            raise BadInput(f"no {what} is called {name!r}{listing(known, name)}") from None

    def group_of(self, card: str) -> str:
        """Return the name of the group of a card; raises `BadInput` like `player`."""
        return self.group_names[self.table.group_of[self.card(card)]]

    def names_of(self, cards: int) -> list[str]:
        """Return the names of a bitmask of cards."""
        return [name for c, name in enumerate(self.cards) if cards >> c & 1]


@frozen(slots=False)
class Setup(Names):
    """The set-up of one game, a frozen and hashable value.

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
        Whether players may ask for a card that they may hold themselves (reading 1).
    deal_quartet
        Whether a player may hold a complete group at the deal (reading 2).
    silence
        Whether declaring is mandatory, so that a question states "I hold no complete group"
        (reading 3).
    house
        Who has the turn when the player with the turn has no cards and the player asked last has
        none either (reading 9): ``"x"`` the first with cards clockwise, ``"y"`` the one with
        the fewest, ``"z"`` the one with the most.
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
        The set-up is impossible; the message has the sum where numbers do not add up.

    Examples
    --------
    >>> setup = Setup.preset("recommended", ("Ann", "Ben", "Cid"), named_groups([4, 4, 4]))
    >>> setup.hands
    (4, 4, 4)
    >>> Setup(("Ann", "Ben"), named_groups([4, 4]), hands=(4, 5))
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: the hands hold 9 cards, but there are 8
    """

    hands: tuple[int, ...] = field(default=(), converter=_hands)
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
    ) -> Self:
        """Return a set-up with the readings of a preset and the cards dealt equally."""
        return cls(tuple(players), group_lists(groups), **readings(preset))

    def start_form(self) -> DealForm:
        """Return what is known before the first statement."""
        sizes = self.table.sizes
        return start_form(len(self.players), sizes, self.hands, deal_quartet=self.deal_quartet)

    def check(self, event: Event) -> None:
        """Raise `BadInput` for an event that names an unknown player, card or group."""
        self.player(event.by)
        match event:
            case Ask(by, to, card):
                self.player(to)
                self.card(card)
                if by == to:
                    raise BadInput(f"{by} cannot ask {by}; another player is asked")
            case Quartet(_, group):
                self.group(group)

    # Checks

    def _check_names(self) -> None:
        if not 2 <= len(self.players) <= MAX_PLAYERS:
            raise BadInput(f"2 to {MAX_PLAYERS} players can play, not {len(self.players)}")
        for names, what in (
            (self.players, "player"),
            (self.group_names, "group"),
            (self.cards, "card"),
        ):
            check_names(names, what, unnamed=self.invented)
        self.player(self.start)

    def _check_numbers(self) -> None:
        for option in ("ask_own", "silence", "deal_quartet", "stop", "invented"):
            if type(getattr(self, option)) is not bool:
                value = getattr(self, option)
                raise BadInput(f"{option} is yes or no (True or False), not {value!r}")
        for option in ("repetition", "limit"):
            if type(getattr(self, option)) not in (int, type(None)):
                value = getattr(self, option)
                raise BadInput(f"{option} is a whole number or never (None), not {value!r}")
        sizes = [len(cards) for cards in self.groups.values()]
        if not sizes:
            raise BadInput("there are no groups")
        if 0 in sizes:
            raise BadInput(f"the group {self.group_names[sizes.index(0)]!r} has no cards")
        if self.invented and len(set(sizes)) > 1:
            raise BadInput("groups that are named as they come must all have the same size")
        if len(self.hands) != len(self.players):
            raise BadInput(
                f"there are {len(self.players)} players but {plural(len(self.hands), 'hand size')}"
            )
        if min(self.hands) < 0:
            raise BadInput("a hand cannot have a negative number of cards")
        if sum(self.hands) != sum(sizes):
            raise BadInput(f"the hands hold {sum(self.hands)} cards, but there are {sum(sizes)}")
        if self.house not in ("x", "y", "z"):
            raise BadInput(f"the house rule is x, y or z, not {self.house!r}")
        if self.repetition is not None and self.repetition < 2:
            raise BadInput("a position is repeated when it occurs at least twice")
        if self.limit is not None and self.limit < 0:
            raise BadInput("the limit of statements cannot be negative")


def readings(preset: str) -> Readings:
    """Return the readings of a preset.

    Raises
    ------
    BadInput
        The preset does not exist; the message names the nearest.
    """
    try:
        return PRESETS[preset]
    except KeyError:
        raise BadInput(f"no preset is called {preset!r}{listing(PRESETS, preset)}") from None


def check_names(names: Sequence[str], what: str, *, unnamed: bool = False) -> None:
    """Raise `BadInput` for a name that `check_name` refuses, and for a name given twice."""
    for name in names:
        check_name(name, what, unnamed=unnamed)
        if names.count(name) > 1:
            raise BadInput(f"two {what}s are called {name!r}")


def check_name(name: str, what: str, *, unnamed: bool = False) -> None:
    """Raise `BadInput` for a name that could not be read back from a transcript."""
    if not isinstance(name, str):
        raise BadInput(f"a {what} has a name, which is text, not {name!r}")
    if not name.strip() or name != name.strip():
        raise BadInput(f"a {what} has an empty name, or one with blanks around it: {name!r}")
    bad = [mark for mark in ":;,#=\n" + ("" if unnamed else UNNAMED) if mark in name]
    if bad:
        raise BadInput(f"the {what} {name!r} has {bad[0]!r} in its name")


S = TypeVar("S", bound=Setup)


def naming(game: S, group: str, card: str | None = None) -> S:
    """Return the set-up in which a group, and one of its cards, are named.

    Names that are known already remain; a new one replaces the placeholder of a group or card.

    Raises
    ------
    BadInput
        Every group, or every card of the group, has another name already.
    """
    check_name(group, "group")
    groups = dict(game.groups)
    if group not in groups:
        groups = dict(zip(_renamed(tuple(groups), group, "groups"), groups.values(), strict=True))
        groups[group] = tuple(f"{group} {UNNAMED}{c}" for c in range(1, len(groups[group]) + 1))
    if card is not None and card not in groups[group]:
        check_name(card, "card")
        if card in game.cards:
            raise BadInput(f"{card!r} is a card of another group")
        groups[group] = _renamed(groups[group], card, f"cards of {group!r}")
    return evolve(game, groups=groups)


def _renamed(names: Sequence[str], new: str, what: str) -> tuple[str, ...]:
    """Return the names, the first placeholder among them replaced by a new name."""
    unnamed = next((name for name in names if UNNAMED in name), None)
    if unnamed is None:
        known = ", ".join(names)
        raise BadInput(f"all {what} are named already: {known}; none is called {new!r}")
    return tuple(new if name == unnamed else name for name in names)


def with_names(game: S, event: Event) -> tuple[S, Event]:
    """Return a statement in which placeholders are replaced by plain names, and the game with them.

    What has no name yet does not differ, so that the first of it is named.

    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> with_names(game, Ask("Ann", "Ben", "?2.1"))[1]
    Ask(by='Ann', to='Ben', card='a1')
    """
    if isinstance(event, Quartet) and UNNAMED in event.group:
        group = _new_group(game)
        return naming(game, group), evolve(event, group=group)
    if isinstance(event, Ask) and UNNAMED in event.card:
        group = game.group_of(event.card)
        if UNNAMED in group:
            group = _new_group(game)
            game = naming(game, group)
        named = sum(UNNAMED not in card for card in game.groups[group])
        card = _free(f"{group}{named + 1}", game.cards)
        return naming(game, group, card), evolve(event, card=card)
    return game, event


def _new_group(game: Setup) -> str:
    """Return a plain name for the first group that has none."""
    named = sum(UNNAMED not in group for group in game.groups)
    return _free(list(named_groups(game.table.sizes))[named], game.group_names)


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "x"
    return name


def named_by(game: S, log: Sequence[Event]) -> S:
    """Return the game in which only the groups and cards that a log names have a name.

    >>> blank = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> named_by(naming(blank, "fish", "cod"), []) == blank
    True
    """
    if not game.invented:
        return game
    blank = evolve(game, groups=named_groups(game.table.sizes, invented=True))
    for event in log:
        if isinstance(event, Ask):
            blank = naming(blank, game.group_of(event.card), event.card)
        elif isinstance(event, Quartet):
            blank = naming(blank, event.group)
    return blank


def spoken_name(game: Setup, name: str) -> str:
    """Return the name of a card or group, or words for one that has no name yet.

    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> game = naming(game, "fish", "cod")
    >>> [spoken_name(game, name) for name in ("cod", "fish ?2", "?2.1", "?2")]
    ['cod', 'another card of fish', 'a card of a new group', 'a new group']
    """
    if UNNAMED not in name:
        return name
    if name in game.groups:
        return "a new group"
    group = game.group_of(name)
    return "a card of a new group" if UNNAMED in group else f"another card of {group}"
