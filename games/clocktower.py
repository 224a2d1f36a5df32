"""Blood on the Clocktower, Trouble Brewing: who can be the demon, from claims and deaths."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice
from math import comb
from random import Random
from typing import Any, ClassVar, TypeAlias, get_args

from attrs import define, evolve, field, frozen

from deduce import BadInput, Evidence
from deduce.constraints import Constraint, Fact, Weigh, at_most, exactly, is_, is_not
from deduce.line_game import NO_PLAYER, Line, LineGame, seats
from deduce.logic import all_of, any_of, count_of, iff, implies, negation, none_of, tally
from deduce.logs.templates import fields_of_line
from deduce.problem import Problem, Rule, World
from deduce.system.registry import Registration

TOWNSFOLK = (
    "washerwoman", "librarian", "investigator", "chef", "empath", "fortune teller", "undertaker",
    "monk", "ravenkeeper", "virgin", "slayer", "soldier", "mayor",
)  # fmt: skip
OUTSIDERS = ("butler", "drunk", "recluse", "saint")
MINIONS = ("poisoner", "spy", "scarlet woman", "baron")
IMP = "imp"
EVIL = (*MINIONS, IMP)
ROLES = (*TOWNSFOLK, *OUTSIDERS, *EVIL)
CLAIMED = tuple(role for role in (*TOWNSFOLK, *OUTSIDERS) if role != "drunk")
"""The roles that players claim to be; the drunk claims to be one of the townsfolk."""
HERRING = "red herring"
MAX_DRAWN = 200
"""How many random lines are tried for a statement in a random game."""


class Good(Line, template="{player} is good"):
    """A player known to be good: the one who keeps the log."""

    player: str


class Nominates(Line, template="{player} nominates {other}, executed: {executed}"):
    """A nomination, and whether the one who nominates is executed for it at once."""

    player: str
    other: str
    executed: bool


class Shoots(Line, template="{player} shoots {other}, dies: {dies}"):
    """A shot of a slayer, and whether the other dies."""

    player: str
    other: str
    dies: bool


class Executed(Line, template="executed: {player}"):
    """Who is executed at the end of a day, or ``nobody``."""

    player: str


class Died(Line, template="died: {player}"):
    """Who is found dead after a night, or ``nobody``; the first night has no such line."""

    player: str


Public: TypeAlias = Nominates | Shoots | Executed | Died
PUBLIC = get_args(Public)


@frozen
class Moment:
    """What is public at a moment: the night or the day after it, who lives, who died in order.

    ``poisoned`` is the variable of who is poisoned then.
    """

    night: int
    alive: tuple[str, ...]
    dead: tuple[str, ...] = ()
    poisoned: str = ""

    def without(self, player: str) -> "Moment":
        """Return the moment after a death."""
        alive = tuple(other for other in self.alive if other != player)
        return evolve(self, alive=alive, dead=(*self.dead, player))

    def is_imp(self, player: str) -> Fact:
        """Return that a player is the imp, or was when they died."""
        before = self.dead[: self.dead.index(player)] if player in self.dead else self.dead
        return is_(f"imp after {before[-1]}", player) if before else is_(player, IMP)

    def healthy(self, player: str, role: str) -> Constraint:
        """Return that a player has a role and is not poisoned."""
        return all_of([is_(player, role), is_not(self.poisoned, player)])

    def is_spy(self, player: str) -> Constraint:
        """Return that a player may register as good: a healthy spy who is not the imp now."""
        return all_of([self.healthy(player, "spy"), negation(self.is_imp(player))])

    def must_be_evil(self, player: str) -> Constraint:
        """Return that a player registers as evil."""
        return all_of([is_(player, *EVIL), negation(self.is_spy(player))])

    def may_be_evil(self, player: str) -> Constraint:
        """Return that a player may register as evil."""
        return any_of([is_(player, *EVIL), self.healthy(player, "recluse")])

    def seen_evil(self, groups: Iterable[Sequence[str]], number: int) -> list[Constraint]:
        """Return that so many of some groups of players may register as evil throughout."""
        seen = [*groups]
        least = [all_of([self.must_be_evil(p) for p in group]) for group in seen]
        most = [all_of([self.may_be_evil(p) for p in group]) for group in seen]
        return [count_of(least, 0, number), count_of(most, number)]

    def shown(self, player: str, role: str) -> Constraint:
        """Return that a player may be shown as a role."""
        if role == IMP:
            return any_of([self.is_imp(player), self.healthy(player, "recluse")])
        own = all_of([is_(player, role), negation(self.is_imp(player))])
        registers = self.healthy(player, "recluse") if role in EVIL else self.is_spy(player)
        return any_of([own, registers])


@define
class Course:
    """What the public lines of a game mean, line by line: ``means``, with what each is of.

    That is the number of an event, or a sentence of the story. ``domains`` are the variables that
    lines add, ``draws`` how they are drawn; ``before`` and ``after`` have the moment before and
    after the death of each night, ``executed`` whom an undertaker learns about in a night.
    """

    players: tuple[str, ...]
    now: Moment
    of: int | str = "each night a living poisoner poisons a player"
    means: list[tuple[int | str, Constraint]] = field(factory=list)
    domains: dict[str, tuple[str | None, ...]] = field(factory=dict)
    draws: list[tuple[Moment, str | None, str]] = field(factory=list)
    before: dict[int, Moment] = field(factory=dict)
    after: dict[int, Moment] = field(factory=dict)
    executed: dict[int, str] = field(factory=dict)
    nominated: set[str] = field(factory=set)
    shot: set[str] = field(factory=set)

    def add(self, *constraints: Constraint) -> None:
        """Add what the present line means."""
        self.means += [(self.of, constraint) for constraint in constraints]

    def dusk(self) -> None:
        """Begin a night: the poisoner chooses a player."""
        night = self.now.night + 1
        poisoned = f"poisoned in night {night}"
        self.now = now = evolve(self.now, night=night, poisoned=poisoned)
        self.domains[poisoned] = (*self.players, None)
        self.draws.append((now, None, poisoned))
        able = [all_of([is_(p, "poisoner"), negation(now.is_imp(p))]) for p in now.alive]
        chosen, rate = is_not(poisoned, None), Fraction(1, len(self.players))
        self.add(iff(chosen, any_of(able)), Weigh([chosen], [1, rate]))
        self.before[night] = self.after[night] = now

    def death(self, player: str, *, executed: bool = False, night: bool = False) -> None:
        """Let a player die; a dead imp has a successor, since the game goes on."""
        was, now = self.now, self.now.without(player)
        if len(now.alive) < 3:
            raise BadInput("the game is over with two players alive")
        self.domains[f"imp after {player}"] = now.alive
        for other in now.alive:
            new, heir = now.is_imp(other), was.healthy(other, "scarlet woman")
            self.add(implies(was.is_imp(other), new))
            able = is_(other, *MINIONS) if night else heir
            self.add(implies(all_of([was.is_imp(player), new]), able))
            if len(was.alive) >= 5:
                self.add(implies(all_of([was.is_imp(player), heir]), new))
        if not night and len(was.alive) < 5:
            self.add(negation(was.is_imp(player)))
        if executed:
            self.executed[was.night + 1] = player
        else:
            self._healed(player, was, now)
            now = evolve(now, poisoned=f"poisoned after {player}")
        self.draws.append((was, player, now.poisoned))
        self.now = now

    def _healed(self, player: str, was: Moment, now: Moment) -> None:
        """Add that no player is poisoned any more if the poisoner died or became the imp."""
        after = f"poisoned after {player}"
        self.domains[after] = (*self.players, None)
        self.add(*(implies(is_(after, p), is_(was.poisoned, p)) for p in self.players))
        new = [all_of([was.is_imp(player), now.is_imp(p), is_(p, "poisoner")]) for p in now.alive]
        ended = any_of([is_(player, "poisoner"), *new])
        self.add(iff(is_(after, None), any_of([ended, is_(was.poisoned, None)])))

    def tell(self, event: "Public") -> None:
        """Add what a line means."""
        now = self.now
        by_day = isinstance(event, Executed | Nominates | Shoots)
        if by_day and now.night + 1 in self.executed:
            raise BadInput("the day is over: expected who died in the night")
        if by_day and event.player not in (*now.alive, NO_PLAYER):
            raise BadInput(f"{event.player} is not alive then")
        match event:
            case Executed(player) if player == NO_PLAYER:
                self.executed[now.night + 1] = NO_PLAYER
                if len(now.alive) == 3:
                    self.add(*(negation(now.healthy(p, "mayor")) for p in now.alive))
            case Executed(player):
                self.add(negation(now.healthy(player, "saint")))
                self.death(player, executed=True)
            case Nominates(player, other, executed):
                works = other in now.alive and other not in self.nominated
                self.nominated.add(other)
                virgin, folk = now.healthy(other, "virgin"), is_(player, *TOWNSFOLK)
                if executed and not works:
                    raise BadInput(f"{other} was dead or nominated before: no one dies for it")
                if executed:
                    self.add(virgin, any_of([folk, now.is_spy(player)]))
                    self.death(player, executed=True)
                elif works:
                    self.add(negation(all_of([virgin, folk])))
            case Shoots(player, other, dies):
                works = other in now.alive and player not in self.shot
                self.shot.add(player)
                slayer, imp = now.healthy(player, "slayer"), now.is_imp(other)
                self.add(*honest(self.players, player, "slayer"))
                if dies and not works:
                    raise BadInput("a slayer shoots only once, and only at a living player")
                if dies:
                    self.add(slayer, any_of([imp, now.healthy(other, "recluse")]))
                    self.death(other)
                elif works:
                    self.add(negation(all_of([slayer, imp])))
            case Died(player):
                self.dusk()
                self._night(player, self.now)
                self.after[self.now.night] = self.now

    def _night(self, player: str, now: Moment) -> None:
        """Add why a player died in a night, or none did."""
        ill = [all_of([now.is_imp(p), is_(now.poisoned, p)]) for p in now.alive]
        if player == NO_PLAYER:
            safe = [now.healthy(p, role) for p in now.alive for role in ("soldier", "monk")]
            self.add(*([] if now.dead else [any_of([*ill, *safe])]))
            return
        if player not in now.alive:
            raise BadInput(f"{player} is not alive then")
        self.add(none_of(ill), negation(now.healthy(player, "soldier")))
        self.death(player, night=True)


def honest(players: Sequence[str], player: str, role: str) -> Iterator[Constraint]:
    """Yield that a player is what they claim, or the drunk who believes it, or evil."""
    drunk = ["drunk"] if role in TOWNSFOLK else []
    yield is_(player, role, *drunk, *EVIL)
    if drunk:
        others = [is_(other, role) for other in players if other != player]
        yield at_most(1, [is_(player, "drunk"), *others])


class Statement(Line):
    """What a player says; `truth` holds if they have the role that says it and are not poisoned."""

    said_by: ClassVar[tuple[str, ...]] = ()

    player: str

    def speaker(self, *, died: bool) -> str:
        """Return the role that says it, of a player who died in that night or not."""
        return self.said_by[0]

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield what holds at the end of the night if it is true."""
        yield from ()


class Claims(Statement, template="{player} claims {role}"):
    """The role that a player claims."""

    role: str

    def speaker(self, *, died: bool) -> str:
        """Return this role."""
        return self.role


class Pair(Statement, template="{player} learns that {one} or {other} is {role}"):
    """What a washerwoman, librarian or investigator learns in the first night."""

    said_by = ("washerwoman", "librarian", "investigator")

    one: str
    other: str
    role: str

    def speaker(self, *, died: bool) -> str:
        """Return who learns of such a role."""
        return self.said_by[(self.role not in TOWNSFOLK) + (self.role in MINIONS)]

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield that one of the two may be shown as the role."""
        yield any_of([now.shown(self.one, self.role), now.shown(self.other, self.role)])


class NoOutsider(Statement, template="{player} learns that there is no outsider"):
    """What a librarian learns if there is no outsider."""

    said_by = ("librarian",)

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield that there is none, but perhaps a recluse who is not poisoned."""
        ill = [all_of([is_(p, "recluse"), is_(now.poisoned, p)]) for p in course.players]
        yield none_of([*ill, *(is_(p, "butler", "drunk", "saint") for p in course.players)])


class Chef(Statement, template="{player} counts {number} pairs"):
    """How many pairs of evil neighbours a chef counts in the first night."""

    said_by = ("chef",)

    number: int

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield that so many pairs may register as evil."""
        others = (*course.players[1:], course.players[0])
        yield from now.seen_evil(zip(course.players, others, strict=True), self.number)


class Empath(Statement, template="{player} senses {number} evil in night {night}"):
    """How many evil living neighbours an empath has after the death of a night."""

    said_by = ("empath",)

    number: int
    night: int

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield that so many of the neighbours may register as evil."""
        seats = [p for p in course.players if p in now.alive or p == self.player]
        place = seats.index(self.player)
        beside = [(seats[place - 1],), (seats[(place + 1) % len(seats)],)]
        yield from now.seen_evil(beside, self.number)


class Asks(Statement, template="{player} asks about {one} and {other} in night {night}: {demon}"):
    """Whether one of the two players whom a fortune teller names is the demon."""

    said_by = ("fortune teller",)

    one: str
    other: str
    night: int
    demon: bool

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield whether one is the imp, the red herring, or perhaps a recluse."""
        both = (self.one, self.other)
        sure = [fact for p in both for fact in (now.is_imp(p), is_(HERRING, p))]
        seems = [now.healthy(p, "recluse") for p in both]
        yield any_of([*sure, *seems]) if self.demon else none_of(sure)


class Sees(Statement, template="{player} sees in night {night} that {other} is {role}"):
    """What an undertaker sees of the executed player, or a ravenkeeper who dies of any player."""

    said_by = ("undertaker", "ravenkeeper")

    night: int
    other: str
    role: str

    def speaker(self, *, died: bool) -> str:
        """Return the ravenkeeper, who sees when they die, or the undertaker."""
        return self.said_by[died]

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield that the other may be shown as the role."""
        if self.player in now.alive and course.executed.get(self.night) != self.other:
            raise BadInput(f"{self.other} was not executed before night {self.night}")
        yield now.shown(self.other, self.role)


class Protects(Statement, template="{player} protects {other} in night {night}"):
    """The player whom a monk protects."""

    said_by = ("monk",)

    other: str
    night: int

    def truth(self, now: Moment, course: Course) -> Iterator[Constraint]:
        """Yield that it is false if the other died in that night."""
        if self.other in course.before[self.night].alive and self.other not in now.alive:
            yield any_of([])


@lru_cache(maxsize=64)
def _course_of(players: tuple[str, ...], told: tuple[tuple[int | str, Public], ...]) -> Course:
    """Return the course of public lines, each with what it is of; it is not to be changed."""
    course = Course(players, Moment(0, players))
    course.dusk()
    for of, event in told:
        course.of = of
        course.tell(event)
    return course


Event: TypeAlias = Public | Statement | Good
STATEMENTS = (Claims, Pair, NoOutsider, Chef, Empath, Asks, Sees, Protects)
FIRST_NIGHT = (Pair, NoOutsider, Chef)
"""What is said of the first night only."""


@frozen
class Clocktower(LineGame):
    """Blood on the Clocktower, Trouble Brewing: townsfolk, outsiders, minions and the imp.

    The ``players`` sit in this order in a circle; there are 5 to 15 of them, with the numbers of
    each kind that the game prescribes. Good players state the truth about their roles and what they
    learn, and evil ones anything: ``Ann claims saint``, ``Ann learns that Ben or Cid is chef``,
    ``Ann learns that there is no outsider``, ``Ann counts 1 pairs``, ``Ann senses 0 evil in night
    2``, ``Ann asks about Ben and Cid in night 1: no``, ``Ann sees in night 2 that Ben is baron``
    (an undertaker, or a ravenkeeper who dies in that night) or ``Ann protects Ben in night 2``. The
    drunk claims to be one of the townsfolk who is not in the game, and what they learn may be
    false, as is what a poisoned player learns. ``Ann is good`` states what you know about yourself.

    Events that all see are lines in order of time: ``Ann nominates Ben, executed: no`` (``yes`` if
    Ben is the virgin), ``Ann shoots Ben, dies: no``, ``executed: Ann`` or ``executed: nobody`` at
    the end of a day, ``died: Ben`` or ``died: nobody`` at the end of each night but the first. They
    are in the log, or in the set-up as its ``story``. After each line the game goes on, so if the
    imp dies there is a successor, and if a saint is executed they are poisoned.

    The variables are the players' roles when the game begins; ``red herring``; ``poisoned in night
    1`` and so on, which is ``None`` without a poisoner; ``imp after Ben``, who is the imp after
    Ben's death, and ``poisoned after Ben``. Each choice of roles for the numbers of players, of the
    red herring and of the poisoned player is equally likely, and an evil player claims each of 16
    roles with the same probability. Nothing else has a weight: a statement is either possible or
    not.

    Rules: the almanac of Trouble Brewing (S. Medway), as the game's wiki has it. The recluse and
    the spy may register anew for each player and each pair. Not checked against the rule book:
    that the poison ends when the poisoner dies. Left out: that the spy is the red herring, that the
    imp dies instead of the mayor, that the recluse becomes the imp, travellers, and the butler's
    votes, which show nothing.

    Examples
    --------
    A community puzzle: a recluse was shot, and there is one way to have it.

    >>> from deduce import Knowledge
    >>> game = Clocktower(("You", "Aoife", "Tom", "Sula", "Matthew", "Oscar", "Josh"))
    >>> k = Knowledge(game).tell(
    ...     "You is good", "You shoots Tom, dies: yes", "Aoife counts 0 pairs",
    ...     "Tom claims recluse", "Sula learns that You or Aoife is baron",
    ...     "Matthew learns that Aoife or Oscar is librarian",
    ...     "Oscar learns that there is no outsider", "Josh senses 0 evil in night 1")
    >>> k.certain()["Matthew"], k.certain()["Aoife"], k.certain()["Oscar"]
    ('imp', 'baron', 'drunk')
    """

    name = "clocktower"
    summary = "Blood on the Clocktower, Trouble Brewing: who can be the demon"
    column_width = 60
    events = (*STATEMENTS, Good, *PUBLIC)

    players: tuple[str, ...] = seats(5, 15, default=7, taken=(NO_PLAYER, HERRING))
    story: tuple[str, ...] = field(default=(), metadata={"by_line": True})

    def __attrs_post_init__(self) -> None:
        """Refuse stories that cannot be."""
        for line in self.story:
            if not any(fields_of_line(kind, line) for kind in PUBLIC):
                raise BadInput(f"not a line of a story: {line!r}; for example 'executed: nobody'")
        for event in self._story:
            self.check(event)
        self._course(())

    @cached_property
    def _story(self) -> Sequence[Public]:
        """The events of the story."""
        found = ((kind, fields_of_line(kind, line)) for line in self.story for kind in PUBLIC)
        return [kind(**fields) for kind, fields in found if fields]

    @cached_property
    def numbers(self) -> tuple[int, int, int]:
        """How many are townsfolk, outsiders and minions, without a baron."""
        size = len(self.players)
        outsiders = size - 5 if size < 7 else (size - 7) % 3
        minions = 1 if size < 7 else (size - 4) // 3
        return size - 1 - outsiders - minions, outsiders, minions

    def variables(self) -> Mapping[str, Sequence[str | None]]:
        """Return the roles, the red herring, and what the story adds."""
        return self.drawn(())

    def drawn(self, log: Sequence[Event]) -> Mapping[str, Sequence[str | None]]:
        """Return also who is poisoned in each night, and who is the imp after each death."""
        roles = dict.fromkeys(self.players, ROLES)
        return {**roles, HERRING: (*self.players, None), **self._course(log).domains}

    def rules(self) -> Iterator[Rule]:
        """Yield how roles and the red herring are chosen, and what the story means."""
        townsfolk, outsiders, minions = self.numbers
        for role in ROLES:
            facts = [is_(player, role) for player in self.players]
            once = exactly(1, facts) if role == IMP else at_most(1, facts)
            yield Rule(once, f"one player is {role}" if role == IMP else f"{role} at most once")
        evil = [is_(player, *MINIONS) for player in self.players]
        yield Rule(exactly(minions, evil), f"the number of minions is {minions}")
        barons = [is_(player, "baron") for player in self.players]
        baron = any_of(barons)
        outside = [is_(player, *OUTSIDERS) for player in self.players]
        for number, when in ((outsiders + 2, baron), (outsiders, negation(baron))):
            word = "without a" if number == outsiders else "with a"
            sentence = f"{word} baron, the number of outsiders is {number}"
            yield Rule(implies(when, exactly(number, outside)), sentence)
        ways = [comb(4, outsiders + n) * comb(13, townsfolk - n) for n in (0, 2)]
        rates = [Fraction(1), Fraction(*ways), *[Fraction(1)] * (len(self.players) - 1)]
        yield Rule(Weigh(barons, rates), "each choice of roles is equally likely")
        has_one, good = is_not(HERRING, None), len(self.players) - 1 - minions
        teller = any_of([is_(player, "fortune teller") for player in self.players])
        yield Rule(iff(teller, has_one), "only a fortune teller has a red herring")
        yield Rule(Weigh([has_one], [1, Fraction(1, good)]), "each red herring is equally likely")
        for player in self.players:
            bad = [is_(HERRING, player), is_(player, *EVIL)]
            yield Rule(at_most(1, bad), "the red herring is good")
        yield from (Rule(means, str(line)) for line, means in self._course(()).means)

    def _course(self, log: Sequence[Event]) -> Course:
        """Return what the story and the public lines of a log show."""
        told = [(n, event) for n, event in enumerate(log, start=1) if isinstance(event, PUBLIC)]
        return _course_of(self.players, (*zip(self.story, self._story, strict=True), *told))

    def fields(self, kind: type) -> Mapping[str, Collection[Any]]:
        """Return the names of players and roles, and how far nights and numbers go."""
        size, named = len(self.players), dict.fromkeys(("one", "other"), self.players)
        nobody = [NO_PLAYER] if issubclass(kind, Executed | Died) else []
        counts = {"night": range(2 if kind is Protects else 1, size + 1), "number": range(size + 1)}
        roles = CLAIMED if kind is Claims else ROLES
        return {"player": [*self.players, *nobody], "role": roles, **named, **counts}

    def check(self, event: Event) -> None:
        """Refuse what is not in the game, and what is said of the same player twice."""
        super().check(event)
        if isinstance(event, Pair) and (event.one == event.other or event.role == IMP):
            raise BadInput("expected two players, one of whom has a role other than the imp")
        others = (event.player, vars(event).get("one"))
        if isinstance(event, Protects | Asks) and event.other in others:
            raise BadInput("expected another player")

    def evidence(self, log: Sequence[Event], viewer: object) -> Iterator[Evidence]:
        """Yield what public lines mean, and what statements mean if their speaker is honest."""
        course = self._course(log)
        lines = [self.sentence(event) for event in log]
        for of, meant in course.means:
            if isinstance(of, int):
                yield Evidence(meant, of, lines[of - 1])
        claims: dict[str, str] = dict.fromkeys(course.shot, "slayer")
        weighed: set[str] = set()
        for number, event in enumerate(log, start=1):
            if isinstance(event, Good):
                yield Evidence(is_not(event.player, *EVIL), number, lines[number - 1])
            elif isinstance(event, Statement):
                role, means = self._said(event, course)
                player = event.player
                both = claims.setdefault(player, role) != role
                pieces: list[Constraint] = [is_(player, *EVIL)]
                if not both:
                    pieces = [*honest(self.players, player, role)]
                if player not in weighed:
                    pieces.append(self._chance(player, role))
                    weighed.add(player)
                yield from (Evidence(p, number, lines[number - 1]) for p in (*pieces, *means))

    def _chance(self, player: str, role: str) -> Weigh:
        """Return how probable a claim is."""
        evil, bluff = [is_(player, *EVIL)], Fraction(1, len(CLAIMED))
        if role not in TOWNSFOLK:
            return tally([evil], lambda lies: bluff if lies else 1)
        drunk = [is_(player, "drunk")]
        barons = [is_(other, "baron") for other in self.players if other != player]
        free = len(TOWNSFOLK) - self.numbers[0]

        def weight(lies: int, drunk: int, baron: int) -> Fraction | int:
            return bluff if lies else Fraction(1, free + 2 * baron) if drunk else 1

        return tally([evil, drunk, barons], weight, most=(1, 1, 1))

    def _said(self, event: Statement, course: Course) -> tuple[str, list[Constraint]]:
        """Return the role that a statement claims, and what it means if the speaker has it."""
        player, night = event.player, vars(event).get("night", 1)
        if night not in course.after:
            raise BadInput(f"night {night} is not over: expected a line such as 'died: nobody'")
        now, before = course.after[night], course.before[night]
        role = event.speaker(died=player in before.alive and player not in now.alive)
        if player not in (before if role in ("ravenkeeper", "monk") else now).alive:
            raise BadInput(f"{player} is not alive in night {night}")
        healthy = (before if role == "monk" else now).healthy(player, role)
        return role, [implies(healthy, means) for means in event.truth(now, course)]

    def means(self, event: Statement, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield what a statement means by itself."""
        role, means = self._said(event, self._course(log))
        yield from (*honest(self.players, event.player, role), *means)

    def questions(self) -> Sequence[Mapping[str, Fact]]:
        """Return who is the imp when the game begins."""
        return [{player: is_(player, IMP) for player in self.players}]

    def shown_cells(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the players: who is the imp after the log, and who was of which kind at first."""
        now = self._course(log).now
        good = (*TOWNSFOLK, "butler", "recluse", "saint")
        kinds = {"imp": (IMP,), "minion": MINIONS, "drunk": ("drunk",), "good": good}
        return {
            player: {"imp now": [now.is_imp(player)] if player in now.alive else []}
            | {kind: [is_(player, *roles)] for kind, roles in kinds.items()}
            for player in self.players
        }

    @classmethod
    def random_setup(cls, random: Random) -> "Clocktower":
        """Return a game of five to seven players after up to two nights."""
        players = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gil")[: random.randint(5, 7)]
        first, second, *rest = random.sample(players, len(players))
        day = [
            f"{rest[0]} shoots {first}, dies: no",
            f"{rest[1]} nominates {rest[2]}, executed: no",
        ]
        story = [*random.sample(day, random.randint(0, 2)), f"executed: {first}", f"died: {second}"]
        if random.random() < 0.3:
            story[-2:] = ["executed: nobody", f"died: {random.choice([second, NO_PLAYER])}"]
        return cls(players, tuple(story) if random.random() < 0.7 else ())

    @classmethod
    def puzzle_setup(cls, random: Random) -> "Clocktower":
        """Return a game of seven players after two nights."""
        first, second, *_ = random.sample(cls().players, 7)
        return cls(story=(f"executed: {first}", f"died: {second}"))

    def deal(self, random: Random) -> World:
        """Return random roles and choices with which the story can be."""
        problem = Problem(self.variables(), tuple(self.rules()))
        worlds = (self._dealt(random) for _ in range(1_000_000))
        return next(world for world in worlds if world and problem.holds(world))

    def _dealt(self, random: Random) -> dict[str, Any]:
        """Return random roles and choices; nothing where no player succeeds a dead imp."""
        townsfolk, outsiders, number = self.numbers
        minions = random.sample(MINIONS, number)
        more = 2 * ("baron" in minions)
        roles = [IMP, *minions, *random.sample(OUTSIDERS, outsiders + more)]
        roles += random.sample(TOWNSFOLK, townsfolk - more)
        seats = random.sample(self.players, len(roles))
        world: dict[str, Any] = dict(zip(seats, roles, strict=True))
        good = [player for player in self.players if world[player] not in EVIL]
        world[HERRING] = random.choice(good) if "fortune teller" in roles else None
        imp = seats[0]
        for was, dead, poisoned in self._course(()).draws:
            able = [p for p in was.alive if world[p] == "poisoner" and p != imp]
            if dead is None:
                world[poisoned] = random.choice(self.players) if able else None
                continue
            heirs = [p for p in was.alive if p not in (dead, imp) and world[p] in MINIONS]
            choice = random.randrange(number)  # so that each choice of an heir is equally likely
            if choice >= (len(heirs) if dead == imp else 1):
                return {}
            imp = heirs[choice] if dead == imp else imp
            world[f"imp after {dead}"] = imp
            over = world[dead] == "poisoner" or world[imp] == "poisoner"
            world.setdefault(poisoned, None if over else world[was.poisoned])
        return world

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield what players claim and what they say they learned."""
        course = self._course(())
        for player in random.sample(self.players, len(self.players)):
            lies = world[player] in (*EVIL, "drunk")
            given = {"role": "slayer"} if lies and player in course.shot else {}
            yield (claim := next(self.true_lines(world, random, Claims, player=player, **given)))
            for night in course.after:
                kinds = [kind for kind in STATEMENTS if claim.role in kind.said_by]
                kinds = [kind for kind in kinds if night == 1 or kind not in FIRST_NIGHT]
                said = self.true_lines(world, random, *kinds, player=player, night=night)
                fits = (
                    e for e in islice(said, MAX_DRAWN) if self._said(e, course)[0] == claim.role
                )
                yield from islice(fits, 1)


REGISTRATION = Registration.of(Clocktower, "games.examples", fact="Ann=imp", purpose="roles")
