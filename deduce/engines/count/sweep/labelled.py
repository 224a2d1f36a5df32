"""The joint distribution of answers by a sweep whose states do not contain the answers.

In `deduce.engines.count.sweep.arrays` the answers known so far are part of the state, so that three
questions multiply the states by a thousand. Here a state has a row of weights, one for each
combination of the answers: states are looked up once for all of them. States in which different
questions are answered have rows of different shapes, and are kept apart. Once all are answered,
what follows does not depend on the answers: the states have no rows then, but the weight of all
their completions, which a pass backwards has found before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from deduce.budget import Meter
from deduce.engines.core.residue import Component
from deduce.engines.count.sweep.arrays import OVERHEAD, PRICE, live_states
from deduce.engines.count.sweep.folds import Folds
from deduce.engines.count.sweep.moves import Move, Stage, States, folded, located, moves, stages
from deduce.engines.count.sweep.numbers import (
    ROUNDING,
    WORD,
    Indices,
    TooLarge,
    Words,
    exact,
    primes,
    primes_above,
)
from deduce.engines.count.sweep.plan import Plan
from deduce.engines.count.sweep.prune import Remaining

__all__ = ["LabelledSweep", "unlabelled"]

ENTRIES = 128
"""Weights that are added in a step of a `deduce.budget.Budget`."""

PRIME = 1 << 31
"""All primes are below it."""

CHUNK = 1 << 16
"""Weights that are added at a time: they fit the cache of a processor."""

Rows = NDArray[np.uint64]
"""For each state the weights of the combinations of answers: one more axis for each question."""

Answered: TypeAlias = tuple[int, ...]
"""The questions that are answered in a state, by counter."""

Place: TypeAlias = tuple[slice | int, ...]
"""Which part of a row: one index for each question that is answered."""


def unlabelled(component: Component) -> Component:
    """Return a component whose states only tell whether a question is answered, in one bit."""
    counters = (
        counter if counter.question is None else evolve(counter, saturates=True)
        for counter in component.counters
    )
    return evolve(component, counters=tuple(counters))


@frozen(eq=False)
class _Layer:
    """States with the same questions answered: sorted, with their rows modulo each modulus."""

    states: States
    shape: tuple[int, ...]
    """That of a row."""
    rows: tuple[Rows, ...]
    sizes: NDArray[np.float64]
    """The sum of each row, rounded."""


@frozen(eq=False)
class _Arrival:
    """What one choice brings to states of one kind of layer."""

    source: _Layer
    move: Move
    targets: States
    place: Place
    shape: tuple[int, ...]
    """The least shape of a row that it fits into."""


class LabelledSweep:
    """The weights of one component's partial worlds, by answer.

    Parameters
    ----------
    plan
        A plan of an `unlabelled` component whose states have at most 64 bits.
    meter
        Counts the states that are looked up and the weights that are added.
    folds
        The states that have the same future.
    prune_from
        From how many states on those are dropped that cannot be completed.
    moduli
        The least number of primes beside the machine words.

    Attributes
    ----------
    answers : Mapping[tuple[tuple[int, int], ...], int]
        The weight of each combination of ``(question, number of its answer)`` that occurs.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    TooLarge
        A weight does not fit a float.
    """

    def __init__(
        self,
        plan: Plan,
        meter: Meter,
        *,
        folds: Folds | None = None,
        prune_from: int = 400,
        moduli: int = 0,
    ) -> None:
        self.plan, self.meter, self.folds, self.prune_from = plan, meter, folds, prune_from
        self._stages = list(stages(plan))
        counters = plan.component.counters
        self._numbers: dict[int, dict[int, int]] = {
            n: {} for n, counter in enumerate(counters) if counter.question is not None
        }
        """For each question the place of each number in a row, in the order of the sweep."""
        self._all = tuple(sorted(self._numbers))
        self._ends: list[States] = []
        """The states with all questions answered, before each stage and at the end."""
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                needed = self._primes_needed(self._sweep(None))
                self._complete(primes(max(needed, moduli)))
                self._sweep(primes(max(needed, moduli)))
            except OverflowError as error:
                raise TooLarge(str(error)) from None
        self.answers = dict(self._answers())

    def _primes_needed(self, size: float) -> int:
        """Return how many primes tell all numbers up to a rounded size apart."""
        return primes_above(2.0 * size * (1.0 + 4.0 * self._roundings * ROUNDING))

    def _sweep(self, moduli: tuple[int, ...] | None) -> float:
        """Sweep, and return the rounded sum of all weights; ``None``: without the rows."""
        self.moduli = moduli or ()
        self._periods = () if moduli is None else (WORD, *moduli)
        self._roundings = 4.0 * len(self._stages)
        one = tuple(np.ones(1, np.uint64) for _ in self._periods)
        layers: dict[Answered, _Layer] = {(): _Layer(np.zeros(1, np.uint64), (), one, np.ones(1))}
        nothing = _Layer(np.zeros(0, np.uint64), (), (), np.zeros(0))
        for number, stage in enumerate(self._stages, 1):
            self.meter.spend(OVERHEAD)
            if stage.step is not None:
                layers = self._live(stage.index, layers)
            if moduli is None:
                self._ends.append(layers.get(self._all, nothing).states)
            arrivals: dict[Answered, list[_Arrival]] = {}
            for answered, layer in layers.items():
                for key, arrival in self._arrivals(stage, answered, layer):
                    if key == self._all and moduli is not None:
                        self._finish(number, arrival)
                    else:
                        arrivals.setdefault(key, []).append(arrival)
            layers = {key: self._merged(coming) for key, coming in arrivals.items()}
        if moduli is None:
            self._ends.append(layers.get(self._all, nothing).states)
        self._final = {
            key: [rows.sum(axis=0, dtype=np.uint64) for rows in layer.rows]
            for key, layer in layers.items()
        }
        return float(sum(layer.sizes.sum() for layer in layers.values()))

    def _complete(self, moduli: tuple[int, ...]) -> None:
        """Find the weights of all completions of the states with all questions answered."""
        self.moduli, self._periods = moduli, (WORD, *moduli)
        shape = tuple(len(self._numbers[n]) for n in self._all)
        self._joint = [np.zeros(shape, np.uint64) for _ in self._periods]
        """The weights of the combinations of all answers, modulo each modulus."""
        ones = [np.ones(len(self._ends[-1]), np.uint64) for _ in self._periods]
        self._after = [ones]
        for stage, states, ends in zip(
            reversed(self._stages), self._ends[-2::-1], self._ends[:0:-1], strict=True
        ):
            before = [np.zeros(len(states), np.uint64) for _ in self._periods]
            layer = _Layer(states, shape, (), np.zeros(0))
            for _, arrival in self._arrivals(stage, self._all, layer) if len(states) else ():
                spot, hit = located(ends, arrival.targets)
                which = hit if arrival.move.which is None else arrival.move.which[hit]
                for k, after in enumerate(self._after[-1]):
                    before[k][which] += self._times(k, after[spot], arrival.move, hit)
                    if k:
                        before[k] %= np.uint64(self._periods[k])
            self._after.append(before)
        self._after.reverse()

    def _finish(self, number: int, arrival: _Arrival) -> None:
        """Add what a choice brings to states that have no rows, before a stage or at the end."""
        spots, hits = located(self._ends[number], arrival.targets)
        which = hits if arrival.move.which is None else arrival.move.which[hits]
        for k, source in enumerate(arrival.source.rows):
            step = max(1, CHUNK // max(1, source[:1].size))
            for begin in range(0, len(hits), step):
                some = slice(begin, begin + step)
                after = self._after[number][k][spots[some]]
                after = self._times(k, after, arrival.move, hits[some])
                more = source[which[some]]
                self.meter.spend(1 + more.size // ENTRIES)
                more *= after.reshape(-1, *(1,) * (source.ndim - 1))
                if k:
                    more %= np.uint64(self._periods[k])
                self._joint[k][arrival.place] += more.sum(axis=0, dtype=np.uint64)
                if k:
                    self._joint[k] %= np.uint64(self._periods[k])

    def _times(self, k: int, numbers: Words, move: Move, which: Indices) -> Words:
        """Return numbers times the weight of a choice, and its factors for some states."""
        period = np.uint64(self._periods[k] % WORD)
        numbers = numbers * np.uint64(move.choice[2] % self._periods[k])
        if k:
            numbers %= period
        if move.factors is not None:
            factors = move.factors.rests[k - 1][0] if k else move.factors.words
            numbers *= factors[which]
            if k:
                numbers %= period
        return numbers

    def _live(self, index: int, layers: dict[Answered, _Layer]) -> dict[Answered, _Layer]:
        """Return the layers without states that can no longer be completed."""
        if all(len(layer.states) < self.prune_from for layer in layers.values()):
            return layers
        remaining = Remaining(self.plan, index)
        live = dict(layers)
        for answered, layer in layers.items():
            if len(layer.states) >= self.prune_from:
                which = live_states(remaining, layer.states, self.meter)
                if which is not None:
                    rows = tuple(rows[which] for rows in layer.rows)
                    sizes = layer.sizes[which]
                    live[answered] = _Layer(layer.states[which], layer.shape, rows, sizes)
        return live

    def _arrivals(
        self, stage: Stage, answered: Answered, layer: _Layer
    ) -> Iterator[tuple[Answered, _Arrival]]:
        """Yield what each choice of a step brings, with the questions that are answered then."""
        fold = None if self.folds is None else self.folds.before(stage.after)
        for move in moves(stage, layer.states, self.moduli):
            self.meter.spend((len(move.targets) + len(layer.states) // 8) // PRICE)
            labels = self._labels(stage, move)
            if labels is None or labels.keys() & {*answered}:
                continue  # a question has one answer: no such world is possible
            lengths = dict(zip(answered, layer.shape, strict=True))
            place: dict[int, slice | int] = {n: slice(length) for n, length in lengths.items()}
            place.update(labels)
            lengths.update((n, label + 1) for n, label in labels.items())
            key = tuple(sorted(place))
            targets = move.targets if fold is None else folded(fold, move.targets)
            yield (
                key,
                _Arrival(
                    layer,
                    move,
                    targets,
                    tuple(place[n] for n in key),
                    tuple(lengths[n] for n in key),
                ),
            )

    def _labels(self, stage: Stage, move: Move) -> dict[int, int] | None:
        """Return the place in a row of each answer that a choice gives; ``None``: impossible."""
        _, _, _, number, taken = move.choice
        if stage.step is None or not taken:
            return {}
        effect = stage.step.group.effects[number]
        labels = {}
        for n, label in effect.adds:
            if n in self._numbers:
                if taken > 1:
                    return None
                places = self._numbers[n]
                labels[n] = places.setdefault(label, len(places))
        return labels

    def _merged(self, coming: Sequence[_Arrival]) -> _Layer:
        """Return the layer in which the same states of all choices are one."""
        self.meter.check()
        all_targets = np.concatenate([arrival.targets for arrival in coming])
        order = np.argsort(all_targets, kind="stable")  # it merges sorted stretches
        ranked = all_targets[order]
        is_new = np.ones(len(ranked), dtype=np.bool_)
        is_new[1:] = ranked[1:] != ranked[:-1]
        states, spots = ranked[is_new], np.empty(len(order), np.intp)
        spots[order] = np.cumsum(is_new) - 1
        shape = tuple(map(max, zip(*(arrival.shape for arrival in coming), strict=True)))
        if self._periods:
            self.meter.spend(len(states) * prod(shape) // ENTRIES)
        rows = tuple(np.zeros((len(states), *shape), np.uint64) for _ in self._periods)
        sizes = np.zeros(len(states))
        reached = 0
        """No number of the rows modulo a prime exceeds it."""
        first = 0
        for arrival in coming:
            self.meter.check()
            spot = spots[first : first + len(arrival.targets)]
            first += len(spot)
            source, move = arrival.source, arrival.move
            which = np.arange(len(source.states)) if move.which is None else move.which
            for some in _different(spot):
                self._roundings += 1
                at, of = spot[some], which[some]
                here = source.sizes[of] * float(move.choice[2])
                if move.factors is not None:
                    here *= move.factors.sizes[some]
                sizes[at] += here
                reached += PRIME * (1 if move.factors is not None else min(move.choice[2], PRIME))
                if reached >= WORD:
                    self._reduce(rows)
                    reached = 2 * PRIME * PRIME
                for k in range(len(rows)):
                    part = rows[k][(slice(None), *arrival.place)]
                    self._add(k, part, at, source.rows[k], of, move, some)
        self._reduce(rows)
        return _Layer(states, shape, rows, sizes)

    def _reduce(self, rows: Sequence[Rows]) -> None:
        """Make all numbers modulo a prime smaller than it, in place."""
        for period, some in zip(self._periods[1:], rows[1:], strict=True):
            np.remainder(some, np.uint64(period), out=some)

    def _add(
        self,
        k: int,
        part: Rows,
        at: Indices,
        source: Rows,
        of: Indices,
        move: Move,
        some: Indices,
    ) -> None:
        """Add rows of a source to some places, each once; modulo a prime they are reduced later."""
        period = self._periods[k]
        weight = move.choice[2] % period
        axes = (1,) * (source.ndim - 1)
        step = max(1, CHUNK // max(1, source[:1].size))
        for begin in range(0, len(at), step):
            here = at[begin : begin + step]
            more = source[of[begin : begin + step]]
            self.meter.spend(1 + more.size // ENTRIES)
            if weight != 1:
                more *= np.uint64(weight)
            if move.factors is not None:
                if k:
                    more %= np.uint64(period)
                numbers = move.factors.words if not k else move.factors.rests[k - 1][0]
                more *= numbers[some[begin : begin + step]].reshape(-1, *axes)
                if k:
                    more %= np.uint64(period)
            more += part[here]
            part[here] = more

    def _answers(self) -> Iterator[tuple[tuple[tuple[int, int], ...], int]]:
        counters = self.plan.component.counters
        for answered, sums in {**self._final, self._all: self._joint}.items():
            numbers = {n: list(self._numbers[n]) for n in answered}
            for place in np.ndindex(*sums[0].shape):
                rests = [
                    (int(some[place]) % p, p) for some, p in zip(sums[1:], self.moduli, strict=True)
                ]
                weight = exact(int(sums[0][place]), 0.0, rests, 0.0)
                if weight:
                    given = {n: numbers[n][i] for n, i in zip(answered, place, strict=True)}
                    named = ((counters[n].question, given.get(n, 0)) for n in self._numbers)
                    yield tuple((q, number) for q, number in named if q is not None), weight


def _different(spots: Indices) -> Iterator[Indices]:
    """Yield indices of all spots, so that no two spots of a part are the same."""
    if len(spots) < 2 or (spots[1:] > spots[:-1]).all():
        yield np.arange(len(spots))
        return
    order = np.argsort(spots, kind="stable")
    ranked = spots[order]
    first = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    rank = np.arange(len(spots)) - np.repeat(first, np.diff(first, append=len(spots)))
    for number in range(int(rank.max()) + 1):
        yield order[rank == number]
