"""Replaying recorded Cluedo positions: ``cluedo/exact`` and ``cluedo/peers``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from deduce.constraints import at_least, is_
from deduce.errors import BadInput
from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from deduce.logs.case_forms import of_form, read_forms
from deduce.logs.json_values import structure
from deduce.testing.cases import Difference, compare
from games.cluedo.advice import advise
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.game import Cluedo, game_of
from games.cluedo.setup import ENVELOPE

__all__ = ["exact", "peers", "recorded"]

Case = Mapping[str, Any]

BITS = 1e-8
"""How far an entropy may be from the recorded one, which has nine digits."""

MAX_TIES = 40
"""How many equally good suggestions a case records at most."""


KINDS: Mapping[str, type[Accusation | Has | HasNot | OneOf]] = {
    "accuse": Accusation, "one_of": OneOf, "has": Has, "not": HasNot,
}  # fmt: skip
"""The classes of the events that are read field by field."""
FORMS = read_forms("games.cluedo")
"""The forms of the cases, by their kinds."""


# Reading a case


def _game(case: Case, *, me: str | None = None) -> Cluedo:
    """Return the game; suggestions in the cases of other programs may name any cards."""
    return Cluedo(
        players=tuple(player["name"] for player in case["players"]),
        deck=case["deck"],
        hands=tuple(player["hand_size"] for player in case["players"]),
        face_up=tuple(case.get("face_up") or ()),
        me=me,
        free_suggestions=True,
    )


def _own_hand(case: Case) -> tuple[Hand, ...]:
    if case["observer"] is None:
        return ()
    return (Hand(case["observer"], tuple(case["own_cards"])),)


def _event(record: Case, seen: Sequence[Case] | None = None) -> Event:
    """Return the event; ``seen`` replaces the shows by the cards that were really shown."""
    kind = record["type"]
    if kind == "suggest":
        shows: Sequence[Case] = record.get("shows") or (
            [{"by": record["shown_by"], "card": record["card"]}] if record.get("shown_by") else []
        )
        shows = shows if seen is None else seen
        return Suggestion(
            record["by"],
            tuple(record["cards"]),
            tuple(record["passes"]),
            tuple(Show(show["by"], show["card"]) for show in shows),
        )
    fields = {name: value for name, value in record.items() if name != "type"}
    return structure(fields, KINDS[kind])


def _true_record(case: Case) -> Knowledge:
    """Return the record of the real deal: every hand, and every card that was shown."""
    truth = case["truth"]
    hands = [Hand(player, tuple(cards)) for player, cards in truth["hands"].items()]
    suggestions = [n for n, record in enumerate(case["events"]) if record["type"] == "suggest"]
    if len(truth["shown"]) != len(suggestions):
        raise BadInput(
            f"truth.shown has {len(truth['shown'])} items, one for each of the "
            f"{len(suggestions)} suggestions is expected"
        )
    shown = iter(truth["shown"])
    events = [
        _event(record, next(shown) if record["type"] == "suggest" else None)
        for record in case["events"]
    ]
    return Knowledge(_game(case), [*hands, *events])


def recorded(case: Case) -> Knowledge:
    """Return what the observer of a recorded position knows."""
    game = _game(case, me=case["observer"])
    return Knowledge(game, [*_own_hand(case), *map(_event, case["events"])])


# What is compared


def _table(knowledge: Knowledge, holders: Sequence[str]) -> dict[str, str]:
    """Return a string of Y, N and ? for each card, one letter per holder."""
    return {
        str(card): "".join(
            "N" if holder not in values else "Y" if len(values) == 1 else "?" for holder in holders
        )
        for card, values in knowledge.possible().items()
    }


def _joint(knowledge: Knowledge) -> Any:
    return knowledge.joint(*game_of(knowledge).questions(), weighted=False)


def _envelope(shares: Mapping[Any, Mapping[Any, Fraction]]) -> dict[str, str]:
    return {str(card): _ratio(row.get(ENVELOPE, Fraction(0))) for card, row in shares.items()}


def _ratio(share: Fraction) -> str:
    return f"{share.numerator}/{share.denominator}"


def _view(knowledge: Knowledge, viewer: Viewer) -> dict[str, Any]:
    seen = knowledge.seen_by(viewer)
    in_envelope = sorted(str(c) for c, holder in seen.certain().items() if holder == ENVELOPE)
    return {
        "total_deals": str(seen.count()),
        "possible_solutions": len(_joint(seen)),
        "envelope_certain": in_envelope,
    }


# cluedo/exact


@of_form(FORMS["exact"])
def exact(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``cluedo/exact`` case: every field of ``exact`` is compared.

    A null at any depth of ``exact`` means that nothing is expected there.
    """
    knowledge = recorded(case)
    expected = case["exact"]
    for name in sorted(expected.keys() - {"holders", "verified_by"}):
        if expected[name] is None:
            continue
        if name == "next_suggestion":
            yield from _next_suggestion(knowledge, expected[name])
            continue
        actual = _EXACT[name](knowledge, case)
        if name == "solution_entropy_bits":
            yield from _bits(name, expected[name], actual)
        else:
            yield from compare(name, _sorted(name, expected[name]), actual, optional=True)


def _sorted(name: str, expected: Any) -> Any:
    """Return the expected value with the lists sorted that are sets."""
    if name == "most_likely_solutions":
        return sorted(expected)
    if name == "views":
        return {
            player: view | {"envelope_certain": sorted(view["envelope_certain"])}
            for player, view in expected.items()
        }
    return expected


def _holder_counts(knowledge: Knowledge, case: Case) -> dict[str, list[str]]:
    total = knowledge.count()
    return {
        str(card): [str(row.get(holder, 0) * total) for holder in case["exact"]["holders"]]
        for card, row in knowledge.shares().items()
    }


def _public(knowledge: Knowledge, case: Case) -> dict[str, Any]:
    public = knowledge.seen_by(None)
    return {"total_deals": str(public.count()), "table": _table(public, case["exact"]["holders"])}


def _views(knowledge: Knowledge, case: Case) -> dict[str, Any]:
    record = _true_record(case)
    return {player: _view(record, player) for player in case["exact"]["views"]}


_EXACT = {
    "total_deals": lambda k, case: str(k.count()),
    "table": lambda k, case: _table(k, case["exact"]["holders"]),
    "holder_counts": _holder_counts,
    "envelope_prob": lambda k, case: _envelope(k.shares()),
    "envelope_prob_show_weighted": lambda k, case: _envelope(k.posterior()),
    "possible_solutions": lambda k, case: len(_joint(k)),
    "most_likely_solutions": lambda k, case: sorted(map(list, _joint(k).best())),
    "most_likely_solution_prob": lambda k, case: _ratio(_joint(k)[_joint(k).best()[0]]),
    "solution_entropy_bits": lambda k, case: _joint(k).entropy(),
    "views": _views,
    "public": _public,
}


# What to suggest next


def _next_suggestion(knowledge: Knowledge, expected: Case) -> Iterator[Difference]:
    """Yield what differs in the exact advice, in which all deals have the same weight."""
    advice = advise(knowledge, weighted=False, samples=0)
    best = [prospect.cards for prospect in advice.best()]
    actual = {
        "current_entropy_bits": advice.entropy_bits,
        "best_gain_bits": advice.ranking[0].gain_bits,
        "best": best,
        "n_best": len(best),
        "samples": {prospect.cards: prospect for prospect in advice.ranking},
    }
    for name, value in expected.items():
        if value is None:
            continue
        yield from _SUGGESTION[name](f"next_suggestion.{name}", value, actual[name])


def _bits(path: str, expected: float, actual: float) -> Iterator[Difference]:
    if abs(actual - expected) > BITS:
        yield Difference(path, expected, actual)


def _ties(path: str, expected: Sequence[Any], actual: Sequence[Any]) -> Iterator[Difference]:
    """Compare all ties; where only the first 40 are recorded, only these."""
    recorded_ties = {tuple(cards) for cards in expected}
    also = set(actual) if len(recorded_ties) < MAX_TIES else recorded_ties & set(actual)
    yield from compare(path, sorted(recorded_ties), sorted(also))


def _samples(path: str, expected: Sequence[Any], actual: Mapping[Any, Any]) -> Iterator[Difference]:
    for sample in expected:
        prospect = actual[tuple(sample["cards"])]
        name = f"{path}.{' '.join(sample['cards'])}"
        values = {"gain_bits": prospect.gain_bits, "prob_nobody_shows": float(prospect.none_shows)}
        for key in sample.keys() - {"cards"}:
            if sample[key] is None:
                continue
            yield from _bits(f"{name}.{key}", sample[key], values[key])


_SUGGESTION: Mapping[str, Callable[[str, Any, Any], Iterator[Difference]]] = {
    "current_entropy_bits": _bits,
    "best_gain_bits": _bits,
    "best": _ties,
    "n_best": compare,
    "samples": _samples,
}


# cluedo/peers


@of_form(FORMS["peers"])
def peers(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``cluedo/peers`` case from its exact answers."""
    exact = case["exact"]
    try:
        game = _game(case, me=case["observer"])
    except BadInput:
        # Hands that do not add up: the recorded truth is that nothing is consistent.
        yield from compare("exact.consistent", exact["consistent"], found=False)
        for number, point in enumerate(case["checkpoints"]):
            yield from compare(f"checkpoint {number}", point["exact_consistent"], found=False)
        return
    log = [*_own_hand(case), *map(_event, case["events"])]
    own = len(log) - len(case["events"])
    knowledge = Knowledge(game, log, viewer=RECORD)
    for number, point in enumerate(case["checkpoints"]):
        at = knowledge.upto(own + point["after_events"])
        yield from _checkpoint(f"checkpoint {number}", point, at)
    for claim in case.get("expected_one_of") or ():
        at = knowledge.upto(own + claim["after_events"])
        facts = [is_(card, claim["holder"]) for card in claim["cards"]]
        name = f"{claim['holder']} has one of {claim['cards']}"
        yield from compare(name, claim["exact_entailed"], at.is_certain(at_least(1, facts)))
    for relation in case.get("expected_prob") or ():
        yield from _probability(relation, knowledge)
    yield from compare("exact.consistent", exact["consistent"], knowledge.is_consistent())
    for name in ("table", "total_deals", "envelope_prob"):
        expected = exact.get("final_table" if name == "table" else name)
        if expected is not None:
            yield from compare(name, expected, _EXACT[name](knowledge, case))


def _checkpoint(name: str, point: Case, knowledge: Knowledge) -> Iterator[Difference]:
    consistent = knowledge.is_consistent()
    yield from compare(f"{name} consistent", point["exact_consistent"], consistent)
    if not consistent:
        return
    for fact in point["expected"]:
        card, holder = fact["card"], fact["holder"]
        if card not in knowledge.problem.domains:
            actual = "no"
        else:
            values = knowledge.possible()[card]
            actual = "no" if holder not in values else "yes" if len(values) == 1 else "unknown"
        yield from compare(f"{name} {card}={holder}", fact["exact"], actual)
    if "exact_solved" in point:
        solved = len(_joint(knowledge)) == 1
        yield from compare(f"{name} solved", point["exact_solved"], solved)


def _probability(relation: Case, knowledge: Knowledge) -> Iterator[Difference]:
    row = knowledge.shares()[relation["card"]]
    share = row.get(relation["holder"], Fraction(0))
    name = f"share of {relation['card']}={relation['holder']}"
    yield from compare(name, relation["exact"], _ratio(share))
    if relation["relation"] == "gt":
        greater = share > Fraction(relation["value"])
        yield from compare(f"{name} > {relation['value']}", relation["agrees"], greater)
    else:
        largest = share == max(row.values())
        yield from compare(f"{name} is largest", relation["agrees"], largest)
