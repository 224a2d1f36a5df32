"""Episodes as an environment of Gymnasium; needs the extra ``gymnasium``.

>>> import gymnasium
>>> import deduce.gym.gymnasium
>>> env = gymnasium.make("deduce/Episode-v0", name="guess-who", disable_env_checker=True)
>>> text, info = env.reset(seed=3)
>>> text, reward, terminated, truncated, info = env.step("claim face=face1 or face!=face1")
>>> info["proved"]
['true']
"""

from __future__ import annotations

from functools import partial
from random import Random
from string import printable
from typing import Any

from deduce.errors import BadInput, missing_package
from deduce.gym.episode import make

try:
    import gymnasium
    from gymnasium.spaces import Text
except ImportError:
    raise missing_package("the environment of Gymnasium", "gymnasium") from None

__all__ = ["PAID", "EpisodeEnv"]

PAID = ("won", "bits", "log_score")
"""What a step may be paid by."""

MAX_CHARACTERS = 100_000
"""Of a text that is read or written."""

UNNAMED = "?"
"""What an observation has in place of a character that its space does not name."""


class EpisodeEnv(gymnasium.Env[str, str]):
    """One agent's episodes: observations and actions are texts.

    Parameters
    ----------
    name, level, turns, regret
        Those of `deduce.gym.make`; an episode is truncated after that number of steps.
    reward
        What a step is paid by, one of `PAID`, less the cost of a text that cannot be read. All
        rewards are in ``info``.
    cost
        What such a text costs.
    render_mode
        ``"ansi"``: ``render`` returns the last text; ``None``: it returns nothing.

    Raises
    ------
    BadInput
        There is no such game, level or reward.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        name: str = "mastermind",
        *,
        level: int = 1,
        turns: int = 200,
        reward: str = "won",
        cost: float = 0.0,
        regret: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if reward not in PAID:
            raise BadInput(f"the reward of a step is {', '.join(PAID)}, not {reward!r}")
        self._make = partial(make, name, level=level, turns=turns, cost=cost, regret=regret)
        self._paid, self._turns, self.render_mode = reward, turns, render_mode
        self._episode = self._make()
        self._steps, self._text = 0, ""
        self._named = frozenset({*printable, *self._episode.reset()})
        charset = "".join(sorted(self._named))
        self.observation_space = Text(MAX_CHARACTERS, min_length=0, charset=charset)
        self.action_space = Text(MAX_CHARACTERS, min_length=0, charset=charset)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Return the rules and the view of the agent; the same seed gives the same episode."""
        super().reset(seed=seed)
        number = Random(int(self.np_random.integers(2**62))).getrandbits(62)
        self._episode = self._make(seed=number)
        self._steps = 0
        return self._shown(self._episode.reset()), {}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Return what the text of the agent gives."""
        step = self._episode.step(action)
        self._steps += 1
        paid = float(step.rewards[self._paid] or 0.0) - step.rewards["cost"]
        is_late = self._steps >= self._turns and not step.done
        return self._shown(step.text), paid, step.done, is_late, dict(step.rewards)

    def render(self) -> str | None:
        """Return the last text that the agent read."""
        return self._text if self.render_mode == "ansi" else None

    def _shown(self, text: str) -> str:
        self._text = "".join(c if c in self._named else UNNAMED for c in text)[:MAX_CHARACTERS]
        return self._text


gymnasium.register("deduce/Episode-v0", entry_point="deduce.gym.gymnasium:EpisodeEnv")
