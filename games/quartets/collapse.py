"""The seed's own check: collapse the places one by one, depth first, and backtrack.

Kept as an engine to measure against, with its two refinements as switches: *sorting* the places
from most to least specified before the search, and the *bound*, which gives up a branch when the
places that are left have fewer identities between them than there are places.
"""

from __future__ import annotations

from collections.abc import Sequence

from deduce.budget import STANDARD, Budget, Meter
from games.quartets.matching import fewest_first, hamming_bound

__all__ = ["collapse"]


def collapse(
    potentials: Sequence[int],
    *,
    sort: bool = True,
    bound: bool = True,
    budget: Budget = STANDARD,
    meter: Meter | None = None,
) -> tuple[int, ...] | None:
    """Return the identity (by number) of each place, or ``None`` when not all can have one.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.
    sort
        Whether the places are sorted once, from most to least specified.
    bound
        Whether a branch is given up when the bound fails on the places that are left.
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
