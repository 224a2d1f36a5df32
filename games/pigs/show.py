"""Views as text, and the registration of all views: a trace, an inference, a timeline, a state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from deduce.show.cells import lines_html
from deduce.show.table import Table, percent
from deduce.system.display import register
from deduce.system.text import aligned, plural
from games.pigs.deals import Deal, format_deal
from games.pigs.events import (
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
    Reply,
    Reward,
    Save,
    Suspect,
    Turn,
    Use,
)
from games.pigs.evidence import KEPT, role_variable
from games.pigs.inference import Inference
from games.pigs.notation import format_event
from games.pigs.pictures import (
    TIMELINE_TITLE,
    deal_svg,
    inference_svg,
    outcome_svg,
    timeline_html,
)
from games.pigs.proofs import RoleProof
from games.pigs.setup import CARD_NAMES, CARDS, REBEL, ROLE_NAMES, ROLES
from games.pigs.simulation import Outcome, format_outcome
from games.pigs.timelines import Timeline

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from deduce.problem import World
    from deduce.show.text import Grid

__all__ = [
    "deal_text",
    "format_holdings",
    "format_inference",
    "format_timeline",
    "format_trace",
    "roles_table",
    "sentence",
]


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
            return f"it reaches {seat}"
        case Nullify(seat, 1):
            return f"{seat} uses nullify: shields the target (level 1)"
        case Nullify(seat, level):
            return f"{seat} uses nullify: counters level {level - 1} (level {level})"
        case Reply(seat, card):
            return f"{seat} answers with {CARD_NAMES[card]}"
        case Hit(seat, source):
            return f"{seat} takes 1 damage from {source}"
        case Save(seat):
            return f"{seat} is rescued by its own peach"
        case Die(seat, role, cards):
            return f"{seat} dies, a {ROLE_NAMES[role]}{_lost(cards)}"
        case Reward(seat, number):
            return f"{seat} is rewarded with {plural(number, 'card')}"
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
    """Return the events as indented lines: turns, the cards used, and their effects."""
    rows = []
    for event in trace:
        depth = 0 if isinstance(event, Turn | End) else 1
        if not isinstance(event, Turn | EndTurn | Use | End):
            depth = 2
        rows.append("  " * depth + sentence(event) + "\n")
    return "".join(rows)


def format_inference(inference: Inference, *, max_vectors: int = 10) -> str:
    """Return a table of the seats, then the possible role vectors."""
    rows = [["seat", "role", "rebel", "exactly"]]
    for seat, roles in enumerate(inference.possible, 1):
        role = " or ".join(ROLE_NAMES[role] for role in reversed(roles))
        p = inference.rebel[seat - 1]
        rows.append([str(seat), role, percent(p, digits=1), str(p) if p.denominator > 1 else ""])
    count = len(inference.vectors)
    text = "\n".join(aligned(rows, left=(0, 1)))
    text += f"\n\n{plural(count, 'possible role vector')}, total weight {inference.total}\n"
    heaviest = sorted(inference.vectors.items(), key=lambda item: (-item[1], item[0]))
    for roles, weight in heaviest[:max_vectors]:
        letters = "".join(role[0] for role in roles)
        text += (
            f"  {letters}  {percent(Fraction(weight, inference.total), digits=1):>7}  {weight}\n"
        )
    if count > max_vectors:
        text += f"  ... and {count - max_vectors} less likely ones (--json lists all)\n"
    return text


def format_timeline(story: Timeline) -> str:
    """Return a row for each event that changed a probability, then when roles became certain."""
    seats = range(2, len(story.snapshots[0].rebel) + 1)
    rows = [["event", "", *(f"seat {seat}" for seat in seats)]]
    for snapshot in story.changes():
        event = format_event(snapshot.event) if snapshot.event else "(start)"
        shares = (percent(p, digits=1) for p in snapshot.rebel[1:])
        rows.append([str(snapshot.number), event, *shares])
    return "\n".join([TIMELINE_TITLE, *aligned(rows, left=(0, 1)), *map(str, story.certain), ""])


def format_holdings(inference: Inference) -> str:
    """Return the probability that each seat holds at least one of each card."""
    rows = [["seat", *CARD_NAMES.values()]]
    rows += [
        [str(seat), *(percent(inference.holds(seat, card), digits=1) for card in CARDS)]
        for seat in range(1, inference.seats + 1)
    ]
    return "\n".join(["Probability of holding at least one:", *aligned(rows), ""])


def roles_table(knowledge: Knowledge, grid: Grid) -> Table:
    """Return a line for each role and each card that may be in a hand, a column for each value.

    Cards that have certainly left the hand, and the fates of cards, are left out.
    """
    values = (*ROLES, *CARDS)
    rows = []
    for variable in grid.possible:
        if _is_shown(variable, grid):
            domain = knowledge.problem.domains[variable]
            cells = (grid.cell(variable, value) if value in domain else "" for value in values)
            rows.append([str(variable), *cells])
    notes = (f"percentages are {grid.kind}",) if grid.numbers else ()
    return Table(("", *values), rows, notes=notes)


def _is_shown(variable: Hashable, grid: Grid) -> bool:
    match variable:
        case ("card", seat, index):
            return KEPT in grid.possible.get(("fate", seat, index), (KEPT,))
        case (kind, *_):
            return kind == "role"
    return False


def deal_text(knowledge: Knowledge, world: World) -> str:
    """Return the roles and the cards of a possible deal on one line, in the order of drawing."""
    parts = []
    for seat in knowledge.game.players:  # type: ignore[attr-defined]
        cards = "".join(card for name, card in world.items() if name[:2] == ("card", seat))
        parts.append(f"{seat} {world[role_variable(seat)]} {cards}".rstrip())
    return "; ".join(parts)


register(Deal, text=lambda deal: format_deal(deal).rstrip("\n"), html=deal_svg)
register(Outcome, text=lambda outcome: format_outcome(outcome).rstrip("\n"), html=outcome_svg)
register(Inference, text=lambda i: format_inference(i).rstrip("\n"), html=inference_svg)
register(Timeline, text=lambda story: format_timeline(story).rstrip("\n"), html=timeline_html)
register(RoleProof, html=lambda proof: lines_html(reason.sentence for reason in proof.reasons))
