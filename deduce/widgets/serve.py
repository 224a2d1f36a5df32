"""A widget as a page of its own, which Voila serves to this machine only.

The server listens on the loopback address, on a free port, and requires the token that is part of
the address. The browser can only use the widgets of the page: Voila passes the messages of widgets
to the kernel, but none that run code, and it serves no files except the scripts of the page. The
page loads nothing from other hosts, so it works without a network.
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
"""Seconds after which the kernel of a page that is no longer open ends."""

EXTENSIONS = [
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
]
"""The extensions of JupyterLab that the page loads; other installed ones are ignored."""

POLICY = "; ".join(
    [
        "default-src 'self' data: blob:",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",  # Voila and anywidget need it
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self' data: blob:",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ]
)
"""What a browser may load for the page: only what this server offers."""


def needs() -> None:
    """Check that the packages of the extra ``app`` are installed.

    Raises
    ------
    Unsupported
        A package is missing; the message names the package and the extra.
    """
    try:
        import voila.app  # noqa: F401

        import deduce.widgets.toolkit  # noqa: F401
    except ImportError as error:
        package = str(error.name).partition(".")[0]
        what = f"a page needs the package {package!r}, which is not installed here"
        raise missing_extra(what, "app") from None


def serve(
    widget: str, argument: str, *, title: str, browser: bool, tell: Callable[[str], None]
) -> None:
    """Serve a widget until Ctrl-C.

    Parameters
    ----------
    widget
        The function that makes the widget, as ``"module:name"``.
    argument
        The argument of the function, which is called for each page that is opened.
    title
        The title of the page.
    browser
        Whether to open the page in the browser.
    tell
        Gets the address when the page can be opened.

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
        if sys.platform == "linux":  # sockets in a private folder instead of ports
            app.config.KernelManager.transport = "ipc"
        with _discreet(token):
            app.start()


def _settings() -> dict[str, Any]:
    return {
        # Only loopback names: refuse a page of another host whose name resolves to this address.
        "allow_remote_access": False,
        "headers": {
            "Content-Security-Policy": POLICY,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        },
        # The address of a request may contain the token, which must not be logged.
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
    """Set environment variables for the kernels, and restore the old values at the end."""
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
    """Return Voila's application, changed to listen on a free port and to print nothing.

    The class is made here because nothing else imports Voila.
    """
    from tornado.httpserver import HTTPServer
    from tornado.ioloop import IOLoop
    from tornado.netutil import bind_sockets
    from voila.app import Voila

    class Page(Voila):  # type: ignore[misc]
        tell: Callable[[str], None]

        def load_config_file(self, *args: Any, **options: Any) -> None:
            """Read no configuration: a file must not open the page to other users or hosts."""

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
            """Open the browser with a file: other users can see the arguments of programs."""
            file = Path(self.connection_dir) / "open.html"
            refresh = f'<meta http-equiv="refresh" content="0;url={escape(address)}">'
            file.write_text(f"<!DOCTYPE html>{refresh}", encoding="utf-8")
            opening = threading.Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True)
            opening.start()

    return Page
