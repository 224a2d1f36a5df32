"""Games are asked for members of typed protocols, never by a string."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from deduce.game import Questions, Said, SeenInParts, hook, warn_of_near_misses
from deduce.search.game import Extra
from deduce.system import registry
from games.mastermind import Mastermind


class Inherits(Said, SeenInParts):
    """A game that names protocols and defines one member of each."""

    players = ("Ann",)

    def pattern(self, kind: str, pieces: object) -> str:
        return "mine"


def test_hook_returns_the_bound_method_or_none() -> None:
    ends = hook(Mastermind(slots=3), Questions.ends)
    assert ends is not None
    assert ends(("1", "1", "1"), (3, 0))
    assert hook(Mastermind(), Questions.event_of) is not None
    assert hook(object(), Questions.event_of) is None


def test_values_need_a_default_and_methods_have_none() -> None:
    assert hook(object(), SeenInParts.players, ()) == ()
    with pytest.raises(TypeError, match="players needs a default"):
        hook(object(), SeenInParts.players)
    with pytest.raises(TypeError, match="say is a method and has no default"):
        hook(object(), Said.say, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("member", ["say", Mastermind.say, str.upper, None])
def test_what_no_protocol_has_is_refused(member: Any) -> None:
    with pytest.raises(TypeError, match="not a member of a protocol of games"):
        hook(Mastermind(), member)


def test_a_member_that_is_only_inherited_is_absent() -> None:
    inherits = Inherits()  # type: ignore[abstract]
    assert hook(inherits, Said.say) is None
    assert hook(Inherits, Said.say) is None
    assert hook(inherits, Said.pattern) is not None
    assert hook(inherits, SeenInParts.players, ()) == ("Ann",)


def test_near_misses_are_warned_about_once_when_a_game_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Misspelt(Mastermind):
        def answer_tables(self) -> None: ...

        def parse_nxt(self) -> None: ...

    monkeypatch.setattr("games.mastermind.Misspelt", Misspelt, raising=False)
    with pytest.warns(UserWarning, match="'parse_nxt'; did you mean 'parse_next'") as caught:
        registry.load("games.mastermind:Misspelt")
    assert len(caught) == 1  # it has `answer_table`, so `answer_tables` is another method
    registry.load("games.mastermind:Misspelt")


def test_bundled_games_have_no_near_misses() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for entry in registry.games():
            if entry.hidden:
                warn_of_near_misses.__wrapped__(registry.load(entry.hidden))


def test_search_games_are_asked_for_known_names_only() -> None:
    with pytest.raises(TypeError, match="not a member of a protocol of games"):
        hook(object(), "order")  # type: ignore[call-overload]
    assert hook(object(), Extra.zero_sum, default=False) is False
