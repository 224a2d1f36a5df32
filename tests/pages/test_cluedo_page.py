"""The page of Cluedo, tap by tap, without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest

from deduce.budget import Budget
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.logs.events import Log, read_log
from deduce.pages.features import advice, log, sheet
from deduce.pages.html import short
from deduce.pages.messages import page_of
from deduce.policy.advice import Advice
from deduce.policy.inquiries import Inquiry
from deduce.reasoning.explain import Why, explain
from deduce.reasoning.queries import Asker
from games.cluedo import Cluedo
from games.cluedo.advice import advise
from games.cluedo.page import side
from games.cluedo.page.side import guess
from tests.pages.asking import Page

LOG = """\
players: Ann 5, Ben 5, Cid 4, Dora 4
me: Ann
hand Ann: scarlett, peacock, plum, lead, revolver
"""


@pytest.fixture
def page() -> Page:
    return Page("cluedo", text=LOG)


def cell(page: Page, card: str, holder: str) -> str:
    """Return what the sheet shows in a cell."""
    found = re.search(rf'aria-label="{card}, {holder}: ([^"]*)"', page.html)
    assert found, (card, holder)
    return found[1]


@pytest.mark.parametrize("view", ["advice", "minds", "accuse"])
def test_a_bystander_is_told_what_a_view_needs(view: str) -> None:
    page = Page("cluedo", text=LOG.partition("\n")[0])
    page.do("view", view=view)
    assert "Who are you?" in page.text
    assert page.response["jobs"] == []
    page.do("me", value="1")
    assert page.log == "players: Ann 5, Ben 5, Cid 4, Dora 4\nme: Ben\n"
    assert view in [job["name"] for job in page.response["jobs"]]


def test_a_page_looks_back_at_what_was_known_after_an_event(page: Page) -> None:
    for line in ("Ann: white rope hall; Ben shows rope", "Ben has lounge"):
        page.do("type", {"line": line})
    whole, now = page.log, cell(page, "Lounge", "Ben")
    assert page.do("then", to="2") == ["good: Now certain: Ben has Rope"]
    assert "After event 2: Ann: Mrs White, Rope, Hall; Ben shows Rope" in page.text
    assert cell(page, "Lounge", "Ben").endswith("%")
    page.do("why", fact="0.0")
    page.do("view", view="minds")
    page.work("minds")
    page.do("then", {"to": "0"})
    assert "Before the first event" in page.text
    assert page.log == whole
    # The first step that changes the log ends it; so does going to the last event.
    page.do("type", {"line": "Ben has study"})
    assert "Looking back" not in page.html
    assert cell(page, "Lounge", "Ben") == now.removesuffix(", new")
    page.do("then", to="1")
    page.do("then", to="4")
    assert "Looking back" not in page.html
    assert page.do("then", to="5")[0].startswith("bad:")
    page.ui["then"] = ["<b>", 9]
    page.do("view", view="log")
    assert "Looking back" not in page.html


def test_a_tap_on_a_cell_computes_one_proof(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(*args: Any) -> Why:
        asked.append(args[-1])
        return explain(*args)

    monkeypatch.setattr("deduce.knowledge.explain", counted)
    page.do("why", fact="0.0")
    page.do("why", fact="0.0")
    assert len(asked) == 1, "the panel and the log show the same proof"


def test_the_panel_about_a_cell_closes_when_another_view_is_opened(page: Page) -> None:
    for view, panel in (("turn", False), ("log", True), ("advice", False)):
        page.do("why", fact="0.0")
        page.do("view", view=view)
        assert bool(page.response["fragments"]["over"]) is panel, view


def test_a_game_is_set_up_by_tapping() -> None:
    page = Page("cluedo")
    form = {"deck": "classic", "player": ["Ann", "Ben", "Cid"], "me": "1"}
    page.do("setup", form)
    assert "0 of 6 chosen" in page.text
    hand = ["0", "1", "2", "6", "7"]
    page.do("setup", {**form, "hand": hand})
    assert "5 of 6 chosen" in page.text
    assert page.do("start", {**form, "hand": hand}) == ["bad: You hold 6 cards, and 5 are chosen"]
    page.do("start", {**form, "hand": [*hand, "12"]})
    assert page.log.splitlines()[:3] == ["deck: classic", "players: Ann, Ben, Cid", "me: Ben"]
    assert page.log.splitlines()[-1].startswith("hand Ben: Miss Scarlett, Colonel Mustard")
    assert cell(page, "Hall", "Ben") == "yes"


def test_who_was_dealt_more_is_tapped() -> None:
    page = Page("cluedo")
    form = {"deck": "classic", "player": ["A", "B", "C", "D"], "me": "0"}
    page.do("setup", form)
    assert "Who has one more card? (2 players; none: unknown)" in page.text
    assert page.do("start", {**form, "more": ["0"]}) == [
        "bad: 2 players were dealt one more card; choose 2, or none."
    ]
    page.do("start", {**form, "more": ["0", "2"]})
    assert "players: A 5, B 4, C 5, D 4" in page.log


def test_the_next_game_begins_with_the_players_of_the_last_one() -> None:
    page = Page("cluedo")
    page.do("start", {"deck": "clue", "player": ["Zoe", "Yan", "Xia"], "me": "1", "more": ["1"]})
    again = Page("cluedo", ui={"setup": page.ui["setup"]})
    assert re.findall(r'name="player" value="(\w+)"', again.html) == ["Zoe", "Yan", "Xia"]
    assert '<option value="clue" selected>' in again.html
    assert not re.search(r'name="hand"[^>]*checked', again.html)


def test_an_invitation_asks_who_one_is_and_which_cards_one_holds() -> None:
    page = Page("cluedo", text="players: Ann, Ben, Cid\nAnn: white rope hall; Ben shows\n")
    assert "Which player are you?" in page.text
    page.do("me", value="1")
    assert "Tap your cards: 0 of 6" in page.text
    for card in ("0", "1", "3", "6", "7", "3", "10", "12"):
        page.do("hold", value=card)
    assert "Tap your cards: 6 of 6" in page.text
    assert page.do("hold", value="99")[0].startswith("bad: ")
    page.do("hand")
    assert page.log.endswith(
        "hand Ben: Miss Scarlett, Colonel Mustard, Candlestick, Dagger, Rope, Hall\n"
    )
    assert "Tap your cards" not in page.text
    assert "suggests" in page.text
    watching = Page("cluedo", text="players: Ann, Ben, Cid\n")
    assert watching.do("hand") == ["bad: Choose a player first"]
    watching.do("watch")
    assert "Which player are you?" not in watching.text
    page = Page("cluedo", text="players: Ann, Ben, Cid\nme: Ben\n")
    page.do("later")
    assert "Tap your cards" not in page.text


def test_seats_are_added_moved_and_removed() -> None:
    page = Page("cluedo")
    form = {"deck": "classic", "player": ["Ann", "Ben", "Cid"], "me": "2"}
    page.do("seat-up", form, seat="2")
    assert page.ui["setup"]["players"] == ["Ann", "Cid", "Ben"]
    assert page.ui["setup"]["me"] == 1
    page.do("seat-remove", {**form, "player": ["Ann", "Cid", "Ben"], "me": "1"}, seat="0")
    assert (page.ui["setup"]["players"], page.ui["setup"].get("me", 0)) == (["Cid", "Ben"], 0)
    page.do("seat-add", {**form, "player": ["Cid", "Ben"], "me": "0"})
    assert page.ui["setup"]["players"] == ["Cid", "Ben", "Player 3"]


def test_an_own_deck_is_typed() -> None:
    page = Page("cluedo")
    own = "suspect: Plum, White\nweapon: Rope, Dagger\nroom: Hall, Attic"
    form = {"deck": "own", "own": own, "player": ["Ann", "Ben", "Cid"], "me": "0"}
    page.do("start", form)
    assert "room: Hall, Attic" in page.log
    wrong = Page("cluedo")
    wrong.do("setup", {**form, "own": "suspect"})
    assert "callout bad" in wrong.html


def test_a_turn_takes_five_taps_and_the_passes_are_filled_in_where_they_can_be_seen(
    page: Page,
) -> None:
    assert page.ui.get("turn") is None
    # The keeper, Ann, is first; then it is Ben's turn, which is predicted.
    page.do("type", {"line": "Ann: white rope hall; nobody"})
    assert "Ben suggests" in page.text
    for field, value in (("c0", "1"), ("c1", "10"), ("c2", "12"), ("a0", "show")):
        assert page.do("pick", field=field, value=value) == []
    assert page.ui["turn"]["answers"] == {"Ann": "show", "Cid": "pass", "Dora": "pass"}
    page.do("add")
    assert page.log.endswith("Ben: Colonel Mustard, Rope, Hall; Cid, Dora -; Ann shows\n")
    assert "Cid suggests" in page.text


def question(page: Page) -> str:
    """Return the question that a phone shows."""
    [shown] = re.findall(r'class="question now" id="ask-(\w+)"', page.html)
    return str(shown)


def test_what_is_chosen_makes_room_for_the_next_question_and_can_be_chosen_again(
    page: Page,
) -> None:
    asked = []
    for field, value in (("c0", "1"), ("c1", "10"), ("c2", "12"), ("a1", "pass"), ("a1", "pass")):
        asked.append(question(page))
        page.do("pick", field=field, value=value)
    assert asked == ["c0", "c1", "c2", "answers", "answers"]
    assert "answers" not in page.ui["turn"], "a second tap takes an answer back"
    page.do("ask", ask="c1")
    assert question(page) == "c1"
    page.do("pick", field="c1", value="7")
    assert question(page) == "answers"
    page.do("ask", ask="by")
    page.do("pick", field="kind", value="card")
    assert question(page) == "by"
    page.do("pick", field="by", value="4")
    page.do("pick", field="card", value="3")
    assert page.do("add")[0] == "good: Now certain: Reverend Green is in the envelope"
    for field, value in (("c0", "12"), ("c9", "0"), ("a9", "show"), ("by", "7"), ("x", "1")):
        assert page.do("pick", field=field, value=value)[0].startswith("bad: "), field


def test_an_old_turn_is_corrected_in_the_same_drawer(page: Page) -> None:
    for line in ("Ann: white rope hall; Ben shows rope", "Cid has lounge", "Ben accuses white rope "
                 "hall: wrong", "Cid: free (Ben has not study)"):  # fmt: skip
        page.do("type", {"line": line})
    before = page.log
    page.do("line", event="1")
    assert "Correct event 2" in page.text
    assert page.do("add") == []
    assert page.log == before, "what was not changed stays"
    page.do("line", event="1")
    page.do("pick", field="a1", value="14")
    page.do("pick", field="c2", value="14")
    page.do("pick", field="a1", value="14")
    page.do("add")
    assert "Ann: Mrs White, Rope, Dining Room; Ben shows Dining Room" in page.log
    page.do("line", event="3")
    page.do("pick", field="right", value="right")
    page.do("add")
    assert "Ben accuses Mrs White, Rope, Hall: right" in page.log
    # A hand is changed as text, and so is everything if one asks for it.
    page.do("line", event="0")
    assert 'id="line-text"' in page.html
    page.do("line", event="1", text="yes")
    assert 'id="line-text"' in page.html
    # What is corrected is dropped if the log changes meanwhile.
    page.do("line", event="2")
    page.do("drop", event="1")
    assert "Correct event" not in page.text
    page.do("line", event="1")
    page.do("clear")
    assert "Correct event" not in page.text


def test_a_log_that_contradicts_itself_can_be_read_with_slips(page: Page) -> None:
    page.do("type", {"line": "Ann: white rope hall; Ben shows rope"})
    page.do("type", {"line": "Ben: green rope hall; Cid -"})
    page.do("slips")
    assert "Answers and notes may be wrong" in page.text
    sheet = page.work("slips")
    assert re.search("Rope, Ben: [0-9]+%, depends on an answer that may be wrong", sheet)
    page.do("type", {"line": "Cid: white dagger hall; Ann, Ben, Dora -"})
    page.do("type", {"line": "Dora: white dagger hall; Ann, Ben, Cid -"})
    page.do("type", {"line": "Ben has dagger"})
    sheet = page.work("slips")
    assert "wrong with" in sheet
    page.do("slips")
    assert "contradicts itself" in page.text


def test_what_became_certain_is_announced_and_marked(page: Page) -> None:
    notices = page.do("type", {"line": "Ann: white rope hall; Ben shows rope"})
    assert notices == ["good: Now certain: Ben has Rope"]
    assert cell(page, "Rope", "Ben") == "yes, new"
    page.do("type", {"line": "Ben: white rope hall; Cid -"})
    assert cell(page, "Rope", "Ben") == "yes"


def test_a_player_who_must_answer_is_asked_which_card_to_show(page: Page) -> None:
    for field, value in (("by", "3"), ("c0", "0"), ("c1", "8"), ("c2", "12")):
        page.do("pick", field=field, value=value)
    assert "You hold Miss Scarlett and Lead Piping. Which do you show?" in page.text
    shown = page.work("show")
    assert re.search('class="button main"[^>]*data-field="a0"', shown)
    assert "data-advice=" in shown
    assert "bits" not in shown
    page.do("pick", field="a0", value="8")
    assert page.ui["turn"]["answers"] == {"Ann": "8"}
    page.do("pick", field="a0", value="8")
    for field, value in (("c0", "1"), ("c1", "6")):
        page.do("pick", field=field, value=value)
    assert "You hold none of these: you pass." in page.text


def test_a_cell_tells_why_and_what_if(page: Page) -> None:
    page.do("type", {"line": "Ann: white rope hall; Ben shows rope"})
    page.do("why", fact="10.1")
    assert "Ben has Rope certain" in page.text
    assert "Ben showed Ann Rope" in page.text
    page.do("why", fact="12.1")
    assert "Its probability is" in page.text
    page.do("assume", fact="12.1")
    assert "What if: Ben has Hall" in page.text
    assert cell(page, "Hall", "Ben") == "yes, new"
    page.do("free")
    assert "What if:" not in page.text
    assert cell(page, "Hall", "Ben").endswith("%")
    assert page.do("undo") == ["note: Undone: ending the what-if"]
    assert "What if: Ben has Hall" in page.text


def test_lines_are_edited_inserted_and_dropped(page: Page) -> None:
    page.do("type", {"line": "Ann: white rope hall; Ben shows rope"})
    page.do("line", event="1", text="yes")
    page.do("edit", {"line": "Ann: white rope study; Ben shows rope"})
    assert "Study; Ben shows Rope" in page.log
    page.do("line", event="1", text="yes")
    page.do("insert", {"line": "Cid has hall"})
    assert page.log.splitlines()[-2:] == [
        "Cid has Hall",
        "Ann: Mrs White, Rope, Study; Ben shows Rope",
    ]
    page.do("line", event="1", text="yes")
    page.do("drop", {"line": "whatever"})
    assert "Cid has Hall" not in page.log
    assert page.do("undo")[0].startswith("note: Undone: deleting Cid has Hall")
    assert "Cid has Hall" in page.log


def test_a_log_that_goes_on_is_read_as_if_from_the_beginning() -> None:
    random = Random(1)
    texts: list[str] = []
    lines = ["Ann: white rope hall; Ben shows rope", "# a note", "", "Cid has lounge", "me: Ben",
             "Ben accuses white rope hall: wrong", "x\u2028Ben has hall", "Ben has a"]  # fmt: skip
    for _ in range(150):
        before = random.choice([LOG, *texts[-2:]])
        texts.append(before + random.choice(lines) + random.choice(["\n", "\n", ""]))
    source = page_of("cluedo")._source  # type: ignore[attr-defined]

    def read(how: Callable[[], Log]) -> Log | str:
        try:
            return how()
        except BadInput as error:
            return str(error)

    for text in texts:
        whole = read(lambda text=text: read_log(text, Cluedo))  # type: ignore[misc]
        assert read(lambda text=text: source.read(text)) == whole  # type: ignore[misc]


def test_a_contradiction_names_the_events_and_which_to_change(page: Page) -> None:
    page.do("type", {"line": "Ben has rope"})
    page.do("type", {"line": "Cid has rope"})
    assert "The log contradicts itself" in page.text
    conflict = page.text.partition("The log contradicts itself")[2]
    assert "changing this one is enough" in conflict
    assert conflict.index("Cid has Rope") < conflict.index("Ben has Rope"), "changed last"
    page.do("revert", event="2")
    assert "contradicts itself" not in page.text
    assert page.log.endswith("Ben has Rope\n")
    # An older event that was changed last is named first, and goes back to what it was.
    page.do("type", {"line": "Ann: white dagger hall; Ben -"})
    page.do("line", event="1", text="yes")
    page.do("edit", {"line": "Ben has dagger"})
    page.do("type", {"line": "Cid has study"})
    conflict = page.text.partition("The log contradicts itself")[2]
    assert conflict.index("2. Ben has Dagger") < conflict.index("3. Ann: Mrs White, Dagger")
    page.do("revert", event="1")
    assert "contradicts itself" not in page.text
    assert "Ben has Rope\nAnn: Mrs White, Dagger" in page.log
    assert page.log.endswith("Cid has Study\n")
    assert page.do("revert", event="0")[0].startswith("bad: There is nothing to undo")


def test_what_is_refused_changes_nothing(page: Page) -> None:
    before = page.document
    [notice] = page.do("type", {"line": "Ben has ropp"})
    assert notice == "bad: Column 9: no card is called 'ropp'; did you mean 'Rope'?"
    assert page.do("add") == ["bad: Choose one suspect first"]
    for intent in ("nonsense", "why", "line"):
        assert page.do(intent, event="99", fact="9.9.9")[0].startswith("bad: ")
    assert page.document == before


def test_no_question_of_a_screen_is_asked_twice_and_a_job_has_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log, "BUDGET", Budget(500))
    asked: list[str] = []
    ask = Asker._ask

    def noted(self: Asker, query: str, *rest: Any) -> Any:
        asked.append(query)
        return ask(self, query, *rest)

    monkeypatch.setattr(Asker, "_ask", noted)
    page = Page("cluedo", text=LOG)
    [first] = [job["first"] for job in page.response["jobs"] if job["name"] == "numbers"]
    assert "no percentages" in first
    assert sorted(set(asked)) == sorted(asked)
    asked.clear()
    page.do("view", view="log")
    assert not asked
    monkeypatch.setattr(sheet, "ESTIMATED", Budget(4000))
    monkeypatch.setattr(sheet, "PATIENT", Budget(2000))
    asked.clear()
    assert re.search(r">~\d+%<", page.work("numbers"))
    assert asked == ["tally", "tally"], "the job tries to count before it estimates"
    monkeypatch.setattr(sheet, "PATIENT", Budget())
    exact = Page("cluedo", text=LOG + "Ben has rope\n").work("numbers")
    assert "Rope, Ben: yes" in exact
    assert "~" not in exact


@pytest.mark.parametrize("view", ["advice", "minds", "accuse"])
def test_what_takes_long_is_a_job(page: Page, view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side, "JOB_BUDGET", Budget(12_000_000))  # no limit of time
    monkeypatch.setattr(advice, "AT_ONCE", Budget(10))
    monkeypatch.setattr(advice, "DRAWN", Budget(100_000_000))
    monkeypatch.setattr(side, "DRAWN_GAMES", 6)
    for line in ("Ann: white rope hall; Ben shows rope", "Ben: white knife study; Cid shows"):
        page.do("type", {"line": line.replace("knife", "dagger")})
    page.do("view", view=view)
    html = page.work(view)
    assert {"advice": "Suggest ", "minds": "can name it", "accuse": "accuse now"}[view] in html
    if view == "advice":
        assert 'data-advice="exact"' in html
        assert "bits" not in html
        found = re.search(r'data-do="suggest" data-cards="([\d ]+)"', html)
        assert found
        page.do("suggest", cards=found[1])
        assert page.ui["view"] == "turn"
        assert page.ui["turn"]["cards"] == [int(card) for card in found[1].split()]


def test_an_invitation_has_no_hand_and_no_card_that_was_seen(page: Page) -> None:
    page.do("type", {"line": "Ann: white rope hall; Ben shows rope"})
    page.do("view", view="share")
    links = re.findall(r'value="cluedo:([\w-]+)"', page.html)
    whole, invitation = (Page("cluedo", link=link) for link in links)
    assert whole.log == page.log
    assert "hand" not in invitation.log
    assert "me:" not in invitation.log
    assert invitation.log.endswith("Ann: Mrs White, Rope, Hall; Ben shows\n")


class Active(HTMLParser):
    """Collects whatever could run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "img", "iframe", "style", "object", "embed", "base", "link"}:
            self.found.append(tag)
        self.found += [key for key, _ in attrs if key.startswith("on") or key == "style"]
        self.found += [str(value) for key, value in attrs if key in {"href", "src"}]


def active_parts(html: str) -> list[str]:
    parser = Active()
    parser.feed(html)
    return parser.found


HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "\u202e' onfocus='alert(3)\u2066",
    "x" * 10_000,
)


def test_hostile_names_stay_text_in_every_view() -> None:
    suspects = ", ".join(json.dumps(name, ensure_ascii=False) for name in HOSTILE)
    players = ", ".join(f'"{name}B"' for name in HOSTILE)
    page = Page(
        "cluedo",
        text=f"suspect: {suspects}\nweapon: Rope, Dagger\nroom: Hall, Attic\n"
        f'players: {players}\nme: "{HOSTILE[0]}B"\n',
    )
    long = HOSTILE[-1]
    for view in ("turn", "sheet", "log", "advice", "minds", "accuse", "share"):
        page.do("view", view=view)
        jobs = "".join(page.work(job["name"]) for job in page.response["jobs"])
        html = page.html + jobs
        assert active_parts(html) == []
        shown = re.sub(r"<textarea.*?</textarea>|data-key=\"[^\"]*\"", "", html, flags=re.DOTALL)
        assert "\u202e" not in shown
        assert long not in shown
        assert short(long) in shown


def test_an_own_deck_begins_with_the_edition_that_was_chosen() -> None:
    page = Page("cluedo")
    form = {"player": ["Ann", "Ben", "Cid"], "me": "0"}
    page.do("setup", {**form, "deck": "secrets"})
    page.do("setup", {**form, "deck": "own", "own": ""})
    assert "Kasandra Scarlett, Jack Mustard" in page.text
    page.do("setup", {**form, "deck": "german"})
    page.do("setup", {**form, "deck": "own"})
    assert "Baronin von Porz" in page.text
    own = "suspect: Plum, White\nweapon: Rope, Axe\nroom: Hall, Spa, Attic, Cellar\n"
    page.do("setup", {**form, "deck": "own", "own": own})
    page.do("setup", {**form, "deck": "classic"})
    page.do("setup", {**form, "deck": "own"})
    assert "Cellar" in page.text
    page.do("start", {**form, "deck": "own", "own": own})
    assert page.log.startswith("suspect: Plum, White\n")


def test_the_first_recommendation_needs_no_draws_and_is_nearly_the_best(page: Page) -> None:
    for line in (
        "Ann: white rope hall; Ben -; Cid shows rope",
        "Ben: white dagger study; Cid shows",
    ):
        page.do("type", {"line": line})
        knowledge = Knowledge.of(read_log(page.log, Cluedo))
        first = guess(knowledge)
        assert first is not None
        assert not first.is_exact
        drawn = advise(knowledge, samples=4000)
        gains = {rated.inquiry: rated.gain_bits for rated in drawn.ranking}
        best = first.ranking[0].inquiry
        assert gains[best] > 0.95 * max(gains.values())
        assert abs(first.ranking[0].gain_bits - gains[best]) < 0.1


def test_questions_that_a_guess_puts_first_are_rated_before_all_are() -> None:
    deck = "suspect: Plum, White, Green\nweapon: Rope, Axe, Knife\nroom: Hall, Spa, Attic, Cellar\n"
    lines = "players: Ann, Ben, Cid\nme: Ann\nhand Ann: Plum, Rope\nBen: White Axe Spa; Cid shows\n"
    knowledge = Knowledge.of(read_log(deck + lines, Cluedo))

    def ask(budget: Budget, samples: int | None, inquiries: Sequence[Inquiry] | None) -> Advice:
        assert budget is not advice.AT_ONCE, "the guess is on the screen; draws come next"
        if budget is limited:
            raise Undecided("it takes longer")
        return knowledge.advise(inquiries, samples=samples)

    limited = advice.LEADING
    [drawn] = advice.refined(
        ask, guess(knowledge)
    )  # what takes long for a few is not tried for all
    assert drawn.method == "samples"
    limited = advice.AT_ONCE
    stages = list(advice.refined(ask, guess(knowledge)))
    assert [stage.method for stage in stages[:2]] == ["samples", "leading"]
    assert [stage.is_exact for stage in stages] == [False, False, True]
    drawn, leading, exact = stages
    assert len(drawn.ranking) == len(leading.ranking) < len(exact.ranking) == 36
    assert leading.ranking[0].gain_bits == pytest.approx(exact.ranking[0].gain_bits)
