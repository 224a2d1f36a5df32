"""States of random playthroughs, for tests."""

from __future__ import annotations

from random import Random

from games.cultist.rules import actions, is_over, result
from games.cultist.setup import MOVE, State, new_state


def some_state(seed: int, turns: int) -> State:
    """Return the state of a random playthrough after a number of turns, or at its end."""
    random, state = Random(seed), new_state(seed)
    for _ in range(turns):
        if is_over(state):
            break
        offered = actions(state, all_shots=True)
        lively = [action for action in offered[1:] if action.verb != MOVE]
        pick = lively if lively and random.random() < 0.6 else offered
        state = result(state, random.choice(pick))
    return state
