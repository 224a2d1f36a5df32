"""Files of another project in the folder of this package: pip mixes them without a word.

This module runs with ``import deduce``, so it imports as little as possible, and reads one file.
"""

from __future__ import annotations

import os

__all__ = ["foreign_files", "warn_of_foreign_files"]

PROJECT = "deduce-toolkit"
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPAIR = f"python -m pip uninstall deduce {PROJECT}; python -m pip install {PROJECT}"


def warn_of_foreign_files() -> None:
    """Warn if the folder of the installed package also has files of another project."""
    names = foreign_files(FOLDER)
    if names:
        from warnings import warn

        listed = ", ".join(names[:3]) + ", ..." * (len(names) > 3)
        warn(
            f"{FOLDER} has files of another project ({listed}). Both projects are called deduce "
            f"and overwrite each other, so either may fail. Keep one in each environment: {REPAIR}",
            stacklevel=2,
        )


def foreign_files(folder: str) -> list[str]:
    """Return the names in a package's folder that were not installed with it, or were replaced.

    A checkout has no record of what was installed beside it, so nothing is compared there.
    """
    site, package = os.path.split(folder)
    start = PROJECT.replace("-", "_") + "-"
    try:
        (home,) = [n for n in os.listdir(site) if n.startswith(start) and n.endswith(".dist-info")]
        with open(os.path.join(site, home, "RECORD"), encoding="utf-8") as file:
            lines = [line.split("/", 1)[1] for line in file if line.startswith(f"{package}/")]
        first = os.path.join(folder, "__init__.py")
        own = any(
            line.startswith("__init__.py,") and line.endswith(f",{os.stat(first).st_size}\n")
            for line in lines
        )
        present = sorted(name for name in os.listdir(folder) if name[:1] != ".")
    except (OSError, ValueError):
        return []
    installed = {"__pycache__", *(line.partition(",")[0].partition("/")[0] for line in lines)}
    return ["__init__.py"] * (not own) + [name for name in present if name not in installed]
