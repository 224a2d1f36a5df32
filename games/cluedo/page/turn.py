"""Entering a turn by tapping: who suggests, three cards, the answers in seat order.

A tap on "shows" fills in that the players before, in seat order, passed: it is visible at once, and
can be changed before the turn is added. So a turn with two passes and a show takes five taps: three
cards, the show, and Add.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import asdict, evolve, field, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import structure
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    chips,
    form,
    name,
    short,
    submit,
    tag,
)
from deduce.pages.protocol import Intent, index_of
from deduce.pages.sentences import Texts
from deduce.system.text import join
from games.cluedo.events import Accusation, Event, Has, HasNot, Show, Suggestion
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp

__all__ = ["TurnDraft", "expected_suggester", "show_callout", "showable", "turn_page"]

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
        The seat of the player; of a card, the index of the holder.
    cards
        The index of the chosen card of each category; -1: none yet.
    answers
        Seat -> ``"pass"``, ``"show"``, or the index of the card that was seen.
    right
        Whether the accusation was right.
    card
        The index of the card that was seen; -1: none yet.
    has
        Whether the holder has it.
    """

    kind: str = "suggestion"
    by: int = 0
    cards: tuple[int, ...] = ()
    answers: Mapping[int, str] = field(factory=dict)
    right: bool = False
    card: int = -1
    has: bool = True

    @classmethod
    def new(cls, game: SetUp, by: int, kind: str = "suggestion") -> TurnDraft:
        """Return an empty draft of a turn of a player."""
        return cls(kind, by, (-1,) * len(game.deck))

    @classmethod
    def from_ui(cls, game: SetUp, fields: object, by: int) -> TurnDraft:
        """Return the draft that the page kept; an empty one if it kept none that fits."""
        if not isinstance(fields, dict):
            return cls.new(game, by)
        try:
            answers = fields.get("answers", {}).items()
            seats = {index_of(seat, len(game.players)): answer for seat, answer in answers}
            draft = structure({**fields, "answers": seats}, cls)
        except (AttributeError, BadInput):
            return cls.new(game, by)
        fits = (
            draft.kind in KINDS
            and 0 <= draft.by < len(game.holders if draft.kind == "card" else game.players)
            and len(draft.cards) == len(game.deck)
            and all(-1 <= card < len(game.cards) for card in (*draft.cards, draft.card))
        )
        return draft.tidied(game) if fits else cls.new(game, by)

    def to_ui(self) -> dict[str, object]:
        """Return what the page keeps."""
        answers = {str(seat): answer for seat, answer in self.answers.items()}
        return asdict(self) | {"cards": list(self.cards), "answers": answers}

    def changed(self, game: SetUp, intent: Intent) -> TurnDraft:
        """Return the draft with what is chosen on the page now."""
        kind = intent.first("kind", self.kind)
        by = _number(intent.first("by"), len(game.holders), self.by)
        if kind not in KINDS or (by >= len(game.players) and not kind == self.kind == "card"):
            return TurnDraft.new(game, 0)
        cards = tuple(
            _number(intent.first(f"c{place}"), len(game.cards), -1)
            for place in range(len(game.deck))
        )
        answers = {
            seat: intent.first(f"a{seat}")
            for seat in range(len(game.players))
            if intent.first(f"a{seat}") != UNSEEN and seat != by
        }
        right = intent.first("right") == "right"
        card = _number(intent.first("card"), len(game.cards), -1)
        has = intent.first("has", "has") == "has"
        draft = TurnDraft(kind, by, cards, answers, right, card, has)
        if by != self.by:
            draft = evolve(draft, answers={})
        return draft.tidied(game, intent.changed)

    def tidied(self, game: SetUp, changed: Sequence[str] = ()) -> TurnDraft:
        """Return the draft with the passes before a show that was just tapped."""
        answers: dict[int, str] = {}
        for seat, answer in self.answers.items():
            named = answer in (PASS, SHOW) or _number(answer, len(game.cards), -2) in self.cards
            answers[seat] = answer if named else SHOW
        order = self.order(game)
        for control in changed:
            tapped = _number(control[1:], len(game.players), -1) if control[:1] == "a" else -1
            if tapped in order and answers.get(tapped, PASS) != PASS:
                for earlier in order[: order.index(tapped)]:
                    answers.setdefault(earlier, PASS)
        return evolve(self, answers=answers)

    def order(self, game: SetUp) -> list[int]:
        """Return the seats of the others, from the left of the player."""
        if self.by >= len(game.players):
            return []
        return [game.players.index(player) for player in game.after(game.players[self.by])]

    def event(self, game: SetUp, say: Texts, viewer: str | None = None) -> Event:
        """Return the event; raise `BadInput` if something is missing.

        On the page of one player of several, a card that was seen is known to that player only.
        """
        if self.kind == "card":
            if self.card < 0:
                raise BadInput(say("turn.which_card"))
            holder, seen = game.holders[self.by], game.cards[self.card]
            seen_by = None if viewer is None else (viewer,)
            return (Has if self.has else HasNot)(holder, seen, seen_by)
        by = game.players[self.by]
        if not game.free_suggestions or all(card < 0 for card in self.cards):
            for category, card in zip(game.deck, self.cards, strict=True):
                if card < 0:
                    raise BadInput(say("turn.missing", category=category))
        cards = tuple(game.cards[card] for card in self.cards if card >= 0)
        if self.kind == "accusation":
            return Accusation(by, cards, self.right)
        order = self.order(game)
        passes = tuple(game.players[s] for s in order if self.answers.get(s) == PASS)
        shows = tuple(
            Show(game.players[s], None if answer == SHOW else game.cards[int(answer)])
            for s in order
            if (answer := self.answers.get(s, PASS)) != PASS
        )
        return Suggestion(by, cards, passes, shows)

    def complete(self) -> bool:
        """Return whether a card of each category is chosen."""
        return all(card >= 0 for card in self.cards)


def _number(text: str, count: int, default: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < count:
        return int(text)
    return default


def expected_suggester(game: SetUp, events: Sequence[Event]) -> int:
    """Return the seat of the player whose turn is probably next.

    It is the next in seat order after the last turn who has not accused wrongly; at the beginning
    the keeper of the log, or the first player.
    """
    out = {e.by for e in events if isinstance(e, Accusation) and not e.correct}
    last = next((e.by for e in reversed(events) if isinstance(e, Suggestion | Accusation)), None)
    if last is None:
        return 0
    waiting = [player for player in game.after(last) if player not in out]
    return game.players.index(waiting[0] if waiting else last)


def showable(game: SetUp, draft: TurnDraft, hand: Sequence[str], me: str | None) -> bool:
    """Return whether it is now the viewer who answers."""
    if draft.kind != "suggestion" or me is None or not draft.complete():
        return False
    seat = game.players.index(me)
    if seat == draft.by or seat in draft.answers:
        return False
    before = draft.order(game)
    before = before[: before.index(seat)]
    return all(draft.answers.get(other, PASS) == PASS for other in before)


def turn_page(
    say: Texts,
    game: SetUp,
    draft: TurnDraft,
    *,
    hints: Mapping[str, str],
    me: str | None,
    over: bool,
    mine: Child,
) -> Html:
    """Return the form of a turn.

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
    over
        Whether the game is over.
    mine
        What the viewer may show.
    """
    kinds = [Chip(kind, say(f"turn.kind.{kind}")) for kind in KINDS]
    parts: list[Child] = [
        tag("p", say("turn.over"), class_="hint") if over else None,
        chips(say("turn.kind"), "kind", kinds, [draft.kind], hidden_legend=True, class_="segment"),
    ]
    if draft.kind == "card":
        parts += _card_parts(say, game, draft, hints)
    else:
        key = "turn.by" if draft.kind == "suggestion" else "turn.by_accusation"
        seats = [Chip(str(s), name(player)) for s, player in enumerate(game.players)]
        parts.append(chips(say(key), "by", seats, [str(draft.by)], class_="players"))
        parts += _card_rows(game, draft, hints)
        if draft.kind == "suggestion":
            parts.append(_answers(say, game, draft, me))
            parts.append(mine)
        else:
            right = [Chip(r, say(f"turn.right.{r}")) for r in ("wrong", "right")]
            chosen = "right" if draft.right else "wrong"
            parts.append(chips(say("turn.right"), "right", right, [chosen]))
    buttons = tag(
        "div",
        submit(say("turn.add")),
        button(say("turn.clear"), "clear", class_="button quiet"),
        class_="buttons sticky",
    )
    return form("add", *parts, buttons, draft="draft", id_="turn-form", class_="turn")


def _card_rows(game: SetUp, draft: TurnDraft, hints: Mapping[str, str]) -> Iterator[Html]:
    for place, (category, cards) in enumerate(game.deck.items()):
        row = [_card_chip(game.cards.index(card), card, hints) for card in cards]
        chosen = [str(draft.cards[place])]
        yield chips(short(category), f"c{place}", row, chosen, class_="cards")


def _card_chip(index: int, card: str, hints: Mapping[str, str]) -> Chip:
    hint = hints.get(card, "")
    return Chip(str(index), name(card), short(hint)[:12], faint=bool(hint))


def _card_parts(
    say: Texts, game: SetUp, draft: TurnDraft, hints: Mapping[str, str]
) -> Iterator[Html]:
    labels = {ENVELOPE: say("turn.envelope"), UNDEALT: say("turn.undealt")}
    holders = [
        Chip(str(place), labels[holder] if holder in labels else name(holder))
        for place, holder in enumerate(game.holders)
    ]
    yield chips(say("turn.by_card"), "by", holders, [str(draft.by)], class_="players")
    has = [Chip("has", say("turn.has.has")), Chip("not", say("turn.has.not"))]
    yield chips(say("turn.has"), "has", has, ["has" if draft.has else "not"])
    for category, cards in game.groups().items():
        row = [_card_chip(game.cards.index(card), card, hints) for card in cards]
        yield chips(short(category), "card", row, [str(draft.card)], class_="cards")


def _answers(say: Texts, game: SetUp, draft: TurnDraft, me: str | None) -> Html:
    rows = []
    named = [card for card in draft.cards if card >= 0 and game.cards[card] not in game.face_up]
    for seat in draft.order(game):
        player = game.players[seat]
        choices = [
            Chip(UNSEEN, [tag("span", say("turn.unseen"), aria_hidden="true"),
                          tag("span", say("turn.unseen_label"), class_="hidden")]),
            Chip(PASS, say("turn.pass")),
        ]  # fmt: skip
        if me != player:
            choices.append(Chip(SHOW, say("turn.show")))
        if me in (None, player, game.players[draft.by]):
            choices += [Chip(str(card), name(game.cards[card])) for card in named]
        elif draft.answers.get(seat, "").isdecimal():
            choices.append(Chip(draft.answers[seat], name(game.cards[int(draft.answers[seat])])))
        answer = draft.answers.get(seat, UNSEEN)
        rows.append(chips(name(player), f"a{seat}", choices, [answer], class_="answer"))
    nobody = button(say("turn.nobody"), "nobody", class_="button quiet")
    return tag(
        "fieldset",
        tag("legend", say("turn.answers")),
        *rows,
        tag("div", nobody, class_="buttons"),
        class_="answers",
    )


def show_callout(say: Texts, game: SetUp, draft: TurnDraft, held: Sequence[str], me: str) -> Html:
    """Return the question which card the viewer shows, each card one tap."""
    seat = game.players.index(me)
    if not held:
        return callout(
            tag("p", say("turn.hold_none")),
            button(say("turn.pass"), "answer", data_seat=seat, data_answer=PASS),
            kind="mine",
        )
    key = "turn.hold_one" if len(held) == 1 else "turn.hold"
    buttons = [
        button(
            say("turn.show_card", card=card),
            "answer",
            data_seat=seat,
            data_answer=game.cards.index(card),
        )
        for card in held
    ]
    return callout(
        tag("p", say(key, cards=join([short(card) for card in held]))),
        tag("div", *buttons, class_="buttons"),
        tag("div", data_slot="show"),
        kind="mine",
    )
