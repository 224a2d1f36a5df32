"""Players against each other, many games: who wins, how often, how long it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from attrs import frozen

from deduce.errors import BadInput
from games.propre.players import Seat, find_player
from games.propre.rules import Rules
from games.propre.session import Session
from games.propre.state import Option

__all__ = ["Outcome", "Tally", "play_game", "simulate", "tally"]

MOST_DECISIONS = 2_000
"""A game that goes on after so many decisions is given up as a draw."""


@frozen
class Outcome:
    """How one game ended."""

    winner: int
    """The seat that won; -1: given up."""
    decisions: int


@frozen
class Tally:
    """How many games each seat won, and how long they were."""

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
    most_decisions: int = MOST_DECISIONS,
) -> Session:
    """Return one whole game between players, given by name, seat by seat.

    Examples
    --------
    >>> session = play_game(Rules(hand=3), ["greedy", "random"], seed=1)
    >>> session.state.winner in (0, 1)
    True
    """
    if len(names) != rules.players:
        raise BadInput(f"{rules.players} players are needed, but {len(names)} are named")
    players = [find_player(name) for name in names]
    if "search" in names and not open_hands:
        raise BadInput("the player 'search' needs open hands (--open)")
    random = Random(seed)
    session = Session.dealt(rules, random)
    for _ in range(most_decisions):
        session = session.settled(random)
        state = session.state
        if state.winner >= 0:
            break
        seat = Seat(session.views[state.active], random, seconds, state if open_hands else None)
        session = session.play(players[state.active](seat))
    return session.settled(random)


def simulate(
    rules: Rules,
    names: Sequence[str],
    *,
    games: int,
    seed: int = 0,
    open_hands: bool = False,
    seconds: float = 0.2,
    most_decisions: int = MOST_DECISIONS,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Outcome]:
    """Yield the outcome of each game, as it ends; the seats change round from game to game.

    ``winner`` is the place in ``names``, whichever seat that player had.
    """
    for number in range(games):
        turn = number % rules.players
        seated = [*names[turn:], *names[:turn]]
        session = play_game(
            rules,
            seated,
            seed=seed + number,
            open_hands=open_hands,
            seconds=seconds,
            most_decisions=most_decisions,
        )
        winner = session.state.winner
        decisions = sum(isinstance(step, Option) for _, step in session.steps())
        yield Outcome((winner + turn) % rules.players if winner >= 0 else -1, decisions)
        if progress:
            progress(number + 1)


def tally(names: Sequence[str], outcomes: Sequence[Outcome]) -> Tally:
    """Return the sums over some games.

    >>> tally(["greedy", "random"], [Outcome(0, 31), Outcome(0, 45), Outcome(-1, 2000)]).wins
    (2, 0)
    """
    wins = Counter(outcome.winner for outcome in outcomes)
    lengths = sorted(outcome.decisions for outcome in outcomes) or [0]
    return Tally(
        tuple(names),
        tuple(wins[place] for place in range(len(names))),
        len(outcomes),
        wins[-1],
        lengths[len(lengths) // 2],
    )
