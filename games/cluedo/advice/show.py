"""Views of advice: the ranking and the outcomes of the best suggestion; tables, HTML, JSON."""

from __future__ import annotations

from html import escape
from typing import Any

from deduce.display import register
from deduce.knowledge import Knowledge
from deduce.show.cells import CELL, number_html, row_html, side_by_side, table_html
from deduce.show.table import Table, percent
from deduce.text import plural
from games.cluedo.advice.suggest import Advice, RatedSuggestion
from games.cluedo.advice.told import Told
from games.cluedo.knowledge import game_of

__all__ = [
    "advice_html",
    "advice_json",
    "advice_notes",
    "advice_tables",
    "advice_text",
    "gain_text",
    "outcome_table",
    "told_sentence",
]

SHOWN = 10
"""How many suggestions a notebook shows."""


def advice_tables(knowledge: Knowledge, advice: Advice, limit: int) -> list[Table]:
    """Return the ranking, and what each answer to the best suggestion would leave open."""
    when = f"What {advice.by} may suggest after {plural(len(knowledge.log), 'event')}"
    notes = advice_notes(knowledge, advice, limit, options=True)
    ranking = _ranking(advice, limit, when, notes)
    if not advice.entropy_bits:
        return [ranking]
    return [ranking, outcome_table(advice, advice.ranking[0])]


def _ranking(advice: Advice, limit: int, title: str, notes: list[str]) -> Table:
    told = advice.penalty is not None
    return Table(
        ("suggestion", "information", "none shows", *(["tells others"] if told else [])),
        [
            [
                ", ".join(rated.cards),
                gain_text(advice, rated),
                percent(rated.none_shows),
                *([_told_text(rated.told)] if rated.told else []),
            ]
            for rated in advice.ranking[:limit]
        ],
        f"{title}; {advice.bits_text} bits of uncertainty",
        tuple(notes),
    )


def _told_text(told: Told) -> str:
    return f"{told.bits:.3f} bits" + (f" ± {told.error:.3f}" if told.error else "")


def told_sentence(advice: Advice) -> str:
    """Return in words what the best suggestion gives, and what it tells the others.

    Empty if this was not asked for.
    """
    if advice.penalty is None or not advice.ranking:
        return ""
    best = advice.ranking[0]
    assert best.told is not None
    bits, cards = best.told.bits, ", ".join(best.cards)
    gives = f"{cards} is expected to give {advice.by} {best.gain_bits:.2f} bits"
    about = "" if not best.told.error else f" (± {best.told.error:.2f})"
    if bits >= 0.005:
        return f"{gives}. It tells the others about {bits:.2f} bits{about}."
    if bits <= -0.005:
        return f"{gives}. It misleads the others by about {-bits:.2f} bits{about}."
    return f"{gives}. It tells the others almost nothing{about}."


def outcome_table(advice: Advice, rated: RatedSuggestion) -> Table:
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
            for outcome in rated.outcomes
        ],
        f"\nAnswers to {', '.join(rated.cards)}:",
    )


def advice_text(advice: Advice) -> str:
    """Return the ranking, and the outcomes of the best suggestion, as plain text."""
    ranking, outcomes = _shown(advice)
    return f"{ranking}\n{outcomes}" if outcomes else str(ranking)


def advice_html(advice: Advice) -> str:
    """Return the same as HTML, gains and probabilities shaded."""
    ranking, outcomes = _shown(advice)
    most = max((rated.gain_bits for rated in advice.ranking), default=0) or 1
    rows = []
    for (cards, gain, chance, *told), rated in zip(ranking.rows, advice.ranking, strict=False):
        # The best is not certain to win, so its shade is just below that of certainty.
        shaded = number_html(min(0.999, rated.gain_bits / most), gain, gain)
        none_shows = number_html(rated.none_shows, str(rated.none_shows), chance)
        plain = [f'<td style="{CELL}">{escape(cell)}</td>' for cell in told]
        rows.append(row_html(cards, [shaded, none_shows, *plain]))
    first = table_html(ranking.title, ranking.head, rows, ranking.notes)
    if outcomes is None:
        return first
    rows = []
    for (answer, share, *rest), outcome in zip(
        outcomes.rows, advice.ranking[0].outcomes, strict=True
    ):
        cells = [f'<td style="{CELL}">{escape(cell)}</td>' for cell in rest]
        shaded = number_html(outcome.probability, str(outcome.probability), share)
        rows.append(row_html(answer, [shaded, *cells]))
    return side_by_side(first, table_html(outcomes.title, outcomes.head, rows, outcomes.notes))


def _shown(advice: Advice) -> tuple[Table, Table | None]:
    """Return the ranking, and the outcomes of the best suggestion if anything is open."""
    notes = advice_notes(None, advice, SHOWN, options=False)
    ranking = _ranking(advice, SHOWN, f"What {advice.by} may suggest", notes)
    return ranking, outcome_table(advice, advice.ranking[0]) if advice.entropy_bits else None


def gain_text(advice: Advice, rated: RatedSuggestion) -> str:
    """Return the expected information of a suggestion, with the error of an estimate."""
    gain = f"{rated.gain_bits:.3f} bits"
    return gain if advice.is_exact else f"{gain} ± {rated.error:.3f}"


def advice_notes(
    knowledge: Knowledge | None, advice: Advice, limit: int, *, options: bool
) -> list[str]:
    """Return notes on the ranking; with ``options`` also which command-line options would help."""
    notes = []
    if advice.penalty:
        notes.append(
            f"ranked by information less {advice.penalty:g} times what the others are told"
        )
    if len(advice.ranking) > limit:
        more = "; --limit shows more" if options else ""
        notes.append(f"the best {limit} of {len(advice.ranking)} are shown{more}")
    ties = len(advice.best())
    if ties > 1:
        notes.append(f"{ties} tie for the best")
    if not advice.is_exact:
        notes.append(
            f"estimated from {plural(advice.worlds or 0, 'drawn deal')}, ± the standard error"
            + ("; --samples 0 is exact" if options else "")
        )
    if not advice.entropy_bits:
        notes.append("the solution is certain; there is nothing left to ask")
    if knowledge is None:
        return notes
    low, _ = game_of(knowledge).hand_sizes()[advice.by]
    left = knowledge.asker.narrowed()  # what is certain beyond this takes long with many players
    mine = sum(holders == {advice.by} for holders in left.values())
    if mine < low:
        notes.append(f"the hand of {advice.by} is not in the log, so it counts as unknown")
    return notes


def advice_json(advice: Advice, limit: int) -> dict[str, Any]:
    """Return the fields of ``deduce/advise/1``; docs/games/cluedo.md, section 10, explains them."""
    return {
        "by": advice.by,
        "entropy_bits": advice.entropy_bits,
        "entropy_error": advice.entropy_error,
        "method": advice.method,
        "exact": advice.is_exact,
        "worlds": advice.worlds,
        "allowed": len(advice.ranking),
        "best": len(advice.best()),
        **({} if advice.penalty is None else {"penalty": advice.penalty}),
        "suggestions": [
            {
                "cards": list(rated.cards),
                "gain_bits": rated.gain_bits,
                "error_bits": rated.error,
                **_told_json(rated),
                "nobody_shows": str(rated.none_shows),
                "outcomes": [
                    {
                        "by": outcome.by,
                        "card": outcome.card,
                        "probability": str(outcome.probability),
                        "bits_left": outcome.bits_left,
                        "solutions": outcome.solutions,
                    }
                    for outcome in rated.outcomes
                ],
            }
            for rated in advice.ranking[:limit]
        ],
    }


def _told_json(rated: RatedSuggestion) -> dict[str, float]:
    if rated.told is None:
        return {}
    return {"told_bits": rated.told.bits, "told_error_bits": rated.told.error}


register(Advice, text=advice_text, html=advice_html)
