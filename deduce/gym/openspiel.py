"""OpenSpiel's games here, and what a player can believe in them.

`SpielGame` makes a game of OpenSpiel (Lanctot et al., 2019, arXiv:1908.09453) one that
`deduce.search` can search and solve. `belief` returns what a player who has seen an information
state can know about the rest, as `deduce.knowledge.Knowledge` with exact probabilities and samples:
what OpenSpiel calls ``resample_from_infostate``, for any of its games that is small enough to list.

The package ``open_spiel`` (2.0 or later) is imported when a game is loaded. A game may be given by
its name, with settings as OpenSpiel writes them (``"connect_four(rows=4,columns=4)"``), or loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import field, frozen

from deduce.constraints import Weigh, Where, is_
from deduce.errors import BadInput, Undecided, Unsupported, missing_package
from deduce.knowledge import Knowledge
from deduce.problem import Problem

__all__ = ["Belief", "Position", "SpielGame", "belief"]

Spiel: TypeAlias = Any
"""A game or a state of OpenSpiel, whose package states no types."""

Policy = Callable[[Spiel], Mapping[int, Fraction | float]]
"""How probable each action of a player is in a state of OpenSpiel."""

EXACT = 10**9
"""The largest denominator of a probability; OpenSpiel states them as floats."""


@frozen
class Position:
    """A state of an OpenSpiel game: the actions that led to it, chance's included."""

    history: tuple[int, ...]
    spiel: Spiel = field(eq=False, repr=False)

    def after(self, action: int) -> Position:
        """Return the position after one more action."""
        child = self.spiel.child(action)
        return Position((*self.history, action), child)


class SpielGame:
    """A game of OpenSpiel as a game of `deduce.search`.

    Two histories are two states, for the text of a state need not tell everything that matters.
    With ``merged=True`` states with the same text and the same mover are one (as its ``key``),
    which is right where the text shows the whole position, as in most board games.

    Raises
    ------
    Unsupported
        The game has hidden information or simultaneous moves, and is not ``open``; with
        ``is_open=True`` it is searched as if every player saw everything.
    BadInput
        OpenSpiel has no such game.

    Examples
    --------
    >>> from deduce.search import alphabeta
    >>> alphabeta(SpielGame("tic_tac_toe", merged=True)).value == (0, 0)
    True
    """

    def __init__(self, game: object, *, merged: bool = False, is_open: bool = False) -> None:
        try:
            import pyspiel
        except ImportError:
            raise missing_package("a game of OpenSpiel", "open_spiel") from None
        self.spiel = loaded(game)
        kind = self.spiel.get_type()
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise Unsupported(f"{kind.short_name}: players move at the same time")
        if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION and not is_open:
            raise Unsupported(
                f"{kind.short_name} has hidden information: is_open=True searches it as if all "
                "were seen; `belief` returns what a player can know"
            )
        self.merged = merged
        self.players: int = self.spiel.num_players()
        self.utility_bounds = (self.spiel.min_utility(), self.spiel.max_utility())
        self.zero_sum: bool = kind.utility == pyspiel.GameType.Utility.ZERO_SUM
        self.has_chance: bool = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC

    def initial_state(self) -> Position:
        """Return the position before the first move."""
        return Position((), self.spiel.new_initial_state())

    def to_move(self, state: Position) -> int:
        """Return the player whose turn it is."""
        return int(state.spiel.current_player())

    def actions(self, state: Position) -> Sequence[int]:
        """Return the legal actions, as OpenSpiel numbers them."""
        return tuple(state.spiel.legal_actions())

    def result(self, state: Position, action: int) -> Position:
        """Return the position after an action."""
        return state.after(action)

    def utility(self, state: Position) -> tuple[float, ...] | None:
        """Return the returns at the end of the game."""
        return tuple(state.spiel.returns()) if state.spiel.is_terminal() else None

    def outcomes(self, state: Position) -> Sequence[tuple[Position, Fraction]] | None:
        """Return where chance leads, with the probabilities."""
        if not state.spiel.is_chance_node():
            return None
        return tuple((state.after(a), exact(p)) for a, p in state.spiel.chance_outcomes())

    def key(self, state: Position) -> object:
        """Return what states have in common that are taken for one."""
        return (state.spiel.current_player(), str(state.spiel)) if self.merged else state.history

    def show(self, state: Position) -> str:
        """Return the state as OpenSpiel draws it."""
        return str(state.spiel)

    def format_state(self, state: Position) -> str:
        """Return the actions that led to a state."""
        return " ".join(map(str, state.history)) or "start"

    def parse_state(self, text: str) -> Position:
        """Return the position after the actions in a text."""
        state = self.initial_state()
        for word in [] if text.strip() == "start" else text.split():
            legal = {str(action): action for action in state.spiel.legal_actions()}
            if word not in legal:
                raise BadInput(f"{word!r} is not legal after {self.format_state(state)!r}")
            state = state.after(legal[word])
        return state

    def format_action(self, state: Position, action: int) -> str:
        """Return the action as OpenSpiel writes it."""
        return str(state.spiel.action_to_string(self.to_move(state), action))

    def parse_action(self, state: Position, text: str) -> int:
        """Return the legal action that OpenSpiel writes so."""
        for action in self.actions(state):
            if text in (str(action), self.format_action(state, action)):
                return action
        legal = ", ".join(self.format_action(state, action) for action in self.actions(state))
        raise BadInput(f"{text!r} is not legal here; legal: {legal}")


@frozen
class Belief:
    """What a player can believe: every history that leads to the same information state.

    Attributes
    ----------
    knowledge
        Each step that was not the player's own and can differ, as a variable; its values are the
        actions in OpenSpiel's words. ``posterior``, ``joint``, ``why`` and all other queries work.
    histories
        The possible histories by the values of the variables, in the order of ``knowledge``.
    """

    knowledge: Knowledge
    histories: Mapping[tuple[str, ...], tuple[int, ...]]
    _game: Spiel = field(repr=False)

    def sample(self, number: int, *, seed: int) -> Sequence[Spiel]:
        """Return independent exact samples, as states of OpenSpiel.

        Cost: that of `Knowledge.sample`, and of replaying each history.
        """
        steps = self._steps()
        drawn = self.knowledge.sample(number, seed=seed)
        return [
            self._state(self.histories[tuple(world[step] for step in steps)]) for world in drawn
        ]

    def probabilities(self) -> Mapping[tuple[int, ...], Fraction]:
        """Return how probable each history is."""
        joint = self.knowledge.joint(*self._steps())
        return {self.histories[tuple(map(str, values))]: p for values, p in joint.items()}

    def _steps(self) -> list[Any]:
        return [name for name in self.knowledge.problem.domains if name != HISTORY]

    def _state(self, history: Sequence[int]) -> Spiel:
        state = self._game.new_initial_state()
        for action in history:
            state.apply_action(action)
        return state


HISTORY = "history"


def belief(state: Spiel, *, policy: Policy | None = None, limit: int = 100_000) -> Belief:
    """Return what the player to move in an OpenSpiel state can believe about the hidden part.

    Every history with the same information state is listed. It is as probable as chance makes
    it, times the probability of the others' actions under ``policy``; without one, their actions
    say nothing beyond being legal (as ``resample_from_infostate`` of OpenSpiel takes it).

    Raises
    ------
    Unsupported
        No player moves in ``state``, or the game has no information states.
    Undecided
        More than ``limit`` states would have to be visited.

    Examples
    --------
    >>> import pyspiel
    >>> state = pyspiel.load_game("kuhn_poker").new_initial_state()
    >>> state.apply_action(0); state.apply_action(2)
    >>> belief(state).knowledge.posterior()["step 2"]
    {'Deal:1': Fraction(1, 2), 'Deal:2': Fraction(1, 2)}

    Cost: one visit for each history that agrees with the player's earlier information states.
    """
    game, player = state.get_game(), state.current_player()
    if player < 0 or state.is_terminal():
        raise Unsupported("a belief belongs to the player to move, but no player is to move here")
    if not game.get_type().provides_information_state_string:
        raise Unsupported(
            f"{game.get_type().short_name} has no information states; "
            "deduce.gym.openspiel_cards reads the cards of some such games"
        )
    seen, own = _own_view(state, player)
    found: dict[tuple[int, ...], tuple[tuple[str, ...], Fraction]] = {}
    visited = _histories(game.new_initial_state(), player, seen, own, policy)
    for number, (history, words, weight) in enumerate(visited, start=1):
        if number > limit:
            raise Undecided(f"more than {limit} states to visit; histories found: {len(found)}")
        if words is not None and weight:
            found[history] = (words, weight)
    length = max(len(words) for words, _ in found.values())
    rows = {h: (w + ("",) * (length - len(w)), p) for h, (w, p) in found.items()}
    open_ = [i for i in range(length) if len({words[i] for words, _ in rows.values()}) > 1]
    names = [f"step {i + 1}" for i in open_]
    listed = {tuple(words[i] for i in open_): (h, p) for h, (words, p) in rows.items()}
    domains = {name: sorted({row[n] for row in listed}) for n, name in enumerate(names)}
    rules: list[Any] = []
    if names:
        rules.append(Where(names, lambda *row: row in listed))
    if len({p for _, p in listed.values()}) > 1:
        # One more variable, whose value is the history, carries the weights.
        domains[HISTORY] = [" ".join(map(str, h)) for h, _ in listed.values()]
        text = {" ".join(map(str, h)): row for row, (h, _) in listed.items()}
        for n, name in enumerate(names):
            rules.append(Where([name, HISTORY], _links(text, n)))
        for (_, p), value in zip(listed.values(), domains[HISTORY], strict=True):
            rules.append(Weigh([is_(HISTORY, value)], [Fraction(1), p]))
    problem = Problem(domains, rules)
    return Belief(Knowledge(problem), {row: h for row, (h, _) in listed.items()}, game)


def _links(rows: Mapping[str, tuple[str, ...]], n: int) -> Callable[[str, str], bool]:
    return lambda value, history: rows[history][n] == value


def _own_view(state: Spiel, player: int) -> tuple[list[str], list[int]]:
    """Return the information states at each decision of a player so far, and the actions."""
    replayed = state.get_game().new_initial_state()
    seen, own = [], []
    for action in state.history():
        if replayed.current_player() == player:
            seen.append(replayed.information_state_string(player))
            own.append(action)
        replayed.apply_action(action)
    return [*seen, replayed.information_state_string(player)], own


def _histories(
    root: object, player: int, seen: Sequence[str], own: Sequence[int], policy: Policy | None
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...] | None, Fraction]]:
    """Yield each state that agrees with what a player saw; with words if it may be the true one."""
    todo: list[tuple[Spiel, int, tuple[str, ...], Fraction]] = [(root, 0, (), Fraction(1))]
    while todo:
        state, turn, words, weight = todo.pop()
        if state.is_terminal():
            continue
        history, mover = tuple(state.history()), state.current_player()
        if mover == player:
            if state.information_state_string(player) != seen[turn]:
                continue
            if turn == len(own):
                yield history, words, weight
            elif own[turn] in state.legal_actions():
                todo.append((state.child(own[turn]), turn + 1, (*words, "own"), weight))
            continue
        yield history, None, weight
        if state.is_chance_node():
            chances = {action: exact(p) for action, p in state.chance_outcomes()}
        else:
            chosen = policy(state) if policy else {}
            chances = {
                a: exact(chosen.get(a, 0)) if policy else Fraction(1) for a in state.legal_actions()
            }
        for action, p in chances.items():
            word = state.action_to_string(mover, action)
            todo.append((state.child(action), turn, (*words, word), weight * p))


def loaded(game: object) -> Spiel:
    """Return an OpenSpiel game, loaded if it is given by its name."""
    import pyspiel

    try:
        return pyspiel.load_game(game) if isinstance(game, str) else game
    except pyspiel.SpielError as error:
        raise BadInput(f"OpenSpiel cannot load {game!r}: {str(error).splitlines()[0]}") from None


def exact(probability: float | Fraction) -> Fraction:
    """Return a probability as the simplest fraction that rounds to it."""
    return Fraction(probability).limit_denominator(EXACT)
