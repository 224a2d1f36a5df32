"""The log of a page: reading it, what it shows a viewer, and the intents that change it.

The log is edited as text, so comments and blank lines stay. A page can look back to an earlier
event: ``ui["then"]`` is its number, and how many events there are. Nothing is changed by looking
back, and the first step that changes the log ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from attrs import evolve, frozen

from deduce.budget import Budget, cpu_seconds
from deduce.constraints import Fact, is_, is_not
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided
from deduce.game import RECORD, Player, Recorded, SeenInParts, hook
from deduce.knowledge import Knowledge
from deduce.line_game import LineGame
from deduce.logs.document import Document
from deduce.logs.events import Log, event_line, parse_event, read_log
from deduce.pages.features.forms import event_forms, form_line
from deduce.pages.html import (
    Child,
    Html,
    button,
    callout,
    field,
    form,
    heading,
    join_html,
    stepper,
    submit,
    tag,
)
from deduce.pages.presenter import CACHED, Act, Feature, Recent, View, Views
from deduce.pages.protocol import Intent, Job, Moment, Ui, index_of
from deduce.pages.sentences import Texts, refused
from deduce.reasoning.explain import Why
from deduce.system import registry
from deduce.system.text import name_of

__all__ = ["JOB_BUDGET", "Event", "LogBook", "Sight", "player_named"]

Event: TypeAlias = Any
"""An event of a game, which only the game knows."""

BUDGET = Budget(steps=1_500_000)
"""The limit of each question of a screen: steps only, so that what it ends is not tried again."""

JOB_BUDGET = Budget(steps=12_000_000, seconds=1.5, clock=cpu_seconds)
"""The limit of one part of a job, after which a newer request is heard."""

MAX_NEWS = 6
"""How many new certainties are announced."""

SHOWN = 200
"""How many events the log shows at first, the last ones."""

MAX_LINE = 200
"""How much of an event is shown while a page looks back (characters)."""


def player_named(game: object, viewer: str) -> Player:
    """Return the player whose page it is: a name, or the number of a seat."""
    players = {str(player): player for player in hook(game, SeenInParts.players, ())}
    return players.get(viewer, viewer)


@frozen
class Sight:
    """A document as one viewer sees it.

    Parameters
    ----------
    document
        The log as it is kept.
    log
        The log that was read from it.
    knowledge
        What it shows, under the assumptions.
    consistent
        Whether any world is possible; ``None``: not decided within the budget.
    viewer
        The player whose page it is; ``None``: the page shows everything in the log.
    """

    document: Document
    log: Log
    knowledge: Knowledge
    consistent: bool | None
    viewer: str | None = None

    @property
    def game(self) -> Any:
        """The set-up."""
        return self.log.game


class LogBook:
    """Reads the logs of a game and changes them: the `deduce.pages.presenter.Source` of a page.

    Parameters
    ----------
    say
        The texts.
    name
        The name of the game.
    views
        The views of the page, of which ``log`` is drawn here.
    panels
        The keys of ``ui`` that hold what is open over the views, besides a cell.
    """

    def __init__(self, say: Texts, name: str, views: Views, panels: tuple[str, ...] = ()) -> None:
        self.say, self.name, self.views, self.panels = say, name, views, panels
        self._logs: Recent[Log] = Recent(CACHED)
        self._knowledge: Recent[Knowledge] = Recent(CACHED)
        self._why: Recent[Why] = Recent(CACHED)

    def feature(self) -> Feature[Sight]:
        """Return the log as a part of a page."""
        return Feature(
            views={"log": View(self._view, ("cell", "line", "older", "as"))},
            intents={
                "view": Act(self._show, "view", of_players=True),
                "close": Act(self._close, of_players=True),
                "line": Act(self.open, "event", of_players=True),
                "type": Act(self._type, "line", of_players=True),
                "enter": Act(self._enter, "kind", "f-*", of_players=True),
                "edit": Act(self._edit, "line", of_players=True),
                "insert": Act(self._insert, "line", of_players=True),
                "drop": Act(self._drop, "event", of_players=True),
                "then": Act(self._look_back, "to", of_players=True),
                "whose": Act(self._look_as, "value"),
                "older": Act(self._show_older, "to", of_players=True),
            },
            above=self._banner,
        )

    # What the log shows

    def read(self, text: str) -> Log:
        """Return the log of a text; raise `BadInput` if it cannot be read."""
        return self._logs.get(
            text, lambda: read_log(text, registry.load(registry.find(self.name).hidden))
        )

    def knowledge(self, document: Document, viewer: str | None = None) -> Knowledge:
        """Return what a log shows a viewer; by default all that is in it."""

        def begin() -> Knowledge:
            log = self.read(document.text)
            sees = RECORD if viewer is None else player_named(log.game, viewer)
            earlier = self._knowledge.last
            knowledge = Knowledge.of(log, viewer=sees, budget=BUDGET, earlier=earlier)
            return knowledge.assume(*map(self.claim_reader(log), document.assumed))

        return self._knowledge.get((document.text, document.assumed, viewer), begin)

    def why(self, sight: Sight, fact: Fact) -> Why:
        """Return why a fact is certain, impossible or open; views of one screen share it."""
        key = sight.document.text, sight.document.assumed, sight.viewer, fact
        return self._why.get(key, lambda: sight.knowledge.why(fact))

    def viewers(self, log: Log) -> Sequence[str]:
        """Return the players whose knowledge the page can show instead of the whole log."""
        game, seen_by = log.game, hook(log.game, SeenInParts.seen_by)
        if seen_by is None or not isinstance(log.game, LineGame):
            return ()
        variables = game.variables()
        return [str(each) for each in game.players if seen_by(each).variables() == variables]

    def eyes(self, log: Log, ui: Ui, viewer: str | None) -> str | None:
        """Return whose knowledge is shown: that of the page's player, or of ``ui["as"]``."""
        chosen = ui.get("as")
        return str(chosen) if viewer is None and chosen in self.viewers(log) else viewer

    def now(self, moment: Moment) -> Sight:
        """Return what the page shows of the whole log."""
        return self.sight(moment.log, {"as": moment.ui.get("as")}, moment.viewer)

    def sight(self, document: Document, ui: Ui, viewer: str | None) -> Sight:
        """Return a document as a viewer sees it, up to the event to which the page looks back."""
        where = _then(ui)
        if where is not None:
            with suppress(BadInput):
                document = self._document_then(document, where[0])
        log = self.read(document.text)
        viewer = self.eyes(log, ui, viewer)
        knowledge = self.knowledge(document, viewer)
        return Sight(document, log, knowledge, self.is_consistent(document, knowledge), viewer)

    def is_consistent(self, document: Document, knowledge: Knowledge) -> bool | None:
        """Return whether any world is possible; ``None``: not decided within the budget."""
        try:
            return knowledge.is_consistent()
        except Undecided:
            return None

    def saved_title(self, document: Document) -> str:
        """Return the players, or the title of the game, and the number of the events."""
        try:
            log = self.read(document.text)
        except DeduceError:
            return self.say.heading
        players = ", ".join(map(name_of, hook(log.game, SeenInParts.players, ())))
        return self.say("saved", players=players or self.say.heading, n=len(log.events))

    def subtitle(self, sight: Sight) -> Child:
        """Return what is below the title in the bar."""
        return self.say("log.title", n=len(sight.log.events))

    def typed_example(self, sight: Sight) -> str:
        """Return an example of a line that can be typed: the last event."""
        with suppress(DeduceError):
            if sight.log.events:
                return self.written(sight.log, sight.log.events[-1])
        return ""

    def invitation(self, sight: Sight) -> str | None:
        """Return the log without what is private to any player; ``None``: there is none."""
        return None

    # Facts as a page names them: variable and value by their indexes, and whether it holds

    def claim_reader(self, log: Log) -> Callable[[str], Fact]:
        """Return the function that reads an assumption: ``"3.1"``, or ``"3.1!"`` for "not"."""
        variables = list(log.game.variables().items())

        def read(claim: str) -> Fact:
            variable, _, value = claim.rstrip("!").partition(".")
            chosen, values = variables[index_of(variable, len(variables))]
            fact = list(values)[index_of(value, len(values))]
            return is_not(chosen, fact) if claim.endswith("!") else is_(chosen, fact)

        return read

    def fact(self, moment: Moment, intent: Intent) -> Fact:
        """Return the fact that an intent names; raise `BadInput` if there is none."""
        return self.claim_reader(self.read(moment.log.text))(intent.values.get("fact", ""))

    def cell(self, log: Log, ui: Ui) -> tuple[str, Fact] | None:
        """Return the cell that is open, if any: as the page names it, and its fact."""
        cell = ui.get("cell")
        if isinstance(cell, str):
            with suppress(BadInput):
                return cell, self.claim_reader(log)(cell)
        return None

    # Steps

    def lines(self, document: Document) -> list[str]:
        """Return the lines of the text."""
        return document.text.splitlines()

    def line_of(self, log: Log, typed: str) -> str:
        """Return an event that was typed, as a line of the log."""
        typed = " ".join(typed.splitlines()).strip()
        if not typed:
            raise BadInput(self.say("log.empty"))
        return self.line_read(log, typed)

    def line_read(self, log: Log, typed: str) -> str:
        """Return the line of the log for a text that is not empty."""
        return self.written(log, parse_event(log.game, typed))

    def written(self, log: Log, event: Event) -> str:
        """Return an event as a line of the log."""
        return event_line(log.game, event)

    def event_text(self, sight: Sight, number: int) -> str:
        """Return event ``number``, from 1, as a line."""
        return self.written(sight.log, sight.log.events[number - 1])

    def change(self, moment: Moment, start: int, end: int, lines: list[str], key: str) -> None:
        """Take the step that replaces lines; what became certain is announced."""
        document = moment.log
        texts = self.lines(document)
        text = "".join(f"{line}\n" for line in [*texts[:start], *lines, *texts[end:]])
        self.read(text)
        self.sight(evolve(document, text=text), {}, moment.viewer)  # may refuse it as a whole
        moment.step(text, key, line="; ".join(lines or texts[start:end]))
        self.announce(moment, document)

    def add(self, moment: Moment, line: str) -> None:
        """Take the step that adds a line at the end, or in place of own ones that it corrects."""
        log = self.read(moment.log.text)
        corrects = hook(log.game, Recorded.corrects)
        if corrects is not None:
            event = parse_event(log.game, line)
            own = range(len(log.events)) if moment.viewer is None else sorted(moment.own)
            wrong = [number for number in own if corrects(event, log.events[number])]
            if wrong:
                self.replace(moment, line, *wrong)
                return
        count = len(self.lines(moment.log))
        self.change(moment, count, count, [line], "step.add")

    def replace(self, moment: Moment, line: str, *events: int) -> None:
        """Take the step that replaces the first of some events by a line, and drops the others."""
        found = self.read(moment.log.text).lines
        at = [found[event] - 1 for event in events]
        between = enumerate(self.lines(moment.log)[at[0] : at[-1]], start=at[0])
        kept = [text for number, text in between if number not in at]
        self.change(moment, at[0], at[-1] + 1, [line, *kept], "step.edit")

    def announce(self, moment: Moment, before: Document) -> None:
        """Announce what is certain now and was not before the step, and remember its cells.

        While a tutor hides the answers, there is nothing to announce.
        """
        moment.ui["news"] = []
        if moment.ui.get("tutor"):
            return
        try:
            viewer = self.eyes(self.read(moment.log.text), moment.ui, moment.viewer)
            old = self.knowledge(before, viewer).certain()
            knowledge = self.knowledge(moment.log, viewer)
            certain = knowledge.certain()
            new = {v: x for v, x in certain.items() if v not in old or old[v] != x}
        except (Contradiction, Undecided):
            return
        if not new:
            return
        variables = {each: at for at, each in enumerate(knowledge.problem.domains)}
        moment.ui["news"] = [
            f"{variables[variable]}.{list(knowledge.problem.domains[variable]).index(value)}"
            for variable, value in new.items()
        ]
        sentences = [knowledge.say(is_(variable, value)) for variable, value in new.items()]
        shown = "; ".join(sentences[:MAX_NEWS])
        more = len(sentences) - MAX_NEWS
        if more > 0:
            shown = self.say("news.more", shown=shown, n=more)
        key = "news.assumed" if moment.log.assumed else "news"
        moment.note(self.say(key, facts=shown), "good")

    # Intents

    def _show(self, moment: Moment, intent: Intent) -> None:
        """Open a view. The panel over the others closes, but the log marks its proof."""
        view = intent.values.get("view", "")
        self.views.open(moment.ui, view)
        if view != "log":
            self._close(moment, intent)

    def _close(self, moment: Moment, intent: Intent) -> None:
        """Close what is open: a cell, a line."""
        for key in ("cell", "line", *self.panels):
            moment.ui.pop(key, None)

    def open(self, moment: Moment, intent: Intent) -> None:
        """Open a line of the log, to change it."""
        count = len(self.read(moment.log.text).events)
        moment.ui["line"] = intent.index("event", count)
        self.views.open(moment.ui, "log")
        moment.focus = "line-text"

    def _type(self, moment: Moment, intent: Intent) -> None:
        """Add the event that was typed."""
        self.add(moment, self.line_of(self.read(moment.log.text), intent.first("line")))

    def _enter(self, moment: Moment, intent: Intent) -> None:
        """Add the event of a form."""
        log = self.read(moment.log.text)
        self.add(moment, self.line_of(log, form_line(self.say, log.game, intent)))

    def _edit(self, moment: Moment, intent: Intent) -> None:
        """Replace the event that is open."""
        log, at = self.open_line(moment, change=True)
        self.change(moment, at, at + 1, [self.line_of(log, intent.first("line"))], "step.edit")
        moment.ui.pop("line", None)

    def _insert(self, moment: Moment, intent: Intent) -> None:
        """Insert an event before the one that is open."""
        log, at = self.open_line(moment)
        self.change(moment, at, at, [self.line_of(log, intent.first("line"))], "step.insert")
        moment.ui.pop("line", None)

    def _drop(self, moment: Moment, intent: Intent) -> None:
        """Remove the event that is open, or the one that the intent names."""
        if "event" in intent.values:
            self.open(moment, intent)
            moment.focus = ""
        _, at = self.open_line(moment, change=True)
        self.change(moment, at, at + 1, [], "step.drop")
        moment.ui.pop("line", None)

    def open_line(self, moment: Moment, *, change: bool = False) -> tuple[Log, int]:
        """Return the log, and the index of the line that is open; raise `BadInput` if none is."""
        log = self.read(moment.log.text)
        event = moment.ui.get("line")
        if type(event) is not int or not 0 <= event < len(log.lines):
            raise BadInput(self.say("log.which"))
        if change and moment.viewer is not None and event not in moment.own:
            raise BadInput(self.say("log.not_yours"))
        return log, log.lines[event] - 1

    def _look_as(self, moment: Moment, intent: Intent) -> None:
        """Show what a player knows, or again all that is in the log."""
        names = ("", *self.viewers(self.read(moment.log.text)))
        moment.ui["as"] = names[intent.index("value", len(names))]
        self._close(moment, intent)

    def _show_older(self, moment: Moment, intent: Intent) -> None:
        """Show more of the events before the last ones."""
        moment.ui["older"] = intent.index("to", 10**6)

    def _look_back(self, moment: Moment, intent: Intent) -> None:
        """Look back to what was known after an event; after the last one it is now."""
        document = moment.log
        count = len(self.read(document.text).events)
        number = intent.step(count + 1)
        past = self._document_then(document, number)
        self.read(past.text)
        self._close(moment, intent)
        moment.ui["then"] = [number, count]
        if number == count:
            del moment.ui["then"]
        earlier = evolve(moment, document=past)
        self.announce(earlier, self._document_then(document, max(0, number - 1)))

    def _document_then(self, document: Document, number: int) -> Document:
        """Return a document with the first events of its log.

        Raises
        ------
        BadInput
            The log has fewer events, or the text has not one line for each.
        """
        log = self.read(document.text)
        if len(log.lines) != len(log.events) or number > len(log.events):
            raise BadInput(refused("refused.steps"))
        if number == len(log.events):
            return document
        lines = self.lines(document)[: log.lines[number] - 1]
        return evolve(document, text="".join(f"{line}\n" for line in lines))

    # What is drawn

    def _banner(self, sight: Sight, ui: Ui) -> Sequence[Child]:
        """Return what is above the panes while a page looks back: a slider, and the way to now."""
        where = _then(ui)
        if where is None:
            return []
        say, (number, count) = self.say, where
        label = say("then.start")
        if number:
            line = self.event_text(sight, len(sight.log.events)) if sight.log.events else ""
            label = f"{say('then.event', n=number)}: {line[:MAX_LINE]}"
        walk = stepper(label, number, count, do="then")
        now = button(say("then.now"), "then", data_to=count)
        return [callout(walk, now, kind="if then", label=say("then.title"))]

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the events, the last one first, each as a button that opens it."""
        say, count = self.say, len(sight.log.events)
        odd: dict[int, list[str]] = {}
        notices = hook(sight.game, Recorded.notices)
        for notice in notices(sight.log.events) if notices else ():
            odd.setdefault(notice.event, []).append(notice.message)
        marked: Sequence[int] = ()
        cell = self.cell(sight.log, ui)
        if cell is not None and sight.consistent:
            with suppress(DeduceError):
                marked = self.why(sight, cell[1]).events
        opened, older = ui.get("line"), ui.get("older")
        shown = older if type(older) is int and older > SHOWN else SHOWN
        if type(opened) is int and 0 <= opened < count:
            shown = max(shown, count - opened)
        items = []
        for number in range(count, max(0, count - shown), -1):
            line, chosen = self.event_text(sight, number), opened == number - 1
            row = self._editor(number, line) if chosen else self._row(number, line)
            proof = tag("small", say("log.proof"), class_="mark") if number in marked else None
            warnings = [tag("p", message, class_="warning") for message in odd.get(number, ())]
            items.append(
                tag("li", row, proof, *warnings, class_="marked" if proof else None,
                    data_key=f"event-{number}{'-open' if chosen else ''}")
            )  # fmt: skip
        if shown < count:
            more = say("log.older", n=count - shown)
            items.append(tag("li", button(more, "older", class_="row", data_to=shown + SHOWN)))
        example = self.typed_example(sight)
        hint = say("log.example", example=example) if example else None
        typed = form(
            "type",
            field(say("log.add"), "line", hint=hint, enterkeyhint="done"),
            submit(say("log.add_button"), class_="button"),
            class_="inline",
            id_="type-form",
        )
        return join_html(
            [
                heading(say("log.title", n=count)),
                typed,
                *event_forms(say, sight.game, count),
                None
                if sight.viewer is None or ui.get("as")
                else tag("p", say("log.shared"), class_="hint"),
                button(say("log.then"), "then", data_to=0) if items else None,
                tag("ol", *items, class_="log", reversed=True)
                if items
                else tag("p", say("log.none")),
            ]
        )

    def _row(self, number: int, line: str) -> Html:
        inside = [tag("b", f"{number}."), " ", line]
        return button(inside, "line", class_="row", data_event=number - 1,
                      title=self.say("log.open", n=number))  # fmt: skip

    def _editor(self, number: int, line: str) -> Html:
        say = self.say
        label = f"{number}. {say('log.line')}"
        buttons = [
            submit(say("log.save")),
            submit(say("log.insert"), class_="button", data_do="insert"),
            submit(say("log.drop"), class_="button danger", data_do="drop"),
            button(say("log.then_line"), "then", data_to=number),
            button(say("log.close"), "close"),
        ]
        return form(
            "edit",
            field(label, "line", line, id="line-text", enterkeyhint="done"),
            tag("div", *buttons, class_="buttons"),
            id_="line-form",
        )


def _then(ui: Mapping[str, object]) -> tuple[int, int] | None:
    """Return the event to which a page looks back, and the number of events; ``None``: now."""
    match ui.get("then"):
        case [int(number), int(count)] if 0 <= number < count:
            return number, count
    return None
