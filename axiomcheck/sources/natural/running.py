"""Run a recompiled function on numbers in an axiomcheck arithmetic, and convert its scores back."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.natural import Number, number
from axiomcheck.numbers.natural_arrays import ExactArray, numbers_of
from axiomcheck.numbers.natural_values import Germ, cut_above, germ, running_on
from axiomcheck.numbers.refusals import Blurred, Inexact
from axiomcheck.numbers.series import Series
from axiomcheck.sources.external_metrics import TOPICS
from axiomcheck.sources.modules import file_name, is_installed


def score_arrays(
    function: Callable[..., Array], a: Arithmetic, arrays: Sequence[Array], lead: tuple[int, ...]
) -> Array:
    """Call a recompiled function on arrays, and return its scores.

    Args:
        function: Recompiled function.
        a: Arithmetic of the arrays.
        arrays: Grades (B, n, m), weights (B, m), and pool (B, P, m) if the function has that parameter; object arrays
            or series of them.
        lead: Shape of the scores, whose product is B.

    Returns:
        Scores as an object array or a series.

    Raises:
        NotRational: A score is irrational, and the arithmetic has no irrational numbers.
        Exception: Any exception that the function raises.

    """
    small = [x for x in arrays if isinstance(x, Series)]
    with running_on(a), cut_above(small[0].keep if small else None):
        found = function(*(_exact_array(x) for x in arrays))
        size = int(np.prod(lead))
        if np.shape(found) != (size,):
            raise MetricError(f"returned shape {np.shape(found)}; expected {(size,)}")
        return _scores(a, numbers_of(found), lead, bool(small))


def score_rankings(
    function: Callable[..., Array],
    make_topic: Callable[..., object],
    a: Arithmetic,
    grades: Array,
    weights: Array,
    pool: Array,
) -> Array:
    """Call a recompiled function once per topic and ranking, and return its scores.

    Args:
        function: Recompiled function.
        make_topic: Function that makes a topic from weights and a pool.
        a: Arithmetic of the arrays.
        grades: (..., n, m) grades in rank order. All arrays are as in `axiomcheck.metrics.Metric.score`.
        weights: (..., m) weights.
        pool: (..., P, m) grades, or a proof's stand-in for a pool, which is accessed only if the function reads
            unranked documents.

    Returns:
        Scores as an object array or a series.

    Raises:
        NotRational, Exception: See `score_arrays`.

    """
    small = isinstance(grades, Series)
    with running_on(a), cut_above(grades.keep if small else None):
        ranked = _exact_array(grades)
        seen = type(pool) is Series or issubclass(type(pool), np.ndarray)  # a proof's stand-in must not be accessed
        everything: Array = _exact_array(pool) if seen else None
        lead = np.broadcast_shapes(ranked.shape[:-2], weights.shape[:-1], everything.shape[:-2] if seen else ())
        ranked = np.broadcast_to(ranked, (*lead, *ranked.shape[-2:]))
        shares = np.broadcast_to(_exact_array(weights), (*lead, weights.shape[-1]))
        if seen:
            everything = np.broadcast_to(everything, (*lead, *everything.shape[-2:]))
        out = np.empty(lead, dtype=object)
        for index in np.ndindex(lead):
            documents: Mapping[str, tuple[Array, ...]]
            if seen:
                order = places_of(ranked[index], everything[index])
                documents = {f"d{k}": tuple(row) for k, row in enumerate(everything[index], start=1)}
                ranking = [f"d{k + 1}" for k in order]
            else:
                ranking = [f"d{k}" for k in range(1, ranked.shape[-2] + 1)]
                known = dict(zip(ranking, map(tuple, ranked[index]), strict=True))
                documents = _Documents(known, pool)
            found = function(make_topic(tuple(shares[index]), documents), ranking)
            made = number(found)
            if made is None:
                raise MetricError(f"returned {type(found).__name__}; expected a number, such as a float")
            out[index] = made
        return _scores(a, out, lead, small)


class _Documents(Mapping[str, tuple[Array, ...]]):
    """Pool of a topic, as a mapping, in which only the ranked documents are known.

    Any other document is looked up in the proof's stand-in for a pool.
    """

    def __init__(self, known: dict[str, tuple[Array, ...]], rest: Array) -> None:
        self._known, self._rest = known, rest

    def __getitem__(self, name: str) -> tuple[Array, ...]:
        return self._known[name] if name in self._known else self._rest[name]

    def __len__(self) -> int:
        return len(self._rest)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rest)


def places_of(ranked: Array, pool: Array) -> list[int]:
    """Return the row of each ranked document in a pool. Rows are matched by equal grades, and each is used once.

    Args:
        ranked: (n, m) grades, as floats or exact numbers.
        pool: (P, m) grades.

    Raises:
        MetricError: A ranked document is not in the pool.

    """
    free = list(range(len(pool)))
    order = []
    for row in ranked:
        at = next((k for k in free if all(map(_same, row, pool[k]))), None)
        if at is None:
            raise MetricError("a ranked document is not in the pool")
        free.remove(at)
        order.append(at)
    return order


def _same(x: Array, y: Array) -> bool:
    if not isinstance(x, Number):
        return bool(x == y)
    one, other = x.raw, y.raw
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) is Germ:
        return one.terms.keys() == other.terms.keys() and all(
            _identical(c, other.terms[k]) for k, c in one.terms.items()
        )
    return _identical(one, other)


def _identical(x: object, y: object) -> bool:
    return x is y or (type(x) is fmpq and type(y) is fmpq and bool(x == y))


def _exact_array(x: Array) -> Array:
    if not isinstance(x, Series):
        return _wrapped(np.asarray(x, dtype=object))
    orders = sorted(x.terms)
    coefficients = [np.asarray(x.terms[k], dtype=object) for k in orders]
    known = None if x.keep is None or not x.dropped else x.keep + 1

    def combined(*values: object) -> object:
        return germ({k: _plain(c) for k, c in zip(orders, values, strict=True)}, known)

    return _wrapped(np.frompyfunc(combined, len(orders), 1)(*coefficients))


def _wrapped(values: Array) -> Array:
    out = np.empty(np.shape(values), dtype=object)
    for index, value in np.ndenumerate(np.asarray(values, dtype=object)):
        made = Number.__new__(Number)
        made.raw = _plain(value)
        out[index] = made
    return out.view(ExactArray)


def _plain(value: Array) -> Array:
    """Convert a Python or NumPy integer to a rational. Other values are returned unchanged."""
    return fmpq(int(value)) if isinstance(value, int | np.integer | np.bool_) else value


def _scores(a: Arithmetic, found: Array, lead: tuple[int, ...], small: bool) -> Array:
    values = [n.raw for n in found.reshape(-1)]
    for value in values:
        if isinstance(value, float):
            raise MetricError(f"returned {value}; expected a finite number")

    def closed(value: Array) -> Array:
        return a.closed(value) if type(value) is Closed else value

    if not small:
        return _filled(list(map(closed, values)), lead)
    parts: list[tuple[dict[int, Array], int | None]] = []
    for value in values:
        constant = {} if type(value) is fmpq and value == 0 else {0: value}
        parts.append((value.terms, value.known) if type(value) is Germ else (constant, None))
    known = min((k for _, k in parts if k is not None), default=None)
    orders = sorted({k for terms, _ in parts for k in terms if known is None or k < known}) or [1]
    if orders[0] < 0 or (known is not None and known < 1):
        raise NotImplementedError("a score grows without bound as eps -> 0, or is unknown at eps = 0")
    rows = {order: _filled([closed(terms.get(order, fmpq(0))) for terms, _ in parts], lead) for order in orders}
    return Series(rows, None if known is None else known - 1, known is not None)


def _filled(values: list[Array], lead: tuple[int, ...]) -> Array:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(lead)


def line_of(function: Callable[..., object]) -> str:
    """Return where a function begins, such as ``line 3 of mine.py``, or ``in an object`` if it has no code."""
    code = getattr(inspect.unwrap(getattr(function, "func", function)), "__code__", None)
    return "in an object" if code is None else f"line {code.co_firstlineno} of {file_name(code.co_filename)}"


def place_of(error: BaseException) -> str:
    """Describe an error in a user's code with its location, as in ``line 3 of mine.py: division by zero``."""
    said = str(error) if isinstance(error, Inexact | Blurred) else f"{type(error).__name__}: {error}"
    line = _line_that_raised(error)
    return f"{line}: {said}" if line else said


def note_mistake(error: BaseException) -> None:
    """Add notes to an error in a user's code: the line, and the type of grades if a TypeError mentions tuples."""
    tuples = [TOPICS] if isinstance(error, TypeError) and "tuple" in str(error) else []
    for note in (_line_that_raised(error), *tuples):
        if note and note not in getattr(error, "__notes__", ()):
            error.add_note(note)


def _line_that_raised(error: BaseException) -> str:
    """Return the last line of a user's code in the traceback of an error, or an empty string if there is none."""
    ran = ((frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__))
    own = [(file, line) for file, line in ran if not is_installed(file)]
    return f"line {own[-1][1]} of {file_name(own[-1][0])}" if own else ""
