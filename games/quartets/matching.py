"""Places and identities: a matching on bitmasks, or a set of places that has too few identities.

A state in slot form is valid when every place can get its own identity: a matching that serves all
places. Augmenting paths find it (Berge 1957; Kuhn 1955); where one fails, the places it reached are
a minimal set that violates Hall's condition (Hall 1935): more places than identities.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

__all__ = ["HallSet", "Match", "fewest_first", "hamming_bound", "largest_matching", "match"]


@frozen
class HallSet:
    """Places that have too few identities between them, none of which can be left out."""

    places: tuple[int, ...]
    """By number, in order."""
    identities: int
    """All that these places may be, as a bitmask: fewer than there are places."""


@frozen
class Match:
    """The identity (by number) of each place, or why there is none."""

    identities: tuple[int, ...] | None
    hall: HallSet | None = None


def fewest_first(potentials: Sequence[int]) -> list[int]:
    """Return the places sorted from most to least specified."""
    return sorted(range(len(potentials)), key=lambda place: potentials[place].bit_count())


def match(potentials: Sequence[int]) -> Match:
    """Return an identity for every place, or a minimal Hall set.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.

    Notes
    -----
    Cost: at most places x edges, in practice a few int operations per place.

    Examples
    --------
    >>> match([0b011, 0b001, 0b110]).identities
    (1, 0, 2)
    >>> match([0b011, 0b111, 0b011, 0b011]).hall
    HallSet(places=(0, 2, 3), identities=3)
    """
    matching = _Matching(potentials)
    for place in fewest_first(potentials):
        reached = matching.serve(place)
        if reached is not None:
            union = 0
            for other in reached:
                union |= potentials[other]
            return Match(None, HallSet(tuple(sorted(reached)), union))
    return Match(tuple(matching.identities(len(potentials))))


def largest_matching(potentials: Sequence[int]) -> int:
    """Return how many places can be served at once.

    >>> largest_matching([0b01, 0b01, 0b10])
    2
    """
    matching = _Matching(potentials)
    return sum(matching.serve(place) is None for place in fewest_first(potentials))


def hamming_bound(potentials: Sequence[int]) -> bool:
    """Return whether the union of the potentials is at least as large as their number.

    The seed's quick check, one of Hall's conditions: passing it proves nothing.

    >>> hamming_bound([0b1, 0b1])
    False
    """
    union = 0
    for potential in potentials:
        union |= potential
    return union.bit_count() >= len(potentials)


class _Matching:
    def __init__(self, potentials: Sequence[int]) -> None:
        self.potentials = potentials
        self.taken = 0
        self.owner: dict[int, int] = {}
        """Identity, as a single bit, -> place."""

    def serve(self, place: int) -> list[int] | None:
        """Give the place an identity, moving others; return the places reached if that fails."""
        potentials, owner = self.potentials, self.owner
        free = potentials[place] & ~self.taken
        if free:
            bit = free & -free
            self.taken |= bit
            owner[bit] = place
            return None
        seen = 0
        came: dict[int, int] = {}
        queue = [place]
        for here in queue:
            fresh = potentials[here] & ~seen
            seen |= fresh
            while fresh:
                bit = fresh & -fresh
                fresh ^= bit
                came[bit] = here
                following = owner[bit]
                free = potentials[following] & ~self.taken
                if free:
                    self._shift(free & -free, following, came, place)
                    return None
                queue.append(following)
        return queue

    def _shift(self, bit: int, here: int, came: dict[int, int], start: int) -> None:
        """Give ``here`` the free identity, its old one to the place before, and so on."""
        owner = self.owner
        self.taken |= bit
        old = {place: identity for identity, place in owner.items()} if here != start else {}
        while True:
            owner[bit] = here
            if here == start:
                return
            bit = old[here]
            here = came[bit]

    def identities(self, number: int) -> list[int]:
        served = [0] * number
        for bit, place in self.owner.items():
            served[place] = bit.bit_length() - 1
        return served
