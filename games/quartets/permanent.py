"""How many ways there are to give every place its own identity."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.budget import STANDARD, Budget
from games.quartets.matching import fewest_first

__all__ = ["count_matchings"]

Kinds = tuple[tuple[int, int], ...]
"""The identities that are left, by kind: the later places that want them, and how many."""


def count_matchings(potentials: Sequence[int], *, budget: Budget = STANDARD) -> int:
    """Return the number of matchings that serve every place.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.
    budget
        Each transition is a step.

    Raises
    ------
    Undecided
        The budget ran out: counting matchings is hard (Valiant 1979).

    Notes
    -----
    A sweep over the places, most specified first; its states say how many identities of each kind
    are used up. Identities are of one kind while no later place tells them apart.

    Examples
    --------
    >>> count_matchings([0b111, 0b111, 0b111])
    6
    >>> count_matchings([0b011, 0b110])
    3
    """
    meter = budget.meter()
    order = [potentials[place] for place in fewest_first(potentials)]
    number = max((potential.bit_length() for potential in potentials), default=0)
    kinds: dict[int, int] = {}
    for identity in range(number):
        wanted = sum(1 << i for i, potential in enumerate(order) if potential >> identity & 1)
        if wanted:
            kinds[wanted] = kinds.get(wanted, 0) + 1
    states: dict[Kinds, int] = {tuple(sorted(kinds.items())): 1}
    for i in range(len(order)):
        following: dict[Kinds, int] = {}
        for state, ways in states.items():
            meter.spend(len(state))
            for kind, left in state:
                if kind >> i & 1:
                    rest = _merged(state, kind, ~(1 << i))
                    following[rest] = following.get(rest, 0) + ways * left
        states = following
    return sum(states.values())


def _merged(state: Kinds, used: int, keep: int) -> Kinds:
    """Return the kinds after one identity of a kind is used and a place is served."""
    kinds: dict[int, int] = {}
    for kind, left in state:
        left -= kind == used
        kind &= keep
        if left and kind:
            kinds[kind] = kinds.get(kind, 0) + left
    return tuple(sorted(kinds.items()))
