"""A form to click events together: suggestions with their answers, accusations, hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from deduce.errors import BadInput
from deduce.text import visible
from deduce.widgets.toolkit import Panel, button, ipywidgets, refill, row
from games.cluedo.events import Accusation, Event, Hand, Show, Suggestion
from games.cluedo.game import Cluedo

__all__ = ["Entry"]

KINDS = ("suggestion", "accusation", "hand")
UNSEEN = "unseen"
PASSES = "passes"
SHOWS = "shows"
"""What a player may have answered: nothing that was seen, no card, a card that was not seen; a
card by its place among the named ones is a number."""

WIDE = ipywidgets.Layout(width="auto", max_width="100%")


class Entry(Panel):
    """The form. `event` reads it; the button ``add`` calls ``done``.

    >>> entry = Entry(Cluedo(players=("Ann", "Ben", "Cid")), lambda: None)
    >>> for choice, card in zip(entry.cards, ("Professor Plum", "Rope", "Hall")):
    ...     choice.value = card
    >>> entry.answers["Ben"].value = "passes"
    >>> entry.event()
    Suggestion(by='Ann', cards=('Professor Plum', 'Rope', 'Hall'), passes=('Ben',), shows=())
    """

    def __init__(self, game: Cluedo, done: Callable[[], None]) -> None:
        self.game = game
        self.kind = _buttons([(kind, kind) for kind in KINDS], "What happened")
        self.by = _buttons([(visible(name), name) for name in game.players], "Whose it is")
        self.cards = [
            ipywidgets.Dropdown(
                options=[(f"{visible(category)} …", ""), *((visible(c), c) for c in cards)],
                layout=WIDE,
                tooltip=category,
            )
            for category, cards in game.deck.items()
        ]
        self.answers: dict[str, Any] = {
            name: ipywidgets.Dropdown(
                description=visible(name), layout=WIDE, style={"description_width": "5em"}
            )
            for name in game.players
        }
        self.before = button(
            "those before pass", self._fill, "All in seat order up to the first who shows: passes"
        )
        self.outcome = _buttons([("wrong", False), ("right", True)], "Was it right?")
        self.hand = [_toggle(card) for card in game.dealt]
        self.add = button("Add", done, "Write it into the log", "primary")
        self._parts = ipywidgets.VBox()
        self.view = ipywidgets.VBox([self.kind, self.by, self._parts, self.add])
        self.kind.observe(self._arrange, "value")
        self.by.observe(self._arrange, "value")
        for choice in self.cards:
            choice.observe(self._offer, "value")
        self._offer()
        self._arrange()

    def event(self) -> Event:
        """Return the event that is clicked together.

        Raises
        ------
        BadInput
            Something has still to be chosen.
        """
        by = self.by.value
        if self.kind.value == "hand":
            held = zip(self.game.dealt, self.hand, strict=True)
            return Hand(by, tuple(card for card, chosen in held if chosen.value))
        cards = self._named()
        if self.kind.value == "accusation":
            return Accusation(by, cards, self.outcome.value)
        passes, shows = [], []
        for player in self._others():
            answer = self.answers[player].value
            if answer == PASSES:
                passes.append(player)
            elif answer == SHOWS:
                shows.append(Show(player))
            elif answer != UNSEEN:
                shows.append(Show(player, cards[answer]))
        return Suggestion(by, cards, tuple(passes), tuple(shows))

    def fill(self, by: str, cards: Iterable[str]) -> None:
        """Begin a suggestion."""
        self.kind.value, self.by.value = "suggestion", by
        for choice, card in zip(self.cards, cards, strict=True):
            choice.value = card

    def clear(self) -> None:
        """Begin the next event: nothing is chosen, and it is the next player's."""
        players = self.game.players
        for choice in self.cards:
            choice.value = ""
        for answer in self.answers.values():
            answer.value = UNSEEN
        for chosen in self.hand:
            chosen.value = False
        if self.kind.value == "suggestion":
            self.by.value = players[(players.index(self.by.value) + 1) % len(players)]

    def _named(self) -> tuple[str, ...]:
        for category, choice in zip(self.game.deck, self.cards, strict=True):
            if not choice.value:
                raise BadInput(f"which {category}? Choose one, then add")
        return tuple(choice.value for choice in self.cards)

    def _others(self) -> list[str]:
        """Return the players who may answer, in the order in which they do."""
        players = self.game.players
        seat = players.index(self.by.value)
        return [*players[seat + 1 :], *players[:seat]]

    def _fill(self) -> None:
        for player in self._others():
            answer = self.answers[player]
            if answer.value not in (UNSEEN, PASSES):
                return
            answer.value = PASSES

    def _offer(self, change: object = None) -> None:
        """Offer the named cards as answers."""
        named = [(at, choice.value) for at, choice in enumerate(self.cards) if choice.value]
        shown = [(f"shows {visible(card)}", at) for at, card in named]
        options = [("not seen", UNSEEN), (PASSES, PASSES), ("shows a card", SHOWS), *shown]
        for answer in self.answers.values():
            refill(answer, options)

    def _arrange(self, change: object = None) -> None:
        """Show the parts that the kind of event has."""
        if self.kind.value == "hand":
            parts = [row(*self.hand)]
        elif self.kind.value == "accusation":
            parts = [row(*self.cards), self.outcome]
        else:
            parts = [row(*self.cards), *(self.answers[p] for p in self._others()), self.before]
        self._parts.children = parts


def _buttons(options: list[tuple[str, Any]], hint: str) -> Any:
    return ipywidgets.ToggleButtons(
        options=options, tooltips=[hint] * len(options), style={"button_width": "auto"}
    )


def _toggle(card: str) -> Any:
    return ipywidgets.ToggleButton(
        description=visible(card), tooltip=card, layout=ipywidgets.Layout(width="auto")
    )
