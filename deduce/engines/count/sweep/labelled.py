"""The joint distribution of answers by a sweep whose states do not contain the answers.

In `deduce.engines.count.sweep.arrays` the answers known so far are part of the state, so that three
questions multiply the states by a thousand. Here a state has a row of weights, one for each
combination of the answers: states are looked up once for all of them. States in which different
questions are answered have rows of different shapes, and are kept apart. Once more than half are
answered, states have rows of the weights of their completions instead, one for each combination of
the answers that are missing, from a pass backwards: with three questions no row is about more than
one of them. Where the passes meet, rows are multiplied as matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from types import MappingProxyType
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
    exact,
    primes,
    primes_above,
)
from deduce.engines.count.sweep.plan import Plan
from deduce.engines.count.sweep.sweep import Remaining

__all__ = ["LabelledSweep", "unlabelled"]

ENTRIES = 128
"""Weights that are added in a step of a `deduce.budget.Budget`."""

PRIME = 1 << 31
"""All primes are below it."""

HALF = 16
"""Bits by which numbers modulo a prime are split, so that sums of their products fit a word."""

CHUNK = 1 << 16
"""Weights that are added at a time: they fit the cache of a processor."""

Rows = NDArray[np.uint64]
"""For each state the weights of the combinations of answers: one more axis for each question."""

Answered: TypeAlias = tuple[int, ...]
"""The questions that are answered in a state, by counter."""

Place: TypeAlias = tuple[slice | int, ...]
"""Which part of a row: one index for each question."""

_Found: TypeAlias = "tuple[Place, Indices, tuple[Rows, ...], Indices, Move, Indices]"
"""The part of the rows of some states, these states, the rows that are added to them, and which of
these; with the choice that leads from one to the other, and its indices of that."""


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
    """What one choice brings to states with some questions answered."""

    before: Answered
    answered: Answered
    labels: Mapping[int, int]
    """For each question that the choice answers, the place of its answer."""
    move: Move
    targets: States


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
        self._few = len(self._all) // 2
        """Up to this number of answers are in rows; of more, those that are missing."""
        self._late: list[dict[Answered, States]] = []
        """The states with more answers, before each stage and at the end."""
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                needed = max(self._primes_needed(self._sweep(None)), moduli)
                self._complete(primes(needed))
                self._sweep(primes(needed))
            except OverflowError as error:
                raise TooLarge(str(error)) from None
        self.answers = dict(self._answers())

    def _primes_needed(self, size: float) -> int:
        """Return how many primes tell all numbers up to a rounded size apart."""
        return primes_above(2.0 * size * (1.0 + 4.0 * self._roundings * ROUNDING))

    def _sweep(self, moduli: tuple[int, ...] | None) -> float:
        """Sweep, and return the rounded sum of all weights; ``None``: without the rows.

        With rows, only the states with few answers are swept.
        """
        self.moduli = moduli or ()
        self._periods = () if moduli is None else (WORD, *moduli)
        self._roundings = 4.0 * len(self._stages)
        one = tuple(np.ones(1, np.uint64) for _ in self._periods)
        layers: dict[Answered, _Layer] = {(): _Layer(np.zeros(1, np.uint64), (), one, np.ones(1))}
        for number, stage in enumerate(self._stages, 1):
            self.meter.spend(OVERHEAD)
            if stage.step is not None:
                layers = self._live(stage.index, layers)
            if moduli is None:
                self._note(layers)
            coming: dict[Answered, list[tuple[_Layer, _Arrival]]] = {}
            for answered, layer in layers.items():
                for arrival in self._arrivals(stage, answered, layer.states):
                    if moduli is not None and len(arrival.answered) > self._few:
                        self._meet(layer, arrival, number)
                    else:
                        coming.setdefault(arrival.answered, []).append((layer, arrival))
            layers = {key: self._merged(key, arrivals) for key, arrivals in coming.items()}
        if moduli is None:
            self._note(layers)
        for answered, layer in layers.items():
            place = self._places(_place(answered, layer.shape))
            for k, rows in enumerate(layer.rows):
                self._joint[k][place] += rows.sum(axis=0, dtype=np.uint64)
        return float(sum(layer.sizes.sum() for layer in layers.values()))

    def _note(self, layers: Mapping[Answered, _Layer]) -> None:
        late = {key: layer.states for key, layer in layers.items() if len(key) > self._few}
        self._late.append(late)

    def _complete(self, moduli: tuple[int, ...]) -> None:
        """Find the weights of all completions of the states with more answers.

        They have a row for the answers that are missing: from 0, for none, the places of answers in
        the reverse order of the sweep, so that rows are short where little is to come.
        """
        self.moduli, self._periods = moduli, (WORD, *moduli)
        shape = tuple(1 + len(self._numbers[n]) for n in self._all)
        self._joint = [np.zeros(shape, np.uint64) for _ in self._periods]
        """The weights of the combinations of all answers, modulo each modulus; the last: none."""
        self._after: list[dict[Answered, tuple[Rows, ...]]] = [
            {
                key: tuple(
                    np.ones((len(states), *(1 for _ in self._missing(key))), np.uint64)
                    for _ in self._periods
                )
                for key, states in self._late[-1].items()
            }
        ]
        for stage, before, ends in zip(
            reversed(self._stages), self._late[-2::-1], self._late[:0:-1], strict=True
        ):
            after = self._after[-1]
            self._after.append(
                {key: self._before(stage, key, before[key], ends, after) for key in before}
            )
        self._after.reverse()

    def _before(
        self,
        stage: Stage,
        key: Answered,
        states: States,
        ends: Mapping[Answered, States],
        after: Mapping[Answered, tuple[Rows, ...]],
    ) -> tuple[Rows, ...]:
        """Return the weights of all completions of some states, from those after a stage."""
        lengths = dict.fromkeys(self._missing(key), 1)
        found = []
        for arrival in self._arrivals(stage, key, states):
            spot, hit = located(ends.get(arrival.answered, states[:0]), arrival.targets)
            if not len(hit):
                continue
            rows = after[arrival.answered]
            place = _place(self._missing(arrival.answered), rows[0].shape[1:])
            place.update((n, len(self._numbers[n]) - at) for n, at in arrival.labels.items())
            which = hit if arrival.move.which is None else arrival.move.which[hit]
            found.append((_fitted(place, lengths), which, rows, spot, arrival.move, hit))
        return self._gathered((len(states), *lengths.values()), found)

    def _missing(self, answered: Answered) -> Answered:
        return tuple(n for n in self._all if n not in answered)

    def _places(
        self, first: Mapping[int, slice | int], last: Mapping[int, int] = MappingProxyType({})
    ) -> Place:
        """Return a part of the joint distribution: answers so far, and those that are missing.

        The last have for each question the length of the axis of a row.
        """
        place: dict[int, slice | int] = {n: len(self._numbers[n]) for n in self._all}
        place.update(first)
        for n, length in last.items():
            end = len(self._numbers[n])
            place[n] = slice(end, end - length if length <= end else None, -1)
        return tuple(place[n] for n in self._all)

    def _meet(self, layer: _Layer, arrival: _Arrival, number: int) -> None:
        """Add the worlds of a choice after which many are answered, before a stage or the end."""
        key, move = arrival.answered, arrival.move
        spot, hit = located(self._late[number].get(key, layer.states[:0]), arrival.targets)
        if not len(hit):
            return
        which = hit if move.which is None else move.which[hit]
        axes = arrival.before, self._missing(key)
        after = self._after[number][key]
        shapes = layer.shape, after[0].shape[1:]
        order = [n for pair in axes for n in pair]
        turned = [order.index(n) for n in sorted(order)]
        place = self._places(
            {**_place(arrival.before, layer.shape), **arrival.labels},
            dict(zip(axes[1], shapes[1], strict=True)),
        )
        columns = [prod(shape) for shape in shapes]
        step = max(1, CHUNK // max(columns))
        for k, (source, ends) in enumerate(zip(layer.rows, after, strict=True)):
            for begin in range(0, len(hit), step):
                some = slice(begin, begin + step)
                self.meter.spend(1 + len(hit[some]) * prod(columns) // (4 * ENTRIES))
                here = self._times(k, source[which[some]], move, hit[some])
                there = ends[spot[some]]
                more = self._product(k, here.reshape(-1, columns[0]), there.reshape(-1, columns[1]))
                more = more.reshape((*shapes[0], *shapes[1])).transpose(turned)
                self._joint[k][place] += more
            if k:
                self._joint[k] %= np.uint64(self._periods[k])

    def _product(self, k: int, rows: Rows, columns: Rows) -> Rows:
        """Return the product of two matrices of at most `CHUNK` rows, the first one turned."""
        if not k:
            words: Rows = np.einsum("na,nc->ac", rows, columns)
            return words
        period = np.uint64(self._periods[k])
        rows %= period
        high = np.einsum("na,nc->ac", rows, columns >> np.uint64(HALF)) % period
        low = np.einsum("na,nc->ac", rows, columns & np.uint64((1 << HALF) - 1))
        rests: Rows = ((high << np.uint64(HALF)) + low % period) % period
        return rests

    def _times(self, k: int, rows: Rows, move: Move, which: Indices) -> Rows:
        """Return rows times the weight of a choice, and its factors for some states."""
        period = self._periods[k]
        weight = move.choice[2] % period
        if weight != 1:
            rows *= np.uint64(weight)
        if move.factors is not None:
            if k:
                rows %= np.uint64(period)
            numbers = move.factors.rests[k - 1][0] if k else move.factors.words
            rows *= numbers[which].reshape(-1, *(1,) * (rows.ndim - 1))
            if k:
                rows %= np.uint64(period)
        return rows

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

    def _arrivals(self, stage: Stage, before: Answered, states: States) -> Iterator[_Arrival]:
        """Yield what each choice of a step brings, with the questions that are answered then."""
        fold = None if self.folds is None else self.folds.before(stage.after)
        for move in moves(stage, states, self.moduli):
            self.meter.spend((len(move.targets) + len(states) // 8) // PRICE)
            labels = self._labels(stage, move)
            if labels is None or labels.keys() & {*before}:
                continue  # a question has one answer: no such world is possible
            targets = move.targets if fold is None else folded(fold, move.targets)
            yield _Arrival(before, tuple(sorted((*before, *labels))), labels, move, targets)

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

    def _merged(self, key: Answered, coming: Sequence[tuple[_Layer, _Arrival]]) -> _Layer:
        """Return the layer in which the same states of all choices are one."""
        self.meter.check()
        all_targets = np.concatenate([arrival.targets for _, arrival in coming])
        order = np.argsort(all_targets, kind="stable")  # it merges sorted stretches
        ranked = all_targets[order]
        is_new = np.ones(len(ranked), dtype=np.bool_)
        is_new[1:] = ranked[1:] != ranked[:-1]
        states, spots = ranked[is_new], np.empty(len(order), np.intp)
        spots[order] = np.cumsum(is_new) - 1
        sizes = np.zeros(len(states))
        lengths = dict.fromkeys(key, 0)
        found = []
        first = 0
        for layer, arrival in coming:
            spot = spots[first : first + len(arrival.targets)]
            first += len(spot)
            place = _place(arrival.before, layer.shape)
            place.update(arrival.labels)
            places, move = _fitted(place, lengths), arrival.move
            which = np.arange(len(layer.states)) if move.which is None else move.which
            for some in _different(spot):
                self._roundings += 1
                at, of = spot[some], which[some]
                here = layer.sizes[of] * float(move.choice[2])
                if move.factors is not None:
                    here *= move.factors.sizes[some]
                sizes[at] += here
                found.append((places, at, layer.rows, of, move, some))
        shape = tuple(lengths.values())
        return _Layer(states, shape, self._gathered((len(states), *shape), found), sizes)

    def _gathered(self, shape: Sequence[int], found: Sequence[_Found]) -> tuple[Rows, ...]:
        """Return the sums of rows, modulo each modulus."""
        rows = tuple(np.zeros(shape, np.uint64) for _ in self._periods)
        if rows:
            self.meter.spend(prod(shape) // ENTRIES)
        reached = 0
        """No number of the rows modulo a prime exceeds it."""
        for place, at, source, of, move, some in found if rows else ():
            self.meter.check()
            reached += PRIME * (1 if move.factors is not None else min(move.choice[2], PRIME))
            if reached >= WORD:
                self._reduce(rows)
                reached = 2 * PRIME * PRIME
            for k in range(len(rows)):
                part = rows[k][(slice(None), *place)]
                step = max(1, CHUNK // max(1, source[k][:1].size))
                for begin in range(0, len(at), step):
                    here = slice(begin, begin + step)
                    more = source[k][of[here]]
                    self.meter.spend(1 + more.size // ENTRIES)
                    more = self._times(k, more, move, some[here])
                    more += part[at[here]]
                    part[at[here]] = more
        self._reduce(rows)
        return rows

    def _reduce(self, rows: Sequence[Rows]) -> None:
        """Make all numbers modulo a prime smaller than it, in place."""
        for period, some in zip(self._periods[1:], rows[1:], strict=True):
            np.remainder(some, np.uint64(period), out=some)

    def _answers(self) -> Iterator[tuple[tuple[tuple[int, int], ...], int]]:
        counters = self.plan.component.counters
        numbers = {n: [*places, 0] for n, places in self._numbers.items()}
        for place in np.ndindex(*self._joint[0].shape):
            rests = [
                (int(some[place]) % p, p)
                for some, p in zip(self._joint[1:], self.moduli, strict=True)
            ]
            weight = exact(int(self._joint[0][place]), 0.0, rests, 0.0)
            if weight:
                given = {n: numbers[n][i] for n, i in zip(self._all, place, strict=True)}
                named = ((counters[n].question, given[n]) for n in self._numbers)
                yield tuple((q, number) for q, number in named if q is not None), weight


def _place(questions: Answered, shape: Sequence[int]) -> dict[int, slice | int]:
    """Return the whole of a row of a shape, by question."""
    return {n: slice(length) for n, length in zip(questions, shape, strict=True)}


def _fitted(place: Mapping[int, slice | int], lengths: dict[int, int]) -> Place:
    """Return a part of a row, whose lengths by question become as great as it needs."""
    for n, index in place.items():
        lengths[n] = max(lengths[n], index.stop if isinstance(index, slice) else index + 1)
    return tuple(place[n] for n in lengths)


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
