"""Which suggestion gives most information: the advice of every game, and what Cluedo adds.

`Knowledge.advise` weighs every answer: who shows first, which card the suggester would see, or that
no player shows (docs/games/cluedo.md, section 10). Here rooms can be limited, answers are listed in
the order of the seats, and it is stated what a suggestion tells the others.

What it tells the others is what its public answer reveals to who sees only the table: who passes
and who shows, not which card. The measure is by how many bits the uncertainty of a bystander about
the solution is expected to fall: the bystander has the posterior of the public log, and the answers
have the probabilities that the suggester gives them. It is below 0 where the answer that the
suggester expects misleads the others. What they know from their own hands is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf, log, sqrt
from typing import Any, cast

from attrs import asdict, evolve, fields, frozen

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.policy.advice import Advice, Outcome, Ranking, RatedInquiry, computed
from deduce.policy.inquiries import Inquiry
from deduce.show.table import Shade, Table, percent, tables_html
from deduce.system.display import register
from deduce.system.text import listing, plural
from games.cluedo.events import Suggestion
from games.cluedo.game import Cluedo, Shown, game_of

__all__ = [
    "RatedSuggestion",
    "SuggestionAdvice",
    "Told",
    "advice_json",
    "advice_tables",
    "advise",
    "told_sentence",
]

SHOWN = 10
"""How many suggestions a notebook shows."""


BATCHES = 4
"""How often worlds are drawn to estimate what the others are told; its error is that of the mean of
so many."""

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
class RatedSuggestion(RatedInquiry):
    """A suggestion and what its answer is expected to give; answers are in the order of seats.

    Parameters
    ----------
    told
        What it tells the others; ``None``: not asked for.
    """

    told: Told | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """The named cards, one of each category."""
        return cast("Suggestion", self.inquiry).cards

    @property
    def none_shows(self) -> Fraction:
        """The probability that no player shows a card."""
        return next((o.probability for o in self.outcomes if o.answer is None), Fraction(0))


@frozen
class SuggestionAdvice(Advice[RatedSuggestion]):
    """The advice of a player who suggests.

    Parameters
    ----------
    penalty
        How much a bit that the others are told counts against one that the suggester learns;
        ``None``: it was not asked for, and the ranking is by information alone.
    """

    penalty: float | None = None


def advise(
    knowledge: Knowledge,
    *,
    rooms: Sequence[str] | None = None,
    weighted: bool = True,
    samples: int | None = None,
    seed: int = 0,
    estimate: bool = False,
    penalty: float | None = None,
) -> SuggestionAdvice:
    """Return every allowed suggestion of the viewer, ranked by expected information.

    Parameters
    ----------
    knowledge
        What the suggesting player knows.
    rooms
        The cards of the last category that may be named; left out: all.
    weighted, samples, seed, estimate
        As for `deduce.knowledge.Knowledge.advise`.
    penalty
        Rank by the information that a suggestion gives, less this number of times what it tells the
        others; 0 ranks by information alone, and states what it tells.

    Raises
    ------
    BadInput
        The viewer is not a player, a room is not a card of the last category, the penalty is not a
        number from 0 on, or there are fewer than 10 ``samples`` for each possible solution.
    Contradiction
        No deal is possible.
    Undecided
        The budget is not even enough for drawing deals.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> deck = {"who": ["Plum", "White"], "with": ["Rope", "Dagger"], "where": ["Hall", "Attic"]}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck, me="Ann")
    >>> advice = advise(Knowledge(game).tell("hand: plum"))
    >>> advice.entropy_bits, advice.ranking[0].cards, advice.ranking[0].gain_bits
    (2.0, ('Plum', 'Rope', 'Hall'), 1.5)
    """
    game = game_of(knowledge)
    by = game.acting(knowledge.viewer, "suggest")
    if penalty is not None and not (isinstance(penalty, int | float) and 0 <= penalty < inf):
        raise BadInput(f"the penalty is a number from 0 on, not {penalty!r}")
    category, last = list(game.deck.items())[-1]
    unknown = [room for room in rooms or () if room not in last]
    if unknown:
        raise BadInput(f"no {category} is called {unknown[0]!r}{listing(last, unknown[0])}")
    inquiries = [
        inquiry
        for inquiry in game.inquiries(knowledge.log, knowledge.viewer)
        if rooms is None or inquiry.cards[-1] in rooms
    ]
    options: dict[str, Any] = {"weighted": weighted, "samples": samples, "seed": seed}
    options["estimate"] = estimate
    advice = knowledge.advise(inquiries, **options)
    order = {player: seat for seat, player in enumerate((*game.after(by), None))}

    def in_seats(outcome: Outcome) -> tuple[int, int]:
        player, index = shown_in(outcome)
        return order[player], index

    def suggestion(rated: RatedInquiry) -> RatedSuggestion:
        outcomes = tuple(sorted(rated.outcomes, key=in_seats))
        return RatedSuggestion(rated.inquiry, rated.text, rated.gain_bits, rated.error, outcomes)

    ranking = advice.ranking.mapped(suggestion)
    if penalty is not None:
        ranking = _penalised(knowledge, ranking, penalty, **options)
    values = asdict(advice, recurse=False) | {"viewer": by, "ranking": ranking}
    return SuggestionAdvice(**values, penalty=penalty)


def shown_in(outcome: Outcome) -> tuple[str | None, int]:
    """Return who shows which of the named cards, by its index; ``None``: no player shows."""
    return cast("Shown", outcome.answer) or (None, 0)


# What the others are told


@frozen
class Overheard(Cluedo):
    """Cluedo as a bystander hears it: an answer is who shows, or that no player does."""

    def answer(  # type: ignore[override]
        self, inquiry: Suggestion, world: Mapping[str, str]
    ) -> str | None:
        """Return who shows a card; ``None``: no player does."""
        given = super().answer(inquiry, world)
        shown = next(iter(given)) if isinstance(given, dict) else given
        return None if shown is None else shown[0]

    def format_answer(  # type: ignore[override]
        self, inquiry: Suggestion, answer: str | None
    ) -> str:
        """Return who shows."""
        return "no player shows" if answer is None else f"{answer} shows"


def _penalised(
    knowledge: Knowledge, ranking: Ranking[RatedSuggestion], penalty: float, **options: Any
) -> Ranking[RatedSuggestion]:
    """Return the ranking by information less what the others are told."""
    rated = list(ranking)
    told = _told_by(knowledge, {suggestion.inquiry: suggestion for suggestion in rated}, **options)
    values = [(each.gain_bits - penalty * told[each.inquiry].bits, 0.0) for each in rated]
    return Ranking(values, lambda i: evolve(rated[i], told=told[rated[i].inquiry]))


def _told_by(
    knowledge: Knowledge,
    suggestions: Mapping[Inquiry, RatedSuggestion],
    *,
    samples: int | None,
    seed: int,
    **options: Any,
) -> dict[Inquiry, Told]:
    """Return what each suggestion tells the others, who do not know what is assumed."""
    game = game_of(knowledge)
    public = Knowledge(
        Overheard(**{each.name: getattr(game, each.name) for each in fields(type(game))}),
        knowledge.log,
        viewer=None,
        engine=knowledge.engine,
        budget=knowledge.budget,
        doubts=knowledge.doubts,
    )
    batches = [public.advise(suggestions, samples=samples, seed=seed, **options)]
    if not batches[0].is_exact:
        draws = samples or MORE * (batches[0].worlds or 0)
        batches = [
            public.advise(suggestions, samples=draws, seed=seed + number, **options)
            for number in range(BATCHES)
        ]
    falls: dict[Inquiry, list[float]] = {suggestion: [] for suggestion in suggestions}
    for batch in batches:
        for heard in batch.ranking:
            falls[heard.inquiry].append(_fall(batch, heard, suggestions[heard.inquiry]))
    return {suggestion: _mean(bits) for suggestion, bits in falls.items()}


def _fall(public: Advice, heard: RatedInquiry, expected: RatedSuggestion) -> float:
    """Return by how many bits the uncertainty of a bystander is expected to fall."""
    chances: dict[str | None, Fraction] = {}
    for outcome in expected.outcomes:
        player, _ = shown_in(outcome)
        chances[player] = chances.get(player, Fraction(0)) + outcome.probability
    left = {outcome.answer: _bits(public, outcome) for outcome in heard.outcomes}
    # An answer that was never drawn is so surprising that it may tell all.
    after = sum(float(share) * left.get(player, 0.0) for player, share in chances.items())
    fall = computed(public.entropy_bits) - after
    return fall if abs(fall) > 1e-9 else 0.0


def _bits(public: Advice, outcome: Outcome) -> float:
    """Return the bits that an answer leaves a bystander, from draws with the correction of Miller.

    Source: Miller, *Note on the bias of information estimates* (1955), as in
    `games.cluedo.players.information`.
    """
    bits = computed(outcome.bits_left)
    if public.worlds is None or public.is_exact:
        return bits
    draws = float(outcome.probability) * public.worlds
    return bits + (computed(outcome.solutions) - 1) / (2 * draws * log(2))


def _mean(bits: Sequence[float]) -> Told:
    from statistics import fmean, stdev  # not in the browser, where this is not asked for

    return Told(fmean(bits), stdev(bits) / sqrt(len(bits)) if len(bits) > 1 else 0.0)


# Views


def advice_tables(
    advice: SuggestionAdvice, limit: int = SHOWN, knowledge: Knowledge | None = None
) -> list[Table]:
    """Return the ranking, and what each answer to the best suggestion would leave open.

    Parameters
    ----------
    advice
        What is shown.
    limit
        How many suggestions are shown.
    knowledge
        What the suggester knows, for the command line, whose options are then named.
    """
    from deduce.policy.show import gain_shades, gain_text, outcome_table

    after = f" after {plural(len(knowledge.log), 'event')}" if knowledge else ""
    shown = advice.ranking[:limit]
    rows = [
        [
            ", ".join(rated.cards),
            gain_text(advice, rated),
            percent(advice.open_share(rated.none_shows)),
            *([_told_text(rated.told)] if rated.told else []),
        ]
        for rated in shown
    ]
    told = ["tells others"] if advice.penalty is not None else []
    ranking = Table(
        ("suggestion", "information", "none shows", *told),
        rows,
        f"What {advice.viewer} may suggest{after}; {advice.bits_text} bits of uncertainty",
        tuple(_advice_notes(advice, limit, knowledge)),
        shades=[
            [gain, Shade.of(rated.none_shows), *[Shade(0)] * len(told)]
            for gain, rated in zip(gain_shades(shown), shown, strict=True)
        ],
    )
    if not advice.entropy_bits:
        return [ranking]
    best = advice.ranking[0]
    return [ranking, outcome_table(advice, best, len(best.outcomes))]


def _told_text(told: Told) -> str:
    return f"{told.bits:.3f} bits" + (f" ± {told.error:.3f}" if told.error else "")


def _advice_notes(
    advice: SuggestionAdvice, limit: int, knowledge: Knowledge | None
) -> Iterator[str]:
    from deduce.policy.show import advice_notes

    if advice.penalty:
        yield f"ranked by information less {advice.penalty:g} times what the others are told"
    yield from advice_notes(advice, limit, options=knowledge is not None)
    if knowledge is not None:
        by = str(advice.viewer)
        low, _ = game_of(knowledge).hand_sizes()[by]
        left = knowledge.asker.narrowed()  # what is certain beyond this may take long
        if sum(holders == {by} for holders in left.values()) < low:
            yield f"the hand of {by} is not in the log, so it counts as unknown"


def told_sentence(advice: SuggestionAdvice) -> str:
    """Return in words what the best suggestion gives, and what it tells the others.

    Empty if this was not asked for.
    """
    best = advice.ranking[0] if advice.ranking else None
    if best is None or best.told is None:
        return ""
    bits, error = best.told.bits, best.told.error
    about = f" (± {error:.2f})" if error else ""
    what = f"tells the others about {bits:.2f} bits"
    if abs(bits) < 0.005:
        what = "tells the others almost nothing"
    elif bits < 0:
        what = f"misleads the others by about {-bits:.2f} bits"
    gives = f"{', '.join(best.cards)} is expected to give {advice.viewer} {best.gain_bits:.2f} bits"
    return f"{gives}. It {what}{about}."


def advice_json(advice: SuggestionAdvice, limit: int) -> dict[str, Any]:
    """Return the fields of ``deduce/advise/1``; docs/games/cluedo.md, section 10, explains them."""
    return {
        "by": advice.viewer,
        "entropy_bits": advice.entropy_bits,
        "entropy_error": advice.entropy_error,
        "method": advice.method,
        "exact": advice.is_exact,
        "worlds": advice.worlds,
        "allowed": len(advice.ranking),
        "best": advice.ranking.ties,
        **({} if advice.penalty is None else {"penalty": advice.penalty}),
        "suggestions": [_suggestion_json(advice, rated) for rated in advice.ranking[:limit]],
    }


def _suggestion_json(advice: SuggestionAdvice, rated: RatedSuggestion) -> dict[str, object]:
    told = rated.told
    outcomes = []
    for outcome in rated.outcomes:
        player, index = shown_in(outcome)
        outcomes.append(
            {
                "by": player,
                "card": None if player is None else rated.cards[index],
                **advice.probability_json(outcome.probability),
                "bits_left": outcome.bits_left,
                "solutions": outcome.solutions,
            }
        )
    return {
        "cards": list(rated.cards),
        "gain_bits": rated.gain_bits,
        "error_bits": rated.error,
        **({} if told is None else {"told_bits": told.bits, "told_error_bits": told.error}),
        "nobody_shows": str(rated.none_shows),
        "outcomes": outcomes,
    }


register(
    SuggestionAdvice,
    parts=advice_tables,
    html=lambda advice: tables_html(advice_tables(advice)),
)
