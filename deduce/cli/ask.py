"""One question from the command line: reading the log and the options, and giving the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from inspect import signature
from math import isnan
from typing import Any

import click
from attrs import evolve, frozen

from deduce.budget import STANDARD, Budget
from deduce.cli import complete
from deduce.cli.numbers import Seconds, Whole
from deduce.cli.output import print_answer, print_part, usage
from deduce.constraints import Claim, Value, Variable
from deduce.engines.choose import ENGINES
from deduce.errors import BadInput, BadProblem, DeduceError, Interrupted, Undecided
from deduce.game import RECORD, SeenInParts, Slips, hook
from deduce.knowledge import Knowledge
from deduce.logs.claims import parse_claim, parse_variable, parse_viewer
from deduce.logs.events import Log, read_log
from deduce.problem import World, rate_of
from deduce.reasoning.doubts import Doubts, check_doubts, rates_of
from deduce.reasoning.explain import Why
from deduce.show.sheet import Grid, grid_table
from deduce.show.table import Table
from deduce.show.views import why_text, world_text
from deduce.system.files import read_text
from deduce.system.registry import load
from deduce.system.text import visible

__all__ = ["Ask", "Look", "ask_about", "check_slips", "options", "parse_doubts"]


@frozen
class Look:
    """The words and the layouts of a game's commands; everything has a plain default.

    Parameters
    ----------
    variable, value
        How help texts call them, such as ``CARD`` and ``HOLDER``.
    example
        A fact for the examples in help texts.
    log
        The name of a log for the examples in help texts.
    new
        The options of ``new`` in its example: the settings that a set-up must have.
    worlds
        What possible worlds are called in a dialogue that keeps a log, such as ``codes``: it counts
        them after each event, and lists them by this name. Empty: it does not.
    events
        What the help of this dialogue shows about how events are typed.
    short
        Further commands of this dialogue, and what they stand for, such as ``show-card`` or
        ``advise --rooms``, before what is typed after them.
    sheet
        Whether this dialogue shows the grid after each step on a terminal, and keeps events that
        contradict the log: in a game of long logs one does not know at once which event is wrong.
    grid, world, why
        Make the table of a grid, the line of a world and the lines of an explanation.
    """

    variable: str = "VARIABLE"
    value: str = "VALUE"
    example: str = "VARIABLE=VALUE"
    log: str = "game.log"
    new: str = ""
    worlds: str = ""
    events: str = "EVENT            record an event, as a line of the log"
    short: Mapping[str, str] = {}
    sheet: bool = False
    grid: Callable[[Knowledge, Grid], Table] = grid_table
    world: Callable[[Knowledge, World], str] = world_text
    why: Callable[[Knowledge, Why], str] = why_text


@frozen
class Ask:
    """One question from the command line: what is known, and how the answer is to be given.

    Parameters
    ----------
    knowledge
        The log as ``--as``, ``--upto`` and ``--assume`` say, with engine and budget.
    look
        The game's words and looks.
    command
        The command's name, which the schema of its JSON carries.
    json
        Whether ``--json`` was given.
    source
        The log's name for messages.
    lines
        The line of each event in it, where known.
    estimates
        Whether numbers are estimated where the exact ones are not found: without ``--exact``.
    """

    knowledge: Knowledge
    look: Look
    command: str
    json: bool
    source: str
    lines: tuple[int, ...] = ()
    estimates: bool = True

    def number(self, query: Callable[..., object], *asked: object, **options: object) -> Any:
        """Return the answer of a query for numbers, which may be estimates unless it is exact."""
        return query(*asked, **options, **({"estimate": True} if self.estimates else {}))

    def samples(self, samples: int | None) -> int | None:
        """Return from how many worlds advice is estimated: none with ``--exact``."""
        if self.estimates:
            return samples
        if samples:
            raise click.UsageError("--exact and --samples contradict each other")
        return 0

    def warn(self) -> None:
        """Print what is odd in the log, with the line, on standard error."""
        for notice in self.knowledge.notices():
            line = f":{self.lines[notice.event - 1]}" if self.lines else ""
            click.echo(visible(f"warning: {self.source}{line}: {notice}"), err=True)

    def answer(self, document: Mapping[str, object], *parts: str | Table) -> None:
        """Print the answer: the document with its schema under ``--json``, else the parts."""
        whole = {"schema": f"deduce/{self.command}/1", **document}
        print_answer(whole, parts, as_json=self.json)

    def print(self, part: str | Table) -> None:
        """Print a line or a table on standard output."""
        print_part(part)

    def claim(self, text: str) -> Claim:
        """Return the claim that an argument states; a wrong name is wrong usage."""
        words = {"variable": self.look.variable.lower(), "value": self.look.value.lower()}
        with usage(text):
            return parse_claim(self.knowledge.problem, text, **words)

    def variable(self, text: str) -> Variable:
        """Return the variable that an argument names; a wrong name is wrong usage."""
        with usage(text):
            return parse_variable(self.knowledge.problem, text, self.look.variable.lower())

    def possible(self) -> tuple[Mapping[Variable, frozenset[Value]], Undecided | None]:
        """Return the possible values; over budget, those not excluded and the error to raise."""
        try:
            return self.knowledge.possible(), None
        except Undecided as error:
            return error.known, error
        except KeyboardInterrupt:
            known = self.knowledge.asker.not_excluded()
            return known, Interrupted("interrupted", known=known)

    def grid(self, *, shares: bool) -> tuple[Grid, Undecided | None]:
        """Return the posterior of every value (or its share of worlds), ready to be shown.

        Over budget, the grid has yes and no as far as they are known, and the second value is
        the error to raise once the grid is shown.
        """
        try:
            numbers = self.number(self.knowledge.shares if shares else self.knowledge.posterior)
        except KeyboardInterrupt:
            known = self.knowledge.asker.not_excluded()
            return Grid(known), Interrupted("interrupted", known=known)
        except Undecided as error:
            possible, undecided = self.possible()
            reason = f"the numbers are not known: {error}"
            return Grid(possible), undecided or Undecided(reason, known=possible)
        possible = {variable: frozenset(row) for variable, row in numbers.items()}
        kind = "shares of worlds" if shares else "probabilities"
        grid = Grid(possible, numbers, kind, self.estimates)
        if self.estimates and grid.exact:
            proved = {v: {x: e.value for x, e in row.items()} for v, row in numbers.items()}
            grid = evolve(grid, numbers=proved)
        return grid, None


class _ViewerOption(click.Option):
    """``--as``; the help of a game without players does not offer it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        game = _game_class(ctx)
        parameters = () if game is None else signature(game).parameters
        if game is None or "players" in parameters or hook(game, SeenInParts.players, None):
            return super().get_help_record(ctx)
        return None


class _SlipsOption(click.Option):
    """``--slips``; its help names the kinds of slips that the game declares."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        record = super().get_help_record(ctx)
        game = _game_class(ctx)
        kinds = hook(game, Slips.slip_rates, None) if game is not None else None
        if record is None or not isinstance(kinds, Mapping) or not kinds:
            return record
        rates = ",".join(f"{kind}={rate}" for kind, rate in zip(kinds, (0.02, 0.01), strict=False))
        by_kind = f"; rates by kind, {rates}; or 'declared', the rates of the game."
        return record[0], record[1].rstrip(".") + by_kind


def _game_class(ctx: click.Context) -> type | None:
    """Return the class of the game whose help is shown; ``None`` where it cannot be loaded."""
    logs = ctx.find_object(complete.Logs)
    with suppress(DeduceError):
        return None if logs is None else load(logs.hidden)
    return None


def options() -> list[click.Parameter]:
    """Return the parameters that every command about a log takes."""
    return [
        click.Argument(["log"], metavar="LOG", type=click.Path()),
        _ViewerOption(
            ["--as", "viewer"],
            metavar="PLAYER|public",
            shell_complete=complete.viewers,
            help="The viewer; 'public' sees only what all players see. "
            "[default: the keeper of the log]",
        ),
        click.Option(["--upto"], type=Whole(0), metavar="N", help="Only the first N events."),
        click.Option(
            ["--assume"],
            multiple=True,
            metavar="FACT",
            shell_complete=complete.facts,
            help="What if: take a fact as true. May be repeated.",
        ),
        click.Option(
            ["--engine"],
            type=click.Choice(["auto", *ENGINES]),
            default="auto",
            show_default=True,
            help="Which engine answers.",
        ),
        click.Option(
            ["--time-limit"],
            type=Seconds(),
            metavar="SECONDS",
            help="Give up after this time, with exit code 4.",
        ),
        _SlipsOption(
            ["--slips", "slips"],
            metavar="RATE",
            help="Each event may be wrong with this probability, such as 0.02.",
        ),
        click.Option(
            ["--exact"],
            is_flag=True,
            help="Never estimate a number: give up with exit code 4 where it is not found.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object."),
    ]


def parse_doubts(text: str | None) -> Doubts:
    """Return the doubts that a value of ``--slips`` asks for.

    Raises
    ------
    click.BadParameter
        It is not a rate, a list of rates, or ``declared``.

    Examples
    --------
    >>> parse_doubts("0.02"), parse_doubts("declared"), parse_doubts("pass=1/50")
    (Fraction(1, 50), True, (('pass', Fraction(1, 50)),))
    """
    if text is None:
        return None
    with usage("--slips"):
        if text == "declared":
            return True
        if "=" not in text:
            return rates_of(_rate(text))
        pairs = [pair.partition("=") for pair in text.split(",")]
        names = [name.strip() for name, _, _ in pairs]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise BadInput(f"{repeated[0]!r} is named twice; name each kind once")
        return rates_of({name.strip(): _rate(value) for name, _, value in pairs})


def _rate(text: str) -> Fraction:
    try:
        return rate_of(text.strip())
    except BadProblem as error:
        raise BadInput(f"{error}; for example 0.02, or KIND=0.02") from None


def check_slips(knowledge: Knowledge) -> None:
    """Raise `click.BadParameter` unless the game can have these doubts."""
    with usage("--slips"):
        check_doubts(knowledge.game, knowledge.doubts)


def ask_about(
    game_class: type,
    look: Look,
    command: str,
    *,
    log: str,
    viewer: str | None,
    upto: int | None,
    assume: tuple[str, ...],
    engine: str,
    time_limit: float | None,
    slips: str | None,
    exact: bool = False,
    as_json: bool,
) -> Ask:
    """Return the question that the values of `options` make.

    Raises
    ------
    BadInput
        The log cannot be read.
    click.BadParameter
        An option names what does not exist.
    """
    text, source = read_text(log)
    read = read_log(text, game_class, source=source)
    if upto is not None and upto > len(read.events):
        message = f"there is no event {upto}; the log has {len(read.events)}"
        raise click.BadParameter(message, param_hint="'--upto'")
    budget = STANDARD
    if time_limit is not None:
        if isnan(time_limit):
            raise click.BadParameter("nan is not a number of seconds", param_hint="'--time-limit'")
        budget = Budget(steps=None, until=time.monotonic() + time_limit)
    with usage("--as"):
        eyes = RECORD if viewer is None else parse_viewer(read.game, viewer)
    doubts = parse_doubts(slips)
    knowledge = Knowledge.of(read, viewer=eyes, engine=engine, budget=budget, doubts=doubts)
    check_slips(knowledge)
    if upto is not None:
        knowledge = knowledge.upto(upto)
    _check_events(knowledge, read, source)
    ask = Ask(knowledge, look, command, as_json, source, read.lines, estimates=not exact)
    if not assume:
        return ask
    return evolve(ask, knowledge=knowledge.assume(*map(ask.claim, assume)))


def _check_events(knowledge: Knowledge, log: Log, source: str) -> None:
    """Raise `BadInput` with the place of the first event that states what cannot be stated."""
    if (error := _fault(knowledge)) is None:
        return
    events = len(knowledge.log)
    number = next((n for n in range(events) if _fault(knowledge.upto(n))), events)
    message = error.message if isinstance(error, BadInput) else str(error)
    line = 1 if number == 0 else log.lines[number - 1] if log.lines else None
    if number and not message.startswith(f"event {number} "):
        message = f"event {number}: {message}"
    raise BadInput(message, source=source, line=line)


def _fault(knowledge: Knowledge) -> BadInput | BadProblem | None:
    try:
        _ = knowledge.problem
    except (BadProblem, BadInput) as error:
        return error
    return None
