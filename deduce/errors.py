"""The family of errors: every mistake a caller can tell apart has its own class.

Unknown, impossible, unsupported and over budget are four different things, so they are four
different errors (or answers), never ``None`` or ``False``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any

__all__ = [
    "BadInput",
    "BadProblem",
    "BrokenPlugin",
    "Contradiction",
    "DeduceError",
    "Interrupted",
    "Undecided",
    "Unsupported",
    "missing_extra",
    "missing_package",
    "placed",
]


class DeduceError(Exception):
    """The base of every error that deduce raises on purpose."""


class BadInput(DeduceError, ValueError):
    """What a person typed, a file contains or a program passed cannot be used.

    Parameters
    ----------
    message
        What is wrong, and what would be right.
    source
        The file's name, ``"<stdin>"`` or the like.
    line, column
        Where, counted from 1.
    text
        The offending word or line.

    Examples
    --------
    >>> print(BadInput("no card is called 'ropp'; did you mean 'Rope'?", source="a.log", line=3))
    a.log:3: no card is called 'ropp'; did you mean 'Rope'?
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.text = text

    def at(
        self, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> BadInput:
        """Return the same error with the place filled in where it was still open."""
        return BadInput(
            self.message,
            source=self.source or source,
            line=self.line or line,
            column=self.column or column,
            text=self.text,
        )

    def __str__(self) -> str:
        if self.source is None:
            places = (("line", self.line), ("column", self.column))
            place = ", ".join(f"{name} {number}" for name, number in places if number)
        else:
            place = ":".join(str(p) for p in (self.source, self.line, self.column) if p is not None)
        return f"{place}: {self.message}" if place else self.message


class placed:
    """Names the place of a `BadInput` that leaves the block; arguments as for `BadInput.at`.

    Examples
    --------
    >>> with placed(source="a.log", line=3):
    ...     raise BadInput("not an event")
    Traceback (most recent call last):
    deduce.errors.BadInput: a.log:3: not an event
    """

    def __init__(
        self, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self._source, self._line, self._column = source, line, column

    def __enter__(self) -> None:
        """Enter the block."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise the error with its place, if there is one."""
        if isinstance(error, BadInput):
            raise error.at(source=self._source, line=self._line, column=self._column) from None


class BadProblem(DeduceError, ValueError):
    """A problem was put together wrongly: an unknown variable, an empty domain, a bad bound.

    Of a message that repeats a long rule, the middle is left out.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message if len(message) <= 500 else f"{message[:350]} ... {message[-100:]}"
        )


class Contradiction(DeduceError):
    """No world is possible, so the question has no answer.

    ``why`` is the explanation (a `deduce.reasoning.explain.Why`), which the text of the error
    shows, too; ``None`` where there is none. The queries of `Knowledge` compute it when it is first
    needed, within their budget.
    """

    def __init__(self, message: str = "no world is possible", *, why: Any = None) -> None:
        super().__init__(message)
        self._why = why
        self._explain: Callable[[], object] | None = None

    def explained_by(self, explain: Callable[[], Any]) -> None:
        """Compute ``why`` by a function when it is needed, unless an explanation is known."""
        if self._why is None and self._explain is None:
            self._explain = explain

    @property
    def why(self) -> Any:
        """The explanation, or ``None``."""
        if self._explain is not None:
            explain, self._explain = self._explain, None
            try:
                self._why = explain()
            except DeduceError:  # it takes too long, or answers with doubts contradict nothing
                self._why = None
        return self._why

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.why is None else f"{message}\n{self.why}"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), why=self.why), self.args


class Undecided(DeduceError):
    """The budget ran out before the answer was found.

    ``known`` carries what is known so far. Where worlds were counted, there are at least
    ``at_least`` and at most ``at_most`` of them; ``None`` where no bound is known.
    """

    def __init__(
        self,
        message: str,
        *,
        known: Any = None,
        at_least: int | None = None,
        at_most: int | None = None,
    ) -> None:
        super().__init__(message)
        self.known = known
        self.at_least = at_least
        self.at_most = at_most


class Interrupted(Undecided):
    """Ctrl-C ended the work before the answer was found."""


class Unsupported(DeduceError):
    """What was asked is beyond this engine, game or file; the message names what could do it."""


class BrokenPlugin(Unsupported):
    """A game of another package cannot be loaded, or fails; the message names it and the reason."""


def missing_extra(needed: str, extra: str) -> Unsupported:
    """Return the error that an optional package is missing, with the command that installs it.

    >>> print(missing_extra("figures need matplotlib", "plot"))
    figures need matplotlib: python -m pip install 'deduce-toolkit[plot]', or in a checkout python \
-m pip install -e '.[plot]'
    """
    return Unsupported(
        f"{needed}: python -m pip install 'deduce-toolkit[{extra}]', "
        f"or in a checkout python -m pip install -e '.[{extra}]'"
    )


def missing_package(needed: str, package: str) -> Unsupported:
    """Return the error that a package of a usual installation is missing, as in WebAssembly.

    >>> print(missing_package("the engine 'cpsat'", "ortools"))
    the engine 'cpsat' needs ortools, which is not installed here: python -m pip install ortools
    """
    return Unsupported(
        f"{needed} needs {package}, which is not installed here: python -m pip install {package}"
    )
