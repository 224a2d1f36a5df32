"""The hands in which every card can be, and why a card is, or is not, in one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from deduce.errors import DeduceError, Undecided
from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.parts import button, heading, strength
from deduce.face.texts import Texts
from deduce.show.table import percent
from games.quartets.counting import count_deals
from games.quartets.game import Quartets
from games.quartets.position import Position
from games.quartets.session import Session
from games.quartets.setup import UNNAMED, spoken_name
from games.quartets.verdict import reason

__all__ = ["cards_html", "paragraphs", "place_of", "reason_html"]


def cards_html(say: Texts, game: Quartets, position: Position, chosen: str) -> Html:
    """Return the hands in which every card can be."""
    title = heading(say("cards.title"))
    try:
        counts = count_deals(position.form)
    except Undecided:
        return join_html([title, tag("p", say("cards.undecided"))])
    rows: list[Child] = []
    for group, cards in game.groups.items():
        numbers = [game.card(card) for card in cards]
        span = len(game.players) + 1
        aside = not any(number in counts.holders for number in numbers)
        label = spoken_name(game, group) if UNNAMED in group else group
        shown = say("cards.aside", group=label) if aside else label
        rows.append(tag("tr", tag("th", tag("span", shown), colspan=span, scope="colgroup"),
                        class_="category"))  # fmt: skip
        for number in [] if aside else numbers:
            card = spoken_name(game, game.cards[number])
            cells = []
            for p, player in enumerate(game.players):
                share = counts.probability(number, p) if counts.total else Fraction(0)
                kind = "yes" if share == 1 else "open" if share else "no"
                text = {"yes": "✓", "no": "–"}.get(kind) or percent(share)
                value = {"open": text}.get(kind) or say(f"cards.{kind}")
                at = f"{number}.{p}"
                inner = button(
                    text, "reason", class_="cell", data_at=at,
                    aria_label=say("cards.cell", card=card, player=player, value=value),
                    aria_pressed="true" if at == chosen else None,
                )  # fmt: skip
                look = f"{kind} {strength(share)}" if kind == "open" else kind
                cells.append(tag("td", inner, class_=look))
            rows.append(tag("tr", tag("th", name(card), scope="row"), *cells))
    head = [tag("th", tag("span", name(player), class_="holder"), scope="col")
            for player in game.players]  # fmt: skip
    if not counts.holders:
        return join_html([title, tag("p", say("cards.all_aside"))])
    table = tag("table", tag("caption", say("cards.title"), class_="hidden"),
                tag("thead", tag("tr", tag("td"), *head)), tag("tbody", *rows),
                class_="sheet", data_grid=True)  # fmt: skip
    return join_html([title, tag("p", say("cards.deals", n=counts.total), class_="summary"),
                      tag("div", table, class_="wide"),
                      tag("p", say("cards.help"), class_="hint")])  # fmt: skip


def reason_html(say: Texts, session: Session, at: Any) -> Html:
    """Return why a card is, or is not, in a hand; empty if no cell is open."""
    game = session.game
    place = place_of(game, at)
    if place is None:
        return Html()
    card, player = game.cards[place[0]], game.players[place[1]]
    try:
        lines = paragraphs(reason(session, f"{card}={player}").text)
    except DeduceError as error:
        lines = [str(error)]
    title = say("cards.why", card=spoken_name(game, card), player=player)
    head = tag(
        "div",
        tag("h2", title, id="over-title", tabindex=-1),
        button("✕", "close", class_="button quiet", aria_label=say("cards.close")),
        class_="over-head",
    )
    items = [tag("li", line) for line in lines]
    return tag("section", head, tag("ul", *items, class_="proof"), class_="over",
               aria_labelledby="over-title")  # fmt: skip


def place_of(game: Quartets, at: Any) -> tuple[int, int] | None:
    """Return the card and the player of a cell; ``None`` if there is no such cell."""
    if not isinstance(at, str):
        return None
    card, _, player = at.partition(".")
    if not (card.isdecimal() and player.isdecimal() and len(at) < 9):
        return None
    place = int(card), int(player)
    inside = place[0] < len(game.cards) and place[1] < len(game.players)
    return place if inside else None


def paragraphs(text: str) -> list[str]:
    """Return the lines of a text that are not empty."""
    return [line.strip() for line in text.split("\n") if line.strip()]
