"""Plays games of Cluedo on the page as a new user would: `python -m tests.benchmarks.page_games`.

Controls are found by their visible labels only. Each of five set-ups is played until the page shows
the right solution. Printed as JSON: the turns, in how many of them a recommendation was shown
within 0.5 s and an exact one within 5 s, and the longest task of the main thread (milliseconds).
Needs Chromium and the extras app and browser; times depend on what else the machine does.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from games.cluedo.setup import DECKS
from tests.benchmarks.page_times import TASKS
from tests.browser import expect, opened, served

DEDUCE = Path(sys.executable).parent / "deduce"
ADDRESS = r": (http://127\.0\.0\.1:\d+/\?token=\S+)"
SETUPS = [
    ("Cluedo (English)", "classic", 3, 390),
    ("Cluedo (English)", "classic", 4, 1280),
    ("Clue (American)", "clue", 6, 390),
    ("Cluedo (German)", "german", 5, 390),
    ("Clue with Dr Orchid", "clue-orchid", 3, 1280),
]
"""The label of the edition, its name, the number of players, the width of the window."""

NAMES = ("Mia", "Jonas", "Petra", "Lui", "Anna", "Emil")
MAX_TURNS = 80


def deal(random: Random, deck: dict[str, tuple[str, ...]], players: int) -> tuple[list[str], Any]:
    """Return the solution, and the hands."""
    solution = [random.choice(cards) for cards in deck.values()]
    rest = [card for cards in deck.values() for card in cards if card not in solution]
    random.shuffle(rest)
    return solution, [rest[seat::players] for seat in range(players)]


def set_up(page: Any, edition: str, deck: Any, hands: Any) -> None:
    """Fill in the form of a new game."""
    players, hand = len(hands), hands[0]
    page.get_by_role("link", name="New game").click()
    page.get_by_label("Edition").select_option(label=edition)
    while page.get_by_role("textbox", name="Player ").count() > players:
        page.get_by_role("button", name="Remove ").last.click()
        page.wait_for_timeout(300)
    while page.get_by_role("textbox", name="Player ").count() < players:
        page.get_by_role("button", name="Add a player").click()
        page.wait_for_timeout(300)
    for seat in range(players):
        page.get_by_role("textbox", name=f"Player {seat + 1}").fill(NAMES[seat])
    more = page.get_by_role("group", name="Who has one card more?")
    page.get_by_role("radio", name=NAMES[0]).wait_for(state="attached")
    for seat in range(sum(len(each) > len(hands[-1]) for each in hands)):
        more.get_by_role("checkbox", name=NAMES[seat], exact=True).click()
    for category, cards in deck.items():
        for card in (card for card in cards if card in hand):
            group = page.get_by_role("group", name=category, exact=True)
            group.get_by_role("checkbox", name=card, exact=True).click()
    page.get_by_role("button", name="Start").click()


def enter(page: Any, deck: Any, cards: list[str], answers: list[tuple[str, str]]) -> None:
    """Tap a turn: three cards, and who shows what."""
    for category, card in zip(deck, cards, strict=True):
        group = page.get_by_role("group", name=category, exact=True)
        group.get_by_text(card, exact=True).click()
    if not answers:
        page.get_by_role("button", name="No one shows").click()
    for player, answer in answers:
        group = page.get_by_role("group", name=player, exact=True)
        group.get_by_text(answer, exact=True).click()
    page.get_by_role("button", name="Add to the log").click()


def play(page: Any, seed: int, label: str, name: str, players: int) -> dict[str, Any]:
    """Play one game; return its figures."""
    random, deck = Random(seed), dict(DECKS[name])
    solution, hands = deal(random, deck, players)
    set_up(page, label, deck, hands)
    quick = refined = 0
    for turn in range(MAX_TURNS):
        by = turn % players
        # A recommendation is on the screen in time.
        start = time.monotonic()
        page.get_by_role("button", name="Advice", exact=True).locator("visible=true").click()
        shown = page.locator("[data-advice]").locator("visible=true").first
        shown.wait_for()
        quick += time.monotonic() - start < 0.5
        left = max(1.0, 5000 - 1000 * (time.monotonic() - start))
        with suppress(Exception):  # it takes longer
            page.locator('[data-advice="exact"] >> visible=true').first.wait_for(timeout=left)
            refined += 1
        table = page.get_by_role("button", name="Table", exact=True).locator("visible=true")
        if table.count():
            table.click()
        cards = [random.choice(list(group)) for group in deck.values()]
        answers: list[tuple[str, str]] = []
        for seat in [(by + step) % players for step in range(1, players)]:
            held = [card for card in cards if card in hands[seat]]
            if held:
                card = random.choice(held)
                answers = [(NAMES[seat], card if 0 in (by, seat) else "shows")]
                break
        expect(page.locator("h1 small")).to_contain_text(f"{turn + 1} event")
        enter(page, deck, cards, answers)
        expect(page.locator("h1 small")).to_contain_text(f"{turn + 2} events")
        found = page.get_by_text("Solution: ")
        if found.count():
            said = found.first.inner_text()
            assert all(card in said for card in solution), (said, solution)
            tasks = page.evaluate("Math.max(0, ...(window.tasks ?? []))")
            return {"turns": turn + 1, "within 0.5 s": quick, "exact within 5 s": refined,
                    "longest task": round(tasks)}  # fmt: skip
    raise AssertionError("the solution was not found")


def main() -> None:
    """Play all set-ups."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        command: list[str | Path] = [DEDUCE, "app", "--no-browser", "--port", "8767"]
        for seed, (label, name, players, width) in enumerate(SETUPS):
            with (
                served(command, ADDRESS, cwd=Path(folder)) as server,
                opened(viewport={"width": width, "height": 844}) as page,
            ):
                page.add_init_script(TASKS)
                page.goto(server.address)
                figures[f"{label}, {players} players, {width} px"] = play(
                    page, seed, label, name, players
                )
                assert page.troubles == []
                print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
