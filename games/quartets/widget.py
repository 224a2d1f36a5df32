"""Blink Quartets in notebooks: a referee for a real table, and a stepper through a transcript.

No cards are seen, so the statements are all there is: the referee records them, shows whether any
deal is still possible, and why not, and in which hands every card can be. Needs the extra
``widgets``.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

from deduce.errors import BadInput, DeduceError
from deduce.events import read_text
from deduce.files import replace_file
from deduce.history import History
from deduce.show.sheet import Cell, Row, Sheet, share_cell
from deduce.text import plural, visible
from deduce.widgets.sheet import SheetWidget
from deduce.widgets.stepper import Moment, Stepper
from deduce.widgets.toolkit import (
    Panel,
    button,
    column,
    guarded,
    ipywidgets,
    message,
    refill,
    row,
    show,
)
from games.quartets.counting import count_deals
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.game import Quartets
from games.quartets.names import spoken_name
from games.quartets.position import Position
from games.quartets.session import Session
from games.quartets.setup import UNNAMED
from games.quartets.show.text import position_text
from games.quartets.verdict import Method, reason, verdict
from games.quartets.wording import turn_line

__all__ = ["Referee", "cards_table", "transcript_stepper"]


def cards_table(game: Quartets, position: Position) -> Sheet:
    """Return the hands in which every card can be.

    The numbers are shares of the possible deals.
    """
    counts = count_deals(position.form)
    rows: list[Row] = []
    for group, cards in game.groups.items():
        numbers = [game.card(card) for card in cards if game.card(card) in counts.holders]
        if not numbers:
            rows.append(Row(f"{_shown(game, group)}: laid aside"))
            continue
        rows.append(Row(_shown(game, group)))
        for number in numbers:
            name = _shown(game, game.cards[number])
            shares = (counts.probability(number, p) for p in range(len(game.players)))
            cells = (
                share_cell(share, name=f"{name}, {player}")
                for share, player in zip(shares, game.players, strict=True)
            )
            rows.append(Row(name, tuple(cells)))
    title = f"Where the cards can be: {plural(counts.total, 'possible deal')}"
    return Sheet(("", *game.players), rows, title)


def _shown(game: Quartets, name: str) -> str:
    return name if UNNAMED in name else spoken_name(game, name)


class Referee(Panel):
    """Records the statements at a table and judges them.

    Parameters
    ----------
    game
        The game, or a session to continue.
    file
        Holds the transcript after every step; it is replaced. See also `open`.

    Examples
    --------
    >>> from games.quartets.setup import named_groups
    >>> referee = Referee(Quartets(("Ann", "Ben"), named_groups([2, 2])))
    >>> referee.card.value = "a1"
    >>> referee.ask.click()
    >>> referee.no.click()
    >>> referee.session.log
    (Ask(by='Ann', to='Ben', card='a1'), Answer(by='Ben', yes=False))
    >>> print(referee.text.splitlines()[-1])
    Ben: no
    """

    def __init__(self, game: Quartets | Session, *, file: Path | None = None) -> None:
        self.file = file
        session = game if isinstance(game, Session) else Session.new(game)
        self.history: History[Session] = session.history()
        self.status, self.verdict, self.position, self.why = (ipywidgets.HTML() for _ in range(4))
        wide = ipywidgets.Layout(width="auto", max_width="100%")
        self.to, self.group, self.card = (ipywidgets.Dropdown(layout=wide) for _ in range(3))
        self.ask = button("asks for it", self._ask, "The player with the turn asks", "primary")
        self.declare = button("declares the group", self._declare, "The player lays it aside")
        self.yes = button("yes", lambda: self._answer(yes=True), "The card is handed over")
        self.no = button("no", lambda: self._answer(yes=False), "The player does not hold it")
        self.line = ipywidgets.Text(
            placeholder="Ben a1 · yes · no · declare a", layout=ipywidgets.Layout(width="auto")
        )
        self.say = button("Enter", self._say, "A statement, in full or short")
        self.undo = button("Undo", lambda: self._do(lambda: self.history.undo()))
        self.redo = button("Redo", lambda: self._do(lambda: self.history.redo()))
        self.cards, self.log = SheetWidget(), SheetWidget()
        self.log.add_class("deduce-scroll")
        self.group.observe(lambda _: self._offer_cards(), "value")
        self.cards.observe(lambda _: self._explain(), "picked")
        self._turn = row(self.to, self.group, self.card, self.ask, self.declare)
        self._question = row(self.yes, self.no)
        left = [self.status, self._turn, self._question, self.line]
        left += [row(self.say, self.undo, self.redo), self.verdict, self.position, self.log]
        layout = ipywidgets.Layout(flex_flow="row wrap", overflow="visible", grid_gap="16px")
        columns = [column(left, "1 1 330px"), column([self.cards, self.why], "1 1 330px")]
        self.view = ipywidgets.Box(columns, layout=layout)
        self.view.add_class("deduce-panel")
        self._follow()

    @classmethod
    def open(cls, name: str | Path) -> Referee:
        """Return a referee that continues the transcript in a file, and saves to it.

        Raises
        ------
        BadInput
            The file cannot be read.
        """
        text, source = read_text(str(name))
        try:
            return cls(Session.read(text, source=source), file=Path(name))
        except BadInput as error:
            raise error.at(source=source) from None

    def __str__(self) -> str:
        return position_text(self.session.game, self.session.position)

    @property
    def session(self) -> Session:
        """The game so far."""
        return self.history.now

    @property
    def text(self) -> str:
        """The transcript, to be saved."""
        return self.session.text()

    # Statements

    def _do(self, step: Callable[[], History[Session]]) -> None:
        def take() -> None:
            history = step()
            if self.file is not None:
                replace_file(self.file, history.now.text())
            self.history = history

        if guarded(take, self._warn):
            self._follow()

    def _tell(self, make: Callable[[str], Event]) -> None:
        """Record a statement of the player who has to speak."""

        def step() -> History[Session]:
            game = self.session.game
            speaker = game.players[self.session.position.speaker()]
            return self.history.to(self.session.tell(make(speaker)))

        self._do(step)

    def _ask(self) -> None:
        self._tell(lambda by: Ask(by, self.to.value, self.card.value))

    def _answer(self, *, yes: bool) -> None:
        self._tell(lambda by: Answer(by, yes))

    def _declare(self) -> None:
        self._tell(lambda by: Quartet(by, self.group.value))

    def _say(self) -> None:
        def step() -> History[Session]:
            if not self.line.value.strip():
                raise BadInput("the statement is empty; for example: Ben a1")
            return self.history.to(self.session.say(self.line.value))

        before = self.history
        self._do(step)
        if self.history is not before:
            self.line.value = ""

    # Appearance

    def _warn(self, text: str) -> None:
        self.status.value = message(visible(text), "bad")

    def _follow(self) -> None:
        session = self.session
        game, position = session.game, session.position
        self.undo.disabled, self.redo.disabled = not self.history.past, not self.history.future
        self.status.value = message(visible(turn_line(game, position)), "good")
        asked = position.question is not None
        show(self._turn, shown=not position.over and not asked)
        show(self._question, shown=not position.over and asked)
        if not position.over and not asked:
            others = [p for p in range(len(game.players)) if p != position.speaker()]
            able = [game.players[p] for p in others if position.form.hands()[p]]
            groups = [game.group_names[g] for g in position.form.groups()]
            refill(self.to, [(visible(name), name) for name in able])
            refill(self.group, [(visible(_shown(game, name)), name) for name in groups])
            self._offer_cards()
        text = "\n".join([*session.forced(), position_text(game, position)])
        self.position.value = f'<pre class="deduce-prose">{escape(visible(text))}</pre>'
        self.why.value = ""
        statements = enumerate(map(game.format_event, session.log), start=1)
        rows = [Row(f"{n}.", (Cell(line, pick=False),)) for n, line in statements]
        self.log.show(Sheet((), rows[::-1], "Statements, the last one first", wraps=True))
        try:
            self.cards.show(cards_table(game, position))
            result = verdict(session, Method())
        except DeduceError as error:
            self._warn(str(error))
            return
        kind = "note" if result.valid else "bad"
        lines = "\n".join(result.lines()).split("\n")
        parts = "<br>".join(escape(visible(line)) for line in lines)
        self.verdict.value = f'<div class="deduce-message deduce-{kind}">{parts}</div>'

    def _offer_cards(self) -> None:
        game, group = self.session.game, self.group.value
        if group in game.groups:
            cards = game.groups[group]
            refill(self.card, [(visible(_shown(game, name)), name) for name in cards])

    def _explain(self) -> None:
        """Show why the clicked card is, or is not, in the clicked hand."""
        place = self.cards.place
        if place is None:
            return
        game = self.session.game
        label = _cards_of(game, self.session.position)[place[0]]
        self.why.value = _why(self.session, label, game.players[place[1]])


def _cards_of(game: Quartets, position: Position) -> dict[int, str]:
    """Return the card of each line of `cards_table`."""
    card_of: dict[int, str] = {}
    line = 0
    for cards in game.groups.values():
        line += 1
        if position.form.aside >> game.table.group_of[game.card(cards[0])] & 1:
            continue
        for card in cards:
            card_of[line] = card
            line += 1
    return card_of


def _why(session: Session, card: str, player: str) -> str:
    try:
        text = reason(session, f"{card}={player}").text
    except DeduceError as error:
        return message(visible(str(error)), "bad")
    lines = "<br>".join(escape(visible(line)) for line in text.split("\n"))
    return f'<div class="deduce-prose">{lines}</div>'


def transcript_stepper(session: Session) -> Stepper:
    """Return a stepper through the statements; a click on a card shows why it is there.

    Examples
    --------
    >>> from games.quartets.setup import named_groups
    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> stepper = transcript_stepper(Session.new(game).say("Ben a1").say("yes"))
    >>> stepper.go(2)
    >>> stepper.moment.title, stepper.moment.changes
    ('2. Ben: yes', ('Ann has a1', 'Ann has a2', 'possible deals: 5 → 2'))
    """
    game = session.game

    def moment(number: int) -> Moment:
        position, log = session.positions[number], session.log[:number]
        title = (
            f"{number}. {game.format_event(log[-1])}" if log else "0. before the first statement"
        )
        changes = _changes(game, session.positions[number - 1], position) if log else []
        if position.fault is not None:
            changes.insert(0, f"{game.players[position.fault.loser]} loses: no deal is possible")
        state = f"<pre>{escape(visible(position_text(game, position)))}</pre>"
        upto = Session(game, log, session.positions[: number + 1])
        card_of = _cards_of(game, position)
        return Moment(
            title,
            tuple(changes),
            cards_table(game, position),
            lambda place: _why(upto, card_of[place[0]], game.players[place[1]]),
            state,
        )

    return Stepper(len(session.log), moment)


def _changes(game: Quartets, before: Position, now: Position) -> list[str]:
    known, sure = _sure(game, before), _sure(game, now)
    lines = [f"{sure[card]} has {card}" for card in sure if known.get(card) != sure[card]]
    deals = count_deals(before.form).total, count_deals(now.form).total
    if deals[0] != deals[1]:
        lines.append(f"possible deals: {deals[0]:,} → {deals[1]:,}")
    return lines


def _sure(game: Quartets, position: Position) -> dict[str, str]:
    """Return the cards whose holder is certain, with that holder."""
    counts = count_deals(position.form)
    return {
        _shown(game, game.cards[card]): game.players[row.index(counts.total)]
        for card, row in counts.holders.items()
        if counts.total in row
    }
