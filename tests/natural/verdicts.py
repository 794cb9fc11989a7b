"""Verdicts on the corpus, and what contradicts what is known of each function."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from axiomcheck import Cell, Metric, Reading, Regime, Verdict, find_axiom
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.natural.corpus import Written

__all__ = ["Row", "row_of", "wrong"]

AXIOMS = ("Pri", "Deep", "Conf", "AspDiv")
SEVERAL = ("Red",)


@dataclass(frozen=True)
class Row:
    """The cells of one function.

    Args:
        written: the function.
        cells: (axiom, regime) -> its cell.
        twin: the same of its twin, if it has one.

    """

    written: Written
    cells: dict[tuple[str, Regime], Cell]
    twin: dict[tuple[str, Regime], Cell]


def _cells(
    metric: Metric, written: Written, examples: int, proofs: bool, chosen: Sequence[str] = ()
) -> dict[tuple[str, Regime], Cell]:
    found = {}
    for regime in (Regime.STATED, Regime.FINITE):
        axioms = [find_axiom(name) for name in chosen or _known(written, regime)]
        settings = Settings(examples=examples, proofs=proofs and regime is Regime.STATED)
        cells = run_matrix([metric], axioms, Reading(regime, written.domain), settings).cells
        found.update({(cell.axiom, regime): cell for cell in cells})
    return found


def _known(written: Written, regime: Regime) -> Sequence[str]:
    """Return the axioms whose verdicts may contradict something; one where all that may come is an error."""
    if written.twin:
        return (*AXIOMS, *(SEVERAL if written.several else ()))
    return (written.keeps if regime is Regime.STATED else written.breaks) or AXIOMS[:1]


@cache
def _of_twin(twin: str, binary: bool, several: bool, axioms: tuple[str, ...]) -> dict[tuple[str, Regime], Cell]:
    written = Written("", twin, binary=binary, several=several)
    return _cells(written.twin_metric(), written, 300, False, axioms)


def row_of(written: Written, examples: int, proofs: bool = False, axioms: Sequence[str] = ()) -> Row:
    """Return the function's verdicts on some axioms, by default on all of which something is known, and its twin's.

    Proofs are tried where r << 1 is assumed.
    """
    twin = _of_twin(written.twin, written.binary, written.several, tuple(axioms)) if written.twin else {}
    return Row(written, _cells(written.metric(), written, examples, proofs, axioms), twin)


def wrong(row: Row) -> list[str]:
    """Every verdict that contradicts what is known; empty if none does."""
    found = []
    for (axiom, regime), cell in row.cells.items():
        said = cell.verdict
        if said is Verdict.ERROR:
            found.append(f"{axiom} ({regime}): an error, {cell.reason}")
        searched = not cell.undeclared_cutoff  # below a rank that is not looked at nothing was asked
        if searched and axiom in row.written.breaks and regime is Regime.FINITE and said.satisfied:
            found.append(f"{axiom} ({regime}): {said}, and it is violated")
        if axiom in row.written.keeps and regime is Regime.STATED and said is Verdict.REFUTED:
            found.append(f"{axiom} ({regime}): {said}, and it is satisfied")
        other = row.twin.get((axiom, regime))
        if other is None:
            continue
        if said.satisfied and other.verdict is Verdict.REFUTED:
            found.append(f"{axiom} ({regime}): {said}, and the twin is refuted")
        if said is Verdict.REFUTED and other.verdict.satisfied:
            found.append(f"{axiom} ({regime}): {said}, and the twin is {other.verdict}")
    return found
