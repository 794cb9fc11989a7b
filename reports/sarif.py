"""A gate's result as SARIF 2.1.0, which code scanning shows at the metric's definition."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from axiomcheck.axioms import find_axiom
from axiomcheck.checks.contract import CHECKS
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import json_text
from axiomcheck.gating.judge import Judged, JudgedCheck
from axiomcheck.gating.run import GateResult
from axiomcheck.gating.where import where

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def to_sarif(result: GateResult) -> str:
    """The document: one run, a rule per axiom or check that has a result, a result per broken expectation."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for judged in result.broken:
        rule = _rule_id(judged)
        rules.setdefault(rule, _rule(judged, rule))
        file, line = where(result.contract, judged.metric)
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
                # The same broken expectation is the same alert, whatever line the metric has moved to.
                "partialFingerprints": {"axiomcheck/v1": _digest(judged.metric, rule, judged.status)},
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


def _rule_id(judged: Judged | JudgedCheck) -> str:
    return f"{'axiom' if isinstance(judged, Judged) else 'check'}/{judged.asked}"


def _rule(judged: Judged | JudgedCheck, rule: str) -> dict[str, Any]:
    if isinstance(judged, Judged):
        told = find_axiom(judged.axiom).words
    else:
        told = CHECKS[judged.check].asks if judged.check in CHECKS else "The contract checks can be run."
    return {"id": rule, "shortDescription": {"text": told}, "defaultConfiguration": {"level": "error"}}


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
