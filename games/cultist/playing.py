"""A person against a bot, as a dialogue in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deduce.commands.dialogue import command_of
from games.cultist.bots import Bot, BotFailed
from games.cultist.orders import BadOrder
from games.cultist.referee import TimedBot
from games.cultist.replay import Fault, Replay
from games.cultist.rules import actions, is_over
from games.cultist.show.text import Paint, board_text, sentence, turn_text
from games.cultist.state import OWNER_NAMES, State
from games.cultist.turns import Turn, play_turn

__all__ = ["GameDialogue"]

HELP = "type an order such as 0 MOVE 3 3, or: help (or ?) for all orders, board, quit"


class GameDialogue:
    """A game against a bot: each line is an order of the person, and the bot answers it.

    Parameters
    ----------
    start
        The first state.
    bot
        The opponent. It is not closed.
    side
        The side of the person, 0 or 1.
    paint
        Colours units by their owner.
    show
        Prints a board, which may contain colours.
    """

    prefill = ""

    def __init__(
        self, start: State, bot: Bot, side: int, *, paint: Paint, show: Callable[[str], object]
    ) -> None:
        self.start = self.state = start
        self.orders: list[str] = []
        self.fault: Fault | None = None
        self._bot, self._side, self._paint, self._show = TimedBot(bot), side, paint, show
        if side == 1:
            self._bot_turn()

    @property
    def prompt(self) -> str:
        """The side of the person."""
        return f"{OWNER_NAMES[self._side]}> "

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or one of the players has left it."""
        return self.fault is not None or is_over(self.state)

    def greeting(self) -> Iterator[str]:
        """Show the help and the first board of the person."""
        yield f"You are {OWNER_NAMES[self._side]}; {HELP}"
        self._show_board()

    def answer(self, line: str) -> Iterator[str]:
        """Play an order and the bot's reply, or follow a command.

        Raises
        ------
        BadOrder
            The referee would not accept the order; the game goes on.
        """
        command = command_of(line, ("help", "board", "quit"))
        if command is not None and command[0] == "quit":
            self.leave()
        elif command is not None and command[0] == "board":
            self._show_board()
        elif command is not None or not line.strip():
            yield HELP
            yield f"orders: {', '.join(map(str, actions(self.state)))}"
        else:
            yield sentence(self._take(line.strip().upper()))
            self._reply()

    def leave(self) -> None:
        """End an unfinished game: the person loses it."""
        if not self.is_over:
            self.fault = Fault("left the game")

    def replay(self, names: tuple[str, str], seed: int) -> Replay:
        """Return the game so far."""
        return Replay(self.start, tuple(self.orders), names, seed, self.fault)

    def _reply(self) -> None:
        """Let the bot play its turn; a Ctrl-C during it takes back the person's order."""
        before = len(self.orders) - 1
        try:
            turn = None if self.is_over else self._bot_turn()
        except KeyboardInterrupt:
            self.state = self.replay(("", ""), 0).turns[before].before
            del self.orders[before:]
            raise
        if turn is not None:
            self._show(turn_text(turn, paint=self._paint))

    def _take(self, order: str) -> Turn:
        turn = play_turn(self.state, order)
        self.orders.append(order)
        self.state = turn.after
        return turn

    def _bot_turn(self) -> Turn | None:
        try:
            return self._take(self._bot.order(self.state))
        except (BotFailed, BadOrder) as error:
            self.fault = Fault(str(error), error.text)
            return None

    def _show_board(self) -> None:
        self._show(board_text(self.state, paint=self._paint))
