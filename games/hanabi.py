"""Hanabi: what you know about your own hand, what partners know, and which clue tells most."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import log2
from random import Random
from typing import TypeAlias

from attrs import frozen

from deduce import BadInput, Evidence, Knowledge
from deduce.constraints import exactly, is_, is_not
from deduce.game import Viewer
from deduce.problem import Rule, World
from deduce.system.registry import Registration
from deduce.system.text import nearest

REGISTRATION = Registration(
    name="hanabi",
    summary="Hanabi: what you know about your own hand, what partners know, and what clues tell",
    hidden="games.hanabi:Hanabi",
    examples="games.examples",
    suffix=".hanabi",
    purpose="cards",
)
LETTERS = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "white": "W", "rainbow": "M"}
"""The first character of a card of each colour."""


@frozen
class Holds:
    """The cards with which a player begins, seen by all others; the player's cards in order."""

    template = "{player} holds: {cards}"

    player: str
    cards: tuple[str, ...]


@frozen
class Drew:
    """The card that a player has just drawn, seen by all others."""

    template = "{player} drew: {card}"

    player: str
    card: str


@frozen
class Clue:
    """A clue: a colour or a rank, and which cards of the player it touches."""

    template = "{giver} clues {player} {hint}: {cards}"

    giver: str
    player: str
    hint: str
    cards: tuple[str, ...]


@frozen
class Plays:
    """A card that is put on the table, where all see it; its player draws the next one."""

    template = "{player} plays {slot}: {card}"

    player: str
    slot: str
    card: str


@frozen
class Discards:
    """A card that is discarded, where all see it; its player draws the next one."""

    template = "{player} discards {slot}: {card}"

    player: str
    slot: str
    card: str


Event: TypeAlias = Holds | Drew | Clue | Plays | Discards


@frozen
class Hanabi:
    """Hanabi: players see the cards of all others, and learn about their own by clues.

    The deck has, of each colour, the cards ``1`` to ``5`` as often as ``copies`` says; rainbow is a
    colour that every clue about a colour touches, and that no clue names. With two or three
    players a hand has five cards, otherwise four. The cards of Ann at the beginning are ``Ann1`` to
    ``Ann5``; ``new1``, ``new2`` ... are the cards that are drawn, in their order: who plays or
    discards a card draws the next one.

    Lines of a log: ``Ben holds: R1 B3 W3 Y4 G5`` and ``Ben drew: G2`` are seen by all but Ben,
    ``Ann clues Ben blue: Ben2`` names the cards that a clue touches; all others of Ben's hand are
    not blue. ``Ben plays Ben1: R1`` and ``Ben discards new3: Y4`` show a card to all.

    Worlds are shuffled decks, so ``posterior`` is the probability with copies counted. What Ben can
    know is ``--as Ben``: only what Ben sees, and what clues exclude. Nothing is inferred from why a
    clue was given. ``advise --as Ben`` ranks clues to Ben by what they tell Ben on average, and
    `clues` by what they tell in the hand that the others see.

    Source: the rules commonly known (A. Bauza, 2010). Not checked against the rule book: everything
    here; conventions of players are no rules.

    Examples
    --------
    >>> log = ["Ben holds: R1 R2 B3 W4 G5", "Ben clues Ann red: Ann1", "Ben clues Ann 1: Ann1 Ann2"]
    >>> k = Knowledge(Hanabi()).tell(*log)
    >>> k.seen_by("Ann").certain()["Ann1"], str(k.seen_by("Ann").posterior()["Ann2"]["B1"])
    ('R1', '1/4')
    """

    name = "hanabi"
    events = (Holds, Drew, Clue, Plays, Discards)

    players: tuple[str, ...] = ("Ann", "Ben")
    colours: tuple[str, ...] = ("red", "yellow", "green", "blue", "white")
    copies: tuple[int, ...] = (3, 2, 2, 2, 1)

    def __attrs_post_init__(self) -> None:
        """Refuse set-ups that cannot be dealt."""
        if not 2 <= len(self.players) <= 5 or len({*self.players}) != len(self.players):
            raise BadInput("2 to 5 players with different names")
        if any(len(player.split()) != 1 or player == "new" for player in self.players):
            raise BadInput("the name of a player is one word, not new")
        unknown = [colour for colour in self.colours if colour not in LETTERS]
        if unknown or len({*self.colours}) != len(self.colours) or not self.colours:
            raise BadInput(f"colours are different ones of {', '.join(LETTERS)}")
        if not 1 <= len(self.copies) <= 9 or min(self.copies) < 1:
            raise BadInput("copies are the numbers of ones, twos, ..., each at least 1")
        if self.size * len(self.players) > sum(self.deck.values()):
            raise BadInput("there are fewer cards than the players hold")

    @property
    def size(self) -> int:
        """The number of cards of a hand."""
        return 5 if len(self.players) < 4 else 4

    @cached_property
    def deck(self) -> Mapping[str, int]:
        """How often each card is in the deck."""
        return {
            f"{LETTERS[colour]}{rank}": number
            for colour in self.colours
            for rank, number in enumerate(self.copies, start=1)
        }

    @cached_property
    def hands(self) -> Mapping[str, Sequence[str]]:
        """The cards of each player at the beginning."""
        numbers = range(1, self.size + 1)
        return {player: [f"{player}{number}" for number in numbers] for player in self.players}

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return for each card of the shuffled deck what it may be."""
        slots = [slot for hand in self.hands.values() for slot in hand]
        rest = sum(self.deck.values()) - len(slots)
        return dict.fromkeys((*slots, *(f"new{n + 1}" for n in range(rest))), tuple(self.deck))

    def rules(self) -> Iterator[Rule]:
        """Yield how often each card is in the deck."""
        for card, number in self.deck.items():
            facts = [is_(slot, card) for slot in self.variables()]
            yield Rule(exactly(number, facts), f"the deck has {number} times {card}")

    def hints(self) -> Sequence[str]:
        """Return what a clue may name."""
        named = [colour for colour in self.colours if colour != "rainbow"]
        return [*named, *(str(rank + 1) for rank in range(len(self.copies)))]

    def touched(self, hint: str) -> Sequence[str]:
        """Return the cards of the deck that a clue touches."""
        letters = (LETTERS.get(hint), LETTERS["rainbow"])
        return [c for c in self.deck if c[1] == hint or (hint in LETTERS and c[0] in letters)]

    def seen_by(self, viewer: Viewer) -> "Hanabi":
        """Return the game: all know the deck."""
        return self

    def seen_event(self, event: Event, viewer: Viewer) -> Event | None:
        """Return the event; nothing of a hand that the viewer does not see."""
        hidden = isinstance(event, Holds | Drew) and viewer in (None, event.player)
        return None if hidden else event

    def check(self, event: Event) -> None:
        """Refuse names that the game does not have."""
        match event:
            case Holds(player, cards):
                if len(cards) != self.size:
                    raise BadInput(f"a hand has {self.size} cards, not {len(cards)}")
                self._check((player,), cards, ())
            case Clue(giver, player, hint, slots):
                if giver == player or hint not in self.hints():
                    raise BadInput(f"a clue is for another player: {', '.join(self.hints())}")
                if not slots or len({*slots}) != len(slots):
                    raise BadInput("a clue names the cards that it touches, each once")
                self._check((giver, player), (), slots)
            case Plays(player, slot, card) | Discards(player, slot, card):
                self._check((player,), (card,), (slot,))
            case Drew(player, card):
                self._check((player,), (card,), ())

    def _check(self, players: Sequence[str], cards: Sequence[str], slots: Sequence[str]) -> None:
        """Refuse names that the game does not have."""
        variables = self.variables()
        for given, known in ((players, self.players), (cards, self.deck), (slots, variables)):
            for one in given:
                if one not in known:
                    raise BadInput(f"no player or card is called {one!r}{nearest(one, [*known])}")

    def held(self, log: Sequence[Event]) -> Mapping[str, Sequence[str]]:
        """Return the hand of each player after a log, the newest card last.

        Raises
        ------
        BadInput
            A card is played, discarded or touched that its player does not hold.
        """
        *_, last = self.hands, *self._hands(log)
        return last

    def _hands(self, log: Sequence[Event]) -> Iterator[Mapping[str, Sequence[str]]]:
        """Yield the hands after each event of a log, one mapping that changes."""
        held = {player: list(hand) for player, hand in self.hands.items()}
        new = (slot for slot in self.variables() if slot.startswith("new"))
        for event in log:
            used: Sequence[str] = event.cards if isinstance(event, Clue) else ()
            if isinstance(event, Plays | Discards):
                used = (event.slot,)
            for slot in used:
                if slot not in held[event.player]:
                    raise BadInput(f"{event.player} does not hold {slot} then")
            if isinstance(event, Plays | Discards):
                held[event.player].remove(event.slot)
                held[event.player] += [slot for slot in [next(new, None)] if slot]
            yield held

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        """Yield what the viewer sees of hands, and what clues and played cards show."""
        for number, (event, held) in enumerate(zip(log, self._hands(log), strict=True), start=1):
            hand = held[event.player]
            match event:
                case Clue(_, _, hint, cards):
                    for slot in hand:
                        means = (is_ if slot in cards else is_not)(slot, *self.touched(hint))
                        word = "is" if slot in cards else "is not"
                        yield Evidence(means, number, f"the clue: {slot} {word} {hint}")
                case Plays(player, slot, card) | Discards(player, slot, card):
                    yield Evidence(is_(slot, card), number, f"{player} showed {slot}: {card}")
                case Holds(player, cards) if self.seen_event(event, viewer):
                    for slot, card in zip(self.hands[player], cards, strict=True):
                        yield Evidence(is_(slot, card), number, f"{player}'s {slot} is {card}")
                case Drew(player, card) if self.seen_event(event, viewer):
                    yield Evidence(is_(hand[-1], card), number, f"{player} drew {card}")

    def inquiries(self, log: Sequence[Event], viewer: Viewer) -> Iterator[tuple[str, ...]]:
        """Yield the clues that the viewer may get: the hint, and then the viewer's cards."""
        if viewer in self.players:
            yield from ((hint, *self.held(log)[str(viewer)]) for hint in self.hints())

    def answer(self, inquiry: tuple[str, ...], world: World) -> tuple[str, ...]:
        """Return the cards that the clue touches; it is not given where there is none."""
        return tuple(slot for slot in inquiry[1:] if world[slot] in self.touched(inquiry[0]))

    def scope(self, inquiry: tuple[str, ...]) -> tuple[str, ...]:
        """Return the hand."""
        return inquiry[1:]

    def format_inquiry(self, inquiry: tuple[str, ...]) -> str:
        """Return the hint."""
        return inquiry[0]

    def format_answer(self, inquiry: tuple[str, ...], answer: tuple[str, ...]) -> str:
        """Return the cards that are touched."""
        return " ".join(answer) or "none"

    def svg(self, knowledge: Knowledge) -> str:
        """Return the cards of all hands, shaded by the probabilities of colours and ranks."""
        from deduce.show.svg import shaded_cells

        rows: list[list[tuple[str, Fraction | None]]] = []
        posterior, ranks = knowledge.posterior(), [str(n + 1) for n in range(len(self.copies))]
        for hand in self.held(knowledge.log).values():
            for slot in hand:
                rows.append([(slot, None)])
                for words in (*self.colours, *ranks):
                    mark = LETTERS.get(words, words)
                    chance = sum(p for card, p in posterior[slot].items() if mark in str(card))
                    rows[-1].append((words, Fraction(chance)))
        return shaded_cells(rows, title="what the cards may be")

    @classmethod
    def random_setup(cls, random: Random) -> "Hanabi":
        """Return a small deck for two players."""
        colours = random.sample([*LETTERS], 3)
        return cls(("Ann", "Ben"), (*colours,), random.choice([(2, 2), (3, 1, 1), (2, 2, 1)]))

    def deal(self, random: Random) -> World:
        """Return a shuffled deck."""
        cards = [card for card, number in self.deck.items() for _ in range(number)]
        return dict(zip(self.variables(), random.sample(cards, len(cards)), strict=True))

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield hands, and then turns at random."""
        log: list[Event] = []
        for player, hand in self.hands.items():
            log.append(Holds(player, tuple(str(world[slot]) for slot in hand)))
        for turn in range(random.randint(2, 8)):
            player = self.players[turn % len(self.players)]
            hands = self.held(log)
            other = random.choice([p for p in self.players if p != player])
            hint = random.choice(self.hints())
            touched = tuple(s for s in hands[other] if world[s] in self.touched(hint))
            if touched and random.random() < 0.6:
                log.append(Clue(player, other, hint, touched))
                continue
            slot = random.choice(hands[player])
            done = Plays if random.random() < 0.5 else Discards
            log.append(done(player, slot, str(world[slot])))
            if len(self.held(log)[player]) == self.size:
                log.append(Drew(player, str(world[self.held(log)[player][-1]])))
        yield from log


def clues(knowledge: Knowledge, player: str) -> Sequence[tuple[str, Sequence[str], float]]:
    """Return the clues that may be given to a player, and what each tells the player in bits.

    The knowledge is that of one who sees the player's hand. The bits are the entropies of the cards
    of the hand, one by one, as the player sees them before the clue, minus those after it. About
    40 ms a clue.

    >>> k = Knowledge(Hanabi()).tell("Ben holds: R1 R2 B3 W4 G5")
    >>> hint, touched, bits = clues(k, "Ben")[0]
    >>> hint, len(touched), round(bits, 2)
    ('red', 2, 5.61)
    """
    game: Hanabi = knowledge.game  # type: ignore[assignment]
    hand, known = game.held(knowledge.log)[player], knowledge.certain()
    giver = next(other for other in game.players if other != player)

    def unknown(seen: Knowledge) -> float:
        rows = map(seen.posterior().__getitem__, hand)
        return sum(-p * log2(p) for row in rows for p in row.values() if p)

    before = unknown(knowledge.seen_by(player))
    found = []
    for hint in game.hints():
        touched = tuple(slot for slot in hand if known.get(slot) in game.touched(hint))
        if touched:
            after = knowledge.tell(Clue(giver, player, hint, touched)).seen_by(player)
            found.append((hint, touched, before - unknown(after)))
    return sorted(found, key=lambda clue: -clue[2])
