"""What the tracker answers to each line that is typed; free of terminals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define, field, frozen

from deduce.claims import parse_claim
from deduce.constraints import Constraint
from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.show.table import percent
from deduce.text import fold, join, nearest
from games.cluedo.assistant.autosave import Kept, doubts, proof
from games.cluedo.assistant.session import Session
from games.cluedo.show import sheet_text

__all__ = ["COMMANDS", "Tracker"]


@frozen
class Command:
    """A command of the tracker, as ``:help`` lists it."""

    name: str
    argument: str
    summary: str
    method: str


COMMANDS = (
    Command("sheet", "", "show the sheet", "_show_sheet"),
    Command("log", "", "show the events with their numbers", "_show_log"),
    Command("undo", "", "take back the last step", "_undo"),
    Command("redo", "", "do again what was undone", "_redo"),
    Command("edit", "N EVENT", "put another event in the place of event N", "_edit"),
    Command("drop", "N", "leave event N out", "_drop"),
    Command("why", "CARD=HOLDER", "why is it certain, impossible, or open?", "_why"),
    Command("what-if", "CARD=HOLDER", "assume it; without a fact: assume nothing more", "_what_if"),
    Command("check", "", "can all events be true? if not, what would help", "_check"),
    Command("help", "", "show this", "_help"),
    Command("quit", "", "leave; the log is on the disk already", "_quit"),
)

HELP = """\
Type what happens, one event a line:
  Ann: plum rope hall; Ben -; Cid shows rope   Ann suggests, Ben passes, Cid shows Rope
  Ann: plum rope hall -> Cid                   all up to Cid pass; Cid shows a card, not seen
  Ann: plum rope hall; nobody                  nobody shows
  hand Ann: rope, hall, plum                   a complete hand
  Ben has rope | Ben has not rope | Ben has one of rope, hall
  Ann accuses plum rope hall: wrong
Names may be shortened. Commands may be shortened too:"""


@define
class Tracker:
    """A kept session, and what to answer.

    Parameters
    ----------
    kept
        What is tracked, and where: a step counts once it is on the disk.
    follow
        Whether the sheet is shown after every step.
    """

    kept: Kept
    follow: bool = True
    is_over: bool = field(default=False, init=False)

    @property
    def session(self) -> Session:
        """The log as it is now."""
        return self.kept.session

    @property
    def knowledge(self) -> Knowledge:
        """What the log says now, under the assumptions."""
        return self.kept.knowledge

    def greeting(self) -> Iterator[str]:
        """Yield what to show first."""
        count = len(self.session.events)
        yield f"{self.kept.place.name}: {count} event{'s'[: count != 1]}; :help shows what to type"
        yield f"players in seat order: {', '.join(self.session.game.players)}"
        if self.follow or not self.knowledge.is_consistent():
            yield from self.state()

    def answer(self, line: str) -> Iterator[str]:
        """Yield the lines to show for a typed line; a step is on the disk before the first.

        Raises
        ------
        BadInput
            The line cannot be read, or the step not be saved; nothing was changed.
        Undecided
            The step is done, but a question took too long.
        """
        typed = line.rstrip()
        command = re.match(r"\s*:\s*([\w-]*)", typed)
        if command is not None:
            # Blanks stand for what was read, so that columns count from the start of the line.
            rest = typed[command.end() :]
            argument = " " * command.end() + rest if rest else ""
            yield from getattr(self, _find(command[1]))(argument)
        elif typed and not typed.lstrip().startswith("#"):
            self.kept.take(self.session.add(typed))
            yield from self._event(len(self.session.events))
            yield from self._news()

    def state(self) -> Iterator[str]:
        """Yield the sheet; of a log that contradicts itself, the contradiction."""
        if self.knowledge.is_consistent():
            yield from sheet_text(self.knowledge).split("\n")
        else:
            yield from self._contradiction()

    # Commands, by their names

    def _show_sheet(self, argument: str) -> Iterator[str]:
        yield from self.state()

    def _show_log(self, argument: str) -> Iterator[str]:
        for number, event in enumerate(self.kept.events(), start=1):
            yield f"{number}. {event}"

    def _undo(self, argument: str) -> Iterator[str]:
        self.kept.take(self.session.undo())
        yield f"undone: {self.session.undone[-1].name}"
        yield from self._news()

    def _redo(self, argument: str) -> Iterator[str]:
        self.kept.take(self.session.redo())
        yield f"done again: {self.session.done[-1].name}"
        yield from self._news()

    def _edit(self, argument: str) -> Iterator[str]:
        number, text = _number(argument)
        self.kept.take(self.session.edit(number, text))
        yield from self._event(number)
        yield from self._news()

    def _drop(self, argument: str) -> Iterator[str]:
        number, _ = _number(argument)
        self.kept.take(self.session.drop(number))
        yield f"done: {self.session.done[-1].name}; later events have new numbers"
        yield from self._news()

    def _why(self, argument: str) -> Iterator[str]:
        claim = self._claim(argument)
        try:
            why = self.knowledge.why(claim)
        except Contradiction:
            yield from self._contradiction()
            return
        yield from str(why).split("\n")
        if why.verdict == "open" and (share := self.kept.probability(claim)) is not None:
            yield f"probability: {percent(share)}"
        for word, world in (("with it", why.holds), ("without it", why.fails)):
            if why.verdict == "open" and world is not None:
                yield f"a deal {word}:"
                yield from _deal(self.session, world)

    def _what_if(self, argument: str) -> Iterator[str]:
        if not argument:
            self.kept.take(self.session.free())
            yield "nothing is assumed any more"
            yield from self._news()
            return
        self.kept.take(self.session.assume(self._claim(argument)))
        for assumed, verdict in self.kept.verdicts().items():
            yield f"assumed: {assumed} ({verdict})"
        yield from self._news()

    def _check(self, argument: str) -> Iterator[str]:
        if self.knowledge.is_consistent():
            yield "all events can be true together"
        else:
            yield from self._contradiction()

    def _help(self, argument: str) -> Iterator[str]:
        yield HELP
        for command in COMMANDS:
            yield f"  {f':{command.name} {command.argument}':<24}{command.summary}"

    def _quit(self, argument: str) -> Iterator[str]:
        self.is_over = True
        yield from ()

    # Answers

    def _claim(self, argument: str) -> Constraint:
        problem = self.knowledge.problem
        return parse_claim(problem, argument, variable="card", value="holder")

    def _event(self, number: int) -> Iterator[str]:
        """Yield an event that was typed, as it was understood."""
        yield f"{number}. {self.kept.events()[number - 1]}"
        event = self.session.events[number - 1]
        yield from (f"note: {doubt}" for doubt in doubts(self.session, event))

    def _news(self) -> Iterator[str]:
        """Yield the contradiction, or what is certain now and was not, and the sheet."""
        if self.knowledge.is_consistent():
            said = self.kept.news()
            if said:
                yield f"{'if so' if self.session.assumed else 'now'} certain: {'; '.join(said)}"
        if self.follow or not self.knowledge.is_consistent():
            yield from self.state()

    def _contradiction(self) -> Iterator[str]:
        why = self.knowledge.contradiction()
        yield "CONTRADICTION: these cannot all be true:"
        for number, said, sentences in proof(self.session, why):
            if number is None:
                yield f"  assumed: {sentences}"
            else:
                yield f"  {number}. {said}"
                yield f"     so {sentences}"
        yield from (f"  rule: {rule}" for rule in why.rules)
        if why.repairs:
            numbers = join([str(number) for number in why.repairs], "or")
            yield f"it is enough to drop or correct event {numbers} (:drop N, :edit N ...)"
        elif why.events:
            yield "to change or drop one event is not enough; look at each of them"
        if self.session.assumed:
            yield ":what-if gives up what is assumed"
        if self.session.done:
            yield f":undo takes back {self.session.done[-1].name}"


def _find(word: str) -> str:
    """Return the method of a command, whose name may be shortened."""
    names = [command.name for command in COMMANDS]
    fitting = [name for name in names if name == word] or [
        name for name in names if fold(word) and fold(name).startswith(fold(word))
    ]
    if len(fitting) == 1:
        return next(command.method for command in COMMANDS if command.name == fitting[0])
    if fitting:
        raise BadInput(f":{word} can be {join([f':{name}' for name in fitting], 'or')}", text=word)
    raise BadInput(f"no command is called :{word}{nearest(word, names)} (see :help)", text=word)


def _number(argument: str) -> tuple[int, str]:
    """Return the number of an event, and the rest behind as many blanks as there were signs."""
    number = argument.split()[0] if argument.split() else ""
    if not (number.isascii() and number.isdecimal() and len(number) < 7):
        raise BadInput("which event? a number from :log, such as :drop 3", text=number or None)
    end = argument.index(number) + len(number)
    return int(number), " " * end + argument[end:]


def _deal(session: Session, world: World) -> Iterator[str]:
    for holder in session.game.holders:
        cards = [card for card in session.game.dealt if world[card] == holder]
        yield f"  {holder}: {', '.join(cards) or '-'}"
