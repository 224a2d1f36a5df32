"""The catalogues of sentences: none is missing, unused, or in the wrong place, in any language."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.pages.sentences import page_texts
from deduce.steps.proof import steps
from deduce.system import registry
from deduce.system.language import ENGLISH, Texts, catalogue, languages, speaking

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("deduce", "games")
WEB = ROOT / "deduce" / "pages" / "web"
PLACE = re.compile(r"\{(\w+)[^{}]*\}")


def keys(package: str, language: str = ENGLISH) -> set[str]:
    return set(catalogue(package, language).messages)


@cache
def sources(folder: Path) -> str:
    """Return the modules of a folder, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))


@cache
def named(folder: Path) -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the texts in the modules of a folder, and patterns of those made of parts."""
    whole = {*re.findall(r"'([\w.-]+)'", sources(folder))}  # within a text made of parts
    parts = []
    for made, text in re.findall(r'(f?)"([^"\\\n]*)"', sources(folder)):
        if not made:
            whole.add(text)
            continue
        around = re.split(r"\{[^{}]*\}", text)
        if re.match(r"[a-z]\w*\.", around[0]) or re.fullmatch(r"\.\w{3,}", around[-1]):
            parts.append(re.compile(r"[\w. -]+".join(map(re.escape, around))))
    return whole, parts


def said(folder: Path) -> list[str]:
    """Return the keys that the modules of a folder name when they say something."""
    keys = r"[a-z_/-]+(?:\.[\w-]+)+"
    return re.findall(rf'\b(?:say|refused|_say|note)\(\s*["\']({keys})["\']', sources(folder))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("package", PACKAGES)
def test_a_catalogue_is_what_gettext_reads(package: str, language: str) -> None:
    pofile = pytest.importorskip("babel.messages.pofile")
    text = (ROOT / package / "catalogues" / f"{language}.po").read_bytes()
    read = pofile.read_po(BytesIO(text), locale=language, abort_invalid=True)
    ours = catalogue(package, language)
    forms = {
        message.id[0] if message.pluralizable else message.id: list(
            message.string if message.pluralizable else [message.string]
        )
        for message in read
        if message.id
    }
    assert forms == ours.messages
    assert read.num_plurals > max(map(ours.form, range(200)))
    for message in read:
        assert not list(message.check(read))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("package", PACKAGES)
def test_every_language_says_everything_with_the_same_values(package: str, language: str) -> None:
    english, other = catalogue(package, ENGLISH), catalogue(package, language)
    assert set(other.messages) == set(english.messages)
    for key, forms in other.messages.items():
        assert all(forms), key
        places = {place for form in forms for place in PLACE.findall(form)}
        assert places == {place for form in english.messages[key] for place in PLACE.findall(form)}
        assert (len(forms) > 1) == (len(english.messages[key]) > 1), key


def test_every_message_that_is_named_exists() -> None:
    core = keys("deduce")
    scoped = {key.split("/")[-1] for key in core | keys("games")}
    missing = [key for key in said(ROOT / "deduce") if key not in core | scoped]
    for game in (ROOT / "games").iterdir():
        own = {key.partition("/")[2] for key in keys("games") if key.startswith(f"{game.name}/")}
        missing += [key for key in said(game) if key not in own | core]
    assert missing == []


def test_every_message_is_used_where_it_is() -> None:
    whole, parts = named(ROOT / "deduce")
    script = "\n".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.js"))
    script += (WEB / "list.html").read_text(encoding="utf-8")

    def is_used(key: str, also: set[str], more: list[re.Pattern[str]]) -> bool:
        return key in whole | also or any(part.fullmatch(key) for part in parts + more)

    unused = []
    for key in keys("deduce"):
        bare = key.partition("/")[2] or key
        around = bare.removeprefix("page.")
        in_script = around != bare and re.search(rf"\b{re.escape(around)}\b", script)
        if not in_script and not is_used(bare, set(), []) and not is_used(around, set(), []):
            unused.append(key)
    for key in keys("games"):
        game, _, bare = key.partition("/")
        assert game in registry.names(), key
        if bare in ("title", "summary"):  # of any game
            continue
        also, more = named(ROOT / "games" / game)
        if not is_used(bare, also, more):
            unused.append(key)
    assert unused == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("package", PACKAGES)
def test_every_sentence_can_be_said(package: str, language: str) -> None:
    with speaking(language):
        for key, forms in catalogue(package, ENGLISH).messages.items():
            scope, _, bare = key.rpartition("/")
            values: dict[str, object] = dict.fromkeys(PLACE.findall(" ".join(forms)), "¤")
            for n in (1, 2):
                said = Texts(scope, package)(bare, **(values | {"n": n}))
                assert said.count("¤") <= len(PLACE.findall(" ".join(forms)))
                assert said or key == "page.picture"


IN_ENGLISH = re.compile(r"\b(is|are|has|have|so|and|or|not|neither|event|rule|the|because)\b")


@pytest.mark.parametrize("language", [each for each in languages() if each != ENGLISH])
@pytest.mark.parametrize("game", ["cluedo", "mastermind", "minesweeper", "quartets"])
def test_proofs_are_wholly_in_one_language(game: str, language: str) -> None:
    """Each example of a game in German, one in the others: no English word is left but in names."""
    folder = ROOT / "games" / game / "examples"
    hidden, seen = registry.load(registry.find(game).hidden), 0
    for path in sorted(folder.iterdir()):
        if path.suffix in ("", ".py") or path.is_dir():
            continue
        with speaking(language):
            try:
                log = read_log(path.read_text(encoding="utf-8"), hidden)
            except (BadInput, AttributeError):
                continue
            knowledge = Knowledge(log.game, log.events)
            if not knowledge.is_consistent():
                proof = str(knowledge.contradiction())
            else:
                proof = str(steps(knowledge))
        assert not IN_ENGLISH.search(proof), (path.name, IN_ENGLISH.search(proof), proof[:2000])
        seen += 1
        if language != "de":
            break
    assert seen


def test_a_summary_in_english_is_the_one_of_the_registry() -> None:
    said = catalogue("games", ENGLISH).messages
    for game in registry.names():
        assert said[f"{game}/summary"] == [registry.find(game).summary]


def test_the_front_end_names_messages_that_exist() -> None:
    known = page_texts()[ENGLISH]
    script = "\n".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.js"))
    assert set(re.findall(r"\btexts\.(\w+)", script)) <= set(known)
