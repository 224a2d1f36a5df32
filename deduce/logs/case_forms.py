"""The form of a recorded case: which fields it has, and what each of them may hold.

A form is written with values that look like the JSON they describe: by a game in JSON, in the file
``case_forms.json`` of its package, where forms have names that later ones use; here in Python:

==============================  ======================  ===========================================
in JSON                         in Python
==============================  ======================  ===========================================
``"text"``, ``"whole"``,        ``str``, ``int``,       text, a whole number, a number, true or
``"number"``, ``"truth"``       ``float``, ``bool``     false
``"null"``                      ``None``                null
``"any"``                       ``object``              anything
``"2..6"``                      ``range(2, 7)``         a whole number from 2 to 6
``[form]``                      ``[form]``              a list of any length
``[form, form]``                ``(form, form)``        a list of exactly two
``{"tuple": [form]}``           ``(form,)``             a list of exactly one
``{"a": f, "b?": f}``           ``{"a": f, "b?": f}``   an object with the fields ``a`` and perhaps
                                                        ``b``, and any others
``{"+": "name", "a": f}``       ``name | {"a": f}``     an object with more fields than a named one
``{"*": form}``                 ``{str: form}``         an object with any names
``{"matches": m, "is": n}``     ``Text(m, n)``          text of a certain kind
``"null or text"``              ``Either(None, str)``   one of several forms
``{"by": name, "forms": f}``    ``Tagged(name, f)``     an object whose fields depend on one of them
``{"only": form}``              ``Only(form)``          a form whose objects have no other fields
==============================  ======================  ===========================================
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, wraps
from importlib.resources import files
from typing import Any, Concatenate, ParamSpec, TypeVar

from attrs import field, frozen

from deduce.errors import BadInput, BadProblem
from deduce.system.text import listing, nearest

__all__ = [
    "Case",
    "Either",
    "Form",
    "Only",
    "Tagged",
    "Text",
    "below",
    "check_form",
    "maybe",
    "of_form",
    "read_forms",
    "shown",
]

P = ParamSpec("P")
T = TypeVar("T")

Case = Mapping[str, Any]
"""A case of a file, as a mapping from its fields."""

Form = Any
"""A form, as the table of this module describes."""

_NAMES: Mapping[object, tuple[str, str]] = {
    None: ("null", "nulls"),
    bool: ("true or false", "truths"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("text", "texts"),
    object: ("anything", "values"),
}


@frozen
class Text:
    """Text that a pattern matches as a whole."""

    pattern: str
    name: str
    """What such a text is, as in "a card, like 7C"."""


@frozen(init=False)
class Either:
    """One of several forms."""

    forms: tuple[Form, ...]
    plain: frozenset[type]
    """Types of which every value has one of the forms."""

    def __init__(self, *forms: Form) -> None:
        plain = [type(None) if form is None else form for form in forms]
        kinds = (type(None), bool, int, str)
        self.__attrs_init__(forms, frozenset(kind for kind in kinds if kind in plain))


@frozen
class Tagged:
    """An object whose fields depend on the value of one of them, a text."""

    by: str
    forms: Mapping[str, Mapping[str, Form]] = field(hash=False)
    tag: Text = field(init=False)
    """The form of the field that the others depend on."""

    @tag.default
    def _tag(self) -> Text:
        return Text("|".join(self.forms), f"one of {', '.join(map(json.dumps, self.forms))}")


@frozen
class Only:
    """A form within which no object has other fields than those named."""

    form: Form


def maybe(form: Form) -> Either:
    """Return the form of a field that may be null."""
    return Either(None, form)


def check_form(value: object, form: Form, path: str = "") -> None:
    """Check that a JSON value has a form.

    Raises
    ------
    BadInput
        It has not: with the path of the first field that is wrong, what it holds, and what it
        should hold.

    Examples
    --------
    >>> form = {"players": [{"name": str, "hand": range(1, 9)}]}
    >>> check_form({"players": [{"name": "Ann", "hand": 6}]}, form)
    >>> check_form({"players": [{"name": "Ann", "hand": "6"}]}, form)
    Traceback (most recent call last):
    deduce.errors.BadInput: players[0].hand: expected a whole number from 1 to 8, not "6"
    """
    for problem in _problems(value, form, path):
        raise BadInput(problem)


def of_form(
    form: Form,
) -> Callable[
    [Callable[Concatenate[Case, P], Iterator[T]]],
    Callable[Concatenate[Case, P], Iterator[T]],
]:
    """Return a decorator for functions that replay a case: they check its form first."""

    def decorate(
        function: Callable[Concatenate[Case, P], Iterator[T]],
    ) -> Callable[Concatenate[Case, P], Iterator[T]]:
        @wraps(function)
        def checked(case: Case, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            check_form(case, form)
            yield from function(case, *args, **kwargs)

        return checked

    return decorate


def read_forms(package: str) -> Mapping[str, Form]:
    """Return the forms in the file ``case_forms.json`` of a package, by their names.

    Raises `BadProblem` for a form that uses the name of none before it.

    >>> read_forms("games.mastermind")["game"]
    {'slots': range(1, 21), 'colours': range(1, 101), 'repeat?': <class 'bool'>}
    """
    words = ("null", "truth", "whole", "number", "text", "any")
    forms: dict[str, Form] = dict(zip(words, _NAMES, strict=True))
    text = files(package).joinpath("case_forms.json").read_text("utf-8")
    for name, written in json.loads(text).items():
        forms[name] = _form(written, forms)
    return forms


def _form(written: Any, known: Mapping[str, Form]) -> Form:
    """Return the form that is written in JSON, with the forms that are known by a name."""
    form_of = partial(_form, known=known)
    match written:
        case str() if written in known:
            return known[written]
        case str() if " or " in written:
            return Either(*map(form_of, written.split(" or ")))
        case str():
            low, dots, high = written.partition("..")
            if not dots:
                raise BadProblem(
                    f"no form before it is called {written!r}{listing(known, written)}"
                )
            return range(int(low), int(high) + 1)
        case [one]:
            return [form_of(one)]
        case list(items) | {"tuple": list(items)}:
            return tuple(map(form_of, items))
        case {"matches": pattern, "is": name}:
            return Text(pattern, name)
        case {"by": by, "forms": forms}:
            return Tagged(by, {tag: form_of(form) for tag, form in forms.items()})
        case {"only": form}:
            return Only(form_of(form))
    fields: dict[Any, Form] = {}
    for name, form in written.items():
        fields |= known[form] if name == "+" else {str if name == "*" else name: form_of(form)}
    return fields


def shown(value: object, limit: int = 60) -> str:
    """Return a JSON value as short text."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _problems(value: Any, form: Form, path: str, *, only: bool = False) -> Iterator[str]:
    """Yield a sentence for each part that does not have its form."""
    within = partial(_problems, only=only)
    if isinstance(form, Either) and type(value) in form.plain:
        return
    if isinstance(form, Only):
        yield from _problems(value, form.form, path, only=True)
    elif isinstance(form, Tagged):
        tag = value.get(form.by) if isinstance(value, Mapping) else None
        known = form.forms.get(tag, {}) if isinstance(tag, str) else {}
        fields = {form.by: form.tag, **known}
        yield from _problems(value, fields, path, only=only and bool(known))
    elif isinstance(form, Either):
        # What is wrong within the form of the same kind tells more than a list of all forms.
        near = [next(within(value, each, path), "") for each in form.forms if _alike(value, each)]
        if all(near):
            yield near[0] if near else _problem(path, value, form)
    elif not _alike(value, form):
        yield _problem(path, value, form)
    elif isinstance(form, Mapping):
        yield from _problems_of_object(value, form, path, only=only)
    elif isinstance(form, list):
        for number, each in enumerate(value):
            yield from within(each, form[0], f"{path}[{number}]")
    elif isinstance(form, tuple):
        for number, (each, of_each) in enumerate(zip(value, form, strict=True)):
            yield from within(each, of_each, f"{path}[{number}]")


def _problems_of_object(
    value: Mapping[str, object], form: Mapping[Any, Form], path: str, *, only: bool
) -> Iterator[str]:
    names = [key.removesuffix("?") for key in form if key is not str]
    for other in value if only and names else ():
        if other not in names:
            hint = nearest(other, names) or f" ({', '.join(names)})"
            yield f"{path or 'the case'} has the unknown field {other!r}{hint}"
    for key, of_key in form.items():
        if key is str:
            for name, each in value.items():
                yield from _problems(each, of_key, below(path, name), only=only)
            continue
        name = key.removesuffix("?")
        if name in value:
            yield from _problems(value[name], of_key, below(path, name), only=only)
        elif not key.endswith("?"):
            yield f"{path or 'the case'} has no field {name!r}; expected {_name(of_key)} there"


def _alike(value: object, form: Form) -> bool:
    """Return whether a value has the form, apart from what is in it."""
    if isinstance(form, Only):
        return _alike(value, form.form)
    if isinstance(form, Either):
        return any(_alike(value, each) for each in form.forms)
    if isinstance(form, Text):
        return isinstance(value, str) and re.fullmatch(form.pattern, value) is not None
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, tuple):
        return isinstance(value, list | tuple) and len(value) == len(form)
    if isinstance(form, list):
        return isinstance(value, list | tuple)
    if isinstance(form, Mapping | Tagged):
        return isinstance(value, Mapping)
    if form is float:
        return type(value) in (int, float)
    if form is None:
        return value is None
    return isinstance(value, form) and (form is not int or type(value) is int)


def _problem(path: str, value: object, form: Form) -> str:
    return f"{path or 'case'}: expected {_name(form)}, not {shown(value)}"


def _name(form: Form) -> str:
    """Return what has this form, in words."""
    if isinstance(form, Text):
        return form.name
    if isinstance(form, range):
        return f"a whole number from {form[0]} to {form[-1]}"
    if isinstance(form, Either):
        return " or ".join(map(_name, form.forms))
    if isinstance(form, Tagged):
        return "an object"
    if isinstance(form, Mapping):
        names = [key for key in form if isinstance(key, str)]
        return f"an object with the fields {', '.join(names)}" if names else "an object"
    if isinstance(form, list):
        return f"a list of {_plural(form[0])}"
    if isinstance(form, tuple):
        return f"a list of {len(form)}"
    return _NAMES[form][0]


def _plural(form: Form) -> str:
    if isinstance(form, Mapping | Tagged):
        return "objects"
    if isinstance(form, Sequence) and not isinstance(form, range):
        return "lists"
    if isinstance(form, range):
        return f"whole numbers from {form[0]} to {form[-1]}"
    if isinstance(form, Text | Either):
        return f"which each is {_name(form)}"
    return _NAMES[form][1]


def below(path: str, key: str | int) -> str:
    """Return the path of a field or of an item of a list."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key
