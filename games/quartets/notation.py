"""Transcripts as text: a head with the set-up, then one statement a line.

::

    quartets
    players: Ann, Ben, Cid
    groups: 3 of 4
    preset: recommended

    Ann asks Ben for a1
    Ben: no
    Ben asks Cid for b2
    Cid: yes
    Ben declares b

``groups: 3 of 4`` names groups a, b, c with cards a1 ... c4; ``group fish: cod, eel, ray, pike``
lines give names; ``groups: 3 of 4, named as they come`` leaves them to the players, who then say
``Ann asks Ben for cod of fish``. Other lines of the head: ``hands``, ``start``, ``house``,
``ask_own``, ``silence``, ``deal_quartet``, ``stop``, ``repetition``, ``limit``. Everything after
``#`` is a comment. JSON lines (`deduce.logs.events`) hold the same.

A statement may leave out the player who has to speak: ``Ben a1``, ``ask Ben a1`` or ``ask Ben for
a1``; ``yes``, ``y``, ``no`` or ``n``; ``declare b``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve

from deduce.errors import BadInput, placed
from deduce.logs.events import Log
from deduce.system.text import fold, listing, nearest, whole_number
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.position import Position, position_after, positions_of, start_position
from games.quartets.setup import PRESETS, UNNAMED, Setup, named_groups, naming, readings

__all__ = [
    "Head",
    "format_event",
    "format_head",
    "format_log",
    "groups_in",
    "lines_of",
    "names_in",
    "parse_event",
    "parse_log",
    "parse_next",
    "parse_statement",
    "read_head",
]

S = TypeVar("S", bound=Setup)

MAX_CARDS = 1000
NAMED_LATER = "named as they come"

_ASK = re.compile(r"(?P<by>.+?)\s+asks\s+(?P<to>.+?)\s+for\s+(?P<card>.+)$")
_ANSWER = re.compile(r"(?P<by>[^:]+):\s*(?P<yes>\S+)$")
_QUARTET = re.compile(r"(?P<by>.+?)\s+declares\s+(?P<group>.+)$")
_SHORT_QUARTET = re.compile(r"declares?\s+(?P<group>.+)$", re.IGNORECASE)
_SHORT_ASK = re.compile(r"(?P<ask>asks?\s+)?(?P<rest>\S.*)$", re.IGNORECASE)
_YES = {"yes": True, "y": True, "no": False, "n": False}
_STATEMENTS = "'Ann asks Ben for a1', 'Ben: yes', 'Ben: no', 'Ann declares a'"

Head = Mapping[str, tuple[int, str]]
"""Key of a line of the head -> its line number and its value."""


# One statement


def parse_statement(text: str, game: S, speaker: Callable[[], str]) -> tuple[S, Event]:
    """Return the statement of a line, and the game with the names that it introduces.

    Parameters
    ----------
    text
        A statement in full, or without the player who has to speak.
    game
        The set-up.
    speaker
        Returns the player who has to speak; called only for a short statement.

    Raises
    ------
    BadInput
        The line is not a statement, or has an unknown name; with the column.

    Examples
    --------
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> game, event = parse_statement("ask Ben for cod of fish", game, lambda: "Ann")
    >>> event, game.group_names
    (Ask(by='Ann', to='Ben', card='cod'), ('fish', '?2'))
    """
    line = text.strip()
    match = _QUARTET.match(line) or _ASK.match(line) or _ANSWER.match(line)
    if match is None:
        return _short_statement(line, game, speaker)
    by = _known(match, "by", game.players, "player")
    if match.re is _ANSWER:
        answer = match["yes"].casefold()
        if answer not in ("yes", "no"):
            raise BadInput(
                f"{by} answers yes or no, not {match['yes']!r}", column=match.start("yes") + 1
            )
        return game, Answer(by, answer == "yes")
    if match.re is _QUARTET:
        game, group = _declared(match, game)
        return game, Quartet(by, group)
    to = _known(match, "to", game.players, "player")
    game, card = _asked(match["card"], match.start("card"), game)
    return game, Ask(by, to, card)


def _short_statement(line: str, game: S, speaker: Callable[[], str]) -> tuple[S, Event]:
    """Return the statement of a line that does not name its speaker."""
    if line.casefold() in _YES:
        return game, Answer(speaker(), _YES[line.casefold()])
    declared = _SHORT_QUARTET.match(line)
    if declared:
        game, group = _declared(declared, game)
        return game, Quartet(speaker(), group)
    asked = _SHORT_ASK.match(line)
    rest = asked["rest"] if asked else ""
    for to in sorted(game.players, key=len, reverse=True):
        if asked and rest.casefold().startswith(to.casefold() + " "):
            card = rest[len(to) :].strip()
            preposition = re.match(r"for\s+", card, re.IGNORECASE)
            if preposition and _match_name(card, game.cards) is None:
                card = card[preposition.end() :]
            game, card = _asked(card, len(line) - len(card), game)
            return game, Ask(speaker(), to, card)
    if asked and asked["ask"]:
        known = listing(game.players)
        message = f"no player to ask in {line!r}{known}; a question is 'ask Ben for a1'"
        raise BadInput(message, column=asked.start("rest") + 1, text=line)
    raise BadInput(f"not a statement: {line!r}; there are {_STATEMENTS}", column=1, text=line)


def _declared(match: re.Match[str], game: S) -> tuple[S, str]:
    if not game.invented:
        return game, _known(match, "group", game.group_names, "group")
    group = _match_name(match["group"], game.group_names) or match["group"].strip()
    with placed(column=match.start("group") + 1):
        return naming(game, group), group


def _asked(text: str, column: int, game: S) -> tuple[S, str]:
    """Return the card of a question: CARD or CARD of GROUP, where names may contain "of" too."""
    whole = _match_name(text, game.cards)
    if whole is not None and not game.invented:
        return game, whole
    parts = [(text[: of.start()], text[of.end() :]) for of in re.finditer(r"\s+of\s+", text)]
    for name, group_name in parts:
        group = _match_name(group_name, game.group_names)
        card = group and _match_name(name, game.groups[group])
        if card:
            return game, card
    if whole is not None or not (parts and game.invented):
        return game, _known_name(text, column, game.cards, "card")
    known = [pair for pair in parts if _match_name(pair[1], game.group_names)]
    card, group = map(str.strip, (known or parts)[-1])
    group = _match_name(group, game.group_names) or group
    with placed(column=column + 1):
        return naming(game, group, card), card


def parse_event(text: str, game: Setup) -> Event:
    """Return the statement of a line in full; raises `BadInput` if it introduces a new name."""

    def no_speaker() -> str:
        raise BadInput(f"the player is missing in {text.strip()!r}; there are {_STATEMENTS}")

    named, event = parse_statement(text, game, no_speaker)
    if named != game:
        raise BadInput(f"a name in {text.strip()!r} was not introduced before")
    return event


def parse_next(text: str, game: S, log: Sequence[Event]) -> tuple[S, Event]:
    """Return the statement of a line after a log, and the game with the names that it introduces.

    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> parse_next("yes", game, [Ask("Ann", "Ben", "a1")])[1]
    Answer(by='Ben', yes=True)
    """

    def speaker() -> str:
        return game.players[positions_of(game, log)[-1].speaker()]

    return parse_statement(text, game, speaker)


def format_event(event: Event, game: Setup) -> str:
    """Return a statement as a line.

    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> format_event(Ask("Ann", "Ben", "a1"), game)
    'Ann asks Ben for a1'
    """
    if isinstance(event, Ask):
        of = ""
        if game.invented:
            of = f" of {game.group_of(event.card)}"
        return f"{event.by} asks {event.to} for {event.card}{of}"
    if isinstance(event, Answer):
        return f"{event.by}: {'yes' if event.yes else 'no'}"
    return f"{event.by} declares {event.group}"


def _known(match: re.Match[str], part: str, names: Sequence[str], what: str) -> str:
    return _known_name(match[part], match.start(part), names, what)


def _known_name(text: str, column: int, names: Sequence[str], what: str) -> str:
    name = _match_name(text, names)
    if name is None:
        known = [name for name in names if UNNAMED not in name]
        raise BadInput(
            f"no {what} is called {text.strip()!r}{listing(known, text)}",
            column=column + 1,
            text=text,
        )
    return name


def _match_name(text: str, names: Sequence[str]) -> str | None:
    """Return the name that is meant; case, blanks and punctuation need not be exact."""
    text = text.strip()
    if text in names and UNNAMED not in text:
        return text
    close = [name for name in names if fold(name) == fold(text) and UNNAMED not in name]
    return close[0] if len(close) == 1 and fold(text) else None


# A whole transcript


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers, without comments."""
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].rstrip()
        if content.strip():
            yield number, content


def parse_log(text: str, setup_class: type[Setup]) -> Log:
    r"""Return the set-up and the statements of a transcript, with the line of each statement.

    Parameters
    ----------
    text
        The transcript.
    setup_class
        The class of the set-up to make.

    Raises
    ------
    BadInput
        With line and column, and what would be right.

    Examples
    --------
    >>> head = "quartets\nplayers: Ann, Ben\ngroups: 2 of 2\n"
    >>> parse_log(head + "Ann asks Ben for a1\nno", Setup).events
    (Ask(by='Ann', to='Ben', card='a1'), Answer(by='Ben', yes=False))
    """
    head, body = read_head(list(lines_of(text)), _KEYS)
    game = _setup(head, setup_class)
    if body:
        _check_key(*body[0], game)
    events: list[Event] = []
    positions: list[Position] = []

    def speaker() -> str:
        if not positions:
            positions.append(start_position(game))
        for event in events[len(positions) - 1 :]:
            positions.append(position_after(game, positions[-1], event))
        return game.players[positions[-1].speaker()]

    for number, line in body:
        try:
            game, event = parse_statement(line, game, speaker)
        except BadInput as error:
            indent = len(line) - len(line.lstrip())
            column = None if error.column is None else error.column + indent
            raise BadInput(error.message, line=number, column=column, text=line) from None
        events.append(event)
    return Log(game, events, [number for number, _ in body])


def _check_key(number: int, line: str, game: Setup) -> None:
    """Raise `BadInput` if the first line after the head is a line of the head, misspelt."""
    key, colon, _ = line.partition(":")
    if colon and not _ASK.match(line) and _match_name(key, game.players) is None:
        keys = (*_KEYS, "group NAME")
        message = f"no line of the head is called {key.strip()!r}{nearest(key.casefold(), keys)}"
        raise BadInput(f"{message} ({', '.join(keys)})", line=number, column=1, text=line)


def read_head(
    lines: Sequence[tuple[int, str]], keys: Sequence[str]
) -> tuple[Head, list[tuple[int, str]]]:
    """Return the head of a file, and the lines after it.

    The first line names the kind of file; it is followed by lines ``key: value`` with known keys.
    """
    head: dict[str, tuple[int, str]] = {}
    first = 1 if lines and ":" not in lines[0][1] else 0
    for index, (number, line) in enumerate(lines[first:], start=first):
        key, colon, value = line.partition(":")
        key = " ".join(key.split())
        name = key if key.startswith("group ") else key.casefold()
        if not colon or not (name in keys or key.startswith("group ")):
            return head, list(lines[index:])
        if name in head:
            raise BadInput(f"{key!r} is given twice, before on line {head[name][0]}", line=number)
        head[name] = (number, value.strip())
    return head, []


_TEXTS = ("start", "house")
_FLAG, _NEVER = {"yes": True, "no": False}, {"never": None}
_OPTIONS: Mapping[str, Mapping[str, bool | None]] = {
    **{key: {} for key in _TEXTS},
    **dict.fromkeys(("ask_own", "silence", "deal_quartet", "stop"), _FLAG),
    **dict.fromkeys(("repetition", "limit"), _NEVER),
}
_KEYS = ("players", "groups", "hands", "preset", *_OPTIONS)


def _value(text: str, words: Mapping[str, bool | None]) -> object:
    """Return what a value of the head states: what one of some words means, a number, or text."""
    number = whole_number(text, digits=9)
    return words.get(text.casefold(), text) if number is None else number


def names_in(head: Head, key: str) -> tuple[str, ...]:
    """Return the names in a line of the head, which must exist."""
    if key not in head:
        raise BadInput(f"the head has no line '{key}: ...'; with the names of the players or cards")
    return tuple(name.strip() for name in head[key][1].split(","))


def groups_in(head: Head) -> tuple[dict[str, tuple[str, ...]], bool]:
    """Return the groups of a head, and whether they are named as they come."""
    named = {key[6:]: line for key, line in head.items() if key.startswith("group ")}
    if named and "groups" in head:
        raise BadInput("groups are named one by one or counted, not both", line=head["groups"][0])
    if named:
        return {
            name: tuple(card.strip() for card in value.split(","))
            for name, (_, value) in named.items()
        }, False
    if "groups" not in head:
        raise BadInput("the head has no line 'groups: 8 of 4', and no 'group NAME: card, card'")
    number, value = head["groups"]
    sizes, comma, later = (part.strip() for part in value.partition(","))
    invented = fold(later) == fold(NAMED_LATER)
    match = re.fullmatch(r"([0-9]{1,4})\s+of\s+([0-9]{1,4})", sizes)
    if match is None or (comma and not invented):
        raise BadInput(
            f"groups are given as '8 of 4' or '8 of 4, {NAMED_LATER}', not {value!r}", line=number
        )
    count, size = map(int, match.groups())
    if count * size > MAX_CARDS:
        raise BadInput(f"{count * size} cards are too many; at most {MAX_CARDS}", line=number)
    return named_groups([size] * count, invented=invented), invented


def _setup(head: Head, setup_class: type[Setup]) -> Setup:
    players = names_in(head, "players")
    groups, invented = groups_in(head)
    given = {key: value for key, (_, value) in head.items()}
    chosen: dict[str, Any] = {}
    if "preset" in given:
        with placed(line=head["preset"][0]):
            chosen |= readings(given["preset"])
    for key, words in _OPTIONS.items():
        if key in given:
            chosen[key] = given[key] if key in _TEXTS else _value(given[key], words)
    if "hands" in given:
        chosen["hands"] = tuple(_value(part.strip(), {}) for part in given["hands"].split(","))
    try:
        return setup_class(players, groups, **chosen, invented=invented)
    except BadInput as error:
        line = next((n for key, (n, _) in head.items() if key in error.message), None)
        raise error.at(line=line or next(iter(head.values()))[0]) from None


def format_head(game: Setup) -> str:
    """Return the head of a transcript, without the options that have their default."""
    lines = ["quartets", f"players: {', '.join(game.players)}"]
    sizes = {len(cards) for cards in game.groups.values()}
    counted = f"groups: {len(game.groups)} of {min(sizes)}"
    if game.invented:
        lines.append(f"{counted}, {NAMED_LATER}")
    elif len(sizes) == 1 and game.groups == named_groups(game.table.sizes):
        lines.append(counted)
    else:
        lines += [f"group {name}: {', '.join(cards)}" for name, cards in game.groups.items()]
    plain = Setup(game.players, game.groups, invented=game.invented)
    if game.hands != plain.hands:
        lines.append(f"hands: {', '.join(map(str, game.hands))}")
    for preset, chosen in PRESETS.items():
        if preset != "literal" and all(
            getattr(game, key) == value for key, value in chosen.items()
        ):
            lines.append(f"preset: {preset}")
            plain = evolve(plain, **chosen)
    for option in _OPTIONS:
        value = getattr(game, option)
        if value != getattr(plain, option):
            words = (word for word, meaning in _OPTIONS[option].items() if meaning is value)
            lines.append(f"{option}: {next(words, value)}")
    return "".join(line + "\n" for line in lines)


def format_log(game: Setup, log: Sequence[Event]) -> str:
    """Return set-up and statements as a transcript, which `parse_log` reads back.

    >>> print(format_log(Setup(("Ann", "Ben"), named_groups([2, 2])), [Quartet("Ann", "a")]))
    quartets
    players: Ann, Ben
    groups: 2 of 2
    <BLANKLINE>
    Ann declares a
    <BLANKLINE>
    """
    return format_head(game) + "\n" + "".join(format_event(e, game) + "\n" for e in log)
