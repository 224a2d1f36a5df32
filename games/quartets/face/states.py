"""The page of one state of Blink Quartets: what may be where, and whether any deal is possible."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

from attrs import frozen

from deduce.errors import Undecided
from deduce.face import share
from deduce.face.base import DocumentPresenter
from deduce.face.document import Document
from deduce.face.frame import Views, frame
from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.parts import callout, heading, share_cell, table
from deduce.face.presenter import Job
from deduce.face.texts import Table
from games.quartets.counting import count_deals
from games.quartets.face.texts import TEXTS
from games.quartets.notation import lines_of
from games.quartets.slots import SlotForm
from games.quartets.states import State, format_state, parse_state
from games.quartets.verdict import Method, slot_counts, verdict

__all__ = ["StateFace", "is_state"]


def is_state(text: str) -> bool:
    r"""Return whether a text begins as a state in deal or slot form does.

    >>> is_state("# a state\nquartets deal\nplayers: Ann, Ben\n"), is_state("quartets\n")
    (True, False)
    """
    first = next((line for _, line in lines_of(text)), "")
    return first.split() in (["quartets", "deal"], ["quartets", "slots"])


@frozen
class Seen:
    """A state as the page shows it."""

    document: Document
    state: State
    viewer: str | None = None


class StateFace(DocumentPresenter):
    """The page of a state; see `deduce.face.presenter.Presenter`."""

    name = "quartets"
    views = Views(("cards",), ("verdict", "share"))
    tables: tuple[Table, ...] = (TEXTS,)
    depends: ClassVar[dict[str, tuple[str, ...]]] = {}

    def read(self, text: str) -> State:
        """Return the state of a text; raise `BadInput` if it cannot be read."""
        return parse_state(text)

    def sight(self, document: Document, viewer: str | None = None) -> Seen:
        """Return the state of a document."""
        return Seen(document, self.read(document.text), viewer)

    def saved_title(self, document: Document) -> str:
        """Return the title of the state in the list of saved games."""
        return self.say("state.saved")

    def frame(self, sight: Seen, ui: dict[str, Any]) -> Html:
        """Return the frame of the page."""
        views = self.open_views(sight.viewer)
        title, below = self.say("title"), self.say("state.saved")
        return frame(self.say, views, ui, sight.document, title=title, subtitle=below)

    def view_cards(self, sight: Seen, ui: dict[str, Any], jobs: list[Job]) -> Html:
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

    def view_verdict(self, sight: Seen, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return whether a deal is possible, when it is computed."""
        jobs.append(self.job(sight, "verdict", "verdict"))
        return join_html([heading(self.say("state.title")), tag("div", data_slot="verdict")])

    def view_share(self, sight: Seen, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the link, the file and the text of the state."""
        return share.share_view(self.say, sight.document, None)

    def job_verdict(self, sight: Seen, job: Job) -> Iterator[Html]:
        """Yield whether a deal is possible, with a deal or the proof that there is none."""
        yield Html()
        result = verdict(sight.state, Method())
        head = self.say("state.valid" if result.valid else "state.invalid")
        lines = [line for part in result.text for line in part.splitlines() if line.strip()]
        yield callout(tag("p", tag("strong", head)), *(tag("p", line) for line in lines),
                      kind="note" if result.valid else "bad")  # fmt: skip
