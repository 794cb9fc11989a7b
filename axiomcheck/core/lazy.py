"""Import flint on first use, because runs are scored in floats in less time than the import takes."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import flint as flint


def _lazy(name: str) -> ModuleType:
    """Return a module that is loaded when one of its attributes is first read or another module imports it."""
    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None:
        return __import__(name)
    spec.loader = loader = LazyLoader(spec.loader)
    module = sys.modules[name] = module_from_spec(spec)
    loader.exec_module(module)
    return module


if not TYPE_CHECKING:
    flint = _lazy("flint")
