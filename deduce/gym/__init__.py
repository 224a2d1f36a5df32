"""A gym for beliefs: episodes with exact rewards for agents that deduce and ask.

An agent of any kind reads text and writes text. Every turn it is paid in exact numbers: what its
question revealed, what the best question would have, what its belief was worth, and whether what it
claimed was proved. See docs/gym.md.

>>> from deduce import gym
>>> episode = gym.make("mastermind", seed=7)
>>> "mastermind" in gym.names(), episode.reset().startswith("Mastermind")
(True, True)
>>> episode.step("ask 112").rewards["legal"]
True
"""

from deduce.gym.episode import LEVELS, Episode, Step, make, names
from deduce.gym.players import PLAYERS, play

__all__ = ["LEVELS", "PLAYERS", "Episode", "Step", "make", "names", "play"]
