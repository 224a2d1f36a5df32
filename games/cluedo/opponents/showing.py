"""Which card to show: what each would reveal to the suggester, given what is already known there.

The viewer's deals, and what the suggester may have observed in each, are those of
`games.cluedo.opponents.minds`. With each observation the suggester has a posterior,
before and after seeing a card of the viewer; the measure is the entropy of the solution that
remains after it (docs/games/cluedo.md, section 12).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import log2

from attrs import evolve, field, frozen

from deduce.constraints import is_
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.show.jsonable import record_json
from deduce.show.table import Table
from deduce.system.display import Displayed, register
from deduce.system.text import join
from games.cluedo.events import Show, Suggestion
from games.cluedo.game import game_of
from games.cluedo.opponents.opponent import (
    Average,
    Certainties,
    Estimate,
    Observation,
    Opponent,
    Steps,
    check_samples,
    finished,
    method_notes,
    possible_observations,
)

__all__ = ["Choice", "Showing", "show_card", "showing_json", "showing_steps", "showing_table"]

DRAWN = 50
"""How many deals are drawn by default: for each, a joint distribution is computed for each card
that can be shown, and the cards are compared with the same observations."""

TIE = 1e-9
"""Cards whose numbers differ by less are equally good: the difference is rounding."""


@frozen
class Choice:
    """A card that may be shown, and what the suggester then knows, on average.

    Parameters
    ----------
    card
        The card.
    bits_left
        The entropy of the solution that then remains for the suggester.
    tells_bits
        How much less that is than before any card is shown. It may be negative: the suggester may
        become less sure of something false.
    solutions
        How many solutions then remain possible for the suggester.
    names
        The probability that the suggester can then name the solution.
    known
        The probability that the suggester already knows that the viewer has this card.
    shown_before
        The number of the last event in which this card was shown to the suggester, from 1;
        ``None``: never.
    """

    card: str
    bits_left: Estimate
    tells_bits: Estimate
    solutions: Estimate
    names: Estimate
    known: Estimate
    shown_before: int | None


@frozen
class Showing(Displayed):
    """The cards that may be shown, the one that gives the suggester the least information first.

    Parameters
    ----------
    knowledge
        What the viewer knows, with the suggestion but without the viewer's answer.
    suggestion
        The suggestion and the answers before the viewer's.
    ranking
        The cards; those that tie in the order in which they were named.
    cases
        How many observations of the suggester were examined.
    drawn
        Whether these are draws; otherwise they are all.
    seed
        The seed of the draws.
    complete
        Whether everything was examined.
    """

    knowledge: Knowledge = field(repr=False)
    suggestion: Suggestion
    ranking: tuple[Choice, ...]
    cases: int
    drawn: bool
    seed: int
    complete: bool

    def best(self) -> list[Choice]:
        """Return the cards that leave most uncertainty, all that tie."""
        top = float(self.ranking[0].bits_left.value)
        return [choice for choice in self.ranking if top - float(choice.bits_left.value) <= TIE]


def show_card(
    knowledge: Knowledge, suggestion: Suggestion, *, samples: int | None = None, seed: int = 0
) -> Showing:
    """Return the cards that may be shown to a suggestion, the least informative first.

    Parameters
    ----------
    knowledge
        What the viewer, who shows the card, knows. The suggestion is not yet in the log.
    suggestion
        The suggestion, with the answers before the viewer's; the viewer's own, if it is there, is
        ignored.
    samples
        Draw this number of deals; 0: exact, however long it takes; left out: draw 50 if there are
        more than 4000 deals or 150 observations.
    seed
        The same seed gives the same draws.

    Raises
    ------
    BadInput
        The viewer is not a player, is the suggester, passes, or has none of the cards; the log does
        not show which of them the viewer has; or the suggestion is not possible in this game.
    Contradiction
        No deal is possible.
    Undecided
        The budget runs out.

    Notes
    -----
    The suggester is taken to reason exactly, with the declared behaviour: a player who can show
    several cards shows each with the same probability, the viewer included. Only the suggester sees
    the card; the other players learn the same whichever is shown. The cost is two to ten
    milliseconds for each observation of the suggester and each card.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... players: Ann 6, Ben 6, Cid 6
    ... me: Ann
    ... hand: plum rope hall study mustard dagger
    ... Ben: plum dagger study; Cid -; Ann shows plum
    ... ''')
    >>> suggestion = game.parse_event("Ben: plum rope hall; Cid -")
    >>> for choice in show_card(Knowledge(game, log), suggestion, samples=20).ranking:
    ...     print(choice.card, choice.shown_before, choice.known.value)
    Professor Plum 2 1
    Hall None 0
    Rope None 0
    """
    return finished(showing_steps(knowledge, suggestion, samples=samples, seed=seed))


def _averages(most: int) -> Mapping[str, Average]:
    """Return averages without a case by the names of a `Choice`, for up to this many solutions."""
    bits = log2(most)
    return {
        "bits_left": Average(most=bits, yes_no=False),
        "tells_bits": Average(least=-bits, most=bits, yes_no=False),
        "solutions": Average(least=1.0, most=float(most), yes_no=False),
        "names": Average(),
        "known": Average(),
    }


def showing_steps(
    knowledge: Knowledge, suggestion: Suggestion, *, samples: int | None = None, seed: int = 0
) -> Steps[Showing]:
    """Examine one observation of the suggester after another; as for `show_card`."""
    check_samples(samples)
    me, suggestion = _answering(knowledge, suggestion)
    told = knowledge.tell(suggestion)
    if not told.is_consistent() and knowledge.is_consistent():
        raise BadInput("the answers to this suggestion contradict the log")
    shows = [Show(me, card) for card in _fitting(told, me, suggestion)]
    suggester = Opponent.of(told, suggestion.by)
    sure, most = suggester.sure(), Certainties(suggester).at_least().solutions
    known = {show for show in shows if sure.is_certain(is_(show.card, me))}
    growing = {show: _averages(most) for show in shows}

    def choice(show: Show) -> Choice:
        estimates = {name: average.estimate() for name, average in growing[show].items()}
        if show in known:
            estimates["known"] = Estimate.of(Fraction(1))
        before = _shown_before(knowledge, suggestion.by, show)
        return Choice(str(show.card), shown_before=before, **estimates)

    def showing(*, complete: bool = False) -> Showing:
        choices = sorted(
            map(choice, shows), key=lambda choice: -round(float(choice.bits_left.value) / TIE)
        )
        cases = growing[shows[0]]["names"]
        return Showing(told, suggestion, tuple(choices), cases.cases, cases.drawn, seed, complete)

    yield 0, 0, showing
    [observations] = possible_observations(
        told, [suggester], samples=samples, seed=seed, default=DRAWN
    )
    for average in (average for one in growing.values() for average in one.values()):
        average.drawn = observations.drawn
    meter = told.budget.meter()
    for done, (observation, weight) in enumerate(observations.weighted, start=1):
        meter.spend()
        examined = _examined(suggester, observation, suggestion, shows)
        for one, numbers in zip(growing.values(), examined, strict=True):
            for average, number in zip(one.values(), numbers, strict=True):
                average.add(number, weight)
        yield done, observations.count, showing
    yield observations.count, observations.count, partial(showing, complete=True)


def _answering(knowledge: Knowledge, suggestion: Suggestion) -> tuple[str, Suggestion]:
    """Return who shows a card, and the suggestion without their own answer."""
    game = game_of(knowledge)
    me = game.acting(knowledge.viewer, "show a card")
    before_mine = tuple(show for show in suggestion.shows if show.by != me)
    suggestion = evolve(suggestion, shows=before_mine)
    game.check(suggestion)
    if suggestion.by == me:
        raise BadInput(f"{me} suggests and cannot answer")
    if me in suggestion.passes:
        raise BadInput(f"{me} passes, and shows no card")
    return me, suggestion


def _fitting(knowledge: Knowledge, me: str, suggestion: Suggestion) -> list[str]:
    """Return the cards that the viewer can show."""
    possible = knowledge.possible()
    named = [card for card in suggestion.cards if me in possible.get(card, ())]
    unsure = [card for card in named if len(possible[card]) > 1]
    if unsure:
        raise BadInput(
            f"the log does not show whether {me} has {join(unsure, 'or')}; "
            f"add a line 'hand {me}: ...'"
        )
    if not named:
        raise BadInput(f"{me} has none of these cards, and passes")
    return named


def _shown_before(knowledge: Knowledge, to: str, shown: Show) -> int | None:
    """Return the number of the last event in which the card was shown to a player."""
    numbers = [
        number
        for number, event in enumerate(knowledge.log, start=1)
        if isinstance(event, Suggestion) and event.by == to and shown in event.shows
    ]
    return numbers[-1] if numbers else None


def _examined(
    suggester: Opponent, observation: Observation, suggestion: Suggestion, shows: Sequence[Show]
) -> Iterator[tuple[Fraction | float, ...]]:
    """Yield for each show the numbers of which a `Choice` has the averages."""
    questions = game_of(suggester.knowledge).questions()
    before = suggester.knowledge_with(observation)
    bits_before = before.joint(*questions).entropy()
    for show in shows:
        answered = Suggestion(suggestion.by, suggestion.cards, (), (show,))
        solution = suggester.knowledge_with(observation, answered).joint(*questions)
        bits, solutions = solution.entropy(), len(solution)
        known = before.is_certain(is_(show.card, show.by))
        yield (
            bits,
            bits_before - bits,
            Fraction(solutions),
            Fraction(solutions == 1),
            Fraction(known),
        )


# Views


def showing_table(showing: Showing) -> Table:
    """Return the cards that may be shown, with the reasons in words."""
    suggester = showing.suggestion.by
    rows = [
        [
            choice.card,
            f"{_bits(choice.bits_left)} bits",
            f"{_bits(choice.tells_bits)} bits",
            str(choice.solutions),
            choice.names.percent(),
            choice.known.percent(),
        ]
        for choice in showing.ranking
    ]
    heads = ("show", "leaves", "reveals", "solutions", "can name it", "known before")
    best = showing.best()
    notes = [f"best: {join([choice.card for choice in best], 'or')}{_why(showing, best)}"]
    notes += [note for choice in showing.ranking for note in _reasons(choice, suggester)]
    notes += method_notes(drawn=showing.drawn, cases=showing.cases, complete=showing.complete)
    title = f"What {suggester} would know after {', '.join(showing.suggestion.cards)}"
    return Table(heads, rows, title, tuple(notes))


def _bits(estimate: Estimate) -> str:
    value = f"{float(estimate.value):.3f}"
    if estimate.exact:
        return value
    return f"{value} ({estimate.low:.2f} to {estimate.high:.2f})"


def _why(showing: Showing, best: Sequence[Choice]) -> str:
    if len(showing.ranking) == 1:
        return "; no other card fits"
    if len(best) > 1:
        return "; they tie"
    return f"; it gives {showing.suggestion.by} the least information"


def _reasons(choice: Choice, suggester: str) -> Iterator[str]:
    if choice.shown_before is not None:
        yield f"{choice.card}: shown to {suggester} before, in event {choice.shown_before}"
    elif choice.known.value == 1 and choice.known.exact:
        yield f"{choice.card}: {suggester} already knows who has it"
    elif choice.known.value:
        yield f"{choice.card}: {suggester} may already know who has it"
    if choice.names.value:
        can = "can" if choice.names.value == 1 else "may be able to"
        yield f"{choice.card}: {suggester} {can} name the solution then, and win"


def showing_json(showing: Showing) -> dict[str, object]:
    """Return the fields of ``deduce/show-card/1``; docs/games/cluedo.md, section 12."""
    return {
        "to": showing.suggestion.by,
        "suggestion": list(showing.suggestion.cards),
        "method": "samples" if showing.drawn else "views",
        "cases": showing.cases,
        "complete": showing.complete,
        "best": len(showing.best()),
        "cards": [record_json(choice) for choice in showing.ranking],
    }


register(Showing, parts=lambda showing: [showing_table(showing)])
