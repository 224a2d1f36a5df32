"""Wrong input from Python is refused at every entrance, with what would be right."""

# mypy: disable-error-code="arg-type, dict-item, list-item, return-value"

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

import deduce
from deduce import (
    RECORD,
    BadInput,
    BadProblem,
    Budget,
    Contradiction,
    Count,
    DeduceError,
    Evidence,
    Fact,
    Instead,
    Knowledge,
    Problem,
    Rows,
    Rule,
    Sum,
    Unsupported,
    Weigh,
    Where,
    all_different,
    at_least,
    copies,
    exactly,
    is_,
    never,
    opposite,
    permutation,
)
from deduce.line_game import LineGame, percents, seats
from deduce.reasoning.queries import Distribution
from deduce.system.registry import Registration
from games.battleship import Battleship
from games.cluedo import Accusation, Cluedo, Has, Suggestion
from games.pigs import Pigs, Viewpoint
from games.quartets import Quartets
from tests.project import hats
from tests.project.hats import Sees

GAME = Cluedo(("Ann", "Ben", "Cid"))
K = Knowledge(GAME)
HATS = dict.fromkeys(("Ann", "Ben"), ("red", "blue"))
FACTS = [is_("Ann", "red"), is_("Ben", "red")]
P = ("Professor Plum", "Rope", "Hall")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Count(FACTS, 0.5), r"whole numbers, not 0\.5: "),
        (lambda: Count(FACTS, "1"), "whole numbers, not '1': "),
        (lambda: Count(FACTS, True), "whole numbers, not True: "),
        (lambda: Count(FACTS, 1, 1.0), r"whole numbers, not 1\.0: "),
        (lambda: Count(FACTS, 2, 1), "from 2 to 1 can never hold: "),
        (lambda: exactly(None, FACTS), "whole numbers, not None"),
        (lambda: Count(is_("Ann", "red"), 1), "expected a list of facts"),
        (lambda: Count(["Ann"], 1), "not a fact: 'Ann'"),
        (lambda: Sum([(FACTS[0], 0.5)]), r"amounts of a Sum are whole numbers, not 0\.5: Ann is"),
        (lambda: Sum([(FACTS[0], True)]), "amounts of a Sum are whole numbers, not True: "),
        (lambda: Sum([(FACTS[0], "1")]), "amounts of a Sum are whole numbers, not '1': "),
        (lambda: Sum([(FACTS[0], 1)], 1.0), r"bounds of a Sum are whole numbers, not 1\.0: "),
        (lambda: Sum([(FACTS[0], 1)], 1, True), "bounds of a Sum are whole numbers, not True: "),
        (lambda: Sum([(FACTS[0], 1)], 2, 1), "a Sum from 2 to 1 can never hold: "),
        (lambda: Sum(FACTS), "a fact with its amount, not Fact"),
        (lambda: Sum([("Ann", 1)]), "not a fact: 'Ann'"),
        (lambda: Sum(FACTS[0]), "expected a list of terms, not Fact"),
        (lambda: Sum("terms"), "expected a list of terms, not 'terms'"),
        (lambda: Problem(HATS, [Sum([(FACTS[0], 1), (FACTS[0], 2)])]), "in one Sum can both hold"),
        (lambda: Problem(HATS, [Sum([(is_("Zoe", "red"), 1)])]), "no variable 'Zoe'"),
        (lambda: Weigh(FACTS, [1, 0.5, 1]), r"for 0\.5 use Fraction\(1, 2\)"),
        (lambda: Weigh(FACTS, [1, float("nan"), 1]), "an int or a Fraction, not nan"),
        (lambda: Weigh(FACTS, [1, float("inf"), 1]), "an int or a Fraction, not inf"),
        (lambda: Weigh(FACTS, [1, "1/2", 1]), "an int or a Fraction, not '1/2'"),
        (lambda: Weigh(FACTS, [1, True, 1]), "an int or a Fraction, not True"),
        (lambda: Weigh(FACTS, [1, -1, 1]), "weights are 0 or more: "),
        (lambda: Weigh(FACTS, [1, 1]), "2 facts need 3 weights"),
        (lambda: Where(("Ann",), "Ann > 1"), "must be callable"),
        (
            lambda: Where(("Ann", "Ben"), Rows([("red",)])),
            r"Ann and Ben has 2 values",
        ),
        (lambda: Where(("Ann", "Ben"), Rows(["ab"])), "expected a list of values, not 'ab'"),
        (lambda: Rule("red"), "not a constraint: 'red'"),
        (lambda: Evidence(None, 1), "not a constraint: None"),
        (lambda: Problem(HATS, evidence=[is_("Ann", "red")]), "not evidence: Fact"),
        (
            lambda: Problem({"Ann": "red"}),
            "'Ann': expected a list or tuple, got the text 'red'",
        ),
        (lambda: Problem({"Ann": "red"}), r"write tuple\('red'\) if its letters are the values"),
        (lambda: Problem({"x": (float("nan"),)}), "NaN is not equal to itself"),
        (lambda: Where(("Ann",), bool, 5), "the name of a Where must be text, not 5"),
        (lambda: deduce.disjoint(("Ann", "Ann")), "a variable is named twice"),
        (lambda: Fact("Ann", ["red"], negated="yes"), "is True or False, not 'yes'"),
        (lambda: deduce.Instead(share="x"), "a number above 0, not 'x'"),
        (lambda: deduce.Instead(share=float("nan")), "a number above 0, not nan"),
        (lambda: Evidence(FACTS[0], 1, doubt="1e-99999999"), "from 0 to 1, not '1e-99999999'"),
        (lambda: copies(["x"], 3), "a mapping from kinds to numbers of cards, not 3"),
        (lambda: Knowledge(Problem(HATS), assumed=FACTS[0]), "expected a list of assumptions"),
        (lambda: is_("Ann"), r"a fact about 'Ann' needs a value, .* never\('Ann'\) is the fact"),
        (lambda: Where((["Ann"],), bool), r"a variable must be hashable, not \['Ann'\]"),
        (lambda: Problem(HATS, [Where(("Zoe",), bool)]), "no variable 'Zoe'"),
        (
            lambda: Problem(HATS, [Where(("Ann",), lambda a: None, "odd")]),
            r"predicate of 'odd' returned None for \('red'\); expected True or False",
        ),
        (
            lambda: Knowledge(
                Problem(HATS, [Where(("Ann",), lambda a: a == "red" or None)])
            ).count(),
            r"returned None for \('blue'\); expected True or False",
        ),
    ],
)
def test_a_wrong_constraint_is_named(make: Callable[[], object], message: str) -> None:
    with pytest.raises(BadProblem, match=message):
        make()


def test_a_predicate_that_raises_is_named_with_its_values() -> None:
    wrong = Where(("Ann", "Ben"), lambda a, b: 1 / 0, "hats differ")
    problem = Problem(HATS, [wrong])
    message = r"predicate of 'hats differ' raised ZeroDivisionError for \('red', 'red'\)"
    with pytest.raises(BadProblem, match=message):
        Knowledge(problem).count()
    with pytest.raises(BadProblem, match=message):
        problem.holds({"Ann": "red", "Ben": "red"})


def test_a_predicate_may_return_a_truth_value_of_numpy() -> None:
    for made in (bool, int, np.bool_):
        rule = Where(("Ann", "Ben"), lambda a, b, made=made: made(a == b))
        assert Knowledge(Problem(HATS, [rule])).count() == 2


def test_a_fact_that_never_holds() -> None:
    k = Knowledge(Problem(HATS, [at_least(1, [never("Ann"), is_("Ben", "red")])]))
    assert (k.count(), k.certain()) == (2, {"Ben": "red"})
    assert str(never("Ann")) == "Ann has no value"
    assert not Knowledge(Problem(HATS)).is_possible(never("Ann"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seconds": -1}, "seconds of a budget are 0 or more, not -1"),
        ({"seconds": float("nan")}, "are a number or None, not nan"),
        ({"steps": -1}, "whole number or None, not -1"),
        ({"memory": -1}, "whole number of bytes or None, not -1"),
        ({"clock": 3}, "clock of a budget is a function, not 3"),
        ({"clock": lambda: "now"}, "clock of a budget returns seconds, not 'now'"),
    ],
)
def test_an_impossible_budget_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Budget(**options)


@frozen
class Habits(LineGame):
    """A set-up with players, a probability and two of them."""

    players: tuple[str, ...] = seats(2, 4)
    lies: int = percents(60)
    votes: tuple[int, int] = percents(60, 20)


@frozen
class Deck(LineGame):
    """A set-up with fields of other types, with a factory and with a decorated default."""

    players: Sequence[str] = seats(2, 4)
    share: float = percents(60)
    cards: tuple[str, ...] = field(factory=tuple)
    size: int = field()

    @size.default
    def _count(self) -> int:
        return len(self.cards)


class Card(StrEnum):
    """Two cards."""

    ACE = "ace"
    KING = "king"


def test_defaults_are_made_and_subclasses_are_taken() -> None:
    assert Deck() == Deck(("Ann", "Ben"), 60, (), 0)
    assert Deck(share=12.5, cards=tuple(Card)).size == len(Card)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Deck("AB"), 'players: expected a list, not "AB"'),
        (lambda: Deck(share=True), "share: expected a number, not true"),
        (lambda: Deck(cards=Card.ACE), "cards: expected a list, not"),
        (lambda: Habits(players="AB"), 'players: expected a list, not "AB"'),
        (lambda: Habits(players=["Ann", "Ben"]), r"expected \('Ann', 'Ben'\), not \['Ann'"),
        (lambda: Habits(lies="60"), 'lies: expected a whole number, not "60"'),
        (lambda: Habits(votes=(5,)), r"votes: \[5\] has 1 items, not 2"),
        (lambda: Habits(votes=(5, 101)), r"votes: expected 0 to 100 per cent, not \(5, 101\)"),
        (lambda: Pigs(seats=2.5), "seats: expected a whole number, not 2.5"),
        (lambda: Battleship(fleet=5), "fleet: expected a list, not 5"),
        (lambda: Knowledge(hats.Hats(5)), "expected a list, not 5"),
        (lambda: Registration.of(Habits), "Habits'> has no name: give it an attribute 'name'"),
    ],
)
def test_a_set_up_of_wrong_types_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make()


def test_a_failure_of_the_rules_is_not_taken_for_a_wrong_type() -> None:
    @frozen
    class Refusing(hats.Hats):
        def rules(self) -> Any:
            raise BadInput("too large")

    with pytest.raises(BadInput, match="too large"):
        Knowledge(Refusing(["Ann", "Ben"]))


def test_what_is_given_for_a_registration_is_kept() -> None:
    given = {"name": "hats", "hidden": "my:Path", "summary": "All hats"}
    entry = Registration.of(hats.Hats, **given)
    assert {name: getattr(entry, name) for name in given} == given


def test_the_names_of_an_own_event_are_checked_when_it_is_told() -> None:
    k = Knowledge(hats.Hats(("Ann", "Ben", "Cid")))
    wrong = Sees("Ann", "Benn", "red")
    ways: list[Callable[[], object]] = [
        lambda: k.tell(wrong),
        lambda: k.tell("Ann sees Benn red"),
        lambda: Knowledge(k.game, [wrong]),
        lambda: k.tell(Sees("Ann", "Ben", "red")).replace(1, wrong),
    ]
    for tell in ways:
        with pytest.raises(BadInput, match=r"no variable 'Benn'; did you mean 'Ben'\?"):
            tell()
    with pytest.raises(BadInput, match="'Ben' can never be 'reed'; did you mean 'red'"):
        k.tell(Sees("Ann", "Ben", "reed"))


def test_variables_of_a_game_are_a_mapping() -> None:
    class Listed(hats.Hats):
        def variables(self) -> Any:
            return ["Ann", "Ben"]

    with pytest.raises(BadProblem, match=r"variables\(\) of Listed must return a mapping"):
        Knowledge(Listed(("Ann", "Ben")))


def test_a_contradiction_names_the_events_when_it_is_looked_at() -> None:
    k = Knowledge(Problem(HATS)).tell(is_("Ann", "red"), is_("Ben", "red"), is_("Ann", "blue"))
    queries: list[Callable[[], object]] = [
        k.posterior, k.certain, k.possible, k.shares, k.slips, k.certain_unless,
        k.probable_worlds, lambda: k.joint("Ann"), lambda: k.sample(1, seed=1),
        lambda: k.why("Ben=red"), lambda: k.is_certain("Ben=red"), k.assume("Ben=red").verdicts,
    ]  # fmt: skip
    for query in queries:
        with pytest.raises(Contradiction) as error:
            query()
        assert str(error.value) == f"no world is possible\n{k.contradiction()}"
        assert error.value.why.events == (1, 3)
    hurried = k.using(budget=Budget(steps=0))
    with pytest.raises(Contradiction) as error:
        raise Contradiction
    error.value.explained_by(hurried.contradiction)
    assert (str(error.value), error.value.why) == ("no world is possible", None)


def test_answers_that_leave_every_world_without_weight_are_named() -> None:
    red, blue = (Instead([is_("Ann", hat)]) for hat in ("red", "blue"))
    evidence = [
        Evidence(is_("Ben", "red"), 1, doubt=1, instead=[red], answer="Ben -"),
        Evidence(is_("Ann", "red"), 2, doubt=Fraction(1, 3), answer="Ann shows"),
        Evidence(is_("Ben", "red"), 3, doubt=Fraction(1, 3), instead=[blue], answer="Cid -"),
        Evidence(is_("Ann", "red"), 4, doubt=1, instead=[blue], answer="Dan -"),
    ]
    k = Knowledge(Problem(HATS, (), evidence))
    assert (k.is_consistent(), k.count()) == (True, 4)
    queries: list[Callable[[], object]] = [
        k.posterior, k.slips, k.probable_worlds, lambda: k.joint("Ann"),
        lambda: k.sample(1, seed=1),
    ]  # fmt: skip
    for query in queries:
        with pytest.raises(Contradiction) as error:
            query()
        assert error.value.why.events == (1, 4)
        assert "event 1: certainly wrong: Ben -" in str(error.value)


def test_a_doubt_is_about_an_event_of_the_log() -> None:
    log = [is_("Ann", "red")]
    for number in (0, 2, -1):
        with pytest.raises(BadInput, match=f"no event {number} to be doubted; the log has 1"):
            Knowledge(Problem(HATS), log, doubts={number: 0.1})
        with pytest.raises(BadInput, match=f"no event {number} to be doubted; the log has 1"):
            Knowledge(Problem(HATS), log).doubting({number: 0.1})
    assert Knowledge(Problem(HATS), log, doubts={1: 0.1}).posterior()["Ann"]["red"] < 1


@pytest.mark.parametrize("viewer", ["ben", "Nobody", "", 3, True, ("Ann",)])
def test_a_viewer_who_is_not_a_player_is_refused(viewer: Any) -> None:
    with pytest.raises(BadInput, match="no player is called"):
        K.seen_by(viewer)
    with pytest.raises(BadInput, match="no player is called"):
        Knowledge(GAME, viewer=viewer)


def test_the_nearest_player_is_named() -> None:
    with pytest.raises(BadInput, match=r"'ben'; did you mean 'Ben'\? \(Ann, Ben, Cid\)"):
        K.seen_by("ben")
    with pytest.raises(BadInput, match="names no players"):
        Knowledge(Problem(HATS)).seen_by("Ann")
    assert K.seen_by(None).viewer is None
    assert K.seen_by("Ben").seen_by(RECORD) == K


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ("a string", "not understood"),
        ("Ann: plum rope hall\nBen has rope", "an event is one line"),
        ("{}", 'the field "event" is missing'),
        (is_("Rope", "Ann"), "not an event of cluedo"),
        (None, "not an event of cluedo"),
        (Suggestion("Zoe", P), "no player is called 'Zoe'"),
        (Accusation("Zoe", P, correct=False), "no player is called 'Zoe'"),
        (Suggestion("Ann", ("Rope", "Rope", "Hall")), "Rope is named twice"),
        (Suggestion("Ann", ("Rope", "Revolver", "Hall")), "one"),
        (Suggestion("Ann", ("Rope",)), "one"),
        (Suggestion("Ann", P, ("Zoe",)), "no player is called 'Zoe'"),
        (Has("Ann", 3), "3"),
        (Accusation("Ann", P, correct="no"), "no"),
    ],
)
def test_an_event_that_cannot_be_is_refused(event: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        K.tell(event)
    if not isinstance(event, str):
        with pytest.raises(BadInput, match=message):
            Knowledge(GAME, [event])
    assert K.log == ()


def test_lists_are_converted_to_tuples() -> None:
    listed = Suggestion("Ann", list(P), ["Ben"])
    k = K.tell(listed)
    assert k.log == (Suggestion("Ann", P, ("Ben",)),)
    assert k == K.tell(Suggestion("Ann", P, ("Ben",)))
    assert k.count() == K.tell("Ann: plum rope hall; Ben -").count()


def test_a_bare_problem_refuses_what_is_not_a_constraint_about_it() -> None:
    k = Knowledge(Problem(HATS))
    for event, message in (
        (3, "not a constraint: 3"),
        (is_("Zoe", "red"), "no variable 'Zoe'"),
        ("Ann=green", "no value of Ann is called 'green'"),
    ):
        with pytest.raises(BadInput, match=message):
            k.tell(event)


def test_a_log_as_one_text_is_refused() -> None:
    with pytest.raises(BadInput, match=r"deduce\.read"):
        Knowledge(GAME, "Ann: plum rope hall")


@frozen
class Seen:
    who: str
    hats: tuple[int, ...]


@frozen
class Hats:
    """A stranger's game without a check of its own."""

    name = "hats"
    events = (Seen,)

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        return HATS

    def rules(self) -> Iterator[Rule]:
        return iter(())

    def evidence(self, log: Any, viewer: Any) -> Iterator[Evidence]:
        return iter(())


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Seen(3, ()), "who: expected text, not 3"),
        (Seen("Ann", ("x",)), "expected a whole number"),
        (Seen("Ann", 7), "expected a list"),
        (Seen("Ann", (1.5,)), "expected a whole number"),
    ],
)
def test_the_fields_of_a_strangers_events_have_their_types(event: Seen, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Knowledge(Hats()).tell(event)
    assert Knowledge(Hats()).tell(Seen("Ann", [1])).log == (Seen("Ann", (1,)),)


def test_knowledge_is_a_frozen_value() -> None:
    k = K.tell("Ann: plum rope hall; Ben -")
    again = Knowledge(Cluedo(("Ann", "Ben", "Cid")), k.log)
    assert again == k
    assert hash(again) == hash(k)
    assert {k: 1}[again] == 1
    assert K != k != k.seen_by("Ben")
    assert k.undo() == K
    with pytest.raises(AttributeError):
        k.viewer = "Ben"  # type: ignore[misc]
    names = {cls.__name__: cls for cls in (Knowledge, Cluedo, Suggestion)}
    assert eval(repr(k), names) == k  # noqa: S307
    bare = Knowledge(Problem(HATS, [exactly(1, FACTS)]), [is_("Ann", "red")])
    core = [Knowledge, Problem, Rule, Count, type(is_("a", 1))]
    assert eval(repr(bare), {cls.__name__: cls for cls in core}) == bare  # noqa: S307


@pytest.mark.parametrize("number", [-1, 0.5, "3", True])
def test_a_wrong_number_of_samples_is_refused(number: Any) -> None:
    with pytest.raises(BadInput, match="0 or more"):
        K.sample(number, seed=1)
    assert list(K.sample(0, seed=1)) == []


@pytest.mark.parametrize("number", [-1, 0.5, "3", None])
def test_a_wrong_number_of_an_event_is_refused(number: Any) -> None:
    with pytest.raises(BadInput, match="there is no event"):
        K.upto(number)
    with pytest.raises(BadInput, match="there is no event"):
        K.drop(number)


def test_a_likelihood_cannot_be_assumed() -> None:
    with pytest.raises(BadInput, match="neither true nor false"):
        Knowledge(Problem(HATS)).assume(Weigh([is_("Ann", "red")], [1, 2]))


def test_a_wrong_engine_is_named_at_once() -> None:
    with pytest.raises(Unsupported, match="did you mean 'bits'"):
        K.using(engine="bit")
    with pytest.raises(Unsupported, match="did you mean 'bits'"):
        Knowledge(GAME, engine="bit")


def test_the_entropy_of_extreme_weights_is_a_number() -> None:
    tiny = Fraction(1, 10**400)
    assert 0 <= Distribution({("a",): tiny, ("b",): 1 - tiny}).entropy() < 1e-300
    problem = Problem({"x": (0, 1)}, [Weigh([is_("x", 1)], [1, 10**400])])
    assert Knowledge(problem).joint("x").entropy() < 1e-300


def test_a_claim_that_is_not_about_the_game_is_refused() -> None:
    for claim in ("rope", "rope=Zoe", "=", ""):
        with pytest.raises(BadInput):
            K.is_certain(claim)
    with pytest.raises(BadProblem):
        K.is_certain(at_least(1, [is_("Rope", "Zoe")]))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: deduce.read(3),
        lambda: deduce.read(""),
        lambda: deduce.read("a\nb", int),
        lambda: deduce.write(3),
        lambda: deduce.write(K, 3),
        lambda: Knowledge(None),
        lambda: Knowledge(Cluedo),
        lambda: Knowledge(GAME, 3),
        lambda: Knowledge(GAME, budget=3),
        lambda: Knowledge(GAME, assumed=[3]),
        lambda: K.why(None),
        lambda: K.assume(3),
        lambda: K.is_certain(Weigh([is_("Rope", "Ann")], [1, 2])),
        lambda: K.joint("ropp"),
        lambda: K.joint({"a": 3}),
        lambda: K.sample(1, seed=None),  # type: ignore[call-overload]
        lambda: K.contradiction(),
        lambda: K.replace(1, "Ben has rope"),
        lambda: is_([], 1),
        lambda: is_("a", []),
        lambda: Fact("a", "bc"),
        lambda: opposite(3),
        lambda: Problem([]),
        lambda: Problem({"a": 3}),
        lambda: Problem({"a": [1]}, 3),
        lambda: Evidence(is_("a", 1), "1"),
        lambda: Budget("x"),
        lambda: Budget(seconds=float("nan")),
        lambda: copies(["Ann"], {"ace": 1.5}),
        lambda: copies(["Ann"], {"ace": 0, "king": 2}),
        lambda: permutation(["Ann", "Ann"]),
        lambda: permutation(["Ann", "Ben"], [1]),
        lambda: all_different(["Ann"]),
        lambda: Weigh(FACTS, 3),
        lambda: Pigs("5"),
        lambda: Pigs(5, rebels="1"),
        lambda: Pigs(5, rule_set="literal", pile="9"),
        lambda: Pigs(5, weights=dict.fromkeys("PKDFNWJZ", 0.5)),
        lambda: Pigs(5, viewpoint=Viewpoint("2", "ZP", "P")),
        lambda: Quartets(None, {}),
        lambda: Quartets(("Ann", "Ben"), {"a": ("a1", "a2")}, hands=3),
    ],
)
def test_every_entrance_refuses_with_an_error_of_the_family(wrong: Callable[[], object]) -> None:
    with pytest.raises(DeduceError) as refused:
        wrong()
    assert str(refused.value)


@pytest.mark.parametrize("share", [0, -1, "0/5"])
def test_the_share_of_an_alternative_is_above_0(share: Any) -> None:
    with pytest.raises(BadProblem, match="above 0"):
        Instead((), share)
