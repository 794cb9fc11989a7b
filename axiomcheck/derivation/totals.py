"""Sum and count over the ranks of a sequence, and recognise forms that are such totals."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import filled_over, is_all
from axiomcheck.derivation.cutoffs import within
from axiomcheck.derivation.early_exits import stays_zero
from axiomcheck.derivation.forms import (
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
)
from axiomcheck.derivation.machine import (
    FILLED_UP,
    JUDGED,
    POSITIONS,
    RANKING,
    SORTED,
    SUMMED,
    WORST_FIRST,
    Traversal,
    factored,
    refuse_at_padding,
)
from axiomcheck.derivation.values import Array


class Totals:
    """Base class of `axiomcheck.derivation.interpreter.Interpreter` that handles totals."""

    def __init__(self) -> None:
        self.traversals = {name: Traversal(name) for name in (RANKING, SORTED, SUMMED, JUDGED)}

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
            refuse_at_padding(axis.over, term)
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
        """Return the indicator of the first ``length`` ranks of the ideal ranking if all are relevant, else None.

        Args:
            length: Any length. The result is None unless it is R, the number of relevant judged documents, or the
                minimum of R and a constant.

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
            raise Underivable("reads an array while a loop is filling it: read it after the loop")
        self.refuse_worst_first(over)
        return self.traversals[over]

    @staticmethod
    def refuse_worst_first(over: str) -> None:
        """Check that a sequence does not go from the worst document, or the last rank, to the first."""
        if over in WORST_FIRST:
            raise Underivable("reads documents or ranks in ascending order: reverse it, as with sorted(reverse=True)")

    def total(self, axis: v.Dimension, term: Form) -> Form:
        """Return the sum of a term over an axis."""
        if axis.kind == "aspect" and not is_all(axis):
            raise Underivable("reads an array while a loop is filling it: read it after the loop")
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
        """Sum a term over all ranks; factors that are the same at every rank are moved out of the sum."""
        total = ZERO
        for outer, inner_form in factored(term).items():
            atom = traversal.total(inner_form, each)
            total = total + outer * of_atom(Quantity("final", atom.of, atom.each))
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

    def of_rank(self, form: Form) -> Form:
        """Express a combination of running totals that grows by a constant at every rank in terms of the rank.

        An example is the sum of the running counts of relevant and nonrelevant documents.
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
        """Return True if a condition holds only for the ranks up to some rank."""
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
            raise Underivable("puts a value that is not a constant before the first rank")
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

    def ever(self, axis: v.Dimension, condition: Form) -> Form:
        """Return the indicator that a condition holds at some rank of an axis."""
        traversal = self.traversal_of(axis)
        mask, prefix = self.extent(axis, traversal)
        hit = mask * condition
        flag = traversal.new(ZERO, hit.each, flag=True)
        update = of_atom(flag) + hit - of_atom(flag) * hit
        ended = traversal.close(flag, update)
        return ended if prefix is None else of_atom(flag) if prefix == "above" else update
