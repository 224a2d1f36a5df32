"""What the commands of pig-slaying share."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from deduce.errors import BadInput

__all__ = ["json_option", "long_numbers", "print_json", "usage"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@contextmanager
def usage() -> Iterator[None]:
    """Turn what an option's value gets wrong into a mistake of usage (exit code 2)."""
    try:
        yield
    except BadInput as error:
        raise click.UsageError(error.message) from None


@contextmanager
def long_numbers() -> Iterator[None]:
    """Let numbers of any length be printed: long games have counts of thousands of digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    click.echo(json.dumps(data, ensure_ascii=False))
