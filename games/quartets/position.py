"""Positions of the whole game as frozen values, and the position after a statement.

Source: docs/games/quartets.md, sections 1, 2 and 4 (readings 8 to 13).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from attrs import evolve, field, frozen

from deduce.errors import BadInput
from deduce.system.display import Displayed
from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.setup import Setup

__all__ = [
    "Fault",
    "Position",
    "Question",
    "actions",
    "answers",
    "askable",
    "certain",
    "declarable",
    "form_after",
    "position_after",
    "positions_of",
    "questions",
    "start_position",
    "turn_after",
    "winner_of",
]


@frozen
class Fault:
    """A losing statement: after it no deal remains possible.

    ``clash`` is what simple bookkeeping found; empty when each statement by itself looks fine and
    only all of them together are impossible.
    """

    loser: int
    stage: str
    """``"ask"``, ``"answer"`` or ``"quartet"``."""
    clash: str
    form: DealForm
    """What would be known if the statement were not undone."""


@frozen
class Position(Displayed):
    """A moment of the game, in which players, groups and cards are numbers.

    Parameters
    ----------
    form
        What is known about the cards.
    turn
        The player with the turn; ``None`` when the game is over.
    question
        While a question is open: the player who has to answer, and the card.
    last
        The player who was asked last.
    won
        The player and the number of each group laid aside, in order.
    out
        The players who lost by a contradiction, in order.
    over
        Why the game is over: ``"complete"``, ``"last one standing"``, ``"contradiction"``,
        ``"no cards"`` (the players who have not lost have none), ``"repetition"``, ``"limit"``;
        empty while it goes on.
    fault
        The losing statement, if the last statement was one.
    number
        How many statements were made, if the game has a limit; else 0.
    past
        The earlier positions that can come again, if a repetition ends the game.
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

    def speaker(self) -> int:
        """Return the player who has to speak now."""
        if self.turn is None:
            raise BadInput(f"the game is over: {self.over}")
        return self.turn if self.question is None else self.question[0]

    def quartets(self) -> tuple[int, ...]:
        """Return how many groups each player has laid aside."""
        counts = [0] * self.form.table.players
        for player, _ in self.won:
            counts[player] += 1
        return tuple(counts)

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
    """Return the winner, given the player who laid aside each group, in order.

    The player with the most groups wins; on a tie, the one whose own last group came earliest.

    >>> winner_of([2, 1, 0])
    2
    """
    if not order:
        return None
    last = {player: index for index, player in enumerate(order)}
    return max(last, key=lambda player: (order.count(player), -last[player]))


def turn_after(
    hands: Sequence[int], player: int, last: int | None, house: str, out: Sequence[int] = ()
) -> int | None:
    """Return who has the turn when it passes to ``player``; ``None`` if no player can have it.

    Parameters
    ----------
    hands
        How many cards each player holds.
    player
        The player who has it if they have cards and have not lost.
    last
        The player asked last, who is next in line.
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
    clockwise = [p for k in range(1, len(hands)) if able[p := (player + k) % len(hands)]]
    if not clockwise:
        return None
    if house == "y":
        return min(clockwise, key=lambda p: hands[p])
    if house == "z":
        return max(clockwise, key=lambda p: hands[p])
    return clockwise[0]


def start_position(game: Setup) -> Position:
    """Return the position before the first statement.

    Raises
    ------
    BadInput
        No deal fits the set-up: one player must hold a complete group, which is excluded.
    """
    form = game.start_form()
    if not form.is_valid:
        raise BadInput("no deal is possible without a complete group in one hand")
    turn = turn_after(game.hands, game.player(game.start), None, game.house)
    return _counted(game, Position(form, turn))


def position_after(game: Setup, position: Position, event: Event) -> Position:
    """Return the position after a statement; one that leaves no deal is a losing statement.

    Raises
    ------
    BadInput
        The statement cannot be made now: it is another player's turn, there is no question to
        answer, the player asked has no cards, a name does not exist, or the game is over.
    """
    check(game, position, event)
    form = form_after(game, position, event)
    if form.is_valid:
        following = _accepted(game, position, event, form)
    else:
        following = _refused(game, position, event, form)
    return _counted(game, following)


def positions_of(game: Setup, log: Sequence[Event]) -> list[Position]:
    """Return the positions before, between and after the statements of a log.

    Raises
    ------
    BadInput
        A statement cannot be made; its number is in the message.
    """
    positions = [start_position(game)]
    for number, event in enumerate(log, start=1):
        try:
            positions.append(position_after(game, positions[-1], event))
        except BadInput as error:
            raise BadInput(f"statement {number}: {error.message}") from None
    return positions


def check(game: Setup, position: Position, event: Event) -> None:
    """Raise `BadInput` if the statement cannot be made now, whether losing or not."""
    game.check(event)
    name = game.players
    speaker = position.speaker()
    if position.question is not None and not isinstance(event, Answer):
        asker, card = name[position.turn or 0], game.cards[position.question[1]]
        raise BadInput(f"{name[speaker]} has yet to answer {asker}, who asked for {card}")
    if position.question is None and isinstance(event, Answer):
        raise BadInput(f"{event.by} answers, but no question was asked; a question comes first")
    if game.player(event.by) != speaker:
        does = "to answer" if position.question is not None else "the turn"
        raise BadInput(f"{event.by} speaks, but {name[speaker]} has {does}")
    if isinstance(event, Ask) and not position.form.hands()[game.player(event.to)]:
        raise BadInput(f"{event.to} has no cards and cannot be asked")


def form_after(game: Setup, position: Position, event: Event) -> DealForm:
    """Return what is known after a statement, valid or not, regardless of whose turn it is."""
    form, by = position.form, game.player(event.by)
    if isinstance(event, Ask):
        card = game.card(event.card)
        return form.asked(by, card, ask_own=game.ask_own, silence=game.silence)
    if isinstance(event, Quartet):
        return form.declared(by, game.group(event.group))
    if position.question is None or position.turn is None:
        raise BadInput(f"{event.by} answers, but no question was asked; a question comes first")
    return form.answered(by, position.turn, position.question[1], yes=event.yes)


def _accepted(game: Setup, position: Position, event: Event, form: DealForm) -> Position:
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


def _refused(game: Setup, position: Position, event: Event, form: DealForm) -> Position:
    """Undo a losing statement, a wrong answer by the other one; its speaker has no more turns."""
    loser = game.player(event.by)
    stage = type(event).__name__.lower()
    fault = Fault(loser, stage, form.clash, form)
    # Players who have lost can still be asked, and lose again by an answer.
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


def _count_up(game: Setup, position: Position) -> int:
    return 0 if game.limit is None else position.number + 1


def _passed(game: Setup, position: Position, to: int) -> Position:
    """Return the position with the turn passed on, or the game ended."""
    form = position.form
    if not any(True for _ in form.groups()):
        return evolve(position, turn=None, over="complete")
    turn = turn_after(form.hands(), to, position.last, game.house, position.out)
    return evolve(position, turn=turn, over="no cards" if turn is None else "")


def _counted(game: Setup, position: Position) -> Position:
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
    """Return what can only change in one direction: older positions cannot come again then."""
    form = position.form
    return form.may, form.low, form.high, form.aside, position.out


@frozen
class Question:
    """A question that leaves a deal, and whether each answer does; a single one is forced."""

    ask: Ask
    yes: bool
    no: bool

    @property
    def forced(self) -> bool | None:
        """The only answer that leaves a deal; ``None`` if both do."""
        return None if self.yes and self.no else self.yes


def _asked_forms(game: Setup, position: Position, by: int) -> Iterator[tuple[int, DealForm]]:
    """Yield every card that may be asked for, with what would be known then.

    If askers may hold the card themselves, the question states the same for all cards of a group,
    and one form serves them all.
    """
    form = position.form
    for group in form.groups():
        mask = form.table.masks[group]
        first = (mask & -mask).bit_length() - 1
        shared = form.asked(by, first, ask_own=True, silence=game.silence)
        if not shared.is_valid:
            continue
        for card in range(first, first + form.table.sizes[group]):
            if game.ask_own or not (form.open | form.located[by]) & 1 << card:
                yield card, shared
            else:
                asked = form.asked(by, card, ask_own=False, silence=game.silence)
                if asked.is_valid:
                    yield card, asked


def questions(game: Setup, position: Position) -> list[Question]:
    """Return every question that leaves a deal, with the answers that do.

    Parameters
    ----------
    game, position
        The game, in a position where no question is open.

    Notes
    -----
    Cost: one validity check and one table of possible holders for each card in play.

    Examples
    --------
    >>> from games.quartets.position import start_position
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben", "Cid"), named_groups([2, 2, 2]))
    >>> len(questions(game, start_position(game)))
    12
    """
    by = position.speaker()
    others = [p for p, n in enumerate(position.form.hands()) if n and p != by]
    if not others or not position.form.hands()[by]:
        return []
    name = game.players
    return [
        Question(
            Ask(name[by], name[to], game.cards[card]),
            form.can_answer(to, card, yes=True),
            form.can_answer(to, card, yes=False),
        )
        for card, form in _asked_forms(game, position, by)
        for to in others
    ]


def askable(game: Setup, position: Position, by: int | None = None) -> list[int]:
    """Return the groups of which some card can be asked for, if another player has cards."""
    by = position.speaker() if by is None else by
    group_of = position.form.table.group_of
    return sorted({group_of[card] for card, _ in _asked_forms(game, position, by)})


def answers(game: Setup, position: Position) -> list[Answer]:
    """Return the answers to the open question that leave a deal: one, if forced, or two."""
    assert position.question is not None
    to, card = position.question
    name = game.players[to]
    return [
        Answer(name, yes) for yes in (True, False) if position.form.can_answer(to, card, yes=yes)
    ]


def declarable(position: Position) -> list[int]:
    """Return the groups that the player with the turn could declare without contradiction."""
    by = position.speaker()
    return [group for group in position.form.groups() if position.form.can_declare(by, group)]


def certain(position: Position) -> list[int]:
    """Return the groups that the player with the turn holds in every deal."""
    by = position.speaker()
    return [group for group in position.form.groups() if position.form.is_certain(by, group)]


def actions(game: Setup, position: Position) -> list[Event]:
    """Return every statement that can be made and leaves a deal, without repeats.

    A player with cards always has one, and so does a player who has to answer.
    """
    if position.question is not None:
        return list(answers(game, position))
    by = position.speaker()
    name = game.players
    hands = position.form.hands()
    declared: list[Event] = [
        Quartet(name[by], game.group_names[group]) for group in declarable(position)
    ]
    asked = [
        Ask(name[by], name[to], game.cards[card])
        for card, _ in _asked_forms(game, position, by)
        for to, n in enumerate(hands)
        if n and to != by
    ]
    return declared + asked
