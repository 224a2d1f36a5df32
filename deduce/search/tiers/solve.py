"""Solving a whole game on disk: tiers of packed states forwards, values backwards.

Retrograde analysis by tiers is how endgame tables are made (Ken Thompson, *Retrograde analysis of
certain endgames*, ICCA Journal 9:3, 1986); sorting instead of hashing in memory is the method of
external-memory search (Richard Korf, *Best-first frontier search with delayed duplicate detection*,
AAAI 2004).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.batch.parallel import run_all
from deduce.errors import BadInput, Interrupted, missing_extra
from deduce.search.game import Game, text_of_state
from deduce.search.tiers.cyclic import close_tier, solve_cyclic
from deduce.search.tiers.packing import Expansion, expander, require_packed
from deduce.search.tiers.store import (
    ENDLESS,
    Manifest,
    Part,
    Tier,
    TierFiles,
    mapped,
    receipt,
    write_array,
)
from deduce.search.tiers.table import Tablebase
from deduce.text import plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes, Indices

__all__ = ["DEFAULT_MEMORY", "solve_on_disk"]

DEFAULT_MEMORY = 1_000_000_000
"""Bytes of memory for each process."""
MIN_MEMORY = 100_000_000
BASE_MEMORY = 70_000_000
"""What Python and numpy take before anything is computed."""
MIN_ROOM = 20_000_000
"""What is left for the work at least."""
CHUNK = 1 << 15
"""How many states are expanded at a time: arrays that fit into the processor's cache."""
CHUNKS_MAPPED = 32
"""After how many chunks the files of later tiers are unmapped, so that they leave the memory."""
SAMPLE = 4096
"""How many states of a tier are expanded to estimate how its children are spread."""


def solve_on_disk(
    game: Game[Any, Any],
    folder: str | Path,
    *,
    state: Any = None,
    name: str | None = None,
    memory: int = DEFAULT_MEMORY,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tablebase:
    """Return the values of all states that can be reached, written to files in a folder.

    What is in the folder already is not computed again: after a crash, or when the limits of the
    machine have stopped it, the same call continues.

    Parameters
    ----------
    game
        A game with ``pack`` and ``unpack``, see `deduce.search.tiers.packing.PackedGame`, without
        chance. With moves within a tier it must be a two-player zero-sum game, or play must end.
    folder
        Where the files are; it is made if there is none.
    state
        Where to begin; the initial state if not given.
    name
        What the game is called in the folder's ``solution.json``; its class if not given.
    memory
        Bytes of memory that each process may use, at least 10^8.
    jobs, scheduler
        See `deduce.batch.parallel.run_all`. Workers on other machines need the same folder.
    progress
        Called with the number of states that were expanded or solved since the last call.

    Raises
    ------
    Unsupported
        The game lacks a method, has chance, or numpy is not installed.
    BadInput
        The folder holds the solution of something else, or cannot be written.
    Interrupted
        Ctrl-C; the folder can be continued.
    BadGame
        The game breaks the protocol.
    Undecided
        A tier whose moves stay within it does not fit into the memory.

    Notes
    -----
    Each tier is expanded in chunks; the children are sorted and merged by ranges of their codes.
    Values follow tier by tier from the last to the first. Disk: 11 bytes a state, and at most 8
    bytes for each move of one tier meanwhile. Time is linear up to the logarithm of sorting:
    about 0.35 microseconds a state of connect four, which has ``expand_packed``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from games.classics.connect_four import ConnectFour
    >>> with TemporaryDirectory() as folder:
    ...     table = solve_on_disk(ConnectFour(3, 4), folder)
    ...     len(table), table.probe(ConnectFour(3, 4).initial_state())
    (6000, Entry(utilities=(0.0, 0.0), plies=12))
    """
    try:
        import numpy as np  # noqa: F401
    except ImportError:
        raise missing_extra("a solution on disk needs numpy", "tiers") from None
    require_packed(game)
    if memory < MIN_MEMORY:
        raise BadInput(f"a solution on disk needs {MIN_MEMORY:,} bytes of memory, not {memory:,}")
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", source=str(path)) from None
    root = game.initial_state() if state is None else state
    manifest = _begin(game, path, root, name or type(game).__name__, memory)
    if not manifest.solved:
        started, before = perf_counter(), manifest.seconds
        run = _Run(game, path, manifest, jobs, scheduler, progress or (lambda states: None))
        try:
            run.explore()
            run.solve()
        except KeyboardInterrupt:
            known = sum(tier.states for tier in manifest.tiers)
            raise Interrupted(
                f"interrupted after {plural(known, 'state')} were collected; the same command "
                "continues"
            ) from None
        finally:
            manifest.seconds = before + perf_counter() - started
            manifest.save(path)
    return Tablebase(game, path)


def _begin(game: Game[Any, Any], folder: Path, root: Any, name: str, memory: int) -> Manifest:
    """Return the manifest of the folder, or a new one with the root alone."""
    import numpy as np

    code: int = game.pack(root)  # type: ignore[attr-defined]
    text = text_of_state(game, root)
    manifest = Manifest.load(folder)
    if manifest is not None:
        if (manifest.game, manifest.root_code, manifest.players) != (name, code, game.players):
            raise BadInput(
                f"holds the solution of {manifest.game} from {manifest.root!r}, not of {name} from "
                f"{text!r}; choose another folder",
                source=str(folder),
            )
        for pattern in ("*.part", ".deduce-*"):  # of a run that was killed
            for path in folder.glob(pattern):
                path.unlink(missing_ok=True)
        return manifest
    number = getattr(game, "tier", lambda state: 0)(root)
    part = Part(f"tier-{number:05}-00000", 1)
    with write_array(folder / f"{part.name}.codes") as write:
        write(np.array([code], "<u8"))
    manifest = Manifest(name, text, code, game.players, memory, [Tier(number, parts=[part])])
    manifest.save(folder)
    return manifest


@frozen
class _Task:
    """A piece of work for any process: one part of one tier."""

    game: Game[Any, Any]
    folder: Path
    memory: int
    tier: Tier
    part: int
    later: Sequence[Tier] = ()
    utilities: Sequence[tuple[float, ...]] = ()

    @property
    def name(self) -> str:
        """The beginning of the names of the part's files."""
        return f"tier-{self.tier.tier:05}-{self.part:05}"

    @property
    def room(self) -> int:
        """The bytes that the work itself may use."""
        return max(self.memory - BASE_MEMORY, MIN_ROOM)

    def chunks(self) -> Iterator[Codes]:
        """Yield the states, a chunk at a time."""
        import numpy as np

        with (self.folder / f"{self.name}.codes").open("rb") as file:
            while len(codes := np.fromfile(file, "<u8", CHUNK)):
                yield codes


class _Run:
    """One run of the driver, which alone writes the manifest."""

    def __init__(
        self,
        game: Game[Any, Any],
        folder: Path,
        manifest: Manifest,
        jobs: int,
        scheduler: str | None,
        progress: Callable[[int], None],
    ) -> None:
        self.game = game
        self.folder = folder
        self.manifest = manifest
        self.jobs = jobs
        self.scheduler = scheduler
        self.progress = progress

    def explore(self) -> None:
        """Collect the states of all tiers."""
        while (tier := self._next()) is not None:
            self._merge(tier)
            if not tier.cyclic:
                later = self._plan(tier)
                if later is None:
                    tier.cyclic = True
                    self.manifest.save(self.folder)
                else:
                    results = self._all(_expand, tier, later)
                    self._advance(tier, later, results)
            if tier.cyclic:
                self._expand_cyclic(tier)
        self.manifest.explored = True
        self.manifest.save(self.folder)

    def solve(self) -> None:
        """Compute the values of all tiers, the last tier first."""
        endless = [0.0] * self.game.players
        is_cyclic = any(tier.cyclic for tier in self.manifest.tiers)
        if is_cyclic and endless not in self.manifest.utilities:
            self.manifest.utilities.append(endless)
        utilities = [tuple(each) for each in self.manifest.utilities]
        later: list[Tier] = []
        for tier in reversed(self.manifest.tiers):
            if tier.summary is None:
                task = _solve_cyclic if tier.cyclic else _solve
                results = self._all(task, tier, later, utilities)
                tier.summary = {}
                for counts in results:
                    for key, count in counts.items():
                        merge = max if key == "longest_win" else int.__add__
                        tier.summary[key] = merge(tier.summary.get(key, 0), count)
                self._forget(tier, "solve")
            later.append(tier)
        self.manifest.solved = True
        for path in self.folder.iterdir():  # what killed runs left
            if path.name.partition("-")[0] in ("run", "expand", "collect", "close", "solve"):
                path.unlink()

    def _next(self) -> Tier | None:
        return next((tier for tier in self.manifest.tiers if not tier.expanded), None)

    def _all(
        self,
        work: Callable[[_Task], Any],
        tier: Tier,
        later: Sequence[Tier] = (),
        utilities: Sequence[tuple[float, ...]] = (),
    ) -> list[Any]:
        """Return the results of a task for all parts of a tier, in the order of the parts."""
        count = 1 if tier.cyclic or tier.parts is None else len(tier.parts)
        if work is _collect:
            count = len(tier.splits) + 1
        memory = self.manifest.memory
        tasks = [
            _Task(self.game, self.folder, memory, tier, part, later, utilities)
            for part in range(count)
        ]
        jobs = min(self.jobs, count)
        results: dict[int, Any] = {}
        pieces = [(work, task) for task in tasks]
        for part, result in run_all(_one, pieces, jobs=jobs, scheduler=self.scheduler):
            results[part] = result
            if work is not _collect:
                parts = tier.parts or ()
                self.progress(parts[part].states if part < len(parts) else 0)
        return [results[part] for part in range(count)]

    def _merge(self, tier: Tier) -> None:
        """Make the parts of a tier from the runs of its states, if that is not done yet."""
        if tier.parts is not None:
            return
        sizes = self._all(_collect, tier)
        tier.parts = [
            Part(f"tier-{tier.tier:05}-{part:05}", size) for part, size in enumerate(sizes)
        ]
        self.manifest.save(self.folder)
        for path in self.folder.glob(f"run-{tier.tier:05}-*"):
            path.unlink()
        self._forget(tier, "collect")

    def _plan(self, tier: Tier) -> list[Tier] | None:
        """Return the tiers that follow, divided into parts; ``None`` if moves stay in the tier."""
        import numpy as np

        parts = tier.parts or []
        total = tier.states
        step = max(1, total // SAMPLE)
        samples = [mapped(self.folder / f"{part.name}.codes", "<u8")[::step] for part in parts]
        codes = np.concatenate(samples)
        following: dict[int, list[Codes]] = {}
        for _, number, children in _by_tier(expander(self.game)(codes)):
            following.setdefault(number, []).append(children)
        if tier.tier in following:
            return None
        known = {each.tier: each for each in self.manifest.tiers}
        for number, found in sorted(following.items()):
            if number in known:
                continue
            children = np.sort(np.concatenate(found))
            estimate = len(children) * total / len(codes)
            # Runs are read, sorted and written: three times their size in memory.
            room = max(self.manifest.memory - BASE_MEMORY, MIN_ROOM)
            count = max(int(24 * estimate / room) + 1, self.jobs if estimate > 100_000 else 1)
            cuts = [len(children) * k // count for k in range(1, count)]
            splits = sorted({int(children[cut]) for cut in cuts})
            self.manifest.tiers.append(Tier(number, splits))
        self.manifest.save(self.folder)
        return [each for each in self.manifest.tiers if each.tier > tier.tier]

    def _advance(self, tier: Tier, later: Sequence[Tier], results: Sequence[Any]) -> None:
        """Record that a tier is expanded, with the tiers and utilities that were met."""
        if any(result is None for result in results):  # a move within the tier, after all
            tier.cyclic = True
            return
        utilities = {tuple(each) for result in results for each in result["utilities"]}
        known = {tuple(each) for each in self.manifest.utilities}
        self.manifest.utilities.extend(list(each) for each in sorted(utilities - known))
        numbers = {each.tier for each in self.manifest.tiers}
        met = {number for result in results for number in result["tiers"]}
        self.manifest.tiers.extend(Tier(number) for number in sorted(met - numbers))
        tier.expanded = True
        self.manifest.save(self.folder)
        self._forget(tier, "expand")

    def _expand_cyclic(self, tier: Tier) -> None:
        """Close a tier under the moves within it, and expand it."""
        later = [each for each in self.manifest.tiers if each.tier > tier.tier]
        results = self._all(_close, tier, later)
        tier.splits, tier.parts = [], [Part(f"tier-{tier.tier:05}-00000", results[0]["states"])]
        self._advance(tier, later, results)

    def _forget(self, tier: Tier, stage: str) -> None:
        """Remove the receipts of a finished stage."""
        for path in self.folder.glob(f"{stage}-{tier.tier:05}-*.json"):
            path.unlink()


def _one(piece: tuple[Callable[[_Task], Any], _Task]) -> tuple[int, Any]:
    work, task = piece
    stage = work.__name__.lstrip("_").partition("_")[0]
    path = task.folder / f"{stage}-{task.tier.tier:05}-{task.part:05}.json"
    return task.part, receipt(path, lambda: work(task))


def _by_tier(expansion: Expansion) -> Iterator[tuple[int, int, Codes]]:
    """Yield the children of an expansion, by move and tier: index of the move, tier, codes."""
    import numpy as np

    for slot, moves in enumerate(expansion.moves):
        if isinstance(moves.tiers, int):
            yield slot, moves.tiers, moves.codes
            continue
        for number in np.unique(moves.tiers).tolist():
            yield slot, number, moves.codes[moves.tiers == number]


def _expand(task: _Task) -> dict[str, Any] | None:
    """Write the children of a part as sorted runs, one for each part of the tiers that follow.

    The result is ``None`` if a move stays in the tier.
    """
    import numpy as np

    expand = expander(task.game)
    splits = {tier.tier: np.array(tier.splits, np.uint64) for tier in task.later}
    utilities: set[tuple[float, ...]] = set()
    tiers: set[int] = set()
    with contextlib.ExitStack() as files:
        runs: dict[tuple[int, int], Callable[[NDArray[Any]], None]] = {}

        def flush() -> None:
            """Write the children that are collected, each tier divided into its parts."""
            for number, slots in following.items():
                tiers.add(number)
                # Each move keeps the order of the states as a rule, so that runs are sorted here.
                children = _unique(np.concatenate([each for slot in slots for each in slots[slot]]))
                cuts = np.searchsorted(children, splits.get(number, np.zeros(0, np.uint64)))
                for part, piece in enumerate(np.split(children, cuts)):
                    if len(piece) and (number, part) not in runs:
                        name = f"run-{number:05}-{part:05}-{task.tier.tier:05}-{task.part:05}"
                        runs[number, part] = files.enter_context(
                            write_array(task.folder / f"{name}.codes")
                        )
                    if len(piece):
                        runs[number, part](piece)
            following.clear()

        following: dict[int, dict[int, list[Codes]]] = {}
        size = 0
        for codes in task.chunks():
            expansion = expand(codes)
            utilities.update(tuple(map(float, each)) for each in expansion.utilities)
            for slot, number, children in _by_tier(expansion):
                following.setdefault(number, {}).setdefault(slot, []).append(children)
                size += children.nbytes
            if task.tier.tier in following:
                return None
            if 3 * size > task.room:
                flush()
                size = 0
        flush()
    return {"utilities": sorted(utilities), "tiers": sorted(tiers)}


def _unique(codes: Codes) -> Codes:
    """Return the sorted codes without repeats; the array itself is sorted."""
    import numpy as np

    codes.sort(kind="stable")  # which merges the sorted runs that it meets
    keep = np.empty(len(codes), bool)
    keep[:1] = True
    np.not_equal(codes[1:], codes[:-1], out=keep[1:])
    return codes[keep]


def _collect(task: _Task) -> int:
    """Merge the runs of a part into its sorted states; return how many there are."""
    import numpy as np

    paths = sorted(task.folder.glob(f"run-{task.tier.tier:05}-{task.part:05}-*.codes"))
    runs = [np.fromfile(path, "<u8") for path in paths]
    codes = _unique(np.concatenate(runs)) if runs else np.zeros(0, np.uint64)
    with write_array(task.folder / f"{task.name}.codes") as write:
        write(codes)
    return len(codes)


def _close(task: _Task) -> dict[str, Any]:
    """Collect all states of a tier with moves within it, and write the runs of later tiers."""
    import numpy as np

    parts = task.tier.parts or []
    codes = np.concatenate(
        [np.fromfile(task.folder / f"{part.name}.codes", "<u8") for part in parts]
    )
    closed, outside = close_tier(task.game, codes, task.tier.tier, task.room)
    for number, found in outside.codes.items():
        # Parts of a tier after a cyclic one: whatever was planned; else a single one.
        splits = next((tier.splits for tier in task.later if tier.tier == number), [])
        children = _unique(found)
        cuts = np.searchsorted(children, np.array(splits, np.uint64))
        for part, piece in enumerate(np.split(children, cuts)):
            name = f"run-{number:05}-{part:05}-{task.tier.tier:05}-00000"
            with write_array(task.folder / f"{name}.codes") as write:
                write(piece)
    with write_array(task.folder / f"tier-{task.tier.tier:05}-00000.codes") as write:
        write(closed)
    return {
        "utilities": sorted(outside.utilities),
        "tiers": sorted(outside.codes),
        "states": len(closed),
    }


class _Later:
    """Values of states in later tiers."""

    def __init__(self, folder: Path, tiers: Sequence[Tier]) -> None:
        self._tiers = {
            tier.tier: TierFiles(folder, tier.splits, [part.name for part in tier.parts or ()])
            for tier in tiers
        }

    def look_up(
        self, codes: Codes, tiers: Indices | int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """Return the values and plies of packed states."""
        import numpy as np

        if isinstance(tiers, int):
            return self._tiers[tiers].look_up(codes)
        values = np.empty(len(codes), np.uint8)
        plies = np.empty(len(codes), np.uint16)
        for number in np.unique(tiers).tolist():
            chosen = np.flatnonzero(tiers == number)
            values[chosen], plies[chosen] = self._tiers[number].look_up(codes[chosen])
        return values, plies

    def close(self) -> None:
        """Give back the memory."""
        for files in self._tiers.values():
            files.close()


def _scores(utilities: Sequence[tuple[float, ...]], players: int) -> NDArray[np.int32]:
    """Return, for each player and value, a number that orders values; its sign is the utility's.

    The distance of a value from the next is more than any number of plies, so that plies can be
    added: the mover prefers short wins, and everything else to be long.
    """
    import numpy as np

    scores = np.zeros((players, len(utilities)), np.int32)
    for player in range(players):
        own = [each[player] for each in utilities]
        above = sorted({each for each in own if each > 0})
        below = sorted({each for each in own if each < 0}, reverse=True)
        for index, each in enumerate(own):
            place = above.index(each) + 1 if each > 0 else -1 - below.index(each) if each else 0
            scores[player, index] = place * 4 * (ENDLESS + 1)
    return scores


def _solve(task: _Task) -> dict[str, int]:
    """Write the values of a part whose moves all lead to later tiers; return counts."""
    import numpy as np

    expand = expander(task.game)
    later = _Later(task.folder, task.later)
    scores = _scores(task.utilities, task.game.players)
    number_of = {each: index for index, each in enumerate(task.utilities)}
    counts: dict[str, int] = {}
    with (
        write_array(task.folder / f"{task.name}.values") as write_values,
        write_array(task.folder / f"{task.name}.plies") as write_plies,
    ):
        for index, codes in enumerate(task.chunks()):
            expansion = expand(codes)
            values = np.zeros(len(codes), np.uint8)
            plies = np.zeros(len(codes), np.uint16)
            own = [number_of[tuple(map(float, each))] for each in expansion.utilities]
            over = expansion.ends >= 0
            if own:
                values[over] = np.array(own, np.uint8)[expansion.ends[over]]
            best = np.full(len(codes), np.iinfo(np.int32).min, np.int32)
            for moves in expansion.moves:
                theirs, distances = later.look_up(moves.codes, moves.tiers)
                movers = expansion.movers
                mover = movers if isinstance(movers, int) else movers[moves.sources]
                score = scores[mover, theirs]
                far = distances.astype(np.int32)
                score += np.where(score > 0, -far, far)
                better = score > best[moves.sources]
                chosen = moves.sources[better]
                best[chosen] = score[better]
                values[chosen] = theirs[better]
                plies[chosen] = np.where(
                    distances[better] == ENDLESS, ENDLESS, distances[better] + np.uint16(1)
                )
            write_values(values)
            write_plies(plies)
            if index % CHUNKS_MAPPED == 0:
                later.close()
            for key, count in _count(values, plies, over, task.utilities).items():
                merge = max if key == "longest_win" else int.__add__
                counts[key] = merge(counts.get(key, 0), count)
    return counts


def _count(
    values: NDArray[np.uint8],
    plies: NDArray[np.uint16],
    over: NDArray[np.bool_],
    utilities: Sequence[tuple[float, ...]],
) -> dict[str, int]:
    """Return counts of solved states; wins and losses are those of the first player."""
    import numpy as np

    first = np.array([each[0] for each in utilities])[values]
    won = plies[(first > 0) & (plies != ENDLESS)]
    return {
        "positions": len(values),
        "finished": int(np.count_nonzero(over)),
        "wins": int(np.count_nonzero(first > 0)),
        "draws": int(np.count_nonzero(first == 0)),
        "losses": int(np.count_nonzero(first < 0)),
        "longest_win": int(won.max()) if len(won) else 0,
    }


def _solve_cyclic(task: _Task) -> dict[str, int]:
    """Write the values of a tier with moves within it; return counts."""
    import numpy as np

    codes = np.fromfile(task.folder / f"{task.name}.codes", "<u8")
    later = _Later(task.folder, task.later)
    values, plies, over = solve_cyclic(
        task.game, codes, task.tier.tier, later.look_up, task.utilities
    )
    later.close()
    with write_array(task.folder / f"{task.name}.values") as write:
        write(values)
    with write_array(task.folder / f"{task.name}.plies") as write:
        write(plies)
    return _count(values, plies, over, task.utilities)
