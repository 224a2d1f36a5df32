"""What to say next: what is certain, what must be handed over, how probable each yes is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from deduce.errors import Undecided
from deduce.pages.features.log import Sight
from deduce.pages.html import Child, Html, button, callout, join_html, name, names, tag, waiting
from deduce.pages.presenter import Feature, View, job_of
from deduce.pages.protocol import Job, Ui
from deduce.pages.sentences import Texts
from deduce.show.table import percent
from games.quartets.counting import Counts, count_deals
from games.quartets.events import Answer
from games.quartets.game import Quartets
from games.quartets.page.transcripts import Transcripts
from games.quartets.position import Position, Question, askable, certain, questions, tell
from games.quartets.setup import spoken_name
from games.quartets.wording import turn_line

__all__ = ["Advice"]

MAX_SHOWN = 12
"""How many questions are listed."""


class Advice:
    """The view ``advice``, and the job that computes it."""

    def __init__(self, say: Texts, book: Transcripts) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the advice as a part of a page."""
        return Feature(views={"advice": View(self._view)}, jobs={"advice": self._job})

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the place of the advice."""
        jobs.append(job_of(sight, "advice", "advice"))
        return waiting(self.say("advice.title"), "advice")

    def _job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what to say."""
        session = self._book.session(sight.document)
        return advice_html(self.say, session.game, session.position)


def advice_html(say: Texts, game: Quartets, position: Position) -> Iterator[Html]:
    """Yield what the player who has to speak may say, in parts; the last is complete."""
    yield Html()
    if position.fault is not None:
        yield tag("p", say("verdict.invalid"))
    elif position.over:
        yield tag("p", say("advice.over"))
    elif position.question is not None:
        yield _answers(say, game, position)
    else:
        yield from _questions(say, game, position)


def _answers(say: Texts, game: Quartets, position: Position) -> Html:
    """Return what follows from each answer."""
    who = game.players[position.speaker()]
    rows = []
    for yes in (True, False):
        after = tell(game, position, Answer(who, yes))
        label = say("turn.yes" if yes else "turn.no")
        if after.fault is not None:
            note = say("advice.loses")
        else:
            deals = _count(after)
            left = say("cards.undecided") if deals is None else say("cards.deals", n=deals.total)
            note = f"{left}. {turn_line(game, after)}"
        rows.append(tag("li", tag("p", tag("b", label)), tag("small", note), class_="asked"))
    return join_html([tag("p", say("turn.answer", name=who)), tag("ul", *rows, class_="rows")])


def _questions(say: Texts, game: Quartets, position: Position) -> Iterator[Html]:
    """Yield what can be declared and asked for, the most probable yes first."""
    by, group_of = position.speaker(), position.form.table.group_of
    who = game.players[by]
    parts: list[Child] = []
    for group in certain(position):
        label = spoken_name(game, game.group_names[group])
        declare = button(say("turn.declare", group=label), "declare", data_group=group)
        parts.append(callout(tag("p", say("advice.certain", name=who, group=label)), declare))
    possible = _told_apart(game, questions(game, position))
    may = set(askable(game, position, by))
    barred = [group for group in position.form.groups() if group not in may]
    if barred:
        groups = names(spoken_name(game, game.group_names[group]) for group in barred)
        parts.append(tag("p", say("advice.barred"), " ", groups, class_="warning"))
    if not possible:
        parts.append(tag("p", say("advice.none")))
        yield join_html(parts)
        return
    shares: dict[int, Fraction] = {}
    counts: dict[int, Counts | None] = {}
    for index, question in enumerate(possible):
        card = game.card(question.ask.card)
        # If askers may hold the card, a question states the same for all cards of a group.
        key = group_of[card] if game.ask_own else len(game.groups) + card
        if key not in counts:
            counts[key] = _count(tell(game, position, question.ask))
            yield Html()
        found = counts[key]
        if found is not None:
            shares[index] = found.probability(card, game.players.index(question.ask.to))
    order = sorted(range(len(possible)), key=lambda i: -shares.get(i, Fraction(possible[i].yes)))
    rows = [_question(say, game, possible[i], shares.get(i)) for i in order[:MAX_SHOWN]]
    parts += [tag("ul", *rows, class_="rows"), tag("p", say("advice.help"), class_="hint")]
    if len(possible) > MAX_SHOWN:
        parts.append(tag("p", say("advice.more", n=len(possible) - MAX_SHOWN), class_="hint"))
    if len(shares) < len(possible):
        parts.append(tag("p", say("cards.undecided"), class_="hint"))
    yield join_html(parts)


def _told_apart(game: Quartets, possible: Iterable[Question]) -> list[Question]:
    """Return one question of those that are spoken alike: cards without a name yet are."""
    spoken = {(each.ask.to, spoken_name(game, each.ask.card)): each for each in possible}
    return list(spoken.values())


def _question(say: Texts, game: Quartets, question: Question, share: Fraction | None) -> Html:
    ask = question.ask
    label = say("advice.ask", to=ask.to, card=spoken_name(game, ask.card))
    if question.forced is not None:
        note = say("advice.must" if question.forced else "advice.never")
    else:
        note = "" if share is None else say("advice.yes", share=percent(share))
    meter = None
    if share is not None:
        meter = tag("meter", value=f"{float(share):.3f}", min=0, max=1, aria_hidden="true")
    card, to = game.card(ask.card), game.players.index(ask.to)
    return tag("li", button([tag("b", name(label)), tag("small", note), meter], "use", class_="row",
                            data_card=card, data_to=to))  # fmt: skip


def _count(position: Position) -> Counts | None:
    try:
        return count_deals(position.form)
    except Undecided:
        return None
