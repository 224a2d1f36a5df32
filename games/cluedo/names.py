"""Names as people type them: tokens of a line, abbreviations, quotes.

A name may be typed in any case and shortened as long as only one name fits: a beginning of the
name or of any of its words (``plum``, ``bill``), beginnings of several words in order (``col
must``), initials (``br``), with or without blanks (``leadpiping``), with or without accents and
punctuation. What fits better hides what fits worse: the name letter by letter, the name but for
case and punctuation, whole words or initials, beginnings. A name in quotes, written as a JSON
string, fits only letter by letter; every name can be written so.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.text import join

__all__ = ["RESERVED", "Names", "Place", "Token", "is_plain", "quote", "tokens"]

SIGNS = ":;,()=+?/&"
DASHES = "-–—"
SEPARATORS = {",", ";", "/", "&"}
SEPARATING_WORDS = {"and", "or"}

RESERVED = frozenset({
    "accuse", "accused", "accuses", "and", "asks", "by", "clockwise", "correct", "deck", "does",
    "doesnt", "face", "faceup", "false", "hand", "has", "hasnt", "have", "i", "known", "me", "no",
    "nobody", "none", "noone", "not", "nothing", "of", "one", "or", "pass", "passed", "passes",
    "players", "right", "seen", "show", "showed", "shown", "shows", "suggest", "suggested",
    "suggests", "to", "true", "undealt", "up", "wrong",
})  # fmt: skip
"""Words that mean something in the notation, folded; a name that has one of them is quoted."""

LONGEST_SHOWN = 40
"""Characters of a wrong word that a message repeats."""


@frozen
class Token:
    """A piece of a line: a ``"word"``, a quoted ``"name"``, or a sign, whose kind is itself."""

    kind: str
    text: str
    column: int
    """From 1."""

    @property
    def word(self) -> str:
        """The word, folded; empty for names and signs, which are never words of the notation."""
        return _key(self.text) if self.kind == "word" else ""


Place = tuple[str, Token]
"""A name, and the token where it was typed."""


def tokens(line: str) -> list[Token]:
    """Return the tokens of a line up to the comment.

    Raises
    ------
    BadInput
        A quote that is not closed, or is not a JSON string; with the column.

    Examples
    --------
    >>> [token.text for token in tokens('Jean-Luc: "Rope"; Ben- # no comment')]
    ['Jean-Luc', ':', 'Rope', ';', 'Ben', '-']
    """
    found = []
    at = 0
    while at < len(line):
        start, char = at, line[at]
        if char.isspace():
            at += 1
            continue
        if char == "#":
            break
        if char == '"':
            text, at = _quoted(line, at)
            found.append(Token("name", text, start + 1))
            continue
        arrow = next((sign for sign in ("->", "→", "!=", "≠") if line.startswith(sign, at)), None)
        if arrow is not None:
            at += len(arrow)
            found.append(Token({"→": "->", "≠": "!="}.get(arrow, arrow), arrow, start + 1))
        elif char in SIGNS or char in DASHES:
            at += 1
            found.append(Token("-" if char in DASHES else char, char, start + 1))
        else:
            at = _end_of_word(line, at)
            found.append(Token("word", line[start:at], start + 1))
    return found


def _end_of_word(line: str, at: int) -> int:
    """Return where the word that begins here ends; a dash between two letters does not end it."""
    while at < len(line):
        char = line[at]
        if char.isspace() or char in SIGNS or char in '"→≠' or line.startswith("!=", at):
            break
        following = line[at + 1 : at + 2]
        if char in DASHES and not following.isalnum():
            break
        at += 1
    return at


def _quoted(line: str, at: int) -> tuple[str, int]:
    try:
        text, end = json.JSONDecoder().raw_decode(line, at)
    except (json.JSONDecodeError, RecursionError):
        raise BadInput(
            'a name in quotes ends with a quote; in it, \\" and \\\\ stand for " and \\',
            column=at + 1,
            text=_short(line[at:]),
        ) from None
    return text, end


def quote(name: str) -> str:
    r"""Return the name so that `tokens` reads it back as one name, in quotes only where needed.

    >>> print(quote("Mrs White"), quote("Lady Has"), quote("6"), quote('a "b"'))
    Mrs White "Lady Has" 6 "a \"b\""
    """
    return name if is_plain(name) else json.dumps(name, ensure_ascii=not name.isprintable())


def is_plain(name: str) -> bool:
    """Return whether the name can be written without quotes."""
    try:
        found = tokens(name)
    except BadInput:
        return False
    return (
        bool(found)
        and " ".join(token.text for token in found) == name
        and all(token.word and token.word not in RESERVED for token in found)
    )


@frozen(eq=False)
class Names:
    """A space of names in which abbreviations are looked up.

    Parameters
    ----------
    what
        What is named, for messages: ``"card"``.
    names
        All names.
    also
        Further words, folded, with what they stand for, such as ``me``.

    Examples
    --------
    >>> cards = Names("card", ["Professor Plum", "Rope", "Billiard Room", "Ballroom"])
    >>> [name for name, _ in cards.split(tokens("plum rope br"))]
    ['Professor Plum', 'Rope', 'Billiard Room']
    >>> cards.find(tokens("b"))
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: column 1: 'b' can be the card 'Billiard Room' or 'Ballroom'
    """

    what: str
    names: Sequence[str]
    also: Mapping[str, str] = field(factory=dict)
    _known: dict[str, tuple[str, ...]] = field(factory=dict, init=False)

    def find(self, typed: Sequence[Token]) -> str:
        """Return the one name that all the tokens together mean.

        Raises
        ------
        BadInput
            No name or more than one fits; with the column and the nearest name.
        """
        fitting = self.matches(typed)
        if len(fitting) != 1:
            raise self.wrong(typed, fitting)
        return fitting[0]

    def split(self, typed: Sequence[Token], number: int | None = None) -> list[Place]:
        """Return the names in a list whose separators (``,`` ``/`` ``and``) may be left out.

        Parameters
        ----------
        typed
            The tokens of the list.
        number
            How many names there usually are: preferred where blanks alone separate the names.
            Otherwise the words between two separators are read as few names.

        Raises
        ------
        BadInput
            A word fits no name or more than one, or the words can be split in two ways.
        """
        parts = list(_parts(typed))
        wanted = number if len(parts) == 1 else None
        return [place for part in parts for place in self._split(part, wanted)]

    def matches(self, typed: Sequence[Token]) -> tuple[str, ...]:
        """Return the names that fit the tokens best: none, one, or several."""
        if len(typed) == 1 and typed[0].kind == "name":
            return tuple(name for name in self.names if name == typed[0].text)
        if any(token.kind != "word" for token in typed):
            return ()
        text = " ".join(token.text for token in typed)
        if text not in self._known:
            self._known[text] = self._matches(text)
        return self._known[text]

    def _matches(self, text: str) -> tuple[str, ...]:
        if text in self.names:
            return (text,)
        whole, words = _key(text), _words(text)
        if not whole:
            return ()
        forms = [(name, _key(name), _words(name)) for name in self.names]
        if whole in self.also and all(key != whole for _, key, _ in forms):
            return (self.also[whole],)
        return (
            tuple(name for name, key, _ in forms if key == whole)
            or tuple(
                name
                for name, _, of in forms
                if _in_order(words, of, whole=True) or whole == _initials(of)
            )
            or tuple(
                name
                for name, key, of in forms
                if key.startswith(whole) or _in_order(words, of, whole=False)
            )
        )

    def _split(self, typed: Sequence[Token], number: int | None) -> list[Place]:
        fitting = self.matches(typed)
        text = " ".join(token.text for token in typed)
        if len(fitting) == 1 and (number is None or fitting[0] == text):
            return [(fitting[0], typed[0])]
        longest = max(1, *(len(_words(name)) for name in self.names))
        if len(typed) > longest * len(self.names):
            raise BadInput(
                f"{len(typed)} words cannot name different {self.what}s, for there are "
                f"{len(self.names)}",
                column=typed[0].column,
                text=_short(typed[0].text),
            )
        # ways[end][n]: up to two ways to read the tokens before `end` as n names.
        ways: list[dict[int, list[list[Place]]]] = [{} for _ in range(len(typed) + 1)]
        ways[0][0] = [[]]
        for end in range(1, len(typed) + 1):
            for start in range(max(0, end - longest), end):
                fitting = self.matches(typed[start:end])
                if len(fitting) == 1:
                    for count, before in ways[start].items():
                        found = ways[end].setdefault(count + 1, [])
                        for way in before[: 2 - len(found)]:
                            found.append([*way, (fitting[0], typed[start])])
        return self._choose(typed, ways, number)

    def _choose(
        self,
        typed: Sequence[Token],
        ways: Sequence[Mapping[int, list[list[Place]]]],
        number: int | None,
    ) -> list[Place]:
        counts = ways[-1]
        if not counts:
            stuck = max(end for end, way in enumerate(ways) if way)
            raise self.wrong(typed[stuck : stuck + 1], self.matches(typed[stuck : stuck + 1]))
        best = counts[number if number is not None and number in counts else min(counts)]
        readings = {tuple(name for name, _ in way) for way in best}
        if len(readings) > 1:
            text = " ".join(token.text for token in typed)
            raise BadInput(
                f"{_short(text)!r} can be read as {' or as '.join(map(join, sorted(readings)))}; "
                "commas would tell",
                column=typed[0].column,
                text=_short(text),
            )
        return best[0]

    def wrong(self, typed: Sequence[Token], fitting: Sequence[str] = ()) -> BadInput:
        """Return the error for tokens that fit these names: none, or more than one."""
        text = _short(" ".join(token.text for token in typed))
        if fitting:
            named = join([repr(name) for name in fitting[:8]], "or")
            message = f"{text!r} can be the {self.what} {named}"
        else:
            message = f"no {self.what} is called {text!r}{self._hint(text)}"
        return BadInput(message, column=typed[0].column if typed else None, text=text)

    def _hint(self, text: str) -> str:
        near = {_key(name): name for name in self.names}
        for name in self.names:
            for word in _words(name):
                near.setdefault(word, name)
        close = get_close_matches(_key(text), near, n=1, cutoff=0.6)
        if close:
            return f"; did you mean {near[close[0]]!r}?"
        return f" ({', '.join(self.names)})" if len(self.names) <= 10 else ""


def _parts(typed: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the runs of tokens between separators."""
    part: list[Token] = []
    for token in typed:
        if token.kind in SEPARATORS or token.word in SEPARATING_WORDS:
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _in_order(typed: Sequence[str], words: Sequence[str], *, whole: bool) -> bool:
    """Return whether each typed word is (the beginning of) some word of the name, in order."""
    left = iter(words)
    return bool(typed) and all(
        any(of == word if whole else of.startswith(word) for of in left) for word in typed
    )


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words) if len(words) > 1 else ""


@lru_cache(maxsize=10_000)
def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name without case, accents and apostrophes."""
    parts = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in parts if not unicodedata.combining(c) and c not in "'’`")
    return tuple(re.findall(r"[^\W_]+", plain.casefold()))


def _key(name: str) -> str:
    return "".join(_words(name))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
