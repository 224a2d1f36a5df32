"""Solving a whole game on disk: tiers of packed states forwards, values backwards.

Retrograde analysis by tiers is how endgame tables are made (Ken Thompson, *Retrograde analysis of
certain endgames*, ICCA Journal 9:3, 1986); sorting instead of hashing in memory is the method of
external-memory search (Richard Korf, *Best-first frontier search with delayed duplicate detection*,
AAAI 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import define, field

from deduce.batch.parallel import connected, run_all
from deduce.errors import BadInput, Interrupted, Unsupported, missing_extra
from deduce.search.game import AnyGame, Packed, hook, text_of_state
from deduce.search.tiers.store import (
    Manifest,
    Part,
    Tier,
    force_to_disk,
    mapped,
    part_name,
    remove_temporary,
    run_name,
    write_array,
)
from deduce.search.tiers.table import Tablebase, expander, require_packed
from deduce.search.tiers.values import (
    Piece,
    add_counts,
    children_by_tier,
    close,
    collect,
    do_once,
    expand,
    room_for,
    value_part,
)
from deduce.system.files import locked
from deduce.system.text import plural

if TYPE_CHECKING:
    from deduce.search.tiers.table import Codes

__all__ = ["DEFAULT_MEMORY", "MIN_MEMORY", "solve_on_disk"]

DEFAULT_MEMORY = 1_000_000_000
"""Bytes of memory for each process."""
MIN_MEMORY = 100_000_000
SAMPLE = 4096
"""How many states of a tier are expanded to estimate how its children are spread."""
WORTH_DIVIDING = 100_000
"""From how many states on a tier has parts for all processes."""
FORCE_AFTER = 5
"""After how many seconds the manifest is forced to the disk again."""
PARTS_EACH = 2
"""How many parts each process gets, so that none waits long for the others."""
CLUSTER = 4
"""For how many processes tiers are divided on a cluster."""
MAX_UTILITIES = 256
"""How many different utilities there can be: a value takes one byte."""


def solve_on_disk(
    game: AnyGame,
    folder: str | Path,
    *,
    state: Hashable = None,
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
        A game with ``pack`` and ``unpack``, see `deduce.search.game.Packed`, without
        chance. With moves within a tier it must be a two-player zero-sum game, or have ``secured``,
        or play must end.
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
        path.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise BadInput("there is no such folder", source=str(path.parent)) from None
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", source=str(path)) from None
    with locked(path):
        root = game.initial_state() if state is None else state
        manifest = _begin(game, path, root, name or type(game).__name__, memory)
        if not manifest.solved:
            _Run(game, path, manifest, jobs, scheduler, progress or (lambda states: None)).finish()
    return Tablebase(game, path)


def _begin(game: AnyGame, folder: Path, root: Hashable, name: str, memory: int) -> Manifest:
    """Return the manifest of the folder, or a new one with the root alone."""
    import numpy as np

    code = require_packed(game)[0](root)
    text = text_of_state(game, root)
    manifest = Manifest.load(folder)
    if manifest is not None:
        if (manifest.game, manifest.root_code, manifest.players) != (name, code, game.players):
            raise BadInput(
                f"holds the solution of {manifest.game} from {manifest.root!r}, not of {name} from "
                f"{text!r}; choose another folder",
                source=str(folder),
            )
        if not manifest.solved:
            remove_temporary(folder, unfinished=True)
            manifest.check_files(folder)
        return manifest
    remove_temporary(folder)
    number = (hook(game, Packed.tier) or (lambda state: 0))(root)
    part = Part(part_name(number, 0), 1)
    made: dict[str, str] = {}
    with write_array(folder / f"{part.name}.codes", made) as write:
        write(np.array([code], "<u8"))
    manifest = Manifest(name, text, code, game.players, memory, [Tier(number, parts=[part])])
    manifest.is_secured, manifest.contents = hook(game, Packed.secured) is not None, made
    manifest.save(folder)
    return manifest


@define
class _Run:
    """One run of the driver, which alone writes the manifest."""

    game: AnyGame
    folder: Path
    manifest: Manifest
    jobs: int
    scheduler: str | None
    progress: Callable[[int], None]
    forced: float = field(factory=perf_counter, init=False)
    """When the manifest was last forced to the disk."""
    useless: list[Path] = field(init=False)
    """Files that are not needed any more once the manifest is on the disk."""

    def __attrs_post_init__(self) -> None:
        collected = (tier for tier in self.manifest.tiers if tier.parts is not None)
        self.useless = [run for tier in collected for run in self._runs(tier)]

    def finish(self) -> None:
        """Solve what is not solved yet."""
        manifest = self.manifest
        started, before = perf_counter(), manifest.seconds
        try:
            with connected(self.scheduler):
                self.explore()
                self.solve()
        except KeyboardInterrupt:
            known = plural(sum(tier.states for tier in manifest.tiers), "state")
            raise Interrupted(
                f"interrupted after {known} were collected; the same command continues"
            ) from None
        finally:
            manifest.seconds = before + perf_counter() - started
            manifest.save(self.folder)

    @property
    def _processes(self) -> int:
        """How many processes there are, as far as is known: a cluster may have any number."""
        return CLUSTER if self.scheduler else self.jobs

    def explore(self) -> None:
        """Collect the states of all tiers."""
        while (tier := self._next()) is not None:
            if tier.parts is None:
                self._collect(tier)
            later = None if tier.cyclic else self._plan(tier)
            if later is not None:
                self._advance(tier, self._all("expand", expand, tier, later))
            if not tier.expanded:
                tier.cyclic = True
                self._expand_cyclic(tier)
        self._save()

    def solve(self) -> None:
        """Compute the values of all tiers, the last tier first."""
        self._add_utilities()
        utilities = [tuple(each) for each in self.manifest.utilities]
        later: list[Tier] = []
        for tier in reversed(self.manifest.tiers):
            if tier.summary is None:
                summary: dict[str, int] = {}
                for counts in self._all("solve", value_part, tier, later, utilities):
                    add_counts(summary, counts)
                tier.summary = summary
                self._save(self._receipts(tier, "solve"))
            later.append(tier)
        force_to_disk(path for path, _ in self.manifest.files(self.folder))
        self.manifest.solved = True
        remove_temporary(self.folder)

    def _add_utilities(self) -> None:
        """Add the values that are not the utilities of finished states."""
        known = self.manifest.utilities
        if self.manifest.is_secured:
            columns = [sorted(set(column)) for column in zip(*known, strict=True)]
            self.manifest.utilities = [list(each) for each in product(*columns)]
        elif any(tier.cyclic for tier in self.manifest.tiers):
            endless = [0.0] * self.game.players
            known.extend([] if endless in known else [endless])
        if len(self.manifest.utilities) > MAX_UTILITIES:
            raise Unsupported(f"the game has more than {MAX_UTILITIES} different values")

    def _next(self) -> Tier | None:
        return next((tier for tier in self.manifest.tiers if not tier.expanded), None)

    def _all(
        self,
        stage: str,
        work: Callable[[Piece], Any],
        tier: Tier,
        later: Sequence[Tier] = (),
        utilities: Sequence[tuple[float, ...]] = (),
    ) -> list[Any]:
        """Return the results of a stage for all parts of a tier, in the order of the parts."""
        count = 1 if tier.cyclic else len(tier.splits) + 1
        memory = self.manifest.memory
        errands = [
            (stage, work, Piece(self.game, self.folder, memory, tier, part, later, utilities))
            for part in range(count)
        ]
        results: dict[int, Any] = {}
        jobs = min(self.jobs, count)
        # A single part is done here, sooner than another process can be told.
        scheduler = None if count == 1 else self.scheduler
        for part, result, files in run_all(do_once, errands, jobs=jobs, scheduler=scheduler):
            results[part] = result
            self.manifest.contents.update(files)
            if tier.parts:
                self.progress(tier.parts[part].states)
        return [results[part] for part in range(count)]

    def _collect(self, tier: Tier) -> None:
        """Make the parts of a tier from the runs of its states."""
        sizes = self._all("collect", collect, tier)
        tier.parts = [Part(part_name(tier.tier, part), size) for part, size in enumerate(sizes)]
        runs = self._runs(tier)
        for path in runs:
            self.manifest.contents.pop(path.name, None)
        self._save([*runs, *self._receipts(tier, "collect")])

    def _plan(self, tier: Tier) -> list[Tier] | None:
        """Return the tiers that follow, divided into parts; ``None`` if moves stay in the tier."""
        import numpy as np

        parts = tier.parts or []
        total = tier.states
        # Where states are expanded one by one, a small tier would be expanded twice.
        sample = SAMPLE if hook(self.game, Packed.expand_packed) else SAMPLE // 16
        step = max(1, total // sample)
        samples = [mapped(self.folder / f"{part.name}.codes", "<u8")[::step] for part in parts]
        codes = np.concatenate(samples)
        following: dict[int, list[Codes]] = {}
        for _, number, children in children_by_tier(expander(self.game)(codes)):
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
            count = int(24 * estimate / room_for(self.manifest.memory)) + 1
            if self._processes > 1 and estimate > WORTH_DIVIDING:
                count = max(count, PARTS_EACH * self._processes)
            cuts = [len(children) * k // count for k in range(1, count)]
            splits = sorted({int(children[cut]) for cut in cuts})
            self.manifest.tiers.append(Tier(number, splits))
        self._save()
        return [each for each in self.manifest.tiers if each.tier > tier.tier]

    def _advance(self, tier: Tier, results: Sequence[Any]) -> None:
        """Record that a tier is expanded, with the tiers and utilities that were met."""
        if None in results:  # a move within the tier, after all
            return
        utilities = {tuple(each) for result in results for each in result["utilities"]}
        known = {tuple(each) for each in self.manifest.utilities}
        self.manifest.utilities.extend(list(each) for each in sorted(utilities - known))
        if len(self.manifest.utilities) >= MAX_UTILITIES:  # endless play may be one more
            raise Unsupported(
                f"the game ends with more than {MAX_UTILITIES - 1} different utilities"
            )
        numbers = {each.tier for each in self.manifest.tiers}
        met = {number for result in results for number in result["tiers"]}
        self.manifest.tiers.extend(Tier(number) for number in sorted(met - numbers))
        tier.expanded = True
        self._save(self._receipts(tier, "expand"))

    def _expand_cyclic(self, tier: Tier) -> None:
        """Close a tier under the moves within it, and expand it."""
        later = [each for each in self.manifest.tiers if each.tier > tier.tier]
        results = self._all("close", close, tier, later)
        tier.splits, tier.parts = [], [Part(part_name(tier.tier, 0), results[0]["states"])]
        self._advance(tier, results)

    def _runs(self, tier: Tier) -> list[Path]:
        """Return the runs from which a tier was made."""
        return list(self.folder.glob(f"{run_name(tier.tier)}-*"))

    def _receipts(self, tier: Tier, stage: str) -> list[Path]:
        """Return the receipts of a stage."""
        return list(self.folder.glob(f"{stage}-{tier.tier:05}-*.json"))

    def _save(self, useless: Sequence[Path] = ()) -> None:
        """Write the manifest, and from time to time wait until it is on the disk.

        Only then the files are removed that it makes useless.
        """
        self.useless.extend(useless)
        force = perf_counter() - self.forced > FORCE_AFTER
        self.manifest.save(self.folder, force=force)
        if force:
            for path in self.useless:
                path.unlink(missing_ok=True)
            self.useless.clear()
            self.forced = perf_counter()
