"""Check every link of the built site without a network: ``python docs/check_links.py FOLDER``.

A link within the site must lead to a file that is there, and behind ``#`` to an anchor of it. A
link elsewhere must be a whole address by https; whether it answers is not tested. Prints each
broken link as ``page: link: what is wrong``; the exit code is 1 if there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src"}


APPLICATION = "try"
"""The folder of the page that runs in the browser: links into it are checked, not those in it."""


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag links to and how it may be linked to."""
        given = dict(attrs)
        self.anchors |= {given[name] or "" for name in ("id", "name") if name in given}
        link = given.get(LINKS.get(tag, ""))
        if link is not None:
            self.links.append(link)


def problems(site: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the page, the link and what is wrong with it, for every broken link of a site."""
    site = site.resolve()
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if path.relative_to(site).parts[0] != APPLICATION
    }
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for link in dict.fromkeys(page.links):
            wrong = _wrong(link, path, site, pages)
            if wrong:
                yield name, link, wrong


def _wrong(link: str, path: Path, site: Path, pages: dict[Path, Page]) -> str:
    try:
        parts = urlsplit(link)
    except ValueError as error:
        return str(error)
    if parts.scheme in ("data", "mailto"):
        return ""
    if parts.scheme or parts.netloc:
        whole = parts.scheme == "https" and "." in parts.netloc and " " not in link
        return "" if whole else "not a whole address by https"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(site) or not target.is_file():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    if target in pages and anchor not in pages[target].anchors:
        return f"no anchor {anchor!r} there"
    return ""


def main() -> None:
    """Check the site that the command line names."""
    found = list(problems(Path(sys.argv[1])))
    for page, link, wrong in found:
        print(f"{page}: {link}: {wrong}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
