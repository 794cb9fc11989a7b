"""Assign values to names and to entries of arrays, and fill lists and sets."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from axiomcheck.derivation import values as v
from axiomcheck.derivation.expressions import Expressions
from axiomcheck.derivation.forms import ONE, Underivable, within
from axiomcheck.derivation.values import Array, AspectSet, Builder, Environment, First, Value


class Assignments(Expressions):
    """Assignments of the interpreter. See `axiomcheck.derivation.interpreter.Interpreter`."""

    def assign(self, target: ast.expr, value: Value, env: Environment) -> None:
        """Assign a value to a name, a tuple of names, or an entry of an array."""
        if isinstance(target, ast.Name):
            env.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            if not isinstance(value, tuple) or len(value) != len(target.elts):
                raise Underivable(f"unpacks {v.described(value)}")
            for inner, part in zip(target.elts, value, strict=True):
                self.assign(inner, part, env)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            name = target.value.id
            if name not in env.names:
                raise Underivable(f"changes {name}, which is not its own")
            owner = env.names[name]
            self._refuse_shared(owner, name, env)
            env.names[name] = self._with_entry(owner, self.value(target.slice, env), value)
        else:
            raise Underivable("assigns to something else than a local name or an entry of a local array")

    def _refuse_shared(self, owner: Value, name: str, env: Environment) -> None:
        """Refuse to change an array in place that has other names or is an argument."""
        root = owner.root if isinstance(owner, Array) and owner.root is not None else owner
        if root == "argument":
            raise Underivable(f"changes {name}, which is the caller's array")
        for other, value in env.names.items():
            if other != name and (value is owner or (isinstance(value, Array) and value.root is root)):
                raise Underivable(f"changes {name} in place, which is {other}, too")
        if isinstance(owner, Array) and owner.root is not None:
            raise Underivable(f"changes {name} in place, which is a part of another array")

    def _with_entry(self, owner: Value, index: Value, value: Value) -> Value:
        """Return an array with entries replaced: the current ones of a loop, or those of a mask."""
        if not isinstance(owner, Array) or owner.keep is not None:
            raise Underivable(f"changes an entry of {v.described(owner)}")
        if isinstance(value, First):
            return self.lifted(lambda x: self._with_entry(owner, index, x), value)
        if isinstance(index, Array) and index.kind == "b" and index.axes == owner.axes:
            new = v.as_array(value)
            if new.axes:
                raise Underivable("assigns an array to the entries of a mask")
            return self.choose(index.form, replace(new, axes=()), owner)
        if not owner.axes:
            raise Underivable("changes an entry of a number")
        new, (axis, *rest) = v.as_array(value), owner.axes
        current = (isinstance(index, v.Index) and index.kind == axis.kind) or (
            axis.kind == "rank" and isinstance(index, Array) and not index.axes and index.form == v.PLACE
        )
        if axis.kind == "rank" and index == 0 and not new.axes and not new.form.at_rank and not owner.listed:
            return replace(owner, form=within(1) * new.form + (ONE - within(1)) * owner.form, root=None)
        if not current or (new.axes and new.axes != tuple(rest)):
            raise Underivable("changes an entry that is not the current one of a loop")
        if owner.kind != "f" and new.kind == "f" and not owner.listed:
            raise Underivable("puts floats into an array of integers, which cuts them off")
        return replace(owner, form=new.form, kind=new.kind if owner.listed else owner.kind, root=None)

    def augment(self, statement: ast.AugAssign, env: Environment) -> None:
        """Run an assignment with an operator."""
        target = statement.target
        load = ast.copy_location(ast.parse(ast.unparse(target), mode="eval").body, target)
        for node in ast.walk(load):
            ast.copy_location(node, target)
        before, operand = self.value(load, env), self.value(statement.value, env)
        if isinstance(before, AspectSet) and isinstance(statement.op, ast.BitOr) and isinstance(operand, AspectSet):
            self.assign(target, AspectSet(before.member + operand.member - before.member * operand.member), env)
            return
        if isinstance(target, ast.Name) and isinstance(before, Array) and before.axes and not before.listed:
            self._refuse_shared(before, target.id, env)
        after = self.binary(statement.op, before, operand)
        if isinstance(before, Array) and before.axes and isinstance(after, Array):
            if after.axes != before.axes:
                raise Underivable("changes the shape of an array in place")
            if before.kind != "f" and after.kind == "f" and not before.listed:
                raise Underivable("puts floats into an array of integers")
        self.assign(target, after, env)

    def extended(self, owner: Value, method: str, arguments: Sequence[Value]) -> Value:
        """Return a list or a set with one more element."""
        (value,) = arguments
        if isinstance(owner, Builder) and method == "append":
            if owner.entry is not None:
                raise Underivable("appends twice to a list in one step of a loop")
            return Builder(value)
        if isinstance(owner, AspectSet) and method == "add" and value == v.Index("aspect"):
            return AspectSet(ONE)
        if isinstance(owner, AspectSet | v.SeenDocuments) and method == "add" and isinstance(value, v.Document):
            return v.SeenDocuments()
        raise Underivable(f"fills a {v.described(owner)} by {method}")
