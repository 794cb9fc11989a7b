"""Gate that compares metrics with a recorded contract, so that a build fails if a verdict changes."""

from __future__ import annotations

from axiomcheck.gating.config import load_contract
from axiomcheck.gating.expectations import Contract, Expectation, MetricContract, Recorded
from axiomcheck.gating.judge import Judged, JudgedCheck, judge_cell
from axiomcheck.gating.record import record
from axiomcheck.gating.run import GateEvent, GateResult, Settled, run_gate
from axiomcheck.sources.fingerprint import Fingerprint, fingerprint

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
