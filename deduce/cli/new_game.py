"""The command ``new-game``: a game of your own in one file, to be changed."""

from __future__ import annotations

import sys
from importlib.resources import files
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

import click

from deduce.errors import BadInput
from deduce.system import registry
from deduce.system.files import write_new_file

__all__ = ["game_source", "new_game"]


def game_source(name: str) -> str:
    """Return the source of a small complete game.

    Parameters
    ----------
    name
        The name of the game, an identifier; its file is ``NAME.py``.

    Examples
    --------
    >>> "class Tower:" in game_source("tower")
    True
    """
    text = (files("deduce.cli") / "template_game.py").read_text(encoding="utf-8")
    words = {"GAME.py": f"{name}.py", 'name = "knights"': f'name = "{name.lower()}"'}
    words |= {
        "class Knights:": f"class {name.title()}:",
        "game(Knights()": f"game({name.title()}()",
    }
    for old, new in words.items():
        text = text.replace(old, new)
    return text


@click.command("new-game")
@click.argument("file", metavar="FILE.py", type=click.Path(path_type=Path, dir_okay=False))
def new_game(file: Path) -> None:
    """Write a small game of your own, with comments, into one file.

    \b
    Example:  deduce new-game tower.py

    FILE is a complete game that passes its own check (python tower.py). All commands and the
    page work on it as on a bundled game, by its path: "deduce tower.py new", "deduce app tower.py".
    """  # noqa: D301 (click reads the backspace)
    name = file.stem
    if file.suffix != ".py" or not (name.isascii() and name.isidentifier()) or iskeyword(name):
        raise BadInput("the file of a game needs the name of a module, such as tower.py")
    if name in sys.stdlib_module_names or name in registry.names() or find_spec(name) is not None:
        raise BadInput(
            f"{name!r} is the name of another module or game; give the file another name"
        )
    write_new_file(file, game_source(name))
    click.echo(f"{file}: change it, and check it with 'python {file}'")
