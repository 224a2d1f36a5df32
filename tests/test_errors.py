"""Every mistake at the command line is told in a line or two that say what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from deduce import Count, Knowledge, Problem, Timeline, count_of, gym, is_, likelihood, read
from deduce.cli.main import cli
from deduce.cli.numbers import Real, Seconds, Whole
from deduce.errors import BadInput, BadProblem, BrokenPlugin, DeduceError
from deduce.logs.events import read_log
from deduce.logs.problem_text import parse_problem
from deduce.search import StateGraph, alphabeta, check_game, perft, solve
from deduce.steps import hint, steps
from deduce.testing import check_hidden_game
from games.classics import Nim
from games.cluedo import Cluedo
from tests.commands import COMMANDS, context

PARAMETERS = {names: context(*names).command.params for names in COMMANDS}
NO_FILES = {
    "empty": b"",
    "binary": b"x\xff\xfe",
    "prose": b"hello world\n",
    "other.json": b'{"a": 1}\n',
    "wrong.json": b'{"game": "cluedi", "version": 1}\n',
}


def told(result: Result) -> str:
    """What a person reads of a mistake: what follows the usage, or the error raised."""
    if isinstance(result.exception, DeduceError):
        return str(result.exception)
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2, result.output
    assert "--help' for help." in result.output
    return result.output.partition("Error: ")[2].strip()


def read_by(names: tuple[str, ...]) -> tuple[list[str], int] | None:
    """The words that come before a command's file, and how many arguments there are."""
    arguments = [param for param in PARAMETERS[names] if isinstance(param, click.Argument)]
    before = {"VARIABLE": "x", "CARD": "rope", "CARD=HOLDER": "rope=Ann", "SEAT=ROLE": "2=FP"}
    words: list[str] = []
    for argument in arguments:
        if isinstance(argument.type, click.Path):
            return words, len(arguments)
        words.append(before.get(argument.metavar or "", "x"))
    return None


FILES = {names: found for names in COMMANDS if (found := read_by(names))}
MAKES = {("cluedo", "app"), ("cluedo", "play")} | {
    names for names in COMMANDS if names[1:] in (("new",), ("graph",), ("export",))
}
MAKES |= {("app",), ("site",), ("new-game",)}
"""Commands that make their file or folder; the page asks for its packages first."""
MANY = {("cases",), ("audit",)}
"""Commands that go on with their other files; their own tests are about what they print."""


def test_a_slip_in_an_option_names_the_option() -> None:
    """Each option once, by the first command that has it: games share their commands."""
    seen = set()
    for names in COMMANDS:
        for param in PARAMETERS[names]:
            long = max(param.opts, key=len)
            if isinstance(param, click.Option) and len(long) > 5 and long not in seen:
                seen.add(long)
                result = CliRunner().invoke(cli, [*names, f"{long[:-1]}x"])
                assert long in told(result), (names, result.output)
    assert len(seen) > 50


def test_every_number_is_read_by_the_strict_types() -> None:
    lax = (click.types.IntParamType, click.types.FloatParamType)
    for names, parameters in PARAMETERS.items():
        for param in parameters:
            strict = not isinstance(param.type, lax) or isinstance(param.type, Whole | Real)
            assert strict, (names, param.name)


@pytest.mark.parametrize("text", ["٣", "1_0", "nan", "inf", "1e999", "9" * 5000, "", "1²", "x"])
def test_what_is_no_number_is_refused_in_a_short_line(text: str) -> None:
    for kind in (Whole(), Whole(1, 5), Real(), Real(0, 1), Seconds()):
        with pytest.raises(click.BadParameter) as error:
            kind(text)
        assert len(error.value.message) < 100


def test_a_missing_argument_is_named() -> None:
    for names in COMMANDS[::3]:
        needed = [p for p in PARAMETERS[names] if isinstance(p, click.Argument) and p.required]
        if needed:
            (metavar,) = needed[0].get_usage_pieces(context(*names))
            assert metavar in told(CliRunner().invoke(cli, [*names])), names


@pytest.mark.parametrize("names", [(), ("cluedo",), ("search",)])
def test_a_slip_in_a_command_names_the_command(names: tuple[str, ...]) -> None:
    here = context(*names)
    assert isinstance(here.command, click.Group)
    for name in here.command.list_commands(here):
        if len(name) > 2:
            result = CliRunner().invoke(cli, [*names, f"{name}x"])
            assert f"'{name}'" in told(result).partition("id you mean")[2], result.output


def test_what_is_no_file_of_the_game_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every fifth command, with one of them in turn; the first of each game with all of them."""
    monkeypatch.chdir(tmp_path)
    for name, content in NO_FILES.items():
        Path(name).write_bytes(content)
    Path("folder").mkdir()
    every, games = [*NO_FILES, "folder", "nosuch"], set()
    for number, names in enumerate(sorted(set(FILES) - MAKES - MANY)[::5]):
        refused_in_one_line(names, every if names[0] not in games else [every[number % len(every)]])
        games.add(names[0])


def refused_in_one_line(names: tuple[str, ...], files: list[str]) -> None:
    words, _ = FILES[names]
    if names[1:] == ("judge",):
        words = [*words, "--marks", "marks.txt"]
        Path("marks.txt").touch()
    for name in files:
        result = CliRunner().invoke(cli, [*names, *words, name], input="")
        message = told(result)
        assert name in message, (names, name, message)
        assert "\n" not in message
        assert len(message) < 250
        assert isinstance(result.exception, (DeduceError, SystemExit))
        assert not result.stdout.strip()


def test_a_file_that_is_not_there_names_the_one_that_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evening.cluedo").touch()
    result = CliRunner().invoke(cli, ["cluedo", "check", "evening.clued"])
    assert told(result).endswith("did you mean 'evening.cluedo'?")
    result = CliRunner().invoke(cli, ["cluedo", "check", "x"])
    assert "deduce games --examples" in told(result)
    result = CliRunner().invoke(cli, ["cluedo", "check", "."])
    assert told(result).endswith("name a file in it")


def test_a_fact_without_a_sign_is_recognised() -> None:
    k = read("players: Ann, Ben, Cid\n")
    with pytest.raises(BadInput, match="did you mean 'billiard room=cid'"):
        k.claim("billiard room cid")


def test_a_card_of_another_deck_names_the_deck() -> None:
    with pytest.raises(BadInput, match="write 'deck: german'"):
        read("players: Ann, Ben, Cid\nAnn has gloria\n")


def test_a_broken_plugin_does_not_hide_what_is_wrong_in_a_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> None:
        raise BrokenPlugin(f"{name} cannot be loaded")

    monkeypatch.setattr("deduce.system.registry.find", broken)
    with pytest.raises(BadInput, match=r"not understood|set-up"):
        read_log("what?\n", Cluedo, source="evening.pigs")


HATS = Knowledge(Problem(dict.fromkeys(("Ann", "Ben"), ("red", "blue"))))


@pytest.mark.parametrize(
    ("call", "argument", "meant"),
    [
        (HATS.joint, ["Ann", "Ben"], "each question is an argument of its own"),
        (HATS.joint, ("Ann", "Ben"), "each question is an argument of its own"),
        (HATS.joint, None, r"there is no variable None \(Ann, Ben"),
        (HATS.seen_by, "Ann", "'Ann' cannot be the viewer: a Problem names no players"),
        (gym.make, None, "the name of a game is a text such as 'cluedo', not None"),
    ],
)
def test_a_wrong_type_in_python_is_refused_with_what_would_be_right(
    call: Callable[..., object], argument: object, meant: str
) -> None:
    with pytest.raises(DeduceError, match=meant):
        call(argument)


@pytest.mark.parametrize(
    "log",
    ["cluedo/examples/evening.cluedo", "mastermind/examples/evening.mastermind",
     "examples/afternoon.battleship", "examples/faces.table", "examples/night.planet-x"],
)  # fmt: skip
def test_advice_about_what_is_not_a_question_shows_one(log: str) -> None:
    knowledge = read(Path("games", log))
    with pytest.raises(BadInput, match="not a question that can be asked now: 'x'; for example"):
        knowledge.advise(["x"])


def test_a_message_about_a_long_rule_leaves_out_its_middle() -> None:
    with pytest.raises(BadProblem) as error:
        Count([is_("x", 1)] * 5000, "a", 3)  # type: ignore[arg-type]
    assert len(str(error.value)) < 500
    assert str(error.value).startswith("the bounds of a Count are whole numbers, not 'a'")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (lambda k: k.is_certain("red=Ann"), "the variable comes first: Ann=red"),
        (lambda k: k.joint("Dan"), r"there is no variable 'Dan' \(Ann, Ben\)"),
        (lambda k: k.tell(is_("Ann", "green")), r"'Ann' can never be 'green' \(red, blue\)"),
        (lambda k: hint(k, "Ann=red"), r"for example \['Ann=red'\]"),
        (lambda k: k.tell("Ann=red").certain()["Ben"], "Ben is not among them"),
        (
            lambda k: alphabeta("nim"),  # type: ignore[arg-type]
            "not a game or a graph: 'nim'",
        ),
        (lambda k: k.joint("Ann")["red"], r"such as \('red',\)"),
        (lambda k: solve(Nim((1, 2)), limits=5), r"Limits\(nodes=1000\)"),  # type: ignore[arg-type]
        (lambda k: StateGraph(5), "not a game or a graph: 5"),  # type: ignore[arg-type]
        (lambda k: likelihood({"Ann": ["red"]}, 3), "is a function"),  # type: ignore[arg-type]
        (lambda k: Timeline(k.problem).now("Dan"), r"no place 'Dan' after step 0 \(Ann, Ben\)"),
        (lambda k: Timeline({"Ann": (1,)}), "begins with a Problem"),  # type: ignore[arg-type]
        (lambda k: steps(5), "lead from Knowledge"),  # type: ignore[arg-type]
        (lambda k: hint(k, 5), "marks are a list"),  # type: ignore[arg-type]
        (lambda k: perft(Nim((1, 2)), "a"), "a whole number from 0 on"),  # type: ignore[arg-type]
        (lambda k: count_of([is_("Ann", "red")], 2, 1), "not 2 to 1"),
        (lambda k: check_hidden_game(Cluedo), "is a class; make a set-up of it"),
        (lambda k: check_game(k), "not a game or a graph"),
        (lambda k: k.advise(), "in a Problem nothing can be asked"),
        (lambda k: parse_problem("domains\n cat day: 1 to 4"), "written in quotes"),
        (lambda k: parse_problem("domains\n a: 1..4"), "a range as 1 to 4"),
        (lambda k: parse_problem("domains\n a: 4 to 1"), "not a range, such as 1 to 4"),
        (lambda k: parse_problem("domains\n a: 1 to 2\nclues\n a is 3"), r"be 3 \(1, 2\)"),
        (lambda k: parse_problem("domains\n a, b: 1 to 2\nclues\n a is b"), "a with b"),
    ],
)
def test_a_wrong_call_names_what_would_be_right(wrong: Callable[..., object], right: str) -> None:
    k = Knowledge(Problem({"Ann": ("red", "blue"), "Ben": ("red", "blue")}))
    with pytest.raises((DeduceError, KeyError), match=right):
        wrong(k)
