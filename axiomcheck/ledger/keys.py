"""Keys: digests of all that an outcome depends on."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from functools import cache
from typing import Any

from axiomcheck.core.digests import engine_digest

DECISIVE = ("numpy", "python-flint", "scipy")
"""What every verdict depends on of axiomcheck's own requirements; another progress bar decides nothing."""


def key_of(**parts: Any) -> str:
    """The digest of what an outcome depends on: parts, axiomcheck's own files, and the packages that compute for it.

    Args:
        parts: by name, what JSON can hold, and bytes in it; the order of entries in an object does not matter.

    Raises:
        TypeError: a part of another kind.

    """
    text = json.dumps([engine_digest(), decisive_versions(), parts], sort_keys=True, default=_digest)
    return hashlib.sha256(text.encode()).hexdigest()


def _digest(part: Any) -> dict[str, str]:
    """What stands for bytes, which may be arrays of a million numbers."""
    if not isinstance(part, bytes):
        raise TypeError(f"a key depends on what JSON can hold, and bytes; found {type(part).__name__}")
    return {"bytes": hashlib.sha256(part).hexdigest()}


@cache
def decisive_versions() -> dict[str, str]:
    """Distribution -> version, of `DECISIVE`."""
    return {name: importlib.metadata.version(name) for name in DECISIVE}
