"""The exit codes of every command. A failure never looks like the answer "no".

====  =============================================================================
code  meaning
====  =============================================================================
0     yes, answered, all cases passed
1     no, contradiction, some case failed
2     wrong usage
3     an input cannot be read, or the answer cannot be written
4     undecided within the limits; what is known was printed
70    a failure of deduce or of a plug-in, which is named
130   interrupted; what is known was printed
141   the reader of the output has closed it
====  =============================================================================
"""

from __future__ import annotations

__all__ = [
    "EXIT_BROKEN_PIPE",
    "EXIT_FAILURE",
    "EXIT_INTERRUPTED",
    "EXIT_NO",
    "EXIT_UNDECIDED",
    "EXIT_UNREADABLE",
    "EXIT_USAGE",
    "EXIT_YES",
]

EXIT_YES, EXIT_NO, EXIT_USAGE, EXIT_UNREADABLE, EXIT_UNDECIDED = range(5)
EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_BROKEN_PIPE = 70, 130, 141
