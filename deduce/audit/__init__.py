"""Checking what others claim about their puzzles; see docs/audits.md."""

from deduce.audit.audited import Audited, audit
from deduce.audit.items import Item, read_items, sudoku

__all__ = ["Audited", "Item", "audit", "read_items", "sudoku"]
