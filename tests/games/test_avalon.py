"""The Resistance and Avalon, against all deals of roles, with logs read as text."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from deduce import RECORD, BadInput, Knowledge
from deduce.game import Viewer
from deduce.line_game import Dealt
from deduce.logs.events import write_text
from games.avalon import Avalon, Saw

BAD = {"assassin", "Morgana", "Mordred", "Oberon", "minion"}


def deals(game: Avalon) -> list[dict[str, str]]:
    """Return all deals of roles, one for each order of different roles."""
    bad = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}[len(game.players)]
    special = list(game.roles)
    minions = bad - sum(role in BAD for role in special)
    cards = special + ["minion"] * minions
    cards += ["servant"] * (len(game.players) - len(cards))
    orders: set[tuple[str, ...]] = {()}
    for _ in cards:
        longer = ((order, role) for order in orders for role in {*cards})
        orders = {(*o, role) for o, role in longer if o.count(role) < cards.count(role)}
    return [dict(zip(game.players, order, strict=True)) for order in orders]


def seen_from(role: str, other: str) -> bool:
    """Return whether a player with a role sees one with another role."""
    if role == "Merlin":
        return other in BAD and other != "Mordred"
    if role == "Percival":
        return other in ("Merlin", "Morgana")
    return role in BAD and role != "Oberon" and other in BAD and other != "Oberon"


def likelihood(line: str, deal: dict[str, str], game: Avalon) -> Fraction | int:
    """Return the probability of a line, read as text, in a deal."""
    first, rest = line.split(" ", 1)
    if first == "mission":
        team, _, number = rest.partition(": ")
        rate = Fraction(game.evil_fails, 100)
        cards = [[(1, rate), (0, 1 - rate)] for p in team.split() if deal[p] in BAD]
        odds: dict[int, Fraction] = {}
        for each in product(*cards):
            fails = sum(card for card, _ in each)
            odds[fails] = odds.get(fails, Fraction(0)) + prod(
                (share for _, share in each), start=Fraction(1)
            )
        return odds.get(int(number), 0)
    if first == "team":
        team, _, votes = rest.partition(" for ")
        ayes, _, _ = votes.partition(" against ")
        spoiled = any(deal[p] in BAD for p in team.split())
        chance = Fraction(1)
        for player, role in deal.items():
            rates = game.evil_approves if role in BAD else game.good_approves
            rates = game.merlin_approves if role == "Merlin" else rates
            rate = Fraction(rates[1 if spoiled else 0], 100)
            chance *= rate if player in ayes.split() else 1 - rate
        return chance
    if rest.startswith("is dealt: "):
        return deal[first] == rest.removeprefix("is dealt: ")
    seen = {p for p in deal if p != first and seen_from(deal[first], deal[p])}
    return seen == {*rest.removeprefix("sees: ").split()}


def expected(game: Avalon, log: Any, viewer: Viewer) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the number of deals, and the probability of each role."""
    left: list[tuple[dict[str, str], Fraction | int]] = [
        (deal, Fraction(1)) for deal in deals(game)
    ]
    for event, line in zip(log, write_text(game, log).splitlines()[-len(log) :], strict=True):
        if viewer is RECORD or not isinstance(event, Dealt | Saw) or event.player == viewer:
            left = [(d, w * p) for d, w in left if (p := likelihood(line, d, game))]
    total = sum(weight for _, weight in left)
    shares: dict[str, dict[str, Any]] = {player: {} for player in game.players}
    for deal, weight in left:
        for player, role in deal.items():
            shares[player][role] = shares[player].get(role, 0) + Fraction(weight) / total
    return len(left), shares


def random_game(random: Random) -> Avalon:
    names = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gus")[: random.choice((5, 5, 6, 6, 7))]
    good = random.sample(["Merlin", "Percival"], random.randint(0, 2))
    bad = random.sample(["assassin", "Morgana", "Mordred", "Oberon"], random.randint(0, 2))
    rates = [(random.choice((0, 40, 55, 100)), random.choice((0, 30, 50, 100))) for _ in range(3)]
    return Avalon(names, (*good, *bad), random.choice((0, 50, 80, 100)), *rates)


def test_posteriors_are_those_of_all_deals() -> None:
    """A fixed sample; `deduce soak` plays more."""
    random = Random(0)
    for _ in range(15):
        game = random_game(random)
        log = tuple(game.record(game.deal(random), random))
        log = log[: random.randint(1, len(log))]
        viewer: Viewer = random.choice([RECORD, None, *game.players])
        k = Knowledge(game, log, viewer=viewer)
        count, shares = expected(game, log, viewer)
        assert k.count() == count
        posterior = k.posterior()
        for player in game.players:
            row = {role: share for role, share in posterior[player].items() if share}
            assert row == shares[player], (game, viewer, log, player)


def test_who_sees_others_does_not_see_the_rest() -> None:
    """The role of the one who sees is not known, so that several roles see different numbers."""
    game = Avalon(tuple("ABCDEFG"), roles=("Morgana", "Merlin", "Percival"))
    k = Knowledge(game).tell("A sees: C E")
    assert "Merlin" not in k.possible()["A"]  # three players are evil
    assert k.count() == expected(game, k.log, RECORD)[0]


def test_players_whose_votes_are_certain_are_decided() -> None:
    """Rates of 0 and 100 exclude deals in ways that no sweep can follow: they are listed."""
    game = Avalon(tuple("ABCDEF"), ("Morgana", "Percival", "Merlin"), 80, (100, 45))
    lines = [
        *("D is dealt: minion", "E is dealt: servant", "F is dealt: Morgana"),
        *("team A D for A B D E against C F", "mission A D: 1"),
        *("team E B D for B C E F against A D", "mission E B D: 1"),
        *("team B E F A for A B D F against C E", "mission B E F A: 1"),
        *("team E A D for A C D E F against B", "mission E A D: 1"),
        *("team D B C F for A B D F against C E", "mission D B C F: 1"),
    ]
    k = Knowledge(game).tell(*lines).seen_by(None)
    number, shares = expected(game, k.log, None)
    assert (k.count(), k.posterior()) == (number, shares)


def test_advice_ranks_teams_by_what_the_fails_tell() -> None:
    k = Knowledge(Avalon()).tell("Ann is dealt: servant", "mission Ann Ben: 1")
    ranking = k.advise().ranking
    assert ranking[0].gain_bits > ranking[-1].gain_bits >= 0
    inquiry: Any = ranking[0].inquiry
    assert len(inquiry) == 3
    assert k.certain()["Ann"] == "servant"


@pytest.mark.parametrize(
    "setup",
    [
        {"players": ("Ann", "Ben", "Cid", "Dot")},
        {"players": ("Ann", "Ann", "Cid", "Dot", "Eli")},
        {"players": ("nobody", "Ann", "Cid", "Dot", "Eli")},
        {"roles": ("Merlin", "Merlin")},
        {"roles": ("servant",)},
        {"roles": ("Lancelot",)},
        {"roles": ("assassin", "Morgana", "Mordred")},
        {"evil_fails": 101},
        {"good_approves": (50, -1)},
    ],
)
def test_a_set_up_that_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        Avalon(**setup)


def test_a_vote_that_tells_nothing_is_wrong_as_often_as_any_record() -> None:
    """Its likelihood is 1/32 in every world, and so it is for one of 31 wrong records."""
    even = ((50, 50),) * 3
    k = Knowledge(Avalon(("Ann", "Ben", "Cid", "Dot", "Eli"), (), 80, *even), doubts=0.01)
    (slip,) = k.tell("team Ann Ben for Ann Ben Cid against Dot Eli").slips()
    assert slip.probability == pytest.approx(0.01, rel=0.05)
