"""Secret Hitler, against all deals of roles and all that can be drawn, with logs read as text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from deduce import RECORD, Knowledge
from deduce.game import Viewer
from deduce.policy.inquiries import inquiries_of
from games.secret_hitler import SecretHitler

COLUMN = {"liberal": 0, "fascist": 1, "Hitler": 2}
TILES = {"fascist": "F", "liberal": "L"}
Story = dict[str, str]
SEEDS = (0, 2, 5, 7, 8, 9)
"""Logs that take a few seconds together; more than 200 were compared when the game was made."""


def deals(game: SecretHitler) -> Iterator[dict[str, str]]:
    number = {5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3}[len(game.players)]
    for evil in combinations(game.players, number + 1):
        for hitler in evil:
            names = {p: "fascist" if p in evil else "liberal" for p in game.players}
            yield names | {hitler: "Hitler"}


def percent(rates: Any, role: str) -> Fraction:
    return Fraction(rates[COLUMN[role]], 100)


def stories(
    game: SecretHitler, lines: list[str], roles: dict[str, str]
) -> Iterator[tuple[Story, Fraction]]:
    """Yield all that may have been drawn and passed when a log is over, with the probability.

    The deck is drawn from tile by tile, and what players do is weighed as the lines come.
    """
    # What was drawn, its weight, the deck as numbers of both kinds, and those seen by a look.
    states: list[tuple[Story, Fraction, int, int, str]] = [({}, Fraction(1), 6, 11, "")]
    gone, alive, number, last = "", list(game.players), 0, ("", "", "")

    def draw(size: int, liberal: int, fascist: int) -> Iterator[tuple[str, Fraction]]:
        if not size:
            yield "", Fraction(1)
            return
        for tile, left in (("F", fascist), ("L", liberal)):
            if left:
                rest = draw(size - 1, liberal - (tile == "L"), fascist - (tile == "F"))
                for more, chance in rest:
                    yield tile + more, chance * Fraction(left, liberal + fascist)

    def shuffled(states: Any) -> Any:
        for story, weight, liberal, fascist, seen in states:
            if liberal + fascist + len(seen) < 3:
                liberal, fascist = 6 - gone.count("L"), 11 - gone.count("F")
            yield story, weight, liberal, fascist, seen

    def looked(states: Any) -> Any:
        for story, weight, liberal, fascist, seen in states:
            if seen:
                yield story, weight, liberal, fascist, seen
                continue
            trios = dict[str, Fraction]()
            for tiles, chance in draw(3, liberal, fascist):
                tiles = "".join(sorted(tiles))
                trios[tiles] = trios.get(tiles, Fraction(0)) + chance
            for tiles, chance in trios.items():
                left = liberal - tiles.count("L"), fascist - tiles.count("F")
                yield story, weight * chance, *left, tiles

    for line in lines:
        states = [story for story in states if story[1]]
        who, verb, *rest = line.replace(":", "").split()
        lie = percent(game.lies, roles.get(who, "liberal"))
        if verb == "and" and "for" in rest:
            president, chancellor, ayes = who, rest[0], rest[2 : rest.index("against")]
            clean = roles[president] == roles[chancellor] == "liberal"
            chance = Fraction(1)
            for voter in alive:
                rate = percent(game.trusts if clean else game.distrusts, roles[voter])
                chance *= rate if voter in ayes else 1 - rate
            states = [(*story[:1], story[1] * chance, *story[2:]) for story in states]
        elif verb == "and":
            president, chancellor, policy = who, rest[0], rest[2]
            number += 1
            if gone.count("F") >= 3 and roles[chancellor] == "Hitler":
                return
            after = []
            for story, weight, liberal, fascist, drawn in looked(states):
                for passed in ("FF", "FL", "LL"):
                    out = [x for x in "FL" if "".join(sorted(passed + x)) == drawn]
                    if not out:
                        continue
                    rate = percent(game.buries, roles[president])
                    chance = Fraction(1)
                    if "F" in drawn and "L" in drawn:
                        chance = rate if out == ["L"] else 1 - rate
                    rate = percent(game.enacts, roles[chancellor])
                    if policy != "nothing":
                        if TILES[policy] not in passed:
                            continue
                        if passed == "FL":
                            chance *= rate if policy == "fascist" else 1 - rate
                    told = {**story, f"draw {number}": drawn, f"pass {number}": passed}
                    after.append((told, weight * chance, liberal, fascist, ""))
            gone += TILES.get(policy, "")
            last = president, chancellor, policy
            states = list(shuffled(after))
        elif who == "chaos":
            after = []
            for story, weight, liberal, fascist, _ in states:
                have = liberal if rest[0] == "liberal" else fascist
                left = liberal - (rest[0] == "liberal"), fascist - (rest[0] == "fascist")
                if have:
                    chance = weight * Fraction(have, liberal + fascist)
                    after.append((story, chance, *left, ""))
            gone += TILES[rest[0]]
            states = list(shuffled(after))
        elif verb == "executes":
            alive.remove(rest[0])
            if roles[rest[0]] == "Hitler":
                return
        elif verb in ("peeks", "foretells"):
            states = list(looked(states))
            for index, (story, weight, liberal, fascist, seen) in enumerate(states):
                chance = Fraction(int(seen == rest[0]))
                if verb == "foretells":
                    chance = 1 - lie if seen == rest[0] else lie / 3
                states[index] = (story, weight * chance, liberal, fascist, seen)
        elif verb in ("saw", "claims"):
            size = len(rest[0])
            for index, (story, weight, *more) in enumerate(states):
                true = story[f"{'draw' if size == 3 else 'pass'} {number}"]
                chance = Fraction(int(true == rest[0]))
                if verb == "claims":
                    domain = ["F" * (size - n) + "L" * n for n in range(size + 1)]
                    options = [tiles for tiles in domain if TILES.get(last[2], "") in tiles]
                    chance = 1 - lie if true == rest[0] else lie / (len(options) - 1)
                states[index] = (story, weight * chance, *more)  # type: ignore[assignment]
        else:
            role, party = roles[who], roles.get(rest[0], "")
            party = "liberal" if party == "liberal" else "fascist"
            knows = role == "fascist" or (role == "Hitler" and len(roles) < 7)
            if verb == "says":
                chance = 1 - lie if party == rest[1] else lie
            elif verb == "is":
                chance = Fraction(int(role == rest[-1]))
            elif verb == "knows":
                chance = Fraction(int(knows and roles[rest[0]] == rest[1]))
            else:
                chance = Fraction(int(party == rest[1]))
            states = [(story[0], story[1] * chance, *story[2:]) for story in states]
    for story, weight, _, _, seen in states:
        if weight:
            yield {**story, **({f"draw {number + 1}": seen} if seen else {})}, weight


def expected(
    game: SecretHitler, lines: list[str], viewer: Viewer
) -> tuple[int, dict[str, dict[str, Fraction]]]:
    """Return the number of worlds, and the probability of each value."""
    hidden = {"is", "knows", "saw", "peeks", "investigates"}
    read = [
        line
        for line in lines
        if viewer is RECORD or line.split()[1] not in hidden or line.split()[0] == viewer
    ]
    total, number, shares = Fraction(0), 0, dict[str, dict[str, Fraction]]()
    for roles in deals(game):
        for story, weight in stories(game, read, roles):
            total, number = total + weight, number + 1
            for name, value in {**roles, **story}.items():
                row = shares.setdefault(name, {})
                row[value] = row.get(value, Fraction(0)) + weight
    return number, {
        name: {value: share / total for value, share in row.items()} for name, row in shares.items()
    }


def random_log(random: Random) -> tuple[SecretHitler, list[str]]:
    """Return a game and a random log that can have happened."""
    names = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gus", "Hal")
    players = names[: random.choice((5, 5, 6, 6, 7, 8))]
    rates = [tuple(random.choice((0, 5, 40, 75, 100)) for _ in range(3)) for _ in range(5)]
    if random.random() < 0.5:
        rates = [tuple(random.randint(5, 95) for _ in range(3)) for _ in range(5)]
    game = SecretHitler(players, *rates)  # type: ignore[arg-type]
    roles = random.choice(list(deals(game)))
    lines, alive = list[str](), list(players)
    deck = random.sample("L" * 6 + "F" * 11, 17)
    gone, looked = "", False

    def happens(rate: Any, who: str) -> bool:
        return random.random() < percent(rate, roles[who])

    for player in players:
        if random.random() < 0.3:
            lines.append(f"{player} is dealt: {roles[player]}")
        other = random.choice([p for p in players if p != player])
        knows = roles[player] == "fascist" or (roles[player] == "Hitler" and len(players) < 7)
        if knows and roles[other] != "liberal" and random.random() < 0.5:
            lines.append(f"{player} knows {other}: {roles[other]}")
    for _ in range(random.randint(1, 9)):
        president, chancellor = random.sample(alive, 2)
        if random.random() < 0.5:
            clean = roles[president] == roles[chancellor] == "liberal"
            rate = game.trusts if clean else game.distrusts
            ayes = [p for p in alive if happens(rate, p)]
            noes = [p for p in alive if p not in ayes]
            sides = [" ".join(side) or "nobody" for side in (ayes, noes)]
            lines.append(f"{president} and {chancellor} for {sides[0]} against {sides[1]}")
        if gone.count("F") >= 5 or gone.count("L") >= 4 or random.random() < 0.1 * (not looked):
            if looked or len(gone) >= 9:
                break
            tile = deck.pop()
            gone += tile
            lines.append(f"chaos enacts {'liberal' if tile == 'L' else 'fascist'}")
        elif gone.count("F") < 3 or roles[chancellor] != "Hitler":
            drawn, looked = "".join(sorted(deck.pop() for _ in range(3))), False
            mixed = len({*drawn}) == 2
            bury = happens(game.buries, president)
            passed = drawn.replace("L" if bury else "F", "", 1) if mixed else drawn[1:]
            fascist = passed == "FF" or (passed == "FL" and happens(game.enacts, chancellor))
            policy = "fascist" if fascist else "liberal"
            veto = random.random() < 0.1
            gone += "" if veto else TILES[policy]
            lines.append(f"{president} and {chancellor} enact {'nothing' if veto else policy}")
            for player, true in ((president, drawn), (chancellor, passed)):
                domain = ["F" * (len(true) - n) + "L" * n for n in range(len(true) + 1)]
                domain = [tiles for tiles in domain if veto or TILES[policy] in tiles]
                domain.remove(true)
                lie = happens(game.lies, player)
                if random.random() < 0.6:
                    lines.append(f"{player} claims {random.choice(domain) if lie else true}")
                if random.random() < 0.3:
                    lines.append(f"{player} saw {true}")
        if len(deck) < 3:
            deck = ["L"] * (6 - gone.count("L")) + ["F"] * (11 - gone.count("F"))
            random.shuffle(deck)
        if random.random() < 0.2:
            other = random.choice([p for p in players if p != president])
            party = "liberal" if roles[other] == "liberal" else "fascist"
            lines.append(f"{president} investigates {other}: {party}")
            if happens(game.lies, president):
                party = "liberal" if party == "fascist" else "fascist"
            lines.append(f"{president} says {other}: {party}")
        if random.random() < 0.15:
            true, looked = "".join(sorted(deck[-3:])), True
            others = [t for t in ("FFF", "FFL", "FLL", "LLL") if t != true]
            lie = happens(game.lies, president)
            lines.append(f"{president} peeks {true}")
            lines.append(f"{president} foretells {random.choice(others) if lie else true}")
        if random.random() < 0.1 and len(alive) > 4:
            victim = random.choice([p for p in alive if p != president and roles[p] != "Hitler"])
            alive.remove(victim)
            lines.append(f"{president} executes {victim}")
    return game, lines


def compare(seed: int) -> None:
    random = Random(seed)
    game, lines = random_log(random)
    viewer: Viewer = random.choice([RECORD, RECORD, None, *game.players])
    k = Knowledge(game).tell(*lines).seen_by(viewer)
    number, shares = expected(game, lines, viewer)
    assert k.count() == number, (seed, viewer, lines)
    found = {
        str(name): {value: share for value, share in row.items() if share}
        for name, row in k.posterior().items()
    }
    assert found == shares, (seed, viewer, lines)


@pytest.mark.parametrize("seed", SEEDS)
def test_posteriors_are_those_of_all_deals_and_draws(seed: int) -> None:
    compare(seed)


def test_a_chancellor_after_three_fascist_policies_is_not_hitler() -> None:
    k = Knowledge(SecretHitler()).tell(*["Ann and Ben enact fascist"] * 3)
    assert "Hitler" in k.possible()["Cid"]
    assert "Hitler" not in k.tell("Dot and Cid enact liberal").possible()["Cid"]


def test_a_player_is_investigated_once() -> None:
    game = SecretHitler((*"ABCDEFGHI",))
    known = Knowledge(game).tell("A and B enact fascist", "A investigates C: liberal")
    assert inquiries_of(known) == ()
    known = known.tell("B and D enact fascist")
    assert inquiries_of(known) == tuple(("B", other) for other in "ADEFGHI")
