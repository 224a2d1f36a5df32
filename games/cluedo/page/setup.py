"""The page on which a game of Cluedo is set up: edition, players, who has more cards, my hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import structure, unstructure
from deduce.pages.features.start import Start, example_list
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    chips,
    details,
    field,
    form,
    join_html,
    name,
    problem,
    short,
    submit,
    tag,
    textarea,
)
from deduce.pages.presenter import Act, Feature, Seen
from deduce.pages.protocol import Intent, Moment
from deduce.pages.sentences import Texts, texts_of
from deduce.system.text import whole_number
from games.cluedo.events import Hand
from games.cluedo.game import Cluedo
from games.cluedo.notation import deck_lines, format_log, read_deck
from games.cluedo.setup import DECKS, Deck, SetUp

__all__ = ["CluedoStart"]

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
    def from_ui(cls, say: Texts, fields: object) -> Draft:
        """Return the draft that the page kept; a new one if it kept none."""
        draft = cls(players=tuple(say("setup.default_players").split(",")))
        try:
            kept = structure(fields, cls)
        except BadInput:
            return draft
        indexes = (*kept.more, *kept.hand, *kept.face_up, kept.me or 0)
        fits = kept.deck in (*DECKS, OWN) and all(index >= 0 for index in indexes)
        return evolve(kept, deck=DECKS.current(kept.deck)) if fits else draft

    def changed(self, intent: Intent) -> Draft:
        """Return the draft with what is chosen on the page now."""
        deck = intent.first("deck", self.deck)
        players = tuple(value.strip() for value in intent.form.get("player", ()))
        me = intent.first("me")
        draft = Draft(
            deck if deck in DECKS else OWN,
            intent.first("own", self.own),
            players or self.players,
            whole_number(me) if me else self.me,
            _indexes(intent, "more"),
            _indexes(intent, "hand"),
            _indexes(intent, "face_up"),
            whole_number(intent.first("undealt").strip()) or 0,
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
        deck = read_deck(self.own)
        if not deck:
            raise BadInput(texts_of("cluedo")("setup.own_empty"))
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
    numbers = map(whole_number, intent.form.get(control, ()))
    return tuple(number for number in numbers if number is not None)


class CluedoStart(Start):
    """The set-up page, whose answers are ``ui["setup"]``."""

    def feature(self) -> Feature[Seen]:
        """Return the set-up as a part of a page."""
        form = ("deck", "own", "player", "me", "undealt", "free", "more", "hand", "face_up")
        own = {
            "setup": Act(self._keep, *form),
            "start": Act(self._start, *form),
            "seat-add": Act(partial(self._reseat, "add"), *form),
            "seat-remove": Act(partial(self._reseat, "remove"), "seat", *form),
            "seat-up": Act(partial(self._reseat, "up"), "seat", *form),
        }
        feature = super().feature()
        return evolve(feature, intents={**feature.intents, **own})

    def setup(self, moment: Moment) -> Html:
        """Return the set-up page."""
        page = setup_page(self.say, Draft.from_ui(self.say, moment.ui.get("setup")))
        return join_html([page, self.puzzle(), example_list(self.say, self.examples)])

    def _draft(self, moment: Moment, intent: Intent) -> Draft:
        return Draft.from_ui(self.say, moment.ui.get("setup")).changed(intent)

    def _keep(self, moment: Moment, intent: Intent) -> None:
        """Keep what is chosen on the set-up page."""
        moment.ui["setup"] = unstructure(self._draft(moment, intent))

    def _start(self, moment: Moment, intent: Intent) -> None:
        """Begin the game."""
        draft = self._draft(moment, intent)
        moment.ui["setup"] = unstructure(draft)
        moment.begin(self.page, draft.text(self.say))
        # What the next game begins with; and who only watches is not asked who they are.
        moment.ui["setup"] = unstructure(evolve(draft, hand=(), more=()))
        moment.ui["watch"] = draft.me is None

    def _reseat(self, change: str, moment: Moment, intent: Intent) -> None:
        """Add a player, remove one, or move one a seat up."""
        draft = self._draft(moment, intent)
        count = len(draft.players)
        seats = list(range(count))
        if change == "add":
            seats = list(range(min(count + 1, MAX_PLAYERS)))
        else:
            seat = seats.pop(intent.index("seat", count))
            if change == "up":
                seats.insert(max(0, seat - 1), seat)
        names = (*draft.players, self.say("setup.player", n=count + 1))
        now = {old: new for new, old in enumerate(seats)}
        me = None if draft.me is None else now.get(draft.me)
        more = tuple(now[seat] for seat in draft.more if seat in now and change == "up")
        draft = evolve(draft, players=tuple(names[seat] for seat in seats), me=me, more=more)
        moment.ui["setup"] = unstructure(draft)


def setup_page(say: Texts, draft: Draft) -> Html:
    """Return the page for a draft; what cannot be asked yet is replaced by the reason."""
    editions = [
        tag("option", say(f"setup.deck.{deck}"), value=deck, selected=deck == draft.deck)
        for deck in (*DECKS, OWN)
    ]
    edition = tag("select", *editions, name="deck")
    parts: list[Child] = [
        tag("label", tag("span", say("setup.edition")), edition, class_="field edition")
    ]
    if draft.deck == OWN:
        hint = say("setup.own_hint")
        parts.append(textarea(say("setup.own"), "own", draft.own, rows=4, hint=hint))
    parts.append(_players(say, draft.players))
    try:
        parts += _cards(say, draft)
    except BadInput as error:
        parts.append(callout(problem(error), kind="bad"))
    start = tag("div", submit(say("setup.start"), class_="button main"), class_="buttons sticky")
    pasted = textarea(say("text.label"), "text", rows=6)
    pasting = form("paste", pasted, submit(say("text.save"), class_="button"), id_="paste-form")
    return join_html(
        [
            tag("h2", say("setup.title"), class_="hidden"),
            form("start", *parts, start, draft="setup", id_="setup-form", class_="setup"),
            details(say("setup.or_text"), pasting),
        ]
    )


def _players(say: Texts, players: Sequence[str]) -> Html:
    rows = []
    for seat, player in enumerate(players):
        label = say("setup.player", n=seat + 1)
        entry = tag("input", type="text", name="player", value=player, aria_label=label,
                    autocomplete="off", data_key=f"player-{seat}")  # fmt: skip
        up, remove = (
            button(sign, do, class_=f"button quiet {do}", data_seat=seat, aria_label=told,
                   disabled=off)
            for sign, do, told, off in (
                ("↑", "seat-up", say("setup.up", name=player), seat == 0),
                ("✕", "seat-remove", say("setup.remove_player", name=player), len(players) <= 2),
            )
        )  # fmt: skip
        rows.append(tag("li", entry, up, remove))
    add = button(say("setup.add_player"), "seat-add", disabled=len(players) >= MAX_PLAYERS)
    legend = tag("legend", say("setup.players"))
    return tag("fieldset", legend, tag("ol", *rows, tag("li", add), class_="seats"))


def _cards(say: Texts, draft: Draft) -> list[Child]:
    """Return what is asked once players and deck are known."""
    game = draft.plain()
    seats = [Chip(str(seat), name(player)) for seat, player in enumerate(game.players)]
    me = BYSTANDER if game.me is None else str(game.players.index(game.me))
    whose = [*seats, Chip(BYSTANDER, say("setup.bystander"))]
    parts: list[Child] = [chips(say("setup.me"), "me", whose, [me], class_="players")]
    uneven = draft.uneven(game)
    if uneven:
        chosen = map(str, draft.more)
        legend = say("setup.more", n=uneven)
        parts.append(chips(legend, "more", seats, chosen, many=True, class_="players"))
        if draft.more and len(set(draft.more)) != uneven:
            parts.append(tag("p", say("setup.more_wrong", n=uneven), class_="warning"))
    index = {card: str(number) for number, card in enumerate(game.cards)}
    if game.me is not None:
        sizes = draft.game().hand_sizes()[game.me]
        parts.append(_hand(say, game, draft, sizes, index))
    else:
        parts.append(tag("p", say("setup.sizes", n=game.hand_sizes()[game.players[0]][0])))
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
    title = tag("h3", say("setup.hand"), " ", tag("small", count, role="status"))
    return tag("section", title, *rows, class_="hand")


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
