"""The statements that are possible in a position: questions, answers and declarations."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.position import Position
from games.quartets.setup import Setup

__all__ = ["Question", "actions", "answers", "askable", "certain", "declarable", "questions"]


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


def questions(game: Setup, position: Position, by: int | None = None) -> list[Question]:
    """Return every question that leaves a deal, with the answers that do.

    Parameters
    ----------
    game, position
        The game, in a position where no question is open.
    by
        The asker; left out: the player with the turn.

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
    by = position.speaker() if by is None else by
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


def declarable(position: Position, by: int | None = None) -> list[int]:
    """Return the groups that the player could declare without contradiction."""
    by = position.speaker() if by is None else by
    return [group for group in position.form.groups() if position.form.can_declare(by, group)]


def certain(position: Position, by: int | None = None) -> list[int]:
    """Return the groups that the player holds in every deal."""
    by = position.speaker() if by is None else by
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
