"""``python -m deduce`` is the command ``deduce``."""

import os
import signal

from deduce.exits import EXIT_INTERRUPTED

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being imported ends the program quietly too."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(EXIT_INTERRUPTED))
    from deduce.cli import main as run

    run()


if __name__ == "__main__":
    main()
