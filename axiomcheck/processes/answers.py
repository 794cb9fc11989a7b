"""Answers of pieces of work, as bytes that came from a process in which foreign code ran."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Optional

import msgspec
import numpy as np

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, OverLimit
from axiomcheck.core.printable import printable

MOST_BYTES = 2**28
"""Most bytes of an answer; a certificate has some kilobytes."""

ErrorKind = Literal["MetricError", "OverLimit", "InvalidInput", "InternalDisagreement"]

ERRORS: dict[ErrorKind, type[AxiomcheckError]] = {
    "InternalDisagreement": InternalDisagreement,
    "InvalidInput": InvalidInput,
    "OverLimit": OverLimit,
    "MetricError": MetricError,
}
"""The errors that work may end with, those of a narrower meaning first."""


@dataclass(frozen=True)
class Answer:
    """The outcome of a piece of work.

    Args:
        result: what it returned; if it raised, None or a partial result.
        error: what it raised, as one of axiomcheck's errors; None if it did not.

    """

    result: Any
    error: AxiomcheckError | None = None


def pack(result: object, kind: ErrorKind | None, message: str) -> bytes:
    """Return an answer as bytes: JSON, of which nothing gets to run where it is read.

    Args:
        result: what the work returned.
        kind: of the error that it raised.
        message: of that error.

    """
    return msgspec.json.encode((result, kind, message), enc_hook=_plain)


def _plain(value: object) -> object:
    """Return a number of numpy's as a plain one."""
    if isinstance(value, np.bool_ | np.integer | np.floating):
        return value.item()
    raise NotImplementedError


def unpack(data: bytes, promised: Any = Any) -> Answer:
    """Return an answer, of bytes that are not trusted.

    Args:
        data: as `pack` makes them.
        promised: the type of the result.

    Raises:
        MetricError: they are no answer, or another result.

    """
    try:
        text, kind, message = msgspec.json.decode(data, type=tuple[msgspec.Raw, ErrorKind | None, str])
        result = msgspec.json.decode(text, type=promised if kind is None else Optional[promised])  # noqa: UP045
    except msgspec.ValidationError as wrong:
        raise MetricError(f"its process sent another answer than was asked for ({printable(str(wrong))})") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise MetricError(f"its process sent what is no answer ({type(fault).__name__})") from None
    return Answer(result, None if kind is None else ERRORS[kind](message))
