"""Run the source of a metric on an unknown ranking, statement by statement.

Loops over the ranking run once, for an unknown rank. Numbers that they carry from rank to rank become states. The
interpreter supports a subset of Python and numpy, and refuses everything else with a line number.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import FunctionType

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import (
    LENT,
    YIELDED,
    Comprehension,
    has,
    loads_of,
    local_names,
    refuse_aliases,
    refuse_later_changes,
)
from axiomcheck.derivation.comparing import at_place
from axiomcheck.derivation.early_exits import with_breaks
from axiomcheck.derivation.effects import refuse_effects
from axiomcheck.derivation.environment import Changed, Ending, Environment
from axiomcheck.derivation.forms import ONE, Form, Underivable
from axiomcheck.derivation.functions import (
    Function,
    LocalObject,
    Super,
    is_changing,
    paired,
    refuse_equal_keys,
)
from axiomcheck.derivation.iterators import (
    CONTAINERS,
    is_generator,
    own_nodes,
    read,
    refuse_early_return,
    refuse_held,
    refuse_second_reading,
)
from axiomcheck.derivation.lending import noted
from axiomcheck.derivation.loops import Loops
from axiomcheck.derivation.methods import first_parameter, names_filled, refuse_leaks
from axiomcheck.derivation.source import Definition, place_of, written
from axiomcheck.derivation.values import Array, AspectSet, Builder, First, Value
from axiomcheck.derivation.while_loops import as_for

_OF_LISTS, _OF_SETS = ("append", "extend", "insert", "clear"), ("add", "update", "clear")
"""Methods that change a list, or a set or a dictionary, and raise no exception."""


def _has_method(owner: Value, name: str) -> bool:
    """Return True if a container is known to have the given method that changes it."""
    if isinstance(owner, v.PythonList) or (isinstance(owner, Builder) and not owner.keyed):
        return name in _OF_LISTS
    keyed = isinstance(owner, dict | Builder) or (isinstance(owner, Array) and owner.keyed)
    return name in (_OF_SETS[1:] if keyed else _OF_SETS if isinstance(owner, AspectSet | v.SeenDocuments) else ())


_OF_TYPES = (
    ast.Name | ast.Attribute | ast.Constant | ast.Subscript | ast.Tuple | ast.List | ast.BinOp | ast.BitOr | ast.Load
)
"""Nodes of expressions such as ``dict[str, float] | None``."""

_SIDE_EFFECT = "calls a function only for its side effect, which is not supported: use its result, or remove the call"

_DEEPEST = 24
_MOST_STEPS = 20_000


class Interpreter(Loops):
    """Interpreter that runs a user's function on an unknown ranking; see `Expressions` for the other arguments.

    Args:
        rewrite: Function that rewrites a loop as a for loop, or returns None: (interpreter, loop, environment).

    """

    def __init__(
        self, call: Callable[..., Value], method: Callable[..., Value], rewrite: Callable[..., ast.For | None]
    ) -> None:
        super().__init__(call, method)
        self._rewrite = rewrite
        self._depth = self._steps = 0
        self.lending: Collection[str] = ()
        """Parameters whose values the next function to be run may change."""

    def apply(self, callee: Function, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
        """Call a user's function."""
        node = callee.definition
        refuse_equal_keys(callee, (*arguments, *keywords.values()))
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Underivable("is recursive, or nests calls too deeply: use a loop")
        made, self.made = self.made, None
        lent, self.lending = self.lending, ()
        own = local_names(node)

        def lookup(name: str) -> Value:
            if name in own:
                raise Underivable(f"may read {name} before it is set")
            return callee.lookup(name)

        env = Environment(self._bound(callee, node.args, arguments, keywords), lookup, made)
        file = callee.file if callee.function is None else callee.function.__code__.co_filename
        given = [x for name, x in env.names.items() if name not in lent]
        with self._in(callee.function), noted(callee), self.running(node, given, file, lent):
            _refuse_scope(node)
            if is_generator(node):
                if callee.cached:
                    raise Underivable("caches a generator, which can be read only once: return a list", node.lineno)
                refuse_early_return(node)
                env.names[YIELDED] = v.PythonList()
            if isinstance(node, ast.Lambda):
                self.visits.choose(file, node.body, True)
                with self._at(node.body):
                    value = self.value(node.body, env)
            elif isinstance(callee.bound, LocalObject) and callee.bound.changes_kept and made is None:
                value = self._changed(node, env, [first_parameter(node)])
                if is_generator(node) or not is_changing(value.names.get(first_parameter(node))):
                    raise Underivable(
                        "calls a method for its side effect, but it is a generator or a static method", node.lineno
                    )
            elif lent:
                value = self._changed(node, env, lent)
            else:
                value = self._value_of(node.body, env)
                self._settle(env)
        if is_generator(node):
            value = v.Once(env.names[YIELDED], lazy=True)
        self._depth -= 1
        if callee.cached and isinstance(value, v.Once):
            raise Underivable("caches an iterator, which can be read only once: return a list", node.lineno)
        container = isinstance(value, tuple | dict | AspectSet | Builder) or (isinstance(value, Array) and value.axes)
        outer = [] if callee.defined_in is None else callee.defined_in.names.values()
        if container and any(value is other for other in outer):
            raise Underivable("returns an object that another variable refers to: return a copy, such as list(x)")
        return value

    def _changed(self, node: ast.FunctionDef, env: Environment, names: Collection[str]) -> Changed:
        """Run a function that changes its parameters' values; return the changed values."""
        outcomes = self.block(node.body, env)
        return Changed({name: self.named_after(outcomes, name) for name in names if name in env.names})

    def _settle(self, env: Environment) -> None:
        """Give the object whose ``__init__`` is being run the attributes that a loop or a branch has set."""
        name = self.functions[-1].args.args[0].arg if env.made is not None else ""
        now = env.names.get(name)
        if isinstance(now, v.Failed) and env.made is not None:
            raise now.error
        if isinstance(env.made, LocalObject) and is_changing(now) and now is not env.made:
            assert isinstance(now, LocalObject)
            env.made.attributes.update(now.attributes)
            env.names[name] = env.made

    @staticmethod
    @contextmanager
    def _in(function: FunctionType | None) -> Iterator[None]:
        """Context manager that adds a function's file and line to an error, once for nested calls."""
        try:
            yield
        except Underivable as error:
            if function is not None and error.line is not None and not error.placed:
                raise Underivable(f"{place_of(function, error.line)}: it {error}", error.line, placed=True) from None
            raise

    def _bound(
        self, callee: Function, args: ast.arguments, given: Sequence[Value], named: dict[str, Value]
    ) -> dict[str, Value]:
        positional = [*args.posonlyargs, *args.args]
        rows = [callee.bound, *given] if callee.bound is not None else list(given)
        if len(rows) > len(positional) and not args.vararg:
            raise Underivable("calls a function with too many arguments")
        names = {argument.arg: value for argument, value in zip(positional, rows, strict=False)}
        if args.vararg:
            names[args.vararg.arg] = tuple(rows[len(positional) :])
        known = [a.arg for a in (*args.args, *args.kwonlyargs)]
        others = {name: value for name, value in named.items() if name not in known}
        if names.keys() & named.keys() or (others and not args.kwarg):
            raise Underivable(f"calls a function with an unexpected argument {min(named)!r}")
        names |= {name: value for name, value in named.items() if name in known}
        if args.kwarg:
            refuse_held(*others.values())
            names[args.kwarg.arg] = others
        for name, value in names.items():
            if isinstance(value, v.Once):
                refuse_second_reading(callee.definition, name, parameter=True)
            elif isinstance(value, tuple):
                refuse_held(*value)
        defaults = self._defaults(callee, positional, args)
        for argument in (*positional, *args.kwonlyargs):
            if argument.arg not in names:
                if argument.arg not in defaults:
                    raise Underivable(f"calls a function without the argument {argument.arg!r}")
                names[argument.arg] = defaults[argument.arg]
        return names

    def _defaults(self, callee: Function, positional: list[ast.arg], args: ast.arguments) -> dict[str, Value]:
        if callee.node is not None:
            return dict(callee.defaults)
        function = callee.exact if isinstance(callee.exact, FunctionType) else callee.function
        assert function is not None
        values, held = _named_defaults(function, positional), _named_defaults(callee.function or function, positional)
        return {name: paired(held[name], x, f"the default of {name}") for name, x in values.items()}

    def _value_of(self, body: list[ast.stmt], env: Environment) -> Value:
        """Run a function's body and return its value."""
        for place, statement in enumerate(body):
            rest = body[place + 1 :]
            self._settle(env)
            self.visits.note(self.files[-1], statement, env.names)
            with self._at(statement):
                if isinstance(statement, ast.Return):
                    return None if statement.value is None else self.value(statement.value, env)
                if isinstance(statement, ast.Raise):
                    refuse_effects(statement, env.find)
                    where = f"at line {statement.lineno} for some rankings, which have no score"
                    return v.NoScore(Underivable(f"raises an exception {where}: return a number there"))
                if isinstance(statement, ast.If):
                    return self._branched(statement, rest, env)
                if isinstance(statement, ast.With):
                    self._enter(statement, env)
                    return self._value_of([*statement.body, *rest], env)
                if isinstance(statement, ast.For | ast.While):
                    loop = self._as_for(statement, env)
                    steps = with_breaks(loop.body, rest[0] if rest and not loop.orelse else None)
                    if steps != loop.body:
                        whole = ast.copy_location(ast.For(loop.target, loop.iter, steps, [], None), loop)
                        self.visits.leave_out(self.files[-1], loop, whole)
                        loop = whole
                    first = self.run_for(loop, env)
                    if first is not None:
                        return replace(first, default=self._value_of(rest, env.copy()))
                    continue
                for outcome in self._statement(statement, env):
                    if outcome.kind != "next":
                        raise Underivable("uses break or continue outside a loop")
                    env.names = dict(outcome.names)
        return None

    def _as_for(self, statement: ast.For | ast.While, env: Environment) -> ast.For:
        """Rewrite a while loop, or a loop that chooses the best remaining document, as a for loop."""
        rewritten = self._rewrite(self, statement, env)
        return rewritten or (as_for(statement, env) if isinstance(statement, ast.While) else statement)

    @contextmanager
    def _at(self, statement: ast.AST) -> Iterator[None]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise Underivable("takes too many steps to follow: loop over fewer constants, or call fewer functions")
        try:
            with at_place(f"line {getattr(statement, 'lineno', 0)} of {Path(self.files[-1]).name}"):
                yield
        except Underivable as error:
            if error.line is None:
                error.line = getattr(statement, "lineno", None)
            raise
        except RecursionError:
            raise Underivable("is nested too deeply", getattr(statement, "lineno", None)) from None

    def _branched(self, statement: ast.If, rest: list[ast.stmt], env: Environment) -> Value:
        condition = self.condition(self.value(statement.test, env))
        if isinstance(condition, bool):
            return self._value_of([*(statement.body if condition else statement.orelse), *rest], env)
        if has(statement, ast.Return | ast.Raise):
            values = []
            for body, met in ((statement.body, True), (statement.orelse, False)):
                with self.assuming(condition, met):
                    values.append(self._value_of([*body, *rest], env.copy()))
            return self.choose(condition, *values)
        (outcome,) = self._if(statement, condition, env)
        env.names = dict(outcome.names)
        return self._value_of(rest, env)

    def _enter(self, statement: ast.With, env: Environment) -> None:
        for item in statement.items:
            if not isinstance(self.value(item.context_expr, env), v.Ignored) or item.optional_vars is not None:
                raise Underivable("uses with for something other than np.errstate, which is not supported")

    def block(self, body: Sequence[ast.stmt], env: Environment) -> list[Ending]:
        """Run the statements of a loop's body or a branch, and return all ways in which they end."""
        ended: list[Ending] = []
        guard = ONE
        for statement in body:
            self.visits.note(self.files[-1], statement, env.names)
            with self._at(statement), self.assuming(guard):
                found = self._statement(statement, env)
            ended += [replace(o, guard=guard * o.guard) for o in found if o.kind != "next"]
            going = [o for o in found if o.kind == "next"]
            if not going:
                return ended
            (one,) = going
            env.names = dict(one.names)
            guard = guard * one.guard
        return [*ended, Ending("next", guard, dict(env.names))]

    def _statement(self, statement: ast.stmt, env: Environment) -> list[Ending]:
        if isinstance(statement, ast.Try):
            raise Underivable("uses try, which is not supported: test the divisor or the key with if")
        if isinstance(statement, ast.If):
            condition = self.condition(self.value(statement.test, env))
            if isinstance(condition, bool):
                return self.block(statement.body if condition else statement.orelse, env)
            return self._if(statement, condition, env)
        if isinstance(statement, ast.Continue | ast.Break):
            return [Ending(type(statement).__name__.lower(), ONE, dict(env.names))]
        if isinstance(statement, ast.Return) and is_generator(self.functions[-1]):
            return [Ending("break", ONE, dict(env.names))]
        if isinstance(statement, ast.Return):
            value = None if statement.value is None else self.value(statement.value, env)
            return [Ending("return", ONE, dict(env.names), value)]
        if isinstance(statement, ast.With):
            self._enter(statement, env)
            return self.block(statement.body, env)
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if statement.value is None and not isinstance(targets[0], ast.Name):
                raise Underivable("annotates an attribute or an entry without setting it, which is not supported")
            value = None if statement.value is None else self.value(statement.value, env)
            if isinstance(value, v.Once):
                self._name_iterator(statement, targets)
            if len(targets) > 1 and not isinstance(value, str | bool | int | Fraction | None):
                raise Underivable("assigns one object to several variables: create a new object for each")
            for target in targets if statement.value is not None else ():
                self.assign(target, value, env)
        elif isinstance(statement, ast.AugAssign):
            self.augment(statement, env)
        elif isinstance(statement, ast.For | ast.While):
            loop = self._as_for(statement, env)
            if self.run_for(loop, env) is not None:
                raise Underivable("returns from a nested loop, which is not supported")
        elif isinstance(statement, ast.FunctionDef):
            if statement.decorator_list:
                raise Underivable("decorates an inner function, which is not supported")
            _refuse_computed_annotations(statement, self.functions[-1])
            env.names[statement.name] = self.defined(statement, env)
        elif isinstance(statement, ast.Expr):
            self._expression_statement(statement.value, env)
        elif isinstance(statement, ast.Assert):
            condition = self.condition(self.value(statement.test, env))
            if condition is not True and not self.requires(condition, True):
                raise Underivable("asserts a condition that may be false for topics that have a relevant document")
            refuse_effects(statement.msg or ast.Constant(""), env.find)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            self._import(statement, env)
        elif isinstance(statement, ast.Raise):
            raise Underivable(
                "raises an exception in a loop or in a function without a result, which is not supported: remove it"
            )
        elif not isinstance(statement, ast.Pass):
            raise Underivable(f"uses {written(statement)}, which is not supported")
        return [Ending("next", ONE, dict(env.names))]

    def _lend(self, call: ast.Call, env: Environment) -> None:
        """Run a statement that calls a method which changes its object, or a function which changes its arguments."""
        lent: dict[str, str] = getattr(call, LENT, {})
        match call:
            case ast.Call(ast.Attribute(of, method), _, keywords) if all(k.arg for k in keywords):
                parent = self.value(of, env) if isinstance(of, ast.Call) else None
                name = of.id if isinstance(of, ast.Name) else ""
                name = first_parameter(self.functions[-1]) if isinstance(parent, Super) else name
                owner = env.names.get(name)
                if isinstance(owner, LocalObject):
                    if not owner.changing:
                        refuse_aliases(self.functions[-1], name, env.find, owner.attributes)
                    refuse_leaks(owner.kind.value, owner.attributes)
                    after = parent.after if isinstance(parent, Super) else None
                    callee = owner.kind.member(method, replace(owner, changing=True, dropped=False), after)
                    env.names[name] = self._change(owner, callee, name, call, env)
                    self._settle(env)
                    return
            case ast.Call(ast.Name(called), arguments, []) if lent:
                for name in lent.values():
                    if not isinstance(env.names.get(name), CONTAINERS):
                        raise Underivable(f"lets {called} change {name}, which is not a local container")
                    self._refuse_shared(env.names[name], name, env)
                    self.refuse_other_names(name, env)
                callee, values = env.find(called), self._arguments(arguments, env)
                self.lending = lent.keys()
                try:
                    changed = self.call(callee, values, {})
                finally:
                    self.lending = ()
                assert isinstance(changed, Changed)
                env.names |= {name: changed.names[parameter] for parameter, name in lent.items()}
                return
        raise Underivable(_SIDE_EFFECT)

    def _change(self, owner: LocalObject, callee: Value, name: str, call: ast.Call, env: Environment) -> LocalObject:
        """Call a method that changes its object; return the object after the call."""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if not isinstance(callee, Function) or callee.cached or method in owner.attributes:
            raise Underivable("calls an attribute that is not a method only for its side effect")
        given = [node for x in (*call.args, *call.keywords) for node in ast.walk(x)]
        filled = names_filled(owner.kind.value)
        owners = {x.value for x in given if isinstance(x, ast.Attribute) and x.attr not in filled}
        if method == "__init__" or any(
            isinstance(node, ast.Name) and node.id == name and node not in owners for node in given
        ):
            raise Underivable(f"calls __init__ of {name}, or a method of {name} with {name} itself as an argument")
        values = self._arguments(call.args, env), {str(k.arg): self.value(k.value, env) for k in call.keywords}
        changed = self.call(callee, *values)
        made = next(iter(changed.names.values())) if isinstance(changed, Changed) else None
        if not isinstance(made, LocalObject):
            raise Underivable(f"calls the static method {method} for its side effect")
        return replace(made, changing=owner.changing, dropped=owner.dropped)

    def _name_iterator(self, statement: ast.Assign | ast.AnnAssign, targets: Sequence[ast.expr]) -> None:
        """Check that an iterator has one name and is read once, and that no value that it reads changes before then."""
        (target,) = targets
        if not isinstance(target, ast.Name) or statement.value is None:
            raise Underivable("stores an iterator, which can be read only once: store a list")
        node = self.functions[-1]
        refuse_second_reading(node, target.id, parameter=False)
        read_above = any(use.lineno <= statement.lineno for use in loads_of(node, target.id))
        refuse_later_changes(node, statement.value, outlives=read_above)

    def _import(self, statement: ast.Import | ast.ImportFrom, env: Environment) -> None:
        for alias in statement.names:
            name = alias.name if isinstance(statement, ast.Import) else str(statement.module)
            module = sys.modules.get(name)
            if (
                name not in ("math", "numpy", "heapq", "itertools", "functools", "collections")
                or module is None
                or (isinstance(statement, ast.ImportFrom) and statement.level)
            ):
                raise Underivable(f"imports {name} in a function: import it at the top of the file")
            value = module if isinstance(statement, ast.Import) else getattr(module, alias.name, None)
            env.names[alias.asname or alias.name] = value

    def _expression_statement(self, node: ast.expr, env: Environment) -> None:
        match node:
            case ast.Constant():
                return
            case ast.Call(ast.Attribute(ast.Call(ast.Name("super")) as base, "__init__"), arguments, keywords):
                parent = self.value(base, env)
                if not isinstance(parent, Super):
                    raise Underivable("calls __init__ of a value other than super()")
                if parent.is_last and not arguments and not keywords:
                    return
                child, made = parent.owner, env.made
                if (
                    isinstance(child, LocalObject)
                    and isinstance(made, LocalObject)
                    and child.attributes is made.attributes
                    and all(k.arg for k in keywords)
                ):
                    named = {str(k.arg): self.value(k.value, env) for k in keywords}
                    values = [self.value(argument, env) for argument in arguments]
                    self.initialise(made, replace(parent, owner=made).attribute("__init__"), values, named)
                    return
            case ast.Yield(ast.expr() as yielded):
                env.names[YIELDED] = self.extended(env.names[YIELDED], "append", [self.value(yielded, env)])
                return
            case ast.Call(ast.Attribute(ast.Name(name), "sort"), [], keywords):
                owner = env.names.get(name)
                listed = isinstance(owner, Array | v.Documents) and owner.listed
                if (listed or type(owner) is v.Loop) and all(k.arg for k in keywords):
                    self._refuse_shared(owner, name, env)
                    self.refuse_other_names(name, env)
                    options = {str(k.arg): self.value(k.value, env) for k in keywords}
                    env.names[name] = read(self.call(sorted, [owner], options))
                    return
            case ast.Call(ast.Attribute(ast.Name(name), method), arguments, []) if isinstance(
                env.names.get(name), CONTAINERS
            ):
                values, owner = [self.value(argument, env) for argument in arguments], env.names[name]
                self.refuse_other_names(name, env)
                made = self.tried(self.extended, owner, method, values)
                if isinstance(made, v.Failed) and not _has_method(owner, method):
                    raise made.error
                env.names[name] = made  # nothing else has the list, and only readers need its elements
                return
            case ast.Call(ast.Attribute(ast.Attribute(ast.Name(name)) as filled, method), arguments, []) if isinstance(
                env.names.get(name), LocalObject
            ):
                values = [self.value(argument, env) for argument in arguments]
                self.fill(filled, lambda owner: self.extended(owner, method, values), env)
                return
            case ast.Call(ast.Attribute(ast.Subscript(ast.Name()) as filled, method), arguments, []) if not getattr(
                node, LENT, {}
            ):
                values = [self.value(argument, env) for argument in arguments]
                self.fill_entry(filled, lambda owner: self.extended(owner, method, values), env)
                return
            case ast.Call():
                self._lend(node, env)
                return
        raise Underivable(_SIDE_EFFECT)

    def _if(self, statement: ast.If, condition: Form | First, env: Environment) -> list[Ending]:
        with self.assuming(condition):
            then = self.block(statement.body, env.copy())
        with self.assuming(condition, met=False):
            other = self.block(statement.orelse, env.copy())
        if isinstance(condition, First):
            if any(o.kind != "next" for o in (*then, *other)):
                raise Underivable("exits a loop because of a condition on another loop")
            return [Ending("next", ONE, self.merged(condition, then[0].names, other[0].names))]
        going: list[Ending] = []
        ended: list[Ending] = []
        for branch, guard in ((then, condition), (other, ONE - condition)):
            for outcome in branch:
                (going if outcome.kind == "next" else ended).append(replace(outcome, guard=guard * outcome.guard))
        if len(going) == 2:
            names = self.merged(condition, going[0].names, going[1].names)
            going = [Ending("next", going[0].guard + going[1].guard, names)]
        return [*ended, *going]


def _refuse_computed_annotations(node: ast.FunctionDef, outer: Definition) -> None:
    """Check that annotations of an inner function are types, because Python evaluates them and derivations do not."""
    args = node.args
    given = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    found = [node.returns, *(x.annotation for x in given if x is not None)]
    for part in (part for x in found if x is not None for part in ast.walk(x)):
        local = isinstance(part, ast.Name) and part.id in local_names(outer)
        if local or not isinstance(part, _OF_TYPES):
            raise Underivable("computes an annotation of an inner function: use the name of a type")


def _named_defaults(function: FunctionType, positional: list[ast.arg]) -> dict[str, object]:
    """Return the default values of a function's parameters by name."""
    rows, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    return {a.arg: value for a, value in zip(reversed(positional), reversed(rows), strict=False)} | named


def _refuse_scope(node: ast.AST) -> None:
    """Refuse coroutines, and assignment expressions other than those that a condition evaluates first.

    A name that a comprehension sets with ``:=`` must not be used outside it, or keep a value from an earlier entry.
    """
    understood: set[ast.expr] = set()
    for inner in own_nodes(node):
        if isinstance(inner, ast.If):
            understood.add(_evaluated_first(inner.test))
        elif isinstance(inner, Comprehension) and len(inner.generators) == 1:
            for first in map(_evaluated_first, inner.generators[0].ifs[:1]):
                name = first.target.id if isinstance(first, ast.NamedExpr) else ""
                uses = {x for x in ast.walk(node) if name in (getattr(x, "id", None), getattr(x, "arg", None))}
                sources = [inner.generators[0].iter, *([first.value] if isinstance(first, ast.NamedExpr) else [])]
                read_names = {x.id for source in sources for x in ast.walk(source) if isinstance(x, ast.Name)}
                if uses <= {*ast.walk(inner)} and name not in read_names:
                    understood.add(first)
    if any(isinstance(inner, ast.Await | ast.NamedExpr) and inner not in understood for inner in own_nodes(node)):
        raise Underivable("uses := in an expression: use a separate assignment", getattr(node, "lineno", None))


def _evaluated_first(test: ast.expr) -> ast.expr:
    """Return the operand of a condition that Python evaluates first, regardless of the others."""
    match test:
        case ast.Compare(first) | ast.BoolOp(_, [first, *_]) | ast.UnaryOp(_, first) | ast.BinOp(first):
            return _evaluated_first(first)
    return test
