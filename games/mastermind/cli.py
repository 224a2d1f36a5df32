"""The commands of Mastermind: those of every hidden game, and new, track, play, solve."""

from __future__ import annotations

from deduce.commands import GameCommands, Look
from games.mastermind import REGISTRATION

__all__ = ["mastermind"]

LOOK = Look(variable="SLOT", value="COLOUR", example="2=5", log="game.log")

mastermind = GameCommands(REGISTRATION, LOOK)
mastermind.help = f"""{REGISTRATION.summary}.

\b
Example:  deduce mastermind new --slots 4 --colours 6 > game.mastermind
          deduce mastermind track game.mastermind
          deduce mastermind advise game.mastermind
          deduce mastermind solve --slots 4 --colours 6

Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable log, 4 undecided within the limit."""
for name, path, summary in (
    ("new", "commands:new", "Print a log with a set-up and no guesses."),
    ("track", "commands:track", "Keep the log of a game: type guesses and answers."),
    ("play", "commands:play", "Guess a code, or watch a program guess it."),
    ("solve", "commands:solve", "Find the best plan for all codes, and prove that it is best."),
):
    mastermind.add_lazy(name, f"games.mastermind.{path}", summary)
