"""Public names of a package that are imported when they are first used (PEP 562).

This module is imported with every package that has such names, so it imports as little as can be:
``typing`` alone would double the time of ``import deduce``.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

__all__ = ["lazily"]


def lazily(
    package: str, names: Mapping[str, Sequence[str]], modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package
        The package's ``__name__``.
    names
        The public names that each module defines.
    modules
        Submodules and subpackages that are public themselves.

    Examples
    --------
    >>> getattr_, dir_ = lazily("deduce", {"deduce.text": ["plural"]})
    >>> getattr_("plural")(2, "card")
    '2 cards'
    """
    module_of = {name: module for module, listed in names.items() for name in listed}

    def get(name: str) -> Any:
        from importlib import import_module

        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names_of_package() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of, *modules})

    return get, names_of_package
