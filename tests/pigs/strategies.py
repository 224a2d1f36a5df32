"""Random deals and logs for property tests, and the recorded cases."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import attrs
from hypothesis import strategies as st

from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from games.pigs.events import Event, public_events
from games.pigs.game import Pigs
from games.pigs.reading import read_turns
from games.pigs.setup import CARDS, LOYAL, MASTER, REBEL, Deal, Role, RuleSet
from games.pigs.simulation import simulate

DATA = Path(__file__).parent.parent / "data"
PUBLISHED = Path(__file__).parents[3] / "shared" / "cases" / "published" / "pigs_published.json"


@cache
def document(name: str) -> dict[str, Any]:
    """Return a recorded case file."""
    return dict(json.loads((DATA / f"{name}.json").read_text()))


def simulations() -> list[dict[str, Any]]:
    """Return all recorded games."""
    recorded = document("pigs_simulation")
    return [*recorded["cases"], *recorded["crafted"]]


def deal_of(case: dict[str, Any]) -> Deal:
    """Return the deal of a recorded game."""
    roles = tuple(role for role, _ in case["players"])
    return Deal(roles, tuple(cards for _, cards in case["players"]), case["deck"])


@st.composite
def deals(
    draw: st.DrawFn,
    *,
    most: int = 6,
    hand: st.SearchStrategy[int] = st.just(4),  # noqa: B008
    pile: int = 60,
) -> Deal:
    """Draw a deal; skewed card mixes reach the rarer rules."""
    players = draw(st.integers(2, most))
    others: list[Role] = [draw(st.sampled_from((LOYAL, REBEL))) for _ in range(players - 2)]
    others.insert(draw(st.integers(0, players - 2)), REBEL)
    cards = draw(st.sampled_from((CARDS, CARDS + "JJFF", CARDS + "KKDD", CARDS + "NWJJ")))
    size = draw(hand)
    letters = st.sampled_from(cards)
    hands = tuple(
        "".join(draw(st.lists(letters, min_size=size, max_size=size))) for _ in range(players)
    )
    deck = "".join(draw(st.lists(letters, min_size=1, max_size=pile)))
    return Deal((MASTER, *others), hands, deck)


def log_of(
    deal: Deal,
    *,
    turns: int = 60,
    discards_shown: bool = False,
    told: bool = False,
    rule_set: RuleSet = "contest",
) -> Log:
    """Return the public log of the first turns of a game."""
    trace = simulate(deal, limit=turns, trace=True, rule_set=rule_set).trace
    return public_log(
        trace,
        deal.seats,
        hand=len(deal.hands[0]),
        rebels=deal.roles.count(REBEL) if told else None,
        discards_shown=discards_shown,
        **literal_options(deal, rule_set),
    )


def literal_options(deal: Deal, rule_set: RuleSet) -> dict[str, Any]:
    """Return the options of a table with these rules."""
    return {"rule_set": "literal", "pile": len(deal.pile)} if rule_set == "literal" else {}


def public_log(trace: Iterable[Event], seats: int, **options: Any) -> Log:
    """Return the public log of a trace, with options of the table."""
    shown = options.get("discards_shown", False)
    game = Pigs(seats, **options)
    return Log(game, public_events(trace, discards_shown=shown, rule_set=game.rule_set))


def changed(log: Log, **options: Any) -> Log:
    """Return the log with other options of the table."""
    return attrs.evolve(log, game=attrs.evolve(log.game, **options))


def knowledge_of(log: Log, **options: Any) -> Knowledge:
    """Return what the log implies, by the engines of the toolkit."""
    return Knowledge.of(log, **options)


parse_log = Pigs.parse_log
log_from_json = Pigs.log_from_json


@st.composite
def logs(
    draw: st.DrawFn, *, most: int = 6, rule_set: RuleSet = "contest", pile: int = 60
) -> tuple[Deal, Log]:
    """Draw a game's log up to some turn, with the deal that it came from."""
    deal = draw(deals(most=most, pile=pile))
    log = log_of(
        deal, discards_shown=draw(st.booleans()), told=draw(st.booleans()), rule_set=rule_set
    )
    return deal, log.upto(draw(st.sampled_from(read_turns(log).boundaries)))
