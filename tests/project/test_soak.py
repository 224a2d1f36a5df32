"""`deduce soak`: honest games pass, planted differences are found, shrunk, written and replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

from deduce.budget import Budget
from deduce.cli.main import cli
from deduce.constraints import Fact, is_
from deduce.engines.count import Counting
from deduce.game import RECORD, Viewer
from deduce.logs.events import read_log
from deduce.problem import Evidence, Problem
from deduce.search.errors import BadGame
from deduce.system import registry
from deduce.testing import soak
from deduce.testing.agreement import hidden_fault
from deduce.testing.cases import Report
from deduce.testing.laws import renamed
from deduce.testing.problems import SHAPES
from deduce.testing.searched import search_fault
from games.classics.nim import Heaps, Nim
from games.cluedo import Cluedo
from games.cluedo.events import Event
from games.cluedo.simulation import random_setup
from tests.project.hats import Hats


# A time limit may end a callback that hypothesis has left with the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_all_games_take_part_and_agree(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        cli, ["soak", "--minutes", "0.01", "--seed", "5", "--to", str(tmp_path), "--json"]
    )
    document = json.loads(result.stdout)
    assert (result.exit_code, document["differences"]) == (0, []), result.output
    assert {*document["rounds"], *document["left_out"]} <= {"problem", *registry.names()}
    assert document["rounds"]
    assert not list(tmp_path.iterdir())


def test_large_problems_take_part_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are asked about in fewer ways than laws are looked at by."""
    looks: list[tuple[str, str]] = []

    def look(problem: Problem, law: str, path: str, *_: Any) -> str:
        looks.append((law, path))
        return ""

    monkeypatch.setattr("deduce.testing.soak.RARE", 1)
    monkeypatch.setattr("deduce.testing.soak.SHAPES", {"wide, large": SHAPES["wide, large"]})
    monkeypatch.setattr("deduce.testing.soak.difference", look)
    assert soak._problem_round("1", Random(1)) is None
    assert {path for _, path in looks} == {"auto", "auto:counting"}


def test_an_engine_that_differs_is_shrunk_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Counting.possible

    def short(self: Counting, *args: Any) -> Mapping[Any, frozenset[Any]]:
        return {variable: frozenset(list(v)[:1]) for variable, v in honest(self, *args).items()}

    monkeypatch.setattr(Counting, "possible", short)
    options = ["--minutes", "0.02", "--game", "cluedo", "--seed", "5", "--to", str(tmp_path)]
    result = CliRunner().invoke(cli, ["soak", *options])
    assert result.exit_code == 1, result.output
    file = min(tmp_path.iterdir())
    case = json.loads(file.read_text())["cases"][0]
    assert len(read_log(case["log"], Cluedo).events) <= 1  # an opening is enough
    report = Report()
    assert any("agreement" in line for line in report.replay(file))
    monkeypatch.undo()
    report = Report()
    assert list(report.replay(file)) == []
    assert report.passed == 1


def test_a_wrong_answer_about_a_problem_is_shrunk_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Counting.joint

    def halved(self: Counting, *args: Any, **kwargs: Any) -> Mapping[Any, Any]:
        table = dict(honest(self, *args, **kwargs))
        return {key: 2 * n if key == min(table, key=repr) else n for key, n in table.items()}

    monkeypatch.setattr(Counting, "joint", halved)
    monkeypatch.chdir(tmp_path)
    options = ["--minutes", "0.02", "--game", "problem", "--seed", "5", "--json"]
    result = CliRunner().invoke(cli, ["soak", *options])
    assert (result.exit_code, json.loads(result.stdout)["seed"]) == (1, 5), result.output
    file = min(tmp_path.iterdir())
    case = json.loads(file.read_text())["cases"][0]
    assert not case["problem"]["rules"]  # none is needed
    report = Report()
    assert [line for line in report.replay(file) if "law: expected" in line]
    monkeypatch.undo()
    report = Report()
    assert (list(report.replay(file)), report.passed) == ([], 1)


def test_a_random_seed_is_printed() -> None:
    runs = [
        CliRunner().invoke(cli, ["soak", "--minutes", "1e-9", "--game", "nim", "--json"])
        for _ in range(2)
    ]
    seeds = [json.loads(run.stdout)["seed"] for run in runs]
    assert all(f"seed: {seed}" in run.stderr for run, seed in zip(runs, seeds, strict=True))


def test_an_interrupt_that_ends_a_search_ends_the_soak(monkeypatch: pytest.MonkeyPatch) -> None:
    from deduce.search.solvers.choose import search_by
    from deduce.testing import searched

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        return evolve(search_by(*args, **kwargs), stopped="interrupt")

    monkeypatch.setattr(searched, "search_by", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search_fault(Nim((1, 2, 3)), seed="1")


class Lying(Cluedo):
    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        yield from super().evidence(log, viewer)
        if log:
            yield Evidence(is_(self.dealt[0], self.players[0]), len(log), "a lie")


def test_evidence_that_excludes_the_deal_is_found() -> None:
    from deduce.logs.events import Log

    faults = []
    for seed in range(8):
        random = Random(seed)
        game = Lying(**random_setup(random))
        world = game.deal(random)
        log = Log(game, game.record(world, random))
        faults.append(hidden_fault(log, RECORD, world, seed=str(seed), budget=Budget(50_000)))
    assert any("true" in fault for fault in faults)


class WrongKey(Nim):
    def key(self, state: Heaps) -> Any:
        return sum(state[0]), state[1]


def test_search_that_differs_is_found() -> None:
    assert search_fault(Nim((1, 2, 3)), seed="1")[0] == ""
    with pytest.raises(BadGame, match="key merges"):
        any(search_fault(WrongKey((1, 2, 2)), seed=str(seed))[0] for seed in range(20))


def test_renaming_keeps_the_number_of_worlds() -> None:
    game = Hats(("Ann", "Ben", "Cid"), red=1)
    problem = Problem(game.variables(), game.rules(), [Evidence(is_("Ann", "blue"), 1)])
    other, names, values = renamed(problem, Random(1))
    assert isinstance(other.evidence[0].constraint, Fact)
    assert other.evidence[0].constraint == is_(names["Ann"], values["blue"])


@pytest.mark.parametrize(
    "case", [{}, {"seed": 1}, {"seed": "1", "log": 3}, {"seed": "1", "log": "x"}]
)
def test_a_broken_case_of_a_soak_fails(case: Any, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps({"format": "cluedo/soak", "cases": [case]}))
    report = Report()
    assert list(report.replay(path))
    assert report.failed == 1
