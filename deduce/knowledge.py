"""Knowledge: a problem seen through queries by one viewer, as a frozen value.

>>> from deduce.constraints import exactly, is_, is_not
>>> from deduce.problem import Problem
>>> hats = {name: ("red", "blue") for name in ("Ann", "Ben", "Cid")}
>>> k = Knowledge(Problem(hats, [exactly(1, [is_(name, "red") for name in hats])]))
>>> k.count()
3
>>> k = k.tell(is_not("Ann", "red")).assume(is_not("Ben", "red"))
>>> k.certain()
{'Ann': 'blue', 'Ben': 'blue', 'Cid': 'red'}
>>> print(k.why(is_("Cid", "red")))
Cid is red: certain, because
  event 1: Ann is not red
  assumed: Ben is not red
  rule: exactly 1 of: Ann is red, Ben is red, Cid is red
>>> k.undo().count()
2
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, overload

from attrs import evolve, frozen

from deduce.budget import Budget
from deduce.constraints import (
    Claim,
    Constraint,
    Count,
    Fact,
    Knows,
    Number,
    Value,
    Variable,
    Weigh,
    is_,
    is_epistemic,
    opposite,
)
from deduce.engines.base import Question, Tally, Weight
from deduce.engines.core.model import Model
from deduce.errors import (
    BadInput,
    BrokenPlugin,
    Contradiction,
    DeduceError,
    Interrupted,
    Undecided,
)
from deduce.estimates import Estimate, EstimatedDistribution, EstimatedWorlds
from deduce.game import Slip
from deduce.problem import World
from deduce.reasoning.doubts import Unless, certain_unless, ranked_slips
from deduce.reasoning.explain import Why, explain
from deduce.reasoning.knowing import Known
from deduce.reasoning.likelihoods import Likelihood, excluding
from deduce.reasoning.queries import (
    Answer,
    Asked,
    Asker,
    Distribution,
    Measure,
    measure,
    question_of,
)
from deduce.reasoning.retelling import explain_again
from deduce.reasoning.viewpoint import Viewpoint
from deduce.system.display import Displayed
from deduce.system.text import ByTypedName

if TYPE_CHECKING:
    from deduce.policy.advice import Advice
    from deduce.reasoning.estimating import Estimates

__all__ = ["Knowledge"]

MAX_VIEWS = 10_000
"""Up to this number of different things that a player may see are examined one by one."""

Q = TypeVar("Q", bound=Callable[..., Any])
A = TypeVar("A")
R = TypeVar("R")

Shares = Mapping[Variable, Mapping[Value, Fraction]]
EstimatedShares = Mapping[Variable, Mapping[Value, Estimate]]


def _explained(query: Q) -> Q:
    """Return a query whose `Contradiction` names the conflicting events when it is looked at."""

    @wraps(query)
    def explained(self: Knowledge, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return query(self, *args, **kwargs)
        except Contradiction as error:
            error.explained_by(self._reason)
            raise

    return cast("Q", explained)


@frozen(slots=False, str=False, repr=False)
class Knowledge(Displayed, Viewpoint):
    """What a viewer of a game can know: a frozen value, equal to another with the same parts.

    Parameters
    ----------
    game
        A `HiddenGame`, or a bare `Problem`, whose events are constraints.
    log
        The events so far.
    viewer
        Whose view: a player, ``None`` for the bystander, `RECORD` for the reader of the log.
    assumed
        Facts or other constraints taken as true for the sake of argument (what-if).
    engine
        ``"auto"``, or the name of the one engine to use.
    budget
        What each query may spend.
    doubts
        Which events may be wrong: ``None``, those whose evidence has a doubt; ``True``, with the
        rates that the game declares; a number, each event with this probability; or a mapping,
        from the game's kinds of slips or from the numbers of events to rates.

    Raises
    ------
    BadInput
        The viewer is not a player, or an event cannot be one of this game.
    Unsupported
        There is no engine of this name.

    Notes
    -----
    Queries raise `Contradiction`, whose text names the conflicting events, when no world is
    possible, except `is_consistent`, `count` and `contradiction`; `Undecided` when the budget runs
    out; `BadProblem` for variables and values that do not exist, and for two facts of one claim
    that can both hold of one variable. Answers are cached. A claim is a constraint, or text such as
    ``"rope=Ann"`` (see `deduce.logs.claims.parse_claim`).

    With ``estimate=True``, queries for numbers return an `Estimate` where the exact number is not
    found within the budget: from worlds that are drawn, with an error, and never a certainty that
    is not proved (docs/estimates.md). What is exact is marked as such. An exact answer may take a
    third of the steps of the budget, or two thirds of its time, and an estimate a fifth, or the
    rest.

    What is doubted excludes no world: posterior, joint distributions, samples, `slips` and
    `probable_worlds` weigh it, and everything that is certain rests on the other evidence alone
    (docs/slips.md).

    Knowledge is hashable if its game and its events are.

    Examples
    --------
    >>> from deduce.constraints import exactly, is_
    >>> from deduce.problem import Problem
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> k = Knowledge(Problem(hats, [exactly(1, [is_(name, "red") for name in hats])]))
    >>> k.count(), k.tell("Ann=red").certain()
    (2, {'Ann': 'red', 'Ben': 'blue'})
    """

    @property
    def asker(self) -> Asker:
        """The compiled problem with engine and budget; its answers name their engine.

        The time of the budget begins now, and that of compiling is part of it.
        """
        budget = self.budget.begun()
        model: Model | None = self.__dict__.get("_model")
        if model is None:
            problem = self.problem
            earlier: Model | None = vars(self._earlier).get("_model") if self._earlier else None
            try:
                model = earlier and earlier.grown(problem, budget.meter())
                model = self.__dict__["_model"] = model or Model(problem, budget.meter())
            except Undecided as error:
                known = {name: frozenset(values) for name, values in problem.domains.items()}
                raise Undecided(str(error), known=known) from None
        return Asker(model, self.engine, budget)

    def _again(self, name: str) -> Any:
        """Return an answer that was had before events which exclude no more worlds, or ``None``."""
        earlier = self._earlier
        if earlier is None or earlier.engine != self.engine or name not in vars(earlier):
            return None
        repeated = self.asker.model.repeats
        same = repeated is not None and repeated is vars(earlier).get("_model")
        return vars(earlier)[name] if same else None

    def _once(self, name: str, ask: Callable[[Asker], Answer[A]]) -> Answer[A]:
        """Return an answer that was had before, or ask; what was undecided is not tried again.

        The steps of a budget end every attempt at the same place; its seconds do not.
        """
        undecided: dict[str, Undecided] = vars(self).setdefault("_undecided", {})
        if name in undecided:
            raise undecided[name].with_traceback(None)
        try:
            answer: Answer[A] = self._again(name) or ask(self.asker)
        except Undecided as error:
            timed = self.budget.seconds is not None or self.budget.until is not None
            if not timed and not isinstance(error, Interrupted):
                undecided[name] = error
            raise
        return answer

    # Is this still possible

    def is_consistent(self) -> bool:
        """Return whether any world is possible."""
        return self._consistent.value

    @cached_property
    def _consistent(self) -> Answer[bool]:
        return self._once("_consistent", lambda asker: asker.is_consistent())

    def contradiction(self) -> Why:
        """Return the smallest set of events that cannot all be true, and the repairs.

        Raises
        ------
        BadInput
            The log is consistent.
        """
        if self._is_heard:
            return explain_again(self._retold(), None, "", self.budget)
        return explain(self.asker, None)

    def _reason(self) -> Why:
        """Return why no world is possible, or why every possible one has probability 0."""
        if self._is_heard and not self.is_consistent():
            return self.contradiction()
        asker = self.asker
        if self.is_consistent():
            asker = evolve(asker, model=Model(excluding(self.problem)))
        return explain(asker, None)

    # What is certain, what can be

    @_explained
    def possible(self) -> Mapping[Variable, frozenset[Value]]:
        """Return, for each variable, the values that it has in some world.

        A variable may be named as in a claim, here and in `certain`, `shares` and `posterior`.

        >>> from deduce import Problem, is_
        >>> sorted(Knowledge(Problem({"Lead Piping": ("Ann", "Ben")})).possible()["lead"])
        ['Ann', 'Ben']
        """
        return ByTypedName(self._possible.value)

    @cached_property
    def _possible(self) -> Answer[Mapping[Variable, frozenset[Value]]]:
        # A doubt may give a possible world no weight, and its weights may be rounded.
        doubtful = any(isinstance(c, Likelihood) for c in self.problem.constraints())
        for name in ("_tally",) if doubtful else ("_tally", "_weighted_tally"):
            known: Answer[Tally] | None = self.__dict__.get(name)
            if known is not None and known.value.total:
                rows = known.value.of.items()
                return Answer({v: frozenset(row) for v, row in rows}, known.engine)
        return self._once("_possible", lambda asker: asker.possible())

    def certain(self) -> dict[Variable, Value]:
        """Return the variables that have the same value in every world, with that value."""
        possible = self.possible()
        settled = ((name, next(iter(of))) for name, of in possible.items() if len(of) == 1)
        return ByTypedName(settled, possible)

    @_explained
    def is_certain(self, claim: Claim | str) -> bool:
        """Return whether a fact (or disjunction, or other Count) holds in every world."""
        return self.asker.is_certain(self.claim(claim)).value

    def is_possible(self, claim: Claim | str) -> bool:
        """Return whether a fact (or disjunction, or other Count) holds in some world."""
        return self.asker.is_consistent(self.claim(claim)).value

    @_explained
    def why(self, claim: Claim | str) -> Why:
        """Return the smallest set of events that makes the claim certain, or impossible.

        For an open claim: a world in which it holds and one in which it does not.
        """
        stated = self._claim(claim)
        if self._is_heard or is_epistemic(stated):
            return explain_again(self._retold(), stated, self.say(stated), self.budget)
        constraint = self.claim(stated)
        return explain(self.asker, constraint, self.say(constraint))

    # Who knows what

    @_explained
    def knows(self, player: Hashable, what: Any) -> Known:
        """Return whether a player knows something, as far as the viewer can tell.

        Parameters
        ----------
        player, what
            As for `deduce.logic.knows`; in a game, ``"solution"`` means all that its players
            want to find out.

        Returns
        -------
        Known
            Yes, no, or in which worlds; and how probable it is.

        Raises
        ------
        BadProblem
            It is not stated what this player sees.
        Contradiction
            No world is possible.
        Undecided
            The worlds are too many to be listed, and what the player may see is too much to be
            examined one by one.

        Examples
        --------
        >>> from deduce.constraints import at_least, is_
        >>> from deduce.problem import Problem
        >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
        >>> red = at_least(1, [is_(name, "red") for name in hats])
        >>> k = Knowledge(Problem(hats, [red], sees={"Ann": ["Ben"], "Ben": ["Ann"]}))
        >>> print(k.knows("Ann", "Ann"))
        Ann knows Ann: in 1 of 3 worlds, with probability 33.3%
        >>> [dict(world) for world in k.knows("Ann", "Ann").worlds()]
        [{'Ann': 'red', 'Ben': 'blue'}]
        """
        return self._known(Knows((player,), what))

    @_explained
    def common_knowledge(self, what: Any, *players: Hashable) -> Known:
        """Return whether all players, or these, know something, know that they do, and so on.

        The parameters are those of `deduce.logic.common_knowledge`.
        """
        return self._known(Knows(players, what))

    def _known(self, claim: Knows) -> Known:
        stated = self._claim(claim)
        total = self._total.value
        weight = self.asker.total(weighted=True).value
        if not weight:
            raise Contradiction
        try:
            known = self.assume(stated)
            part = Fraction(known.asker.total(weighted=True).value) / weight
            return Known(self.say(stated), part, known.count(), int(total), known.worlds)
        except Undecided:
            if self._is_heard or not isinstance(stated, Knows) or len(stated.players) != 1:
                raise
            return self._known_by_views(stated, int(total))

    def _known_by_views(self, stated: Knows, total: int) -> Known:
        """Return whether a player knows something, by what the player may see, one view at a time.

        For more worlds than can be listed, as long as no statement about knowledge was made.
        """
        if stated.claim is not None and is_epistemic(stated.claim):
            raise Undecided("the worlds are too many to be listed")
        questions: list[Any] = [
            {True: thing, False: opposite(thing)} if isinstance(thing, Fact) else thing
            for thing in self._sees_at(len(self.log) + 1)[stated.players[0]]
        ]
        if any(isinstance(question, Constraint) for question in questions):
            raise Undecided("what the player sees is too much to be examined")
        shares, weighed = (self.joint(*questions, weighted=weighted) for weighted in (False, True))
        if len(shares) > MAX_VIEWS:
            raise Undecided(f"the player may see {len(shares):,} different things, too many")
        public = self.seen_by(None)._with(assumed=())
        views = []
        for view in shares:
            facts: list[Constraint] = []
            for question, answer in zip(questions, view, strict=True):
                meant = question[answer] if isinstance(question, Mapping) else is_(question, answer)
                facts.append(meant if isinstance(meant, Fact) else Count(meant, 1))
            if public.assume(*facts)._is_known(stated) != stated.negated:
                views.append((view, facts))
        return Known(
            self.say(stated),
            sum((weighed.get(view, Fraction(0)) for view, _ in views), Fraction(0)),
            int(sum(shares[view] for view, _ in views) * total),
            total,
            lambda: (world for _, facts in views for world in self.assume(*facts).worlds()),
        )

    def _is_known(self, stated: Knows) -> bool:
        """Return whether the viewer is certain of what a claim states that a player knows."""
        if stated.claim is not None:
            return self.is_certain(stated.claim)
        return all(len(self.joint(asked, weighted=False)) == 1 for asked in stated.asked)

    # How many, how probable

    @overload
    def count(self, *, estimate: Literal[False] = False) -> int: ...

    @overload
    def count(self, *, estimate: Literal[True]) -> Estimate: ...

    def count(self, *, estimate: bool = False) -> int | Estimate:
        """Return the number of worlds."""
        if estimate:
            return self._estimated(
                lambda known: Estimate.proved(known.count(), counts=True),
                lambda drawn: drawn.count(),
                weighted=False,
            )
        if "_tally" in vars(self):
            return int(self._tally.value.total)
        return int(self._total.value)

    @overload
    def shares(self, *, estimate: Literal[False] = False) -> Shares: ...

    @overload
    def shares(self, *, estimate: Literal[True]) -> EstimatedShares: ...

    @_explained
    def shares(self, *, estimate: bool = False) -> Shares | EstimatedShares:
        """Return, for each variable, the share of the worlds in which it has each value.

        A share is not a probability: see `posterior`.
        """
        if estimate:
            return self._estimated(
                lambda known: _proved(known.shares()),
                lambda drawn: drawn.shares(),
                weighted=False,
                swept=True,
            )
        return _shares(self._tally.value)

    @overload
    def posterior(self, *, estimate: Literal[False] = False) -> Shares: ...

    @overload
    def posterior(self, *, estimate: Literal[True]) -> EstimatedShares: ...

    @_explained
    def posterior(self, *, estimate: bool = False) -> Shares | EstimatedShares:
        """Return the probability of each value of each variable.

        Worlds are equally likely before the log, and weighed by the declared behaviour of the
        players (each `Weigh` of the evidence). Exact; with ``doubts`` and the engine ``"auto"``
        long numbers are rounded, with an error below `deduce.engines.count.sets.rounded.MAX_ERROR`.

        With ``estimate=True`` a row has every value that is not excluded for certain.
        """
        if estimate:
            return self._estimated(
                lambda known: _proved(known.posterior()), lambda drawn: drawn.shares(), swept=True
            )
        return _shares(self._weighted_tally.value)

    def _estimated(
        self,
        exact: Callable[[Knowledge], R],
        estimated: Callable[[Estimates], R],
        *,
        weighted: bool = True,
        seed: int = 0,
        swept: bool = False,
    ) -> R:
        """Return an exact answer as an estimate, or an estimate where that is undecided.

        Once a question was undecided, the next ones are given less for an exact answer. What a
        sweep of hands shows that does not keep their answers apart (``swept``) is given more.
        """
        from deduce.reasoning.estimating import part_for_estimates

        part, rest = part_for_estimates(self.budget)
        steps = part.steps or 0
        if vars(self).get("_is_hard"):
            part = part.at_most(LATER_STEPS if part.steps is None else steps // LATER)
        elif swept and steps >= STEPS_OF_HANDS and self.asker.states_of_hands():
            part = evolve(part, steps=2 * steps)
        known = self if part == self.budget else self._answered(part)
        try:
            answer = exact(known)
            vars(self).update({name: of for name, of in vars(known).items() if name in _ANSWERS})
            return answer
        except Undecided as error:
            vars(self)["_is_hard"] = True
            try:
                return estimated(self.estimates(weighted=weighted, seed=seed, budget=rest))
            except Undecided:
                raise error from None

    def _answered(self, budget: Budget) -> Knowledge:
        """Return the same with another budget, and the answers that are known."""
        same = self.using(budget=budget)
        vars(same).update({name: of for name, of in vars(self).items() if name in _ANSWERS})
        return same

    def estimates(
        self, *, weighted: bool = True, seed: int = 0, budget: Budget | None = None
    ) -> Estimates:
        """Return worlds that are drawn, with all that they show; they are drawn once.

        Raises
        ------
        Contradiction
            Propagation excludes every world.
        Undecided
            No world was found within the budget.
        """
        from deduce.reasoning.estimating import Estimates

        weighted = weighted and self.is_weighed
        kept: dict[tuple[bool, int], Estimates] = self.__dict__.setdefault("_estimates", {})
        if (weighted, seed) not in kept:
            asker = evolve(self.asker, budget=(budget or self.budget).begun())
            kept[weighted, seed] = Estimates(asker, weighted=weighted, seed=seed).drawn()
        return kept[weighted, seed]

    @cached_property
    def _total(self) -> Answer[Weight]:
        return self._once("_total", lambda asker: asker.total(weighted=False))

    @cached_property
    def _tally(self) -> Answer[Tally]:
        return self._once("_tally", lambda asker: asker.tally(weighted=False))

    @cached_property
    def _weighted_tally(self) -> Answer[Tally]:
        if not self.is_weighed:
            return self._tally
        return self._once("_weighted_tally", lambda asker: asker.tally(weighted=True))

    @property
    def is_weighed(self) -> bool:
        """Whether worlds have different weights: the log or the rules declare a `Weigh`."""
        return any(isinstance(c, Weigh) for c in self.problem.constraints())

    @overload
    def joint(
        self, *questions: Asked, weighted: bool = True, estimate: Literal[False] = False
    ) -> Distribution: ...

    @overload
    def joint(
        self, *questions: Asked, weighted: bool = True, estimate: Literal[True]
    ) -> EstimatedDistribution: ...

    @_explained
    def joint(
        self, *questions: Asked, weighted: bool = True, estimate: bool = False
    ) -> Distribution | EstimatedDistribution:
        """Return the joint distribution of the answers to a few questions.

        Parameters
        ----------
        questions
            A variable, whose value is asked for; a mapping from answers to facts of which exactly
            one holds (an answer may have several facts, and is given when one of them holds); a
            number made by `deduce.number_of`; or a claim, of which the answer is True or False.
        weighted
            Whether the probabilities are posterior ones (else shares of worlds). Long numbers may
            be rounded, as those of `posterior` are.

        Examples
        --------
        How many wear red, and whether Ann is one of them:

        >>> from deduce import Problem, is_, number_of
        >>> red = [is_(name, "red") for name in ("Ann", "Ben")]
        >>> hats = Problem(dict.fromkeys(("Ann", "Ben"), ("red", "blue", "green")))
        >>> joint = Knowledge(hats).joint(number_of(red), red[0])
        >>> joint[1, True], joint[1, False], joint[2, True]
        (Fraction(2, 9), Fraction(2, 9), Fraction(1, 9))
        """
        asked = [self._asked(question) for question in questions]
        if not estimate:
            return self.asker.joint(asked, weighted=weighted).value
        return self._estimated(
            lambda known: EstimatedDistribution.proved(known.joint(*questions, weighted=weighted)),
            lambda drawn: drawn.joint(asked),
            weighted=weighted,
        )

    def _asked(self, question: Asked) -> Question | Measure:
        """Return a question of `joint` as queries take it."""
        if not isinstance(question, Claim | Number) or question in self.problem.domains:
            return self.question(question)
        if isinstance(question, Claim):
            question = self.claim(question)
        return measure(self.problem, question, self.budget.meter())

    @overload
    def probability(self, claim: Claim | str, *, estimate: Literal[False] = False) -> Fraction: ...

    @overload
    def probability(self, claim: Claim | str, *, estimate: Literal[True]) -> Estimate: ...

    @_explained
    def probability(self, claim: Claim | str, *, estimate: bool = False) -> Fraction | Estimate:
        """Return the posterior probability of a claim; weights and doubts count.

        Parameters
        ----------
        claim
            Any constraint that is true or false in a world, also one about what players know; or
            text such as ``"rope=Ann"``.
        estimate
            Whether an `Estimate` is returned, which is exact where the budget allows it.

        Raises
        ------
        Contradiction
            No world is possible.
        BadProblem
            The claim is about variables or values that do not exist.

        Examples
        --------
        >>> from deduce import Problem, Weigh, exactly, is_
        >>> red = [is_(name, "red") for name in ("Ann", "Ben")]
        >>> hats = Problem(dict.fromkeys(("Ann", "Ben"), ("red", "blue")), [Weigh(red, [1, 1, 4])])
        >>> Knowledge(hats).probability(exactly(1, red))
        Fraction(2, 7)
        """
        stated = self._claim(claim)
        if estimate:
            return self._estimated(
                lambda known: Estimate.proved(known.probability(stated)),
                lambda drawn: drawn.probability(self.claim(stated)),
            )
        if isinstance(stated, Knows):
            return self._known(stated).probability
        total = self._weight.value
        if not total:
            raise Contradiction
        return min(Fraction(1), Fraction(self.assume(stated)._weight.value) / total)

    @cached_property
    def _weight(self) -> Answer[Weight]:
        """The weight of all worlds."""
        if "_weighted_tally" in vars(self):
            return Answer(self._weighted_tally.value.total, self._weighted_tally.engine)
        return self._once("_weight", lambda asker: asker.total(weighted=True))

    def question(self, question: Asked) -> Question:
        """Return a question of `joint` as the engines take it.

        Raises
        ------
        BadInput
            An answer is not a fact or a list of facts.
        BadProblem
            There is no such variable or value.
        """
        return question_of(self.problem, question)

    # Slips

    @_explained
    def slips(self, *, estimate: bool = False) -> Sequence[Slip]:
        """Return each answer that may be wrong, with the probability that it is, ranked.

        Raises
        ------
        Contradiction
            No world is possible even if answers are wrong.

        Examples
        --------
        >>> from deduce.constraints import is_, is_not
        >>> from deduce.problem import Problem
        >>> coin = Problem({"coin": ("heads", "tails")})
        >>> k = Knowledge(coin, [is_("coin", "heads"), is_("coin", "heads")], doubts=0.1)
        >>> [slip.event for slip in k.tell(is_("coin", "tails")).slips()]
        [3, 1, 2]
        """
        if estimate:
            return self._estimated(lambda known: known.slips(), lambda drawn: drawn.slips())
        return self._slips

    @cached_property
    def _slips(self) -> Sequence[Slip]:
        doubtful = any(isinstance(w, Likelihood) for w in self.problem.constraints())
        if not doubtful:
            if not self.is_consistent():
                raise Contradiction
            return ()
        return ranked_slips(self.problem, self.asker.numbers().value)

    @_explained
    def certain_unless(self, slips: int = 1) -> Sequence[Unless]:
        """Return what is certain as long as few answers are wrong.

        Parameters
        ----------
        slips
            Up to this number of answers may be wrong, 0 to 2. Cost: the possible values once for
            each set of this number of answers.

        Returns
        -------
        Sequence[Unless]
            Each variable that has the same value in every world in which no answer is wrong (of a
            log that contradicts itself: up to ``slips`` answers), with the events that this rests
            on.

        Raises
        ------
        BadInput
            The number is not 0, 1 or 2.
        Contradiction
            No world is possible with this number of wrong answers.

        Examples
        --------
        >>> from deduce.constraints import is_, is_not
        >>> from deduce.problem import Problem
        >>> rope = Problem({"Rope": ("Ann", "Ben", "Cid")})
        >>> k = Knowledge(rope, [is_not("Rope", "Ann"), is_("Rope", "Ben")], doubts=0.01)
        >>> print(k.certain_unless()[0])
        Rope: Ben, unless event 2 is wrong
        """
        if type(slips) is not int or slips not in (0, 1, 2):
            raise BadInput(f"the number of slips is 0, 1 or 2, not {slips!r}")
        return certain_unless(
            self._rules.with_evidence(*self._assumptions),
            self._judged,
            slips,
            lambda problem: Asker(Model(problem), self.engine, self.budget).possible().value,
        )

    # Worlds

    @overload
    def sample(
        self,
        number: int,
        *,
        seed: int,
        weighted: bool = True,
        estimate: Literal[False] = False,
    ) -> Sequence[World]: ...

    @overload
    def sample(
        self, number: int, *, seed: int, weighted: bool = True, estimate: Literal[True]
    ) -> EstimatedWorlds: ...

    @_explained
    def sample(
        self, number: int, *, seed: int, weighted: bool = True, estimate: bool = False
    ) -> Sequence[World] | EstimatedWorlds:
        """Return worlds drawn independently, by posterior or (``weighted=False``) uniformly."""
        if not estimate:
            return self.asker.sample(number, seed=seed, weighted=weighted).value

        def exact(known: Knowledge) -> EstimatedWorlds:
            worlds = known.sample(number, seed=seed, weighted=weighted)
            return EstimatedWorlds(tuple(worlds), number, exact=True)

        return self._estimated(
            exact, lambda drawn: drawn.sample(number, Random(seed)), weighted=weighted, seed=seed
        )

    @_explained
    def probable_worlds(self, number: int = 1) -> Sequence[tuple[World, Fraction]]:
        """Return the most probable worlds with their probabilities, the most probable first.

        Raises
        ------
        Contradiction
            No world is possible.

        Examples
        --------
        >>> from deduce.constraints import is_
        >>> from deduce.problem import Problem
        >>> coin = Problem({"coin": ("heads", "tails")})
        >>> Knowledge(coin, [is_("coin", "heads")], doubts=0.5).probable_worlds()
        [({'coin': 'heads'}, Fraction(2, 3))]
        """
        total = self._weighted_tally.value.total
        if not total:
            raise Contradiction
        return [
            (world, Fraction(weight) / total) for weight, world in self.asker.ranked(number).value
        ]

    def worlds(self) -> Iterator[World]:
        """Yield every world once, lazily."""
        return self.asker.worlds()

    # What to ask

    @_explained
    def advise(
        self,
        inquiries: Iterable[Hashable] | None = None,
        *,
        by: str = "information",
        weighted: bool = True,
        samples: int | None = None,
        seed: int = 0,
        estimate: bool = False,
    ) -> Advice:
        """Return the questions that can be asked now, ranked by what their answers are worth.

        The parameters are those of `deduce.policy.advise.advise`. A game states its questions by
        the methods ``inquiries`` and ``answer`` (see `deduce.game.Questions`).

        Raises
        ------
        Unsupported
            The game does not state which questions can be asked.

        Examples
        --------
        >>> from attrs import frozen
        >>> @frozen
        ... class Higher:
        ...     name = "higher"
        ...     def variables(self):
        ...         return {"number": range(1, 9)}
        ...     def rules(self):
        ...         return ()
        ...     def evidence(self, log, viewer):
        ...         return ()
        ...     def inquiries(self, log, viewer):
        ...         return range(2, 9)
        ...     def answer(self, inquiry, world):
        ...         return "yes" if world["number"] >= inquiry else "no"
        >>> advice = Knowledge(Higher()).advise()
        >>> [rated.inquiry for rated in advice.best()], advice.ranking[0].gain_bits
        ([5], 1.0)
        """
        from deduce.policy.advise import advise
        from deduce.policy.inquiries import check_inquiries, check_listed

        options: dict[str, Any] = {"by": by, "weighted": weighted, "samples": samples}
        asked = None if inquiries is None else check_inquiries(inquiries)
        try:
            return advise(self, asked, **options, seed=seed, estimate=estimate)
        except Exception as error:
            if asked is not None and (
                isinstance(error, BrokenPlugin) or not isinstance(error, DeduceError)
            ):
                check_listed(self, asked)
            raise

    # What if

    def verdicts(self) -> dict[Claim, str]:
        """Return for each assumption how the log and the other assumptions bear on it.

        ``"confirmed"``: the log alone makes it certain; ``"refuted"``: the log alone makes it
        impossible; ``"follows"``: certain, given the other assumptions; ``"conflicting"``: possible
        alone, but not with the others; ``"active"``: none of these, a real assumption.
        """
        facts = self._with(assumed=())
        return {claim: self._verdict(facts, claim) for claim in self.assumed}

    def _verdict(self, facts: Knowledge, claim: Claim) -> str:
        if facts.is_certain(claim):
            return "confirmed"
        if not facts.is_possible(claim):
            return "refuted"
        if not self.is_consistent():
            return "conflicting"
        others = facts.assume(*(other for other in self.assumed if other != claim))
        return "follows" if others.is_certain(claim) else "active"


STEPS_OF_HANDS = 5_000_000
"""From a third of the steps on that is this large, two thirds of them are enough for a sweep of the
hands of ten players, as a bystander sees them: in 40 random logs it takes 6 to 19 million."""

LATER, LATER_STEPS = 10, 3_000_000
"""The part of the steps that is for an exact answer once another question was undecided."""

_ANSWERS = ("_consistent", "_possible", "_total", "_tally", "_weight", "_weighted_tally", "_slips")


def _proved(shares: Shares) -> EstimatedShares:
    """Return exact numbers as estimates that are exact."""
    return ByTypedName(
        (variable, {value: Estimate.proved(share) for value, share in row.items()})
        for variable, row in shares.items()
    )


def _shares(tally: Tally) -> Shares:
    if not tally.total:
        raise Contradiction
    weights = {weight for row in tally.of.values() for weight in row.values()}
    share = {weight: Fraction(weight, tally.total) for weight in weights}
    return ByTypedName(
        (variable, {value: share[weight] for value, weight in row.items()})
        for variable, row in tally.of.items()
    )
