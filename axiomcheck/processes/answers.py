"""What a piece of work answers, as bytes that came from a process in which foreign code ran."""

from __future__ import annotations

import dataclasses
import enum
import io
import pickle
from importlib import import_module
from typing import Any

import numpy as np

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, OverLimit
from axiomcheck.processes.shape import misfit

MOST_BYTES = 2**28
"""Of an answer; a certificate has some kilobytes."""

_ERRORS: dict[str, type[AxiomcheckError]] = {
    kind.__name__: kind for kind in (MetricError, OverLimit, InvalidInput, InternalDisagreement)
}
_PLAIN = {"bool": bool, "int": int, "float": float, "set": set, "frozenset": frozenset}


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came of the work.

    Args:
        result: what it returned; if it raised, None or a partial result.
        error: what it raised, as one of axiomcheck's errors; None if it did not.

    """

    result: Any
    error: AxiomcheckError | None = None


def pack(result: Any, kind: type[AxiomcheckError] | None, message: str) -> bytes:
    """An answer as bytes.

    Args:
        result: what the work returned.
        kind: of the error that it raised, one of `MetricError`, `OverLimit`, `InvalidInput` and `InternalDisagreement`.
        message: of that error.

    """
    data = io.BytesIO()
    _Plain(data).dump((result, kind and kind.__name__, message))
    return data.getvalue()


def unpack(data: bytes, promised: Any = Any) -> Answer:
    """An answer, of bytes that are not trusted: nothing in them gets to run.

    Args:
        data: as `pack` makes them.
        promised: the type of the result.

    Raises:
        MetricError: they are no answer, or another result.

    """
    try:
        result, kind, message = _Careful(io.BytesIO(data)).load()
        error = _ERRORS[kind](message) if kind is not None else None
    except Exception as fault:  # whatever foreign bytes make of the reader
        raise MetricError(f"its process sent what is no answer ({type(fault).__name__})") from None
    wrong = misfit(message, str) or (misfit(result, promised) if error is None or result is not None else "")
    if wrong:
        raise MetricError(f"its process sent another answer than was asked for ({wrong})")
    return Answer(result, error)


class _Plain(pickle.Pickler):
    """Writes numpy's numbers as plain ones."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, np.bool_ | np.integer | np.floating):
            plain = value.item()
            return type(plain), (plain,)
        return NotImplemented


class _Careful(pickle.Unpickler):
    """Makes plain values, and the data classes and enumerations of axiomcheck."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins" and name in _PLAIN:
            return _PLAIN[name]
        if module.partition(".")[0] == "axiomcheck":
            found = getattr(import_module(module), name)
            if isinstance(found, type) and (dataclasses.is_dataclass(found) or issubclass(found, enum.Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} has no place in an answer")
