"""Text and JSON forms of states and options, both ways, with errors that say what would be right.

A state is one line, ``hands 2H 6H / 6S AH; pile AS; deck 2S; active 0; AV 2; FC false``, or a JSON
object with the same names. ``-`` is an empty hand; a number instead of the cards of a hand means
so many unseen cards. What has its usual value may be left out; without ``deck`` and ``stock`` the
cards that are not seen are the stock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from deduce.errors import BadInput
from deduce.jsontext import parse_json
from deduce.text import join, nearest
from games.propre.cards import (
    RANK,
    Card,
    is_numeric,
    parse_cards,
    parse_pile_card,
    printed,
    repeated,
)
from games.propre.explain import IllegalOption, explain, explain_card
from games.propre.rules import Rules
from games.propre.setup import is_number, parse_rules, parse_value
from games.propre.state import KINDS, SWAP, Option, State

__all__ = [
    "HIDDEN",
    "check_state",
    "format_state",
    "parse_option",
    "parse_position",
    "parse_state",
    "state_to_json",
]

HIDDEN = "??"
"""A card that is not seen, in a hand, the deck or the stock."""

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

LISTS = ("hands", "pile", "deck", "stock", "said")
NUMBERS = ("active", "due", "winner")
KNOWN = (*LISTS, *NUMBERS, *NAMES)
DEFAULTS = State((), ())._asdict()


# States


def state_to_json(state: State) -> dict[str, Any]:
    """Return the state as the object of a case file; what has its usual value is left out.

    Hands, pile and the numbers of section 1 are always there.
    """
    told: dict[str, Any] = {
        "hands": [_cards_json(hand) for hand in state.hands],
        "pile": list(state.pile),
        "active": state.active,
    }
    told |= {name: getattr(state, field) for name, field in NAMES.items()}
    told |= {"deck": _cards_json(state.deck), "stock": _cards_json(state.stock)}
    for name in ("due", "said", "winner"):
        value = getattr(state, name)
        if value != DEFAULTS[name]:
            told[name] = list(value) if name == "said" else value
    return told


def _cards_json(cards: Sequence[Card]) -> list[Card] | int:
    return len(cards) if cards and set(cards) == {HIDDEN} else list(cards)


def format_state(state: State) -> str:
    """Return the state in one line, which `parse_state` reads back.

    >>> format_state(State((("2H",), ("6S", "AH")), ("AS",), attack_value=2, deck=("2S",)))
    'hands 2H / 6S AH; pile AS; deck 2S; active 0; AV 2'
    """
    parts = [f"hands {' / '.join(map(_words, state.hands))}", f"pile {_words(state.pile)}"]
    if state.deck or not state.stock:
        parts.append(f"deck {_words(state.deck)}")
    if state.stock:
        parts.append(f"stock {_words(state.stock)}")
    parts.append(f"active {state.active}")
    for name, field in (*NAMES.items(), ("due", "due"), ("winner", "winner")):
        value = getattr(state, field)
        if value != DEFAULTS[field]:
            parts.append(f"{name} {str(value).lower()}")
    if state.said:
        parts.append(f"said {' '.join(map(str, state.said))}")
    return "; ".join(parts)


def parse_position(text: str, settings: Mapping[str, Any] | None = None) -> tuple[Rules, State]:
    """Return the set-up and the state of a text; JSON may have the set-up under ``"rules"``.

    Parameters
    ----------
    text
        As for `parse_state`.
    settings
        More of the set-up, which goes before what the text says. The number of players is that
        of the hands, and the cards of the game are those in the text, if it says what is drawn.

    Raises
    ------
    BadInput
        As `parse_state` and `parse_rules`.
    """
    told = _object(text) if text.lstrip().startswith("{") else _line(text)
    given = told.pop("rules", {})
    if not isinstance(given, dict):
        raise BadInput(f'rules is an object such as {{"announce": true}}, not {given!r}')
    given = {**given, **(settings or {})}
    hands = told.get("hands")
    given.setdefault("players", len(hands) if isinstance(hands, list) else 2)
    rules = parse_rules({**given, "hand": 1} if "hand" not in given else given)
    state = state_from_json(told, rules)
    if "deck" not in given and not rules.endless and ("deck" in told or "stock" in told):
        cards = _in_play(state)
        if HIDDEN not in cards and len(cards) > rules.players * rules.hand:
            rules = evolve(rules, deck=cards)
    return rules, state


def _in_play(state: State) -> tuple[Card, ...]:
    places = (*state.hands, state.pile, state.deck, state.stock)
    return tuple(card if card == HIDDEN else printed(card) for place in places for card in place)


def parse_state(text: str, rules: Rules) -> State:
    """Return the state of a line, or of a JSON object, checked against the set-up.

    Raises
    ------
    BadInput
        It cannot be read, or no such state can be: a card in two places, a hand for nobody, a
        pile of none.

    Examples
    --------
    >>> state = parse_state("hands 2H / 6S AH; pile TD=AD; AV 5", Rules(hand=1))
    >>> state.pile, state.attack_value, len(state.stock)
    (('TD=AD',), 5, 48)
    """
    told = _object(text) if text.lstrip().startswith("{") else _line(text)
    return state_from_json(told, rules)


def state_from_json(told: Mapping[str, Any], rules: Rules) -> State:
    """Return the state of an object such as `state_to_json` makes, checked against the set-up."""
    unknown = [name for name in told if name not in KNOWN]
    if unknown:
        hint = nearest(unknown[0], KNOWN)
        raise BadInput(f"a state has no {unknown[0]!r}{hint} (known: {', '.join(KNOWN)})")
    for name in ("hands", "pile"):
        if not isinstance(told.get(name), list):
            what = "a list of hands" if name == "hands" else "a list of cards"
            raise BadInput(f"a state needs its {name}, {what}")
    values: dict[str, Any] = {
        "hands": tuple(map(_hand, told["hands"])),
        "pile": tuple(parse_pile_card(_text(card)) for card in told["pile"]),
    }
    for name in ("deck", "stock"):
        values[name] = _hand(told.get(name, []))
    for name in (*NUMBERS, *NAMES):
        if name in told:
            values[NAMES.get(name, name)] = _number(name, told[name])
    said = told.get("said", [0] * rules.players if rules.announce else [])
    if not isinstance(said, list) or any(word not in (0, 1, 2) for word in said):
        raise BadInput(f"said is a list of 0, 1 or 2 for each seat, not {said!r}")
    state = State(**values, said=tuple(said))
    if "deck" not in told and "stock" not in told:
        state = state._replace(stock=_unseen(rules, state))
    check_state(rules, state)
    return state


def check_state(rules: Rules, state: State) -> None:
    """Raise `BadInput` for a state that this set-up can never be in."""
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
    if rules.announce and len(state.said) != rules.players:
        raise BadInput(f"said needs a number for each of the {rules.players} seats")
    places = (*state.hands, state.pile, state.deck, state.stock)
    cards = [card for card in _in_play(state) if card != HIDDEN]
    strangers = sorted(set(cards) - set(rules.deck))
    if strangers:
        raise BadInput(f"{strangers[0]} is not in the deck of this game")
    if rules.endless:
        return
    twice = repeated(cards)
    if twice:
        where = [name for name, place in zip(_places(rules), places, strict=True)
                 if any(printed(card) == twice for card in place)]  # fmt: skip
        raise BadInput(f"{twice} is in two places: {join(where if where[1:] else where * 2)}")
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


def _places(rules: Rules) -> list[str]:
    return [*(f"the hand of seat {seat}" for seat in range(rules.players)), "the pile", "the deck",
            "the stock"]  # fmt: skip


def _unseen(rules: Rules, state: State) -> tuple[Card, ...]:
    """Return what is in no hand and not in the pile; as unseen cards, if some hands are unseen."""
    seen = {printed(card) for place in (*state.hands, state.pile) for card in place}
    left = [card for card in rules.deck if card not in seen]
    hidden = sum(hand.count(HIDDEN) for hand in state.hands)
    if hidden > len(left):
        raise BadInput(f"{hidden} cards of hands are unseen, but only {len(left)} cards are left")
    return (HIDDEN,) * (len(left) - hidden) if hidden else tuple(sorted(left))


def _hand(told: Any) -> tuple[Card, ...]:
    if isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= len(RANK):
        return (HIDDEN,) * told
    if not isinstance(told, list):
        raise BadInput(f"a hand is a list of cards, or a number of unseen ones, not {told!r}")
    cards: list[Card] = []
    for card in map(_text, told):
        cards.extend((HIDDEN,) if card == HIDDEN else parse_cards(card))
    return tuple(cards)


def _text(card: Any) -> str:
    if not isinstance(card, str) or not card.strip():
        raise BadInput(f"a card is text such as 'TD', not {card!r}")
    return card


def _number(name: str, value: Any) -> Any:
    wanted = bool if name in NAMES and isinstance(DEFAULTS[NAMES[name]], bool) else int
    if type(value) is not wanted:
        kind = "true or false" if wanted is bool else "a whole number"
        raise BadInput(f"{name} is {kind}, not {value!r}")
    return value


def _object(text: str) -> dict[str, Any]:
    told = parse_json(text)
    if not isinstance(told, dict):
        raise BadInput("a state in JSON is one object")
    return told


def _line(text: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = part.partition(" ")
        found = {known.casefold(): known for known in KNOWN}.get(name.casefold())
        if found is None:
            raise BadInput(
                f"a state has no {name!r}{nearest(name, KNOWN)}; it is written as "
                "'hands 2H 6H / 6S AH; pile AS; active 0; AV 2'"
            )
        if found in told:
            raise BadInput(f"{found} is said twice")
        words = [word for word in value.replace(",", " ").split() if word != "-"]
        if found == "hands":
            told[found] = [_line_hand(hand) for hand in value.split("/")]
        elif found in ("deck", "stock"):
            told[found] = _line_hand(value)
        elif found == "said":
            told[found] = [parse_value(word) for word in words]
        else:
            told[found] = words if found == "pile" else parse_value(value.strip())
    return told


def _line_hand(text: str) -> int | list[str]:
    words = [word for word in text.replace(",", " ").split() if word != "-"]
    if len(words) == 1 and is_number(words[0]):
        return int(words[0])
    return words


def _words(cards: Sequence[Card]) -> str:
    if cards and set(cards) == {HIDDEN}:
        return str(len(cards))
    return " ".join(cards) or "-"


# Options


def parse_option(text: str, rules: Rules, state: State) -> Option:
    """Return the legal option that a text means.

    ``normal TD horizontal`` says everything. The kind may be left out where but one fits
    (``TD horizontal``), and the choice where there is but one or it may be none.

    Raises
    ------
    IllegalOption
        The specification forbids it; its paragraphs are named.
    BadInput
        It cannot be read, or may mean several options.

    Examples
    --------
    >>> rules = Rules(hand=2, deck=parse_cards("6H 2H 6S AH 9S 2S"))
    >>> parse_option("2h", rules, rules.deal(rules.deck))
    Option(kind='attack', card='2H', choice='')
    """
    words = text.replace(",", " ").split()
    if not words:
        raise BadInput(f"an option is one of {', '.join(KINDS)}, or a card")
    kind = words[0].casefold()
    kind = {"end": "none", "draw": "none", "pass": "none"}.get(kind, kind)
    if kind in KINDS:
        words = words[1:]
    else:
        kind = ""
    card = ""
    if words and kind not in ("none", "swap"):
        try:
            card = parse_cards(words.pop(0))[0]
        except BadInput as error:
            hint = "" if kind else nearest(text.split()[0], KINDS)
            raise BadInput(f"{error.message}; an option begins with one of {', '.join(KINDS)} "
                           f"or a card{hint}") from None  # fmt: skip
    elif kind not in ("none", "swap", ""):
        raise BadInput(f"which card? It is written as '{kind} TD'")
    legal = rules.options(state)
    fitting = [o for o in legal if o.card == card and kind in ("", o.kind)]
    wanted = " ".join(words).casefold()
    some = [o for o in fitting if o.choice.casefold().startswith(wanted)]
    if len({o.kind for o in some}) == 1:
        exact = [o for o in some if o.choice.casefold() == wanted]
        some = exact or some
    if len(some) == 1:
        return some[0]
    if some:
        raise BadInput(f"{text!r} may be {join([str(o) for o in some], 'or')}")
    if fitting:
        raise BadInput(f"{text!r} is not one of {join([str(o) for o in fitting], 'or')}")
    _refuse(rules, state, Option(kind or "normal", card), known_kind=bool(kind))
    raise BadInput(f"{text!r} is no option here")


def _refuse(rules: Rules, state: State, option: Option, *, known_kind: bool) -> None:
    """Raise `IllegalOption` with the paragraphs that forbid an option, or all of a card's."""
    if known_kind or state.winner >= 0 or state.due:
        failed: Iterable[Any] = explain(rules, state, _with_choice(option))
        if failed:
            raise IllegalOption(option, tuple(failed))
        return
    every = explain_card(rules, state, option.card)
    if all(every.values()):
        merged = dict.fromkeys(need for failed in every.values() for need in failed)
        raise IllegalOption(Option("play", option.card), tuple(merged))


def _with_choice(option: Option) -> Option:
    """Return the option with a choice that fits its kind, so that only the rest is judged."""
    if option.kind == "ten":
        return option._replace(choice="mv+1")
    if option.kind == "ace":
        return option._replace(choice=option.card[1:])
    if option.kind == "normal" and is_numeric(RANK[option.card]):
        return option._replace(choice="vertical")
    return SWAP if option.kind == "swap" else option
