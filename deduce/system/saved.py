"""What is saved to be continued or trusted later: its schema, and a digest for each of its parts.

A document is a JSON object in a file. Its field ``schema`` names its kind and version, and
``digests`` has a digest for every other field, so that a file that was damaged is refused with the
part named. Rows of results (`deduce.batch.results`) have digests of the same function; for arrays
see `deduce.search.tiers.store`.

A digest finds damage, not intent: anyone can compute it again. So what is read is checked against
the game before anything is called proved. What would take as long to check as to compute, a part of
a search, has a signature as well, which is made with a key of the user's account.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from deduce.errors import BadInput, placed
from deduce.logs.json_values import parse_json
from deduce.system.files import read_bytes, read_text, replace_file

__all__ = [
    "digest_of",
    "read_saved",
    "save",
    "sealed",
    "signature",
    "state_file",
    "unsealed",
]

DIGESTS, SIGNATURE = "digests", "signature"

_text = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def digest_of(value: object, before: str = "") -> str:
    """Return the digest of a value that JSON can represent, and of the digest ``before`` it.

    Examples
    --------
    >>> digest_of({"heads": 3, "tails": 1}) == digest_of({"tails": 1, "heads": 3})
    True
    >>> digest_of(3) == digest_of(3, before=digest_of(2))
    False
    """
    return sha256(f"{before}{_text(value)}".encode()).hexdigest()[:32]


def sealed(document: Mapping[str, object], *, sign: bool = False) -> dict[str, Any]:
    """Return a document with a digest for each of its fields; ``sign``: with a `signature`, too."""
    digests = {name: digest_of(part) for name, part in document.items()}
    signed = {SIGNATURE: signature(digests)} if sign else {}
    return {**document, DIGESTS: digests, **signed}


def unsealed(document: object, schema: str) -> tuple[dict[str, Any], bool]:
    """Return a document without its digests, which are checked, and whether it is signed.

    A document of an older version has no digests.

    Raises
    ------
    BadInput
        It has another schema, or a part is missing, damaged, or not one of the document's.

    Examples
    --------
    >>> saved = sealed({"schema": "deduce/coin/1", "heads": 3})
    >>> unsealed(saved, "deduce/coin/1")[0]
    {'schema': 'deduce/coin/1', 'heads': 3}
    >>> unsealed(saved | {"heads": 4}, "deduce/coin/1")
    Traceback (most recent call last):
        ...
    deduce.errors.BadInput: heads: damaged, or changed since it was saved
    """
    if not isinstance(document, dict) or document.get("schema") != schema:
        raise BadInput(f"expected a JSON object with the schema {schema!r}")
    parts = dict(document)
    digests, signed = parts.pop(DIGESTS, None), parts.pop(SIGNATURE, None)
    if digests is None:
        return parts, False
    if not isinstance(digests, dict):
        raise BadInput(f"{DIGESTS}: expected an object with a digest for each field")
    for name in {**parts, **digests}:
        if name not in parts or digests.get(name) != digest_of(parts[name]):
            raise BadInput(f"{name}: damaged, or changed since it was saved")
    return parts, signed is not None and signed == signature(digests)


def save(
    path: Path, document: Mapping[str, object], *, sign: bool = False, force: bool = True
) -> None:
    """Write a document with its digests to a file (`sealed`, `deduce.system.files.replace_file`).

    Raises
    ------
    BadInput
        The file cannot be written; it is then as before.
    """
    text = json.dumps(sealed(document, sign=sign), ensure_ascii=False)
    replace_file(path, f"{text}\n", force=force)


def read_saved(path: Path, schema: str) -> tuple[dict[str, Any], bool]:
    """Return a document that was saved in a file, see `unsealed`.

    Raises
    ------
    BadInput
        The file cannot be read, or see `unsealed`; with the name of the file.
    """
    text, source = read_text(str(path))
    with placed(source=source):
        return unsealed(parse_json(text), schema)


def signature(value: object) -> str | None:
    """Return what only this account can compute for a value that JSON can represent.

    The key is in a file of the account, which is made when it is first needed; ``None`` where there
    can be no such file.

    Notes
    -----
    HMAC (RFC 2104) with SHA-256.
    """
    key = _key(state_file("key"))
    return None if key is None else hmac.digest(key, digest_of(value).encode(), "sha256").hex()


def state_file(name: str) -> Path:
    """Return the path of a file of this account that lasts: what deduce keeps between two runs."""
    return Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state", "deduce", name)


@cache
def _key(path: Path) -> bytes | None:
    """Return the key in a file, which is made with one if there is none."""
    with suppress(OSError, RuntimeError, BadInput):  # no home, or none that can be written to
        path = path.expanduser()
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)  # which what takes its place inherits
        if not path.stat().st_size:
            replace_file(path, token_hex(32))
        return read_bytes(path) or None
    return None
