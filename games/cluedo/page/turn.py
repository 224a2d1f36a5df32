"""The drawer in which a turn is tapped: who suggests, three cards, the answers in seat order.

A tap on "shows" fills in that the players before, in seat order, passed: it is visible at once, and
can be changed before the turn is added. So a turn with two passes and a show takes five taps: three
cards, the show, and Add.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import structure
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    choices,
    heading,
    holder,
    name,
    short,
    shortened,
    tag,
)
from deduce.pages.protocol import index_of
from deduce.pages.sentences import Texts, refused
from deduce.system import language
from games.cluedo.events import Accusation, Event, Has, HasNot, Show, Suggestion
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp

__all__ = [
    "PASS",
    "TurnDraft",
    "expected_suggester",
    "is_over",
    "player_labels",
    "show_buttons",
    "show_callout",
    "showable",
    "turn_page",
    "who_html",
]

KINDS = ("suggestion", "accusation", "card")
PASS, SHOW, UNSEEN = "pass", "show", ""


@frozen
class TurnDraft:
    """A turn as far as it was tapped.

    Parameters
    ----------
    kind
        ``"suggestion"``, ``"accusation"`` or ``"card"``.
    by
        The player; of a card, the holder.
    cards
        The index of the chosen card of each category; -1: none yet.
    answers
        Player -> ``"pass"``, ``"show"``, or the index of the card that was seen.
    right
        Whether the accusation was right.
    card
        The index of the card that was seen; -1: none yet.
    has
        Whether the holder has it.
    open
        The question that was opened again; empty: none.
    event
        The index of the event that is corrected; -1: the turn is a new one.
    line
        That event, as it is in the log.
    """

    kind: str
    by: str
    cards: tuple[int, ...]
    answers: Mapping[str, str] = field(factory=dict)
    right: bool = False
    card: int = -1
    has: bool = True
    open: str = ""
    event: int = -1
    line: str = ""

    @classmethod
    def new(cls, game: SetUp, by: str, kind: str = "suggestion") -> TurnDraft:
        """Return an empty draft of a turn of a player."""
        return cls(kind, by, (-1,) * len(game.deck))

    @classmethod
    def from_ui(cls, game: SetUp, fields: object, by: str) -> TurnDraft:
        """Return the draft that the page kept; an empty one if it kept none that fits."""
        try:
            draft = structure(fields, cls)
        except BadInput:
            return cls.new(game, by)
        fits = (
            draft.kind in KINDS
            and draft.by in draft.who(game)
            and draft.answers.keys() <= {*game.players}
            and len(draft.cards) == len(game.deck)
            and all(-1 <= card < len(game.cards) for card in (*draft.cards, draft.card))
        )
        return draft.tidied(game) if fits else cls.new(game, by)

    @classmethod
    def of(cls, game: SetUp, event: Event) -> TurnDraft | None:
        """Return the draft of an event; ``None`` if the drawer cannot show all of it."""
        match event:
            case Has(holder, card, None) | HasNot(holder, card, None):
                return evolve(cls.new(game, holder, "card"), card=game.cards.index(card),
                              has=isinstance(event, Has))  # fmt: skip
            case Suggestion(by, cards) | Accusation(by, cards):
                kind = "suggestion" if isinstance(event, Suggestion) else "accusation"
            case _:
                return None
        numbers = [[game.cards.index(card) for card in cards if card in category]
                   for category in game.deck.values()]  # fmt: skip
        if any(len(each) > 1 for each in numbers) or sum(map(len, numbers)) < len(cards):
            return None
        draft = cls(kind, by, tuple(each[0] if each else -1 for each in numbers))
        if isinstance(event, Accusation):
            return evolve(draft, right=event.correct)
        answers = dict.fromkeys(event.passes, PASS)
        for show in event.shows:
            answers[show.by] = SHOW if show.card is None else str(game.cards.index(show.card))
        return evolve(draft, answers=answers)

    def who(self, game: SetUp) -> tuple[str, ...]:
        """Return the players, or the holders, whose turn or card it may be."""
        return game.holders if self.kind == "card" else game.players

    def places(self, game: SetUp) -> list[str]:
        """Return the fields of the named cards."""
        return [f"c{place}" for place in range(len(game.deck))] if self.kind != "card" else []

    def question(self, game: SetUp) -> str:
        """Return the question that is open: the chosen one, or the first without an answer."""
        if self.open in ("by", *self.places(game)):
            return self.open
        if self.kind == "card":
            return "card"
        free = game.free_suggestions and any(card >= 0 for card in self.cards)
        missing = [key for key, card in zip(self.places(game), self.cards, strict=True) if card < 0]
        return missing[0] if missing and not (free and self.answers) else "answers"

    def picked(self, game: SetUp, field: str, value: str) -> TurnDraft:
        """Return the draft after a tap on a choice; a second tap on an answer takes it back."""
        draft = evolve(self, open="")
        if field == "kind" and value in KINDS:
            by = self.by if self.by in game.players else game.players[0]
            return evolve(draft, kind=value, by=by, open="by")
        if field == "by":
            who = self.who(game)
            return evolve(draft, by=who[index_of(value, len(who))], answers={})
        if field in self.places(game):
            place = int(field[1:])
            card = index_of(value, len(game.cards))
            if game.cards[card] not in list(game.deck.values())[place]:
                raise BadInput(refused("refused.old_page"))
            cards = (*self.cards[:place], card, *self.cards[place + 1 :])
            return evolve(draft, cards=cards).tidied(game)
        if field == "card":
            return evolve(draft, card=index_of(value, len(game.cards)))
        if field == "has":
            return evolve(draft, has=value == "has")
        if field == "right":
            return evolve(draft, right=value == "right")
        if field == "nobody":
            return evolve(draft, answers=dict.fromkeys(self.order(game), PASS))
        player = game.players[index_of(field.removeprefix("a"), len(game.players))]
        answers = {**self.answers, player: value}
        if self.answers.get(player) == value:
            del answers[player]
        return evolve(draft, answers=answers).tidied(game, player)

    def tidied(self, game: SetUp, tapped: str = "") -> TurnDraft:
        """Return the draft with the passes before a show that was just tapped."""
        known = {PASS, SHOW, *(str(card) for card in self.cards if card >= 0)}
        answers = {player: answer if answer in known else SHOW
                   for player, answer in self.answers.items()}  # fmt: skip
        order = self.order(game)
        if tapped in order and answers.get(tapped, PASS) != PASS:
            for earlier in order[: order.index(tapped)]:
                answers.setdefault(earlier, PASS)
        return evolve(self, answers=answers)

    def order(self, game: SetUp) -> Sequence[str]:
        """Return the others, from the left of the player."""
        return game.after(self.by) if self.by in game.players else ()

    def event_of(self, game: SetUp, say: Texts, viewer: str | None = None) -> Event:
        """Return the event; raise `BadInput` if something is missing.

        On the page of one player of several, a card that was seen is known to that player only.
        """
        if self.kind == "card":
            if self.card < 0:
                raise BadInput(say("turn.which_card"))
            seen_by = None if viewer is None else (viewer,)
            return (Has if self.has else HasNot)(self.by, game.cards[self.card], seen_by)
        if not game.free_suggestions or all(card < 0 for card in self.cards):
            for category, card in zip(game.deck, self.cards, strict=True):
                if card < 0:
                    raise BadInput(say("turn.missing", category=category))
        cards = tuple(game.cards[card] for card in self.cards if card >= 0)
        if self.kind == "accusation":
            return Accusation(self.by, cards, self.right)
        answers = [(player, self.answers.get(player)) for player in self.order(game)]
        passes = tuple(player for player, answer in answers if answer == PASS)
        shows = tuple(
            Show(player, None if answer == SHOW else game.cards[int(answer)])
            for player, answer in answers
            if answer not in (None, PASS)
        )
        return Suggestion(self.by, cards, passes, shows)

    def is_untouched(self) -> bool:
        """Return whether nothing is chosen yet but who suggests."""
        return self.kind == "suggestion" and not self.answers and set(self.cards) == {-1}

    def is_complete(self) -> bool:
        """Return whether a card of each category is chosen."""
        return all(card >= 0 for card in self.cards)


def expected_suggester(game: SetUp, events: Sequence[Event]) -> str:
    """Return the player whose turn is probably next.

    It is the next in seat order after the last turn who has not accused wrongly; at the beginning
    the first player.
    """
    out = {e.by for e in events if isinstance(e, Accusation) and not e.correct}
    last = next((e.by for e in reversed(events) if isinstance(e, Suggestion | Accusation)), None)
    if last is None:
        return game.players[0]
    return next((player for player in game.after(last) if player not in out), last)


def is_over(events: Iterable[Event]) -> bool:
    """Return whether somebody has accused rightly."""
    return any(isinstance(event, Accusation) and event.correct for event in events)


def showable(game: SetUp, draft: TurnDraft, me: str | None) -> bool:
    """Return whether it is now the viewer who answers."""
    if draft.kind != "suggestion" or me is None or not draft.is_complete():
        return False
    if me == draft.by or me in draft.answers:
        return False
    order = draft.order(game)
    return all(draft.answers.get(each, PASS) == PASS for each in order[: order.index(me)])


def turn_page(
    say: Texts,
    game: SetUp,
    draft: TurnDraft,
    *,
    hints: Mapping[str, str],
    me: str | None,
    above: Child,
    number: int | None = None,
) -> Html:
    """Return the drawer in which a turn is entered: one question after the other.

    All questions are in the page. A phone shows the one that is open, with what is chosen above it;
    a wide page, and one that corrects an event, shows all of them.

    Parameters
    ----------
    say
        The texts.
    game
        The set-up.
    draft
        What was tapped.
    hints
        Card -> where it is known to be.
    me
        The player whose page it is.
    above
        What is above the questions.
    number
        The number of the event that is corrected.
    """
    now, shown = draft.question(game), []
    for key, picked, body in _questions(say, game, draft, hints, me):
        state = "now" if key == now else "done" if picked else "later"
        again = button(picked, "ask", class_="picked", data_ask=key) if picked else None
        shown.append(tag("section", again, body, class_=f"question {state}", id=f"ask-{key}"))
    if number is None:
        ready = draft.kind == "card" or draft.is_complete() or game.free_suggestions
        buttons = [
            button(say("turn.add"), "add", class_="button main"),
            button(say("turn.clear"), "clear", class_="button quiet"),
        ]
        look = "turn" if ready and now not in ("by", *draft.places(game)) else "turn early"
    else:
        look = "turn all"
        buttons = [
            button(say("log.save"), "add", class_="button main"),
            button(say("turn.cancel"), "clear"),
            button(say("log.drop"), "drop", class_="button danger", data_event=number - 1),
            button(say("turn.as_text"), "line", class_="button quiet", data_event=number - 1,
                   data_text="yes"),
        ]  # fmt: skip
    title = None if number is None else heading(say("turn.correct", n=number), id_="correct-title")
    ends = tag("div", *buttons, class_="buttons sticky")
    return tag("div", title, above, *shown, ends, class_=look, id="turn-form")


def _questions(
    say: Texts, game: SetUp, draft: TurnDraft, hints: Mapping[str, str], me: str | None
) -> Iterator[tuple[str, str, Child]]:
    """Yield the questions of a turn: the key, what is chosen, the choices."""
    kinds = [Chip(kind, say(f"turn.kind.{kind}")) for kind in KINDS]
    kind = choices(say("turn.kind"), "pick", kinds, [draft.kind], data_field="kind")
    labels = {ENVELOPE: say("turn.envelope"), UNDEALT: say("turn.undealt")}
    who = [labels.get(each, each) for each in draft.who(game)]
    seat = draft.who(game).index(draft.by)
    seats = [Chip(str(at), each) for at, each in enumerate(player_labels(who))]
    chosen = say(f"turn.picked.{draft.kind}", name=who[seat])
    whose = choices(
        say(f"turn.by.{draft.kind}"),
        "pick",
        seats,
        [str(seat)],
        class_="players",
        data_field="by",
    )
    yield "by", chosen, [kind, whose]
    if draft.kind == "card":
        yield from _card_questions(say, game, draft, hints)
        return
    for place, (category, cards) in enumerate(game.deck.items()):
        key, at = f"c{place}", draft.cards[place]
        body = _cards(short(category), key, game, cards, at, hints)
        yield key, "" if at < 0 else game.cards[at], body
    if draft.kind == "accusation":
        right = [Chip(r, say(f"turn.right.{r}")) for r in ("wrong", "right")]
        yield "answers", "", choices(
            say("turn.right"), "pick", right, ["right" if draft.right else "wrong"],
            data_field="right",
        )  # fmt: skip
    else:
        yield "answers", "", _answers(say, game, draft, me)


def _card_questions(
    say: Texts, game: SetUp, draft: TurnDraft, hints: Mapping[str, str]
) -> Iterator[tuple[str, str, Child]]:
    has = [Chip("has", say("turn.has.has")), Chip("not", say("turn.has.not"))]
    held = choices(say("turn.has"), "pick", has, ["has" if draft.has else "not"], data_field="has")
    groups = [
        _cards(short(category), "card", game, cards, draft.card, hints)
        for category, cards in game.groups().items()
    ]
    yield "card", "", [held, *groups]


def _cards(
    legend: str, key: str, game: SetUp, cards: Sequence[str], at: int, hints: Mapping[str, str]
) -> Html:
    row = [
        Chip(str(game.cards.index(card)), name(card), short(hints.get(card, "")),
             faint=card in hints)
        for card in cards
    ]  # fmt: skip
    return choices(legend, "pick", row, [str(at)], class_="cards", data_field=key)


def player_labels(players: Sequence[str]) -> list[Html]:
    """Return what shows the names of players."""
    return [holder(label, each) for label, each in zip(shortened(players), players, strict=True)]


def who_html(title: str, players: Sequence[str]) -> Html:
    """Return the question which player one is."""
    seats = [Chip(str(seat), label) for seat, label in enumerate(player_labels(players))]
    return choices(title, "me", seats, [], class_="players")


def _answers(say: Texts, game: SetUp, draft: TurnDraft, me: str | None) -> Html:
    rows, labels = [], player_labels(game.players)
    named = [card for card in draft.cards if card >= 0 and game.cards[card] not in game.face_up]
    for player in draft.order(game):
        seat, answer = game.players.index(player), draft.answers.get(player, UNSEEN)
        entries = [Chip(PASS, say("turn.pass"))]
        if me != player:
            entries.append(Chip(SHOW, say("turn.show")))
        seen = named if me in (None, player, draft.by) else []
        if answer.isdecimal() and int(answer) not in seen:
            seen = [*seen, int(answer)]
        entries += [Chip(str(card), name(game.cards[card])) for card in seen]
        rows.append(
            choices(labels[seat], "pick", entries, [answer], class_="answer", data_field=f"a{seat}")
        )
    none = button(say("turn.nobody"), "pick", class_="button wide", data_field="nobody")
    title = tag("p", say("turn.answers"), id="answers-title", class_="title")
    return tag("section", title, none, *rows, class_="answers", role="group",
               aria_labelledby="answers-title")  # fmt: skip


def show_callout(
    say: Texts, game: SetUp, draft: TurnDraft, held: Sequence[str], me: str, slot: str
) -> Html:
    """Return the question which card the viewer shows, each card one tap."""
    seat = game.players.index(me)
    if not held:
        answer = button(say("turn.i_pass"), "pick", class_="button main", data_field=f"a{seat}",
                        data_value=PASS)  # fmt: skip
        return tag("div", callout(tag("p", say("turn.hold_none")), answer), id="mine")
    key = "turn.hold_one" if len(held) == 1 else "turn.hold"
    question = tag(
        "p", tag("strong", say(key, cards=language.listed([short(card) for card in held])))
    )
    cards = {card: game.cards.index(card) for card in held}
    shown = tag("div", show_buttons(say, cards, seat), data_slot=slot, data_key=slot)
    return tag("div", callout(question, shown, kind="mine"), id="mine")


def show_buttons(
    say: Texts, cards: Mapping[str, int], seat: int, best: Collection[str] = ()
) -> Html:
    """Return a button for each card that can be shown, the best one highlighted."""
    return tag(
        "div",
        *(
            button(say("turn.show_card", card=card), "pick", data_field=f"a{seat}",
                   data_value=index, data_key=str(index),
                   class_="button main" if card in best or len(cards) == 1 else "button")
            for card, index in cards.items()
        ),
        class_="buttons",
    )  # fmt: skip
