"""The sentences of the pages: message keys and values in, text out.

A page makes no sentence itself. It names a message and its values, and `Texts` looks the message up
in tables, so that another language is another table. A message may have two forms, for one and for
several; the value ``n`` selects the form. Here is every sentence that is not a game's own; a game
has its sentences in ``texts.py``. What is refused is said by `refused`, where no tables of a game
are at hand.

>>> say = Texts({"deals": ("{n} deal remains possible", "{n} deals remain possible")})
>>> say("deals", n=1), say("deals", n=12_000)
('1 deal remains possible', '12,000 deals remain possible')
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from deduce.pages.html import short

__all__ = [
    "FRAME_TEXTS",
    "GRID_TEXTS",
    "LOG_TEXTS",
    "PAGE_TEXTS",
    "PLAY_TEXTS",
    "REFUSED_TEXTS",
    "SHARE_TEXTS",
    "SHEET_TEXTS",
    "SLIPS_TEXTS",
    "START_TEXTS",
    "TUTOR_TEXTS",
    "Message",
    "Table",
    "Texts",
    "refused",
]

Table = Mapping[str, "str | tuple[str, str]"]
"""Message key -> its text with ``{value}`` fields; or two texts, for one and for several."""


@frozen
class Message:
    """A sentence as data: the key of a message, and its values."""

    key: str
    values: Mapping[str, object] = {}


class Texts:
    """The tables of a game and of the frame around it; the first that has a key decides.

    Raises
    ------
    KeyError
        On a call: no table has the message, or a value is missing. Both are failures of a page.
    """

    def __init__(self, *tables: Table) -> None:
        self.tables = list(tables)

    def __call__(self, key: str, **values: object) -> str:
        """Return a sentence; numbers are written with separators, long names abbreviated."""
        message = next((table[key] for table in self.tables if key in table), None)
        if message is None:
            raise KeyError(key)
        if isinstance(message, tuple):
            message = message[values["n"] != 1]
        shown = {
            name: number_text(value) if type(value) is int else short(str(value))
            for name, value in values.items()
        }
        return message.format(**shown)

    def message(self, message: Message) -> str:
        """Return the sentence of a message; its key itself if no table has it any more."""
        try:
            return self(message.key, **message.values)
        except (KeyError, IndexError):
            return message.key


LARGE = ("", "", "million", "billion", "trillion", "quadrillion", "quintillion")
"""The names of the powers of a thousand."""


def number_text(value: int) -> str:
    """Return a number with separators; a large one rounded to three digits, in words.

    >>> number_text(-12_000), number_text(1_313_225_156_250), number_text(10**21)
    ('-12,000', '1.31 trillion', '1.00e+21')
    """
    if abs(value) < 10**7:
        return f"{value:,}"
    if abs(value) >= 10**21:
        return f"{value:.2e}" if abs(value) < 10**300 else f"10^{len(str(value)) - 1}"
    power = (len(str(abs(value))) - 1) // 3
    return f"{value / 1000**power:.3g} {LARGE[power]}"


PAGE_TEXTS: Mapping[str, str] = {
    "title": "deduce",
    "description": "Exact deduction at the table: what a game's log proves, why, how probable the "
    "rest is, and what to ask next.",
    "lead": "Your Cluedo sheet, exact: tap what happens at the table, and see what is proved, why, "
    "and what to ask next.",
    "picture": "Miss_Scarlett – ✓ – –\nColonel_Mustard 67% – 33% –\nRope – – – ✓\n"
    "Candlestick ✓ – – –\nHall – – ✓ –\nLibrary 46% – 21% 33%",
    "new": "New game",
    "see": "See a game",
    "continue": "Continue",
    "saved": "Your games",
    "purpose.cards": "At the table",
    "purpose.roles": "Hidden roles",
    "purpose.guess": "Find what is hidden",
    "purpose.open": "Play against the engine",
    "more": "More games",
    "open": "Open a file",
    "open_hint": "A log that was saved as a file; you can also drop it on this page.",
    "bad_link": "This address names no game. The link may be damaged; ask for it again.",
    "no_such": "This browser has no such game: it was deleted, or begun elsewhere.",
    "too_big": "This file is too big: a log has up to 1,000,000 characters.",
    "no_text": "This file is not text, so it is not a log.",
    "about": "Everything is computed in this browser or on this computer. Nothing is sent away.",
    "noscript": "This page needs JavaScript.",
    "loading": "The engine is loading…",
    "loaded": "{done} of {all} MB, {percent} %",
    "computing": "Computing…",
    "stale": "this is for an earlier position",
    "copied": "Copied.",
    "too_long": "This log is too long for a QR code.",
    "delete": "Delete",
    "dismiss": "Dismiss",
    "unsaved": "This browser does not let the page keep the game. Save it as a file.",
    "offline_failed": "The engine could not be loaded. Reload the page when you are online.",
    "second": "Every position, its value, and the engine as an opponent",
    "play_title": "{game}: play",
    "update": "A new version is ready; it is used when the page is opened again.",
}
"""The sentences of the page itself."""

START_TEXTS: Table = {
    "start.title": "New game",
    "start.new": "Start a new game",
    "start.examples": "Or look at an example",
    "start.text": "Or write or paste a log",
    "start.label": "The log as text",
    "start.open": "Use this text",
    "start.rules": "Rules",
}
"""The texts of the page on which a game begins."""

FRAME_TEXTS: Table = {
    "frame.games": "Games",
    "frame.games_hint": "Back to the list of games",
    "frame.undo": "Undo",
    "frame.undo_step": "Undo: {step}",
    "frame.redo": "Redo",
    "frame.redo_step": "Redo: {step}",
    "frame.nothing_to_undo": "Nothing to undo",
    "frame.nothing_to_redo": "Nothing to redo",
    "frame.views": "Views",
    "frame.above": "About the whole log",
    "frame.side": "Beside the sheet",
    "frame.computing": "Computing…",
    "frame.stale": "for an earlier position",
    "view.more": "More",
}

LOG_TEXTS: Table = {
    "view.log": "Log",
    "saved": ("{players} · {n} event", "{players} · {n} events"),
    "log.title": ("{n} event", "{n} events"),
    "log.none": "No events yet.",
    "log.older": ("Show {n} older event", "Show {n} older events"),
    "log.then": "Step through the log",
    "log.then_line": "What was known then",
    "then.title": "Looking back",
    "then.start": "Before the first event",
    "then.event": "After event {n}",
    "then.now": "Back to now",
    "log.open": "Change event {n}",
    "log.line": "The event",
    "log.save": "Save",
    "log.insert": "Insert before",
    "log.drop": "Delete",
    "log.close": "Close",
    "log.add": "Add a line",
    "log.add_button": "Add",
    "log.example": "for example {example}",
    "log.empty": "type an event first",
    "log.which": "which event? Open a line of the log first",
    "log.proof": "part of the proof",
    "log.shared": "Others use this log too. You can change the events that you entered yourself; "
    "Undo takes back your own last step.",
    "log.not_yours": "only the player who entered this event can change it",
    "log.not_for_players": "a player who shares the log with others cannot do this",
    "text.label": "Log",
    "text.save": "Use this text",
    "text.unreadable": "This log cannot be read",
    "step.add": "adding {line}",
    "step.edit": "changing an event to {line}",
    "step.insert": "inserting {line}",
    "step.drop": "deleting {line}",
    "step.revert": "going back to what was there before {line}",
    "step.text": "replacing the text",
    "step.assume": "assuming that {fact}",
    "step.free": "ending the what-if",
    "done.undo": "Undone: {step}",
    "done.redo": "Done again: {step}",
    "done.text": "The text is the log now.",
    "news": "Now certain: {facts}",
    "news.assumed": "If so, certain: {facts}",
    "news.more": "{shown}; and {n} more",
    "if.banner": "What if: {facts}",
    "if.end": "End what-if",
    "contradiction.title": "The log contradicts itself",
    "contradiction.none": "No world is possible while the log contradicts itself.",
    "contradiction.look": "These cannot all be true. Changing one of them is not enough.",
    "contradiction.repair": "These cannot all be true. Tap one to change or delete it.",
    "contradiction.enough": "changing this one is enough",
    "contradiction.revert": "Undo that change",
    "why.close": "Close",
    "why.certain": "certain",
    "why.impossible": "impossible",
    "why.open": "open",
    "why.because": "Because",
    "why.rule": "Rule",
    "why.assumed": "Assumed",
    "why.probability": "Its probability is {share}. Nothing in the log decides it.",
    "why.no_probability": "Nothing in the log decides it.",
    "why.if_so": "What if so?",
    "why.if_not": "What if not?",
    "why.not_smallest": "There may be a shorter proof.",
}
"""The texts of the log, of its steps, and of explanations."""

SHARE_TEXTS: Table = {
    "view.share": "Share",
    "share.title": "Share this game",
    "share.link": "Link to the whole log",
    "share.link_hint": "It contains everything in the log. No server sees it.",
    "share.invitation": "Invitation",
    "share.invitation_hint": "The same game without any hand, for another player's own sheet.",
    "share.copy": "Copy",
    "share.qr": "QR code",
    "share.file": "Save as a file",
    "share.print": "Print the sheet",
    "share.edit": "Edit the whole log as text",
}

GRID_TEXTS: Table = {
    "grid.caption": "The sheet",
    "grid.cell": "{variable}, {value}: {verdict}",
    "grid.yes": "yes",
    "grid.no": "no",
    "grid.new": "new",
    "grid.open": "open",
}
"""The texts of a sheet."""

SHEET_TEXTS: Table = {
    "view.sheet": "Sheet",
    "view.advice": "Advice",
    "sheet.title": "What the log shows",
    "sheet.worlds": ("{n} world remains possible", "{n} worlds remain possible"),
    "sheet.undecided": "The percentages are not known within the time limit.",
    "sheet.contradiction": "No world is possible: the log contradicts itself.",
    "sheet.help": "Tap a cell to see why.",
    "sheet.more": "The first {shown} of {n} rows are shown.",
    "advice.title": "What to ask",
    "advice.ask": "Ask {what}.",
    "advice.left_of": "{n} possibilities remain now, and on average {left} after the answer.",
    "advice.left": "On average {left} possibilities remain after the answer.",
    "advice.none": "There is nothing to ask.",
    "advice.same": ("{n} other is equally good.", "{n} others are equally good."),
    "advice.others": "Other questions",
    "advice.estimate": "Estimated from drawn worlds.",
    "advice.refining": "A first estimate; it is being refined.",
    "advice.tap": "Tap the answer that you got.",
}
"""The texts of the page of any hidden game."""

SLIPS_TEXTS: Table = {
    "slips.begin": "Allow for mistakes",
    "slips.end": "Trust every event",
    "slips.on": "Each event may be wrong, so nothing that rests on one is certain.",
    "slips.title": "Events that may be wrong",
    "slips.wrong": "{answer}: wrong with {share}",
    "slips.none": "No event is suspicious.",
    "slips.doubtful": "rests on an event that may be wrong",
}
"""The texts of a sheet that allows for wrong events."""

TUTOR_TEXTS: Table = {
    "view.tutor": "Tutor",
    "tutor.title": "You mark, the tutor judges",
    "tutor.off": "Hide what the log proves, mark what you find out, and ask for hints.",
    "tutor.begin": "Hide the answers",
    "tutor.on": "Tap a cell: yes, no, empty.",
    "tutor.clues": ("What happened: {n} event", "What happened: {n} events"),
    "tutor.more_hint": "More of the hint",
    "tutor.check": "Check",
    "tutor.end": "Show the answers",
    "tutor.clear": "Clear my marks",
    "tutor.judge": "Judge my marks",
    "tutor.hint": "Hint",
    "tutor.hint.1": "Where to look",
    "tutor.hint.2": "On what it rests",
    "tutor.hint.3": "What follows",
    "tutor.steps": "All steps",
    "tutor.nothing": "Nothing more follows from this log.",
    "tutor.unproved": (
        "{n} mark is wrong or cannot be proved yet; it was left aside.",
        "{n} marks are wrong or cannot be proved yet; they were left aside.",
    ),
    "tutor.result": "{proved} proved, {wrong} wrong, {open} not yet provable",
    "tutor.missed": ("{n} fact missed", "{n} facts missed"),
    "tutor.complete": "Nothing was missed.",
    "tutor.no_marks": "There are no marks yet.",
    "tutor.wrong": "Wrong: {fact}",
    "tutor.open": "Not yet provable: {fact}. It does not hold in every world.",
    "tutor.suppose": "Suppose {claims}",
    "tutor.sheet": "Your sheet",
    "tutor.yes": "marked yes",
    "tutor.no": "marked no",
    "tutor.blank": "not marked",
    "tutor.is.right": "proved",
    "tutor.is.wrong": "wrong",
    "tutor.is.unknown": "not yet provable",
}
"""The texts of the tutor."""

PLAY_TEXTS: Table = {
    "view.board": "Board",
    "view.values": "Values",
    "view.moves": "Moves",
    "play.saved": ("{game} · {n} move", "{game} · {n} moves"),
    "play.count": ("{n} move", "{n} moves"),
    "share.link": "Link to this game",
    "share.link_hint": "It contains all moves. No server sees it.",
    "share.print": "Print the board",
    "play.switches": "Rules that are on",
    "play.settings": "Settings",
    "play.start": "Start",
    "play.from": "Begin from a position",
    "play.from_hint": "for example {example}",
    "play.turn": "{name} to move",
    "play.chance": "Chance moves",
    "play.over": "The game is over: {result}",
    "play.gets": "{name} gets {value}",
    "play.wins": "{name} wins",
    "play.draw": "a draw",
    "play.worth.win": "wins",
    "play.worth.win_in": "wins in {n}",
    "play.worth.draw": "a draw",
    "play.worth.loss": "loses",
    "play.worth.loss_in": "loses in {n}",
    "play.colours": "Show what each move is worth",
    "play.best_move": "Best: {move}, {worth}.",
    "play.moves": "What can be played",
    "play.more": ("{n} more move", "{n} more moves"),
    "play.type": "Or type a move",
    "play.type_button": "Play",
    "play.roll": "Draw",
    "play.outcome": "{number}: {share}",
    "play.engine": "The engine plays",
    "play.thinks": "The engine is looking for its move.",
    "play.engine_move": "Continue: {move}",
    "play.played": "{name}: {move}",
    "play.drawn": "Chance: outcome {number}",
    "play.values": "What each move is worth",
    "play.move": "move",
    "play.proved": "Proved: the whole game from here is solved.",
    "play.table": "Proved: from the solution on disk.",
    "play.estimate": "Estimated by a short search.",
    "play.some_proved": "Values in bold are proved, the others are estimates.",
    "play.best": "best",
    "play.no_values": "There are no moves to value.",
    "play.unknown": "not known",
    "play.history": ("{n} move so far", "{n} moves so far"),
    "play.none": "No moves yet.",
    "play.back": "Tap a move to go back to the position before it.",
    "step.play": "{move}",
    "step.back": "going back before move {number}",
    "step.engine": "changing who the engine plays",
}
"""The texts of the page on which a game is played."""

REFUSED_TEXTS: Table = {
    "refused.old_page": "the page is out of date; reload it",
    "refused.job": "there is no job {name!r}",
    "refused.intent": "there is no intent {name!r}",
    "refused.not_set_up": "the game is not set up yet",
    "refused.example": "there is no such example",
    "refused.undo": "there is nothing to undo",
    "refused.redo": "there is nothing to redo",
    "refused.steps": "this log cannot be stepped through",
    "refused.long": "the log is too long: at most {n} characters",
    "refused.version": "a document of another version: {version!r}",
    "refused.document": "this is not a saved game of deduce",
    "refused.other_game": "the document is of another game",
    "refused.link": "the link is damaged or incomplete; ask for it again",
    "refused.file": "a file is its name and its text, of up to {n} characters",
    "refused.pages": "more than one page can read this file; open it on one of these: {pages}",
    "refused.no_page": "no game can read this file; a log is text, such as one that a page has "
    "saved",
    "refused.kept": "not a file that can be kept",
    "refused.shared": "this game does not state what each player sees, so players cannot share a "
    "log of it",
    "refused.lines": "players can share a log that has one line for each event; this one has not",
    "refused.own": "you have entered too much: at most {n} characters",
    "refused.unseen": "only those who see this can enter it",
    "refused.meanwhile": "this does not fit what others entered meanwhile; look at the log and try "
    "again",
    "refused.written": "another program changed the log; nothing was written: start again",
    # A message that no page of ours sends
    "refused.message": "a message is one JSON object of limited size",
    "refused.game": "a message names its game",
    "refused.game_name": "no game has a name as long as this one",
    "refused.nothing": "the game {game!r} has nothing that a page can show",
    "refused.object": "{name} is an object",
    "refused.not_intent": "this is not an intent",
    "refused.not_job": "this is not a job",
    "refused.no_file": "there is no such file",
    "refused.no_table": "there is no table",
    "refused.busy": "too many requests of this page are waiting",
    "refused.failure": "this could not be computed; it is a failure of deduce ({kind})",
    "refused.host": "this server has another name",
    "refused.origin": "only the server's own page may ask",
    "refused.token": "the address needs its token",
    # Playing
    "refused.earlier": "this move belongs to an earlier position",
    "refused.setting": "{name}: at most {n} characters",
    "refused.over": "the game is over",
    "refused.moves": "a playthrough has up to {n} moves",
    "refused.no_chance": "chance does not move here",
    "refused.chance": "chance moves here: 'chance 1' to 'chance {n}'",
    "refused.engine": "the engine plays some of the players {players}",
    "refused.no_states": "this game does not read states",
    "refused.head": "before the moves a line is 'set NAME=VALUE', 'engine PLAYER', 'seed NUMBER', "
    "'from STATE' or 'moves', not {line!r}",
}
"""The texts of what is refused, in the words of errors."""

refused = Texts(REFUSED_TEXTS)
"""Returns such a text."""
