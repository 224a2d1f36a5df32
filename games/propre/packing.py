"""Open hands as numbers of 64 bits: what the rest of a game depends on, and nothing else.

Positions with the same `games.propre.game.key` have the same number, whatever lies deeper in the
pile. A number stands for the position with the topmost cards of the pile alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod

from deduce.errors import BadInput, Unsupported
from games.propre.matches import run_length
from games.propre.rules import Rules
from games.propre.setup import DECK, RANK, RANKS, SUIT, SUITS, Card, effective, is_numeric, printed
from games.propre.state import State

__all__ = ["OpenCode"]

BITS = 64
FLAGS = ("clockwise", "first_card", "require_match", "bridging", "prevent_wins")


class OpenCode:
    """The numbers of all positions that can follow a position with a known order of the deck.

    Parameters
    ----------
    rules
        The rules, without reshuffles.
    start
        The first position.

    Raises
    ------
    Unsupported
        The numbers need more than 64 bits: there are too many cards.

    Examples
    --------
    >>> from games.propre.game import open_game
    >>> game = open_game("6H 2H 6S AH AS 2S")
    >>> state = game.initial_state()
    >>> game.unpack(game.pack(state)) == state
    True
    """

    def __init__(self, rules: Rules, start: State) -> None:
        self.rules = rules
        self.start = start
        pile = tuple(map(printed, start.pile))
        self._cards = sorted({*pile, *start.deck, *(card for hand in start.hands for card in hand)})
        ranks = Counter(RANK[card] for card in self._cards)
        attacks = sum(RANK[card] for card in self._cards if RANK[card] in (2, 5))
        self._least_move = min(0, start.move_value) - ranks[10]
        # Cards of ranks r and 11 - r can lie in one run.
        turned = Counter(11 - RANK[card] for card in self._cards if is_numeric(RANK[card]))
        longest = max((ranks + turned).values())
        self._tops = _Tops(max(longest, run_length(start.pile)))
        self._radices = (
            *((rules.players + 1,) * len(self._cards)),
            len(start.deck) + 1,
            self._tops.count,
            start.attack_value + attacks + 1,
            max(1, start.move_value) + ranks[10] - self._least_move + 1,
            rules.players,
            *((2,) * len(FLAGS)),
            *((3,) * len(start.said)),
        )
        most = rules.players + prod(self._radices)
        if most > 1 << BITS:
            raise Unsupported(
                f"{len(self._cards)} cards need {most.bit_length()} bits, more than {BITS}"
            )

    def tier(self, state: State) -> int:
        """Return a number that no option lowers: cards drawn, then cards played, then turns."""
        size = 2 * len(self._cards) + 2
        if state.winner >= 0:
            return size * (len(self.start.deck) + 1)
        held = sum(map(len, state.hands))
        played = len(self._cards) - held - len(state.deck)
        return (len(self.start.deck) - len(state.deck)) * size + 2 * played + state.first_card

    def pack(self, state: State) -> int:
        """Return the number of a position.

        Raises
        ------
        BadInput
            The position cannot follow the first one.
        """
        if state.winner >= 0:
            return state.winner
        try:
            digits = self._digits(state)
        except (LookupError, ValueError):
            raise BadInput("the position cannot follow from the start of the game") from None
        code = 0
        for digit, radix in zip(digits, self._radices, strict=True):
            if not 0 <= digit < radix:
                raise BadInput("the position cannot follow from the start of the game")
            code = code * radix + digit
        return code + self.rules.players

    def _digits(self, state: State) -> list[int]:
        holder = {card: seat + 1 for seat, hand in enumerate(state.hands) for card in hand}
        if state.deck != self.start.deck[len(self.start.deck) - len(state.deck) :]:
            raise ValueError
        if holder.keys() - set(self._cards) or state.stock or state.due:
            raise ValueError
        clockwise = state.clockwise or self.rules.players == 2
        return [
            *(holder.get(card, 0) for card in self._cards),
            len(state.deck),
            self._tops.pack(state.pile),
            state.attack_value,
            state.move_value - self._least_move,
            state.active,
            clockwise,
            *(getattr(state, flag) for flag in FLAGS[1:]),
            *state.said,
        ]

    def unpack(self, code: int) -> State:
        """Return a position of a number that `pack` gives, with the top of the pile alone."""
        players = self.rules.players
        if code < players:
            return self.start._replace(winner=code)
        code -= players
        digits: list[int] = []
        for radix in reversed(self._radices):
            code, digit = divmod(code, radix)
            digits.append(digit)
        digits.reverse()
        held, (left, top, attack, move, active), rest = (
            digits[: len(self._cards)],
            digits[len(self._cards) : len(self._cards) + 5],
            digits[len(self._cards) + 5 :],
        )
        hands: list[list[Card]] = [[] for _ in range(players)]
        for card, seat in zip(self._cards, held, strict=True):
            if seat:
                hands[seat - 1].append(card)
        clockwise, first_card, require_match, bridging, prevent_wins = map(bool, rest[: len(FLAGS)])
        return State(
            hands=tuple(map(tuple, hands)),
            pile=self._tops.unpack(top),
            active=active,
            attack_value=attack,
            move_value=move + self._least_move,
            clockwise=clockwise,
            first_card=first_card,
            require_match=require_match,
            bridging=bridging,
            prevent_wins=prevent_wins,
            deck=self.start.deck[len(self.start.deck) - left :],
            said=tuple(rest[len(FLAGS) :]),
        )


class _Tops:
    """Numbers for what matters of a pile: its top card, the two topmost ones, or a longer run."""

    def __init__(self, longest: int) -> None:
        faces = len(DECK)
        self._first = [0, faces]
        """The first number of the piles with two cards, then with runs of 3, 4 and more."""
        size = faces * faces
        for length in range(3, max(longest, 2) + 2):
            self._first.append(self._first[-1] + size)
            size = len(RANKS) * len(SUITS) ** length
        self.count = self._first[-1]

    def pack(self, pile: Sequence[Card]) -> int:
        """Return the number of a pile."""
        length = max(2, run_length(pile))
        faces = [effective(card) for card in pile[-length:]]
        if len(faces) < 3:
            code = 0
            for face in faces:
                code = code * len(DECK) + DECK.index(face)
        else:
            code = RANK[faces[0]] - 1
            for face in faces:
                code = code * len(SUITS) + SUITS.index(SUIT[face])
        return self._first[len(faces) - 1] + code

    def unpack(self, code: int) -> tuple[Card, ...]:
        """Return the cards on top of the pile, as they count."""
        length = next(n for n in range(len(self._first), 0, -1) if self._first[n - 1] <= code)
        code -= self._first[length - 1]
        faces: list[Card] = []
        if length < 3:
            for _ in range(length):
                code, index = divmod(code, len(DECK))
                faces.append(DECK[index])
        else:
            suits = []
            for _ in range(length):
                code, suit = divmod(code, len(SUITS))
                suits.append(SUITS[suit])
            faces = [RANKS[code] + suit for suit in suits]
        return tuple(reversed(faces))
