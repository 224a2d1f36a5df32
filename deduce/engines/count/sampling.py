"""Worlds drawn in runs, with a weight for each run: sequential Monte Carlo, made up for exactly.

A run draws some worlds side by side, one variable after the other, each value with the probability
that `deduce.engines.count.chains` expects. What this makes more or less frequent than it should be
is the weight of the draw. Where the draws of a run become unequal, those of little weight give way
to copies of the others. The mean weight of a run has no bias, and neither has what its worlds add
up to; runs are independent of each other. So an estimate from them is an ordinary weighted mean, in
which a run counts once, however many worlds it has.

The runs are as small as the problem allows: the number of worlds in each grows until the weights of
the runs are about equal. With numpy they are drawn side by side.

Source: Del Moral, Doucet and Jasra, *Sequential Monte Carlo samplers* (Journal of the Royal
Statistical Society B 68, 2006); the weight of a run: Andrieu, Doucet and Holenstein, *Particle
Markov chain Monte Carlo methods* (the same, 72, 2010); the next value from what is expected of it:
Pitt and Shephard, *Filtering via simulation* (Journal of the American Statistical Association 94,
1999).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, inf, log
from random import Random
from typing import Any, ClassVar, TypeAlias

from attrs import define, field

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.lowering import lowered
from deduce.engines.core.model import Model
from deduce.engines.core.residue import Component, Group, residue
from deduce.engines.count.chains import Chains
from deduce.errors import Contradiction, Undecided
from deduce.estimates import Parts
from deduce.problem import World
from deduce.system.arrays import has_arrays

__all__ = ["Runs", "Sampler", "effective", "parts_of", "systematic"]

SIZES = (1, 8, 64, 512, 4096)
"""How many draws a run may have."""

PILOT = 128
"""The runs by which their size is chosen."""

MIN_PILOT = 24
"""The same where more of them would use up the budget."""

MOST = 1 << 20
"""More runs than this are never drawn at once."""

DEFENCE = 0.5
"""How many variables of a draw, on average, are not drawn as expected: what is expected may be too
sure, and worlds that are never drawn could weigh much."""

EQUAL = 0.5
"""Runs are large enough when this share of them is effective."""

FEW = 4
"""Without a world in this number of times the first runs, there is hardly any chance of one."""

HALF = 0.5
"""A run whose draws are worth a smaller share of them continues with copies of the heavier ones."""

POOR = 0.2
"""Where a smaller share of many runs is effective, the runs begin again with more draws in each."""


@define(eq=False)
class Runs:
    """The runs of one component.

    Parameters
    ----------
    order
        The variables by index, each with its group.
    size
        How many draws a run has.
    logs
        The logarithm of the weight of each run.
    picks
        For each variable the effect that it takes in each draw, run by run.
    shares
        The share that each draw has in its run; 0 in a run without weight.
    """

    order: Sequence[tuple[int, Group]]
    size: int
    logs: list[float]
    picks: list[Any]
    shares: list[float]


def effective(logs: Sequence[float]) -> float:
    """Return to how many equal weights some are equivalent, from their logarithms.

    It is Kish's effective sample size.
    """
    top = max(logs, default=-inf)
    if top == -inf:
        return 0.0
    weights = [exp(each - top) for each in logs]
    return sum(weights) ** 2 / sum(weight * weight for weight in weights)


class _Draws:
    """Draws the runs of a component."""

    batch: ClassVar[int]
    """How many draws are made between two looks at what they are worth."""
    price: ClassVar[int]
    """Looks at an effect that cost a step of a `deduce.budget.Budget`."""

    def __init__(self, component: Component, meter: Meter) -> None:
        self.chains = Chains(component, meter)
        self.meter = meter
        self.order = self.chains.order
        self.work = sum(
            len(group.effects) * (1 + len(links))
            for (_, group), links in zip(self.order, self.chains.links, strict=True)
        )
        """Looks at an effect that one draw takes."""
        self.open = DEFENCE / max(1, len(self.order))
        """The probability that a variable takes any of its effects, whatever is expected."""

    def draw(self, runs: int, size: int, random: Random) -> Runs:
        """Return some runs."""
        raise NotImplementedError


class _OneByOne(_Draws):
    """Without numpy."""

    batch, price = 256, 2

    def draw(self, runs: int, size: int, random: Random) -> Runs:
        """Return some runs."""
        result = Runs(self.order, size, [], [[] for _ in self.order], [])
        for _ in range(runs):
            self.meter.spend(1 + size * self.work // self.price)
            log_of_run, picks, weights = self._run(size, random)
            total = sum(weights)
            result.logs.append(log_of_run + log(total / size) if total else -inf)
            result.shares += [weight / total if total else 0.0 for weight in weights]
            for row, pick in zip(result.picks, picks, strict=True):
                row += pick
        return result

    def _run(self, size: int, random: Random) -> tuple[float, list[list[int]], list[float]]:
        states = [[0] * self.chains.number for _ in range(size)]
        weights, logs = [1.0] * size, self.chains.scale
        picks: list[list[int]] = []
        for (_, group), links in zip(self.order, self.chains.links, strict=True):
            ways = self.chains.ways[group]
            rows = []
            for draw, state in enumerate(states):
                scores = ways
                for link in links:
                    ratio = link.ratio[state[link.counter]]
                    scores = [
                        score * ratio[c] for score, c in zip(scores, link.classes, strict=True)
                    ]
                weights[draw] *= sum(scores)
                rows.append(scores)
            top = max(weights)
            if not top:
                return -inf, [[0] * size for _ in self.order], weights
            logs += log(top)
            weights = [weight / top for weight in weights]
            total = sum(weights)
            if size > 1 and total**2 < HALF * size * sum(w * w for w in weights):
                kept = systematic(weights, size, random)
                states = [list(states[draw]) for draw in kept]
                rows = [rows[draw] for draw in kept]
                picks = [[row[draw] for draw in kept] for row in picks]
                logs += log(total / size)
                weights = [1.0] * size
            pick = []
            for draw, row in enumerate(rows):
                effect, factor = self._pick(row, random) if weights[draw] else (0, 0.0)
                weights[draw] *= factor
                pick.append(effect)
            picks.append(pick)
            for link in links:
                for state, effect in zip(states, pick, strict=True):
                    here = state[link.counter]
                    state[link.counter] = link.goes[here][link.classes[effect]]
        return logs, picks, weights

    def _pick(self, scores: Sequence[float], random: Random) -> tuple[int, float]:
        """Return the effect that is taken, and what makes up for how often it is."""
        alive = [effect for effect, score in enumerate(scores) if score]
        if random.random() < self.open:
            effect = random.choice(alive)
        else:
            effect = random.choices(alive, [scores[e] for e in alive])[0]
        share = scores[effect] / sum(scores)
        return effect, share / ((1 - self.open) * share + self.open / len(alive))


def systematic(weights: Sequence[float], size: int, random: Random) -> list[int]:
    """Return draws by weight: each as often as its share of the size, rounded up or down."""
    step = sum(weights) / size
    kept: list[int] = []
    so_far, mark = 0.0, random.random() * step
    for draw, weight in enumerate(weights):
        so_far += weight
        while mark < so_far and len(kept) < size:
            kept.append(draw)
            mark += step
    last = max(range(len(weights)), key=weights.__getitem__)
    return kept + [last] * (size - len(kept))  # rounding may leave out the last one


class _SideBySide(_Draws):
    """With numpy: all runs at once."""

    batch, price = 1 << 15, 40

    def __init__(self, component: Component, meter: Meter) -> None:
        import numpy as np

        super().__init__(component, meter)
        self.np = np
        self.links = [
            [
                (link.counter, np.array(link.classes), np.array(link.goes), np.array(link.ratio))
                for link in links
            ]
            for links in self.chains.links
        ]

    def draw(self, runs: int, size: int, random: Random) -> Runs:
        """Return some runs."""
        np = self.np
        generator = np.random.default_rng(random.getrandbits(64))
        count = runs * size
        states = np.zeros((self.chains.number, count), np.int32)
        logs, of_runs = np.zeros(count), np.full(runs, self.chains.scale)
        picks = np.zeros((len(self.order), count), np.int32)
        every = np.arange(count)
        with np.errstate(divide="ignore", invalid="ignore"):
            for place, ((_, group), links) in enumerate(zip(self.order, self.links, strict=True)):
                ways = self.chains.ways[group]
                self.meter.spend(1 + count * len(ways) * (1 + len(links)) // self.price)
                scores = np.repeat(np.array(ways)[:, None], count, axis=1)
                for counter, classes, _, ratio in links:
                    scores *= ratio.T[:, states[counter]][classes]
                total = scores.sum(axis=0)
                logs += np.log(total)
                if size > 1:
                    kept = self._kept(logs, of_runs, size, generator)
                    if kept is not None:
                        states, scores, total = states[:, kept], scores[:, kept], total[kept]
                        picks[:place] = picks[:place, kept]
                scores /= total
                alive = scores > 0
                chances = (1 - self.open) * scores + alive * (self.open / alive.sum(axis=0))
                ends = np.cumsum(chances, axis=0)
                drawn = generator.random(count) * ends[-1]
                pick = np.minimum((ends <= drawn).sum(axis=0), len(ways) - 1)
                taken = pick, every
                logs += np.log(scores[taken] / chances[taken])
                picks[place] = pick
                for counter, classes, goes, _ in links:
                    states[counter] = goes[states[counter], classes[pick]]
            logs[np.isnan(logs)] = -inf
            table = logs.reshape(runs, size)
            top = table.max(axis=1)
            weights = np.exp(table - np.where(top > -inf, top, 0.0)[:, None])
            total = weights.sum(axis=1)
            of_runs = of_runs + top + np.log(total / size)
            shares = weights / np.where(total > 0, total, 1.0)[:, None]
        of_runs[~(total > 0)] = -inf
        return Runs(self.order, size, of_runs.tolist(), list(picks), shares.ravel().tolist())

    def _kept(self, logs: Any, of_runs: Any, size: int, generator: Any) -> Any:
        """Return which draws go on, where some run needs it; logs are changed in place."""
        np = self.np
        logs[np.isnan(logs)] = -inf
        table = logs.reshape(-1, size)
        top = table.max(axis=1)
        weights = np.exp(table - np.where(top > -inf, top, 0.0)[:, None])
        total = weights.sum(axis=1)
        unequal = (total > 0) & (total**2 < HALF * size * (weights**2).sum(axis=1))
        if not unequal.any():
            return None
        which = np.flatnonzero(unequal)
        ends = np.cumsum(weights[which] / total[which, None], axis=1)
        ends[:, -1] = 1.0
        marks = (np.arange(size) + generator.random((len(which), 1))) / size
        offsets = np.arange(len(which))[:, None]
        flat = np.searchsorted((ends + offsets).ravel(), (marks + offsets).ravel(), side="right")
        kept = np.arange(logs.size).reshape(-1, size)
        flat = np.clip(flat.reshape(-1, size) - offsets * size, 0, size - 1)
        kept[which] = flat + which[:, None] * size
        of_runs[which] += top[which] + np.log(total[which] / size)
        table[which] = 0.0
        return kept.ravel()


class Sampler:
    """Draws worlds of a model; the runs that were drawn are kept.

    Parameters
    ----------
    model, meter
        The problem, and what pays.
    weighted
        Whether worlds count by the likelihoods (else all the same).
    seed
        The same seed gives the same runs.
    steps
        Where this number is spent, the runs that there are will do; default: all of the budget.

    Attributes
    ----------
    runs : list
        The runs of each component.
    scale : float
        The logarithm of what all worlds have in common.

    Raises
    ------
    Contradiction
        Propagation excludes every world.
    Undecided
        The budget is used up, or a constraint has too many states.
    """

    def __init__(
        self,
        model: Model,
        meter: Meter,
        *,
        weighted: bool,
        seed: int = 0,
        steps: int | None = None,
    ) -> None:
        self._steps = meter.budget.steps if steps is None else steps
        model, _ = lowered(model, meter)
        self.model, self.meter = model, meter
        bounds = Bounds(model, None, meter)
        self.state = bounds.narrow(bounds.start) if model.left is None else model.left
        if self.state == IMPOSSIBLE:
            raise Contradiction
        weighs = [s.weigh for s in model.statements if s.weigh]
        rest = residue(bounds, self.state, weighs=weighs if weighted else ())
        if not rest.factor:
            raise Contradiction
        self.weighed = rest.weighed
        self.scale = log(rest.factor)
        self.scale -= sum(log(weigh.scale) for weigh in weighs) if weighted else 0.0
        kind = _SideBySide if has_arrays() else _OneByOne
        self._draws = [kind(component, meter) for component in rest.components]
        self._random = Random(seed)
        self.runs = [
            Runs(draws.order, 1, [], [[] for _ in draws.order], []) for draws in self._draws
        ]

    def left(self) -> dict[Variable, frozenset[Value]]:
        """Return the values that propagation leaves each variable, before anything is drawn."""
        left = self.model.left_by(self.state)
        return {variable: left[variable] for variable in self.model.variables[: self.model.shown]}

    @property
    def effective(self) -> float:
        """How many draws without weights the runs are worth."""
        return min((effective(runs.logs) for runs in self.runs), default=inf)

    def grow(self, enough: float) -> Iterator[float]:
        """Draw until the runs are worth enough; yield what they are worth now and then.

        Ends early where the budget is used up, if there are some runs.

        Raises
        ------
        Undecided
            There is not a run of any weight, or the budget is used up before the first ones.
        """
        try:
            for _ in self._grow(enough):
                yield self.effective
        except Undecided:
            if not self.effective:
                raise
        if not self.effective:
            raise Undecided("no world was found")

    def _grow(self, enough: float) -> Iterator[None]:
        number = 0
        runs = self._pilot(SIZES[number])
        while True:
            pilot = len(runs[0].logs) if runs else PILOT
            share = min((effective(each.logs) for each in runs), default=inf) / pilot
            poor = share < EQUAL and self._can_lengthen(number)
            if share * pilot > self.effective or not poor:
                self.runs = runs
                yield
            if not poor:
                break
            number += 1
            runs = self._pilot(SIZES[number])
        while (worth := self.effective) < enough:
            if worth and self._steps is not None and self.meter.steps >= self._steps:
                break
            count = len(self.runs[0].logs)
            if worth < POOR * count and count > PILOT and self._can_lengthen(number):
                number += 1
                runs = self._pilot(SIZES[number])
                while min(effective(each.logs) for each in runs) < worth:
                    runs = list(map(_joined, runs, self._drawn(len(runs[0].logs), SIZES[number])))
                self.runs = runs
            else:
                if not worth and count >= FEW * PILOT:
                    break
                wanted = int((enough - worth) * count / max(worth, 1.0) * 1.1)
                left = self._affordable(SIZES[number])
                batch = max(draws.batch for draws in self._draws) // SIZES[number]
                least = max(1, min(PILOT, batch, left))
                more = self._drawn(max(least, min(wanted, count, batch, left)), SIZES[number])
                self.runs = list(map(_joined, self.runs, more))
            yield

    def _affordable(self, size: int) -> int:
        """Return for how many runs the steps that are left suffice."""
        if self._steps is None:
            return MOST
        left = self._steps - self.meter.steps - sum(len(d.order) for d in self._draws)
        return int(left / (1 + size * sum(draws.work / draws.price for draws in self._draws)))

    def _can_lengthen(self, number: int) -> bool:
        """Return whether there are longer runs, and steps for some of them."""
        longer = SIZES[number + 1 : number + 2]
        return bool(longer) and self._affordable(longer[0]) >= 2 * MIN_PILOT

    def _pilot(self, size: int) -> list[Runs]:
        """Return the first runs of a size: fewer where they would take what is left."""
        return self._drawn(min(PILOT, max(MIN_PILOT, self._affordable(size) // 3)), size)

    def _drawn(self, runs: int, size: int) -> list[Runs]:
        return [draws.draw(runs, size, self._random) for draws in self._draws]

    # What the runs add up to

    def total(self) -> tuple[float, float]:
        """Return the logarithm of the weight of all worlds, and its relative standard error."""
        scale, variance = self.scale, 0.0
        for runs in self.runs:
            number, top = len(runs.logs), max(runs.logs)
            weights = [exp(each - top) for each in runs.logs]
            mean = sum(weights) / number
            scale += top + log(mean)
            spread = sum((weight / mean - 1) ** 2 for weight in weights)
            variance += spread / (number * (number - 1))
        return scale, variance**0.5

    def marginals(
        self,
    ) -> Iterator[tuple[Variable, float, Sequence[tuple[list[Value], Parts]]]]:
        """Yield each open variable, what the runs are worth, and its values and parts by effect."""
        for runs in self.runs:
            weights, draws = _normal(runs.logs), effective(runs.logs)
            for (i, group), picks in zip(runs.order, runs.picks, strict=True):
                if i >= self.model.shown:
                    continue
                table = parts_of(picks, runs.shares, weights)
                row = [
                    (self.model.values_in(i, effect.values), table.get(e, (0.0, 0.0, 0.0)))
                    for e, effect in enumerate(group.effects)
                ]
                yield self.model.variables[i], draws, row

    def worlds(self) -> tuple[Sequence[World], list[float], list[float]]:
        """Return the worlds of all runs; the share of each in its run; the weights of the runs.

        The draws of a run of one component are combined with those of another in a random order.
        """
        model, random = self.model, self._random
        size = self.runs[0].size if self.runs else 1
        number = len(self.runs[0].logs) if self.runs else 1
        domains = (model.values_in(i, model.domain(self.state, i)) for i in range(model.shown))
        settled = dict(zip(model.variables, (values[0] for values in domains), strict=False))
        count, columns = size * number, list[Column]()
        shares, logs = [1.0 / size] * count, [0.0] * number
        for runs in self.runs:
            places = list(range(count))
            if size > 1:
                for begin in range(0, count, size):
                    places[begin : begin + size] = random.sample(places[begin : begin + size], size)
            logs = [a + b for a, b in zip(logs, runs.logs, strict=True)]
            shares = [a * runs.shares[at] * size for a, at in zip(shares, places, strict=True)]
            for (i, group), picks in zip(runs.order, runs.picks, strict=True):
                if i < model.shown:
                    choices = [model.values_in(i, effect.values) for effect in group.effects]
                    columns.append((model.variables[i], choices, picks, places))
        for run in range(number):
            part = slice(run * size, (run + 1) * size)
            total = sum(shares[part])
            logs[run] += log(total) if total else -inf
            shares[part] = [share / total if total else 0.0 for share in shares[part]]
        return Rows(settled, columns, count, random), shares, _normal(logs)


Column: TypeAlias = tuple[Variable, Sequence[Sequence[Value]], Sequence[int], Sequence[int]]
"""A variable, the values of each effect, and which effect was drawn: by row, at its place."""


@define(eq=False)
class Rows(Sequence[World]):
    """The worlds that were drawn, each made when it is looked at first: many never are."""

    settled: World
    columns: Sequence[Column]
    size: int
    random: Random
    made: dict[int, World] = field(factory=dict, init=False)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[at] for at in range(self.size)[row]]
        row = range(self.size)[row]
        if row not in self.made:
            drawn = ((name, choices[picks[at[row]]]) for name, choices, picks, at in self.columns)
            self.made[row] = {**self.settled} | {
                name: values[0] if len(values) == 1 else self.random.choice(values)
                for name, values in drawn
            }
        return self.made[row]


def parts_of(
    labels: Sequence[Any], shares: Sequence[float], weights: Sequence[float]
) -> dict[Any, Parts]:
    """Return the parts of each label that draws have.

    Parameters
    ----------
    labels, shares
        Of each draw, run by run: what it has, and its share in its run.
    weights
        Of each run; they add up to 1.
    """
    size = len(labels) // len(weights)
    if not isinstance(labels, list):
        return _parts_of_array(labels, shares, weights)
    table: dict[Any, Parts] = {}
    for run, weight in enumerate(weights):
        if not weight:
            continue
        row: dict[Any, float] = {}
        part = slice(run * size, (run + 1) * size)
        for label, share in zip(labels[part], shares[part], strict=True):
            if share:
                row[label] = row.get(label, 0.0) + share
        for label, share in row.items():
            a, b, c = table.get(label, (0.0, 0.0, 0.0))
            square = weight * weight * share
            table[label] = (a + weight * share, b + square, c + square * share)
    return table


def _parts_of_array(labels: Any, shares: Any, weights: Any) -> dict[Any, Parts]:
    import numpy as np

    weights = np.asarray(weights)
    kinds = int(labels.max()) + 1
    runs = np.repeat(np.arange(len(weights)), len(labels) // len(weights))
    table = np.bincount(np.asarray(runs * kinds + labels, np.intp), shares, len(weights) * kinds)
    table = table.reshape(len(weights), kinds)
    sums = (weights @ table, weights**2 @ table, weights**2 @ table**2)
    return dict(enumerate(zip(*(each.tolist() for each in sums), strict=True)))


def _normal(logs: Sequence[float]) -> list[float]:
    """Return weights that add up to 1."""
    top = max(logs)
    weights = [exp(each - top) for each in logs] if top > -inf else [1.0] * len(logs)
    total = sum(weights)
    return [weight / total for weight in weights]


def _joined(one: Runs, other: Runs) -> Runs:
    """Return the runs of two batches."""
    if isinstance(one.picks[0], list):
        picks = [a + b for a, b in zip(one.picks, other.picks, strict=True)]
    else:
        import numpy as np

        picks = [np.concatenate(pair) for pair in zip(one.picks, other.picks, strict=True)]
    return Runs(one.order, one.size, one.logs + other.logs, picks, one.shares + other.shares)
