"""Replaying recorded cases: ``quartets/transcripts``, ``potentials``, ``turns`` and ``peers``.

A null is an answer and is compared, except in ``deals`` and ``n_matchings``, where it means that
the number is not known: then it is not computed.

In *Quantum Go Fish*, the older game, the four cards of a suit are alike. There are as many suits of
four cards as players; questions name a suit; yes hands over one card. What is known is a table of
numbers, players by suits, so a state is checked by listing the tables. Recorded positions of other
projects come in this form (``quartets/peers``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, reduce
from itertools import chain
from operator import gt, or_
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Sum, is_
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.case_forms import of_form, read_forms
from deduce.problem import Problem, Rule
from deduce.system.text import whole_number
from deduce.testing.cases import Difference, compare
from games.quartets.counting import count_deals
from games.quartets.deal import Claim, DealForm, hand_cards, layout
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.game import Quartets
from games.quartets.position import (
    Position,
    askable,
    certain,
    declarable,
    position_after,
    start_position,
    turn_after,
    winner_of,
)
from games.quartets.search import PLAYERS, QuartetsGame
from games.quartets.session import conflict, fits
from games.quartets.setup import Setup, named_groups
from games.quartets.slots import (
    SlotForm,
    count_matchings,
    fewest_first,
    hamming_bound,
    largest_matching,
)

__all__ = [
    "SuitForm",
    "parse_suits",
    "peers",
    "potentials",
    "solutions",
    "start_suits",
    "transcripts",
    "turns",
]


FORMS = read_forms("games.quartets")
"""The forms of the cases, by their kinds."""


Case = Mapping[str, Any]


# quartets/transcripts


def _check_numbers(case: Case) -> None:
    """Raise `BadInput` if a seat, card or group is named that the case does not have."""
    limits = {"p": case["players"], "to": case["players"], "start": case["players"]}
    if "groups" in case:
        limits |= {"c": sum(case["groups"]), "g": len(case["groups"])}
    events = ((f"events[{number}].", event) for number, event in enumerate(case["events"]))
    for place, fields in (("", case), *events):
        for name in limits.keys() & fields.keys():
            if not fields[name] < limits[name]:
                raise BadInput(
                    f"{place}{name}: expected a whole number below {limits[name]}, "
                    f"not {fields[name]}"
                )


def _game(case: Case) -> Setup:
    _check_numbers(case)
    names = tuple(f"player {p}" for p in range(case["players"]))
    return Setup(
        names,
        named_groups(case["groups"]),
        tuple(case["hands"]),
        names[case.get("start", 0)],
        **case["rules"],
        house=case.get("house", "x"),
        stop=True,
        repetition=None,
    )


def _event(game: Setup, record: Case, by: int) -> Event:
    name = game.players
    if record["t"] == "ask":
        return Ask(name[by], name[record["to"]], game.cards[record["c"]])
    if record["t"] == "answer":
        return Answer(name[by], record["yes"])
    return Quartet(name[by], game.group_names[record["g"]])


@of_form(FORMS["transcripts"])
def transcripts(case: Case) -> Iterator[Difference]:
    """Yield the differences in a transcript: every field of every event, the result, the end."""
    game = _game(case)
    position = start_position(game)
    if case.get("deals0") is not None:
        yield from compare("deals0", case["deals0"], count_deals(position.form).total)
    before = position
    for number, record in enumerate(case["events"]):
        before = position
        if "before" in record:
            yield from compare(f"event {number} before", record["before"], _before(game, position))
        position = position_after(game, position, _event(game, record, record["p"]))
        found = _after(position, position.form, record)
        if "next" in record:
            found["next"] = position.turn
        yield from _recorded(f"event {number}", record, found)
    yield from _result(case, before, position)


def _recorded(path: str, record: Case, found: Mapping[str, object]) -> Iterator[Difference]:
    """Yield the differences in the fields that are recorded; unknown numbers of deals are not."""
    names = [name for name in found if name in record]
    yield from compare(path, _of(record, *names), _of(found, *names))


def _before(game: Setup, position: Position) -> dict[str, object]:
    return {
        "turn": position.turn,
        "ask": askable(game, position),
        "declare": declarable(position),
        "certain": certain(position),
    }


def _after(position: Position | None, form: DealForm, record: Case) -> dict[str, Any]:
    """Return the fields to compare after an event; ``form`` is the state if it is not undone."""
    valid = form.is_valid if position is None else position.fault is None
    found: dict[str, Any] = {"valid": valid}
    if record.get("deals") is not None:
        found["deals"] = count_deals(form).total if valid else 0
    if record["t"] == "ask" and valid:
        found["yes"] = form.can_answer(record["to"], record["c"], yes=True)
        found["no"] = form.can_answer(record["to"], record["c"], yes=False)
    return found


def _result(case: Case, before: Position, position: Position) -> Iterator[Difference]:
    result, fault = case["result"], position.fault
    expected = {name: value for name, value in result.items() if name != "conflict"}
    found: dict[str, Any] = {"type": "cut"}
    if result["type"] == "complete":
        quartets, winner = list(position.quartets()), position.winner()
        found = {"type": position.over, "quartets": quartets, "winner": winner}
    elif result["type"] == "contradiction" and fault is not None:
        kind = "local" if fault.clash else "global"
        found = {"loser": fault.loser, "stage": fault.stage, "kind": kind}
        found["type"] = "contradiction"
    yield from compare("result", expected, found)
    if "conflict" in result and fault is not None:
        yield from _conflict(result["conflict"], fault.form)
    end = position if result["type"] != "contradiction" else before
    final = {n: value for n, value in case["final"].items() if n != "deals" or value is not None}
    yield from compare("final", final, _final(end.form, final))


def _conflict(recorded: Case, form: DealForm) -> Iterator[Difference]:
    """Yield what a recorded conflict, or our own, lacks to be a minimal conflict."""
    theirs: list[Claim] = [("not", player, card, 1) for player, card in recorded["no"]]
    theirs += [("least", *claim) for claim in recorded["has"]]
    theirs += [("most", *claim) for claim in recorded["max"]]
    for whose, claims in (("recorded", theirs), ("found", conflict(form))):
        fewer = ([*claims[:i], *claims[i + 1 :]] for i in range(len(claims)))
        minimal = not fits(form, claims) and all(fits(form, less) for less in fewer)
        yield from compare(
            f"{whose} conflict is violated and minimal", expected=True, found=minimal
        )
        claimed = all(_is_claimed(form, *claim) for claim in claims)
        yield from compare(f"{whose} conflict was claimed", expected=True, found=claimed)


def _is_claimed(form: DealForm, kind: str, player: int, thing: int, number: int) -> bool:
    if kind == "not":
        return bool((form.open & ~form.may[player]) >> thing & 1)
    if kind == "least":
        return form.low[player][thing] >= number
    return form.high[player][thing] <= number


def _final(form: DealForm, expected: Case) -> dict[str, Any]:
    found: dict[str, Any] = {"hands": list(form.hands())}
    found["known"] = {
        str(card): p for p, located in enumerate(form.located) for card in hand_cards(located)
    }
    if {"deals", "owner_deals"} & expected.keys():
        counts = count_deals(form)
        rows = expected.get("owner_deals", ())
        cards = list(rows) if isinstance(rows, Mapping) else range(len(rows))
        owners = {card: counts.holders.get(int(card)) for card in cards}
        lists = {card: None if owner is None else list(owner) for card, owner in owners.items()}
        found["deals"] = counts.total
        found["owner_deals"] = lists if isinstance(rows, Mapping) else list(lists.values())
    return _of(found, *expected)


# quartets/potentials


@of_form(FORMS["potentials"])
def potentials(case: Case) -> Iterator[Difference]:
    """Yield the differences in a list of potentials; a Hall set is not unique, so it is tested."""
    slots = case["slots"]
    form = SlotForm(layout(1, (case["n_ids"],)), (tuple(slots),))
    ordered = [slots[place] for place in fewest_first(slots)]
    found = {
        "n_slots": len(form.potentials),
        "valid": form.is_valid,
        "max_matching": largest_matching(slots),
        "bound_root": hamming_bound(slots),
        "bound_all_suffixes": all(hamming_bound(ordered[i:]) for i in range(len(ordered))),
    }
    yield from compare("case", {name: case[name] for name in found}, found)
    if case.get("n_matchings") is not None:
        yield from compare("n_matchings", case["n_matchings"], count_matchings(slots))
    if "violator" in case:
        yield from _violator(slots, case["violator"]["slots"], "recorded violator")
        union = reduce(or_, (slots[place] for place in case["violator"]["slots"]), 0)
        ids = [i for i in range(case["n_ids"]) if union >> i & 1]
        yield from compare("violator.ids", case["violator"]["ids"], ids)
        if form.hall is None:
            yield Difference("hall", "a Hall set", None)
        else:
            yield from _violator(slots, form.hall.places, "Hall set")
            union = reduce(or_, (slots[place] for place in form.hall.places))
            yield from compare("Hall set's identities", union, form.hall.identities)


def _violator(slots: list[int], places: Any, name: str) -> Iterator[Difference]:
    chosen = [slots[place] for place in places]
    violated = not hamming_bound(chosen)
    minimal = all(
        largest_matching(chosen[:i] + chosen[i + 1 :]) == len(chosen) - 1
        for i in range(len(chosen))
    )
    yield from compare(f"{name} is violated", expected=True, found=violated)
    yield from compare(f"{name} is minimal", expected=True, found=minimal)


# quartets/turns


@of_form(FORMS["turns"])
def turns(case: Case) -> Iterator[Difference]:
    """Yield the differences in a case about the turn of a player without cards, or the winner."""
    if case["kind"] == "out_of_cards":
        for name in ("turn", "last_asked"):
            if (case[name] or 0) >= len(case["hands"]):
                raise BadInput(f"{name}: {case[name]} is given, but there is no such hand")
        found = {
            house: turn_after(case["hands"], case["turn"], case["last_asked"], house)
            for house in case["next"]
        }
        yield from compare("next", case["next"], found)
    else:
        order = case["quartets_in_order"]
        if any(p >= case["players"] for p in order):
            raise BadInput(f"quartets_in_order: the players are 0 to {case['players'] - 1}")
        yield from compare("winner", case["winner"], winner_of(order))
        count = [order.count(p) for p in range(case["players"])]
        yield from compare("count", case["count"], count)


# quartets/peers


@of_form(FORMS["peers"])
def peers(case: Case) -> Iterator[Difference]:
    """Yield the differences in a position of another project: with named cards, or alike ones."""
    yield from (_named if case["kind"] == "named" else _suits)(case)


def _named(case: Case) -> Iterator[Difference]:
    """Replay without turns: the recorded answers follow the recorded questions."""
    game = _game(case)
    form = game.start_form()
    yield from compare("deals0", case["deals0"], count_deals(form).total)
    question: Case = {}
    for number, record in enumerate(case["events"]):
        if record["t"] == "ask":
            question = record
            form = form.asked(record["p"], record["c"], ask_own=game.ask_own, silence=game.silence)
        elif record["t"] == "answer":
            form = form.answered(question["to"], question["p"], question["c"], yes=record["yes"])
        else:
            form = form.declared(record["p"], record["g"])
        found = _after(None, form, record)
        yield from _recorded(f"event {number}", record, found)


def _suits(case: Case) -> Iterator[Difference]:
    found: dict[str, Any]
    if "state" in case:
        found = _tables(case, parse_suits(case["state"]))
        yield from compare("state", _of(case, "valid", "tables", "min", "max"), found)
        return
    form = start_suits(case["players"])
    for number, record in enumerate(case["events"]):
        asker, to, suit = record["p"], record["to"], record["suit"]
        asked = form.asked(asker, suit)
        after = {yes: asked.answered(to, asker, suit, yes=yes) for yes in (True, False)}
        found = {"tables": asked.tables, "valid": asked.tables > 0}
        found |= {"yes": after[True].is_valid, "no": after[False].is_valid}
        form = asked
        if record.get("answer") is not None:
            form = after[record["answer"]]
            found |= {"tables_after": form.tables, "answer_valid": form.tables > 0}
        yield from compare(f"event {number}", _of(record, *found), found)
    if "final" in case:
        hands = [n + sum(row) for n, row in zip(form.hands, form.moved, strict=True)]
        found = _tables(case["final"], form) | _of({"hands": hands}, *case["final"])
        yield from compare("final", case["final"], found)


def _of(case: Case, *names: str) -> dict[str, Any]:
    return {name: case[name] for name in names if name in case}


def _tables(case: Case, form: SuitForm) -> dict[str, object]:
    found: dict[str, object] = {"tables": form.tables, "valid": form.tables > 0}
    if form.tables:
        left = form.knowledge.possible()
        for name, most in (("min", min), ("max", max)):
            found[name] = [
                [
                    most(n + moved for n in left[p, s] if isinstance(n, int))
                    for s, moved in enumerate(row)
                ]
                for p, row in enumerate(form.moved)
            ]
    return _of(found, *case)


@of_form(FORMS["solutions"])
def solutions(case: Mapping[str, Any]) -> Iterator[Difference]:
    """Return what differs in the solution of a game.

    Its value, which is how many groups each player can force against all others together; after how
    many statements they have them; and the number of positions up to the names of cards.
    """
    from deduce.testing.searched import compare_solution

    names, groups = PLAYERS[: case["players"]], named_groups(case["groups"])
    house = case.get("house", "x")
    game = QuartetsGame(Quartets(names, groups, house=house, **case["rules"]))
    return compare_solution(game, case)


OF_EACH = 4
Table = tuple[tuple[int, ...], ...]


@frozen(slots=False)
class SuitForm:
    """What is known about how many cards of each suit each player was dealt.

    Parameters
    ----------
    hands
        For each player, how many cards they were dealt.
    low, high
        For each player and suit, bounds on their number.
    moved
        For each player and suit, how many they have received, less those they have handed over.
    """

    hands: tuple[int, ...]
    low: Table
    high: Table
    moved: Table

    @cached_property
    def knowledge(self) -> Knowledge:
        """The numbers of cards of each suit that each player can have been dealt."""
        seats = range(len(self.hands))
        numbers = {(p, s): range(self.low[p][s], self.high[p][s] + 1) for p in seats for s in seats}

        def total(cells: Iterable[tuple[int, int]], number: int) -> Rule:
            terms = [(is_(cell, n), n) for cell in cells for n in numbers[cell]]
            return Rule(Sum(terms, number, number))

        rules = [total(((p, s) for s in seats), size) for p, size in enumerate(self.hands)]
        rules += [total(((p, s) for p in seats), OF_EACH) for s in seats]
        return Knowledge(Problem(numbers, rules))

    @property
    def is_valid(self) -> bool:
        """Whether there is a table of numbers."""
        return not self._clash and self.knowledge.is_consistent()

    @cached_property
    def tables(self) -> int:
        """How many tables of numbers there are."""
        return 0 if self._clash else self.knowledge.count()

    @property
    def _clash(self) -> bool:
        return any(map(gt, chain(*self.low), chain(*self.high)))

    def asked(self, by: int, suit: int) -> SuitForm:
        """Return the state after a question: the asker holds a card of the suit."""
        least = max(self.low[by][suit], 1 - self.moved[by][suit])
        return evolve(self, low=_with(self.low, by, suit, least))

    def answered(self, by: int, to: int, suit: int, *, yes: bool) -> SuitForm:
        """Return the state after an answer."""
        before = self.moved[by][suit]
        if not yes:
            most = min(self.high[by][suit], -before)
            return evolve(self, high=_with(self.high, by, suit, most))
        moved = _with(self.moved, by, suit, before - 1)
        moved = _with(moved, to, suit, moved[to][suit] + 1)
        return evolve(self.asked(by, suit), moved=moved)


def _with(table: Table, player: int, suit: int, number: int) -> Table:
    row = table[player]
    changed = (*row[:suit], number, *row[suit + 1 :])
    return (*table[:player], changed, *table[player + 1 :])


def start_suits(players: int) -> SuitForm:
    """Return the state before the first question: four cards each.

    >>> start_suits(3).tables
    120
    """
    nothing, every = (((n,) * players,) * players for n in (0, OF_EACH))
    return SuitForm((OF_EACH,) * players, nothing, every, nothing)


def parse_suits(text: str) -> SuitForm:
    """Return the state that a text such as ``"00??/01?x2/11???"`` describes.

    Hands are separated by ``/``; digits are known cards, ``?`` unknown ones, and the digits after
    ``x`` are suits of which there are no unknown cards.

    Raises
    ------
    BadInput
        A character without a meaning there, or a suit beyond the number of players.
    """
    hands = [hand.partition("x") for hand in text.split("/")]
    suits = range(len(hands))
    for number, (cards, _, excluded) in enumerate(hands, start=1):
        for mark in cards.replace("?", "") + excluded:
            if whole_number(mark) not in suits:
                raise BadInput(
                    f"hand {number}: {mark!r} is not a suit; the suits are 0 to {len(hands) - 1}"
                )
    low = tuple(tuple(map(_marks(cards).count, suits)) for cards, _, _ in hands)
    high = tuple(
        tuple(n if suit in _marks(excluded) else OF_EACH for suit, n in enumerate(row))
        for row, (_, _, excluded) in zip(low, hands, strict=True)
    )
    dealt = tuple(len(cards) for cards, _, _ in hands)
    return SuitForm(dealt, low, high, ((0,) * len(hands),) * len(hands))


def _marks(text: str) -> list[int]:
    return [int(mark) for mark in text if mark != "?"]
