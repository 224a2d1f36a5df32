"""A form for events, filled in by clicking: suggestions with answers, accusations, hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from deduce.errors import BadInput
from deduce.text import visible
from deduce.widgets.toolkit import Panel, button, ipywidgets, refill, row
from games.cluedo.events import Accusation, Event, Hand, Show, Suggestion
from games.cluedo.game import Cluedo

__all__ = ["EventForm"]

KINDS = ("suggestion", "accusation", "hand")
UNSEEN = "unseen"
PASSES = "passes"
SHOWS = "shows"
"""What a player may have answered: not observed, no card, or a card that was not seen; a card that
was seen is a number, its index among the named cards."""

WIDE = ipywidgets.Layout(width="auto", max_width="100%")


class EventForm(Panel):
    """The form. `event` reads it; the button ``add`` calls ``done``.

    >>> form = EventForm(Cluedo(players=("Ann", "Ben", "Cid")), lambda: None)
    >>> for choice, card in zip(form.cards, ("Professor Plum", "Rope", "Hall")):
    ...     choice.value = card
    >>> form.answers["Ben"].value = "passes"
    >>> form.event()
    Suggestion(by='Ann', cards=('Professor Plum', 'Rope', 'Hall'), passes=('Ben',), shows=())
    """

    def __init__(self, game: Cluedo, done: Callable[[], None]) -> None:
        self.game = game
        self.kind = _buttons([(kind, kind) for kind in KINDS], "What happened")
        self.by = _buttons([(visible(name), name) for name in game.players], "Which player")
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
            "those before pass", self._fill, "All players before the first who shows a card pass"
        )
        self.outcome = _buttons([("wrong", False), ("right", True)], "Was it right?")
        self.hand = [_toggle(card) for card in game.dealt]
        self.add = button("Add", done, "Add it to the log", "primary")
        self._parts = ipywidgets.VBox()
        self.view = ipywidgets.VBox([self.kind, self.by, self._parts, self.add])
        self.kind.observe(self._arrange, "value")
        self.by.observe(self._arrange, "value")
        for choice in self.cards:
            choice.observe(self._offer, "value")
        self._offer()
        self._arrange()

    def event(self) -> Event:
        """Return the event that the form describes.

        Raises
        ------
        BadInput
            A choice is missing.
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
        """Begin the next event: nothing is chosen, and it is the turn of the next player."""
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
        return list(self.game.after(self.by.value))

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
        """Show the fields of the chosen kind of event."""
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
