"""Old names of modules work for one version, with a warning."""

from importlib import import_module

import pytest

from deduce.system.moved import MOVED
from deduce.system.registry import Registration


@pytest.mark.parametrize("old", [*MOVED, "deduce.commands.output", "deduce.face.html"])
def test_an_old_name_is_the_module_with_a_warning(old: str) -> None:
    new = next(new + old.removeprefix(was) for was, new in MOVED.items() if old.startswith(was))
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new}"):
        module = import_module(old)
    assert module is import_module(new)
    assert module.__spec__ is not None
    assert module.__spec__.name == new


def test_other_names_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("deduce.faces")


def test_a_registration_may_still_name_its_face() -> None:
    with pytest.warns(DeprecationWarning, match="is called page"):
        entry = Registration("hats", "", face="hats:page")
    assert entry == Registration("hats", "", page="hats:page")
