"""The conformance check for your own perfect-information game.

A test with ``check_game(MyGame())`` detects most mistakes that would make searches fail or return
wrong results, and names the state in which they occur.

A game is also compared with what it states elsewhere, if it does: ``parse_action``, if it refuses
what is not legal; the values of all states near the end, computed without ``key``; and
``known_value(state)``, the utilities of a state with best play where theory gives them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from graphlib import CycleError, TopologicalSorter
from random import Random
from typing import Any
from xml.etree import ElementTree

from deduce.errors import BadInput, Unsupported
from deduce.search.errors import (
    ActionsDisagree,
    BadGame,
    BadUtility,
    InfinitePlay,
    NotZeroSum,
    check_hashable,
    check_state,
    check_utilities,
    diagnose,
)
from deduce.search.game import (
    Action,
    AnyGame,
    Extra,
    Game,
    Packed,
    State,
    has_chance,
    hook,
    outcomes_of,
    steps_of,
)
from deduce.search.graph_game import as_game
from deduce.search.solvers.minimax import maxn
from deduce.search.solvers.shared import utility_bounds

__all__ = [
    "check_game",
    "check_legal_texts",
    "check_secured",
    "check_values",
    "evaluate",
    "similar_texts",
]


MAX_STATES = 2_000
"""The values of up to this many states are computed exactly."""


def similar_texts(text: str) -> Iterator[str]:
    """Yield the text, and the text with each number one larger and one smaller.

    >>> list(similar_texts("3 from 2"))
    ['3 from 2', '4 from 2', '2 from 2', '3 from 3', '3 from 1']
    """
    yield text
    for match in re.finditer(r"[0-9]+", text):
        for step in (1, -1):
            yield f"{text[: match.start()]}{int(match[0]) + step}{text[match.end() :]}"


def check_legal_texts(
    game: AnyGame, state: Hashable, actions: Sequence[Hashable], texts: Iterable[str]
) -> None:
    """Check that every text that ``parse_action`` accepts in a state is one of its actions.

    It is checked only if the game states ``refuses_illegal = True``.

    Raises
    ------
    ActionsDisagree
        An action is missing in ``actions``, or ``parse_action`` accepts one that is not legal.
    """
    read = hook(game, Extra.parse_action)
    if read is None or not hook(game, Extra.refuses_illegal, default=False):
        return
    for text in texts:
        try:
            action = read(state, text)
        except BadInput:
            continue
        if action not in actions:
            raise ActionsDisagree(
                f"parse_action accepts {text!r} as {action!r}, which actions does not list",
                game,
                state,
            )


def check_values(game: AnyGame, path: Sequence[Hashable]) -> None:
    """Check keys and known values of all states that follow a late state of a playthrough.

    Parameters
    ----------
    game
        The game.
    path
        The states of a playthrough. The earliest from which up to 2,000 states can be reached, in
        a game that cannot repeat a state, is where this begins.

    Raises
    ------
    BadGame
        Two states have the same key but different values, or a value is not the known one.
    """
    known, key = hook(game, Extra.known_value), hook(game, Extra.key)
    if known is None and key is None:
        return
    values: dict[Any, tuple[Any, ...] | None] = {}
    for state in reversed(path):
        if not evaluate(game, state, values):
            break
    by_key: dict[object, object] = {}
    for state, value in values.items():
        if value is None:
            continue
        if known is not None:
            expected = known(state)
            if expected is not None and tuple(expected) != value:
                raise BadUtility(
                    f"with best play the utilities of this state are {value!r} by actions, result "
                    f"and utility, but known_value gives {tuple(expected)!r}",
                    game,
                    state,
                )
        if key is not None:
            other = by_key.setdefault(key(state), state)
            if values[other] != value:
                raise BadGame(
                    f"key merges this state, of value {value!r}, with {other!r}, of value "
                    f"{values[other]!r}",
                    game,
                    state,
                )


def evaluate(
    game: AnyGame, root: Hashable, values: dict[object, tuple[object, ...] | None]
) -> bool:
    """Add the values of all states after a state; return whether there are few enough.

    A value is ``None`` where it is not determined: with three or more players it depends on which
    of several equally good actions is chosen.
    """
    children: dict[Any, list[Any]] = {}
    waiting = [root]
    for state in waiting:  # grows while it is walked
        if state in values or state in children:
            continue
        if len(children) + len(values) > MAX_STATES:
            return False
        is_over = game.utility(state) is not None
        children[state] = [] if is_over else [child for _, child in steps_of(game, state)]
        waiting += children[state]
    try:
        order = list(TopologicalSorter(children).static_order())
    except CycleError:  # a state repeats
        return False
    for state in order:
        if state not in values:
            values[state] = _value(game, state, [values[child] for child in children[state]])
    return True


def _value(
    game: AnyGame, state: Hashable, after: Sequence[tuple[Any, ...] | None]
) -> tuple[Any, ...] | None:
    final = game.utility(state)
    if final is not None:
        return tuple(final)
    known = [value for value in after if value is not None]
    if len(known) < len(after):
        return None
    by_chance = outcomes_of(game, state)
    if by_chance is not None:
        shares = [Fraction(share) for _, share in by_chance]
        return tuple(
            sum(share * Fraction(value[p]) for share, value in zip(shares, known, strict=True))
            for p in range(game.players)
        )
    mover = game.to_move(state)
    best = max(value[mover] for value in known)
    choices = {value for value in known if value[mover] == best}
    return choices.pop() if len(choices) == 1 else None


def check_secured(game: AnyGame, state: Hashable, following: Sequence[Hashable]) -> None:
    """Check what players have already, if the game states it.

    Raises
    ------
    BadGame
        It is not the utility where the game is over, or a move lowers it.
    """
    secured = hook(game, Packed.secured)
    if secured is None:
        return
    has, final = secured(state), game.utility(state)
    if len(has) != game.players:
        raise BadUtility(f"secured gives {has!r}, not {game.players} numbers", game, state)
    if final is not None and tuple(final) != tuple(has):
        raise BadUtility(f"secured gives {has!r}, but the utility is {final!r}", game, state)
    for child in following:
        if any(less < more for less, more in zip(secured(child), has, strict=True)):
            raise BadGame(f"a move lowers secured, which is {has!r}", game, state)


TEXTS = 20
"""So many actions of a state, and texts of earlier states, are tried as texts."""


def check_game(
    game: Game[State, Action],
    *,
    playthroughs: int = 20,
    seed: int = 0,
    max_plies: int = 1_000,
    is_legal: Callable[[State, Action], bool] | None = None,
) -> int:
    """Return the number of states that were visited and passed all checks.

    Random playthroughs check in every state that

    - states, keys and actions are hashable, and equal when computed again;
    - there is an action where the game goes on, none twice, and ``result`` takes each and leaves
      the state as it was; ``order`` gives the same actions, ``quiet`` answers yes or no
      about each; the mover is a player;
    - utilities and estimates are one finite number per player, within ``utility_bounds`` and, if
      declared ``zero_sum``, of sum 0; probabilities of ``outcomes`` are positive with sum 1, and
      ``has_chance`` is not False where there are any;
    - text forms of states and actions round-trip, and nonsense raises `BadInput`; ``show`` gives
      text and ``svg`` one SVG element without a script; ``player_name`` gives each player a name;
    - ``parse_action`` accepts no action that ``actions`` does not list, if the game states that it
      does so (``refuses_illegal = True``);
    - states with the same key have the same mover and as many different keys after them, and,
      near the end of the game, the same value; where theory knows the value of a state, the game
      can state it as ``known_value(state)``, one utility per player or ``None``, and is then
      compared with it;
    - ``playout`` gives utilities of the same kind;
    - ``pack`` gives each state a number of its own, which ``unpack`` reads; no move lowers
      ``tier``; ``expand_packed`` gives the same as the methods for one state;
    - ``secured`` is the utility where the game is over, and no move lowers it for any player.

    Parameters
    ----------
    game
        The game.
    playthroughs, seed, max_plies
        How many random playthroughs, with which seed, and the maximum length of one. A longer game
        is not an error: its states up to there are checked.
    is_legal
        An independent check of which actions are legal, for instance an older program.

    Raises
    ------
    BadGame
        The first fault, with the state in which it occurs.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> check_game(TicTacToe(), playthroughs=10) > 50
    True
    """
    _check_names(as_game(game))
    random = Random(seed)
    check = _Check(game, random, is_legal)
    for _ in range(playthroughs):
        state = game.initial_state()
        if state != game.initial_state():
            raise BadGame("initial_state gives another state each time", game, state)
        path = [state]
        for _ in range(max_plies):
            following = check.state(state)
            if not following:
                break
            state = random.choice(following)
            path.append(state)
        try:
            check_values(game, path)
        except Exception as error:
            raise diagnose(game, state, error) from error
    return len(check.visited)


def _check_names(game: AnyGame) -> None:
    """Check that every player has a name of their own."""
    name = hook(game, Extra.player_name)
    names = [] if name is None else [name(player) for player in range(game.players)]
    if not all(isinstance(text, str) and text for text in names) or len({*names}) < len(names):
        listed = ", ".join(map(repr, names))
        raise BadGame(
            f"player_name gives {listed}, not one name per player", game, game.initial_state()
        )


class _Check:
    """The state of one run of `check_game`: what has been visited, and by which key."""

    def __init__(
        self, game: AnyGame, random: Random, is_legal: Callable[[Any, Any], bool] | None
    ) -> None:
        self.game = game
        self.random = random
        self.is_legal = is_legal
        self.visited: set[Hashable] = set()
        self.by_key: dict[Any, Any] = {}
        self.texts: dict[str, None] = {}
        self.by_code: dict[int, Any] = {}

    def state(self, state: Hashable) -> list[Any]:
        """Check a state and return the states that can follow; none when the game is over."""
        game = self.game
        try:
            following, actions = self._following(state)
            if state in self.visited:
                return following
            self.visited.add(state)
            self._texts(state, actions)
            self._key(state, following)
            self._packed(state, following)
            check_secured(game, state, following)
            estimate, playout = hook(game, Extra.estimate), hook(game, Extra.playout)
            if following and estimate is not None:
                self._numbers("estimate", estimate(state), state, declared=False)
            if following and playout is not None:
                self._numbers("playout", playout(state, Random(1)), state)
                if playout(state, Random(1)) != playout(state, Random(1)):
                    raise BadGame("playout differs for equal random numbers", game, state)
        except Exception as error:
            raise diagnose(game, state, error) from error
        return following

    def _following(self, state: Hashable) -> tuple[list[Any], list[Any]]:
        """Return the states that can follow and the actions to them, both checked."""
        game = self.game
        following, actions = check_state(game, state)
        if following and not actions and not has_chance(game):
            raise BadGame("outcomes has states here, but has_chance is False", game, state)
        if not following:
            self._numbers("utility", game.utility(state), state)
        order = hook(game, Extra.order) if actions else None
        if order and sorted(map(repr, order(state, actions))) != sorted(map(repr, actions)):
            raise ActionsDisagree("order does not give the same actions", game, state)
        quiet = hook(game, Extra.quiet)
        if quiet and not all(isinstance(quiet(state, action), bool) for action in actions):
            raise BadGame("quiet does not answer True or False", game, state)
        for action in actions:
            if self.is_legal is not None and not self.is_legal(state, action):
                raise ActionsDisagree(f"actions lists {action!r}, which is not legal", game, state)
        return following, actions

    def _numbers(self, what: str, numbers: Any, state: Hashable, *, declared: bool = True) -> None:
        """Check utilities; those of an estimate need not keep what is declared of the end."""
        game = self.game
        check_utilities(game, state, numbers, what)
        low, high = utility_bounds(game)
        if not all(low <= value <= high for value in numbers):
            raise BadUtility(f"{what} {numbers!r} is outside {low} to {high}", game, state)
        if declared and hook(game, Extra.zero_sum, default=False) and sum(numbers) != 0:
            raise NotZeroSum(f"{what} {numbers!r} does not sum to 0", game, state)

    def _key(self, state: Hashable, following: list[Any]) -> None:
        """Check that the key is stable and merges only what behaves alike."""
        game, key = self.game, hook(self.game, Extra.key)
        if key is None:
            return
        name = key(state)
        check_hashable(game, state, "key", name)
        if name != key(state):
            raise BadGame("key differs when asked again", game, state)
        other = self.by_key.setdefault(name, state)
        if other == state:
            return
        if _profile(game, other) != _profile(game, state):
            raise BadGame(
                f"key merges this state with {other!r}, which continues differently", game, state
            )
        if len(following) <= 3:
            self._same_value(other, state)

    def _same_value(self, one: object, other: object) -> None:
        """Compare the values of two states that share a key, as far as three plies show."""
        values = []
        for state in (one, other):
            try:
                values.append(maxn(_Keyless(self.game), state, depth=3))
            except InfinitePlay:
                return
        if values[0].proved and values[1].proved and values[0].value != values[1].value:
            raise BadGame(
                f"key merges this state with {one!r}, which has another value", self.game, other
            )

    def _packed(self, state: Hashable, following: list[Any]) -> None:
        """Check the number of a state, and its tier; see `deduce.search.tiers.table`."""
        game = self.game
        pack, unpack = hook(game, Packed.pack), hook(game, Packed.unpack)
        tier = hook(game, Packed.tier)
        if pack is None or unpack is None:
            return
        try:
            code = pack(state)
        except Unsupported:  # this setting of the game is too large, or has chance
            return
        if not (isinstance(code, int) and 0 <= code < 2**64):
            raise BadGame(f"pack gives {code!r}, not a number of 64 bits", game, state)
        same = unpack(code)
        if not self._is_same(same, state):
            raise BadGame(f"unpack of {code} gives {same!r}", game, state)
        if pack(same) != code:
            raise BadGame(f"pack gives {pack(same)}, not {code}, for {same!r}", game, state)
        other = self.by_code.setdefault(code, state)
        if not self._is_same(other, state):
            raise BadGame(f"pack gives {code} for {other!r} too", game, state)
        if tier is not None and tier(same) != tier(state):
            raise BadGame(f"the tier differs from that of {same!r}", game, state)
        if tier is not None and any(tier(child) < tier(state) for child in following):
            raise BadGame("a move lowers the tier", game, state)
        if hook(game, Packed.expand_packed) is not None:
            self._expanded(state, code)

    def _is_same(self, one: object, other: object) -> bool:
        """Return whether a state is another, or has its key and continues alike."""
        if one == other:
            return True
        key = hook(self.game, Extra.key)
        return (
            key is not None
            and key(one) == key(other)
            and _profile(self.game, one) == _profile(self.game, other)
        )

    def _expanded(self, state: Hashable, code: int) -> None:
        """Compare the moves of an array of states with those of the single states."""
        import numpy as np

        from deduce.search.tiers.table import expand_one_by_one, same_expansion

        codes = np.array([code], np.uint64)
        expand = hook(self.game, Packed.expand_packed)
        assert expand is not None
        if not same_expansion(expand(codes), expand_one_by_one(self.game, codes)):
            raise BadGame("expand_packed differs from the methods for one state", self.game, state)

    def _texts(self, state: Hashable, actions: list[Any]) -> None:
        game = self.game
        write_state, read_state = hook(game, Extra.format_state), hook(game, Extra.parse_state)
        if write_state and read_state:
            text = write_state(state)
            if self._read_back(read_state, text, state) != state:
                raise BadGame(f"the text {text!r} does not read back", game, state)
            self._refuses_nonsense(read_state, state)
        write, read = hook(game, Extra.format_action), hook(game, Extra.parse_action)
        if write and read and actions:
            for action in actions:
                text = write(state, action)
                if self._read_back(partial(read, state), text, state) != action:
                    message = f"the text {text!r} of an action does not read back"
                    raise BadGame(message, game, state)
            self._refuses_nonsense(partial(read, state), state)
            own = [
                text for action in actions[:TEXTS] for text in similar_texts(write(state, action))
            ]
            check_legal_texts(game, state, actions, dict.fromkeys([*own, *self.texts]))
            self.texts = dict.fromkeys([*list(self.texts)[-TEXTS:], *own[:TEXTS]])
        say = hook(game, Extra.say_action)
        if say and len({say(state, action) for action in actions}) < len(actions):
            raise BadGame("two actions have the same words", game, state)
        show = hook(game, Extra.show)
        if show and not isinstance(show(state), str):
            raise BadGame("show does not give text", game, state)
        draw = hook(game, Extra.svg)
        if draw:
            self._picture(draw(state), state)

    def _read_back(self, read: Callable[[str], Any], text: str, state: Hashable) -> Any:
        try:
            return read(text)
        except BadInput as error:
            raise BadGame(f"the text {text!r} is refused: {error}", self.game, state) from error

    def _picture(self, picture: Any, state: Hashable) -> None:
        """Check that a picture is one SVG element that every page can hold."""
        wrong = None
        try:
            root = ElementTree.fromstring(picture)
        except (ElementTree.ParseError, TypeError, ValueError) as error:
            wrong = f"is not XML: {error}"
        else:
            if root.tag != "{http://www.w3.org/2000/svg}svg":
                wrong = f"is an element {root.tag}, not svg (with its xmlns)"
            elif any(part.tag.rpartition("}")[2] == "script" for part in root.iter()):
                wrong = "has a script"
        if wrong:
            raise BadGame(f"the picture that svg gives {wrong}", self.game, state)

    def _refuses_nonsense(self, read: Callable[[str], Any], state: Hashable) -> None:
        for text in ("", "?", "no such thing \u2603"):
            try:
                read(text)
            except BadInput:
                continue
            except Exception as error:
                raise BadGame(
                    f"reading {text!r} fails with {error!r}, not with BadInput", self.game, state
                ) from error
            if text:
                raise BadGame(f"{text!r} is read without an error", self.game, state)


class _Keyless:
    """A game without its key, so that two states with the same key are searched separately."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        if name == "key":
            raise AttributeError(name)
        return getattr(self._game, name)


def _profile(game: AnyGame, state: Hashable) -> tuple[object, ...]:
    """Return what two states of the same key must share."""
    final = game.utility(state)
    if final is not None:
        return (tuple(final),)
    key, by_chance = hook(game, Extra.key) or (lambda node: node), outcomes_of(game, state)
    if by_chance is not None:
        return ("chance", frozenset(key(child) for child, _ in by_chance))
    after = frozenset(key(game.result(state, action)) for action in game.actions(state))
    return game.to_move(state), after
