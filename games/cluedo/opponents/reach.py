"""Which solutions are possible and what is settled, by witnesses instead of by all worlds.

A joint distribution weighs every solution; here it is only asked whether each has a world at all. A
world that is found serves for many solutions: two cards change places, one of them into the
envelope, and nobody minds. Where no such exchange does, a search decides. Cards that no constraint
tells apart are asked about once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from deduce.budget import Meter
from deduce.engines.bits import search
from deduce.engines.bounds import Bounds
from deduce.engines.model import Model, bits_of
from deduce.engines.residue import residue
from deduce.errors import Contradiction

__all__ = ["Reach"]

MOST = 24
"""How many witnesses are kept to be tried."""


class Reach:
    """What can be, from a propagated state on.

    Parameters
    ----------
    bounds
        The constraints in force, among them one card of each category in the envelope.
    state
        What `Bounds.narrow` leaves possible.
    categories
        The cards of each category, by their index in the model.
    envelope
        The bit of the envelope.
    meter
        Counts the branchings of searches.

    Raises
    ------
    Contradiction
        No world fits.
    Undecided
        The budget does not reach; also from the methods.

    Notes
    -----
    The cost is some microseconds for each combination of cards that are told apart and each witness
    that is tried, and a search (0.05 ms) for what no witness settles: in all 0.3 to 3 ms for a
    standard position.
    """

    def __init__(
        self,
        bounds: Bounds,
        state: int,
        categories: Sequence[Sequence[int]],
        envelope: int,
        meter: Meter,
    ) -> None:
        self.bounds, self.state, self.meter = bounds, state, meter
        self.categories, self.envelope = categories, envelope
        self.stride, self.field = bounds.model.stride, bounds.model.field
        self.fixed = _lone(bounds.model, state)
        self.open = [
            (count.inside, count.low, count.high)
            for count in bounds.counts
            if (self.fixed & count.inside).bit_count() < count.low
            or (state & count.inside).bit_count() > count.high
        ]
        """The counts that a complete state within ``state`` may still break."""
        self.seen = 0
        """Every value that some witness has shown."""
        self.witnesses: list[int] = []
        if not self._finds(state):
            raise Contradiction

    def solutions(self) -> int:
        """Return how many choices of one card a category can be in the envelope together."""
        marks = {
            i: number
            for number, group in enumerate(
                group
                for component in residue(self.bounds, self.state).components
                for group in component.groups
            )
            for i in group.members
        }
        choices = []
        for cards in self.categories:
            alike: dict[int, list[int]] = {}
            for i in cards:
                if self.state >> i * self.stride & self.envelope:
                    alike.setdefault(marks.get(i, -1 - i), []).append(i)
            choices.append([(members[0], len(members)) for members in alike.values()])
        return sum(
            prod(size for _, size in chosen)
            for chosen in product(*choices)
            if self._is_possible([i for i, _ in chosen])
        )

    def settled(self) -> int:
        """Return the bits of the values that a variable has in every world."""
        settled = self.fixed
        for bit in bits_of(_lone(self.bounds.model, self.seen) & ~self.fixed):
            # So far all witnesses agree about this variable; one found meanwhile may not.
            shift = (bit.bit_length() - 1) // self.stride * self.stride
            field = self.field << shift
            if self.seen & field == bit and not self._finds(self.state & ~bit):
                settled |= bit
        return settled

    def _is_possible(self, cards: Sequence[int]) -> bool:
        for place, witness in enumerate(self.witnesses):
            state = self._exchanged(witness, cards)
            if self._fits(state):
                self.seen |= state
                # What served once is tried first the next time.
                self.witnesses.insert(0, self.witnesses.pop(place))
                return True
        start = self.state
        for i in cards:
            start &= ~((self.field & ~self.envelope) << i * self.stride)
        return self._finds(start)

    def _finds(self, start: int) -> bool:
        """Return whether some world fits; it is kept as a witness."""
        # The Hamming bound would spare less than it costs: most of what is asked has a world.
        found = next(search(self.bounds, start, meter=self.meter, hamming=False), None)
        if found is None:
            return False
        self.seen |= found
        self.witnesses.insert(0, found)
        del self.witnesses[MOST:]
        return True

    def _exchanged(self, state: int, cards: Sequence[int]) -> int:
        """Return a witness with these cards in the envelope, each in exchange for the one there."""
        stride, envelope = self.stride, self.envelope
        for wanted, category in zip(cards, self.categories, strict=True):
            shift = wanted * stride
            holder = state >> shift & self.field
            if holder != envelope:
                there = next(i for i in category if state >> i * stride & envelope)
                state ^= (envelope ^ holder) << there * stride | (envelope ^ holder) << shift
        return state

    def _fits(self, state: int) -> bool:
        """Return whether a complete state is a world."""
        if state & ~self.state:
            return False
        return all(low <= (state & inside).bit_count() <= high for inside, low, high in self.open)


def _lone(model: Model, state: int) -> int:
    """Return the bits that stand alone in their field."""
    lone = model.guards & ~((state & (state - model.ones)) + model.full)
    return state & (lone - (lone >> model.width))
