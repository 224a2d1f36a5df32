"""A bare problem as a game, so that knowledge needs only one form of what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from deduce.constraints import Constraint, Value, Variable
from deduce.errors import BadInput, BadProblem
from deduce.game import Event, HiddenGame, Viewer, hook
from deduce.problem import Evidence, Problem, Sees
from deduce.system.text import join

__all__ = ["BareGame", "game_of"]


def game_of(game: HiddenGame | Problem) -> HiddenGame:
    """Return a game, or a problem as a game.

    Raises
    ------
    BadInput
        It is neither.
    """
    if isinstance(game, Problem):
        return BareGame(game)
    if isinstance(game, type):
        raise BadInput(f"{game.__name__} is a class; make a set-up of it, {game.__name__}(...)")
    required = (HiddenGame.variables, HiddenGame.rules, HiddenGame.evidence)
    missing = [member.__name__ for member in required if hook(game, member) is None]
    if missing:
        raise BadInput(f"not a hidden game or a Problem: {game!r} has no {join(missing, 'or')}")
    return game


@frozen(repr=False)
class BareGame:
    """A problem as a game whose events are constraints."""

    problem: Problem

    def __repr__(self) -> str:
        return repr(self.problem)

    def check(self, event: Event) -> None:
        """Raise `BadInput` unless the event is a constraint about the problem."""
        try:
            self.problem.check(Evidence(event, 1).constraint)
        except BadProblem as error:
            raise BadInput(str(error)) from None

    def variables(self) -> Mapping[Variable, Sequence[Value]]:
        """Return the problem's domains."""
        return self.problem.domains

    def rules(self) -> Iterable[Any]:
        """Return the problem's rules."""
        return self.problem.rules

    def sees(self, log: Sequence[Constraint]) -> Sees:
        """Return what each player sees, whatever is told."""
        return self.problem.sees

    def evidence(self, log: Sequence[Constraint], viewer: Viewer) -> Iterator[Evidence]:
        """Return the problem's own evidence, then each constraint of the log."""
        yield from self.problem.evidence
        yield from self.evidence_after(log, 0, viewer)

    def evidence_after(
        self, log: Sequence[Constraint], number: int, viewer: Viewer
    ) -> Iterator[Evidence]:
        """Return the constraints after the first ``number`` ones."""
        for place in range(number, len(log)):
            yield Evidence(log[place], place + 1)
