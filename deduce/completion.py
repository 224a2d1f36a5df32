"""Completion of the command line in bash, zsh and fish, by what click brings for them.

The shell calls ``deduce`` once more with the text before the cursor; nothing of a game is
imported but the one whose command is being typed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

__all__ = ["SHELLS", "Bash", "offering", "script"]

SHELLS = ("bash", "zsh", "fish")
"""The shells for which there is a script."""
VARIABLE = "_DEDUCE_COMPLETE"
"""The variable of the environment by which a shell asks; click derives it from the name."""

_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value
    COMPREPLY=()
    response=$(env COMP_WORDS="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1")
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


@add_completion_class
class Bash(BashComplete):
    """Completion in bash, which takes ``rope=Ann`` for three words.

    So what is typed is read from the line and not from bash's words, and of a completion only what
    is behind the last sign at which bash divides words is returned.
    """

    source_template = _BASH
    """The script, in which the name of the command is a placeholder."""
    incomplete = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the finished words behind the command's name, and the one being typed."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        self.incomplete = words.pop() if words and not line[-1].isspace() else ""
        return words, self.incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the kind and the value of a completion as the script reads them."""
        divides = set("=:") & set(os.environ.get("COMP_WORDBREAKS", "=:"))
        kept = 1 + max((self.incomplete.rfind(sign) for sign in divides), default=-1)
        begins = item.value.startswith(self.incomplete[:kept])
        return f"{item.type},{item.value[kept:] if begins else item.value}"


def script(shell: str, cli: click.Command) -> str:
    """Return the script that makes a shell complete the commands of ``cli``.

    Raises
    ------
    KeyError
        The shell is none of `SHELLS`.

    Examples
    --------
    >>> from deduce.cli import cli
    >>> print(script("fish", cli).splitlines()[0])
    function _deduce_completion;
    """
    found = get_completion_class(shell)
    if found is None or shell not in SHELLS:
        raise KeyError(shell)
    return found(cli, {}, "deduce", VARIABLE).source()


def offering(
    names: Callable[[], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the ``shell_complete`` of a parameter that may be one of the names, or other text.

    Examples
    --------
    >>> command = click.Command("eat", params=[
    ...     click.Argument(["fruit"], shell_complete=offering(lambda: ["apple", "pear"]))])
    >>> [item.value for item in command.params[0].shell_complete(click.Context(command), "p")]
    ['pear']
    """
    return lambda ctx, param, incomplete: [n for n in names() if n.startswith(incomplete)]
