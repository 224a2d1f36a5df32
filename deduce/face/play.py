"""The page on which a perfect-information game is explored, and played against the engine.

Values are proved if the game is small enough to be solved at once, or if a solution on disk is
given; otherwise a short search estimates them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import evolve, frozen

from deduce import registry
from deduce.errors import BadInput, DeduceError
from deduce.face import share
from deduce.face.base import CACHED, DocumentPresenter, Recent
from deduce.face.document import Document
from deduce.face.examples import example, examples, start_page
from deduce.face.frame import Views, frame
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.parts import Chip, button, chips, field, form, heading
from deduce.face.playthrough import Playthrough, begin
from deduce.face.playviews import (
    board_html,
    history_html,
    moves_html,
    seats_html,
    status,
    values_html,
    values_of,
)
from deduce.face.presenter import Intent, Job, Moment
from deduce.face.sentences import PLAY_TEXTS, START_TEXTS, refused
from deduce.search.errors import InfinitePlay
from deduce.search.game import Extra, hook, text_of_action, text_of_player, text_of_state
from deduce.search.limits import Limits
from deduce.search.load import load_game, settings_of
from deduce.search.playouts import draw_outcome
from deduce.search.result import Result
from deduce.search.solvers.choose import best, solve_space
from deduce.search.space import explore

if TYPE_CHECKING:
    from deduce.search.solution import Solution
    from deduce.search.tiers.table import Tablebase

__all__ = ["PlayFace", "Position"]

SOLVED = Limits(nodes=20_000, seconds=1.0)
"""The limits within which a whole game is solved at once."""

SEARCH = Limits(nodes=20_000, seconds=1.0)
"""The limits of each search."""

SWITCH = ("yes", "no")
"""The values of a setting that is on or off."""

MAX_SETTING = 200
"""A longer setting is refused."""


@frozen
class Position:
    """A playthrough as the page shows it."""

    document: Document
    run: Playthrough
    viewer: str | None = None


class PlayFace(DocumentPresenter):
    """The page of a perfect-information game; see `deduce.face.presenter.Presenter`.

    Parameters
    ----------
    game
        The name of its entry point.
    page
        The name of the page: that of the game, or another if the game has one more page.
    table
        A solution on disk, from which the values are taken.
    settings
        Those of the solution, as ``--set`` takes them; they are what a new game offers.
    """

    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    views = Views(("board",), ("values", "moves", "share"))

    def __init__(
        self,
        game: str,
        page: str | None = None,
        *,
        table: Tablebase | None = None,
        settings: Sequence[str] = (),
    ) -> None:
        self.game, self.name = game, page or game
        title = game.replace("-", " ").capitalize()
        self.tables = (PLAY_TEXTS, START_TEXTS, {"title": title})
        self.table = table
        self.settings = settings_of(game)
        self.offered = {**self.settings, **dict(each.split("=", 1) for each in settings)}
        super().__init__()
        self._runs: Recent[Playthrough] = Recent(4 * CACHED)
        self._solutions: Recent[Solution[Any, Any] | None] = Recent(3)
        self._results: Recent[Result[Any, Any]] = Recent(4 * CACHED)

    # What a document states

    def read(self, text: str) -> Playthrough:
        """Return the playthrough of a text; raise `BadInput` if it cannot be read."""
        return self._runs.get(text, lambda: Playthrough.read(self.game, text))

    def sight(self, document: Document, viewer: str | None = None) -> Position:
        """Return the playthrough of a document."""
        return Position(document, self.read(document.text), viewer)

    def saved_title(self, document: Document) -> str:
        """Return the title of the game in the list of saved games."""
        try:
            count = len(self.read(document.text).moves)
        except DeduceError:
            count = 0
        return self.say("play.saved", game=self.say("title"), n=count)

    def frame(self, sight: Position, ui: dict[str, Any]) -> Html:
        """Return the frame of the page."""
        return frame(
            self.say,
            self.open_views(sight.viewer),
            ui,
            sight.document,
            title=self.say("title"),
            subtitle=self.say("play.count", n=len(sight.run.moves)),
        )

    # Set-up

    def setup(self, moment: Moment) -> Html:
        """Return the settings of a new game, and the examples."""
        say, entry = self.say, registry.find(self.game)
        words = {key: key.replace("_", " ") for key in self.offered}
        fields = [
            field(words[key], f"set-{key}", default)
            for key, default in self.offered.items()
            if default not in SWITCH
        ]
        switches = [Chip(key, words[key]) for key, now in self.offered.items() if now in SWITCH]
        start: Child = None
        game = load_game(self.game)
        if hook(game, Extra.parse_state):
            shown = text_of_state(game, game.initial_state())
            entry_field = field(say("play.from"), "from", hint=say("play.from_hint", example=shown))
            start = tag("details", tag("summary", say("play.from")), entry_field, data_key="from")
        submit = tag("button", say("play.start"), type="submit", class_="button main big")
        settings: list[Child] = []
        if fields:
            below = tag("div", *fields, class_="settings")
            settings.append(tag("fieldset", tag("legend", say("play.settings")), below))
        if switches:
            on = [key for key, default in self.offered.items() if default == SWITCH[0]]
            settings.append(chips(say("play.switches"), "on", switches, on, many=True))
        new = form("begin", settings, start, submit, id_="begin-form")
        rules = registry.load(entry.rules) if entry.rules else ""
        found = examples(self.game, self._read_example)
        return start_page(say, found, new=new, rules=rules)

    def _read_example(self, text: str) -> Playthrough:
        return begin(self.game, load_game(self.game), start=_one_line(text))

    def do_begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a game with the settings of the form."""
        settings = []
        for key, default in self.settings.items():
            value = " ".join(intent.first(f"set-{key}", self.offered[key]).split())
            if self.offered[key] in SWITCH:
                value = SWITCH[0 if key in intent.form.get("on", ()) else 1]
            if len(value) > MAX_SETTING:
                raise BadInput(refused("refused.setting", name=key, n=MAX_SETTING))
            if value != default:
                settings.append(f"{key}={value}")
        game = load_game(self.game, settings)
        start = " ".join(intent.first("from").split()) or None
        seed = Random().randrange(1, 10**6) if hook(game, Extra.outcomes) else 0
        self._start(moment, begin(self.game, game, settings, start, seed))

    def do_example(self, moment: Moment, intent: Intent) -> None:
        """Begin with an example."""
        number = intent.index("example", 1000)
        self._start(moment, self._read_example(example(self.game, self._read_example, number)))

    def _start(self, moment: Moment, run: Playthrough) -> None:
        text = run.text()
        self.read(text)
        moment.begin(self.name, text)

    # Moves

    def _run(self, moment: Moment) -> Playthrough:
        return self.read(moment.log.text)

    def _to(self, moment: Moment, run: Playthrough, key: str, **values: Any) -> None:
        text = run.text()
        self._runs.get(text, lambda: run)
        moment.step(text, key, **values)

    def _at(self, moment: Moment, intent: Intent) -> Playthrough:
        """Return the playthrough; refuse a tap on a page that shows an earlier position."""
        run = self._run(moment)
        if intent.values.get("ply") != str(len(run.moves)):
            raise BadInput(refused("refused.earlier"))
        return run

    def _play(self, moment: Moment, run: Playthrough, move: str) -> None:
        after = run.play(move)
        played = after.moves[-1]
        if run.outcomes is not None:
            told = self.say("play.drawn", number=played.removeprefix("chance "))
        else:
            who = text_of_player(run.game, run.game.to_move(run.state))
            told = self.say("play.played", name=who, move=played)
        self._to(moment, after, "step.play", move=told)
        moment.note(told)
        if after.is_over:
            moment.note(status(self.say, after), "good")

    def do_take(self, moment: Moment, intent: Intent) -> None:
        """Make a move."""
        self._play(moment, self._at(moment, intent), intent.values.get("move", ""))

    def do_typed(self, moment: Moment, intent: Intent) -> None:
        """Make a move that was typed."""
        typed = " ".join(intent.first("move").split())
        if not typed:
            raise BadInput(self.say("log.empty"))
        self._play(moment, self._run(moment), typed)

    def do_roll(self, moment: Moment, intent: Intent) -> None:
        """Draw an outcome of chance."""
        run = self._at(moment, intent)
        self._play(moment, run, self._drawn(run))

    def _drawn(self, run: Playthrough) -> str:
        outcomes = run.outcomes
        if outcomes is None:
            raise BadInput(refused("refused.no_chance"))
        after = draw_outcome(outcomes, Random(f"{run.seed} {run.moves}"))
        number = next(n for n, (state, _) in enumerate(outcomes, start=1) if state == after)
        return f"chance {number}"

    def do_back(self, moment: Moment, intent: Intent) -> None:
        """Go back to the position before a move; the engine then waits."""
        run = self._run(moment)
        ply = intent.index("ply", len(run.moves))
        back = run.upto(ply)
        if back.waits_for_engine:
            back = evolve(back, engine=frozenset())
        self._to(moment, back, "step.back", number=ply + 1)

    def do_engine(self, moment: Moment, intent: Intent) -> None:
        """Choose the players whose moves the engine makes."""
        run = self._run(moment)
        players = {str(player) for player in range(run.game.players)}
        chosen = frozenset(int(p) for p in intent.form.get("engine", ()) if p in players)
        if chosen != run.engine:
            self._to(moment, evolve(run, engine=chosen), "step.engine")

    def do_undo(self, moment: Moment, intent: Intent) -> None:
        """Take back the last move, and the engine's moves that led to it."""
        super().do_undo(moment, intent)
        while moment.log.past and self._run(moment).waits_for_engine:
            super().do_undo(moment, intent)
        del moment.notices[:-1]

    def do_redo(self, moment: Moment, intent: Intent) -> None:
        """Repeat a move, and the engine's answers."""
        super().do_redo(moment, intent)
        while moment.log.future and self._run(moment).waits_for_engine:
            super().do_redo(moment, intent)

    # Views

    def view_board(self, sight: Position, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the position with its moves."""
        say, run = self.say, sight.run
        parts: list[Child] = [board_html(say, run)]
        if run.waits_for_engine:
            jobs.append(self.job(sight, "reply", "reply"))
            parts += [tag("p", say("play.thinks")), tag("div", data_slot="reply")]
        elif not run.is_over:
            parts += [tag("h3", say("play.moves")), moves_html(say, run)]
            if run.outcomes is None:
                typed = tag(
                    "label", tag("span", say("play.type")),
                    tag("input", type="text", name="move", autocomplete="off", enterkeyhint="go"),
                    class_="field",
                )  # fmt: skip
                play = tag("button", say("play.type_button"), type="submit", class_="button")
                parts.append(form("typed", typed, play, class_="inline", id_="move-form"))
        parts.append(seats_html(say, run))
        return join_html(parts)

    def view_values(self, sight: Position, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the values of the moves, when they are computed."""
        title = heading(self.say("play.values"))
        if sight.run.is_over or sight.run.outcomes is not None:
            return join_html([title, tag("p", self.say("play.no_values"))])
        jobs.append(self.job(sight, "values", "values"))
        return join_html([title, tag("div", data_slot="values")])

    def view_moves(self, sight: Position, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the moves so far."""
        return history_html(self.say, sight.run)

    def view_share(self, sight: Position, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the links, the file and the text of the playthrough."""
        return share.share_view(self.say, sight.document, None)

    # Jobs

    def job_values(self, sight: Position, job: Job) -> Iterator[Html]:
        """Yield the value of every move."""
        yield Html()
        run = sight.run
        result = yield from self._result(run)

        def solved(proved: bool) -> str:  # noqa: FBT001 (one value)
            if proved:
                return self.say("play.table" if self._in_table(run) else "play.proved")
            some = any(value.proved for value in result.root_values.values())
            return self.say("play.some_proved" if some else "play.estimate")

        yield values_html(self.say, run, values_of(run, result), solved=solved)

    def job_reply(self, sight: Position, job: Job) -> Iterator[Html]:
        """Yield the move of the engine as a button, which the page taps itself."""
        yield Html()
        run = sight.run
        if not run.waits_for_engine:
            return
        if run.outcomes is not None:
            move = self._drawn(run)
        else:
            result = yield from self._result(run)
            action = result.best_action
            if action is None:
                action = run.game.actions(run.state)[0]
            move = text_of_action(run.game, run.state, action)
        yield button(
            self.say("play.engine_move", move=move), "take", data_move=move,
            data_ply=len(run.moves), data_auto=True,
        )  # fmt: skip

    def _in_table(self, run: Playthrough) -> bool:
        """Return whether the solution on disk is of the game with these settings."""
        chosen = {**self.settings, **dict(each.split("=", 1) for each in run.settings)}
        return self.table is not None and chosen == self.offered

    def _result(self, run: Playthrough) -> Generator[Html, None, Result[Any, Any]]:
        """Return the values of the moves of a position; yields between the parts of the work."""
        if self._in_table(run):
            assert self.table is not None
            with suppress(DeduceError):
                found: Result[Any, Any] = self.table.result(run.state)
                return found
        solution = self._solutions.get((run.settings, run.start), lambda: _solve(run))
        yield Html()
        if solution is not None:
            with suppress(BadInput):  # a state that cannot be reached from the root
                return solution.result(run.state)
        key = run.settings, run.state
        return self._results.get(
            key, lambda: best(run.game, run.state, limits=SEARCH, all_values=True)
        )


def _solve(run: Playthrough) -> Solution[Any, Any] | None:
    """Return the solution of the whole game, if the game is small enough."""
    space = explore(run.game, run.states[0], limits=SOLVED)
    with suppress(InfinitePlay):
        return None if space.frontier else solve_space(space)
    return None


def _one_line(text: str) -> str:
    """Return the state of an example file: its lines without comments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return "\n".join(lines)
