"""Logs of Cluedo that forgive: the ranking of slips, the commands, the warning, learning."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from deduce.budget import Budget
from deduce.cli.main import main
from deduce.cli.slips import alternatives
from deduce.cli.tracking import Tracking, open_log
from deduce.constraints import Weigh, is_
from deduce.estimates import Estimate
from deduce.game import Slip
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.problem import Evidence
from games.cluedo import Cluedo
from games.cluedo.cli import cluedo
from games.cluedo.events import Event, Hand, Show, Suggestion
from games.cluedo.game import game_of as cluedo_of
from games.cluedo.players.information import Forgiving, ForgivingBelief, Information
from games.cluedo.players.referee import Keeper, Seat, play
from games.cluedo.players.table import Table, ToAccuse, ToSuggest, check_record, with_hand_sizes
from games.cluedo.players.tournament import find_player
from games.cluedo.slips import RATES
from tests.benchmarks.situations import position
from tests.benchmarks.slips_brute import difference, game_of, with_slip

EXAMPLES = Path(__file__).parents[2] / "games" / "cluedo" / "examples"
EVENING = str(EXAMPLES / "evening.cluedo")

RULED_OUT = """\
deck: classic
players: Ann 6, Ben 6, Cid 6
me: Ann
hand Ann: scarlett, mustard, green, dagger, lead, kitchen
Ann: plum rope hall; Ben, Cid -
Cid: white rope study; Ann -; Ben shows
Ben: peacock rope lounge; Cid, Ann -
Ann: plum rope study; Ben shows rope
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0), capsys.readouterr().out


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "overlooked.cluedo"
    path.write_text(RULED_OUT, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("number", [*range(12), 51])
def test_doubts_agree_with_brute_force_over_all_deals_and_sets_of_slips(number: int) -> None:
    assert difference(number) == []


def test_a_bystander_may_doubt_a_log_in_which_all_cards_are_open() -> None:
    pytest.importorskip("numpy")
    knowledge = position(5, 8, 13).seen_by(None).doubting(0.02)
    posterior = knowledge.using(budget=Budget(steps=3_000_000)).posterior()
    assert [sum(row.values()) for row in posterior.values()] == pytest.approx([1] * 21, abs=1e-5)
    for holder, sizes in cluedo_of(knowledge).hand_sizes().items():
        cards = float(sum(row.get(holder, 0) for row in posterior.values()))
        assert sizes == (round(cards), round(cards))
        assert cards == pytest.approx(round(cards), abs=1e-4)


def test_an_estimated_slip_asks_for_no_exact_posterior_of_its_causes() -> None:
    """Each of ten such posteriors used up the whole budget: `slips` took over a minute."""
    log = read_log(RULED_OUT, Cluedo)
    known = Knowledge(log.game, log.events)
    causes = (("overlooked", Fraction(1, 2)),)
    slip = Slip(2, "Ben -", Fraction(1, 2), causes, Estimate(0.5, 0.1, 0.3, 0.7))
    assert alternatives(known, slip) == [("overlooked", Fraction(1, 2))]
    assert str(slip) == "event 2: Ben - (~50 % ± 20 wrong)"


def test_a_show_is_doubted_at_every_table() -> None:
    for players in range(3, 7):
        names = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn")[:players]
        k = Knowledge(Cluedo(names), doubts=True).tell("Ann: plum rope hall; Ben shows")
        assert [slip.answer for slip in k.slips()] == ["Ben shows"]


def test_strict_answers_do_not_change(capsys: pytest.CaptureFixture[str]) -> None:
    strict = Knowledge(*_game(Path(EVENING).read_text(encoding="utf-8")))
    assert strict.slips() == ()
    assert strict.doubting(0.02).doubting(None).posterior() == strict.posterior()
    assert not strict.doubting(0.02).certain().items() - strict.certain().items()


def test_track_warns_once_when_an_event_becomes_improbable(tmp_path: Path) -> None:
    *before, last = RULED_OUT.splitlines(keepends=True)
    path = tmp_path / "log"
    path.write_text("".join(before))
    file, document, _ = open_log(path, Cluedo)
    dialogue = Tracking(cluedo, file, document, {"doubts": Fraction(1, 50)})
    assert not [part for part in dialogue.answer("Ben has not white") if "% wrong)" in str(part)]
    warnings = [str(part) for part in dialogue.answer(last.strip()) if "% wrong)" in str(part)]
    assert len(warnings) == 1
    assert "event 2: Ben -" in warnings[0]
    assert "overlooked" in warnings[0]
    assert not [part for part in dialogue.answer("Cid has not hall") if "% wrong)" in str(part)]


def recounted(game: Cluedo, holders: Any, log: list[Event]) -> dict[str, list[bool]]:
    """Return for each kind its occasions, each with whether there was a slip: by the definition."""
    found: dict[str, list[bool]] = {kind: [] for kind in RATES}
    lines = [event for event in log if isinstance(event, Suggestion)]
    for line in lines:
        at = game.players.index(line.by)
        asked = (*game.players[at + 1 :], *game.players[:at])
        holding = {p for p in asked if any(holders[card] == p for card in line.cards)}
        found["pass"] += [True for p in line.passes if p in holding]
        found["pass"] += [False for show in line.shows if show.by in holding]
        unexplained = False
        for show in line.shows:
            seat, wrong = asked.index(show.by), show.by not in holding
            near = any(p in holding for n, p in enumerate(asked) if abs(n - seat) == 1)
            found["neighbour"].append(wrong and near)
            if show.card is None:
                found["show"].append(wrong)
            else:
                found["card"].append(not wrong and holders[show.card] != show.by)
            unexplained |= wrong and not near
        found["name"].append(unexplained)
    for first, second in pairwise(line.by for line in lines):
        if first != second:
            after = game.players[(game.players.index(first) + 1) % len(game.players)]
            found["missing"].append(second != after)
    return found


def test_learnt_rates_are_those_of_a_recount(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Logs with one slip each, which is known, and the whole deal at the end."""
    paths: list[str] = []
    occasions: dict[str, list[bool]] = {kind: [] for kind in RATES}
    made: Counter[str] = Counter()
    for number in range(60):
        game, holders, log = game_of(f"learn {number}")
        kind = ("pass", "card", "name", "neighbour", "missing")[number % 5]
        slipped = with_slip(game, holders, log, kind, Random(number))
        if slipped is None:
            continue
        made[kind] += 1
        log = slipped[0]
        hands = (Hand(p, tuple(c for c in game.dealt if holders[c] == p)) for p in game.players[1:])
        for name, more in recounted(game, holders, log).items():
            occasions[name] += more
        paths.append(str(tmp_path / f"{number}.cluedo"))
        Path(paths[-1]).write_text(game.format_log([*log, *hands]), encoding="utf-8")
    _, out = run(capsys, "cluedo", "slips", "--learn", *paths, "--json")
    document = json.loads(out)
    assert document["occasions"] == {kind: len(each) for kind, each in occasions.items()}
    assert document["slips"] == {kind: sum(each) for kind, each in occasions.items()}
    assert document["slips"]["pass"] >= made["pass"]  # another name can make a pass wrong, too
    assert 0 < document["slips"]["card"] <= made["card"]
    assert document["slips"]["neighbour"]
    assert document["slips"]["missing"]
    for kind, each in occasions.items():
        rate = (sum(each) + 100 * RATES[kind]) / (len(each) + 100)
        assert document["rates"][kind] == pytest.approx(float(rate))


# A table at which players overlook cards


def test_a_player_who_overlooks_a_card_passes_and_the_record_is_checked_without_it() -> None:
    game = with_hand_sizes(Cluedo(("Ann", "Ben", "Cid")))
    table = Table(game, game.deal(Random(1)), turns=6, slips=Fraction(1), memory=Random(1))
    cards = tuple(cards[0] for cards in game.deck.values())
    while isinstance(question := table.question, ToSuggest | ToAccuse):
        table.answer(cards if isinstance(question, ToSuggest) else None)
    suggestions = [event for event in table.events if isinstance(event, Suggestion)]
    assert len(suggestions) == 6
    assert all(len(event.passes) == 2 and not event.shows for event in suggestions)
    assert table.overlooked
    check_record(table)
    table.overlooked.clear()
    with pytest.raises(AssertionError):
        check_record(table)


def test_an_answer_is_wrong_in_the_notes_with_the_stated_probability() -> None:
    game = with_hand_sizes(Cluedo(("Ann", "Ben", "Cid", "Dan")))
    deck = list(game.deck.values())
    random = Random(5)
    keeper = Keeper(game, "Ann", Fraction(1, 4), Random(6))
    wrong, answers = 0, 0
    for _ in range(1500):
        cards = tuple(random.choice(cards) for cards in deck)
        line = Suggestion("Ann", cards, ("Ben",), (Show("Cid", random.choice(cards)),))
        noted = keeper.noted(line)
        assert isinstance(noted, Suggestion)
        assert noted.by == "Ann"
        assert all(show.card in noted.cards for show in noted.shows)
        assert not set(noted.passes) & {show.by for show in noted.shows}
        wrong += noted != line
        answers += 1
    # A pass with 1/4; a show with 1/8, since in as many cases it was overlooked.
    expected = 1 - (1 - 1 / 4) * (1 - 1 / 8)
    assert abs(wrong / answers - expected) < 0.04


def test_a_strict_player_disregards_what_contradicts_and_goes_on() -> None:
    names = ("information", "best", "forgiving")
    makers = {name: find_player(name) for name in names}
    setup = Cluedo(names, SMALL, hands=(3, 3, 3))
    played = play(makers, Random(0), slips=Fraction(1, 3), turns=12, setup=setup)
    again = play(makers, Random(0), slips=Fraction(1, 3), turns=12, setup=setup)
    assert (played.deal, played.events) == (again.deal, again.events)
    player = Information(Seat(evolve(setup, me="information"), SMALL["room"][:3], Random(0)))
    cards = ("Plum", "Rope", "Attic")
    player.see(Suggestion("information", cards, (), (Show("best", "Plum"),)))
    player.see(wrong := Suggestion("forgiving", cards, ("information", "best")))
    player.settle()
    assert player.certain()["Plum"] == "best"
    assert wrong not in player.told


def test_the_forgiving_belief_is_the_posterior_of_knowledge_with_weights() -> None:
    game = Cluedo(("Ann", "Ben", "Cid"), SMALL, hands=(3, 3, 3), me="Ann")
    log = [
        Suggestion("Ann", ("Plum", "Rope", "Hall"), ("Ben",), (Show("Cid", "Rope"),)),
        Suggestion("Ann", ("White", "Dagger", "Hall"), ("Ben", "Cid")),
        Suggestion("Ann", ("Plum", "Pipe", "Attic"), ("Ben",), (Show("Cid", "Attic"),)),
    ]
    hand = ("Green", "Spanner", "Lounge")
    belief = ForgivingBelief(game, "Ann", hand)
    for event in log:
        belief.tell(event)
    passed = [Fraction(1), *[Fraction(ForgivingBelief.overlooked)] * 3]
    seen = [Fraction(ForgivingBelief.misread)] * 3 + [Fraction(1, n) for n in (1, 2, 3)]
    evidence = []
    for number, event in enumerate(log, start=1):
        for player in event.passes:
            facts = [is_(card, player) for card in event.cards]
            evidence.append(Evidence(Weigh(facts, passed), number))
        for show in event.shows:
            facts = [is_(card, show.by) for card in event.cards]
            amounts = [3 if card == show.card else 1 for card in event.cards]
            evidence.append(Evidence(Weigh(facts, seen, amounts=amounts), number))
    true = Knowledge(game, [Hand("Ann", hand)])
    expected = Knowledge(true.problem.with_evidence(*evidence)).joint(*game.questions())
    for solution, chance in zip(belief.rests, belief.posterior(), strict=True):
        assert float(expected.get(solution, 0)) == pytest.approx(float(chance), abs=1e-5)
    assert belief.placed() == {}


def test_a_tournament_with_slips(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "results.jsonl")
    words = ("cluedo", "tournament", "random", "not-placed", "most-no", "--games", "3", "--json")
    code, text = run(capsys, *words, "--slips", "0.1", "--out", out)
    assert (code, json.loads(text)["slips"]) == (0, "1/10")
    again = json.loads(run(capsys, *words, "--slips", "0.1", "--out", out)[1])
    for document in (again, first := json.loads(text)):
        for player in document["players"]:  # rounded in the file
            del player["cpu_ms_per_decision"], player["cpu_ms_slowest"]
    assert again == first
    assert run(capsys, *words, "--slips", "0.2", "--out", out)[0] != 0
    assert run(capsys, *words, "--slips", "0.1", "--check")[0] == 2


SMALL = {
    "suspect": ("Plum", "White", "Green", "Mustard"),
    "weapon": ("Rope", "Dagger", "Spanner", "Pipe"),
    "room": ("Hall", "Study", "Lounge", "Attic"),
}


def _game(text: str) -> tuple[Cluedo, tuple[Any, ...]]:
    log = Cluedo.parse_log(text)
    return log.game, log.events


def test_the_forgiving_player_asks_by_what_is_probable() -> None:
    game = Cluedo(("Ann", "Ben", "Cid"), SMALL, hands=(3, 3, 3), me="Ann")
    player = Forgiving(Seat(game, ("Green", "Spanner", "Lounge"), Random(0)))
    assert player.to_ask() is player.supposed
    player.see(Suggestion("Ann", ("Plum", "Rope", "Hall"), ("Ben",), (Show("Cid", "Rope"),)))
    assert player.to_ask() is player.supposed
    assert player.supposed is not None
    # If no answer is wrong, this settles it: but somebody may have overlooked a card.
    player.see(Suggestion("Ann", ("White", "Dagger", "Study"), ("Ben", "Cid")))
    assert player.supposed.best()[1] == 1
    assert player.belief.best()[1] < 1
    assert player.to_ask() is player.belief
    assert not player.wrong
    # Ben showed White, so they overlooked it: no deal is left in which all answers are right.
    player.see(Suggestion("Ann", ("White", "Pipe", "Attic"), (), (Show("Ben", "White"),)))
    assert player.to_ask() is player.supposed
    assert player.wrong == {(1, "Ben")}
    assert player.supposed.certain()["White"] == "Ben"
