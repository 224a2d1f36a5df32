"""What happens in Mastermind: guesses and their answers, one by one and by tables with numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import field, frozen

from deduce.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.integer[Any]]

__all__ = [
    "Code",
    "Guess",
    "Pegs",
    "alike_after",
    "all_codes",
    "answer_table",
    "code_tuple",
    "pegs",
]


Code = tuple[str, ...]
"""A colour for each slot."""


def code_tuple(code: Iterable[str]) -> Code:
    """Return a code as a tuple of colours; anything else is refused.

    >>> code_tuple(["1", "1", "2", "2"])
    ('1', '1', '2', '2')
    """
    if isinstance(code, str) or not isinstance(code, Iterable):
        raise BadInput(f"a code is a list of colours, not {code!r}; for example ('1', '2')")
    colours = tuple(code)
    for colour in colours:
        if not isinstance(colour, str):
            raise BadInput(f"{colour!r} is not a colour; colours are text")
    return colours


@frozen
class Guess:
    """A guess, and its answer: how many black and how many white pegs (bulls and cows)."""

    code: Code = field(converter=code_tuple)
    black: int
    white: int

    @property
    def answer(self) -> Pegs:
        """The black and white pegs together."""
        return self.black, self.white


Pegs: TypeAlias = tuple[int, int]
"""An answer: black and white pegs."""

MAX_PERMUTED = 5
"""In codes of more slots, exchanging slots is not considered: there are too many ways."""


def pegs(code: Sequence[str], guess: Sequence[str]) -> Pegs:
    """Return the numbers of black and white pegs.

    Examples
    --------
    >>> pegs("1123", "1312")
    (1, 3)
    """
    black = sum(one == other for one, other in zip(code, guess, strict=True))
    common = sum(min(code.count(colour), guess.count(colour)) for colour in set(guess))
    return black, common - black


def all_codes(colours: Sequence[str], slots: int, *, repeat: bool) -> tuple[Code, ...]:
    """Return all codes, in the order of the colours."""
    return tuple(product(colours, repeat=slots)) if repeat else tuple(permutations(colours, slots))


@lru_cache(maxsize=8)
def _array(codes: tuple[Code, ...], colours: tuple[str, ...]) -> Array:
    import numpy as np

    number = {colour: i for i, colour in enumerate(colours)}
    array = np.array([[number[colour] for colour in code] for code in codes], dtype=np.int8)
    return array.reshape(len(codes), len(codes[0]) if codes else 0)


def answer_table(
    guesses: tuple[Code, ...], codes: tuple[Code, ...], colours: tuple[str, ...]
) -> tuple[tuple[Pegs, ...], Array]:
    """Return the answers in ascending order, and the index of the answer to each guess and code.

    The last answer is that of the right guess.
    """
    import numpy as np

    one, other = _array(guesses, colours), _array(codes, colours)
    slots = one.shape[1]
    black = np.zeros((len(one), len(other)), dtype=np.int8)
    for slot in range(slots):
        black += one[:, None, slot] == other[None, :, slot]
    both = np.zeros_like(black)
    for colour in range(len(colours)):
        mine, theirs = (one == colour).sum(axis=1), (other == colour).sum(axis=1)
        if mine.any() and theirs.any():
            both += np.minimum(mine.astype(np.int8)[:, None], theirs.astype(np.int8)[None, :])
    answers = tuple(
        (b, w) for b in range(slots + 1) for w in range(slots - b + 1) if (b, w) != (slots - 1, 1)
    )
    index = np.zeros((slots + 1, slots + 1), dtype=np.uint8)
    for number, (b, w) in enumerate(answers):
        index[b, b + w] = number
    return answers, index[black, both]


def alike_after(
    asked: tuple[Code, ...], guesses: tuple[Code, ...], colours: tuple[str, ...]
) -> Array:
    """Return a number for each guess; guesses with the same number are alike after others.

    Two guesses are alike if exchanging slots and colours turns one into the other and leaves each
    guess that was asked as it is. Slots are exchanged only in codes of up to five.
    """
    import numpy as np

    before, codes = _array(asked, colours), _array(guesses, colours)
    count, slots = codes.shape
    width = max(1, (len(colours) - 1).bit_length())
    fits = width * slots * (len(asked) + 1) <= 62
    orders = permutations(range(slots)) if fits and slots <= MAX_PERMUTED else [range(slots)]
    rows = np.arange(count)
    best: Array | None = None
    for order in orders:
        # Colours are renamed in the order in which they occur.
        renamed = np.full((count, len(colours)), -1, dtype=np.int64)
        used = np.zeros(count, dtype=np.int64)
        key = np.zeros((count, 1 if fits else slots * (len(asked) + 1)), dtype=np.int64)
        columns = [np.full(count, code[slot]) for code in before for slot in order]
        columns += [codes[:, slot] for slot in order]
        for position, column in enumerate(columns):
            new = renamed[rows, column] < 0
            renamed[rows[new], column[new]] = used[new]
            used += new
            digit = renamed[rows, column]
            if fits:
                key[:, 0] = key[:, 0] << width | digit
            else:
                key[:, position] = digit
        best = key if best is None else np.minimum(best, key)
    assert best is not None
    if fits:
        return best[:, 0]
    numbers: Array = np.unique(best, axis=0, return_inverse=True)[1].reshape(-1)
    return numbers
