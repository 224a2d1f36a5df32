"""Adapters of the gym, by the checks of the packages that they are for; skipped without these."""

from __future__ import annotations

import asyncio
import typing
from fractions import Fraction
from math import log2
from pathlib import Path
from typing import Any

import pytest

from deduce import BadInput, gym


@pytest.mark.parametrize("name", ["cluedo", "mastermind"])
def test_gymnasium_accepts_the_environment(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import deduce.gym.gymnasium  # noqa: F401 (registers it)

    env = gymnasium.make("deduce/Episode-v0", name=name, reward="won", render_mode="ansi")
    check_env(env.unwrapped)


def test_a_scripted_agent_is_paid_through_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from deduce.gym.gymnasium import EpisodeEnv

    env = EpisodeEnv("guess-who", reward="bits", cost=0.5)
    text, _ = env.reset(seed=1)
    assert "You" not in text.splitlines()[0]
    assert isinstance(env, gymnasium.Env)
    assert env.step("nonsense")[1] == -0.5
    bits, done = 0.0, False
    faces = [f"face{number}" for number in range(1, 13)]
    for face in faces:
        _, reward, done, truncated, info = env.step(f"ask face={face}?")
        bits += reward
        if done:
            break
    assert (done, truncated, info["won"]) == (True, False, True)
    assert bits == pytest.approx(3.584962500721156)


@pytest.mark.parametrize("task", ["belief", "question"])
@pytest.mark.parametrize("game", ["battleship", "guess-who", "mastermind", "avalon"])
def test_reasoning_gym_pays_the_exact_answer_in_full(game: str, task: str) -> None:
    reasoning_gym = pytest.importorskip("reasoning_gym")
    import deduce.gym.reasoning_gym  # noqa: F401 (registers it)

    data = reasoning_gym.create_dataset("deduce", game=game, task=task, seed=3, size=3)
    again = reasoning_gym.create_dataset("deduce", game=game, task=task, seed=3, size=3)
    entries = list(data)
    assert entries == list(again)
    assert len({entry["question"] for entry in entries}) == len(entries) == 3
    for entry in entries:
        assert data.score_answer(entry["answer"], entry) == 1.0
        assert data.score_answer(f"claim {_claim(entry)}\n{entry['answer']}", entry) == 1.0
        for broken in (None, "", "nonsense", "ask nonsense", "belief x: y=1"):
            assert data.score_answer(broken, entry) == 0.0
    worse = [e["answer"] for e in entries if e["answer"] != entries[0]["answer"]]
    assert all(data.score_answer(answer, entries[0]) < 1.0 for answer in worse) or task != "belief"


def _claim(entry: dict[str, Any]) -> str:
    """Return the claim that the rules give as an example."""
    (line,) = (x for x in entry["question"].splitlines() if x.startswith("claim "))
    return str(line.removeprefix("claim "))


def test_reasoning_gym_refuses_what_is_not_a_dataset() -> None:
    reasoning_gym = pytest.importorskip("reasoning_gym")
    import deduce.gym.reasoning_gym  # noqa: F401 (registers it)

    for settings in ({"game": "chess"}, {"task": "win"}, {"game": "zebra", "task": "question"}):
        with pytest.raises(BadInput):
            reasoning_gym.create_dataset("deduce", **settings)
    data = reasoning_gym.create_dataset("deduce", game="guess-who", turns=0, seed=1, size=1)
    even = ", ".join(f"face{number}=1/12" for number in range(1, 13))
    assert data.score_answer(f"belief face: {even}", data[0]) == 1.0
    wrong = ", ".join(f"face{number}={Fraction(number, 78)}" for number in range(1, 13))
    bits = sum(log2(78 / (12 * number)) for number in range(1, 13)) / 12
    assert data.score_answer(f"belief face: {wrong}", data[0]) == pytest.approx(2**-bits)
    assert data.score_answer("belief face: face1=1", data[0]) == 0.0


def test_an_agent_of_verifiers_plays_an_episode_and_is_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment is found by its name and run by verifiers; the agent is a script."""
    vf = pytest.importorskip("verifiers.v1")
    import verifiers.v1.utils.loaders as loaders

    for name, text in (("my_episodes", WRAPPED), ("script", AGENT)):
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = {"id": "my_episodes", "game": "guess-who", "seed": 4, "size": 2, "regret": True}
    player = {"harness": {"id": "script"}, "runtime": {"type": "subprocess"}}
    env_class = loaders.environment_class("my_episodes")
    config_class = typing.get_args(env_class.__orig_bases__[0])[0]
    env = loaders.load_environment(config_class(taskset=settings, player=player))
    tasks = list(env.taskset)
    assert [task.data.name for task in tasks] == ["guess-who/1/4", "guess-who/1/5"]

    async def played() -> Any:
        context = vf.ModelContext(model="script", client=vf.EvalClientConfig())
        async with env.serving():
            return [await env.run_episode(task, context) for task in tasks]

    for seed, episode in enumerate(asyncio.run(played()), start=4):
        assert episode.ok, episode.errors
        (trace,) = episode.traces
        assert trace.reward == 1.0
        result = gym.play("guess-who", "information", episodes=1, seed=seed)
        assert trace.metrics["questions"] == result["questions"]
        assert trace.metrics["bits"] == pytest.approx(result["bits"])
        assert (trace.metrics["regret"], trace.metrics["legal"]) == (0.0, 1.0)


WRAPPED = "from deduce.gym.verifiers import EpisodeEnv, EpisodeTaskset, __all__"
AGENT = """
import verifiers.v1 as vf
from deduce import gym
from deduce.gym.players import turn
from random import Random
from verifiers.v1.graph import MessageNode
from verifiers.v1.types import AssistantMessage, UserMessage

__all__ = ["Script"]

class Script(vf.Harness[vf.HarnessConfig]):
    SUPPORTS_RESUME, EXECUTES_CODE, NEEDS_CONTAINER = True, False, False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        episode = gym.make(**trace.task.data.settings)
        episode.reset()
        for message in trace.assistant_messages:
            episode.step(message.content)
        asked = data.prompt if isinstance(data.prompt, str) else data.prompt[-1].content
        written = turn(episode, "information", Random(1))
        for message in (UserMessage(content=asked), AssistantMessage(content=written)):
            parent = len(trace.nodes) - 1 if trace.nodes else None
            sampled = isinstance(message, AssistantMessage)
            trace.nodes.append(MessageNode(parent=parent, message=message, sampled=sampled))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
"""
