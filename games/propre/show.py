"""How the game looks in a terminal: the table, options with their marks, what others may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from deduce.search.solvers.pimc import PimcResult, as_table
from deduce.show.table import Table, percent
from games.propre.cards import RANKS, SUITS, Card, effective, printed
from games.propre.explain import explain_card
from games.propre.game import ChanceGame
from games.propre.hidden import Answer, View
from games.propre.notation import HIDDEN
from games.propre.rules import Rules
from games.propre.state import Option, State

__all__ = [
    "SEEN",
    "YOU",
    "advice_text",
    "answer_table",
    "card_order",
    "card_text",
    "event_text",
    "hand_text",
    "refusals",
    "table_facts",
    "table_text",
    "unseen_table",
]

YOU = "you"
"""What the one person at the table is called."""
SEEN = 8
"""How many cards of the pile are shown."""


def card_text(card: Card) -> str:
    """Return a card as it lies: ``TD``, or ``TD as AD``.

    >>> card_text("TD=AD")
    'TD as AD'
    """
    return card if printed(card) == card else f"{printed(card)} as {effective(card)}"


def hand_text(rules: Rules, state: State) -> str:
    """Return the hand of the player at turn, the cards that may be played in brackets."""
    playable = {option.card for option in rules.options(state)}
    cards = sorted(state.hand, key=card_order)
    return " ".join(f"[{card}]" if card in playable else f" {card} " for card in cards).strip()


def table_text(state: State, *, names: Sequence[str] = ()) -> str:
    """Return the table in a few lines: pile, numbers, hands."""
    pile = [card_text(card) for card in state.pile[-SEEN:]]
    more = len(state.pile) - len(pile)
    lines = [f"pile  {f'({more} below) ' if more else ''}{', '.join(pile)}  <- top"]
    left = len(state.deck) + len(state.stock)
    facts = [f"{left} to draw", *table_facts(state)]
    lines.append(f"      {', '.join(facts)}")
    for seat, hand in enumerate(state.hands):
        mark = ">" if seat == state.active and state.winner < 0 else " "
        name = names[seat] if names else f"seat {seat}"
        said = " (announced)" if state.said and state.said[seat] else ""
        lines.append(f"{mark} {name}: {_cards(hand)}{said}")
    return "\n".join(lines)


def table_facts(state: State) -> list[str]:
    """Return the numbers of section 1, and what else is out of the ordinary.

    >>> table_facts(State(hands=(), pile=(), attack_value=2, bridging=True))
    ['AV 2', 'MV 1', 'clockwise', 'bridging']
    """
    facts = [f"AV {state.attack_value}", f"MV {state.move_value}"]
    facts.append("clockwise" if state.clockwise else "counterclockwise")
    if not state.first_card:
        facts.append("a card is played")
    if not state.require_match:
        facts.append("no match required")
    if state.bridging:
        facts.append("bridging")
    if state.prevent_wins:
        facts.append("wins prevented")
    if state.due:
        facts.append(f"{state.due} due")
    return facts


def refusals(rules: Rules, state: State, card: Card) -> list[str]:
    """Return a line for every option that the card's rank could serve: legal, or why not."""
    lines = []
    for option, failed in explain_card(rules, state, card).items():
        why = "; ".join(map(str, failed))
        lines.append(f"{option}: {why or 'legal'}")
    return lines


def event_text(state: State, step: Option | Card, *, seen: bool, names: Sequence[str]) -> str:
    """Return what happened in a line: an option, or a draw that only its player sees."""
    name = names[state.active]
    s = "" if name == YOU else "s"
    if not isinstance(step, Option):
        return f"{name} draw{s} {step if seen else 'a card'}"
    if step.kind == "swap":
        return f"{name} swap{s} the whole hand: {' '.join(state.hand)}"
    if step.kind != "none":
        return f"{name}: {step}"
    announced = f" and announce{s}" if step.choice else ""
    if not state.first_card:
        return f"{name} end{s} the turn{announced}"
    if state.attack_value:
        return f"{name} take{s} the attack of {state.attack_value}{announced}"
    return f"{name} play{s} no card{announced}"


def unseen_table(view: View) -> Table:
    """Return a line a card that is not seen, and in each column how probable it is to be there."""
    places = list(dict.fromkeys(place for group in view.groups for place in group.places))
    shares = view.knowledge.shares() if view.groups else {}
    rows = [
        [str(card), *(percent(row.get(place, Fraction(0))) for place in places)]
        for card, row in sorted(shares.items(), key=lambda item: card_order(str(item[0])))
    ]
    deals = f"{view.knowledge.count():,}" if view.groups else "1"
    return Table(("card", *places), rows, notes=(f"{deals} deals fit, all equally likely",))


def advice_text(view: View, found: PimcResult[State, Option]) -> str:
    """Return the votes of the sampled worlds for every option, the best first."""
    table = as_table(ChanceGame(view.rules, view.state), found)
    return f"{table}\n{found.worlds} sampled deals; from -1 (lost) to 1 (won)"


def answer_table(answers: Iterable[tuple[str, Answer]]) -> Table:
    """Return how probable it is that the next player can answer, a line for each attack."""
    rows = [
        [
            name,
            str(answer.attack_value),
            f"seat {answer.seat}",
            percent(answer.any_card),
            percent(answer.block),
            percent(answer.attack),
            percent(answer.pass_on),
        ]
        for name, answer in answers
    ]
    head = ("after", "AV", "next", "can answer", "block", "attack on", "pass on")
    return Table(head, rows)


def _cards(hand: Sequence[Card]) -> str:
    if not hand:
        return "no card"
    if HIDDEN in hand:
        return f"{len(hand)} card{'s'[: len(hand) != 1]}"
    return " ".join(sorted(hand, key=card_order))


def card_order(card: Card) -> tuple[int, int]:
    """Return what sorts cards by rank, then suit; unseen ones come first.

    >>> sorted(("TD", "AS", "AH"), key=card_order)
    ['AH', 'AS', 'TD']
    """
    return RANKS.find(card[:1]), SUITS.find(card[-1:])
