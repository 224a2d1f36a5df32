"""Answers as text: grids, tables of distributions, worlds, explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import frozen

from deduce.constraints import Value, Variable
from deduce.errors import Contradiction, Undecided
from deduce.estimates import Estimate, EstimatedDistribution
from deduce.game import RECORD, Shown, hook
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.reasoning.explain import Why
from deduce.reasoning.queries import Distribution
from deduce.show.table import Table, percent
from deduce.system.text import name_of, plural, world_line

__all__ = [
    "ESTIMATED",
    "ROWS",
    "SINGULAR",
    "Grid",
    "distribution_table",
    "grid_of",
    "groups",
    "knowledge_title",
    "why_text",
    "world_text",
]


ESTIMATED = "~ estimated from drawn worlds; after ± and < is a 95 % interval, not a certainty"
"""What is said below estimates."""

ROWS = 20
"""How many combinations of answers the table of a distribution shows."""


SINGULAR = {"probabilities": "probability", "shares of worlds": "share of worlds"}
"""What one number of a grid is, by what its numbers are."""


@frozen
class Grid:
    """The content of a grid of variables by values.

    Parameters
    ----------
    possible
        The values that each variable has in some world (or that nothing has excluded yet).
    numbers
        The posterior or the share of worlds of each value, or ``None`` when they are not known;
        where they are estimated, ``possible`` has what is not excluded.
    kind
        What the numbers are: ``"probabilities"`` or ``"shares of worlds"``.
    estimates
        Whether other numbers that are shown with it may be estimated.
    """

    possible: Mapping[Variable, frozenset[Value]]
    numbers: Mapping[Variable, Mapping[Value, Fraction | Estimate]] | None = None
    kind: str = "probabilities"
    estimates: bool = False

    @property
    def exact(self) -> bool:
        """Whether no number is estimated."""
        rows = (self.numbers or {}).values()
        return all(not isinstance(x, Estimate) or x.exact for row in rows for x in row.values())

    def cell(self, variable: Variable, value: Value) -> str:
        """Return ``"yes"``, ``"no"``, a percentage, or ``"?"`` where the number is not known."""
        values = self.possible[variable]
        if value not in values:
            return "no"
        if len(values) == 1:
            return "yes"
        return "?" if self.numbers is None else percent(self.numbers[variable][value])


def grid_of(knowledge: Knowledge) -> Grid:
    """Return the posterior of everything; over budget, what is not excluded, without numbers.

    Exact numbers are in the grid only if the shares of worlds are known too, so that both can be
    shown.

    Raises
    ------
    Contradiction
        There is no world.
    """
    try:
        numbers = knowledge.posterior()
        knowledge.shares()
    except Undecided as error:
        if not error.known and knowledge.problem.domains:
            raise Contradiction from None
        return Grid(error.known)
    return Grid({variable: frozenset(row) for variable, row in numbers.items()}, numbers)


def groups(knowledge: Knowledge) -> Mapping[str, Sequence[Variable]]:
    """Return the variables under the game's headings; without any, all under an empty one.

    What was drawn in the course of the log has a heading of its own.
    """
    variables = knowledge.problem.domains
    named = hook(knowledge.game, Shown.groups)
    if named is None:
        return {"": list(variables)}
    headed: Mapping[str, Sequence[Variable]] = named() if callable(named) else named
    drawn = [v for v in variables if v not in knowledge.game.variables()]
    return {**headed, "drawn": drawn} if drawn else headed


def knowledge_title(knowledge: Knowledge, grid: Grid) -> str:
    """Return whose knowledge it is, after how many events, and the number of worlds."""
    viewer, number = knowledge.viewer, len(knowledge.log)
    whose = "What the log shows" if viewer is RECORD else f"What {viewer} knows"
    whose = "What all players know" if viewer is None else whose
    what_if = " and ".join(map(knowledge.say, knowledge.assumed))
    title = f"{whose} after {plural(number, 'event')}"
    title += f", if {what_if}" if what_if else ""
    if grid.numbers is None:
        return title
    if not grid.exact:
        return f"{title}: {knowledge.count(estimate=True)} worlds"
    worlds = knowledge.count()
    return f"{title}: {plural(worlds, 'world')}"


def distribution_table(distribution: Distribution | EstimatedDistribution) -> Table:
    """Return the most likely combinations of answers, at most `ROWS`, with the entropy.

    Of an estimate, how probable what no drawn world has may be takes the place of the entropy.
    """
    rows = [
        (", ".join(map(name_of, answers)), percent(distribution[answers]))
        for answers in list(distribution)[:ROWS]
    ]
    if isinstance(distribution, EstimatedDistribution) and distribution.exact:
        notes = []
    elif isinstance(distribution, EstimatedDistribution):
        notes = [ESTIMATED, f"any other answer: up to {distribution.unseen:.2%}"]
    else:
        notes = [f"{distribution.entropy():.2f} bits of uncertainty"]
    if len(distribution) > ROWS:
        notes.append(f"the first {ROWS} of {len(distribution)} combinations are shown")
    return Table(("answer", "probability"), rows, notes=tuple(notes))


def world_text(knowledge: Knowledge, world: World) -> str:
    """Return a world as ``variable=value, ...``."""
    return world_line(world)


def why_text(knowledge: Knowledge, why: Why) -> str:
    """Return an explanation in lines, without the example worlds of an open claim."""
    return why.proof
