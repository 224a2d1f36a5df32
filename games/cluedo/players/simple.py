"""The simple players: a sheet kept by simple rules, or all that follows, but no plan.

Source: the rules document, section 5 (docs/games/cluedo-players.md, section 3). They suggest at
random, or cards that are not placed yet, or those with the most "no"; they show at random, or the
card shown most often before (the words of that text), or least often (its code); they accuse only
when they are certain. `console_player` is the current version of that text. `Reasoner` suggests and
shows at random too, but knows everything that follows from what it saw: beside the others it
measures what reasoning alone is worth.

`simple_rules` is what the console game reports before a player accuses: each category is reduced by
the simple rules, and the solutions that are left count the same. The envelope is always among them,
so one over their number is the average of their exact probabilities: right for a solution picked at
random, too low for the best one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import prod

from deduce.errors import BadInput, Undecided
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.show.table import Table, percent
from deduce.system.text import check_known, plural
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import Cluedo, game_of, viewer_of
from games.cluedo.players.referee import Maker, Seat
from games.cluedo.setup import ENVELOPE

__all__ = [
    "WAYS_TO_SHOW",
    "Reasoner",
    "Sheet",
    "SheetPlayer",
    "console_player",
    "guilty_table",
    "simple_rules",
    "suggests_any",
    "suggests_most_no",
    "suggests_not_placed",
    "with_way_to_show",
]


WAYS_TO_SHOW = ("random", "most-shown", "least-shown")
"""How ``random``, ``not-placed`` and ``most-no`` may show a card: their name, ``+`` and the way."""


class Sheet:
    """What a player has noted on its sheet, by simple rules alone.

    * A hand that is complete excludes every other card from its holder.
    * If a player showed a card that was not seen, and all but one of the named cards are excluded,
      the player has the last one.
    * A card that no player has is in the envelope, unless there are undealt cards.
    * If all cards of a category but one are placed, that one is in the envelope.

    Cards that lie face up are left out of all of this.

    Examples
    --------
    >>> from games.cluedo import Show
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
        """Card -> the player who has it, or the envelope: what is certain."""
        self._players = game.players
        self._categories = game.groups()
        self._face_up = game.face_up
        self._all_in_hands = not game.undealt
        self._sizes = {name: low for name, (low, high) in game.hand_sizes().items() if low == high}
        self._no: dict[str, set[str]] = {card: set() for card in game.cards}
        self._one_of: list[tuple[str, frozenset[str]]] = []

    def tell(self, event: Event) -> None:
        """Note an event and what follows from it."""
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
            case Has(holder, card):
                self._place(card, holder)
            case HasNot(holder, card):
                self._no[card].update({holder}.intersection(self._players))
            case OneOf(holder, cards) if holder in self._players:
                self._one_of.append((holder, frozenset(cards)))
        self._conclude()

    def no(self, card: str) -> int:
        """Return how many players are known not to have the card."""
        return len(self._no[card])

    def is_placed(self, card: str) -> bool:
        """Return whether it is known where the card is; it may lie face up."""
        return card in self.placed or card in self._face_up

    def candidates(self) -> dict[str, tuple[str, ...]]:
        """Return for each category the cards that may be in the envelope by these rules."""
        return {
            category: tuple(card for card in cards if self.placed.get(card) == ENVELOPE)
            or tuple(card for card in cards if card not in self.placed)
            for category, cards in self._categories.items()
        }

    def solution(self) -> Sequence[str] | None:
        """Return the solution if all its cards are certain."""
        solution = tuple(
            card
            for cards in self._categories.values()
            for card in cards
            if self.placed.get(card) == ENVELOPE
        )
        return solution if len(solution) == len(self._categories) else None

    def count(self) -> int:
        """Return how many solutions these rules leave.

        >>> Sheet(Cluedo(("Ann", "Ben"))).count()
        324
        """
        return prod(map(len, self.candidates().values()))

    @property
    def score(self) -> Fraction:
        """The probability of each solution, if all are equally probable."""
        return Fraction(1, max(1, self.count()))

    def _place(self, card: str, holder: str) -> None:
        self.placed[card] = holder
        self._no[card].update(player for player in self._players if player != holder)

    def _conclude(self) -> None:
        """Apply the rules until none of them adds anything."""
        before = -1
        while before != (before := len(self.placed) + sum(map(len, self._no.values()))):
            self._complete_hands()
            self._last_of_the_named()
            self._in_envelope()

    def _complete_hands(self) -> None:
        for player, size in self._sizes.items():
            if sum(holder == player for holder in self.placed.values()) == size:
                for card, excluded in self._no.items():
                    if self.placed.get(card) != player:
                        excluded.add(player)

    def _last_of_the_named(self) -> None:
        open_ = []
        for player, cards in self._one_of:
            left = [card for card in cards if player not in self._no[card]]
            if len(left) == 1:
                self._place(left[0], player)
            elif not any(self.placed.get(card) == player for card in left):
                open_.append((player, cards))
        self._one_of = open_

    def _in_envelope(self) -> None:
        for category in self._categories.values():
            for card in category:
                excluded = len(self._no[card]) == len(self._players)
                if self._all_in_hands and excluded and card not in self.placed:
                    self._place(card, ENVELOPE)
            left = [card for card in category if card not in self.placed]
            known = any(self.placed.get(card) == ENVELOPE for card in category)
            if len(left) == 1 and not known:
                self._place(left[0], ENVELOPE)


Choose = Callable[["SheetPlayer", Sequence[str]], str]
"""Chooses one of several cards of a category for a suggestion."""


class SheetPlayer:
    """A player with a `Sheet`, a way to suggest and a way to show."""

    def __init__(self, seat: Seat, choose: Choose, way: str = "random") -> None:
        self.seat = seat
        self.choose = choose
        self.way = way
        self.sheet = Sheet(seat.game)
        self.shown: Counter[str] = Counter()

    def see(self, event: Event) -> None:
        """Note the event on the sheet."""
        self.sheet.tell(event)
        if isinstance(event, Suggestion):
            self.shown.update(s.card for s in event.shows if s.by == self.seat.me and s.card)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return a card of each category, chosen in the player's way."""
        *others, _ = self.seat.game.deck.values()
        return [self.choose(self, cards) for cards in (*others, rooms)]

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card chosen in the player's way; of equal ones, any."""
        if self.way == "random":
            return self.seat.random.choice(cards)
        times = (max if self.way == "most-shown" else min)(self.shown[card] for card in cards)
        return self.seat.random.choice([card for card in cards if self.shown[card] == times])

    def accuse(self) -> Sequence[str] | None:
        """Return the solution when the sheet has it."""
        return self.sheet.solution()

    def certain(self) -> Mapping[str, str]:
        """Return the cards that the sheet has placed."""
        return self.sheet.placed


def _any(player: SheetPlayer, cards: Sequence[str]) -> str:
    return player.seat.random.choice(cards)


def _not_placed(player: SheetPlayer, cards: Sequence[str]) -> str:
    left = [card for card in cards if not player.sheet.is_placed(card)]
    return player.seat.random.choice(left or cards)


def _most_no(player: SheetPlayer, cards: Sequence[str]) -> str:
    left = [card for card in cards if not player.sheet.is_placed(card)] or cards
    most = max(player.sheet.no(card) for card in left)
    return player.seat.random.choice([card for card in left if player.sheet.no(card) == most])


suggests_any = partial(SheetPlayer, choose=_any)
"""Makes a player that suggests any cards."""
suggests_not_placed = partial(SheetPlayer, choose=_not_placed)
"""Makes a player that suggests cards the sheet has not placed, where there are any."""
suggests_most_no = partial(SheetPlayer, choose=_most_no)
"""Makes a player that suggests, of the cards not placed, those most players do not have."""
console_player = partial(SheetPlayer, choose=_most_no, way="most-shown")
"""Makes the current player of the console game: ``most-no+most-shown``."""


def with_way_to_show(name: str, maker: Maker, way: str) -> Maker:
    """Return the maker of the same player with another way to show.

    Raises
    ------
    BadInput
        There is no such way, or the player has its own.
    """
    if maker not in (suggests_any, suggests_not_placed, suggests_most_no):
        raise BadInput(f"the player {name!r} has its own way to show; leave out '+{way}'")
    check_known("way to show", way, WAYS_TO_SHOW)
    return partial(maker, way=way)


class Reasoner(SheetPlayer):
    """Suggests at random, shows at random, and accuses as soon as the solution follows."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, _any)
        self.knowledge = Knowledge(seat.game)

    def see(self, event: Event) -> None:
        """Add the event to the knowledge."""
        self.knowledge = self.knowledge.tell(event)

    def accuse(self) -> Sequence[str] | None:
        """Return the solution when it is certain."""
        solution = [card for card, holder in self.certain().items() if holder == ENVELOPE]
        return solution if len(solution) == len(self.seat.game.deck) else None

    def certain(self) -> Mapping[str, str]:
        """Return every card whose holder follows; of a set-up too large for that, none."""
        try:
            certain = self.knowledge.certain()
        except Undecided:
            return {}
        return {str(card): str(holder) for card, holder in certain.items()}


def simple_rules(knowledge: Knowledge) -> Sheet:
    """Return the sheet that simple rules give the viewer of the knowledge.

    Examples
    --------
    >>> from games.cluedo import Cluedo, Hand
    >>> game = Cluedo(("Ann", "Ben", "Cid"), me="Ann")
    >>> hand = ("Professor Plum", "Mrs White", "Rope", "Dagger", "Spanner", "Revolver")
    >>> sheet = simple_rules(Knowledge(game, [Hand("Ann", hand)]))
    >>> sheet.count(), sheet.score
    (72, Fraction(1, 72))
    """
    game = game_of(knowledge)
    sheet = Sheet(game)
    viewer = viewer_of(knowledge)
    everything = knowledge.viewer is RECORD and game.me is None
    log = knowledge.log if everything else seen_log(game, knowledge.log, viewer)
    for event in log:
        sheet.tell(event)
    return sheet


def guilty_table(knowledge: Knowledge, sheet: Sheet) -> Table:
    """Return what the simple rules leave, with their score and the exact probability."""
    exact = knowledge.joint(*game_of(knowledge).questions())
    best, chance = next(iter(exact.items()))
    rows = [(category, ", ".join(cards)) for category, cards in sheet.candidates().items()]
    each = "it is certain" if sheet.count() == 1 else f"{percent(sheet.score)} each"
    notes = (
        f"simple rules: {plural(sheet.count(), 'solution')}, {each}",
        f"exact: {plural(len(exact), 'solution')}; the most probable is "
        f"{', '.join(map(str, best))}, {percent(chance)}",
    )
    title = f"What simple rules leave after {plural(len(knowledge.log), 'event')}"
    return Table(("category", "may be guilty"), rows, title, notes)
