"""The command ``soak``."""

from __future__ import annotations

import sys
from pathlib import Path
from random import SystemRandom

import click

from deduce.cli.endings import EXIT_INTERRUPTED, EXIT_NO
from deduce.cli.numbers import Seconds, whole_option
from deduce.cli.output import end_with, json_option, print_answer
from deduce.errors import BadInput
from deduce.system.text import one_line, plural

__all__ = ["soak_command"]


@click.command("soak")
@click.option(
    "--minutes", type=Seconds(), default=1.0, show_default=True, help="How long to go on."
)
@whole_option("--seed", help="The same seed repeats the rounds. [default: random, printed]")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="NAME",
    help="Only this game, or 'problem' for generated problems; can be repeated.",
)
@click.option(
    "--to", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path(),
    metavar="DIR", help="Where the case files of differences are written. [default: here]",
)  # fmt: skip
@json_option
def soak_command(
    *, minutes: float, seed: int | None, games: tuple[str, ...], folder: Path, as_json: bool
) -> None:
    """Check generated problems, and logs and states of all games, for some time.

    \b
    Example:  deduce soak --minutes 120 --seed 7
              deduce soak --game cluedo --minutes 1

    The answers to each problem, by every method, are compared with a list of all worlds and with
    each other, by properties that must hold ("laws"). For games, engines are compared with each
    other, answers with the true deal, earlier with later knowledge, a problem with the same one
    under other names and in another order, logs with their written form, and search methods with a
    list of all states. Each difference is reduced to a small case and written to a case file, which
    `deduce cases` replays.

    Exit code 1 if there is a difference, 130 after Ctrl-C, which prints what was checked.
    """  # noqa: D301 (click reads the backspace)
    from deduce.cli.endings import insisting
    from deduce.cli.output import progress_bar
    from deduce.system import registry
    from deduce.testing.soak import PROBLEM, Soaked, soak

    games = tuple(
        registry.open_typed(name).name if registry.is_typed(name) else name for name in games
    )
    known = (PROBLEM, *registry.names())
    seed = SystemRandom().randrange(10**6) if seed is None else seed
    click.echo(f"seed: {seed}", err=True)
    for name in games:
        if name not in known:
            raise click.UsageError(f"no game is called {name!r} ({', '.join(known)})")
    if not folder.is_dir():
        raise BadInput("there is no such folder", source=str(folder))
    soaked = Soaked()
    first_memory = 0
    written: list[str] = []
    interrupted = False
    with progress_bar("rounds", None) as advance:
        try:
            with insisting():
                for _ in soak(games or known, seconds=60 * minutes, seed=seed, soaked=soaked):
                    rounds = sum(soaked.rounds.values())
                    if rounds == 100:
                        first_memory = _memory()
                    while len(written) < len(soaked.faults):
                        fault = soaked.faults[len(written)]
                        written.append(str(fault.write(folder)))
                        what = one_line(fault.message)
                        click.echo(f"{fault.game}: {what}: {written[-1]}", err=True)
                    advance(rounds, plural(len(soaked.faults), "difference"))
        except KeyboardInterrupt:
            interrupted = True
    lines = [f"{name}: {plural(count, 'round')}" for name, count in sorted(soaked.rounds.items())]
    lines += [f"{name}: left out: {why}" for name, why in sorted(soaked.left_out.items())]
    lines.append(plural(len(written), "difference"))
    after = f", {first_memory} after 100 rounds" if first_memory else ""
    lines.append(f"memory: {_memory()} MiB at most{after}")
    document = {
        "schema": "deduce/soak/1",
        "seed": seed,
        "rounds": soaked.rounds,
        "left_out": soaked.left_out,
        "differences": written,
        "memory_mib": [first_memory or _memory(), _memory()],
    }
    print_answer(document, lines, as_json=as_json)
    if interrupted:
        end_with(EXIT_INTERRUPTED)
    if written:
        end_with(EXIT_NO)


def _memory() -> int:
    """Return the greatest memory of this process so far, in MiB."""
    import resource  # not on Windows

    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(used / (2**20 if sys.platform == "darwin" else 2**10))
