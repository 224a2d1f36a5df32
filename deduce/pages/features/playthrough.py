r"""A playthrough as text: the set-up, who plays, and the moves, one per line.

>>> from deduce.pages.features.playthrough import Playthrough
>>> text = "set heaps=1,2\nengine 1\nmoves\n1 from 1\n"
>>> run = Playthrough.read("nim", text)
>>> run.state, run.engine, run.text() == text
(((0, 2), 1), frozenset({1}), True)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.pages.sentences import refused
from deduce.search.game import Extra, Game, hook, outcomes_of, text_of_action, text_of_state
from deduce.search.load import load_game, read_action
from deduce.system.text import whole_number

__all__ = ["MAX_MOVES", "Playthrough", "begin"]

MAX_MOVES = 2000
"""A longer playthrough is refused."""


@frozen
class Playthrough:
    """The moves so far, and the states before, between and after them.

    Parameters
    ----------
    name, game
        The game and its name.
    settings
        As ``--set`` takes them.
    engine
        The players whose moves the engine makes.
    seed
        Of the outcomes of chance.
    start
        The text of the first state; ``None``: the initial one.
    moves
        The texts of the moves; ``chance 2`` is the second outcome of chance.
    states
        One more than moves.
    """

    name: str
    game: Game[Any, Any]
    settings: tuple[str, ...]
    engine: frozenset[int]
    seed: int
    start: str | None
    moves: tuple[str, ...]
    states: tuple[Any, ...]

    @classmethod
    def read(cls, name: str, text: str) -> Playthrough:
        """Return the playthrough of a text.

        Raises
        ------
        BadInput
            A line is not understood, or a move is not legal; with the line.
        """
        lines = text.splitlines()
        settings: list[str] = []
        engine: frozenset[str] = frozenset()
        seed, start, first = 0, None, len(lines)
        for number, line in enumerate(lines, start=1):
            word, _, rest = line.strip().partition(" ")
            if word == "moves" and not rest:
                first = number
                break
            if word == "set":
                settings.append(rest)
            elif word == "engine":
                engine = frozenset(rest.split())
            elif word == "seed" and whole_number(rest, digits=9) is not None:
                seed = int(rest)
            elif word == "from":
                start = rest
            elif word:
                raise BadInput(refused("refused.head", line=line), line=number)
        game = load_game(name, settings)
        players = {str(player) for player in range(game.players)}
        if engine - players:
            raise BadInput(refused("refused.engine", players=", ".join(sorted(players))))
        run = begin(name, game, settings, start, seed)
        run = evolve(run, engine=frozenset(map(int, engine)))
        for number, line in enumerate(lines[first:], start=first + 1):
            if line.strip():
                try:
                    run = run.play(line.strip())
                except BadInput as error:
                    raise error.at(line=number) from None
        return run

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.game.utility(self.state) is not None

    @property
    def outcomes(self) -> Sequence[Any] | None:
        """The outcomes of chance with their probabilities; ``None``: a player moves."""
        return None if self.is_over else outcomes_of(self.game, self.state)

    @property
    def waits_for_engine(self) -> bool:
        """Whether the engine makes the next move, or chance in a game against the engine."""
        if self.is_over or not self.engine:
            return False
        return self.outcomes is not None or self.game.to_move(self.state) in self.engine

    def play(self, move: str) -> Playthrough:
        """Return the playthrough after one more move.

        Raises
        ------
        BadInput
            It is not legal, or the game is over.
        """
        game, state = self.game, self.state
        if self.is_over:
            raise BadInput(refused("refused.over"))
        if len(self.moves) >= MAX_MOVES:
            raise BadInput(refused("refused.moves", n=MAX_MOVES))
        outcomes = self.outcomes
        if outcomes is not None:
            number = whole_number(move.removeprefix("chance "))
            if number is None or not 1 <= number <= len(outcomes):
                raise BadInput(refused("refused.chance", n=len(outcomes)))
            written, after = f"chance {number}", outcomes[number - 1][0]
        else:
            action = read_action(game, state, move)
            written, after = text_of_action(game, state, action), game.result(state, action)
        return evolve(self, moves=(*self.moves, written), states=(*self.states, after))

    def words(self, move: str) -> str:
        """Return what the game calls a move that is legal now."""
        say = hook(self.game, Extra.say_action)
        if say is None or self.outcomes is not None:
            return move
        return str(say(self.state, read_action(self.game, self.state, move)))

    def upto(self, number: int) -> Playthrough:
        """Return the playthrough of the first ``number`` moves."""
        return evolve(self, moves=self.moves[:number], states=self.states[: number + 1])

    def text(self) -> str:
        """Return the playthrough as text."""
        lines = [f"set {setting}" for setting in self.settings]
        if self.engine:
            lines.append(f"engine {' '.join(map(str, sorted(self.engine)))}")
        if self.seed:
            lines.append(f"seed {self.seed}")
        if self.start is not None:
            lines.append(f"from {self.start}")
        return "".join(f"{line}\n" for line in [*lines, "moves", *self.moves])


def begin(
    name: str,
    game: Game[Any, Any],
    settings: Sequence[str] = (),
    start: str | None = None,
    seed: int = 0,
) -> Playthrough:
    """Return the playthrough of a game before its first move, from a state if one is given.

    Raises
    ------
    BadInput
        The game cannot read the state.
    """
    state = game.initial_state()
    if start is not None:
        parse = hook(game, Extra.parse_state)
        if parse is None:
            raise BadInput(refused("refused.no_states"))
        state = parse(start)
        start = text_of_state(game, state)
    return Playthrough(name, game, tuple(settings), frozenset(), seed, start, (), (state,))
