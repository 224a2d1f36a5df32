"""Mastermind by its plain definition: answers, codes left, and the best plan by trying all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import product
from typing import Any


def answer(code: Sequence[str], guess: Sequence[str]) -> tuple[int, int]:
    """Return the pegs by crossing colours off one by one."""
    left_code = [c for c, g in zip(code, guess, strict=True) if c != g]
    left_guess = [g for c, g in zip(code, guess, strict=True) if c != g]
    white = 0
    for colour in left_guess:
        if colour in left_code:
            left_code.remove(colour)
            white += 1
    return len(code) - len([c for c, g in zip(code, guess, strict=True) if c != g]), white


def codes(slots: int, colours: str, *, repeat: bool) -> list[str]:
    return [
        "".join(code)
        for code in product(colours, repeat=slots)
        if repeat or len(set(code)) == slots
    ]


NEVER = 10**6


def fewest(
    secrets: Sequence[Hashable],
    questions: Sequence[Hashable],
    answered: Callable[[Any, Any], Hashable],
    is_final: Callable[[Hashable], bool] | None,
    within: int | None = None,
) -> int:
    """Return the least total of questions over all secrets, by trying every question."""

    @cache
    def total(left: frozenset[Hashable], depth: int) -> int:
        if is_final is None and len(left) == 1:
            return 0
        if depth == 0:
            return NEVER
        best = NEVER
        for question in questions:
            parts: dict[Hashable, set[Hashable]] = {}
            for secret in left:
                parts.setdefault(answered(secret, question), set()).add(secret)
            if len(parts) == 1 and (is_final is None or not is_final(next(iter(parts)))):
                continue
            cost = len(left)
            for result, part in parts.items():
                if is_final is None or not is_final(result):
                    cost += total(frozenset(part), depth - 1)
            best = min(best, cost)
        return best

    return total(frozenset(secrets), 99 if within is None else within)


def most(
    secrets: Sequence[Hashable],
    questions: Sequence[Hashable],
    answered: Callable[[Any, Any], Hashable],
    is_final: Callable[[Hashable], bool] | None,
    within: int,
) -> int:
    """Return how many secrets can be found within a number of questions."""

    @cache
    def found(left: frozenset[Hashable], depth: int) -> int:
        best = int(is_final is None and len(left) == 1)
        if depth == 0 or best:
            return best
        for question in questions:
            parts: dict[Hashable, set[Hashable]] = {}
            for secret in left:
                parts.setdefault(answered(secret, question), set()).add(secret)
            count = 0
            for result, part in parts.items():
                final = is_final is not None and is_final(result)
                count += 1 if final else found(frozenset(part), depth - 1)
            best = max(best, count)
        return best

    return found(frozenset(secrets), within)
