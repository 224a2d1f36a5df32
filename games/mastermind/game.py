"""Mastermind: the set-up, and what follows from it; the class that users know.

The variables are the slots, numbered from 1, and their values are the colours. Where codes are too
many for a table of all of them, the number of slots of each colour is a variable as well.

It also words the steps of proofs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar

from attrs import frozen

from deduce.constraints import Count, Fact, Sum, Where, exactly, is_
from deduce.game import Viewer
from deduce.problem import Evidence, Rule, World, all_different
from deduce.system.language import Texts, listed
from games.mastermind import notation
from games.mastermind.events import Code, Guess, Pegs, alike_after, all_codes, answer_table, pegs
from games.mastermind.setup import Setup

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from games.mastermind.events import Array

__all__ = ["MAX_GUESSES", "Mastermind", "pattern", "say", "say_all"]


def say(fact: Fact) -> str:
    """Return a fact as a sentence.

    >>> from deduce.constraints import is_, is_not
    >>> say(is_(2, "5")), say(is_not(2, "3", "4"))
    ('slot 2 is 5', 'slot 2 is neither 3 nor 4')
    """
    return say_all([fact])


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same colour as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_(1, "5"), is_(3, "5")]), say_all([is_not(1, "5"), is_not(3, "5")])
    ('slots 1 and 3 are 5', 'slots 1 and 3 are not 5')
    """
    first, count = facts[0], len(facts)
    of_slots = all(type(fact.variable) is int for fact in facts)
    if count > 1 and not of_slots:
        return listed([say(fact) for fact in facts])
    what = listed([str(fact.variable) for fact in facts])
    if of_slots:
        what = _say("fact.slots", slots=what, n=count)
    names = sorted(map(str, first.values))
    if first.negated and len(names) > 1 and count == 1:
        return _say("fact.is_none", what=what, colours=listed(names, "neither"))
    key = "fact.is_not" if first.negated else "fact.is"
    return _say(key, what=what, colours=listed(names, "or"), n=count)


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default (`deduce.game.Said.pattern`)."""
    if kind in ("combination", "case"):
        guesses = {piece.event for piece in pieces if isinstance(piece, Evidence)}
        return _say("pattern.case" if len(guesses) == 1 else "pattern.answers")
    if kind == "enough" and all(isinstance(piece, Rule) for piece in pieces):
        return _say("pattern.used_up")
    if kind not in ("given", "last value", "enough", "needed", "table"):
        return None
    return _say(f"pattern.{kind}")


_say = Texts("mastermind", "games")

MAX_TABLE = 1_000_000
"""Up to this number of codes, an answer is one predicate about all slots; engines tabulate it."""

MAX_GUESSES = 20_000
"""Up to this number of codes, all of them are offered as guesses."""

OFFERED = 300
"""How many guesses are offered otherwise: possible codes, drawn at random."""


@frozen
class Mastermind(Setup):
    """Mastermind of any size, with or without repetition.

    The parameters are those of `games.mastermind.setup.Setup`.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(Mastermind()).tell("1122: 0 0", "3345: 1 1")
    >>> k.count(), sorted(k.possible()[1])
    (46, ['3', '4', '5', '6'])
    """

    name: ClassVar[str] = "mastermind"
    events: ClassVar[tuple[type, ...]] = (Guess,)

    @property
    def _counts_colours(self) -> bool:
        """Whether the number of slots of each colour is a variable."""
        return self.repeat and self.codes > MAX_TABLE

    # The hidden game

    def variables(self) -> Mapping[Hashable, Sequence[Hashable]]:
        """Return the slots, and for many codes how often each colour occurs."""
        variables: dict[Hashable, Sequence[Hashable]] = dict.fromkeys(self._slots, self.colours)
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
                yield Rule(rule, _say("rule.once", colour=str(colour)))
        if self._counts_colours:
            for colour in self.colours:
                terms: list[tuple[Fact, int]] = [(is_(slot, colour), 1) for slot in self._slots]
                terms += [(is_(f"number of {colour}", k), -k) for k in range(1, self.slots + 1)]
                yield Rule(Sum(terms, 0, 0), _say("rule.number", colour=str(colour)))

    def evidence(self, log: Sequence[Guess], viewer: Viewer) -> Iterator[Evidence]:
        """Return what each answer states; all viewers see the same."""
        for number, guess in enumerate(log, start=1):
            answer = notation.format_pegs(self, guess.answer)
            sentence = _say("event.got", code=notation.format_code(self, guess.code), answer=answer)
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

    def groups(self) -> dict[str, list[Hashable]]:
        """Return the slots, and the numbers of colours, for tables."""
        numbers: list[Hashable] = [f"number of {colour}" for colour in self.colours]
        slots: dict[str, list[Hashable]] = {"slot": list(self._slots)}
        return slots | ({"colours": numbers} if self._counts_colours else {})

    say = staticmethod(say)
    say_all = staticmethod(say_all)
    pattern = staticmethod(pattern)

    # What to ask

    def inquiries(self, log: Sequence[Guess], viewer: Viewer) -> tuple[Code, ...]:
        """Return the guesses: all codes, or possible codes drawn at random if there are many."""
        if self.codes <= MAX_GUESSES:
            return self.every_inquiry(log, viewer)
        from deduce.knowledge import Knowledge

        drawn = Knowledge(self, log).sample(OFFERED, seed=0)
        return tuple(dict.fromkeys(map(self.code_of, drawn)))

    def every_inquiry(self, log: Sequence[Guess], viewer: Viewer) -> tuple[Code, ...]:
        """Return all codes."""
        return all_codes(self.colours, self.slots, repeat=self.repeat)

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

    format_inquiry = notation.format_code

    def format_answer(self, inquiry: Code, answer: Pegs) -> str:
        """Return an answer as text."""
        return notation.format_pegs(self, answer)

    def code_of(self, world: World) -> Code:
        """Return the code of a world."""
        return tuple(str(world[slot]) for slot in self._slots)

    def world_of(self, code: Iterable[str]) -> dict[Hashable, Hashable]:
        """Return the world of a code."""
        colours = tuple(code)
        self.check_code(colours)
        world: dict[Hashable, Hashable] = dict(zip(self._slots, colours, strict=True))
        if self._counts_colours:
            world |= {f"number of {colour}": colours.count(colour) for colour in self.colours}
        return world

    # Text and pictures

    def svg(self, knowledge: Knowledge) -> str:
        """Return the board: the guesses with their pegs."""
        from games.mastermind.show import board_svg

        return board_svg(self, knowledge.log)

    parse_event = notation.parse_guess
    format_event = notation.format_guess
    parse_code = notation.parse_code

    # Random games

    def deal(self, random: Random) -> dict[Hashable, Hashable]:
        """Return the world of a random code."""
        return self.world_of(self.random_code(random))

    @classmethod
    def puzzle_setup(cls, random: Random) -> Mastermind:
        """Return a set-up for a puzzle: three or four slots, and six colours."""
        return cls(slots=random.randint(3, 4))

    @classmethod
    def staged(cls, level: int, random: Random) -> Mastermind:
        """Return 4 colours in 3 slots, the usual 6 in 4, or 6 in 5."""
        return cls(*((3, 4), (4, 6), (5, 6))[level - 1])

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
