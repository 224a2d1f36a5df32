"""A component of the search with component caching that is counted by a sweep instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from random import Random

from deduce.budget import Meter
from deduce.engines.counting.branching import Subproblem
from deduce.engines.counting.draws import below
from deduce.engines.counting.order import states_of
from deduce.engines.counting.part import Parts, Settings
from deduce.engines.counting.residual import Residual
from deduce.engines.counting.residue import Residue, residue_within
from deduce.engines.masks import bits_of
from deduce.engines.model import Model
from deduce.errors import Undecided

__all__ = ["Rounds", "Swept"]

FIRST_SHARE = 100_000
"""Steps of the first attempt at any component."""

FEW_STATES = 2.0**30
"""Up to this bound on its states a component is likely to be swept with a larger first share."""

FIRST_FACTOR = 10
"""How many times larger the first share of such a component is."""

GROWTH = 4
"""Each share is this many times the one before; the search goes on for as long in between."""

MAX_STATES = 2.0**38
"""Beyond this bound on its states a component is not swept again after the first attempt.

Of 30 components of five logs of Pigs, a sweep counted all 11 below it within 8 million steps, of
which the search left two undecided; of those above it, only four, each of them slower than the
search or within the first attempt.
"""

MAX_DRAWN = 64
"""Worlds that are drawn at a time."""


class Swept:
    """The weights of a component by a sweep, as a leaf in the graph of a search.

    Parameters
    ----------
    model
        The numbering.
    parts
        What was swept: usually one, several where the search did not see that it falls apart.
    """

    def __init__(self, model: Model, parts: Parts) -> None:
        self.model = model
        self.parts = parts
        self.total = parts.total
        self._drawn: list[int] = []
        self._number = 1

    def flows(self) -> Iterator[tuple[int, int]]:
        """Yield value bits, each with the weight of the component's worlds that have it."""
        for group, effect, flow in self.parts.flows():
            share = flow // effect.values.bit_count()
            for value in bits_of(effect.values):
                for i in group.members:
                    yield value << i * self.model.stride, share

    def draw(self, random: Random) -> int:
        """Return the values of the component in a world that is drawn by weight."""
        if not self._drawn:
            self._drawn = self._draws(self._number, random)
            self._number = min(2 * self._number, MAX_DRAWN)
        return self._drawn.pop()

    def _draws(self, number: int, random: Random) -> list[int]:
        rows = [[0] * len(self.model.variables) for _ in range(number)]
        self.parts.draw(rows, lambda _, mask: list(bits_of(mask)), below(random))
        stride = self.model.stride
        return [sum(value << i * stride for i, value in enumerate(row)) for row in rows]


class _Stint(Meter):
    """Spends from another meter, up to a number of steps."""

    def __init__(self, whole: Meter, steps: int) -> None:
        super().__init__(whole.budget)
        self.whole = whole
        self.end: float = whole.steps + steps

    def spend(self, steps: int = 1) -> None:
        self.whole.spend(steps)
        self.steps += steps
        if self.whole.steps > self.end:
            raise Undecided("not decided within the share of a round")

    def check(self) -> None:
        self.whole.check()


class Rounds:
    """Attempts at components by sweeps, in rounds of rising shares, while a search goes on.

    Neither of them is the faster one everywhere, and no estimate knows which is. The search is
    interrupted for a sweep and then continued, so that a component costs at most a few times what
    the faster of the two takes.

    Parameters
    ----------
    model, residuals
        The problem, and its constraints as the search looks at them.
    meter
        Counts what all sweeps spend.
    keep
        Whether flows or draws will be asked for.
    """

    def __init__(
        self, model: Model, residuals: Sequence[Residual], meter: Meter, *, keep: bool
    ) -> None:
        self.model = model
        self.residuals = residuals
        self.meter = meter
        self.settings = Settings()
        self.keep = keep
        self.due = 0.0
        """The number of steps from which on the next sweep is tried."""
        self._subproblem: Subproblem | None = None
        self._residue = Residue((), 1, (), {})
        self._share = 0
        self._large = False

    def begin(self, subproblem: Subproblem) -> None:
        """Make a component the one to be counted."""
        model = self.model
        variables = {guard.bit_length() // model.stride - 1 for guard in bits_of(subproblem.guards)}
        self.meter.spend(sum(len(self.residuals[n].variables) for n in subproblem.active))
        forms = [self.residuals[number].form for number in subproblem.active]
        self._subproblem = subproblem
        self._residue = residue_within(model, subproblem.state, forms, variables, self.meter)
        states = max(states_of(component, self.meter) for component in self._residue.components)
        self._share = FIRST_SHARE * (FIRST_FACTOR if states <= FEW_STATES else 1)
        self._large = states > MAX_STATES
        self.due = 0.0

    def attempt(self) -> Swept | None:
        """Return the component swept, if that is possible within the share of this round."""
        meter = self.meter
        stint = _Stint(meter, self._share)
        try:
            parts = Parts(self._residue, stint, self.settings, keep=self.keep)
            stint.end = inf  # flows and draws have all that the question may spend
            return Swept(self.model, parts)
        except Undecided:
            meter.check()
        self.due = inf if self._large else meter.steps + self._share
        self._share *= GROWTH
        return None
