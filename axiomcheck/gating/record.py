"""Write contracts: update the user's file, keeping its comments and order, and write the pinned witnesses."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, MutableMapping, Sequence
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
from axiomcheck.gating.expectations import Contract, MetricContract, expected_of, locate
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
    """Map each violation and failing check for which the contract has no reason yet to a sentence about it.

    Returns:
        The sentences, by (metric, axiom) or (metric, check).

    """
    found: dict[tuple[str, str], str] = {}
    metrics = {metric.name: metric for metric in result.contract.metrics}
    for judged in result.cells:
        before = metrics[judged.metric].axioms.get(judged.axiom)
        known = before is not None and before.expect == "violated" and before.reason
        if judged.cell is not None and judged.cell.verdict is Verdict.REFUTED and not known:
            found[judged.metric, judged.axiom] = violation_sentence(judged.cell)
    for one in result.checks:
        if _fails(one) and not metrics[one.metric].checks.get(one.check):
            assert one.outcome is not None
            found[one.metric, one.check] = one.outcome.reason or "it fails"
    return found


def unsettled(result: GateResult) -> list[Judged]:
    """Return the undecided cells with recorded violations, which stay in the contract since they may still exist."""
    metrics = {metric.name: metric for metric in result.contract.metrics}
    return [
        judged
        for judged in result.cells
        if judged.cell is not None
        and judged.cell.verdict is Verdict.UNDECIDED
        and (before := metrics[judged.metric].axioms.get(judged.axiom)) is not None
        and before.expect == "violated"
    ]


def record(result: GateResult, reasons: Reasons = MappingProxyType({})) -> None:
    """Record the results of a run as the expectations of the contract.

    New witnesses are written first, then the contract, and outdated witnesses are deleted last. Existing reasons are
    kept. A violation without a reason gets the sentence about its witness. A recorded violation is kept if its cell is
    now undecided.

    Args:
        result: Result of a run.
        reasons: Reasons why violations or failures are acceptable, by metric and axiom or check.

    Raises:
        InvalidInput: A result cannot be recorded, or the files cannot be written. The contract is unchanged.

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
    top = document
    if result.contract.path.name == SHARED_FILE:
        top = document["tool"]["axiomcheck"]
    for metric in result.contract.metrics:
        entry = top["metrics"][metric.name]
        entry["source"] = result.fingerprints[metric.name].code
        _write_applied(entry, [j for j in result.checks if j.metric == metric.name])
        said = {asked: reason for (name, asked), reason in reasons.items() if name == metric.name}
        kept = unsettled(result)
        cells = [j for j in result.cells if j.metric == metric.name and j not in kept]
        spelled = {resolve_axiom(locate(result.contract, str(key))).name: str(key) for key in entry.get("axioms", {})}
        _write_axioms(entry, cells, metric, said, spelled, new_table)
        _write_checks(entry, [j for j in result.checks if j.metric == metric.name], metric, said, new_table)
    _write_recorded(top, result)


def _fill(parent: Any, key: str, values: Mapping[str, tuple[str, str]], new_table: Callable[[], Any]) -> None:
    """Set expectations in a subtable of the contract, which is created if it is missing."""
    new = key not in parent
    if new:
        parent[key] = new_table()
    for name, (expect, reason) in values.items():
        _set(parent[key], name, expect, reason)
    if new and new_table is tomlkit.table:
        parent[key].add(tomlkit.nl())


def _set(table: MutableMapping[str, Any], key: str, expect: str, reason: str) -> None:
    """Set an expectation in a table, unless the table already states it, perhaps in another notation."""
    there = table.get(key)
    stated = (there.get("expect"), there.get("reason", "")) if isinstance(there, MutableMapping) else (there, "")
    if stated == (expect, reason):
        return
    if not reason:
        table[key] = expect
        return
    inline = tomlkit.inline_table()
    inline.update({"expect": expect, "reason": reason})
    table[key] = inline


def _write_applied(entry: Any, checks: list[JudgedCheck]) -> None:
    applied = [j.check for j in checks if j.outcome is not None and j.outcome.status != "not-applicable"]
    if not applied:
        entry.pop("applied", None)
    elif entry.get("applied") != applied:
        entry["applied"] = tomlkit.array()
        entry["applied"].extend(applied)
        entry["applied"].multiline(True)


def _write_axioms(
    entry: Any,
    cells: list[Judged],
    metric: MetricContract,
    said: Mapping[str, str],
    spelled: Mapping[str, str],
    new_table: Callable[[], Any],
) -> None:
    values = {}
    for judged in cells:
        assert judged.cell is not None
        expect = expected_of(judged.cell)
        assert expect is not None
        before = metric.axioms.get(judged.axiom)
        reason = before.reason if before is not None and before.expect == expect else ""
        if expect == "violated" and not reason:
            reason = said.get(judged.axiom) or violation_sentence(judged.cell)
        values[spelled.get(judged.axiom, judged.axiom)] = expect, reason
    _fill(entry, "axioms", values, new_table)


def _fails(judged: JudgedCheck) -> bool:
    return judged.outcome is not None and judged.outcome.status in ("failed", "error")


def _write_checks(
    entry: Any, checks: list[JudgedCheck], metric: MetricContract, said: Mapping[str, str], new_table: Callable[[], Any]
) -> None:
    failing = {j.check: said.get(j.check) or j.outcome.reason for j in checks if j.outcome and _fails(j)}
    if not failing:
        entry.pop("checks", None)
        return
    for check in [key for key in entry.get("checks", {}) if key not in failing]:
        del entry["checks"][check]
    values = {check: ("fails", metric.checks.get(check) or reason or "it fails") for check, reason in failing.items()}
    _fill(entry, "checks", values, new_table)


def _write_recorded(top: Any, result: GateResult) -> None:
    packages: dict[str, str] = {}
    for found in result.fingerprints.values():
        packages |= found.packages
    inline = tomlkit.inline_table()
    inline.update(dict(sorted(packages.items())))
    values: dict[str, Any] = {
        "version": version("axiomcheck"),
        "seed": result.contract.settings.seed,
        "examples": result.contract.settings.examples,
        "packages": inline,
    }
    new = "recorded" not in top
    if new:
        top["recorded"] = tomlkit.table()
    for key, value in values.items():
        if top["recorded"].get(key) != value:
            top["recorded"][key] = value
    if new:
        top["recorded"].add(tomlkit.nl())


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
