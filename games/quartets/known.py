"""What is known and who speaks, without the names of what is certain; and what can follow.

The same moves as those of `games.quartets.moves`, by sets of deals in place of deal forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from deduce.errors import BadInput
from games.quartets.position import Position, turn_after
from games.quartets.setup import Setup
from games.quartets.worlds import Worlds

__all__ = ["Known", "following", "known_of"]


@frozen
class Known:
    """What is known about the cards, and who speaks."""

    deals: int
    """The deals that remain, as a set; see `games.quartets.worlds`."""
    hands: tuple[int, ...]
    aside: int
    """The groups laid aside, as a bitmask."""
    turn: int
    """The player with the turn; player 0 when all groups are laid aside."""
    question: tuple[int, int] | None
    last: int | None
    """The player asked last, where that can matter: if the player with the turn may come to have no
    cards before there is another question."""
    won: tuple[int, ...]
    """The players who laid a group aside, in order."""

    def is_over(self, worlds: Worlds) -> bool:
        """Return whether all groups are laid aside."""
        return self.aside == (1 << len(worlds.cards)) - 1


def known_of(worlds: Worlds, position: Position) -> Known:
    """Return what is known in a position.

    Raises
    ------
    BadInput
        A player has lost, or the game was ended by a rule about its length.
    """
    if position.out or position.over not in ("", "complete"):
        raise BadInput("positions in which a player has lost have no number")
    form = position.form
    known = Known(
        worlds.described(form),
        form.hands(),
        form.aside,
        position.turn or 0,
        position.question,
        position.last,
        tuple(player for player, _ in position.won),
    )
    return known if position.question else _settled(worlds, known)


def following(setup: Setup, worlds: Worlds, known: Known) -> Iterator[Known]:
    """Yield what is known after each statement that leaves a deal; none if the game is over."""
    if known.is_over(worlds):
        return
    if known.question is not None:
        yield from _answered(setup, worlds, known, *known.question)
        return
    by, hands = known.turn, known.hands
    groups = [group for group in range(len(worlds.cards)) if not known.aside >> group & 1]
    for group in groups:
        if known.deals & worlds.whole[by][group]:
            yield _declared(setup, worlds, known, group)
    others = [player for player, size in enumerate(hands) if size and player != by]
    deals = known.deals
    if setup.silence:
        for group in groups:
            deals &= ~worlds.whole[by][group]
    for group in groups:
        asked = deals & worlds.some[by][group]
        for card in worlds.cards[group]:
            left = asked if setup.ask_own else asked & ~worlds.holds[by][card]
            if left:
                for to in others:
                    yield evolve(known, deals=left, question=(to, card), last=to)


def _answered(setup: Setup, worlds: Worlds, known: Known, by: int, card: int) -> Iterator[Known]:
    to = known.turn
    yes = known.deals & worlds.holds[by][card]
    if yes:
        hands = list(known.hands)
        hands[by] -= 1
        hands[to] += 1
        deals = worlds.moved(yes, card, by, to)
        after = evolve(known, deals=deals, hands=tuple(hands), question=None)
        yield _passed(setup, worlds, after, to)
    no = known.deals & ~worlds.holds[by][card]
    if no:
        yield _passed(setup, worlds, evolve(known, deals=no, question=None), by)


def _declared(setup: Setup, worlds: Worlds, known: Known, group: int) -> Known:
    by, hands = known.turn, list(known.hands)
    deals = known.deals & worlds.whole[by][group]
    for card in worlds.cards[group]:
        deals = worlds.moved(deals, card, by, 0)
    hands[by] -= len(worlds.cards[group])
    after = evolve(
        known,
        deals=deals,
        hands=tuple(hands),
        aside=known.aside | 1 << group,
        won=(*known.won, by),
    )
    return _passed(setup, worlds, after, by)


def _passed(setup: Setup, worlds: Worlds, known: Known, to: int) -> Known:
    turn = turn_after(known.hands, to, known.last, setup.house)
    return _settled(worlds, evolve(known, turn=turn or 0))


def _settled(worlds: Worlds, known: Known) -> Known:
    """Return the same without the player asked last, if that cannot matter."""
    if known.last is None:
        return known
    emptied = {0}
    for group, cards in enumerate(worlds.cards):
        if not known.aside >> group & 1 and known.deals & worlds.whole[known.turn][group]:
            emptied |= {size + len(cards) for size in emptied}
    matters = not known.is_over(worlds) and known.hands[known.turn] in emptied
    return known if matters else evolve(known, last=None)
