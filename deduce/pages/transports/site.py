"""The static site: the front end, Pyodide, and Python's modules compiled for it, in one folder.

Any web server can serve the folder. Nothing of Pyodide is in the repository: npm fetches the
package, whose checksum is known here. The modules of deduce, of the games and of the packages that
they need are taken as they are installed, and compiled by Pyodide itself, without docstrings.
"""

from __future__ import annotations

import base64
import hashlib
import json
import lzma
import re
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Set
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path, PurePosixPath
from string import Template

from attrs import frozen

import deduce
from deduce.errors import BadInput, Unsupported, missing_extra
from deduce.logs.json_values import structure
from deduce.pages.transports.shell import page_html, web_files
from deduce.system.registry import GROUP

__all__ = ["PYODIDE", "fetch_pyodide", "write_site"]


@frozen
class _Parts:
    """What the site is made of; ``site.toml`` describes each part."""

    version: str
    checksum: str
    needed: tuple[str, ...]
    wheels: tuple[str, ...]
    left_out: tuple[str, ...]
    not_loaded: tuple[str, ...]
    standard_left_out: tuple[str, ...]
    parts_left_out: tuple[str, ...]
    begin: tuple[str, ...]
    headers: str


PARTS = structure(
    tomllib.loads((files("deduce.pages.transports") / "site.toml").read_text(encoding="utf-8")),
    _Parts,
)
PYODIDE = PARTS.version
"""The version of the npm package of Pyodide."""

LEFT_OUT = re.compile("|".join(PARTS.left_out))
STANDARD_LEFT_OUT = re.compile(
    "|".join([rf"({'|'.join(PARTS.standard_left_out)})(/|\.py|$)", *PARTS.parts_left_out])
)

MANIFEST = "manifest.webmanifest"

MINUTES = 10
"""After that npm or node is stopped."""


def write_site(folder: Path, package: Path | None = None) -> Iterator[str]:
    """Write the site into a folder, and yield what was done, in lines.

    Parameters
    ----------
    folder
        Is emptied first if it holds a site already.
    package
        The npm package of Pyodide, as ``.tgz`` or unpacked; ``None``: npm fetches it.

    Raises
    ------
    BadInput
        The folder holds something else, or the package is not the right one.
    Unsupported
        npm, node or a package of Python is missing.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "sw.js").exists():
        raise BadInput("this folder contains something else; name a new one", source=str(folder))
    installed = dict(_modules())  # before the download: a package may be missing
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        pyodide = fetch_pyodide(work, package)
        yield f"Pyodide {PYODIDE}"
        modules = {**_standard(pyodide), **installed}
        compiled, imported = _compiled(pyodide, modules, work)
        begin = {name: data for name, data in compiled.items() if _begins(name, imported)}
        standard = _zipped(begin, zipfile.ZIP_DEFLATED)
        yield f"modules with which Pyodide starts: {_size(standard)}"
        rest = {name: data for name, data in compiled.items() if name not in begin}
        app = _packed(_zipped(rest, zipfile.ZIP_STORED))
        yield f"modules of deduce, the games, {', '.join(PARTS.wheels)} and others: {_size(app)}"
        lock, numpy = _numpy(pyodide)
        sizes = ", ".join(map(_size, numpy.values())) or "not fetched, so the site is without it"
        yield f"numpy, which is loaded when a question needs it: {sizes}"
        parts = {
            **{f"pyodide/{name}": (pyodide / name).read_bytes() for name in PARTS.needed},
            "pyodide/python_stdlib.zip": standard,
            "pyodide/pyodide-lock.json": lock,
            "app.zip.xz": app,
        }
        elsewhere = {"index.html", "sw.js", "served.js", "notebook.js", "icon.svg", MANIFEST}
        parts |= {name: data for name, data in web_files().items() if name not in elsewhere}
    version = (
        "v"
        + hashlib.sha256(
            b"".join(name.encode() + hashlib.sha256(data).digest() for name, data in parts.items())
        ).hexdigest()[:12]
    )
    if folder.exists():
        shutil.rmtree(folder)
    for name, data in parts.items():
        target = folder / version / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    loaded = (name for name in parts if name.startswith("pyodide/") or name == "app.zip.xz")
    settings = {"bytes": sum(len(parts[name]) for name in loaded)}
    for name, data in numpy.items():
        (folder / version / "pyodide" / name).write_bytes(data)
        settings["arrays"] = len(data)
    _write_root(folder, version, list(parts), settings)
    yield f"written to {folder}; serve it with any web server: python -m http.server -d {folder}"


def _write_root(folder: Path, version: str, names: list[str], settings: Mapping[str, int]) -> None:
    web = web_files()
    head = [f'<link rel="manifest" href="{MANIFEST}">']
    page = page_html("static.js", web=f"{version}/", head=head, loading=True, extra=settings)
    page = page.replace(f'href="{version}/icon.svg"', 'href="icon.svg"')
    kept = ["./", MANIFEST, "icon.svg", *(f"{version}/{name}" for name in names)]
    digest = hashlib.sha256(page.encode()).hexdigest()[:8]
    worker = Template(web["sw.js"].decode()).safe_substitute(
        version=f"{version}-{digest}", folder=version, files=json.dumps(kept)
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "sw.js").write_text(worker, encoding="utf-8")
    for name in ("icon.svg", MANIFEST):
        (folder / name).write_bytes(web[name])
    (folder / "_headers").write_text(PARTS.headers.format(version=version), encoding="utf-8")
    (folder / ".nojekyll").write_text("", encoding="utf-8")


def fetch_pyodide(work: Path, package: Path | None = None) -> Path:
    """Return the folder of the unpacked npm package.

    Parameters
    ----------
    work
        A folder for what npm fetches.
    package
        The package as ``.tgz`` or unpacked; ``None``: npm fetches it.

    Raises
    ------
    BadInput
        It is not the package, or not the right version.
    Unsupported
        npm is missing or failed.
    """
    if package is not None and package.is_dir():
        folder = package / "package" if (package / "package").is_dir() else package
        if not (folder / "pyodide.asm.wasm").is_file():
            raise BadInput("this is not the npm package pyodide", source=str(package))
        return folder
    if package is None:
        _run("npm", ["pack", "--silent", "--pack-destination", str(work), f"pyodide@{PYODIDE}"])
        package = next(work.glob("pyodide-*.tgz"))
    data = package.read_bytes()
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != PARTS.checksum:
        raise BadInput(f"this is not the npm package pyodide {PYODIDE}", source=str(package))
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        for name in (*PARTS.needed, "pyodide-lock.json", "package.json"):
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (work / "pyodide").mkdir(exist_ok=True)
            (work / "pyodide" / name).write_bytes(member.read())
    return work / "pyodide"


def _run(program: str, arguments: list[str]) -> str:
    found = shutil.which(program)
    if found is None:
        raise Unsupported(f"the site needs {program}, which is not installed here (Node.js 20)")
    try:
        done = subprocess.run(
            [found, *arguments], check=True, capture_output=True, text=True, timeout=60 * MINUTES
        )
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:]
        raise Unsupported(f"{program} failed: {' '.join(last)}") from None
    except subprocess.TimeoutExpired:
        raise Unsupported(f"{program} did not end within {MINUTES} minutes") from None
    return done.stdout


def _modules() -> Iterator[tuple[str, bytes]]:
    """Yield the modules that the browser needs, with the metadata that finds games."""
    found = find_spec("games")
    homes = found.submodule_search_locations if found else None
    folders = [Path(deduce.__file__).parent, *map(Path, homes or ())]
    seen: set[str] = set()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            name = file.relative_to(folder.parent).as_posix()
            wanted = file.is_file() and file.suffix not in PARTS.not_loaded and name not in seen
            if wanted and not LEFT_OUT.match(name):
                seen.add(name)
                yield name, file.read_bytes()
    for wheel in PARTS.wheels:
        try:
            parts = distribution(wheel)
        except PackageNotFoundError:
            if wheel == "typing_extensions":  # only newer versions of cattrs need it
                continue
            raise missing_extra(f"the site needs the package {wheel!r}", "app") from None
        for entry in parts.files or ():
            name = PurePosixPath(entry).as_posix()
            if name.startswith("..") or LEFT_OUT.match(name):
                continue
            if name.endswith((".py", "/METADATA")):
                yield name, Path(str(entry.locate())).read_bytes()
    yield from _metadata()


def _metadata() -> Iterator[tuple[str, bytes]]:
    """Yield the metadata of deduce: its name and the games that it brings."""
    parts = distribution("deduce-toolkit")
    folder = f"deduce_toolkit-{parts.version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: deduce-toolkit\nVersion: {parts.version}\n"
    lines = [f"{point.name} = {point.value}" for point in parts.entry_points.select(group=GROUP)]
    yield f"{folder}/METADATA", head.encode()
    yield f"{folder}/entry_points.txt", "\n".join([f"[{GROUP}]", *sorted(lines), ""]).encode()


def _standard(pyodide: Path) -> dict[str, bytes]:
    """Return the standard library of Pyodide without what nothing here imports."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        return {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.endswith("/") and not STANDARD_LEFT_OUT.match(name)
        }


def _begins(name: str, imported: Set[str]) -> bool:
    """Return whether a module is needed before the rest is unpacked."""
    if name.startswith(PARTS.begin):
        return True
    module = name.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".")
    return module in imported


def _zipped(entries: Mapping[str, bytes], compression: int) -> bytes:
    """Return a ZIP archive whose bytes depend on the entries only."""
    result = BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        for name, data in sorted(entries.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = compression
            archive.writestr(info, data, compresslevel=9)
    return result.getvalue()


def _packed(data: bytes) -> bytes:
    """Return data packed by xz, so that to unpack it takes no more memory than it needs.

    The dictionary of a preset is 64 MiB, which the browser would never get back.
    """
    preset = 9 | lzma.PRESET_EXTREME
    size = 1 << (len(data) - 1).bit_length()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": preset, "dict_size": size}]
    return lzma.compress(data, filters=filters)


def _compiled(
    pyodide: Path, modules: Mapping[str, bytes], work: Path
) -> tuple[dict[str, bytes], Set[str]]:
    """Return the modules compiled, and the names of those that Pyodide imports when it starts."""
    source, target, script = work / "source.zip", work / "target.zip", work / "compile.mjs"
    source.write_bytes(_zipped(modules, zipfile.ZIP_STORED))
    script.write_bytes((files("deduce.pages") / "web" / "compile.mjs").read_bytes())
    printed = _run("node", [str(script), str(pyodide), str(source), str(target)])
    with zipfile.ZipFile(target) as archive:
        return {name: archive.read(name) for name in archive.namelist()}, set(json.loads(printed))


def _numpy(pyodide: Path) -> tuple[bytes, dict[str, bytes]]:
    """Return the list of packages of Pyodide with numpy only, and its file if it was fetched."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    entry = lock["packages"]["numpy"]
    file = pyodide / entry["file_name"]
    numpy = {file.name: file.read_bytes()} if file.is_file() else {}
    if any(hashlib.sha256(data).hexdigest() != entry["sha256"] for data in numpy.values()):
        raise BadInput("this is not the numpy of Pyodide", source=str(file))
    packages = {"numpy": entry} if numpy else {}
    return json.dumps({**lock, "packages": packages}).encode(), numpy


def _size(data: bytes) -> str:
    return f"{len(data) / 1e6:.2f} MB"
