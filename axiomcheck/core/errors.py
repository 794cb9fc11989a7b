"""Define the exceptions that axiomcheck raises deliberately. Any other exception is a bug in axiomcheck."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST_KNOWN = 20
"""Maximum number of known names that an error lists."""


class AxiomcheckError(Exception):
    """Base class of all exceptions that axiomcheck raises deliberately."""


class InvalidInput(AxiomcheckError, ValueError):
    """Raised for an invalid argument or file. The message says what is wrong, where, and what is expected."""


def raised(error: BaseException, how: str = "") -> str:
    """Return the class name, message and notes of an error as text. A note may name the line that raised the error."""
    notes = ", ".join(getattr(error, "__notes__", ()))
    return f"{type(error).__name__}{how}: {error}" + (f" ({notes})" if notes else "")


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question such as ``did you mean RBP?`` for an unknown name; empty if no known name is similar."""
    import difflib  # lazy: only errors need it

    folded = {n.casefold(): n for n in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)
    return f"did you mean {', '.join(folded[n] for n in near)}?" if near else ""


def check_flags(where: str, **flags: object) -> None:
    """Check that flags are True or False, and not, for example, the truthy text "no".

    Args:
        where: Beginning of the error message.
        flags: Values by name.

    Raises:
        InvalidInput: A value is not a bool.

    """
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise InvalidInput(f"{where}: {name} is {value!r:.60}; expected True or False")


class UnknownName(InvalidInput):
    """Raised for an unknown name of a metric, axiom or parameter.

    Args:
        kind: Kind of name, such as ``"metric"``.
        name: The unknown name.
        known: All accepted names.

    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        more = f" and {len(names) - _MOST_KNOWN} more" if len(names) > _MOST_KNOWN + 1 else ""
        near = meant(name, names) or meant(re.split(r"[\[({=:,; ]", name)[0], names)
        hint = near or f"known: {', '.join(names[:_MOST_KNOWN] if more else names)}{more}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class MetricError(AxiomcheckError):
    """Raised when a metric raises an exception, or does not return one finite number per ranking."""


class OverLimit(MetricError):
    """Raised when a metric exceeds a limit on time or memory, or its process dies."""


class InternalDisagreement(AxiomcheckError):
    """Raised when two parts of axiomcheck contradict each other: a bug in axiomcheck, not in the metric."""


class NotRational(AxiomcheckError):
    """Raised for an irrational number, such as a logarithmic discount, where an exact rational is required."""
