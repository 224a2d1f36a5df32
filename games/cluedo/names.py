"""The words of a line that is typed, and names as people type them: abbreviations, lists.

Names are abbreviated by the rule of `deduce.system.text.fitting`. A name in quotes, written as a
JSON string, must match exactly; every name can be written so. Commas in lists may be left out.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeVar

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.system.text import closest, fitting, fold, join, listing, words

__all__ = [
    "RESERVED",
    "Names",
    "Token",
    "TypedName",
    "comment",
    "is_plain",
    "quote",
    "short",
    "tokens",
    "wrong",
]


BLANKS = re.compile(r"\s+")
PIECE = re.compile(
    r"(?P<sign>->|→|!=|≠|[:;,()=+?/&–—-])"
    r"|(?:(?!!=)[^\s:;,()=+?/&\"→≠–—-]|[–—-](?=[^\W_]))+"  # a word; a dash between letters is in it
)
SAME = {"→": "->", "≠": "!=", "–": "-", "—": "-"}
"""Signs that mean the same as others."""

RESERVED = frozenset({
    "accuse", "accused", "accuses", "and", "asks", "by", "clockwise", "correct", "deck", "does",
    "doesnt", "face", "faceup", "false", "hand", "has", "hasnt", "have", "i", "known", "me", "no",
    "nobody", "none", "noone", "not", "nothing", "of", "one", "or", "pass", "passed", "passes",
    "players", "right", "seen", "show", "showed", "shown", "shows", "suggest", "suggested",
    "suggestions", "suggests", "to", "true", "undealt", "up", "wrong",
})  # fmt: skip
"""Words with a meaning in the notation, folded; a name that contains one of them is quoted."""

MAX_TOKENS = 2000
"""A line with more is refused; no set-up and no event is that long."""

MAX_SHOWN = 40
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
        return fold(self.text) if self.kind == "word" else ""


def tokens(line: str) -> list[Token]:
    """Return the tokens of a line up to the comment.

    Raises
    ------
    BadInput
        A quote that is not closed, or is not a JSON string, or more than 2000 tokens; with the
        column.

    Examples
    --------
    >>> [token.text for token in tokens('Jean-Luc: "Rope"; Ben- # no comment')]
    ['Jean-Luc', ':', 'Rope', ';', 'Ben', '-']
    """
    return _scan(line)[0]


def comment(line: str) -> str:
    """Return the comment of a line from its ``#`` on, or an empty string.

    >>> comment('Ann has "#1" # a guess')
    '# a guess'
    """
    return line[_scan(line)[1] :]


def _scan(line: str) -> tuple[list[Token], int]:
    """Return the tokens, and where the comment begins."""
    scanned: list[Token] = []
    at = 0
    while True:
        blanks = BLANKS.match(line, at)
        at = blanks.end() if blanks else at
        if at == len(line) or line[at] == "#":
            return scanned, at
        if len(scanned) > MAX_TOKENS:
            raise BadInput(f"more than {MAX_TOKENS} words; no line is that long", column=at + 1)
        piece = PIECE.match(line, at)
        if piece is None:
            text, end = _quoted(line, at)
            token = Token("name", text, at + 1)
        elif piece["sign"]:
            token = Token(SAME.get(piece[0], piece[0]), piece[0], at + 1)
        else:
            token = Token("word", piece[0], at + 1)
            if not token.text[0].isalnum() and all(map(_is_punctuation, token.text)):
                raise wrong(
                    token,
                    f"{short(token.text)!r} is not part of the notation; answers are written "
                    "`; Ben -` or `; Cid + rope` or `-> Cid + rope`, other signs in quotes",
                )
        scanned.append(token)
        at = piece.end() if piece else end


def _is_punctuation(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] == "P" or category in {"Sm", "Sc", "Sk"}


def _quoted(line: str, at: int) -> tuple[str, int]:
    try:
        text, end = json.JSONDecoder().raw_decode(line, at)
    except (json.JSONDecodeError, RecursionError):
        raise BadInput(
            'a name in quotes ends with a quote; in it, \\" and \\\\ mean " and \\',
            column=at + 1,
            text=short(line[at:]),
        ) from None
    return text, end


@lru_cache(maxsize=256)
def quote(name: str) -> str:
    r"""Return the name so that `tokens` reads it back as one name, in quotes only where needed.

    >>> print(quote("Mrs White"), quote("Lady Has"), quote("6"), quote('a "b"'))
    Mrs White "Lady Has" 6 "a \"b\""
    """
    return name if is_plain(name) else json.dumps(name, ensure_ascii=not name.isprintable())


def is_plain(name: str) -> bool:
    """Return whether the name can be written without quotes."""
    try:
        parts = tokens(name)
    except BadInput:
        return False
    return (
        bool(parts)
        and " ".join(token.text for token in parts) == name
        and all(token.word and token.word not in RESERVED for token in parts)
    )


@lru_cache(maxsize=1000)
def short(text: str) -> str:
    """Return the text, cut where a message would grow too long."""
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def wrong(token: Token, message: str) -> BadInput:
    """Return the error that this token is wrong, with its place."""
    return BadInput(message, column=token.column, text=token.text)


SEPARATORS = {",", ";", "/", "&"}
SEPARATING_WORDS = {"and", "or"}

TypedName = tuple[str, Token]
"""A name, and the token where it was typed."""

State = TypeVar("State")
"""What counts of the names that were read: their number, or their kinds."""

MAX_KINDS = 10
"""With more categories, an abbreviation is not resolved by the categories that are missing."""

MAX_READINGS = 4
"""How many readings of a line an error message shows at most."""


@frozen(eq=False, slots=False)
class Names:
    """A list of names in which abbreviations are looked up.

    Parameters
    ----------
    what
        What is named, for messages: ``"card"``.
    names
        All names.
    also
        Further words, folded, with what they mean, such as ``me``.
    kinds
        The kind of each name, such as the category of a card, for `one_of_each`.
    elsewhere
        Returns what an unknown name is elsewhere, to stand behind a message.

    Examples
    --------
    >>> from games.cluedo.names import tokens
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
    kinds: Mapping[str, str] = field(factory=dict)
    elsewhere: Callable[[str], str] | None = None

    def find(self, typed: Sequence[Token]) -> str:
        """Return the one name that all the tokens together mean.

        Raises
        ------
        BadInput
            No name or more than one fits; with the column and the nearest name.
        """
        names = self.matches(typed)
        if len(names) != 1:
            raise self.wrong(typed, names)
        return names[0]

    def split(self, typed: Sequence[Token], count: int | None = None) -> list[TypedName]:
        """Return the names in a list whose separators (``,`` ``/`` ``and``) may be left out.

        Parameters
        ----------
        typed
            The tokens of the list.
        count
            How many names there usually are: preferred where blanks alone separate the names.
            Otherwise the words between two separators are read as few names.

        Raises
        ------
        BadInput
            A word fits no name or more than one, or the words can be split in two ways.
        """
        parts = list(_parts(typed))
        wanted = count if len(parts) == 1 else None
        return [name for part in parts for name in self._split(part, wanted)]

    def _split(self, typed: Sequence[Token], count: int | None) -> list[TypedName]:
        names, text = self.matches(typed), " ".join(token.text for token in typed)
        if names == (text,):
            return [(text, typed[0])]
        if len(typed) > self._most_words * len(self.names):
            raise BadInput(
                f"{len(typed)} words cannot name different {self.what}s, for there are "
                f"{len(self.names)}",
                column=typed[0].column,
                text=short(typed[0].text),
            )

        def counted(number: int, names: Sequence[str], _: str) -> int | None:
            return number + 1 if len(names) == 1 else None

        ways = self._ways([typed], 0, counted, 2)
        counts = ways[-1]
        if not counts:
            stuck = max(end for end, way in enumerate(ways) if way)
            raise self.wrong(typed[stuck : stuck + 1], self.matches(typed[stuck : stuck + 1]))
        return self._only(typed, counts[count if count in counts else min(counts)])

    def one_of_each(self, typed: Sequence[Token]) -> list[TypedName]:
        """Return the names in a list that has one name of each kind, in the order typed.

        A word that fits several names means the one whose kind is still missing.

        Raises
        ------
        BadInput
            As for `split`, whose reading is returned where no reading has one name of each kind.

        Examples
        --------
        >>> from games.cluedo.names import tokens
        >>> kinds = {"Reverend Green": "suspect", "Mrs Peacock": "suspect", "Revolver": "weapon"}
        >>> cards = Names("card", list(kinds), kinds=kinds)
        >>> [name for name, _ in cards.one_of_each(tokens("pe rev"))]
        ['Mrs Peacock', 'Revolver']
        """
        kinds = frozenset(self.kinds.values())
        named: list[TypedName] = []
        error: BadInput | None = None
        try:
            named = self.split(typed, len(kinds))
        except BadInput as caught:
            error = caught
        if len(named) == len(kinds) == len({self.kinds[name] for name, _ in named}):
            return named

        def used(before: frozenset[str], _: Sequence[str], name: str) -> frozenset[str] | None:
            kind = self.kinds[name]
            return None if kind in before else before | {kind}

        if len(kinds) <= MAX_KINDS and len(typed) <= (self._most_words + 1) * len(kinds):
            none: frozenset[str] = frozenset()
            readings = self._ways(list(_parts(typed)), none, used, MAX_READINGS + 1)[-1].get(kinds)
            if readings:
                return self._only(typed, readings)
        if error is not None:
            raise error
        return named

    def _ways(
        self,
        parts: Sequence[Sequence[Token]],
        start: State,
        after: Callable[[State, Sequence[str], str], State | None],
        limit: int,
    ) -> list[dict[State, list[list[TypedName]]]]:
        """Return the ways to read the tokens before each end, up to ``limit`` for each state.

        ``after`` returns the state after one more of the names that some tokens fit, or ``None``.
        """
        ways: list[dict[State, list[list[TypedName]]]] = [{start: [[]]}]
        for part in parts:
            first = len(ways) - 1
            for end in range(1, len(part) + 1):
                ways.append({})
                for begin in range(max(0, end - self._most_words), end):
                    names = self.matches(part[begin:end])
                    for (state, before), name in product(ways[first + begin].items(), names):
                        state_now = after(state, names, name)
                        if state_now is not None:
                            here = ways[-1].setdefault(state_now, [])
                            for reading in before[: limit - len(here)]:
                                here.append([*reading, (name, part[begin])])
        return ways

    def _only(self, typed: Sequence[Token], readings: Sequence[list[TypedName]]) -> list[TypedName]:
        """Return the reading if all of them name the same."""
        by_names = {tuple(name for name, _ in reading): reading for reading in readings}
        if len(by_names) == 1:
            return readings[0]
        text = short(" ".join(token.text for token in typed))
        shown = [join(names) for names in by_names]
        shown[MAX_READINGS:] = ["others"] * (len(shown) > MAX_READINGS)
        raise BadInput(
            f"{text!r} can be read as {' or as '.join(shown)}; write more of each name, "
            "with commas between them",
            column=typed[0].column,
            text=text,
        )

    @cached_property
    def _most_words(self) -> int:
        """The number of words of the longest name."""
        return max([1, *(len(words(name)) for name in self.names)])

    def matches(self, typed: Sequence[Token]) -> tuple[str, ...]:
        """Return the names that fit the tokens best: none, one, or several."""
        if len(typed) == 1 and typed[0].kind == "name":
            return tuple(name for name in self.names if name == typed[0].text)
        if any(token.kind != "word" for token in typed):
            return ()
        text = " ".join(token.text for token in typed)
        names, whole = fitting(text, self.names), fold(text)
        if whole in self.also and all(fold(name) != whole for name in names):
            return (self.also[whole],)
        return names

    def wrong(self, typed: Sequence[Token], names: Sequence[str] = ()) -> BadInput:
        """Return the error for tokens that fit these names: none, or more than one."""
        text = short(" ".join(token.text for token in typed))
        if names:
            named = join([repr(name) for name in names[:8]], "or")
            message = f"{text!r} can be the {self.what} {named}"
        else:
            message = f"no {self.what} is called {text!r}{self._hint(text)}"
        return BadInput(message, column=typed[0].column if typed else None, text=text)

    def _hint(self, text: str) -> str:
        if self.elsewhere is not None and (found := self.elsewhere(text)):
            return found
        folded = {fold(name): name for name in self.names}
        for name in self.names:
            for word in words(name):
                folded.setdefault(word, name)
        close = closest(text, folded)
        return f"; did you mean {close!r}?" if close else listing(self.names)


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
