"""Forms that are made from classes: for the set-up of a game, and for the events of its log.

The fields of a class are its controls: what has names to choose from is chosen, the rest is typed.
The words are those of the log.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from io import StringIO
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from attrs import fields as attrs_fields
from attrs import frozen

from deduce.errors import BadInput
from deduce.line_game import NO_PLAYER, LineGame
from deduce.logs.json_values import structure
from deduce.logs.templates import fields_of_line, line_of_fields, types_of
from deduce.pages.html import Child, Chip, Html, chips, details, field, form, submit, tag, textarea
from deduce.pages.protocol import Intent, index_of
from deduce.pages.sentences import Texts
from deduce.system.text import capital, whole_number

__all__ = ["event_forms", "form_line", "setting_controls", "setup_of"]

MAX_CHIPS = 24
"""Of more names one is typed, not chosen."""


def _label(say: Texts, name: str) -> str:
    key = f"field.{name}"
    return say(key) if say.has(key) else capital(name.replace("_", " "))


def _yes_no(say: Texts) -> list[Chip]:
    return [Chip(value, say(f"grid.{value}")) for value in ("yes", "no")]


@frozen
class _Setting:
    """A setting of a class of games, as a control has it.

    Parameters
    ----------
    name, wanted, default
        Its name, its type, and its value by default.
    by_line
        Whether a list has one entry per line, because entries may contain commas.
    """

    name: str
    wanted: Any
    default: Any
    by_line: bool

    @property
    def rows(self) -> bool:
        """Whether it is a list of lists, a table."""
        return any(get_origin(each) is tuple for each in get_args(self.wanted))

    @property
    def text(self) -> str:
        """The default as it is typed."""
        if self.rows:
            written = StringIO()
            csv.writer(written, lineterminator="\n").writerows(self.default or ())
            return written.getvalue().rstrip("\n")
        if isinstance(self.default, tuple):
            return ("\n" if self.by_line else ", ").join(map(str, self.default))
        words = {None: "", True: "yes", False: "no"}
        return next((words[key] for key in words if key is self.default), str(self.default))

    def control(self, say: Texts) -> Html:
        """Return the control."""
        label, control = _label(say, self.name), f"set-{self.name}"
        if self.wanted is bool:
            return chips(label, control, _yes_no(say), [self.text])
        if self.rows or self.by_line:
            return textarea(label, control, self.text, rows=6)
        return field(label, control, self.text)

    def read(self, text: str) -> object:
        """Return the value that was typed; what is not of the type stays text, and is refused."""
        return self._listed(text) if get_origin(self.wanted) is tuple else _read(text, self.wanted)

    def _listed(self, text: str) -> object:
        inner, lines = get_args(self.wanted)[0], text.splitlines()
        if self.rows:
            try:
                rows = list(csv.reader(lines, skipinitialspace=True, strict=True))
            except csv.Error as error:
                raise BadInput(f"{self.name}: {error}") from None
            of_row = get_args(inner)[0]
            return [[_read(part, of_row) for part in row if part.strip()] for row in rows if row]
        parts = lines if self.by_line or len(lines) > 1 else text.split(",")
        return [_read(part, inner) for part in parts if part.strip()]


def _read(text: str, wanted: object) -> object:
    """Return the value of a word of a setting; what is not of its type stays text."""
    text = text.strip()
    if wanted is bool:
        return {"yes": True, "no": False}.get(text, text)
    if wanted is float and re.fullmatch(r"[-+]?[0-9]{1,9}([.][0-9]{1,9})?", text):
        return float(text)
    if wanted is int:
        number = whole_number(text, signed=True)
        return text if number is None else number
    inner = [each for each in get_args(wanted) if each is not NoneType]
    if get_origin(wanted) is Literal:
        return next((each for each in inner if str(each) == text), text)
    return (_read(text, inner[0]) if text else None) if inner else text


def _is_typed(wanted: object, depth: int = 2) -> bool:
    """Return whether a control can have the values of a type."""
    inner = [each for each in get_args(wanted) if each not in (NoneType, ...)]
    if get_origin(wanted) is tuple:
        return depth > 0 and all(_is_typed(each, depth - 1) for each in inner)
    if get_origin(wanted) in (Union, UnionType):
        return len(inner) == 1 and _is_typed(inner[0], 0)
    return wanted in (str, int, float, bool) or get_origin(wanted) is Literal


def _settings(kind: Any) -> Iterator[_Setting]:
    """Yield the settings of a class of games that a form can have; the others keep their default.

    The ``metadata`` of a field may say that its entries are ``{"by_line": True}``.
    """
    game, hints = kind(), get_type_hints(kind)
    for each in attrs_fields(kind):
        value = getattr(game, each.name)
        if each.init and _is_typed(hints[each.name]):
            commas = isinstance(value, tuple) and any("," in str(part) for part in value)
            by_line = commas or "by_line" in each.metadata
            yield _Setting(each.name, hints[each.name], value, by_line)


def setting_controls(say: Texts, kind: type) -> Iterator[Html]:
    """Yield a control for each setting of a class of games, with what it is by default."""
    return (setting.control(say) for setting in _settings(kind))


def setup_of(kind: Any, intent: Intent) -> Any:
    """Return the game with the settings of a form; raise `BadInput` if one cannot be."""
    values = {}
    for setting in _settings(kind):
        text = intent.first(f"set-{setting.name}", setting.text)
        if text.split() != setting.text.split():
            values[setting.name] = setting.read(text)
    return structure(values, kind)


def event_forms(say: Texts, game: Any, count: int) -> list[Html]:
    """Return what unfolds to a form for each class of events, to be added to ``count`` events."""
    if not isinstance(game, LineGame):
        return []
    shown = []
    for number, kind in enumerate(game.events):  # type: ignore[attr-defined]
        allowed = game.fields(kind)
        controls = [_control(say, name, wanted, allowed.get(name, ()))
                    for name, wanted in types_of(kind).items()]  # fmt: skip
        which = tag("input", type="hidden", name="kind", value=number)
        add = submit(say("log.add_button"))
        parts = re.split(r"\{(.*?)\}", kind.template)  # every second one is the name of a field
        title = [tag("i", part.replace("_", " ")) if odd % 2 else part
                 for odd, part in enumerate(parts)]  # fmt: skip
        about = (kind.__doc__ or "").replace("`", "").partition("\n\n")[0]
        inside = [which, about and tag("p", about, class_="hint"), controls, add]
        entry = form("enter", inside, id_=f"enter-{number}-{count}")  # empty again
        shown.append(details(tag("span", *title), entry,
                             key=f"enter-{number}", one_of="enter"))  # fmt: skip
    return shown


def _control(say: Texts, name: str, wanted: Any, allowed: Collection[Any]) -> Child:
    control, label = f"f-{name}", _label(say, name)
    if wanted is bool:
        return chips(label, control, _yes_no(say), [])
    many = get_origin(wanted) is tuple
    if 0 < len(allowed) <= MAX_CHIPS and not (many and isinstance(allowed, Mapping)):
        entries = [Chip(str(each), str(each)) for each in dict.fromkeys(allowed)]
        return chips(label, control, entries, [], many=many)
    first = [str(each) for each, _ in zip(allowed, range(3), strict=False)]
    some = (" " if many else ", ").join(first)
    hint = say("log.example", example=some) if some else None
    return field(label, control, hint=hint)


def form_line(say: Texts, game: Any, intent: Intent) -> str:
    """Return the line of the event that a form of `event_forms` states."""
    kinds = game.events if isinstance(game, LineGame) else ()  # type: ignore[attr-defined]
    kind = kinds[index_of(intent.first("kind"), len(kinds))]
    words = {name: " ".join(intent.form.get(f"f-{name}", ())) for name in types_of(kind)}
    allowed = game.fields(kind)
    for name, wanted in types_of(kind).items():
        if get_origin(wanted) is tuple:
            none = NO_PLAYER if NO_PLAYER in allowed.get(name, ()) else ""
            words[name] = " ".join(words[name].replace(",", " ").split()) or none
        elif not words[name].strip():
            raise BadInput(say("log.missing", what=_label(say, name)))
    line = line_of_fields(kind, words)
    empty = next((name for name, typed in words.items() if not typed), None)
    if empty and fields_of_line(kind, " ".join(line.split())) is None:
        raise BadInput(say("log.missing", what=_label(say, empty)))
    return line
