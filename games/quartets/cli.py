"""``deduce quartets``: check, moves, why, count, play, new."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deduce.errors import BadInput
from deduce.exits import EXIT_NO, EXIT_YES
from deduce.files import replace_file

if TYPE_CHECKING:
    from games.quartets.rules import Quartets
    from games.quartets.session import Session
    from games.quartets.states import State

__all__ = ["quartets"]

ENGINES = ("matching", "collapse", "bits", "counting", "cpsat", "reference")

upto_option = click.option(
    "--upto", type=click.IntRange(min=0), metavar="N", help="Stop after N statements."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def quartets() -> None:
    """Blink Quartets: what may still be said, and why somebody lost.

    \b
    Example:  deduce quartets new --players Ann,Ben,Cid > game.quartets
              deduce quartets play game.quartets
              deduce quartets check game.quartets
              deduce quartets check "3 3 5"          three places as bitmasks

    Files are transcripts, or states in deal or slot form; "-" is standard input.
    """  # noqa: D301


@quartets.command()
@click.argument("state", type=click.Path())
@upto_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="matching",
    show_default=True,
    help="Who decides; collapse is the depth-first search of the first description.",
)
@click.option("--sort/--no-sort", default=True, help="collapse: sort the places first.")
@click.option("--bound/--no-bound", default=True, help="collapse: prune by the Hamming bound.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Exit with code 4 after that.")
@json_option
def check(
    state: str,
    upto: int | None,
    engine: str,
    sort: bool,  # noqa: FBT001
    bound: bool,  # noqa: FBT001
    time_limit: float | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Say whether some deal still fits: exit code 0 valid, 1 invalid.

    \b
    Example:  deduce quartets check game.quartets --upto 12
              deduce quartets check "3 3 3"

    STATE is a transcript or a single state, - for standard input, or a row of bitmasks. Valid:
    prints a deal that fits. Invalid: the places that have too few identities between them
    (slot form), or a smallest set of statements that cannot all be true.
    """  # noqa: D301
    from games.quartets.verdict import Method, verdict

    if time_limit is not None and not time_limit > 0:
        raise click.BadParameter("must be positive", param_hint="--time-limit")
    method = Method(engine, sort=sort, bound=bound, seconds=time_limit)
    found = verdict(_read(state, upto), method)
    if as_json:
        click.echo(json.dumps(found.json(), ensure_ascii=False))
    else:
        click.echo("\n".join(found.lines()))
    sys.exit(EXIT_YES if found.valid else EXIT_NO)


@quartets.command()
@click.argument("transcript", type=click.Path())
@upto_option
@json_option
def moves(transcript: str, upto: int | None, as_json: bool) -> None:  # noqa: FBT001
    """List everything that may be said now, with forced answers and certain groups.

    \b
    Example:  deduce quartets moves game.quartets --upto 12

    TRANSCRIPT is a file, or - for standard input.
    """  # noqa: D301
    from games.quartets.moves import answers, certain, declarable, questions
    from games.quartets.show import turn_line

    session = _session(transcript, upto)
    game, position = session.game, session.position
    if as_json:
        told: dict[str, Any] = {"schema": "deduce/quartets-moves/1", "over": position.over}
        if not position.over:
            told["speaker"] = game.players[position.speaker()]
        if position.question is not None:
            told["answers"] = ["yes" if a.yes else "no" for a in answers(game, position)]
        elif not position.over:
            told["declare"] = [game.group_names[g] for g in declarable(position)]
            told["certain"] = [game.group_names[g] for g in certain(position)]
            told["ask"] = [
                {"to": q.ask.to, "card": q.ask.card, "yes": q.yes, "no": q.no}
                for q in questions(game, position)
            ]
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    click.echo(turn_line(game, position))
    for line in session.hints("full"):
        click.echo(line)


@quartets.command()
@click.argument("transcript", type=click.Path())
@click.argument("claim", required=False)
@upto_option
@json_option
def why(transcript: str, claim: str | None, upto: int | None, as_json: bool) -> None:  # noqa: FBT001
    """Say why a statement loses, or why a card is where it is.

    \b
    Example:  deduce quartets why game.quartets
              deduce quartets why game.quartets "Ben: no"
              deduce quartets why game.quartets a1=Ann

    TRANSCRIPT is a file, or - for standard input. Without a CLAIM: the first losing statement of
    the transcript. A statement: why it would lose now. CARD=PLAYER: why she has it, or cannot have
    it. Exit code 1 if there is nothing to prove.
    """  # noqa: D301
    from games.quartets.verdict import reason

    session = _session(transcript, upto)
    try:
        found = reason(session, claim)
    except BadInput as error:
        raise error.at(source="the claim") from None
    if as_json:
        click.echo(json.dumps(found.json(), ensure_ascii=False))
    else:
        click.echo(found.text)
    sys.exit(EXIT_YES if found.proved else EXIT_NO)


@quartets.command()
@click.argument("state", type=click.Path())
@upto_option
@json_option
def count(state: str, upto: int | None, as_json: bool) -> None:  # noqa: FBT001
    """Count the deals that fit; print the probability of every holder and every whole group.

    \b
    Example:  deduce quartets count game.quartets

    STATE is a transcript or a single state, or - for standard input. Exact: every deal that fits
    counts the same. Exit code 1 if none does.
    """  # noqa: D301
    from games.quartets.counting import count_deals
    from games.quartets.show import show_counts
    from games.quartets.slots import SlotForm
    from games.quartets.verdict import counts_json, slot_counts

    read = _read(state, upto)
    players, cards, groups, form = _named(read)
    if isinstance(form, SlotForm):
        number = slot_counts(form)
        told: dict[str, Any] = {"schema": "deduce/quartets-count/1", "matchings": str(number)}
        click.echo(
            json.dumps(told)
            if as_json
            else f"{number} way{'s'[: number != 1]} to give every place a card"
        )
        sys.exit(EXIT_YES if number else EXIT_NO)
    counts = count_deals(form)
    if as_json:
        click.echo(json.dumps(counts_json(players, cards, groups, counts), ensure_ascii=False))
    else:
        click.echo("\n".join(show_counts(players, cards, groups, counts)))
    sys.exit(EXIT_YES if counts.total else EXIT_NO)


@quartets.command()
@click.argument("transcript", type=click.Path(dir_okay=False))
@click.option("--computer", metavar="NAME,...", help="The players whom the computer plays.")
@click.option(
    "--hints",
    type=click.Choice(["none", "legal", "full"]),
    default="none",
    show_default=True,
    help="Show what may be said; full: also what is forced or certain.",
)
@click.option("--referee", is_flag=True, help="Record a real table; announce what follows.")
@click.option("--seed", default=0, show_default=True, help="For the computer's choices.")
def play(transcript: str, computer: str | None, hints: str, referee: bool, seed: int) -> None:  # noqa: FBT001
    """Play at the terminal, or keep the record of a table; go on where the file ends.

    \b
    Example:  deduce quartets new --players Ann,Ben > game.quartets
              deduce quartets play game.quartets --computer Ben --hints legal

    TRANSCRIPT is saved after every statement. Type help for what can be typed.
    """  # noqa: D301
    from games.quartets.table import HELP, Terms
    from games.quartets.table import play as play_on

    session = _session(transcript, None)
    seats = tuple(name.strip() for name in computer.split(",")) if computer else ()
    for name in seats:
        if name not in session.game.players:
            known = ", ".join(session.game.players)
            raise click.BadParameter(
                f"no player is called {name!r} ({known})", param_hint="--computer"
            )

    def ask(prompt: str) -> str:
        if sys.stdin.isatty():
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def save(now: Session) -> None:
        replace_file(Path(transcript), now.text())

    if sys.stdin.isatty():
        click.echo(HELP, err=True)
    terms = Terms(computer=seats, hints=hints, referee=referee, seed=seed)
    try:
        session = play_on(session, terms, ask=ask, tell=click.echo, save=save)
    except KeyboardInterrupt:
        click.echo(f"\nleft; {transcript} has everything that was said", err=True)


@quartets.command()
@click.option("--players", default="Ann,Ben,Cid", show_default=True, help="Names, clockwise.")
@click.option("--groups", default="8 of 4", show_default=True, help="How many, of what size.")
@click.option("--invented", is_flag=True, help="Groups and cards are named as they come.")
@click.option(
    "--preset",
    type=click.Choice(["seed", "recommended", "strict"]),
    default="recommended",
    show_default=True,
    help="Which reading of the rules.",
)
@click.option(
    "--house",
    type=click.Choice(["x", "y", "z"]),
    default="x",
    show_default=True,
    help="Whose turn it is where nobody with cards was asked: x the next, y fewest, z most.",
)
def new(players: str, groups: str, invented: bool, preset: str, house: str) -> None:  # noqa: FBT001
    """Print the head of a new transcript; edit it for hands, names and other readings.

    \b
    Example:  deduce quartets new --players Ann,Ben,Cid > game.quartets
              deduce quartets new --groups "13 of 4" --preset strict
    """  # noqa: D301
    from games.quartets.notation import parse_log

    lines = [
        "quartets",
        f"players: {players}",
        f"groups: {groups}" + (", named as they come" if invented else ""),
        f"preset: {preset}",
        f"house: {house}",
    ]
    try:
        game, log = parse_log("\n".join(lines))
    except BadInput as error:
        raise click.UsageError(error.message) from None
    click.echo(game.format_log(log), nl=False)


# Reading and writing


def _read(name: str, upto: int | None) -> Session | State:
    """Return a session or a state; a bare list of bitmasks may stand in place of a file's name."""
    from deduce.events import read_log, read_text
    from games.quartets.names import named_by
    from games.quartets.rules import Quartets
    from games.quartets.session import Session
    from games.quartets.states import parse_masks, parse_state

    if not Path(name).exists():
        masks = parse_masks(name)
        if masks is not None:
            return masks
        if name.replace(" ", "").isalnum() and " " in name:
            raise BadInput("no file, and no row of bitmasks such as '3 3 5'", source=name)
    text, source = read_text(name)
    if _is_transcript(text):
        read = read_log(text, Quartets, source=source)
        game, log = read.game, read.events
        wanted = len(log) if upto is None else _at_most(upto, len(log))
        session = Session.new(named_by(game, log[:wanted]))
        for number, event in enumerate(log[:wanted]):
            try:
                session = session.tell(event)
            except BadInput as error:
                raise error.at(source=source, line=_line(text, len(log) - number)) from None
        return session
    if upto is not None:
        raise click.UsageError("--upto needs a transcript; this is a single state")
    try:
        return parse_state(text)
    except BadInput as error:
        raise error.at(source=source) from None


def _line(text: str, from_end: int) -> int:
    """Return the number of a line that says something, counted from the end."""
    from games.quartets.notation import lines_of

    return [number for number, _ in lines_of(text)][-from_end]


def _is_transcript(text: str) -> bool:
    from games.quartets.notation import lines_of

    if text.lstrip().startswith("{"):
        return '"game"' in text.lstrip().partition("\n")[0]
    first = next((line for _, line in lines_of(text)), "")
    return " ".join(first.split()) == "quartets" or first.lstrip().startswith("players:")


def _at_most(upto: int, number: int) -> int:
    if upto > number:
        raise click.BadParameter(
            f"the transcript has only {number} statements", param_hint="--upto"
        )
    return upto


def _session(name: str, upto: int | None) -> Session:
    from games.quartets.session import Session

    read = _read(name, upto)
    if not isinstance(read, Session):
        raise BadInput("a transcript is needed, not a single state", source=name)
    return read


def _named(read: Session | State) -> tuple[Any, Any, Any, Any]:
    from games.quartets.session import Session

    if isinstance(read, Session):
        game: Quartets = read.game
        return game.players, game.cards, game.group_names, read.position.form
    return read.players, read.cards, tuple(read.groups), read.form
