"""Two turns ahead: what a question and the best question after its answer give together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.policy.advice import TIE, UNKNOWN, RatedInquiry, known
from deduce.policy.inquiries import Inquiry, event_of
from deduce.show.table import percent

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["TwoTurns", "different", "two_turns"]


@frozen
class TwoTurns:
    """A question, and what it and the best next question are expected to give.

    Parameters
    ----------
    rated
        The question by itself.
    both_bits
        The expected information of both together, in bits.
    after
        For each answer, in the order of ``rated.outcomes``, the best next question as text; empty
        where nothing is left to ask.
    """

    rated: RatedInquiry
    both_bits: float
    after: tuple[str, ...]

    def reason(self) -> str:
        """Return in words why this question is good."""
        likely = self.rated.outcomes[0]
        parts = [
            f"{self.rated.text} is expected to give {self.rated.gain_bits:.2f} bits, and "
            f"{self.both_bits:.2f} bits together with the best next question",
            f"the most likely answer, {likely.text} ({percent(likely.probability)})",
        ]
        if likely.bits_left is not UNKNOWN:
            parts[-1] += f", leaves {likely.bits_left:.2f} bits"
        if self.after[0]:
            parts[-1] += f"; then ask {self.after[0]}"
        done = known(self.rated.done)
        if done:
            parts.append(f"with {percent(done)} all is certain at once")
        return ". ".join(part[0].upper() + part[1:] for part in parts)


def different(ranking: Iterable[tuple[Inquiry, float]], count: int) -> Iterator[Inquiry]:
    """Yield the first questions with different gains; those that tie are alike for this purpose.

    >>> list(different([("a", 2.0), ("b", 2.0), ("c", 1.0)], 2))
    ['a', 'c']
    """
    last: float | None = None
    for inquiry, gain in ranking:
        if count and (last is None or abs(gain - last) > TIE):
            last, count = gain, count - 1
            yield inquiry


def two_turns(
    knowledge: Knowledge,
    inquiries: Iterable[Inquiry],
    *,
    weighted: bool = True,
    samples: int | None = None,
    seed: int = 0,
) -> list[TwoTurns]:
    """Return questions with what they and the best next question give, the best first.

    Parameters
    ----------
    knowledge
        What the player who asks knows.
    inquiries
        The questions; one or a few, since each answer to each of them is looked at.
    weighted, samples, seed
        As in `deduce.policy.advise.advise`.

    Raises
    ------
    Unsupported
        The game states no questions, or not what event a question with its answer is.

    Notes
    -----
    The next question may be any that the game then allows, and what others ask in between is left
    out. It costs one advice for each answer to each question.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> from games.mastermind import Mastermind
    >>> k = Knowledge(Mastermind(slots=2, colours=3))
    >>> best = two_turns(k, [rated.inquiry for rated in k.advise().ranking[:1]])[0]
    >>> round(best.rated.gain_bits, 3), round(best.both_bits, 3)
    (2.059, 3.17)
    """
    if knowledge.budget.seconds is not None:
        knowledge = knowledge.using(budget=knowledge.budget.begun())
    game = knowledge.game
    options: dict[str, Any] = {"weighted": weighted, "samples": samples, "seed": seed}
    result = []
    for rated in knowledge.advise(inquiries, **options).ranking:
        both, after = rated.gain_bits, []
        for outcome in rated.outcomes:
            best = None
            if known(outcome.solutions) != 1 and not outcome.ends:
                told = knowledge.tell(event_of(game, rated.inquiry, outcome.answer))
                ranking = told.advise(**options).ranking
                best = ranking[0] if ranking and ranking[0].gain_bits > TIE else None
            if best is not None:
                both += float(outcome.probability) * best.gain_bits
            after.append("" if best is None else best.text)
        result.append(TwoTurns(rated, both, tuple(after)))
    return sorted(result, key=lambda each: -each.both_bits)
