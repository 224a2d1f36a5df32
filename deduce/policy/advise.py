"""What to ask next: every question that can be asked, ranked by what its answer is worth.

Every answer counts with its probability under the posterior. The worlds are listed where they are
few; otherwise a joint distribution of the answer and of what is asked about is computed for each
question by the counting engine; and where that takes too long, worlds are drawn, which gives an
estimate with its error. Questions that differ only in interchangeable variables are rated once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import log2, prod
from typing import Any

from attrs import evolve

from deduce.budget import UNLIMITED
from deduce.constraints import Number, Value, Variable, Weigh
from deduce.engines.core.model import Model
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.game import Rated, hook
from deduce.policy.advice import RANKINGS, UNKNOWN, Advice, Ranking, Unknown
from deduce.policy.inquiries import (
    Inquiry,
    can_ask,
    check_inquiries,
    form_of,
    inquiries_of,
    reads_of,
    typed_inquiries,
    variables_read,
)
from deduce.policy.joint import JointDistributions, Marginals, Target, interchangeable, targets_of
from deduce.policy.listed import AnswerTable, ListedWorlds, drawn_in_runs, drawn_worlds
from deduce.policy.rating import InquirySet, Rater, Ratings, integer_weight
from deduce.problem import World
from deduce.reasoning.estimating import part_for_estimates
from deduce.reasoning.likelihoods import counted_once
from deduce.reasoning.queries import Asker, Queries
from deduce.system.arrays import has_arrays, needs_arrays
from deduce.system.text import listing, plural

__all__ = ["advise"]

WORLDS_PER_JOINT = 800
"""Listing this number of worlds costs about as much as one joint distribution."""

MAX_WORLDS = 60_000
"""More worlds are never listed unless an exact answer is demanded: they would take two seconds."""

MAX_ANSWERS = 3_000_000
"""How many single answers a game is asked for at most, before worlds are drawn instead."""

MAX_STEPS = 12_000_000
"""What all joint distributions together may spend before worlds are drawn instead."""

MAX_STEPS_NOW = 1_000_000
"""What the present distribution of the solutions may spend before it is estimated, too: half a
second. Where it takes more, the joint distributions of all questions are far beyond `MAX_STEPS`."""

MAX_EXACT = 2**53
"""Floats hold all whole numbers up to this one."""

MAX_COMBINATIONS = 100_000
"""Joint distributions are not asked for more combinations of the values that an answer reads."""

DRAWN = 4000
"""How many worlds are drawn by default, at least."""

LEAST_DRAWN = 800
"""How many independent draws they are worth at least, where exact draws would take long."""

DRAWS_PER_SOLUTION = 10
"""With fewer draws for each possible solution too much of an estimate is a correction: with 5 of
them the error is 0.02 bits with 40 cards and ten players, and 0.01 with 10."""

MANY_RATED = 12_000_000
"""With more draws than this, each rated by every question, half of them are enough: two seconds."""

MANY_LISTED = 2_000_000
"""From how many worlds times questions on, arrays take a small part of the time."""

MAX_DRAWS = 1_000_000
"""More worlds are never drawn, unless a number of ``samples`` is given."""

PARTS = 10
"""The number of parts of the drawn worlds, which are left out in turn to estimate the error."""


def advise(
    knowledge: Queries,
    inquiries: Iterable[Inquiry] | None = None,
    *,
    by: str = "information",
    weighted: bool = True,
    samples: int | None = None,
    seed: int = 0,
    estimate: bool = False,
) -> Advice:
    """Return the questions that can be asked now, ranked; see `deduce.knowledge.Knowledge.advise`.

    Parameters
    ----------
    knowledge
        What the player who asks knows.
    inquiries
        Which questions, or their texts; left out: all that the game allows now.
    by
        By what they are ranked: ``"information"``, the expected information in bits about the
        game's ``questions()`` (or, if it has none, about which world it is); ``"expected"`` or
        ``"worst"``, the fewest worlds left on average or after the worst answer; ``"done"``, the
        greatest probability that all that is asked about is certain after the answer.
    weighted
        Whether worlds count by the posterior (else all the same).
    samples
        Estimate from this number of drawn worlds; 0: never estimate, however long it takes; left
        out: estimate only what would take more than some seconds.
    seed
        The same seed gives the same draws.
    estimate
        Where even that is undecided, estimate from worlds that are drawn without any sweep, as
        the other queries do; of a time limit two thirds are for the other ways.

    Raises
    ------
    Unsupported
        The game does not state which questions can be asked.
    BadInput
        The viewer cannot ask, an option has no such value, or there are too few ``samples``.
    Contradiction
        No world is possible.
    Undecided
        The budget is not even enough for drawing worlds.

    Notes
    -----
    Few worlds are listed one by one (0.03 ms each); of many, a joint distribution is computed for
    each question (5 to 50 ms). From drawn worlds the information is estimated without what few
    draws suggest by chance (`deduce.policy.rating.beyond_chance`), and its error from 10 parts
    of the draws. The present entropy is exact even then, unless it takes more than half a second;
    ``entropy_error`` states its error. Where drawing by a sweep takes long, the draws have weights
    (`deduce.policy.listed`).
    """
    if by not in RANKINGS:
        raise BadInput(f"questions cannot be ranked by {by!r}{listing(RANKINGS, by)}")
    if samples is not None and (type(samples) is not int or samples < 0):
        raise BadInput(f"the number of samples is 0 or more, not {samples!r}")
    if inquiries is None or not can_ask(knowledge.game):
        inquiries = inquiries_of(knowledge)
    asked = typed_inquiries(knowledge, check_inquiries(inquiries))
    if estimate:
        if samples == 0:
            raise BadInput("with 0 samples advice is exact, so it cannot be an estimate")
        part, rest = part_for_estimates(knowledge.budget)
        options: dict[str, Any] = {"by": by, "weighted": weighted, "samples": samples, "seed": seed}
        try:
            return advise(knowledge.using(budget=part), asked, **options)
        except Undecided as undecided:
            knowledge = knowledge.using(budget=rest)
            choice = _Choice(knowledge, asked, targets_of(knowledge), by, weighted)
            with suppress(Undecided):
                return _ranked(choice, *choice.estimated(samples or DRAWN, seed))
            raise undecided from None
    if knowledge.budget.seconds is not None:
        knowledge = knowledge.using(budget=knowledge.budget.begun())
    targets = targets_of(knowledge)
    choice = _Choice(knowledge, asked, targets, by, weighted)
    rater: Rater
    now: float | Unknown
    error, unknown = 0.0, None
    try:
        now, solutions = choice.now(None if samples == 0 else MAX_STEPS_NOW)
    except Undecided as undecided:
        if samples == 0 or not targets:
            raise
        choice.is_large = True
        now, solutions, unknown = UNKNOWN, choice.possible_solutions(), undecided
    enough = DRAWS_PER_SOLUTION * solutions if targets else PARTS
    if samples and samples < enough:
        few = f"{plural(samples, 'sample')} cannot distinguish"
        if enough > MAX_DRAWS:
            raise BadInput(f"{few} the solutions, which are too many to estimate; use 0")
        raise BadInput(
            f"{few} {plural(solutions, 'solution')}; use at least {enough}, or 0 to be exact"
        )
    ratings: Ratings | None = None
    if not samples and not unknown:
        try:
            rater = choice.exact(None if samples == 0 else MAX_STEPS)
            ratings = rater.ratings(choice.asked)
        except Undecided:
            if samples == 0:
                raise
    if ratings is None:
        if not samples and enough * len(choice.asked.first) > MANY_RATED:
            enough //= 2
        rater = choice.drawn(samples or _draws(enough), samples or max(enough, LEAST_DRAWN), seed)
        ratings = rater.ratings(choice.asked)
    if isinstance(rater, ListedWorlds) and (unknown or (now is UNKNOWN and rater.parts == 1)):
        now, error = rater.entropy()
    if unknown and not now:  # all draws agree, which proves nothing
        raise unknown
    return _ranked(choice, rater, ratings, now, error)


def _in_general(read: Variable | Number, numbers: Mapping[Variable, int]) -> Hashable:
    """Return what a question reads, by the numbers of interchangeable variables."""
    if not isinstance(read, Number):
        return numbers[read]
    counter = Counter((numbers[fact.variable], fact.values) for fact, _ in read.terms)
    return frozenset(counter.items())


def _ranked(
    choice: _Choice, rater: Rater, ratings: Ratings, now: float | Unknown, error: float
) -> Advice:
    """Return the questions, ranked by their ratings."""
    known, asked, by = choice.knowledge, choice.inquiries, choice.by
    rating = ratings.rating
    ranking = Ranking(ratings.values(by), lambda i: rating(i).of(known.game, asked[i]))
    return Advice(known.viewer, now, ranking, by, rater.method, rater.number, error)


def _draws(enough: int) -> int:
    """Return how many worlds an estimate draws."""
    if enough > MAX_DRAWS:
        raise Undecided(
            "what is asked about has too many solutions for an estimate: it needs "
            f"{DRAWS_PER_SOLUTION} draws for each, and more than {MAX_DRAWS:,} are not made"
        )
    return max(DRAWN, enough)


class _Choice:
    """Chooses how questions are rated: the only place that knows all raters.

    ========================  ==================================================================
    rater                     chosen where
    ========================  ==================================================================
    `Marginals`               the game states which facts make each answer true: `exact`
    `AnswerTable`             the game has a table of all answers (not where worlds have weights,
                              or something else than the world is asked about): `exact`, `listed`
    ``WorldArrays``           the worlds are listed (`exact`, `listed`) or drawn (`drawn`,
                              `estimated`); `ListedWorlds` without numpy
    `JointDistributions`      there are too many worlds to list: `exact`, `joined`
    ========================  ==================================================================
    """

    def __init__(
        self,
        knowledge: Queries,
        inquiries: Sequence[Inquiry],
        targets: Sequence[Target],
        by: str,
        weighted: bool,  # noqa: FBT001
    ) -> None:
        self.knowledge = knowledge
        self.game = knowledge.game
        self.inquiries = inquiries
        self.targets = targets
        self.by = by
        self.weighted = weighted
        self.weighs = weighted and any(
            isinstance(constraint, Weigh) for constraint in knowledge.problem.constraints()
        )
        self.is_large = False
        """Whether the present distribution of the solutions takes too long."""
        has_table = hook(self.game, Rated.answer_table) is not None and has_arrays()
        self.has_table = has_table and not targets and not self.weighs

    def now(self, steps: int | None) -> tuple[float | Unknown, int]:
        """Return the present entropy, and the number of solutions."""
        if self.targets:
            knowledge = self.knowledge
            if steps is not None:
                knowledge = knowledge.using(budget=knowledge.budget.at_most(steps))
            joint = knowledge.joint(*self.targets, weighted=self.weighted)
            return joint.entropy(), len(joint)
        count = self.knowledge.count()
        if not count:
            raise Contradiction
        return (UNKNOWN if self.weighs else log2(count)), count

    def left(self) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that are possible, or some more where these take long to find."""
        return self.knowledge.asker.narrowed() if self.is_large else self.knowledge.possible()

    def possible_solutions(self) -> int:
        """Return how many solutions there are at most: each question by itself."""
        left, problem = self.left(), self.knowledge.problem
        return prod(
            sum(
                any(problem.values_of(fact) & left[fact.variable] for fact in facts)
                for facts in target.values()
            )
            for target in self.targets
        )

    @cached_property
    def asked(self) -> InquirySet:
        """The questions, and which of them are alike."""
        game, log, inquiries = self.game, self.knowledge.log, self.inquiries
        reads = list(map(self.checked, inquiries))
        forms = [form_of(game, i, log, read) for i, read in zip(inquiries, reads, strict=True)]
        numbers: Mapping[Variable, int] = {}
        has_alike = hook(self.game, Rated.alike) is not None
        if has_alike or hook(self.game, Rated.scope) is not None:
            numbers = interchangeable(
                self.knowledge,
                weighted=self.weighted,
                targets=self.targets,
                possible=self.left(),
            )
        kinds: dict[Hashable, int] = {}
        first: list[int] = []
        kind = []
        for i, (read, form) in enumerate(zip(reads, forms, strict=True)):
            key = (form, tuple(_in_general(each, numbers) for each in read))
            if key not in kinds:
                kinds[key] = len(kinds)
                first.append(i)
            kind.append(kinds[key])
        return InquirySet(self.game, self.inquiries, forms, kind, first, numbers)

    def checked(self, inquiry: Inquiry) -> Sequence[Variable | Number]:
        """Return what an answer reads, of which all variables exist and are different."""
        reads = reads_of(self.game, inquiry) or ()
        scope = variables_read(reads)
        for variable in scope:
            if variable not in self.knowledge.problem.domains:
                raise BadInput(f"the scope of {inquiry!r} names {variable!r}, which does not exist")
        if len(set(scope)) != len(scope):
            raise BadInput(f"the scope of {inquiry!r} names a variable twice: {scope!r}")
        return reads

    def exact(self, steps: int | None) -> Rater:
        """Return a rater that is exact, within some steps if they are not ``None``."""
        by_facts = None if self.targets else hook(self.game, Rated.answer_facts)
        if by_facts is not None:
            budget = (
                self.knowledge.budget if steps is None else self.knowledge.budget.at_most(steps)
            )
            knowledge = self.knowledge.using(budget=budget)
            shares = knowledge.posterior() if self.weighted else knowledge.shares()
            return Marginals(by_facts, shares, None if self.weighs else knowledge.count())
        groups = self.groups()
        if groups:
            return AnswerTable(groups)
        kinds = max(1, len(self.asked.first))
        scoped = hook(self.game, Rated.scope) is not None and not self.has_table
        limit = min(MAX_WORLDS, WORLDS_PER_JOINT * len(self.asked.first)) if scoped else MAX_WORLDS
        if not scoped and not self.has_table:
            limit = min(limit, MAX_ANSWERS // kinds)
        if self.knowledge.count() <= limit or (steps is None and not scoped):
            return self.listed()
        if not scoped:
            raise Undecided("too many worlds to list, and the game names no scope of its questions")
        return self.joined(None if steps is None else steps // kinds)

    def groups(self) -> Sequence[Sequence[World]]:
        """Return the worlds of each group of variables, if they are independent; else nothing."""
        independent = hook(self.game, Rated.independent)
        groups = independent() if independent is not None and self.has_table else ()
        if len(groups) < 2:
            return ()
        rows = [self.knowledge.joint(*group, weighted=False) for group in groups]
        sizes = list(map(len, rows))
        if max(sizes) > MAX_WORLDS or prod(sizes) != self.knowledge.count():
            return ()
        return [
            [dict(zip(group, values, strict=True)) for values in row]
            for group, row in zip(groups, rows, strict=True)
        ]

    def listed(self) -> Rater:
        """Return a rater over all worlds."""
        worlds = list(self.knowledge.worlds())
        weight = integer_weight(self.knowledge) if self.weighs else None
        weights = [1] * len(worlds) if weight is None else list(map(weight, worlds))
        if 0 in weights:  # what is doubted may exclude worlds by a weight of 0
            worlds = [w for w, share in zip(worlds, weights, strict=True) if share]
            weights = [share for share in weights if share]
            if not worlds:
                raise Contradiction
        return AnswerTable([worlds]) if self.has_table else self.side_by_side(worlds, weights)

    def drawn(self, draws: int, enough: int, seed: int) -> ListedWorlds:
        """Return a rater over worlds that are drawn, worth enough independent draws."""
        knowledge = self.knowledge
        worlds: Sequence[World]
        if self.targets:
            worlds, draws = drawn_worlds(
                knowledge,
                draws,
                enough=enough,
                seed=seed,
                weighted=self.weighted,
                is_large=self.is_large,
            )
        else:
            worlds = knowledge.sample(draws, seed=seed, weighted=self.weighted)
        drawn_from = None if self.weighs or self.targets else knowledge.count()
        return self.side_by_side(worlds, [1] * len(worlds), PARTS, draws, drawn_from)

    def estimated(self, draws: int, seed: int) -> tuple[Rater, Ratings, float | Unknown, float]:
        """Return a rater over worlds drawn without a sweep, its ratings, and the entropy."""
        self.is_large = True
        asker = evolve(self.knowledge.asker, budget=self.knowledge.budget.begun())
        weighted = self.weighted and self.weighs
        worlds, worth = drawn_in_runs(asker, draws, seed=seed, weighted=weighted)
        rater = self.side_by_side(worlds, [1] * draws, PARTS, worth)
        rater.meter = UNLIMITED  # what it takes is bounded by the number of worlds
        now: tuple[float | Unknown, float] = rater.entropy() if self.targets else (UNKNOWN, 0.0)
        if self.targets and now[0] == 0:
            raise Undecided("all draws agree, which proves nothing")
        return rater, rater.ratings(self.asked), *now

    def side_by_side(
        self,
        worlds: Sequence[World],
        weights: Sequence[int],
        parts: int = 1,
        drawn: int | None = None,
        drawn_from: int | None = None,
    ) -> ListedWorlds:
        """Return worlds as arrays, unless there is no numpy, or floats cannot add the weights."""
        kind = ListedWorlds
        is_large = len(worlds) * len(self.asked.first) >= MANY_LISTED
        arrays = needs_arrays(waits=False) if is_large else has_arrays()
        if arrays and sum(weights) < MAX_EXACT // 5040:
            from deduce.policy.arrays import WorldArrays

            kind = WorldArrays
        return kind(
            self.game,
            self.knowledge.problem.domains,
            worlds,
            weights,
            self.targets,
            parts,
            drawn,
            drawn_from,
            self.knowledge.budget.meter(),
        )

    def joined(self, steps: int | None) -> Rater:
        """Return a rater by joint distributions, each within some steps."""
        knowledge = self.knowledge
        possible, count, once = knowledge.possible(), knowledge.count(), None
        counted = ("expected", "worst") if self.targets else ("expected", "worst", "done")
        if self.weighs and self.by in counted:
            model = Model(counted_once(knowledge.problem), knowledge.budget.meter())
            once = Asker(model, knowledge.engine, knowledge.budget)
            count = int(once.total(weighted=True).value)
        if steps is not None:
            budget = knowledge.budget.at_most(steps)
            knowledge, once = knowledge.using(budget=budget), once and evolve(once, budget=budget)
        return JointDistributions(
            knowledge,
            self.targets,
            self.asked.numbers,
            possible,
            count,
            self.weighted,
            once,
            None if steps is None else MAX_COMBINATIONS,
        )
