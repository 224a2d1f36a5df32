"""The Resistance and Avalon: who is evil, and who is Merlin, from missions and votes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from random import Random
from typing import TypeAlias

from attrs import frozen

from deduce import BadInput
from deduce.constraints import Constraint, Fact, Weigh, is_, is_not
from deduce.line_game import NO_PLAYER, Dealt, Line, SharedLog, percents, seats
from deduce.logic import implies, tally
from deduce.problem import Rule, World, copies
from deduce.system.registry import Registration

EVIL = ("assassin", "Morgana", "Mordred", "Oberon", "minion")
GOOD = ("Merlin", "Percival", "servant")
EVIL_PLAYERS = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
"""How many are evil, by the number of players."""
TEAMS = {
    5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5), 9: (3, 4, 4, 5, 5), 10: (3, 4, 4, 5, 5),
}  # fmt: skip
"""How many players go on each mission, by the number of players."""
SEES = (
    (("Merlin",), ("assassin", "Morgana", "Oberon", "minion")),
    (("assassin", "Morgana", "Mordred", "minion"), ("assassin", "Morgana", "Mordred", "minion")),
    (("Percival",), ("Merlin", "Morgana")),
)
"""Who sees whom when the game begins, but not which of these roles each has."""


class Saw(Line, template="{player} sees: {others}"):
    """The players whom one sees when the game begins, because of the own role."""

    player: str
    others: tuple[str, ...]


class Voted(Line, template="team {team} for {approving} against {rejecting}"):
    """The votes on a proposed team."""

    team: tuple[str, ...]
    approving: tuple[str, ...]
    rejecting: tuple[str, ...]


class Mission(Line, template="mission {team}: {fails}"):
    """A mission, and how many played a fail."""

    team: tuple[str, ...]
    fails: int


Event: TypeAlias = Dealt | Saw | Voted | Mission


@frozen
class Avalon(SharedLog):
    """The Resistance and Avalon: good and evil players on missions, known by few.

    Of 5 to 10 players 2, 2, 3, 3, 3 or 4 are evil. ``roles`` are the special roles in the game:
    Merlin and Percival are good; the assassin, Morgana, Mordred and Oberon are evil; all others are
    servants (good) and minions (evil). Without special roles it is The Resistance. When the game
    begins, evil players except Oberon see each other, Merlin sees the evil players except Mordred,
    and Percival sees Merlin and Morgana without knowing which is which.

    A team is proposed and all vote on it; an approved team goes on a mission, where evil players
    may play a fail. Lines of a log: ``Ann is dealt: Merlin`` and ``Ann sees: Ben Cid`` are known
    only to Ann, ``team Ann Ben for Ann Ben Cid against Dot Eli`` are votes (``nobody`` for an empty
    side), ``mission Ann Ben: 1`` is a mission with one fail.

    The behaviour of players is an assumption, in per cent, that you may change: each evil player on
    a mission independently plays a fail with the probability ``evil_fails``. A player approves a
    team without evil players, or with some, with the two probabilities of ``good_approves``,
    ``evil_approves`` (also Oberon) or ``merlin_approves``. Nothing is inferred from proposals.

    The rules are those commonly known, without a source at hand. Not checked against the rule book:
    everything here; cards that change the game, such as the Lady of the Lake, are left out.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(Avalon()).tell("mission Ann Ben: 1", "mission Ann Cid Dot: 0")
    >>> [round(float(sum(k.posterior()[p].get(r, 0) for r in EVIL)), 3) for p in ("Ann", "Ben")]
    [0.205, 0.841]
    """

    name = "avalon"
    summary = "The Resistance and Avalon: who is evil, from missions and votes"
    events = (Dealt, Saw, Voted, Mission)
    private = (Dealt, Saw)
    column_width = 52

    players: tuple[str, ...] = seats(5, 10, taken=(NO_PLAYER,))
    roles: tuple[str, ...] = ("Merlin", "Percival", "assassin", "Morgana")
    evil_fails: int = percents(80)
    good_approves: tuple[int, int] = percents(60, 45)
    evil_approves: tuple[int, int] = percents(45, 60)
    merlin_approves: tuple[int, int] = percents(70, 30)

    def __attrs_post_init__(self) -> None:
        """Refuse roles that the game does not have."""
        for role in self.roles:
            if role not in (*EVIL, *GOOD) or self.roles.count(role) > 1:
                raise BadInput(f"no special role is called {role!r}, or it appears twice")
        if {"minion", "servant"}.intersection(self.roles):
            raise BadInput("roles are special ones; all others are servants and minions")
        evil = len({*EVIL}.intersection(self.roles))
        number = EVIL_PLAYERS[len(self.players)]
        if evil > number or len(self.roles) - evil > len(self.players) - number:
            raise BadInput(f"of {len(self.players)} players {number} are evil: too many roles")

    @cached_property
    def deck(self) -> Mapping[str, int]:
        """How many players have each role."""
        evil = EVIL_PLAYERS[len(self.players)]
        numbers = {"minion": evil, "servant": len(self.players) - evil}
        for role in self.roles:
            numbers["minion" if role in EVIL else "servant"] -= 1
        common = {role: number for role, number in numbers.items() if number}
        return {**dict.fromkeys(self.roles, 1), **common}

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return the role of each player."""
        return {player: tuple(self.deck) for player in self.players}

    def rules(self) -> Sequence[Rule]:
        """Return how many have each role."""
        return copies(self.players, self.deck).rules

    def questions(self) -> Sequence[Mapping[str, Fact]]:
        """Return for each player which side they are on."""
        return [{"evil": self._evil(p), "good": is_(p, *GOOD, lenient=True)} for p in self.players]

    def fields(self, kind: type) -> Mapping[str, Collection[object]]:
        """Return the names of players and roles."""
        votes = dict.fromkeys(("approving", "rejecting"), (*self.players, NO_PLAYER))
        names = dict.fromkeys(("player", "others", "team"), self.players)
        return {"role": self.deck, "fails": range(5), **names, **votes}

    def check(self, event: Event) -> None:
        """Refuse names, teams and numbers that cannot be."""
        super().check(event)
        known = self.players
        match event:
            case Saw(who, others) if who in others or not others or len({*others}) < len(others):
                raise BadInput("expected the other players who are seen, each once")
            case Mission(team, _) | Voted(team, _, _) if not self._is_team(team):
                raise BadInput(f"no mission of {len(known)} players has the team {' '.join(team)}")
            case Mission(team, fails) if not 0 <= fails <= min(len(team), EVIL_PLAYERS[len(known)]):
                raise BadInput(f"a team of {len(team)} does not play {fails} fails")
            case Voted(_, approving, rejecting):
                votes = [p for p in (*approving, *rejecting) if p != NO_PLAYER]
                if sorted(votes) != sorted(known) or not (approving and rejecting):
                    raise BadInput("expected one vote per player; write nobody for an empty side")

    def _is_team(self, team: Sequence[str]) -> bool:
        return len(team) == len({*team}) and len(team) in TEAMS[len(self.players)]

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield what a player knows of roles, or the likelihood of votes or of a mission."""
        match event:
            case Dealt(player, role):
                yield is_(player, role)
            case Saw(player, others):
                yield is_(player, *(role for who, _ in SEES for role in who), lenient=True)
                for who, whom in SEES:
                    if {*who}.intersection(self.deck):
                        own = is_(player, *who, lenient=True)
                        for other in self.players:
                            shown = (is_ if other in others else is_not)(other, *whom, lenient=True)
                            yield from [implies(own, shown)] if other != player else []
            case Mission(team, fails):
                odds = [self._fails(evil, fails) for evil in range(len(team) + 1)]
                yield Weigh([self._evil(player) for player in team], odds)
            case Voted(team, approving, _):
                yield self._votes(team, approving)

    def records(self, event: Event) -> int:
        """Return how many events of this kind could have been recorded."""
        if isinstance(event, Mission):
            return 1 + min(len(event.team), EVIL_PLAYERS[len(self.players)])
        return len(self.deck) if isinstance(event, Dealt) else 2 ** len(self.players)

    def _evil(self, player: str) -> Fact:
        return is_(player, *EVIL, lenient=True)

    def _fails(self, evil: int, fails: int) -> Fraction:
        """Return the probability of so many fails from so many evil players."""
        rate = Fraction(self.evil_fails, 100)
        return comb(evil, fails) * rate**fails * (1 - rate) ** max(evil - fails, 0)

    def _votes(self, team: Sequence[str], approving: Sequence[str]) -> Weigh:
        """Return the likelihood of votes, by the sides of the players and by who is Merlin."""
        ayes = [player for player in approving if player != NO_PLAYER]
        evil, merlins = EVIL_PLAYERS[len(self.players)], int("Merlin" in self.deck)
        good = len(self.players) - evil - merlins

        def weight(among: int, evil_ayes: int, merlin_ayes: int) -> Fraction:
            """Return the probability, by how many evil players are in the team and approve it."""
            product = Fraction(1)
            for rates, yes, size in (
                (self.good_approves, len(ayes) - evil_ayes - merlin_ayes, good),
                (self.evil_approves, evil_ayes, evil),
                (self.merlin_approves, merlin_ayes, merlins),
            ):
                rate = Fraction(rates[among > 0], 100)
                product *= rate ** max(yes, 0) * (1 - rate) ** max(size - yes, 0)
            return product

        merlin = [is_(player, "Merlin") for player in ayes if merlins]
        lists = [*map(self._evil, team)], [*map(self._evil, ayes)], merlin
        return tally(lists, weight, most=(len(team), evil, merlins))

    def inquiries(self, log: Sequence[Event], viewer: object) -> Iterator[tuple[str, ...]]:
        """Yield the teams that could go on the next mission."""
        done = sum(isinstance(event, Mission) for event in log)
        if done < len(TEAMS[len(self.players)]):
            yield from combinations(self.players, TEAMS[len(self.players)][done])

    def answer(self, inquiry: tuple[str, ...], world: World) -> Mapping[int, Fraction]:
        """Return the probability of each number of fails."""
        evil = sum(world[player] in EVIL for player in inquiry)
        odds = {fails: self._fails(evil, fails) for fails in range(evil + 1)}
        return {fails: share for fails, share in odds.items() if share}

    def scope(self, inquiry: tuple[str, ...]) -> tuple[str, ...]:
        """Return the team."""
        return inquiry

    def alike(self, inquiry: tuple[str, ...], log: Sequence[Event]) -> int:
        """Return what all teams have in common."""
        return len(inquiry)

    def event_of(self, inquiry: tuple[str, ...], answer: int) -> Event:
        """Return the mission."""
        return Mission(inquiry, answer)

    def format_inquiry(self, inquiry: tuple[str, ...]) -> str:
        """Return the team as a line begins with it."""
        return f"mission {' '.join(inquiry)}"

    def pictured(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the players, with whether they are evil, and their roles."""
        roles = {
            player: {role: [is_(player, role)] for role in self.deck} for player in self.players
        }
        return {player: {"evil": [self._evil(player)]} | row for player, row in roles.items()}

    @classmethod
    def random_setup(cls, random: Random) -> "Avalon":
        """Return a game of five or six players with random roles and behaviour."""
        players = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay")[: random.randint(5, 6)]
        evil = random.sample(EVIL[:4], random.randint(0, 2))
        good = random.sample(GOOD[:2], random.randint(0, 2))
        fails = random.choice((50, 80, 100))
        return cls(players, (*good, *evil), fails, (random.randint(40, 70), random.randint(0, 50)))

    @classmethod
    def staged(cls, level: int, random: Random) -> "Avalon":
        """Return a game of five, six or seven players."""
        return cls(("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gil")[: level + 4])

    def opening(self, world: World, random: Random) -> Iterator[Event]:
        """Yield what each player knows."""
        for player in self.players:
            yield from self._told(player, world)

    def subjects(self) -> Mapping[str, Mapping[str, Fact]]:
        """Return on which side each player is."""
        return dict(zip(self.players, self.questions(), strict=True))

    def _told(self, player: str, world: World) -> Iterator[Event]:
        yield Dealt(player, world[player])
        whom = [role for who, roles in SEES if world[player] in who for role in roles]
        others = tuple(p for p in self.players if p != player and world[p] in whom)
        if others:
            yield Saw(player, others)

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield what players know, then proposals and missions."""
        yield from self.opening(world, random)
        for size in TEAMS[len(self.players)][: random.randint(1, 5)]:
            for _ in range(5):  # if five in a row are rejected, the game is over
                team = tuple(random.sample(self.players, size))
                tainted = any(world[player] in EVIL for player in team)
                approving = [p for p in self.players if self._approves(world[p], tainted, random)]
                rejecting = [p for p in self.players if p not in approving]
                yield Voted(team, tuple(approving or [NO_PLAYER]), tuple(rejecting or [NO_PLAYER]))
                if len(approving) > len(rejecting):
                    break
            else:
                return
            evil = sum(world[player] in EVIL for player in team)
            yield Mission(team, sum(random.random() * 100 < self.evil_fails for _ in range(evil)))

    def _approves(self, role: str, tainted: bool, random: Random) -> bool:  # noqa: FBT001
        rates = self.evil_approves if role in EVIL else self.good_approves
        rates = self.merlin_approves if role == "Merlin" else rates
        return random.random() * 100 < rates[tainted]


REGISTRATION = Registration.of(Avalon, "games.examples", fact="Ann=Merlin", purpose="roles")
