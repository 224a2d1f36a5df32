"""What drawn worlds show about a model: the estimates of every query, from the same draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import itemgetter, mul
from random import Random

from attrs import evolve

from deduce.budget import Budget
from deduce.constraints import Constraint, Value, Variable
from deduce.engines.base import Question
from deduce.engines.count.sampling import Sampler, parts_of, systematic
from deduce.errors import BadProblem, Undecided
from deduce.estimates import (
    Estimate,
    EstimatedDistribution,
    EstimatedWorlds,
    count_estimate,
    share_estimate,
)
from deduce.game import Slip
from deduce.problem import Problem, World, number_of
from deduce.reasoning.likelihoods import Likelihood
from deduce.reasoning.queries import Asker, Measure

__all__ = ["ENOUGH", "Estimates", "part_for_estimates"]

ENOUGH = 4000
"""How many draws an estimate is worth where the budget allows it: an error of 0.8 % or less, and
intervals of 2 % on each side with some to spare."""

LEAST_STEPS = 1_500_000
"""The steps that an estimate may take, however few the budget has: about half a second."""

PART_EXACT, PART_ESTIMATED = 3, 5
"""The parts of a budget's steps: of the default, about three seconds and two."""

FIRST = 3
"""The first estimate may take this many times the steps: what an exact answer leaves, nearly."""


def part_for_estimates(budget: Budget) -> tuple[Budget, Budget]:
    """Return the part of a budget for an exact answer, and that for an estimate after it.

    Of the time two thirds and the rest. Of the steps a third, for the shares of many hands two
    (`deduce.knowledge`); and a fifth, or `LEAST_STEPS`, for the estimate.
    """
    begun = exact = budget.begun()
    if begun.until is not None:
        now = begun.clock()
        exact = evolve(begun, until=now + (begun.end() - now) * 2 / 3)
    if budget.steps is None:
        return exact, begun
    exact = exact.at_most(budget.steps // PART_EXACT)
    return exact, evolve(begun, steps=max(LEAST_STEPS, budget.steps // PART_ESTIMATED))


class Estimates:
    """The draws from the worlds of a model, and what they show.

    Parameters
    ----------
    asker
        The model, and the budget of all draws.
    weighted
        Whether worlds count by the posterior (else all the same).
    seed
        The same seed gives the same draws.

    Raises
    ------
    Contradiction
        Propagation excludes every world.
    Undecided
        No world was found within the budget.
    """

    def __init__(self, asker: Asker, *, weighted: bool, seed: int = 0) -> None:
        self._asker, self._weighted = asker, weighted
        steps, budget = asker.budget.steps, asker.budget
        first = budget if steps is None else evolve(budget, steps=FIRST * steps)
        self._sampler = Sampler(
            asker.model, first.meter(), weighted=weighted, seed=seed, steps=steps
        )
        self._worlds: tuple[Sequence[World], list[float], list[float]] | None = None

    def refined(self, enough: float = ENOUGH) -> Iterator[float]:
        """Draw more until the draws are worth enough; yield what they are worth now and then."""
        for worth in self._sampler.grow(enough):
            self._worlds = None
            yield worth

    def drawn(self, enough: float = ENOUGH) -> Estimates:
        """Draw until the draws are worth enough, or the budget is used up."""
        for _ in self.refined(enough):
            pass
        return self

    @property
    def draws(self) -> float:
        """How many independent draws these are worth."""
        return self._sampler.effective

    # What they show

    def count(self) -> Estimate:
        """Return the number of worlds."""
        if not self._sampler.runs:
            return Estimate.proved(1, counts=True)
        logarithm, error = self._sampler.total()
        return count_estimate(logarithm, error, self.draws)

    def shares(self) -> dict[Variable, dict[Value, Estimate]]:
        """Return the share of each value that propagation does not exclude."""
        shares: dict[Variable, dict[Value, Estimate]] = {
            variable: dict.fromkeys(values, Estimate.proved(1))
            for variable, values in self._sampler.left().items()
        }
        for variable, draws, row in self._sampler.marginals():
            kinds = len(shares[variable])
            for values, parts in row:
                share = share_estimate(parts, draws, kinds=max(2, kinds // len(values)))
                shares[variable].update(dict.fromkeys(values, share.divided(len(values))))
        return shares

    def joint(self, questions: Sequence[Question | Measure]) -> EstimatedDistribution:
        """Return the probabilities of the combinations of answers."""
        worlds, shares, weights = self._all()
        labels: list[Sequence[Value]] = []
        for world, share in zip(worlds, shares, strict=True):
            given = [
                [of.value(world)]
                if isinstance(of, Measure)
                else [label for label, facts in of.items() for v, x in facts if world[v] in x]
                for of in questions
            ]
            if share and any(len(labels) != 1 for labels in given):
                raise BadProblem(f"not exactly one of the answers of a question holds in {world}")
            labels.append(tuple(label[0] for label in given) if share else ())
        table = parts_of(labels, shares, weights)
        draws = 1 / sum(weight * weight for weight in weights)
        kinds = len(table) + 1
        found = {of: share_estimate(parts, draws, kinds=kinds) for of, parts in table.items()}
        return EstimatedDistribution(found, float(share_estimate((0.0,) * 3, draws).high))

    def probability(self, claim: Constraint) -> Estimate:
        """Return the probability of a claim."""
        return self.mean([float(Problem.satisfied(claim, world)) for world in self._all()[0]])

    def mean(self, values: Sequence[float]) -> Estimate:
        """Return the mean of a value from 0 to 1 that each drawn world has."""
        _, shares, weights = self._all()
        seen = list(map(mul, shares, values))
        size = len(seen) // len(weights)
        runs = [sum(seen[at : at + size]) for at in range(0, len(seen), size)]
        squares = [weight * weight * run for weight, run in zip(weights, runs, strict=True)]
        parts = sum(map(mul, weights, runs)), sum(squares), sum(map(mul, squares, runs))
        return share_estimate(parts, 1 / sum(weight * weight for weight in weights))

    def slips(self) -> tuple[Slip, ...]:
        """Return the answers that may be wrong, the most probably wrong first."""
        slips, worlds = [], list(self._all()[0])
        for piece in self._asker.model.problem.evidence:
            weigh = piece.constraint
            if isinstance(weigh, Likelihood) and piece.event is not None:
                slips.append(self._slip(piece.event, weigh, worlds))
        return tuple(sorted(slips, key=lambda slip: (-slip.probability, slip.event)))

    def _slip(self, event: int, weigh: Likelihood, worlds: Sequence[World]) -> Slip:
        read = dict.fromkeys(fact.variable for fact in weigh.facts) or list(worlds[0])[:1]
        keys = list(map(itemgetter(*read), worlds))
        known = {
            key: list(map(float, weigh.hypotheses({number_of(weigh, world): 1})))
            for key, world in dict(zip(keys, worlds, strict=True)).items()
        }
        right, *instead = (
            self.mean(list(map({key: row[part] for key, row in known.items()}.__getitem__, keys)))
            for part in range(1 + len(weigh.sentences))
        )
        others = tuple(zip(weigh.sentences, (Fraction(float(p)) for p in instead), strict=True))
        wrong = right.complement()
        return Slip(event, weigh.answer, Fraction(float(wrong)), others, wrong)

    def sample(self, number: int, random: Random) -> EstimatedWorlds:
        """Return worlds that are drawn from the draws by weight."""
        worlds, _, weights = self._all()
        chosen = random.choices(range(len(worlds)), self._weights(), k=number)
        draws = 1 / sum(weight * weight for weight in weights)
        return EstimatedWorlds(tuple(dict(worlds[at]) for at in chosen), min(draws, number))

    def in_runs(self, number: int, random: Random) -> list[World]:
        """Return each draw as often as its weight says, rounded; those of one run together."""
        return [self._all()[0][at] for at in systematic(self._weights(), number, random)]

    def _weights(self) -> list[float]:
        """Return the weight of each draw."""
        _, shares, weights = self._all()
        size = len(shares) // len(weights)
        return [weights[at // size] * share for at, share in enumerate(shares)]

    def _all(self) -> tuple[Sequence[World], list[float], list[float]]:
        if self._worlds is None:
            self._worlds = self._sampler.worlds()
        if not any(self._worlds[1]):
            raise Undecided("no world was found")
        return self._worlds
