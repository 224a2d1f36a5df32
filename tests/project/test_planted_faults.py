"""The shipped conformance checks find every fault that is planted in a copy of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import pytest
from attrs import evolve, frozen

from deduce.constraints import Count, Weigh, at_least, at_most, is_, is_not
from deduce.game import Viewer
from deduce.problem import Evidence
from deduce.search.errors import BadGame
from deduce.system.clock import cpu_seconds
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


def more_than_one_is_excluded(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    for piece in pieces:
        if isinstance(piece.constraint, Weigh):
            piece = evolve(piece, constraint=at_most(0, piece.constraint.facts))
        yield piece


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


def sentence_swaps_the_players(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    for piece in pieces:
        if isinstance(event, Suggestion) and " showed " in piece.sentence:
            shower = piece.sentence.split()[0]
            piece = evolve(piece, sentence=f"{event.by} showed {shower} a card")
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


def has_not_is_has(game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]) -> Pieces:
    if isinstance(event, HasNot) and pieces:
        return [evolve(pieces[0], constraint=is_(event.card, event.holder))]
    return pieces


def one_of_is_the_first(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    if isinstance(event, OneOf) and pieces:
        return [evolve(pieces[0], constraint=is_(event.cards[0], event.holder))]
    return pieces


def right_accusation_is_ignored(
    game: Faulty, event: Event, viewer: Viewer, pieces: list[Evidence]
) -> Pieces:
    return [] if isinstance(event, Accusation) and event.correct else pieces


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
        more_than_one_is_excluded,
        known_to_is_ignored,
        sentence_names_the_suggester,
        sentence_swaps_the_players,
        sentence_names_another_player,
        numbers_are_shifted,
        has_not_is_has,
        one_of_is_the_first,
        right_accusation_is_ignored,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_fault_in_a_copy_of_cluedo_is_found(fault: Fault) -> None:
    started = cpu_seconds()
    kind = type(fault.__name__, (Faulty,), {"fault": staticmethod(fault)})
    game = kind(players=("Ann", "Ben", "Cid"), deck=DECK)
    with pytest.raises(ConformanceError):
        check_hidden_game(game, deals=1, draws=0)
    assert cpu_seconds() - started < 60


# Nim


class WrongSign(Nim):
    def utility(self, state: Heaps) -> tuple[int, ...] | None:
        final = super().utility(state)
        return None if final is None else (-final[0], -final[1])


class KeyWithoutMover(Nim):
    def key(self, state: Heaps) -> Any:
        return super().key(state)[0]


class KeyMergesSizes(Nim):
    def key(self, state: Heaps) -> Any:
        heaps, mover = super().key(state)
        return tuple(sorted(set(heaps))), mover


class KeyMergesLargeSizes(Nim):
    def key(self, state: Heaps) -> Any:
        heaps, mover = super().key(state)
        return tuple(sorted(min(heap, 2) for heap in heaps)), mover


class KeyIsTheSum(Nim):
    def key(self, state: Heaps) -> Any:
        return sum(state[0]), state[1]


class MissingAction(Nim):
    def actions(self, state: Heaps) -> Sequence[Take]:
        return list(super().actions(state))[:-1] or list(super().actions(state))


class NeverTheWholeHeap(Nim):
    def actions(self, state: Heaps) -> Sequence[Take]:
        actions = super().actions(state)
        few = [action for action in actions if state[0][action[0]] != action[1]]
        return few or actions


class EmptyActions(Nim):
    def actions(self, state: Heaps) -> Sequence[Take]:
        return [] if sum(state[0]) == 3 else super().actions(state)


class OffByOne(Nim):
    def format_action(self, state: Heaps, action: Take) -> str:
        return f"{action[1]} from {action[0]}"


class OneMorePiece(Nim):
    def format_action(self, state: Heaps, action: Take) -> str:
        return f"{action[1] + 1} from {action[0] + 1}"


class OffByOneReading(Nim):
    def parse_action(self, state: Heaps, text: str) -> Take:
        heap, pieces = super().parse_action(state, text)
        return heap, max(1, pieces - 1)


class StateWithoutPlayer(Nim):
    def format_state(self, state: Heaps) -> str:
        return ",".join(map(str, state[0]))


class NotZeroSum(Nim):
    def utility(self, state: Heaps) -> tuple[int, ...] | None:
        return None if super().utility(state) is None else (1, 0)


@pytest.mark.parametrize(
    "kind",
    [
        WrongSign,
        KeyWithoutMover,
        KeyMergesSizes,
        KeyMergesLargeSizes,
        KeyIsTheSum,
        MissingAction,
        NeverTheWholeHeap,
        EmptyActions,
        OffByOne,
        OneMorePiece,
        OffByOneReading,
        StateWithoutPlayer,
        NotZeroSum,
    ],
)
@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (2, 3, 3)])
def test_a_fault_in_a_copy_of_nim_is_found(kind: type[Nim], heaps: tuple[int, ...]) -> None:
    started = cpu_seconds()
    with pytest.raises(BadGame):
        check_game(kind(heaps))
    assert cpu_seconds() - started < 60


@pytest.mark.parametrize("misere", [False, True])
def test_honest_nim_passes(*, misere: bool) -> None:
    assert check_game(Nim((1, 3, 5), misere=misere)) > 10
