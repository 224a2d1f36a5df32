"""Solutions on disk against the solvers in memory, and what stops and continues them."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.cli.main import cli
from deduce.errors import BadInput, Interrupted, Undecided, Unsupported
from deduce.search import (
    backward_induction,
    check_game,
    explore,
    guarantees,
    retrograde,
    solve_space,
)
from deduce.search.errors import BadGame, InfinitePlay
from deduce.search.tiers import solve as solving
from deduce.search.tiers import values
from deduce.search.tiers.solve import DEFAULT_MEMORY, solve_on_disk
from deduce.search.tiers.store import digest_of_file, receipt
from deduce.search.tiers.table import Tablebase, expand_one_by_one, expander, same_expansion
from deduce.system.files import locked
from deduce.system.saved import sealed
from games.classics.connect_four import ConnectFour
from games.classics.nim import DiceNim, Nim, ThreePlayerNim
from games.classics.tic_tac_toe import TicTacToe
from games.cultist.game import CultistWars
from games.cultist.setup import Board, Unit, new_state, state_of
from games.propre.game import open_game
from games.propre.setup import DECK

DATA = Path(__file__).parents[1] / "data"
BOARD = ConnectFour(3, 4)


@frozen
class RandomGame:
    """A random graph with cycles within its tiers; a state is ``(tier, index)``."""

    seed: int
    players: int = 2
    tiers: int = 3
    width: int = 6
    has_cycles: bool = True
    has_tiers: bool = True

    utility_bounds = (-2, 2)

    def _random(self, state: tuple[int, int], purpose: str) -> Random:
        return Random(f"{self.seed} {state} {purpose}")

    def initial_state(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: tuple[int, int]) -> int:
        return self._random(state, "mover").randrange(self.players)

    def actions(self, state: tuple[int, int]) -> list[tuple[int, int]]:
        random = self._random(state, "moves")
        tier, index = state
        moves: dict[tuple[int, int], None] = {}
        for _ in range(random.randint(1, 4)):
            later = min(tier + random.randint(0, 2), self.tiers)
            at = random.randrange(self.width)
            if later == tier and not self.has_cycles:
                at = index + 1 + at
                later, at = (later, at) if at < self.width else (later + 1, at - self.width)
            moves[later, at] = None
        return list(moves)

    def result(self, state: tuple[int, int], action: tuple[int, int]) -> tuple[int, int]:
        return action

    def utility(self, state: tuple[int, int]) -> tuple[int, ...] | None:
        random = self._random(state, "end")
        if state[0] < self.tiers and random.random() < 0.8:
            return None
        own = [random.randint(-2, 2) for _ in range(self.players)]
        return (own[0], -own[0]) if self.players == 2 else tuple(own)

    def pack(self, state: tuple[int, int]) -> int:
        return state[0] * 100 + state[1]

    def unpack(self, code: int) -> tuple[int, int]:
        return divmod(code, 100)

    def tier(self, state: tuple[int, int]) -> int:
        return state[0] if self.has_tiers else 0


def assert_same(game: Any, table: Tablebase) -> None:
    """Compare all values and distances with those of the solver of spaces."""
    space = explore(game)
    solution = solve_space(space)
    assert len(table) == len(space)
    for state, value, distance in zip(
        space.states, solution.values, solution.distances, strict=True
    ):
        entry = table.probe(state)
        assert (entry.utilities, entry.plies) == (value, distance), state


@pytest.mark.parametrize(
    "game",
    [
        BOARD,
        TicTacToe(),
        Nim((1, 2, 3)),
        Nim((2, 3), misere=True),
        ThreePlayerNim((1, 2, 2)),
    ],
    ids=["3x4", "tic-tac-toe", "nim", "misere", "three-player-nim"],
)
def test_every_value_and_distance_is_that_of_the_solver_in_memory(
    game: Any, tmp_path: Path
) -> None:
    assert_same(game, solve_on_disk(game, tmp_path))


def test_endgames_of_cultist_wars_have_the_recorded_values(tmp_path: Path) -> None:
    recorded = json.loads((DATA / "cultist_endgames.json").read_text())["cases"]
    cases = sorted(recorded, key=lambda case: int(case["nodes"]))[:11]
    solved = 0
    for number, case in enumerate(cases):
        units = [Unit(*unit[:1], *unit[2:]) for unit in case["units"]]
        board = Board.of(case["grid"])
        state = state_of(board, units, turn=case["turn"], rng=case["rng"])
        game = CultistWars(state)
        with suppress(Unsupported):
            result = solve_on_disk(game, tmp_path / str(number)).result(state)
            values = {str(action): each.utilities[0] for action, each in result.root_values.items()}
            assert values == case["root"]
            solved += 1
    assert solved == 6


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Force many chunks, runs and parts, which small games never have."""
    monkeypatch.setattr(values, "CHUNK", 20)
    monkeypatch.setattr(values, "CHUNKS_MAPPED", 2)
    monkeypatch.setattr(values, "MIN_ROOM", 2000)
    monkeypatch.setattr(values, "BASE_MEMORY", DEFAULT_MEMORY)


@pytest.mark.usefixtures("tiny")
def test_tiers_in_many_parts_give_the_same_values(tmp_path: Path) -> None:
    game = ConnectFour(3, 3)
    table = solve_on_disk(game, tmp_path)
    assert max(len(tier.parts or ()) for tier in table.manifest.tiers) > 3
    assert_same(game, table)


@given(seed=st.integers(0, 10**9), has_tiers=st.booleans(), tiers=st.integers(1, 4))
def test_cycles_within_tiers(
    seed: int, has_tiers: bool, tiers: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = RandomGame(seed, tiers=tiers, has_tiers=has_tiers)
    folder = tmp_path_factory.mktemp("solved")
    table = solve_on_disk(game, folder)
    space = explore(game)
    solution = retrograde(space)
    assert len(table) == len(space)
    for index, state in enumerate(space.states):
        entry = table.probe(state)
        assert (entry.utilities, entry.plies) == (
            solution.values[index],
            solution.distances[index],
        )


@given(seed=st.integers(0, 10**9), players=st.integers(1, 4), has_tiers=st.booleans())
def test_any_number_of_players_where_play_ends(
    seed: int, players: int, has_tiers: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = RandomGame(seed, players=players, has_cycles=False, has_tiers=has_tiers)
    assert_same(game, solve_on_disk(game, tmp_path_factory.mktemp("solved")))


class Gathering(RandomGame):
    """A random graph in which players gather points on the way; play can go on forever."""

    utility_bounds = (0, 10)

    def is_over(self, state: tuple[int, int]) -> bool:
        return state[0] == self.tiers or self._random(state, "over").random() < 0.2

    def secured(self, state: tuple[int, int]) -> tuple[float, ...]:
        has = [0.0] * self.players
        for tier in range(state[0]):
            has[self._random((tier, 0), "gain").randrange(self.players)] += 1
        if self.is_over(state):
            has[self._random(state, "last").randrange(self.players)] += 1
        return tuple(has)

    def utility(self, state: tuple[int, int]) -> tuple[float, ...] | None:  # type: ignore[override]
        return self.secured(state) if self.is_over(state) else None


def forced(game: Gathering, player: int) -> tuple[dict[Any, float], dict[Any, int]]:
    """Return by plain iteration what a player can force from each state, and in how many plies."""
    states = explore(game).states
    after = {
        state: [game.result(state, action) for action in game.actions(state)]
        for state in states
        if game.utility(state) is None
    }
    values = {state: game.secured(state)[player] for state in states}
    plies: dict[Any, int] = dict.fromkeys(states, 0)
    for _ in states:  # a value is as good as those after it, and never less than what is secured
        for state, children in after.items():
            choose = max if game.to_move(state) == player else min
            values[state] = max(values[state], choose(values[child] for child in children))
    for state in after:
        plies[state] = 0 if values[state] == game.secured(state)[player] else 10**6
    for _ in states:
        for state, children in after.items():
            keeping = [plies[child] for child in children if values[child] == values[state]]
            if plies[state] and keeping:
                choose = min if game.to_move(state) == player else max
                plies[state] = min(plies[state], 1 + choose(keeping))
    return values, plies


@settings(max_examples=12)
@given(seed=st.integers(0, 10**9), players=st.integers(2, 3), has_tiers=st.booleans())
def test_what_each_player_can_force_though_play_goes_in_circles(
    seed: int, players: int, has_tiers: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = Gathering(seed, players=players, has_tiers=has_tiers)
    space = explore(game)
    known = guarantees(space)
    table = solve_on_disk(game, tmp_path_factory.mktemp("solved"))
    assert len(table) == len(space)
    brute = [forced(game, player) for player in range(players)]
    for index, state in enumerate(space.states):
        entry = table.probe(state)
        assert (entry.utilities, entry.secured_in) == (known.values[index], known.plies[index])
        assert known.values[index] == tuple(values[state] for values, _ in brute)
        assert known.plies[index] == tuple(plies[state] for _, plies in brute)


def test_what_players_can_force_by_every_way_of_asking(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    size = ["players=2", "groups=2", "size=2", "preset=literal", "goal=groups"]
    game = ["search", "quartets", *(word for each in size for word in ("--set", each))]
    folder, out = str(tmp_path / "solved"), str(tmp_path / "all.parquet")

    def lines(*args: str) -> Any:
        result = CliRunner().invoke(cli, [*game, *args])
        assert result.exit_code == 0, result.output
        return result.output

    document = json.loads(lines("solve", "--to", folder, "--json"))
    assert (document["value"], document["secured_in"]) == ([1, 1], [1, 2])
    assert "what each player can force, after 1, 2 plies" in lines("solve", "--to", folder)
    probed = lines("probe", "hands: 2, 2; turn: Ann", "--from", folder)
    assert "1 by Ann, in 1 ply" in probed
    assert "1 by Ben, in 2 plies" in probed
    lines("export", out, "--from", folder)
    rows = parquet.read_table(out).to_pylist()
    assert len(rows) == document["positions"]
    assert {"plies_0", "plies_1"} < set(rows[0])


def test_endless_play_of_three_players_is_refused(tmp_path: Path) -> None:
    game = RandomGame(0, players=3)
    with pytest.raises(InfinitePlay):
        backward_induction(explore(game))
    with pytest.raises(InfinitePlay):
        solve_on_disk(game, tmp_path)


@given(seed=st.integers(0, 10**9), width=st.integers(1, 8), height=st.integers(1, 7))
def test_arrays_of_positions_expand_as_single_positions_do(
    seed: int, width: int, height: int
) -> None:
    game = ConnectFour(width, height)
    random = Random(seed)
    by_tier: dict[int, set[int]] = {}
    for _ in range(5):
        state = game.initial_state()
        while True:
            by_tier.setdefault(game.tier(state), set()).add(game.pack(state))
            if game.utility(state) is not None:
                break
            state = game.result(state, random.choice(list(game.actions(state))))
    for codes in by_tier.values():
        array = np.array(sorted(codes), np.uint64)
        assert same_expansion(expander(game)(array), expand_one_by_one(game, array))


@pytest.mark.parametrize("game", [ConnectFour(3, 3), RandomGame(3)], ids=["acyclic", "cyclic"])
def test_every_interruption_continues_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Any
) -> None:
    solve_on_disk(game, tmp_path / "whole")
    wanted = contents(tmp_path / "whole")
    original = receipt
    for moment in (0, 2, 5, 14, 27, 60):
        left = moment

        def stopping(path: Path, work: Any, made: Any) -> Any:
            nonlocal left
            left -= 1
            if left == -1:
                work()  # done, but not recorded
                raise KeyboardInterrupt
            return original(path, work, made)

        folder = tmp_path / str(moment)
        monkeypatch.setattr(values, "receipt", stopping)
        stopped = False
        try:
            solve_on_disk(game, folder)
        except Interrupted:
            stopped = True
        monkeypatch.setattr(values, "receipt", original)
        if stopped:
            with pytest.raises(Undecided, match="unfinished"):
                Tablebase(game, folder)
        solve_on_disk(game, folder)
        assert contents(folder) == wanted
    assert stopped is False  # so that every moment was among them


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a solution, without the time that it took."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    manifest = json.loads(files.pop("solution.json"))
    for name in ("seconds", "signature", "digests"):
        del manifest[name]
    return {**files, "solution.json": json.dumps(manifest).encode()}


def test_several_processes_give_the_same_bytes(tmp_path: Path) -> None:
    solve_on_disk(BOARD, tmp_path / "one")
    solve_on_disk(BOARD, tmp_path / "two", jobs=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_folder_is_solved_by_one_command_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(BadInput, match="being changed by another command"):
        solve_on_disk(BOARD, tmp_path)
    solve_on_disk(BOARD, tmp_path)


def test_files_of_other_programs_in_the_folder_remain(tmp_path: Path) -> None:
    names = ("run-notes.txt", "solve-it.md", "thesis.part", "tier.txt")
    for name in names:
        (tmp_path / name).write_text("mine")
    solve_on_disk(BOARD, tmp_path)
    assert all((tmp_path / name).read_text() == "mine" for name in names)


@pytest.mark.parametrize("suffix", ["codes", "values", "plies"])
def test_a_file_that_was_cut_short_or_changed_is_named(tmp_path: Path, suffix: str) -> None:
    table = solve_on_disk(BOARD, tmp_path)
    path = tmp_path / f"tier-00003-00000.{suffix}"
    whole = path.read_bytes()
    state = BOARD.parse_state("XO/X/")
    table.probe(state)
    path.write_bytes(whole[:-8])
    with pytest.raises(BadInput, match=rf"{path.name}.*it was cut short or changed"):
        Tablebase(BOARD, tmp_path).probe(state)
    path.unlink()
    with pytest.raises(BadInput, match=rf"{path.name}.*cannot be read"):
        Tablebase(BOARD, tmp_path).probe(state)
    path.write_bytes(b"\xff" * len(whole))
    with pytest.raises(BadInput, match=rf"{path.name}: damaged"):
        Tablebase(BOARD, tmp_path).probe(state)
    sign(tmp_path)
    with pytest.raises(BadInput, match=r"not in the solution|different util|does not follow"):
        Tablebase(BOARD, tmp_path).probe(state)


def sign(folder: Path, *, is_old: bool = False) -> None:
    """Write digests that are right for whatever is in a folder, or none, as older versions did."""
    path = folder / "solution.json"
    document = json.loads(path.read_text())
    for name in ("digests", "signature", "contents"):
        document.pop(name, None)
    if not is_old:
        names = [file.name for file in folder.glob("tier-*")]
        document["contents"] = {name: digest_of_file(folder / name) for name in names}
        document = sealed(document) | {"signature": None}
    path.write_text(json.dumps(document))


def test_a_receipt_that_was_cut_short_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_text('{"tiers": [')
    assert receipt(path, lambda: [7], {}) == receipt(path, lambda: [8], {}) == ([7], {})
    path.write_text(path.read_text().replace("[7]", "[9]"))
    assert receipt(path, lambda: [8], {}) == ([8], {})


def test_files_that_a_failure_of_power_cut_short_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ConnectFour(3, 3)
    solve_on_disk(game, tmp_path / "whole")
    original, cut = receipt, 0

    def cutting(path: Path, work: Any, made: Any) -> Any:
        nonlocal cut
        original(path, work, made)
        if made and cut < 5 and path.name.startswith(("expand-00004", "collect", "solve")):
            cut += 1
            last = path.parent / max(made)
            last.write_bytes(last.read_bytes()[:-1])  # as the disk has it
            raise KeyboardInterrupt
        return original(path, work, made)

    monkeypatch.setattr(values, "receipt", cutting)
    for _ in range(5):
        with pytest.raises(Interrupted):
            solve_on_disk(game, tmp_path / "cut")
    solve_on_disk(game, tmp_path / "cut")
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_an_unfinished_folder_whose_files_are_damaged_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(errand: tuple[str, Any, values.Piece]) -> Any:
        if errand[2].tier.tier == 6:
            raise KeyboardInterrupt
        return original(errand)

    original = values.do_once
    monkeypatch.setattr(solving, "do_once", stop)
    with pytest.raises(Interrupted, match="the same command continues"):
        solve_on_disk(BOARD, tmp_path)
    monkeypatch.undo()
    path = tmp_path / "tier-00004-00000.codes"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(BadInput, match="cut short"):
        solve_on_disk(BOARD, tmp_path)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(BadInput, match=f"{path.name}: damaged"):
        solve_on_disk(BOARD, tmp_path)
    path.write_bytes(whole)
    manifest = tmp_path / "solution.json"
    names = json.loads(manifest.read_text())["contents"]
    run = next(tmp_path / name for name in names if name.startswith("run-"))
    whole = run.read_bytes()
    run.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(BadInput, match=f"{run.name}: damaged"):
        solve_on_disk(BOARD, tmp_path)
    run.write_bytes(whole)
    before = manifest.read_bytes()
    sign(tmp_path)
    with pytest.raises(BadInput, match="was not written by this account"):
        solve_on_disk(BOARD, tmp_path)
    manifest.write_bytes(before)
    assert len(solve_on_disk(BOARD, tmp_path)) == 6000


def test_what_cannot_be_solved_on_disk_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="'pack'"):
        solve_on_disk(DiceNim(), tmp_path)
    with pytest.raises(Unsupported, match="64 bits"):
        solve_on_disk(ConnectFour(9, 9), tmp_path)
    with pytest.raises(Unsupported, match="by chance"):
        solve_on_disk(CultistWars(new_state(0), "slots"), tmp_path)
    with pytest.raises(Unsupported, match="14 units"):
        solve_on_disk(CultistWars(new_state(0)), tmp_path)
    with pytest.raises(Unsupported, match="52 cards"):
        solve_on_disk(open_game(" ".join(DECK)), tmp_path)
    with pytest.raises(Unsupported, match="left to chance"):
        solve_on_disk(open_game(known_order=False), tmp_path)
    with pytest.raises(BadInput, match="100,000,000 bytes"):
        solve_on_disk(BOARD, tmp_path, memory=5)


def test_flipped_values_with_right_digests_are_not_proved(tmp_path: Path) -> None:
    table = solve_on_disk(BOARD, tmp_path)
    states = explore(BOARD, depth=7).states
    decided = [state for state in states if any(table.probe(state).utilities)]
    assert len(decided) > 30
    assert table.manifest.utilities[1] == [0.0, 0.0]
    for path in tmp_path.glob("*.values"):
        path.write_bytes(bytes(2 - value for value in path.read_bytes()))
    sign(tmp_path)
    for state in decided:
        with pytest.raises(BadInput, match="does not follow"):
            Tablebase(BOARD, tmp_path).result(state)


def test_a_folder_of_another_game_is_refused(tmp_path: Path) -> None:
    solve_on_disk(BOARD, tmp_path)
    with pytest.raises(BadInput, match="holds the solution of ConnectFour"):
        solve_on_disk(ConnectFour(3, 3), tmp_path)
    with pytest.raises(BadInput, match="holds the solution of ConnectFour"):
        Tablebase(TicTacToe(), tmp_path)
    with pytest.raises(BadInput, match="nothing was solved here"):
        Tablebase(BOARD, tmp_path / "nowhere")


def test_a_manifest_of_an_older_version_is_read(tmp_path: Path) -> None:
    solve_on_disk(Nim((1, 2)), tmp_path)
    path = tmp_path / "solution.json"
    sign(tmp_path, is_old=True)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"explored": True}))
    assert solve_on_disk(Nim((1, 2)), tmp_path).manifest.solved


def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    solve_on_disk(BOARD, tmp_path)
    manifest = tmp_path / "solution.json"
    for text in ("", "[]", "{", manifest.read_text().replace("tablebase/1", "tablebase/9")):
        manifest.write_text(text)
        with pytest.raises(BadInput, match=r"solution\.json"):
            Tablebase(BOARD, tmp_path)


def test_a_tier_that_does_not_fit_is_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "MIN_ROOM", 3000)
    monkeypatch.setattr(values, "BASE_MEMORY", DEFAULT_MEMORY)
    with pytest.raises(Undecided, match="tier 0"):
        solve_on_disk(RandomGame(1, has_tiers=False), tmp_path)


class Wrong(ConnectFour):
    """Connect four with one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__(4, 4)
        self.fault = fault

    def pack(self, state: Any) -> int:
        code = super().pack((0, state[1]) if self.fault == "merged" else state)
        return {"negative": -code, "large": code << 60}.get(self.fault, code)

    def tier(self, state: Any) -> int:
        return -super().tier(state) if self.fault == "tier" else super().tier(state)

    def expand_packed(self, codes: Any) -> Any:
        expansion = super().expand_packed(codes)
        if self.fault == "moves":
            return evolve(expansion, moves=expansion.moves[1:])
        if self.fault == "ends":
            return evolve(expansion, ends=np.full_like(expansion.ends, -1))
        if self.fault == "utilities":
            return evolve(expansion, utilities=((5, -5), (0, 0)))
        return expansion


@pytest.mark.parametrize(
    "fault", ["negative", "large", "merged", "tier", "moves", "ends", "utilities"]
)
def test_the_conformance_check_finds_wrong_packing(fault: str) -> None:
    with pytest.raises(BadGame):
        check_game(Wrong(fault))
    check_game(Wrong(""), playthroughs=3)


def run(*args: str) -> Any:
    return CliRunner().invoke(cli, ["search", "connect-four", *args])


def test_commands(tmp_path: Path) -> None:
    size = ["--set", "width=4", "--set", "height=4"]
    folder = str(tmp_path / "solved")
    game = ConnectFour(4, 4)
    stones = Counter(map(game.tier, explore(game, depth=4).states))
    by_stones = [stones[count] for count in range(5)]
    for _ in range(2):  # a second start says that it is done
        result = run(*size, "--solve", "--to", folder, "--json")
        assert result.exit_code == 0
        document = json.loads(result.output)
        assert document["positions"] == 161_029
        assert document["value"] == [0, 0]
        assert document["finished"] == 26_740
        assert [tier["positions"] for tier in document["tiers"][:5]] == by_stones
        assert sum(tier["wins"] for tier in document["tiers"]) == 36_499
    assert "161,029 positions" in run(*size, "solve", "--to", folder).output
    result = run(*size, "--probe", "/X/O/", "--from", folder, "--json")
    document = json.loads(result.output)
    solved = json.loads(run(*size, "--state", "/X/O/", "--solve", "--json").output)
    for key in ("value", "distance", "best_actions", "root_values", "mover"):
        assert document[key] == solved[key]
    assert "value" in run(*size, "probe", "/X/O/", "--from", folder).output
    assert run(*size, "probe", "/X/O/").exit_code == 2
    assert isinstance(run(*size, "probe", "/Q/O/", "--from", folder).exception, BadInput)
    assert isinstance(run("probe", "/X/O////", "--from", folder).exception, BadInput)
    assert run(*size, "solve", "--to", folder, "--depth", "3").exit_code == 2
    assert isinstance(run(*size, "solve", "--to", folder, "--memory", "lots").exception, BadInput)
    assert isinstance(run(*size, "solve", "--to", folder, "--memory", "1MB").exception, BadInput)


def test_playing_from_a_solution(tmp_path: Path) -> None:
    size = ["--set", "width=3", "--set", "height=4"]
    folder = str(tmp_path)
    run(*size, "solve", "--to", folder)
    result = CliRunner().invoke(
        cli, ["search", "connect-four", *size, "play", "--from", folder], input="1\n1\nhint\nquit\n"
    )
    assert result.exit_code == 0
    assert "hint: " in result.output
