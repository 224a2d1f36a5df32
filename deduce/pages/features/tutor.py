"""A person solves, the tutor judges: marks on an empty sheet, hints in three levels, the steps.

The marks are kept on the page and not in the log: they are what a player believes, not what
happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import evolve

from deduce.constraints import Constraint, Fact, Value, Variable, at_least, at_most
from deduce.errors import DeduceError
from deduce.game import Questions, Shown, hook
from deduce.knowledge import Knowledge
from deduce.pages.features.log import JOB_BUDGET, LogBook, Sight
from deduce.pages.features.sheet import Look, Marks, fact_names, headed_rows, sheet_html
from deduce.pages.html import Child, Html, button, callout, details, heading, join_html, listed, tag
from deduce.pages.presenter import Act, Feature, View, is_puzzle, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts
from deduce.policy.inquiries import format_inquiry
from deduce.show.sheet import MAX_ROWS, Cell, Row, Sheet, groups
from deduce.system.text import name_of

__all__ = ["Tutoring"]

ASKED = ("1", "2", "3", "judge", "steps")
"""What can be asked of the tutor: a hint of a level, a judgement, all steps."""

MAX_MARKS = 2000
"""More marks are refused."""

NEXT = {"": "yes", "yes": "no", "no": ""}


class Tutoring:
    """The view ``tutor``, and the sheet for the player's own marks; a game may replace a method."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the tutor as a part of a page."""
        return Feature(
            views={"tutor": View(self._view, ("tutor", "puzzle", "marks", "asked"))},
            intents={
                "tutor": Act(self._switch, of_players=True),
                "mark": Act(self._mark, "fact", of_players=True),
                "unmark": Act(self._unmark, of_players=True),
                "asked": Act(self._ask, "asked", of_players=True),
            },
            jobs={"tutor": self._job},
        )

    def alone(self) -> Feature[Sight]:
        """Return the tutor as a part of a page whose sheet is only shown for puzzles."""
        feature = self.feature()
        draw = View[Sight](lambda sight, ui, jobs: self.sheet(sight, ui, jobs, lambda *marks: None),
                           ("puzzle", "tutor", "marks", "judged"))  # fmt: skip
        return evolve(feature, views={**feature.views, "sheet": draw})

    # What a game may replace

    def markable(self, sight: Sight) -> Mapping[str, Sequence[Variable]]:
        """Return the variables that can be marked, by heading."""
        return groups(sight.knowledge)

    def row_name(self, variable: Variable) -> str:
        """Return what the sheet of marks calls a variable."""
        return name_of(variable)

    def column_name(self, value: Value) -> str:
        """Return what the sheet of marks calls a value."""
        return name_of(value)

    def answer(self, sight: Sight, asked: str, marks: Sequence[Constraint]) -> Html:
        """Return the judgement of the marks, all steps, or a hint of level 1 to 3."""
        knowledge = sight.knowledge.using(budget=JOB_BUDGET)
        if asked == "judge":
            return self._judgement(sight, knowledge, marks)
        if asked == "steps":
            from deduce.steps.proof import steps
            from deduce.steps.show import steps_html

            return Html(steps_html(steps(knowledge)))
        return self._hint(knowledge, marks, int(asked) if asked in ASKED else 1)

    # Marks

    def _marks(self, ui: Mapping[str, object]) -> dict[str, str]:
        """Return the marks: what the page calls a fact -> ``"yes"`` or ``"no"``."""
        marks = ui.get("marks")
        if not isinstance(marks, dict) or len(marks) > MAX_MARKS:
            return {}
        return {str(key): value for key, value in marks.items() if value in ("yes", "no")}

    def _cells(self, sight: Sight) -> dict[str, Sequence[Fact]]:
        """Return what the page calls each cell of the game's own board -> any fact holds in it."""
        board = hook(sight.game, Shown.shown_cells)
        rows = board(sight.log.events) if board else {}
        return {f"@{column}{head}": facts
                for head, row in rows.items() for column, facts in row.items()}  # fmt: skip

    def _marked(self, sight: Sight, ui: Mapping[str, object]) -> dict[str, Constraint]:
        """Return what is marked, by what the page calls it."""
        read, cells = self._book.claim_reader(sight.log), self._cells(sight)
        marked: dict[str, Constraint] = {}
        for claim, mark in self._marks(ui).items():
            if claim in cells:
                yes = mark == "yes"
                marked[claim] = (_some if yes else _none)(cells[claim])
                continue
            try:
                marked[claim] = read(claim if mark == "yes" else f"{claim}!")
            except DeduceError:
                continue
        return marked

    # Intents

    def _switch(self, moment: Moment, intent: Intent) -> None:
        """Hide the answers, or show them again."""
        moment.ui["tutor"] = not moment.ui.get("tutor")
        for key in ("cell", "at", "asked", "judged"):
            moment.ui.pop(key, None)

    def _mark(self, moment: Moment, intent: Intent) -> None:
        """Change the mark of a cell: yes, no, none."""
        claim, marks = intent.values.get("fact", ""), self._marks(moment.ui)
        if claim not in self._cells(self._book.now(moment)):
            self._book.fact(moment, intent)
        mark = NEXT[marks.pop(claim, "")]
        if mark:
            marks[claim] = mark
        moment.ui["marks"] = marks
        moment.ui.pop("judged", None)
        moment.ui.pop("asked", None)

    def _unmark(self, moment: Moment, intent: Intent) -> None:
        """Remove all marks."""
        for key in ("marks", "judged", "asked"):
            moment.ui.pop(key, None)

    def _ask(self, moment: Moment, intent: Intent) -> None:
        """Ask the tutor for a hint, a judgement or the steps."""
        asked = intent.values.get("asked", "")
        if asked in ASKED:
            moment.ui["asked"] = asked
            moment.ui["judged"] = asked == "judge"

    # Views

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the controls of the tutor, and the place of its answer."""
        say = self.say
        if is_puzzle(ui):
            return self._help(sight, ui, jobs)
        on = bool(ui.get("tutor"))
        parts: list[Child] = [
            heading(say("tutor.title")),
            tag("p", say("tutor.on" if on else "tutor.off")),
        ]
        buttons = [button(say("tutor.end" if on else "tutor.begin"), "tutor",
                          class_="button" if on else "button main")]  # fmt: skip
        if on:
            buttons.append(button(say("tutor.clear"), "unmark"))
        parts.append(tag("div", *buttons, class_="buttons"))
        asked = ui.get("asked")
        hints = [
            button(f"{level}. {say(f'tutor.hint.{level}')}", "asked", data_asked=level,
                   aria_pressed="true" if asked == level else None)
            for level in ("1", "2", "3")
        ]  # fmt: skip
        steps = button(say("tutor.steps"), "asked", data_asked="steps")
        parts += [tag("h3", say("tutor.hint")), tag("div", *hints, steps, class_="buttons")]
        if not on:  # else the answer is above the marks
            parts.append(self._answer(sight, ui, jobs))
        return join_html(parts)

    def _answer(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Child:
        """Return the place of what was asked for."""
        asked, marks = ui.get("asked"), self._marks(ui) if ui.get("tutor") else {}
        if asked not in ASKED:
            return None
        if sight.consistent is not True:
            return tag("p", self.say("contradiction.none"))
        jobs.append(job_of(sight, "tutor", "answer", asked=asked, marks=marks))
        return tag("div", data_slot="answer", class_="answer")

    def _job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the answer of the tutor."""
        yield Html()
        marks = list(self._marked(sight, job.values).values())
        yield self.answer(sight, str(job.values.get("asked")), marks)

    def _hint(self, knowledge: Knowledge, marks: Sequence[Constraint], level: int) -> Html:
        from deduce.steps.tutor import hint

        found = hint(knowledge, marks, skip_stated=not marks)
        if found is None:
            return tag("p", self.say("tutor.nothing"))
        parts: list[Child] = [callout(tag("p", found.text(level)))]
        if found.unproved:
            parts.append(tag("p", self.say("tutor.unproved", n=found.unproved), class_="hint"))
        return join_html(parts)

    def _judgement(self, sight: Sight, knowledge: Knowledge, marks: Sequence[Constraint]) -> Html:
        from deduce.steps.tutor import judge

        say = self.say
        if not marks:
            return tag("p", say("tutor.no_marks"))
        judgement = judge(knowledge, marks)
        counts = {verdict: sum(mark.verdict == verdict for mark in judgement.marks)
                  for verdict in ("proved", "wrong", "open")}  # fmt: skip
        parts: list[Child] = [tag("p", tag("strong", say("tutor.result", **counts)))]
        cells = self._cells(sight)
        named = {holds(facts): f"{cell[1:]}: {say(f'tutor.{word}')}"
                 for word, holds in (("yes", _some), ("no", _none))
                 for cell, facts in cells.items()}  # fmt: skip
        for mark in judgement.marks:
            fact = named.get(mark.claim) or knowledge.say(mark.claim)
            if mark.verdict == "wrong":
                proof = str(mark.why).splitlines()[1:] if mark.why else []
                lines = listed(map(str.strip, proof)) if proof else None
                parts.append(callout(tag("p", say("tutor.wrong", fact=fact)), lines, kind="bad"))
            elif mark.verdict == "open":
                parts.append(callout(tag("p", say("tutor.open", fact=fact)), kind="if"))
        solved = self._found if any(mark in named for mark in marks) else self._solved
        cleared = counts["proved"] == len(marks) or (solved == self._solved and not counts["wrong"])
        if cleared and solved(sight, knowledge, marks):
            return join_html([*parts, callout(tag("p", say("tutor.solved")))])
        missed = len(judgement.missed)
        if solved == self._found:  # what follows is not about cells
            return join_html(parts)
        parts.append(tag("p", say("tutor.missed", n=missed) if missed else say("tutor.complete")))
        return join_html(parts)

    def _found(self, sight: Sight, knowledge: Knowledge, marks: Sequence[Constraint]) -> bool:
        """Return whether each cell that is asked about is decided, and what is held is marked."""
        game, ask = sight.game, hook(sight.game, Questions.inquiries)
        asked = ask(sight.log.events, knowledge.viewer) if ask else ()
        names = {f"@{format_inquiry(game, each)}" for each in asked}
        found = 0
        for facts in (facts for cell, facts in self._cells(sight).items() if cell in names):
            held = knowledge.is_certain(_some(facts))
            settled = _some(facts) in marks if held else knowledge.is_certain(_none(facts))
            if not settled:
                return False
            found += held
        return found > 0

    def _solved(self, sight: Sight, knowledge: Knowledge, marks: Sequence[Constraint]) -> bool:
        """Return whether the marks alone answer what the game asks, and it can be answered."""
        from deduce.steps.puzzle import answers_of

        left = {each: frozenset(values) for each, values in knowledge.problem.domains.items()}
        for mark in marks:
            if isinstance(mark, Fact):
                values = left[mark.variable]
                left[mark.variable] = values - mark.values if mark.negated else values & mark.values
        answers = answers_of(knowledge, next(knowledge.worlds()))
        return all(left[each.variable] <= each.values and knowledge.is_certain(each)
                   for each in answers)  # fmt: skip

    def sheet(
        self,
        sight: Sight,
        ui: Ui,
        jobs: list[Job],
        board: Callable[[Marks, Marks], Html | None],
    ) -> Html:
        """Return the sheet, or the board, with the player's own marks, and what helps with it."""
        marks = self._marks(ui)
        verdicts = self._verdicts(sight, ui) if ui.get("judged") else {}
        shown = board(marks, verdicts) or self._table(sight, marks, verdicts)
        if is_puzzle(ui):
            return shown
        return join_html([heading(self.say("tutor.sheet")), self._help(sight, ui, jobs, shown)])

    def _help(self, sight: Sight, ui: Ui, jobs: list[Job], marked: Html | None = None) -> Html:
        """Return the buttons, the answer, the clues; the sheet, if given, before the clues."""
        say, question = self.say, str(ui.get("asked"))
        level = {"1": "2", "2": "3"}.get(question, "1")
        more = say("tutor.more_hint" if question in ("1", "2") else "tutor.hint")
        buttons = [
            button(more, "asked", data_asked=level),
            button(say("tutor.check"), "asked", class_="button main", data_asked="judge"),
            button(say("tutor.end"), "tutor", class_="button quiet"),
        ]
        count = len(sight.log.events)
        lines = [self._book.event_text(sight, number) for number in range(1, count + 1)]
        title, clues = say("tutor.clues", n=count), listed(lines, element="ol", class_="clues")
        top = tag("div", *buttons, class_="buttons")
        if marked is None:
            return join_html([top, self._answer(sight, ui, jobs), heading(title), clues])
        return join_html([callout(tag("p", say("tutor.on")), top), self._answer(sight, ui, jobs),
                          marked, details(title, clues, key="clues")])  # fmt: skip

    def _table(self, sight: Sight, marks: Marks, verdicts: Marks) -> Html:
        """Return the variables with the player's own marks."""
        called = fact_names(sight.game)
        domains = sight.knowledge.problem.domains
        asked = self.markable(sight)
        columns = dict.fromkeys(value for vs in asked.values() for v in vs for value in domains[v])
        rows: list[Row] = []
        for title, variables in asked.items():
            rows += [Row(title)] if title else []
            for variable in variables[:MAX_ROWS]:
                cells = tuple(
                    _mark_cell(called(Fact(variable, (value,))), marks, variable, value)
                    if value in domains[variable]
                    else Cell("", pick=False)
                    for value in columns
                )
                rows.append(Row(self.row_name(variable), cells))
        heads = [self.column_name(value) for value in columns]
        look = Look(self.say, called, marks=marks, verdicts=verdicts)
        return sheet_html(Sheet(("", *heads), [*headed_rows(rows, asked)]), look)

    def _verdicts(self, sight: Sight, ui: Mapping[str, object]) -> dict[str, str]:
        """Return for each mark whether it is proved, wrong, or open."""
        try:
            domains = sight.knowledge.possible()
        except DeduceError:
            return {}
        verdicts = {}
        for claim, fact in self._marked(sight, ui).items():
            if not isinstance(fact, Fact):
                right, wrong = (
                    sight.knowledge.is_certain(fact),
                    not sight.knowledge.is_possible(fact),
                )
                verdicts[claim] = "right" if right else "wrong" if wrong else "unknown"
                continue
            values = domains[fact.variable]
            kept = values - fact.values if fact.negated else values & fact.values
            verdicts[claim] = "right" if kept == values else "wrong" if not kept else "unknown"
        return verdicts


def _some(facts: Sequence[Fact]) -> Constraint:
    return at_least(1, facts)


def _none(facts: Sequence[Fact]) -> Constraint:
    return at_most(0, facts)


def _mark_cell(
    claim: str | None, marks: Mapping[str, str], variable: Variable, value: Value
) -> Cell:
    mark = marks.get(claim or "", "")
    shown = {"yes": "✓", "no": "✗"}.get(mark, "·")
    return Cell(shown, certain=mark == "yes", faint=mark == "no", fact=Fact(variable, (value,)),
                pick=claim is not None)  # fmt: skip
