"""The page on which a game of Cluedo is set up: edition, players, who has more cards, my hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict, evolve, frozen

from deduce.errors import BadInput
from deduce.face.html import Child, Html, join_html, name, short, tag
from deduce.face.parts import Chip, button, callout, chips, field, form, heading
from deduce.face.presenter import Intent
from deduce.face.texts import Texts
from deduce.jsonvalues import structure
from games.cluedo.events import Hand
from games.cluedo.face.texts import TEXTS
from games.cluedo.game import Cluedo
from games.cluedo.notation.logs import deck_lines, format_log, read_category
from games.cluedo.notation.names import tokens
from games.cluedo.setup import DECKS, Deck, SetUp

__all__ = ["Draft", "setup_page"]

OWN = "own"
MAX_PLAYERS = 12
BYSTANDER = "-"


@frozen
class Draft:
    """The answers on the set-up page.

    Parameters
    ----------
    deck
        The name of an edition, or ``"own"``.
    own
        The own deck, one category per line.
    players
        The names in seat order.
    me
        The seat of the keeper; ``None``: a bystander.
    more
        The seats that were dealt one card more.
    hand, face_up
        Indexes of cards.
    undealt
        How many cards are laid aside.
    free
        Whether suggestions may name any cards.
    """

    deck: str = "classic"
    own: str = ""
    players: tuple[str, ...] = ()
    me: int | None = 0
    more: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    face_up: tuple[int, ...] = ()
    undealt: int = 0
    free: bool = False

    @classmethod
    def from_ui(cls, say: Texts, fields: Any) -> Draft:
        """Return the draft that the page kept; a new one if it kept none."""
        draft = cls(players=tuple(say("setup.default_players").split(",")))
        try:
            kept = structure(fields, cls)
        except BadInput:
            return draft
        indexes = (*kept.more, *kept.hand, *kept.face_up, kept.me or 0)
        fits = kept.deck in (*DECKS, OWN) and all(index >= 0 for index in indexes)
        return kept if fits else draft

    def to_ui(self) -> dict[str, Any]:
        """Return what the page keeps."""
        fields = asdict(self).items()
        return {key: list(value) if isinstance(value, tuple) else value for key, value in fields}

    def changed(self, intent: Intent) -> Draft:
        """Return the draft with what is chosen on the page now."""
        deck = intent.first("deck", self.deck)
        players = tuple(value.strip() for value in intent.form.get("player", ()))
        me = intent.first("me")
        undealt = intent.first("undealt", "0").strip()
        draft = Draft(
            deck if deck in DECKS else OWN,
            intent.first("own", self.own),
            players or self.players,
            int(me) if me.isdecimal() and len(me) < 4 else None if me else self.me,
            _indexes(intent, "more"),
            _indexes(intent, "hand"),
            _indexes(intent, "face_up"),
            int(undealt) if undealt.isascii() and undealt.isdecimal() and len(undealt) < 4 else 0,
            intent.first("free") == "yes",
        )
        untouched = {"", *(deck_lines(deck).strip() for deck in DECKS.values())}
        own = draft.own.replace("\r\n", "\n").strip()
        if draft.deck == OWN and self.deck in DECKS and own in untouched:
            draft = evolve(draft, own=deck_lines(DECKS[self.deck]))
        if "deck" in intent.changed or "own" in intent.changed:
            draft = evolve(draft, hand=(), face_up=())
        return draft

    def cards(self) -> Deck:
        """Return the deck; raise `BadInput` if the own one cannot be read."""
        if self.deck != OWN:
            return DECKS[self.deck]
        deck = {}
        for line in self.own.splitlines():
            if tokens(line):
                category, cards = read_category(tokens(line))
                deck[category] = cards
        if not deck:
            raise BadInput(Texts(TEXTS)("setup.own_empty"))
        return deck

    def plain(self) -> Cluedo:
        """Return the game without the sizes of the hands, for what the page asks next."""
        deck = self.cards()
        names = [card for cards in deck.values() for card in cards]
        face_up = tuple(names[index] for index in self.face_up if index < len(names))
        me = None if self.me is None or self.me >= len(self.players) else self.players[self.me]
        return Cluedo(self.players, deck, None, face_up, self.undealt, me, self.free)

    def uneven(self, game: SetUp) -> int:
        """Return how many players hold one card more than the others."""
        in_hands = len(game.dealt) - len(game.deck) - game.undealt
        return in_hands % len(game.players)

    def game(self) -> Cluedo:
        """Return the game as far as it is known."""
        game = self.plain()
        uneven = self.uneven(game)
        share = (len(game.dealt) - len(game.deck) - game.undealt) // len(game.players)
        if uneven and len(set(self.more)) == uneven:
            sizes = tuple(share + (seat in self.more) for seat in range(len(game.players)))
            return evolve(game, hands=sizes)
        return game

    def text(self, say: Texts) -> str:
        """Return the log of the new game, with the keeper's hand if it was chosen."""
        game = self.game()
        if self.more and len(set(self.more)) != self.uneven(game):
            raise BadInput(say("setup.more_wrong", n=self.uneven(game)))
        hand = tuple(game.cards[index] for index in self.hand if index < len(game.cards))
        events = []
        if hand and game.me is not None:
            low, high = game.hand_sizes()[game.me]
            if not low <= len(hand) <= high:
                key = "setup.hand_wrong" if low == high else "setup.hand_wrong_either"
                raise BadInput(say(key, low=low, high=high, n=len(hand)))
            event = Hand(game.me, tuple(card for card in hand if card not in game.face_up))
            game.check(event)
            events.append(event)
        return format_log(game, events)


def _indexes(intent: Intent, control: str) -> tuple[int, ...]:
    values = intent.form.get(control, ())
    return tuple(int(v) for v in values if v.isascii() and v.isdecimal() and len(v) < 5)


def setup_page(say: Texts, draft: Draft) -> Html:
    """Return the page for a draft; what cannot be asked yet is replaced by the reason."""
    editions = [Chip(deck, say(f"setup.deck.{deck}")) for deck in (*DECKS, OWN)]
    parts: list[Child] = [
        heading(say("setup.title")),
        chips(say("setup.edition"), "deck", editions, [draft.deck]),
    ]
    if draft.deck == OWN:
        entry = tag("textarea", draft.own, name="own", rows=4, spellcheck="false")
        parts.append(
            tag(
                "label",
                tag("span", say("setup.own")),
                entry,
                tag("small", say("setup.own_hint")),
                class_="field",
            )
        )
    parts.append(_players(say, draft.players))
    try:
        parts += _cards(say, draft)
    except BadInput as error:
        parts.append(callout(tag("p", str(error)), kind="bad"))
    parts.append(tag("button", say("setup.start"), type="submit", class_="button main big"))
    paste = tag("textarea", "", name="text", rows=6, spellcheck="false")
    pasting = form(
        "paste",
        tag("label", tag("span", say("text.label")), paste, class_="field"),
        tag("button", say("text.save"), type="submit", class_="button"),
        id_="paste-form",
    )
    return join_html(
        [
            form("start", *parts, draft="setup", id_="setup-form", class_="setup"),
            tag("details", tag("summary", say("setup.or_text")), pasting),
        ]
    )


def _players(say: Texts, players: Sequence[str]) -> Html:
    rows = []
    for seat, player in enumerate(players):
        entry = tag(
            "input",
            type="text",
            name="player",
            value=player,
            aria_label=say("setup.player", n=seat + 1),
            autocomplete="off",
            data_key=f"player-{seat}",
        )
        up = button(
            "↑",
            "seat-up",
            class_="button quiet",
            data_seat=seat,
            aria_label=say("setup.up", name=player),
            disabled=seat == 0,
        )
        remove = button(
            "✕",
            "seat-remove",
            class_="button quiet",
            data_seat=seat,
            aria_label=say("setup.remove_player", name=player),
            disabled=len(players) <= 2,
        )
        rows.append(tag("li", tag("span", f"{seat + 1}", class_="seat"), entry, up, remove))
    add = button(say("setup.add_player"), "seat-add", disabled=len(players) >= MAX_PLAYERS)
    return tag(
        "fieldset", tag("legend", say("setup.players")), tag("ol", *rows, class_="seats"), add
    )


def _cards(say: Texts, draft: Draft) -> list[Child]:
    """Return what is asked once players and deck are known."""
    game = draft.plain()
    seats = [Chip(str(seat), name(player)) for seat, player in enumerate(game.players)]
    me = BYSTANDER if game.me is None else str(game.players.index(game.me))
    whose = [*seats, Chip(BYSTANDER, say("setup.bystander"))]
    parts: list[Child] = [chips(say("setup.me"), "me", whose, [me])]
    uneven = draft.uneven(game)
    if uneven:
        legend = say("setup.more", n=uneven)
        chosen = map(str, draft.more)
        parts.append(chips(legend, "more", seats, chosen, many=True))
        wrong = draft.more and len(set(draft.more)) != uneven
        hint = say("setup.more_wrong", n=uneven) if wrong else say("setup.more_hint")
        parts.append(tag("p", hint, class_="warning" if wrong else "hint"))
    else:
        low, _ = game.hand_sizes()[game.players[0]]
        parts.append(tag("p", say("setup.sizes", n=low), class_="hint"))
    index = {card: str(number) for number, card in enumerate(game.cards)}
    if game.me is not None:
        sizes = draft.game().hand_sizes()[game.me]
        parts.append(_hand(say, game, draft, sizes, index))
    parts.append(_variants(say, game, draft, index))
    return parts


def _hand(
    say: Texts, game: SetUp, draft: Draft, sizes: tuple[int, int], index: Mapping[str, str]
) -> Html:
    low, high = sizes
    chosen = len(draft.hand)
    count = (
        say("setup.hand_count", chosen=chosen, n=low)
        if low == high
        else say("setup.hand_count_open", chosen=chosen, low=low, high=high)
    )
    rows = [
        chips(
            short(category),
            "hand",
            [Chip(index[card], name(card)) for card in cards if card not in game.face_up],
            map(str, draft.hand),
            many=True,
            class_="cards",
        )
        for category, cards in game.deck.items()
    ]
    return tag(
        "section",
        tag("h3", say("setup.hand")),
        tag("p", count, class_="hint", role="status"),
        *rows,
        tag("p", say("setup.later"), class_="hint"),
        class_="hand",
    )


def _variants(say: Texts, game: SetUp, draft: Draft, index: Mapping[str, str]) -> Html:
    cards = [Chip(index[card], name(card)) for card in game.cards]
    free = [Chip("no", say("setup.free_no")), Chip("yes", say("setup.free_yes"))]
    return tag(
        "details",
        tag("summary", say("setup.variants")),
        chips(say("setup.face_up"), "face_up", cards, map(str, draft.face_up), many=True),
        field(say("setup.undealt"), "undealt", str(draft.undealt), inputmode="numeric"),
        chips(say("setup.free"), "free", free, ["yes" if draft.free else "no"]),
    )
