"""Views of advice: the ranking and the outcomes of the best question; tables, HTML, JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from deduce.policy.advice import UNKNOWN, Advice, InquiryType, Unknown, known
from deduce.policy.plan import Plan
from deduce.show.table import Table, number_html, percent, row_html, side_by_side, table_html
from deduce.system.display import register
from deduce.system.text import plural

__all__ = [
    "advice_html",
    "advice_json",
    "advice_notes",
    "advice_tables",
    "gain_text",
    "outcome_table",
    "tables_html",
]

SHOWN = 10
"""How many questions a notebook shows."""

OUTCOMES = 20
"""How many outcomes a table shows."""


def advice_tables(advice: Advice, limit: int = SHOWN, *, options: bool = False) -> list[Table]:
    """Return the ranking, and what each answer to the best question would leave.

    Parameters
    ----------
    advice
        What is shown.
    limit
        How many questions are shown.
    options
        Whether the notes name options of the command.
    """
    rows = [
        [
            rated.text,
            gain_text(advice, rated),
            _number(rated.expected_worlds),
            _number(rated.worst_worlds),
            str(rated.done) if isinstance(rated.done, Unknown) else percent(rated.done),
        ]
        for rated in advice.ranking[:limit]
    ]
    if not rows:
        return [Table((), (), notes=("no question can be asked now",))]
    unknown = "" if advice.entropy_bits is UNKNOWN else f"; {advice.bits_text} bits are unknown"
    head = ("question", "information", "worlds left", "at worst", "done")
    ranking = Table(
        head, rows, f"What to ask{unknown}", tuple(advice_notes(advice, limit, options=options))
    )
    if known(advice.entropy_bits) == 0:
        return [ranking]
    return [ranking, outcome_table(advice, advice.ranking[0])]


def gain_text(advice: Advice[InquiryType], rated: InquiryType) -> str:
    """Return the expected information of a question, with the error of an estimate."""
    gain = f"{rated.gain_bits:.3f} bits"
    return gain if advice.is_exact else f"{gain} ± {rated.error:.3f}"


def _number(worlds: float | Unknown) -> str:
    if isinstance(worlds, Unknown):
        return str(worlds)
    if isinstance(worlds, int):
        return f"{worlds:,}"
    return f"{worlds:,.0f}" if float(worlds).is_integer() else f"{worlds:,.2f}"


def advice_notes(advice: Advice[InquiryType], limit: int, *, options: bool) -> list[str]:
    """Return what is not shown, ties, and how the numbers were computed; see `advice_tables`."""
    notes = []
    if len(advice.ranking) > limit:
        more = "; --limit N shows more" if options else ""
        notes.append(f"the best {limit} of {len(advice.ranking):,} are shown{more}")
    ties = advice.ranking.ties
    if ties > 1:
        notes.append(f"{ties:,} tie for the best")
    if not advice.is_exact:
        exact = "; --samples 0 is exact" if options else ""
        worlds = plural(advice.worlds or 0, "drawn world")
        notes.append(f"estimated from {worlds}, ± the standard error{exact}")
    if known(advice.entropy_bits) == 0:
        notes.append("all that is asked about is certain")
    return notes


def outcome_table(advice: Advice[InquiryType], rated: InquiryType, limit: int = OUTCOMES) -> Table:
    """Return what each answer to a question would leave, in their order up to a limit."""
    least = "" if advice.is_exact else ">= "
    rows = [
        [
            outcome.text,
            percent(advice.open_share(outcome.probability)),
            "?" if outcome.bits_left is UNKNOWN else f"{outcome.bits_left:.2f}",
            "?" if outcome.solutions is UNKNOWN else f"{least}{outcome.solutions:,}",
        ]
        for outcome in rated.outcomes[:limit]
    ]
    more = len(rated.outcomes) - len(rows)
    notes = (f"and {plural(more, 'less probable answer')}",) if more else ()
    head = ("answer", "probability", "bits left", "solutions left")
    return Table(head, rows, f"\nAnswers to {rated.text}:", notes)


def advice_html(advice: Advice) -> str:
    """Return the tables as HTML, gains and probabilities shaded."""
    return tables_html(advice, advice_tables(advice))


def tables_html(
    advice: Advice[InquiryType],
    tables: Sequence[Table],
    shares: Callable[[InquiryType], Sequence[Fraction]] = lambda _: (),
) -> str:
    """Return tables of advice as HTML: gains and the probabilities of answers shaded.

    Parameters
    ----------
    advice
        What is shown.
    tables
        The ranking and, if there is one, the table of outcomes.
    shares
        Returns the probabilities in the columns after the gain of a question, shaded too.
    """
    ranking, *outcomes = tables
    most = max((rated.gain_bits for rated in advice.ranking[:SHOWN]), default=0) or 1
    rows = []
    for (text, gain, *rest), rated in zip(ranking.rows, advice.ranking, strict=False):
        # The best is not certain to win, so its shade is just below that of certainty.
        cells = [number_html(min(0.999, rated.gain_bits / most), gain, gain)]
        likely = shares(rated)
        cells += [number_html(p, str(p), cell) for p, cell in zip(likely, rest, strict=False)]
        rows.append(row_html(text, cells + _plain(rest[len(likely) :])))
    first = table_html(ranking.title, ranking.head, rows, ranking.notes)
    if not outcomes:
        return first
    rows = []
    for (text, share, *rest), outcome in zip(
        outcomes[0].rows, advice.ranking[0].outcomes, strict=False
    ):
        shaded = number_html(outcome.probability, str(outcome.probability), share)
        rows.append(row_html(text, [shaded, *_plain(rest)]))
    table = outcomes[0]
    return side_by_side(first, table_html(table.title.strip(), table.head, rows, table.notes))


def _plain(cells: Sequence[str]) -> list[str]:
    return [number_html(0, cell, cell) for cell in cells]


def advice_json(advice: Advice, limit: int) -> dict[str, Any]:
    """Return the fields of ``deduce/advise/1``; docs/commands.md explains them."""
    return {
        "by": advice.by,
        "entropy_bits": known(advice.entropy_bits),
        "entropy_error": advice.entropy_error,
        "method": advice.method,
        "exact": advice.is_exact,
        "worlds": advice.worlds,
        "allowed": len(advice.ranking),
        "best": advice.ranking.ties if advice.ranking else 0,
        "questions": [
            {
                "question": rated.text,
                "gain_bits": rated.gain_bits,
                "error_bits": rated.error,
                "expected_worlds": known(rated.expected_worlds),
                "worst_worlds": known(rated.worst_worlds),
                "done": None if rated.done is UNKNOWN else str(rated.done),
                "ends": str(rated.ends),
                "outcomes": [
                    {
                        "answer": outcome.text,
                        **advice.probability_json(outcome.probability),
                        "bits_left": known(outcome.bits_left),
                        "solutions": known(outcome.solutions),
                        "worlds": known(outcome.worlds),
                    }
                    for outcome in rated.outcomes
                ],
            }
            for rated in advice.ranking[:limit]
        ],
    }


def plan_text(plan: Plan) -> str:
    """Return the first steps of a plan, one per line."""
    return "\n".join(plan.outline())


register(Advice, text=lambda advice: "\n".join(map(str, advice_tables(advice))), html=advice_html)
register(Plan, text=plan_text, html=lambda plan: f"<pre>{escape(plan_text(plan))}</pre>")
