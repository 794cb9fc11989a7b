"""Write a method that sets attributes of its object as one that sets local names instead.

The methods of the object that it calls, and that read or set these attributes, become parts of it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import count

from axiomcheck.derivation.aliases import has
from axiomcheck.derivation.forms import Underivable

Methods = Callable[[str], ast.FunctionDef | None]
"""Function that returns the definition of a method by its name; None if there is none that is understood."""

_MOST_CALLS = 64


def as_local_names(node: ast.FunctionDef, methods: Methods) -> tuple[ast.FunctionDef, set[str]]:
    """Return a method with local names in place of the attributes that it sets, and the names of these attributes.

    Args:
        node: Definition of the method.
        methods: Finds the methods of its object.

    Raises:
        Underivable: A method that reads or sets these attributes is used otherwise than by calling it.

    """
    uses = {name: set(_attributes_of(part)) for name, part in _reachable(node, methods).items()}
    stored = {attribute for found in uses.values() for attribute, sets in found if sets}
    if not stored:
        return node, stored
    touching = {name for name, found in uses.items() if any(attribute in stored for attribute, _ in found)}
    while more := {name for name, found in uses.items() if any(a in touching for a, _ in found)} - touching:
        touching |= more
    made = _Inlined(methods, stored, touching).whole(node)
    (again,) = ast.parse(ast.unparse(ast.fix_missing_locations(made))).body
    assert isinstance(again, ast.FunctionDef)
    return again, stored


def _reachable(node: ast.FunctionDef, methods: Methods) -> dict[str, ast.FunctionDef]:
    """Return a method and those that it may call."""
    found, pending = {node.name: node}, [node]
    while pending:
        for name, _ in _attributes_of(pending.pop()):
            if name not in found and (inner := methods(name)) is not None:
                found[name] = inner
                pending.append(inner)
    return found


def _attributes_of(node: ast.FunctionDef) -> Iterator[tuple[str, bool]]:
    """Yield the attributes of its object that a method uses, each with whether it sets or changes it."""
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(ast.Name(name), attribute, ctx) if name == _owner(node):
                yield attribute, not isinstance(ctx, ast.Load)
            case ast.Subscript(ast.Attribute(ast.Name(name), attribute), _, ast.Store()) if name == _owner(node):
                yield attribute, True
            case ast.Expr(ast.Call(ast.Attribute(ast.Attribute(ast.Name(name), attribute)))) if name == _owner(node):
                yield attribute, True


def _owner(node: ast.FunctionDef) -> str:
    return node.args.args[0].arg if node.args.args else ""


def _own_names(node: ast.FunctionDef) -> set[str]:
    """Return the names that a method sets, and its arguments and those of functions within it."""
    stored = {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
    return stored | {x.arg for x in ast.walk(node) if isinstance(x, ast.arg)}


class _Inlined(ast.NodeTransformer):
    """Parts of methods with attributes and arguments replaced."""

    def __init__(self, methods: Methods, stored: set[str], touching: set[str]) -> None:
        self.methods, self.stored, self.touching = methods, stored, touching
        self.names: Mapping[str, ast.expr | str] = {}
        self.object = self.owner = ""
        self.local: set[str] = set()
        self.numbers = count(1)

    def whole(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Return the method that is called first."""
        made = deepcopy(node)
        self.object = self.owner = _owner(node)
        self.local = _own_names(node)
        made.decorator_list = []
        made.body = self._block(made.body)
        return made

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            match statement:
                case ast.Expr(ast.Call() as call) | ast.Return(ast.Call() as call) if self._method(call):
                    made += self._part(call, last=isinstance(statement, ast.Return))
                    continue
            blocks = {field: getattr(statement, field, []) for field in ("body", "orelse")}
            for field in blocks:
                setattr(statement, field, [])
            made.append(self.visit(statement))
            for field, block in blocks.items():
                setattr(made[-1], field, self._block(block))
        return made

    def _method(self, call: ast.Call) -> ast.FunctionDef | None:
        """Return the method that a call is of, if it reads or sets the attributes."""
        match call.func:
            case ast.Attribute(ast.Name(name), method) if name == self.owner and method in self.touching:
                return self.methods(method)
        return None

    def _part(self, call: ast.Call, last: bool) -> list[ast.stmt]:
        """Return the statements of a method that is called; a return is one of the caller if the call is the last."""
        number, (node, given) = next(self.numbers), self._arguments(call)
        if number > _MOST_CALLS or (has(node, ast.Return) and not last) or has(node, ast.Yield):
            raise Underivable("calls a method that sets attributes in a way that no derivation follows")
        names = {name: f"{name}__{number}" for name in _own_names(node)} | {_owner(node): self.object}
        made: list[ast.stmt] = [ast.Assign([ast.Name(names[k], ast.Store())], x) for k, x in given.items()]
        outer, self.names, self.owner, before = self.names, names, _owner(node), self.owner
        made += self._block(deepcopy(node.body))
        self.names, self.owner = outer, before
        return [*made, ast.Return(None)] if last else made

    def _arguments(self, call: ast.Call) -> tuple[ast.FunctionDef, dict[str, ast.expr]]:
        node = self._method(call)
        assert node is not None
        names = [argument.arg for argument in node.args.args[1:]]
        given = {**dict(zip(names, call.args, strict=False)), **{str(k.arg): k.value for k in call.keywords}}
        own = _own_names(node)
        if ({x.id for x in ast.walk(node) if isinstance(x, ast.Name)} - own) & self.local:
            raise Underivable("calls a method that reads a global name where its caller has a local one")
        plain = not (node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs)
        if not plain or set(given) != set(names) or len(call.args) + len(call.keywords) != len(names):
            raise Underivable("calls a method that sets attributes with other arguments than it names")
        return node, {name: self.visit(value) for name, value in given.items()}

    def visit_Call(self, call: ast.Call) -> ast.AST:
        """Replace a call within an expression by what the method returns."""
        if self._method(call) is None:
            return self.generic_visit(call)
        node, given = self._arguments(call)
        body = [x for x in node.body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
        plain = all(isinstance(x, ast.Name | ast.Constant) for x in given.values())  # read at any place alike
        bound = {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None or not plain or bound:
            raise Underivable("calls a method that reads attributes in a way that no derivation follows")
        given[_owner(node)] = ast.Name(self.object, ast.Load())
        outer, self.names, self.owner, before = self.names, given, _owner(node), self.owner
        made: ast.AST = self.visit(deepcopy(body[0].value))
        self.names, self.owner = outer, before
        return made

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace an attribute by a local name."""
        if isinstance(node.value, ast.Name) and node.value.id == self.owner:
            if node.attr in self.touching:
                raise Underivable("uses a method that sets attributes otherwise than by calling it")
            if node.attr in self.stored:
                return ast.Name(f"{node.attr}__of_object", node.ctx)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace a name of a method that is called."""
        made = self.names.get(node.id, node)
        return ast.Name(made, node.ctx) if isinstance(made, str) else deepcopy(made)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Replace an argument of a function within a method that is called."""
        made = self.names.get(node.arg, node.arg)
        return ast.arg(made) if isinstance(made, str) else node
