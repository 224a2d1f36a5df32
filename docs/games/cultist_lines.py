"""Draws cultist_lines.svg: the tiles that a bullet passes, for all 84 targets within range.

Run it as ``python docs/games/cultist_lines.py`` after a change.
"""

from __future__ import annotations

from pathlib import Path

from games.cultist.setup import LINE_OFFSETS, RANGE

CELL = 8
"""Pixels of a tile in one of the small maps."""
MAP = 8 * CELL
"""Pixels from one small map to the next."""
SHOOTER, TARGET, PASSED, FLOOR = "#2563c9", "#c2410c", "#f5a524", "#e8e5dc"


def small_map(dx: int, dy: int) -> str:
    """Return the map of one shot, in the place that the target has in the picture."""
    left, top = (RANGE + dx) * MAP + MAP // 2, (RANGE + dy) * MAP + MAP // 2
    left -= (abs(dx) + 1) * CELL // 2
    top -= (abs(dy) + 1) * CELL // 2
    shift_x, shift_y = max(0, -dx), max(0, -dy)
    parts = [
        f'<g transform="translate({left} {top})"><title>target {dx}, {dy}</title>'
        f'<rect width="{(abs(dx) + 1) * CELL}" height="{(abs(dy) + 1) * CELL}" fill="{FLOOR}"/>'
    ]
    tiles = [((0, 0), SHOOTER), ((dx, dy), TARGET)]
    tiles += [(tile, PASSED) for tile in LINE_OFFSETS[dx, dy]]
    for (x, y), fill in tiles:
        parts.append(
            f'<rect x="{(x + shift_x) * CELL + 0.5}" y="{(y + shift_y) * CELL + 0.5}" '
            f'width="{CELL - 1}" height="{CELL - 1}" fill="{fill}"/>'
        )
    return "".join(parts) + "</g>"


def picture() -> str:
    """Return the whole picture as SVG."""
    size = (2 * RANGE + 1) * MAP
    middle = size // 2
    legend = (
        f'<circle cx="{middle}" cy="{middle}" r="12" fill="{SHOOTER}"/>'
        f'<g font-family="sans-serif" font-size="13" fill="#333">'
        f'<rect x="8" y="10" width="12" height="12" fill="{SHOOTER}"/><text x="26" y="21">shooter'
        f'</text><rect x="8" y="30" width="12" height="12" fill="{TARGET}"/><text x="26" y="41">'
        f'target</text><rect x="8" y="50" width="12" height="12" fill="{PASSED}"/>'
        '<text x="26" y="61">passed, hit first</text></g>'
    )
    maps = "\n".join(small_map(dx, dy) for dx, dy in LINE_OFFSETS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" '
        f'height="{size}"><rect width="{size}" height="{size}" fill="#fff"/>{legend}\n'
        f"{maps}\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture(), encoding="utf-8")
