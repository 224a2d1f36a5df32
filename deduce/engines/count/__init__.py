"""Exact counts, marginals, joint distributions and samples: by a sweep, a search, or sets.

The sweep: after propagation the constraints that are settled are dropped, and the rest splits into
independent components (`deduce.engines.core.residue`). In each component the variables are swept in
an order that keeps few constraints open at a time (`deduce.engines.count.sweep.order`); the state
between two steps is a packed int with one counter per open constraint
(`deduce.engines.count.sweep.plan`), and a dictionary maps states to the number (or weight) of ways
to get there (`deduce.engines.count.sweep.sweep`). Forwards counts; forwards and backwards gives
every marginal at once; drawing forwards along the backward weights gives exact samples.

It is variable elimination along a path (Darwiche, *Modeling and Reasoning with Bayesian Networks*,
2009, ch. 6), with counters in place of tables. The cost grows with the number of different counter
states that are open at the same time, not with the number of worlds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily

if TYPE_CHECKING:
    from deduce.engines.count.engine import Counting

__all__ = ["Counting"]

__getattr__, __dir__ = lazily(__name__)
