"""A person at the terminal as a bot."""

from __future__ import annotations

from collections.abc import Callable

from games.cultist.bots import Bot
from games.cultist.orders import BadOrder, resolve
from games.cultist.referee import BotFailed
from games.cultist.rules import actions
from games.cultist.show import Paint, board_text
from games.cultist.state import State

__all__ = ["Human"]

_HELP = "your order (? lists them, quit leaves):"


class Human(Bot):
    """Asks a person for orders, and asks again where the referee would not accept one.

    Parameters
    ----------
    ask
        Asks for a line; raises `EOFError` at the end of the input.
    tell
        Prints a line.
    paint
        Colours units by their owner.
    """

    clock = staticmethod(lambda: 0.0)  # a person has all the time there is

    def __init__(
        self, ask: Callable[[str], str], tell: Callable[[str], None], paint: Paint
    ) -> None:
        self._ask, self._tell, self._paint = ask, tell, paint

    def order(self, state: State, seconds: float) -> str:
        """Return an order that the referee accepts.

        Raises
        ------
        BotFailed
            The person leaves.
        """
        self._tell(board_text(state, paint=self._paint))
        while True:
            try:
                text = self._ask(_HELP).strip()
            except (EOFError, KeyboardInterrupt):
                text = "quit"
            if text.lower() in ("quit", "exit"):
                raise BotFailed("left the game")
            if text in ("", "?"):
                self._tell(", ".join(str(action) for action in actions(state)))
                continue
            try:
                resolve(state, text.upper())
            except BadOrder as error:
                self._tell(error.message)
                continue
            return text.upper()
