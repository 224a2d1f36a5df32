"""Views: the table as text and as a picture, options, refusals, and where unseen cards may be.

In the picture, cards are white with dark signs on light and dark pages alike, and suits differ in
shape. The views of states, observations and playthroughs are registered at the end of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from attrs import evolve

from deduce.search.solvers.pimc import PimcResult, as_table
from deduce.show.sheet import grid_of, knowledge_sheet, sheet_html
from deduce.show.svg import (
    FAINT,
    SIDES,
    UNOWNED,
    Markup,
    group,
    legible,
    path,
    picture,
    rect,
    shortened,
    text,
)
from deduce.show.table import Table, percent, side_by_side
from deduce.system.display import register
from deduce.system.text import plural, visible
from games.propre.evidence import AnswerChances, Observation
from games.propre.game import ChanceGame
from games.propre.notation import format_state
from games.propre.playthrough import Playthrough
from games.propre.rules import Rules
from games.propre.setup import HIDDEN, RANKS, SUITS, Card, Option, Saying, State, effective, printed
from games.propre.wording import explain_card

__all__ = [
    "YOU",
    "advice_text",
    "answer_table",
    "card_order",
    "card_svg",
    "card_text",
    "event_text",
    "hand_text",
    "observation_html",
    "refusals",
    "table_facts",
    "table_svg",
    "table_text",
    "unseen_table",
]

YOU = "you"
"""The name of the person at the table."""
PILE_SHOWN = 8
"""How many cards of the pile are shown."""

CARD_WIDTH, CARD_HEIGHT = 34, 48
"""The size of a card in pixels."""
SIGNS = {"D": "♦", "H": "♥", "S": "♠", "C": "♣"}
INKS = {"D": "#a3122f", "H": "#a3122f", "S": "#1b1f24", "C": "#1b1f24"}
NAME_WIDTH = 124
"""The width of the names in pixels."""
HAND_WIDTH = 420
"""The width of a hand in pixels; the cards of larger hands overlap."""


def card_text(card: Card) -> str:
    """Return a card of the pile: ``TD``, or ``TD as AD``.

    >>> card_text("TD=AD")
    'TD as AD'
    """
    return card if printed(card) == card else f"{printed(card)} as {effective(card)}"


def hand_text(rules: Rules, state: State) -> str:
    """Return the hand of the player at turn, the cards that may be played in brackets."""
    playable = {option.card for option in rules.options(state) if option.kind != "try"}
    cards = sorted(state.hand, key=card_order)
    return " ".join(f"[{card}]" if card in playable else f" {card} " for card in cards).strip()


def table_text(state: State, *, names: Sequence[str] = ()) -> str:
    """Return the table in a few lines: pile, numbers, hands.

    Parameters
    ----------
    state
        The state; of a hand with hidden cards only the size is shown.
    names
        The names of the seats; by default ``seat 0`` and so on.
    """
    pile = [card_text(card) for card in state.pile[-PILE_SHOWN:]]
    below = len(state.pile) - len(pile)
    lines = [f"pile  {f'({below} below) ' if below else ''}{', '.join(pile)}  <- top"]
    facts = [f"{len(state.deck) + len(state.stock)} to draw", *table_facts(state)]
    lines.append(f"      {', '.join(facts)}")
    for seat, hand in enumerate(state.hands):
        mark = ">" if seat == state.active and state.winner < 0 else " "
        name = names[seat] if names else f"seat {seat}"
        announced = " (announced)" if state.said and state.said[seat] else ""
        lines.append(f"{mark} {name}: {_hand_cards(hand)}{announced}")
    return "\n".join(lines)


def table_facts(state: State) -> list[str]:
    """Return the numbers of section 1, and the switches that are not as usual.

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
    """Return a line for each option open to the card's rank: legal, or why not."""
    return [
        f"{option}: {'; '.join(map(str, failed)) or 'legal'}"
        for option, failed in explain_card(rules, state, card).items()
    ]


def event_text(
    state: State, step: Option | Card | Saying, *, seen: bool, names: Sequence[str]
) -> str:
    """Return a step of the player at turn in a line: an option, a draw, or what they say.

    Parameters
    ----------
    state
        The state before the step.
    step
        The option, the card that was drawn, or what was said.
    seen
        Whether the card that was drawn is shown.
    names
        The names of the seats.
    """
    name = names[state.active]
    s = "" if name == YOU else "s"
    if isinstance(step, Saying):
        words = visible(f'{name} say{s} "{step.words}"')
        drawn = f" and draw{s} {step.drawn if seen else 'a card'}" if step.drawn else ""
        drawn = f" and desire{s} the card" if step.desired else drawn
        return f"{words}{drawn} ({step.paragraph})" if step.paragraph else words
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


def unseen_table(seen: Observation) -> Table:
    """Return a row for each unseen card with the probability of each place."""
    places = list(dict.fromkeys(place for group in seen.groups for place in group.places))
    shares = seen.knowledge.shares() if seen.groups else {}
    rows = [
        [str(card), *(percent(row.get(place, Fraction(0))) for place in places)]
        for card, row in sorted(shares.items(), key=lambda item: card_order(str(item[0])))
    ]
    deals = seen.knowledge.count() if seen.groups else 1
    note = f"{plural(deals, 'deal')} remain possible, all equally likely"
    note = note if deals > 1 else "1 deal remains possible"
    return Table(("card", *places), rows, notes=(note,))


def advice_text(seen: Observation, advice: PimcResult[State, Option]) -> str:
    """Return the votes of the sampled deals for each option, the best first."""
    note = f"{plural(advice.worlds, 'sampled deal')}; from -1 (lost) to 1 (won)"
    return str(evolve(as_table(ChanceGame(seen.rules, seen.state), advice), notes=(note,)))


def answer_table(answers: Iterable[tuple[str, AnswerChances]]) -> Table:
    """Return the probabilities that the next player can answer, a row for each attack."""
    rows = [
        [
            name,
            str(answer.attack_value),
            f"seat {answer.seat}",
            *map(percent, answer.shares.values()),
        ]
        for name, answer in answers
    ]
    head = ("after", "AV", "next", "can answer", "block", "attack on", "pass on")
    return Table(head, rows)


def _hand_cards(hand: Sequence[Card]) -> str:
    if not hand:
        return "no card"
    if HIDDEN in hand:
        return plural(len(hand), "card")
    return " ".join(sorted(hand, key=card_order))


def card_order(card: Card) -> tuple[int, int]:
    """Return the key that sorts cards by rank, then suit; unseen ones come first.

    >>> sorted(("TD", "AS", "AH"), key=card_order)
    ['AH', 'AS', 'TD']
    """
    return RANKS.find(card[:1]), SUITS.find(card[-1:])


def card_svg(x: float, y: float, card: Card) -> Markup:
    """Return a card with its upper left corner at a point; an unseen one shows its back.

    >>> "TD as AD" in card_svg(0, 0, "TD=AD"), "unseen" in card_svg(0, 0, "??")
    (True, True)
    """
    frame = {"rx": 4, "stroke": UNOWNED}
    if card == HIDDEN or len(card) < 2 or card[1] not in SIGNS:
        back = rect(x, y, CARD_WIDTH, CARD_HEIGHT, fill=SIDES[0], **frame)
        return group(back, title="an unseen card")
    face, counts = printed(card), effective(card)
    shapes = [rect(x, y, CARD_WIDTH, CARD_HEIGHT, fill="#fdfdfb", **frame)]
    for line, shown in enumerate((face, counts) if counts != face else (face,)):
        ink, middle = INKS[shown[1]], x + CARD_WIDTH / 2
        sign = f"{'=' * line}{shown[0].replace('T', '10')}{SIGNS[shown[1]]}"
        shapes.append(text(middle, y + 20 + 19 * line, sign, size=14 - line, fill=ink))
    title = face if counts == face else f"{face} as {counts}"
    return group(*shapes, title=title, data_card=face)


def _cards(x: float, y: float, cards: Sequence[Card]) -> Iterator[Markup]:
    step = min(CARD_WIDTH + 3.0, (HAND_WIDTH - CARD_WIDTH) / max(len(cards) - 1, 1))
    for index, card in enumerate(cards):
        yield card_svg(x + index * step, y, card)


def table_svg(state: State, *, names: Sequence[str] = ()) -> Markup:
    """Return the table as a picture: pile and stock at the top, below them each seat's hand.

    Parameters
    ----------
    state
        The state; hidden cards show their backs.
    names
        The names of the seats.

    Examples
    --------
    >>> state = State(hands=(("2H", "6H"), ("??",)), pile=("AS",))
    >>> table_svg(state).count('data-card="2H"'), table_svg(state).count("unseen")
    (1, 1)
    """
    pile, to_draw = state.pile[-PILE_SHOWN:], len(state.deck) + len(state.stock)
    shapes = [text(8, 34, "pile", size=14, anchor="start"), *_cards(NAME_WIDTH, 6, pile)]
    below = len(state.pile) - len(pile)
    if below:
        shapes.append(text(8, 50, f"{below} below", size=11, anchor="start", opacity=FAINT))
    if to_draw:
        shapes.append(card_svg(HAND_WIDTH + NAME_WIDTH - CARD_WIDTH, 6, HIDDEN))
        x = HAND_WIDTH + NAME_WIDTH - CARD_WIDTH - 6
        shapes.append(text(x, 34, f"{to_draw} to draw", size=12, anchor="end"))
    shapes.append(text(8, 76, ", ".join(table_facts(state)), size=12, anchor="start"))
    y = 90.0
    for seat, hand in enumerate(state.hands):
        shapes += _seat(state, seat, names[seat] if names else f"player {seat + 1}", hand, y)
        y += CARD_HEIGHT + 8
    return picture(
        NAME_WIDTH + HAND_WIDTH + 8,
        y,
        *shapes,
        title="Propreantepenultimate Card",
        desc=format_state(state),
    )


def observation_html(seen: Observation) -> str:
    """Return what a player sees: the table, and the shaded probabilities of the unseen cards.

    >>> from games.propre.notation import parse_position
    >>> rules, state = parse_position("hands 2H 5D 7C 9S TS JD KC / 7; pile 4H")
    >>> "38,320,568 deals" in observation_html(Observation.of(rules, state, 0))
    True
    """
    table = table_svg(seen.state)
    if not seen.groups:
        return table
    known = seen.knowledge
    sheet = knowledge_sheet(known, grid_of(known))
    return side_by_side(table, sheet_html(evolve(sheet, title=plural(known.count(), "deal"))))


def _seat(state: State, seat: int, name: str, hand: Sequence[Card], y: float) -> Iterator[Markup]:
    if state.winner == seat:
        yield text(8, y + 44, "has won", size=11, anchor="start")
    elif seat == state.active and state.winner < 0:
        yield path(f"M 4 {y + 17:g} l 9 6 l -9 6 Z")
    if state.said and state.said[seat]:
        yield text(18, y + 44, "announced", size=11, anchor="start")
    yield text(18, y + 28, shortened(name, 11), size=14, anchor="start", title=legible(name))
    if hand:
        yield from _cards(NAME_WIDTH, y, sorted(hand, key=card_order))
    else:
        yield text(NAME_WIDTH, y + 28, "no card", size=13, anchor="start", opacity=FAINT)


register(State, text=table_text, html=table_svg)
register(
    Observation,
    text=lambda seen: f"{table_text(seen.state)}\n{unseen_table(seen)}",
    html=observation_html,
)
register(Playthrough, text=lambda game: str(game.state), html=lambda game: table_svg(game.state))
