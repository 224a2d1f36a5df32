"""What a shell may complete in the commands of a hidden game: its players, variables and values.

They are read from the log that is typed already, else from the newest log in the folder with the
ending of the game's logs. Where there is none, or it cannot be read, nothing is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from deduce.errors import DeduceError
from deduce.game import SeenInParts, hook
from deduce.text import by_name, fitting, pick

__all__ = ["Logs", "facts", "players", "variables", "viewers"]


@frozen
class Logs:
    """How the logs of a game are recognised and read; a group of commands is about one game."""

    hidden: str
    """The class of the game, as in its registration."""
    suffix: str
    """The usual ending of their names."""


def players(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the players that fit what is typed."""
    return _typed(_fit(incomplete, list(by_name(hook(_game(ctx), SeenInParts.players, ())))))


def viewers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the viewers that fit what is typed: the players, and the public."""
    names = list(by_name(hook(_game(ctx), SeenInParts.players, ())))
    return _typed(_fit(incomplete, [*names, "public"])) if names else []


def variables(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the variables that fit what is typed."""
    return _typed(_fit(incomplete, list(by_name(_domains(ctx)))))


def facts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the facts that fit what is typed; while several variables do, these alone."""
    domains = _domains(ctx)
    named = by_name(domains)
    variable, sign, value = incomplete.partition("=")
    if sign:
        left, beside = incomplete[: -len(value) or None], variable.rstrip("!")
        with suppress(DeduceError):
            values = list(by_name(domains[named[pick(beside, named)]]))
            return [f"{left}{name}" for name in _typed(_fit(value, values))]
        return []
    found = _fit(variable, list(named))
    if len(found) == 1:
        values = list(by_name(domains[named[found[0]]]))
        return [f"{name}={value}" for name in _typed(found) for value in _typed(values)]
    return [f"{name}=" for name in _typed(found)]


def _fit(typed: str, names: list[str]) -> Sequence[str]:
    return fitting(typed, names) if typed else names


def _typed(names: Iterable[str]) -> list[str]:
    """Return names as they can be typed without quotes, which commands read as the same names."""
    return [re.sub(r"[^\w.,-]+", "-", name).strip("-") for name in names]


def _domains(ctx: click.Context) -> Any:
    game = _game(ctx)
    return {} if game is None else game.variables()


def _game(ctx: click.Context) -> Any:
    """Return the game of the log that the command is about, or ``None``."""
    from deduce.events import read_log, read_text
    from deduce.registry import load

    logs = ctx.find_object(Logs)
    log = _typed_log(ctx) or _newest(logs.suffix if logs else "")
    with suppress(DeduceError):
        if logs is not None and log is not None and log != "-":
            text, source = read_text(log)
            return read_log(text, load(logs.hidden), source=source).game
    return None


def _typed_log(ctx: click.Context) -> str | None:
    """Return the log on the line; behind an option without a value, click leaves words unread."""
    arguments = [p.name for p in ctx.command.params if isinstance(p, click.Argument)]
    words = dict(zip(arguments, ctx.args, strict=False))
    return ctx.params.get("log") or words.get("log")


def _newest(suffix: str) -> str | None:
    """Return the newest file of the folder with this ending."""
    times: dict[str, float] = {}
    for path in Path().glob(f"*{suffix}"):
        with suppress(OSError):
            times[str(path)] = path.stat().st_mtime
    return max(times, key=times.__getitem__, default=None)
