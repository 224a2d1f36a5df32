"""The recorded cases of the three hidden games, answered by CP-SAT alone: every yes/no field.

``python -m tests.engines.cpsat_cases`` replays all of them, which takes minutes; the suite samples.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import asdict

from deduce.constraints import is_
from deduce.knowledge import Knowledge
from deduce.testing.cases import Difference, compare
from games.cluedo.cases import _table, _true_record, recorded
from games.cluedo.setup import ENVELOPE
from games.pigs.evidence import role_variable
from games.pigs.game import Pigs
from games.pigs.setup import roles_of
from games.quartets.cases import _event, _game
from games.quartets.deal import DealForm, layout
from games.quartets.evidence import solve_form, solve_slots
from games.quartets.game import Quartets
from games.quartets.position import Position, form_after, start_position, tell
from games.quartets.slots import SlotForm

__all__ = ["KINDS", "Case", "differences", "document"]

Case = Mapping[str, Any]
DATA = Path(__file__).parents[1] / "data"


def document(kind: str) -> Sequence[Case]:
    """Return the cases of a kind."""
    cases: Sequence[Case] = json.loads((DATA / f"{kind}.json").read_text())["cases"]
    return cases


def cluedo(case: Case) -> Iterator[Difference]:
    """Compare who can hold each card for the observer and in public, and what players know."""
    expected = case["exact"]
    knowledge = recorded(case).using(engine="cpsat")
    yield from compare("table", expected["table"], _table(knowledge, expected["holders"]))
    public = _table(knowledge.seen_by(None), expected["holders"])
    yield from compare("public.table", expected["public"]["table"], public)
    if "views" not in expected:
        return
    record = _true_record(case).using(engine="cpsat")
    for player, view in expected["views"].items():
        certain = record.seen_by(player).certain()
        envelope = sorted(str(card) for card, holder in certain.items() if holder == ENVELOPE)
        yield from compare(f"views.{player}", sorted(view["envelope_certain"]), envelope)


def pigs(case: Case) -> Iterator[Difference]:
    """Compare which roles each seat can have, and which seats have a certain role."""
    knowledge = Knowledge.of(Pigs.log_from_json(case), engine="cpsat")
    possible = [
        [
            role
            for role in sorted(roles_of(seat))
            if knowledge.is_possible(is_(role_variable(seat), role))
        ]
        for seat in range(1, case["n"] + 1)
    ]
    yield from compare("possible", case["possible"], possible)
    certain = {
        str(seat): roles[0]
        for seat, roles in enumerate(possible, 1)
        if seat > 1 and len(roles) == 1
    }
    yield from compare("certain", case["certain"], certain)


def transcripts(case: Case) -> Iterator[Difference]:
    """Compare whether each statement is valid, which answers are, and which groups to declare."""
    game = Quartets(**asdict(_game(case), recurse=False))
    position = start_position(game)
    for number, record in enumerate(case["events"]):
        if "before" in record:
            before = {name: record["before"][name] for name in ("declare", "certain")}
            yield from compare(f"event {number} before", before, _before(game, position))
        event = _event(game, record, record["p"])
        form = form_after(game, position, event)
        valid = _valid(game, form)
        yield from compare(f"event {number} valid", record["valid"], valid)
        if record["t"] == "ask" and valid:
            for answer in ("yes", "no"):
                after = form.answered(record["to"], record["p"], record["c"], yes=answer == "yes")
                yield from compare(f"event {number} {answer}", record[answer], _valid(game, after))
        position = tell(game, position, event)


def _before(game: Quartets, position: Position) -> dict[str, list[int]]:
    form, by = position.form, position.speaker()
    others = [p for p in range(len(game.players)) if p != by]

    def can_be_elsewhere(group: int) -> bool:
        return any(
            _valid(game, form.answered(p, by, card, yes=True))
            for card, its_group in enumerate(form.table.group_of)
            if its_group == group
            for p in others
        )

    return {
        "declare": [g for g in form.groups() if _valid(game, form.declared(by, g))],
        "certain": [g for g in form.groups() if not can_be_elsewhere(g)],
    }


def _valid(game: Quartets, form: DealForm) -> bool:
    return not form.clash and solve_form(game, form, "cpsat") is not None


def potentials(case: Case) -> Iterator[Difference]:
    """Compare whether every place can have its own identity."""
    form = SlotForm(layout(1, (case["n_ids"],)), (tuple(case["slots"]),))
    yield from compare("valid", case["valid"], solve_slots(form, "cpsat") is not None)


KINDS: Mapping[str, Callable[[Case], Iterator[Difference]]] = {
    "cluedo_exact": cluedo,
    "pigs_inference": pigs,
    "quartets_transcripts": transcripts,
    "quartets_potentials": potentials,
}


def differences(kind: str, case: Case) -> list[str]:
    """Return what CP-SAT answers otherwise than recorded."""
    return [f"{kind} {case['id']}: {difference}" for difference in KINDS[kind](case)]


if __name__ == "__main__":
    for kind in sys.argv[1:] or KINDS:
        start, count, wrong = time.monotonic(), 0, 0
        for case in document(kind):
            count += 1
            for line in islice(differences(kind, case), 5):
                wrong += 1
                print(line, flush=True)
        print(f"{kind}: {count} cases, {wrong} differences, {time.monotonic() - start:.0f} s")
