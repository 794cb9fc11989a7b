"""Compare a user's function with the fold derived from its source, in floats and exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from math import log
from time import process_time
from types import FunctionType

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Array
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.derive import Derivation, derive, is_fold_at
from axiomcheck.derivation.source import place_of
from axiomcheck.derivation.traced_run import Executed, contradiction, unreached
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import Derived, FoldOfFunction
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, floats_of, to_fmpq
from axiomcheck.sources.abilities import same_but_for_rounding
from axiomcheck.sources.exactness import FunctionOwner
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.sources.provenance import UNREADABLE, readable_identity

_SHAPES = (
    *((1, 1, 0), (2, 1, 1), (3, 1, 2), (5, 1, 0), (8, 1, 3), (13, 1, 1)),
    *((1, 2, 1), (2, 3, 1), (4, 2, 0), (6, 2, 2)),
)
"""Shapes of the rankings that are scored exactly and in floats: (ranked documents, aspects, unranked documents)."""

_LATE = ((70, 1, 3, 25), (90, 1, 0, 66), (45, 2, 5, 41), (320, 1, 0, 305))
"""Shapes of rankings that begin with documents of grade 0. The last number counts these documents.

Gains at late ranks are small. Added to the gains of early ranks, their differences would be lost in floats.
"""

_LONG = (
    *((34, 1, 60), (120, 1, 5), (400, 1, 0), (1_200, 1, 0), (30, 1, 1_100), (40, 3, 7), (12, 5, 30)),
    *((230, 2, 10), (1_100, 2, 0), (9, 2, 1_000), (7, 4, 2), (4_200, 1, 0)),
)
"""Shapes of the rankings that are scored in floats only."""

_ROWS, _LONG_ROWS = 3, 5
_VALUES = tuple(Fraction(value) for value in ("1/2", "1/20", "15/16", "2/5", "7/1000", "9/10"))
"""Values of open parameters at which scores are compared."""

_MOST_COMPARED = 8
"""Largest number of constants that code compares with lengths for which all pairs of lengths near them are tried."""

_CLOSE = 1e-9
_ROUNDED = 1e-12
"""Largest difference in floats between scores that are equal exactly."""
_MOST_TRACED = 1_000_000
"""Number of further traced instructions after which code that has not been executed yet is refused."""

_MOST_SECONDS = 15.0
"""Estimated CPU time, in seconds, above which a case in floats is left out."""


def _shares(rng: np.random.Generator, size: tuple[int, int], weighted: bool) -> Array:
    """Draw (B, m) weights that are short binary fractions and sum to exactly 1; all are equal unless ``weighted``."""
    shares = rng.integers(1, 9, size) if weighted else np.ones(size, dtype=int)
    halves = shares / 2.0 ** np.ceil(np.log2(shares.sum(axis=1, keepdims=True)))
    halves[:, 0] += 1 - halves.sum(axis=1)
    return halves


def _exact_cases(rng: np.random.Generator, single: bool, weighted: bool, few: bool) -> Iterator[CaseBlock]:
    """Yield topics whose grades are short binary fractions."""
    shapes = [(*shape, 0) for shape in _SHAPES]
    for ranked, aspects, extras, zeros in shapes[3:7] if few else (*shapes, *_LATE):
        if single and aspects > 1:
            continue
        rows = 1 if zeros else _ROWS
        size = (rows, ranked + extras, aspects)
        fine = rng.integers(0, 2**20 + 1, size) / 2**20
        kinds = [
            fine,
            rng.integers(0, 9, size) / 8,
            np.where(rng.random(size) < 0.5, 0.0, np.where(rng.random(size) < 0.5, 1.0, fine)),
            fine * 2.0 ** -rng.integers(0, 30, size),
        ]
        pool = np.choose(rng.integers(0, len(kinds), size), kinds)
        if not zeros:
            pool[0] = pool[0] * (rng.random(size[1:]) < 0.3)
        order = rng.permuted(np.tile(np.arange(ranked + extras), (rows, 1)), axis=1)[:, :ranked]
        np.put_along_axis(pool, order[:, :zeros, None], 0.0, axis=1)
        yield CaseBlock(pool, _shares(rng, (rows, aspects), weighted), order)


def _long_cases(
    rng: np.random.Generator, single: bool, weighted: bool, shapes: Iterable[tuple[int, int, int]]
) -> Iterator[CaseBlock]:
    """Yield several kinds of topics for each shape (ranked documents, aspects, unranked documents)."""
    for ranked, aspects, extras in shapes:
        if single and aspects > 1:
            continue
        rows = _LONG_ROWS if ranked <= LONGEST + 200 else 1  # the slowest code compares all pairs of documents
        size = (rows, ranked + extras, aspects)
        pool = np.where(rng.random(size) < 0.3, rng.integers(0, 11, size) / 10, rng.random(size))
        order = rng.permuted(np.tile(np.arange(ranked + extras), (rows, 1)), axis=1)[:, :ranked]
        if rows > 1:
            pool[0] *= rng.random(size[1:]) < 0.2
            pool[1] = 1.0
            early, late = order[2, : ranked - ranked // 3], order[3, ranked // 4 :]
            pool[2, early], pool[3, late], pool[4, : (ranked + extras) * 4 // 5] = 0.0, 0.0, 0.0
        yield CaseBlock(pool, _shares(rng, (rows, aspects), weighted), order)


def _beyond(rng: np.random.Generator, single: bool, weighted: bool, compared: Sequence[int]) -> Iterator[CaseBlock]:
    """Yield topics whose first relevant document is at, or just after, a rank that the code compares something with.

    Topics with one aspect come first, then topics with two. A branch for late ranks may only affect the score if no
    relevant document precedes it.
    """
    for zeros in sorted({max(0, k + shift) for k in compared for shift in (-2, -1, 0, 1)}):
        for aspects in (1,) if single else (1, 2):
            size = (_ROWS, zeros + 6, aspects)
            pool = np.zeros(size)
            pool[:, zeros:] = rng.integers(1, 9, (_ROWS, 6, aspects)) / 8
            pool[1, zeros + 1 : -1] = 0.0
            pool[2, zeros:] *= rng.random((6, aspects)) < 0.6
            pool[1:, 0] = 1.0  # in these rows, the first document is relevant, too
            order = np.tile(np.arange(size[1]), (_ROWS, 1))
            yield CaseBlock(pool, _shares(rng, (_ROWS, aspects), weighted), order)


def _around(compared: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield shapes (ranked documents, aspects, unranked documents) with lengths near constants that code compares.

    The derived fold may miss a branch for some lengths. Rankings of these lengths reveal this.
    """
    near = sorted({max(1, k + shift) for k in (1, *compared) for shift in (-1, 0, 1, 2)})
    beyond = near[-1] + 20
    for ranked in near:
        pools = [p for p in (*near, beyond) if p >= ranked] if len(compared) <= _MOST_COMPARED else [ranked, beyond]
        for at, pool in enumerate(pools):
            yield ranked, 1, pool - ranked
            if len(compared) <= 2 or at % 2:
                yield ranked, 2, pool - ranked


def agreeing_fold(metric: Metric, opened: Sequence[str] = ()) -> Derivation:
    """Derive the fold of a user's function, and check that both give the same scores.

    Args:
        metric: Metric of any kind.
        opened: Names of parameters that may take any value between 0 and 1.

    Returns:
        The derivation. It has no fold if the function cannot be computed exactly, or raises an exception on one of the
        rankings. With open parameters, it also has no fold if the float scores differ for some parameter values.

    Raises:
        MetricError: With its own parameter values, the function's scores differ from those of the derived fold.

    """
    derivation = derive(metric, opened)
    if derivation.metric is None:
        return derivation
    if not is_fold_at(derivation.metric, metric):
        return Derivation(
            None, "it computes a different sum over ranks with its own parameter values than with other values"
        )
    # sums of powers with grades as exponents need no series in eps: proofs about them are for all grades
    inexact = metric.numerical(False) or (derivation.metric.base is None and metric.numerical(True))
    if inexact:
        return Derivation(None, inexact)
    try:
        check_once(metric, derivation.metric)
    except _NoFold as error:
        return Derivation(None, str(error))
    except MetricError:
        raise
    except Exception as error:  # any exception of the function
        return Derivation(None, f"raises {type(error).__name__} on one of the test rankings: {error}")
    return derivation


class _NoFold(MetricError):
    """Raised if a run contradicts a derivation or misses its code, or if scores at other parameter values differ."""


def check_once(metric: Metric, found: Derived) -> None:
    """Check that a function and its fold give equal scores, unless this code has passed the check before.

    Raises:
        MetricError: Two scores differ. The message names the ranking.

    """
    key = readable_identity(metric), found.text
    if key not in _AGREED:
        check_same_scores(metric, found)
        if key[0] != UNREADABLE:
            _AGREED.add(key)


_AGREED: set[tuple[str | None, str]] = set()


def check_same_scores(metric: Metric, found: Derived) -> None:
    """Check that a function and its fold give equal scores on random rankings, in floats and in exact arithmetic.

    Some rankings are scored twice, because a function may keep data from its first call. If the fold has open
    parameters, the scores are also compared at several of their values.

    Raises:
        MetricError: Two scores differ. The message names the ranking.

    """
    _check_one_setting(metric, found.closed(found.values))
    if not found.values:
        return
    assert isinstance(metric, FunctionOwner)
    for number in range(len(_VALUES)):
        given = {name: _VALUES[(number + place) % len(_VALUES)] for place, name in enumerate(found.values)}
        other = metric.beside(given)
        try:
            _check_one_setting(other, found.closed(other.values), few=True)
        except MetricError:
            raise _NoFold(
                f"its float scores differ from those of the sum over ranks derived from its source, for {other}"
            ) from None


def _check_one_setting(metric: Metric, found: Derived, few: bool = False) -> None:
    weighted, fold = metric.abilities.weights, FoldOfFunction(metric, found)
    single = metric.single_aspect or found.one_aspect_topics
    rng = np.random.default_rng(20_261)
    cases = list(_of_fold(_exact_cases(rng, single, weighted, few), found))
    with ctx.workprec(128):
        for case in (*cases, *cases[:2]):
            arithmetic, expected, scores = _scored(fold, metric, case)
            for one, other in zip(scores, expected, strict=True):
                balls = isinstance(arithmetic, Balls) and isinstance(one, arb | fmpq)
                same = arb(one).overlaps(arb(other)) if balls else one == other
                if not same:
                    raise _differing(metric, one, other, case)
            floats, _ = _in_floats(metric, fold, case)
            if not found.up_to_topic and not same_but_for_rounding(expected, floats).all():
                raise _differing(metric, floats.tolist(), expected.tolist(), case)
    executed = Executed()
    for case in cases:
        _trace(metric, found, case, executed)
        if found.needs_relevant:
            with suppress(Exception):  # the function may raise any exception if no document is relevant
                _trace(metric, found, replace(case, pool=0.0 * case.pool), executed)
    if not few:
        _refuse_unreached(metric, found, executed)
    late = _beyond(rng, single, weighted, found.compared[-_MOST_COMPARED:])
    far = _beyond(rng, single, weighted, found.large_numbers)
    long = _of_fold(chain(_long_cases(rng, single, weighted, (*_LONG, *_around(found.compared))), late, far), found)
    seconds: dict[int, float] = {}
    for case in islice(long, 1 if few else None):
        if _seconds_of(case, seconds) > _MOST_SECONDS:
            continue
        begin = process_time()
        floats, expected = _in_floats(metric, fold, case)
        seconds[case.ranked] = (process_time() - begin) / case.size
        if not _close(floats, expected).all():
            # in floats, the fold may sum differences that cancel, where the code computes the total directly
            with ctx.workprec(4_096):
                _, exact, _ = _scored(fold, fold, case)
            apart = ~_close(floats, expected)
            explained = not found.up_to_topic and (_close(floats, floats_of(exact)) | ~apart).all()
            if not (explained or _differ_by_rounding(fold, metric, case, apart, np.abs(floats - expected))):
                raise _differing(metric, floats.tolist(), expected.tolist(), case)


def _trace(metric: Metric, found: Derived, case: CaseBlock, executed: Executed) -> None:
    """Run a function on all rankings of a case while tracing it.

    Raises:
        _NoFold: A run contradicts the derivation's record.

    """
    run = partial(metric.evaluate, case.pool, case.weights, case.order)
    if reason := contradiction(found.visits, run, (case.ranked, case.documents, case.aspects), executed):
        raise _NoFold(reason)


def _refuse_unreached(metric: Metric, found: Derived, executed: Executed) -> None:
    """Check that traced runs execute all code that the derivation followed, trying more rankings if necessary.

    Raises:
        _NoFold: None of the rankings executes some of this code.

    """
    rng, weighted = np.random.default_rng(20_262), metric.abilities.weights
    single = metric.single_aspect or found.one_aspect_topics
    cases = (
        *_long_cases(rng, single, weighted, _around(found.compared)),
        *_beyond(rng, single, weighted, (*found.compared[-_MOST_COMPARED:], *found.large_numbers)),
    )
    most = executed.count + _MOST_TRACED
    # the exact cases are short, so code that they do not execute is likely to be for late ranks
    longest_first = sorted(cases, key=lambda case: (-case.ranked, -case.documents, case.aspects))
    rows = (case.rows(np.array([row])) for case in _of_fold(longest_first, found) for row in range(case.size))
    for row in rows:
        if not unreached(found.visits, executed) or executed.count > most:
            break
        _trace(metric, found, row, executed)
    if place := unreached(found.visits, executed):
        raise _NoFold(f"{place}: none of the test rankings executes this code, so its scores cannot be checked")


def _seconds_of(case: CaseBlock, seconds: Mapping[int, float]) -> float:
    """Estimate the CPU time of a case, because code with nested loops takes minutes for long rankings.

    Args:
        case: The case.
        seconds: Seconds per topic in earlier cases, by number of ranked documents.

    Returns:
        Seconds, extrapolated from the two longest earlier rankings; 0 if there are fewer, or if neither is shorter.

    """
    ranked, known = case.ranked, sorted(seconds)[-2:]
    if len(known) < 2 or ranked <= known[1]:
        return 0.0
    (low, high), (fast, slow) = known, [seconds[n] for n in known]
    growth = log(slow / fast) / log(high / low) if 0 < fast < slow else 0.0
    return slow * case.size * float((ranked / high) ** min(growth, 3.0))


def _of_fold(cases: Iterable[CaseBlock], found: Derived) -> Iterator[CaseBlock]:
    """Keep only the topics for which a derived fold claims to give the function's scores, and drop empty cases."""
    for case in cases:
        kept = case.rows((case.pool[:, :, 0] > 0).any(axis=1)) if found.needs_relevant else case
        if kept.size:
            yield kept


def _close(scores: Array, expected: Array) -> Array:
    """Return a mask of the scores that are close to the expected ones, relative to each score, not to the largest."""
    size = np.maximum(np.abs(expected), _CLOSE * np.abs(expected).max(initial=0.0))
    return np.asarray(np.abs(scores - expected) <= _CLOSE * np.maximum(size, 1e-300))


def _differ_by_rounding(fold: FoldOfFunction, metric: Metric, case: CaseBlock, apart: Array, by: Array) -> bool:
    """Return True if scores that differ slightly in floats are equal exactly, as when a gain and a cost cancel.

    Args:
        fold: Derived fold.
        metric: The function.
        case: Topics and rankings.
        apart: (B,) mask of the rankings whose scores differ.
        by: (B,) differences.

    """
    if fold.derived.up_to_topic or fold.derived.base is not None or by.max() > _ROUNDED:
        return False
    _, expected, scores = _scored(fold, metric, case.rows(apart))
    return all(one == other for one, other in zip(scores, expected, strict=True))


def _with_best(fold: FoldOfFunction, case: CaseBlock) -> tuple[CaseBlock, ...]:
    """Return a case and, if scores may differ by a factor per topic, a case with all documents ranked best first."""
    if not fold.derived.up_to_topic:
        return (case,)
    return case, case.reordered(np.argsort(-case.pool.sum(axis=2), axis=1, kind="stable"))


def _scored(fold: FoldOfFunction, metric: Metric, case: CaseBlock) -> tuple[Arithmetic, Array, Array]:
    """Return (exact arithmetic, fold's scores, metric's scores). Scores are scaled as in `_in_floats`."""
    cases = _with_best(fold, case)
    rows = [[_RATIONALS(x) for x in (one.grades, one.weights, one.pool)] for one in cases]
    base = fold.derived.base
    seen = rows if base is None else [[_raised(base, x), w, _raised(base, y)] for x, w, y in rows]
    arithmetic: Arithmetic = Rationals() if base is None else Balls()
    try:
        expected = [np.ravel(fold.score(arithmetic, *row)) for row in seen]
    except NotRational:
        arithmetic = Balls()
        expected = [np.ravel(fold.score(arithmetic, *row)) for row in seen]
    scores = [np.ravel(metric.score(arithmetic, *row)) for row in rows]
    if len(rows) == 1:
        return arithmetic, expected[0], scores[0]
    return arithmetic, expected[0] * scores[1], scores[0] * expected[1]


def _in_floats(metric: Metric, fold: FoldOfFunction, case: CaseBlock) -> tuple[Array, Array]:
    """Return the float scores of the metric and of the fold.

    If the two may differ by a factor that depends on the topic, each is multiplied by the other's score for the best
    ranking.

    Raises:
        MetricError: The factor is not positive for a topic with a relevant document.

    """
    cases = _with_best(fold, case)
    with np.errstate(all="ignore"):  # gains of far ranks may underflow
        scores = [metric.evaluate(one.pool, one.weights, one.order) for one in cases]
    base = fold.derived.base

    def seen(x: Array) -> Array:
        return x if base is None else np.expm1(x * np.log(float(base))) / float(base - 1)

    expected = [fold.score(Floats(), seen(one.grades), one.weights, seen(one.pool)) for one in cases]
    if len(cases) == 1:
        return scores[0], expected[0]
    if ((scores[1] > 0) != (expected[1] > 0)).any():
        raise _differing(metric, scores[1].tolist(), expected[1].tolist(), cases[1])
    return scores[0] * expected[1], expected[0] * scores[1]


def _differing(metric: Metric, score: object, expected: object, case: CaseBlock) -> MetricError:
    ranked, documents = (counted(n, "document") for n in (case.ranked, case.documents))
    size = f"{ranked} of {documents} ranked, {counted(case.aspects, 'aspect')}"
    function = getattr(metric, "base", None)
    place = f", {place_of(function, function.__code__.co_firstlineno)}," if isinstance(function, FunctionType) else ""
    other = f"the sum over ranks derived from its source is {expected} ({size})"
    return MetricError(f"{metric}{place} scores {score}, but {other}")


def _raised(base: Fraction, grades: Array) -> Array:
    """Map exact grades g to (b^g - 1) / (b - 1)."""
    b = to_fmpq(base)
    return np.frompyfunc(lambda g: (arb(b) ** arb(g) - 1) / (b - 1) if g else fmpq(0), 1, 1)(grades)


_RATIONALS = np.frompyfunc(lambda x: to_fmpq(float(x)), 1, 1)
