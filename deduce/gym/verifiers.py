"""Episodes as an environment of verifiers; needs the extra ``verifiers``.

A taskset of verifiers is found by the name of a module without a dot. So write a file of your own,
``my_episodes.py``, with one line, and name it: ``eval my_episodes --env.taskset.game mastermind``.

    from deduce.gym.verifiers import EpisodeEnv, EpisodeTaskset, __all__
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from deduce.errors import BadInput, missing_package
from deduce.gym.episode import Episode, make

try:
    from verifiers import v1 as vf
except ImportError:
    raise missing_package("the environment of verifiers", "verifiers") from None

__all__ = ["EpisodeEnv", "EpisodeTaskset"]

PAID = ("won", "bits", "log_score")
"""What an episode may be paid by."""


class EpisodesConfig(vf.TasksetConfig):
    """Which episodes: those of one game and level, with the seeds from ``seed`` on.

    Parameters
    ----------
    game, level, turns, regret
        Those of `deduce.gym.make`; ``turns`` is also how many texts an agent may write.
    reward
        One of `PAID`: whether the episode was won, or the mean of its turns.
    """

    game: str = "mastermind"
    level: int = 1
    seed: int = 0
    size: int = 500
    turns: int = 40
    reward: str = "won"
    regret: bool = False


class EpisodeData(vf.TaskData):
    """Which episode a task is: it follows from these settings."""

    settings: dict[str, Any]
    reward: str

    def episode(self) -> Episode:
        """Return the episode, from its beginning."""
        episode = make(**self.settings)
        episode.reset()
        return episode


class EpisodeTask(vf.Task[EpisodeData, vf.State, vf.TaskConfig]):
    """An episode; what is paid follows from the texts of the agent alone."""

    @vf.reward
    async def paid(self, trace: vf.Trace) -> float:
        """Return what the episode is paid."""
        return self.judged(trace)[self.data.reward]

    @vf.metric
    async def rewards(self, trace: vf.Trace) -> Mapping[str, float]:
        """Return the rewards of the episode: means of its turns, and the number of questions."""
        return self.judged(trace)

    def judged(self, trace: vf.Trace) -> Mapping[str, float]:
        """Return the rewards of an episode in which the agent wrote the texts of a trace."""
        episode, steps = self.data.episode(), []
        for message in trace.assistant_messages[: self.data.settings["turns"]]:
            if episode.done:
                break
            steps.append(episode.step(message.content or "").rewards)
        rewards = {"won": float(bool(episode.won)), "questions": float(episode.questions)}
        for name in ("bits", "regret", "log_score", "legal"):
            values = [float(step[name]) for step in steps if step[name] is not None]
            rewards[name] = fmean(values) if values else 0.0
        words = [word for step in steps for word in step["proved"]]
        return rewards | {"proved": words.count("true") / len(words) if words else 0.0}


class EpisodeEnvConfig(vf.EnvConfig):
    """The one player of an episode."""

    player: vf.AgentConfig = vf.AgentConfig()


class EpisodeEnv(vf.Env[EpisodeEnvConfig]):
    """The episode answers each text of the player, until it is over."""

    async def run(self, task: EpisodeTask, agents: vf.Agents) -> None:
        """Play one episode."""
        episode = task.data.episode()
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            for _ in range(task.data.settings["turns"]):
                if segment.terminated:
                    break
                step = episode.step(segment.last_reply)
                if step.done:
                    break
                segment = await interaction.turn(step.text or "noted")


class EpisodeTaskset(vf.Taskset[EpisodeTask, EpisodesConfig]):
    """Episodes of one game and level."""

    def load(self) -> Iterator[EpisodeTask]:
        """Yield one task for each seed."""
        config = self.config
        if config.reward not in PAID:
            raise BadInput(f"the reward of an episode is {', '.join(PAID)}, not {config.reward!r}")
        for seed in range(config.seed, config.seed + config.size):
            settings = {"name": config.game, "level": config.level, "seed": seed}
            settings |= {"turns": config.turns, "regret": config.regret}
            text = make(**settings).reset()
            data = EpisodeData(name=f"{config.game}/{config.level}/{seed}", prompt=text,
                settings=settings, reward=config.reward)  # fmt: skip
            yield EpisodeTask(data, config.task)
