"""A solution on disk: values of states in microseconds, and the best actions.

Its states are packed: each is a number of 64 bits, and many of them are moved at once.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, field, frozen

from deduce.errors import BadInput, Undecided, Unsupported, missing_extra
from deduce.search.errors import BadGame, check_mover, check_utilities, diagnose
from deduce.search.game import AnyGame, Packed, Utilities, hook, outcomes_of, text_of_state
from deduce.search.result import ActionValue, AnyResult, Result, rank
from deduce.search.tiers.store import ENDLESS, Manifest, Tier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.uint64]
    Indices = NDArray[np.int64]

__all__ = [
    "MAX_CODE",
    "OPEN",
    "Entry",
    "Expansion",
    "Moves",
    "Tablebase",
    "expand_one_by_one",
    "expander",
    "require_packed",
    "same_expansion",
    "write_parquet",
]


MAX_CODE = 2**64 - 1
OPEN = -1
"""The entry of `Expansion.ends` of a state that is not over."""


@frozen(eq=False)
class Moves:
    """One move of each of some states: the first moves, the second moves, and so on."""

    sources: Indices
    """Which states have this move: increasing indices into the expanded array."""
    codes: Codes
    """The packed states that the moves lead to."""
    tiers: Indices | int
    """The tiers of these states; one number if they are all in one tier."""


@frozen(eq=False)
class Expansion:
    """The ends and the moves of an array of packed states."""

    movers: NDArray[np.int8] | int
    """The player to move in each state; any player where the game is over."""
    ends: NDArray[np.int16]
    """Of each state an index into ``utilities``, or `OPEN` where the game goes on."""
    utilities: Sequence[Utilities]
    """The utilities of finished states, one per player."""
    moves: Sequence[Moves]
    """The moves of the states that are not over, in the game's order of actions."""
    secured: NDArray[np.int16] | None = None
    """In a game with ``secured``: of each state an index into ``utilities``, too."""


def require_packed(game: AnyGame) -> tuple[Callable[[object], int], Callable[[int], object]]:
    """Return the functions that pack and unpack states.

    Raises
    ------
    Unsupported
        The game lacks one of them, so it cannot be solved on disk.
    """
    pack, unpack = hook(game, Packed.pack), hook(game, Packed.unpack)
    if pack is None or unpack is None:
        name = "unpack" if pack else "pack"
        raise Unsupported(
            f"{type(game).__name__} has no method {name!r}; a solution on disk needs states "
            "as numbers: pack(state) and unpack(code)"
        )
    return pack, unpack


def expander(game: AnyGame) -> Callable[[Codes], Expansion]:
    """Return the function that expands an array of packed states of one tier.

    It is the game's own ``expand_packed`` or else a loop over its states: 6 microseconds a state of
    connect four instead of 0.07.

    Examples
    --------
    >>> import numpy as np
    >>> from games.classics.connect_four import ConnectFour
    >>> game = ConnectFour(4, 4)
    >>> root = np.array([game.pack(game.initial_state())], dtype=np.uint64)
    >>> [int(moves.codes[0]) for moves in expander(game)(root).moves]
    [33827, 33889, 35873, 99361]
    """
    own = hook(game, Packed.expand_packed)

    def expand(codes: Codes) -> Expansion:
        expansion = own(codes) if own else expand_one_by_one(game, codes)
        return evolve(expansion, moves=[moves for moves in expansion.moves if len(moves.codes)])

    return expand


def expand_one_by_one(game: AnyGame, codes: Codes) -> Expansion:
    """Return the moves of packed states by the game's methods for single states.

    Raises
    ------
    BadGame
        The game breaks the protocol; the error names the state.
    Unsupported
        Chance moves in one of the states.
    """
    import numpy as np

    tier_of = hook(game, Packed.tier) or (lambda state: 0)
    secured_of = hook(game, Packed.secured)
    pack, unpack = require_packed(game)
    movers = np.zeros(len(codes), np.int8)
    ends = np.full(len(codes), OPEN, np.int16)
    secured = np.zeros(len(codes), np.int16)
    table: dict[Utilities, int] = {}
    slots: list[tuple[list[int], list[int], list[int]]] = []
    for index, code in enumerate(codes.tolist()):
        state = unpack(code)
        try:
            if secured_of:
                has = tuple(check_utilities(game, state, secured_of(state)))
                secured[index] = table.setdefault(has, len(table))
            final = game.utility(state)
            if final is not None:
                final = tuple(check_utilities(game, state, final))
                ends[index] = table.setdefault(final, len(table))
                continue
            if outcomes_of(game, state) is not None:
                raise Unsupported("a solution on disk is for games without chance")
            mover = game.to_move(state)
            check_mover(game, state, mover)
            movers[index] = mover
            actions = game.actions(state)
            while len(slots) < len(actions):
                slots.append(([], [], []))
            tier = tier_of(state)
            for action, (sources, after, tiers) in zip(actions, slots, strict=False):
                child = game.result(state, action)
                sources.append(index)
                after.append(_checked(pack(child), game, child))
                tiers.append(tier_of(child))
                if tiers[-1] < tier:
                    raise BadGame(f"the action {action!r} lowers the tier", game, state)
            if not actions:
                raise BadGame("the game is not over but has no action", game, state)
        except (BadGame, Unsupported):
            raise
        except Exception as error:
            raise diagnose(game, state, error) from error
    return Expansion(
        movers,
        ends,
        list(table),
        [
            Moves(
                np.array(sources, np.int64),
                np.array(after, np.uint64),
                np.array(tiers, np.int64),
            )
            for sources, after, tiers in slots
        ],
        secured if secured_of else None,
    )


def same_expansion(one: Expansion, other: Expansion) -> bool:
    """Return whether two expansions of the same array state the same ends and moves.

    Several moves of a state to the same packed state count once.
    """
    return _facts(one) == _facts(other)


def _facts(expansion: Expansion) -> tuple[object, ...]:
    import numpy as np

    ends = {
        index: tuple(map(float, expansion.utilities[end]))
        for index, end in enumerate(expansion.ends.tolist())
        if end != OPEN
    }
    movers = np.broadcast_to(expansion.movers, expansion.ends.shape).tolist()
    moves = {
        (source, code, tier)
        for each in expansion.moves
        for source, code, tier in zip(
            each.sources.tolist(),
            each.codes.tolist(),
            np.broadcast_to(each.tiers, each.codes.shape).tolist(),
            strict=True,
        )
    }
    secured = [] if expansion.secured is None else expansion.secured.tolist()
    has = [tuple(map(float, expansion.utilities[own])) for own in secured]
    going = {index: mover for index, mover in enumerate(movers) if index not in ends}
    return ends, going, moves, has


def _checked(code: int, game: AnyGame, state: Hashable) -> int:
    if not 0 <= code <= MAX_CODE:
        raise BadGame(f"pack gives {code}, which is not a number of 64 bits", game, state)
    return code


@frozen
class Entry:
    """What a solution knows of a state."""

    utilities: tuple[float, ...]
    """What each player gets when all play best."""
    plies: int | None
    """Plies to the end: the winner is fast, the others delay; ``None`` if play goes on for ever."""
    secured_in: tuple[int, ...] = field(default=(), repr=False)
    """In a game with ``secured``, in place of ``plies``: for each player the plies until they have
    what they can force. Utilities are then what each player can force against all others."""


class Tablebase:
    """The solution of a game in a folder.

    Files are mapped when a state of theirs is first looked up, and compared with their digests
    then, about a second for each GB of the part; nothing is loaded before. Whatever is looked up
    has to follow from the states after it. numpy is not needed to look up states.

    Parameters
    ----------
    game
        The game that was solved, with the same settings.
    folder
        The folder that `deduce.search.tiers.solve.solve_on_disk` was given.
    name
        The name it was given, if it is to be checked.

    Raises
    ------
    BadInput
        The folder has no solution, or that of another game.
    Undecided
        The solution is not finished.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from deduce.search.tiers.solve import solve_on_disk
    >>> from games.classics.nim import Nim
    >>> game = Nim((1, 2, 3))
    >>> with TemporaryDirectory() as folder:
    ...     _ = solve_on_disk(game, folder)
    ...     table = Tablebase(game, folder)
    ...     table.probe(((1, 2, 2), 1)), table.result(((1, 2, 2), 1)).best_actions
    (Entry(utilities=(-1.0, 1.0), plies=5), ((0, 1),))
    """

    def __init__(self, game: AnyGame, folder: str | Path, *, name: str | None = None) -> None:
        self._pack, self._unpack = require_packed(game)
        self.game = game
        self.folder = Path(folder)
        known = Manifest.load(self.folder)
        if known is None:
            raise BadInput("nothing was solved here; use 'solve --to FOLDER'", source=str(folder))
        if not known.solved:
            raise Undecided(
                f"{folder} holds an unfinished solution; run the command that began it to continue"
            )
        self.manifest = known
        self._utilities = [tuple(each) for each in known.utilities]
        self._tiers = {tier.tier: tier for tier in known.tiers}
        self._open: dict[tuple[int, int], tuple[memoryview, memoryview, memoryview]] = {}
        if name not in (None, known.game) or not self._is_of_game():
            wanted = "this game" if name in (None, known.game) else name
            message = f"holds the solution of {known.game}, not of {wanted}"
            raise BadInput(message, source=str(folder))

    def _is_of_game(self) -> bool:
        """Return whether the root is a state of the game, as far as the game can tell."""
        try:
            return self._find(self.manifest.root_code, self.root) is not None
        except BadInput:
            raise
        except Exception:  # whatever a game does with numbers that are not its own
            return False

    def __len__(self) -> int:
        """Return the number of positions."""
        return sum(tier.states for tier in self.manifest.tiers)

    @property
    def root(self) -> Any:
        """The state from which the game was solved."""
        return self._unpack(self.manifest.root_code)

    @property
    def tiers(self) -> list[dict[str, int]]:
        """Counts of every tier.

        Of each tier: its number, its positions, how many of them are finished, the wins, draws and
        losses of the first player, and the plies of that player's longest win.
        """
        return [{"tier": tier.tier, **(tier.summary or {})} for tier in self.manifest.tiers]

    def probe(self, state: Hashable) -> Entry:
        """Return the value of a state and the plies to the end.

        Raises
        ------
        BadInput
            The state cannot be reached from the root, or a file is damaged, or the value is not
            what the rules and the values of the states after it make it.

        Notes
        -----
        A binary search in a mapped file for the state and for each state after it: about 10
        microseconds each, and as much for the game's rules.
        """
        entry = self._entry(state)
        if not self._follows(state, entry):
            raise BadInput(
                f"the value of {text_of_state(self.game, state)} does not follow from the values "
                "of the states after it: the files were changed; remove the folder and solve again",
                source=str(self.folder),
            )
        return entry

    def _entry(self, state: Hashable) -> Entry:
        """Return what the files have of a state."""
        code = self._pack(state)
        entry = self._find(code, state)
        if entry is None:
            raise BadInput(
                f"the state {text_of_state(self.game, state)} is not in the solution; it cannot "
                f"be reached from {self.manifest.root}"
            )
        return entry

    def _follows(self, state: Hashable, entry: Entry) -> bool:
        """Return whether an entry is the utility of a finished state, or the best of the next."""
        game, secured = self.game, hook(self.game, Packed.secured)
        final = game.utility(state)
        if final is not None:
            plies = (0,) * game.players if self.manifest.is_secured else ()
            return entry == Entry(tuple(map(float, final)), None if plies else 0, plies)
        after = {action: self._entry(game.result(state, action)) for action in game.actions(state)}
        if secured is not None:
            return entry == _forced(tuple(secured(state)), game.to_move(state), [*after.values()])
        if entry.plies is None and any(entry.utilities):
            return False
        following = (after[action] for action in self._best(state, entry, after))
        return any(
            entry == Entry(each.utilities, None if each.plies is None else each.plies + 1)
            for each in following
        )

    def result(self, state: Hashable) -> AnyResult:
        """Return the value, all best actions and the values of all actions of a state.

        The best actions are those with the fastest win, else those that take longest.

        Raises
        ------
        BadInput
            The state cannot be reached from the root.
        """
        game, started = self.game, perf_counter()
        entry = self.probe(state)
        over = game.utility(state) is not None
        after: dict[Hashable, Entry] = {}
        best: list[Hashable] = []
        line: list[Hashable] = []
        if not over:
            after, best = self._actions(state)
            line = list(self._line(state, entry))
        return Result(
            solver="solution on disk",
            state=state,
            mover=None if over else game.to_move(state),
            value=entry.utilities,
            estimate=None,
            best_actions=tuple(best),
            root_values={
                action: ActionValue(each.utilities, proved=True) for action, each in after.items()
            },
            principal_variation=tuple(line),
            distance=entry.plies,
            secured_in=entry.secured_in,
            nodes=len(after) + 1,
            seconds=perf_counter() - started,
            game=game,
        )

    def _actions(self, state: Hashable) -> tuple[dict[Hashable, Entry], list[Hashable]]:
        """Return the entry after each action, and the best actions."""
        game = self.game
        after = {action: self.probe(game.result(state, action)) for action in game.actions(state)}
        return after, self._best(state, self.probe(state), after)

    def _best(
        self, state: Hashable, entry: Entry, after: Mapping[Hashable, Entry]
    ) -> list[Hashable]:
        """Return the best actions of a state, from the entries after them."""
        mover, own = self.game.to_move(state), entry.secured_in
        most = max(each.utilities[mover] for each in after.values())
        gain = float(own[mover] > 0) if own else most
        ranks = {
            action: rank(gain, each.secured_in[mover] if own else each.plies)
            for action, each in after.items()
            if each.utilities[mover] == most
        }
        if own and not gain:  # the mover has what they can force already
            return list(ranks)
        least = min(ranks.values())
        return [action for action, each in ranks.items() if each == least]

    def _line(self, state: Hashable, entry: Entry) -> Iterator[object]:
        """Yield the first best action of each state on the way to the end.

        In a game with ``secured``: until the mover has what they can force; all others against
        them.
        """
        player = self.game.to_move(state)
        for _ in range(entry.secured_in[player] if entry.secured_in else entry.plies or 0):
            after, best = self._actions(state)
            action = best[0]
            if entry.secured_in and self.game.to_move(state) != player:
                # The others give the player as little as possible, and that as late as possible.
                ranks = {a: (e.utilities[player], -e.secured_in[player]) for a, e in after.items()}
                action = min(after, key=ranks.__getitem__)
            yield action
            state = self.game.result(state, action)

    def _find(self, code: int, state: Hashable) -> Entry | None:
        tier_of = hook(self.game, Packed.tier)
        tier = self._tiers.get(tier_of(state) if tier_of else 0)
        if tier is None:
            return None
        part = bisect_right(tier.splits, code)
        codes, values, plies = self.files(tier, part)
        index = bisect_left(codes, code)
        if index == len(codes) or codes[index] != code:
            return None
        value = values[index]
        if value >= len(self._utilities):
            name = (tier.parts or [])[part].name
            raise BadInput(
                f"has the value {value}, but there are {len(self._utilities)} different utilities",
                source=str(self.folder / f"{name}.values"),
            )
        columns = self.manifest.columns
        left = plies[index * columns : (index + 1) * columns].tolist()
        if self.manifest.is_secured:
            return Entry(self._utilities[value], None, tuple(left))
        return Entry(self._utilities[value], None if left[0] == ENDLESS else left[0])

    def files(self, tier: Tier, part: int) -> tuple[memoryview, memoryview, memoryview]:
        """Return the codes, values and plies of a part, mapped from the disk; see the class."""
        if (tier.tier, part) in self._open:
            return self._open[tier.tier, part]
        name = (tier.parts or [])[part].name
        for path, size in tier.files(self.folder, self.manifest.columns):
            if path.stem == name:
                self.manifest.check_file(path, size)
        files = self._open[tier.tier, part] = (
            self._view(f"{name}.codes", "Q"),
            self._view(f"{name}.values", "B"),
            self._view(f"{name}.plies", "H"),
        )
        return files

    def _view(self, name: str, kind: Literal["Q", "B", "H"]) -> memoryview:
        path = self.folder / name
        try:
            with path.open("rb") as file:
                if not path.stat().st_size:
                    return memoryview(b"").cast(kind)
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast(kind)
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror}", source=str(path)) from None


def _forced(secured: tuple[float, ...], mover: int, after: Sequence[Entry]) -> Entry:
    """Return what each player can force, from what they have and what they can force next."""
    values, plies = [], []
    for player, has in enumerate(secured):
        choose = max if player == mover else min
        best = choose(each.utilities[player] for each in after)
        lengths = [each.secured_in[player] for each in after if each.utilities[player] == best]
        values.append(max(float(has), best))
        plies.append(0 if has >= best else 1 + (min if player == mover else max)(lengths))
    return Entry(tuple(values), None, tuple(plies))


ROWS = 1 << 20
"""Rows in a group of the file, and in memory at a time."""


def write_parquet(
    table: Tablebase, path: Path, *, progress: Callable[[int], None] | None = None
) -> None:
    """Write all states of a solution to a Parquet file.

    Its columns are ``tier`` (int32), ``code`` (uint64, the packed state), ``utility_0`` to
    ``utility_N`` (float64, one for each player) and ``plies`` (uint16; null where play goes on for
    ever); in a game with ``secured`` ``plies_0`` to ``plies_N``. Rows are in order of tier and
    code. Names of game and root are in the file's metadata.

    Raises
    ------
    Unsupported
        pyarrow (the extra ``tiers``) is not installed.
    BadInput
        The file cannot be written, or one of the solution is damaged.
    """
    try:
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise missing_extra("Parquet files need pyarrow", "tiers") from None
    manifest = table.manifest
    names = [f"utility_{player}" for player in range(manifest.players)]
    lengths = [f"plies_{player}" for player in range(manifest.players)]
    if not manifest.is_secured:
        lengths = ["plies"]
    schema = pa.schema(
        [
            ("tier", pa.int32()),
            ("code", pa.uint64()),
            *((name, pa.float64()) for name in names),
            *((name, pa.uint16()) for name in lengths),
        ],
        metadata={"game": manifest.game, "root": text_of_state(table.game, table.root)},
    )
    utilities = np.array(manifest.utilities)
    second = path.with_name(path.name + ".part")
    done = 0
    try:
        with pq.ParquetWriter(second, schema) as writer:
            for tier in manifest.tiers:
                for part in range(len(tier.parts or ())):
                    codes, values, plies = map(np.asarray, table.files(tier, part))
                    for first in range(0, len(codes), ROWS):
                        rows = slice(first, first + ROWS)
                        gains = utilities[values[rows]]
                        left = np.array(plies.reshape(-1, len(lengths))[rows])
                        columns = [
                            np.full(len(left), tier.tier, np.int32),
                            np.array(codes[rows]),
                            *(gains[:, player].copy() for player in range(manifest.players)),
                            *(pa.array(column, mask=column == ENDLESS) for column in left.T.copy()),
                        ]
                        writer.write_batch(pa.record_batch(columns, schema=schema))
                        done += len(left)
                        if progress:
                            progress(done)
        second.replace(path)
    except IndexError:
        raise BadInput(
            f"tier {tier.tier} has a value that is not a utility", source=str(table.folder)
        ) from None
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None
    finally:
        second.unlink(missing_ok=True)
