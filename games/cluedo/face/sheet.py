"""The detective's sheet of the page: every cell is a button that asks why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from deduce.errors import Undecided
from deduce.face.html import Child, Html, join_html, name, short, tag
from deduce.face.parts import button, heading, strength
from deduce.face.texts import Texts
from deduce.knowledge import Knowledge
from deduce.show.table import percent
from deduce.text import join
from games.cluedo.game import game_of, viewer_of
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp
from games.cluedo.show import found_counts

__all__ = [
    "doubtful_sheet",
    "hand_of",
    "hints",
    "holder_name",
    "sheet_page",
    "summary",
]

SURE = Fraction(995, 1000)
"""What is at least this probable although answers may be wrong is not called doubtful."""

Numbers = Mapping[Any, Mapping[Any, Fraction]]


def holder_name(say: Texts, holder: str) -> str:
    """Return what a holder is called on the page."""
    return {ENVELOPE: say("sheet.envelope"), UNDEALT: say("sheet.undealt")}.get(holder, holder)


def summary(say: Texts, knowledge: Knowledge) -> Html:
    """Return how many deals remain, and the solution or the most probable one."""
    game = game_of(knowledge)
    try:
        posterior = knowledge.joint(*game.questions())
        deals = say("sheet.deals", n=knowledge.count())
    except Undecided:
        return tag("p", say("sheet.undecided"), class_="summary")
    best = max(posterior, key=lambda solution: posterior[solution])
    cards = join([short(str(card)) for card in best])
    if len(posterior) == 1:
        return tag("p", tag("strong", say("sheet.solution", cards=cards)), class_="summary solved")
    line = say("sheet.best", cards=cards, share=percent(posterior[best]))
    return tag("p", deals, tag("br"), line, class_="summary")


def sheet_page(
    say: Texts,
    knowledge: Knowledge,
    *,
    news: Collection[str],
    chosen: str,
    doubtful: Collection[str] = (),
) -> Html:
    """Return the sheet.

    Parameters
    ----------
    say
        The texts.
    knowledge
        A consistent log.
    news
        The cells that became certain by the last step, as the page names them.
    chosen
        The cell that is open.
    doubtful
        The cells that would be certain if no answer were wrong.
    """
    game = game_of(knowledge)
    numbers: Numbers | None
    try:
        numbers = knowledge.posterior()
        possible: Mapping[Any, Collection[Any]] = numbers
    except Undecided as error:
        numbers, possible = None, error.known
    viewer = viewer_of(knowledge)
    title = say("sheet.title", name=viewer) if viewer else say("sheet.record")
    counts = found_counts(game, {card: frozenset(row) for card, row in possible.items()})
    head = [
        tag(
            "th",
            tag("span", name(holder_name(say, holder)), class_="holder"),
            tag("small", counts[holder].replace(" of ", "/")),
            scope="col",
        )
        for holder in game.holders
    ]
    body: list[Child] = []
    for category, cards in game.groups().items():
        body.append(_category(category, len(game.holders)))
        body += [
            _row(say, game, card, possible[card], numbers, news, chosen, doubtful) for card in cards
        ]
    face_up = (
        tag("p", say("sheet.face_up", cards=join([short(c) for c in game.face_up])))
        if game.face_up
        else None
    )
    sheet = tag(
        "table",
        tag("caption", title, class_="hidden"),
        tag("thead", tag("tr", tag("td"), *head)),
        tag("tbody", *body),
        class_="sheet",
        data_grid=True,
    )
    return join_html(
        [
            heading(title),
            summary(say, knowledge),
            tag("div", sheet, class_="wide"),
            face_up,
            tag("p", say("sheet.help"), class_="hint"),
        ]
    )


def _category(category: str, columns: int) -> Html:
    cell = tag("th", tag("span", short(category)), colspan=columns + 1, scope="colgroup")
    return tag("tr", cell, class_="category")


def _row(
    say: Texts,
    game: SetUp,
    card: str,
    row: Collection[Any],
    numbers: Numbers | None,
    news: Collection[str],
    chosen: str,
    doubtful: Collection[str],
) -> Html:
    variable = game.dealt.index(card)
    cells = [
        _cell(
            say,
            f"{variable}.{column}",
            card,
            holder_name(say, holder),
            _verdict(holder, row),
            None if numbers is None else numbers[card].get(holder, Fraction(0)),
            news,
            chosen,
            doubtful,
        )
        for column, holder in enumerate(game.holders)
    ]
    return tag("tr", tag("th", name(card), scope="row"), *cells)


def _verdict(holder: str, row: Collection[Any]) -> str:
    if holder not in row:
        return "no"
    return "yes" if len(row) == 1 else "open"


def _cell(
    say: Texts,
    fact: str,
    card: str,
    holder: str,
    verdict: str,
    share: Fraction | None,
    news: Collection[str],
    chosen: str,
    doubtful: Collection[str],
) -> Html:
    shown, value = "?", "?"
    if verdict == "yes":
        shown, value = "✓", say("sheet.yes")
    elif verdict == "no":
        shown, value = "–", say("sheet.no")
    elif share is not None:
        shown = value = percent(share)
    is_new = fact in news
    label = say("sheet.cell", card=card, holder=holder, value=value)
    if is_new:
        label = f"{label}, {say('sheet.new')}"
    classes = [verdict, strength(share) if verdict == "open" and share else ""]
    if fact in doubtful:
        label = f"{label}, {say('slips.doubtful')}"
        classes.append("doubtful")
    return tag(
        "td",
        button(
            shown,
            "why",
            class_="cell",
            data_fact=fact,
            aria_label=label,
            aria_pressed="true" if fact == chosen else None,
        ),
        class_=" ".join(filter(None, [*classes, "new" if is_new else ""])),
    )


def hints(say: Texts, knowledge: Knowledge, me: str | None) -> dict[str, str]:
    """Return where each card is known to be, in a word for its chip."""
    try:
        certain = knowledge.certain()
    except Undecided:
        return {}
    words = {ENVELOPE: say("turn.in_envelope"), UNDEALT: say("sheet.undealt")}
    if me is not None:
        words[me] = say("turn.yours")
    return {str(card): words.get(str(holder), str(holder)) for card, holder in certain.items()}


def hand_of(knowledge: Knowledge, player: str, cards: Sequence[str]) -> list[str] | None:
    """Return which of the cards a player has; ``None`` if the log does not show it."""
    possible = knowledge.possible()
    rows = [possible[card] for card in cards if card in possible]
    if any(player in row and len(row) > 1 for row in rows):
        return None
    return [card for card in cards if possible.get(card) == frozenset([player])]


def doubtful_sheet(say: Texts, plain: Knowledge, knowledge: Knowledge, *, consistent: bool) -> Html:
    """Return the sheet when answers may be wrong.

    Parameters
    ----------
    say
        The texts.
    plain
        What the log shows if no answer is wrong.
    knowledge
        What it shows otherwise.
    consistent
        Whether any deal is possible if no answer is wrong.
    """
    posterior = knowledge.posterior()
    certain = plain.certain() if consistent else {}
    doubtful = set()
    for variable, value in certain.items():
        if posterior[variable].get(value, Fraction(0)) < SURE:
            row = list(plain.problem.domains).index(variable)
            column = list(plain.problem.domains[variable]).index(value)
            doubtful.add(f"{row}.{column}")
    return sheet_page(say, knowledge, news=(), chosen="", doubtful=doubtful)
