"""The service workers of two sites of one host: each deletes only old caches of its own site."""

from __future__ import annotations

import sys
from pathlib import Path
from string import Template

from deduce.face.transports.shell import web_files
from tests.browser import opened, served

REGISTER = """async (made) => {
  for (const name of made) await caches.open(name);
  await navigator.serviceWorker.register("sw.js");
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
  return caches.keys();
}"""


def test_a_site_deletes_only_its_own_old_files(tmp_path: Path) -> None:
    worker = Template(web_files()["sw.js"].decode())
    for site in ("one", "two"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "index.html").write_text("<!doctype html><title>site</title>")
        text = worker.safe_substitute(version="3-abc", folder="3", files="[]")
        (tmp_path / site / "sw.js").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "http.server", "8657", "--bind", "127.0.0.1"]
    with served(command, r"\((http://\S+)\)", cwd=tmp_path) as server, opened() as page:
        base = server.address
        ours, others = f"deduce {base}one/", f"deduce {base}two/"
        kept = {f"{ours} memory 3", f"{others} 2-old", f"{others} memory 2", "deduce memory 1"}
        page.goto(f"{base}one/index.html")
        left = page.evaluate(REGISTER, [*kept, f"{ours} 2-old", f"{ours} memory 2"])
        assert {*left} == kept | {f"{ours} 3-abc"}
