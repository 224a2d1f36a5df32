"""Commands of deduce in this process, which takes a tenth of the time of a process of their own."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from subprocess import CompletedProcess
from unittest.mock import patch

import pytest

from deduce.cli.main import main

__all__ = ["deduce"]


def deduce(*words: str, stdin: str = "", mixed: bool = False) -> CompletedProcess[str]:
    """Run a command to its end; ``mixed`` has errors among what it prints, as on a terminal."""
    given = TextIOWrapper(BytesIO(stdin.encode()), encoding="utf-8")
    out, err = BytesIO(), BytesIO()
    printed, told = (TextIOWrapper(b, encoding="utf-8", write_through=True) for b in (out, err))
    with (
        pytest.raises(SystemExit) as ended,
        patch("sys.stdin", given),
        redirect_stdout(printed),
        redirect_stderr(printed if mixed else told),
    ):
        main([*words])
    code = ended.value.code
    assert isinstance(code, int)
    return CompletedProcess(words, code, out.getvalue().decode(), err.getvalue().decode())
