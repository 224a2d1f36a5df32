"""Players: random, greedy, one that searches open hands, one that samples hidden ones.

A player sees a `Seat`: its own view and, if the hands lie open, the whole state. Random, greedy and
sampling look at the view alone, so they can sit at a table with hidden hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, TypeAlias

from attrs import frozen

from deduce.errors import BadInput
from deduce.search import Limits, PimcResult, mcts, pimc, value_actions
from deduce.text import nearest
from games.propre.cards import Card
from games.propre.game import ChanceGame
from games.propre.hidden import View
from games.propre.rules import Rules
from games.propre.state import Option, State

__all__ = ["PLAYERS", "Player", "Seat", "advise", "find_player", "greedy", "sampling", "searching"]

HORIZON = 6
"""Plies of a playout before it counts as an estimate. Longer ones are worse: random play draws so
much that it drowns what the searched options did (``docs/benchmarks/propre.md``)."""
SIMULATIONS = 12
"""Simulated playthroughs of each option in each sampled world."""
WORLDS = 1_000
"""Sampled worlds at most; the time limit usually comes first."""


@frozen
class Seat:
    """What a player who is to move may look at."""

    view: View
    random: Random
    seconds: float = 1.0
    """Time to think, for the players that search."""
    open_state: State | None = None
    """The whole state, where hands lie open."""

    @property
    def rules(self) -> Rules:
        """The set-up."""
        return self.view.rules

    @property
    def options(self) -> list[Option]:
        """The options of the player."""
        return self.rules.options(self.view.state)


Player: TypeAlias = Callable[[Seat], Option]


def any_option(seat: Seat) -> Option:
    """Return one of the options, all alike."""
    return seat.random.choice(seat.options)


def greedy(seat: Seat) -> Option:
    """Return a card rather than a draw: an answer to an attack, else a plain card, else an effect.

    Among cards alike it plays the one whose rank the rest of the hand follows best. It never
    swaps, always announces, and takes for an ace the suit that it holds most of.
    """
    cards = [option for option in seat.options if option.card]
    if cards:
        return max(cards, key=lambda option: _promise(seat, option))
    ends = [option for option in seat.options if option.kind == "none"]
    return ends[-1]  # with the announcement, where there is one


def _promise(seat: Seat, option: Option) -> tuple[float, ...]:
    state = seat.rules.result(seat.view.state, option)
    attacked = seat.view.state.attack_value > 0
    follow = sum(bool(after.card) for after in seat.rules.options(state))
    suits = sum(card[1] == option.choice for card in state.hands[seat.view.me])
    helpful = option.kind in ("block", "attack") if attacked else option.kind == "normal"
    return (
        helpful,
        -state.attack_value if attacked else 0,
        follow > 0,
        follow,
        suits,
        seat.random.random(),
    )


def searching(seat: Seat) -> Option:
    """Return the option that Monte-Carlo tree search finds with open hands.

    Raises
    ------
    BadInput
        The hands do not lie open.
    """
    if seat.open_state is None:
        raise BadInput("the player 'search' needs open hands; with hidden ones take 'sampling'")
    state = seat.open_state
    options = seat.rules.options(state)
    if len(options) == 1:
        return options[0]
    game = ChanceGame(seat.rules, state)
    found = mcts(
        game,
        game.initial_state(),
        simulations=None,
        seed=seat.random.getrandbits(32),
        horizon=HORIZON,
        limits=Limits(seconds=seat.seconds),
    )
    return found.uninterrupted().best_action or options[0]


def sampling(seat: Seat) -> Option:
    """Return the option that is best on average over sampled worlds."""
    options = seat.options
    if len(options) == 1:
        return options[0]
    found = advise(seat.view, seconds=seat.seconds, seed=seat.random.getrandbits(32))
    return found.result.uninterrupted().best_action or options[0]


PLAYERS: Mapping[str, Player] = {
    "random": any_option,
    "greedy": greedy,
    "search": searching,
    "sampling": sampling,
}


def find_player(name: str) -> Player:
    """Return the player of a name.

    Raises
    ------
    BadInput
        There is none.
    """
    if name not in PLAYERS:
        raise BadInput(
            f"no player is called {name!r}{nearest(name, PLAYERS)} (known: {', '.join(PLAYERS)})"
        )
    return PLAYERS[name]


def advise(
    view: View,
    *,
    seconds: float | None = 5,
    worlds: int = WORLDS,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    progress: Callable[[int, float], None] | None = None,
) -> PimcResult[State, Option]:
    """Return how each option fares over sampled deals of the unseen cards.

    Perfect-information Monte Carlo: see `deduce.search.pimc` for what it can and cannot
    know. Deals are drawn exactly, by the counting engine.

    Parameters
    ----------
    view
        What the player at turn sees.
    seconds, worlds
        Whatever is reached first ends the sampling; with ``seconds=None`` the answer depends on
        the seed alone.
    simulations
        Playthroughs of each option in each world.
    seed
        For deals and playthroughs.
    progress
        Called before each world with the number of worlds and the seconds so far.

    Raises
    ------
    BadInput
        It is not this player's turn, or nothing is to be decided.

    Examples
    --------
    >>> from games.propre.notation import parse_position
    >>> rules, state = parse_position("hands 2H QD KD AD / 3; pile KC")
    >>> found = advise(View.of(rules, state, me=0), seconds=None, worlds=2, simulations=3)
    >>> found.worlds, sum(ballot.votes for ballot in found.ballots.values())
    (2, Fraction(2, 1))
    """
    state = view.state
    if state.winner >= 0 or state.due or state.active != view.me:
        raise BadInput(f"it is not for seat {view.me} to choose an option here")
    game = ChanceGame(view.rules, state)
    source = view.knowledge if view.groups else _OneWorld()
    shuffle = Random(seed).shuffle
    return pimc(
        source,
        lambda world: _in_order(view.state_in(world), shuffle),
        game,
        n=worlds,
        seed=seed,
        solver=partial(
            value_actions,
            simulations=simulations * len(view.rules.options(state)),
            seed=seed,
            horizon=HORIZON,
        ),
        limits=Limits(seconds=seconds, progress=progress),
    )


class _OneWorld:
    """Nothing is hidden: every sample is the one world."""

    def sample(self, n: int, *, seed: int, weighted: bool = True) -> list[dict[Any, Any]]:
        return [{}] * n


def _in_order(state: State, shuffle: Callable[[list[Card]], None]) -> State:
    """Return the state of a world with a deck in some order: a world is a whole deal.

    That a search then sees the cards to come is no worse than its seeing the hands, and a card
    drawn from a known deck costs a tenth of a node of chance.
    """
    deck = list(state.stock)
    shuffle(deck)
    hands = tuple(tuple(sorted(hand)) for hand in state.hands)
    return state._replace(hands=hands, deck=tuple(deck), stock=())
