"""Views of what opponents know: minds, cards to show, accuse or wait, as tables and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import AttrsInstance, asdict, evolve

from deduce.knowledge import Knowledge
from deduce.show.table import Table, percent
from deduce.show.text import Grid
from deduce.system.display import register
from deduce.system.text import join, plural
from games.cluedo.game import viewer_of
from games.cluedo.opponents.accusing import Decision
from games.cluedo.opponents.minds import Mind, Minds, Silence
from games.cluedo.opponents.opponent import Estimate, Opponent
from games.cluedo.opponents.showing import Choice, Showing
from games.cluedo.show import sheet_table

__all__ = [
    "decision_json",
    "decision_tables",
    "mind_sheet",
    "minds_json",
    "minds_tables",
    "showing_json",
    "showing_table",
    "silence_json",
    "silence_table",
]

ROWS = 8
"""How many cards are listed for each opponent."""


def _method(*, drawn: bool, cases: int, complete: bool) -> Iterator[str]:
    """Yield how the numbers were computed."""
    if drawn:
        yield (
            f"estimated from {plural(cases, 'drawn deal')}, with the 95% interval in parentheses; "
            "--samples 0 is exact"
        )
    elif not complete:
        yield (
            f"stopped after {plural(cases, 'case')}; in parentheses, the values that the remaining "
            "cases allow"
        )


def fields_json(value: AttrsInstance) -> dict[str, object]:
    """Return the fields of a value for JSON; estimates with their interval, fractions as text."""
    document = asdict(value, recurse=False)
    for name, field in document.items():
        if isinstance(field, Estimate):
            document[name] = fields_json(field)
        elif isinstance(field, Fraction):
            document[name] = str(field)
    return document


# What the opponents know


def minds_tables(minds: Minds, limit: int = ROWS) -> list[Table]:
    """Return how many solutions remain for each opponent, and which cards each knows."""
    me = viewer_of(minds.knowledge)
    whose = f"What the others know, as far as {me} can tell," if me else "What the players know"
    title = f"{whose} after {plural(len(minds.knowledge.log), 'event')}"
    rows = [
        [mind.player, str(mind.solutions), mind.names.percent(), str(len(mind.sure))]
        for mind in minds.of
    ]
    drawn = [mind for mind in minds.of if mind.drawn]
    notes: list[str] = []
    if drawn:
        notes += _method(drawn=True, cases=drawn[0].cases, complete=minds.complete)
    elif not minds.complete:
        notes.append("stopped early; in parentheses, the values that the remaining cases allow")
    heads = ("", "solutions", "can name it", "certain cards")
    return [
        Table(heads, rows, title, tuple(notes)),
        *(_mind_table(mind, limit) for mind in minds.of),
    ]


def _mind_table(mind: Mind, limit: int) -> Table:
    """Return what one opponent knows of the cards of others."""
    rows = [[card, holder, "certainly"] for card, holder in mind.sure.items()]
    rows += [[card, holder, chance.percent()] for (card, holder), chance in mind.may.items()]
    rest = len(rows) - limit
    notes = (f"and {rest} more; --limit shows them",) if rest > 0 else ()
    if not rows:
        notes = ("no card of another holder",)
    return Table(("card", "holder", "known"), rows[:limit], f"\n{mind.player} knows:", notes)


def silence_table(silence: Silence, limit: int = ROWS) -> Table:
    """Return the solutions, with their probabilities if silence means something, and if not."""
    rows = [
        [", ".join(cards), percent(silence.solutions.get(cards, Fraction(0))), percent(before)]
        for cards in {**silence.solutions, **silence.before}
        if (before := silence.before[cards])
    ]
    notes = [
        f"{player} did not accuse after event {event}; the probability that {player} knew the "
        f"solution by then, without this: {percent(silence.names[player])}"
        for player, event in silence.silent.items()
    ] or ["no other player could have accused so far"]
    if len(rows) > limit:
        notes.append(f"and {len(rows) - limit} more; --limit shows them")
    remain = f"{silence.deals} of {plural(silence.of, 'deal')} remain possible"
    title = f"\nIf players accuse when they are certain, {remain}:"
    return Table(("solution", "probability", "without this"), rows[:limit], title, tuple(notes))


def silence_json(silence: Silence) -> dict[str, object]:
    """Return the field ``rational`` of ``deduce/minds/1``; docs/games/cluedo.md, section 11."""
    return {
        "deals": silence.deals,
        "of": silence.of,
        "silent": [
            {"player": player, "event": event, "names": str(silence.names[player])}
            for player, event in silence.silent.items()
        ],
        "solutions": [
            {"cards": list(cards), "probability": str(p), "before": str(silence.before[cards])}
            for cards, p in silence.solutions.items()
        ],
    }


def minds_json(minds: Minds) -> dict[str, object]:
    """Return the fields of ``deduce/minds/1``; docs/games/cluedo.md, section 11."""
    return {
        "viewer": viewer_of(minds.knowledge),
        "complete": minds.complete,
        "minds": [
            {
                "player": mind.player,
                "solutions": fields_json(mind.solutions),
                "names": fields_json(mind.names),
                "sure": dict(mind.sure),
                "may": [
                    {"card": card, "holder": holder, "known": fields_json(chance)}
                    for (card, holder), chance in mind.may.items()
                ],
                "method": "samples" if mind.drawn else "views",
                "cases": mind.cases,
            }
            for mind in minds.of
        ],
    }


def mind_sheet(opponent: Opponent) -> tuple[Knowledge, Table]:
    """Return what an opponent certainly knows, and its sheet."""
    sure = opponent.sure()
    me = viewer_of(opponent.knowledge)
    by = f"as far as {me} can tell" if me else "as far as all players can tell"
    table = sheet_table(sure, Grid(sure.possible()))
    events = plural(len(opponent.knowledge.log), "event")
    player = opponent.player
    return sure, evolve(
        table,
        title=f"What {player} certainly knows, {by}, after {events}",
        notes=(f"? = open; {player} may know more from the own hand and the cards shown there",),
    )


# Which card to show


def showing_table(showing: Showing) -> Table:
    """Return the cards that may be shown, with the reasons in words."""
    suggester = showing.suggestion.by
    rows = [
        [
            choice.card,
            f"{_bits(choice.bits_left)} bits",
            f"{_bits(choice.tells_bits)} bits",
            str(choice.solutions),
            choice.names.percent(),
            choice.known.percent(),
        ]
        for choice in showing.ranking
    ]
    heads = ("show", "leaves", "reveals", "solutions", "can name it", "known before")
    best = showing.best()
    notes = [f"best: {join([choice.card for choice in best], 'or')}{_why(showing, best)}"]
    notes += [note for choice in showing.ranking for note in _reasons(choice, suggester)]
    notes += _method(drawn=showing.drawn, cases=showing.cases, complete=showing.complete)
    title = f"What {suggester} would know after {', '.join(showing.suggestion.cards)}"
    return Table(heads, rows, title, tuple(notes))


def _bits(estimate: Estimate) -> str:
    value = f"{float(estimate.value):.3f}"
    if estimate.exact:
        return value
    return f"{value} ({estimate.low:.2f} to {estimate.high:.2f})"


def _why(showing: Showing, best: Sequence[Choice]) -> str:
    if len(showing.ranking) == 1:
        return "; no other card fits"
    if len(best) > 1:
        return "; they tie"
    return f"; it gives {showing.suggestion.by} the least information"


def _reasons(choice: Choice, suggester: str) -> Iterator[str]:
    if choice.shown_before is not None:
        yield f"{choice.card}: shown to {suggester} before, in event {choice.shown_before}"
    elif choice.known.value == 1 and choice.known.exact:
        yield f"{choice.card}: {suggester} already knows who has it"
    elif choice.known.value:
        yield f"{choice.card}: {suggester} may already know who has it"
    if choice.names.value:
        can = "can" if choice.names.value == 1 else "may be able to"
        yield f"{choice.card}: {suggester} {can} name the solution then, and win"


def showing_json(showing: Showing) -> dict[str, object]:
    """Return the fields of ``deduce/show-card/1``; docs/games/cluedo.md, section 12."""
    return {
        "to": showing.suggestion.by,
        "suggestion": list(showing.suggestion.cards),
        "method": "samples" if showing.drawn else "views",
        "cases": showing.cases,
        "complete": showing.complete,
        "best": len(showing.best()),
        "cards": [fields_json(choice) for choice in showing.ranking],
    }


# Accuse or wait


def decision_tables(decision: Decision) -> list[Table]:
    """Return what accusing and waiting are worth, and what the rivals may do meanwhile."""
    events = plural(len(decision.knowledge.log), "event")
    rows = [[f"accuse now: {', '.join(decision.best[0])}", percent(decision.now)]]
    rows += [
        [f"wait {plural(turns, 'turn')}, then accuse", wait.percent()]
        for turns, wait in enumerate(decision.waits, start=1)
    ]
    notes = [_verdict(decision)]
    if len(decision.best) > 1:
        notes.append(f"{len(decision.best)} solutions tie for the best")
    if decision.draws and decision.waits and not decision.is_clear:
        notes.append("the difference is within the error; more --samples may decide")
    if decision.draws:
        notes.append(
            f"played on from {plural(decision.draws, 'drawn deal')}, with the 95% interval in "
            "parentheses"
        )
    values = Table(("", "wins"), rows, f"Accuse or wait, after {events}", tuple(notes))
    if not decision.draws:
        return [values]
    rivals = Table(
        ("", "can name it now", "names it first, next turn"),
        [[rival.player, rival.now.percent(), rival.first.percent()] for rival in decision.rivals],
        "\nThe rivals",
        (
            f"a rival names the solution before my next turn: {decision.solved.percent()}"
            if decision.rivals
            else "no other player may accuse",
        ),
    )
    return [values, rivals]


def _verdict(decision: Decision) -> str:
    now = percent(decision.now)
    if decision.now == 1:
        return "accuse: the solution is certain"
    if decision.waits and not decision.draws:
        return "stopped before the first deal was played on; nothing is known about waiting"
    if not decision.waits:
        return f"accuse: there is no other turn, and {now} is more than nothing"
    wait = percent(Fraction(decision.wait.value))
    if decision.accuse:
        return f"accuse: it wins {now} of the time, waiting {wait}"
    return f"wait: it wins {wait} of the time, accusing now {now}"


def decision_json(decision: Decision) -> dict[str, object]:
    """Return the fields of ``deduce/accuse/1``; docs/games/cluedo.md, section 13."""
    return {
        "accuse": decision.accuse,
        "clear": decision.is_clear,
        "best": [list(cards) for cards in decision.best],
        "now": str(decision.now),
        "waits": [fields_json(wait) for wait in decision.waits],
        "turns": decision.turns,
        "solved": fields_json(decision.solved),
        "rivals": [fields_json(rival) for rival in decision.rivals],
        "draws": decision.draws,
        "complete": decision.complete,
    }


register(Minds, parts=minds_tables)
register(Decision, parts=decision_tables)
register(Showing, parts=lambda showing: [showing_table(showing)])
register(Silence, parts=lambda silence: [silence_table(silence)])
