"""Make clocks read a later time, and change the process id, in a process that is discarded afterwards."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

SHIFTS = tuple(
    datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    for days, hours, minutes, seconds in ((1, 1, 1, 1), (183, 12, 30, 30), (396, 6, 17, 7))
)
"""Amounts of time by which clocks are put forward. The first changes the parity of seconds, minutes, hours and
weekdays."""

_PLACES = (time, datetime, os)
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_OF_SECONDS = ("localtime", "gmtime", "ctime")


def put_clocks_forward(by: datetime.timedelta) -> None:
    """Make Python's clocks read a later time, and `os.getpid` return a different id, until this process ends.

    The id is the parent's plus the number of days, so that `SHIFTS` give odd and even ids to forks of one process.
    The clocks are replaced in their own modules, and wherever modules outside the standard library refer to them.
    Compiled code, such as ``numpy.datetime64("now")``, still reads the present time.
    """
    changed = _changed(by)
    by_id = {id(original): later for original, later in changed}
    outside = [module for name, module in list(sys.modules.items()) if _is_outside(name)]
    for names in (vars(module) for module in (*_PLACES, *outside) if isinstance(module, ModuleType)):
        names.update({name: by_id[id(value)] for name, value in list(names.items()) if id(value) in by_id})


def _is_outside(module: str) -> bool:
    """Return whether a module is outside the standard library and this package, which both need the true time."""
    root = module.partition(".")[0]
    return root == "__main__" or root not in ("axiomcheck", *sys.stdlib_module_names)


def _changed(by: datetime.timedelta) -> list[tuple[Any, Any]]:
    """Return the functions and classes that tell the time or the process id, each with its replacement."""
    seconds, now, local, text = by.total_seconds(), time.time, time.localtime, time.strftime
    changed: list[tuple[Any, Any]] = [(os.getpid, lambda process=os.getppid() + by.days: process)]  # noqa: B008 - computed once
    for name in _CLOCKS:
        clock, exact = getattr(time, name), getattr(time, f"{name}_ns")
        changed.append((clock, lambda clock=clock: clock() + seconds))
        changed.append((exact, lambda clock=exact: clock() + int(seconds * 10**9)))
    for name in _OF_SECONDS:
        told = getattr(time, name)
        changed.append((told, lambda at=None, told=told: told(now() + seconds if at is None else at)))
    changed.append((text, lambda form, at=None: text(form, local(now() + seconds) if at is None else at)))
    when, day = datetime.datetime, datetime.date
    moments: dict[str, Callable[..., object]] = {
        "now": lambda cls, tz=None: when.now(tz) + by,
        "utcnow": lambda cls: when.now(datetime.UTC).replace(tzinfo=None) + by,
        "today": lambda cls: when.now() + by,
    }
    days: dict[str, Callable[..., object]] = {"today": lambda cls: (when.now() + by).date()}
    return [*changed, (when, _like(when, moments)), (day, _like(day, days))]


def _like(real: type, methods: dict[str, Callable[..., object]]) -> type:
    """Return a class with the same instances, and with some class methods replaced."""

    class Instances(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, real)

    return Instances(real.__name__, (real,), {name: classmethod(method) for name, method in methods.items()})
