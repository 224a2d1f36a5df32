"""Rewards computed anew: from a list of all worlds with their weights, by nobody's engine.

Worlds come from the product of all domains. What was asked is weighed by the game's own ``answer``,
all other events by whether their constraints hold. No query, count or advice of deduce is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import log2
from random import Random
from typing import Any

from attrs import evolve

from deduce.constraints import Weigh
from deduce.game import RECORD
from deduce.gym.episode import Episode
from deduce.logs.claims import parse_claim
from deduce.policy.inquiries import answers_to, format_inquiry
from deduce.problem import Problem, World
from games.avalon import Avalon
from games.battleship import Battleship
from games.cluedo import Cluedo
from games.cluedo.events import Suggestion
from games.mastermind import Mastermind
from games.minesweeper.game import Minesweeper
from games.planet_x import PlanetX
from games.table import Table
from games.zebra import Zebra

DECK = {"who": ("w1", "w2", "w3"), "with": ("t1", "t2"), "where": ("r1", "r2")}
GAMES: Mapping[str, Callable[[], Any]] = {
    "mastermind": lambda: Mastermind(slots=3, colours=3),
    "minesweeper": lambda: Minesweeper(3, 3, 2),
    "guess-who": lambda: Table(yes_no=True, naming=True),
    "battleship": lambda: Battleship(3, 3, (2, 2)),
    "cluedo": lambda: Cluedo(("Ann", "Ben"), DECK),
    "avalon": lambda: Avalon(),
    "planet-x": lambda: PlanetX(6, 2, 1, 0, 1),
    "zebra": lambda: Zebra(3, 2),
}


def small(name: str, seed: int, *, world: World | None = None) -> Episode:
    """Return an episode of a small set-up."""
    game = GAMES[name]()
    dealt = game.deal(Random(seed)) if world is None else world
    agents = game.players[:1] if hasattr(game, "players") else ()
    return Episode(name, f"{name}/{seed}", game, dealt, agents, 200, 0.25, True)


def entropy(row: Mapping[Hashable, Fraction]) -> float:
    total = sum(row.values())
    return -sum(float(p / total) * log2(p / total) for p in row.values() if p)


@cache
def all_worlds(name: str) -> list[World]:
    """Return all worlds of a small set-up, before anything is seen."""
    domains, rules = GAMES[name]().variables(), GAMES[name]().rules()
    constraints = [getattr(rule, "constraint", rule) for rule in rules]
    listed = (dict(zip(domains, row, strict=True)) for row in product(*domains.values()))
    return [world for world in listed if all(Problem.satisfied(c, world) for c in constraints)]


class Brute:
    """All worlds that an agent can consider, with their weights."""

    def __init__(self, episode: Episode) -> None:
        self.game = episode.game
        self.worlds = [(world, Fraction(1)) for world in all_worlds(episode.name)]
        self.see(episode, 0)

    def see(self, episode: Episode, start: int, asked: Any = None) -> None:
        """Weigh the worlds by the events from one on; the first of them may be one's own."""
        agent = episode.to_move
        for number, event in enumerate(episode.log[start:], start):
            if asked is not None and number == start:
                answer = self.answer_of(asked, event)
                self.worlds = [
                    (world, weight * dict(answers_to(self.game, asked, world)).get(answer, 0))
                    for world, weight in self.worlds
                ]
            elif isinstance(event, Suggestion):
                self.worlds = [(w, p * self.suggested(event, w, agent)) for w, p in self.worlds]
            else:
                log = (*episode.log[:number], event)
                pieces = [
                    piece.constraint
                    for piece in self.game.evidence(log, agent or RECORD)
                    if piece.event == number + 1
                ]
                assert not any(isinstance(piece, Weigh) for piece in pieces)
                self.worlds = [
                    (world, weight * all(Problem.satisfied(piece, world) for piece in pieces))
                    for world, weight in self.worlds
                ]
            self.worlds = [(world, weight) for world, weight in self.worlds if weight]

    def answer_of(self, inquiry: Any, event: Any) -> Any:
        for world, _ in self.worlds:
            for answer, _ in answers_to(self.game, inquiry, world):
                try:
                    if self.game.event_of(inquiry, answer) == event:
                        return answer
                except ValueError:
                    continue
        raise AssertionError("no world gives this answer")

    def suggested(self, event: Suggestion, world: World, agent: str) -> Fraction:
        """Return how probable the answers to another player's suggestion are, as an agent sees."""
        for player in self.game.after(event.by):
            held = [card for card in event.cards if world[card] == player]
            if held:
                if not event.shows or event.shows[0].by != player:
                    return Fraction(0)
                seen = agent in (event.by, player)
                share = Fraction(1, len(held)) if seen else Fraction(1)
                return share if not seen or event.shows[0].card in held else Fraction(0)
        return Fraction(int(not event.shows))

    def target(self, world: World) -> Hashable:
        """Return what is asked about, in a world."""
        if isinstance(self.game, Cluedo):
            return tuple(card for card in world if world[card] == "envelope")
        if isinstance(self.game, Avalon):
            good = ("Merlin", "Percival", "servant")
            return tuple(role in good for role in world.values())
        if isinstance(self.game, PlanetX):
            return tuple(kind == "Planet X" for kind in world.values())
        return tuple(world.values())

    def uncertainty(self) -> float:
        row: dict[Hashable, Fraction] = defaultdict(Fraction)
        for world, weight in self.worlds:
            row[self.target(world)] += weight
        return entropy(row)

    def gains(self, inquiries: Any) -> dict[Any, float]:
        """Return the expected information of each question."""
        now = self.uncertainty()
        total = sum(weight for _, weight in self.worlds)
        result = {}
        for inquiry in inquiries:
            rows: dict[Any, dict[Hashable, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
            for world, weight in self.worlds:
                for answer, share in answers_to(self.game, inquiry, world):
                    rows[answer][self.target(world)] += weight * share
            left = sum(float(sum(r.values()) / total) * entropy(r) for r in rows.values())
            result[inquiry] = now - left
        return result

    def truth_of(self, claim: Any) -> bool:
        return all(Problem.satisfied(claim, world) for world, _ in self.worlds)


def differences(name: str, seed: int) -> tuple[int, list[str]]:
    """Return how many turns an episode of random texts had, and what was paid wrongly."""
    episode, random, wrong = small(name, seed), Random(seed), []
    episode.reset()
    brute, turns = Brute(episode), 0
    while not episode.done and turns < 12:
        turns += 1
        problem, subjects = episode.knowledge().problem, episode.labels()
        variable = random.choice([*problem.domains])
        value = random.choice([*problem.domains[variable]])
        claim = f"{variable}{random.choice(('=', '!='))}{value}"
        lines, expected_log, expected_brier = [f"claim {claim}"], [], []
        for label, values in subjects.items():
            counts = [random.randint(0, 3) + (i == 0) for i in range(len(values))]
            numbers = [Fraction(count, sum(counts)) for count in counts]
            names = [_text(value) for value in values]
            parts = ", ".join(f"{n}={p}" for n, p in zip(names, numbers, strict=True))
            lines.append(f"belief {label}: {parts}")
            truth = [_holds(episode, label, value) for value in values]
            share = sum(p for p, t in zip(numbers, truth, strict=True) if t)
            expected_log.append(log2(share) if share else -20.0)
            expected_brier.append(sum((p - t) ** 2 for p, t in zip(numbers, truth, strict=True)))
        inquiries = list(episode.inquiries())
        parsed: Any = parse_claim(problem, claim)
        word = "wrong"
        if Problem.satisfied(parsed, episode.world):
            word = "true" if brute.truth_of(parsed) else "false"
        expected = {"proved": [word], "log_score": sum(expected_log) / len(expected_log)}
        expected["brier"] = float(sum(expected_brier) / len(expected_brier))
        inquiry = random.choice(inquiries) if inquiries else None
        length = len(episode.log)
        if inquiry is not None:
            lines.append(f"ask {format_inquiry(episode.game, inquiry)}")
            gains = brute.gains(inquiries)
            expected["regret"] = max(gains.values()) - gains[inquiry]
            before = brute.uncertainty()
        paid = episode.step("\n".join(lines)).rewards
        if inquiry is not None and len(episode.log) > length:
            own = evolve_to(episode, length + 1)
            brute.see(own, length, inquiry)
            expected["bits"] = before - brute.uncertainty()
            brute.see(episode, length + 1)
        for key, value in expected.items():
            same = paid[key] == value
            if isinstance(value, float) and paid[key] is not None:
                same = abs(paid[key] - value) < 1e-9
            if not same:
                wrong.append(f"{name} {seed} turn {turns}: {key} {paid[key]}, expected {value}")
        if not paid["legal"]:
            wrong.append(f"{name} {seed} turn {turns}: refused")
        if inquiry is None:
            break
    return turns, wrong


def evolve_to(episode: Episode, length: int) -> Episode:
    """Return a copy of an episode whose log ends earlier."""
    shorter = evolve(episode)
    shorter.log = episode.log[:length]
    return shorter


def _text(value: Any) -> str:
    return str(value)


def _holds(episode: Episode, label: str, value: Any) -> bool:
    """Return whether a value is the true one, from the world alone."""
    game, world = episode.game, episode.world
    if isinstance(game, Cluedo):
        return bool(world[value] == "envelope")
    if isinstance(game, Avalon):
        good = world[label] in ("Merlin", "Percival", "servant")
        return bool(good == (value == "good"))
    if isinstance(game, PlanetX):
        return bool(world[value] == "Planet X")
    return str(next(v for k, v in world.items() if str(k) == label)) == str(value)
