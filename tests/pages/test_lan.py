"""What a player of a shared log can find out, break or take away: nothing of the others."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import frozen

from deduce.budget import Budget
from deduce.errors import BadInput, Unsupported
from deduce.game import Viewer
from deduce.line_game import Line, LineGame, seats
from deduce.logs.events import Log, write_text
from deduce.pages import private
from deduce.pages.features import advice, sheet
from deduce.pages.features import log as logs
from deduce.pages.hidden import hidden_page
from deduce.pages.messages import Door, page_of
from deduce.pages.presenter import Presenter
from deduce.system import registry
from games.avalon import Avalon
from games.cluedo import Cluedo, Has
from games.cluedo.page import side

pytest.importorskip("starlette")
from deduce.pages.transports.kept import KeptLog
from deduce.pages.transports.server import Jobs
from tests.pages.asking import Page
from tests.pages.lan import Lan

EVENING = """\
players: Ann, Ben, Cid
hand Ann: plum, white, rope, dagger, hall, study
hand Ben: scarlett, green, spanner, lounge, kitchen, library
Ann: scarlett revolver lounge; Ben shows {card}
"""
NAMES = ("Ann", "Ben", "Cid")
CARDS = ("Miss Scarlett", "Revolver", "Lounge")


def test_a_player_cannot_compute_which_card_another_was_shown() -> None:
    keys, responses = [], set()
    for card in CARDS:
        text = EVENING.format(card=card)
        lan = Lan("cluedo", text, NAMES)
        views = [{"view": view, "side": view} for view in ("sheet", "advice", "minds", "tutor")]
        responses.add(tuple(lan.ask("Cid", ui=ui) for ui in views))
        about = repr((text, (), []))
        keys.append(hashlib.sha256(about.encode()).hexdigest()[:16].encode())
    [shown] = responses
    assert not [key for key in keys if any(key in response for response in shown)]


# Noninterference: logs that are equal to one player have equal pages


@frozen
class Hidden:
    """The logs of one game that are equal to a player: ``log(random)`` returns one of them."""

    players: Sequence[str]
    player: str
    log: Callable[[Random], str]
    typed: Sequence[str]
    """Lines that the player may type."""
    unseen: Sequence[str]
    """Lines that another player may type, of which the player sees nothing."""
    asked: Sequence[int] = (0, 3)
    """Cards for which the player is asked."""


def cluedo(random: Random) -> Hidden:
    """Players see their own hand and the cards shown to or by them; comments are no events."""
    cards = [f"{kind}{number}" for kind in "wt" for number in range(3)]
    solution = [random.choice(cards[:3]), random.choice(cards[3:])]
    dealt = [card for card in cards if card not in solution]
    random.shuffle(dealt)
    hands = {"Ann": dealt[:2], "Ben": dealt[2:3], "Cid": dealt[3:]}
    player = random.choice(NAMES)
    public: list[Sequence[str]] = []  # each event, in all the ways that are equal to the player
    if random.random() < 0.7:
        public.append([f"hand {player}: {', '.join(hands[player])}"])
    for _ in range(random.randrange(1, 5)):
        by, other = random.sample(NAMES, 2)
        named = [random.choice(cards[:3]), random.choice(cards[3:])]
        head, holds = f"{by}: {', '.join(named)}; {other}", sorted({*named} & {*hands[other]})
        if not holds:
            public.append([f"{head} -"])
        elif player in (by, other):
            public.append([f"{head} shows {random.choice(holds)}"])
        else:
            public.append([f"{head} shows", *(f"{head} shows {card}" for card in named)])
        if random.random() < 0.2:
            fact = f"{random.choice(NAMES)} has {random.choice(dealt)} (seen by {player}"
            public.append([f"{fact})", *(f"{fact}, {name})" for name in NAMES)])

    others = [name for name in NAMES if name != player]

    def secret(random: Random) -> str:
        name, card = random.choice(others), random.choice(dealt)
        hand = random.sample(cards, len(hands[name]))
        return random.choice([
            f"hand {name}: {', '.join(hand)}",
            f"{random.choice(NAMES)} has {card} (seen by {name})",
            f"{random.choice(NAMES)} has not {card} (seen by {', '.join(others)})",
            f"# {name} has {card}",
            "",
        ])  # fmt: skip

    def log(random: Random) -> str:
        lines = [random.choice(event) for event in public]
        for _ in range(random.randrange(4)):
            lines.insert(random.randrange(len(lines) + 1), secret(random))
        head = ["w: w0, w1, w2", "t: t0, t1, t2", "players: Ann 2, Ben 1, Cid 1"]
        return "".join(f"{line}\n" for line in (*head, *lines))

    typed = [f"{name} has {card}" for name in NAMES for card in dealt]
    unseen = [f"{others[1]} has {card} (seen by {others[0]})" for card in cards]
    asked = [next((at for at in kind if cards[at] in hands[player]), kind[0])
             for kind in (range(3), range(3, 6))]  # fmt: skip
    return Hidden(NAMES, player, log, typed, unseen, asked)


def pigs(random: Random) -> Hidden:
    """All events are public; which seat keeps the log, with its role and cards, is its own."""
    turns = [f"turn {seat}\n{seat} ends\n" for seat in (1, 2, 3)][: random.randrange(4)]
    player = random.choice("123")
    own = f"as {player} {('MP', 'ZP', 'FP')[int(player) - 1]} WPDKDD\n" * random.randrange(2)

    def log(random: Random) -> str:
        other = random.choice([seat for seat in "123" if seat != player])
        role = "MP" if other == "1" else random.choice(["ZP", "FP"])
        cards = "".join(random.choices("PKDF", k=6))
        secret = random.choice([f"as {other} {role} {cards}\n", f"# {role}\n", ""])
        return "pigs 3\n" + (own or secret) + "".join(turns)

    return Hidden("123", player, log, [turns[0].split("\n")[0] if turns else "turn 1"], [])


def quartets(random: Random) -> Hidden:
    """All statements are public, for no player sees a card; comments are no statements."""
    said = ["Ann asks Ben for a1", "no", "Ben asks Cid for b1", "yes"][: random.randrange(5)]

    def log(random: Random) -> str:
        lines = ["quartets", "players: Ann, Ben, Cid", "groups: 3 of 2", *said]
        lines.insert(random.randrange(2, len(lines) + 1), random.choice(["# Cid has a2", ""]))
        return "".join(f"{line}\n" for line in lines)

    return Hidden(NAMES, random.choice(NAMES), log, ["yes", "no", "Cid a2"], [])


def of_roles(
    random: Random,
    head: dict[str, Any],
    players: Sequence[str],
    roles: Sequence[str],
    public: Sequence[str],
) -> Hidden:
    """Return logs in which a role is dealt to some, each of whom alone sees it."""
    player = random.choice(players)
    shared = [line for line in public if random.random() < 0.7]
    if random.random() < 0.5:
        shared.insert(0, f"{player} is dealt: {roles[0]}")
    others = [name for name in players if name != player]

    def log(random: Random) -> str:
        lines = list(shared)
        for name in random.sample(others, random.randrange(3)):
            secret = f"{name} is dealt: {random.choice(roles[1:])}"
            lines.insert(random.randrange(len(lines) + 1), secret)
        return "".join(f"{line}\n" for line in (json.dumps(head), *lines))

    unseen = [f"{others[0]} is dealt: {role}" for role in roles]
    return Hidden(players, player, log, public, unseen)


def avalon(random: Random) -> Hidden:
    """Players see their own role and what their role shows; votes and missions are public."""
    players = (*NAMES, "Dot", "Eli")
    vote = f"team {' '.join(players[:2])} for {' '.join(players[:3])} against Dot Eli"
    head = {"game": "avalon", "version": 1, "players": players}
    deck = list(Avalon(players).deck)
    return of_roles(random, head, players, deck, [vote, "mission Ann Ben: 0"])


def secret_hitler(random: Random) -> Hidden:
    """Players see their own party and role; votes are public."""
    players = (*NAMES, "Dot", "Eli", "Fay", "Gil")
    head = {"game": "secret-hitler", "version": 1, "players": players}
    vote = "Ann and Ben for Ann Ben Cid Dot against Eli Fay Gil"
    # Two fascists are dealt; a third, or a second Hitler, is refused.
    return of_roles(random, head, players, ["liberal", "liberal", "fascist"], [vote])


def one_night(random: Random) -> Hidden:
    """Players see their own cards and what they did; claims are public."""
    deck = ["seer", "villager", "robber", "villager", "werewolf", "insomniac"]
    head = {"game": "one-night", "version": 1, "players": NAMES, "deck": deck}
    return of_roles(random, head, NAMES, deck, ["Ben says Ben: seer", "Cid says Cid: robber"])


def hanabi(random: Random) -> Hidden:
    """Players see the cards of all others, not their own; clues are public."""
    player, other = random.sample(("Ann", "Ben"), 2)
    clues = [f"{other} clues {player} {hint}: {player}1" for hint in ("red", "3")]
    head = json.dumps({"game": "hanabi", "version": 1, "players": ["Ann", "Ben"]})
    shared = [f"{other} holds: R1 R2 B3 W4 G5", *clues[: random.randrange(3)]]

    def log(random: Random) -> str:
        lines = list(shared)
        own = random.sample(["Y1", "Y2", "G1", "G2", "B1", "W1", "W2"], 4)
        if random.random() < 0.7:
            lines.insert(random.randrange(len(lines)), f"{player} holds: R3 {' '.join(own)}")
        return "".join(f"{line}\n" for line in (head, *lines))

    unseen = [f"{player} drew: {card}" for card in ("Y2", "G2", "B2")]
    return Hidden(("Ann", "Ben"), player, log, clues, unseen)


GAMES = {
    "avalon": avalon, "cluedo": cluedo, "hanabi": hanabi, "one-night": one_night, "pigs": pigs,
    "quartets": quartets, "secret-hitler": secret_hitler,
}  # fmt: skip
PAIRS = {"avalon": 5, "cluedo": 24, "hanabi": 6, "one-night": 5, "pigs": 6, "quartets": 12,
         "secret-hitler": 5}  # fmt: skip
NOT_OFFERED = {"hanabi": {"marked"}, "pigs": {"advice", "slips"}, "quartets": {"tutor"}}


def intents(presenter: Any) -> list[str]:
    return sorted(presenter.intents)


def jobs(presenter: Any) -> list[str]:
    return sorted(presenter.jobs)


def forms(hidden: Hidden, random: Random) -> dict[str, Any]:
    number = str(random.randrange(4))
    fact = f"{random.randrange(4)}.{random.randrange(4)}"
    line = random.choice(hidden.typed)
    values = {
        "fact": fact, "event": number, "to": number, "seat": number, "cards": "0 3", "line": line,
        "view": random.choice(["log", "share", "sheet"]), "asked": random.choice("123"),
        "at": fact, "yes": "yes", "group": number, "card": number, "example": "0",
        "field": random.choice(["by", "kind", "c0", "a1", "a2"]), "value": number, "ask": "c0",
    }  # fmt: skip
    form = {key: [number] for key in ("by", "c0", "a0", "a1", "a2", "to", "group", "seats")}
    return {"values": values, "form": form | {"line": [line], "text": ["players: A, B, C\n"]}}


def script(presenter: Any, hidden: Hidden, names: Iterator[str], random: Random) -> list[Any]:
    """Return what a player does: an intent on some view, and which jobs are computed."""
    views = [*presenter.views.main, *presenter.views.side]
    drafted = {"kind": "suggestion", "by": random.choice(hidden.players), "cards": [*hidden.asked],
               "answers": {}, "right": False, "card": -1, "has": True}  # fmt: skip
    requests = []
    for name in itertools.islice(names, 1 + (random.random() < 0.2)):
        ui = {"line": random.randrange(3), "cell": f"0.{random.randrange(2)}", "turn": drafted,
              "tutor": random.random() < 0.2, "slips": random.random() < 0.2, "asked": "1",
              "view": random.choice(views), "side": random.choice(views)}  # fmt: skip
        intent = {"do": name, **forms(hidden, random)}
        computed = random.choices(jobs(presenter), k=1) if random.random() < 0.2 else []
        requests.append(({"ui": ui, "intent": intent}, computed))
    return requests


def responses(
    game: str, hidden: Hidden, requests: Sequence[Any], random: Random, done: set[str]
) -> list[bytes]:
    """Return the raw responses to a player; others take steps that this player cannot see."""
    lan = Lan(game, hidden.log(random), hidden.players)
    if random.random() < 0.3:  # what the keeper of the log did and assumed before is not shown
        assert lan.kept.document is not None
        lan.kept.document = lan.kept.document.to(hidden.log(random), ("0.0",), step=None)
    sent = []
    other = next(name for name in hidden.players if name != hidden.player)
    for request, computed in requests:
        if hidden.unseen and random.random() < 0.15:
            before = lan.kept.shown(hidden.player).view
            lan.do(other, "type", {"line": [random.choice(hidden.unseen)]})
            assert lan.kept.shown(hidden.player).view == before
        sent.append(lan.ask(hidden.player, **request))
        page = json.loads(sent[-1].rpartition(b"\n")[2])
        assert "error" not in page
        done |= {page["ui"].get("view", ""), page["ui"].get("side", "")}
        computed += [job["name"] for job in page["jobs"] if job["name"] not in done]
        for job in page["jobs"]:
            if job["name"] in computed:
                done.add(job["name"])
                message = {"ui": page["ui"], "job": job, "game": "minesweeper"}
                sent.append(lan.ask(hidden.player, "/api/work", **message))
                assert b'"error"' not in sent[-1]
    return sent


@pytest.fixture(autouse=True)
def no_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "BUDGET", Budget(50_000))
    monkeypatch.setattr(side, "JOB_BUDGET", Budget(50_000))
    monkeypatch.setattr("deduce.pages.features.tutor.JOB_BUDGET", Budget(50_000))
    monkeypatch.setattr("deduce.reasoning.estimating.LEAST_STEPS", 50_000)
    for limit in ("JOB_BUDGET", "ESTIMATED", "PATIENT"):
        monkeypatch.setattr(sheet, limit, Budget(50_000))
    monkeypatch.setattr(side, "PAUSE", float("inf"))
    for limit in ("AT_ONCE", "DRAWN", "EXACT"):
        monkeypatch.setattr(advice, limit, Budget(50_000))


@pytest.mark.parametrize("game", GAMES)
def test_logs_that_are_equal_to_a_player_have_equal_pages(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    presenter: Any = page_of(game)
    names, done = itertools.cycle(intents(presenter)), set[str]()
    for seed in range(PAIRS[game]):
        monkeypatch.setattr(logs, "BUDGET", Budget(50_000 if seed else 1))  # numbers by a job
        hidden = GAMES[game](Random(seed))
        requests = script(presenter, hidden, names, Random(seed))
        first = responses(game, hidden, requests, Random(seed), done)
        assert responses(game, hidden, requests, Random(f"{seed} other"), done) == first
    views = {*presenter.views.main, *presenter.views.side} - {"share"}
    assert done >= {*views, *jobs(presenter)} - NOT_OFFERED.get(game, set())


def test_every_game_that_players_can_share_is_compared() -> None:
    classes = [registry.load(entry.hidden) for name in registry.names()
               if (entry := registry.find(name)).hidden]  # fmt: skip
    assert {each.name for each in classes if hasattr(each, "seen_by")} == set(GAMES)


# What a player can change, and take back


def test_no_step_of_any_person_loses_the_log_before_it(tmp_path: Path) -> None:
    file = tmp_path / "evening.cluedo"
    text = EVENING.format(card="scarlett")
    file.write_text(text, encoding="utf-8")
    door, kept = Door(), KeptLog.open("cluedo", file)
    for number, name in enumerate(("paste", "example", "start"), start=1):
        values, form = {"example": "0"}, {"text": ["players: X, Y, Z\n"], "player": ["X", "Y"]}
        intent = {"do": name, "values": values, "form": form}
        response = json.loads(kept.answer(door, json.dumps({"intent": intent})))
        assert not [notice for notice in response["notices"] if notice["kind"] == "bad"]
        assert file.read_text(encoding="utf-8") != text
        kept = KeptLog.open("cluedo", file)
        assert kept.document is not None
        assert len(kept.document.past) == number
    file.write_text("players: P, Q\n", encoding="utf-8")  # another program
    kept = KeptLog.open("cluedo", file)
    for _ in range(4):
        kept.answer(door, json.dumps({"intent": {"do": "undo"}}))
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "name",
    ["paste", "example", "start", "setup", "text", "download", "assume", "free", "me", "begin"],
)
def test_a_player_has_only_the_intents_of_players(name: str) -> None:
    lan = Lan("cluedo", EVENING.format(card="scarlett"), NAMES)
    before = lan.kept.document
    said = lan.do("Ben", name, {"text": ["players: A, B, C\n"]}, seat="0", example="0", fact="0.0")
    assert said == ["a player who shares the log with others cannot do this"]
    assert lan.kept.document is before


OF_EVERY_LOG = "close drop edit enter insert line older redo then type undo view"
OF_PLAYERS = {
    "avalon": "asked mark revert slips tell tutor unmark why",
    "cluedo": "accusation add ask asked clear mark note pick revert slips suggest tutor unmark "
    "why hand hold later",
    "hanabi": "asked at mark pen revert slips tell tutor unmark why",
    "one-night": "asked mark revert slips tutor unmark why",
    "pigs": "asked mark revert seat step tutor unmark why",
    "quartets": "ask asked declare draft mark reply tutor unmark use why",
    "secret-hitler": "asked mark revert slips tell tutor unmark why",
}


@pytest.mark.parametrize("game", GAMES)
def test_the_intents_of_players_are_those_that_were_declared(game: str) -> None:
    page: Any = page_of(game)
    allowed = {name for name, act in page.intents.items() if act.of_players}
    assert allowed == {*OF_EVERY_LOG.split(), *OF_PLAYERS[game].split()}


def test_a_player_takes_back_their_own_last_step_whatever_others_did_since() -> None:
    lan = Lan("cluedo", EVENING.format(card="scarlett"), NAMES)
    assert lan.do("Cid", "undo") == ["There is nothing to undo"]
    for player, line in [("Cid", "Ben has candlestick (seen by Cid)"), ("Ann", "Ben has revolver"),
                         ("Cid", "Ben has ballroom"), ("Ben", "Cid has revolver")]:  # fmt: skip
        lan.do(player, "type", {"line": [line]})
    assert lan.kept.document is not None
    begun = len(EVENING.splitlines())
    whole = lan.kept.document.text.splitlines()
    frame = lan.answer("Cid")["fragments"]
    assert "Undo: adding Ben has Ballroom" in frame["frame"]
    assert "Undo takes back your own last step" in lan.answer("Cid", ui={"side": "log"})[
        "fragments"]["side"]  # fmt: skip
    assert lan.do("Cid", "undo") == ["Undone: adding Ben has Ballroom"]
    assert lan.do("Cid", "undo") == ["Undone: adding Ben has Candlestick (seen by Cid)"]
    assert lan.do("Cid", "undo") == ["There is nothing to undo"]
    assert lan.kept.document.text.splitlines() == [*whole[:begun], whole[begun + 1], whole[-1]]
    assert lan.do("Cid", "redo")
    assert lan.do("Cid", "redo")
    assert lan.kept.document.text.splitlines() == whole


def test_a_player_changes_only_the_lines_that_they_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    lan = Lan("cluedo", EVENING.format(card="scarlett"), NAMES)
    lan.do("Cid", "type", {"line": ["Ben has ballroom"]})
    lan.do("Ann", "type", {"line": ["Ben has ballroom"]})
    refusal = ["Only the player who entered this event can change it"]
    for player, event in [("Cid", "0"), ("Cid", "2"), ("Ann", "2"), ("Ben", "3")]:
        assert lan.do(player, "drop", event=event) == refusal
    assert lan.do("Cid", "drop", event="1") == []
    assert lan.do("Ann", "drop", event="2") == []
    assert lan.kept.document is not None
    assert lan.kept.document.text == EVENING.format(card="scarlett")
    assert lan.do("Cid", "type", {"line": ["hand Ann: rope"]}) != []
    said = lan.do("Cid", "type", {"line": ["Ben has hall (seen by Ann)"]})
    assert said == ["Only those who see this can enter it"]
    monkeypatch.setattr(private, "MAX_OWN", 30)
    assert lan.do("Ben", "type", {"line": ["Ben has hall"]}) == []
    assert "too much" in lan.do("Ben", "type", {"line": ["Ben has kitchen (seen by Ben)"]})[0]


class Said(Line, template="{player} wears {colour}"):
    """What a player wears."""

    player: str
    colour: str


@frozen
class Colours(LineGame):
    """A game that states itself what players see, in which an event can correct another."""

    name = "colours"
    events = (Said,)
    players: tuple[str, ...] = seats(2, 4)

    def variables(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(self.players, ("red", "blue"))

    def seen_by(self, viewer: Viewer) -> Colours:
        return self

    def seen_event(self, event: Said, viewer: Viewer) -> Said:
        return event

    def corrects(self, event: Said, earlier: Said) -> bool:
        return event.player == earlier.player


def test_an_event_corrects_only_what_the_same_player_entered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = registry.Registration("colours", "", hidden=f"{__name__}:Colours")
    monkeypatch.setattr("deduce.system.registry.find", lambda name: entry)
    lan = Lan("colours", write_text(Colours(), []), ("Ann", "Ben"))
    for player, colour in (("Ann", "red"), ("Ben", "blue"), ("Ann", "blue"), ("Ben", "red")):
        lan.do(player, "type", {"line": [f"Ann wears {colour}"]})
    assert lan.kept.document is not None
    text = lan.kept.document.text
    assert text.splitlines()[1:] == ["Ann wears blue", "Ann wears red"]
    page = Page("colours", Door({"colours": hidden_page("colours")}), text=text)
    assert "Whose view?" in page.text


def test_what_names_the_state_of_a_page_changes_only_with_what_the_player_sees() -> None:
    identifiers = itertools.count()
    lan = Lan("cluedo", EVENING.format(card="scarlett"), NAMES)
    lan.kept.shared.identifier = lambda: str(next(identifiers))
    before = lan.answer("Cid")["version"]
    lan.do("Ann", "type", {"line": ["Ben has hall (seen by Ann)"]})
    assert lan.answer("Cid")["version"] == lan.kept.state("Cid") == before
    lan.do("Ann", "type", {"line": ["Ben has hall"]})
    assert lan.kept.state("Cid") != before
    assert lan.answer("Cid")["version"] == lan.kept.state("Cid")


# Jobs


def test_a_job_is_about_the_game_of_the_kept_log() -> None:
    deck = "suspect: Plum, White, Green\nweapon: Rope, Axe\nroom: Hall, Spa\n"

    def worked(**other: str) -> bytes:
        lan = Lan("cluedo", f"{deck}players: Ann, Ben, Cid\nAnn has Plum\n", NAMES)
        page = lan.answer("Cid", ui={"side": "advice"})
        job = next(job for job in page["jobs"] if job["name"] == "advice")
        return lan.ask("Cid", "/api/work", job=job, **other)

    assert worked(game="minesweeper", text="minesweeper 2 1 1\n", document="{}") == worked()


def test_a_failure_is_a_response_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lan = Lan("cluedo", EVENING.format(card="scarlett"), NAMES)
    monkeypatch.setattr(Presenter, "answer", lambda *_: 1 // 0)
    monkeypatch.setattr(Presenter, "work", lambda *_: 1 // 0)
    job = {"name": "advice", "slot": "", "key": ""}
    for raw in (lan.ask("Cid"), lan.ask("Cid", "/api/work", job=job)):
        assert raw.startswith(b"200")
        assert b"failure of deduce (ZeroDivisionError)" in raw
    assert capfd.readouterr() == ("", "")


def test_jobs_of_players_take_turns_and_wait_for_steps() -> None:
    jobs, order = Jobs(), list[str]()

    def parts(name: str) -> Iterator[str]:
        for _ in range(3):
            order.append(name)
            yield name

    async def all_of(player: str, name: str) -> None:
        async for _ in jobs.results(player, parts(name)):
            pass

    async def run() -> None:
        tasks = [asyncio.create_task(all_of(name[0], name)) for name in ("a1", "a2", "a3", "b1")]
        with jobs.waiting():
            await asyncio.sleep(0)  # all are queued
        await asyncio.gather(*tasks)

    with jobs.waiting():
        started = list(order)
    asyncio.run(run())
    assert started == []
    assert sorted(order) == sorted(["a1", "a2", "a3", "b1"] * 3)
    assert [name[0] for name in order if name][:6].count("b") >= 2


def test_a_player_cannot_queue_jobs_without_end() -> None:
    jobs, gate = Jobs(), threading.Event()

    def parts() -> Iterator[str]:
        gate.wait()
        yield "done"

    async def run() -> list[Any]:
        waiting = asyncio.gather(*(first() for _ in range(40)), return_exceptions=True)
        await asyncio.sleep(0)
        gate.set()
        return await waiting

    async def first() -> str:
        return await anext(jobs.results("Cid", parts()))

    results = asyncio.run(run())
    assert 30 < sum(isinstance(result, BadInput) for result in results) < 35


def test_a_game_that_does_not_state_what_players_see_is_not_shared() -> None:
    game = type("Shouting", (), {"players": NAMES})()
    with pytest.raises(Unsupported, match="does not state what each player sees"):
        private.check_shareable(Log(game, ()))
    with pytest.raises(BadInput, match="one line for each event"):
        private.check_shareable(Log(Cluedo(NAMES), (Has("Ann", "Rope"),)))
