"""The forms of the recorded cases of Quartets."""

from __future__ import annotations

from deduce.caseforms import Either, Tagged, Text, maybe

__all__ = ["PEERS", "POTENTIALS", "SOLUTIONS", "TRANSCRIPTS", "TURNS"]

SEAT, CARD, CARDS = range(20), range(1000), range(1, 1000)
HOUSE = Text("[xyz]", "x, y or z")
SET_UP = {
    "players": range(2, 21), "groups": [CARDS], "hands": [CARD], "start?": SEAT,
    "rules": {"ask_own": bool, "silence": bool, "deal_quartet": bool}, "house?": HOUSE,
    "deals0?": maybe(int),
}  # fmt: skip
_EVENT = {"p": SEAT, "valid?": bool, "deals?": maybe(int)}
EVENT = Tagged("t", {
    "ask": _EVENT | {"to": SEAT, "c": CARD, "yes?": bool, "no?": bool},
    "answer": _EVENT | {"yes": bool, "to?": SEAT, "c?": CARD},
    "quartet": _EVENT | {"g": CARD},
})  # fmt: skip
RESULT = Tagged("type", {
    "complete": {"quartets": [int], "winner": maybe(int)},
    "contradiction": {
        "loser": int, "stage": str, "kind": str,
        "conflict?": {"no": [(SEAT, CARD)], "has": [(SEAT, CARD, int)], "max": [(SEAT, CARD, int)]},
    },
    "cut": {},
})  # fmt: skip
_OWNERS = maybe([int])
TRANSCRIPTS = SET_UP | {
    "events": [EVENT], "result": RESULT,
    "final": {
        "hands": [int], "known": {str: int}, "deals?": maybe(int),
        "owner_deals?": Either([_OWNERS], {str: _OWNERS}),
    },
}  # fmt: skip
SLOTS = [range(1 << 64)]
POTENTIALS = {
    "n_slots": int, "n_ids": range(1, 65), "slots": SLOTS, "valid": bool, "max_matching": int,
    "bound_root": bool, "bound_all_suffixes": bool, "n_matchings?": maybe(int),
    "violator?": {"slots": [CARD], "ids": [int]},
}  # fmt: skip
TURNS = Tagged("kind", {
    "out_of_cards": {
        "hands": [CARD], "turn": SEAT, "last_asked": maybe(SEAT),
        "next": dict.fromkeys(("x?", "y?", "z?"), maybe(int)),
    },
    "winner": {"players": SEAT, "quartets_in_order": [SEAT], "winner": maybe(int), "count": [int]},
})  # fmt: skip
TABLE = {"min?": [[int]], "max?": [[int]], "tables": int}
EVENT_OF_ANY = Tagged("t", {
    "ask": EVENT.forms["ask"], "answer": {"yes": bool}, "quartet": EVENT.forms["quartet"],
})  # fmt: skip
PEERS = Tagged("kind", {
    "named": SET_UP | {"events": [EVENT_OF_ANY]},
    "suit": {
        "players": range(2, 21), "state?": str, "final?": TABLE | {"hands?": [int]},
        "events?": [{"p": SEAT, "to": SEAT, "suit": SEAT, "answer?": maybe(bool)}],
    },
})  # fmt: skip
SOLUTIONS = {
    "players": range(2, 11), "groups": [CARDS], "rules": SET_UP["rules"], "house?": HOUSE,
    "value": [float], "plies": [int], "positions": int,
}  # fmt: skip
