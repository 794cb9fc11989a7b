"""Compare the instructions that a metric's code executes for floats with those for exact numbers.

Code that tests the type of its numbers can compute one function on floats and another on exact numbers. The executed
instructions reveal this, because an honest definition runs the same instructions on the same values.
"""

from __future__ import annotations

import ast
import dis
import gc
import linecache
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import inf
from types import CodeType, FrameType
from typing import Any

import numpy as np
from flint import ctx

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import ExactNumbers, Reals
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Floats, floats_of, in_exact_arithmetic, rationals_of
from axiomcheck.numbers.discount import Discount
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.modules import file_name, is_installed

Place = tuple[CodeType, int]


def check_same_branches(metric: Metric) -> None:
    """Check that a metric's own code takes the same branches for exact numbers as for the equal floats.

    Otherwise, exact scores would say nothing about the scores in floats. Exception handlers are rejected too, because
    exact numbers and symbols raise more exceptions than floats. Code recompiled to use exact numbers may have
    handlers, which are checked when they run (`axiomcheck.numbers.refusals`).

    Raises:
        InvalidInput: The code branches, or may branch, differently for exact numbers, or the interpreter did not report
            which instructions run. The message gives the line.

    """
    allowance = Allowance(_MOST_EVENTS)
    for pool, weights, ranked in _cases(metric):
        if _MOST_EVENTS - allowance.left > _MANY_EVENTS:  # one topic instead of two
            pool, weights = pool[:1], weights[:1]
        floats = [floats_of(x) for x in (pool, weights)]

        def exactly(pool: ExactNumbers = pool, weights: ExactNumbers = weights, ranked: int = ranked) -> object:
            with ctx.workprec(128):
                return in_exact_arithmetic(lambda a: metric.score(a, pool[:, :ranked], weights, pool))

        def in_floats(pool: Reals = floats[0], weights: Reals = floats[1], ranked: int = ranked) -> object:
            return metric.score(Floats(), pool[:, :ranked], weights, pool)

        try:
            exactly(), in_floats()  # fill the caches of the metric before the instructions are recorded
        except Exception:  # such as a division by zero, which gives nan in floats
            continue
        ran = instructions(in_floats, allowance), instructions(exactly, allowance)
        if isinstance(metric, OwnMetric) and metric.read_again is not None:
            apart = _apart_in_the_text(*ran)
        else:
            apart = sorted({_line(place) for place in ran[0] ^ ran[1]}) or _handlers({code for code, _ in ran[1]})
        if apart:
            file, line = apart[0]
            where = f"at line {line} of {file_name(file)}"
            raise InvalidInput(f"{where}, it behaves, or may behave, differently for exact numbers than for floats")


def _apart_in_the_text(floats: set[Place], exactly: set[Place]) -> list[tuple[str, int]]:
    """Find the source lines that only one of two compilations of the same source executes.

    The compilations have different bytecode, but the same positions in the source.
    """
    ran = [{_text(place) for place in places} for places in (floats, exactly)]
    known = [
        {_text((code, at)) for code in {code for code, _ in places} for at in range(0, len(code.co_code), 2)}
        for places in (floats, exactly)
    ]
    apart = (ran[0] ^ ran[1]) & known[0] & known[1]
    found = {(file, line) for file, line, *_ in apart if line is not None}
    functions = [{_extent(code) for code in {code for code, _ in places}} for places in (floats, exactly)]
    for these, those in (functions, reversed(functions)):
        found |= {(one[0], one[2][0]) for one in these if not any(_overlap(one, other) for other in those)}
    return sorted(found)


_Extent = tuple[str, str, tuple[int, int], tuple[int, int]]


def _extent(code: CodeType) -> _Extent:
    """Return the extent of a function's source: its file, qualified name, and first and last position."""
    places = [(line, end, start, stop) for line, end, start, stop in _positions(code) if line and end and stop]
    first = min(((line, start or 0) for line, _, start, _ in places), default=(code.co_firstlineno, 0))
    last = max(((end, stop or 0) for _, end, _, stop in places), default=first)
    return code.co_filename, code.co_qualname, first, last


def _overlap(one: _Extent, other: _Extent) -> bool:
    """Return True if the extents of two compiled functions overlap, so that both come from the same definition.

    Several functions on one line do not overlap. The extents of one function may differ by the length of a name,
    because Python 3.13 has a single instruction, with one position, for two assignments.
    """
    return one[:2] == other[:2] and one[2] <= other[3] and other[2] <= one[3]


def _text(place: Place) -> tuple[str, int | None, int | None, int | None, int | None]:
    """Return the file of an instruction, and the start and end of its source text."""
    code, offset = place
    return code.co_filename, *_positions(code)[offset // 2]


@cache
def _positions(code: CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    return list(code.co_positions())


_HARMLESS = ("errstate", "catch_warnings")
"""Context managers that suppress no exception."""


def _handlers(codes: set[CodeType]) -> list[tuple[str, int]]:
    """Find the lines with exception handlers in code that was not recompiled.

    The handlers may catch errors that only exact numbers or symbols raise.
    """
    found = set()
    for code in codes:
        lines = {line for _, _, line in code.co_lines() if line}
        handling = _handling(code.co_filename)
        if handling is None:
            if code.co_exceptiontable:  # without the source, the lines of the handlers are unknown
                found.add((code.co_filename, code.co_firstlineno))
            continue
        found |= {(code.co_filename, line) for line in handling if min(lines) <= line <= max(lines)}
    return sorted(found)


def _is_harmless(item: ast.withitem) -> bool:
    called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
    return isinstance(called, ast.Attribute | ast.Name) and ast.unparse(called).rpartition(".")[2] in _HARMLESS


@cache
def _handling(file: str) -> list[int] | None:
    """Return the lines of a file where a statement that may catch exceptions begins; None if the file is unreadable."""
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


def _cases(metric: Metric) -> Iterator[tuple[ExactNumbers, ExactNumbers, int]]:
    """Yield pools (B, P, m), weights (B, m) and numbers of ranked documents. All values are exact in floats."""
    rng = np.random.default_rng(3)
    for ranked, m, extras in ((1, 1, 0), (3, 1, 2), (6, 1, 0), (3, 2, 1), (4, 4, 0)):
        if m == 1 or metric.applies_to_aspects():
            pool = rng.integers(0, 5, (2, ranked + extras, m)) / 4
            weights = np.full((2, m), 1 / m)
            yield rationals_of(pool), rationals_of(weights), ranked


@dataclass
class Allowance:
    """Limit on recording: the number of lines and instructions that may still be recorded."""

    left: float


_MOST_EVENTS = 8_000_000
"""Largest number of lines and instructions that are recorded for a metric. Recording them takes about 3 s."""

_MANY_EVENTS = 400_000
"""Number of lines and instructions above which fewer calls are recorded."""

_BY_LINE = sys.version_info < (3, 12)
"""True where switching recording on and off line by line costs nothing. Python 3.12 and later recompile the code."""


class _Unended(BaseException):
    """Raised when a call runs more instructions than may be recorded."""


@cache
def _offsets_by_line(code: CodeType) -> dict[int | None, frozenset[int]]:
    """Map each source line of a code object to the offsets of its instructions, and None to those without a line."""
    found: dict[int | None, set[int]] = defaultdict(set)
    for instruction in dis.get_instructions(code):
        found[instruction.positions.lineno if instruction.positions else None].add(instruction.offset)
    return {line: frozenset(offsets) for line, offsets in found.items()}


def instructions(run: Callable[[], object], allowance: Allowance | None = None) -> set[Place]:
    """Run a function, and return the bytecode instructions that it executes outside of installed packages.

    Args:
        run: Function without arguments.
        allowance: Limit on the recorded lines and instructions, which is reduced by their number; None for no limit.

    Raises:
        InvalidInput: The interpreter did not report the instructions of a function, which the message names, or the
            limit was exceeded.

    """
    places: set[Place] = set()
    codes: set[CodeType] = set()
    missing: dict[CodeType, dict[int | None, set[int]]] = {}
    allowed = Allowance(inf) if allowance is None else allowance

    def entered(frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        generated = code.co_filename == "<string>" and code.co_name.startswith("__")  # such as a dataclass's __hash__
        # A discount has different methods for floats and for exact numbers.
        if generated or is_installed(code.co_filename) or isinstance(frame.f_locals.get("self"), Discount):
            return None
        codes.add(code)
        if _BY_LINE and code not in missing:
            missing[code] = {line: set(offsets) for line, offsets in _offsets_by_line(code).items()}
        frame.f_trace, frame.f_trace_lines = at, _BY_LINE
        frame.f_trace_opcodes = True  # set after f_trace: Python 3.13 ignores it without a trace function
        return at

    def at(frame: FrameType, event: str, argument: object) -> Any:
        allowed.left -= 1
        if allowed.left < 0:
            raise _Unended
        if event == "opcode":
            places.add((frame.f_code, frame.f_lasti))
            if _BY_LINE:
                missing[frame.f_code].get(frame.f_lineno, set()).discard(frame.f_lasti)
        elif event == "line":  # a line whose instructions were all recorded has nothing new
            frame.f_trace_opcodes = bool(missing[frame.f_code].get(frame.f_lineno, True))
        return at

    collecting = gc.isenabled()
    gc.disable()  # otherwise finalizers of unrelated objects may run during the trace
    before = sys.gettrace()  # of a debugger or a coverage tool
    sys._getframe().f_trace_opcodes = True  # Python 3.12 enables opcode events in settrace, if a frame asked for them
    sys.settrace(entered)
    replaced = False
    try:
        run()
        replaced = sys.gettrace() is not entered
    except _Unended:
        pass
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    if allowed.left < 0:
        raise InvalidInput("its calls run too many instructions to compare floats with exact numbers")
    unreported = codes if replaced else codes - {code for code, _ in places}
    if unreported:
        file, line = min((code.co_filename, code.co_firstlineno) for code in unreported)
        where = f"line {line} of {file_name(file)}"
        raise InvalidInput(f"at {where}, the interpreter did not report which instructions run")
    return places


def _line(place: Place) -> tuple[str, int]:
    """Return the file and line of an instruction."""
    code, offset = place
    lines = (line for start, end, line in code.co_lines() if start <= offset < end and line)
    return code.co_filename, next(lines, code.co_firstlineno)
