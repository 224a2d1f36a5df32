"""``deduce quartets``: the commands of every hidden game, some in its own words; moves, play."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from deduce.cli import GameCommands, Look
from deduce.cli.endings import EXIT_NO, EXIT_UNDECIDED, EXIT_YES
from deduce.cli.numbers import Choice, seconds_option, whole_option
from deduce.cli.output import (
    end_with,
    json_option,
    new_file_argument,
    print_answer,
    usage,
    write_or_print,
)
from deduce.errors import BadInput, placed
from deduce.system.text import check_known, plural, visible
from games.quartets import REGISTRATION
from games.quartets.setup import PRESETS

if TYPE_CHECKING:
    from games.quartets.session import Session
    from games.quartets.states import State

__all__ = ["quartets"]

ENGINES = ("matching", "collapse", "bits", "counting", "cpsat", "reference")

upto_option = whole_option("--upto", low=0, metavar="N", help="Use only the first N statements.")


quartets = GameCommands(REGISTRATION, Look("CARD", "PLAYER", "a1=Ann", "game.quartets"))
quartets.help = """Blink Quartets: which statements are possible, and why a statement loses.

\b
Example:  deduce quartets new --players Ann,Ben,Cid game.quartets
          deduce quartets play game.quartets
          deduce quartets check game.quartets
          deduce quartets check "3 3 5"          three places as bitmasks

certain, possible, grid, worlds, sample and why-not show to whom each card was dealt; count, why and
moves show who has it now. Files are transcripts; check and count also read states in deal
or slot form; "-" is standard input."""


@quartets.command()
@click.argument("state", type=click.Path())
@upto_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="matching",
    show_default=True,
    help="The method; collapse is the depth-first search of the first description.",
)
@click.option("--sort/--no-sort", default=True, help="collapse: sort the places first.")
@click.option("--bound/--no-bound", default=True, help="collapse: prune by the Hamming bound.")
@seconds_option("--time-limit", help="Give up after this time, with exit code 4.")
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
    """Show whether some deal is still possible: exit code 0 valid, 1 invalid.

    \b
    Example:  deduce quartets check game.quartets --upto 12
              deduce quartets check "3 3 3"

    STATE is a transcript or a single state, - for standard input, or a row of bitmasks. If it is
    valid, a possible deal is printed; otherwise the places that have too few identities between
    them (slot form), or a smallest set of statements that cannot all be true. Exit code 4:
    undecided, because the time limit was reached or collapse cannot express one of the rules.
    """  # noqa: D301
    from games.quartets.verdict import Method, verdict

    method = Method(engine, sort=sort, bound=bound, seconds=time_limit)
    read = _read(state, upto)
    _warn(read, state)
    result = verdict(read, method)
    print_answer(result.json(), result.lines(), as_json=as_json)
    end_with({True: EXIT_YES, False: EXIT_NO, None: EXIT_UNDECIDED}[result.valid])


@quartets.command()
@click.argument("transcript", type=click.Path())
@upto_option
@json_option
def moves(transcript: str, upto: int | None, as_json: bool) -> None:  # noqa: FBT001
    """List the statements that are possible now, with forced answers and certain groups.

    \b
    Example:  deduce quartets moves game.quartets --upto 12

    TRANSCRIPT is a file, or - for standard input.
    """  # noqa: D301
    from games.quartets.position import answers, certain, declarable, questions
    from games.quartets.wording import turn_line

    session = _session(transcript, upto)
    game, position = session.game, session.position
    fields: dict[str, object] = {"schema": "deduce/quartets-moves/1", "over": position.over}
    if as_json and not position.over:
        fields["speaker"] = game.players[position.speaker()]
        if position.question is not None:
            fields["answers"] = ["yes" if a.yes else "no" for a in answers(game, position)]
        else:
            fields["declare"] = [game.group_names[g] for g in declarable(position)]
            fields["certain"] = [game.group_names[g] for g in certain(position)]
            fields["ask"] = [
                {"to": q.ask.to, "card": q.ask.card, "yes": q.yes, "no": q.no}
                for q in questions(game, position)
            ]
    lines = [] if as_json else [turn_line(game, position), *session.hints("full")]
    print_answer(fields, lines, as_json=as_json)


@quartets.command()
@click.argument("transcript", type=click.Path())
@click.argument("claim", required=False)
@upto_option
@click.option("--steps", "in_steps", is_flag=True, help="Also show how CARD=PLAYER follows.")
@json_option
def why(
    transcript: str, *, claim: str | None, upto: int | None, in_steps: bool, as_json: bool
) -> None:
    """Prove why a statement loses, or why a card is in a hand.

    \b
    Example:  deduce quartets why game.quartets
              deduce quartets why game.quartets "Ben: no"
              deduce quartets why game.quartets a1=Ann
              deduce quartets why --steps game.quartets a1=Ann

    TRANSCRIPT is a file, or - for standard input. Without a CLAIM: why the first losing statement
    of the transcript loses. A statement: why it would lose now. CARD=PLAYER: why the player has the
    card, or cannot have it; --steps shows how it follows to whom the card was dealt, step by step.
    Exit code 1 if there is nothing to prove.
    """  # noqa: D301
    from games.quartets.verdict import reason

    if in_steps and "=" not in (claim or ""):
        raise click.UsageError("--steps needs a claim CARD=PLAYER")
    session = _session(transcript, upto)
    with placed(source="the claim"):
        result = reason(session, claim)
    document, lines = result.json(), [result.text]
    proof = result.proof() if in_steps and result.proved else None
    if proof is not None:
        from deduce.steps.show import steps_json

        document = {**document, "proof": steps_json(proof)}
        lines += ["step by step:", str(proof)]
    print_answer(document, lines, as_json=as_json)
    end_with(EXIT_YES if result.proved else EXIT_NO)


@quartets.command()
@click.argument("state", type=click.Path())
@upto_option
@json_option
def count(state: str, upto: int | None, as_json: bool) -> None:  # noqa: FBT001
    """Count the possible deals; show the probability of every card's and group's holder.

    \b
    Example:  deduce quartets count game.quartets

    STATE is a transcript or a single state, or - for standard input. The numbers are exact, and all
    possible deals are equally likely. Exit code 1 if there is none.
    """  # noqa: D301
    from games.quartets.counting import count_deals
    from games.quartets.show import counts_table
    from games.quartets.slots import SlotForm
    from games.quartets.states import State
    from games.quartets.verdict import counts_json, slot_counts

    read = _read(state, upto)
    names, form = (read, read.form) if isinstance(read, State) else (read.game, read.position.form)
    if not isinstance(read, State) and read.position.out:
        click.echo("warning: the deals are counted without the statements that lost", err=True)
    if isinstance(form, SlotForm):
        ways = slot_counts(form)
        fields = {"schema": "deduce/quartets-count/1", "matchings": str(ways)}
        line = f"{plural(ways, 'way')} to give every place a card"
        print_answer(fields, [line], as_json=as_json)
        end_with(EXIT_YES if ways else EXIT_NO)
    counts = count_deals(form)
    print_answer(counts_json(names, counts), [counts_table(names, counts)], as_json=as_json)
    end_with(EXIT_YES if counts.total else EXIT_NO)


@quartets.command()
@click.argument("transcript", type=click.Path(dir_okay=False))
@click.option("--computer", metavar="NAME,...", help="The players that the computer plays.")
@click.option(
    "--hints",
    type=click.Choice(["none", "legal", "full"]),
    default="none",
    show_default=True,
    help="Show the possible statements; full: also what is forced or certain.",
)
@click.option("--referee", is_flag=True, help="Record a game at a table; announce what follows.")
@whole_option("--seed", default=0, help="The seed of the computer's choices.")
def play(transcript: str, computer: str | None, hints: str, referee: bool, seed: int) -> None:  # noqa: FBT001
    """Play at the terminal, or record a game at a table; continue where the file ends.

    \b
    Example:  deduce quartets new --players Ann,Ben game.quartets
              deduce quartets play game.quartets --computer Ben --hints legal

    TRANSCRIPT is saved after every statement. Type help for a list of what you can type.
    """  # noqa: D301
    from deduce.cli.dialogue import opened, run
    from deduce.logs.document import History
    from games.quartets.cli.play import Play

    path = opened(transcript, f"deduce quartets new {transcript}")
    session = _session(transcript, None)
    computer_players = tuple(name.strip() for name in computer.split(",")) if computer else ()
    with usage("--computer"):
        for name in computer_players:
            check_known("player", name, session.game.players)
    own = (n for n, event in enumerate(session.log) if event.by not in computer_players)
    history = History(session, tuple(map(session.upto, own)))
    end_with(run(Play(history, path, computer_players, hints, referee, Random(seed))))


@quartets.command()
@new_file_argument()
@click.option("--players", default="Ann,Ben,Cid", show_default=True, help="Names, clockwise.")
@click.option(
    "--groups", default="8 of 4", show_default=True, help="Number and size of the groups."
)
@click.option("--invented", is_flag=True, help="Groups and cards are named during the game.")
@click.option(
    "--preset",
    type=Choice(PRESETS),
    default="recommended",
    show_default=True,
    help="The reading of the rules.",
)
@click.option(
    "--house",
    type=click.Choice(["x", "y", "z"]),
    default="x",
    show_default=True,
    help="Who has the turn after a player without cards: x the next, y fewest, z most cards.",
)
def new(
    log: Path | None, players: str, groups: str, *, invented: bool, preset: str, house: str
) -> None:
    """Write the head of a new transcript into the file LOG, or print it.

    \b
    Example:  deduce quartets new --players Ann,Ben,Cid game.quartets
              deduce quartets new --groups "13 of 4" --preset strict

    Edit it to set hands, names and other readings.
    """  # noqa: D301
    from games.quartets.game import Quartets

    lines = [
        "quartets",
        f"players: {players}",
        f"groups: {groups}" + (", named as they come" if invented else ""),
        f"preset: {preset}",
        f"house: {house}",
    ]
    text = "\n".join(lines)
    with usage():
        if "#" in text or len(text.splitlines()) > len(lines):
            raise BadInput("the players and the groups are one line each, without '#'")
        game = Quartets.parse_log(text).game
    write_or_print(log, game.format_log([]).removesuffix("\n"))


# Reading


def _read(name: str, upto: int | None) -> Session | State:
    """Return a session or a state; a bare list of bitmasks may take the place of a file's name."""
    from deduce.system.files import read_text
    from games.quartets.session import Session
    from games.quartets.states import parse_masks, parse_state

    if not os.path.exists(name):  # `Path` fails on a name that is too long
        masks = parse_masks(name)
        if masks is not None:
            return masks
        if name.replace(" ", "").isalnum() and " " in name:
            message = "neither a file nor a row of bitmasks such as '3 3 5'"
            raise BadInput(message, source=name)
    text, source = read_text(name)
    if _is_transcript(text):
        session = Session.read(text, source=source, upto=upto)
        if upto is not None and upto > len(session.log):
            raise click.BadParameter(
                f"the transcript has only {plural(len(session.log), 'statement')}",
                param_hint="--upto",
            )
        return session
    if upto is not None:
        raise click.UsageError("--upto needs a transcript; this is a single state")
    with placed(source=source):
        return parse_state(text)


def _is_transcript(text: str) -> bool:
    from games.quartets.notation import lines_of

    if text.lstrip().startswith("{"):
        return '"game"' in text.lstrip().partition("\n")[0]
    first = next((line for _, line in lines_of(text)), "")
    return " ".join(first.split()) == "quartets" or first.lstrip().startswith("players:")


def _session(name: str, upto: int | None) -> Session:
    from games.quartets.session import Session

    read = _read(name, upto)
    if not isinstance(read, Session):
        raise BadInput("a transcript is needed, not a single state", source=name)
    return read


def _warn(read: Session | State, source: str) -> None:
    """Print what is odd in a transcript on standard error."""
    from games.quartets.session import Session

    if isinstance(read, Session):
        for notice in read.notices():
            line = read.lines[notice.event - 1]
            click.echo(visible(f"warning: {source}:{line}: {notice}"), err=True)
