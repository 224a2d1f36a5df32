"""The sheet of the seed's players: what simple bookkeeping finds, and nothing more.

Source: the rules document, section 5 (docs/games/cluedo-players.md, section 3). The rules are

* a hand that is complete excludes every other card from its holder;
* of a shown but unseen card, when all but one of the named cards are excluded, the last is it;
* a card that no player has is guilty;
* if all cards of a category but one are placed, that one is guilty.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.cluedo.events import ENVELOPE, Accusation, Event, Hand, Suggestion
from games.cluedo.game import Cluedo

__all__ = ["Sheet"]


class Sheet:
    """What one player has written down, by the simple rules alone.

    Examples
    --------
    >>> from games.cluedo.events import Show
    >>> game = Cluedo(("Ann", "Ben", "Cid"), hands=(6, 6, 6))
    >>> sheet = Sheet(game)
    >>> rope = ("Professor Plum", "Rope", "Hall")
    >>> for by, passes in (("Ben", ("Ann",)), ("Ann", ("Cid",))):
    ...     sheet.tell(Suggestion(by, rope, passes))
    >>> sheet.tell(Suggestion("Cid", rope, (), (Show("Ben", "Rope"),)))
    >>> sheet.placed, sheet.no("Hall")
    ({'Rope': 'Ben'}, 2)
    """

    def __init__(self, game: Cluedo) -> None:
        self.placed: dict[str, str] = {}
        """Card -> the player who has it, or the envelope: what is known for certain."""
        self._players = game.players
        self._kinds = tuple(game.deck.values())
        self._sizes = {name: low for name, (low, high) in game.hand_sizes().items() if low == high}
        self._no: dict[str, set[str]] = {card: set() for card in game.cards}
        self._one_of: list[tuple[str, frozenset[str]]] = []

    def tell(self, event: Event) -> None:
        """Write down an event, and what follows from it."""
        match event:
            case Hand(player, cards):
                for card in cards:
                    self._place(card, player)
            case Suggestion(_, cards, passes, shows):
                for player in passes:
                    for card in cards:
                        self._no[card].add(player)
                for show in shows:
                    if show.card is not None:
                        self._place(show.card, show.by)
                    else:
                        self._one_of.append((show.by, frozenset(cards)))
            case Accusation(_, cards, True):
                for card in cards:
                    self._place(card, ENVELOPE)
        self._conclude()

    def no(self, card: str) -> int:
        """Return how many players are known not to have the card."""
        return len(self._no[card])

    def is_placed(self, card: str) -> bool:
        """Return whether it is known where the card is."""
        return card in self.placed

    def solution(self) -> Sequence[str] | None:
        """Return the guilty cards if all are certain."""
        guilty = tuple(
            card for kind in self._kinds for card in kind if self.placed.get(card) == ENVELOPE
        )
        return guilty if len(guilty) == len(self._kinds) else None

    def chance(self) -> float:
        """Return the seed's score: the probability of a solution if all unplaced cards are alike.

        >>> round(1 / Sheet(Cluedo(("Ann", "Ben"))).chance())
        324
        """
        chance = 1.0
        for kind in self._kinds:
            if not any(self.placed.get(card) == ENVELOPE for card in kind):
                chance /= max(1, sum(card not in self.placed for card in kind))
        return chance

    def _place(self, card: str, holder: str) -> None:
        self.placed[card] = holder
        self._no[card].update(player for player in self._players if player != holder)

    def _conclude(self) -> None:
        """Use the rules until none of them says anything new."""
        before = -1
        while before != (before := len(self.placed) + sum(map(len, self._no.values()))):
            self._full_hands()
            self._last_of_the_named()
            self._guilty()

    def _full_hands(self) -> None:
        for player, size in self._sizes.items():
            if sum(holder == player for holder in self.placed.values()) == size:
                for card, holders in self._no.items():
                    if self.placed.get(card) != player:
                        holders.add(player)

    def _last_of_the_named(self) -> None:
        open_ = []
        for player, cards in self._one_of:
            left = [card for card in cards if player not in self._no[card]]
            if len(left) == 1:
                self._place(left[0], player)
            elif not any(self.placed.get(card) == player for card in left):
                open_.append((player, cards))
        self._one_of = open_

    def _guilty(self) -> None:
        for kind in self._kinds:
            for card in kind:
                if card not in self.placed and len(self._no[card]) == len(self._players):
                    self._place(card, ENVELOPE)
            left = [card for card in kind if card not in self.placed]
            known = any(self.placed.get(card) == ENVELOPE for card in kind)
            if len(left) == 1 and not known:
                self._place(left[0], ENVELOPE)
