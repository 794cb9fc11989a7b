"""Which instructions of a metric's own code run: those for floats, and those for exact numbers.

Code that asks what kind of number it was given can be one function for floats and another for what proofs run on. It
shows in the instructions: on the same values, an honest definition runs the same ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import numpy as np
from flint import ctx

from axiomcheck.core.errors import NotRational
from axiomcheck.core.typing import ExactNumbers, Reals
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals, floats_of, to_fmpq
from axiomcheck.numbers.discount import Discount
from axiomcheck.sources.installed import is_installed
from axiomcheck.sources.own import OwnMetric

Place = tuple[CodeType, int]


def parting_of_ways(metric: Metric) -> str:
    """Where a metric's own code goes another way for exact numbers than for the same floats; empty if nowhere.

    Args:
        metric: one that runs on exact numbers.

    Returns:
        Such as ``line 12 of mine.py``.

    """
    for pool, weights, ranked in _cases(metric):
        floats = [floats_of(x) for x in (pool, weights)]

        def exactly(pool: ExactNumbers = pool, weights: ExactNumbers = weights, ranked: int = ranked) -> Any:
            with ctx.workprec(128):
                return _score_exactly(metric, pool, weights, ranked)

        def in_floats(pool: Reals = floats[0], weights: Reals = floats[1], ranked: int = ranked) -> Any:
            return metric.score(Floats(), pool[:, :ranked], weights, pool)

        try:
            exactly(), in_floats()  # what is kept from call to call, as a cached function does, is kept from now on
        except Exception:  # such as a division by nothing, of which floats make nan
            continue
        ran = instructions(in_floats), instructions(exactly)
        if isinstance(metric, OwnMetric) and metric.read_again is not None:
            apart = sorted(_lines(ran[0]) ^ _lines(ran[1]))  # what is read again is compiled otherwise, line by line
        else:
            apart = sorted(_lines(ran[0] ^ ran[1]))
        if apart:
            file, line = apart[0]
            return f"line {line} of {file.rpartition('/')[2]}"
    return ""


def _score_exactly(metric: Metric, pool: ExactNumbers, weights: ExactNumbers, ranked: int) -> Any:
    try:
        return metric.score(Rationals(), pool[:, :ranked], weights, pool)
    except NotRational:
        return metric.score(Balls(), pool[:, :ranked], weights, pool)


def _cases(metric: Metric) -> Iterator[tuple[ExactNumbers, ExactNumbers, int]]:
    """Pools (B, P, m), weights (B, m), and how many are ranked: values that floats have exactly."""
    rng = np.random.default_rng(3)
    for ranked, m, extras in ((1, 1, 0), (3, 1, 2), (6, 1, 0), (3, 2, 1), (4, 4, 0)):
        if m == 1 or metric.applies_to_aspects():
            pool = rng.integers(0, 5, (2, ranked + extras, m)) / 4
            weights = np.full((2, m), 1 / m)
            yield _RATIONALS(pool), _RATIONALS(weights), ranked


_RATIONALS = np.frompyfunc(lambda x: to_fmpq(float(x)), 1, 1)


def instructions(run: Callable[[], Any]) -> set[Place]:
    """The instructions that a call runs of code which is not installed."""
    places: set[Place] = set()

    def entered(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        generated = code.co_filename == "<string>" and code.co_name.startswith("__")  # such as a dataclass's __hash__
        # A discount has one method for floats and another for exact numbers.
        if generated or is_installed(code.co_filename) or isinstance(frame.f_locals.get("self"), Discount):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return at

    def at(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            places.add((frame.f_code, frame.f_lasti))
        return at

    before = sys.gettrace()  # a debugger's, or that of a measurement of coverage
    sys.settrace(entered)
    try:
        run()
    finally:
        sys.settrace(before)
    return places


def _lines(places: set[Place]) -> set[tuple[str, int]]:
    return {(place[0].co_filename, _line(place)) for place in places}


def _line(place: Place) -> int:
    code, offset = place
    return next((line for start, end, line in code.co_lines() if start <= offset < end and line), code.co_firstlineno)
