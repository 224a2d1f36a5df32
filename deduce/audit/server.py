"""A tool for agents: the Model Context Protocol over standard input and output (``deduce mcp``).

The server keeps documents, which are texts, and answers nothing itself: each question runs in a
process of its own (`deduce.audit.tools`), which may use so much time and memory and no more. Files
are read and written only in a folder that the user named, and no game is loaded by its path.

Source: the specification of the protocol, https://modelcontextprotocol.io; its official package.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any

import click

import deduce
from deduce.cli.numbers import Seconds, Whole
from deduce.errors import BadInput, Unsupported
from deduce.logs.problem_text import SECTIONS
from deduce.system import registry
from deduce.system.files import replace_file

if TYPE_CHECKING:
    from mcp.server import MCPServer

__all__ = ["Desk", "mcp_command", "server_of"]

MAX_TEXT = 256 * 1024
"""Characters of a document."""

MAX_DOCUMENTS = 256
"""Documents that are kept at a time."""

MAX_PROCESSES = 4
"""Questions that are answered at a time; others wait."""

Answer = dict[str, Any]


class Desk:
    """The documents of one agent, and the tools that it may use on them.

    Every method returns plain data, and ``{"error": ...}`` with what is wrong and where for a
    request that cannot be answered; such a request changes nothing.

    Parameters
    ----------
    folder
        Where files may be read and written; ``None``: nowhere.
    seconds, memory
        Limits of one question, in seconds and in bytes.
    """

    def __init__(
        self, folder: Path | None = None, *, seconds: float = 10.0, memory: int = 2 << 30
    ) -> None:
        self.folder = folder and folder.resolve()
        self.seconds, self.memory = seconds, memory
        self._documents: dict[str, tuple[str, str]] = {}
        self._changing = Lock()  # hosts call tools at the same time
        self._places = BoundedSemaphore(MAX_PROCESSES)

    # The tools: their docstrings are what an agent reads about them.

    def start(self, text: str = "", game: str = "", file: str = "") -> Answer:
        """Begin with a problem (no game) or with the log of a game; returns an id for other tools.

        A problem as text has the sections domains, rules and clues, for example "domains", then
        "  Ann, Ben: red, blue", then "clues", then "  if Ann is red then Ben is red"; words: is,
        is not, and, or, not, if ... then ..., iff, exactly 2 of: ..., all different: ..., before,
        next to. A problem in JSON, a formula in DIMACS CNF or a sudoku of 81 digits is also read.
        A log begins with its set-up, such as "players: Ann, Ben, Cid" for the game cluedo, and has
        an event on each line. With file, the text is read from the user's folder.
        """
        try:
            if file:
                path = self._path(file)
                if not path.is_file() or path.stat().st_size > 4 * MAX_TEXT:
                    raise BadInput(f"no file of at most {MAX_TEXT} characters", source=file)
                text = path.read_text(encoding="utf-8")
            with self._changing:
                if len(self._documents) >= MAX_DOCUMENTS:
                    return {"error": f"there are {MAX_DOCUMENTS} documents; no more can be kept"}
                return self._keep(f"d{len(self._documents) + 1}", game, text)
        except (OSError, ValueError, BadInput) as error:
            return {"error": str(error)}

    def tell(self, id: str, line: str) -> Answer:
        """Add a clue to a problem or an event to a log; returns what is certain afterwards."""
        if id not in self._documents:
            return self._unknown(id)
        stated = line.strip()
        if len(stated.splitlines()) != 1 or stated in SECTIONS or stated.startswith("#"):
            return {"error": "expected one clue or event on one line"}
        with self._changing:
            game, text = self._documents[id]
            if not game and not re.search(r"(?m)^domains[ \t]*$", text):
                return {"error": "clues are added to a problem as text, not to JSON or a sudoku"}
            longer = text.rstrip("\n") + f"\n{line}\n" if game else add(text, line)
            return self._keep(id, game, longer)

    def certain(self, id: str, viewer: str = "") -> Answer:
        """List what is certain and what is possible; viewer: a player of the game, or public."""
        return self._ask(id, "certain", viewer=viewer)

    def why(self, id: str, claim: str, viewer: str = "") -> Answer:
        """Prove or refute a claim such as Ann=red by the fewest clues, with a proof by steps."""
        return self._ask(id, "why", claim=claim, viewer=viewer)

    def probability(self, id: str, claim: str, viewer: str = "") -> Answer:
        """Compute the exact probability of a claim, and how many worlds are possible."""
        return self._ask(id, "probability", claim=claim, viewer=viewer)

    def advise(self, id: str, viewer: str = "") -> Answer:
        """Rank the questions that can be asked now in a game, by their expected information."""
        return self._ask(id, "advise", viewer=viewer)

    def audit(self, text: str) -> Answer:
        """Check a puzzle with its stated answer: solutions, faults, redundant clues, grade."""
        return self._run({"tool": "audit", "text": text})

    def puzzle(self, game: str, grade: int | None = None, seed: int = 0) -> Answer:
        """Make a puzzle of an installed game with a unique answer; grades are 1 to 5."""
        return self._run({"tool": "puzzle", "game": game, "grade": grade, "seed": seed})

    def save(self, id: str, file: str) -> Answer:
        """Write a document to a file in the user's folder."""
        if id not in self._documents:
            return self._unknown(id)
        try:
            path = self._path(file)
            if path.exists() and not path.is_file():  # writing to a pipe would wait for a reader
                raise BadInput("this is not a regular file", source=file)
            replace_file(path, self._documents[id][1])
        except (OSError, ValueError, BadInput) as error:
            return {"error": str(error)}
        return {"saved": file}

    def _keep(self, name: str, game: str, text: str) -> Answer:
        """Keep a document if it can be read; return what is certain in it, if that is decided."""
        found = self._run({"tool": "certain", "text": text, "game": game})
        if "error" in found and found.get("kind") != "Undecided":
            return found
        self._documents[name] = (game, text)
        return {"id": name} | found

    def _ask(self, name: str, tool: str, **asked: str) -> Answer:
        if name not in self._documents:
            return self._unknown(name)
        game, text = self._documents[name]
        return self._run({"tool": tool, "game": game, "text": text} | asked)

    def _unknown(self, name: str) -> Answer:
        known = ", ".join(self._documents) or "none; begin with start"
        return {"error": f"no document has the id {name!r}; there are: {known}"}

    def _path(self, file: str) -> Path:
        """Return the path of a file in the user's folder.

        Raises
        ------
        BadInput
            There is no such folder, or the file would be outside of it.
        """
        if self.folder is None:
            raise BadInput("no folder for files was given (deduce mcp --folder DIR)")
        try:
            path = (self.folder / file).resolve()
        except RuntimeError:
            raise BadInput(f"{file!r} is a loop of links") from None
        if not path.is_relative_to(self.folder) or path == self.folder:
            raise BadInput(f"{file!r} is outside the folder for files")
        return path

    def _run(self, request: Answer) -> Answer:
        """Return the answer of a process of its own, which is ended when its time is over."""
        if max(len(value) for value in request.values() if isinstance(value, str)) > MAX_TEXT:
            return {"error": f"a text has at most {MAX_TEXT} characters"}
        request |= {"seconds": self.seconds, "memory": self.memory}
        undecided = {"error": f"not decided within {self.seconds:g} seconds", "kind": "Undecided"}
        try:
            with self._places:
                done = subprocess.run(
                    # -P: a file in the folder where the server was started is not a module
                    [sys.executable, "-P", "-m", "deduce.audit.tools"],
                    input=json.dumps(request),
                    capture_output=True,
                    text=True,
                    timeout=self.seconds + 5,
                    check=False,
                )
        except subprocess.TimeoutExpired:
            return undecided
        except ValueError:
            return {"error": "a number has thousands of digits", "kind": "BadInput"}
        if done.returncode < 0:  # ended by the operating system: its processor time is over
            return undecided
        if done.returncode or not done.stdout:
            last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
            return {"error": f"the question ended without an answer: {last}", "kind": "Failure"}
        return dict(json.loads(done.stdout))


def add(text: str, clue: str) -> str:
    r"""Return a problem as text with one more clue, which is the last of its clues.

    >>> add("domains\n  Ann: red, blue\nanswer\n  Ann is red\n", "Ann is not blue").splitlines()
    ['domains', '  Ann: red, blue', 'clues', '  Ann is not blue', 'answer', '  Ann is red']
    """
    mark = re.search(r"(?m)^answer[ \t]*$", text)
    end = mark.start() if mark else len(text)
    before = text[:end].rstrip("\n")
    head = "" if re.search(r"(?m)^clues[ \t]*$", before) else "clues\n"
    return f"{before}\n{head}  {clue.strip()}\n{text[end:]}"


def server_of(desk: Desk) -> MCPServer[Any]:
    """Return a server of the official package whose tools are those of a desk.

    Raises
    ------
    Unsupported
        The package ``mcp`` is not installed.
    """
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise Unsupported(
            "the tool for agents needs the package 'mcp': python -m pip install "
            "'deduce-toolkit[mcp]'"
        ) from None
    games = ", ".join(entry.name for entry in registry.games() if entry.hidden)
    server: MCPServer[Any] = MCPServer(
        "deduce",
        version=deduce.__version__,
        instructions="Exact deduction. Begin with start, then ask. Every answer is exact, or is "
        f"an error that says why there is none. Games: {games}.",
    )
    for tool in (desk.start, desk.tell, desk.certain, desk.why, desk.probability, desk.advise,
                 desk.audit, desk.puzzle, desk.save):  # fmt: skip
        server.add_tool(tool)
    return server


@click.command("mcp")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR", help="The only folder that files may be in. [default: none]")  # fmt: skip
@click.option("--time-limit", type=Seconds(), default=10.0, show_default=True, metavar="SECONDS",
    help="How long a question may take.")  # fmt: skip
@click.option("--memory", type=Whole(256), default=2048, show_default=True, metavar="MB",
    help="How much memory a question may take.")  # fmt: skip
def mcp_command(folder: Path | None, time_limit: float, memory: int) -> None:
    """Serve deduce as a tool for agents: the Model Context Protocol on standard input and output.

    \b
    Example:  deduce mcp --folder puzzles

    An agent states a problem or a log, and asks what is certain, why, how probable a claim is and
    what to ask next. Needs the extra 'mcp'. The end of the input ends the server.
    """  # noqa: D301 (click reads the backspace)
    server_of(Desk(folder, seconds=time_limit, memory=memory << 20)).run("stdio")
