"""What is installed: the standard library, axiomcheck itself, and packages in this environment."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from importlib import import_module
from importlib.machinery import PathFinder


@functools.cache
def is_installed(file: str) -> bool:
    """Whether a file of code is of the standard library, of axiomcheck or of an installed package."""
    if file.startswith("<frozen "):
        return True
    real = os.path.realpath(file)
    return any(real.startswith(folder + os.sep) for folder in _folders())


@functools.cache
def _folders() -> frozenset[str]:
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("purelib", "platlib", "stdlib", "platstdlib")]
    for name in ("axiomcheck", "axiomcheck.axioms", "axiomcheck.metrics"):
        folders += [folder for folder in import_module(name).__path__ if os.path.isdir(folder)]
    return frozenset(os.path.realpath(folder) for folder in folders)


def installed_places(top: str) -> list[str]:
    """Where a top-level module of the standard library or an installed package lies; empty if none is called so."""
    if top in sys.stdlib_module_names:
        return [""]
    spec = getattr(sys.modules.get(top), "__spec__", None) or PathFinder.find_spec(top)
    places = list((spec.submodule_search_locations or [spec.origin]) if spec is not None else [])
    return [os.path.realpath(place) for place in places if place is not None and is_installed(place)]
