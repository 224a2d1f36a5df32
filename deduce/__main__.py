"""``python -m deduce`` is the command ``deduce``."""

import os
import signal

import deduce
from deduce.exits import EXIT_INTERRUPTED
from deduce.foreign import warn_of_foreign_files

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being imported ends the program quietly too."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(EXIT_INTERRUPTED))
    if not hasattr(deduce, "warn_of_foreign_files"):  # another project's file was imported
        warn_of_foreign_files()
    from deduce.cli import main as run

    run()


if __name__ == "__main__":
    main()
