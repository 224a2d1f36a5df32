"""Finding a game by name and reading its settings and states from text, for the commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from math import isfinite
from typing import Any

from deduce.errors import BadInput, DeduceError, placed
from deduce.search.game import AnyGame, Extra, hook, outcomes_of, text_of_action
from deduce.system.files import read_text
from deduce.system.registry import is_typed, typed_object
from deduce.system.text import whole_number

__all__ = ["action_texts", "load_game", "make_with", "read_action", "read_state", "settings_of"]

MAX_LISTED = 8
"""How many actions an error lists."""

REQUIRED = ("players", "initial_state", "to_move", "actions", "result", "utility")


def load_game(name: str, settings: Iterable[str] = ()) -> AnyGame:
    """Return the perfect-information game of that name, made with the settings.

    Parameters
    ----------
    name
        An installed game; or ``module:name`` or ``FILE.py`` for a class or function of your own,
        which may be in the current folder.
    settings
        Texts such as ``width=5``; they become arguments, of the type of their defaults.

    Raises
    ------
    BadInput
        There is no such game or setting, or a value is not of its type.

    Examples
    --------
    >>> load_game("connect-four", ["width=5", "height=4"]).width
    5
    """
    make = typed_object(name) if is_typed(name) else _installed(name)
    game: AnyGame = make_with(make, settings, name)
    missing = [member for member in REQUIRED if not hasattr(game, member)]
    if missing:
        raise BadInput(f"{name} does not make a game; missing: {', '.join(missing)}")
    return game


def make_with(
    make: Callable[..., object], settings: Iterable[str], name: str, **given: object
) -> Any:
    """Return what a class or function makes of settings such as ``width=5``, and of given values.

    Raises
    ------
    BadInput
        There is no such setting, one is missing, or a value is refused.
    """
    arguments = _arguments(name, make, settings, given)
    try:
        return make(**arguments)
    except (DeduceError, ArithmeticError, TypeError, ValueError) as error:
        raise BadInput(f"{name}: {error}") from error


def _installed(name: str) -> Callable[..., object]:
    from deduce.system import registry

    entry = registry.find(name)
    if not entry.search:
        able = [game.name for game in registry.games() if game.search]
        raise BadInput(f"{name} is not a perfect-information game; these are: {', '.join(able)}")
    make: Callable[..., object] = registry.load(entry.search)
    return make


def _arguments(
    name: str, make: Callable[..., object], settings: Iterable[str], given: Mapping[str, object]
) -> dict[str, object]:
    """Return the settings as arguments, each read by the type of its default."""
    from deduce.system.text import nearest

    try:
        parameters = inspect.signature(make).parameters
    except ValueError as error:
        raise BadInput(f"{name} does not make games: {error}") from error
    arguments: dict[str, object] = dict(given)
    for setting in settings:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise BadInput(f"a setting is written as name=value, not {setting!r}")
        if key not in parameters:
            known = ", ".join(parameters) or "none"
            raise BadInput(
                f"{name} has no setting {key!r}{nearest(key, parameters)} (settings: {known})"
            )
        arguments[key] = _value(key, text, parameters[key].default)
    needed = [
        key
        for key, parameter in parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and key not in arguments
    ]
    if needed:
        raise BadInput(f"{name} needs --set {' --set '.join(f'{key}=...' for key in needed)}")
    return arguments


def settings_of(name: str) -> Mapping[str, str]:
    """Return the plain settings of an installed game with their defaults as ``--set`` takes them.

    >>> settings_of("nim")
    {'heaps': '1,3,5,7', 'misere': 'no'}
    """
    texts = {}
    for key, parameter in inspect.signature(_installed(name)).parameters.items():
        default = parameter.default
        if isinstance(default, bool):
            texts[key] = "yes" if default else "no"
        elif isinstance(default, tuple):
            texts[key] = ",".join(map(str, default))
        elif isinstance(default, (int, float, str)):
            texts[key] = str(default)
    return texts


def _value(key: str, text: str, default: object) -> object:
    """Return a setting's value, of the type of its default; without one, a number if it is one.

    >>> _value("heaps", "1,3,5", (1, 2)), _value("misere", "yes", False), _value("a", "b", "")
    ((1, 3, 5), True, 'b')
    """
    unknown = default is inspect.Parameter.empty or default is None
    if unknown and (number := whole_number(text)) is not None:
        return number
    try:
        if isinstance(default, bool):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
                text.lower()
            ]
        if isinstance(default, (int, float)):
            return _number(type(default), text)
        if isinstance(default, tuple) and all(isinstance(item, int) for item in default):
            return tuple(_number(int, item) for item in text.replace(",", " ").split())
        if isinstance(default, tuple) and all(isinstance(item, str) for item in default):
            return tuple(item.strip() for item in text.split(",") if item.strip())
    except (KeyError, ValueError):
        kind = (
            "numbers separated by commas" if isinstance(default, tuple) else type(default).__name__
        )
        raise BadInput(f"{key}={text} is not of the form {key}={kind}") from None
    return text


def read_state(game: AnyGame, text: str | None, after: Iterable[str] = ()) -> Any:
    """Return the state of a text, or the initial one, after some actions.

    Parameters
    ----------
    game
        The game; ``text`` needs its ``parse_state``, and ``after`` its ``parse_action``.
    text
        The state's text, ``@FILE`` for a file's, ``-`` for that of the standard input.
    after
        Actions, each text one or several separated by semicolons.

    Raises
    ------
    BadInput
        The game cannot read it, the file cannot be read, or an action is not legal.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> read_state(Nim((1, 2)), None, ["1 from 2"]), read_state(Nim((1, 2)), "1,1 player 1")
    (((1, 1), 1), ((1, 1), 1))
    """
    state = game.initial_state() if text is None else _read_state(game, text)
    words = [word.strip() for part in after for word in part.split(";") if word.strip()]
    for index, word in enumerate(words, 1):
        if game.utility(state) is not None:
            raise BadInput(f"action {index}, {word!r}: the game is over before it")
        try:
            outcome = _outcome(game, state, word)
            state = outcome or game.result(state, read_action(game, state, word))
        except BadInput as error:
            raise BadInput(f"action {index}: {error}") from error
    return state


def read_action(game: AnyGame, state: Hashable, text: str) -> object:
    """Return the action of a text: by the game's ``parse_action``, or as the game writes it.

    Raises
    ------
    BadInput
        It is not a legal action.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> read_action(Nim((1, 3)), ((1, 3), 0), "2 from 2")
    (1, 2)
    """
    parse, legal = hook(game, Extra.parse_action), action_texts(game, state)
    if parse is None:
        if text in legal:
            return legal[text]
        raise BadInput(f"{text!r} is not an action here; one of: {_some(legal)}")
    try:
        return parse(state, text)
    except BadInput as error:
        raise BadInput(f"{error}; actions here: {_some(legal)}") from error


def action_texts(game: AnyGame, state: Hashable) -> dict[str, object]:
    """Return the actions of a state by their texts, in the order of the game.

    >>> from games.classics.nim import Nim
    >>> list(action_texts(Nim((1, 2)), ((1, 2), 0)))
    ['1 from 1', '1 from 2', '2 from 2']
    """
    return {text_of_action(game, state, action): action for action in game.actions(state)}


def _some(texts: Collection[str]) -> str:
    """Return the first of many texts, separated as ``--after`` takes them."""
    first, more = list(texts)[:MAX_LISTED], len(texts) - MAX_LISTED
    return "; ".join(first) + (f" and {more} more" if more > 0 else "")


def _number(kind: type[int] | type[float], text: str) -> int | float:
    """Return a number of a set-up; `ValueError` if the text is something else."""
    if kind is int:
        number = whole_number(text, digits=18, signed=True)
        if number is None:
            raise ValueError(text)
        return number
    if not text.isascii() or "_" in text or not isfinite(float(text)):
        raise ValueError(text)
    return float(text)


def _outcome(game: AnyGame, state: Hashable, word: str) -> object:
    """Return the state of the outcome with this number, from 1; ``None`` if a player moves."""
    by_chance = outcomes_of(game, state)
    if by_chance is None:
        return None
    number = whole_number(word)
    if number is not None and 1 <= number <= len(by_chance):
        return by_chance[number - 1][0]
    raise BadInput(f"chance moves here: give the number of the outcome, 1 to {len(by_chance)}")


def _read_state(game: AnyGame, text: str) -> object:
    parse = hook(game, Extra.parse_state)
    if parse is None:
        raise BadInput("this game does not read states; use --after with actions")
    source = None
    if text == "-" or text.startswith("@"):
        text, source = read_text(text.removeprefix("@"))
    with placed(source=source):
        return parse(text.strip() if source else text)
