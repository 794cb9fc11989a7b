"""Run loops over constants step by step, and loops over aspects or topics once, with sums for carried values."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import assigned_names, changed_in_place, filled, filled_only, filling
from axiomcheck.derivation.assignment import Assignments
from axiomcheck.derivation.endings import is_same, part_of
from axiomcheck.derivation.environment import Ending, Environment
from axiomcheck.derivation.forms import (
    ONE,
    ZERO,
    Form,
    Quantity,
    Underivable,
    of_atom,
    over_aspects,
)
from axiomcheck.derivation.functions import LocalObject
from axiomcheck.derivation.lists_so_far import by_aspect, held_by_aspect
from axiomcheck.derivation.methods import names_only_filled
from axiomcheck.derivation.values import Array, AspectSet, Builder, First, Loop, Value


def kind_in(value: Value) -> v.Kind | None:
    """Return the type of an unfiltered array's numbers; None for other values."""
    return value.kind if isinstance(value, Array) and value.keep is None else None


_MOST_UNROLLED = 64


def _plus(form: Form, value: Value) -> Array:
    """Add a form to the form of a value, without the checks of `arithmetic.add`."""
    array = v.as_array(value)
    return replace(array, form=array.form + form)


class LoopsOverEntries(Assignments):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles loops over anything but ranks."""

    def block(self, body: Sequence[ast.stmt], env: Environment) -> list[Ending]:
        """Run statements. `Interpreter` implements this method."""
        raise NotImplementedError

    def unroll(self, statement: ast.For, elements: Sequence[Value], env: Environment) -> None:
        """Run the body of a loop once for each of its known elements."""
        if len(elements) > _MOST_UNROLLED:
            raise Underivable(f"loops over more than {_MOST_UNROLLED} constants, which is not supported")
        read_names = {x.id for x in ast.walk(statement.iter) if isinstance(x, ast.Name)}
        changing = read_names & changed_in_place(statement.body) & env.names.keys()
        before = {name: env.names[name] for name in sorted(changing) if not v.is_number(env.names[name])}
        for element in elements:
            self.assign(statement.target, element, env)
            outcomes = self.block(statement.body, env)
            for name, value in before.items():
                now = env.names.get(name)
                if now is value:
                    continue
                by_key = isinstance(statement.iter, ast.Name) and isinstance(value, dict)
                if not (by_key and v.are_alike(value, now)):
                    raise Underivable(f"changes {name} in a loop over it: loop over a copy")
            if len(outcomes) != 1 or outcomes[0].kind not in ("next", "continue"):
                raise Underivable("exits a loop over constants early, which is not supported")
            env.names = dict(outcomes[0].names)

    def merged(self, condition: Form | First, one: dict[str, Value], two: dict[str, Value]) -> dict[str, Value]:
        """Combine the names after the two branches of a condition into choices between their values."""
        names: dict[str, Value] = {}
        for name in {**one, **two}:
            if name in one and name in two:
                names[name] = self.tried(self.choose, condition, one[name], two[name])
            else:
                names[name] = v.Failed(Underivable(f"sets {name} in one branch only: give it a value in both"))
        return names

    def run_if_any(self, statement: ast.For, loop: Loop, env: Environment) -> None:
        """Run a loop over a list with at most one entry as a branch on whether there is an entry."""
        inner = env.copy()
        assert loop.keep is not None
        with self.assuming(loop.keep):
            self.assign(statement.target, loop.element, inner)
            outcomes = self.block(statement.body, inner)
        if any(o.kind not in ("next", "continue", "break") for o in outcomes):
            raise Underivable("returns from a loop over a filtered list of one entry, which is not supported")
        ended = set.intersection(*(set(o.names) for o in outcomes))
        env.names = self.merged(loop.keep, {x: self.named_after(outcomes, x) for x in sorted(ended)}, env.names)

    def one_of(self, outcomes: Sequence[Ending], values: Sequence[Value]) -> Value:
        """Combine the values of several outcomes, exactly one of which occurs, into a choice between them."""
        value = values[-1]
        for outcome, other in zip(outcomes[-2::-1], values[-2::-1], strict=True):
            value = self.choose(outcome.guard, other, value)
        return value

    def named_after(self, outcomes: Sequence[Ending], name: str) -> Value:
        """Combine the values of a name after several possible outcomes into a choice between them."""
        return self.one_of(outcomes, [o.names[name] for o in outcomes])

    def over_entries(self, statement: ast.For, loop: Loop, env: Environment) -> None:
        """Run a loop over aspects, which may carry sums, or over a batch, which may not carry any value."""
        before = dict(env.names)
        carried: dict[str, Quantity] = {}
        kind, own_filled = loop.axis.kind, filled_only(statement.body)
        inner = Environment(self.sheltered(before, kind), env.lookup)
        names, targets = assigned_names(statement.body), assigned_names([statement.target])
        for name in sorted(names & before.keys() - targets):
            inner.names[name] = self._at_entry(name, inner.names[name], kind, name in own_filled, carried)
        entry = dict(inner.names)
        with self.looping(loop.axis), self.assuming(loop.keep):
            self.assign(statement.target, loop.element, inner)
            outcomes = self.block(statement.body, inner)
        if any(o.kind not in ("next", "continue") for o in outcomes):
            raise Underivable("exits a loop over aspects or topics early, which is not supported")
        ended = set.intersection(*(set(o.names) for o in outcomes))
        values = {name: self.named_after(outcomes, name) for name in sorted(ended)}
        for name in sorted(names | targets):
            if loop.keep is not None and name in entry and name in values and name not in targets:
                values[name] = self.choose(loop.keep, values[name], entry[name])
            if name not in before or name in targets:
                env.names[name] = v.Failed(
                    Underivable(f"uses {name} after a loop that may not set it: set it before the loop")
                )
            else:
                env.names[name] = self._after_entries(name, before[name], entry[name], values[name], loop, carried)

    def _at_entry(self, name: str, value: Value, kind: str, filled: bool, carried: dict[str, Quantity]) -> Value:
        """Return the value of a name before an unknown aspect or topic.

        Args:
            name: Name.
            value: Its value before the loop.
            kind: ``aspect`` or ``batch``.
            filled: True if the loop only changes the value in place.
            carried: Numbers that the loop carries, by name; those of this value are added.

        """
        if isinstance(value, LocalObject) and kind == "aspect":
            only = names_only_filled(value.kind.value)
            return value.by_number(lambda k, x: self._at_entry(part_of(name, k), x, kind, k in only, carried))
        if isinstance(value, First) and filled:  # a new array of the shape of both cases
            alike = is_same(value.value, value.default) and kind_in(value.value) == kind_in(value.default)
            value = value.value if alike else value
        if v.is_number(value) or (
            isinstance(value, Array) and value.keep is None and not arithmetic.has_axis(value, kind)
        ):
            self.mixtures += v.as_array(value).kind != "f"
            carried[name] = Quantity("carried", (name, self.fresh()))
            start = v.as_array(value)
            return replace(start, form=of_atom(carried[name]), kind="f", root=None, maker="either")
        if filled and isinstance(value, Array) and value.keep is None:
            return filling(value, kind)
        if filled and v.is_empty(value):
            return Builder(keyed=value == {})
        if filled and isinstance(value, AspectSet) and kind == "aspect":
            return replace(value, filling=True)
        if filled and kind == "aspect" and held_by_aspect(self, value) is not None:
            return value  # only entries of the current aspect are changed, and nothing is read before the last change
        if filled and kind == "aspect" and (keyed := by_aspect(self, value)) is not None:
            return replace(keyed, filling=True)
        error = Underivable(f"updates {name} from one aspect or topic to the next, which is not supported")
        return value if isinstance(value, v.Failed) else v.Failed(error)

    def _after_entries(
        self, name: str, before: Value, entry: Value, after: Value, loop: Loop, carried: dict[str, Quantity]
    ) -> Value:
        """Return the value of a name after a loop, from its values before the loop, and before and after an entry."""
        if isinstance(before, LocalObject) and isinstance(entry, LocalObject) and isinstance(after, LocalObject):
            return after.by_number(
                lambda k, x, y, z: self._after_entries(part_of(name, k), y, z, x, loop, carried), before, entry
            )
        if isinstance(entry, AspectSet) and not isinstance(after, AspectSet):
            raise Underivable("adds documents to the same set in a loop over aspects or topics: create a set for each")
        if name in carried:
            if isinstance(after, First):  # the change made by an inner loop, as a sum over its ranks
                added = self.lifted(partial(_plus, -of_atom(carried[name])), after)
                assert isinstance(added, First)
                cases = (v.as_array(added.value), v.as_array(added.default))
                if any(a == carried[name] for case in cases for a in case.form.atoms()):
                    raise Underivable(
                        f"updates {name} from one aspect or topic to the next; only sums can be updated in this way"
                    )
                after = _plus(of_atom(carried[name]), self.lowered(added))
            operands = (name, before, after, carried[name], loop)
            listed = v.as_array(before).listed  # a list may be set anew, and not be read after the loop
            return self.tried(self._summed, *operands) if listed else self._summed(*operands)
        if isinstance(entry, v.Failed):
            return entry
        return self.built(after, loop, after.keep) if isinstance(after, Builder) else filled(after, loop.axis.kind)

    def _summed(self, name: str, before: Value, after: Value, atom: Quantity, loop: Loop) -> Value:
        new, old = v.as_array(after), v.as_array(before)
        step = new.form - of_atom(atom)
        if step == ZERO:
            return before
        if (
            loop.axis.kind != "aspect"
            or any(a == atom for a in step.atoms())
            or (new.axes != old.axes and (old.axes or new.axes != (v.BATCH_AXIS,)))
        ):
            raise Underivable(
                f"updates {name} from one aspect or topic to the next; only sums can be updated in this way"
            )
        return v.simplified(replace(new, form=old.form + over_aspects(step), root=None))

    def built(self, made: Builder, loop: Loop, keep: Form = ONE) -> Value:
        """Convert a `Builder` after its loop to the list or the dictionary that the loop has filled."""
        kept = None if keep == ONE else keep
        if made.entry is None:
            return {} if made.keyed else v.PythonList()
        return self.dictionary(made.entry, loop, kept) if made.keyed else self.listed(Loop(loop.axis, made.entry, kept))
