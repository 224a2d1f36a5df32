"""State spaces, state graphs, retrograde analysis with cycles, attractors."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings

from deduce.errors import BadInput, BadProblem
from deduce.search import (
    InfinitePlay,
    Limits,
    StateGraph,
    backward_induction,
    explore,
    retrograde,
    solve,
)
from games.classics.connect_four import ConnectFour
from games.classics.tic_tac_toe import TicTacToe
from tests.search.search_tables import TableGame, WithoutChance, table_games


def test_tic_tac_toe_has_its_published_numbers_of_positions() -> None:
    space = explore(TicTacToe())
    ends = [utilities for utilities in space.utilities if utilities is not None]
    assert len(space) == 5478
    assert len(ends) == 958
    assert [ends.count(u) for u in ((1, -1), (-1, 1), (0, 0))] == [626, 316, 16]
    assert sum(map(len, space.children)) == 16167


@settings(max_examples=15)
@given(table_games(cycles=True))
def test_best_actions_reach_the_end_in_the_distance_told(game: TableGame) -> None:
    """A player who wins by best actions does so in time, however long the other delays."""
    solution = retrograde(explore(game))
    space = solution.space
    for number, value in enumerate(solution.values):
        distance = solution.distances[number]
        assert value is not None
        if value[0] == 0 or space.movers[number] < 0:
            continue
        assert distance is not None
        after = [
            (solution.distances[child], solution.values[child]) for child in space.children[number]
        ]
        keeping = [plies for plies, its in after if its == value and plies is not None]
        gains = value[space.movers[number]] > 0
        assert distance == 1 + (min(keeping) if gains else max(keeping))
        for action in solution.best(number):
            assert solution.distances[space.number(action)] == distance - 1


@given(table_games(cycles=False))
def test_backward_induction_and_retrograde_analysis_agree(game: TableGame) -> None:
    space = explore(game)
    one, two = retrograde(space), backward_induction(space)
    assert one.values == two.values
    assert one.distances == two.distances


def test_play_for_ever_is_a_draw_without_distance() -> None:
    game = WithoutChance([0, 1, 0], [[1, 2], [0], []], {2: (-1, 1)})
    result = solve(game).result()
    assert result.value == (0, 0)
    assert result.distance is None
    assert result.best_actions == (1,)
    assert result.principal_variation == (1, 0)
    assert solve(game, infinite=-1).result().value == (-1, 1)
    # Better than playing for ever, though a loss: then going home counts, not delaying.
    game = WithoutChance([0, 0, 0], [[1, 2], [0, 2], []], {2: (-1, 1)})
    result = solve(game, infinite=-2).result()
    assert (result.value, result.distance, result.best_actions) == ((-1, 1), 1, (2,))
    with pytest.raises(InfinitePlay, match="in state"):
        backward_induction(explore(game))


def test_a_cap_reports_the_frontier_and_leaves_values_open() -> None:
    graph = StateGraph(ConnectFour(4, 4)).build(limits=Limits(nodes=100))
    assert graph.stopped == "nodes"
    assert not graph.is_complete
    assert len(graph) - len(graph.frontier) == 100
    assert all(not graph.nodes[state]["expanded"] for state in graph.frontier)
    graph.solve()
    assert graph.nodes[graph.root]["value"] is None
    small = StateGraph(TicTacToe()).build(limits=Limits(nodes=100))
    small.build()
    assert small.is_complete
    assert small.stopped is None
    assert (len(small), small.number_of_edges()) == (5478, 16167)


@given(table_games(cycles=True))
def test_values_of_a_capped_space_are_never_wrong(game: TableGame) -> None:
    class Bounded(WithoutChance):
        utility_bounds = (-2, 2)

    bounded = Bounded(game.movers, game.after, game.ends)
    whole = solve(bounded)
    for nodes in (1, 2, 4):
        part = solve(bounded, limits=Limits(nodes=nodes))
        for number, value in enumerate(part.values):
            true = whole.values[whole.space.number(part.space.states[number])]
            assert value is None or value == true


def test_a_graph_grows_state_by_state() -> None:
    graph = StateGraph(TicTacToe())
    assert repr(graph) == "<StateGraph: 1 states, 0 edges, 1 not expanded>"
    children = graph.expand(graph.root)
    assert len(children) == 9
    assert graph.nodes[graph.root]["player"] == 0
    assert graph.edges[graph.root, children[4]]["action"] == 5
    assert graph.expand(graph.root) == children
    with pytest.raises(BadInput):
        graph.expand("nowhere")


def test_networkx_works_on_the_graph_and_its_copies() -> None:
    graph = StateGraph(TicTacToe(), symmetric=True).build()
    graph.solve()
    assert len(graph) == 765
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.dag_longest_path_length(graph) == 9
    assert len(nx.descendants(graph, graph.root)) == 764
    centre = graph.subgraph([graph.root, *graph.successors(graph.root)])
    assert centre.number_of_edges() == 3
    copy = graph.copy()
    assert copy.nodes[graph.root]["value"] == (0, 0)
    with pytest.raises(BadProblem, match="no game"):
        copy.expand(graph.root)
    assert graph.reverse().number_of_edges() == graph.number_of_edges()


def test_a_solved_graph_tells_player_value_distance_and_best() -> None:
    game = TicTacToe()
    graph = StateGraph(game, game.parse_state("XX.|OO.|...")).build()
    graph.solve()
    root = graph.nodes[graph.root]
    assert root == {
        "over": False,
        "expanded": True,
        "player": 0,
        "value": (1, -1),
        "distance": 1,
        "best": (3,),
    }
    assert graph.solve().result().best_actions == (3,)
    over = graph.nodes[game.parse_state("XXX|OO.|...")]
    assert over["over"]
    assert over["utility"] == (1, -1)
    assert "player" not in over
