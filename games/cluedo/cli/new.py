"""The command ``deduce cluedo new``: a game set up question by question, or from options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import evolve, frozen

from deduce.cli.dialogue import on_terminal
from deduce.cli.output import usage, write_or_print
from deduce.errors import BadInput
from deduce.logs.events import Log
from deduce.system.text import fold, plural, whole_number
from games.cluedo.game import Cluedo
from games.cluedo.names import Names, tokens
from games.cluedo.notation import MAX_DIGITS, deck_lines, players_line, read_deck, read_players
from games.cluedo.setup import DECKS

__all__ = ["Draft", "deck_options", "new", "set_up"]


OWN = "own"
EVEN = "even"


@frozen
class Draft:
    """A set-up as far as the questions are answered: the lines of its log."""

    players: tuple[str, ...] = ()
    hands: tuple[int | None, ...] | None = None
    lines: Mapping[str, str] = {}

    def read(self, *, sized: bool = True) -> Log:
        """Return the log; raise `BadInput` if it is not possible.

        Unless it is ``sized``, the sizes of the hands are left out: the undealt cards, with which
        they must add up, may come later.
        """
        lines = {**self.lines, "players": players_line(self.players, self.hands if sized else None)}
        order = ("deck", "category", "players", "face_up", "undealt", "me", "hand")
        return Cluedo.parse_log("\n".join(lines.get(name, "") for name in order))

    def with_answer(self, name: str, answer: str) -> Draft:
        """Return the draft with the answer to a question; raise `BadInput` if it cannot be."""
        if name == "players":
            players, hands = read_players(tokens(answer))
            Cluedo(players)
            draft = evolve(self, players=players, hands=hands)
        elif name == "hands":
            hands = None if fold(answer) == EVEN else _sizes(answer)
            if hands and len(hands) != len(self.players):
                sizes = plural(len(hands), "hand size")
                raise BadInput(f"there are {len(self.players)} players but {sizes}")
            draft = evolve(self, hands=hands)
        elif name == "hand" and answer and not self.lines["me"]:
            raise BadInput("whose hand? a bystander has none; --me names the player")
        else:
            draft = evolve(self, lines={**self.lines, name: _line(name, answer)})
        draft.read(sized=name in ("hands", "me", "hand"))
        return draft


def _line(name: str, answer: str) -> str:
    """Return the line of a log, or the lines, that an answer makes."""
    if name == "category":
        lines = deck_lines(read_deck(answer))
        if not lines:
            raise BadInput("a deck of your own needs categories, such as suspect: Plum, White")
        return lines
    if name == "deck":
        deck = Names("deck", [*DECKS, OWN], also=DECKS.former).find(tokens(answer))
        return "" if deck == OWN else f"deck: {deck}"
    if name == "undealt" and whole_number(answer, digits=MAX_DIGITS) is None:
        raise BadInput("a number of cards is needed, such as 0", text=answer)
    line = " ".join(answer.splitlines())
    return f"{name.replace('_', ' ')}: {line}" if tokens(line) else ""


def _sizes(answer: str) -> tuple[int | None, ...]:
    sizes = [token.text for token in tokens(answer) if token.kind not in {",", ";"}]
    numbers = tuple(map(whole_number, sizes))
    for size, number in zip(sizes, numbers, strict=True):
        if number is None and size != "?":
            raise BadInput(f"{size!r} is not a number of cards; `?` if it is not known")
    return numbers


def _question(draft: Draft, name: str) -> tuple[str, str | None]:
    """Return a question, given the answers so far, and the answer that an empty line gives.

    The question is empty where it is not asked; the answer is ``None`` where one is required.
    """
    match name:
        case "category" if draft.lines["deck"]:
            return "", None
        case "hand" if draft.lines["me"]:
            return f"Your hand, {draft.read().game.me} (Enter: later)", ""
        case "hands":
            low, high = draft.read(sized=False).game.hand_sizes()[draft.players[0]]
            each = str(low) if low == high else f"{low} or {high}"
            sizes = " ".join("?" if size is None else str(size) for size in draft.hands or ())
            text = f"Cards in each hand in seat order, ? where not known, or {EVEN} ({each} each)"
            return text, sizes or EVEN
    return QUESTIONS[name]


QUESTIONS: Mapping[str, tuple[str, str | None]] = {
    "players": ("Players in seat order, clockwise, such as Ann, Ben, Cid", None),
    "deck": (f"Deck: {', '.join(DECKS)}, or {OWN}", "classic"),
    "category": ("A category and its cards, such as suspect: Plum, White", None),
    "face_up": ("Cards that lie face up (Enter: none)", ""),
    "undealt": ("How many cards are not dealt", "0"),
    "hands": ("", EVEN),
    "me": ("Who are you? (Enter: a bystander)", ""),
    "hand": ("", ""),
}
"""By the name of the option that answers it, in the order in which they are asked; hand sizes come
when it is known what is dealt."""


STDIN = "<stdin>"

F = TypeVar("F", bound=Callable[..., Any])


def deck_options(command: F) -> F:
    """Add the options that state the deck and where its cards are."""
    for option in (
        click.option("--undealt", metavar="NUMBER", help="How many cards are not dealt."),
        click.option("--face-up", metavar="CARDS", help="Cards that lie open on the table."),
        click.option(
            "--category", multiple=True, metavar="CARDS",
            help="A category of your own deck: 'suspect: Plum, ...'.",
        ),
        click.option(
            "--deck", metavar="NAME", help=f"One of {', '.join(DECKS)}; left out: classic."
        ),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@click.argument("file", required=False, metavar="[FILE]", type=click.Path())
@click.option("--players", metavar="NAMES", help="In seat order, with hand sizes: 'Ann 6, Ben 6'.")
@deck_options
@click.option("--me", metavar="PLAYER", help="Who keeps the log. [default: a bystander]")
@click.option("--hand", metavar="CARDS", help="The hand of --me.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def new(file: str | None, *, force: bool, category: tuple[str, ...], **answers: str | None) -> None:
    """Set up a game and write its log; asks for missing details.

    \b
    Example:  deduce cluedo new evening.cluedo
              deduce cluedo new evening.cluedo --players 'Ann 6, Ben 6, Cid 6'
              deduce cluedo new --players 'Ann, Ben, Cid, Dan' > evening.cluedo

    With --players nothing is asked. Players are named in seat order, clockwise. Without FILE, or
    with "-", the log goes to standard output. Go on with "deduce cluedo track FILE".
    """  # noqa: D301 (click reads the backspace)
    path = None if file in (None, "-") else Path(str(file))
    if path is not None and path.exists() and not (force and path.is_file()):
        reason = "the file already exists; --force replaces it"
        if force:
            reason = "cannot be replaced: it is not a file"
        raise BadInput(reason, source=str(path))
    given = {name: answer for name, answer in answers.items() if answer is not None}
    log = set_up(given, category).read()
    text = log.game.format_log(log.events)
    write_or_print(path, text.removesuffix("\n"), replace=force)
    if path is not None:
        click.echo(f"wrote {path}; go on with: deduce cluedo track {path}", err=True)


def set_up(given: Mapping[str, str], category: Sequence[str]) -> Draft:
    """Return the set-up from the options, and from answers where players are not given."""
    if category:
        if "deck" in given:
            raise click.UsageError("--deck and --category exclude each other; leave one out")
        given = {**given, "deck": OWN, "category": "\n".join(category)}
    draft = Draft()
    for name in QUESTIONS:
        text, default = _question(draft, name)
        if name in given or (text and "players" in given):
            option = "players" if name == "hands" else name
            with usage(f"--{option.replace('_', '-')}"):
                draft = draft.with_answer(name, given.get(name, default or ""))
        elif text:
            draft = _ask(name, text, default, draft)
    return draft


def _ask(name: str, text: str, default: str | None, draft: Draft) -> Draft:
    while True:
        try:
            answer = click.prompt(text, default, show_default=bool(default), err=True)
            while name == "category" and (more := click.prompt("Another one", "", err=True)):
                answer += f"\n{more}"
        except click.Abort:
            if on_terminal():
                raise
            click.echo(err=True)
            message = "the answers end before the game is set up; with --players nothing is asked"
            raise BadInput(message, source=STDIN) from None
        try:
            return draft.with_answer(name, answer)
        except BadInput as error:
            click.echo(f"error: {error.message}", err=True)
