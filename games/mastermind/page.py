"""The page of Mastermind: a guess and its answer by tapping, the sheet, the next guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from deduce.budget import Budget
from deduce.errors import BadInput, Undecided
from deduce.pages.features.advice import Advising, advice_html, ranked
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.features.start import Start
from deduce.pages.hidden import hidden_page
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    chips,
    field,
    form,
    heading,
    join_html,
    name,
    submit,
    tag,
)
from deduce.pages.presenter import Act, Feature, Presenter, View, Views
from deduce.pages.protocol import Intent, Job, Moment, Ui, keep_numbers, numbers
from deduce.pages.sentences import Texts
from deduce.policy.advice import Advice, RatedInquiry, Unknown
from deduce.policy.inquiries import Inquiry
from deduce.system.arrays import has_arrays, needs_arrays
from deduce.system.language import decimal_text
from deduce.system.text import whole_number
from games.mastermind.events import Code, Guess
from games.mastermind.game import Mastermind
from games.mastermind.notation import format_code, format_pegs

__all__ = ["mastermind_page"]

KINDS = {
    "mastermind": Mastermind(slots=4, colours=6),
    "super": Mastermind(slots=5, colours=8),
    "bulls": Mastermind(slots=4, colours=10, repeat=False),
}
"""The set-ups that are offered."""

COMPARED = 30_000
"""How many answers are worked out for advice where numpy is missing."""

MARK = 3
"""How many letters of a colour are on a peg."""

MIN_GUESSES = 12
"""How many guesses are compared at least."""


def mastermind_page() -> Presenter[Sight]:
    """Return the page of Mastermind."""
    return hidden_page(
        "mastermind",
        views=Views(("turn", "sheet"), ("log", "advice", "tutor", "share")),
        start=CodeStart,
        advice=NextGuess,
        own=lambda say, book: [Guessing(say, book).feature()],
    )


class CodeStart(Start):
    """A usual set-up, or one of any size."""

    fields = ("kind", "slots", "colours", "repeat")
    usual = KINDS

    def own_controls(self) -> list[Html]:
        """Return the controls of the size."""
        say = self.say
        repeat = [Chip(value, say(f"setup.repeat.{value}")) for value in ("yes", "no")]
        return [
            field(say("setup.slots"), "slots", "4", inputmode="numeric"),
            field(say("setup.colours"), "colours", "6", inputmode="numeric"),
            chips(say("setup.repeat"), "repeat", repeat, ["yes"]),
        ]

    def own_game(self, intent: Intent) -> Mastermind:
        """Return the game of a size that was typed."""
        slots, colours = (self._number(intent, what) for what in ("slots", "colours"))
        return Mastermind(slots, colours, intent.first("repeat", "yes") == "yes")

    def _number(self, intent: Intent, what: str) -> int:
        number = whole_number(intent.first(what))
        if number is None:
            value = intent.first(what)
            raise BadInput(self.say("setup.number", what=self.say(f"setup.{what}"), value=value))
        return number


class Guessing:
    """The view ``turn``: the guesses so far, and the next one, which is ``ui["guess"]``."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return guessing as a part of a page."""
        answer = ("s*", "black", "white")
        return Feature(
            views={"turn": View(self._view, ("guess", "slot"))},
            intents={
                "slot": Act(self._choose, "number", *answer),
                "peg": Act(self._put, "colour", *answer),
                "draft": Act(self._keep, *answer),
                "clear": Act(self._clear),
                "use": Act(self._use, "code"),
                "add": Act(self._add, *answer),
            },
        )

    def _counts(self, game: Mastermind) -> dict[str, int]:
        """Return how many can be chosen for each slot, and of each kind of peg."""
        slots = {f"s{slot}": len(game.colours) for slot in range(1, game.slots + 1)}
        return slots | dict.fromkeys(("black", "white"), game.slots + 1)

    def _choose(self, moment: Moment, intent: Intent) -> None:
        """Choose the slot that gets the next colour; a second tap empties it."""
        game, draft = self._kept(moment, intent)
        slot = 1 + intent.index("number", game.slots)
        if moment.ui.get("slot") == slot:
            draft.pop(f"s{slot}", None)
        moment.ui["slot"] = slot

    def _put(self, moment: Moment, intent: Intent) -> None:
        """Put a colour into the chosen slot, or the first that is empty, and go on to the next."""
        game, draft = self._kept(moment, intent)
        slot = self._slot(game, moment.ui, draft)
        if slot is not None:
            draft[f"s{slot}"] = intent.index("colour", len(game.colours))
        moment.ui.pop("slot", None)

    def _slot(
        self, game: Mastermind, ui: Mapping[str, object], draft: Mapping[str, int]
    ) -> int | None:
        """Return the slot that gets the next colour; ``None``: all are full, and none is chosen."""
        slots = range(1, game.slots + 1)
        chosen = ui.get("slot")
        if type(chosen) is int and chosen in slots:
            return chosen
        return next((slot for slot in slots if f"s{slot}" not in draft), None)

    def _kept(self, moment: Moment, intent: Intent) -> tuple[Mastermind, dict[str, int]]:
        """Keep what is tapped of a guess, and return it with the game."""
        game = self._book.read(moment.log.text).game
        return game, keep_numbers(moment, intent, "guess", self._counts(game))

    def _keep(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a guess."""
        self._kept(moment, intent)

    def _clear(self, moment: Moment, intent: Intent) -> None:
        """Empty the guess."""
        moment.ui.pop("guess", None)
        moment.ui.pop("slot", None)

    def _use(self, moment: Moment, intent: Intent) -> None:
        """Begin the guess that the advice names."""
        game = self._book.read(moment.log.text).game
        code = game.parse_code(intent.values.get("code", ""))
        moment.ui["guess"] = {
            f"s{slot}": game.colours.index(colour) for slot, colour in enumerate(code, start=1)
        }
        moment.ui.pop("slot", None)
        self._book.views.open(moment.ui, "turn")
        moment.focus = "guess-form"

    def _add(self, moment: Moment, intent: Intent) -> None:
        """Add the guess to the log."""
        game, draft = self._kept(moment, intent)
        for slot in range(1, game.slots + 1):
            if f"s{slot}" not in draft:
                raise BadInput(self.say("guess.missing", n=slot))
        if "black" not in draft or "white" not in draft:
            raise BadInput(self.say("guess.answer"))
        code = tuple(game.colours[draft[f"s{slot}"]] for slot in range(1, game.slots + 1))
        event = Guess(code, draft["black"], draft["white"])
        game.check(event)
        self._book.add(moment, self._book.written(self._book.read(moment.log.text), event))
        moment.ui.pop("guess", None)

    # Views

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the guesses so far, and the form of the next one."""
        draft = numbers(ui, "guess", self._counts(sight.game))
        slot = self._slot(sight.game, ui, draft)
        return join_html([self._board(sight), self._form(sight.game, draft, slot)])

    def _board(self, sight: Sight) -> Html:
        say, game = self.say, sight.game
        if not sight.log.events:
            return tag("p", say("guess.none"))
        items = []
        for event in sight.log.events:
            answer = format_pegs(game, event.answer)
            label = say("guess.row", code=format_code(game, event.code), answer=answer)
            keys = [tag("span", class_=f"key {kind}")
                    for kind in ["black"] * event.black + ["white"] * event.white]  # fmt: skip
            shown = tag("span", *_pegs(game, event.code), tag("span", *keys, class_="keys"),
                        tag("small", answer), aria_hidden="true", class_="guess")  # fmt: skip
            items.append(tag("li", tag("span", label, class_="hidden"), shown))
        return join_html([heading(say("guess.board")), tag("ol", *items, class_="guesses")])

    def _form(self, game: Mastermind, draft: Mapping[str, int], now: int | None) -> Html:
        say = self.say
        slots: list[Child] = []
        for slot in range(1, game.slots + 1):
            inside, what = tag("span", str(slot), class_="peg empty"), say("guess.empty")
            if f"s{slot}" in draft:
                what = game.colours[draft[f"s{slot}"]]
                [inside] = _pegs(game, [what])
            slots.append(
                button(inside, "slot", class_="slot", data_number=slot - 1,
                       data_key=f"slot-{slot}", aria_current="true" if slot == now else None,
                       aria_label=say("guess.slot", n=slot, what=what))
            )  # fmt: skip
        colours = [
            button(
                tag("span", name(colour), class_=_look(game, colour)), "peg", class_="slot",
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
        clear = button(say("guess.clear"), "clear")
        buttons = tag("div", submit(say("guess.add")), clear, class_="buttons sticky")
        chosen, palette = (
            tag("div", *shown, class_="slots", role="group", aria_label=say(title))
            for shown, title in ((slots, "guess.title"), (colours, "guess.colours"))
        )
        hint = tag("p", say("guess.hint" if now else "guess.full"), class_="hint")
        return form("add", heading(say("guess.title")), chosen, palette, hint, *answers, buttons,
                    draft="draft", id_="guess-form")  # fmt: skip


class NextGuess(Advising):
    """The guess that leaves fewest codes, as coloured pegs."""

    def ask(
        self,
        sight: Sight,
        budget: Budget,
        samples: int | None,
        inquiries: Sequence[Inquiry] | None = None,
    ) -> Advice:
        """Return the advice within a budget; without numpy over some guesses only."""
        if inquiries is None and not needs_arrays(waits=False):
            inquiries = self._some(sight)
        return super().ask(sight, budget, samples, inquiries)

    def drawn(self, sight: Sight, advice: Advice) -> Html:
        """Return the recommendation."""
        say, groups = self.say, ranked(advice)
        if not groups:
            return tag("p", say("advice.none"))
        best, same = groups[0]
        why = [self._left(best)]
        if not has_arrays():
            why.append(say("advice.some", n=len(advice.ranking)))
        others = []
        for rated, _ in groups[1:]:
            row = tag("div", self._shown(sight, rated), self._use(rated), class_="inline spread")
            others.append(tag("li", row, tag("small", self._left(rated)), class_="asked"))
        use = self._use(best, "button main")
        return advice_html(say, advice, self._shown(sight, best), why, use, others, same=same)

    def _shown(self, sight: Sight, rated: RatedInquiry) -> Html:
        pegs = _pegs(sight.game, rated.inquiry)  # type: ignore[arg-type]
        return join_html([tag("span", *pegs, class_="guess", aria_hidden="true"),
                          tag("span", name(rated.text), class_="hidden")])  # fmt: skip

    def _use(self, rated: RatedInquiry, look: str = "button") -> Html:
        return button(self.say("advice.use"), "use", class_=look, data_code=rated.text)

    def _left(self, rated: RatedInquiry) -> str:
        average, worst = rated.expected_worlds, rated.worst_worlds
        if isinstance(average, Unknown) or isinstance(worst, Unknown):
            return ""
        mean = decimal_text(f"{average:.1f}".removesuffix(".0"))
        return self.say("advice.left_worst", average=mean, n=worst)

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


def _look(game: Mastermind, colour: str) -> str:
    return f"peg c{game.colours.index(colour) % 10}"


def _pegs(game: Mastermind, code: Sequence[str]) -> list[Html]:
    return [tag("span", colour[:MARK], class_=_look(game, colour)) for colour in code]
