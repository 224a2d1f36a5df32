"""Random play of a hidden game, and everything that is inferred from its logs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from random import Random
from types import MappingProxyType
from typing import Any, NoReturn

from attrs import frozen

from deduce.budget import Budget
from deduce.constraints import Fact, Number, Value, Variable, is_, opposite
from deduce.engines.choose import ENGINES, engine
from deduce.errors import BadInput, Undecided, Unsupported
from deduce.game import (
    RECORD,
    Questions,
    Rated,
    Recorded,
    Said,
    SeenInParts,
    Simulated,
    Viewer,
    Written,
    hook,
)
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log, write_log, write_text
from deduce.policy.inquiries import (
    Inquiry,
    answers_to,
    can_ask,
    ends,
    event_of,
    format_answer,
    format_inquiry,
    inquiries_of,
    reads_of,
    variables_read,
)
from deduce.problem import Evidence, Problem, Rule, World, is_true
from deduce.reasoning.explain import Why
from deduce.reasoning.queries import Asker
from deduce.reasoning.viewpoint import game_of
from deduce.testing.frequencies import (
    ConformanceError,
    check_calibration,
    check_chances,
    how_to_repeat,
)
from deduce.testing.independent import (
    check_independently,
    check_kinds_of_events,
    viewer_name,
)

__all__ = ["Checked", "check_asking", "check_hidden_game", "engine_fault", "format_fault"]

Possible = Mapping[Variable, frozenset[Value]]


@frozen
class Checked:
    """How much a check has looked at.

    ``views`` are pairs of a viewer and the beginning of a log; ``undecided`` is the number of
    questions that the budget was too small for, so that nothing was compared, and ``left_out``
    says which they are, and why each was undecided.
    """

    deals: int
    views: int
    undecided: int
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.deals} deals, {self.views} views, {self.undecided} questions undecided"]
        return "\n  ".join([*lines, *self.left_out])


def check_hidden_game(
    game: Any,
    *,
    deals: int = 5,
    seed: int = 0,
    worlds: int = 300,
    steps: int = 100_000,
    draws: int = 2_000,
    calibration: int = 50,
) -> Checked:
    """Return what was looked at, or raise the first broken promise that random play shows.

    For each deal a log is recorded; then, after every event and for the bystander, every player
    and the reader of the record:

    * everything that is stated is true of the deal, which is a world, is possible, and has a share;
    * nothing becomes possible again after a further event; what the bystander knows every player
      knows, and what a player knows is in the record.

    After the last event of each log:

    * the log comes back equal from JSON lines and from the game's own notation;
    * all installed engines that can answer agree within their small budget; counted and listed
      worlds are as many; what is drawn is a world;
    * explanations prove what they claim, and none of their events can be left out;
    * sentences name the players whom they concern;
    * questions that can be asked (``inquiries``) are answered by the world alone, with
      probabilities that sum to 1, and by the variables of their ``scope``; ``answer_table`` is the
      same; the ``event_of`` an answer leaves exactly the worlds in which it is one.

    A game can state independently of its evidence what is seen, and is then checked against it, log
    by log and event by event (see `deduce.testing.independent`):

    * ``seen(log, viewer)``: logs that look equal to a viewer are equal evidence;
    * ``likelihood(world, log, viewer)``: exactly the worlds in which this could be seen are
      possible, with weights in proportion;
    * ``actor(event, evidence)``: the sentence begins with the player who acted;
    * ``calibrated = True``: in simulated games, probabilities are the frequencies of the truth.

    At the end, many deals are compared with the posterior before any event: if some worlds are
    dealt more often than others, the game must state so by weights (see `deduce.problem.copies`).
    The comparison is Pearson's chi-square test of single variables and of some pairs; an honest
    game fails it about once in a million runs.

    Parameters
    ----------
    game
        A set-up of a `deduce.game.HiddenGame` with the optional ``deal(random)`` and
        ``record(world, random)``; ``players``, ``events``, ``check`` and the text forms are
        checked where they are there.
    deals
        How many deals.
    seed
        The first deal's seed; deal ``i`` has ``seed + i``.
    worlds
        Worlds are listed, and the slow engines are asked, only up to this number.
    steps
        The budget of each query; what is not decided within it is left unchecked, and counted.
    draws
        How many deals are compared with the posterior; 0 leaves this check out.
    calibration
        How many simulated games are compared with the posterior, if the game is ``calibrated``.

    Raises
    ------
    ConformanceError
        With what is broken, the viewer, the number of events and the seed.
    Unsupported
        The game lacks ``deal`` or ``record``.
    """
    for member in (Simulated.deal, Simulated.record):
        if hook(game_of(game), member) is None:
            needed = f"needs a method {member.__name__!r}"
            raise Unsupported(f"to be checked, {type(game).__name__} {needed}")
    views = 0
    left_out: list[str] = []
    for number in range(seed, seed + deals):
        try:
            deal = _Deal(game, number, worlds, steps)
            deal.check()
        except ConformanceError:
            raise
        except Exception as error:
            error.add_note(f"in {how_to_repeat(game, number)}")
            raise
        views += len(deal.viewers) * (len(deal.log) + 1)
        left_out += deal.left_out
    left_out += ["the posterior before any event"] * check_chances(game, draws, seed, steps)
    viewers: list[Viewer] = [None, *hook(game, SeenInParts.players, ()), RECORD]
    if deals:
        check_kinds_of_events(game, viewers, seed=seed, steps=steps)
    check_calibration(game, viewers, games=calibration, seed=seed)
    return Checked(deals, views, len(left_out), tuple(left_out))


class _Deal:
    """One deal, its log, and the checks."""

    def __init__(self, game: Any, seed: int, worlds: int, steps: int) -> None:
        self.game = game
        self.seed = seed
        self.most_worlds = worlds
        self.budget = Budget(steps)
        self.random = Random(seed)
        self.left_out: list[str] = []
        self.where = "in the deal"
        self.world: World = game.deal(self.random)
        self.log: Sequence[object] = list(game.record(self.world, self.random))
        self.viewers: list[Viewer] = [None, *hook(game, SeenInParts.players, ()), RECORD]

    def check(self) -> None:
        self.check_deal()
        check_independently(
            self.game,
            self.log,
            self.world,
            self.viewers,
            seed=self.seed,
            worlds=self.most_worlds,
            steps=self.budget.steps or 100_000,
        )
        before: dict[Viewer, Possible] = {}
        known = {viewer: self.knowledge(viewer, 0) for viewer in self.viewers}
        for number in range(len(self.log) + 1):
            now: dict[Viewer, Possible] = {}
            for viewer in self.viewers:
                self.place(viewer, number)
                if number:  # it grows, so that predicates are tabulated once
                    known[viewer] = known[viewer].tell(self.log[number - 1])
                now[viewer] = self.check_truth(known[viewer])
                earlier = before.get(viewer, {})
                self.expect_inside(now[viewer], earlier, "becomes possible again")
                self.expect_inside(now[viewer], now[None], "is excluded by what the bystander sees")
            for viewer in self.viewers:
                self.place(viewer, number)
                self.expect_inside(now[RECORD], now[viewer], "is excluded, but not by the record")
            before = now
        self.where = f"in the log of {len(self.log)} events"
        self.check_formats()
        viewer = self.random.choice(self.viewers)
        self.place(viewer, len(self.log))
        knowledge = self.knowledge(viewer, len(self.log))
        self.check_engines(knowledge)
        with self.budgeted("explanations"):
            self.check_explanations(knowledge)
        for viewer in self.viewers:
            self.place(viewer, len(self.log))
            knowledge = self.knowledge(viewer, len(self.log))
            with self.budgeted("questions that can be asked"):
                check_asking(knowledge, self.truth(knowledge), self.seed, self.expect)

    def knowledge(self, viewer: Viewer, number: int) -> Knowledge:
        return Knowledge(self.game, self.log[:number], viewer=viewer, budget=self.budget)

    @contextmanager
    def budgeted(self, what: str) -> Iterator[None]:
        """Leave out the rest of the block when the budget runs out, and note what that is."""
        try:
            yield
        except Undecided as error:
            self.left_out.append(f"{what} {self.where} (seed {self.seed}): {error}")

    def place(self, viewer: Viewer, number: int) -> None:
        self.where = f"for {viewer_name(viewer)} after {number} of {len(self.log)} events"

    def fail(self, what: str) -> NoReturn:
        raise ConformanceError(
            f"{what}\n  {self.where}\n  again: {how_to_repeat(self.game, self.seed)}"
        )

    def expect(self, holds: object, what: str) -> None:
        if not holds:
            self.fail(what)

    def expect_inside(self, small: Possible, large: Possible, what: str) -> None:
        """Expect no more values in ``small``; where one of them is empty nothing is known."""
        for variable, values in small.items():
            extra = values - large.get(variable, values)
            if extra:
                self.fail(f"{variable} is {min(map(str, extra))}: {what}")

    # The deal, and what is stated about it

    def check_deal(self) -> None:
        rules = Problem(self.game.variables(), tuple(self.game.rules()))
        say, check = hook(self.game, Said.say), hook(self.game, Recorded.check)
        for variable, domain in rules.domains.items():
            value = self.world.get(variable, "missing")
            self.expect(value in domain, f"deal() gives {variable} the value {value!r}")
            if say is not None and len(domain) > 1:
                fact = is_(variable, value)
                said = say(fact)
                self.expect(
                    said != say(opposite(fact)),
                    f"say() has {said!r} for the opposite too",
                )
        self.expect_true(rules)
        for event in self.log:
            try:
                if check is not None:
                    check(event)
            except BadInput as error:
                self.fail(f"check() refuses {event!r} of the game's own record(): {error}")

    def expect_true(self, problem: Problem) -> None:
        """Expect that every rule and all evidence is true of the deal."""
        pieces: list[Rule | Evidence] = [*problem.rules, *problem.evidence]
        for piece in pieces:
            alone = Problem(problem.domains, [piece.constraint])
            self.expect(alone.holds(self.world), f"not true of the deal: {piece}")

    def truth(self, knowledge: Knowledge) -> World:
        """Return the part of the deal that has come into play: the pile has not been drawn yet."""
        variables = knowledge.problem.domains
        for variable in variables:
            self.expect(
                variable in self.world, f"{variable} was drawn, but deal() does not know it"
            )
        return {variable: self.world[variable] for variable in variables}

    def check_truth(self, knowledge: Knowledge) -> Possible:
        truth = self.truth(knowledge)
        for piece in knowledge.problem.evidence:
            numbered = piece.event is None or 1 <= piece.event <= len(knowledge.log)
            self.expect(numbered, f"evidence of an event {piece.event} that is not in the log")
        self.expect_true(knowledge.problem)
        possible: Possible = {}
        with self.budgeted("whether a world is possible"):
            self.expect(knowledge.is_consistent(), "a true log is called a contradiction")
        with self.budgeted("the posterior"):  # first: it has what is possible, too
            posterior = knowledge.posterior()
            for variable, value in truth.items():
                share = posterior[variable].get(value, 0)
                self.expect(share > 0, f"{variable}={value} has the posterior {share}")
        with self.budgeted("the possible values"):
            possible = knowledge.possible()
            for variable, value in truth.items():
                self.expect(value in possible[variable], f"{variable}={value} is called impossible")
            for variable, value in knowledge.certain().items():
                self.expect(self.world[variable] == value, f"{variable}={value} is called certain")
        return possible

    # Text and JSON

    def check_formats(self) -> None:
        fault = format_fault(self.game, self.log)
        self.expect(not fault, fault)

    # Engines

    def check_engines(self, knowledge: Knowledge) -> None:
        """Expect that all engines agree with each other and with the list of all worlds."""
        known: dict[str, object] = {}
        few, total = False, 0
        with self.budgeted("the number of worlds"):
            total = knowledge.count()
            few = total <= self.most_worlds
            for world in knowledge.sample(3, seed=self.seed):
                self.expect(knowledge.problem.holds(world), f"not a world, but drawn: {world}")
        with self.budgeted("the list of worlds"):
            if few:
                known["possible"] = self.check_list(knowledge, total)
        fault = engine_fault(knowledge, few, self.budgeted, known)
        self.expect(not fault, fault)

    def check_list(self, knowledge: Knowledge, total: int) -> Possible:
        listed = list(knowledge.worlds())
        self.expect(len(listed) == total, f"{total} worlds counted, {len(listed)} listed")
        truth = self.truth(knowledge)
        self.expect(truth in listed, "the deal is not in the list of worlds")
        for world in listed:
            self.expect(knowledge.problem.holds(world), f"not a world, but listed: {world}")
        return {variable: frozenset(world[variable] for world in listed) for variable in truth}

    # Explanations

    def check_explanations(self, knowledge: Knowledge) -> None:
        variable = self.random.choice(list(knowledge.problem.domains))
        for claim in (
            is_(variable, self.world[variable]),
            is_(variable, self.random.choice(knowledge.problem.domains[variable])),
            *_surprising(knowledge, self.random),
        ):
            why = knowledge.why(claim)
            self.check_why(knowledge, claim, why)
            if why.verdict == "certain":
                self.check_contradiction(knowledge.assume(opposite(claim)))

    def check_why(self, knowledge: Knowledge, claim: Fact, why: Why) -> None:
        sign = {"certain": claim, "impossible": opposite(claim)}.get(why.verdict)
        if sign is None:
            for world, truth in ((why.holds, True), (why.fails, False)):
                self.expect(
                    world is not None
                    and knowledge.problem.holds(world)
                    and Problem(knowledge.problem.domains, [claim]).holds(world) is truth,
                    f"{claim}: called open, but {world} does not show it",
                )
            return
        proved = self.only(knowledge.problem, why.events).is_certain(sign)
        self.expect(proved, f"{sign}: not proved by the events {why.events}")
        for event in why.events:
            rest = [other for other in why.events if other != event]
            proved = self.only(knowledge.problem, rest).is_certain(sign)
            self.expect(not proved, f"{sign}: proved without event {event} of {why.events}")

    def only(self, problem: Problem, events: Collection[int]) -> Knowledge:
        others = {piece.event for piece in problem.evidence} - set(events)
        return Knowledge(problem.without(others), budget=self.budget)

    def check_contradiction(self, knowledge: Knowledge) -> None:
        why = knowledge.contradiction()
        for event in range(1, len(self.log) + 1):
            without = knowledge.problem.without([event])
            repaired = Knowledge(without, budget=self.budget).is_consistent()
            self.expect(
                repaired == (event in why.repairs),
                f"{why}\n  but without event {event} it is {'' if repaired else 'not '}consistent",
            )


def _surprising(knowledge: Knowledge, random: Random) -> Iterator[Fact]:
    """Yield a certain fact whose proof needs events, if there is one."""
    at_first = knowledge.upto(0).possible()
    proved = [v for v in knowledge.certain() if len(at_first.get(v, ())) != 1]
    if proved:
        variable = random.choice(proved)
        yield is_(variable, knowledge.certain()[variable])


def format_fault(game: Any, events: Sequence[Any]) -> str:
    """Return what is wrong with a log that is written and read back, or an empty string."""
    if hook(game, Written.events, None) is None:
        return ""
    texts = {"JSON lines": write_log(game, events)}
    with suppress(Unsupported):
        texts["the text notation"] = write_text(game, events)
    for form, text in texts.items():
        try:
            log = read_log(text, type(game))
        except BadInput as error:
            return f"{form} cannot be read back: {error}\n{text}"
        if log.game != game:
            return f"the set-up comes back from {form} as {log.game!r}"
        for number, (event, again) in enumerate(zip(events, log.events, strict=False), start=1):
            if event != again:
                return f"event {number}, {event!r}, comes back from {form} as {again!r}"
        if len(log.events) != len(events):
            return f"{len(events)} events come back from {form} as {len(log.events)}"
    return ""


def engine_fault(
    knowledge: Knowledge,
    few: bool,  # noqa: FBT001
    within: Callable[[str], AbstractContextManager[None]],
    known: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Return what two engines disagree about, or an empty string.

    Parameters
    ----------
    knowledge
        What all installed engines that can answer are asked about.
    few
        Whether there are so few worlds that they can be listed.
    within
        Returns what an engine is asked in, which suppresses `Undecided`.
    known
        Answers that are right, by query.
    """
    found = {query: {"the list of worlds": right} for query, right in known.items()}
    for name in ENGINES:
        with suppress(Unsupported):
            tool, asker = engine(name), knowledge.using(engine=name).asker
            for query, ask in _QUERIES.items():
                # Without a count by dynamic programming, an engine lists all worlds to count them.
                lists = name == "reference" or (name != "counting" and query == "tally")
                if (few or not lists) and tool.supports(asker.model, query):
                    with within(f"{query} by {name}"):
                        found.setdefault(query, {})[name] = ask(asker)
    for query, answers in found.items():
        (first, right), *others = answers.items()
        for name, answer in others:
            if answer != right:
                return f"{query}: {first} answers {right}, {name} answers {answer}"
    return ""


_QUERIES: Mapping[str, Callable[[Asker], object]] = {
    "solve": lambda asker: asker.is_consistent().value,
    "possible": lambda asker: dict(asker.possible().value),
    "tally": lambda asker: asker.tally(weighted=True).value,
}
"""What every engine is asked, by the name that `Engine.supports` knows it by."""


MAX_ASKED = 4
"""How many questions of each viewer are looked at."""

WORLDS = 6
"""In how many other worlds they are answered."""

Expect = Callable[[object, str], None]


def check_asking(knowledge: Knowledge, world: World, seed: int, expect: Expect) -> None:
    """Expect that questions are answered by the world, and that asking is an event that fits.

    Parameters
    ----------
    knowledge
        What a viewer knows; a viewer who cannot ask is left out.
    world
        The deal.
    seed
        Chooses the questions and the other worlds.
    expect
        Is called with each expectation and what is wrong if it does not hold.

    Raises
    ------
    Undecided
        The budget ran out.
    """
    game: Any = knowledge.game
    if not can_ask(game):
        return
    try:
        asked = inquiries_of(knowledge)
    except BadInput as error:
        expect("cannot" in error.message, f"inquiries(): {error}")
        return
    random = Random(seed)
    others = knowledge.sample(WORLDS, seed=seed)
    for inquiry in random.sample(asked, min(MAX_ASKED, len(asked))):
        name = f"the question {format_inquiry(game, inquiry)!r}"
        try:
            given = answers_to(game, inquiry, world)
        except BadInput as error:
            expect(not error, f"answer(): {error}")
            return
        same = dict(given) == dict(answers_to(game, inquiry, dict(world)))
        expect(same, f"{name} is answered differently in the same world")
        for answer, _ in given:
            expect(format_answer(game, inquiry, answer), f"an answer to {name} has no text")
        _check_scope(game, inquiry, world, others, name, expect)
        _check_table(game, inquiry, [world, *others], name, expect)
        _check_facts(game, inquiry, [world, *others], name, expect)
        if hook(game, Questions.event_of):
            answer = random.choice(given)[0]
            if not ends(game, inquiry, answer):
                _check_event(knowledge, inquiry, answer, [world, *others], name, expect)


def _check_scope(
    game: Any, inquiry: Inquiry, world: World, others: Sequence[World], name: str, expect: Expect
) -> None:
    """Expect that the answer depends on nothing but the variables of the scope."""
    reads = reads_of(game, inquiry)
    if reads is None:
        return
    scope = variables_read(reads)
    missing = [variable for variable in scope if variable not in world]
    expect(not missing, f"the scope of {name} names variables that do not exist: {missing}")
    given = dict(answers_to(game, inquiry, world))
    counted = [[fact for fact, _ in each.terms] for each in reads if isinstance(each, Number)]
    for other in others:
        mixed = {**other, **{variable: world[variable] for variable in scope}}
        same = dict(answers_to(game, inquiry, mixed)) == given
        expect(same, f"the answer to {name} depends on more than its scope")
        for facts in counted:
            if sum(is_true(f, other) for f in facts) == sum(is_true(f, world) for f in facts):
                mixed |= {fact.variable: other[fact.variable] for fact in facts}
        same = dict(answers_to(game, inquiry, mixed)) == given
        expect(same, f"the answer to {name} depends on more than how many of its facts hold")


def _check_table(
    game: object, inquiry: Inquiry, worlds: Sequence[World], name: str, expect: Expect
) -> None:
    """Expect that the table of answers has the single answers."""
    table = hook(game, Rated.answer_table)
    if table is None:
        return
    independent, joined = hook(game, Rated.independent), hook(game, Rated.joined)
    if independent is not None and joined is not None:
        for world in worlds:
            alone = [{v: world[v] for v in group} for group in independent()]
            tables: list[Any] = [table((inquiry,), [part]) for part in alone]
            answer = joined([answers[codes[0][0]] for answers, codes in tables])
            same = answers_to(game, inquiry, world)[0][0] == answer
            expect(same, f"the answers of independent groups and answer() differ on {name}")
    answers, codes = table((inquiry,), worlds)
    for world, code in zip(worlds, codes[0], strict=True):
        same = answers_to(game, inquiry, world)[0][0] == answers[code]
        expect(same, f"answer_table() and answer() differ on {name}")


def _check_facts(
    game: object, inquiry: Inquiry, worlds: Sequence[World], name: str, expect: Expect
) -> None:
    """Expect that exactly one fact of the answer holds, and none of any other answer."""
    facts_of = hook(game, Rated.answer_facts)
    if facts_of is None:
        return
    for world in worlds:
        rest, given = [], []
        for answer, facts in facts_of(inquiry).items():
            if facts is None:
                rest.append(answer)
            else:
                given += [answer] * sum(is_true(fact, world) for fact in facts)
        said = answers_to(game, inquiry, world)
        right = len(said) == 1 and (given or rest) == [said[0][0]]
        expect(right, f"answer_facts() and answer() differ on {name}")


def _check_event(
    knowledge: Knowledge,
    inquiry: Inquiry,
    answer: object,
    worlds: Sequence[World],
    name: str,
    expect: Expect,
) -> None:
    """Expect that the event of an answer leaves exactly the worlds with this answer."""
    game: Any = knowledge.game
    after = knowledge.tell(event_of(game, inquiry, answer))
    text = format_answer(game, inquiry, answer)
    for world in worlds:
        fits = answer in dict(answers_to(game, inquiry, world))
        expect(
            after.problem.holds(world) == fits,
            f"the event of {name}, answered {text!r}, {'excludes' if fits else 'allows'} a world "
            f"in which it {'can' if fits else 'cannot'} be the answer",
        )
