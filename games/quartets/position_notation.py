"""Positions as one line of text, for the search commands, which take and print single states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from deduce.errors import BadInput
from deduce.text import whole_number
from games.quartets.deal import stated_form
from games.quartets.position import Position
from games.quartets.setup import Setup

__all__ = ["format_position", "parse_position"]


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
    for p, player in enumerate(name):
        if form.located[p]:
            yield "has", player, *game.names_of(form.located[p])
        if form.open & ~form.may[p]:
            yield "not", player, *game.names_of(form.open & ~form.may[p])
        for g, group in enumerate(groups):
            if form.low[p][g]:
                yield "least", player, group, str(form.low[p][g])
            if form.high[p][g] < form.table.sizes[g]:
                yield "most", player, group, str(form.high[p][g])
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
    form = game.start_form()
    table = form.table
    placed = aside = 0
    may, located = [table.all] * len(game.players), [0] * len(game.players)
    low = [[0] * len(table.sizes) for _ in game.players]
    high = [list(table.sizes) for _ in game.players]
    hands: list[int] = []
    position = Position(form, None)
    for part in text.split(";"):
        key, _, rest = (piece.strip() for piece in part.partition(":"))
        words = [word.strip() for word in rest.split(",")]
        try:
            match (key, *words):
                case ("hands", *numbers):
                    hands = [_number(number) for number in numbers]
                case ("turn", player):
                    position = evolve(position, turn=game.player(player))
                case ("asked", player, card):
                    position = evolve(position, question=(game.player(player), game.card(card)))
                case ("last", player):
                    position = evolve(position, last=game.player(player))
                case ("has", player, *cards):
                    for card in cards:
                        bit = 1 << game.card(card)
                        if placed & bit:
                            raise BadInput(f"{card} is in two places")
                        placed |= bit
                        located[game.player(player)] |= bit
                case ("not", player, *cards):
                    for card in cards:
                        may[game.player(player)] &= ~(1 << game.card(card))
                case ("least", player, group, number):
                    low[game.player(player)][game.group(group)] = _number(number)
                case ("most", player, group, number):
                    high[game.player(player)][game.group(group)] = _number(number)
                case ("aside", player, group):
                    g = game.group(group)
                    placed |= table.masks[g]
                    aside |= 1 << g
                    position = evolve(position, won=(*position.won, (game.player(player), g)))
                case ("out", player):
                    position = evolve(position, out=(*position.out, game.player(player)))
                case ("over", reason) if reason in _ENDS:
                    position = evolve(position, over=reason)
                case ("number", number):
                    position = evolve(position, number=_number(number))
                case _:
                    raise BadInput(f"not a part of a position: {part.strip()!r}")
        except BadInput as error:
            raise error.at(column=text.index(part) + 1) from None
    if len(hands) != len(game.players):
        raise BadInput("a position begins with the sizes of the hands, as in 'hands: 4, 4, 4'")
    if (position.turn is None) != bool(position.over):
        raise BadInput("a position has a turn, or the game is over")
    if position.turn is not None:
        _check_speakers(game, position, position.turn, hands)
    form = stated_form(table, hands, located=located, may=may, low=low, high=high, aside=aside)
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


_ENDS = (
    "complete",
    "last one standing",
    "contradiction",
    "no cards",
    "repetition",
    "limit",
)


def _number(text: str) -> int:
    number = whole_number(text, digits=5)
    if number is None:
        raise BadInput(f"a number is needed, not {text!r}")
    return number
