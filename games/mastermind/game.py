"""Mastermind: the set-up, and what follows from it; the class that users know.

The variables are the slots, numbered from 1, and their values are the colours. Where codes are too
many for a table of all of them, the number of slots of each colour is a variable as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb, factorial
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import field, frozen

from deduce.constraints import Count, Fact, Sum, Where, exactly, is_
from deduce.errors import BadInput
from deduce.game import Viewer
from deduce.problem import Evidence, Rule, World
from deduce.shapes import all_different
from deduce.text import plural
from games.mastermind import wording
from games.mastermind.events import Code, Guess, Pegs, alike_after, all_codes, answer_table, pegs
from games.mastermind.notation import format_code, format_pegs, parse_code, parse_guess

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from games.mastermind.events import Array

__all__ = ["MAX_GUESSES", "Mastermind", "colour_names"]

MAX_TABLE = 1_000_000
"""Up to this number of codes, an answer is one predicate about all slots; engines tabulate it."""

MAX_GUESSES = 20_000
"""Up to this number of codes, all of them are offered as guesses."""

OFFERED = 300
"""How many guesses are offered otherwise: possible codes, drawn at random."""

MAX_COLOURS = 61


def colour_names(count: int) -> tuple[str, ...]:
    """Return names for a number of colours: digits, from ten colours on with 0, then letters.

    >>> colour_names(3), colour_names(10)[:2], colour_names(12)[-2:]
    (('1', '2', '3'), ('0', '1'), ('A', 'B'))
    """
    if count <= 9:
        return tuple(map(str, range(1, count + 1)))
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return tuple(letters[:count])


def _colours(colours: Any) -> tuple[str, ...]:
    if type(colours) is int:
        if not 1 <= colours <= MAX_COLOURS:
            raise BadInput(f"the number of colours is from 1 to {MAX_COLOURS}, not {colours}")
        return colour_names(colours)
    if isinstance(colours, str) or not isinstance(colours, list | tuple):
        raise BadInput(f"colours: a number or a list of names is needed, not {colours!r}")
    return tuple(colours)


@frozen
class Mastermind:
    """Mastermind of any size, with or without repetition.

    Parameters
    ----------
    slots
        How many colours a code has.
    colours
        How many colours there are, or their names.
    repeat
        Whether a colour may occur several times in a code. Bulls and Cows:
        ``Mastermind(slots=4, colours=10, repeat=False)``.

    Raises
    ------
    BadInput
        The set-up is impossible.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(Mastermind()).tell("1122: 0 0", "3345: 1 1")
    >>> k.count(), sorted(k.possible()[1])
    (46, ['3', '4', '5', '6'])
    """

    name: ClassVar[str] = "mastermind"
    events: ClassVar[tuple[type, ...]] = (Guess,)

    slots: int = 4
    colours: tuple[str, ...] = field(default=6, converter=_colours)
    repeat: bool = True

    def __attrs_post_init__(self) -> None:
        if type(self.slots) is not int or not 1 <= self.slots <= 20:
            raise BadInput(f"the number of slots is from 1 to 20, not {self.slots!r}")
        if type(self.repeat) is not bool:
            raise BadInput(f"repeat is true or false, not {self.repeat!r}")
        names = self.colours
        for name in names:
            if not isinstance(name, str) or not name or any(c in name for c in " :,\n\t{"):
                raise BadInput(f"{name!r} is not the name of a colour: one word is needed")
        if len(set(names)) < len(names):
            raise BadInput("two colours have the same name")
        if not names:
            raise BadInput("at least one colour is needed")
        if not self.repeat and len(names) < self.slots:
            raise BadInput(
                f"{plural(self.slots, 'slot')} need as many colours if none may be repeated; "
                f"there are {len(names)}"
            )

    @property
    def codes(self) -> int:
        """How many codes there are."""
        if self.repeat:
            return int(len(self.colours) ** self.slots)
        return comb(len(self.colours), self.slots) * factorial(self.slots)

    @property
    def _counts_colours(self) -> bool:
        """Whether the number of slots of each colour is a variable."""
        return self.repeat and self.codes > MAX_TABLE

    # The hidden game

    def variables(self) -> Mapping[Any, Sequence[Any]]:
        """Return the slots, and for many codes how often each colour occurs."""
        variables: dict[Any, Sequence[Any]] = dict.fromkeys(self._slots, self.colours)
        if self._counts_colours:
            variables |= {f"number of {c}": range(self.slots + 1) for c in self.colours}
        return variables

    @property
    def _slots(self) -> range:
        return range(1, self.slots + 1)

    def rules(self) -> Iterator[Rule]:
        """Return: no colour twice, or how often each colour occurs."""
        if not self.repeat and self.slots > 1:
            for rule in all_different(dict.fromkeys(self._slots, self.colours)):
                [colour] = rule.facts[0].values
                yield Rule(rule, f"at most one slot is {colour}")
        if self._counts_colours:
            for colour in self.colours:
                terms: list[tuple[Fact, int]] = [(is_(slot, colour), 1) for slot in self._slots]
                terms += [(is_(f"number of {colour}", k), -k) for k in range(1, self.slots + 1)]
                yield Rule(Sum(terms, 0, 0), f"the number of slots that are {colour}")

    def evidence(self, log: Sequence[Guess], viewer: Viewer) -> Iterator[Evidence]:
        """Return what each answer states; all viewers see the same."""
        for number, guess in enumerate(log, start=1):
            sentence = f"{format_code(self, guess.code)} got {format_pegs(self, guess.answer)}"
            hits = [is_(slot, c) for slot, c in zip(self._slots, guess.code, strict=True)]
            yield Evidence(exactly(guess.black, hits), number, sentence)
            yield Evidence(self._both(guess), number, sentence)

    def _both(self, guess: Guess) -> Count | Sum | Where:
        """Return the constraint on the black and white pegs together."""
        both = guess.black + guess.white
        named = dict.fromkeys(guess.code)
        if not self.repeat or len(named) == 1:
            return exactly(both, [is_(slot, *named) for slot in self._slots])
        if not self._counts_colours:
            return Where(tuple(self._slots), _Fits(guess.code, guess.black, guess.white))
        terms = [
            (is_(f"number of {colour}", k), min(k, guess.code.count(colour)))
            for colour in named
            for k in range(1, self.slots + 1)
        ]
        return Sum(terms, both, both)

    def groups(self) -> dict[str, list[Any]]:
        """Return the slots, and the numbers of colours, for tables."""
        numbers = [f"number of {colour}" for colour in self.colours]
        slots: dict[str, list[Any]] = {"slot": list(self._slots)}
        return slots | ({"colours": numbers} if self._counts_colours else {})

    say = staticmethod(wording.say)
    say_all = staticmethod(wording.say_all)
    pattern = staticmethod(wording.pattern)

    def check(self, event: Guess) -> None:
        """Raise `BadInput` for a guess that cannot be made, or an answer that cannot be given."""
        if not isinstance(event, Guess):
            raise BadInput(f"not an event of Mastermind: {event!r}")
        self.check_code(event.code)
        for pegs_, what in ((event.black, "black"), (event.white, "white")):
            if type(pegs_) is not int or pegs_ < 0:
                raise BadInput(f"the number of {what} pegs is 0 or more, not {pegs_!r}")
        total = event.black + event.white
        if total > self.slots:
            raise BadInput(f"{total} pegs are too many for {plural(self.slots, 'slot')}")
        if (event.black, event.white) == (self.slots - 1, 1):
            raise BadInput(
                f"{self.slots - 1} black and 1 white cannot be: if all slots but one are right, "
                "the last colour has no other slot to be in"
            )

    def check_code(self, code: Code) -> None:
        """Raise `BadInput` unless this is a code of this game."""
        if len(code) != self.slots:
            raise BadInput(f"a code has {plural(self.slots, 'colour')}, not {len(code)}")
        for colour in code:
            if colour not in self.colours:
                raise BadInput(f"no colour is called {colour!r} ({', '.join(self.colours)})")
        if not self.repeat and len(set(code)) < len(code):
            raise BadInput("a colour occurs twice, but no colour may be repeated in this game")

    # What to ask

    def inquiries(self, log: Sequence[Guess], viewer: Viewer) -> tuple[Code, ...]:
        """Return the guesses: all codes, or possible codes drawn at random if there are many."""
        if self.codes <= MAX_GUESSES:
            return all_codes(self.colours, self.slots, repeat=self.repeat)
        from deduce.knowledge import Knowledge

        drawn = Knowledge(self, log).sample(OFFERED, seed=0)
        return tuple(dict.fromkeys(map(self.code_of, drawn)))

    def answer(self, inquiry: Code, world: World) -> Pegs:
        """Return the black and white pegs of a guess."""
        return pegs(self.code_of(world), inquiry)

    def answer_table(
        self, inquiries: Sequence[Code], worlds: Sequence[World]
    ) -> tuple[tuple[Pegs, ...], Array]:
        """Return the answers, and the index of the answer to each guess for each world."""
        codes = tuple(map(self.code_of, worlds))
        return answer_table(tuple(inquiries), codes, self.colours)

    def alike_after(self, asked: Sequence[Code], inquiries: Sequence[Code]) -> Array:
        """Return a number for each guess, the same for guesses that are alike after others."""
        return alike_after(tuple(asked), tuple(inquiries), self.colours)

    def ends(self, inquiry: Code, answer: Pegs) -> bool:
        """Return whether all slots are right."""
        return answer == (self.slots, 0)

    def event_of(self, inquiry: Code, answer: Pegs) -> Guess:
        """Return the guess with its answer."""
        return Guess(inquiry, *answer)

    format_inquiry = format_code

    def format_answer(self, inquiry: Code, answer: Pegs) -> str:
        """Return an answer as text."""
        return format_pegs(self, answer)

    def code_of(self, world: World) -> Code:
        """Return the code of a world."""
        return tuple(str(world[slot]) for slot in self._slots)

    def world_of(self, code: Iterable[str]) -> dict[Any, Any]:
        """Return the world of a code."""
        colours = tuple(code)
        self.check_code(colours)
        world: dict[Any, Any] = dict(zip(self._slots, colours, strict=True))
        if self._counts_colours:
            world |= {f"number of {colour}": colours.count(colour) for colour in self.colours}
        return world

    # Text and pictures

    def svg(self, knowledge: Knowledge) -> str:
        """Return the board: the guesses with their pegs."""
        from games.mastermind.show import board_svg

        return board_svg(self, knowledge.log)

    parse_event = parse_guess
    parse_code = parse_code

    def format_event(self, event: Guess) -> str:
        """Return a guess as a line of text."""
        return f"{format_code(self, event.code)}: {event.black} {event.white}"

    # Random games

    def deal(self, random: Random) -> dict[Any, Any]:
        """Return the world of a random code."""
        return self.world_of(self.random_code(random))

    @classmethod
    def puzzle_setup(cls, random: Random) -> Mastermind:
        """Return a set-up for a puzzle: three or four slots, and six colours."""
        return cls(slots=random.randint(3, 4))

    def random_code(self, random: Random) -> Code:
        """Return a random code."""
        if self.repeat:
            return tuple(random.choice(self.colours) for _ in self._slots)
        return tuple(random.sample(self.colours, self.slots))

    def record(self, world: World, random: Random) -> Iterator[Guess]:
        """Yield some random guesses with their answers."""
        for _ in range(random.randint(1, 4)):
            guess = self.random_code(random)
            yield Guess(guess, *self.answer(guess, world))


@frozen
class _Fits:
    """Whether a code gives a guess its answer."""

    code: Code
    black: int
    white: int

    def __call__(self, *code: str) -> bool:
        return pegs(code, self.code) == (self.black, self.white)
