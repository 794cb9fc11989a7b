"""Trace real runs of a function, and compare its local variables with those that its derivation computed.

A derivation runs the source of a function by its own rules. Before each statement it records the values that do not
depend on grades: constants, and the lengths of lists. Python then runs the same function. At each statement, its
variables must have one of the recorded values, and it must execute no statement that the derivation did not execute. A
wrong rule is therefore found even if the scores of the compared rankings are equal.

The runs must also reach all code that the derivation has followed: each statement, each branch of a conditional
expression, each operand of ``and`` and ``or``, and each element of a comprehension. A special case that no compared
ranking reaches could be wrong without a difference in scores.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isclose
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeAlias

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import ASPECTS, LENGTH, POOL, Form
from axiomcheck.derivation.functions import LocalObject
from axiomcheck.numbers.open_numbers import OpenNumber


class _Unknown:
    """Value that depends on grades, or that is not compared."""


_UNKNOWN = _Unknown()


@dataclass(frozen=True)
class _Sized:
    """List or array for which only the length is known."""

    length: Form


_Span: TypeAlias = tuple[tuple[int, int], tuple[int | None, int | None]]
"""(line, column) of the start and of the end of an expression or a statement."""


@dataclass
class Visits:
    """Record of a derivation: the statements that it executed, and the local variables before each of them.

    Args:
        lines: File and line -> name of a variable -> its values in the visits of this line.
        times: File and line -> number of visits.
        choices: File and expression -> True if the derivation ever evaluated this operand of ``and`` or ``or``, or this
            branch of a conditional expression. The body of a lambda that was called counts as a branch.
        begun: File and first line of each visited statement, operand or branch.
        followed: File and statement, if the statement computes something.

    """

    lines: dict[tuple[str, int], dict[str, list[Any]]] = field(default_factory=dict)
    times: dict[tuple[str, int], int] = field(default_factory=dict)
    choices: dict[tuple[str, _Span], bool] = field(default_factory=dict)
    begun: set[tuple[str, int]] = field(default_factory=set)
    followed: set[tuple[str, _Span]] = field(default_factory=set)

    def note(self, file: str, statement: ast.stmt, names: Mapping[str, v.Value]) -> None:
        """Record the local variables before a statement is executed.

        The variables are not recorded for loops and with statements, because Python reaches their lines again later.
        """
        if not file or not hasattr(statement, "lineno"):
            return  # a rule has added this statement or its function
        place = file, statement.lineno
        is_constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (is_constant or isinstance(statement, _COMPUTING_NOTHING)):
            self.followed.add((file, _span(statement)))
        if isinstance(statement, ast.For | ast.While | ast.With):
            names = {}
        self.times[place] = self.times.get(place, 0) + 1
        self.begun.add(place)
        noted = self.lines.setdefault(place, {})
        for name, value in names.items():
            noted.setdefault(name, []).append(_known(value))

    def reach(self, frame: FrameType | None) -> bool:
        """Return True if a derivation visited the function of a frame, or of a frame that called it.

        An object that a file creates exists before a derivation begins, so that its ``__init__`` is not visited.
        """
        while frame is not None:
            code = frame.f_code
            if any((code.co_filename, line) in self.begun for *_, line in code.co_lines() if line is not None):
                return True
            frame = frame.f_back
        return False

    def choose(self, file: str, branch: ast.expr, evaluated: bool) -> None:
        """Record whether a derivation evaluated an operand or branch of an expression."""
        if not file:
            return
        place = file, _span(branch)
        self.choices[place] = evaluated or self.choices.get(place, False)
        self.begun.add((file, branch.lineno))

    def leave_out(self, file: str, loop: ast.For | ast.While, shorter: ast.For) -> None:
        """Record statements that the derivation removed from a loop as visited, without known variables."""
        kept = set(ast.walk(shorter))
        for inner in (x for statement in loop.body for x in ast.walk(statement)):
            if isinstance(inner, ast.stmt) and inner not in kept:
                self.note(file, inner, {})
                self.followed.discard((file, _span(inner)))

    def other_value(self, file: str, line: int, names: Mapping[str, Any], sizes: Mapping[Form, int]) -> str:
        """Find a local variable whose real value contradicts the recorded ones; return its name, or ''.

        Args:
            file: File of the statement.
            line: Line of the statement, which has been visited.
            names: Real values of the local variables.
            sizes: Values of the lengths.

        """
        for name, values in self.lines[file, line].items():
            always = len(values) == self.times[file, line]  # else the variable had no value in one of the visits
            if always and name in names and not any(_agrees(value, names[name], sizes) for value in values):
                return name
        return ""


_COMPUTING_NOTHING = (ast.Break, ast.Continue, ast.Pass, ast.Raise, ast.Global, ast.Nonlocal)


def _span(node: ast.stmt | ast.expr) -> _Span:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _known(value: v.Value) -> Any:
    """Convert a derivation's value to plain Python, with placeholders for parts that depend on grades."""
    if isinstance(value, OpenNumber):
        return _UNKNOWN
    if value is None or isinstance(value, bool | int | Fraction | str):
        return value
    if isinstance(value, tuple):
        return tuple(_known(x) for x in value)
    if isinstance(value, dict):
        return {key: _known(x) for key, x in value.items()}
    if isinstance(value, LocalObject):
        return _Attributes({name: _known(x) for name, x in value.attributes.items()})
    if isinstance(value, v.Documents) and value.keep is None:
        return _Sized(value.axis.length)
    if not isinstance(value, v.Array) or value.keep is not None or value.nested > 1 or value.keyed:
        return _UNKNOWN
    if not value.axes:
        return _UNKNOWN if value.form.constant is None else _known(value.form.constant)
    return _Sized(value.axes[0].length) if value.listed else _UNKNOWN


@dataclass(frozen=True)
class _Attributes:
    """Attributes of an object that the code created."""

    values: Mapping[str, Any]


def _agrees(known: Any, real: Any, sizes: Mapping[Form, int]) -> bool:
    """Return False if a real value contradicts a recorded one; values of an unexpected type are not compared."""
    if known is _UNKNOWN:
        return True
    if isinstance(known, _Sized):
        expected = sizes.get(known.length, known.length.constant)
        return expected is None or not isinstance(real, list | tuple | set | dict) or len(real) == expected
    if isinstance(known, _Attributes):
        held = getattr(real, "__dict__", {})
        return all(_agrees(value, held[name], sizes) for name, value in known.values.items() if name in held)
    is_row = isinstance(real, list | tuple) or (isinstance(real, np.ndarray) and real.ndim > 0)
    if isinstance(known, tuple) and is_row:
        return len(real) == len(known) and all(_agrees(x, y, sizes) for x, y in zip(known, real, strict=True))
    if isinstance(known, dict) and type(real) is dict:
        return list(real) == list(known) and all(_agrees(known[key], real[key], sizes) for key in known)
    if not (real is None or isinstance(real, int | float | str | np.generic)):
        return known is not None
    if known == real or isinstance(known, str | None) or not isinstance(real, int | float | np.number):
        return bool(known == real)
    with suppress(OverflowError, TypeError):  # integers beyond the range of floats, complex numbers
        return isclose(known, real, rel_tol=1e-9, abs_tol=1e-12)
    return False


@dataclass
class Executed:
    """Instructions that traced runs have executed.

    Args:
        offsets: Code object -> offsets of its instructions.
        count: Number of executed instructions.

    """

    offsets: dict[CodeType, set[int]] = field(default_factory=dict)
    count: int = 0


def contradiction(visits: Visits, run: Callable[[], object], sizes: tuple[int, int, int], executed: Executed) -> str:
    """Run a function in floats under a trace; return where and how it first contradicts its derivation, or ''.

    Args:
        visits: Record of the derivation.
        run: Call of the function in floats.
        sizes: Number of ranked documents, of judged documents and of aspects.
        executed: Instructions that earlier runs have executed; those of this run are added.

    """
    found: list[str] = []
    known_sizes = dict(zip((LENGTH, POOL, ASPECTS), sizes, strict=True))
    files = {file for file, _ in visits.begun}
    offsets: dict[CodeType, set[int]] = {}
    skipped = [place for place, evaluated in visits.choices.items() if not evaluated]

    def in_function(frame: FrameType, event: str, argument: object) -> Any:
        file, line = frame.f_code.co_filename, frame.f_lineno
        place, reason = f"line {line} of {Path(file).name}", ""
        if event == "opcode":
            executed.offsets[frame.f_code].add(frame.f_lasti)
            executed.count += 1
            if frame.f_lasti in offsets[frame.f_code]:
                reason = "it evaluates an expression that the derivation skips"
        elif event == "line" and (file, line) in visits.times:
            name = visits.other_value(file, line, frame.f_locals, known_sizes)
            reason = name and f"its variable {name} has a different value than in the derivation"
        elif event == "line" and line in _lines_of_statements(file, tuple(linecache.getlines(file))):
            reason = "it executes a statement that the derivation skips"
        found.extend([f"{place}: {reason}"] * bool(reason))
        return None if found else in_function

    def at_call(frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if found or code.co_filename not in files or not visits.reach(frame):
            return None
        if code not in offsets:
            offsets[code] = _offsets_in(code, skipped)
            executed.offsets.setdefault(code, set())
        frame.f_trace_opcodes = True
        frame.f_trace_lines = not code.co_name.startswith("<")  # comprehensions and lambdas have no statements
        return in_function

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        run()
    finally:
        sys.settrace(before)
    return found[0] if found else ""


def unreached(visits: Visits, executed: Executed) -> str:
    """Return the place of the first code that a derivation followed but no traced run executed, or '' if there is none.

    Args:
        visits: Record of the derivation.
        executed: Instructions that the traced runs have executed.

    """
    spans: dict[str, set[Any]] = {}
    for code, offsets in executed.offsets.items():
        positions = list(code.co_positions())
        spans.setdefault(code.co_filename, set()).update(_places(positions[offset // 2] for offset in offsets))
    asked = visits.followed | {place for place, evaluated in visits.choices.items() if evaluated}
    for file, (begin, end) in sorted(asked):
        if any(begin <= first and last <= end for first, last in spans.get(file, ())):
            continue
        compiled = _instructions(file, tuple(linecache.getlines(file)))
        lines = range(begin[0], (end[0] or begin[0]) + 1)
        if any(begin <= first and last <= end for line in lines for first, last in compiled.get(line, ())):
            return f"line {begin[0]} of {Path(file).name}"  # else Python compiles this code to no instruction
    return ""


def _places(positions: Iterable[tuple[int | None, ...]]) -> Iterator[Any]:
    """Yield the start and the end of each instruction's source code, if Python knows both."""
    for line, end_line, column, end_column in positions:
        if None not in (line, end_line, column, end_column):
            yield (line, column), (end_line, end_column)


@lru_cache(maxsize=64)
def _instructions(file: str, lines: tuple[str, ...]) -> dict[int, list[Any]]:
    """Compile a file; return the start and the end of each instruction's source code, by the line of the start."""
    found: dict[int, list[Any]] = {}
    codes = [compile("".join(lines), file, "exec", dont_inherit=True)]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for first, last in _places(code.co_positions()):
            found.setdefault(first[0], []).append((first, last))
    return found


def _offsets_in(code: CodeType, branches: Sequence[tuple[str, _Span]]) -> set[int]:
    """Return the offsets of the instructions in a code object that belong to the given expressions."""
    offsets = set()
    for number, (line, end_line, column, end_column) in enumerate(code.co_positions()):
        span: Any = (line, column), (end_line, end_column)
        known = None not in (line, column, end_line, end_column)
        if known and any(
            begin <= span[0] and span[1] <= end for file, (begin, end) in branches if file == code.co_filename
        ):
            offsets.add(2 * number)
    return offsets


@lru_cache(maxsize=64)
def _lines_of_statements(file: str, lines: tuple[str, ...]) -> frozenset[int]:
    """Return the lines on which the statements of a file begin."""
    tree = ast.parse("".join(lines), file)
    return frozenset(node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt))
