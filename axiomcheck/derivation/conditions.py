"""Compare values, and choose between values based on conditions on an unknown rank or length."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeGuard

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import is_all
from axiomcheck.derivation.comparisons import COMPARISONS, MIRRORED, comparison, count_comparison
from axiomcheck.derivation.constants import has_fraction, is_true, refuse_rounded
from axiomcheck.derivation.cutoffs import least, within
from axiomcheck.derivation.effects import runs_code
from axiomcheck.derivation.forms import (
    LENGTH,
    ONE,
    POOL,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    of_atom,
    positive,
)
from axiomcheck.derivation.functions import LocalObject, UserObject
from axiomcheck.derivation.lists_so_far import by_aspect, held_by_aspect, holding, so_far
from axiomcheck.derivation.machine import JUDGED, RANKING
from axiomcheck.derivation.plain_values import of_plain
from axiomcheck.derivation.sequences import Sequences
from axiomcheck.derivation.values import Array, AspectSet, Builder, Document, Documents, First, Value
from axiomcheck.numbers.open_numbers import is_same


class ConditionRules(Sequences):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles conditions."""

    def lifted(self, operation: Callable[..., Value], *values: Value) -> Value:
        """Apply an operation separately in two cases: a loop ended early at some rank, or it ran to its end."""
        first = next(x for x in values if isinstance(x, First))
        for x in values:
            if isinstance(x, First) and not is_at(x, first):
                return operation(*(self.lowered(x) if isinstance(x, First) else x for x in values))
        cases = ([getattr(x, part) if isinstance(x, First) else x for x in values] for part in ("value", "default"))
        # user code that fails may have changed something before
        tried = operation if any(map(runs_code, values)) else partial(self.tried, operation)
        case, default = (tried(*given) for given in cases)
        inner = (case.value if is_at(case, first) else case, default.default if is_at(default, first) else default)
        case, default = inner
        made = First(first.over, first.condition, case, default)
        return (
            self.lowered(made) if isinstance(case, Array) and not case.axes and first.condition == within(1) else made
        )

    def lowered(self, first: First) -> Value:
        """Convert a value at the first rank that meets a condition to an equivalent sum over the ranks."""
        value = v.as_array(first.value)
        if first.condition == within(1):  # there is a first rank
            form = self.over_all(self.traversals[first.over], within(1) * value.form, value.form.each)
            return replace(value, form=form, root=None)
        default = v.as_array(first.default)
        if default.form.at_rank or value.axes != default.axes:
            raise Underivable("returns values from inside and after a loop that cannot be combined in one formula")
        value, default = self._known_if(first, value, ONE), self._known_if(first, default, ZERO)
        kind = self._common_kind(value, default)
        both = {p: c for p, c in value.form.terms.items() if p in default.form.terms and not Form({p: c}).at_rank}
        same = Form({p: c for p, c in both.items() if is_same(c, default.form.terms[p])})
        if same != ZERO and value.form != default.form:  # terms that both cases have do not depend on the condition
            rest = replace(first, value=v.scalar(value.form - same), default=v.scalar(default.form - same))
            form = v.as_array(self.lowered(rest)).form + same
            return replace(value, form=form, kind=kind, root=None, maker=v.maker_of(value, default))
        if default.form == ZERO and all(
            self._is_zero_without(first, Form({product: c})) for product, c in value.form.terms.items()
        ):
            divides = any(e < 0 for product in value.form.terms for _, e in product)
            count = self.traversals[first.over].total(first.condition)
            found = positive(of_atom(Quantity("final", count.of, count.each))) if divides else ONE
            return v.simplified(replace(value, form=value.form * found, kind=kind, maker=v.maker_of(value, default)))
        traversal = self.traversals[first.over]
        going = traversal.new(ONE, first.condition.each, flag=True)
        still = traversal.close(going, of_atom(going) * (ONE - first.condition))
        term = of_atom(going) * first.condition * value.form
        form = self.over_all(traversal, term, term.each) + default.form * still
        return v.simplified(Array(value.axes, form, kind, maker=v.maker_of(value, default)))

    def _known_if(self, first: First, value: Array, met: Form) -> Array:
        """Simplify a value for the case that some rank meets a condition (``met`` is 1), or that none does (0)."""
        if any(atom.kind == "positive" for atom in value.form.atoms()):
            count = self.traversals[first.over].total(first.condition)
            some = Quantity("positive", (of_atom(Quantity("final", count.of, count.each)),), count.each)
            value = replace(value, form=value.form.replace({some: met}.get))
        return replace(value, form=value.form.replace(lambda atom: met if self._is_reached(first, atom) else None))

    def _is_reached(self, first: First, atom: Quantity) -> bool:
        """Return True if each step sets a flag to a condition, in a loop that ends as soon as the condition holds."""
        if atom.kind != "ended" or atom.of[0] != first.over:
            return False
        traversal, flag = self.traversals[first.over], of_atom(Quantity("flag", atom.of, atom.each))
        state, hit = traversal.of(atom), first.condition
        for other in () if state.update is None else state.update.atoms():
            going = of_atom(other)
            if other.kind == "flag" and state.update == going * hit + (ONE - going) * flag and state.start == ZERO:
                return (traversal.of(other).start, traversal.of(other).update) == (ONE, going * (ONE - hit))
        return False

    def _is_zero_without(self, first: First, part: Form) -> bool:
        """Return True if a product is 0 when no rank meets a condition, because a factor only sums over such ranks."""
        ((product, _),) = part.terms.items()
        for atom, exponent in product:
            if atom.kind == "final" and atom.of[0] == first.over and exponent > 0 and not part.at_rank:
                total = Quantity("state", atom.of, atom.each)
                state = self.traversals[first.over].of(total)
                step = ZERO if state.update is None else state.update - of_atom(total)
                if state.start == ZERO and step * first.condition == step:
                    return True
        return False

    def condition(self, value: Value) -> Form | First | bool:
        """Return the truth value of ``value``: a bool if it is known, otherwise an indicator.

        Raises:
            Underivable: The value is not supported as a condition.

        """
        if isinstance(value, First):
            found = self.lifted(lambda x: v.as_value(self.condition(x)), value)
            assert isinstance(found, First)
            return found
        if isinstance(value, v.Failed):
            raise value.error
        v.refuse_filling(value)
        if isinstance(value, AspectSet):
            if self.in_aspect_loop:
                raise Underivable("tests a set of aspects in a loop over aspects")
            return True if value.member == ONE else self._some(self.aspect_axis, value.member)
        if isinstance(value, Array):
            v.refuse_nested(value)
            v.refuse_keyed(value)
            if value.keep is not None:
                return self._some(value.axes[0], value.keep)
            if value.axes:
                if value.listed and value.axes[0].kind in ("rank", "aspect"):
                    return self._some(value.axes[0], None)
                raise Underivable("uses an array as a condition: use np.any, np.all or np.where")
            found = self._first_of_count(value.form)
            if found is not None:
                return found
            form = value.form if value.kind == "b" else positive(value.form)
            if form.constant is None:
                return self.holds(form) or (form if not self.holds(ONE - form) else False)
            return is_true(form.constant if value.kind == "f" else int(form.constant))
        value = value.documents if isinstance(value, v.Tuples) else value
        if isinstance(value, Documents | v.Mapping | v.Loop):
            return self._some(value.axis, value.keep)
        if isinstance(value, Builder):
            return self.condition(so_far(self, value, summed=False))
        if isinstance(value, LocalObject | UserObject):
            if value.kind.has("__bool__") or value.kind.has("__len__"):
                raise Underivable("uses an object with __bool__ or __len__ as a condition: call a method instead")
            return True
        if value is None or isinstance(value, bool | int | Fraction | str | tuple | dict):
            return is_true(value)
        raise Underivable(f"uses {v.described(value)} as a condition, which is not supported")

    def ended(self, condition: Form | First | bool) -> Form | bool:
        """Convert a condition on whether a loop ends early to an indicator; return other conditions unchanged."""
        if not isinstance(condition, First):
            return condition
        if {condition.value, condition.default} != {True, False}:
            raise Underivable("filters elements with a condition on another loop")
        reached = self.ever(v.rank_axis(condition.over), condition.condition)
        return reached if condition.value is True else ONE - reached

    def negated(self, value: Value) -> Value:
        """Return the truth value of ``not value``."""
        condition = self.condition(value)
        if isinstance(condition, First):
            return self.lifted(self.negated, condition)
        return not condition if isinstance(condition, bool) else v.as_value(ONE - condition)

    def _first_of_count(self, form: Form) -> First | None:
        """Convert the condition that a count of ranks is positive to a search for the first; None for other forms."""
        if len(form.terms) != 1:
            return None
        ((product, c),) = form.terms.items()
        counted = self.ranks_of_count(Form({product: Fraction(1)})) if c > 0 else None
        return None if counted is None else First(RANKING, counted[1], True, False)

    def _some(self, axis: v.Dimension, keep: Form | None) -> Form | First | bool:
        """Return the condition that a list is not empty."""
        limit = least_of(axis.length)
        whole = axis.length if limit is None else limit[0]
        if keep is None and (axis.kind == "aspect" or whole in (LENGTH, POOL)):
            return True  # a ranking has a document, and a topic an aspect
        if keep is None:
            if self.relevant(whole) is None:
                raise Underivable("tests whether a list of unknown length is empty")
            return positive(whole)
        count = self.total(axis, keep)
        first = self._first_of_count(count)
        if first is not None:
            return first
        form = positive(count)
        return form if form.constant is None else bool(form.constant)

    def compare(self, op: ast.cmpop, one: Value, two: Value) -> Value:
        """Evaluate a comparison of two values with an operator such as ``<`` or ``in``."""
        if isinstance(one, First) or isinstance(two, First):
            return self.lifted(lambda x, y: self.compare(op, x, y), one, two)
        for value in (one, two):
            if isinstance(value, v.Failed):
                raise value.error
        if isinstance(one, v.Largest) and two == 0 and isinstance(op, ast.Gt | ast.NotEq | ast.Eq | ast.LtE):
            if isinstance(op, ast.Gt | ast.NotEq):
                return one.positive
            if isinstance(one.positive, First):
                return self.lifted(lambda x: arithmetic.opposite(v.as_array(x)), one.positive)
            return arithmetic.opposite(v.as_array(one.positive))
        if isinstance(op, ast.Is | ast.IsNot):
            if two is not None:
                raise Underivable("compares objects with 'is'; only 'is None' is supported")
            return (one is two) is isinstance(op, ast.Is)
        if isinstance(op, ast.In | ast.NotIn):
            found = self._contains(two, one)
            return found if isinstance(op, ast.In) else self.negated(found)
        if isinstance(one, AspectSet) and isinstance(two, AspectSet) and self.aspect_axis == v.ONE_AXIS:
            one, two = (v.scalar(x.member, "b") for x in (one, two))  # sets with one element or none
        if not isinstance(one, Array) and not isinstance(two, Array):
            if all(x is None or isinstance(x, bool | int | Fraction | str) for x in (one, two)):
                refuse_rounded(one, two)
                return bool(of_plain(COMPARISONS[type(op)], one, two))
            raise Underivable(f"compares {v.described(one)} with {v.described(two)}, which is not supported")
        x, y = v.as_array(one), v.as_array(two)
        if (x.listed and x.axes) or (y.listed and y.axes):
            raise Underivable("compares a list: convert it with np.array")
        axes, maker = arithmetic.broadcast(x, y), arithmetic.maker_of_both(x, y)
        x, y = (replace(z, form=self.known(z.form)) for z in (x, y))
        if x.form.constant is not None:
            op, x, y = MIRRORED[type(op)](), y, x
        if x.kind == "i" and y.form.constant == 1:
            self.take_as_integers(x.form)
        first, bound = (None if axes else self._first_of_count(x.form)), y.form.constant
        whole = bound == 1 and not x.form.rounded and isinstance(op, ast.GtE | ast.Lt)
        if first is not None and not y.form.rounded and (bound == 0 or whole):
            some, none = (COMPARISONS[type(op)](case, bound) for case in (1, 0))
            return v.made_by(replace(first, value=some, default=none), maker)
        if axes and x.form.each and bound == 0 and isinstance(op, ast.Gt | ast.NotEq | ast.Eq | ast.LtE):
            ranks = self.ranks_of_count(x.form)
            if ranks is not None and not y.form.rounded:  # at least one of the counted ranks
                reached = self.ever(v.rank_axis(RANKING), ranks[1])
                return Array(axes, reached if isinstance(op, ast.Gt | ast.NotEq) else ONE - reached, "b", maker=maker)
        counted = not x.form.rounded and not y.form.rounded and self.relevant(x.form) is not None
        longer = None if bound is None or not counted else count_comparison(op, x.form, bound)
        return v.simplified(Array(axes, comparison(op, x, y) if longer is None else longer, "b", maker=maker))

    def _contains(self, owner: Value, item: Value) -> Value:
        if isinstance(owner, Builder) and self.is_aspect(item):
            owner = by_aspect(self, owner) or owner
        loops = [loop.over for loop in self.rank_loops]
        if isinstance(owner, Array) and owner.keyed == "all":
            owner = v.Mapping(self.aspect_axis, None)
        v.refuse_keyed(owner)
        if isinstance(owner, v.Tuples) and isinstance(item, tuple) and len(item) == len(owner.key):
            (place,) = (k for k, part in enumerate(owner.key) if isinstance(part, Document))
            others, alike = (*item[:place], *item[place + 1 :]), (*owner.key[:place], *owner.key[place + 1 :])
            if isinstance(item[place], Document) and all(x is None or isinstance(x, str | int) for x in others):
                return others == alike and self._contains(owner.documents, item[place])
        if isinstance(owner, v.Mapping) and self.is_aspect(item) and item == owner.key:
            return v.simplified(v.scalar(owner.keep or ONE, "b", "Python"))
        if isinstance(owner, AspectSet) and isinstance(item, Document) and loops == [item.over]:
            return False  # the set has documents of earlier ranks at most, and none of them is listed twice
        if isinstance(owner, v.SeenDocuments) and item == Document(owner.over) and loops == [owner.over]:
            return v.simplified(v.scalar(owner.member, "b", "Python"))
        if isinstance(owner, AspectSet) and self.is_aspect(item):
            return v.simplified(v.scalar(owner.member, "b", "Python"))
        if isinstance(owner, Documents | v.Mapping) and isinstance(item, Document):
            if owner.axis.over == RANKING == item.over:
                mask, prefix = self.extent(owner.axis, self.traversals[RANKING])
                keep = mask if owner.keep is None else mask * owner.keep
                return (
                    False if prefix == "above" else v.simplified(v.scalar(keep, "b", "Python"))
                )  # no document is listed twice
            if owner.axis.over != JUDGED or owner.axis.length != POOL:
                raise Underivable("tests whether a document is ranked, or is in a subset of the judged documents")
            keep = ONE if owner.keep is None else owner.keep
            return v.simplified(v.scalar(v.renamed(keep, JUDGED, item.over), "b", "Python"))
        if isinstance(owner, Array) and item == 1 and len(owner.axes) == 1 and owner.form.is_indicator():
            return v.as_value(self._some(owner.axes[0], owner.form if owner.keep is None else owner.form * owner.keep))
        if isinstance(owner, dict) and isinstance(item, str | int):
            return item in owner
        if isinstance(owner, tuple) and (item is None or isinstance(item, str | int | Fraction)):
            if any(isinstance(element, Array) for element in owner):
                raise Underivable("uses 'in' with a tuple or list of computed numbers")
            found = [self.compare(ast.Eq(), element, item) for element in owner]
            if not all(isinstance(equal, bool) for equal in found):
                raise Underivable("uses 'in' with a tuple or list of computed numbers")
            return True in found
        raise Underivable(f"tests whether {v.described(item)} is in {v.described(owner)}, which is not supported")

    @staticmethod
    def tried(operation: Callable[..., Value], *values: Value) -> Value:
        """Return the value of an operation, or a `Failed` value with the reason why it cannot be computed.

        Use this for user code only if the code is run again, because it may change something before it fails.
        """
        try:
            return operation(*values)
        except Underivable as error:
            return v.Failed(error)

    def choose(self, condition: Form | First, one: Value, two: Value, *, by_entry: bool = False) -> Value:
        """Return one value where a condition holds, and another elsewhere.

        Args:
            condition: The condition.
            one: Value where it holds.
            two: Value elsewhere.
            by_entry: True if the condition applies to each entry of arrays, False if it applies to the current entry of
                a loop.

        """
        if one is two or (isinstance(one, v.Index | Document) and one == two):
            return one
        if v.is_number(one) and v.is_number(two) and one == two and isinstance(one, bool) != isinstance(two, bool):
            raise Underivable("chooses between a boolean and an equal number: write 1 and 0 for True and False")
        if isinstance(one, LocalObject) and isinstance(two, LocalObject):
            if one.kind.value is not two.kind.value or not one.is_later(two):
                raise Underivable("chooses between two objects based on a condition, which is not supported")
            return one.by_number(lambda _, x, y: self.choose(condition, x, y), two)
        if isinstance(condition, First) and v.are_alike(one, two):
            return v.by_entry(lambda _, x, y: self.choose(condition, x, y), one, two)
        if isinstance(condition, First):
            # the results of other loops do not depend on this condition
            one, two = (self.lowered(x) if isinstance(x, First) and not is_at(x, condition) else x for x in (one, two))
            cases = ((condition.value, True), (condition.default, False))
            return First(condition.over, condition.condition, *(self._picked(x, one, two, at) for x, at in cases))
        if isinstance(one, First) or isinstance(two, First):
            return self._choose_first(condition, one, two)
        inner = held_by_aspect(self, one), held_by_aspect(self, two)
        if None not in inner and type(one) is type(two):
            return holding(one, self.choose(condition, *inner))
        if any(isinstance(x, v.Mapping) for x in (one, two)):
            mapping, another = by_aspect(self, one), by_aspect(self, two)
            if mapping is not None and another is not None:
                return self._chosen_by_aspect(condition, mapping, another)
        for value, other, met in ((one, two, False), (two, one, True)):
            undefined = isinstance(value, v.NoScore) or (value is None and other is not None)
            if undefined and self.requires(condition, met):
                return other
        for value in (one, two):
            if isinstance(value, v.Failed):
                return value
        if isinstance(one, Builder) and isinstance(two, Builder):
            if one.entry is not None and two.entry is not None:
                keep = condition * one.keep + (ONE - condition) * two.keep
                return replace(one, entry=self.choose(condition, one.entry, two.entry), keep=keep)
            filled, guard = (two, ONE - condition) if one.entry is None else (one, condition)
            return replace(filled, keep=guard * filled.keep)
        if isinstance(one, AspectSet) and isinstance(two, AspectSet):
            member = condition * one.member + (ONE - condition) * two.member
            return AspectSet(member, one.filling or two.filling)
        if isinstance(one, AspectSet | v.SeenDocuments) and isinstance(two, AspectSet | v.SeenDocuments):
            members = [x.member if isinstance(x, v.SeenDocuments) else ZERO for x in (one, two)]
            (over,) = {x.over for x in (one, two) if isinstance(x, v.SeenDocuments)}
            return v.SeenDocuments(over, condition * members[0] + (ONE - condition) * members[1])
        if isinstance(one, Documents | Array) and isinstance(two, Documents | Array):
            shorter = self._shorter(condition, one, two)
            if shorter is not None:
                return shorter
        if not isinstance(one, Array) and not v.is_number(one) and _is_same_value(one, two):
            if has_fraction(one):
                raise Underivable("chooses between lists of constants that floats cannot represent exactly")
            return one
        if v.are_alike(one, two):
            return v.by_entry(lambda _, x, y: self.choose(condition, x, y), one, two)
        for full, empty, given in ((one, two, condition), (two, one, ONE - condition)):
            if (optional := self._at_most_one(full, empty, given)) is not None:
                return optional
        x, y = v.as_array(one, infinite=True), v.as_array(two, infinite=True)
        kind = arithmetic.kind_of_both(x, y) if by_entry else self._common_kind(x, y)
        axes = arithmetic.broadcast(x, y)
        if (smaller := _smaller(condition, x.form, y.form)) is not None:
            return Array(axes, smaller, kind, maker=v.maker_of(x, y))
        if not by_entry and any(
            is_all(axis) and (condition.at_rank if axis.kind == "rank" else axis.kind == "aspect" and condition.each)
            for axis in axes
        ):
            raise Underivable("chooses between whole arrays based on the current entry of a loop")
        form = y.form + self.where(condition, x.form - y.form)
        if (
            axes
            and x.form == y.form
            and isinstance(one, Array)
            and isinstance(two, Array)
            and one.memory is not two.memory
        ):
            raise Underivable("computes equal arrays in both branches of a condition: compute the array before it")
        same = x.memory is y.memory
        origin, root = (x.memory, x.root) if same else (None, _EITHER if x.axes and y.axes else None)
        if x.keyed != y.keyed:
            raise Underivable("chooses between a dictionary and a value of another type")
        listed = x.listed and y.listed
        maker = v.maker_of(x, y)
        return v.simplified(Array(axes, form, kind, listed, None, root, origin=origin, keyed=x.keyed, maker=maker))

    def _at_most_one(self, full: Value, empty: Value, given: Form) -> Value | None:
        """Return a list or a dictionary with one entry if a condition holds, else with none; None for other values."""
        if empty == () and isinstance(full, tuple) and len(full) == 1:
            return self.listed(v.Loop(v.ONE_AXIS, full[0], given))
        if empty == {} and isinstance(full, dict) and len(full) == 1 and self.is_aspect(next(iter(full))):
            return v.Mapping(v.ONE_AXIS, full[0], given)
        return None

    def _common_kind(self, one: Array, two: Array) -> v.Kind:
        """Return the kind of a number chosen from two numbers; a choice between two types adds 1 to ``mixtures``."""
        if one.kind != two.kind:
            self.mixtures += 1
            if (one.axes and not one.listed) or (two.axes and not two.listed):
                raise Underivable("chooses between arrays of different dtypes")
        return arithmetic.kind_of_both(one, two)

    def chosen_anew(self, condition: Form, one: Value, two: Value) -> Value:
        """Return a new array with the entries of ``one`` where a condition holds, and those of ``two`` elsewhere."""
        return replace(v.as_array(self.choose(condition, one, two, by_entry=True)), root=None, origin=None)

    def _shorter(self, condition: Form, one: Documents | Array, two: Documents | Array) -> Value | None:
        """Simplify ``x[:k] if len(x) > k else x`` to ``x[:k]``; return None for other conditions and lists."""
        for short, long, given in ((one, two, condition), (two, one, ONE - condition)):
            a, b = (x.axis if isinstance(x, Documents) else x.rank_axis for x in (short, long))
            if a is None or b is None or type(short) is not type(long):
                continue
            limit = least_of(a.length)
            same = isinstance(short, Documents) or (isinstance(long, Array) and short.form == long.form)
            same = same and short.keep is None and long.keep is None
            same = same and a.over == b.over
            if limit is not None and same and limit[0] == b.length and given == of_atom(Quantity("longer", limit)):
                return short
        return None

    def _picked(self, case: Value, one: Value, two: Value, reached: bool) -> Value:
        condition = self.condition(case)
        one, two = ((x.value if reached else x.default) if isinstance(x, First) else x for x in (one, two))
        return (one if condition else two) if isinstance(condition, bool) else self.choose(condition, one, two)

    def _chosen_by_aspect(self, condition: Form, one: v.Mapping, two: v.Mapping) -> v.Mapping:
        """Return one dictionary of aspects where a condition holds, and another elsewhere."""
        x, y = (ONE if z.keep is None else z.keep for z in (one, two))
        keep = condition * x + (ONE - condition) * y
        value = self.choose(condition, one.value, two.value)
        zero = all(z.zero or z.keep is None for z in (one, two))
        return v.Mapping(one.axis, value, None if keep == ONE else keep, zero, one.filling or two.filling)

    def _first_met(self, condition: Form) -> First | None:
        """Convert a test of a flag's final value to a search for the first rank that sets it; None for other forms."""
        for atom in condition.atoms():
            ended = of_atom(atom)
            if atom.kind == "ended" and condition in (ended, ONE - ended):
                flag, name = Quantity("flag", atom.of, atom.each), str(atom.of[0])
                state = self.traversals[name].of(atom)
                step = ZERO if state.update is None else state.update - of_atom(flag)
                met = step.replace({flag: ZERO}.get)
                if state.start == ZERO and step == (ONE - of_atom(flag)) * met:
                    return First(name, met, condition == ended, condition != ended)
        return None

    def where(self, condition: Form, form: Form) -> Form:
        """Multiply a form by a condition, except for totals that are 0 where the condition is not met."""
        first, total = self._first_met(condition), Form({}, form.rounded)
        if first is None or first.value is False:
            return condition * form
        for part in (Form({product: c}) for product, c in form.terms.items()):
            total = total + (part if self._is_zero_without(first, part) else condition * part)
        return total

    def _choose_first(self, condition: Form, one: Value, two: Value) -> Value:
        first = one if isinstance(one, First) else two
        assert isinstance(first, First)
        if is_at(met := self._first_met(condition), first):
            return self.choose(met, one, two)
        rows = [(x.value, x.default) if isinstance(x, First) else (x, x) for x in (one, two)]
        if any(isinstance(x, First) and not is_at(x, first) for x in (one, two)):
            raise Underivable("chooses between the results of two loops, which is not supported")
        value, default = (self.choose(condition, *cases) for cases in zip(*rows, strict=True))
        return First(first.over, first.condition, value, default)


def is_at(value: Value, first: First) -> TypeGuard[First]:
    """Return True if a value is a `First` for the same sequence and condition as another."""
    return isinstance(value, First) and (value.over, value.condition) == (first.over, first.condition)


def _smaller(condition: Form, one: Form, two: Form) -> Form | None:
    """Simplify a choice between a length and a constant to their minimum; return None for other choices."""
    for atom in condition.atoms():
        if atom.kind == "longer" and condition in (of_atom(atom), ONE - of_atom(atom)):
            whole, most = atom.of
            assert isinstance(whole, Form)
            assert isinstance(most, int)
            limit, length = (one, two) if condition == of_atom(atom) else (two, one)
            if length == whole and limit.constant in (most, most + 1):
                return least(whole, int(limit.constant or 0), counted=True)
    return None


_EITHER = "one of two arrays"
"""Root of an array that may be either of two arrays. Neither may be changed through this name."""


def _is_same_value(one: Value, two: Value) -> bool:
    """Return True if values are equal, contain equal types and have their keys in the same order."""
    if type(one) is not type(two):
        return False
    if isinstance(one, dict) and isinstance(two, dict):
        return _is_same_value(tuple(one.items()), tuple(two.items()))
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_is_same_value, one, two))
    return bool(one == two)
