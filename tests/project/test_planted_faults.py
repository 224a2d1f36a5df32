"""The shipped conformance checks find every fault that is planted in a copy of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import pytest
from attrs import evolve, frozen

from deduce.constraints import Count, Weigh, at_least, is_, is_not
from deduce.game import Viewer
from deduce.problem import Evidence
from deduce.search.errors import BadGame
from deduce.testing import ConformanceError, check_game, check_hidden_game
from games.classics.nim import Heaps, Nim, Take
from games.cluedo import Cluedo
from games.cluedo.events import Accusation, Event, Has, HasNot, OneOf, Suggestion

DECK = {
    "suspect": ("Plum", "Rose", "Gray"),
    "weapon": ("Rope", "Knife", "Axe"),
    "room": ("Hall", "Attic", "Bath"),
}

Pieces = Iterable[Evidence]
Fault = Callable[["Faulty", Event, Viewer, list[Evidence]], Pieces]


@frozen
class Faulty(Cluedo):
    """Cluedo, but evidence of each event goes through a fault."""

    fault: ClassVar[Fault]

    def honest(self, event: Event, viewer: Viewer) -> list[Evidence]:
        return list(Cluedo.evidence(self, [event], viewer))

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        for number, event in enumerate(log, start=1):
            for piece in type(self).fault(self, event, viewer, self.honest(event, viewer)):
                yield evolve(piece, event=number - 1 + (piece.event or 0))


def show_excludes_the_others(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    yield from pieces
    if isinstance(event, Suggestion) and any(isinstance(p.constraint, Weigh) for p in pieces):
        for show in event.shows:
            for card in sorted({*event.cards} - {show.card or ""}):
                yield Evidence(is_not(card, show.by), 1, f"{show.by} showed another card")


def bystander_sees_the_card(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if viewer is None and isinstance(event, Suggestion):
        return game.honest(event, event.by)
    return pieces


def only_the_suggester_sees_it(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if isinstance(event, Suggestion) and viewer in [show.by for show in event.shows]:
        return game.honest(event, None)
    return pieces


def wrong_accusation_clears_all(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if isinstance(event, Accusation) and not event.correct:
        return [Evidence(is_not(card, "envelope"), 1, "wrong") for card in event.cards]
    return pieces


def passes_are_ignored(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if isinstance(event, Suggestion):
        return game.honest(evolve(event, passes=()), viewer)
    return pieces


def hidden_show_is_two_cards(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    for piece in pieces:
        if isinstance(event, Suggestion) and isinstance(piece.constraint, Count):
            piece = evolve(piece, constraint=at_least(2, piece.constraint.facts))
        yield piece


def weights_are_one(game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]) -> Pieces:
    return [piece for piece in pieces if not isinstance(piece.constraint, Weigh)]


def known_to_is_ignored(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if isinstance(event, Has | HasNot | OneOf):
        return game.honest(evolve(event, known_to=None), viewer)
    return pieces


def sentence_names_the_suggester(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    for piece in pieces:
        if isinstance(event, Suggestion) and "could not show" in piece.sentence:
            piece = evolve(piece, sentence=f"{event.by} could not show a card")
        yield piece


def sentence_names_another_player(
    game: Faulty, event: Event, viewer: Viewer, pieces: Any
) -> Pieces:
    for piece in pieces:
        if isinstance(event, Accusation):
            other = next(player for player in game.players if player != event.by)
            piece = evolve(piece, sentence=piece.sentence.replace(event.by, other))
        yield piece


def numbers_are_shifted(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    return [evolve(piece, event=2) for piece in pieces]


def one_of_is_the_first(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if isinstance(event, OneOf) and pieces:
        return [evolve(pieces[0], constraint=is_(event.cards[0], event.holder))]
    return pieces


@pytest.mark.parametrize(
    "fault",
    [
        show_excludes_the_others,
        bystander_sees_the_card,
        only_the_suggester_sees_it,
        wrong_accusation_clears_all,
        passes_are_ignored,
        hidden_show_is_two_cards,
        weights_are_one,
        known_to_is_ignored,
        sentence_names_the_suggester,
        sentence_names_another_player,
        numbers_are_shifted,
        one_of_is_the_first,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_fault_in_a_copy_of_cluedo_is_found(fault: Fault) -> None:
    kind = type(fault.__name__, (Faulty,), {"fault": staticmethod(fault)})
    game = kind(players=("Ann", "Ben", "Cid"), deck=DECK)
    with pytest.raises(ConformanceError):
        check_hidden_game(game, deals=1, draws=0)


# Nim


def few(self: Nim, state: Heaps) -> Sequence[Take]:
    """Return the actions that leave something of a heap."""
    actions = Nim.actions(self, state)
    return [action for action in actions if state[0][action[0]] != action[1]] or actions


def all_but_one(self: Nim, state: Heaps) -> Sequence[Take]:
    actions = list(Nim.actions(self, state))
    return actions[:-1] or actions


def fewer_pieces(self: Nim, state: Heaps, text: str) -> Take:
    heap, pieces = Nim.parse_action(self, state, text)
    return heap, max(1, pieces - 1)


def both_win(self: Nim, state: Heaps) -> tuple[int, ...] | None:
    return None if Nim.utility(self, state) is None else (1, 0)


def wrong_sign(self: Nim, state: Heaps) -> tuple[int, ...] | None:
    final = Nim.utility(self, state)
    return None if final is None else (-final[0], -final[1])


def keyed(merged: Callable[[Sequence[int]], Iterable[int]]) -> Callable[[Nim, Heaps], Any]:
    """Return a key that merges heaps of several sizes."""
    return lambda self, state: (tuple(sorted(merged(state[0]))), state[1])


FAULTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "wrong sign": ("utility", wrong_sign),
    "not zero-sum": ("utility", both_win),
    "key without mover": ("key", lambda self, state: Nim.key(self, state)[0]),
    "key merges sizes": ("key", keyed(set)),
    "key merges large sizes": ("key", keyed(lambda heaps: [min(heap, 2) for heap in heaps])),
    "key is the sum": ("key", keyed(lambda heaps: [sum(heaps)])),
    "missing action": ("actions", all_but_one),
    "never the whole heap": ("actions", few),
    "no actions": (
        "actions", lambda self, state: [] if sum(state[0]) == 3 else Nim.actions(self, state)
    ),
    "heaps from 0": ("format_action", lambda self, state, taken: f"{taken[1]} from {taken[0]}"),
    "one more piece": (
        "format_action", lambda self, state, taken: f"{taken[1] + 1} from {taken[0] + 1}"
    ),
    "fewer pieces": ("parse_action", fewer_pieces),
    "state without player": ("format_state", lambda self, state: ",".join(map(str, state[0]))),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (2, 3, 3)])
def test_a_fault_in_a_copy_of_nim_is_found(fault: str, heaps: tuple[int, ...]) -> None:
    member, wrong = FAULTS[fault]
    with pytest.raises(BadGame):
        check_game(type("Faulty", (Nim,), {member: wrong})(heaps))


@pytest.mark.parametrize("misere", [False, True])
def test_honest_nim_passes(*, misere: bool) -> None:
    assert check_game(Nim((1, 3, 5), misere=misere)) > 10
