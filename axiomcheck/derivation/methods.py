"""Read the methods of a user's class: find the attributes that they change, and refuse references that they keep."""

from __future__ import annotations

import ast
import builtins
import collections
import dataclasses
import reprlib
from collections.abc import Mapping
from types import FunctionType

from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.source import Definition, definition_of, is_user_function, own_bases
from axiomcheck.derivation.values import Value
from axiomcheck.sources.field_classes import fields_of_dataclass, fields_of_tuple, is_frozen

_OF_DATACLASSES = (dataclasses.__file__, reprlib.__file__)
"""Files with functions that are methods of dataclasses."""

NEW = (list, set, dict, collections.Counter, collections.defaultdict)
"""Functions that make a container to which nothing else refers."""

_READ = (*NEW, sum, any, all, min, max, tuple, sorted)
"""Functions that have read an iterator to its end when they return."""

_LATE = ast.Lambda | ast.FunctionDef | ast.GeneratorExp | ast.Yield | ast.YieldFrom
"""Code that may read an object after the call of a method."""


def functions_of(kind: type) -> list[FunctionType]:
    """Return the user's functions in a class and its bases, including the getters of properties."""
    members = [member for base in own_bases(kind) for member in vars(base).values()]
    members = [member.fget if isinstance(member, property) else member for member in members]
    written = [member for member in members if isinstance(member, FunctionType) and is_user_function(member)]
    return [x for x in written if not fields_of_dataclass(kind) or x.__code__.co_filename != "<string>"]


def methods_of(kind: type) -> list[Definition]:
    """Return the definitions of `functions_of` a class."""
    return list(map(definition_of, functions_of(kind)))


def names_set(kind: type) -> set[str]:
    """Return the attributes that methods may set or change in place (``__init__`` only in loops and branches)."""
    parts: list[ast.AST] = []
    for method in methods_of(kind):
        initial = getattr(method, "name", "") == "__init__"
        parts += [x for x in ast.walk(method) if isinstance(x, ast.For | ast.While | ast.If)] if initial else [method]
    nodes = (node for part in parts for node in ast.walk(part) if isinstance(node, ast.Attribute))
    return names_filled(kind) | {node.attr for node in nodes if isinstance(node.ctx, ast.Store)}


def constants_of(kind: type) -> set[str]:
    """Return the names of the members of a class that are plain numbers, strings or booleans."""
    members = {name: member for base in reversed(own_bases(kind)) for name, member in vars(base).items()}
    return {name for name, member in members.items() if type(member) in (bool, int, float, str)}


def names_only_filled(kind: type) -> set[str]:
    """Return the attributes whose values methods may change in place, and which only ``__init__`` may set."""
    methods = [method for method in methods_of(kind) if getattr(method, "name", "") != "__init__"]
    nodes = (node for method in methods for node in ast.walk(method) if isinstance(node, ast.Attribute))
    return names_filled(kind) - {node.attr for node in nodes if isinstance(node.ctx, ast.Store)}


def names_filled(kind: type) -> set[str]:
    """Return the attributes whose values methods may change in place, for example by append."""
    found = set()
    for method in methods_of(kind):
        for node in ast.walk(method):
            match node:
                case ast.Expr(ast.Call(ast.Attribute(ast.Attribute(_, name)))) | ast.Subscript(
                    ast.Attribute(_, name), _, ast.Store()
                ):
                    found.add(name)
    return found


def refuse_held_elsewhere(kind: type, name: str, made: bool) -> None:
    """Check that methods set an attribute to new containers only, so that nothing else refers to them.

    Args:
        kind: Class.
        name: Attribute.
        made: True if it is a dataclass field whose default factory has created a new container.

    Raises:
        Underivable: Something else may refer to the value of the attribute.

    """
    new = True
    for method in functions_of(kind):
        nodes = list(ast.walk(definition_of(method)))
        known: dict[ast.AST, ast.expr] = {}
        for node in nodes:
            match node:
                case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
                    known |= dict(zip(targets, values, strict=True))
                case ast.Assign([target], value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                    known[target] = value
        stores = [x for x in nodes if isinstance(x, ast.Attribute) and isinstance(x.ctx, ast.Store)]
        new &= all(_is_new(known.get(x), method) for x in stores if x.attr == name)
    if (fields_of_dataclass(kind) and not made) or not new:
        raise Underivable(
            f"changes the attribute {name}, which a method sets to something other than a new list or dict"
        )


def _refuse_library_methods(kind: type) -> None:
    """Check that all functions in a class are the user's, or those that `dataclasses` adds."""
    for base in own_bases(kind):
        for name, member in vars(base).items():
            member = member.fget if isinstance(member, property) else member
            if not isinstance(member, FunctionType) or is_user_function(member):
                continue
            if not (fields_of_dataclass(base) and member.__code__.co_filename in _OF_DATACLASSES):
                raise Underivable(f"changes an object of {base.__name__}, whose {name} is a library's function")


def refuse_leaks(kind: type, attributes: Mapping[str, Value], returning: str = "") -> None:
    """Check that methods only read and set attributes of an object, so that nothing refers to it after a call.

    Args:
        kind: Class.
        attributes: Attributes that the object itself has.
        returning: Name of a method that may return the object; see `LocalObject`.

    Raises:
        Underivable: A method may store or return the object or one of its methods, or the fields cannot be set.

    """
    if fields_of_tuple(kind) or is_frozen(kind):
        raise Underivable(f"changes an object of {kind.__name__}, whose fields cannot be set")
    _refuse_library_methods(kind)
    of_class = {name for base in own_bases(kind) for name in vars(base)}
    known = {*attributes, *constants_of(kind), *(names_set(kind) - of_class)}
    for function in functions_of(kind):
        method = definition_of(function)
        first = first_parameter(method)
        nodes = list(ast.walk(method))
        called = {node.func for node in nodes if isinstance(node, ast.Call)}
        members = [node for node in nodes if isinstance(node, ast.Attribute)]
        of_attributes = {
            node.value for node in members if node.attr in known or node in called or isinstance(node.ctx, ast.Store)
        }
        uses = {node for node in nodes if isinstance(node, ast.Name) and node.id == first}
        parents = {node for node in nodes if isinstance(node, ast.Name) and node.id == "super"}
        of_parents = {x.value for x in members if x in called and isinstance(x.value, ast.Call)}
        of_attributes |= {x for call in of_parents if _called_by(call, function) is super for x in call.args[1:]}
        calls = [x for x in nodes if any(_called_by(x, function) is read for read in _READ)]
        at_once: set[ast.AST] = {x.args[0] for x in calls if isinstance(x, ast.Call) and len(x.args) == 1}
        at_once |= {x.value for call in calls for x in getattr(call, "keywords", ()) if x.arg == "key"}
        delayed = [x for x in nodes if isinstance(x, _LATE) and x is not method and x not in at_once]
        late = [set(ast.walk(node)) for node in delayed]
        again = any(node.attr == "__init__" and node.value in uses for node in members)
        name = getattr(method, "name", "")
        if name and name == returning:
            of_attributes |= {node.value for node in nodes if isinstance(node, ast.Return) and node.value}
        if (
            not uses <= of_attributes
            or not parents <= {call.func for call in of_parents}
            or any(uses & x for x in late)
            or (not first and method.args.vararg is not None)
            or again
        ):
            raise Underivable(
                "changes an object that one of its methods may have stored a reference to: "
                f"{name or 'a lambda'} may only read and set attributes that __init__ sets, and call methods"
            )


def first_parameter(node: Definition) -> str:
    """Return the name of a function's first parameter, or '' if it has none."""
    return next((argument.arg for argument in (*node.args.posonlyargs, *node.args.args)), "")


def _called_by(node: ast.AST | None, function: FunctionType) -> object:
    """Return the global function that an expression calls by name; None for any other expression."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    name, code = node.func.id, function.__code__
    own = name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    return None if own else function.__globals__.get(name, getattr(builtins, name, None))


def _is_new(value: ast.AST | None, function: FunctionType) -> bool:
    """Return True if an expression in a function creates a container, or is a constant."""
    displays = ast.Constant | ast.List | ast.Dict | ast.ListComp | ast.DictComp | ast.SetComp
    if isinstance(value, ast.BinOp):  # [0.0] * n
        return isinstance(value.left, ast.List) and isinstance(value.op, ast.Mult)
    return isinstance(value, displays) or any(_called_by(value, function) is kind for kind in NEW)


def makes_new(factory: object) -> bool:
    """Return True if a factory creates a new container on each call: a container type, or a lambda that creates one."""
    node = definition_of(factory) if isinstance(factory, FunctionType) and is_user_function(factory) else None
    of_lambda = isinstance(node, ast.Lambda) and isinstance(factory, FunctionType) and _is_new(node.body, factory)
    return of_lambda or any(factory is kind for kind in NEW)
