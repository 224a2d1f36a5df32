"""Why a cell is as it is, what would follow if it were so, and which events contradict each other.

The cell that is open is ``ui["cell"]``; what is assumed is part of the document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from deduce.constraints import Fact
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided
from deduce.logs.document import MAX_STEPS, last_changes
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.html import Child, Html, button, callout, listed, panel, problem, tag
from deduce.pages.presenter import Act, Feature, undo
from deduce.pages.protocol import Intent, Moment, Ui
from deduce.pages.sentences import Texts, refused
from deduce.reasoning.explain import Why
from deduce.show.table import percent
from deduce.system.language import Message

__all__ = ["Explaining"]


class Explaining:
    """The panel about a cell, assumptions, and contradictions.

    Parameters
    ----------
    say
        The texts.
    book
        The log.
    actions
        Returns more buttons for the open cell, which get its fact and what the page calls it.
    """

    def __init__(
        self, say: Texts, book: LogBook, actions: Callable[[Sight, Fact, str, str], Child]
    ) -> None:
        self.say, self.book, self._actions = say, book, actions

    def feature(self) -> Feature[Sight]:
        """Return the explanations as a part of a page."""
        return Feature(
            intents={
                "why": Act(self._open, "fact", of_players=True),
                "assume": Act(self._assume, "fact"),
                "free": Act(self._free),
                "revert": Act(self._revert, "event", of_players=True),
            },
            above=self._above,
            over=self._over,
        )

    # Intents

    def _open(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why it is so."""
        self.book.fact(moment, intent)
        moment.ui["cell"] = intent.values["fact"]
        for key in self.book.panels:
            moment.ui.pop(key, None)
        moment.focus = "over-title"

    def _assume(self, moment: Moment, intent: Intent) -> None:
        """Assume what the open cell states, or its opposite, for the sake of argument."""
        document = moment.log
        sentence = self.book.knowledge(document).say(self.book.fact(moment, intent))
        assumed = tuple(dict.fromkeys((*document.assumed, intent.values["fact"])))
        step = Message("step.assume", {"fact": sentence})
        moment.document = document.to(document.text, assumed, step=step)
        self.book.announce(moment, document)

    def _free(self, moment: Moment, intent: Intent) -> None:
        """Give up the assumptions."""
        document = moment.log
        if document.assumed:
            moment.document = document.to(document.text, (), step=Message("step.free"))
        moment.ui["news"] = []

    # Above the views

    def _above(self, sight: Sight, ui: Ui) -> Sequence[Child]:
        return [self._assumptions(sight), self._conflict(sight)]

    def _assumptions(self, sight: Sight) -> Child:
        knowledge = sight.knowledge
        if not knowledge.assumed:
            return None
        facts = "; ".join(map(knowledge.say, knowledge.assumed))
        end = button(self.say("if.end"), "free")
        return callout(tag("p", self.say("if.banner", facts=facts)), end, kind="if")

    def _conflict(self, sight: Sight) -> Child:
        """Return what is wrong with a log that contradicts itself, and which events to examine."""
        if sight.consistent is not False:
            return None
        say, why = self.say, sight.knowledge.contradiction()
        changed = last_changes(sight.document)
        lines = dict(enumerate(sight.log.lines, start=1))
        ages = {number: changed[lines[number] - 1][0] for number in why.events
                if lines.get(number, 0) - 1 in changed}  # fmt: skip
        events: list[Child] = []
        for number in sorted(why.events, key=lambda each: (ages.get(each, MAX_STEPS + 1), -each)):
            revert = None
            if not events and number in ages:
                revert = button(say("contradiction.revert"), "revert", data_event=number - 1)
            enough = tag("small", say("contradiction.enough")) if number in why.repairs else None
            events.append([self._line(sight, number), enough, revert])
        return callout(
            tag("h2", say("contradiction.title"), id="conflict", tabindex=-1),
            tag("p", say("contradiction.repair" if why.repairs else "contradiction.look")),
            listed([*events, *why.rules]),
            kind="bad",
            label=say("contradiction.title"),
        )

    def _revert(self, moment: Moment, intent: Intent) -> None:
        """Undo the last change of one event."""
        moment.ui["line"] = intent.index("event", len(self.book.read(moment.log.text).events))
        _, line = self.book.open_line(moment, change=True)
        ago, old = last_changes(moment.log).get(line, (0, None))
        if not ago:
            raise BadInput(refused("refused.undo"))
        if ago == 1:
            undo(self.say, moment)
        else:
            lines = [] if old is None else [old]
            self.book.change(moment, line, line + 1, lines, "step.revert")
        moment.ui.pop("line")

    def _line(self, sight: Sight, number: int) -> Html:
        """Return an event as a button that opens it."""
        label = f"{number}. {self.book.event_text(sight, number)}"
        return button(label, "line", class_="link", data_event=number - 1)

    # Over the views

    def _over(self, sight: Sight, ui: Ui) -> Html:
        """Return the panel about the open cell: its verdict, the proof, what can be done."""
        opened = self.book.cell(sight.log, ui)
        if opened is None or sight.consistent is not True:
            return Html()
        say, (cell, fact) = self.say, opened
        verdict, shown = "open", []
        try:
            why = self.book.why(sight, fact)
            verdict = why.verdict
            shown = self._chances(sight, fact) if verdict == "open" else self._proof(sight, why)
        except DeduceError as error:
            shown = [problem(error)]
        buttons: list[Child] = []
        if verdict == "open" and sight.viewer is None:
            buttons = [
                button(say("why.if_so"), "assume", data_fact=cell),
                button(say("why.if_not"), "assume", data_fact=f"{cell}!"),
            ]
        buttons.append(self._actions(sight, fact, cell, verdict))
        title = [sight.knowledge.say(fact), tag("small", say(f"why.{verdict}"))]
        last = tag("div", *buttons, class_="buttons")
        return panel(title, *shown, last, close=say("why.close"))

    def _chances(self, sight: Sight, fact: Fact) -> list[Html]:
        """Return the probability of a fact that is open."""
        try:
            row = sight.knowledge.posterior()[fact.variable]
        except (Undecided, Contradiction):
            return [tag("p", self.say("why.no_probability"))]
        share = sum((p for value, p in row.items() if value in fact.values), Fraction(0))
        return [tag("p", self.say("why.probability", share=percent(share)))]

    def _proof(self, sight: Sight, why: Why) -> list[Html]:
        say = self.say
        items: list[Child] = []
        for step in why.steps:
            sentences = "; ".join(step.sentences)
            if step.event is None:
                items.append([tag("b", say("why.assumed")), ": ", sentences])
            else:
                items.append([self._line(sight, step.event), tag("span", f"→ {sentences}")])
        items += [[tag("b", say("why.rule")), ": ", rule] for rule in why.rules]
        shown = [tag("p", say("why.because")), listed(items, class_="proof")]
        return shown if why.smallest else [*shown, tag("small", say("why.not_smallest"))]
