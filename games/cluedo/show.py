"""The views of Cluedo: the detective's sheet, a deal on a line, the ranked solutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import evolve

from deduce.constraints import Value, Variable
from deduce.errors import Undecided
from deduce.estimates import Estimate, EstimatedDistribution, significant_percent
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.reasoning.queries import Distribution
from deduce.show.sheet import ESTIMATED, Cell, Grid, Row, Sheet, knowledge_rows, marked
from deduce.show.table import Table, percent
from deduce.system.text import plural
from games.cluedo.game import game_of, viewer_of
from games.cluedo.setup import ENVELOPE, SetUp

__all__ = [
    "deal_text",
    "found_counts",
    "share_of",
    "sheet_table",
    "solution_table",
    "solutions",
]

MAX_SOLUTIONS = 3
"""How many solutions the sheet names."""


Solutions: TypeAlias = Distribution | EstimatedDistribution


def solutions(knowledge: Knowledge, *, estimate: bool = False) -> tuple[Solutions, Solutions]:
    """Return the distribution of the solution by posterior, and by share of deals.

    With ``estimate`` they are estimated where they are not found.
    """
    posterior = _solutions(knowledge, weighted=True, estimate=estimate)
    if not knowledge.is_weighed:  # then both are the same
        return posterior, posterior
    return posterior, _solutions(knowledge, weighted=False, estimate=estimate)


def _solutions(knowledge: Knowledge, *, weighted: bool, estimate: bool) -> Solutions:
    questions = game_of(knowledge).questions()
    if not estimate:
        return knowledge.joint(*questions, weighted=weighted)
    estimated = knowledge.joint(*questions, weighted=weighted, estimate=True)
    if not estimated.exact:
        return estimated
    return Distribution({of: Fraction(share.value) for of, share in estimated.items()})


def share_of(shares: Solutions, solution: tuple[Value, ...]) -> Fraction | Estimate:
    """Return the share of a solution; of one that no drawn deal has, what it may be."""
    if isinstance(shares, EstimatedDistribution) and solution not in shares:
        return Estimate(0.0, shares.unseen, 0.0, shares.unseen)
    return shares[solution]


def found_counts(game: SetUp, possible: Mapping[Variable, frozenset[Value]]) -> dict[str, str]:
    """Return for each holder how many of its cards are certain, as ``"3 of 5"``."""
    certain = [next(iter(values)) for values in possible.values() if len(values) == 1]
    sizes = game.hand_sizes() | {ENVELOPE: (len(game.deck),) * 2}
    counts = {}
    for holder in game.holders:
        low, high = sizes[holder]
        size = f"{low}" if low == high else f"{low}-{high}"
        counts[holder] = f"{certain.count(holder)} of {size}"
    return counts


def sheet_table(knowledge: Knowledge, grid: Grid) -> Table:
    """Return the detective's sheet: cards by category against holders, with the cards found."""
    game = game_of(knowledge)
    holders = {str(holder): holder for holder in game.holders}
    cards_found = Row("found", tuple(map(Cell, found_counts(game, grid.possible).values())))
    rows_known = knowledge_rows(knowledge, grid, game.groups(), holders, no="-")
    sheet = Sheet(
        ("", *holders), [*rows_known, cards_found], _title(knowledge), _notes(knowledge, grid)
    )
    table = marked(sheet, knowledge).table()
    blank = [""] * (len(game.holders) - 1)
    by_card = {row[0]: row for row in table.rows}
    rows: list[Sequence[str]] = []
    for category, cards in game.deck.items():
        rows.append([f"-- {category}", "", *blank])
        rows += [by_card.get(c, (c, "face up", *blank)) for c in cards]
    rows.append(["-- found", *by_card["found"][1:]])
    return evolve(table, rows=rows)


def _title(knowledge: Knowledge) -> str:
    viewer = viewer_of(knowledge)
    whose = f"{viewer}'s sheet" if viewer else "What all players can know"
    if viewer is None and knowledge.viewer is RECORD:
        whose = "What the record shows"
    what_if = ", ".join(map(knowledge.say, knowledge.assumed))
    title = f"{whose} after {plural(len(knowledge.log), 'event')}"
    return f"{title}, if {what_if}" if what_if else title


def _notes(knowledge: Knowledge, grid: Grid) -> list[str]:
    if grid.numbers is None:
        return ["? = open; the percentages are not known within the time limit"]
    deals = knowledge.count(estimate=True) if grid.estimates else knowledge.count()
    try:
        weighted = grid.kind == "probabilities"
        ranked = _solutions(knowledge, weighted=weighted, estimate=grid.estimates)
    except Undecided:
        if knowledge.doubts is None:
            raise
        note = "percentages are probabilities; the solutions are not ranked within the limit"
        return [note, *_doubtful(knowledge)]
    estimated = isinstance(ranked, EstimatedDistribution) or not grid.exact
    if not isinstance(deals, Estimate) or deals.exact:
        deals = int(deals.value) if isinstance(deals, Estimate) else deals
        remain = f"{plural(deals, 'deal')} {'remains' if deals == 1 else 'remain'} possible"
    else:
        remain, estimated = f"{deals} deals remain possible", True
    notes = [f"percentages are {grid.kind}; {remain}", *([ESTIMATED] if estimated else [])]
    if len(ranked) == 1 and not isinstance(ranked, EstimatedDistribution):
        notes.append(f"solution: {', '.join(map(str, next(iter(ranked))))}")
        return notes
    best = [
        f"{', '.join(map(str, triple))} {percent(ranked[triple])}"
        for triple in list(ranked)[:MAX_SOLUTIONS]
    ]
    notes.append(f"most probable of {len(ranked)} solutions: {'; '.join(best)}")
    return notes + _doubtful(knowledge)


DOUBTFUL = Fraction(1, 20)
"""From which probability on an answer that is wrong is named below the sheet."""


def _doubtful(knowledge: Knowledge) -> list[str]:
    """Return what strict logic would call certain although it rests on doubtful events."""
    if knowledge.doubts is None:
        return []
    notes = ["events may be wrong; nothing is certain that rests on one"]
    doubtful = [slip for slip in knowledge.slips() if slip.probability >= DOUBTFUL]
    for slip in doubtful[:MAX_SOLUTIONS]:
        wrong = f"{percent(slip.probability)} wrong"
        notes.append(f"doubtful: event {slip.event}, {slip.answer} ({wrong})")
    return notes


def deal_text(knowledge: Knowledge, world: World) -> str:
    """Return a deal by holder: ``Ann: Rope, Hall; ...; envelope: ...``."""
    hands: dict[Value, list[str]] = {holder: [] for holder in game_of(knowledge).holders}
    for card, holder in world.items():
        hands[holder].append(str(card))
    return "; ".join(f"{holder}: {', '.join(cards)}" for holder, cards in hands.items())


def solution_table(posterior: Solutions, shares: Solutions, limit: int) -> Table:
    """Return the ranked solutions with posterior and share of deals."""
    rows = [
        [", ".join(map(str, triple)), _exact(posterior[triple]), _exact(share_of(shares, triple))]
        for triple in list(posterior)[:limit]
    ]
    if isinstance(posterior, EstimatedDistribution):
        seen = f"{plural(len(posterior), 'solution')} in the drawn deals"
        notes = [f"{seen}; any other has up to {significant_percent(posterior.unseen)}", ESTIMATED]
    else:
        uncertainty = f"{posterior.entropy():.2f} bits of uncertainty"
        notes = [f"{plural(len(posterior), 'solution')}, {uncertainty}"]
    if len(posterior) > limit:
        notes.append(f"the most probable {limit} are shown; --limit shows more")
    return Table(("solution", "posterior", "share of deals"), rows, notes=tuple(notes))


def _exact(share: Fraction | Estimate) -> str:
    if isinstance(share, Estimate) and not share.exact:
        return str(share)
    return percent(share, digits=2) if share != 1 else "certain"
