"""Laws of what rests on the answers: advice, plans, proofs, slips, and estimates by draws."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations
from math import inf, log, log2
from operator import and_
from random import Random
from typing import Any
from unittest.mock import patch

from attrs import frozen

from deduce.constraints import Fact, Number, Variable, is_
from deduce.errors import Contradiction
from deduce.estimates import Estimate
from deduce.knowledge import Knowledge
from deduce.logic import number_of
from deduce.policy.advice import RANKINGS, TIE, UNKNOWN, RatedInquiry
from deduce.policy.ahead import two_turns
from deduce.policy.best import NoPlan, best_plan
from deduce.policy.plan import OBJECTIVES
from deduce.problem import Problem, World, is_true
from deduce.reasoning.estimating import Estimates
from deduce.reasoning.viewpoint import BareGame
from deduce.testing import enumeration
from deduce.testing.frequencies import surprise
from deduce.testing.problems import claim_about, names_of

__all__ = ["ERROR", "Ask", "advice", "estimates", "plans", "proofs", "two_ahead", "unless"]

SAMPLES = 4000
"""Draws for estimated advice: ten for each solution, and more."""

ERROR = Fraction(1, 10**5)
"""How far probabilities that rest on doubts may be from the exact ones."""

DRAWS = 1000
"""How many draws the other estimates rest on, and a quarter of it at least."""

SURPRISE = 26.0
"""The greatest `surprise` of an estimate: an honest one exceeds it once in 10^11 times, and fewer
than 10^5 are looked at in an hour of ``deduce soak``."""

MAX_EVENTS = 10
"""Of up to this number of events all sets are tried for a shorter proof."""

UNLIMITED = -1
"""Any number of questions may be asked."""

PUZZLES = 10
"""How many plans are made in one look at the law, since most take a few milliseconds."""

MAX_ANSWERS = 6
"""Questions that are followed by others have up to this number of answers."""

Ask = Callable[..., Knowledge]
"""Makes the knowledge of a problem, with the engine that is looked at."""

Table = dict[Any, Fraction]
"""Weights of answers, of solutions, or of pairs of both."""


# Proofs


def proofs(problem: Problem, asked: Ask, random: Random) -> str:
    """The events of a proof suffice, none can be left out, and there are as few as it says."""
    worlds = enumeration.listed(Problem(problem.domains, problem.rules))
    everything = (1 << len(worlds)) - 1
    masks: dict[int | None, int] = {}
    for piece in problem.evidence:
        if piece.doubt is None and getattr(piece.constraint, "excludes", True):
            mask = enumeration.satisfying(problem, worlds, piece.constraint)
            masks[piece.event] = masks.get(piece.event, everything) & mask

    def left(events: Sequence[int | None]) -> int:
        return reduce(and_, (masks[event] for event in events), everything)

    knowledge, claim = asked(problem), claim_about(problem, random)
    if not left([*masks]):
        why, against = knowledge.contradiction(), everything
        repairs = {event for event in masks if left([e for e in masks if e != event])}
        if repairs != set(why.repairs):
            return f"leaving out one of {repairs} resolves it, not one of {why.repairs}"
    else:
        why = knowledge.why(claim)
        against = enumeration.satisfying(problem, worlds, claim)
        if why.verdict == "certain":
            against ^= everything
        elif why.verdict != "impossible":
            return ""
    named = why.events
    if left(named) & against:
        return f"{claim}: {why.verdict}, but the events {named} do not prove it"
    for event in named:
        if not left([e for e in named if e != event]) & against:
            return f"{claim}: {why.verdict}, event {event} of {named} can be left out"
    if why.smallest and len(masks) <= MAX_EVENTS:
        for fewer in combinations(masks, max(len(named) - 1, 0)):
            if not left(fewer) & against and named:
                return f"{claim}: {why.verdict} by {named}, {fewer} are fewer"
    return ""


def unless(problem: Problem, asked: Ask, random: Random) -> str:
    """What is certain although answers may be wrong is so in all worlds with so few wrong ones."""
    worlds, slips = enumeration.listed(problem), random.randint(0, 2)
    doubted = [piece for piece in problem.evidence if piece.doubt is not None]
    masks = [(p.event, enumeration.satisfying(problem, worlds, p.constraint)) for p in doubted]
    wrong = [
        {event or 0 for event, mask in masks if not mask >> place & 1}
        for place in range(len(worlds))
    ]
    least = min(map(len, wrong), default=slips + 1)
    expected = {}
    for name in problem.domains if least <= slips else ():
        values: dict[object, int] = {}  # how few answers are wrong where it is so
        for world, events in zip(worlds, wrong, strict=True):
            values[world[name]] = min(len(events), values.get(world[name], len(events)))
        value, *others = sorted(values, key=values.__getitem__)
        most = min([values[other] - 1 for other in others] + [slips])
        if most >= least:
            broken = [events for world, events in zip(worlds, wrong, strict=True)
                      if world[name] != value and len(events) == most + 1]  # fmt: skip
            rests_on = sorted(set().union(*broken)) if most < slips else []
            expected[name] = value, most, rests_on
    try:
        told = asked(problem).certain_unless(slips)
    except Contradiction:
        told = ()
    found = {u.variable: (u.value, u.slips, [*u.events]) for u in told}
    return "" if found == expected else f"unless {slips}: {expected} is right, {found} is answered"


def estimates(problem: Problem, asked: Ask, random: Random) -> str:
    """What drawn worlds show is near the exact numbers; what is called exact is equal to them."""
    worlds, weighted = enumeration.listed(problem), random.random() < 0.7
    weights = enumeration.weights(problem, worlds, weighted=weighted)
    total, arrays = sum(weights), random.random() < 0.7
    with patch("deduce.engines.count.sampling.has_arrays", lambda: arrays):
        drawn = Estimates(asked(problem).asker, weighted=weighted, seed=random.randrange(100))
        if drawn.drawn(DRAWS).draws < DRAWS / 4 or not total:
            return ""
    given = drawn.shares()
    pairs: list[tuple[str, Fraction, Estimate | None]] = [
        (f"{name!r} is {value!r}", share / total, given[name].get(value))
        for name, row in enumeration.marginals(problem, worlds, weighted=weighted).items()
        for value, share in row.items()
    ]
    claim = claim_about(problem, random)
    mask = enumeration.satisfying(problem, worlds, claim)
    share = sum((weight for n, weight in enumerate(weights) if mask >> n & 1), Fraction(0)) / total
    pairs.append((str(claim), share, drawn.probability(claim)))
    for what, right, found in pairs:
        found = found or Estimate.proved(0)
        if surprise(found, right) > SURPRISE:
            return f"{what}: {right} is right, {found!r} is estimated"
    number = drawn.count()
    of_worlds = float(Fraction(number.value) / len(worlds))
    near = (SURPRISE**0.5 * number.error / float(number.value)) + SURPRISE / drawn.draws
    if not weighted and (
        number.value != len(worlds) if number.exact else abs(log(of_worlds)) > near
    ):
        return f"{len(worlds)} worlds is right, {number!r} are estimated"
    return ""


# Advice


@frozen(repr=False)
class _Quiz(BareGame):
    """A problem whose variables and numbers can be asked for, some answers given by chance."""

    read: tuple[Variable | Number, ...]
    targets: tuple[object, ...]
    unsure: frozenset[Variable | Number]

    def inquiries(self, log: Sequence[object], viewer: object) -> Sequence[Hashable]:
        return [(name,) for name in self.read]

    def answer(self, inquiry: tuple[Variable | Number], world: World) -> Any:
        (name,) = inquiry
        if isinstance(name, Number):
            return self.given(name, sum(is_true(fact, world) for fact, _ in name.terms))
        return self.given(name, world[name])

    def given(self, name: Variable | Number, value: Any) -> Any:
        """Return the answer to what is asked for if it has a value."""
        if name not in self.unsure:
            return repr(value)
        is_number = isinstance(name, Number)
        place = value if is_number else self.problem.domains[name].index(value)
        share = Fraction(1, 2 + place % 3)
        return {repr(value): share, "?": 1 - share}

    def questions(self) -> tuple[object, ...]:
        return self.targets


class _Scoped(_Quiz):
    """The same with what determines each answer, so that not all worlds need be listed."""

    def scope(self, inquiry: tuple[Variable | Number]) -> tuple[Variable | Number, ...]:
        return inquiry

    def alike(self, inquiry: tuple[Variable | Number], log: Sequence[object]) -> Hashable:
        (name,) = inquiry
        like = len(name.terms) if isinstance(name, Number) else repr(self.problem.domains[name])
        return name in self.unsure, like


class _Table(_Quiz):
    """The same with all answers as an array."""

    def answer_table(self, inquiries: Sequence[Any], worlds: Sequence[World]) -> object:
        import numpy

        rows = [[self.answer(inquiry, world) for world in worlds] for inquiry in inquiries]
        texts, codes = numpy.unique(rows, return_inverse=True)
        return texts.tolist(), codes.reshape(len(inquiries), -1)


def advice(problem: Problem, asked: Ask, random: Random) -> str:
    """Advice, in whichever way it is computed, is what joint distributions and worlds say."""
    names = list(problem.domains)
    read: tuple[Variable | Number, ...] = tuple(random.sample(names, min(len(names), 3)))
    if random.random() < 0.5:
        read += tuple({_number(problem, random) for _ in range(2)})
    targets: tuple[object, ...] = ()
    if random.random() < 0.6:
        targets = tuple(names_of(problem, random)[:2])
    choices = enumeration.choices(problem)
    if choices and random.random() < 0.6:
        targets = (random.choice(choices),)
    kind = random.choice([_Scoped, _Scoped, _Quiz, _Table])
    if kind is _Table:
        targets = ()
    unsure = frozenset(name for name in read if kind is not _Table and random.random() < 0.3)
    knowledge = asked(kind(problem, read, targets, unsure))
    samples = SAMPLES if random.random() < 0.3 else 0
    by = "information" if samples else random.choice(RANKINGS)
    with (
        patch("deduce.policy.advise.MAX_WORLDS", random.choice([0, 60_000])),
        patch("deduce.policy.advise.MAX_EXACT", random.choice([0, 2**53, 2**53])),
        patch("deduce.policy.listed.FEW_STEPS", random.choice([0, 400_000])),
    ):
        ranking = knowledge.advise(by=by, samples=samples, seed=random.randrange(100)).ranking
    for rated in ranking:
        fault = _gain_fault(knowledge, rated, samples) or _worlds_fault(knowledge, rated)
        if fault:
            return f"{rated.text}, ranked by {by} from {samples} samples, {fault}"
    return ""


def _number(problem: Problem, random: Random) -> Number:
    """Return a number of facts about different variables."""
    names = random.sample([*problem.domains], min(len(problem.domains), random.randint(1, 5)))
    rows = [(name, problem.domains[name]) for name in names]
    return number_of(
        [is_(name, *random.sample(row, random.randint(1, min(3, len(row))))) for name, row in rows]
    )


def _gain_fault(knowledge: Knowledge, rated: RatedInquiry, samples: int) -> str:
    """Return what is wrong with the information that a question gives."""
    game: Any = knowledge.game
    inquiry: Any = rated.inquiry
    rows = []
    for (value, *solution), share in knowledge.joint(*inquiry, *game.targets).items():
        given = game.given(inquiry[0], value)
        key = tuple(map(repr, solution if game.targets else [value]))
        for text, chance in (given if isinstance(given, dict) else {given: 1}).items():
            rows.append((text, key, share * chance))
    terms, pairs, answers = _information(rows)
    gain, error = sum(share * bits for share, bits in terms), 1e-4
    if samples:
        variance = sum(share * (bits - gain) ** 2 for share, bits in terms) / samples
        error = 5 * max(rated.error, variance**0.5) + len(terms) / samples
    if abs(rated.gain_bits - gain) > error:
        return f"gives {gain} bits, advised are {rated.gain_bits} (error {rated.error})"
    if samples or not game.targets:
        return ""
    left = Counter(text for (text, _), share in pairs.items() if share)
    done = sum(answers[text] for text, number in left.items() if number == 1)
    if rated.done is not UNKNOWN and abs(rated.done - done) > ERROR:
        return f"is the last question with {done}, advised is {rated.done}"
    return ""


def _worlds_fault(knowledge: Knowledge, rated: RatedInquiry) -> str:
    """Return what is wrong with the worlds of positive weight that each answer leaves."""
    game: Any = knowledge.game
    worlds, left = enumeration.listed(game.problem), Counter[object]()
    weights = enumeration.weights(game.problem, worlds, weighted=True)
    for world, weight in zip(worlds, weights, strict=True):
        given = game.answer(rated.inquiry, world)
        if weight:
            left.update(given.keys() if isinstance(given, dict) else [given])
    for outcome in rated.outcomes:
        if outcome.worlds is not UNKNOWN and outcome.worlds != left[outcome.answer]:
            return f"leaves {left[outcome.answer]} worlds, advised are {outcome.worlds}: {outcome}"
    return ""


class _Told(_Scoped):
    """The same with the event of each answer."""

    def event_of(self, inquiry: tuple[Variable], answer: str) -> Fact:
        (name,) = inquiry
        return is_(name, *(x for x in self.problem.domains[name] if repr(x) == answer))


def two_ahead(problem: Problem, asked: Ask, random: Random) -> str:
    """What two questions give together is the gain of the first, and that of the best second."""
    worlds = enumeration.listed(problem)
    narrow = [v for v, values in problem.domains.items() if len(values) <= MAX_ANSWERS]
    read = tuple(random.sample(narrow, min(len(narrow), 3)))
    targets = tuple(names_of(problem, random)[:2]) if random.random() < 0.5 else ()
    knowledge = asked(_Told(problem, read, targets, frozenset()))
    weights = enumeration.weights(problem, worlds, weighted=True)
    rows = [row for row in zip(worlds, weights, strict=True) if row[1]]
    for found in two_turns(knowledge, [(name,) for name in read[:1]], samples=0):
        (name,) = read[:1]
        both, total = _bits(rows, name, targets), sum(weight for _, weight in rows)
        for value in problem.domains[name]:
            after = [row for row in rows if repr(row[0][name]) == repr(value)]
            best = max((_bits(after, other, targets) for other in read), default=0.0)
            both += float(sum(weight for _, weight in after) / total) * best
        if abs(found.both_bits - both) > 1e-4 + 2 * TIE:
            return f"{name!r} and the next give {both} bits about {targets}, not {found.both_bits}"
    return ""


def _bits(
    rows: Sequence[tuple[World, Fraction]], name: Variable, targets: Sequence[object]
) -> float:
    """Return the information of a variable about some others, or about the world."""
    of = targets or [name]
    told = ((repr(w[name]), tuple(repr(w[v]) for v in of), weight) for w, weight in rows)
    return sum(share * bits for share, bits in _information(told)[0])


def _information(
    rows: Iterable[tuple[object, object, Fraction]],
) -> tuple[list[tuple[float, float]], Table, Table]:
    """Return the share and the bits of each answer with a solution, and the tables of both."""
    pairs: Table = defaultdict(Fraction)
    answers: Table = defaultdict(Fraction)
    solutions: Table = defaultdict(Fraction)
    for answer, solution, weight in rows:
        pairs[answer, solution] += weight
        answers[answer] += weight
        solutions[solution] += weight
    total = sum(answers.values())
    terms = [
        (float(weight / total), log2(weight * total / (answers[a] * solutions[s])))
        for (a, s), weight in pairs.items()
        if weight
    ]
    return terms, pairs, answers


# Plans


@frozen(repr=False)
class _Puzzle(BareGame):
    """A secret, and the answers to all questions by a table."""

    rows: tuple[tuple[int, ...], ...]

    def inquiries(self, log: Sequence[object], viewer: object) -> Sequence[int]:
        return range(len(self.rows))

    def answer(self, inquiry: int, world: World) -> int:
        return self.rows[inquiry][world["secret"]]


class _Guessed(_Puzzle):
    """The same, until the answer 0 to one of the last questions, those that name a secret."""

    def ends(self, inquiry: int, answer: int) -> bool:
        size = len(self.problem.domains["secret"])
        return answer == 0 and inquiry >= len(self.rows) - size


def plans(problem: Problem, asked: Ask, random: Random) -> str:
    """No plan is better than one that is called proved, and its figures are right."""
    return next(filter(None, (_plan_fault(asked, random) for _ in range(PUZZLES))), "")


def _plan_fault(asked: Ask, random: Random) -> str:
    """Return what is wrong with the best plan of a random puzzle."""
    tight = random.random() < 0.3  # far more secrets than the questions can tell apart
    size, values = random.randint(2, 10), range(random.choice((2, 2, 3, 4)))
    number = random.randint(3, 8)
    if tight:
        size, values, number = size + 4, values[:2], number + 2
    rows = tuple(tuple(random.choices(values, k=size)) for _ in range(number))
    ended = not tight and random.random() < 0.5
    free = 0
    if ended:  # a question for each secret, which ends the game; perhaps after others
        free = random.choice((0, len(rows)))
        rows = rows[:free] + tuple(
            tuple(random.choice(values[1:]) if s != right else 0 for s in range(size))
            for right in range(size)
        )
    if len(set(zip(*rows, strict=True))) < size:
        return ""
    knowledge = asked((_Guessed if ended else _Puzzle)(Problem({"secret": range(size)}), rows))
    objective = "chance" if tight else random.choice(OBJECTIVES)
    within = random.randint(2, 3) if tight else random.randint(1, 4)
    limited = objective == "chance" or random.random() < 0.3

    @cache
    def fewest(secrets: frozenset[int], left: int) -> float:
        if len(secrets) == 1 and not ended:
            return 0
        return min((len(secrets) + sum(fewest(part, left - (left > 0)) for part in open_parts)
                    for open_parts, _ in split(secrets, left)), default=inf)  # fmt: skip

    @cache
    def most(secrets: frozenset[int], left: int) -> int:
        if len(secrets) == 1 and not ended:
            return 1
        return max((done + sum(most(part, left - 1) for part in open_parts)
                    for open_parts, done in split(secrets, left)), default=0)  # fmt: skip

    def split(secrets: frozenset[int], left: int) -> list[tuple[list[frozenset[int]], int]]:
        """Return for each question the secrets that go on together, and how many are found."""
        found = []
        for index, row in enumerate(rows) if left else ():
            parts = {a: frozenset(s for s in secrets if row[s] == a) for a in range(4)}
            done = len(parts.pop(0)) if ended and index >= free else 0
            go_on = [part for part in parts.values() if part]
            if go_on != [secrets]:
                found.append((go_on, done))
        return found

    everyone = frozenset(range(size))
    try:
        plan = best_plan(
            knowledge, objective=objective, within=within if limited else None
        ).uninterrupted()
    except NoPlan:
        exists = fewest(everyone, within) < inf
        return f"{rows}: there is a plan within {within}, none is found" if exists else ""
    depth = within if limited else UNLIMITED
    if objective == "worst":
        depth = next(d for d in range(size + 2) if fewest(everyone, d) < inf)
    right = most(everyone, depth) if objective == "chance" else fewest(everyone, depth)
    given = plan.found if objective == "chance" else plan.total
    if given == right and plan.proved and (objective != "worst" or plan.worst == depth):
        return ""
    return f"{rows}: {objective} within {depth}: {right} is right, {plan} is answered"
