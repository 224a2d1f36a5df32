"""The command ``deduce cluedo new``: a game set up question by question, or from options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click
from attrs import evolve, frozen

from deduce.cli.dialogue import on_terminal
from deduce.cli.output import usage
from deduce.cli.tracking import LogFile
from deduce.errors import BadInput
from deduce.system.files import replace_file, write_new_file
from deduce.system.text import fold
from games.cluedo.game import Cluedo
from games.cluedo.names import Names, tokens
from games.cluedo.notation import read_deck, read_players
from games.cluedo.setup import DECKS, Deck

__all__ = ["Draft", "deck_options", "new", "set_up"]


OWN = "own"
EVEN = "even"


@frozen
class Draft:
    """A set-up as far as the questions are answered."""

    players: tuple[str, ...] = ()
    hands: tuple[int | None, ...] | None = None
    deck: Deck = DECKS["classic"]
    face_up: tuple[str, ...] = ()
    undealt: int = 0
    me: str | None = None
    hand: str = ""

    def game(self) -> Cluedo:
        """Return the game; raise `BadInput` if it is not possible."""
        return Cluedo(self.players, self.deck, self.hands, self.face_up, self.undealt, self.me)

    def log(self) -> str:
        """Return the log of the new game, with the keeper's hand if it was given."""
        game = self.game()
        return game.format_log([game.parse_event(f"hand: {self.hand}")] if self.hand else [])


def _players(draft: Draft, answer: str) -> Draft:
    players, hands = read_players(tokens(answer))
    evolve(draft, players=players).game()
    return evolve(draft, players=players, hands=hands)


def _deck(draft: Draft, answer: str) -> Draft:
    names = Names("deck", [*DECKS, OWN], also=DECKS.former)
    name = names.find(tokens(answer))
    return evolve(draft, deck={} if name == OWN else DECKS[name])


def _categories(draft: Draft, answer: str) -> Draft:
    return _without_sizes(evolve(draft, deck=read_deck(answer)))


def _face_up(draft: Draft, answer: str) -> Draft:
    cards = Names("card", [card for cards in draft.deck.values() for card in cards])
    face_up = tuple(name for name, _ in cards.split(tokens(answer)))
    return _without_sizes(evolve(draft, face_up=face_up))


def _undealt(draft: Draft, answer: str) -> Draft:
    if not (answer.isascii() and answer.isdecimal() and len(answer) < 5):
        raise BadInput("a number of cards is needed, such as 0", text=answer)
    return _without_sizes(evolve(draft, undealt=int(answer)))


def _hands(draft: Draft, answer: str) -> Draft:
    hands: tuple[int | None, ...] | None = None
    if fold(answer) != EVEN:
        sizes = [token.text for token in tokens(answer) if token.kind not in {",", ";"}]
        odd = [s for s in sizes if s != "?" and not (s.isascii() and s.isdecimal() and len(s) < 5)]
        if odd:
            raise BadInput(f"{odd[0]!r} is not a number of cards; `?` if it is not known")
        hands = tuple(None if size == "?" else int(size) for size in sizes)
    changed = evolve(draft, hands=hands)
    changed.game()
    return changed


def _me(draft: Draft, answer: str) -> Draft:
    typed = tokens(answer)
    return evolve(draft, me=Names("player", draft.players).find(typed) if typed else None)


def _hand(draft: Draft, answer: str) -> Draft:
    if draft.me is None and answer:
        raise BadInput("whose hand? a bystander has none; --me names the player")
    changed = evolve(draft, hand=answer)
    changed.log()
    return changed


def _without_sizes(draft: Draft) -> Draft:
    """Return the draft, checked except for hand sizes: the undealt cards may come later."""
    evolve(draft, hands=None).game()
    return draft


def _ask_hands(draft: Draft) -> tuple[str, str]:
    low, high = evolve(draft, hands=None).game().hand_sizes()[draft.players[0]]
    each = str(low) if low == high else f"{low} or {high}"
    sizes = EVEN
    if draft.hands is not None:
        sizes = " ".join("?" if size is None else str(size) for size in draft.hands)
    text = f"Cards in each hand in seat order, ? where not known, or {EVEN} ({each} each)"
    return text, sizes


Ask: TypeAlias = Callable[[Draft], tuple[str, str | None]]
Take: TypeAlias = Callable[[Draft, str], Draft]

QUESTIONS: Mapping[str, tuple[Ask, Take]] = {
    "players": (
        lambda _: ("Players in seat order, clockwise, such as Ann, Ben, Cid", None),
        _players,
    ),
    "deck": (lambda _: (f"Deck: {', '.join(DECKS)}, or {OWN}", "classic"), _deck),
    "category": (
        lambda draft: (
            "" if draft.deck else "A category and its cards, such as suspect: Plum, White",
            None,
        ),
        _categories,
    ),
    "face_up": (lambda _: ("Cards that lie face up (Enter: none)", ""), _face_up),
    "undealt": (lambda _: ("How many cards are not dealt", "0"), _undealt),
    "hands": (_ask_hands, _hands),
    "me": (lambda _: ("Who are you? (Enter: a bystander)", ""), _me),
    "hand": (
        lambda draft: (f"Your hand, {draft.me} (Enter: later)" if draft.me else "", ""),
        _hand,
    ),
}
"""By the name of the option that answers it, in the order in which they are asked; hand sizes come
when it is known what is dealt.

The first function returns the question, given the answers so far, and the answer that an empty line
gives: empty where it is not asked, ``None`` where an answer is required. The second returns the
draft with the answer; it raises `BadInput` if the answer is not possible."""


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
    if path is not None and path.exists() and not force:
        raise BadInput("the file already exists; --force replaces it", source=str(path))
    given = {name: answer for name, answer in answers.items() if answer is not None}
    text = set_up(given, category).log()
    if path is None:
        click.echo(text, nl=False)
        return
    if not path.exists():
        write_new_file(path, text)
    elif path.is_file():
        replace_file(path, text)
        LogFile(path.resolve(), text.encode()).steps.unlink(missing_ok=True)  # of another game
    else:
        raise BadInput("cannot be replaced: it is not a file", source=str(path))
    click.echo(f"wrote {path}; go on with: deduce cluedo track {path}", err=True)


def set_up(given: Mapping[str, str], category: Sequence[str]) -> Draft:
    """Return the set-up from the options, and from answers where players are not given."""
    if category:
        if "deck" in given:
            raise click.UsageError("--deck and --category exclude each other; leave one out")
        given = {**given, "deck": OWN, "category": "\n".join(category)}
    draft = Draft()
    for name, (ask, take) in QUESTIONS.items():
        text, default = ask(draft)
        if name in given or (text and "players" in given):
            option = "players" if name == "hands" else name
            with usage(f"--{option.replace('_', '-')}"):
                draft = take(draft, given.get(name, default or ""))
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
            return QUESTIONS[name][1](draft, answer)
        except BadInput as error:
            click.echo(f"error: {error.message}", err=True)
