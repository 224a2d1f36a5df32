"""Brute force for logs with slips, under the same rates: it shares no code with the engines.

`difference` compares doubts with all deals and all sets of slips on small random logs; both must
agree exactly.

A game: 3 to 6 players, 10 to 25 suggestions of random cards with true answers, seen by the first
player, who keeps the log. Then one slip of a kind is made, and the table asks on: after a wrong
pass the next players answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random

from deduce.errors import Contradiction
from deduce.knowledge import Knowledge
from games.cluedo import ENVELOPE, Cluedo
from games.cluedo.events import Event, Hand, Show, Suggestion
from games.cluedo.names import quote
from games.cluedo.players.referee import credited_to, misnoted
from tests.benchmarks.situations import NAMES, Table, suggestion, table

SEED = 18

Log = list[Event]


def game_of(seed: str, players: int | None = None) -> Table:
    """Return a game, its deal and the true log of the first player."""
    random = Random(seed)
    return table(random, players or random.randint(3, 6), random.randint(10, 25))


def with_slip(
    game: Cluedo, holders: Mapping[str, str], log: Log, kind: str, random: Random
) -> tuple[Log, int, str] | None:
    """Return the log with one slip, the number of its event and the player; ``None``: no chance."""
    places = [
        index
        for index, event in enumerate(log)
        if isinstance(event, Suggestion) and _may_slip(game, event, kind)
    ]
    if not places:
        return None
    index = random.choice(places)
    event = log[index]
    assert isinstance(event, Suggestion)
    changed: Event | None = None
    player = event.shows[0].by if event.shows else ""
    if kind == "pass":
        changed = suggestion(game, holders, event.by, event.cards, random, player)
    elif kind != "missing":
        others = credited_to(game, event) if kind == "neighbour" else ()
        changed = misnoted(game, event, kind, random, others)
        player = changed.shows[0].by if kind == "neighbour" else player
    after = [*log[:index], *([] if changed is None else [changed]), *log[index + 1 :]]
    return after, index + 1, player


def _may_slip(game: Cluedo, event: Suggestion, kind: str) -> bool:
    if kind in ("missing", "name"):
        return True
    if not event.shows or event.shows[0].by == game.me:
        return False
    if kind == "card":
        return event.by == game.me
    if kind == "neighbour":
        return len(game.players) > 2 and event.by != game.me
    return True


def small(number: int) -> tuple[Cluedo, Log, dict[str, Fraction]]:
    """Return a small random log, which may contradict itself, and rates of slips."""
    random = Random(f"{SEED}:small:{number}")
    deck = {
        "suspect": ("Plum", "White", "Green"),
        "weapon": ("Rope", "Dagger"),
        "room": ("Hall", "Study", "Lounge")[: random.randint(1, 3)],
    }
    names = NAMES[: random.randint(2, 3)]
    game = Cluedo(names, deck, me=random.choice((None, names[0])))
    holders = game.deal(random)
    log: Log = []
    if random.random() < 0.5:
        log.append(Hand(names[0], tuple(c for c in game.dealt if holders[c] == names[0])))
    for turn in range(random.randint(1, 3)):
        by = names[turn % len(names)]
        cards = tuple(random.choice(choice) for choice in deck.values())
        answers = [random.choice(("-", "shows", "sees", "")) for _ in game.after(by)]
        pairs = list(zip(game.after(by), answers, strict=True))
        passes = tuple(player for player, answer in pairs if answer == "-")
        shows = tuple(
            Show(player, random.choice(cards) if answer == "sees" else None)
            for player, answer in pairs
            if answer in ("shows", "sees")
        )
        log.append(Suggestion(by, cards, passes, shows))
    kinds = ("pass", "card", "name", "neighbour", "show", "missing")
    rates = {kind: random.choice((Fraction(0), Fraction(1, 50), Fraction(1, 3))) for kind in kinds}
    return game, log, rates


def difference(number: int) -> list[str]:
    """Return what differs between doubts and brute force on a small log: nothing, it is hoped.

    Brute force lists all deals and, for each, all sets of wrong answers with their alternatives,
    by the definition in docs/slips.md; it shares no code with the engines.
    """
    game, log, rates = small(number)
    answers = list(_answers(game, log, rates))
    deals = list(_deals(game))
    weights: dict[tuple[str, ...], Fraction] = {}
    wrong = [Fraction(0)] * len(answers)
    for deal_ in deals:
        if any(
            isinstance(event, Hand)
            and {card for card in deal_ if deal_[card] == event.player} != set(event.cards)
            for event in log
        ):
            continue
        for chosen in product((False, True), repeat=len(answers)):
            weight = Fraction(1)
            for (_, _, right, otherwise), slipped in zip(answers, chosen, strict=True):
                weight *= otherwise(deal_) if slipped else right(deal_)
                if not weight:
                    break
            if weight:
                key = tuple(deal_.values())
                weights[key] = weights.get(key, Fraction(0)) + weight
                for index, slipped in enumerate(chosen):
                    wrong[index] += weight * slipped
    knowledge = Knowledge(game, log, doubts=rates)
    whole = sum(weights.values(), Fraction(0))
    if not whole:
        try:
            knowledge.posterior()
        except Contradiction:
            return []
        return [f"{number}: brute force finds no deal"]
    expected = {card: dict.fromkeys(game.holders, Fraction(0)) for card in game.dealt}
    for values, weight in weights.items():
        for card, holder in zip(game.dealt, values, strict=True):
            expected[card][holder] += weight / whole
    found = []
    for name, row in knowledge.posterior().items():
        card = str(name)
        for holder, share in expected[card].items():
            if row.get(holder, 0) != share:
                found.append(f"{number}: {card} {holder} {row.get(holder)} {share}")
    slips = {(slip.event, slip.answer): slip.probability for slip in knowledge.slips()}
    for (event, answer, _, otherwise), weight in zip(answers, wrong, strict=True):
        doubted = any(map(otherwise, deals))
        if slips.pop((event, answer), Fraction(0)) != weight / whole and doubted:
            found.append(f"{number}: event {event} {answer}: {weight / whole}")
    return found + [f"{number}: {key} is no answer" for key, p in slips.items() if p]


Factor = Callable[[Mapping[str, str]], Fraction]


def _answers(
    game: Cluedo, log: Log, rates: Mapping[str, Fraction]
) -> Iterator[tuple[int, str, Factor, Factor]]:
    """Yield each answer: its event, its text, and its factor if it is right and if it is wrong."""
    for number, event in enumerate(log, start=1):
        if not isinstance(event, Suggestion):
            continue
        either = rates["name"] / len(event.cards) + rates["neighbour"]

        def factor(player: str, rate: Fraction, event: Suggestion, *, holds: bool) -> Factor:
            return lambda deal_: rate * ((_held(deal_, player, event) > 0) == holds)

        for player in event.passes:
            rate = rates["pass"] + either
            right = factor(player, 1 - rate, event, holds=False)
            yield number, f"{quote(player)} -", right, factor(player, rate, event, holds=True)
        for show in event.shows:
            player, card, rate = show.by, show.card, rates["show"]
            if card is None:
                right = factor(player, 1 - rate, event, holds=True)
                yield (
                    number,
                    f"{quote(player)} shows",
                    right,
                    factor(player, rate, event, holds=False),
                )
            else:
                right, wrong = _seen(game, event, player, card, either, rates["card"])
                yield number, f"{quote(player)} shows {quote(card)}", right, wrong


def _seen(
    game: Cluedo, event: Suggestion, player: str, card: str, either: Fraction, noted: Fraction
) -> tuple[Factor, Factor]:
    chosen = player != game.me

    def right(d: Mapping[str, str]) -> Fraction:
        share = Fraction(1, _held(d, player, event)) if chosen and d[card] == player else 1
        return (1 - either - noted) * share * (d[card] == player)

    def wrong(d: Mapping[str, str]) -> Fraction:
        if d[card] == player:
            return Fraction(0)
        return either + (noted if _held(d, player, event) else 0)

    return right, wrong


def _held(holders: Mapping[str, str], player: str, event: Suggestion) -> int:
    return sum(holders[card] == player for card in event.cards)


def _deals(game: Cluedo) -> Iterator[dict[str, str]]:
    sizes, dealt, deck = game.hand_sizes(), game.dealt, list(game.deck.values())
    for holders in product(game.holders, repeat=len(dealt)):
        if not all(low <= holders.count(p) <= high for p, (low, high) in sizes.items()):
            continue
        deal_ = dict(zip(dealt, holders, strict=True))
        if all(sum(deal_[card] == ENVELOPE for card in cards) == 1 for cards in deck):
            yield deal_
