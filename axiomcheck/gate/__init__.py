"""The gate: metrics held to a recorded contract, so that a build fails when one gets worse, or better unnoticed."""

from __future__ import annotations

from axiomcheck.gate.config import load_contract
from axiomcheck.gate.expectations import Contract, Expectation, MetricContract, Recorded
from axiomcheck.gate.fingerprint import Fingerprint, fingerprint
from axiomcheck.gate.judge import Judged, JudgedCheck, judge_cell
from axiomcheck.gate.record import record
from axiomcheck.gate.run import GateEvent, GateResult, Settled, run_gate

__all__ = [
    "Contract",
    "Expectation",
    "Fingerprint",
    "GateEvent",
    "GateResult",
    "Judged",
    "JudgedCheck",
    "MetricContract",
    "Recorded",
    "Settled",
    "fingerprint",
    "judge_cell",
    "load_contract",
    "record",
    "run_gate",
]
