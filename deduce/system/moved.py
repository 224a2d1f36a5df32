"""Modules that moved in version 0.3: their old names work for one version, with a warning.

Only names that the documents of version 0.2 gave are here; those of the packages `deduce`,
`deduce.policy`, `deduce.steps`, `deduce.search` and `deduce.testing` have not changed.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

__all__ = ["MOVED", "find_moved_modules"]

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
    "deduce.exits": "deduce.cli.exits",
    "deduce.explain": "deduce.reasoning.explain",
    "deduce.face": "deduce.pages",
    "deduce.files": "deduce.system.files",
    "deduce.formats": "deduce.reasoning.formats",
    "deduce.hands": "deduce.reasoning.hands",
    "deduce.history": "deduce.logs.history",
    "deduce.jsonvalues": "deduce.logs.json_values",
    "deduce.openspiel": "deduce.gym.openspiel",
    "deduce.problemjson": "deduce.logs.problem_json",
    "deduce.queries": "deduce.reasoning.queries",
    "deduce.jsontext": "deduce.logs.json_values",
    "deduce.registry": "deduce.system.registry",
    "deduce.saved": "deduce.system.saved",
    "deduce.shapes": "deduce.problem",
    "deduce.templates": "deduce.logs.templates",
    "deduce.text": "deduce.system.text",
    "deduce.uncertainty": "deduce.reasoning.uncertainty",
    "deduce.viewpoint": "deduce.reasoning.viewpoint",
}
"""The old and the new names; of packages, with everything in them."""


class _Moved:
    """Finds a module by its old name: the module that is there now, and a warning."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is by its new name, or ``None`` for any other."""
        if not name.startswith("deduce."):
            return None
        first = ".".join(name.split(".", 2)[:2])
        old = name if name in MOVED else first
        if old not in MOVED:
            return None
        from importlib import import_module
        from importlib.abc import Loader
        from importlib.machinery import ModuleSpec
        from warnings import warn

        new = MOVED[old] + name.removeprefix(old)
        module = import_module(new)
        spec = module.__spec__

        class Alias(Loader):
            def create_module(self, _: ModuleSpec) -> ModuleType:
                return module

            def exec_module(self, module: ModuleType) -> None:
                module.__spec__ = spec  # the import system has written the old name there

        warn(f"{name} is called {new} since version 0.3", DeprecationWarning, stacklevel=2)
        return ModuleSpec(name, Alias())


def find_moved_modules() -> None:
    """Let ``import`` find the old names, before a module is loaded twice under two names."""
    sys.meta_path.insert(0, _Moved())
