"""Problems in the formats of other solvers, so that an answer can be checked with another tool."""

from __future__ import annotations

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.system.text import listing

__all__ = ["FORMATS", "export"]


FORMATS = ("cpsat", "dimacs")
"""The formats: CP-SAT's text format, and DIMACS CNF."""


def export(knowledge: Knowledge | Problem, form: str = "dimacs") -> str:
    """Return a problem as text for another solver; the names of variables and values are kept.

    Both forms have exactly one solution for each world. Likelihoods (`Weigh`) and events
    that are doubted are left out: they exclude nothing.

    Parameters
    ----------
    knowledge
        What is exported: the problem of some knowledge, assumptions included, or a bare problem.
    form
        ``"dimacs"``, conjunctive normal form for SAT solvers and model counters, with the names in
        comments; or ``"cpsat"``, the text format of OR-Tools CP-SAT.

    Raises
    ------
    BadInput
        There is no such format.
    Unsupported
        The package ortools is needed and not installed.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, is_
    >>> text = export(Knowledge(Problem({"hat": ("red", "blue")})).tell(is_("hat", "red")))
    >>> print(text, end="")
    c 1 hat is red
    c 2 hat is blue
    p cnf 2 3
    c p show 1 2 0
    1 2 0
    -1 -2 0
    -2 0
    """
    if form not in FORMATS:
        raise BadInput(f"no format is called {form!r}{listing(FORMATS, form)}")
    if isinstance(knowledge, Problem):
        knowledge = Knowledge(knowledge)  # in which a doubted event excludes nothing
    if not isinstance(knowledge, Knowledge):
        raise BadInput(f"expected Knowledge or a Problem to export, not {knowledge!r}")
    if form == "cpsat":
        from deduce.engines.solve.cpsat import model_text

        return model_text(knowledge.problem)
    from deduce.engines.solve.cnf import formula_of

    return formula_of(knowledge.problem).dimacs()
