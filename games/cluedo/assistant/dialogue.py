"""What ``deduce cluedo track`` answers to each line that is typed; it knows no terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import ClassVar

from attrs import define, field, frozen

from deduce.claims import parse_claim
from deduce.commands import Ask
from deduce.commands.dialogue import command_of
from deduce.constraints import Constraint
from deduce.doubts import with_doubts
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.game import RECORD, Slip, Viewer
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.show.table import Table, percent
from deduce.show.text import grid_of
from deduce.text import by_name, fold, join, nearest, pick, plural
from games.cluedo.assistant.session import Session
from games.cluedo.assistant.tracking import Tracking, proof
from games.cluedo.show import sheet_table

__all__ = ["COMMANDS", "TrackDialogue"]

Answer = Iterator[str | Table]


@frozen
class Command:
    """A command of the dialogue, as ``help`` lists it."""

    name: str
    argument: str
    summary: str


COMMANDS = (
    Command("sheet", "", "show the sheet"),
    Command("log", "", "show the events with their numbers"),
    Command("undo", "", "take back the last step"),
    Command("redo", "", "repeat the step that was undone"),
    Command("edit", "N [EVENT]", "replace event N; without EVENT: change its line"),
    Command("insert", "N EVENT", "add an event before event N"),
    Command("drop", "N", "remove event N"),
    Command("why", "CARD=HOLDER", "why is it certain, impossible or open?"),
    Command("steps", "[CARD=HOLDER]", "how all that is certain follows, or just this fact"),
    Command("hint", "[LEVEL]", "the easiest step beyond what events state: 1 where, 2 how, 3 what"),
    Command("what-if", "[CARD=HOLDER]", "assume it; without a fact: end all assumptions"),
    Command("check", "", "can all events be true? if not, what would help"),
    Command("solution", "", "rank the solutions"),
    Command("advise", "[ROOMS]", "rank my suggestions, of these rooms only if any are named"),
    Command("accuse", "", "accuse now or wait?"),
    Command("minds", "[PLAYER]", "what the opponents know"),
    Command("show", "SUGGESTION", "which card to show: show Ben: plum rope hall; Cid -"),
    Command("as", "PLAYER", "show the sheet of another player, or of the public"),
    Command("help", "", "show this"),
    Command("quit", "", "leave; the log is on the disk already"),
)

OF_THE_GAME: dict[str, tuple[str, Callable[[str], Sequence[str]]]] = {
    "steps": ("steps", lambda rest: ["--claim", rest] if rest else []),
    "hint": ("hint", lambda rest: ["--skip-stated", "--level", rest or "1"]),
    "solution": ("solution", lambda rest: rest.split()),
    "advise": ("advise", lambda rest: ["--rooms", rest] if rest else []),
    "accuse": ("accuse", lambda rest: rest.split()),
    "minds": ("minds", lambda rest: ["--mind", rest] if rest else []),
    "show": ("show-card", lambda rest: [rest] if rest else []),
}
"""Commands that the command line has too: its name there, and the arguments for what is typed."""

HELP = """\
Type what happens, one event per line:
  Ann: plum rope hall; Ben -; Cid shows rope   Ann suggests, Ben passes, Cid shows Rope
  Ann: plum rope hall -> Cid                   all up to Cid pass; Cid shows a card, not seen
  Ann: plum rope hall; nobody                  no player shows a card
  hand Ann: rope, hall, plum                   a complete hand
  Ben has rope | Ben has not rope | Ben has one of rope, hall
  Ann accuses plum rope hall: wrong
Names may be abbreviated as long as they are unambiguous. Commands, with or without the colon:"""


@define
class TrackDialogue:
    """A tracked game, and what to answer.

    Parameters
    ----------
    tracking
        What is tracked, and where: a step counts once it is on the disk.
    follow
        Whether the sheet is shown after every step.
    edits_lines
        Whether the next line can begin with a text to be edited, as on a terminal.
    """

    tracking: Tracking
    follow: bool = True
    edits_lines: bool = False
    is_over: bool = field(default=False, init=False)
    prefill: str = field(default="", init=False)

    @property
    def prompt(self) -> str:
        """The number of the next event."""
        return f"{len(self.session.events) + 1}> "

    @property
    def session(self) -> Session:
        """The log as it is now."""
        return self.tracking.session

    @property
    def knowledge(self) -> Knowledge:
        """What the log shows now, under the assumptions."""
        return self.tracking.knowledge

    def greeting(self) -> Answer:
        """Yield what to show first."""
        count = plural(len(self.session.events), "event")
        yield f"{self.tracking.path.name}: {count}; help shows what to type"
        yield f"players in seat order: {', '.join(self.session.game.players)}"
        for notice in self.tracking.notices():
            yield f"warning: {notice}"
        if self.follow or not self.knowledge.is_consistent():
            yield from self.state()

    def answer(self, line: str) -> Answer:
        """Yield what to show for a typed line; a step is on the disk before the first of it.

        Raises
        ------
        BadInput
            The line cannot be read, or the step cannot be saved; nothing was changed.
        Undecided
            The step is done, but a question took too long.
        """
        self.prefill = ""
        typed = line.rstrip()
        command = self._command(typed)
        if command is not None:
            name, argument = command
            if name in OF_THE_GAME:
                yield from self._ask(self.knowledge, name, argument)
            else:
                yield from self._ANSWERS[name](self, argument)
        elif typed and not typed.lstrip().startswith("#"):
            self.tracking.take(self.session.add(typed))
            yield from self._event(len(self.session.events))
            yield from self._news()

    def state(self) -> Answer:
        """Yield the sheet; of a log that contradicts itself, the contradiction."""
        yield from self._state(self.knowledge)

    def _command(self, typed: str) -> tuple[str, str] | None:
        """Return the command of a line with its argument, or ``None`` for an event.

        Blanks are put before the argument, so that columns count from the start of the line.
        """
        names = [command.name for command in COMMANDS]
        colon = re.match(r"\s*:\s*([\w-]*)", typed)
        if colon is not None:
            rest = typed[colon.end() :]
            return _command_named(colon[1]), " " * colon.end() + rest if rest else ""
        players = {fold(player) for player in self.session.game.players}
        matches = command_of(typed, [name for name in names if fold(name) not in players])
        if matches is None or (matches[1] and matches[0] in {"help", "quit"}):
            return None
        name, rest = matches
        return name, rest.rjust(len(typed)) if rest else ""

    # Commands, by their names

    def _sheet(self, argument: str) -> Answer:
        yield from self.state()

    def _log(self, argument: str) -> Answer:
        for number, event in enumerate(self.tracking.events(), start=1):
            yield f"{number}. {event}"

    def _undo(self, argument: str) -> Answer:
        self.tracking.take(self.session.undo())
        yield f"undone: {self.session.undone_step}"
        yield from self._news()

    def _redo(self, argument: str) -> Answer:
        self.tracking.take(self.session.redo())
        yield f"done again: {self.session.last_step}"
        yield from self._news()

    def _edit(self, argument: str) -> Answer:
        number, text = _number(argument, "edit")
        if not text.strip():
            line = self.session.lines[self.session.line_number(number) - 1].text
            if not self.edits_lines:
                raise BadInput(f"the new event is missing, such as :edit {number} {line}")
            self.prefill = f":edit {number} {line}"
            return
        self.tracking.take(self.session.edit(number, text))
        yield from self._event(number)
        yield from self._news()

    def _insert(self, argument: str) -> Answer:
        number, text = _number(argument, "insert")
        self.tracking.take(self.session.insert(number, text))
        yield from self._event(number)
        yield "later events have new numbers"
        yield from self._news()

    def _drop(self, argument: str) -> Answer:
        number, _ = _number(argument, "drop")
        self.tracking.take(self.session.drop(number))
        yield f"done: {self.session.last_step}; later events have new numbers"
        yield from self._news()

    def _why(self, argument: str) -> Answer:
        claim = self._claim(argument)
        try:
            why = self.knowledge.why(claim)
        except Contradiction:
            yield from self._contradiction()
            return
        yield from str(why).split("\n")
        if why.verdict == "open" and (share := self.tracking.probability(claim)) is not None:
            yield f"probability: {percent(share)}"
        for word, world in (("with it", why.holds), ("without it", why.fails)):
            if why.verdict == "open" and world is not None:
                yield f"a deal {word}:"
                yield from _deal(self.session, world)

    def _what_if(self, argument: str) -> Answer:
        if not argument:
            self.tracking.take(self.session.free())
            yield "nothing is assumed any more"
            yield from self._news()
            return
        self.tracking.take(self.session.assume(self._claim(argument)))
        for assumed, verdict in self.tracking.verdicts().items():
            yield f"assumed: {assumed} ({verdict})"
        yield from self._news()

    def _check(self, argument: str) -> Answer:
        for notice in self.tracking.notices():
            yield f"warning: {notice}"
        if self.knowledge.is_consistent():
            yield "all events can be true together"
        else:
            yield from self._contradiction()

    def _as(self, argument: str) -> Answer:
        viewers: dict[str, Viewer] = {"public": None, **by_name(self.session.game.players)}
        if not argument.strip():
            raise BadInput(f"whose view? such as :as {self.session.game.players[-1]}")
        viewer = viewers[pick(argument.strip(), viewers, "player")]
        yield from self._state(self.knowledge.seen_by(viewer))

    def _help(self, argument: str) -> Answer:
        yield HELP
        for command in COMMANDS:
            yield f"  {f':{command.name} {command.argument}':<24}{command.summary}"

    def _quit(self, argument: str) -> Answer:
        self.is_over = True
        yield from ()

    _ANSWERS: ClassVar[Mapping[str, Callable[[TrackDialogue, str], Answer]]] = {
        "sheet": _sheet,
        "log": _log,
        "undo": _undo,
        "redo": _redo,
        "edit": _edit,
        "insert": _insert,
        "drop": _drop,
        "why": _why,
        "what-if": _what_if,
        "check": _check,
        "as": _as,
        "help": _help,
        "quit": _quit,
    }

    def _ask(self, knowledge: Knowledge, name: str, argument: str) -> Answer:
        """Answer a command as the command line does, on what is known now."""
        from games.cluedo.cli import LOOK, cluedo

        if name == "show" and not argument.strip():
            raise BadInput("which suggestion? such as :show Ben: plum rope hall; Cid -")
        command, words = OF_THE_GAME[name]
        ask = Ask(knowledge, LOOK, command, json=False, source=self.tracking.path.name)
        cluedo.answer(ask, command, words(argument.strip()))
        yield from ()

    # Answers

    def _state(self, knowledge: Knowledge) -> Answer:
        if knowledge.is_consistent():
            yield sheet_table(knowledge, grid_of(knowledge))
        elif knowledge.viewer is RECORD:
            yield from self._contradiction()
        else:
            yield "the log contradicts itself"

    def _claim(self, argument: str) -> Constraint:
        problem = self.knowledge.problem
        return parse_claim(problem, argument, variable="card", value="holder")

    def _event(self, number: int) -> Answer:
        """Yield an event that was typed, as it was understood, and what is odd about it."""
        yield f"{number}. {self.tracking.events()[number - 1]}"
        yield from (f"warning: {notice}" for notice in self.tracking.notices(number))

    def _news(self) -> Answer:
        """Yield the contradiction, or what is certain now and was not, and the sheet."""
        file = self.tracking.file
        if file is not None and file.warning:
            yield f"warning: {file.warning}"
        if self.knowledge.is_consistent():
            news = self.tracking.news()
            if news:
                yield f"{'if so' if self.session.assumed else 'now'} certain: {'; '.join(news)}"
        for slip in self.tracking.doubtful():
            says = [f"{says} ({percent(share)})" for says, share in self._instead(slip)]
            yield f"warning: {slip}; perhaps {'; '.join(says)}" if says else f"warning: {slip}"
        if self.follow or not self.knowledge.is_consistent():
            yield from self.state()

    def _instead(self, slip: Slip) -> Sequence[tuple[str, Fraction]]:
        return self.session.game.instead(self.knowledge, slip)[:2]

    def _contradiction(self) -> Answer:
        why = self.knowledge.contradiction()
        yield "CONTRADICTION: these cannot all be true:"
        for number, event, sentences in proof(self.session, why):
            if number is None:
                yield f"  assumed: {sentences}"
            else:
                yield f"  {number}. {event}"
                yield f"     so {sentences}"
        yield from (f"  rule: {rule}" for rule in why.rules)
        if why.repairs:
            numbers = join([str(number) for number in why.repairs], "or")
            yield f"it is enough to drop or correct event {numbers} (:drop N, :edit N)"
        elif why.events:
            yield "to change or drop one event is not enough; look at each of them"
        suspects = with_doubts(self.knowledge)
        with suppress(Undecided, Contradiction):
            slip = next((s for s in suspects.slips() if s.event in why.events), None)
            if slip is not None:
                yield f"most probably wrong: {slip}"
        if self.session.assumed:
            yield ":what-if ends the assumptions"
        if self.session.last_step:
            yield f":undo takes back {self.session.last_step}"


def _command_named(word: str) -> str:
    """Return the command of this name, which may be abbreviated."""
    names = [command.name for command in COMMANDS]
    word = {"?": "help", "q": "quit", "exit": "quit"}.get(word, word)
    matches = [name for name in names if name == word] or [
        name for name in names if fold(word) and fold(name).startswith(fold(word))
    ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise BadInput(f":{word} can be {join([f':{name}' for name in matches], 'or')}", text=word)
    raise BadInput(f"no command is called :{word}{nearest(word, names)} (see :help)", text=word)


def _number(argument: str, command: str) -> tuple[int, str]:
    """Return the number of an event, and the rest after as many blanks as there were characters."""
    number = argument.split()[0] if argument.split() else ""
    if not (number.isascii() and number.isdecimal() and len(number) < 7):
        raise BadInput(
            f"which event? a number from :log, such as :{command} 3", text=number or None
        )
    end = argument.index(number) + len(number)
    return int(number), " " * end + argument[end:]


def _deal(session: Session, world: World) -> Iterator[str]:
    for holder in session.game.holders:
        cards = [card for card in session.game.dealt if world[card] == holder]
        yield f"  {holder}: {', '.join(cards) or '-'}"
