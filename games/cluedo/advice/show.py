"""How advice looks: the ranking, what each answer would tell, and both as JSON. No logic."""

from __future__ import annotations

from html import escape
from typing import Any

from deduce.knowledge import Knowledge
from deduce.show.cells import CELL, number_html, row_html, side_by_side, table_html
from deduce.show.table import Table, percent
from games.cluedo.advice.suggest import Advice, Prospect
from games.cluedo.knowledge import game_of

__all__ = [
    "advice_html",
    "advice_json",
    "advice_notes",
    "advice_tables",
    "advice_text",
    "gain_text",
    "outcome_table",
]

SHOWN = 10
"""How many suggestions a notebook shows."""


def advice_tables(knowledge: Knowledge, advice: Advice, limit: int) -> list[Table]:
    """Return the ranking, and what the answers to the best suggestion would leave open."""
    number = len(knowledge.log)
    ranking = Table(
        ("suggestion", "tells", "nobody shows"),
        [
            [", ".join(prospect.cards), gain_text(advice, prospect), percent(prospect.nobody)]
            for prospect in advice.ranking[:limit]
        ],
        f"What {advice.by} may suggest after {number} event{'s'[: number != 1]}; "
        f"{advice.entropy_bits:.2f} bits open",
        tuple(advice_notes(knowledge, advice, limit, options=True)),
    )
    if not advice.entropy_bits:
        return [ranking]
    return [ranking, outcome_table(advice, advice.ranking[0])]


def outcome_table(advice: Advice, prospect: Prospect) -> Table:
    """Return what each answer to a suggestion would leave open."""
    return Table(
        ("answer", "probability", "bits left", "solutions left"),
        [
            [
                str(outcome),
                percent(outcome.probability),
                f"{outcome.bits_left:.2f}",
                f"{'' if advice.is_exact else '>= '}{outcome.solutions}",
            ]
            for outcome in prospect.outcomes
        ],
        f"\n{', '.join(prospect.cards)} would tell:",
    )


def advice_text(advice: Advice) -> str:
    """Return the ranking, and what the best suggestion would tell, as plain text."""
    ranking, outcomes = _shown(advice)
    return f"{ranking}\n{outcomes}" if outcomes else str(ranking)


def advice_html(advice: Advice) -> str:
    """Return the same as HTML, gains and probabilities shaded."""
    ranking, outcomes = _shown(advice)
    most = max((prospect.gain_bits for prospect in advice.ranking), default=0) or 1
    rows = []
    for (cards, gain, nobody), prospect in zip(ranking.rows, advice.ranking, strict=False):
        # The best is no certainty, so its shade stays just below that of one.
        told = number_html(min(0.999, prospect.gain_bits / most), gain, gain)
        nothing = number_html(prospect.nobody, str(prospect.nobody), nobody)
        rows.append(row_html(cards, [told, nothing]))
    first = table_html(ranking.title, ranking.head, rows, ranking.notes)
    if outcomes is None:
        return first
    rows = []
    for (answer, share, *rest), outcome in zip(
        outcomes.rows, advice.ranking[0].outcomes, strict=True
    ):
        cells = [f'<td style="{CELL}">{escape(cell)}</td>' for cell in rest]
        told = number_html(outcome.probability, str(outcome.probability), share)
        rows.append(row_html(answer, [told, *cells]))
    return side_by_side(first, table_html(outcomes.title, outcomes.head, rows, outcomes.notes))


def _shown(advice: Advice) -> tuple[Table, Table | None]:
    """Return the ranking, and what the best suggestion would tell if anything is open."""
    ranking = Table(
        ("suggestion", "tells", "nobody shows"),
        [
            [", ".join(prospect.cards), gain_text(advice, prospect), percent(prospect.nobody)]
            for prospect in advice.ranking[:SHOWN]
        ],
        f"What {advice.by} may suggest; {advice.entropy_bits:.2f} bits open",
        tuple(advice_notes(None, advice, SHOWN, options=False)),
    )
    return ranking, outcome_table(advice, advice.ranking[0]) if advice.entropy_bits else None


def gain_text(advice: Advice, prospect: Prospect) -> str:
    """Return how much a suggestion tells, with the error of an estimate."""
    gain = f"{prospect.gain_bits:.3f} bits"
    return gain if advice.is_exact else f"{gain} ± {prospect.error:.3f}"


def advice_notes(
    knowledge: Knowledge | None, advice: Advice, limit: int, *, options: bool
) -> list[str]:
    """Return what is to be said of the ranking; with ``options`` also which ones would help."""
    notes = []
    if len(advice.ranking) > limit:
        more = "; --limit shows more" if options else ""
        notes.append(f"the best {limit} of {len(advice.ranking)} are shown{more}")
    ties = len(advice.best())
    if ties > 1:
        notes.append(f"{ties} tie for the best")
    if not advice.is_exact:
        notes.append(
            f"estimated from {advice.worlds} drawn deals, ± the standard error"
            + ("; --samples 0 is exact" if options else "")
        )
    if not advice.entropy_bits:
        notes.append("the solution is certain; nothing is left to ask")
    if knowledge is None:
        return notes
    sizes = game_of(knowledge).hand_sizes()[advice.by]
    mine = sum(holder == advice.by for holder in knowledge.certain().values())
    if mine < sizes[0]:
        notes.append(f"the hand of {advice.by} is not in the log, so it counts as unknown")
    return notes


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
