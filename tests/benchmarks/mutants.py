"""Mutants of a module: the module with one operator, comparison, constant or condition changed.

Imports nothing of the project, so that a mutated module can take the place of any of its modules.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import CodeType

__all__ = ["Mutant", "compiled", "mutants"]

COMPARISONS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
    ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip

Mutant = tuple[int, int, str]
"""The line of the change, the last line of its statement, and what was changed into what."""


def mutants(source: str) -> list[Mutant]:
    """Return the mutants of a module, in the order of `compiled`."""
    tree = ast.parse(source)
    found = []
    for node, end in list(_nodes(tree)):
        before = ast.unparse(node)
        _change(node)
        found.append((node.lineno, end, f"{before} -> {ast.unparse(node)}"))
    return found


def compiled(source: str, index: int | None, path: str) -> CodeType:
    """Return the code of a module, with one change; the lines are those of the source."""
    tree = ast.parse(source)
    if index is not None:
        _change(list(_nodes(tree))[index][0])
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def _nodes(tree: ast.AST, end: int = 0) -> Iterator[tuple[ast.expr, int]]:
    """Yield the nodes that can be changed, each with the last line of its statement's head."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue  # an annotation is never evaluated
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST):
                continue
            if isinstance(node, ast.stmt):
                body = getattr(node, "body", None)
                end = body[0].lineno - 1 if body else (node.end_lineno or node.lineno)
                end = max(end, node.lineno)
            if isinstance(node, ast.expr) and _changeable(node):
                yield node, end
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            yield from _nodes(node, end)


def _changeable(node: ast.expr) -> bool:
    match node:
        case ast.Compare(ops=[first, *_]):
            return type(first) in COMPARISONS
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator):
            return type(operator) in OPERATORS and not _is_text(node)
        case ast.Constant(value=bool() | int()) | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.IfExp():
            return True
    return False


def _is_text(node: ast.expr) -> bool:
    """Return whether an addition has a literal text in it, which cannot be subtracted."""
    return isinstance(node, ast.BinOp) and any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _change(node: ast.expr) -> None:
    match node:
        case ast.Compare():
            node.ops[0] = COMPARISONS[type(node.ops[0])]()
        case ast.BinOp() | ast.BoolOp():
            node.op = OPERATORS[type(node.op)]()
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.UnaryOp():
            node.op = ast.Not()
            node.operand = ast.UnaryOp(ast.Not(), copy.deepcopy(node.operand))
        case ast.IfExp():
            node.body, node.orelse = node.orelse, node.body
