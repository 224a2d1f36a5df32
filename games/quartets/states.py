"""States without a transcript: deal forms and slot forms, read and written as text and as JSON.

::

    quartets slots                     quartets deal
    players: Ann, Ben, Cid             players: Ann, Ben, Cid
    groups: 2 of 2                     groups: 2 of 2
    Ann: a1|a2|b1, a1|b2               hands: 2, 1, 1
    Ben: a2                            Ann has a1
    Cid: 4                             Ann not b1, b2
                                       Ben at least 1 of b
                                       Cid at most 0 of a

A place of a hand is a list of cards, a bitmask (4 is the third card), ``?`` for any card or ``-``
for no card. What a deal form does not state is open. ``aside: a, b`` names groups that are laid
aside. The text ``3 5 6`` alone is a slot form too: three places as bitmasks; ``/`` separates hands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import field, frozen

from deduce.errors import BadInput, placed
from deduce.logs.json_values import parse_json, structure
from deduce.system.display import Displayed
from deduce.system.text import listing, plural, whole_number
from games.quartets.deal import DealForm, layout, stated_form
from games.quartets.notation import groups_in, lines_of, names_in, read_head
from games.quartets.setup import check_names, group_lists
from games.quartets.slots import SlotForm, hand_cards

__all__ = ["SCHEMA", "State", "format_state", "parse_masks", "parse_state"]

SCHEMA = "deduce/quartets-state/1"
MAX_IDENTITIES = 1000
ANY, NONE = "?", "-"
"""A place that may be any card, and one that cannot be any."""

_MASK = re.compile(r"0x[0-9a-f]+|[0-9]+", re.IGNORECASE)
_MASKS = re.compile(rf"[\s,/]*({_MASK.pattern})([\s,/]+({_MASK.pattern}))*[\s,/]*", re.IGNORECASE)
_HAS = re.compile(r"(?P<who>.+?)\s+(?P<verb>has|not)\s+(?P<cards>.+)$")
_BOUND = re.compile(
    r"(?P<who>.+?)\s+at\s+(?P<verb>least|most)\s+(?P<n>[0-9]{1,9})\s+of\s+(?P<group>.+)$"
)


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

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """All groups in the order of their numbers."""
        return tuple(self.groups)

    def names_of(self, cards: int) -> list[str]:
        """Return the names of a bitmask of cards."""
        return [self.cards[card] for card in hand_cards(cards)]


def parse_masks(text: str) -> State | None:
    """Return the slot form that a bare list of bitmasks describes; ``None`` for other text.

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
    if not 0 <= mask < 1 << MAX_IDENTITIES:
        raise BadInput(f"the bitmask {word[:20]}... has more than {MAX_IDENTITIES} identities")
    return mask


def _bare(hands: Sequence[Sequence[int]], identities: int) -> State:
    if identities > MAX_IDENTITIES:
        raise BadInput(f"{identities} are too many identities; at most {MAX_IDENTITIES}")
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
        f"the first line names the kind of file: 'quartets' (a transcript), 'quartets slots' or "
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
        with placed(line=number):
            if not colon:
                raise BadInput(f"a hand is given as 'Ann: a1|a2, b1', not {line.strip()!r}")
            _among(name, players, "player")
            if name in hands:
                raise BadInput(f"the hand of {name} is given twice")
            hands[name] = [
                _place(place.strip(), cards) for place in places.split(",") if place.strip()
            ]
    return _slot_state(players, groups, [hands.get(name, []) for name in players])


def _slot_state(
    players: Sequence[str], groups: Mapping[str, Sequence[str]], hands: Sequence[Sequence[int]]
) -> State:
    _check(players, groups)
    table = layout(len(players), tuple(map(len, groups.values())))
    return State(tuple(players), group_lists(groups), SlotForm(table, hands))


def _place(text: str, cards: Sequence[str]) -> int:
    if text in (ANY, NONE):
        return (1 << len(cards)) - 1 if text == ANY else 0
    if text not in cards and _MASK.fullmatch(text):
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
        raise BadInput(f"no {what} is called {name!r}{listing(names, name)}")
    return name


def _check(players: Sequence[str], groups: Mapping[str, Sequence[str]]) -> None:
    cards = [card for group in groups.values() for card in group]
    for names, what in ((players, "player"), (cards, "card")):
        if not names:
            raise BadInput(f"there are no {what}s")
        check_names(names, what)
    for name in cards:
        if "|" in name or name == NONE:
            raise BadInput(f"a card of a state cannot be called {name!r}")


def _deal(lines: Sequence[tuple[int, str]]) -> State:
    head, body = read_head(lines, ("players", "groups", "hands", "aside"))
    players, (groups, _) = names_in(head, "players"), groups_in(head)
    claims: dict[str, list[Any]] = {"has": [], "not": [], "least": [], "most": []}
    for number, line in body:
        bound, has = _BOUND.match(line.strip()), _HAS.match(line.strip())
        if bound:
            claims[bound["verb"]].append((bound["who"], bound["group"].strip(), int(bound["n"])))
        elif has:
            names = [name.strip() for name in has["cards"].split(",")]
            claims[has["verb"]].append((has["who"], names))
        else:
            raise BadInput(
                f"not a claim: {line.strip()!r}; there are 'Ann has a1', 'Ann not a2, a3', "
                "'Ann at least 1 of b' and 'Ann at most 2 of b'",
                line=number,
            )
    hands = names_in(head, "hands")
    if any(whole_number(hand, digits=5) is None for hand in hands):
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
    """Return the deal form of claims.

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
    for who, names in claims["has"]:
        p = players.index(_among(who, players, "player"))
        for name in names:
            bit = 1 << cards.index(_among(name, cards, "card"))
            if not open_ & bit:
                raise BadInput(f"{who} has {name}, which is elsewhere already or laid aside")
            open_ &= ~bit
            located[p] |= bit
    may = [open_] * len(players)
    for who, names in claims["not"]:
        p = players.index(_among(who, players, "player"))
        for name in names:
            may[p] &= ~(1 << cards.index(_among(name, cards, "card")))
    low = [[0] * len(groups) for _ in players]
    high = [list(table.sizes) for _ in players]
    for kind, rows in (("least", low), ("most", high)):
        for who, group, number in claims[kind]:
            p = players.index(_among(who, players, "player"))
            rows[p][list(groups).index(_among(group, list(groups), "group"))] = number
    if len(hands) != len(players):
        raise BadInput(f"there are {len(players)} players but {plural(len(hands), 'hand size')}")
    in_play = open_.bit_count() + sum(map(int.bit_count, located))
    if sum(hands) != in_play:
        raise BadInput(f"the hands hold {sum(hands)} cards, but {in_play} are in play")
    form = stated_form(table, hands, located=located, may=may, low=low, high=high, aside=out)
    if min(form.places) < 0:
        p = form.places.index(min(form.places))
        raise BadInput(f"{players[p]} has {plural(hands[p], 'card')}, but more are named")
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
            f"{name}: {', '.join(_place_text(state, place, every) for place in hand)}"
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


def _place_text(state: State, place: int, every: int) -> str:
    # An empty place is not written as the bitmask 0, which would be read as a card of that name.
    if place == every:
        return ANY
    return "|".join(state.names_of(place)) or NONE


# Reading JSON


def _our_schema(instance: object, attribute: object, schema: str) -> None:
    if schema != SCHEMA:
        raise BadInput(f'the "schema" of a state is {SCHEMA!r}, not {schema!r}')


@frozen
class _Masks:
    """A bare list of bitmasks."""

    slots: list[int]
    n_ids: int
    schema: str = field(default=SCHEMA, validator=_our_schema)


@frozen
class _Slots:
    """A slot form: the places of a player are lists of cards or bitmasks."""

    players: list[str]
    groups: dict[str, list[str]]
    slots: dict[str, list[Any]]
    schema: str = field(default=SCHEMA, validator=_our_schema)


@frozen
class _Deal:
    """A deal form; ``lacks`` is the field "not", which cannot be a name in Python."""

    players: list[str]
    groups: dict[str, list[str]]
    hands: list[int]
    aside: list[str] = field(factory=list)
    has: dict[str, list[str]] = field(factory=dict)
    lacks: dict[str, list[str]] = field(factory=dict)
    least: list[tuple[str, str, int]] = field(factory=list)
    most: list[tuple[str, str, int]] = field(factory=list)
    schema: str = field(default=SCHEMA, validator=_our_schema)


def _from_json(text: str) -> State:
    fields = parse_json(text)
    if isinstance(fields.get("slots"), list):
        masks: _Masks = structure(fields, _Masks)
        return _bare([[_whole(mask) for mask in masks.slots]], _whole(masks.n_ids))
    if "slots" in fields:
        slots: _Slots = structure(fields, _Slots)
        cards = [card for group in slots.groups.values() for card in group]
        for name in slots.slots:
            _among(name, slots.players, "player")
        hands = [
            [_json_place(place, cards) for place in slots.slots.get(name, [])]
            for name in slots.players
        ]
        return _slot_state(slots.players, slots.groups, hands)
    if "lacks" in fields:
        raise BadInput("unknown fields: lacks")
    renamed = {"lacks" if name == "not" else name: value for name, value in fields.items()}
    deal: _Deal = structure(renamed, _Deal)
    claims: dict[str, Sequence[Any]] = {
        "has": list(deal.has.items()),
        "not": list(deal.lacks.items()),
        "least": [(who, group, _whole(n)) for who, group, n in deal.least],
        "most": [(who, group, _whole(n)) for who, group, n in deal.most],
    }
    hand_sizes = [_whole(size) for size in deal.hands]
    return _deal_state(deal.players, deal.groups, hand_sizes, claims, deal.aside)


def _json_place(place: object, cards: Sequence[str]) -> int:
    if isinstance(place, list):
        names: list[str] = structure(place, list[str])
        return sum({1 << cards.index(_among(name, cards, "card")) for name in names})
    return _whole(structure(place, int))


def _whole(number: int) -> int:
    if number < 0:
        raise BadInput(f"a number of at least 0 is needed, not {number}")
    if number.bit_length() > MAX_IDENTITIES:
        raise BadInput(f"a number of more than {MAX_IDENTITIES} bits")
    return number
