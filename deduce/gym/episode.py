"""One episode: what the agents read, what they may write, and what each turn is worth."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.metadata import entry_points
from math import isfinite, log2
from random import Random
from typing import Any

from attrs import define, field, frozen

from deduce.budget import Budget
from deduce.constraints import Constraint, Knows
from deduce.errors import BadInput, BadProblem, Contradiction, Undecided, Unsupported
from deduce.game import RECORD, Questions, SeenInParts, Simulated, Staged, Written, hook
from deduce.knowledge import Knowledge
from deduce.logs.claims import parse_claim
from deduce.logs.events import format_event, write_text
from deduce.policy.advice import TIE
from deduce.policy.inquiries import (
    answers_to,
    can_ask,
    event_of,
    format_answer,
    format_inquiry,
    inquiries_of,
)
from deduce.problem import Problem, World
from deduce.system import registry
from deduce.system.text import by_name, fold, listing, pick, visible

__all__ = ["LEVELS", "Episode", "Step", "make", "names"]

GROUP = "deduce.gym"
"""The entry points of episodes: each names a class of games."""

VERSION = 1
"""Of the episodes: the same name, version, level, seed and settings give the same episode."""

LEVELS = (1, 2, 3)
"""All levels, the easiest first."""

FLOOR = -20.0
"""The least score of a belief, in bits."""

MAX_TEXT, MAX_LINES, MAX_CLAIM = 100_000, 400, 200
"""Characters and lines that an agent may write in one turn, and characters of a claim."""

BUDGET = Budget(steps=3_000_000)
"""What one query may spend: about a second. A reward that takes more is ``None``."""

_NUMBER = re.compile(r"\d{1,20}(\.\d{0,20})?|\.\d{1,20}|\d{1,20}/[1-9]\d{0,19}")


def names() -> tuple[str, ...]:
    """Return the names of the games that have episodes.

    >>> {"cluedo", "mastermind", "zebra"} <= {*names()}
    True
    """
    return tuple(sorted(_paths()))


@cache
def _paths() -> Mapping[str, str]:
    return {point.name: point.value for point in entry_points(group=GROUP)}


def make(
    name: str,
    *,
    seed: int = 0,
    level: int = 1,
    agents: Sequence[str] | None = None,
    turns: int = 200,
    cost: float = 0.0,
    regret: bool = True,
) -> Episode:
    """Return an episode; the same arguments give the same one.

    Parameters
    ----------
    name
        One of `names`, or ``package.module:CLASS`` of a game of your own.
    seed
        What is hidden, and what the players who are not agents do, follow from it.
    level
        1 (easy) to 3.
    agents
        The players who are agents; left out: the first one. Only games that state what each player
        sees have several.
    turns
        How many legal questions an agent may ask before it has lost.
    cost
        What a text is charged that cannot be read or is not allowed; it ends nothing.
    regret
        Whether the reward ``regret`` is computed, which takes most of the time.

    Raises
    ------
    BadInput
        There is no such game, level or player.
    """
    for what, number in (("seed", seed), ("level", level), ("turns", turns)):
        if type(number) is not int:
            raise BadInput(f"the {what} is a whole number, not {number!r}")
    if level not in LEVELS:
        raise BadInput(f"the levels are {', '.join(map(str, LEVELS))}, not {level}")
    if type(cost) not in (int, float) or not isfinite(cost):
        raise BadInput(f"the cost is a number, not {cost!r}")
    if turns < 1:
        raise BadInput(f"the number of turns must be at least 1, not {turns}")
    if not isinstance(name, str):
        raise BadInput(f"the name of a game is a text such as 'cluedo', not {name!r}")
    if registry.is_typed(name):
        game_class = registry.typed_object(name)
    elif name in _paths():
        game_class = registry.load(_paths()[name])
    else:
        raise BadInput(f"no episodes are called {name!r}{listing(names(), name)}")
    staged, deal = hook(game_class, Staged.staged), hook(game_class, Simulated.deal)
    if staged is None or deal is None:
        raise Unsupported(f"{name} has no methods 'staged' and 'deal', which an episode needs")
    key = f"{name}/{VERSION}/{level}/{seed}"
    game = staged(level, Random(f"{key}/game"))
    players = tuple(map(str, hook(game, SeenInParts.players, ())))
    chosen = tuple(agents) if agents else players[:1]
    unknown = [agent for agent in chosen if agent not in players]
    if unknown or len({*chosen}) < len(chosen):
        who = listing(players) or ": the game has only one"
        raise BadInput(f"agents are different players of the game{who}, not {list(chosen)}")
    seated = tuple(player for player in players if player in chosen)
    world = game.deal(Random(f"{key}/world"))
    return Episode(name, key, game, world, seated, turns, float(cost), regret)


@frozen
class Step:
    """What a turn gave.

    Parameters
    ----------
    text
        What the agent reads: the answer, and what happened until an agent is to move again.
    rewards
        ``legal``; ``won``, ``None`` until it is decided; ``bits``, by how much the answer reduced
        the uncertainty; ``regret``, by how many bits the best question was expected to give more;
        ``log_score`` and ``brier`` of the stated belief; ``proved``, a word for each claim:
        "true" (it followed), "false" (it did not) or "wrong"; ``cost``. What does not apply, or was
        not decided exactly within the budget, is ``None``.
    done
        Whether the episode is over for the agent.
    """

    text: str
    rewards: Mapping[str, Any]
    done: bool


@define
class Episode:
    """A game with one secret, and the agents who look for it; made by `make`.

    Examples
    --------
    >>> episode = make("guess-who", seed=3)
    >>> _ = episode.reset()
    >>> step = episode.step("claim face=face1 or face!=face1")
    >>> step.rewards["proved"], step.rewards["log_score"], step.done
    (['true'], None, False)
    """

    name: str
    key: str
    game: Any
    world: World
    agents: Sequence[str]
    turns: int
    cost: float
    with_regret: bool
    log: list[Any] = field(factory=list, init=False)
    _agent: int = field(default=0, init=False)
    _out: dict[str, bool] = field(factory=dict, init=False)
    _asked: dict[str, int] = field(factory=dict, init=False)
    _read: dict[str, int] = field(factory=dict, init=False)
    _known: dict[str, tuple[int, Knowledge]] = field(factory=dict, init=False)

    # What agents read

    @property
    def to_move(self) -> str:
        """The agent whose turn it is; empty in a game without players."""
        return self.agents[self._agent] if self.agents else ""

    @property
    def done(self) -> bool:
        """Whether the episode is over for all agents."""
        return any(self._out.values()) or len(self._out) == max(1, len(self.agents))

    @property
    def won(self) -> bool | None:
        """Whether an agent has won; ``None`` as long as that is open."""
        return any(self._out.values()) if self.done else None

    @property
    def questions(self) -> int:
        """How many questions the agents have asked."""
        return sum(self._asked.values())

    @property
    def solves(self) -> bool:
        """Whether the episode is won by naming the solution, since no answer ends the game."""
        return hook(self.game, Questions.ends) is None

    def reset(self) -> str:
        """Return the rules, what the agent sees, and what it may write; begins anew."""
        self.log, self._agent = [], 0
        for kept in (self._out, self._asked, self._read, self._known):
            kept.clear()
        opening = hook(self.game, Staged.opening)
        if opening:
            self.log += opening(self.world, self._random())
        self._others()
        return self.introduction()

    def introduction(self) -> str:
        """Return what the agent to move reads first."""
        known = self.knowledge()
        self._read[self.to_move] = len(self.log)
        seat = f"You are {self.to_move}.\n" if self.agents else ""
        name, path = hook(self.game, Written.name, ""), type(self.game)
        entry = registry.Registration("", "", hidden=f"{path.__module__}:{path.__qualname__}")
        rules = registry.rules_text(registry.find(name) if name in registry.names() else entry)
        view = write_text(known.game, known.log)
        return visible(f"{rules}\n\n{seat}What you see:\n{view}\n{self.forms()}")

    def forms(self) -> str:
        """Return what the agent to move may write, as lines with an example each."""
        lines = ["Write one or more of these lines:"]
        inquiries = self.inquiries()
        if inquiries:
            lines.append(f"ask {format_inquiry(self.game, inquiries[0])}")
        label, answers = next(iter(self.labels().items()))
        values = [*by_name(answers)]
        lines.append(f"belief {label}: {values[0]}=0.5, {values[-1]}=0.5")
        variable, domain = next(iter(self.knowledge().problem.domains.items()))
        lines.append(f"claim {next(iter(by_name([variable])))}!={[*by_name(domain)][-1]}")
        if self.solves:
            lines.append(f"solve {label}: {values[0]}; ...   (all of {', '.join(self.subjects())})")
        return "\n".join(lines) + "\n"

    def news(self) -> str:
        """Return what the agent to move has not read yet, as the lines of a log."""
        if self.to_move not in self._read:
            return self.introduction()
        seen = map(self._seen, self.log[self._read[self.to_move] :])
        self._read[self.to_move] = len(self.log)
        lines = [format_event(self.game, event) for event in seen if event is not None]
        return visible("\n".join(lines))

    # What is known

    def knowledge(self) -> Knowledge:
        """Return what the agent to move can know."""
        agent = self.to_move
        length, known = self._known.get(agent, (0, None))
        if known is None:
            by_parts = hook(self.game, SeenInParts.seen_by)
            game = by_parts(agent) if by_parts and agent else self.game
            known = Knowledge(game, viewer=agent or RECORD, budget=BUDGET)
        seen = [event for event in map(self._seen, self.log[length:]) if event is not None]
        known = known.tell(*seen) if seen else known
        self._known[agent] = (len(self.log), known)
        return known

    def subjects(self) -> Mapping[str, Any]:
        """Return what beliefs are about, by name."""
        subjects = hook(self.game, Staged.subjects)
        return subjects() if subjects else by_name(self.knowledge().problem.domains)

    def labels(self) -> Mapping[str, Sequence[Hashable]]:
        """Return the possible answers to each subject, as at the beginning."""
        known = self.knowledge()
        return {name: [*known.question(each)] for name, each in self.subjects().items()}

    def beliefs(self) -> Mapping[str, Mapping[Hashable, Fraction]]:
        """Return what the agent to move should believe: the exact posterior of each subject."""
        known, subjects = self.knowledge(), self.subjects()
        if all(not isinstance(subject, Mapping) for subject in subjects.values()):
            shares = known.posterior()
            return {name: shares[subject] for name, subject in subjects.items()}
        joint = {name: known.joint(subject) for name, subject in subjects.items()}
        return {name: {label: p for (label,), p in row.items()} for name, row in joint.items()}

    def truth(self, subject: Hashable) -> Any:
        """Return the true answer to a subject."""
        asked = self.knowledge().question(subject)
        return next(
            label
            for label, literals in asked.items()
            if any(self.world[variable] in values for variable, values in literals)
        )

    def inquiries(self) -> Sequence[Hashable]:
        """Return the questions that the agent to move may ask."""
        return inquiries_of(self.knowledge()) if can_ask(self.game) else ()

    def outcome(self, inquiry: Hashable, answer: Hashable, world: World) -> bool | None:
        """Return whether an answer of a world wins or loses; ``None``: neither."""
        decides = hook(self.game, Staged.outcome)
        if decides:
            return decides(inquiry, answer, self.log, world)
        ends = hook(self.game, Questions.ends)
        return True if ends and ends(inquiry, answer) else None

    # A turn

    def step(self, text: str) -> Step:
        """Return what the text of the agent to move gives.

        A text has one or more lines: beliefs and claims, which are judged by what the agent knows
        before its question, and at most one question or solution. If a line cannot be read, none of
        the text counts. A text of an agent never raises an exception.

        Raises
        ------
        BadInput
            The episode is over, or has not begun.
        """
        if self.done or self.to_move not in self._read:
            raise BadInput("the episode is over" if self.done else "begin with reset()")
        rewards: dict[str, Any] = dict.fromkeys(
            ("won", "log_score", "brier", "bits", "regret", "proved")
        )
        rewards |= {"legal": True, "cost": 0.0, "proved": []}
        try:
            beliefs, claims, move = self.read(text)
        except (BadInput, BadProblem, Undecided) as error:
            rewards |= {"legal": False, "cost": self.cost}
            return Step(visible(f"not a legal move: {error}"), rewards, self.done)
        if beliefs:
            rewards["log_score"], rewards["brier"] = self._scores(beliefs)
        rewards["proved"] = [self._proved(claim) for claim in claims]
        mover, answer = self.to_move, ""
        if move is not None:
            kind, what = move
            answer = self._ask(what, rewards) if kind == "ask" else self._solve(what)
            self._others()
        rewards["won"] = self._out.get(mover, False if self.done else None)
        news = "" if move is None else self._news_of(mover)
        return Step(
            "\n".join(filter(None, (answer, news))), rewards, self.done or mover in self._out
        )

    def _news_of(self, mover: str) -> str:
        """Return the news of the agent who has just moved, and pass the turn on."""
        text = self.news() if self.to_move == mover else ""
        if not self.done and self.agents:
            following = [*range(self._agent + 1, len(self.agents)), *range(self._agent + 1)]
            self._agent = next(i for i in following if self.agents[i] not in self._out)
        return text

    def _ask(self, inquiry: Hashable, rewards: dict[str, Any]) -> str:
        """Ask a question, and return its answer as text."""
        agent, known = self.to_move, self.knowledge()
        draw = Fraction(self._random().random())
        for answer, chance in answers_to(self.game, inquiry, self.world):  # noqa: B007
            draw -= chance
            if draw < 0:
                break
        rewards["regret"] = self.regret(inquiry) if self.with_regret else None
        won = self.outcome(inquiry, answer, self.world)
        if won is not None:
            self._out[agent] = won
        shown = visible(format_answer(self.game, inquiry, answer))
        self._asked[agent] = self._asked.get(agent, 0) + 1
        if self._asked[agent] >= self.turns:
            self._out.setdefault(agent, False)
        before = _uncertainty(known)
        try:
            self.log.append(event_of(self.game, inquiry, answer))
        except BadInput:  # an answer after which nothing is recorded, such as a mine
            rewards["bits"] = _bits_of(known, inquiry, answer)
            return shown
        after = _uncertainty(self.knowledge())
        rewards["bits"] = None if before is None or after is None else before - after
        return shown

    def _solve(self, solution: Mapping[str, Any]) -> str:
        """Take a solution, and return whether it is right."""
        right = all(
            self.truth(subject) == solution[name] for name, subject in self.subjects().items()
        )
        self._out[self.to_move] = right
        event = hook(self.game, Staged.named)
        told = event(self.to_move, solution, right=right) if event else None
        if told is not None:
            self.log.append(told)
        return "right" if right else "wrong"

    def regret(self, inquiry: Hashable) -> float | None:
        """Return by how many bits the best question is expected to give more than one.

        ``None`` if that was not decided exactly within the budget.
        """
        try:
            advice = self.knowledge().advise()
        except (Undecided, Unsupported):
            return None
        if not advice.is_exact:
            return None
        mine = next(each for each in advice.ranking if each.inquiry == inquiry)
        lost = advice.ranking[0].gain_bits - mine.gain_bits
        return lost if lost > TIE else 0.0

    def _others(self) -> None:
        """Let the players move who are not agents."""
        meanwhile = hook(self.game, Staged.meanwhile)
        while meanwhile and not self.done:
            in_turn = (*self.agents[self._agent :], *self.agents[: self._agent])
            waiting = [a for a in in_turn if a not in self._out]
            event = meanwhile(self.log, self.world, waiting, self._random())
            if event is None:
                return
            self.log.append(event)

    def _random(self) -> Random:
        """Return the random numbers of the next event: they do not depend on what came before."""
        return Random(f"{self.key}/{len(self.log)}")

    def _seen(self, event: Any) -> Any:
        seen = hook(self.game, SeenInParts.seen_event)
        return seen(event, self.to_move) if seen and self.agents else event

    # Reading and judging

    def read(self, text: str) -> tuple[dict[str, Any], list[Constraint], tuple[str, Any] | None]:
        """Return the beliefs, the claims and the move of a text."""
        if not isinstance(text, str) or len(text) > MAX_TEXT or text.count("\n") > MAX_LINES:
            raise BadInput(f"a text has up to {MAX_TEXT:,} characters in {MAX_LINES} lines")
        beliefs: dict[str, Any] = {}
        claims: list[Constraint] = []
        moves: list[tuple[str, Any]] = []
        problem = self.knowledge().problem
        for line in filter(None, map(str.strip, text.splitlines())):
            word, _, rest = line.partition(" ")
            if word == "belief":
                name, belief = self._belief(rest)
                beliefs[name] = belief
            elif word == "claim":
                if len(rest) > MAX_CLAIM or not rest.strip() or rest.lstrip()[0] == "{":
                    raise BadInput(f"a claim is like rope=Ann, in up to {MAX_CLAIM} characters")
                claim = parse_claim(problem, rest)
                if isinstance(claim, Knows):
                    raise BadInput("claims about what players know are not judged here")
                claims.append(claim)
            elif word == "solve" and self.solves:
                moves.append((word, self._solution(rest)))
            else:
                moves.append(("ask", self._inquiry(rest if word == "ask" else line)))
        if len(moves) > 1 or not (moves or beliefs or claims):
            raise BadInput("expected lines with beliefs and claims, and at most one question")
        return beliefs, claims, next(iter(moves), None)

    def _inquiry(self, text: str) -> Hashable:
        inquiries = self.inquiries()
        typed = fold(text[:MAX_CLAIM])
        for inquiry in inquiries:
            if fold(format_inquiry(self.game, inquiry)) == typed:
                return inquiry
        form = f"; for example: ask {format_inquiry(self.game, inquiries[0])}" if inquiries else ""
        raise BadInput(f"{text[:40]!r} is not a question that can be asked now{form}")

    def _subject(self, text: str) -> tuple[str, Mapping[str, Any]]:
        """Return the name of a subject, and its possible answers by their names."""
        subjects = self.subjects()
        name = pick(text.strip()[:MAX_CLAIM], subjects, "subject")
        return name, by_name(self.knowledge().question(subjects[name]))

    def _belief(self, text: str) -> tuple[str, Mapping[Hashable, Fraction]]:
        """Return the subject and the probabilities of a line ``NAME: VALUE=0.5, VALUE=0.5``."""
        head, colon, tail = text.partition(":")
        if not colon:
            raise BadInput("a belief is like 'belief NAME: VALUE=0.5, VALUE=0.5'")
        name, values = self._subject(head)
        belief: dict[Hashable, Fraction] = {}
        for part in tail.split(","):
            left, sign, right = part.rpartition("=")
            if not sign or not _NUMBER.fullmatch(right.strip()):
                raise BadInput(f"{part.strip()[:40]!r} is not of the form VALUE=0.5")
            value = values[pick(left.strip()[:MAX_CLAIM], values, "value")]
            belief[value] = Fraction(right.strip())
        total = sum(belief.values(), Fraction(0))
        if abs(total - 1) > Fraction(1, 100):
            raise BadInput(f"the probabilities of {name} add up to {float(total):.3g}, not to 1")
        return name, {value: share / total for value, share in belief.items()}

    def _solution(self, text: str) -> Mapping[str, Any]:
        """Return the solution of a line ``NAME: VALUE; NAME: VALUE``."""
        solution: dict[str, Any] = {}
        for part in text.split(";"):
            head, _, tail = part.partition(":")
            name, values = self._subject(head)
            solution[name] = values[pick(tail.strip()[:MAX_CLAIM], values, f"value of {name}")]
        left = [name for name in self.subjects() if name not in solution]
        if left:
            raise BadInput(f"a solution names all subjects; {', '.join(left)} is missing")
        return solution

    def _scores(self, beliefs: Mapping[str, Mapping[Hashable, Fraction]]) -> tuple[float, float]:
        """Return the means of both scores over all subjects.

        A subject without a stated belief counts as one whose values are equally probable.
        """
        logs, briers = [], []
        subjects = self.subjects()
        for name, labels in self.labels().items():
            truth = self.truth(subjects[name])
            belief = beliefs.get(name) or dict.fromkeys(labels, Fraction(1, len(labels)))
            share = belief.get(truth, Fraction(0))
            logs.append(max(FLOOR, log2(share)) if share else FLOOR)
            briers.append(sum((belief.get(x, 0) - (x == truth)) ** 2 for x in labels))
        return sum(logs) / len(logs), float(sum(briers) / len(briers))

    def _proved(self, claim: Constraint) -> str | None:
        if not Problem.satisfied(claim, self.world):
            return "wrong"
        try:
            return "true" if self.knowledge().is_certain(claim) else "false"
        except Undecided:
            return None


def _uncertainty(known: Knowledge) -> float | None:
    """Return the entropy in bits of what is asked about; ``None`` if it was not decided."""
    from deduce.policy.joint import targets_of

    try:
        targets: Sequence[Any] = targets_of(known)
        if targets or known.is_weighed:
            return known.joint(*(targets or known.problem.domains)).entropy()
        return log2(known.count())
    except (Undecided, Contradiction):
        return None


def _bits_of(known: Knowledge, inquiry: Hashable, answer: Hashable) -> float | None:
    """Return the bits that an answer gives, from the advice about its question."""
    try:
        advice = known.advise([inquiry])
    except (Undecided, Unsupported):
        return None
    for outcome in advice.ranking[0].outcomes:
        if outcome.answer == answer and isinstance(outcome.bits_left, float | int):
            now = _uncertainty(known)
            return None if now is None else now - outcome.bits_left
    return None
