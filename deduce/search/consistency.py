"""Parts of the conformance check that compare a searched game with what it states elsewhere.

Three independent statements: ``parse_action``, if it refuses what is not legal; the values of all
states near the end, computed without ``key``; and ``known_value(state)``, the utilities of a state
with best play where theory gives them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from deduce.errors import BadInput
from deduce.search.errors import ActionsDisagree, BadGame, BadUtility
from deduce.search.game import AnyGame, Extra, Packed, hook, outcomes_of, steps_of

__all__ = ["check_legal_texts", "check_secured", "check_values", "evaluate", "similar_texts"]

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
    order: list[Any] = []
    open_states: set[Hashable] = set()
    stack = [(root, False)]
    while stack:
        state, finished = stack.pop()
        if finished:
            open_states.discard(state)
            order.append(state)
            continue
        if state in values or state in children:
            if state in open_states:
                return False  # a state repeats
            continue
        if len(children) + len(values) > MAX_STATES:
            return False
        is_over = game.utility(state) is not None
        children[state] = [] if is_over else [child for _, child in steps_of(game, state)]
        open_states.add(state)
        stack.append((state, True))
        stack.extend((child, False) for child in children[state])
    for state in order:
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
