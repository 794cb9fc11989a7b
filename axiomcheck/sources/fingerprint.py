"""Compute the fingerprint of an external metric: its code, project files, installed packages and opened files."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.own_code import file_digest, own_folders
from axiomcheck.ledger.keys import decisive_versions
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers, outcome_of
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.declarations import OWN_FILE, WITNESSES, table_of
from axiomcheck.sources.dependencies import (
    InstalledDistributions,
    OpenedFiles,
    content_digest,
    files_of_project,
    loadable_beside,
    project_root,
    sources_of,
)
from axiomcheck.sources.digest import digest
from axiomcheck.sources.function_metrics import as_metric
from axiomcheck.sources.modules import is_installed, plain_name, site_folders
from axiomcheck.sources.names import package_of, read_name
from axiomcheck.sources.probes import CaseRange, random_block
from axiomcheck.sources.resolve import resolve

_PROBES = ((1, 1, 1), (4, 3, 1), (4, 3, 2))
"""(judged documents, ranked documents, aspects) of the rankings that a metric scores while its files are recorded."""


@dataclass(frozen=True)
class Fingerprint:
    """Digests of everything that the verdicts on a metric depend on, except the contract and axiomcheck itself.

    Args:
        code: Digest of the files that the metric loads and reads, except those of Python and installed libraries.
        packages: Versions of the installed packages that it loads, by distribution.
        surroundings: Digest of the metric object before it scores anything, all files of its project, all installed
            distributions, and the files of distributions that it loads.
        unkept: Reason why verdicts depend on more than these digests and hold for one run only. Empty if there is no
            such reason.
        files: Files in these digests; a folder stands for the names in it.
        stamp: Digest of the change times of these files. Verdicts do not depend on it.

    """

    code: str
    packages: Mapping[str, str]
    surroundings: str = ""
    unkept: str = ""
    files: tuple[str, ...] = ()
    stamp: str = ""

    @property
    def key(self) -> dict[str, object]:
        """Dependencies of the verdicts as JSON."""
        return {"code": self.code, "packages": dict(self.packages), "surroundings": self.surroundings}

    @property
    def is_current(self) -> bool:
        """True if no file was written after the fingerprint was taken, even with the same content."""
        return not self.files or _stamp(self.files) == self.stamp


def fingerprint(metric: str | Metric) -> Fingerprint:
    """Return the fingerprint of one metric. A metric given by name is loaded in its own worker process.

    Raises:
        InvalidInput: The name does not exist or cannot be loaded.
        MetricError: The metric hangs, crashes or raises an exception on a ranking of one document.

    """
    if isinstance(metric, Metric):
        return Fingerprint(_combined(_code_of_object(metric)), _packages())
    with Workers(1, Limits()) as workers:
        found = fingerprints([metric], workers)[metric]
    if isinstance(found, Exception):
        raise found
    return found


def fingerprints(
    names: Sequence[str], workers: Workers, seconds: float | None = None
) -> dict[str, Fingerprint | InvalidInput | MetricError]:
    """Return the fingerprints of external metrics, or the errors that loading and scoring them raised.

    Args:
        names: Names that `axiomcheck.sources.resolve.resolve` accepts.
        workers: Workers, each of which loads one metric. They must not have loaded any other metric before.
        seconds: Time limit in seconds if the run has a budget.

    """
    found: dict[str, Fingerprint | InvalidInput | MetricError] = {}
    if not names:  # for catalogue metrics only, installed packages need not be read
        return found
    # The workers do not preload the metrics' libraries, because the modules that a metric loads are recorded.
    asked = {name: workers.submit(load_and_score, name, seconds=seconds) for name in names}
    installed = InstalledDistributions.installed()
    for name, future in asked.items():
        try:
            found[name] = _fingerprint_of(outcome_of(future), installed)
        except (InvalidInput, MetricError) as error:
            found[name] = error
    return found


@dataclass(frozen=True)
class Loaded:
    """Record of loading and scoring a metric in its worker process.

    Args:
        code: Digests of parts without a file, by name.
        modules: (name, file) of loaded modules.
        new: Top-level packages of modules that were not already loaded by axiomcheck.
        own: Top-level packages with the metric's own code, installed or not.
        read, written: Opened files. See `axiomcheck.sources.dependencies.OpenedFiles`.
        identity: Digest of the metric before it scored anything.
        unkept: Reason why these fields do not determine the metric's behaviour; empty if they do.

    """

    code: dict[str, str]
    modules: tuple[tuple[str, str], ...]
    new: frozenset[str]
    own: frozenset[str]
    read: frozenset[str]
    written: frozenset[str]
    identity: str
    unkept: str


def load_and_score(name: str) -> Loaded:
    """Load a metric in a worker, score a few rankings, and return the record of the files and modules used.

    Raises:
        InvalidInput: The metric cannot be loaded.
        MetricError: The metric raises an exception on a ranking of one document.

    """
    before = set(sys.modules)
    opened = OpenedFiles(package_of(name).partition(".")[0])
    metric = resolve(name)
    identity, unread = _identity(metric)
    scale = CaseRange.of(metric)
    for judged, ranked, aspects in _PROBES:
        if (judged == 1 and metric.partial) or (aspects > 1 and not metric.applies_to_aspects()):
            continue
        with suppress(*([] if judged == 1 else [Exception])):  # the cells report rankings that the metric rejects
            block = random_block(scale, np.random.default_rng(judged), 1, judged, ranked, aspects)
            pool = np.ones_like(block.pool) if judged == 1 else block.pool
            metric.evaluate(pool, block.weights, block.order)
    opened.stop()
    modules = [
        (loaded, os.path.abspath(file))
        for loaded, module in sorted(sys.modules.copy().items())
        if loaded not in ("__main__", "__mp_main__") and (file := _file(module)) is not None
    ]
    code = _code_of_object(metric)
    if (said := table_of(read_name(name))) is not None:
        code["declared"] = repr(said[0])
    homes = [package_of(name)]
    if not isinstance(metric, LibraryMetric):  # the version of a library identifies its code
        homes += [type(metric).__module__, getattr(getattr(metric, "function", None), "__module__", None) or ""]
    return Loaded(
        code,
        tuple(modules),
        frozenset(loaded.partition(".")[0] for loaded, _ in modules if loaded not in before),
        frozenset(home.partition(".")[0] for home in homes) - {"axiomcheck"},
        frozenset(opened.read),
        frozenset(opened.written),
        identity,
        opened.reason or unread,
    )


def _identity(metric: Metric) -> tuple[str, str]:
    """Return the digest of a metric with its attributes, or an empty string and the reason why there is no digest.

    For a library's measure, the metric's name replaces the digest.
    """
    if isinstance(metric, LibraryMetric):
        return metric.canonical, ""
    try:
        return digest(as_metric(metric, "metric")), ""  # the digest covers the label
    except Exception:  # attributes that raise when read, or are infinitely nested
        return "", "has attributes that cannot be read"


def _fingerprint_of(loaded: Loaded, installed: InstalledDistributions) -> Fingerprint:
    """Build a fingerprint from a worker's record, and read the files in this process."""
    unkept = loaded.unkept
    modules = {file: name.partition(".")[0] for name, file in loaded.modules if not _is_python(file)}
    own = {file for file, top in modules.items() if top in loaded.own or not _in_site(file)}
    read = {source for path in loaded.read for source in sources_of(path) if not _is_python(source)} - loaded.written
    taken = {os.path.realpath(file): file for file in sorted({*own, *(path for path in read if not _in_site(path))})}
    installed_files = {file for file in {*modules, *read} - own if _in_site(file)}
    try:
        project = _files_of_projects(own) - {*taken, *loaded.written}
    except TimeoutError as error:
        project, unkept = set(), unkept or str(error)
    surroundings = [loaded.identity, installed.digest, _named_digests(project), _named_digests(installed_files)]
    files = tuple(sorted({*taken.values(), *project, *installed_files}))
    return Fingerprint(
        _combined(loaded.code | _named_digests(taken.values())),
        _packages(installed.providers(loaded.new & {top for file, top in modules.items() if _in_site(file)})),
        hashlib.sha256(repr(surroundings).encode()).hexdigest(),
        unkept,
        files,
        _stamp(files),
    )


def _named_digests(files: Iterable[str]) -> dict[str, str]:
    """Map each file to the digest of its contents.

    The keys are paths relative to the files' common folder, so that moving a project changes nothing.
    """
    paths = sorted(files)
    home = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""
    return {Path(path).relative_to(home).as_posix(): content_digest(path) for path in paths}


def _files_of_projects(own: Iterable[str]) -> set[str]:
    """Return the files of the projects and of the installed packages that contain a metric's modules.

    For a module outside of any project, these are the files that it can import from its own folder. The gate's contract
    and witnesses, which axiomcheck writes itself, are left out.
    """
    resolved = [Path(file).resolve() for file in own]
    roots = {file: project_root(file) for file in resolved if not _in_site(str(file))}
    found = {file for root in set(roots.values()) if root is not None for file in files_of_project(root)}
    found |= {beside for file, root in roots.items() if root is None for beside in loadable_beside(file)}
    for folder in map(Path, site_folders()):
        packages = {folder / file.relative_to(folder).parts[0] for file in resolved if file.is_relative_to(folder)}
        found |= {file for package in packages for file in package.rglob("*.py")}
    return {str(file) for file in found if file.name != OWN_FILE and WITNESSES not in file.parts}


def _stamp(files: Sequence[str]) -> str:
    found = []
    for file in sorted(files):
        with suppress(OSError):  # the digest records missing files
            status = os.stat(file)
            found.append((file, status.st_dev, status.st_ino, status.st_ctime_ns))
    return hashlib.sha256(repr(found).encode()).hexdigest()


def _code_of_object(metric: Metric) -> dict[str, str]:
    """Map each part of a metric's code (class, module of its function, library) to its digest."""
    parts, kind = {}, type(metric)
    if isinstance(metric, LibraryMetric):
        parts["library"] = metric.library
    elif not kind.__module__.startswith(("axiomcheck.sources.function_metrics", "axiomcheck.gating")):
        parts[f"class {kind.__qualname__}"] = module_digest(kind.__module__)
    home = getattr(getattr(metric, "function", None), "__module__", None)
    if isinstance(home, str) and home in sys.modules:
        parts[plain_name(home)] = module_digest(home)
    return parts


def _combined(parts: Mapping[str, str]) -> str:
    text = "\n".join(f"{name} {part}" for name, part in sorted(parts.items()))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def module_digest(name: str) -> str:
    """Return the digest of a loaded module's file, or the module's name if it has no file."""
    file = _file(sys.modules[name]) if name in sys.modules else None
    return file_digest(file) if file is not None else name


def _file(module: object) -> Path | None:
    file = getattr(module, "__file__", None) if isinstance(module, ModuleType) else None
    return Path(file) if isinstance(file, str) and Path(file).is_file() else None


@cache
def _in_site(file: str) -> bool:
    """Return True if a file is in a folder of installed packages."""
    resolved = Path(file).resolve()
    return any(resolved.is_relative_to(folder) for folder in site_folders())


@cache
def _is_python(file: str) -> bool:
    """Return True if a file belongs to the standard library or axiomcheck."""
    resolved = Path(file).resolve()
    if any(resolved.is_relative_to(folder) for folder in own_folders()):
        return True
    return is_installed(file) and not _in_site(file)


def _packages(distributions: Iterable[str] = ()) -> dict[str, str]:
    """Map distributions, including those that every metric depends on, to their installed versions."""
    from importlib.metadata import version

    found = {re.sub(r"[-_.]+", "-", name).lower() for name in distributions}
    return dict(sorted((decisive_versions() | {name: version(name) for name in found}).items()))
