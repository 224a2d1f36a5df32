"""Which card to show: what each would tell the asker, given what he may know already.

My worlds, and what the asker may have seen in each, are those of `games.cluedo.opponents.minds`. In
each of his views the asker has a posterior of his own, before he sees a card of mine and after; the
measure is the entropy of the solution that is then left to him (docs/games/cluedo.md, section 12).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log2

from attrs import evolve, field, frozen

from deduce.constraints import is_
from deduce.display import Displayed
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.queries import Distribution
from deduce.text import join
from games.cluedo.events import Show, Suggestion
from games.cluedo.knowledge import game_of
from games.cluedo.opponents.estimate import Average, Estimate
from games.cluedo.opponents.insight import Insights
from games.cluedo.opponents.opponent import Opponent, View, viewer_of
from games.cluedo.opponents.views import check_samples, may_see, whole

__all__ = ["Choice", "Showing", "ShowingWork", "show_card"]

DRAWN = 50
"""How many worlds are drawn where nobody names a number: a joint distribution is taken for each of
my cards in each, and the cards are compared in the same views."""

TIE = 1e-9
"""Cards whose numbers are no further apart are equally good: what differs is rounding."""


@frozen
class Choice:
    """A card that I may show, and what the asker then knows, on average.

    Parameters
    ----------
    card
        The card.
    bits_left
        The entropy of the solution, as he then sees it.
    tells_bits
        How much less that is than before he sees any card of mine. It may be negative: he may
        become less sure of something that is wrong.
    solutions
        How many solutions are then possible to him.
    names
        The probability that he can then name the solution.
    known
        The probability that he knows already that the card is mine.
    shown_before
        The last event in which I showed him this card, from 1; ``None``: never.
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
    """The cards that I may show, the one that leaves the asker most open first.

    Parameters
    ----------
    knowledge
        What I know, with the suggestion but without my answer.
    suggestion
        The suggestion and the answers before mine.
    ranking
        The cards; those that tie stand in the order in which they were named.
    cases
        How many views of the asker were looked at.
    drawn
        Whether these are draws; else they are all.
    seed
        What repeats the draws.
    complete
        Whether everything was looked at that was to be.
    """

    knowledge: Knowledge = field(repr=False)
    suggestion: Suggestion
    ranking: tuple[Choice, ...]
    cases: int
    drawn: bool
    seed: int
    complete: bool

    def best(self) -> list[Choice]:
        """Return the cards that leave most bits, all that tie."""
        top = float(self.ranking[0].bits_left.value)
        return [choice for choice in self.ranking if top - float(choice.bits_left.value) <= TIE]


@frozen
class _After:
    """The averages of one card."""

    bits_left: Average
    tells_bits: Average
    solutions: Average
    names: Average
    known: Average

    def take(self, *, drawn: bool) -> None:
        for average in (self.bits_left, self.tells_bits, self.solutions, self.names, self.known):
            average.drawn = drawn


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
        me = viewer_of(knowledge)
        if me is None:
            raise BadInput("a bystander shows no card; who does? --as PLAYER, or 'me:' in the log")
        answered = tuple(show for show in suggestion.shows if show.by != me)
        suggestion = evolve(suggestion, shows=answered)
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
        self.asker = Opponent.of(self.knowledge, suggestion.by)
        surely = self.asker.sure()
        self._known = {card for card in self.cards if surely.is_certain(is_(card, self.me))}
        most = Insights(self.asker).surely().solutions
        bits = log2(most)
        self._after = {
            card: _After(
                Average(most=bits, yes=False),
                Average(least=-bits, most=bits, yes=False),
                Average(least=1.0, most=float(most), yes=False),
                Average(),
                Average(),
            )
            for card in self.cards
        }
        self._complete = False
        self._drawn = False
        self._done = 0

    def _fitting(self) -> list[str]:
        """Return the cards that I can show."""
        possible = self.knowledge.possible()
        named = [card for card in self.suggestion.cards if self.me in possible.get(card, ())]
        unsure = [card for card in named if len(possible[card]) > 1]
        if unsure:
            raise BadInput(
                f"the log does not say whether {self.me} has {join(unsure, 'or')}; "
                f"a line 'hand {self.me}: ...' would"
            )
        if not named:
            raise BadInput(f"{self.me} has none of these cards, and passes")
        return named

    def _solution(self, mind: Knowledge) -> Distribution:
        return mind.joint(*game_of(mind).questions())

    def steps(self) -> Iterator[tuple[int, int]]:
        """Look at one view of the asker after the other."""
        [views] = may_see(
            self.knowledge, [self.asker], samples=self.samples, seed=self.seed, usual=DRAWN
        )
        self._drawn = views.drawn
        for after in self._after.values():
            after.take(drawn=views.drawn)
        total = len(views.weighted)
        meter = self.knowledge.budget.meter()
        for place in range(total):
            meter.spend()
            self._look(*views.weighted[place])
            self._done += 1
            yield self._done, total
        self._complete = True

    def _look(self, view: View, weight: Fraction) -> None:
        before = self.asker.mind(view)
        bits_before = self._solution(before).entropy()
        looked = {}
        for card in self.cards:
            known = before.is_certain(is_(card, self.me))
            seen = Suggestion(self.suggestion.by, self.suggestion.cards, (), (Show(self.me, card),))
            solution = self._solution(self.asker.mind(view, seen))
            looked[card] = known, len(solution), solution.entropy()
        for card, (known, solutions, bits) in looked.items():
            after = self._after[card]
            after.bits_left.add(bits, weight)
            after.tells_bits.add(bits_before - bits, weight)
            after.solutions.add(Fraction(solutions), weight)
            after.names.add(Fraction(solutions == 1), weight)
            after.known.add(Fraction(known), weight)

    def result(self) -> Showing:
        """Return what is known so far."""
        choices = [
            Choice(
                card,
                after.bits_left.estimate(),
                after.tells_bits.estimate(),
                after.solutions.estimate(),
                after.names.estimate(),
                Estimate.of(Fraction(1)) if card in self._known else after.known.estimate(),
                self._shown_before(card),
            )
            for card, after in self._after.items()
        ]
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
    """Return the cards that I may show to a suggestion, the one that tells least first.

    Parameters
    ----------
    knowledge
        What I know; its viewer is me. The suggestion is not yet in the log.
    suggestion
        Who asks for what, with the answers before mine; mine, if it is there, does not count.
    samples
        Draw so many worlds; 0: exact, however long it takes; left out: draw 50 where there are
        more than 4000 worlds or 150 views.
    seed
        Repeats the draws.

    Raises
    ------
    BadInput
        The viewer is nobody, suggests himself, passes, has none of the cards; the log does not say
        which of them he has; or the suggestion cannot be made at this table.
    Contradiction
        No world fits.
    Undecided
        The budget does not reach.

    Notes
    -----
    The asker is taken to reason exactly, with the declared behaviour: who can show several cards
    shows each with the same probability, so also me. Only he sees the card; whoever else is at the
    table learns the same whichever I show. The cost is two to ten milliseconds for each view of
    his and each card.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... players: Ann 6, Ben 6, Cid 6
    ... me: Ann
    ... hand: plum rope hall study mustard dagger
    ... Ben: plum dagger study; Cid -; Ann shows plum
    ... ''')
    >>> asked = game.parse_event("Ben: plum rope hall; Cid -")
    >>> for choice in show_card(Knowledge(game, log), asked, samples=20).ranking:
    ...     print(choice.card, choice.shown_before, choice.known.value)
    Professor Plum 2 1
    Hall None 0
    Rope None 0
    """
    return whole(ShowingWork(knowledge, suggestion, samples=samples, seed=seed))
