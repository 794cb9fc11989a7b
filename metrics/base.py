"""Defines what a metric is: a name, declared parameters, a cutoff, and one definition as array code.

Shapes, here and in every metric: grades (..., n, m) in rank order, weights (..., m), pool (..., P, m); leading axes
broadcast. Values are whatever the arithmetic says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from math import inf
from operator import index
from typing import Any, ClassVar, Literal, SupportsIndex, TypeVar

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError, UnknownName
from axiomcheck.core.own_code import is_own_class
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.parameters import Choice, Parameter
from axiomcheck.metrics.scores import real_scores
from axiomcheck.metrics.spelling import bare
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, divide, largest

MOST_RANKS = 10**9
"""Cutoffs are below it, as in names."""


@dataclass(frozen=True)
class Tail:
    """An argument about every long block pair, for the threshold axioms DeepTh and CloseTh.

    Write L(n) for what n relevant documents at ranks n+1..2n earn and T for what one relevant document at rank 1
    earns, both of the same grade and both without what the two rankings earn alike: a cost per document (they are of
    equal length), S-Recall's share of D#. The argument bounds L(n) / T for every n >= start, whatever the grade in
    (0, 1].

    Args:
        side: ``"below"``: L(n)/T <= bound(n) < 1; ``"above"``: L(n)/T >= bound(n) > 1; ``"equal"``: L(n) = T.
        start: the first n that the argument covers.
        bound: n -> the bound, as a float (for display and tests; the statement is what argues).
        statement: the bound and why it stays on its side of 1 from ``start`` on.

    """

    side: Literal["below", "above", "equal"]
    start: int
    bound: Callable[[int], float]
    statement: str


@dataclass(frozen=True)
class Abilities:
    """Holds what a metric, or the library behind it, can be asked about; instances that need more are left out.

    Args:
        weights: whether aspects may have unequal weights.
        levels: L where grades can be nothing but k/L, k = 0..L (a library of integer grades): a power of two, so that
            floats are exact; None for any grade in [0, 1].
        notes: how the library breaks ties between scores, treats unjudged documents, maps integer grades: whatever
            its verdicts depend on; printed with them.

    """

    weights: bool = True
    levels: int | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.levels is not None and (self.levels < 1 or self.levels & (self.levels - 1)):
            raise InvalidInput(f"levels={self.levels!r}: expected a power of two, or None for any grade in [0, 1]")


@dataclass(frozen=True)
class Claims:
    """Holds what a metric says of its own values; the contract checks hold it to that.

    Args:
        low, high: the range of scores; None is unbounded.
        ideal: whether the ideal ranking of every topic with something relevant scores ``high``, and no ranking that
            misses relevant documents within the cutoff does.
        monotone: whether appending a document with a positive grade never lowers the score.

    """

    low: float | None = None
    high: float | None = None
    ideal: bool = False
    monotone: bool = False


class Metric(ABC):
    """Base of all metrics. Immutable.

    Metrics of axiomcheck's own classes are equal when they were made alike. What a class of somebody else's makes of
    its attributes is not known, so such a metric equals nothing but itself.

    Args:
        cutoff: the metric looks at the first ``cutoff`` ranks; None looks at all; left out, the metric's default.
        parameters: by declared name (a trailing underscore is dropped, so that ``lambda_`` can be written).

    Raises:
        InvalidInput: unknown parameter or value out of range.

    """

    name: str
    """The name that users type before parameters and cutoff. A class of somebody else's that gives itself none is
    called what the class is called: it is not the metric that it is derived from."""
    summary: str
    source: str
    label: str | None = None
    """The canonical name of a metric in a file, a module or a plugin: what the user typed to name it."""
    declared: ClassVar[tuple[Parameter, ...]] = ()
    default_cutoff: ClassVar[int | None] = None
    binary_only: bool = False
    single_aspect: bool = False
    abilities: Abilities = Abilities()
    claims: Claims = Claims()
    most_examples: int | None = None
    """The most random instances that a cell may cost, for metrics that are slow to call."""
    partial: bool = False
    """True where rankings are compared by stochastic dominance of their `distribution`, a partial order; there is no
    single score then, and `score` raises."""
    precision: float = 1e-14
    """Scores closer than this share of the larger one count as equal where floats are all there is: the rounding of a
    few sums in double precision."""
    blanks: Literal["any", "length", "nothing"] = "any"
    """Says what documents of grade 0 do to a score, those below the last relevant one and those of the pool that are
    not ranked: ``"nothing"``; no more than make the ranking as long as it is (``"length"``); or anything. Where it is
    not anything, runs are scored many at a time, by `score`. What a class states holds of its own objects, not of
    classes derived from it."""
    reference: str | None = None
    """The name of a metric that it should agree with, which `axiomcheck check` asks."""
    rounding: float = 0.0
    """Half a unit of the last digit, of a library whose scores are rounded; its ties then say nothing."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls) and not cls.__module__.startswith("axiomcheck."):
            cls.name = cls.__name__

    def __init__(self, cutoff: int | Literal["default"] | None = "default", **parameters: Any) -> None:
        self.cutoff: int | None = self.default_cutoff if cutoff == "default" else cutoff
        if self.cutoff is not None:
            self._check_cutoff(self.cutoff)
        given = {key.removesuffix("_"): value for key, value in parameters.items()}
        known = {p.name: p for p in self.declared}
        for key in given:
            if key not in known:
                if not known:
                    raise InvalidInput(f"{self.name} has no parameter {key!r}; it takes none")
                raise UnknownName(f"parameter of {self.name}", key, known)
        self.values: dict[str, Any] = {}
        for parameter in self.declared:
            try:
                self.values[parameter.name] = parameter.parse(given.get(parameter.name, parameter.default))
            except InvalidInput as error:
                raise InvalidInput(f"{self.name}: {error}") from None
        self.validate()

    def validate(self) -> None:  # noqa: B027 - most metrics have nothing to check
        """Checks that involve several parameters; raises InvalidInput."""

    def _check_cutoff(self, cutoff: object) -> None:
        if not isinstance(cutoff, int) or isinstance(cutoff, bool) or not 1 <= cutoff < MOST_RANKS:
            raise InvalidInput(f"{self.name}: cutoff {cutoff!r} is out of range; expected a whole number k >= 1")

    def __call__(self, **parameters: Any) -> Metric:
        """The metric with other values of some parameters, as in ``RBU(p=0.9)``; its cutoff stays.

        Raises:
            InvalidInput: unknown parameter or value out of range.

        """
        return self.remade(self.cutoff, self.values | {key.removesuffix("_"): x for key, x in parameters.items()})

    def __matmul__(self, cutoff: SupportsIndex | float) -> Metric:
        """The metric with another cutoff, as in ``nDCG @ 20``; ``@ math.inf`` takes the cutoff away.

        Raises:
            InvalidInput: not a whole number k >= 1, or a metric that needs a cutoff loses it.

        """
        if isinstance(cutoff, float) and cutoff == inf:
            return self.remade(None, self.values)
        whole: Any = cutoff
        if not isinstance(cutoff, bool | float):
            with suppress(TypeError):  # numpy's integers are none of Python's
                whole = index(cutoff)
        self._check_cutoff(whole)
        return self.remade(whole, self.values)

    def remade(self, cutoff: int | None, values: dict[str, Any]) -> Metric:
        """Another metric of the same class, with a cutoff and parameters by declared name; a label has these then.

        Raises:
            InvalidInput: unknown parameter, value out of range, or a class whose constructor takes something else.

        """
        if type(self).__init__ is not Metric.__init__:
            what = "a function or a library" if self.name == self.label else type(self).__name__
            raise InvalidInput(f"{self}: cutoff and parameters are given to {what}, not by @ or a call")
        made = type(self)(cutoff, **values)
        if self.label is not None:
            made.label = bare(self.label) + made.canonical.removeprefix(made.name)
        return made

    @property
    def canonical(self) -> str:
        """The canonical name, which `axiomcheck.metrics.parse` turns back into an equal metric; or the label."""
        return self.spelt([p.name for p in self.declared if p.decisive])

    def spelt(self, always: Collection[str] = ()) -> str:
        """A name that parses to an equal metric: with the parameters of other values than the default, and some more.

        Args:
            always: parameters that it has whatever their values.

        """
        if self.label is not None:
            return self.label
        shown = [
            f"{p.name}={p.text(self.values[p.name])}"
            for p in self.declared
            if p.name in always or self.values[p.name] != p.parse(p.default)
        ]
        text = self.name + (f"({', '.join(shown)})" if shown else "")
        if self.cutoff is not None:
            return f"{text}@{self.cutoff}"
        return f"{text}@inf" if self.default_cutoff is not None else text

    def __repr__(self) -> str:
        return self.canonical

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        alike = type(self) is type(other) and is_own_class(type(self))
        return alike and isinstance(other, Metric) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.canonical) if is_own_class(type(self)) else id(self)

    def applies_to_aspects(self) -> bool:
        """Tell whether the metric has a notion of several aspects (the diversity axioms apply)."""
        return not self.single_aspect

    def is_seed_form(self) -> bool:
        """Tell whether this is the form that the axiomatic paper analyses, whatever its parameters and cutoff."""
        return True

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Scores of a batch of rankings.

        Args:
            a: the arithmetic that the arrays are in.
            grades: (..., n, m), in [0, 1], documents in rank order.
            weights: (..., m), positive, summing to 1.
            pool: (..., P, m), every judged document of the topic, retrieved or not.

        Returns:
            Scores of shape (...); 0 for rankings without documents.

        """
        if grades.shape[-2] == 0:
            return a.integers(np.zeros(np.broadcast_shapes(grades.shape[:-2], pool.shape[:-2]), dtype=np.int64))
        if self.cutoff is not None and grades.shape[-2] > self.cutoff:
            grades = grades[..., : self.cutoff, :]
        return self.kernel(a, grades, weights, pool)

    @abstractmethod
    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The definition, on rankings already cut at the cutoff; shapes as in `score`."""

    def evaluate(self, pool: Reals, weights: Reals, order: Integers) -> Reals:
        """Floating-point scores of B rankings, each of its own topic.

        Args:
            pool: (B, P, m) float64 grades of every judged document.
            weights: (B, m) float64, summing to 1.
            order: (B, n) rows of the pool in rank order, distinct in each ranking.

        Returns:
            (B,) scores.

        Raises:
            MetricError: `score` returned what is no real number.

        """
        ranked = np.take_along_axis(pool, order[:, :, None], axis=1)
        return real_scores(self, self.score(Floats(), ranked, weights, pool))

    def distribution(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> tuple[Array, Array, Any]:
        """The distribution of the score, of metrics that are `partial`; shapes as in `score`.

        Returns:
            ``(values, masses, rest)``: the support (..., S), in any order and with repetitions, its probabilities
            (..., S), and the probability (...) or scalar of what is not listed; 0 where the support is complete.

        Raises:
            MetricError: the metric gives scores, not distributions.

        """
        raise MetricError(f"{self} gives scores, not distributions")

    def unlisted(self, grades: Array) -> Array:
        """The largest value that what a `distribution` leaves out can have: grades (..., n, m) -> (...).

        Asked of metrics only whose distributions leave something out; their scores are at least 0.
        """
        raise MetricError(f"{self} does not say how large the scores are that its distribution leaves out")

    def numerical(self, small: bool) -> str:
        """Why floats are all there is of this metric (where r << 1 is assumed, if ``small``); empty if they are not.

        Scores of a metric that is more than floats are confirmed in exact or certified arithmetic.
        """
        return ""

    @property
    def read_again(self) -> Callable[..., Array] | None:
        """A user's function over exact numbers, as its own source reads; None where it has no second reading."""
        return None

    def searched_in_floats(self, small: bool) -> bool:
        """Tell whether floats alone search for violations, and the second reading of the source decides what they find.

        Args:
            small: whether r << 1 is assumed.

        """
        return False

    def tail(self) -> Tail | None:
        """The argument for DeepTh and CloseTh at every n from some n on, where the metric has no cutoff."""
        return None

    def at(self, values: dict[str, Any]) -> Metric:
        """The metric with other values of parameters, which are not validated: symbols, or balls, for proofs.

        Args:
            values: by declared name; the other parameters stay as they are.

        """
        other = copy(self)
        other.values = self.values | values
        return other


class FoldMetric(Metric):
    """Base of the metrics that score each aspect by a `Fold` and add the aspects up.

    Score = scale * sum_t W_t total_t / normaliser_t - cost * sum_i D_i, total_t being the fold's sum over the first
    min(n, k) ranks.
    """

    weighted: bool = True
    """True where W_t is the weight of the aspect; else it is 1."""
    normalised: bool = False
    """True where each aspect's total is divided by the `normaliser`."""
    pooling: Literal["no", "sum", "max"] = "no"
    """Makes a document's grades one before the fold: their weighted sum, or their maximum."""

    @property
    def blanks(self) -> Literal["any", "length", "nothing"]:  # type: ignore[override]
        """A fold of axiomcheck's pays nothing for grade 0; inspecting a document may cost something."""
        return "length" if self.cost() else "nothing"

    @abstractmethod
    def fold(self) -> Fold:
        """Return the fold by which one aspect is scored."""

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return what each aspect's total is divided by (0/0 = 0): pool (..., P, m) -> (..., m).

        Positive wherever a document of the pool has a positive grade on the aspect.
        """
        raise NotImplementedError

    def scale(self, aspects: int) -> Any:
        """A positive factor that the score is multiplied by."""
        return 1

    def cost(self) -> Any:
        """Return what inspecting a document costs, before the discount; 0 or more."""
        return 0

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The totals of the aspects, normalised and added up, less the cost."""
        if self.pooling == "sum":
            grades, pool = ((x * weights[..., None, :]).sum(axis=-1)[..., None] for x in (grades, pool))
        elif self.pooling == "max":
            grades, pool = largest(grades, -1)[..., None], largest(pool, -1)[..., None]
        fold, scale, cost = self.fold(), self.scale(grades.shape[-1]), self.cost()
        totals = fold.total(a, grades)
        if self.normalised:
            totals = divide(totals, self.normaliser(a, pool))
        score = (totals * weights if self.weighted else totals).sum(axis=-1)
        if not (type(scale) is int and scale == 1):
            score = score * a.number(scale)
        if type(cost) is int and cost == 0:
            return score
        return score - a.number(cost) * a.discounts(fold.discount, grades.shape[-2]).sum()


class LiftedMetric(Metric):
    """Base of the ad hoc metrics, which know one aspect.

    The parameter ``aggregate=max`` lifts one to several aspects by the maximum grade over aspects
    (section 6.2 of the axiomatic paper).
    """

    single_aspect = True
    aggregate: ClassVar[Parameter] = Choice(
        "aggregate",
        "none",
        "how several aspects become one grade; max is the largest",
        decisive=False,
        choices=("none", "max"),
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.aggregate not in cls.declared:
            cls.declared = (*cls.declared, cls.aggregate)

    def applies_to_aspects(self) -> bool:
        """Only when lifted by ``aggregate=max``."""
        return bool(self.values["aggregate"] == "max")

    def is_seed_form(self) -> bool:
        """Only when not lifted."""
        return not self.applies_to_aspects()

    def needs_one_aspect(self, grades: Array) -> None:
        """Checks that a metric that is not lifted is given one aspect: grades (..., n, m).

        Raises:
            MetricError: m is not 1.

        """
        if not self.applies_to_aspects() and grades.shape[-1] != 1:
            raise MetricError(f"{self} knows one aspect and was given {grades.shape[-1]}; lift it with aggregate=max")

    def only_aspect(self, grades: Array) -> Array:
        """The grades on the only aspect, or the maximum over aspects: (..., n, m) -> (..., n).

        Raises:
            MetricError: several aspects, and the metric is not lifted.

        """
        self.needs_one_aspect(grades)
        return grades[..., 0] if grades.shape[-1] == 1 else largest(grades, -1)


class SingleAspectMetric(LiftedMetric, FoldMetric):
    """Base of the ad hoc metrics that are folds."""

    weighted = False  # the only aspect's weight is 1

    @property
    def pooling(self) -> Literal["no", "max"]:  # type: ignore[override]
        """By the maximum over aspects, where lifted to several."""
        return "max" if self.applies_to_aspects() else "no"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The score of the only aspect, or of the maximum over aspects."""
        self.needs_one_aspect(grades)
        return super().kernel(a, grades, weights, pool)


_AnyMetric = TypeVar("_AnyMetric", bound=type[Metric])

CATALOGUE: dict[str, type[Metric]] = {}
"""Metric class by the name that users type before parameters and cutoff, family by family."""


def catalogued(cls: _AnyMetric) -> _AnyMetric:
    """Enter a class into the catalogue, under its name.

    Raises:
        ValueError: another class has that name.

    """
    if cls.name in CATALOGUE:
        raise ValueError(f"{cls.__qualname__}: {CATALOGUE[cls.name].__qualname__} is called {cls.name!r} as well")
    CATALOGUE[cls.name] = cls
    return cls
