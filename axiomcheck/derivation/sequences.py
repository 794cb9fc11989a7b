"""Sum over ranks and aspects, and loop over sequences of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import prod

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import filled_over, is_all
from axiomcheck.derivation.comparisons import is_known_not_negative
from axiomcheck.derivation.cutoffs import within
from axiomcheck.derivation.discounts import shows_relevance
from axiomcheck.derivation.early_exits import stays_zero
from axiomcheck.derivation.forms import (
    INDICATORS,
    LENGTH,
    ONE,
    POOL,
    RANK,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    number,
    of_atom,
    over_aspects,
    positive,
)
from axiomcheck.derivation.functions import Function, LocalObject
from axiomcheck.derivation.iterators import read
from axiomcheck.derivation.machine import (
    FILLED_UP,
    JUDGED,
    PADDED_BEST,
    POSITIONS,
    RANKING,
    SORTED,
    SUMMED,
    Traversal,
    factored,
    pooled,
)
from axiomcheck.derivation.numbered import numbered_over, set_of_numbers
from axiomcheck.derivation.padding import refuse_at_padding
from axiomcheck.derivation.values import Array, AspectSet, Document, Documents, Loop, Value


def _is_of_rank(value: Value) -> bool:
    """Return True for a value, or a function that reads a value, that depends on the current rank of a loop."""
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
    """Return True for a value that may depend on the current aspect of a loop."""
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
    if isinstance(value, v.Partial):
        return (value.callee, *value.arguments, *value.keywords.values())
    if isinstance(value, v.Once | v.Tuples):
        return (value.value if isinstance(value, v.Once) else value.documents,)
    return v.entries(value)


def _is_of_pool(atom: Quantity) -> bool:
    """Return False for an atom that is a total or a condition over the ranking, not over judged documents."""
    return atom.kind not in ("final", "ended", "longer", "ranked") or atom.of[0] in (JUDGED, SORTED, SUMMED)


_MIXING: dict[str, tuple[Callable[[Value], bool], str]] = {
    "rank": (_is_of_rank, "combines the ranks of two nested loops"),
    "aspect": (_is_of_aspect, "combines the aspects of two nested loops"),
}
"""By kind of loop: a test for values that depend on its current entry, and the reason to refuse them in another
loop."""


class Sequences:
    """Rules for sums and loops. `axiomcheck.derivation.interpreter.Interpreter` combines them with the other rules."""

    def __init__(self) -> None:
        self.traversals = {name: Traversal(name) for name in (RANKING, SORTED, SUMMED, JUDGED)}
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
        """Number of times that a number was chosen from two of different types."""
        self.turned_to_floats: set[Quantity] = set()
        """Numbers that start as integers, and are floats after a step of a loop."""
        self.has_open_dtype = False
        """True if numpy chose the dtype of an array from numbers that may be of different types."""
        self.aspect_axis = v.ASPECT_AXIS
        """Axis of the topic's aspects."""
        self._numbers = count()
        self._orders: set[str] = set()

    def take_as_integers(self, form: Form) -> None:
        """Note that code relies on a number being an integer.

        Raises:
            Underivable: It, or another such number, starts as an integer and is a float after a step of a loop.

        """
        self.taken_as_integers.update(form.atoms())
        if not self.taken_as_integers.isdisjoint(self.turned_to_floats):
            raise Underivable("uses a variable as an int that starts as one and gets floats in a loop: start at 0.0")

    def take_as_counts(self, form: Form) -> None:
        """Note that a type of up to 32 bits stores a number, whose parts may only be ranks and counts from 0 or 1.

        Raises:
            Underivable: The number contains a state that is still being updated, or that rises by other steps than 1.

        """
        self.take_as_integers(form)
        for atom in form.atoms():
            if atom.kind not in ("state", "final"):
                continue
            state = self.traversals[str(atom.of[0])].of(atom)
            own = of_atom(Quantity("state", atom.of, atom.each))
            steps = () if state.update is None else (state.update, state.update - own)
            if state.start not in (ZERO, ONE) or not any(step.is_indicator() for step in steps):
                raise Underivable(arithmetic.LOSES_DIGITS)

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

    def note_order(self, kind: str) -> None:
        """Note that code uses the ``numbers`` of the judged documents, or loops over a ``set`` of these documents.

        Raises:
            Underivable: It does both. The order of a set is unknown, and an array in this order has other indices.

        """
        self._orders.add(kind)
        if len(self._orders) > 1:
            raise Underivable("uses numbers of documents, and loops over a set of documents, which has no order")

    def fresh(self) -> int:
        """Return a new number for a ``carried`` quantity."""
        return next(self._numbers)

    def extent(self, axis: v.Dimension, traversal: Traversal, term: Form | None = None) -> tuple[Form, str | None]:
        """Return the indicator of the ranks of an axis, and ``above`` or ``so far`` if it ends at the current rank.

        Args:
            axis: Dimension of ranks.
            traversal: Traversal of its sequence.
            term: Term of a sum over the ranks; None if they are not summed.

        Raises:
            Underivable: The axis ends neither at the last rank, nor at a constant, nor at the current rank.

        """
        whole = LENGTH if traversal.name == RANKING else POOL
        if axis.over in FILLED_UP:
            if term is None:
                raise Underivable("uses a padded list in an unsupported way; only sums of it are supported")
            refuse_at_padding(axis, term)
            most = axis.length.constant
            return ONE if most is None else within(int(most)), None
        if axis.length == whole:
            return ONE, None
        if axis.length in (RANK - ONE, RANK):
            return ONE, "above" if axis.length == RANK - ONE else "so far"
        limit = least_of(axis.length)
        if limit is not None and limit[0] == whole:
            return within(limit[1]), None
        hit = self.relevant(axis.length)
        if hit is not None and traversal.name == SORTED:
            return hit, None
        raise Underivable("loops over part of the ranks; only loops over all ranks or the first k ranks are supported")

    def relevant(self, length: Form) -> Form | None:
        """Return the indicator of the relevant ranks of the ideal ranking if a length is their number; None otherwise.

        Args:
            length: Number of relevant judged documents, the smaller of that number and a constant, or another length.

        """
        limit = least_of(length)
        count = length if limit is None else limit[0]
        for atom in count.atoms():
            if atom.kind == "final" and atom.of[0] in (JUDGED, SORTED) and count == of_atom(atom):
                total = Quantity("state", atom.of, atom.each)
                update = self.traversals[str(atom.of[0])].of(total).update
                step = ZERO if update is None else update - of_atom(total)
                hits = [a for a in step.atoms() if a.kind == "hit"]
                if len(hits) == 1 and step == of_atom(hits[0]) and not step.rounded:
                    hit = v.renamed(step, str(atom.of[0]), SORTED)
                    return hit if limit is None else hit * within(limit[1])
        return None

    def traversal_of(self, axis: v.Dimension) -> Traversal:
        """Return the traversal of an axis; for positions, that of the ranking or sorted pool of the same length."""
        over = FILLED_UP.get(axis.over, axis.over)
        if over == POSITIONS:
            judged = any(a == Quantity("length", ("P",)) for a in axis.length.atoms())
            over = SORTED if judged or self.relevant(axis.length) is not None else RANKING
        if filled_over(axis) != axis.over:
            raise Underivable("reads an array while a loop is filling it")
        if over not in self.traversals:
            raise Underivable("reads documents in ascending order, which is not supported")
        return self.traversals[over]

    def total(self, axis: v.Dimension, term: Form) -> Form:
        """Return the sum of a term over an axis."""
        if axis.kind == "aspect" and not is_all(axis):
            raise Underivable("reads an array while a loop is filling it")
        if axis.kind == "aspect":
            return over_aspects(term)
        if axis.kind == "one":
            return term
        if axis.kind == "batch":
            raise Underivable("sums over topics: return one score per topic")
        traversal = self.traversal_of(axis)
        mask, prefix = self.extent(axis, traversal, term)
        atom = traversal.total(mask * term) if prefix else None
        if atom is None:
            return self.over_all(traversal, mask * term, term.each)
        if prefix == "above":
            return of_atom(atom)
        return of_atom(atom) + term

    def over_all(self, traversal: Traversal, term: Form, each: bool) -> Form:
        """Sum a term over all ranks; factors that are the same at every rank are put before the sum."""
        listed = {p: c for p, c in term.terms.items() if any(a.kind == "ranked" for a, _ in p)}
        others = Form({p: c for p, c in term.terms.items() if p not in listed}, term.rounded)
        total = ZERO
        for outer, inner_form in factored(others).items():
            atom = traversal.total(inner_form, each)
            total = total + outer * of_atom(Quantity("final", atom.of, atom.each))
        if listed:
            ranked = self._of_ranked(Form(listed, term.rounded))
            sign = -ONE if all(c < 0 for c in ranked.terms.values()) else ONE
            total = total + sign * self.over_all(self.traversals[RANKING], sign * ranked, each)
        return total

    @staticmethod
    def _of_ranked(term: Form) -> Form:
        """Rewrite a term over the judged documents that are ranked as a term over the ranking."""
        total = Form({}, term.rounded)
        for product, c in term.terms.items():
            made = v.renamed(Form({tuple(i for i in product if i[0].kind != "ranked"): c}), JUDGED, RANKING)
            cuts = [k for a, _ in product if a.kind == "ranked" for k in a.of[1:] if isinstance(k, int) and k]
            total = total + (made * within(min(cuts)) if cuts else made)
        return total

    def counted(self, axis: v.Dimension, keep: Form) -> Quantity:
        """Return the running count of a filtered list: the number of its entries above the current rank.

        Raises:
            Underivable: The list is neither over all ranks nor over the first k.

        """
        if axis.kind != "rank":
            raise Underivable("enumerates a filtered list of aspects, which is not supported")
        traversal = self.traversal_of(axis)
        mask, prefix = self.extent(axis, traversal, keep)
        if prefix is not None:
            raise Underivable("enumerates the ranks above the current one, which is not supported")
        return traversal.total(mask * keep)

    def best_lacking(self, count: Form) -> Form | None:
        """Return min(k, R) for a form that is k - min(k, R), where R is the number of relevant documents."""
        for atom in count.atoms():
            whole = of_atom(atom)
            if atom.kind == "least" and (count + whole).constant == atom.of[1] and self.relevant(whole) is not None:
                return whole
        return None

    def filled_with_zeros(self, one: Array, zeros: Array) -> Array | None:
        """Return a list with an entry for each relevant document, padded with zeros; None for other lists."""
        if len(one.axes) != 1 or len(zeros.axes) != 1 or zeros.axes[0].over != PADDED_BEST or one.keep is not None:
            return None
        length = self.best_lacking(zeros.axes[0].length)
        if one.axes[0].over not in (POSITIONS, SORTED) or one.axes[0].length != length:
            raise Underivable("pads a list to a length other than the one it was truncated to")
        made = self.first_of_best(one, length, one.axes[0].length + zeros.axes[0].length)
        return None if made is None else replace(made, kind=arithmetic.kind_of_both(one, zeros))

    def first_of_best(self, entries: Array, count: Form, length: Form, place: int = 0) -> Array | None:
        """Return a list of a constant length with entries for the relevant documents first, then zeros.

        The result is None if ``count`` is not the number of relevant documents.
        """
        hit, most = self.relevant(count), length.constant
        if hit is None or most is None or entries.form.each:
            return None
        axis = v.Dimension("rank", length, PADDED_BEST)
        axes = (*entries.axes[:place], axis, *entries.axes[place + 1 :])
        return replace(entries, axes=axes, form=entries.form * hit * within(int(most)), root=None, origin=None)

    def ranks_of_count(self, count: Form) -> tuple[Quantity, Form] | None:
        """Return (running count, indicator of the counted ranks) for a form that counts ranks; None for other forms."""
        for atom in count.atoms():
            if atom.kind == "final" and atom.of[0] == RANKING and count == of_atom(atom):
                total = Quantity("state", atom.of, atom.each)
                state = self.traversals[RANKING].of(total)
                step = ZERO if state.update is None else state.update - of_atom(total)
                if state.start == ZERO and step.is_indicator() and not step.rounded:
                    return total, step
        return None

    def up_to_one(self, form: Form) -> tuple[Form, Form] | None:
        """Return the indicators that a running count is 0, and that it is 1; None if a form is not a running count."""
        for atom in form.atoms():
            step = form - of_atom(atom)
            if atom.kind == "state" and not form.rounded and step.is_indicator():
                traversal = self.traversals[str(atom.of[0])]
                if (traversal.of(atom).start, traversal.of(atom).update) == (ZERO, form):
                    flags = [traversal.new(start, form.each, flag=True) for start in (ONE, ZERO)]
                    none, one = map(of_atom, flags)
                    after = none * (ONE - step), one * (ONE - step) + none * step
                    for flag, update in zip(flags, after, strict=True):
                        traversal.close(flag, update)
                    return after
        return None

    def of_rank(self, form: Form) -> Form:
        """Express a combination of running totals that grows by a constant at every rank by the rank itself.

        Examples are the running numbers of relevant and of other documents.
        """
        totals = {p[0][0]: c for p, c in form.terms.items() if [(a.kind, e) for a, e in p] == [("state", 1)]}
        names = {str(atom.of[0]) for atom in totals}
        if len(totals) < 2 or len(names) != 1:
            return form
        traversal, step = self.traversals[names.pop()], ZERO
        for atom, c in totals.items():
            state = traversal.of(atom)
            if state.update is None or state.start != ZERO:
                return form
            step = step + (state.update - of_atom(atom)) * number(c)
        each = step.constant
        if each is None or step.rounded:
            return form
        rest = Form({p: c for p, c in form.terms.items() if not (len(p) == 1 and p[0][0] in totals)}, form.rounded)
        return rest + (RANK - ONE) * number(each)

    def is_of_first_ranks(self, keep: Form) -> bool:
        """Return True for a condition that holds for the ranks up to some rank only."""
        if len(keep.terms) != 1:
            return False
        ((product, c),) = keep.terms.items()
        for atom, _ in product:
            if atom.kind == "flag":
                state = self.traversals[str(atom.of[0])].of(atom)
                if state.start != ONE or state.update is None or not stays_zero(atom, state.update):
                    return False
            elif atom.kind != "within":
                return False
        return c == 1

    def shifted(self, first: Array, rest: Array, place: int) -> Array:
        """Prepend a constant to an array along its rank axis."""
        if first.form.constant is None:
            raise Underivable("puts a value that is not a number before the first rank")
        parts = factored(rest.form)
        if len(parts) == 1 and ONE not in parts and first.form == ZERO:  # a factor that is the same at every rank
            ((outer, inner),) = parts.items()
            made = self.shifted(first, replace(rest, form=inner), place)
            return replace(made, form=outer * made.form)
        whole = replace(rest.axes[place], length=rest.axes[place].length + ONE)
        traversal = self.traversal_of(whole)
        state = traversal.running(first.form, rest.form)
        if state is None:
            state = traversal.new(first.form, rest.form.each)
            traversal.close(state, rest.form)
        axes = (*rest.axes[:place], whole, *rest.axes[place + 1 :])
        return Array(axes, of_atom(state), arithmetic.kind_of_both(first, rest))

    def undefined(self, form: Form) -> Form:
        """Return the indicator that a quotient is 0/0.

        Numerator and divisor are totals that are both 0 where no judged document is relevant.

        Raises:
            Underivable: The quotient may also be another number divided by 0.

        """
        divisors = set()
        for product in form.terms:
            if any(a.kind == "reciprocal" for a, _ in product):
                raise Underivable("tests whether a quotient is NaN although its divisor is a sum")
            below = [a for a, e in product if e < 0 and a.kind in ("final", "sum")]
            if not below or any(a.kind == "positive" and a.form == of_atom(below[0]) for a, _ in product):
                continue
            above = [a for a, e in product if e > 0 and a.kind == "final"]
            if len(below) != 1 or len(above) != 1 or not self._are_zero_together(above[0], below[0]):
                raise Underivable("tests for NaN although a number other than 0 may be divided by 0")
            divisors.add(below[0])
        if len(divisors) > 1:
            raise Underivable("tests several quotients for NaN at once")
        return ONE - positive(of_atom(divisors.pop())) if divisors else ZERO

    def _are_zero_together(self, above: Quantity, below: Quantity) -> bool:
        """Return True if the second total is 0 only where no judged document is relevant, and the first is then 0."""
        if above.kind != "final" or below.kind != "final" or above.of[0] != RANKING or below.of[0] == RANKING:
            return False
        needed = []
        for atom in (above, below):
            total = Quantity("state", atom.of, atom.each)
            update = self.traversals[str(atom.of[0])].of(total).update
            step = ZERO if update is None else pooled(update - of_atom(total))
            for product in step.terms:
                grades = {(a.of[1], a.each) for a, _ in product if a.kind in ("grade", "hit")}
                needed.append(grades)
            if atom is below and not shows_relevance(step, str(atom.of[0])):
                return False
        return bool(needed) and all(len(grades) == 1 and grades == needed[0] for grades in needed)

    def ever(self, axis: v.Dimension, condition: Form) -> Form:
        """Return the indicator that a condition holds at some rank of an axis."""
        if axis.over == JUDGED and all(any(a.kind == "ranked" for a, _ in p) for p in condition.terms):
            axis, condition = v.rank_axis(RANKING), self._of_ranked(condition)
        traversal = self.traversal_of(axis)
        mask, prefix = self.extent(axis, traversal)
        hit = mask * condition
        flag = traversal.new(ZERO, hit.each, flag=True)
        update = of_atom(flag) + hit - of_atom(flag) * hit
        ended = traversal.close(flag, update)
        return ended if prefix is None else of_atom(flag) if prefix == "above" else update

    def iterated(self, value: Value) -> Value:
        """Return the value that a loop iterates over; an array with a single entry becomes a tuple of this entry."""
        value = read(value)
        only = isinstance(value, Array | AspectSet | v.Mapping | Loop) and not isinstance(value, v.Table)
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
        if isinstance(value, v.Table) and isinstance(value.element, tuple):
            raise Underivable("loops over the rows of an array: loop over a list of tuples")
        if isinstance(value, Loop):
            return value
        if isinstance(value, Documents) and not value.ordered and value.axis.over != JUDGED:
            raise Underivable("loops over a set of documents, which has no order")
        if isinstance(value, Documents) and not value.ordered and value.keep is None:
            self.note_order("set")
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

    def document_of(self, number: Value) -> Document | None:
        """Return the document that a number belongs to; None for another value."""
        if not isinstance(number, Array) or number.axes or number.keep is not None:
            return None
        if number.form == v.PLACE and self.rank_loops and self.rank_loops[-1].over == JUDGED:
            self.note_order("numbers")
            return Document(JUDGED)
        over = numbered_over(number.form)
        return None if over is None else Document(over)

    def documents_of(self, numbers: Value) -> Documents | None:
        """Return the documents that a list or an array of numbers belongs to; None for another value."""
        if not isinstance(numbers, Array) or len(numbers.axes) != 1 or numbers.nested > 1 or numbers.keyed:
            return None
        (axis,) = numbers.axes
        over = JUDGED if numbers.form == v.PLACE and axis.over == JUDGED else numbered_over(numbers.form)
        if over != axis.over:
            return None
        self.note_order("numbers")
        return Documents(axis, numbers.keep)

    def listed(self, loop: Loop) -> Value:
        """Build the list of a loop's elements."""
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
        numbers = self.documents_of(self.listed(loop)) if isinstance(element, Array) else None
        if numbers is not None:
            return set_of_numbers(numbers)
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
        """Return the local names for a nested loop of the same kind, with the outer loop's current values as errors."""
        if kind not in self.loops or kind not in _MIXING:
            return dict(names)
        is_current, message = _MIXING[kind]
        return {name: v.Failed(Underivable(message)) if is_current(x) else x for name, x in names.items()}

    def refuse_current_of(self, function: Value, kind: str) -> None:
        """Check that an inner function that is called for every entry reads no value of a loop's current entry.

        Raises:
            Underivable: The function may read such a value.

        """
        if isinstance(failed := self.sheltered({"": function}, kind)[""], v.Failed):
            raise failed.error

    def reciprocal(self, form: Form) -> Form | None:
        """Return 1 / form if the form is a positive number plus totals that are 0 or more; None for any other form."""
        above = form.terms.get((), Fraction(0)) > 0 and len(form.terms) > 1
        totals = (a.kind == "positive" or self._is_total_of_0_or_more(a) for p in form.terms for a, _ in p)
        if not above or not all(c > 0 for c in form.terms.values()) or not all(totals):
            return None
        return of_atom(Quantity("reciprocal", (form,), form.each))

    def is_count(self, form: Form) -> bool:
        """Return True for a sum, without subtractions, of constants, indicators, lengths and totals of 0 or more."""
        atoms = {a for product in form.terms for a, _ in product}
        known = all(a.kind in INDICATORS or self._is_total_of_0_or_more(a) for a in atoms)
        return known and all(c > 0 for c in form.terms.values())

    def _is_total_of_0_or_more(self, atom: Quantity) -> bool:
        """Return True for a number of documents, or for a total to which each rank adds 0 or more."""
        if atom.kind != "final":
            return atom.kind in ("length", "least")
        total = Quantity("state", atom.of, atom.each)
        state = self.traversals[str(atom.of[0])].of(total)
        step = -ONE if state.update is None else state.update - of_atom(total)
        return state.start == ZERO and is_known_not_negative(step)

    def known(self, form: Form) -> Form:
        """Multiply a form by the indicator that a divisor is positive, for each divisor known to be positive here."""
        divisors = [a for product in form.terms for a, e in product if e < 0 and a.kind == "final"]
        return prod((positive(of_atom(a)) for a in divisors if self.holds(positive(of_atom(a)))), start=form)

    def holds(self, condition: Form) -> bool:
        """Return True if an indicator is known to be 1 in the branch that is being run."""
        return any(known * condition == known for known in self.holding)

    def requires(self, condition: object, met: bool) -> bool:
        """Record that the function has scores only where a condition on the topic alone is met, or is not met.

        Returns:
            True if the condition depends on the topic alone.

        """
        of_topic = isinstance(condition, Form) and not (condition.at_rank or condition.each)
        if not isinstance(condition, Form) or not of_topic or not all(map(_is_of_pool, condition.atoms())):
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
