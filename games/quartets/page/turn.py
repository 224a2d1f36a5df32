"""What the speaker may say: the chips of a question, the two answers, the groups to declare.

The advice states what is certain, what must be handed over, how probable each yes is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from deduce.errors import BadInput, Undecided
from deduce.pages.features.log import Sight
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    chips,
    field,
    form,
    heading,
    join_html,
    listed,
    name,
    names,
    submit,
    tag,
    waiting,
)
from deduce.pages.presenter import Act, Feature, View, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui, keep_numbers, numbers
from deduce.pages.sentences import Texts
from deduce.show.table import percent
from games.quartets.counting import Counts, count_deals
from games.quartets.deal import hand_cards
from games.quartets.events import Answer, Ask, Quartet
from games.quartets.game import Quartets
from games.quartets.page.transcripts import Transcripts
from games.quartets.position import (
    Position,
    Question,
    answers,
    askable,
    certain,
    declarable,
    position_after,
    questions,
)
from games.quartets.setup import spoken_name
from games.quartets.wording import position_text, turn_line

__all__ = ["Turns"]


class Turns:
    """The views ``turn`` and ``advice``; what is tapped of a question is ``ui["turn"]``."""

    def __init__(self, say: Texts, book: Transcripts) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the statements as a part of a page."""
        question = ("to", "group", "card")
        return Feature(
            views={"turn": View(self._view, ("turn",)), "advice": View(self._advice)},
            jobs={"advice": self._job},
            intents={
                "draft": Act(self._keep, *question, of_players=True),
                "ask": Act(self._ask, *question, of_players=True),
                "reply": Act(self._reply, "yes", of_players=True),
                "declare": Act(self._declare, "group", of_players=True),
                "use": Act(self._use, "card", "to", of_players=True),
            },
        )

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return who has to speak, what may be said, and what is on the table."""
        session = self._book.session(sight.document)
        draft = numbers(ui, "turn", limits(session.game))
        return turn_html(self.say, session.game, session.position, draft)

    def _advice(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the place of the advice."""
        jobs.append(job_of(sight, "advice", "advice"))
        return waiting(self.say("advice.title"), "advice")

    def _job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what to say."""
        session = self._book.session(sight.document)
        return advice_html(self.say, session.game, session.position)

    def _speaker(self, moment: Moment) -> tuple[Quartets, str]:
        session = self._book.session(moment.log)
        return session.game, session.game.players[session.position.speaker()]

    def _keep(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a question."""
        game, _ = self._speaker(moment)
        draft = keep_numbers(moment, intent, "turn", limits(game))
        group = game.table.group_of[draft["card"]] if "card" in draft else None
        if draft.get("group", group) != group:
            draft.pop("card", None)

    def _ask(self, moment: Moment, intent: Intent) -> None:
        """Record a question."""
        self._keep(moment, intent)
        game, by = self._speaker(moment)
        draft = numbers(moment.ui, "turn", limits(game))
        if "to" not in draft or "card" not in draft:
            raise BadInput(self.say("turn.choose"))
        asked = Ask(by, game.players[draft["to"]], game.cards[draft["card"]])
        self._book.speak(moment, asked)

    def _reply(self, moment: Moment, intent: Intent) -> None:
        """Record an answer."""
        _, by = self._speaker(moment)
        self._book.speak(moment, Answer(by, intent.values.get("yes") == "yes"))

    def _declare(self, moment: Moment, intent: Intent) -> None:
        """Record that a group is declared."""
        game, by = self._speaker(moment)
        group = game.group_names[intent.index("group", len(game.groups))]
        self._book.speak(moment, Quartet(by, group))

    def _use(self, moment: Moment, intent: Intent) -> None:
        """Begin the question that the advice names."""
        game, _ = self._speaker(moment)
        card, to = intent.index("card", len(game.cards)), intent.index("to", len(game.players))
        moment.ui["turn"] = {"to": to, "group": game.table.group_of[card], "card": card}
        self._book.views.open(moment.ui, "turn")
        moment.focus = "turn-form"


def limits(game: Quartets) -> dict[str, int]:
    """Return how many can be chosen of each thing that a question names."""
    return {"to": len(game.players), "group": len(game.groups), "card": len(game.cards)}


def turn_html(say: Texts, game: Quartets, position: Position, draft: Mapping[str, int]) -> Html:
    """Return who has to speak, what may be said, and what is on the table."""
    parts: list[Child] = [heading(turn_line(game, position), id_="turn-title")]
    if position.question is not None and not position.over:
        parts.append(_answers(say, game, position))
    elif not position.over:
        parts.append(_question(say, game, position, draft))
    if not position.over:
        parts.append(_typed(say, game, position))
    hands = position_text(game, position).splitlines()[:-1]  # the turn is in the title
    parts += [tag("h3", say("turn.table")), listed(hands, class_="plain")]
    return join_html(parts)


def _typed(say: Texts, game: Quartets, position: Position) -> Html:
    other = next(p for i, p in enumerate(game.players) if i != position.speaker())
    example = f"{other} {game.cards[0]}"
    hint = say("turn.type_hint", example=example, group=game.group_names[0])
    enter = submit(say("turn.say"), class_="button")
    line = field(say("turn.type"), "line", hint=None if game.invented else hint)
    return form("type", line, enter, class_="inline", id_="say-form")


def _answers(say: Texts, game: Quartets, position: Position) -> Html:
    """Return the two answers; one that leaves no deal is marked."""
    possible = [answer.yes for answer in answers(game, position)]
    buttons = []
    for yes in (True, False):
        label = say("turn.yes" if yes else "turn.no")
        note = "" if yes in possible else say("turn.loses")
        if possible == [yes]:
            note = say("turn.must")
        look = "button main" if yes in possible else "button danger"
        inside: Child = [label, " ", tag("small", note)] if note else label
        buttons.append(button(inside, "reply", class_=look, data_yes="yes" if yes else "no"))
    who = game.players[position.speaker()]
    return tag("div", tag("p", say("turn.answer", name=who)),
               tag("div", *buttons, class_="buttons"))  # fmt: skip


def _question(say: Texts, game: Quartets, position: Position, draft: Mapping[str, int]) -> Html:
    """Return the chips of a question, and the groups that can be declared."""
    by = position.speaker()
    asked = questions(game, position)
    able = {question.ask.to for question in asked}
    legal = {game.card(question.ask.card) for question in asked}
    who, masks = game.players[by], game.table.masks
    players = [
        Chip(str(p), name(player)) for p, player in enumerate(game.players) if player in able
    ]
    groups = {g: game.group_names[g] for g in position.form.groups()}
    open_groups = {game.table.group_of[card] for card in legal}
    parts: list[Child] = [
        chips(say("turn.to", name=who), "to", players, _chosen(draft, "to")),
        chips(
            say("turn.group"), "group", _named(game, groups, open_groups), _chosen(draft, "group")
        ),
    ]
    if "group" in draft:
        cards = {card: game.cards[card] for card in hand_cards(masks[draft["group"]])}
        named = _named(game, cards, legal, say("turn.loses"))
        parts.append(chips(say("turn.card"), "card", named, _chosen(draft, "card")))
    parts.append(tag("div", submit(say("turn.ask")), class_="buttons"))
    shown = [form("ask", *parts, draft="draft", id_="turn-form")]
    sure, possible = certain(position), declarable(position)
    declared = [
        button([say("turn.declare", group=spoken_name(game, game.group_names[g])), " ",
                tag("small", say("turn.sure")) if g in sure else None],
               "declare", data_group=g)
        for g in possible
    ]  # fmt: skip
    if declared:
        shown += [tag("h3", say("turn.declare_title", name=who)),
                  tag("div", *declared, class_="buttons")]  # fmt: skip
    return join_html(shown)


def _named(
    game: Quartets, called: Mapping[int, str], able: Collection[int], hint: str = ""
) -> Iterable[Chip]:
    """Return chips of groups or cards, faint if a question about them loses.

    Those without a name yet are one chip.
    """
    found: dict[str, Chip] = {}
    for number, each in called.items():
        spoken, faint = spoken_name(game, each), number not in able
        if spoken not in found or (found[spoken].faint and not faint):
            found[spoken] = Chip(str(number), name(spoken), hint if faint else "", faint=faint)
    return found.values()


def _chosen(draft: Mapping[str, int], key: str) -> list[str]:
    return [str(draft[key])] if key in draft else []


MAX_SHOWN = 12
"""How many questions are listed."""


def advice_html(say: Texts, game: Quartets, position: Position) -> Iterator[Html]:
    """Yield what the player who has to speak may say, in parts; the last is complete."""
    yield Html()
    if position.fault is not None:
        yield tag("p", say("verdict.invalid"))
    elif position.over:
        yield tag("p", say("advice.over"))
    elif position.question is not None:
        yield _answer_lines(say, game, position)
    else:
        yield from _questions(say, game, position)


def _answer_lines(say: Texts, game: Quartets, position: Position) -> Html:
    """Return what follows from each answer."""
    who = game.players[position.speaker()]
    rows = []
    for yes in (True, False):
        after = position_after(game, position, Answer(who, yes))
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
            counts[key] = _count(position_after(game, position, question.ask))
            yield Html()
        found = counts[key]
        if found is not None:
            shares[index] = found.probability(card, game.players.index(question.ask.to))
    order = sorted(range(len(possible)), key=lambda i: -shares.get(i, Fraction(possible[i].yes)))
    rows = [_question_line(say, game, possible[i], shares.get(i)) for i in order[:MAX_SHOWN]]
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


def _question_line(say: Texts, game: Quartets, question: Question, share: Fraction | None) -> Html:
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
