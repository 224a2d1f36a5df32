"""A page without a browser: it keeps what a page keeps, and finds what a person would tap."""

from __future__ import annotations

import json
import re
from typing import Any

from deduce.pages.messages import Door

__all__ = ["Page"]


class Page:
    """The requests of one page."""

    def __init__(self, game: str, door: Door | None = None, **start: Any) -> None:
        self.game, self.door = game, door or Door()
        self.document: str | None = None
        self.ui: dict[str, Any] = {}
        self.response: dict[str, Any] = {}
        self.ask(**start)

    def ask(self, **fields: Any) -> dict[str, Any]:
        message = {"game": self.game, "document": self.document, "ui": self.ui, **fields}
        self.response = json.loads(self.door.answer(json.dumps(message)))
        assert "error" not in self.response, self.response
        self.document, self.ui = self.response["document"], self.response["ui"]
        return self.response

    def do(self, name: str, form: dict[str, Any] | None = None, **values: str) -> list[str]:
        """Send an intent; return the notices."""
        lists = {k: v if isinstance(v, list) else [v] for k, v in (form or {}).items()}
        changed = list(form or {})[-1:]
        intent = {"do": name, "values": values, "form": lists, "changed": changed}
        notices = self.ask(intent=intent)["notices"]
        return [f"{notice['kind']}: {notice['text']}" for notice in notices]

    def work(self, name: str) -> str:
        """Run a job of the last screen to its end; return its HTML."""
        [job] = [job for job in self.response["jobs"] if job["name"] == name][:1]
        fields = {"game": self.game, "document": self.document, "ui": self.ui, "job": job}
        parts = [json.loads(part) for part in self.door.work(json.dumps(fields))]
        assert parts[-1]["done"]
        assert "error" not in parts[-1], parts[-1]
        return str(parts[-1]["html"])

    @property
    def log(self) -> str:
        """The text of the log."""
        assert self.document is not None
        return str(json.loads(self.document)["text"])

    @property
    def html(self) -> str:
        """All fragments."""
        return "".join(self.response["fragments"].values())

    @property
    def text(self) -> str:
        """What a person reads."""
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", self.html))
