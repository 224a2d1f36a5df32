"""Who is who: the exact posterior over roles, hands and worlds that a public log leaves.

Every decision of a seat depends on its own role, its own hand and public facts only. So the worlds
that fit a log number the product over the seats of *factors*, one number for each role a seat may
have, restricted to role vectors that leave a living rebel as long as the game goes on. One pass
over the log gives all factors; at most 512 role vectors give the rest (docs/games/pigs.md, 9.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from attrs import field, frozen

from deduce.display import Displayed
from deduce.errors import BadInput, Contradiction
from games.pigs.cards import CARDS, PLAIN_WEIGHTS, REBEL, Role
from games.pigs.census import Factors, Roles, vectors
from games.pigs.facts import Kind, Observation, Standing, roles_of
from games.pigs.follow import follow
from games.pigs.hands import Hands, bits
from games.pigs.log import Log

__all__ = ["Inference", "Seats", "apply", "infer"]


@frozen(slots=False)
class Inference(Displayed):
    """What a log says about roles and cards.

    The prior: role vectors are equally likely among those with the known number of rebels (else:
    at least one); cards are independent with the weights of the log. Uniform over role vectors is
    a choice; a table that deals roles otherwise multiplies `vectors` by its own prior.
    """

    players: int
    factors: Factors
    """For each seat: role -> weighted number of hands with which the seat would have acted as the
    log says; only the known role where the viewpoint knows it."""
    vectors: Mapping[Roles, int]
    """Possible role vector -> weighted number of worlds, in the order of role names."""
    hands: tuple[Mapping[Role, Hands], ...] = field(eq=False, repr=False)
    """The hand filters behind the factors; not to be changed."""

    @cached_property
    def total(self) -> int:
        """The weighted number of worlds; with plain weights the number of worlds."""
        return sum(self.vectors.values())

    @cached_property
    def possible(self) -> tuple[tuple[Role, ...], ...]:
        """For each seat the roles that it has in some world."""
        return tuple(tuple(sorted({v[k] for v in self.vectors})) for k in range(self.players))

    @cached_property
    def certain(self) -> Mapping[int, Role]:
        """Seat -> role, for the seats that have the same role in every world; not the Master."""
        return {
            seat: roles[0]
            for seat, roles in enumerate(self.possible, 1)
            if len(roles) == 1 and seat > 1
        }

    def __str__(self) -> str:
        from games.pigs.show import format_inference

        return format_inference(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from games.pigs.page import inference_svg

        return inference_svg(self)

    def probability(self, seat: int, role: Role) -> Fraction:
        """Return the exact probability that the seat has the role."""
        return Fraction(
            sum(weight for roles, weight in self.vectors.items() if roles[seat - 1] == role),
            self.total,
        )

    @cached_property
    def rebel(self) -> tuple[Fraction, ...]:
        """For each seat the exact probability that it is a rebel."""
        return tuple(self.probability(seat, REBEL) for seat in range(1, self.players + 1))

    def holds(self, seat: int, card: str, *, at_least: int = 1) -> Fraction:
        r"""Return the exact probability that the seat holds so many of the card now.

        Parameters
        ----------
        seat
            The seat.
        card
            A card's letter.
        at_least
            How many of it.

        Raises
        ------
        BadInput
            There is no such seat or card.

        Examples
        --------
        >>> from games.pigs.logtext import parse_log
        >>> infer(parse_log("pigs 3\nturn 1\n1 ends")).holds(3, "J")
        Fraction(1695, 4096)
        """
        if not 1 <= seat <= self.players:
            raise BadInput(f"there is no seat {seat}, only 1 to {self.players}")
        if card not in CARDS or len(card) != 1:
            raise BadInput(f"unknown card {card!r}; cards are {', '.join(CARDS)}")
        answer = Fraction(0)
        for role in self.possible[seat - 1]:
            hands = self.hands[seat - 1][role]
            if at_least == 1:
                share = Fraction(hands.weight() - hands.weight_without(bits(card)), hands.weight())
            else:
                share = Fraction(sum(hands.weights_by_number(card)[at_least:]), hands.weight())
            answer += self.probability(seat, role) * share
        return answer


def infer(log: Log) -> Inference:
    r"""Return what a log of whole turns says about roles and cards.

    Raises
    ------
    BadInput
        The events cannot follow each other, the log stops inside a turn, or the known cards are
        fewer than the seat has drawn.
    Contradiction
        No world fits. `games.pigs.why.why_impossible` tells which events clash.

    Notes
    -----
    Source: docs/games/pigs.md, 9.1. Half a millisecond for a typical whole game,
    some milliseconds for the longest recorded ones.

    Examples
    --------
    >>> from games.pigs.logtext import parse_log
    >>> log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 uses Z\n2 ends"
    >>> found = infer(parse_log(log))
    >>> found.certain, found.probability(3, "FP")
    ({2: 'FP'}, Fraction(4096, 6497))
    """
    facts = follow(log)
    seats = Seats(log)
    for observation in facts.observations:
        seats.tell(observation)
    return seats.answer(facts.standings[-1])


class Seats:
    """The hand filters of all seats, told one observation after the other."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.unknown = bits(card for card, weight in log.weights.items() if weight)
        self.known: dict[int, Iterator[int]] = {}
        """Seats whose cards are known -> their slots in the order of drawing."""
        self.filters: list[dict[Role, Hands]] = []
        view, opened = log.viewpoint, log.open_hands
        for seat in range(1, log.players + 1):
            cards = opened[seat - 1] if opened else None
            roles = roles_of(seat)
            if view is not None and seat == view.seat:
                cards, roles = view.cards, (view.role,)
            if cards is not None:
                self.known[seat] = map(bits, cards)
            weights = log.weights if cards is None else PLAIN_WEIGHTS
            self.filters.append({role: Hands(weights) for role in roles})

    def tell(self, observation: Observation) -> None:
        """Let one observation rule hands out."""
        _, seat, kind, by_role, card, number = observation
        slots = self.slots(seat, number) if number else ()
        for role, hands in self.filters[seat - 1].items():
            apply(hands, kind, by_role[role == REBEL], card, slots)

    def slots(self, seat: int, number: int) -> Sequence[int]:
        """Return the next cards that the seat draws: sets of types, single where known."""
        known = self.known.get(seat)
        if known is None:
            return (self.unknown,) * number
        slots = [slot for _, slot in zip(range(number), known, strict=False)]
        if len(slots) < number:
            raise BadInput(
                f"the known cards of seat {seat} end too early: name every card it has drawn, "
                "dealt ones first"
            )
        return slots

    def factor(self, seat: int) -> Mapping[Role, int]:
        """Return the weight of the seat's hands under each role."""
        return {role: hands.weight() for role, hands in self.filters[seat - 1].items()}

    def factors(self) -> Factors:
        """Return the weight of the hands of each seat under each role."""
        return tuple(self.factor(seat) for seat in range(1, self.log.players + 1))

    def answer(self, standing: Standing) -> Inference:
        """Return what the observations say, given who lives and whether the game goes on.

        Raises
        ------
        Contradiction
            No world fits.
        """
        factors = self.factors()
        found = dict(vectors(factors, standing, self.log.rebels))
        if not found:
            raise Contradiction("no roles and cards fit this log")
        return Inference(
            self.log.players,
            factors,
            found,
            tuple({r: h.copy() for r, h in filters.items()} for filters in self.filters),
        )


def apply(
    hands: Hands, kind: Kind, types: int | None, card: str | None, slots: Sequence[int]
) -> None:
    """Let one observation, as seen under one role, rule hands out."""
    if types is None:
        hands.rule_out()
    elif kind is Kind.LACK:
        hands.lack(types)
    elif kind is Kind.PLAY and card is not None:
        hands.play(card, left=types)
    elif kind is Kind.DRAW:
        hands.draw(slots)
    elif kind is Kind.LOSE:
        hands.lose(card)
