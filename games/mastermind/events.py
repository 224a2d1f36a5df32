"""What happens in Mastermind: a guess and its answer."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from deduce.errors import BadInput

__all__ = ["Code", "Guess", "code_tuple"]

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
