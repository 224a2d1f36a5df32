"""The page of one state of Blink Quartets: what may be where, and whether any deal is possible."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import frozen

from deduce.errors import Undecided
from deduce.pages.document import Document
from deduce.pages.features.share import Sharing
from deduce.pages.features.start import Start
from deduce.pages.html import (
    Child,
    Html,
    callout,
    heading,
    join_html,
    name,
    share_cell,
    table,
    tag,
    waiting,
)
from deduce.pages.presenter import Feature, Presenter, View, Views, job_of
from deduce.pages.protocol import Job, Ui
from deduce.pages.sentences import Texts, texts_of
from games.quartets.counting import count_deals
from games.quartets.notation import lines_of
from games.quartets.slots import SlotForm
from games.quartets.states import State, format_state, parse_state
from games.quartets.verdict import Method, Verdict, slot_counts, verdict

__all__ = ["is_state", "state_page", "verdict_html"]


def is_state(text: str) -> bool:
    r"""Return whether a text begins as a state in deal or slot form does.

    >>> is_state("# a state\nquartets deal\nplayers: Ann, Ben\n"), is_state("quartets\n")
    (True, False)
    """
    first = next((line for _, line in lines_of(text)), "")
    return first.split() in (["quartets", "deal"], ["quartets", "slots"])


def state_page() -> Presenter[Seen]:
    """Return the page of a state."""
    say = texts_of("quartets")
    states = States(say)
    start, sharing = Start(say, "quartets", states.read), Sharing[Seen](say, "quartets")
    features: list[Feature[Seen]] = [
        states.feature(),
        start.feature(),
        sharing.feature(),
    ]
    views = Views(("cards",), ("verdict", "share"))
    return Presenter("quartets", say, states, views, start.setup, features)


@frozen
class Seen:
    """A state as the page shows it."""

    document: Document
    state: State
    viewer: str | None = None


class States:
    """Reads states, shows where every card can be, and judges."""

    def __init__(self, say: Texts) -> None:
        self.say = say

    def feature(self) -> Feature[Seen]:
        """Return the state as a part of a page."""
        return Feature(
            views={"cards": View(self._cards), "verdict": View(self._verdict)},
            jobs={"verdict": self._job},
        )

    def read(self, text: str) -> State:
        """Return the state of a text; raise `BadInput` if it cannot be read."""
        return parse_state(text)

    def sight(self, document: Document, ui: Ui, viewer: str | None) -> Seen:
        """Return the state of a document."""
        return Seen(document, self.read(document.text), viewer)

    def saved_title(self, document: Document) -> str:
        """Return the title of the state in the list of saved games."""
        return self.say("state.saved")

    def subtitle(self, sight: Seen) -> Child:
        """Return the same beside the title in the bar."""
        return self.say("state.saved")

    def _cards(self, sight: Seen, ui: Ui, jobs: list[Job]) -> Html:
        """Return the state, and where every card can be."""
        say, state = self.say, sight.state
        text = tag("pre", format_state(state), class_="position", tabindex=0)
        parts: list[Child] = [heading(say("cards.title")), text]
        try:
            if isinstance(state.form, SlotForm):
                parts.append(tag("p", say("state.ways", n=slot_counts(state.form))))
                return join_html(parts)
            counts = count_deals(state.form)
        except Undecided:
            return join_html([*parts, tag("p", say("cards.undecided"))])
        deals = say("cards.deals", n=counts.total)
        rows: list[list[Child]] = []
        for card in counts.holders if counts.total else ():
            shares: list[Fraction] = [
                counts.probability(card, player) for player in range(len(state.players))
            ]
            rows.append([name(state.cards[card]), *map(share_cell, shares)])
        if not rows:
            return join_html([*parts, tag("p", deals, class_="summary")])
        parts.append(table(["", *map(name, state.players)], rows, caption=deals))
        return join_html(parts)

    def _verdict(self, sight: Seen, ui: Ui, jobs: list[Job]) -> Html:
        """Return whether a deal is possible, when it is computed."""
        jobs.append(job_of(sight, "verdict", "verdict"))
        return waiting(self.say("state.title"), "verdict")

    def _job(self, sight: Seen, job: Job) -> Iterator[Html]:
        """Yield whether a deal is possible, with a deal or the proof that there is none."""
        yield Html()
        result = verdict(sight.state, Method())
        yield verdict_html(self.say("state.valid" if result.valid else "state.invalid"), result)


def verdict_html(head: str, result: Verdict) -> Html:
    """Return a verdict with the deal or the reason below its heading."""
    lines = [line.strip() for part in result.text for line in part.split("\n") if line.strip()]
    return callout(tag("p", tag("strong", head)), *(tag("p", line) for line in lines),
                   kind="note" if result.valid else "bad")  # fmt: skip
