"""Exceptions that axiomcheck raises deliberately. Any other exception is a bug in axiomcheck."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST_KNOWN = 20
"""Maximum number of known names that an error message lists."""


class AxiomcheckError(Exception):
    """Base class of all exceptions that axiomcheck raises deliberately."""


class InvalidInput(AxiomcheckError, ValueError):
    """Raised for an invalid argument or file. The message says what is wrong, where, and what is expected."""


def raised(error: BaseException, how: str = "") -> str:
    """Format an exception as its class name, ``how``, its message and its notes, which may name the line of code."""
    notes = ", ".join(getattr(error, "__notes__", ()))
    return f"{type(error).__name__}{how}: {error}" + (f" ({notes})" if notes else "")


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question such as ``did you mean RBP?`` for an unknown name, or "" if no known name is similar."""
    import difflib  # lazy: only errors need it

    folded = {n.casefold(): n for n in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)
    return f"did you mean {', '.join(folded[n] for n in near)}?" if near else ""


def check_flags(where: str, **flags: object) -> None:
    """Check that flags are bools, and not values such as the text "no", which is truthy.

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
    """Raised for an unknown name, such as that of a metric, axiom or parameter. The message suggests known names.

    Args:
        kind: What is named, such as ``"metric"``.
        name: Unknown name.
        known: All accepted names.

    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        more = f" and {len(names) - _MOST_KNOWN} more" if len(names) > _MOST_KNOWN + 1 else ""
        near = meant(name, names) or meant(re.split(r"[\[({=:,; ]", name)[0], names)
        listed = f"known: {', '.join(names[:_MOST_KNOWN] if more else names)}{more}"
        hint = near or (listed if names else "it has none")
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class MetricError(AxiomcheckError):
    """Raised if a metric raises an exception or returns something other than one finite number per ranking."""


class OverLimit(MetricError):
    """Raised if a metric exceeds a limit on time or memory, or its process dies."""


class InternalDisagreement(AxiomcheckError):
    """Raised if two parts of axiomcheck contradict each other, which is a bug in axiomcheck and not in the metric."""


class NotRational(AxiomcheckError):
    """Raised if a number that must be rational is not, such as a logarithmic discount in exact arithmetic."""
