"""Define the contents of a contract, and read contract files.

Error messages give the file, the key, and what was expected.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast

from msgspec import Meta
from msgspec import field as tabled

from axiomcheck.checks.contract import CHECKS, TOLERANCE
from axiomcheck.core.documents import UNSET, Maybe, Record, parse_json, path_text, read
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import file_stem
from axiomcheck.decide.budgets import REPEATED, Settings
from axiomcheck.metrics import parse
from axiomcheck.processes.limits import Limits
from axiomcheck.records.cells import Cell
from axiomcheck.sources.declarations import OWN_FILE, SHARED_FILE, read_toml, section
from axiomcheck.sources.external_metrics import Declared
from axiomcheck.sources.names import Home, is_foreign, read_name
from axiomcheck.sources.resolve import resolve_axiom

TODO = "TODO"
"""Placeholder for a reason that a user has yet to write. The gate rejects a contract that contains it."""

MOST = 2**63 - 1
"""Largest integer that a TOML file can contain."""

Limited = Annotated[int, Meta(ge=0, le=MOST)]
Filled = Annotated[str, Meta(pattern=r"\S")]

Expected: TypeAlias = Literal["holds", "violated", "incomparable", "undecided", "not-applicable"]
"""Expected result of an axiom. A threshold axiom is ``undecided`` if nothing is known about large n."""


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
    packages: dict[str, str] = tabled(default_factory=dict)


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
    """Return the word that a contract uses for a cell's verdict; None for an error, which a contract cannot expect."""
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


# Contract files


_Steps: TypeAlias = tuple[str, ...]

_SECTION: _Steps = ("tool", "axiomcheck")


class ExpectedTable(Record):
    """Table with the expected verdict on an axiom and, for a violation, the reason why it is acceptable."""

    expect: Expected
    reason: str = ""


class FailingTable(Record):
    """Table with the expected failure of a contract check, and the reason why the failure is acceptable."""

    expect: Literal["fails"]
    reason: str = ""


class MetricTable(Record):
    """Table of one metric in a contract file, such as [metrics."RBU@20"]."""

    regime: Maybe[Regime] = UNSET
    domain: Maybe[Domain] = UNSET
    reference: Maybe[Filled] = UNSET
    tolerance: Annotated[float, Meta(ge=0, le=MOST)] = MetricContract.tolerance
    source: Maybe[Filled] = UNSET
    applied: tuple[str, ...] = ()
    axioms: dict[str, Expected | ExpectedTable] = tabled(default_factory=dict)
    checks: dict[str, Literal["fails"] | FailingTable] = tabled(default_factory=dict)


class ContractTable(Record):
    """Top-level table of a contract file, or the table [tool.axiomcheck] of pyproject.toml."""

    regime: Regime = Reading.regime
    domain: Domain = Reading.domain
    examples: Limited = REPEATED
    seed: Limited = 0
    timeout: Annotated[float, Meta(gt=0, le=MOST)] = Limits.seconds
    memory: Annotated[int, Meta(ge=64, le=2**40)] = Limits.megabytes
    witnesses: Annotated[str, Meta(pattern=r"^[^\0]*[^\0\s][^\0]*$")] = "axiomcheck-witnesses"
    recorded: Maybe[Recorded] = UNSET
    declared: dict[str, Declared] = tabled(default_factory=dict)
    metrics: dict[str, MetricTable] = tabled(default_factory=dict)


def find_contract() -> Path:
    """Return the path of the contract in the current directory: axiomcheck.toml, or else pyproject.toml.

    A pyproject.toml counts only if it contains the table [tool.axiomcheck]. It is preferred to an
    axiomcheck.toml that contains only other tables, such as declarations.

    Raises:
        InvalidInput: There is no contract file, or pyproject.toml cannot be read.

    """
    here = Path.cwd()
    own, shared = here / OWN_FILE, here / SHARED_FILE
    if own.is_file() and "metrics" in read_toml(own):
        return own
    table = section(shared, read_toml(shared)) if shared.is_file() else None
    if own.is_file() and not (isinstance(table, dict) and "metrics" in table):
        return own
    if table is not None:
        return shared
    first = 'metrics."my_metrics.py:my_metric"]'
    raise InvalidInput(
        f"there is no contract in {here}; expected {OWN_FILE}, which begins with [{first}, or {SHARED_FILE} with "
        f"[tool.axiomcheck.{first}; to create it, run: axiomcheck gate --init METRIC"
    )


def load_contract(path: Path | None = None, unfinished: bool = False) -> Contract:
    """Read a contract from a file, together with its pinned witnesses.

    Args:
        path: Path of pyproject.toml, whose table [tool.axiomcheck] is read, or of another TOML file, whose top level is
            read. None to look for a contract in the current directory.
        unfinished: True to accept reasons that are still ``TODO`` as empty reasons, for a contract that will be
            updated.

    Raises:
        InvalidInput: The file does not exist, is not TOML, has an unknown key or a value of the wrong type, or gives no
            reason for an expected violation; or a witness file is not JSON. The message gives the position.

    """
    path = find_contract() if path is None else path.absolute()
    document = read_toml(path)
    steps: _Steps = ()
    if path.name == SHARED_FILE:
        steps, document = _SECTION, section(path, document) or {}
    elif "tool" in document:
        raise InvalidInput(
            f"{path}: [tool.axiomcheck] is only for {SHARED_FILE}; here, put its tables at the top level"
        )
    try:
        said = read(ContractTable, document, str(path), steps)
    except InvalidInput as error:
        raise InvalidInput(str(error).replace("an object", "a table")) from None
    if not said.metrics:
        heading = ".".join([*steps, 'metrics."my_metrics.py:my_metric"'])
        raise InvalidInput(f"{path} names no metrics; expected a table [{heading}]")
    contract = Contract(
        path,
        # A contract holds the results of searches without proofs, so that the gate is fast.
        Settings(seed=said.seed, examples=said.examples, proofs=False),
        Limits(said.timeout, said.memory, "timeout in the contract"),
        path.parent / said.witnesses,
        (),
        said.recorded or None,
    )
    metrics = tuple(_metric(contract, said, name, (*steps, "metrics", name)) for name in said.metrics)
    if not unfinished and any(m.unexplained for m in metrics):
        raise InvalidInput(_unfinished(path, [f"{m.name}, {asked}" for m in metrics for asked in m.unexplained]))
    stems: dict[str, str] = {}
    for metric in metrics:
        other = stems.setdefault(file_stem(metric.name).casefold(), metric.name)
        if other != metric.name:
            raise InvalidInput(
                f"{path}: {other!r} and {metric.name!r} would use the same files for their witnesses; rename one metric"
            )
    return replace(contract, metrics=metrics)


_TODO_LINE = re.compile(rf"""^[^#]*\breason["']?\s*=\s*["']+{TODO}\b""")


def todo_lines(path: Path) -> dict[int, str]:
    """Return the lines of a contract on which a reason is still ``TODO``, by 1-based line number."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number: line.strip() for number, line in enumerate(lines, start=1) if _TODO_LINE.search(line)}


def _unfinished(path: Path, cells: Sequence[str]) -> str:
    """Return the error message for a contract with ``TODO`` reasons; it gives the first line to edit."""
    lines = todo_lines(path)
    if not lines:  # TODO is written in a different way
        return f"{path}: the reason for {'; '.join(cells)} is still {TODO}; replace it with why this is acceptable"
    (first, text), *others = lines.items()
    more = f" (also on line{'s' * (len(others) > 1)} {', '.join(str(n) for n, _ in others)})" if others else ""
    return f"{path}:{first}: the reason is still {TODO}{more}; replace it with why this is acceptable:\n{text}"


def _metric(contract: Contract, whole: ContractTable, name: str, steps: _Steps) -> MetricContract:
    said = whole.metrics[name]
    for named in (name, said.reference or None):
        if named is not None and not is_foreign(named):
            try:
                parse(named)
            except InvalidInput as error:
                raise _wrong(contract, steps, error) from None
    for check in (*said.checks, *said.applied):
        if check not in CHECKS:
            raise _wrong(contract, steps, UnknownName("contract check", check, CHECKS))
    return MetricContract(
        name,
        Reading(said.regime or whole.regime, said.domain or whole.domain),
        _axioms(contract, said, name, (*steps, "axioms")),
        {
            check: _expected(contract, expected, (*steps, "checks", check), "fails")[1]
            for check, expected in said.checks.items()
        },
        said.applied,
        said.reference or None,
        said.tolerance,
        said.source or None,
    )


def _wrong(contract: Contract, steps: _Steps, why: object) -> InvalidInput:
    return InvalidInput(f"{contract.path}: {path_text(steps)}: {why}")


def _axioms(contract: Contract, said: MetricTable, metric: str, steps: _Steps) -> Mapping[str, Expectation]:
    found: dict[str, Expectation] = {}
    for key, expected in said.axioms.items():
        try:
            axiom = resolve_axiom(locate(contract, key)).name
        except InvalidInput as error:
            raise _wrong(contract, steps, error) from None
        if axiom in found:
            raise _wrong(contract, steps, f"{axiom} appears twice, once as {key}")
        expect, reason = _expected(contract, expected, (*steps, key), "violated")
        witness = _witness(contract.witness_path(metric, axiom)) if expect == "violated" else None
        found[axiom] = Expectation(cast(Expected, expect), reason, witness)
    return found


def _expected(
    contract: Contract, said: str | ExpectedTable | FailingTable, steps: _Steps, needs_reason: str
) -> tuple[str, str]:
    """Return the expected verdict or outcome and its reason, from a string or a table of the contract."""
    expect, reason = (said, "") if isinstance(said, str) else (said.expect, said.reason.strip())
    if expect == needs_reason and not reason:
        raise InvalidInput(
            f"{contract.path}: {path_text(steps)} expects {expect!r} but gives no reason; "
            f'expected {{expect = "{expect}", reason = "why that is acceptable"}}'
        )
    return expect, "" if re.match(rf"{TODO}\b", reason) else reason


def _witness(path: Path) -> dict[str, Any] | None:
    """Return the document in the file of a pinned witness, or None if the file does not exist."""
    try:
        document = parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(f"{path}: {error}; run axiomcheck gate --update to pin the witness again") from None
    if not isinstance(document, dict):
        raise InvalidInput(f"{path}: expected a JSON object; delete it and run axiomcheck gate --update")
    return document
