"""The exit codes of every command: a shell can tell yes, no, wrong usage, unreadable, undecided."""

from __future__ import annotations

__all__ = ["EXIT_NO", "EXIT_UNDECIDED", "EXIT_UNREADABLE", "EXIT_USAGE", "EXIT_YES"]

EXIT_YES, EXIT_NO, EXIT_USAGE, EXIT_UNREADABLE, EXIT_UNDECIDED = range(5)
