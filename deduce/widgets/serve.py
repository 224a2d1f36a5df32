"""A widget as a page of its own, served by Voila to this machine alone.

The server listens on the loopback address, on a free port, and only lets in who knows the token in
the address that it tells. The browser can click what the page shows and nothing else: Voila passes
the messages of widgets on to the kernel and none that run code, and no file is served but the
page's own scripts. Nothing comes from other hosts, so that the page works without a network.
"""

from __future__ import annotations

import logging
import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

from deduce.errors import missing_extra
from deduce.widgets.page import ARGUMENT, WIDGET

__all__ = ["HOST", "needs", "serve"]

HOST = "127.0.0.1"

HERE = Path(__file__).parent

IDLE = 3600
"""Seconds after which the kernel of a page that nobody looks at any more is ended."""

EXTENSIONS = [
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
]
"""The parts of JupyterLab that the page loads, whatever else is installed."""

POLICY = "; ".join(
    [
        "default-src 'self' data: blob:",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",  # Voila's and anywidget's own
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self' data: blob:",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ]
)
"""What a browser may load for the page: what this server has, from nowhere else."""


def needs() -> None:
    """Check that a page can be served.

    Raises
    ------
    Unsupported
        A package of the extra ``app`` is missing; the message names both.
    """
    try:
        import voila.app  # noqa: F401

        import deduce.widgets.toolkit  # noqa: F401
    except ImportError as error:
        package = str(error.name).partition(".")[0]
        raise missing_extra(f"a page needs the package {package!r}, which is not installed here", "app") from None


def serve(
    widget: str, argument: str, *, title: str, browser: bool, tell: Callable[[str], None]
) -> None:
    """Serve a widget until Ctrl-C.

    Parameters
    ----------
    widget
        The function that makes it, as ``"module:name"``.
    argument
        What the function is called with, for every page that is opened.
    title
        Of the page.
    browser
        Whether to open it in the browser.
    tell
        Gets the address once the page is served.

    Raises
    ------
    Unsupported
        The extra ``app`` is not installed.
    """
    needs()
    token = secrets.token_urlsafe(24)
    with _environment({WIDGET: widget, ARGUMENT: argument}):
        app = _application()(
            config_file_paths=[],
            notebook_path=str(HERE / "page.py"),
            ip=HOST,
            open_browser=browser,
            token=token,
            log_level="ERROR",
            tornado_settings=_settings(),
        )
        app.tell = tell
        app.initialize([])
        app.voila_configuration.extension_language_mapping = {".py": "python"}
        app.voila_configuration.file_allowlist = []
        app.voila_configuration.extension_allowlist = EXTENSIONS
        app.voila_configuration.prelaunch_hook = _named(title)
        app.template_paths.insert(0, str(HERE / "template"))
        app.config.MappingKernelManager.cull_idle_timeout = IDLE
        if sys.platform == "linux":  # sockets in a folder of our own, not ports that others see
            app.config.KernelManager.transport = "ipc"
        with _discreet(token):
            app.start()


def _settings() -> dict[str, Any]:
    return {
        # Only loopback names: a page elsewhere whose host's name leads here is not let in.
        "allow_remote_access": False,
        "headers": {
            "Content-Security-Policy": POLICY,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        },
        # The address of a request may hold the token, which belongs into no log.
        "log_function": lambda handler: None,
    }


@contextmanager
def _discreet(token: str) -> Iterator[None]:
    """Let the server log errors only, and never the token."""

    def clean(record: logging.LogRecord) -> bool:
        record.msg, record.args = record.getMessage().replace(token, "..."), ()
        return record.levelno >= logging.ERROR

    loggers = [logging.getLogger(f"tornado.{name}") for name in ("general", "application")]
    for logger in loggers:
        logger.addFilter(clean)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(clean)


def _named(title: str) -> Callable[..., None]:
    def hook(request: Any, notebook: Any, cwd: str) -> None:
        notebook.metadata.title = title

    return hook


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Let kernels see some variables; afterwards all is as before."""
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def _application() -> Any:
    """Return Voila's application with another way to listen: a free port, and no talk of its own.

    It is made when a page is served, since nothing else needs Voila.
    """
    from tornado.httpserver import HTTPServer
    from tornado.ioloop import IOLoop
    from tornado.netutil import bind_sockets
    from voila.app import Voila

    class Page(Voila):  # type: ignore[misc]
        tell: Callable[[str], None]

        def load_config_file(self, *args: Any, **options: Any) -> None:
            """Read no configuration: a file somewhere must not open the page to others."""

        def listen(self) -> None:
            sockets = bind_sockets(0, HOST)
            self.port = sockets[0].getsockname()[1]
            server = HTTPServer(self.app)
            server.add_sockets(sockets)
            address = f"http://{HOST}:{self.port}/?token={self.token}"
            self.tell(address)
            if self.open_browser:
                self._open(address)
            self.ioloop = IOLoop.current()
            try:
                self.ioloop.start()
            except KeyboardInterrupt:
                pass
            finally:
                server.stop()
                self.stop()

        def _open(self, address: str) -> None:
            """Open the browser with a file, since other users can see how programs are called."""
            file = Path(self.connection_dir) / "open.html"
            refresh = f'<meta http-equiv="refresh" content="0;url={escape(address)}">'
            file.write_text(f"<!DOCTYPE html>{refresh}", encoding="utf-8")
            opening = threading.Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True)
            opening.start()

    return Page
