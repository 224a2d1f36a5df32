"""How a log begins: with a form, an example, or a text that is typed or pasted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from random import Random
from typing import Any

from deduce.budget import cpu_seconds
from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.line_game import LineGame
from deduce.logs.events import write_log, write_text
from deduce.pages.features.forms import setting_controls, setup_of
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    chips,
    details,
    form,
    heading,
    join_html,
    name,
    submit,
    tag,
    textarea,
)
from deduce.pages.presenter import Act, Feature, Seen
from deduce.pages.protocol import Intent, Moment
from deduce.pages.sentences import Texts, refused
from deduce.system import registry
from deduce.system.language import Message
from deduce.system.text import whole_number

__all__ = ["Start", "example_list"]

OWN = "own"
"""The set-up that is none of the usual ones; the form then shows its controls."""

GRADES = range(1, 6)
"""How hard a puzzle can be."""

MAX_SECONDS = 4.0
"""How long a puzzle of the wanted grade is looked for (processor seconds)."""

MAX_ABOUT = 200
"""How much of an example's description is shown (characters)."""


class Start:
    """The page on which a game is set up. A game has its own by replacing some methods.

    Parameters
    ----------
    say
        The texts.
    game, page
        The name of the game, and that of the page if it differs.
    read
        Raises `BadInput` if a text cannot be read.
    """

    def __init__(
        self, say: Texts, game: str, read: Callable[[str], object], page: str = ""
    ) -> None:
        self.say, self.game, self.page, self.read = say, game, page or game, read

    def feature(self) -> Feature[Seen]:
        """Return the beginning as a part of a page."""
        return Feature(
            intents={
                "begin": Act(self.begin, *self.fields),
                "paste": Act(self._paste, "text"),
                "example": Act(self._example, "example"),
                "puzzle": Act(self._puzzle, "grade", *self.puzzle_fields),
                "text": Act(self._replace, "text"),
            },
        )

    # What a game may replace

    fields: tuple[str, ...] = ("kind", "set-*")
    """The controls of the form for a new game."""

    usual: Mapping[str, object] = {}
    """Set-ups that are offered by name, besides one of the player's own (`OWN`)."""

    puzzle_fields: tuple[str, ...] = ()
    """The controls of the form for a puzzle, besides its grade."""

    def puzzle_controls(self) -> Child:
        """Return more controls of the form for a puzzle."""
        return None

    def make_puzzle(self, intent: Intent, grade: int | None) -> str:
        """Return the log of a puzzle, of a grade as near to the wanted one as was found."""
        from deduce.steps.puzzle import make_puzzle

        game, random, end = registry.load(registry.find(self.game).hidden), Random(), cpu_seconds()
        end, found = end + MAX_SECONDS, dict[int, str]()
        while cpu_seconds() < end and not (found if grade is None else 0 in found):
            with suppress(Unsupported):
                puzzle = make_puzzle(game, seed=random.randrange(10**6), tries=1)
                found.setdefault(abs(puzzle.grade.level - (grade or 0)), puzzle.text)
        if not found:
            raise BadInput(self.say("puzzle.none"))
        return found[min(found)]

    def new_game(self) -> Html | None:
        """Return the form for a new game; ``None``: the game must be described as text."""
        if not self.blank():
            return None
        say = self.say
        start = submit(say("start.new"), class_="button main big")
        if self.usual:
            kinds = [Chip(kind, say(f"setup.kind.{kind}")) for kind in (*self.usual, OWN)]
            shown = chips(say("setup.kind"), "kind", kinds, [next(iter(self.usual))])
            own = tag("div", *self.own_controls(), class_="own")
            return form("begin", shown, own, start, id_="begin-form")
        first, *rest = list(self.own_controls()) or [Html()]
        more = details(say("start.settings"), *rest, key="settings") if rest else None
        return form("begin", first, more, start, id_="begin-form")

    def own_controls(self) -> Iterable[Html]:
        """Return the controls of a set-up of the player's own."""
        kind = self.kind()
        return setting_controls(self.say, kind) if kind else ()

    def own_game(self, intent: Intent) -> Any:
        """Return the game with the set-up of these controls; ``None``: that of `blank`."""
        kind = self.kind()
        return setup_of(kind, intent) if kind else None

    def kind(self) -> type | None:
        """Return the class whose settings are the form for a new game, if it has one by default."""
        hidden = registry.find(self.game).hidden
        kind = registry.load(hidden) if hidden else None
        return kind if isinstance(kind, type) and issubclass(kind, LineGame) else None

    def blank(self) -> str:
        """Return the log of a new game with the default set-up; empty if there is none."""
        hidden = registry.find(self.game).hidden
        if not hidden:
            return ""
        try:
            game = registry.load(hidden)()
        except (TypeError, ValueError, DeduceError):
            return ""
        with suppress(DeduceError):
            return write_text(game, [])
        try:
            return write_log(game, [])
        except Exception:
            return ""

    def begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a new game."""
        game = self.usual.get(intent.first("kind")) or self.own_game(intent)
        text = write_text(game, []) if game is not None else self.blank()
        self.read(text)
        moment.begin(self.page, text)

    def kept(self, text: str) -> str:
        """Return a text that was read as it is kept."""
        return text

    def of_example(self, text: str) -> str:
        """Return what is kept when an example file is opened; raise if it cannot be read."""
        self.read(text)
        return self.kept(text)

    # The page

    def setup(self, moment: Moment) -> Html:
        """Return the form for a new game, the examples, a text to begin with, and the rules."""
        say, entry = self.say, registry.find(self.game)
        box = textarea(say("start.label"), "text", self.blank(), rows=8)
        pasting = form("paste", box, submit(say("start.open")), id_="paste-form")
        parts = [
            heading(say("start.title"), id_="start-title"),
            self.new_game(),
            self.puzzle(),
            example_list(say, self.examples),
            details(say("start.text"), pasting, key="paste"),
        ]
        rules = registry.rules_text(entry).replace("`", "").split("\n\n")
        shown = callout(*(tag("p", part) for part in rules))
        parts.append(details(say("start.rules"), shown, key="rules"))
        return join_html(parts)

    @cached_property
    def examples(self) -> list[tuple[str, str]]:
        """The name and the text of each example file that this page can read."""
        return list(self._readable())

    def _readable(self) -> Iterator[tuple[str, str]]:
        """Yield the examples; they may be inside a ZIP archive, several games in one folder."""
        folder = registry.find(self.game).examples
        if not folder:
            return
        found = [
            file
            for file in sorted(files(folder).iterdir(), key=lambda file: file.name)
            if file.is_file() and not file.name.startswith(("_", "."))
        ]
        for file in [file for file in found if file.name.endswith(f".{self.game}")] or found:
            try:
                text = file.read_text(encoding="utf-8")
                self.of_example(text)
            except (DeduceError, UnicodeDecodeError):
                continue
            yield file.name.rpartition(".")[0], text

    def puzzle(self) -> Html | None:
        """Return the form for a puzzle; ``None``: the game cannot make one."""
        from deduce.steps.puzzle import setups_of

        say, hidden = self.say, registry.find(self.game).hidden
        try:
            setups_of(registry.load(hidden) if hidden else None)
        except Unsupported:
            return None
        return details(say("puzzle.title"), self.puzzle_form(), key="puzzle")

    def puzzle_form(self) -> Html:
        """Return the form for a puzzle: how hard it is."""
        say = self.say
        grades = [Chip("", say("puzzle.any")), *(Chip(str(g), str(g)) for g in GRADES)]
        grade = chips(say("puzzle.grade"), "grade", grades, [""])
        make = submit(say("puzzle.make"), class_="button main big")
        return form("puzzle", self.puzzle_controls(), grade, make, id_="puzzle-form")

    # Intents

    def _puzzle(self, moment: Moment, intent: Intent) -> None:
        """Make a puzzle, and hide its answers."""
        moment.begin(self.page, self.make_puzzle(intent, whole_number(intent.first("grade"))))
        moment.ui |= {"tutor": True, "puzzle": True, "view": "sheet"}
        moment.note(self.say("puzzle.begun"))

    def _example(self, moment: Moment, intent: Intent) -> None:
        """Begin with an example."""
        number = intent.index("example", 1000)
        if number >= len(self.examples):
            raise BadInput(refused("refused.example"))
        moment.begin(self.page, self.of_example(self.examples[number][1]))

    def _typed(self, intent: Intent) -> str:
        text = intent.first("text").replace("\r\n", "\n").rstrip() + "\n"
        self.read(text)
        return self.kept(text)

    def _paste(self, moment: Moment, intent: Intent) -> None:
        """Begin with a text that was pasted."""
        moment.begin(self.page, self._typed(intent))

    def _replace(self, moment: Moment, intent: Intent) -> None:
        """Replace the whole log by a text."""
        document, text = moment.log, self._typed(intent)
        for key in ("line", "cell"):
            moment.ui.pop(key, None)
        moment.document = document.to(text, (), step=Message("step.text"))
        moment.note(self.say("done.text"))


def example_list(say: Texts, examples: Iterable[tuple[str, str]]) -> Html:
    """Return a button for each example, with what it shows; empty if there is none."""
    rows = []
    for index, (title, text) in enumerate(examples):
        label = name(title.replace("-", " ").replace("_", " ").capitalize())
        about = _about(say, title, text)
        inside: Child = [tag("b", label), tag("small", about[:MAX_ABOUT])] if about else label
        rows.append(tag("li", button(inside, "example", class_="row", data_example=index)))
    if not rows:
        return Html()
    return join_html([tag("h3", say("start.examples")), tag("ul", *rows, class_="rows")])


def _about(say: Texts, title: str, text: str) -> str:
    """Return what an example shows: the comment in its first line, or ``example.TITLE``."""
    first = text.partition("\n")[0]
    if first.startswith("#"):
        return first.removeprefix("#").strip()
    try:
        return say(f"example.{title}")
    except KeyError:
        return ""
