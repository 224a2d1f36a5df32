"""The commands about a game in which nothing is hidden, one function each.

`deduce.search.cli` makes click commands of them; ``GAME`` in a docstring stands for the game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import evolve, frozen

from deduce.cli.endings import EXIT_INTERRUPTED, EXIT_NO, EXIT_UNDECIDED
from deduce.cli.numbers import Real, Whole, jobs_option, seconds_option, whole_option
from deduce.cli.output import end_with, json_option, print_answer, progress_bar
from deduce.errors import BadInput, DeduceError, Interrupted, Undecided
from deduce.search.game import (
    AnyGame,
    Extra,
    hook,
    outcomes_of,
    text_of_action,
    text_of_player,
    text_of_state,
)
from deduce.search.limits import LimitReached, Limits, deadline
from deduce.search.load import action_texts, read_state
from deduce.search.result import AnyResult, as_text, utilities_text
from deduce.search.result import as_json as result_json
from deduce.search.solvers import SOLVERS
from deduce.search.solvers.choose import search_by
from deduce.show.table import Table
from deduce.system.files import replace_file
from deduce.system.text import plural

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph
    from deduce.search.tiers.table import Tablebase

__all__ = ["COMMANDS", "Position", "print_tablebase", "read_size"]


UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
COUNTS = ("tier", "positions", "finished", "wins", "draws", "losses", "longest_win")

MAX_STATES = 500_000
"""How many states are expanded if no limit is given: at most about a gigabyte."""
PICTURES = (".svg", ".png", ".pdf")
EXPORTS = (".graphml", ".gexf", ".json")
LATE = "not decided within the time limit: the actions of a single state of this game take longer"

SMALL = Limits(nodes=10_000, seconds=1.0)
"""A game that can be explored within these limits is solved even for a picture of a few plies."""

F = TypeVar("F", bound=Callable[..., object])


@frozen
class Position:
    """A game with a state of it, as the command line gives them.

    Parameters
    ----------
    game, state
        The game and the state.
    name
        What the game is called in a solution on disk: its name with its settings.
    """

    game: AnyGame
    state: Hashable
    name: str

    def solution(self, folder: str | None) -> Tablebase:
        """Return the solution in the folder that ``--from`` names."""
        from deduce.search.tiers.table import Tablebase

        if folder is None:
            raise click.UsageError("--from DIR is missing: the folder that `solve --to DIR` made")
        return Tablebase(self.game, folder, name=self.name)


class _Utility(Real):
    """A number; a mistyped option, which looks like a negative one, is named as an option."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            if ctx is None or not str(value).startswith("-"):
                raise
            known = [name for each in ctx.command.params for name in each.opts]
            raise click.NoSuchOption(str(value), possibilities=known, ctx=ctx) from None


def _limit_options(function: F) -> F:
    nodes = whole_option("--max-nodes", low=1, metavar="N", help="Stop after N nodes.")
    return seconds_option("--time-limit", help="Stop after this time.")(nodes(function))


_depth_option = whole_option("--depth", low=1, metavar="D", help="Search or draw D plies.")
_symmetric_option = click.option("--symmetric", is_flag=True, help="Merge symmetric states.")
_best_option = click.option("--only-best", is_flag=True, help="Draw best actions only.")
_seed_option = whole_option("--seed", default=0, help="The seed of all random choices.")
_from_option = click.option(
    "--from",
    "from_folder",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Use the solution in this folder.",
)


def _search_options(function: F) -> F:
    """Add the options of commands that search a state."""
    for option in (
        _seed_option,
        _limit_options,
        _symmetric_option,
        _depth_option,
        click.option("--all", "all_values", is_flag=True, help="Value every action of the state."),
        click.option(
            "--solver",
            type=click.Choice(list(SOLVERS)),
            help="Use this solver, not the one that fits the game.",
        ),
    ):
        function = option(function)
    return function


@json_option
def show(at: Position, *, as_json: bool) -> None:
    r"""Show the state and its actions.

    \b
    Example:  deduce GAME show
    """
    game, state = at.game, at.state
    final, outcomes = game.utility(state), outcomes_of(game, state)
    by_chance = outcomes if final is None else None
    plays = final is None and by_chance is None
    actions = list(action_texts(game, state)) if plays else []
    document = {
        "schema": "deduce/search-state/1",
        "state": text_of_state(game, state),
        "mover": game.to_move(state) if plays else None,
        "actions": actions,
        "outcomes": None if by_chance is None else [float(share) for _, share in by_chance],
        "utilities": None if final is None else [float(gain) for gain in final],
    }
    draw = hook(game, Extra.show)
    lines = [*([str(draw(state))] if draw else []), f"state    {text_of_state(game, state)}"]
    if final is not None:
        lines.append(f"over     {utilities_text(game, final)}")
    elif by_chance is not None:
        lines += [
            f"chance {index} ({share}): {text_of_state(game, child)}"
            for index, (child, share) in enumerate(by_chance, 1)
        ]
    else:
        lines.append(f"to move  {text_of_player(game, game.to_move(state))}")
        lines.append(f"actions  {'; '.join(actions)}")
    print_answer(document, lines, as_json=as_json)


@_search_options
@click.option(
    "--to",
    "to_folder",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Solve all states on disk, in this folder; the same command continues.",
)
@click.option(
    "--memory",
    default="1GB",
    show_default=True,
    metavar="SIZE",
    help="With --to: the memory of each process, such as 200MB.",
)
@jobs_option("With --to: how many processes.", metavar="N")
@click.option(
    "--scheduler", metavar="ADDRESS", help="With --to: a Dask scheduler, instead of processes here."
)
@json_option
def solve(at: Position, *, solver: str | None, **options: Any) -> None:
    r"""Prove the value of the state.

    \b
    Example:  deduce GAME solve
              deduce GAME solve --solver alphabeta --all
              deduce GAME solve --to solved --memory 200MB

    With --to DIR, the values of all reachable states are computed on disk, even if the game does
    not fit into memory.

    Exit code 4: not proved within the limits.
    """
    if options["to_folder"] is not None:
        given = [key for key in ("depth", "time_limit", "max_nodes", "symmetric") if options[key]]
        if solver or given:
            unused = given[0].replace("_", "-") if given else "solver"
            raise click.UsageError(f"--to solves all states on disk and has no --{unused}")
        _solve_on_disk(at, options)
        return
    solver = solver or "solve"
    whole = solver == "solve" or SOLVERS[solver].solves_spaces
    result = _search(at, solver, options, nodes=MAX_STATES if whole else None)
    if not result.proved:
        if whole and result.stopped == "nodes":
            click.echo("raise --max-nodes, or try --solver alphabeta, or best", err=True)
        end_with(EXIT_UNDECIDED)


def _solve_on_disk(at: Position, options: Mapping[str, Any]) -> None:
    """Solve a game on disk, or continue, and print the counts of its tiers."""
    from deduce.search.tiers.solve import MIN_MEMORY, solve_on_disk

    memory = read_size(options["memory"])
    if memory < MIN_MEMORY:
        least = MIN_MEMORY // 10**6
        raise BadInput(f"--memory: at least {least} MB are needed, not {options['memory']}")
    with _counting("states") as progress:
        table = solve_on_disk(
            at.game,
            options["to_folder"],
            state=at.state,
            name=at.name,
            memory=memory,
            jobs=options["jobs"],
            scheduler=options["scheduler"],
            progress=progress,
        )
    print_tablebase(table, as_json=options["as_json"])


@_search_options
@json_option
def best(at: Position, *, solver: str | None, **options: Any) -> None:
    r"""Find the best action within 5 seconds.

    \b
    Example:  deduce GAME best
              deduce GAME best --time-limit 2 --json

    Proved values and estimates are marked as such.
    """
    whole = solver is not None and SOLVERS[solver].solves_spaces
    nodes = MAX_STATES if whole else None
    result = _search(at, solver or "best", options, seconds=5, nodes=nodes)
    if not result.proved and not result.best_actions:
        end_with(EXIT_UNDECIDED)


def _search(at: Position, solver: str, options: Mapping[str, Any], **defaults: Any) -> AnyResult:
    """Return the result of a solver, printed; limits not given are the defaults."""
    chosen = {name: options[name] for name in ("depth", "all_values", "seed", "symmetric")}
    with _limits(options, **defaults) as limits:
        # A little later than in the solver, for what the game does before and after the search.
        seconds = None if limits.seconds is None else limits.seconds * 1.15
        try:
            with deadline(seconds):
                result = search_by(solver, at.game, at.state, limits=limits, **chosen)
        except LimitReached:
            raise Undecided(LATE) from None
    _print_result(at, result, all_values=options["all_values"], as_json=options["as_json"])
    return result


@click.argument("position", metavar="STATE")
@_from_option
@json_option
def probe(at: Position, *, position: str, from_folder: str | None, as_json: bool) -> None:
    r"""Look up a state in a solution on disk.

    \b
    Example:  deduce GAME probe STATE --from solved

    STATE is the game's own text; the solution is what `solve --to DIR` wrote.
    """
    table = at.solution(from_folder)
    result = table.result(read_state(at.game, position, ()))
    _print_result(at, result, all_values=True, as_json=as_json)


@click.argument("parquet", type=click.Path(dir_okay=False), metavar="OUT")
@_from_option
def export(at: Position, *, parquet: str, from_folder: str | None) -> None:
    r"""Write a solution on disk to a Parquet file, which DuckDB and pandas read.

    \b
    Example:  deduce GAME export all.parquet --from solved

    OUT is the file; the solution is what `solve --to DIR` wrote.
    """
    from deduce.search.tiers.table import write_parquet

    table = at.solution(from_folder)
    with progress_bar("states", len(table)) as advance:
        write_parquet(table, Path(parquet), progress=advance)
    click.echo(f"{parquet}: {plural(len(table), 'state')}")


@click.argument("utility", type=_Utility(), metavar="U")
@_limit_options
@json_option
def goal(at: Position, *, utility: float, as_json: bool, **options: Any) -> None:
    r"""Prove whether the mover can be sure of a utility U.

    \b
    Example:  deduce GAME goal 1

    Exit codes: 0 yes, 1 no, 4 not decided within the limits.
    """
    from deduce.search.solvers.proof_number import proof_number

    with _limits(options) as limits:
        result = proof_number(at.game, at.state, goal=utility, limits=limits)
    _print_result(at, result, all_values=False, as_json=as_json)
    if not result.holds:
        end_with(EXIT_UNDECIDED if result.holds is None else EXIT_NO)


def _print_result(at: Position, result: AnyResult, *, all_values: bool, as_json: bool) -> None:
    shown = result if all_values else evolve(result, root_values={})
    print_answer(result_json(at.game, result), [as_text(at.game, shown)], as_json=as_json)
    if result.stopped == "interrupt":
        end_with(EXIT_INTERRUPTED)


@click.argument("plies", type=Whole(0), metavar="D")
@seconds_option("--time-limit", help="Stop after this time.")
@json_option
def perft(at: Position, *, plies: int, as_json: bool, time_limit: float | None) -> None:
    r"""Count the lines of play of D plies, split by the first action.

    \b
    Example:  deduce GAME perft 4
    """
    from deduce.search import playouts

    game, state = at.game, at.state
    parts: dict[str, int] = {}
    text = ""
    try:
        with deadline(time_limit), _counting("lines") as progress:
            if plies == 0 or game.utility(state) is not None or outcomes_of(game, state):
                total = playouts.perft(game, plies, state, progress=progress)
            else:
                for text, action in action_texts(game, state).items():
                    after = game.result(state, action)
                    parts[text] = playouts.perft(game, plies - 1, after, progress=progress)
                total = sum(parts.values())
    except (KeyboardInterrupt, LimitReached) as stop:
        for known, count in parts.items():
            click.echo(f"{known}: {count}")
        where = f"counting the lines after {text}" if text else "counting the lines"
        if isinstance(stop, KeyboardInterrupt):
            raise Interrupted(f"interrupted while {where}") from None
        raise Undecided(f"the time limit ended {where}") from None
    document = {
        "schema": "deduce/search-perft/1",
        "state": text_of_state(game, state),
        "depth": plies,
        "lines": total,
        "actions": parts,
    }
    lines = [f"{text}: {count}" for text, count in parts.items()]
    lines.append(f"{plural(total, 'line')} of {plural(plies, 'ply', 'plies')}")
    print_answer(document, lines, as_json=as_json)


@click.argument("out", type=click.Path(), metavar="OUT")
@_depth_option
@click.option("--solved", is_flag=True, help="Solve the whole game, for all values.")
@click.option(
    "--value",
    "values",
    type=Real(),
    multiple=True,
    metavar="U",
    help="Draw only states with this value for the first player.",
)
@_best_option
@_symmetric_option
@_limit_options
@json_option
def graph(
    at: Position,
    *,
    out: str,
    depth: int | None,
    values: tuple[float, ...],
    only_best: bool,
    solved: bool,
    symmetric: bool,
    as_json: bool,
    **options: Any,
) -> None:
    r"""Draw the first plies of the state graph, or export the whole graph.

    \b
    Example:  deduce GAME graph tree.svg --depth 2
              deduce GAME graph all.graphml

    OUT ends in .svg, .png, .pdf or .dot (a drawing) or in .graphml, .gexf or .json (all states); -
    writes Graphviz text to standard output.
    """
    from deduce.search.drawing import draw, to_dot
    from deduce.search.graph import StateGraph

    suffix = Path(out).suffix.lower()
    if out != "-" and suffix not in (*PICTURES, *EXPORTS, ".dot", ".gv"):
        endings = " ".join((*PICTURES, ".dot", *EXPORTS))
        raise click.UsageError(f"graphs are written to files ending in {endings}, or to - (dot)")
    whole = solved or only_best or values or suffix in EXPORTS
    limited = options["time_limit"] is not None or options["max_nodes"] is not None
    chosen: dict[str, Any] = {"depth": depth or 2, "values": values or None, "best": only_best}
    note, drawn = "", None
    with progress_bar("states") as advance:
        with _limits(options, nodes=MAX_STATES // 2) as limits:
            limits = limits if whole or limited else SMALL
            built = _explored(at, limits, symmetric=symmetric)
        advance(len(built), "solving")
        if built.is_complete:
            built.solve()
        elif whole or limited:
            left = f"{len(built.frontier)} of {len(built)} not expanded"
            note = f"stopped by {built.stopped}: {left}; values are left out"
        else:
            built = StateGraph(at.game, at.state, symmetric=symmetric).build(depth=depth or 2)
            note = "values are left out; --solved explores the whole game for them"
        advance(len(built), "writing")
        if suffix in PICTURES:
            drawn = draw(built, out, **chosen)
        else:
            text = _exported(built, suffix) if suffix in EXPORTS else to_dot(built, **chosen)
            if out != "-":
                replace_file(Path(out), f"{text}\n")
    if note:
        click.echo(note, err=True)
    if out == "-":
        click.echo(text)
        return
    document = {
        "schema": "deduce/search-graph/1",
        "file": out,
        "states": len(built),
        "edges": built.number_of_edges(),
        "not_expanded": len(built.frontier),
        "solved": built.is_complete,
        "drawn": drawn,
    }
    size = f"{plural(len(built), 'state')}, {plural(built.number_of_edges(), 'edge')}"
    part = "" if drawn is None else f", {drawn} of them drawn"
    print_answer(document, [f"{out}: {size}{part}"], as_json=as_json)


def _explored(at: Position, limits: Limits, *, symmetric: bool = False) -> StateGraph:
    """Return the graph of the states up to a limit; after Ctrl-C, no graph is made of many."""
    from deduce.search.graph import StateGraph
    from deduce.search.space import explore

    space = explore(at.game, at.state, symmetric=symmetric, limits=limits)
    if space.stopped == "interrupt":
        raise Interrupted(f"interrupted after {plural(len(space), 'state')}; nothing was written")
    return StateGraph.of(space)


def _exported(built: Any, suffix: str) -> str:
    """Return a graph in the format that belongs to the ending of a file."""
    import json

    import networkx as nx

    plain, file = built.for_export(), BytesIO()
    if suffix == ".json":
        data = nx.node_link_data(plain, edges="edges")
        return json.dumps({"schema": "deduce/state-graph/1", **data})
    write = nx.write_gexf if suffix == ".gexf" else nx.write_graphml
    write(plain, file)
    return file.getvalue().decode()


@_depth_option
@_best_option
@_limit_options
def tree(at: Position, *, depth: int | None, only_best: bool, **options: Any) -> None:
    r"""Print the tree below the state.

    \b
    Example:  deduce GAME tree --depth 3
              deduce GAME tree --only-best
    """
    from deduce.search.board import tree_lines

    solved = None
    if only_best:
        with _limits(options, nodes=MAX_STATES // 2) as limits:
            solved = _explored(at, limits)
        if not solved.is_complete:
            raise DeduceError("the game is too large to be solved here; leave out --only-best")
        solved.solve()
    lines = tree_lines(at.game, at.state, depth=depth or 2, graph=solved, best=only_best)
    for line in lines:
        click.echo(line)


@whole_option(
    "--seat",
    "seats",
    low=0,
    multiple=True,
    help="Your player, numbered from 0 (the default).",
)
@_from_option
@_limit_options
@_seed_option
def play(
    at: Position, *, seats: tuple[int, ...], seed: int, from_folder: str | None, **options: Any
) -> None:
    r"""Play against the search, which takes 1 second for a move.

    \b
    Example:  deduce GAME play
              deduce GAME play --seat 1 --time-limit 5
              deduce GAME play --from solved
    """
    from deduce.search import terminal

    table = None if from_folder is None else at.solution(from_folder)
    game = at.game
    if max(seats, default=0) >= game.players:
        raise click.UsageError(f"seats are 0 to {game.players - 1}")
    with _limits(options, seconds=1) as limits:
        try:
            terminal.play(
                game, at.state, seats=seats or (0,), limits=limits, seed=seed, table=table
            )
        except KeyboardInterrupt:
            click.echo()


@contextmanager
def _counting(what: str) -> Iterator[Callable[[int], None]]:
    """Give a function that adds to the number which the line of progress shows."""
    done = 0
    with progress_bar(what) as advance:

        def add(more: int) -> None:
            nonlocal done
            done += more
            advance(done)

        yield add


@contextmanager
def _limits(
    options: Mapping[str, Any], *, seconds: float | None = None, nodes: int | None = None
) -> Iterator[Limits]:
    """Give the limits asked for, else the defaults; with progress on a terminal."""
    own = options["time_limit"] is not None or options["max_nodes"] is not None
    with progress_bar("nodes") as advance:
        yield Limits(
            nodes=options["max_nodes"] if own else nodes,
            seconds=options["time_limit"] if own else seconds,
            progress=lambda count, _: advance(count),
        )


def print_tablebase(table: Tablebase, *, as_json: bool) -> None:
    """Print what a solution contains: the value of the root and the counts of every tier."""
    game, root = table.game, table.root
    result = table.result(root)
    value = result.value or ()
    best = [text_of_action(game, root, action) for action in result.best_actions]
    seconds = table.manifest.seconds
    document = {
        "schema": "deduce/search-tablebase/1",
        "game": table.manifest.game,
        "folder": str(table.folder),
        "state": text_of_state(game, root),
        "value": list(value),
        "distance": result.distance,
        "secured_in": list(result.secured_in) or None,
        "best_actions": best,
        "positions": len(table),
        "finished": sum(tier["finished"] for tier in table.tiers),
        "tiers": table.tiers,
        "seconds": round(seconds, 3),
    }
    end = "play goes on for ever" if result.distance is None else f"in {result.distance} plies"
    about = "Wins, draws and losses are those of the first player."
    if result.secured_in:
        plies = ", ".join(map(str, result.secured_in))
        end = f"what each player can force, after {plies} plies"
        about = "Wins: positions in which the first player can force a utility above 0."
    lines = [
        f"{table.folder}: {plural(len(table), 'position')}, solved in {seconds:.1f} s",
        f"value  {utilities_text(game, value)}",
        f"end    {end}",
        *([f"best   {'; '.join(best)}"] if best else []),
        "",
        str(
            Table(
                tuple(key.replace("_", " ") for key in COUNTS),
                tuple(tuple(f"{tier[key]:,}" for key in COUNTS) for tier in table.tiers),
                notes=(about,),
            )
        ),
    ]
    print_answer(document, lines, as_json=as_json)


def read_size(text: str) -> int:
    """Return a number of bytes.

    Raises
    ------
    BadInput
        It is not written as in ``200MB`` or ``1.5 GiB``.

    Examples
    --------
    >>> read_size("200MB"), read_size("1.5 GiB")
    (200000000, 1610612736)
    """
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) *([kKMG]i?B)", text.strip())
    if match is None or match[2] not in UNITS:
        raise BadInput(f"a size is written as 200MB or 1.5GiB, not {text!r}")
    return round(float(match[1]) * UNITS[match[2]])


COMMANDS: Mapping[str, Callable[..., None]] = {
    command.__name__: command
    for command in (show, solve, best, probe, export, goal, perft, graph, tree, play)
}
"""The functions by the names of their commands."""
