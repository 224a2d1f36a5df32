"""States that are not the end of a transcript: deal forms and slot forms, as text and as JSON.

::

    quartets slots                     quartets deal
    players: Ann, Ben, Cid             players: Ann, Ben, Cid
    groups: 2 of 2                     groups: 2 of 2
    Ann: a1|a2|b1, a1|b2               hands: 2, 1, 1
    Ben: a2                            Ann has a1
    Cid: 4                             Ann not b1, b2
                                       Ben at least 1 of b
                                       Cid at most 0 of a

A place of a hand is a list of cards, a bitmask (4 is the third card) or ``?`` for any card. What a
deal form does not say is open. ``aside: a, b`` names groups that are laid aside. The text ``3 5 6``
alone is a slot form too: three places as bitmasks; ``/`` parts hands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import field, frozen

from deduce.display import Displayed
from deduce.errors import BadInput
from deduce.jsontext import parse_json
from deduce.text import listing, nearest
from games.quartets.deal import DealForm, stated_form
from games.quartets.flow import layout
from games.quartets.notation import groups_in, lines_of, names_in, read_head
from games.quartets.rules import group_lists
from games.quartets.slots import SlotForm, hand_cards

__all__ = ["SCHEMA", "State", "format_state", "parse_masks", "parse_state", "state_json"]

SCHEMA = "deduce/quartets-state/1"
LARGEST_MASK = 1000
"""Bits."""

_MASKS = re.compile(r"[\s,/]*(0x[0-9a-f]+|\d+)([\s,/]+(0x[0-9a-f]+|\d+))*[\s,/]*", re.IGNORECASE)
_HAS = re.compile(r"(?P<who>.+?)\s+(?P<verb>has|not)\s+(?P<cards>.+)$")
_BOUND = re.compile(r"(?P<who>.+?)\s+at\s+(?P<verb>least|most)\s+(?P<n>\d+)\s+of\s+(?P<group>.+)$")


@frozen(slots=False)
class State(Displayed):
    """A state with the names of its players and cards."""

    players: tuple[str, ...]
    groups: dict[str, tuple[str, ...]] = field(converter=group_lists)
    form: DealForm | SlotForm

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards in the order of their numbers."""
        return tuple(card for cards in self.groups.values() for card in cards)

    def __str__(self) -> str:
        return format_state(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from games.quartets.page import state_svg

        return state_svg(self)

    def names_of(self, cards: int) -> list[str]:
        """Return the names of a bitmask of cards."""
        return [self.cards[card] for card in hand_cards(cards)]


def parse_masks(text: str) -> State | None:
    """Return the slot form that a bare list of bitmasks describes; ``None`` if it is none.

    >>> state = parse_masks("3 3 / 5")
    >>> state.form.hands
    ((3, 3), (5,))
    """
    if not _MASKS.fullmatch(text):
        return None
    hands = [
        tuple(_mask(word) for word in re.split(r"[\s,]+", hand) if word) for hand in text.split("/")
    ]
    masks = [mask for hand in hands for mask in hand]
    size = max(max(mask.bit_length() for mask in masks), 1)
    return _bare(hands, max(size, len(masks)))


def _mask(word: str) -> int:
    mask = int(word, 16 if word.casefold().startswith("0x") else 10) if len(word) < 400 else -1
    if not 0 <= mask < 1 << LARGEST_MASK:
        raise BadInput(f"the bitmask {word[:20]}... has more than {LARGEST_MASK} identities")
    return mask


def _bare(hands: Sequence[Sequence[int]], identities: int) -> State:
    if identities > LARGEST_MASK:
        raise BadInput(f"{identities} are too many identities; at most {LARGEST_MASK}")
    groups = {"identity": tuple(str(i) for i in range(identities))}
    players = tuple(f"hand {p}" for p in range(1, len(hands) + 1))
    return State(players, groups, SlotForm(layout(len(hands), (identities,)), hands))


def parse_state(text: str) -> State:
    r"""Return the state that a text or a JSON object describes.

    Raises
    ------
    BadInput
        With the line, and what would be right.

    Examples
    --------
    >>> head = "quartets slots\nplayers: Ann, Ben\ngroups: 1 of 2\n"
    >>> parse_state(head + "Ann: a1\nBen: a1").form.is_valid
    False
    """
    if text.lstrip().startswith("{"):
        return _from_json(text)
    masks = parse_masks(text)
    if masks is not None:
        return masks
    lines = list(lines_of(text))
    kind = " ".join(lines[0][1].split()) if lines else ""
    if kind == "quartets slots":
        return _slots(lines)
    if kind == "quartets deal":
        return _deal(lines)
    raise BadInput(
        f"the first line says what follows: 'quartets' (a transcript), 'quartets slots' or "
        f"'quartets deal', not {kind!r}",
        line=lines[0][0] if lines else 1,
    )


def _slots(lines: Sequence[tuple[int, str]]) -> State:
    head, body = read_head(lines, ("players", "groups"))
    players, (groups, _) = names_in(head, "players"), groups_in(head)
    hands: dict[str, list[int]] = {}
    cards = [card for group in groups.values() for card in group]
    for number, line in body:
        name, colon, places = line.partition(":")
        name = name.strip()
        try:
            if not colon:
                raise BadInput(f"a hand is said as 'Ann: a1|a2, b1', not {line.strip()!r}")
            _among(name, players, "player")
            if name in hands:
                raise BadInput(f"the hand of {name} is said twice")
            hands[name] = [
                _place(place.strip(), cards) for place in places.split(",") if place.strip()
            ]
        except BadInput as error:
            raise error.at(line=number) from None
    return _slot_state(players, groups, [hands.get(name, []) for name in players])


def _slot_state(
    players: Sequence[str], groups: Mapping[str, Sequence[str]], hands: Sequence[Sequence[int]]
) -> State:
    _check(players, groups)
    table = layout(len(players), tuple(map(len, groups.values())))
    return State(tuple(players), group_lists(groups), SlotForm(table, hands))


def _place(text: str, cards: Sequence[str]) -> int:
    if text == "?":
        return (1 << len(cards)) - 1
    if text not in cards and _MASKS.fullmatch(text):
        mask = _mask(text)
        if mask >> len(cards):
            raise BadInput(
                f"the bitmask {text} has identities beyond the {len(cards)} cards; "
                f"the largest is {(1 << len(cards)) - 1}"
            )
        return mask
    mask = 0
    for name in text.split("|"):
        mask |= 1 << cards.index(_among(name.strip(), cards, "card"))
    return mask


def _among(name: str, names: Sequence[str], what: str) -> str:
    if name not in names:
        near = nearest(name, names)
        raise BadInput(f"no {what} is called {name!r}{near}{listing(names, near)}")
    return name


def _check(players: Sequence[str], groups: Mapping[str, Sequence[str]]) -> None:
    cards = [card for group in groups.values() for card in group]
    for names, what in ((players, "player"), (cards, "card")):
        twice = next((name for name in names if list(names).count(name) > 1), None)
        if twice is not None:
            raise BadInput(f"two {what}s are called {twice!r}")
        if not names or not all(name.strip() for name in names):
            raise BadInput(f"there is no {what}, or one without a name")


def _deal(lines: Sequence[tuple[int, str]]) -> State:
    head, body = read_head(lines, ("players", "groups", "hands", "aside"))
    players, (groups, _) = names_in(head, "players"), groups_in(head)
    claims: dict[str, list[Any]] = {"has": [], "not": [], "least": [], "most": []}
    for number, line in body:
        bound, has = _BOUND.match(line.strip()), _HAS.match(line.strip())
        if bound:
            claims[bound["verb"]].append((bound["who"], bound["group"].strip(), int(bound["n"])))
        elif has:
            named = [name.strip() for name in has["cards"].split(",")]
            claims[has["verb"]].append((has["who"], named))
        else:
            raise BadInput(
                f"not a claim: {line.strip()!r}; there are 'Ann has a1', 'Ann not a2, a3', "
                "'Ann at least 1 of b' and 'Ann at most 2 of b'",
                line=number,
            )
    hands = names_in(head, "hands")
    if not all(hand.isdigit() and len(hand) < 6 for hand in hands):
        raise BadInput("hands are numbers of cards, one per player", line=head["hands"][0])
    aside = names_in(head, "aside") if "aside" in head else ()
    return _deal_state(players, groups, [int(hand) for hand in hands], claims, aside)


def _deal_state(
    players: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    hands: Sequence[int],
    claims: Mapping[str, Sequence[Any]],
    aside: Sequence[str],
) -> State:
    """Return the deal form of bare claims.

    Raises
    ------
    BadInput
        A name that does not exist, a card in two hands or laid aside, hands that do not add up.
    """
    _check(players, groups)
    table = layout(len(players), tuple(map(len, groups.values())))
    cards = [card for group in groups.values() for card in group]
    out = 0
    for name in aside:
        out |= 1 << list(groups).index(_among(name, list(groups), "group"))
    open_ = table.all
    for g, mask in enumerate(table.masks):
        if out >> g & 1:
            open_ &= ~mask
    located = [0] * len(players)
    for who, named in claims["has"]:
        p = players.index(_among(who, players, "player"))
        for name in named:
            bit = 1 << cards.index(_among(name, cards, "card"))
            if not open_ & bit:
                raise BadInput(f"{who} has {name}, which is elsewhere already or laid aside")
            open_ &= ~bit
            located[p] |= bit
    may = [open_] * len(players)
    for who, named in claims["not"]:
        p = players.index(_among(who, players, "player"))
        for name in named:
            may[p] &= ~(1 << cards.index(_among(name, cards, "card")))
    low = [[0] * len(groups) for _ in players]
    high = [list(table.sizes) for _ in players]
    for kind, rows in (("least", low), ("most", high)):
        for who, group, number in claims[kind]:
            p = players.index(_among(who, players, "player"))
            rows[p][list(groups).index(_among(group, list(groups), "group"))] = number
    if len(hands) != len(players):
        raise BadInput(f"there are {len(players)} players but {len(hands)} hand sizes")
    in_play = open_.bit_count() + sum(map(int.bit_count, located))
    if sum(hands) != in_play:
        raise BadInput(f"the hands hold {sum(hands)} cards, but {in_play} are in play")
    form = stated_form(table, hands, located=located, may=may, low=low, high=high, aside=out)
    if min(form.places) < 0:
        p = form.places.index(min(form.places))
        raise BadInput(f"{players[p]} has {hands[p]} cards, but more are named")
    return State(tuple(players), group_lists(groups), form)


# Writing


def format_state(state: State) -> str:
    """Return a state as text, which `parse_state` reads back."""
    head = [f"players: {', '.join(state.players)}"]
    head += [f"group {name}: {', '.join(cards)}" for name, cards in state.groups.items()]
    form = state.form
    if isinstance(form, SlotForm):
        every = form.table.all
        hands = [
            f"{name}: {', '.join(_said(state, place, every) for place in hand)}"
            for name, hand in zip(state.players, form.hands, strict=True)
        ]
        return "\n".join(["quartets slots", *head, *hands]) + "\n"
    head.append(f"hands: {', '.join(map(str, form.hands()))}")
    names = list(state.groups)
    aside = [name for g, name in enumerate(names) if form.aside >> g & 1]
    if aside:
        head.append(f"aside: {', '.join(aside)}")
    body = []
    for p, name in enumerate(state.players):
        if form.located[p]:
            body.append(f"{name} has {', '.join(state.names_of(form.located[p]))}")
        excluded = form.open & ~form.may[p]
        if excluded:
            body.append(f"{name} not {', '.join(state.names_of(excluded))}")
        for g, group in enumerate(names):
            if form.low[p][g]:
                body.append(f"{name} at least {form.low[p][g]} of {group}")
            if form.high[p][g] < (form.open & form.table.masks[g]).bit_count():
                body.append(f"{name} at most {form.high[p][g]} of {group}")
    return "\n".join(["quartets deal", *head, *body]) + "\n"


def _said(state: State, place: int, every: int) -> str:
    if place == every:
        return "?"
    return "|".join(state.names_of(place)) if place else "0"


def state_json(state: State) -> dict[str, Any]:
    """Return a state as a JSON object, which `parse_state` reads back."""
    form = state.form
    told: dict[str, Any] = {
        "schema": SCHEMA,
        "players": list(state.players),
        "groups": {name: list(cards) for name, cards in state.groups.items()},
    }
    if isinstance(form, SlotForm):
        hands = [[state.names_of(place) for place in hand] for hand in form.hands]
        return told | {"slots": dict(zip(state.players, hands, strict=True))}
    names = list(state.groups)
    unknown = [(form.open & mask).bit_count() for mask in form.table.masks]
    pairs = [(p, g) for p in range(len(state.players)) for g in range(len(names))]
    who = state.players
    return told | {
        "hands": list(form.hands()),
        "aside": [name for g, name in enumerate(names) if form.aside >> g & 1],
        "has": {who[p]: state.names_of(form.located[p]) for p in range(len(who))},
        "not": {who[p]: state.names_of(form.open & ~form.may[p]) for p in range(len(who))},
        "least": [[who[p], names[g], form.low[p][g]] for p, g in pairs if form.low[p][g]],
        "most": [
            [who[p], names[g], form.high[p][g]] for p, g in pairs if form.high[p][g] < unknown[g]
        ],
    }


def _from_json(text: str) -> State:
    told = parse_json(text)
    try:
        if isinstance(told.get("slots"), list):
            masks = [_whole(mask) for mask in told["slots"]]
            return _bare([masks], _whole(told["n_ids"]))
        groups, players = told["groups"], told["players"]
        named = told.get("has", {}), told.get("not", {})
        for listed in (players, *groups.values(), *named[0].values(), *named[1].values()):
            if not isinstance(listed, list):
                raise TypeError
        if "slots" in told:
            cards = [card for group in groups.values() for card in group]
            hands = [
                [_json_place(place, cards) for place in told["slots"].get(name, [])]
                for name in players
            ]
            for name in told["slots"]:
                _among(name, players, "player")
            return _slot_state(players, groups, hands)
        claims = {
            "has": list(named[0].items()),
            "not": list(named[1].items()),
            "least": [(who, group, _whole(n)) for who, group, n in told.get("least", [])],
            "most": [(who, group, _whole(n)) for who, group, n in told.get("most", [])],
        }
        hands_told = [_whole(number) for number in told["hands"]]
        aside = told.get("aside", [])
        return _deal_state(players, groups, hands_told, claims, aside)
    except KeyError as error:
        raise BadInput(f"the JSON object has no field {error}") from None
    except BadInput:
        raise
    except (TypeError, AttributeError, ValueError):
        raise BadInput(
            f"the JSON object is not of the form {SCHEMA}: players are a list of names; groups, "
            "slots, has and not are objects from a name to a list; least and most are lists of "
            "[player, group, number]"
        ) from None


def _json_place(place: Any, cards: Sequence[str]) -> int:
    if isinstance(place, list):
        return sum({1 << cards.index(_among(name, cards, "card")) for name in place})
    return _whole(place)


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise BadInput(f"a whole number is wanted, not {json.dumps(number)}")
    if number.bit_length() > LARGEST_MASK:
        raise BadInput(f"a number of more than {LARGEST_MASK} bits")
    return number
