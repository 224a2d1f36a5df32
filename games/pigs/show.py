"""Views as text, and the registration of all views: a trace, an inference, a timeline, a state.

The pictures show every seat with its role, hit points and cards, and a log over time. A full heart
is a remaining hit point, an empty one a lost hit point. Rebels have a double frame, so that they
can be recognised without colour. `timeline_figure` needs matplotlib (the extra ``plot``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import asdict, frozen

from deduce.show.svg import (
    FAINT,
    Markup,
    group,
    path,
    picture,
    rect,
    shade,
    shortened,
    text,
)
from deduce.show.table import Shade, Table, lines_html, percent
from deduce.system.display import register
from deduce.system.language import Texts
from deduce.system.text import plural
from games.pigs.events import (
    Die,
    Draw,
    End,
    EndTurn,
    Event,
    LoseAll,
    Nullify,
    Reply,
    Reward,
    Turn,
    Use,
)
from games.pigs.evidence import KEPT, role_variable
from games.pigs.inference import ROUTES, Inference, Timeline
from games.pigs.notation import format_event
from games.pigs.proofs import RoleProof
from games.pigs.setup import CARD_NAMES, CARDS, REBEL, ROLE_NAMES, ROLES, Deal, format_deal
from games.pigs.simulation import Outcome, format_outcome

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from deduce.problem import World
    from deduce.show.canvas import Figure
    from deduce.show.sheet import Grid

__all__ = [
    "TIMELINE_TITLE",
    "SeatView",
    "deal_svg",
    "deal_text",
    "format_trace",
    "holdings_table",
    "inference_svg",
    "inference_table",
    "outcome_svg",
    "roles_table",
    "seats_svg",
    "sentence",
    "timeline_figure",
    "timeline_html",
    "timeline_table",
]


WIDE, TALL = 124, 92
"""The size of a seat in pixels."""
MAX_IN_ROW = 3
MAX_CARDS = 14
"""The number of cards of a hand that are written out."""
_say = Texts("pigs", "games")

TIMELINE_TITLE = "Probability of being a rebel; events that change nothing are left out."
INK, FILL = "#00204d", "#7b8fb5"


@frozen
class SeatView:
    """What is visible of one seat.

    Parameters
    ----------
    number
        From 1.
    word
        Its role, the side that it has declared, or what else is known about it.
    rebel
        Whether it is a rebel; ``None``: not known.
    cards
        Its hand, from left to right; ``None``: not shown.
    alive
        Whether it is alive.
    share
        The probability that it is a rebel, drawn as a bar; ``None``: not shown.
    """

    number: int
    word: str = ""
    rebel: bool | None = None
    cards: str | None = None
    alive: bool = True
    share: float | None = None


def seats_svg(seats: Sequence[SeatView], *, title: str, desc: str, below: str = "") -> Markup:
    """Return the seats in order, up to three in a row.

    Examples
    --------
    >>> picture = seats_svg([SeatView(1, "Master", cards="PK")], title="t", desc="d")
    >>> "peach, slash" in picture
    True
    """
    rows = -(-len(seats) // MAX_IN_ROW) or 1
    columns = -(-len(seats) // rows) or 1
    shapes = [
        _seat(seat, 6 + index % columns * (WIDE + 10), 6 + index // columns * (TALL + 10))
        for index, seat in enumerate(seats)
    ]
    width, height = 2 + columns * (WIDE + 10), 2 + rows * (TALL + 10)
    if below:
        shapes.append(text(6, height + 12, below, size=13, anchor="start"))
        width, height = max(width, 12 + 7 * len(below)), height + 22
    return picture(width, height, *shapes, title=title, desc=desc)


def _seat(seat: SeatView, x: float, y: float) -> Markup:
    frame = {"rx": 7, "fill": "none", "stroke": "currentColor"}
    shapes = [rect(x, y, WIDE, TALL, **frame, stroke_width=1.5)]
    if seat.rebel:
        shapes.append(rect(x + 3.5, y + 3.5, WIDE - 7, TALL - 7, **{**frame, "rx": 5}))
    shapes.append(
        text(x + 10, y + 22, f"{seat.number}", size=16, anchor="start", font_weight="bold")
    )
    shapes.append(text(x + WIDE - 10, y + 22, seat.word, size=13, anchor="end"))
    if seat.share is not None:
        shapes += _bar(seat.share, x, y)
    if seat.cards is not None:
        letters = " ".join(seat.cards[:MAX_CARDS]) or "no card"
        more = len(seat.cards) - MAX_CARDS
        names = ", ".join(CARD_NAMES.get(card, card) for card in seat.cards)
        shown = letters if more <= 0 else f"{letters[: 2 * MAX_CARDS - 6]} +{more + 3}"
        small = 12 if len(shown) < 20 else 8
        shapes.append(
            text(x + 10, y + 79, shown, size=small, anchor="start", title=names or "no card")
        )
    if not seat.alive:
        shapes.append(path(f"M {x} {y + TALL} L {x + WIDE} {y}", stroke="currentColor"))
    title = f"seat {seat.number}: {seat.word}" + ("" if seat.alive else ", dead")
    return group(*shapes, title=title, opacity=None if seat.alive else FAINT)


def _bar(share: float, x: float, y: float) -> Iterator[Markup]:
    width = WIDE - 20
    yield rect(x + 10, y + 54, width, 12, fill="none", stroke="currentColor", stroke_width=0.8)
    if share:
        yield rect(x + 10, y + 54, width * float(share), 12, fill=shade(1))


def _desc(seats: Sequence[SeatView]) -> str:
    parts = []
    for seat in seats:
        cards = "" if seat.cards is None else f", {seat.cards or 'no card'}"
        parts.append(f"{seat.number} {seat.word}{'' if seat.alive else ', dead'}{cards}")
    return "; ".join(parts)


def deal_svg(deal: Deal) -> Markup:
    """Return how a game begins: roles, hands, and the pile.

    >>> deal_svg(Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF")).count("seat ")
    2
    """
    seats = [
        SeatView(number, ROLE_NAMES[role], role == REBEL, cards=hand)
        for number, (role, hand) in enumerate(zip(deal.roles, deal.hands, strict=True), 1)
    ]
    below = f"{plural(len(deal.pile), 'card')} in the pile, {shortened(' '.join(deal.pile), 40)}"
    return seats_svg(seats, title="Pig-slaying: a deal", desc=_desc(seats), below=below)


def outcome_svg(outcome: Outcome) -> Markup:
    """Return how a game ended: the living seats and their cards.

    >>> from games.pigs.simulation import simulate
    >>> "the Master wins" in outcome_svg(simulate(Deal(("MP", "FP"), ("PPPP", "KKKK"), "K")))
    True
    """
    seats = [
        SeatView(number, "" if hand is not None else "dead", cards=hand, alive=hand is not None)
        for number, hand in enumerate(outcome.hands, 1)
    ]
    result = {None: "no side has won", REBEL: "the rebels win"}.get(
        outcome.winner, "the Master wins"
    )
    below = f"After {plural(outcome.turns, 'turn')} {result}."
    return seats_svg(seats, title="Pig-slaying: an outcome", desc=below, below=below)


def timeline_html(story: Timeline) -> str:
    r"""Return a heat map: the events that changed a probability against the seats.

    >>> from games.pigs import Pigs, timeline
    >>> "33.3%" in timeline_html(timeline(Pigs.parse_log("pigs 4\nrebels 1\nturn 1\n1 ends")))
    True
    """
    return timeline_table(story)._repr_html_()


def inference_svg(inference: Inference) -> Markup:
    r"""Return the seats, each with its possible roles and a bar: the probability of being a rebel.

    >>> from games.pigs import Pigs, infer
    >>> "50.0%" in inference_svg(infer(Pigs.parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")))
    True
    """
    seats = []
    for number, roles in enumerate(inference.possible, 1):
        share = inference.rebel[number - 1]
        word = ROLE_NAMES[roles[0]] if len(roles) == 1 else f"rebel {percent(share, digits=1)}"
        rebel = roles == (REBEL,) or None
        seats.append(SeatView(number, word, rebel, share=float(share)))
    return seats_svg(seats, title="Pig-slaying: who is a rebel", desc=_desc(seats))


def timeline_figure(story: Timeline) -> Figure:
    r"""Return the probability of being a rebel over the events of a log, with a row for each seat.

    A dot marks the event after which a role was certain; grey lines mark turns.

    Examples
    --------
    >>> from games.pigs import Pigs, timeline
    >>> log = Pigs.parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")
    >>> [axes.get_ylabel() for axes in timeline_figure(timeline(log)).axes]
    ['seat 2', 'seat 3']
    """
    from matplotlib.ticker import MaxNLocator

    from deduce.show.canvas import Figure, words

    seats = range(2, len(story.snapshots[0].rebel) + 1)
    numbers = [snapshot.number for snapshot in story.snapshots]
    turns = [snapshot.number for snapshot in story.snapshots if isinstance(snapshot.event, Turn)]
    certain = {known.seat: known for known in story.certain}
    figure = Figure(figsize=(9, 1.4 + 0.8 * len(seats)))
    rows = figure.subplots(len(seats), 1, sharex=True, squeeze=False)[:, 0]
    for seat, axes in zip(seats, rows, strict=True):
        values = [float(snapshot.rebel[seat - 1]) for snapshot in story.snapshots]
        axes.vlines(turns, 0, 1, color="0.88", linewidth=0.8)
        axes.fill_between(numbers, values, step="post", color=FILL, alpha=0.45, linewidth=0)
        axes.step(numbers, values, where="post", color=INK, linewidth=1.6)
        if seat in certain:
            known = certain[seat]
            axes.plot(known.number, values[known.number], "o", color="black", clip_on=False)
            label = words(f"{ROLE_NAMES[known.role]}: {ROUTES[known.route]}")
            axes.set_title(label, loc="right", fontsize=9, pad=3)
        axes.set(ylim=(0, 1), yticks=(0, 0.5, 1), xlim=(0, max(numbers[-1], 1)))
        axes.set_yticklabels(("0", "", "1"), fontsize=8)
        axes.set_ylabel(f"seat {seat}", rotation=0, ha="right", va="center")
        axes.spines[["top", "right"]].set_visible(False)
    rows[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    rows[-1].set_xlabel("events of the log (grey: a turn begins; dot: the role became certain)")
    figure.suptitle("Probability of being a rebel, from 0 (loyal) to 1 (rebel)", fontsize=11)
    return figure


def sentence(event: Event) -> str:
    """Return what happened as a sentence.

    >>> sentence(Use(3, "K", 4)), sentence(Nullify(2, 2))
    ('3 uses slash on 4', '2 uses nullify: counters level 1 (level 2)')
    """
    kind, words = type(event).__name__.lower(), asdict(event)
    match event:
        case Use(_, card, target):
            kind, words["card"] = "aims" if target else "uses", CARD_NAMES[card]
        case Nullify(_, level):
            kind, words["less"] = "counters" if level > 1 else "shields", level - 1
        case Reply(_, card):
            words["card"] = CARD_NAMES[card]
        case Die(_, role, _):
            words["role"] = ROLE_NAMES[role]
        case Reward(_, number):
            words["n"] = number
        case End(winner):
            kind = "rebels_win" if winner == REBEL else "master_wins"
        case Draw(_, cards):
            words["cards"] = " ".join(cards)
    lost = event.cards if isinstance(event, Die | LoseAll) else None
    said = _say(f"event.{kind}", **words)
    if lost is None:
        return said
    return said + _say("event.lost" if lost else "event.lost_nothing", cards=" ".join(lost))


def format_trace(trace: Iterable[Event]) -> str:
    """Return the events as indented lines: turns, the cards used, and their effects."""
    rows = []
    for event in trace:
        depth = 0 if isinstance(event, Turn | End) else 1
        if not isinstance(event, Turn | EndTurn | Use | End):
            depth = 2
        rows.append("  " * depth + sentence(event) + "\n")
    return "".join(rows)


def inference_table(inference: Inference, *, max_vectors: int = 10) -> Table:
    """Return a table of the seats, then the possible role vectors."""
    rows = []
    for seat, roles in enumerate(inference.possible, 1):
        role = " or ".join(ROLE_NAMES[role] for role in reversed(roles))
        p = inference.rebel[seat - 1]
        rows.append([str(seat), role, percent(p, digits=1), str(p) if p.denominator > 1 else ""])
    count = len(inference.vectors)
    notes = ["", f"{plural(count, 'possible role vector')}, total weight {inference.total}"]
    heaviest = sorted(inference.vectors.items(), key=lambda item: (-item[1], item[0]))
    for roles, weight in heaviest[:max_vectors]:
        letters = "".join(role[0] for role in roles)
        share = percent(Fraction(weight, inference.total), digits=1)
        notes.append(f"  {letters}  {share:>7}  {weight}")
    if count > max_vectors:
        notes.append(f"  ... and {count - max_vectors} less likely ones (--json lists all)")
    return Table(("seat", "role", "rebel", "exactly"), rows, notes=tuple(notes), left=(0, 1))


def timeline_table(story: Timeline) -> Table:
    """Return a row for each event that changed a probability, then when roles became certain."""
    rows, shades = [], []
    for snapshot in story.changes():
        event = "(start)" if snapshot.event is None else format_event(snapshot.event)
        shares = (percent(p, digits=1) for p in snapshot.rebel[1:])
        rows.append([str(snapshot.number), event, *shares])
        shades.append([None, *map(Shade.of, snapshot.rebel[1:])])
    seats = range(2, len(story.snapshots[0].rebel) + 1)
    head = ("event", "", *(f"seat {seat}" for seat in seats))
    certain = tuple(map(str, story.certain))
    return Table(head, rows, TIMELINE_TITLE, certain, left=(0, 1), shades=shades)


def holdings_table(inference: Inference) -> Table:
    """Return the probability that each seat holds at least one of each card."""
    rows = [
        [str(seat), *(percent(inference.holds(seat, card), digits=1) for card in CARDS)]
        for seat in range(1, inference.seats + 1)
    ]
    return Table(("seat", *CARD_NAMES.values()), rows, "\nProbability of holding at least one:")


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
register(Inference, parts=lambda i: [inference_table(i)], html=inference_svg)
register(Timeline, parts=lambda story: [timeline_table(story)], html=timeline_html)
register(RoleProof, html=lambda proof: lines_html(reason.sentence for reason in proof.reasons))
