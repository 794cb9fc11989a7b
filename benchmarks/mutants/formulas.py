"""Operators on formulas of any kind: comparisons, arithmetic, constants, axes, sums, cutoffs and parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mutants.rewriting import axis_of, called, is_function, operator, parsed

__all__: list[str] = []


_RELAXED = {ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt}


@operator("comparison-relaxed")
def relaxed(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """`>` becomes `>=` and `<` becomes `<=` (and the other way round)."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _RELAXED:
        yield ast.Compare(node.left, [_RELAXED[type(node.ops[0])]()], node.comparators)
    if is_function(node, "positive"):
        yield parsed("_m.not_positive(0 - x)", x=node.args[0])  # type: ignore[attr-defined]
    if is_function(node, "below"):
        yield parsed("_m.not_positive(x - y)", x=node.args[0], y=node.args[1])  # type: ignore[attr-defined]


@operator("relevant-above-half")
def raised(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a document counts as relevant from a grade above 1/2 on, not above 0."""
    if is_function(node, "positive"):
        yield parsed("positive(2 * x - 1)", x=node.args[0])  # type: ignore[attr-defined]


@operator("condition-lost")
def condition_lost(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """what is done under a condition is always done: every earlier document makes redundant, no aspect is full."""
    if is_function(node, "select"):
        yield node.args[1]  # type: ignore[attr-defined]


_SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult}


@operator("arithmetic-swapped")
def swapped(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """`+` becomes `-`, `-` becomes `+`, `*` becomes `+`, `/` becomes `*`."""
    if isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        yield ast.BinOp(node.left, _SWAPPED[type(node.op)](), node.right)


@operator("constant-off-by-one")
def constant_off(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a whole number of a formula is one more, or one less."""
    place = isinstance(parent, ast.Subscript | ast.UnaryOp | ast.Tuple) or (
        isinstance(parent, ast.keyword) and parent.arg == "axis"
    )
    if isinstance(node, ast.Constant) and type(node.value) is int and not place:
        for step in (1,) if isinstance(parent, ast.Compare) else (1, -1):
            yield parsed(str(node.value + step))


_OTHER_AXIS = {"-1": "-2", "-2": "-1"}


@operator("wrong-axis")
def wrong_axis(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """an operation along aspects runs along ranks, or the other way round."""
    if isinstance(parent, ast.keyword) and parent.arg == "axis":
        yield parsed(_OTHER_AXIS[ast.unparse(node)])
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "grades.shape":
        other = _OTHER_AXIS.get(ast.unparse(node.slice))
        if other:
            yield parsed(f"x[{other}]", x=node.value)


@operator("any-for-all")
def any_for_all(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """one aspect is enough where all of them have to be covered."""
    if called(node) == "prod":
        yield parsed("1 - (1 - x).prod(axis=-1)", x=node.func.value)  # type: ignore[attr-defined]


_FIRST = {"-1": "x[..., 0]", "-2": "x[..., 0, :]", "": "x[0]"}


@operator("sum-to-first")
def sum_to_first(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a sum over ranks or aspects takes the first only (its axis dropped)."""
    if isinstance(node, ast.Call) and called(node) == "sum":
        yield parsed(_FIRST[axis_of(node)], x=node.func.value)  # type: ignore[attr-defined]
    if is_function(node, "range"):
        yield parsed("range(1)")


@operator("last-missed")
def sum_misses_last(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a sum over ranks or aspects misses the last one."""
    if isinstance(node, ast.Call) and called(node) == "sum":
        axis = axis_of(node) or "-1"
        yield parsed(f"_m.without_last(x, {axis}).sum(axis={axis})", x=node.func.value)  # type: ignore[attr-defined]
    if is_function(node, "range"):
        yield parsed("range(n - (n > 1))", n=node.args[0])  # type: ignore[attr-defined]


@operator("maximum-for-sum")
def maximum_for_sum(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """aspects, or a document's weighted grades, count by the best one and not by their sum."""
    if called(node) == "sum" and "weights" in ast.unparse(node):
        yield parsed("_m.largest(x, -1)", x=node.func.value)  # type: ignore[attr-defined]


def _is_cutoff(node: ast.expr) -> bool:
    return ast.unparse(node) in ("cutoff", "self.cutoff")


@operator("cutoff-off-by-one")
def cutoff_off(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """the cutoff is one more, or one less."""
    if _is_cutoff(node) and not isinstance(parent, ast.Compare):
        for step in (1, -1):
            yield parsed(f"_m.shifted(x, {step})", x=node)


@operator("cutoff-lost")
def cutoff_lost(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a slice goes to the end, not to the cutoff."""
    if _is_cutoff(node) and isinstance(parent, ast.Slice):
        yield ast.Constant(None)


@operator("parameter-ignored")
def parameter_ignored(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """the default is used in place of the parameter that is given (the cutoff included)."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "self.values":
        yield parsed("_m.default_of(self, key)", key=node.slice)
    if ast.unparse(node) == "self.cutoff" and isinstance(parent, ast.Call | ast.Slice):
        yield parsed("self.default_cutoff")


@operator("parameter-complement")
def parameter_complement(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a parameter x is taken for 1 - x."""
    if ast.unparse(node) in [f"self.values['{name}']" for name in ("alpha", "p", "lambda", "e")]:
        yield parsed("1 - x", x=node)
