"""The probability of the guilty cards by simple rules, as the console game reports it.

Source: the text that the simple players come from (docs/games/cluedo-players.md, section 3): before
a player accuses, each category is reduced by simple rules; if one card is left in each, these are
the guilty cards; otherwise the player does not accuse and reports a probability. Here that is one
over the number of solutions that the rules leave, which all count the same.

The envelope is always among the solutions that sound rules leave, so the score is the average of
their exact probabilities: right for a solution picked at random, too low for the best one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

from attrs import frozen

from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.show.table import Table, percent
from deduce.text import plural
from games.cluedo.knowledge import game_of, seen_log
from games.cluedo.play.simple_players import Sheet

__all__ = ["Guilty", "guilty_table", "simple_rules"]


@frozen
class Guilty:
    """What simple rules leave of the solution.

    Parameters
    ----------
    candidates
        For each category the cards that may be in the envelope.
    """

    candidates: Mapping[str, tuple[str, ...]]

    @property
    def count(self) -> int:
        """The number of solutions."""
        return prod(len(cards) for cards in self.candidates.values())

    @property
    def score(self) -> Fraction:
        """The probability of each solution, if all are equally probable."""
        return Fraction(1, max(1, self.count))

    @property
    def solution(self) -> tuple[str, ...] | None:
        """The guilty cards, if the rules are certain."""
        return next(iter(self.solutions())) if self.count == 1 else None

    def solutions(self) -> list[tuple[str, ...]]:
        """Return all solutions that are left."""
        return list(product(*self.candidates.values()))


def simple_rules(knowledge: Knowledge) -> Guilty:
    """Return what simple rules leave of the solution, for the viewer of the knowledge.

    Examples
    --------
    >>> from games.cluedo import Cluedo, Hand
    >>> game = Cluedo(("Ann", "Ben", "Cid"), me="Ann")
    >>> hand = ("Professor Plum", "Mrs White", "Rope", "Dagger", "Spanner", "Revolver")
    >>> guilty = simple_rules(Knowledge(game, [Hand("Ann", hand)]))
    >>> guilty.count, guilty.score
    (72, Fraction(1, 72))
    """
    game = game_of(knowledge)
    sheet = Sheet(game)
    viewer = game.me if knowledge.viewer is RECORD else knowledge.viewer
    everything = knowledge.viewer is RECORD and game.me is None
    log = knowledge.log if everything else seen_log(game, knowledge.log, viewer)
    for event in log:
        sheet.tell(event)
    return Guilty(sheet.candidates())


def guilty_table(knowledge: Knowledge, guilty: Guilty) -> Table:
    """Return what the simple rules leave, with their score and the exact probability."""
    exact = knowledge.joint(*game_of(knowledge).questions())
    best, chance = next(iter(exact.items()))
    rows = [(category, ", ".join(cards)) for category, cards in guilty.candidates.items()]
    each = "it is certain" if guilty.count == 1 else f"{percent(guilty.score)} each"
    notes = (
        f"simple rules: {plural(guilty.count, 'solution')}, {each}",
        f"exact: {plural(len(exact), 'solution')}; the most probable is "
        f"{', '.join(map(str, best))}, {percent(chance)}",
    )
    title = f"What simple rules leave after {plural(len(knowledge.log), 'event')}"
    return Table(("category", "may be guilty"), rows, title, notes)
