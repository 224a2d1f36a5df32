"""Knowledge: a problem seen through queries by one viewer, as a frozen value.

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

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.budget import STANDARD, Budget
from deduce.claims import parse_claim
from deduce.constraints import (
    Constraint,
    Count,
    Fact,
    Sum,
    Value,
    Variable,
    Weigh,
    Where,
    listed,
)
from deduce.display import Displayed
from deduce.doubts import Doubts, Slip, doubted, rates_of
from deduce.engines.base import Question, Tally, Weight
from deduce.engines.choose import check_engine
from deduce.engines.model import Model
from deduce.errors import BadInput, BadProblem, Contradiction, Undecided
from deduce.events import Log, checked_event, parse_event
from deduce.explain import Why, explain
from deduce.game import RECORD, HiddenGame, Notice, Viewer
from deduce.likelihoods import Likelihood, resolved
from deduce.problem import Evidence, Problem, World
from deduce.queries import Answer, Asker, Distribution
from deduce.text import by_name, join, listing, nearest
from deduce.unless import Unless, certain_unless

if TYPE_CHECKING:
    from deduce.policy.advice import Advice

__all__ = ["Knowledge"]

Shares = Mapping[Variable, Mapping[Value, Fraction]]


def _game(game: HiddenGame | Problem) -> HiddenGame:
    if isinstance(game, Problem):
        return _BareGame(game)
    if isinstance(game, type):
        raise BadInput(f"{game.__name__} is a class; make a set-up of it, {game.__name__}(...)")
    missing = [name for name in ("variables", "rules", "evidence") if not hasattr(game, name)]
    if missing:
        raise BadInput(f"not a hidden game or a Problem: {game!r} has no {join(missing, 'or')}")
    return game


def _log(log: Iterable[Any]) -> tuple[Any, ...]:
    if isinstance(log, str) or not isinstance(log, Iterable):
        raise BadInput(f"a log is a list of events, not {log!r}; deduce.read reads text")
    return tuple(log)


def _assumptions(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    return tuple(constraints)


@frozen(slots=False, str=False, repr=False)
class Knowledge(Displayed):
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
    Queries raise `Contradiction` when no world is possible, except `is_consistent`, `count` and
    `contradiction`; `Undecided` when the budget runs out; `BadProblem` for variables and values
    that do not exist, and for two facts of one claim that can both hold of one variable. Answers
    are cached. A claim is a constraint, or text such as ``"rope=Ann"`` (see
    `deduce.claims.parse_claim`).

    What is doubted excludes no world: posterior, joint distributions, samples, `slips` and
    `probable_worlds` weigh it, and everything that is certain rests on the other evidence alone
    (docs/concepts/slips.md).

    Knowledge is hashable if its game and its events are.
    """

    game: HiddenGame = field(converter=_game)
    log: tuple[Any, ...] = field(default=(), converter=_log)
    viewer: Viewer = field(default=RECORD, kw_only=True)
    assumed: tuple[Constraint, ...] = field(default=(), converter=_assumptions, kw_only=True)
    engine: str = field(default="auto", kw_only=True)
    budget: Budget = field(default=STANDARD, kw_only=True)
    doubts: Doubts = field(default=None, converter=rates_of, kw_only=True)
    _before: Knowledge | None = field(default=None, init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        _check_viewer(self.game, self.viewer)
        check_engine(self.engine)
        _check_budget(self.budget)
        object.__setattr__(self, "log", tuple(self._checked(event) for event in self.log))
        for constraint in self.assumed:
            self.claim(constraint)

    @classmethod
    def of(
        cls,
        log: Log,
        *,
        viewer: Viewer = RECORD,
        engine: str = "auto",
        budget: Budget = STANDARD,
        doubts: Doubts = None,
    ) -> Knowledge:
        """Return the knowledge from a log that was read, whose events need no further check."""
        beginning = cls(log.game, viewer=viewer, engine=engine, budget=budget, doubts=doubts)
        return beginning._with(log=log.events)

    def __repr__(self) -> str:
        parts = [repr(self.game)]
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            if value != default:
                parts.append(f"{name}={value!r}")
        return f"Knowledge({', '.join(parts)})"

    # How knowledge grows

    def tell(self, *events: Any) -> Knowledge:
        """Return the knowledge after more events.

        Parameters
        ----------
        events
            Each an event of the game, or a line of text in the game's notation or in JSON. To a
            bare problem: a constraint, or a claim as text.

        Raises
        ------
        BadInput
            An event that cannot be one of this game; what would be right is in the message.

        Examples
        --------
        >>> from games.cluedo import Cluedo
        >>> k = Knowledge(Cluedo(("Ann", "Ben", "Cid")))
        >>> k.tell("Ann: plum rope hall; Ben -").log[0].passes
        ('Ben',)
        """
        knowledge = self._with()._after(self)
        for event in events:
            game, checked = knowledge._event(event, knowledge.log)
            knowledge = knowledge._with(game=game, log=(*knowledge.log, checked))._after(self)
        return knowledge

    def assume(self, *claims: Constraint | str) -> Knowledge:
        """Return the knowledge under more assumptions (what-if)."""
        constraints = tuple(map(self.claim, claims))
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
        """Return what another viewer knows of the same log.

        Raises
        ------
        BadInput
            There is no such player; the nearest name is in the message.
        """
        _check_viewer(self.game, viewer)
        return self._with(viewer=viewer)._after(self._before)

    def upto(self, number: int) -> Knowledge:
        """Return the knowledge after the first ``number`` events; all if there are fewer."""
        if type(number) is not int or number < 0:
            raise BadInput(f"there is no event {number!r}; the log has {len(self.log)}")
        return self._with(log=self.log[:number])

    def replace(self, number: int, event: Any) -> Knowledge:
        """Return the knowledge with event ``number`` (from 1) replaced."""
        self._check_number(number)
        earlier, later = self.log[: number - 1], self.log[number:]
        game, event = self._event(event, earlier)
        return self._with(game=game, log=(*earlier, event, *later))

    def drop(self, number: int) -> Knowledge:
        """Return the knowledge with event ``number`` (from 1) left out."""
        self._check_number(number)
        return self._with(log=self.log[: number - 1] + self.log[number:])

    def using(self, *, engine: str | None = None, budget: Budget | None = None) -> Knowledge:
        """Return the same knowledge with another engine or budget."""
        if engine is not None:
            check_engine(engine)
        if budget is not None:
            _check_budget(budget)
        changed = self._with(engine=engine or self.engine, budget=budget or self.budget)
        made: dict[str, Any] = {
            name: vars(self)[name] for name in ("problem", "_model") if name in vars(self)
        }
        vars(changed).update(made)
        return changed._after(self._before)

    def doubting(self, doubts: Doubts) -> Knowledge:
        """Return the same knowledge with other doubts; ``None``: with those of the evidence.

        Raises
        ------
        BadInput
            The game declares no such rates.

        Examples
        --------
        >>> from games.cluedo import Cluedo
        >>> k = Knowledge(Cluedo(("Ann", "Ben", "Cid")), doubts=True)
        >>> k.tell("Ann: plum rope hall; Ben -").slips()[0].answer
        'Ben -'
        """
        return self._with(doubts=rates_of(doubts))._after(self._before)

    def _with(self, **changes: Any) -> Knowledge:
        """Return a copy in which parts are changed that need no check."""
        changed = object.__new__(Knowledge)
        for name in ("game", *_DEFAULTS):
            value = changes[name] if name in changes else getattr(self, name)
            object.__setattr__(changed, name, value)
        return changed._after(None)

    def _after(self, before: Knowledge | None) -> Knowledge:
        object.__setattr__(self, "_before", before)
        return self

    def _event(self, event: Any, log: Sequence[Any]) -> tuple[HiddenGame, Any]:
        """Return an event that follows a log, given as an object or as text, and the game then."""
        game = self.game
        if not isinstance(event, str):
            return game, self._checked(event)
        if "\n" in event.strip():
            raise BadInput("an event is one line; tell takes several, deduce.read a whole log")
        if isinstance(game, _BareGame):
            return game, parse_claim(self.problem, event)
        parse_next = getattr(game, "parse_next", None)
        if parse_next is not None and not event.lstrip().startswith("{"):
            game, event = parse_next(event, log)
            return game, checked_event(game, event)
        return game, parse_event(game, event)

    def _checked(self, event: Any) -> Any:
        return checked_event(self.game, event)

    def _check_number(self, number: int) -> None:
        if type(number) is not int or not 1 <= number <= len(self.log):
            raise BadInput(f"there is no event {number!r}; the log has {len(self.log)}")

    def claim(self, claim: Constraint | str) -> Constraint:
        """Return a claim as a constraint; text is read by `deduce.claims.parse_claim`.

        Raises
        ------
        BadInput
            The text is not a claim about the variables of this game.
        """
        if isinstance(claim, str):
            return parse_claim(self.problem, claim)
        if isinstance(claim, Weigh):
            raise BadInput(f"a Weigh is neither true nor false, so it is not a claim: {claim}")
        if not isinstance(claim, Fact | Count | Sum | Where):
            raise BadInput(f"not a claim: {claim!r}; for example is_('Rope', 'Ann') or 'rope=Ann'")
        return claim

    def notices(self) -> Sequence[Notice]:
        """Return what is odd in the log without being impossible, such as a line typed twice."""
        notices = getattr(self.game, "notices", None)
        return () if notices is None else tuple(notices(self.log))

    # What it rests on

    @cached_property
    def problem(self) -> Problem:
        """The variables, rules, evidence and assumptions."""
        evidence = self._evidence
        if any(getattr(piece, "doubt", None) is not None for piece in evidence):
            evidence = tuple(resolved(self._rules.with_evidence(*evidence), evidence))
        earlier = self._earlier
        known = self._rules if earlier is None else earlier.problem
        pieces = (*evidence, *self._assumptions)
        new = known.continued(pieces)
        return self._rules.with_evidence(*pieces) if new is None else known.with_evidence(*new)

    @cached_property
    def _earlier(self) -> Knowledge | None:
        """What was known after fewer events, if its problem is made: most of it holds still."""
        earlier = self._before
        while earlier is not None and "problem" not in vars(earlier):
            earlier = earlier._before
        if earlier is None or earlier.game is not self.game or hasattr(self.game, "drawn"):
            return None
        same = earlier.viewer == self.viewer and earlier.doubts == self.doubts
        return earlier if same and self.log[: len(earlier.log)] == earlier.log else None

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        """What the log states, with its doubts."""
        earlier = self._earlier
        after = getattr(self.game, "evidence_after", None)
        if earlier is None or after is None or self.doubts is not None:
            pieces = doubted(self.game, self.log, self.viewer, self.doubts)
            return listed("pieces of evidence", pieces)
        new = after(self.log, len(earlier.log), self.viewer)
        return earlier._evidence + listed("pieces of evidence", new)

    @cached_property
    def _rules(self) -> Problem:
        if self._earlier is not None:
            return self._earlier._rules
        game = self.game
        drawn = getattr(game, "drawn", None)
        variables = {**game.variables(), **(drawn(self.log) if drawn else {})}
        return Problem(variables, game.rules())

    @property
    def _assumptions(self) -> list[Evidence]:
        return [Evidence(constraint, None, self.say(constraint)) for constraint in self.assumed]

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

    # Is this still possible

    def is_consistent(self) -> bool:
        """Return whether any world is possible."""
        return self._consistent.value

    @cached_property
    def _consistent(self) -> Answer[bool]:
        return self._again("_consistent") or self.asker.is_consistent()

    def contradiction(self) -> Why:
        """Return the smallest set of events that cannot all be true, and the repairs.

        Raises
        ------
        BadInput
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
        return self._again("_possible") or self.asker.possible()

    def certain(self) -> dict[Variable, Value]:
        """Return the variables that have the same value in every world, with that value."""
        return {
            variable: next(iter(values))
            for variable, values in self.possible().items()
            if len(values) == 1
        }

    def is_certain(self, claim: Constraint | str) -> bool:
        """Return whether a fact (or disjunction, or other Count) holds in every world."""
        return self.asker.is_certain(self.claim(claim)).value

    def is_possible(self, claim: Constraint | str) -> bool:
        """Return whether a fact (or disjunction, or other Count) holds in some world."""
        return self.asker.is_consistent(self.claim(claim)).value

    def why(self, claim: Constraint | str) -> Why:
        """Return the smallest set of events that makes the claim certain, or impossible.

        For an open claim: a world in which it holds and one in which it does not.
        """
        constraint = self.claim(claim)
        return explain(self.asker, constraint, self.say(constraint))

    def say(self, claim: Constraint) -> str:
        """Return the claim in the game's own words, where it has them."""
        if isinstance(claim, Count) and (claim.low, claim.high) == (1, None):
            return " or ".join(map(self.say, claim.facts))
        say = getattr(self.game, "say", None)
        return say(claim) if say is not None and isinstance(claim, Fact) else str(claim)

    # How many, how probable

    def count(self) -> int:
        """Return the number of worlds."""
        if "_tally" in vars(self):
            return int(self._tally.value.total)
        return int(self._total.value)

    def shares(self) -> Shares:
        """Return, for each variable, the share of the worlds in which it has each value.

        A share is not a probability: see `posterior`.
        """
        return _shares(self._tally.value)

    def posterior(self) -> Shares:
        """Return the probability of each value of each variable.

        Worlds are equally likely before the log, and weighed by the declared behaviour of the
        players (each `Weigh` of the evidence). Exact; with `doubts` and the engine ``"auto"`` long
        numbers are rounded, with an error below `deduce.engines.counting.rounded.MAX_ERROR`.
        """
        return _shares(self._weighted_tally.value)

    @cached_property
    def _total(self) -> Answer[Weight]:
        return self._again("_total") or self.asker.total(weighted=False)

    @cached_property
    def _tally(self) -> Answer[Tally]:
        return self._again("_tally") or self.asker.tally(weighted=False)

    @cached_property
    def _weighted_tally(self) -> Answer[Tally]:
        return self._again("_weighted_tally") or self.asker.tally(weighted=True)

    def joint(
        self, *questions: Variable | Mapping[Any, Fact | Sequence[Fact]], weighted: bool = True
    ) -> Distribution:
        """Return the joint distribution of a few variables.

        Parameters
        ----------
        questions
            A variable, or a mapping from answers to facts of which exactly one holds; an answer
            may have several facts, and is given when one of them holds.
        weighted
            Whether the probabilities are posterior ones (else shares of worlds).
        """
        return self.asker.joint([self.question(q) for q in questions], weighted=weighted).value

    def question(self, question: Variable | Mapping[Any, Fact | Sequence[Fact]]) -> Question:
        """Return a question of `joint` as the engines take it.

        Raises
        ------
        BadInput
            An answer is not a fact or a list of facts.
        BadProblem
            There is no such variable or value.
        """
        values_of = self.problem.values_of
        if isinstance(question, Mapping):
            return {
                label: [(fact.variable, values_of(fact)) for fact in _facts(facts)]
                for label, facts in question.items()
            }
        values_of(Fact(question, ()))
        return {value: [(question, frozenset([value]))] for value in self.problem.domains[question]}

    # Slips

    def slips(self) -> Sequence[Slip]:
        """Return each answer that may be wrong, with the probability that it is, ranked.

        Raises
        ------
        Contradiction
            No world is possible even if answers are wrong.

        Examples
        --------
        >>> from deduce.constraints import is_, is_not
        >>> coin = Problem({"coin": ("heads", "tails")})
        >>> k = Knowledge(coin, [is_("coin", "heads"), is_("coin", "heads")], doubts=0.1)
        >>> [slip.event for slip in k.tell(is_("coin", "tails")).slips()]
        [3, 1, 2]
        """
        return self._slips

    @cached_property
    def _slips(self) -> Sequence[Slip]:
        events: list[tuple[int | None, Weigh]] = [
            (None, rule.constraint)
            for rule in self.problem.rules
            if isinstance(rule.constraint, Weigh)
        ]
        events += [
            (piece.event, piece.constraint)
            for piece in self.problem.evidence
            if isinstance(piece.constraint, Weigh)
        ]
        if not any(isinstance(weigh, Likelihood) for _, weigh in events):
            if not self.is_consistent():
                raise Contradiction
            return ()
        numbers = self.asker.numbers().value
        if not any(numbers[0].values()):
            raise Contradiction
        slips = []
        for (event, weigh), of in zip(events, numbers, strict=True):
            if isinstance(weigh, Likelihood) and event is not None:
                right, *wrong = weigh.hypotheses(of)
                instead = zip(weigh.sentences, wrong, strict=True)
                slips.append(Slip(event, weigh.answer, 1 - right, tuple(instead)))
        return tuple(sorted(slips, key=lambda slip: (-slip.probability, slip.event)))

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
        >>> rope = Problem({"Rope": ("Ann", "Ben", "Cid")})
        >>> k = Knowledge(rope, [is_not("Rope", "Ann"), is_("Rope", "Ben")], doubts=0.01)
        >>> print(k.certain_unless()[0])
        Rope: Ben, unless event 2 is wrong
        """
        if slips not in (0, 1, 2):
            raise BadInput(f"the number of slips is 0, 1 or 2, not {slips!r}")
        evidence = listed(
            "pieces of evidence", doubted(self.game, self.log, self.viewer, self.doubts)
        )
        certain = [piece for piece in evidence if piece.doubt is None]
        answers: dict[tuple[int | None, str], list[Evidence]] = {}
        for piece in evidence:
            if piece.doubt is not None:
                answers.setdefault((piece.event, piece.answer), []).append(piece)
        return certain_unless(
            self._rules.with_evidence(*certain, *self._assumptions),
            list(answers.values()),
            slips,
            lambda problem: Asker(Model(problem), self.engine, self.budget).possible().value,
        )

    # Worlds

    def sample(self, number: int, *, seed: int, weighted: bool = True) -> Sequence[World]:
        """Return worlds drawn independently, by posterior or (``weighted=False``) uniformly."""
        return self.asker.sample(number, seed=seed, weighted=weighted).value

    def probable_worlds(self, number: int = 1) -> Sequence[tuple[World, Fraction]]:
        """Return the most probable worlds with their probabilities, the most probable first.

        Raises
        ------
        Contradiction
            No world is possible.

        Examples
        --------
        >>> from deduce.constraints import is_
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

    def advise(
        self,
        inquiries: Iterable[Hashable] | None = None,
        *,
        by: str = "information",
        weighted: bool = True,
        samples: int | None = None,
        seed: int = 0,
    ) -> Advice:
        """Return the questions that can be asked now, ranked by what their answers are worth.

        The parameters are those of `deduce.policy.advise.advise`. A game states its questions by
        the methods ``inquiries`` and ``answer`` (see `deduce.game.HiddenGame`).

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

        return advise(self, inquiries, by=by, weighted=weighted, samples=samples, seed=seed)

    # What if

    def verdicts(self) -> dict[Constraint, str]:
        """Return for each assumption how the log and the other assumptions bear on it.

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


_SIGHT = ("viewer", "engine", "budget", "doubts")
_DEFAULTS: Mapping[str, Any] = {
    "log": (),
    "viewer": RECORD,
    "assumed": (),
    "engine": "auto",
    "budget": STANDARD,
    "doubts": None,
}
"""The parts of knowledge besides the game, with the values that need not be named."""


def _facts(answer: Any) -> Sequence[Fact]:
    """Return the facts of one answer of a question."""
    facts = answer if isinstance(answer, list | tuple) else [answer]
    for fact in facts:
        if not isinstance(fact, Fact):
            raise BadInput(f"a question maps answers to facts, not to {fact!r}")
    return facts


def _check_viewer(game: HiddenGame, viewer: Viewer) -> None:
    if viewer is None or viewer is RECORD:
        return
    players = getattr(game, "players", None)
    if players is None:
        raise BadInput(f"{viewer!r} cannot be the viewer: {game!r} names no players")
    if viewer not in players or isinstance(viewer, bool):
        names = by_name(players)
        hint = nearest(viewer, names) if isinstance(viewer, str) else ""
        raise BadInput(f"no player is called {viewer!r}{hint}{listing(names, hint)}")


def _check_budget(budget: Budget) -> None:
    if not isinstance(budget, Budget):
        raise BadInput(f"not a Budget: {budget!r}; for example Budget(seconds=2)")


@frozen(repr=False)
class _BareGame:
    """A problem as a game whose events are constraints."""

    problem: Problem

    def __repr__(self) -> str:
        return repr(self.problem)

    def check(self, event: Any) -> None:
        """Raise `BadInput` unless the event is a constraint about the problem."""
        try:
            self.problem.check(Evidence(event, 1).constraint)
        except BadProblem as error:
            raise BadInput(str(error)) from None

    def variables(self) -> Mapping[Variable, Sequence[Value]]:
        """Return the problem's domains."""
        return self.problem.domains

    def rules(self) -> Iterable[Any]:
        """Return the problem's rules."""
        return self.problem.rules

    def evidence(self, log: Sequence[Constraint], viewer: Viewer) -> Iterator[Evidence]:
        """Return the problem's own evidence, then each constraint of the log."""
        yield from self.problem.evidence
        yield from self.evidence_after(log, 0, viewer)

    def evidence_after(
        self, log: Sequence[Constraint], number: int, viewer: Viewer
    ) -> Iterator[Evidence]:
        """Return the constraints after the first ``number`` ones."""
        for place in range(number, len(log)):
            yield Evidence(log[place], place + 1)


def _shares(tally: Tally) -> Shares:
    if not tally.total:
        raise Contradiction
    return {
        variable: {value: Fraction(weight) / tally.total for value, weight in row.items()}
        for variable, row in tally.of.items()
    }
