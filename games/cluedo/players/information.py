"""What one player of a tournament can know: the posterior over deals, and habits of suggesting.

In a game whose hand sizes are known every event that a player sees concerns one hand only: a player
who passed has none of the named cards, a player who showed has one of them, and a shown card counts
``1/k`` where the hand has ``k`` of the named ones. So `deduce.reasoning.hands.Hands` gives the same
posterior as `Knowledge`, fast enough for tournaments; a test compares the two.

`HabitBelief` also learns from how the other players suggest. The logic of this package infers
nothing from a player's choice of a suggestion, and neither does this class: a habit makes hands
more or less probable, and excludes none. Which habit an opponent has is unknown too; it is learnt
together with the hands, by Bayes' rule, from how the named cards fit what is known of the hand.

`ForgivingBelief` allows for wrong answers: a pass makes hands with a named card improbable, and
excludes none (docs/slips.md).

`Information` is the player that suggests what is expected to give most information about the
solution, by this posterior; `Forgiving` is the same player, who allows for wrong answers. What a
suggestion gives is the figure of `games.cluedo.advice`, the expected information in bits, computed
on arrays of deals, fast enough for tournaments. It is exact where all deals are listed. Where they
are drawn, few draws in many cells make it too high; the correction of Miller, *Note on the bias of
information estimates* (1955), the number of cells over twice the number of draws, removes most of
that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import log, log2
from typing import TYPE_CHECKING, Any, TypeAlias

from deduce.errors import Contradiction, Unsupported
from deduce.reasoning.hands import MAX_CARDS, Deals, Hands
from games.cluedo.events import Accusation, Event, Suggestion, incomplete
from games.cluedo.game import Cluedo
from games.cluedo.players.referee import Seat
from games.cluedo.setup import ENVELOPE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "HABITS",
    "Belief",
    "Forgiving",
    "ForgivingBelief",
    "HabitBelief",
    "Information",
    "Outcomes",
    "candidates",
]


class Belief(Hands):
    """The posterior of one player, updated event by event.

    The holders are the opponents in the order in which they answer this player, and the rests are
    the solutions.

    Parameters
    ----------
    game
        A set-up with known hand sizes.
    me
        Whose knowledge.
    hand
        The cards of this player.

    Raises
    ------
    Unsupported
        Hand sizes are not known, there are undealt cards, or more than 18 cards are not in the
        hand.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), deck={"who": ("Plum", "White", "Green"), "with": ("Rope",
    ...     "Dagger")}, hands=(1, 2))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> belief.tell(Suggestion("Ann", ("White", "Rope"), ("Ben",)))
    >>> belief.best(), belief.placed()
    ((('White', 'Rope'), 1.0), {'White': 'envelope', 'Green': 'Ben', 'Rope': 'envelope', \
'Dagger': 'Ben'})
    """

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        sizes = game.hand_sizes()
        seat = game.players.index(me)
        self.me = me
        opponents = game.players[seat + 1 :] + game.players[:seat]
        cards = [card for card in game.dealt if card not in hand]
        if game.undealt or any(low != high for low, high in sizes.values()):
            raise Unsupported("this player needs hands of known sizes and no undealt cards")
        if len(cards) > MAX_CARDS:
            raise Unsupported(f"this player keeps track of up to {MAX_CARDS} cards, not more")
        candidates = [[c for c in category if c in cards] for category in game.deck.values()]
        super().__init__(cards, {name: sizes[name][0] for name in opponents}, product(*candidates))

    def tell(self, event: Event) -> None:
        """Take an event into account, as this player sees it."""
        match event:
            case Suggestion(_, cards, passes, shows):
                for name in passes:
                    if name != self.me:
                        self._passed(name, self.of(name) & self.bits(cards) == 0)
                for show in shows:
                    if show.by == self.me:
                        continue
                    if show.card is None:
                        self._showed(show.by, self.of(show.by) & self.bits(cards) != 0)
                    else:
                        self._seen(show.by, show.card, cards)
            case Accusation(_, cards, correct):
                self._accused(tuple(cards), correct=correct)

    def _passed(self, name: str, fits: object) -> None:
        """Take a pass into account; ``fits``: for each hand whether it has no named card."""
        self.keep(name, fits)

    def _showed(self, name: str, fits: Any) -> None:
        """Take a show into account; ``fits``: for each hand whether it has a named card."""
        self.keep(name, fits)

    def _seen(self, name: str, card: str, named: Sequence[str]) -> None:
        import numpy as np

        self.keep(name, self.of(name) & self.bits([card]) != 0)
        fitting = np.bitwise_count(self.of(name) & self.bits(named))
        if (fitting > 1).any():
            self.weigh(name, 1 / fitting)

    def _accused(self, cards: tuple[str, ...], *, correct: bool) -> None:
        import numpy as np

        self.keep_rests(np.array([(solution == cards) == correct for solution in self._rests]))

    def placed(self) -> dict[str, str]:
        """Return every card of another holder that is certain, with the holder."""
        return {card: holder or ENVELOPE for card, holder in self.certain().items()}

    def entropy(self) -> float:
        """Return the entropy of the solution in bits."""
        chances: list[float] = self.posterior().tolist()
        return sum(-chance * log2(chance) for chance in chances if chance > 0)


HABITS: Mapping[str, Sequence[Sequence[float]]] = {
    "any cards": ((),),
    "others' cards": ((0.97, 0.01, 0.01, 0.01),),
    "own cards early": (
        (0.02, 0.35, 0.61, 0.02),
        (0.05, 0.73, 0.20, 0.02),
        (0.17, 0.70, 0.11, 0.02),
        (0.42, 0.47, 0.09, 0.02),
        (0.50, 0.40, 0.08, 0.02),
    ),
}
"""For a player's first suggestion, second, and so on (the last for all that follow): the
probabilities of naming none, one, two or three of the player's own cards. Empty: as by chance.
The third habit is that of players who suggest what gives most information, counted in 155 games.
With more or fewer than three categories it is an approximation."""
RARELY = 0.01
"""The probability of naming more own cards than a habit has figures for."""


class HabitBelief(Belief):
    """A belief in which each opponent has one of `HABITS`, all equally probable at first."""

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        super().__init__(game, me, hand)
        self._game = game
        self._categories = [(len(cards), self.bits(cards)) for cards in game.deck.values()]
        self._suggested: dict[str, tuple[Suggestion, ...]] = {}

    def tell(self, event: Event) -> None:
        """Take an event into account, as this player sees it."""
        super().tell(event)
        if not isinstance(event, Suggestion) or event.by == self.me:
            return
        if not incomplete(self._game, event.cards):
            hands = self.of(event.by)
            before = self._likelihood(event.by, hands).sum(0)
            suggested = (*self._suggested.get(event.by, ()), event)
            self._suggested = self._suggested | {event.by: suggested}
            self.weigh(event.by, self._likelihood(event.by, hands).sum(0) / before)

    def habits(self, name: str, hands: Ints) -> dict[str, float]:
        """Return the probability of each habit of an opponent, averaged over these hands."""
        likelihood = self._likelihood(name, hands)
        means = (likelihood / likelihood.sum(0)).mean(1)
        return dict(zip(HABITS, means.tolist(), strict=True))

    def _likelihood(self, name: str, hands: Ints) -> Floats:
        """Return the likelihood of all suggestions of a player, for each habit (row) and hand.

        It is relative to a player who names cards by chance, times the prior of the habit.
        """
        import numpy as np

        by_chance = self._by_chance(hands)
        which = np.arange(len(hands))
        likelihood = np.full((len(HABITS), len(hands)), 1 / len(HABITS))
        for row, habit in zip(likelihood, HABITS.values(), strict=True):
            for turn, suggestion in enumerate(self._suggested.get(name, ())):
                chances = habit[min(turn, len(habit) - 1)]
                if chances:
                    own = np.bitwise_count(hands & self.bits(suggestion.cards))
                    row *= self._of_each_count(chances)[own] / by_chance[own, which]
        return likelihood

    def _of_each_count(self, chances: Sequence[float]) -> Floats:
        """Return the probabilities of naming 0, 1, ... own cards, for this number of categories."""
        import numpy as np

        counts = len(self._categories) + 1
        return np.array([*chances, *[RARELY] * (counts - len(chances))][:counts])

    def _by_chance(self, hands: Ints) -> Floats:
        """Return the probability of naming 0, 1, ... own cards (row) by chance, for each hand."""
        import numpy as np

        chances = np.zeros((len(self._categories) + 1, len(hands)))
        chances[0] = 1
        for size, bits in self._categories:
            share = np.bitwise_count(hands & bits) / size
            chances[1:] = chances[1:] * (1 - share) + chances[:-1] * share
            chances[0] *= 1 - share
        return chances


class ForgivingBelief(HabitBelief):
    """A belief that allows for wrong answers.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), deck={"who": ("Plum", "White", "Green"), "with": ("Rope",
    ...     "Dagger")}, hands=(1, 2))
    >>> belief = ForgivingBelief(game, "Ann", ["Plum"])
    >>> belief.tell(Suggestion("Ann", ("White", "Rope"), ("Ben",)))
    >>> solution, chance = belief.best()
    >>> solution, f"{chance:.3f}", belief.placed()
    (('White', 'Rope'), '0.971', {})
    """

    overlooked = 0.01
    """How often a player who holds a named card passes, or a pass is noted for a show."""
    misheard = 0.005
    """How often a show is noted of a player who holds none of the named cards."""
    misread = 0.003
    """How often a card that a player does not hold is noted as the one that they showed."""

    negligible = 1e-5
    """Hands are left out that are worth less than this share of the best of the same player: that
    takes three slips, and saves most of the time."""

    _wrong: Collection[str] | None = None
    """Whose answers are wrong; ``None``: any may be."""

    def suppose(self, event: Event, wrong: Collection[str]) -> None:
        """Take an event into account, of which exactly the answers of some players are wrong."""
        self._wrong = wrong
        self.tell(event)
        self._wrong = None

    def _passed(self, name: str, fits: Any) -> None:
        self._answered(name, fits * 1.0, ~fits * self.overlooked)

    def _showed(self, name: str, fits: Any) -> None:
        self._answered(name, fits * 1.0, ~fits * self.misheard)

    def _seen(self, name: str, card: str, named: Sequence[str]) -> None:
        import numpy as np

        hands = self.of(name)
        has = hands & self.bits([card]) != 0
        fitting = np.bitwise_count(hands & self.bits(named))
        self._answered(name, has / np.maximum(fitting, 1), ~has * self.misread)

    def _answered(self, name: str, right: Floats, wrong: Floats) -> None:
        """Weigh the hands of a player by what an answer is worth if it is right, and if not."""
        factors = right + wrong
        if self._wrong is not None:
            factors = wrong if name in self._wrong else right
        weights = self.weights_of(name) * factors
        kept = weights > self.negligible * weights.max(initial=0.0)
        self.keep(name, kept)
        self.weigh(name, factors[kept])


class Outcomes:
    """What a player would know after each possible answer to a suggestion, in some deals.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> deck = {"who": ("Plum", "White"), "with": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck=deck, hands=(1, 1, 1))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> outcomes = Outcomes(belief, belief.deals(100, 10, 0))
    >>> outcomes.gain_bits(("Plum", "Rope", "Hall"))
    1.5
    >>> for answer in outcomes.answers(("Plum", "Rope", "Hall")):
    ...     print(answer)  # Ben shows Rope, or Hall; Cid does; no player shows
    (0.25, 0.5, 1.0)
    (0.25, 0.5, 1.0)
    (0.125, 1.0, 0.0)
    (0.125, 1.0, 0.0)
    (0.25, 1.0, 0.0)
    """

    def __init__(self, belief: Belief, deals: Deals) -> None:
        import numpy as np

        self.belief = belief
        self.deals = deals
        used, self.solutions = np.unique(deals.rests, return_inverse=True)
        self.width = len(used)
        self.players = len(belief.holders)
        # Where no player shows a card, the number of the player is one past the last.
        self.no_player = np.full(len(deals.rests), self.players, np.int32)
        self.holder_of: dict[int, Any] = {}
        for bit in belief.bit.values():
            who = self.no_player.copy()
            for index, hands in enumerate(deals.hands):
                who[hands & bit != 0] = index
            self.holder_of[bit] = who
        prior = np.asarray(np.bincount(self.solutions, deals.weights, self.width), np.float64)
        self.prior = _entropy(prior)

    def gain_bits(self, cards: Sequence[str]) -> float:
        """Return the information about the solution that the answer is expected to give."""
        import numpy as np

        table = self._table(cards)
        answers = table.sum(1)
        gain = self.prior - (_entropy(table) - _entropy(answers))
        if not self.deals.exact:
            more = np.count_nonzero(table) - np.count_nonzero(answers) - self.width + 1
            gain -= more / (2 * len(self.solutions) * log(2))
        return max(0.0, round(gain, 9))

    def answers(self, cards: Sequence[str]) -> list[tuple[float, float, float]]:
        """Return for each answer its probability, and what then is known of the solution.

        That is the probability of the best one, and the entropy in bits.
        """
        answers = []
        for row in self._table(cards):
            chance = float(row.sum())
            if chance > 0:
                answers.append((chance, float(row.max()) / chance, _entropy(row / chance) + 0.0))
        return answers

    def _table(self, cards: Sequence[str]) -> Floats:
        """Return the probability of each answer (row) with each solution (column)."""
        import numpy as np

        bits = [self.belief.bit.get(card, 0) for card in cards]
        holders = [self.holder_of.get(bit, self.no_player) for bit in bits]
        first = holders[0]
        for who in holders[1:]:
            first = np.minimum(first, who)
        shown = first < self.players
        fits = [(who == first) & shown for who in holders]
        count = len(cards)
        weights = self.deals.weights / np.maximum(1, sum(fit.astype(np.int32) for fit in fits))
        rows = self.players * count + 1
        flat = np.zeros(rows * self.width)
        base = first * count * self.width + self.solutions
        for index, fit in enumerate(fits):
            cells = base[fit] + index * self.width
            flat += np.bincount(cells, weights[fit], rows * self.width)
        no_card = self.players * count * self.width + self.solutions[~shown]
        flat += np.bincount(no_card, weights[~shown], rows * self.width)
        table: Floats = flat.reshape(rows, self.width)
        return table


def _entropy(table: Floats) -> float:
    """Return the entropy of a distribution in bits."""
    import numpy as np

    positive = table[table > 0]
    return float(-(positive * np.log2(positive)).sum())


MAX_LISTED = 8_000
"""Up to this number of deals, what a suggestion gives is exact."""
DRAWS = 4_000
"""If there are more deals, this number is drawn by the posterior, and the figures are estimates."""


class Information:
    """Suggests what gives most bits, shows what it showed before, accuses from `sure` on."""

    sure = Fraction(2, 3)
    """How probable a solution must be for an accusation: twice as probable as all the others."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.belief = self.new_belief()
        self.told: list[Event] = []
        """The events that are believed."""
        limit = DRAWS if seat.deals is None else min(DRAWS, seat.deals)
        self.limits = (limit * MAX_LISTED // DRAWS, limit)
        """How many deals it lists at most, and how many it draws otherwise."""
        self.shown: Counter[str] = Counter()
        self.shown_to: set[tuple[str, str]] = set()

    def new_belief(self) -> HabitBelief:
        """Return what this player believes before the first event."""
        return HabitBelief(self.seat.game, self.seat.me, self.seat.hand)

    def see(self, event: Event) -> None:
        """Update the belief, and remember which cards each player was shown."""
        self.told.append(event)
        try:
            self.belief.tell(event)
        except Contradiction:
            self._begin_again()
        if isinstance(event, Suggestion):
            for show in event.shows:
                if show.by == self.seat.me and show.card is not None:
                    self.shown[show.card] += 1
                    self.shown_to.add((event.by, show.card))

    def settle(self) -> None:
        """Disregard events that contradict earlier ones: where players err, that happens."""
        try:
            _ = self.belief.layers
        except Contradiction:
            self._begin_again()

    def _begin_again(self) -> None:
        told, self.told = self.told, []
        self.belief = self.new_belief()
        for event in told:
            after = self.belief.copy()
            with suppress(Contradiction):
                after.tell(event)
                _ = after.layers
                self.belief = after
                self.told.append(event)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return the suggestion with the greatest gain; of several, any."""
        self.settle()
        seed = self.seat.random.getrandbits(32)
        belief = self.to_ask()
        outcomes = Outcomes(belief, belief.deals(*self.limits, seed))
        gains = {cards: outcomes.gain_bits(cards) for cards in candidates(self.seat, rooms)}
        most = max(gains.values())
        return self.seat.random.choice([c for c, gain in gains.items() if gain >= most - 1e-9])

    def to_ask(self) -> HabitBelief:
        """Return the belief by which suggestions are chosen."""
        return self.belief

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card that the suggester has seen before, else one that was shown most often."""
        again = [card for card in cards if (suggestion.by, card) in self.shown_to] or cards
        most = max(self.shown[card] for card in again)
        return self.seat.random.choice([card for card in again if self.shown[card] == most])

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution when it is probable enough."""
        self.settle()
        solution, chance = self.belief.best()
        return solution if chance >= self.sure else None

    def certain(self) -> Mapping[str, str]:
        """Return every card whose holder is certain."""
        return dict.fromkeys(self.seat.hand, self.seat.me) | self.belief.placed()


class Forgiving(Information):
    """The information player at a table where answers may be wrong.

    It accuses by a belief that allows for wrong answers. It asks by what follows from the most
    probable set of wrong answers, which is much more definite, as long as that is more probable
    than all others and leaves something to ask: what was asked for again to make sure costs a turn.
    """

    belief: ForgivingBelief

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.wrong: set[tuple[int, str]] = set()
        """The answers that are probably wrong: the index of the event, and the player."""
        self.supposed: ForgivingBelief | None = self.new_belief()
        """What follows if exactly these are wrong; ``None``: no deal does."""

    def new_belief(self) -> ForgivingBelief:
        """Return what this player believes before the first event."""
        return ForgivingBelief(self.seat.game, self.seat.me, self.seat.hand)

    def see(self, event: Event) -> None:
        """Update both beliefs."""
        super().see(event)
        if self.supposed is not None:
            try:
                self.supposed.suppose(event, ())
            except Contradiction:
                self.supposed = None

    def to_ask(self) -> HabitBelief:
        """Return what probably holds, if that leaves something to ask; else the whole belief.

        The whole belief excludes nothing, which takes many times longer. While no answer is
        probably wrong, it is not needed to know that none is.
        """
        supposed = self._probable()
        if supposed is None or supposed.best()[1] >= self.sure:
            return self.belief
        if self.wrong and 2 * supposed.total() < self.belief.total():
            return self.belief
        return supposed

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution when it is probable enough, whatever is wrong."""
        supposed = self._probable()
        if supposed is not None and not self.wrong and supposed.best()[1] < self.sure:
            return None
        return super().accuse()

    def _probable(self) -> ForgivingBelief | None:
        if not self._is_possible(self.supposed):
            self._suppose_another()
        return self.supposed

    @staticmethod
    def _is_possible(belief: ForgivingBelief | None) -> bool:
        try:
            return belief is not None and belief.total() > 0
        except Contradiction:
            return False

    def _suppose_another(self) -> None:
        """Find the answer without which, wrong as it then is, the others are most probable."""
        answers = [
            (index, player)
            for index, event in enumerate(self.told)
            if isinstance(event, Suggestion)
            for player in (*event.passes, *(show.by for show in event.shows))
            if player != self.seat.me and (index, player) not in self.wrong
        ]
        most, found = 0.0, None
        self.supposed = None
        for answer in answers:
            with suppress(Contradiction):
                belief = self._supposing({*self.wrong, answer})
                if belief.total() > most:
                    most, found, self.supposed = belief.total(), answer, belief
        if found is not None:
            self.wrong.add(found)

    def _supposing(self, wrong: Collection[tuple[int, str]]) -> ForgivingBelief:
        """Return what follows if exactly these answers are wrong."""
        belief = self.new_belief()
        for index, event in enumerate(self.told):
            belief.suppose(event, {player for number, player in wrong if number == index})
        return belief


def candidates(seat: Seat, rooms: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the suggestions; of the own cards of a category only one, since all are equivalent."""
    *others, _ = seat.game.deck.values()
    choices = []
    for category in (*others, rooms):
        own = [card for card in category if card in seat.hand]
        unknown = [card for card in category if card not in seat.hand]
        choices.append([*unknown, *([seat.random.choice(own)] if own else [])])
    return product(*choices)
