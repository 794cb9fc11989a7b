"""Write contracts: update the user's file, keeping its comments and order, and write the pinned witnesses."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import tomlkit
from tomlkit.exceptions import TOMLKitError

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.documents import document_of
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.gating.config import Contract, expected_of, locate
from axiomcheck.gating.judge import Judged, JudgedCheck
from axiomcheck.gating.run import GateResult
from axiomcheck.records.cells import violation_sentence
from axiomcheck.sources.declarations import OWN_FILE, SHARED_FILE, read_toml, section
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.resolve import resolve_axiom

Reasons: TypeAlias = Mapping[tuple[str, str], str]


def unrecordable(result: GateResult) -> list[Judged | JudgedCheck]:
    """Return the results that cannot be recorded in a contract: errors, and cells or checks without a result."""
    cells = [j for j in result.cells if j.cell is None or j.status in ("error", "disagreement")]
    return [*cells, *(j for j in result.checks if j.outcome is None or j.status in ("error", "disagreement"))]


def unexplained(result: GateResult) -> Reasons:
    """Return a sentence about each violation and failing check for which the contract has no reason yet.

    The keys are (metric, axiom) or (metric, check).
    """
    found: dict[tuple[str, str], str] = {}
    for judged in result.cells:
        before = judged.expectation
        known = before is not None and before.expect == "violated" and before.reason
        if judged.cell is not None and judged.cell.verdict is Verdict.REFUTED and not known:
            found[judged.metric, judged.axiom] = violation_sentence(judged.cell)
    for one in result.checks:
        if one.outcome is not None and one.outcome.failing and not one.reason:
            found[one.metric, one.check] = one.outcome.reason or "it fails"
    return found


def unsettled(result: GateResult) -> list[Judged]:
    """Return the undecided cells that the contract expects to be violated. `record` keeps these expectations."""
    undecided = [j for j in result.cells if j.cell is not None and j.cell.verdict is Verdict.UNDECIDED]
    return [j for j in undecided if j.expectation is not None and j.expectation.expect == "violated"]


def record(result: GateResult, reasons: Reasons = MappingProxyType({})) -> None:
    """Record the results of a run as the expectations of the contract.

    New witnesses are written first, then the contract, and outdated witnesses are deleted last. Existing reasons are
    kept. A violation without a reason gets the sentence about its witness. A recorded violation is kept if its cell is
    now undecided.

    Args:
        result: Result of a run.
        reasons: Reasons why violations or failures are acceptable, by metric and axiom or check.

    Raises:
        InvalidInput: A result cannot be recorded, or a file cannot be written. The contract is then unchanged.

    """
    contract = result.contract
    if result.interrupted or unrecordable(result):
        raise InvalidInput(f"{contract.path} was not updated, because not every cell has a verdict")
    text = _written(result, reasons)
    kept = {contract.witness_path(judged.metric, judged.axiom) for judged in unsettled(result)}
    for metric in contract.metrics:
        kept |= _pin(contract, [j for j in result.cells if j.metric == metric.name])
    write_atomically(contract.path, text)
    for metric in contract.metrics:
        for axiom in (*AXIOMS, *metric.axioms):
            path = contract.witness_path(metric.name, axiom)
            if path not in kept:
                path.unlink(missing_ok=True)


def _written(result: GateResult, reasons: Reasons) -> str:
    """Return the text of the contract file with the new expectations, in the user's layout."""
    path = result.contract.path
    for new_table in (tomlkit.table, tomlkit.inline_table):
        try:
            document = tomlkit.parse(path.read_bytes().decode("utf-8-sig"))
            _write(document, result, reasons, new_table)
            text = tomlkit.dumps(document).rstrip("\n") + "\n"
            # Below dotted keys, and in inline tables, a new table can be misplaced or lost.
            if tomllib.loads(text) == document.unwrap():
                return text
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{path}: cannot be read again: {error}") from None
        except (TOMLKitError, tomllib.TOMLDecodeError, ValueError):
            continue
    raise InvalidInput(
        f"{path}: cannot be updated in this layout; write every metric as a separate table, "
        f'such as [metrics."my_metrics.py:my_metric"]'
    )


def _write(document: Any, result: GateResult, reasons: Reasons, new_table: Callable[[], Any]) -> None:
    contract = result.contract
    top = document["tool"]["axiomcheck"] if contract.path.name == SHARED_FILE else document
    kept = unsettled(result)
    for metric in contract.metrics:
        entry = top["metrics"][metric.name]
        entry["source"] = result.fingerprints[metric.name].code
        checks = [j for j in result.checks if j.metric == metric.name and j.outcome is not None]
        _write_applied(entry, checks)
        said = {asked: reason for (name, asked), reason in reasons.items() if name == metric.name}
        cells = [j for j in result.cells if j.metric == metric.name and j not in kept]
        spelled = {resolve_axiom(locate(contract, str(key))).name: str(key) for key in entry.get("axioms", {})}
        axioms = {spelled.get(j.axiom, j.axiom): _cell_entry(j, said) for j in cells}
        _fill(entry, "axioms", axioms, new_table)
        failing = {j.check: _check_entry(j, said) for j in checks if j.outcome is not None and j.outcome.failing}
        for check in [key for key in entry.get("checks", {}) if key not in failing]:
            del entry["checks"][check]
        if failing:
            _fill(entry, "checks", failing, new_table)
        else:
            entry.pop("checks", None)
    packages = {name: text for found in result.fingerprints.values() for name, text in found.packages.items()}
    settings = {"seed": contract.settings.seed, "examples": contract.settings.examples}
    recorded = {"version": version("axiomcheck"), **settings, "packages": dict(sorted(packages.items()))}
    _fill(top, "recorded", recorded, tomlkit.table)


def _cell_entry(judged: Judged, said: Mapping[str, str]) -> str | dict[str, str]:
    """Return the expectation for a cell: a word, or a table with the reason why a violation is acceptable."""
    assert judged.cell is not None
    expect, before = expected_of(judged.cell), judged.expectation
    assert expect is not None
    reason = before.reason if before is not None and before.expect == expect else ""
    if expect == "violated" and not reason:
        reason = said.get(judged.axiom) or violation_sentence(judged.cell)
    return {"expect": expect, "reason": reason} if reason else expect


def _check_entry(judged: JudgedCheck, said: Mapping[str, str]) -> dict[str, str]:
    """Return the expectation for a failing contract check, with the reason why the failure is acceptable."""
    assert judged.outcome is not None
    reason = judged.reason or said.get(judged.check) or judged.outcome.reason
    return {"expect": "fails", "reason": reason or "it fails"}


def _fill(parent: Any, key: str, values: Mapping[str, object], new_table: Callable[[], Any]) -> None:
    """Set entries in a subtable of the contract, which is created if it is missing.

    An entry that the subtable already has, perhaps in another notation, is not changed.
    """
    new = key not in parent
    if new:
        parent[key] = new_table()
    for name, value in values.items():
        there = parent[key].get(name)
        if isinstance(there, Mapping) and "expect" in there and not there.get("reason"):
            there = there["expect"]
        if there != value:
            parent[key][name] = _inline(value) if isinstance(value, dict) else value
    if new and new_table is tomlkit.table:
        parent[key].add(tomlkit.nl())


def _inline(values: Mapping[str, Any]) -> Any:
    table = tomlkit.inline_table()
    table.update(values)
    return table


def _write_applied(entry: Any, checks: list[JudgedCheck]) -> None:
    applied = [j.check for j in checks if j.outcome is not None and j.outcome.status != "not-applicable"]
    if not applied:
        entry.pop("applied", None)
    elif entry.get("applied") != applied:
        entry["applied"] = tomlkit.array()
        entry["applied"].extend(applied)
        entry["applied"].multiline(True)


def _pin(contract: Contract, cells: list[Judged]) -> set[Path]:
    """Write the witnesses of refuted cells to files, and return the paths of these files."""
    written = set()
    for judged in cells:
        if judged.cell is None or judged.cell.witness is None or judged.cell.verdict is not Verdict.REFUTED:
            continue
        path = contract.witness_path(judged.metric, judged.axiom)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"cannot write witnesses to {path.parent}: {error.strerror}") from None
        write_atomically(path, json_text(document_of(judged.cell.witness)))
        written.add(path)
    return written


# New contracts: a file with the names of metrics, for a run to fill in


def write_first(metrics: Sequence[str], path: Path | None = None) -> Path:
    """Write a new contract file with an empty table for every metric.

    Args:
        metrics: Names of the metrics, relative to the current directory.
        path: Path of the new file; None for axiomcheck.toml in the current directory.

    Returns:
        Absolute path of the file.

    Raises:
        InvalidInput: There is already a contract, which is never overwritten, or the file cannot be created.

    """
    path = (Path.cwd() / OWN_FILE if path is None else path).absolute()
    names = []
    for metric in metrics:
        named = read_name(metric)
        if named.home is Home.FILE and not Path(named.prefix).is_absolute():
            names.append(f"{Path(os.path.relpath(named.prefix, path.parent)).as_posix()}:{named.name}")
        else:
            names.append(metric)
    document = tomlkit.document()
    document.add(tomlkit.comment("Expected verdicts for axiomcheck gate."))
    document["metrics"] = tomlkit.table(is_super_table=True)
    for name in names:
        document["metrics"][name] = tomlkit.table()
    heading = f"[metrics.{tomlkit.key(names[0]).as_string()}]"
    shared = path.parent / SHARED_FILE
    found = section(shared, read_toml(shared)) if path.name != SHARED_FILE and shared.is_file() else None
    if path.name == SHARED_FILE or (isinstance(found, dict) and "metrics" in found):
        raise InvalidInput(
            f"{shared}: the contract belongs here; add [tool.axiomcheck.{heading[1:]} and run axiomcheck gate --update"
        )
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
    except FileExistsError:
        missing = "" if heading in path.read_text(encoding="utf-8") else f"add {heading} to it and "
        raise InvalidInput(
            f"{path} already exists and is not overwritten; {missing}run axiomcheck gate --update"
        ) from None
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None
    return path
