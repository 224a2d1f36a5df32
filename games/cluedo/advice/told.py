"""What a suggestion tells the others: what its public answer reveals to who sees only the table.

The others see who passes and who shows, not which card. The measure is by how many bits the
uncertainty of a bystander about the solution is expected to fall: the bystander has the posterior
of the public log, and the answers have the probabilities that the suggester gives them. It is below
0 where the answer that the suggester expects misleads the others. What they know from their own
hands is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, cast

from attrs import fields, frozen

from deduce.knowledge import Knowledge
from deduce.policy.advice import computed
from games.cluedo.game import Cluedo
from games.cluedo.inquiries import answer
from games.cluedo.knowledge import game_of

if TYPE_CHECKING:
    from fractions import Fraction

    from deduce.policy.advice import Advice, Outcome, RatedInquiry
    from games.cluedo.events import Suggestion

__all__ = ["Told", "told_by"]

BATCHES = 4
"""How often worlds are drawn for an estimate; its error is that of the mean of so many."""

MORE = 4
"""How many times the usual number of worlds is drawn: the answers have other probabilities here
than in the draws, and with few draws for an answer what it tells is estimated too high."""


@frozen
class Told:
    """What a suggestion tells the others.

    Parameters
    ----------
    bits
        By how much the uncertainty of a bystander is expected to fall.
    error
        The standard error of ``bits``; 0 if it is exact.
    """

    bits: float
    error: float


@frozen
class Overheard(Cluedo):
    """Cluedo as a bystander hears it: an answer is who shows, or that no player does."""

    def answer(  # type: ignore[override]
        self, inquiry: Suggestion, world: Mapping[str, str]
    ) -> str | None:
        """Return who shows a card; ``None``: no player does."""
        given = answer(self, inquiry, world)
        shown = next(iter(given)) if isinstance(given, dict) else given
        return None if shown is None else shown[0]

    def format_answer(  # type: ignore[override]
        self, inquiry: Suggestion, answer: str | None
    ) -> str:
        """Return who shows."""
        return "no player shows" if answer is None else f"{answer} shows"


def told_by(
    knowledge: Knowledge,
    suggestions: Mapping[Suggestion, Mapping[str | None, Fraction]],
    *,
    weighted: bool = True,
    samples: int | None = None,
    seed: int = 0,
) -> dict[Suggestion, Told]:
    """Return what each suggestion tells the others.

    Parameters
    ----------
    knowledge
        What the suggester knows; assumptions are not known to the others.
    suggestions
        For each suggestion the probability of each public answer, as the suggester expects it.
    weighted, samples, seed
        As in `games.cluedo.advice.suggest.advise`.

    Raises
    ------
    BadInput
        There are too few ``samples``.
    Undecided
        The budget is not enough.
    """
    public = _overheard(knowledge)
    first = public.advise(suggestions, weighted=weighted, samples=samples, seed=seed)
    batches = [first]
    if not first.is_exact:
        draws = samples or MORE * (first.worlds or 0)
        batches = [
            public.advise(suggestions, weighted=weighted, samples=draws, seed=seed + number)
            for number in range(BATCHES)
        ]
    figures: dict[Suggestion, list[float]] = {suggestion: [] for suggestion in suggestions}
    for batch in batches:
        for rated in batch.ranking:
            suggestion = cast("Suggestion", rated.inquiry)
            figures[suggestion].append(_fall(batch, rated, suggestions[suggestion]))
    return {suggestion: _mean(bits) for suggestion, bits in figures.items()}


def _overheard(knowledge: Knowledge) -> Knowledge:
    """Return what a bystander knows of a log, who hears who shows, but sees no card."""
    game = game_of(knowledge)
    heard = Overheard(**{each.name: getattr(game, each.name) for each in fields(type(game))})
    return Knowledge(
        heard,
        knowledge.log,
        viewer=None,
        engine=knowledge.engine,
        budget=knowledge.budget,
        doubts=knowledge.doubts,
    )


def _fall(public: Advice, rated: RatedInquiry, expected: Mapping[str | None, Fraction]) -> float:
    """Return by how many bits the uncertainty of a bystander is expected to fall."""
    now = computed(public.entropy_bits)
    left = {outcome.answer: _bits(public, outcome) for outcome in rated.outcomes}
    # An answer that was never drawn is so surprising that it may tell all.
    after = sum(float(share) * left.get(shown, 0.0) for shown, share in expected.items())
    fall = now - after
    return fall if abs(fall) > 1e-9 else 0.0


def _bits(public: Advice, outcome: Outcome) -> float:
    """Return the bits that an answer leaves a bystander, from draws with the correction of Miller.

    Source: Miller, *Note on the bias of information estimates* (1955), as in
    `games.cluedo.play.suggestion_values`.
    """
    bits = computed(outcome.bits_left)
    if public.worlds is None or public.is_exact:
        return bits
    draws = float(outcome.probability) * public.worlds
    return bits + (computed(outcome.solutions) - 1) / (2 * draws * log(2))


def _mean(bits: Sequence[float]) -> Told:
    return Told(fmean(bits), stdev(bits) / sqrt(len(bits)) if len(bits) > 1 else 0.0)
