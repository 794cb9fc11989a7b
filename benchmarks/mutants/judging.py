"""Holds a mutant to the contract of its original, as `axiomcheck gate` does, layer by layer."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.contract import run_contract
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.decide.search import Settings
from axiomcheck.gating.config import Expectation, expected_of
from axiomcheck.gating.judge import CellSearch, compare_cell, compare_check, find_cells
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from mutants.building import Mutant, build, original
from mutants.wrappers import unspoiled

__all__ = ["LAYERS", "Judgement", "RowContract", "judge_mutant", "record_row"]

LAYERS = ("axioms", "checks", "reference")


@dataclass(frozen=True)
class RowContract:
    """What a row's original was found to be.

    Args:
        axioms: name -> expectation, with the pinned witness of a violation.
        checks: contract checks that fail -> why that is all right.

    """

    axioms: Mapping[str, Expectation]
    checks: Mapping[str, str]


@dataclass(frozen=True)
class Judgement:
    """What became of a mutant.

    Args:
        mutant: which.
        kills: layer -> what it says against the mutant; empty where it is as expected.
        crashes: tracebacks of errors that axiomcheck should not have let through; defects of axiomcheck.
        seconds: taken.

    """

    mutant: Mutant
    kills: dict[str, list[str]]
    crashes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        """Whether some layer noticed."""
        return any(self.kills.values())


_NOBODY = Workers(1, Limits())
"""Workers that do nothing: they are for foreign metrics, and mutants are objects."""


def record_row(row: str, operator: str, reading: Reading, settings: Settings) -> RowContract:
    """The contract of an original, in the form in which an operator's mutants are.

    Raises:
        RuntimeError: the original cannot be held to anything.

    """
    metric = original(row, unspoiled(operator))
    axioms = {}
    name = original(row).canonical
    for found in find_cells(CellSearch(metric, name, reading, settings, _NOBODY), dict.fromkeys(AXIOMS)):
        expected = expected_of(found.cell)
        if expected is None:
            raise RuntimeError(f"{row}: {found.cell.axiom} of the original: {found.cell.reason}")
        axioms[found.cell.axiom] = Expectation(expected, found.cell.reason, found.cell.witness)
    outcomes = run_contract(metric, reference=original(row), seed=settings.seed)
    checks = {o.check: o.reason for o in outcomes if o.status in ("failed", "error")}
    if "reference" in checks:
        raise RuntimeError(f"{row}: the original does not agree with itself: {checks['reference']}")
    return RowContract(axioms, checks)


def judge_mutant(mutant: Mutant, contract: RowContract, reading: Reading, settings: Settings) -> Judgement:
    """Holds a mutant to its row's contract, every layer on its own and whatever the others say.

    Each layer is shown a mutant of its own making, so that none sees the state that another left behind.
    """
    start = time.perf_counter()
    kills: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    crashes: list[str] = []
    name = original(mutant.row).canonical

    def layer(which: str, said: Callable[[Metric], list[str]]) -> None:
        try:
            metric = build(mutant)
        except Exception as error:  # what a mutated module does when it is loaded
            kills[which].append(f"cannot be loaded: {type(error).__name__}: {error}")
            return
        try:
            kills[which] += said(metric)
        except AxiomcheckError as error:
            kills[which].append(f"{type(error).__name__}: {error}")
        except Exception as error:
            kills[which].append(f"crashes axiomcheck: {type(error).__name__}: {error}")
            crashes.append(traceback.format_exc(limit=-4))

    def axioms(metric: Metric) -> list[str]:
        pinned = {axiom: expectation.witness for axiom, expectation in contract.axioms.items()}
        found = find_cells(CellSearch(metric, name, reading, settings, _NOBODY), pinned)
        held = [compare_cell(cell, contract.axioms[cell.cell.axiom]) for cell in found]
        return [f"{h.axiom} {h.status}: {h.message}" for h in held if h.status != "as-expected"]

    def checks(metric: Metric) -> list[str]:
        outcomes = run_contract(metric, seed=settings.seed)
        held = [compare_check(name, outcome, contract.checks.get(outcome.check)) for outcome in outcomes]
        return [f"{h.check} {h.status}: {h.message}" for h in held if h.status != "as-expected"]

    def reference(metric: Metric) -> list[str]:
        outcomes = run_contract(metric, reference=original(mutant.row), seed=settings.seed, checks=["reference"])
        return [f"{o.status}: {o.reason}" for o in outcomes if o.status != "passed"]

    layer("axioms", axioms)
    layer("checks", checks)
    layer("reference", reference)
    return Judgement(mutant, kills, crashes, time.perf_counter() - start)
