"""Wordle: which word is it, and what to guess next; with hard mode and several boards at once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from attrs import field, frozen

from deduce import BadInput, Fact
from deduce.line_game import Line, LineGame
from deduce.problem import World
from deduce.system.registry import Registration
from deduce.system.text import nearest, plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

Words: TypeAlias = tuple[str, ...]
MARKS = "byg"
"""Black: no further such letter; yellow: elsewhere in the word; green: right."""
NOTHING = "-"
"""What a board that is solved answers."""


def words_of(text: str) -> Words:
    """Return the words of a file, in lower case, without repetitions."""
    return tuple(dict.fromkeys(text.lower().split()))


@lru_cache(maxsize=1 << 16)
def marks(guess: str, word: str) -> str:
    """Return the marks of a guess: green letters first, then yellow ones from the left.

    A letter gets as many green and yellow marks as the word has of it.

    Examples
    --------
    >>> marks("allee", "eagle")
    'yybyg'
    """
    rest = Counter(b for a, b in zip(guess, word, strict=True) if a != b)
    found = []
    for a, b in zip(guess, word, strict=True):
        found.append("g" if a == b else "y" if rest[a] > 0 else "b")
        rest[a] -= a != b
    return "".join(found)


def _all_lower(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str.lower, texts))


def _numbered(codes: "NDArray[Any]") -> "tuple[NDArray[Any], NDArray[Any]]":
    """Return the different numbers of an array in order, and the index of each of its numbers."""
    import numpy as np

    if (size := int(codes.max()) + 1) > codes.size:
        kinds, index = np.unique(codes, return_inverse=True)
        return kinds, index.reshape(codes.shape)
    seen = np.zeros(size, dtype=bool)  # without sorting: ten times as fast
    seen[codes] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[codes]


class Guess(Line, template="{guess}: {boards}"):
    """A guess, with the marks of each board: ``g`` green, ``y`` yellow, ``b`` black."""

    guess: str = field(converter=str.lower)
    boards: tuple[str, ...] = field(converter=_all_lower)


@frozen
class Try:
    """A word that is guessed when some boards are solved."""

    word: str
    solved: frozenset[str] = frozenset()

    @classmethod
    def of(cls, inquiry: "str | Try") -> "Try":
        """Return what is guessed: as long as no board is solved, a guess is a plain word."""
        return inquiry if isinstance(inquiry, cls) else cls(str(inquiry))


@frozen
class Wordle(LineGame):
    """Wordle: a word is hidden, and guesses are marked letter by letter.

    Each letter of a guess is marked green if it is right, yellow if it is elsewhere in the word,
    and black if it is not. A letter that occurs several times in the guess gets as many green and
    yellow marks as it occurs in the word: first the green ones, then yellow ones from the left. A
    line of a log is a guess and its marks: ``crane: bygbb``.

    Any of the ``words`` can be the answer, each with the same probability; ``guesses`` are further
    words that can be guessed. ``deduce wordle new --words FILE`` begins a log with a list of your
    own; only a few words for the examples are included. In ``hard`` mode a guess must use what is
    known: green letters in their places, and yellow ones somewhere. With several ``boards``, each
    has its own word, drawn independently, and a guess is marked on all of them; a solved board
    answers ``-``.

    Not checked against the rule book: how published games choose the words of several boards.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(Wordle(("eagle", "allee", "angel", "legal"))).tell("allee: yybyg")
    >>> k.certain()
    {'word': 'eagle'}
    """

    name = "wordle"
    summary = "Wordle: which word is it, and what to guess next; your own list of words"
    events = (Guess,)
    setup_files: ClassVar = {"words": words_of, "guesses": words_of}

    words: Words = ("angel", "apple", "crane", "eagle", "event", "legal", "level", "panel", "react")
    guesses: Words = ()
    hard: bool = False
    boards: int = 1

    def __attrs_post_init__(self) -> None:
        """Refuse words of several lengths."""
        lengths = {len(word) for word in (*self.words, *self.guesses)}
        if len(lengths) != 1 or len({*self.words}) < len(self.words):
            raise BadInput("the words are a list of different words, all of one length")
        if not 1 <= self.boards <= 32:
            raise BadInput(f"1 to 32 boards, not {self.boards}")

    def variables(self) -> Mapping[str, Words]:
        """Return what is hidden: the word of each board."""
        many = self.boards > 1
        return {f"word {n}" if many else "word": self.words for n in range(1, self.boards + 1)}

    def check(self, event: Guess) -> None:
        """Refuse words that are not in the list, and marks that are none."""
        allowed = (*self.words, *self.guesses)
        if event.guess not in allowed:
            raise BadInput(f"{event.guess!r} is not in the list{nearest(event.guess, allowed)}")
        for text in event.boards:
            if text != NOTHING and (len(text) != len(event.guess) or set(text) - set(MARKS)):
                raise BadInput(f"{len(event.guess)} marks, each b, y or g, not {text!r}")
        if len(event.boards) != self.boards:
            raise BadInput(f"the marks of {plural(self.boards, 'board')}, not {len(event.boards)}")

    def means(self, event: Guess, log: Sequence[Guess]) -> Iterator[Fact]:
        """Yield the words that would be marked as a guess was."""
        solved = self.solved(log)
        for board, text in zip(self.variables(), event.boards, strict=True):
            if text != NOTHING:
                yield Fact(board, [word for word in self.words if marks(event.guess, word) == text])
            elif board not in solved:
                raise BadInput(f"{board} is not solved yet: expected its marks, not '-'")

    def records(self, event: Guess) -> int:
        """Return how many marks could have been recorded."""
        return int(len(MARKS) ** sum(len(text) for text in event.boards if text != NOTHING)) + 1

    def solved(self, log: Sequence[Guess]) -> frozenset[str]:
        """Return the boards whose word was guessed."""
        marked = (pair for e in log for pair in zip(self.variables(), e.boards, strict=True))
        return frozenset(board for board, text in marked if {*text} == {"g"})

    def inquiries(self, log: Sequence[Guess], viewer: object) -> tuple[str | Try, ...]:
        """Return the words that can be guessed."""
        solved = self.solved(log)
        hints = [(e.guess, text) for e in log for text in e.boards if self.hard and text != NOTHING]
        return tuple(
            Try(word, solved) if solved else word
            for word in dict.fromkeys((*self.words, *self.guesses))
            if all(uses(word, guess, text) for guess, text in hints)
        )

    def answer(self, inquiry: str | Try, world: World) -> str:
        """Return the marks of all boards."""
        tried = Try.of(inquiry)
        return " ".join(
            NOTHING if board in tried.solved else marks(tried.word, word)
            for board, word in world.items()
        )

    def answer_table(
        self, inquiries: Sequence[str | Try], worlds: Sequence[World]
    ) -> tuple[list[str], "NDArray[Any]"]:
        """Return the answers to all guesses at once."""
        import numpy as np

        texts = [""]
        tried = [*map(Try.of, inquiries)]
        both = np.zeros((len(inquiries), len(worlds)), dtype=np.int64)
        letters = np.array([list(map(ord, each.word)) for each in tried], dtype=np.int32)
        length = letters.shape[1]
        for board in worlds[0]:
            codes = np.zeros_like(both)
            words = [list(map(ord, world[board])) for world in worlds]
            hidden = np.ascontiguousarray(np.array(words, dtype=np.int32).T)
            for row, guess in enumerate(letters):
                wrong = hidden != guess[:, None]
                for place, letter in enumerate(guess):
                    free = ((hidden == letter) & wrong).sum(axis=0)
                    before = sum(wrong[p] for p in range(place) if guess[p] == letter)
                    mark = np.where(wrong[place], free > before, 2)
                    codes[row] = codes[row] * 3 + mark
                if board in tried[row].solved:
                    codes[row] = 3**length
            # Together with the boards before: there may be more combinations than numbers.
            own, codes = _numbered(codes)
            marked = [NOTHING if k == 3**length else
                      "".join(MARKS[k // 3**p % 3] for p in reversed(range(length)))
                      for k in own.tolist()]  # fmt: skip
            kinds, both = _numbered(both * len(own) + codes)
            texts = [
                f"{texts[k // len(own)]} {marked[k % len(own)]}".strip() for k in kinds.tolist()
            ]
        return texts, both

    def independent(self) -> list[tuple[str]]:
        """Return each board by itself."""
        return [(board,) for board in self.variables()]

    def joined(self, answers: Sequence[str]) -> str:
        """Return the marks of all boards."""
        return " ".join(answers)

    def ends(self, inquiry: str | Try, answer: str) -> bool:
        """Return whether all boards are solved."""
        return set(answer) <= {"g", " ", NOTHING}

    def event_of(self, inquiry: str | Try, answer: str) -> Guess:
        """Return the event of a guess and its marks."""
        return Guess(Try.of(inquiry).word, tuple(answer.split()))

    def format_inquiry(self, inquiry: str | Try) -> str:
        """Return the word."""
        return Try.of(inquiry).word

    @classmethod
    def random_setup(cls, random: Random) -> "Wordle":
        """Return a game with a few words of a few letters."""
        size = random.randint(2, 4)
        words = {"".join(random.choices("abc", k=size)) for _ in range(random.randint(3, 12))}
        return cls(tuple(sorted(words)), (), random.random() < 0.3, random.randint(1, 2))

    def pictured(self, log: Sequence[Guess]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the letters, each with its places in the words."""
        places = {
            f"{board.removeprefix('word')} {at + 1}".strip(): (board, at)
            for board in self.variables()
            for at in range(len(self.words[0]))
        }

        def having(letter: str, board: str, at: int) -> list[Fact]:
            return [Fact(board, [word for word in self.words if word[at] == letter])]

        letters = sorted({*"".join(self.words)})
        return {x: {name: having(x, *where) for name, where in places.items()} for x in letters}


def uses(word: str, guess: str, text: str) -> bool:
    """Return whether a word uses the green and yellow letters of an earlier guess."""
    found = Counter(letter for letter, mark in zip(guess, text, strict=True) if mark != "b")
    return found <= Counter(word) and all(
        mark != "g" or letter == mine for letter, mark, mine in zip(guess, text, word, strict=True)
    )


REGISTRATION = Registration.of(Wordle, "games.examples", fact="word=level")
