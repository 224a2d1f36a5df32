"""Playing against computers in the terminal: typed lines in, the table out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from attrs import define, field

from deduce.errors import BadInput, DeduceError
from deduce.files import replace_file
from games.propre.cards import parse_cards
from games.propre.notation import parse_option
from games.propre.players import Player, Seat, advise
from games.propre.session import Session
from games.propre.show import (
    YOU,
    advice_text,
    answer_table,
    event_text,
    hand_text,
    refusals,
    table_text,
    unseen_table,
)
from games.propre.state import Option

__all__ = ["HELP", "Table"]

HELP = """Type an option (attack 2h, ten TS mv+1, ace AC h, normal 9D horizontal, swap, none), or:
  ?            all options          why 7D    why a card may or may not be played
  hint         what sampling says   unseen    where the other cards may lie
  undo         before your last option        save FILE    quit"""


@define
class Table:
    """A person and some computers at a table.

    Parameters
    ----------
    session
        Where the game stands.
    players
        The computer at each seat; ``None`` is the person.
    random
        For draws and players.
    seconds
        How long a computer may think.
    open_hands
        Whether everybody sees everything.
    autosave
        Writes the text of the game somewhere after each option.
    """

    session: Session
    players: Sequence[Player | None]
    random: Random
    seconds: float = 1.0
    open_hands: bool = False
    autosave: Callable[[str], None] = field(default=lambda text: None)

    @property
    def names(self) -> list[str]:
        """What the seats are called: `YOU`, or by number."""
        people = sum(player is None for player in self.players)
        return [
            YOU if player is None and people == 1 else f"seat {seat}"
            for seat, player in enumerate(self.players)
        ]

    def run(self, ask: Callable[[str], str], tell: Callable[[str], None]) -> int | None:
        """Return the seat that won, or ``None`` if the person left before the end.

        Parameters
        ----------
        ask
            Returns a line for a prompt; raises `EOFError` at the end of the input.
        tell
            Takes a line to be shown.
        """
        while True:
            self._settle(tell)
            state = self.session.state
            if state.winner >= 0:
                tell(self._told())
                name = self.names[state.winner]
                tell(f"{name} {'have' if name == YOU else 'has'} won")
                return state.winner
            player = self.players[state.active]
            if player is None:
                if not self._person(ask, tell):
                    return None
            else:
                known = state if self.open_hands else None
                view = self.session.views[state.active]
                self._play(player(Seat(view, self.random, self.seconds, known)), tell)

    def _person(self, ask: Callable[[str], str], tell: Callable[[str], None]) -> bool:
        """Take lines until an option is played; return whether the game goes on."""
        tell(self._told())
        while True:
            try:
                line = ask(f"seat {self.session.state.active}> ").strip()
            except EOFError:
                return False
            word, _, rest = line.partition(" ")
            try:
                if word in ("quit", "exit"):
                    return False
                if word == "undo":
                    self.session = self.session.undone(self.session.state.active)
                    tell(self._told())
                elif word == "save":
                    self._save(rest.strip())
                    tell(f"saved to {rest.strip()}")
                elif not line or word in ("help", "h"):
                    tell(HELP)
                elif not self._question(word, rest, tell):
                    rules, state = self.session.rules, self.session.state
                    self._play(parse_option(line, rules, state), tell)
                    return True
            except DeduceError as error:
                tell(str(error))

    def _question(self, word: str, rest: str, tell: Callable[[str], None]) -> bool:
        """Answer what is no option; return whether it was a question."""
        rules, state = self.session.rules, self.session.state
        view = self.session.views[state.active]
        if word == "?":
            tell(", ".join(map(str, rules.options(state))))
        elif word == "why":
            cards = parse_cards(rest)
            if len(cards) != 1:
                raise BadInput("ask such as: why 7D")
            tell("\n".join(refusals(rules, state, cards[0])))
        elif word == "unseen":
            tell(str(unseen_table(view)))
        elif word == "hint":
            tell(advice_text(view, advise(view, seconds=self.seconds)))
            answers = view.answers()
            if answers:
                tell(str(answer_table(answers)))
        else:
            return False
        return True

    def _save(self, path: str) -> None:
        if not path:
            raise BadInput("save where? Type: save FILE")
        replace_file(Path(path), self.session.text())

    def _play(self, option: Option, tell: Callable[[str], None]) -> None:
        state = self.session.state
        self.session = self.session.play(option)
        tell(event_text(state, option, seen=False, names=self.names))
        self.autosave(self.session.text())

    def _settle(self, tell: Callable[[str], None]) -> None:
        """Draw the cards that are due; the person sees the own ones."""
        while self.session.state.due:
            state = self.session.state
            card = self.random.choice(state.stock)
            self.session = self.session.draw(card)
            seen = self.open_hands or self.players[state.active] is None
            tell(event_text(state, card, seen=seen, names=self.names))
            self.autosave(self.session.text())

    def _told(self) -> str:
        """Return the table as the player at turn may see it, and the own hand with its marks."""
        state, rules = self.session.state, self.session.rules
        shown = state if self.open_hands else self.session.views[state.active].state
        if state.winner >= 0:
            shown = state
        text = table_text(shown, names=self.names)
        if state.winner >= 0:
            return text
        return f"{text}\n      {hand_text(rules, state)}   ([..] may be played)"
