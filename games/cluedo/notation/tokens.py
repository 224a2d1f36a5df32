"""The pieces of a line that is typed: words, names in quotes, and signs."""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache

from attrs import frozen

from deduce.errors import BadInput
from deduce.text import fold

__all__ = [
    "RESERVED",
    "Token",
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
                    f"{short(word.text)!r} is not a sign of the notation; answers are written "
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
