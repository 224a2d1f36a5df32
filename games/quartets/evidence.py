"""The game as a problem of the core: of a log, with evidence for explanations; and of one state.

Variables are the cards, values the players, hand sizes and bounds are Counts. In the problem of a
*log* the values are the players who were *dealt* the cards: a card that is not located is still
where it was dealt, so every statement is a constraint on the deal, and a statement about a located
card adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.budget import STANDARD, Budget
from deduce.constraints import at_least, at_most, exactly, is_, is_not
from deduce.errors import Contradiction
from deduce.game import Notice
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, Rule
from deduce.reasoning.explain import Step
from deduce.system.language import Texts, listed
from games.quartets.deal import Deal, DealForm, hand_cards
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.position import Position, positions_of
from games.quartets.setup import Names, Setup
from games.quartets.slots import SlotForm
from games.quartets.wording import sentence

__all__ = [
    "evidence",
    "form_problem",
    "log_problem",
    "notices",
    "public_reasons",
    "rules",
    "slot_problem",
    "solve",
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
    return _evidence_at(game, log, positions_of(game, log))


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
    return Problem(variables, tuple(rules(game))).with_evidence(*_evidence_at(game, log, positions))


def _evidence_at(
    game: Setup, log: Sequence[Event], positions: Sequence[Position]
) -> Iterator[Evidence]:
    """Yield the evidence of a log whose positions are known: before, between and after its events.

    They say only what was public at each statement. What is possible is asked of an engine.
    """
    for number, event in enumerate(log, start=1):
        before, fault = positions[number - 1], positions[number].fault
        if fault and number == len(log) and any(public_reasons(game, log, positions)):
            text = f"{sentence(game, before, event)}, but {fault.clash}"
            yield Evidence(at_least(1, []), number, text)
        elif fault is None or number == len(log):
            yield from _statement_evidence(game, before, event, number)


def _statement_evidence(
    game: Setup, position: Position, event: Event, number: int
) -> Iterator[Evidence]:
    """Yield what one statement in a position implies for the deal.

    What is public is not looked at: see `public_reasons`.
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


def public_reasons(
    game: Setup, log: Sequence[Event], positions: Sequence[Position]
) -> Iterator[Step]:
    """Yield the statements that made public what the last statement denies.

    Nothing is yielded if the last statement is refuted by claims and not by what is public.
    ``positions`` are those before, between and after the statements.
    """
    denied = hand_cards(_denied(game, positions[-2], log[-1]))
    steps = {_moved(game, log, positions, card) for card in denied}
    yield from sorted(steps, key=lambda step: step.event or 0)


def _denied(game: Setup, before: Position, event: Event) -> int:
    """Return the cards whose place is public and denied by a statement; 0: there are none."""
    form, table, by = before.form, game.table, game.player(event.by)
    if isinstance(event, Answer):
        assert before.question is not None
        return (1 << before.question[1]) & ~form.open
    if isinstance(event, Ask):
        card = game.card(event.card)
        if not game.ask_own and form.located[by] >> card & 1:
            return 1 << card
        group = table.group_of[card]
    else:
        group = game.group(event.group)
    mask = table.masks[group]
    if form.aside >> group & 1:
        return mask & -mask
    if isinstance(event, Quartet):
        elsewhere = next(
            (cards & mask for p, cards in enumerate(form.located) if p != by and cards & mask), 0
        )
        return elsewhere & -elsewhere
    if not (form.open | form.located[by]) & mask:
        return mask  # every card of the group is known to be with others
    groups = (table.masks[g] for g in form.groups() if game.silence)
    return next((mask for mask in groups if form.located[by] & mask == mask), 0)


def _moved(game: Setup, log: Sequence[Event], positions: Sequence[Position], card: int) -> Step:
    """Return the statement that last moved the card, or laid it aside."""
    for number in range(len(log) - 1, 0, -1):
        before, after = positions[number - 1].form, positions[number].form
        moved = any((a ^ b) >> card & 1 for a, b in zip(before.located, after.located, strict=True))
        if moved or (before.open ^ after.open) >> card & 1:
            return Step(number, (sentence(game, positions[number - 1], log[number - 1]),))
    raise AssertionError("a located card has been located by a statement")


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
    for name, may, places in zip(names.players, form.may, form.places, strict=True):
        facts = [is_(card, name) for card in names.names_of(may)]
        bounds.append(Rule(exactly(places, facts), f"{name} has {places} of them"))
    for kind, p, g, number in form.claims():
        if kind in ("least", "most"):
            cards = names.names_of(form.may[p] & form.table.masks[g])
            facts = [is_(card, names.players[p]) for card in cards]
            least = kind == "least"
            bounds.append(Rule(at_least(number, facts) if least else at_most(number, facts)))
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


def solve(
    names: Names, form: DealForm | SlotForm, engine: str, budget: Budget = STANDARD
) -> Deal | None:
    """Return a deal that fits a state and that an engine of the core finds, or ``None``.

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
    try:
        if isinstance(form, SlotForm):
            problem = slot_problem(form) if form.potentials else None
        else:
            problem = form_problem(names, form) if form.open else None
    except Contradiction:
        return None
    if problem is None:
        return form.deal()
    world = Knowledge(problem, engine=engine, budget=budget).asker.solve().value
    if world is None:
        return None
    if isinstance(form, SlotForm):
        identities = (world[place] for place in range(len(form.potentials)))
        return form.dealt([card for card in identities if isinstance(card, int)])
    return [
        [*hand_cards(located), *(names.card(str(card)) for card in world if world[card] == player)]
        for player, located in zip(names.players, form.located, strict=True)
    ]
