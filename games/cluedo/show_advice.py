"""How advice looks: the ranking, what each answer would tell, and both as JSON. No logic."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from attrs import evolve

from deduce.knowledge import Knowledge
from deduce.show.cells import CELL, number_html, row_html, side_by_side, table_html
from deduce.show.table import Table, percent
from games.cluedo.advice import Advice, Prospect
from games.cluedo.knowledge import game_of

__all__ = ["advice_html", "advice_json", "advice_tables", "advice_text"]

SHOWN = 10
"""How many suggestions a notebook shows."""


def advice_tables(knowledge: Knowledge, advice: Advice, limit: int) -> list[Table]:
    """Return the ranking, and what the answers to the best suggestion would leave open."""
    number = len(knowledge.log)
    after = f" after {number} event{'s'[: number != 1]}"
    notes = [*_notes(advice, limit), *_unseen_hand(knowledge, advice)]
    if len(advice.ranking) > limit:
        notes[0] += "; --limit shows more"
    ranking = _ranking(advice, limit, after, notes)
    if not advice.entropy_bits:
        return [ranking]
    outcomes = _outcomes(advice)
    return [ranking, evolve(outcomes, title=f"\n{outcomes.title}")]


def _ranking(advice: Advice, limit: int, after: str, notes: Iterable[str]) -> Table:
    return Table(
        ("suggestion", "tells", "nobody shows"),
        [
            [", ".join(prospect.cards), _gain(advice, prospect), percent(prospect.nobody)]
            for prospect in advice.ranking[:limit]
        ],
        f"What {advice.by} may suggest{after}; {advice.entropy_bits:.2f} bits open",
        tuple(notes),
    )


def _outcomes(advice: Advice) -> Table:
    best = advice.ranking[0]
    return Table(
        ("answer", "probability", "bits left", "solutions left"),
        [
            [
                str(outcome),
                percent(outcome.probability),
                f"{outcome.bits_left:.2f}",
                f"{'' if advice.is_exact else '>= '}{outcome.solutions}",
            ]
            for outcome in best.outcomes
        ],
        f"{', '.join(best.cards)} would tell:",
    )


def advice_text(advice: Advice) -> str:
    """Return the ranking, and what the best suggestion would tell, as plain text."""
    tables = [_ranking(advice, SHOWN, "", _notes(advice, SHOWN))]
    if advice.entropy_bits:
        tables.append(_outcomes(advice))
    return "\n\n".join(map(str, tables))


def advice_html(advice: Advice) -> str:
    """Return the same as HTML, gains and probabilities shaded."""
    ranking = _ranking(advice, SHOWN, "", _notes(advice, SHOWN))
    most = max((prospect.gain_bits for prospect in advice.ranking), default=0) or 1
    rows = []
    for (cards, gain, nobody), prospect in zip(ranking.rows, advice.ranking, strict=False):
        # The best is no certainty, so its shade stays just below that of one.
        told = number_html(min(0.999, prospect.gain_bits / most), gain, gain)
        rows.append(
            row_html(cards, [told, number_html(prospect.nobody, str(prospect.nobody), nobody)])
        )
    first = table_html(ranking.title, ranking.head, rows, ranking.notes)
    if not advice.entropy_bits:
        return first
    table, rows = _outcomes(advice), []
    for (answer, share, *rest), outcome in zip(table.rows, advice.ranking[0].outcomes, strict=True):
        cells = [f'<td style="{CELL}">{escape(cell)}</td>' for cell in rest]
        told = number_html(outcome.probability, str(outcome.probability), share)
        rows.append(row_html(answer, [told, *cells]))
    return side_by_side(first, table_html(table.title, table.head, rows, table.notes))


def _gain(advice: Advice, prospect: Prospect) -> str:
    gain = f"{prospect.gain_bits:.3f} bits"
    return gain if advice.is_exact else f"{gain} ± {prospect.error:.3f}"


def _notes(advice: Advice, limit: int) -> list[str]:
    notes = []
    if len(advice.ranking) > limit:
        notes.append(f"the best {limit} of {len(advice.ranking)} are shown")
    ties = len(advice.best())
    if ties > 1:
        notes.append(f"{ties} tie for the best")
    if not advice.is_exact:
        notes.append(
            f"estimated from {advice.worlds} drawn deals, ± the standard error; "
            "--samples 0 is exact"
        )
    if not advice.entropy_bits:
        notes.append("the solution is certain; nothing is left to ask")
    return notes


def _unseen_hand(knowledge: Knowledge, advice: Advice) -> list[str]:
    sizes = game_of(knowledge).hand_sizes()[advice.by]
    mine = sum(holder == advice.by for holder in knowledge.certain().values())
    if mine < sizes[0]:
        return [f"the hand of {advice.by} is not in the log, so it counts as unknown"]
    return []


def advice_json(advice: Advice, limit: int) -> dict[str, Any]:
    """Return the fields of ``deduce/advise/1``; docs/games/cluedo.md, section 10, explains them."""
    return {
        "by": advice.by,
        "entropy_bits": advice.entropy_bits,
        "method": advice.method,
        "exact": advice.is_exact,
        "worlds": advice.worlds,
        "allowed": len(advice.ranking),
        "best": len(advice.best()),
        "suggestions": [
            {
                "cards": list(prospect.cards),
                "gain_bits": prospect.gain_bits,
                "error_bits": prospect.error,
                "nobody_shows": str(prospect.nobody),
                "outcomes": [
                    {
                        "by": outcome.by,
                        "card": outcome.card,
                        "probability": str(outcome.probability),
                        "bits_left": outcome.bits_left,
                        "solutions": outcome.solutions,
                    }
                    for outcome in prospect.outcomes
                ],
            }
            for prospect in advice.ranking[:limit]
        ],
    }
