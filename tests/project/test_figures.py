"""Figures for papers: names as they are, the same bytes each time, no global state, commands."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given

from deduce.cli.main import cli
from deduce.constraints import is_, is_not
from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.reasoning.uncertainty import progress
from deduce.system.registry import examples
from tests.project import pages

pytest.importorskip("matplotlib")

from deduce.show import figures
from deduce.show.canvas import Figure, Form, save, words

EVENING = str(next(path for path in examples() if path.name == "evening.cluedo"))


def doors(*told: Any) -> Knowledge:
    return Knowledge(Problem({"prize": (1, 2, 3, 4), "goat $x$": ("a", "中")}), told)


DRAWN: dict[str, tuple[Callable[[], Figure], Form]] = {
    "marginals": (lambda: figures.marginals_figure(doors()), "svg"),
    "entropy": (
        lambda: figures.entropy_figure(doors(is_not("prize", 1), is_("prize", 2))),
        "pdf",
    ),
    "growth": (
        lambda: figures.growth_figure({"$a$": [(1, 2), (2, 4)]}, size="$n$", measure="$s$"),
        "png",
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_figure_is_the_same_file(name: str) -> None:
    draw, form = DRAWN[name]
    written = []
    for _ in range(2):
        file = BytesIO()
        save(draw(), file, form)
        written.append(file.getvalue())
    assert written[0] == written[1]
    assert len(written[0]) > 2000


def texts(figure: Figure) -> str:
    from matplotlib.text import Text

    found: list[Any] = figure.findobj(Text)
    return "\n".join(text.get_text() for text in found)


def test_dollars_in_names_start_no_formula_and_lacking_letters_are_written_out() -> None:
    told = texts(figures.marginals_figure(doors()))
    assert r"goat \$x\$" in told
    assert r"\u4e2d" in told
    assert "to 1" in told


@given(pages.names)
def test_any_name_can_be_drawn_without_a_warning(name: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = Figure(figsize=(3, 1))
    figure.text(0.1, 0.5, words(name, 30))
    figure.text(0.1, 0.1, words(name, family="monospace"), family="monospace")
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]


def test_what_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    many = Knowledge(Problem(dict.fromkeys(range(201), (1, 2))))
    with pytest.raises(BadInput, match="201 variables"):
        figures.marginals_figure(many)
    with pytest.raises(Contradiction):
        figures.marginals_figure(doors(is_not("prize", 1, 2, 3, 4)))
    nothing: list[dict[str, list[tuple[float, float]]]] = [{}, {"a": []}, {"a": [(1, 0)]}]
    for series in nothing:
        with pytest.raises(BadInput, match="greater than 0"):
            figures.growth_figure(series, size="n", measure="s")
    with pytest.raises(BadInput, match=r"ending in \.png, \.svg or \.pdf"):
        save(Figure(), tmp_path / "a.txt")
    with pytest.raises(BadInput, match="cannot be written"):
        save(Figure(), tmp_path / "no" / "a.png")


def test_progress_about_all_variables_needs_no_joint_distribution() -> None:
    coins = Knowledge(Problem(dict.fromkeys(range(30), ("heads", "tails"))))
    assert [moment.bits for moment in progress(coins.tell("7=heads"), *range(30))] == [30, 29]


def test_progress_ends_where_the_log_contradicts_itself() -> None:
    moments = list(progress(doors(is_not("prize", 1, 2), is_("prize", 1), is_("prize", 4))))
    assert [(m.worlds, m.bits) for m in moments] == [(8, 3.0), (4, 2.0), (0, None)]
    figure = figures.entropy_figure(doors(), moments=moments)
    assert "event 2: no world is possible" in texts(figure)


# The commands


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, list(arguments))


def test_commands_draw(tmp_path: Path) -> None:
    file = tmp_path / "drawn.svg"
    found = run("cluedo", "sheet", "--plot", str(file), EVENING)
    assert found.exit_code == 0
    assert "<svg" in file.read_text("utf-8")
    assert found.output == run("cluedo", "sheet", EVENING).output
    wrong = run("cluedo", "sheet", "--plot", str(tmp_path / "a.gif"), EVENING)
    assert wrong.exit_code == 2
    assert "ends in none of .png, .svg, .pdf" in wrong.output
    early = run("cluedo", "sheet", "--plot", "a.gif", "no-such-log")
    assert early.exit_code == 2
    assert "ends in none of" in early.output
    lost = run("cluedo", "sheet", "--plot", str(tmp_path / "no" / "a.png"), EVENING)
    assert isinstance(lost.exception, BadInput)
