"""Trouble Brewing replayed night by night for every deal of roles, with logs read as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

FOLK = {
    *("washerwoman", "librarian", "investigator", "chef", "empath", "fortune teller"),
    *("undertaker", "monk", "ravenkeeper", "virgin", "slayer", "soldier", "mayor"),
}
OUT = {"butler", "drunk", "recluse", "saint"}
BAD = {"poisoner", "spy", "scarlet woman", "baron"}
SIZES = {
    5: (3, 0, 1), 6: (3, 1, 1), 7: (5, 0, 1), 8: (5, 1, 1), 9: (5, 2, 1), 10: (7, 0, 2),
    11: (7, 1, 2), 12: (7, 2, 2), 13: (9, 0, 3), 14: (9, 1, 3), 15: (9, 2, 3),
}  # fmt: skip
LINES = {
    "claims": r"(\w+) claims (.+)",
    "good": r"(\w+) is good",
    "pair": r"(\w+) learns that (\w+) or (\w+) is (.+)",
    "none": r"(\w+) learns that there is no outsider",
    "chef": r"(\w+) counts (\d+) pairs",
    "empath": r"(\w+) senses (\d+) evil in night (\d+)",
    "asks": r"(\w+) asks about (\w+) and (\w+) in night (\d+): (yes|no)",
    "sees": r"(\w+) sees in night (\d+) that (\w+) is (.+)",
    "protects": r"(\w+) protects (\w+) in night (\d+)",
    "nominates": r"(\w+) nominates (\w+), executed: (yes|no)",
    "shoots": r"(\w+) shoots (\w+), dies: (yes|no)",
    "executed": r"executed: (\w+)",
    "died": r"died: (\w+)",
}


def read_line(line: str) -> tuple[str, ...]:
    found = [(kind, re.fullmatch(form, line)) for kind, form in LINES.items()]
    ((kind, match),) = [(kind, match) for kind, match in found if match]
    return (kind, *match.groups())


class Table:
    """One deal of roles with the choices made so far, at one moment."""

    def __init__(self, players: Sequence[str], roles: dict[str, str], herring: str | None) -> None:
        self.players, self.start, self.roles = list(players), roles, dict(roles)
        self.herring, self.alive = herring, list(players)
        self.ill: str | None = None
        self.known: dict[str, str | None] = {}
        self.used: set[str] = set()
        self.buried: str | None = None
        self.night = 1
        self.fell: str | None = None
        self.weight = Fraction(1)

    def copy(self) -> Table:
        other = Table.__new__(Table)
        other.__dict__ = {
            key: value.copy() if isinstance(value, list | dict | set) else value
            for key, value in self.__dict__.items()
        }
        return other

    def is_sober(self, player: str, role: str) -> bool:
        """Whether a player has the ability of a role now."""
        return self.roles[player] == role and self.ill != player

    def sides(self, player: str) -> set[bool]:
        """Whether a player can register as evil: both, if it is the storyteller's choice."""
        if self.is_sober(player, "recluse") or self.is_sober(player, "spy"):
            return {True, False}
        return {self.start[player] in BAD or self.start[player] == "imp"}

    def faces(self, player: str) -> set[str]:
        """The roles as which a player can register."""
        if self.is_sober(player, "recluse"):
            return {"recluse", *BAD, "imp"}
        if self.is_sober(player, "spy"):
            return {"spy", *FOLK, *OUT}
        return {self.roles[player]}

    def check_poison(self) -> None:
        """End the poison if no living player is the poisoner."""
        if not any(self.roles[p] == "poisoner" for p in self.alive):
            self.ill = None

    def sunset(self) -> Iterator[Table]:
        """Yield the tables after the poisoner's choice."""
        self.ill = None
        choices: list[str | None] = [None]
        if any(self.roles[p] == "poisoner" for p in self.alive):
            choices = list(self.players)
        for choice in choices:
            table = self.copy()
            table.ill = choice
            table.known[f"poisoned in night {table.night}"] = choice
            table.weight /= len(choices)
            yield table

    def bury(self, player: str, *, by_imp: bool, ends_day: bool) -> Iterator[Table]:
        """Yield the tables after a death, after which the game goes on."""
        was = len(self.alive)
        heirs: list[str | None] = [None]
        if self.roles[player] == "imp":
            living = [p for p in self.alive if p != player]
            woman = [p for p in living if self.is_sober(p, "scarlet woman")]
            heirs = list(woman) if was >= 5 else []
            if by_imp and not heirs:
                heirs = [p for p in living if self.roles[p] in BAD]
        for heir in heirs:
            table = self.copy()
            table.alive.remove(player)
            if heir:
                table.roles[heir] = "imp"
            (imp,) = [p for p in table.alive if table.roles[p] == "imp"]
            table.known[f"imp after {player}"] = imp
            table.check_poison()
            if ends_day:
                table.buried = player
            else:
                table.known[f"poisoned after {player}"] = table.ill
            yield table


def replay(tables: list[Table], words: tuple[str, ...]) -> list[Table]:
    """Return the tables that a public line leaves."""
    kind, *names = words
    after: list[Table] = []
    for table in tables:
        if kind == "executed":
            (player,) = names
            if player == "nobody":
                mayors = [p for p in table.alive if table.is_sober(p, "mayor")]
                after += [] if mayors and len(table.alive) == 3 else [table]
            elif not table.is_sober(player, "saint"):
                after += table.bury(player, by_imp=False, ends_day=True)
        elif kind == "nominates":
            player, other, result = names
            new = other not in table.used and other in table.alive
            table.used.add(other)
            falls = {False}
            if new and table.is_sober(other, "virgin"):
                falls = {face in FOLK for face in table.faces(player)}
            if (result == "yes") in falls:
                if result == "yes":
                    after += table.bury(player, by_imp=False, ends_day=True)
                else:
                    after.append(table)
        elif kind == "shoots":
            player, other, result = names
            new = f"shot of {player}" not in table.used and other in table.alive
            table.used.add(f"shot of {player}")
            falls = {False}
            if new and table.is_sober(player, "slayer"):
                falls = {face == "imp" for face in table.faces(other)}
            if (result == "yes") in falls:
                if result == "yes":
                    after += table.bury(other, by_imp=False, ends_day=False)
                else:
                    after.append(table)
        elif kind == "died":
            (player,) = names
            table.night += 1
            for evening in table.sunset():
                after += morning(evening, player)
    return after


def morning(table: Table, player: str) -> Iterator[Table]:
    """Yield the tables after a night in which a player was found dead, or no player was."""
    (imp,) = [p for p in table.alive if table.roles[p] == "imp"]
    monks = [p for p in table.alive if table.is_sober(p, "monk")]
    tables: list[Table] = []
    if player != "nobody":
        if table.ill != imp and not table.is_sober(player, "soldier"):
            # A monk protects another player; which one is checked with what the monk says.
            tables = list(table.bury(player, by_imp=True, ends_day=False))
    elif (
        table.ill == imp
        or len(table.alive) < len(table.players)
        or monks
        or any(table.is_sober(p, "soldier") for p in table.alive)
    ):
        tables = [table]
    for later in tables:
        later.fell = player
        later.known["monks"] = " ".join(monks)
        yield later


def is_told(table: Table, words: tuple[str, ...], speaker_role: str) -> bool:
    """Whether an honest player with an ability may say this at the moment of a table."""
    kind, player, *rest = words
    if kind == "protects":
        return rest[0] != table.fell or player not in str(table.known.get("monks", "")).split()
    if not table.is_sober(player, speaker_role):
        return True
    if kind == "pair":
        one, other, role = rest
        return role in table.faces(one) | table.faces(other)
    if kind == "none":
        faces = [table.faces(p) for p in table.players if table.start[p] != "spy"]
        return all(face - OUT for face in faces)
    if kind == "chef":
        low = high = 0
        for here, there in zip(table.players, table.players[1:] + table.players[:1], strict=True):
            pair = [table.sides(here), table.sides(there)]
            low += all(side == {True} for side in pair)
            high += all(True in side for side in pair)
        return low <= int(rest[0]) <= high
    if kind == "empath":
        circle = table.players * 3
        at = circle.index(player) + len(table.players)
        left = next(p for p in reversed(circle[:at]) if p in table.alive)
        right = next(p for p in circle[at + 1 :] if p in table.alive)
        totals = {a + b for a in table.sides(left) for b in table.sides(right)}
        return int(rest[0]) in totals
    if kind == "asks":
        one, other, _, answer = rest
        seen = [
            {True} if p == table.herring else {face == "imp" for face in table.faces(p)}
            for p in (one, other)
        ]
        return (answer == "yes") in {a or b for a in seen[0] for b in seen[1]}
    assert kind == "sees", words
    return rest[2] in table.faces(rest[1])


def role_of(words: tuple[str, ...], fallen: dict[int, str]) -> str:
    kind, player, *rest = words
    if kind == "claims":
        return rest[0]
    if kind == "pair":
        role = rest[2]
        return "washerwoman" if role in FOLK else "librarian" if role in OUT else "investigator"
    if kind == "sees":
        return "ravenkeeper" if fallen.get(int(rest[0])) == player else "undertaker"
    named = {"none": "librarian", "chef": "chef", "empath": "empath", "asks": "fortune teller"}
    return {**named, "protects": "monk"}[kind]


def night_of(words: tuple[str, ...]) -> int:
    kind, _, *rest = words
    return int(
        {"empath": rest[1:2], "asks": rest[2:3], "sees": rest[:1], "protects": rest[1:2]}.get(
            kind, ["1"]
        )[0]
    )


def deals(
    players: Sequence[str], claims: dict[str, list[str]]
) -> Iterator[tuple[dict[str, str], Fraction]]:
    """Yield every deal of roles with which claims can be made, and its weight."""
    size = len(players)
    folk, out, bad = SIZES[size]
    for evil in permutations(players, bad + 1):
        for minions in combinations(sorted(BAD), bad):
            more = 2 * ("baron" in minions)
            good = [p for p in players if p not in evil]
            fixed = dict(zip(evil, ("imp", *minions), strict=True))
            weight = Fraction(1, comb(4, out + more) * comb(13, folk - more))
            for deal in goods(good, fixed, claims):
                kinds = [deal[p] in OUT for p in good]
                if sum(kinds) != out + more or len({*deal.values()}) != size:
                    continue
                total = weight
                for player, said in claims.items():
                    if not said or said[0] == "shot":
                        continue
                    if player in evil:
                        total /= 16
                    elif deal[player] == "drunk":
                        total /= 13 - folk + more
                yield deal, total


def goods(
    good: list[str], fixed: dict[str, str], claims: dict[str, list[str]]
) -> Iterator[dict[str, str]]:
    if not good:
        yield dict(fixed)
        return
    player, *rest = good
    said = {"slayer" if role == "shot" else role for role in claims.get(player, [])}
    options: set[str] = FOLK | OUT
    if said:
        options = said if len(said) == 1 else set()
        options = options | ({"drunk"} if options & FOLK else set())
    for role in options - {*fixed.values()}:
        if role == "drunk" and said and said & {*fixed.values()}:
            continue
        yield from (
            deal
            for deal in goods(rest, {**fixed, player: role}, claims)
            if not (role == "drunk" and said and said & {*deal.values()})
        )


def worlds(
    players: Sequence[str], lines: Sequence[str], *, story: Sequence[str] = ()
) -> list[tuple[dict[str, str | None], Fraction]]:
    """Return every world that is possible after a story and a log, with its weight."""
    said = [read_line(line) for line in lines]
    public = [w for w in (read_line(line) for line in story) if w]
    public += [w for w in said if w[0] in ("executed", "nominates", "shoots", "died")]
    fallen = {}
    for number, words in enumerate((w for w in public if w[0] == "died"), start=2):
        fallen[number] = words[1]
    statements = [
        w for w in said if w[0] not in ("executed", "nominates", "shoots", "died", "good")
    ]
    claims: dict[str, list[str]] = {}
    for words in statements:
        claims.setdefault(words[1], []).append(role_of(words, fallen))
    for words in public:
        if words[0] == "shoots":
            claims.setdefault(words[1], []).append("shot")
    good = {w[1] for w in said if w[0] == "good"}
    spoken: dict[int, list[tuple[str, ...]]] = {}
    for words in statements:
        if words[0] != "claims":
            spoken.setdefault(night_of(words), []).append(words)
    result = []
    for deal, weight in deals(players, claims):
        if any(deal[p] in BAD or deal[p] == "imp" for p in good):
            continue
        honest = [p for p in players if deal[p] not in BAD and deal[p] != "imp"]
        tellers: list[str | None] = [None]
        if "fortune teller" in deal.values():
            tellers = list(honest)
        for herring in tellers:
            first = Table(players, deal, herring)
            first.weight = weight / len(tellers)
            tables = heard(list(first.sunset()), spoken, fallen)
            for words in public:
                tables = replay(tables, words)
                if words[0] == "died":
                    tables = heard(tables, spoken, fallen)
            for table in tables:
                known = {k: v for k, v in table.known.items() if k != "monks"}
                result.append(({**deal, "red herring": herring, **known}, table.weight))
    return result


def heard(
    tables: list[Table], spoken: dict[int, list[tuple[str, ...]]], fallen: dict[int, str]
) -> list[Table]:
    """Return the tables of a dawn with which all agrees that honest players say of the night."""
    return [
        table
        for table in tables
        if all(
            is_told(table, words, role_of(words, fallen)) and is_real(table, words)
            for words in spoken.get(table.night, ())
        )
    ]


def is_real(table: Table, words: tuple[str, ...]) -> bool:
    """Whether an undertaker speaks of the player who was executed."""
    return words[0] != "sees" or words[1] == table.fell or words[3] == table.buried
