"""Open hands as a perfect-information game of the search layer.

With a known order of the deck and no reshuffle, nothing is left to chance (`OpenGame`). Play can
then continue for ever, both sides drawing from an empty deck, so the game is solved by retrograde
analysis, in which a cycle is a draw. With an unknown order every draw is chance (`ChanceGame`).

`OpenCode` has open hands as numbers of 64 bits: what the rest of a game depends on, and nothing
else. Positions with the same `key` have the same number, whatever lies deeper in the
pile. A number stands for the position with the topmost cards of the pile alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from attrs import evolve

from deduce.errors import BadInput, BadProblem, Unsupported
from deduce.search.digits import Digits
from games.propre.notation import format_state, parse_rules, parse_state
from games.propre.rules import Rules, run_length
from games.propre.setup import (
    DECK,
    RANK,
    RANKS,
    SUIT,
    SUITS,
    Card,
    Option,
    State,
    effective,
    is_numeric,
    printed,
)
from games.propre.wording import parse_option

__all__ = ["ChanceGame", "OpenCode", "OpenGame", "game_from", "key", "open_game"]


MAX_ESTIMATE = 0.9
"""The largest absolute value of an estimate, so that it never looks like a proved win."""
SMALL_DEAL = "6H 3H 7S 6S 3S 7H 3D 7D"


class OpenGame:
    """Propreantepenultimate Card with open hands and a known order of the deck.

    Utilities: 1 for the winner; the others share the loss, so that the sum is 0.

    Parameters
    ----------
    rules
        The rules of the set-up. Hands are kept sorted, since their order means nothing.
    start
        The initial state; by default the deal of the deck in its order.

    Raises
    ------
    BadProblem
        Something is left to chance; use `ChanceGame`.

    Examples
    --------
    >>> from deduce.search import solve
    >>> from games.propre.setup import parse_cards
    >>> cards = parse_cards("6H 2H 6S AH AS 2S")
    >>> game = OpenGame(Rules(hand=2, deck=cards, swap=False, reshuffle=False))
    >>> solution = solve(game, symmetric=True)
    >>> len(solution.space), solution.values[0], solution.distances[0]
    (954, (1, -1), 3)
    """

    utility_bounds = (-1, 1)
    zero_sum = True

    def __init__(self, rules: Rules, start: State | None = None) -> None:
        if rules.swap_order == "hand":
            rules = evolve(rules, swap_order="sorted")
        self.rules = rules
        self.players = rules.players
        self.start = _with_sets(rules.deal(rules.deck) if start is None else start)
        seats = range(self.players)
        loss = -1 if self.players == 2 else Fraction(-1, self.players - 1)
        self._ends = [tuple(1 if seat == winner else loss for seat in seats) for winner in seats]
        self._check(self.start)

    def _check(self, state: State) -> None:
        """Raise `BadProblem` if chance has a part in the state."""
        if self.rules.reshuffle or self.rules.endless or state.stock or state.due:
            raise BadProblem(
                "without chance the whole deck must be in a known order and never be reshuffled"
            )

    def initial_state(self) -> State:
        """Return the state at the beginning."""
        return self.start

    def player_name(self, player: int) -> str:
        """Return the seat of a player."""
        return f"seat {player}"

    def to_move(self, state: State) -> int:
        """Return the player at turn."""
        return state.active

    def actions(self, state: State) -> Sequence[Option]:
        """Return the options with their follow-up choices."""
        return self.rules.options(state)

    def result(self, state: State, action: Option) -> State:
        """Return the state after an option, before chance gives the first card."""
        return self.rules.result(state, action)

    def utility(self, state: State) -> tuple[Any, ...] | None:
        """Return 1 for the winner and the shared loss for the others, once there is a winner."""
        return None if state.winner < 0 else self._ends[state.winner]

    def key(self, state: State) -> Hashable:
        """Return what the rest of the game depends on; see `key`."""
        return key(self.rules, state)

    def tier(self, state: State) -> int:
        """Return a number that no option lowers; see `OpenCode.tier`."""
        return self._code.tier(state)

    def pack(self, state: State) -> int:
        """Return a number that is the same for positions with the same key.

        Raises
        ------
        Unsupported
            There are too many cards for 64 bits, or draws are left to chance.
        BadInput
            The position cannot follow the first one.
        """
        return self._code.pack(state)

    def unpack(self, code: int) -> State:
        """Return a position of a number: that with the top of the pile alone."""
        return self._code.unpack(code)

    @cached_property
    def _code(self) -> OpenCode:
        return OpenCode(self.rules, self.start)

    def order(self, state: State, actions: Sequence[Option]) -> Sequence[Option]:
        """Return cards before draws, since a smaller hand is nearer to winning."""
        return sorted(actions, key=lambda option: not option.card)

    def estimate(self, state: State) -> tuple[float, ...]:
        """Return a guess from the sizes of the hands; cards to be drawn count as drawn."""
        sizes = [len(hand) for hand in state.hands]
        sizes[state.active] += state.due or (state.attack_value if state.first_card else 0)
        strengths = [1 / (1 + size) for size in sizes]
        total = sum(strengths)
        if self.players == 2:
            lead = MAX_ESTIMATE * (strengths[0] - strengths[1]) / total
            return lead, -lead
        even = 1 / self.players
        return tuple(MAX_ESTIMATE * (strength / total - even) for strength in strengths)

    def format_state(self, state: State) -> str:
        """Return the state in one line; see `games.propre.notation`."""
        return format_state(state)

    def parse_state(self, text: str) -> State:
        """Return the state of a line or of a JSON object.

        Raises
        ------
        BadInput
            It cannot be read, or there cannot be such a state with this set-up.
        """
        state = _with_sets(parse_state(text, self.rules))
        try:
            self._check(state)
        except BadProblem as error:
            raise BadInput(str(error)) from error
        return state

    def format_action(self, state: State, action: Option) -> str:
        """Return the option as a player types it."""
        return str(action)

    def parse_action(self, state: State, text: str) -> Option:
        """Return the legal option of a text.

        Raises
        ------
        BadInput
            It cannot be read, is refused (the paragraphs are named), or is ambiguous.
        """
        return parse_option(text, self.rules, state)

    def svg(self, state: State) -> str:
        """Return the table as a picture, all hands open."""
        return state._repr_html_()

    def show(self, state: State) -> str:
        """Return the table in a few lines, all hands open."""
        return str(state)


class ChanceGame(OpenGame):
    """Open hands with an unknown order of the cards to be drawn.

    Each draw from the stock is a chance node. A reshuffle turns the pile into stock.

    Examples
    --------
    >>> from deduce.search import expectiminimax
    >>> from games.propre.setup import parse_cards
    >>> rules = Rules(hand=1, deck=parse_cards("5H 4H 3H 2H 7H"), reshuffle=False)
    >>> game = ChanceGame(rules, rules.deal(rules.deck, known_order=False))
    >>> expectiminimax(game, depth=6).proved
    True
    """

    def _check(self, state: State) -> None:
        """Accept every state."""

    @cached_property
    def _code(self) -> OpenCode:
        raise Unsupported("draws are left to chance; packed states are for games without chance")

    def outcomes(self, state: State) -> list[tuple[State, Fraction]] | None:
        """Return the states after the next card that is due, with their probabilities."""
        draws = self.rules.draws(state)
        if draws is None:
            return None
        return [(self.rules.draw(state, card), share) for card, share in draws]


def key(rules: Rules, state: State) -> Hashable:
    """Return what the rest of an open game depends on.

    That is: hands as sets, the effective faces of the two topmost cards or the run on top, the
    cards to be drawn, and the numbers of section 1; the direction of play with more than two
    players. The deeper pile matters only if it may be reshuffled.
    """
    if state.winner >= 0:
        return state.winner
    pile = state.pile
    top = max(2, run_length(pile))
    deeper: Hashable = None
    if rules.reshuffle and not rules.endless:
        deeper = pile[-top:], tuple(sorted(map(printed, pile[:-top])))
    return (
        state.hands,
        tuple(map(effective, pile[-top:])),
        state.deck,
        state.active,
        state.attack_value,
        state.move_value,
        state.clockwise or rules.players == 2,
        state.first_card,
        state.require_match,
        state.bridging,
        state.prevent_wins,
        state.stock,
        state.due,
        state.said,
        deeper,
    )


def game_from(rules: Rules, start: State) -> OpenGame:
    """Return the game that begins in a state: a `ChanceGame` if anything is left to chance."""
    try:
        return OpenGame(rules, start)
    except BadProblem:
        return ChanceGame(rules, start)


def open_game(
    deck: str = SMALL_DEAL,
    *,
    players: int = 2,
    hand: int = 2,
    known_order: bool = True,
    block_everything: bool = True,
    literal_run: bool = False,
    literal_rm2: bool = False,
    swap: bool = False,
    short_swap: bool = False,
    swap_order: str = "sorted",
    reshuffle: bool = False,
    announce: bool = False,
    talk: bool = False,
    endless: bool = False,
    ace_suits: str = SUITS,
) -> OpenGame:
    """Return an open game with the cards of ``deck`` in the order of the deal.

    The other parameters are those of `Rules`; option 2 and reshuffles are off by default. With
    ``known_order=False``, ``reshuffle`` or ``endless`` draws are left to chance. ``talk`` adds no
    action: who says something on purpose desires the card, and then it is not drawn.

    Raises
    ------
    BadInput
        A value is not possible, or the values do not fit together.

    Examples
    --------
    >>> open_game("6H 2H 6S AH AS 2S").initial_state().pile
    ('AS',)
    """
    rules = parse_rules(
        {
            "deck": deck,
            "players": players,
            "hand": hand,
            "block_everything": block_everything,
            "literal_run": literal_run,
            "literal_rm2": literal_rm2,
            "swap": swap,
            "short_swap": short_swap,
            "swap_order": swap_order,
            "reshuffle": reshuffle,
            "announce": announce,
            "talk": talk,
            "endless": endless,
            "ace_suits": ace_suits,
        }
    )
    return game_from(rules, rules.deal(rules.deck, known_order=known_order))


def _with_sets(state: State) -> State:
    return state._replace(
        hands=tuple(tuple(sorted(hand)) for hand in state.hands), stock=tuple(sorted(state.stock))
    )


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
        self._numbers = Digits(
            (
                *((rules.players + 1,) * len(self._cards)),
                len(start.deck) + 1,
                self._tops.count,
                start.attack_value + attacks + 1,
                max(1, start.move_value) + ranks[10] - self._least_move + 1,
                rules.players,
                *((2,) * len(FLAGS)),
                *((3,) * len(start.said)),
            )
        )
        most = rules.players + self._numbers.size
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
            return self._numbers.pack(self._digits(state)) + self.rules.players
        except (LookupError, ValueError):
            raise BadInput("the position cannot follow from the start of the game") from None

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
        digits = iter(self._numbers.unpack(code - players))
        hands: list[list[Card]] = [[] for _ in range(players)]
        for card, seat in zip(self._cards, digits, strict=False):
            if seat:
                hands[seat - 1].append(card)
        left, top, attack, move, active, *rest = digits
        flags: dict[str, Any] = dict(zip(FLAGS, map(bool, rest), strict=False))
        return State(
            hands=tuple(map(tuple, hands)),
            pile=self._tops.unpack(top),
            active=active,
            attack_value=attack,
            move_value=move + self._least_move,
            deck=self.start.deck[len(self.start.deck) - left :],
            said=tuple(rest[len(FLAGS) :]),
        )._replace(**flags)


class _Tops:
    """Numbers for what matters of a pile: its top card, the two topmost ones, or a longer run."""

    def __init__(self, longest: int) -> None:
        faces = len(DECK)
        runs = ((len(RANKS), *(len(SUITS),) * length) for length in range(3, longest + 1))
        self._kinds = [Digits(radices) for radices in ((faces,), (faces, faces), *runs)]
        """For each number of cards their faces, or of a run the rank and the suits."""
        self.count = sum(kind.size for kind in self._kinds)

    def pack(self, pile: Sequence[Card]) -> int:
        """Return the number of a pile."""
        faces = [effective(card) for card in pile[-max(2, run_length(pile)) :]]
        if len(faces) < 3:
            digits = [DECK.index(face) for face in faces]
        else:
            digits = [RANK[faces[0]] - 1, *(SUITS.index(SUIT[face]) for face in faces)]
        shorter, kind = self._kinds[: len(faces) - 1], self._kinds[len(faces) - 1]
        return sum(each.size for each in shorter) + kind.pack(digits)

    def unpack(self, code: int) -> tuple[Card, ...]:
        """Return the cards on top of the pile, as they count."""
        kinds = iter(self._kinds)
        while code >= (kind := next(kinds)).size:
            code -= kind.size
        digits = kind.unpack(code)
        if len(digits) < 3:
            return tuple(DECK[index] for index in digits)
        return tuple(RANKS[digits[0]] + SUITS[suit] for suit in digits[1:])
