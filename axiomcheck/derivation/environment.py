"""Represent the local variables of a function call, and the ways in which a block of code can end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from axiomcheck.derivation.forms import Form
from axiomcheck.derivation.values import Value


@dataclass(frozen=True)
class Ending:
    """One way in which the body of a loop can end.

    Args:
        kind: ``next``, ``continue``, ``break`` or ``return``.
        guard: Indicator of this ending.
        names: Values of local names.
        value: Returned value.

    """

    kind: str
    guard: Form
    names: dict[str, Value]
    value: Value = None


@dataclass(frozen=True)
class Changed:
    """Result of a call that changes the values of its caller's names.

    Args:
        names: Changed values after the call, by the callee's parameter names.

    """

    names: dict[str, Value]


@dataclass(eq=False)
class Environment:
    """Namespace of a function call: its local names, and a lookup for other names.

    Args:
        names: Values by name.
        lookup: Function that returns the value of a name that is not local.
        made: Object whose ``__init__`` is being run unconditionally, and may set attributes.

    """

    names: dict[str, Value]
    lookup: Callable[[str], Value] = field(repr=False)
    made: Value = None

    def find(self, name: str) -> Value:
        """Return the value of a name, which may be local."""
        return self.names[name] if name in self.names else self.lookup(name)

    def copy(self) -> Environment:
        """Return a copy in which names can be set independently."""
        return Environment(dict(self.names), self.lookup)
