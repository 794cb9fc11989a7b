"""Evaluate comprehensions over constants, ranks, aspects and topics."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import Comprehension
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.forms import (
    ONE,
    Form,
    Underivable,
    number,
)
from axiomcheck.derivation.iterators import refuse_held
from axiomcheck.derivation.machine import PADDED
from axiomcheck.derivation.operators import Operators
from axiomcheck.derivation.tables import of_constants, table
from axiomcheck.derivation.traced_run import Visits
from axiomcheck.derivation.values import Array, First, Loop, Value


class Comprehensions(Operators):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles comprehensions."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[str] = []
        """Files of the functions that are being run, innermost last."""
        self.visits = Visits()

    def value(self, node: ast.expr, env: Environment) -> Value:
        """Return the value of an expression. `Expressions` implements this method."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Value, env: Environment) -> None:
        """Assign a value. `Interpreter` implements this method."""
        raise NotImplementedError

    def comprehension(self, node: Comprehension, generators: list[ast.comprehension], env: Environment) -> Value:
        """Return the value of a comprehension, or of the part of it that only uses the given generators."""
        generator = generators[0]
        iterable = self.iterated(self.value(generator.iter, env))
        if isinstance(iterable, v.ConstantTable):
            entries = self.tried(self.over, node, generators, iterable.entries, env)
            made = self.tried(self.over, node, generators, tuple(iterable), env)
            if isinstance(made, v.Failed):  # it reads entries of a list of this length
                axis = replace(iterable.entries.axes[0], over=PADDED)
                return self.over(node, generators, replace(iterable.entries, axes=(axis,)), env)
            plain = isinstance(made, tuple) and len(made) == len(iterable)
            return table(made, entries) if plain and isinstance(made, tuple) else made
        return self.over(node, generators, iterable, env)

    def over(
        self, node: Comprehension, generators: list[ast.comprehension], iterable: Value, env: Environment
    ) -> Value:
        """Evaluate a comprehension, given the value of its first iterable."""
        generator, *rest = generators
        if generator.is_async:
            raise Underivable("is asynchronous, which is not supported")

        def element(inner: Environment) -> Value:
            if rest:
                return self.comprehension(node, rest, inner)
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
        """Return True if a condition on unknown grades decides whether a list's only entry is in a comprehension."""
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
