"""Who is evil in The Resistance with ten players: exact posteriors against belief propagation.

``python -m tests.benchmarks.bench_avalon 200`` plays games whose players behave as the likelihoods
state, and gives the same votes and missions to both. Belief propagation is the max-product form:
messages between players and factors (each vote, each mission, the number of evil players), damped,
with max-marginals as probabilities.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import log, log2
from random import Random
from statistics import mean
from time import process_time

import numpy as np
from numpy.typing import NDArray

from deduce import Knowledge
from games.avalon import EVIL, EVIL_PLAYERS, Avalon, Event, Mission, Voted

Floats = NDArray[np.float64]
Factor = Callable[[Floats], Floats]
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")
LOWEST = -60.0
"""The logarithm of what is impossible."""


def logarithm(share: float) -> float:
    return max(LOWEST, log(share)) if share > 0 else LOWEST


def by_number(worth: list[float], incoming: Floats) -> Floats:
    """Return messages of a factor about how many are evil; rows are players, columns good, evil."""
    out = np.zeros_like(incoming)
    for i in range(len(incoming)):
        others = np.delete(incoming, i, axis=0)
        gains = np.sort(others[:, 1] - others[:, 0])[::-1]
        best = others[:, 0].sum() + np.concatenate([[0.0], np.cumsum(gains)])
        for evil in (0, 1):
            out[i, evil] = max(b + worth[k + evil] for k, b in enumerate(best))
    return out


def by_vote(team: list[int], rates: Floats, incoming: Floats) -> Floats:
    """Return messages of a vote: ``rates[spoiled, player, side]`` are logarithms of likelihoods."""
    out = np.zeros_like(incoming)
    for i in range(len(incoming)):
        for evil in (0, 1):
            clean, spoiled = incoming + rates[0], incoming + rates[1]
            clean[i], spoiled[i] = rates[0][i], rates[1][i]
            clean[team, 1] = LOWEST
            flips = [spoiled[j, 1] - spoiled[j].max() for j in team if j != i]
            for table in (clean, spoiled):
                table[i, 1 - evil] = table[i, evil] + LOWEST
            needed = 0.0 if i in team and evil else max(flips, default=LOWEST)
            out[i, evil] = max(clean.max(axis=1).sum(), spoiled.max(axis=1).sum() + needed)
    return out


def propagated(game: Avalon, log: Sequence[Event], rounds: int = 60) -> list[float]:
    """Return for each player how probably they are evil, by max-product belief propagation."""
    size, evil = len(game.players), EVIL_PLAYERS[len(game.players)]
    number = game.players.index
    worth = [0.0 if k == evil else LOWEST for k in range(size + 1)]
    everyone = list(range(size))
    factors: list[tuple[list[int], Factor]] = [(everyone, partial(by_number, worth))]
    for event in log:
        team = [number(p) for p in getattr(event, "team", ())]
        if isinstance(event, Mission):
            odds = [logarithm(float(game._fails(k, event.fails))) for k in range(len(team) + 1)]
            factors.append((team, partial(by_number, odds)))
        elif isinstance(event, Voted):
            sides = (game.good_approves, game.evil_approves)
            rates = np.array([
                [[logarithm((r if p in event.approving else 100 - r) / 100) for r in side]
                 for p in game.players]
                for side in zip(*sides, strict=True)
            ])  # fmt: skip
            factors.append((everyone, partial(by_vote, team, rates)))
    messages = [np.zeros((len(scope), 2)) for scope, _ in factors]
    for _ in range(rounds):
        belief = np.zeros((size, 2))
        for (scope, _), message in zip(factors, messages, strict=True):
            belief[scope] += message
        for i, (scope, factor) in enumerate(factors):
            new = factor(belief[scope] - messages[i])
            messages[i] = 0.5 * messages[i] + 0.5 * (new - new.max(axis=1, keepdims=True))
    belief = np.zeros((size, 2))
    for (scope, _), message in zip(factors, messages, strict=True):
        belief[scope] += message
    return [float(1 / (1 + np.exp(np.clip(good - bad, -50, 50)))) for good, bad in belief]


def exact(game: Avalon, log: Sequence[Event]) -> list[float]:
    """Return the same from the posterior."""
    shares = Knowledge(game, log, viewer=None).posterior()
    return [float(sum(shares[p].get(role, 0) for role in EVIL)) for p in game.players]


def main(games: int) -> None:
    """Print for both: bits of surprise a player, how often all evil ones come first, time."""
    scores: dict[str, list[tuple[float, float, float]]] = {"exact": [], "propagation": []}
    for seed in range(games):
        random, game = Random(seed), Avalon(NAMES, ())
        world = game.deal(random)
        log = [e for e in game.record(world, random) if isinstance(e, Voted | Mission)]
        is_evil = [world[player] in EVIL for player in NAMES]
        for name, method in (("exact", exact), ("propagation", propagated)):
            began = process_time()
            shares = method(game, log)
            seconds = process_time() - began
            surprise = [
                -log2(max(share if evil else 1 - share, 1e-6))
                for share, evil in zip(shares, is_evil, strict=True)
            ]
            first = sorted(range(10), key=lambda i: -shares[i])[: sum(is_evil)]
            scores[name].append((mean(surprise), float(all(is_evil[i] for i in first)), seconds))
    for name, rows in scores.items():
        bits, found, seconds = (mean(column) for column in zip(*rows, strict=True))
        print(f"{name}: {bits:.3f} bits a player, {found:.0%} of games, {seconds:.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
