"""Operators on the parts of a metric: discounts, normalisers, costs, weights, grades, and the state of a fold."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from mutants.rewriting import called, is_function, operator, parsed

__all__: list[str] = []


@operator("rank-off-by-one")
def rank_off(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """rank i gets the discount of rank i + 1."""
    if called(node) == "discounts":
        assert isinstance(node, ast.Call)
        yield parsed("a.discounts(d, n + 1)[1:]", d=node.args[0], n=node.args[1])


@operator("first-rank-twice")
def rank_repeated(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """ranks are counted from 0 with a guard: ranks 1 and 2 both get the discount of rank 1."""
    if called(node) == "discounts":
        assert isinstance(node, ast.Call)
        yield parsed("a.discounts(d, n)[_m.ranks_from_zero(n)]", d=node.args[0], n=node.args[1])


@operator("discount-lost")
def discount_lost(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """every rank counts the same."""
    if called(node) == "discounts":
        yield parsed("0 * x + 1", x=node)


@operator("discount-exchanged")
def discount_exchanged(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """1/i in place of 1/log2(i + 1), a power of p or 1; 1/log2(i + 1) in place of 1/i."""
    name = called(node)
    if name in ("Reciprocal", "InverseLog", "Geometric", "Constant"):
        yield parsed("_m.InverseLog()" if name == "Reciprocal" else "_m.Reciprocal()")


@operator("wrong-logarithm")
def log_base(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """the natural logarithm in place of the binary one, or a shift of the rank more."""
    if called(node) != "InverseLog":
        return
    assert isinstance(node, ast.Call)
    keywords = {k.arg: k.value for k in node.keywords}
    shift = keywords.get("shift", ast.Constant(1))
    offset = keywords.get("offset", ast.Constant(0))
    base = node.args[0] if node.args else parsed("_m.TWO")
    yield parsed("_m.InverseLog(None, s, o)", s=shift, o=offset)
    yield parsed("_m.InverseLog(b, s + 1, o)", b=base, s=shift, o=offset)


@operator("normaliser-lost")
def normaliser_lost(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a quotient keeps its numerator only, or a score is not scaled."""
    if is_function(node, "divide"):
        assert isinstance(node, ast.Call)
        yield node.args[0]
    if isinstance(node, ast.BinOp) and ast.unparse(node.right) == "a.number(scale)":
        yield node.left


@operator("ideal-of-retrieved")
def ideal_of_retrieved(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """the normaliser looks at the documents of the ranking, not at those of the pool."""
    if ast.unparse(node) == "self.normaliser(a, pool)":
        yield parsed("self.normaliser(a, grades)")


@operator("zero-by-zero")
def zero_guard_lost(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """0/0 is not 0 any more but not a number, or 1."""
    if is_function(node, "divide"):
        assert isinstance(node, ast.Call)
        yield ast.BinOp(node.args[0], ast.Div(), node.args[1])
        yield parsed("_m.divide_or_one(x, y)", x=node.args[0], y=node.args[1])


@operator("stale-normaliser")
def stale_normaliser(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """the normaliser of the first topics of a shape is kept for the ones that follow."""
    if is_function(node, "divide"):
        assert isinstance(node, ast.Call)
        yield parsed("divide(x, _m.remembered(y))", x=node.args[0], y=node.args[1])


@operator("effort-lost")
def effort_lost(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """inspecting a document costs nothing."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and "cost" in ast.unparse(node.right):
        yield node.left


@operator("weights-dropped")
def weights_dropped(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """aspects are added up without their weights."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        right = node.right.value if isinstance(node.right, ast.Subscript) else node.right
        if isinstance(right, ast.Name) and right.id == "weights":
            yield node.left


@operator("weights-added")
def weights_added(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """aspects that count alike are weighted."""
    if isinstance(parent, ast.IfExp) and node is parent.orelse and ast.unparse(parent.test) == "self.weighted":
        yield copy.deepcopy(parent.body)


@operator("weights-uniform")
def weights_uniform(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """aspects are weighted alike, whatever their weights."""
    multiplied = isinstance(parent, ast.BinOp | ast.Subscript)
    if isinstance(node, ast.Name) and node.id == "weights" and multiplied:
        yield parsed("_m.uniform(weights)")


def _is_grades(node: ast.expr, parent: ast.AST, *names: str) -> bool:
    """Whether grades are read as numbers: not their shape, not whether they are positive, not just handed on."""
    read = isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
    passed_on = called(parent) in ("positive", "_hits", "step", "total", "normaliser", "kernel")
    sliced = (isinstance(parent, ast.Attribute) and parent.attr == "shape") or isinstance(parent, ast.Subscript)
    return read and not passed_on and not sliced


@operator("grade-clipped")
def clipped(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """grades above 1/2 count as 1/2."""
    if _is_grades(node, parent, "grades", "r", "pool"):
        yield parsed("_m.clipped(x)", x=node)


@operator("grade-binarised")
def binarised(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """every positive grade counts as 1."""
    if _is_grades(node, parent, "grades", "r"):
        yield parsed("a.integers(_m.positive(x))", x=node)


@operator("grade-for-hit")
def grade_for_hit(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a document counts by its grade where every positive grade counts as 1."""
    if is_function(node, "_hits"):
        yield node.args[1]  # type: ignore[attr-defined]


def _state_after(node: ast.expr, parent: ast.AST) -> list[ast.expr]:
    """The components of the state that a `Fold.step` returns beside the gain; none if it returns something else."""
    if isinstance(parent, ast.Return) and isinstance(node, ast.Tuple) and len(node.elts) == 2:
        gain, after = node.elts
        if isinstance(after, ast.Tuple) and not isinstance(gain, ast.Tuple):
            return after.elts
    return []


@operator("earlier-forgotten")
def earlier_forgotten(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """what earlier documents left behind is forgotten: redundancy, who is still looking, how full an aspect is."""
    if is_function(node, "survival"):
        yield parsed("0 * x + 1", x=node.args[0])  # type: ignore[attr-defined]
    for place, _ in enumerate(_state_after(node, parent)):
        changed = copy.deepcopy(node)
        _state_after(changed, parent)[place] = parsed(f"self.start(a)[{place}]")
        yield changed


@operator("earlier-includes-current")
def earlier_inclusive(node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
    """a document counts among its earlier ones."""
    if is_function(node, "survival"):
        yield parsed("s * (1 - x)", s=node, x=node.args[0])  # type: ignore[attr-defined]
    for place, _ in enumerate(_state_after(node, parent)):
        gain, after = node.elts  # type: ignore[attr-defined]
        yield parsed(f"(_m.inclusive(self, a, state, r, {place}, gain), after)", gain=gain, after=after)
