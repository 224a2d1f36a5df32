"""What a plan is made for: the secrets, the questions, and the table of answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.budget import UNLIMITED, Meter
from deduce.constraints import Weigh
from deduce.errors import BadInput, Contradiction, Unsupported, missing_package
from deduce.game import HiddenGame, Questions, Rated, hook
from deduce.policy.inquiries import Answer, Inquiry, answers_to, ends, inquiries_of
from deduce.problem import World
from deduce.system.arrays import has_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.reasoning.queries import Queries

    Table: TypeAlias = NDArray[np.uint8]
    Numbers: TypeAlias = NDArray[np.integer[Any]]

__all__ = [
    "MAX_ENTRIES",
    "Task",
    "check_distinct",
    "check_plain",
    "ending",
    "entries_of",
    "tabulate",
    "task_of",
]

MAX_ENTRIES = 200_000_000
"""How many answers a table may have: one byte each."""

MAX_ANSWERS = 255

PART = 2_000_000
"""About this number of answers is tabulated between two looks at the meter."""


@frozen(eq=False)
class Task:
    """A game of questions in which every answer is determined by the secret.

    Parameters
    ----------
    game
        Formats questions and answers.
    worlds
        The secrets, all equally likely.
    inquiries
        The questions, which can be asked at any time.
    answers
        The answers.
    table
        The index of the answer to each question (row) for each secret (column).
    final
        The index of the answer that ends the game, such as "all right"; ``None``: the game ends
        when the secret is certain.
    """

    game: HiddenGame
    worlds: Sequence[World]
    inquiries: tuple[Inquiry, ...]
    answers: tuple[Answer, ...]
    table: Table
    final: int | None

    def alike_after(self) -> Callable[[tuple[int, ...]], Numbers] | None:
        """Return a function from questions that were asked to a number for each question.

        Questions with the same number are alike, so that one of them needs to be examined.
        """
        method = hook(self.game, Rated.alike_after)
        if method is None:
            return None

        def numbers(asked: tuple[int, ...]) -> Numbers:
            result: Numbers = method([self.inquiries[i] for i in asked], self.inquiries)
            return result

        return numbers


def task_of(knowledge: Queries, meter: Meter = UNLIMITED) -> Task:
    """Return the task of finding the secret of a game, from what is known of it.

    Parameters
    ----------
    knowledge
        Of a game with ``inquiries`` and ``answer`` (see `deduce.game.HiddenGame`), whose answers
        are determined by the world. The questions that can be asked now can be asked at any time.
    meter
        Is looked at while the answers are tabulated.

    Raises
    ------
    Unsupported
        An answer depends on a player's choice, worlds have different weights, there are too many
        of them, or numpy is missing.
    BadInput
        Some worlds cannot be distinguished by any questions.
    Contradiction
        No world is possible.
    Undecided
        The budget ran out.
    """
    check_plain(knowledge)
    inquiries = inquiries_of(knowledge, every=True)
    if entries_of(knowledge) > MAX_ENTRIES:
        raise Unsupported(
            f"{knowledge.count():,} worlds and {len(inquiries):,} questions are too many for a "
            f"plan that is searched ({MAX_ENTRIES:,} answers at most)"
        )
    task = tabulate(knowledge.game, inquiries, tuple(knowledge.worlds()), meter)
    _check_lasting(knowledge, task)
    check_distinct(task.table, task.final)
    return task


def entries_of(knowledge: Queries) -> int:
    """Return how many answers a table of all questions and secrets has."""
    return knowledge.count() * max(1, len(inquiries_of(knowledge, every=True)))


def check_plain(knowledge: Queries) -> None:
    """Refuse worlds of different weights, no world, and Python without numpy, as `task_of`."""
    if not has_arrays():
        raise missing_package("a plan", "numpy")
    if any(isinstance(constraint, Weigh) for constraint in knowledge.problem.constraints()):
        raise Unsupported("plans need worlds that are equally likely; these have weights")
    if not knowledge.count():
        raise Contradiction


def tabulate(
    game: HiddenGame,
    inquiries: Sequence[Inquiry],
    worlds: Sequence[World],
    meter: Meter,
    ends_of: Callable[[Sequence[Answer]], NDArray[np.bool_]] | None = None,
) -> Task:
    """Return a task of some questions about some worlds; `Unsupported` and `Undecided` as there.

    ``ends_of`` returns what `ending` does, from the answers, where that is remembered.
    """
    import numpy as np

    given, codes = _tabulated(game, inquiries, worlds, meter)
    answers = list(given)
    if len(answers) > MAX_ANSWERS:
        raise Unsupported(f"{len(answers)} different answers are too many for a plan")
    table = np.array(codes, dtype=np.uint8).reshape(len(inquiries), len(worlds))
    final = _mark_ends(answers, table, (ends_of or partial(ending, game, inquiries))(given))
    return Task(game, worlds, tuple(inquiries), tuple(answers), table, final)


def _check_lasting(knowledge: Queries, task: Task) -> None:
    """Refuse a game in which an answer brings questions that could not be asked before.

    The question with the most answers is tried.
    """
    game, log = knowledge.game, knowledge.log
    inquiries, answers, table = task.inquiries, task.answers, task.table
    asks, event = hook(game, Questions.inquiries), hook(game, Questions.event_of)
    if asks is None or event is None or not inquiries:
        return
    rows = [sorted(set(row.tolist())) for row in table]
    row = max(range(len(rows)), key=lambda i: len(rows[i]))
    for answer in (answers[code] for code in rows[row]):
        if not ends(game, inquiries[row], answer):
            after = asks([*log, event(inquiries[row], answer)], knowledge.viewer)
            if not set(after) <= set(inquiries):
                raise Unsupported(
                    "a plan needs questions that could be asked from the start; here an answer "
                    "brings others"
                )


def ending(
    game: HiddenGame, inquiries: Sequence[Inquiry], answers: Sequence[Answer]
) -> NDArray[np.bool_]:
    """Return for each question (row) and answer (column) whether the answer ends the game."""
    import numpy as np

    if hook(game, Questions.ends) is None:
        return np.zeros((len(inquiries), len(answers)), dtype=np.bool_)
    return np.array([[ends(game, inquiry, answer) for answer in answers] for inquiry in inquiries])


def _mark_ends(answers: list[Answer], table: Table, ending: NDArray[np.bool_]) -> int | None:
    """Return the index of the answer that ends the game; ``None``: no answer does.

    If an answer ends the game after some questions only, it gets a second index there.
    """
    import numpy as np

    codes = [
        code
        for code in np.flatnonzero(ending.any(axis=0)).tolist()
        if (ending[:, code] & (table == code).any(axis=1)).any()
    ]
    if not codes:
        return None
    final: int
    final, *others = codes
    if others:
        raise Unsupported("more than one answer ends the game")
    if (~ending[:, final] & (table == final).any(axis=1)).any():
        table[ending[:, final, None] & (table == final)] = len(answers)
        answers.append(answers[final])
        return len(answers) - 1
    return final


def _tabulated(
    game: HiddenGame, inquiries: Sequence[Inquiry], worlds: Sequence[World], meter: Meter
) -> tuple[Sequence[Answer], Numbers]:
    """Return all answers that are given, and the index of the answer to each question.

    True to one question and 1 to another, though equal, are two: a game may ask which one it is.
    """
    import numpy as np

    numbers: dict[tuple[bool, Answer], int] = {}
    rows: list[Any] = []
    answer_table = hook(game, Rated.answer_table)
    if answer_table is not None:
        size = max(1, PART // len(worlds))
        for start in range(0, len(inquiries), size):
            meter.check()
            answers, codes = answer_table(inquiries[start : start + size], worlds)
            mine = np.zeros(len(answers), np.int64)
            for given in np.unique(codes).tolist():
                answer = answers[given]
                mine[given] = numbers.setdefault((type(answer) is bool, answer), len(numbers))
            rows.append(mine[codes])
        return tuple(answer for _, answer in numbers), np.concatenate(rows)
    for inquiry in inquiries:
        meter.check()
        given = [answers_to(game, inquiry, world) for world in worlds]
        if any(len(shares) > 1 for shares in given):
            raise Unsupported(f"the answer to {inquiry!r} is a player's choice, not determined")
        own: dict[Answer, Answer] = {}
        of_worlds = [own.setdefault(answer, answer) for ((answer, _),) in given]
        rows.append([numbers.setdefault((type(a) is bool, a), len(numbers)) for a in of_worlds])
    return tuple(answer for _, answer in numbers), np.array(rows, dtype=np.int64)


def check_distinct(table: Table, final: int | None) -> None:
    """Refuse secrets that no questions distinguish, or that no question gets the last answer."""
    columns = {table[:, i].tobytes() for i in range(table.shape[1])}
    if len(columns) < table.shape[1] and table.shape[1] > 1:
        raise BadInput("some worlds get the same answers to all questions: no plan finds them")
    if final is not None and not ((table == final).any(axis=0)).all():
        raise BadInput("for some worlds no question gets the answer that ends the game")
