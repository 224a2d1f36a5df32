"""Random deals and random logs of them: suggestions with true answers and private shows.

They are meant for tests and experiments. The players do not play well: suggestions are random, a
player who accused wrongly goes on suggesting, and some answers are not recorded, as in real logs.
Whether an answer is recorded does not depend on the deal, so the posterior of the log is calibrated
(`deduce.testing.check_hidden_game` measures that).

`seen`, `likelihood` and `actor` state what players see, without evidence: they are for checks, in
which `deduce.testing.check_hidden_game` compares the evidence with them. They are written from
the rules document of this project (docs/games/cluedo.md, sections 2 to 4) and share no code with
`games.cluedo.evidence`: a mistake in one is not a mistake in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from deduce.constraints import Count, Fact, Weigh
from deduce.game import RECORD, Viewer
from deduce.problem import Evidence
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.setup import ENVELOPE, SetUp

__all__ = ["actor", "deal", "likelihood", "meanwhile", "opening", "random_setup", "record", "seen"]


Deal = Mapping[str, str]
"""Where each card is."""


def random_setup(random: Random) -> dict[str, Any]:
    """Return the arguments of a random set-up with a deck of two to four categories.

    >>> SetUp(**random_setup(Random(1))).deck.keys() <= {"who", "what", "where", "when"}
    True
    """
    kinds = ("who", "what", "where", "when")[: random.randint(2, 4)]
    deck = {kind: tuple(f"{kind}{n}" for n in range(random.randint(2, 5))) for kind in kinds}
    players = ("Ann", "Ben", "Cid", "Dan", "Eve")[: random.randint(2, 5)]
    spare = sum(map(len, deck.values())) - len(deck)
    unknown = (None,) * len(players) if random.random() < 0.3 else None
    return {
        "players": players,
        "deck": deck,
        "hands": unknown,
        "undealt": random.choice((0, 0, min(1, spare))),
        "me": random.choice((None, *players)),
    }


def deal(game: SetUp, random: Random) -> dict[str, str]:
    """Return a random deal allowed by the rules: every dealt card with its holder."""
    solution = {random.choice(cards) for cards in game.groups().values()}
    rest = [card for card in game.dealt if card not in solution]
    limits = game.hand_sizes()
    sizes = {holder: low for holder, (low, _) in limits.items()}
    for _ in range(len(rest) - sum(sizes.values())):
        sizes[random.choice([h for h, (_, high) in limits.items() if sizes[h] < high])] += 1
    random.shuffle(rest)
    holders = dict.fromkeys(solution, ENVELOPE)
    for holder, size in sizes.items():
        holders |= {rest.pop(): holder for _ in range(size)}
    return {card: holders[card] for card in game.dealt}


def record(game: SetUp, deal: Deal, random: Random) -> list[Event]:
    """Return a random log of a deal.

    With ``game.me`` it has what that player sees; otherwise it is that of a referee, with every
    hand and every card that was shown.
    """
    log: list[Event] = [_hand(deal, p) for p in game.players if game.me in (None, p)]
    all_show = random.random() < 0.25
    for turn in range(random.randint(1, 3 * len(game.players))):
        by = game.players[turn % len(game.players)]
        log.append(_suggestion(game, deal, by, random, all_show=all_show))
        if random.random() < 0.2:
            log.extend(_other(game, deal, by, random))
    return log


def opening(game: SetUp, deal: Deal, random: Random) -> list[Event]:
    """Return the hand of each player."""
    return [_hand(deal, player) for player in game.players]


def meanwhile(
    game: SetUp, log: Sequence[Event], deal: Deal, waiting: Sequence[str], random: Random
) -> Event | None:
    """Return the random suggestion of the next player; ``None`` where one of ``waiting`` is next.

    The player who can show a card shows any with equal probability. Who has accused wrongly has no
    more turns; players who are not agents never accuse.
    """
    turns = [event for event in log if isinstance(event, Suggestion | Accusation)]
    out = {event.by for event in turns if isinstance(event, Accusation)}
    order = (*game.after(turns[-1].by), turns[-1].by) if turns else game.players
    by = next(player for player in order if player not in out)
    if by in waiting:
        return None
    cards = _cards(game, random)
    passes: list[str] = []
    for player in game.after(by):
        held = [card for card in cards if deal.get(card) == player]
        if held:
            return Suggestion(by, cards, passes, [Show(player, random.choice(held))])
        passes.append(player)
    return Suggestion(by, cards, passes)


def _hand(deal: Deal, player: str) -> Hand:
    return Hand(player, tuple(card for card, holder in deal.items() if holder == player))


def _cards(game: SetUp, random: Random) -> tuple[str, ...]:
    return tuple(random.choice(cards) for cards in game.deck.values())


def _suggestion(game: SetUp, deal: Deal, by: str, random: Random, *, all_show: bool) -> Suggestion:
    cards = _cards(game, random)
    passes, shows = [], []
    for player in game.after(by):
        held = [card for card in cards if deal.get(card) == player]
        if random.random() < 0.1:  # what is not recorded must not depend on the deal
            if all_show:
                continue
            break
        if held:
            seen = game.me in (None, by, player)
            shows.append(Show(player, random.choice(held) if seen else None))
            if not all_show:
                break
        else:
            passes.append(player)
    return Suggestion(by, cards, tuple(passes), tuple(shows))


def _other(game: SetUp, deal: Deal, by: str, random: Random) -> Iterator[Event]:
    """Yield an event of another kind."""
    kind = random.choice(("accusation", "has", "has not", "one of"))
    held = [card for card, holder in deal.items() if holder in game.players]
    if kind == "accusation":
        cards = _cards(game, random)
        yield Accusation(by, cards, all(deal.get(card) == ENVELOPE for card in cards))
    elif held:
        card = random.choice(held)
        holder = deal[card]
        known_to = random.choice((None, (game.me or by,)))
        if kind == "has":
            yield Has(holder, card, known_to)
        elif kind == "has not":
            yield HasNot(random.choice([p for p in game.players if p != holder]), card, known_to)
        else:  # of two random cards, equally often if the player has both
            holder = random.choice(game.players)
            two = tuple(random.sample(game.dealt, 2))
            if holder in [deal[card] for card in two]:
                yield OneOf(holder, two, known_to)


def seen(game: SetUp, log: Sequence[Event], viewer: Viewer) -> list[tuple[Any, ...]]:
    """Return what a viewer notices of a log, as plain tuples."""
    noticed: list[tuple[object, ...]] = []
    for number, event in enumerate(log, start=1):
        match event:
            case Hand(player, cards):
                if _is_party(game, viewer, (player,)):
                    noticed.append((number, "hand", player, frozenset(cards)))
            case Suggestion(by, cards, passes, shows):
                answers = [
                    (show.by, show.card if _is_party(game, viewer, (by, show.by)) else None)
                    for show in shows
                ]
                noticed.append((number, "suggestion", by, cards, passes, tuple(answers)))
            case Accusation(by, cards, correct):
                noticed.append((number, "accusation", by, cards, correct))
            case (
                Has(holder, what, known_to)
                | HasNot(holder, what, known_to)
                | OneOf(holder, what, known_to)
            ):
                if known_to is None or _is_party(game, viewer, known_to):
                    noticed.append((number, type(event).__name__, holder, what))
    return noticed


def likelihood(
    game: SetUp, deal: Mapping[Any, Any], log: Sequence[Event], viewer: Viewer
) -> Fraction:
    """Return how probable what a viewer saw is in a deal, up to a factor common to all deals.

    A player who can show several cards shows each with the same probability. Viewers draw no
    conclusion from which of their own cards they showed, since they see their hand.
    """
    result = Fraction(1)
    for event in log:
        result *= _likelihood(game, deal, event, viewer)
    return result


def _likelihood(
    game: SetUp, deal: Mapping[object, object], event: Event, viewer: Viewer
) -> Fraction:
    match event:
        case Hand(player, cards):
            hand = {card for card in deal if deal[card] == player}
            return Fraction(not _is_party(game, viewer, (player,)) or hand == set(cards))
        case Suggestion():
            return _answers(game, deal, event, viewer)
        case Accusation(_, cards, correct):
            return Fraction(all(deal.get(card) == ENVELOPE for card in cards) == correct)
        case Has(holder, card, known_to):
            true = deal[card] == holder
        case HasNot(holder, card, known_to):
            true = deal[card] != holder
        case OneOf(holder, cards, known_to):
            true = holder in [deal[card] for card in cards]
    return Fraction(true or not (known_to is None or _is_party(game, viewer, known_to)))


def _answers(
    game: SetUp, deal: Mapping[object, object], event: Suggestion, viewer: Viewer
) -> Fraction:
    if any(deal.get(card) in event.passes for card in event.cards):
        return Fraction(0)
    result = Fraction(1)
    for show in event.shows:
        could_show = [card for card in event.cards if deal.get(card) == show.by]
        if not could_show:
            return Fraction(0)
        if show.card is not None and _is_party(game, viewer, (event.by, show.by)):
            if show.card not in could_show:
                return Fraction(0)
            if show.by != (game.me if viewer is RECORD else viewer):
                result /= len(could_show)
    return result


def _is_party(game: SetUp, viewer: Viewer, players: Sequence[str]) -> bool:
    """Return whether a viewer sees what only these players see; the keeper of the log does."""
    return viewer is RECORD or (viewer is not None and (viewer in players or viewer == game.me))


def actor(event: Event, piece: Evidence) -> str | None:
    """Return the player who acted: who answered, or else who accused or is stated to hold."""
    match event:
        case Suggestion():
            match piece.constraint:
                case Fact() as fact:
                    holders = fact.values
                case Count(facts=facts) | Weigh(facts=facts):
                    holders = frozenset(value for fact in facts for value in fact.values)
                case _:
                    return None
            return str(*holders) if len(holders) == 1 else None
        case Accusation(by):
            return by
        case Hand(player):
            return player
        case Has(holder) | HasNot(holder) | OneOf(holder):
            return holder
