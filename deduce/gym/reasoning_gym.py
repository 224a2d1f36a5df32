"""Single turns as a dataset of reasoning-gym; needs the extra ``reasoning-gym``.

>>> import reasoning_gym
>>> import deduce.gym.reasoning_gym
>>> data = reasoning_gym.create_dataset("deduce", game="guess-who", turns=1, seed=3, size=2)
>>> data.score_answer(data[0]["answer"], data[0])
1.0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import log2
from random import Random
from typing import Any

from deduce.errors import BadInput, BadProblem, Undecided, missing_package
from deduce.gym.episode import Episode, make
from deduce.gym.players import belief_lines, turn
from deduce.policy.inquiries import can_ask, format_inquiry

try:
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset
except ImportError:
    raise missing_package("the dataset of reasoning-gym", "reasoning-gym") from None

__all__ = ["EpisodeConfig", "EpisodeDataset"]

TASKS = {
    "belief": "State the exact probability of each value of each subject, as 'belief' lines.",
    "question": "Ask the question that is expected to give most information, as an 'ask' line.",
}
"""What is asked for."""


@dataclass
class EpisodeConfig:
    """What a dataset consists of: turns of one game.

    Parameters
    ----------
    game, level
        Those of `deduce.gym.make`.
    task
        ``"belief"`` asks for the exact probabilities, ``"question"`` for the best question.
    turns
        How many random questions have been asked before.
    seed, size
        Of the dataset.
    """

    game: str = "mastermind"
    level: int = 1
    task: str = "belief"
    turns: int = 2
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise `BadInput` if there is no such game, level or task."""
        episode = make(self.game, level=self.level)
        if self.task not in TASKS or self.turns < 0:
            raise BadInput(f"a task is {' or '.join(TASKS)}, and turns are at least 0")
        if self.task == "question" and not can_ask(episode.game):
            raise BadInput(f"nothing is asked in {self.game}")


class EpisodeDataset(ProceduralDataset):
    """Each entry is what an agent has read until one of its turns, and what it writes then.

    A belief is paid 2 to the power of minus its divergence from the exact posterior in bits, as a
    mean over all subjects; a question 2 to the power of minus its regret. So the exact answer is
    paid 1, and a text that cannot be read or states no belief, or asks nothing, is paid 0.
    """

    def __init__(self, config: EpisodeConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return an entry; the same seed and index give the same one."""
        if not 0 <= idx < self.size:
            raise IndexError(idx)
        config, number = self.config, Random(f"{self.seed}/{idx}").getrandbits(62)
        asked: list[str] = []
        episode, read = _replayed(config.game, config.level, number, asked)
        while len(asked) < config.turns and can_ask(episode.game):
            random = Random(f"{number}/{len(asked)}")
            question = format_inquiry(episode.game, random.choice(list(episode.inquiries())))
            step = episode.step(f"ask {question}")
            if step.done:
                episode, read = _replayed(config.game, config.level, number, asked)
                break
            asked.append(question)
            read.append(f"> ask {question}\n{step.text}")
        if config.task == "belief":
            answer = "\n".join(belief_lines(episode.beliefs()))
        else:
            answer = turn(episode, "information", Random(number)).splitlines()[-1]
            if not answer.startswith("ask "):  # all is known, so no question is better
                answer = f"ask {format_inquiry(episode.game, next(iter(episode.inquiries())))}"
        metadata = asdict(config) | {"source_dataset": "deduce", "source_index": idx}
        metadata |= {"episode": number, "asked": asked, "difficulty": {"level": config.level}}
        question = "\n".join([*read, TASKS[config.task]])
        return {"question": question, "answer": answer, "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return what an answer is paid, from 0 to 1."""
        if not isinstance(answer, str):
            return 0.0
        if answer.strip() == entry["answer"]:
            return 1.0
        said = entry["metadata"]
        episode, _ = _replayed(said["game"], said["level"], said["episode"], said["asked"])
        try:
            beliefs, _, move = episode.read(answer)
        except (BadInput, BadProblem, Undecided):
            return 0.0
        if said["task"] == "belief":
            return _belief_score(episode, beliefs)
        if move is None or move[0] != "ask":
            return 0.0
        regret = episode.regret(move[1])
        return 0.0 if regret is None else float(2.0**-regret)


def _replayed(game: str, level: int, seed: int, asked: Sequence[str]) -> tuple[Episode, list[str]]:
    """Return an episode after some questions, and what its agent has read."""
    episode = make(game, level=level, seed=seed, regret=False)
    read = [episode.reset()]
    read += [f"> ask {question}\n{episode.step(f'ask {question}').text}" for question in asked]
    return episode, read


def _belief_score(episode: Episode, beliefs: Mapping[str, Mapping[Any, Fraction]]) -> float:
    if not beliefs:
        return 0.0
    scores = []
    for name, exact in episode.beliefs().items():
        stated = beliefs.get(name) or dict.fromkeys(exact, Fraction(1, len(exact)))
        pairs = [(p, stated.get(label, Fraction(0))) for label, p in exact.items() if p]
        possible = all(q for _, q in pairs)
        bits = sum(float(p) * log2(p / q) for p, q in pairs) if possible else float("inf")
        scores.append(float(2.0**-bits))
    return round(sum(scores) / len(scores), 9)


register_dataset("deduce", EpisodeDataset, EpisodeConfig)
