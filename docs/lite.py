"""Writes the notebooks as a site that runs them in the browser: JupyterLite with Pyodide.

``python docs/lite.py DIR`` needs the extra ``lite``, npm and node. Nothing is fetched by the site
afterwards: Pyodide comes from npm, and the packages are those that are installed here, if they are
pure Python. The kernel starts with them, so a notebook runs unchanged.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from deduce.pages.transports.site import fetch_pyodide
from deduce.system.registry import GROUP

ROOT = Path(__file__).parent.parent

PACKAGES = (
    "anywidget", "asttokens", "attrs", "cattrs", "click", "comm", "executing",
    "ipython", "ipython_pygments_lexers", "ipywidgets", "jedi", "markdown-it-py",
    "matplotlib-inline", "mdurl", "networkx", "packaging", "parso", "prompt_toolkit", "psygnal",
    "pure_eval", "pygments", "rich", "segno", "stack-data", "traitlets", "typing_extensions",
    "wcwidth",
)  # fmt: skip
"""What the kernel and deduce import."""

MICROPIP = "0.11.1"

EXTENSIONS = (
    "@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager", "anywidget",
)  # fmt: skip

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"

LEFT_OUT = {".so", ".pyd", ".map", ".exe", ".pyc"}


def main(target: Path) -> None:
    """Write the site."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        pyodide = work / "lite" / "static" / "pyodide"
        shutil.copytree(fetch_pyodide(work), pyodide)
        names = _add_packages(pyodide)
        _configure(work / "lite", names)
        output = work / "site"
        command = [sys.executable, "-m", "jupyterlite_core", "build"]
        command += ["--lite-dir", str(work / "lite"), "--output-dir", str(output)]
        done = subprocess.run(command, cwd=work / "lite", capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"jupyter lite build failed:\n{done.stdout}\n{done.stderr}")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(output, target, ignore=shutil.ignore_patterns("*.map"))
        shutil.copytree(pyodide, target / "static" / "pyodide", dirs_exist_ok=True)
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    print(f"notebooks written to {target}: {size / 1e6:.0f} MB")


def _configure(folder: Path, names: list[str]) -> None:
    extensions = Path(sys.prefix, "share", "jupyter", "labextensions")
    settings = {
        "pyodideUrl": "./static/pyodide/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": names},
    }
    build = {
        "LiteBuildConfig": {
            "contents": [str(ROOT / "notebooks")],
            "apps": ["lab", "notebooks"],
            "federated_extensions": [str(extensions / name) for name in EXTENSIONS],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
        }
    }
    shared = {"appName": "deduce", "litePluginSettings": {KERNEL: settings}}
    lite = {"jupyter-lite-schema-version": 0, "jupyter-config-data": shared}
    (folder / "jupyter_lite_config.json").write_text(json.dumps(build), encoding="utf-8")
    (folder / "jupyter-lite.json").write_text(json.dumps(lite), encoding="utf-8")


def _add_packages(folder: Path) -> list[str]:
    """Put the packages beside Pyodide, list them in its lock file, and return their names."""
    wheels: dict[str, Path] = {}
    for name in PACKAGES:
        wheels[name.replace("_", "-")] = _wheel_of(name, folder)
    extension = Path(sys.prefix, "share", "jupyter", "labextensions", EXTENSIONS[0])
    for wheel in sorted((extension / "static" / "pypi").glob("*.whl")):
        name = wheel.name.split("-")[0].replace("_", "-")
        if name != "widgetsnbextension":
            wheels[name] = Path(shutil.copy(wheel, folder))
    wheels["micropip"] = _micropip(folder)
    wheels["deduce-toolkit"] = _own_wheel(folder)
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] = {name: _entry(name, wheel) for name, wheel in wheels.items()}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    return list(wheels)


def _wheel_of(name: str, folder: Path) -> Path:
    """Write a wheel from the files of an installed package."""
    installed = distribution(name)
    entries = {
        str(file): Path(str(file.locate()))
        for file in installed.files or ()
        if not str(file).startswith("..")
        and file.suffix not in LEFT_OUT
        and not str(file).startswith(("share/", "bin/"))
    }
    return _write_wheel(folder, name, installed.version, entries, {})


def _micropip(folder: Path) -> Path:
    """Fetch micropip, which is for the Python of Pyodide only."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
    command += ["--only-binary", ":all:", "--python-version", "3.14", "--dest", str(folder)]
    subprocess.run([*command, f"micropip=={MICROPIP}"], check=True, capture_output=True)
    return next(folder.glob("micropip-*.whl"))


def _own_wheel(folder: Path) -> Path:
    entries = {
        str(file.relative_to(ROOT)): file
        for package in ("deduce", "games")
        for file in sorted((ROOT / package).rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    own = distribution("deduce-toolkit")
    lines = [f"{point.name} = {point.value}" for point in own.entry_points.select(group=GROUP)]
    info = f"deduce_toolkit-{own.version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: deduce-toolkit\nVersion: {own.version}\n"
    texts = {
        f"{info}/METADATA": head,
        f"{info}/entry_points.txt": "\n".join([f"[{GROUP}]", *lines]),
    }
    return _write_wheel(folder, "deduce-toolkit", own.version, entries, texts)


def _write_wheel(
    folder: Path, name: str, version: str, entries: dict[str, Path], texts: dict[str, str]
) -> Path:
    wheel = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, path in sorted(entries.items()):
            archive.write(path, entry)
        for entry, text in texts.items():
            archive.writestr(entry, text + "\n")
    return wheel


def _entry(name: str, wheel: Path) -> dict[str, Any]:
    with zipfile.ZipFile(wheel) as archive:
        tops = {entry.split("/")[0].removesuffix(".py") for entry in archive.namelist()}
    return {
        "name": name,
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": [],
        "unvendored_tests": False,
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
