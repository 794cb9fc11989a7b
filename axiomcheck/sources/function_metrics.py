"""Turn functions into metrics: functions that take arrays, and callables that take (topic, ranking)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any, Protocol

import numpy as np
from flint import fmpq

from axiomcheck.core.documents import read
from axiomcheck.core.errors import InvalidInput, MetricError, check_flags
from axiomcheck.core.printable import shown
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.scores import is_masked, real_score, real_scores
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals, float_of
from axiomcheck.numbers.natural import Number
from axiomcheck.numbers.series import Series, Truncated
from axiomcheck.sources.abilities import rational_scores, why_not_rationals, why_not_series
from axiomcheck.sources.code_inspection import check_same_branches
from axiomcheck.sources.exactness import Exactness, FunctionOwner, inexact
from axiomcheck.sources.external_metrics import (
    TOPICS,
    Declared,
    Dtype,
    FloatTopic,
    NamedMetric,
    Orientation,
    OwnMetric,
)
from axiomcheck.sources.keyword_parameters import arguments_of, has_decimal
from axiomcheck.sources.natural.running import (
    line_of,
    note_mistake,
    places_of,
    score_arrays,
    score_rankings,
)


class CallableMetric(FunctionOwner, NamedMetric):
    """Metric that calls a function ``(topic, ranking) -> float`` once per ranking.

    Args:
        function: Function of a `FloatTopic` and a list of document names, best first.
        label, **declared: See `OwnMetric`.

    """

    most_examples = 2_000

    def _exactness_unchanged(self) -> Exactness:
        return inexact("it returns floats and cannot be run in exact arithmetic")

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

    def __call__(self, *case: Any, **parameters: Any) -> Any:
        """Call the function, or return the metric with other parameter values, as in ``my_metric(p=0.5)``.

        Raises:
            InvalidInput: A parameter is unknown, or a value does not have the type of the default.
            MetricError: The function returned something other than a real number, or a number in half precision.

        """
        if not case:
            return super().__call__(**parameters)
        try:
            found = self.function(*case, **parameters)
        except Exception as error:
            note_mistake(error)
            raise
        return float(self.oriented(real_score(self, self._doubles(found))))

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        """Call the function once per case."""
        return [self(topic, list(ranking)) for topic, ranking in cases]


class FunctionMetric(FunctionOwner):
    """Metric that calls a function on arrays, with the arguments (grades, weights) or (grades, weights, pool).

    Args:
        function: Function of grades (B, n, m) in rank order, weights (B, m) and optionally pool (B, P, m) that returns
            scores (B,). In the search, arrays are float64. If possible, the same function also runs on object arrays of
            exact rationals to confirm violations, and on series in eps for grades r << 1.
        label, **declared: See `OwnMetric`.

    """

    def __init__(self, function: Callable[..., Array], label: str, **declared: Any) -> None:
        super().__init__(function, label, **declared)
        self.needs_pool = len(_required(function)) == 3

    def __call__(self, *arrays: Array, **parameters: Any) -> Any:
        """Call the function, or return the metric with other parameter values, as in ``my_metric(p=0.5)``."""
        return self.function(*arrays, **parameters) if arrays else super().__call__(**parameters)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Call the function on copies of the arrays in which all leading axes are merged into one."""
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
        """Return copies of the function's arguments in which all leading axes are merged into one."""
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
        try:
            scores = self.function(*self._arrays(lead, grades, weights, pool))
        except Exception as error:
            note_mistake(error)
            raise
        if np.shape(scores) != (size,):
            came = "None" if scores is None else f"shape {np.shape(scores)}"
            hint = (
                "is a return missing?"
                if scores is None
                else f"{ARRAYS}: select ranks with grades[:, :5], and sum with .sum(axis=(1, 2))"
            )
            expected = f"expected {(size,)}, one score per ranking"
            raise MetricError(f"{self} returned {came}; {expected} ({line_of(self.function)}); {hint}")
        if is_masked(scores) or not (isinstance(grades, Series) or grades.dtype == object):
            return real_scores(self, self._doubles(scores)).reshape(lead)
        if not isinstance(scores, Series):
            return np.asarray(scores).reshape(lead)
        if scores.dropped and scores.keep != grades.keep:
            raise Truncated("a comparison needs an order of eps that a quotient dropped")
        return scores.map(lambda c: c.reshape(lead))

    def _exactness_unchanged(self) -> Exactness:
        for name, value in self.given.items():
            if not has_decimal(value):
                return inexact(f"its {name}={value} is not a decimal number with as many digits as a float")
        trial = self.with_exactness(Exactness())
        if why := why_not_rationals(trial):
            return inexact(why)
        try:
            check_same_branches(trial)
        except InvalidInput as error:
            return inexact(str(error))
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
    definition: str | None = None,
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
        single_aspect: True if the function supports only one aspect, as in ``grades[..., 0]``.
        weights: True if aspects may have unequal weights. Otherwise the function is never called with such topics.
        levels: Power of two, if the function accepts only grades k/levels; None if it accepts all grades in [0, 1].
        dtype: ``"float32"`` if the scores are in single precision, even if their dtype is float64.
        orientation: ``"lower"`` if smaller scores are better. The scores are then negated wherever they are compared.
        reference: Name of a metric that the function should agree with, such as ``"nDCG@10"``.
        definition: Known definition that the scores follow, with any exceptions, as ``check`` reports them:
            ``"nDCG@10 except ideal-retrieved, one-without-relevant"``.
        low: Lower bound on the scores; None if there is no bound.
        high: Upper bound on the scores; None if there is no bound.
        ideal: True if the ideal ranking of every topic with a relevant document scores ``high``, or ``low``
            if smaller scores are better.
        monotone: True if appending a document with a positive grade never makes the score worse.

    Returns:
        A decorator. It turns a function ``(grades, weights)`` or ``(grades, weights, pool)`` on arrays into a
        `FunctionMetric`. A function ``(topic, ranking)``, called once per ranking, becomes a `CallableMetric`.

    Raises:
        InvalidInput: The decorated object has none of these signatures, or a declaration is out of range.

    """
    given = {key: value for key, value in locals().items() if key != "name"}
    plain = {key: _plain(value) for key, value in given.items()}
    said = read(Declared, plain, f"metric {name}" if name else "metric", python=True)
    _ = said.abilities, said.claims  # these properties raise if a declaration is out of range

    def decorate(function: Callable[..., Array]) -> FunctionMetric | CallableMetric:
        made = _wrapped(function, name or name_of(function))
        made.declare(said)
        return made

    return decorate


def _plain(value: object) -> object:
    """Convert a NumPy scalar, or an exact number in a file that is run on exact numbers, to a Python number."""
    if isinstance(value, Number) and isinstance(value.raw, fmpq):
        return float_of(value.raw)
    return value.item() if isinstance(value, np.generic) else value


def as_it_is_now(metric: Metric) -> Metric:
    """Copy a metric without cached test results, because globals that its function uses may have changed."""
    if not isinstance(metric, FunctionOwner):
        return metric
    return metric.with_exactness(None)


def as_metric(found: object, label: str | None = None) -> Metric:
    """Convert a user's object to a metric with the given label.

    Args:
        found: Metric, metric class, function with one of the signatures of `metric`, or class whose instances can be
            called like such a function. A metric is copied, so that the original keeps its name.
        label: Name in reports. The default is the name of a function or class.

    Raises:
        InvalidInput: The object is none of these, or is a class that cannot be instantiated without arguments.

    """
    label = label or name_of(found)
    if isinstance(found, type) and issubclass(found, Metric):
        found = _made(found, label)
    if isinstance(found, Metric):
        check_flags(label, binary_only=found.binary_only, single_aspect=found.single_aspect)
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
    what = f"{label} is {type(found).__name__}," if label != type(found).__name__ else f"{shown(found)} is"
    hint = "; axiomcheck.parse returns the metric for a name" if isinstance(found, str) else ""
    raise InvalidInput(f"{what} not a metric; {_EXPECTED}{hint}")


def name_of(found: object) -> str:
    """Return the default name in reports for a metric, function, class or other object."""
    if isinstance(found, partial):
        return f"{name_of(found.func)}({', '.join(f'{name}={value}' for name, value in found.keywords.items())})"
    return found.canonical if isinstance(found, Metric) else str(getattr(found, "__name__", type(found).__name__))


SIGNATURES = (("grades", "weights"), ("grades", "weights", "pool"), ("topic", "ranking"))
"""Usual names of the required parameters of functions that are accepted as metrics."""


def takes_rankings(names: tuple[str, ...]) -> bool:
    """Return True if a function with these required parameters is accepted as a metric; see `SIGNATURES`.

    After ``topic``, or after ``grades`` and ``weights``, the last parameter can only be the ranking or the pool. It may
    therefore have any name that does not occur in `SIGNATURES`.
    """
    *first, last = names or ("",)
    free = tuple(first) in (("topic",), ("grades", "weights")) and not any(last in known for known in SIGNATURES)
    return free or names in SIGNATURES


ARRAYS = "grades has axes (rankings, ranks, aspects)"

EXAMPLES = {
    ARRAYS: """def gain(grades, weights):
    return grades[:, :5].sum(axis=(1, 2))""",
    TOPICS: """def gain(topic, ranking):
    return sum(topic.pool[document][0] for document in ranking[:5])""",
}
"""Description of a function's arguments -> example of a function with these arguments, in two lines."""

_EXPECTED = "expected a function (grades, weights), (grades, weights, pool) or (topic, ranking), or a Metric"


def _required(function: Callable[..., object]) -> list[str]:
    """Return the names of the required positional parameters of a function, or of a class's ``__call__``."""
    arguments = arguments_of(function.__call__)[1:] if isinstance(function, type) else arguments_of(function)
    needed = [p for p in arguments if p.default is p.empty]
    return [p.name for p in needed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _made(kind: type, label: str) -> Any:
    try:
        return kind()
    except TypeError as error:
        raise InvalidInput(f"{label}: {kind.__name__} cannot be created without arguments: {error}") from None


def _wrapped(function: Callable[..., Array], label: str) -> FunctionMetric | CallableMetric:
    names = tuple(_required(function))
    known = takes_rankings(names)
    if not known and isinstance(function, type) and "__call__" not in dir(function):
        raise InvalidInput(
            f"{label} is a class, but not a metric class; expected a class derived from "
            "axiomcheck.Metric, a function, or a class whose objects are callable"
        )
    if not known:
        given = ARRAYS if "grades" in names else TOPICS
        when = " when called" if isinstance(function, type) else ""
        raise InvalidInput(
            f"{label} takes ({', '.join(names)}){when}; {_EXPECTED}, such as\n{EXAMPLES[given]}\nwhere {given}"
        )
    if isinstance(function, type):
        _made(function, label)
    return CallableMetric(function, label) if names[0] == "topic" else FunctionMetric(function, label)
