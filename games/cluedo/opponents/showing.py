"""Which card to show: what each would reveal to the suggester, given what is already known there.

The viewer's deals, and what the suggester may have observed in each, are those of
`games.cluedo.opponents.minds`. With each observation the suggester has a posterior,
before and after seeing a card of the viewer; the measure is the entropy of the solution that
remains after it (docs/games/cluedo.md, section 12).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log2

from attrs import evolve, field, frozen

from deduce.constraints import is_
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.reasoning.queries import Distribution
from deduce.system.display import Displayed
from deduce.system.text import join
from games.cluedo.events import Show, Suggestion
from games.cluedo.game import game_of
from games.cluedo.opponents.opponent import (
    Average,
    Certainties,
    Estimate,
    Observation,
    Opponent,
    check_samples,
    possible_observations,
    run_to_end,
)

__all__ = ["Choice", "Showing", "ShowingWork", "show_card"]

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


class ShowingWork:
    """The work of `show_card`, step by step."""

    def __init__(
        self,
        knowledge: Knowledge,
        suggestion: Suggestion,
        *,
        samples: int | None = None,
        seed: int = 0,
    ) -> None:
        check_samples(samples)
        game = game_of(knowledge)
        me = game.acting(knowledge.viewer, "show a card")
        before_mine = tuple(show for show in suggestion.shows if show.by != me)
        suggestion = evolve(suggestion, shows=before_mine)
        game.check(suggestion)
        if suggestion.by == me:
            raise BadInput(f"{me} suggests and cannot answer")
        if me in suggestion.passes:
            raise BadInput(f"{me} passes, and shows no card")
        self.me, self.suggestion = me, suggestion
        self.samples, self.seed = samples, seed
        self.knowledge = knowledge.tell(suggestion)
        if not self.knowledge.is_consistent() and knowledge.is_consistent():
            raise BadInput("the answers to this suggestion contradict the log")
        self.cards = self._fitting()
        self.suggester = Opponent.of(self.knowledge, suggestion.by)
        sure = self.suggester.sure()
        self._known = {card for card in self.cards if sure.is_certain(is_(card, self.me))}
        most = Certainties(self.suggester).at_least().solutions
        bits = log2(most)
        self._after = {
            card: {
                "bits_left": Average(most=bits, yes_no=False),
                "tells_bits": Average(least=-bits, most=bits, yes_no=False),
                "solutions": Average(least=1.0, most=float(most), yes_no=False),
                "names": Average(),
                "known": Average(),
            }
            for card in self.cards
        }
        self._complete = False
        self._drawn = False
        self._done = 0

    def _fitting(self) -> list[str]:
        """Return the cards that the viewer can show."""
        possible = self.knowledge.possible()
        named = [card for card in self.suggestion.cards if self.me in possible.get(card, ())]
        unsure = [card for card in named if len(possible[card]) > 1]
        if unsure:
            raise BadInput(
                f"the log does not show whether {self.me} has {join(unsure, 'or')}; "
                f"add a line 'hand {self.me}: ...'"
            )
        if not named:
            raise BadInput(f"{self.me} has none of these cards, and passes")
        return named

    def _solution(self, knowledge: Knowledge) -> Distribution:
        return knowledge.joint(*game_of(knowledge).questions())

    def steps(self) -> Iterator[tuple[int, int]]:
        """Examine one observation of the suggester after another."""
        [observations] = possible_observations(
            self.knowledge, [self.suggester], samples=self.samples, seed=self.seed, default=DRAWN
        )
        self._drawn = observations.drawn
        for averages in self._after.values():
            for average in averages.values():
                average.drawn = observations.drawn
        meter = self.knowledge.budget.meter()
        for observation, weight in observations.weighted:
            meter.spend()
            self._examine(observation, weight)
            self._done += 1
            yield self._done, observations.count
        self._complete = True

    def _examine(self, observation: Observation, weight: Fraction) -> None:
        before = self.suggester.knowledge_with(observation)
        bits_before = self._solution(before).entropy()
        outcomes = {}
        for card in self.cards:
            known = before.is_certain(is_(card, self.me))
            seen = Suggestion(self.suggestion.by, self.suggestion.cards, (), (Show(self.me, card),))
            solution = self._solution(self.suggester.knowledge_with(observation, seen))
            outcomes[card] = known, len(solution), solution.entropy()
        for card, (known, solutions, bits) in outcomes.items():
            numbers: dict[str, Fraction | float] = {
                "bits_left": bits,
                "tells_bits": bits_before - bits,
                "solutions": Fraction(solutions),
                "names": Fraction(solutions == 1),
                "known": Fraction(known),
            }
            for name, number in numbers.items():
                self._after[card][name].add(number, weight)

    def result(self) -> Showing:
        """Return what is known so far."""
        choices = []
        for card, averages in self._after.items():
            estimates = {name: average.estimate() for name, average in averages.items()}
            if card in self._known:
                estimates["known"] = Estimate.of(Fraction(1))
            choices.append(Choice(card, shown_before=self._shown_before(card), **estimates))
        choices.sort(key=lambda choice: -round(float(choice.bits_left.value) / TIE))
        return Showing(
            self.knowledge,
            self.suggestion,
            tuple(choices),
            self._done,
            self._drawn,
            self.seed,
            self._complete,
        )

    def _shown_before(self, card: str) -> int | None:
        shown = Show(self.me, card)
        return next(
            (
                number
                for number, event in reversed(list(enumerate(self.knowledge.log, start=1)))
                if isinstance(event, Suggestion)
                and event.by == self.suggestion.by
                and shown in event.shows
            ),
            None,
        )


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
    return run_to_end(ShowingWork(knowledge, suggestion, samples=samples, seed=seed))
