"""Work in steps that can be interrupted, and deals that are drawn when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Protocol, TypeVar

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import World

__all__ = ["Draws", "Work", "check_samples", "run_to_end"]

BATCH = 100
"""How many deals are drawn at a time, so that an interrupt comes after some were examined."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Work(Protocol[T_co]):
    """A computation in steps that can return what is known at any time."""

    def steps(self) -> Iterator[tuple[int, int]]:
        """Compute, and yield after each step how many steps are done, of how many."""

    def result(self) -> T_co:
        """Return what is known so far."""


def run_to_end(work: Work[T]) -> T:
    """Return the result when all steps are done."""
    for _ in work.steps():
        pass
    return work.result()


def check_samples(samples: int | None, least: int = 0) -> None:
    """Raise `BadInput` for too small a number of draws."""
    if samples is not None and samples < least:
        raise BadInput(f"{samples} samples are too few; at least {least}")


class Draws:
    """Deals drawn by the posterior when they are needed; `IndexError` after the last.

    Parameters
    ----------
    knowledge
        Whose deals.
    count
        How many.
    seed
        The same seed gives the same deals.
    """

    def __init__(self, knowledge: Knowledge, count: int, seed: int) -> None:
        self.knowledge, self.count, self.seed = knowledge, count, seed
        self._batch: tuple[int, Sequence[World]] = (-1, ())

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> World:
        if not 0 <= index < self.count:
            raise IndexError(index)
        batch, rest = divmod(index, BATCH)
        if self._batch[0] != batch:
            count = min(BATCH, self.count - batch * BATCH)
            seed = self.random("worlds", batch).getrandbits(32)
            self._batch = batch, self.knowledge.sample(count, seed=seed)
        return self._batch[1][rest]

    def random(self, purpose: str, index: int) -> Random:
        """Return the source of random numbers for one use of one deal."""
        return Random(f"{self.seed} {purpose} {index}")
