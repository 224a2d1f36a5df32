"""What readers say of a text that they refuse, as recorded in tests/transcripts/refused.json.

By reader: each text with the error, and in brackets the word that is wrong, where it is known.
``RECORD=1`` writes what they say now; a new text is added with any error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deduce import BadInput, Knowledge
from games.avalon import Avalon
from games.battleship import Battleship
from games.clocktower import Clocktower
from games.cluedo import Cluedo
from games.hanabi import Hanabi
from games.mastermind import Mastermind
from games.minesweeper import Minesweeper
from games.one_night import OneNight
from games.pigs.reading import read_turns
from games.pigs.setup import parse_deal
from games.planet_x import PlanetX
from games.propre.notation import parse_position, parse_state
from games.propre.rules import Rules
from games.propre.wording import parse_option
from games.quartets.game import Quartets
from games.quartets.search import standard
from games.quartets.states import parse_state as parse_quartets
from games.secret_hitler import SecretHitler
from games.wordle import Wordle
from tests.pigs.strategies import parse_log

RECORDED = Path(__file__).parent / "transcripts" / "refused.json"


def telling(game: Any) -> Callable[[str], object]:
    """Return what tells the lines of a text, and looks at the worlds that they leave."""
    return lambda text: Knowledge(game).tell(*text.splitlines()).count()


READERS: dict[str, Callable[[str], object]] = {
    "a line of avalon": telling(Avalon()),
    "a line of battleship": telling(Battleship()),
    "a line of clocktower": telling(Clocktower()),
    "a line of cluedo": Cluedo(players=("Ann", "Ben", "Cid", "Dan"), me="Ben").parse_event,
    "a log of cluedo": Cluedo.parse_log,
    "a line of hanabi": telling(Hanabi()),
    "a line of mastermind": Mastermind().parse_event,
    "a log of minesweeper": Minesweeper.parse_log,
    "a line of one-night": telling(OneNight()),
    "a deal of pigs": parse_deal,
    "a log of pigs": parse_log,
    "turns of pigs": lambda text: read_turns(parse_log(text)),
    "a line of planet-x": telling(PlanetX()),
    "a position of propre": parse_position,
    "an option of propre": partial(
        parse_option, rules=Rules(), state=parse_state("hands 4C TS 2S / 6S; pile 9S", Rules())
    ),
    "a log of quartets": Quartets.parse_log,
    "a state of quartets": parse_quartets,
    "a position of quartets": standard().parse_state,
    "lines of secret-hitler": telling(SecretHitler()),
    "a line of wordle": telling(Wordle()),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_text_is_refused_with_its_place_and_what_would_be_right(reader: str) -> None:
    recorded: dict[str, dict[str, str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    now = {}
    for text in recorded[reader]:
        with pytest.raises(BadInput) as error:
            READERS[reader](text)
        word = error.value.text
        now[text] = str(error.value) + ("" if word is None else f" [{word}]")
    if os.environ.get("RECORD"):
        whole = json.dumps(recorded | {reader: now}, indent=1, ensure_ascii=False)
        RECORDED.write_text(f"{whole}\n", encoding="utf-8")
    assert now == recorded[reader], "RECORD=1 writes what the readers say now"
