"""What notebooks show of answers: the same words as their text, for every bundled example too."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deduce.constraints import is_
from deduce.game import Slip
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.reasoning.knowing import Known
from deduce.search import (
    Limits,
    Result,
    alphabeta,
    deepening,
    mcts,
    pimc,
    proof_number,
    solve,
)
from deduce.show.svg import shaded_cells
from deduce.system.display import Displayed
from deduce.system.registry import examples
from games.classics.connect_four import ConnectFour
from games.classics.nim import DiceNim, Nim
from games.classics.tic_tac_toe import TicTacToe
from games.cluedo import Cluedo
from games.cluedo.advice import advise
from games.cluedo.events import Has
from games.cultist import parse_replay
from games.cultist import parse_state as parse_board
from games.pigs.game import Pigs
from games.pigs.inference import infer, timeline
from games.pigs.proofs import why
from games.pigs.setup import parse_deal
from games.propre.evidence import Observation
from games.propre.notation import parse_position
from games.propre.playthrough import Playthrough
from games.quartets.game import Quartets
from games.quartets.session import Session
from games.quartets.setup import named_groups
from games.quartets.states import parse_state
from tests.project import pages

DUEL = "turn 2\n2 uses F on 1\n1 hit by 2\n2 ends"


class Heaps:
    """Knows the heaps of a game of nim but for the last one."""

    def sample(self, number: int, *, seed: int, weighted: bool = True) -> list[dict[str, int]]:
        return [{"last": 1 + place % 2} for place in range(number)]


def sampled() -> Any:
    game = Nim((1, 2))
    return pimc(Heaps(), lambda world: ((1, 2), 0), game, n=4)


def advice(upto: int) -> Any:
    text = next(p for p in examples() if p.name == "evening.cluedo").read_text("utf-8")
    game, log = Cluedo.parse_log(text)
    return advise(Knowledge(game, log).upto(upto))


def words(value: Displayed) -> tuple[list[str], list[str]]:
    return pages.Words(value._repr_html_()).words, str(value).split()


RESULTS: dict[str, Callable[[], Any]] = {
    "alphabeta": lambda: alphabeta(TicTacToe(), all_values=True),
    "deepening": lambda: deepening(ConnectFour(), limits=Limits(nodes=200)),
    "mcts": lambda: mcts(DiceNim(), simulations=50, seed=1),
    "proof_number": lambda: proof_number(Nim((1, 2)), goal=1),
    "solution": lambda: solve(Nim((1, 2, 3))),
    "finished": lambda: alphabeta(Nim((0,))),
    "votes": sampled,
    "advice": lambda: advice(9),
    "advice at the end": lambda: advice(22),
    "role": lambda: why(Pigs.parse_log(f"pigs 3\nturn 1\n1 ends\n{DUEL}"), 2, "FP"),
    "timeline": lambda: timeline(Pigs.parse_log("pigs 3\nturn 1\n1 ends\nturn 2\n2 ends")),
}


@pytest.mark.parametrize("name", RESULTS)
def test_html_says_what_the_text_says(name: str) -> None:
    shown, told = words(RESULTS[name]())
    assert "".join(shown) == "".join(told)


def test_a_result_without_its_game_is_told_in_plain_values() -> None:
    bare: Result[Any, Any] = Result("by hand", (1, 2), 0, (1, -1), None, best_actions=("<b>",))
    assert "state      (1, 2) (player 0 to move)" in str(bare)
    assert "<b>" in str(bare)
    assert "&lt;b&gt;" in bare._repr_html_()


def read(file: Path) -> list[Any]:
    """Return what a bundled example holds, as the values that a notebook would show."""
    text, game = file.read_text("utf-8"), file.parent.parent.name
    if game == "cluedo":
        return [Knowledge(*Cluedo.parse_log(text))]
    if game == "pigs" and file.suffix == ".pigs":
        log = Pigs.parse_log(text)
        return [infer(log), timeline(log), Knowledge.of(log)]
    if game == "pigs":
        return [parse_deal(text)]
    if game == "cultist":
        return [parse_replay(text)] if file.suffix == ".json" else [parse_board(text)]
    if game == "propre" and file.suffix == ".jsonl":
        return [Playthrough.parse(text)]
    if game == "propre":
        rules, state = parse_position(text)
        return [state, *([] if rules.endless else [Observation.of(rules, state, state.active)])]
    if "\nquartets\n" in f"\n{text}":
        return [Session.read(text), Knowledge.of(read_log(text, Quartets))]
    return [parse_state(text)]


@pytest.mark.parametrize("file", list(examples()), ids=lambda file: file.name)
def test_every_bundled_example_shows_itself(file: Path) -> None:
    if file.parent.parent.name not in (*("cluedo", "pigs", "cultist", "propre", "quartets"),):
        return
    for value in read(file):
        bundle = value._repr_mimebundle_()
        assert bundle["text/plain"] == str(value)
        assert len(bundle["text/html"]) > 200
        assert bundle["text/plain"] != object.__repr__(value)


def test_names_that_turn_the_text_around_them_are_written_out() -> None:
    turned = "Ben\u202e"
    cluedo = Cluedo(players=("Ann", turned, "Cid"), me="Ann")
    knowledge = Knowledge(cluedo).tell(Has(turned, "Rope"))
    certain, open_ = knowledge.why(is_("Rope", turned)), knowledge.why(is_("Hall", turned))
    session = Session.new(Quartets((turned, "Ann"), named_groups([2, 2])))
    nothing = knowledge.assume(is_("Rope", "Cid")).contradiction()
    shown: list[Any] = [knowledge, certain, open_, session, nothing]
    for value in shown:
        for told in (str(value), value._repr_html_()):
            assert "\u202e" not in told
            assert r"\u202e" in told


def test_what_is_uncertain_is_never_rounded_to_a_certainty() -> None:
    almost = Fraction(9999, 10_000)
    known = Known("Ann knows", 1 - almost, 1, 10_000, where=lambda: iter(()))
    assert "with probability <0.1%" in str(known)
    assert str(Slip(2, "Ben -", almost)) == "event 2: Ben - (>99.9% wrong)"
    assert "Ben: &gt;99.9%" in shaded_cells([[("Ben", almost)]], title="who")
