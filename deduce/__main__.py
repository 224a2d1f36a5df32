"""``python -m deduce`` is the command ``deduce``."""

import os
from importlib import import_module

import deduce

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being imported ends the program quietly too."""
    _signal = import_module("_signal")  # without the enumerations of `signal`, which take 15 ms
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, lambda *_: os._exit(130))
    if not hasattr(deduce, "warn_of_foreign_files"):  # another project's file was imported
        from deduce.system.imports import warn_of_foreign_files

        warn_of_foreign_files()
    from deduce.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
