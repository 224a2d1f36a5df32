"""How Cluedo looks: the detective's sheet, a deal in a line, the ranked solutions. No logic."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from deduce.constraints import Value, Variable
from deduce.errors import Contradiction, Undecided
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.queries import Distribution
from deduce.show.table import Table, percent
from deduce.show.text import Grid
from games.cluedo.game import ENVELOPE, Cluedo
from games.cluedo.knowledge import game_of

__all__ = ["deal_text", "found", "sheet_table", "sheet_text", "solution_table", "solutions"]

BEST = 3
"""How many solutions the sheet names."""


def solutions(knowledge: Knowledge) -> tuple[Distribution, Distribution]:
    """Return the distribution of the solution by posterior, and by share of deals."""
    questions = game_of(knowledge).questions()
    return knowledge.joint(*questions), knowledge.joint(*questions, weighted=False)


def found(game: Cluedo, possible: Mapping[Variable, frozenset[Value]]) -> dict[str, str]:
    """Return for each holder how many of its cards are certain, as ``"3 of 5"``."""
    certain = [next(iter(values)) for values in possible.values() if len(values) == 1]
    sizes = game.hand_sizes() | {ENVELOPE: (len(game.deck),) * 2}
    told = {}
    for holder in game.holders:
        low, high = sizes[holder]
        whole = f"{low}" if low == high else f"{low}-{high}"
        told[holder] = f"{certain.count(holder)} of {whole}"
    return told


def sheet_table(knowledge: Knowledge, grid: Grid) -> Table:
    """Return the detective's sheet: cards by category against holders, with what is found."""
    game = game_of(knowledge)
    rows = []
    for category, cards in game.deck.items():
        rows.append([f"-- {category}", *[""] * len(game.holders)])
        for card in cards:
            if card in game.face_up:
                rows.append([card, "face up", *[""] * (len(game.holders) - 1)])
            else:
                cells = [grid.cell(card, holder) for holder in game.holders]
                rows.append([card, *("-" if cell == "no" else cell for cell in cells)])
    rows.append(["-- found", *found(game, grid.possible).values()])
    return Table(("", *game.holders), rows, _title(knowledge), tuple(_notes(knowledge, grid)))


def _title(knowledge: Knowledge) -> str:
    game = game_of(knowledge)
    viewer = game.me if knowledge.viewer is RECORD else knowledge.viewer
    whose = f"{viewer}'s sheet" if viewer else "What everybody can know"
    if viewer is None and knowledge.viewer is RECORD:
        whose = "What the record says"
    number = len(knowledge.log)
    what_if = ", ".join(map(knowledge.say, knowledge.assumed))
    return f"{whose} after {number} event{'s'[: number != 1]}" + (
        f", if {what_if}" if what_if else ""
    )


def _notes(knowledge: Knowledge, grid: Grid) -> list[str]:
    if grid.numbers is None:
        return ["? = open; the numbers are not known within the time limit"]
    posterior, shares = solutions(knowledge)
    deals = knowledge.count()
    ranked = posterior if grid.kind == "posterior" else shares
    notes = [f"numbers: {grid.kind}; {deals} deal{'s'[: deals != 1]} fit{'s'[deals != 1 :]}"]
    if len(ranked) == 1:
        notes.append(f"solution: {', '.join(map(str, next(iter(ranked))))}")
        return notes
    best = [
        f"{', '.join(map(str, triple))} {percent(ranked[triple])}" for triple in list(ranked)[:BEST]
    ]
    notes.append(f"best of {len(ranked)} solutions: {'; '.join(best)}")
    return notes


def sheet_text(knowledge: Knowledge) -> str:
    """Return the sheet as plain text, without numbers where the budget does not reach."""
    try:
        numbers = knowledge.posterior()
        grid = Grid({card: frozenset(row) for card, row in numbers.items()}, numbers)
    except Undecided as error:
        grid = Grid(error.known)
    except Contradiction:
        return "The log contradicts itself: no deal fits."
    return str(sheet_table(knowledge, grid))


def deal_text(knowledge: Knowledge, world: World) -> str:
    """Return a deal by holder: ``Ann: Rope, Hall; ...; envelope: ...``."""
    hands: dict[Value, list[str]] = {holder: [] for holder in game_of(knowledge).holders}
    for card, holder in world.items():
        hands[holder].append(str(card))
    return "; ".join(f"{holder}: {', '.join(cards)}" for holder, cards in hands.items())


def solution_table(posterior: Distribution, shares: Distribution, limit: int) -> Table:
    """Return the ranked solutions with posterior and share of deals."""
    rows = [
        [", ".join(map(str, triple)), _exact(share), _exact(shares[triple])]
        for triple, share in list(posterior.items())[:limit]
    ]
    number = len(posterior)
    notes = [f"{number} solution{'s'[: number != 1]}, {posterior.entropy():.2f} bits open"]
    if len(posterior) > limit:
        notes.append(f"the best {limit} are shown; --limit shows more")
    return Table(("solution", "posterior", "share of deals"), rows, notes=tuple(notes))


def _exact(share: Fraction) -> str:
    return f"{float(share):.2%}" if share != 1 else "certain"
