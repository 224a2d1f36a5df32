"""Knowledge that was told one event after the other is equal to knowledge of the whole log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import pytest

from deduce import Budget, Evidence, Knowledge, Problem, Weigh, at_least, exactly, is_, is_not
from deduce.constraints import Constraint, Fact
from deduce.engines import choose
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count import Counting
from deduce.engines.solve.bits import Bits
from deduce.errors import Undecided
from deduce.logic import knows
from deduce.logs.events import Log, read_log, write_log
from games.cluedo import Cluedo
from games.minesweeper.game import Minesweeper
from games.secret_hitler import SecretHitler
from tests.benchmarks.situations import minefield, position


def test_a_track_of_cluedo_has_the_answers_of_the_whole_log() -> None:
    game, log = position(3, 4, 20).game, position(3, 4, 20).log
    told = Knowledge(game)
    for number, event in enumerate(log, 1):
        told = told.tell(event)
        whole = Knowledge(told.game, log[:number])
        assert told.problem == whole.problem
        assert told.shares() == whole.shares()


def test_the_evidence_after_some_events_is_the_rest_of_the_evidence() -> None:
    for knowledge in (position(1, 4, 12), minefield(1, 20)):
        game, log = knowledge.game, knowledge.log
        whole = tuple(game.evidence(log, knowledge.viewer))
        for number in range(len(log) + 1):
            earlier = tuple(game.evidence(log[:number], knowledge.viewer))
            after = tuple(game.evidence_after(log, number, knowledge.viewer))  # type: ignore[attr-defined]
            assert earlier + after == whole
    assert isinstance(game, Minesweeper)


def test_an_event_that_excludes_no_world_is_not_counted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hats = dict.fromkeys(("Ann", "Ben", "Cid"), ("red", "blue", "green"))
    told = Knowledge(
        Problem(hats), [is_not("Ann", "red"), at_least(1, map(_is_red, ("Ben", "Cid")))]
    )
    assert told.count() == 10
    asked: list[str] = []
    monkeypatch.setattr(
        "deduce.reasoning.queries.Asker._ask", lambda self, query, *rest: asked.append(query)
    )
    more = told.tell(is_("Ann", "blue", "green"), at_least(1, map(_is_red, hats)))
    assert more.count() == 10
    assert not asked


def test_a_likelihood_that_excludes_no_world_changes_what_is_likely() -> None:
    hats = dict.fromkeys(("Ann", "Ben", "Cid"), ("red", "blue"))
    told = Knowledge(Problem(hats, [is_not("Cid", "red")]))
    assert told.probability(_is_red("Ann")) == told.posterior()["Ann"]["red"] == Fraction(1, 2)
    told = told.tell(Weigh([*map(_is_red, hats)], [3, 1, 1, 0]))  # 0 is for three red hats
    assert told.probability(_is_red("Ann")) == told.posterior()["Ann"]["red"] == Fraction(1, 3)


def test_an_event_that_adds_no_variable_may_change_the_rules() -> None:
    log = ["Ann and Ben for Ann Ben Cid against Dot Eli", "Ann and Ben enact fascist"]
    told = Knowledge(SecretHitler()).tell(*log)
    before = told.posterior()
    after = told.tell("chaos enacts liberal")
    assert after.posterior() == Knowledge(SecretHitler(), after.log).posterior() != before
    assert after.upto(2).posterior() == after.drop(3).posterior() == before


class Hats:
    """A game of one's own in which a hat can be shown, and all can be withdrawn."""

    players = ("Ann",)

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        """Return the colours of the hat."""
        return {"Ann": ("red", "blue")}

    def rules(self) -> list[Constraint]:
        """Return none."""
        return []

    def sees(self, log: Sequence[int]) -> Mapping[str, Sequence[str]]:
        """Return Ann's hat once it was shown, by event 1."""
        return {"Ann": ["Ann"] if 1 in log else []}

    def evidence(self, log: Sequence[int], viewer: object) -> Iterator[Evidence]:
        """Yield that it is red, as event 2 says unless event 3 withdraws it."""
        said = [n for n, event in enumerate(log, 1) if event == 2 and 3 not in log]
        yield from [Evidence(is_("Ann", "red"), n) for n in said]


@pytest.mark.parametrize("log", [[2, 1], [2, 3], [2, 1, 3]])
def test_what_players_saw_and_what_was_said_may_change(log: list[int]) -> None:
    told = Knowledge(Hats(), log[:1])
    assert told.is_certain(knows("Ann", "Ann"))
    for event in log[1:]:
        told = told.tell(event)
    whole = Knowledge(Hats(), log)
    assert told.problem.sees == whole.problem.sees
    assert str(told.knows("Ann", "Ann")) == str(whole.knows("Ann", "Ann"))
    assert told.probability(knows("Ann", "Ann")) == (log[1:] != [3])
    assert told.upto(1).problem.sees == Knowledge(Hats(), log[:1]).problem.sees


def _is_red(name: str) -> Fact:
    return is_(name, "red")


def test_other_viewers_and_doubts_share_no_evidence() -> None:
    whole = position(2, 4, 10)
    told = whole.upto(6)
    told.count()
    for event in whole.log[6:]:
        told = told.tell(event)
    public = told.seen_by(None)
    assert public.problem == Knowledge(whole.game, whole.log, viewer=None).problem
    doubted = told.doubting(0.01)
    assert doubted.problem == Knowledge(whole.game, whole.log, doubts=0.01).problem
    assert doubted.posterior() == Knowledge(whole.game, whole.log, doubts=0.01).posterior()


@pytest.mark.parametrize("settings", [{}, {"large": 0, "prune_from": 0}, {"large": 0, "sets": 1}])
def test_what_is_stated_again_costs_little(settings: dict[str, int]) -> None:
    cards = [f"c{i}" for i in range(8)]
    held = [is_(card, "A") for card in cards]
    rules: list[Constraint] = [exactly(3, [is_(card, who) for card in cards]) for who in "AB"]
    some: list[Constraint] = [at_least(1, held[:3])]
    some += [Weigh(held[2:5], [4, 2, 1, 3]), Weigh(held[2:5], [1, 1, 1, 2])]
    model = Model(Problem(dict.fromkeys(cards, ("A", "B", "C")), [*rules, *some * 12]))
    once = Model(Problem(dict.fromkeys(cards, ("A", "B", "C")), [*rules, *some]))
    engine, meter, first = Counting(**settings), Budget().meter(), Budget().meter()  # type: ignore[arg-type]
    numbers = engine.numbers(model, meter)
    assert numbers == Bits().numbers(model, Budget().meter())
    engine.numbers(once, first)
    assert meter.steps < 2 * first.steps
    assert len(Bounds(model).counts) == 3


def test_a_log_that_was_read_again_goes_on_from_earlier_knowledge() -> None:
    whole = position(3, 4, 12)
    earlier = Knowledge.of(whole_log(whole, 9))
    earlier.shares()
    again = read_log(write_log(whole.game, whole.log), Cluedo)
    grown = Knowledge.of(again, earlier=earlier)
    assert grown.problem.evidence[0] is earlier.problem.evidence[0]
    assert grown.shares() == whole.shares()
    assert grown.undo() is grown
    assumed = Knowledge.of(again, earlier=earlier).assume()
    assert assumed.problem.evidence[0] is earlier.problem.evidence[0]
    assert assumed.undo().log == whole.log
    for other in (position(4, 4, 12), position(3, 5, 3)):
        fresh = Knowledge.of(whole_log(other), earlier=earlier)
        assert fresh.shares() == other.shares()
    public = Knowledge.of(again, viewer="Ben", earlier=earlier)
    assert public.problem == whole.seen_by("Ben").problem


def whole_log(knowledge: Knowledge, number: int | None = None) -> Log:
    return Log(knowledge.game, knowledge.log[:number])


def test_other_problems_are_not_grown() -> None:
    hats = Problem({"Ann": ("red", "blue")}, (), ())
    assert Model(hats).grown(Problem({"Ann": ("red", "blue")})) is None


def test_an_engine_does_not_begin_again_with_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = position(0, 6, 4)
    shares: list[tuple[str, int | None]] = [("counting", 300), ("counting", 200)]
    monkeypatch.setattr(choose, "LAST", {})
    monkeypatch.setitem(choose.PLANS, "tally", tuple(shares))
    with pytest.raises(Undecided) as caught:
        knowledge.count()
    assert str(caught.value).count("counting") == 1
    monkeypatch.setitem(choose.PLANS, "tally", (*shares, ("counting", None)))
    by_sweep = Knowledge(knowledge.game, knowledge.log, engine="counting")
    assert position(0, 6, 4).count() == by_sweep.count()
