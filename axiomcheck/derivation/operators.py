"""Evaluate arithmetic operators on numbers, arrays, lists and sets."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.conditions import ConditionRules
from axiomcheck.derivation.constants import computed, has_fraction
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.forms import (
    ASPECTS,
    LENGTH,
    ONE,
    POOL,
    Form,
    Underivable,
    inverse,
    of_atom,
    positive,
)
from axiomcheck.derivation.machine import POSITIONS, RANKING
from axiomcheck.derivation.plain_values import of_plain, on_text
from axiomcheck.derivation.values import Array, AspectSet, Document, Documents, First, Value

_OPERATORS: dict[type[ast.operator], Callable[[Array, Array], Value]] = {
    ast.Add: arithmetic.add,
    ast.Sub: arithmetic.subtract,
    ast.Mult: arithmetic.multiply,
    ast.Div: arithmetic.divide,
    ast.Pow: arithmetic.raise_to,
    ast.BitAnd: arithmetic.both,
    ast.BitOr: arithmetic.either,
}


_PLAIN_OPERATORS: dict[type[ast.operator], Callable[..., Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class Operators(ConditionRules):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles operators."""

    def call(self, callee: Value, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
        """Call a function. `Expressions` implements this method."""
        raise NotImplementedError

    def binary(self, op: ast.operator, one: Value, two: Value) -> Value:
        """Return the value of a binary operator."""
        if isinstance(one, First) or isinstance(two, First):
            return self.lifted(lambda x, y: self.binary(op, x, y), one, two)
        plain = _PLAIN_OPERATORS.get(type(op))
        if isinstance(op, ast.Mult) and any(isinstance(x, tuple) and not all(map(v.is_number, x)) for x in (one, two)):
            raise Underivable("repeats a list of lists, which repeats references: use a comprehension")
        if isinstance(op, ast.Mult) and any(
            isinstance(row, tuple | str) and isinstance(times, int) and len(row) * times > LONGEST
            for row, times in ((one, two), (two, one))
        ):
            raise Underivable("creates a list of constants that is too long")
        if isinstance(op, ast.FloorDiv | ast.Mod) and has_fraction((one, two)):
            raise Underivable("rounds a constant that floats may round differently")
        if isinstance(op, ast.Mod) and isinstance(one, str):
            return on_text(one, "__mod__", [two], {})
        if plain and all(isinstance(x, int | Fraction | str | tuple) for x in (one, two)):
            made = computed(plain, of_plain(plain, one, two), one, two)
            lists = [isinstance(x, v.PythonList) for x in (one, two) if isinstance(x, tuple)]
            if isinstance(op, ast.Add) and len(set(lists)) > 1:
                raise Underivable("adds two values, one of which may be a list and the other a tuple")
            return v.PythonList(v.entries(made)) if lists and all(lists) else made
        if isinstance(op, ast.Mult):
            for row, count in ((one, two), (two, one)):
                if isinstance(row, tuple) and len(row) == 1 and isinstance(count, Array) and not count.axes:
                    if count.kind == "f":
                        raise Underivable("repeats a list a number of times that is a float: convert it with int")
                    return self._repeated(row[0], count.form)
        if isinstance(one, AspectSet) and isinstance(two, AspectSet) and type(op) in arithmetic.OF_SETS:
            v.refuse_filling(one)
            v.refuse_filling(two)
            return AspectSet(arithmetic.OF_SETS[type(op)](one.member, two.member))
        if isinstance(op, ast.BitAnd | ast.Sub) and isinstance(one, Documents) and isinstance(two, Documents):
            if one.listed or two.listed:
                raise Underivable("computes with a list or set of documents, which is not supported")
            swapped = isinstance(op, ast.BitAnd) and two.axis.over == RANKING
            return self._selected(*((two, one) if swapped else (one, two)), isinstance(op, ast.BitAnd))
        if isinstance(op, ast.MatMult):
            return self.call(np.matmul, [one, two], {})
        operation = _OPERATORS.get(type(op))
        if operation is None:
            _, sign, _ = ast.unparse(ast.BinOp(ast.Name("x"), op, ast.Name("y"))).split()
            raise Underivable(f"uses {sign} on {v.described(one)} and {v.described(two)}, which is not supported")
        keep = arithmetic.common_keep(one, two)
        if keep is not None:
            kept = self.binary(op, *(replace(x, keep=None) if isinstance(x, Array) else x for x in (one, two)))
            return replace(v.as_array(kept), keep=keep)
        x, y = v.as_array(one), v.as_array(two, infinite=isinstance(op, ast.Div))
        mixed = self.mixtures and {x.kind, y.kind} == {"i", "f"} and (one if x.kind == "f" else two) in (x, y)
        if isinstance(op, ast.Pow) and mixed and not x.maker == y.maker == "Python" and y.form.constant is None:
            raise Underivable("raises a number to a power, and either may be a numpy integer: convert it to float")
        # 2 ** -i is an integer at i = 0, and a float afterwards
        self.mixtures += isinstance(op, ast.Pow) and "f" not in (x.kind, y.kind) and y.form.constant is None
        if (one is x and x.listed and x.axes) or (two is y and y.listed and y.axes):
            raise Underivable("uses arithmetic on lists: convert them with np.array")
        if isinstance(op, ast.BitAnd | ast.BitOr) and not x.kind == y.kind == "b":
            raise Underivable("combines numbers with a bitwise operator; only booleans are supported")
        made = self._quotient(x, y) if isinstance(op, ast.Div) else operation(x, y)
        if v.is_number(one) and v.is_number(two):
            divides = isinstance(op, ast.Div)
            return computed(operator.truediv if divides else operator.pow, made, one, two, known=divides)
        return made

    def _quotient(self, one: Array, two: Array) -> Value:
        """Divide two arrays, after cancelling common totals that are known to be positive."""
        for atom in set(two.form.atoms()):
            each = [dict(product).get(atom, 0) for form in (one.form, two.form) for product in form.terms]
            if atom.kind == "final" and min(each, default=0) > 0 and self.holds(positive(of_atom(atom))):
                one, two = (replace(x, form=x.form * inverse(of_atom(atom))) for x in (one, two))
        if two.form.is_indicator() and self.holds(two.form):
            return arithmetic.divide(one, replace(two, form=ONE))
        two = replace(two, form=self.of_rank(two.form))
        inverted = self.reciprocal(two.form)
        if inverted is None:
            return arithmetic.divide(one, two)
        return arithmetic.multiply(one, replace(two, form=inverted, kind="f"))

    def _repeated(self, entry: Value, count: Form) -> Value:
        array = v.as_array(entry)
        if array.axes or array.form.at_rank:
            raise Underivable("repeats a list of values that are not constant numbers")
        if count == ASPECTS:
            return replace(array, axes=(v.ASPECT_AXIS,), listed=True)
        if count in (LENGTH, POOL) or self.relevant(count) is not None:
            return replace(array, axes=(v.Dimension("rank", count, POSITIONS),), listed=True)
        raise Underivable("repeats a list a number of times that is not a constant or a length: sum without padding")

    def _selected(self, one: Documents, two: Documents, common: bool) -> Documents:
        """Return the intersection of two sets of documents if ``common`` is True, else their difference."""
        if one.axis.over == two.axis.over == RANKING and (one.axis.length.at_rank or two.axis.length.at_rank):
            raise Underivable("combines two sets of ranked documents in a loop over ranks: use a condition instead")
        inside = v.as_array(self.compare(ast.In(), Document(one.axis.over), two)).form
        keep = inside if common else ONE - inside
        return Documents(one.axis, keep if one.keep is None else keep * one.keep, ordered=False, listed=False)

    def unary(self, op: ast.unaryop, operand: Value) -> Value:
        """Return the value of a unary operator."""
        if isinstance(operand, First):
            return self.lifted(lambda x: self.unary(op, x), operand)
        if isinstance(op, ast.Not):
            return self.negated(operand)
        array = v.as_array(operand)
        if isinstance(op, ast.UAdd) and array.kind == "b":
            raise Underivable("applies + to a boolean, which numpy refuses: convert it with int")
        if isinstance(op, ast.USub) and v.is_number(operand) and array.kind != "b":
            return computed(operator.neg, -operand, operand)
        if array.listed and array.axes:
            raise Underivable("uses arithmetic on a list: convert it with np.array")
        if isinstance(op, ast.USub):
            return arithmetic.negate(array)
        if isinstance(op, ast.Invert) and array.kind == "b" and array.axes:
            return arithmetic.opposite(array)
        if isinstance(op, ast.UAdd):
            return operand
        raise Underivable("applies ~ to a number; only booleans are supported")
