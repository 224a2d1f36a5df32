"""What every figure needs of matplotlib: a canvas without global state, names as they are, files.

Importing this module imports matplotlib (the extra ``plot``), so it is imported where a figure is
wanted and not before.

A `Figure` is independent of pyplot. A notebook shows it; `save` writes it,
the same figure always as the same bytes. Names go through `words`: ``$`` starts no formula, and a
character that the font lacks is written out, so that different names look different and nothing
warns. Fonts that have more characters are used once they are named, in the usual way:
``matplotlib.rcParams["font.family"] = ["DejaVu Sans", "Noto Sans CJK JP"]``.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Literal

from deduce.errors import BadInput, missing_extra
from deduce.show.svg import shortened
from deduce.system.files import replace_file

try:
    import matplotlib
    from matplotlib import figure as _figure
    from matplotlib import font_manager
except ImportError as error:
    raise missing_extra("figures need matplotlib", "plot") from error

__all__ = ["FORMS", "Figure", "Form", "save", "words"]

Form = Literal["svg", "png", "pdf"]
FORMS: tuple[Form, ...] = ("png", "svg", "pdf")
"""The kinds of files that figures are written to."""


class Figure(_figure.Figure):
    r"""A `matplotlib.figure.Figure` that notebooks show without pyplot.

    >>> Figure(figsize=(2, 1))._repr_png_()[:4]
    b'\x89PNG'
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"layout": "constrained", "facecolor": "white", **settings})

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def words(text: object, most: int = 60, *, family: str | None = None) -> str:
    r"""Return a text as matplotlib is to draw it, at most ``most`` characters long.

    Parameters
    ----------
    text
        A name, or anything with a ``str``.
    most
        What is longer ends in an ellipsis.
    family
        The font, if it is not the default one.

    Examples
    --------
    >>> print(words("Ann$ and Ben$"), words("中"))
    Ann\$ and Ben\$ \u4e2d
    """
    label = shortened(text, most)
    if not label.isascii():
        has = _characters(tuple([family] if family else matplotlib.rcParams["font.family"]))
        label = "".join(c if ord(c) in has else c.encode("unicode_escape").decode() for c in label)
    return label.replace("$", r"\$")


@lru_cache(maxsize=8)
def _characters(families: tuple[str, ...]) -> frozenset[int]:
    """Return the numbers of the characters that some of the fonts have."""
    found: set[int] = set()
    for family in families:
        file = font_manager.findfont(font_manager.FontProperties(family=[family]))
        found |= set(font_manager.get_font(file).get_charmap())
    return frozenset(found)


def save(figure: _figure.Figure, file: Path | str | IO[bytes], form: Form | None = None) -> None:
    """Write a figure into a file; its ending gives the format, unless ``form`` does.

    Neither the date nor anything random goes in: the same figure gives the same bytes.

    Raises
    ------
    BadInput
        The ending names none of `FORMS`, or the file cannot be written.

    Examples
    --------
    >>> picture = BytesIO()
    >>> save(Figure(figsize=(2, 1)), picture, "svg")
    >>> b"<svg" in picture.getvalue()
    True
    """
    ending = form
    if ending is None:
        suffix = Path(str(file)).suffix.lower().removeprefix(".")
        ending = next((known for known in FORMS if known == suffix), None)
    if ending is None:
        raise BadInput(f"{file}: a figure is written to a file ending in .png, .svg or .pdf")
    undated = {"png": None, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[ending]
    drawn = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "deduce", "svg.fonttype": "path"}):
        figure.savefig(drawn, format=ending, dpi=150, metadata=undated)
    if isinstance(file, (str, Path)):
        replace_file(Path(file), drawn.getvalue())
    else:
        file.write(drawn.getvalue())
