"""The game as its users know it: set-up, notation, and the inference as a constraint problem."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar

from attrs import frozen

from deduce.game import Viewer
from deduce.logs.events import Log
from deduce.logs.json_values import parse_json
from deduce.problem import Evidence
from games.pigs import evidence, notation, wording
from games.pigs.events import PUBLIC_EVENTS, PublicEvent
from games.pigs.evidence import role_variable
from games.pigs.notation import check_event_cards, log_from_json
from games.pigs.setup import Setup, roles_of

__all__ = ["Pigs"]


@frozen
class Pigs(Setup):
    r"""A table of pig-slaying as a hidden game: roles and cards follow from a public log.

    The parameters are those of `games.pigs.setup.Setup`. The generic queries of
    `deduce.knowledge.Knowledge` answer questions about roles and about every card; on logs of more
    than about 50 events, `games.pigs.inference.infer` answers those about roles and hands much
    faster (its documentation has the figures).

    Examples
    --------
    >>> import deduce
    >>> text = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends\n"
    >>> k = deduce.read(text, Pigs)
    >>> k.is_certain("role 2=FP"), k.posterior()["role", 3]["FP"]
    (True, Fraction(4096, 6497))
    """

    name: ClassVar[str] = "pigs"
    events: ClassVar[tuple[type[PublicEvent], ...]] = PUBLIC_EVENTS
    reads_documents: ClassVar[bool] = True

    @classmethod
    def random_log(cls, random: Random) -> tuple[Log, None]:
        """Return the public log of the first events of a random game, for ``deduce soak``."""
        from games.pigs.events import public_events
        from games.pigs.setup import random_deal
        from games.pigs.simulation import simulate

        deal = random_deal(random.randint(2, 4), rng=random)
        trace = simulate(deal, limit=random.randint(1, 3), trace=True).trace
        events = public_events(trace)[: random.randint(0, 12)]
        return Log(cls(deal.seats), events), None

    # Logs.

    @classmethod
    def parse_log(cls, text: str) -> Log:
        """Return the log that a text states, in lines or as one JSON document.

        Raises
        ------
        BadInput
            The text cannot be read, or the options of the table contradict each other.
        """
        if text.lstrip().startswith("{"):
            return cls.log_from_json(parse_json(text))
        return notation.parse_log(text, cls)

    @classmethod
    def log_from_json(cls, data: object) -> Log:
        """Return the log that JSON data of the schema ``deduce/pigs-log/1`` describe.

        Raises
        ------
        BadInput
            A field is missing or of the wrong type, or an event cannot be read.
        """
        return log_from_json(data, cls)

    format_log = notation.format_log
    parse_event = staticmethod(notation.parse_event)
    format_event = staticmethod(notation.format_event)

    def check(self, event: PublicEvent) -> None:
        """Raise `BadInput` if the event names a seat or a card that does not exist."""
        for field in ("seat", "target", "source"):
            seat = getattr(event, field, None)
            if seat is not None:
                self.check_seat(seat)
        check_event_cards(event)

    # Deduction.

    def variables(self) -> Mapping[Hashable, Sequence[Hashable]]:
        """Return the roles and the dealt cards."""
        roles = [(role_variable(seat), roles_of(seat)) for seat in self.players]
        return dict(roles) | dict(evidence.dealt_cards(self))

    drawn = evidence.drawn_cards
    rules = evidence.rules

    def evidence(self, log: Sequence[PublicEvent], viewer: Viewer) -> Iterator[Evidence]:
        """Yield what a log, which may stop inside a turn, implies for a viewer.

        A seat knows its own role and cards if it keeps the log (``viewpoint``), else only what is
        public.
        """
        return evidence.evidence(self, log, viewer)

    def seen_event(self, event: PublicEvent, viewer: Viewer) -> PublicEvent:
        """Return the event: all of them are public."""
        return event

    def groups(self) -> Mapping[str, Sequence[Hashable]]:
        """Return the variables under headings."""
        roles = [role_variable(seat) for seat in self.players]
        return {"roles": roles, "dealt cards": list(evidence.dealt_cards(self))}

    def questions(self) -> Sequence[Hashable]:
        """Return what the players want to find out: the roles of all seats but the Master's."""
        return [role_variable(seat) for seat in self.players[1:]]

    # Words.

    say = staticmethod(wording.say)
    say_all = staticmethod(wording.say_all)
    pattern = staticmethod(wording.pattern)
