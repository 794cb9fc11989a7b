"""Write the gate's result for CI servers and code hosts: JUnit XML, SARIF 2.1.0 and GitHub workflow commands."""

from __future__ import annotations

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from axiomcheck.axioms import find_axiom
from axiomcheck.checks.contract import CHECKS
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import json_text
from axiomcheck.gating.config import where
from axiomcheck.gating.judge import Judged, JudgedCheck
from axiomcheck.gating.run import GateResult
from axiomcheck.reports.documents import gate_json
from axiomcheck.reports.gate_report import gate_markdown

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FAULTY = ("error", "disagreement")


def to_junit(result: GateResult) -> str:
    """Return JUnit XML, with a failure for each broken expectation and an error for each missing verdict."""
    root = ET.Element("testsuites", {"name": "axiomcheck gate"} | _counts(result.judged))
    for metric in result.contract.metrics:
        judged = [j for j in result.judged if j.metric == metric.name]
        suite = ET.SubElement(root, "testsuite", {"name": escaped(metric.name)} | _counts(judged))
        file, line = where(result.contract, metric.name)
        for one in judged:
            kind = "axiom" if isinstance(one, Judged) else "check"
            seconds = one.cell.seconds if isinstance(one, Judged) and one.cell is not None else 0.0
            case = ET.SubElement(
                suite,
                "testcase",
                {
                    "classname": escaped(f"{metric.name}.{kind}"),
                    "name": escaped(one.asked),
                    "file": escaped(file),
                    "line": str(line),
                    "time": f"{seconds:.3f}",
                },
            )
            if one.status != "as-expected":
                tag = "error" if one.status in _FAULTY else "failure"
                message = escaped(one.message)
                ET.SubElement(case, tag, {"type": one.status, "message": message}).text = message
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _counts(judged: list[Judged | JudgedCheck]) -> dict[str, str]:
    faulty = sum(j.status in _FAULTY for j in judged)
    broken = sum(j.status != "as-expected" for j in judged)
    return {"tests": str(len(judged)), "failures": str(broken - faulty), "errors": str(faulty), "skipped": "0"}


def to_sarif(result: GateResult) -> str:
    """Return a SARIF document with a result per broken expectation, and a rule for each axiom or check among them."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for judged in result.broken:
        rule = f"{'axiom' if isinstance(judged, Judged) else 'check'}/{judged.asked}"
        rules.setdefault(rule, _rule(judged, rule))
        file, line = where(result.contract, judged.metric)
        fingerprint = hashlib.sha256(f"{judged.metric}\n{rule}\n{judged.status}".encode()).hexdigest()
        results.append(
            {
                "ruleId": rule,
                "ruleIndex": list(rules).index(rule),
                "level": "error",
                "message": {"text": escaped(f"{judged.metric}, {judged.asked}: {judged.message}")},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": quote(file)},
                            "region": {"startLine": line},
                        }
                    }
                ],
                # A broken expectation keeps its alert when the metric moves to another line.
                "partialFingerprints": {"axiomcheck/v1": fingerprint},
                "properties": {"metric": judged.metric, "status": judged.status},
            }
        )
    document = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "axiomcheck",
                        "semanticVersion": version("axiomcheck"),
                        "rules": list(rules.values()),
                    }
                },
                "invocations": [{"executionSuccessful": not result.interrupted, "exitCode": result.exit_code}],
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    return escaped(json_text(document))


def _rule(judged: Judged | JudgedCheck, rule: str) -> dict[str, Any]:
    if isinstance(judged, Judged):
        told = find_axiom(judged.axiom).words
    else:
        told = CHECKS[judged.check].asks if judged.check in CHECKS else "The contract checks can be run on the metric."
    return {"id": rule, "shortDescription": {"text": told}, "defaultConfiguration": {"level": "error"}}


def to_annotations(result: GateResult) -> list[str]:
    """Return one GitHub workflow command per broken expectation."""
    lines = []
    for judged in result.broken:
        file, line = where(result.contract, judged.metric)
        title = _property(f"{judged.metric}: {judged.asked}")
        lines.append(f"::error file={_property(file)},line={line},title={title}::{_data(judged.message)}")
    return lines


def _data(text: str) -> str:
    return escaped(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


GATE_FILES: dict[str, Callable[[GateResult], str]] = {
    "json": gate_json,
    "markdown": gate_markdown,
    "junit": to_junit,
    "sarif": to_sarif,
}
"""Output format of ``axiomcheck gate`` -> its writer."""
