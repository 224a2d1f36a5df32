"""The option ``--plot FILE``: the same answer as a figure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

__all__ = ["plot_option", "write_figure"]

plot_option = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also draw it into this file: .png, .svg or .pdf.",
)


def write_figure(file: Path | None, draw: Callable[[], Any]) -> None:
    """Draw a figure into a file, if one was named.

    Raises
    ------
    BadInput
        The file cannot be written; its ending is wrong usage.
    Unsupported
        matplotlib is missing (extra ``plot``).
    """
    if file is None:
        return
    from deduce.show.canvas import FORMS, save

    if file.suffix.lower().removeprefix(".") not in FORMS:
        endings = ", ".join(f".{form}" for form in FORMS)
        raise click.BadParameter(f"{file} ends in none of {endings}", param_hint="'--plot'")
    save(draw(), file)
