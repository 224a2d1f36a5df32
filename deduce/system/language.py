"""The language of sentences: keys and values in, a sentence out of a message catalogue.

A package keeps its sentences in a package ``catalogues``, in one gettext file for each language, so
another language is another file (``de.po``). What a program names is a key, which says where a
sentence is used and does not change with its words. A sentence has named places for values, and
may have plural forms, of which the value ``n`` selects one. A key may be preceded by a scope,
``cluedo/view.sheet``: the sentence of a game that stands for the one of all games.

The files are read as they are, so nothing has to be compiled, and only in the language that is
spoken. `speaking` chooses it; without it all is English.

>>> say = Texts()
>>> say("list.and", first="Rope, Hall", last="Plum")
'Rope, Hall and Plum'
>>> with speaking("de"):
...     say("list.and", first="Rope, Hall", last="Plum"), number_text(12_000), spoken()
('Rope, Hall und Plum', '12.000', 'de')
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache

from attrs import frozen

__all__ = [
    "ENGLISH",
    "Catalogue",
    "Message",
    "Texts",
    "catalogue",
    "chosen",
    "decimal_text",
    "languages",
    "listed",
    "number_text",
    "of_system",
    "speaking",
    "spoken",
]

ENGLISH = "en"
"""The default language, and the fallback where another language lacks a sentence."""

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def spoken() -> str:
    """Return the language that is spoken now, such as ``"en"``."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language in what follows, in this thread or task; an unknown one is English."""
    known = language == ENGLISH or language in languages()
    token = _spoken.set(language if known else ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages of which deduce has a catalogue, English first.

    >>> languages()[:2]
    ('en', 'de')
    """
    from importlib.resources import files

    names = sorted(
        entry.name.removesuffix(".po")
        for entry in files("deduce.catalogues").iterdir()
        if entry.name.endswith(".po")
    )
    return (ENGLISH, *(name for name in names if name != ENGLISH))


def chosen(wanted: Iterable[str]) -> str:
    """Return the first of some languages that can be spoken; English if none can.

    >>> chosen(["pt-BR", "de_AT.UTF-8", "en"]), chosen(["C"])
    ('de', 'en')
    """
    bases = (re.split(r"[-_.@]", tag.strip().lower())[0] for tag in wanted)
    return next((base for base in bases if base in languages()), ENGLISH)


def of_system(environment: Mapping[str, str]) -> str:
    """Return the language that the environment of a program wants, as gettext finds it.

    >>> of_system({"LANG": "de_DE.UTF-8"}), of_system({"LANG": "de_DE", "LC_ALL": "C"})
    ('de', 'en')
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    if locale.split(".")[0] in ("", "C", "POSIX"):
        return ENGLISH
    return chosen([*environment.get("LANGUAGE", "").split(":"), locale])


@frozen
class Catalogue:
    """The sentences of a package in a language: key -> a sentence, or its plural forms."""

    messages: Mapping[str, Sequence[str]]
    form: Callable[[int], int]
    """Returns which form a number has."""


@cache
def catalogue(package: str, language: str) -> Catalogue:
    """Return a catalogue of a package, which is empty if the package has none.

    Notes
    -----
    Of the format of gettext it reads what catalogues need: entries with a key, perhaps plural
    forms, and comments; an empty line between two entries.
    """
    from gettext import c2py
    from importlib.resources import files

    try:
        text = (files(f"{package}.catalogues") / f"{language}.po").read_text(encoding="utf-8")
    except (FileNotFoundError, ModuleNotFoundError):
        return Catalogue({}, lambda number: 0)
    entries = [_entry(block) for block in text.split("\n\n")]
    messages = {each["msgid"]: [v for k, v in each.items() if k.startswith("msgstr")]
                for each in entries if "msgid" in each}  # fmt: skip
    plural = re.search(r"plural=([^;\n]+)", messages.pop("")[0])
    return Catalogue(messages, c2py(plural[1] if plural else "n != 1"))


def _entry(block: str) -> dict[str, str]:
    """Return the fields of an entry; each is quoted, over one or several lines."""
    fields: dict[str, str] = {}
    name = ""
    for line in block.splitlines():
        if not line.startswith("#"):
            field, quote, rest = line.partition('"')
            name = field.strip() or name
            fields[name] = fields.get(name, "") + json.loads(quote + rest)
    return fields


@lru_cache(maxsize=8000)
def _found(
    language: str, package: str, scope: str, key: str
) -> tuple[Sequence[str], Callable[[int], int]] | None:
    """Return the forms of a message, of the scope before those of all, and what selects one."""
    places = [(package, f"{scope}/{key}"), ("deduce", f"{scope}/{key}"), (package, key)]
    for where, name in dict.fromkeys([*places, ("deduce", key)]):
        for tongue in (language, ENGLISH):
            book = catalogue(where, tongue)
            if name in book.messages:
                return book.messages[name], book.form
    return None


@frozen
class Message:
    """A sentence as data: the key of a message, and its values."""

    key: str
    values: Mapping[str, object] = {}


@frozen
class Texts:
    """The sentences of a package, and of a scope in it, before those of all.

    Parameters
    ----------
    scope
        Precedes a key, such as the name of a game.
    package
        The package in which ``catalogues`` is.
    """

    scope: str = ""
    package: str = "deduce"

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a sentence in the language that is spoken; numbers have separators.

        Raises
        ------
        KeyError
            No catalogue has the message, or a value is missing.
        """
        shown = {name: self.shown(value) for name, value in values.items()}
        return self.form(key, values.get("n", 1)).format(**shown)

    def form(self, key: str, number: object = 1) -> str:
        """Return a message as it stands in the catalogue, in its form for a number.

        Raises
        ------
        KeyError
            No catalogue has the message.
        """
        found = _found(_spoken.get(), self.package, self.scope, key)
        if found is None:
            raise KeyError(key)
        forms, form = found
        return forms[form(number) if len(forms) > 1 and isinstance(number, int) else -1]

    def has(self, key: str) -> bool:
        """Return whether there is such a message."""
        return _found(_spoken.get(), self.package, self.scope, key) is not None

    def message(self, message: Message) -> str:
        """Return the sentence of a message; its key itself if no catalogue has it any more."""
        try:
            return self(message.key, **message.values)
        except (KeyError, IndexError):
            return message.key

    def shown(self, value: object) -> str:
        """Return a value as it stands in a sentence."""
        return number_text(value) if type(value) is int else str(value)


_say = Texts()


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return the items as a person lists them: with ``"and"``, ``"or"``, ``"neither"``, ``"none"``.

    >>> listed(["Rope", "Hall", "Plum"], "or"), listed(["Rope", "Hall"], "neither")
    ('Rope, Hall or Plum', 'neither Rope nor Hall')
    >>> listed(["Rope", "Hall", "Plum"], "neither")
    'none of Rope, Hall and Plum'
    """
    if len(items) < 2:
        return "".join(items)
    if word == "neither" and len(items) > 2:
        word = "none"
    return _say(f"list.{word}", first=", ".join(items[:-1]), last=items[-1])


POWERS = ("", "", "million", "billion", "trillion", "quadrillion", "quintillion")
"""The keys of the powers of a thousand."""


def number_text(value: int) -> str:
    """Return a number with separators; a large one rounded to three digits, in words.

    >>> number_text(-12_000), number_text(1_313_225_156_250), number_text(10**21)
    ('-12,000', '1.31 trillion', '1.00e+21')
    """
    if abs(value) < 10**7:
        return f"{value:,}" if abs(value) < 1000 else decimal_text(f"{value:,}")
    if abs(value) >= 10**21:
        large = f"{value:.2e}" if abs(value) < 10**300 else f"10^{len(str(value)) - 1}"
        return decimal_text(large)
    power = (len(str(abs(value))) - 1) // 3
    return _say(f"number.{POWERS[power]}", n=decimal_text(f"{value / 1000**power:.3g}"))


def decimal_text(number: str) -> str:
    """Return an English number with the marks of the language that is spoken.

    >>> with speaking("de"):
    ...     decimal_text("1,234.5")
    '1.234,5'
    """
    return number.translate({ord(","): _say("number.thousands"), ord("."): _say("number.point")})
