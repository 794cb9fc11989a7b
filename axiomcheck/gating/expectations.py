"""Say what a gate holds metrics to: the verdict expected per axiom, and what that was recorded with."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from axiomcheck.checks.contract import TOLERANCE
from axiomcheck.core.documents import Record
from axiomcheck.core.domain import Reading
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.processes.isolation import Limits
from axiomcheck.records.cells import Cell
from axiomcheck.sources.names import Home, read_name

MOST = 2**63 - 1
"""The largest integer of a TOML file."""

Limited = Annotated[int, Meta(ge=0, le=MOST)]
Filled = Annotated[str, Meta(pattern=r"\S")]

Expected: TypeAlias = Literal["holds", "violated", "incomparable", "undecided", "not-applicable"]
"""The expectations of an axiom. ``undecided`` is for thresholds of black boxes: no n settles every larger n."""


@dataclass(frozen=True)
class Expectation:
    """The expected verdict of one metric under one axiom.

    Args:
        reason: why a violation is all right; what somebody wrote, or the sentence on the witness.
        witness: the pinned counterexample of an expected violation, a document that nobody has read yet; None if none
            is pinned.

    """

    expect: Expected
    reason: str = ""
    witness: dict[str, Any] | None = None


@dataclass(frozen=True)
class MetricContract:
    """The expectations of one metric.

    Args:
        name: as the contract spells it; files are relative to the contract's directory.
        axioms: name -> expectation; empty where nothing was recorded yet, which stands for all ten.
        checks: contract checks that are expected to fail -> why that is all right. All others have to pass.
        applied: contract checks that applied when the contract was recorded, and still have to.
        reference: the name of a metric that it is to agree with.
        tolerance: how far apart the two may be.
        source: fingerprint of the metric's code when it was recorded; None if it never was.

    """

    name: str
    reading: Reading = field(default_factory=Reading)
    axioms: Mapping[str, Expectation] = field(default_factory=dict)
    checks: Mapping[str, str] = field(default_factory=dict)
    applied: tuple[str, ...] = ()
    reference: str | None = None
    tolerance: float = TOLERANCE
    source: str | None = None


class Recorded(Record):
    """The circumstances of a recording, so that a changed metric and a changed search can be told apart.

    Args:
        packages: distribution -> version, of those that the metrics load.

    """

    version: Filled
    seed: Limited
    examples: Limited
    packages: dict[str, str] = msgspec.field(default_factory=dict)


@dataclass(frozen=True)
class Contract:
    """A contract file.

    Args:
        limits: on each cell of a metric from outside the catalogue.
        recorded: None if it was never recorded.

    """

    path: Path
    settings: Settings
    limits: Limits
    witnesses: Path
    metrics: tuple[MetricContract, ...]
    recorded: Recorded | None = None

    @property
    def directory(self) -> Path:
        """The directory that names of files in the contract are relative to."""
        return self.path.parent

    def witness_path(self, metric: str, axiom: str) -> Path:
        """Return the file in which the witness of a cell is pinned."""
        return self.witnesses / f"{file_stem(metric)}-{axiom}.json"


def file_stem(metric: str) -> str:
    """Return a metric's name as part of a file's name."""
    return "".join(c if c.isalnum() or c in "-.=#@" else "_" for c in metric)


def expected_of(cell: Cell) -> Expected | None:
    """Return what to expect for a cell to be as it is; None for an error, which nothing expects."""
    if cell.verdict.satisfied:
        return "holds"
    known: dict[Verdict, Expected] = {
        Verdict.REFUTED: "violated",
        Verdict.INCOMPARABLE: "incomparable",
        Verdict.NOT_APPLICABLE: "not-applicable",
        Verdict.UNDECIDED: "undecided",
    }
    return known.get(cell.verdict)


def locate(contract: Contract, name: str) -> str:
    """Return a metric's or axiom's name from the current directory: a contract's files are relative to its own."""
    named = read_name(name)
    if named.home is not Home.FILE or Path(named.prefix).is_absolute() or contract.directory == Path.cwd():
        return name
    return f"{os.path.relpath(contract.directory / named.prefix)}:{named.name}"


def where(contract: Contract, metric: str) -> tuple[str, int]:
    """The file and line (from 1) of a metric's definition; of its entry in the contract if it is not in a file.

    The file is relative to the current directory where it is below it, with forward slashes.
    """
    named = read_name(metric)
    file = contract.directory / named.prefix
    if named.home is Home.FILE and file.is_file():
        return _shown(file), _line_of(file, named.name.partition(".")[0])
    line = 1
    for number, text in enumerate(_text(contract.path).splitlines(), start=1):
        if metric in text and text.lstrip().startswith("["):
            line = number
            break
    return _shown(contract.path), line


def _shown(file: Path) -> str:
    full = Path(os.path.abspath(file))  # not resolved: a link is shown where it is
    return (full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full).as_posix()


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _line_of(file: Path, name: str) -> int:
    try:
        body = ast.parse(_text(file)).body
    except (SyntaxError, ValueError) as error:
        return getattr(error, "lineno", None) or 1
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return node.lineno
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return node.lineno
    return 1
