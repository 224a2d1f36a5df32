"""The dialogue that keeps the log of a game: events and commands are typed.

The file always holds every confirmed event, whatever kills the program. A new event is appended in
one write and forced to the disk before it is confirmed; any other change is written to a second
file, which then replaces the first. Only a machine that loses its power can leave half a last line;
opening the file keeps such a line as a comment.

The steps that can be undone and redone are kept in a second, hidden file beside the log, which is
that of the page (`deduce.logs.document`), and an extra: without it only the last events can be
taken back. Assumptions end with the dialogue.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from deduce.budget import STANDARD, Budget
from deduce.cli.ask import Ask, check_slips, options, parse_doubts
from deduce.cli.dialogue import Dialogue, command_of, on_terminal, opened, remember, run
from deduce.cli.endings import EXIT_NO, EXIT_UNDECIDED, EXIT_YES
from deduce.cli.numbers import Real, Seconds
from deduce.cli.output import end_undecided, end_with, print_part
from deduce.cli.proofs import proof_lines
from deduce.cli.slips import alternatives
from deduce.constraints import Constraint, Fact, is_
from deduce.errors import BadInput, Contradiction, Interrupted, Undecided, Unsupported
from deduce.game import RECORD, Documents, Event, Recorded, SeenInParts, Viewer, Written, hook
from deduce.knowledge import Knowledge
from deduce.logs.claims import parse_claim
from deduce.logs.document import Change, Document, LogFile
from deduce.logs.events import Log, event_line, parse_event, read_log, write_log, write_text
from deduce.policy.inquiries import can_ask
from deduce.reasoning.doubts import with_doubts
from deduce.show.sheet import grid_of
from deduce.show.table import Table, percent
from deduce.system.files import read_bytes, read_text
from deduce.system.language import Message, Texts
from deduce.system.registry import load
from deduce.system.text import by_name, fold, name_of, nearest, pick, plural

if TYPE_CHECKING:
    from deduce.cli.group import GameCommands

__all__ = ["Tracking", "open_log", "track_command"]

Answer = Iterator[str | Table]

MAX_REMNANT = 200
"""Characters of an unfinished line that are kept."""

PROOFS = ("steps", "hint")
"""The commands of `deduce.cli.proofs` that a dialogue answers without options."""

ADDING = ("step.add", "step.insert", "step.edit")
"""The steps after which a world must be left, unless the game takes every event."""

VERDICTS = {
    "confirmed": "it is certain anyway",
    "refuted": "the log rules it out",
    "follows": "it follows from the other assumptions",
    "conflicting": "not together with the other assumptions",
    "active": "possible",
}

HELP = """\
{events}
COMMAND          {commands}
                 about the log so far, with their options
log              show the events with their numbers
edit N [EVENT]   replace event N; without EVENT: change its line
insert N EVENT   add an event before event N
drop N           remove event N
undo, redo       take back the last step, or repeat it
what-if [FACT]   assume it; without a fact: end all assumptions
as PLAYER        show what another player, or the public, knows
quit             end; the log is on the disk already
Commands may be typed with a colon (:undo), which also allows abbreviations (:u)."""

_say = Texts()


def open_log(path: Path, game_class: type) -> tuple[LogFile, Document, str]:
    """Return the file of a log, the log, and a note about an unfinished last line (or ``""``).

    Raises
    ------
    BadInput
        The log cannot be read.
    """
    note, name = "", hook(game_class, Written.name, game_class.__name__)
    try:
        text, source = read_text(str(path))
        log = read_log(text, game_class, source=source)
        if not text.endswith("\n") and log.lines and log.lines[-1] == len(_lines(text)):
            note = f"the last line has no end; was it finished? {_lines(text)[-1]}"
    except BadInput as error:
        if error.line is None:
            raise
        whole, end, tail = read_bytes(path).rpartition(b"\n")
        if not tail or error.line != whole.count(b"\n") + 2:
            raise
        shown = tail.decode(errors="replace")[:MAX_REMNANT]
        shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)
        note = f"the last line was not finished: {shown}"
        text = f"{(whole + end).decode('utf-8-sig')}# unfinished: {shown}\n"
        try:
            read_log(text, game_class)
        except BadInput:
            raise error from None
    file = LogFile.at(path)
    return file, _without_assumptions(file.document(name, text)), note


def _without_assumptions(document: Document) -> Document:
    """Return the log with the steps that changed it, without assumptions."""
    past: list[Change] = []
    before, *names = (*(change.step for change in document.past), document.step)
    for change, name in zip(document.past, names, strict=True):
        if change.length or change.lines:
            past.append(evolve(change, assumed=(), step=before))
            before = name
    future = (evolve(c, assumed=()) for c in document.future if c.length or c.lines)
    return evolve(document, assumed=(), step=before, past=tuple(past), future=tuple(future))


def _is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def _lines(text: str) -> list[str]:
    """Return the lines of a log; a string of JSON may hold what else would end a line."""
    return text.removesuffix("\n").split("\n") if _is_json(text) else text.splitlines()


class Tracking(Dialogue):
    """A log that is kept, and what to answer to a line that is typed.

    Parameters
    ----------
    group
        The commands of the game, which can be typed.
    file, document
        Where the log is kept, and what it is: a step counts once it is on the disk.
    options
        How the knowledge is asked: engine, budget and doubts.
    follow
        Whether the grid is shown after every step.
    by_hand
        Whether the next line can begin with a text to be edited, as on a terminal.
    level
        From which probability on a wrong answer is warned of.
    """

    is_over = False
    prefill = ""

    def __init__(
        self,
        group: GameCommands,
        file: LogFile,
        document: Document,
        options: Mapping[str, Any] | None = None,
        *,
        follow: bool = False,
        by_hand: bool = False,
        level: float = 0.5,
    ) -> None:
        self.group, self.file, self.document = group, file, document
        self.options = options or {}
        self.follow, self.by_hand, self.level = follow, by_hand, level
        self.warned: set[tuple[int, str]] = set()
        """The events and answers of which a warning was given."""
        self._class = load(group.entry.hidden)
        self.log = read_log(document.text, self._class)
        self.knowledge = self._known(self.log, document)
        """What the log shows now, under the assumptions; its answers are cached."""
        self.before = self.knowledge
        """The knowledge before the last step, or before the log contradicted itself."""

    @cached_property
    def _commands(self) -> list[str]:
        """The commands of the game about a log."""
        return self.group.commands_about_a_log()

    @property
    def prompt(self) -> str:
        """The name of the game, and the number of the event that comes next."""
        return f"{self.group.entry.name} {len(self.log.events) + 1}> "

    def greeting(self) -> Answer:
        """Yield the log so far, or the grid."""
        yield f"{self.file.path.name}: {plural(len(self.log.events), 'event')}"
        if not self.follow:
            yield self.document.text.rstrip("\n")
        elif players := hook(self.log.game, SeenInParts.players, ()):
            yield f"players in seat order: {', '.join(map(name_of, players))}"
        yield from self._notices()
        if self.follow:
            yield from self.state()
        yield "type an event as a line of the log, or help"

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
        if command is None:
            if typed and not typed.lstrip().startswith("#"):
                yield from self._record(typed)
            return
        name, rest = command
        if name in ANSWERS:
            yield from ANSWERS[name](self, rest)
        elif name in PROOFS and "-" not in rest.strip()[:1]:
            yield from proof_lines(self.knowledge, name, rest.strip())
        else:
            yield from self._ask(name, rest.strip())

    def _command(self, typed: str) -> tuple[str, str] | None:
        """Return the command of a line with its argument, or ``None`` for an event.

        Blanks are put before the argument, so that columns count from the start of the line.
        """
        look = self.group.look
        names = [*ANSWERS, *look.short, *self._commands, look.worlds or "worlds"]
        colon = re.match(r"\s*:\s*([\w-]*)", typed)
        if colon is not None:
            word = {"?": "help", "q": "quit", "exit": "quit"}.get(colon[1], colon[1])
            rest = typed[colon.end() :]
            return pick(word, names, "command"), " " * colon.end() + rest if rest.strip() else ""
        players = {fold(name_of(p)) for p in hook(self.log.game, SeenInParts.players, ())}
        match = command_of(typed, [name for name in names if fold(name) not in players])
        if match is None or (match[1] and match[0] in {"help", "quit"}):
            return None
        return match[0], match[1].rjust(len(typed)) if match[1] else ""

    # Steps

    def _record(self, typed: str) -> Answer:
        """Add an event, or put it in place of those that it corrects."""
        try:
            event, line = self._read(typed)
        except BadInput as error:
            if typed.strip().isalpha():
                near = nearest(typed.strip(), self._commands)
                error.message += f"; it is not a command either{near} (see help)"
            raise
        corrects = hook(self.log.game, Recorded.corrects)
        events = self.log.events
        wrong = [n for n, each in enumerate(events) if corrects and corrects(event, each)]
        at = wrong[0] if wrong else len(events)
        text = self._changed(at, line, event, dropped=wrong)
        self._take(self._with_event("edit" if wrong else "add", text, event), adds=True)
        for n in wrong:
            yield f"instead of: {event_line(self.log.game, events[n])}"
        yield from self._told(at + 1)
        yield from self._news()

    def _undo(self, rest: str) -> Answer:
        document = self.document
        if not document.past and self.log.events:  # it was there when the file was opened
            last = len(self.log.events) - 1
            line = event_line(self.log.game, self.log.events[last])
            document = evolve(document, step=Message("step.add", {"line": line}))
            text = self._changed(last, dropped=[last])
            redo = Change.between(text, document)
            shorter = evolve(document, text=text, step=None, future=(*document.future, redo))
        else:
            shorter = document.undo()
        self._take(shorter)
        yield f"undone: {_name(document)}"
        yield from self._news()

    def _redo(self, rest: str) -> Answer:
        again = self.document.redo()
        self._take(again, adds=again.step is not None and again.step.key in ADDING)
        yield f"done again: {_name(self.document)}"
        yield from self._news()

    def _edit(self, rest: str) -> Answer:
        at, typed = self._numbered(rest, "edit")
        if not typed.strip():
            old = self._line(at) or event_line(self.log.game, self.log.events[at])
            self.prefill = f":edit {at + 1} {old}"
            if not self.by_hand:
                raise BadInput(f"the new event is missing, such as {self.prefill}")
            return
        event, line = self._read(typed)
        text = self._changed(at, line, event, dropped=[at])
        self._take(self._with_event("edit", text, event), adds=True)
        yield from self._told(at + 1)
        yield from self._news()

    def _insert(self, rest: str) -> Answer:
        at, typed = self._numbered(rest, "insert")
        event, line = self._read(typed)
        text = self._changed(at, line, event)
        self._take(self._with_event("insert", text, event), adds=True)
        yield from self._told(at + 1)
        yield "later events have new numbers"
        yield from self._news()

    def _drop(self, rest: str) -> Answer:
        at, _ = self._numbered(rest, "drop")
        text = self._changed(at, dropped=[at])
        self._take(self._with_event("drop", text, self.log.events[at]))
        yield f"done: {_name(self.document)}; later events have new numbers"
        yield from self._news()

    def _what_if(self, rest: str) -> Answer:
        text, claim = self.document.text, rest.strip()
        if not claim:
            self._take(self._step("free", text, ()))
            yield "nothing is assumed any more"
        else:
            fact = self.knowledge.say(self._claim(self.knowledge, claim))
            self._take(self._step("assume", text, (*self.document.assumed, claim), fact=fact))
            if self._known(self.log, evolve(self.document, assumed=())).is_consistent():
                for each, verdict in self.knowledge.verdicts().items():
                    yield f"assumed: {self.knowledge.say(each)} ({VERDICTS[verdict]})"
        yield from self._news()

    def _with_event(self, kind: str, text: str, event: Event) -> Document:
        line = event_line(self.log.game, event)
        return self._step(kind, text, self.document.assumed, line=line)

    def _step(self, kind: str, text: str, assumed: Sequence[str], **values: str) -> Document:
        return self.document.to(text, assumed, step=Message(f"step.{kind}", values), most=inf)

    def _read(self, typed: str) -> tuple[Event, str]:
        """Return an event that was typed, and its line in this log, with the comment."""
        game = self.log.game
        event = parse_event(game, typed)
        if not hook(game, Documents.parse_log):
            return event, event_line(game, event)
        if _is_json(self.document.text):
            return event, write_log(game, [event]).splitlines()[1]
        comment = ""
        for at in (at for at, char in enumerate(typed) if char == "#" and not comment):
            with suppress(BadInput):
                if parse_event(game, typed[:at]) == event:
                    comment = "  " + "".join(c if c.isprintable() else " " for c in typed[at:])
        return event, f"{event_line(game, event)}{comment}".rstrip()

    def _line(self, index: int) -> str:
        """Return the line of an event in the file; empty where it is not known."""
        lines = self.log.lines
        return _lines(self.document.text)[lines[index] - 1] if index < len(lines) else ""

    def _changed(
        self, at: int, line: str = "", event: Event | None = None, dropped: Collection[int] = ()
    ) -> str:
        """Return the text of the log without some events, and with one more before event ``at``.

        Comments and blank lines stay where they are, unless the log is written as a whole.
        """
        events = [each for n, each in enumerate(self.log.events) if n not in dropped]
        new = [] if event is None else [event]
        kept = sum(n not in dropped for n in range(at))
        wanted = (*events[:kept], *new, *events[kept:])
        places = {number - 1: n for n, number in enumerate(self.log.lines)}
        lines: list[str] = []
        for number, old in enumerate(_lines(self.document.text)):
            n = places.get(number)
            if new and n == at:
                lines.append(line)
            if n not in dropped:
                lines.append(old)
        if new and at == len(self.log.events):
            lines.append(line)
        text = "".join(f"{each}\n" for each in lines)
        with suppress(BadInput):
            if read_log(text, self._class).events == wanted:
                return text
        try:
            return write_text(self.log.game, wanted)
        except Unsupported:
            return write_log(self.log.game, wanted)

    def _take(self, document: Document, *, adds: bool = False) -> None:
        """Take a step, which is saved before anything is computed that may fail.

        Parameters
        ----------
        document
            The log after the step.
        adds
            Whether it may only be taken if a world is left, unless the game takes every event.

        Raises
        ------
        BadInput
            It cannot be saved, or may not be taken; nothing was changed.
        """
        log = read_log(document.text, self._class)
        knowledge = self._known(log, document, self.knowledge)
        _ = knowledge.problem  # raises if the rules of the game forbid the log
        if adds and not self.group.look.sheet and not knowledge.is_consistent():
            reason = str(knowledge).partition("\n")[2] or "  (see check)"
            if self.log.events:
                reason += "\nif an earlier event is wrong, type undo until it is taken back"
            raise BadInput(f"no world fits, so the event is not recorded:\n{reason}")
        self.file.save(_without_assumptions(document))
        before, self.knowledge = self.knowledge, knowledge
        self.log, self.document = log, document
        with suppress(Undecided):
            if before.is_consistent():
                self.before = before

    def _known(self, log: Log, document: Document, earlier: Knowledge | None = None) -> Knowledge:
        knowledge = Knowledge.of(log, earlier=earlier, **self.options)
        return knowledge.assume(*(self._claim(knowledge, text) for text in document.assumed))

    def _claim(self, knowledge: Knowledge, text: str) -> Constraint:
        words = self.group.look.variable.lower(), self.group.look.value.lower()
        claim = parse_claim(knowledge.problem, text, variable=words[0], value=words[1])
        return knowledge.claim(claim)

    def _numbered(self, rest: str, command: str) -> tuple[int, str]:
        """Return the index of an event, and the rest after as many blanks as there were signs."""
        number = rest.split()[0] if rest.split() else ""
        if not (number.isascii() and number.isdecimal() and len(number) < 7):
            example = f"which event? a number from :log, such as :{command} 3"
            raise BadInput(example, text=number or None)
        if not 1 <= int(number) <= len(self.log.events):
            raise BadInput(f"there is no event {number}; the log has {len(self.log.events)}")
        end = rest.index(number) + len(number)
        return int(number) - 1, " " * end + rest[end:]

    # Answers

    def state(self) -> Answer:
        """Yield the grid; of a log that contradicts itself, the contradiction."""
        yield from self._state(self.knowledge)

    def _state(self, knowledge: Knowledge) -> Answer:
        if knowledge.is_consistent():
            yield self.group.look.grid(knowledge, grid_of(knowledge))
        elif knowledge.viewer is RECORD:
            yield from self._contradiction()
        else:
            yield "the log contradicts itself"

    def _told(self, number: int) -> Answer:
        """Yield an event that was typed, as it was understood, and what is odd about it."""
        yield f"{number}. {event_line(self.log.game, self.log.events[number - 1])}"
        yield from self._notices(number)

    def _notices(self, number: int | None = None) -> Iterator[str]:
        """Yield what is odd in the log, or in one event, with the line of the file."""
        for notice in self.knowledge.notices():
            if number in (None, notice.event):
                place = f":{self.log.lines[notice.event - 1]}" if self.log.lines else ""
                yield f"warning: {self.file.path.name}{place}: {notice.message}"

    def _news(self) -> Answer:
        """Yield what is certain now and was not, and the grid, or how much is certain."""
        look, count = self.group.look, plural(len(self.log.events), "event")
        if self.file.warning:
            yield f"warning: {self.file.warning}"
        if not self.knowledge.is_consistent():
            yield from self.state() if look.sheet else [f"{count}; no world fits (see check)"]
            return
        known, earlier = self.knowledge.certain(), {}
        with suppress(Contradiction, Undecided):
            earlier = self.before.certain()
        news = [is_(v, x) for v, x in known.items() if v not in earlier or earlier[v] != x]
        if news:
            now = "if so" if self.document.assumed else "now"
            yield f"{now} certain: {'; '.join(map(self.knowledge.say, news))}"
        yield from self._doubtful()
        if self.follow:
            yield from self.state()
        elif not look.sheet:
            size = plural(len(self.knowledge.problem.domains), "variable")
            line = f"{count}; certain: {len(known)} of {size}"
            worlds = f"; possible {look.worlds}: {self.knowledge.count():,}" if look.worlds else ""
            yield line + worlds

    def _doubtful(self) -> Iterator[str]:
        """Yield a warning of each event that is probably wrong now; once, and only with doubts."""
        if self.knowledge.doubts is None:
            return
        with suppress(Undecided, Contradiction):
            for slip in self.knowledge.slips():
                key = slip.event, slip.answer
                if slip.probability >= self.level and key not in self.warned:
                    self.warned.add(key)
                    instead = alternatives(self.knowledge, slip)[:2]
                    perhaps = "; ".join(f"{says} ({percent(share)})" for says, share in instead)
                    yield f"warning: {slip}; perhaps {perhaps}" if instead else f"warning: {slip}"

    def _contradiction(self) -> Iterator[str]:
        why = self.knowledge.contradiction()
        yield f"{why}; :drop N, :edit N"
        with suppress(Undecided, Contradiction):
            slips = with_doubts(self.knowledge).slips()
            slip = next((each for each in slips if each.event in why.events), None)
            if slip is not None:
                yield f"most probably wrong: {slip}"
        if self.document.assumed:
            yield ":what-if ends the assumptions"
        if self.document.past:
            yield f":undo takes back {_name(self.document)}"

    # Commands

    def _ask(self, command: str, rest: str) -> Answer:
        """Answer a command as the command line does, on what is known now."""
        look = self.group.look
        short = look.short.get(command, "")
        command, *first = (short or command).split()
        quoted = re.search(r"(^|[\s=])[\"']", rest)  # unlike the apostrophe of a name
        try:
            words = shlex.split(rest) if quoted else rest.split()
        except ValueError as error:
            raise BadInput(f"{rest}: {error}") from None
        if short and rest and not rest.startswith("-"):
            words = [*first, rest]
        command = "worlds" if command == look.worlds else command
        ask = Ask(self.knowledge, look, command, json=False, source=str(self.file.path))
        try:
            self.group.answer(ask, command, words)
        except Contradiction as error:
            if not look.sheet:
                raise BadInput(str(error)) from None
            yield from self._contradiction()

    def _why(self, rest: str) -> Answer:
        if not self.group.look.sheet:
            yield from self._ask("why", rest.strip())
        elif not self.knowledge.is_consistent():
            yield from self._contradiction()
        else:
            claim = self._claim(self.knowledge, rest)
            yield from self._ask("why", rest.strip())
            share = self.knowledge.probability(claim) if isinstance(claim, Fact) else Fraction(0)
            if 0 < share < 1:
                yield f"probability: {percent(share)}"

    def _check(self, rest: str) -> Answer:
        yield from self._notices()
        if self.knowledge.is_consistent():
            yield "all events can be true together"
        else:
            yield from self._contradiction()

    def _as(self, rest: str) -> Answer:
        players = hook(self.log.game, SeenInParts.players, ())
        viewers: dict[str, Viewer] = {"public": None, **by_name(players)}
        if not rest.strip():
            raise BadInput(f"whose view? such as :as {list(viewers)[-1]}")
        yield from self._state(
            self.knowledge.seen_by(viewers[pick(rest.strip(), viewers, "player")])
        )

    def _list(self, rest: str) -> Answer:
        for number, event in enumerate(self.log.events, start=1):
            yield f"{number}. {event_line(self.log.game, event)}"

    def _help(self, rest: str) -> Answer:
        look = self.group.look
        known = [c for c in self._commands if c != "advise" or can_ask(self.knowledge.game)]
        names = dict.fromkeys([*look.short, *known, look.worlds or "worlds"])
        yield HELP.format(events=look.events, commands=", ".join(names))

    def _quit(self, rest: str) -> Answer:
        self.is_over = True
        yield from ()


def _name(document: Document) -> str:
    """Return the name of the step that led to a log."""
    return "" if document.step is None else _say.message(document.step)


ANSWERS: Mapping[str, Callable[[Tracking, str], Answer]] = {
    "log": Tracking._list,
    "undo": Tracking._undo,
    "redo": Tracking._redo,
    "edit": Tracking._edit,
    "insert": Tracking._insert,
    "drop": Tracking._drop,
    "what-if": Tracking._what_if,
    "why": Tracking._why,
    "check": Tracking._check,
    "as": Tracking._as,
    "help": Tracking._help,
    "quit": Tracking._quit,
}
"""What answers each command that the command line does not have, or not so."""


def track_command(group: GameCommands) -> click.Command:
    """Return the command ``track`` for the game of a group."""
    name, look = group.entry.name, group.look

    def track(
        log: str, shown: str, engine: str, time_limit: float | None, slips: str | None, warn: float
    ) -> None:
        r"""Keep the log of a game: type events, and ask about what they show.

        \b
        Example:  deduce GAME track LOGFILE

        LOG is a file such as "new" writes. Every event is saved to disk before it is confirmed, so
        nothing is lost if the program is killed; the same command continues LOG, and its steps can
        still be undone. Any command of the game about a log can be typed without the log. The line
        "help" lists what can be typed. Lines may come through a pipe.

        With --slips RATE events may be wrong: a warning names an event that later events make
        improbable.

        Exit codes: 0 done, 1 the log that was kept contradicts itself, 3 the log or a line is
        unreadable, 4 undecided.
        """
        path = opened(log, f"deduce {name} new {log}")
        file, document, note = open_log(path, load(group.entry.hidden))
        if note:
            click.echo(f"note: {note}", err=True)
        by_hand = on_terminal()
        follow = shown == "always" or (shown == "auto" and by_hand)
        budget = STANDARD if time_limit is None else Budget(None, time_limit)
        asked = {"engine": engine, "budget": budget, "doubts": parse_doubts(slips)}
        dialogue = Tracking(
            group, file, document, asked, follow=follow, by_hand=by_hand, level=warn
        )
        check_slips(dialogue.knowledge)
        if by_hand:
            remember(event_line(dialogue.log.game, event) for event in dialogue.log.events)
            run(dialogue)
            click.echo(f"{plural(len(dialogue.log.events), 'event')} in {path}")
            return
        unreadable = EXIT_YES
        interrupted = None
        try:
            unreadable = run(dialogue)
        except KeyboardInterrupt:
            interrupted = Interrupted("interrupted; all lines before are in the log")
        if shown == "auto":
            try:
                for part in dialogue.state():
                    print_part(part)
            except Undecided as error:
                click.echo(f"undecided: {error}", err=True)
        end_undecided(interrupted)
        code = _exit_code(dialogue) if look.sheet else EXIT_YES
        end_with(unreadable or code)

    shared = {option.name: option for option in options()}
    return click.Command(
        "track",
        callback=track,
        params=[
            shared["log"],
            click.Option(
                ["--sheet", "shown"],
                type=click.Choice(["auto", "always", "never"]),
                default="auto" if look.sheet else "never",
                show_default=True,
                help="Show what is known after every step "
                "(auto: on a terminal; in a pipe once, at the end).",
            ),
            shared["engine"],
            shared["slips"],
            click.Option(
                ["--time-limit"],
                type=Seconds(),
                metavar="SECONDS",
                help="For the questions after each step.",
            ),
            click.Option(
                ["--warn"],
                type=Real(0, 1),
                default=0.5,
                show_default=True,
                metavar="P",
                help="With --slips: warn once of an event that is wrong with this probability.",
            ),
        ],
        help=group.in_words(inspect.getdoc(track) or ""),
    )


def _exit_code(dialogue: Tracking) -> int:
    try:
        return EXIT_YES if dialogue.knowledge.is_consistent() else EXIT_NO
    except Undecided:
        return EXIT_UNDECIDED
