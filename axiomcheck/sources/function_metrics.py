"""Metrics not in the catalogue: a function over arrays, a callable on (topic, ranking), a library's measure."""

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
from axiomcheck.sources.natural.reading import NoSource, Unreadable, read_again
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
    """Hold how a user's function runs in exact arithmetic.

    Args:
        no_rationals: why it does not run on exact numbers, or not as it runs on floats; empty where it does.
        no_series: why it does not run on series in eps; empty where it does.
        no_series_of_floats: why not on series over floats, cut off as the search has them.
        again: the function as its source reads over exact numbers; None where it runs as it is, or not at all.

    """

    no_rationals: str = ""
    no_series: str = ""
    no_series_of_floats: str = ""
    again: Callable[..., Array] | None = None


class _FunctionOwner(OwnMetric):
    """Be the base of metrics that are one function of the user's."""

    def __init__(self, function: Callable[..., Array], label: str, **declared: Any) -> None:
        super().__init__(label, **declared)
        self.function = function

    def oriented(self, scores: Array) -> Array:
        """Turn scores, of any arithmetic, so that the larger are the better."""
        return 0 - scores if self.lower else scores

    def numerical(self, small: bool) -> str:
        """Say why the function does not run in exact arithmetic (and, if ``small``, on series in eps); or nothing."""
        why = self._exactness.no_series if small else self._exactness.no_rationals
        return why or (_SINGLE if is_single(self) else "")  # which trying the above may have shown

    def _doubles(self, scores: Array) -> Array:
        """Convert scores in single precision to doubles, and remember that there were some."""
        if isinstance(scores, np.ndarray | np.generic) and scores.dtype == np.float32:
            self.dtypes.add("float32")
            return scores.astype(np.float64)
        return scores

    @property
    def read_again(self) -> Callable[..., Array] | None:
        """Return the function over exact numbers, see `Metric.read_again`."""
        return self._exactness.again

    def searched_in_floats(self, small: bool) -> bool:
        """Tell whether it scores one ranking a call, or takes no series over floats, see `Metric`."""
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
        # A second reading is for what does not run as it is.
        return as_it_is if read.no_series and not as_it_is.no_rationals else read

    def _exactness_read_again(self, why_not_as_it_is: str) -> Exactness:
        """Try the function as its source reads over exact numbers."""
        try:
            again = read_again(self.function)
        except NoSource as error:
            return _inexact(why_not_as_it_is or str(error))
        except Unreadable as error:
            return _inexact("; ".join(filter(None, (why_not_as_it_is, str(error)))))
        except Exception as error:  # whatever the file raises that is read again
            return _inexact(f"its file cannot be run on exact numbers: {place_of(error)}")

        def placed(why: str) -> str:
            """Name the line where the function begins, if no other is named."""
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
        """Return the metric as its source reads over exact numbers, also where it runs as it is; None without one."""
        if self.read_again is not None:
            return self
        try:
            return self._with(Exactness(again=read_again(self.function)))
        except Exception:  # there is no source, or it raises whatever the file raises that is read again
            return None

    def _with(self, exactness: Exactness) -> _FunctionOwner:
        """Copy the metric with its exactness taken for granted, to try it."""
        trial = copy(self)
        vars(trial)["_exactness"] = exactness
        return trial

    def _exactness_as_it_is(self) -> Exactness:
        """Try the function without a second reading."""
        raise NotImplementedError

    def _scored_again(self, score: Callable[[], Array]) -> Array:
        """Return scores by the second reading.

        Raises:
            MetricError: they are no scores.
            Exception: whatever the function raises.

        """
        try:
            return score()
        except MetricError as error:
            raise MetricError(f"{self} {error}") from None


def _inexact(why: str) -> Exactness:
    return Exactness(why, why, why)


_SINGLE = "its scores come in single precision (float32), whose rounding hides differences"


class CallableMetric(_FunctionOwner, NamedMetric):
    """A plain callable ``(topic, ranking) -> float``, called once per ranking.

    Args:
        function: takes a `FloatTopic` and a list of document names, best first.
        label, **declared: as `OwnMetric`.

    """

    most_examples = 2_000

    def _exactness_as_it_is(self) -> Exactness:
        return _inexact("it returns floats and cannot be run in exact arithmetic")

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Score as `Metric.score` does; the function itself sees to the cutoff."""
        return self.kernel(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Call the function on one ranking after the other; in floats the ranked documents are found in the pool."""
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
        """Calls the function.

        Raises:
            MetricError: it returned no real number, or one of half precision.

        """
        return float(self.oriented(real_score(self, self._doubles(self.function(topic, ranking)))))

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        """Call the function once per case."""
        return [self(topic, list(ranking)) for topic, ranking in cases]


class FunctionMetric(_FunctionOwner):
    """A function over arrays, ``(grades, weights) -> scores`` or ``(grades, weights, pool) -> scores``.

    Args:
        function: takes grades (B, n, m) in rank order, weights (B, m), and if it asks for it pool (B, P, m); returns
            scores (B,). Arrays are float64 in the search; where its operations allow, the same function is run on
            object arrays of exact rationals to confirm what was found, and on series in eps for r << 1.
        label, **declared: as `OwnMetric`.

    """

    def __init__(self, function: Callable[..., Array], label: str, **declared: Any) -> None:
        super().__init__(function, label, **declared)
        self.needs_pool = len(_parameters(function)) == 3

    def __call__(self, *arrays: Array) -> Array:  # type: ignore[override]  # the function's
        """Calls the function."""
        return self.function(*arrays)

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Score as `Metric.score` does; the function itself sees to the cutoff."""
        return self.kernel(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Call the function on arrays with one leading axis; it gets copies."""
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
            # What is compared with it may have been cut off, and is not zero above that.
            scores = scores.cut(grades.keep) if isinstance(scores, Series) else scores
        if isinstance(a, Rationals):
            try:
                return scores.map(rational_scores) if isinstance(scores, Series) else rational_scores(scores)
            except TypeError as error:
                raise MetricError(f"{self} {error}") from None
        return scores

    def _arrays(self, lead: tuple[int, ...], grades: Array, weights: Array, pool: Array) -> list[Array]:
        """Copy arrays to one leading axis, as the function takes them."""
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
    """Declares a function to be a metric, and what is true of it.

    Args:
        name: in reports; the function's name if not given.
        cutoff: it ignores everything below this rank; None if it looks at all.
        binary_only: it only sees whether a grade is positive.
        single_aspect: it knows one aspect, as ``grades[..., 0]``.
        weights: aspects may be weighted unequally; it is never asked about such topics otherwise.
        levels: it takes no grades but k/levels, a power of two; None if it takes any in [0, 1].
        dtype: ``"float32"`` where scores have the digits of single precision, whatever they come in.
        orientation: ``"lower"`` where smaller scores are better; they are negated wherever they are compared.
        reference: the name of a metric that it should agree with, such as ``"nDCG@10"``.
        low: no score is below it; None if there is no bound.
        high: no score is above it; None if there is no bound.
        ideal: the ideal ranking of every topic with something relevant scores ``high`` (``low``, if that is better).
        monotone: appending a document with a positive grade never makes the score worse.

    Returns:
        A decorator of ``(grades, weights)``, ``(grades, weights, pool)`` (arrays, see `FunctionMetric`) or
        ``(topic, ranking)`` (one ranking a call, see `CallableMetric`).

    Raises:
        InvalidInput: the decorated object has none of these signatures, or a declaration is out of range.

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
    _ = said.abilities, said.claims  # which raise where they are out of range

    def decorate(function: Callable[..., Array]) -> FunctionMetric | CallableMetric:
        made = _wrapped(function, str(name or getattr(function, "__name__", type(function).__name__)))
        made.declare(said)
        return made

    return decorate


def as_it_is_now(metric: Metric) -> Metric:
    """Forget what was found out of a metric's function: the names that it uses may have other values by now."""
    if not isinstance(metric, _FunctionOwner):
        return metric
    fresh = copy(metric)
    vars(fresh).pop("_exactness", None)
    return fresh


def as_metric(found: object, label: str) -> Metric:
    """Turn what a user named into a metric called so.

    Args:
        found: a metric, a metric class, or a function with one of the signatures of `metric`. A metric stays as it is,
            name included: what is returned is a copy.
        label: the name in reports.

    Raises:
        InvalidInput: it is none of these, or a class that cannot be made without arguments.

    """
    if isinstance(found, type) and issubclass(found, Metric):
        kind = found
        try:
            found = kind()
        except TypeError as error:
            raise InvalidInput(f"{label}: {kind.__name__} cannot be made without arguments: {error}") from None
    if isinstance(found, Metric):
        named = copy(found)
        if named is found:  # a class may say that its objects need no copies; this one is about to change
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
"""By name, what a function that is a metric has to be given."""

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
