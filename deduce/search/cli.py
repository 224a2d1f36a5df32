"""The command ``deduce search``: solve, ask for the best action, count, draw and play."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from deduce.completion import offering
from deduce.errors import BadInput, DeduceError, Undecided
from deduce.exits import EXIT_NO, EXIT_UNDECIDED
from deduce.files import replace_file
from deduce.search.limits import Limits
from deduce.search.load import load_game, read_state
from deduce.search.options import HELP, with_options

__all__ = ["game_command", "search"]

MAX_STATES = 500_000
"""How many states are expanded if no limit is given: at most about a gigabyte."""
PICTURES = (".svg", ".png", ".pdf")
EXPORTS = (".graphml", ".gexf", ".json")


def _searchable() -> list[str]:
    """Return the names of the installed games in which nothing is hidden."""
    from deduce import registry

    return [entry.name for entry in registry.games() if entry.search]


@click.command(
    "search",
    help=HELP.format(
        name="search tic-tac-toe",
        summary="Search a game in which nothing is hidden.",
        about="GAME is an installed game, or module:name for one of your own. ",
    ),
)
@click.argument("game_name", metavar="GAME", shell_complete=offering(_searchable))
@with_options
def search(game_name: str, **options: Any) -> None:
    """Search a game in which nothing is hidden."""
    _run(game_name, **options)


def game_command(name: str, summary: str) -> click.Command:
    """Return the same command for one game, for use as its ``Registration.commands``."""

    @click.command(name, help=HELP.format(name=name, summary=f"{summary}.", about=""))
    @with_options
    def command(**options: Any) -> None:
        _run(name, **options)

    return command


def _run(
    game_name: str,
    *,
    perft: int | None,
    graph: str | None,
    settings: tuple[str, ...],
    state: str | None,
    after: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    given = {"perft": perft is not None, "graph": graph is not None}
    given["goal"] = options["goal"] is not None
    given |= {name: options[name] for name in ("solve", "best", "tree", "play")}
    modes = [name for name, asked in given.items() if asked]
    if len(modes) > 1:
        both = " and ".join(f"--{name}" for name in modes)
        raise click.UsageError(f"{both} cannot be asked together")
    mode = modes[0] if modes else None
    if as_json and mode in ("play", "tree"):
        raise click.UsageError(f"--{mode} has no --json form")
    try:
        game = load_game(game_name, settings)
    except BadInput as error:
        raise click.UsageError(str(error)) from error
    root = read_state(game, state, after)
    if perft is not None:
        _perft(game, root, perft, as_json=as_json)
    elif graph is not None:
        _graph(game, root, graph, as_json=as_json, **options)
    elif mode == "goal":
        _goal(game, root, as_json=as_json, **options)
    elif mode == "tree":
        _tree(game, root, **options)
    elif mode == "play":
        _play(game, root, **options)
    elif mode is not None:
        _search(game, root, mode, as_json=as_json, **options)
    else:
        _show(game, root, as_json=as_json)


def _search(game: Any, root: Any, mode: str, *, as_json: bool, **options: Any) -> None:
    from deduce.search.solvers.choose import search_by

    solver = options["solver"] or mode
    whole = solver in ("solve", "retrograde", "induction")
    result = search_by(
        solver,
        game,
        root,
        limits=_limits(
            options,
            seconds=5 if mode == "best" else None,
            nodes=MAX_STATES if whole else None,
        ),
        depth=options["depth"],
        all_values=options["all_values"],
        seed=options["seed"],
        symmetric=options["symmetric"],
    )
    _print_result(game, result, as_json=as_json, all_values=options["all_values"])
    if not result.proved and (mode == "solve" or not result.best_actions):
        if whole and result.stopped == "nodes":
            click.echo("raise --max-nodes, or try --solver alphabeta, or --best", err=True)
        sys.exit(EXIT_UNDECIDED)


def _goal(game: Any, root: Any, *, as_json: bool, **options: Any) -> None:
    from deduce.search.solvers.proof_number import proof_number

    result = proof_number(game, root, goal=options["goal"], limits=_limits(options))
    _print_result(game, result, as_json=as_json, all_values=False)
    if not result.holds:
        sys.exit(EXIT_UNDECIDED if result.holds is None else EXIT_NO)


def _print_result(game: Any, result: Any, *, as_json: bool, all_values: bool) -> None:
    from attrs import evolve

    from deduce.search import result as forms

    if as_json:
        click.echo(json.dumps(forms.as_json(game, result)))
    else:
        click.echo(forms.as_text(game, result if all_values else evolve(result, root_values={})))


def _show(game: Any, root: Any, *, as_json: bool) -> None:
    from deduce.search.game import hook, text_of_action, text_of_player, text_of_state

    final, outcomes = game.utility(root), hook(game, "outcomes")
    by_chance = outcomes(root) if outcomes and final is None else None
    plays = final is None and by_chance is None
    actions = [text_of_action(game, root, a) for a in game.actions(root)] if plays else []
    if as_json:
        told = {
            "schema": "deduce/search-state/1",
            "state": text_of_state(game, root),
            "mover": game.to_move(root) if plays else None,
            "actions": actions,
            "outcomes": None if by_chance is None else [float(share) for _, share in by_chance],
            "utilities": None if final is None else [float(gain) for gain in final],
        }
        click.echo(json.dumps(told))
        return
    show = hook(game, "show")
    if show:
        click.echo(show(root))
    click.echo(f"state    {text_of_state(game, root)}")
    if final is not None:
        click.echo(f"over     {', '.join(str(gain) for gain in final)}")
    elif by_chance is not None:
        for place, (child, share) in enumerate(by_chance, 1):
            click.echo(f"chance {place} ({share}): {text_of_state(game, child)}")
    else:
        click.echo(f"to move  {text_of_player(game, game.to_move(root))}")
        click.echo(f"actions  {', '.join(actions)}")


def _perft(game: Any, root: Any, depth: int, *, as_json: bool) -> None:
    from deduce.search.game import hook, text_of_action, text_of_state
    from deduce.search.playouts import perft

    outcomes = hook(game, "outcomes")
    chance = outcomes is not None and outcomes(root) is not None
    parts: dict[str, int] = {}
    if depth == 0 or chance or game.utility(root) is not None:
        total = perft(game, depth, root)
    else:
        for action in game.actions(root):
            text = text_of_action(game, root, action)
            try:
                parts[text] = perft(game, depth - 1, game.result(root, action))
            except KeyboardInterrupt:
                for known, count in parts.items():
                    click.echo(f"{known}: {count}")
                raise Undecided(f"interrupted while counting the lines after {text}") from None
        total = sum(parts.values())
    if as_json:
        told = {
            "schema": "deduce/search-perft/1",
            "state": text_of_state(game, root),
            "depth": depth,
            "lines": total,
            "actions": parts,
        }
        click.echo(json.dumps(told))
        return
    for text, count in parts.items():
        click.echo(f"{text}: {count}")
    click.echo(f"{total} lines of {depth} plies")


def _graph(game: Any, root: Any, out: str, *, as_json: bool, **options: Any) -> None:
    from deduce.search.drawing import draw, to_dot
    from deduce.search.graph import StateGraph

    suffix = Path(out).suffix.lower()
    if out != "-" and suffix not in (*PICTURES, *EXPORTS, ".dot", ".gv"):
        known = " ".join((*PICTURES, ".dot", *EXPORTS))
        raise click.UsageError(f"--graph writes files ending in {known}, or - for Graphviz text")
    graph = StateGraph(game, root, symmetric=options["symmetric"])
    graph.build(limits=_limits(options, nodes=MAX_STATES // 2))
    solved = graph.is_complete
    if solved:
        graph.solve()
    else:
        text = f"stopped by {graph.stopped}: {len(graph.frontier)} of {len(graph)} not expanded"
        click.echo(f"{text}; values are left out", err=True)
    chosen = {
        "depth": options["depth"] or 2,
        "values": options["values"] or None,
        "best": options["only_best"],
    }
    if out == "-":
        click.echo(to_dot(graph, **chosen))
        return
    drawn = None
    try:
        if suffix in PICTURES:
            drawn = draw(graph, out, **chosen)
        elif suffix in EXPORTS:
            _export(graph, Path(out))
        else:
            replace_file(Path(out), to_dot(graph, **chosen) + "\n")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=out) from None
    told = {
        "schema": "deduce/search-graph/1",
        "file": out,
        "states": len(graph),
        "edges": graph.number_of_edges(),
        "not_expanded": len(graph.frontier),
        "solved": solved,
        "drawn": drawn,
    }
    if as_json:
        click.echo(json.dumps(told))
    else:
        some = "" if drawn is None else f", {drawn} of them drawn"
        click.echo(f"{out}: {told['states']} states, {told['edges']} edges{some}")


def _export(graph: Any, out: Path) -> None:
    import networkx as nx

    plain = graph.for_export()
    if out.suffix == ".json":
        data = nx.node_link_data(plain, edges="edges")
        replace_file(out, json.dumps({"schema": "deduce/state-graph/1", **data}))
    elif out.suffix == ".gexf":
        nx.write_gexf(plain, out)
    else:
        nx.write_graphml(plain, out)


def _tree(game: Any, root: Any, **options: Any) -> None:
    from deduce.search.drawing import text_tree
    from deduce.search.graph import StateGraph

    graph = None
    if options["only_best"]:
        graph = StateGraph(game, root).build(limits=_limits(options, nodes=MAX_STATES // 2))
        if not graph.is_complete:
            raise DeduceError("the game is too large to be solved here; leave out --only-best")
        graph.solve()
    depth = options["depth"] or 2
    click.echo(text_tree(game, root, depth=depth, graph=graph, best=options["only_best"]))


def _play(game: Any, root: Any, **options: Any) -> None:
    from deduce.search.game import text_of_player
    from deduce.search.terminal import HELP, play

    seats = set(options["seats"]) or {0}
    if max(seats) >= game.players:
        raise click.UsageError(f"seats are 0 to {game.players - 1}")
    shown = sys.stdin.isatty()
    if shown:
        click.echo(
            f"You play {', '.join(text_of_player(game, seat) for seat in sorted(seats))}. {HELP}"
        )

    def ask(prompt: str) -> str:
        if shown:
            click.echo(prompt, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    try:
        play(
            game,
            root,
            seats=seats,
            limits=_limits(options, seconds=1),
            seed=options["seed"],
            ask=ask,
            tell=click.echo,
        )
    except KeyboardInterrupt:
        click.echo()


def _limits(
    options: dict[str, Any], *, seconds: float | None = None, nodes: int | None = None
) -> Limits:
    """Return the limits asked for, else the defaults; with progress on a terminal."""
    own = options["time_limit"] is not None or options["max_nodes"] is not None
    return Limits(
        nodes=options["max_nodes"] if own else nodes,
        seconds=options["time_limit"] if own else seconds,
        progress=_Progress() if sys.stderr.isatty() else None,
    )


class _Progress:
    """A line on a long search after 2 seconds, and again whenever the time has doubled."""

    def __init__(self) -> None:
        self.next = 2.0

    def __call__(self, nodes: int, seconds: float) -> None:
        if seconds >= self.next:
            self.next = 2 * seconds
            click.echo(f"{seconds:.0f} s, {nodes} nodes so far (Ctrl-C: the best so far)", err=True)
