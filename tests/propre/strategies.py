"""Random states of the game: reached by random play, or put together at random."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from games.propre.playthrough import Playthrough
from games.propre.rules import Rules
from games.propre.setup import DECK, RANK, State, is_numeric, sideways


def _rules(*, option_2: str, **settings: Any) -> Rules:
    """Return rules with option 2 left out, as usual, or with a short deck too."""
    return Rules(swap=option_2 != "none", short_swap=option_2 == "short", **settings)


RULES = st.builds(
    _rules,
    option_2=st.sampled_from(["none", "usual", "short"]),
    players=st.integers(2, 5),
    hand=st.integers(1, 7),
    block_everything=st.booleans(),
    literal_run=st.booleans(),
    literal_rm2=st.booleans(),
    swap_order=st.sampled_from(["hand", "sorted", "choice"]),
    reshuffle=st.booleans(),
    announce=st.booleans(),
)


def played(rules: Rules, seed: int, decisions: int) -> Playthrough:
    """Return a game after a number of random options, or at its end."""
    random = Random(seed)
    game = Playthrough.dealt(rules, random)
    for _ in range(decisions):
        game = game.settled(random)
        options = rules.options(game.state)
        if not options:
            break
        # Cards rather than draws, so that games come to something.
        cards = [option for option in options if option.card]
        game = game.play(random.choice(cards if cards and random.random() < 0.7 else options))
    return game.settled(random)


def thrown_together(rules: Rules, seed: int) -> State:
    """Return a state that need not be reachable."""
    random = Random(seed)
    cards = list(DECK)
    random.shuffle(cards)
    hands = [tuple(cards.pop() for _ in range(random.randint(1, 7))) for _ in range(rules.players)]
    pile = [cards.pop() for _ in range(random.randint(1, 6))]
    numeric = [card for card in pile if is_numeric(RANK[card])]
    pile = [sideways(c) if c in numeric and random.random() < 0.3 else c for c in pile]
    return State(
        tuple(hands),
        tuple(pile),
        active=random.randrange(rules.players),
        attack_value=random.choice([0, 0, 2, 5, 12]),
        move_value=random.randint(-1, 2),
        clockwise=random.random() < 0.5,
        first_card=random.random() < 0.5,
        require_match=random.random() < 0.8,
        bridging=random.random() < 0.5,
        stock=tuple(sorted(cards)),
        said=tuple(random.choice([0, 1, 2]) for _ in range(rules.players * rules.announce)),
    )
