"""What the toolkit answers, as JSON lines: run by CPython and inside Pyodide, and compared.

Every ninth recorded case of Cluedo, pigs and Quartets is replayed (`make cases` replays them all);
with a folder of logs, their pages are drawn after each event, with the proofs of some cells and the
minds of the players.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deduce.errors import Undecided
from deduce.pages.messages import Door
from deduce.testing.cases import CaseResult, replay

__all__ = ["answers"]

EVERY = 9


def answers(data: Path, logs: Path | None = None) -> Iterator[str]:
    """Yield one line of JSON for each case, and for each page of the logs if there are any."""
    files = [f for game in ("cluedo", "pigs", "quartets") for f in data.glob(f"{game}_*.json")]
    for file in sorted(files):
        for result in _some(file):
            fields: dict[str, Any] = {"file": file.name, "case": result.case}
            if Undecided.__name__ in result.error or "pip install" in result.error:
                fields["undecided"] = True
            elif not result.passed:
                fields["lines"] = result.lines()
            yield json.dumps(fields)
    for file in sorted(logs.glob("*.cluedo") if logs else ()):
        yield from _pages(file)


def _some(file: Path) -> Iterator[CaseResult]:
    document = json.loads(file.read_text(encoding="utf-8"))
    for key in ("cases", "crafted"):
        document[key] = document.get(key, [])[::EVERY]
    with TemporaryDirectory() as folder:
        few = Path(folder) / file.name
        few.write_text(json.dumps(document), encoding="utf-8")
        yield from replay(few)


def _pages(file: Path) -> Iterator[str]:
    door = Door()
    page: dict[str, Any] = {"game": "cluedo"}
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if not line.strip()), 1)
    for end in range(first, len(lines) + 1):
        screen = json.loads(door.answer(json.dumps({**page, "text": "".join(lines[:end])})))
        del screen["document"]
        yield json.dumps({"file": file.name, "lines": end, **screen}, sort_keys=True)
    whole = json.loads(door.answer(json.dumps({**page, "text": "".join(lines)})))
    page |= {"document": whole["document"], "ui": {"side": "minds"}}
    for cell in ("0.0", "7.1", "12.2"):
        intent = {"do": "why", "values": {"fact": cell}}
        screen = json.loads(door.answer(json.dumps({**page, "intent": intent})))
        yield json.dumps({"file": file.name, "why": screen["fragments"]["over"]})
    screen = json.loads(door.answer(json.dumps(page)))
    for job in screen["jobs"]:
        if job["name"] == "minds":
            *_, last = door.work(json.dumps({**page, "job": job}))
            yield json.dumps({"file": file.name, "minds": last})


if __name__ == "__main__":
    for line in answers(*map(Path, sys.argv[1:])):
        print(line)
