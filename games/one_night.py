"""One Night Werewolf: who has which card in the morning, after what was swapped unseen at night."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from random import Random
from typing import Any, TypeAlias

from attrs import frozen

from deduce import BadInput
from deduce.constraints import Constraint, Fact, is_, never
from deduce.line_game import Dealt, Line, SharedLog, percents, seats
from deduce.logic import implies, likelihood, negation, none_of
from deduce.problem import World, copies
from deduce.system.registry import Registration
from deduce.timeline import Timeline, swap

CENTRE = ("left", "middle", "right")
"""The places of the cards that no player has."""
SWAPS = {"robber": "robbery", "troublemaker": "trouble", "drunk": "drink"}
"""Who swaps cards, in the order of the night, and what that is called."""
MEETS = {"werewolf": "werewolf", "minion": "werewolf", "mason": "mason"}
"""Who sees the players with which role."""


class Met(Line, template="{player} finds {other} awake: {awake}"):
    """Whether another player was awake, as werewolves or masons are when they look round."""

    player: str
    other: str
    awake: bool


class Saw(Line, template="{player} sees {place}: {role}"):
    """A card that a player looked at; their own: the robber after the robbery, the insomniac."""

    player: str
    place: str
    role: str


class Swapped(Line, template="{player} swaps {place} and {other}"):
    """Two cards that the robber, the troublemaker or the drunk swapped."""

    player: str
    place: str
    other: str


class Said(Line, template="{player} says {place}: {role}"):
    """A claim of the day, which may be a lie: the card that a place had in the evening."""

    player: str
    place: str
    role: str


Event: TypeAlias = Dealt | Met | Saw | Swapped | Said


@frozen
class OneNight(SharedLog):
    """One Night Werewolf: cards are dealt, then swapped in the dark, and one vote decides.

    Each player is dealt a card of the ``deck``; three lie in the centre, called left, middle and
    right. At night players act by the card that they were dealt, in this order: werewolves see one
    another, and one who is alone may look at a card of the centre; the minion sees the werewolves;
    masons see one another; the seer looks at the card of another player or at two cards of the
    centre; the robber swaps their card with that of another player and looks at it; the
    troublemaker swaps the cards of two others without looking; the drunk swaps their card with one
    of the centre without looking; the insomniac looks at their own card. Other roles sleep. Each
    swap that a player can make is equally likely.

    A line of a log states what one player saw or did, and only this player knows it: ``Ann is
    dealt: seer``, ``Ann sees left: robber``, ``Ben swaps Ben and Cid``, ``Ben sees Ben: villager``,
    ``Cid finds Ann awake: no`` (by a werewolf, the minion or a mason). All hear a claim about a
    card as it was dealt, ``Ben says Ben: seer``. It is a lie with the probability ``village_lies``,
    in per cent, or ``wolf_lies`` if the player was dealt a werewolf or the minion; a lie names each
    other role with the same probability.

    In commands, ``Ann`` is the card that Ann was dealt, and ``Ann,2`` that after the second kind of
    swap, as in the rows of ``grid``; ``robbery``, ``trouble`` and ``drink`` are the swaps.

    The rules are those commonly known. Not checked against the rule book: whether the robber and
    the troublemaker may decline; here they may not. The doppelganger is left out.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> deck = ("werewolf", "werewolf", "seer", "robber", "troublemaker", *["villager"] * 3)
    >>> game = OneNight(("Ann", "Ben", "Cid", "Dot", "Eli"), deck)
    >>> k = Knowledge(game).tell("Ann is dealt: seer", "Ann sees left: werewolf")
    >>> posterior = k.tell("Ann sees middle: villager").posterior()
    >>> [str(posterior[game.night.now(player)]["werewolf"]) for player in ("Ann", "Ben")]
    ['1/10', '7/40']
    """

    name = "one-night"
    summary = "One Night Werewolf: who has which card in the morning, after swaps in the dark"
    events = (Dealt, Met, Saw, Swapped, Said)
    private = (Dealt, Met, Saw, Swapped)
    column_width = 60

    players: tuple[str, ...] = seats(3, 10, taken=(*CENTRE, *SWAPS.values()))
    deck: tuple[str, ...] = ("werewolf", "werewolf", "seer", "robber", "troublemaker", "villager")
    village_lies: int = percents(10)
    wolf_lies: int = percents(80)

    def __attrs_post_init__(self) -> None:
        """Refuse a deck that does not fit the players, and two who would swap at once."""
        if len(self.deck) != len(self.players) + 3:
            raise BadInput("the deck has three cards more than there are players")
        if max(map(self.deck.count, SWAPS)) > 1:
            raise BadInput(f"the deck has at most one card each of {', '.join(SWAPS)}")

    @property
    def places(self) -> tuple[str, ...]:
        """The players and the places in the centre."""
        return (*self.players, *CENTRE)

    @cached_property
    def swaps(self) -> Mapping[str, Mapping[str, Sequence[Any]]]:
        """For each role of the deck that swaps, in order: what each player could swap then."""
        choices: dict[str, dict[str, list[Any]]] = {role: {} for role in SWAPS if role in self.deck}
        for player in self.players:
            others = [other for other in self.players if other != player]
            pairs = {
                "robber": [(player, other) for other in others],
                "troublemaker": combinations(others, 2),
                "drunk": [(player, place) for place in CENTRE],
            }
            for role, by_player in choices.items():
                by_player[player] = [swap(*pair) for pair in pairs[role]]
        return choices

    @cached_property
    def night(self) -> Timeline:
        """The cards as dealt and after each kind of swap."""
        deck = {role: self.deck.count(role) for role in dict.fromkeys(self.deck)}
        night = Timeline(copies(self.places, deck))
        for role, options in self.swaps.items():
            night = night.exchange(SWAPS[role], options, holder=role)
        return night

    def variables(self) -> Mapping[Any, Sequence[Any]]:
        """Return the card of each place as dealt and after each swap, and the swaps."""
        return self.night.problem.domains

    def rules(self) -> Sequence[Any]:
        """Return how cards are dealt and swapped."""
        return self.night.problem.rules

    def groups(self) -> Mapping[str, Sequence[Any]]:
        """Return the cards in the morning, and those dealt."""
        return {"in the morning": list(map(self.night.now, self.places)), "as dealt": self.places}

    def questions(self) -> Sequence[Any]:
        """Return what decides the game: the cards of the players in the morning."""
        return list(map(self.night.now, self.players))

    def fields(self, kind: type) -> Mapping[str, Sequence[str]]:
        """Return the names of players, roles and places."""
        others = self.players if kind is Met else self.places
        return {"player": self.players, "role": self.deck, "place": self.places, "other": others}

    def check(self, event: Event) -> None:
        """Refuse what cannot be in a log of these players with this deck."""
        super().check(event)
        if isinstance(event, Met) and event.player == event.other:
            raise BadInput("expected another player")
        if isinstance(event, Swapped):
            self._swap(event)

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield what a player knows of the night, or the likelihood of a claim."""
        match event:
            case Dealt(player, role):
                yield is_(player, role)
            case Met(player, other, awake):
                yield is_(player, *MEETS, lenient=True)
                for seeing in {*MEETS}.intersection(self.deck):
                    met = is_(other, MEETS[seeing], lenient=True)
                    yield implies(is_(player, seeing), met if awake else negation(met))
            case Saw(player, place, role) if player == place:
                yield is_(player, "robber", "insomniac", lenient=True)
                for own in {"robber", "insomniac"}.intersection(self.deck):
                    yield implies(is_(player, own), is_(self._own(player, own), role))
            case Saw(player, place, role):
                looks = (e for e in log if isinstance(e, Saw) and e.player == player != e.place)
                seen = {place, *(look.place for look in looks)}
                centre = seen <= {*CENTRE}
                most = {"seer": 1 + centre, "werewolf": int(centre)}
                able = [own for own, number in most.items() if len(seen) <= number]
                yield is_(player, *able, lenient=True) if able else never(player)
                yield is_(place, role)
                others = [is_(p, "werewolf", lenient=True) for p in self.players if p != player]
                yield implies(is_(player, "werewolf", lenient=True), none_of(others))
            case Swapped():
                yield self._swap(event)
            case Said(player, place, role):
                names = dict.fromkeys((player, place), tuple(dict.fromkeys(self.deck)))
                yield likelihood(names, lambda *cards: self._rate(cards[0], role, cards[-1]))

    def records(self, event: Event) -> int:
        """Return how many events of this kind could have been recorded."""
        return 2 if isinstance(event, Met) else len({*self.deck})

    def _swap(self, event: Swapped) -> Fact:
        for role, options in self.swaps.items():
            for cycles in options[event.player]:
                if {*cycles[0]} == {event.place, event.other}:
                    return is_(SWAPS[role], (event.player, cycles))
        raise BadInput(f"no card of the deck lets {event.player} swap these two places")

    def _own(self, player: str, role: str) -> Any:
        """Return the variable of the own card that a robber or an insomniac sees."""
        return self.night.now(player) if role == "insomniac" else self.night.at(player, 1)

    def _rate(self, dealt: str, said: str, card: str) -> Fraction:
        """Return how probable it is that a player who was dealt a card says this of another one."""
        lies = self.wolf_lies if MEETS.get(dealt) == "werewolf" else self.village_lies
        others = max(len({*self.deck}) - 1, 1)
        return Fraction(100 - lies, 100) if said == card else Fraction(lies, 100 * others)

    def pictured(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the places, with their cards in the morning."""
        roles = dict.fromkeys(self.deck)
        return {p: {role: [is_(self.night.now(p), role)] for role in roles} for p in self.places}

    @classmethod
    def random_setup(cls, random: Random) -> "OneNight":
        """Return a game of three players with a random deck."""
        swaps = random.sample([*SWAPS], random.randint(0, 2))
        others = ["werewolf", "werewolf", "seer", "villager", "minion", "insomniac", "mason"]
        return cls(deck=(*swaps, *random.sample(others, 6 - len(swaps))))

    def deal(self, random: Random) -> World:
        """Return a deal and a night."""
        now = dict(zip(self.places, random.sample(self.deck, len(self.deck)), strict=True))
        world: dict[Any, Any] = dict(now)
        for step, (role, options) in enumerate(self.swaps.items(), start=1):
            actor = next((player for player in self.players if world[player] == role), None)
            cycles = random.choice(options[actor]) if actor else ()
            world[SWAPS[role]] = (actor, cycles) if actor else None
            for a, b in cycles:
                now[a], now[b] = now[b], now[a]
            world |= {(place, step): now[str(place)] for place in self.night.changed[step - 1]}
        return world

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield what each player sees at night, and some claims."""
        for player in random.sample(self.players, len(self.players)):
            yield Dealt(player, world[player])
            log: list[Event] = []
            lines = self.true_lines(world, random, Met, Saw, Swapped, log=log, player=player)
            for line in islice(lines, 2):
                yield line
                log.append(line)
        yield from islice(self.true_lines(world, random, Said), random.randint(0, 3))


REGISTRATION = Registration.of(OneNight, "games.examples", fact="Ann=werewolf", purpose="roles")
