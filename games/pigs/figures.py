"""Who is a rebel, event by event, as a figure; through matplotlib (the extra ``plot``)."""

from __future__ import annotations

from deduce.show.canvas import Figure, words
from games.pigs.cards import ROLE_NAMES
from games.pigs.events import Turn
from games.pigs.timeline import ROUTES, Timeline

__all__ = ["timeline_figure"]

INK, FILL = "#00204d", "#7b8fb5"


def timeline_figure(story: Timeline) -> Figure:
    r"""Return the probability of being a rebel over the events of a log, a row a seat.

    A dot marks the event after which a role was certain, grey lines mark turns.

    Examples
    --------
    >>> from games.pigs.logtext import parse_log
    >>> from games.pigs.timeline import timeline
    >>> figure = timeline_figure(timeline(parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")))
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['seat 2', 'seat 3']
    """
    from matplotlib.ticker import MaxNLocator

    seats = range(2, len(story.moments[0].rebel) + 1)
    numbers = [moment.number for moment in story.moments]
    turns = [moment.number for moment in story.moments if isinstance(moment.event, Turn)]
    certain = {known.seat: known for known in story.certain}
    figure = Figure(figsize=(9, 1.4 + 0.8 * len(seats)))
    rows = figure.subplots(len(seats), 1, sharex=True, squeeze=False)[:, 0]
    for seat, axes in zip(seats, rows, strict=True):
        values = [float(moment.rebel[seat - 1]) for moment in story.moments]
        axes.vlines(turns, 0, 1, color="0.88", linewidth=0.8)
        axes.fill_between(numbers, values, step="post", color=FILL, alpha=0.45, linewidth=0)
        axes.step(numbers, values, where="post", color=INK, linewidth=1.6)
        if seat in certain:
            known = certain[seat]
            axes.plot(known.number, values[known.number], "o", color="black", clip_on=False)
            told = words(f"{ROLE_NAMES[known.role]}: {ROUTES[known.route]}")
            axes.set_title(told, loc="right", fontsize=9, pad=3)
        axes.set(ylim=(0, 1), yticks=(0, 0.5, 1), xlim=(0, max(numbers[-1], 1)))
        axes.set_yticklabels(("0", "", "1"), fontsize=8)
        axes.set_ylabel(f"seat {seat}", rotation=0, ha="right", va="center")
        axes.spines[["top", "right"]].set_visible(False)
    rows[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    rows[-1].set_xlabel("events of the log (grey: a turn begins; dot: the role became certain)")
    figure.suptitle("Probability of being a rebel, from 0 (loyal) to 1 (rebel)", fontsize=11)
    return figure
