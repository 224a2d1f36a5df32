"""What the speaker may say: the chips of a question, the two answers, the groups to declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.parts import Chip, button, chips, field, form, heading
from deduce.face.texts import Texts
from games.quartets.game import Quartets
from games.quartets.position import Position, answers, certain, declarable, questions
from games.quartets.setup import UNNAMED, spoken_name
from games.quartets.wording import position_text, turn_line

__all__ = ["draft_of", "turn_html"]


def draft_of(game: Quartets, draft: Any) -> dict[str, int]:
    """Return what of a draft, which came from a page, names things of this game, by index."""
    if not isinstance(draft, dict):
        return {}
    most = {"to": len(game.players), "group": len(game.groups), "card": len(game.cards)}
    return {
        key: value
        for key, value in draft.items()
        if key in most and type(value) is int and 0 <= value < most[key]
    }


def turn_html(say: Texts, game: Quartets, position: Position, draft: Mapping[str, int]) -> Html:
    """Return who has to speak, what may be said, and what is on the table."""
    parts: list[Child] = [heading(turn_line(game, position), id_="turn-title")]
    if position.question is not None and not position.over:
        parts.append(_answers(say, game, position))
    elif not position.over:
        parts.append(_question(say, game, position, draft))
    if not position.over:
        parts.append(_typed(say, game, position))
    table = tag("pre", position_text(game, position), class_="position", tabindex=0)
    parts += [tag("h3", say("turn.table")), table]
    return join_html(parts)


def _typed(say: Texts, game: Quartets, position: Position) -> Html:
    other = next(p for i, p in enumerate(game.players) if i != position.speaker())
    example = f"{other} {game.cards[0]}"
    hint = say("turn.type_hint", example=example, group=game.group_names[0])
    enter = tag("button", say("turn.say"), type="submit", class_="button")
    line = field(say("turn.type"), "line", hint=None if game.invented else hint)
    return form("type", line, enter, class_="inline", id_="say-form")


def _answers(say: Texts, game: Quartets, position: Position) -> Html:
    """Return the two answers; one that leaves no deal is marked."""
    possible = [answer.yes for answer in answers(game, position)]
    buttons = []
    for yes in (True, False):
        label = say("turn.yes" if yes else "turn.no")
        note = "" if yes in possible else say("turn.loses")
        if possible == [yes]:
            note = say("turn.must")
        look = "button main" if yes in possible else "button danger"
        inside: Child = [label, " ", tag("small", note)] if note else label
        buttons.append(button(inside, "reply", class_=look, data_yes="yes" if yes else "no"))
    who = game.players[position.speaker()]
    return tag("div", tag("p", say("turn.answer", name=who)),
               tag("div", *buttons, class_="buttons"))  # fmt: skip


def _question(say: Texts, game: Quartets, position: Position, draft: Mapping[str, int]) -> Html:
    """Return the chips of a question, and the groups that can be declared."""
    by = position.speaker()
    asked = questions(game, position)
    able = {question.ask.to for question in asked}
    legal = {question.ask.card for question in asked}
    who = game.players[by]
    players = [
        Chip(str(p), name(player)) for p, player in enumerate(game.players) if player in able
    ]
    groups = [Chip(str(g), name(spoken_name(game, game.group_names[g])),
                   faint=not legal & set(game.groups[game.group_names[g]]))
              for g in position.form.groups()]  # fmt: skip
    parts: list[Child] = [
        chips(say("turn.to", name=who), "to", players, _chosen(draft, "to")),
        chips(say("turn.group"), "group", groups, _chosen(draft, "group")),
    ]
    if "group" in draft:
        cards = []
        seen: set[str] = set()
        for card in game.groups[game.group_names[draft["group"]]]:
            spoken = spoken_name(game, card)
            if UNNAMED in card and spoken in seen:
                continue
            seen.add(spoken)
            hint = "" if card in legal else say("turn.loses")
            cards.append(Chip(str(game.card(card)), name(spoken), hint, faint=bool(hint)))
        parts.append(chips(say("turn.card"), "card", cards, _chosen(draft, "card")))
    ask = tag("button", say("turn.ask"), type="submit", class_="button main")
    parts.append(tag("div", ask, class_="buttons"))
    shown = [form("ask", *parts, draft="draft", id_="turn-form")]
    sure, possible = certain(position), declarable(position)
    declared = [
        button([say("turn.declare", group=spoken_name(game, game.group_names[g])), " ",
                tag("small", say("turn.sure")) if g in sure else None],
               "declare", data_group=g)
        for g in possible
    ]  # fmt: skip
    if declared:
        shown += [tag("h3", say("turn.declare_title", name=who)),
                  tag("div", *declared, class_="buttons")]  # fmt: skip
    return join_html(shown)


def _chosen(draft: Mapping[str, int], key: str) -> list[str]:
    return [str(draft[key])] if key in draft else []
