"""Secret Hitler: who is a fascist and what was drawn, from votes, policies and claims."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import TypeAlias, get_args

from attrs import frozen

from deduce import BadInput
from deduce.constraints import Constraint, Fact, Weigh, Where, is_, is_not
from deduce.line_game import NO_PLAYER, Dealt, Line, SharedLog, percents, seats
from deduce.logic import likelihood, tally
from deduce.problem import Rule, World, copies
from deduce.system.registry import Registration

LIBERAL, FASCIST, HITLER = ROLES = ("liberal", "fascist", "Hitler")
SIDES = {LIBERAL: (LIBERAL,), FASCIST: (FASCIST, HITLER)}
"""The roles of each party."""
PARTIES, VETO = (*SIDES,), "nothing"
FASCISTS = {5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3}
"""How many fascists there are besides Hitler, by the number of players."""
DRAWS, PASSES = ("FFF", "FFL", "FLL", "LLL"), ("FF", "FL", "LL")
"""The policies that a president draws, and those that are passed to the chancellor."""
LETTERS = {FASCIST: "F", LIBERAL: "L", VETO: ""}
"""How a policy is written in what is drawn."""
INVESTIGATIONS = {7: (2,), 8: (2,), 9: (1, 2), 10: (1, 2)}
"""After which fascist policies the president looks at a party, by the number of players."""


class Knew(Line, template="{player} knows {other}: {role}"):
    """The role of another one, as fascists know it from the beginning."""

    player: str
    other: str
    role: str


class Voted(Line, template="{president} and {chancellor} for {approving} against {rejecting}"):
    """The votes on a president and a chancellor."""

    president: str
    chancellor: str
    approving: tuple[str, ...]
    rejecting: tuple[str, ...]


class Enacted(Line, template="{president} and {chancellor} enact {policy}"):
    """What an elected government enacts: nothing after a veto."""

    president: str
    chancellor: str
    policy: str


class Chaos(Line, template="chaos enacts {policy}"):
    """The policy on top of the deck, enacted after three failed elections."""

    policy: str


class Claimed(Line, template="{player} claims {tiles}"):
    """A claim, perhaps a lie, of what one drew as president or was passed as chancellor."""

    player: str
    tiles: str


class Saw(Claimed, template="{player} saw {tiles}"):
    """What one drew or was passed, known to this player."""


class Foretold(Claimed, template="{player} foretells {tiles}"):
    """A claim, perhaps a lie, of a president who looked at the next three policies."""


class Peeked(Foretold, template="{player} peeks {tiles}"):
    """The next three policies, known to the president who looked at them."""


class Accused(Line, template="{player} says {other}: {party}"):
    """A claim, perhaps a lie, of a president who looked at the party of another one."""

    player: str
    other: str
    party: str


class Investigated(Accused, template="{player} investigates {other}: {party}"):
    """The party of another one, known to the president who looked at it."""


class Executed(Line, template="{player} executes {other}"):
    """One who was executed and, as the game goes on, is not Hitler."""

    player: str
    other: str


Event: TypeAlias = (
    Dealt | Knew | Voted | Enacted | Chaos | Claimed | Saw | Foretold | Peeked
    | Accused | Investigated | Executed
)  # fmt: skip


def _fascist_policies(log: Sequence[Event]) -> int:
    return sum(isinstance(e, Enacted | Chaos) and e.policy == FASCIST for e in log)


@frozen
class SecretHitler(SharedLog):
    """Secret Hitler: liberals and fascists in government, and policies that few have seen.

    Of 5 to 10 players 1, 1, 2, 2, 3 or 3 are fascists and one is Hitler, on their side; all others
    are liberals. Fascists know each other and Hitler; Hitler knows them with 5 or 6 players only.
    All vote on a president and a chancellor. An elected president draws three policies of a deck of
    6 liberal and 11 fascist ones, discards one and passes two; the chancellor enacts one. When
    fewer than three are left in the deck, all that are not enacted are shuffled. Three failed
    elections enact the policy on top (``chaos``). If Hitler is elected as chancellor after three
    fascist policies, or executed, the game ends: as the log goes on, neither happened.

    Lines of a log that all see: ``Ann and Ben for Ann Ben Cid against Dot Eli`` are votes
    (``nobody`` for an empty side), ``Ann and Ben enact fascist`` is what they enact (``nothing``
    after a veto), ``chaos enacts liberal``, ``Ann executes Dot``. Claims that may be lies: ``Ann
    claims FFL`` as president and ``Ben claims FF`` as chancellor of the last government, ``Ann
    foretells FLL`` after a look at the next three, ``Ann says Cid: fascist`` after an
    investigation. Only one player knows ``Ann is dealt: liberal``, ``Ann knows Ben: Hitler``, ``Ann
    saw FFL``, ``Ann peeks FLL`` and ``Ann investigates Cid: liberal``. What the first government
    drew is ``draw 1``, and what the chancellor was passed is ``pass 1``.

    How players behave is an assumption, in per cent, that you may change, with one number each for
    liberals, fascists and Hitler: a president who drew both kinds discards a liberal policy
    (``buries``), a chancellor who has both enacts the fascist one (``enacts``), a claim is a lie
    (``lies``), which names with equal probability anything else that agrees with what was enacted,
    and a government of liberals only is approved (``trusts``) or another one (``distrusts``). Each
    does so independently; who is proposed, executed or investigated tells nothing, nor does a veto.
    ``advise`` ranks whom the last president may investigate.

    The rules are those commonly known (M. Boxleiter, T. Maranges, M. Temkin, 2016), without a
    source at hand. Not checked against the rule book: everything here. Left out: chaos between a
    look at the next three policies and their draw, and the order of what is drawn.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(SecretHitler()).tell("Ann and Ben enact fascist", "Ben claims FL")
    >>> [round(float(1 - k.posterior()[player]["liberal"]), 3) for player in ("Ann", "Ben", "Cid")]
    [0.307, 0.891, 0.267]
    """

    name = "secret-hitler"
    summary = "Secret Hitler: who is a fascist, from votes, policies and claims"
    events = get_args(Event)
    private = (Dealt, Knew, Saw, Peeked, Investigated)
    column_width = 65

    players: tuple[str, ...] = seats(5, 10, taken=(NO_PLAYER,))
    buries: tuple[int, int, int] = percents(2, 60, 20)
    enacts: tuple[int, int, int] = percents(2, 75, 25)
    lies: tuple[int, int, int] = percents(3, 60, 20)
    trusts: tuple[int, int, int] = percents(65, 50, 60)
    distrusts: tuple[int, int, int] = percents(50, 65, 55)

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return the role of each player."""
        return dict.fromkeys(self.players, ROLES)

    def rules(self) -> Sequence[Rule]:
        """Return how many have each role."""
        fascists = FASCISTS[len(self.players)]
        numbers = {LIBERAL: len(self.players) - fascists - 1, FASCIST: fascists, HITLER: 1}
        return copies(self.players, numbers).rules

    def drawn(self, log: Sequence[Event]) -> Mapping[str, Sequence[str]]:
        """Return what each government drew and passed, and the next draw once it was looked at."""
        domains = dict[str, Sequence[str]]()
        enacted = [event.policy for event in log if isinstance(event, Enacted | Chaos)]
        if enacted.count(LIBERAL) > 5 or enacted.count(FASCIST) > 6:
            raise BadInput("the game ends with 5 liberal or 6 fascist policies")
        for event in log:
            number = len(domains) // 2 + 1
            if isinstance(event, Enacted):
                domains |= {f"draw {number}": DRAWS, f"pass {number}": PASSES}
            elif isinstance(event, Foretold):
                domains[f"draw {number}"] = DRAWS
            elif isinstance(event, Chaos) and len(domains) % 2:
                raise BadInput("chaos before the policies are drawn that were looked at")
        return domains

    def drawn_rules(self, log: Sequence[Event]) -> Iterator[Rule]:
        """Yield what can be passed, and in how many ways the deck has what was drawn from it."""
        domains = self.drawn(log)
        for name in [each for each in domains if each.startswith("pass")]:
            of_three = Where((name.replace("pass", "draw"), name), lambda draw, two: two in draw)
            yield Rule(of_three, "two of the three that were drawn are passed")
        for size, liberal, draws in self._decks(log):
            facts = [is_(draw, tiles) for draw in draws for tiles in DRAWS[1:]]
            amounts = [tiles.count("L") for _ in draws for tiles in DRAWS[1:]]
            ways = [comb(size, liberal - n) if n <= liberal else 0 for n in range(sum(amounts) + 1)]
            reason = "the deck has 6 liberal policies of 17, but for those enacted"
            yield from [Rule(Weigh(facts, ways, amounts=amounts), reason)] if draws else []
            for draw in draws:
                yield Rule(likelihood({draw: DRAWS}, lambda d: comb(3, d.count("L"))), reason)

    def _decks(self, log: Sequence[Event]) -> Iterator[tuple[int, int, Sequence[str]]]:
        """Yield of each deck the policies that were not drawn, the liberal ones, and the draws.

        The liberal ones include those that were drawn by governments, whose number is not known.
        """
        names = iter([name for name in self.drawn(log) if name.startswith("draw")])
        size, liberal, draws, enacted = 17, 6, list[str](), list[str]()
        for event in log:
            if isinstance(event, Enacted | Chaos):
                enacted += [event.policy] if event.policy != VETO else []
                draws += [next(names)] if isinstance(event, Enacted) else []
                size -= 3 if isinstance(event, Enacted) else 1
                liberal -= event == Chaos(LIBERAL)
                if size < 3:
                    yield size, liberal, draws
                    size, liberal, draws = 17 - len(enacted), 6 - enacted.count(LIBERAL), []
        looked = [*names]
        yield size - 3 * len(looked), liberal, [*draws, *looked]

    def fields(self, kind: type) -> Mapping[str, Collection[str]]:
        """Return the names of players, roles, parties and policies."""
        votes = dict.fromkeys(("approving", "rejecting"), (*self.players, NO_PLAYER))
        names = dict.fromkeys(("player", "other", "president", "chancellor"), self.players)
        tiles = DRAWS if issubclass(kind, Foretold) else (*DRAWS, *PASSES)
        policies = PARTIES if kind is Chaos else LETTERS
        roles = ROLES[1:] if kind is Knew else ROLES
        words = {"tiles": tiles, "policy": policies, "party": PARTIES, "role": roles}
        return {**words, **names, **votes}

    def check(self, event: Event) -> None:
        """Refuse names that the game does not have, and what one cannot do alone."""
        super().check(event)
        match event:
            case Enacted(a, b, _) | Voted(a, b, _, _) | Knew(a, b, _) | Accused(a, b, _) if a == b:
                raise BadInput("expected two different players")

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Constraint]:
        """Yield what is known, or the likelihood of votes, of what is enacted, or of a claim."""
        enacted = [e for e in log if isinstance(e, Enacted)]
        gone = {e.other for e in log if isinstance(e, Executed)}
        if isinstance(event, Enacted | Voted) and gone & {event.president, event.chancellor}:
            raise BadInput("who was executed is in no government")
        match event:
            case Dealt(player, role):
                yield is_(player, role)
            case Knew(player, other, role):
                yield is_(player, *ROLES[1 : 3 if len(self.players) < 7 else 2])
                yield is_(other, role)
            case Executed(_, other):
                yield is_not(other, HITLER)
            case Peeked(_, tiles):
                yield is_(f"draw {len(enacted) + 1}", tiles)
            case Foretold(player, tiles):
                yield self._claim(player, f"draw {len(enacted) + 1}", DRAWS, (tiles,), 3)
            case Saw(player, tiles):
                yield is_(_shown(enacted, player, tiles), tiles)
            case Claimed(player, tiles):
                domain = DRAWS if len(tiles) == 3 else PASSES
                name = _shown(enacted, player, tiles)
                options = [option for option in domain if LETTERS[enacted[-1].policy] in option]
                if tiles not in options:
                    raise BadInput(f"who enacted {enacted[-1].policy} did not have {tiles}")
                yield self._claim(player, name, domain, (tiles,), len(options) - 1)
            case Investigated(_, other, party):
                yield is_(other, *SIDES[party])
            case Accused(player, other, party):
                yield self._claim(player, other, ROLES, SIDES[party], 1)
            case Enacted(president, chancellor, policy):
                number = len(enacted) + 1
                names = {f"draw {number}": DRAWS, f"pass {number}": PASSES, president: ROLES}
                yield likelihood(names, self._passes)
                if policy != VETO:
                    names = {f"pass {number}": PASSES, chancellor: ROLES}
                    yield likelihood(names, lambda *had: self._enacts(policy, *had))
                if _fascist_policies(log) >= 3:
                    yield is_not(chancellor, HITLER)
            case Voted(president, chancellor, approving, rejecting):
                voters = [p for p in (*approving, *rejecting) if p != NO_PLAYER]
                if sorted(voters) != sorted({*self.players} - gone):
                    raise BadInput("expected one vote of each player who is not executed")
                yield self._votes((president, chancellor), approving, rejecting)

    def _claim(
        self, player: str, about: str, domain: Sequence[str], right: Collection[str], wrong: int
    ) -> Weigh:
        """Return the likelihood of a claim: what makes it right, and how many others are wrong."""

        def weight(role: str, value: str) -> Fraction:
            lie = self._rate(self.lies, role)
            return 1 - lie if value in right else lie / wrong

        return likelihood({player: ROLES, about: domain}, weight)

    def _rate(self, rates: Sequence[int], role: str) -> Fraction:
        return Fraction(rates[ROLES.index(role)], 100)

    def _passes(self, drawn: str, passed: str, role: str) -> Fraction | int:
        """Return how probable it is that a president passes two of three."""
        if len({*drawn}) == 1:
            return int(passed == drawn[1:])
        buried = self._rate(self.buries, role)
        odds = {drawn.replace("L", "", 1): buried, drawn.replace("F", "", 1): 1 - buried}
        return odds.get(passed, 0)

    def _enacts(self, policy: str, passed: str, role: str) -> Fraction | int:
        """Return how probable it is that a chancellor enacts a policy of two."""
        if len({*passed}) == 1:
            return int(LETTERS[policy] in passed)
        fascist = self._rate(self.enacts, role)
        return fascist if policy == FASCIST else 1 - fascist

    def _votes(
        self, government: Sequence[str], approving: Sequence[str], rejecting: Sequence[str]
    ) -> Weigh:
        """Return the likelihood of votes, by the government and who of each role approves it."""
        sides = [[p for p in side if p != NO_PLAYER] for side in (approving, rejecting)]

        def weight(tainted: int, *votes: int) -> Fraction:
            """Return the probability, by those of the government who are no liberals, and votes."""
            product = Fraction(1)
            rates = self.distrusts if tainted else self.trusts
            for side, (fascists, hitler) in zip(sides, (votes[:2], votes[2:]), strict=True):
                numbers = len(side) - fascists - hitler, fascists, hitler
                for rate, number in zip(rates, numbers, strict=True):
                    chance = rate if side is sides[0] else 100 - rate
                    product *= Fraction(chance, 100) ** max(number, 0)
            return product

        tainted = [is_(player, role) for player in government for role in ROLES[1:]]
        votes = [[is_(p, role) for p in side] for side in sides for role in ROLES[1:]]
        fascists = FASCISTS[len(self.players)]
        return tally([tainted, *votes], weight, most=(2, fascists, 1, fascists, 1))

    def inquiries(self, log: Sequence[Event], viewer: object) -> Iterator[tuple[str, str]]:
        """Yield whom the last president may investigate now."""
        enacted = [e for e in log if isinstance(e, Enacted | Chaos | Accused)]
        number = _fascist_policies(enacted)
        known = {event.other for event in enacted if isinstance(event, Accused)}
        last = enacted[-1] if enacted else None
        if number in INVESTIGATIONS.get(len(self.players), ()) and isinstance(last, Enacted):
            for other in self.players if last.policy == FASCIST else ():
                if other not in {last.president, *known}:
                    yield last.president, other

    def answer(self, inquiry: tuple[str, str], world: World) -> str:
        """Return the party."""
        return LIBERAL if world[inquiry[1]] == LIBERAL else FASCIST

    def scope(self, inquiry: tuple[str, str]) -> tuple[str]:
        """Return who is investigated."""
        return (inquiry[1],)

    def event_of(self, inquiry: tuple[str, str], answer: str) -> Investigated:
        """Return the investigation."""
        return Investigated(*inquiry, answer)

    def format_inquiry(self, inquiry: tuple[str, str]) -> str:
        """Return the investigation as a line begins with it."""
        return f"{inquiry[0]} investigates {inquiry[1]}"

    def records(self, event: Event) -> int:
        """Return how many events of this kind could have been recorded."""
        if isinstance(event, Voted):
            return int(2 ** len({*event.approving, *event.rejecting} - {NO_PLAYER}))
        if isinstance(event, Claimed):
            return len(DRAWS if len(event.tiles) == 3 else PASSES)
        return 3 if isinstance(event, Dealt) else 2

    def questions(self) -> Sequence[str]:
        """Return what decides the game: the roles."""
        return self.players

    def pictured(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return the players with their roles."""
        return {player: {role: [is_(player, role)] for role in ROLES} for player in self.players}

    @classmethod
    def random_setup(cls, random: Random) -> "SecretHitler":
        """Return a game of five to seven players with random behaviour."""
        players = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay", "Gil")[: random.randint(5, 7)]
        low, high = random.choice((0, 20, 50)), random.randint(50, 90)
        return cls(players, (low, low, high), (5, 75, high), (high, 0, 50), (high, 50, 60))

    def deal(self, random: Random) -> World:
        """Return roles, and what five governments draw and pass, each with the next president."""
        world = dict(super().deal(random))
        tiles = random.sample("L" * 6 + "F" * 11, 15)
        for number in range(5):
            drawn = "".join(sorted(tiles[3 * number : 3 * number + 3]))
            role = world[self.players[number]]
            odds = [float(self._passes(drawn, passed, str(role))) for passed in PASSES]
            world[f"draw {number + 1}"] = drawn
            world[f"pass {number + 1}"] = random.choices(PASSES, odds)[0]
        return world

    def record(self, world: World, random: Random) -> Iterator[Event]:
        """Yield what players know, then up to five governments, or chaos after three refusals."""
        for player in self.players:
            yield Dealt(player, world[player])
            knows = world[player] in ROLES[1 : 3 if len(self.players) < 7 else 2]
            for other in self.players if knows else ():
                if other != player and world[other] != LIBERAL:
                    yield Knew(player, other, str(world[other]))
        fascists = 0
        for number in range(1, random.randint(1, 5) + 1):
            president, passed = self.players[number - 1], str(world[f"pass {number}"])
            others = [player for player in self.players if player != president]
            for chancellor in random.sample(others, 3):
                rates = self.distrusts
                if world[president] == world[chancellor] == LIBERAL:
                    rates = self.trusts
                ayes = [p for p in self.players if self._happens(rates, world[p], random)]
                noes = [player for player in self.players if player not in ayes]
                sides = (tuple(side) or (NO_PLAYER,) for side in (ayes, noes))
                yield Voted(president, chancellor, *sides)
                if len(ayes) > len(noes):
                    break
            else:
                drawn = "".join(str(world[f"draw {earlier}"]) for earlier in range(1, number))
                left = "L" * (6 - drawn.count("L")) + "F" * (11 - drawn.count("F"))
                yield Chaos(LIBERAL if random.choice(left) == "L" else FASCIST)
                return
            if fascists >= 3 and world[chancellor] == HITLER:
                return
            fascist = self._happens(self.enacts, world[chancellor], random)
            policy = FASCIST if passed == "FF" or (passed == "FL" and fascist) else LIBERAL
            fascists += policy == FASCIST
            yield Enacted(president, chancellor, policy)
            yield Saw(chancellor, passed)
            options = [tiles for tiles in DRAWS if LETTERS[policy] in tiles]
            options.remove(true := str(world[f"draw {number}"]))
            lies = self._happens(self.lies, world[president], random)
            yield Claimed(president, random.choice(options) if lies else true)
            if random.random() < 0.3 and number < 5:
                other, true = random.choice(others), str(world[f"draw {number + 1}"])
                yield Investigated(president, other, self.answer((president, other), world))
                yield Peeked(president, true)
                lies = self._happens(self.lies, world[president], random)
                options = [tiles for tiles in DRAWS if tiles != true]
                yield Foretold(president, random.choice(options) if lies else true)

    def _happens(self, rates: Sequence[int], role: object, random: Random) -> bool:
        return random.random() < self._rate(rates, str(role))


def _shown(enacted: Sequence[Enacted], player: str, tiles: str) -> str:
    """Return what the last president drew, or what the last chancellor was passed."""
    if not enacted:
        raise BadInput("no government has enacted anything yet")
    last, three = enacted[-1], len(tiles) == 3
    if player != (who := last.president if three else last.chancellor):
        raise BadInput(f"{who}, not {player}, was the last who had {len(tiles)} policies")
    return f"{'draw' if three else 'pass'} {len(enacted)}"


REGISTRATION = Registration.of(SecretHitler, "games.examples", fact="Ann=Hitler", purpose="roles")
