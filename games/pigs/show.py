"""Text and pictures for people: the trace of a game, who is who, the story of a log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from deduce.show.table import percent
from deduce.text import aligned
from games.pigs.cards import CARD_NAMES, CARDS, REBEL, ROLE_NAMES
from games.pigs.events import (
    Answer,
    At,
    Declare,
    Die,
    Draw,
    End,
    EndTurn,
    Event,
    Hit,
    LoseAll,
    Nullify,
    Reward,
    Save,
    Suspect,
    Turn,
    Use,
)
from games.pigs.infer import Inference
from games.pigs.notation import format_event
from games.pigs.rules import Table
from games.pigs.timeline import ROUTES, Timeline

__all__ = [
    "TIMELINE",
    "certainties",
    "format_holdings",
    "format_inference",
    "format_timeline",
    "format_trace",
    "sentence",
    "table_text",
]


TIMELINE = "Probability of being a rebel; events that change nothing are left out."
"""The title of a timeline."""


def sentence(event: Event) -> str:
    """Return what happened as a sentence.

    >>> sentence(Use(3, "K", 4)), sentence(Nullify(2, 2))
    ('3 uses slash on 4', '2 uses nullify: counters level 1 (level 2)')
    """
    match event:
        case Turn(seat):
            return f"turn of {seat}"
        case EndTurn(seat):
            return f"{seat} ends its turn"
        case Use(seat, card, None):
            return f"{seat} uses {CARD_NAMES[card]}"
        case Use(seat, card, target):
            return f"{seat} uses {CARD_NAMES[card]} on {target}"
        case At(seat):
            return f"it concerns {seat}"
        case Nullify(seat, 1):
            return f"{seat} uses nullify: shields the target (level 1)"
        case Nullify(seat, level):
            return f"{seat} uses nullify: counters level {level - 1} (level {level})"
        case Answer(seat, card):
            return f"{seat} answers with {CARD_NAMES[card]}"
        case Hit(seat, source):
            return f"{seat} takes 1 damage from {source}"
        case Save(seat):
            return f"{seat} is rescued by a peach of its own"
        case Die(seat, role, cards):
            return f"{seat} dies, a {ROLE_NAMES[role]}{_lost(cards)}"
        case Reward(seat, number):
            return f"{seat} is rewarded with {number} cards"
        case LoseAll(seat, cards):
            return f"{seat} loses hand and crossbow for killing a loyal{_lost(cards)}"
        case End(winner):
            return f"the game is over: {'the rebels win' if winner == REBEL else 'the Master wins'}"
        case Draw(seat, cards):
            return f"{seat} draws {' '.join(cards)}"
        case Declare(seat, side):
            return f"{seat} has declared itself {side}"
        case Suspect(seat):
            return f"{seat} is suspicious now"


def _lost(cards: str | None) -> str:
    return "" if cards is None else f" (lost: {' '.join(cards) or 'nothing'})"


def format_trace(trace: Iterable[Event]) -> str:
    """Return the events as indented lines: turns, what is used, and what comes of it."""
    rows = []
    for event in trace:
        depth = 0 if isinstance(event, Turn | End) else 1
        if not isinstance(event, Turn | EndTurn | Use | End):
            depth = 2
        rows.append("  " * depth + sentence(event) + "\n")
    return "".join(rows)


def format_inference(found: Inference, *, most_vectors: int = 10) -> str:
    """Return a table of the seats, then the possible role vectors."""
    rows = [["seat", "role", "rebel", "exactly"]]
    for seat, roles in enumerate(found.possible, 1):
        role = " or ".join(ROLE_NAMES[role] for role in reversed(roles))
        p = found.rebel[seat - 1]
        rows.append([str(seat), role, percent(p, digits=1), str(p) if p.denominator > 1 else ""])
    number = len(found.vectors)
    text = "\n".join(aligned(rows, left=(0, 1)))
    text += f"\n\n{number} possible role vector{'s' * (number != 1)}, total weight {found.total}\n"
    heaviest = sorted(found.vectors.items(), key=lambda item: (-item[1], item[0]))
    for roles, weight in heaviest[:most_vectors]:
        letters = "".join(role[0] for role in roles)
        text += f"  {letters}  {percent(Fraction(weight, found.total), digits=1):>7}  {weight}\n"
    if number > most_vectors:
        text += f"  ... and {number - most_vectors} less likely ones (--json lists all)\n"
    return text


def format_timeline(story: Timeline) -> str:
    """Return a row for each event that changed a probability, then when roles became certain."""
    seats = range(2, len(story.moments[0].rebel) + 1)
    rows = [["event", "", *(f"seat {seat}" for seat in seats)]]
    last: Sequence[Fraction] = ()
    for moment in story.moments:
        if moment.rebel != last:
            what = format_event(moment.event) if moment.event else "(start)"
            rows.append(
                [str(moment.number), what, *(percent(p, digits=1) for p in moment.rebel[1:])]
            )
        last = moment.rebel
    return "\n".join([TIMELINE, *aligned(rows, left=(0, 1)), *certainties(story), ""])


def certainties(story: Timeline) -> list[str]:
    """Return a sentence for each role that became certain: when, and how."""
    sentences = []
    for known in story.certain:
        role = ROLE_NAMES[known.role]
        when = f" after event {known.number}" if known.number else ""
        sentences.append(f"Seat {known.seat}: {role}, certain{when}: {ROUTES[known.route]}.")
    return sentences


def table_text(table: Table) -> str:
    """Return what everybody sees of a running game, a line a seat.

    >>> print(table_text(Table(2)))
    seat  side        hit points
    1     loyal       4
    2     undeclared  4
    """
    rows = [["seat", "side", "hit points", ""]]
    for seat in range(1, table.players + 1):
        word: str = "suspicious" if table.suspicious[seat] else table.side[seat] or "undeclared"
        word = word if table.alive[seat] else f"{word}, dead"
        rows.append(
            [str(seat), word, str(table.hp[seat]), "crossbow" if table.crossbow[seat] else ""]
        )
    return "\n".join(aligned(rows, left=(0, 1, 2, 3)))


def format_holdings(found: Inference) -> str:
    """Return the probability that each seat holds at least one of each card."""
    rows = [["seat", *CARD_NAMES.values()]]
    rows += [
        [str(seat), *(percent(found.holds(seat, card), digits=1) for card in CARDS)]
        for seat in range(1, found.players + 1)
    ]
    return "\n".join(["Probability of holding at least one:", *aligned(rows), ""])
