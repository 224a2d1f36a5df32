"""The views that notebooks show of results: the same words as the text, beside the board.

`deduce.system.display` imports this module when a value of `deduce.search` is first displayed.
"""

from __future__ import annotations

from html import escape

from deduce.search.board import Board, svg_of_state
from deduce.search.drawing import graph_svg
from deduce.search.game import Extra, hook, text_of_player
from deduce.search.graph import StateGraph
from deduce.search.result import (
    AnyResult,
    Result,
    Solution,
    action_facts,
    between,
    effort,
    facts,
    line_texts,
    number,
)
from deduce.search.solvers.pimc import PimcResult, as_table
from deduce.show.table import HEAD, number_html, row_html, side_by_side, table_html
from deduce.system.display import register
from deduce.system.text import visible

__all__ = ["board_html", "graph_html", "result_html"]

MAX_BOARDS = 24
"""How many boards of a line are shown; the rest is text."""


def result_html(result: AnyResult) -> str:
    """Return a result: the board, what is known, every valued action, and the best line.

    >>> from deduce.search.solvers.alphabeta import alphabeta
    >>> from games.classics.nim import Nim
    >>> html = result_html(alphabeta(Nim((1, 2))))
    >>> html.count("<svg"), "(1, -1), proved" in html
    (4, True)
    """
    game = result.game
    rows = [_wide(name, text) for name, text in facts(game, result)]
    mover = result.mover or 0
    values = [float(known.utilities[mover]) for known in result.root_values.values()]
    shares = between(values, hook(game, Extra.utility_bounds, None))
    for (action, text), share in zip(action_facts(game, result), shares, strict=True):
        cell = number_html(share, text.strip(), text.strip())
        rows.append(row_html(visible(action), [cell], indented=True))
    rows.append(_wide("effort", effort(result)))
    board = None if game is None else svg_of_state(game, result.state)
    return side_by_side(board or "", table_html("", (), rows, ()) + _boards(result))


def board_html(board: Board) -> str:
    """Return a state as the game draws it or writes it, with whose turn it is below.

    >>> from games.classics.nim import Nim
    >>> "player 0 to move" in board_html(Board(Nim((1, 2))))
    True
    """
    picture = svg_of_state(board.game, board.state)
    if picture is None:
        text = str(board).removesuffix(f"\n{board.standing}")
        picture = f'<pre style="margin:0">{escape(text)}</pre>'
    return f"<div>{picture}<div>{escape(visible(board.standing))}</div></div>"


def _wide(name: str, text: str) -> str:
    style = f"{HEAD}white-space:normal;overflow-wrap:anywhere"
    return row_html(name, [f'<td style="{style}">{escape(visible(text))}</td>'])


def _boards(result: AnyResult) -> str:
    """Return the best line board by board, in an element that opens on a click."""
    game, state = result.game, result.state
    if game is None or svg_of_state(game, state) is None or not result.principal_variation:
        return ""
    parts = []
    texts = line_texts(game, result)
    for ply, (action, text) in enumerate(
        zip(result.principal_variation[:MAX_BOARDS], texts, strict=False), 1
    ):
        mover = game.to_move(state)
        state = game.result(state, action)
        caption = escape(visible(f"{ply}. {text_of_player(game, mover)}: {text}"))
        style = "max-width:150px;min-width:60px;overflow-wrap:anywhere;font-size:smaller"
        parts.append(f'<div style="{style}">{svg_of_state(game, state)}<div>{caption}</div></div>')
    final = game.utility(state)
    end = "" if final is None else f", which ends {', '.join(map(number, final))}"
    flow = "display:flex;flex-wrap:wrap;gap:.8em;margin:.4em 0"
    return (
        f"<details><summary>the line, board by board{escape(end)}</summary>"
        f'<div style="{flow}">{"".join(parts)}</div></details>'
    )


def graph_html(graph: StateGraph) -> str:
    """Return the first plies of a graph as a picture, or its size if it knows no game."""
    if not graph.has_game:
        return f"<pre>{escape(repr(graph))}</pre>"
    return f'<div style="overflow-x:auto">{graph_svg(graph)}</div>'


register(StateGraph, html=graph_html)
register(Result, html=result_html)
register(Solution, parts=lambda solution: [solution.summary(), solution.result()])
register(PimcResult, parts=lambda answer: [as_table(answer.result.game, answer)])
register(Board, html=board_html)
