"""Documents: undo, JSON, links."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.logs.document import Document, pack, unpack
from deduce.pages.messages import Door, read_link
from deduce.pages.presenter import Recent
from deduce.system.language import Message
from games.cluedo import examples

TEXTS = st.lists(
    st.text(st.sampled_from("ab\n"), max_size=6).map(lambda text: text + "\n"), max_size=8
)


@given(TEXTS)
def test_undo_and_redo_reach_every_text_also_after_a_reload(texts: list[str]) -> None:
    document = Document("cluedo", "")
    for number, text in enumerate(texts):
        document = document.to(text, (str(number),), step=Message("s", {"n": number}))
    for text in reversed(["", *texts[:-1]] if texts else []):
        document = Document.from_json(document.undo().to_json())
        assert document.text == text
    for number, text in enumerate(texts):
        document = Document.from_json(document.redo().to_json())
        assert (document.text, document.assumed) == (text, (str(number),))
        assert document.step == Message("s", {"n": number})
    with pytest.raises(BadInput, match="nothing to redo"):
        document.redo()


@given(st.text(max_size=300))
def test_a_link_holds_any_text(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    packed = pack(text)
    assert packed.replace("-", "").replace("_", "").isalnum() or not packed
    assert unpack(packed) == text


def test_a_log_of_25_events_fits_into_a_link_of_1200_characters() -> None:
    text = Path(examples.__path__[0], "evening.cluedo").read_text(encoding="utf-8")
    more = "Ann: Miss Scarlett, Candlestick, Billiard Room; Ben, Cid -; Dora shows\n" * 3
    link = f"cluedo:{pack(text + more)}"
    assert len(link) <= 1200
    assert read_link(link).text == text + more


@pytest.mark.parametrize("packed", ["", "x", "!!!", pack("hello" * 50)[:-6], "A" * 5000])
def test_a_damaged_link_is_refused(packed: str) -> None:
    with pytest.raises(BadInput, match="damaged"):
        unpack(packed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"schema": "deduce/document/2"}',
        '{"schema": "deduce/document/1", "game": 3}',
        Document("cluedo", "x").to_json().replace('"past":[]', '"past":[[-1,0,[],[],null]]'),
    ],
)
def test_a_document_that_is_not_one_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        Document.from_json(text)


FILES = [
    ("evening.cluedo", "", "cluedo"),
    ("quartets-play.log", "", "quartets-play"),
    ("nim (2).log", "", "nim"),
    ("board.txt", "mines: 1\n1..\n...\n", "minesweeper"),
]


@pytest.mark.parametrize(("name", "text", "page"), FILES, ids=[name for name, _, _ in FILES])
def test_a_file_is_opened_on_its_page(name: str, text: str, page: str) -> None:
    assert json.loads(Door().answer(json.dumps({"file": [name, text]}))) == {"game": page}


WRONG_FILES: list[tuple[object, str]] = [
    (["notes.txt", "nothing at all"], "no game can read this file"),
    (["notes.txt", ""], "no game can read this file"),
    (["a", "moves\n"], "more than one page"),
    (["a", "x" * 2_000_000], "up to 1,000,000 characters"),
    ("a", "a file needs a name"),
]


@pytest.mark.parametrize(
    ("file", "problem"), WRONG_FILES, ids=["unread", "empty", "several", "long", "form"]
)
def test_a_file_that_belongs_to_no_page_is_refused(file: object, problem: str) -> None:
    assert problem in json.loads(Door().answer(json.dumps({"file": file})))["error"]


def test_threads_that_make_the_same_value_get_one_and_nobody_waits_for_the_other() -> None:
    recent: Recent[object] = Recent(2)
    both = Barrier(2, timeout=30)

    def make() -> object:
        both.wait()  # passed only if the other thread makes its value at the same time
        return object()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: recent.get("key", make), range(2))
    assert first is second
    assert recent.get("key", object) is first
    recent.get(1, object)
    recent.get(2, object)
    assert recent.get("key", object) is not first, "only the last two are kept"
