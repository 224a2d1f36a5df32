"""Completion in bash, zsh and fish, by what click brings for them, and what may be completed.

The shell calls ``deduce`` once more with the text before the cursor; nothing of a game is imported
but the one whose command is being typed. The names of its players, variables and values are read
from the log that is typed already, else from the newest log in the folder with the ending of the
game's logs. Where there is none, or it cannot be read, nothing is offered.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from attrs import frozen
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from deduce.errors import DeduceError
from deduce.system.text import by_name, fitting, pick

__all__ = [
    "SHELLS",
    "Bash",
    "Logs",
    "facts",
    "offering",
    "players",
    "script",
    "variables",
    "viewers",
]


@frozen
class Logs:
    """How the logs of a game are recognised and read; a group of commands is about one game."""

    hidden: str
    """The class of the game, as in its registration."""
    suffix: str
    """The usual ending of their names."""


def players(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the players that fit what is typed."""
    return _typed(_fit(incomplete, _players(ctx)))


def _players(ctx: click.Context) -> list[str]:
    from deduce.game import SeenInParts, hook

    return list(by_name(hook(_game(ctx), SeenInParts.players, ())))


def viewers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the viewers that fit what is typed: the players, and the public."""
    names = _players(ctx)
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
    from deduce.logs.events import read_log
    from deduce.system.files import read_text
    from deduce.system.registry import load

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


SHELLS = ("bash", "zsh", "fish")
"""The shells for which there is a script."""
VARIABLE = "_DEDUCE_COMPLETE"
"""The variable of the environment by which a shell asks; click derives it from the name."""


@add_completion_class
class Bash(BashComplete):
    """Completion in bash, which takes ``rope=Ann`` for three words.

    So what is typed is read from the line and not from bash's words, and of a completion only what
    is behind the last sign at which bash divides words is returned.
    """

    incomplete = ""

    def source(self) -> str:
        """Return the script: a file in which the name of the command is a placeholder."""
        from importlib.resources import files

        type(self).source_template = (files("deduce.cli") / "complete.bash").read_text("utf-8")
        return super().source()

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the finished words behind the command's name, and the one being typed."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        self.incomplete = words.pop() if words and not line[-1].isspace() else ""
        return words, self.incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the kind and the value of a completion as the script reads them."""
        divides = set("=:") & set(os.environ.get("COMP_WORDBREAKS", "=:"))
        kept = 1 + max((self.incomplete.rfind(sign) for sign in divides), default=-1)
        begins = item.value.startswith(self.incomplete[:kept])
        return f"{item.type},{item.value[kept:] if begins else item.value}"


def script(shell: str, cli: click.Command) -> str:
    """Return the script that makes a shell complete the commands of ``cli``.

    Raises
    ------
    KeyError
        The shell is none of `SHELLS`.

    Examples
    --------
    >>> from deduce.cli.main import cli
    >>> print(script("fish", cli).splitlines()[0])
    function _deduce_completion;
    """
    found = get_completion_class(shell)
    if found is None or shell not in SHELLS:
        raise KeyError(shell)
    return found(cli, {}, "deduce", VARIABLE).source()


def offering(
    names: Callable[[], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the ``shell_complete`` of a parameter that may be one of the names, or other text.

    Examples
    --------
    >>> command = click.Command("eat", params=[
    ...     click.Argument(["fruit"], shell_complete=offering(lambda: ["apple", "pear"]))])
    >>> [item.value for item in command.params[0].shell_complete(click.Context(command), "p")]
    ['pear']
    """
    return lambda ctx, param, incomplete: [n for n in names() if n.startswith(incomplete)]
