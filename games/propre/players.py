"""Players: random, greedy, one that searches open hands, one that samples hidden ones.

A player sees a `Seat`: its own observation and, if the hands are open, the whole state. Random,
greedy and sampling use only the observation, so they can play with hidden hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import TypeAlias

from attrs import frozen

from deduce.errors import BadInput
from deduce.search import Limits, PimcResult, mcts, pimc, value_actions
from deduce.system.text import check_known
from games.propre.evidence import Observation
from games.propre.game import ChanceGame
from games.propre.playthrough import Playthrough
from games.propre.rules import Rules
from games.propre.setup import Card, Option, State

__all__ = [
    "PLAYERS",
    "Player",
    "Seat",
    "Tally",
    "advise",
    "find_player",
    "greedy",
    "play_game",
    "sampling",
    "searching",
    "simulate",
]


HORIZON = 6
"""Plies of a playout before its state is estimated. Longer ones are worse: random play draws so
many cards that the effect of the searched options is lost (``docs/benchmarks/propre.md``)."""
SIMULATIONS = 12
"""Simulated playthroughs of each option in each sampled deal."""
MAX_DEALS = 1_000
"""The maximum number of sampled deals; the time limit usually comes first."""


@frozen
class Seat:
    """What the player at turn may use to choose an option."""

    observation: Observation
    random: Random
    seconds: float = 1.0
    """Seconds for each option, for the players that search."""
    open_state: State | None = None
    """The whole state, if the hands are open."""

    @property
    def rules(self) -> Rules:
        """The set-up."""
        return self.observation.rules

    @property
    def options(self) -> list[Option]:
        """The options of the player."""
        return self.rules.options(self.observation.state)


Player: TypeAlias = Callable[[Seat], Option]


def any_option(seat: Seat) -> Option:
    """Return one of the options, each with the same probability."""
    return seat.random.choice(seat.options)


def greedy(seat: Seat) -> Option:
    """Return a card rather than a draw: an answer to an attack, else a plain card, else an effect.

    Among equally good cards it plays the one after which most of the hand can be played. It never
    swaps, always announces, and chooses for an ace the suit of which it holds most cards. It
    chooses an option that fails (``try``) only if it can play a card after it.
    """
    cards = [option for option in seat.options if option.card and option.kind != "try"]
    cards = cards or [option for option in seat.options if _is_useful_try(seat, option)]
    if cards:
        return max(cards, key=lambda option: _promise(seat, option))
    ends = [option for option in seat.options if option.kind == "none"]
    return ends[-1]  # with the announcement, where there is one


def _is_useful_try(seat: Seat, option: Option) -> bool:
    after = seat.rules.result(seat.observation.state, option) if option.kind == "try" else None
    return after is not None and any(following.card for following in seat.rules.options(after))


def _promise(seat: Seat, option: Option) -> tuple[float, ...]:
    state = seat.rules.result(seat.observation.state, option)
    attacked = seat.observation.state.attack_value > 0
    follow = sum(bool(after.card) for after in seat.rules.options(state))
    suits = sum(card[1] == option.choice for card in state.hands[seat.observation.me])
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
        The hands are hidden.
    """
    if seat.open_state is None:
        raise BadInput("the player 'search' needs open hands; with hidden ones use 'sampling'")
    state = seat.open_state
    options = seat.rules.options(state)
    if len(options) == 1:
        return options[0]
    game = ChanceGame(seat.rules, state)
    result = mcts(
        game,
        game.initial_state(),
        simulations=None,
        seed=seat.random.getrandbits(32),
        horizon=HORIZON,
        limits=Limits(seconds=seat.seconds),
    )
    return result.uninterrupted().best_action or options[0]


def sampling(seat: Seat) -> Option:
    """Return the option that is best on average over sampled deals."""
    options = seat.options
    if len(options) == 1:
        return options[0]
    advice = advise(seat.observation, seconds=seat.seconds, seed=seat.random.getrandbits(32))
    return advice.result.uninterrupted().best_action or options[0]


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
        There is no such player; the message names the nearest.
    """
    check_known("player", name, PLAYERS)
    return PLAYERS[name]


def advise(
    seen: Observation,
    *,
    seconds: float | None = 5,
    worlds: int = MAX_DEALS,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    progress: Callable[[int, float], None] | None = None,
) -> PimcResult[State, Option]:
    """Return the value of each option over sampled deals of the unseen cards.

    Perfect-information Monte Carlo: see `deduce.search.pimc` for its limits. Deals are sampled
    exactly, by the counting engine.

    Parameters
    ----------
    seen
        What the player at turn sees.
    seconds, worlds
        The time limit and the maximum number of sampled deals; the sampling ends at the first of
        them. With ``seconds=None`` the answer depends only on the seed.
    simulations
        Playthroughs of each option in each deal.
    seed
        The seed of deals and playthroughs.
    progress
        Called before each deal with the number of deals and the seconds so far.

    Raises
    ------
    BadInput
        It is not the observer's turn, or there is nothing to decide.

    Examples
    --------
    >>> from games.propre.notation import parse_position
    >>> rules, state = parse_position("hands 2H QD KD AD / 3; pile KC")
    >>> advice = advise(Observation.of(rules, state, me=0), seconds=None, worlds=2, simulations=3)
    >>> advice.worlds, sum(ballot.votes for ballot in advice.ballots.values())
    (2, Fraction(2, 1))
    """
    state = seen.state
    if state.winner >= 0 or state.due or state.active != seen.me:
        raise BadInput(f"seat {seen.me} has no option to choose here")
    game = ChanceGame(seen.rules, state)
    source = seen.knowledge if seen.groups else _OneWorld()
    shuffle = Random(seed).shuffle
    return pimc(
        source,
        lambda world: _in_order(seen.state_in(world), shuffle),
        game,
        n=worlds,
        seed=seed,
        solver=partial(
            value_actions,
            simulations=simulations * len(seen.rules.options(state)),
            seed=seed,
            horizon=HORIZON,
        ),
        limits=Limits(seconds=seconds, progress=progress),
    )


class _OneWorld:
    """A source of samples where nothing is hidden: each sample is the only world."""

    def sample(self, n: int, *, seed: int, weighted: bool = True) -> list[dict[object, object]]:
        return [{}] * n


def _in_order(state: State, shuffle: Callable[[list[Card]], None]) -> State:
    """Return the state of a sampled deal with the stock as a deck in some order.

    A search that sees the next cards is no worse than one that sees the hands, and a draw from a
    known deck costs a tenth of a chance node.
    """
    deck = list(state.stock)
    shuffle(deck)
    hands = tuple(tuple(sorted(hand)) for hand in state.hands)
    return state._replace(hands=hands, deck=tuple(deck), stock=())


MAX_DECISIONS = 2_000
"""A game that is not over after this number of decisions is given up as a draw."""


@frozen
class Tally:
    """How many games each player won, and how long the games were."""

    names: tuple[str, ...]
    wins: tuple[int, ...]
    games: int
    given_up: int
    median_decisions: int

    @classmethod
    def of(cls, names: Sequence[str], outcomes: Sequence[tuple[int, int]]) -> Tally:
        """Return the sums over some games: for each its winner and its decisions.

        >>> Tally.of(["greedy", "random"], [(0, 31), (0, 45), (-1, 2000)]).wins
        (2, 0)
        """
        wins = Counter(winner for winner, _ in outcomes)
        lengths = sorted(decisions for _, decisions in outcomes) or [0]
        each = tuple(wins[index] for index in range(len(names)))
        return cls(tuple(names), each, len(outcomes), wins[-1], lengths[len(lengths) // 2])


def play_game(
    rules: Rules,
    names: Sequence[str],
    *,
    seed: int,
    open_hands: bool = False,
    seconds: float = 1.0,
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
    random = Random(seed)
    game = Playthrough.dealt(rules, random)
    for _ in range(MAX_DECISIONS):
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
) -> Iterator[tuple[int, int]]:
    """Yield the winner of each game and the number of decisions; players change seats each time.

    The winner is an index into ``names``, whatever their seat was; -1 if the game was given up.
    """
    for index in range(games):
        shift = index % rules.players
        seated = [*names[shift:], *names[:shift]]
        game = play_game(rules, seated, seed=seed + index, open_hands=open_hands, seconds=seconds)
        winner = game.state.winner
        decisions = sum(isinstance(step, Option) for _, step in game.steps)
        yield (winner + shift) % rules.players if winner >= 0 else -1, decisions
