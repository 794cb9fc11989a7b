"""The mutation operators: each turns one expression of a metric's source into another that a slip could have written.

An operator sees one expression and its parent, and yields replacements. `_m` in a replacement is the mutant's own
`mutants.runtime.Runtime`, injected into the mutated module.
"""

from __future__ import annotations

import ast
import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

__all__ = ["OPERATORS", "Operator"]


class Operator(ABC):
    """One kind of slip; the docstring of a subclass is its description in reports."""

    name: str

    @property
    def description(self) -> str:
        """One line."""
        return (type(self).__doc__ or "").strip()

    @abstractmethod
    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        """Replacements of an expression; none where the operator does not apply."""


def _parsed(template: str, **parts: ast.expr) -> ast.expr:
    """An expression with names replaced by expressions."""

    class Filled(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return copy.deepcopy(parts[name.id]) if name.id in parts else name

    filled: ast.expr = Filled().visit(ast.parse(template, mode="eval")).body
    return filled


def _called(node: ast.AST) -> str:
    """The name of the function or method that a call calls; empty if it is no call."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _is_function(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _with(node: ast.expr, change: Callable[[ast.expr], None]) -> ast.expr:
    changed = copy.deepcopy(node)
    change(changed)
    return changed


class Relaxed(Operator):
    """`>` becomes `>=` and `<` becomes `<=` (and the other way round)."""

    name = "comparison-relaxed"
    _others = {ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt}  # noqa: RUF012 - never changed

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if isinstance(node, ast.Compare) and type(node.ops[0]) in self._others:
            yield ast.Compare(node.left, [self._others[type(node.ops[0])]()], node.comparators)
        if _is_function(node, "positive"):
            yield _parsed("~positive(0 - x)", x=node.args[0])  # type: ignore[attr-defined]
        if _is_function(node, "below"):
            yield _parsed("~positive(x - y)", x=node.args[0], y=node.args[1])  # type: ignore[attr-defined]


class Raised(Operator):
    """a document counts as relevant from a grade above 1/2 on, not above 0."""

    name = "relevant-above-half"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_function(node, "positive"):
            yield _parsed("positive(2 * x - 1)", x=node.args[0])  # type: ignore[attr-defined]


class Swapped(Operator):
    """`+` becomes `-`, `-` becomes `+`, `*` becomes `+`, `/` becomes `*`."""

    name = "arithmetic-swapped"
    _others = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult}  # noqa: RUF012

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if isinstance(node, ast.BinOp) and type(node.op) in self._others:
            yield ast.BinOp(node.left, self._others[type(node.op)](), node.right)


class ConstantOff(Operator):
    """a whole number of a formula is one more, or one less."""

    name = "constant-off-by-one"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        whole = isinstance(node, ast.Constant) and type(node.value) is int
        place = isinstance(parent, ast.Subscript | ast.UnaryOp | ast.Tuple) or (
            isinstance(parent, ast.keyword) and parent.arg == "axis"
        )
        if whole and not place:
            assert isinstance(node, ast.Constant)
            for step in (1,) if isinstance(parent, ast.Compare) else (1, -1):
                yield _parsed(str(node.value + step))  # type: ignore[operator]


class WrongAxis(Operator):
    """an operation along aspects runs along ranks, or the other way round."""

    name = "wrong-axis"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if isinstance(parent, ast.keyword) and parent.arg == "axis":
            yield _parsed({"-1": "-2", "-2": "-1"}[ast.unparse(node)])
        if (
            isinstance(node, ast.Subscript)
            and ast.unparse(node.value) in ("grades.shape", "gain.shape")
            and ast.unparse(node.slice) in ("-1", "-2")
            and not (isinstance(parent, ast.Compare) and ast.unparse(parent.comparators[0]) == "1")
        ):
            other = {"-1": "-2", "-2": "-1"}[ast.unparse(node.slice)]
            yield _parsed(f"x[{other}]", x=node.value)


class RankOff(Operator):
    """rank i gets the discount of rank i + 1."""

    name = "rank-off-by-one"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) == "discounts":
            assert isinstance(node, ast.Call)
            yield _parsed("a.discounts(d, n + 1)[1:]", d=node.args[0], n=node.args[1])


class RankRepeated(Operator):
    """ranks are counted from 0 with a guard: ranks 1 and 2 both get the discount of rank 1."""

    name = "first-rank-twice"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) == "discounts":
            assert isinstance(node, ast.Call)
            yield _parsed("a.discounts(d, n)[_m.ranks_from_zero(n)]", d=node.args[0], n=node.args[1])


class DiscountLost(Operator):
    """every rank counts the same."""

    name = "discount-lost"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) == "discounts":
            yield _parsed("0 * x + 1", x=node)


class DiscountExchanged(Operator):
    """1/i in place of 1/log2(i + 1) or a power of p, 1/log2(i + 1) in place of 1/i."""

    name = "discount-exchanged"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        name = _called(node)
        if name in ("Reciprocal", "InverseLog", "Geometric"):
            yield _parsed("_m.InverseLog()" if name == "Reciprocal" else "_m.Reciprocal()")


class LogBase(Operator):
    """the natural logarithm in place of the binary one, or a shift of the rank more."""

    name = "wrong-logarithm"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) != "InverseLog":
            return
        assert isinstance(node, ast.Call)
        keywords = {k.arg: k.value for k in node.keywords}
        shift = keywords.get("shift", ast.Constant(1))
        offset = keywords.get("offset", ast.Constant(0))
        base = node.args[0] if node.args else _parsed("_m.TWO")
        yield _parsed("_m.InverseLog(None, s, o)", s=shift, o=offset)
        yield _parsed("_m.InverseLog(b, s + 1, o)", b=base, s=shift, o=offset)


class NormaliserLost(Operator):
    """a quotient keeps its numerator only."""

    name = "normaliser-lost"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_function(node, "divide"):
            assert isinstance(node, ast.Call)
            yield node.args[0]
        if isinstance(node, ast.BinOp) and "a.number(Fraction(1," in ast.unparse(node.right):
            yield node.left


class ZeroGuardLost(Operator):
    """0/0 is not 0 any more but not a number, or 1."""

    name = "zero-by-zero"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_function(node, "divide"):
            assert isinstance(node, ast.Call)
            yield ast.BinOp(node.args[0], ast.Div(), node.args[1])
            yield _parsed("_m.divide_or_one(x, y)", x=node.args[0], y=node.args[1])


class StaleNormaliser(Operator):
    """the normaliser of the first topics of a shape is kept for the ones that follow."""

    name = "stale-normaliser"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_function(node, "divide"):
            assert isinstance(node, ast.Call)
            yield _parsed("divide(x, _m.remembered(y))", x=node.args[0], y=node.args[1])


class WeightsDropped(Operator):
    """gains are summed over aspects without their weights."""

    name = "weights-dropped"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            right = node.right.value if isinstance(node.right, ast.Subscript) else node.right
            if isinstance(right, ast.Name) and right.id == "weights":
                yield node.left
        if _is_function(node, "_over_aspects"):
            assert isinstance(node, ast.Call)
            if isinstance(node.args[1], ast.Name):
                yield _parsed("_over_aspects(x, None)", x=node.args[0])


class WeightsUniform(Operator):
    """aspects are weighted alike, whatever their weights."""

    name = "weights-uniform"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        multiplied = isinstance(parent, ast.BinOp | ast.Subscript)
        if isinstance(node, ast.Name) and node.id == "weights" and multiplied:
            yield _parsed("_m.uniform(weights)")


def _is_grades(node: ast.expr, parent: ast.AST, *names: str) -> bool:
    """Whether grades are read as numbers: not their shape, and not whether they are positive."""
    read = isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
    passed_on = _called(parent) in ("positive", "novelty_gain", "_coverage", "_global_ndcg")
    return read and not passed_on and not (isinstance(parent, ast.Attribute) and parent.attr == "shape")


class Clipped(Operator):
    """grades above 1/2 count as 1/2."""

    name = "grade-clipped"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_grades(node, parent, "grades", "r", "pool"):
            yield _parsed("_m.clipped(x)", x=node)


class Binarised(Operator):
    """every positive grade counts as 1."""

    name = "grade-binarised"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_grades(node, parent, "grades", "r"):
            yield _parsed("a.integers(_m.positive(x))", x=node)


class CascadeForgotten(Operator):
    """what earlier documents satisfied is forgotten: the survival or novelty factor is 1, the earlier total 0."""

    name = "earlier-forgotten"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_function(node, "survival"):
            yield _parsed("0 * x + 1", x=node.args[0])  # type: ignore[attr-defined]
        if _is_function(node, "earlier_total"):
            yield _parsed("0 * x", x=node.args[0])  # type: ignore[attr-defined]


class CascadeInclusive(Operator):
    """a document counts among its earlier ones."""

    name = "earlier-includes-current"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_function(node, "survival"):
            yield _parsed("s * (1 - x)", s=node, x=node.args[0])  # type: ignore[attr-defined]
        if _is_function(node, "earlier_total"):
            yield _parsed("s + x", s=node, x=node.args[0])  # type: ignore[attr-defined]


class AllForAny(Operator):
    """every document has to be relevant where some had to."""

    name = "all-for-any"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) == "any":

            def change(call: ast.expr) -> None:
                call.func.attr = "all"  # type: ignore[attr-defined]

            yield _with(node, change)


class SumToFirst(Operator):
    """a sum over ranks or aspects takes the first only (the aspect axis dropped)."""

    name = "sum-to-first"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) == "sum" and "-1" in ast.unparse(node):
            yield _parsed("x[..., 0]", x=node.func.value)  # type: ignore[attr-defined]


class SumMissesLast(Operator):
    """a sum or product over ranks or aspects misses the last one."""

    name = "last-missed"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _called(node) == "sum" and "-1" in ast.unparse(node):
            yield _parsed("_m.without_last(x).sum(axis=-1)", x=node.func.value)  # type: ignore[attr-defined]


class CutoffOff(Operator):
    """the cutoff is one more, or one less."""

    name = "cutoff-off-by-one"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_cutoff(node) and not isinstance(parent, ast.Compare):
            for step in (1, -1):
                yield _parsed(f"_m.shifted(x, {step})", x=node)


def _is_cutoff(node: ast.expr) -> bool:
    return ast.unparse(node) in ("cutoff", "self.cutoff")


class CutoffLost(Operator):
    """a slice goes to the end, not to the cutoff."""

    name = "cutoff-lost"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if _is_cutoff(node) and isinstance(parent, ast.Slice):
            yield ast.Constant(None)


class ParameterIgnored(Operator):
    """the default is used in place of the parameter that is given (the cutoff included)."""

    name = "parameter-ignored"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "self.values":
            yield _parsed("_m.default_of(self, key)", key=node.slice)
        if ast.unparse(node) == "self.cutoff" and isinstance(parent, ast.Call | ast.Slice):
            yield _parsed("self.default_cutoff")


class ParameterComplement(Operator):
    """a parameter x is taken for 1 - x."""

    name = "parameter-complement"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if ast.unparse(node) in [f"self.values['{name}']" for name in ("alpha", "p", "lambda", "e")]:
            yield _parsed("1 - x", x=node)


class BranchFlipped(Operator):
    """a flag does the opposite of what it says."""

    name = "branch-flipped"

    def rewrites(self, node: ast.expr, parent: ast.AST) -> Iterator[ast.expr]:
        if isinstance(node, ast.IfExp):
            yield ast.IfExp(node.test, node.orelse, node.body)


OPERATORS: dict[str, Operator] = {
    operator.name: operator
    for operator in (
        Relaxed(),
        Raised(),
        Swapped(),
        ConstantOff(),
        WrongAxis(),
        RankOff(),
        RankRepeated(),
        DiscountLost(),
        DiscountExchanged(),
        LogBase(),
        NormaliserLost(),
        ZeroGuardLost(),
        StaleNormaliser(),
        WeightsDropped(),
        WeightsUniform(),
        Clipped(),
        Binarised(),
        CascadeForgotten(),
        CascadeInclusive(),
        AllForAny(),
        SumToFirst(),
        SumMissesLast(),
        CutoffOff(),
        CutoffLost(),
        ParameterIgnored(),
        ParameterComplement(),
        BranchFlipped(),
    )
}
"""The operators on source, by name, in report order."""
