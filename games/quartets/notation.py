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
``#`` is a comment. JSON lines (`deduce.events`) hold the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from deduce.errors import BadInput
from deduce.text import fold, listing, nearest
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.rules import PRESETS, UNNAMED, Quartets, named_groups, readings

__all__ = [
    "Head",
    "format_event",
    "format_head",
    "format_log",
    "groups_in",
    "heard",
    "lines_of",
    "names_in",
    "parse_event",
    "parse_log",
    "read_head",
]

MOST_CARDS = 1000
NAMED_LATER = "named as they come"

_ASK = re.compile(r"(?P<by>.+?)\s+asks\s+(?P<to>.+?)\s+for\s+(?P<card>.+)$")
_ANSWER = re.compile(r"(?P<by>[^:]+):\s*(?P<yes>\S+)$")
_QUARTET = re.compile(r"(?P<by>.+?)\s+declares\s+(?P<group>.+)$")
_STATEMENTS = "'Ann asks Ben for a1', 'Ben: yes', 'Ben: no', 'Ann declares a'"

Head = Mapping[str, tuple[int, str]]
"""Key of a line of the head -> its line number and its value."""


# One statement


def heard(text: str, game: Quartets) -> tuple[Quartets, Event]:
    """Return the statement of a line, and the game with the names that it brings in.

    Raises
    ------
    BadInput
        No statement, or a name that does not exist, with its column.

    Examples
    --------
    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    >>> game, event = heard("Ann asks Ben for cod of fish", game)
    >>> event.card, game.group_names
    ('cod', ('fish', '?2'))
    """
    line = text.rstrip()
    match = _QUARTET.match(line) or _ASK.match(line) or _ANSWER.match(line)
    if match is None:
        raise BadInput(f"not a statement: {line!r}; there are {_STATEMENTS}", column=1, text=text)
    by = _known(match, "by", game.players, "player")
    if match.re is _ANSWER:
        said = match["yes"].casefold()
        if said not in ("yes", "no"):
            raise BadInput(
                f"{by} answers yes or no, not {match['yes']!r}", column=match.start("yes") + 1
            )
        return game, Answer(by, said == "yes")
    if match.re is _QUARTET:
        return _declared(match, by, game)
    to = _known(match, "to", game.players, "player")
    game, card = _asked(match, game)
    return game, Ask(by, to, card)


def _declared(match: re.Match[str], by: str, game: Quartets) -> tuple[Quartets, Quartet]:
    if not game.invented:
        return game, Quartet(by, _known(match, "group", game.group_names, "group"))
    group = _match_name(match["group"], game.group_names) or match["group"].strip()
    try:
        return game.naming(group), Quartet(by, group)
    except BadInput as error:
        raise error.at(column=match.start("group") + 1) from None


def _asked(match: re.Match[str], game: Quartets) -> tuple[Quartets, str]:
    """Return the card of a question, said as CARD or as CARD of GROUP; names may have "of" too."""
    said = match["card"]
    whole = _match_name(said, game.cards)
    if whole is not None and not game.invented:
        return game, whole
    parts = [(said[: of.start()], said[of.end() :]) for of in re.finditer(r"\s+of\s+", said)]
    for name, group_name in parts:
        group = _match_name(group_name, game.group_names)
        card = group and _match_name(name, game.groups[group])
        if card:
            return game, card
    if whole is not None or not (parts and game.invented):
        return game, _known(match, "card", game.cards, "card")
    known = [pair for pair in parts if _match_name(pair[1], game.group_names)]
    card, group = map(str.strip, (known or parts)[-1])
    group = _match_name(group, game.group_names) or group
    try:
        return game.naming(group, card), card
    except BadInput as error:
        raise error.at(column=match.start("card") + 1) from None


def parse_event(text: str, game: Quartets) -> Event:
    """Return the statement of a line; raises `BadInput` if it brings in a new name."""
    named, event = heard(text, game)
    if named != game:
        raise BadInput(f"nobody has named that before: {text!r}")
    return event


def format_event(event: Event, game: Quartets) -> str:
    """Return a statement as a line.

    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> format_event(Ask("Ann", "Ben", "a1"), game)
    'Ann asks Ben for a1'
    """
    if isinstance(event, Ask):
        of = ""
        if game.invented:
            of = f" of {game.group_names[game.table.group_of[game.card(event.card)]]}"
        return f"{event.by} asks {event.to} for {event.card}{of}"
    if isinstance(event, Answer):
        return f"{event.by}: {'yes' if event.yes else 'no'}"
    return f"{event.by} declares {event.group}"


def _known(match: re.Match[str], part: str, names: Sequence[str], what: str) -> str:
    found = _match_name(match[part], names)
    if found is None:
        known = [name for name in names if UNNAMED not in name]
        near = nearest(match[part], known)
        raise BadInput(
            f"no {what} is called {match[part].strip()!r}{near}{listing(known, near)}",
            column=match.start(part) + 1,
            text=match[part],
        )
    return found


def _match_name(text: str, names: Sequence[str]) -> str | None:
    """Return the name that is meant; capitals, blanks and punctuation need not be exact."""
    text = text.strip()
    if text in names and UNNAMED not in text:
        return text
    close = [name for name in names if fold(name) == fold(text) and UNNAMED not in name]
    return close[0] if len(close) == 1 and fold(text) else None


# A whole transcript


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers, without comments."""
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.partition("#")[0].rstrip()
        if said.strip():
            yield number, said


def parse_log(text: str) -> tuple[Quartets, list[Event]]:
    r"""Return the set-up and the statements of a transcript.

    Raises
    ------
    BadInput
        With line and column, and what would be right.

    Examples
    --------
    >>> head = "quartets\nplayers: Ann, Ben\ngroups: 2 of 2\n"
    >>> game, log = parse_log(head + "Ann asks Ben for a1")
    >>> log
    [Ask(by='Ann', to='Ben', card='a1')]
    """
    lines = list(lines_of(text))
    head, body = read_head(lines, _KEYS)
    game = _game(head)
    if body:
        _check_key(*body[0], game)
    events = []
    for number, line in body:
        try:
            game, event = heard(line.strip(), game)
        except BadInput as error:
            indent = len(line) - len(line.lstrip())
            column = None if error.column is None else error.column + indent
            raise BadInput(error.message, line=number, column=column, text=line) from None
        events.append(event)
    return game, events


def _check_key(number: int, line: str, game: Quartets) -> None:
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

    The first line names the kind of file; then come lines ``key: value`` with known keys.
    """
    head: dict[str, tuple[int, str]] = {}
    first = 1 if lines and ":" not in lines[0][1] else 0
    for place, (number, line) in enumerate(lines[first:], start=first):
        key, colon, value = line.partition(":")
        key = " ".join(key.split())
        name = key if key.startswith("group ") else key.casefold()
        if not colon or not (name in keys or key.startswith("group ")):
            return head, list(lines[place:])
        if name in head:
            raise BadInput(f"{key!r} is said twice; before on line {head[name][0]}", line=number)
        head[name] = (number, value.strip())
    return head, []


def _yes(text: str) -> bool:
    if text.casefold() in ("yes", "no"):
        return text.casefold() == "yes"
    raise BadInput(f"yes or no, not {text!r}")


def _number(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise BadInput(f"a number, not {text!r}")


def _number_or_never(text: str) -> int | None:
    return None if text.casefold() == "never" else _number(text)


_OPTIONS: Mapping[str, Callable[[str], Any]] = {
    "start": str,
    "house": str,
    "ask_own": _yes,
    "silence": _yes,
    "deal_quartet": _yes,
    "stop": _yes,
    "repetition": _number_or_never,
    "limit": _number_or_never,
}
_KEYS = ("players", "groups", "hands", "preset", *_OPTIONS)


def names_in(head: Head, key: str) -> tuple[str, ...]:
    """Return the names of a line of the head, which must be there."""
    if key not in head:
        raise BadInput(f"the head has no line '{key}: ...'; it says who plays with what")
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
    match = re.fullmatch(r"(\d{1,4})\s+of\s+(\d{1,4})", sizes)
    if match is None or (comma and not invented):
        raise BadInput(
            f"groups are said as '8 of 4' or '8 of 4, {NAMED_LATER}', not {value!r}", line=number
        )
    many, size = map(int, match.groups())
    if many * size > MOST_CARDS:
        raise BadInput(f"{many * size} cards are too many; at most {MOST_CARDS}", line=number)
    return named_groups([size] * many, invented=invented), invented


def _game(head: Head) -> Quartets:
    players = names_in(head, "players")
    groups, invented = groups_in(head)
    chosen: dict[str, Any] = {}
    for key, read in {"preset": readings, **_OPTIONS}.items():
        if key in head:
            number, value = head[key]
            try:
                given = read(value)
            except BadInput as error:
                raise BadInput(f"{key}: {error.message}", line=number) from None
            chosen |= given if key == "preset" else {key: given}
    if "hands" in head:
        number, value = head["hands"]
        try:
            chosen["hands"] = tuple(_number(part.strip()) for part in value.split(","))
        except BadInput as error:
            raise error.at(line=number) from None
    try:
        return Quartets(players, groups, **chosen, invented=invented)
    except BadInput as error:
        line = next((n for key, (n, _) in head.items() if key in error.message), None)
        raise error.at(line=line or next(iter(head.values()))[0]) from None


def format_head(game: Quartets) -> str:
    """Return the head of a transcript, without what need not be said."""
    lines = ["quartets", f"players: {', '.join(game.players)}"]
    sizes = {len(cards) for cards in game.groups.values()}
    counted = f"groups: {len(game.groups)} of {min(sizes)}"
    if game.invented:
        lines.append(f"{counted}, {NAMED_LATER}")
    elif len(sizes) == 1 and game.groups == named_groups(game.table.sizes):
        lines.append(counted)
    else:
        lines += [f"group {name}: {', '.join(cards)}" for name, cards in game.groups.items()]
    plain = Quartets(game.players, game.groups, invented=game.invented)
    if game.hands != plain.hands:
        lines.append(f"hands: {', '.join(map(str, game.hands))}")
    for preset, chosen in PRESETS.items():
        if preset != "seed" and all(getattr(game, key) == value for key, value in chosen.items()):
            lines.append(f"preset: {preset}")
            plain = evolve(
                plain,
                ask_own=chosen["ask_own"],
                silence=chosen["silence"],
                deal_quartet=chosen["deal_quartet"],
            )
    for option in _OPTIONS:
        value = getattr(game, option)
        if value != getattr(plain, option):
            if value is None:
                value = "never"
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            lines.append(f"{option}: {value}")
    return "".join(line + "\n" for line in lines)


def format_log(game: Quartets, log: Sequence[Event]) -> str:
    """Return set-up and statements as a transcript, which `parse_log` reads back.

    >>> print(format_log(Quartets(("Ann", "Ben"), named_groups([2, 2])), [Quartet("Ann", "a")]))
    quartets
    players: Ann, Ben
    groups: 2 of 2
    <BLANKLINE>
    Ann declares a
    <BLANKLINE>
    """
    return format_head(game) + "\n" + "".join(format_event(e, game) + "\n" for e in log)
