"""Sum over ranks and aspects, and loop over the sequences of a metric's code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import (
    LENGTH,
    ONE,
    POOL,
    RANK,
    Atom,
    Form,
    Underivable,
    least_of,
    of_atom,
    over_aspects,
    within,
)
from axiomcheck.derivation.machine import JUDGED, POSITIONS, RANKING, SORTED, Traversal
from axiomcheck.derivation.values import Array, AspectSet, Document, Documents, Loop, Value


class Sequences:
    """Sums and loops of the interpreter. See `axiomcheck.derivation.interpreter.Interpreter`."""

    def __init__(self) -> None:
        self.traversals = {name: Traversal(name) for name in (RANKING, SORTED, JUDGED)}
        self.rank_loops: list[str] = []
        """Sequences of the loops over ranks that are being run, innermost last."""
        self.in_aspect_loop = False
        self._numbers = count()

    def fresh(self) -> int:
        """Return a number that was not returned before."""
        return next(self._numbers)

    def extent(self, axis: v.Axis, traversal: Traversal) -> tuple[Form, str | None]:
        """Return the indicator of the ranks of an axis, and ``above`` or ``so far`` if it ends at the current rank.

        Raises:
            Underivable: The axis ends neither at the last rank, nor at a constant, nor at the current rank.

        """
        whole = LENGTH if traversal.name == RANKING else POOL
        if axis.length == whole:
            return ONE, None
        if axis.length in (RANK - ONE, RANK):
            return ONE, "above" if axis.length == RANK - ONE else "so far"
        limit = least_of(axis.length)
        if limit is not None and limit[0] == whole:
            return within(limit[1]), None
        raise Underivable("loops over another number of ranks than all or the first k")

    def traversal_of(self, axis: v.Axis) -> Traversal:
        """Return the traversal of an axis; positions belong to the ranking or to the sorted pool by their number."""
        over = axis.over
        if over == POSITIONS:
            over = SORTED if any(a == Atom("length", ("P",)) for a in axis.length.atoms()) else RANKING
        if over not in self.traversals:
            raise Underivable("reads documents in ascending order")
        return self.traversals[over]

    def total(self, axis: v.Axis, term: Form) -> Form:
        """Return the sum of a term over an axis."""
        if axis.kind == "aspect":
            return over_aspects(term)
        if axis.kind == "one":
            return term
        if axis.kind == "batch":
            raise Underivable("sums over topics")
        traversal = self.traversal_of(axis)
        mask, prefix = self.extent(axis, traversal)
        atom = traversal.total(mask * term)
        if prefix == "above":
            return of_atom(atom)
        if prefix == "so far":
            return of_atom(atom) + term
        return of_atom(Atom("final", atom.of, atom.each))

    def loop_of(self, value: Value) -> Loop:
        """Return a value as something to loop over.

        Raises:
            Underivable: The value cannot be looped over.

        """
        if isinstance(value, Loop):
            return value
        if isinstance(value, Documents) and not value.ordered and value.axis.over == RANKING:
            raise Underivable("loops over a set of documents, which has no order")
        if isinstance(value, Documents | v.Mapping):
            return Loop(value.axis, Document(value.axis.over), value.keep)
        if isinstance(value, Array) and value.axes and value.nested == 1:
            axis, *rest = value.axes
            return Loop(axis, replace(value, axes=tuple(rest), keep=None, root=value.root or value), value.keep)
        raise Underivable(f"loops over {v.described(value)}")

    def listed(self, loop: Loop) -> Value:
        """Return the list of a loop's elements."""
        element = loop.element
        if isinstance(element, Document) and element.over == loop.axis.over:
            return Documents(loop.axis, loop.keep)
        if v.is_number(element) or isinstance(element, Array):
            array = v.as_array(element)
            if array.axes and array.axes[0].kind == "rank":
                raise Underivable("makes a list of lists of ranks")
            return Array((loop.axis, *array.axes), array.form, array.kind, True, loop.keep)
        if element == v.Index("aspect") and loop.keep is not None:
            return AspectSet(loop.keep)
        return loop

    def dictionary(self, made: Value, loop: Loop, keep: Form | None) -> Value:
        """Return the dictionary of the (key, value) pairs of a loop."""
        if not isinstance(made, tuple) or len(made) != 2:
            raise Underivable("makes a dictionary of something else than pairs")
        key, value = made
        if isinstance(key, Document):
            return v.Mapping(loop.axis, value, keep)
        if key == v.Index("aspect") and keep is None:
            return replace(v.as_array(value), axes=(v.ASPECT_AXIS,), listed=True)
        raise Underivable("makes a dictionary whose keys are not documents")

    def sheltered(self, names: dict[str, Value]) -> dict[str, Value]:
        """Return local names for a loop within a loop over ranks, which must not use the outer loop's current rank."""
        if not self.rank_loops:
            return dict(names)
        error = Underivable("mixes the ranks of two loops")

        def hidden(value: Value) -> bool:
            if isinstance(value, Array):
                return value.form.at_rank and value.rank_axis is None
            return isinstance(value, Document | AspectSet | v.Builder) or (
                isinstance(value, tuple) and any(map(hidden, value))
            )

        return {name: v.Failed(error) if hidden(value) else value for name, value in names.items()}

    @contextmanager
    def looping(self, axis: v.Axis) -> Iterator[None]:
        """Note that a loop over an axis is being run."""
        aspect = self.in_aspect_loop
        if axis.kind == "rank":
            self.rank_loops.append(axis.over)
        self.in_aspect_loop = aspect or axis.kind == "aspect"
        try:
            yield
        finally:
            self.in_aspect_loop = aspect
            if axis.kind == "rank":
                self.rank_loops.pop()
