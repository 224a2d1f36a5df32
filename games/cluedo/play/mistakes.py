"""What players note wrongly: the card that they saw, a name, or whose answer it was.

At a table with slips an answer is wrong in the notes of a player with a stated probability. A
player who holds a named card may overlook it, which is what all players then see, and is left to
`games.cluedo.play.table`. What is left is noted wrongly by each of the others for themselves. The
kinds and their proportions are those that `games.cluedo.slips` declares.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from attrs import evolve, frozen

from games.cluedo import Cluedo, Show, Suggestion
from games.cluedo.events import Event
from games.cluedo.slips import RATES, near

__all__ = ["Keeper", "credited_to", "misnoted"]


@frozen
class Keeper:
    """A player who notes what happens, sometimes wrongly.

    Parameters
    ----------
    game
        The set-up.
    me
        The player, whose own answers are always noted rightly.
    rate
        The probability that an answer is wrong: a pass, because it is noted wrongly; a show in half
        of the cases, since in the other half the card was overlooked.
    random
        Decides what is noted wrongly.
    """

    game: Cluedo
    me: str
    rate: Fraction
    random: Random

    def noted(self, event: Event) -> Event:
        """Return what the player notes of an event: of one line, at most one answer wrongly."""
        if not isinstance(event, Suggestion):
            return event
        rates = dict.fromkeys(event.passes, self.rate)
        rates |= {show.by: self.rate / 2 for show in event.shows}
        for player, rate in rates.items():
            if player != self.me and self.random.random() < rate:
                kinds = self._kinds(event, player)
                kind = self.random.choices(list(kinds), list(map(float, kinds.values())))[0]
                others = self._others(event, player)
                return misnoted(self.game, event, kind, self.random, others)
        return event

    def _kinds(self, event: Suggestion, player: str) -> dict[str, Fraction]:
        """Return how this answer may be noted wrongly, with the declared rates."""
        kinds = {"name": RATES["name"] / len(event.cards)}
        show = next((show for show in event.shows if show.by == player), None)
        if show is not None and show.card is not None and len(event.cards) > 1:
            kinds["card"] = RATES["card"]
        if self._others(event, player):
            kinds["neighbour"] = RATES["neighbour"]
        return kinds

    def _others(self, event: Suggestion, player: str) -> list[str]:
        """Return who may be noted as the one who showed, if this player's answer is noted wrongly.

        A show goes to a player beside the one who showed; a pass is wrong if it goes to that one.
        """
        others = credited_to(self.game, event) if event.shows else []
        if player in event.passes:
            return [player] if player in others else []
        return [other for other in others if other != self.me]


def credited_to(game: Cluedo, event: Suggestion) -> list[str]:
    """Return the players who answer just before and after the one who showed."""
    order = list(game.after(event.by))
    seat = order.index(event.shows[0].by)
    return order[max(0, seat - 1) : seat] + order[seat + 1 : seat + 2]


def misnoted(
    game: Cluedo, event: Suggestion, kind: str, random: Random, others: Sequence[str] = ()
) -> Suggestion:
    """Return a line as it is noted with a slip.

    Parameters
    ----------
    game
        The set-up.
    event
        The line as it was seen. Something was shown, unless a name is written wrongly.
    kind
        ``card``: another one of the named cards is noted as the one that was shown; ``name``: a
        card that was named is written as another, a near one more probably; ``neighbour``: the
        show goes to another player.
    random
        Decides which.
    others
        Who may be noted as the one who showed.
    """
    if kind == "card":
        (shown,) = event.shows
        noted = random.choice([card for card in event.cards if card != shown.card])
        return evolve(event, shows=(Show(shown.by, noted),))
    if kind == "neighbour":
        other = random.choice(others)
        passes = tuple(player for player in event.passes if player != other)
        return evolve(event, passes=passes, shows=(Show(other, event.shows[0].card),))
    written = random.choice(event.cards)
    category = next(cards for cards in game.deck.values() if written in cards)
    shares = near(category, written)
    new = random.choices(list(shares), [float(share) for share in shares.values()])[0]
    cards = tuple(new if card == written else card for card in event.cards)
    shows = tuple(Show(s.by, new if s.card == written else s.card) for s in event.shows)
    return evolve(event, cards=cards, shows=shows)
