"""What is computed beside the sheet: advice, cards to show, minds, accuse or wait."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from deduce.face.html import Child, Html, join_html, name, short, tag
from deduce.face.parts import button, heading, share_cell, table
from deduce.face.texts import Texts
from deduce.show.table import percent
from deduce.text import join
from games.cluedo.advice import SuggestionAdvice
from games.cluedo.face.sheet import holder_name
from games.cluedo.opponents.accusing import Decision
from games.cluedo.opponents.estimates import Estimate
from games.cluedo.opponents.minds import Mind, Minds
from games.cluedo.opponents.showing import Showing
from games.cluedo.setup import SetUp

__all__ = ["advice_html", "decision_html", "minds_html", "showing_html", "waiting"]

MAX_SUGGESTIONS = 6
MAX_PERHAPS = 6
"""How many uncertain cards of a mind are listed."""


def waiting(title: str, slot: str, *above: Child) -> Html:
    """Return a view whose contents a job computes."""
    return join_html([heading(title), *above, tag("div", data_slot=slot, class_="computed")])


def advice_html(say: Texts, game: SetUp, advice: SuggestionAdvice) -> Html:
    """Return the most informative suggestions, each one tap to begin it."""
    if not advice.entropy_bits:
        return join_html([])
    index = {card: number for number, card in enumerate(game.cards)}
    most = max(advice.ranking[0].gain_bits, 1e-9)
    rows = [
        tag(
            "li",
            button(
                [
                    tag("b", join_html([name(card) for card in _separated(rated.cards)])),
                    tag(
                        "small",
                        say("advice.gain", bits=f"{rated.gain_bits:.2f}"),
                        " · ",
                        say("advice.none_shows", share=percent(rated.none_shows)),
                    ),
                    tag(
                        "meter",
                        value=f"{rated.gain_bits / most:.3f}",
                        min=0,
                        max=1,
                        aria_hidden="true",
                    ),
                ],
                "suggest",
                class_="row",
                data_cards=" ".join(str(index[card]) for card in rated.cards),
            ),
        )
        for rated in advice.ranking[:MAX_SUGGESTIONS]
    ]
    exact = say("advice.exact") if advice.is_exact else say("advice.estimate")
    return join_html(
        [
            tag("p", say("advice.bits", bits=advice.bits_text), class_="summary"),
            tag("ol", *rows, class_="rows"),
            tag("p", say("advice.use"), " ", exact, class_="hint"),
        ]
    )


def _separated(cards: Sequence[str]) -> list[str]:
    return [card if at == len(cards) - 1 else f"{short(card)}, " for at, card in enumerate(cards)]


def showing_html(say: Texts, showing: Showing) -> Html:
    """Return what each card that can be shown would give away."""
    who = showing.suggestion.by
    best = {choice.card for choice in showing.best()} if showing.cases else set()
    items = []
    for choice in showing.ranking:
        if not showing.cases:
            continue
        notes: list[str] = [say("turn.reveals", bits=f"{float(choice.tells_bits.value):.2f}")]
        if choice.card in best and len(showing.ranking) > 1:
            notes = [say("turn.reveals_least"), *notes]
        if choice.known.value == 1:
            notes.append(say("turn.known", name=who))
        if choice.names.value:
            notes.append(say("turn.solves", name=who))
        items.append(tag("li", tag("b", name(choice.card)), ": ", "; ".join(notes)))
    return tag("ul", *items, class_="plain")


def minds_html(say: Texts, minds: Minds) -> Html:
    """Return what every opponent knows."""
    rows = [
        (name(mind.player), _estimate(mind.solutions, digits=0), mind.names.percent(),
         str(len(mind.sure)))
        for mind in minds.of
    ]  # fmt: skip
    head = (
        say("minds.player"),
        say("minds.solutions"),
        say("minds.can_name"),
        say("minds.sure"),
    )
    return join_html(
        [table(head, rows, caption=say("minds.estimate")), *(_mind(say, mind) for mind in minds.of)]
    )


def _mind(say: Texts, mind: Mind) -> Html:
    sure = [
        tag("li", say("minds.knows_card", card=card, holder=holder_name(say, holder)))
        for card, holder in mind.sure.items()
    ]
    may = [
        tag(
            "li",
            say(
                "minds.may_card",
                card=card,
                holder=holder_name(say, holder),
                share=chance.percent(),
            ),
        )
        for (card, holder), chance in list(mind.may.items())[:MAX_PERHAPS]
    ]
    parts: list[Child] = [tag("summary", say("minds.knows", name=mind.player), f" ({len(sure)})")]
    parts.append(tag("ul", *sure, class_="plain") if sure else tag("p", say("minds.nothing")))
    if may:
        parts += [tag("p", say("minds.may")), tag("ul", *may, class_="plain")]
    return tag("details", *parts, data_key=f"mind-{short(mind.player)}")


def _estimate(estimate: Estimate, *, digits: int) -> str:
    value = f"{float(estimate.value):.{digits}f}"
    return value if estimate.exact else f"≈ {value}"


def decision_html(say: Texts, game: SetUp, decision: Decision) -> Html:
    """Return whether to accuse now or to wait, with what each is worth."""
    now = percent(decision.now)
    cards = join([short(card) for card in decision.best[0]])
    if decision.now == 1:
        verdict = say("accuse.certain")
    elif not decision.draws:
        verdict = ""
    else:
        wait = percent(Fraction(decision.wait.value))
        key = "accuse.accuse" if decision.accuse else "accuse.hold"
        verdict = say(key, now=now, wait=wait)
        if not decision.is_clear:
            verdict += " " + say("accuse.close")
    rows: list[list[Child]] = [[say("accuse.now"), share_cell(decision.now)]]
    if decision.draws:
        rows += [
            [say("accuse.wait", n=turns), wait.percent()]
            for turns, wait in enumerate(decision.waits, start=1)
        ]
    index = {card: number for number, card in enumerate(game.cards)}
    parts: list[Child] = [
        tag("p", tag("strong", say("accuse.solution", cards=cards)), class_="summary"),
        tag("p", verdict) if verdict else None,
        table(("", say("accuse.wins")), rows, caption=say("accuse.title")),
        button(
            say("accuse.enter"),
            "accusation",
            data_cards=" ".join(str(index[card]) for card in decision.best[0]),
        ),
    ]
    if decision.rivals and decision.draws:
        rivals = [
            (name(rival.player), rival.now.percent(), rival.first.percent())
            for rival in decision.rivals
        ]
        head = ("", say("accuse.can_name"), say("accuse.first"))
        parts.append(table(head, rivals, caption=say("accuse.rivals")))
        parts.append(tag("p", say("accuse.draws", n=decision.draws), class_="hint"))
    return join_html(parts)
