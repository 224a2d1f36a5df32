"""The booklet of mysteries: twenty, each with one answer, graded as it states."""

from __future__ import annotations

import re
from pathlib import Path

from deduce import read
from deduce.steps import grade

PAGE = Path(__file__).parent.parent.parent / "docs" / "games" / "cluedo-mysteries.md"
MYSTERY = re.compile(r"## Mystery (\d+), grade (\d)\n\n```text\n(.*?)```", re.DOTALL)
SOLUTION = re.compile(r"### Mystery (\d+)\n\n(.*?)\. Hardest step: ")


def test_each_mystery_has_the_answer_and_the_grade_that_are_printed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    mysteries, solutions = MYSTERY.findall(text), dict(SOLUTION.findall(text))
    assert [int(number) for number, _, _ in mysteries] == list(range(1, 21))
    assert [int(level) for _, level, _ in mysteries] == [1 + n // 4 for n in range(20)]
    for number, level, log in mysteries:
        k = read(log)
        cards = re.split(", | and ", solutions[number].removesuffix(" are in the envelope"))
        answers = [k.claim(f"{card}=envelope") for card in cards]
        assert len(answers) == 3
        assert all(map(k.is_certain, answers))
        assert grade(k, answers).level == int(level)  # type: ignore[arg-type]
