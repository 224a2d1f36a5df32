"""Putting the seats together: role vectors, their weights, and what they make of each seat.

Each seat contributes one number for each role (its *factor*); the number of rebels and whether one
of them lives is all that ties the seats to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.pigs.cards import REBEL, Role
from games.pigs.facts import Standing

__all__ = ["Factors", "Roles", "marginals", "vectors"]

Roles = tuple[Role, ...]
Factors = Sequence[Mapping[Role, int]]


def vectors(
    factors: Factors, standing: Standing, rebels: int | None
) -> Iterator[tuple[Roles, int]]:
    """Yield the possible role vectors, in the order of role names, each with its weight.

    Parameters
    ----------
    factors
        For each seat role -> weight.
    standing
        Who lives, and whether there has to be a rebel among them.
    rebels
        The number of rebels, or None: at least one.
    """

    def extend(roles: Roles, weight: int) -> Iterator[tuple[Roles, int]]:
        if len(roles) < len(factors):
            for role, factor in sorted(factors[len(roles)].items()):
                if factor:
                    yield from extend((*roles, role), weight * factor)
            return
        number = roles.count(REBEL)
        if number != rebels if rebels is not None else number == 0:
            return
        if standing.rebel_lives is not None:
            lives = any(roles[seat - 1] == REBEL for seat in standing.living)
            if lives is not standing.rebel_lives:
                return
        yield roles, weight

    return extend((), 1)


def marginals(
    factors: Factors, standing: Standing, rebels: int | None
) -> tuple[int, tuple[int, ...]]:
    """Return the total weight, and for each seat the weight with which it is a rebel.

    The same as summing over `vectors`, in time quadratic in the seats: the polynomials whose k-th
    coefficient is the weight of k rebels, among the living and among the dead, are multiplied up;
    a seat is taken out of its polynomial by exact division.

    Examples
    --------
    >>> factors = [{"MP": 1}, {"ZP": 1, "FP": 2}, {"ZP": 3, "FP": 4}]
    >>> marginals(factors, Standing(0, (1, 2, 3), rebel_lives=True), None)
    (18, (0, 14, 12))
    """
    living = [seat for seat in range(len(factors)) if seat + 1 in standing.living]
    dead = [seat for seat in range(len(factors)) if seat + 1 not in standing.living]
    of_living, of_dead = _polynomial(factors, living), _polynomial(factors, dead)

    def fits(alive: int, gone: int) -> bool:
        number = alive + gone
        if number != rebels if rebels is not None else number == 0:
            return False
        return standing.rebel_lives is None or standing.rebel_lives is (alive > 0)

    # What k rebels in one group are worth, given the other group.
    worth_living = [
        sum(weight for gone, weight in enumerate(of_dead) if fits(alive, gone))
        for alive in range(len(living) + 1)
    ]
    worth_dead = [
        sum(weight for alive, weight in enumerate(of_living) if fits(alive, gone))
        for gone in range(len(dead) + 1)
    ]
    total = _dot(of_living, worth_living)
    answer = [0] * len(factors)
    for seats, polynomial, worth in (
        (living, of_living, worth_living),
        (dead, of_dead, worth_dead),
    ):
        for seat in seats:
            other, rebel = _split(factors[seat])
            if rebel and not other:
                answer[seat] = total
            elif rebel:
                rest = _divide(polynomial, other, rebel)
                answer[seat] = rebel * _dot(rest, worth[1:])
    return total, tuple(answer)


def _split(factor: Mapping[Role, int]) -> tuple[int, int]:
    rebel = factor.get(REBEL, 0)
    return sum(factor.values()) - rebel, rebel


def _polynomial(factors: Factors, seats: Sequence[int]) -> list[int]:
    product = [1]
    for seat in seats:
        other, rebel = _split(factors[seat])
        product = [
            other * same + rebel * one_less
            for same, one_less in zip([*product, 0], [0, *product], strict=True)
        ]
    return product


def _divide(polynomial: Sequence[int], other: int, rebel: int) -> list[int]:
    """Return the polynomial without the seat that contributed ``other + rebel * x``."""
    quotient: list[int] = []
    last = 0
    for coefficient in polynomial[:-1]:
        last = (coefficient - rebel * last) // other
        quotient.append(last)
    return quotient


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
