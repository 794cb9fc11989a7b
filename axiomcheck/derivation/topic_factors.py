"""Omit factors of a score that depend only on the topic, because they do not affect comparisons of rankings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from axiomcheck.derivation.discounts import shows_relevance
from axiomcheck.derivation.forms import ONE, ZERO, Form, Product, Quantity, Underivable, least_of, of_atom
from axiomcheck.derivation.machine import JUDGED, RANKING, SORTED, SUMMED, Recurrence, reduced

_POOLS = (SORTED, SUMMED, JUDGED)


class TopicFactors:
    """Base of `Score` that recognizes factors of a score that depend only on the topic.

    Args:
        machines: Recurrences of the traversals by their names.

    Attributes:
        relevant: True if only topics that have a relevant document matter.

    """

    def __init__(self, machines: Mapping[str, Recurrence]) -> None:
        self.machines = machines
        self.relevant = False

    def gain(self, final: Quantity) -> Form:
        """Return the term that a rank adds to a total."""
        return self.machines[str(final.of[0])].gain(final)

    def grades(self, final: Quantity) -> set[tuple[object, bool]]:
        """Return pairs (aspect, True if every aspect has its own total) for the grades that a total depends on."""
        return {(a.of[1], a.each) for a in self.gain(final).atoms() if a.kind in ("grade", "hit")}

    def is_positive(self, final: Quantity) -> bool:
        """Return True if a total over the judged documents is positive if and only if one of them is relevant."""
        return shows_relevance(self.gain(final), str(final.of[0]))

    def without_topic_factor(self, score: Form) -> Form:
        """Return a score without a factor that is positive for every topic with a relevant document.

        Tests for such a document are left out, too: without one, all totals are 0.

        Raises:
            Underivable: There is no such factor, or parts of the score have different ones.

        """
        parts: dict[Form, Form] = {}
        for product, c in score.terms.items():
            made, factor = self._split(product)
            parts[factor] = parts.get(factor, ZERO) + made * Form({(): c})
        parts = {factor: part for factor, part in parts.items() if part != ZERO}
        if len(parts) != 1 or ONE in parts:
            raise Underivable("divides by a value that may not be positive, or does not depend on the topic alone")
        return parts.popitem()[1]

    def _split(self, product: Product) -> tuple[Form, Form]:
        """Split a product into (rest, factor that depends on the topic only)."""
        outer = [(a, e) for a, e in product if a.kind != "aspects" and not a.each and self.is_of_topic(a)]
        inner = [item for item in product if item not in outer]
        totals = self._totals_in(tuple(item for item in inner if item[0].kind != "positive"))
        if len(totals) != 1:
            raise Underivable("multiplies or divides sums over the ranking")
        (total,) = totals
        found = [item for item in inner if item[0].kind == "positive" and self._is_needed_for(total, item[0])]
        rest = Form({tuple(item for item in inner if item not in found): Fraction(1)})  # 0 without it
        if self._totals_in(next(iter(rest.terms))) != totals:
            raise Underivable("multiplies or divides sums over the ranking")
        needed = self.gain(total)
        read = self.grades(total)
        if len(read) != 1 or not all(any(a.kind in ("grade", "hit") for a, _ in p) for p in needed.terms):
            raise Underivable("divides a sum in which documents of grade 0 count by a number that depends on the topic")
        asked = [a for a, _ in outer if a.kind == "positive"]
        is_asked = bool(asked) or bool(found) or self.relevant
        if not all(self.shows(a, read) for a in asked):
            raise Underivable("tests a condition on the topic other than whether a document is relevant")
        factor = tuple((a, e) for a, e in outer if a.kind != "positive")
        for atom, e in factor:
            if atom.kind == "reciprocal":
                known = all(is_asked and self.shows(a, read) for p in atom.form.terms for a, i in p if i < 0)
            else:
                known = atom.kind in ("ln", "length", "greatest") or (self.shows(atom, read) and (is_asked or e > 0))
            if not known:
                raise Underivable("divides by a number that depends on the topic and may be 0: test it with if first")
        return rest, Form({factor: Fraction(1)})

    @staticmethod
    def _totals_in(product: Product) -> set[Quantity]:
        """Return the totals over the ranking in a product."""
        atoms = Form({product: Fraction(1)}).atoms()
        return {a for a in atoms if a.kind in ("final", "ended") and a.of[0] == RANKING}

    def _is_needed_for(self, total: Quantity, condition: Quantity) -> bool:
        """Return True if an indicator tests whether a total, or a count without which it is 0, is positive."""
        ((product, _),) = condition.form.terms.items()
        count = product[0][0]
        if condition.form != of_atom(count) or count.kind != "final" or count.of[0] != RANKING:
            return False
        return self.is_positive(total) if count == total else self.needs(total, count)

    def needs(self, found: Quantity, count: Quantity) -> bool:
        """Return True if a total is 0 where a count is 0, because only counted ranks add to the total."""
        counted = self.gain(count)
        return found.of[0] == count.of[0] and counted.is_indicator() and self.gain(found) * counted == self.gain(found)

    def shows(self, atom: Quantity, read: set[tuple[object, bool]]) -> bool:
        """Return True if a quantity is never negative, and is positive if a document is relevant on the aspects."""
        if atom.kind in ("positive", "sum"):
            inner = list(atom.form.terms.items())
            atoms = [(a, e) for a, e in inner[0][0] if a.kind != "weight"]
            return len(inner) == 1 and inner[0][1] > 0 and len(atoms) == 1 and self.shows(atoms[0][0], read)
        limit = least_of(of_atom(atom))
        if limit is not None:
            return any(limit[0] == of_atom(a) and self.shows(a, read) for a in limit[0].atoms())
        if atom.kind == "ended":
            state = self.machines[str(atom.of[0])].traversal.of(atom)
            flag = of_atom(Quantity("flag", atom.of, atom.each))
            hits = [a for a in (state.update or ZERO).atoms() if a.kind == "hit"]
            seen = bool(hits) and state.update == flag + of_atom(hits[0]) - flag * of_atom(hits[0])
            return seen and state.start == ZERO and {(hits[0].of[1], hits[0].each)} == read
        return atom.kind == "final" and self.is_positive(atom) and self.grades(atom) == read

    def is_of_topic(self, atom: Quantity) -> bool:
        """Return True if a quantity depends only on the topic, and not on the ranking."""
        if atom.kind in ("final", "ended") and atom.of[0] in _POOLS:
            machine = self.machines[str(atom.of[0])]
            gain = machine.gain(atom)
            states = reduced([a for a in gain.atoms() if a.kind in ("state", "flag")], machine)
            parts = (gain, *(form for start, update, _ in states for form in (start, update)))
            return all(a.kind in _OF_DOCUMENTS or self.is_of_topic(a) for form in parts for a in form.atoms())
        if atom.kind in ("sum", "positive", "reciprocal", "greatest"):
            return all(self.is_of_topic(a) for product in atom.form.terms for a, _ in product)
        if atom.kind == "least":
            return all(self.is_of_topic(a) for form in atom.of if isinstance(form, Form) for a in form.atoms())
        return atom.kind in ("ln", "weight", "aspects") or atom == Quantity("length", ("P",))


_OF_DOCUMENTS = frozenset(
    ("grade", "hit", "state", "flag", "rank", "shifted", "log", "power", "inverse", "within", "exp")
)
"""Kinds of atoms that belong to the sequence of a total. A total has atoms of one sequence only."""
