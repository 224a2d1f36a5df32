"""The presenter of Mastermind: a guess and its answer by tapping, the sheet, the next guess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from random import Random
from typing import Any, ClassVar

from deduce.errors import BadInput, Undecided
from deduce.events import write_text
from deduce.face.frame import Views
from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.logs import JOB_BUDGET, Sight
from deduce.face.parts import Chip, button, chips, field, form, heading
from deduce.face.presenter import Intent, Job, Moment
from deduce.face.sheet import SheetFace
from deduce.face.texts import Table
from deduce.policy.advice import RatedInquiry
from deduce.text import whole_number
from games.mastermind.events import Code, Guess
from games.mastermind.face.texts import TEXTS
from games.mastermind.game import Mastermind
from games.mastermind.notation import format_code, format_pegs

__all__ = ["MastermindFace"]

KINDS: Mapping[str, Any] = {
    "mastermind": {"slots": 4, "colours": 6, "repeat": True},
    "super": {"slots": 5, "colours": 8, "repeat": True},
    "bulls": {"slots": 4, "colours": 10, "repeat": False},
}
"""The set-ups that are offered."""

COMPARED = 30_000
"""How many answers are worked out for advice where numpy is missing."""

MIN_GUESSES, MAX_SHOWN = 12, 8
"""How many guesses are compared at least, and how many are shown."""


class MastermindFace(SheetFace):
    """The face of Mastermind; see `deduce.face.presenter.Presenter`."""

    tables: tuple[Table, ...] = (TEXTS,)
    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {**SheetFace.depends, "turn": ("guess",)}

    def __init__(self) -> None:
        super().__init__("mastermind")
        self.views = Views(("turn", "sheet"), ("log", "advice", "tutor", "share"))

    # Set-up

    def new_game(self, moment: Moment) -> Html:
        """Return the form for a new game."""
        say = self.say
        kinds = [Chip(kind, say(f"setup.kind.{kind}")) for kind in (*KINDS, "own")]
        repeat = [Chip(value, say(f"setup.repeat.{value}")) for value in ("yes", "no")]
        own = tag(
            "div",
            field(say("setup.slots"), "slots", "4", inputmode="numeric"),
            field(say("setup.colours"), "colours", "6", inputmode="numeric"),
            chips(say("setup.repeat"), "repeat", repeat, ["yes"]),
            class_="own",
        )
        submit = tag("button", say("setup.start"), type="submit", class_="button main big")
        return form(
            "begin",
            chips(say("setup.kind"), "kind", kinds, ["mastermind"]),
            own,
            submit,
            id_="begin-form",
        )

    def do_begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a game."""
        kind = intent.first("kind")
        if kind in KINDS:
            game = Mastermind(**KINDS[kind])
        else:
            slots, colours = (self._number(intent, what) for what in ("slots", "colours"))
            game = Mastermind(slots, colours, intent.first("repeat", "yes") == "yes")
        moment.begin(self.name, write_text(game, []))

    def _number(self, intent: Intent, what: str) -> int:
        number = whole_number(intent.first(what))
        if number is None:
            value = intent.first(what)
            raise BadInput(self.say("setup.number", what=self.say(f"setup.{what}"), value=value))
        return number

    # A guess

    def _draft(self, game: Mastermind, ui: Mapping[str, Any]) -> dict[str, int]:
        """Return what is tapped of a guess: control -> index."""
        draft = ui.get("guess")
        if not isinstance(draft, dict):
            return {}
        most = {f"s{slot}": len(game.colours) for slot in range(1, game.slots + 1)}
        most |= {"black": game.slots + 1, "white": game.slots + 1}
        return {
            key: value
            for key, value in draft.items()
            if key in most and type(value) is int and 0 <= value < most[key]
        }

    def do_slot(self, moment: Moment, intent: Intent) -> None:
        """Choose the slot that gets the next colour; a second tap empties it."""
        self.do_draft(moment, intent)
        game, draft = self.read(moment.log.text).game, moment.ui["guess"]
        slot = 1 + intent.index("number", game.slots)
        if moment.ui.get("slot") == slot:
            draft.pop(f"s{slot}", None)
        moment.ui["slot"] = slot

    def do_peg(self, moment: Moment, intent: Intent) -> None:
        """Put a colour into the chosen slot, or the first that is empty, and go on to the next."""
        self.do_draft(moment, intent)
        game, draft = self.read(moment.log.text).game, moment.ui["guess"]
        slot = self._slot(game, moment.ui, draft)
        if slot is not None:
            draft[f"s{slot}"] = intent.index("colour", len(game.colours))
        moment.ui.pop("slot", None)

    def _slot(
        self, game: Mastermind, ui: Mapping[str, Any], draft: Mapping[str, int]
    ) -> int | None:
        """Return the slot that gets the next colour; ``None``: all are full, and none is chosen."""
        slots = range(1, game.slots + 1)
        chosen = ui.get("slot")
        if type(chosen) is int and chosen in slots:
            return chosen
        return next((slot for slot in slots if f"s{slot}" not in draft), None)

    def do_draft(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a guess."""
        draft = self._draft(self.read(moment.log.text).game, moment.ui)
        for key in intent.form:
            value = whole_number(intent.first(key))
            if value is not None:
                draft[key] = value
        moment.ui["guess"] = self._draft(self.read(moment.log.text).game, {"guess": draft})

    def do_clear(self, moment: Moment, intent: Intent) -> None:
        """Empty the guess."""
        moment.ui.pop("guess", None)
        moment.ui.pop("slot", None)

    def do_use(self, moment: Moment, intent: Intent) -> None:
        """Begin the guess that the advice names."""
        game = self.read(moment.log.text).game
        code = game.parse_code(intent.values.get("code", ""))
        moment.ui["guess"] = {
            f"s{slot}": game.colours.index(colour) for slot, colour in enumerate(code, start=1)
        }
        moment.ui.pop("slot", None)
        self.views.open(moment.ui, "turn")
        moment.focus = "guess-form"

    def do_add(self, moment: Moment, intent: Intent) -> None:
        """Add the guess to the log."""
        self.do_draft(moment, intent)
        log = self.read(moment.log.text)
        game, draft = log.game, moment.ui["guess"]
        for slot in range(1, game.slots + 1):
            if f"s{slot}" not in draft:
                raise BadInput(self.say("guess.missing", n=slot))
        if "black" not in draft or "white" not in draft:
            raise BadInput(self.say("guess.answer"))
        code = tuple(game.colours[draft[f"s{slot}"]] for slot in range(1, game.slots + 1))
        event = Guess(code, draft["black"], draft["white"])
        game.check(event)
        self.add(moment, self.written(log, event))
        moment.ui.pop("guess", None)

    # Views

    def view_turn(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the guesses so far, and the form of the next one."""
        draft = self._draft(sight.game, ui)
        slot = self._slot(sight.game, ui, draft)
        return join_html([self._board(sight), self._form(sight.game, draft, slot)])

    def _board(self, sight: Sight) -> Html:
        say, game = self.say, sight.game
        if not sight.log.events:
            return tag("p", say("guess.none"))
        items = []
        for event in sight.log.events:
            answer = format_pegs(game, (event.black, event.white))
            label = say("guess.row", code=format_code(game, event.code), answer=answer)
            pegs = [tag("span", self._mark(game, colour), class_=self._look(game, colour))
                    for colour in event.code]  # fmt: skip
            kinds = ["black"] * event.black + ["white"] * event.white
            keys = [tag("span", class_=f"key {kind}") for kind in kinds]
            shown = tag("span", *pegs, tag("span", *keys, class_="keys"), tag("small", answer),
                        aria_hidden="true", class_="guess")  # fmt: skip
            items.append(tag("li", tag("span", label, class_="hidden"), shown))
        return join_html([heading(say("guess.board")), tag("ol", *items, class_="guesses")])

    def _mark(self, game: Mastermind, colour: str) -> str:
        return colour[:3]

    def _look(self, game: Mastermind, colour: str) -> str:
        return f"peg c{game.colours.index(colour) % 10}"

    def _form(self, game: Mastermind, draft: Mapping[str, int], now: int | None) -> Html:
        say = self.say
        slots: list[Child] = []
        for slot in range(1, game.slots + 1):
            if f"s{slot}" in draft:
                colour = game.colours[draft[f"s{slot}"]]
                inside = tag("span", self._mark(game, colour), class_=self._look(game, colour))
                what = colour
            else:
                inside, what = tag("span", str(slot), class_="peg empty"), say("guess.empty")
            slots.append(
                button(inside, "slot", class_="slot", data_number=slot - 1,
                       data_key=f"slot-{slot}", aria_current="true" if slot == now else None,
                       aria_label=say("guess.slot", n=slot, what=what))
            )  # fmt: skip
        colours = [
            button(
                tag("span", name(colour), class_=self._look(game, colour)), "peg", class_="slot",
                data_colour=index, data_key=f"colour-{index}", disabled=now is None,
            )
            for index, colour in enumerate(game.colours)
        ]  # fmt: skip
        counts = [Chip(str(count), str(count)) for count in range(game.slots + 1)]
        answers = [
            chips(say(f"guess.{kind}"), kind, counts,
                  [str(draft[kind])] if kind in draft else [], class_="segment")
            for kind in ("black", "white")
        ]  # fmt: skip
        add = tag("button", say("guess.add"), type="submit", class_="button main")
        buttons = tag("div", add, button(say("guess.clear"), "clear"), class_="buttons sticky")
        chosen = tag("div", *slots, class_="slots", role="group", aria_label=say("guess.title"))
        palette = tag(
            "div", *colours, class_="slots", role="group", aria_label=say("guess.colours")
        )
        hint = tag("p", say("guess.hint" if now else "guess.full"), class_="hint")
        return form("add", heading(say("guess.title")), chosen, palette, hint, *answers, buttons,
                    draft="draft", id_="guess-form")  # fmt: skip

    def job_advice(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the most informative guesses."""
        yield Html()
        say, game = self.say, sight.game
        knowledge = sight.knowledge.using(budget=JOB_BUDGET)
        guesses: list[Code] | None = None
        if find_spec("numpy") is None:
            guesses = self._some(sight)
        advice = knowledge.advise(guesses)
        items = []
        for rated in advice.ranking[:MAX_SHOWN]:
            use = button(say("advice.use"), "use", data_code=rated.text)
            pegs = [tag("span", self._mark(game, colour), class_=self._look(game, colour))
                    for colour in rated.inquiry]  # type: ignore[attr-defined]  # fmt: skip
            head = tag("p", tag("span", *pegs, class_="guess", aria_hidden="true"),
                       tag("span", name(rated.text), class_="hidden"))  # fmt: skip
            row = tag("div", head, use, class_="inline spread")
            items.append(tag("li", row, tag("small", self._left(rated)), class_="asked"))
        note = say("advice.exact" if advice.is_exact else "advice.estimate")
        if guesses is not None:
            note = f"{note} {say('advice.some', n=len(guesses))}"
        yield join_html([tag("ul", *items, class_="rows"), tag("p", note, class_="hint")])

    def _left(self, rated: RatedInquiry) -> Child:
        average, worst = rated.expected_worlds, rated.worst_worlds
        bits = f"{rated.gain_bits:.2f}"
        if average is None or worst is None:
            return self.say("advice.gain", bits=bits)
        return self.say("advice.left", bits=bits, average=f"{average:.1f}", worst=worst)

    def _some(self, sight: Sight) -> list[Code]:
        """Return guesses to compare: possible codes, and others; drawn, always the same."""
        game = sight.game
        try:
            count = max(MIN_GUESSES, COMPARED // max(1, sight.knowledge.count()))
        except Undecided:
            count = MIN_GUESSES
        random = Random(str(sight.log.events))
        worlds = sight.knowledge.sample(max(1, count // 2), seed=0)
        codes = dict.fromkeys(map(game.code_of, worlds))
        codes |= dict.fromkeys(game.random_code(random) for _ in range(count - len(codes)))
        return list(codes)
