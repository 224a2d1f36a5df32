"""Places and identities: a matching on bitmasks, or a set of places that has too few identities.

A state in slot form is valid if every place can get an identity of its own: a matching that covers
all places. Augmenting paths find it (Berge 1957; Kuhn 1955); where one fails, the places that it
reached are a minimal set that violates Hall's condition (Hall 1935): more places than identities.

The core answers the same questions about the problem that `games.quartets.evidence.slot_problem`
makes of the places, and the tests compare the two. The functions here stay because they are more
than 5 times faster (docs/benchmarks/quartets.md): `match` some 60 times over the recorded lists,
`count_matchings` over 100 times over the slot forms of recorded games with 52 cards, since it
merges alike identities; for some of these the core is undecided.

`collapse` is the check of the first description, a search that is kept to be measured against.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from deduce.budget import STANDARD, Budget, Meter

__all__ = [
    "HallSet",
    "Match",
    "collapse",
    "count_matchings",
    "fewest_first",
    "hamming_bound",
    "largest_matching",
    "match",
]


@frozen
class HallSet:
    """Places that have too few identities between them, none of which can be left out."""

    places: tuple[int, ...]
    """The numbers of the places, in order."""
    identities: int
    """All identities that these places may have, as a bitmask: fewer than there are places."""


@frozen
class Match:
    """The number of the identity of each place, or the reason why there is none."""

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
    """Return how many places can have an identity at once.

    >>> largest_matching([0b01, 0b01, 0b10])
    2
    """
    matching = _Matching(potentials)
    return sum(matching.serve(place) is None for place in fewest_first(potentials))


def hamming_bound(potentials: Sequence[int]) -> bool:
    """Return whether the union of the potentials is at least as large as their number.

    The quick check of the first description, one of Hall's conditions: passing it proves nothing.

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

    def identities(self, places: int) -> list[int]:
        result = [0] * places
        for bit, place in self.owner.items():
            result[place] = bit.bit_length() - 1
        return result


Kinds = tuple[tuple[int, int], ...]
"""The identities that are left, by kind: the later places that may have them, and how many."""


def count_matchings(potentials: Sequence[int], *, budget: Budget = STANDARD) -> int:
    """Return the number of matchings that cover every place.

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
    A sweep over the places, most specified first; its states are how many identities of each kind
    are left. Identities are of one kind while no later place distinguishes them.

    Examples
    --------
    >>> count_matchings([0b111, 0b111, 0b111])
    6
    >>> count_matchings([0b011, 0b110])
    3
    """
    meter = budget.meter()
    order = [potentials[place] for place in fewest_first(potentials)]
    identities = max((potential.bit_length() for potential in potentials), default=0)
    kinds: dict[int, int] = {}
    for identity in range(identities):
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
    """Return the kinds after one identity of a kind is used and a place is done."""
    kinds: dict[int, int] = {}
    for kind, left in state:
        left -= kind == used
        kind &= keep
        if left and kind:
            kinds[kind] = kinds.get(kind, 0) + left
    return tuple(sorted(kinds.items()))


def collapse(
    potentials: Sequence[int],
    *,
    sort: bool = True,
    bound: bool = True,
    budget: Budget = STANDARD,
    meter: Meter | None = None,
) -> tuple[int, ...] | None:
    """Return the number of the identity of each place, or ``None`` if not all can have one.

    The check of the first description of the game: collapse the places one by one, depth first,
    and backtrack. Its two refinements are switches.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.
    sort
        Whether the places are sorted once, from most to least specified.
    bound
        Whether a branch is given up when the places that are left have fewer identities between
        them than there are places (`hamming_bound`).
    budget
        Each collapse of a place is a step.
    meter
        Use this meter, to read its steps afterwards.

    Raises
    ------
    Undecided
        The search is exponential; the budget ran out.

    Examples
    --------
    >>> collapse([0b011, 0b001, 0b110])
    (1, 0, 2)
    """
    meter = meter or budget.meter()
    order = fewest_first(potentials) if sort else list(range(len(potentials)))
    left = [potentials[place] for place in order]
    if bound and not hamming_bound(left):
        return None
    chosen: list[int] = []
    untried = [left[0]] if left else []
    used = 0
    while len(chosen) < len(left):
        depth = len(chosen)
        bit = untried[depth] & -untried[depth]
        if not bit:
            untried.pop()
            if not chosen:
                return None
            used ^= chosen.pop()
            continue
        untried[depth] ^= bit
        meter.spend()
        if depth + 1 == len(left):
            chosen.append(bit)
            break
        rest = [potential & ~(used | bit) for potential in left[depth + 1 :]]
        if not all(rest) or (bound and not hamming_bound(rest)):
            continue
        chosen.append(bit)
        used |= bit
        untried.append(rest[0])
    identities = [0] * len(left)
    for place, bit in zip(order, chosen, strict=True):
        identities[place] = bit.bit_length() - 1
    return tuple(identities)
