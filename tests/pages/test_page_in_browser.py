"""The page in a real browser: from `deduce app`, and as a static site that works offline."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import Any

import pytest

from deduce.pages.transports.shell import web_files
from tests.browser import NASTY, expect, opened, served

ROOT = Path(__file__).parent.parent.parent
DEDUCE = Path(sys.executable).parent / "deduce"
READY = r": (http://127\.0\.0\.1:\d+/\?token=\S+)"
SITE = ROOT / "build" / "site"
AXE = ROOT / "tests" / "web" / "node_modules" / "axe-core" / "axe.min.js"
EVENING = ROOT / "games" / "cluedo" / "examples" / "evening.cluedo"

pytestmark = [
    pytest.mark.skipif(
        not importlib.util.find_spec("uvicorn"), reason="uvicorn is not installed (extra app)"
    ),
    pytest.mark.usefixtures("one_browser"),
]
needs_site = pytest.mark.skipif(
    not (SITE / "index.html").exists(), reason="the site is not built (make site)"
)

WIDTHS = {"phone": 390, "desk": 1280}

FOUR = """\
players: Ann 5, Ben 5, Cid 4, Dora 4
me: Ann
hand Ann: scarlett, peacock, plum, lead, revolver
"""


@contextmanager
def local(folder: Path, *arguments: str, **options: Any) -> Iterator[Any]:
    """Open the page of `deduce app`."""
    command: list[str | Path] = [DEDUCE, "app", "--no-browser", "--port", "8738", *arguments]
    with served(command, READY, cwd=folder) as server, opened(**options) as page:
        page.goto(server.address)
        yield page
        assert page.troubles == []


@contextmanager
def static(**options: Any) -> Iterator[Any]:
    """Open the static site, served as any web server would."""
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    command += ["-d", SITE]
    with (
        served(command, r"\((http://127\.0\.0\.1:\d+/)\)", cwd=ROOT) as server,
        opened(**options) as page,
    ):
        page.goto(server.address)
        yield page
        assert page.troubles == []


def chip(page: Any, control: str, label: str) -> Any:
    """Return the chip of a control."""
    chips = page.locator(f'.chip:has(input[name="{control}"])')
    return chips.filter(has_text=label).first


def choice(page: Any, field: str, label: str) -> Any:
    """Return the button of a choice in the drawer."""
    return page.locator(f'[data-field="{field}"]').filter(has_text=label).first


def cell(page: Any, label: str) -> Any:
    return page.locator(f'.sheet button[aria-label^="{label}"]')


def view(page: Any, name: str) -> None:
    """Open a view, where it is on this screen."""
    tabs = page.locator(f'[data-do="view"][data-view="{name}"]').locator("visible=true")
    more = page.locator('[data-key="bottom-more"]')
    tabs.or_(more).first.wait_for()
    if not tabs.count():
        more.click()
    tabs.first.click()
    current = page.locator(f'[data-do="view"][data-view="{name}"][aria-current]')
    current.locator("visible=true").first.wait_for()


def add_turn(page: Any, cards: tuple[str, str, str], answers: dict[str, str]) -> int:
    """Tap a turn together; return the number of taps."""
    for place, card in enumerate(cards):
        choice(page, f"c{place}", card).click()
    for field, answer in answers.items():
        choice(page, field, answer).click()
    page.get_by_role("button", name="Add to the log").click()
    return len(cards) + len(answers) + 1


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_a_turn_with_two_passes_and_a_show_takes_five_taps(tmp_path: Path, width: int) -> None:
    (tmp_path / "evening.cluedo").write_text(FOUR, encoding="utf-8")
    screen = {"viewport": {"width": width, "height": 844}}
    with local(tmp_path, "cluedo", "evening.cluedo", **screen) as page:
        page.locator("#turn-form").wait_for()
        taps = add_turn(page, ("Mrs White", "Rope", "Hall"), {"a3": "Hall"})
        page.get_by_text("Now certain: Dora has Hall").wait_for()
        assert taps == 5
        log = (tmp_path / "evening.cluedo").read_text(encoding="utf-8")
        assert log.endswith("Ann: Mrs White, Rope, Hall; Ben, Cid -; Dora shows Hall\n")
        pressed = page.locator('[data-field="by"][aria-pressed="true"]')
        expect(pressed).to_have_attribute("data-value", "1")
        assert page.evaluate("document.documentElement.scrollWidth") == width

        # The cell is marked, and tells why; a contradiction is shown and undone.
        cell(page, "Hall, Dora: yes, new").click()
        page.locator(".over").get_by_text("Dora showed Ann Hall").wait_for()
        page.keyboard.press("Escape")
        page.locator(".over").wait_for(state="detached")
        cell(page, "Rope, Ben").click()
        page.get_by_text("Ben could not show Rope").wait_for()
        page.locator(".over").get_by_role("button", name="Add to the log", exact=True).click()
        page.get_by_role("heading", name="The log contradicts itself").wait_for()
        page.get_by_role("button", name="Undo that change").click()
        page.get_by_role("heading", name="The log contradicts itself").wait_for(state="detached")
        targets = page.evaluate(SMALL_TARGETS)
        assert targets == []


OTHER_PAGE = """() => fetch("api/answer", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({intent: {do: "type", form: {line: ["Ben has lounge"]}}}),
})"""


def test_a_step_of_another_page_is_shown(tmp_path: Path) -> None:
    (tmp_path / "evening.cluedo").write_text(FOUR, encoding="utf-8")
    with local(tmp_path, "cluedo", "evening.cluedo") as page:
        page.locator("#turn-form").wait_for()
        choice(page, "c0", "Mrs White").click()
        page.evaluate(OTHER_PAGE)
        cell(page, "Lounge, Ben: yes").wait_for()
        expect(page.locator('[data-field="c0"][aria-pressed="true"]')).to_have_count(1)


# A target has 44 px; a cell of nine columns on a phone has 43 with its border.
SMALL_TARGETS = """[...document.querySelectorAll("button, .chip, .field input, summary, a")]
  .filter((element) => element.checkVisibility() && !element.disabled)
  .map((element) => [element.textContent, element.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.height < 42 || box.width < 42))
  .map(([text, box]) => `${text} ${box.width} x ${box.height}`)"""


def test_a_whole_turn_by_keyboard_alone(tmp_path: Path) -> None:
    (tmp_path / "evening.cluedo").write_text(FOUR, encoding="utf-8")
    with local(tmp_path, "cluedo", "evening.cluedo") as page:
        page.locator("#turn-form").wait_for()
        press = page.keyboard.press

        def tab_to(selector: str) -> None:
            for _ in range(60):
                if page.evaluate("s => document.activeElement.matches(s)", selector):
                    return
                press("Tab")
            raise AssertionError(f"{selector} is not reached by Tab")

        tab_to('[data-field="c0"]')
        for keys, asked in (
            (("ArrowRight", "ArrowRight"), "c1"),
            (("ArrowDown", "ArrowRight"), "c2"),
            ((), "answers"),
        ):
            for key in (*keys, "Enter"):
                press(key)
            expect(page.locator(f"#ask-{asked} :focus")).to_have_count(1)
        for seat, keys in ((1, ()), (2, ()), (3, ("ArrowRight", "ArrowRight"))):
            tab_to(f'[data-field="a{seat}"]')
            for key in (*keys, "Enter"):
                press(key)
        tab_to('[data-do="add"]')
        press("Enter")
        expect(page.locator(".log li").first).to_contain_text("2. Ann: Mrs White, Rope, Hall; Ben")
        expect(page.locator("#turn-form :focus")).to_have_count(1)

        # In the sheet the arrows move, Enter opens, Escape closes.
        tab_to(".sheet .cell")
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
            press(key)
        page.locator(".over").get_by_text("Ben has Mrs White").wait_for()
        press("Escape")
        page.locator(".over").wait_for(state="detached")
        assert page.evaluate("document.activeElement.ariaLabel").startswith("Mrs White, Ben")


VIEWS = ("sheet", "log", "advice", "minds", "accuse", "share")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (tests/web)")
@pytest.mark.parametrize(
    ("width", "scheme", "language"),
    [(390, "light", "en"), (1280, "dark", "de"), (390, "dark", "fr"), (1280, "light", "es")],
)
def test_axe_finds_nothing_in_any_view(
    tmp_path: Path, width: int, scheme: str, language: str
) -> None:
    lines = EVENING.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "evening.cluedo").write_text("".join(lines[:-6]), encoding="utf-8")
    axe = AXE.read_text(encoding="utf-8")

    def check(page: Any, where: str) -> None:
        page.evaluate(axe)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found = [
            f"{where}: {each['id']}: {node['html'][:150]} {node['failureSummary'][:250]}"
            for each in result["violations"]
            for node in each["nodes"]
        ]
        assert found == []

    screen = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    screen["locale"] = language
    with local(tmp_path, **screen) as page:
        expect(page.locator(f'html[lang="{language}"][data-lang="{language}"]')).to_have_count(1)
        check(page, "list")
        page.locator("#game-cluedo").click()
        page.locator("#setup-form").wait_for()
        check(page, "setup")
    with local(tmp_path, "cluedo", "evening.cluedo", **screen) as page:
        page.locator("#turn-form").wait_for()
        for name in VIEWS:
            if name == "sheet" and width == WIDTHS["desk"]:
                continue
            view(page, name)
            expect(page.locator('[aria-busy="true"]').locator("visible=true")).to_have_count(0)
            check(page, name)
        if width == WIDTHS["phone"]:
            view(page, "sheet")
        cell(page, "Hall, Ben").click()
        page.locator(".over h2").wait_for()
        check(page, "why")
        page.locator('.over [data-do="assume"]').first.click()
        page.locator('[data-do="free"]').wait_for()
        check(page, "what if")
        page.locator('[data-do="free"]').click()
        page.keyboard.press("Escape")
        expect(page.locator(".over")).to_have_count(0)
        page.locator('[data-do="slips"]').locator("visible=true").click()
        end = {"en": "Trust every answer", "de": "Jeder Antwort trauen"}
        end |= {"fr": "Croire chaque réponse", "es": "Creer todas las respuestas"}
        page.get_by_role("button", name=end[language]).wait_for()
        expect(page.locator('[aria-busy="true"]').locator("visible=true")).to_have_count(0)
        check(page, "slips")


HOLD = """() => {
  window.held = []
  window.panels = 0
  const quick = window.fetch
  window.fetch = async (...request) => {
    const answer = await quick(...request)
    if (window.held && request[0] === "api/answer") {
      await new Promise((resolve) => window.held.push(resolve))
    }
    return answer
  }
  new MutationObserver(() => { window.panels += document.querySelectorAll(".over").length })
    .observe(document.body, {childList: true, subtree: true})
}"""
RELEASE = "() => { window.held.forEach((resolve) => resolve()); window.held = null }"


def test_escape_closes_a_panel_whenever_its_answer_comes(tmp_path: Path) -> None:
    (tmp_path / "evening.cluedo").write_text(FOUR, encoding="utf-8")
    desk = {"viewport": {"width": 1280, "height": 844}}
    with local(tmp_path, "cluedo", "evening.cluedo", **desk) as page:
        # The button that had the focus is gone with the answer to its tap.
        cell(page, "Hall, Ben").click()
        page.locator('.over [data-do="assume"]').first.click()
        page.locator('[data-do="free"]').click()
        page.locator('[data-do="free"]').wait_for(state="detached")
        expect(page.locator("h1:focus")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(".over")).to_have_count(0)

        # The answers to earlier taps come after Escape.
        cell(page, "Hall, Ben").click()
        page.locator('.over [data-do="assume"]').first.click()
        page.locator('[data-do="free"]').wait_for()
        page.evaluate(HOLD)
        page.locator('[data-do="free"]').click()
        page.keyboard.press("Escape")
        expect(page.locator(".over")).to_have_count(0)
        page.evaluate(RELEASE)
        page.locator('[data-do="free"]').wait_for(state="detached")
        cell(page, "Hall, Ben").click()
        page.locator(".over h2").wait_for()
        page.keyboard.press("Escape")
        expect(page.locator(".cell[aria-pressed]")).to_have_count(0)

        # The panel is not there yet.
        page.evaluate(HOLD)
        cell(page, "Hall, Cid").click()
        page.keyboard.press("Escape")
        page.evaluate(RELEASE)
        choice(page, "c0", "Mrs White").click()
        expect(page.locator('[data-field="c0"][aria-pressed="true"]')).to_have_count(1)
        assert page.evaluate("window.panels") == 0


def test_hostile_names_run_no_script(tmp_path: Path) -> None:
    long = "x" * 10_000
    names = [*NASTY, "\u202eevil", "אבג", long]
    quoted = [json.dumps(name, ensure_ascii=False) for name in names]
    log = f"suspect: {', '.join(quoted)}\nweapon: Rope, Dagger\nroom: Hall, Attic\n"
    players = [f'"{name}B"' for name in names[:4]]
    log += f"players: {', '.join(players)}\nme: {players[0]}\n"
    (tmp_path / "evening.cluedo").write_text(log, encoding="utf-8")
    screen = {"viewport": {"width": 390, "height": 844}}
    with local(tmp_path, "cluedo", "evening.cluedo", **screen) as page:
        page.locator("#turn-form").wait_for()
        for name in VIEWS:
            view(page, name)
            expect(page.locator('[aria-busy="true"]').locator("visible=true")).to_have_count(0)
            assert page.evaluate("document.documentElement.scrollWidth") == 390, name
        assert page.locator('img, script:not([src]):not([type="application/json"])').count() == 0


@needs_site
def test_a_whole_game_in_flight_mode_after_one_visit() -> None:
    width = WIDTHS["phone"]
    with static(viewport={"width": width, "height": 844}, color_scheme="dark") as page:
        page.locator("#game-cluedo").wait_for()
        assert page.locator("html").get_attribute("data-state") in ("loading", "ready")
        page.locator('html[data-state="ready"][data-offline="ready"]').wait_for()
        page.context.set_offline(True)
        page.goto(page.url.partition("#")[0])
        page.locator('html[data-state="ready"][data-start="memory"]').wait_for()

        # A game from set-up to solution, by tapping.
        page.locator("#game-cluedo").click()
        page.get_by_role("button", name="Remove Dora").click()
        expect(page.locator('input[name="player"]')).to_have_count(3)
        for card in ("Miss Scarlett", "Mrs Peacock", "Professor Plum", "Revolver", "Hall", "Study"):
            chip(page, "hand", card).click()
        page.get_by_text("6 of 6 chosen").wait_for()
        page.get_by_role("button", name="Start").click()
        page.locator("#turn-form").wait_for()
        add_turn(page, ("Mrs White", "Rope", "Lounge"), {"a2": "Lounge"})
        page.get_by_text("Now certain: Cid has Lounge").wait_for()
        for line in ("Ann has not white", "envelope has white", "Ann: white rope kitchen; nobody"):
            view(page, "log")
            page.get_by_label("Add a line").fill(line)
            page.get_by_role("button", name="Add", exact=True).click()
            page.locator(".log li").filter(has_text=line.split()[1][:4]).first.wait_for()
        view(page, "sheet")
        page.get_by_text("Solution: Mrs White, Rope and Kitchen").wait_for()

        # A reload, still offline, keeps the game and its undo.
        page.reload()
        page.get_by_text("Solution: Mrs White, Rope and Kitchen").wait_for()
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("Undone: adding Ann: Mrs White, Rope, Kitchen").wait_for()
        page.get_by_role("button", name="Games", exact=True).click()
        page.locator("#saved .row").first.click()
        page.locator(".frame").wait_for()

        # The log is in a link, which opens as a game of its own.
        view(page, "share")
        link = page.get_by_label("Link to the whole log").input_value()
        page.goto(page.url.partition("#")[0] + "#" + link)
        view(page, "log")
        expect(page.locator(".log li")).to_have_count(4)
        assert page.evaluate("document.documentElement.scrollWidth") == width

        # A memory that is damaged is not used, and kept anew.
        assert page.evaluate(DAMAGE) == 1
        page.reload()
        page.locator('html[data-state="ready"][data-start="modules"][data-offline]').wait_for()
        expect(page.locator(".log li")).to_have_count(4)
        page.reload()
        page.locator('html[data-state="ready"][data-start="memory"]').wait_for()


DAMAGE = """async () => {
  const names = (await caches.keys()).filter((name) => name.includes(" memory "))
  for (const name of names) {
    const cache = await caches.open(name)
    const [memory] = (await cache.keys()).filter(({url}) => url.includes("/memory?"))
    await cache.put(memory, new Response(new Uint8Array(64)))
  }
  return names.length
}"""


@needs_site
def test_the_site_asks_no_other_host_and_its_policy_is_strict() -> None:
    text = (SITE / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' 'wasm-unsafe-eval';" in text
    assert "unsafe-inline" not in text
    manifest = json.loads((SITE / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["start_url"] == "./"
    files = [
        file for file in SITE.rglob("*") if file.is_file() and SITE / "lab" not in file.parents
    ]
    sent = sum(file.stat().st_size for file in files)  # without the notebooks
    assert sent < 16_000_000
    assert not any(os.fspath(file).endswith(".map") for file in SITE.rglob("*"))


REGISTER = """async (made) => {
  for (const name of made) await caches.open(name);
  await navigator.serviceWorker.register("sw.js");
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
  return caches.keys();
}"""


def test_a_site_deletes_only_its_own_old_files(tmp_path: Path) -> None:
    worker = Template(web_files()["sw.js"].decode())
    for site in ("one", "two"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "index.html").write_text("<!doctype html><title>site</title>")
        text = worker.safe_substitute(version="3-abc", folder="3", files="[]")
        (tmp_path / site / "sw.js").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "http.server", "8657", "--bind", "127.0.0.1"]
    with served(command, r"\((http://\S+)\)", cwd=tmp_path) as server, opened() as page:
        base = server.address
        ours, others = f"deduce {base}one/", f"deduce {base}two/"
        kept = {f"{ours} memory 3", f"{others} 2-old", f"{others} memory 2", "deduce memory 1"}
        page.goto(f"{base}one/index.html")
        left = page.evaluate(REGISTER, [*kept, f"{ours} 2-old", f"{ours} memory 2"])
        assert {*left} == kept | {f"{ours} 3-abc"}
