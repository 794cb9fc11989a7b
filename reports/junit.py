"""A gate's result as JUnit XML, which every build server reads: one suite per metric, one case per question."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from axiomcheck.core.printable import escaped
from axiomcheck.gating.judge import Judged, JudgedCheck
from axiomcheck.gating.run import GateResult
from axiomcheck.gating.where import where

_FAULTY = ("error", "disagreement")


def to_junit(result: GateResult) -> str:
    """The XML document: a failure where the contract is broken, an error where there is no verdict."""
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
