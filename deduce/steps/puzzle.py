"""Puzzles: short logs whose questions have exactly one answer, as hard as one likes.

A puzzle is made from a random deal and its log, as long as they leave only one answer to each of
the game's questions. Events are then dropped, in a random order, until none can be dropped. What is
left is graded; if it is not of the grade that was asked for, or the events
state the answers themselves, the next random deal is tried.

A set-up can make puzzles if it has ``deal(random)`` and ``record(world, random)``. A class of games
may choose set-ups for puzzles with a class method ``puzzle_setup(random)``.

The grade is how hard a puzzle is, by its hardest step and by the number of steps.

=====  ====================================================================================
grade  what the answers need
=====  ====================================================================================
1      constraints one at a time, none of which counts more than one place, in few rounds
2      the same in more rounds; or rules that count more (the size of a hand), in few rounds
3      rules that count more, in more rounds
4      suppositions that are refuted by constraints one at a time
5      more: suppositions within suppositions
=====  ====================================================================================

In a *round* every constraint is applied once to what was known before the round; few rounds are up
to `FEW`. All of this is determined by the problem: whatever the order in which constraints are
applied, the same facts follow in the same rounds. So a grade can be computed again by any program
that can apply one constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import Any

from attrs import evolve, frozen

from deduce.budget import Budget, Meter
from deduce.constraints import Constraint, Fact, is_, opposite
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import CompiledCount, CompiledSum, Model, Statement
from deduce.errors import BadInput, BadProblem, Undecided, Unsupported
from deduce.game import Shown, Simulated, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.logs.reading import write
from deduce.problem import Problem, World, is_true
from deduce.reasoning.conflicts import quickxplain
from deduce.reasoning.queries import Asker
from deduce.steps.facts import open_bits
from deduce.steps.proof import Proof, steps
from deduce.system.display import Displayed
from deduce.system.text import plural

__all__ = [
    "FEW",
    "GRADES",
    "Grade",
    "Puzzle",
    "answers_of",
    "grade",
    "make_puzzle",
    "minimal_clues",
    "minimal_log",
    "setups_of",
]


GRADES = (1, 2, 3, 4, 5)
"""All grades, the easiest first."""

FEW = 2
"""Up to this many rounds are few."""

HARDEST = ("one place", "counting", "supposition", "nested suppositions")
"""The kinds of the hardest step, the easiest first."""


@frozen
class Grade:
    """How hard a puzzle is.

    Parameters
    ----------
    level
        The grade, 1 to 5.
    hardest
        The kind of the hardest step, from `HARDEST`.
    rounds
        The rounds of single constraints that lead to the answers, or, with suppositions, the rounds
        of suppositions; 0 where suppositions must be nested.
    """

    level: int
    hardest: str
    rounds: int

    def __str__(self) -> str:
        rounds = f", {self.rounds} rounds" if self.rounds > 1 else ""
        return f"grade {self.level} (hardest step: {self.hardest}{rounds})"


def grade(knowledge: Knowledge, answers: Sequence[Fact]) -> Grade:
    """Return how hard it is to find answers.

    Parameters
    ----------
    knowledge
        The puzzle.
    answers
        The facts that are to be found; all of them must be certain.

    Raises
    ------
    BadInput
        An answer is not a fact about one value.
    Undecided
        The budget of the knowledge is used up.

    Notes
    -----
    Cost: a few propagations; with suppositions, one for each open value and round.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> print(grade(k, [is_("Ben", "blue")]))
    grade 1 (hardest step: one place)
    """
    model = knowledge.asker.model
    goal = _goal(model, answers)
    meter = knowledge.budget.meter()
    easy = [
        statement
        for number, statement in enumerate(model.statements)
        if not (number < len(model.problem.rules) and _counts(statement))
    ]
    for hardest, selection in ((0, easy), (1, model.statements)):
        rounds = _rounds(model, selection, goal, meter)
        if rounds is not None:
            few = rounds <= FEW
            return Grade(hardest + (1 if few else 2), HARDEST[hardest], rounds)
    rounds = _rounds_of_suppositions(Bounds(model), goal, meter)
    if rounds is not None:
        return Grade(4, HARDEST[2], rounds)
    return Grade(5, HARDEST[3], 0)


def _goal(model: Model, answers: Sequence[Fact]) -> int:
    """Return the values that must be excluded for the answers to be found."""
    goal = 0
    for fact in answers:
        if not isinstance(fact, Fact):
            raise BadInput(f"an answer is a fact, not {fact!r}")
        i, mask = model.literal(fact)
        goal |= (model.domains[i] & ~mask) << (i * model.stride)
    return goal


def _counts(statement: Statement) -> bool:
    """Return whether a constraint counts more than one place."""
    form = statement.form
    return isinstance(form, CompiledSum) or (isinstance(form, CompiledCount) and form.high > 1)


def _rounds(model: Model, selection: Sequence[Statement], goal: int, meter: Meter) -> int | None:
    """Return how many rounds of single constraints exclude the values of the goal, or ``None``."""
    singles = [Bounds(model, [s]) for s in selection if s.form is not None]
    possible = model.facts_only(selection)
    rounds = 0
    while possible & goal:
        rounds += 1
        before = possible
        for single in singles:
            left = single.narrow(before)
            if left == IMPOSSIBLE:
                return rounds
            possible &= left
        meter.spend(sum(single.work for single in singles))
        for single in singles:
            single.work = 0
        if possible == before:
            return None
    return rounds


def _rounds_of_suppositions(bounds: Bounds, goal: int, meter: Meter) -> int | None:
    """Return how many rounds of suppositions exclude the values of the goal, or ``None``."""
    model = bounds.model
    possible = bounds.narrow(bounds.start)
    rounds = 0
    while possible & goal:
        rounds += 1
        refuted = 0
        for bit, supposed in open_bits(model, possible):
            if bounds.narrow(supposed) == IMPOSSIBLE:
                refuted |= bit
        meter.spend(bounds.work)
        bounds.work = 0
        if not refuted:
            return None
        possible = bounds.narrow(possible & ~refuted)
    return rounds


TRIES = 400
"""How many deals are tried by default."""

RECORDS = 12
"""How many logs of one deal are joined until there is only one answer."""

BUDGET = Budget(steps=1_500_000)
"""What one question about a candidate may spend."""


@frozen(slots=False)
class Puzzle(Displayed):
    """A log with exactly one answer to each question, from which no event can be dropped.

    Parameters
    ----------
    knowledge
        The game and the log.
    answers
        The answers, one fact for each question.
    grade
        How hard it is.
    seed
        What repeats it.
    """

    knowledge: Knowledge
    answers: tuple[Fact, ...]
    grade: Grade
    seed: int

    @property
    def log(self) -> Log:
        """The set-up and the events."""
        return Log(self.knowledge.game, self.knowledge.log)

    @property
    def text(self) -> str:
        """The log as text, which ``deduce.read`` reads."""
        return write(self.knowledge)

    @cached_property
    def proof(self) -> Proof:
        """The steps that lead to the answers."""
        found = steps(self.knowledge.using(budget=Budget()), claims=self.answers)
        return found.needed_for(self.answers)


def setups_of(game: object) -> Callable[[Random], object]:
    """Return a function that chooses set-ups for puzzles.

    Parameters
    ----------
    game
        A set-up, which is then always chosen, or a class of games with ``puzzle_setup``, or one
        that can be made without arguments.

    Raises
    ------
    Unsupported
        The class cannot make a set-up on its own, or its games cannot be dealt and recorded.
    """
    if isinstance(game, type):
        choose = hook(game, Simulated.puzzle_setup)
        if choose is None and hasattr(game, Simulated.puzzle_setup.__name__):  # it is None
            raise Unsupported(f"a random log of {game.__name__} hardly ever settles everything")
        if choose is None:
            try:
                setup = game()
            except TypeError:
                raise Unsupported(
                    f"{game.__name__} needs a set-up for puzzles; give a log with one (--like LOG)"
                ) from None
            return setups_of(setup)
        checked = game
    else:
        choose, checked = (lambda random: game), type(game)
    for member in (Simulated.deal, Simulated.record):
        if hook(checked, member) is None:
            needed = f"needs a method {member.__name__!r}"
            raise Unsupported(f"to make puzzles, {checked.__name__} {needed}")
    return choose


def make_puzzle(
    game: object,
    *,
    seed: int,
    grade: int | None = None,
    tries: int = TRIES,
    progress: Callable[[int], None] = lambda tried: None,
) -> Puzzle:
    """Return a puzzle of a grade, or of any.

    Parameters
    ----------
    game
        A set-up or a class of games; see `setups_of`.
    seed
        The same seed gives the same puzzle.
    grade
        From 1 (easy) to 5; left out, the first puzzle that is found.
    tries
        How many deals are tried.
    progress
        Is called after each deal with the number of deals tried.

    Raises
    ------
    BadInput
        There is no such grade, or a number is out of its range.
    Unsupported
        The game cannot be dealt and recorded, or none of the deals made a puzzle of this grade.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> puzzle = make_puzzle(Cluedo, seed=1, grade=2)
    >>> puzzle.grade.level, [str(fact) for fact in puzzle.answers]
    (2, ['Reverend Green is envelope', 'Candlestick is envelope', 'Hall is envelope'])

    Notes
    -----
    Cost: about 50 ms for each deal of Cluedo.
    """
    if grade is not None and grade not in GRADES:
        raise BadInput(f"a grade is a number from 1 to 5, not {grade!r}")
    if type(seed) is not int or type(tries) is not int or tries < 1:
        raise BadInput("the seed is a whole number, and at least one deal must be tried")
    choose = setups_of(game)
    made = 0
    for number in range(tries):
        random = Random(f"{seed} {number}")
        puzzle = _puzzle(choose(random), random, seed)
        progress(number + 1)
        if puzzle is not None:
            made += 1
            if grade is None or puzzle.grade.level == grade:
                return puzzle
    raise Unsupported(
        f"none of {plural(tries, 'deal')} made a puzzle{f' of grade {grade}' * bool(grade)}"
        f"{f'; {made} were of other grades' * bool(made)}: try another seed or more deals (--tries)"
    )


def _puzzle(setup: Any, random: Random, seed: int) -> Puzzle | None:
    """Return the puzzle that one deal makes, or ``None`` if the events state the answers."""
    world = setup.deal(random)
    knowledge = Knowledge(setup, budget=BUDGET)
    try:
        for log in _logs(setup, world, random):
            knowledge = knowledge.tell(*log[len(knowledge.log) :])
            answers = answers_of(knowledge, world)
            if all(map(knowledge.is_certain, answers)):
                kept = minimal_log(knowledge, answers, random)
                puzzle = Knowledge(setup, kept, budget=BUDGET)
                found = grade(puzzle, answers)
                is_stated = found.level == 1 and not found.rounds
                if is_stated and all(len(puzzle.why(each).events) < 2 for each in answers):
                    return None
                return Puzzle(puzzle, answers, found, seed)
    except Undecided:
        return None
    return None


def _logs(setup: Any, world: World, random: Random) -> Iterator[list[object]]:
    """Yield longer and longer logs of a deal, as long as they can be joined."""
    log: list[object] = []
    for number in range(RECORDS):
        log = log + [event for event in setup.record(world, random) if event not in log]
        if number:
            try:
                problem = Knowledge(setup, log).problem
                if not (problem.domains.keys() <= world.keys() and problem.holds(world)):
                    return  # also if more happens in the log than was dealt
            except (BadInput, BadProblem):
                return
        yield log


def answers_of(knowledge: Knowledge, world: World) -> tuple[Fact, ...]:
    """Return the answers that a world gives to the questions of the game, as facts.

    Without questions of the game, every variable is asked about.
    """
    questions = hook(knowledge.game, Shown.questions)
    asked = knowledge.game.variables() if questions is None else questions()
    choices = [facts for question in asked for facts in choices_of(knowledge, question)]
    return tuple(fact for facts in choices for fact in facts if is_true(fact, world))


def choices_of(knowledge: Knowledge, question: Any) -> list[Sequence[Fact]]:
    """Return the answers to a question of the game, each as facts of which at most one holds."""
    if not isinstance(question, Mapping):
        return [[is_(question, value)] for value in knowledge.problem.domains[question]]
    return [[facts] if isinstance(facts, Fact) else facts for facts in question.values()]


def minimal_log(knowledge: Knowledge, answers: Sequence[Fact], random: Random) -> list[object]:
    """Return the events that are left when none can be dropped without losing an answer.

    Parameters
    ----------
    knowledge
        A log from which the answers follow.
    answers
        The facts that must go on being certain.
    random
        The order in which events are dropped.

    Notes
    -----
    If what an event states depends on other events, as in games with turns, a log without some
    events may not be one at all; then only what follows the last event that is needed is dropped.
    """
    shorter = _Shorter(knowledge, answers)
    needed = shorter.needed_events(random)
    log = [event for number, event in enumerate(knowledge.log, start=1) if number in needed]
    return log if shorter.is_minimal(log) else shorter.one_by_one()


def minimal_clues(knowledge: Knowledge, answers: Sequence[Fact], random: Random) -> Problem:
    """Return a problem with the clues that are left when none can be dropped, numbered anew.

    Parameters
    ----------
    knowledge
        A problem from which the answers follow.
    answers
        The facts that must go on being certain.
    random
        The order in which clues are dropped.

    Raises
    ------
    Undecided
        The budget is used up.
    """
    needed = _Shorter(knowledge, answers).needed_events(random)
    left = [piece for piece in knowledge.problem.evidence if piece.event in needed]
    numbers = {event: n for n, event in enumerate(dict.fromkeys(p.event for p in left), start=1)}
    clues = [evolve(piece, event=numbers[piece.event]) for piece in left]
    return evolve(knowledge.problem, evidence=clues)


class _Shorter:
    """Decides which part of a log still gives the answers; no constraint is compiled twice.

    Parameters
    ----------
    knowledge
        The whole log.
    answers
        The facts that must go on being certain.
    """

    def __init__(self, knowledge: Knowledge, answers: Sequence[Fact]) -> None:
        self.knowledge = knowledge
        self.answers = answers
        problem, self.model = knowledge.problem, knowledge.asker.model
        self.asker = Asker(self.model, knowledge.engine, knowledge.budget)
        self.against = [self.model.compile(opposite(answer)) for answer in answers]
        self.compiled: dict[Constraint, Statement] = {}
        for constraint, statement in zip(problem.constraints(), self.model.statements, strict=True):
            with suppress(TypeError):  # a predicate that cannot be hashed
                self.compiled[constraint] = statement

    def needed_events(self, random: Random) -> set[int | None]:
        """Return events whose evidence gives the answers, which no fewer of them do."""
        of_event: dict[Hashable, list[Constraint]] = {}
        for piece in self.knowledge.problem.evidence:
            of_event.setdefault(piece.event, []).append(piece.constraint)

        def check(events: Sequence[Hashable]) -> World | None:
            return self.other(c for event in events for c in of_event[event])

        numbers = list(of_event)
        random.shuffle(numbers)
        if not numbers or check(()) is None:
            return set()
        needed = quickxplain(check, numbers)
        return {event for event in needed if event is None or isinstance(event, int)}

    def select(self, evidence: Iterable[Constraint]) -> list[Statement]:
        """Return the statements of the rules and of some evidence."""
        rules = self.model.statements[: len(self.knowledge.problem.rules)]
        return [*rules, *map(self.compile, evidence)]

    def compile(self, constraint: Constraint) -> Statement:
        """Return the statement of a constraint, which is compiled the first time."""
        try:
            if constraint not in self.compiled:
                self.compiled[constraint] = self.model.compile(constraint)
            return self.compiled[constraint]
        except TypeError:
            return self.model.compile(constraint)

    def other(self, evidence: Iterable[Constraint]) -> World | None:
        """Return a world of the evidence that gives another answer; ``None``: there is none."""
        chosen = self.select(evidence)
        for statement in self.against:
            world = self.asker.solve_selection([*chosen, statement]).value
            if world is not None:
                return world
        return None

    def gives(self, log: Sequence[object]) -> bool:
        """Return whether a log is one of the game and gives the answers."""
        shorter = Knowledge(self.knowledge.game, log, budget=self.knowledge.budget)
        try:
            problem = shorter.problem
            if problem.domains != self.knowledge.problem.domains:
                return shorter.is_consistent() and all(map(shorter.is_certain, self.answers))
        except (BadInput, BadProblem):
            return False
        evidence = [piece.constraint for piece in problem.evidence]
        return (
            self.asker.solve_selection(self.select(evidence)).value is not None
            and self.other(evidence) is None
        )

    def is_minimal(self, log: Sequence[object]) -> bool:
        """Return whether a log gives the answers, and loses one without any of its events."""
        if not self.gives(log):
            return False
        return not any(self.gives([*log[:i], *log[i + 1 :]]) for i in range(len(log)))

    def one_by_one(self) -> list[object]:
        """Return a log from which no single event can be dropped, by trying to drop each."""
        log = list(self.knowledge.log)
        index = len(log) - 1
        while index >= 0:
            shorter = [*log[:index], *log[index + 1 :]]
            if self.gives(shorter):
                log = shorter
                index = len(log)
            index -= 1
        return log
