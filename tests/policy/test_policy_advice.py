"""Advice for any game, against the plain definition over the list of all worlds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log2
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.constraints import Constraint, Fact, Weigh, at_least, is_, is_not
from deduce.errors import BadInput, BrokenPlugin, Contradiction, Undecided, Unsupported
from deduce.game import Viewer
from deduce.knowledge import Knowledge
from deduce.policy import advise as module
from deduce.policy import arrays, rating
from deduce.policy.advice import RANKINGS, UNKNOWN, Advice, RatedInquiry, computed, known
from deduce.policy.inquiries import answers_to
from deduce.policy.show import advice_json, advice_tables
from deduce.problem import Evidence, Instead, World, is_true
from tests.project.hats import Hats

VALUES = ("x", "y", "z")


@frozen
class Drawn:
    """A game whose questions are drawn at random: each reads some variables."""

    rows: tuple[tuple[tuple[int, ...], tuple[Any, ...]], ...]
    """For each question the variables that it reads, and the answer to each combination."""
    constraints: tuple[Constraint, ...] = ()
    targets: tuple[Any, ...] = ()
    variables_: int = field(default=3, kw_only=True)

    def variables(self) -> Mapping[str, Sequence[str]]:
        return {f"v{i}": VALUES for i in range(self.variables_)}

    def rules(self) -> Sequence[Constraint]:
        return self.constraints

    def evidence(self, log: Sequence[Any], viewer: Viewer) -> Iterator[Evidence]:
        yield from ()

    def questions(self) -> Sequence[Any]:
        return self.targets

    def inquiries(self, log: Sequence[Any], viewer: Viewer) -> Sequence[int]:
        return range(len(self.rows))

    def answer(self, inquiry: int, world: World) -> Any:
        read, answers = self.rows[inquiry]
        index = 0
        for i in read:
            index = index * len(VALUES) + VALUES.index(world[f"v{i}"])
        answer = answers[index % len(answers)]
        return dict(answer) if isinstance(answer, tuple) else answer


@frozen
class Scoped(Drawn):
    """The same, stating what each question reads."""

    def scope(self, inquiry: int) -> list[str]:
        return [f"v{i}" for i in self.rows[inquiry][0]]


class Alike(Scoped):
    """The same, in which questions with the same answers are alike."""

    def alike(self, inquiry: int, log: Sequence[Any]) -> Hashable:
        return self.rows[inquiry][1]


CHOICE = (
    (("a", Fraction(1, 2)), ("b", Fraction(1, 2))),
    (("b", Fraction(1, 3)), ("c", Fraction(2, 3))),
)
FACTS = st.builds(lambda i, v: is_(f"v{i}", v), st.integers(0, 2), st.sampled_from(VALUES))


@st.composite
def drawn(draw: st.DrawFn, cls: type[Drawn] = Drawn) -> Drawn:
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        read = tuple(draw(st.lists(st.integers(0, 2), unique=True, max_size=3)))
        answers = draw(st.lists(st.sampled_from(("a", "b", "c", *CHOICE)), min_size=1, max_size=9))
        rows.append((read, tuple(answers)))
    constraints: list[Constraint] = []
    for facts in draw(
        st.lists(
            st.lists(FACTS, min_size=1, max_size=3, unique_by=lambda f: f.variable), max_size=2
        )
    ):
        if draw(st.booleans()):
            weights = draw(
                st.lists(st.integers(1, 5), min_size=len(facts) + 1, max_size=len(facts) + 1)
            )
            constraints.append(Weigh(facts, [Fraction(w, 3) for w in weights]))
        else:
            constraints.append(at_least(1, facts))
    asked = [f"v{i}" for i in draw(st.lists(st.integers(0, 2), unique=True, max_size=2))]
    targets = [
        {"yes": is_(v, "x"), "no": is_(v, "y", "z")} if draw(st.booleans()) else v for v in asked
    ]
    return cls(tuple(rows), tuple(constraints), tuple(targets))


def entropy(weights: Sequence[Fraction]) -> float:
    total = sum(weights)
    return -sum(float(w / total) * log2(w / total) for w in weights if w)


def solution(game: Drawn, world: World) -> Hashable:
    if not game.targets:
        return tuple(world.items())
    answers: list[Hashable] = []
    for target in game.targets:
        if isinstance(target, Mapping):
            facts: Mapping[str, Fact] = target
            answers.append(next(label for label, fact in facts.items() if is_true(fact, world)))
        else:
            answers.append(world[target])
    return tuple(answers)


def check(knowledge: Knowledge, advice: Advice, *, weighted: bool) -> None:
    game: Any = knowledge.game
    weight = rating.integer_weight(knowledge) if weighted else (lambda world: 1)
    worlds = [(world, Fraction(weight(world))) for world in knowledge.worlds()]
    total = sum(share for _, share in worlds)

    def by_solution(rows: Sequence[tuple[World, Fraction]]) -> list[Fraction]:
        table: dict[Hashable, Fraction] = {}
        for world, share in rows:
            key = solution(game, world)
            table[key] = table.get(key, Fraction(0)) + share
        return list(table.values())

    now = entropy(by_solution(worlds))
    if advice.entropy_bits is not UNKNOWN:
        assert advice.entropy_bits == pytest.approx(now, abs=1e-9)
    for rated in advice.ranking:
        after: dict[Hashable, list[tuple[World, Fraction]]] = {}
        for world, share in worlds:
            for answer, chance in answers_to(game, rated.inquiry, world):
                after.setdefault(answer, []).append((world, share * chance))
        assert {o.answer for o in rated.outcomes} == after.keys()
        left = 0.0
        is_done = []
        for outcome in rated.outcomes:
            rows = after[outcome.answer]
            probability = sum(share for _, share in rows) / total
            assert outcome.probability == probability
            bits = entropy(by_solution(rows))
            left += float(probability) * bits
            if outcome.bits_left is not UNKNOWN:
                assert outcome.bits_left == pytest.approx(bits, abs=1e-7)
            if outcome.solutions is not UNKNOWN:
                assert outcome.solutions == len(by_solution(rows))
            if outcome.worlds is not UNKNOWN:
                assert outcome.worlds == len(rows)
            is_done.append(probability * (len(by_solution(rows)) == 1))
        if rated.done is not UNKNOWN:
            assert rated.done == sum(is_done)
        assert rated.gain_bits == pytest.approx(now - left, abs=1e-8)


@pytest.mark.parametrize("way", ["arrays", "dictionaries", "joint"])
@given(data=st.data(), weighted=st.booleans(), by=st.sampled_from(RANKINGS))
def test_advice_is_what_the_definition_says(
    way: str, data: st.DataObject, weighted: bool, by: str
) -> None:
    scoped = way == "joint" or data.draw(st.booleans())
    knowledge = Knowledge(data.draw(drawn(Scoped if scoped else Drawn)))
    with pytest.MonkeyPatch.context() as patch:
        if way == "dictionaries":
            patch.setattr(module, "MAX_EXACT", 0)
        elif way == "joint":
            patch.setattr(module, "MAX_WORLDS", -1)
        elif data.draw(st.booleans()):
            patch.setattr(arrays, "MAX_KEYS", 2)
        try:
            advice = knowledge.advise(by=by, weighted=weighted, samples=0)
        except Contradiction:
            assert not knowledge.is_consistent()
            return
    assert advice.method == ("joint" if way == "joint" else "worlds")
    check(knowledge, advice, weighted=weighted)
    if by != "done" and (way != "joint" or by != "information"):
        assert all(rated.worst_worlds is not UNKNOWN for rated in advice.ranking)
    best: Callable[[RatedInquiry], float] = {
        "information": lambda rated: rated.gain_bits,
        "expected": lambda rated: -computed(rated.expected_worlds),
        "worst": lambda rated: -computed(rated.worst_worlds),
        "done": lambda rated: float(computed(rated.done)),
    }[by]
    values = [best(rated) for rated in advice.ranking]
    assert all(first >= second - 1e-6 for first, second in pairwise(values))
    top = sum(values[0] - value <= 1e-9 for value in values)
    assert advice.ranking.ties == len(advice.best()) >= top


@frozen
class Dial:
    """A hidden number, about which it is asked whether it is 0 or 1."""

    numbers: int
    rule: Constraint
    seen: tuple[Evidence, ...] = ()

    def variables(self) -> dict[str, range]:
        return {"dial": range(self.numbers)}

    def rules(self) -> list[Constraint]:
        return [self.rule]

    def evidence(self, log: Sequence[Any], viewer: Any) -> tuple[Evidence, ...]:
        return self.seen

    def inquiries(self, log: Sequence[Any], viewer: Any) -> range:
        return range(2)

    def answer(self, inquiry: int, world: World) -> bool:
        return bool(world["dial"] == inquiry)

    def scope(self, inquiry: int) -> tuple[str]:
        return ("dial",)


def test_the_chance_that_all_is_certain_is_right_or_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    knowledge = Knowledge(Dial(300, Weigh([is_("dial", 0)], (1, 3))))
    listed_ = knowledge.advise(by="done").ranking
    assert [rated.done for rated in listed_] == [Fraction(3, 302), Fraction(1, 302)]
    monkeypatch.setattr(module, "MAX_WORLDS", -1)
    joint = knowledge.advise(by="done")
    assert (joint.method, list(map(done, joint.ranking))) == ("joint", list(map(done, listed_)))
    by_information = knowledge.advise()
    assert [rated.done for rated in by_information.ranking] == [UNKNOWN, UNKNOWN]
    assert [row[4] for row in advice_tables(by_information)[0].rows] == ["?", "?"]
    assert [row["done"] for row in advice_json(by_information, 2)["questions"]] == [None, None]
    with pytest.raises(Undecided, match="how many solutions each answer leaves was not counted"):
        knowledge.advise(by="done", samples=100)


def test_a_world_of_weight_0_is_counted_but_does_not_remain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = Evidence(is_("dial", 0), 1, doubt=1, instead=[Instead(is_not("dial", 0))])
    knowledge = Knowledge(Dial(3, is_not("dial"), (wrong,)))
    assert [rated.done for rated in knowledge.advise(by="done").ranking] == [1, 0]
    expected = [rated.expected_worlds for rated in knowledge.advise(by="expected").ranking]
    monkeypatch.setattr(module, "MAX_WORLDS", -1)
    assert [rated.done for rated in knowledge.advise(by="done").ranking] == [1, 0]
    joint = knowledge.advise(by="expected")
    assert joint.method == "joint"
    assert [rated.expected_worlds for rated in joint.ranking] == expected


def done(rated: RatedInquiry) -> Fraction:
    return computed(rated.done)


def test_an_estimate_states_its_error() -> None:
    rows = tuple(((i, (i + 1) % 6), ("a", "b", "c", "a", *CHOICE)) for i in range(6))
    game = Drawn(
        rows, (at_least(2, [is_(f"v{i}", "x") for i in range(6)]),), ("v0", "v3"), variables_=6
    )
    knowledge = Knowledge(game)
    exact = {rated.inquiry: rated.gain_bits for rated in knowledge.advise(samples=0).ranking}
    deviations = []
    for seed in range(5):
        estimate = knowledge.advise(samples=2000, seed=seed)
        assert (estimate.method, estimate.worlds) == ("samples", 2000)
        assert estimate.entropy_bits == knowledge.advise().entropy_bits
        deviations += [
            (rated.gain_bits - exact[rated.inquiry]) / rated.error
            for rated in estimate.ranking
            if rated.error > 1e-6
        ]
    assert len(deviations) >= 20
    assert 0.4 < (sum(z * z for z in deviations) / len(deviations)) ** 0.5 < 2
    assert knowledge.advise(samples=2000, seed=1) == knowledge.advise(samples=2000, seed=1)


@settings(max_examples=15)
@given(data=st.data())
def test_estimates_by_arrays_and_by_dictionaries_are_equal(data: st.DataObject) -> None:
    knowledge = Knowledge(data.draw(drawn(Scoped)))
    with pytest.MonkeyPatch.context() as patch:
        try:
            by_arrays = knowledge.advise(samples=400)
        except Contradiction:
            return
        patch.setattr(module, "MAX_EXACT", 0)
        plain = knowledge.advise(samples=400)
    assert by_arrays.method == plain.method == "samples"
    expected = {rated.inquiry: rated for rated in plain.ranking}
    for rated in by_arrays.ranking:
        other = expected[rated.inquiry]
        assert rated.gain_bits == pytest.approx(other.gain_bits, abs=1e-8)
        assert rated.error == pytest.approx(other.error, abs=1e-8)
        outcomes = {outcome.text: outcome for outcome in other.outcomes}
        assert set(outcomes) == {outcome.text for outcome in rated.outcomes}
        for outcome in rated.outcomes:
            same = outcomes[outcome.text]
            assert (outcome.probability, outcome.solutions) == (same.probability, same.solutions)
            assert outcome.worlds is same.worlds is UNKNOWN
            assert known(outcome.bits_left) == pytest.approx(known(same.bits_left), abs=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "luck"}, "cannot be ranked by 'luck'"),
        ({"samples": -1}, "0 or more, not -1"),
        ({"samples": 3}, "cannot distinguish 3 solutions"),
        ({"inquiries": [0, 0]}, "listed twice"),
        ({"inquiries": [[0]]}, "hashables"),
    ],
)
def test_wrong_options_are_refused(options: Mapping[str, Any], message: str) -> None:
    knowledge = Knowledge(Drawn((((0,), ("a", "b", "c")),), (), ("v0",)))
    with pytest.raises(BadInput, match=message):
        knowledge.advise(**options)


def test_a_game_without_questions_has_no_advice() -> None:
    with pytest.raises(Unsupported, match="in the game 'hats' nothing can be asked"):
        Knowledge(Hats(("Ann", "Ben"))).advise()


def test_probabilities_that_do_not_add_up_are_refused() -> None:
    half = (("a", Fraction(1, 2)),)
    with pytest.raises(BadInput, match="sum to 1"):
        Knowledge(Drawn((((0,), (half,)),))).advise()


def test_an_answer_that_raises_is_a_failure_of_the_game() -> None:
    class Broken(Drawn):
        def answer(self, inquiry: int, world: World) -> Any:
            return [*range(0)][inquiry]

    named = r"answer\(\) of Broken fails for the question 0: IndexError: .* \(.*, line \d+\)"
    with pytest.raises(BrokenPlugin, match=named):
        Knowledge(Broken((((0,), ("a",)),))).advise()


def test_a_scope_that_does_not_exist_is_refused() -> None:
    class Wrong(Drawn):
        def scope(self, inquiry: int) -> list[str]:
            return ["v9"]

    with pytest.raises(BadInput, match="'v9', which does not exist"):
        Knowledge(Wrong((((0,), ("a",)),))).advise()


def test_an_answer_that_reads_more_than_its_scope_is_a_failure_of_the_game() -> None:
    class Wide(Drawn):
        def scope(self, inquiry: int) -> list[str]:
            return ["v0"]

    with pytest.raises(BrokenPlugin, match="fails for the question 0: KeyError: 'v1'"):
        Knowledge(Wide((((0, 1), ("a", "b", "c")),))).advise()


@frozen
class Higher:
    """A number from 1 to 8."""

    name = "higher"

    def variables(self) -> Mapping[str, Sequence[int]]:
        return {"number": range(1, 9)}

    def rules(self) -> Sequence[Constraint]:
        return ()

    def evidence(self, log: Sequence[Any], viewer: Viewer) -> Sequence[Evidence]:
        return ()

    def inquiries(self, log: Sequence[Any], viewer: Viewer) -> Sequence[int]:
        return range(2, 9)

    def answer(self, inquiry: int, world: World) -> str:
        return "yes" if world["number"] >= inquiry else "no"

    def format_inquiry(self, inquiry: int) -> str:
        return f"at least <{inquiry}>?"


def test_advice_is_shown_as_text_and_html() -> None:
    advice = Knowledge(Higher()).advise()
    lines = str(advice).splitlines()
    assert lines[0] == "What to ask; 3.00 bits are unknown"
    assert lines[2].split() == ["at", "least", "<5>?", "1.000", "bits", "4", "4", "0%"]
    assert "Answers to at least <5>?:" in lines
    html = advice._repr_html_()
    assert "at least &lt;5&gt;?" in html
    assert "<5>" not in html


@pytest.mark.parametrize("by", RANKINGS)
def test_numbers_beyond_all_floats(by: str) -> None:
    """Of 3^800 worlds, and of worlds whose weights are products of 1,000 likelihoods."""
    many = Scoped((((0,), ("p", "q", "r")), ((1,), ("p",))), variables_=800)
    ranking = Knowledge(many).advise(by=by, samples=0).ranking
    gains = {rated.inquiry: rated.gain_bits for rated in ranking}
    assert gains == {0: pytest.approx(log2(3)), 1: 0}
    assert [rated.expected_worlds for rated in ranking] == [
        3 ** (799 if rated.inquiry == 0 else 800) for rated in ranking
    ]
    weighed = [Weigh([is_("v0", "x")], [1, 3]), *[Weigh([is_("v1", "x")], [1, 10**9])] * 1000]
    told = Drawn((((0,), ("p", "q", "r")), ((1,), ("p", "q", "r"))), tuple(weighed))
    advice = Knowledge(told).advise(by=by)
    gain = log2(5) - 3 / 5 * log2(3)
    assert {rated.inquiry: rated.gain_bits for rated in advice.ranking} == {
        0: pytest.approx(gain), 1: 0,
    }  # fmt: skip
    for table in advice_tables(Knowledge(many).advise(by=by, samples=0)):
        assert str(table)


def test_what_has_no_weight_has_no_entropy() -> None:
    assert rating.entropy({"Plum": 0}) == rating.entropy({}) == 0
    assert rating.entropy({"Plum": 0, "Green": 1, "White": Fraction(1)}) == 1


def test_a_question_about_a_variable_twice_is_not_one_about_the_whole_world() -> None:
    game = Drawn((((0,), ("a", "b", "b")),), (), ("v1", "v1"), variables_=2)
    assert Knowledge(game).advise().ranking[0].gain_bits == 0


def test_a_weight_of_0_tells_questions_apart_where_worlds_are_not_weighed() -> None:
    weigh = Weigh([is_("v0", "x"), is_("v1", "x")], [1, 0, 1, 1], amounts=(1, 2))
    asked = tuple(((i,), ("yes", "no", "no")) for i in range(2))
    advice = Knowledge(Alike(asked, (weigh,), variables_=2)).advise(weighted=False)
    check(Knowledge(Alike(asked, (weigh,), variables_=2)), advice, weighted=False)
