"""The hands in which every card can be, and why a card is, or is not, in one."""

from __future__ import annotations

from fractions import Fraction

from deduce.errors import BadInput, DeduceError, Undecided
from deduce.pages.features.log import Sight
from deduce.pages.html import (
    Child,
    Html,
    category,
    cross_table,
    heading,
    holder,
    join_html,
    listed,
    name,
    panel,
    sheet_cell,
    strength,
    tag,
)
from deduce.pages.presenter import Act, Feature, View
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts, refused
from deduce.show.table import percent
from games.quartets.counting import count_deals
from games.quartets.game import Quartets
from games.quartets.page.transcripts import Transcripts, paragraphs
from games.quartets.position import Position
from games.quartets.setup import UNNAMED, spoken_name
from games.quartets.verdict import reason

__all__ = ["Cards"]


class Cards:
    """The view ``cards``, and the panel about the cell that is open, ``ui["at"]``."""

    def __init__(self, say: Texts, book: Transcripts) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the cards as a part of a page."""
        return Feature(
            views={"cards": View(self._view, ("at",))},
            intents={"reason": Act(self._open, "at", of_players=True)},
            over=self._over,
        )

    def _open(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why the card is, or is not, in the hand."""
        if place_of(self._book.session(moment.log).game, intent.values.get("at")) is None:
            raise BadInput(refused("refused.old_page"))
        moment.ui["at"] = intent.values["at"]
        moment.focus = "over-title"

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the hands in which every card can be."""
        session = self._book.session(sight.document)
        return cards_html(self.say, session.game, session.position, str(ui.get("at", "")))

    def _over(self, sight: Sight, ui: Ui) -> Html:
        """Return why a card is, or is not, in a hand; empty if no cell is open."""
        session = self._book.session(sight.document)
        game, place = session.game, place_of(session.game, ui.get("at"))
        if place is None:
            return Html()
        card, player = game.cards[place[0]], game.players[place[1]]
        try:
            lines = paragraphs(reason(session, f"{card}={player}").text)
        except DeduceError as error:
            lines = [str(error)]
        title = self.say("cards.why", card=spoken_name(game, card), player=player)
        return panel(title, listed(lines, class_="proof"), close=self.say("cards.close"))


def cards_html(say: Texts, game: Quartets, position: Position, chosen: str) -> Html:
    """Return the hands in which every card can be."""
    title = heading(say("cards.title"))
    try:
        counts = count_deals(position.form)
    except Undecided:
        return join_html([title, tag("p", say("cards.undecided"))])
    rows: list[Child] = []
    alike: set[object] = set()  # cards without a name that differ in nothing have one row
    for group, cards in game.groups.items():
        numbers = [game.card(card) for card in cards]
        aside = not any(number in counts.holders for number in numbers)
        title_of = spoken_name(game, group) if UNNAMED in group else group
        lines: list[Child] = []
        for number in [] if aside else numbers:
            card = spoken_name(game, game.cards[number])
            seats = range(len(game.players))
            shares = [counts.probability(number, p) if counts.total else Fraction(0) for p in seats]
            if UNNAMED in game.cards[number]:
                if (card, *shares) in alike:
                    continue
                alike.add((card, *shares))
            cells = []
            for p, (player, share) in enumerate(zip(game.players, shares, strict=True)):
                kind = "yes" if share == 1 else "open" if share else "no"
                text = {"yes": "✓", "no": "–"}.get(kind) or percent(share)
                value = {"open": text}.get(kind) or say(f"cards.{kind}")
                at = f"{number}.{p}"
                label = say("cards.cell", card=card, player=player, value=value)
                look = f"{kind} {strength(share)}" if kind == "open" else kind
                cells.append(sheet_cell(text, "reason", label=label, look=look,
                                        pressed=at == chosen, data_at=at))  # fmt: skip
            lines.append(tag("tr", tag("th", name(card), scope="row"), *cells))
        if lines or aside:
            shown = say("cards.aside", group=title_of) if aside else title_of
            rows += [category(shown, len(game.players) + 1), *lines]
    if not counts.holders:
        return join_html([title, tag("p", say("cards.all_aside"))])
    head = [holder(player) for player in game.players]
    return join_html(
        [
            title,
            tag("p", say("cards.deals", n=counts.total), class_="summary"),
            cross_table(head, rows, caption=say("cards.title")),
            tag("p", say("cards.help"), class_="hint"),
        ]
    )


def place_of(game: Quartets, at: object) -> tuple[int, int] | None:
    """Return the card and the player of a cell; ``None`` if there is no such cell."""
    if not isinstance(at, str):
        return None
    card, _, player = at.partition(".")
    if not (card.isdecimal() and player.isdecimal() and len(at) < 9):
        return None
    place = int(card), int(player)
    inside = place[0] < len(game.cards) and place[1] < len(game.players)
    return place if inside else None
