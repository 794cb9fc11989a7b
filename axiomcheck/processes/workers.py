"""Count the CPUs for worker processes, and test whether an object can be sent to such processes."""

from __future__ import annotations

import os
import pickle
import sys
from types import ModuleType


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def travels(work: object) -> bool:
    """Return whether an object can be sent to worker processes.

    Objects whose class or function is defined in the running script or notebook cannot be sent.
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        pickle.dumps(work)
    except Exception:  # the class of the exception depends on the object
        return False
    finally:
        sys.modules["__main__"] = program
    return True
