"""Reference players: what an agent can be compared with, and how a number of episodes went."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from deduce.errors import BadInput, Undecided, Unsupported
from deduce.estimates import wilson
from deduce.game import Staged, hook
from deduce.gym.episode import Episode, make
from deduce.policy.inquiries import answers_to, format_inquiry
from deduce.system.text import by_name, check_known

__all__ = ["PLAYERS", "play", "turn"]

DRAWN = 30
"""In how many drawn worlds a player without plan looks at what a question would give."""

LAST = 10
"""After how many questions the random player names a solution."""


def play(
    name: str,
    player: str,
    *,
    episodes: int,
    seed: int = 0,
    level: int = 1,
    turns: int = 200,
    regret: bool = True,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Return how a reference player did in episodes with the seeds from ``seed`` on.

    The means ``questions`` (an episode), ``bits`` and ``regret`` (a question) and ``log_score`` (a
    stated belief) come with half of a 95 % interval by the normal approximation; means of nothing
    are ``None``. ``questions_if_won`` is about the episodes that were won.

    Parameters
    ----------
    name, seed, level, turns, regret
        Those of `deduce.gym.make`.
    player
        One of `PLAYERS`.
    episodes
        How many.
    progress
        Is called with the number of episodes that are done.

    Examples
    --------
    >>> result = play("guess-who", "information", episodes=2, seed=1)
    >>> result["won"], result["regret"]
    (2, 0.0)
    """
    check_known("player", player, PLAYERS)
    if episodes < 1:
        raise BadInput(f"the number of episodes must be at least 1, not {episodes}")
    rows = []
    for number in range(episodes):
        episode = make(name, seed=seed + number, level=level, turns=turns, regret=regret)
        rows.append(episode_row(episode, player))
        progress(number + 1)
    return {"game": name, "player": player, "level": level, "seed": seed} | summary(rows)


def episode_row(episode: Episode, player: str) -> dict[str, Any]:
    """Return whether a reference player won an episode, and the numbers that its turns gave."""
    row: dict[str, Any] = {key: [] for key in ("bits", "regret", "log_score")}
    episode.reset()
    while not episode.done:
        random = Random(f"{player}/{episode.key}/{len(episode.log)}")
        step = episode.step(turn(episode, player, random))
        assert step.rewards["legal"], step.text
        for key in row:
            if step.rewards[key] is not None:
                row[key].append(step.rewards[key])
    asked = [episode.questions]
    return row | {
        "won": bool(episode.won),
        "questions": asked,
        "questions_if_won": asked if episode.won else [],
    }


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the means of some episodes, each with half of its interval with 95 %.

    The turns of an episode depend on each other, so the interval is that of a ratio of two sums
    over episodes (Cochran, *Sampling Techniques*, 1977, section 6.4).

    >>> row = {"won": True, "questions": [2], "bits": [0.5, 1.5]}
    >>> summary([row, row | {"questions": [4], "bits": [1.0]}])["questions"]
    3.0
    """
    won = sum(row["won"] for row in rows)
    result: dict[str, Any] = {"episodes": len(rows), "won": won}
    result["won_95"] = wilson(won / len(rows), len(rows))
    for key in [key for key in rows[0] if key != "won"]:
        groups = [row[key] for row in rows if row[key]]
        count = sum(map(len, groups))
        mean = sum(map(sum, groups)) / count if groups else None
        result[key], result[f"{key}_95"] = mean, None
        if mean is not None and len(groups) > 1:
            squares = sum((sum(group) - mean * len(group)) ** 2 for group in groups)
            result[f"{key}_95"] = 1.96 * sqrt(squares * len(groups) / (len(groups) - 1)) / count
    return result


def turn(episode: Episode, player: str, random: Random) -> str:
    """Return what a reference player writes."""
    inquiries = list(episode.inquiries())
    if player == "random":
        if episode.solves and (not inquiries or episode.questions >= LAST):
            labels = episode.labels()
            return _solution({name: random.choice(list(each)) for name, each in labels.items()})
        return f"ask {format_inquiry(episode.game, random.choice(inquiries))}"
    beliefs = {
        name: {label: share for label, share in row.items() if share}
        for name, row in episode.beliefs().items()
    }
    lines = list(belief_lines(beliefs))
    is_over = episode.solves and (not inquiries or all(len(row) == 1 for row in beliefs.values()))
    inquiry = None if is_over else PLAYERS[player](episode, inquiries, random)
    if inquiry is None:
        likely = {name: max(row, key=lambda x: row[x]) for name, row in beliefs.items()}
        return "\n".join([*lines, _solution(likely)])
    return "\n".join([*lines, f"ask {format_inquiry(episode.game, inquiry)}"])


def belief_lines(beliefs: Mapping[str, Mapping[Hashable, Fraction]]) -> Iterator[str]:
    for name, row in beliefs.items():
        labels = {label: text for text, label in by_name(row).items()}
        shares = ", ".join(f"{labels[label]}={float(p):.18f}" for label, p in row.items())
        yield f"belief {name}: {shares}"


def _solution(labels: Mapping[str, Any]) -> str:
    return "solve " + "; ".join(f"{name}: {next(iter(by_name([x])))}" for name, x in labels.items())


def _any(episode: Episode, inquiries: list[Hashable], random: Random) -> Hashable:
    """Return a random question, not one that is known to be useless.

    That is judged by worlds drawn from the posterior: a question that wins in all of them is asked;
    else one that loses in as few as possible, and of which they do not agree on the answer. Where
    they agree on all answers and the solution can be named, that is better: ``None``.
    """
    worlds = episode.knowledge().sample(DRAWN, seed=random.getrandbits(32))
    worlds = list({tuple(world.items()): world for world in worlds}.values())
    random.shuffle(inquiries)

    def worth(inquiry: Hashable) -> tuple[float, bool]:
        answers = [answers_to(episode.game, inquiry, world) for world in worlds]
        ends = [
            episode.outcome(inquiry, given[0][0], world)
            for given, world in zip(answers, worlds, strict=True)
        ]
        is_open = any(given != answers[0] or len(given) > 1 for given in answers)
        return (1.0 if all(ends) else -sum(end is False for end in ends)), is_open

    best = max(inquiries, key=worth)
    return None if episode.solves and not worth(best)[1] else best


def _information(episode: Episode, inquiries: list[Hashable], random: Random) -> Hashable:
    """Return the question that is expected to give most information; a random one if undecided.

    ``None`` where none gives any and the solution can be named.
    """
    try:
        best = episode.knowledge().advise(inquiries).ranking[0]
    except (Undecided, Unsupported):
        return _any(episode, inquiries, random)
    return None if episode.solves and not best.gain_bits else best.inquiry


def _best(episode: Episode, inquiries: list[Hashable], random: Random) -> Hashable:
    """Return the question that the game prefers, or else the most informative."""
    favourite = hook(episode.game, Staged.favourite)
    if favourite is None:
        return _information(episode, inquiries, random)
    return favourite(episode.knowledge())


PLAYERS: Mapping[str, Callable[[Episode, list[Hashable], Random], Hashable]] = {
    "random": lambda episode, inquiries, random: random.choice(inquiries),
    "deduction": _any,
    "information": _information,
    "best": _best,
}
"""The reference players: random questions; random questions with complete deduction; the question
that gives most information; the question that the game itself prefers (`Staged.favourite`), or else
the most informative. All but the first state the exact posterior."""
