"""Turn functions into metrics: functions over arrays, and callables on (topic, ranking)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, get_args

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.scores import is_masked, real_score, real_scores
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals
from axiomcheck.numbers.series import Series, Truncated
from axiomcheck.sources.abilities import exactly, rational_scores, why_not_rationals, why_not_series
from axiomcheck.sources.code_inspection import why_other_way
from axiomcheck.sources.external_metrics import (
    Declared,
    Dtype,
    FloatTopic,
    NamedMetric,
    Orientation,
    OwnMetric,
    is_single,
)
from axiomcheck.sources.natural.reading import Unreadable, read_again
from axiomcheck.sources.natural.running import line_of, place_of, places_of, score_arrays, score_rankings

__all__ = [
    "CallableMetric",
    "FloatTopic",
    "FunctionMetric",
    "NamedMetric",
    "OwnMetric",
    "as_metric",
    "exactly",
    "metric",
]


@dataclass(frozen=True)
class Exactness:
    """Results of testing a user's function in exact arithmetic.

    Args:
        no_rationals: Reason why the function does not run on exact numbers, or gives other scores than in floats; empty
            if it runs correctly.
        no_series: Reason why the function does not run on series in eps; empty if it does.
        no_series_of_floats: Reason why the function does not run on float series that are truncated as in the search;
            empty if it does.
        again: The function, recompiled over exact numbers; None if it runs unchanged, or not at all.

    """

    no_rationals: str = ""
    no_series: str = ""
    no_series_of_floats: str = ""
    again: Callable[..., Array] | None = None


class _FunctionOwner(OwnMetric):
    """Base of metrics that wrap a single user function."""

    def __init__(self, function: Callable[..., Array], label: str, **declared: Any) -> None:
        super().__init__(label, **declared)
        self.function = function

    def oriented(self, scores: Array) -> Array:
        """Negate the scores if smaller scores are better. Scores may be in any arithmetic."""
        return 0 - scores if self.lower else scores

    def numerical(self, small: bool) -> str:
        """Return the reason why the function does not run in exact arithmetic, or an empty text if it does.

        If ``small``, the reason is about series in eps.
        """
        why = self._exactness.no_series if small else self._exactness.no_rationals
        return why or (_SINGLE if is_single(self) else "")  # checked last, because the trials above may detect float32

    def _doubles(self, scores: Array) -> Array:
        """Convert scores in single precision to doubles, and record that single precision occurred."""
        if isinstance(scores, np.ndarray | np.generic) and scores.dtype == np.float32:
            self.dtypes.add("float32")
            return scores.astype(np.float64)
        return scores

    @property
    def read_again(self) -> Callable[..., Array] | None:
        """Function recompiled over exact numbers. See `Metric.read_again`."""
        return self._exactness.again

    def searched_in_floats(self, small: bool) -> bool:
        """Return True if the metric scores one ranking per call or rejects series over floats. See `Metric`."""
        exactness = self._exactness
        return exactness.again is not None and (
            isinstance(self, NamedMetric) or (small and bool(exactness.no_series_of_floats))
        )

    @cached_property
    def _exactness(self) -> Exactness:
        as_it_is = self._exactness_as_it_is()
        if not as_it_is.no_series:
            return as_it_is
        read = self._exactness_read_again(as_it_is.no_rationals)
        # Recompilation is a fallback for functions that do not run unchanged.
        return as_it_is if read.no_series and not as_it_is.no_rationals else read

    def _exactness_read_again(self, why_not_as_it_is: str) -> Exactness:
        """Test the function after recompiling its source over exact numbers."""
        try:
            again = read_again(self.function)
        except Unreadable as error:
            return _inexact("; ".join(filter(None, (why_not_as_it_is, str(error)))))
        except Exception as error:  # any exception of the recompiled file
            return _inexact(f"its file cannot be run on exact numbers: {place_of(error)}")

        def placed(why: str) -> str:
            """Prepend the line where the function begins to a reason that names no line."""
            return f"{line_of(again)}: {why}" if why and " line " not in why else why

        trial = self._with(Exactness(again=again))
        if why := placed(why_not_rationals(trial)):
            return _inexact(why)
        if why := why_other_way(trial):
            return Exactness(why, why, why, again)
        in_floats = why_not_series(trial) if isinstance(self, FunctionMetric) else "it is called once per ranking"
        exact = placed(why_not_series(trial, in_floats=False)) if in_floats else ""
        return Exactness("", exact, in_floats, again)

    @property
    def from_source(self) -> _FunctionOwner | None:
        """Metric with its function recompiled over exact numbers, even if the function runs unchanged.

        It is None if the function's source is unavailable.
        """
        if self.read_again is not None:
            return self
        try:
            return self._with(Exactness(again=read_again(self.function)))
        except Exception:  # there is no source, or the recompiled file raises
            return None

    def _with(self, exactness: Exactness) -> _FunctionOwner:
        """Copy the metric with a given exactness, in order to test it."""
        trial = copy(self)
        vars(trial)["_exactness"] = exactness
        return trial

    def _exactness_as_it_is(self) -> Exactness:
        """Test the function without recompiling it."""
        raise NotImplementedError

    def _scored_again(self, score: Callable[[], Array]) -> Array:
        """Return the scores of the recompiled function.

        Raises:
            MetricError: The function returned invalid scores.
            Exception: Any exception that the function raises.

        """
        try:
            return score()
        except MetricError as error:
            raise MetricError(f"{self} {error}") from None


def _inexact(why: str) -> Exactness:
    return Exactness(why, why, why)


_SINGLE = "its scores come in single precision (float32), whose rounding hides differences"


class CallableMetric(_FunctionOwner, NamedMetric):
    """Metric that calls a function ``(topic, ranking) -> float`` once per ranking.

    Args:
        function: Function of a `FloatTopic` and a list of document names, best first.
        label, **declared: See `OwnMetric`.

    """

    most_examples = 2_000

    def _exactness_as_it_is(self) -> Exactness:
        return _inexact("it returns floats and cannot be run in exact arithmetic")

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Score rankings as `Metric.score` does. The function itself applies the cutoff."""
        return self.kernel(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Call the function once per ranking. In floats, ranked documents are looked up in the pool by grade."""
        if type(grades) is not Series and grades.dtype != object:
            return self._in_floats(grades, weights, pool)
        again = self.read_again
        if again is None:
            return super().kernel(a, grades, weights, pool)
        found = self._scored_again(lambda: score_rankings(again, FloatTopic, a, grades, weights, pool))
        return self.oriented(found)

    def _in_floats(self, grades: Array, weights: Array, pool: Array) -> Array:
        lead = np.broadcast_shapes(grades.shape[:-2], weights.shape[:-1], pool.shape[:-2])
        size = int(np.prod(lead))
        ranked, everything = (
            np.array(np.broadcast_to(x, (*lead, *x.shape[-2:]))).reshape(size, *x.shape[-2:]) for x in (grades, pool)
        )
        shares = np.array(np.broadcast_to(weights, (*lead, weights.shape[-1]))).reshape(size, weights.shape[-1])
        order = np.array([places_of(*row) for row in zip(ranked, everything, strict=True)], dtype=np.intp)
        return self.evaluate(everything, shares, order.reshape(size, ranked.shape[1])).reshape(lead)

    def __call__(self, topic: FloatTopic, ranking: Sequence[str]) -> float:  # type: ignore[override]  # the function's
        """Call the function.

        Raises:
            MetricError: The function returned something other than a real number, or a number in half precision.

        """
        return float(self.oriented(real_score(self, self._doubles(self.function(topic, ranking)))))

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        """Call the function once per case."""
        return [self(topic, list(ranking)) for topic, ranking in cases]


class FunctionMetric(_FunctionOwner):
    """Metric that calls a function over arrays, with the arguments (grades, weights) or (grades, weights, pool).

    Args:
        function: Function of grades (B, n, m) in rank order, weights (B, m) and optionally pool (B, P, m) that returns
            scores (B,). In the search, arrays are float64. If its operations allow, the same function runs on object
            arrays of exact rationals to confirm violations, and on series in eps for r << 1.
        label, **declared: See `OwnMetric`.

    """

    def __init__(self, function: Callable[..., Array], label: str, **declared: Any) -> None:
        super().__init__(function, label, **declared)
        self.needs_pool = len(_parameters(function)) == 3

    def __call__(self, *arrays: Array) -> Array:  # type: ignore[override]  # the function's
        """Call the function."""
        return self.function(*arrays)

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Score rankings as `Metric.score` does. The function itself applies the cutoff."""
        return self.kernel(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Call the function on copies of the arrays with a single leading axis."""
        return self.oriented(self._returned(a, grades, weights, pool))

    def _returned(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        lead = tuple(grades.shape[:-2])
        exact = grades.is_exact if isinstance(grades, Series) else grades.dtype == object
        again = self.read_again if exact else None
        if again is not None:
            arrays = self._arrays(lead, grades, weights, pool)
            return self._scored_again(lambda: score_arrays(again, a, arrays, lead))
        try:
            scores = self._run(lead, grades, weights, pool)
        except Truncated:
            whole = [Series(x.terms) if isinstance(x, Series) else x for x in (grades, weights, pool)]
            scores = self._run(lead, *whole)
            # Truncate again, because the score it is compared with may be truncated and nonzero beyond that order.
            scores = scores.cut(grades.keep) if isinstance(scores, Series) else scores
        if isinstance(a, Rationals):
            try:
                return scores.map(rational_scores) if isinstance(scores, Series) else rational_scores(scores)
            except TypeError as error:
                raise MetricError(f"{self} {error}") from None
        return scores

    def _arrays(self, lead: tuple[int, ...], grades: Array, weights: Array, pool: Array) -> list[Array]:
        """Copy arrays to a single leading axis, as the function expects them."""
        size = int(np.prod(lead))

        def flat(x: Array, inner: int) -> Array:
            if isinstance(x, Series):
                return x.map(lambda c: flat(c, inner))
            tail = x.shape[x.ndim - inner :]
            return np.array(np.broadcast_to(x, (*lead, *tail))).reshape(size, *tail)

        arrays = [flat(grades, 2), flat(weights, 1)]
        if self.needs_pool:
            arrays.append(flat(pool, 2))
        return arrays

    def _run(self, lead: tuple[int, ...], grades: Array, weights: Array, pool: Array) -> Array:
        size = int(np.prod(lead))
        scores = self.function(*self._arrays(lead, grades, weights, pool))
        if np.shape(scores) != (size,):
            raise MetricError(f"{self} returned shape {np.shape(scores)}; expected {(size,)}")
        if is_masked(scores) or not (isinstance(grades, Series) or grades.dtype == object):
            return real_scores(self, self._doubles(scores)).reshape(lead)
        if not isinstance(scores, Series):
            return np.asarray(scores).reshape(lead)
        if scores.dropped and scores.keep != grades.keep:
            raise Truncated("a quotient lost an order that is compared")
        return scores.map(lambda c: c.reshape(lead))

    def _exactness_as_it_is(self) -> Exactness:
        trial = self._with(Exactness())
        if why := why_not_rationals(trial) or why_other_way(trial):
            return _inexact(why)
        return Exactness(no_series=why_not_series(trial))


class _Decorator(Protocol):
    def __call__(self, function: Callable[..., Array]) -> FunctionMetric | CallableMetric: ...


def metric(
    *,
    name: str | None = None,
    cutoff: int | None = None,
    binary_only: bool = False,
    single_aspect: bool = False,
    weights: bool = True,
    levels: int | None = None,
    dtype: Dtype = "float64",
    orientation: Orientation = "higher",
    reference: str | None = None,
    low: float | None = None,
    high: float | None = None,
    ideal: bool = False,
    monotone: bool = False,
) -> _Decorator:
    """Declare a function as a metric, with properties of its scores.

    Args:
        name: Name in reports. The default is the function's name.
        cutoff: Rank below which the function ignores all documents; None if it has no cutoff.
        binary_only: True if only the sign of a grade matters.
        single_aspect: True if the function supports one aspect only, as ``grades[..., 0]``.
        weights: True if aspects may have unequal weights. Otherwise the function is never called with such topics.
        levels: Power of two, if the function accepts only grades k/levels; None if it accepts all grades in [0, 1].
        dtype: ``"float32"`` if the scores have single precision, whatever their dtype.
        orientation: ``"lower"`` if smaller scores are better. The scores are then negated wherever they are compared.
        reference: Name of a metric that the function should agree with, such as ``"nDCG@10"``.
        low: Lower bound of the scores; None if there is no bound.
        high: Upper bound of the scores; None if there is no bound.
        ideal: True if the ideal ranking of every topic with a relevant document scores ``high`` (``low``, if that is
            better).
        monotone: True if appending a document with a positive grade never makes the score worse.

    Returns:
        A decorator of functions. A function ``(grades, weights)`` or ``(grades, weights, pool)`` over arrays becomes a
        `FunctionMetric`. A function ``(topic, ranking)`` is called once per ranking and becomes a `CallableMetric`.

    Raises:
        InvalidInput: The decorated object has none of these signatures, or a declaration is out of range.

    """
    for name_, value, known in (("dtype", dtype, get_args(Dtype)), ("orientation", orientation, get_args(Orientation))):
        if value not in known:
            raise InvalidInput(f"{name_}={value!r}: expected {' or '.join(map(repr, known))}")
    said = Declared(
        cutoff=cutoff,
        binary_only=binary_only,
        single_aspect=single_aspect,
        weights=weights,
        dtype=dtype,
        orientation=orientation,
        reference=reference,
        levels=levels,
        low=low,
        high=high,
        ideal=ideal,
        monotone=monotone,
    )
    _ = said.abilities, said.claims  # these properties raise if a declaration is out of range

    def decorate(function: Callable[..., Array]) -> FunctionMetric | CallableMetric:
        made = _wrapped(function, str(name or getattr(function, "__name__", type(function).__name__)))
        made.declare(said)
        return made

    return decorate


def as_it_is_now(metric: Metric) -> Metric:
    """Return a copy of a metric without cached results about its function, because global names may have changed."""
    if not isinstance(metric, _FunctionOwner):
        return metric
    fresh = copy(metric)
    vars(fresh).pop("_exactness", None)
    return fresh


def as_metric(found: object, label: str) -> Metric:
    """Convert an object that a user named to a metric with the given label.

    Args:
        found: Metric, metric class, or function with one of the signatures of `metric`. A metric is copied, so that the
            original keeps its name.
        label: Name in reports.

    Raises:
        InvalidInput: The object is none of these, or is a class that cannot be created without arguments.

    """
    if isinstance(found, type) and issubclass(found, Metric):
        kind = found
        try:
            found = kind()
        except TypeError as error:
            raise InvalidInput(f"{label}: {kind.__name__} cannot be made without arguments: {error}") from None
    if isinstance(found, Metric):
        named = copy(found)
        if named is found:  # a class may define copy to return the object itself, which must not be changed here
            named = object.__new__(type(found))
            vars(named).update(vars(found))
        named.label = label
        if isinstance(named, OwnMetric):
            named.name = label
        return named
    if callable(found):
        return _wrapped(found, label)
    raise InvalidInput(f"{label} is {type(found).__name__}, not a metric; {_EXPECTED}")


SIGNATURES = (("grades", "weights"), ("grades", "weights", "pool"), ("topic", "ranking"))
"""Names of the required parameters of functions that are accepted as metrics."""

_EXPECTED = "expected a function (grades, weights), (grades, weights, pool) or (topic, ranking), or a Metric"


def _parameters(function: Callable[..., object]) -> list[str]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    needed = [p for p in signature.parameters.values() if p.default is p.empty]
    return [p.name for p in needed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _wrapped(function: Callable[..., Array], label: str) -> FunctionMetric | CallableMetric:
    names = tuple(_parameters(function))
    if names not in SIGNATURES:
        raise InvalidInput(f"{label} takes ({', '.join(names)}); {_EXPECTED}")
    return CallableMetric(function, label) if names[0] == "topic" else FunctionMetric(function, label)
