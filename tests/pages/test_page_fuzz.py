"""No value that a page could send makes a presenter fail: it answers, or says what is wrong."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random
from typing import Any

import pytest

from deduce.budget import Budget
from deduce.logs.document import Document
from deduce.pages.messages import Door, page_summaries
from deduce.system import registry

KEYS = re.findall(
    r"\w+",
    "view side cell line news then tutor marks asked judged slips turn setup step seat at guess "
    "slot own kind by cards answers right card has deck players me more hand face_up undealt free "
    "open event line",
)
ODD: list[Any] = [
    None, True, -1, 0, 1, 7, 10**30, 1.5, "", "x", "0", "0.0", "0.0!", "9.9", "é", "²", [], [[]],
    [None], [0, 3], [1, 2, "x"], {}, {"0": "x"}, {"a": []}, "yes", "judge", "1", "card", "own",
]  # fmt: skip
SMALL = {
    "battleship": '{"game": "battleship", "version": 1, "width": 3, "height": 2, "fleet": [2]}\n',
    "cluedo": "w: w0, w1, w2\nt: t0, t1, t2\nplayers: Ann 2, Ben 2\nme: Ann\nAnn: w0, t1; Ben -\n",
    "pigs": "pigs 3\nturn 1\n1 ends\nturn 2\n2 ends\n",
    "hanabi": '{"game": "hanabi", "version": 1, "players": ["Ann", "Ben"], "colours": ["red"]}\n',
    "one-night": '{"game": "one-night", "version": 1, "players": ["Ann", "Ben"], "deck": '
    '["seer", "robber", "werewolf", "villager", "villager"]}\n',
    "mastermind": '{"game": "mastermind", "version": 1, "slots": 2, "colours": ["a", "b"]}\n'
    "ab: 1 0\n",
}
ALIKE = {entry.name for entry in registry.games() if entry.examples == "games.examples"}
"""Games of one file, whose pages differ in little but the game."""

LINES = ["", "x", "Ann has rope", "²", "\N{LINE SEPARATOR}", "{", '{"event": 3}', "a" * 300]


def odd(random: Random, kept: Any = None) -> Any:
    """Return a value of any type; often one that is nearly right."""
    if isinstance(kept, dict) and kept and random.random() < 0.7:
        key = random.choice(list(kept))
        changed = {**kept, key: odd(random, kept[key])}
        return {k: v for k, v in changed.items() if k != key or random.random() < 0.8}
    if isinstance(kept, list) and kept and random.random() < 0.7:
        return [*kept[:-1], odd(random, kept[-1])]
    return random.choice(ODD)


def text(random: Random) -> str:
    return random.choice([*map(str, ODD), *LINES])


@pytest.mark.parametrize("page", page_summaries())
def test_odd_values_from_a_page_are_answered(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("log.BUDGET", "tutor.JOB_BUDGET"):
        monkeypatch.setattr(f"deduce.pages.features.{limit}", Budget(20_000))
    random, door = Random(page), Door()
    pages: Any = door.page(page)
    jobs = sorted(pages.jobs)
    ui: dict[str, Any] = {}
    document = None
    first = json.loads(door.answer(json.dumps({"game": page})))
    if 'data-do="example"' in first["fragments"]["setup"]:
        intent = {"do": "example", "values": {"example": "0"}}
        first = json.loads(door.answer(json.dumps({"game": page, "intent": intent})))
    begun = first["document"]
    if page in SMALL:
        begun = Document(page, SMALL[page]).to_json()
    for number in range(2 if page in ALIKE else 6):
        if number % 5 == 0:
            document, ui = (begun if number % 10 else None), {}
        for key in random.sample(KEYS, 3):
            ui[key] = odd(random, ui.get(key))
        name = random.choice(sorted(pages.intents))
        fields = [f.replace("*", random.choice("0123")) for f in sorted(pages.intents[name].fields)]
        values = {field: text(random) for field in fields if random.random() < 0.9}
        if "field" in fields:
            values["field"] = random.choice(["by", "kind", "c0", "a1", "card", "right", "x"])
        form = {f: [text(random)] * random.randrange(3) for f in fields if random.random() < 0.5}
        intent = {"do": name, "values": values, "form": form, "changed": list(form)[-1:]}
        request = {"game": page, "document": document, "ui": ui, "intent": intent}
        response = json.loads(door.answer(json.dumps(request)))
        if "error" in response:
            continue
        ui, document = response["ui"], response["document"]
        if jobs and begun and number % 4 == 0:
            job: dict[str, Any] = {
                "name": random.choice(jobs),
                "slot": text(random),
                "key": text(random),
            }
            job["values"] = {
                key: odd(random) for key in ("by", "cards", "passes", "asked", "marks")
            }
            message = {"game": page, "document": begun, "ui": ui, "job": job}
            for part in islice(door.work(json.dumps(message)), 2):
                json.loads(part)


@pytest.mark.parametrize(
    "message",
    ['{"game": "cluedo", "ui": {"cell": "\\ud800"}}', '{"ui": {"a": NaN}}', "[]", "", "null",
     '{"game": "cluedo", "ui": ' + "[" * 900 + "]" * 900 + "}", '{"game": 1}', '{"ui": 1e999}'],
)  # fmt: skip
def test_a_message_that_no_page_sends_is_refused(message: str) -> None:
    assert list(json.loads(Door().answer(message))) == ["error"]
    assert sorted(json.loads(next(Door().work(message)))) == ["done", "error"]
