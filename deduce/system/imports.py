"""How deduce is imported: public names when they are first used, and modules by their former names.

A package lists its public names once, as the imports in its block ``if TYPE_CHECKING:``, where type
checkers and people find them. At run time the same block is read when the first name is asked for
(PEP 562), so importing the package imports nothing else. Modules that moved in version 0.3 are
found by their former names for one version, with a warning. Another warning is given if the folder
of the package also has files of another project: pip mixes them without a word.

All of this runs with ``import deduce``, so it imports as little as possible: ``typing`` alone would
double the time.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

__all__ = [
    "MOVED",
    "find_moved_modules",
    "foreign_files",
    "imported_names",
    "lazily",
    "warn_of_foreign_files",
]


def lazily(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package
        The package's ``__name__``; its ``__init__.py`` has a block ``if TYPE_CHECKING:`` with the
        imports of its public names. A list ``__all__`` outside the block has all of them follow in
        ``help(package)``.

    Examples
    --------
    >>> getattr_, dir_ = lazily("deduce")
    >>> getattr_("exactly").__module__, "Knowledge" in dir_()
    ('deduce.constraints', True)
    """
    origins: dict[str, tuple[str, str]] = {}

    def get(name: str) -> Any:
        from importlib import import_module
        from importlib.util import find_spec

        if not origins:
            origins.update(imported_names(package))
        if name not in origins:
            is_module = name.isidentifier() and find_spec(f"{package}.{name}")
            hint = f"; write 'import {package}.{name}' first" if is_module else ""
            message = f"module {package!r} has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=sys.modules[package])
        module, original = origins[name]
        if module == package:
            return import_module(f"{package}.{original}")
        value = getattr(import_module(module), original)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *imported_names(package)})

    return get, names


def imported_names(package: str) -> dict[str, tuple[str, str]]:
    """Return for each name that a package imports for type checkers its module and name there.

    The imports are read from the compiled code, which is there with and without the source.
    """
    from dis import get_instructions

    found: dict[str, tuple[str, str]] = {}
    module = original = ""
    for step in get_instructions(vars(sys.modules[package])["__spec__"].loader.get_code(package)):
        if step.opname == "IMPORT_NAME":
            module = str(step.argval)
        elif step.opname == "IMPORT_FROM":
            original = str(step.argval)
        elif step.opname == "STORE_NAME" and original:
            found[str(step.argval)] = module, original
            original = ""
    return found


# Modules by their former names

MOVED = {
    "deduce.alternatives": "deduce.reasoning.alternatives",
    "deduce.caseforms": "deduce.logs.case_forms",
    "deduce.cases": "deduce.testing.cases",
    "deduce.claims": "deduce.logs.claims",
    "deduce.commands": "deduce.cli",
    "deduce.conflicts": "deduce.reasoning.conflicts",
    "deduce.distribution": "deduce.reasoning.distribution",
    "deduce.display": "deduce.system.display",
    "deduce.engines.bounds": "deduce.engines.core.bounds",
    "deduce.engines.counting": "deduce.engines.count",
    "deduce.engines.matching": "deduce.engines.solve.matching",
    "deduce.engines.model": "deduce.engines.core.model",
    "deduce.events": "deduce.logs.events",
    "deduce.exits": "deduce.cli.endings",
    "deduce.explain": "deduce.reasoning.explain",
    "deduce.face": "deduce.pages",
    "deduce.face.notebook": "deduce.pages.transports.notebook",
    "deduce.files": "deduce.system.files",
    "deduce.formats": "deduce.reasoning.formats",
    "deduce.hands": "deduce.reasoning.hands",
    "deduce.history": "deduce.logs.document",
    "deduce.jsontext": "deduce.logs.json_values",
    "deduce.jsonvalues": "deduce.logs.json_values",
    "deduce.openspiel": "deduce.gym.openspiel",
    "deduce.problemjson": "deduce.logs.problem_json",
    "deduce.queries": "deduce.reasoning.queries",
    "deduce.registry": "deduce.system.registry",
    "deduce.saved": "deduce.system.saved",
    "deduce.shapes": "deduce.problem",
    "deduce.templates": "deduce.logs.templates",
    "deduce.text": "deduce.system.text",
    "deduce.uncertainty": "deduce.reasoning.uncertainty",
    "deduce.viewpoint": "deduce.reasoning.viewpoint",
}
"""The former and the present names; of packages, with everything in them. Only names that the
documents of version 0.2 gave are here."""


class _Moved:
    """Finds a module by its former name: the module that is there now, and a warning."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is if this is its former name; ``None`` for any other name."""
        if not name.startswith("deduce."):
            return None
        first = ".".join(name.split(".", 2)[:2])
        former = name if name in MOVED else first
        if former not in MOVED:
            return None
        from importlib import import_module
        from importlib.abc import Loader
        from importlib.machinery import ModuleSpec
        from warnings import warn

        new = MOVED[former] + name.removeprefix(former)
        module = import_module(new)
        spec = module.__spec__

        class Alias(Loader):
            def create_module(self, _: ModuleSpec) -> ModuleType:
                return module

            def exec_module(self, module: ModuleType) -> None:
                module.__spec__ = spec  # the import system has written the former name there

        warn(f"{name} is called {new} since version 0.3", DeprecationWarning, stacklevel=2)
        return ModuleSpec(name, Alias())


def find_moved_modules() -> None:
    """Let ``import`` find the former names, before a module is loaded twice under two names."""
    sys.meta_path.insert(0, _Moved())


# Files of another project

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
