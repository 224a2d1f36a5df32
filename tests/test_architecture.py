"""What a start must not import; `make contract` looks at the imports between packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    *("ortools", "constraint", "networkx", "pandas", "numpy", "matplotlib", "joblib"),
    *("distributed", "rich", "IPython", "anywidget", "ipywidgets"),
}


@pytest.mark.parametrize(
    "start",
    [
        "import deduce",
        "import deduce.engines.solve.cpsat, deduce.engines.solve.reference",
        "import deduce.engines.choose, deduce.knowledge",
        "from deduce.cli.main import cli; cli(['--help'], standalone_mode=False)",
        "from deduce.cli.main import cli; cli(['games'], standalone_mode=False)",
    ],
)
def test_a_start_leaves_heavy_packages_alone(start: str) -> None:
    code = f"import sys\n{start}\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in run.stderr.splitlines()}
    assert "deduce" in loaded
    assert not loaded & HEAVY
