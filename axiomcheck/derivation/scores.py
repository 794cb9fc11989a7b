"""Convert the form of a score to a metric that is a fold over ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Literal

from axiomcheck.derivation.arithmetic import are_moderate
from axiomcheck.derivation.discounts import cut, discounted, uncut
from axiomcheck.derivation.forms import (
    LENGTH,
    ONE,
    ZERO,
    Form,
    Product,
    Quantity,
    Underivable,
    number,
    of_atom,
    positive,
    power,
)
from axiomcheck.derivation.interpreter import Interpreter
from axiomcheck.derivation.machine import ALL_GRADES, JUDGED, RANKING, SORTED, SUMMED, Recurrence, merged, reduced
from axiomcheck.derivation.topic_factors import TopicFactors
from axiomcheck.metrics.derived_fold import KINDS, DerivedFold, DerivedMetric, Polynomial, polynomial

_SMALLEST = Fraction(1, 10**12)
"""Smallest factor of a gain. Sums in floats may lose smaller gains."""


@dataclass(frozen=True)
class _Term:
    """One product of a score's form: a total over the ranking, with its factors and its divisor.

    Args:
        total: Quantity that stands for the total.
        weighted: True if the term is multiplied by the weight of the aspect.
        divided: Quantity that stands for the total in the divisor; None if the term has no such divisor.
        guarded: True if the term is defined as 0 where the divisor is 0.
        shared: True if the term is divided by the number of aspects.
        each: True if the term is summed over the aspects.

    """

    total: Quantity
    weighted: bool
    divided: Quantity | None
    guarded: bool
    shared: bool
    each: bool

    @property
    def form(self) -> tuple[object, ...]:
        """Properties that must be the same for all terms of a score."""
        return (self.weighted, self.divided, self.guarded, self.shared, self.each)


class Score(TopicFactors):
    """Converter from a score to a fold.

    Args:
        run: Interpreter that has run the function.
        pools: True for a fold over weighted sums of grades, False for a fold over the grades of each aspect.
        relevant: True for a fold that only covers topics with a relevant document on the first aspect.

    """

    def __init__(self, run: Interpreter, pools: bool = False, relevant: bool = False) -> None:
        super().__init__({name: Recurrence(traversal, pools) for name, traversal in run.traversals.items()})
        self.pools, self.relevant, self.required = pools, relevant, run.required
        self.bases: set[tuple[object, ...]] = set()
        """Bases of the powers of grades in gains and states. An empty tuple stands for the grades themselves."""
        self.read: set[tuple[object, bool]] = set()
        """Aspects whose grades the gains depend on, each with True if every aspect has its own gain."""

    def metric_of_topic(self, score: Form) -> DerivedMetric:
        """Return the metric of a score after dropping a factor that depends only on the topic.

        Raises:
            Underivable: The score is not a fold, or has no such factor.

        """
        found = self.metric(self.without_topic_factor(score))
        found.up_to_topic = True
        return found

    def metric(self, score: Form) -> DerivedMetric:
        """Return the metric of a score.

        Raises:
            Underivable: The score is not a fold.

        """
        gains: dict[tuple[object, ...], Form] = {}
        cost, constant = ZERO, Fraction(0)
        kinds: dict[tuple[object, ...], _Term] = {}
        score = score.replace(self._if_relevant) if self.relevant else score
        if any(condition.replace(self._if_relevant) != ONE for condition in self.required):
            raise Underivable(
                "raises an exception for some topics that have a relevant document: return a number instead"
            )
        if self.required and not self.relevant:
            raise Underivable("raises an exception if no document is relevant: return 0 instead")
        for product, c in self._simplified(score).terms.items():
            if not product:
                constant += c
                continue
            if Form({product: Fraction(1)}) == LENGTH:
                cost = cost - number(c)
                continue
            term = self._term(product)
            gain = self.gain(term.total)
            constant += c * self._start(term.total)
            if not (term.each or term.shared or term.divided) and _sums_aspects(gain):
                parts = [Form({p: k}) for p, k in gain.terms.items()]
                paid = sum((x for x in parts if not _sums_aspects(x) and not _sees_documents(x)), ZERO)
                cost, gain = cost - paid * number(c), gain - paid
            term, gain = _by_aspect(term, gain)
            if not term.each and term.divided is None and not _sees_documents(gain):
                cost = cost - gain * number(c)
                continue
            kinds[term.form] = term
            gains[term.form] = gains.get(term.form, ZERO) + gain * number(c)
        gains = {form: gain for form, gain in gains.items() if gain != ZERO}
        if constant:
            raise Underivable("adds a constant to the score, which is not supported")
        if len(gains) != 1:
            raise Underivable(
                "returns several sums over ranks with different divisors or weights"
                if gains
                else "returns the same score for every ranking"
            )
        ((form, gain),) = gains.items()
        return self._made(kinds[form], gain, cost)

    def _made(self, term: _Term, gain: Form, cost: Form) -> DerivedMetric:
        if self.pools and (term.each or term.weighted or term.shared or cost != ZERO):
            raise Underivable("sums over aspects a value that is computed from sums over aspects")
        single = not (term.each or self.pools)
        if self.relevant and not single:
            raise Underivable("has no score for an aspect without relevant documents: return 0 for such aspects first")
        if single and any(a.kind in ("grade", "hit") and a.of[1] != 0 for a in gain.atoms()):
            raise Underivable("reads an aspect other than the first, or several of them")
        if term.each and any(a.kind in ("grade", "hit") and not a.each for a in gain.atoms()):
            raise Underivable("reads one aspect and also sums over all aspects")
        if single and cost == ZERO:
            free = Form({p: c for p, c in gain.terms.items() if not _sees_documents(Form({p: c}))})
            gain, cost = gain - free, -free
        fold, cutoff = self._fold(self.machines[RANKING], gain)
        if not any(name in ("r", "hit") for factors, _ in fold.gain for name, _ in factors):
            raise Underivable("adds a value that does not depend on the document at the rank")
        paid = Fraction(0) if cost == ZERO else self._cost(cost, fold, cutoff)
        factor, kind = Fraction(1), ""
        if term.divided is not None:
            if not term.guarded and not (self.relevant and self.is_positive(term.divided)):
                raise Underivable(
                    "divides by a total that is 0 if no document is relevant: return 0 in that case first"
                )
            kind, factor = self._normaliser(term.divided, fold, cutoff)
            if cost != ZERO:
                raise Underivable("subtracts a cost from a normalised total")
        pooling: Literal["sum", "no"] = "sum" if self.pools else "no"
        made = KINDS[kind](fold, cutoff, term.weighted, term.shared, factor, paid, single, pooling)
        made.base = next((base[0] for base in self.bases if base), None)
        made.needs_relevant = self.relevant
        return made

    # Terms

    def _simplified(self, score: Form) -> Form:
        """Remove indicators from a score that are 0 only where the total that they multiply is 0 anyway.

        If only relevant documents add to a total, the total is 0 where no document is relevant.
        """
        total = ZERO
        for product, c in score.terms.items():
            flat = dict(_flat(product))
            finals = [a for a, e in flat.items() if a.kind in ("final", "ended") and e > 0 and a.of[0] == RANKING]
            divisors = [a for a, e in flat.items() if a.kind == "final" and e < 0]
            part = Form({product: c})
            if len(finals) == 1 and not divisors and self._needs_relevance(finals[0]):
                part = part.replace(partial(self._superfluous, finals[0]))
            if len(finals) == 1 and len(divisors) == 1 and self.is_positive(divisors[0]):
                part = part.replace(partial(self._as_guard, finals[0], divisors[0]))
            total = total + part
        return total

    def _if_relevant(self, atom: Quantity) -> Form | None:
        """Return 1 for the indicator that the topic has a relevant document on the first aspect, else None."""
        asked = atom.kind in ("positive", "ended") and self.is_of_topic(atom)
        return ONE if asked and self.shows(atom, {(0, False)}) else None

    def _as_guard(self, found: Quantity, divisor: Quantity, atom: Quantity) -> Form | None:
        """Replace an indicator with that of a positive divisor, if both agree wherever the total is nonzero.

        If the ranking has a relevant document, so does the pool. If the pool has none, the total is 0.
        """
        asked = [a for a in atom.form.atoms() if a.kind == "final"] if atom.kind == "positive" else []
        if len(asked) != 1 or atom.form != of_atom(asked[0]) or self.grades(asked[0]) != self.grades(divisor):
            return None
        of_pool = asked[0].of[0] in (SORTED, SUMMED, JUDGED)
        needed = asked[0] == found or of_pool or self.needs(found, asked[0])
        if needed and self.is_positive(asked[0]) and asked[0].each == divisor.each:
            return positive(of_atom(divisor))
        return None

    def _superfluous(self, found: Quantity, atom: Quantity) -> Form | None:
        """Replace the condition that a total over judged documents is positive with 1 if both read the same aspects."""
        if atom.kind != "positive":
            return None
        ((product, _),) = atom.form.terms.items()
        ((total, _), *others) = product
        if others or total.kind != "final" or total.of[0] not in (SORTED, SUMMED, JUDGED):
            return None
        alike = total.each == found.each and self.grades(total) == self.grades(found)
        return ONE if alike and self.is_positive(total) else None

    def _needs_relevance(self, final: Quantity) -> bool:
        gain = self.gain(final)
        return all(any(a.kind in ("grade", "hit") for a, _ in product) for product in gain.terms)

    def _term(self, product: Product) -> _Term:
        outer = {atom: e for atom, e in product if atom.kind != "sum"}
        sums = [(atom, e) for atom, e in product if atom.kind == "sum"]
        each = bool(sums)
        if len(sums) > 1 or any(e != 1 for _, e in sums):
            raise Underivable("multiplies two sums over aspects, which is not supported")
        flat = _flat(product)
        totals, divided, positives, weighted, shared = [], [], [], False, False
        for atom, e in flat:
            if atom.kind in ("final", "ended") and atom.of[0] == RANKING and e == 1:
                totals.append(atom)
            elif atom.kind == "final" and e == -1 and atom.of[0] in (SORTED, SUMMED, JUDGED):
                divided.append(atom)
            elif atom.kind == "positive":
                positives.append(atom)
            elif atom.kind == "weight" and e == 1:
                weighted = True
            elif atom.kind == "aspects" and e == -1:
                shared = True
            else:
                raise Underivable(
                    f"{'divides' if e < 0 else 'multiplies'} the score by {_described(atom)}, which is not supported"
                )
        if len(totals) != 1 or len(divided) > 1:
            raise Underivable("multiplies or divides sums over the ranking")
        guarded = bool(divided) and positives == [Quantity("positive", (of_atom(divided[0]),), divided[0].each)]
        if positives and not guarded:
            raise Underivable("tests a condition on sums over the ranking: test whether any document is relevant")
        if any(atom.each for atom in outer):
            raise Underivable("returns one score per aspect: combine them into one score")
        return _Term(totals[0], weighted, divided[0] if divided else None, guarded, shared, each)

    def _start(self, final: Quantity) -> Fraction:
        start = self.machines[RANKING].traversal.of(final).start.constant
        if start is None:
            raise Underivable("starts a sum from a value that is not a constant")
        return start

    # Folds

    def _fold(self, machine: Recurrence, gain: Form) -> tuple[DerivedFold, int | None]:
        """Return the fold of a gain with its discount, and the cutoff."""
        gain, cutoff = cut(gain)
        discount, gain = discounted(gain)
        states = reduced([a for a in gain.atoms() if a.kind in ("state", "flag")], machine, cutoff or 0)
        if cutoff is not None:
            states = [(start, uncut(update, cutoff), atom) for start, update, atom in states]
        same = merged(states)
        chosen = {atom: (start, update) for start, update, atom in states if same[atom] == atom}

        represented = {atom: of_atom(other) for atom, other in same.items() if other != atom}.get
        gain = gain.replace(represented)
        chosen = {atom: (start, update.replace(represented)) for atom, (start, update) in chosen.items()}
        gain, chosen = _complemented(*_from_zero(gain, chosen))
        if not are_moderate(gain, _SMALLEST, 1 / _SMALLEST):
            raise Underivable("multiplies by a factor so large or small that floats overflow or underflow")
        order = _order(gain, chosen)
        seen = {a for x in (gain, *(chosen[atom][1] for atom in order)) for a in x.atoms()}
        read = {(a.of[1], a.each) for a in seen if a.kind in ("grade", "hit")}
        self.bases |= {a.of[2:] for a in seen if a.kind == "grade"}
        if len(self.bases) > 1:
            raise Underivable("uses both grades and powers with grades as exponents")
        if any((aspect == ALL_GRADES) is not self.pools for aspect, _ in read):
            raise Underivable("uses both grades of aspects and their weighted sums")
        if machine is self.machines[RANKING]:
            self.read = read
        if len(read) > 1 or not read <= self.read:
            raise Underivable("reads one aspect and also sums over all aspects, or reads a second aspect")
        names = {atom: f"s{k}" for k, atom in enumerate(order)}
        starts = [chosen[atom][0].constant for atom in order]
        if any(start is None for start in starts):
            raise Underivable("starts a loop from a number that is not a constant")
        updates = tuple(_named(chosen[atom][1], names) for atom in order)
        return DerivedFold(discount, tuple(s for s in starts if s is not None), _named(gain, names), updates), cutoff

    def _cost(self, cost: Form, fold: DerivedFold, cutoff: int | None) -> Fraction:
        paid, limit = cut(cost)
        discount, factor = discounted(paid)
        value = factor.constant
        if value is None or value < 0 or discount != fold.discount or limit != cutoff:
            raise Underivable("adds a cost, or subtracts a cost that is discounted differently from the gains")
        return value

    def _normaliser(self, total: Quantity, fold: DerivedFold, cutoff: int | None) -> tuple[str, Fraction]:
        """Return the kind of the normaliser, and the constant factor that remains."""
        name = str(total.of[0])
        if name in ((SORTED,) if self.pools else (SUMMED,)):
            raise Underivable(
                "divides by the total of an ideal ranking that is sorted by values other than those it sums"
            )
        gain = self.gain(total)
        if name == JUDGED:
            grades = [a for a in gain.atoms() if a.kind == "hit"]
            if len(grades) == 1 and gain == of_atom(grades[0]) and {(grades[0].of[1], grades[0].each)} == self.read:
                return "relevant", Fraction(1)
            raise Underivable("divides by a sum over the judged documents other than the number of relevant documents")
        if not self._needs_relevance(total):
            raise Underivable("divides by a total in which documents of grade 0 count")
        other, limit = self._fold(self.machines[name], gain)
        scale = _ratio(fold, other)
        if scale is None or limit != cutoff:
            raise Underivable("divides by the total of an ideal ranking that is computed differently from the score")
        return "ideal", scale


def divided(score: Form) -> list[Form]:
    """Split a score into parts whose products have the same divisors, weights and sums over aspects."""
    parts: dict[object, Form] = {}
    for product, c in score.terms.items():
        sums = any(atom.kind == "sum" for atom, _ in product)
        outer = tuple((a.text, e) for a, e in _flat(product) if e < 0 or a.kind == "weight")
        parts[sums, outer] = parts.get((sums, outer), Form({}, score.rounded)) + Form({product: c}, score.rounded)
    return list(parts.values())


def _ratio(fold: DerivedFold, other: DerivedFold) -> Fraction | None:
    """Return the constant c > 0 such that one fold's gains are c times the other's; None if there is none."""
    if not fold.gain or not other.gain:
        return None
    scale = fold.gain[0][1] / other.gain[0][1]
    scaled = tuple((factors, c * scale) for factors, c in other.gain)
    return scale if scale > 0 and replace(other, gain=scaled) == fold else None


def _flat(product: Product) -> list[tuple[Quantity, int]]:
    """Return the (atom, exponent) pairs of a product, with sums over aspects replaced by their atoms."""
    found: list[tuple[Quantity, int]] = []
    for atom, e in product:
        if atom.kind == "sum":
            if e != 1 or sum(other.kind == "sum" for other, _ in product) > 1:
                raise Underivable("multiplies two sums over aspects, which is not supported")
            inner = atom.form
            ((factors, _),) = inner.terms.items()
            found += factors
        else:
            found.append((atom, e))
    return found


def _sums_aspects(gain: Form) -> bool:
    return any(atom.kind == "sum" for atom in gain.atoms())


def _sees_documents(gain: Form) -> bool:
    return any(a.kind in ("grade", "hit", "state", "flag") for a in gain.atoms())


def _by_aspect(term: _Term, gain: Form) -> tuple[_Term, Form]:
    """Return the term and the gain, with sums over aspects and their weights moved from the gain to the term."""
    sums = _sums_aspects(gain)
    if sums and term.each:
        raise Underivable("sums over aspects twice, which is not supported")
    total = ZERO
    for product, c in gain.terms.items():
        if sums and not any(atom.kind == "sum" for atom, _ in product):
            raise Underivable("adds a term to a sum over aspects, which is not supported")
        made = number(c)
        for atom, e in _flat(product):
            made = made * power(of_atom(atom), e)
        total = total + made
    weight = Quantity("weight", (), each=True)
    weighted = {dict(product).get(weight, 0) for product in total.terms}
    if weighted == {1}:
        if term.weighted:
            raise Underivable("multiplies by the weight of an aspect twice, which is not supported")
        return replace(term, weighted=True, each=term.each or sums), total * Form({((weight, -1),): Fraction(1)})
    return replace(term, each=term.each or sums), total


States = Mapping[Quantity, tuple[Form, Form]]


def _from_zero(gain: Form, states: dict[Quantity, tuple[Form, Form]]) -> tuple[Form, dict[Quantity, tuple[Form, Form]]]:
    """Shift running sums so that they start at 0, and rewrite the gain and all updates accordingly."""
    for atom, (start, update) in states.items():
        added = update - of_atom(atom)
        if atom.kind == "state" and start != ZERO and all(a != atom for a in added.atoms()):
            gain, states = _replaced(atom, start + of_atom(atom), gain, states)
            states[atom] = ZERO, states[atom][1] - start
    return gain, states


def _complemented(
    gain: Form, states: dict[Quantity, tuple[Form, Form]]
) -> tuple[Form, dict[Quantity, tuple[Form, Form]]]:
    """Replace states x that start at 0 by 1 - x in the gain and all updates.

    Every flag is replaced, and a number if this leaves fewer terms: the share of users who have stopped, for example,
    becomes the share of users who go on.
    """
    for atom, (start, _) in states.items():
        if start == ZERO:
            turned = _turned(atom, gain, states)
            if atom.kind == "flag" or _size(*turned) < _size(gain, states):
                gain, states = turned
    return gain, states


def _turned(atom: Quantity, gain: Form, states: States) -> tuple[Form, dict[Quantity, tuple[Form, Form]]]:
    """Track 1 - x instead of the state x: change its start and update, and the gain and updates that contain x."""
    gain, made = _replaced(atom, ONE - of_atom(atom), gain, states)
    start, update = made[atom]
    made[atom] = ONE - start, ONE - update
    return gain, made


def _replaced(atom: Quantity, form: Form, gain: Form, states: States) -> tuple[Form, dict[Quantity, tuple[Form, Form]]]:
    """Substitute a form for a state in the gain and in all updates."""
    change = {atom: form}.get
    made = {other: (start, update.replace(change)) for other, (start, update) in states.items()}
    return gain.replace(change), made


def _size(gain: Form, states: States) -> int:
    return sum(len(form.terms) for form in (gain, *(update for _, update in states.values())))


def _order(gain: Form, states: States) -> list[Quantity]:
    """Return the states that a gain needs, in order of first occurrence in the gain and the updates."""
    order: list[Quantity] = []
    pending = [gain]
    while pending:
        form = pending.pop(0)
        for product in sorted(form.terms, key=lambda p: [(a.kind, e) for a, e in p]):
            for atom, _ in product:
                if atom in states and atom not in order:
                    order.append(atom)
                    pending.append(states[atom][1])
    return order


def _named(form: Form, names: Mapping[Quantity, str]) -> Polynomial:
    """Convert a form to a polynomial for the fold."""
    known = {"grade": "r", "hit": "hit"}
    terms = []
    for product, c in form.terms.items():
        factors = []
        for atom, e in product:
            name = names.get(atom) or known.get(atom.kind)
            if name is None or e < 0:
                raise Underivable(f"uses {_described(atom)} in a gain or a running total, which is not supported")
            factors.append((name, e))
        terms.append((factors, c))
    return polynomial(terms)


def _described(atom: Quantity) -> str:
    words = {
        "length": "the length of the ranking or the number of judged documents",
        "least": "the smaller of a number of documents and a constant",
        "longer": "whether the ranking is longer than a number",
        "aspects": "the number of aspects",
        "reciprocal": "the inverse of a sum with totals",
        "greatest": "the larger of a total and a number",
        "weight": "the weight of an aspect",
        "within": "a comparison of the rank with a constant, other than a cutoff of the whole score,",
        "final": "a total over the judged documents or the ranking",
        "ended": "a condition on the whole ranking",
        "positive": "whether a total is positive",
    }
    return words.get(atom.kind, "the " + atom.kind)
