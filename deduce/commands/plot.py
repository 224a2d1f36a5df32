"""The option ``--plot FILE``: the same answer as a figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

__all__ = ["plot_option", "write_figure"]


def _checked(ctx: click.Context, param: click.Parameter, file: Path | None) -> Path | None:
    """Refuse a file name that is not that of a figure, before anything is computed for it."""
    if file is not None and not ctx.resilient_parsing:
        from deduce.show.canvas import FORMS

        if file.suffix.lower().removeprefix(".") not in FORMS:
            endings = ", ".join(f".{form}" for form in FORMS)
            raise click.BadParameter(f"{file} ends in none of {endings}")
    return file


plot_option = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    callback=_checked,
    help="Also draw it into this file: .png, .svg or .pdf.",
)


def write_figure(file: Path | None, draw: Callable[[], Any]) -> None:
    """Draw a figure into the file of `plot_option`, if one was named.

    Raises
    ------
    BadInput
        The file cannot be written.
    """
    if file is not None:
        from deduce.show.canvas import save

        save(draw(), file)
