"""Exact deduction for games with hidden information, and search for games without.

>>> import deduce
>>> hats = {name: ("red", "blue") for name in ("Ann", "Ben", "Cid")}
>>> rule = deduce.exactly(1, [deduce.is_(name, "red") for name in hats])
>>> k = deduce.Knowledge(deduce.Problem(hats, [rule]))
>>> k.tell("Ann=blue").possible()["Ben"] == {"red", "blue"}
True

The names to begin with:

``Problem``, ``exactly``, ``is_``, ``is_not``, ``any_of``
    what is hidden, and the rules and facts about it
``Knowledge``
    what a viewer can know: ``tell``, ``possible``, ``certain``, ``count``, ``shares``, ``why``
``HiddenGame``
    the methods of a game of your own
``read``, ``write``
    a log file as knowledge, and back
``DeduceError``
    the base of all errors

Packages with names of their own: ``deduce.steps`` (proofs, hints, puzzles), ``deduce.policy`` (what
to ask), ``deduce.search`` (games in which nothing is hidden), ``deduce.gym`` (episodes for agents),
``deduce.audit`` (checking puzzles), ``deduce.testing`` (checking a game of your own).

``dir(deduce)`` lists the public names, which are imported when they are first used;
``help(deduce.Knowledge)`` shows one, ``deduce --help`` the commands. The manual begins with
``docs/tutorial.md``.
"""

from __future__ import annotations

from deduce.system.imports import find_moved_modules, lazily, warn_of_foreign_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deduce import search, testing
    from deduce.budget import Budget
    from deduce.constraints import (
        Constraint,
        Count,
        Difference,
        Disjoint,
        Fact,
        Logic,
        Number,
        Rows,
        Sum,
        Weigh,
        Where,
        at_least,
        at_most,
        exactly,
        is_,
        is_not,
        never,
        opposite,
    )
    from deduce.errors import (
        BadInput,
        BadProblem,
        Contradiction,
        DeduceError,
        Undecided,
        Unsupported,
    )
    from deduce.estimates import Estimate
    from deduce.game import RECORD, HiddenGame, Slip
    from deduce.knowledge import Knowledge
    from deduce.logic import (
        adjacent,
        all_of,
        any_of,
        before,
        between,
        common_knowledge,
        count_of,
        disjoint,
        does_not_know,
        iff,
        implies,
        knows,
        likelihood,
        negation,
        none_of,
        number_of,
    )
    from deduce.logs.reading import read, write
    from deduce.problem import Evidence, Instead, Problem, Rule, all_different, copies, permutation
    from deduce.reasoning.doubts import Unless
    from deduce.reasoning.explain import Why
    from deduce.reasoning.formats import export
    from deduce.reasoning.knowing import Known
    from deduce.reasoning.queries import Distribution
    from deduce.system.registry import Registration
    from deduce.timeline import (
        Timeline,
        alone_with,
        happens,
        keeps,
        move,
        moves,
        seen,
        swap,
        together,
    )

    __all__ = [
        "RECORD",
        "BadInput",
        "BadProblem",
        "Budget",
        "Constraint",
        "Contradiction",
        "Count",
        "DeduceError",
        "Difference",
        "Disjoint",
        "Distribution",
        "Estimate",
        "Evidence",
        "Fact",
        "HiddenGame",
        "Instead",
        "Knowledge",
        "Known",
        "Logic",
        "Number",
        "Problem",
        "Registration",
        "Rows",
        "Rule",
        "Slip",
        "Sum",
        "Timeline",
        "Undecided",
        "Unless",
        "Unsupported",
        "Weigh",
        "Where",
        "Why",
        "__version__",
        "adjacent",
        "all_different",
        "all_of",
        "alone_with",
        "any_of",
        "at_least",
        "at_most",
        "before",
        "between",
        "common_knowledge",
        "copies",
        "count_of",
        "disjoint",
        "does_not_know",
        "exactly",
        "export",
        "happens",
        "iff",
        "implies",
        "is_",
        "is_not",
        "keeps",
        "knows",
        "likelihood",
        "move",
        "moves",
        "negation",
        "never",
        "none_of",
        "number_of",
        "opposite",
        "permutation",
        "read",
        "search",
        "seen",
        "swap",
        "testing",
        "together",
        "write",
    ]

__version__ = "0.3.0"

__getattr__, __dir__ = lazily(__name__)
warn_of_foreign_files()
find_moved_modules()
