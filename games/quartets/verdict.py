"""Whether a state is valid, by which engine, with its proof; and the reasons for statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from deduce.budget import STANDARD, Budget
from deduce.constraints import Fact, is_
from deduce.knowledge import Knowledge
from deduce.reasoning.explain import Why, explain
from deduce.steps import Proof, proof_of
from deduce.system.text import join
from games.quartets.counting import Counts
from games.quartets.deal import Deal, DealForm
from games.quartets.evidence import log_problem, solve
from games.quartets.session import Session, claim_lines, conflict, why_invalid
from games.quartets.setup import Names
from games.quartets.show import deal_lines, hall_lines
from games.quartets.slots import (
    SlotForm,
    collapse,
    count_matchings,
    inexpressible,
    slot_form,
    slots_after,
)
from games.quartets.states import State
from games.quartets.wording import sentence, turn_line

__all__ = ["Method", "Reason", "Verdict", "counts_json", "reason", "slot_counts", "verdict"]


@frozen
class Method:
    """How validity is decided: an engine, the switches of ``collapse`` and a time limit."""

    engine: str = "matching"
    sort: bool = field(default=True, kw_only=True)
    bound: bool = field(default=True, kw_only=True)
    seconds: float | None = field(default=None, kw_only=True)

    def budget(self) -> Budget:
        """Return what the engine may spend."""
        return STANDARD if self.seconds is None else Budget(None, self.seconds)


@frozen
class Verdict:
    """The answer to "is this still valid?", with its proof."""

    engine: str
    text: tuple[str, ...]
    """The lines of a possible deal, or of the proof that there is none."""
    proof: Mapping[str, object]
    """The same as fields of a JSON object."""
    valid: bool | None = field(kw_only=True)
    """``None``: undecided, since the engine cannot express a rule and only the others agree."""

    def lines(self) -> list[str]:
        """Return the answer as text."""
        return [{True: "valid", False: "invalid", None: "undecided"}[self.valid], *self.text]

    def json(self) -> dict[str, object]:
        """Return the answer as a JSON object."""
        return {
            "schema": "deduce/quartets-check/1",
            "valid": self.valid,
            "engine": self.engine,
            **self.proof,
        }


def verdict(read: Session | State, method: Method) -> Verdict:
    """Return whether a transcript or a state is valid, with a witness or a certificate.

    A transcript is invalid if one of its statements is a losing one; the first is explained.

    The engine ``collapse`` plays a transcript again with potentials. Where these cannot express a
    rule, it checks them without the rule, which is necessary and not sufficient: no deal is a
    proof, and so is a deal that obeys the rule; any other deal leaves the question undecided.

    Raises
    ------
    Undecided
        The engine ran out of its budget.
    """
    if isinstance(read, Session):
        return _transcript(read, method)
    if isinstance(read.form, SlotForm):
        return _slots(read, read.form, method)
    return _deal(read, read.form, method)


def _transcript(session: Session, method: Method) -> Verdict:
    game, number = session.game, session.first_fault()
    position = session.position if number is None else session.positions[number]
    form = position.form if position.fault is None else position.fault.form
    log = session.log[:number]
    collapsed = method.engine == "collapse"
    deal = _found(game, slots_after(game, log) if collapsed else form, method)
    if deal is not None:
        lines = [turn_line(game, position)] if number is None else []
        bounds = {"deal_quartet: no": not game.deal_quartet, "silence: yes": game.silence}
        rules = [f"`{rule}`" for rule, holds in bounds.items() if holds]
        remedy = "a transcript with `preset: literal` has only rules that they can express"
        return _possible(game, form, deal, method, lines, rules, remedy)
    if number is None:
        raise AssertionError("the engines agree about every state")
    before = session.positions[number - 1]
    why = why_invalid(game, log, session.positions[: number + 1])
    head = f"statement {number} loses: {sentence(game, before, log[-1])}"
    proof = {"statement": number, "conflict": list(why.events), "repairs": list(why.repairs)}
    return Verdict(method.engine, (head, str(why)), proof, valid=False)


def _slots(state: State, form: SlotForm, method: Method) -> Verdict:
    deal = _found(state, form, method)
    if deal is not None:
        hands = _named(state, deal)
        return Verdict(method.engine, tuple(deal_lines(hands)), {"deal": hands}, valid=True)
    hall = form.hall
    assert hall is not None
    places = [
        {"player": state.players[p], "place": index + 1}
        for p, index in map(form.where, hall.places)
    ]
    proof = {"hall": {"places": places, "identities": state.names_of(hall.identities)}}
    return Verdict(method.engine, tuple(hall_lines(state, form, hall)), proof, valid=False)


def _deal(state: State, form: DealForm, method: Method) -> Verdict:
    deal = _found(state, form, method)
    if deal is not None:
        rules = list(claim_lines(state, (("most", *bound) for bound in inexpressible(form))))
        remedy = "a state without such a bound is decided"
        return _possible(state, form, deal, method, (), rules, remedy)
    if form.clash:
        return Verdict(method.engine, (form.clash,), {"claims": [form.clash]}, valid=False)
    claims = list(claim_lines(state, conflict(form)))
    head = "with hands of these sizes, the following cannot all be true:"
    text = (head, *(f"  {claim}" for claim in claims))
    return Verdict(method.engine, text, {"claims": claims}, valid=False)


def _possible(
    names: Names,
    form: DealForm,
    deal: Deal,
    method: Method,
    lines: Sequence[str],
    rules: Sequence[str],
    remedy: str,
) -> Verdict:
    """Return the verdict about a state from a deal, which need not obey what is inexpressible.

    Parameters
    ----------
    names, form, deal, method
        The state, the deal and the engine that found it.
    lines
        What is printed before the deal.
    rules
        What causes the bounds that potentials cannot express, as text.
    remedy
        What to do so that potentials can express everything.
    """
    hands = _named(names, map(sorted, deal))
    text, proof = (*lines, *deal_lines(hands)), dict[str, object](deal=hands)
    bounds = inexpressible(form)
    obeyed = not form.clash and all(
        sum(form.open >> card & 1 and form.table.group_of[card] == g for card in deal[p]) <= number
        for p, g, number in bounds
    )
    if method.engine != "collapse" and not obeyed:
        raise AssertionError("the engines agree about every state")
    if obeyed and (method.engine != "collapse" or not bounds):
        return Verdict(method.engine, text, proof, valid=True)
    proof["inexpressible"] = list(rules)
    limit = f"potentials cannot express {join(rules, 'and')}"
    if obeyed:
        note = f"{limit}, but this deal obeys that as well, so the state is valid"
        return Verdict(method.engine, (*text, note), proof, valid=True)
    note = f"{limit}; without that a deal is possible, which is necessary and not sufficient:"
    text = (note, *text, f"{remedy}; --engine matching decides this one")
    return Verdict(method.engine, text, proof, valid=None)


def _named(names: Names, deal: Iterable[Sequence[int]]) -> dict[str, list[str]]:
    hands = ([names.cards[card] for card in hand] for hand in deal)
    return dict(zip(names.players, hands, strict=True))


def _found(names: Names, form: DealForm | SlotForm, method: Method) -> Deal | None:
    """Return a deal that the engine finds, or ``None``."""
    if method.engine == "matching":
        return form.deal()
    if method.engine != "collapse":
        return solve(names, form, method.engine, method.budget())
    slots = form if isinstance(form, SlotForm) else slot_form(form, relaxed=True)
    if slots.clash:
        return None
    identities = collapse(
        slots.potentials, sort=method.sort, bound=method.bound, budget=method.budget()
    )
    return None if identities is None else slots.dealt(identities)


# Why


@frozen
class Reason:
    """Why a statement loses or a card is in a hand; ``proved``: whether there is a reason."""

    text: str
    why: Why | None = None
    proved: bool = field(kw_only=True)
    about: tuple[Knowledge, Fact] | None = None
    """Whom a card was dealt to, as a fact about the log; for a card that was never located."""

    def proof(self) -> Proof | None:
        """Return how the card is known to be in the hand, or not, step by step."""
        if self.about is None or self.why is None:
            return None
        return proof_of(*self.about, certain=self.why.verdict == "certain")

    def json(self) -> dict[str, object]:
        """Return the reason as a JSON object."""
        fields: dict[str, object] = {
            "schema": "deduce/quartets-why/1",
            "proved": self.proved,
            "text": self.text,
        }
        if self.why is not None:
            fields["verdict"] = self.why.verdict
            fields["events"] = list(self.why.events)
            fields["smallest"] = self.why.smallest
        return fields


def reason(session: Session, claim: str | None) -> Reason:
    """Return why the first losing statement loses, a statement would lose, or a card is in a hand.

    Parameters
    ----------
    session
        The transcript.
    claim
        ``None``, a statement, or ``CARD=PLAYER``.

    Raises
    ------
    BadInput
        A name that does not exist, or a statement that cannot be made now.
    """
    if claim is None:
        return _first_fault(session)
    card, equals, player = (part.strip() for part in claim.partition("="))
    if equals:
        return _holder(session, card, player)
    return _statement(session, claim)


def _first_fault(session: Session) -> Reason:
    number = session.first_fault()
    if number is None:
        return Reason(
            "every statement leaves a deal: no player has lost by a contradiction", proved=False
        )
    log = session.log[:number]
    why = why_invalid(session.game, log, session.positions[: number + 1])
    text = sentence(session.game, session.positions[number - 1], log[-1])
    return Reason(f"statement {number} loses: {text}\n{why}", why, proved=True)


def _statement(session: Session, claim: str) -> Reason:
    after = session.say(claim)
    text = sentence(after.game, session.position, after.log[-1])
    if after.position.fault is None:
        return Reason(f"{text}: this leaves a deal and does not lose", proved=False)
    why = why_invalid(after.game, after.log, after.positions)
    return Reason(f"this would lose: {text}\n{why}", why, proved=True)


def _holder(session: Session, card: str, player: str) -> Reason:
    game, form = session.game, session.position.form
    c, p = game.card(card), game.player(player)
    group = game.table.group_of[c]
    if form.aside >> group & 1:
        return Reason(f"{card} is laid aside with {game.group_names[group]}", proved=True)
    holder = next((q for q, cards in enumerate(form.located) if cards >> c & 1), None)
    if holder is not None:
        has = "has" if holder == p else f"does not have {card}: {game.players[holder]} has"
        return Reason(f"{player} {has} {card}: it was handed over publicly", proved=True)
    # A losing statement was undone: it proves nothing about the cards.
    count = len(session.log)
    while session.positions[count].fault is not None:
        count -= 1
    log, fact = session.log[:count], is_(card, player)
    knowledge = Knowledge(log_problem(game, log, session.positions[: count + 1]))
    why = explain(knowledge.asker, fact, game.say(fact))
    proved = why.verdict != "open"
    return Reason(str(why), why, proved=proved, about=(Knowledge(game, log), fact))


# Counts


def slot_counts(form: SlotForm) -> int:
    """Return the number of ways in which every place can get its own card."""
    return 0 if form.clash else count_matchings(form.potentials)


def counts_json(names: Names, counts: Counts) -> dict[str, object]:
    """Return counts as a JSON object; the numbers of deals are strings, since they are large."""
    cards, groups = names.cards, names.group_names
    return {
        "schema": "deduce/quartets-count/1",
        "deals": str(counts.total),
        "players": list(names.players),
        "holders": {cards[c]: [str(n) for n in row] for c, row in counts.holders.items()},
        "quartets": {groups[g]: [str(n) for n in row] for g, row in counts.quartets.items()},
    }
