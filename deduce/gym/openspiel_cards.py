"""What a player of a card game of OpenSpiel can believe about the cards that were dealt.

Histories of such games are too many to list (`deduce.gym.openspiel.belief`). Here the cards that a
player has not seen are variables, and the hands and the rest of the deck that they may be in are
their values. What a player sees is read from the history, and becomes evidence: who holds a card
that is played, who has none of a suit, which cards a hint touches. So ``posterior``, ``why`` and
all other queries work, and samples are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, product
from math import lcm
from random import Random

from attrs import frozen

from deduce.constraints import Count, exactly, is_
from deduce.errors import Unsupported
from deduce.gym.openspiel import Spiel, exact
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, Rule, World

__all__ = ["HiddenCards", "hidden_cards"]

DECK = "deck"
"""Where a card is that was not dealt."""


@frozen
class HiddenCards:
    """What a player can believe about the cards that he has not seen.

    Attributes
    ----------
    knowledge
        Each card as a variable; its values are where it was dealt to. Of equal cards the copies
        have numbers, and those that were seen are left out.
    groups
        The places of the history at which the cards of each value were dealt.
    """

    knowledge: Knowledge
    groups: Mapping[str, Sequence[int]]
    _state: Spiel
    _kinds: Mapping[str, str]
    _actions: Mapping[str, int]

    def sample(self, number: int, *, seed: int) -> list[Spiel]:
        """Return independent exact samples, as states of OpenSpiel."""
        random = Random(seed)
        return [self._replayed(world, random) for world in self.knowledge.sample(number, seed=seed)]

    def _replayed(self, world: World, random: Random) -> Spiel:
        history = list(self._state.history())
        for group, places in self.groups.items():
            inside = [self._kinds[card] for card, where in world.items() if where == group]
            random.shuffle(inside)
            for place, kind in zip(places, inside, strict=True):
                history[place] = self._actions[kind]
        state = self._state.get_game().new_initial_state()
        for action in history:
            state.apply_action(action)
        return state


def hidden_cards(state: Spiel, player: int | None = None) -> HiddenCards:
    """Return what a player can believe about the cards, by default the player to move.

    The others' moves say nothing beyond being legal. In ``go_fish`` everybody sees what is drawn,
    as in the observations of OpenSpiel.

    Raises
    ------
    Unsupported
        The game is not one of ``crazy_eights``, ``go_fish``, ``hanabi`` and ``spades``; no player
        moves and none is named; the first cards are still being dealt; or cards are reshuffled.

    Examples
    --------
    >>> import pyspiel
    >>> state = pyspiel.load_game("go_fish(ranks=3,suits=2,initial_cards=2)").new_initial_state()
    >>> for action in (0, 1, 0, 2):                       # player 0 has a and b, player 1 a and c
    ...     state.apply_action(action)
    >>> hidden_cards(state).knowledge.posterior()["a 2"]["player 1"]  # not both c: a full book
    Fraction(3, 5)

    Cost: one walk through the history, and what the queries cost.
    """
    name = state.get_game().get_type().short_name
    seat = state.current_player() if player is None else player
    if name not in TABLES:
        raise Unsupported(f"{name}: cards are read of {', '.join(TABLES)}")
    if state.get_game().get_parameters().get("reshuffle"):
        raise Unsupported(f"{name} with reshuffle=true deals cards twice")
    if not 0 <= seat < state.num_players():
        raise Unsupported("no player is to move; pass the player whose belief is to be returned")
    return TABLES[name](state, seat).belief()


@frozen
class Step:
    """An action of a history: where it is in it, whose it is, and the state before it."""

    place: int
    mover: int
    word: str
    before: Spiel

    @property
    def card(self) -> str:
        """The card that is dealt; empty for a move, and where chance decides something else."""
        is_deal = self.mover < 0 and not self.word.startswith("Decide")
        return card_of(self.word) if is_deal else ""


def card_of(word: str) -> str:
    return word.strip("()").split()[-1]


class Table:
    """The cards of a game, as one player sees them dealt and played; a subclass for each game."""

    def __init__(self, state: Spiel, player: int) -> None:
        self.state, self.player, self.players = state, player, state.num_players()
        self.seen: Counter[str] = Counter()
        self.groups: dict[str, list[int]] = {}
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.told: list[tuple[str, Collection[str], Sequence[str], int, int | None]] = []
        self.steps: list[Step] = []
        replayed = state.get_game().new_initial_state()
        for place, action in enumerate(state.history()):
            mover = replayed.current_player()
            word = replayed.action_to_string(mover, action)
            self.steps.append(Step(place, mover, word, replayed.clone()))
            replayed.apply_action(action)
        moves = (step.place for step in self.steps if step.mover >= 0)
        first = next(moves, len(self.steps))
        if first == len(self.steps) and state.is_chance_node():
            raise Unsupported("the cards are still being dealt")
        self.opening = sum(bool(step.card) for step in self.steps[:first])
        """How many cards are dealt before the first move."""
        nodes = [step.before for step in self.steps if step.card]
        chances = [[exact(p) for _, p in node.chance_outcomes()] for node in nodes]
        size = max(n + lcm(*(p.denominator for p in row)) for n, row in enumerate(chances))
        self.actions = {card_of(nodes[0].action_to_string(-1, a)): a
                        for a in nodes[0].legal_actions()}  # fmt: skip
        self.deck = {kind: int(p * size) for kind, p in zip(self.actions, chances[0], strict=True)}

    def belief(self) -> HiddenCards:
        """Return what the player can believe after all steps."""
        dealt, mover = 0, -1
        for step in self.steps:
            if step.card:
                self.dealt(step, dealt, mover)
                dealt += 1
            elif step.mover >= 0:
                mover = step.mover
                self.moved(mover, step.word)
        kinds = {
            f"{kind} {n}" if many > 1 else kind: kind
            for kind, many in self.deck.items()
            for n in range(self.seen[kind] + 1, many + 1)
        }
        sizes = {group: len(places) for group, places in self.groups.items()}
        if rest := len(kinds) - sum(sizes.values()):
            sizes[DECK] = rest
        rules = [Rule(exactly(size, [is_(card, group) for card in kinds]), f"{group}: {size} cards")
                 for group, size in sizes.items()]  # fmt: skip
        evidence = []
        for number, (said, of, groups, low, high) in enumerate(self.told, 1):
            facts = [is_(card, *groups) for card, kind in kinds.items() if kind in of]
            evidence.append(Evidence(Count(facts, low, high), number, said))
        domains = dict.fromkeys(kinds, tuple(sizes)) or {"every card": ("seen",)}
        knowledge = Knowledge(Problem(domains, rules, evidence))
        return HiddenCards(knowledge, self.groups, self.state, kinds, self.actions)

    def dealt(self, step: Step, number: int, mover: int) -> None:
        """Take a card that is dealt, given how many were dealt before and who moved last."""
        raise NotImplementedError

    def moved(self, mover: int, word: str) -> None:
        """Take what a player does."""
        raise NotImplementedError

    def give(self, step: Step, owner: int, *, is_seen: bool, group: str = "") -> None:
        """Put a card that is dealt into a hand."""
        if is_seen:
            self.seen[step.card] += 1
            return
        group = group or f"player {owner}"
        self.groups.setdefault(group, []).append(step.place)
        if group not in self.hands[owner]:
            self.hands[owner].append(group)

    def tell(
        self, said: str, kinds: Collection[str], groups: Sequence[str], low: int, high: int | None
    ) -> None:
        """Record how many cards of some kinds are in some groups; none if all were seen."""
        if groups:
            self.told.append((said, kinds, tuple(groups), low, high))


class Spades(Table):
    """A suit must be followed; spades are led by who has nothing else, as OpenSpiel has it."""

    def __init__(self, state: Spiel, player: int) -> None:
        super().__init__(state, player)
        self.played: list[str] = []

    def dealt(self, step: Step, number: int, mover: int) -> None:
        owner = number % self.players
        self.give(step, owner, is_seen=owner == self.player)

    def moved(self, mover: int, word: str) -> None:
        if word not in self.deck:  # a bid
            return
        at = len(self.played) % self.players
        led = self.played[-at] if at else word
        self.played.append(word)
        self.tell(f"player {mover} plays {word}", [word], self.hands[mover], 1, 1)
        lacks = {card for card in self.deck if card[0] == led[0]} if word[0] != led[0] else set()
        if not at and word[0] == "S":
            lacks = {card for card in self.deck if card[0] != "S"}
        if left := sorted(lacks - {*self.played}):
            self.tell(f"player {mover} lacks {' '.join(left)}", left, self.hands[mover], 0, 0)


class CrazyEights(Table):
    """A card that is played was held; drawing and passing say nothing about a hand.

    The first card is turned up again until it is not an eight. All players see these eights, as at
    a table, although they are not in the observations of OpenSpiel.
    """

    def dealt(self, step: Step, number: int, mover: int) -> None:
        if number >= self.opening:
            group = f"player {mover}, drawn before event {len(self.told) + 1}"
            self.give(step, mover, is_seen=mover == self.player, group=group)
        elif number < self.players * (7 if self.players == 2 else 5):
            dealer = int(self.steps[0].word.split()[2])
            owner = (dealer + 1 + number) % self.players
            self.give(step, owner, is_seen=owner == self.player)
        elif number == self.opening - 1:
            self.give(step, mover, is_seen=True)
        else:
            left = self.deck[step.card] - self.seen[step.card] - 1
            hands = [*chain(*self.hands)]
            self.tell(f"{step.card} is turned up and put back", [step.card], hands, 0, left)

    def moved(self, mover: int, word: str) -> None:
        if word.startswith("Play "):
            card = card_of(word)
            self.tell(f"player {mover} plays {card}", [card], self.hands[mover], 1, 1)


class Hanabi(Table):
    """The others' cards are seen, the own are not: each is a group, with what hints say of it."""

    def __init__(self, state: Spiel, player: int) -> None:
        super().__init__(state, player)
        self.held: list[list[tuple[str, str]]] = [[] for _ in range(self.players)]

    def dealt(self, step: Step, number: int, mover: int) -> None:
        is_first = number < self.opening
        owner = number // (self.opening // self.players) if is_first else mover
        group = f"card {number + 1}"
        self.held[owner].append((group, step.card))
        self.give(step, owner, is_seen=owner != self.player, group=group)

    def moved(self, mover: int, word: str) -> None:
        words = word.strip("()").split()
        if words[0] in ("Play", "Discard"):
            group, kind = self.held[mover].pop(int(words[1]))
            if mover == self.player:
                self.tell(f"{group} is {kind}", [kind], [group], 1, 1)
        elif (mover + int(words[2])) % self.players == self.player:
            named = {kind for kind in self.deck if words[4] == kind[words[3] == "rank"]}
            for group, kind in self.held[self.player]:
                touched = int(kind in named)
                said = f"{group} has {'' if touched else 'not '}{words[3]} {words[4]}"
                self.tell(said, named, [group], touched, touched)


class GoFish(Table):
    """What is asked, given and drawn is seen, so only the first cards of the others are hidden."""

    def __init__(self, state: Spiel, player: int) -> None:
        super().__init__(state, player)
        self.held = [Counter[str]() for _ in range(self.players)]
        self.gained = [Counter[str]() for _ in range(self.players)]
        self.lost: list[set[str]] = [set() for _ in range(self.players)]

    def dealt(self, step: Step, number: int, mover: int) -> None:
        after = step.before.child(self.state.history()[step.place])
        lines = zip(str(step.before).split("\n")[2:], str(after).split("\n")[2:], strict=False)
        owner = next(seat for seat, (old, new) in enumerate(lines) if old != new)
        is_first = number < self.opening
        self.give(step, owner, is_seen=not is_first or owner == self.player)
        self.gain(owner, step.card, 1, is_seen=not is_first)
        if number == self.opening - 1:
            for seat, kind in product(range(self.players), self.deck):
                self.gain(seat, kind, 0)

    def moved(self, mover: int, word: str) -> None:
        target, kind = int(word[:-1]), word[-1]
        given = self.held[target][kind]
        self.has(mover, kind, 1, None)
        self.has(target, kind, given, given)
        if given:
            self.lose(target, kind)
            self.gain(mover, kind, given)

    def gain(self, player: int, kind: str, number: int, *, is_seen: bool = True) -> None:
        """Give cards to a player; all of a kind are put away."""
        self.held[player][kind] += number
        self.gained[player][kind] += number * is_seen
        all_of = self.deck[kind]
        if self.held[player][kind] == all_of:
            self.has(player, kind, all_of, all_of)
            self.lose(player, kind)
        elif is_seen:
            self.has(player, kind, 0, all_of - 1)

    def lose(self, player: int, kind: str) -> None:
        self.lost[player].add(kind)
        self.held[player][kind] = self.gained[player][kind] = 0

    def has(self, player: int, kind: str, low: int, high: int | None) -> None:
        """Record how many cards of a kind a player has."""
        if kind not in self.lost[player]:
            known = self.gained[player][kind]
            said = f"player {player} has {low}{'' if low == high else ' or more'} {kind}"
            top = None if high is None else high - known
            self.tell(said, [kind], self.hands[player], max(0, low - known), top)


TABLES: Mapping[str, type[Table]] = {
    "crazy_eights": CrazyEights, "go_fish": GoFish, "hanabi": Hanabi, "spades": Spades,
}  # fmt: skip
"""By the name of a game how its cards are read."""
