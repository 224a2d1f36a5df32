"""Wordle against a second way of marking, written from the description of the game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log2
from random import Random

import pytest

from deduce import BadInput, Budget, Knowledge
from deduce.policy import best_plan
from games.wordle import Guess, Try, Wordle, marks


def struck_out(guess: str, word: str) -> str:
    """Mark a guess by striking out letters of the word on paper."""
    paper: list[str | None] = list(word)
    found = ["b"] * len(guess)
    for place, letter in enumerate(guess):
        if paper[place] == letter:
            found[place], paper[place] = "g", None
    for place, letter in enumerate(guess):
        if found[place] == "b" and letter in paper:
            found[place], paper[paper.index(letter)] = "y", None
    return "".join(found)


def made_words(number: int, seed: int = 3) -> tuple[str, ...]:
    random, words = Random(seed), set[str]()
    while len(words) < number:
        words.add("".join(random.choice("aeiou" if n % 2 else "bcdlmnrst") for n in range(5)))
    return tuple(sorted(words))


@pytest.mark.parametrize("letters", ["ab", "abc"])
def test_marks_of_repeated_letters(letters: str) -> None:
    words = ["".join(word) for word in product(letters, repeat=4)]
    assert all(marks(a, b) == struck_out(a, b) for a in words for b in words)


def test_answers_are_those_of_all_words_on_all_boards() -> None:
    random = Random(9)
    for _ in range(80):
        game = Wordle.random_setup(random)
        world = game.deal(random)
        k = Knowledge(game, tuple(game.record(world, random)))
        left = [
            words
            for words in product(game.words, repeat=game.boards)
            if all(
                text in ("-", struck_out(event.guess, word))
                for event in k.log
                for word, text in zip(words, event.boards, strict=True)
            )
        ]
        assert k.count() == len(left)
        for index, (board, row) in enumerate(k.posterior().items()):
            counts = Counter(words[index] for words in left)
            assert {w: p for w, p in row.items() if p} == {
                w: Fraction(n, len(left)) for w, n in counts.items()
            }, board
        for rated in k.advise().ranking:
            given = Counter(tuple(struck_out(rated.text, w) for w in ws) for ws in left)
            bits = -sum(n / len(left) * log2(n / len(left)) for n in given.values())
            assert rated.gain_bits == pytest.approx(bits, abs=1e-6)


def test_hard_mode_keeps_to_what_is_known() -> None:
    game = Wordle(("angel", "angle", "glean", "legal", "panel"), hard=True)
    allowed = game.inquiries([Guess("angel", ("ggybb",))], None)
    assert allowed == ("angel", "angle")


def test_a_board_that_is_solved_answers_nothing() -> None:
    k = Knowledge(Wordle(("aa", "ab", "ba"), boards=2)).tell("aa: gg gb", "ab: - gg")
    assert k.certain() == {"word 1": "aa", "word 2": "ab"}
    with pytest.raises(BadInput, match="word 2 is not solved yet"):
        Knowledge(k.game).tell("aa: gg gb", "ba: - -").count()


def test_the_game_ends_when_the_last_board_is_solved() -> None:
    game = Wordle(("aa", "ab", "ba"), boards=2)
    first = Knowledge(game).tell("aa: gg bg")
    assert first.certain() == {"word 1": "aa", "word 2": "ba"}
    ends = {rated.text: rated.ends for rated in first.advise().ranking}
    assert ends == {"aa": 0, "ab": 0, "ba": 1}
    both = Knowledge(game).tell("ab: gb gb")  # both are aa, and neither was guessed
    assert {rated.text: rated.ends for rated in both.advise().ranking}["aa"] == 1
    for inquiry in game.inquiries(first.log, None):
        answer = game.answer(inquiry, {"word 1": "aa", "word 2": "ba"})
        assert answer.startswith("- ")
        assert game.ends(inquiry, answer) == (game.format_inquiry(inquiry) == "ba")


def test_a_plain_word_is_rated_as_the_guess_that_it_is_now() -> None:
    """Once a board is solved, guesses are values that know of it."""
    k = Knowledge(Wordle(boards=2)).tell("crane: ggggg bbbby")
    typed, listed = k.advise(["level"]).ranking[0], k.advise().ranking
    assert typed == next(rated for rated in listed if rated.text == "level")
    with pytest.raises(BadInput, match="asked now: 'lexel'; did you mean 'level'"):
        k.advise(["lexel"])
    with pytest.raises(BadInput, match="listed twice"):
        k.advise(["level", typed.inquiry])


def test_plans_end_with_the_word() -> None:
    plan = best_plan(Knowledge(Wordle()))
    assert plan.proved
    assert plan.total >= 2 * len(Wordle().words) - 1
    longer = best_plan(Knowledge(Wordle(made_words(60))), budget=Budget(steps=50_000))
    assert longer.bound <= longer.total


def test_many_boards_are_marked_at_once() -> None:
    """Together nine boards of five letters have more marks than a whole number of 64 bits."""
    random, game = Random(1), Wordle(boards=9)
    worlds = [{b: random.choice(game.words) for b in game.variables()} for _ in range(9)]
    answers, codes = game.answer_table(
        tries := [Try(w, frozenset({"word 3"})) for w in game.words], worlds
    )
    for row, guess in zip(codes, tries, strict=True):
        assert [answers[k] for k in row] == [game.answer(guess, world) for world in worlds]


def test_a_guess_that_leaves_few_words_is_not_probably_misread() -> None:
    words = tuple("".join(row) for row in product("abcde", repeat=4))
    (slip,) = Knowledge(Wordle(words), doubts=Fraction(1, 100)).tell("abcd: gggb").slips()
    assert slip.probability < Fraction(1, 10)
