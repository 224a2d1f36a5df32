"""The page on which a perfect-information game is explored, and played against the engine.

Values are proved if the game is small enough to be solved at once, or if a solution on disk is
given; otherwise a short search estimates them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve

from deduce.budget import cpu_seconds
from deduce.errors import BadInput, DeduceError
from deduce.pages.features.board import (
    best_marked,
    board_html,
    board_of,
    history_html,
    player_text,
    seats_html,
    status,
    worth_of,
)
from deduce.pages.features.playthrough import Playthrough, begin
from deduce.pages.features.share import text_page
from deduce.pages.features.start import Start
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    chips,
    details,
    field,
    form,
    heading,
    join_html,
    submit,
    tag,
)
from deduce.pages.presenter import (
    CACHED,
    Act,
    Feature,
    Opened,
    Presenter,
    Reader,
    Recent,
    View,
    Views,
    job_of,
    redo,
    undo,
)
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts, refused, texts_of
from deduce.search.errors import InfinitePlay
from deduce.search.game import Extra, hook, text_of_action, text_of_state
from deduce.search.limits import Limits
from deduce.search.load import action_texts, load_game, settings_of
from deduce.search.playouts import draw_outcome
from deduce.search.result import Result
from deduce.search.solvers.choose import best, solve_space
from deduce.search.space import explore

if TYPE_CHECKING:
    from deduce.search.result import Solution
    from deduce.search.tiers.table import Tablebase

__all__ = ["Playing", "Position", "play_page"]

Valued: TypeAlias = "Result[Any, Any]"
"""What an engine found out about a state."""

SOLVED = Limits(nodes=20_000, seconds=1.0, clock=cpu_seconds)
"""The limits within which a whole game is solved at once."""

SEARCH = Limits(nodes=20_000, seconds=1.0, clock=cpu_seconds)
"""The limits of each search."""

SWITCH = ("yes", "no")
"""The values of a setting that is on or off."""

MAX_SETTING = 200
"""A longer setting is refused."""


Position: TypeAlias = "Opened[Playthrough]"
"""A playthrough as the page shows it."""


def play_page(
    game: str, page: str = "", *, table: Tablebase | None = None, settings: Sequence[str] = ()
) -> Presenter[Position]:
    """Return the page of a perfect-information game.

    Parameters
    ----------
    game
        The name of its entry point.
    page
        The name of the page, if it is not that of the game: a game may have one more page.
    table
        A solution on disk, from which the values are taken.
    settings
        Those of the solution, as ``--set`` takes them; they are what a new game offers.
    """
    say = evolve(texts_of(game), scope="play")
    offered = {**settings_of(game), **dict(each.split("=", 1) for each in settings)}
    play = Playing(say, game, offered, table)
    start = PlayStart(say, game, play.read, page or game)
    start.offered = offered
    return text_page(play, Views(("board",), ("moves", "share")), start)


class PlayStart(Start):
    """The settings of a new game, and the examples, each of which is a state."""

    fields = ("set-*", "on", "from")

    offered: Mapping[str, str]
    """The settings with the values that are offered."""

    def new_game(self) -> Html:
        """Return the settings of a new game."""
        say = self.say
        words = {key: key.replace("_", " ") for key in self.offered}
        fields = [
            field(words[key], f"set-{key}", default)
            for key, default in self.offered.items()
            if default not in SWITCH
        ]
        switches = [Chip(key, words[key]) for key, now in self.offered.items() if now in SWITCH]
        parts: list[Child] = []
        if fields:
            below = tag("div", *fields, class_="settings")
            parts.append(tag("fieldset", tag("legend", say("play.settings")), below))
        if switches:
            on = [key for key, default in self.offered.items() if default == SWITCH[0]]
            parts.append(chips(say("play.switches"), "on", switches, on, many=True))
        game = load_game(self.game)
        if hook(game, Extra.parse_state):
            shown = text_of_state(game, game.initial_state())
            hint = say("play.from_hint", example=shown)
            state = field(say("play.from"), "from", hint=hint)
            parts.append(details(say("play.from"), state, key="from"))
        parts.append(submit(say("play.start"), class_="button main big"))
        return form("begin", parts, id_="begin-form")

    def of_example(self, text: str) -> str:
        """Return the playthrough that begins with the state of an example file."""
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        text = begin(self.game, load_game(self.game), start="\n".join(lines)).text()
        self.read(text)
        return text

    def begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a game with the settings of the form."""
        settings = []
        for key, default in settings_of(self.game).items():
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
        text = begin(self.game, game, settings, start, seed).text()
        self.read(text)
        moment.begin(self.page, text)


class Playing(Reader[Playthrough]):
    """Reads playthroughs, draws them, and makes moves.

    Parameters
    ----------
    say
        The texts.
    game
        The name of the game.
    offered
        The settings of the solution on disk, or those of the game.
    table
        A solution on disk.
    """

    def __init__(
        self, say: Texts, game: str, offered: Mapping[str, str], table: Tablebase | None
    ) -> None:
        super().__init__(say, lambda text: Playthrough.read(game, text))
        self.game, self._offered, self._table = game, offered, table
        self._solutions: Recent[Solution[Any, Any] | None] = Recent(3)
        self._results: Recent[Valued] = Recent(4 * CACHED)

    def feature(self) -> Feature[Position]:
        """Return playing as a part of a page."""
        return Feature(
            views={
                "board": View(self._board, ("colours", "picked")),
                "moves": View(lambda sight, ui, jobs: history_html(self.say, sight.value)),
            },
            intents={
                "take": Act(self._take, "move", "ply"),
                "pick": Act(self._pick, "move", "ply"),
                "typed": Act(self._typed, "move"),
                "roll": Act(self._roll, "ply"),
                "back": Act(self._back, "ply"),
                "engine": Act(self._engine, "engine"),
                "colours": Act(self._colours),
                "undo": Act(self._undo, of_players=True),
                "redo": Act(self._redo, of_players=True),
            },
            jobs={
                "colours": self._colour_job,
                "reply": self._reply_job,
            },
        )

    def title(self, value: Playthrough) -> str:
        """Return the title of the game, and the number of moves."""
        return self.say("play.saved", game=self.say.heading, n=len(value.moves))

    def subtitle(self, sight: Position) -> Child:
        """Return the number of moves."""
        return self.say("play.count", n=len(sight.value.moves))

    # Moves

    def _run(self, moment: Moment) -> Playthrough:
        return self.read(moment.log.text)

    def _to(self, moment: Moment, run: Playthrough, key: str, **values: object) -> None:
        text = run.text()
        self._opened.get(text, lambda: run)
        moment.step(text, key, **values)

    def _at(self, moment: Moment, intent: Intent) -> Playthrough | None:
        """Return the playthrough; ``None`` if the move was made by an earlier tap on it.

        Any other tap on a page that shows an earlier position is refused.
        """
        run = self._run(moment)
        ply = intent.index("ply", len(run.moves) + 1)
        if ply == len(run.moves):
            return run
        if intent.values.get("move", run.moves[ply]) == run.moves[ply]:
            return None
        raise BadInput(refused("refused.earlier"))

    def _play(self, moment: Moment, run: Playthrough, move: str) -> None:
        after = run.play(move)
        played = after.moves[-1]
        if run.outcomes is not None:
            told = self.say("play.drawn", number=played.removeprefix("chance "))
        else:
            who = player_text(self.say, run.game, run.game.to_move(run.state))
            told = self.say("play.played", name=who, move=run.words(played))
        self._to(moment, after, "step.play", move=told)
        moment.note(told)
        if after.is_over:
            moment.note(status(self.say, after), "good")

    def _take(self, moment: Moment, intent: Intent) -> None:
        """Make a move."""
        if run := self._at(moment, intent):
            self._play(moment, run, intent.values.get("move", ""))

    def _pick(self, moment: Moment, intent: Intent) -> None:
        """Keep how the next move begins; a second tap forgets it."""
        chosen = f"{intent.values.get('ply')} {intent.values.get('move')}"
        moment.ui["picked"] = None if moment.ui.get("picked") == chosen else chosen

    def _typed(self, moment: Moment, intent: Intent) -> None:
        """Make a move that was typed."""
        typed = " ".join(intent.first("move").split())
        if not typed:
            raise BadInput(self.say("log.empty"))
        self._play(moment, self._run(moment), typed)

    def _roll(self, moment: Moment, intent: Intent) -> None:
        """Draw an outcome of chance."""
        if run := self._at(moment, intent):
            self._play(moment, run, self._drawn(run))

    def _drawn(self, run: Playthrough) -> str:
        outcomes = run.outcomes
        if outcomes is None:
            raise BadInput(refused("refused.no_chance"))
        after = draw_outcome(outcomes, Random(f"{run.seed} {run.moves}"))
        number = next(n for n, (state, _) in enumerate(outcomes, start=1) if state == after)
        return f"chance {number}"

    def _back(self, moment: Moment, intent: Intent) -> None:
        """Go back to the position before a move; the engine then waits."""
        run = self._run(moment)
        ply = intent.index("ply", len(run.moves))
        back = run.upto(ply)
        if back.waits_for_engine:
            back = evolve(back, engine=frozenset())
        self._to(moment, back, "step.back", number=ply + 1)

    def _engine(self, moment: Moment, intent: Intent) -> None:
        """Choose the players whose moves the engine makes."""
        run = self._run(moment)
        players = {str(player) for player in range(run.game.players)}
        chosen = frozenset(int(p) for p in intent.form.get("engine", ()) if p in players)
        if chosen != run.engine:
            self._to(moment, evolve(run, engine=chosen), "step.engine")

    def _undo(self, moment: Moment, intent: Intent) -> None:
        """Take back the last move, and the engine's moves that led to it."""
        undo(self.say, moment)
        while moment.log.past and self._run(moment).waits_for_engine:
            undo(self.say, moment)
        del moment.notices[:-1]

    def _redo(self, moment: Moment, intent: Intent) -> None:
        """Repeat a move, and the engine's answers."""
        redo(self.say, moment)
        while moment.log.future and self._run(moment).waits_for_engine:
            redo(self.say, moment)

    # Views

    def _board(self, sight: Position, ui: Ui, jobs: list[Job]) -> Html:
        """Return the position with its moves, coloured by their values where that is wanted."""
        say, run = self.say, sight.value
        parts: list[Child] = [heading(status(say, run), id_="turn-title")]
        ply, _, picked = str(ui.get("picked")).partition(" ")
        picked = picked if ply == str(len(run.moves)) else ""
        board, chosen = board_of(run), not run.is_over and run.outcomes is None
        shown: Child = board_html(say, run, board, picked=picked)
        if chosen and not run.waits_for_engine and self._shows_values(run, ui):
            job = job_of(sight, "colours", "", picked=picked)
            slot = job.key.replace(" ", "-")
            jobs.append(evolve(job, slot=slot))
            shown = tag("div", shown, data_slot=slot, data_key=slot)
        parts.append(shown)
        if run.waits_for_engine:
            jobs.append(job_of(sight, "reply", "reply"))
            parts += [tag("p", say("play.thinks")), tag("div", data_slot="reply")]
        elif chosen and not board.is_control:
            *_, example = action_texts(run.game, run.state)
            hint = say("play.from_hint", example=example)
            typed = field(say("play.type"), "move", hint=hint, enterkeyhint="go")
            play = submit(say("play.type_button"), class_="button")
            parts.append(form("typed", typed, play, class_="inline", id_="move-form"))
        if chosen:
            on = self._shows_values(run, ui)
            parts.append(button(say("play.colours"), "colours", aria_pressed=str(on).lower()))
        parts.append(seats_html(say, run))
        return join_html(parts)

    def _shows_values(self, run: Playthrough, ui: Ui) -> bool:
        """Return whether the values colour the board: in a game against the engine on demand."""
        chosen = ui.get("colours")
        return chosen if isinstance(chosen, bool) else not run.engine

    def _colours(self, moment: Moment, intent: Intent) -> None:
        """Show or hide what the moves are worth."""
        moment.ui["colours"] = not self._shows_values(self._run(moment), moment.ui)

    def _colour_job(self, sight: Position, job: Job) -> Iterator[Html]:
        """Yield the board with its moves coloured by what they are worth, and the best one."""
        yield Html()
        say, run = self.say, sight.value
        result = yield from self._result(run)
        solution = self._solutions.get((run.settings, run.start), lambda: _solve(run))

        def distance(action: Any) -> int | None:
            with suppress(BadInput):
                if solution is not None:
                    after = solution.result(run.game.result(run.state, action)).distance
                    return None if after is None else after + 1
            return None

        worth = worth_of(say, run, result, distance)
        best = [text_of_action(run.game, run.state, action) for action in result.best_actions]
        marked = best_marked(say, run, worth, best)
        parts: list[Child] = [
            board_html(say, run, board_of(run), marked, str(job.values.get("picked", "")))
        ]
        for move in best[:1]:
            look, words = worth.get(move, ("guess", ""))
            kind = "estimate" if "guess" in look else "exact"
            named = run.words(move)
            told = say("play.best_move", move=named, worth=words) if words else named
            note = say("play.table") if self._in_table(run) else ""
            if kind == "estimate":
                note = say("play.estimate")
            parts.append(tag("p", tag("strong", told), " ", tag("small", note), data_advice=kind))
        yield join_html(parts)

    # Jobs

    def _reply_job(self, sight: Position, job: Job) -> Iterator[Html]:
        """Yield the move of the engine as a button, which the page taps itself."""
        yield Html()
        run = sight.value
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
            self.say("play.engine_move", move=run.words(move)), "take", data_move=move,
            data_ply=len(run.moves), data_auto=True,
        )  # fmt: skip

    def _in_table(self, run: Playthrough) -> bool:
        """Return whether the solution on disk is of the game with these settings."""
        chosen = {**settings_of(self.game), **dict(each.split("=", 1) for each in run.settings)}
        return self._table is not None and chosen == self._offered

    def _result(self, run: Playthrough) -> Generator[Html, None, Valued]:
        """Return the values of the moves of a position; yields between the parts of the work."""
        if self._in_table(run):
            assert self._table is not None
            with suppress(DeduceError):
                found: Valued = self._table.result(run.state)
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
