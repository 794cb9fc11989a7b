"""Evaluate the expressions of a metric's code on an unknown ranking."""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import inf, isinf, isnan
from types import ModuleType

import numpy as np

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import (
    NEW_BY,
    Comprehension,
    loads_of,
    only_read,
    refuse_aliases,
    refuse_later_changes,
)
from axiomcheck.derivation.conditions import ConditionRules
from axiomcheck.derivation.constants import Floating, computed, has_fraction
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.forms import (
    ASPECTS,
    LENGTH,
    ONE,
    POOL,
    ZERO,
    Form,
    Underivable,
    inverse,
    number,
    of_atom,
    positive,
)
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
from axiomcheck.derivation.machine import PADDED, PADDED_BEST, POSITIONS, RANKING
from axiomcheck.derivation.numbered import NUMBER, set_of_numbers
from axiomcheck.derivation.padding import is_padding, padded, padding
from axiomcheck.derivation.plain_values import of_plain, on_text
from axiomcheck.derivation.source import Definition, exact_value, is_user_function, own_bases
from axiomcheck.derivation.tables import Assigned, of_constants, refuse_other_values, table
from axiomcheck.derivation.traced_run import Visits
from axiomcheck.derivation.values import Array, AspectSet, Document, Documents, Environment, First, Loop, Value
from axiomcheck.sources.modules import is_installed

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
_CALLING_AT_ONCE = (functools.reduce, sorted, min, max, np.apply_along_axis)


class Expressions(ConditionRules):
    """Rules for expressions. `axiomcheck.derivation.interpreter.Interpreter` combines them with the other rules.

    Args:
        call: Function that calls whatever is not a user's function: (interpreter, callee, arguments, keywords).
        method: Function that calls a method of a value: (interpreter, owner, name, arguments, keywords).

    """

    def __init__(self, call: Callable[..., Value], method: Callable[..., Value]) -> None:
        super().__init__()
        self._call, self._method = call, method
        self.functions: list[Definition] = []
        """Definitions of the functions that are being run, innermost last."""
        self.files: list[str] = []
        """Files of the functions that are being run, innermost last."""
        self.visits = Visits()
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
        """Context manager that marks a function as running, with its arguments, file and parameters to be changed."""
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
            Underivable: Its names change later, or a default is not a constant.

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
        if isinstance(callee, v.Partial):
            return self.call(callee.callee, [*callee.arguments, *arguments], callee.keywords | keywords)
        if isinstance(callee, UserObject | LocalObject):
            return self.call(callee.attribute("__call__"), arguments, keywords)
        return self._call(self, callee, arguments, keywords)

    def _made(self, kind: UserClass, arguments: Sequence[Value], keywords: dict[str, Value]) -> LocalObject:
        """Create an object of a user's class, and run its ``__init__``."""
        made = LocalObject(kind, changing=True)
        if kind.has("__init__"):
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
                raise Underivable(f"calls {name} of an object, which is a method of lists and arrays: rename it")
            return found
        if isinstance(owner, v.Mapping) and name == "get" and arguments and isinstance(arguments[0], First):
            return self.lifted(lambda *given: self._method(self, owner, name, given, keywords), *arguments)
        return self._method(self, owner, name, arguments, keywords)

    def special(self, owner: LocalObject | UserObject, name: str, *arguments: Value) -> Value:
        """Call ``__len__`` or ``__contains__`` of a class, neither of which may change its object.

        Raises:
            Underivable: The class has no such method, or its result has another type than Python needs.

        """
        owner = replace(owner, changing=False, dropped=False) if isinstance(owner, LocalObject) else owner
        callee = owner.kind.member(name, owner)
        if not isinstance(callee, Function) or callee.bound is not owner:
            raise Underivable(f"uses {name} of a class, which is not a plain method")
        found = self.apply(callee, arguments, {})
        size = v.as_array(found) if v.is_number(found) or isinstance(found, Array) else v.scalar(-ONE)
        if name == "__len__" and (size.axes or size.kind != "i" or not self.is_count(size.form)):
            raise Underivable("uses __len__ of a class, which may return something else than an integer from 0 on")
        return found

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
            raise Underivable(f"uses {module.__name__}.{name}, which its module may compute anew at each use")
        if not hasattr(module, name):
            raise Underivable(f"uses {module.__name__}.{name}, which is missing")
        value = getattr(module, name)
        if is_user_function(value):
            return user_function(value)
        if callable(value) or isinstance(value, ModuleType) or value is None or value is np.r_:
            return value
        if type(value) is float and value == inf:
            return v.INFINITY
        if type(value) is float and isnan(value):
            return v.NAN
        return exact_value(value, f"{module.__name__}.{name}")

    def assign(self, target: ast.expr, value: Value, env: Environment) -> None:
        """Assign a value. `Interpreter` implements this method."""
        raise NotImplementedError

    def value(self, node: ast.expr, env: Environment) -> Value:
        """Return the value of an expression.

        Raises:
            Underivable: The expression is not understood.

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
            if isinstance(owner, LocalObject) and node.attr in owner.kind.names_filled() & owner.attributes.keys():
                read = only_read(self.functions[-1], env.find)
                if all(_place_of(node) != _place_of(x) for x in read if isinstance(x, ast.Attribute)):
                    raise Underivable(f"refers to {node.attr}, which a method changes in place: read a copy of it")
            return self.attribute(owner, node.attr)
        elif isinstance(node, ast.Subscript):
            owner = self.value(node.value, env)
            index = self._index(node.slice, env)
            if owner is np.r_:
                return self.call(np.r_, [index], {})
            if isinstance(owner, First) or (isinstance(index, First) and isinstance(index.value, Document)):
                return self.lifted(lambda x, entry: item_of(self, x, entry), owner, index)
            return item_of(self, owner, index)
        elif isinstance(node, ast.BinOp):
            return self.binary(node.op, self.value(node.left, env), self.value(node.right, env))
        elif isinstance(node, ast.UnaryOp):
            return self._unary(node.op, self.value(node.operand, env))
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
                yes = self.tried_once(self.value, node.body, env)
            with self.assuming(condition, met=False):
                no = self.tried_once(self.value, node.orelse, env)
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
            made = self._comprehension(node, node.generators, env)
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
        if isinstance(value, Assigned):
            made = self.tried(self._assigned, value, env)
            if isinstance(made, v.Failed) and value.constant is None:
                raise made.error
            return value.constant if isinstance(made, v.Failed) else made
        return value

    def _assigned(self, assigned: Assigned, env: Environment) -> Value:
        made = self.value(assigned.expression, Environment({}, env.lookup))
        refuse_other_values(assigned, made)
        return made

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
        """Let a method change its object, if the object is made for this call, or has one name that is read once."""
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
        if not known or isinstance(self.tried(owner.kind.refuse_leaks, owner.attributes, returning), v.Failed):
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
                raise Underivable("passes as out= an array that a variable may refer to")

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
            raise Underivable("calls super in a way that is not supported")
        return Super(owner, kind.value)

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
                raise Underivable("adds a list and a tuple, or values that may be lists or tuples")
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
        if isinstance(one, v.Tuples) and isinstance(two, v.Tuples) and one.key[0] is two.key[0] is NUMBER:
            found = self.binary(op, one.documents, two.documents)
            assert isinstance(found, Documents)  # no other operators of sets of documents are supported
            return set_of_numbers(found)
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
            raise Underivable(f"uses {sign} on a value that is not supported")
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
        if isinstance(op, ast.Add) and x.listed and y.listed and is_padding(y) and len(x.axes) == 1:
            return replace(padded(x, y.axes[0].length, y.form), kind=arithmetic.kind_of_both(x, y))
        if isinstance(op, ast.Add) and x.listed and y.listed and (best := self.filled_with_zeros(x, y)) is not None:
            return best
        if (one is x and x.listed and x.axes) or (two is y and y.listed and y.axes):
            raise Underivable("uses arithmetic on lists: convert them with np.array")
        if isinstance(op, ast.BitAnd | ast.BitOr) and not x.kind == y.kind == "b":
            raise Underivable("combines numbers with a bitwise operator; only booleans are supported")
        made = self._quotient(x, y) if isinstance(op, ast.Div) else operation(x, y)
        if isinstance(made, Array) and made.kind in v.NARROW:
            self.take_as_counts(made.form)
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
        axis = padding(count)
        if axis is not None:
            return replace(array, axes=(axis,), listed=True)
        if count == ASPECTS:
            return replace(array, axes=(v.ASPECT_AXIS,), listed=True)
        if self.best_lacking(count) is not None and array.form == ZERO:
            return replace(array, axes=(v.Dimension("rank", count, PADDED_BEST),), listed=True)
        if count in (LENGTH, POOL) or self.relevant(count) is not None:
            return replace(array, axes=(v.Dimension("rank", count, POSITIONS),), listed=True)
        raise Underivable("repeats a list a number of times that is not a constant or a length")

    def _selected(self, one: Documents, two: Documents, common: bool) -> Documents:
        """Return the intersection of two sets of documents if ``common`` is True, else their difference."""
        if one.axis.over == two.axis.over == RANKING and (one.axis.length.at_rank or two.axis.length.at_rank):
            raise Underivable("combines two sets of ranked documents in a loop over ranks: use a condition instead")
        inside = v.as_array(self.compare(ast.In(), Document(one.axis.over), two)).form
        keep = inside if common else ONE - inside
        return Documents(one.axis, keep if one.keep is None else keep * one.keep, ordered=False, listed=False)

    def _unary(self, op: ast.unaryop, operand: Value) -> Value:
        if isinstance(operand, First):
            return self.lifted(lambda x: self._unary(op, x), operand)
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
                    other = self.tried_once(self.value, following, env)
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

    def _comprehension(self, node: Comprehension, generators: list[ast.comprehension], env: Environment) -> Value:
        generator = generators[0]
        iterable = self.iterated(self.value(generator.iter, env))
        if isinstance(iterable, v.ConstantTable):
            entries = self.tried(self._over, node, generators, iterable.entries, env)
            made = self.tried(self._over, node, generators, tuple(iterable), env)
            if isinstance(made, v.Failed):  # it reads entries of a list of this length
                axis = replace(iterable.entries.axes[0], over=PADDED)
                return self._over(node, generators, replace(iterable.entries, axes=(axis,)), env)
            plain = isinstance(made, tuple) and len(made) == len(iterable)
            return table(made, entries) if plain and isinstance(made, tuple) else made
        return self._over(node, generators, iterable, env)

    def _over(
        self, node: Comprehension, generators: list[ast.comprehension], iterable: Value, env: Environment
    ) -> Value:
        """Evaluate a comprehension, given the value of its first iterable."""
        generator, *rest = generators
        if generator.is_async:
            raise Underivable("is asynchronous, which is not supported")

        def element(inner: Environment) -> Value:
            if rest:
                return self._comprehension(node, rest, inner)
            if isinstance(node, ast.DictComp):
                return (self.value(node.key, inner), self.value(node.value, inner))
            made = self.value(node.elt, inner)
            refuse_held(made)
            return made

        if isinstance(iterable, tuple | dict):
            rows = tuple(iterable)
            one = len(rows) == 1 and self._is_open(generator, rows[0], env)
            if not one and not (isinstance(node, ast.SetComp) and rows == (0,) and self.is_aspect(rows[0])):
                return of_constants(node, self._plain_comprehension(generator, rows, element, env), bool(rest))
            iterable = Loop(v.ONE_AXIS, rows[0])
        loop = self.loop_of(iterable)
        inner = Environment(self.sheltered(env.names, loop.axis.kind), env.lookup)
        with self.looping(loop.axis):
            self.assign(generator.target, loop.element, inner)
            keep = ONE if loop.keep is None else loop.keep
            for test in generator.ifs:
                condition = self.ended(self.condition(self.value(test, inner)))
                keep = keep * (condition if isinstance(condition, Form) else number(condition))
            for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
                self.visits.choose(self.files[-1], part, True)
            with self.assuming(keep):
                made = element(inner)
        kept = None if keep == ONE else keep
        if isinstance(node, ast.DictComp) and not rest:
            return self.dictionary(made, loop, kept)
        if isinstance(node, ast.SetComp) and not rest:
            return self.set_of(Loop(loop.axis, made, kept))
        if isinstance(node, ast.SetComp) and not isinstance(made, v.AspectSet):
            raise Underivable("collects values that are not aspects in a set of nested loops")
        if rest and isinstance(made, Array) and made.keep is not None:
            kept = made.keep if kept is None else kept * made.keep
            made = replace(made, keep=None)
        if rest and isinstance(node, ast.SetComp) and isinstance(made, v.AspectSet) and loop.axis.kind == "rank":
            member = made.member if kept is None else made.member * kept
            return v.AspectSet(self.ever(loop.axis, member))
        entry = replace(made, nested=1) if rest and isinstance(made, Array) else made
        if isinstance(entry, First) and loop.axis.kind == self.aspect_axis.kind:
            entry = entry if kept is None else self.choose(kept, entry, 0)
            entry = self.lowered(entry) if isinstance(entry, First) else entry
        found = self.listed(Loop(loop.axis, entry, kept))
        if rest and isinstance(found, Array) and isinstance(made, Array):
            return replace(found, nested=made.nested + 1)
        if rest:
            raise Underivable("collects values that are not numbers in a list of nested loops")
        return found

    def _plain_comprehension(
        self,
        generator: ast.comprehension,
        elements: tuple[Value, ...],
        element: Callable[[Environment], Value],
        env: Environment,
    ) -> tuple[Value, ...]:
        made = []
        for each in elements:
            inner = env.copy()
            self.assign(generator.target, each, inner)
            if all(self._known(self.value(test, inner)) for test in generator.ifs):
                made.append(element(inner))
        return v.PythonList(made)

    def _is_open(self, generator: ast.comprehension, entry: Value, env: Environment) -> bool:
        """Return True if a condition on unknown grades decides if a comprehension has the only entry of a list."""
        inner = env.copy()
        self.assign(generator.target, entry, inner)
        for test in generator.ifs:
            condition = self.condition(self.value(test, inner))
            if isinstance(condition, bool) and not condition:
                return False
            if not isinstance(condition, bool):
                return True
        return False

    def _known(self, value: Value) -> bool:
        condition = self.condition(value)
        if not isinstance(condition, bool):
            raise Underivable("filters a constant list with a condition that is not constant")
        return condition

    def _index(self, node: ast.expr, env: Environment) -> Value:
        if isinstance(node, ast.Slice):
            parts = [None if part is None else self.value(part, env) for part in (node.lower, node.upper, node.step)]
            return slice(*parts)
        if isinstance(node, ast.Tuple):
            return tuple(self._index(element, env) for element in node.elts)
        return self.value(node, env)


def _place_of(node: ast.expr) -> tuple[str, int, int]:
    """Return the text and the place of an expression, which copies of its node have, too."""
    return ast.unparse(node), node.lineno, node.col_offset


_EXPRESSIONS = {
    ast.Dict: "a dictionary with keys",
    ast.FormattedValue: "a conversion in an f-string",
    ast.Await: "await, an expression",
}
"""Descriptions of expressions that are not supported."""
