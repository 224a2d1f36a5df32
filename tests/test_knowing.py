"""Who knows what: puzzles with known answers, and random problems against the textbook."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import pytest
from attrs import frozen

import deduce
from deduce.budget import Budget
from deduce.constraints import Knows, Rows, Weigh, Where, at_least, is_, is_not
from deduce.errors import BadInput, BadProblem, Contradiction, Undecided, Unsupported
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.logic import all_of, any_of, common_knowledge, does_not_know, implies, knows, negation
from deduce.logs.problem_json import write_problem
from deduce.problem import Evidence, Problem
from tests import kripke

DATES = {"May": (15, 16, 19), "June": (17, 18), "July": (14, 16), "August": (14, 15, 17)}


@pytest.fixture(params=["arrays", "lists"])
def _worlds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds in arrays of numpy, and in lists."""
    if request.param == "lists":
        monkeypatch.setattr("deduce.engines.core.worlds.has_arrays", lambda: False)


def birthday() -> Knowledge:
    rule = Where(("month", "day"), lambda month, day: day in DATES[month], "one of ten dates")
    domains = {"month": tuple(DATES), "day": tuple(range(14, 20))}
    return Knowledge(Problem(domains, [rule], sees={"Albert": ["month"], "Bernard": ["day"]}))


STATED = (
    knows("Albert", does_not_know("Bernard", "month")),
    knows("Bernard", "month"),
    knows("Albert", "day"),
)


@pytest.mark.usefixtures("_worlds")
def test_cheryls_birthday() -> None:
    k = birthday().tell(does_not_know("Albert", "day"))
    counts = [birthday().count(), k.count()]
    for claim in STATED:
        k = k.tell(claim)
        counts.append(k.count())
    assert counts == [10, 10, 5, 3, 1]
    assert k.certain() == {"month": "July", "day": 16}
    assert [dict(world) for world in k.worlds()] == [{"month": "July", "day": 16}]
    assert k.undo().count() == 3


@pytest.mark.parametrize("engine", ["bits", "counting", "components", "cpsat", "reference"])
def test_every_engine_answers_after_announcements(engine: str) -> None:
    for seed in range(4) if engine in ("bits", "reference") else ():
        kripke.check(kripke.random_case(seed), engine=engine)
    k = birthday().tell(*STATED[:2]).using(engine=engine)
    assert k.count() == 3
    assert k.possible()["day"] == {15, 16, 17}


def muddy(number: int) -> tuple[list[str], Problem, list[Knows]]:
    children = [f"child {i}" for i in range(number)]
    rule = at_least(1, [is_(child, "muddy") for child in children])
    domains = dict.fromkeys(children, ("clean", "muddy"))
    sees = {child: [other for other in children if other != child] for child in children}
    return children, Problem(domains, [rule], sees=sees), [does_not_know(c, c) for c in children]


@pytest.mark.usefixtures("_worlds")
@pytest.mark.parametrize("number", [1, 2, 5, 7])
def test_muddy_children(number: int) -> None:
    children, problem, silent = muddy(number)
    k = Knowledge(problem)
    left = 2**number - 1
    for step in range(1, number):
        assert k.count() == left
        k = k.tell(all_of(silent))
        left -= comb(number, step)
    assert k.count() == 1
    assert k.certain() == dict.fromkeys(children, "muddy")
    assert all(k.knows(child, child).verdict == "yes" for child in children)
    assert k.tell(all_of(silent)).count() == 0


def test_rules_and_statements_with_words_of_logic() -> None:
    domains = {"hat": ("red", "blue"), "coat": ("red", "blue")}
    rule = implies(is_("hat", "red"), is_("coat", "blue"))
    k = Knowledge(Problem(domains, [rule], sees={"Ann": ["hat"], "Ben": []}))
    told = k.tell(implies(knows("Ann", "coat"), is_("coat", "red")))
    assert told.certain() == {"hat": "blue"}
    assert k.tell(negation(knows("Ann", "coat"))).certain() == {"hat": "blue"}
    assert told.why(is_("hat", "blue")).events == (1,)


def test_a_claim_with_a_table_without_rows() -> None:
    never = Where(("Ann", "Ben"), Rows([]))
    k = Knowledge(Problem({"Ann": (0, 1), "Ben": (0, 1)}, sees={"Ann": ["Ben"]}))
    assert k.tell(knows("Ann", any_of([never, is_("Ben", 1)]))).certain() == {"Ben": 1}


def test_sum_and_product() -> None:
    pairs = [(x, y) for x in range(2, 99) for y in range(x, 101 - x)]
    sums = {s: [p for p in pairs if sum(p) == s] for s in range(4, 101)}
    products: dict[int, list[tuple[int, int]]] = {}
    for x, y in pairs:
        products.setdefault(x * y, []).append((x, y))
    sees = {
        "Sam": [{s: is_("numbers", *of) for s, of in sums.items()}],
        "Pat": [{p: is_("numbers", *of) for p, of in products.items()}],
    }
    k = Knowledge(Problem({"numbers": pairs}, sees=sees))
    counts = [k.count()]
    for claim in (
        knows("Sam", does_not_know("Pat", "numbers")),
        knows("Pat", "numbers"),
        knows("Sam", "numbers"),
    ):
        k = k.tell(claim)
        counts.append(k.count())
    assert counts == [2401, 145, 86, 1]
    assert k.certain() == {"numbers": (4, 13)}


@pytest.mark.parametrize("seed", range(0, 2000, 250))
def test_random_problems_against_the_textbook(seed: int) -> None:
    assert kripke.check(kripke.random_case(seed)) > 0


@pytest.mark.parametrize("seed", range(5, 2000, 404))
def test_without_numpy(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deduce.engines.core.worlds.has_arrays", lambda: False)
    kripke.check(kripke.random_case(seed))


@pytest.mark.parametrize("seed", range(7, 2000, 404))
def test_worlds_that_are_searched_for(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deduce.engines.core.worlds.MAX_PRODUCT", 0)
    monkeypatch.setattr("deduce.reasoning.retelling.MAX_PRODUCT", 0)
    kripke.check(kripke.random_case(seed))


def test_why_cites_the_statements_that_are_needed() -> None:
    k = birthday().tell(does_not_know("Albert", "day"), *STATED)
    why = k.why(is_("day", 16))
    assert (why.verdict, why.events, why.smallest) == ("certain", (2, 3, 4), True)
    assert why.rules == ("one of ten dates",)
    assert str(why).splitlines()[2] == "  event 3: Bernard knows month"
    assert k.why(is_("month", "May")).verdict == "impossible"


def test_contradiction_names_the_statements() -> None:
    k = birthday().tell(*STATED[:2], is_("month", "May"))
    assert not k.is_consistent()
    assert k.contradiction().events == (1, 3)
    with pytest.raises(Contradiction, match="Albert knows that Bernard does not know month"):
        k.shares()


def test_who_knows_and_how_probably() -> None:
    k = birthday().tell(*STATED[:2])
    known = k.knows("Albert", "day")
    assert (known.verdict, known.number, known.of) == ("open", 1, 3)
    assert known.probability == Fraction(1, 3)
    assert [dict(world) for world in known.worlds()] == [{"month": "July", "day": 16}]
    assert k.knows("Bernard", "month").verdict == "yes"
    assert k.knows("Bernard", is_("month", "May")).verdict == "no"
    heavy = k.tell(Weigh([is_("month", "July")], [1, 4]))
    assert heavy.knows("Albert", "day").probability == Fraction(4, 6)


def test_common_knowledge_is_more_than_what_all_know() -> None:
    k = birthday()
    claim = is_not("month", "May")
    after = k.tell(*STATED[:1])
    assert not k.is_possible(common_knowledge(claim))
    assert after.is_certain(common_knowledge(claim))
    assert after.common_knowledge(claim, "Albert").verdict == "yes"


def test_an_assumption_is_not_public() -> None:
    told = birthday().tell(is_("month", "July"))
    assumed = birthday().assume(is_("month", "July"))
    assert told.count() == assumed.count() == 2
    assert told.knows("Bernard", "month").verdict == "yes"
    assert assumed.knows("Bernard", "month").verdict == "no"


def test_statements_of_one_event_are_judged_together() -> None:
    _, problem, silent = muddy(3)
    evidence = [Evidence(claim, 1) for claim in silent]
    together = Problem(problem.domains, problem.rules, evidence, sees=problem.sees)
    assert Knowledge(together).count() == 4
    assert Knowledge(problem).tell(*silent).count() == 0  # one after the other, they contradict


def test_what_is_not_stated_is_refused() -> None:
    with pytest.raises(BadProblem, match="does not say what 'Cheryl' sees"):
        birthday().is_possible(knows("Cheryl", "day"))
    with pytest.raises(BadInput, match="did you mean 'Albert'"):
        birthday().tell(knows("Albrt", "day"))
    with pytest.raises(BadProblem, match="there is no variable 'year'"):
        birthday().knows("Albert", "year")
    with pytest.raises(BadProblem, match="sees="):
        Knowledge(Problem({"x": (1, 2)})).is_certain(knows("Ann", "x"))
    with pytest.raises(BadProblem, match="not a constraint"):
        Problem({"x": (1, 2)}, [knows("Ann", "x")], sees={"Ann": []})  # type: ignore[list-item]
    with pytest.raises(BadProblem, match="so it is not seen"):
        Problem({"x": (1, 2)}, sees={"Ann": [Weigh([is_("x", 1)], [1, 2])]})
    with pytest.raises(BadProblem, match="neither true nor false"):
        knows("Ann", Weigh([is_("x", 1)], [1, 2]))
    question: Any = {"yes": is_("day", 14), "no": is_("day", 15)}
    with pytest.raises(BadProblem, match="not exactly one of the answers yes, no"):
        birthday().is_possible(knows("Albert", question))


def test_too_many_worlds_are_undecided() -> None:
    names = [f"v{i}" for i in range(40)]
    problem = Problem(dict.fromkeys(names, (0, 1)), sees={"Ann": names[:20]})
    with pytest.raises(Undecided, match="1,099,511,627,776 worlds are too many to be listed"):
        Knowledge(problem).is_possible(knows("Ann", names[-1]))
    unequal = [Where(pair, operator.ne, "unequal") for pair in pairwise(names[:24])]
    tight = Budget(steps=10_000)
    with pytest.raises(Undecided):
        Knowledge(Problem(problem.domains, unequal, sees=problem.sees), budget=tight).is_possible(
            knows("Ann", names[-1])
        )


@frozen
class Table:
    """A game in which facts are told in public or to one player, and players state what they know.

    Each player sees the other's hat.
    """

    players: tuple[str, ...] = ("Ann", "Ben")

    def variables(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(self.players, ("red", "blue", "green"))

    def rules(self) -> tuple[Any, ...]:
        return ()

    def evidence(self, log: Any, viewer: Any) -> Iterator[Evidence]:
        for number, (to, claim) in enumerate(log, start=1):
            if to is None or viewer in (to, RECORD):
                yield Evidence(claim, number)

    def sees(self, log: Any) -> dict[str, list[str]]:
        return {"Ann": ["Ben"], "Ben": ["Ann"]}

    def seen_by(self, viewer: Any) -> Table:
        return self

    def seen_event(self, event: Any, viewer: Any) -> Any:
        return event

    def questions(self) -> list[str]:
        return list(self.players)


def test_what_only_the_viewer_has_seen_is_not_what_others_know() -> None:
    k = Knowledge(Table(), [(None, is_not("Ann", "red")), ("Ann", is_("Ann", "blue"))])
    for viewer, count in ((None, 6), ("Ann", 3), ("Ben", 6), (RECORD, 3)):
        seen = k.seen_by(viewer)
        assert seen.count() == count
        assert seen.knows("Ann", "Ann").verdict == "no"  # as far as what she sees is public
        assert seen.knows("Ben", "Ann").verdict == "yes"
        assert seen.knows("Ben", "solution").verdict == "no"
    told = k.tell((None, does_not_know("Ann", "Ann")), (None, is_not("Ann", "green")))
    assert told.seen_by(None).count() == 3
    assert told.is_certain("knows(ann, ann)")
    assert told.is_certain("knows(ben, knows(ann, ann=blue))")
    assert told.why(knows("Ann", "Ann")).events == (1, 4)


def test_why_has_the_lines_of_a_game_with_a_notation() -> None:
    class Written(Table):
        """The same with a notation."""

        name = "table"

        def format_event(self, event: Any) -> str:
            return f"said: {event[1]}"

        def parse_event(self, text: str) -> Any:
            raise NotImplementedError

    log = [
        (None, does_not_know("Ann", "Ann")),
        (None, is_not("Ann", "green")),
        (None, is_not("Ann", "red")),
    ]
    why = Knowledge(Written(), log).why(is_("Ann", "blue"))
    assert (why.verdict, why.events) == ("certain", (2, 3))
    assert [step.sentences for step in why.steps] == [
        ("said: Ann is not green",),
        ("said: Ann is not red",),
    ]


def test_a_statement_about_knowledge_is_public() -> None:
    k = Knowledge(Table(), [("Ann", knows("Ben", "Ann"))])
    assert k.seen_by(None).count() == 9
    with pytest.raises(BadProblem, match="what a player states about knowledge is public"):
        k.count()


def test_text_of_claims_about_knowledge() -> None:
    k = birthday().tell("does not know(albert, day)", "knows(alb, does_not_know(bernard, month))")
    assert k.log[1] == STATED[0]
    assert k.count() == 5
    for text, message in (
        ("knows(day)", r"write knows\(PLAYER, VARIABLE\)"),
        ("knows(carl, day)", "no player is called 'carl'"),
        ("knows(albert, year)", "no variable is called 'year'"),
        ("knows(albert, day=12)", "12"),
    ):
        with pytest.raises(BadInput, match=message):
            k.is_certain(text)
    with pytest.raises(BadInput, match="nothing states what players see"):
        Knowledge(Problem({"x": (1, 2)})).is_certain("knows(ann, x)")


def test_doubted_statements_exclude_nothing() -> None:
    k = birthday().tell(STATED[0]).doubting({1: Fraction(1, 10)})
    assert k.count() == 10
    assert k.posterior()["month"]["May"] == Fraction(3 * 1, 5 * 10 + 5 * 1)
    assert k.tell(STATED[1]).count() < 10


def test_knowledge_with_statements_is_a_value() -> None:
    base = birthday()
    k = base.tell(*STATED[:2]).assume(knows("Albert", "day"))
    assert k.verdicts() == {knows("Albert", "day"): "active"}
    assert k == base.tell(*STATED[:2]).assume(knows("Albert", "day"))
    hash(k.log)
    problem = muddy(3)[1]
    copy = pickle.loads(pickle.dumps(problem))  # noqa: S301
    assert copy == problem
    assert copy.sees == problem.sees
    names = {name: getattr(deduce, name) for name in dir(deduce)}
    assert eval(repr(problem), names) == problem  # noqa: S307
    again = pickle.loads(pickle.dumps(Knowledge(problem).tell(all_of(muddy(3)[2]))))  # noqa: S301
    assert again.count() == 4
    with pytest.raises(Unsupported, match="what players see has no form in JSON"):
        write_problem(problem)


@pytest.mark.parametrize("seed", range(3, 2000, 244))
def test_too_many_worlds_are_examined_by_what_a_player_sees(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = kripke.random_case(seed)
    name, value, factor = case.weighed
    k = Knowledge(kripke.problem_of(case)).tell(Weigh([is_(name, value)], [1, factor]))
    player, *_ = case.sees
    claims = [name, {"yes": is_(name, value), "no": is_not(name, value)}, is_(name, value)]
    listed = [k.knows(player, what) for what in claims]

    def refuse(*args: Any) -> None:
        raise Undecided("too many")

    monkeypatch.setattr("deduce.reasoning.knowing.worlds_of", refuse)
    fresh = Knowledge(k.game, k.log)
    for what, known in zip(claims, listed, strict=True):
        found = fresh.knows(player, what)
        assert (found.number, found.of) == (known.number, known.of)
        assert found.probability == known.probability
        assert sorted(map(repr, found.worlds())) == sorted(map(repr, known.worlds()))


def test_knowing_among_very_many_worlds() -> None:
    names = [f"v{i}" for i in range(40)]
    rule = at_least(39, [is_(name, 1) for name in names[:39]] + [is_(names[39], 0)])
    k = Knowledge(Problem(dict.fromkeys(names, (0, 1, 2)), sees={"Ann": names[:2]}))
    assert k.knows("Ann", names[0]).verdict == "yes"
    assert k.knows("Ann", names[5]).verdict == "no"
    ruled = Knowledge(Problem(dict.fromkeys(names, (0, 1, 2)), [rule], sees={"Ann": names[:2]}))
    assert 0 < ruled.knows("Ann", names[5]).probability < 1


def test_knowing_among_more_variables_than_an_array_has_axes() -> None:
    names = [f"v{i}" for i in range(70)]
    rule = Where(("x", "y"), lambda x, y: x <= y, "x <= y")
    domains = {**dict.fromkeys(names, ("a",)), "x": (0, 1), "y": (0, 1)}
    k = Knowledge(Problem(domains, [rule], sees={"Ann": [*names, "x"], "Ben": ["y"]}))
    assert k.knows("Ann", "y").probability == Fraction(1, 3)
    assert k.common_knowledge(is_("y", 1)).verdict == "no"
