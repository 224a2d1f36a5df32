"""The games of the docs pages about asking: their advice against the plain definition."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from deduce.knowledge import Knowledge
from tests.policy.test_policy_advice import check

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
GAMES = {"ask-battleship": "Hunt", "ask-who": "Who", "ask-black-box": "BlackBox"}


def game_of(page: str) -> Any:
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 60
    found = re.search(r"```python\n(# \w+\.py\n.*?)```", text, re.DOTALL)
    assert found is not None
    module = ModuleType(page)
    exec(found[1], vars(module))
    game = getattr(module, GAMES[page])()
    # `check` of the other tests reads these; a page has no use for them.
    type(game).targets = ()
    return game


@pytest.mark.parametrize("page", GAMES)
def test_the_advice_of_a_page_is_what_the_definition_says(page: str) -> None:
    game = game_of(page)
    random = Random(20)
    world = random.choice(list(Knowledge(game).worlds()))
    knowledge = Knowledge(game)
    for _ in range(4):
        advice = knowledge.advise()
        check(knowledge, advice, weighted=True)
        if not advice.ranking or knowledge.count() == 1:
            break
        inquiry: Any = random.choice(advice.ranking[:5]).inquiry
        before = {
            o.answer: o.worlds for r in advice.ranking if r.inquiry == inquiry for o in r.outcomes
        }
        answer = game.answer(inquiry, world)
        knowledge = knowledge.tell(game.events[0](inquiry, answer))
        assert knowledge.count() == before[answer]
