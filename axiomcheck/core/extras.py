"""Libraries that axiomcheck does without until they are asked for: what to say where one is missing."""

from __future__ import annotations

import shlex
from importlib.metadata import requires

from axiomcheck.core.errors import InvalidInput


def not_installed(subject: str, library: str, extra: str = "") -> InvalidInput:
    """The error of something that cannot be done without a library, with the command that installs it.

    The command names the libraries themselves, which any index has, whatever axiomcheck was installed from.

    Args:
        subject: what needs it, such as ``"a picture"``.
        library: the name that people know it by.
        extra: the one of axiomcheck's extras that it belongs to; without one the library is all there is to install.

    """
    words = shlex.join(["pip", "install", *(requirements(extra) or [library])])
    return InvalidInput(f"{subject} needs {library}, which is not installed; get it with: {words}")


def requirements(extra: str) -> list[str]:
    """What an extra of axiomcheck is made of, as pip takes it; empty if there is no such extra."""
    wanted = _normalised(f"extra == '{extra}'")
    parts = (line.partition(";") for line in requires("axiomcheck") or ())
    return [requirement.strip() for requirement, _, marker in parts if _normalised(marker.strip()) == wanted]


def _normalised(marker: str) -> str:
    return marker.replace('"', "'").replace("_", "-")
