"""The game as a problem of the core: of a log, with evidence for explanations; and of one state.

Variables are the cards, values the players, hand sizes and bounds are Counts. In the problem of a
*log* the values are the players who were *dealt* the cards: a card not yet located is still where
it was dealt, so every statement is a constraint on the deal, and a located card tells nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from deduce.budget import STANDARD, Budget
from deduce.constraints import at_least, at_most, exactly, is_, is_not
from deduce.engines.model import Model
from deduce.errors import BadInput, Contradiction
from deduce.problem import Evidence, Problem, Rule
from deduce.queries import Asker
from deduce.text import join
from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.flow import Masks
from games.quartets.position import Position, start_position, tell
from games.quartets.rules import Quartets
from games.quartets.slots import SlotForm, hand_cards

__all__ = [
    "Names",
    "evidence",
    "form_problem",
    "slot_problem",
    "solve_form",
    "solve_slots",
    "statement_evidence",
]


def evidence(game: Quartets, log: Sequence[Event]) -> Iterator[Evidence]:
    """Yield what each statement says about the deal.

    A losing statement says nothing, since it is undone, unless it is the last of the log: then
    it is in contradiction with the statements before it, which is what the log is asked for.
    """
    position = start_position(game)
    for number, event in enumerate(log, start=1):
        try:
            following = tell(game, position, event)
        except BadInput as error:
            raise BadInput(f"statement {number}: {error.message}") from None
        if following.fault is None or number == len(log):
            yield from statement_evidence(game, position, event, number)
        position = following


def statement_evidence(
    game: Quartets, position: Position, event: Event, number: int
) -> Iterator[Evidence]:
    """Yield what one statement in a position says about the deal.

    Nothing is yielded for a statement that contradicts what lies open on the table; that is the
    ``clash`` of the state (`games.quartets.why`).
    """
    form, table, cards = position.form, game.table, game.cards
    by, name = game.player(event.by), event.by
    match event:
        case Ask(_, _, asked):
            card = game.card(asked)
            group = table.group_of[card]
            mask = table.masks[group]
            if game.silence:
                for g in form.groups():
                    more = table.sizes[g] - 1 - (form.located[by] & table.masks[g]).bit_count()
                    facts = [is_(c, name) for c in game.names_of(form.open & table.masks[g])]
                    said = f"{name} asked and did not declare {game.group_names[g]}"
                    if more >= 0 and facts:
                        yield Evidence(at_most(more, facts), number, said)
            if not game.ask_own and form.open >> card & 1:
                said = f"{name} asked for {asked}, so {name} does not have it"
                yield Evidence(is_not(asked, name), number, said)
            if not form.located[by] & mask:
                held = game.names_of(form.open & mask)
                facts = [is_(c, name) for c in held]
                said = f"{name} asked for {asked}, so {name} has {join(held, 'or') or 'none of it'}"
                yield Evidence(at_least(1, facts), number, said)
        case Answer(_, yes):
            assert position.question is not None
            card = position.question[1]
            if form.open >> card & 1:
                has = is_(cards[card], name) if yes else is_not(cards[card], name)
                does = "had" if yes else "did not have"
                yield Evidence(has, number, f"{name} {does} {cards[card]}")
        case Quartet(_, group_name):
            group = game.group(group_name)
            for c in game.names_of(form.open & table.masks[group]):
                yield Evidence(is_(c, name), number, f"{name} declared {group_name}")


class Names(Protocol):
    """What gives names to a state: a set-up, or a state that was read."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players in order."""
        ...

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards in order."""
        ...

    def names_of(self, cards: int) -> list[str]:
        """Return the names of a bitmask of cards."""
        ...


def form_problem(names: Names, form: DealForm) -> Problem:
    """Return a state as a problem: open cards and the players who hold them now.

    Raises
    ------
    Contradiction
        Simple bookkeeping sees already that the state is impossible.

    Examples
    --------
    >>> from games.quartets.rules import named_groups
    >>> game = Quartets(("Ann", "Ben", "Cid"), named_groups([4, 4, 4]))
    >>> from deduce.knowledge import Knowledge
    >>> Knowledge(form_problem(game, game.start_form())).count()
    34650
    """
    if form.clash or min(form.places) < 0:
        raise Contradiction(form.clash or "a hand gives more cards than it has")
    domains = {}
    for c, card in enumerate(names.cards):
        if form.open >> c & 1:
            holders = tuple(
                name for name, may in zip(names.players, form.may, strict=True) if may >> c & 1
            )
            if not holders:
                raise Contradiction(f"nobody can hold {card}")
            domains[card] = holders
    rules: list[Rule] = []
    for p, name in enumerate(names.players):
        facts = [is_(card, name) for card in names.names_of(form.may[p])]
        rules.append(Rule(exactly(form.places[p], facts), f"{name} has {form.places[p]} of them"))
        for g, mask in enumerate(form.table.masks):
            here = [is_(card, name) for card in names.names_of(form.may[p] & mask)]
            low, high = form.low[p][g], form.high[p][g]
            if low:
                rules.append(Rule(at_least(low, here)))
            if high < len(here):
                rules.append(Rule(at_most(max(high, 0), here)))
    return Problem(domains, rules)


def slot_problem(form: SlotForm) -> Problem:
    """Return a slot form as a problem: places, by number, and the cards that they can be.

    Raises
    ------
    Contradiction
        Some place can be nothing at all, or the state is impossible at sight.
    """
    if form.clash or not all(form.potentials):
        raise Contradiction(form.clash or "a place can be nothing at all")
    domains = {place: hand_cards(mask) for place, mask in enumerate(form.potentials)}
    rules = []
    for card in range(len(form.table.group_of)):
        facts = [is_(place, card) for place, cards in domains.items() if card in cards]
        if len(facts) > 1:
            rules.append(at_most(1, facts))
    return Problem(domains, [Rule(rule) for rule in rules])


def solve_form(
    names: Names, form: DealForm, engine: str, budget: Budget = STANDARD
) -> Masks | None:
    """Return the open cards of each player in a deal that an engine of the core finds, or ``None``.

    Parameters
    ----------
    names, form
        The state.
    engine
        One of the names in `deduce.engines.choose.ENGINES`, or ``"auto"``.
    budget
        What the engine may spend.

    Raises
    ------
    Undecided
        The budget ran out.
    """
    if not form.open:
        return None if form.clash or any(form.places) else (0,) * len(names.players)
    try:
        problem = form_problem(names, form)
    except Contradiction:
        return None
    world = Asker(Model(problem), engine, budget).solve().value
    if world is None:
        return None
    number = {card: c for c, card in enumerate(names.cards)}
    own = dict.fromkeys(names.players, 0)
    for card, player in world.items():
        own[str(player)] |= 1 << number[str(card)]
    return tuple(own.values())


def solve_slots(form: SlotForm, engine: str, budget: Budget = STANDARD) -> tuple[int, ...] | None:
    """Return a card for every place that an engine of the core finds, or ``None``."""
    if form.clash or not form.potentials:
        return None if form.clash else ()
    try:
        problem = slot_problem(form)
    except Contradiction:
        return None
    world = Asker(Model(problem), engine, budget).solve().value
    if world is None:
        return None
    return tuple(
        card for place in range(len(form.potentials)) if isinstance(card := world[place], int)
    )
