"""Whether a function that was read again is plain: arithmetic on arrays, by names that mean the same in both readings.

What is said of code at every length of a ranking rests on a run in which the length is no number. Code that can tell
such a run from others, by any means at all, could do something else in it. Plain code has no means: it has no kinds, no
identities, no handlers and no functions but numpy's and its own.
"""

from __future__ import annotations

import builtins
import dis
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.numbers.arithmetic import float_of
from axiomcheck.numbers.natural import Number
from axiomcheck.sources.natural.numpy_names import is_replaced
from axiomcheck.sources.natural.reading import of_library

_INSTRUCTIONS = frozenset(
    (
        *("RESUME", "NOP", "CACHE", "EXTENDED_ARG", "POP_TOP", "COPY", "SWAP", "PUSH_NULL", "PRECALL", "KW_NAMES"),
        *("CALL", "CALL_KW", "NOT_TAKEN", "TO_BOOL", "LOAD_CONST", "LOAD_SMALL_INT", "RETURN_VALUE", "RETURN_CONST"),
        *("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"),
        *("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW", "STORE_FAST", "STORE_FAST_LOAD_FAST"),
        *("STORE_FAST_STORE_FAST", "UNPACK_SEQUENCE", "BUILD_TUPLE", "BUILD_SLICE", "BINARY_OP", "BINARY_SUBSCR"),
        *("BINARY_SLICE", "COMPARE_OP", "UNARY_NEGATIVE", "UNARY_NOT", "JUMP_FORWARD", "POP_JUMP_IF_FALSE"),
        *("POP_JUMP_IF_TRUE", "POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_FORWARD_IF_TRUE", "JUMP_IF_FALSE_OR_POP"),
        "JUMP_IF_TRUE_OR_POP",
    )
)
"""Whatever else the interpreter has: identity of objects, attributes that are set, imports, closures, loops."""

_OF_NUMPY = frozenset(
    (
        *("arange", "sum", "dot", "matmul", "where", "newaxis", "float64", "log", "log2", "log10", "log1p", "exp2"),
        *("power", "float_power", "square", "reciprocal", "add", "subtract", "multiply", "divide", "true_divide"),
        *("negative", "maximum", "minimum", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
        *("asarray", "zeros", "ones"),
    )
)
_OF_ARRAYS = frozenset(("shape", "ndim", "sum", "dot", "astype", "copy"))
_BUILTINS: dict[str, Any] = {"float": float, "len": len}
_PLAIN = (int, float, bool, str, type(None))


def not_plain(again: Any, original: Any) -> str:
    """What a function, or one that it may call, does besides plain arithmetic; empty where it does nothing.

    Args:
        again: the function as its source reads over exact numbers.
        original: as it was loaded.

    """
    pending, seen = [(again, original)], set()
    while pending:
        function, first = pending.pop()
        why = _unlike(function, first)
        if why:
            return why
        code = function.__code__
        if code in seen:
            continue
        seen.add(code)
        for instruction in dis.get_instructions(code):
            what = instruction.opname
            if what not in _INSTRUCTIONS:
                return f"{_where(code)} does more than arithmetic ({what})"
            if what in ("LOAD_ATTR", "LOAD_METHOD") and instruction.argval not in _OF_ARRAYS | _OF_NUMPY:
                return f"{_where(code)} asks for .{instruction.argval}"
            if what in ("LOAD_ATTR", "LOAD_METHOD") and is_replaced(instruction.argval):
                return f"{_where(code)} asks for .{instruction.argval}, which is not numpy's own any more"
            if what == "LOAD_GLOBAL":
                name = instruction.argval
                found = function.__globals__.get(name)
                if isinstance(found, FunctionType) and not name.startswith("exact ") and not _is_numpy(found):
                    pending.append((found, first.__globals__.get(name)))
                elif not _means_the_same(name, function.__globals__, first.__globals__):
                    return (
                        f"{_where(code)} uses {name}, which is no number, no function of its file and none known here"
                    )
    return ""


def _unlike(function: Any, first: Any) -> str:
    """Why two functions are no two readings of one plain function."""
    if type(function) is not FunctionType or type(first) is not FunctionType:
        return "what is called is no plain function"
    code = function.__code__
    if code.co_name == "<lambda>":
        return f"{_where(code)} is one of the functions without a name, of which a line may have several"
    if (code.co_filename, code.co_firstlineno, code.co_name) != (
        first.__code__.co_filename,
        first.__code__.co_firstlineno,
        first.__code__.co_name,
    ):
        return f"{_where(code)} was another function when it was loaded"
    if function.__defaults__ or function.__kwdefaults__ or code.co_exceptiontable or code.co_freevars:
        return f"{_where(code)} has defaults, handles errors or is made within another function"
    return ""


def _where(code: CodeType) -> str:
    return f"{code.co_name} in line {code.co_firstlineno} of {code.co_filename.rpartition('/')[2]}"


def _is_numpy(value: Any) -> bool:
    return any(value is vars(of_library("numpy")).get(name) for name in _OF_NUMPY)


def _means_the_same(name: str, again: dict[str, Any], original: dict[str, Any]) -> bool:
    """Whether a name that is no function of the file has one meaning in both readings, and a plain one."""
    if name.startswith("exact "):
        return True
    if name in _BUILTINS and name not in again and name not in original:
        return _builtin(original, name) is _BUILTINS[name]
    if name not in again or name not in original:
        return False
    found, first = again[name], original[name]
    if found is of_library("numpy"):
        return first is np
    if _is_numpy(found):
        named = [known for known in _OF_NUMPY if found is vars(of_library("numpy")).get(known)]
        return any(first is getattr(np, known) and not is_replaced(known) for known in named)
    if type(found) is Number:
        return type(found.raw) is fmpq and type(first) in (int, float) and float(first) == float_of(found.raw)
    return type(found) in _PLAIN and type(found) is type(first) and bool(found == first)


def _builtin(names: dict[str, Any], name: str) -> Any:
    own = names.get("__builtins__", builtins)
    return own.get(name) if isinstance(own, dict) else getattr(own, name, None)
