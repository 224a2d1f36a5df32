"""The words of a line that is typed, and names as people type them: abbreviations, lists.

Names are abbreviated by the rule of `deduce.system.text.fitting`. A name in quotes, written as a
JSON string, must match exactly; every name can be written so. Commas in lists may be left out.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

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


SIGNS = ":;,()=+?/&"
DASHES = "-–—"

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
    while at < len(line):
        start, char = at, line[at]
        if len(scanned) > MAX_TOKENS:
            raise BadInput(f"more than {MAX_TOKENS} words; no line is that long", column=at + 1)
        if char.isspace():
            at += 1
            continue
        if char == "#":
            break
        if char == '"':
            text, at = _quoted(line, at)
            scanned.append(Token("name", text, start + 1))
            continue
        arrow = next((sign for sign in ("->", "→", "!=", "≠") if line.startswith(sign, at)), None)
        if arrow is not None:
            at += len(arrow)
            scanned.append(Token({"→": "->", "≠": "!="}.get(arrow, arrow), arrow, start + 1))
        elif char in SIGNS or char in DASHES:
            at += 1
            scanned.append(Token("-" if char in DASHES else char, char, start + 1))
        else:
            at = _end_of_word(line, at)
            word = Token("word", line[start:at], start + 1)
            if not char.isalnum() and all(map(_is_punctuation, word.text)):
                raise wrong(
                    word,
                    f"{short(word.text)!r} is not part of the notation; answers are written "
                    "`; Ben -` or `; Cid + rope` or `-> Cid + rope`, other signs in quotes",
                )
            scanned.append(word)
    return scanned, at


def _is_punctuation(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] == "P" or category in {"Sm", "Sc", "Sk"}


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
    _known: dict[str, tuple[str, ...]] = field(factory=dict, init=False)

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
        return [one for part in parts for one in self._split(part, wanted)]

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
        kinds = set(self.kinds.values())
        try:
            named = self.split(typed, len(kinds))
        except BadInput as error:
            return self._in_context(typed, len(kinds), error)
        if len(named) == len(kinds) == len({self.kinds[name] for name, _ in named}):
            return named
        return self._in_context(typed, len(kinds), None) or named

    def _in_context(
        self, typed: Sequence[Token], count: int, error: BadInput | None
    ) -> list[TypedName]:
        """Return the only reading with one name of each kind; if there is none, raise ``error``."""
        readings: list[list[TypedName]] = []
        if count <= MAX_KINDS and len(typed) <= (self._most_words + 1) * count:
            every = self._readings(list(_parts(typed)), frozenset(), set())
            readings = list(islice(every, MAX_READINGS + 1))
        by_names = {tuple(name for name, _ in reading): reading for reading in readings}
        if len(by_names) > 1:
            raise self._ambiguous(typed, list(by_names))
        if not by_names and error is not None:
            raise error
        return next(iter(by_names.values()), [])

    def _readings(
        self,
        parts: Sequence[Sequence[Token]],
        used: frozenset[str],
        dead: set[tuple[int, frozenset[str]]],
    ) -> Iterator[list[TypedName]]:
        """Yield the ways to read the parts as one name of each kind that is not used yet.

        ``dead`` collects how many tokens were left, and which kinds were used, where none exists.
        """
        if not parts:
            if len(used) == len(set(self.kinds.values())):
                yield []
            return
        state = (sum(map(len, parts)), used)
        if state in dead:
            return
        is_dead = True
        part, rest = parts[0], parts[1:]
        for end in range(1, min(len(part), self._most_words) + 1):
            left = [part[end:], *rest] if part[end:] else rest
            for name in self.matches(part[:end]):
                if self.kinds[name] not in used:
                    for reading in self._readings(left, used | {self.kinds[name]}, dead):
                        is_dead = False
                        yield [(name, part[0]), *reading]
        if is_dead:
            dead.add(state)

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
        if text not in self._known:
            self._known[text] = self._matches(text)
        return self._known[text]

    def _matches(self, text: str) -> tuple[str, ...]:
        names = fitting(text, self.names)
        whole = fold(text)
        if whole in self.also and all(fold(name) != whole for name in names):
            return (self.also[whole],)
        return names

    def _split(self, typed: Sequence[Token], count: int | None) -> list[TypedName]:
        names = self.matches(typed)
        text = " ".join(token.text for token in typed)
        if len(names) == 1 and (count is None or names[0] == text):
            return [(names[0], typed[0])]
        if len(typed) > self._most_words * len(self.names):
            raise BadInput(
                f"{len(typed)} words cannot name different {self.what}s, for there are "
                f"{len(self.names)}",
                column=typed[0].column,
                text=short(typed[0].text),
            )
        # ways[end][n]: up to two ways to read the tokens before `end` as n names.
        ways: list[dict[int, list[list[TypedName]]]] = [{} for _ in range(len(typed) + 1)]
        ways[0][0] = [[]]
        for end in range(1, len(typed) + 1):
            for start in range(max(0, end - self._most_words), end):
                names = self.matches(typed[start:end])
                if len(names) == 1:
                    for before, readings in ways[start].items():
                        here = ways[end].setdefault(before + 1, [])
                        for reading in readings[: 2 - len(here)]:
                            here.append([*reading, (names[0], typed[start])])
        return self._choose(typed, ways, count)

    def _choose(
        self,
        typed: Sequence[Token],
        ways: Sequence[Mapping[int, list[list[TypedName]]]],
        count: int | None,
    ) -> list[TypedName]:
        counts = ways[-1]
        if not counts:
            stuck = max(end for end, way in enumerate(ways) if way)
            raise self.wrong(typed[stuck : stuck + 1], self.matches(typed[stuck : stuck + 1]))
        best = counts[count if count is not None and count in counts else min(counts)]
        readings = {tuple(name for name, _ in way) for way in best}
        if len(readings) > 1:
            raise self._ambiguous(typed, sorted(readings))
        return best[0]

    def _ambiguous(self, typed: Sequence[Token], readings: Sequence[Sequence[str]]) -> BadInput:
        text = short(" ".join(token.text for token in typed))
        shown = [join(reading) for reading in readings[:MAX_READINGS]]
        if len(readings) > MAX_READINGS:
            shown.append("others")
        return BadInput(
            f"{text!r} can be read as {' or as '.join(shown)}; write more of each name, "
            "with commas between them",
            column=typed[0].column,
            text=text,
        )

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
