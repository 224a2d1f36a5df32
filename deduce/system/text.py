"""Text that people type or read, and tables of names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, TypeVar

from deduce.errors import BadInput

__all__ = [
    "ByTypedName",
    "aligned",
    "by_name",
    "capital",
    "check_known",
    "check_names",
    "closest",
    "first_words",
    "fitting",
    "fold",
    "join",
    "listing",
    "name_of",
    "nearest",
    "one_line",
    "pick",
    "plural",
    "visible",
    "whole_number",
    "words",
    "world_line",
]


MAX_LISTED = 12
"""Up to this many names are listed in a message; of more, half as many."""


def aligned(rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,)) -> list[str]:
    """Return the rows as lines with columns of one width, two blanks between them.

    Parameters
    ----------
    rows
        Cells of one line each, the same number in every row. What is wide in a terminal (Chinese
        characters, for one) or takes no room there is measured so.
    left
        The columns that are flush left; the others are flush right.

    Examples
    --------
    >>> for line in aligned([("card", "Ann"), ("Rope", "yes"), ("Lead Piping", "33%")]):
    ...     print(line)
    card         Ann
    Rope         yes
    Lead Piping  33%
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cell_len(cell))
            cells.append(cell + gap if place in left else gap + cell)
        lines.append("  ".join(cells).rstrip())
    return lines


@lru_cache(maxsize=1000)
def fold(name: str) -> str:
    """Return the name without case, accents, blanks and punctuation, for forgiving comparison.

    >>> fold("Prof. Plum"), fold("Zoë")
    ('profplum', 'zoe')
    """
    parts = unicodedata.normalize("NFKD", name)
    return re.sub(r"[\W_]+", "", parts).casefold()


def visible(text: str) -> str:
    r"""Return the text for people, with escapes for what would act on a terminal unseen.

    That is every control character but the newline, and what turns the direction of writing: a
    name in a file from elsewhere must not clear the screen or hide the text after it.

    >>> print(visible("A\x1b[31mnn has Rope"))
    A\x1b[31mnn has Rope
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def capital(text: str) -> str:
    """Return the text as the beginning of a sentence; ``x``, ``c10`` or the word ``crane:`` stays.

    >>> capital("neither has Rope"), capital("x is 1"), capital("crane: bygbb"), capital("")
    ('Neither has Rope', 'x is 1', 'crane: bygbb', '')
    """
    first = text.partition(" ")[0].rstrip(",;")
    return text[0].upper() + text[1:] if len(first) > 1 and first.isalpha() else text


def first_words(texts: Iterable[str]) -> str:
    """Return the words with which all texts begin.

    >>> first_words(["Seat 1, card 1", "Seat 1, card 4"]), first_words(["a", "b"])
    ('Seat 1, card', '')
    """
    together = zip(*(text.split() for text in texts), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len({*words}) == 1, together))


def one_line(text: object) -> str:
    r"""Return the text with its lines after each other.

    >>> one_line("no world is possible\n  event 1: a is 1\n")
    'no world is possible; event 1: a is 1'
    """
    return "; ".join(line.strip() for line in str(text).splitlines() if line.strip())


_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def whole_number(text: str, *, digits: int = 9, signed: bool = False) -> int | None:
    """Return the whole number that a text of ASCII digits states, else ``None``.

    Every reader of numbers uses it: `int` also takes ``"1_0"``, blanks and digits of other
    scripts, and fails on ``"²"``, which ``str.isdigit`` accepts, and on thousands of digits.

    Parameters
    ----------
    text
        What was typed.
    digits
        The maximum number of digits.
    signed
        Whether a sign may come first.

    Examples
    --------
    >>> whole_number("12"), whole_number("-3", signed=True)
    (12, -3)
    >>> whole_number("-3"), whole_number("5²"), whole_number("1_0"), whole_number("9" * 5000)
    (None, None, None, None)
    """
    unsigned = text[1:] if signed and text[:1] in ("+", "-") else text
    if not (unsigned.isascii() and unsigned.isdecimal() and len(unsigned) <= digits):
        return None
    return int(text)


def join(items: Sequence[str], word: str = "and") -> str:
    """Return the items as a person lists them.

    >>> join(["Rope", "Hall", "Plum"], "or")
    'Rope, Hall or Plum'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def plural(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, in the plural where English wants it.

    >>> plural(1, "event"), plural(1234, "world"), plural(0, "match", "matches")
    ('1 event', '1,234 worlds', '0 matches')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def check_known(what: str, name: str, names: Collection[str]) -> None:
    """Refuse a name that is not one of some names.

    Raises
    ------
    BadInput
        It is not; the message lists the names.

    Examples
    --------
    >>> check_known("card", "Rope", ["Rope", "Hall"])
    """
    if name not in names:
        raise BadInput(f"no {what} is called {name!r}{listing(names, name)}")


def check_names(
    what: str, names: Sequence[str], low: int, high: int, *, taken: Collection[str] = ()
) -> None:
    """Refuse names that are not different single words, and too few or too many of them.

    Raises
    ------
    BadInput
        They are so, or one of them is ``taken`` by something else.

    Examples
    --------
    >>> check_names("player", ["Ann", "Ben"], 2, 5)
    """
    if not low <= len(names) <= high:
        raise BadInput(f"{low} to {high} {what}s, not {len(names)}")
    if not all(isinstance(name, str) and len(name.split()) == 1 for name in names):
        raise BadInput(f"the name of a {what} is one word")
    if len({*names, *taken}) != len(names) + len({*taken}):
        other = f", and not {join([*taken], 'or')}" if taken else ""
        raise BadInput(f"the {what}s have different names{other}")


def nearest(word: str, names: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest of the names, or an empty string.

    >>> nearest("ropp", ["Rope", "Hall"]), nearest("Dan", ["Ann", "Ben"])
    ("; did you mean 'Rope'?", '')
    """
    close = closest(word, {fold(name): name for name in names})
    return f"; did you mean {close!r}?" if close else ""


def closest(word: str, names: Mapping[str, str]) -> str:
    """Return the name that a typed word may mean, else an empty string.

    Parameters
    ----------
    word
        What was typed.
    names
        The names by how they are typed, folded.

    Examples
    --------
    >>> closest("bne", {"ben": "Ben", "dora": "Dora"}), closest("sat", {"cpsat": "cpsat"})
    ('Ben', '')
    """
    from difflib import get_close_matches

    typed = fold(word)
    for close in get_close_matches(typed, names, n=1, cutoff=0.6):
        swapped = sorted(close) == sorted(typed)
        if swapped or len(typed) > SHORT or get_close_matches(typed, [close], cutoff=0.8):
            return names[close]
    return ""


SHORT = 3
"""Of words of so few letters, only those with the same letters, or nearly, are alike."""


def listing(names: Iterable[str], typed: object = "") -> str:
    """Return what may be meant, for the end of a message: the nearest of the names, and the names.

    Parameters
    ----------
    names
        What could be meant.
    typed
        What is none of them. If a name is near, many names are not listed; else the first are.

    Examples
    --------
    >>> listing(["Ann", "Ben"], "bne"), listing(map(str, range(20)))
    ("; did you mean 'Ben'? (Ann, Ben)", ' (0, 1, 2, 3, 4, 5 and 14 more)')
    """
    known = list(dict.fromkeys(names))
    near = nearest(str(typed), known)
    if len(known) <= MAX_LISTED:
        return f"{near} ({', '.join(known)})" if known else near
    first = known[: MAX_LISTED // 2]
    return near or f" ({', '.join(first)} and {len(known) - len(first)} more)"


@lru_cache(maxsize=1000)
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name without case, accents and apostrophes.

    >>> words("Colonel O'Hara")
    ('colonel', 'ohara')
    """
    parts = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in parts if not unicodedata.combining(c) and c not in "'’`")
    return tuple(re.findall(r"[^\W_]+", plain.casefold()))


def fitting(typed: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a typed text fits best: none, one or several.

    A name may be typed in any case and shortened: a beginning of the name or of any of its words
    (``plum``), beginnings of several words in order (``col must``), initials (``br``), with or
    without blanks, accents and punctuation. What fits better hides what fits worse: the name
    letter by letter, the name but for case and punctuation, whole words or initials, beginnings.
    A number is never shortened, nor is its sign or point left out, nor a sign such as ``<``.

    >>> cards = ["Professor Plum", "Billiard Room", "Ballroom", "Rope"]
    >>> fitting("br", cards), fitting("b", cards), fitting("ROPE", cards)
    (('Billiard Room',), ('Billiard Room', 'Ballroom'), ('Rope',))
    """
    return (typed,) if typed in names else _fitting(typed, tuple(names))


@lru_cache(maxsize=10_000)
def _fitting(typed: str, names: tuple[str, ...]) -> tuple[str, ...]:
    whole, parts = fold(typed), words(typed)
    if not whole:
        squeezed = "".join(typed.split())
        return tuple(name for name in names if squeezed and "".join(name.split()) == squeezed)
    ways: tuple[Callable[[str], bool], ...] = (
        lambda name: "".join(name.split()).casefold() == "".join(typed.split()).casefold(),
        lambda name: fold(name) == whole,
        lambda name: _in_order(parts, words(name), whole=True) or whole == _initials(words(name)),
        lambda name: _begins(fold(name), whole) or _in_order(parts, words(name), whole=False),
    )
    means = [
        name
        for name in names
        if _SIGNS.intersection(typed) <= set(name) and not _NUMBER.fullmatch(name)
    ]
    found = (tuple(filter(way, means)) for way in ways)
    return next((names for names in found if names), ())


_NUMBER = re.compile(r"[+-]?[0-9]+([./][0-9]+)?")
_SIGNS = frozenset("<>=!~¬+")


def _begins(name: str, typed: str) -> bool:
    """Return whether a name begins with a text that does not end within a number of it."""
    rest = name[len(typed) :]
    return name.startswith(typed) and not (typed[-1:].isdigit() and rest[:1].isdigit())


def _in_order(typed: Sequence[str], words: Sequence[str], *, whole: bool) -> bool:
    """Return whether each typed word is (the beginning of) some word of the name, in order."""
    left = iter(words)
    return bool(typed) and all(
        any(of == word if whole else _begins(of, word) for of in left) for word in typed
    )


def _initials(words: Sequence[str]) -> str:
    first = "".join(word[:1] for word in words if not word.isdigit() or len(word) == 1)
    return first if 1 < len(first) == len(words) else ""


def pick(word: str, names: Iterable[str], what: str = "name") -> str:
    """Return the one name that a typed word means, by the rule of `fitting`.

    Parameters
    ----------
    word
        What was typed.
    names
        What could be meant.
    what
        What the names are, for the message.

    Raises
    ------
    BadInput
        The word means no name (the nearest is shown) or several (they are shown).

    Examples
    --------
    >>> cards = ["Professor Plum", "Rope", "Lead Piping"]
    >>> pick("plum", cards), pick("ro", cards), pick("lead-piping", cards)
    ('Professor Plum', 'Rope', 'Lead Piping')
    """
    listed = list(dict.fromkeys(names))
    found = fitting(word, listed)
    if len(found) > 1:
        raise BadInput(f"{word!r} may mean {join(found, 'or')}; type more of the {what}")
    if found:
        return found[0]
    raise BadInput(f"no {what} is called {word!r}{listing(listed, word)}")


def name_of(thing: Hashable) -> str:
    """Return a variable, value or player as people type it.

    >>> name_of("Rope"), name_of((1, 12))
    ('Rope', '1,12')

    A class of tuples of its own has the name that its ``__str__`` returns.
    """
    if type(thing) is tuple:
        return ",".join(map(name_of, thing))
    return str(thing)


Named = TypeVar("Named", bound=Hashable)
Held = TypeVar("Held")


def by_name(things: Iterable[Named]) -> dict[str, Named]:
    """Return the things by name; if two have the same name, or one has none, by their ``repr``.

    >>> by_name([1, 2]), by_name([1, "1"])
    ({'1': 1, '2': 2}, {'1': 1, "'1'": '1'})
    """
    listed = list(things)
    named = {name_of(thing): thing for thing in listed}
    is_clear = len(named) == len(listed) and all(map(str.strip, named))
    return named if is_clear else {repr(thing): thing for thing in listed}


class ByTypedName(dict[Named, Held]):
    """A dictionary whose keys may also be typed as in a claim (see `pick`).

    Parameters
    ----------
    items
        What the dictionary holds.
    known
        All that can be typed; by default the keys. A name means the same whatever is held.

    Raises
    ------
    KeyError
        No key, or several, fit what was typed; the message lists what would be right.

    Examples
    --------
    >>> holders = ByTypedName({"Professor Plum": "Ann", "Rope": "Ben"})
    >>> holders["plum"], holders.get("rope"), "plum" in holders
    ('Ann', 'Ben', False)
    """

    def __init__(
        self,
        items: Mapping[Named, Held] | Iterable[tuple[Named, Held]] = (),
        known: Iterable[Named] | None = None,
    ) -> None:
        super().__init__(items)
        self._known = None if known is None else tuple(known)

    def __missing__(self, typed: Named) -> Held:
        if not isinstance(typed, str):
            raise KeyError(typed)
        names = by_name(self if self._known is None else self._known)
        try:
            meant = names[pick(typed, names, "variable")]
        except BadInput as error:
            raise KeyError(str(error)) from None
        if meant not in self:
            raise KeyError(f"{meant} is not among them, because it is not certain")
        return self[meant]

    def get(self, key: Named, default: Any = None) -> Any:
        """Return what is held for a key, typed or not; else the default."""
        try:
            return self[key]
        except KeyError:
            return default


def world_line(world: Mapping[Named, Hashable]) -> str:
    """Return the value of each variable as ``variable=value, ...``.

    >>> world_line({"Rope": "Ann", (1, 2): 3})
    'Rope=Ann, 1,2=3'
    """
    return ", ".join(f"{name}={name_of(world[of])}" for name, of in by_name(world).items())
