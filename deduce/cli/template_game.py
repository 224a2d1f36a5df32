"""Knights and knaves: find out who tells the truth.

A game of your own, in one file. Change it, and try it as you go:

    python GAME.py                              check every promise of the game on random logs
    deduce GAME.py new my.log                   a log with a set-up and no events
    deduce GAME.py track my.log                 type events, ask for advice, take lines back
    deduce GAME.py grid my.log                  what is certain, what can be, and how probably
    deduce GAME.py why Ann=knave my.log         the events that prove it
    deduce app GAME.py my.log                   the same on a page

The page "Add a game" of the documents shows what else a game may state.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from random import Random

from attrs import frozen

from deduce import BadInput, Count, Evidence, Where, is_
from deduce.line_game import Line

KINDS = ("knight", "knave")


class Says(Line, template="{speaker}: {other} is a {kind}"):
    """An event: the line of text that it is in a log, and its fields."""

    speaker: str
    other: str
    kind: str


@frozen
class Knights:
    """Knights and knaves: knights always tell the truth, knaves always lie."""

    # The name in logs, and the classes of events.
    name = "knights"
    events = (Says,)

    # The set-up: these fields are the header of a log. `deduce GAME.py new --set` changes them.
    people: tuple[str, ...] = ("Ann", "Ben", "Cid", "Dot", "Eve")
    least_knights: int = 1

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return what is hidden: every variable with the values that it may have."""
        return dict.fromkeys(self.people, KINDS)

    def rules(self) -> Iterator[Count]:
        """Yield what always holds."""
        yield Count([is_(person, "knight") for person in self.people], self.least_knights)

    def check(self, event: Says) -> None:
        """Refuse an event that cannot occur, and say what would be right."""
        if event.speaker not in self.people or event.other not in self.people:
            raise BadInput(f"the people are {', '.join(self.people)}")
        if event.speaker == event.other or event.kind not in KINDS:
            raise BadInput("a line is about someone else, such as 'Ann: Ben is a knave'")

    def evidence(self, log: Sequence[Says], viewer: object) -> Iterator[Evidence]:
        """Yield what each event means, with its number in the log and a sentence for proofs."""
        for number, said in enumerate(log, start=1):

            def fits(speaker: str, other: str, kind: str = said.kind) -> bool:
                return (speaker == "knight") == (other == kind)

            sentence = f"{said.speaker} says that {said.other} is a {said.kind}"
            yield Evidence(Where((said.speaker, said.other), fits), number, sentence)

    # What can be asked, and how it is answered: `advise` ranks these questions.

    def inquiries(self, log: Sequence[Says], viewer: object) -> Iterator[tuple[str, str]]:
        """Yield the questions that can be asked now, each as (who is asked, about whom)."""
        yield from permutations(self.people, 2)

    def answer(self, inquiry: tuple[str, str], world: Mapping[str, str]) -> str:
        """Return the answer that one gets in a world."""
        speaker, other = inquiry
        knave = (world[speaker] == "knave") != (world[other] == "knave")
        return KINDS[knave]

    def scope(self, inquiry: tuple[str, str]) -> tuple[str, str]:
        """Return the variables that the answer depends on."""
        return inquiry

    def format_inquiry(self, inquiry: tuple[str, str]) -> str:
        """Return a question as people say it."""
        return f"ask {inquiry[0]} about {inquiry[1]}"

    # Random games: for puzzles, and for the check below.

    def deal(self, random: Random) -> Mapping[str, str]:
        """Return a random world that fits the rules; all of them are equally likely."""
        while True:
            world = {person: random.choice(KINDS) for person in self.people}
            if sum(kind == "knight" for kind in world.values()) >= self.least_knights:
                return world

    def record(self, world: Mapping[str, str], random: Random) -> Iterator[Says]:
        """Yield the events of a random game in which this world is the truth."""
        for _ in range(random.randint(1, 6)):
            speaker, other = random.sample(self.people, 2)
            yield Says(speaker, other, self.answer((speaker, other), world))


if __name__ == "__main__":
    from deduce.testing import check_hidden_game

    print(check_hidden_game(Knights(), deals=3))
