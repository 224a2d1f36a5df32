"""The page of Cultist Wars: a recorded game board by board."""

from __future__ import annotations

from deduce.pages.features.share import text_page
from deduce.pages.features.start import Start
from deduce.pages.html import Child, Html, button, heading, join_html, name, picture, stepper, tag
from deduce.pages.presenter import Act, Feature, Opened, Presenter, Reader, View, Views
from deduce.pages.protocol import Intent, Job, Moment, Ui, position
from deduce.pages.sentences import texts_of
from games.cultist.events import Turn
from games.cultist.replay import Replay, parse_replay
from games.cultist.rules import is_over
from games.cultist.show import board_svg
from games.cultist.wording import action_words

__all__ = ["cultist_page"]

VIEWS = Views(("board",), ("orders", "share"))


def cultist_page() -> Presenter[Opened[Replay]]:
    """Return the page of Cultist Wars."""
    say = texts_of("cultist")
    replays = Replays(say, parse_replay)
    return text_page(replays, VIEWS, Start(say, "cultist", replays.read))


class Replays(Reader[Replay]):
    """Reads replays and shows them order by order; ``ui["step"]`` is the number of the order."""

    def feature(self) -> Feature[Opened[Replay]]:
        """Return the replay as a part of a page."""
        return Feature(
            views={"board": View(self._board, ("step",)), "orders": View(self._orders, ("step",))},
            intents={"step": Act(self._step, "to")},
        )

    def title(self, value: Replay) -> str:
        """Return the names of the players, and the number of orders."""
        names = " – ".join(value.names)
        return self.say("replay.saved", names=names, n=len(value.orders))

    def _step(self, moment: Moment, intent: Intent) -> None:
        """Show the board after an order."""
        count = len(self.read(moment.log.text).orders) + 1
        moment.ui["step"] = intent.step(count)
        VIEWS.open(moment.ui, "board")

    def _board(self, sight: Opened[Replay], ui: Ui, jobs: list[Job]) -> Html:
        """Return the board after an order."""
        say, replay = self.say, sight.value
        last = len(replay.orders)
        at = position(ui, last)
        turn = replay.turns[at - 1] if at else None
        state = replay.start if turn is None else turn.after
        title = say("replay.start") if turn is None else self._order(replay, at)
        first, second = state.counts
        units = say("replay.units", first=replay.names[0], a=first, second=replay.names[1],
                    b=second)  # fmt: skip
        parts: list[Child] = [
            heading(title, id_="step-title"),
            stepper(say("replay.step", n=at, all=last), at, last),
            picture(board_svg(state, turn)),
            tag("p", units),
            *(tag("p", line) for line in self._told(turn)),
        ]
        if at == last:
            parts.append(tag("p", tag("strong", self._result(replay))))
        return join_html(parts)

    def _order(self, replay: Replay, at: int) -> str:
        turn = replay.turns[at - 1]
        who = replay.names[turn.before.player]
        return self.say("replay.order", n=at, name=who, order=action_words(turn.action))

    def _told(self, turn: Turn | None) -> list[str]:
        if turn is None:
            return []
        lines = []
        if turn.hit is not None:
            key = "replay.obstacle" if turn.hit.unit is None else "replay.hit"
            lines.append(self.say(key, unit=turn.hit.unit, damage=turn.hit.damage))
        if turn.step.mover is not None:
            lines.append(self.say("replay.neutral", unit=turn.step.mover))
        return lines

    def _result(self, replay: Replay) -> str:
        say = self.say
        if replay.fault is not None:
            loser = replay.names[replay.final.player]
            result = say("replay.fault", name=loser, reason=replay.fault.reason)
        elif not is_over(replay.final):
            return say("replay.going").capitalize() + "."
        elif replay.winner is None:
            result = say("replay.draw")
        else:
            a, b = sorted(replay.final.counts, reverse=True)
            result = say("replay.wins", name=replay.names[replay.winner], a=a, b=b)
        return say("replay.over", result=result)

    def _orders(self, sight: Opened[Replay], ui: Ui, jobs: list[Job]) -> Html:
        """Return the orders, each of which shows the board after it."""
        say, replay = self.say, sight.value
        at = position(ui, len(replay.orders))
        items = [
            tag(
                "li",
                button(name(self._order(replay, number)), "step", class_="row", data_to=number,
                       aria_current="step" if number == at else None),
                data_key=f"order-{number}",
                class_="marked" if number == at else None,
            )
            for number in range(1, len(replay.orders) + 1)
        ]  # fmt: skip
        return join_html(
            [
                heading(say("replay.orders")),
                tag("p", say("replay.tap"), class_="hint"),
                tag("ol", *items, class_="log"),
            ]
        )
