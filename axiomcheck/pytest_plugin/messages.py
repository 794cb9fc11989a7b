"""Why a test fails, in words and with the counterexample in full."""

from __future__ import annotations

import io

from rich.console import Console

from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.witness import RefutedThreshold, read_any_witness
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell
from axiomcheck.records.sentences import violation_sentence
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.reports.replay import print_threshold_witness, print_witness

_WIDTH = 96
"""The width of the drawn witness: what fits a terminal of 100 columns behind pytest's margin."""


def refuted(label: str, metric: Metric, cell: Cell, recorded: str | None) -> str:
    """A violation that was not expected: the sentence first (pytest's summary shows one line), then the witness.

    Args:
        label: the metric as the test calls it.
        metric: to score the witness with.
        cell: the refuted cell.
        recorded: what the contract expects instead; None without a contract.

    """
    lines = [f"{label} violates {cell.axiom}: {violation_sentence(cell)}", ""]
    lines += [*_drawn(cell.witness, metric), ""]
    if recorded is None:
        lines.append(f'If that is meant, say why: violations={{("{label}", "{cell.axiom}"): "..."}}')
    else:
        lines.append(f"The contract says: {recorded}. If that is meant, say so there (axiomcheck gate --update).")
    return "\n".join(lines)


def changed(label: str, cell: Cell, expect: str, reason: str) -> str:
    """Something else came out than was expected, and it is no violation.

    Args:
        label: the metric as the test calls it.
        cell: as it is now.
        expect: what was expected.
        reason: that was given for it.

    """
    because = f" ({reason})" if reason else ""
    if expect == "violated":
        what = f"{label} was expected to violate {cell.axiom}{because} and does not"
    else:
        what = f"{label} was expected to be {expect} under {cell.axiom}{because} and is not"
    return f"{what}: {cell.verdict}: {cell.reason}.\nIf that is right, take the expectation back."


def _drawn(witness: AnyWitness | None, metric: Metric) -> list[str]:
    assert witness is not None  # of a refuted cell
    text = io.StringIO()
    console = Console(file=text, width=_WIDTH, color_system=None, highlight=False)
    try:
        read = read_any_witness(witness, metric)
        if isinstance(read, RefutedThreshold):
            print_threshold_witness(console, read)
        else:
            print_witness(console, read)
    except InvalidInput as error:
        return [f"The counterexample cannot be scored again: {error}"]
    return [line.rstrip() for line in text.getvalue().rstrip().splitlines()]
