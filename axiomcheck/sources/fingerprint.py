"""Fingerprints: what a verdict depends on that is not in the contract. The metric's code, its packages, axiomcheck."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import site
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from axiomcheck.core.digests import file_digest, own_folders
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.ledger.keys import decisive_versions
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers, outcome_of
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.declarations import table_of
from axiomcheck.sources.files import plain_name
from axiomcheck.sources.names import package_of, read_name
from axiomcheck.sources.resolve import resolve
from axiomcheck.sources.watching import CodeOf, Watch, taken


@dataclass(frozen=True)
class Fingerprint:
    """What the verdicts on one metric depend on besides the contract and axiomcheck.

    Args:
        code: digest of the metric's own code: every file that loading it and scoring two rankings loads, of its own
            package or outside the standard library and the installed packages, so that helpers which it imports count;
            and of the files that it reads meanwhile.
        packages: distribution -> version, of the installed packages that it loads.
        unkept: why verdicts depend on more than that, so that they hold for one run alone; empty if they do not.
        stamp: digest of when those files were last changed, in whatever way: it tells whether they were in between,
            and is no part of what verdicts depend on.

    """

    code: str
    packages: Mapping[str, str]
    unkept: str = ""
    stamp: str = ""

    @property
    def key(self) -> dict[str, Any]:
        """What verdicts depend on, as JSON has it."""
        return {"code": self.code, "packages": dict(self.packages)}


def fingerprint(metric: str | Metric, limits: Limits = Limits()) -> Fingerprint:  # noqa: B008 - immutable
    """The fingerprint of one metric, a name's in a worker process of its own.

    Raises:
        InvalidInput: the name is not there or cannot be loaded.
        MetricError: the metric hangs, crashes or raises on a ranking of one document.

    """
    if isinstance(metric, Metric):
        return Fingerprint(_combined(metric, {}), _packages(frozenset()))
    with Workers(1, limits) as workers:
        found = fingerprints([metric], workers)[metric]
    if isinstance(found, Exception):
        raise found
    return found


def fingerprints(names: Sequence[str], workers: Workers) -> dict[str, Fingerprint | InvalidInput | MetricError]:
    """The fingerprints of foreign metrics, or what is wrong with them.

    Args:
        names: as `axiomcheck.sources.resolve.resolve` takes them.
        workers: to load each in, which have loaded nothing for other metrics before.

    """
    found: dict[str, Fingerprint | InvalidInput | MetricError] = {}
    # Without naming the libraries that they need: what a metric loads is told by what was not loaded before.
    asked = {name: workers.submit(_of_name, name) for name in names}
    for name, future in asked.items():
        try:
            code, loaded, unkept, stamp = outcome_of(future, workers.limits)
            found[name] = Fingerprint(code, _packages(loaded), unkept, stamp)
        except (InvalidInput, MetricError) as error:
            found[name] = error
    return found


def _of_name(name: str) -> tuple[str, frozenset[str], str, str]:
    """In a worker: digest of the code and of what it reads, modules it loads, why not to keep it, when it changed."""
    before = set(sys.modules)
    watch = Watch()
    metric = resolve(name)
    # Modules that the metric imports when it is called count as well.
    if not metric.partial:
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64))
    with suppress(Exception):  # a metric that refuses this ranking has it in its cells
        _score_larger(metric)
    events = watch.end()
    parts = {}
    installed = set()
    modules = set()
    files = []
    own = _own_packages(metric, name)
    for loaded, module in sorted(sys.modules.items()):
        if loaded in ("__main__", "__mp_main__") or f"{loaded}.".startswith("axiomcheck."):
            continue
        file = _file(module)
        if file is None:
            continue
        resolved = file.resolve()
        modules.add(resolved)
        top = loaded.partition(".")[0]
        in_site = _within(resolved, _site_folders())
        if in_site and loaded not in before:
            installed.add(top)
        if top in own or not (in_site or _within(resolved, _standard_folders())):
            parts[plain_name(loaded)] = file_digest(file)
            files.append(file)
    if (said := table_of(read_name(name))) is not None:
        parts["declared"] = repr(said[0])
    whose = cache(partial(_whose, own))
    read, unkept = taken(events, whose)
    data = [Path(file) for file in read if whose(file) == "metric" and Path(file).resolve() not in modules]
    if data:  # by their paths from where all of them are, so that a project may be moved
        home = os.path.commonpath([file.parent for file in data])
        parts |= {f"reads {file.relative_to(home).as_posix()}": file_digest(file) for file in data}
    return _combined(metric, parts), frozenset(installed), unkept, _stamp([*files, *data])


def _stamp(files: Sequence[Path]) -> str:
    found = []
    for file in sorted(files):
        with suppress(OSError):  # that it is not there is in the digest
            status = file.stat()
            found.append((str(file), status.st_dev, status.st_ino, status.st_ctime_ns))
    return hashlib.sha256(repr(found).encode()).hexdigest()


def _whose(own: frozenset[str], file: str) -> CodeOf:
    """Whose a file is, of code or of data."""
    path = Path(file).resolve()
    if _within(path, own_folders()):
        return "axiomcheck"
    for folder in _site_folders():
        if path.is_relative_to(folder):
            return "metric" if path.relative_to(folder).parts[0].partition(".")[0] in own else "library"
    return "python" if _within(path, _standard_folders()) else "metric"


def _score_larger(metric: Metric) -> None:
    """Has a metric score 3 of 4 documents, with 2 aspects if it knows several."""
    pool = np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]])
    aspects = 2 if metric.applies_to_aspects() else 1
    metric.evaluate(pool[:, :, :aspects], np.full((1, aspects), 1 / aspects), np.array([[0, 1, 2]], dtype=np.int64))


def _own_packages(metric: Metric, name: str) -> frozenset[str]:
    """The top-level packages that are the metric's own code, installed or not: a version does not vouch for them."""
    homes = [package_of(name)]
    if not isinstance(metric, LibraryMetric):  # whose library has a version
        homes += [type(metric).__module__, getattr(getattr(metric, "function", None), "__module__", None) or ""]
    return frozenset(home.partition(".")[0] for home in homes)


def _combined(metric: Metric, parts: dict[str, str]) -> str:
    kind = type(metric)
    own = "axiomcheck.sources.own", "axiomcheck.gating"
    if isinstance(metric, LibraryMetric):
        parts["library"] = metric.library
    elif not kind.__module__.startswith(own):
        parts[f"class {kind.__qualname__}"] = module_digest(kind.__module__)
    function = getattr(metric, "function", None)
    home = getattr(function, "__module__", None)
    if isinstance(home, str) and home in sys.modules:
        parts.setdefault(plain_name(home), module_digest(home))
    text = "\n".join(f"{name} {digest}" for name, digest in sorted(parts.items()))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def module_digest(name: str) -> str:
    """Digest of a loaded module's file; of its name where it has none."""
    file = _file(sys.modules[name]) if name in sys.modules else None
    return file_digest(file) if file is not None else name


def _file(module: Any) -> Path | None:
    file = getattr(module, "__file__", None) if isinstance(module, ModuleType) else None
    return Path(file) if isinstance(file, str) and Path(file).is_file() else None


def _within(resolved: Path, folders: Sequence[Path]) -> bool:
    return any(resolved.is_relative_to(folder) for folder in folders)


@cache
def _site_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    named = [paths["purelib"], paths["platlib"], *site.getsitepackages(), site.getusersitepackages()]
    return tuple(Path(name).resolve() for name in dict.fromkeys(named))


@cache
def _standard_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return tuple(Path(name).resolve() for name in dict.fromkeys((paths["stdlib"], paths["platstdlib"])))


@cache
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _packages(modules: frozenset[str]) -> dict[str, str]:
    """Distribution -> version, of top-level modules and of what every metric depends on."""
    known = _distributions() if modules else {}
    found = {_normal(d) for name in modules for d in known.get(name, [])}
    return dict(sorted((decisive_versions() | {name: importlib.metadata.version(name) for name in found}).items()))
