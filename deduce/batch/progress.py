"""The progress display under its former name."""

from deduce.commands.progress import progress

__all__ = ["progress"]
