"""Base classes of metrics. A metric has a name, declared parameters, a cutoff and one definition in array code.

All metrics use the same shapes: grades (..., n, m) in rank order, weights (..., m) and pool (..., P, m). Leading axes
broadcast. The type of the entries depends on the arithmetic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from math import inf
from operator import index
from typing import Any, ClassVar, Literal, SupportsIndex, TypeVar

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError, UnknownName, check_flags
from axiomcheck.core.own_code import is_own_class
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.parameters import Choice, Parameter
from axiomcheck.metrics.scores import real_scores
from axiomcheck.metrics.spelling import bare
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, divide, largest

MOST_RANKS = 10**9
"""Limit on cutoffs. A cutoff must be below it, also in the name of a metric."""


@dataclass(frozen=True)
class Tail:
    """Bound on L(n)/T for all large n, which decides the threshold axioms DeepTh and CloseTh.

    L(n) is the gain from n relevant documents at ranks n+1..2n, and T is the gain from one relevant document at rank 1.
    All these documents have the same grade. L(n) and T exclude amounts that are equal in both rankings, such as costs
    per document (the rankings have equal length) and the S-Recall part of D#. The bound holds for every n >= start and
    any grade in (0, 1].

    Args:
        side: ``"below"``: L(n)/T <= bound(n) < 1; ``"above"``: L(n)/T >= bound(n) > 1; ``"equal"``: L(n) = T.
        start: Smallest n for which the bound holds.
        bound: Function that returns the bound at n as a float, for display and tests only. The argument itself is in
            ``statement``.
        statement: Formula of the bound, and the reason why it stays on its side of 1 for every n >= start.

    """

    side: Literal["below", "above", "equal"]
    start: int
    bound: Callable[[int], float]
    statement: str


@dataclass(frozen=True)
class Abilities:
    """Limits on the topics that a metric or its library can score. The search skips all other topics.

    Args:
        weights: True if aspects may have unequal weights.
        levels: Highest level L if only the grades k/L, k = 0..L, are possible, as in a library with integer grades. It
            is a power of two, so that floats are exact. None for any grade in [0, 1].
        notes: Notes on the library's conventions, such as its tie-breaking, its treatment of unjudged documents or its
            mapping of integer grades. They are printed with verdicts.

    """

    weights: bool = True
    levels: int | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_flags("abilities", weights=self.weights)
        if self.levels is not None and (self.levels < 1 or self.levels & (self.levels - 1)):
            raise InvalidInput(f"levels={self.levels!r}: expected a power of two, or None for any grade in [0, 1]")


@dataclass(frozen=True)
class Claims:
    """Properties that a metric declares for its scores. `axiomcheck check` tests whether they hold.

    Args:
        low, high: Range of scores; None for no bound.
        ideal: True if the ideal ranking of every topic with a relevant document scores ``high``, and every ranking that
            misses relevant documents within the cutoff scores less.
        monotone: True if appending a document with a positive grade never lowers the score.

    """

    low: float | None = None
    high: float | None = None
    ideal: bool = False
    monotone: bool = False

    def __post_init__(self) -> None:
        check_flags("claims", ideal=self.ideal, monotone=self.monotone)


class Metric(ABC):
    """Base class of all metrics. Metrics are immutable.

    Two metrics of axiomcheck's own classes are equal if they have the same class and constructor arguments. An external
    metric equals only itself, since its attributes may hold anything.

    Args:
        cutoff: Number of ranks that the metric evaluates, or None for all ranks. If omitted, it is `default_cutoff`.
        parameters: Values by declared name. A trailing underscore is removed, so ``lambda`` can be given as
            ``lambda_``.

    Raises:
        InvalidInput: A parameter is unknown, or a value is out of range.

    """

    name: str
    """Name that users type before parameters and cutoff. An external class that does not set `name` gets its own class
    name, since it is a different metric from its base class."""
    summary: str
    source: str
    label: str | None = None
    """Canonical name of a metric in a file, a module or a plugin, as typed by the user."""
    declared: tuple[Parameter, ...] = ()
    default_cutoff: ClassVar[int | None] = None
    binary_only: bool = False
    single_aspect: bool = False
    abilities: Abilities = Abilities()
    claims: Claims = Claims()
    most_examples: int | None = None
    """Largest number of random instances per cell for a metric that is slow to call; None for no limit."""
    partial: bool = False
    """True if rankings are compared by stochastic dominance of their `distribution`, which is a partial order. There is
    then no single score, and `score` raises an error."""
    precision: float = 1e-14
    """Relative tolerance for ties of metrics that have only float scores. It covers rounding in a few sums."""
    blanks: Literal["any", "length", "nothing"] = "any"
    """Effect on the score of documents with grade 0 that are below the last relevant document or not in the ranking. It
    is ``"nothing"``, ``"length"`` (only through the length of the ranking) or ``"any"``. Unless it is ``"any"``,
    `axiomcheck score` scores many rankings at once. A value that an external class inherits is ignored."""
    reference: str | None = None
    """Name of a metric that this metric should agree with. `axiomcheck check` tests whether it does."""
    rounding: float = 0.0
    """Half a unit of the last digit if a library rounds its scores. Ties of rounded scores are not evidence."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls) and not cls.__module__.startswith("axiomcheck."):
            cls.name = cls.__name__

    def __init__(self, cutoff: int | Literal["default"] | None = "default", **parameters: Any) -> None:
        self.cutoff: int | None = self.default_cutoff if cutoff == "default" else cutoff
        if self.cutoff is not None:
            self._check_cutoff(self.cutoff)
        self.values: dict[str, Any] = self._parsed(parameters)
        self.validate()

    def _parsed(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the validated value of each declared parameter. Omitted parameters have their default values.

        Raises:
            InvalidInput: A parameter is unknown, or a value is out of range.

        """
        known = {p.name: p for p in self.declared}
        given = self._by_names(parameters)
        for key in given:
            if key not in known:
                if not known:
                    raise InvalidInput(f"{self.name} has no parameter {key!r}; it takes none")
                raise UnknownName(f"parameter of {self.name}", key, known)
        values: dict[str, Any] = {}
        for parameter in self.declared:
            try:
                values[parameter.name] = parameter.parse(given.get(parameter.name, parameter.default))
            except InvalidInput as error:
                raise InvalidInput(f"{self.name}: {error}") from None
        return values

    def validate(self) -> None:  # noqa: B027 - most metrics need no check
        """Check conditions on several parameters or the cutoff, and raise InvalidInput if one is not met."""

    def _check_cutoff(self, cutoff: object) -> None:
        if not isinstance(cutoff, int) or isinstance(cutoff, bool) or not 1 <= cutoff < MOST_RANKS:
            raise InvalidInput(f"{self.name}: cutoff {cutoff!r} is out of range; expected an integer k >= 1")

    def __call__(self, *values: Any, **parameters: Any) -> Metric:
        """Return a copy of the metric with new values for some parameters, as in ``RBU(p=0.9)``, and the same cutoff.

        Raises:
            InvalidInput: A parameter is unknown or passed as a positional argument, or a value is out of range.

        """
        if values:
            names = [parameter.name for parameter in self.declared]
            known = ", ".join(names) or "none"
            raise InvalidInput(f"{self.name}: pass parameters by name, not by position; its parameters: {known}")
        return self.remade(self.cutoff, self.values | self._by_names(parameters))

    def _by_names(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Remove the trailing underscore from keys such as ``lambda_``, since ``lambda`` is a keyword in Python."""
        known = {p.name for p in self.declared}
        return {key if key in known else key.removesuffix("_"): value for key, value in given.items()}

    def __matmul__(self, cutoff: SupportsIndex | float) -> Metric:
        """Return a copy of the metric with a different cutoff, as in ``nDCG @ 20``; ``@ math.inf`` removes the cutoff.

        Raises:
            InvalidInput: The cutoff is not an integer >= 1, or the metric needs a cutoff.

        """
        if isinstance(cutoff, float) and cutoff == inf:
            return self.remade(None, self.values)
        whole: Any = cutoff
        if not isinstance(cutoff, bool | float):
            with suppress(TypeError):  # numpy's integers are not instances of int
                whole = index(cutoff)
        self._check_cutoff(whole)
        return self.remade(whole, self.values)

    def remade(self, cutoff: int | None, values: dict[str, Any]) -> Metric:
        """Return a new metric of the same class with the given cutoff and parameters, and a label that shows them.

        Raises:
            InvalidInput: A parameter is unknown, a value is out of range, or the class has its own constructor.

        """
        if type(self).__init__ is not Metric.__init__:
            what = "the metric" if self.name == self.label else type(self).__name__
            raise InvalidInput(f"{self}: set the cutoff and parameters where {what} is created, not with @ or a call")
        made = type(self)(cutoff, **values)
        if self.label is not None:
            made.label = bare(self.label) + made.canonical.removeprefix(made.name)
        return made

    @property
    def canonical(self) -> str:
        """Name that `axiomcheck.metrics.parse` converts to an equal metric; the label of an external metric."""
        return self.spelt([p.name for p in self.declared if p.decisive])

    def spelt(self, always: Collection[str] = ()) -> str:
        """Return a name that parses to an equal metric and shows the parameters that differ from their defaults.

        Args:
            always: Parameters to show even if they have their default values.

        """
        if self.label is not None:
            return self.label
        text = self.name + self.parameters_text(always)
        if self.cutoff is not None:
            return f"{text}@{self.cutoff}"
        return f"{text}@inf" if self.default_cutoff is not None else text

    def parameters_text(self, always: Collection[str] = ()) -> str:
        """Return the parameters as written in the name, such as ``(p=0.8)``; empty if `spelt` would show none."""
        shown = [
            f"{p.name}={p.text(self.values[p.name])}"
            for p in self.declared
            if p.name in always or self.values[p.name] != p.parse(p.default)
        ]
        return f"({', '.join(shown)})" if shown else ""

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
        """Return True if the metric is defined for several aspects, so that the diversity axioms apply."""
        return not self.single_aspect

    def is_seed_form(self) -> bool:
        """Return True if the axiomatic paper analyses this form of the metric, whatever its parameters and cutoff."""
        return True

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the scores of a batch of rankings.

        Args:
            a: Arithmetic of the arrays.
            grades: (..., n, m) grades in [0, 1] of the documents in rank order.
            weights: (..., m) positive aspect weights that sum to 1.
            pool: (..., P, m) grades of every judged document of the topic, retrieved or not.

        Returns:
            Scores of shape (...). Empty rankings score 0.

        """
        if grades.shape[-2] == 0:
            return a.integers(np.zeros(np.broadcast_shapes(grades.shape[:-2], pool.shape[:-2]), dtype=np.int64))
        if self.cutoff is not None and grades.shape[-2] > self.cutoff:
            grades = grades[..., : self.cutoff, :]
        return self.kernel(a, grades, weights, pool)

    @abstractmethod
    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the scores of rankings that are already truncated at the cutoff. See `score` for the shapes."""

    def evaluate(self, pool: Reals, weights: Reals, order: Integers) -> Reals:
        """Return the scores of B rankings in floating point. Each ranking has its own topic.

        Args:
            pool: (B, P, m) float64 grades of every judged document.
            weights: (B, m) float64 weights; each row sums to 1.
            order: (B, n) row indices of the pool in rank order. Each ranking has distinct rows.

        Returns:
            (B,) scores.

        Raises:
            MetricError: `score` returned values that are not real numbers.

        """
        ranked = np.take_along_axis(pool, order[:, :, None], axis=1)
        return real_scores(self, self.score(Floats(), ranked, weights, pool))

    def distribution(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> tuple[Array, Array, Any]:
        """Return the distribution of each ranking's score. See `score` for the arguments.

        Returns:
            ``(values, masses, rest)``. ``values`` is the support (..., S), in any order, possibly with repeated values.
            ``masses`` has its probabilities (..., S). ``rest`` is the total probability of the values that are not
            listed, as an array (...) or a scalar.

        Raises:
            MetricError: The metric gives scores, not distributions, so `partial` is False.

        """
        raise MetricError(f"{self} gives scores, not distributions")

    def unlisted(self, grades: Array) -> Array:
        """Return an upper bound on the values that `distribution` does not list: grades (..., n, m) -> (...).

        Only metrics whose distribution leaves out values need this method. Their scores must not be negative.
        """
        raise MetricError(f"{self} does not bound the values that its distribution omits; override unlisted()")

    def numerical(self, small: bool) -> str:
        """Return the reason why the metric has scores only in floats; empty if it has exact or certified scores.

        Exact or certified scores are used to confirm the results that the search finds in floats.

        Args:
            small: True to answer for the limit regime, r << 1.

        """
        return ""

    @property
    def read_again(self) -> Callable[..., Array] | None:
        """User's function recompiled from its source to run on exact numbers; None if that is impossible."""
        return None

    def searched_in_floats(self, small: bool) -> bool:
        """Return True if the search uses only floats, so that candidates are confirmed with `read_again`.

        Args:
            small: True if r << 1 is assumed.

        """
        return False

    def tail(self) -> Tail | None:
        """Return the `Tail` that decides DeepTh and CloseTh for every large n, or None if none is known.

        Metrics with a cutoff do not need one.
        """
        return None

    def at(self, values: dict[str, Any]) -> Metric:
        """Return a copy with other parameter values, which are not validated and may be symbols or balls of a proof.

        Args:
            values: Values by declared name. Other parameters stay unchanged.

        """
        other = copy(self)
        other.values = self.values | values
        return other


class FoldMetric(Metric):
    """Base class for metrics that score each aspect with a `Fold` and add up the aspects.

    The score is scale * sum_t W_t total_t / normaliser_t - cost * sum_i D_i, where total_t is the fold's sum over the
    first min(n, k) ranks.
    """

    weighted: bool = True
    """True if W_t is the weight of the aspect; else W_t is 1."""
    normalised: bool = False
    """True if each aspect's total is divided by the `normaliser`."""
    pooling: Literal["no", "sum", "max"] = "no"
    """Rule that combines a document's grades into one grade before the fold: weighted sum, maximum, or no rule."""

    @property
    def blanks(self) -> Literal["any", "length", "nothing"]:  # type: ignore[override]
        """Effect of documents with grade 0: ``"length"`` if documents have a cost, else ``"nothing"``."""
        return "length" if self.cost() else "nothing"

    @abstractmethod
    def fold(self) -> Fold:
        """Return the fold that scores one aspect."""

    def normaliser(self, a: Arithmetic, pool: Array) -> Array:
        """Return the divisor of each aspect's total, with 0/0 = 0: pool (..., P, m) -> (..., m).

        The divisor is positive if a document in the pool has a positive grade on the aspect.
        """
        raise NotImplementedError

    def scale(self, aspects: int) -> Any:
        """Return the positive factor by which the sum over aspects is multiplied."""
        return 1

    def cost(self) -> Any:
        """Return the nonnegative cost of inspecting a document, before the discount."""
        return 0

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the weighted sum of the aspects' normalised totals minus the cost."""
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


class Mixture(Metric):
    """Base class for metrics whose score is a weighted sum of other metrics' scores, with positive weights."""

    blanks = "nothing"

    @abstractmethod
    def parts(self) -> tuple[tuple[Any, FoldMetric], ...]:
        """Return a (weight, metric) pair for each metric in the sum. All metrics have the cutoff of the sum."""

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the weighted sum of the parts' scores."""
        (share, first), *others = self.parts()
        total = first.kernel(a, grades, weights, pool) * a.number(share)
        for share, part in others:
            total = total + part.kernel(a, grades, weights, pool) * a.number(share)
        return total


class LiftedMetric(Metric):
    """Base class for the ad hoc metrics, which are defined for topics with one aspect.

    With ``aggregate=max``, a metric also scores topics with several aspects. A document's grade is then the maximum of
    its grades over aspects (section 6.2 of the axiomatic paper).
    """

    single_aspect = True
    aggregate: ClassVar[Parameter] = Choice(
        "aggregate",
        "none",
        "how the grades of several aspects are combined; max takes the largest grade",
        decisive=False,
        choices=("none", "max"),
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.aggregate not in cls.declared:
            cls.declared = (*cls.declared, cls.aggregate)

    def applies_to_aspects(self) -> bool:
        """Return True if ``aggregate=max`` is set."""
        return bool(self.values["aggregate"] == "max")

    def is_seed_form(self) -> bool:
        """Return True unless ``aggregate=max`` is set."""
        return not self.applies_to_aspects()

    def needs_one_aspect(self, grades: Array) -> None:
        """Check that grades (..., n, m) have one aspect, unless ``aggregate=max`` is set.

        Raises:
            MetricError: The number of aspects, m, is not 1.

        """
        if not self.applies_to_aspects() and grades.shape[-1] != 1:
            raise MetricError(
                f"{self} supports only one aspect, but was given {grades.shape[-1]}; "
                "use aggregate=max to combine aspects"
            )

    def only_aspect(self, grades: Array) -> Array:
        """Return the maximum grade of each document over aspects: (..., n, m) -> (..., n).

        Raises:
            MetricError: There are several aspects, and ``aggregate=max`` is not set.

        """
        self.needs_one_aspect(grades)
        return grades[..., 0] if grades.shape[-1] == 1 else largest(grades, -1)


class SingleAspectMetric(LiftedMetric, FoldMetric):
    """Base class for ad hoc metrics that are defined by a fold."""

    weighted = False  # the only aspect's weight is 1

    @property
    def pooling(self) -> Literal["no", "max"]:  # type: ignore[override]
        """``"max"`` if ``aggregate=max`` is set, else ``"no"``; see `FoldMetric.pooling`."""
        return "max" if self.applies_to_aspects() else "no"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the scores, after checking that there is one aspect unless ``aggregate=max`` is set."""
        self.needs_one_aspect(grades)
        return super().kernel(a, grades, weights, pool)


_AnyMetric = TypeVar("_AnyMetric", bound=type[Metric])

CATALOGUE: dict[str, type[Metric]] = {}
"""Metric classes of the catalogue, keyed by the name that users type before parameters and cutoff."""


def catalogued(cls: _AnyMetric) -> _AnyMetric:
    """Register a metric class in the catalogue under its name. Use it as a class decorator.

    Raises:
        ValueError: Another class has that name.

    """
    if cls.name in CATALOGUE:
        other = CATALOGUE[cls.name].__qualname__
        raise ValueError(f"{cls.__qualname__}: {cls.name!r} is already the name of {other}; choose another name")
    CATALOGUE[cls.name] = cls
    return cls
