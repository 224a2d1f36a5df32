"""Deliberate mistakes, one rule each (docs/games/pigs.md, section 8).

The recorded games name, by these numbers, those that they find out in their field ``kills``.
"""

from __future__ import annotations

from games.pigs.setup import DUEL, MASTER, NULLIFY, PEACH, REBEL, SIDE_OF, Role, Side
from games.pigs.simulation import Play

__all__ = ["MUTANTS"]


def first_enemy(game: Play, seat: int, role: Role) -> int | None:
    others = list(game.seats_from(seat))[1:]
    return next((other for other in others if game.is_enemy(role, other)), None)


class SinglePass(Play):
    """The hand is scanned once from left to right."""

    def turn(self, seat: int) -> None:
        self.begin(seat)
        position = 0
        while position < len(self.hands[seat]):
            card = self.hands[seat][position]
            if card not in self.usable(seat, self.roles[seat]):
                position += 1
                continue
            self.hands[seat] = self.hands[seat][:position] + self.hands[seat][position + 1 :]
            self.effects[card](seat)
            if self.winner is not None or not self.alive[seat]:
                return


class NoRestartAfterNullifiedDuel(Play):
    def turn(self, seat: int) -> None:
        self.begin(seat)
        start = 0
        while True:
            usable = self.usable(seat, self.roles[seat])
            hand = self.hands[seat]
            found = [k for k in range(start, len(hand)) if hand[k] in usable]
            if not found:
                return
            card = hand[found[0]]
            self.hands[seat] = hand[: found[0]] + hand[found[0] + 1 :]
            self.nullified = False
            self.effects[card](seat)
            if self.winner is not None or not self.alive[seat]:
                return
            start = found[0] if card == DUEL and self.nullified else 0

    def is_nullified(self, user: int, target: int) -> bool:
        self.nullified = super().is_nullified(user, target)
        return self.nullified


class LoyalFightsMaster(Play):
    def fights(self, seat: int, role: Role, opponent: int) -> bool:
        return True


class SuspicionSurvivesDeclaring(Play):
    def declare(self, seat: int, side: Side) -> bool:
        suspicious = self.suspicious[seat]
        new = super().declare(seat, side)
        self.suspicious[seat] = suspicious
        return new


class DeclaredBecomeSuspicious(Play):
    def suspect(self, seat: int) -> bool:
        self.suspicious[seat] = seat != 1
        return True


class SuspicionWithoutDamage(Play):
    def strike(self, user: int, target: int, card: str) -> None:
        if target == 1:
            self.show_suspicion(user)
        super().strike(user, target, card)


class UserNotAsked(Play):
    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        if level > 1:
            return super().nullifier(asked_from, side, level)
        for seat in list(self.seats_from(asked_from))[1:]:
            if NULLIFY in self.hands[seat] and self.is_asked(self.roles[seat], side):
                return seat
        return None


class UndeclaredShieldThemselves(Play):
    def shielding_side(self, target: int) -> Side | None:
        if self.side[target] is None and NULLIFY in self.hands[target]:
            self.alone: int | None = target
            return SIDE_OF[self.roles[target]]
        self.alone = None
        return super().shielding_side(target)

    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        if level == 1 and self.alone is not None:
            return self.alone
        return super().nullifier(asked_from, side, level)


class RebelKillersGetNothing(Play):
    def reward(self, killer: int) -> None:
        if self.roles[killer] != REBEL:
            super().reward(killer)


class RewardForLastRebel(Play):
    def die(self, victim: int, source: int) -> None:
        super().die(victim, source)
        if self.roles[victim] == REBEL and self.rebels == 0:
            self.draw(source, 3)


class TrickGoesOnAfterEnd(Play):
    def trick(self, user: int, card: str) -> None:
        target = self.next[user]
        while target != user:
            self.strike(user, target, card)
            target = self.next[target]

    def end(self, winner: Role) -> None:
        if self.winner is None:
            super().end(winner)


class EmptyPileGivesNothing(Play):
    def draw(self, seat: int, number: int) -> None:
        super().draw(seat, max(0, min(number, len(self.pile) - self.drawn)))


class MasterKeepsCrossbow(Play):
    def penalty(self) -> None:
        crossbow = self.crossbow[1]
        super().penalty()
        self.crossbow[1] = crossbow


class CrossbowSlashesNotCounted(Play):
    def slash(self, user: int) -> None:
        free = self.crossbow[user]
        super().slash(user)
        self.slashes -= free


class SlashAtAnyDistance(Play):
    def slash_target(self, seat: int, role: Role) -> int | None:
        return first_enemy(self, seat, role)


class UserDiscardsFirst(Play):
    def duel_order(self, user: int, target: int) -> tuple[int, int]:
        return user, target


class MasterPrefersDeclaredRebels(Play):
    def duel_target(self, seat: int, role: Role) -> int | None:
        if role == MASTER:
            for other in list(self.seats_from(seat))[1:]:
                if self.side[other] == "rebel":
                    return other
        return super().duel_target(seat, role)


class NextFixedForTheTurn(Play):
    def begin(self, seat: int) -> None:
        self.fixed = self.next[seat]
        super().begin(seat)

    def slash_target(self, seat: int, role: Role) -> int | None:
        fits = self.alive[self.fixed] and self.is_enemy(role, self.fixed)
        return self.fixed if fits else None


class NoCounter(Play):
    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        return super().nullifier(asked_from, side, level) if level < 2 else None


class RebelsDuelFirstEnemy(Play):
    def duel_target(self, seat: int, role: Role) -> int | None:
        return first_enemy(self, seat, role)


class NoRescueInOwnTurn(Play):
    def begin(self, seat: int) -> None:
        self.current = seat
        super().begin(seat)

    def is_rescued(self, victim: int) -> bool:
        return victim != self.current and super().is_rescued(victim)


class UndeclaredDoNotShield(Play):
    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        if level > 1:
            return super().nullifier(asked_from, side, level)
        return nullifier_among_declared(self, asked_from, side)


class UndeclaredDoNotCounter(Play):
    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        if level < 2:
            return super().nullifier(asked_from, side, level)
        return nullifier_among_declared(self, asked_from, side)


def nullifier_among_declared(game: Play, asked_from: int, side: Side) -> int | None:
    for seat in game.seats_from(asked_from):
        if (
            game.side[seat] is not None
            and NULLIFY in game.hands[seat]
            and game.is_asked(game.roles[seat], side)
        ):
            return seat
    return None


class TrickFromMasterToUser(Play):
    def trick(self, user: int, card: str) -> None:
        target = 1 if user != 1 else self.next[1]
        while target != user and self.winner is None:
            self.strike(user, target, card)
            target = self.next[target]


class PeachFirst(Play):
    def leftmost_usable(self, seat: int) -> str | None:
        if PEACH in self.hands[seat] and PEACH in self.usable(seat, self.roles[seat]):
            return PEACH
        return super().leftmost_usable(seat)


class NoSecondCrossbow(Play):
    def usable(self, seat: int, role: Role) -> str:
        cards = super().usable(seat, role)
        return cards.replace("Z", "") if self.crossbow[seat] else cards


class MasterStopsAfterKillingLoyal(Play):
    def begin(self, seat: int) -> None:
        self.stopped = False
        super().begin(seat)

    def penalty(self) -> None:
        super().penalty()
        self.stopped = True

    def leftmost_usable(self, seat: int) -> str | None:
        return None if seat == 1 and self.stopped else super().leftmost_usable(seat)


class ChainCutAfterTwo(Play):
    def nullifier(self, asked_from: int, side: Side, level: int) -> int | None:
        return super().nullifier(asked_from, side, level) if level < 3 else None


class SlashWithoutEnemy(Play):
    def slash_target(self, seat: int, role: Role) -> int | None:
        return self.next[seat]


MUTANTS: dict[int, type[Play]] = {
    1: SinglePass,
    2: NoRestartAfterNullifiedDuel,
    3: LoyalFightsMaster,
    4: SuspicionSurvivesDeclaring,
    5: DeclaredBecomeSuspicious,
    6: SuspicionWithoutDamage,
    7: UserNotAsked,
    8: UndeclaredShieldThemselves,
    10: RebelKillersGetNothing,
    11: RewardForLastRebel,
    12: TrickGoesOnAfterEnd,
    13: EmptyPileGivesNothing,
    14: MasterKeepsCrossbow,
    15: CrossbowSlashesNotCounted,
    16: SlashAtAnyDistance,
    17: UserDiscardsFirst,
    18: MasterPrefersDeclaredRebels,
    19: NextFixedForTheTurn,
    20: NoCounter,
    21: RebelsDuelFirstEnemy,
    22: NoRescueInOwnTurn,
    23: UndeclaredDoNotShield,
    25: TrickFromMasterToUser,
    26: PeachFirst,
    27: NoSecondCrossbow,
    28: MasterStopsAfterKillingLoyal,
    30: UndeclaredDoNotCounter,
    31: ChainCutAfterTwo,
    33: SlashWithoutEnemy,
}
