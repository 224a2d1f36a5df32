"""The rules of Propreantepenultimate Card: matches, options, steps 1 and 2, dealing, drawing.

Numbers in brackets are paragraphs of the specification; ``docs/games/propre.md`` lists all of
them, and the reading of each unclear one. The specification has two sections 4, which are
distinguished by their titles: the *matches* (which card may follow which) are the functions here,
the *options* are methods of `Rules`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from attrs import frozen

from deduce.errors import BadProblem
from games.propre.setup import (
    DECK,
    RANK,
    SUIT,
    SWAP,
    Card,
    Option,
    Saying,
    Setup,
    State,
    chosen,
    is_numeric,
    printed,
    sideways,
)

__all__ = [
    "ONE_OFF",
    "Rules",
    "is_free",
    "is_third_six",
    "is_type_1",
    "run_length",
    "type_2",
    "type_2_ranks",
]


ONE_OFF = "4.2.2"
"""The only reason for a type 2 match that keeps the type 1 requirement (5.3.4)."""


def run_length(pile: Sequence[Card]) -> int:
    """Return how many cards on top of the pile have the same rank (4.2.6.2-4).

    >>> run_length(["3C", "8S", "8H"])
    2
    """
    rank, length = RANK[pile[-1]], 0
    for card in reversed(pile):
        if RANK[card] != rank:
            break
        length += 1
    return length


def is_third_six(card: Card, pile: Sequence[Card]) -> bool:
    """Return whether the card is a 6 on two 6s (4.1.1)."""
    return RANK[card] == 6 and [RANK[below] for below in pile[-2:]] == [6, 6]


def is_type_1(card: Card, pile: Sequence[Card], *, require_match: bool) -> bool:
    """Return whether the card is a type 1 match (4.1).

    Examples
    --------
    >>> is_type_1("7D", ["2C", "7S"], require_match=True)
    True
    >>> is_type_1("QH", ["KS"], require_match=True), is_type_1("QD", ["KS"], require_match=True)
    (True, False)
    """
    if is_third_six(card, pile):  # 4.1.1
        return False
    if not require_match:  # 4.1.2.1
        return True
    top = pile[-1]
    return (
        SUIT[card] == SUIT[top]  # 4.1.2.2
        or RANK[card] == RANK[top]
        or (card == "QH" and RANK[top] == 13)  # 4.1.2.3-4
        or (card == "KH" and RANK[top] == 12)  # 4.1.2.5-6
    )


def type_2(
    card: Card, pile: Sequence[Card], *, bridging: bool, literal_run: bool = False
) -> tuple[str, ...]:
    """Return the paragraphs by which the card is a type 2 match (4.2); empty if it is not one.

    Parameters
    ----------
    card
        A card of a hand.
    pile
        The pile, its top last.
    bridging
        The specification's B.
    literal_run
        Whether 4.2.6 counts a single card as a run, so that every ace matches.

    Examples
    --------
    >>> type_2("5D", ["2C", "7S"], bridging=False)
    ('4.2.4',)
    >>> type_2("AS", ["KD", "4C"], bridging=False)
    ('4.2.2', '4.2.5')
    """
    top = RANK[pile[-1]]
    below = RANK[pile[-2]] if len(pile) > 1 else 0
    run = run_length(pile) if top == below else 1
    reasons = type_2_ranks(top, below, run, bridging=bridging, literal_run=literal_run)
    paragraphs = reasons.get(RANK[card], ())
    if card == "AS" and not (is_numeric(top) and (is_numeric(below) or not below)):
        return (*paragraphs, "4.2.5")
    return paragraphs


@cache
def type_2_ranks(
    top: int, below: int, run: int, *, bridging: bool, literal_run: bool
) -> Mapping[int, tuple[str, ...]]:
    """Return the ranks that are type 2 matches, each with the paragraphs that make it one.

    All of 4.2 except the ace of spades depends on ranks alone: those of the two topmost cards
    (``below`` is 0 if there is only one) and the length of the run on top.

    Examples
    --------
    >>> dict(type_2_ranks(7, 2, 1, bridging=True, literal_run=False))[3]
    ('4.2.2', '4.2.3')
    """
    two = [rank for rank in (top, below) if rank]
    matching: dict[int, tuple[str, ...]] = {}
    for rank in range(1, 14):
        reasons = {
            "4.2.1": rank in two,
            "4.2.2": any(abs(rank - other) in (1, 12) for other in two),
            "4.2.3": bridging and any({rank, other} == {3, 7} for other in two),
            "4.2.4": len(two) == 2 and _calculate(rank, top, below),
            "4.2.6": rank == run and (is_numeric(rank) or literal_run),
        }
        if any(reasons.values()):
            matching[rank] = tuple(paragraph for paragraph, holds in reasons.items() if holds)
    return matching


def is_free(reasons: Sequence[str]) -> bool:
    """Return whether a type 2 match for these reasons sets RM2 to false (5.3.4)."""
    return any(reason != ONE_OFF for reason in reasons)


def _calculate(*ranks: int) -> bool:
    """Return whether three ranks are numeric, and one the sum or product of the others (4.2.4.2-6).

    Difference and quotient (4.2.4.3.2, 4.2.4.3.4) are the same condition on the three ranks in
    another order.
    """
    low, middle, high = sorted(ranks)
    return all(map(is_numeric, ranks)) and high in (low + middle, low * middle)


ANNOUNCE = "announce"
EVERYTHING = "all"
MOVES, SIDES, NO_CHOICE = ("mv-1", "mv+1"), ("vertical", "horizontal"), ("",)


@frozen
class Rules(Setup):
    """The rules of the game for one set-up.

    Raises
    ------
    BadProblem
        Too few or too many players, a card twice in the deck, or a deck too small for the deal.

    Examples
    --------
    >>> rules = Rules(players=2, hand=2, deck=("6H", "2H", "6S", "AH", "AS", "2S"))
    >>> state = rules.deal(rules.deck)
    >>> state.hands, state.pile, state.deck
    ((('6H', '2H'), ('6S', 'AH')), ('AS',), ('2S',))
    >>> print(*rules.options(state)[:4], sep=", ")
    none, swap, normal 6H vertical, normal 6H horizontal
    """

    def __attrs_post_init__(self) -> None:
        self.check()

    # Section 2: Dealing

    def deal(self, cards: Sequence[Card], *, known_order: bool = True) -> State:
        """Return the state after the deal of ``cards``, hand by hand, and the first step 1.

        Seat 0 is to the left of the dealer. The cards left are drawn in the order given, or, with
        ``known_order=False``, at random.
        """
        dealt = self.players * self.hand
        hands = tuple(
            tuple(cards[first : first + self.hand]) for first in range(0, dealt, self.hand)
        )
        if self.swap_order != "hand":
            hands = tuple(tuple(sorted(hand)) for hand in hands)
        turned, rest = cards[dealt], tuple(cards[dealt + 1 :])
        rank = RANK[turned]
        state = State(
            hands,
            (turned,),  # 2.1
            active=0,  # 1.1.2
            attack_value=rank if rank in (2, 5) else 0,  # 2.1, second line
            move_value=1 if rank in (10, 11) else 0,  # 2.2, 2.3
            clockwise=rank != 11,  # 2.3
            require_match=rank != 1,  # 2.4
            deck=rest if known_order else (),
            stock=() if known_order else tuple(sorted(rest)),
            said=(0,) * self.players if self.announce else (),
        )
        return self._step_1(state)  # 2.5

    # Step 1

    def _step_1(self, state: State) -> State:
        """Return the state after section 3: a winner, or the next active player."""
        if not state.prevent_wins:  # 3.1.1
            for seat, hand in enumerate(state.hands):
                if not hand:
                    return state._replace(winner=seat)  # 3.1.2
        steps = max(0, state.move_value)  # 3.2.1
        active = (state.active + (steps if state.clockwise else -steps)) % self.players  # 3.2.3
        said = state.said
        if said and active != state.active:  # 6.2.3
            said = tuple(2 if word else 0 for word in said)
        return state._replace(
            active=active,  # 3.2.2
            move_value=min(state.move_value, 0) + 1,  # 3.3
            first_card=True,  # 3.4
            bridging=False,
            said=said,
        )

    # Section 4: Card Options

    def options(self, state: State) -> list[Option]:
        """Return every option of the player at turn with every choice that follows from it.

        The list is empty if the game is over or cards must still be drawn; else it begins with
        option 1.
        """
        if state.winner >= 0 or state.due:
            return []
        kinds = [("none", "")]
        attack, hand = state.attack_value, state.hand
        if state.first_card and not attack and self.swap and self._can_swap(state):
            kinds.append(("swap", ""))
        last = len(hand) == 1
        is_silent = last and self.announce and state.said[state.active] < 2  # 6.2
        pile, tries = state.pile, self.literal_rm2 and state.require_match
        for card in dict.fromkeys(hand):
            rank, require = RANK[card], state.require_match
            if not state.first_card:  # 5.3.1
                reasons = type_2(card, pile, bridging=state.bridging, literal_run=self.literal_run)
                if not reasons:  # 5.3.2-3
                    continue
                if is_free(reasons):  # 5.3.4
                    if tries:  # reading 2
                        kinds.append(("try", card))
                    require = tries
            if is_silent:
                continue
            if rank in (2, 5) and not last:  # 4.3.1
                kinds.append(("attack", card))
            elif rank in (3, 7) and (attack or not last):  # 4.4.1, reading 9
                kinds.append(("block", card))
            elif rank == 11 and not last:  # 4.6.1
                kinds.append(("jack", card))
            elif rank == 1 and not last and not attack:  # 4.7.1
                kinds.append(("ace", card))
            if (attack and rank != 10) or not is_type_1(card, pile, require_match=require):
                continue
            if rank == 10 and not last:  # 4.5.1
                kinds.append(("ten", card))
            if not attack:  # 4.8.1
                kinds.append(("normal", card))
        return [
            Option(kind, card, choice)
            for kind, card in kinds
            for choice in self.choices(state, kind, card)
        ]

    def choices(self, state: State, kind: str, card: Card = "") -> Sequence[str]:
        """Return what can be chosen with an option; an empty text is the option as it is."""
        if kind == "normal":
            return SIDES if is_numeric(RANK.get(card, 0)) else NO_CHOICE  # 4.8.2.1
        if kind == "ten":
            return MOVES  # 4.5.2
        if kind == "ace":
            return tuple(self.ace_suits)  # 4.7.2.1
        if kind == "block" and self.block_everything and self.blocks_everything(state, card):
            return ("", EVERYTHING)  # 4.4.4
        if kind not in ("none", "swap"):
            return NO_CHOICE
        hand, plain = state.hand, [""]
        if kind == "swap" and self.swap_order == "choice" and len(hand) > 1:  # reading 5
            plain = [f"{below} {top}" for below in hand for top in hand if below != top]
        if self.announce:  # 6.2
            plain += [f"{choice} {ANNOUNCE}".strip() for choice in plain]
        return plain

    def blocks_everything(self, state: State, card: Card) -> bool:
        """Return whether this block may set AV to 0 (4.4.4.1-3; reading 10)."""
        return not state.first_card and {RANK[state.pile[-1]], RANK.get(card)} == {3, 7}

    def can_draw(self, state: State, pile: Sequence[Card]) -> int:
        """Return how many cards can be drawn if the pile is ``pile`` (reading 7)."""
        if self.endless:
            return sys.maxsize
        buried = len(pile) - max(2, run_length(pile)) if self.reshuffle else 0
        return len(state.deck) + len(state.stock) + max(0, buried)

    def _can_swap(self, state: State) -> bool:
        """Return whether there are enough cards for option 2 (reading 6)."""
        hand = state.hand
        if self.short_swap or len(state.deck) + len(state.stock) >= len(hand):
            return True
        return self.can_draw(state, self._laid(state, SWAP)) >= len(hand)

    # Step 2, from 5.5 on

    def result(self, state: State, option: Option) -> State:
        """Return the state after one of the `options`, which is not checked.

        `games.propre.wording.play` checks it.

        A turn that ends with a draw ends once all cards are drawn; if ``due`` is not 0 afterwards,
        chance gives the next card (`draws`, `draw`).
        """
        kind, card, choice = option
        if kind in ("none", "swap", "try"):
            if kind == "try":
                return state._replace(require_match=False)  # 5.4.3, reading 2
            return self._end_turn(state, option)
        hand = list(state.hand)
        hand.remove(card)
        attack, move, face = state.attack_value, state.move_value, card
        clockwise, bridging, prevent = state.clockwise, False, False  # 5.5.2
        if kind == "attack":
            attack += RANK[card]  # 4.3.2
        elif kind == "block":
            attack -= RANK[card]  # 4.4.2
            if attack <= 0:  # 4.4.3.1
                attack = 0
            else:
                bridging = True  # 4.4.3.2
            if choice == EVERYTHING:
                attack = 0  # 4.4.4.4
            if not hand and attack:  # 4.4.5
                prevent, move = True, 0
        elif kind == "ten":
            move += 1 if choice == "mv+1" else -1  # 4.5.2
        elif kind == "jack":
            clockwise = not clockwise  # 4.6.2
        elif kind == "ace":
            face = chosen(card, choice)  # 4.7.2.2
        elif choice == "horizontal":
            face = sideways(card)  # 4.8.2.3
        hands = state.hands
        active = state.active
        return state._replace(
            hands=(*hands[:active], tuple(hand), *hands[active + 1 :]),
            pile=(*state.pile, face),
            attack_value=attack,
            move_value=move,
            clockwise=clockwise,
            first_card=False,  # 5.7
            require_match=True,  # 5.5.2
            bridging=bridging,
            prevent_wins=prevent,
        )

    def _end_turn(self, state: State, option: Option) -> State:
        """Return the state after option 1 or 2."""
        if option.choice.endswith(ANNOUNCE):  # 6.2.2
            state = self._announce(state, state.active)
        if option.kind == "swap":
            active, hands = state.active, state.hands
            return self._draw_due(
                state._replace(
                    hands=(*hands[:active], (), *hands[active + 1 :]),
                    pile=self._laid(state, option),  # 4.2.2
                    require_match=True,  # 5.5.2
                    bridging=False,
                    prevent_wins=False,
                    due=len(hands[active]),  # 4.2.3
                )
            )
        if not state.first_card:
            return self._step_1(state)  # 4.1.3; 5.5.1 spares RM, B and PW
        return self._draw_due(
            state._replace(
                require_match=True,  # 5.5.2
                bridging=False,
                prevent_wins=False,  # 4.1.2.3
                due=max(1, state.attack_value),  # 4.1.2.1
                attack_value=0,  # 4.1.2.2
            )
        )

    @staticmethod
    def _announce(state: State, seat: int) -> State:
        """Return the state after a seat has said the second word of the game's name."""
        said = tuple(word or int(other == seat) for other, word in enumerate(state.said))
        return state._replace(said=said)

    def _laid(self, state: State, swap: Option) -> tuple[Card, ...]:
        """Return the pile with the whole hand on it (4.2.2; reading 5)."""
        hand = state.hand
        if self.swap_order == "sorted":
            hand = tuple(sorted(hand))
        elif self.swap_order == "choice" and len(hand) > 1 and swap.choice:
            below, top = swap.choice.split()[:2]
            hand = (*(card for card in hand if card not in (below, top)), below, top)
        return (*state.pile, *hand)

    # Section 6: talk

    def penalty(self, state: State, saying: Saying) -> State | None:
        """Return the state in which a card of the stock must be drawn for what a player has said.

        It is the state before, or that after a reshuffle if the stock is empty. ``None`` if no
        card must be drawn: the player has made no mistake or desires the card (6.1, 6.3), or there
        is no card left.
        """
        if saying.desired or saying.paragraph is None:
            return None
        ready = self._refilled(state)
        return ready if ready.stock else None

    def say(self, state: State, seat: int, saying: Saying) -> State:
        """Return the state after a seat has said something and has drawn the card for it, if any.

        The word "Card" announces a last card (6.2), also as part of the name of the game.

        Raises
        ------
        BadProblem
            A card must be drawn and is not among those to be drawn, or the reverse.
        """
        ready = self.penalty(state, saying)
        if ready is None:
            if saying.drawn:
                raise BadProblem("no card is drawn for this")
            return state if saying.paragraph else self._announce(state, seat)
        if saying.drawn not in ready.stock:
            raise BadProblem(f"{saying.drawn or 'no card'} is not among the cards to be drawn")
        stock = tuple(card for card in ready.stock if card != saying.drawn)
        return ready._replace(hands=self._added(ready.hands, seat, (saying.drawn,)), stock=stock)

    # Drawing

    def _draw_due(self, state: State) -> State:
        """Return the state after drawing the cards that are due, as far as chance allows."""
        if self.endless and state.due:
            return state
        deck, active, drawn = state.deck, state.active, min(state.due, len(state.deck))
        if drawn:
            state = state._replace(
                hands=self._added(state.hands, active, deck[:drawn]),
                deck=deck[drawn:],
                due=state.due - drawn,
            )
        if state.due:
            state = self._refilled(state)
        if state.due and state.stock:
            return state
        return self._step_1(state._replace(due=0))  # 4.1.3, 4.2.4

    def _refilled(self, state: State) -> State:
        """Return the state after a reshuffle if there is nothing left to draw (reading 7)."""
        if state.stock or state.deck or not self.reshuffle:
            return state
        keep = max(2, run_length(state.pile))
        stock = tuple(sorted(map(printed, state.pile[:-keep])))
        return state._replace(stock=stock, pile=state.pile[-keep:])

    def draws(self, state: State) -> list[tuple[Card, Fraction]] | None:
        """Return the cards that chance may give next with their probabilities.

        ``None`` if no card is due.
        """
        if not state.due:
            return None
        cards = DECK if self.endless else state.stock
        share = Fraction(1, len(cards))
        return [(card, share) for card in cards]

    def draw(self, state: State, card: Card) -> State:
        """Return the state after chance has given a card; the last one due ends the turn.

        Raises
        ------
        BadProblem
            No card is due, or this card is not among those to be drawn.
        """
        if not state.due:
            raise BadProblem("no card is due")
        stock = list(state.stock)
        if not self.endless:
            if card not in stock:
                raise BadProblem(f"{card} is not among the cards to be drawn")
            stock.remove(card)
        drawn = state._replace(
            hands=self._added(state.hands, state.active, (card,)),
            stock=tuple(stock),
            due=state.due - 1,
        )
        return self._draw_due(drawn)

    def _added(
        self, hands: tuple[tuple[Card, ...], ...], seat: int, cards: tuple[Card, ...]
    ) -> tuple[tuple[Card, ...], ...]:
        hand = hands[seat] + cards
        if self.swap_order != "hand":
            hand = tuple(sorted(hand))
        return (*hands[:seat], hand, *hands[seat + 1 :])
