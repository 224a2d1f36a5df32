"""Old names of modules work for one version, with a warning."""

import sys
from importlib import import_module

import pytest
from click.testing import CliRunner

from deduce.cli.main import cli
from deduce.system.imports import MOVED
from deduce.system.registry import Registration
from games.cluedo import DECKS, Cluedo
from games.cluedo.players.tournament import find_player
from games.pigs import Pigs
from games.quartets import Quartets

OLD = dict.fromkeys(("pigs", "quartets"), ("seed", "literal")) | {"cluedo": ("seed", "console")}


@pytest.mark.parametrize("old", [*MOVED, "deduce.commands.output", "deduce.face.html"])
def test_an_old_name_is_the_module_with_a_warning(old: str) -> None:
    was = max((name for name in MOVED if old.startswith(name)), key=len)
    new = MOVED[was] + old.removeprefix(was)
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=" is called ") as warned:  # its package may too
        module = import_module(old)
    assert str(warned[-1].message).startswith(f"{old} is called {new}")
    assert module is import_module(new)
    assert module.__spec__ is not None
    assert module.__spec__.name == new


def test_other_names_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("deduce.faces")


def test_values_that_have_new_names_work_by_the_former_ones() -> None:
    assert Cluedo.parse_log("deck: seed\nplayers: Ann, Ben").game.deck == DECKS["console"]
    assert DECKS["seed"] == DECKS["console"]
    assert "seed" not in list(DECKS)
    assert find_player("seed") is find_player("console")
    assert Pigs(3, rule_set="seed") == Pigs(3, rule_set="literal")  # type: ignore[arg-type]
    assert Pigs.parse_log("pigs 3\nrules seed").game.rule_set == "literal"
    head = "quartets\nplayers: Ann, Ben, Cid\ngroups: 3 of 3\npreset: {}"
    before, now = (Quartets.parse_log(head.format(name)) for name in ("seed", "literal"))
    assert before == now
    deal = CliRunner().invoke(cli, ["pigs", "deal", "--players", "3"]).output
    for command in (["pigs", "simulate", "--rules"], ["quartets", "new", "--preset"],
                    ["cluedo", "new", "--players", "Ann,Ben", "--deck"]):  # fmt: skip
        old, new = (CliRunner().invoke(cli, [*command, name], deal) for name in OLD[command[0]])
        assert (old.exit_code, old.output) == (new.exit_code, new.output), old.output
        assert new.exit_code == 0


def test_a_registration_may_still_name_its_face() -> None:
    with pytest.warns(DeprecationWarning, match="is called page"):
        entry = Registration("hats", "", face="hats:page")
    assert entry == Registration("hats", "", page="hats:page")
