"""JSON and the values of annotated classes: each type is taken for itself, nothing is converted.

JSON from outside is read strictly: whatever is odd in it is an error, and never guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from attrs import NOTHING, has
from attrs import fields as attrs_fields

from deduce.errors import BadInput, DeduceError
from deduce.system.text import join, listing

if TYPE_CHECKING:
    from cattrs import Converter

__all__ = [
    "TypedFields",
    "check_type",
    "check_types",
    "conforms",
    "parse_json",
    "structure",
    "unstructure",
]


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


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object; JSON leaves open what a second field of the same name means."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"the field {json.dumps(twice)} is given twice")
    return fields


def _no_number(name: str) -> None:
    raise BadInput(f"not JSON: {name} is not a number")


T = TypeVar("T")


def structure(fields: Any, cls: type[T]) -> T:
    """Return the value of an attrs class, or of another type, that is given as JSON has it.

    A value of another type than the field's is refused, never converted; only a list becomes a
    tuple. An unknown field is refused too.

    Parameters
    ----------
    fields
        A dictionary of field names and JSON values; for another type, a JSON value.
    cls
        The class, whose annotations say what is wanted, or a type such as ``list[str]``.

    Raises
    ------
    BadInput
        Names each wrong field, its value and what is wanted.

    Examples
    --------
    >>> from attrs import frozen
    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> structure({"x": 3}, Point)
    Point(x=3, y=0)
    >>> structure({"x": "3"}, Point)
    Traceback (most recent call last):
    deduce.errors.BadInput: x: expected a whole number, not "3"
    """
    from cattrs import transform_error
    from cattrs.errors import StructureHandlerNotFoundError

    if has(cls) and not isinstance(fields, Mapping):
        raise BadInput(f"expected an object with fields, not {_shown(fields)}")
    try:
        return _converter().structure(fields, cls)
    except (BadInput, StructureHandlerNotFoundError):
        raise
    except Exception as error:
        inner = list(_errors_of_values(error))
        if inner:
            raise inner[0] from None
        reasons = transform_error(error, path="", format_exception=_plain)
        raise BadInput("; ".join(map(_field_first, reasons))) from None


def unstructure(value: Any) -> Any:
    """Return the value of an attrs class as JSON has it, which `structure` takes back.

    Fields that have their default are left out.

    Examples
    --------
    >>> from attrs import frozen
    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> unstructure(Point(3))
    {'x': 3}
    """
    return _converter().unstructure(value)


def conforms(value: Any) -> bool:
    """Return whether the fields of an attrs class have the types of its annotations.

    No: they may be such that `structure` takes them all the same.

    Examples
    --------
    >>> from attrs import frozen
    >>> @frozen
    ... class Point:
    ...     x: int
    >>> conforms(Point(3)), conforms(Point("3"))
    (True, False)
    """
    try:
        return _test_of(cast(Hashable, type(value)))(value)
    except Exception:  # an annotation names what cannot be found
        return False


class TypedFields:
    """A base of attrs classes that refuses values which do not have the types of their fields.

    Only fields without a converter are checked whose types are texts, whole numbers, ``bool``,
    ``None``, and unions and tuples of these. They are checked before anything of the class is run.

    Raises
    ------
    BadInput
        Names the field, its value and what is expected.

    Examples
    --------
    >>> from attrs import frozen
    >>> @frozen
    ... class Fleet(TypedFields):
    ...     ships: tuple[int, ...] = (3, 2)
    >>> Fleet(5)
    Traceback (most recent call last):
    deduce.errors.BadInput: ships: expected a list, not 5
    >>> Fleet([5])
    Traceback (most recent call last):
    deduce.errors.BadInput: ships: expected (5,), not [5]
    """

    __slots__ = ()

    def __attrs_pre_init__(self, *values: object, **named: object) -> None:
        """Refuse values of another type; attrs calls it with the arguments of ``__init__``."""
        cls: Any = type(self)
        ordered = [one.name for one in attrs_fields(cls) if one.init and not one.kw_only]
        check_types(cls, {**dict(zip(ordered, values, strict=False)), **named})


def check_types(cls: Any, values: Mapping[str, object]) -> None:
    """Raise `BadInput` for a value that does not have the type of its field; see `TypedFields`."""
    for name, wanted in _plain_fields(cls).items():
        if values.get(name, NOTHING) is not NOTHING:  # which stands for what a factory will make
            check_type(name, values[name], wanted)


def check_type(name: str, value: object, wanted: Any) -> None:
    """Raise `BadInput` unless the value of a field has a type or a subclass of it.

    >>> check_type("ships", ("3",), tuple[int, ...])
    Traceback (most recent call last):
    deduce.errors.BadInput: ships: expected a whole number, not "3"
    """
    if _test_of(wanted, exact=False)(value):
        return
    try:
        meant: object = structure(value, wanted)
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None
    raise BadInput(f"{name}: expected {meant!r}, not {value!r}")


@cache
def _plain_fields(cls: type) -> Mapping[str, Any]:
    """Return the types of the fields without a converter, as far as `_test_of` knows them."""
    try:
        hints = get_type_hints(cls)
    except Exception:  # an annotation names what cannot be found
        return {}
    fields = (one.name for one in attrs_fields(cls) if one.converter is None)
    return {name: hints[name] for name in fields if _is_plain(hints[name])}


def _is_plain(wanted: object) -> bool:
    if wanted in (str, int, bool, NoneType):
        return True
    made = get_origin(wanted) in (Union, UnionType, tuple)
    return made and all(one is ... or _is_plain(one) for one in get_args(wanted))


@cache
def _test_of(wanted: Any, *, exact: bool = True) -> Callable[[Any], bool]:
    """Return the test whether a value has a type, or a subclass of it where it is not ``exact``.

    A value never has a type that is not known here.
    """
    inner = get_args(wanted)
    if wanted in (str, int, bool, NoneType) and exact:
        return lambda value: type(value) is wanted
    if wanted in (str, int, bool, NoneType, float) and not exact:
        types = (int, float) if wanted is float else wanted
        return lambda value: (
            isinstance(value, types) and (types is bool or not isinstance(value, bool))
        )
    if get_origin(wanted) in (Union, UnionType):
        either = [_test_of(one, exact=exact) for one in inner]
        return lambda value: any(test(value) for test in either)
    if get_origin(wanted) is tuple and inner[1:] == (...,):
        each = _test_of(inner[0], exact=exact)
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    if get_origin(wanted) is tuple:
        tests = [_test_of(one, exact=exact) for one in inner]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(tests)
            and all(test(one) for test, one in zip(tests, value, strict=True))
        )
    if not has(wanted) or any(not one.init for one in attrs_fields(wanted)):
        return lambda value: False
    hints = get_type_hints(wanted)
    types = [(one.name, hints[one.name]) for one in attrs_fields(wanted)]
    return lambda value: (
        type(value) is wanted and all(_test_of(of)(getattr(value, name)) for name, of in types)
    )


def _field_first(reason: str) -> str:
    """Return the reason of cattrs, ``what is wrong @ .field``, with the field in front."""
    what, _, path = reason.rpartition(" @ ")
    return f"{path.lstrip('.')}: {what}" if path else what


def _errors_of_values(error: BaseException) -> Iterator[BadInput]:
    """Yield what the values themselves have refused, in a group of errors of any depth."""
    if isinstance(error, DeduceError):
        yield error if isinstance(error, BadInput) else BadInput(str(error))
    for inner in getattr(error, "exceptions", ()):
        yield from _errors_of_values(inner)


def _is_row(wanted: object) -> bool:
    origin: object = get_origin(wanted)
    return origin in {tuple, list} and bool(get_args(wanted))


def _is_literal(wanted: object) -> bool:
    origin: object = get_origin(wanted)
    return origin is Literal


class _Misfit(ValueError):
    """A JSON value of the wrong type; cattrs adds the field."""


def _shown(value: object) -> str:
    text = json.dumps(value, default=repr)
    return text if len(text) <= 40 else text[:39] + "…"


def _plain(error: BaseException, wanted: type | None) -> str:
    from cattrs.errors import ForbiddenExtraKeysError
    from cattrs.v import format_exception

    if isinstance(error, _Misfit):
        return str(error)
    if isinstance(error, KeyError):
        return "this field is missing"
    if isinstance(error, AttributeError):  # that of a value which has no fields
        return "expected an object with fields"
    if isinstance(error, ForbiddenExtraKeysError):
        known = [each.name for each in attrs_fields(error.cl)]
        unknown = ", ".join(sorted(error.extra_fields))
        return f"unknown fields: {unknown}{listing(known, min(error.extra_fields))}"
    return format_exception(error, wanted)


@cache
def _converter() -> Converter:
    """Return the converter of set-ups and events, which takes each JSON type for itself only.

    By itself cattrs calls the type, so that ``"false"`` is true, 9.7 is 9 and a string a tuple of
    letters: a log would be read, and mean something else.
    """
    from cattrs import Converter

    made = Converter(forbid_extra_keys=True, omit_if_default=True)

    def only(what: str, *types: type) -> Callable[[object, object], object]:
        def structure(value: Any, wanted: Any) -> Any:
            if type(value) not in types:
                raise _Misfit(f"expected {what}, not {_shown(value)}")
            return wanted(value)

        return structure

    def row(value: Any, wanted: Any) -> Any:
        inner = get_args(wanted)
        if not isinstance(value, list | tuple):
            raise _Misfit(f"expected a list, not {_shown(value)}")
        if get_origin(wanted) is list or inner[1:] == (...,):
            inner = inner[:1] * len(value)
        if len(inner) != len(value):
            raise _Misfit(f"{_shown(value)} has {len(value)} items, not {len(inner)}")
        items = (made.structure(item, cls) for item, cls in zip(value, inner, strict=True))
        return get_origin(wanted)(items)

    def choice(value: object, wanted: object) -> object:
        if not any(type(value) is type(each) and value == each for each in get_args(wanted)):
            choices = join([_shown(each) for each in get_args(wanted)], "or")
            raise _Misfit(f"expected {choices}, not {_shown(value)}")
        return value

    made.register_structure_hook_func(_is_literal, choice)
    made.register_structure_hook(bool, only("true or false", bool))
    made.register_structure_hook(int, only("a whole number", int))
    made.register_structure_hook(float, only("a number", int, float))
    made.register_structure_hook(str, only("text", str))
    made.register_structure_hook_func(_is_row, row)
    return made
