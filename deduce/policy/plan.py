"""A plan of a whole game: which question to ask after every answer; saved, replayed and drawn.

`deduce.policy.best` finds the best plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from attrs import evolve, field, frozen

from deduce.errors import BadInput, placed
from deduce.game import HiddenGame, Questions, Written, hook
from deduce.policy.inquiries import (
    Answer,
    Inquiry,
    answers_to,
    ends,
    format_answer,
    format_inquiry,
    inquiries_of,
)
from deduce.policy.task import check_plain
from deduce.problem import World
from deduce.system.display import Displayed
from deduce.system.saved import read_saved, save

if TYPE_CHECKING:
    from deduce.reasoning.queries import Queries

__all__ = ["OBJECTIVES", "Plan", "Step", "plan_from", "read_plan"]

OBJECTIVES = ("expected", "worst", "chance")
"""What a plan can be best at: the fewest questions on average; the fewest in the worst case, and on
average among those; the most secrets found within a number of questions."""

SCHEMA = "deduce/plan/1"
MAX_DEPTH = 100
"""So many questions one after another a plan that is read may have."""


@frozen
class Step:
    """A question of a plan, and the step after each answer.

    Parameters
    ----------
    inquiry
        The question.
    after
        The next step for each answer that leads on; an answer that is missing ends the plan.
    """

    inquiry: Inquiry
    after: Mapping[Answer, Step] = field(factory=dict)

    def steps(self) -> Iterator[Step]:
        """Yield this step and all that follow."""
        yield self
        for step in self.after.values():
            yield from step.steps()


@frozen
class Plan(Displayed):
    """A plan for finding a secret.

    Parameters
    ----------
    game
        The game, which formats questions and answers.
    first
        The first step; ``None`` if nothing needs to be asked.
    secrets
        For how many secrets the plan is made.
    found
        How many of them it finds; fewer than all only where the number of questions is limited.
    total
        How many questions it takes for the secrets that it finds, all together.
    worst
        How many questions it takes at most.
    objective
        What the plan is best at, one of `OBJECTIVES`.
    within
        The number of questions to which it was limited, or ``None``.
    bound
        No plan can have a smaller total (for ``"chance"``: find more secrets).
    proved
        Whether no plan is better.
    worst_bound
        For ``"worst"``: no plan needs fewer questions in the worst case; else ``None``.
    states
        How many states the search examined.
    interrupted
        Whether the search was ended by Ctrl-C.
    """

    game: HiddenGame
    first: Step | None
    secrets: int
    found: int
    total: int
    worst: int
    objective: str = "expected"
    within: int | None = None
    bound: int = 0
    proved: bool = False
    worst_bound: int | None = None
    states: int = field(default=0, eq=False)
    interrupted: bool = field(default=False, eq=False)

    def uninterrupted(self) -> Self:
        """Return this plan, or raise the Ctrl-C that ended the search for it.

        Within a longer task, such as a comparison, the task would go on with half a result.
        """
        if self.interrupted:
            raise KeyboardInterrupt
        return self

    @property
    def expected(self) -> float:
        """The average number of questions for a secret that is found."""
        return self.total / self.found if self.found else 0.0

    def next(self, answers: Sequence[Answer]) -> Inquiry | None:
        """Return the question that follows these answers; ``None`` after the last.

        Raises
        ------
        BadInput
            The plan does not expect such an answer.
        """
        step = self.first
        for number, answer in enumerate(answers, start=1):
            if step is None:
                raise BadInput(f"the plan has ended before answer {number}")
            following = step.after.get(answer)
            if following is None and number < len(answers):
                shown = format_answer(self.game, step.inquiry, answer)
                raise BadInput(f"answer {number}, {shown!r}, is not in the plan, or ends it")
            step = following
        return None if step is None else step.inquiry

    def play(self, world: World) -> list[tuple[Inquiry, Answer]]:
        """Return the questions that the plan asks about a secret, with their answers."""
        asked = []
        step = self.first
        while step is not None:
            [(answer, _)] = answers_to(self.game, step.inquiry, world)
            asked.append((step.inquiry, answer))
            step = step.after.get(answer)
        return asked

    # Saving and reading

    def document(self) -> dict[str, object]:
        """Return the plan as values that JSON can represent; `read_plan` reads them."""
        return {
            "schema": SCHEMA,
            "game": hook(self.game, Written.name, type(self.game).__name__),
            "objective": self.objective,
            "within": self.within,
            "secrets": self.secrets,
            "found": self.found,
            "total": self.total,
            "worst": self.worst,
            "bound": self.bound,
            "proved": self.proved,
            **({} if self.worst_bound is None else {"worst_bound": self.worst_bound}),
            "plan": None if self.first is None else self._tree(self.first),
        }

    def _tree(self, step: Step) -> dict[str, object]:
        after = {
            format_answer(self.game, step.inquiry, answer): self._tree(following)
            for answer, following in step.after.items()
        }
        return {"ask": format_inquiry(self.game, step.inquiry)} | ({"then": after} if after else {})

    def save(self, path: str | Path) -> None:
        """Write the plan to a file, as one JSON object with a digest for each field."""
        save(Path(path), self.document())

    def outline(self, depth: int = 2) -> Iterator[str]:
        """Yield the plan as lines of text: answers, and the question after each.

        Parameters
        ----------
        depth
            How many questions deep.
        """
        if self.first is None:
            yield "nothing needs to be asked"
            return
        yield f"ask {format_inquiry(self.game, self.first.inquiry)}"
        yield from self._outline(self.first, depth - 1, "")

    def _outline(self, step: Step, depth: int, indent: str) -> Iterator[str]:
        if depth <= 0:
            return
        for answer, following in step.after.items():
            shown = format_answer(self.game, step.inquiry, answer)
            yield f"{indent}  {shown}: ask {format_inquiry(self.game, following.inquiry)}"
            yield from self._outline(following, depth - 1, indent + "  ")

    def to_dot(self, depth: int = 3) -> str:
        """Return the plan as a graph in the DOT language, to be drawn by Graphviz.

        Parameters
        ----------
        depth
            How many questions deep.
        """
        lines = ["digraph plan {", "  node [shape=box];"]
        if self.first is not None:
            self._dot(self.first, depth, lines)
        return "\n".join([*lines, "}"]) + "\n"

    def _dot(self, step: Step, depth: int, lines: list[str]) -> int:
        number = len(lines)
        lines.append(f"  n{number} [label={_quoted(format_inquiry(self.game, step.inquiry))}];")
        if depth > 1:
            for answer, following in step.after.items():
                child = self._dot(following, depth - 1, lines)
                label = _quoted(format_answer(self.game, step.inquiry, answer))
                lines.append(f"  n{number} -> n{child} [label={label}];")
        return number


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def plan_from(knowledge: Queries, first: Step | None, **fields: Any) -> Plan:
    """Return a plan with its figures, found by playing it for every world of the knowledge.

    Raises
    ------
    BadInput
        A question is not answered as the plan expects.
    """
    game = knowledge.game
    plan = Plan(game, first, 0, 0, 0, 0, **fields)
    secrets = found = total = worst = 0
    ways: dict[tuple[object, ...], int] = {}
    for world in knowledge.worlds():
        secrets += 1
        asked = plan.play(world)
        key = tuple(answer for _, answer in asked)
        ways[key] = ways.get(key, 0) + 1
        if asked and ends(game, *asked[-1]):
            found += 1
            total += len(asked)
            worst = max(worst, len(asked))
    if not found and not _can_end(knowledge):
        alone = {key for key, count in ways.items() if count == 1}
        found = len(alone)
        total = sum(map(len, alone))
        worst = max(map(len, alone), default=0)
    return Plan(game, first, secrets, found, total, worst, **fields)


def _can_end(knowledge: Queries) -> bool:
    """Return whether some question gets an answer that ends the game."""
    game = knowledge.game
    return hook(game, Questions.ends) is not None and any(
        ends(game, inquiry, answer)
        for inquiry in inquiries_of(knowledge, every=True)
        for world in knowledge.worlds()
        for answer, _ in answers_to(game, inquiry, world)
    )


def read_plan(path: str | Path, knowledge: Queries) -> Plan:
    """Return a plan that was saved; its figures are computed again by playing it.

    That no plan is better cannot be seen from a plan, so it is not `Plan.proved`, whatever the file
    says; `deduce.policy.best.best_plan` proves what the best total is.

    Parameters
    ----------
    path
        The file.
    knowledge
        What was known when the plan was made.

    Raises
    ------
    BadInput
        The file cannot be read, is damaged, is not a plan, or is one for another game or position.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from deduce.knowledge import Knowledge
    >>> from deduce.policy import best_plan
    >>> from games.mastermind import Mastermind
    >>> k = Knowledge(Mastermind(slots=2, colours=2))
    >>> with TemporaryDirectory() as folder:
    ...     best_plan(k).save(f"{folder}/plan.json")
    ...     plan = read_plan(f"{folder}/plan.json", k)
    >>> plan.total, plan.proved
    (8, False)
    """
    document, _ = read_saved(Path(path), SCHEMA)
    with placed(source=str(path)):
        return _plan_of(document, knowledge)


def _plan_of(document: Mapping[str, object], knowledge: Queries) -> Plan:
    game = knowledge.game
    named = {format_inquiry(game, asked): asked for asked in inquiries_of(knowledge, every=True)}

    def step(tree: Any, worlds: Sequence[World], depth: int = 1) -> Step:
        if depth > MAX_DEPTH:
            raise BadInput(f"a plan of more than {MAX_DEPTH} questions, one after another")
        then = tree.get("then", {}) if isinstance(tree, dict) else None
        if not isinstance(then, dict) or not isinstance(tree.get("ask"), str):
            raise BadInput(
                "a step of a plan is an object with a question, 'ask', and the steps after its "
                "answers, 'then'"
            )
        asked = tree["ask"]
        if asked not in named:
            raise BadInput(f"this is not a plan for this game: {asked!r} is not a question of it")
        inquiry = named[asked]
        parts: dict[Answer, list[World]] = {}
        for world in worlds:
            for answer, _ in answers_to(game, inquiry, world):
                parts.setdefault(answer, []).append(world)
        answers = {format_answer(game, inquiry, answer): answer for answer in parts}
        for text in then:
            if text not in answers:
                raise BadInput(
                    f"this is not a plan for this game: {text!r} is not an answer to {asked!r}"
                )
        following = [(answers[text], rest) for text, rest in then.items()]
        return Step(inquiry, {a: step(rest, parts[a], depth + 1) for a, rest in following})

    check_plain(knowledge)
    tree = document.get("plan")
    first = None if tree is None else step(tree, tuple(knowledge.worlds()))
    objective = document.get("objective")
    within = document.get("within")
    if objective not in OBJECTIVES or not (within is None or type(within) is int):
        raise BadInput("a field of the plan is missing or wrong")
    plan = plan_from(knowledge, first, objective=objective, within=within)
    if objective == "chance":
        plan = evolve(plan, bound=plan.secrets)
    elif plan.found < plan.secrets:
        raise BadInput(f"the plan finds {plan.found} of {plan.secrets} secrets")
    if within is not None and plan.worst > within:
        raise BadInput(f"the plan needs {plan.worst} questions, not at most {within}")
    figures = (plan.secrets, plan.found, plan.total, plan.worst)
    if figures != tuple(document.get(name) for name in ("secrets", "found", "total", "worst")):
        raise BadInput("the plan does not take the number of questions it states")
    return plan
