"""The problems that several benchmarks and tests share, and the work that is measured on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any

from deduce.budget import Budget, cpu_seconds
from deduce.constraints import Fact, exactly, is_
from deduce.engines.base import Engine
from deduce.engines.choose import engine
from deduce.engines.core.model import Model
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem
from deduce.reasoning.explain import Why
from games.classics.connect_four import ConnectFour
from games.cluedo import Cluedo
from games.cluedo.events import Event, Hand, Show, Suggestion
from games.cluedo.setup import DECKS, Deck
from games.cluedo.simulation import deal
from games.minesweeper.game import Minesweeper, Open
from games.minesweeper.setup import cell_name

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")
BIG_DECK: Deck = {
    name: tuple(f"{name}{i}" for i in range(size))
    for name, size in (("who", 12), ("what", 12), ("where", 16))
}
UNLIMITED = Budget(None, None)
BUDGET = Budget(200_000_000, None)
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


Table = tuple[Cluedo, Mapping[Any, str], list[Event]]
"""A game, its deal and the true log of the first player."""


def table(random: Random, players: int, suggestions: int, deck: Deck = DECKS["classic"]) -> Table:
    """Return a random game with some random suggestions, truly answered."""
    names = NAMES[:players]
    in_hands = sum(map(len, deck.values())) - len(deck)
    sizes = tuple(in_hands // players + (seat < in_hands % players) for seat in range(players))
    game = Cluedo(players=names, deck=deck, hands=sizes, me=names[0])
    holders = deal(game, random)
    log: list[Event] = [Hand(names[0], tuple(c for c in game.dealt if holders[c] == names[0]))]
    for turn in range(suggestions):
        cards = tuple(random.choice(choice) for choice in deck.values())
        log.append(suggestion(game, holders, names[turn % players], cards, random))
    return game, holders, log


def suggestion(
    game: Cluedo,
    holders: Mapping[str, str],
    by: str,
    cards: tuple[str, ...],
    random: Random,
    overlooking: str | None = None,
) -> Suggestion:
    """Return a suggestion with its answers; a player who overlooks their cards passes."""
    passes: list[str] = []
    for player in game.after(by):
        held = [card for card in cards if holders[card] == player]
        if held and player != overlooking:
            seen = game.me in (by, player)
            shown = Show(player, random.choice(held) if seen else None)
            return Suggestion(by, cards, tuple(passes), (shown,))
        passes.append(player)
    return Suggestion(by, cards, tuple(passes))


def position(seed: int, players: int, suggestions: int, deck: Deck = DECKS["classic"]) -> Knowledge:
    """Return what the first player knows after some random suggestions, truly answered."""
    game, _, log = table(Random(seed), players, suggestions, deck)
    return Knowledge(game, log)


def standard(number: int) -> Iterator[Knowledge]:
    """Yield random standard positions: 3 to 6 players, 0 to 30 suggestions."""
    random = Random(2026)
    for seed in range(number):
        yield position(seed, random.randint(3, 6), random.randint(0, 30))


def seconds(work: Callable[[], Any], repeat: int = 1) -> float:
    """Return the least CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeat):
        started = process_time()
        work()
        best = min(best, process_time() - started)
    return best


def marginals(knowledge: Knowledge) -> None:
    """Compile the problem and compute every marginal, from nothing."""
    meter = UNLIMITED.meter()
    engine("counting").tally(Model(knowledge.problem), meter, weighted=False)


def grid(knowledge: Knowledge, chosen: Engine) -> None:
    """Compute the yes/no grid with an engine, from nothing."""
    chosen.possible(Model(knowledge.problem), UNLIMITED.meter())


def explanations(positions: Sequence[Knowledge], each: int = 4) -> list[float]:
    """Return the CPU seconds of explaining some certain facts of each position."""
    times = []
    for number, knowledge in enumerate(positions):
        own = knowledge.log[0].cards
        facts = [(card, holder) for card, holder in knowledge.certain().items() if card not in own]
        for card, holder in Random(number).sample(facts, min(each, len(facts))):
            claim = is_(card, holder)
            times.append(seconds(lambda k=knowledge, c=claim: k.why(c)))  # type: ignore[misc]
    return times


def count(problem: Problem) -> Any:
    """Return the number of worlds, without marginals where the engine can."""
    counting: Any = engine("counting")
    model = Model(problem)
    if hasattr(counting, "total"):
        return counting.total(model, BUDGET.meter(), weighted=False)
    return counting.tally(model, BUDGET.meter(), weighted=False).total


def cells(problem: Problem) -> Any:
    """Return all marginals."""
    return engine("counting").tally(Model(problem), BUDGET.meter(), weighted=False)


def derangements(n: int) -> Problem:
    """Return the ways to give each of ``n`` persons another person's gift."""
    domains = {i: [j for j in range(n) if j != i] for i in range(n)}
    once = [exactly(1, [is_(i, j) for i in range(n) if i != j]) for j in range(n)]
    return Problem(domains, once)


def permanent(n: int) -> Problem:
    """Return the permutations within a random matrix of zeros and ones, half of them ones."""
    random = Random(n)
    rows = {i: [j for j in range(n) if j == i or random.random() < 0.5] for i in range(n)}
    once = [exactly(1, [is_(i, j) for i in range(n) if j in rows[i]]) for j in range(n)]
    return Problem(rows, once)


def large(viewer: Any, number: int) -> list[Knowledge]:
    """Return positions of 40 cards and 10 players after 26 suggestions."""
    return [position(seed, 10, 26, BIG_DECK).seen_by(viewer) for seed in range(number)]


def sudoku(clues: str) -> Problem:
    """Return a sudoku whose clues are evidence."""
    rows = [[(r, c) for c in range(9)] for r in range(9)]
    columns = [[(r, c) for r in range(9)] for c in range(9)]
    boxes = [[(r + i // 3, c + i % 3) for i in range(9)] for r in (0, 3, 6) for c in (0, 3, 6)]
    units = [*rows, *columns, *boxes]
    rules = [exactly(1, [is_(cell, v) for cell in unit]) for unit in units for v in range(1, 10)]
    told = [(i, int(clue)) for i, clue in enumerate(clues) if clue != "."]
    evidence = [Evidence(is_((i // 9, i % 9), v), n) for n, (i, v) in enumerate(told, 1)]
    return Problem({cell: range(1, 10) for row in rows for cell in row}, rules, evidence)


def minefield(seed: int, moves: int) -> Knowledge:
    """Return an expert board after some openings: of a certain cell, else of any without a mine."""
    random = Random(seed)
    game = Minesweeper(30, 16, 99)
    cells = list(game.cells())
    mined = set(random.sample(cells, 99))
    free = [cell for cell in cells if cell not in mined]
    opened: dict[str, int] = {}
    while len(opened) < moves:
        waiting = [random.choice(free)]
        while waiting:
            cell = waiting.pop()
            if cell_name(cell) in opened:
                continue
            around = list(game.around(cell))
            number = sum(other in mined for other in around)
            opened[cell_name(cell)] = number
            if number == 0:
                waiting += around
    return Knowledge(game, [Open(cell, number) for cell, number in opened.items()])


def boards(number: int) -> Iterator[tuple[Knowledge, Fact]]:
    """Yield expert boards, each with what is certain of a cell that nobody opened."""
    for seed in range(number):
        k = minefield(seed, 60 + 2 * seed)
        opened = {event.cell for event in k.log}
        certain = {cell: v for cell, v in k.certain().items() if cell not in opened}
        if certain:
            cell = Random(seed).choice(sorted(certain, key=str))
            yield k, is_(cell, certain[cell])


def timed(knowledge: Knowledge, claim: Fact, seconds: float) -> tuple[float, Why]:
    """Return the seconds of an explanation, and the explanation."""
    budget = Budget(steps=None, seconds=seconds, clock=cpu_seconds)
    asked = Knowledge(knowledge.game, knowledge.log, budget=budget)
    asked.asker  # noqa: B018
    started = process_time()
    why = asked.why(claim)
    return process_time() - started, why


class PlainFour(ConnectFour):
    """Connect four with the required methods and an order only, as a stranger would begin."""

    key = None  # type: ignore[assignment]
    playout = None  # type: ignore[assignment]


def open_spiel_value(game: str) -> Callable[[], Any]:
    """Return OpenSpiel's alpha-beta of a game, called from Python."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    loaded = pyspiel.load_game(game)
    return lambda: minimax.alpha_beta_search(loaded)


def open_spiel_mcts(simulations: int) -> Callable[[], Any]:
    """Return OpenSpiel's Python Monte-Carlo tree search of connect four."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts as peer

    game = pyspiel.load_game("connect_four")
    random = np.random.RandomState(1)
    evaluator = peer.RandomRolloutEvaluator(1, random)
    bot = peer.MCTSBot(game, 2.0, simulations, evaluator, random_state=random)
    return lambda: bot.mcts_search(game.new_initial_state())


def easy_ai_four(width: int, height: int) -> Callable[[], Any]:
    """Return easyAI's negamax with a table on connect four, with bit sets and centre first."""
    from easyAI import AI_Player, Negamax, TwoPlayerGame
    from easyAI.AI import TranspositionTable

    up = height + 1
    bottom = [1 << column * up for column in range(width)]
    top = [cell << height - 1 for cell in bottom]
    centre_first = sorted(range(width), key=lambda column: abs(column - (width - 1) / 2))

    class Four(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player = 1
            self.stones = [0, 0]

        def possible_moves(self) -> list[int]:
            taken = self.stones[0] | self.stones[1]
            return [column for column in centre_first if not taken & top[column]]

        def make_move(self, move: int) -> None:
            taken = self.stones[0] | self.stones[1]
            self.stones[self.current_player - 1] |= (taken + bottom[move]) & ~taken

        def unmake_move(self, move: int) -> None:
            taken = (self.stones[0] | self.stones[1]) & (top[move] * 2 - bottom[move])
            self.stones[self.current_player - 1] ^= 1 << taken.bit_length() - 1

        def lose(self) -> bool:
            stones = self.stones[2 - self.current_player]
            for step in (up, 1, up - 1, up + 1):
                pairs = stones & stones >> step
                if pairs & pairs >> 2 * step:
                    return True
            return False

        def is_over(self) -> bool:
            return self.lose() or not self.possible_moves()

        def scoring(self) -> int:
            return -1 if self.lose() else 0

        def show(self) -> None: ...

        def ttentry(self) -> tuple[int, int]:
            return self.stones[0], self.stones[1]

    return lambda: Negamax(width * height, tt=TranspositionTable(), win_score=1)(Four())


def easy_ai_tic_tac_toe() -> Callable[[], Any]:
    """Return easyAI's negamax of tic-tac-toe."""
    from easyAI import AI_Player, Negamax
    from easyAI.games.TicTacToe import TicTacToe as Peer

    return lambda: Negamax(9)(Peer([AI_Player(None), AI_Player(None)]))
