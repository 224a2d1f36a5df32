"""Plays games of Cluedo on the page as a new user would: `python -m tests.benchmarks.page_games`.

On the static site (`make site`). Controls are found by their visible labels only. Each of five
set-ups is played until the page shows the right solution; numbers after the module's name choose
some of them, and `slow=4` slows the page down. Printed as JSON: the turns, in how many of them a
recommendation was shown within 0.5 s, a refined one (from draws, or exact numbers) and one that is
exact within 5 s, and by processor time of the workers; the slowest; the longest task of the main
thread (milliseconds). Needs Chromium and the extra browser; other programs slow it down.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from games.cluedo.setup import DECKS
from tests.benchmarks.page_times import READY, SITE, TASKS
from tests.browser import expect, opened, served

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

SHOWN = """async ([stage, limit]) => {
  for (let tab; stage === "first" && !tab; await new Promise(requestAnimationFrame)) {
    tab = [...document.querySelectorAll("button")].find(
      each => each.textContent === "Advice" && each.checkVisibility())
    if (tab) { window.asked = performance.now(); tab.click() }
  }
  const notes = {first: "", refined: /random draws|numbers are exact/, exact: null}[stage]
  while (performance.now() - window.asked < 1000 * limit) {
    const shown = [...document.querySelectorAll("[data-advice]")].find(
      each => each.checkVisibility() && !each.closest("[data-stale]"))
    if (shown && (stage === "first" || shown.dataset.advice === "exact" ||
        (notes && notes.test(shown.textContent)))) return performance.now() - window.asked
    await new Promise(requestAnimationFrame)
  }
  return null
}"""
"""Opens the advice (stage ``first``); returns after how many milliseconds a stage is shown."""


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
    more = page.get_by_role("group", name="Who has one more card?")
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
    seconds: dict[str, list[float]] = {"first": [], "refined": [], "exact": [], "CPU": []}
    for turn in range(MAX_TURNS):
        by = turn % players
        used = worker_seconds()
        for stage, limit in (("first", 30), ("refined", 30), ("exact", 5)):
            shown = page.evaluate(SHOWN, [stage, limit])
            seconds[stage].append(inf if shown is None else shown / 1000)
            if stage == "refined":
                seconds["CPU"].append(worker_seconds() - used)
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
            return figures(seconds) | {"longest task": round(tasks)}
    raise AssertionError("the solution was not found")


def figures(seconds: dict[str, list[float]]) -> dict[str, Any]:
    """Return in how many turns each stage was shown in time."""
    limits = {"first": 0.5, "refined": 5, "exact": 5, "CPU": 5}
    in_time = {
        f"{stage} within {limits[stage]} s": sum(each <= limits[stage] for each in times)
        for stage, times in seconds.items()
    }
    slowest = {f"slowest {stage}": round(max(seconds[stage]), 2) for stage in ("first", "refined")}
    used, load = round(max(seconds["CPU"]), 2), os.getloadavg()[0]
    turns = {"turns": len(seconds["first"])}
    return {**turns, **in_time, **slowest, "most CPU until refined": used, "load": load}


def worker_seconds() -> float:
    """Return the CPU seconds of all web workers so far."""
    ticks = 0
    for entry in Path("/proc").glob("[0-9]*/task/*/stat"):
        with suppress(OSError):
            fields = entry.read_text(encoding="utf-8").rpartition(")")
            if "DedicatedWorker" in fields[0]:
                ticks += sum(map(int, fields[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Play the set-ups."""
    chosen = [int(word) for word in sys.argv[1:] if word.isdigit()] or range(len(SETUPS))
    slow = next((int(word[5:]) for word in sys.argv[1:] if word.startswith("slow=")), 1)
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    ready = r"\((http://127\.0\.0\.1:\d+/)\)"
    for seed in chosen:
        label, name, players, width = SETUPS[seed]
        with (
            served([*command, "-d", SITE], ready, cwd=SITE) as server,
            opened(viewport={"width": width, "height": 844}) as page,
        ):
            page.add_init_script(TASKS)
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
            page.goto(server.address)
            page.locator(READY).wait_for()
            shown = play(page, seed, label, name, players)
            assert page.troubles == []
            print(json.dumps({f"{label}, {players} players, {width} px": shown}), flush=True)


if __name__ == "__main__":
    main()
