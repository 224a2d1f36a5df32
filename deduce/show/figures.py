"""Figures for papers and slides: heat maps, what is open after each event, growth.

Importing this module imports matplotlib (the extra ``plot``). `deduce.show.canvas` describes what a
`Figure` is and how it is saved. Colours are those of *cividis*: one order from dark to bright,
in grey print too, for readers with and without colour blindness (Nunez, Anderton and Renslow,
*Optimizing colormaps with consideration for color vision deficiency*, PLoS ONE 13(7), 2018). Each
title describes how to read the figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.reasoning.queries import Asked
from deduce.reasoning.uncertainty import Moment, asked_about, progress
from deduce.show.canvas import Figure, words
from deduce.show.sheet import Grid, grid_of, groups, knowledge_title
from deduce.system.text import by_name

__all__ = ["entropy_figure", "growth_figure", "marginals_figure"]

MOST = 200
"""How many variables a heat map shows at most."""

INK = "#1a1a1a"
STYLES = ("-", "--", ":", "-.")
MARKS = "osD^vPX*"


def marginals_figure(knowledge: Knowledge, grid: Grid | None = None) -> Figure:
    """Return a heat map of every variable against every value.

    Parameters
    ----------
    knowledge
        What is known.
    grid
        Which numbers to show; left out: the posterior.

    Raises
    ------
    BadInput
        There are more than 200 variables, which would be illegible, or no numbers to show.
    Contradiction
        No world fits.

    Examples
    --------
    >>> from deduce.problem import Problem
    >>> coin = Knowledge(Problem({"coin": ("heads", "tails")}))
    >>> [text.get_text() for text in marginals_figure(coin).axes[0].texts]
    ['50%', '50%']
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable

    grid = grid_of(knowledge) if grid is None else grid
    if grid.numbers is None:
        raise BadInput("the probabilities are not known within the budget; raise the time limit")
    domains = knowledge.problem.domains
    rows = [(head, v) for head, variables in groups(knowledge).items() for v in variables]
    if len(rows) > MOST:
        raise BadInput(f"a heat map of {len(rows)} variables cannot be read (at most {MOST})")
    values = by_name(dict.fromkeys(value for domain in domains.values() for value in domain))
    names = {variable: name for name, variable in by_name(domains).items()}
    shares = [
        [float(grid.numbers[v].get(x, 0)) if x in domains[v] else None for x in values.values()]
        for _, v in rows
    ]
    colours = colormaps["cividis"]
    longest = max((len(name) for name in names.values()), default=0)
    across = max(0.62, 0.075 * min(max(map(len, values), default=0), 24))
    size = 2.2 + 0.08 * min(longest, 30) + across * len(values), 1.4 + 0.24 * len(rows)
    figure = Figure(figsize=(max(size[0], 5.5), size[1]))
    axes = figure.add_subplot()
    for y, (line, (_, variable)) in enumerate(zip(shares, rows, strict=True)):
        for x, (share, value) in enumerate(zip(line, values.values(), strict=True)):
            if share is None:
                continue
            box = (x - 0.5, x + 0.5, y - 0.5, y + 0.5)
            axes.fill_between(box[:2], box[2], box[3], color=colours(share), linewidth=0)
            axes.text(
                x,
                y,
                grid.cell(variable, value).replace("no", "–"),
                ha="center",
                va="center",
                fontsize=8,
                color=_ink(colours(share)),
            )
    for x in range(1, len(values)):
        axes.axvline(x - 0.5, color="white", linewidth=0.6)
    for y in range(1, len(rows)):
        axes.axhline(y - 0.5, color="white", linewidth=0.6)
    before = None
    for y, (head, _) in enumerate(rows):
        if head != before and y:
            axes.axhline(y - 0.5, color="white", linewidth=4)
        before = head
    axes.set(xlim=(-0.5, len(values) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    axes.set_xticks(range(len(values)), [words(name, 24) for name in values], fontsize=9)
    axes.set_yticks(range(len(rows)), [words(names[v], 30) for _, v in rows], fontsize=9)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    if across * 14 < max(map(len, values), default=0):
        axes.tick_params(axis="x", rotation=60)
    scale = figure.colorbar(ScalarMappable(cmap=colours), ax=axes, fraction=0.05, pad=0.02)
    scale.set_label(f"{grid.kind} (0 to 1)", fontsize=9)
    scale.ax.tick_params(labelsize=8)
    title = f"{knowledge_title(knowledge, grid)}\nbright: probable; dark: improbable"
    figure.suptitle("\n".join(words(line, 110) for line in title.split("\n")), fontsize=10)
    return figure


def _ink(paper: Sequence[float]) -> str:
    """Return black or white, whichever has more contrast (WCAG 2.2, relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in paper[:3]]
    bright = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if (bright + 0.05) ** 2 < 1.05 * 0.05 else "black"


def entropy_figure(
    knowledge: Knowledge, *questions: Asked, moments: Sequence[Moment] | None = None
) -> Figure:
    """Return how many bits are open after every event of the log.

    Parameters
    ----------
    knowledge
        The log and whose eyes look at it.
    questions
        What is asked about; left out: what the game is about. See
        `deduce.reasoning.uncertainty.progress`.
    moments
        What `progress` has found already; left out: it is asked.

    Raises
    ------
    Undecided
        A budget ran out.

    Examples
    --------
    >>> from deduce.constraints import is_not
    >>> from deduce.problem import Problem
    >>> k = Knowledge(Problem({"prize": (1, 2, 3, 4)}), [is_not("prize", 1, 2)])
    >>> figure = entropy_figure(k)
    >>> figure.axes[0].get_xlabel(), figure.axes[0].lines[0].get_ydata().tolist()
    ('events of the log', [2.0, 1.0])
    """
    from matplotlib.ticker import MaxNLocator

    moments = list(progress(knowledge, *questions)) if moments is None else moments
    fitting = [moment for moment in moments if moment.bits is not None]
    numbers = [moment.number for moment in fitting]
    bits = [moment.bits or 0.0 for moment in fitting]
    figure = Figure(figsize=(7, 3.6))
    axes = figure.add_subplot()
    axes.step(numbers, bits, where="post", color="#00204d", linewidth=1.8, zorder=3)
    axes.plot(numbers, bits, "o", color="#00204d", markersize=4, zorder=4)
    axes.fill_between(numbers, bits, step="post", color="#00204d", alpha=0.12, linewidth=0)
    last = moments[-1].number if moments else 0
    if len(fitting) < len(moments):
        axes.axvline(last, color=INK, linestyle="--", linewidth=1)
        label = f"event {last}: no world is possible "
        axes.text(last, max(bits, default=1) * 0.97, label, ha="right", va="top", fontsize=9)
    elif bits:
        label = f" {bits[-1]:.2f} bits"
        axes.annotate(label, (numbers[-1], bits[-1]), xytext=(2, 5), textcoords="offset points")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlim=(0, max(last, 1) * 1.08), ylim=(0, None))
    axes.set_xlabel("events of the log")
    about = questions or asked_about(knowledge)
    axes.set_ylabel("open in the solution (bits)" if about else "open in the worlds (bits)")
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(
        "What is still open: one bit is one yes-no question, as good as can be", fontsize=10
    )
    return figure


def growth_figure(
    series: Mapping[str, Iterable[tuple[float, float]]],
    *,
    size: str,
    measure: str,
    title: str = "",
) -> Figure:
    """Return how a measure grows with the size of what is solved, on a logarithmic scale.

    Parameters
    ----------
    series
        For each method or game its points: size, and what was measured there (greater than 0).
    size
        What the size is, with its unit: ``"board (cells)"``.
    measure
        What was measured, with its unit: ``"time to solve (s)"``.
    title
        Of what; how to read the figure is added.

    Raises
    ------
    BadInput
        There is no point, or a measure that a logarithmic scale cannot show.

    Examples
    --------
    >>> points = [(2, 0.01), (3, 0.1), (4, 1.0)]
    >>> figure = growth_figure({"solve": points}, size="heaps", measure="time (s)")
    >>> figure.axes[0].get_yscale(), figure.axes[0].get_ylabel()
    ('log', 'time (s)')
    """
    from matplotlib import colormaps
    from matplotlib.ticker import MaxNLocator

    points = {name: sorted(measured) for name, measured in series.items()}
    every = [y for measured in points.values() for _, y in measured]
    if not every or min(every) <= 0:
        raise BadInput("a growth plot needs at least one measure, all greater than 0")
    figure = Figure(figsize=(6.4, 4.2))
    axes = figure.add_subplot()
    colours = colormaps["cividis"]
    for place, (name, measured) in enumerate(points.items()):
        axes.plot(
            [x for x, _ in measured],
            [y for _, y in measured],
            color=colours(0.6 * place / max(len(points) - 1, 1)),
            linestyle=STYLES[place % len(STYLES)],
            marker=MARKS[place % len(MARKS)],
            markersize=5,
            label=words(name, 40),
        )
    axes.set_yscale("log")
    if all(float(x).is_integer() for measured in points.values() for x, _ in measured):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(words(size, 80))
    axes.set_ylabel(words(measure, 80))
    axes.grid(color="0.9", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    if len(points) > 1:
        axes.legend(frameon=False, fontsize=9)
    reading = "a straight line multiplies by the same factor at every step"
    figure.suptitle(f"{words(title, 90)}\n{reading}" if title else reading, fontsize=10)
    return figure
