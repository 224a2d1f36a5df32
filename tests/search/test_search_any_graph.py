"""Every solver on graphs: ours, those made elsewhere, and wrong ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.errors import BadInput, BadProblem, DeduceError, Unsupported
from deduce.search import (
    SOLVERS,
    BadGraph,
    GraphGame,
    InfinitePlay,
    Limits,
    StateGraph,
    TranspositionTable,
    alphabeta,
    attractor,
    backward_induction,
    best,
    check_game,
    deepening,
    expectiminimax,
    explore,
    maxn,
    mcts,
    minimax,
    proof_number,
    retrograde,
    search_by,
    solve,
    solve_space,
)
from games.classics.connect_four import ConnectFour
from games.classics.nim import DiceNim, Nim, ThreePlayerNim
from games.classics.tic_tac_toe import TicTacToe
from tests.search.search_tables import TableGame, table_games


def graph_of(game: TableGame, *, root: bool = True) -> Any:
    """Return a table game as a stranger would write it, with text for states."""
    graph: Any = nx.DiGraph(players=game.players)
    if root:
        graph.graph["root"] = "s0"
    for state, after in enumerate(game.after):
        if after:
            graph.add_node(f"s{state}", player=-1 if state in game.chances else game.movers[state])
        else:
            graph.add_node(f"s{state}", utility=game.ends[state])
        shares = game.chances.get(state, [None] * len(after))
        for child, share in zip(after, shares, strict=True):
            data = {"action": child} if share is None else {"probability": share}
            graph.add_edge(f"s{state}", f"s{child}", **data)
    return graph


ONE_STATE: dict[str, Callable[[Any], Any]] = {
    "alphabeta": alphabeta,
    "alphabeta, all": partial(alphabeta, all_values=True),
    "deepening": deepening,
    "minimax": minimax,
    "expectiminimax": expectiminimax,
    "maxn": maxn,
    "mcts": partial(mcts, simulations=30),
    "best": partial(best, limits=Limits(nodes=50)),
    "proof-number": partial(proof_number, goal=1, limits=Limits(nodes=300)),
    "solve": lambda game: solve(game).result(),
    "solve_space": lambda game: solve_space(game).result(),
    "retrograde": lambda game: retrograde(game).result(),
    "induction": lambda game: backward_induction(game).result(),
}


def answer(solver: Callable[[Any], Any], game: Any) -> Any:
    """Return what a solver answers, or the kind of error that it raises."""
    try:
        result = solver(game)
    except DeduceError as error:
        return type(error)
    values = {str(a): v.utilities for a, v in result.root_values.items()}
    return result.value, result.estimate, result.holds, result.distance, values, result.mover


@given(
    st.one_of(
        table_games(cycles=False),
        table_games(cycles=True),
        table_games(cycles=False, chance=True),
        table_games(cycles=True, chance=True),
        table_games(cycles=False, players=3, zero_sum=False, chance=True),
    )
)
@settings(max_examples=6)  # each with five kinds of graphs and a dozen solvers
def test_a_game_and_its_graphs_have_the_same_values_by_every_solver(game: TableGame) -> None:
    reached = StateGraph(game).build()
    ends: list[Any] = [u for _, u in reached.nodes(data="utility") if u is not None]
    numbers = [number for utility in ends for number in utility]

    class Bounded(TableGame):
        """The game with the promises that a graph's utilities imply."""

        utility_bounds = min(numbers, default=0), max(numbers, default=0)
        zero_sum = all(sum(u) == 0 for u in ends)

    rules = Bounded(game.movers, game.after, game.ends, game.players, game.chances)
    if not any(state in game.chances for state in reached):
        Bounded.outcomes = None  # type: ignore[assignment, method-assign]
    foreign = graph_of(game).subgraph(f"s{state}" for state in reached).copy()
    graphs = [foreign, reached.copy(), StateGraph(rules).build()]
    for name, solver in ONE_STATE.items():
        expected = answer(solver, rules)
        for graph in graphs:
            assert answer(solver, graph) == expected, name
    for goal in (-1, 0, 2):
        claims = {proof_number(each, goal=goal, limits=Limits(nodes=300)).holds for each in graphs}
        assert claims == {proof_number(rules, goal=goal, limits=Limits(nodes=300)).holds}


def forced(graph: Any, player: int, targets: set[Any]) -> set[Any]:
    """Return the nodes from which a player can force the targets, by repeated passes."""
    while True:
        more = set(targets)
        for node in graph:
            inside = [child in targets for child in graph[node]]
            own = graph[node] and graph.nodes[node]["player"] == player
            if inside and (any(inside) if own else all(inside)):
                more.add(node)
        if more == targets:
            return targets
        targets = more


@given(table_games(cycles=True))
def test_graphs_with_cycles_and_several_beginnings_are_solved_as_a_whole(game: TableGame) -> None:
    graph = graph_of(game)
    del graph.graph["root"]
    solve(graph)
    ends = {node: data["utility"][0] for node, data in graph.nodes.items() if not graph[node]}
    for node, data in graph.nodes.items():
        wins = [v for v in (2, 1) if node in forced(graph, 0, {e for e in ends if ends[e] >= v})]
        losses = [v for v in (2, 1) if node in forced(graph, 1, {e for e in ends if ends[e] <= -v})]
        value = wins[0] if wins else -losses[0] if losses else 0
        assert data["value"] == (value, -value)
        if data["distance"] and value:
            assert min(graph.nodes[child]["distance"] or 0 for child in graph[node]) < 14
    attracted = attractor(graph, {0}, ends)
    assert set(attracted.plies) == forced(graph, 0, set(ends))
    assert {n for n in graph if graph.nodes[n]["plies"] is not None} == set(attracted.plies)


@pytest.mark.parametrize(
    "game", [ConnectFour(2, 3), Nim((1, 2, 3)), DiceNim(3), ThreePlayerNim((1, 2))]
)
def test_games_survive_as_graphs_and_as_files(game: Any, tmp_path: Any) -> None:
    graph = StateGraph(game).build()
    value = graph.solve().values[0]
    copy = graph.copy()
    assert check_game(GraphGame(copy), playthroughs=3) > 1
    assert solve(copy).values[0] == value
    assert copy.nodes[graph.root] == graph.nodes[graph.root]
    nx.write_graphml(graph.for_export(), tmp_path / "g.graphml")
    read: Any = nx.read_graphml(tmp_path / "g.graphml", node_type=int)
    document = nx.node_link_data(graph.for_export(), edges="edges")
    text: Any = nx.node_link_graph(json.loads(json.dumps(document)), edges="edges")
    for made in (read, text):
        solution = solve(made)
        got = solution.result(0).value
        assert got == value or got == pytest.approx(tuple(map(float, value or ())))
        assert GraphGame(made).format_state(0) == graph.for_export().nodes[0]["label"]
    assert StateGraph(GraphGame(text)).build().solve().result().value == solution.values[0]


def test_an_incomplete_state_graph_grows_or_is_searched_by_its_game() -> None:
    graph = StateGraph(TicTacToe())
    assert alphabeta(graph).value == (0, 0)
    assert graph.nodes[graph.root]["value"] == (0, 0)
    assert len(graph) == 1
    assert len(explore(graph)) == 5478
    assert retrograde(graph).values == [None]
    solution = solve(graph)
    assert len(graph) == len(solution.space) == 5478
    symmetric = StateGraph(TicTacToe(), symmetric=True)
    assert (solve(symmetric).values[0], len(symmetric)) == ((0, 0), 765)
    middle = TicTacToe().parse_state("...|.X.|...")
    assert solve(symmetric, middle).result().value == (0, 0)


def test_every_named_solver_takes_a_graph_and_a_node() -> None:
    game = Nim((1, 2))
    graph: Any = StateGraph(game).build().copy()
    state = ((1, 1), 1)
    for name in (*SOLVERS, "best", "solve"):
        value = search_by(name, graph, state, limits=Limits(nodes=500)).value
        assert value == (1, -1), name
        assert graph.nodes[state]["value"] == (1, -1)
        with pytest.raises(BadInput, match="no node 7"):
            search_by(name, graph, 7, limits=Limits(nodes=500))


def test_networkx_attributes_of_every_kind_are_read() -> None:
    graph: Any = nx.MultiDiGraph()
    graph.add_node("a", player=0)
    graph.add_node("b", utility="1/2 -1/2", label="the end")
    graph.add_edge("a", "b", action="slowly")
    graph.add_edge("a", "b", action="fast")
    result = alphabeta(graph, all_values=True)
    assert result.value == (0.5, -0.5)
    assert all(isinstance(number, Fraction) for number in result.value or ())
    assert set(result.best_actions) == {"slowly", "fast"}
    game = GraphGame(graph)
    assert game.parse_state("the end") == "b"
    with pytest.raises(BadInput, match="did you mean 'the end'"):
        game.parse_state("th end")
    table = TranspositionTable()
    assert deepening(graph, table=table).value == deepening(graph, table=table).value
    graph.add_edge("a", "c", action="aside")
    graph.nodes["c"]["utility"] = (0.0, 0.0)
    with pytest.raises(BadProblem, match="another game"):
        deepening(graph, table=table)


def go_everywhere(graph: Any) -> None:
    for _, _, data in graph.edges(data=True):
        data["action"] = "go"


def simple(**changes: Any) -> Any:
    """Return a right graph: a player, a coin, two ends."""
    graph: Any = nx.DiGraph()
    graph.add_node("start", player=0)
    graph.add_node("coin", player=-1)
    graph.add_node("won", utility=(1, -1))
    graph.add_node("lost", utility=(-1, 1))
    graph.add_edges_from([("start", "coin"), ("start", "lost")], action=None)
    for child in graph["start"]:
        del graph["start"][child]["action"]
    graph.add_edges_from([("coin", "won"), ("coin", "lost")], probability=0.5)
    for node, data in changes.items():
        graph.nodes[node].clear()
        graph.nodes[node].update(data)
    return graph


def edited(change: Callable[[Any], Any]) -> Any:
    graph = simple()
    change(graph)
    return graph


WRONG: list[tuple[str, Any, str]] = [
    ("undirected", nx.Graph(simple()), r"directed graph \(networkx.DiGraph\), not Graph"),
    ("empty", nx.DiGraph(), "the graph has no nodes"),
    (
        "no player",
        simple(start={}),
        "needs the attribute 'player': a number from 0, or -1 where chance moves, at node 'start'",
    ),
    ("player's name", simple(start={"player": "Ann"}), "'Ann' is not a whole number: 0 for the"),
    ("yes", simple(start={"player": True}), "the player True is not a whole number"),
    ("player 2", simple(start={"player": 2}), "no player 2: players are 0 to 1.* at node 'start'"),
    ("player -2", simple(start={"player": -2}), "no player -2"),
    (
        "no utility",
        simple(won={}),
        r"needs the attribute 'utility' with one number per player, such as \(1, -1\), at node",
    ),
    ("one number", simple(won={"utility": 1}), "the utility 1 is not one finite number per player"),
    ("word", simple(won={"utility": "won"}), "the utility 'won' is not one finite number"),
    ("nan", simple(won={"utility": (float("nan"), 0)}), "is not one finite number per player"),
    ("nothing", simple(won={"utility": ()}), "is not one finite number per player"),
    (
        "three numbers",
        simple(lost={"utility": (1, 0, 0)}),
        r"has 3 numbers, not one for each of 2 players .* at node 'lost'",
    ),
    (
        "end that goes on",
        simple(start={"player": 0, "utility": (0, 0)}),
        "is the end of the game, but it has successors, at node 'start'",
    ),
    (
        "no probability",
        edited(lambda graph: graph["coin"]["won"].clear()),
        "the edge to 'won' needs the attribute 'probability', at node 'coin'",
    ),
    (
        "sum 1.1",
        edited(lambda graph: graph["coin"]["won"].update(probability=0.6)),
        "probabilities 0.6, 0.5 are not positive numbers with sum 1, at node 'coin'",
    ),
    (
        "negative",
        edited(
            lambda graph: (
                graph["coin"]["won"].update(probability=-1),
                graph["coin"]["lost"].update(probability=2),
            )
        ),
        "probabilities -1, 2 are not positive",
    ),
    (
        "text for a probability",
        edited(lambda graph: graph["coin"]["won"].update(probability="half")),
        "probabilities half, 0.5 are not positive numbers",
    ),
    (
        "same action",
        edited(go_everywhere),
        "the action 'go' leads to 'coin' and to 'lost'; give each edge its own attribute 'action'",
    ),
    (
        "list",
        edited(lambda graph: graph["start"]["coin"].update(action=[1])),
        r"the action \[1\] of the edge to 'coin' cannot be hashed; use a text",
    ),
    (
        "root",
        edited(lambda graph: graph.graph.update(root="begin")),
        "the root 'begin' is not a node of the graph; nodes are such as 'start'",
    ),
]


@pytest.mark.parametrize(("graph", "message"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_graphs_are_refused_by_every_solver(graph: Any, message: str) -> None:
    for solver in ONE_STATE.values():
        with pytest.raises(BadGraph, match=message):
            solver(graph)
    with pytest.raises(BadGraph, match=message):
        attractor(graph, {0}, ["won"])


def test_a_graph_with_two_beginnings_needs_a_root_or_a_state() -> None:
    graph = simple()
    graph.add_edge("other", "coin")
    graph.nodes["other"]["player"] = 1
    with pytest.raises(BadGraph, match=r"no root: .* set graph.graph\['root'\], or give a"):
        expectiminimax(graph)
    assert expectiminimax(graph, "other").value == (0, 0)
    assert expectiminimax(graph, state="start").mover == 0
    graph.graph["root"] = "start"
    assert expectiminimax(graph).state == "start"


def test_solvers_refuse_graphs_of_another_kind_by_name() -> None:
    with pytest.raises(Unsupported, match="chance"):
        alphabeta(simple())
    graph: Any = nx.DiGraph([("a", "b"), ("b", "a")])
    nx.set_node_attributes(graph, {"a": 0, "b": 0}, "player")
    with pytest.raises(InfinitePlay, match="in state a"):
        backward_induction(graph)
    endless: Any = nx.DiGraph([("a", "b"), ("b", "a")])
    nx.set_node_attributes(endless, {"a": 0, "b": 1}, "player")
    assert solve(endless).values == [(0, 0), (0, 0)]
    assert endless.nodes["a"]["distance"] is None
