"""Replaying recorded cases: every expected field is compared with what the toolkit answers.

A case file is one JSON object with a ``format`` such as ``"cluedo/exact"`` and a list ``cases``
(and sometimes a second one, ``crafted``). The part of the format before the slash names a game; its
registration names the function that replays one case of the kind: it takes the case and yields a
`Difference` for each field that is not as expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from re import findall
from typing import Any

from attrs import define, field, frozen

from deduce.errors import BadInput, DeduceError, missing_package, placed
from deduce.logs.case_forms import Case, below, shown
from deduce.logs.json_values import parse_json
from deduce.system import registry
from deduce.system.files import read_text
from deduce.system.text import one_line

__all__ = ["CaseResult", "Difference", "Replay", "Report", "compare", "replay"]


@frozen
class Difference:
    """One expected field that has another value."""

    field: str
    expected: object
    found: object

    def __str__(self) -> str:
        return f"{self.field}: expected {shown(self.expected, 200)}, found {shown(self.found, 200)}"


@frozen
class CaseResult:
    """The outcome of one case: it passed when there is no difference and no error."""

    case: str
    differences: tuple[Difference, ...] = ()
    error: str = ""
    """Why the case could not be replayed to its end."""
    failure: BaseException | None = field(default=None, eq=False, repr=False)
    """The exception that ended the replay if it is not of the error family."""

    @property
    def passed(self) -> bool:
        """Whether all expected fields were found."""
        return not self.differences and not self.error

    def lines(self) -> list[str]:
        """Return one line for each difference, and one for the error."""
        error = [f"{self.case}: {self.error}"] if self.error else []
        return [f"{self.case}: {difference}" for difference in self.differences] + error


Replay = Callable[[Case], Iterable[Difference]]
"""A game's function for one kind of case: a case in, its differences out."""

OF_ANY_GAME = {"soak": "deduce.testing.soak:replay", "logs": "deduce.testing.logcases:replay"}
OF_PROBLEMS = dict.fromkeys(("exact", "soak"), "deduce.testing.problemcases:replay")
"""By the kind of case, what replays those of any (hidden) game, and those of no game."""


def compare(
    path: str, expected: object, found: object, *, optional: bool = False
) -> Iterator[Difference]:
    """Yield a difference for every leaf in which two JSON-like values differ.

    Parameters
    ----------
    path
        The name of the field, for the differences.
    expected, found
        What the case records, and what the toolkit answers.
    optional
        Whether a null in ``expected``, at any depth, means that nothing is expected there. It
        does only for the fields that the description of the format calls optional.

    Examples
    --------
    >>> [str(d) for d in compare("hand", {"Ann": 3, "Ben": 2}, {"Ann": 3, "Ben": 4})]
    ['hand.Ben: expected 2, found 4']
    >>> list(compare("view", {"deals": None}, {"deals": 8}, optional=True))
    []
    """
    if optional and expected is None:
        return
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        missing = "(nothing)"
        for key in dict.fromkeys([*expected, *found]):
            pair = expected.get(key, missing), found.get(key, missing)
            yield from compare(f"{path}.{key}" if path else str(key), *pair, optional=optional)
    elif expected != found:
        yield Difference(path, expected, found)


def replay(file: Path | str) -> Iterator[CaseResult]:
    """Yield the result of every case of a file, in order; an error in one does not end the others.

    Raises
    ------
    BadInput
        The file cannot be read, is not JSON, or has a format that no installed game replays.
    """
    document, differences_of = _read(str(file))
    numbered = [
        (str(case.get("id", number)) if isinstance(case, Mapping) else str(number), case)
        for key in ("cases", "crafted")
        for number, case in enumerate(document.get(key, ()))
    ]
    right: tuple[str, object] | None = None
    for name, case in numbered:
        result = _replay_case(name, case, differences_of, right)
        right = (name, case) if result.passed else right
        yield result


def _replay_case(
    name: str, case: object, differences_of: Replay, right: tuple[str, object] | None
) -> CaseResult:
    """Return the result of a case; ``right`` is one that passed, for a message that compares."""
    differences: list[Difference] = []
    error, failure = "", None
    trail = _Trail()
    try:
        if not isinstance(case, Mapping):
            raise BadInput(f"a case is one JSON object, not {shown(case)}")
        for difference in differences_of(trail.follow(case, "")):
            differences.append(difference)  # noqa: PERF402 (those before an error are kept)
    except DeduceError as reason:
        error = f"error: {one_line(reason)}{trail if trail.is_named_in(reason) else ''}"
    except _MissingField as reason:
        error = f"error: the case has no field {reason}"
    except ModuleNotFoundError as missing:
        error = f"error: {missing_package('the replay', missing.name or str(missing))}"
    except (Exception, SystemExit) as reason:
        error = f"error: the replay broke off{trail}; this should fit the other fields"
        if right is not None:
            error += trail.compared_with(*right)
        failure = reason
    return CaseResult(name, tuple(differences), error, failure)


class _MissingField(KeyError):
    """A field that a case does not have; any other `KeyError` is a failure of ours."""


@define
class _Trail:
    """What was read of a case last, since that is what an error is about, as a rule."""

    path: str = ""
    value: object = None

    def __str__(self) -> str:
        return f" (read last: {self.path}: {shown(self.value)})" if self.path else ""

    def is_named_in(self, error: DeduceError) -> bool:
        """Return whether an error is about what was read last, as far as its text shows."""
        text = error.text if isinstance(error, BadInput) else None
        return str(self.value) in str(error) or bool(text and text in str(self.value))

    def compared_with(self, name: str, case: Any) -> str:
        """Return what another case has in the same place; empty if it has no such place."""
        try:
            for part in findall(r"[^.\[\]]+", self.path):
                case = case[int(part)] if isinstance(case, list) else case[part]
        except (LookupError, TypeError, ValueError):
            return ""
        return f" as in case {name}, where it is {shown(case)}" if self.path else ""

    def follow(self, value: object, path: str) -> Any:
        """Return a JSON value whose objects and lists note what is read of them."""
        if isinstance(value, dict):
            inner = {key: self.follow(each, below(path, key)) for key, each in value.items()}
            return _Fields(inner, self, path)
        if isinstance(value, list):
            return _Items([self.follow(v, below(path, n)) for n, v in enumerate(value)], self, path)
        return value

    def read(self, path: str, value: object) -> None:
        if not isinstance(value, dict):
            self.path, self.value = path, value


class _Fields(dict[str, object]):
    """An object of a case."""

    def __init__(self, fields: Mapping[str, object], trail: _Trail, path: str) -> None:
        super().__init__(fields)
        self._trail, self._path = trail, path

    def __getitem__(self, name: str) -> object:
        value = super().__getitem__(name)
        self._trail.read(below(self._path, name), value)
        return value

    def __missing__(self, name: str) -> object:
        raise _MissingField(below(self._path, name))

    def get(self, name: str, default: object = None) -> object:
        if name not in self:
            return default
        return self[name]


class _Items(list[object]):
    """A list of a case."""

    def __init__(self, items: list[object], trail: _Trail, path: str) -> None:
        super().__init__(items)
        self._trail, self._path = trail, path

    def __iter__(self) -> Iterator[object]:
        for number, value in enumerate(super().__iter__()):
            self._trail.read(below(self._path, number), value)
            yield value


@define
class Report:
    """What the replay of several files has given so far."""

    passed: int = 0
    failed: int = 0
    shown: int = 0
    """How many lines were given."""
    unreadable: list[BadInput] = field(factory=list)
    """One error for each file that could not be read."""
    failures: list[BaseException] = field(factory=list)
    """The exceptions that are not of the error family, for who looks for a mistake of ours."""

    def replay(self, file: Path | str) -> Iterator[str]:
        """Yield a line for each difference and error of a file, and count its cases."""
        try:
            for result in replay(file):
                if result.passed:
                    self.passed += 1
                else:
                    self.failed += 1
                    self.failures += [result.failure] if result.failure else []
                for line in result.lines():
                    self.shown += 1
                    yield line
        except BadInput as error:
            self.unreadable.append(error)


def _read(source: str) -> tuple[Case, Replay]:
    """Return the document of a file and the function that replays one of its cases."""
    text, source = read_text(source)
    with placed(source=source):
        document = parse_json(text)
        if not isinstance(document, dict) or not isinstance(document.get("format"), str):
            raise BadInput('not a case file: it has no "format", like "cluedo/exact"')
        if not all(isinstance(document.get(key, []), list) for key in ("cases", "crafted")) or (
            "cases" not in document
        ):
            raise BadInput('not a case file: it has no list "cases"')
        name, _, kind = document["format"].partition("/")
        if name != "problem" and name not in registry.names():
            raise BadInput(f"no game {name!r} is installed for the format {name}/{kind}")
        game = None if name == "problem" else registry.find(name)
        if game and (kind == "soak" or (kind == "logs" and game.hidden)):
            return document, partial(registry.load(OF_ANY_GAME[kind]), game=name)
        kinds = game.cases if game else OF_PROBLEMS
        if kind not in kinds:
            known = ", ".join(f"{name}/{k}" for k in sorted(kinds)) or "none"
            raise BadInput(f"unknown format {name}/{kind}; known: {known}")
    return document, registry.load(kinds[kind])
