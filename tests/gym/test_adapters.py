"""Adapters of the gym, by the checks of the packages that they are for; skipped without these."""

from __future__ import annotations

import pytest


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
