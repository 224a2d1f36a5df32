"""Hanabi against all orders of the cards that a viewer does not see, with logs read as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import factorial, prod
from random import Random
from typing import Any

import pytest

from deduce import BadInput, Knowledge, Unsupported
from deduce.logs.events import write_text
from games.hanabi import LETTERS, Clue, Drew, Hanabi, Holds, best_score, clues


def orders(cards: Counter[str], length: int) -> Iterator[tuple[str, ...]]:
    """Yield the different orders of the first cards of a heap."""
    if not length:
        yield ()
        return
    for card in [card for card, number in cards.items() if number]:
        for rest in orders(cards - Counter([card]), length - 1):
            yield (card, *rest)


def fits(card: str, hint: str) -> bool:
    if hint.isdigit():
        return card.endswith(hint)
    return card[0] in (LETTERS[hint], "M")


def expected(game: Hanabi, log: Any, viewer: str | None) -> dict[str, dict[str, Fraction]]:
    """Return the probabilities of every card, from the lines of the log."""
    hands = {p: [f"{p}{n}" for n in range(1, game.size + 1)] for p in game.players}
    slots = [slot for hand in hands.values() for slot in hand]
    total = sum(game.copies) * len(game.colours)
    heap = [f"new{n}" for n in range(1, total - len(slots) + 1)]
    slots += heap
    known: dict[str, str] = {}
    told: list[tuple[str, str, bool]] = []
    for event, line in zip(log, write_text(game, log).splitlines()[-len(log) :], strict=True):
        words = line.replace(":", "").split()
        hidden = isinstance(event, Holds | Drew) and viewer in (None, words[0])
        if words[1] == "holds" and not hidden:
            known |= dict(zip(hands[words[0]], words[2:], strict=True))
        elif words[1] == "drew" and not hidden:
            known[hands[words[0]][-1]] = words[2]
        elif words[1] == "clues":
            told += [(slot, words[3], slot in words[4:]) for slot in hands[words[2]]]
        elif words[1] in ("plays", "discards"):
            known[words[2]] = words[3]
            hands[words[0]].remove(words[2])
            hands[words[0]] += [heap.pop(0)] if heap else []
    cards = Counter(
        {f"{LETTERS[c]}{r}": n for c in game.colours for r, n in enumerate(game.copies, 1)}
    )
    cards.subtract(known.values())
    unseen = [slot for slot in slots if slot not in known and slot not in heap]
    found: dict[str, Counter[str]] = {slot: Counter() for slot in slots if slot not in heap}
    for order in orders(+cards, len(unseen)):
        world = known | dict(zip(unseen, order, strict=True))
        if all(fits(world[slot], hint) == is_touched for slot, hint, is_touched in told):
            rest = cards - Counter(order)
            ways = factorial(rest.total()) // prod(map(factorial, rest.values()))
            for slot, card in world.items():
                found[slot][card] += ways
    return {
        slot: {card: Fraction(n, row.total()) for card, n in row.items()}
        for slot, row in found.items()
    }


def test_probabilities_are_those_of_all_orders() -> None:
    random = Random(3)
    for _ in range(5):
        colours = random.sample([*LETTERS], 2)
        game = Hanabi(("Ann", "Ben"), (*colours,), random.choice([(3, 2), (2, 2, 1), (3, 3)]))
        log = tuple(game.record(game.deal(random), random))
        log = log[: random.randint(1, len(log))]
        viewer = random.choice([*game.players, None]) if len(game.copies) == 2 else "Ben"
        posterior = Knowledge(game, log, viewer=viewer).posterior()
        wanted = expected(game, log, viewer)
        assert posterior.keys() == wanted.keys()
        for slot, row in posterior.items():
            assert {card: p for card, p in row.items() if p} == wanted[str(slot)], (log, viewer)


def test_what_a_partner_knows_rests_on_what_the_partner_sees() -> None:
    k = Knowledge(Hanabi()).tell("Ann holds: R1 R1 R1 Y5 B5", "Ben holds: R2 R2 Y1 Y2 G1")
    k = k.tell("Ann clues Ben red: Ben1 Ben2")
    assert "R1" not in k.seen_by("Ben").possible()["Ben1"]
    assert k.seen_by("Ann").certain()["Ben1"] == "R2"
    assert "Ann4" not in k.seen_by("Ann").certain()


def test_what_a_player_knows_does_not_rest_on_lines_about_the_own_hand() -> None:
    random = Random(1)
    for _ in range(10):
        game = Hanabi(("Ann", "Ben", "Cid"), ("red", "blue", "rainbow"), (2, 2, 2))
        log = tuple(game.record(game.deal(random), random))
        own = [e for e in log if isinstance(e, Holds | Drew) and e.player == "Ben"]
        rest = [event for event in log if event not in own]
        seen = Knowledge(game, log, viewer="Ben")
        assert own
        assert seen.posterior() == Knowledge(game, rest, viewer="Ben").posterior()


def test_clues_are_ranked_by_what_they_tell_the_partner() -> None:
    k = Knowledge(Hanabi()).tell("Ben holds: R1 R2 B3 W4 G5", "Ann clues Ben 5: Ben5")
    ranking = clues(k, "Ben")
    bits = [told for _, _, told in ranking]
    assert bits == sorted(bits, reverse=True)
    assert {hint for hint, _, told in ranking if told == 0} == {"5"}
    assert ("red", ("Ben1", "Ben2")) in [clue[:2] for clue in ranking]


def test_a_rainbow_card_is_touched_by_every_colour() -> None:
    game = Hanabi(colours=("red", "blue", "green", "rainbow"))
    k = Knowledge(game).tell("Ben clues Ann red: Ann1", "Ben clues Ann blue: Ann1")
    assert {str(card)[0] for card in k.possible()["Ann1"]} == {"M"}
    assert "rainbow" not in game.hints()
    with pytest.raises(BadInput):
        k.tell(Clue("Ben", "Ann", "rainbow", ("Ann1",)))


@pytest.mark.parametrize("viewer", ["Ann", None])
def test_comments_do_not_rest_on_a_hand_that_the_viewer_does_not_see(viewer: str | None) -> None:
    found = []
    for own in ("R1 R1 R2 W1 W2", "B1 B1 G2 Y4 Y5"):
        k = Knowledge(Hanabi()).tell(f"Ann holds: {own}", "Ben holds: R1 R3 B3 W4 G5")
        seen = k.seen_by(viewer)
        found.append(list(seen.game.comments(seen)))  # type: ignore[attr-defined]
        with pytest.raises(BadInput, match="whole log"):
            clues(seen, "Ben")
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "setup",
    [
        {"players": ("Ann",)},
        {"players": ("Ann", "Ann")},
        {"colours": ("red", "pink")},
        {"colours": ("red", "red")},
        {"copies": (0, 1)},
        {"colours": ("red",), "copies": (3, 2)},
    ],
)
def test_a_set_up_that_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        Hanabi(**setup)


Cards = tuple[str, ...]


@cache
def by_all_turns(
    piles: Cards, hands: tuple[Cards, ...], deck: Cards, clues: int, who: int, left: int
) -> Fraction:
    """Return the best expected score with open hands, by trying every turn with every card."""
    score = Fraction(len(piles))
    if not left:
        return score
    left -= not deck
    best, after = score, 1 - who
    if clues:
        best = max(best, by_all_turns(piles, hands, deck, clues - 1, after, left))
    for number, card in enumerate(hands[who]):
        kept = hands[who][:number] + hands[who][number + 1 :]
        turns = [(piles, min(clues + 1, 8))]
        if sum(name[0] == card[0] for name in piles) + 1 == int(card[1]):
            turns.append(((*piles, card), min(clues + (card[1] == "3"), 8)))
        for then, tokens in turns:
            values = []
            for place in range(len(deck)) or [-1]:
                drawn = deck[place : place + 1] if deck else ()
                both = [hands[0], hands[1]]
                both[who] = tuple(sorted(kept + drawn))
                rest = deck[:place] + deck[place + 1 :] if deck else ()
                values.append(by_all_turns(then, (*both,), rest, tokens, after, left))
            best = max(best, sum(values, Fraction(0)) / len(values))
    return best


def test_the_best_score_is_that_of_all_turns_with_open_hands() -> None:
    random, decided = Random(2), 0
    for _ in range(8):
        game = Hanabi(colours=("red", "blue"), copies=(3, 2, 1))
        world = game.deal(random)
        log = tuple(game.record(world, random))[: random.randint(2, 8)]
        k = Knowledge(game, (*log, *(Holds(p, _cards(world, game.hands[p])) for p in game.players)))
        piles: list[str] = []
        clues, who, left, stock = 8, 0, 2, [f"new{n}" for n in (1, 2)]
        for line in write_text(game, log).splitlines()[1:]:
            words = line.replace(":", "").split()
            if words[1] in ("holds", "drew"):
                continue
            who, left = 1 - game.players.index(words[0]), left - (not stock)
            if words[1] == "clues":
                clues -= 1
                continue
            stock = stock[1:]
            if words[1] == "discards":
                clues = min(clues + 1, 8)
            elif sum(card[0] == words[3][0] for card in piles) + 1 == int(words[3][1]):
                piles.append(words[3])
                clues = min(clues + (words[3][1] == "3"), 8)
        if left < 0:
            continue
        hands = tuple(tuple(sorted(_cards(world, hand))) for hand in game.held(log).values())
        deck = tuple(sorted(world[slot] for slot in stock))
        assert best_score(k) == by_all_turns(tuple(sorted(piles)), hands, deck, clues, who, left)
        decided += 1
    assert decided > 3


def _cards(world: Any, slots: Any) -> Cards:
    return tuple(str(world[slot]) for slot in slots)


def test_no_turn_follows_the_last_one() -> None:
    k = Knowledge(Hanabi(("Ann", "Ben", "Cid"), ("red", "blue"), copies=(3, 2, 2, 1)))
    log = """Ann holds: R1 R3 R2 R1 B3\nBen holds: R1 R3 B1 B4 B1\nCid holds: B1 B3 R2 B2 B2
    Ben discards Ben5: B1\nBen drew: R4\nCid discards Cid4: B2\nAnn plays Ann4: R1
    Ben plays Ben2: R3\nCid plays Cid5: B2"""
    assert best_score(k.tell(*map(str.strip, log.splitlines()))) == 1


def test_the_best_score_is_refused_with_many_unseen_cards() -> None:
    with pytest.raises(Unsupported, match="40 cards"):
        best_score(
            Knowledge(Hanabi()).tell("Ann holds: R1 R2 R3 R4 R5", "Ben holds: Y1 Y2 Y3 Y4 Y5")
        )


def test_the_grid_says_which_clue_tells_most_and_the_best_score_of_an_endgame() -> None:
    k = Knowledge(Hanabi(colours=("red", "blue"), copies=(3, 2, 2)))
    k = k.tell("Ann holds: R1 R2 R2 B1 B1", "Ben holds: R3 B1 B2 B3 R3")
    (best, *_) = clues(k, "Ben")
    assert list(k.game.comments(k)) == [  # type: ignore[attr-defined]
        "1 tells Ann most: 5.07 bits about Ann1 Ann4 Ann5",
        f"{best[0]} tells Ben most: {best[2]:.2f} bits about {' '.join(best[1])}",
        "With all hands open, the best expected score is 6.00: an upper bound",
    ]
    assert not list(k.game.comments(k.upto(0)))  # type: ignore[attr-defined]
