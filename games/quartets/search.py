"""Quartets as a game of perfect information: no cards are seen, so the statements are the state.

The search protocol of `deduce.search`. States are `Position` values, actions are statements. Play
that goes round in a circle makes no progress and gains nothing, so that the value is what each
player can force against all others together (docs/games/quartets.md, section 6).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from attrs import evolve, field, frozen

from deduce.errors import BadInput, Unsupported, placed
from deduce.search import Limits, StateSpace, explore, guarantees
from deduce.system.text import whole_number
from games.quartets.deal import DealForm, hand_cards
from games.quartets.events import Ask, Event, Quartet
from games.quartets.game import Quartets
from games.quartets.known import known_of
from games.quartets.notation import parse_statement
from games.quartets.packing import Packing, packing_of
from games.quartets.position import Position, actions, position_after, start_position
from games.quartets.setup import MAX_PLAYERS, Setup, named_groups
from games.quartets.states import Claims, claims_of
from games.quartets.wording import position_text

if TYPE_CHECKING:
    from deduce.search.tiers.table import Codes, Expansion

__all__ = [
    "QuartetsGame",
    "force",
    "forced_groups",
    "format_position",
    "parse_position",
    "standard",
]


PLAYERS = ("Ann", "Ben", "Cid", "Dot", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon")


def _endless(setup: Quartets) -> Quartets:
    return evolve(setup, repetition=None)


@frozen
class QuartetsGame:
    """The game for the solvers.

    Parameters
    ----------
    setup
        Players, groups, hands and readings. A repetition does not end the game here: positions
        that come again are equal, so that the solvers find the cycles themselves.
    goal
        What the utilities are: ``"groups"``, the number of groups laid aside; or ``"win"``: 1 for
        the winner, 0 for the others, equal parts for a draw.

    Examples
    --------
    >>> setup = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> game = QuartetsGame(setup)
    >>> game.actions(game.initial_state())[:2]
    [Quartet(by='Ann', group='a'), Quartet(by='Ann', group='b')]
    """

    setup: Quartets = field(converter=_endless)
    goal: Literal["groups", "win"] = "groups"

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.setup.players)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The least and the greatest utility."""
        return (0, 1) if self.goal == "win" else (0, len(self.setup.groups))

    def player_name(self, player: int) -> str:
        """Return a player's name."""
        return self.setup.players[player]

    def initial_state(self) -> Position:
        """Return the position before the first statement."""
        return start_position(self.setup)

    def to_move(self, state: Position) -> int:
        """Return the player who has to speak."""
        return state.speaker()

    def actions(self, state: Position) -> Sequence[Event]:
        """Return every statement that leaves a deal."""
        return actions(self.setup, state)

    def result(self, state: Position, action: Event) -> Position:
        """Return the position after a statement."""
        return position_after(self.setup, state, action)

    def utility(self, state: Position) -> tuple[float, ...] | None:
        """Return each player's groups, or who won, once the game is over."""
        if not state.over:
            return None
        if self.goal == "groups":
            return tuple(map(float, state.quartets()))
        winner = state.winner()
        if winner is None:
            return (1 / self.players,) * self.players
        return tuple(float(p == winner) for p in range(self.players))

    @property
    def _packing(self) -> Packing | None:
        return packing_of(self.setup, self.goal)

    def _packed(self) -> Packing:
        packing = self._packing
        if packing is None:
            raise Unsupported(
                "positions with so many cards or players, or with a limit of statements, have no "
                "number of 64 bits"
            )
        return packing

    def pack(self, state: Position) -> int:
        """Return a number of 64 bits, equal for positions that differ only by names of cards.

        Raises
        ------
        Unsupported
            The game has too many cards, or a limit.
        BadInput
            Statements that leave a deal do not lead to the position.
        """
        return self._packed().number(state)

    def unpack(self, code: int) -> Position:
        """Return a position of a number that `pack` gives."""
        return self._packed().position(code)

    def tier(self, state: Position) -> int:
        """Return a number that grows with what is known and with the groups laid aside."""
        packing = self._packed()
        return packing.tier(known_of(packing.worlds, state))

    def expand_packed(self, codes: Codes) -> Expansion:
        """Return the statements that can follow in an array of packed positions."""
        from deduce.search.tiers.table import expand_one_by_one

        return expand_one_by_one(self._packed(), codes)

    def secured(self, state: Position) -> tuple[float, ...]:
        """Return what each player has already, however the game goes on."""
        final = self.utility(state)
        if final is not None:
            return final
        own = state.quartets() if self.goal == "groups" else (0,) * self.players
        return tuple(map(float, own))

    def key(self, state: Position) -> Hashable:
        """Return what is equal for positions that differ only by the names of cards and groups.

        Players keep their names, since the utilities are theirs. In a small game this is the
        number that `pack` gives, so that equal knowledge is equal however it came about. In a
        larger one a card that must be with one player counts as located there, and a redundant
        bound is left out.
        """
        packing = self._packing
        if packing is not None and not state.out and state.over in ("", "complete"):
            return packing.number(state)
        form = state.form
        asked = None if state.question is None else state.question[1]
        groups = sorted(_group_key(form, group, asked) for group in form.groups())
        if self.goal == "groups":
            won: Hashable = state.quartets()
        else:
            won = tuple(player for player, _ in state.won)
        to = None if state.question is None else state.question[0]
        where = form.hands(), tuple(groups), state.turn, to, state.last, won, state.out
        return where, state.number, state.over

    def order(self, state: Position, actions: Sequence[Event]) -> Sequence[Event]:
        """Return the actions: declarations first, then questions and yes."""
        return sorted(actions, key=_promise)

    def format_action(self, state: Position, action: Event) -> str:
        """Return a statement as a line of a transcript."""
        return self.setup.format_event(action)

    def parse_action(self, state: Position, text: str) -> Event:
        """Return the statement of a line of a transcript, such as ``ask Ben a1``."""
        setup = self.setup
        named, event = parse_statement(text, setup, lambda: setup.players[state.speaker()])
        if named != setup:
            raise BadInput(f"a name in {text.strip()!r} was not introduced before")
        return event

    def format_state(self, state: Position) -> str:
        """Return a position as one line."""
        return format_position(self.setup, state)

    def parse_state(self, text: str) -> Position:
        """Return the position that a line describes."""
        return parse_position(self.setup, text)

    def svg(self, state: Position) -> str:
        """Return the position as a picture: every hand against every card."""
        from games.quartets.show import position_svg

        return position_svg(self.setup, state)

    def show(self, state: Position) -> str:
        """Return the position as text for people."""
        return position_text(self.setup, state)


def _promise(action: Event) -> int:
    if isinstance(action, Quartet):
        return 0
    return 1 if isinstance(action, Ask) or action.yes else 2


def _group_key(form: DealForm, group: int, asked: int | None) -> tuple[object, ...]:
    """Return what is known of a group, whatever its cards are called."""
    table = form.table
    mask = table.masks[group]
    known = [can | located for can, located in zip(form.can, form.located, strict=True)]
    cards = sorted(
        (sum(1 << p for p, cards in enumerate(known) if cards >> card & 1), card == asked)
        for card in hand_cards(mask)
    )
    bounds = []
    for p, can in enumerate(form.can):
        sure = (form.sure(p) & mask).bit_count()
        unsure = (can & mask).bit_count() - sure
        high = min(form.high[p][group] - sure, unsure)
        bounds.append((max(0, form.low[p][group] - sure), high - unsure))
    return table.sizes[group], tuple(cards), tuple(bounds)


def forced_groups(space: StateSpace[Position, Event]) -> tuple[int, ...]:
    """Return how many groups each player can force against all others together, from the root.

    Parameters
    ----------
    space
        The complete space of a `QuartetsGame` that counts groups.

    Raises
    ------
    Unsupported
        The space is not complete.

    Examples
    --------
    >>> setup = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> forced_groups(explore(QuartetsGame(setup), symmetric=True))
    (1, 1)
    """
    return tuple(map(int, guarantees(space).values[0]))


def force(setup: Quartets, *, limits: Limits | None = None) -> tuple[tuple[int, ...], int]:
    """Return the groups that each player can force from the start, and the number of positions.

    Raises
    ------
    Unsupported
        The limits ended the exploration.
    """
    game = QuartetsGame(evolve(setup, limit=None))
    space = explore(game, symmetric=True, limits=limits)
    return forced_groups(space), len(space)


def standard(
    players: int = 3,
    groups: int = 3,
    size: int = 4,
    preset: str = "recommended",
    goal: Literal["groups", "win"] = "win",
) -> QuartetsGame:
    """Return the game of some players with equal groups of ``size`` cards.

    >>> len(standard(players=2, groups=2, size=2).setup.cards)
    4
    """
    if not 2 <= players <= MAX_PLAYERS:
        raise BadInput(f"2 to {MAX_PLAYERS} players can play, not {players}")
    setup = Quartets.preset(preset, PLAYERS[:players], named_groups([size] * groups))
    return QuartetsGame(setup, goal)


def format_position(game: Setup, position: Position) -> str:
    """Return the position as parts ``key: value, value`` with semicolons between them.

    Earlier positions, which matter only if a repetition ends the game, are left out.

    Examples
    --------
    >>> from games.quartets.position import start_position
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> format_position(game, start_position(game))
    'hands: 2, 2; turn: Ann'
    """
    return "; ".join(f"{part[0]}: {', '.join(part[1:])}" for part in _parts(game, position))


def _parts(game: Setup, position: Position) -> Iterator[Sequence[str]]:
    form, name, groups = position.form, game.players, game.group_names
    yield "hands", *map(str, form.hands())
    if position.turn is not None:
        yield "turn", name[position.turn]
    if position.question is not None:
        yield "asked", name[position.question[0]], game.cards[position.question[1]]
    if position.last is not None:
        yield "last", name[position.last]
    yield from claims_of(game, form, form.table.sizes)
    for player_number, group_number in position.won:
        yield "aside", name[player_number], groups[group_number]
    for p in position.out:
        yield "out", name[p]
    if position.over:
        yield "over", position.over
    if position.number:
        yield "number", str(position.number)


def parse_position(game: Setup, text: str) -> Position:
    """Return the position that a line describes; the inverse of `format_position`.

    Raises
    ------
    BadInput
        An unknown part, a name that does not exist, hands that do not fit, or a state that no deal
        fits.
    """
    claims = Claims(game)
    hands: list[int] = []
    position = Position(game.start_form(), None)
    for part in text.split(";"):
        key, _, rest = (piece.strip() for piece in part.partition(":"))
        words = [word.strip() for word in rest.split(",")]
        with placed(column=text.index(part) + 1):
            match (key, *words):
                case ("hands", *numbers):
                    hands = [_number(number) for number in numbers]
                case ("turn", player):
                    position = evolve(position, turn=game.player(player))
                case ("asked", player, card):
                    position = evolve(position, question=(game.player(player), game.card(card)))
                case ("last", player):
                    position = evolve(position, last=game.player(player))
                case ("has" | "not", player, *cards):
                    claims.add(key, player, *cards)
                case ("least" | "most", player, group, number):
                    claims.add(key, player, group, str(_number(number)))
                case ("aside", player, group):
                    won = game.player(player), claims.lay_aside(group)
                    position = evolve(position, won=(*position.won, won))
                case ("out", player):
                    position = evolve(position, out=(*position.out, game.player(player)))
                case ("over", reason) if reason in _ENDS:
                    position = evolve(position, over=reason)
                case ("number", number):
                    position = evolve(position, number=_number(number))
                case _:
                    raise BadInput(f"not a part of a position: {part.strip()!r}")
    if len(hands) != len(game.players):
        raise BadInput("a position begins with the sizes of the hands, as in 'hands: 4, 4, 4'")
    if (position.turn is None) != bool(position.over):
        raise BadInput("a position has a turn, or the game is over")
    if position.turn is not None:
        _check_speakers(game, position, position.turn, hands)
    form = claims.form(hands)
    if not form.is_valid:
        raise BadInput("no deal fits this position")
    return evolve(position, form=form)


def _check_speakers(game: Setup, position: Position, turn: int, hands: list[int]) -> None:
    """Raise `BadInput` for a turn or a question that is impossible."""
    name = game.players
    if turn in position.out:
        raise BadInput(f"{name[turn]} has lost and cannot have the turn")
    if not hands[turn]:
        raise BadInput(f"{name[turn]} has no cards and cannot have the turn")
    asked = None if position.question is None else position.question[0]
    if asked == turn:
        raise BadInput(f"{name[turn]} cannot ask {name[turn]}; another player is asked")
    if asked is not None and not hands[asked]:
        raise BadInput(f"{name[asked]} has no cards and cannot be asked")


_ENDS = ("complete", "last one standing", "contradiction", "no cards", "repetition", "limit")


def _number(text: str) -> int:
    number = whole_number(text, digits=5)
    if number is None:
        raise BadInput(f"a number is needed, not {text!r}")
    return number
