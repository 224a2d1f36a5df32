"""JSON from outside, read strictly: whatever is odd in it is an error, and never guessed."""

from __future__ import annotations

import json
from typing import Any

from deduce.errors import BadInput

__all__ = ["parse_json"]


def parse_json(text: str) -> Any:
    r"""Return the value of a JSON text.

    Raises
    ------
    BadInput
        It is not JSON, gives a field twice, or contains what JSON cannot (``NaN``) or no
        program can use: a number of thousands of digits, half a character, thousands of nested
        lists. With line and column where they are known.

    Examples
    --------
    >>> parse_json('{"turn": 3}')
    {'turn': 3}
    >>> parse_json('{"turn": 3, "turn": 4}')
    Traceback (most recent call last):
    deduce.errors.BadInput: the field "turn" is given twice
    """
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        begins = text.lstrip().startswith(("{", "["))
        message = f"not JSON: {error.msg}" if begins else "not JSON, which begins with '{' or '['"
        raise BadInput(message, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise BadInput("not JSON: nested too deeply") from None
    except UnicodeEncodeError:
        raise BadInput("a \\ud800 to \\udfff alone is half a character") from None
    except BadInput:
        raise
    except ValueError:
        raise BadInput("a number with too many digits") from None
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; JSON leaves open what a second field of the same name means."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"the field {json.dumps(twice)} is given twice")
    return fields


def _no_number(name: str) -> None:
    raise BadInput(f"not JSON: {name} is not a number")
