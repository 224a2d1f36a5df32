"""What a step costs: how hard it is for a person to see, as a number that is documented.

========================================================================  =========================
justification                                                             cost
========================================================================  =========================
an event or a rule states the fact itself (a pass, a card that was seen)  1
all values of a variable but one are excluded                             2
one constraint of an event (one of three cards was shown)                 100
one table of a rule (``Where``)                                           103
one rule about a single place (one suspect is in the envelope)            102
one rule that counts more (the size of a hand)                            105
``k`` constraints together                                                100 for each of them
each earlier fact, and each event that only states a fact                 1 more
========================================================================  =========================

Stating is cheaper than excluding, excluding than one constraint, an event than a hand that has to
be counted, and one constraint than a case distinction, which needs several. Earlier facts are cited
only to the number that is needed: what an event states can be cited as that event, so that a hand
of six cards that was seen is one citation.

What matters is the order; within it, the numbers could be others. Grades of puzzles, which rest on
the same order, are compared with the effort of an independent solver in docs/benchmarks/steps.md.
"""

from __future__ import annotations

__all__ = ["COMBINED", "COUNTING", "EVENT", "GIVEN", "LAST_VALUE", "ONE_PLACE", "TABLE"]

GIVEN = 1
LAST_VALUE = 2
EVENT = 100
ONE_PLACE = 102
TABLE = 103
COUNTING = 105
COMBINED = 100
