"""What the commands about a game do once the game and the state are read."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from deduce.cli.exits import EXIT_INTERRUPTED, EXIT_NO, EXIT_UNDECIDED
from deduce.cli.output import end_with, print_answer, progress_bar
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
from deduce.search.result import AnyResult, as_json, as_text, utilities_text
from deduce.search.solvers import SOLVERS
from deduce.search.solvers.choose import search_by
from deduce.show.table import Table
from deduce.system.files import replace_file
from deduce.system.text import plural

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph
    from deduce.search.tiers.table import Tablebase

__all__ = [
    "best",
    "export",
    "goal",
    "graph",
    "open_tablebase",
    "perft",
    "play",
    "print_tablebase",
    "probe",
    "read_size",
    "show",
    "solve",
    "tree",
]


UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
COUNTS = ("tier", "positions", "finished", "wins", "draws", "losses", "longest_win")

MAX_STATES = 500_000
"""How many states are expanded if no limit is given: at most about a gigabyte."""
PICTURES = (".svg", ".png", ".pdf")
EXPORTS = (".graphml", ".gexf", ".json")
LATE = "not decided within the time limit: the actions of a single state of this game take longer"

SMALL = Limits(nodes=10_000, seconds=1.0)
"""A game that can be explored within these limits is solved even for a picture of a few plies."""


def show(game: AnyGame, state: Hashable, *, json: bool) -> None:
    """Print a state and its actions."""
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
    print_answer(document, lines, as_json=json)


def solve(
    game: AnyGame, state: Hashable, *, solver: str | None, name: str, **options: object
) -> None:
    """Print the proved value of a state; exit with 4 if it is not proved within the limits."""
    if options["to_folder"] is not None:
        given = [key for key in ("depth", "time_limit", "max_nodes", "symmetric") if options[key]]
        if solver or given:
            unused = given[0].replace("_", "-") if given else "solver"
            raise click.UsageError(f"--to solves all states on disk and has no --{unused}")
        _solve_on_disk(game, state, name, options)
        return
    solver = solver or "solve"
    whole = solver == "solve" or SOLVERS[solver].solves_spaces
    result = _search(game, state, solver, options, nodes=MAX_STATES if whole else None)
    if not result.proved:
        if whole and result.stopped == "nodes":
            click.echo("raise --max-nodes, or try --solver alphabeta, or best", err=True)
        end_with(EXIT_UNDECIDED)


def _solve_on_disk(game: AnyGame, state: Hashable, name: str, options: dict[str, Any]) -> None:
    """Solve a game on disk, or continue, and print the counts of its tiers."""
    from deduce.search.tiers.solve import MIN_MEMORY, solve_on_disk

    memory = read_size(options["memory"])
    if memory < MIN_MEMORY:
        least = MIN_MEMORY // 10**6
        raise BadInput(f"--memory: at least {least} MB are needed, not {options['memory']}")
    with progress_bar("states") as advance:
        done = 0

        def progress(states: int) -> None:
            nonlocal done
            done += states
            advance(done)

        table = solve_on_disk(
            game,
            options["to_folder"],
            state=state,
            name=name,
            memory=memory,
            jobs=options["jobs"],
            scheduler=options["scheduler"],
            progress=progress,
        )
    print_tablebase(table, json=options["json"])


def best(game: AnyGame, state: Hashable, *, solver: str | None, **options: Any) -> None:
    """Print the best action that can be found within the limits."""
    whole = solver is not None and SOLVERS[solver].solves_spaces
    nodes = MAX_STATES if whole else None
    result = _search(game, state, solver or "best", options, seconds=5, nodes=nodes)
    if not result.proved and not result.best_actions:
        end_with(EXIT_UNDECIDED)


def _search(
    game: AnyGame, state: Hashable, solver: str, options: dict[str, Any], **defaults: Any
) -> AnyResult:
    """Return the result of a solver, printed; limits not given are the defaults."""
    chosen = {name: options[name] for name in ("depth", "all_values", "seed", "symmetric")}
    with _limits(options, **defaults) as limits:
        # A little later than in the solver, for what the game does before and after the search.
        seconds = None if limits.seconds is None else limits.seconds * 1.15
        try:
            with deadline(seconds):
                result = search_by(solver, game, state, limits=limits, **chosen)
        except LimitReached:
            raise Undecided(LATE) from None
    _print_result(game, result, all_values=options["all_values"], json=options["json"])
    return result


def goal(game: AnyGame, state: Hashable, *, utility: float, json: bool, **options: Any) -> None:
    """Print whether the mover can be sure of a utility; exit with 0 (yes), 1 (no) or 4."""
    from deduce.search.solvers.proof_number import proof_number

    with _limits(options) as limits:
        result = proof_number(game, state, goal=utility, limits=limits)
    _print_result(game, result, all_values=False, json=json)
    if not result.holds:
        end_with(EXIT_UNDECIDED if result.holds is None else EXIT_NO)


def _print_result(game: AnyGame, result: AnyResult, *, all_values: bool, json: bool) -> None:
    shown = result if all_values else evolve(result, root_values={})
    print_answer(as_json(game, result), [as_text(game, shown)], as_json=json)
    if result.stopped == "interrupt":
        end_with(EXIT_INTERRUPTED)


def probe(
    game: AnyGame,
    state: Hashable,
    *,
    position: str,
    name: str,
    from_folder: str | None,
    json: bool,
) -> None:
    """Print what a solution on disk contains about a state."""
    table = open_tablebase(game, from_folder, name)
    result = table.result(read_state(game, position, ()))
    _print_result(game, result, all_values=True, json=json)


def export(
    game: AnyGame, state: Hashable, *, parquet: str, name: str, from_folder: str | None
) -> None:
    """Write a solution on disk to a Parquet file."""
    from deduce.search.tiers.table import write_parquet

    table = open_tablebase(game, from_folder, name)
    with progress_bar("states", len(table)) as advance:
        write_parquet(table, Path(parquet), progress=advance)
    click.echo(f"{parquet}: {plural(len(table), 'state')}")


def open_tablebase(game: AnyGame, folder: str | None, name: str) -> Tablebase:
    """Return the solution in the folder that ``--from`` names."""
    from deduce.search.tiers.table import Tablebase

    if folder is None:
        raise click.UsageError("--from DIR is missing: the folder that `solve --to DIR` made")
    return Tablebase(game, folder, name=name)


def perft(
    game: AnyGame, state: Hashable, *, plies: int, json: bool, time_limit: float | None
) -> None:
    """Print how many lines of play there are, split by the first action."""
    from deduce.search import playouts

    parts: dict[str, int] = {}
    text = ""
    try:
        with deadline(time_limit):
            if plies == 0 or game.utility(state) is not None or outcomes_of(game, state):
                total = playouts.perft(game, plies, state)
            else:
                for text, action in action_texts(game, state).items():
                    parts[text] = playouts.perft(game, plies - 1, game.result(state, action))
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
    print_answer(document, lines, as_json=json)


def graph(
    game: AnyGame,
    state: Hashable,
    *,
    out: str,
    depth: int | None,
    values: tuple[float, ...],
    only_best: bool,
    solved: bool,
    symmetric: bool,
    json: bool,
    **options: Any,
) -> None:
    """Draw the first plies of the state graph, or export all of it.

    Of a large game only what is drawn is explored, without values, unless they are asked for.
    """
    from deduce.search.drawing import draw, to_dot
    from deduce.search.graph import StateGraph
    from deduce.search.space import explore

    suffix = Path(out).suffix.lower()
    if out != "-" and suffix not in (*PICTURES, *EXPORTS, ".dot", ".gv"):
        endings = " ".join((*PICTURES, ".dot", *EXPORTS))
        raise click.UsageError(f"graphs are written to files ending in {endings}, or to - (dot)")
    whole = solved or only_best or values or suffix in EXPORTS
    limited = options["time_limit"] is not None or options["max_nodes"] is not None
    with _limits(options, nodes=MAX_STATES // 2) as limits:
        limits = limits if whole or limited else SMALL
        built = StateGraph.of(explore(game, state, symmetric=symmetric, limits=limits))
    _check_interrupt(built)
    if built.is_complete:
        built.solve()
    elif whole or limited:
        click.echo(
            f"stopped by {built.stopped}: {len(built.frontier)} of {len(built)} not expanded; "
            "values are left out",
            err=True,
        )
    else:
        built = StateGraph(game, state, symmetric=symmetric).build(depth=depth or 2)
        click.echo("values are left out; --solved explores the whole game for them", err=True)
    chosen: dict[str, Any] = {"depth": depth or 2, "values": values or None, "best": only_best}
    if out == "-":
        click.echo(to_dot(built, **chosen))
        return
    drawn = None
    try:
        if suffix in PICTURES:
            drawn = draw(built, out, **chosen)
        elif suffix in EXPORTS:
            _export(built, Path(out))
        else:
            replace_file(Path(out), to_dot(built, **chosen) + "\n")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=out) from None
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
    print_answer(document, [f"{out}: {size}{part}"], as_json=json)


def _check_interrupt(built: StateGraph) -> None:
    """Raise `Interrupted` rather than draw or write, at length, what was found until Ctrl-C."""
    if built.stopped == "interrupt":
        raise Interrupted(f"interrupted after {plural(len(built), 'state')}; nothing was written")


def _export(built: Any, out: Path) -> None:
    import json

    import networkx as nx

    plain = built.for_export()
    if out.suffix == ".json":
        data = nx.node_link_data(plain, edges="edges")
        replace_file(out, json.dumps({"schema": "deduce/state-graph/1", **data}))
    elif out.suffix == ".gexf":
        nx.write_gexf(plain, out)
    else:
        nx.write_graphml(plain, out)


def tree(
    game: AnyGame, state: Hashable, *, depth: int | None, only_best: bool, **options: object
) -> None:
    """Print the tree below a state."""
    from deduce.search.board import text_tree
    from deduce.search.graph import StateGraph

    solved = None
    if only_best:
        with _limits(options, nodes=MAX_STATES // 2) as limits:
            solved = StateGraph(game, state).build(limits=limits)
        _check_interrupt(solved)
        if not solved.is_complete:
            raise DeduceError("the game is too large to be solved here; leave out --only-best")
        solved.solve()
    click.echo(text_tree(game, state, depth=depth or 2, graph=solved, best=only_best))


def play(
    game: AnyGame,
    state: Hashable,
    *,
    seats: tuple[int, ...],
    seed: int,
    name: str,
    from_folder: str | None,
    **options: object,
) -> None:
    """Play against the search, or against a solution on disk."""
    from deduce.search import terminal

    table = None if from_folder is None else open_tablebase(game, from_folder, name)

    if max(seats, default=0) >= game.players:
        raise click.UsageError(f"seats are 0 to {game.players - 1}")
    with _limits(options, seconds=1) as limits:
        try:
            terminal.play(game, state, seats=seats or (0,), limits=limits, seed=seed, table=table)
        except KeyboardInterrupt:
            click.echo()


@contextmanager
def _limits(
    options: dict[str, Any], *, seconds: float | None = None, nodes: int | None = None
) -> Iterator[Limits]:
    """Give the limits asked for, else the defaults; with progress on a terminal."""
    own = options["time_limit"] is not None or options["max_nodes"] is not None
    with progress_bar("nodes") as advance:
        yield Limits(
            nodes=options["max_nodes"] if own else nodes,
            seconds=options["time_limit"] if own else seconds,
            progress=lambda count, _: advance(count),
        )


def print_tablebase(table: Tablebase, *, json: bool) -> None:
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
    print_answer(document, lines, as_json=json)


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
