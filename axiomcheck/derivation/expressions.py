"""Evaluate the expressions of a metric's code on an unknown ranking."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf, isinf, isnan
from types import ModuleType

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import (
    NEW_BY,
    Comprehension,
    loads_of,
    only_read,
    refuse_aliases,
    refuse_later_changes,
)
from axiomcheck.derivation.comprehensions import Comprehensions
from axiomcheck.derivation.constants import Floating
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import (
    Function,
    LocalObject,
    Owner,
    Property,
    Super,
    UserClass,
    UserObject,
    user_function,
)
from axiomcheck.derivation.indexing import item_of
from axiomcheck.derivation.iterators import refuse_held
from axiomcheck.derivation.methods import constants_of, names_filled, names_set, refuse_leaks
from axiomcheck.derivation.plain_values import on_text
from axiomcheck.derivation.source import Definition, exact_value, is_user_function, own_bases
from axiomcheck.derivation.values import Array, AspectSet, Document, Documents, First, Value
from axiomcheck.sources.modules import is_installed

_CALLING_AT_ONCE = (functools.reduce, sorted, min, max)


class Expressions(Comprehensions):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles expressions.

    Args:
        call: Function that calls whatever is not a user's function: (interpreter, callee, arguments, keywords).
        method: Function that calls a method of a value: (interpreter, owner, name, arguments, keywords).

    """

    def __init__(self, call: Callable[..., Value], method: Callable[..., Value]) -> None:
        super().__init__()
        self._call, self._method = call, method
        self.functions: list[Definition] = []
        """Definitions of the functions that are being run, innermost last."""
        self.given: list[Sequence[Value]] = []
        """Arguments of the functions that are being run, without those that they may change, innermost last."""
        self.lent: list[Collection[str]] = []
        """Parameters whose values the functions that are being run may change, innermost last."""
        self.called_at_once: set[ast.AST] = set()
        """Lambdas that are passed to a builtin, which calls them before it returns."""
        self.made: LocalObject | None = None
        """Object whose ``__init__`` is the next function to be run."""

    @contextmanager
    def running(
        self, node: Definition, given: Sequence[Value], file: str, lent: Collection[str] = ()
    ) -> Iterator[None]:
        """Context manager that marks a function as running, with its arguments, file and changeable parameters."""
        self.functions.append(node)
        self.files.append(file)
        self.given.append(given)
        self.lent.append(lent)
        try:
            yield
        finally:
            self.functions.pop()
            self.files.pop()
            self.given.pop()
            self.lent.pop()

    def defined(self, node: Definition, env: Environment) -> Function:
        """Evaluate a definition inside a function: return the inner function with its defaults.

        Raises:
            Underivable: A name that it reads changes later, or a default is not a constant.

        """
        if node not in self.called_at_once:
            refuse_later_changes(self.functions[-1], node)
        args = node.args
        optional = [*args.posonlyargs, *args.args][len(args.posonlyargs) + len(args.args) - len(args.defaults) :]
        given = [*zip(optional, args.defaults, strict=True), *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
        defaults = {a.arg: self.value(default, env) for a, default in given if default is not None}
        if not all(x is None or isinstance(x, str) or v.is_number(x) for x in defaults.values()):
            raise Underivable("defines an inner function whose default arguments are not constants")
        return Function(None, None, defined_in=env, node=node, file=self.files[-1], defaults=defaults)

    def apply(self, callee: Function, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
        """Call a user's function. `Interpreter` implements this method."""
        raise NotImplementedError

    def call(self, callee: Value, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
        """Call a function, a class or another callable value."""
        if isinstance(callee, Function):
            return self.apply(callee, arguments, keywords)
        if isinstance(callee, UserClass):
            made = callee.made_of_fields(arguments, keywords, lambda default: self.call(default, [], {}))
            return made or self._made(callee, arguments, keywords)
        if isinstance(callee, v.Method):
            return self.call_method(callee.owner, callee.name, arguments, keywords)
        if isinstance(callee, UserObject | LocalObject):
            return self.call(callee.attribute("__call__"), arguments, keywords)
        return self._call(self, callee, arguments, keywords)

    def _made(self, kind: UserClass, arguments: Sequence[Value], keywords: dict[str, Value]) -> LocalObject:
        """Create an object of a user's class, and run its ``__init__``."""
        made, has_init = LocalObject(kind, changing=True), kind.has("__init__")
        for name in sorted(names_set(kind.value) & constants_of(kind.value)):
            made.store(name, kind.member(name, made))  # an object has the constant until a method sets the attribute
        if has_init:
            self.initialise(made, kind.member("__init__", made), arguments, keywords)
        elif arguments or keywords:
            raise Underivable(f"passes arguments to {kind.value.__name__}, which takes no arguments")
        return replace(made, changing=False)

    def initialise(
        self, made: LocalObject, initialiser: Value, arguments: Sequence[Value], keywords: dict[str, Value]
    ) -> None:
        """Run the ``__init__`` of an object, which may set its attributes."""
        self.made = made
        try:
            self.call(initialiser, arguments, keywords)
        finally:
            self.made = None

    def call_method(self, owner: Value, name: str, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
        """Call a method of a value."""
        if isinstance(owner, Owner):
            found = self.call(self.attribute(owner, name), arguments, keywords)
            if name in NEW_BY and not (v.is_number(found) or (isinstance(found, Array) and not found.axes)):
                raise Underivable(
                    f"calls {name} of an object, but lists and arrays have a method of that name: rename it"
                )
            return found
        if isinstance(owner, v.Mapping) and name == "get" and arguments and isinstance(arguments[0], First):
            return self.lifted(lambda *given: self._method(self, owner, name, given, keywords), *arguments)
        return self._method(self, owner, name, arguments, keywords)

    def attribute(self, owner: Value, name: str) -> Value:
        """Return an attribute of a module, a user's object, the topic or an array."""
        if isinstance(owner, ModuleType):
            return self._of_module(owner, name)
        if isinstance(owner, Owner):
            found = owner.attribute(name)
            return self.call(found.function, [], {}) if isinstance(found, Property) else found
        return self._method(self, owner, name, None, {})

    @staticmethod
    def _of_module(module: ModuleType, name: str) -> Value:
        computed_by_user = name not in vars(module) and not is_installed(getattr(module, "__file__", None) or "")
        if type(module) is not ModuleType or computed_by_user:
            raise Underivable(f"uses {module.__name__}.{name}, which its module may recompute on each access")
        if not hasattr(module, name):
            raise Underivable(f"uses {module.__name__}.{name}, which is missing")
        value = getattr(module, name)
        if is_user_function(value):
            return user_function(value)
        if callable(value) or isinstance(value, ModuleType) or value is None:
            return value
        if type(value) is float and value == inf:
            return v.INFINITY
        if type(value) is float and isnan(value):
            return v.NAN
        return exact_value(value, f"{module.__name__}.{name}")

    def value(self, node: ast.expr, env: Environment) -> Value:
        """Return the value of an expression.

        Raises:
            Underivable: The expression is not supported.

        """
        if isinstance(node, ast.Constant):
            if isinstance(node.value, float):
                if isinf(node.value):
                    return v.INFINITY
                return Floating(repr(node.value), node.value)
            if node.value is None or isinstance(node.value, bool | int | str) or node.value is ...:
                return node.value
        elif isinstance(node, ast.Name):
            return self._named(node.id, env)
        elif isinstance(node, ast.Attribute):
            owner = self.value(node.value, env)
            if isinstance(owner, LocalObject) and node.attr in names_filled(owner.kind.value) & owner.attributes.keys():
                read = only_read(self.functions[-1], env.find)
                if all(_place_of(node) != _place_of(x) for x in read if isinstance(x, ast.Attribute)):
                    raise Underivable(f"keeps a reference to {node.attr}, which a method changes in place: use a copy")
            return self.attribute(owner, node.attr)
        elif isinstance(node, ast.Subscript):
            owner = self.value(node.value, env)
            index = self._index(node.slice, env)
            if isinstance(owner, First) or (isinstance(index, First) and isinstance(index.value, Document)):
                return self.lifted(lambda x, entry: item_of(self, x, entry), owner, index)
            return item_of(self, owner, index)
        elif isinstance(node, ast.BinOp):
            return self.binary(node.op, self.value(node.left, env), self.value(node.right, env))
        elif isinstance(node, ast.UnaryOp):
            return self.unary(node.op, self.value(node.operand, env))
        elif isinstance(node, ast.BoolOp):
            return self._boolean(node, env)
        elif isinstance(node, ast.Compare):
            return self._compared(node, env)
        elif isinstance(node, ast.IfExp):
            condition = self.condition(self.value(node.test, env))
            self.visits.choose(self.files[-1], node.body, condition is not False)
            self.visits.choose(self.files[-1], node.orelse, condition is not True)
            if isinstance(condition, bool):
                return self.value(node.body if condition else node.orelse, env)
            with self.assuming(condition):
                yes = self.value(node.body, env)
            with self.assuming(condition, met=False):
                no = self.value(node.orelse, env)
            return self.choose(condition, yes, no)
        elif isinstance(node, ast.Call):
            return self._called(node, env)
        elif isinstance(node, ast.Tuple | ast.List):
            parts = tuple(self.value(element, env) for element in node.elts)
            refuse_held(*parts)
            return v.PythonList(parts) if isinstance(node, ast.List) else parts
        elif isinstance(node, ast.Dict):
            keys = [None if key is None else self.value(key, env) for key in node.keys]
            if all(isinstance(key, str | int) for key in keys):
                parts = tuple(self.value(x, env) for x in node.values)
                refuse_held(*parts)
                return dict(zip(keys, parts, strict=True))
        elif isinstance(node, Comprehension):
            made = self.comprehension(node, node.generators, env)
            return v.Once(made, lazy=True) if isinstance(node, ast.GeneratorExp) else made
        elif isinstance(node, ast.Lambda):
            return self.defined(node, env)
        elif isinstance(node, ast.NamedExpr):  # the interpreter has checked that it is always evaluated
            made = self.value(node.value, env)
            number = v.is_number(made) or (isinstance(made, Array) and not made.axes)
            if not number and not isinstance(made, Documents | AspectSet):
                raise Underivable("uses := with a value that is neither a number nor a set: use a separate assignment")
            env.names[node.target.id] = made
            return made
        elif isinstance(node, ast.Slice):
            return self._index(node, env)
        elif isinstance(node, ast.JoinedStr):
            return "".join(str(self.value(part, env)) for part in node.values)
        elif isinstance(node, ast.FormattedValue) and node.conversion == -1:
            spec = "" if node.format_spec is None else self.value(node.format_spec, env)
            return on_text("{:{}}", "format", [self.value(node.value, env), spec], {})
        raise Underivable(f"uses {_EXPRESSIONS.get(type(node), 'an expression')} that is not supported")

    def _named(self, name: str, env: Environment) -> Value:
        value = env.find(name)
        if isinstance(value, v.Failed):
            raise value.error
        v.refuse_unset(value)
        if isinstance(value, LocalObject) and value.changing:
            return replace(value, changing=False, dropped=False, returning="")
        return value

    def _called(self, node: ast.Call, env: Environment) -> Value:
        if any(k.arg is None for k in node.keywords):
            raise Underivable("passes keyword arguments with **, which is not supported")
        self._refuse_named_buffers(node, env)
        if isinstance(node.func, ast.Name | ast.Attribute) and self._is_one_of(node.func, _CALLING_AT_ONCE, env):
            self.called_at_once |= {*node.args[:1], *(k.value for k in node.keywords if k.arg == "key")}
        keywords = {str(k.arg): self.value(k.value, env) for k in node.keywords}
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value, env)
            if isinstance(owner, LocalObject):
                owner = self._dropped(owner, node.func.value, env, node.func.attr)
            if not isinstance(owner, ModuleType):
                return self.call_method(owner, node.func.attr, self._arguments(node.args, env), keywords)
            callee = self.attribute(owner, node.func.attr)
        else:
            callee = self.value(node.func, env)
            if isinstance(callee, LocalObject):
                callee = self._dropped(callee, node.func, env)
        if callee is super and not keywords:
            return self._super(self._arguments(node.args, env), env)
        if callee is zip and len(node.args) == 1 and isinstance(node.args[0], ast.Starred) and not keywords:
            rows = self.value(node.args[0].value, env)
            if isinstance(rows, Array) and len(rows.axes) == 2 and rows.keep is None:  # columns of a table
                return self.loop_of(replace(rows, axes=rows.axes[::-1], root=rows.root or rows.memory))
        return self.call(callee, self._arguments(node.args, env), keywords)

    def _dropped(self, owner: LocalObject, node: ast.expr, env: Environment, method: str = "") -> LocalObject:
        """Let a method change its object if the object is created for this call, or has one name that is read once."""
        function = self.functions[-1]
        many = ast.For | ast.While | ast.Lambda | ast.FunctionDef | Comprehension
        again = {
            x
            for outer in ast.walk(function)
            if isinstance(outer, many) and outer is not function
            for x in ast.walk(outer)
        }
        if isinstance(node, ast.Name):
            own = {x for x in ast.walk(function) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)} - again
            known = loads_of(function, node.id) == {node} - again and any(x.id == node.id for x in own)
            known = known and not isinstance(self.tried(refuse_aliases, function, node.id, env.find), v.Failed)
        else:
            made = self.tried(self.value, node.func, env) if isinstance(node, ast.Call) else None
            known = isinstance(made, UserClass)
        returning = "" if isinstance(node, ast.Name) else method
        if not known or isinstance(self.tried(refuse_leaks, owner.kind.value, owner.attributes, returning), v.Failed):
            return owner
        return replace(owner, changing=True, dropped=True, returning=returning)

    def _is_one_of(self, node: ast.expr, functions: Sequence[object], env: Environment) -> bool:
        known = isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
        value = self.tried(self.value, node, env) if known else None
        return any(value is function for function in functions)

    def _refuse_named_buffers(self, node: ast.Call, env: Environment) -> None:
        """Check that the array passed as ``out`` is created in the call itself, so that nothing else refers to it."""
        for keyword in node.keywords:
            if keyword.arg == "out" and not (
                isinstance(keyword.value, ast.Call)
                and self.value(keyword.value.func, env) in (np.zeros, np.ones, np.full, np.zeros_like, np.ones_like)
            ):
                raise Underivable("passes an out= array that a variable may refer to: write out=np.zeros(...)")

    def _arguments(self, nodes: Sequence[ast.expr], env: Environment) -> list[Value]:
        arguments: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                several = self.value(node.value, env)
                if not isinstance(several, tuple):
                    raise Underivable("passes an unknown number of arguments with *")
                arguments += several
            else:
                arguments.append(self.value(node, env))
        return arguments

    def _super(self, arguments: list[Value], env: Environment) -> Super:
        parameters = self.functions[-1].args.args
        if not arguments:
            arguments = [env.lookup("__class__"), env.names.get(parameters[0].arg) if parameters else None]
        kind, owner = arguments if len(arguments) == 2 else (None, None)
        if (
            not isinstance(kind, UserClass)
            or not isinstance(owner, LocalObject | UserObject)
            or kind.value not in own_bases(owner.kind.value)
        ):
            raise Underivable("calls super with arguments that are not supported: use super()")
        return Super(owner, kind.value)

    def _boolean(self, node: ast.BoolOp, env: Environment) -> Value:
        value = self.value(node.values[0], env)
        for following in node.values[1:]:
            condition = self.condition(value)
            both = isinstance(node.op, ast.And)
            self.visits.choose(self.files[-1], following, condition is not (not both))
            if isinstance(condition, bool):
                value = self.value(following, env) if condition is both else value
            else:
                with self.assuming(condition, met=both):
                    other = self.value(following, env)
                value = self.choose(condition, *((other, value) if both else (value, other)))
        return value

    def _compared(self, node: ast.Compare, env: Environment) -> Value:
        left = self.value(node.left, env)
        result: Value = True
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node, env)
            one = self.compare(op, left, right)
            if right_node is not node.comparators[0]:
                self.visits.choose(self.files[-1], right_node, True)
            if result is True:
                result = one
            else:
                result = self.binary(ast.BitAnd(), v.as_array(result), v.as_array(one))
            left = right
        return result

    def _index(self, node: ast.expr, env: Environment) -> Value:
        if isinstance(node, ast.Slice):
            parts = [None if part is None else self.value(part, env) for part in (node.lower, node.upper, node.step)]
            return slice(*parts)
        if isinstance(node, ast.Tuple):
            return tuple(self._index(element, env) for element in node.elts)
        return self.value(node, env)


def _place_of(node: ast.expr) -> tuple[str, int, int]:
    """Return the text and the location of an expression, which copies of its node share."""
    return ast.unparse(node), node.lineno, node.col_offset


_EXPRESSIONS = {
    ast.Dict: "a kind of dictionary key",
    ast.FormattedValue: "a conversion in an f-string",
    ast.Await: "await, an expression",
}
"""Descriptions of expressions that are not supported."""
