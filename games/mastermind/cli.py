"""The commands of Mastermind: those of every hidden game, and new, play, solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import click

from deduce.budget import Budget
from deduce.cli import GameCommands, Look
from deduce.cli.dialogue import Dialogue, run
from deduce.cli.endings import EXIT_NO
from deduce.cli.numbers import Whole, jobs_option, seconds_option, whole_option
from deduce.cli.output import (
    end_undecided,
    end_with,
    json_option,
    new_file_argument,
    print_answer,
    progress_bar,
    usage,
    write_or_print,
)
from deduce.errors import Interrupted, Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.logs.events import write_text
from deduce.system.files import check_writable
from deduce.system.text import plural, whole_number
from games.mastermind import REGISTRATION
from games.mastermind.events import Code, Guess, pegs
from games.mastermind.game import MAX_GUESSES, Mastermind
from games.mastermind.notation import format_code, format_pegs, parse_code

if TYPE_CHECKING:
    from deduce.policy.plan import Plan

__all__ = ["mastermind"]

MAX_PLANNED = 100_000
"""Up to this number of codes there are plans; what they take grows with its square."""

mastermind = GameCommands(
    REGISTRATION,
    Look(variable="SLOT", value="COLOUR", example="2=5", log="game.log", worlds="codes"),
)
mastermind.help = f"""{REGISTRATION.summary}.

\b
Example:  deduce mastermind new --slots 4 --colours 6 game.mastermind
          deduce mastermind track game.mastermind
          deduce mastermind advise game.mastermind
          deduce mastermind solve --slots 4 --colours 6

Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable log, 4 undecided within the limit."""

F = TypeVar("F", bound=Callable[..., Any])

OBJECTIVES = ("expected", "worst", "chance")
SOLVED = "deduce/mastermind-solve/1"


def set_up(function: F) -> F:
    """Add the options of the set-up; the function gets the game."""

    @wraps(function)
    def with_game(*, slots: int, colours: str, repeat: bool, **given: Any) -> None:
        function(game=_game_of(slots, colours, repeat=repeat), **given)

    decorated: Any = with_game
    for option in (
        click.option(
            "--repeat/--no-repeat",
            default=True,
            show_default=True,
            help="Whether a colour may occur several times. Bulls and Cows: --no-repeat.",
        ),
        click.option(
            "--colours", default="6", show_default=True, help="How many colours, or their names."
        ),
        whole_option("--slots", low=1, default=4, help="How many slots."),
    ):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def _game_of(slots: int, colours: str, *, repeat: bool) -> Mastermind:
    """Return the game of the options; a wrong one is wrong usage."""
    names = colours.replace(",", " ").split()
    number = whole_number(colours)
    if number is None and colours.isdecimal():
        raise click.UsageError(f"--colours is a number or a list of names, not {colours[:20]!r}")
    with usage():
        return Mastermind(slots, tuple(names) if number is None else number, repeat)


@mastermind.command()
@new_file_argument()
@set_up
def new(log: Path | None, game: Mastermind) -> None:
    """Write a log with a set-up and no guesses into the file LOG, or print it.

    \b
    Example:  deduce mastermind new game.mastermind
              deduce mastermind new --colours 10 --no-repeat bulls.mastermind
              deduce mastermind new --slots 3 --colours red,green,blue,white
    """  # noqa: D301
    write_or_print(log, write_text(game, ()).removesuffix("\n"))


class Guessing(Dialogue):
    """Lets a person guess a code.

    Parameters
    ----------
    game
        The game.
    code
        The code.
    """

    prompt = "guess> "
    is_over = False

    def __init__(self, game: Mastermind, code: Code) -> None:
        self.game = game
        self.code = code
        self.guesses: list[Guess] = []

    def greeting(self) -> Iterator[str]:
        """Yield what is asked for."""
        game = self.game
        twice = "may occur several times" if game.repeat else "occurs once"
        colours = format_code(game, game.colours)
        yield f"a code of {game.slots} of the colours {colours}; a colour {twice}"
        yield "type a guess, or give up"

    def answer(self, line: str) -> Iterator[str]:
        """Yield the answer to a guess."""
        word = line.strip().casefold()
        if not word:
            return
        if word in ("give up", "quit", "q"):
            self.is_over = True
            yield f"the code was {format_code(self.game, self.code)}"
            return
        code = parse_code(self.game, line)
        guess = Guess(code, *pegs(self.code, code))
        self.guesses.append(guess)
        yield format_pegs(self.game, guess.answer)
        if code == self.code:
            self.is_over = True
            yield f"right, with {plural(len(self.guesses), 'guess', 'guesses')}"


@mastermind.command()
@set_up
@click.option("--code", help="The code. [default: a random one]")
@click.option(
    "--by",
    metavar="PLAYER",
    help="Let the program guess by this rule: information, expected, worst or random.",
)
@click.option(
    "--plan",
    "path",
    type=click.Path(path_type=Path),
    help="Let the program guess by this saved plan.",
)
@whole_option("--seed", default=0, help="The same seed repeats the code.")
@json_option
def play(
    game: Mastermind,
    code: str | None,
    by: str | None,
    path: Path | None,
    seed: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Guess a code, or watch a program guess it.

    \b
    Example:  deduce mastermind play --seed 5
              deduce mastermind play --by information --code 2451
              deduce mastermind play --plan best.json --seed 5
    """  # noqa: D301
    with usage("--code"):
        secret = game.random_code(Random(seed)) if code is None else game.parse_code(code)
    if by is None and path is None:
        if as_json:
            raise click.UsageError("--json is for games that a program plays: add --by PLAYER")
        end_with(run(Guessing(game, secret)))
    from games.mastermind.players import find_player, plan_player, play_game
    from games.mastermind.show import guess_table

    if path is not None:
        from deduce.policy.plan import read_plan

        player = plan_player(read_plan(path, Knowledge(game)))
    else:
        with usage("--by"):
            player = find_player(by or "")
    played = play_game(game, secret, player, seed=seed)
    document = {
        "schema": "deduce/mastermind-play/1",
        "code": format_code(game, secret),
        "guesses": [
            {"guess": format_code(game, g.code), "black": g.black, "white": g.white}
            for g in played.guesses
        ],
    }
    last = f"found with {plural(len(played.guesses), 'guess', 'guesses')}"
    print_answer(document, [guess_table(game, played.guesses), last], as_json=as_json)


@mastermind.command()
@set_up
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="expected",
    show_default=True,
    help="Fewest guesses on average; fewest in the worst case; most codes found within N guesses.",
)
@whole_option("--within", low=1, metavar="N", help="At most N guesses.")
@click.option("--static", is_flag=True, help="Guesses that are all made before the first answer.")
@jobs_option("Processes.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask cluster that does the work.")
@seconds_option(
    "--time-limit", help="Print the best plan found in this time, with its bound; exit code 4."
)
@click.option(
    "--width",
    type=Whole(0),
    default=0,
    metavar="N",
    help="Begin with a good plan from the N most promising guesses of large sets, for games that "
    "are too large for a proof. It gets up to half of the time limit.",
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the plan to this file.")
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="A file from which an interrupted search is continued.",
)
@whole_option("--depth", low=0, default=2, help="Guesses shown.")
@json_option
def solve(
    game: Mastermind,
    objective: str,
    within: int | None,
    static: bool,  # noqa: FBT001
    jobs: int,
    scheduler: str | None,
    time_limit: float | None,
    width: int,
    save: Path | None,
    results: Path | None,
    depth: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Find the best plan for all codes, and prove that no plan is better.

    \b
    Example:  deduce mastermind solve --slots 4 --colours 6
              deduce mastermind solve --objective worst --save best.json
              deduce mastermind solve --objective chance --within 4
              deduce mastermind solve --slots 3 --colours 8 --no-repeat --json
              deduce mastermind solve --slots 3 --colours 8 --time-limit 5
              deduce mastermind solve --static

    A plan names the first guess, and the next one after every answer. Its total is the number of
    guesses over all codes, the right guess included. For more than 14,142 codes the plan looks one
    guess ahead and is not proved; 32,768 codes take a minute or two. Exit code 1: no plan finds
    every code within N guesses.
    """  # noqa: D301
    from deduce.policy.best import NoPlan, best_plan

    if game.codes > (MAX_GUESSES if static else MAX_PLANNED):
        raise Unsupported(f"{game.codes:,} codes are too many for a plan")
    if static:
        given = (within, scheduler, save, results)
        if objective != OBJECTIVES[0] or width or any(each is not None for each in given):
            raise click.UsageError(
                "--static takes no other options than the game's, --time-limit and --json"
            )
        _solve_static(game, time_limit, as_json=as_json)
        return
    if objective == "chance" and within is None:
        raise click.UsageError("--objective chance needs --within N")
    if save is not None:
        check_writable(save)
    budget = Budget(steps=None, seconds=time_limit)
    undecided: Undecided | None = None
    try:
        with progress_bar("parts") as advance:
            plan = best_plan(
                Knowledge(game),
                objective=objective,
                within=within,
                budget=budget,
                jobs=jobs,
                scheduler=scheduler,
                path=results,
                width=width,
                progress=lambda done, total: advance(done, total=total),
            )
    except Undecided as error:
        if error.known is None:
            raise
        plan, undecided = error.known, error
    except NoPlan as error:
        unsolved = {"total": None, "proved": True, "objective": objective, "within": within}
        document = {"schema": SOLVED, "codes": game.codes} | unsolved
        print_answer(document, [str(error)], as_json=as_json)
        end_with(EXIT_NO)
    if save is not None:
        plan.save(save)
    document = {
        "schema": SOLVED,
        "codes": plan.secrets,
        "total": plan.total,
        "worst": plan.worst,
        "proved": plan.proved,
        "found": plan.found,
        "average": plan.expected,
        "bound": plan.bound,
        "worst_bound": plan.worst_bound,
        "objective": objective,
        "within": within,
        "first": None if plan.first is None else format_code(game, plan.first.inquiry),  # type: ignore[arg-type]
        "states": plan.states,
    }
    lines = [
        *(plan.outline(depth) if depth else ()),
        f"{plural(plan.found, 'code')} found"
        + (f" of {plan.secrets:,}" if plan.found < plan.secrets else "")
        + f" with {plan.total:,} guesses: {plan.expected:.4f} on average, {plan.worst} at most",
        "proved: no plan is better" if plan.proved else f"not proved: {_least(plan)}",
    ]
    print_answer(document, lines, as_json=as_json)
    if not plan.proved and undecided is None:
        message = "the plan was not proved to be the best"
        undecided = Interrupted(message) if plan.interrupted else Undecided(message)
    end_undecided(undecided)


def _least(plan: Plan) -> str:
    """Return in words what no plan can do better than."""
    if plan.objective == "chance":
        return f"no plan finds more than {plural(plan.bound, 'code')}"
    total = f"no plan takes fewer than {plan.bound:,} guesses"
    if plan.worst_bound is None:
        return total
    return f"{total}, or fewer than {plan.worst_bound} in the worst case"


def _solve_static(game: Mastermind, time_limit: float | None, *, as_json: bool) -> None:
    from games.mastermind.players import static_guesses

    found = static_guesses(game, budget=Budget(steps=None, seconds=time_limit))
    shown = [format_code(game, code) for code in found.guesses]
    document = {
        "schema": "deduce/mastermind-static/1",
        "codes": game.codes,
        "guesses": shown,
        "bound": found.bound,
        "proved": found.proved,
    }
    proof = "no fewer suffice" if found.proved else f"at least {found.bound} are needed"
    count = plural(len(shown), "guess", "guesses")
    print_answer(document, [*shown, f"{count} identify every code; {proof}"], as_json=as_json)
    if not found.finished and not found.proved:
        message = "not all sets that were planned have been tried"
        end_undecided(Interrupted(message) if found.interrupted else Undecided(message))
