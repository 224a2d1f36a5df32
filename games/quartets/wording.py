"""Statements, positions, facts and the steps of a proof as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.constraints import Count, Fact
from deduce.problem import Evidence, Rule
from deduce.system.language import Texts, listed
from deduce.system.text import join, plural, visible
from games.quartets.events import Ask, Event, Quartet
from games.quartets.position import Position, Question
from games.quartets.setup import Setup, spoken_name

__all__ = [
    "fact_text",
    "pattern",
    "position_text",
    "question_lines",
    "say_all",
    "sentence",
    "turn_line",
]

_say = Texts("quartets", "games")


def sentence(game: Setup, position: Position, event: Event) -> str:
    """Return a statement that is made in a position as a sentence.

    >>> from games.quartets.position import start_position
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> sentence(game, start_position(game), Ask("Ann", "Ben", "a1"))
    'Ann asked Ben for a1'
    """
    if isinstance(event, Ask):
        return _say("event.asked", by=event.by, to=event.to, card=event.card)
    if isinstance(event, Quartet):
        return _say("event.declared", by=event.by, group=event.group)
    asked = position.question
    card = _say("event.the_card") if asked is None else game.cards[asked[1]]
    if not event.yes:
        return _say("event.refused", by=event.by, card=card)
    if position.turn is None:
        return _say("event.gave", by=event.by, card=card)
    return _say("event.gave_to", by=event.by, card=card, to=game.players[position.turn])


def turn_line(game: Setup, position: Position) -> str:
    """Return who has to speak, or how the game ended."""
    if position.over:
        winner = position.winner()
        result = "there is no winner" if winner is None else f"{game.players[winner]} wins"
        return f"The game is over ({position.over}): {result}."
    name = game.players[position.speaker()]
    if position.question is None:
        return f"{name} has the turn."
    return f"{name} is asked for {game.cards[position.question[1]]}."


def question_lines(game: Setup, questions: Sequence[Question]) -> Iterator[str]:
    """Yield a line for each player who can be asked and each kind of answer, with the cards."""
    kinds: dict[tuple[str, bool | None], list[str]] = {}
    for question in questions:
        cards = kinds.setdefault((question.ask.to, question.forced), [])
        card = spoken_name(game, question.ask.card)
        if card not in cards:
            cards.append(card)
    for (to, forced), cards in kinds.items():
        answer = {None: "", True: " (must say yes)", False: " (must say no)"}[forced]
        yield f"ask {to} for {join(cards, 'or')}{answer}"


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same player as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_("a1", "Ann"), is_("b2", "Ann")])
    'Ann was dealt a1 and b2'
    >>> say_all([is_not("a1", "Ann"), is_not("b2", "Ann")])
    'Ann was dealt neither a1 nor b2'
    """
    if len(facts) == 1:
        return fact_text(facts[0])
    cards = [str(fact.variable) for fact in facts]
    player = listed(sorted(map(str, facts[0].values)), "or")
    if facts[0].negated:
        return _say("fact.dealt_none", player=player, cards=listed(cards, "neither"))
    return _say("fact.dealt", player=player, cards=listed(cards))


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default (`deduce.game.Said.pattern`)."""
    if kind in ("combination", "case"):
        stated = any(isinstance(piece, Evidence) for piece in pieces)
        return _say("pattern.case" if stated else "pattern.hands")
    names = {"given": "said", "last value": "left"}
    if len(pieces) == 1 and isinstance(pieces[0].constraint, Count):
        asked = isinstance(pieces[0], Evidence)
        whole = not asked and pieces[0].constraint.low == 0
        names |= {"needed": "asker" if asked else "all", "enough": "full"}
        if asked or whole:
            names["enough"] = "whole"
    return _say(f"pattern.{names[kind]}") if kind in names else None


def position_text(game: Setup, position: Position) -> str:
    """Return what is known of each hand, and who has to speak.

    >>> from games.quartets.position import start_position
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> print(position_text(game, start_position(game)))
    Ann: 2 cards
    Ben: 2 cards
    Ann has the turn.
    """
    form, hands = position.form, position.form.hands()
    lines = []
    for p, name in enumerate(game.players):
        known = join(game.names_of(form.located[p]))
        aside = [game.group_names[g] for player, g in position.won if player == p]
        parts = [plural(hands[p], "card") + (f", known: {known}" if known else "")]
        certain = game.names_of(form.sure(p))
        if certain:
            parts.append(f"certain: {join(certain)}")
        if aside:
            parts.append(f"laid aside: {join(aside)}")
        if p in position.out:
            parts.append("has lost")
        lines.append(f"{name}: {'; '.join(parts)}")
    return visible("\n".join([*lines, turn_line(game, position)]))


def fact_text(fact: Fact) -> str:
    """Return a fact about the deal as a player would state it."""
    names = sorted(str(value) for value in fact.values)
    if fact.negated and len(names) == 1:
        return _say("fact.not_dealt", player=names[0], card=str(fact.variable))
    if fact.negated:
        return _say("fact.nobody_dealt", players=listed(names, "neither"), card=str(fact.variable))
    return _say("fact.dealt", player=listed(names, "or"), cards=str(fact.variable))
