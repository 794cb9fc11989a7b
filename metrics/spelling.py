"""Split metric names such as ``RBP(p=0.9)@10`` into the name itself, the parameters and the cutoff."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from axiomcheck.core.errors import InvalidInput

_PATTERN = re.compile(r"(?P<name>[^()]+?)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:@(?P<cutoff>[^@()]*))?")


@dataclass(frozen=True)
class Spelling:
    """Name of a metric, which need not exist, split into its parts.

    Args:
        text: Complete text, such as ``RBP(p=0.9)@10``.
        name: Text before parameters and cutoff.
        inside: Text inside the parentheses; empty if there are none.
        after: Text after the ``@``; None if there is no ``@``.

    """

    text: str
    name: str
    inside: str
    after: str | None

    @property
    def is_plain(self) -> bool:
        """True if the text has neither parameters nor a cutoff."""
        return not self.inside and self.after is None

    def parameters(self) -> dict[str, str]:
        """Return the text of each parameter's value, keyed by the parameter's name.

        Raises:
            InvalidInput: A parameter is not written as ``name=value``, or occurs twice.

        """
        given: dict[str, str] = {}
        for part in filter(None, (p.strip() for p in self.inside.split(","))):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or not key or not value or key.endswith("_"):
                raise InvalidInput(f"cannot read {part!r} in metric {self.text!r}; expected parameter=value")
            if key in given:
                raise InvalidInput(f"parameter {key!r} appears twice in metric {self.text!r}")
            given[key] = value
        return given

    def cutoff(self) -> int | Literal["default"] | None:
        """Return the cutoff, None for ``inf``, or ``"default"`` if the text has no cutoff.

        Raises:
            InvalidInput: The cutoff is neither an integer of at most nine digits nor ``inf``.

        """
        after = self.after
        if after is None:
            return "default"
        if after.strip() == "inf":
            return None
        if not (after.isascii() and after.strip().isdecimal()) or len(after) > 9:
            raise InvalidInput(
                f"cannot read cutoff {after!r} in metric {self.text!r}; expected an integer k >= 1 or inf"
            )
        return int(after)


def spelled(text: str) -> Spelling | None:
    """Split the name of a metric into its parts; return None if the text cannot be a name."""
    match = _PATTERN.fullmatch(text.strip())
    return None if match is None else Spelling(text, match["name"].strip(), match["parameters"] or "", match["cutoff"])


def bare(label: str) -> str:
    """Remove parameters and cutoff from a label: ``mine.py:MyRBU(p=0.9)@10`` becomes ``mine.py:MyRBU``."""
    home, colon, typed = label.rpartition(":")
    said = spelled(typed)
    return home + colon + (said.name if said else typed)
