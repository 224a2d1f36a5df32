"""What one player of a shared log saw, and how their steps become steps of the whole log.

The page of a player is computed from a `deduce.face.presenter.PrivateView` alone: the set-up and
the events that this player saw, as a log of its own. It is made here, from the whole log, and its
presenter, jobs, cached fragments and errors have nothing else. `SharedLog` keeps the whole log:
every line has a place that stays while other lines come and go, so a step of a player never depends
on lines that this player does not see.
"""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from attrs import define, evolve, field, frozen

from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.events import Log, write_log, write_text
from deduce.face.document import Change, Document
from deduce.face.presenter import PrivateView
from deduce.face.sentences import refused
from deduce.face.texts import Message
from deduce.game import SeenInParts
from deduce.logs import event_line

__all__ = ["MAX_OWN", "SharedLog", "Shown", "check_shareable"]

MAX_OWN = 50_000
"""The characters of all lines that one player may have entered: so no player can fill the log."""

MAX_STEPS = 300
"""How many steps a player can take back."""


@frozen
class _Line:
    """A line of the whole log: its place among all lines, its text, and who entered it."""

    place: Fraction
    text: str
    player: str | None = None


@frozen
class _Step:
    """Lines that go, by their places, and lines that come."""

    gone: frozenset[Fraction]
    new: tuple[_Line, ...]
    name: Message | None

    def apply(self, lines: Iterable[_Line]) -> list[_Line]:
        """Return the lines after the step."""
        kept = [line for line in lines if line.place not in self.gone]
        return sorted([*kept, *self.new], key=_place)

    def inverse(self, lines: Iterable[_Line]) -> _Step:
        """Return the step that takes this one back."""
        gone = tuple(line for line in lines if line.place in self.gone)
        return _Step(frozenset(map(_place, self.new)), gone, self.name)


def _place(line: _Line) -> Fraction:
    return line.place


@frozen
class Shown:
    """A view as the server keeps it: the lines of its text, below those of the set-up."""

    view: PrivateView
    setup: Sequence[str] = ()
    lines: Sequence[_Line] = ()


@define
class _Player:
    """What the server keeps of a player: the steps to take back and to repeat, the last view."""

    past: list[_Step] = field(factory=list)
    future: list[_Step] = field(factory=list)
    shown: Shown | None = None
    after: Document | None = None


@define
class SharedLog:
    """The whole log of several players.

    Parameters
    ----------
    read
        Returns the log that a text states; no page of a player uses it.
    identifier
        Returns a random text.
    """

    read: Callable[[str], Log]
    identifier: Callable[[], str] = secrets.token_urlsafe
    _document: Document | None = None
    _log: Log | None = None
    _lines: list[_Line] = field(factory=list)
    _used: set[Fraction] = field(factory=set)
    _players: dict[str, _Player] = field(factory=dict)

    def follow(self, document: Document | None) -> None:
        """Follow a log that was changed by other means than the steps of players."""
        if document is self._document or document is None:
            return
        change = Change.between("".join(f"{line.text}\n" for line in self._lines), document)
        gone = self._lines[change.start : change.start + change.length]
        new = self._new_lines(change.start, len(gone), change.lines, None)
        log: Log | None = None
        with suppress(DeduceError):
            log = self.read(document.text)
        step = _Step(frozenset(map(_place, gone)), new, None)
        self._set(document, step.apply(self._lines), log)

    def _set(self, document: Document, lines: list[_Line], log: Log | None) -> None:
        self._document, self._lines, self._log = document, lines, log
        for player in self._players:  # now, so that no later request shows how long it takes
            self.shown(player)

    def shown(self, player: str) -> Shown:
        """Return what a player sees now."""
        kept = self._players.setdefault(player, _Player())
        if kept.shown is None or kept.after is not self._document:
            shown = self._show(player, kept)
            old = None if kept.shown is None else kept.shown.view
            identifier = "" if old is None else old.identifier
            if old is None or evolve(shown.view, identifier=identifier) != old:
                identifier = self.identifier()
            kept.shown = evolve(shown, view=evolve(shown.view, identifier=identifier))
            kept.after = self._document
        return kept.shown

    def _show(self, player: str, kept: _Player) -> Shown:
        nothing, log = Shown(PrivateView(player)), self._log
        if self._document is None or log is None:
            return nothing
        try:
            check_shareable(log)
            viewer = {str(each): each for each in log.game.players}[player]
            game = log.game.seen_by(viewer)
            try:
                setup = write_text(game, []).splitlines()
            except Unsupported:
                setup = write_log(game, []).splitlines()
            lines = list(self._seen_lines(log, viewer))
        except (DeduceError, KeyError):
            return nothing
        own = frozenset(index for index, line in enumerate(lines) if line.player == player)
        document = Document(self._document.game, _text(setup, lines))
        if kept.past:
            document = evolve(
                document,
                step=kept.past[-1].name,
                past=(self._change(document, setup, lines, kept.past),),
            )
        if kept.future:
            document = evolve(document, future=(self._change(document, setup, lines, kept.future),))
        return Shown(PrivateView(player, document, own), setup, lines)

    def _seen_lines(self, log: Log, viewer: Any) -> Iterable[_Line]:
        for event, number in zip(log.events, log.lines, strict=True):
            seen = log.game.seen_event(event, viewer)
            if seen is not None:
                yield evolve(self._lines[number - 1], text=event_line(log.game, seen))

    def _change(
        self, document: Document, setup: Sequence[str], lines: Sequence[_Line], steps: list[_Step]
    ) -> Change:
        """Return the change of what a player sees when the last of some steps is taken."""
        text = _text(setup, steps[-1].apply(lines))
        return Change.between(document.text, Document(document.game, text, (), steps[-1].name))

    def take(self, shown: Shown, after: Document, keep: Callable[[Document], None]) -> None:
        """Take a step of a player as a step of the whole log.

        Parameters
        ----------
        shown
            What the player saw.
        after
            The log of their page after the step.
        keep
            Keeps the whole log; the step is only taken if it does not fail.

        Raises
        ------
        BadInput
            It would change what the player did not enter, state what they do not see, or not fit.
        """
        before, player = shown.view.document, shown.view.player
        if before is None or self._document is None or after.text == before.text:
            return
        kept = self._players[player]
        undone = bool(before.past) and after == before.undo()
        redone = not undone and bool(before.future) and after == before.redo()
        taken = kept.past if undone else kept.future
        step = taken[-1] if undone or redone else self._step(shown, before, after)
        lines = step.apply(self._lines)
        if sum(len(line.text) for line in lines if line.player == player) > MAX_OWN:
            raise BadInput(refused("refused.own", n=MAX_OWN))
        text = _text((), lines)
        try:
            log = self.read(text)
        except DeduceError:
            raise BadInput(refused("refused.meanwhile")) from None
        self._check_seen(log, lines, step, player)
        document = self._document.to(text, self._document.assumed, step=step.name)
        keep(document)
        back = step.inverse(self._lines)
        if undone or redone:
            taken.pop()
            (kept.future if undone else kept.past).append(back)
        else:
            kept.past = [*kept.past, back][-MAX_STEPS:]
            kept.future = []
        self._set(document, lines, log)

    def _check_seen(self, log: Log, lines: Sequence[_Line], step: _Step, player: str) -> None:
        """Raise `BadInput` if a player states something of which they see nothing."""
        viewer = {str(each): each for each in log.game.players}[player]
        new = set(map(_place, step.new))
        for event, number in zip(log.events, log.lines, strict=True):
            if lines[number - 1].place in new and log.game.seen_event(event, viewer) is None:
                raise BadInput(refused("refused.unseen"))

    def _step(self, shown: Shown, before: Document, after: Document) -> _Step:
        """Return the step of the whole log that changes what a player sees."""
        change = Change.between(before.text, after)
        # Of equal lines, those that the player entered are meant.
        start = change.start - len(shown.setup)
        gone = shown.lines[max(start, 0) : start + change.length]
        while not change.lines and gone and any(line.player != shown.view.player for line in gone):
            if not start or shown.lines[start - 1].text != gone[-1].text:
                break
            start -= 1
            gone = shown.lines[start : start + change.length]
        if start < 0 or any(line.player != shown.view.player for line in gone):
            raise BadInput(refused("refused.old_page"))
        at = len(self._lines)
        if start < len(shown.lines):
            at = bisect_left(self._lines, shown.lines[start].place, key=_place)
        new = self._new_lines(at, len(gone), change.lines, shown.view.player)
        return _Step(frozenset(map(_place, gone)), new, after.step)

    def _new_lines(
        self, at: int, length: int, ended: Sequence[str], player: str | None
    ) -> tuple[_Line, ...]:
        """Return lines with places that no line ever had, for ``length`` lines from an index on."""
        texts = [text for line in ended for text in line.splitlines()]
        low = self._lines[at - 1].place if at else Fraction(-1)
        if not at and self._lines:
            low = self._lines[0].place - 1
        end = at + length
        high = self._lines[end].place if end < len(self._lines) else low + len(texts) + 1
        new = []
        for left, text in zip(range(len(texts), 0, -1), texts, strict=True):
            place = low + (high - low) / (left + 1)
            while place in self._used:
                place = (low + place) / 2
            self._used.add(place)
            new.append(_Line(place, text, player))
            low = place
        return tuple(new)


def _text(setup: Iterable[str], lines: Iterable[_Line]) -> str:
    return "".join(f"{line}\n" for line in (*setup, *(line.text for line in lines)))


def check_shareable(log: Log) -> None:
    """Raise if players cannot share a log.

    Raises
    ------
    Unsupported
        The game does not state what each player sees.
    BadInput
        The log has not one line for each event.
    """
    if not isinstance(log.game, SeenInParts):
        raise Unsupported(refused("refused.shared"))
    if len(log.lines) != len(log.events):
        raise BadInput(refused("refused.lines"))
