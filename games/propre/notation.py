"""Text and JSON forms of states and set-ups, both ways; an error says what would be right.

A state is one line, ``hands 2H 6H / 6S AH; pile AS; deck 2S; active 0; AV 2; FC false``, or a JSON
object with the same names. ``-`` is an empty hand; a number in place of the cards of a hand means
that many unseen cards. A name with its default value may be left out; without ``deck`` and
``stock`` the cards that are not seen are the stock.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from attrs import asdict, evolve, field, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import parse_json, structure
from deduce.system.text import join, nearest, whole_number
from games.propre.rules import Rules
from games.propre.setup import (
    HIDDEN,
    RANK,
    Card,
    State,
    parse_cards,
    parse_deck,
    parse_pile_card,
    parse_value,
    printed,
    repeated,
)

__all__ = [
    "NAMES",
    "check_state",
    "format_state",
    "parse_position",
    "parse_rules",
    "parse_state",
    "state_from_json",
    "state_to_json",
]

NAMES = {
    "AV": "attack_value",
    "MV": "move_value",
    "CW": "clockwise",
    "FC": "first_card",
    "RM": "require_match",
    "B": "bridging",
    "PW": "prevent_wins",
}
"""The specification's names of the numbers and switches, and those of `State`."""

DEFAULTS = State((), ())._asdict()


# Set-ups


def parse_rules(fields: Mapping[str, object]) -> Rules:
    """Return the rules for a set-up such as ``{"players": 3, "announce": true}``.

    Raises
    ------
    BadInput
        There is no such name or value in a set-up, or the values do not fit together.

    Examples
    --------
    >>> parse_rules({"players": 2, "hand": 2, "deck": "6H 2H 6S AH AS 2S"}).hand
    2
    """
    deck = {"deck": parse_deck(fields["deck"])} if "deck" in fields else {}
    return structure({**fields, **deck}, Rules)


# States


def state_to_json(state: State) -> dict[str, object]:
    """Return the state as the object of a case file, without default values.

    Hands, pile, deck, stock and the numbers of section 1 are always in it.
    """
    fields: dict[str, object] = {
        "hands": [_cards_to_json(hand) for hand in state.hands],
        "pile": list(state.pile),
        "active": state.active,
    }
    fields |= {name: getattr(state, attribute) for name, attribute in NAMES.items()}
    fields |= {"deck": _cards_to_json(state.deck), "stock": _cards_to_json(state.stock)}
    for name in ("due", "said", "winner"):
        value = getattr(state, name)
        if value != DEFAULTS[name]:
            fields[name] = list(value) if name == "said" else value
    return fields


def _cards_to_json(cards: Sequence[Card]) -> list[Card] | int:
    return len(cards) if cards and set(cards) == {HIDDEN} else list(cards)


def format_state(state: State) -> str:
    """Return the state in one line, which `parse_state` reads back.

    >>> format_state(State((("2H",), ("6S", "AH")), ("AS",), attack_value=2, deck=("2S",)))
    'hands 2H / 6S AH; pile AS; deck 2S; active 0; AV 2'
    """
    fields = state_to_json(state)
    if not state.stock:
        del fields["stock"]
    elif not state.deck:
        del fields["deck"]
    usual = {name: DEFAULTS[attribute] for name, attribute in NAMES.items()}
    shown = {
        name: " / ".join(map(_text, state.hands)) if name == "hands" else _text(fields[name])
        for name in (*FIELDS[:5], *NAMES, "due", "winner", "said")
        if name in fields and fields[name] != usual.get(name)
    }
    return "; ".join(f"{name} {value}" for name, value in shown.items())


def _text(value: object) -> str:
    """Return a value of a field in JSON as a line has it; of hidden cards, how many there are."""
    if not isinstance(value, list | tuple):
        return str(value).lower()
    if value and set(value) == {HIDDEN}:
        return str(len(value))
    return " ".join(map(str, value)) or "-"


def parse_position(text: str, settings: Mapping[str, object] | None = None) -> tuple[Rules, State]:
    """Return the rules and the state of a text; JSON may have the set-up under ``"rules"``.

    Parameters
    ----------
    text
        As for `parse_state`.
    settings
        More of the set-up, which overrides the text. The number of players is that of the hands,
        and the cards of the game are those in the text, if it states what is drawn.

    Raises
    ------
    BadInput
        As `parse_state` and `parse_rules`.
    """
    fields = _fields(text)
    setup = fields.pop("rules", {})
    if not isinstance(setup, dict):
        raise BadInput(f'rules is an object such as {{"announce": true}}, not {setup!r}')
    setup = {**setup, **(settings or {})}
    hands = fields.get("hands")
    setup.setdefault("players", len(hands) if isinstance(hands, list) else 2)
    rules = parse_rules({"hand": 1, **setup})
    state = state_from_json(fields, rules)
    if "deck" not in setup and not rules.endless and ("deck" in fields or "stock" in fields):
        cards = _in_play(state)
        if HIDDEN not in cards and len(cards) > rules.players * rules.hand:
            rules = evolve(rules, deck=cards)
    return rules, state


def parse_state(text: str, rules: Rules) -> State:
    """Return the state of a line, or of a JSON object, checked against the set-up.

    Raises
    ------
    BadInput
        It cannot be read, or there cannot be such a state: a card in two places, more hands than
        players, an empty pile.

    Examples
    --------
    >>> state = parse_state("hands 2H / 6S AH; pile TD=AD; AV 5", Rules(hand=1))
    >>> state.pile, state.attack_value, len(state.stock)
    (('TD=AD',), 5, 48)
    """
    return state_from_json(_fields(text), rules)


def _hand(cards: object) -> tuple[Card, ...]:
    if type(cards) is int and 0 <= cards <= len(RANK):
        return (HIDDEN,) * cards
    if not isinstance(cards, list | tuple):
        raise BadInput(f"a hand is a list of cards, or a number of unseen ones, not {cards!r}")
    hand: list[Card] = []
    for card in cards:
        if not isinstance(card, str) or not card.strip():
            raise BadInput(f"a card is text such as 'TD', not {card!r}")
        hand.extend((HIDDEN,) if card == HIDDEN else parse_cards(card))
    return tuple(hand)


def _hands(hands: Sequence[Hashable]) -> tuple[tuple[Card, ...], ...]:
    return tuple(map(_hand, hands))


def _optional_hand(cards: object) -> tuple[Card, ...] | None:
    return None if cards is None else _hand(cards)


def _pile(cards: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_pile_card, cards))


@frozen
class _StateFields:
    """The fields of a state in JSON, by the names of the specification."""

    hands: tuple[Any, ...] = field(converter=_hands)
    pile: tuple[str, ...] = field(converter=_pile)
    deck: Any = field(default=None, converter=_optional_hand)
    stock: Any = field(default=None, converter=_optional_hand)
    active: int = 0
    AV: int = 0
    MV: int = 1
    CW: bool = True
    FC: bool = True
    RM: bool = True
    B: bool = False
    PW: bool = False
    due: int = 0
    said: tuple[int, ...] | None = None
    winner: int = -1


FIELDS = tuple(_StateFields.__annotations__)


def state_from_json(fields: Mapping[str, object], rules: Rules) -> State:
    """Return the state of an object such as `state_to_json` makes, checked against the set-up.

    Raises
    ------
    BadInput
        A field is unknown, missing or of another type, or there cannot be such a state.
    """
    read = structure(fields, _StateFields)
    given = {NAMES.get(name, name): value for name, value in asdict(read, recurse=False).items()}
    if read.said is None:
        given["said"] = (0,) * rules.players if rules.announce else ()
    state = State(**given | {"deck": read.deck or (), "stock": read.stock or ()})
    if read.deck is None and read.stock is None:
        state = state._replace(stock=_unseen(rules, state))
    check_state(rules, state)
    return state


def check_state(rules: Rules, state: State) -> None:
    """Raise `BadInput` for a state that cannot occur with this set-up."""
    if len(state.hands) != rules.players:
        raise BadInput(f"there are {len(state.hands)} hands for {rules.players} players")
    if not state.pile:
        raise BadInput("the pile has no card; it begins with the turned one")
    if not 0 <= state.active < rules.players:
        raise BadInput(f"active is a seat from 0 to {rules.players - 1}, not {state.active}")
    if not -1 <= state.winner < rules.players:
        raise BadInput(f"winner is a seat from 0 to {rules.players - 1}, not {state.winner}")
    if min(state.attack_value, state.due) < 0:
        raise BadInput("AV and due are never below 0")
    if any(word not in (0, 1, 2) for word in state.said):
        raise BadInput(f"said is a list of 0, 1 or 2 for each seat, not {list(state.said)}")
    if rules.announce and len(state.said) != rules.players:
        raise BadInput(f"said needs a number for each of the {rules.players} seats")
    places = (*state.hands, state.pile, state.deck, state.stock)
    cards = [card for card in _in_play(state) if card != HIDDEN]
    foreign = sorted(set(cards) - set(rules.deck))
    if foreign:
        raise BadInput(f"{foreign[0]} is not in the deck of this game")
    if rules.endless:
        return
    twice = repeated(cards)
    if twice:
        names = [
            name
            for name, place in zip(_place_names(rules), places, strict=True)
            if any(printed(card) == twice for card in place)
        ]
        raise BadInput(f"{twice} is in two places: {join(names if names[1:] else names * 2)}")
    in_play = sum(map(len, places))
    if in_play > len(rules.deck):
        raise BadInput(f"{in_play} cards are in play, but the deck has {len(rules.deck)}")
    if state.due and not state.stock:
        raise BadInput("cards are due, but the stock is empty; those of a deck are drawn at once")
    empty = [seat for seat, hand in enumerate(state.hands) if not hand]
    if len(empty) > 1 and not state.due:
        raise BadInput(
            f"the hands of seats {join(list(map(str, empty)))} are empty; "
            "the game ends with the first (3.1)"
        )


def _place_names(rules: Rules) -> list[str]:
    hands = (f"the hand of seat {seat}" for seat in range(rules.players))
    return [*hands, "the pile", "the deck", "the stock"]


def _unseen(rules: Rules, state: State) -> tuple[Card, ...]:
    """Return the cards in no hand and not in the pile; unseen ones if any hand is unseen."""
    seen = {printed(card) for place in (*state.hands, state.pile) for card in place}
    left = [card for card in rules.deck if card not in seen]
    hidden = sum(hand.count(HIDDEN) for hand in state.hands)
    if hidden > len(left):
        raise BadInput(f"{hidden} cards of hands are unseen, but only {len(left)} cards are left")
    return (HIDDEN,) * (len(left) - hidden) if hidden else tuple(sorted(left))


def _in_play(state: State) -> tuple[Card, ...]:
    places = (*state.hands, state.pile, state.deck, state.stock)
    return tuple(card if card == HIDDEN else printed(card) for place in places for card in place)


def _fields(text: str) -> dict[str, object]:
    """Return the fields of a state in JSON or in a line, as JSON has them."""
    if not text.lstrip().startswith("{"):
        return _fields_of_line(text)
    fields = parse_json(text)
    if not isinstance(fields, dict):
        raise BadInput("a state in JSON is one object")
    return fields


def _fields_of_line(text: str) -> dict[str, object]:
    fields: dict[str, object] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        typed, _, value = part.partition(" ")
        name = {known.casefold(): known for known in FIELDS}.get(typed.casefold())
        if name is None:
            raise BadInput(
                f"a state has no {typed!r}{nearest(typed, FIELDS)}; it is written as "
                "'hands 2H 6H / 6S AH; pile AS; active 0; AV 2'"
            )
        if name in fields:
            raise BadInput(f"{name} is given twice")
        if name == "hands":
            fields[name] = [_hand_of_line(hand) for hand in value.split("/")]
        elif name in ("deck", "stock"):
            fields[name] = _hand_of_line(value)
        elif name == "said":
            fields[name] = [parse_value(word) for word in _words(value)]
        else:
            fields[name] = _words(value) if name == "pile" else parse_value(value.strip())
    return fields


def _hand_of_line(text: str) -> int | list[str]:
    words = _words(text)
    number = whole_number(words[0], signed=True) if len(words) == 1 else None
    return words if number is None else number


def _words(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").split() if word != "-"]
