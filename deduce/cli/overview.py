"""The commands that show everything at once: the grid, and what each event contributed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deduce.cli.ask import Ask
from deduce.cli.output import plot_option
from deduce.errors import Interrupted, Undecided
from deduce.game import Shown, hook
from deduce.reasoning.uncertainty import Moment
from deduce.reasoning.uncertainty import progress as moments_of
from deduce.show.jsonable import number_json, possible_json, shares_json
from deduce.show.table import Table
from deduce.system.text import join

if TYPE_CHECKING:
    from deduce.show.sheet import Grid

__all__ = ["answer_grid", "grid", "progress"]

SMALLEST = 0.005
"""Bits that are shown as 0.00."""

LESS_CERTAIN = (
    "less than 0 gained by event{s} {events}: bits are about what is asked, not about the world; "
    "fewer worlds are left, but the answer is less certain among them"
)
MORE_HIDDEN = "less than 0 gained by event{s} {events}: more is hidden after it than before"


@click.option("--shares", is_flag=True, help="Show shares of worlds instead of the posterior.")
@plot_option
def grid(ask: Ask, *, shares: bool, plot: Path | None) -> None:
    r"""Show a grid of what each VARIABLE may be: yes, no, or how probable.

    \b
    Example:  deduce GAME grid LOGFILE
              deduce GAME grid --shares --upto 5 LOGFILE
              deduce GAME grid --plot grid.png LOGFILE

    The percentages are posterior probabilities under the behaviour that the game declares; with
    --shares they are shares of the worlds that are still possible, which is not the same. Another
    name of this command is sheet.
    """
    knowledge = ask.knowledge

    def document(seen: Grid) -> dict[str, object]:
        return {
            "worlds": number_json(ask.number(knowledge.count)),
            "possible": possible_json(seen.possible),
            "shares": shares_json(ask.number(knowledge.shares)),
            "posterior": shares_json(ask.number(knowledge.posterior)),
        }

    answer_grid(ask, document, shares=shares, plot=plot)


def answer_grid(
    ask: Ask, document: Callable[[Grid], Mapping[str, object]], *, shares: bool, plot: Path | None
) -> None:
    """Answer with the grid: as JSON, or as the game's table, and as a figure where one is wanted.

    Raises
    ------
    Undecided
        Some of its cells are not known; the table has the others.
    """
    seen, undecided = ask.grid(shares=shares)
    tables = [] if ask.json else [ask.look.grid(ask.knowledge, seen)]
    if undecided:
        for table in tables:
            ask.print(table)
        raise undecided
    if plot is not None:
        from deduce.show.canvas import save
        from deduce.show.figures import marginals_figure

        save(marginals_figure(ask.knowledge, seen), plot)
    shown = dict(document(seen)) if ask.json else {}
    if not seen.exact:  # what is left is not known to be possible
        shown = {"exact": False, "not_excluded": shown.pop("possible", None), **shown}
    comments = hook(ask.knowledge.game, Shown.comments)
    lines = list(comments(ask.knowledge)) if comments else []
    ask.answer(shown | ({"comments": lines} if lines else {}), *tables, *lines)


@click.option(
    "--about",
    multiple=True,
    metavar="VARIABLE",
    help="A variable to ask about; may be repeated. [default: the questions of the game]",
)
@plot_option
def progress(ask: Ask, *, about: tuple[str, ...], plot: Path | None) -> bool:
    r"""Show what each event contributed: the worlds and the uncertainty left after each one.

    \b
    Example:  deduce GAME progress LOGFILE
              deduce GAME progress --plot bits.png LOGFILE

    A bit is the answer to one yes-no question that splits the possibilities in half. Exit code
    1: the log contradicts itself; the last line is the event after which no world is possible.
    """
    asked = tuple(ask.variable(name) for name in about)
    moments: list[Moment] = []
    undecided: Undecided | None = None
    try:
        for moment in moments_of(ask.knowledge, *asked):
            moments.append(moment)  # noqa: PERF402 (what is known when it is interrupted)
    except Undecided as error:
        undecided = error
    except KeyboardInterrupt:
        undecided = Interrupted("interrupted")
    table = Table(
        ("event", "worlds", "bits left", "gained"),
        [
            [
                str(moment.number),
                f"{moment.worlds:,}",
                "-" if moment.bits is None else f"{moment.bits:.2f}",
                "" if moment.told is None else f"{moment.told:z.2f}",
            ]
            for moment in moments
        ],
    )
    lost: dict[str, list[str]] = {LESS_CERTAIN: [], MORE_HIDDEN: []}
    for before, after in pairwise(moments):
        if after.told is not None and after.told < -SMALLEST:
            note = MORE_HIDDEN if after.worlds > before.worlds else LESS_CERTAIN
            lost[note].append(str(after.number))
    notes = [
        note.format(events=join(events), s="s" * (len(events) > 1))
        for note, events in lost.items()
        if events
    ]
    if undecided:
        if not ask.json:
            ask.print(table)
        raise undecided
    if plot is not None:
        from deduce.show.canvas import save
        from deduce.show.figures import entropy_figure

        save(entropy_figure(ask.knowledge, *asked, moments=moments), plot)
    found = [
        {
            "event": m.number,
            "worlds": str(m.worlds),
            "bits": m.bits,
            "told": m.told,
            "says": m.event,
        }
        for m in moments
    ]
    ask.answer({"moments": found}, table, *notes)
    return moments[-1].worlds > 0
