"""Test whether a user's function works on exact numbers, and run it with given parameter values."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.natural import Number
from axiomcheck.sources.abilities import why_not_rationals, why_not_series
from axiomcheck.sources.code_inspection import check_same_branches
from axiomcheck.sources.external_metrics import NamedMetric, OwnMetric, is_single
from axiomcheck.sources.keyword_parameters import arguments_at, at_values, defaults_of, is_safe_as_float, parameters_of
from axiomcheck.sources.natural.reading import read_again
from axiomcheck.sources.natural.running import line_of, place_of
from axiomcheck.sources.natural.same_reading import Unreadable

_SINGLE = "its scores have single precision (float32), and rounding hides differences"


@dataclass(frozen=True)
class Exactness:
    """Results of testing a user's function in exact arithmetic.

    Args:
        no_rationals: Reason why the function does not run on exact numbers, or gives scores that differ from those in
            floats; empty if it runs correctly.
        no_series: Reason why the function does not run on series in eps; empty if it does.
        no_series_of_floats: Reason why the function does not run on float series that are truncated as in the search;
            empty if it does.
        again: The function or class, recompiled to use exact numbers; None if it runs unchanged or not at all.

    """

    no_rationals: str = ""
    no_series: str = ""
    no_series_of_floats: str = ""
    again: Callable[..., Array] | None = None


class FunctionOwner(OwnMetric):
    """Base class for metrics that wrap a single user function, whose numeric keyword arguments are parameters.

    Args:
        base: The user's function, or a class whose instances are called instead.
        label, **declared: See `OwnMetric`.

    Attributes:
        function: The function with its parameter values filled in as floats.
        given: Parameter values in the metric's name. All other parameters have the function's defaults.

    """

    def __init__(self, base: Callable[..., Array], label: str, **declared: Any) -> None:
        self.declared = parameters_of(base)
        super().__init__(label, **declared)
        self.base = base
        self.given: dict[str, Any] = {}
        self.function: Callable[..., Array] = at_values(base, {}, float)

    def remade(self, cutoff: int | None, values: dict[str, Any]) -> Metric:
        """Return the metric with other parameter values, which also appear in its name.

        Raises:
            InvalidInput: A parameter is unknown, a value does not have the type of the default, the class rejects it,
                or the cutoff differs.

        """
        label = bare(self.name)
        if cutoff != self.cutoff:
            raise InvalidInput(f"{label}: a function applies its own cutoff, which @ cannot set")
        for name in values.keys() & defaults_of(self.base).keys() - self.values.keys():
            default = defaults_of(self.base)[name]
            raise InvalidInput(f"{label}: the default {name}={default!r:.40} is not a number")
        made = self.with_exactness(None)
        made.values = made.given = self._parsed(values)
        made.dtypes = set(self.dtypes)
        made.name = made.label = label + made.parameters_text([p.name for p in self.declared])
        made.function = at_values(self.base, made.given, float)
        if isinstance(self.base, type):
            try:
                self.base(**arguments_at(self.base, made.given, float))
            except Exception as error:  # any exception of the class
                raise InvalidInput(f"{made}: {type(error).__name__}: {error}") from None
        return made

    def beside(self, values: dict[str, Any]) -> FunctionOwner:
        """Return the metric with some parameter values changed, assuming that exactness does not depend on them."""
        made = self.remade(self.cutoff, self.values | values)
        assert isinstance(made, FunctionOwner)
        return made.with_exactness(self._exactness)

    def at(self, values: dict[str, Any]) -> Metric:
        """Return the metric itself, because its parameters cannot be symbols.

        Raises:
            InvalidInput: Values are given.

        """
        if values:
            raise InvalidInput(f"{self}: the arguments of this function cannot be symbols")
        return self

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Score rankings as `Metric.score` does. The function itself applies the cutoff."""
        return self.kernel(a, grades, weights, pool)

    def oriented(self, scores: Array) -> Array:
        """Negate scores, in any arithmetic, if smaller scores are better."""
        return 0 - scores if self.lower else scores

    def numerical(self, small: bool) -> str:
        """Return the reason why the function does not run in exact arithmetic, or an empty string if it does.

        If ``small`` is True, the reason is about series in eps instead.
        """
        why = self._exactness.no_series if small else self._exactness.no_rationals
        return why or (_SINGLE if is_single(self) else "")  # checked last, because the trials above may detect float32

    def _doubles(self, scores: Array) -> Array:
        """Convert scores in single precision to doubles, and record that they were in single precision."""
        if isinstance(scores, np.ndarray | np.generic) and scores.dtype == np.float32:
            self.dtypes.add("float32")
            return scores.astype(np.float64)
        return scores

    @property
    def read_again(self) -> Callable[..., Array] | None:
        """Function recompiled to use exact numbers, with its parameter values filled in. See `Metric.read_again`."""
        return None if self._exactness.again is None else self._again_at_values

    @cached_property
    def _again_at_values(self) -> Callable[..., Array]:
        assert self._exactness.again is not None
        found: Callable[..., Array] = at_values(self._exactness.again, self.given, Number)
        return found

    def searched_in_floats(self, small: bool) -> bool:
        """Return True if the search must use floats.

        A recompiled function needs floats if it scores one ranking per call or, with ``small``, if it rejects series.
        """
        exactness = self._exactness
        return exactness.again is not None and (
            isinstance(self, NamedMetric) or (small and bool(exactness.no_series_of_floats))
        )

    @cached_property
    def _exactness(self) -> Exactness:
        for name, value in self.given.items():
            if not is_safe_as_float(value):
                return inexact(f"its {name}={value} becomes {float(value)!r} in floats")
        as_it_is = self._exactness_unchanged()
        if not as_it_is.no_series:
            return as_it_is
        read = self._exactness_read_again(as_it_is.no_rationals)
        # Recompilation is a fallback for functions that do not run unchanged.
        return as_it_is if read.no_series and not as_it_is.no_rationals else read

    def _exactness_read_again(self, why_not_as_it_is: str) -> Exactness:
        """Return the results of testing the function after recompiling its source to use exact numbers."""
        try:
            again = read_again(self.base)
        except Unreadable as error:
            return inexact("; ".join(filter(None, (why_not_as_it_is, str(error)))))
        except Exception as error:  # any exception of the recompiled file
            return inexact(f"its file cannot be run on exact numbers: {place_of(error)}")

        def placed(why: str) -> str:
            """Prepend the line where the function begins to a reason that names no line."""
            begin = again.__call__ if isinstance(again, type) else again
            return f"{line_of(begin)}: {why}" if why and " line " not in why else why

        trial = self.with_exactness(Exactness(again=again))
        if why := placed(why_not_rationals(trial)):
            return inexact(why)
        try:
            check_same_branches(trial)
        except InvalidInput as error:
            return Exactness(str(error), str(error), str(error), again)
        in_floats = why_not_series(trial) if not isinstance(self, NamedMetric) else "it is called once per ranking"
        exact = placed(why_not_series(trial, in_floats=False)) if in_floats else ""
        return Exactness("", exact, in_floats, again)

    def with_exactness(self, exactness: Exactness | None) -> FunctionOwner:
        """Return a copy with the given test results. With None, the tests run again when their results are needed."""
        trial = copy(self)
        vars(trial).pop("_again_at_values", None)
        vars(trial).pop("_exactness", None)
        if exactness is not None:
            vars(trial)["_exactness"] = exactness
        return trial

    def _exactness_unchanged(self) -> Exactness:
        """Return the results of testing the function as the user wrote it, without recompiling its source."""
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


def inexact(why: str) -> Exactness:
    """Return the `Exactness` of a function that runs only in floats."""
    return Exactness(why, why, why)
