"""Options that take a name out of a table some of whose names have changed."""

from __future__ import annotations

from typing import Any

import click

from deduce.system.renamed import Renamed

__all__ = ["Choice"]


class Choice(click.Choice[str]):
    """A choice among the names of a table; former names are taken, and not shown in the help."""

    def __init__(self, table: Renamed[Any]) -> None:
        super().__init__(list(table))
        self.table = table

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the present name."""
        return super().convert(self.table.current(value), param, ctx)
