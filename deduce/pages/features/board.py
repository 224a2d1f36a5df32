"""The parts of the page on which a game is played: the board, the moves, their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from typing import Any, TypeAlias

from attrs import frozen

from deduce.pages.features.playthrough import Playthrough
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    chips,
    details,
    form,
    heading,
    join_html,
    name,
    picture,
    tag,
)
from deduce.pages.sentences import Texts
from deduce.search.board import shown_state, svg_of_state
from deduce.search.game import AnyGame, has_chance, text_of_player
from deduce.search.load import action_texts
from deduce.search.result import Result, number
from deduce.show.table import percent
from deduce.system.text import capital, first_words

__all__ = [
    "Board",
    "best_marked",
    "board_html",
    "board_of",
    "history_html",
    "moves_html",
    "player_text",
    "seats_html",
    "status",
    "worth_of",
]

ACTION = re.compile(r'data-action="([^"]*)"')
"""A part of a picture that makes a move, or one of the two parts that make it together.

Its text is the text of the move, such as ``3 MOVE 2 5``; or one of its two parts: the beginning up
to a blank, ``3``, or what follows that, ``MOVE 2 5``. A part of a picture can be several of these,
separated by ``|``: ``5|SHOOT 5|CONVERT 5`` is a unit that can move, be shot at or be converted.
The first that makes a legal move counts.
"""

Worth: TypeAlias = Mapping[str, tuple[str, str]]
"""Move, or how it begins -> the class of its colour, and what it is worth in words."""

MAX_SHOWN = 60
"""More moves are under a heading that unfolds."""

MANY = 12
"""With more moves, those that begin alike are grouped."""


def status(say: Texts, run: Playthrough) -> str:
    """Return whose turn it is, or how the game ended."""
    game, state = run.game, run.state
    final = game.utility(state)
    if final is not None:
        return say("play.over", result=_outcome(say, run, final))
    if run.outcomes is not None:
        return say("play.chance")
    return capital(say("play.turn", name=player_text(say, game, game.to_move(state))))


def player_text(say: Texts, game: AnyGame, player: int) -> str:
    """Return what the game calls a player, but "Player 1" for the first where it counts from 0."""
    named = text_of_player(game, player)
    return say("play.player", number=player + 1) if named.endswith(f" {player}") else named


def _outcome(say: Texts, run: Playthrough, gains: Sequence[float]) -> str:
    """Return who wins, or what each player gets where that says more."""
    best = [player for player, gain in enumerate(gains) if gain == max(gains)]
    if not sum(gains) and len(best) in (1, len(gains)):
        name = player_text(say, run.game, best[0])
        return say("play.wins", name=name) if len(best) == 1 else say("play.draw")
    return _gains(say, run, gains)


def _gains(say: Texts, run: Playthrough, gains: Sequence[float]) -> str:
    return ", ".join(
        say("play.gets", name=player_text(say, run.game, player), value=number(gain))
        for player, gain in enumerate(gains)
    )


@frozen
class Board:
    """How a position is drawn.

    Parameters
    ----------
    svg
        The game's picture; ``None``: it has none.
    beside
        The moves that no part of the picture makes, alone or with another one.
    is_control
        Whether the picture makes every move but one, and so is the control.
    """

    svg: str | None
    beside: Sequence[str] = ()
    is_control: bool = False


def board_of(run: Playthrough) -> Board:
    """Return how the position now is drawn."""
    svg = svg_of_state(run.game, run.state)
    if svg is None or run.is_over or run.outcomes is not None:
        return Board(svg)
    drawn = {part for found in ACTION.findall(svg) for part in unescape(found).split("|")}
    beside = [
        move
        for move in action_texts(run.game, run.state)
        if move not in drawn
        and not any(each in drawn and move[len(each) + 1 :] in drawn for each in _begins(move))
    ]
    return Board(svg, beside, len(beside) <= bool(drawn))


def _begins(move: str) -> list[str]:
    """Return the text of a move up to each of its blanks."""
    return [move[: found.start()] for found in re.finditer(" ", move)]


def board_html(
    say: Texts,
    run: Playthrough,
    board: Board,
    worth: Mapping[str, tuple[str, str]] = {},
    picked: str = "",
) -> Html:
    """Return the position as the game's picture or text, with the moves that are not made on it.

    Parameters
    ----------
    say
        The texts.
    run
        The playthrough.
    board
        How its position is drawn.
    worth
        What the moves are worth.
    picked
        How the next move begins, as far as it was tapped.
    """
    if run.waits_for_engine or not board.is_control:
        text = tag("pre", shown_state(run.game, run.state), class_="position", tabindex=0)
        parts: list[Child] = [text if board.svg is None else picture(board.svg)]
        if not run.waits_for_engine and not run.is_over:
            parts += [tag("h3", say("play.moves")), moves_html(say, run, worth)]
        return join_html(parts)
    assert board.svg is not None
    legal = action_texts(run.game, run.state)
    begun: dict[str, list[str]] = {}
    for move in legal:
        for begins in _begins(move):
            begun.setdefault(begins, []).append(move)

    def control(found: re.Match[str]) -> str:
        parts = unescape(found[1]).split("|")
        moves = [f"{begins} {part}".strip() for begins in (picked, "") for part in parts]
        move = next((move for move in moves if move in legal or move in begun), None)
        if move is None:
            return ""
        named = (
            run.words(move) if move in legal else f"{first_words(map(run.words, begun[move]))} …"
        )
        look, words = worth.get(move, ("", ""))
        pressed = None if move in legal else str(move == picked).lower()
        shown = tag("g", class_=f"move {look}".strip(), role="button", tabindex=0,
                    data_do="take" if move in legal else "pick", data_move=move,
                    data_ply=len(run.moves), aria_pressed=pressed,
                    aria_label=f"{named}: {words}" if words else named)  # fmt: skip
        return shown.removeprefix("<g ").removesuffix("></g>")

    shown = picture(ACTION.sub(control, board.svg).replace('role="img"', 'role="group"', 1))
    hint = tag("p", say("play.two_taps"), class_="hint") if 'data-do="pick"' in shown else None
    return join_html([shown, hint, _moves(run, board.beside, worth) if board.beside else None])


def worth_of(
    say: Texts, run: Playthrough, result: Result[Any, Any], distance: Callable[[Any], int | None]
) -> dict[str, tuple[str, str]]:
    """Return for each move the class of its colour, and what it is worth in words.

    How moves begin is worth what the best of them is.
    """
    mover, worth = run.game.to_move(run.state), {}
    most: dict[str, float] = {}
    for text, action in action_texts(run.game, run.state).items():
        value = result.root_values.get(action)
        if value is None or value.bound != "exact":
            continue
        own, plies = value.utilities[mover], distance(action) if value.proved else None
        kind = "win" if own > 0 else "loss" if own < 0 else "draw"
        if len(value.utilities) != 2 or value.utilities[0] + value.utilities[1]:
            kind = "win" if action in result.best_actions else ""
            certain = value.proved and not has_chance(run.game)
            words = (_outcome if certain else _gains)(say, run, value.utilities)
        elif not value.proved:  # which a word such as "wins" would promise
            words = _gains(say, run, value.utilities)
        elif plies is None or kind == "draw":
            words = say(f"play.worth.{kind}")
        else:
            words = say(f"play.worth.{kind}_in", n=plies)
        for part in (text, *_begins(text)):
            if own >= most.get(part, own):
                most[part] = own
                worth[part] = f"{kind}{'' if value.proved else ' guess'}", words
    return worth


def best_marked(say: Texts, run: Playthrough, worth: Worth, best: Iterable[str]) -> Worth:
    """Return what moves are worth; the best, unless all are, and how they begin are marked."""
    most = {worth[text] for text in best if text in worth}  # a search need not name all the best
    texts = action_texts(run.game, run.state)
    alike = [text for text in texts if text in worth and worth[text] in most]
    if len(alike) == len(texts):
        return worth
    marked = dict(worth)
    for text in alike:
        look, words = worth[text]
        both = f"{look} best", say("play.best", worth=words)
        marked |= dict.fromkeys((text, *_begins(text)), both)
    return marked


def moves_html(say: Texts, run: Playthrough, worth: Worth) -> Html:
    """Return every legal move as a button; many are grouped by their first word.

    Each has below it what it is worth, as far as that is known; a group, what its best move is.
    """
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
        return _moves(run, texts, worth)
    alone = len({text.partition(" ")[0] for text in texts}) == 1  # then by all words but the last
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kind = (text.rpartition if alone else text.partition)(" ")[0]
        kinds.setdefault(kind, []).append(text)
    if not 1 < len(kinds) <= len(texts) / 2:
        first, rest = texts[:MAX_SHOWN], texts[MAX_SHOWN:]
        more = details(say("play.more", n=len(rest)), _moves(run, rest, worth), key="more-moves")
        return join_html([_moves(run, first, worth), more if rest else None])
    parts = []
    for kind, members in kinds.items():
        if len(members) == 1:
            parts.append(_moves(run, members, worth, "buttons lone"))
            continue
        alike = first_words(map(run.words, members)) or kind
        count = [str(len(members)), *filter(None, [worth.get(kind, ("", ""))[1]])]
        summary = [name(f"{alike} …"), " ", tag("small", " · ".join(count))]
        parts.append(details(summary, _moves(run, members, worth), key=f"moves-{kind}"))
    return join_html(parts)


def _moves(run: Playthrough, texts: Iterable[str], worth: Worth, look: str = "buttons") -> Html:
    moves = []
    for text in texts:
        kind, words = worth.get(text, ("", ""))
        label = [name(run.words(text)), tag("small", words) if words else None]
        moves.append(button(label, "take", class_=f"button move {kind}".strip(), data_move=text,
                            data_ply=len(run.moves), data_action=text))  # fmt: skip
    return tag("div", *moves, class_=look)


def seats_html(say: Texts, run: Playthrough) -> Html:
    """Return the chips that select the players whose moves the engine makes."""
    choices = [
        Chip(str(player), name(player_text(say, run.game, player)))
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
                [tag("b", f"{ply}."), " ", *_moved(say, run.upto(ply - 1), move)],
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


def _moved(say: Texts, before: Playthrough, move: str) -> list[Child]:
    """Return who made a move, and which one."""
    who = "–"
    if before.outcomes is None:
        who = player_text(say, before.game, before.game.to_move(before.state))
    return [name(who), ": ", name(before.words(move))]
