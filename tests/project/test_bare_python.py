"""Without ortools and python-constraint the core and its own engines do all the work."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


def bare(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", BARE + code],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_every_query_is_answered() -> None:
    done = bare(
        """
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
print("answered")
"""
    )
    assert done.stderr == ""
    assert done.stdout == "answered\n"


def test_the_conformance_check_runs_with_the_engines_that_are_there() -> None:
    done = bare(
        """
from deduce.testing import check_hidden_game
from tests.project.hats import Hats
print(check_hidden_game(Hats(("Ann", "Ben", "Cid")), deals=2).undecided)
"""
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize(
    ("name", "package"), [("cpsat", "ortools"), ("reference", "python-constraint2")]
)
def test_an_engine_that_is_not_there_says_so_by_name(name: str, package: str) -> None:
    done = bare(
        f"""
from deduce.errors import Unsupported
from deduce.knowledge import Knowledge
from deduce.problem import Problem
k = Knowledge(Problem({{"a": (1, 2)}}), engine={name!r})
try:
    k.possible()
except Unsupported as error:
    print(error)
"""
    )
    assert done.stdout == (
        f"the engine {name!r} needs {package}, which is not installed here: "
        f"python -m pip install {package}\n"
    )
