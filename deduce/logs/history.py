"""Undo and redo for any frozen value: what it is now, what it was, and what was taken back.

>>> history = History("a").to("b").to("c").undo()
>>> history.now, history.redo().now, history.to("d").future
('b', 'c', ())
"""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

from deduce.errors import BadInput

__all__ = ["History"]

T = TypeVar("T")


@frozen
class History(Generic[T]):
    """A value with those before it and those that were undone, the nearest last."""

    now: T
    past: tuple[T, ...] = ()
    future: tuple[T, ...] = ()

    def to(self, value: T) -> History[T]:
        """Return the history with one more step, after which nothing can be redone."""
        return History(value, (*self.past, self.now))

    def undo(self) -> History[T]:
        """Return the history before the last step; raise `BadInput` if there is none."""
        if not self.past:
            raise BadInput("there is nothing to undo")
        return History(self.past[-1], self.past[:-1], (*self.future, self.now))

    def redo(self) -> History[T]:
        """Return the history after the step undone last; raise `BadInput` if there is none."""
        if not self.future:
            raise BadInput("there is nothing to redo")
        return History(self.future[-1], (*self.past, self.now), self.future[:-1])
