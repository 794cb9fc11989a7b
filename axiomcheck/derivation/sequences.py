"""Loop over sequences of documents, aspects and topics, and build lists, sets and dictionaries of their entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import prod

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import is_all
from axiomcheck.derivation.comparisons import is_known_not_negative
from axiomcheck.derivation.forms import (
    ONE,
    ZERO,
    Form,
    Quantity,
    Underivable,
    of_atom,
    positive,
)
from axiomcheck.derivation.functions import Function, LocalObject
from axiomcheck.derivation.iterators import read
from axiomcheck.derivation.machine import (
    JUDGED,
    POSITIONS,
    SORTED,
    SUMMED,
)
from axiomcheck.derivation.totals import Totals
from axiomcheck.derivation.values import Array, AspectSet, Document, Documents, Loop, Value


def _is_of_rank(value: Value) -> bool:
    """Return True if a value, or a value that a function reads, depends on the current rank of a loop."""
    if isinstance(value, Array):
        axis = value.rank_axis
        if axis is not None:
            return axis.length.at_rank or not is_all(axis)
        return value.form.at_rank or (value.keep is not None and value.keep.at_rank)
    if isinstance(value, Documents | v.Mapping | Loop):
        if value.axis.kind == "rank" or isinstance(value, Documents):
            return value.axis.length.at_rank
        keeps = value.keep is not None and value.keep.at_rank
        return keeps or _is_of_rank(value.element if isinstance(value, Loop) else value.value)
    if isinstance(value, Document | AspectSet | v.SeenDocuments | v.Builder | v.First):
        return True
    return any(map(_is_of_rank, _held(value)))


def _is_of_aspect(value: Value) -> bool:
    """Return True if a value may depend on the current aspect of a loop."""
    if isinstance(value, Array):
        if arithmetic.has_axis(value, "aspect"):
            return not all(map(is_all, value.axes))
        return value.form.each or (value.keep is not None and value.keep.each)
    if isinstance(value, AspectSet) or (isinstance(value, v.Mapping) and value.axis.kind == "aspect"):
        return value.filling
    if isinstance(value, Documents | v.Mapping | Loop):
        keeps = value.keep is not None and value.keep.each
        return keeps or (not isinstance(value, Documents) and _is_of_aspect(_entry_of(value)))
    if isinstance(value, v.First):
        return value.condition.each or _is_of_aspect(value.value) or _is_of_aspect(value.default)
    return value == v.Index("aspect") or isinstance(value, v.Builder) or any(map(_is_of_aspect, _held(value)))


def _entry_of(value: v.Mapping | Loop) -> Value:
    """Return the current entry of a dictionary or an iterable over ranks; return None for one over aspects."""
    if value.axis.kind == "aspect":
        return None
    return value.element if isinstance(value, Loop) else value.value


def _held(value: Value) -> Iterable[Value]:
    """Return the values that a container or an object contains, or that an inner function reads."""
    if isinstance(value, Function):
        names = {} if value.defined_in is None else value.defined_in.names
        return [names.get(name) for name in value.names_read()]
    if isinstance(value, LocalObject):
        return value.attributes.values()
    if isinstance(value, v.Once | v.Tuples):
        return (value.value if isinstance(value, v.Once) else value.documents,)
    return v.entries(value)


_MIXING: dict[str, tuple[Callable[[Value], bool], str]] = {
    "rank": (_is_of_rank, "combines the ranks of two nested loops"),
    "aspect": (_is_of_aspect, "combines the aspects of two nested loops"),
}
"""By kind of loop: a test for values that depend on its current entry, and the reason to refuse them in another
loop."""


class Sequences(Totals):
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles sequences."""

    def __init__(self) -> None:
        super().__init__()
        self.rank_loops: list[v.Dimension] = []
        """Axes of the loops over ranks that are being run, innermost last."""
        self.loops: list[str] = []
        """Kinds of the axes of all loops that are being run, innermost last."""
        self.holding: list[Form] = []
        """Indicators that are known to be 1 in the branch that is being run."""
        self.required: list[Form] = []
        """Indicators that are 0 where the function raises an exception, or returns no number."""
        self.taken_as_integers: set[Quantity] = set()
        """Numbers that start as integers, where code relies on their being integers."""
        self.reads_hits_only = False
        """True if documents are in the order of their hits, so that code may read no grades in this order."""
        self.mixtures = 0
        """Number of choices between two numbers of different types."""
        self.turned_to_floats: set[Quantity] = set()
        """Numbers that start as integers, and are floats after a step of a loop."""
        self.has_open_dtype = False
        """True if numpy chose the dtype of an array from numbers that may be of different types."""
        self.aspect_axis = v.ASPECT_AXIS
        """Axis of the topic's aspects."""
        self._numbers = count()

    def take_as_integers(self, form: Form) -> None:
        """Record that code relies on a number being an integer.

        Raises:
            Underivable: This or another such number starts as an integer and becomes a float in a loop.

        """
        self.taken_as_integers.update(form.atoms())
        if not self.taken_as_integers.isdisjoint(self.turned_to_floats):
            raise Underivable("uses a variable as an integer that a loop turns into a float: start at 0.0")

    @property
    def in_aspect_loop(self) -> bool:
        """True while a loop over aspects is being run."""
        return "aspect" in self.loops

    def is_aspect(self, value: Value) -> bool:
        """Return True for the index of the current aspect, which is 0 if the topic has one aspect."""
        only = type(value) is int and value == 0 and self.aspect_axis == v.ONE_AXIS
        return only or value == v.Index("aspect")

    @property
    def is_certain(self) -> bool:
        """True outside of branches whose conditions depend on the ranking."""
        return all(known == ONE for known in self.holding)

    def fresh(self) -> int:
        """Return a new number for a ``carried`` quantity."""
        return next(self._numbers)

    def iterated(self, value: Value) -> Value:
        """Return the value that a loop iterates over; an array with a single entry becomes a tuple of that entry."""
        value = read(value)
        only = isinstance(value, Array | AspectSet | v.Mapping | Loop)
        if not only or (isinstance(value, Array) and value.axes[:1] != (v.ONE_AXIS,)):
            return value
        loop = self.loop_of(value)
        return (loop.element,) if loop.axis == v.ONE_AXIS and loop.keep in (None, ONE) else value

    def loop_of(self, value: Value) -> Loop:
        """Convert a value to the `Loop` that iterates over it.

        Raises:
            Underivable: The value cannot be looped over.

        """
        value = read(value)
        v.refuse_filling(value)
        if isinstance(value, v.ConstantTable):
            value = value.entries
        if isinstance(value, v.First):
            one, other = self.loop_of(value.value), self.loop_of(value.default)
            if one.axis != v.BATCH_AXIS or other.axis != v.BATCH_AXIS or one.keep or other.keep:
                raise Underivable(f"loops over {v.described(value)}, which is not supported")
            return Loop(one.axis, replace(value, value=one.element, default=other.element))
        if isinstance(value, Loop):
            return value
        if isinstance(value, Documents) and not value.ordered and value.axis.over != JUDGED:
            raise Underivable("loops over a set of documents, which has no order: loop over the ranking")
        if isinstance(value, Documents):
            return Loop(value.axis, Document(value.axis.over), value.keep)
        if isinstance(value, v.Mapping):
            return Loop(value.keys, value.key, value.keep)
        if isinstance(value, AspectSet) or (isinstance(value, Array) and value.keyed == "all"):
            index = 0 if self.aspect_axis == v.ONE_AXIS else v.Index("aspect")
            if isinstance(value, AspectSet):
                return Loop(v.unordered(self.aspect_axis), index, value.member)
            return Loop(self.aspect_axis, index, None)
        v.refuse_keyed(value)
        if isinstance(value, Array) and value.axes and value.nested == 1:
            axis, *rest = value.axes
            entry = replace(value, axes=tuple(rest), keep=None, root=value.root or value.memory)
            return Loop(axis, v.simplified(entry) if axis == v.ONE_AXIS else entry, value.keep)
        raise Underivable(f"loops over {v.described(value)}, which is not supported")

    def listed(self, loop: Loop) -> Value:
        """Return the list of a loop's elements; the loop itself if they are neither numbers, documents nor aspects."""
        element = loop.element
        if isinstance(element, v.First) and loop.axis == v.BATCH_AXIS and loop.keep is None:
            # each topic has its own case
            case, default = (self.listed(replace(loop, element=x)) for x in (element.value, element.default))
            return replace(element, value=case, default=default)
        if isinstance(element, Document) and element.over == loop.axis.over:
            return Documents(loop.axis, loop.keep)
        if self.is_aspect(element) and loop.keep is not None and loop.axis.kind == self.aspect_axis.kind:
            return AspectSet(loop.keep)
        if v.is_number(element) or isinstance(element, Array):
            array = v.as_array(element)
            v.refuse_keyed(array)
            if any(axis.kind == loop.axis.kind for axis in array.axes):
                raise Underivable("creates a list of lists over the same axis, which is not supported")
            held = (array.root or array.memory) if array.axes else None
            return Array((loop.axis, *array.axes), array.form, array.kind, True, loop.keep, held, maker=array.maker)
        return loop

    def set_of(self, loop: Loop) -> Value:
        """Build the set of a loop's elements."""
        element = loop.element
        key = element if isinstance(element, tuple) else (element,)
        documents = [part for part in key if isinstance(part, Document)]
        constant = all(part is None or isinstance(part, Document | str | int) for part in key)
        if len(documents) == 1 and constant and loop.axis.over in (documents[0].over, POSITIONS):
            axis = replace(loop.axis, over=documents[0].over)
            made = Documents(axis, loop.keep, ordered=False, listed=False)
            return v.Tuples(made, key) if isinstance(element, tuple) else made
        if self.is_aspect(element) and loop.axis.kind == self.aspect_axis.kind:
            return AspectSet(ONE if loop.keep is None else loop.keep)
        raise Underivable("creates a set of numbers, which is not supported")

    def dictionary(self, made: Value, loop: Loop, keep: Form | None) -> Value:
        """Build the dictionary of the (key, value) pairs of a loop."""
        if not isinstance(made, tuple) or len(made) != 2:
            raise Underivable("creates a dictionary from values that are not pairs")
        key, value = made
        if isinstance(key, Document) and loop.axis.over in (key.over, POSITIONS):
            return v.Mapping(replace(loop.axis, over=key.over), value, keep)
        if key == v.Index("aspect") and loop.axis.kind == "aspect":
            if keep is not None or not (v.is_number(value) or (isinstance(value, Array) and not value.axes)):
                return v.Mapping(v.ASPECT_AXIS, value, keep)
            return replace(v.as_array(value), axes=(v.ASPECT_AXIS,), listed=True, root=None, keyed="all")
        if self.is_aspect(key) and loop.axis == v.ONE_AXIS:
            return v.Mapping(loop.axis, value, keep)
        raise Underivable("creates a dictionary whose keys are not documents")

    def sheltered(self, names: dict[str, Value], kind: str) -> dict[str, Value]:
        """Return the names for a loop; values of the current entry of an outer loop of its kind become `Failed`."""
        if kind not in self.loops or kind not in _MIXING:
            return dict(names)
        is_current, message = _MIXING[kind]
        return {name: v.Failed(Underivable(message)) if is_current(x) else x for name, x in names.items()}

    def refuse_current_of(self, function: Value, kind: str) -> None:
        """Check that a function called for each entry of a nested loop reads no values of an outer loop's entry.

        Raises:
            Underivable: The function may read such a value.

        """
        if isinstance(failed := self.sheltered({"": function}, kind)[""], v.Failed):
            raise failed.error

    def reciprocal(self, form: Form) -> Form | None:
        """Return 1 / form if the form is a positive number plus nonnegative totals; None for any other form."""
        above = form.terms.get((), Fraction(0)) > 0 and len(form.terms) > 1
        totals = (a.kind == "positive" or self._is_total_of_0_or_more(a) for p in form.terms for a, _ in p)
        if not above or not all(c > 0 for c in form.terms.values()) or not all(totals):
            return None
        return of_atom(Quantity("reciprocal", (form,), form.each))

    def _is_total_of_0_or_more(self, atom: Quantity) -> bool:
        """Return True if an atom is a document count, or a total to which every rank adds a nonnegative amount."""
        if atom.kind != "final":
            return atom.kind in ("length", "least")
        total = Quantity("state", atom.of, atom.each)
        state = self.traversals[str(atom.of[0])].of(total)
        step = -ONE if state.update is None else state.update - of_atom(total)
        return state.start == ZERO and is_known_not_negative(step)

    def known(self, form: Form) -> Form:
        """Multiply a form by the indicator d > 0 for each of its divisors d that is positive in the current branch."""
        divisors = [a for product in form.terms for a, e in product if e < 0 and a.kind == "final"]
        return prod((positive(of_atom(a)) for a in divisors if self.holds(positive(of_atom(a)))), start=form)

    def holds(self, condition: Form) -> bool:
        """Return True if an indicator is known to be 1 in the branch that is being run."""
        return any(known * condition == known for known in self.holding)

    def requires(self, condition: object, met: bool) -> bool:
        """Record that only topics that meet a condition (or that do not) have scores, if it depends on the topic alone.

        Returns:
            True if it was recorded.

        """
        if not isinstance(condition, Form) or condition.at_rank or condition.each:
            return False
        totals = [atom for atom in condition.atoms() if atom.kind in ("final", "ended", "longer")]
        if any(atom.of[0] not in (JUDGED, SORTED, SUMMED) for atom in totals):  # totals over the ranking
            return False
        self.required.append(condition if met else ONE - condition)
        return True

    @contextmanager
    def assuming(self, condition: object, met: bool = True) -> Iterator[None]:
        """Context manager for running a branch in which a condition is met, or is not met."""
        outer = self.holding
        if isinstance(condition, v.First) and {condition.value, condition.default} == {True, False}:
            some = self.traversals[condition.over].total(condition.condition)
            met = met is (condition.value is True)
            condition = positive(of_atom(Quantity("final", some.of, some.each)))
        if isinstance(condition, Form):
            self.holding = [*outer, condition if met else ONE - condition]
        try:
            yield
        finally:
            self.holding = outer

    @contextmanager
    def looping(self, axis: v.Dimension) -> Iterator[None]:
        """Context manager for running the body of a loop over an axis."""
        outer, self.holding = self.holding, []
        self.loops.append(axis.kind)
        if axis.kind == "rank":
            self.rank_loops.append(axis)
        try:
            yield
        finally:
            self.holding = outer
            self.loops.pop()
            if axis.kind == "rank":
                self.rank_loops.pop()
