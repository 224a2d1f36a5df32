"""The sentences of the first description of the game, each in a game of a few turns."""

from __future__ import annotations

from random import Random

from games.pigs.setup import parse_deal, random_deal
from games.pigs.show import format_trace
from games.pigs.simulation import Outcome, simulate


def played(*rows: str, pile: str, turns: int) -> Outcome:
    """Return a game from rows such as ``MP KKDD``; the last card of the pile is drawn for ever."""
    hands = [" ".join([row[:2], *row[3:]]) for row in rows]
    text = "\n".join([f"{len(rows)} {len(pile)}", *hands, " ".join(pile)])
    return simulate(parse_deal(text), limit=turns, trace=True)


def story(*rows: str, pile: str, turns: int) -> list[str]:
    """Return the events of a game in words."""
    lines = format_trace(played(*rows, pile=pile, turns=turns).trace).splitlines()
    return [line.strip() for line in lines]


def has(lines: list[str], *expected: str) -> bool:
    """Return whether the lines appear directly one after the other."""
    return any(tuple(lines[i : i + len(expected)]) == expected for i in range(len(lines)))


def test_every_hand_begins_with_four_cards() -> None:
    assert {len(hand) for hand in random_deal(5, rebels=1, rng=Random(0)).hands} == {4}


def test_turns_go_upwards_and_round_the_table() -> None:
    lines = story("MP DDDD", "ZP DDDD", "FP DDDD", pile="D", turns=4)
    assert [line for line in lines if line.startswith("turn")] == [
        "turn of 1", "turn of 2", "turn of 3", "turn of 1",
    ]  # fmt: skip


def test_two_cards_are_drawn_to_the_right_end_of_the_hand() -> None:
    outcome = played("MP DDDD", "FP DDDD", pile="JJD", turns=1)
    assert outcome.hands[0] == "DDDDJJ"


def test_a_used_card_is_gone_and_a_weapon_stays_equipped() -> None:
    outcome = played("MP ZDDD", "FP DDDD", pile="D", turns=1)
    assert outcome.hands[0] == "DDDDD"


def test_cards_are_used_from_the_left() -> None:
    lines = story("MP WNDD", "FP DKDD", pile="D", turns=1)
    used = [line for line in lines if line.startswith("1 uses")]
    assert used == ["1 uses volley", "1 uses invasion"]


def test_one_slash_a_turn_without_a_crossbow_and_any_number_with_one() -> None:
    for weapon, number in (("D", 1), ("Z", 3)):
        lines = story("MP DDDD", f"FP {weapon}KKK", pile="D", turns=2)
        assert lines.count("2 uses slash on 1") == number


def test_a_slash_takes_one_hp_unless_it_is_dodged() -> None:
    lines = story("MP JJJD", "FP KKJJ", pile="J", turns=4)
    assert has(lines, "2 uses slash on 1", "2 has declared itself rebel", "1 answers with dodge")
    assert has(lines, "2 uses slash on 1", "1 takes 1 damage from 2")


def test_a_slash_reaches_only_the_next_living_seat() -> None:
    lines = story("MP DDDD", "FP KDDD", "ZP DDDD", pile="D", turns=2)
    assert "2 uses slash on 1" not in lines


def test_a_death_brings_the_others_nearer() -> None:
    lines = story("MP WWWW", "FP DDDK", "ZP JJJJ", pile="D", turns=2)
    assert "3 dies, a loyal (lost: J J J J)" in lines
    assert "2 uses slash on 1" in lines


def test_a_peach_heals_in_the_own_turn_only_below_four_hp() -> None:
    lines = story("MP PJJJ", "FP KJJJ", pile="J", turns=3)
    assert "1 uses peach" not in lines[: lines.index("turn of 2")]
    assert "1 uses peach" in lines[lines.index("turn of 2") :]


def test_a_peach_saves_at_zero_hp_and_without_one_the_seat_dies() -> None:
    lines = story("MP WWWW", "FP PJJJ", pile="D", turns=2)
    assert has(lines, "2 takes 1 damage from 1", "2 is rescued by its own peach")
    lines = story("MP WWWW", "FP JJJJ", pile="D", turns=2)
    assert has(lines, "2 takes 1 damage from 1", "2 dies, a rebel (lost: J J J J)")


def test_the_first_without_a_slash_loses_the_duel_and_the_target_begins() -> None:
    lines = story("MP DDDD", "FP FKDD", pile="D", turns=2)
    duel = ["2 uses duel on 1", "2 has declared itself rebel"]
    assert has(lines, *duel, "1 takes 1 damage from 2")
    answers = ["1 answers with slash", "2 answers with slash", "1 answers with slash"]
    lines = story("MP KKDD", "FP FKDD", pile="D", turns=2)
    assert has(lines, *duel, *answers, "2 takes 1 damage from 1")


def test_an_invasion_asks_all_others_for_a_slash_and_a_volley_for_a_dodge() -> None:
    lines = story("MP NWPP", "ZP KJJJ", "FP DJJJ", pile="P", turns=1)
    second, third = "it reaches 2", "it reaches 3"
    assert has(lines, "1 uses invasion", second, "2 answers with slash")
    assert has(lines, third, "3 takes 1 damage from 1")
    assert has(lines, "1 uses volley", second, "2 takes 1 damage from 1")
    assert has(lines, third, "3 answers with dodge")


def test_a_nullify_cancels_a_duel_and_can_be_countered() -> None:
    duel = ["2 uses duel on 1", "2 has declared itself rebel"]
    shielded = "1 uses nullify: shields the target (level 1)"
    lines = story("MP JDDD", "FP FDDD", pile="D", turns=2)
    assert has(lines, *duel, shielded, "2 ends its turn")
    lines = story("MP JDDD", "FP JFDD", pile="D", turns=2)
    countered = "2 uses nullify: counters level 1 (level 2)"
    assert has(lines, *duel, shielded, countered, "1 takes 1 damage from 2")


def test_a_nullify_shields_one_target_of_a_trick() -> None:
    lines = story("MP JJDD", "FP NDDD", "ZP DDDD", pile="D", turns=2)
    assert has(lines, "it reaches 3", "3 takes 1 damage from 2", "it reaches 1")
    assert has(lines, "it reaches 1", "1 uses nullify: shields the target (level 1)")


def test_a_second_crossbow_replaces_the_first() -> None:
    outcome = played("MP ZZDD", "FP DDDD", pile="D", turns=1)
    assert outcome.hands[0] == "DDDD"


def test_the_killer_of_a_rebel_draws_three_cards() -> None:
    lines = story("MP WWWW", "FP JJJJ", "FP DDDD", pile="D", turns=1)
    reward = "1 is rewarded with 3 cards"
    assert has(lines, "2 dies, a rebel (lost: J J J J)", reward, "1 draws D D D")


def test_the_master_loses_all_cards_for_killing_a_loyal() -> None:
    outcome = played("MP ZWWW", "ZP JJJJ", "FP DDDD", pile="WD", turns=1)
    assert outcome.hands[:2] == ("", None)
    trace = format_trace(outcome.trace)
    assert "1 loses hand and crossbow for killing a loyal (lost: D)" in trace


def test_the_death_of_the_last_rebel_or_of_the_master_ends_the_game() -> None:
    lines = story("MP WWWW", "FP JJJJ", "ZP DDDD", pile="D", turns=1)
    assert lines[-2:] == ["2 dies, a rebel (lost: J J J J)", "the game is over: the Master wins"]
    lines = story("MP DDDD", "FP NNNN", pile="D", turns=2)
    assert lines[-1] == "the game is over: the rebels win"


def test_a_rebel_is_declared_by_attacking_and_a_loyal_by_attacking_a_rebel() -> None:
    lines = story("MP DDDD", "FP FDDD", "ZP FDDD", pile="D", turns=3)
    assert has(lines, "2 uses duel on 1", "2 has declared itself rebel")
    assert has(lines, "3 uses duel on 2", "3 has declared itself loyal")


def test_a_rebel_that_cannot_reach_the_master_attacks_a_declared_loyal() -> None:
    lines = story("MP DDDD", "FP FDDD", "FP DDKD", "ZP FDDD", pile="D", turns=7)
    assert "3 uses slash on 4" not in lines[: lines.index("4 has declared itself loyal")]
    assert has(lines, "3 uses slash on 4", "3 has declared itself rebel")


def test_a_rebel_shields_a_declared_rebel_and_no_seat_an_undeclared_one() -> None:
    lines = story("MP FDDD", "FP FDDD", "FP JDDD", pile="D", turns=4)
    shield = "3 uses nullify: shields the target (level 1)"
    assert has(lines, "1 uses duel on 2", shield, "3 has declared itself rebel")
    lines = story("MP WDDD", "FP JJJJ", "FP JDDD", pile="D", turns=1)
    assert has(lines, "it reaches 2", "2 takes 1 damage from 1")


def test_who_damages_the_master_by_a_trick_is_suspicious_and_attacked() -> None:
    lines = story("MP KFDD", "ZP NDDD", "FP KDDD", pile="D", turns=4)
    assert has(lines, "1 answers with slash", "2 ends its turn")  # no damage, no suspicion
    lines = story("MP FDDD", "ZP NKDD", "FP KDDD", pile="D", turns=4)
    assert "2 is suspicious now" in lines
    assert has(lines, "1 uses duel on 2", "2 takes 1 damage from 1")  # it keeps its slash


def test_without_an_enemy_slash_and_duel_are_kept() -> None:
    outcome = played("MP KFDD", "FP DDDD", "ZP KFDD", pile="D", turns=3)
    assert outcome.hands[0] == "KFDDDD"
    assert outcome.hands[2] == "KFDDDD"


def test_a_seat_that_dies_in_its_own_turn_stops_playing() -> None:
    lines = story("MP KKKK", "FP FFFF", "FP DDDD", pile="DDDDW", turns=3)
    killed = lines[lines.index("2 dies, a rebel (lost: D D)") :]
    assert killed[1] == "1 is rewarded with 3 cards"
    assert killed[3] == "turn of 3"
