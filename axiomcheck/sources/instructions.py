"""Which instructions of a metric's own code run: those for floats, and those for exact numbers.

Code that asks what kind of number it was given can be one function for floats and another for what proofs run on. It
shows in the instructions: on the same values, an honest definition runs the same ones.
"""

from __future__ import annotations

import ast
import gc
import linecache
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FrameType
from typing import Any

import numpy as np
from flint import ctx

from axiomcheck.core.errors import InvalidInput, NotRational
from axiomcheck.core.typing import ExactNumbers, Reals
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals, floats_of, to_fmpq
from axiomcheck.numbers.discount import Discount
from axiomcheck.sources.brought import OwnMetric
from axiomcheck.sources.installed import is_installed

Place = tuple[CodeType, int]


def require_one_way(metric: Metric) -> None:
    """Raise an error where exact scores of a metric from outside are no evidence about its floats.

    Raises:
        InvalidInput: its code does something else for exact numbers, or may; the message says where.

    """
    why = why_other_way(metric)
    if why:
        raise InvalidInput(f"metric: {why}")


def why_other_way(metric: Metric) -> str:
    """Say where a metric's own code does something else for exact numbers, or may; empty if nowhere."""
    try:
        where = parting_of_ways(metric)
    except InvalidInput as error:
        return str(error)
    return where and f"at {where}, it does something else for exact numbers than for floats, or may"


def parting_of_ways(metric: Metric) -> str:
    """Where a metric's own code goes another way for exact numbers than for the same floats, or may; empty if nowhere.

    It may where it handles errors, which symbols raise more of. Code that was read again has handlers that see to that
    (`axiomcheck.numbers.refusals`).

    Args:
        metric: one that runs on exact numbers.

    Returns:
        Such as ``line 12 of mine.py``.

    Raises:
        InvalidInput: the interpreter did not report which instructions run.

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
        if _is_read_again(metric):
            apart = _apart_in_the_text(*ran)
        else:
            apart = sorted(_lines(ran[0] ^ ran[1])) or _handlers({code for code, _ in ran[1]})
        if apart:
            file, line = apart[0]
            return f"line {line} of {file.rpartition('/')[2]}"
    return ""


def _is_read_again(metric: Metric) -> bool:
    return isinstance(metric, OwnMetric) and metric.read_again is not None


def _apart_in_the_text(floats: set[Place], exactly: set[Place]) -> list[tuple[str, int]]:
    """Where two readings of one source part: each is compiled otherwise, but of the same places in the text."""
    ran = [{_text(place) for place in places} for places in (floats, exactly)]
    known = [{_text((code, at)) for code, _ in places for at in _offsets(code)} for places in (floats, exactly)]
    apart = (ran[0] ^ ran[1]) & known[0] & known[1]
    found = {(file, line) for file, line, *_ in apart if line is not None}
    functions = [{_extent(code) for code, _ in places} for places in (floats, exactly)]
    for these, those in (functions, reversed(functions)):
        found |= {(one[0], one[2][0]) for one in these if not any(_overlap(one, other) for other in those)}
    return sorted(found)


_Extent = tuple[str, str, tuple[int, int], tuple[int, int]]


def _extent(code: CodeType) -> _Extent:
    """Return a function's file and name, and its first and last place there."""
    places = [(line, end, start, stop) for line, end, start, stop in _positions(code) if line and end and stop]
    first = min(((line, start or 0) for line, _, start, _ in places), default=(code.co_firstlineno, 0))
    last = max(((end, stop or 0) for _, end, _, stop in places), default=first)
    return code.co_filename, code.co_qualname, first, last


def _overlap(one: _Extent, other: _Extent) -> bool:
    """Return whether two readings are of one function: a line may have several, which lie apart.

    Their ends may differ by a name: Python 3.13 has one instruction with one place for two assignments.
    """
    return one[:2] == other[:2] and one[2] <= other[3] and other[2] <= one[3]


def _offsets(code: CodeType) -> range:
    return range(0, len(code.co_code), 2)


def _text(place: Place) -> tuple[str, int | None, int | None, int | None, int | None]:
    """Of which part of which file an instruction is."""
    code, offset = place
    return code.co_filename, *_positions(code)[offset // 2]


@cache
def _positions(code: CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    return list(code.co_positions())


_HARMLESS = ("errstate", "catch_warnings")
"""Context managers that end no error."""


def _handlers(codes: set[CodeType]) -> list[tuple[str, int]]:
    """Where code that runs as it is handles errors: those that symbols raise and floats do not would be among them."""
    found = set()
    for code in codes:
        lines = {line for _, _, line in code.co_lines() if line}
        handling = _handling(code.co_filename)
        if handling is None:
            if code.co_exceptiontable:  # without its source there is no telling
                found.add((code.co_filename, code.co_firstlineno))
            continue
        found |= {(code.co_filename, line) for line in handling if min(lines) <= line <= max(lines)}
    return sorted(found)


def _is_harmless(item: ast.withitem) -> bool:
    called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
    return isinstance(called, ast.Attribute | ast.Name) and ast.unparse(called).rpartition(".")[2] in _HARMLESS


@cache
def _handling(file: str) -> list[int] | None:
    """The lines of a file in which something begins that handles errors; None where it cannot be read."""
    text = "".join(linecache.getlines(file))
    if not text:
        return None
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Try | ast.TryStar | ast.With)
        if not (isinstance(node, ast.With) and all(map(_is_harmless, node.items)))
    ]


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
    """Return the instructions that a call runs of code which is not installed.

    Raises:
        InvalidInput: the interpreter did not report them; the message names the function.

    """
    places: set[Place] = set()
    codes: set[CodeType] = set()

    def entered(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        generated = code.co_filename == "<string>" and code.co_name.startswith("__")  # such as a dataclass's __hash__
        # A discount has one method for floats and another for exact numbers.
        if generated or is_installed(code.co_filename) or isinstance(frame.f_locals.get("self"), Discount):
            return None
        codes.add(code)
        frame.f_trace, frame.f_trace_lines = at, False
        frame.f_trace_opcodes = True  # after f_trace: Python 3.13 turns reports on only where there is a receiver
        return at

    def at(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            places.add((frame.f_code, frame.f_lasti))
        return at

    collecting = gc.isenabled()
    gc.disable()  # or what happens to be collected meanwhile runs its finalizers here
    before = sys.gettrace()  # a debugger's, or that of a measurement of coverage
    sys._getframe().f_trace_opcodes = True  # Python 3.12 turns reports on in settrace, if a frame has asked by then
    sys.settrace(entered)
    try:
        run()
        replaced = sys.gettrace() is not entered
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    unreported = codes if replaced else codes - {code for code, _ in places}
    if unreported:
        file, line = min((code.co_filename, code.co_firstlineno) for code in unreported)
        where = f"line {line} of {file.rpartition('/')[2]}"
        raise InvalidInput(f"at {where}, the interpreter did not report which instructions run")
    return places


def _lines(places: set[Place]) -> set[tuple[str, int]]:
    return {(place[0].co_filename, _line(place)) for place in places}


def _line(place: Place) -> int:
    code, offset = place
    return next((line for start, end, line in code.co_lines() if start <= offset < end and line), code.co_firstlineno)
