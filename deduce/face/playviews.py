"""The parts of the page on which a game is played: the board, the moves, their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.parts import Chip, button, chips, form, heading, picture
from deduce.face.playthrough import Playthrough
from deduce.face.texts import Texts
from deduce.search.board import shown_state, svg_of_state
from deduce.search.game import text_of_player
from deduce.search.load import action_texts
from deduce.search.result import Result, number
from deduce.show.table import percent

__all__ = [
    "Value",
    "board_html",
    "history_html",
    "moves_html",
    "seats_html",
    "status",
    "values_html",
    "values_of",
]

MAX_SHOWN = 60
"""More moves are under a heading that unfolds."""

MANY = 24
"""With more moves, those with the same first word are grouped."""


@frozen
class Value:
    """The value of a move.

    Parameters
    ----------
    move
        Its text.
    utilities
        One number per player; ``None``: not known.
    proved
        Whether it is proved.
    best
        Whether it is one of the best moves.
    """

    move: str
    utilities: tuple[float, ...] | None
    proved: bool
    best: bool


def status(say: Texts, run: Playthrough) -> str:
    """Return whose turn it is, or how the game ended."""
    game, state = run.game, run.state
    final = game.utility(state)
    if final is not None:
        gains = ", ".join(
            say("play.gets", name=text_of_player(game, player), value=number(gain))
            for player, gain in enumerate(final)
        )
        return say("play.over", result=gains)
    if run.outcomes is not None:
        return say("play.chance")
    return say("play.turn", name=text_of_player(game, game.to_move(state)))


def board_html(say: Texts, run: Playthrough) -> Html:
    """Return the position: the game's picture, or its text."""
    svg = svg_of_state(run.game, run.state)
    shown = (
        tag("pre", shown_state(run.game, run.state), class_="position", tabindex=0)
        if svg is None
        else picture(svg)
    )
    return join_html([heading(status(say, run), id_="turn-title"), shown])


def moves_html(say: Texts, run: Playthrough) -> Html:
    """Return every legal move as a button; many are grouped by their first word."""
    ply = len(run.moves)
    outcomes = run.outcomes
    if outcomes is not None:
        shown = [
            button(say("play.outcome", number=index, share=percent(share)), "take",
                   data_move=f"chance {index}", data_ply=ply)
            for index, (_, share) in enumerate(outcomes[:MAX_SHOWN], start=1)
        ]  # fmt: skip
        roll = button(say("play.roll"), "roll", class_="button main", data_ply=ply)
        return tag("div", roll, *shown, class_="buttons")
    texts = list(action_texts(run.game, run.state))
    if len(texts) <= MANY:
        return tag("div", *[_move(text, ply) for text in texts], class_="buttons")
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.partition(" ")[0], []).append(text)
    if len(kinds) == 1 or len(kinds) > len(texts) / 2:
        first, rest = texts[:MAX_SHOWN], texts[MAX_SHOWN:]
        parts: list[Child] = [tag("div", *[_move(text, ply) for text in first], class_="buttons")]
        if rest:
            summary = tag("summary", say("play.more", n=len(rest)))
            more = tag("div", *[_move(text, ply) for text in rest], class_="buttons")
            parts.append(tag("details", summary, more, data_key="more-moves"))
        return join_html(parts)
    return join_html(
        [
            tag(
                "details",
                tag("summary", name(f"{kind} …"), " ", tag("small", str(len(members)))),
                tag("div", *[_move(text, ply) for text in members], class_="buttons"),
                data_key=f"moves-{kind}",
            )
            if len(members) > 1
            else tag("div", _move(members[0], ply), class_="buttons lone")
            for kind, members in kinds.items()
        ]
    )


def _move(text: str, ply: int) -> Html:
    return button(name(text), "take", data_move=text, data_ply=ply, data_action=text)


def seats_html(say: Texts, run: Playthrough) -> Html:
    """Return the chips that select the players whose moves the engine makes."""
    choices = [
        Chip(str(player), name(text_of_player(run.game, player)))
        for player in range(run.game.players)
    ]
    chosen = [str(player) for player in run.engine]
    return form(
        "engine",
        chips(say("play.engine"), "engine", choices, chosen, many=True),
        draft="engine",
        id_="engine-form",
    )


def history_html(say: Texts, run: Playthrough) -> Html:
    """Return the moves so far, the last one first; a tap goes back to before it."""
    title = heading(say("play.history", n=len(run.moves)))
    if not run.moves:
        return join_html([title, tag("p", say("play.none"))])
    items = [
        tag(
            "li",
            button(
                [tag("b", f"{ply}."), " ", name(_mover(run, ply)), ": ", name(move)],
                "back",
                class_="row",
                data_ply=ply - 1,
            ),
            data_key=f"move-{ply}",
        )
        for ply, move in reversed(list(enumerate(run.moves, start=1)))
    ]
    hint = tag("p", say("play.back"), class_="hint")
    return join_html([title, hint, tag("ol", *items, class_="log", reversed=True)])


def _mover(run: Playthrough, ply: int) -> str:
    before = run.upto(ply - 1)
    if before.outcomes is not None:
        return "–"
    return text_of_player(run.game, run.game.to_move(before.state))


def values_of(run: Playthrough, result: Result[Any, Any]) -> list[Value]:
    """Return the value of every move, as a result states it."""
    values = []
    for text, action in action_texts(run.game, run.state).items():
        value = result.root_values.get(action)
        known = value is not None and value.bound == "exact"
        values.append(
            Value(
                text,
                value.utilities if known and value is not None else None,
                known and value is not None and value.proved,
                action in result.best_actions,
            )
        )
    return values


def values_html(
    say: Texts,
    run: Playthrough,
    values: Sequence[Value],
    *,
    solved: Callable[[bool], str],
) -> Html:
    """Return the moves with their values, the best first.

    Parameters
    ----------
    say
        The texts.
    run
        The playthrough.
    values
        The values.
    solved
        Returns the sentence about where values come from: whether all are proved goes in.
    """
    if not values:
        return tag("p", say("play.no_values"))
    game, ply = run.game, len(run.moves)
    mover = game.to_move(run.state)
    ranked = sorted(
        values, key=lambda v: (not v.best, -(v.utilities[mover] if v.utilities else -1e18))
    )
    head = [
        tag("th", say("play.move"), scope="col"),
        *(
            tag("th", name(text_of_player(game, player)), scope="col")
            for player in range(game.players)
        ),
    ]
    rows = [_value_row(say, value, game.players, ply) for value in ranked]
    note = solved(all(value.proved for value in values))
    body = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="values-table")
    return join_html([tag("p", note, class_="hint"), tag("div", body, class_="wide", tabindex=0,
                      role="group", aria_label=say("play.values"))])  # fmt: skip


def _value_row(say: Texts, value: Value, players: int, ply: int) -> Html:
    mark = tag("small", say("play.best"), class_="best") if value.best else None
    take = button([name(value.move), " ", mark], "take", class_="row", data_move=value.move,
                  data_ply=ply)  # fmt: skip
    if value.utilities is None:
        cells = [tag("td", say("play.unknown"), colspan=players)]
    else:
        element = "b" if value.proved else "span"
        cells = [tag("td", tag(element, number(each))) for each in value.utilities]
    return tag(
        "tr", tag("th", take, scope="row"), *cells, class_="best-row" if value.best else None
    )
