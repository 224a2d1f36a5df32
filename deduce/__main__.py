"""``python -m deduce`` is the command ``deduce``."""

import os
import signal

import deduce

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being imported ends the program quietly too."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if not hasattr(deduce, "warn_of_foreign_files"):  # another project's file was imported
        from deduce.system.foreign import warn_of_foreign_files

        warn_of_foreign_files()
    from deduce.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
