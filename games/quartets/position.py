"""Positions of the whole game as frozen values, and how a statement makes the next one.

Source: docs/games/quartets.md, sections 1, 2 and 4 (readings 8 to 13).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from attrs import evolve, field, frozen

from deduce.display import Displayed
from deduce.errors import BadInput
from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.rules import Quartets

__all__ = ["Fault", "Position", "say", "start_position", "tell", "turn_after", "winner_of"]


@frozen
class Fault:
    """A losing statement: after it no deal fits.

    ``clash`` is what simple bookkeeping saw; empty when every single statement still looks fine
    and only the whole does not fit.
    """

    loser: int
    stage: str
    """``"ask"``, ``"answer"`` or ``"quartet"``."""
    clash: str
    form: DealForm
    """What would be known if the statement stood."""


@frozen
class Position(Displayed):
    """A moment of the game. Players, groups and cards are numbers.

    Parameters
    ----------
    form
        What everybody knows about the cards.
    turn
        The player with the turn; ``None`` when the game is over.
    question
        The player who is to answer and the card asked for, when a question is open.
    last
        The player asked last, by anyone.
    won
        Who laid aside which group, in order.
    out
        The players who lost by a contradiction, in order.
    over
        Why the game is over: ``"complete"``, ``"last one standing"``, ``"contradiction"``,
        ``"no cards"`` (those who are still in have none), ``"repetition"``, ``"limit"``; empty
        while it goes on.
    fault
        The losing statement, if the last statement was one.
    number
        How many statements were made, where there is a limit to them; else 0.
    past
        The positions so far that can come again, where a repetition ends the game.
    """

    form: DealForm
    turn: int | None
    question: tuple[int, int] | None = None
    last: int | None = None
    won: tuple[tuple[int, int], ...] = ()
    out: tuple[int, ...] = ()
    over: str = ""
    fault: Fault | None = field(default=None, eq=False)
    number: int = 0
    past: tuple[Position, ...] = ()

    def __str__(self) -> str:
        """Return who has what as text; a position knows numbers, so the names are plain."""
        from games.quartets.show import plain_setup, show_position

        return show_position(plain_setup(self), self)

    def _repr_html_(self) -> str:
        from games.quartets.page import bare_position_svg

        return bare_position_svg(self)

    def speaker(self) -> int:
        """Return who has to say something now."""
        if self.turn is None:
            raise BadInput(f"the game is over: {self.over}")
        return self.turn if self.question is None else self.question[0]

    def quartets(self) -> tuple[int, ...]:
        """Return how many groups each player has laid aside."""
        numbers = [0] * self.form.table.players
        for player, _ in self.won:
            numbers[player] += 1
        return tuple(numbers)

    def winner(self) -> int | None:
        """Return the winner of a game that is over; ``None`` for a draw or while it goes on."""
        players = range(self.form.table.players)
        left = [p for p in players if p not in self.out]
        if not self.over or self.over in ("repetition", "limit"):
            return None
        if len(left) == 1:
            return left[0]
        if self.over == "contradiction":
            return None
        return winner_of([p for p, _ in self.won if p in left])


def winner_of(order: Sequence[int]) -> int | None:
    """Return who wins, given who laid down each group, in order.

    Most groups win; on a tie, the player whose own last group came earliest.

    >>> winner_of([2, 1, 0])
    2
    """
    if not order:
        return None
    last = {player: place for place, player in enumerate(order)}
    return max(last, key=lambda player: (order.count(player), -last[player]))


def turn_after(
    hands: Sequence[int], player: int, last: int | None, house: str, out: Sequence[int] = ()
) -> int | None:
    """Return who has the turn when it comes to ``player``; ``None`` when nobody can have it.

    Parameters
    ----------
    hands
        How many cards each player holds.
    player
        Who has it if she has cards and has not lost.
    last
        The player asked last, who comes next.
    house
        Which of the others follows: ``"x"``, ``"y"`` or ``"z"`` (reading 9).
    out
        The players who have lost.
    """
    able = [n > 0 and p not in out for p, n in enumerate(hands)]
    if able[player]:
        return player
    if last is not None and able[last]:
        return last
    number = len(hands)
    clockwise = [p for k in range(1, number) if able[p := (player + k) % number]]
    if not clockwise:
        return None
    if house == "y":
        return min(clockwise, key=lambda p: hands[p])
    if house == "z":
        return max(clockwise, key=lambda p: hands[p])
    return clockwise[0]


def start_position(game: Quartets) -> Position:
    """Return the position before the first statement.

    Raises
    ------
    BadInput
        No deal fits the set-up: somebody must hold a complete group although nobody may.
    """
    form = game.start_form()
    if not form.is_valid:
        raise BadInput("no deal is possible in which nobody holds a complete group")
    turn = turn_after(game.hands, game.player(game.start), None, game.house)
    return _counted(game, Position(form, turn))


def tell(game: Quartets, position: Position, event: Event) -> Position:
    """Return the position after a statement; one that leaves no deal is a losing statement.

    Raises
    ------
    BadInput
        The statement cannot be made now: it is somebody else's turn, there is no question to
        answer, the player asked has no cards, a name does not exist, the game is over.
    """
    check(game, position, event)
    form = say(game, position, event)
    if form.is_valid:
        following = _accepted(game, position, event, form)
    else:
        following = _refused(game, position, event, form)
    return _counted(game, following)


def check(game: Quartets, position: Position, event: Event) -> None:
    """Raise `BadInput` if the statement cannot be made now, whether losing or not."""
    game.check(event)
    name = game.players
    speaker = position.speaker()
    if position.question is not None and not isinstance(event, Answer):
        asker, card = name[position.turn or 0], game.cards[position.question[1]]
        raise BadInput(f"{name[speaker]} has yet to answer {asker}, who asked for {card}")
    if position.question is None and isinstance(event, Answer):
        raise BadInput(f"{event.by} answers, but nobody has asked; a question comes first")
    if game.player(event.by) != speaker:
        does = "to answer" if position.question is not None else "the turn"
        raise BadInput(f"{event.by} speaks, but {name[speaker]} has {does}")
    if isinstance(event, Ask) and not position.form.hands()[game.player(event.to)]:
        raise BadInput(f"{event.to} has no cards and cannot be asked")


def say(game: Quartets, position: Position, event: Event) -> DealForm:
    """Return what is known after a statement, valid or not, whoever's turn it is."""
    form, by = position.form, game.player(event.by)
    if isinstance(event, Ask):
        card = game.card(event.card)
        return form.asked(by, card, ask_own=game.ask_own, silence=game.silence)
    if isinstance(event, Quartet):
        return form.declared(by, game.group(event.group))
    if position.question is None or position.turn is None:
        raise BadInput(f"{event.by} answers, but nobody has asked; a question comes first")
    return form.answered(by, position.turn, position.question[1], yes=event.yes)


def _accepted(game: Quartets, position: Position, event: Event, form: DealForm) -> Position:
    by = game.player(event.by)
    position = evolve(position, form=form, fault=None, number=_count_up(game, position))
    if isinstance(event, Ask):
        to = game.player(event.to)
        return evolve(position, question=(to, game.card(event.card)), last=to)
    if isinstance(event, Quartet):
        position = evolve(position, won=(*position.won, (by, game.group(event.group))))
        following = by
    else:
        assert position.turn is not None
        following = position.turn if event.yes else by
    return _passed(game, evolve(position, question=None), following)


def _refused(game: Quartets, position: Position, event: Event, form: DealForm) -> Position:
    """Undo a losing statement, a wrong answer by the other one; its speaker has no more turns."""
    loser = game.player(event.by)
    stage = type(event).__name__.lower()
    fault = Fault(loser, stage, form.clash, form)
    # Who has lost can still be asked, and lose again by the answer.
    out = position.out if loser in position.out else (*position.out, loser)
    turn, asker = loser, position.turn
    lost = evolve(position, fault=fault, out=out, number=_count_up(game, position))
    if game.stop:
        return evolve(lost, turn=None, question=None, over="contradiction")
    if isinstance(event, Answer):
        assert position.question is not None
        assert asker is not None
        other = position.form.answered(loser, asker, position.question[1], yes=not event.yes)
        turn = loser if event.yes else asker
        lost = evolve(lost, form=other, question=None)
    if len(out) == len(game.players) - 1:
        return evolve(lost, turn=None, over="last one standing")
    return _passed(game, lost, turn)


def _count_up(game: Quartets, position: Position) -> int:
    return 0 if game.limit is None else position.number + 1


def _passed(game: Quartets, position: Position, to: int) -> Position:
    """Return the position with the turn passed on, or the game ended."""
    form = position.form
    if not any(True for _ in form.groups()):
        return evolve(position, turn=None, over="complete")
    turn = turn_after(form.hands(), to, position.last, game.house, position.out)
    return evolve(position, turn=turn, over="no cards" if turn is None else "")


def _counted(game: Quartets, position: Position) -> Position:
    """Return the position as a draw if it has occurred too often or the game is too long."""
    if position.over:
        return position
    if game.limit is not None and position.number >= game.limit:
        return evolve(position, turn=None, question=None, over="limit")
    if game.repetition is None or position.question is not None:
        return position
    here = evolve(position, past=(), number=0)
    past = position.past
    if past and _progress(position) != _progress(past[-1]):
        past = ()
    if past.count(here) + 1 >= game.repetition:
        return evolve(position, turn=None, over="repetition")
    return evolve(position, past=(*past, here))


def _progress(position: Position) -> Hashable:
    """Return what only ever grows, so that a position before a change cannot come again."""
    form = position.form
    return form.may, form.low, form.high, form.aside, position.out
