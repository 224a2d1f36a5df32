r"""What a tool of `deduce.audit.server` answers: one question about one document, as JSON.

A document is the text of a problem, or of a log whose game is named. ``deduce.audit.tools`` as a
program answers one request on its standard input, under limits that the operating system keeps, so
a question can neither take longer nor more memory than it may, nor harm the server.

>>> hats = "domains\n  Ann, Ben: red, blue\nclues\n  exactly 1 of: Ann is red, Ben is red\n"
>>> respond({"tool": "probability", "text": hats, "claim": "Ann=red"})
{'claim': 'Ann is red', 'probability': '1/2', 'worlds': '2'}
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from math import ceil
from time import process_time
from typing import Any

from deduce.audit.audited import audit
from deduce.audit.items import items_of
from deduce.budget import Budget
from deduce.errors import BadInput, DeduceError
from deduce.knowledge import Knowledge
from deduce.logs.claims import parse_viewer
from deduce.logs.events import read_log
from deduce.show.jsonable import number_json, why_json
from deduce.system import registry
from deduce.system.text import name_of

__all__ = ["TOOLS", "respond"]

Request = Mapping[str, Any]
Answer = dict[str, Any]

MAX_ANSWER = 1 << 20
"""Characters of an answer."""

MAX_QUESTIONS = 10
"""Questions of advice that an answer lists."""


def knowledge_of(request: Request) -> Knowledge:
    """Return the knowledge of a document, as the viewer that the request names sees it.

    Raises
    ------
    BadInput
        The document cannot be read, the game is not installed, or it has no such player.
    """
    budget = Budget(seconds=request.get("seconds", 10.0))
    game = request.get("game")
    if not game:
        items = list(items_of(request["text"], "problem"))
        if len(items) != 1:
            raise BadInput(f"expected one problem, found {len(items)}; audit takes several")
        return Knowledge(items[0].problem).using(budget=budget)
    log = read_log(request["text"], registry.load(hidden_game(game).hidden))
    found = Knowledge.of(log, budget=budget)
    viewer = request.get("viewer")
    return found.seen_by(parse_viewer(found.game, viewer)) if viewer else found


def hidden_game(name: str) -> registry.Registration:
    """Return an installed game in which something is hidden, by its exact name.

    Raises
    ------
    BadInput
        There is none.
    """
    hidden = [entry.name for entry in registry.games() if entry.hidden]
    if name not in hidden:
        raise BadInput(
            f"no game with something hidden is called {name!r}; installed are {', '.join(hidden)}"
        )
    return registry.find(name)


def certain(request: Request) -> Answer:
    """Return what is certain, and what each other variable may be; or the conflict."""
    k = knowledge_of(request)
    if not k.is_consistent():
        return {"consistent": False, "contradiction": why_json(k.contradiction())}
    possible = k.possible()
    known = {name_of(v): name_of(*left) for v, left in possible.items() if len(left) == 1}
    undetermined = {
        name_of(v): [name_of(value) for value in k.problem.domains[v] if value in left]
        for v, left in possible.items()
        if len(left) > 1
    }
    return {"consistent": True, "certain": known, "possible": undetermined}


def why(request: Request) -> Answer:
    """Return the fewest events that prove or refute a claim, and how it follows step by step."""
    from deduce.steps.proof import proof_of

    k = knowledge_of(request)
    found = k.why(request["claim"])
    answer: Answer = why_json(found)
    if found.verdict in ("certain", "impossible"):
        proof = proof_of(k, k.claim(request["claim"]), certain=found.verdict == "certain")
        answer["proof"] = [step.text for step in proof]
    return answer


def probability(request: Request) -> Answer:
    """Return the exact probability of a claim, and the number of worlds."""
    k = knowledge_of(request)
    claim = k.claim(request["claim"])
    return {
        "claim": k.say(claim),
        "probability": number_json(k.probability(claim)),
        "worlds": str(k.count()),
    }


def advise(request: Request) -> Answer:
    """Return the questions that can be asked now, the most informative first."""
    from deduce.policy.show import advice_json

    return advice_json(knowledge_of(request).advise(), MAX_QUESTIONS)


def audit_problems(request: Request) -> Answer:
    """Return what `deduce audit` finds about the puzzles of a text."""
    found = [audit(item) for item in items_of(request["text"], "text")]
    faulty = sum(one.is_faulty for one in found)
    return {"items": [one.to_json() for one in found], "faulty": faulty}


def puzzle(request: Request) -> Answer:
    """Return a puzzle of an installed game: its log, its answers, and the steps to them."""
    from deduce.steps.puzzle import make_puzzle
    from deduce.steps.show import answers_json

    game = registry.load(hidden_game(request["game"]).hidden)
    made = make_puzzle(game, seed=request["seed"], grade=request["grade"])
    steps = [step.text for step in made.proof]
    return {
        "log": made.text,
        "answers": answers_json(made),
        "grade": made.grade.level,
        "steps": steps,
    }


TOOLS: Mapping[str, Callable[[Request], Answer]] = {
    "certain": certain,
    "why": why,
    "probability": probability,
    "advise": advise,
    "audit": audit_problems,
    "puzzle": puzzle,
}
"""The name of each tool -> what answers it."""


def respond(request: Request) -> Answer:
    """Return the answer to a request, or ``{"error": ...}`` with what is wrong and where."""
    try:
        return TOOLS[request["tool"]](request)
    except DeduceError as error:
        return {"error": str(error), "kind": type(error).__name__}
    except RecursionError:
        return {"error": "the text is nested too deeply", "kind": "BadInput"}
    except MemoryError:
        return {"error": "not decided within the memory of a question", "kind": "Undecided"}


def main() -> None:
    """Answer the request on standard input, within its limits of processor time and memory."""
    request = json.load(sys.stdin)
    try:
        import resource
    except ImportError:  # not on Windows: there only the clock of the server limits
        pass
    else:
        seconds = ceil(process_time() + request["seconds"]) + 1  # what was loaded is not counted
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    text = json.dumps(respond(request))
    if len(text) > MAX_ANSWER:
        error = f"the answer has {len(text)} characters; ask about a smaller document"
        text = json.dumps({"error": error, "kind": "Undecided"})
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
