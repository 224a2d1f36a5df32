"""One Night Werewolf, against all nights listed card by card, with logs read as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from deduce import RECORD, BadInput, Knowledge
from deduce.game import Viewer
from deduce.logs.events import write_text
from games.one_night import OneNight, Said, Swapped

CENTRE = ["left", "middle", "right"]
Night = tuple[dict[str, str], dict[str, str], dict[str, str], dict[str, set[str]], Fraction]


def nights(players: list[str], deck: list[str]) -> Iterator[Night]:
    """Yield cards as dealt, after the robber, in the morning, the swaps by player, the weight."""
    places = players + CENTRE
    for cards, weight in Counter(permutations(deck)).items():
        dealt = dict(zip(places, cards, strict=True))
        who = {role: player for player, role in dealt.items() if player in players}
        robber, trouble, drunk = (who.get(r) for r in ("robber", "troublemaker", "drunk"))
        robberies: list[Any] = [(robber, p) for p in players if p != robber] if robber else [None]
        troubles: list[Any] = (
            list(combinations([p for p in players if p != trouble], 2)) if trouble else []
        )
        drinks: list[Any] = [(drunk, c) for c in CENTRE] if drunk else []
        share = Fraction(weight, len(robberies) * max(len(troubles), 1) * max(len(drinks), 1))
        for robbery in robberies:
            for pair in troubles or [None]:
                for drink in drinks or [None]:
                    robbed, morning = dict(dealt), dict(dealt)
                    for step in (robbery, pair, drink):
                        if step:
                            a, b = step
                            morning[a], morning[b] = morning[b], morning[a]
                        if step is robbery:
                            robbed = dict(morning)
                    done = {robber: robbery, trouble: pair, drunk: drink}
                    swaps = {p: set(s) for p, s in done.items() if p and s}
                    yield dealt, robbed, morning, swaps, share


def likelihood(line: str, night: Night, game: OneNight) -> Fraction | int:
    """Return the probability of a line, read as text, in a night."""
    dealt, robbed, morning, swaps, _ = night
    player, verb, rest = line.split(" ", 2)
    role = rest.split(": ")[-1]
    mine = dealt[player]
    if verb == "is":
        return mine == role
    if verb == "finds":
        other, _, answer = rest.split(" ")
        looks = {"werewolf": "werewolf", "minion": "werewolf", "mason": "mason"}
        return mine in looks and (dealt[other] == looks[mine]) == (answer == "yes")
    if verb == "sees":
        place = rest.split(": ")[0]
        if place == player:
            card = {"robber": robbed, "insomniac": morning}.get(mine, {}).get(player)
            return card == role
        if mine == "werewolf":
            alone = [dealt[p] for p in game.players].count("werewolf") == 1
            return alone and place in CENTRE and dealt[place] == role
        return mine == "seer" and dealt[place] == role
    if verb == "swaps":
        return swaps.get(player) == set(rest.split(" and "))
    place = rest.split(": ")[0]
    evil = mine in ("werewolf", "minion")
    lie = Fraction(game.wolf_lies if evil else game.village_lies, 100)
    return 1 - lie if dealt[place] == role else lie / (len(set(game.deck)) - 1)


def expected(game: OneNight, log: Any, viewer: Viewer) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the number of nights, and the probability of each card dealt and in the morning."""
    left: list[tuple[Night, Fraction | int]] = [
        (night, night[-1]) for night in nights(list(game.players), list(game.deck))
    ]
    for event, line in zip(log, write_text(game, log).splitlines()[-len(log) :], strict=True):
        if viewer in (RECORD, event.player) or isinstance(event, Said):
            left = [(n, w * p) for n, w in left if (p := likelihood(line, n, game))]
    total = sum(weight for _, weight in left)
    shares: dict[str, dict[str, Any]] = {}
    for night, weight in left:
        for when, cards in (("dealt", night[0]), ("morning", night[2])):
            for place, card in cards.items():
                of = shares.setdefault(f"{place} {when}", {})
                of[card] = of.get(card, 0) + Fraction(weight) / total
    return len(left), shares


def random_game(random: Random) -> OneNight:
    roles = ["werewolf", "werewolf", "seer", "robber", "troublemaker", "drunk"]
    others = ["villager", "villager", "minion", "insomniac", "mason", "mason", "tanner"]
    deck = random.sample(roles + others, 6)
    rates = random.choice([0, 10, 33]), random.choice([50, 80, 100])
    return OneNight(("Ann", "Ben", "Cid"), tuple(deck), *rates)


def test_posteriors_are_those_of_all_nights() -> None:
    """A fixed sample; `deduce soak` plays more."""
    random = Random(0)
    for _ in range(7):
        game = random_game(random)
        log = tuple(game.record(game.deal(random), random))
        log = log[: random.randint(1, len(log))]
        viewer: Viewer = random.choice([RECORD, *game.players])
        k = Knowledge(game, log, viewer=viewer)
        count, shares = expected(game, log, viewer)
        assert k.count() == count
        posterior = k.posterior()
        for place in game.places:
            for when, variable in (("dealt", place), ("morning", game.night.now(place))):
                row = {card: share for card, share in posterior[variable].items() if share}
                assert row == shares[f"{place} {when}"], (viewer, log, place, when)


def test_a_werewolf_who_looks_at_the_centre_is_alone() -> None:
    k = Knowledge(OneNight()).tell("Ann is dealt: werewolf", "Ann sees left: seer")
    assert "werewolf" not in k.possible()["Ben"]


def test_two_looks_are_those_of_a_seer() -> None:
    k = Knowledge(OneNight()).tell("Ann sees left: robber")
    assert k.possible()["Ann"] == {"seer", "werewolf"}
    k = k.tell("Ann sees left: robber")
    assert k.possible()["Ann"] == {"seer", "werewolf"}
    two = k.tell("Ann sees right: villager")
    assert two.certain()["Ann"] == "seer"
    assert not two.tell("Ann sees middle: werewolf").is_consistent()
    assert not k.tell("Ann sees Ben: werewolf").is_consistent()


def test_a_public_claim_moves_only_probabilities() -> None:
    game = OneNight()
    k = Knowledge(game).tell("Ann says Ann: seer")
    count, shares = expected(game, k.log, None)
    assert k.count() == count
    assert k.posterior()["Ann"] == shares["Ann dealt"]


@pytest.mark.parametrize(
    "setup",
    [
        {"players": ("Ann", "Ben")},
        {"players": ("Ann", "Ben", "left")},
        {"players": ("Ann", "Ben", "Ann")},
        {"players": ("Ann", "Ben", "Cid the First")},
        {"deck": ("robber", "robber", "seer", "seer", "villager", "villager")},
        {"deck": ("robber",)},
        {"wolf_lies": 101},
    ],
)
def test_a_set_up_that_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        OneNight(**setup)


def test_the_order_of_two_swapped_cards_does_not_matter() -> None:
    deck = ("troublemaker", "drunk", "seer", "robber", "villager", "werewolf")
    game = OneNight(("Ann", "Ben", "Cid"), deck)
    for line in ("Ann swaps Ben and Cid", "Ann swaps Cid and Ben"):
        assert Knowledge(game).tell(line).certain()["Ann"] == "troublemaker"
    assert Knowledge(game).tell(Swapped("Ann", "right", "Ann")).certain()["Ann"] == "drunk"
