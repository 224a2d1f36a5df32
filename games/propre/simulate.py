"""Many games between players: how often each wins, and how long the games are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from attrs import frozen

from deduce.errors import BadInput
from games.propre.players import Seat, find_player
from games.propre.playthrough import Playthrough
from games.propre.rules import Rules
from games.propre.state import Option

__all__ = ["Outcome", "Tally", "play_game", "simulate", "tally"]

MAX_DECISIONS = 2_000
"""A game that is not over after this number of decisions is given up as a draw."""


@frozen
class Outcome:
    """How one game ended."""

    winner: int
    """The index of the player that won; -1 if the game was given up."""
    decisions: int
    """How many options the players chose."""


@frozen
class Tally:
    """How many games each player won, and how long the games were."""

    names: tuple[str, ...]
    wins: tuple[int, ...]
    games: int
    given_up: int
    median_decisions: int


def play_game(
    rules: Rules,
    names: Sequence[str],
    *,
    seed: int,
    open_hands: bool = False,
    seconds: float = 1.0,
    max_decisions: int = MAX_DECISIONS,
) -> Playthrough:
    """Return one whole game between players, named seat by seat.

    Raises
    ------
    BadInput
        The number of names is wrong, there is no such player, or it needs open hands.

    Examples
    --------
    >>> game = play_game(Rules(hand=3), ["greedy", "random"], seed=1)
    >>> game.state.winner in (0, 1)
    True
    """
    if len(names) != rules.players:
        raise BadInput(f"{rules.players} players are needed, not {len(names)}")
    players = [find_player(name) for name in names]
    if "search" in names and not open_hands:
        raise BadInput("the player 'search' needs open hands (--open)")
    random = Random(seed)
    game = Playthrough.dealt(rules, random)
    for _ in range(max_decisions):
        game = game.settled(random)
        state = game.state
        if state.winner >= 0:
            break
        observation = game.observations[state.active]
        seat = Seat(observation, random, seconds, state if open_hands else None)
        game = game.play(players[state.active](seat))
    return game.settled(random)


def simulate(
    rules: Rules,
    names: Sequence[str],
    *,
    games: int,
    seed: int = 0,
    open_hands: bool = False,
    seconds: float = 0.2,
    max_decisions: int = MAX_DECISIONS,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Outcome]:
    """Yield the outcome of each game when it ends; the players change seats after each game.

    ``winner`` is the index of the player in ``names``, whatever their seat was.
    """
    for index in range(games):
        shift = index % rules.players
        seated = [*names[shift:], *names[:shift]]
        game = play_game(
            rules,
            seated,
            seed=seed + index,
            open_hands=open_hands,
            seconds=seconds,
            max_decisions=max_decisions,
        )
        winner = game.state.winner
        decisions = sum(isinstance(step, Option) for _, step in game.steps)
        yield Outcome((winner + shift) % rules.players if winner >= 0 else -1, decisions)
        if progress:
            progress(index + 1)


def tally(names: Sequence[str], outcomes: Sequence[Outcome]) -> Tally:
    """Return the sums over some games.

    >>> tally(["greedy", "random"], [Outcome(0, 31), Outcome(0, 45), Outcome(-1, 2000)]).wins
    (2, 0)
    """
    wins = Counter(outcome.winner for outcome in outcomes)
    lengths = sorted(outcome.decisions for outcome in outcomes) or [0]
    return Tally(
        tuple(names),
        tuple(wins[index] for index in range(len(names))),
        len(outcomes),
        wins[-1],
        lengths[len(lengths) // 2],
    )
