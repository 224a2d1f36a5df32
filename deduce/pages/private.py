"""What one player of a shared log saw, and how their steps become steps of the whole log.

The page of a player is computed from a `deduce.pages.protocol.PrivateView` alone: the set-up and
the events that this player saw, as a log of its own. It is made here, from the whole log, and its
presenter, jobs, cached fragments and errors have nothing else. A line that is taken out of the
whole log keeps its place, so a step of a player, and taking it back, never depends on lines that
this player does not see.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress

from attrs import define, evolve, field, frozen

from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.game import SeenInParts
from deduce.logs.document import Change, Document
from deduce.logs.events import Log, event_line, write_log, write_text
from deduce.pages.protocol import PrivateView
from deduce.pages.sentences import refused
from deduce.system.language import Message

__all__ = ["MAX_OWN", "SharedLog", "Shown", "check_shareable"]

MAX_OWN = 50_000
"""The characters of all lines that one player may have entered: so no player can fill the log."""

MAX_STEPS = 300
"""How many steps a player can take back."""


@define(eq=False)
class _Line:
    """A line of the whole log: its text, who entered it, and whether it is in the log now."""

    text: str
    player: str | None = None
    there: bool = True


@frozen
class _Step:
    """A step of a player: lines that came, and lines that went. Taking it back changes both."""

    lines: Collection[_Line]
    name: Message | None

    def after(self, lines: Sequence[_Line]) -> list[_Line]:
        """Return the lines that are in the log after the step, or after taking it back."""
        return [line for line in lines if line.there != (line in self.lines)]


NOTHING = _Step((), None)


@frozen
class Shown:
    """A view as the server keeps it, with the lines of its events, and those of the set-up."""

    view: PrivateView
    lines: Sequence[_Line] = ()
    setup: Sequence[str] = ()


@define
class _Player:
    """What the server keeps of a player: the steps to take back and to repeat, the last view."""

    past: list[_Step] = field(factory=list)
    future: list[_Step] = field(factory=list)
    shown: Shown = Shown(PrivateView(""))
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
    _players: dict[str, _Player] = field(factory=dict)

    def follow(self, document: Document | None) -> None:
        """Follow a log that was changed by other means than the steps of players."""
        if document is not self._document and document is not None:
            for line in self._lines:
                line.there = False
            log: Log | None = None
            with suppress(DeduceError):
                log = self.read(document.text)
            self._set(document, [*self._lines, *map(_Line, document.text.splitlines())], log)

    def _set(self, document: Document, lines: list[_Line], log: Log | None) -> None:
        self._document, self._lines, self._log = document, lines, log
        for player in self._players:  # now, so that no later request shows how long it takes
            self.shown(player)

    def shown(self, player: str) -> Shown:
        """Return what a player sees now."""
        kept = self._players.setdefault(player, _Player())
        if kept.after is not self._document:
            old, shown = kept.shown.view, self._show(player, kept)
            same = evolve(shown.view, identifier=old.identifier) == old
            identifier = old.identifier if same else self.identifier()
            kept.shown = evolve(shown, view=evolve(shown.view, identifier=identifier))
            kept.after = self._document
        return kept.shown

    def last(self, player: str) -> str:
        """Return the identifier of what a player saw last; empty if they saw nothing yet."""
        return self._players[player].shown.view.identifier if player in self._players else ""

    def _show(self, player: str, kept: _Player) -> Shown:
        log, document = self._log, self._document
        if log is None or document is None:
            return Shown(PrivateView(player))
        try:
            viewer = _viewer(log, player)
            game = log.game.seen_by(viewer)
            seen = {
                line: event_line(log.game, event)
                for line, whole in _events(log, NOTHING.after(self._lines))
                if (event := log.game.seen_event(whole, viewer)) is not None
            }
            try:
                setup = write_text(game, []).splitlines()
            except Unsupported:
                setup = write_log(game, []).splitlines()
        except DeduceError:
            return Shown(PrivateView(player))

        def text(step: _Step) -> str:
            lines = [line for line in step.after(self._lines) if line in seen or line in step.lines]
            return _text([*setup, *(seen.get(line, line.text) for line in lines)])

        now, name = text(NOTHING), document.game
        past, future = (
            [Change.between(now, Document(name, text(s), step=s.name)) for s in steps[-1:]]
            for steps in (kept.past, kept.future)
        )
        last = kept.past[-1].name if kept.past else None
        document = Document(name, now, (), last, tuple(past), tuple(future))
        own = frozenset(index for index, line in enumerate(seen) if line.player == player)
        return Shown(PrivateView(player, document, own), list(seen), setup)

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
        kept, lines = self._players[player], list(self._lines)
        undone = bool(before.past) and after == before.undo()
        redone = bool(before.future) and after == before.redo()
        if undone or redone:
            step = (kept.past if undone else kept.future)[-1]
        else:
            step = self._step(shown, before, after, lines)
        whole = step.after(lines)
        if sum(len(line.text) for line in whole if line.player == player) > MAX_OWN:
            raise BadInput(refused("refused.own", n=MAX_OWN))
        text = _text(line.text for line in whole)
        try:
            log = self.read(text)
        except DeduceError:
            raise BadInput(refused("refused.meanwhile")) from None
        viewer = _viewer(log, player)
        for line, event in _events(log, whole):
            if line in step.lines and log.game.seen_event(event, viewer) is None:
                raise BadInput(refused("refused.unseen"))
        document = self._document.to(text, self._document.assumed, step=step.name)
        keep(document)
        for line in step.lines:
            line.there = not line.there
        if undone:
            kept.future.append(kept.past.pop())
        else:
            kept.past = [*kept.past, step][-MAX_STEPS:]
            kept.future = kept.future[:-1] if redone else []
        self._set(document, lines, log)

    def _step(self, shown: Shown, before: Document, after: Document, lines: list[_Line]) -> _Step:
        """Return the step that changes what a player sees; its new lines get their places."""
        player, change = shown.view.player, Change.between(before.text, after)
        start, texts = change.start - len(shown.setup), before.text.splitlines()[len(shown.setup) :]
        if change.length == 1 and not change.lines and start >= 0:
            # Of equal lines, which cannot be told apart in a text, the player's own is meant.
            own = [at for at, line in enumerate(shown.lines) if line.player == player]
            start = next((at for at in own if texts[at] == texts[start]), start)
        gone = shown.lines[start : start + change.length] if start >= 0 else ()
        if start < 0 or any(line.player != player or not line.there for line in gone):
            raise BadInput(refused("refused.old_page"))
        at = lines.index(shown.lines[start]) if start < len(shown.lines) else len(lines)
        texts = [text for line in change.lines for text in line.splitlines()]
        new = [_Line(text, player, there=False) for text in texts]
        lines[at:at] = new
        return _Step([*gone, *new], after.step)


def _viewer(log: Log, player: str) -> Hashable:
    """Return a player of a log by name; raise `BadInput` if there is none."""
    check_shareable(log)
    players = {str(each): each for each in log.game.players}
    if player not in players:
        raise BadInput(refused("refused.shared"))
    viewer: Hashable = players[player]
    return viewer


def _events(log: Log, lines: Sequence[_Line]) -> Iterator[tuple[_Line, object]]:
    """Yield the lines of the events of a log, with the events."""
    for event, number in zip(log.events, log.lines, strict=True):
        yield lines[number - 1], event


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


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
