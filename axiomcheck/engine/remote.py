"""What a worker of a cluster does: decides a task, if all that verdicts depend on is there as it is where it was asked.

The other side of `axiomcheck.engine.cluster`.
"""

from __future__ import annotations

import importlib.metadata
import pickle
import platform
import threading
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from axiomcheck.axioms import Axiom
from axiomcheck.core.digests import engine_digest
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.ownership import is_own_class
from axiomcheck.engine.cells import missing
from axiomcheck.engine.foreign import Isolated
from axiomcheck.engine.places import Found, Place, Report, ThisProcess
from axiomcheck.engine.received import SentCell
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.ledger.keys import decisive_versions
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.records.cells import failed
from axiomcheck.sources.digest import digest
from axiomcheck.sources.fingerprint import fingerprints

Circumstances: TypeAlias = Mapping[str, str]
"""What verdicts depend on besides their task: Python, a package or a piece of code by name -> its version or digest."""

Answer: TypeAlias = tuple[str, dict[str, str], list[SentCell]]
"""The worker's address, its circumstances, and the cells in the order of the task's metrics, as they left its search.

None where the circumstances are not those that were asked for. Plain values but for the cells: a worker of another
version sends none.
"""

_ALONE = threading.Lock()
"""Held while this process decides a cell: the precision of exact numbers and what is remembered of them are its own."""


@cache
def circumstances() -> Circumstances:
    """The circumstances in this process, of every task."""
    return {
        "Python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
        "axiomcheck": f"{importlib.metadata.version('axiomcheck')} ({engine_digest()[:16]})",
        "msgspec": importlib.metadata.version("msgspec"),
        **decisive_versions(),
    }


def code_of_axiom(axiom: Axiom) -> Circumstances:
    """Those of an axiom besides; nothing, where it is axiomcheck's own."""
    return {} if is_own_class(type(axiom)) else {f"the code of {axiom.name}": digest(axiom)}


def code_of_metric(metric: Foreign, workers: Workers) -> Circumstances:
    """Those of a foreign metric besides: its code, and the packages that it loads.

    Args:
        metric: itself.
        workers: to load it in.

    Raises:
        MetricError: it hangs, crashes or raises as it is loaded, which says nothing of its code.

    """
    name = metric.canonical
    found = fingerprints([name], workers)[name]
    if isinstance(found, MetricError):
        raise found
    if isinstance(found, InvalidInput):
        return {f"the code of {name}": f"none ({found})"}
    return {f"the code of {name}": found.code, **found.packages}


def decide_on_worker(expected: Circumstances, work: bytes) -> Answer:
    """In a worker of a cluster: the cells of a task.

    Args:
        expected: the circumstances under which they are to be decided.
        work: the task, and the limits on each cell of a foreign metric, pickled.

    """
    from distributed import get_worker

    where, found = get_worker().address, dict(circumstances())
    if any(expected.get(name) != has for name, has in found.items()):
        return where, found, []
    try:
        task, limits = pickle.loads(work)
    except (ImportError, AttributeError) as error:  # code from outside
        return where, found | {"the code of the task": f"none ({error})"}, []
    found |= code_of_axiom(task.axiom)
    for metric in task.metrics:
        try:
            found |= code_of_metric(metric, _keepers(limits)) if isinstance(metric, Foreign) else {}
        except MetricError as error:  # which says nothing of its code
            return where, dict(expected), in_error(task, error)
    if found != expected:
        return where, found, []
    if not task.own:
        return where, found, _decided(task, Isolated(_keepers(limits), 1))
    with _ALONE:
        return where, found, _decided(task, ThisProcess())


def in_error(task: Task, error: MetricError) -> list[SentCell]:
    """Return the cells of a task, all in error, of a metric from outside that cannot be loaded."""
    return [SentCell.of(failed(missing(metric, task.axiom), error)) for metric in task.metrics]


@cache
def _keepers(limits: Limits) -> Workers:
    """Where this process has foreign metrics loaded and run, until it ends: to start them takes longer than a cell."""
    return Workers(usable_cpus(), limits)


def _decided(task: Task, place: Place) -> list[SentCell]:
    one = _One(task)
    place.decide(one)
    return [one.found[metric.canonical] for metric in task.metrics]


class _One:
    """A queue of one task, and its cells by the names of metrics."""

    def __init__(self, task: Task) -> None:
        self._left: Task | None = task
        self.found: dict[str, SentCell] = {}

    def next(self) -> Task | None:
        """See `axiomcheck.engine.places.Queue`."""
        task, self._left = self._left, None
        return task

    def hear(self, report: Report) -> None:
        """See `axiomcheck.engine.places.Queue`."""
        if isinstance(report, Found):
            self.found[report.cell.metric] = SentCell.of(report.cell)
