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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from attrs import field, frozen

from deduce.errors import BadInput, placed
from deduce.logs.json_values import parse_json, structure
from deduce.system.display import Displayed
from deduce.system.text import plural, whole_number
from games.quartets.deal import Claim, DealForm, claimed_form, layout
from games.quartets.notation import groups_in, lines_of, names_in, read_head
from games.quartets.setup import Names, check_names
from games.quartets.slots import SlotForm

__all__ = ["SCHEMA", "Claims", "State", "claims_of", "format_state", "parse_masks", "parse_state"]

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
class State(Names, Displayed):
    """A state with the names of its players and cards."""

    form: DealForm | SlotForm


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
    names = _named(names_in(head, "players"), groups_in(head)[0])
    hands: dict[int, list[int]] = {}
    for number, line in body:
        name, colon, places = (part.strip() for part in line.partition(":"))
        with placed(line=number):
            if not colon:
                raise BadInput(f"a hand is given as 'Ann: a1|a2, b1', not {line.strip()!r}")
            player = names.player(name)
            if player in hands:
                raise BadInput(f"the hand of {name} is given twice")
            each = map(str.strip, places.split(","))
            hands[player] = [_place(place, names) for place in each if place]
    return _slot_state(names, [hands.get(player, []) for player in range(len(names.players))])


def _slot_state(names: Names, hands: Sequence[Sequence[int]]) -> State:
    return State(names.players, names.groups, SlotForm(names.table, hands))


def _place(text: str, names: Names) -> int:
    if text in (ANY, NONE):
        return names.table.all if text == ANY else 0
    if text not in names.cards and _MASK.fullmatch(text):
        mask = _mask(text)
        if mask & ~names.table.all:
            raise BadInput(
                f"the bitmask {text} has identities beyond the {len(names.cards)} cards; "
                f"the largest is {names.table.all}"
            )
        return mask
    return _cards(names, text.split("|"))


def _cards(names: Names, cards: Iterable[str]) -> int:
    """Return the bitmask of some cards."""
    return sum({1 << names.card(card.strip()) for card in cards})


def _named(players: Sequence[str], groups: Mapping[str, Sequence[str]]) -> Names:
    names = Names(players, groups)
    for each, what in ((names.players, "player"), (names.cards, "card")):
        if not each:
            raise BadInput(f"there are no {what}s")
        check_names(each, what)
    for name in names.cards:
        if "|" in name or name == NONE:
            raise BadInput(f"a card of a state cannot be called {name!r}")
    return names


class Claims:
    """What is claimed of the cards of a game, one claim after the other."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.given = self.aside = 0
        self.claims: dict[Claim, None] = {}

    def lay_aside(self, name: str) -> int:
        """Add that a group is laid aside, and return its number."""
        group = self.names.group(name)
        self.aside |= 1 << group
        self.given |= self.names.table.masks[group]
        return group

    def add(self, kind: str, who: str, *what: str) -> None:
        """Add a claim: that a player has some cards or not, or at least or most some of a group.

        Raises
        ------
        BadInput
            There is no such name, or the card is elsewhere, or it is said to be there and not.
        """
        player = self.names.player(who)
        if kind in ("least", "most"):
            group, number = what
            self.claims[kind, player, self.names.group(group), int(number)] = None
            return
        for name in map(str.strip, what):
            card = self.names.card(name)
            if kind == "has" and self.given >> card & 1:
                raise BadInput(f"{who} has {name}, which is elsewhere already or laid aside")
            self.given |= (kind == "has") << card
            if ("not" if kind == "has" else "has", player, card, 1) in self.claims:
                raise BadInput(f"{who} both has {name} and has it not")
            self.claims[kind, player, card, 1] = None

    def form(self, hands: Sequence[int]) -> DealForm:
        """Return what is known with these sizes of the hands."""
        return claimed_form(self.names.table, hands, self.claims, self.aside)


def claims_of(
    names: Names, form: DealForm, limits: Sequence[int] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the `DealForm.claims` of a state as `Claims.add` takes them."""
    for (kind, p), claims in groupby(form.claims(limits), key=itemgetter(0, 1)):
        if kind in ("has", "not"):
            yield kind, names.players[p], *(names.cards[card] for _, _, card, _ in claims)
            continue
        for _, _, group, number in claims:
            yield kind, names.players[p], names.group_names[group], str(number)


def _deal(lines: Sequence[tuple[int, str]]) -> State:
    head, body = read_head(lines, ("players", "groups", "hands", "aside"))
    claims = Claims(_named(names_in(head, "players"), groups_in(head)[0]))
    for group in names_in(head, "aside") if "aside" in head else ():
        claims.lay_aside(group)
    for number, line in body:
        bound, has = _BOUND.match(line.strip()), _HAS.match(line.strip())
        with placed(line=number):
            if bound:
                claims.add(bound["verb"], bound["who"], bound["group"].strip(), bound["n"])
            elif has:
                claims.add(has["verb"], has["who"], *has["cards"].split(","))
            else:
                raise BadInput(
                    f"not a claim: {line.strip()!r}; there are 'Ann has a1', 'Ann not a2, a3', "
                    "'Ann at least 1 of b' and 'Ann at most 2 of b'"
                )
    hands = names_in(head, "hands")
    if any(whole_number(hand, digits=5) is None for hand in hands):
        raise BadInput("hands are numbers of cards, one per player", line=head["hands"][0])
    return _deal_state(claims, [int(hand) for hand in hands])


def _deal_state(claims: Claims, hands: Sequence[int]) -> State:
    """Return the deal form of claims; refuse hands that do not add up."""
    names, out = claims.names, claims.aside
    if len(hands) != len(names.players):
        raise BadInput(
            f"there are {len(names.players)} players but {plural(len(hands), 'hand size')}"
        )
    in_play = sum(size for g, size in enumerate(names.table.sizes) if not out >> g & 1)
    if sum(hands) != in_play:
        raise BadInput(f"the hands hold {sum(hands)} cards, but {in_play} are in play")
    form = claims.form(hands)
    if min(form.places) < 0:
        p = form.places.index(min(form.places))
        raise BadInput(f"{names.players[p]} has {plural(hands[p], 'card')}, but more are named")
    return State(names.players, names.groups, form)


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
    for kind, player, *what in claims_of(state, form):
        if kind in ("least", "most"):
            body.append(f"{player} at {kind} {what[1]} of {what[0]}")
        else:
            body.append(f"{player} {kind} {', '.join(what)}")
    return "\n".join(["quartets deal", *head, *body]) + "\n"


def _place_text(state: State, place: int, every: int) -> str:
    # An empty place is not written as the bitmask 0, which would be read as a card of that name.
    if place == every:
        return ANY
    return "|".join(state.names_of(place)) or NONE


# Reading JSON


@frozen
class _Masks:
    """A bare list of bitmasks."""

    slots: list[int]
    n_ids: int


@frozen
class _Slots:
    """A slot form: the places of a player are lists of cards or bitmasks."""

    players: list[str]
    groups: dict[str, list[str]]
    slots: dict[str, list[Any]]


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


def _from_json(text: str) -> State:
    fields = parse_json(text)
    schema = fields.pop("schema", SCHEMA)
    if schema != SCHEMA:
        raise BadInput(f'the "schema" of a state is {SCHEMA!r}, not {schema!r}')
    if isinstance(fields.get("slots"), list):
        masks: _Masks = structure(fields, _Masks)
        return _bare([[_whole(mask) for mask in masks.slots]], _whole(masks.n_ids))
    if "slots" in fields:
        slots: _Slots = structure(fields, _Slots)
        names = _named(slots.players, slots.groups)
        given = {names.player(name): hand for name, hand in slots.slots.items()}
        hands = [given.get(player, []) for player in range(len(names.players))]
        return _slot_state(names, [[_json_place(each, names) for each in hand] for hand in hands])
    if "lacks" in fields:
        raise BadInput("unknown fields: lacks")
    renamed = {"lacks" if name == "not" else name: value for name, value in fields.items()}
    deal: _Deal = structure(renamed, _Deal)
    claims = Claims(_named(deal.players, deal.groups))
    for group in deal.aside:
        claims.lay_aside(group)
    for kind, cards in (("has", deal.has), ("not", deal.lacks)):
        for who, each in cards.items():
            claims.add(kind, who, *each)
    for kind, bounds in (("least", deal.least), ("most", deal.most)):
        for who, group, number in bounds:
            claims.add(kind, who, group, str(_whole(number)))
    return _deal_state(claims, [_whole(size) for size in deal.hands])


def _json_place(place: object, names: Names) -> int:
    if isinstance(place, list):
        return _cards(names, structure(place, list[str]))
    return _whole(structure(place, int))


def _whole(number: int) -> int:
    if number < 0:
        raise BadInput(f"a number of at least 0 is needed, not {number}")
    if number.bit_length() > MAX_IDENTITIES:
        raise BadInput(f"a number of more than {MAX_IDENTITIES} bits")
    return number
