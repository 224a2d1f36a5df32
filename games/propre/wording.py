"""Options as text, and why one is refused: every requirement with its paragraph, one by one.

This is the slow twin of `Rules.options`: an option is offered exactly when each of its
requirements holds, and the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from deduce.errors import BadInput
from deduce.system.text import join, nearest, plural
from games.propre.rules import Rules, is_free, is_third_six, is_type_1, type_2
from games.propre.setup import KINDS, RANK, Card, Option, State, effective, parse_cards

__all__ = [
    "IllegalOption",
    "Requirement",
    "explain",
    "explain_card",
    "parse_option",
    "play",
    "requirements",
]

RANKS_OF = {"attack": (2, 5), "block": (3, 7), "ten": (10,), "jack": (11,), "ace": (1,)}
NAMES = {"attack": "a 2 or a 5", "block": "a 3 or a 7", "ten": "a 10", "jack": "a jack",
         "ace": "an ace"}  # fmt: skip
OPTION = {kind: f"Options 4.{number}" for number, kind in enumerate(KINDS, 1)}
"""The paragraph of each option."""


@frozen
class Requirement:
    """One condition that the specification sets for an option, and whether it holds.

    Examples
    --------
    >>> print(Requirement("Options 4.3.1.2", "it is the last card", holds=False))
    it is the last card (Options 4.3.1.2)
    """

    paragraph: str
    """``Matches``, ``Options`` (the two sections 4), or the bare number elsewhere."""
    sentence: str
    """The reason to refuse the option where the condition does not hold."""
    holds: bool

    def __str__(self) -> str:
        return f"{self.sentence} ({self.paragraph})"


class IllegalOption(BadInput):
    """An option that the specification forbids; ``requirements`` are those that fail."""

    def __init__(self, option: Option, failed: Sequence[Requirement]) -> None:
        super().__init__(f"{option} is refused: {'; '.join(map(str, failed))}")
        self.requirements = tuple(failed)


def play(rules: Rules, state: State, option: Option) -> State:
    """Return the state after an option that is checked first.

    Raises
    ------
    IllegalOption
        With the paragraphs that forbid it.

    Examples
    --------
    >>> rules = Rules(players=2, hand=2, deck=("6H", "2H", "6S", "AH", "9S", "2S"))
    >>> play(rules, rules.deal(rules.deck), Option("normal", "2H", "vertical"))
    Traceback (most recent call last):
    games.propre.wording.IllegalOption: normal 2H vertical is refused: 2H shares neither suit nor
    rank with 9S (Matches 4.1.2)
    """
    failed = explain(rules, state, option)
    if failed:
        raise IllegalOption(option, failed)
    return rules.result(state, option)


def explain(rules: Rules, state: State, option: Option) -> tuple[Requirement, ...]:
    """Return the requirements that an option fails; none: it is legal."""
    return tuple(need for need in requirements(rules, state, option) if not need.holds)


def explain_card(rules: Rules, state: State, card: Card) -> dict[Option, tuple[Requirement, ...]]:
    """Return, for each option open to the card's rank, the requirements that it fails.

    Examples
    --------
    >>> rules = Rules(players=2, hand=2, deck=("6H", "2H", "6S", "AH", "9S", "2S"))
    >>> for option, failed in explain_card(rules, rules.deal(rules.deck), "2H").items():
    ...     print(option, "-", *failed or ("legal",))
    attack 2H - legal
    normal 2H - 2H shares neither suit nor rank with 9S (Matches 4.1.2)
    """
    kinds = [kind for kind, ranks in RANKS_OF.items() if RANK[card] in ranks]
    failed = {}
    for kind in (*kinds, "normal"):
        option = Option(kind, card)
        needs = _card_requirements(rules, state, option)
        failed[option] = tuple(need for need in needs if not need.holds)
    return failed


def requirements(rules: Rules, state: State, option: Option) -> Iterator[Requirement]:
    """Yield every requirement of the specification for an option in this state."""
    kind, card, choice = option
    if kind not in KINDS:
        raise BadInput(f"there is no option {kind!r}; there are {', '.join(KINDS)}")
    if kind in ("none", "swap") and card:
        raise BadInput(f"{kind} is played without a card")
    yield from _turn(state)
    if state.winner >= 0 or state.due:
        return
    if kind == "swap":
        yield from _swap(rules, state)
    elif kind == "try":
        yield from _try(rules, state, card)
    elif kind != "none":
        yield from _card_requirements(rules, state, option)
    yield _choice(rules, state, Option(kind, card, choice))


def _turn(state: State) -> Iterator[Requirement]:
    over = f"the game is over, seat {state.winner} has won"
    yield Requirement("3.1.2", over, holds=state.winner < 0)
    due = f"seat {state.active} must still draw {plural(state.due, 'card')}"
    yield Requirement("Options 4.1.2.1", due, holds=not state.due)


def _swap(rules: Rules, state: State) -> Iterator[Requirement]:
    yield Requirement("set-up", "this set-up has no option 2", holds=rules.swap)
    played = "a card has already been played in this turn"
    yield Requirement("Options 4.2.1.1", played, holds=state.first_card)
    attacked = f"{plural(state.attack_value, 'card')} must be drawn (AV is not 0)"
    yield Requirement("Options 4.2.1.2", attacked, holds=not state.attack_value)
    size = len(state.hand)
    laid = (*state.pile, *state.hand)
    enough = max(len(state.deck) + len(state.stock), rules.can_draw(state, laid)) >= size
    few = f"fewer than {plural(size, 'card')} can be drawn"
    yield Requirement("Options 4.2.3, reading 6", few, holds=enough or rules.short_swap)


def _held(state: State, card: Card) -> Requirement:
    sentence = f"{card or 'no card'} is not in the hand of seat {state.active}"
    return Requirement("5.1", sentence, holds=card in state.hand)


def _try(rules: Rules, state: State, card: Card) -> Iterator[Requirement]:
    """Yield what a choice that fails needs to set RM to false (reading 2)."""
    literal = "this set-up has no tries that fail: add literal_rm2=yes"
    yield Requirement("set-up", literal, holds=rules.literal_rm2)
    yield _held(state, card)
    yield Requirement("5.3.1", "no card has been played in this turn", holds=not state.first_card)
    yield Requirement("5.2", "RM is false already", holds=state.require_match)
    if card in RANK:
        match, reasons = _type_2(rules, state, card)
        yield match
        one_off = f"{card} is a type 2 match only because it is one rank off"
        yield Requirement("5.3.4", one_off, holds=is_free(reasons) or not reasons)


def _type_2(rules: Rules, state: State, card: Card) -> tuple[Requirement, tuple[str, ...]]:
    """Return the requirement of a type 2 match, and the paragraphs that make it one."""
    reasons = type_2(card, state.pile, bridging=state.bridging, literal_run=rules.literal_run)
    two = join([effective(below) for below in reversed(state.pile[-2:])])
    sentence = f"it is not the first card of the turn, and {card} is not a type 2 match on {two}"
    return Requirement("Matches 4.2, 5.3.3", sentence, holds=bool(reasons)), reasons


def _card_requirements(rules: Rules, state: State, option: Option) -> Iterator[Requirement]:
    """Yield the requirements of a card played by options 3 to 8, whatever the choice."""
    kind, card, _ = option
    held = _held(state, card)
    yield held
    if not held.holds:
        return
    last, attacked = len(state.hand) == 1, state.attack_value > 0
    if kind != "normal":
        ranked = RANK[card] in RANKS_OF[kind]
        yield Requirement(f"{OPTION[kind]}.1.1", f"{card} is not {NAMES[kind]}", holds=ranked)
        free = not last or (kind == "block" and attacked)
        unless = " and AV is 0" if kind == "block" else ""
        yield Requirement(f"{OPTION[kind]}.1.2", f"it is the last card{unless}", holds=free)
    if kind in ("ace", "normal"):
        paragraph = "Options 4.7.1.3" if kind == "ace" else "Options 4.8.1.1"
        attack = f"{plural(state.attack_value, 'card')} must be drawn (AV is not 0)"
        yield Requirement(paragraph, attack, holds=not attacked)
    require = state.require_match
    if not state.first_card:
        match, reasons = _type_2(rules, state, card)
        yield match
        require = require and (rules.literal_rm2 or not (reasons and is_free(reasons)))
    if kind in ("ten", "normal"):
        third = "two 6s are on top"
        yield Requirement("Matches 4.1.1", third, holds=not is_third_six(card, state.pile))
        matched = is_third_six(card, state.pile) or is_type_1(
            card, state.pile, require_match=require
        )
        top = effective(state.pile[-1])
        apart = f"{card} shares neither suit nor rank with {top}"
        yield Requirement("Matches 4.1.2", apart, holds=matched)
    said = not rules.announce or state.said[state.active] == 2
    silent = f"seat {state.active} had not announced the last card before this turn"
    yield Requirement("6.2", silent, holds=not last or said)


def _choice(rules: Rules, state: State, option: Option) -> Requirement:
    """Return the requirement that the follow-up choice is one that the option allows."""
    choices = rules.choices(state, option.kind, option.card)
    wanted = " or ".join(repr(choice) for choice in choices if choice) or "nothing"
    sentence = f"after {option.kind} the choice is {wanted}, not {option.choice!r}"
    if "" in choices:
        sentence = f"after {option.kind} the only choice is {wanted}, or none"
    paragraph = _CHOICE_PARAGRAPH.get(option.kind) or f"{OPTION[option.kind]}.2"
    return Requirement(paragraph, sentence, holds=option.choice in choices)


_CHOICE_PARAGRAPH = {"none": "6.2", "swap": "Options 4.2.2, reading 5", "block": "Options 4.4.4",
                     "try": "5.4"}  # fmt: skip


def parse_option(text: str, rules: Rules, state: State) -> Option:
    """Return the legal option that a text means.

    ``normal TD horizontal`` is the complete form. The kind may be left out where only one fits
    (``TD horizontal``), and the choice where there is only one or it is optional.

    Raises
    ------
    IllegalOption
        The specification forbids it; its paragraphs are named.
    BadInput
        It cannot be read, or may mean several options.

    Examples
    --------
    >>> rules = Rules(hand=2, deck=parse_cards("6H 2H 6S AH 9S 2S"))
    >>> parse_option("2h", rules, rules.deal(rules.deck))
    Option(kind='attack', card='2H', choice='')
    """
    words = text.replace(",", " ").split()
    if not words:
        raise BadInput(f"an option is one of {', '.join(KINDS)}, or a card")
    kind = words[0].casefold()
    kind = {"end": "none", "draw": "none", "pass": "none"}.get(kind, kind)
    if kind in KINDS:
        words = words[1:]
    else:
        kind = ""
    card = ""
    if words and kind not in ("none", "swap"):
        try:
            card = parse_cards(words.pop(0))[0]
        except BadInput as error:
            hint = "" if kind else nearest(text.split()[0], KINDS)
            raise BadInput(
                f"{error.message}; an option begins with one of {', '.join(KINDS)} or a card{hint}"
            ) from None
    elif kind not in ("none", "swap", ""):
        raise BadInput(f"which card? It is written as '{kind} TD'")
    kinds = {kind} if kind else {*KINDS} - {"try"}
    matching = [o for o in rules.options(state) if o.card == card and o.kind in kinds]
    choice = " ".join(words).casefold()
    chosen = [o for o in matching if o.choice.casefold().startswith(choice)]
    if len({o.kind for o in chosen}) == 1:
        chosen = [o for o in chosen if o.choice.casefold() == choice] or chosen
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise BadInput(f"{text!r} may mean {join(list(map(str, chosen)), 'or')}")
    if matching:
        raise BadInput(f"{text!r} is not one of {join(list(map(str, matching)), 'or')}")
    _refuse(rules, state, Option(kind or "normal", card), known_kind=bool(kind))
    raise BadInput(f"{text!r} is not an option here")


def _refuse(rules: Rules, state: State, option: Option, *, known_kind: bool) -> None:
    """Raise `IllegalOption` with the paragraphs that forbid an option, or all of a card's."""
    if known_kind or state.winner >= 0 or state.due:
        # With a choice that fits its kind only the rest is judged.
        chosen = option._replace(choice=rules.choices(state, *option[:2])[0])
        failed: Iterable[Requirement] = explain(rules, state, chosen)
    else:
        refusals = explain_card(rules, state, option.card).values()
        failed = dict.fromkeys(need for needs in refusals for need in needs)
        failed = failed if all(refusals) else ()
        option = option._replace(kind="play")
    if failed:
        raise IllegalOption(option, tuple(failed))
