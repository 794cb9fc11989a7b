"""Compute the fingerprint of a metric, which tells the gate and a cluster if the metric's code has changed."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.own_code import file_digest
from axiomcheck.ledger.keys import decisive_versions
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Workers, outcome_of
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.declarations import table_of
from axiomcheck.sources.modules import is_installed, plain_name
from axiomcheck.sources.names import package_of, read_name
from axiomcheck.sources.probes import CaseRange, random_block
from axiomcheck.sources.provenance import readable_identity
from axiomcheck.sources.resolve import resolve

_FORM = "files-sha256"
"""Prefix of `Fingerprint.code`. Digests with different prefixes were computed differently and cannot be compared."""

_PROBES = ((1, 1, 1), (4, 3, 1), (4, 3, 2))
"""(judged documents, ranked documents, aspects) of the rankings that a metric scores."""


@dataclass(frozen=True)
class Fingerprint:
    """Digests of a metric's code, and versions of installed packages.

    Neither covers files that the metric opens, environment variables or the clock.

    Args:
        code: Digest of the files of the modules that the metric loads and of its declarations. Modules of Python and of
            installed packages do not count, except those of the metric's own package.
        packages: Versions of the installed packages that it loads, by distribution, and of those on which every verdict
            depends.
        identity: Digest of the metric's code and attributes before it scored anything, including values that it read
            from files when it was loaded. It differs between versions of Python. None for catalogue metrics and for
            library measures, whose code the version of the library identifies.

    """

    code: str
    packages: Mapping[str, str]
    identity: str | None = None

    def is_comparable(self, code: str) -> bool:
        """Return True if another code digest was computed in the same way as this fingerprint's."""
        return code.partition(":")[0] == self.code.partition(":")[0]


def fingerprint_of_own(metric: Metric) -> Fingerprint:
    """Return the fingerprint of a metric in the catalogue."""
    file = Path(_file(sys.modules[type(metric).__module__]))
    return Fingerprint(_combined([f"{type(metric).__qualname__} {file_digest(file)}"]), _packages())


def fingerprints(
    names: Sequence[str], workers: Workers, seconds: float | None = None
) -> dict[str, Fingerprint | InvalidInput | MetricError]:
    """Return the fingerprints of external metrics, or the errors that loading and scoring them raised.

    Args:
        names: Names that `axiomcheck.sources.resolve.resolve` accepts.
        workers: Workers, each of which loads one metric. They must not have loaded any other metric before.
        seconds: Time limit in seconds if the run has a budget.

    """
    # The workers do not preload the metrics' libraries, because the modules that a metric loads are recorded.
    asked = {name: workers.submit(load_and_score, name, seconds=seconds) for name in names}
    found: dict[str, Fingerprint | InvalidInput | MetricError] = {}
    for name, future in asked.items():
        try:
            found[name] = outcome_of(future)
        except (InvalidInput, MetricError) as error:
            found[name] = error
    return found


def load_and_score(name: str) -> Fingerprint:
    """Load a metric in a worker, score a few rankings, and return its fingerprint.

    Raises:
        InvalidInput: The metric cannot be loaded.
        MetricError: The metric raises an exception on a ranking of one document.

    """
    before = set(sys.modules)
    metric = resolve(name)
    identity = None if isinstance(metric, LibraryMetric) else readable_identity(metric)
    _score_probes(metric)
    new = {loaded: _file(module) for loaded, module in sys.modules.copy().items() if loaded not in before}
    homes = _packages_of_code(metric, name)
    parts, libraries = [], set()
    for loaded, file in new.items():
        top = loaded.partition(".")[0]
        if file and is_installed(file):
            libraries.add(top)
        if file and (top in homes or not is_installed(file)):
            parts.append(f"{plain_name(loaded)} {file_digest(Path(file))}")
    if (said := table_of(read_name(name))) is not None:
        parts.append(f"declared {said[0]!r}")
    return Fingerprint(_combined(parts), _packages(libraries), identity)


def _score_probes(metric: Metric) -> None:
    """Score a few rankings, so that the modules that a metric imports only then are loaded.

    Raises:
        MetricError: The metric raises an exception on a ranking of one document. Other errors are ignored.

    """
    scale = CaseRange.of(metric)
    for judged, ranked, aspects in _PROBES:
        if (judged == 1 and metric.partial) or (aspects > 1 and not metric.applies_to_aspects()):
            continue
        with suppress(*([] if judged == 1 else [Exception])):  # the cells report rankings that the metric rejects
            block = random_block(scale, np.random.default_rng(judged), 1, judged, ranked, aspects)
            pool = np.ones_like(block.pool) if judged == 1 else block.pool
            metric.evaluate(pool, block.weights, block.order)


def _packages_of_code(metric: Metric, name: str) -> set[str]:
    """Return the top-level packages with a metric's own code, installed or not."""
    homes = [package_of(name)]
    if not isinstance(metric, LibraryMetric):
        homes += [type(metric).__module__, str(getattr(getattr(metric, "function", None), "__module__", ""))]
    return {home.partition(".")[0] for home in homes} - {"axiomcheck"}


def _file(module: object) -> str:
    """Return the path of a module's file, or an empty string if it has none."""
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) and Path(file).is_file() else ""


def _combined(parts: Iterable[str]) -> str:
    return f"{_FORM}:{hashlib.sha256(repr(sorted(parts)).encode()).hexdigest()}"


def _packages(modules: Iterable[str] = ()) -> dict[str, str]:
    """Map the distributions of top-level modules, and those that every metric depends on, to their versions."""
    from importlib.metadata import packages_distributions, version  # lazy: catalogue metrics load no others

    tops = {*modules} - {*sys.stdlib_module_names, "axiomcheck"}
    homes = packages_distributions() if tops else {}
    names = {name for top in tops for name in homes.get(top, ())}
    found = {re.sub(r"[-_.]+", "-", name).lower(): version(name) for name in names}
    return dict(sorted((decisive_versions() | found).items()))
