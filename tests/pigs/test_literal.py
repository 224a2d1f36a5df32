"""The literal reading of the original text: a game for every difference, and generated games.

The differences are the rows of the table in docs/games/pigs.md, section 10.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deduce.constraints import is_
from deduce.errors import BadInput, Contradiction
from deduce.logs.events import Log
from games.pigs.events import Declare, Draw, End, EndTurn, Suspect, Turn, Use
from games.pigs.evidence import role_variable
from games.pigs.game import Pigs
from games.pigs.inference import infer
from games.pigs.notation import format_event, format_log
from games.pigs.proofs import why_impossible
from games.pigs.puzzle import is_puzzle, make_puzzle
from games.pigs.reading import read_turns
from games.pigs.setup import CARDS, LOYAL, MASTER, REBEL, Deal, Role, RuleSet
from games.pigs.simulation import Outcome, simulate
from tests.pigs.strategies import knowledge_of, log_of, logs, parse_log, public_log

LITERAL: RuleSet = "literal"
BOTH: tuple[Role, ...] = (LOYAL, REBEL)


def deal(roles: str, hands: str, pile: str = "DDDDDDDDDDDD") -> Deal:
    """Return the deal of roles like ``MZF`` (each with P behind it) and hands like ``DD KK J``."""
    return Deal(tuple(f"{role}P" for role in roles), tuple(hands.split()), pile)  # type: ignore[misc]


def both(begin: Deal, turns: int) -> tuple[list[str], list[str]]:
    """Return the first turns by the contest's rules and by the literal ones, without draws."""
    return lines(simulate(begin, limit=turns, trace=True)), lines(
        simulate(begin, limit=turns, trace=True, rule_set=LITERAL)
    )


def lines(outcome: Outcome) -> list[str]:
    return [
        format_event(event)
        for event in outcome.trace
        if isinstance(event, Turn | Use | Declare | EndTurn | End)
    ]


def test_an_empty_pile_gives_no_card() -> None:
    begin = deal("MF", "DDDD DDDD", "KJJ")
    contest = simulate(begin, limit=4)
    literal = simulate(begin, limit=4, rule_set=LITERAL)
    assert (contest.drawn, literal.drawn) == (8, 3)
    assert contest.hands == ("DDDDKJJJ", "DDDDJJJJ")
    assert literal.hands == ("DDDDJ", "DDDJ")  # the slash at the default target was dodged


def test_a_reward_is_what_the_pile_still_has() -> None:
    # Three rebels: seat 2 is killed by a volley of the Master when the pile has one card left.
    begin = deal("MFF", "WWWW PPPP DDDD", "DDDDJ")
    begin = attrs.evolve(begin, hands=("WWWW", "KKKK", "DDDD"))
    log = log_of(begin, turns=1, rule_set=LITERAL)
    assert "1 draws 3" in format_log(log.game, log.events)
    log = log_of(attrs.evolve(begin, pile="DDJ"), turns=1, rule_set=LITERAL)
    assert "1 draws 1" in format_log(log.game, log.events)
    assert infer(log).vectors


def test_the_hand_is_looked_through_once() -> None:
    # Behind the slash that is not allowed any more comes a crossbow, which would allow it again.
    contest, literal = both(deal("MF", "KKZD DDDD"), 1)
    assert contest == ["turn 1", "1 uses Z", "1 ends"]  # no enemy has declared
    assert literal == ["turn 1", "1 uses K on 2", "1 uses Z", "1 ends"]
    begin = deal("MF", "DDDD KKZD")
    contest, literal = both(begin, 2)
    assert contest[-5:] == [
        "2 uses K on 1",
        "2 declares rebel",
        "2 uses Z",
        "2 uses K on 1",
        "2 ends",
    ]
    assert literal[-4:] == ["2 uses K on 1", "2 declares rebel", "2 uses Z", "2 ends"]


def test_the_leftmost_card_of_the_kind_leaves_the_hand() -> None:
    # The third slash is reached with the crossbow; the second, which was passed, is discarded.
    begin = deal("MF", "DDDD KKZK", "DDPP")
    ended = simulate(begin, limit=2, rule_set=LITERAL)
    assert ended.hands[1] == "KPP"
    begin = deal("MF", "DDDD KKZD", "DDKP")
    assert simulate(begin, limit=2, rule_set=LITERAL).hands[1] == "DKP"  # not "KDP"


def test_a_slash_reaches_any_distance() -> None:
    contest, literal = both(deal("MZFZ", "DDDD DDDD KDDD DDDD"), 3)
    assert "3 uses K on 1" not in contest
    assert "3 uses K on 1" in literal


def test_a_slash_without_an_enemy_hits_the_next_seat() -> None:
    contest, literal = both(deal("MZF", "DDDD KDDD DDDD"), 2)
    assert contest[-2:] == ["turn 2", "2 ends"]
    assert literal[-4:] == ["turn 2", "2 uses K on 3", "2 declares loyal", "2 ends"]
    _, literal = both(deal("MFZ", "DDDD DDDD KDDD"), 3)
    assert "3 uses K on 1" in literal, "even at the Master"


def test_a_rebel_duels_the_first_enemy() -> None:
    # Seat 3 declares itself loyal by its slash; seat 2 comes before it, the Master after it.
    begin = deal("MFZF", "DDDD DDDD KDDD DDDD", "DDDDDDDDDDFD")
    contest, literal = both(begin, 6)
    assert "2 uses F on 1" in contest
    assert "2 uses F on 3" in literal


def test_suspicion_survives_declaring_and_comes_to_declared_seats() -> None:
    # Seat 2 damages the Master by an invasion, then declares itself loyal by a slash: the Master,
    # who sees no rebel, still duels it by the original text's reading.
    begin = deal("MZF", "DDDD NDDD DDDD", "DDDDDDFDDDDD")
    contest, literal = both(begin, 4)
    assert "1 uses F on 2" in contest
    assert "1 uses F on 2" in literal
    begin = deal("MZF", "DDDD NKDD DDDD", "DDDDDDFDDDDD")
    _, literal = both(begin, 4)
    assert literal.index("2 declares loyal") < literal.index("1 uses F on 2")
    begin = deal("MZF", "DDDD KNDD DDDD", "DDDDDDFDDDDD")
    _, literal = both(begin, 4)
    assert literal.index("2 declares loyal") < literal.index("1 uses F on 2")


def test_a_declared_loyal_fights_the_master() -> None:
    begin = deal("MZF", "DDDD KNKD DDDD", "DDDDDDFDDDDD")
    trace = simulate(begin, limit=4, trace=True, rule_set=LITERAL).trace
    fought = [format_event(event) for event in trace if not isinstance(event, Draw | Suspect)]
    at = fought.index("1 uses F on 2")
    assert fought[at + 1 : at + 3] == ["2 answers K", "1 hit by 2"]
    # An undeclared one refuses, by both readings.
    begin = deal("MZF", "DDDD NKDD DDDD", "DDDDDDFDDDDD")
    trace = simulate(begin, limit=4, trace=True).trace
    fought = [format_event(event) for event in trace if not isinstance(event, Draw | Suspect)]
    assert fought[fought.index("1 uses F on 2") + 1] == "2 hit by 1"


def test_declarations_are_public_events() -> None:
    log = log_of(deal("MZF", "DDDD KDDD DDDD"), turns=2, rule_set=LITERAL)
    assert Declare(2, "loyal") in log.events
    assert infer(log).certain[2] == LOYAL
    text = format_log(log.game, log.events)
    assert text.startswith("pigs 3\nrules literal\npile 12\n")
    assert parse_log(text).game == log.game
    assert parse_log(text).events == log.events
    with pytest.raises(BadInput, match="declares its side now, so this has to be '2 dec"):
        read_turns(parse_log(text.replace("2 declares loyal\n", "")))
    contest = parse_log("pigs 2\nturn 1\n1 declares loyal\n1 ends")
    with pytest.raises(BadInput, match="only under the literal rules"):
        read_turns(contest)


def test_a_slash_at_the_next_seat_shows_nothing_but_the_declaration_does() -> None:
    start = "pigs 2\nrules literal\nturn 1\n1 ends\nturn 2\n2 uses K on 1\n2 declares rebel\n"
    start += "1 hit by 2\n"
    assert infer(parse_log(start + "2 ends")).certain == {2: REBEL}
    text = start.replace("pigs 2", "pigs 3").replace("rebel", "loyal")
    with pytest.raises(BadInput, match="has to be '2 declares rebel'"):
        read_turns(parse_log(text + "2 ends"))  # a loyal would hit seat 3


def test_set_ups_that_contradict_themselves() -> None:
    with pytest.raises(BadInput, match="only under the literal rules"):
        Pigs(3, pile=20)
    with pytest.raises(BadInput, match="'contest' or 'literal'"):
        Pigs(3, rule_set="house")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="a pile of -1"):
        Pigs(3, rule_set=LITERAL, pile=-1)


@given(played=logs(rule_set=LITERAL, pile=40))
def test_the_truth_is_always_possible(played: tuple[Deal, Log]) -> None:
    begin, log = played
    assert begin.roles in infer(log).vectors
    assert log.game.rule_set == LITERAL
    assert parse_log(format_log(log.game, log.events)).events == log.events


@st.composite
def tiny(draw: st.DrawFn) -> tuple[Deal, int, str]:
    """Draw a deal of few types of card, with short hands, and a number of turns."""
    types = draw(st.sampled_from(("KFJ", "KZD", "KND", "WJK", "FNK", "KPW", "KKN", "KZN")))
    letters = st.sampled_from(types)
    size = draw(st.integers(0, 2))
    seats = draw(st.integers(2, 3))
    others: list[Role] = [draw(st.sampled_from((LOYAL, REBEL))) for _ in range(seats - 2)]
    hands = tuple(
        "".join(draw(st.lists(letters, min_size=size, max_size=size))) for _ in range(seats)
    )
    pile = "".join(draw(st.lists(letters, min_size=1, max_size=8)))
    return Deal((MASTER, *others, REBEL), hands, pile), draw(st.integers(1, 5)), types


@given(game=tiny())
def test_inference_agrees_with_the_enumeration_of_all_deals(game: tuple[Deal, int, str]) -> None:
    begin, turns, types = game
    kinds = "".join(sorted(set(types)))
    outcome = simulate(begin, limit=turns, trace=True, rule_set=LITERAL)
    options = {"rule_set": LITERAL, "pile": len(begin.pile)}
    size = len(begin.hands[0])
    log = public_log(outcome.trace, begin.seats, hand=size, **options)
    dealt = size * begin.seats
    assume(len(kinds) ** (dealt + outcome.drawn) <= 3**7)
    weights: Counter[tuple[Role, ...]] = Counter()
    rest = len(begin.pile) - outcome.drawn
    for roles in product(BOTH, repeat=begin.seats - 1):
        if REBEL not in roles:
            continue
        for cards in map("".join, product(kinds, repeat=dealt + outcome.drawn)):
            hands = tuple(cards[k * size : (k + 1) * size] for k in range(begin.seats))
            # What is left of the pile has no say within these turns.
            named: tuple[Role, ...] = (MASTER, *roles)
            other = Deal(named, hands, cards[dealt:] + "D" * rest or "D")
            again = simulate(other, limit=turns, trace=True, rule_set=LITERAL)
            same = public_log(again.trace, begin.seats, hand=size, **options).events == log.events
            weights[other.roles] += same
    log = attrs.evolve(
        log, game=attrs.evolve(log.game, weights={card: int(card in kinds) for card in CARDS})
    )
    expected = {roles: weight for roles, weight in weights.items() if weight}
    assert infer(log).vectors == expected


def test_an_impossible_log_names_the_events_that_clash() -> None:
    log = parse_log(
        "pigs 2\nrules literal\nturn 1\n1 ends\nturn 2\n2 ends\nturn 1\n1 uses K on 2\n2 hit by 1\n"
        "1 uses K on 2\n2 hit by 1\n1 ends"
    )
    with pytest.raises(BadInput, match="has used its slash"):
        infer(log)
    log = parse_log(
        "pigs 2\nrules literal\nhand 0\npile 1\nturn 1\n1 ends\nturn 2\n2 uses N\n1 ends"
    )
    with pytest.raises(BadInput):
        infer(log)
    log = parse_log(
        "pigs 2\nrules literal\nturn 1\n1 uses N\nat 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\n"
        "1 ends"
    )
    with pytest.raises(Contradiction):
        infer(log)
    assert why_impossible(log).events


def test_puzzles_state_the_rules_and_the_pile() -> None:
    puzzle = make_puzzle(5, seed=3, effort=200, rule_set=LITERAL)
    assert is_puzzle(puzzle.log)
    assert (puzzle.log.game.rule_set, puzzle.log.game.pile) == (LITERAL, 40)
    assert all(str(proof) for proof in puzzle.proofs)


@pytest.mark.parametrize("engine", ["counting", "bits", "cpsat"])
@settings(max_examples=15)
@given(game=tiny())
def test_the_constraint_problem_agrees(engine: str, game: tuple[Deal, int, str]) -> None:
    begin, turns, types = game
    log = log_of(begin, turns=min(turns, 3), rule_set=LITERAL)
    log = attrs.evolve(
        log, game=attrs.evolve(log.game, weights={card: 2 * (card in types) for card in CARDS})
    )
    found = infer(log)
    knowledge = knowledge_of(log, engine=engine)
    if engine == "counting":
        assert knowledge.asker.tally(weighted=True).value.total == found.total
    for seat in log.game.players[1:]:
        for role in (LOYAL, REBEL):
            fact = is_(role_variable(seat), role)
            consistent = knowledge.asker.is_consistent(fact).value
            assert consistent is (role in found.possible[seat - 1])
