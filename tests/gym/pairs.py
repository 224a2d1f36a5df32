"""Paired episodes: two secrets that look alike to an agent are described in the same words."""

from __future__ import annotations

from random import Random

from attrs import evolve

from deduce import gym
from deduce.gym.episode import Episode
from deduce.policy.inquiries import format_inquiry


def seen(episode: Episode) -> list[object]:
    """Return the events of an episode as its agent sees them."""
    game, agent = episode.game, episode.to_move
    if not hasattr(game, "seen_event"):
        return list(episode.log)
    events = [game.seen_event(event, agent) for event in episode.log]
    return [event for event in events if event is not None]


def compared(name: str, seed: int, turns: int = 4) -> int:
    """Return how many texts of two episodes were compared; the secrets differ.

    The other secret is drawn from what the agent can know at a random moment. As long as the agent
    has seen the same, all that it reads must be equal.
    """
    random = Random(seed)
    first = gym.make(name, seed=seed, regret=False)
    first.reset()
    asked: list[str] = []
    for _ in range(random.randint(0, turns)):
        inquiries = first.inquiries()
        if not inquiries or first.done:
            break
        asked.append(f"ask {format_inquiry(first.game, random.choice(list(inquiries)))}")
        first.step(asked[-1])
    if first.done:
        return 0
    other_world = first.knowledge().sample(1, seed=seed)[0]
    pair = [gym.make(name, seed=seed, regret=False) for _ in range(2)]
    pair[1] = evolve(pair[1], world=other_world)
    compared = 0
    texts = [episode.reset() for episode in pair]
    for text in [*asked, ""]:
        if seen(pair[0]) != seen(pair[1]):
            break
        assert texts[0] == texts[1], (name, seed)
        assert pair[0].forms() == pair[1].forms()
        compared += 1
        if text:
            texts = [episode.step(text).text for episode in pair]
    return compared
