r"""The commands ``deduce pigs ...``: of every hidden game, of the exact method, of the simulator.

What only some commands need is imported when they run. Help texts contain ``\b``, click's mark for
lines that must not be wrapped, so they are not raw.
"""

from __future__ import annotations

from functools import wraps

from deduce.cli import Ask, GameCommands, Look, slips
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.show.sheet import Grid
from deduce.show.table import Table
from games.pigs import REGISTRATION

__all__ = ["pigs", "why_by_engine"]


def _roles_table(knowledge: Knowledge, grid: Grid) -> Table:
    from games.pigs.show import roles_table

    return roles_table(knowledge, grid)


def _deal_text(knowledge: Knowledge, world: World) -> str:
    from games.pigs.show import deal_text

    return deal_text(knowledge, world)


LOOK = Look(
    example="'role 3=ZP'",
    log="game.pigs",
    new="--set seats=5 ",
    grid=_roles_table,
    world=_deal_text,
)

pigs = GameCommands(REGISTRATION, LOOK)
pigs.help = f"""{REGISTRATION.summary}.

\b
Example:  deduce pigs deal --seed 1 | deduce pigs log | deduce pigs infer
          deduce pigs why 3=ZP game.pigs
          deduce pigs check game.pigs

check, infer, why and timeline use the exact method of this game, which is fast on logs of any
length. The other commands about logs, and check and why with --engine, use the engines of the
toolkit.

Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable input, 4 undecided."""

why_by_engine = pigs.commands["why"]
"""The command ``why`` of every hidden game, for claims that the exact method does not take."""

for module, name, summary in (
    ("logs", "infer", "Show which roles are possible and certain, and their probabilities."),
    ("logs", "why", "Show the smallest set of events that forces a role, in sentences."),
    ("logs", "timeline", "Show the probabilities after every event, and when each role "
     "became certain."),
    ("games", "simulate", "Play a game and print its outcome in the contest's format."),
    ("games", "deal", "Print a random deal in the contest's format."),
    ("games", "log", "Play a game and print its public log: what every seat saw."),
    ("games", "puzzle", "Make a short log from which all roles follow although some seats have "
     "not declared."),
):  # fmt: skip
    pigs.add_lazy(name, f"games.pigs.cli.{module}:{name}_command", summary)


@pigs.on_log("check")
@wraps(slips.check)
def check(ask: Ask) -> bool:
    from games.pigs.proofs import first_impossible_event
    from games.pigs.setup import log_of

    knowledge = ask.knowledge
    if knowledge.engine != "auto" or knowledge.assumed:
        return slips.check(ask)
    return slips.check(ask, consistent=first_impossible_event(log_of(knowledge)) is None)
