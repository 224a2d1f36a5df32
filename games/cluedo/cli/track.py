"""The command ``deduce cluedo track``, which keeps a log, and what it answers to each line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

import click
from attrs import define, field

from deduce.budget import STANDARD, Budget
from deduce.cli import Ask
from deduce.cli.ask import check_slips, options, parse_doubts
from deduce.cli.dialogue import command_of, on_terminal, opened, remember, run
from deduce.cli.exits import EXIT_NO, EXIT_UNDECIDED, EXIT_UNREADABLE, EXIT_YES
from deduce.cli.numbers import Real, seconds_option
from deduce.cli.output import end_undecided, end_with, print_part
from deduce.constraints import Constraint
from deduce.errors import BadInput, Contradiction, Interrupted, Undecided
from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from deduce.logs.claims import parse_claim
from deduce.reasoning.doubts import with_doubts
from deduce.show.table import Table, percent
from deduce.show.text import grid_of
from deduce.system.text import by_name, fold, pick, plural
from games.cluedo.session import Session
from games.cluedo.show import sheet_table
from games.cluedo.tracking import LogFile, Tracking

__all__ = ["TrackDialogue", "track"]

Answer = Iterator[str | Table]


HELP = """\
Type what happens, one event per line:
  Ann: plum rope hall; Ben -; Cid shows rope   Ann suggests, Ben passes, Cid shows Rope
  Ann: plum rope hall -> Cid                   all up to Cid pass; Cid shows a card, not seen
  Ann: plum rope hall; nobody                  no player shows a card
  hand Ann: rope, hall, plum                   a complete hand
  Ben has rope | Ben has not rope | Ben has one of rope, hall
  Ann accuses plum rope hall: wrong
Names may be abbreviated as long as they are unambiguous. Commands, with or without the colon:
  :sheet                  show the sheet
  :log                    show the events with their numbers
  :undo                   take back the last step
  :redo                   repeat the step that was undone
  :edit N [EVENT]         replace event N; without EVENT: change its line
  :insert N EVENT         add an event before event N
  :drop N                 remove event N
  :why CARD=HOLDER        why is it certain, impossible or open?
  :steps [CARD=HOLDER]    how all that is certain follows, or just this fact
  :hint [LEVEL]           the easiest step beyond what events state: 1 where, 2 how, 3 what
  :what-if [CARD=HOLDER]  assume it; without a fact: end all assumptions
  :check                  can all events be true? if not, what would help
  :solution               rank the solutions
  :advise [ROOMS]         rank my suggestions, of these rooms only if any are named
  :accuse                 accuse now or wait?
  :minds [PLAYER]         what the opponents know
  :show SUGGESTION        which card to show: show Ben: plum rope hall; Cid -
  :as PLAYER              show the sheet of another player, or of the public
  :help                   show this
  :quit                   leave; the log is on the disk already"""


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
            yield from ANSWERS[name](self, argument)
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
        colon = re.match(r"\s*:\s*([\w-]*)", typed)
        if colon is not None:
            rest = typed[colon.end() :]
            return _command_named(colon[1]), " " * colon.end() + rest if rest else ""
        players = {fold(player) for player in self.session.game.players}
        matches = command_of(typed, [name for name in ANSWERS if fold(name) not in players])
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
        if not self.knowledge.is_consistent():
            yield from self._contradiction()
            return
        yield from self.ask("why", [argument.strip()])
        share = self.tracking.probability(claim)
        if share is not None and 0 < share < 1:
            yield f"probability: {percent(share)}"

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

    def _quit(self, argument: str) -> Answer:
        self.is_over = True
        yield from ()

    def _hint(self, argument: str) -> Answer:
        return self.ask("hint", ["--skip-stated", "--level", argument.strip() or "1"])

    def _show(self, argument: str) -> Answer:
        if not argument.strip():
            raise BadInput("which suggestion? such as :show Ben: plum rope hall; Cid -")
        yield from self.ask("show-card", [argument.strip()])

    def ask(self, command: str, words: Sequence[str]) -> Answer:
        """Answer a command as the command line does, on what is known now."""
        from games.cluedo.cli import LOOK, cluedo

        ask = Ask(self.knowledge, LOOK, command, json=False, source=self.tracking.path.name)
        cluedo.answer(ask, command, words)
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
        claim = parse_claim(problem, argument, variable="card", value="holder")
        return self.knowledge.claim(claim)

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
            instead = self.session.game.instead(self.knowledge, slip)[:2]
            says = [f"{says} ({percent(share)})" for says, share in instead]
            yield f"warning: {slip}; perhaps {'; '.join(says)}" if says else f"warning: {slip}"
        if self.follow or not self.knowledge.is_consistent():
            yield from self.state()

    def _contradiction(self) -> Answer:
        why = self.knowledge.contradiction()
        yield f"{why}; :drop N, :edit N"
        suspects = with_doubts(self.knowledge)
        with suppress(Undecided, Contradiction):
            slip = next((s for s in suspects.slips() if s.event in why.events), None)
            if slip is not None:
                yield f"most probably wrong: {slip}"
        if self.session.assumed:
            yield ":what-if ends the assumptions"
        if self.session.last_step:
            yield f":undo takes back {self.session.last_step}"


def _about(command: str, option: str) -> Callable[[TrackDialogue, str], Answer]:
    """Return what answers a command that the command line has too, with its argument there."""

    def answer(dialogue: TrackDialogue, argument: str) -> Answer:
        typed = argument.strip()
        return dialogue.ask(command, [option, typed] if typed else [])

    return answer


ANSWERS: Mapping[str, Callable[[TrackDialogue, str], Answer]] = {
    "sheet": TrackDialogue._sheet,
    "log": TrackDialogue._log,
    "undo": TrackDialogue._undo,
    "redo": TrackDialogue._redo,
    "edit": TrackDialogue._edit,
    "insert": TrackDialogue._insert,
    "drop": TrackDialogue._drop,
    "why": TrackDialogue._why,
    "steps": _about("steps", "--claim"),
    "hint": TrackDialogue._hint,
    "what-if": TrackDialogue._what_if,
    "check": TrackDialogue._check,
    "solution": lambda dialogue, typed: dialogue.ask("solution", typed.split()),
    "advise": _about("advise", "--rooms"),
    "accuse": lambda dialogue, typed: dialogue.ask("accuse", typed.split()),
    "minds": _about("minds", "--mind"),
    "show": TrackDialogue._show,
    "as": TrackDialogue._as,
    "help": TrackDialogue._help,
    "quit": TrackDialogue._quit,
}
"""What answers each command, in the order of the help."""


def _command_named(word: str) -> str:
    """Return the command of this name, which may be abbreviated."""
    word = {"?": "help", "q": "quit", "exit": "quit"}.get(word, word)
    return pick(word, ANSWERS, "command")


def _number(argument: str, command: str) -> tuple[int, str]:
    """Return the number of an event, and the rest after as many blanks as there were characters."""
    number = argument.split()[0] if argument.split() else ""
    if not (number.isascii() and number.isdecimal() and len(number) < 7):
        raise BadInput(
            f"which event? a number from :log, such as :{command} 3", text=number or None
        )
    end = argument.index(number) + len(number)
    return int(number), " " * end + argument[end:]


@click.command()
@click.argument("log", metavar="LOG", type=click.Path())
@click.option(
    "--sheet",
    "shown",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="After every step (auto: on a terminal; in a pipe once, at the end).",
)
@seconds_option("--time-limit", help="For the questions after each step.")
@click.option(
    "--warn",
    type=Real(0, 1),
    default=0.5,
    show_default=True,
    metavar="P",
    help="With --slips: warn once of an event that is wrong with this probability.",
)
def track(
    log: str, shown: str, engine: str, time_limit: float | None, slips: str | None, warn: float
) -> None:
    """Keep the log of a game: type events, see the sheet.

    \b
    Example:  deduce cluedo track evening.cluedo
              1> Ann: plum rope hall; Ben -; Cid shows rope
              2> why rope=cid
              2> undo

    Every event is saved to disk before it is confirmed, so nothing is lost if the program is
    killed; the same command continues LOG, and its steps can still be undone. The line "help"
    lists what can be typed. Lines may come through a pipe.

    With --slips RATE events may be wrong: the sheet has probabilities, a warning names an event
    that later events make improbable, and a contradiction does not end the game.

    Exit codes: 0 the log is consistent, 1 the log contradicts itself, 3 the log or a line is
    unreadable, 4 undecided.
    """  # noqa: D301 (click reads the backspace)
    path = opened(log, f"deduce cluedo new {log}")
    file, session, note = LogFile.open(path)
    if note:
        click.echo(f"note: {note}", err=True)
    by_hand = on_terminal()
    follow = shown == "always" or (shown == "auto" and by_hand)
    budget = STANDARD if time_limit is None else Budget(None, time_limit)
    doubts = parse_doubts(slips)
    options_ = {"engine": engine, "budget": budget, "doubts": doubts}
    tracking = Tracking(session, file, options_, level=warn)
    check_slips(tracking.knowledge)
    dialogue = TrackDialogue(tracking, follow=follow, edits_lines=by_hand)
    if by_hand:
        remember(tracking.events())
        run(dialogue)
        click.echo(f"{plural(len(dialogue.session.events), 'event')} in {tracking.path}")
        return
    unreadable = 0
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
    end_with(EXIT_UNREADABLE if unreadable else _exit_code(dialogue))


track.params += [option for option in options() if option.name in ("engine", "slips")]


def _exit_code(dialogue: TrackDialogue) -> int:
    try:
        return EXIT_YES if dialogue.knowledge.is_consistent() else EXIT_NO
    except Undecided:
        return EXIT_UNDECIDED
