"""A log as one viewer sees it: a frozen value that grows by events and assumptions.

It holds what knowledge rests on: the game, the log, the viewer, and the problem that follows from
them. `deduce.knowledge.Knowledge` adds the queries. A bare problem is a game here too (`BareGame`),
so that knowledge needs only one form of what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Self

from attrs import asdict, evolve, field, frozen, has
from attrs.converters import optional

from deduce.budget import STANDARD, Budget
from deduce.constraints import (
    Claim,
    Constraint,
    Count,
    Fact,
    Knows,
    Logic,
    Value,
    Variable,
    Weigh,
    is_epistemic,
    listed,
)
from deduce.engines.choose import check_engine
from deduce.errors import BadInput, BadProblem, Unsupported
from deduce.game import (
    RECORD,
    Event,
    Growing,
    HiddenGame,
    Notice,
    Recorded,
    Said,
    Seeing,
    SeenInParts,
    Shown,
    Viewer,
    Written,
    hook,
)
from deduce.logs.claims import SOLUTION, parse_claim
from deduce.logs.events import Log, checked_event, format_event, parse_event
from deduce.logs.json_values import check_types
from deduce.problem import Evidence, Problem, Sees
from deduce.reasoning.doubts import Doubts, check_events, doubted, rates_of
from deduce.reasoning.knowing import Heard, heard
from deduce.reasoning.likelihoods import resolved
from deduce.reasoning.retelling import Retold
from deduce.system.text import by_name, join, listing

__all__ = [
    "BareGame",
    "Viewpoint",
    "game_of",
]


def _log(log: Iterable[Event]) -> tuple[Any, ...]:
    if isinstance(log, str) or not isinstance(log, Iterable):
        raise BadInput(f"a log is a list of events, not {log!r}; deduce.read reads text")
    return tuple(log)


def _as_claims(constraints: Iterable[Claim]) -> tuple[Claim, ...]:
    return listed("assumptions", constraints)


def game_of(game: HiddenGame | Problem) -> HiddenGame:
    """Return a game, or a problem as a game.

    Raises
    ------
    BadInput
        It is neither.
    """
    if isinstance(game, Problem):
        return BareGame(game)
    if isinstance(game, type):
        raise BadInput(f"{game.__name__} is a class; make a set-up of it, {game.__name__}(...)")
    required = (HiddenGame.variables, HiddenGame.rules, HiddenGame.evidence)
    missing = [member.__name__ for member in required if hook(game, member) is None]
    if missing:
        raise BadInput(f"not a hidden game or a Problem: {game!r} has no {join(missing, 'or')}")
    return game


@frozen(repr=False)
class BareGame:
    """A problem as a game whose events are constraints."""

    problem: Problem

    def __repr__(self) -> str:
        return repr(self.problem)

    def check(self, event: Event) -> None:
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

    def sees(self, log: Sequence[Constraint]) -> Sees:
        """Return what each player sees, whatever is told."""
        return self.problem.sees

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


@frozen(slots=False, str=False, repr=False)
class Viewpoint:
    """A log as one viewer sees it; the parameters are those of `deduce.knowledge.Knowledge`."""

    game: HiddenGame = field(converter=game_of)
    log: tuple[Event, ...] = field(default=(), converter=_log)
    viewer: Viewer = field(default=RECORD, kw_only=True)
    assumed: tuple[Claim, ...] = field(default=(), converter=_as_claims, kw_only=True)
    engine: str = field(default="auto", kw_only=True)
    budget: Budget = field(default=STANDARD, kw_only=True)
    doubts: Doubts = field(default=None, converter=optional(rates_of), kw_only=True)
    _before: Self | None = field(default=None, init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        _check_viewer(self.game, self.viewer)
        check_engine(self.engine)
        _check_budget(self.budget)
        if self.doubts is not None:
            check_events(self.doubts, len(self.log))
        object.__setattr__(self, "log", tuple(self._checked(event) for event in self.log))
        try:
            _ = self._rules  # raises if the game states them wrongly
        except (AttributeError, TypeError):
            game: Any = self.game
            if has(type(game)):  # perhaps a field of its set-up has a wrong type
                check_types(type(game), asdict(game, recurse=False))
            raise
        if not self._checks_names_at_once():
            for event in self.log:
                self._check_names(event)
        for claim in self.assumed:
            self._claim(claim)

    @classmethod
    def of(
        cls,
        log: Log,
        *,
        viewer: Viewer = RECORD,
        engine: str = "auto",
        budget: Budget = STANDARD,
        doubts: Doubts = None,
        earlier: Self | None = None,
    ) -> Self:
        """Return the knowledge from a log that was read, whose events need no further check.

        Where the log begins with that of ``earlier`` knowledge, only what follows is made anew.
        """
        follows = earlier is not None and earlier.game == log.game
        game = earlier.game if earlier is not None and follows else log.game
        beginning = cls(game, viewer=viewer, engine=engine, budget=budget)
        knowledge = beginning._with(log=log.events).doubting(doubts)
        if earlier is not None and follows:
            reused = earlier.using()._coming_from(None)
            vars(knowledge)["_earlier"] = knowledge._coming_from(reused)._earlier
        return knowledge._coming_from(None)  # a beginning: undo does not lead to what is reused

    def __getstate__(self) -> list[dict[str, Any]]:
        """Return the parts without cached answers, and those of the knowledge before, for undo."""
        states = []
        knowledge: Viewpoint | None = self
        while knowledge is not None:
            states.append({name: getattr(knowledge, name) for name in ("game", *_DEFAULTS)})
            knowledge = knowledge._before
        return states

    def __setstate__(self, states: list[dict[str, Any]]) -> None:
        before: Viewpoint | None = None
        for state in reversed(states):
            knowledge: Viewpoint = self if state is states[0] else object.__new__(type(self))
            vars(knowledge).update(state)
            before = knowledge._coming_from(before)

    def __repr__(self) -> str:
        parts = [repr(self.game)]
        for name, default in _DEFAULTS.items():
            value = getattr(self, name)
            if value != default:
                parts.append(f"{name}={value!r}")
        return f"Knowledge({', '.join(parts)})"

    # How knowledge grows

    def tell(self, *events: Event) -> Self:
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
        >>> from deduce.knowledge import Knowledge
        >>> from games.cluedo import Cluedo
        >>> k = Knowledge(Cluedo(("Ann", "Ben", "Cid")))
        >>> k.tell("Ann: plum rope hall; Ben -").log[0].passes
        ('Ben',)
        """
        knowledge = self._with()._coming_from(self)
        for event in events:
            game, checked = knowledge._event(event, knowledge.log)
            knowledge = knowledge._with(game=game, log=(*knowledge.log, checked))._coming_from(self)
            (self if game is self.game else knowledge)._check_names(checked)
        return knowledge

    def assume(self, *claims: Claim | str) -> Self:
        """Return the knowledge under more assumptions (what-if)."""
        constraints = tuple(map(self._claim, claims))
        return self._with(assumed=self.assumed + constraints)._coming_from(self)

    def undo(self) -> Self:
        """Return the knowledge before the last `tell` or `assume`; itself at the beginning.

        Viewer, engine and budget stay as they are now. `of`, `upto`, `replace` and `drop` are
        beginnings.
        """
        before = self._before
        if before is None:
            return self
        now = {name: getattr(self, name) for name in _SIGHT}
        if now == {name: getattr(before, name) for name in _SIGHT}:
            return before
        return before._with(**now)._coming_from(before._before)

    def seen_by(self, viewer: Viewer) -> Self:
        """Return what another viewer knows of the same log.

        Raises
        ------
        BadInput
            There is no such player; the nearest name is in the message.
        """
        _check_viewer(self.game, viewer)
        return self._with(viewer=viewer)._coming_from(self._before)

    def upto(self, number: int) -> Self:
        """Return the knowledge after the first ``number`` events; all if there are fewer."""
        if type(number) is not int or number < 0:
            raise BadInput(f"there is no event {number!r}; the log has {len(self.log)}")
        return self._with(log=self.log[:number])

    def replace(self, number: int, event: Event) -> Self:
        """Return the knowledge with event ``number`` (from 1) replaced."""
        self._check_number(number)
        earlier, later = self.log[: number - 1], self.log[number:]
        game, event = self._event(event, earlier)
        replaced = self._with(game=game, log=(*earlier, event, *later))
        replaced._check_names(event)
        return replaced

    def drop(self, number: int) -> Self:
        """Return the knowledge with event ``number`` (from 1) left out."""
        self._check_number(number)
        return self._with(log=self.log[: number - 1] + self.log[number:])

    def using(self, *, engine: str | None = None, budget: Budget | None = None) -> Self:
        """Return the same knowledge with another engine or budget."""
        if engine is not None:
            check_engine(engine)
        if budget is not None:
            _check_budget(budget)
        changed = self._with(engine=engine or self.engine, budget=budget or self.budget)
        made: dict[str, Any] = {
            name: vars(self)[name]
            for name in ("problem", "_model", "_evidence")
            if name in vars(self)
        }
        vars(changed).update(made)
        return changed._coming_from(self._before)

    def doubting(self, doubts: Doubts) -> Self:
        """Return the same knowledge with other doubts; ``None``: with those of the evidence.

        Raises
        ------
        BadInput
            The game declares no such rates, or the log has no such event.

        Examples
        --------
        >>> from deduce.knowledge import Knowledge
        >>> from games.cluedo import Cluedo
        >>> k = Knowledge(Cluedo(("Ann", "Ben", "Cid")), doubts=True)
        >>> k.tell("Ann: plum rope hall; Ben -").slips()[0].answer
        'Ben -'
        """
        if doubts is not None:
            doubts = rates_of(doubts)
            check_events(doubts, len(self.log))
        return self._with(doubts=doubts)._coming_from(self._before)

    def _with(self, **changes: Any) -> Self:
        """Return a copy in which parts are changed that need no check."""
        changed = object.__new__(type(self))
        for name in ("game", *_DEFAULTS):
            value = changes[name] if name in changes else getattr(self, name)
            object.__setattr__(changed, name, value)
        same = "_rules" in vars(self) and changed.game is self.game
        if same and not _changes(self.game, self.log, changed.log):
            vars(changed)["_rules"] = self._rules
        return changed._coming_from(None)

    def _coming_from(self, before: Self | None) -> Self:
        """Return this knowledge itself, whose `undo` leads to `before`; ``None``: to nothing."""
        object.__setattr__(self, "_before", before)
        return self

    def _event(self, event: Event, log: Sequence[Event]) -> tuple[HiddenGame, Any]:
        """Return an event that follows a log, given as an object or as text, and the game then."""
        game = self.game
        if not isinstance(event, str):
            return game, self._checked(event)
        if "\n" in event.strip():
            raise BadInput("an event is one line; tell takes several, deduce.read a whole log")
        if isinstance(game, BareGame):
            return game, parse_claim(self.problem, event)
        parse_next = hook(game, Growing.parse_next)
        if parse_next is not None and not event.lstrip().startswith("{"):
            game, event = parse_next(event, log)
            return game, checked_event(game, event)
        return game, parse_event(game, event)

    def _checked(self, event: Event) -> Any:
        return checked_event(self.game, event)

    def _checks_names_at_once(self) -> bool:
        """Return whether one look at the evidence of the whole log found nothing unknown in it.

        It is needed anyway where the reader of the log asks. ``False``: `_check_names` looks at
        each event, and its error names the event.
        """
        if self.viewer is not RECORD or self.doubts is not None or _is_drawn(self.game):
            return False
        try:
            vars(self)["_named"] = self._rules.with_evidence(*self._evidence)  # for `problem`
        except Exception:  # whatever it is, a question says so
            vars(self).pop("_evidence", None)
            return False
        return True

    def _check_names(self, event: Event) -> None:
        """Raise `BadInput` if what an event states names a variable or value that does not exist.

        The event is looked at by itself. A game whose evidence needs the earlier events, and one
        whose variables grow with the log, has to check the names by its own ``check``.
        """
        if isinstance(self.game, BareGame) or _is_drawn(self.game):
            return
        pieces: tuple[Evidence, ...] = ()
        with suppress(Exception):  # it may need the earlier events
            pieces = tuple(self.game.evidence((event,), RECORD))
        try:
            self._rules.with_evidence(*pieces)
        except BadProblem as error:
            raise BadInput(f"not an event of this game: {event!r}: {error}") from None

    def _check_number(self, number: int) -> None:
        if type(number) is not int or not 1 <= number <= len(self.log):
            raise BadInput(f"there is no event {number!r}; the log has {len(self.log)}")

    def claim(self, claim: Claim | str) -> Constraint:
        """Return a claim as a constraint; text is read by `deduce.logs.claims.parse_claim`.

        What players know is judged after the whole log.

        Raises
        ------
        BadInput
            The text is not a claim about the variables of this game.
        BadProblem
            It is about a player of whom nothing states what they see.
        Undecided
            It is about what players know, and the worlds are too many to be listed.
        """
        return self._constraint(self._claim(claim))

    def _claim(self, claim: Claim | str) -> Claim:
        if isinstance(claim, str):
            claim = parse_claim(self.problem, claim)
        if isinstance(claim, Weigh):
            raise BadInput(f"a Weigh is neither true nor false, so it is not a claim: {claim}")
        if not isinstance(claim, Claim):
            raise BadInput(f"not a claim: {claim!r}; for example is_('Rope', 'Ann') or 'rope=Ann'")
        if isinstance(claim, Knows):
            claim = self._of_solution(claim)
        if is_epistemic(claim):
            self._rules.check(claim)
        return claim

    def _of_solution(self, claim: Knows) -> Knows:
        """Return a claim in which the word ``solution`` is what the players want to find out."""
        if isinstance(claim.what, Knows):
            return evolve(claim, what=self._of_solution(claim.what))
        questions = hook(self.game, Shown.questions)
        if claim.what != SOLUTION or SOLUTION in self._rules.domains or questions is None:
            return claim
        return evolve(claim, what=list(questions()))

    def _constraint(self, claim: Claim) -> Constraint:
        if isinstance(claim, Constraint) and not is_epistemic(claim):
            return claim
        return self._heard.judged(claim, self._sees_at(len(self.log) + 1))

    def notices(self) -> Sequence[Notice]:
        """Return what is odd in the log without being impossible, such as a line typed twice."""
        notices = hook(self.game, Recorded.notices)
        return () if notices is None else tuple(notices(self.log))

    # What it rests on

    @property
    def _public(self) -> tuple[Evidence, ...]:
        """What all players know of the log, with its doubts."""
        return self._evidence if isinstance(self.game, BareGame) else self.seen_by(None)._evidence

    @property
    def _is_heard(self) -> bool:
        """Whether the log or an assumption states what players know."""
        stated = [*(piece.constraint for piece in self._evidence), *self.assumed]
        return any(map(is_epistemic, stated))

    @cached_property
    def _heard(self) -> Heard:
        """What all players know after the log."""
        pieces = self._public
        earlier: Heard | None = vars(self._earlier).get("_heard") if self._earlier else None
        if earlier is None or pieces[: len(earlier.pieces)] != earlier.pieces:
            return heard(self._rules, pieces, self._sees_at, self.budget.meter())
        return earlier.told(pieces[len(earlier.pieces) :], self._sees_at)

    def _retold(self) -> Retold:
        """Return the log as what an explanation tells again."""
        own = {(piece.event, piece.constraint): piece for piece in self._evidence}
        # The viewer may have a sentence for what is public: the line of the event.
        public = [own.pop((p.event, p.constraint), p) for p in self._public]
        return Retold(
            self._rules, public, [*own.values()], self.assumed, self._sees_at, len(self.log)
        )

    def _sees_at(self, event: int) -> Sees:
        """Return what each player has seen before an event."""
        sees = hook(self.game, Seeing.sees)
        return {} if sees is None else sees(self.log[: max(0, event - 1)])

    @cached_property
    def _judged(self) -> tuple[Evidence, ...]:
        """What the log states, with what statements about knowledge exclude."""
        evidence = self._evidence
        if any(isinstance(p, Evidence) and is_epistemic(p.constraint) for p in evidence):
            return self._heard.resolved(evidence)
        return evidence

    @cached_property
    def problem(self) -> Problem:
        """The variables, rules, evidence and assumptions."""
        evidence = self._judged
        if any(isinstance(p, Evidence) and p.doubt is not None for p in evidence):
            evidence = tuple(resolved(self._rules.with_evidence(*evidence), evidence))
        earlier = self._earlier
        named: Problem | None = vars(self).pop("_named", None)
        if named is not None and evidence == named.evidence and not (earlier or self.assumed):
            return named
        known = self._rules if earlier is None else earlier.problem
        pieces = (*evidence, *self._assumptions)
        new = known.continued(pieces)
        return self._rules.with_evidence(*pieces) if new is None else known.with_evidence(*new)

    @cached_property
    def _earlier(self) -> Self | None:
        """What was known after fewer events, if its problem is made and its rules hold still.

        Its problem is continued instead of made anew; where `undo` leads (`_before`) is another
        matter: it may lead to knowledge without a problem, or of another game.
        """
        earlier = self._before
        while earlier is not None and "problem" not in vars(earlier):
            earlier = earlier._before or vars(earlier).get("_earlier")
        if earlier is None or earlier.game is not self.game:
            return None
        if _changes(self.game, earlier.log, self.log):
            return None
        same = earlier.viewer == self.viewer and earlier.doubts == self.doubts
        return earlier if same and self.log[: len(earlier.log)] == earlier.log else None

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        """What the log states, with its doubts."""
        if self.doubts is not None:
            return self._worded(doubted(self.game, self.log, self.viewer, self.doubts))
        earlier = self._earlier
        after = hook(self.game, Growing.evidence_after)
        if earlier is None or after is None:
            return self._worded(self.game.evidence(self.log, self.viewer))
        return earlier._evidence + self._worded(after(self.log, len(earlier.log), self.viewer))

    def _worded(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Return evidence with the line of its event as the sentence, where a game gives none.

        Only for the reader of the log: the line may name what another viewer did not see.
        """
        pieces = listed("pieces of evidence", evidence)
        if self.viewer is not RECORD or all(
            piece.sentence for piece in pieces if isinstance(piece, Evidence)
        ):
            return pieces
        return tuple(
            evolve(piece, sentence=line)
            if isinstance(piece, Evidence)
            and not piece.sentence
            and (line := self._line(piece.event))
            else piece
            for piece in pieces
        )

    def _line(self, number: int | None) -> str:
        """Return an event as a line of text; empty if there is none, or no notation."""
        if number is None or not 1 <= number <= len(self.log):
            return ""
        with suppress(Unsupported):
            return format_event(self.game, self.log[number - 1])
        return ""

    @cached_property
    def _rules(self) -> Problem:
        game = self.game
        variables = game.variables()
        if not isinstance(variables, Mapping):
            raise BadProblem(
                f"variables() of {type(game).__name__} must return a mapping from variables to "
                f"their values, not {variables!r}"
            )
        drawn = hook(game, Growing.drawn)
        domains, rules = variables, game.rules()
        if drawn is not None:
            domains = {**variables, **drawn(self.log)}
            drawn_rules = hook(game, Growing.drawn_rules)
            rules = [*rules, *(drawn_rules(self.log) if drawn_rules else ())]
        return Problem(domains, rules, sees=self._sees_at(len(self.log) + 1))

    @property
    def _assumptions(self) -> list[Evidence]:
        return [Evidence(self._constraint(claim), None, self.say(claim)) for claim in self.assumed]

    def say(self, claim: Claim) -> str:
        """Return the claim in the game's own words, where it has them."""
        if isinstance(claim, Count) and (claim.low, claim.high) == (1, None):
            return " or ".join([self.say(fact) for fact in claim.facts])
        if isinstance(claim, Logic):
            return claim.text(self.say)
        say = hook(self.game, Said.say)
        return say(claim) if say is not None and isinstance(claim, Fact) else str(claim)


_SIGHT = ("viewer", "engine", "budget", "doubts")
_DEFAULTS: Mapping[str, object] = {
    "log": (),
    "viewer": RECORD,
    "assumed": (),
    "engine": "auto",
    "budget": STANDARD,
    "doubts": None,
}
"""The parts of knowledge besides the game, with the values that need not be named."""


def _is_drawn(game: HiddenGame) -> bool:
    """Return whether variables are added by the events of the log."""
    return hook(game, Growing.drawn) is not None


def _changes(game: HiddenGame, before: Sequence[Event], after: Sequence[Event]) -> bool:
    """Return whether the variables, rules or what players see after two logs may differ."""
    if before == after:
        return False
    parts = [hook(game, of) for of in (Growing.drawn, Growing.drawn_rules, Seeing.sees)]
    try:
        return any(of is not None and _whole(of(before)) != _whole(of(after)) for of in parts)
    except BadInput:  # a question says so
        return True


def _whole(part: Iterable[object]) -> object:
    return part if isinstance(part, Mapping) else [*part]


def _check_viewer(game: HiddenGame, viewer: Viewer) -> None:
    if viewer is None or viewer is RECORD:
        return
    players = hook(game, SeenInParts.players, None)
    if players is None:
        bare = isinstance(game, BareGame)
        name = "a Problem" if bare else hook(game, Written.name, type(game).__name__)
        raise BadInput(f"{viewer!r} cannot be the viewer: {name} names no players")
    if viewer not in players or isinstance(viewer, bool):
        raise BadInput(f"no player is called {viewer!r}{listing(by_name(players), viewer)}")


def _check_budget(budget: Budget) -> None:
    if not isinstance(budget, Budget):
        raise BadInput(f"not a Budget: {budget!r}; for example Budget(seconds=2)")
