"""Beliefs about cards of OpenSpiel, against all deals that OpenSpiel itself accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random
from typing import Any

import pytest

from deduce.errors import Unsupported
from deduce.gym.openspiel import exact
from deduce.gym.openspiel_cards import HiddenCards, hidden_cards

pyspiel = pytest.importorskip("pyspiel")

SMALL = ("go_fish(ranks=3,suits=2,initial_cards=2)", "go_fish(ranks=3,suits=3,initial_cards=2)",
         "go_fish(players=3,ranks=3,suits=2,initial_cards=1)",
         "hanabi(players=2,colors=2,ranks=2,hand_size=2)",
         "hanabi(players=3,colors=2,ranks=2,hand_size=2)")  # fmt: skip


def positions(name: str, number: int, share: float = 0.15) -> Iterator[Any]:
    """Yield random states of a game in which a player moves."""
    game, random = pyspiel.load_game(name), Random(name)
    while number:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() >= 0 and (
                random.random() < share or not state.legal_actions()
            ):
                yield state
                number -= 1
                break
            state.apply_action(random.choice(state.legal_actions()))


def seen(state: Any, history: list[int], player: int) -> list[str] | None:
    """Return what a player sees of a history; ``None`` if it is not legal."""
    replayed, views = state.get_game().new_initial_state(), []
    for action in history:
        if action not in replayed.legal_actions():
            return None
        replayed.apply_action(action)
        views.append(view(replayed, player))
    return views


def view(state: Any, player: int) -> str:
    """Return what a player sees when a player is to move."""
    return "" if state.is_chance_node() else state.observation_string(player)


def all_deals(state: Any, player: int) -> Iterator[tuple[list[int], Fraction]]:
    """Yield what chance may have done: the player sees the same, and all moves are legal."""
    history = state.history()
    views = seen(state, history, player) or []
    todo = [(state.get_game().new_initial_state(), 0, Fraction(1))]
    while todo:
        before, at, weight = todo.pop()
        if at == len(history):
            yield before.history(), weight
            continue
        chances = {action: exact(p) for action, p in before.chance_outcomes()} if (
            before.is_chance_node()) else {history[at]: Fraction(1)}  # fmt: skip
        for action in set(chances) & set(before.legal_actions()):
            after = before.child(action)
            if view(after, player) == views[at]:
                todo.append((after, at + 1, weight * chances[action]))


def at_places(belief: HiddenCards) -> dict[int, dict[str, Fraction]]:
    """Return by the places of a history how probable each hidden card is there."""
    posterior = belief.knowledge.posterior()
    found: dict[int, dict[str, Fraction]] = {}
    for group, places in belief.groups.items():
        row: Counter[str] = Counter()
        for card, shares in posterior.items():
            row[str(card).split()[0]] += shares.get(group, Fraction(0))  # type: ignore[assignment]
        for place in places:
            found[place] = {kind: Fraction(p, len(places)) for kind, p in row.items() if p}
    return found


@pytest.mark.parametrize("name", SMALL)
def test_a_belief_is_that_of_all_deals(name: str) -> None:
    """Beliefs in small games beside lists of what chance may have done."""
    for state in positions(name, 8):
        belief = hidden_cards(state)
        words = {action: word for word, action in belief._actions.items()}
        rows = {place: Counter[str]() for places in belief.groups.values() for place in places}
        total = Fraction(0)
        for history, weight in all_deals(state, state.current_player()):
            total += weight
            for place, row in rows.items():
                row[words[history[place]]] += weight  # type: ignore[assignment]
        for place, shares in at_places(belief).items():
            assert shares == {word: p / total for word, p in rows[place].items()}, state.history()


def test_the_last_cards_of_spades_are_those_of_all_deals() -> None:
    number = 3
    for state in positions("spades", 1000, 0.03):
        dealt, played = state.history()[:52], {*state.history()[56:]}
        if len(played) < 45:  # fewer than seven hidden cards
            continue
        player, belief = state.current_player(), hidden_cards(state)
        views = seen(state, state.history(), player)
        words = {action: word for word, action in belief._actions.items()}
        left = {group: [place for place in places if dealt[place] not in played]
                for group, places in belief.groups.items()}  # fmt: skip
        cards = [dealt[place] for places in left.values() for place in places]
        possible: Counter[tuple[str, str]] = Counter()
        deals = 0
        for hands in splits(cards, [len(places) for places in left.values()]):
            history = list(state.history())
            for place, card in zip(chain(*left.values()), chain(*hands), strict=True):
                history[place] = card
            if seen(state, history, player) == views:
                deals += 1
                possible.update((words[c], g) for g, h in zip(left, hands, strict=True) for c in h)
        assert belief.knowledge.count() == deals
        posterior = belief.knowledge.posterior()
        for kind, group in product((words[action] for action in cards), left):
            assert posterior[kind].get(group, 0) * deals == possible[kind, group]
        number -= 1
        if not number:
            return


def splits(cards: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to deal cards to hands of these sizes."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in splits(rest, sizes[1:]):
            yield [hand, *others]


@pytest.mark.parametrize(
    "name", ["spades", "crazy_eights(players=3)", "hanabi(players=4)", "go_fish"]
)
def test_samples_look_the_same_to_the_player(name: str) -> None:
    for state in positions(name, 2, 0.03):
        player = state.current_player()
        views = seen(state, state.history(), player)
        for drawn in hidden_cards(state).sample(5, seed=1):
            assert seen(state, drawn.history(), player) == views


def test_an_eight_that_was_turned_up_is_in_no_hand() -> None:
    """Two eights were turned up before the first card: no player had them when cards were dealt."""
    state = pyspiel.load_game("crazy_eights(players=2)").new_initial_state()
    for action in (52, 9, 29, 18, 50, 20, 34, 24, 48, 33, 45, 1, 21, 40, 4, 27, 26, 42, 52, 19):
        state.apply_action(action)
    posterior = hidden_cards(state, 0).knowledge.posterior()
    for card in ("S8", "H8"):
        assert not posterior[card].get("player 1")
        assert posterior[card]["player 1, drawn before event 3"] == Fraction(1, 37)


def test_what_is_no_such_game_is_refused() -> None:
    with pytest.raises(Unsupported, match="spades"):
        hidden_cards(pyspiel.load_game("kuhn_poker").new_initial_state())
    with pytest.raises(Unsupported, match="pass the player"):
        hidden_cards(pyspiel.load_game("hanabi").new_initial_state())
    with pytest.raises(Unsupported, match="still being dealt"):
        hidden_cards(pyspiel.load_game("hanabi").new_initial_state(), 1)
    with pytest.raises(Unsupported, match="twice"):
        hidden_cards(pyspiel.load_game("crazy_eights(reshuffle=true)").new_initial_state(), 1)
