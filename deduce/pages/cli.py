"""The commands ``deduce app`` and ``deduce site``."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from deduce.cli.numbers import Whole
from deduce.errors import BadInput, missing_extra, placed
from deduce.system.files import locked
from deduce.system.saved import state_file
from deduce.system.text import visible

if TYPE_CHECKING:
    from deduce.pages.messages import Door
    from deduce.pages.transports.kept import KeptLog

__all__ = ["app", "link", "site"]


@click.command("app")
@click.argument("game", required=False)
@click.argument("log", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--no-browser", is_flag=True, help="Do not open a browser; print the address.")
@click.option("--port", type=Whole(1, 65535), help="The port that is tried first.")
@click.option(
    "--lan", is_flag=True, help="Let each player of LOG join with a phone on the same network."
)
@click.option(
    "--from",
    "solved",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take the values from a solution that 'deduce search GAME solve --to DIR' wrote.",
)
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="A setting of that solution."
)
def app(
    game: str | None,
    log: Path | None,
    *,
    no_browser: bool,
    port: int | None,
    lan: bool,
    solved: Path | None,
    settings: tuple[str, ...],
) -> None:
    """Serve the page of a game on this computer.

    \b
    Example:  deduce app
              deduce app evening.cluedo
              deduce app cluedo evening.cluedo --lan

    GAME is an installed game, or a file with a game of your own, such as tower.py. Without GAME,
    the page lists the games, and the browser keeps the logs. With a LOG, every step is saved in
    that file at once; if LOG does not exist yet, GAME is set up on the page. With --lan, the
    terminal shows an address and a QR code for each player of the log; each phone sees only what
    its player may see. With --from, a searched game shows the values of a solution on disk. Nothing
    is sent to other hosts. Ctrl-C stops the server.
    """  # noqa: D301 (click reads the backspace)
    from deduce.pages.messages import Door
    from deduce.pages.transports.kept import KeptLog
    from deduce.pages.transports.server import PORT, run
    from deduce.system.files import read_text
    from deduce.system.registry import is_typed, open_typed

    if game is not None and is_typed(game):
        game = open_typed(game).name
    elif game is not None and log is None and Path(game).is_file():
        log, game = Path(game), _page_of(Path(game), *read_text(game))
    if log is not None and str(log) == "-":
        raise click.UsageError("the log is kept in LOG, which must be a file")
    if lan and log is None:
        raise click.UsageError("--lan needs a GAME and a LOG that names its players")
    kept = None
    players: list[str] = []
    door = Door()
    if solved is not None or settings:
        if solved is None or game is None:
            raise click.UsageError("--from and --set need a GAME and the folder of its solution")
        door = _with_solution(game, solved, settings)
    if game is not None:
        door.page(game)
        if log is not None:
            click.get_current_context().with_resource(locked(log))
            kept = KeptLog.open(game, log)
    if lan and kept is not None:
        players = _players(kept, str(log))

    def ready(address: str, links: Mapping[str, str]) -> None:
        if links:
            _show_links(links)
        else:
            start = address if kept or game is None else f"{address}#/new/{game}"
            if kept is None:
                click.get_current_context().with_resource(_announced(address))
            click.echo(f"the page is open at this address: {start}")
            if not no_browser:
                threading.Thread(target=webbrowser.open, args=(start,), daemon=True).start()
        click.echo("Ctrl-C ends it")

    run(kept, players=players, lan=lan, port=port or PORT, door=door, ready=ready)
    click.echo("ended")


def _page_of(log: Path, text: str, source: str) -> str:
    """Return the name of the page that shows a log."""
    from deduce.pages.messages import Door

    with placed(source=source):
        return Door().opened_by([log.name, text])


def _with_solution(page: str, folder: Path, settings: tuple[str, ...]) -> Door:
    """Return pages of which that of a game takes its values from a solution on disk."""
    from deduce.pages.features.play import play_page
    from deduce.pages.messages import PLAY, Door
    from deduce.search.load import load_game
    from deduce.search.tiers.table import Tablebase

    name = page.removesuffix(PLAY)
    table = Tablebase(load_game(name, settings), folder, name=name)
    return Door({page: play_page(name, page, table=table, settings=settings)})


def _players(kept: KeptLog, source: str) -> list[str]:
    """Return the players of a log, whose keeper becomes a player like the others."""
    from deduce.game import Recorded, SeenInParts, hook
    from deduce.logs.document import MAX_TEXT
    from deduce.logs.events import read_log
    from deduce.pages.private import MAX_OWN, check_shareable
    from deduce.pages.sentences import refused
    from deduce.system import registry

    if kept.document is None:
        raise BadInput("--lan needs a log that names its players", source=source)
    game_class = registry.load(registry.find(kept.game).hidden)
    log = read_log(kept.document.text, game_class)
    players = [str(player) for player in hook(log.game, SeenInParts.players, ())]
    if not players:
        raise BadInput("this log names no players", source=source)
    if hook(log.game, Recorded.me, None) is not None:
        raise BadInput(
            "the keeper of a log sees everything in it; for --lan, leave out the line 'me:'",
            source=source,
        )
    try:
        check_shareable(log)
    except BadInput as error:
        raise error.at(source=source) from None
    most = MAX_TEXT - MAX_OWN * len(players)  # what one player enters never depends on the others
    if len(kept.document.text) > most:
        raise BadInput(refused("refused.long", n=most), source=source)
    return players


def _show_links(links: Mapping[str, str]) -> None:
    try:
        import segno
    except ImportError:
        segno = None  # type: ignore[assignment]
    for player, address in links.items():
        click.echo(visible(f"{player}: {address}"))
        if segno is not None:
            segno.make(address, error="l", micro=False).terminal(compact=True)


@contextmanager
def _announced(address: str) -> Iterator[None]:
    """Keep the address of this page where ``deduce link`` finds it, readable by this account."""
    path, kept = state_file("app"), False
    with suppress(OSError, RuntimeError):  # no home, or none that can be written to
        path = path.expanduser()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(address, encoding="utf-8")
        kept = True
    try:
        yield
    finally:
        with suppress(OSError):
            if kept and path.read_text(encoding="utf-8") == address:
                path.unlink()


def _running() -> str:
    """Return the address of the page of ``deduce app`` that runs now; empty if none does."""
    with suppress(OSError, RuntimeError, ValueError):
        address = state_file("app").expanduser().read_text(encoding="utf-8")
        place = urlsplit(address)
        socket.create_connection((place.hostname or "", place.port or 0), timeout=2).close()
        return address
    return ""


@click.command("link")
@click.argument("log", metavar="LOG")
@click.option(
    "--site", metavar="URL", help="Where the page is, such as https://example.org/deduce/"
)
@click.option("--qr", is_flag=True, help="Show a QR code as well, for a phone.")
def link(log: str, *, site: str | None, qr: bool) -> None:
    """Print the address that opens a log on the page.

    \b
    Example:  deduce link game.cluedo --site https://example.org/deduce/ --qr

    The log is in the part of the address after #, which browsers send to no server. LOG may be -
    for standard input. Without --site, the address is that of a running 'deduce app'.
    """  # noqa: D301 (click reads the backspace)
    from deduce.logs.document import pack
    from deduce.system.files import read_text

    text, source = read_text(log)
    game = _page_of(Path(log), text, source)
    if site is not None and not urlsplit(site).scheme.startswith("http"):
        raise click.UsageError(f"--site needs an address like https://example.org/, not {site!r}")
    site = site or _running()
    if not site:
        raise click.UsageError("'deduce app' is not running; give an address with --site")
    address = f"{site.partition('#')[0]}#{game}:{pack(text)}"
    if qr:
        segno = find_spec("segno") and import_module("segno")
        if not segno:
            raise missing_extra("a QR code needs the package 'segno'", "app")
        try:
            code = segno.make(address, error="l", micro=False)
        except segno.DataOverflowError:
            raise BadInput("the log is too long for a QR code; leave out --qr") from None
        code.terminal(compact=True)
    click.echo(visible(address))


@click.command("site")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--pyodide",
    type=click.Path(path_type=Path, exists=True),
    help="The npm package of Pyodide, as a file or folder. [default: fetched by npm]",
)
def site(folder: Path, *, pyodide: Path | None) -> None:
    """Write the page as a static site that works offline.

    \b
    Example:  deduce site build/site
              python -m http.server -d build/site

    DIR can be served by any web server: Python runs in the browser (Pyodide). npm fetches
    Pyodide, and node compiles the modules; both are needed only for this command.

    Numpy, which some questions are answered faster with, is fetched where the host of Pyodide's
    packages can be reached, or taken from an unpacked --pyodide folder that holds the wheel named
    in its pyodide-lock.json. Otherwise the site is without it.
    """  # noqa: D301 (click reads the backspace)
    from deduce.pages.transports.site import write_site

    for line in write_site(folder, pyodide):
        click.echo(line)
