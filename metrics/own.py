"""Metrics that are not in the catalogue: a function over arrays, a callable on (topic, ranking), a library's measure."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from flint import fmpq

from axiomcheck.arithmetic import Arithmetic, Floats
from axiomcheck.errors import InvalidInput, MetricError
from axiomcheck.metrics.base import Abilities, Claims, Metric
from axiomcheck.series import Series

__all__ = ["CallableMetric", "FloatTopic", "FunctionMetric", "NamedMetric", "OwnMetric", "as_metric", "metric"]

Array = Any


@dataclass(frozen=True)
class FloatTopic:
    """A topic as a black box sees it: `axiomcheck.Topic` in floats.

    Args:
        weights: one per aspect, above 0, summing to 1.
        pool: document name -> one grade in [0, 1] per aspect.

    """

    weights: tuple[float, ...]
    pool: Mapping[str, tuple[float, ...]]


class OwnMetric(Metric):
    """Base of the metrics that are not in the catalogue.

    Args:
        label: the name in reports: what the user typed to name it, or the function's name.
        cutoff: the metric ignores everything below this rank; None if it looks at all.
        binary_only: it only sees whether a grade is positive.
        single_aspect: it knows one aspect; the diversity constraints do not apply.
        abilities, claims: see those.

    """

    summary = "brought by the user"
    source = ""

    def __init__(
        self,
        label: str,
        *,
        cutoff: int | None = None,
        binary_only: bool = False,
        single_aspect: bool = False,
        abilities: Abilities = Abilities(),  # noqa: B008 - immutable
        claims: Claims = Claims(),  # noqa: B008 - immutable
    ) -> None:
        super().__init__(cutoff)
        self.name = self.label = label
        self.binary_only = binary_only
        self.single_aspect = single_aspect
        self.abilities = abilities
        self.claims = claims

    @property
    def canonical(self) -> str:
        """The label."""
        return self.label


class NamedMetric(OwnMetric):
    """Base of the metrics that score named documents: plain callables and libraries. Floats are all there is of them."""

    def numerical(self, small: bool) -> str:
        """Always: nothing but floats comes out of it."""
        return "it returns floats and cannot be run in exact arithmetic"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Not there: it scores documents by name."""
        raise MetricError(f"{self} scores named documents, not arrays of grades")

    @abstractmethod
    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> Sequence[float]:
        """One score per (topic, ranking); documents below the cutoff included in the rankings."""

    def evaluate(self, pool: Array, weights: Array, order: Array) -> Array:
        """As `Metric.evaluate`; documents are called d1, d2, ... in the pool's order."""
        names = [f"d{k}" for k in range(1, pool.shape[1] + 1)]
        grades, shares, rows = pool.tolist(), weights.tolist(), order.tolist()
        cases = [
            (FloatTopic(tuple(w), dict(zip(names, map(tuple, g), strict=True))), [names[k] for k in row])
            for g, w, row in zip(grades, shares, rows, strict=True)
        ]
        return np.asarray(self.score_rankings(cases), dtype=np.float64)


class CallableMetric(NamedMetric):
    """A plain callable ``(topic, ranking) -> float``, called once per ranking.

    Args:
        function: takes a `FloatTopic` and a list of document names, best first.
        label, **declared: as `OwnMetric`.

    """

    most_examples = 2_000

    def __init__(self, function: Callable[..., Any], label: str, **declared: Any) -> None:
        super().__init__(label, **declared)
        self.function = function

    def __call__(self, topic: FloatTopic, ranking: Sequence[str]) -> float:
        """Calls the function."""
        return float(self.function(topic, ranking))

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        """One call per case."""
        return [self(topic, list(ranking)) for topic, ranking in cases]


class FunctionMetric(OwnMetric):
    """A function over arrays, ``(grades, weights) -> scores`` or ``(grades, weights, pool) -> scores``.

    Args:
        function: takes grades (B, n, m) in rank order, weights (B, m), and if it asks for it pool (B, P, m); returns
            scores (B,). Arrays are float64 in the search; where its operations allow, the same function is run on
            object arrays of exact rationals to confirm what was found, and on series in eps for r << 1.
        label, **declared: as `OwnMetric`.

    """

    def __init__(self, function: Callable[..., Any], label: str, **declared: Any) -> None:
        super().__init__(label, **declared)
        self.function = function
        self.needs_pool = len(_parameters(function)) == 3

    def __call__(self, *arrays: Array) -> Array:
        """Calls the function."""
        return self.function(*arrays)

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """As `Metric.score`, but the function itself sees to the cutoff."""
        return self.kernel(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The function on arrays with one leading axis; it gets copies."""
        lead = tuple(grades.shape[:-2])
        if len(lead) == 1 and not isinstance(grades, Series):
            arrays = [np.array(x) for x in ((grades, weights, pool) if self.needs_pool else (grades, weights))]
            return self.function(*arrays)
        size = int(np.prod(lead))

        def flat(x: Array, inner: int) -> Array:
            if isinstance(x, Series):
                return x.map(lambda c: flat(c, inner))
            tail = x.shape[x.ndim - inner :]
            return np.array(np.broadcast_to(x, (*lead, *tail))).reshape(size, *tail)

        arrays = [flat(grades, 2), flat(weights, 1)]
        if self.needs_pool:
            arrays.append(flat(pool, 2))
        scores = self.function(*arrays)
        if isinstance(scores, Series):
            return scores.map(lambda c: np.broadcast_to(c, (size,)).reshape(lead))
        return np.asarray(scores).reshape(lead) if np.shape(scores) == (size,) else scores

    def numerical(self, small: bool) -> str:
        """Empty where the function runs in exact arithmetic (and, if ``small``, on series in eps)."""
        return self._without_series if small else self._without_rationals

    @cached_property
    def _without_rationals(self) -> str:
        return self._try_out(lambda grades: grades)

    @cached_property
    def _without_series(self) -> str:
        return self._without_rationals or self._try_out(lambda grades: Series({1: grades}))

    def _try_out(self, wrap: Callable[[Array], Array]) -> str:
        """Why the function cannot be run on exact numbers; empty if it can and they agree with its floats."""
        from axiomcheck.arithmetic import Rationals

        rng = np.random.default_rng(1)
        kind = "series in eps" if isinstance(wrap(np.ones(1)), Series) else "exact rationals"
        for n, m in ((1, 1), (3, 1), (4, 1 if self.single_aspect else 2)):
            levels = rng.integers(0, 5, (1, n + 1, m))
            if self.binary_only:
                levels = (levels > 2) * 4
            exact = np.vectorize(lambda k: fmpq(int(k), 4), otypes=[object])(levels)
            weights = np.full((1, m), fmpq(1, m), dtype=object)
            try:
                score = self.score(Rationals(), wrap(exact[:, :n]), weights, wrap(exact))
            except Exception as error:
                return f"its function cannot be run on {kind} ({type(error).__name__}: {error})"
            terms = score.terms if isinstance(score, Series) else {0: score}
            for order, eps in ((k, 2.0**-9) for k in (0, 1)) if isinstance(score, Series) else ((0, 1.0),):
                del order
                scale = eps if isinstance(score, Series) else 1.0
                total = 0.0
                for power, value in terms.items():
                    one = np.broadcast_to(np.asarray(value, dtype=object), (1,))[0]
                    if isinstance(one, float | np.floating) or not hasattr(one, "p"):
                        if not isinstance(one, int):
                            return f"its function returns {type(one).__name__} for {kind}"
                        one = fmpq(one)
                    total += int(one.p) / int(one.q) * scale**power
                floats = self.score(Floats(), levels[:, :n] / 4 * scale, np.full((1, m), 1 / m), levels / 4 * scale)
                if abs(total - float(np.asarray(floats).reshape(-1)[0])) > 1e-9:
                    return f"its function gives other scores for {kind} than for floats"
        return ""


class _Decorator(Protocol):
    def __call__(self, function: Callable[..., Any]) -> FunctionMetric | CallableMetric: ...


def metric(
    *,
    name: str | None = None,
    cutoff: int | None = None,
    binary_only: bool = False,
    single_aspect: bool = False,
    low: float | None = 0.0,
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
        low, high, ideal, monotone: see `Claims`.

    Returns:
        A decorator of ``(grades, weights)``, ``(grades, weights, pool)`` (arrays, see `FunctionMetric`) or
        ``(topic, ranking)`` (one ranking a call, see `CallableMetric`).

    Raises:
        InvalidInput: the decorated object has none of these signatures, or a declaration is out of range.

    """
    claims = Claims(low, high, ideal, monotone)
    if low is not None and high is not None and not low < high:
        raise InvalidInput(f"low={low!r}, high={high!r}: expected low < high")
    if ideal and high is None:
        raise InvalidInput("ideal=True: needs high, the score of an ideal ranking")

    def decorate(function: Callable[..., Any]) -> FunctionMetric | CallableMetric:
        label = name or getattr(function, "__name__", type(function).__name__)
        return _wrapped(
            function, label, cutoff=cutoff, binary_only=binary_only, single_aspect=single_aspect, claims=claims
        )

    return decorate


def as_metric(found: Any, label: str) -> Metric:
    """What a user named, as a metric.

    Args:
        found: a metric, a metric class, or a function with one of the signatures of `metric`.
        label: the name in reports.

    Raises:
        InvalidInput: it is none of these.

    """
    if isinstance(found, type) and issubclass(found, Metric):
        found = found()
    if isinstance(found, OwnMetric):
        found.name = found.label = label
        return found
    if isinstance(found, Metric):
        return found
    if callable(found):
        return _wrapped(found, label)
    raise InvalidInput(f"{label} is {type(found).__name__}, not a metric; {_SIGNATURES}")


_SIGNATURES = "expected a function (grades, weights), (grades, weights, pool) or (topic, ranking), or a Metric"


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    needed = [p for p in signature.parameters.values() if p.default is p.empty]
    return [p.name for p in needed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _wrapped(function: Callable[..., Any], label: str, **declared: Any) -> FunctionMetric | CallableMetric:
    names = _parameters(function)
    if names in (["grades", "weights"], ["grades", "weights", "pool"]):
        return FunctionMetric(function, label, **declared)
    if names == ["topic", "ranking"]:
        return CallableMetric(function, label, **declared)
    shown = f"({', '.join(names)})"
    raise InvalidInput(f"{label} takes {shown}; {_SIGNATURES}")
