"""Ordered proofs: how every certain fact follows, one small step after the other.

>>> from deduce import Knowledge, Problem, exactly, is_, is_not
>>> hats = {name: ("red", "blue") for name in ("Ann", "Ben", "Cid")}
>>> k = Knowledge(Problem(hats, [exactly(1, [is_(name, "red") for name in hats])]))
>>> print(steps(k.tell("Ann!=red", "Ben!=red")))
1. Event 1: Ann is not red: Ann is blue.
2. Event 2: Ben is not red: Ben is blue.
3. Exactly 1 of: Ann is red, Ben is red, Cid is red. Ann is blue (event 1) \
and Ben is blue (event 2), so Cid is red.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from attrs import frozen

from deduce.constraints import Constraint, Count, Fact, opposite
from deduce.engines.core.model import Statement
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.reasoning.queries import Asker, negations
from deduce.steps.derive import Derivation
from deduce.steps.facts import Literal
from deduce.steps.words import ProofStep, Suppose, Writer
from deduce.system.display import Displayed

__all__ = [
    "Proof",
    "ProofStep",
    "Suppose",
    "check_step",
    "claims_of",
    "follows",
    "is_certain",
    "literals_of",
    "proof_of",
    "steps",
]


@frozen
class Proof(Displayed):
    """All steps in their order: each uses only claims of earlier ones, and marks.

    Parameters
    ----------
    knowledge
        What it is about.
    steps
        The steps.
    marks
        What was known before the first step.
    """

    knowledge: Knowledge
    steps: tuple[ProofStep, ...]
    marks: tuple[Fact, ...] = ()

    def __iter__(self) -> Iterator[ProofStep]:
        """Return the steps in their order."""
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def needed_for(self, claims: Iterable[Constraint]) -> Proof:
        """Return the proof with only the steps that these claims of it need.

        Raises
        ------
        BadInput
            A claim is not one of the proof.
        """
        number = {step.claim: i for i, step in enumerate(self.steps)}
        known = set(self.marks)
        waiting = []
        for claim in claims:
            if claim in number:
                waiting.append(number[claim])
            elif claim not in known:
                raise BadInput(f"not a claim of this proof: {claim}")
        needed: set[int] = set()
        while waiting:
            index = waiting.pop()
            if index not in needed:
                needed.add(index)
                used = self.steps[index].earlier
                waiting += [number[claim] for claim in used if claim in number]
        return Proof(self.knowledge, tuple(self.steps[i] for i in sorted(needed)), self.marks)


def steps(
    knowledge: Knowledge,
    *,
    marks: Sequence[Constraint | str] = (),
    claims: Sequence[Constraint | str] = (),
    check: bool = True,
    progress: Callable[[ProofStep], object] = lambda step: None,
) -> Proof:
    """Return every fact that follows, each with its cheapest justification, the cheapest first.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        Facts that count as seen already, such as those on a player's own sheet.
    claims
        Disjunctions (or facts) that are proved as well, after everything else.
    check
        Whether each step is checked by the engines of the toolkit, which know nothing of the way in
        which it was found.
    progress
        Is called with each step when it is found, before it is checked.

    Returns
    -------
    Proof
        Its claims are exactly the certain facts: a claim that a variable has a value for each
        variable of which the value is certain, and for the other variables a claim for each value
        that is excluded. What follows at once from such a claim is not claimed again.

    Raises
    ------
    BadInput
        A mark or a claim is not certain, or it is not a fact or disjunction.
    Contradiction
        There is no world.
    Undecided
        The budget is used up before it is known what follows.

    Notes
    -----
    A step by one constraint is proved cheapest by comparing all of them. A step that combines
    several is proved to combine as few as possible, and to cite as little as possible beside these
    constraints. ``cheapest`` is false where the limits of the search did not suffice for the proof.
    Cost: a position of standard Cluedo takes a few milliseconds, and up to a second where many
    constraints have to be combined.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> print(steps(k))
    1. Event 1: Ann is red.
    2. Exactly 1 of: Ann is red, Ben is red. Ann is red (event 1), so Ben is blue.
    """
    if not isinstance(knowledge, Knowledge):
        raise BadInput(f"steps lead from Knowledge, not from {knowledge!r}")
    _ = knowledge.possible()  # raises Contradiction if there is no world
    marked = _literals_of_marks(knowledge, marks)
    derivation = Derivation(knowledge, marked)
    writer = Writer(derivation)
    made = []
    for inference in derivation:
        made.append(writer.step(inference))
        progress(made[-1])
    for wanted in claims:
        claim = knowledge.claim(wanted)
        if not any(step.claim == claim for step in made):
            made.append(_conclusion(knowledge, derivation, writer, claim))
    proof = Proof(knowledge, tuple(made), tuple(writer.fact(literal) for literal in marked))
    if check:
        for step in proof:
            if not check_step(knowledge, step):
                raise AssertionError(f"a step that does not follow: {step}")
    return proof


def proof_of(knowledge: Knowledge, claim: Constraint | str, *, certain: bool = True) -> Proof:
    """Return the steps that lead to a claim, or (``certain=False``) to its opposite.

    Parameters
    ----------
    knowledge
        What is known.
    claim
        A fact or a disjunction of facts.
    certain
        Whether the claim is certain; otherwise it must be impossible.

    Raises
    ------
    BadInput
        The claim is neither a fact nor a disjunction, or it is open.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> print(proof_of(k, "Ben=blue"))
    1. Exactly 1 of: Ann is red, Ben is red. Ann is red (event 1), so Ben is blue.
    """
    wanted = knowledge.claim(claim)
    claims = [wanted]
    if not certain:
        facts = wanted.facts if isinstance(wanted, Count) else [wanted]
        claims = [opposite(fact) for fact in facts if isinstance(fact, Fact)]
    return steps(knowledge, claims=claims).needed_for(claims)


def is_certain(knowledge: Knowledge, claim: Constraint) -> bool:
    """Return whether a claim is certain; a fact is looked up in what is possible.

    Raises
    ------
    BadProblem
        It is not about this problem.
    """
    knowledge.problem.check(claim)
    if not isinstance(claim, Fact):
        return knowledge.is_certain(claim)
    return knowledge.possible()[claim.variable] <= knowledge.problem.values_of(claim)


def literals_of(knowledge: Knowledge, claim: Constraint) -> list[Literal]:
    """Return the literals that a fact states: a value, or the values that it excludes.

    A disjunction is on a sheet like other marks, but it states no literal.
    """
    if not isinstance(claim, Fact):
        return []
    model = knowledge.asker.model
    allowed = knowledge.problem.values_of(claim)
    i = model.index[claim.variable]
    mask = model.mask(allowed)
    if mask & (mask - 1) == 0 and mask:
        return [Literal(i, mask, positive=True)]
    values = [v for v in knowledge.problem.domains[claim.variable] if v not in allowed]
    return [Literal(i, 1 << model.place[value], positive=False) for value in values]


def claims_of(knowledge: Knowledge, marks: Sequence[Constraint | str]) -> list[Constraint]:
    """Return the claims that marks state; raises `BadInput` if they are not a list of claims."""
    if isinstance(marks, str) or not isinstance(marks, Iterable):
        raise BadInput(f"marks are a list of facts, not {marks!r}; for example ['Ann=red']")
    return [knowledge.claim(mark) for mark in marks]


def _literals_of_marks(knowledge: Knowledge, marks: Sequence[Constraint | str]) -> list[Literal]:
    literals: dict[Literal, None] = {}
    for claim in dict.fromkeys(claims_of(knowledge, marks)):
        if not is_certain(knowledge, claim):
            raise BadInput(f"the mark is not certain: {knowledge.say(claim)}; judge shows why")
        literals.update(dict.fromkeys(literals_of(knowledge, claim)))
    return list(literals)


def _conclusion(
    knowledge: Knowledge, derivation: Derivation, writer: Writer, claim: Constraint
) -> ProofStep:
    if not knowledge.is_certain(claim):
        raise BadInput(f"not certain: {knowledge.say(claim)}; 'why' shows a world without it")
    if isinstance(claim, Count) and (claim.low, claim.high) != (1, None):
        raise BadInput(f"steps prove facts and disjunctions, not {claim}")
    supposed: dict[Literal, None] = {}
    for fact in claim.facts if isinstance(claim, Count) else [claim]:
        if not isinstance(fact, Fact):
            raise BadInput(f"steps prove facts and disjunctions, not {claim}")
        supposed.update(dict.fromkeys(literals_of(knowledge, opposite(fact))))
    return writer.step(derivation.conclude(supposed), claim)


def check_step(knowledge: Knowledge, step: ProofStep, *, engine: str = "auto") -> bool:
    """Return whether a step follows from its events, earlier claims and rules, and no others.

    Parameters
    ----------
    knowledge
        What the step is about.
    step
        The step.
    engine
        Which engine decides.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> [check_step(k, step, engine="bits") for step in steps(k).steps]
    [True, True]
    """
    return follows(knowledge, step.claim, step.events, step.earlier, step.rules, engine=engine)


def follows(
    knowledge: Knowledge,
    claim: Constraint | None,
    events: Collection[int],
    earlier: Iterable[Constraint],
    rules: Collection[str] | None,
    *,
    engine: str = "auto",
) -> bool:
    """Return whether a claim follows from events, earlier claims and rules, and nothing else.

    Parameters
    ----------
    knowledge
        What the claim is about.
    claim
        The claim; ``None``: a contradiction.
    events
        The numbers of the events.
    earlier
        The earlier claims.
    rules
        The sentences of the rules and of the assumptions; ``None``: all of them.
    engine
        Which engine decides.

    Raises
    ------
    Undecided
        The budget is used up.
    """
    problem, model = knowledge.problem, knowledge.asker.model
    number = len(problem.rules)
    chosen: list[Statement] = [
        statement
        for rule, statement in zip(problem.rules, model.statements[:number], strict=True)
        if rules is None or str(rule) in rules
    ]
    for piece, statement in zip(problem.evidence, model.statements[number:], strict=True):
        is_cited = rules is None or str(piece) in rules if piece.event is None else False
        if is_cited or piece.event in events:
            chosen.append(statement)
    chosen += map(model.compile, earlier)
    asker = Asker(model, engine, knowledge.budget)
    against = [None] if claim is None else negations(claim)
    for one in against:
        selection = chosen if one is None else [*chosen, model.compile(one)]
        world: World | None = asker.solve_selection(selection).value
        if world is not None:
            return False
    return True
