"""Brute force for logs with slips, under the same rates: it shares no code with the engines.

``python -m tests.benchmarks.slips_brute --logs 2000`` compares doubts with all deals and all sets
of slips on small random logs. ``--rankings 100`` compares the ranking of slips of whole games of
three players, each with one wrong pass, with a sum over every deal of the 21 cards. Both must agree
exactly. ``--start N`` begins with log or game N.

A game: 3 to 6 players, 10 to 25 suggestions of random cards with true answers, seen by the first
player, who keeps the log. Then one slip of a kind is made, and the table asks on: after a wrong
pass the next players answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from random import Random
from typing import Any

import numpy as np

from deduce.errors import Contradiction
from deduce.knowledge import Knowledge
from games.cluedo import ENVELOPE, Cluedo
from games.cluedo.events import Event, Hand, Show, Suggestion
from games.cluedo.names import quote
from games.cluedo.players.referee import credited_to, misnoted
from games.cluedo.setup import DECKS
from games.cluedo.simulation import deal

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn")
RATES = {
    "pass": Fraction(1, 50),
    "card": Fraction(1, 100),
    "name": Fraction(1, 50),
    "neighbour": Fraction(1, 100),
    "show": Fraction(1, 50),
}
"""Above the declared rates, since a game that is chosen for its slip has more of them."""
SEED = 18

Log = list[Event]


def game_of(seed: str, players: int | None = None) -> tuple[Cluedo, Mapping[Any, str], Log]:
    """Return a game, its deal and the true log of the first player."""
    random = Random(seed)
    players = players or random.randint(3, 6)
    names = NAMES[:players]
    deck = DECKS["classic"]
    in_hands = sum(map(len, deck.values())) - len(deck)
    sizes = tuple(in_hands // players + (seat < in_hands % players) for seat in range(players))
    game = Cluedo(players=names, deck=deck, hands=sizes, me=names[0])
    holders = deal(game, random)
    log: Log = [Hand(names[0], tuple(card for card in game.dealt if holders[card] == names[0]))]
    for turn in range(random.randint(10, 25)):
        by = names[turn % players]
        cards = tuple(random.choice(choice) for choice in deck.values())
        log.append(suggestion(game, holders, by, cards, random))
    return game, holders, log


def suggestion(
    game: Cluedo,
    holders: Mapping[str, str],
    by: str,
    cards: tuple[str, ...],
    random: Random,
    overlooking: str | None = None,
) -> Suggestion:
    """Return a suggestion with its answers; a player who overlooks their cards passes."""
    passes: list[str] = []
    for player in game.after(by):
        held = [card for card in cards if holders[card] == player]
        if held and player != overlooking:
            seen = game.me in (by, player)
            shown = Show(player, random.choice(held) if seen else None)
            return Suggestion(by, cards, tuple(passes), (shown,))
        passes.append(player)
    return Suggestion(by, cards, tuple(passes))


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


# The ranking of whole games


Ranking = dict[tuple[int, str], Fraction]


def ranking(game: Cluedo, log: Log, rates: Mapping[str, Fraction]) -> Ranking:
    """Return the probability that each answer is wrong, by a sum over all deals.

    For three players, of whom the first knows their own hand. Each deal has the product of the
    factors of all answers, a right and a wrong part for each, which is the sum over all sets of
    slips; the probability of a slip is the share of its wrong part. Exact, in whole numbers.
    """
    own = log[0]
    assert isinstance(own, Hand)
    hands = dict(zip(game.players, _hands(game, own.cards), strict=True))
    weights = np.full(len(hands[game.players[1]]), 1, dtype=object)
    found = []
    for number, answer, right, wrong in _answers(game, log, rates):
        event = log[number - 1]
        assert isinstance(event, Suggestion)
        player, shown = _answered(event, answer)
        codes = _count(hands[player] & _bits(game, event.cards))
        if shown is not None:
            codes = codes + 4 * (hands[player] & _bits(game, [shown]) != 0)
        tables = [_by_code(factor, event, player, shown) for factor in (right, wrong)]
        scale = lcm(*(value.denominator for table in tables for value in table))
        sums = [int((a + b) * scale) for a, b in zip(*tables, strict=True)]
        weights = weights * np.array(sums, dtype=object)[codes]
        found.append((number, answer, codes, *tables))
    whole = weights.sum()
    result = {}
    for number, answer, codes, right_, wrong_ in found:
        share = Fraction(0)
        for code in range(8):
            if wrong_[code]:
                of = Fraction(int(weights[codes == code].sum()), whole)
                share += of * wrong_[code] / (right_[code] + wrong_[code])
        result[number, answer] = share
    return result


def _hands(game: Cluedo, own: Sequence[str]) -> Iterator[Any]:
    """Yield for each player the hands of all deals, as bits of the cards."""
    sizes = [low for low, _ in game.hand_sizes().values()]
    rest = [card for card in game.dealt if card not in own]
    second, third = [], []
    for solution in product(*([c for c in cards if c in rest] for cards in game.deck.values())):
        left = [card for card in rest if card not in solution]
        every = _bits(game, left)
        bits = [_bits(game, [card]) for card in left]
        chosen = [sum(hand) for hand in combinations(bits, sizes[1])]
        second += chosen
        third += [every - hand for hand in chosen]
    yield np.full(len(second), _bits(game, own), dtype=np.int64)
    yield np.array(second, dtype=np.int64)
    yield np.array(third, dtype=np.int64)


def _bits(game: Cluedo, cards: Sequence[str]) -> int:
    return sum(1 << game.dealt.index(card) for card in cards)


def _count(bits: Any) -> Any:
    count = np.zeros(len(bits), dtype=np.int64)
    while bits.any():
        count += bits & 1
        bits = bits >> 1
    return count


def _answered(event: Suggestion, answer: str) -> tuple[str, str | None]:
    for show in event.shows:
        if answer.startswith(f"{quote(show.by)} shows"):
            return show.by, show.card
    return next(player for player in event.passes if answer == f"{quote(player)} -"), None


def _by_code(factor: Factor, event: Suggestion, player: str, shown: str | None) -> list[Fraction]:
    """Return the factor by the number of named cards held, and 4 more if the shown one is held."""
    table = []
    for has, number in product((False, True), range(4)):
        others = [card for card in event.cards if card != shown]
        held = [shown, *others][:number] if has else others[:number]
        possible = len(held) == number and (not has or number > 0) and (has <= (shown is not None))
        deal_ = {card: player if card in held else "" for card in event.cards}
        table.append(Fraction(factor(deal_)) if possible else Fraction(0))
    return table


def ranked(number: int) -> tuple[list[str], list[int]]:
    """Return what differs in a game of three with one wrong pass, and its rank by both ways."""
    game, holders, log = game_of(f"{SEED}:three:{number}", players=3)
    slipped = with_slip(game, holders, log, "pass", Random(f"{SEED}:three:{number}:pass"))
    if slipped is None:
        return [], []
    log, event, player = slipped
    expected = ranking(game, log, RATES)
    slips = Knowledge(game, log, doubts=RATES, engine="counting").slips()
    got = {(slip.event, slip.answer): slip.probability for slip in slips}
    found = [
        f"{number}: event {key[0]} {key[1]}: {got.get(key, 0)} {expected.get(key, 0)}"
        for key in dict.fromkeys([*expected, *got])
        if expected.get(key, 0) != got.get(key, 0)
    ]
    truth = event, f"{quote(player)} -"
    ranks = [1 + sum(p > of[truth] for p in of.values()) for of in (got, expected)]
    return found, ranks


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--logs", type=int, default=0)
    parser.add_argument("--rankings", type=int, default=0)
    chosen = parser.parse_args(arguments)
    if chosen.logs:
        found = [line for n in range(chosen.start, chosen.logs) for line in difference(n)]
        print(f"{chosen.logs} small logs, {len(found)} differences", *found[:10], sep="\n")
    if not chosen.rankings:
        return
    both: list[list[int]] = []
    for number in range(chosen.start, chosen.rankings):
        differs, ranks = ranked(number)
        print(f"game {number}: {len(differs)} differences, ranks {ranks}", *differs[:3], flush=True)
        both += [ranks] if ranks else []
    for place, name in enumerate(("doubts", "brute force")):
        first, three = (sum(of[place] <= n for of in both) / len(both) for n in (1, 3))
        print(f"{name}, {len(both)} games: first {first:.1%}, among three {three:.1%}")


if __name__ == "__main__":
    main()
