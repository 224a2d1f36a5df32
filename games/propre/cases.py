"""Replaying the recorded and the derived cases; every expected field is compared.

The recorded program draws from an endless deck and never offers to block everything (4.4.4), so
its cases are replayed with these readings. A null is an answer too: there is no choice, there are
no options after the end of the game, no win can be forced, or the game is finished (only of an
unfinished game the last state is recorded).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from deduce.errors import BadInput
from deduce.logs.case_forms import of_form, read_forms
from deduce.search import solve
from deduce.testing.cases import Difference, compare
from games.propre.game import OpenGame, open_game
from games.propre.notation import NAMES, state_to_json
from games.propre.rules import Rules, type_2
from games.propre.setup import Option, State

__all__ = ["derived", "games", "options", "solutions", "solved", "transitions"]

Case = Mapping[str, Any]
FIELDS = ("hands", "pile", "active", *NAMES)
"""The fields of a state in the cases."""


FORMS = read_forms("games.propre")
"""The forms of the cases, by their kinds."""


@of_form(FORMS["options"])
def options(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``propre/options`` case: the complete option set."""
    state = _state(case["state"])
    yield from compare("options", _sorted(case["options"]), _kinds(_recorded(state), state))


@of_form(FORMS["derived"])
def derived(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``propre/derived`` case."""
    if not case["pile"]:
        raise BadInput("pile: expected at least one card, not []")
    if case["card"] not in case.get("hand", [case["card"]]):
        raise BadInput(f"card: expected a card of the hand, not {case['card']}")
    kinds = {"block_prompt": _block_prompt, "ace_run": _ace_run}
    yield from kinds[case["kind"]](case)


# Reading a case


def _state(fields: Case) -> State:
    if fields["active"] >= len(fields["hands"]):
        raise BadInput(f"active: {fields['active']} is given, but there is no such hand")
    values = {attribute: fields[name] for name, attribute in NAMES.items()}
    hands = tuple(tuple(hand) for hand in fields["hands"])
    return State(hands, tuple(fields["pile"]), fields["active"], **values)


def _state_fields(state: State) -> dict[str, object]:
    fields = state_to_json(state)
    return {name: fields[name] for name in FIELDS}


def _recorded(state: State) -> Rules:
    return Rules(players=len(state.hands), block_everything=False, endless=True)


def _option(words: Sequence[str], choice: str | None) -> Option:
    kind, card = words if len(words) > 1 else (words[0], "")
    return Option(kind, card, choice or "")


# Answers


def _kinds(rules: Rules, state: State) -> list[list[str]]:
    """Return the options without their choices, each once, in the order of their text."""
    kinds = {(option.kind, option.card) for option in rules.options(state)}
    return sorted([kind, card] if card else [kind] for kind, card in kinds)


def _count(rules: Rules, state: State) -> int:
    """Return how many options the recorded program lists, which counts each of equal cards."""
    held = Counter(state.hand)
    return sum(held[card[0]] if card else 1 for _, *card in _kinds(rules, state))


def _sorted(options: Iterable[Any] | None) -> list[Any] | None:
    """Return options or choices in the order of their text; ``None`` stays ``None``."""
    return None if options is None else sorted(options)


@of_form(FORMS["transitions"])
def transitions(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``propre/transitions`` case, with its draws forced."""
    state = _state(case["state"])
    rules, option = _recorded(state), _option(case["option"], case["sub"])
    choices = list(rules.choices(state, option.kind, option.card))
    yield from compare(
        "sub_options", _sorted(case["sub_options"]), _sorted(None if choices == [""] else choices)
    )
    legal = option in rules.options(state)
    yield from compare("option is legal", expected=True, found=legal)
    if not legal:
        return
    after, drawn = _after(rules, state, option, case["drawn"])
    yield from compare("over", case["over"], after.winner >= 0)
    yield from compare("drawn", len(case["drawn"]), drawn)
    yield from compare("after", case["after"], _state_fields(after))
    next_options = None if after.winner >= 0 else _kinds(rules, after)
    yield from compare("next_options", _sorted(case["next_options"]), next_options)


def _after(rules: Rules, state: State, option: Option, drawn: Sequence[str]) -> tuple[State, int]:
    """Return the state after an option with its draws forced, and how many cards it draws."""
    state = rules.result(state, option)
    due = state.due
    for card in drawn[:due]:
        state = rules.draw(state, card)
    return state, due


@of_form(FORMS["games"])
def games(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``propre/games`` case, move by move."""
    state = _state(case["start"])
    rules = _recorded(state)
    yield from compare("players", case["players"], rules.players)
    for index, move in enumerate(case["moves"]):
        option = _option(move["o"], move["s"])
        if option not in rules.options(state):
            yield Difference(f"move {index}", str(option), "not an option")
            return
        yield from compare(f"move {index} options", move["k"], _count(rules, state))
        state, drawn = _after(rules, state, option, move["d"])
        if drawn != len(move["d"]):
            yield Difference(f"move {index} drawn", len(move["d"]), drawn)
            return
    yield from compare("finished", case["finished"], state.winner >= 0)
    yield from compare("end", case["end"], None if state.winner >= 0 else _state_fields(state))


@of_form(FORMS["solutions"])
def solutions(case: Case) -> Iterator[Difference]:
    """Return what differs in a ``propre/solutions`` case: an open game solved on disk."""
    from deduce.testing.searched import compare_solution

    game = open_game(" ".join(case["deck"]), players=case["players"], hand=case["hand"])
    return compare_solution(game, case)


@of_form(FORMS["solved"])
def solved(case: Case) -> Iterator[Difference]:
    """Yield what differs in a ``propre/solved`` case, with and without 4.4.4."""
    for name, everything in (("spec", True), ("cpp", False)):
        rules = Rules(
            players=case["players"],
            hand=case["hand"],
            deck=case["deck"],
            block_everything=everything,
            swap=case["swap"],
            reshuffle=False,
            ace_suits="".join(dict.fromkeys(card[1] for card in case["deck"])),
        )
        solution = solve(OpenGame(rules), symmetric=True)
        result = solution.result().uninterrupted()
        space, values = solution.space, solution.values
        moves = [len(after) for after in space.children if after]
        won = Counter(value and value[0] for value in values)
        root = [
            [[o.kind, o.card] if o.card else [o.kind], o.choice or None, known.utilities[0]]
            for o, known in result.root_values.items()
        ]
        answers: dict[str, object] = {
            "states": len(space),
            "interior": len(moves),
            "branching": round(sum(moves) / len(moves), 3),
            "value": (values[0] or (None,))[0],
            "dtw": solution.distances[0],
            "root": sorted(root, key=str),
            "active": space.states[0].active,
            "won0": won[1],
            "won1": won[-1],
        }
        expected = {**case[name], "root": sorted(case[name]["root"], key=str)}
        yield from compare(name, expected, answers)


def _block_prompt(case: Case) -> Iterator[Difference]:
    state = State(
        (tuple(case["hand"]), (HAND_OF_ANOTHER,)),
        tuple(case["pile"]),
        attack_value=case["AV"],
        first_card=case["FC"],
    )
    rules, card = Rules(), case["card"]
    offered = rules.blocks_everything(state, card)
    yield from compare("prompt", case["prompt"], offered)
    # In some positions the block itself is not legal; where it is, its choices must agree.
    choices = [option.choice for option in rules.options(state) if option[:2] == ("block", card)]
    if choices:
        yield from compare("choices", ["", "all"] if case["prompt"] else [""], choices)
    normal = rules.result(state, Option("block", card))
    yield from compare("AV_normal", case["AV_normal"], normal.attack_value)
    yield from compare("B_normal", case["B_normal"], normal.bridging)
    whole = rules.result(state, Option("block", card, "all")) if offered else None
    yield from compare("AV_all", case["AV_all"], None if whole is None else whole.attack_value)


HAND_OF_ANOTHER = "KC"
"""Any card, so that the other seat has not won."""


def _ace_run(case: Case) -> Iterator[Difference]:
    state = State(((case["card"], HAND_OF_ANOTHER), (HAND_OF_ANOTHER,)), tuple(case["pile"]),
                  attack_value=case["AV"], first_card=case["FC"])  # fmt: skip
    for name, literal in (("literal_type2", True), ("numeric_only_type2", False)):
        reasons = type_2(case["card"], case["pile"], bridging=False, literal_run=literal)
        yield from compare(name, case[name], bool(reasons))
        # The rules agree: an ace that matches may be played for its suit.
        options = Rules(literal_run=literal).options(state)
        playable = any(option[:2] == ("ace", case["card"]) for option in options)
        yield from compare(f"{name} by the rules", case[name] or case["FC"], playable)
