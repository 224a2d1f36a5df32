"""Episodes: what is paid, what is read, and what a hostile text does."""

from __future__ import annotations

import json
from math import log2
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from deduce import BadInput, Knowledge, Problem, Weigh, gym, is_
from deduce.cli.main import cli
from deduce.gym import episode
from deduce.policy.inquiries import format_inquiry
from tests.gym.brute import GAMES, differences, small
from tests.gym.pairs import compared


@pytest.mark.parametrize("name", GAMES)
def test_rewards_are_those_of_a_list_of_all_worlds(name: str) -> None:
    turns = seed = 0
    while turns < 2:
        number, wrong = differences(name, seed)
        assert not wrong
        turns, seed = turns + number, seed + 1


def test_worlds_that_are_not_equally_likely_are_weighed() -> None:
    coin = Problem({"coin": ("heads", "tails")}, [Weigh([is_("coin", "heads")], [1, 3])])
    assert episode._uncertainty(Knowledge(coin)) == pytest.approx(2 - 0.75 * log2(3))


@pytest.mark.parametrize("name", gym.names())
def test_an_episode_follows_from_its_arguments_and_is_won_by_deduction(name: str) -> None:
    first, again, other = (gym.make(name, seed=seed) for seed in (5, 5, 6))
    assert first.reset() == again.reset()
    assert (first.world, first.log) == (again.world, again.log)
    other.reset()
    assert (first.world, first.log) != (other.world, other.log)
    if name != "minesweeper":  # a game that may be lost
        result = gym.play(name, "deduction", episodes=1, seed=1, regret=False)
        assert result["won"] == 1 or name == "avalon"
        assert result["log_score"] is not None


def test_a_player_names_the_likely_solution_when_no_answer_is_open() -> None:
    """Planet X looks like an empty sector: no question may tell them apart."""
    result = gym.play("planet-x", "deduction", episodes=1, seed=7, turns=100, regret=False)
    assert result["questions"] < 20


@pytest.mark.parametrize("name", gym.names())
def test_who_sees_the_same_reads_the_same(name: str) -> None:
    assert sum(compared(name, seed) for seed in range(1)) > 0


def hostile(random: Random, episode: gym.Episode) -> str:
    """Return a text that is broken in some way, made from one that is not."""
    good = random.choice(episode.forms().splitlines()[1:])
    head = good.partition("=")[0]
    junk = "".join(chr(random.choice((0, 10, 27, 61, 123, 0x202E, 0x1F600))) for _ in range(40))
    choices = ("", good[: random.randint(0, len(good) - 1)], good + junk, junk, "{" * 3000,
        f"belief {good}", f"{good}, " * 1500, f"{head}=1e999", f"{head}={'9' * 3000}",
        f"{good}\n{good}\n" * 190, f"{head}=0.{'0' * 15}1, " * 2000, f"{good}=1/0",
        "belief x: " + "1=1," * 9000, "claim " + "a=b or " * 5000, 'claim {"where": 1}',
        "solve " + ";" * 400, "claim knows(Ann, Rope)", f"claim exactly 9 of {good[6:]}",
        "ask " + "9" * 50_000, "x" * 200_000)  # fmt: skip
    return random.choice(choices)


def test_broken_texts_cost_what_the_settings_say_and_end_nothing() -> None:
    random, refused = Random(3), 0
    for name in GAMES:
        episode = small(name, 1)
        episode.reset()
        for _ in range(12):
            step = episode.step(hostile(random, episode))
            if episode.done:
                break
            if not step.rewards["legal"]:
                refused += 1
                assert step.text.startswith("not a legal move: ")
                assert (step.rewards["cost"], step.done, len(step.text) < 2000) == (
                    0.25,
                    False,
                    True,
                )
    assert refused > 40


def test_agents_in_one_game_keep_their_secrets() -> None:
    episode = gym.make("cluedo", seed=4, agents=("Ann", "Cid"), regret=False)
    texts = {"Ann": [episode.reset()], "Cid": []}
    for number in range(8):
        agent = episode.to_move
        assert agent == ("Ann", "Cid")[number % 2]
        texts[agent].append(episode.news())
        texts[agent].append(episode.step("ask Miss Scarlett, Rope, Hall").text)
    for agent, read in texts.items():
        own = [card for card, holder in episode.world.items() if holder == agent]
        hands = [line for line in "\n".join(read).splitlines() if line.startswith("hand ")]
        assert len(hands) == 1
        assert all(card in hands[0] for card in own)
    with pytest.raises(BadInput, match="different players"):
        gym.make("cluedo", agents=("Ann", "Zoe"))


def test_the_command_line_plays_and_serves() -> None:
    words = ["gym", "play", "guess-who", "--episodes", "2", "--seed", "7", "--json"]
    result = json.loads(CliRunner().invoke(cli, words).output)
    named = ("game", "player", "episodes", "won", "questions", "regret", "log_score")
    assert [result[key] for key in named[:4]] == ["guess-who", "information", 2, 2]
    assert all(isinstance(result[key], int | float) for key in named[3:])
    episode = gym.make("guess-who")
    episode.reset()
    question = format_inquiry(episode.game, episode.inquiries()[0])
    lines = [json.dumps({"text": f"ask {question}?"}), "nonsense", '{"text": 3}', '{"reset": 8}']
    served = CliRunner().invoke(cli, ["gym", "serve", "guess-who"], input="\n".join(lines) + "\n")
    answers: list[dict[str, Any]] = [json.loads(line) for line in served.output.splitlines()]
    assert served.exit_code == 0
    assert answers[1]["text"].startswith(("yes", "no"))
    assert answers[1]["rewards"]["bits"] > 0
    assert ["error" in answer for answer in answers] == [False, False, True, True, False]
    played = CliRunner().invoke(cli, ["gym", "human", "guess-who"], input=f"{question}?\nfoo\n")
    assert "regret" in played.output
    assert "legal True" not in played.output
    assert "not a legal move" in played.output
    assert "()" not in played.output
    for words, code in ((["play", "chess"], 2), (["play", "zebra", "--level", "4"], 2)):
        assert CliRunner().invoke(cli, ["gym", *words]).exit_code == code
