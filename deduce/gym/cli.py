"""The commands ``deduce gym``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any

import click

from deduce.cli.lazy import LazyGroup
from deduce.cli.numbers import Whole
from deduce.cli.output import json_option, print_answer, print_json, progress_bar, usage
from deduce.errors import BadInput
from deduce.gym.episode import LEVELS, Episode, Step, make, names
from deduce.gym.players import PLAYERS, play
from deduce.logs.json_values import parse_json
from deduce.show.table import Table

__all__ = ["gym"]

MAX_LINE = 500_000
"""Characters of a line of ``serve``."""


@click.group("gym", cls=LazyGroup)
def gym() -> None:
    """Episodes with exact rewards, for agents that deduce and ask.

    \b
    Example:  deduce gym list
              deduce gym play cluedo --episodes 18 --seed 7 --json
              deduce gym human mastermind
              deduce gym serve mastermind --seed 7

    docs/gym.md explains what agents read, what they may write, and how they are rewarded.
    """  # noqa: D301 (click reads the backspace)


def episode_options(function: Callable[..., Any]) -> Any:
    """Add the game, the seed and the level."""
    function = click.option("--level", type=Whole(LEVELS[0], LEVELS[-1]), default=1,
        show_default=True, help="How hard it is: 1, 2 or 3.")(function)  # fmt: skip
    function = click.option("--seed", type=Whole(), default=0, show_default=True,
        help="The same seed gives the same episode.")(function)  # fmt: skip
    return click.argument("name", metavar="NAME")(function)


def agents_option(function: Callable[..., Any]) -> Any:
    """Add the agents."""
    return click.option("--agent", "agents", multiple=True, metavar="PLAYER",
        help="An agent; may be repeated. [default: the first]")(function)  # fmt: skip


@gym.command("list")
@json_option
def list_episodes(*, as_json: bool) -> None:
    """List the games that have episodes, and what their levels are.

    \b
    Example:  deduce gym list
    """  # noqa: D301
    rows = []
    for name in names():
        episode = make(name)
        staged = type(episode.game).staged.__doc__ or ""
        summary = " ".join(staged.split()).removeprefix("Return ")
        rows.append({"name": name, "levels": summary, "asks": not episode.solves})
    lines = [f"{row['name']:<12} {row['levels']}" for row in rows]
    print_answer({"schema": "deduce/gym-list/1", "games": rows}, lines, as_json=as_json)


@gym.command("play")
@episode_options
@click.option("--player", type=click.Choice([*PLAYERS]), default="information", show_default=True,
    help="Which reference player.")  # fmt: skip
@click.option("--episodes", type=Whole(1), default=10, show_default=True, help="How many.")
@click.option("--regret/--no-regret", default=True, help="Whether the regret is computed.")
@json_option
def play_episodes(
    name: str, seed: int, level: int, player: str, episodes: int, *, regret: bool, as_json: bool
) -> None:
    """Let a reference player play episodes of NAME, with consecutive seeds from --seed on.

    \b
    Example:  deduce gym play mastermind --player best --episodes 100 --json

    The number after "±" is half the width of the 95 % interval of a mean. Only the agent's
    questions count; the regret is in bits per question, the log score in bits per stated belief.
    """  # noqa: D301
    with usage(), progress_bar("episodes", episodes) as advance:
        made = play(name, player, episodes=episodes, seed=seed, level=level, regret=regret,
            progress=advance)  # fmt: skip

    def mean(key: str) -> str:
        half = made[f"{key}_95"]
        text = "-" if made[key] is None else f"{made[key]:.3f}"
        return text if half is None else f"{text} ± {half:.3f}"

    low, high = made["won_95"]
    cells = [f"{made['won']} of {episodes} ({low:.0%} to {high:.0%})"]
    cells += [mean(key) for key in ("questions", "bits", "regret", "log_score")]
    table = Table(["won", "questions", "bits", "regret", "log score"], [cells])
    print_answer({"schema": "deduce/gym/1"} | made, [table], as_json=as_json)


@gym.command("serve")
@episode_options
@agents_option
@click.option("--regret/--no-regret", default=True, help="Whether the regret is computed.")
def serve(name: str, seed: int, level: int, agents: tuple[str, ...], *, regret: bool) -> None:
    """Play an episode with a program: one JSON object per line on standard input and output.

    \b
    Example:  echo '{"text": "ask 112"}' | deduce gym serve mastermind --seed 7

    NAME is a game that "deduce gym list" prints. The first line of output has the rules and what
    the agent sees ("text"). Each input line {"text": ...} is answered with a line that has "text",
    "rewards", "done" and "agent", who moves next. {"reset": SEED} begins another episode. The end
    of the input ends the command.
    """  # noqa: D301
    with usage():
        episode = make(name, seed=seed, level=level, agents=agents, regret=regret)
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text are answered, too
        sys.stdin.reconfigure(errors="replace")
    _write(episode, Step(episode.reset(), {}, done=False))
    while line := sys.stdin.readline(MAX_LINE):
        if not line.strip():
            continue
        try:
            message = parse_json(line)
            match message:
                case {"reset": int(new)}:
                    episode = make(name, seed=new, level=level, agents=agents, regret=regret)
                    _write(episode, Step(episode.reset(), {}, done=False))
                case {"text": str(text)}:
                    _write(episode, episode.step(text))
                case _:
                    raise BadInput('expected {"text": "..."} or {"reset": SEED}')
        except (BadInput, RecursionError) as error:
            print_json({"error": str(error)})
            sys.stdout.flush()


def _write(episode: Episode, step: Step) -> None:
    more = episode.news() if len(episode.agents) > 1 and not episode.done else ""
    print_json(
        {"text": step.text, "rewards": dict(step.rewards), "done": episode.done}
        | {"agent": episode.to_move, "news": more}
    )
    sys.stdout.flush()


@gym.command("human")
@episode_options
def human(name: str, seed: int, level: int) -> None:
    """Play an episode of NAME, and see after each question what a better one would have given.

    \b
    Example:  deduce gym human mastermind --level 2
    """  # noqa: D301
    with usage():
        episode = make(name, seed=seed, level=level)
    click.echo(episode.reset())
    while not episode.done:
        try:
            line = input("> ")
        except EOFError:
            click.echo("")
            return
        step = episode.step(line)
        click.echo(step.text)
        rewards = {key: value for key, value in step.rewards.items() if key != "legal"}
        paid = {key: value for key, value in rewards.items() if value not in (None, [], 0.0)}
        if step.rewards["bits"] is not None:
            regret = step.rewards["regret"]
            paid["regret"] = "not decided" if regret is None else regret
        shown = (f"{k} {v:.2f}" if isinstance(v, float) else f"{k} {v}" for k, v in paid.items())
        if paid:
            click.echo(f"  ({', '.join(shown)})")
    click.echo("won" if episode.won else "lost")
