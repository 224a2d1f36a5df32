"""The policy that every seat follows, as decisions from what everybody sees and one's own role.

`Table` is the public state (docs/games/pigs.md, section 2) and answers the questions of sections 3
to 6: which cards are usable, who is an enemy, whom a duel hits, who is asked for a nullify and who
fights back. The simulator plays by it and the inference reads logs by it: a rule is written once.
Seats count from 1; index 0 of every list is unused.
"""

from __future__ import annotations

from collections.abc import Iterator

from deduce.display import Displayed
from games.pigs.cards import (
    CROSSBOW,
    DODGE,
    DUEL,
    FULL_HP,
    INVASION,
    LOYAL,
    MASTER,
    PEACH,
    REBEL,
    SIDE_OF,
    SLASH,
    VOLLEY,
    Role,
    Side,
)

__all__ = ["ANSWER", "MOST_SEATS", "Table"]

MOST_SEATS = 10
"""The contest's limit; 2 is the least."""

ANSWER = {INVASION: SLASH, VOLLEY: DODGE, SLASH: DODGE, DUEL: SLASH}
"""The card that answers a card (section 4)."""

ALWAYS_USABLE = CROSSBOW + INVASION + VOLLEY


class Table(Displayed):
    """What everybody sees while a game runs; changed in place by whoever plays or follows it."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.hp = [FULL_HP] * (players + 1)
        self.crossbow = [False] * (players + 1)
        self.alive = [False] + [True] * players
        self.side: list[Side | None] = [None] * (players + 1)
        self.side[1] = "loyal"
        """The side a seat has declared. The Master counts as declared from the start."""
        self.suspicious = [False] * (players + 1)
        """Only undeclared seats are ever suspicious (section 6)."""
        self.next: list[int] = [1, *range(2, players + 1), 1]
        """The next living seat upwards, cyclic; for the dead: from where they sat."""
        self.slashes = 0
        """How many slashes the seat whose turn it is has used in this turn."""

    def __str__(self) -> str:
        """Return a line a seat: the side it has shown, hit points, crossbow, or that it is dead."""
        from games.pigs.show import table_text

        return table_text(self)

    def _repr_html_(self) -> str:
        from games.pigs.page import table_svg

        return table_svg(self)

    def seats_from(self, seat: int) -> Iterator[int]:
        """Yield the living seats upwards, beginning with ``seat`` itself (the order of asking)."""
        yield seat
        other = self.next[seat]
        while other != seat:
            yield other
            other = self.next[other]

    # Section 3: what a seat may use, and on whom.

    def is_enemy(self, role: Role, other: int) -> bool:
        """Return whether a seat of this role sees ``other`` as an enemy."""
        if role == REBEL:
            return self.side[other] == "loyal"
        return self.side[other] == "rebel" or (role == MASTER and self.suspicious[other])

    def may_slash(self, seat: int) -> bool:
        """Return whether the turn allows one more slash."""
        return not self.slashes or self.crossbow[seat]

    def slash_target(self, seat: int, role: Role) -> int | None:
        """Return whom a slash would hit: the next living seat if it is an enemy, else nobody."""
        target = self.next[seat]
        return target if self.is_enemy(role, target) else None

    def duel_target(self, seat: int, role: Role) -> int | None:
        """Return whom a duel would hit: rebels the Master, others their first enemy upwards."""
        if role == REBEL:
            return 1
        other = self.next[seat]
        while other != seat:
            if self.is_enemy(role, other):
                return other
            other = self.next[other]
        return None

    def usable(self, seat: int, role: Role) -> str:
        """Return the card types that the seat could use now in its own turn, in no order.

        >>> Table(3).usable(3, "FP"), Table(3).usable(3, "ZP")
        ('ZNWKF', 'ZNW')
        """
        cards = ALWAYS_USABLE
        if self.hp[seat] < FULL_HP:
            cards += PEACH
        if self.may_slash(seat) and self.slash_target(seat, role):
            cards += SLASH
        if self.duel_target(seat, role):
            cards += DUEL
        return cards

    # Section 4: the one exception to discarding slashes in a duel as long as possible.

    def fights(self, role: Role, opponent: int) -> bool:
        """Return whether a seat of this role discards slashes in a duel with ``opponent``."""
        return not (role == LOYAL and opponent == 1)

    # Section 5: who uses a nullify.

    def shielding_side(self, target: int) -> Side | None:
        """Return the side that shields the target from a trick; nobody does before it declared."""
        return self.side[target]

    def is_asked(self, role: Role, side: Side) -> bool:
        """Return whether a seat of this role uses its nullify when ``side`` is asked."""
        return SIDE_OF[role] == side

    # Section 6: declaring and suspicion.

    def declare(self, seat: int, side: Side) -> bool:
        """Set the side a seat has shown, which ends all suspicion; return whether that is new."""
        if self.side[seat] is not None:
            return False
        self.side[seat] = side
        self.suspicious[seat] = False
        return True

    def suspect(self, seat: int) -> bool:
        """Note that a trick of the seat has damaged the Master; return whether that is news."""
        if self.side[seat] is not None or self.suspicious[seat]:
            return False
        self.suspicious[seat] = True
        return True

    # Section 2: the seats close ranks around the dead.

    def leave(self, seat: int) -> None:
        """Take a dead seat from the table, with its crossbow."""
        self.alive[seat] = self.crossbow[seat] = False
        following = self.next[seat]
        self.next = [following if other == seat else other for other in self.next]
