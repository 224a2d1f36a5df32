"""The game as a problem of the core: of a log, with evidence for explanations; and of one state.

Variables are the cards, values the players, hand sizes and bounds are Counts. In the problem of a
*log* the values are the players who were *dealt* the cards: a card that is not located is still
where it was dealt, so every statement is a constraint on the deal, and a statement about a located
card adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from deduce.budget import STANDARD, Budget
from deduce.constraints import at_least, at_most, exactly, is_, is_not
from deduce.errors import Contradiction
from deduce.game import Notice
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, Rule
from deduce.system.language import Texts, listed
from games.quartets.deal import DealForm
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.flow import Masks
from games.quartets.position import Position, positions_of
from games.quartets.setup import Setup
from games.quartets.slots import SlotForm, hand_cards

__all__ = [
    "Names",
    "evidence",
    "form_problem",
    "log_problem",
    "notices",
    "rules",
    "slot_problem",
    "solve_form",
    "solve_slots",
]

_say = Texts("quartets", "games")


def rules(game: Setup) -> Iterator[Rule]:
    """Yield the sizes of the hands, and that no player holds a complete group if that is so."""
    for player, size in zip(game.players, game.hands, strict=True):
        facts = [is_(card, player) for card in game.cards]
        yield Rule(exactly(size, facts), _say("rule.dealt", name=player, n=size))
    if not game.deal_quartet:
        for group, cards in game.groups.items():
            for player in game.players:
                facts = [is_(card, player) for card in cards]
                yield Rule(at_most(len(cards) - 1, facts), _say("rule.whole", group=group))


def evidence(game: Setup, log: Sequence[Event]) -> Iterator[Evidence]:
    """Yield what each statement of a log implies for the deal.

    A losing statement implies nothing, since it is undone, unless it is the last of the log: then
    it contradicts the statements before it, and the log is asked for this contradiction.
    """
    return _evidence(game, log, positions_of(game, log))


def log_problem(game: Setup, log: Sequence[Event], positions: Sequence[Position]) -> Problem:
    """Return the problem of a log whose positions are known, so that it is not replayed.

    Parameters
    ----------
    game, log
        The transcript.
    positions
        The positions before, between and after its statements.
    """
    variables = dict.fromkeys(game.cards, game.players)
    return Problem(variables, tuple(rules(game))).with_evidence(*_evidence(game, log, positions))


def _evidence(
    game: Setup, log: Sequence[Event], positions: Sequence[Position]
) -> Iterator[Evidence]:
    for number, event in enumerate(log, start=1):
        if positions[number].fault is None or number == len(log):
            yield from _statement_evidence(game, positions[number - 1], event, number)


def _statement_evidence(
    game: Setup, position: Position, event: Event, number: int
) -> Iterator[Evidence]:
    """Yield what one statement in a position implies for the deal.

    Nothing is yielded for a statement that contradicts what is public; that is the ``clash`` of
    the state (`games.quartets.why`).
    """
    form, table, cards = position.form, game.table, game.cards
    by, name = game.player(event.by), event.by
    match event:
        case Ask(_, _, asked):
            card = game.card(asked)
            mask = table.masks[table.group_of[card]]
            for g in form.groups() if game.silence else ():
                high = table.sizes[g] - 1 - (form.located[by] & table.masks[g]).bit_count()
                facts = [is_(c, name) for c in game.names_of(form.open & table.masks[g])]
                text = _say("event.silent", name=name, group=game.group_names[g])
                if high >= 0 and facts:
                    yield Evidence(at_most(high, facts), number, text)
            if not game.ask_own and form.open >> card & 1:
                text = _say("event.not_own", name=name, card=asked)
                yield Evidence(is_not(asked, name), number, text)
            if not form.located[by] & mask:
                possible = game.names_of(form.open & mask)
                cards_text = listed(possible, "or") or _say("event.none_of_it")
                text = _say("event.has_one", name=name, card=asked, cards=cards_text)
                yield Evidence(at_least(1, [is_(c, name) for c in possible]), number, text)
        case Answer(_, yes):
            assert position.question is not None
            card = position.question[1]
            if form.open >> card & 1:
                fact = is_(cards[card], name) if yes else is_not(cards[card], name)
                text = _say("event.had" if yes else "event.had_not", name=name, card=cards[card])
                yield Evidence(fact, number, text)
        case Quartet(_, group_name):
            group = game.group(group_name)
            for c in game.names_of(form.open & table.masks[group]):
                text = _say("event.declared", by=name, group=group_name)
                yield Evidence(is_(c, name), number, text)


def notices(game: Setup, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield the questions that were asked before and denied, if the card has not moved since.

    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([4, 4]))
    >>> asked, back = Ask("Ann", "Ben", "a1"), Ask("Ben", "Ann", "b1")
    >>> no = Answer("Ben", False), Answer("Ann", False)
    >>> print(*notices(game, [asked, no[0], back, no[1], asked]))
    event 5: Ann asked Ben for a1 before (event 1), and Ben said no
    """
    denied: dict[Ask, int] = {}
    question: tuple[int, Ask] | None = None
    for number, event in enumerate(log, start=1):
        if isinstance(event, Ask):
            question = number, event
            if event in denied:
                message = f"{event.by} asked {event.to} for {event.card} before"
                message += f" (event {denied[event]}), and {event.to} said no"
                yield Notice(number, message)
        elif isinstance(event, Answer) and question is not None:
            if event.yes:
                denied = {ask: n for ask, n in denied.items() if ask.card != question[1].card}
            else:
                denied.setdefault(question[1], question[0])


class Names(Protocol):
    """The names in a state: a set-up, or a state that was read."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players in order."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards in order."""

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups in order."""

    def names_of(self, cards: int) -> list[str]:
        """Return the names of a bitmask of cards."""


def form_problem(names: Names, form: DealForm) -> Problem:
    """Return a state as a problem: open cards and the players who hold them now.

    Raises
    ------
    Contradiction
        Simple bookkeeping shows that the state is impossible.

    Examples
    --------
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben", "Cid"), named_groups([4, 4, 4]))
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
                raise Contradiction(f"no player can hold {card}")
            domains[card] = holders
    bounds: list[Rule] = []
    for p, name in enumerate(names.players):
        facts = [is_(card, name) for card in names.names_of(form.may[p])]
        bounds.append(Rule(exactly(form.places[p], facts), f"{name} has {form.places[p]} of them"))
        for g, mask in enumerate(form.table.masks):
            here = [is_(card, name) for card in names.names_of(form.may[p] & mask)]
            low, high = form.low[p][g], form.high[p][g]
            if low:
                bounds.append(Rule(at_least(low, here)))
            if high < len(here):
                bounds.append(Rule(at_most(max(high, 0), here)))
    return Problem(domains, bounds)


def slot_problem(form: SlotForm) -> Problem:
    """Return a slot form as a problem: the numbers of the places, and the cards that they can be.

    Raises
    ------
    Contradiction
        A place has no possible card, or simple bookkeeping shows that the state is impossible.
    """
    if form.clash or not all(form.potentials):
        raise Contradiction(form.clash or "a place has no possible card")
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
        The name of an engine of the core (``matching``, ``bits``, ``counting``, ``cpsat``,
        ``reference``), or ``"auto"``.
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
    world = Knowledge(problem, engine=engine, budget=budget).asker.solve().value
    if world is None:
        return None
    card_number = {card: c for c, card in enumerate(names.cards)}
    hands = dict.fromkeys(names.players, 0)
    for card, player in world.items():
        hands[str(player)] |= 1 << card_number[str(card)]
    return tuple(hands.values())


def solve_slots(form: SlotForm, engine: str, budget: Budget = STANDARD) -> tuple[int, ...] | None:
    """Return a card for every place that an engine of the core finds, or ``None``."""
    if form.clash or not form.potentials:
        return None if form.clash else ()
    try:
        problem = slot_problem(form)
    except Contradiction:
        return None
    world = Knowledge(problem, engine=engine, budget=budget).asker.solve().value
    if world is None:
        return None
    return tuple(
        card for place in range(len(form.potentials)) if isinstance(card := world[place], int)
    )
