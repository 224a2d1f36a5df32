"""Best plans against trying everything; saving, replaying, drawing, resuming."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from deduce.batch.results import ResultsFile
from deduce.budget import Budget
from deduce.constraints import Weigh, is_
from deduce.errors import BadInput, Contradiction, Interrupted, Undecided, Unsupported
from deduce.game import Viewer
from deduce.knowledge import Knowledge
from deduce.policy.best import NoPlan, best_plan
from deduce.policy.plan import OBJECTIVES, Plan, Step, plan_from, read_plan
from deduce.policy.solver import Solver
from deduce.problem import Evidence, World
from deduce.system.saved import save
from games.mastermind import Mastermind
from tests.cluster import Cluster
from tests.mastermind import brute


@frozen
class Asking:
    """A secret, and questions with a table of answers."""

    rows: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...] = ()

    def variables(self) -> Mapping[str, Sequence[int]]:
        return {"secret": range(len(self.rows[0]))}

    def rules(self) -> Sequence[Weigh]:
        return [Weigh([is_("secret", 0)], self.weights)] if self.weights else []

    def evidence(self, log: Sequence[Any], viewer: Viewer) -> Sequence[Evidence]:
        return ()

    def inquiries(self, log: Sequence[Any], viewer: Viewer) -> Sequence[int]:
        return range(len(self.rows))

    def answer(self, inquiry: int, world: World) -> int:
        return self.rows[inquiry][world["secret"]]


def found_by(game: Mastermind, **options: Any) -> Plan:
    return best_plan(Knowledge(game), **options)


@pytest.mark.parametrize(
    ("slots", "colours", "repeat"),
    [(2, 2, True), (2, 3, True), (2, 4, True), (3, 2, True), (2, 4, False)],
)
def test_no_plan_of_mastermind_is_better(slots: int, colours: int, repeat: bool) -> None:
    game = Mastermind(slots, colours, repeat)
    codes = brute.codes(slots, "".join(game.colours), repeat=repeat)
    final = lambda answer: answer == (slots, 0)  # noqa: E731
    plan = found_by(game)
    assert plan.proved
    assert plan.total == plan.bound == brute.fewest(codes, codes, brute.answer, final)
    for within in range(1, 5):
        expected = brute.fewest(codes, codes, brute.answer, final, within)
        if expected >= brute.NEVER:
            with pytest.raises(BadInput, match="no plan finds every secret"):
                found_by(game, within=within)
        else:
            limited = found_by(game, within=within)
            assert (limited.total, limited.proved) == (expected, True)
            assert limited.worst <= within
        chance = found_by(game, objective="chance", within=within)
        most = brute.most(codes, codes, brute.answer, final, within)
        assert (chance.found, chance.proved) == (most, True)
    worst = found_by(game, objective="worst")
    assert brute.fewest(codes, codes, brute.answer, final, worst.worst - 1) >= brute.NEVER
    assert worst.total == brute.fewest(codes, codes, brute.answer, final, worst.worst)


@given(data=st.data())
def test_no_plan_of_any_questions_is_better(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 7))
    row = st.lists(st.integers(0, 2), min_size=size, max_size=size).map(tuple)
    rows = tuple(data.draw(st.lists(row, min_size=1, max_size=5)))
    knowledge = Knowledge(Asking(rows))
    if len(set(zip(*rows, strict=True))) < size:
        with pytest.raises(BadInput, match="same answers to all questions"):
            best_plan(knowledge)
        return
    secrets, questions = range(size), range(len(rows))
    answered = lambda secret, question: rows[question][secret]  # noqa: E731
    plan = best_plan(knowledge)
    assert plan.proved
    assert plan.total == brute.fewest(secrets, questions, answered, None)
    assert plan.found == size
    within = data.draw(st.integers(0, 3))
    chance = best_plan(knowledge, objective="chance", within=within)
    assert chance.found == brute.most(secrets, questions, answered, None, within)
    worst = best_plan(knowledge, objective="worst")
    assert worst.total == brute.fewest(secrets, questions, answered, None, worst.worst)
    assert size == 1 or brute.fewest(secrets, questions, answered, None, worst.worst - 1) > 999


class Endless(Asking):
    """A game with ``ends``, although no answer ends it."""

    def ends(self, inquiry: int, answer: object) -> bool:
        return False


class Guessing(Asking):
    """Questions 1 and more are guesses, whose answer is True or False; that to 0 is a number."""

    def answer(self, inquiry: int, world: World) -> int:
        return super().answer(inquiry, world) if inquiry == 0 else world["secret"] == inquiry - 1

    def ends(self, inquiry: int, answer: object) -> bool:
        return inquiry > 0 and answer is True


def test_a_game_that_no_answer_ends_is_over_when_the_secret_is_certain() -> None:
    plan = best_plan(Knowledge(Endless(((0, 1, 2),))))
    assert (plan.total, plan.worst, plan.found) == (3, 1, 3)


def test_true_to_one_question_is_not_1_to_another() -> None:
    plan = best_plan(Knowledge(Guessing(((0, 1, 2), (), (), ()))))
    assert (plan.total, plan.worst, plan.found) == (6, 3, 3)


def test_a_plan_may_have_any_number_of_questions() -> None:
    game = Mastermind(2, 3)
    best = found_by(game)
    for objective in ("expected", "worst", "chance"):
        plan = found_by(game, objective=objective, within=10**9)
        assert (plan.found, plan.proved) == (9, True)
        assert objective == "chance" or plan.total == best.total


def test_a_beam_finds_a_good_plan_where_the_proof_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Mastermind(slots=4, colours=6, repeat=False)
    none = Budget(steps=1)
    # All first guesses are alike and leave at most 88 codes, which the beam solves exactly: so its
    # plan is proved to be the best one.
    assert found_by(game, budget=none, width=1).proved
    monkeypatch.setattr("deduce.policy.first_questions.EXACT", 5)
    game = Mastermind(slots=3, colours=6)
    quick, good = found_by(game, budget=none), found_by(game, budget=none, width=2)
    assert not good.proved
    assert good.found == 216
    assert good.bound <= 854 < good.total < quick.total
    small = Mastermind(slots=3, colours=4)
    searched, best = found_by(small, width=2), found_by(small)
    assert (searched.total, searched.proved) == (best.total, True)
    with pytest.raises(BadInput, match="the width of a beam is 0 or more"):
        found_by(game, width=-1)


def test_a_game_too_large_for_a_search_gets_a_plan_of_one_step(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    random = Random(5)
    table = tuple(tuple(random.randrange(3) for _ in range(60)) for _ in range(12))
    for game in (Mastermind(slots=3, colours=4), Asking(table)):
        knowledge = Knowledge(game)
        best = best_plan(knowledge)
        monkeypatch.setattr("deduce.policy.best.MAX_ENTRIES", 10)
        for at_once in (1, 3000):  # from many tables, and from one
            monkeypatch.setattr("deduce.policy.best.AT_ONCE", at_once)
            plan = best_plan(knowledge)
            assert (plan.found, plan.proved) == (plan.secrets, False)
            assert plan.bound <= best.total <= plan.total <= 1.05 * best.total
            plan.save(tmp_path / "plan.json")
            assert read_plan(tmp_path / "plan.json", knowledge).total == plan.total
        monkeypatch.undo()
    monkeypatch.setattr("deduce.policy.best.MAX_ENTRIES", 3)
    for at_once in (1, 3000):
        monkeypatch.setattr("deduce.policy.best.AT_ONCE", at_once)
        with pytest.raises(BadInput, match="the same answers to all questions"):
            best_plan(Knowledge(Asking(((0, 0, 1, 2), (1, 1, 1, 0)))))
    monkeypatch.setattr("deduce.policy.task.MAX_ENTRIES", 10)
    with pytest.raises(Unsupported, match="too many for a plan that is searched"):
        found_by(Mastermind(slots=2, colours=3), objective="worst")


class Ticking:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize("options", [{}, {"width": 2}, {"objective": "worst"}])
def test_every_loop_of_a_plan_owns_the_clock(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short the limit, little is done after it, and a plan has every secret."""
    game = Mastermind(slots=4, colours=4)
    monkeypatch.setattr("deduce.policy.first_questions.EXACT", 5)
    best = found_by(game, objective=options.get("objective", "expected")).total
    proved, undecided = [], 0
    for seconds in (1, 100, 300, 10_000):
        monkeypatch.setattr("deduce.policy.first_questions._tasks", {})
        clock = Ticking()
        try:
            plan = found_by(
                game, budget=Budget(steps=None, seconds=seconds, clock=clock), **options
            )
        except Undecided:
            undecided += 1
        else:
            assert plan.found == 256
            assert plan.bound <= best <= plan.total
            assert plan.proved == (plan.bound == plan.total)
            proved.append(plan.proved)
        assert clock.now < seconds + 150
    assert undecided
    assert proved[-1]
    assert options.get("objective") or not all(proved)


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_without_a_plan_within_so_few_questions_a_longer_one_is_known(objective: str) -> None:
    """The quick plan of a part needs more questions than there are: it is not put together."""
    for game, within in ((Mastermind(2, 8), 5), (Mastermind(3, 6, repeat=False), 4)):
        with pytest.raises(Undecided, match=f"no plan within {within} questions") as raised:
            found_by(game, objective=objective, within=within, budget=Budget(steps=0))
        longer = raised.value.known
        assert longer.found == game.codes
        assert within < longer.worst
        assert not longer.proved
        assert str(raised.value).endswith(f"needs {longer.worst}")
        with pytest.raises(NoPlan):
            found_by(game, objective=objective, within=within)


def test_the_worst_case_has_a_plan_and_two_bounds_when_the_budget_ends() -> None:
    for game in (Mastermind(2, 8), Mastermind(3, 5), Mastermind(4, 4)):
        plan = found_by(game, objective="worst", budget=Budget(steps=0))
        best = found_by(game, objective="worst")
        assert plan.found == game.codes
        assert plan.worst_bound is not None
        assert plan.worst_bound <= best.worst <= plan.worst
        assert plan.bound <= best.total
        assert not plan.proved
        assert (best.worst_bound, best.proved) == (best.worst, True)


@pytest.mark.parametrize(
    ("objective", "within"), [("expected", None), ("expected", 5), ("worst", None), ("chance", 3)]
)
def test_ctrl_c_leaves_the_best_plan_so_far(
    objective: str, within: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it comes after the first plan, there is one with its bound."""
    game = Mastermind(3, 5)
    best = found_by(game, objective=objective, within=within)
    step, steps = Solver.step, 0

    def interrupted(solver: Solver) -> None:
        nonlocal steps
        steps -= 1
        if steps == -1:
            raise KeyboardInterrupt
        step(solver)

    monkeypatch.setattr(Solver, "step", interrupted)
    for after in (0, 5):
        steps = after
        with pytest.raises(Interrupted, match="before any plan could be made"):
            found_by(game, objective=objective, within=within)
    for after in (30, 35, 40, 60, 90):
        steps = after
        plan = found_by(game, objective=objective, within=within)
        assert plan.interrupted == (steps < 0)
        if objective == "chance":
            assert 0 < plan.found <= best.found <= plan.bound
        else:
            assert plan.found == game.codes
            assert plan.bound <= best.total <= plan.total
    assert plan.interrupted or plan == best


def test_a_plan_is_saved_and_read(tmp_path: Path) -> None:
    knowledge = Knowledge(Mastermind(2, 4))
    plan = best_plan(knowledge)
    path = tmp_path / "plan.json"
    plan.save(path)
    assert read_plan(path, knowledge) == evolve(plan, proved=False, bound=0)
    assert plan.expected == plan.total / 16
    text = str(plan)
    assert plan.first is not None
    assert text.splitlines()[0] == f"ask {''.join(plan.first.inquiry)}"  # type: ignore[arg-type]
    assert list(plan.outline(depth=1)) == text.splitlines()[:1]
    assert plan.to_dot(2).count("->") == len(plan.first.after)
    document, digests = plan.document(), json.loads(path.read_text())
    for name, value, message in (
        ("total", 1, "does not take the number"),
        ("schema", "x", "the schema 'deduce/plan/1'"),
        ("within", "x", "missing or wrong"),
        ("within", 1, "needs 4 questions, not at most 1"),
        ("plan", {"ask": "99"}, "'99' is not a question of it"),
        ("plan", {"then": {}}, "a question, 'ask'"),
        ("plan", {"ask": "11", "then": []}, "a question, 'ask'"),
        ("plan", {"ask": "11", "then": {"x": {"ask": "11"}}}, "'x' is not an answer to '11'"),
        ("plan", [1], "a question, 'ask'"),
        ("plan", _deep(300), "a plan of more than 100 questions"),
    ):
        path.write_text(json.dumps(digests | {name: value}))
        with pytest.raises(BadInput, match=f"{name}: damaged|the schema"):
            read_plan(path, knowledge)
        save(path, document | {name: value})
        with pytest.raises(BadInput, match=message):
            read_plan(path, knowledge)
    path.write_text("{")
    with pytest.raises(BadInput, match="not JSON"):
        read_plan(path, knowledge)
    with pytest.raises(BadInput, match="larger than 64 MiB"):
        read_plan("/dev/zero", knowledge)


def _deep(depth: int) -> dict[str, Any]:
    return {"ask": "11", "then": {"1 black, 0 white": _deep(depth - 1)} if depth else {}}


def test_a_plan_is_followed_answer_by_answer() -> None:
    knowledge = Knowledge(Mastermind(2, 4))
    plan = best_plan(knowledge)
    for world in knowledge.worlds():
        asked = plan.play(world)
        for number in range(len(asked)):
            assert plan.next([answer for _, answer in asked[:number]]) == asked[number][0]
        assert plan.next([answer for _, answer in asked]) is None
    with pytest.raises(BadInput, match="is not in the plan"):
        plan.next([(7, 7), (0, 0)])


def test_the_plan_is_the_same_after_an_interruption(
    tmp_path: Path,
) -> None:
    knowledge = Knowledge(Mastermind(3, 4))
    alone = best_plan(knowledge)
    path = tmp_path / "parts.jsonl"
    assert best_plan(knowledge, path=path) == alone
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) > 4
    path.write_text("".join(lines[:4]))  # it was ended after three parts
    again: list[int] = []
    assert best_plan(knowledge, path=path, progress=lambda done, total: again.append(done)) == alone
    assert len(again) == len(lines) - 4
    with pytest.raises(BadInput, match="something else"):
        best_plan(Knowledge(Mastermind(3, 3)), path=path)
    header = json.loads(lines[0])
    del header["digest"]
    with ResultsFile(path, header) as file:
        assert len(list(file.rows())) == len(lines) - 1


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_plans_by_several_processes_are_the_best(objective: str) -> None:
    """No plan is better, by trying every question; and one process has the same plan."""
    random = Random(objective)
    size = 9
    rows = tuple(tuple(random.randrange(3) for _ in range(size)) for _ in range(6))
    codes = brute.codes(2, "1234", repeat=True)
    final = lambda answer: answer == (2, 0)  # noqa: E731
    answered = lambda secret, question: rows[question][secret]  # noqa: E731
    games: list[tuple[Any, Any]] = [
        (Asking(rows), partial(brute.fewest, range(size), range(len(rows)), answered, None)),
        (Mastermind(2, 4), partial(brute.fewest, codes, codes, brute.answer, final)),
    ]
    for game, fewest_of in games:
        knowledge = Knowledge(game)
        plan = best_plan(knowledge, objective=objective, jobs=2)
        within = plan.worst if objective == "worst" else None
        assert plan == best_plan(knowledge, objective=objective)
        assert (plan.proved, plan.total) == (True, fewest_of(within))
        if within:
            assert fewest_of(within - 1) >= brute.NEVER


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_saved_plan_is_not_proved_whatever_the_file_says(tmp_path: Path, objective: str) -> None:
    knowledge = Knowledge(Mastermind(2, 4))
    within = 3 if objective == "chance" else None
    plan = best_plan(knowledge, objective=objective, within=within)
    path = tmp_path / "plan.json"
    plan.save(path)
    assert plan.proved
    assert not read_plan(path, knowledge).proved
    assert plan.first is not None
    if objective == "chance":
        worse = best_plan(knowledge, objective=objective, within=2)
    else:  # the first question is asked twice
        twice = {
            answer: Step(plan.first.inquiry, {answer: step})
            for answer, step in plan.first.after.items()
        }
        worse = plan_from(knowledge, Step(plan.first.inquiry, twice), objective=objective)
    figures = {"within": within, "bound": worse.total, "proved": True, "worst_bound": worse.worst}
    save(path, worse.document() | figures)
    assert not read_plan(path, knowledge).proved


def test_parts_that_this_account_did_not_write_are_solved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    knowledge = Knowledge(Mastermind(3, 3))
    path = tmp_path / "parts.jsonl"
    plan = best_plan(knowledge, path=path)
    parts: list[int] = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # as if by another account
    assert best_plan(knowledge, path=path, progress=lambda done, total: parts.append(done)) == plan
    assert len(parts) == len(path.read_text().splitlines()) - 1
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")  # one that can keep no key
    assert best_plan(knowledge, path=path) == plan


@pytest.mark.parametrize("is_old", [False, True])
def test_a_changed_number_in_a_file_of_results_is_never_believed(
    tmp_path: Path,
    is_old: bool,
) -> None:
    knowledge = Knowledge(Mastermind(3, 3))
    path = tmp_path / "parts.jsonl"
    best_plan(knowledge, path=path)
    header, *rows = map(json.loads, path.read_text().splitlines())
    for number, row in enumerate(rows):
        changed = [*rows]
        changed[number] = row | {"value": row["value"] + 1}
        path.write_text("".join(json.dumps(each) + "\n" for each in [header, *changed]))
        with pytest.raises(BadInput, match=f":{number + 2}: damaged"):
            best_plan(knowledge, path=path)
        rewrite(path, [header, *changed], is_old=is_old)
        with pytest.raises(BadInput, match=f"trial {row['trial']}: the value is"):
            best_plan(knowledge, path=path)


def rewrite(path: Path, lines: list[dict[str, Any]], *, is_old: bool) -> None:
    """Write lines with digests that are right, or without any, as older versions did."""
    path.unlink()
    plain = [{name: each[name] for name in each if name != "digest"} for each in lines]
    if is_old:
        del plain[0]["format"]
        path.write_text("".join(json.dumps(each) + "\n" for each in plain))
        return
    with ResultsFile(path, plain[0]) as file:
        for row in plain[1:]:
            file.add(row)


def test_the_plan_is_the_same_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    pytest.importorskip("distributed", reason="distributed (the extra 'cluster') is not installed")
    knowledge = Knowledge(Mastermind(2, 4))
    cluster = Cluster(tmp_path, workers=1)
    try:
        assert best_plan(knowledge, scheduler=cluster.address) == best_plan(knowledge)
    finally:
        cluster.close()


def test_what_has_no_plan_is_refused() -> None:
    rows = ((0, 1, 2),)
    with pytest.raises(Unsupported, match="these have weights"):
        best_plan(Knowledge(Asking(rows, (1, 2))))
    for options, message in (
        ({"objective": "luck"}, "expected, worst, chance"),
        ({"within": -1}, "0 or more"),
        ({"objective": "chance"}, "needs a number of questions"),
    ):
        with pytest.raises(BadInput, match=message):
            best_plan(Knowledge(Asking(rows)), **options)
    with pytest.raises(Contradiction):
        best_plan(Knowledge(Asking(rows)).assume("secret=1", "secret=2"))
