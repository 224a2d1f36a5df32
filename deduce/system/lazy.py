"""Public names of a package that are imported when they are first used (PEP 562).

A package lists its public names once, as the imports in its block ``if TYPE_CHECKING:``, where type
checkers and people find them. At run time the same block is read when the first name is asked for,
so importing the package imports nothing else.

This module is imported with every such package, so it imports as little as possible: ``typing``
alone would double the time of ``import deduce``.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["imported_names", "lazily"]


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
