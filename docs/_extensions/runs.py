"""Compute the default matrix and the studies of parameters for the site, and cache them until axiomcheck changes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from axiomcheck.axioms import AXIOMS, Axiom, ThresholdAxiom
from axiomcheck.cli.documents import read_json
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.own_code import engine_digest
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import write_atomically
from axiomcheck.metrics import Metric, paper_rows
from axiomcheck.metrics.parameters import Real
from axiomcheck.records.cells import Ledger
from axiomcheck.records.matrix import from_document
from axiomcheck.reports.region_report import regions_report
from axiomcheck.reports.table import report_text
from axiomcheck.studies.region.axes import read_axis
from axiomcheck.studies.region.decide import regions_of

LARGEST = 1
"""Upper end of the range for parameters without one. These are costs, and no document is worth more than 1."""

CUTOFFS = "k=1:25"
"""Range of cutoffs. It includes the cutoff 20 of the rows; verdicts that depend on k change by k = 6."""


@dataclass(frozen=True)
class Study:
    """Verdicts of one metric and axiom over the range of one parameter.

    Args:
        metric: Name of the metric.
        axiom: Name of the axiom.
        over: Parameter and range, as in `axiomcheck region --over`.
        verdicts: Verdicts that occur, such as ``proved`` and ``refuted``.
        text: Output of the command.

    """

    metric: str
    axiom: str
    over: str
    verdicts: tuple[str, ...]
    text: str

    @property
    def depends(self) -> bool:
        """Return True if the axiom is proved for some values and refuted for others."""
        return {Verdict.PROVED.value, Verdict.REFUTED.value} <= {*self.verdicts}

    @property
    def sentence(self) -> str:
        """Return a sentence on the values for which the axiom is proved or refuted."""
        lines = self.text.splitlines()[1:]
        return "; ".join(line for line in lines if not line.startswith(("proved: ", "refuted: ", "    ")))


def matrix_words(rows: str, examples: int | None) -> list[str]:
    """Return the command's words after ``axiomcheck``, with a number of examples unless it is the default."""
    return ["matrix", "--rows", rows, *(["--examples", str(examples)] if examples else [])]


def default_matrix(folder: Path, rows: str, examples: int | None) -> Ledger:
    """Return the matrix that the site shows.

    Raises:
        CalledProcessError: The command failed.

    """

    def run(file: Path) -> None:
        words = [
            sys.executable,
            "-m",
            "axiomcheck",
            *matrix_words(rows, examples),
            "--format",
            "json",
            "--output",
            str(file),
        ]
        subprocess.run(words, check=True)

    return from_document(read_json(made_once(folder, f"matrix-{rows}{examples or ''}", run)))


def parameter_studies(folder: Path, step: int) -> list[Study]:
    """Return studies of the paper's rows: thresholds over each parameter and the cutoff, Conf over each parameter.

    Args:
        folder: Folder of cached results.
        step: 1 for all studies, n for every n-th.

    """

    def run(file: Path) -> None:
        write_atomically(
            file, json.dumps([asdict(_study(*asked)) for asked in islice(_asked(), 0, None, step)], indent=1)
        )

    kept = json.loads(made_once(folder, f"studies{step}", run).read_text(encoding="utf-8"))
    return [Study(**{**each, "verdicts": tuple(each["verdicts"])}) for each in kept]


def _asked() -> Iterator[tuple[Axiom, Metric, str]]:
    """Yield the axiom, metric and range of each study; each takes a second or two at most."""
    for metric in paper_rows():
        reals = [f"{p.name}={p.low}:{p.high or LARGEST}" for p in metric.declared if isinstance(p, Real)]
        for axiom in AXIOMS.values():
            if isinstance(axiom, ThresholdAxiom):
                yield from ((axiom, metric, over) for over in [*reals, *([CUTOFFS] if metric.cutoff else [])])
            elif axiom.name == "Conf":
                yield from ((axiom, metric, over) for over in reals)


def _study(axiom: Axiom, metric: Metric, over: str) -> Study:
    axis = read_axis(over, axiom, metric, assumes_small(axiom, Reading()))
    (region,) = regions_of(metric, {axiom: [axis]})
    verdicts = tuple(sorted({finding.verdict.value for finding in region.findings}))
    return Study(metric.canonical, axiom.name, over, verdicts, report_text(regions_report([region]), 10_000))


def made_once(folder: Path, name: str, run: Callable[[Path], None]) -> Path:
    """Return a file that this version of axiomcheck has written, writing it now if there is none."""
    file = folder / f"{name}-{engine_digest()[:16]}"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{name}-*"):
            old.unlink()
        run(file)
    return file
