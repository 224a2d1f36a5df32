"""Views of advice: the ranking and the outcomes of the best question; tables, HTML, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deduce.policy.advice import UNKNOWN, Advice, InquiryType, RatedInquiry, Unknown, known
from deduce.policy.plan import Plan
from deduce.show.table import Shade, Table, percent, tables_html
from deduce.system.display import register
from deduce.system.text import plural

__all__ = [
    "advice_json",
    "advice_notes",
    "advice_tables",
    "gain_shades",
    "gain_text",
    "outcome_table",
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
    shown = advice.ranking[:limit]
    rows = [
        [
            rated.text,
            gain_text(advice, rated),
            _number(rated.expected_worlds),
            _number(rated.worst_worlds),
            str(rated.done) if isinstance(rated.done, Unknown) else percent(rated.done),
        ]
        for rated in shown
    ]
    if not rows:
        return [Table((), (), notes=("no question can be asked now",))]
    unknown = "" if advice.entropy_bits is UNKNOWN else f"; {advice.bits_text} bits are unknown"
    head = ("question", "information", "worlds left", "at worst", "done")
    ranking = Table(
        head,
        rows,
        f"What to ask{unknown}",
        tuple(advice_notes(advice, limit, options=options)),
        shades=[[gain, *[Shade(0)] * 3] for gain in gain_shades(shown)],
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
    shades = [[Shade.of(each.probability), Shade(0), Shade(0)] for each in rated.outcomes[:limit]]
    return Table(head, rows, f"\nAnswers to {rated.text}:", notes, shades=shades)


def gain_shades(shown: Sequence[RatedInquiry]) -> list[Shade]:
    """Return the shades of the information that questions are expected to give."""
    most = max((rated.gain_bits for rated in shown), default=0) or 1
    # The best is not certain to win, so its shade is just below that of certainty.
    return [Shade(min(0.999, rated.gain_bits / most)) for rated in shown]


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


register(Advice, parts=advice_tables, html=lambda advice: tables_html(advice_tables(advice)))
register(Plan, text=lambda plan: "\n".join(plan.outline()))
