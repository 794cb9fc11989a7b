"""Folds that are derived from the source of a user's function, and the metrics that score rankings with them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.metrics.base import FoldMetric, Metric, Mixture
from axiomcheck.metrics.fold import Additive, Cascade, Fold, HitCount, Novelty, State
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.arithmetic import Arithmetic, descending, positive
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.numbers.open_numbers import Factors, OpenNumber, UnknownValue, at_values, number_text, polynomial_text

Polynomial: TypeAlias = tuple[tuple[Factors, Fraction], ...]
"""Products of powers, each with its coefficient. Variables are ``r``, the grade; ``hit``, which is 1 for a positive
grade and else 0; and ``s0``, ``s1``, ..., the components of the state."""


def discount_text(discount: Discount) -> str:
    """Format a discount as an expression in the rank i, such as ``1 / log2(i + 1)``."""
    if isinstance(discount, Constant):
        return "1"
    if isinstance(discount, Reciprocal):
        return "1 / i"
    if isinstance(discount, Geometric):
        scale = "" if discount.scale == 1 else f"{discount.scale} * "
        ratio = number_text(discount.ratio)
        return f"{scale}{ratio if isinstance(discount.ratio, OpenNumber) else f'({ratio})'} ** (i - 1)"
    assert isinstance(discount, InverseLog)
    log = "log" if discount.base is None else f"log{discount.base}"
    shifted = f"{log}(i + {discount.shift})"
    return f"1 / ({discount.offset} + {shifted})" if discount.offset else f"1 / {shifted}"


@dataclass(frozen=True)
class DerivedFold(Fold):
    """Fold whose gain and next state are polynomials in the grade and the state.

    Coefficients may be open numbers, which `at_values` replaces with numbers or symbols.

    Args:
        discount: Discount by rank.
        initial: State before rank 1.
        gain: Polynomial for the gain of a document, before the discount is applied.
        updates: Polynomial for each component of the state, which gives its value after the document.

    """

    discount: Discount
    initial: tuple[Fraction, ...]
    gain: Polynomial
    updates: tuple[Polynomial, ...]

    def start(self, a: Arithmetic) -> State:
        """Return the state before rank 1."""
        return tuple(a.number(value) for value in self.initial)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the gain of one document, and the state after it."""
        names: dict[str, Any] = {f"s{k}": value for k, value in enumerate(state)} | {"r": r}
        terms = [factors for polynomial in (self.gain, *self.updates) for factors, _ in polynomial]
        if any(name == "hit" for factors in terms for name, _ in factors):
            names["hit"] = a.integers(positive(r))
        gain = _evaluated(a, self.gain, names)
        return gain, tuple(_evaluated(a, update, names) for update in self.updates)

    @property
    def text(self) -> str:
        """Description of the fold in one line, such as ``rank i earns 1 / i times r``."""
        states = "".join(
            f"; s{k} is {number_text(value)}, then {polynomial_text(update)}"
            for k, (value, update) in enumerate(zip(self.initial, self.updates, strict=True))
        )
        return f"rank i earns {discount_text(self.discount)} times {polynomial_text(self.gain)}{states}"

    def known(self) -> tuple[Fold, Fraction]:
        """Return a fold of the catalogue, which is faster, and the factor that turns its gains into those of this fold.

        If there is no such fold, return this fold and the factor 1.
        """
        ((_, factor), *_) = self.gain or (((), Fraction(1)),)
        gain = tuple((factors, c / factor) for factors, c in self.gain)
        with suppress(UnknownValue):  # the steps may be equal for some values of the parameters only
            for fold in self._candidates() if factor > 0 else ():
                if (gain, self.initial, self.updates) == _steps_of(fold):
                    return fold, factor
        return self, Fraction(1)

    def _candidates(self) -> Iterable[Fold]:
        yield from (Additive(self.discount, binary) for binary in (False, True))
        yield from (Cascade(self.discount, binary) for binary in (False, True))
        yield HitCount(self.discount)
        yield from (Novelty(self.discount, -c) for update in self.updates for _, c in update if -1 < c < 0)


def _steps_of(fold: Fold) -> tuple[Polynomial, tuple[Fraction, ...], tuple[Polynomial, ...]]:
    """Return the gain, initial state and updates of a catalogue fold in the form that a `DerivedFold` has."""
    one = Fraction(1)
    seen = "hit" if getattr(fold, "binary", False) or isinstance(fold, HitCount) else "r"
    if isinstance(fold, Additive):
        return (polynomial([([(seen, 1)], one)]), (), ())
    if isinstance(fold, HitCount):
        hit, state = [("hit", 1)], [("s0", 1)]
        return (
            polynomial([(hit, one), ([*hit, *state], one)]),
            (Fraction(0),),
            (polynomial([(hit, one), (state, one)]),),
        )
    share, by = (fold.alpha, "hit") if isinstance(fold, Novelty) else (one, seen)
    update = polynomial([([("s0", 1)], one), ([(by, 1), ("s0", 1)], -share)])
    return polynomial([([(seen, 1), ("s0", 1)], one)]), (one,), (update,)


def _evaluated(a: Arithmetic, polynomial: Polynomial, names: dict[str, Any]) -> Any:
    total: Any = None
    for factors, c in polynomial:
        term: Any = None
        for name, exponent in factors:
            for _ in range(exponent):
                term = names[name] if term is None else term * names[name]
        if term is None:
            term = 0 * names["r"] + a.number(c)
        elif isinstance(c, Fraction) and c == -1:
            term = -term
        elif not (isinstance(c, Fraction) and c == 1):
            term = term * a.number(c)
        total = term if total is None else total + term
    return 0 * names["r"] if total is None else total


class Derived(Metric):
    """Base class for metrics whose folds are derived from a user's function."""

    name = "derived"
    summary = "derived from the source of a function"
    source = ""

    def __init__(self, cutoff: int | None, reads_one_aspect: bool) -> None:
        super().__init__(cutoff)
        self.single_aspect = self.reads_one_aspect = reads_one_aspect
        """True if the function reads only the first aspect of a topic."""
        self.compared: tuple[int, ...] = ()
        """Numbers with which the code compares ranks and lengths. Near them, the code is checked against the fold."""
        self.large_numbers: tuple[int, ...] = ()
        """Large numbers in the code's file. The code is also checked against the fold near these ranks."""
        self.visits: Any = None
        """Statements that the derivation executed; see `axiomcheck.derivation.traced_run`."""
        self.up_to_topic = False
        """True if the function also multiplies the score by a number that depends only on the topic. The number is
        positive if a document is relevant."""
        self.needs_relevant = False
        """True if the function may raise an exception, or return any score, on topics without relevant documents."""
        self.one_aspect_topics = False
        """True if the scores equal those of the function only for topics with one aspect."""
        self.base: Any = None
        """Base b if the fold takes (b^g - 1) / (b - 1), which increases with the grade g; None if it takes the grades
        themselves."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    @abstractmethod
    def text(self) -> str:
        """Description of the metric in one line. Equal derivations have equal descriptions."""

    def open_at(self, values: Mapping[str, Fraction]) -> None:
        """Declare the open numbers of the fold as parameters in (0, 1) with the given values."""
        self.declared = tuple(Real(name, value) for name, value in values.items())
        self.values = dict(values)

    def closed(self, values: Mapping[str, Any]) -> Derived:
        """Return the metric with values in place of open numbers. This base class has none, and returns itself."""
        return self

    @property
    def has_other_scores(self) -> bool:
        """True if the fold cannot replace the function, because their scores differ on some topics."""
        return self.one_aspect_topics or self.up_to_topic or self.needs_relevant or self.base is not None

    def _topics_text(self) -> str:
        """Return the end of `text`, which says on which topics the scores equal those of the function."""
        said = "; for topics with a relevant document" if self.needs_relevant else ""
        return said + ("; for topics with one aspect" if self.one_aspect_topics else "")


class DerivedMetric(Derived, FoldMetric):
    """Metric that scores rankings with a single fold derived from a user's function.

    Args:
        fold: Derived fold, which scores one aspect.
        cutoff: Number of ranks that contribute; None for all.
        weighted: True if each aspect's total is multiplied by the aspect's weight.
        shared: True if the score is divided by the number of aspects.
        factor: Positive factor that multiplies the score.
        cost: Cost of a document, >= 0.
        single: True if the score depends only on the first aspect.
        pooling: See `FoldMetric.pooling`.

    """

    def __init__(
        self,
        fold: DerivedFold,
        cutoff: int | None,
        weighted: bool,
        shared: bool,
        factor: Fraction,
        cost: Fraction,
        single: bool,
        pooling: Literal["no", "sum", "max"] = "no",
    ) -> None:
        super().__init__(cutoff, single)
        self._fold, self._shared, self._factor, self._cost = fold, shared, factor, cost
        self.pooling = pooling
        self._known, self._gain = fold.known()
        self.weighted = weighted

    def closed(self, values: Mapping[str, Any]) -> DerivedMetric:
        """Return a copy with the given values in place of open numbers. It has no parameters."""
        made = copy(self)
        made._fold, made._factor, made._cost = at_values((self._fold, self._factor, self._cost), values)
        made._known, made._gain = made._fold.known()
        made.open_at({})
        return made

    def _placed(self, data: Any) -> Any:
        return at_values(data, self.values) if self.values else data

    def fold(self) -> Fold:
        """Return the catalogue's equivalent of the derived fold, or the derived fold if there is none."""
        found: Fold = self._placed(self._known)
        return found

    def scale(self, aspects: int) -> Any:
        """Return the factor of the score, divided by the number of aspects if ``shared`` is set."""
        factor = self._factor if isinstance(self, DerivedByIdeal) else self._factor * self._gain
        return self._placed(factor) / aspects if self._shared else self._placed(factor)

    def cost(self) -> Any:
        """Return the cost of a document."""
        return self._placed(self._cost)

    def shares_kept(self) -> list[Fraction]:
        """Return guesses for the factors in (0, 1) by which a relevant document multiplies a component of the state."""
        updates = self._placed(self._fold.updates)
        found = {1 + c for update in updates for factors, c in update if ("hit", 1) in factors}
        return sorted(share for share in found if 0 < share < 1)

    @property
    def text(self) -> str:
        """Description of the metric in one line. Equal derivations have equal descriptions."""
        said = [self._fold.text]
        said += [f"only ranks up to {self.cutoff} count"] * (self.cutoff is not None)
        factor, cost = number_text(self._factor), number_text(self._cost)
        said += [f"factor {factor}"] * (factor != "1")
        said += [f"cost {cost}"] * (cost != "0")
        aspects = "aspects by weight" if self.weighted else "all aspects alike"
        aspects = "grades summed by weight" if self.pooling == "sum" else aspects
        said.append("one aspect" if self.reads_one_aspect else aspects)
        said += ["divided by the number of aspects"] * self._shared
        if isinstance(self, DerivedByIdeal):
            said.append("divided by the total of the best order")
        elif self.normalised:
            said.append("divided by the number of relevant documents")
        said += ["times a positive constant per topic"] * self.up_to_topic
        base = f"; r is ({self.base} ** grade - 1) / {self.base - 1}" if self.base is not None else ""
        return "; ".join(said) + self._topics_text() + base


class DerivedSum(Derived, Mixture):
    """Metric whose score is the sum of the scores of several derived metrics.

    Args:
        parts: Derived metrics, which have the same cutoff. Either all of them or none read only one aspect.

    """

    def __init__(self, parts: Sequence[DerivedMetric]) -> None:
        super().__init__(parts[0].cutoff, parts[0].reads_one_aspect)
        self._parts = tuple(parts)
        self.needs_relevant = any(part.needs_relevant for part in parts)

    def parts(self) -> tuple[tuple[int, DerivedMetric], ...]:
        """Return a labelled copy of each derived metric, with the weight 1."""
        found = []
        for number, part in enumerate(self._parts, start=1):
            made = copy(part)
            made.label = f"part {number} of {self.canonical}"
            made.single_aspect, made.binary_only = self.single_aspect, self.binary_only
            found.append((1, made))
        return tuple(found)

    @property
    def text(self) -> str:
        """Description of the metric in one line. Equal derivations have equal descriptions."""
        return "; plus: ".join(part.text for part in self._parts) + self._topics_text()


class DerivedByIdeal(DerivedMetric):
    """Derived metric whose totals are divided by the fold's total on the pool sorted by descending grade."""

    normalised = True

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the fold's total on the pool sorted by descending grade: (..., P, m) -> (..., m)."""
        best = descending(pool.swapaxes(-1, -2)).swapaxes(-1, -2)
        return self.fold().total(a, best[..., : self.cutoff, :])


class DerivedByRelevant(DerivedMetric):
    """Derived metric whose totals are divided by the number of relevant documents."""

    normalised = True

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the number of relevant documents: (..., P, m) -> (..., m)."""
        return a.integers(positive(pool).sum(axis=-2))


class FoldOfFunction(Metric):
    """Metric that replaces a function in the search: it scores rankings with the fold derived from the function.

    The fold scores whole batches at once. A sample of the rankings is also scored with the function, and compared.

    Args:
        function: Metric that calls the function. It has the cutoff of the fold.
        derived: Metric that scores rankings with the fold, or with a sum of folds.

    """

    name = "fold of a function"
    summary = "derived from the source of a function"
    source = ""

    def __init__(self, function: Metric, derived: Derived) -> None:
        super().__init__(function.cutoff)
        self.most_examples = function.most_examples
        self.function, self.derived = function, derived
        self.label = function.canonical
        self.binary_only, self.single_aspect = function.binary_only, function.single_aspect
        self.abilities, self.claims = function.abilities, function.claims
        self._batches = 0

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the scores that the fold computes."""
        if self.derived.reads_one_aspect:  # the function reads the first aspect of several
            grades, pool = grades[..., :1], pool[..., :1]
            weights = a.integers(np.ones((*weights.shape[:-1], 1), dtype=np.int64))
        return self.derived.score(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the scores that the fold computes."""
        return self.score(a, grades, weights, pool)

    def evaluate(self, pool: Reals, weights: Reals, order: Integers) -> Reals:
        """Return the fold's scores in floats, after comparing a sample of them with the function's scores.

        Raises:
            MetricError: A score of the function differs from that of the fold.

        """
        scores = super().evaluate(pool, weights, order)
        self._batches += 1
        if len(scores) and (self._batches <= _ALL_COMPARED or self._batches % _COMPARED == 0):
            row = slice(self._batches % len(scores), None, max(1, len(scores) // 2))
            asked = self.function.evaluate(pool[row], weights[row], order[row])
            if not np.allclose(asked, scores[row], rtol=1e-9, atol=1e-12):
                derived = f"the sum over ranks derived from its source is {scores[row].tolist()}"
                raise MetricError(f"{self} scores {asked.tolist()}, but {derived}")
        return scores


_ALL_COMPARED, _COMPARED = 100, 16
"""Number of first batches that are all compared with the function, and distance between the batches compared later."""

KINDS: dict[str, type[DerivedMetric]] = {"": DerivedMetric, "ideal": DerivedByIdeal, "relevant": DerivedByRelevant}
"""Metric classes by kind of normaliser; the empty string means no normaliser."""


def polynomial(terms: Iterable[tuple[Sequence[tuple[str, int]], Fraction]]) -> Polynomial:
    """Create a polynomial from its terms in any order. Polynomials with the same terms are equal tuples."""
    return tuple(sorted((tuple(sorted(factors)), c) for factors, c in terms))
