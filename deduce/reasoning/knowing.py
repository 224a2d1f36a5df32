"""Who knows what: claims about knowledge, judged among all worlds, and public announcements.

The worlds that are possible by the rules and the public events are listed. A player cannot tell two
of them apart if everything that the player sees is the same in both, and knows what holds in all
worlds that look the same. An event that is public, whether it states a fact or what a player knows,
excludes the worlds in which it does not hold, for all players at once; so the next one is judged
among fewer worlds. Statements of one event are judged together, before any of them excludes a
world. These are public announcements as in dynamic epistemic logic (van Ditmarsch, van der Hoek and
Kooi, *Dynamic Epistemic Logic*, 2007, chapter 4; Plaza, *Logics of public communications*, 1989).

What only the viewer of a log has seen excludes worlds for the viewer alone: it is not part of what
players know of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import groupby, pairwise
from math import prod
from operator import and_
from typing import Any

from attrs import evolve, field, frozen

from deduce.budget import Meter
from deduce.constraints import Claim, Constraint, Knows, Logic, Where, is_epistemic
from deduce.engines.base import Weight
from deduce.engines.core.model import Model
from deduce.engines.core.worlds import MAX_PRODUCT, Column, Left, Mask, View, Worlds, worlds_of
from deduce.errors import BadProblem, Undecided
from deduce.estimates import rounded_percent
from deduce.problem import Evidence, Problem, Sees, World
from deduce.reasoning.queries import Asker, question_of
from deduce.system.display import Displayed
from deduce.system.text import nearest, plural, visible

__all__ = ["Heard", "Judge", "Known", "first_statement", "heard"]

COUNTING = 3_000_000
"""Steps for counting the worlds before they are listed."""


@frozen(eq=False)
class Known(Displayed):
    """Whether a player knows something, as far as the viewer can tell.

    Parameters
    ----------
    claim
        What is claimed of the player, as a sentence.
    probability
        How probable it is; the worlds are weighed as for `Knowledge.posterior`.
    number, of
        In how many of the viewer's worlds it is so, and how many there are.
    """

    claim: str
    probability: Fraction
    number: int
    of: int
    _where: Callable[[], Iterator[World]] = field(repr=False)

    @property
    def verdict(self) -> str:
        """``"yes"``, in every world of the viewer; ``"no"``, in none; or ``"open"``."""
        return "no" if not self.number else "yes" if self.number == self.of else "open"

    def worlds(self) -> Iterator[World]:
        """Yield the worlds of the viewer in which it is so."""
        return self._where()

    def __str__(self) -> str:
        share = f"{self.number:,} of {plural(self.of, 'world')}"
        chance = f"with probability {rounded_percent(self.probability)}%"
        text = {"yes": "yes", "no": "no"}.get(self.verdict, f"in {share}, {chance}")
        return visible(f"{self.claim}: {text}")


class Judge:
    """What holds in the listed worlds of a problem, among those that public events have left.

    Parameters
    ----------
    problem
        Its rules and evidence hold in all worlds.
    meter
        What listing and judging may spend.
    """

    def __init__(self, problem: Problem, meter: Meter) -> None:
        self.problem, self.meter = problem, meter
        self.model = Model(problem, meter)
        if prod(map(len, problem.domains.values())) > MAX_PRODUCT:
            self._check_number()
        self.worlds: Worlds = worlds_of(self.model, meter)
        self._columns: dict[Any, Column] = {}
        self._views: dict[Any, View] = {}

    def _check_number(self) -> None:
        """Raise `Undecided` at once if the worlds can be counted, and are too many to be listed."""
        limit = self.meter.budget.steps
        number: Weight = 0
        with suppress(Undecided):
            budget = self.meter.share(COUNTING).budget
            number = Asker(self.model, budget=budget).total(weighted=False).value
        if limit is not None and number * len(self.model.variables) > limit - self.meter.steps:
            raise Undecided(f"{number:,} worlds are too many to be listed")

    def holding(self, claim: Claim, sees: Sees, among: Mask) -> Mask:
        """Return the worlds in which a claim holds, if those of ``among`` are possible.

        Only the worlds of ``among`` in it are meant.

        Raises
        ------
        BadProblem
            A player of the claim sees nothing that is stated.
        """
        if isinstance(claim, Logic) and is_epistemic(claim):
            parts, low, high = claim.counted
            holds = [(self.holding(part, sees, among) & among, sign) for part, sign in parts]
            return self._counted([m if sign else among ^ m for m, sign in holds], low, high, among)
        if not isinstance(claim, Knows):
            return self.worlds.holding(self.model.compile(claim))
        self.meter.spend(1 + self.worlds.size // 64)
        players = claim.players or tuple(sees)
        views = [self._view(player, sees) for player in players]
        view = views[0] if len(views) == 1 else self.worlds.linked(views, among)
        if claim.claim is not None:
            inside = self.holding(claim.claim, sees, among) & among
            known = inside & self.worlds.known(view, self.worlds.truths(inside), among)
        else:
            known = among
            for asked in claim.asked:
                known = known & self.worlds.known(view, self._answers(asked), among)
        return among & (known ^ self.worlds.all) if claim.negated else known

    def _counted(self, masks: Sequence[Mask], low: int, high: int, among: Mask) -> Mask:
        """Return the worlds that are in between ``low`` and ``high`` of some sets."""
        if low == len(masks) > 0 and high >= low:
            return reduce(and_, masks)
        nothing = among ^ among
        at_least = [among, *[nothing] * (len(masks) + 1)]
        """The worlds that are in at least 0, 1, 2 ... of the sets so far."""
        for mask in masks:
            at_least[1:] = [more | (fewer & mask) for fewer, more in pairwise(at_least)]
        most = at_least[high + 1] if high <= len(masks) else nothing
        return at_least[low] & (most ^ among) if low <= len(masks) else nothing

    def left(self, sees: Sees, claims: Iterable[Claim], among: Mask) -> Mask:
        """Return the worlds that one event with these claims leaves."""
        return reduce(and_, [self.holding(claim, sees, among) for claim in claims], among)

    def stated(self, claim: Claim, among: Mask, mask: Mask) -> Where:
        """Return a claim as a constraint: it excludes the worlds of ``among`` outside a mask."""
        kept = mask | (among ^ self.worlds.all)
        return Where(self.model.variables, Left(self.worlds, kept), str(claim))

    def _view(self, player: Any, sees: Sees) -> View:
        if player not in sees:
            hint = nearest(str(player), map(str, sees))
            raise BadProblem(f"it is not stated what {player!r} sees{hint}")
        things = [self._key(thing) for thing in sees[player]]
        key = tuple(things)
        if key not in self._views:
            self.meter.spend(1 + len(key) * self.worlds.size // 64)
            variables = [self.model.index[of] for kind, of in things if kind == "variable"]
            self._views[key] = self.worlds.view(
                list(map(self._column, things)),
                set(variables) if len(variables) == len(things) else None,
            )
        return self._views[key]

    def _answers(self, asked: Any) -> Column:
        return self._column(self._key(asked))

    def _key(self, asked: Any) -> tuple[str, Any]:
        """Return what is seen or asked in a form that can be looked up."""
        if isinstance(asked, Mapping):
            question = question_of(self.problem, asked)
            return "question", tuple((label, tuple(facts)) for label, facts in question.items())
        return ("claim" if isinstance(asked, Constraint) else "variable"), asked

    def _column(self, key: tuple[str, Any]) -> Column:
        if key not in self._columns:
            kind, asked = key
            if kind == "variable":
                column = self.worlds.column(self.model.index[asked])
            elif kind == "claim":
                column = self.worlds.truths(self.worlds.holding(self.model.compile(asked)))
            else:
                column, is_exact = self.worlds.answers(dict(asked))
                if not is_exact:
                    labels = ", ".join(str(label) for label, _ in asked)
                    raise BadProblem(
                        f"not exactly one of the answers {labels} holds in every world"
                    )
            self._columns[key] = column
        return self._columns[key]


@frozen(eq=False)
class Heard:
    """What all players know after the public events of a log.

    Parameters
    ----------
    judge
        The listed worlds, possible by the rules and by the first events, which state facts only.
    mask
        Those that all events have left.
    pieces
        The public evidence so far.
    stated
        What the statements about knowledge among it exclude, by event and claim.
    """

    judge: Judge
    mask: Mask
    pieces: tuple[Evidence, ...]
    stated: Mapping[tuple[int | None, Claim], Where]

    def told(self, pieces: Sequence[Evidence], sees_at: Callable[[int], Sees]) -> Heard:
        """Return the same after more evidence; ``sees_at`` returns what is seen before an event."""
        mask, stated = self.mask, dict(self.stated)
        for event, group in groupby(pieces, lambda piece: piece.event):
            sees = sees_at(event or 0)
            left = mask
            for piece in group:
                claim = piece.constraint
                holds = self.judge.holding(claim, sees, mask)
                if is_epistemic(claim):
                    stated[event, claim] = self.judge.stated(claim, mask, holds)
                if piece.doubt is None:
                    left = left & holds
            mask = left
        return Heard(self.judge, mask, (*self.pieces, *pieces), stated)

    def judged(self, claim: Claim, sees: Sees) -> Where:
        """Return a claim about what players know now as a constraint."""
        return self.judge.stated(claim, self.mask, self.judge.holding(claim, sees, self.mask))

    def resolved(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Return evidence in which statements about knowledge are the worlds that they leave.

        Raises
        ------
        BadProblem
            Not all players know of a statement.
        """
        return tuple(map(self._resolved, evidence))

    def _resolved(self, piece: Evidence) -> Evidence:
        if not is_epistemic(piece.constraint):
            return piece
        where = self.stated.get((piece.event, piece.constraint))
        if where is None:
            raise BadProblem(f"what a player states about knowledge is public; not so: {piece}")
        return evolve(piece, constraint=where, sentence=str(piece))


def first_statement(pieces: Sequence[Evidence]) -> int:
    """Return how many pieces of evidence come before the first event that must be judged.

    That is one about knowledge, or one in doubt, which excludes no worlds.
    """
    events = [p.event for p in pieces if is_epistemic(p.constraint) or p.doubt is not None]
    return (
        next((i for i, p in enumerate(pieces) if p.event == events[0]), 0)
        if events
        else len(pieces)
    )


def heard(
    rules: Problem, pieces: Sequence[Evidence], sees_at: Callable[[int], Sees], meter: Meter
) -> Heard:
    """Return what all players know after public evidence.

    Cost: the number of worlds that are possible before the first statement about knowledge; for
    each statement, about as much again for each player in it.

    Raises
    ------
    Undecided
        The worlds are too many for the budget.
    """
    number = first_statement(pieces)
    judge = Judge(rules.with_evidence(*pieces[:number]), meter)
    begun = Heard(judge, judge.worlds.all, tuple(pieces[:number]), {})
    return begun.told(pieces[number:], sees_at)
