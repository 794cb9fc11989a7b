"""Assign values to names and to entries of arrays, and fill lists and sets."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import filling, refuse_aliases, refuse_shared_entries
from axiomcheck.derivation.cutoffs import within
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.expressions import Expressions
from axiomcheck.derivation.forms import ONE, Form, Quantity, Underivable
from axiomcheck.derivation.functions import Function, LocalObject
from axiomcheck.derivation.indexing import as_mask, item_of
from axiomcheck.derivation.iterators import read, refuse_held
from axiomcheck.derivation.lists_so_far import by_aspect, held_by_aspect, holding
from axiomcheck.derivation.methods import refuse_leaks
from axiomcheck.derivation.values import Array, AspectSet, Builder, Dimension, First, Value


class Assignments(Expressions):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles assignments."""

    def assign(self, target: ast.expr, value: Value, env: Environment) -> None:
        """Assign a value to a name, an attribute, an entry of a container, or a tuple of such targets."""
        if isinstance(target, ast.Name):
            env.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            value = value.unpacked() if isinstance(value, LocalObject) else value
            if isinstance(value, First) and v.are_alike(value.value, value.default):
                value = self.choose(replace(value, value=True, default=False), value.value, value.default)
            if isinstance(value, Array) and value.axes[:1] == (v.ASPECT_AXIS,):
                value = self._first_aspect(target, value)
            elif isinstance(value, tuple) and any(starred := [isinstance(x, ast.Starred) for x in target.elts]):
                place, several = starred.index(True), len(value) - len(starred) + 1
                parts = (value[place : place + several],) if several >= 0 else ()
                value = (*value[:place], *parts, *value[place + several :])
            if not isinstance(value, tuple) or len(value) != len(target.elts):
                raise Underivable(f"unpacks {v.described(value)}, which is not supported")
            for inner, part in zip(target.elts, value, strict=True):
                self.assign(inner.value if isinstance(inner, ast.Starred) else inner, part, env)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            name = target.value.id
            if name not in env.names:
                raise Underivable(f"changes {name}, which is not a local variable")
            owner = env.names[name]
            self._refuse_shared(owner, name, env)
            self.refuse_other_names(name, env)
            env.names[name] = _as_before(self._with_entry(owner, self.value(target.slice, env), value), owner)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
            index = self.value(target.slice, env)
            self.fill(target.value, lambda owner: _as_before(self._with_entry(owner, index, value), owner), env)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = env.names.get(target.value.id)
            if not isinstance(owner, LocalObject) or not owner.changing:
                raise Underivable(
                    f"sets the attribute {target.attr} outside __init__, or in a method whose result is used: "
                    "set it in a method, and call that method in a statement of its own"
                )
            if owner is env.made:
                owner.store(target.attr, value)
                return
            refuse_leaks(owner.kind.value, owner.attributes, owner.returning)
            env.names[target.value.id] = owner.with_value(target.attr, value)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
            index = self.value(target.slice, env)
            self.fill_entry(target.value, lambda owner: self._with_entry(owner, index, value), env)
        else:
            raise Underivable("assigns to a target that is neither a local variable nor an entry of a local variable")

    def fill(self, target: ast.Attribute, change: Callable[[Value], Value], env: Environment) -> None:
        """Change in place a container that is an attribute of the object whose method is running."""
        name = target.value.id if isinstance(target.value, ast.Name) else ""
        owner = env.names.get(name)
        if not isinstance(owner, LocalObject):
            raise Underivable("sets an attribute of an object that was not created in this call")
        env.names[name] = owner.filled(target.attr, change(owner.container(target.attr)))

    def fill_entry(self, target: ast.Subscript, change: Callable[[Value], Value], env: Environment) -> None:
        """Change in place the list or dictionary that a local container holds for the current aspect."""
        name, place = target.value.id if isinstance(target.value, ast.Name) else "", self.value(target.slice, env)
        owner = env.names.get(name)
        if (inner := held_by_aspect(self, owner)) is not None and self.is_aspect(place):
            self.refuse_other_names(name, env)
            refuse_shared_entries(self.functions[-1], name)
            env.names[name] = holding(owner, change(inner))
            return
        raise Underivable("assigns to a target that is neither a local variable nor an entry of a local variable")

    def _first_aspect(self, target: ast.Tuple | ast.List, grades: Array) -> tuple[Value, ...]:
        """Unpack the grades of all aspects for ``first, *rest = grades``; using ``rest`` raises Underivable."""
        rest = v.Failed(Underivable("uses the grades of all aspects except the first"))
        starred = [isinstance(inner, ast.Starred) for inner in target.elts]
        if starred not in ([False], [False, True]):
            raise Underivable("unpacks the grades of several aspects into separate variables")
        return (item_of(self, grades, 0), *[rest][: len(starred) - 1])

    def refuse_other_names(self, name: str, env: Environment) -> None:
        """Refuse to change the value of a name in place if something else may refer to it; see `refuse_aliases`."""
        refuse_aliases(self.functions[-1], name, env.find, lent=self.lent[-1])

    def _refuse_shared(self, owner: Value, name: str, env: Environment) -> None:
        """Refuse to change an array in place if it is an argument or other names refer to it."""
        if isinstance(owner, First):
            self._refuse_shared(owner.value, name, env)
            self._refuse_shared(owner.default, name, env)
        if not isinstance(owner, Array):
            return
        root = owner.memory if owner.root is None else owner.root
        if root == "argument" or any(_holds(value, root) for value in self.given[-1]):
            raise Underivable(f"changes {name}, which may belong to the caller: change {name}.copy() instead")
        for other, value in env.names.items():
            if other != name and _holds(value, root):
                raise Underivable(
                    f"changes {name} in place, which may also change {other}: change {name}.copy() instead"
                )
        if owner.root is not None:
            raise Underivable(f"changes {name}, which may be a view of another array: change {name}.copy() instead")

    def _refuse_cast(self, owner: Array, new: Array) -> None:
        """Refuse to write a number into an array if its dtype is unknown, or would truncate the number."""
        if owner.listed:
            return
        if self.has_open_dtype:
            raise Underivable(
                "changes an array in place and creates one whose dtype depends on its entries: pass dtype"
            )
        if owner.kind != "f":
            self.take_as_integers(new.form)
        if owner.kind != "f" and new.kind not in (owner.kind, "b"):
            raise Underivable("writes floats into an integer array, which truncates them: use a float array")

    def _with_entry(self, owner: Value, index: Value, value: Value) -> Value:
        """Return an array, a list or a dictionary after the assignment ``owner[index] = value``."""
        index = as_mask(index)
        if isinstance(owner, First | Array) and any(isinstance(x, First) for x in (owner, index, value)):
            return self.lifted(self._with_entry, owner, index, value)
        if isinstance(owner, dict) and isinstance(index, str | int):
            refuse_held(value)
            return {**owner, index: value}
        if self.is_aspect(index) and isinstance(owner, Builder | v.Mapping) and (keyed := by_aspect(self, owner)):
            number = v.as_array(value)
            if number.axes:
                raise Underivable("stores an array in a dictionary of aspects inside a loop over ranks")
            return replace(keyed, value=number, keep=None, filling=isinstance(index, v.Index))
        if owner == {} or (isinstance(owner, Builder) and owner.keyed):
            refuse_held(value)
            if isinstance(owner, Builder) and isinstance(owner.entry, tuple) and owner.entry[0] != index:
                raise Underivable("sets several entries of a dictionary in one iteration of a loop")
            return Builder((index, value), keyed=True)
        if isinstance(owner, Array) and owner.keyed and not self.is_aspect(index):
            raise Underivable("sets a key that is not an aspect in a dictionary of aspects")
        if not isinstance(owner, Array) or owner.keep is not None:
            raise Underivable(f"changes an entry of {v.described(owner)}, which is not supported")
        common = _axes_of_mask(owner, index)
        if isinstance(index, Array) and common is not None:
            self._refuse_within_loop(owner)
            if isinstance(value, Array) and value.keep == index.form and value.axes == common:
                new = replace(value, keep=None)  # values match entries, because both were filtered by the same mask
            else:
                new = v.as_array(value, infinite=True)
                if new.axes:
                    raise Underivable("assigns an array to masked entries: use np.where instead")
            self._refuse_cast(owner, new)
            made = v.as_array(self.choose(index.form, new, owner, by_entry=True), infinite=True)
            return replace(made, axes=common, kind=owner.kind, root=None)
        if not owner.axes:
            raise Underivable("assigns to an entry of a number")
        parts = index if isinstance(index, tuple) else (index,)
        if not owner.listed and all(part is ... or part == slice(None) for part in parts):
            return self._with_all(owner, v.as_array(value))
        part = _part_of_ranks(owner, index)
        if part is not None:
            self._refuse_within_loop(owner, index)
            return self._with_part(owner, *part, v.as_array(value))
        place, index = _only_place(owner, index)
        new, axis, rest = v.as_array(value), owner.axes[place], [*owner.axes[:place], *owner.axes[place + 1 :]]
        only = axis.kind == "one" and index == 0 and not isinstance(index, bool) and (owner.keyed or not self.loops)
        current = (
            only
            or (isinstance(index, v.Index) and index.kind == axis.kind)
            or (axis.kind == "rank" and isinstance(index, Array) and not index.axes and index.form == v.PLACE)
        )
        if axis.kind == "rank" and index == 0 and not new.axes and not new.form.at_rank and not owner.listed:
            self._refuse_cast(owner, new)
            self._refuse_within_loop(owner)
            return replace(owner, form=within(1) * new.form + (ONE - within(1)) * owner.form, root=None)
        if not current or (new.axes and new.axes != tuple(rest)):
            raise Underivable("changes an entry other than the loop's current one: use the loop's index")
        self._refuse_cast(owner, new)
        made = replace(owner, form=new.form, kind=new.kind if owner.listed else owner.kind, root=None)
        return made if only else filling(made, axis.kind)

    def _refuse_within_loop(self, owner: Array, index: Value = ()) -> None:
        """Refuse to change several entries along an axis in each iteration of a loop over that axis."""
        current = [part.kind for part in index if isinstance(part, v.Index)] if isinstance(index, tuple) else []
        if any(axis.kind in self.loops and axis.kind not in current for axis in owner.axes):
            raise Underivable("changes several entries of an array in each iteration of a loop")

    def _with_all(self, owner: Array, new: Array) -> Array:
        """Return an array after assigning to all of its entries."""
        self._refuse_within_loop(owner)
        self._refuse_cast(owner, new)
        axes = arithmetic.broadcast(owner, new)
        if [(x.kind, x.length) for x in axes] != [(x.kind, x.length) for x in owner.axes]:
            raise Underivable("assigns an array of a different shape to all entries")
        return replace(owner, axes=axes, form=new.form, root=None)

    def _with_part(self, owner: Array, place: int, part: slice, new: Array) -> Array:
        """Return an array after assigning a number to a slice, or a shorter array to all ranks but the first."""
        axis = owner.axes[place]
        self._refuse_cast(owner, new)
        if new.axes:
            if part.start != 1 or (part.stop is not None and v.as_array(part.stop).form != axis.length):
                raise Underivable("assigns an array to a slice of ranks, which is not supported")
            shorter = replace(new.axes[place], length=axis.length - ONE)
            if new.axes != (*owner.axes[:place], shorter, *owner.axes[place + 1 :]):
                raise Underivable("assigns an array of a different shape to a slice of ranks")
            first = replace(owner, form=owner.form.replace(_at_first))
            return replace(self.shifted(first, new, place), kind=owner.kind)
        bounds = [0 if part.start is None else part.start, part.stop]
        if part.step is not None or not all(type(bound) is int and bound >= 0 for bound in bounds if bound is not None):
            raise Underivable("assigns to a slice whose bounds are not constants")
        if new.form.at_rank:
            raise Underivable("assigns a value that depends on the rank to a slice")
        start, stop = bounds
        inside = (ONE if stop is None else within(stop)) - within(start)
        if stop is not None and stop <= start:
            return owner
        return replace(owner, form=inside * new.form + (ONE - inside) * owner.form, root=None)

    def augment(self, statement: ast.AugAssign, env: Environment) -> None:
        """Run an augmented assignment such as ``+=``."""
        target = statement.target
        load = ast.copy_location(ast.parse(ast.unparse(target), mode="eval").body, target)
        for node in ast.walk(load):
            ast.copy_location(node, target)
        before, operand = self.value(load, env), self.value(statement.value, env)
        is_plain = v.is_number(before) or isinstance(before, First | str)
        if isinstance(target, ast.Name) and not (is_plain or (isinstance(before, Array) and not before.axes)):
            self._refuse_shared(before, target.id, env)
            self.refuse_other_names(target.id, env)
        if isinstance(target, ast.Attribute) and not is_plain and not (isinstance(before, Array) and not before.axes):
            raise Underivable(f"changes the attribute {target.attr} with an operator: set it to a new value")
        held = isinstance(target, ast.Subscript) and isinstance(self.value(target.value, env), dict)
        if held and isinstance(before, Array) and before.axes:
            raise Underivable(
                "changes an array in a dictionary in place, although a variable may refer to it: store a new array"
            )
        if isinstance(before, tuple | dict) or (isinstance(before, Array) and before.listed and before.axes):
            raise Underivable("changes a list with an operator such as +=, which affects all of its names: use append")
        after = self.binary(statement.op, before, operand)
        if isinstance(before, Array) and before.axes and isinstance(after, Array):
            if after.axes != before.axes:
                raise Underivable("changes the shape of an array with an in-place operator")
            self._refuse_cast(before, after)
        self.assign(target, _as_before(after, before) if isinstance(target, ast.Name) else after, env)

    def extended(self, owner: Value, method: str, arguments: Sequence[Value]) -> Value:
        """Return a container after a call of append, add, update, setdefault or pop."""
        if isinstance(owner, tuple) and not isinstance(owner, v.PythonList):
            raise Underivable(f"calls {method} on a value that may be a tuple")
        if isinstance(owner, tuple) and owner and method == "pop" and not arguments:
            return v.PythonList(owner[:-1])
        if isinstance(owner, v.Failed):
            raise owner.error
        if method == "setdefault" and len(arguments) == 2 and (keyed := by_aspect(self, owner)) is not None:
            made = self._with_entry(keyed, *arguments)
            return made if keyed.keep is None else self.choose(keyed.keep, keyed, made)
        if len(arguments) != 1:
            raise Underivable(f"calls {method} on {v.described(owner)}, which is not supported")
        (value,) = arguments
        more = read(value)
        if method == "update" and isinstance(more, AspectSet) and not self.in_aspect_loop:
            if isinstance(owner, Array) and owner.keyed == "some":
                return replace(owner, form=owner.form + more.member, origin=owner.memory)
            return self.binary(ast.BitOr(), owner, more)
        refuse_held(value)
        if isinstance(owner, dict) and isinstance(more, dict) and method == "update":
            return owner | more
        if isinstance(owner, tuple) and method == "append":
            return v.PythonList((*owner, value))
        if isinstance(owner, Builder) and method == "append" and not owner.keyed:
            if owner.entry is not None:
                raise Underivable("appends twice to a list in one iteration of a loop")
            return replace(owner, entry=value, certain=self.is_certain)
        if isinstance(owner, AspectSet) and method == "add" and self.is_aspect(value):
            return AspectSet(ONE, filling=isinstance(value, v.Index))
        if isinstance(owner, AspectSet | v.SeenDocuments) and method == "add" and isinstance(value, v.Document):
            return v.SeenDocuments(value.over, ONE)
        raise Underivable(f"calls {method} on {v.described(owner)}, which is not supported")


def _part_of_ranks(owner: Array, index: Value) -> tuple[int, slice] | None:
    """Return (position of the rank axis, slice) if an index slices only the ranks; otherwise None."""
    parts = index if isinstance(index, tuple) else (index,)
    whole = zip(parts, owner.axes, strict=False)
    known = (isinstance(x, slice) or (isinstance(x, v.Index) and x.kind == axis.kind) for x, axis in whole)
    if owner.listed or len(parts) > len(owner.axes) or not all(known):
        return None
    places = [place for place, part in enumerate(parts) if part != slice(None) and isinstance(part, slice)]
    if len(places) != 1 or owner.axes[places[0]].kind != "rank":
        return None
    part = parts[places[0]]
    return (places[0], part) if isinstance(part, slice) else None


def _axes_of_mask(owner: Array, index: Value) -> tuple[Dimension, ...] | None:
    """Return the axes of an array if an index is a mask over its first axes; None for any other index."""
    if not isinstance(index, Array) or index.kind != "b" or index.keep is not None or not owner.axes:
        return None
    shapes = [[(axis.kind, axis.length) for axis in array.axes[: len(index.axes)]] for array in (owner, index)]
    others = (v.ONE_AXIS,) * (len(owner.axes) - len(index.axes))
    mask = replace(index, axes=(*index.axes, *others))
    return arithmetic.broadcast(owner, mask) if index.axes and shapes[0] == shapes[1] else None


def _only_place(owner: Array, index: Value) -> tuple[int, Value]:
    """Return (axis, index along it) for the only axis that an index restricts; axis 0 if there is not exactly one."""
    parts = index if isinstance(index, tuple) else (index,)
    places = [place for place, part in enumerate(parts) if part != slice(None)]
    if owner.listed or len(parts) > len(owner.axes) or len(places) != 1:
        return 0, index
    return places[0], parts[places[0]]


def _at_first(atom: Quantity) -> Form | None:
    """Return 1, the value at rank 1, for the rank and for an indicator of the first k ranks; None for other atoms."""
    return ONE if atom.kind in ("rank", "within") else None


def _as_before(after: Value, before: Value) -> Value:
    """Record that an array is the same object as it was before a change in place."""
    if isinstance(after, Array) and isinstance(before, Array) and before.axes:
        return replace(after, origin=before.memory)
    return after


def _holds(value: Value, memory: object) -> bool:
    """Return True if a value is or contains the array that ``memory`` identifies, or a view of that array."""
    if isinstance(value, Array):  # a number is a copy
        return bool(value.axes) and (value.memory is memory or value.root is memory)
    if isinstance(value, tuple | dict):
        return any(_holds(part, memory) for part in v.entries(value))
    if isinstance(value, LocalObject):
        return any(_holds(part, memory) for part in value.attributes.values())
    if isinstance(value, Function):
        read = value.names_read() & value.defined_in.names.keys() if value.defined_in is not None else set()
        held = [value.defined_in.names[name] for name in sorted(read)] if value.defined_in is not None else []
        return _holds(value.bound, memory) or any(_holds(part, memory) for part in held if part is not value)
    if isinstance(value, v.Once):  # it may read any array when it is read
        return True
    kinds = First | v.Largest | v.Mapping | v.Loop | v.Method | Builder | v.Documents
    return isinstance(value, kinds) and any(_holds(getattr(value, part.name), memory) for part in fields(value))
