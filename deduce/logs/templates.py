"""Events as lines of text, by a template of their class such as ``"{field}: {number}"``.

An event class with an attribute ``template`` needs no code to be typed and printed. Each name in
braces is a field of the class; the rest of the template is literal, but for the number of blanks.
A field of type ``int``, ``str`` or ``bool`` (``yes`` or ``no``) is one word or more; a tuple of
these is a list of words separated by blanks.

>>> from attrs import frozen
>>> @frozen
... class Open:
...     template = "{field}: {number}"
...     field: str
...     number: int
>>> fields_of_line(Open, "b2:  3")
{'field': 'b2', 'number': 3}
>>> line_of_fields(Open, {"field": "b2", "number": 3})
'b2: 3'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from string import Formatter
from typing import Any, get_args, get_origin, get_type_hints

from attrs import asdict

from deduce.errors import BadInput, BadProblem
from deduce.system.text import listing, whole_number

__all__ = ["check_fields", "fields_of_line", "line_of_fields", "types_of"]

MAX_DIGITS = 18


def fields_of_line(cls: type, line: str) -> dict[str, Any] | None:
    """Return the fields of an event that a line states as JSON values, or ``None``.

    ``None`` means that the line does not have the form of the template.

    Raises
    ------
    BadInput
        The line has the form, but a word in it is not of the type of its field.
    BadProblem
        The template does not name exactly the fields of the class.
    """
    match = _pattern(cls).fullmatch(line.strip())
    if match is None:
        return None
    types = types_of(cls)
    return {name: _parsed(types[name], name, text) for name, text in match.groupdict().items()}


def line_of_fields(cls: type, fields: Mapping[str, object]) -> str:
    """Return the line of an event with these fields, given as JSON values."""
    _pattern(cls)
    return str(cls.template).format(**{name: _word(value) for name, value in fields.items()})  # type: ignore[attr-defined]


def check_fields(event: Any, **known: Collection[Any]) -> None:
    """Refuse an event with a field whose value, or one of whose values, is not a known one.

    Parameters
    ----------
    event
        The event; fields that it does not have are ignored.
    known
        By field, the names that it may have, or a range of numbers.

    Raises
    ------
    BadInput
        A name is not known; the message lists those that are. Or a number is not in its range.
    """
    for field, value in asdict(event, recurse=False).items():
        allowed = known.get(field)
        if isinstance(allowed, range):
            if not allowed:
                raise BadInput(f"no {field} is allowed, so not {value}")
            if value not in allowed:
                raise BadInput(f"the {field} is {allowed[0]} to {allowed[-1]}, not {value}")
        elif allowed is not None:
            for name in value if isinstance(value, tuple) else (value,):
                if name not in allowed:
                    raise BadInput(f"{field} cannot be {name!r}{listing(allowed, name)}")


@cache
def types_of(cls: type) -> Mapping[str, Any]:
    """Return the types of the fields of an event class."""
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in cls.__attrs_attrs__}  # type: ignore[attr-defined]


@cache
def _pattern(cls: type) -> re.Pattern[str]:
    parts = []
    names = []
    for literal, name, spec, conversion in Formatter().parse(cls.template):  # type: ignore[attr-defined]
        parts.append(r"\s+".join(map(re.escape, re.split(r"\s+", literal))))
        if name is not None:
            if spec or conversion or name in names:
                raise BadProblem(
                    f"the template {_shown(cls)} may name each field once, as {{name}}"
                )
            names.append(name)
            parts.append(f"(?P<{name}>.*?)")
    if sorted(names) != sorted(types_of(cls)):
        fields = ", ".join(types_of(cls))
        raise BadProblem(f"the template {_shown(cls)} must name each field once: {fields}")
    return re.compile("".join(parts))


def _shown(cls: type) -> str:
    return f"{cls.template!r} of {cls.__name__}"  # type: ignore[attr-defined]


def _parsed(wanted: Any, name: str, text: str) -> Any:
    if get_origin(wanted) in (tuple, list):
        inner = get_args(wanted)
        words = text.split()
        if get_origin(wanted) is list or inner[1:] == (...,):
            inner = inner[:1] * len(words)
        if len(inner) != len(words):
            raise BadInput(f"{name}: {len(inner)} words are expected, not {text!r}")
        return [_parsed(cls, name, word) for cls, word in zip(inner, words, strict=True)]
    parse = _PARSERS.get(wanted)
    if parse is None:
        raise BadProblem(
            f"a template cannot hold the field {name!r} of type {wanted}; its types are int, str, "
            "bool and tuples of these"
        )
    return parse(name, text)


def _int(name: str, text: str) -> int:
    number = whole_number(text, digits=MAX_DIGITS, signed=True)
    if number is None:
        raise BadInput(f"{name} is a whole number, not {text!r}")
    return number


def _bool(name: str, text: str) -> bool:
    if text.casefold() not in ("yes", "no"):
        raise BadInput(f"{name} is yes or no, not {text!r}")
    return text.casefold() == "yes"


def _str(name: str, text: str) -> str:
    if not text:
        raise BadInput(f"{name} is missing")
    return text


_PARSERS: Mapping[Any, Callable[[str, str], Any]] = {int: _int, bool: _bool, str: _str}


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(_word, value)) if isinstance(value, list | tuple) else str(value)
