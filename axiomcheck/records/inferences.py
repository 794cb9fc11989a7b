"""Inferences: properties that a metric seems to have and does not declare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from axiomcheck.records.values import Text, Whole

About: TypeAlias = Literal[
    "cutoff", "binary_only", "levels", "single_aspect", "weights", "pool", "low", "high", "ideal", "monotone"
]


@dataclass(frozen=True)
class Declaration:
    """The declaration of a property, as an argument of the decorator and in TOML.

    Args:
        decorator: as an argument of `axiomcheck.metric`.
        toml: as an entry of the metric's table in axiomcheck.toml.

    """

    decorator: Text
    toml: Text


@dataclass(frozen=True)
class Inference:
    """A property that probes suggest and the metric does not declare; it is told and changes no verdict.

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
        """Say whether no probe shows the contrary."""
        return self.contrary is None
