"""Without ortools and python-constraint the core and its own engines do all the work."""

from __future__ import annotations

import subprocess
import sys

BARE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"ortools", "constraint"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())

import importlib.util
find_spec = importlib.util.find_spec
def hidden(name, package=None):
    try:
        return find_spec(name, package)
    except ModuleNotFoundError:
        return None
importlib.util.find_spec = hidden
"""


QUERIES = """
from deduce.constraints import is_
from deduce.knowledge import Knowledge
from games.cluedo.events import Hand, Suggestion, Show
from games.cluedo import Cluedo

game = Cluedo(players=("Ann", "Ben", "Cid"), me="Ann")
k = Knowledge(game, [Suggestion("Ann", ("Mrs White", "Rope", "Hall"), ("Ben", "Cid"), ())])
k = k.tell(Suggestion("Ben", ("Mrs White", "Dagger", "Study"), (), (Show("Cid"),)))
assert k.is_consistent()
assert k.count() > 0
assert k.possible()["Rope"] == {"Ann", "envelope"}
assert 0 < k.posterior()["Rope"]["envelope"] < 1
assert k.joint("Rope", "Hall").entropy() > 0
assert len(k.sample(3, seed=1)) == 3
assert next(k.worlds())
assert k.why(is_("Mrs White", "Ben")).verdict == "impossible"
assert k.assume(is_("Rope", "Ben")).contradiction().repairs

from deduce.errors import Unsupported
from deduce.problem import Problem
from deduce.testing import check_hidden_game
from tests.project.hats import Hats

print(check_hidden_game(Hats(("Ann", "Ben", "Cid")), deals=2).undecided)
for name in ("cpsat", "reference"):
    try:
        Knowledge(Problem({"a": (1, 2)}), engine=name).possible()
    except Unsupported as error:
        print(error)
"""


def test_every_query_is_answered_and_a_missing_engine_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BARE + QUERIES],
        capture_output=True,
        text=True,
        timeout=120,
    )
    packages = {"cpsat": "ortools", "reference": "python-constraint2"}
    assert (done.stderr, done.stdout.splitlines()) == ("", [
        "0",
        *(f"the engine {name!r} needs {package}, which is not installed here: "
          f"python -m pip install {package}" for name, package in packages.items()),
    ])  # fmt: skip
