"""Define the contents of a contract: expected verdicts, and the versions and settings used to record them."""

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
from axiomcheck.core.writing import file_stem
from axiomcheck.decide.budgets import Settings
from axiomcheck.processes.limits import Limits
from axiomcheck.records.cells import Cell
from axiomcheck.sources.names import Home, read_name

TODO = "TODO"
"""Placeholder for a reason that a user has yet to write. The gate rejects a contract that contains it."""

MOST = 2**63 - 1
"""Largest integer that a TOML file can contain."""

Limited = Annotated[int, Meta(ge=0, le=MOST)]
Filled = Annotated[str, Meta(pattern=r"\S")]

Expected: TypeAlias = Literal["holds", "violated", "incomparable", "undecided", "not-applicable"]
"""Expected result of an axiom. A threshold axiom on a black box is ``undecided``, whatever n were tested."""


@dataclass(frozen=True)
class Expectation:
    """Expected verdict for one metric and one axiom.

    Args:
        expect: Expected result.
        reason: Reason why a violation is acceptable: the user's words, or the sentence about its witness.
        witness: Pinned counterexample for an expected violation, as a document that is not yet validated, or None.

    """

    expect: Expected
    reason: str = ""
    witness: dict[str, Any] | None = None


@dataclass(frozen=True)
class MetricContract:
    """Expectations for one metric.

    Args:
        name: Name in the contract, in which file paths are relative to the contract's directory.
        reading: Regime and domain.
        axioms: Expectations by axiom. If it is empty, nothing has been recorded yet, and all ten axioms are decided.
        checks: Map from each contract check that is expected to fail to the reason. All other checks have to pass.
        applied: Contract checks that applied when the contract was recorded. It is a failure if they no longer apply.
        reference: Name of the metric that this metric should agree with, or None.
        tolerance: Largest allowed difference from the reference.
        source: Fingerprint of the metric's code at the last recording; None if the metric was never recorded.

    """

    name: str
    reading: Reading = field(default_factory=Reading)
    axioms: Mapping[str, Expectation] = field(default_factory=dict)
    checks: Mapping[str, str] = field(default_factory=dict)
    applied: tuple[str, ...] = ()
    reference: str | None = None
    tolerance: float = TOLERANCE
    source: str | None = None

    @property
    def unexplained(self) -> list[str]:
        """Axioms and checks with an expected violation or failure that has no reason yet."""
        violated = [axiom for axiom, one in self.axioms.items() if one.expect == "violated" and not one.reason]
        return [*violated, *(check for check, reason in self.checks.items() if not reason)]


class Recorded(Record):
    """Versions and settings that a contract was recorded with. They may explain a difference from it.

    Args:
        version: Version of axiomcheck.
        seed: Seed for the search.
        examples: Number of examples in the search.
        packages: Versions of the packages that the metrics load, by name.

    """

    version: Filled
    seed: Limited
    examples: Limited
    packages: dict[str, str] = msgspec.field(default_factory=dict)


@dataclass(frozen=True)
class Contract:
    """Contract that was read from a file.

    Args:
        path: Path of the file.
        settings: Seed and budgets for the search.
        limits: Limits on each cell of an external metric.
        witnesses: Directory of the pinned witnesses.
        metrics: Expectations for each metric.
        recorded: Versions and settings that the contract was recorded with; None if it was never recorded.

    """

    path: Path
    settings: Settings
    limits: Limits
    witnesses: Path
    metrics: tuple[MetricContract, ...]
    recorded: Recorded | None = None

    @property
    def directory(self) -> Path:
        """Directory of the contract. File paths in the names of metrics are relative to this directory."""
        return self.path.parent

    def witness_path(self, metric: str, axiom: str) -> Path:
        """Return the path of the file with the pinned witness of a cell."""
        return self.witnesses / f"{file_stem(metric)}-{axiom}.json"


def expected_of(cell: Cell) -> Expected | None:
    """Return the word that a contract uses for a cell's verdict; None for an error, which it cannot expect."""
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
    """Return a contract's name of a metric or axiom with its file path made relative to the current directory."""
    named = read_name(name)
    if named.home is not Home.FILE or Path(named.prefix).is_absolute() or contract.directory == Path.cwd():
        return name
    return f"{os.path.relpath(contract.directory / named.prefix)}:{named.name}"


def where(contract: Contract, metric: str) -> tuple[str, int]:
    """Return the file and 1-based line for a CI annotation: a metric's definition, or else its contract table.

    The path has forward slashes, and is relative to the current directory if the file is inside it.
    """
    named = read_name(metric)
    file = contract.directory / named.prefix
    if named.home is Home.FILE and os.path.isfile(file):
        return _shown(file), _line_of(file, named.name.partition(".")[0])
    line = 1
    for number, text in enumerate(_text(contract.path).splitlines(), start=1):
        if metric in text and text.lstrip().startswith("["):
            line = number
            break
    return _shown(contract.path), line


def _shown(file: Path) -> str:
    full = Path(os.path.abspath(file))  # not resolved, so that a link keeps its own path
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
