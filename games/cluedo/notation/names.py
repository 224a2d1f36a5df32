"""Names as people type them: abbreviations, and lists with and without commas.

Names are shortened by the rule of `deduce.text.fitting`. A name in quotes, written as a JSON
string, fits only letter by letter; every name can be written so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.text import fitting, fold, join, listing, words
from games.cluedo.notation.tokens import Token, short

__all__ = ["Names", "Place"]

SEPARATORS = {",", ";", "/", "&"}
SEPARATING_WORDS = {"and", "or"}

Place = tuple[str, Token]
"""A name, and the token where it was typed."""


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
    >>> from games.cluedo.notation.tokens import tokens
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
        found = fitting(text, self.names)
        whole = fold(text)
        if whole in self.also and all(fold(name) != whole for name in found):
            return (self.also[whole],)
        return found

    def _split(self, typed: Sequence[Token], number: int | None) -> list[Place]:
        fitting = self.matches(typed)
        text = " ".join(token.text for token in typed)
        if len(fitting) == 1 and (number is None or fitting[0] == text):
            return [(fitting[0], typed[0])]
        longest = max([1, *(len(words(name)) for name in self.names)])
        if len(typed) > longest * len(self.names):
            raise BadInput(
                f"{len(typed)} words cannot name different {self.what}s, for there are "
                f"{len(self.names)}",
                column=typed[0].column,
                text=short(typed[0].text),
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
                f"{short(text)!r} can be read as {' or as '.join(map(join, sorted(readings)))}; "
                "commas would tell",
                column=typed[0].column,
                text=short(text),
            )
        return best[0]

    def wrong(self, typed: Sequence[Token], fitting: Sequence[str] = ()) -> BadInput:
        """Return the error for tokens that fit these names: none, or more than one."""
        text = short(" ".join(token.text for token in typed))
        if fitting:
            named = join([repr(name) for name in fitting[:8]], "or")
            message = f"{text!r} can be the {self.what} {named}"
        else:
            message = f"no {self.what} is called {text!r}{self._hint(text)}"
        return BadInput(message, column=typed[0].column if typed else None, text=text)

    def _hint(self, text: str) -> str:
        near = {fold(name): name for name in self.names}
        for name in self.names:
            for word in words(name):
                near.setdefault(word, name)
        close = get_close_matches(fold(text), near, n=1, cutoff=0.6)
        if close:
            return f"; did you mean {near[close[0]]!r}?"
        return listing(self.names)


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
