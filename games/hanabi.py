"""Hanabi: what you know about your own hand, what partners know, and which clue tells most."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from itertools import takewhile
from math import factorial, log2, perm
from random import Random
from typing import ClassVar, TypeAlias

from attrs import frozen

from deduce import BadInput, Budget, Fact, Knowledge, Undecided, Unsupported
from deduce.constraints import Constraint, Weigh, is_, is_not
from deduce.game import RECORD, Viewer
from deduce.line_game import Line, SharedLog, seats
from deduce.problem import Rule, World
from deduce.system.registry import Registration
from deduce.system.text import check_known, check_names

LETTERS = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "white": "W", "rainbow": "M"}
"""The first character of a card of each colour."""


class Holds(Line, template="{player} holds: {cards}"):
    """The cards with which a player begins, seen by all others; the player's cards in order."""

    player: str
    cards: tuple[str, ...]


class Drew(Line, template="{player} drew: {card}"):
    """The card that a player has just drawn, seen by all others."""

    player: str
    card: str


class Clue(Line, template="{giver} clues {player} {hint}: {cards}"):
    """A clue: a colour or a rank, and which cards of the player it touches."""

    giver: str
    player: str
    hint: str
    cards: tuple[str, ...]


class Plays(Line, template="{player} plays {slot}: {card}"):
    """A card that is put on the table, where all see it; its player draws the next one."""

    player: str
    slot: str
    card: str


class Discards(Plays, template="{player} discards {slot}: {card}"):
    """A card that is discarded, where all see it; its player draws the next one."""


Event: TypeAlias = Holds | Drew | Clue | Plays


@frozen
class Hanabi(SharedLog):
    """Hanabi: players see the cards of all others, and learn about their own by clues.

    The deck has the cards ``1`` to ``5`` of each colour, as often as ``copies`` states; rainbow is
    a colour that every clue about a colour touches, but that no clue names. With two or three
    players a hand has five cards, otherwise four. The cards of Ann at the beginning are ``Ann1`` to
    ``Ann5``; ``new1``, ``new2`` ... are the cards that are drawn, in order: a player who plays or
    discards a card draws the next one.

    Lines of a log: ``Ben holds: R1 B3 W3 Y4 G5`` and ``Ben drew: G2`` are seen by all except Ben,
    ``Ann clues Ben blue: Ben2`` names the cards that a clue touches; all others of Ben's hand are
    not blue. ``Ben plays Ben1: R1`` and ``Ben discards new3: Y4`` show a card to all.

    A world consists of the cards drawn so far; ``posterior`` weighs each by the number of decks
    with these cards. ``--as Ben`` shows what Ben can know: only from what Ben sees and what clues
    exclude. Nothing is inferred from the reason for a clue. ``advise --as Ben`` ranks clues to Ben
    by how much they tell Ben on average, and `clues` by how much they tell about the hand that the
    others see.

    Source: the rules commonly known (A. Bauza, 2010). Not checked against the rule book: everything
    here; conventions of players are not rules.

    Examples
    --------
    >>> log = ["Ben holds: R1 R2 B3 W4 G5", "Ben clues Ann red: Ann1", "Ben clues Ann 1: Ann1 Ann2"]
    >>> k = Knowledge(Hanabi()).tell(*log)
    >>> k.seen_by("Ann").certain()["Ann1"], str(k.seen_by("Ann").posterior()["Ann2"]["B1"])
    ('R1', '1/4')
    """

    name = "hanabi"
    summary = "Hanabi: what you know about your own hand, what partners know, and what clues tell"
    column_width = 33
    events = (Holds, Drew, Clue, Plays, Discards)

    players: tuple[str, ...] = seats(2, 5, taken=("new",))
    colours: tuple[str, ...] = ("red", "yellow", "green", "blue", "white")
    copies: tuple[int, ...] = (3, 2, 2, 2, 1)
    puzzle_setup: ClassVar[None] = None

    def __attrs_post_init__(self) -> None:
        """Refuse set-ups that cannot be dealt."""
        check_names("colour", self.colours, 1, len(LETTERS))
        for colour in self.colours:
            check_known("colour", colour, LETTERS)
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
        """Return for each card of the hands at the beginning what it may be."""
        return {slot: tuple(self.deck) for hand in self.hands.values() for slot in hand}

    def drawn(self, log: Sequence[Event]) -> Mapping[str, Sequence[str]]:
        """Return the same for each card that was drawn."""
        done = sum(isinstance(event, Plays) for event in log)
        rest = sum(self.deck.values()) - len(self.variables())
        return {f"new{n + 1}": tuple(self.deck) for n in range(min(done, rest))}

    def drawn_rules(self, log: Sequence[Event]) -> Iterator[Rule]:
        """Yield in how many ways the deck has so many of each card: none, if it has fewer."""
        slots = [*self.variables(), *self.drawn(log)]
        for card, number in self.deck.items():
            ways = [perm(number, held) for held in range(len(slots) + 1)]
            facts = [is_(slot, card) for slot in slots]
            yield Rule(Weigh(facts, ways), f"the deck has {number} {card}")

    def hints(self) -> Sequence[str]:
        """Return what a clue may name."""
        named = [colour for colour in self.colours if colour != "rainbow"]
        return [*named, *(str(rank + 1) for rank in range(len(self.copies)))]

    def touched(self, hint: str) -> Sequence[str]:
        """Return the cards of the deck that a clue touches."""
        letters = (LETTERS.get(hint), LETTERS["rainbow"])
        return [c for c in self.deck if c[1] == hint or (hint in LETTERS and c[0] in letters)]

    def seen_event(self, event: Event, viewer: Viewer) -> Event | None:
        """Return the event; nothing of a hand that the viewer does not see."""
        hidden = isinstance(event, Holds | Drew) and viewer in (None, event.player)
        return None if hidden else event

    def fields(self, kind: type) -> Mapping[str, Collection[str]]:
        """Return the names of players, hints and cards."""
        slots = [*self.variables(), *(f"new{n}" for n in range(1, sum(self.deck.values())))]
        players = dict.fromkeys(("player", "giver"), self.players)
        cards = slots if kind is Clue else self.deck
        return {"hint": self.hints(), "slot": slots, "card": self.deck, "cards": cards, **players}

    def check(self, event: Event) -> None:
        """Refuse names that the game does not have, and clues that cannot be given."""
        super().check(event)
        if isinstance(event, Holds) and len(event.cards) != self.size:
            raise BadInput(f"a hand has {self.size} cards, not {len(event.cards)}")
        if isinstance(event, Clue):
            if event.giver == event.player:
                raise BadInput("a clue is for another player")
            if not event.cards or len({*event.cards}) != len(event.cards):
                raise BadInput("a clue names the cards that it touches, each once")

    def held(self, log: Sequence[Event]) -> Mapping[str, Sequence[str]]:
        """Return the hand of each player after a log, the newest card last.

        Raises
        ------
        BadInput
            A card is played or discarded that its player does not hold.
        """
        held = {player: list(hand) for player, hand in self.hands.items()}
        new = iter(self.drawn(log))
        for event in log:
            if isinstance(event, Plays):
                _expect_held(event, event.slot, held)
                held[event.player].remove(event.slot)
                held[event.player] += [slot for slot in [next(new, None)] if slot]
        return held

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield what is seen of a hand, or what a clue or a played card shows."""
        held = self.held(log)
        match event:
            case Clue(_, player, hint, cards):
                for slot in cards:
                    _expect_held(event, slot, held)
                for slot in held[player]:
                    yield (is_ if slot in cards else is_not)(slot, *self.touched(hint))
            case Plays(_, slot, card):
                _expect_held(event, slot, held)
                yield is_(slot, card)
            case Holds(player, cards):
                yield from map(is_, self.hands[player], cards)
            case Drew(player, card):
                if (slot := held[player][-1]) not in self.drawn(log):
                    raise BadInput(f"{player} has not drawn a card yet")
                yield is_(slot, card)

    def records(self, event: Event) -> int:
        """Return how many events of this kind could have been recorded."""
        if isinstance(event, Clue):
            return 1 << self.size
        return int(len(self.deck) ** (self.size if isinstance(event, Holds) else 1))

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

    def shown_cells(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the cards in hand, by colours and ranks."""
        marks = dict.fromkeys([*(card[0] for card in self.deck), *(card[1:] for card in self.deck)])
        return {
            slot: {mark: [is_(slot, *(c for c in self.deck if mark in c))] for mark in marks}
            for hand in self.held(log).values()
            for slot in hand
        }

    def comments(self, knowledge: Knowledge) -> Iterator[str]:
        """Yield the best clue to each player whose hand is known, and in an endgame the score.

        Clues are for the reader of the log: what they tell rests on hands that players do not see.
        """
        held, known = self.held(knowledge.log), knowledge.certain()
        for player, hand in held.items():
            if knowledge.viewer is RECORD and hand and known.keys() >= {*hand}:
                for hint, cards, bits in clues(knowledge, player)[:1]:
                    yield f"{hint} tells {player} most: {bits:.2f} bits about {' '.join(cards)}"
        with suppress(Unsupported, Undecided):
            score = float(best_score(knowledge.using(budget=Budget(seconds=3))))
            yield f"With all hands open, the best expected score is {score:.2f}: an upper bound"

    @classmethod
    def random_setup(cls, random: Random) -> "Hanabi":
        """Return a small deck for two players."""
        colours = random.sample([*LETTERS], 3)
        return cls(("Ann", "Ben"), (*colours,), random.choice([(2, 2), (3, 1, 1), (2, 2, 1)]))

    def deal(self, random: Random) -> World:
        """Return a shuffled deck."""
        cards = random.sample([*Counter(self.deck).elements()], sum(self.deck.values()))
        slots = [*self.variables(), *(f"new{n + 1}" for n in range(len(cards)))]
        return dict(zip(slots, cards, strict=False))

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


def _expect_held(event: Clue | Plays, slot: str, held: Mapping[str, Sequence[str]]) -> None:
    if slot not in held[event.player]:
        raise BadInput(f"{event.player} does not hold {slot} then")


def clues(knowledge: Knowledge, player: str) -> Sequence[tuple[str, Sequence[str], float]]:
    """Return the clues that may be given to a player, and what each tells the player in bits.

    The knowledge is that of the reader of a log with the player's hand. The bits are the entropies
    of the cards of the hand, one by one, as the player sees them before the clue, minus those after
    it. About 5 ms a clue.

    Raises
    ------
    BadInput
        The knowledge is that of a player, who does not see all that another one sees.

    Examples
    --------
    >>> k = Knowledge(Hanabi()).tell("Ben holds: R1 R2 B3 W4 G5")
    >>> hint, touched, bits = clues(k, "Ben")[0]
    >>> hint, len(touched), round(bits, 2)
    ('red', 2, 5.61)
    """
    if knowledge.viewer is not RECORD:
        raise BadInput("clues are ranked for the reader of the whole log, not for one player")
    game: Hanabi = knowledge.game  # type: ignore[assignment]
    hand = game.held(knowledge.log)[player]
    stated = [e.constraint for e in knowledge.problem.evidence if isinstance(e.constraint, Fact)]
    known = {fact.variable: card for fact in stated for card in fact.values if len(fact.values) < 2}
    known = known if known.keys() >= {*hand} else knowledge.certain()
    giver = next(other for other in game.players if other != player)

    def unknown(seen: Knowledge) -> float:
        rows = map(seen.posterior().__getitem__, hand)
        return sum(-float(p) * log2(p) for row in rows for p in row.values() if p)

    seen = knowledge.seen_by(player)
    before, found = unknown(seen), []
    for hint in game.hints():
        touched = tuple(slot for slot in hand if known.get(slot) in game.touched(hint))
        if touched:
            after = seen.tell(Clue(giver, player, hint, touched))
            found.append((hint, touched, before - unknown(after)))
    return sorted(found, key=lambda clue: -clue[2])


MAX_UNSEEN, MAX_CLUES = 12, 8
Card: TypeAlias = tuple[int, ...]
"""How many of a card each player has, from the one to move on, and the deck."""
Rows: TypeAlias = tuple[tuple[bool, tuple[Card, ...]], ...]
"""The cards of each colour that can still score, in order, and whether they go to the top; before
these, as one card, all others."""


def best_score(knowledge: Knowledge) -> Fraction:
    """Return the best expected score if all hands were open from now on.

    That is an upper bound of what players can reach who do not see their own cards. The order of
    the deck is unknown; a turn plays a card that fits, discards one, or gives a clue for one of 8
    tokens. Discards are allowed even with 8 tokens, in place of playing a card that does not fit.

    Raises
    ------
    Unsupported
        More than 12 cards are not seen.
    Undecided
        There are more positions than the budget of the knowledge has steps.

    Examples
    --------
    >>> game = Hanabi(colours=("red", "blue"), copies=(3, 2, 2))
    >>> log = ("Ann holds: R1 R2 R2 B1 B1", "Ben holds: R3 B1 B2 B3 R3")
    >>> best_score(Knowledge(game).tell(*log))
    Fraction(6, 1)
    """
    game: Hanabi = knowledge.game  # type: ignore[assignment]
    log, hands, known = knowledge.log, game.held(knowledge.log).values(), knowledge.certain()
    slots, size = [slot for hand in hands for slot in hand], len(game.players)
    rest = Counter(game.deck) - Counter(event.card for event in log if isinstance(event, Plays))
    unseen = rest.total() - sum(slot in known for slot in slots)
    if unseen > MAX_UNSEEN:
        raise Unsupported(f"{unseen} cards are not seen; at most {MAX_UNSEEN} may be")
    letters, meter = [LETTERS[colour] for colour in game.colours], knowledge.budget.meter()
    top = str(len(game.copies))

    def value(rows: Rows, clues: int, left: int) -> int:
        """Return the value of the next turn; colours, and cards that cannot score, are alike."""
        (_, others), *colours = rows
        kept = []
        for full, row in colours:
            alive = tuple(takewhile(any, row))
            others += row[len(alive) :]
            kept += [(full and len(alive) == len(row), alive)] if alive else []
        if not kept or left <= 0:
            return 0
        every = (False, (tuple(map(sum, zip(*others, strict=True))),)), *sorted(kept)
        turned = ((full, tuple((*c[1:-1], c[0], c[-1]) for c in row)) for full, row in every)
        return best(tuple(turned), min(clues, MAX_CLUES), left)

    @cache
    def best(rows: Rows, clues: int, left: int) -> int:
        """Return how many cards will score on average, times the number of orders of the deck."""
        meter.spend(100)
        kinds = [(i, j, card) for i, (_, row) in enumerate(rows) for j, card in enumerate(row)]
        deck, found = sum(card[-1] for *_, card in kinds), 0
        orders, now, most = factorial(deck), left - (not deck), min(len(kinds) - 1, deck + left)

        def drawn(rows: Rows, clues: int, scored: int = 0) -> int:
            """Return the value after a card has left the hand and another one is drawn.

            Where nothing that can still be drawn makes it better than the best so far, it is less.
            """
            if not deck:
                return scored + value(rows, clues, now)
            total, rest = scored * orders, deck
            for i, (_, row) in enumerate(rows):
                for j, card in enumerate(row):
                    limit = total + rest * (most - scored) * (orders // deck)
                    if card[-1] and limit > found:
                        total += card[-1] * value(_moved(rows, i, j, size, 0), clues, now)
                        rest -= card[-1]
            return total

        for i, (full, row) in enumerate(rows):
            if i and row[0][0]:
                higher = [*_moved(rows, i, 0, 0)]
                higher[0] = False, (*rows[0][1], higher[i][1][0])
                higher[i] = full, row[1:]
                found = max(found, drawn(tuple(higher), clues + (full and len(row) == 1), 1))
        for i, j, card in kinds[:1] if kinds[0][2][0] else kinds:
            if card[0] and found < most * orders:
                found = max(found, drawn(_moved(rows, i, j, 0), clues + 1))
        if clues and found < most * orders:
            found = max(found, value(rows, clues - 1, now))
        return found

    piles, clues, who, left = dict.fromkeys(letters, 0), MAX_CLUES, 0, size
    stock = sum(game.deck.values()) - len(game.variables())
    for event in log:
        if isinstance(event, Clue | Plays):
            actor = event.giver if isinstance(event, Clue) else event.player
            who, left = (game.players.index(actor) + 1) % size, left - (not stock)
        if isinstance(event, Clue):
            clues = max(clues - 1, 0)
        elif isinstance(event, Plays):
            stock -= stock > 0
            gone = isinstance(event, Discards)
            scores = not gone and piles[event.card[0]] + 1 == int(event.card[1:])
            piles[event.card[0]] += scores
            clues = min(clues + (gone or (scores and event.card.endswith(top))), MAX_CLUES)
    found = Fraction(0)
    for cards, share in knowledge.joint(*slots).items():
        of = dict(zip(slots, map(str, cards), strict=True))
        places = [Counter(of[slot] for slot in hand) for hand in hands]
        deck = rest - Counter(of.values())
        places = [*places[who - 1 :], *places[: who - 1], deck]
        higher = [[f"{x}{n}" for n in range(piles[x] + 1, int(top) + 1)] for x in letters]
        useful = {card for row in higher for card in row}
        others = tuple(sum(n for c, n in place.items() if c not in useful) for place in places)
        rows = [tuple(tuple(place[card] for place in places) for card in row) for row in higher]
        total = value(((False, (others,)), *((True, row) for row in rows)), clues, left)
        found += share * (sum(piles.values()) + Fraction(total, factorial(deck.total())))
    return found


def _moved(rows: Rows, i: int, j: int, giver: int, taker: int | None = None) -> Rows:
    full, row = rows[i]
    card = tuple(n - (place == giver) + (place == taker) for place, n in enumerate(row[j]))
    return (*rows[:i], (full, (*row[:j], card, *row[j + 1 :])), *rows[i + 1 :])


REGISTRATION = Registration.of(Hanabi, "games.examples", fact="Ann1=W1", purpose="cards")
