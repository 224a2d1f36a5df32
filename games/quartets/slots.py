"""The slot form of a state: that of the first description, with a potential for each place.

Source: docs/games/quartets.md, section 3. From the normal start, and with the least potential
handed over, it agrees with the deal form; it cannot express "no player holds a complete group".

A state in slot form is valid if every place can get an identity of its own: a matching that covers
all places. Augmenting paths find it (Berge 1957; Kuhn 1955); where one fails, the places that it
reached are a minimal set that violates Hall's condition (Hall 1935): more places than identities.

The core answers the same questions about the problem that `games.quartets.evidence.slot_problem`
makes of the places, and the tests compare the two. The functions here stay because they are more
than 5 times faster (docs/benchmarks/quartets.md): `match` some 60 times over the recorded lists,
`count_matchings` over 100 times over the slot forms of recorded games with 52 cards, since it
merges alike identities; for some of these the core is undecided.

`collapse` is the check of the first description, a search that is kept to be measured against.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from operator import or_

from attrs import field, frozen

from deduce.budget import STANDARD, Budget, Meter
from deduce.errors import BadInput, Unsupported
from games.quartets.deal import Deal, DealForm, Layout, hand_cards, start_form
from games.quartets.events import Answer, Ask, Event
from games.quartets.setup import Setup

__all__ = [
    "HallSet",
    "Match",
    "SlotForm",
    "collapse",
    "count_matchings",
    "fewest_first",
    "hamming_bound",
    "inexpressible",
    "largest_matching",
    "match",
    "slot_form",
    "slots_after",
]


@frozen
class HallSet:
    """Places that have too few identities between them, none of which can be left out."""

    places: tuple[int, ...]
    """The numbers of the places, in order."""
    identities: int
    """All identities that these places may have, as a bitmask: fewer than there are places."""


@frozen
class Match:
    """The number of the identity of each place, or the reason why there is none."""

    identities: tuple[int, ...] | None
    hall: HallSet | None = None


def fewest_first(potentials: Sequence[int]) -> list[int]:
    """Return the places sorted from most to least specified."""
    return sorted(range(len(potentials)), key=lambda place: potentials[place].bit_count())


def match(potentials: Sequence[int]) -> Match:
    """Return an identity for every place, or a minimal Hall set.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.

    Notes
    -----
    Cost: at most places x edges, in practice a few int operations per place.

    Examples
    --------
    >>> match([0b011, 0b001, 0b110]).identities
    (1, 0, 2)
    >>> match([0b011, 0b111, 0b011, 0b011]).hall
    HallSet(places=(0, 2, 3), identities=3)
    """
    matching = _Matching(potentials)
    for place in fewest_first(potentials):
        reached = matching.serve(place)
        if reached is not None:
            union = reduce(or_, (potentials[other] for other in reached))
            return Match(None, HallSet(tuple(sorted(reached)), union))
    return Match(tuple(matching.holds[place].bit_length() - 1 for place in range(len(potentials))))


def largest_matching(potentials: Sequence[int]) -> int:
    """Return how many places can have an identity at once.

    >>> largest_matching([0b01, 0b01, 0b10])
    2
    """
    matching = _Matching(potentials)
    return sum(matching.serve(place) is None for place in fewest_first(potentials))


def hamming_bound(potentials: Sequence[int]) -> bool:
    """Return whether the union of the potentials is at least as large as their number.

    The quick check of the first description, one of Hall's conditions: passing it proves nothing.

    >>> hamming_bound([0b1, 0b1])
    False
    """
    return reduce(or_, potentials, 0).bit_count() >= len(potentials)


class _Matching:
    def __init__(self, potentials: Sequence[int]) -> None:
        self.potentials = potentials
        self.taken = 0
        self.owner: dict[int, int] = {}
        """Identity, as a single bit, -> place."""
        self.holds: dict[int, int] = {}
        """Place -> identity."""

    def serve(self, place: int) -> list[int] | None:
        """Give the place an identity, moving others; return the places reached if that fails."""
        holds, seen = self.holds, 0
        came: dict[int, int] = {}
        queue = [place]
        for here in queue:
            fresh = self.potentials[here] & ~seen
            free = fresh & ~self.taken
            if free:
                bit = free & -free
                self.taken |= bit
                while bit:  # its old identity goes to the place before, and so on
                    old = holds.get(here, 0)
                    self.owner[bit], holds[here] = here, bit
                    bit, here = old, came.get(old, here)
                return None
            seen |= fresh
            while fresh:
                bit = fresh & -fresh
                fresh ^= bit
                came[bit] = here
                queue.append(self.owner[bit])
        return queue


Kinds = tuple[tuple[int, int], ...]
"""The identities that are left, by kind: the later places that may have them, and how many."""


def count_matchings(potentials: Sequence[int], *, budget: Budget = STANDARD) -> int:
    """Return the number of matchings that cover every place.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.
    budget
        Each transition is a step.

    Raises
    ------
    Undecided
        The budget ran out: counting matchings is hard (Valiant 1979).

    Notes
    -----
    A sweep over the places, most specified first; its states are how many identities of each kind
    are left. Identities are of one kind while no later place distinguishes them.

    Examples
    --------
    >>> count_matchings([0b111, 0b111, 0b111])
    6
    >>> count_matchings([0b011, 0b110])
    3
    """
    meter = budget.meter()
    order = [potentials[place] for place in fewest_first(potentials)]
    identities = max((potential.bit_length() for potential in potentials), default=0)
    kinds: dict[int, int] = {}
    for identity in range(identities):
        wanted = sum(1 << i for i, potential in enumerate(order) if potential >> identity & 1)
        if wanted:
            kinds[wanted] = kinds.get(wanted, 0) + 1
    states: dict[Kinds, int] = {tuple(sorted(kinds.items())): 1}
    for i in range(len(order)):
        following: dict[Kinds, int] = {}
        for state, ways in states.items():
            meter.spend(len(state))
            for kind, left in state:
                if kind >> i & 1:
                    rest = _merged(state, kind, ~(1 << i))
                    following[rest] = following.get(rest, 0) + ways * left
        states = following
    return sum(states.values())


def _merged(state: Kinds, used: int, keep: int) -> Kinds:
    """Return the kinds after one identity of a kind is used and a place is done."""
    kinds: dict[int, int] = {}
    for kind, left in state:
        left -= kind == used
        kind &= keep
        if left and kind:
            kinds[kind] = kinds.get(kind, 0) + left
    return tuple(sorted(kinds.items()))


def collapse(
    potentials: Sequence[int],
    *,
    sort: bool = True,
    bound: bool = True,
    budget: Budget = STANDARD,
    meter: Meter | None = None,
) -> tuple[int, ...] | None:
    """Return the number of the identity of each place, or ``None`` if not all can have one.

    The check of the first description of the game: collapse the places one by one, depth first,
    and backtrack. Its two refinements are switches.

    Parameters
    ----------
    potentials
        For each place a bitmask of the identities that it may still have.
    sort
        Whether the places are sorted once, from most to least specified.
    bound
        Whether a branch is given up when the places that are left have fewer identities between
        them than there are places (`hamming_bound`).
    budget
        Each collapse of a place is a step.
    meter
        Use this meter, to read its steps afterwards.

    Raises
    ------
    Undecided
        The search is exponential; the budget ran out.

    Examples
    --------
    >>> collapse([0b011, 0b001, 0b110])
    (1, 0, 2)
    """
    meter = meter or budget.meter()
    order = fewest_first(potentials) if sort else list(range(len(potentials)))
    left = [potentials[place] for place in order]
    if bound and not hamming_bound(left):
        return None
    chosen: list[int] = []
    untried = [left[0]] if left else []
    used = 0
    while len(chosen) < len(left):
        depth = len(chosen)
        bit = untried[depth] & -untried[depth]
        if not bit:
            untried.pop()
            if not chosen:
                return None
            used ^= chosen.pop()
            continue
        untried[depth] ^= bit
        meter.spend()
        if depth + 1 == len(left):
            chosen.append(bit)
            break
        rest = [potential & ~(used | bit) for potential in left[depth + 1 :]]
        if not all(rest) or (bound and not hamming_bound(rest)):
            continue
        chosen.append(bit)
        used |= bit
        untried.append(rest[0])
    identities = [0] * len(left)
    for place, bit in zip(order, chosen, strict=True):
        identities[place] = bit.bit_length() - 1
    return tuple(identities)


Hands = tuple[tuple[int, ...], ...]


def _hands(hands: Iterable[Iterable[int]]) -> Hands:
    return tuple(tuple(hand) for hand in hands)


@frozen(slots=False)
class SlotForm:
    """The places of each hand, each with the identities (bit ``c``: card ``c``) it may still have.

    Parameters
    ----------
    table
        Players and groups.
    hands
        For each player the potentials of their places.

    Raises
    ------
    BadInput
        A potential with an identity that does not exist; more places than there are cards.

    Examples
    --------
    The choice of the place that is handed over is a real one when places differ:

    >>> from games.quartets.deal import layout
    >>> table = layout(3, (2, 2))  # a1, a2, b1, b2
    >>> form = SlotForm(table, ((0b0111, 0b1001), (0b0010,), (0b0100,)))
    >>> form.answered(0, 1, 0, yes=True).is_valid
    False
    """

    table: Layout
    hands: Hands = field(converter=_hands)
    clash: str = ""
    """What is impossible although no place shows it; empty if nothing."""

    def __attrs_post_init__(self) -> None:
        if len(self.hands) != self.table.players:
            raise BadInput(f"{len(self.hands)} hands for {self.table.players} players")
        cards = len(self.table.group_of)
        if len(self.potentials) > cards:
            raise BadInput(f"there are {len(self.potentials)} card places but only {cards} cards")
        for p, hand in enumerate(self.hands):
            for place, potential in enumerate(hand):
                if potential < 0 or potential & ~self.table.all:
                    raise BadInput(
                        f"place {place + 1} of hand {p + 1} may be an identity that does not "
                        f"exist: {potential} has bits outside 0 to {cards - 1}"
                    )

    @cached_property
    def potentials(self) -> tuple[int, ...]:
        """All places, hand after hand."""
        return tuple(potential for hand in self.hands for potential in hand)

    @cached_property
    def _match(self) -> Match:
        return match(self.potentials)

    @property
    def is_valid(self) -> bool:
        """Whether every place can get its own identity."""
        return not self.clash and self._match.identities is not None

    @property
    def witness(self) -> tuple[int, ...] | None:
        """An identity for every place, hand after hand; ``None`` when invalid."""
        return None if self.clash else self._match.identities

    def deal(self) -> Deal | None:
        """Return the cards of each hand in one deal that fits, or ``None``."""
        return None if self.witness is None else self.dealt(self.witness)

    def dealt(self, identities: Sequence[int]) -> Deal:
        """Return the cards of each hand, given the identities of all places."""
        left = iter(identities)
        return [[next(left) for _ in hand] for hand in self.hands]

    @property
    def hall(self) -> HallSet | None:
        """A minimal set of places with too few identities; ``None`` if there is no such set."""
        return self._match.hall

    def where(self, place: int) -> tuple[int, int]:
        """Return the player and the place in their hand of a place counted through all hands."""
        for p, hand in enumerate(self.hands):
            if place < len(hand):
                return p, place
            place -= len(hand)
        raise IndexError(place)

    # Statements

    def asked(self, by: int, card: int, *, ask_own: bool) -> SlotForm:
        """Return the state after a question: one fitting place is restricted to the group.

        Nothing changes if some place is already in the group; without ``ask_own`` the card is
        first removed from all of the asker's places.
        """
        group = self.table.masks[self.table.group_of[card]]
        hand = list(self.hands[by])
        if not ask_own:
            hand = [potential & ~(1 << card) for potential in hand]
        if not any(potential and potential & ~group == 0 for potential in hand):
            fitting = [place for place, potential in enumerate(hand) if potential & group]
            if not fitting:
                return self._clashing("no place of the asker can be of the group")
            place = min(fitting, key=lambda place: hand[place].bit_count())
            hand[place] &= group
        return self._with({by: hand})

    def answered(self, by: int, to: int, card: int, *, yes: bool) -> SlotForm:
        """Return the state after an answer.

        Yes: the fitting place with the fewest identities becomes the card and changes hands, and
        no other place may be the card. No: no place of the player is the card.
        """
        bit = 1 << card
        if not yes:
            return self._with({by: [potential & ~bit for potential in self.hands[by]]})
        hand = self.hands[by]
        fitting = [place for place, potential in enumerate(hand) if potential & bit]
        if not fitting:
            return self._clashing("no place of the player can be the card")
        place = min(fitting, key=lambda place: hand[place].bit_count())
        others = [[potential & ~bit for potential in hand] for hand in self.hands]
        del others[by][place]
        others[to].append(bit)
        return SlotForm(self.table, others)

    def declared(self, by: int, group: int) -> SlotForm:
        """Return the state after a quartet, made of the most specified places that fit."""
        mask = self.table.masks[group]
        hand = self.hands[by]
        chosen: list[int] = []
        for place in sorted(range(len(hand)), key=lambda place: hand[place].bit_count()):
            trial = [hand[other] & mask for other in (*chosen, place)]
            if hand[place] & mask and largest_matching(trial) == len(trial):
                chosen.append(place)
        if len(chosen) < self.table.sizes[group]:
            return self._clashing("no places of the player can be that quartet")
        rest = [
            [p & ~mask for place, p in enumerate(other) if q != by or place not in chosen]
            for q, other in enumerate(self.hands)
        ]
        return SlotForm(self.table, rest)

    def _clashing(self, clash: str) -> SlotForm:
        return SlotForm(self.table, self.hands, clash)

    def _with(self, changed: dict[int, list[int]]) -> SlotForm:
        return SlotForm(self.table, [changed.get(p, hand) for p, hand in enumerate(self.hands)])


def slots_after(game: Setup, log: Sequence[Event]) -> SlotForm:
    """Return the places after a log, by the updates of the first description alone.

    ``deal_quartet: no`` and ``silence: yes`` are ignored, since potentials cannot express them: a
    place for every card of every deal that obeys them remains, and perhaps others. The log has at
    most one losing statement, the last.

    Raises
    ------
    BadInput
        A name that does not exist, or an answer without a question.

    Examples
    --------
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> slots_after(game, [Ask("Ann", "Ben", "a1"), Answer("Ben", yes=False)]).hands
    ((3, 15), (14, 14))
    """
    form = slot_form(start_form(len(game.players), game.table.sizes, game.hands))
    question: Ask | None = None
    for event in log:
        if form.clash:
            break
        by = game.player(event.by)
        if isinstance(event, Ask):
            form = form.asked(by, game.card(event.card), ask_own=game.ask_own)
            question = event
        elif not isinstance(event, Answer):
            form = form.declared(by, game.group(event.group))
        elif question is None:
            raise BadInput(f"{event.by} answers, but no question was asked")
        else:
            asker, card = game.player(question.by), game.card(question.card)
            form = form.answered(by, asker, card, yes=event.yes)
    return form


def inexpressible(form: DealForm) -> list[tuple[int, int, int]]:
    """Return the bounds "at most" that potentials cannot express: player, group and number.

    A bound that the size of the hand or the exclusions imply is not listed.

    >>> inexpressible(start_form(2, (2, 2), (3, 1), deal_quartet=False))
    [(0, 0, 1), (0, 1, 1)]
    """
    return [
        (p, group, form.high[p][group])
        for p in range(form.table.players)
        for group, mask in enumerate(form.table.masks)
        if form.high[p][group] < min(form.places[p], (form.may[p] & mask).bit_count())
    ]


def slot_form(form: DealForm, *, relaxed: bool = False) -> SlotForm:
    """Return a state in deal form as a slot form.

    Parameters
    ----------
    form
        The state.
    relaxed
        Whether bounds that potentials cannot express are left out.

    Raises
    ------
    Unsupported
        The state has an "at most" that potentials cannot express, and ``relaxed`` is not given.

    Examples
    --------
    >>> slot_form(start_form(2, (2, 2), (2, 2))).hands
    ((15, 15), (15, 15))
    """
    bounds = [] if relaxed else inexpressible(form)
    if bounds:
        player, group, number = bounds[0]
        raise Unsupported(
            f"potentials cannot express that player {player + 1} holds at most {number} of the "
            f"cards of group {group + 1}"
        )
    table, clash, hands = form.table, form.clash, []
    for p in range(table.players):
        claimed = [
            form.may[p] & mask
            for group, mask in enumerate(table.masks)
            for _ in range(form.low[p][group])
        ]
        if len(claimed) > form.places[p]:
            clash = clash or f"player {p + 1} claims more cards than there are places"
            claimed = []
        free = [form.may[p]] * (form.places[p] - len(claimed))
        hands.append([*(1 << card for card in hand_cards(form.located[p])), *claimed, *free])
    return SlotForm(table, hands, clash)
