"""Whole games with one slip each: what the ranking of slips finds, and what it costs.

``python -m tests.benchmarks.bench_slips --games 1000 --out FILE`` plays the games, one JSON line
for each game and kind of slip; games that are in the file already are not played again. ``--report
FILE`` prints the table of docs/benchmarks/slips.md from it; ``--times 200`` measures times. Brute
force under the same rates is in ``tests.benchmarks.slips_brute``.

A game: 3 to 6 players, 10 to 25 suggestions of random cards with true answers, seen by the first
player, who keeps the log. Then one slip of a kind is made, and the table asks on: after a wrong
pass the next players answer.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from attrs import evolve

from deduce.budget import Budget
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from games.cluedo import Cluedo
from games.cluedo.events import Event, Hand, Show, Suggestion
from games.cluedo.names import quote
from games.cluedo.players.belief import Belief
from games.cluedo.players.referee import credited_to, misnoted
from games.cluedo.setup import DECKS
from games.cluedo.simulation import deal
from tests.benchmarks.situations import standard

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn")
KINDS = ("pass", "card", "name", "neighbour", "missing", "none")
RATES = {
    "pass": Fraction(1, 50),
    "card": Fraction(1, 100),
    "name": Fraction(1, 50),
    "neighbour": Fraction(1, 100),
    "show": Fraction(1, 50),
}
"""Above the declared rates, since a game that is chosen for its slip has more of them."""
SEED = 18
BUDGET = Budget(steps=8_000_000)

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


def played(number: int, kind: str) -> dict[str, Any] | None:
    """Return what strict logic and doubts make of a game, as JSON data."""
    game, holders, log = game_of(f"{SEED}:{number}")
    slip_random = Random(f"{SEED}:{number}:{kind}")
    event, player = 0, ""
    if kind != "none":
        slipped = with_slip(game, holders, log, kind, slip_random)
        if slipped is None:
            return None
        log, event, player = slipped
    result: dict[str, Any] = {
        "game": number, "kind": kind, "players": len(game.players), "events": len(log) - 1,
    }  # fmt: skip
    strict = Knowledge(game, log)
    started = process_time()
    consistent = strict.count() > 0
    if consistent:
        certain = strict.certain()
        false = sum(holders[card] != holder for card, holder in certain.items())
        result["strict false"] = false
        result["strict certain"] = len(certain)
    result["strict"] = consistent
    result["strict seconds"] = process_time() - started
    doubts = Knowledge(game, log, doubts=RATES, budget=BUDGET)
    started = process_time()
    try:
        posterior = doubts.posterior()
        result["seconds"] = process_time() - started
        slips = doubts.slips()
    except Undecided:
        result["undecided"] = True
        return result
    result["false"] = sum(holders[c] != holder for c, holder in doubts.certain().items())
    if kind == "none":
        questions = game.questions()
        result["bits"] = doubts.joint(*questions).entropy()
        result["strict bits"] = strict.joint(*questions).entropy()
        declared = Knowledge(game, log, doubts=True, budget=BUDGET)
        result["declared bits"] = declared.joint(*questions).entropy()
        result["prior bits"] = Knowledge(game, log[:1]).joint(*questions).entropy()
    cards = [
        (float(share), holders[card] == holder)
        for card, row in posterior.items()
        for holder, share in row.items()
        if holders[card] != game.me and holder != game.me
    ]
    result["cards"] = _binned(cards)
    wrong = _wrong_answers(game, log, holders)
    probabilities = [(float(s.probability), (s.event, s.answer) in wrong) for s in slips]
    result["slips"] = _binned(probabilities)
    events: dict[int, float] = {}
    for slip in slips:
        events[slip.event] = max(events.get(slip.event, 0.0), float(slip.probability))
    if event in events:
        result["rank of event"] = 1 + sum(p > events[event] for p in events.values())
    if kind == "pass":
        key = event, f"{player} -"
        of = {(s.event, s.answer): s.probability for s in slips}
        result["rank"] = 1 + sum(p > of[key] for p in of.values())
        only = [p for (_, answer), p in of.items() if answer.endswith(" -")]
        result["rank among passes"] = 1 + sum(p > of[key] for p in only)
        result["rank by brute force"] = brute_rank(game, log, event, player)
    return result


def _wrong_answers(game: Cluedo, log: Log, holders: Mapping[str, str]) -> set[tuple[int, str]]:
    """Return the answers that are false, as the ranking of slips names them."""
    wrong = set()
    for number, event in enumerate(log, start=1):
        if not isinstance(event, Suggestion):
            continue
        for player in event.passes:
            if any(holders[card] == player for card in event.cards):
                wrong.add((number, f"{player} -"))
        for show in event.shows:
            if show.card is None:
                if all(holders[card] != show.by for card in event.cards):
                    wrong.add((number, f"{show.by} shows"))
            elif holders[show.card] != show.by:
                wrong.add((number, f"{show.by} shows {quote(show.card)}"))
    return wrong


def _binned(pairs: Sequence[tuple[float, bool]]) -> list[list[float]]:
    """Return for ten bins the number of pairs, the sum of probabilities, and how many are true."""
    bins = [[0, 0.0, 0] for _ in range(10)]
    for probability, true in pairs:
        of = bins[min(9, int(probability * 10))]
        of[0] += 1
        of[1] += probability
        of[2] += true
    return bins


def brute_rank(game: Cluedo, log: Log, event: int, player: str) -> int:
    """Return the rank of the wrong pass if exactly one pass is wrong, each equally likely.

    Independent of the counting engine: for each pass the weight of all deals in which this one is
    wrong and everything else is true, by arrays of hands.
    """
    hand = log[0]
    assert isinstance(hand, Hand)
    passes = [
        (number, name)
        for number, entry in enumerate(log, start=1)
        if isinstance(entry, Suggestion)
        for name in entry.passes
    ]
    weights = {}
    for number, name in passes:
        if name == game.me:
            continue
        belief = Belief(game, hand.player, hand.cards)
        try:
            for index, entry in enumerate(log[1:], start=2):
                assert isinstance(entry, Suggestion)
                told = entry
                if index == number:
                    told = evolve(entry, passes=tuple(p for p in entry.passes if p != name))
                    held = belief.of(name) & belief.bits(entry.cards) != 0
                    belief.keep(name, held)
                belief.tell(told)
            weights[number, name] = float(belief.layers[0].weights.sum())
        except Exception as error:  # no deal is left
            if type(error).__name__ not in ("Contradiction", "ValueError", "IndexError"):
                raise
            weights[number, name] = 0.0
    truth = weights[event, player]
    return 1 + sum(weight > truth for weight in weights.values())


def play_all(games: int, out: Path, kinds: Sequence[str], start: int = 0) -> None:
    """Play the games that are not in the file yet."""
    done = set()
    if out.exists():
        for line in out.read_text().splitlines():
            entry = json.loads(line)
            done.add((entry["game"], entry["kind"]))
    with out.open("a") as file:
        for number, kind in product(range(start, games), kinds):
            if (number, kind) in done:
                continue
            result = played(number, kind)
            file.write(json.dumps(result or {"game": number, "kind": kind, "none": True}) + "\n")
            file.flush()


def report(path: Path) -> None:
    """Print what the games in a file show, by kind of slip."""
    games = [json.loads(line) for line in path.read_text().splitlines()]
    for kind in KINDS:
        of = [game for game in games if game["kind"] == kind and not game.get("none")]
        decided = [game for game in of if "slips" in game]
        if not decided:
            continue
        print(f"{kind}: {len(of)} games, {len(decided)} decided")
        print("  strict logic notices", sum(not game["strict"] for game in of))
        print("  strict logic asserts falsehoods", sum(g.get("strict false", 0) > 0 for g in of))
        print("  false certainties with doubts", sum(game["false"] > 0 for game in decided))
        for key in ("rank", "rank among passes", "rank by brute force", "rank of event"):
            ranks = [game[key] for game in decided if key in game]
            if ranks:
                first, three = (sum(rank <= n for rank in ranks) / len(ranks) for n in (1, 3))
                print(f"  {key}: first {first:.1%}, among three {three:.1%}")
        for what in ("slips", "cards"):
            bins = [[sum(g[what][b][i] for g in decided) for i in range(3)] for b in range(10)]
            error = sum(abs(p - true) for _, p, true in bins) / sum(n for n, _, _ in bins)
            print(f"  calibration of {what}: {100 * error:.2f} points")
        print(f"  seconds: median {median(game['seconds'] for game in decided):.3f}")
        clean = [game for game in decided if "bits" in game]
        if clean:
            gained = sum(game["prior bits"] - game["strict bits"] for game in clean)
            for key in ("bits", "declared bits"):
                lost = sum(game[key] - game["strict bits"] for game in clean)
                print(f"  information lost, {key}: {lost / gained:.1%}")


def times(number: int) -> None:
    """Print what a posterior with doubts costs against a strict one, by number of players."""
    next(standard(1)).doubting(0.02).slips()  # imports what is needed
    figures: dict[int, list[tuple[float, float]]] = {}
    for knowledge in standard(number):
        pair = []
        for asked in (knowledge, knowledge.doubting(0.02)):
            started = process_time()
            asked.posterior()
            pair.append(process_time() - started)
        for players in (0, len(knowledge.game.players)):  # type: ignore[attr-defined]
            figures.setdefault(players, []).append((pair[0], pair[1]))
    for players, pairs in sorted(figures.items()):
        ratio = median(doubts / strict for strict, doubts in pairs)
        worst = max(doubts for _, doubts in pairs)
        print(f"{players or 'all'} players, {len(pairs)}: median {ratio:.1f} times, {worst:.2f} s")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, report or compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--report", type=Path)
    parser.add_argument("--times", type=int, default=0)
    chosen = parser.parse_args(arguments)
    if chosen.report:
        report(chosen.report)
    if chosen.times:
        times(chosen.times)
    if chosen.games:
        play_all(chosen.games, chosen.out, chosen.kinds.split(","), chosen.start)


if __name__ == "__main__":
    main()
