"""The rates of slips, learnt from finished logs in which the truth is known.

The truth is what hands, notes that all players know and correct accusations determine; every
answer of the log is compared with it. A rate is the number of slips among the occasions, with the
declared rate counted as `PRIOR` occasions, so that a few logs change it a little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random

from attrs import define, evolve, field

from deduce.cli.output import print_answer
from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.logs.events import Log, read_log
from deduce.show.table import Table, percent
from deduce.system.files import read_text
from deduce.system.text import plural
from games.cluedo.events import Accusation, Hand, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.players.referee import credited_to
from games.cluedo.simulation import opening
from games.cluedo.slips import RATES

__all__ = ["Slips", "counted", "learned", "learning_fault", "truth_of"]


PRIOR = 100
"""How many occasions the declared rates count as."""


@define
class Slips:
    """How often each kind of slip occurred, and how often it could have."""

    slips: dict[str, int] = field(factory=lambda: dict.fromkeys(RATES, 0))
    occasions: dict[str, int] = field(factory=lambda: dict.fromkeys(RATES, 0))

    def add(self, kind: str, *, slipped: bool) -> None:
        """Count an occasion."""
        self.occasions[kind] += 1
        self.slips[kind] += slipped

    def rates(self) -> Mapping[str, Fraction]:
        """Return the rate of each kind.

        >>> str(Slips().rates()["pass"])
        '1/300'
        """
        return {
            kind: (self.slips[kind] + PRIOR * declared) / (self.occasions[kind] + PRIOR)
            for kind, declared in RATES.items()
        }


def truth_of(log: Log) -> Mapping[str, str]:
    """Return the deal that the hands and the correct accusation of a finished log determine.

    Raises
    ------
    BadInput
        They do not determine it, or contradict each other.
    """
    told = [
        e for e in log.events if isinstance(e, Hand) or (isinstance(e, Accusation) and e.correct)
    ]
    knowledge = Knowledge.of(Log(log.game, tuple(told)))
    try:
        certain = knowledge.certain()
    except Contradiction:
        raise BadInput("its hands and its correct accusation contradict each other") from None
    if len(certain) < len(log.game.dealt):
        raise BadInput(
            "it does not show every hand; add a line for each player: 'hand Ann: rope, hall'"
        )
    return {str(card): str(holder) for card, holder in certain.items()}


def counted(log: Log, slips: Slips) -> None:
    """Count the slips of a finished log.

    Raises
    ------
    BadInput
        The truth is not known.
    """
    game, truth = log.game, truth_of(log)
    before: str | None = None
    out: set[str] = set()
    for event in log.events:
        if isinstance(event, Accusation) and not event.correct:
            out.add(event.by)
        if not isinstance(event, Suggestion):
            continue
        if before is not None and event.by != before:
            expected = next((p for p in game.after(before) if p not in out), event.by)
            slips.add("missing", slipped=event.by != expected)
        before = event.by
        for kind, slipped in _compared(game, truth, event):
            slips.add(kind, slipped=slipped)


def _compared(
    game: Cluedo, truth: Mapping[str, str], event: Suggestion
) -> Iterator[tuple[str, bool]]:
    """Yield the occasions of an event, each with whether the slip occurred."""
    named = [card for card in event.cards if card not in game.face_up]
    misnamed = False
    for player in event.passes:
        holds = any(truth[card] == player for card in named)
        if holds:
            yield "pass", True
    for show in event.shows:
        holds = any(truth[card] == show.by for card in named)
        yield from (("pass", False),) if holds else ()
        beside = credited_to(game, evolve(event, shows=(show,)))
        elsewhere = any(truth[card] == other for card in named for other in beside)
        yield "neighbour", not holds and elsewhere
        if show.card is None:
            yield "show", not holds
        else:
            yield "card", holds and truth[show.card] != show.by
        misnamed |= not holds and not elsewhere
    yield "name", misnamed


def learned(paths: Sequence[str], *, as_json: bool) -> None:
    """Print the rates that finished logs show."""
    slips = Slips()
    for path in paths:
        text, source = read_text(path)
        log = read_log(text, Cluedo, source=source)
        try:
            counted(log, slips)
        except BadInput as error:
            raise BadInput(error.message, source=source) from None
    rates = slips.rates()
    option = ",".join(f"{kind}={float(rate):.4g}" for kind, rate in rates.items())
    rows = [
        (kind, str(slips.slips[kind]), str(slips.occasions[kind]), percent(rate))
        for kind, rate in rates.items()
    ]
    notes = (f"learnt from {plural(len(paths), 'log')}; to use them: --slips {option}",)
    document = {
        "schema": "deduce/slips-rates/1",
        "logs": len(paths),
        "rates": {kind: float(rate) for kind, rate in rates.items()},
        "slips": dict(slips.slips),
        "occasions": dict(slips.occasions),
    }
    table = Table(("kind", "slips", "occasions", "rate"), rows, notes=notes)
    print_answer(document, (table,), as_json=as_json)


def learning_fault(log: Log, deal: Mapping[str, str], random: Random) -> str:
    """Return what is wrong with the rates that a true log of a deal shows; empty: nothing.

    A show that is written as a pass is the only slip; seen very often, its rate is its share.
    """
    events = [*log.events, *opening(log.game, deal, random)]
    shown = [n for n, event in enumerate(events) if isinstance(event, Suggestion) and event.shows]
    for n in random.sample(shown, min(len(shown), 1)):
        passes = (*events[n].passes, events[n].shows[0].by)
        events[n] = evolve(events[n], passes=passes, shows=events[n].shows[1:])
    found = Slips()
    counted(Log(log.game, events), found)
    slips = {kind: n for kind, n in found.slips.items() if n and kind != "missing"}
    if slips != ({"pass": 1} if shown else {}):
        return f"one of the shows {shown} is written as a pass, counted is {slips}"
    rows = ({kind: 10**9 * n for kind, n in row.items()} for row in (found.slips, found.occasions))
    often = Slips(*rows)
    for kind, rate in often.rates().items():
        if abs(rate * found.occasions[kind] - found.slips[kind]) > 0.001:
            return f"{kind}: {rate} is learned from {often}"
    return ""
