"""What probes say of a metric that does not declare it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from axiomcheck.records.values import Text, Whole

About: TypeAlias = Literal[
    "cutoff", "binary_only", "levels", "single_aspect", "weights", "pool", "low", "high", "ideal", "monotone"
]


@dataclass(frozen=True)
class Declaration:
    """How something is declared.

    Args:
        decorator: as an argument of `axiomcheck.metric`.
        toml: as an entry of the metric's table in axiomcheck.toml.

    """

    decorator: Text
    toml: Text


@dataclass(frozen=True)
class Inference:
    """What probes say of a metric that does not declare it, which is told and changes no verdict.

    Args:
        about: the name of the declaration.
        says: what no probe contradicts, or what one shows to the contrary.
        probes: how many there were.
        contrary: the one that shows it, a topic with rankings and their scores; None if none does.
        declare: how to declare it; None where a probe contradicts it, or where there is nothing to declare.

    """

    about: About
    says: Text
    probes: Whole
    contrary: dict[str, Any] | None
    declare: Declaration | None

    @property
    def seems_so(self) -> bool:
        """Whether no probe shows the contrary."""
        return self.contrary is None
