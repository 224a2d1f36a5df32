"""Card matches: which card may follow which (the specification's first section 4).

Numbers in brackets are its paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from games.propre.setup import RANK, SUIT, Card, is_numeric

__all__ = [
    "ONE_OFF",
    "is_free",
    "is_third_six",
    "is_type_1",
    "run_length",
    "type_2",
    "type_2_ranks",
]

ONE_OFF = "4.2.2"
"""The only reason for a type 2 match that keeps the type 1 requirement (5.3.4)."""


def run_length(pile: Sequence[Card]) -> int:
    """Return how many cards on top of the pile have the same rank (4.2.6.2-4).

    >>> run_length(["3C", "8S", "8H"])
    2
    """
    rank, length = RANK[pile[-1]], 0
    for card in reversed(pile):
        if RANK[card] != rank:
            break
        length += 1
    return length


def is_third_six(card: Card, pile: Sequence[Card]) -> bool:
    """Return whether the card is a 6 on two 6s (4.1.1)."""
    return RANK[card] == 6 and [RANK[below] for below in pile[-2:]] == [6, 6]


def is_type_1(card: Card, pile: Sequence[Card], *, require_match: bool) -> bool:
    """Return whether the card is a type 1 match (4.1).

    Examples
    --------
    >>> is_type_1("7D", ["2C", "7S"], require_match=True)
    True
    >>> is_type_1("QH", ["KS"], require_match=True), is_type_1("QD", ["KS"], require_match=True)
    (True, False)
    """
    if is_third_six(card, pile):  # 4.1.1
        return False
    if not require_match:  # 4.1.2.1
        return True
    top = pile[-1]
    return (
        SUIT[card] == SUIT[top]  # 4.1.2.2
        or RANK[card] == RANK[top]
        or (card == "QH" and RANK[top] == 13)  # 4.1.2.3-4
        or (card == "KH" and RANK[top] == 12)  # 4.1.2.5-6
    )


def type_2(
    card: Card, pile: Sequence[Card], *, bridging: bool, literal_run: bool = False
) -> tuple[str, ...]:
    """Return the paragraphs by which the card is a type 2 match (4.2); empty if it is not one.

    Parameters
    ----------
    card
        A card of a hand.
    pile
        The pile, its top last.
    bridging
        The specification's B.
    literal_run
        Whether 4.2.6 counts a single card as a run, so that every ace matches.

    Examples
    --------
    >>> type_2("5D", ["2C", "7S"], bridging=False)
    ('4.2.4',)
    >>> type_2("AS", ["KD", "4C"], bridging=False)
    ('4.2.2', '4.2.5')
    """
    top = RANK[pile[-1]]
    below = RANK[pile[-2]] if len(pile) > 1 else 0
    run = run_length(pile) if top == below else 1
    reasons = type_2_ranks(top, below, run, bridging=bridging, literal_run=literal_run)
    paragraphs = reasons.get(RANK[card], ())
    if card == "AS" and not (is_numeric(top) and (is_numeric(below) or not below)):
        return (*paragraphs, "4.2.5")
    return paragraphs


@cache
def type_2_ranks(
    top: int, below: int, run: int, *, bridging: bool, literal_run: bool
) -> Mapping[int, tuple[str, ...]]:
    """Return the ranks that are type 2 matches, each with the paragraphs that make it one.

    All of 4.2 except the ace of spades depends on ranks alone: those of the two topmost cards
    (``below`` is 0 if there is only one) and the length of the run on top.

    Examples
    --------
    >>> dict(type_2_ranks(7, 2, 1, bridging=True, literal_run=False))[3]
    ('4.2.2', '4.2.3')
    """
    two = [rank for rank in (top, below) if rank]
    matching: dict[int, tuple[str, ...]] = {}
    for rank in range(1, 14):
        reasons = {
            "4.2.1": rank in two,
            "4.2.2": any(abs(rank - other) in (1, 12) for other in two),
            "4.2.3": bridging and any({rank, other} == {3, 7} for other in two),
            "4.2.4": len(two) == 2 and _calculate(rank, top, below),
            "4.2.6": rank == run and (is_numeric(rank) or literal_run),
        }
        if any(reasons.values()):
            matching[rank] = tuple(paragraph for paragraph, holds in reasons.items() if holds)
    return matching


def is_free(reasons: Sequence[str]) -> bool:
    """Return whether a type 2 match for these reasons sets RM2 to false (5.3.4)."""
    return any(reason != ONE_OFF for reason in reasons)


def _calculate(*ranks: int) -> bool:
    """Return whether three ranks are numeric, and one the sum or product of the others (4.2.4.2-6).

    Difference and quotient (4.2.4.3.2, 4.2.4.3.4) are the same condition on the three ranks in
    another order.
    """
    low, middle, high = sorted(ranks)
    return all(map(is_numeric, ranks)) and high in (low + middle, low * middle)
