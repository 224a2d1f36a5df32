"""What to ask: the questions of a game, their expected information, and best plans.

A game that states which questions can be asked, and how they are answered in a world, gets advice:
see `deduce.game.Questions` and `deduce.game.Rated` for its methods, and
`deduce.knowledge.Knowledge.advise` for an example.
"""

from __future__ import annotations

from deduce.system.imports import lazily

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deduce.policy.advice import UNKNOWN, Advice, Outcome, RatedInquiry
    from deduce.policy.best import NoPlan, best_plan
    from deduce.policy.joint import interchangeable
    from deduce.policy.plan import Plan, Step, read_plan

__all__ = [
    "UNKNOWN",
    "Advice",
    "NoPlan",
    "Outcome",
    "Plan",
    "RatedInquiry",
    "Step",
    "best_plan",
    "interchangeable",
    "read_plan",
]

__getattr__, __dir__ = lazily(__name__)
