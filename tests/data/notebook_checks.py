"""Checks of the notebooks: `make docs` runs each of them after the cell that its heading names."""

# ruff: noqa: E402, F821 -- a check sees the names of its notebook, and imports what else it needs.

# %% first-look-8
assert k.count() == 276

# %% first-look-10
assert k.is_certain("conservatory=Dora")
assert k.why("conservatory=Dora").smallest

# %% first-look-15
assert {suspect for suspect, weapon, room in solution} == {"Reverend Green"}
assert len(solution) == 11
assert solution.best() == [("Reverend Green", "Candlestick", "Billiard Room")]
assert 1 / 7 < solution[solution.best()[0]] < 1 / 6

# %% first-look-17
assert later.best() == [("Reverend Green", "Rope", "Billiard Room")]

# %% first-look-19
assert supposed.count() < k.count() == 276

# %% first-look-21
assert public.count() > 1_000_000
assert set(public.certain().items()) <= set(k.certain().items())

# %% first-look-23
assert known[0] == 18
assert len(log) == 22

# %% every-game-4
assert proof.verdict == "certain"

# %% every-game-8
from games.quartets import count_deals

assert "ask Ann for eel or pike (must say yes)" in hints
assert count_deals(session.position.form).total == 3240

# %% every-game-10
assert lost.first_fault() == 24

# %% every-game-12
assert found.certain == {2: "FP", 3: "ZP", 4: "ZP"}

# %% every-game-14
assert silent.rules == ("N1",)

# %% every-game-16
assert middle.counts == (6, 2)

# %% every-game-17
assert str(best.best_action) == "8 SHOOT 1"
assert best.value is None  # two turns ahead prove nothing: an estimate, which says so

# %% every-game-19
assert replay.names == ("alphabeta", "greedy")
assert replay.scores == (7, 0)

# %% every-game-21
assert [str(option) for option in rules.options(state)] == ["none", "attack 2H"]

# %% every-game-23
assert len(solution.space) == 954
assert (first.value, first.distance) == ((1, -1), 3)

# %% every-game-25
assert round(float(answer.any_card), 4) == 0.9768

# %% every-game-27
assert values["tic-tac-toe"] == values["connect four, 4 x 4"] == (0, 0)
assert values["nim 1, 3, 5, 7"] == (-1, 1)  # the first player loses

# %% how-a-detective-thinks-4
assert seen.events == (6,)

# %% how-a-detective-thinks-6
assert shown.events == (4, 12)

# %% how-a-detective-thinks-8
assert murderer.events == (1, 4, 10, 12)
assert any("envelope" in rule for rule in murderer.rules)

# %% how-a-detective-thinks-10
assert longest.claim == "Dora has Conservatory"
assert len(longest.events) == 6

# %% how-a-detective-thinks-12
assert knows(longest.events)
for left_out in longest.events:
    assert not knows([number for number in longest.events if number != left_out])

# %% how-a-detective-thinks-14
assert all(why.smallest for why in proofs)

# %% how-a-detective-thinks-16
assert not early.is_certain(mustard)
assert not early.is_certain(lounge)
assert either.verdict == "certain"

# %% how-a-detective-thinks-18
assert rope.verdict == "open"
assert rope.holds["Rope"] == "envelope" != rope.fails["Rope"]

# %% how-a-detective-thinks-20
assert not wrong.is_consistent()

# %% how-a-detective-thinks-22
assert conflict.repairs
for number in conflict.repairs:
    assert wrong.drop(number).is_consistent()

# %% how-a-detective-thinks-24
assert 15 in conflict.repairs
assert right.is_consistent()

# %% share-and-posterior-7
assert k.shares()["prize"] == {1: Fraction(1, 2), 2: Fraction(1, 2)}
assert k.posterior()["prize"] == {1: Fraction(1, 3), 2: Fraction(2, 3)}

# %% share-and-posterior-10
assert before.count() == 8

# %% share-and-posterior-14
assert after.count() == 4
assert after.shares()["Plum"]["Ben"] == Fraction(1, 2)
assert after.posterior()["Plum"]["Ben"] == Fraction(5, 14)

# %% share-and-posterior-16
assert with_plum / sum(chance.values()) == Fraction(5, 14)

# %% share-and-posterior-18
assert abs(counted - 5 / 14) < 0.02

# %% share-and-posterior-20
assert bystander.shares() == bystander.posterior()

# %% who-knows-what-4
assert cheryl.count() == 10

# %% who-knows-what-7
assert cheryl.tell(does_not_know("Albert", "day")).count() == 10
assert after_albert.count() == 5
assert after_albert.possible()["month"] == {"July", "August"}

# %% who-knows-what-10
assert cheryl_said.certain() == {"month": "July", "day": 16}
assert cheryl_said.why("day=16").events == (1, 2, 3)

# %% who-knows-what-13
assert cheryl_said.upto(2).knows("Albert", "day").number == 1
assert cheryl_said.upto(2).count() == 3

# %% who-knows-what-16
assert before.knows("Ann", knows("Ben", mud)).verdict == "yes"
assert before.common_knowledge(mud).verdict == "no"
assert faces.tell(mud).is_certain(common_knowledge(mud))

# %% who-knows-what-18
assert counts == [15, 11, 5, 1]
assert set(k.certain().values()) == {"muddy"}

# %% who-knows-what-21
assert (deal.count(), told.count()) == (6, 4)
assert [told.knows(who, list(cards)).number for who in players] == [0, 2, 2]

# %% who-knows-what-24
assert told.is_certain(common_knowledge(is_not("Queen", "Ann")))
assert not told.is_possible("knows(ann, queen)")

# %% hall-and-hamming-4
assert valid.form.is_valid

# %% hall-and-hamming-6
assert len(set(witness)) == len(places) == 6
assert all(potential >> card & 1 for potential, card in zip(places, witness, strict=True))

# %% hall-and-hamming-8
assert not invalid.form.is_valid

# %% hall-and-hamming-9
assert len(hall.places) == 4
assert between == ["a1", "a2", "b1"]

# %% hall-and-hamming-11
assert all(served(set(hall.places) - {left_out}) for left_out in hall.places)

# %% hall-and-hamming-13
assert all(exists(state) == hall_holds(state) for state in states)
assert all(exists(state) == (match(state).identities is not None) for state in states)

# %% hall-and-hamming-15
assert (len(invalid_states), len(refuted)) == (265, 169)
assert not any(exists(state) for state in refuted)

# %% hall-and-hamming-17
assert open_to_see.value is hidden.value is False
assert open_to_see.engine == "bounds" != hidden.engine

# %% hall-and-hamming-19
assert found is None

# %% hall-and-hamming-19
assert match(state).hall.places == (4, 5, 6, 7)
assert list(steps.values()) == [7450, 2050, 15, 15]

# %% hall-and-hamming-21
assert match(deck).hall.places == (48, 49, 50, 51)
assert match(deck[:51]).identities is not None

# %% hall-and-hamming-23
assert count_matchings(places) > 0
assert count_matchings(invalid.form.potentials) == 0
assert count_matchings([0b111] * 3) == 6

# %% one-problem-five-engines-4
assert numbers == {24}
assert len({tuple(answer) for answer, _ in possible.values() if isinstance(answer, list)}) == 1

# %% one-problem-five-engines-6
assert answer.value is False
assert answer.engine == "bounds"

# %% one-problem-five-engines-8
assert deals["counting"][0] == evening.count()
assert set(known.values()) == {evening.count()}

# %% one-problem-five-engines-10
solved = decided["cpsat"][0]
assert solved in (True, "Unsupported")  # the latter where CP-SAT is not installed, as in a browser
assert False not in {answer for answer, _ in decided.values()}
assert solved == "Unsupported" or large.is_consistent()

# %% one-problem-five-engines-12
assert text.startswith("c 1 Plum is Ann")
assert "p cnf" in text

# %% roles-over-time-4
assert start.rebel == (0, Fraction(4, 7), Fraction(4, 7), Fraction(4, 7))

# %% roles-over-time-9
assert sentence(k.log[3]) == "2 ends its turn"

# %% roles-over-time-11
assert bayes == then == Fraction(16384, 63259)

# %% roles-over-time-13
assert after[10].rebel[3] == 0
assert why(k.upto(13), 4, "ZP").events == (10,)

# %% roles-over-time-15
assert after[11].rebel[2] > Fraction(94, 100)
assert after[20].rebel[2] > 0
assert after[21].rebel == (0, 1, 0, 0)

# %% roles-over-time-18
assert routes == {4: (10, "declared"), 3: (21, "cards"), 2: (21, "counting")}

# %% roles-over-time-20
assert one.snapshots[0].rebel == (0, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
assert one.snapshots[-1].rebel == story.snapshots[-1].rebel
assert slashes.snapshots[4].rebel != story.snapshots[4].rebel

# %% solving-a-small-game-4
import networkx as nx

assert isinstance(graph, nx.DiGraph)
assert len(graph) == 5478
assert sum(over for _, over in graph.nodes(data="over")) == 958

# %% solving-a-small-game-6
assert len(small) == 765

# %% solving-a-small-game-8
assert root.value == (0, 0)
assert len(root.best_actions) == 9

# %% solving-a-small-game-10
assert answer.value == (0, 0)
assert answer.best_actions == (5,)

# %% solving-a-small-game-12
assert searched.value == root.value
assert searched.nodes < len(graph)

# %% solving-a-small-game-14
assert exceptions == []

# %% solving-a-small-game-16
assert tiny.nodes[tiny.root]["value"] == (1, -1)

# %% solving-a-small-game-18
assert len(space) == 161_029
assert solved.values[0] == (0, 0)

# %% solving-a-small-game-20
assert [own.count(n) for n in (1, -1, 0)] == [38_675, 32_234, 90_120]

# %% your-own-game-5
assert k.count() == 9024

# %% your-own-game-7
assert k.count() == 826
assert len(k.joint("ship of 4")) < len(k.game.places(4))

# %% your-own-game-9
from fractions import Fraction

assert chance("c3") == chance("b3") == 1
assert chance("c2") == 0
assert best == "d3"
assert round(chance(best), 2) == Fraction(70, 100)

# %% your-own-game-sea-2
assert sum(map(chance, fields)) == sum(k.game.ships) == 9

# %% your-own-game-11
assert chance(best) * len(worlds) == hits

# %% your-own-game-13
assert proof.verdict == "certain"
assert len(proof.events) < len(k.log)

# %% your-own-game-15
assert checked.deals == 3

# %% train-a-guesser-2
assert len(list(episode.inquiries())) == 64

# %% train-a-guesser-5
assert sum(fit for fit, *_ in features([("112", (0, 0))])) == 8

# %% train-a-guesser-8
assert all(weights[0] > 3 for trained in runs.values() for weights, _ in trained)

# %% train-a-guesser-11
for trained in runs.values():
    assert sum(sum(won[-100:]) for _, won in trained) > 2 * sum(sum(won[:50]) for _, won in trained)

# %% assistant-5
assert len(face.knowledge.log) == 13
assert not face.knowledge.is_possible("rope=Dora")

# %% assistant-8
assert "certain" in face.still()
assert "Conservatory" in face.still()

# %% assistant-11
assert "contradict" in face.still()

# %% assistant-13
assert len(face.knowledge.log) == 12

# %% assistant-16
assert "After event 4" in face.still()
assert len(face.knowledge.log) == 12

# %% assistant-19
assert "Seat 3: loyal" in pigs.still()

# %% assistant-22
assert "Cid has the turn" in referee.still()

# %% assistant-26
assert "O to move" in board.still()

# %% assistant-29
assert replay._repr_html_().startswith("<")
