"""Knowledge: a problem seen through queries by one viewer. A frozen value; telling makes a new one.

>>> from deduce.constraints import exactly, is_, is_not
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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from deduce.budget import STANDARD, Budget
from deduce.constraints import Constraint, Count, Fact, Value, Variable
from deduce.display import Displayed
from deduce.engines.base import Question, Tally
from deduce.engines.model import Model
from deduce.errors import BadInput, Contradiction
from deduce.explain import Why, explain
from deduce.game import RECORD, HiddenGame, Viewer
from deduce.problem import Evidence, Problem, World
from deduce.queries import Answer, Asker, Distribution

__all__ = ["Knowledge"]

Shares = Mapping[Variable, Mapping[Value, Fraction]]


class Knowledge(Displayed):
    """What a viewer of a game can know.

    Parameters
    ----------
    game
        A `HiddenGame`, or a bare `Problem`, to which constraints can be told.
    log
        The events so far.
    viewer
        Whose eyes: a player, ``None`` for the bystander, `RECORD` for the reader of the log.
    assumed
        Facts or other constraints taken as true for the sake of argument (what-if).
    engine
        ``"auto"``, or the name of the one engine to use.
    budget
        What each query may spend.

    Notes
    -----
    Queries raise `Contradiction` when no world fits, except `is_consistent`, `count` and
    `contradiction`; `Undecided` when the budget runs out; `BadProblem` for variables and values
    that do not exist, and for two facts of one claim that can both hold of one variable. Answers
    are remembered.
    """

    def __init__(
        self,
        game: HiddenGame | Problem,
        log: Iterable[Any] = (),
        *,
        viewer: Viewer = RECORD,
        assumed: Iterable[Constraint] = (),
        engine: str = "auto",
        budget: Budget = STANDARD,
    ) -> None:
        self.game: HiddenGame = _BareGame(game) if isinstance(game, Problem) else game
        self.log = tuple(log)
        self.viewer = viewer
        self.assumed = tuple(assumed)
        self.engine = engine
        self.budget = budget
        self._before: Knowledge | None = None

    def __repr__(self) -> str:
        extra = "".join(f", assumed {constraint}" for constraint in self.assumed)
        return f"<Knowledge of {self.game!r} after {len(self.log)} events{extra}>"

    def __str__(self) -> str:
        """Return the grid as text; a notebook shows the same as a heat map."""
        from deduce.show.text import knowledge_text

        return knowledge_text(self)

    def _repr_html_(self) -> str:
        from deduce.show.html import html

        return html(self)

    # How knowledge grows

    def tell(self, *events: Any) -> Knowledge:
        """Return the knowledge after more events (of a bare problem: constraints)."""
        return self._with(log=self.log + events)._after(self)

    def assume(self, *constraints: Constraint) -> Knowledge:
        """Return the knowledge under more assumptions (what-if)."""
        return self._with(assumed=self.assumed + constraints)._after(self)

    def undo(self) -> Knowledge:
        """Return the knowledge before the last `tell` or `assume`; itself at the beginning.

        Viewer, engine and budget stay as they are now. `upto`, `replace` and `drop` are beginnings.
        """
        before = self._before
        if before is None:
            return self
        now = {name: getattr(self, name) for name in _SIGHT}
        if now == {name: getattr(before, name) for name in _SIGHT}:
            return before
        return before._with(**now)._after(before._before)

    def seen_by(self, viewer: Viewer) -> Knowledge:
        """Return what another viewer knows of the same log."""
        return self._with(viewer=viewer)._after(self._before)

    def upto(self, number: int) -> Knowledge:
        """Return the knowledge after the first ``number`` events; all if there are fewer."""
        if number < 0:
            raise BadInput(f"there is no event {number}; the log has {len(self.log)}")
        return self._with(log=self.log[:number])

    def replace(self, number: int, event: Any) -> Knowledge:
        """Return the knowledge with event ``number`` (from 1) replaced."""
        self._check_number(number)
        return self._with(log=(*self.log[: number - 1], event, *self.log[number:]))

    def drop(self, number: int) -> Knowledge:
        """Return the knowledge with event ``number`` (from 1) left out."""
        self._check_number(number)
        return self._with(log=self.log[: number - 1] + self.log[number:])

    def using(self, *, engine: str | None = None, budget: Budget | None = None) -> Knowledge:
        """Return the same knowledge with another engine or budget."""
        changed = self._with(engine=engine or self.engine, budget=budget or self.budget)
        return changed._after(self._before)

    def _with(self, **changes: Any) -> Knowledge:
        fields = {name: getattr(self, name) for name in _FIELDS}
        return Knowledge(self.game, **(fields | changes))

    def _after(self, before: Knowledge | None) -> Knowledge:
        self._before = before
        return self

    def _check_number(self, number: int) -> None:
        if not 1 <= number <= len(self.log):
            raise BadInput(f"there is no event {number}; the log has {len(self.log)}")

    # What it rests on

    @cached_property
    def problem(self) -> Problem:
        """The variables, rules, evidence and assumptions."""
        game = self.game
        drawn = getattr(game, "drawn", None)
        variables = {**game.variables(), **(drawn(self.log) if drawn else {})}
        rules = Problem(variables, tuple(game.rules()))
        assumptions = (
            Evidence(constraint, None, self.say(constraint)) for constraint in self.assumed
        )
        return rules.told(*game.evidence(self.log, self.viewer), *assumptions)

    @cached_property
    def asker(self) -> Asker:
        """The compiled problem with engine and budget; its answers name their engine."""
        return Asker(Model(self.problem), self.engine, self.budget)

    # Is this still possible

    def is_consistent(self) -> bool:
        """Return whether any world fits."""
        return self._consistent.value

    @cached_property
    def _consistent(self) -> Answer[bool]:
        return self.asker.is_consistent()

    def contradiction(self) -> Why:
        """Return the smallest set of events that cannot all be true, and the repairs.

        Raises
        ------
        ValueError
            The log is consistent.
        """
        return explain(self.asker, None)

    # What is certain, what can be

    def possible(self) -> Mapping[Variable, frozenset[Value]]:
        """Return, for each variable, the values that it has in some world."""
        return self._possible.value

    @cached_property
    def _possible(self) -> Answer[Mapping[Variable, frozenset[Value]]]:
        for name in ("_tally", "_weighted_tally"):
            known: Answer[Tally] | None = self.__dict__.get(name)
            if known is not None and known.value.total:
                rows = known.value.of.items()
                return Answer({v: frozenset(row) for v, row in rows}, known.engine)
        return self.asker.possible()

    def certain(self) -> dict[Variable, Value]:
        """Return the variables that have the same value in every world, with that value."""
        return {
            variable: next(iter(values))
            for variable, values in self.possible().items()
            if len(values) == 1
        }

    def is_certain(self, claim: Constraint) -> bool:
        """Return whether a fact (or disjunction, or other Count) holds in every world."""
        return self.asker.is_certain(claim).value

    def is_possible(self, claim: Constraint) -> bool:
        """Return whether a fact (or disjunction, or other Count) holds in some world."""
        return self.asker.is_consistent(claim).value

    def why(self, claim: Constraint) -> Why:
        """Return the smallest set of events that makes the claim certain, or impossible.

        For an open claim: a world in which it holds and one in which it does not.
        """
        return explain(self.asker, claim, self.say(claim))

    def say(self, claim: Constraint) -> str:
        """Return the claim in the game's own words, where it has them."""
        if isinstance(claim, Count) and (claim.low, claim.high) == (1, None):
            return " or ".join(map(self.say, claim.facts))
        say = getattr(self.game, "say", None)
        return say(claim) if say is not None and isinstance(claim, Fact) else str(claim)

    # How many, how probable

    def count(self) -> int:
        """Return the number of worlds."""
        return int(self._tally.value.total)

    def shares(self) -> Shares:
        """Return, for each variable, the share of the worlds in which it has each value.

        A share is not a probability: see `posterior`.
        """
        return _shares(self._tally.value)

    def posterior(self) -> Shares:
        """Return the probability of each value of each variable.

        Worlds are equally likely before the log, and weighed by the declared behaviour of the
        players (each `Weigh` of the evidence).
        """
        return _shares(self._weighted_tally.value)

    @cached_property
    def _tally(self) -> Answer[Tally]:
        return self.asker.tally(weighted=False)

    @cached_property
    def _weighted_tally(self) -> Answer[Tally]:
        return self.asker.tally(weighted=True)

    def joint(
        self, *questions: Variable | Mapping[Any, Fact], weighted: bool = True
    ) -> Distribution:
        """Return the joint distribution of a few variables.

        Parameters
        ----------
        questions
            A variable, or a mapping from answers to facts of which exactly one holds.
        weighted
            Whether the probabilities are posterior ones (else shares of worlds).
        """
        return self.asker.joint([self._question(q) for q in questions], weighted=weighted).value

    def _question(self, question: Variable | Mapping[Any, Fact]) -> Question:
        values_of = self.problem.values_of
        if isinstance(question, Mapping):
            return {label: [(fact.variable, values_of(fact))] for label, fact in question.items()}
        values_of(Fact(question, frozenset()))
        return {value: [(question, frozenset([value]))] for value in self.problem.domains[question]}

    # Worlds

    def sample(self, number: int, *, seed: int, weighted: bool = True) -> Sequence[World]:
        """Return worlds drawn independently, by posterior or (``weighted=False``) uniformly."""
        return self.asker.sample(number, seed=seed, weighted=weighted).value

    def worlds(self) -> Iterator[World]:
        """Yield every world once, lazily."""
        return self.asker.worlds()

    # What if

    def verdicts(self) -> dict[Constraint, str]:
        """Return for each assumption how it stands against the log and the other assumptions.

        ``"confirmed"``: the log alone makes it certain; ``"refuted"``: the log alone makes it
        impossible; ``"follows"``: certain, given the other assumptions; ``"conflicting"``: possible
        alone, but not with the others; ``"active"``: none of these, a real assumption.
        """
        facts = self._with(assumed=())
        return {claim: self._verdict(facts, claim) for claim in self.assumed}

    def _verdict(self, facts: Knowledge, claim: Constraint) -> str:
        if facts.is_certain(claim):
            return "confirmed"
        if not facts.is_possible(claim):
            return "refuted"
        if not self.is_consistent():
            return "conflicting"
        others = facts.assume(*(other for other in self.assumed if other != claim))
        return "follows" if others.is_certain(claim) else "active"


_SIGHT = ("viewer", "engine", "budget")
_FIELDS = ("log", "assumed", *_SIGHT)


class _BareGame:
    """A problem as a game whose events are constraints."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def __repr__(self) -> str:
        return f"a problem with {len(self.problem.domains)} variables"

    def variables(self) -> Mapping[Variable, Sequence[Value]]:
        """Return the problem's domains."""
        return self.problem.domains

    def rules(self) -> Iterable[Any]:
        """Return the problem's rules."""
        return self.problem.rules

    def evidence(self, log: Sequence[Constraint], viewer: Viewer) -> Iterator[Evidence]:
        """Return the problem's own evidence, then each constraint of the log."""
        yield from self.problem.evidence
        for number, constraint in enumerate(log, start=1):
            yield Evidence(constraint, number)


def _shares(tally: Tally) -> Shares:
    if not tally.total:
        raise Contradiction
    return {
        variable: {value: Fraction(weight) / tally.total for value, weight in row.items()}
        for variable, row in tally.of.items()
    }
