"""The set-up of Mastermind: how many slots, which colours, and whether one may be repeated."""

from __future__ import annotations

from math import comb, factorial

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import TypedFields
from deduce.system.text import plural
from games.mastermind.events import Code, Guess

__all__ = ["Setup", "colour_names"]

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


def _colours(colours: object) -> tuple[str, ...]:
    if type(colours) is int:
        if not 1 <= colours <= MAX_COLOURS:
            raise BadInput(f"the number of colours is from 1 to {MAX_COLOURS}, not {colours}")
        return colour_names(colours)
    if isinstance(colours, str) or not isinstance(colours, list | tuple):
        raise BadInput(f"colours: a number or a list of names is needed, not {colours!r}")
    return tuple(colours)


@frozen
class Setup(TypedFields):
    """A set-up, and what can occur in it.

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
    """

    slots: int = 4
    colours: tuple[str, ...] = field(default=6, converter=_colours)
    repeat: bool = True

    def __attrs_post_init__(self) -> None:
        if not 1 <= self.slots <= 20:
            raise BadInput(f"the number of slots is from 1 to 20, not {self.slots}")
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
