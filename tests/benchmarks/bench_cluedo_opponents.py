"""Cluedo: what others know, which card to show, accuse or wait; CPU seconds, and who wins.

``python -m tests.benchmarks.situations_opponents`` prints the times of docs/benchmarks/cluedo.md;
with ``--games N`` it plays N deals on from each position instead, and counts who wins how often.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import sqrt
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any

from attrs import evolve

from deduce.knowledge import Knowledge
from deduce.problem import World
from games.cluedo import ENVELOPE
from games.cluedo.events import Event, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import game_of
from games.cluedo.opponents.accusing import Decision, accuse_or_wait, can_name, simple_suggestion
from games.cluedo.opponents.minds import Minds, minds
from games.cluedo.opponents.opponent import opponents
from games.cluedo.opponents.showing import show_card
from tests.benchmarks.situations import position


def middle(number: int, least: int = 8, most: int = 16) -> Iterator[Knowledge]:
    """Yield random standard positions: 3 to 6 players, after some suggestions."""
    random = Random(2026)
    for seed in range(number):
        players = random.randint(3, 6)
        yield position(seed, players, random.randint(least, most))


def seconds(work: Callable[[], Any]) -> float:
    """Return the CPU seconds of a piece of work."""
    began = process_time()
    work()
    return process_time() - began


def can_show_two(knowledge: Knowledge) -> bool:
    """Return whether I have cards of two categories, so that a suggestion can name two of them."""
    mine = set(knowledge.log[0].cards)
    return sum(not mine.isdisjoint(kind) for kind in game_of(knowledge).deck.values()) > 1


def asked(knowledge: Knowledge, random: Random) -> Suggestion:
    """Return a suggestion by a neighbour on my right, to which I can show two cards or three."""
    game = game_of(knowledge)
    mine = knowledge.log[0].cards
    while True:
        cards = tuple(random.choice(kind) for kind in game.deck.values())
        if sum(card in mine for card in cards) > 1:
            return Suggestion(game.players[-1], cards)


def times(number: int) -> None:
    """Print the CPU seconds of minds on the positions, of the rest on a fifth of them."""
    random = Random(1)
    positions = list(middle(number))
    few = positions[: max(1, number // 5)]
    found: list[Minds] = []
    tell("minds", [seconds(lambda k=k: found.append(minds(k))) for k in positions])  # type: ignore[misc]
    exact = sum(not any(mind.drawn for mind in each.of) for each in found)
    print(f"           exact on {exact} of {number}", flush=True)
    pairs = [(knowledge, asked(knowledge, random)) for knowledge in few if can_show_two(knowledge)]
    tell("show-card", [seconds(partial(show_card, knowledge, event)) for knowledge, event in pairs])
    tell("accuse", [seconds(partial(accuse_or_wait, knowledge)) for knowledge in few])


def tell(what: str, spent: Sequence[float]) -> None:
    """Print the median, the ninth tenth and the worst."""
    ordered = sorted(spent)
    tenth = ordered[int(0.9 * len(ordered))]
    print(
        f"{what:<10} on {len(ordered)} positions: median {median(ordered):.2f} s, "
        f"90% {tenth:.2f} s, worst {ordered[-1]:.2f} s",
        flush=True,
    )


# --- who wins ------------------------------------------------------------------------------


Policy = Callable[[Knowledge], Decision | None]
"""What I do at my turn: accuse by the decision's best solution, or wait (``None``)."""


def follow(knowledge: Knowledge) -> Decision | None:
    """Return the decision where it is to accuse."""
    decision = accuse_or_wait(knowledge, samples=40)
    return decision if decision.accuse else None


def never(knowledge: Knowledge) -> Decision | None:
    """Return nothing: wait until the solution is certain."""
    return None


def wins(knowledge: Knowledge, world: World, policy: Policy, seed: int, rounds: int = 25) -> bool:
    """Return whether I win, playing on from a world; everybody plays as the model says."""
    random = Random(seed)
    game = evolve(game_of(knowledge), me=None)
    me = game_of(knowledge).players[0]
    rivals = opponents(knowledge)
    views = [rival.draw(world, random) for rival in rivals]
    solution = tuple(card for card, holder in world.items() if holder == ENVELOPE)
    events: list[Event] = []
    for _ in range(rounds):
        for rival, view in zip(rivals, views, strict=True):
            if can_name(rival.knowledge_with(view, *events), world):
                return False
            events.append(
                simple_suggestion(rival.knowledge_with(view, *events), rival.player, world, random)
            )
            if can_name(rival.knowledge_with(view, *events), world):
                return False
        mine = knowledge.tell(*seen_log(game, events, me))
        events.append(simple_suggestion(mine, me, world, random))
        mine = knowledge.tell(*seen_log(game, events, me))
        if can_name(mine, world):
            return True
        decision = policy(mine)
        if decision is not None:
            return decision.best[0] == solution
    return False


def validate(positions: int, deals: int) -> None:
    """Print how often accusing at once, waiting for certainty, and following the choice win."""
    table: dict[str, list[Fraction]] = {"accuse at once": [], "until certain": [], "the choice": []}
    accused = 0
    for number, knowledge in enumerate(middle(100 * positions, 12, 24)):
        solutions = knowledge.joint(*game_of(knowledge).questions())
        if not Fraction(1, 6) <= max(solutions.values()) < 1:
            continue
        decision = accuse_or_wait(knowledge)
        accused += decision.accuse
        worlds = list(enumerate(knowledge.sample(deals, seed=number)))
        certain = sum(wins(knowledge, world, never, seed) for seed, world in worlds)
        chosen = decision.now * deals
        if not decision.accuse:
            chosen = Fraction(sum(wins(knowledge, world, follow, seed) for seed, world in worlds))
        values = (decision.now, Fraction(certain, deals), chosen / deals)
        for name, value in zip(table, values, strict=True):
            table[name].append(value)
        taken = len(table["the choice"])
        print(f"{taken} positions, {deals} deals each; accuse at once in {accused}: ", end="")
        print(*(f"{name} wins {share(won)}" for name, won in table.items()), sep="; ", flush=True)
        if taken == positions:
            break
    for name in ("accuse at once", "until certain"):
        gains = [a - b for a, b in zip(table["the choice"], table[name], strict=True)]
        print(f"the choice less {name}: {share(gains)}")


def share(values: Sequence[Fraction]) -> str:
    """Return the mean over the positions with its standard error."""
    numbers = [float(value) for value in values]
    middle_ = mean(numbers)
    spread = sqrt(sum((x - middle_) ** 2 for x in numbers)) / len(numbers)
    return f"{middle_:.1%} ± {spread:.1%}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--games", type=int, default=0, metavar="N", help="deals of each position")
    given = parser.parse_args()
    if given.games:
        validate(given.positions, given.games)
    else:
        times(given.positions)
